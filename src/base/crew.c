/* crew: threads, and processes of one `mpirun`, that do the blocks of a piece of work. One thread
 * does each block, and its numbers depend only on its index. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

/* What the threads of a process work on. */
typedef struct crew {
    const dry_crew_job *job;
    const dry_work *work;
    const dry_processes *processes;
    dry_journal journal;
    pthread_mutex_t lock;
    double *values;      /* of all points, on rank 0 */
    unsigned char *done; /* by block, when the work began */
    size_t next;         /* block to look at */
    size_t points_done;
    bool stop;
    dry_status status;
    dry_error *error;
} crew;

static const dry_processes alone = {.rank = 0, .size = 1};

/* ---- blocks ------------------------------------------------------------------------------ */

/* The next block of this process, or the number of blocks. */
static size_t take_block(crew *c) {
    const size_t n = dry_work_blocks(c->work), size = (size_t)c->processes->size;
    pthread_mutex_lock(&c->lock);
    while (c->next < n && (c->done[c->next] || c->next % size != (size_t)c->processes->rank))
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
    const dry_crew_job *job = c->job;
    c->points_done += points;
    if (!job->progress || job->progress(job->user, c->points_done, c->work->points)) return;
    if (c->status == DRY_OK)
        dry_error_set(c->error, DRY_RUN_FAILED, "the %s was stopped", c->work->name);
    fail(c, DRY_RUN_FAILED);
}

/* Returns true if memory ran out at one of the points, which is not a result of the point. */
static bool lacks_memory(const dry_work *work, size_t points, const double *values) {
    for (size_t i = 0; i < points; i++)
        if (values[(i + 1) * work->per_point - 1] == (double)DRY_NO_MEMORY) return true;
    return false;
}

/* On rank 0: stores the block in the table and the journal. */
static void keep(crew *c, size_t block, const double *values) {
    const dry_work *work = c->work;
    const size_t points = dry_work_in_block(work, block);
    if (lacks_memory(work, points, values)) {
        fail(c, dry_error_set(c->error, DRY_NO_MEMORY, "out of memory"));
        return;
    }
    memcpy(c->values + block * work->per_block * work->per_point, values,
           points * work->per_point * sizeof *values);
    const dry_status status = dry_journal_add(&c->journal, work, block, values, c->error);
    if (status != DRY_OK) fail(c, status);
    report_progress(c, points);
}

/* message[0] is the number of the block, its values follow. */
static void deliver(crew *c, size_t block, double *message) {
    const dry_processes *processes = c->processes;
    if (processes->rank == 0) {
        keep(c, block, message + 1);
        return;
    }
    message[0] = (double)block;
    if (processes->send(processes->user, message, 1 + c->work->per_block * c->work->per_point))
        return;
    fail(c, dry_error_set(c->error, DRY_IO, "the first process cannot be reached"));
}

/* The first thing that goes wrong is what ends the work. */
static void give_up(crew *c, const dry_error *why) {
    if (c->status == DRY_OK && c->error) *c->error = *why;
    fail(c, why->status);
}

static void do_block(crew *c, void *worker, size_t block, double *message) {
    dry_error error = {0};
    const dry_status status = c->job->run(worker, block, message + 1, &error);
    error.status = status;
    pthread_mutex_lock(&c->lock);
    if (status == DRY_OK)
        deliver(c, block, message);
    else
        give_up(c, &error);
    pthread_mutex_unlock(&c->lock);
}

static void no_memory(crew *c) {
    pthread_mutex_lock(&c->lock);
    fail(c, dry_error_set(c->error, DRY_NO_MEMORY, "out of memory"));
    pthread_mutex_unlock(&c->lock);
}

