/* crew: threads, and processes of a team, that run the blocks of a sweep. One thread runs each
 * block, and its numbers depend only on its index. */
#define _POSIX_C_SOURCE 200809L
#include "sweep_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

/* What the threads of a process work on. */
typedef struct crew {
    dry_sweep__job *job;
    dry_sweep__journal journal;
    pthread_mutex_t lock;
    double *values;      /* of all points, on rank 0 */
    unsigned char *done; /* by block, when the sweep began */
    size_t next;         /* block to look at */
    size_t points_done;
    size_t compiled;
    bool stop;
    dry_status status;
    dry_error *error;
} crew;

static const dry_sweep_team alone = {.rank = 0, .size = 1};

static const dry_sweep_team *team_of(const dry_sweep__job *job) {
    return job->options->team ? job->options->team : &alone;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* The next block of this process, or the number of blocks. */
static size_t take_block(crew *c) {
    const dry_sweep_team *team = team_of(c->job);
    const size_t n = dry_sweep__blocks(&c->job->shape);
    pthread_mutex_lock(&c->lock);
    while (c->next < n && (c->done[c->next] || c->next % (size_t)team->size != (size_t)team->rank))
        c->next++;
    const size_t block = c->stop ? n : c->next;
    if (c->next < n) c->next++;
    pthread_mutex_unlock(&c->lock);
    return block;
}

static void fail(crew *c, dry_status status) {
    c->stop = true;
    if (c->status == DRY_OK) c->status = status;
}

static void report_progress(crew *c, size_t points) {
    const dry_sweep_options *o = c->job->options;
    c->points_done += points;
    if (!o->progress || o->progress(o->user, c->points_done, c->job->shape.points)) return;
    dry_error_set(c->error, DRY_RUN_FAILED, "the sweep was stopped");
    fail(c, DRY_RUN_FAILED);
}

/* Returns true if memory ran out at one of the points, which is not a result of the point. */
static bool lacks_memory(const dry_sweep__shape *shape, size_t points, const double *values) {
    for (size_t i = 0; i < points; i++)
        if (values[(i + 1) * shape->per_point - 1] == (double)DRY_NO_MEMORY) return true;
    return false;
}

/* On rank 0: stores the block in the table and the journal. */
static void keep(crew *c, size_t block, const double *values) {
    const dry_sweep__shape *shape = &c->job->shape;
    const size_t points = dry_sweep__in_block(shape, block);
    if (lacks_memory(shape, points, values)) {
        fail(c, dry_error_set(c->error, DRY_NO_MEMORY, "out of memory"));
        return;
    }
    memcpy(c->values + block * shape->per_block * shape->per_point, values,
           points * shape->per_point * sizeof *values);
    const dry_status status = dry_sweep__journal_add(&c->journal, shape, block, values, c->error);
    if (status != DRY_OK) fail(c, status);
    report_progress(c, points);
}

/* message[0] is the number of the block, its values follow. */
static void deliver(crew *c, size_t block, double *message) {
    const dry_sweep_team *team = team_of(c->job);
    const dry_sweep__shape *shape = &c->job->shape;
    pthread_mutex_lock(&c->lock);
    if (team->rank == 0) {
        keep(c, block, message + 1);
    } else {
        message[0] = (double)block;
        if (!team->send(team->user, message, 1 + shape->per_block * shape->per_point)) {
            dry_error_set(c->error, DRY_IO, "the first process cannot be reached");
            fail(c, DRY_IO);
        }
    }
    pthread_mutex_unlock(&c->lock);
}

static void no_memory(crew *c) {
    pthread_mutex_lock(&c->lock);
    dry_error_set(c->error, DRY_NO_MEMORY, "out of memory");
    fail(c, DRY_NO_MEMORY);
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *user) {
    crew *c = user;
    const dry_sweep__shape *shape = &c->job->shape;
    dry_sweep__worker worker;
    double *message = calloc(1 + shape->per_block * shape->per_point, sizeof *message);
    if (dry_sweep__worker_begin(&worker, c->job) && message) {
        for (size_t block; (block = take_block(c)) < dry_sweep__blocks(shape);) {
            dry_sweep__run_block(&worker, block, message + 1);
            deliver(c, block, message);
        }
    } else {
        no_memory(c);
    }
    pthread_mutex_lock(&c->lock);
    c->compiled += worker.compiled;
    pthread_mutex_unlock(&c->lock);
    dry_sweep__worker_end(&worker);
    free(message);
    return NULL;
}

/* ---- threads and processes ----------------------------------------------------------------- */

int dry_sweep__threads(int wanted, long cores, size_t blocks) {
    long n = wanted > 0 ? wanted : cores;
    if (n > MOST_THREADS) n = MOST_THREADS;
    if (n > 1 && (size_t)n > blocks) n = (long)blocks;
    return n > 1 ? (int)n : 1;
}

/* On rank 0: receives the blocks of other processes as they arrive; other threads work
 * meanwhile. */
static void receive_all(crew *c) {
    const dry_sweep_team *team = team_of(c->job);
    const dry_sweep__shape *shape = &c->job->shape;
    const size_t n = 1 + shape->per_block * shape->per_point;
    double *message = calloc(n, sizeof *message);
    size_t expected = 0;
    for (size_t block = 0; block < dry_sweep__blocks(shape); block++)
        expected += !c->done[block] && block % (size_t)team->size != 0;
    if (!message) no_memory(c);
    for (; message && expected > 0; expected--) {
        const bool good = team->receive(team->user, message, n);
        pthread_mutex_lock(&c->lock);
        if (good)
            keep(c, (size_t)message[0], message + 1);
        else
            fail(c, dry_error_set(c->error, DRY_IO, "the other processes cannot be reached"));
        pthread_mutex_unlock(&c->lock);
        if (!good) break;
    }
    free(message);
}

static dry_status run_threads(crew *c) {
    const dry_sweep_team *team = team_of(c->job);
    const int n = dry_sweep__threads(c->job->options->threads, sysconf(_SC_NPROCESSORS_ONLN),
                                     dry_sweep__blocks(&c->job->shape));
    const bool receives = team->size > 1 && team->rank == 0;
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    int begun = 0;
    if (!threads) return dry_error_set(c->error, DRY_NO_MEMORY, "out of memory");
    while (begun < n - !receives && pthread_create(&threads[begun], NULL, work, c) == 0) begun++;
    if (receives && begun > 0) receive_all(c);
    if (!receives || begun == 0) work(c);
    for (int i = 0; i < begun; i++) pthread_join(threads[i], NULL);
    if (receives && begun == 0) receive_all(c);
    free(threads);
    return c->status;
}

/* Reads the journal on rank 0 and shares the list of finished blocks with all processes. */
static dry_status begin(crew *c) {
    const dry_sweep_team *team = team_of(c->job);
    const dry_sweep_options *o = c->job->options;
    const dry_sweep__shape *shape = &c->job->shape;
    dry_status status = DRY_OK;
    if (team->rank == 0)
        status = dry_sweep__journal_open(&c->journal, o->journal, o->resume, shape, c->values,
                                         c->done, c->error);
    unsigned char good = status == DRY_OK;
    if (team->size == 1) return status;
    if (!team->share(team->user, &good, 1) ||
        (good && !team->share(team->user, c->done, dry_sweep__blocks(shape))))
        return dry_error_set(c->error, DRY_IO, "the other processes cannot be reached");
    return good ? DRY_OK : status != DRY_OK ? status : DRY_RUN_FAILED;
}

/* ---- the door -------------------------------------------------------------------------------- */

static void count_found(crew *c, dry_sweep_result *result) {
    const dry_sweep__shape *shape = &c->job->shape;
    for (size_t block = 0; block < dry_sweep__blocks(shape); block++)
        if (c->done[block]) result->found += dry_sweep__in_block(shape, block);
    c->points_done = result->found;
}

dry_status dry_sweep__run_crew(dry_sweep__job *job, double *values, dry_sweep_result *result,
                               dry_error *error) {
    crew c = {.job = job, .values = values, .error = error, .journal.file = -1};
    c.done = calloc(dry_sweep__blocks(&job->shape) + 1, 1);
    if (!c.done) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    pthread_mutex_init(&c.lock, NULL);
    dry_status status = begin(&c);
    if (status == DRY_OK) {
        count_found(&c, result);
        status = run_threads(&c);
    }
    result->compiled = c.compiled;
    dry_sweep__journal_close(&c.journal);
    pthread_mutex_destroy(&c.lock);
    free(c.done);
    return status;
}
