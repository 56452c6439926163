/* team: threads that share the pieces of one loop after another.
 *
 * One thread leads: it does the serial work and calls the others for each loop. A free thread takes
 * the next piece, its own pieces first, so that it mostly finds its numbers in its cache. A thread
 * that the computer does not schedule delays nobody, because the others run its pieces. The bits of
 * a piece do not depend on the thread that runs it. A thread that waits looks about for some
 * microseconds and then sleeps. The threads live until dry_team_end; of several callers at once one
 * leads them.
 *
 * A thread takes pieces by tickets: each member has a number of them for every job. The numbers of
 * the tickets go on from job to job, so a late thread finds that those of its job are gone; only
 * with a ticket does it read the job itself. A line of memory that two processors write goes to and
 * fro between them, which takes as long as some hundred sums: so a member's tickets have a line of
 * their own, and each thread reports once what it has done.
 *
 * A process that fork makes has none of the threads: there the caller runs all pieces alone. */
#define _POSIX_C_SOURCE 200809L
#include <drystone/team.h>

/* Threads are those of POSIX, which sanitizers and debuggers know. */
#if defined(__STDC_NO_ATOMICS__)
#define THREADS false
#else
#define THREADS true
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#endif

bool dry_team_has_threads(void) { return THREADS; }

#if THREADS

/* Pieces for a thread: enough that one who comes late leaves some to the others. */
enum { FOR_EACH = 16, MOST = 64, LOOKS = 2000, LINE = 64 };

typedef struct member {
    dry_team *team;
    pthread_t thread;
    int index; /* 0 is the one who leads */
    char apart[LINE];
    atomic_ullong next; /* ticket of its pieces */
    char apart_too[LINE];
} member;

struct dry_team {
    pid_t process; /* whose threads they are */
    int size;
    int pieces; /* of the job */
    dry_team_fn *work;
    const void *data;
    atomic_ullong job; /* its number; 0: none yet */
    atomic_bool over, led;
    char apart[LINE];
    atomic_int done; /* pieces of the job */
    char apart_too[LINE];
    atomic_int sleepers;
    pthread_mutex_t lock;
    pthread_cond_t news;
    member members[MOST];
};

/* ---- waiting ----------------------------------------------------------- */

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* What is waited for: a job other than `seen`, or that so many pieces are done. */
typedef unsigned long long number;
typedef bool event_fn(dry_team *team, number n);
static bool is_called(dry_team *team, number seen) {
    return atomic_load(&team->job) != seen || atomic_load(&team->over);
}
static bool is_done(dry_team *team, number pieces) {
    return atomic_load(&team->done) == (int)pieces;
}

