/* team: threads that share out a loop.
 *
 * Floor 1, room base: core. */
#ifndef DRYSTONE_TEAM_H
#define DRYSTONE_TEAM_H

#include <drystone/base.h>
#include <drystone/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Threads that share out a loop; NULL is the caller alone. Each piece of a loop writes numbers of
 * its own and reads none that another one writes, so the bits do not depend on who does it. */
typedef struct dry_team dry_team;
enum { DRY_TEAM_PAYS = 256 }; /* a loop over fewer things is over before a second thread begins */
/* One of the pieces. They are cut into blocks, as many as there are threads (dry_team_blocks), the
 * first piece of block b being number dry_piece_start(count, b, blocks). in_turn: the same thread
 * has done all pieces before it of its block. */
typedef struct dry_team_piece {
    int index, count;
    bool in_turn;
} dry_team_piece;
typedef void dry_team_fn(const void *data, dry_team_piece piece);
/* Into how many pieces a loop over so many things is best cut; 1 where threads do not pay. */
DRY_API int dry_team_pieces(const dry_team *team, int things);
DRY_API int dry_team_blocks(const dry_team *team);
/* Calls work for all pieces, and returns when they are done. */
DRY_API void dry_team_run(dry_team *team, int pieces, dry_team_fn *work, const void *data);
/* Where a piece begins, of a loop over `count` things: it ends where the next one does. */
DRY_INLINE int dry_piece_start(int count, int piece, int pieces) {
    return (int)((long long)count * piece / pieces);
}
DRY_INLINE int dry_piece_from(int count, dry_team_piece piece) {
    return dry_piece_start(count, piece.index, piece.count);
}
DRY_INLINE int dry_piece_to(int count, dry_team_piece piece) {
    return dry_piece_start(count, piece.index + 1, piece.count);
}

/* Whether this build can use more than one thread (POSIX threads and C11 atomics). */
DRY_API bool dry_team_has_threads(void);
/* Makes threads that live until dry_team_end, with memory from the arena; NULL if size is at most 1
 * or no thread can be made. */
DRY_API dry_team *dry_team_new(dry_arena *arena, int size);
DRY_API void dry_team_end(dry_team *team);
/* Calls work with the team, or with NULL if another caller leads it at this time. */
typedef void dry_team_lead_fn(dry_team *team, void *data);
DRY_API void dry_team_lead(dry_team *team, dry_team_lead_fn *work, void *data);

#ifdef __cplusplus
}
#endif
#endif
