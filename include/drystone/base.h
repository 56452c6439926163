/* base: errors with a position, exact number text, files written whole or not at all.
 *
 * Floor 1: libc with a heap. */
#ifndef DRYSTONE_BASE_H
#define DRYSTONE_BASE_H

#include <drystone/core.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- error ------------------------------------------------------------- */

/* An error belongs to the caller and is the last argument of a function that may fail. `text` holds
 * the problem and a way out, without file and line. */
typedef struct dry_error {
    dry_status status;
    char file[256]; /* "" if no file is concerned */
    int line;       /* from 1; 0: unknown */
    int column;     /* from 1; 0: unknown */
    char text[512];
    char key[32]; /* the wrong parameter, column or option; "": none of these */
    int way_out;  /* index in `text` at which the way out begins, after ": "; 0: no way out is
                     known */
} dry_error;

#if defined(__GNUC__)
#define DRY_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define DRY_PRINTF(at, first)
#endif

/* Fills the error (when it is not NULL) and returns `status`. */
DRY_API dry_status dry_error_set(dry_error *error, dry_status status, const char *format, ...)
    DRY_PRINTF(3, 4);
/* As dry_error_set, about a key (NULL: none); appends a way out to the text (NULL: none).
 */
DRY_API dry_status dry_error_set_key(dry_error *error, dry_status status, const char *key,
                                     const char *way_out, const char *format, ...) DRY_PRINTF(5, 6);
/* Reports wrong numbers of the caller as DRY_BAD_ARGUMENT; returns DRY_OK if `wrong` is NULL. */
DRY_API dry_status dry_error_set_wrong(dry_error *error, const dry_wrong *wrong);
/* _way_out: the way out, NULL if none is known. _what: the length of the text before it. */
DRY_API const char *dry_error_way_out(const dry_error *error);
DRY_API int dry_error_what(const dry_error *error);
/* As dry_error_set, with the file, line and column of the error (file may be NULL). */
DRY_API dry_status dry_error_set_at(dry_error *error, dry_status status, const char *file, int line,
                                    int column, const char *format, ...) DRY_PRINTF(6, 7);

/* ---- numbers ----------------------------------------------------------- */

enum { DRY_NUMBER_SIZE = 32 };

/* The shortest decimal digits that read back as exactly `x`, and of these the closest: "0.1", "-0",
 * "1e-300", "nan", "inf", "-inf"; without exponent from 1e-4 to below 1e21. Independent of the
 * locale. Returns the length. */
DRY_API int dry_number_text(double x, char text[DRY_NUMBER_SIZE]);
/* As printf's %.*g with up to 17 digits, but with a decimal point in every locale. */
DRY_API int dry_number_rounded(double x, int digits, char text[DRY_NUMBER_SIZE]);

/* Reads one decimal number from the start of `text` (locale independent, correctly rounded; also
 * nan, inf, infinity in any case; no white space before it, no hexadecimals); sets *end to the
 * first letter after it. Returns false, with *end = text and *x unchanged, if `text` does not start
 * with a number. Overflow gives inf. */
DRY_API bool dry_number_parse(const char *text, const char **end, double *x);

/* ---- arena ------------------------------------------------------------- */

/* Many small allocations that live and die together. */
typedef struct dry_arena dry_arena;

/* `limit` bounds the bytes it may take from the heap in all (0: no bound). NULL without memory. */
DRY_API dry_arena *dry_arena_new(size_t limit);
DRY_API void dry_arena_free(dry_arena *arena);
/* Zeroed, aligned for any type; NULL if the limit or the heap is exhausted. */
DRY_API void *dry_arena_take(dry_arena *arena, size_t bytes);
/* A copy of text[0..length) with a terminating zero. */
DRY_API char *dry_arena_text(dry_arena *arena, const char *text, size_t length);
/* The bytes it has taken from the heap. */
DRY_API size_t dry_arena_used(const dry_arena *arena);
/* Whether an allocation of the arena has failed. Once true, it stays true: the owner of the arena
 * checks it once, at the end, so no function in between has to pass it on. */