static void await(dry_team *team, event_fn *event, number n) {
    for (int i = 0; i < LOOKS; i++) {
        if (event(team, n)) return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (!event(team, n)) pthread_cond_wait(&team->news, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static void wake_sleepers(dry_team *team) {
    if (atomic_load(&team->sleepers) == 0) return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->news);
    pthread_mutex_unlock(&team->lock);
}

/* ---- a job ------------------------------------------------------------- */

/* The next of a member's pieces of the job, from 0; -1: none is left. */
static int take(member *m, number job) {
    const number end = job * FOR_EACH;
    number ticket = atomic_load(&m->next);
    while (ticket < end)
        if (atomic_compare_exchange_weak(&m->next, &ticket, ticket + 1))
            return FOR_EACH - (int)(end - ticket);
    return -1;
}

/* What a ticket of the job stands for: a piece, some, or none, neighbours for neighbours. */
static void do_pieces(dry_team *team, int ticket, bool in_turn) {
    const int all = team->size * FOR_EACH, pieces = team->pieces;
    const int end = dry_piece_start(pieces, ticket + 1, all);
    for (int p = dry_piece_start(pieces, ticket, all); p < end; p++)
        team->work(team->data, (dry_team_piece){p, pieces, in_turn});
}

/* What is left of a block; how many tickets that was. */
static int help_with(dry_team *team, int block, number job) {
    int done = 0;
    for (int k; (k = take(&team->members[block], job)) >= 0; done++)
        do_pieces(team, block * FOR_EACH + k, k == done);
    return done;
}

/* The blocks, beginning with the member's own. */
static void help(dry_team *team, int index, number job) {
    const int size = team->size, all = size * FOR_EACH;
    int done = 0;
    for (int i = 0; i < size; i++)
        done += help_with(team, index + i < size ? index + i : index + i - size, job);
    if (done > 0 && atomic_fetch_add(&team->done, done) + done == all) wake_sleepers(team);
}

static void *serve(void *data) {
    const member *m = data;
    for (number job = 0;;) {
        await(m->team, is_called, job);
        if (atomic_load(&m->team->over)) return NULL;
        job = atomic_load(&m->team->job);
        help(m->team, m->index, job);
    }
}

static void do_alone(int pieces, dry_team_fn *work, const void *data) {
    for (int i = 0; i < pieces; i++) work(data, (dry_team_piece){i, pieces, true});
}

/* Whether its threads stayed in the process that made this one. */
static bool is_copy(const dry_team *team) { return team->process != getpid(); }

static void share(dry_team *team, int pieces, dry_team_fn *work, const void *data) {
    if (is_copy(team)) {
        do_alone(pieces, work, data);
        return;
    }
    team->pieces = pieces;
    team->work = work;
    team->data = data;
    atomic_store(&team->done, 0);
    const number job = atomic_fetch_add(&team->job, 1) + 1;
    wake_sleepers(team);
    help(team, 0, job);
    await(team, is_done, (number)team->size * FOR_EACH);
}

/* ---- a team ------------------------------------------------------------ */

/* Where fewer threads can be had the others do their pieces. */
static void hire(dry_team *team, int size) {
    for (team->size = 1; team->size < size && team->size < MOST; team->size++) {
        member *m = &team->members[team->size];
        *m = (member){.team = team, .index = team->size};
        if (pthread_create(&m->thread, NULL, serve, m) != 0) return;
    }
}

dry_team *dry_team_new(dry_arena *arena, int size) {
    dry_team *team = size > 1 ? dry_arena_take(arena, sizeof *team) : NULL;
    if (!team || pthread_mutex_init(&team->lock, NULL) != 0) return NULL;
    if (pthread_cond_init(&team->news, NULL) != 0) {
        pthread_mutex_destroy(&team->lock);
        return NULL;
    }
    team->process = getpid();
    hire(team, size);
    return team;
}

void dry_team_end(dry_team *team) {
    if (!team || is_copy(team)) return;
    atomic_store(&team->over, true);
    wake_sleepers(team);
    for (int i = 1; i < team->size; i++) pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->news);
    pthread_mutex_destroy(&team->lock);
}

void dry_team_lead(dry_team *team, dry_team_lead_fn *work, void *data) {
    if (!team || atomic_exchange(&team->led, true)) {
        work(NULL, data);
        return;
    }
    work(team, data);
    atomic_store(&team->led, false);
}

int dry_team_blocks(const dry_team *team) { return team ? team->size : 1; }
int dry_team_pieces(const dry_team *team, int things) {
    return team && things >= DRY_TEAM_PAYS ? team->size * FOR_EACH : 1;
}

#else

dry_team *dry_team_new(dry_arena *arena, int size) {
    (void)arena, (void)size;
    return NULL;
}
void dry_team_end(dry_team *team) { (void)team; }
void dry_team_lead(dry_team *team, dry_team_lead_fn *work, void *data) { work(team, data); }
int dry_team_blocks(const dry_team *team) {
    (void)team;
    return 1;
}
int dry_team_pieces(const dry_team *team, int things) {
    (void)team, (void)things;
    return 1;
}
static void do_alone(int pieces, dry_team_fn *work, const void *data) {
    for (int i = 0; i < pieces; i++) work(data, (dry_team_piece){i, pieces, true});
}
static void share(dry_team *team, int pieces, dry_team_fn *work, const void *data) {
    (void)team;
    do_alone(pieces, work, data);
}

#endif

void dry_team_run(dry_team *team, int pieces, dry_team_fn *work, const void *data) {
    if (team && pieces > 1)
        share(team, pieces, work, data);
    else
        do_alone(pieces, work, data);
}
