/* journal: stores blocks of results on the disk, so that an interrupted sweep can continue.
 *
 * A block is written in one call and counts only if its digest is right, so a block is complete or
 * absent, whatever stops the process. Written blocks survive the death of the process; once a
 * second they are flushed to the disk. */
#define _POSIX_C_SOURCE 200809L
#include "sweep_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

enum { HEAD = 128 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t dry_sweep__blocks(const dry_sweep__shape *shape) {
    return (shape->points + shape->per_block - 1) / shape->per_block;
}

size_t dry_sweep__in_block(const dry_sweep__shape *shape, size_t block) {
    const size_t first = block * shape->per_block, left = shape->points - first;
    return left < shape->per_block ? left : shape->per_block;
}

static void print_head(const dry_sweep__shape *shape, char head[HEAD]) {
    memset(head, 0, HEAD);
    snprintf(head, HEAD - 1,
             "drystone sweep journal %s\npoints %zu, %zu to a block, identity %016" PRIx64 "\n",
             DRY_VERSION, shape->points, shape->per_block, shape->identity);
}

static dry_status fail(dry_error *error, const char *path, const char *what) {
    return dry_error_set_at(error, DRY_IO, path, 0, 0, "%s: %s", what, strerror(errno));
}

/* ---- bytes ------------------------------------------------------------------------------- */

static bool write_all(int file, const void *data, size_t bytes) {
    const char *at = data;
    while (bytes > 0) {
        const ssize_t n = write(file, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool read_all(int file, void *data, size_t bytes) {
    char *at = data;
    while (bytes > 0) {
        const ssize_t n = read(file, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* Another sweep that writes here would spoil it. */
static bool lock(int file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLK, &whole) == 0;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* number | values | digest */
static size_t numbers_in(const dry_sweep__shape *shape, size_t block) {
    return dry_sweep__in_block(shape, block) * shape->per_point + 2;
}

static void put_number(double *slot, uint64_t number) { memcpy(slot, &number, sizeof number); }

static uint64_t get_number(const double *slot) {
    uint64_t number;
    memcpy(&number, slot, sizeof number);
    return number;
}

static bool read_block(dry_sweep__journal *journal, const dry_sweep__shape *shape, double *values,
                       unsigned char *done) {
    if (!read_all(journal->file, journal->row, sizeof(double))) return false;
    const uint64_t block = get_number(journal->row);
    if (block >= dry_sweep__blocks(shape)) return false;
    const size_t n = numbers_in(shape, (size_t)block);
    if (!read_all(journal->file, journal->row + 1, (n - 1) * sizeof(double))) return false;
    const uint64_t digest =
        dry_sweep__digest(DRY_SWEEP__SEED, journal->row, (n - 1) * sizeof(double));
    if (digest != get_number(journal->row + n - 1)) return false;
    memcpy(values + (size_t)block * shape->per_block * shape->per_point, journal->row + 1,
           (n - 2) * sizeof(double));
    done[block] = 1;
    return true;
}

/* Reads the good blocks, and cuts off what comes after them. */
static dry_status read_blocks(dry_sweep__journal *journal, const dry_sweep__shape *shape,
                              double *values, unsigned char *done, dry_error *error) {
    off_t good = HEAD;
    while (read_block(journal, shape, values, done)) {
        good = lseek(journal->file, 0, SEEK_CUR);
        if (good < 0) return fail(error, journal->path, "cannot read the journal");
    }
    if (ftruncate(journal->file, good) != 0 || lseek(journal->file, good, SEEK_SET) < 0)
        return fail(error, journal->path, "cannot continue the journal");
    return DRY_OK;
}

dry_status dry_sweep__journal_add(dry_sweep__journal *journal, const dry_sweep__shape *shape,
                                  size_t block, const double *values, dry_error *error) {
    if (journal->file < 0) return DRY_OK;
    const size_t n = numbers_in(shape, block);
    put_number(journal->row, (uint64_t)block);
    memcpy(journal->row + 1, values, (n - 2) * sizeof *values);
    put_number(journal->row + n - 1,
               dry_sweep__digest(DRY_SWEEP__SEED, journal->row, (n - 1) * sizeof(double)));
    if (!write_all(journal->file, journal->row, n * sizeof(double)))
        return dry_file_unwritten(error, journal->path, errno);
    const double time = now();
    if (time - journal->synced < 1.0) return DRY_OK;
    journal->synced = time;
    return fsync(journal->file) == 0 ? DRY_OK : dry_file_unwritten(error, journal->path, errno);
}

/* ---- opening ----------------------------------------------------------------------------- */

/* A file without a whole head holds nothing, and would be in the way of the next sweep. */
static dry_status begin(dry_sweep__journal *journal, const dry_sweep__shape *shape,
                        dry_error *error) {
    char head[HEAD];
    print_head(shape, head);
    if (write_all(journal->file, head, sizeof head) && fsync(journal->file) == 0) return DRY_OK;
    const int cause = errno;
    unlink(journal->path);
    errno = cause;
    return dry_file_unwritten(error, journal->path, errno);
}

/* A head that was never finished is as good as none. */
static dry_status resume_blocks(dry_sweep__journal *journal, const dry_sweep__shape *shape,
                                double *values, unsigned char *done, dry_error *error) {
    char head[HEAD], wanted[HEAD];
    struct stat about;
    print_head(shape, wanted);
    if (fstat(journal->file, &about) != 0)
        return fail(error, journal->path, "cannot read the journal");
    if (about.st_size < HEAD) {
        if (!read_all(journal->file, head, (size_t)about.st_size) ||
            memcmp(head, wanted, (size_t)about.st_size) != 0 ||
            lseek(journal->file, 0, SEEK_SET) != 0)
            return dry_error_set_at(error, DRY_BAD_FILE, journal->path, 0, 0,
                                    "this file is not the journal of a sweep: move the file, or "
                                    "give the sweep another output");
        if (ftruncate(journal->file, 0) != 0)
            return dry_file_unwritten(error, journal->path, errno);
        return begin(journal, shape, error);
    }
    if (!read_all(journal->file, head, sizeof head))
        return fail(error, journal->path, "cannot read the journal");
    if (memcmp(head, wanted, sizeof head) != 0)
        return dry_error_set_at(error, DRY_BAD_FILE, journal->path, 0, 0,
                                "this journal belongs to another sweep: its model, grid, measures, "
                                "run settings or version of drystone differ; repeat the command "
                                "that began it, or remove the file to start again");
    return read_blocks(journal, shape, values, done, error);
}

static dry_status explain_open(const char *path, dry_error *error) {
    if (errno == EEXIST)
        return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                "a sweep was interrupted here: continue it with --resume, or "
                                "remove this file to start again");
    return dry_file_unwritten(error, path, errno);
}

dry_status dry_sweep__journal_open(dry_sweep__journal *journal, const char *path, bool resume,
                                   const dry_sweep__shape *shape, double *values,
                                   unsigned char *done, dry_error *error) {
    *journal = (dry_sweep__journal){.file = -1, .path = path, .synced = now()};
    if (!path) return DRY_OK;
    journal->row = calloc(shape->per_block * shape->per_point + 2, sizeof *journal->row);
    if (!journal->row) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    journal->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
    if (journal->file < 0) return explain_open(path, error);
    if (!lock(journal->file))
        return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                "another sweep is writing this journal: wait until it ends, or "
                                "give this sweep another output");
    return resume ? resume_blocks(journal, shape, values, done, error)
                  : begin(journal, shape, error);
}

void dry_sweep__journal_close(dry_sweep__journal *journal) {
    if (journal->file >= 0) {
        fsync(journal->file);
        close(journal->file);
    }
    free(journal->row);
    *journal = (dry_sweep__journal){.file = -1};
}

void dry_sweep_done(const dry_sweep_options *options) {
    if (options->journal) unlink(options->journal);
}