DRY_API bool dry_arena_failed(const dry_arena *arena);
/* Marks the arena as failed, for a user who ran out of other memory. */
DRY_API void dry_arena_fail(dry_arena *arena);

/* Copies all that the arena holds into `image`, and back. The arena must have taken nothing in
 * between: `load` returns false if the pieces of the arena are not where they were. Pointers
 * between pieces keep their meaning, so what lives in an arena alone returns to the bit. */
DRY_API size_t dry_arena_image_size(const dry_arena *arena);
DRY_API void dry_arena_image_save(const dry_arena *arena, void *image);
DRY_API bool dry_arena_image_load(dry_arena *arena, const void *image);

/* Zeroed memory outside of the arena, which the caller frees with free(). Without memory it returns
 * NULL and marks the arena as failed. */
DRY_API void *dry_heap_take(dry_arena *arena, size_t count, size_t size);
/* Resizes such memory to `bytes`; new bytes are not zeroed. Without memory `old` stays
 * unchanged. */
DRY_API void *dry_heap_grow(dry_arena *arena, void *old, size_t bytes);

/* ---- text in memory ---------------------------------------------------- */

/* A stream that writes into *text. Once the stream is closed, *text is zero-terminated and *length
 * bytes long; the caller frees it. Without memory both the stream and *text are NULL. */
DRY_API FILE *dry_text_open(char **text, size_t *length);
/* Closes the stream. If memory ran out while writing, it frees *text, sets it to NULL and returns
 * false. */
DRY_API bool dry_text_close(FILE *stream, char **text);

/* ---- symbols ----------------------------------------------------------- */

/* Returns the length of a name without its index: v0 is v with index 0, mu_1 is mu with index 1, vx
 * is v with index x. `index` becomes the index, "" if the name has none. */
DRY_API size_t dry_symbol_stem(const char *name, const char **index);
/* Returns the letter that a word such as "alpha" names; NULL if there is none. */
DRY_API const char *dry_symbol_greek(const char *word, size_t length);
/* Returns what LaTeX writes in mathematics for the Greek letter of this code, such as "\\alpha" for
 * U+03B1; NULL if it has nothing for it. */
DRY_API const char *dry_symbol_command(unsigned code);

/* ---- files ------------------------------------------------------------- */

/* Writes a file whole or not at all: open gives a stream on a hidden sibling of `path`, commit
 * flushes it to the disk and renames it over `path`, abandon removes it. Either one ends the use of
 * the file. A symbolic link stays and its target is replaced; a pipe, a device and standard output,
 * named "-", are written directly. */
typedef struct dry_file {
    FILE *stream;
    char *path;      /* the final name */
    char *temporary; /* the sibling that is written; NULL if it is written directly */
} dry_file;

DRY_API dry_status dry_file_open(dry_file *file, const char *path, dry_error *error);
DRY_API dry_status dry_file_commit(dry_file *file, dry_error *error);
DRY_API void dry_file_abandon(dry_file *file);
/* The name for the first part of a file that did not become whole: x.partial.csv for x.csv. The
 * caller frees it; NULL without memory. */
DRY_API char *dry_file_partial_name(const char *path);
/* As commit, but under the partial name; a file of the final name stays unchanged. `name` becomes
 * the name, "" if the file is written directly, NULL if it failed; the caller frees it. */
DRY_API dry_status dry_file_commit_partial(dry_file *file, char **name, dry_error *error);

/* Opens a stream for reading; "-" is standard input, a directory is an error. */
DRY_API dry_status dry_file_input(const char *path, FILE **stream, dry_error *error);
DRY_API void dry_file_input_close(FILE *stream);
/* Returns true if a program can read the data only once: "-", a pipe, a device. */
DRY_API bool dry_file_is_stream(const char *path);

/* The whole content of a file, zero-terminated; the caller frees it. An error if it has more than
 * `limit` bytes (0: no bound) or is a directory. `length` may be NULL. "-" reads standard
 * input. */
DRY_API dry_status dry_file_read(const char *path, size_t limit, char **content, size_t *length,
                                 dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
