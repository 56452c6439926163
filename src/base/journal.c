/* journal: stores blocks of results on the disk, so that interrupted work can continue.
 *
 * A block is written in one call and counts only if its digest is right, so a block is complete or
 * absent, whatever stops the process. Written blocks survive the death of the process; once a
 * second they are flushed to the disk. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 128 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t dry_work_blocks(const dry_work *work) {
    return (work->points + work->per_block - 1) / work->per_block;
}

size_t dry_work_in_block(const dry_work *work, size_t block) {
    const size_t first = block * work->per_block, left = work->points - first;
    return left < work->per_block ? left : work->per_block;
}

static void print_head(const dry_work *work, char head[HEAD]) {
    memset(head, 0, HEAD);
    snprintf(head, HEAD - 1,
             "drystone %s journal %s\npoints %zu, %zu to a block, identity %016" PRIx64 "\n",
             work->name, DRY_VERSION, work->points, work->per_block, work->identity);
}

uint64_t dry_mark_bytes(uint64_t before, const void *data, size_t bytes) {
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++) before = (before ^ at[i]) * UINT64_C(1099511628211);
    return before;
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

/* Another one that writes here would spoil it. */
static bool lock(int file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLK, &whole) == 0;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* number | values | digest */
static size_t numbers_in(const dry_work *work, size_t block) {
    return dry_work_in_block(work, block) * work->per_point + 2;
}

static void put_number(double *slot, uint64_t number) { memcpy(slot, &number, sizeof number); }

static uint64_t get_number(const double *slot) {
    uint64_t number;
    memcpy(&number, slot, sizeof number);
    return number;
}

static bool read_block(dry_journal *journal, const dry_work *work, double *values,
                       unsigned char *done) {
    if (!read_all(journal->file, journal->row, sizeof(double))) return false;
    const uint64_t block = get_number(journal->row);
    if (block >= dry_work_blocks(work)) return false;
    const size_t n = numbers_in(work, (size_t)block);
    if (!read_all(journal->file, journal->row + 1, (n - 1) * sizeof(double))) return false;
    const uint64_t digest = dry_mark_bytes(DRY_MARK, journal->row, (n - 1) * sizeof(double));
    if (digest != get_number(journal->row + n - 1)) return false;
    memcpy(values + (size_t)block * work->per_block * work->per_point, journal->row + 1,
           (n - 2) * sizeof(double));
    done[block] = 1;
    return true;
}

/* Reads the good blocks, and cuts off what comes after them. */
static dry_status read_blocks(dry_journal *journal, const dry_work *work, double *values,
                              unsigned char *done, dry_error *error) {
    off_t good = HEAD;
    while (read_block(journal, work, values, done)) {
        good = lseek(journal->file, 0, SEEK_CUR);
        if (good < 0) return fail(error, journal->path, "cannot read the journal");
    }
    if (ftruncate(journal->file, good) != 0 || lseek(journal->file, good, SEEK_SET) < 0)
        return fail(error, journal->path, "cannot continue the journal");
    return DRY_OK;
}

dry_status dry_journal_add(dry_journal *journal, const dry_work *work, size_t block,
                           const double *values, dry_error *error) {
    if (journal->file < 0) return DRY_OK;
    const size_t n = numbers_in(work, block);
    put_number(journal->row, (uint64_t)block);
    memcpy(journal->row + 1, values, (n - 2) * sizeof *values);
    put_number(journal->row + n - 1,
               dry_mark_bytes(DRY_MARK, journal->row, (n - 1) * sizeof(double)));
    if (!write_all(journal->file, journal->row, n * sizeof(double)))
        return dry_file_unwritten(error, journal->path, errno);
    const double time = now();
    if (time - journal->synced < 1.0) return DRY_OK;
    journal->synced = time;
    return fsync(journal->file) == 0 ? DRY_OK : dry_file_unwritten(error, journal->path, errno);
}

/* ---- opening ----------------------------------------------------------------------------- */

/* A file without a whole head holds nothing, and would be in the way of the next run. */
static dry_status begin(dry_journal *journal, const dry_work *work, dry_error *error) {
    char head[HEAD];
    print_head(work, head);
    if (write_all(journal->file, head, sizeof head) && fsync(journal->file) == 0) return DRY_OK;
    const int cause = errno;
    unlink(journal->path);
    errno = cause;
    return dry_file_unwritten(error, journal->path, errno);
}

/* A head that was never finished is as good as none. */
static dry_status resume_blocks(dry_journal *journal, const dry_work *work, double *values,
                                unsigned char *done, dry_error *error) {
    char head[HEAD], wanted[HEAD];
    struct stat about;
    print_head(work, wanted);
    if (fstat(journal->file, &about) != 0)
        return fail(error, journal->path, "cannot read the journal");
    if (about.st_size < HEAD) {
        if (!read_all(journal->file, head, (size_t)about.st_size) ||
            memcmp(head, wanted, (size_t)about.st_size) != 0 ||
            lseek(journal->file, 0, SEEK_SET) != 0)
            return dry_error_set_at(error, DRY_BAD_FILE, journal->path, 0, 0,
                                    "this file is not the journal of a %s: move the file, or "
                                    "give the %s another one",
                                    work->name, work->name);
        if (ftruncate(journal->file, 0) != 0)
            return dry_file_unwritten(error, journal->path, errno);
        return begin(journal, work, error);
    }
    if (!read_all(journal->file, head, sizeof head))
        return fail(error, journal->path, "cannot read the journal");
    if (memcmp(head, wanted, sizeof head) != 0)
        return dry_error_set_at(
            error, DRY_BAD_FILE, journal->path, 0, 0,
            "this journal belongs to another %s: its %s, run settings or version "
            "of drystone differ; repeat the command that began it, or remove "
            "the file to start again",
            work->name, work->depends);
    return read_blocks(journal, work, values, done, error);
}

static dry_status explain_open(const char *path, const dry_work *work, dry_error *error) {
    if (errno == EEXIST)
        return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                "a %s was interrupted here: continue it with --resume, or "
                                "remove this file to start again",
                                work->name);
    return dry_file_unwritten(error, path, errno);
}

dry_status dry_journal_open(dry_journal *journal, const char *path, bool resume,
                            const dry_work *work, double *values, unsigned char *done,
                            dry_error *error) {
    *journal = (dry_journal){.file = -1, .path = path, .synced = now()};
    if (!path) return DRY_OK;
    journal->row = calloc(work->per_block * work->per_point + 2, sizeof *journal->row);
    if (!journal->row) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    journal->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
    if (journal->file < 0) return explain_open(path, work, error);
    if (!lock(journal->file))
        return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                "another %s is writing this journal: wait until it ends, or "
                                "give this one another file",
                                work->name);
    return resume ? resume_blocks(journal, work, values, done, error) : begin(journal, work, error);
}

void dry_journal_close(dry_journal *journal) {
    if (journal->file >= 0) {
        fsync(journal->file);
        close(journal->file);
    }
    free(journal->row);
    *journal = (dry_journal){.file = -1};
}

void dry_journal_remove(const char *path) { unlink(path); }
