/* base, for the rooms above: optional libraries, loaded when they are first used; work that threads
 * and processes share, and the journal of what is done; why a file cannot be written. */
#ifndef DRYSTONE_BASE_DOOR_H
#define DRYSTONE_BASE_DOOR_H

#include <drystone/base.h>
#include <drystone/crew.h>
#include <stdint.h>

/* ---- library.c --------------------------------------------------------------------------------
 */

/* A library that a room calls through a struct of pointers, one for each of its symbols. Where the
 * build links the library, the struct holds their addresses from the start; else the first load
 * fills it. A program that does not use the library does not pay for loading it. */
typedef struct dry_library {
    const char *name;           /* in messages: HDF5 */
    const char *file;           /* what the loader looks for; NULL: the build links it */
    const char *package;        /* of Debian, that brings the file */
    const char *instead;        /* what to do without it */
    bool shows_symbols;         /* to the plugins that it loads itself */
    const char *const *symbols; /* in the order of the pointers; the last is NULL */
    void *calls;                /* the struct of pointers */
    bool loaded;
} dry_library;

/* Loads the library unless it is there. Returns DRY_UNSUPPORTED, with the package to install, where
 * it is missing or lacks a symbol. Threads may call it at the same time. */
dry_status dry_library_load(dry_library *library, dry_error *error);

/* Fills the error: the file cannot be written, by errno `cause`, with the way out. */
dry_status dry_file_unwritten(dry_error *error, const char *path, int cause);

/* The name of a symbol as the library has it: some headers rename theirs by a macro. */
#define DRY_SYMBOL_TEXT(symbol) DRY_SYMBOL_TEXT_AS_IS(symbol)
#define DRY_SYMBOL_TEXT_AS_IS(symbol) #symbol

/* ---- journal.c: what is done, kept on the disk ------------------------------------------------
 */

/* Points that do not depend on each other, in blocks. */
typedef struct dry_work {
    const char *name;    /* in messages and in the journal: "sweep" */
    const char *depends; /* what makes it another one, for messages: "model, grid, measures" */
    size_t points;
    size_t per_point;  /* numbers of a point; the last is its dry_status */
    size_t per_block;  /* points of a block */
    uint64_t identity; /* of all that the numbers depend on */
} dry_work;

size_t dry_work_blocks(const dry_work *work);
/* The number of points in a block. */
size_t dry_work_in_block(const dry_work *work, size_t block);

/* FNV-1a. */
uint64_t dry_mark_bytes(uint64_t before, const void *data, size_t bytes);
#define DRY_MARK UINT64_C(14695981039346656037)

/* One line of text, then blocks of
 *     block number | values of its points, `per_point` for each | digest of both
 * as numbers of 8 bytes of this computer. An incomplete block at the end is ignored. */
typedef struct dry_journal {
    int file; /* -1: none */
    const char *path;
    double *row;   /* scratch: one block with number and digest */
    double synced; /* time of the last flush to the disk, s */
} dry_journal;

/* Opens a new journal, or one that is there (resume), whose blocks go to `values`, done[block]
 * being set. Without a path there is none. */
dry_status dry_journal_open(dry_journal *journal, const char *path, bool resume,
                            const dry_work *work, double *values, unsigned char *done,
                            dry_error *error);
dry_status dry_journal_add(dry_journal *journal, const dry_work *work, size_t block,
                           const double *values, dry_error *error);
void dry_journal_close(dry_journal *journal);
/* Removes it, once what came out is written. */
void dry_journal_remove(const char *path);

/* ---- crew.c: threads, and processes of one `mpirun`, that do work -----------------------------
 */

typedef struct dry_crew_job {
    const dry_work *work;
    const dry_processes *processes; /* NULL: this one alone */
    int threads;                    /* of each process; 0: one for each core */
    const char *journal;            /* a file of finished blocks; NULL: none */
    bool resume;                    /* continue with an existing journal */
    void *user;
    void *(*begin)(void *user); /* what a thread has of its own; NULL: no memory */
    /* The values of a block, which depend on its number alone. Another status than DRY_OK ends all
     * of the work, and the block does not count. */
    dry_status (*run)(void *worker, size_t block, double *values, dry_error *error);
    void (*end)(void *user, void *worker); /* by one thread at a time */
    /* Called after each block, by one thread at a time; NULL: none. Return false to end the work
     * with DRY_RUN_FAILED; the journal stays. */
    bool (*progress)(void *user, size_t done, size_t points);
} dry_crew_job;

/* How many threads do so many blocks: those wanted (0: one for each core), at least one. `cores` is
 * below 1 if it is not known. */
int dry_crew_threads(int wanted, long cores, size_t blocks);

/* Does all blocks that the journal does not have. `values` has all points, on the first process;
 * NULL on the others. `found` becomes the number of points of the journal. Memory that runs out at
 * a point ends the work: it is no result of the point. */
dry_status dry_crew_run(const dry_crew_job *job, double *values, size_t *found, dry_error *error);

#endif
