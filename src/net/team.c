/* A team: threads that share out the pieces of one loop after the other.
 *
 * One thread leads: it does what is to be done in turn, and calls the others for each loop. Whoever
 * is free takes the next piece, its own ones first, so that each of them mostly meets the numbers
 * it had before; a thread that the machine has no time for holds up nobody, because the others do
 * its pieces. Which thread does a piece changes no bit of it. A thread that waits looks about for
 * some microseconds and then sleeps. The threads last as long as the net; of several runs of it at
 * once one has them.
 *
 * A piece is taken by setting its mark from the number of the last job to that of this one, which
 * fails for whoever is late: the job itself is read after that alone. */
#include "net_private.h"

#if !defined(__STDC_NO_THREADS__) && !defined(__STDC_NO_ATOMICS__)
#define HAS_THREADS true
#include <stdatomic.h>
#include <threads.h>
#else
#define HAS_THREADS false
#endif

bool dry_net_has_threads(void) { return HAS_THREADS; }

#if HAS_THREADS

/* Pieces for a thread: enough that one who comes late leaves some to the others. */
enum { FOR_EACH = 4, MOST_PIECES = 256, MOST = MOST_PIECES / FOR_EACH, LOOKS = 2000, LINE = 64 };

/* What threads write at the same time is kept apart by lines of the cache. */
typedef struct mark {
    atomic_uint job; /* for which the piece was taken last */
    char apart[LINE - sizeof(atomic_uint)];
} mark;

typedef struct member {
    dry_team *team;
    thrd_t thread;
    int index; /* 0 is the one who leads */
} member;

struct dry_team {
    int size;
    int pieces; /* of the job */
    dry_team_fn *work;
    const void *data;
    atomic_uint job; /* its number; 0: none yet */
    atomic_bool over, led;
    char apart[LINE];
    atomic_int done; /* pieces of the job */
    char apart_too[LINE];
    atomic_int sleepers;
    mtx_t lock;
    cnd_t news;
    member members[MOST];
    mark marks[MOST_PIECES];
};

/* ---- waiting ----------------------------------------------------------- */

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* What is waited for: a job other than `seen`, or that so many pieces are done. */
typedef bool event_fn(dry_team *team, unsigned number);
static bool is_called(dry_team *team, unsigned seen) {
    return atomic_load(&team->job) != seen || atomic_load(&team->over);
}
static bool is_done(dry_team *team, unsigned pieces) {
    return atomic_load(&team->done) == (int)pieces;
}

static void await(dry_team *team, event_fn *event, unsigned number) {
    for (int i = 0; i < LOOKS; i++) {
        if (event(team, number)) return;
        pause_briefly();
    }
    mtx_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (!event(team, number)) cnd_wait(&team->news, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    mtx_unlock(&team->lock);
}

static void tell(dry_team *team) {
    if (atomic_load(&team->sleepers) == 0) return;
    mtx_lock(&team->lock);
    cnd_broadcast(&team->news);
    mtx_unlock(&team->lock);
}

/* ---- a job ------------------------------------------------------------- */

static bool take(dry_team *team, int piece, unsigned job) {
    unsigned last = job - 1;
    return atomic_compare_exchange_strong(&team->marks[piece].job, &last, job);
}

/* The pieces that are left, beginning with the member's own. */
static void help(dry_team *team, int index, unsigned job) {
    const int all = team->size * FOR_EACH, first = index * FOR_EACH;
    for (int i = 0; i < all; i++) {
        const int piece = first + i < all ? first + i : first + i - all;
        if (!take(team, piece, job)) continue;
        for (int p = piece; p < team->pieces; p += all) team->work(team->data, p, team->pieces);
        if (atomic_fetch_add(&team->done, 1) + 1 == all) tell(team);
    }
}

static int serve(void *data) {
    const member *m = data;
    for (unsigned job = 0;;) {
        await(m->team, is_called, job);
        if (atomic_load(&m->team->over)) return 0;
        job = atomic_load(&m->team->job);
        help(m->team, m->index, job);
    }
}

static void share(dry_team *team, int pieces, dry_team_fn *work, const void *data) {
    team->pieces = pieces;
    team->work = work;
    team->data = data;
    atomic_store(&team->done, 0);
    const unsigned job = atomic_fetch_add(&team->job, 1) + 1;
    tell(team);
    help(team, 0, job);
    await(team, is_done, (unsigned)(team->size * FOR_EACH));
}

/* ---- a team ------------------------------------------------------------ */

/* Where fewer threads can be had the others do their pieces. */
static void hire(dry_team *team, int size) {
    for (team->size = 1; team->size < size && team->size < MOST; team->size++) {
        member *m = &team->members[team->size];
        *m = (member){.team = team, .index = team->size};
        if (thrd_create(&m->thread, serve, m) != thrd_success) return;
    }
}

dry_team *dry_net__team_new(dry_arena *arena, int size) {
    dry_team *team = size > 1 ? dry_arena_take(arena, sizeof *team) : NULL;
    if (!team || mtx_init(&team->lock, mtx_plain) != thrd_success) return NULL;
    if (cnd_init(&team->news) != thrd_success) {
        mtx_destroy(&team->lock);
        return NULL;
    }
    hire(team, size);
    return team;
}

void dry_net__team_end(dry_team *team) {
    if (!team) return;
    atomic_store(&team->over, true);
    tell(team);
    for (int i = 1; i < team->size; i++) thrd_join(team->members[i].thread, NULL);
    cnd_destroy(&team->news);
    mtx_destroy(&team->lock);
}

void dry_net__lead(dry_team *team, dry_net__lead_fn *work, void *data) {
    if (!team || atomic_exchange(&team->led, true)) {
        work(NULL, data);
        return;
    }
    work(team, data);
    atomic_store(&team->led, false);
}

int dry_team_pieces(const dry_team *team, int things) {
    return team && things >= DRY_TEAM_PAYS ? team->size * FOR_EACH : 1;
}

#else

dry_team *dry_net__team_new(dry_arena *arena, int size) {
    (void)arena, (void)size;
    return NULL;
}
void dry_net__team_end(dry_team *team) { (void)team; }
void dry_net__lead(dry_team *team, dry_net__lead_fn *work, void *data) { work(team, data); }
int dry_team_pieces(const dry_team *team, int things) {
    (void)team, (void)things;
    return 1;
}
static void share(dry_team *team, int pieces, dry_team_fn *work, const void *data) {
    (void)team;
    for (int i = 0; i < pieces; i++) work(data, i, pieces);
}

#endif

void dry_team_run(dry_team *team, int pieces, dry_team_fn *work, const void *data) {
    if (team && pieces > 1)
        share(team, pieces, work, data);
    else
        for (int i = 0; i < pieces; i++) work(data, i, pieces);
}
