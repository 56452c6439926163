/* team: threads that divide a loop among them.
 *
 * Floor 1, room base: core. */
#ifndef DRYSTONE_TEAM_H
#define DRYSTONE_TEAM_H

#include <drystone/base.h>
#include <drystone/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Threads that divide a loop; NULL is the caller alone. Each piece of a loop writes its own numbers
 * and reads none that another piece writes, so the bits do not depend on which thread runs it. */
typedef struct dry_team dry_team;
enum { DRY_TEAM_PAYS = 256 }; /* a shorter loop ends before a second thread begins */
/* One piece of a loop. Pieces form as many blocks as there are threads (dry_team_blocks); block b
 * starts at piece dry_piece_start(count, b, blocks). in_turn: the same thread has run all earlier
 * pieces of this block. */
typedef struct dry_team_piece {
    int index, count;
    bool in_turn;
} dry_team_piece;
typedef void dry_team_fn(const void *data, dry_team_piece piece);
/* The best number of pieces for a loop over so many things; 1 if threads do not pay. */
DRY_API int dry_team_pieces(const dry_team *team, int things);
DRY_API int dry_team_blocks(const dry_team *team);
/* Calls work for every piece; returns when all are done. */
DRY_API void dry_team_run(dry_team *team, int pieces, dry_team_fn *work, const void *data);
/* The first index of a piece in a loop over `count` things; the piece ends where the next
 * begins. */
DRY_INLINE int dry_piece_start(int count, int piece, int pieces) {
    return (int)((long long)count * piece / pieces);
}
DRY_INLINE int dry_piece_from(int count, dry_team_piece piece) {
    return dry_piece_start(count, piece.index, piece.count);
}
DRY_INLINE int dry_piece_to(int count, dry_team_piece piece) {
    return dry_piece_start(count, piece.index + 1, piece.count);
}

/* Returns true if this build can use several threads (POSIX threads and C11 atomics). */
DRY_API bool dry_team_has_threads(void);
/* Starts threads that live until dry_team_end, with memory from the arena. Returns NULL if size is
 * at most 1 or no thread can start. */
DRY_API dry_team *dry_team_new(dry_arena *arena, int size);
DRY_API void dry_team_end(dry_team *team);
/* Calls work with the team, or with NULL if another caller is using the team. */
typedef void dry_team_lead_fn(dry_team *team, void *data);
DRY_API void dry_team_lead(dry_team *team, dry_team_lead_fn *work, void *data);

#ifdef __cplusplus
}
#endif
#endif