static void *work_on(void *user) {
    crew *c = user;
    const size_t blocks = dry_work_blocks(c->work);
    double *message = calloc(1 + c->work->per_block * c->work->per_point, sizeof *message);
    void *worker = message ? c->job->begin(c->job->user) : NULL;
    if (worker)
        for (size_t block; (block = take_block(c)) < blocks;) do_block(c, worker, block, message);
    else
        no_memory(c);
    pthread_mutex_lock(&c->lock);
    if (worker) c->job->end(c->job->user, worker);
    pthread_mutex_unlock(&c->lock);
    free(message);
    return NULL;
}

/* ---- threads and processes ----------------------------------------------------------------- */

int dry_crew_threads(int wanted, long cores, size_t blocks) {
    long n = wanted > 0 ? wanted : cores;
    if (n > MOST_THREADS) n = MOST_THREADS;
    if (n > 1 && (size_t)n > blocks) n = (long)blocks;
    return n > 1 ? (int)n : 1;
}

/* On rank 0: receives the blocks of other processes as they arrive; other threads work
 * meanwhile. */
static void receive_all(crew *c) {
    const dry_processes *processes = c->processes;
    const dry_work *work = c->work;
    const size_t n = 1 + work->per_block * work->per_point;
    double *message = calloc(n, sizeof *message);
    size_t expected = 0;
    for (size_t block = 0; block < dry_work_blocks(work); block++)
        expected += !c->done[block] && block % (size_t)processes->size != 0;
    if (!message) no_memory(c);
    for (; message && expected > 0; expected--) {
        const bool good = processes->receive(processes->user, message, n);
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
    const int n =
        dry_crew_threads(c->job->threads, sysconf(_SC_NPROCESSORS_ONLN), dry_work_blocks(c->work));
    const bool receives = c->processes->size > 1 && c->processes->rank == 0;
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    int begun = 0;
    if (!threads) return dry_error_set(c->error, DRY_NO_MEMORY, "out of memory");
    while (begun < n - !receives && pthread_create(&threads[begun], NULL, work_on, c) == 0) begun++;
    if (receives && begun > 0) receive_all(c);
    if (!receives || begun == 0) work_on(c);
    for (int i = 0; i < begun; i++) pthread_join(threads[i], NULL);
    if (receives && begun == 0) receive_all(c);
    free(threads);
    return c->status;
}

/* Reads the journal on rank 0 and shares the list of finished blocks with all processes. */
static dry_status begin(crew *c) {
    const dry_processes *processes = c->processes;
    dry_status status = DRY_OK;
    if (processes->rank == 0)
        status = dry_journal_open(&c->journal, c->job->journal, c->job->resume, c->work, c->values,
                                  c->done, c->error);
    unsigned char good = status == DRY_OK;
    if (processes->size == 1) return status;
    if (!processes->share(processes->user, &good, 1) ||
        (good && !processes->share(processes->user, c->done, dry_work_blocks(c->work))))
        return dry_error_set(c->error, DRY_IO, "the other processes cannot be reached");
    return good ? DRY_OK : status != DRY_OK ? status : DRY_RUN_FAILED;
}

/* ---- the door -------------------------------------------------------------------------------- */

static size_t count_found(const crew *c) {
    size_t found = 0;
    for (size_t block = 0; block < dry_work_blocks(c->work); block++)
        if (c->done[block]) found += dry_work_in_block(c->work, block);
    return found;
}

dry_status dry_crew_run(const dry_crew_job *job, double *values, size_t *found, dry_error *error) {
    crew c = {.job = job,
              .work = job->work,
              .processes = job->processes ? job->processes : &alone,
              .values = values,
              .error = error,
              .journal.file = -1};
    c.done = calloc(dry_work_blocks(job->work) + 1, 1);
    if (!c.done) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    pthread_mutex_init(&c.lock, NULL);
    dry_status status = begin(&c);
    if (status == DRY_OK) {
        c.points_done = *found = count_found(&c);
        status = run_threads(&c);
    }
    dry_journal_close(&c.journal);
    pthread_mutex_destroy(&c.lock);
    free(c.done);
    return status;
}
