/* The messages of the compiler. They come from one catalogue; each has a place and a way out. */
#ifndef DRY_SYNTAX_REPORT_H
#define DRY_SYNTAX_REPORT_H

#include <drystone/base.h>

/* A place in a text. Line and column count from 1, the column in characters; 0 means no place. */
typedef struct dry_place {
    int line, column, length;
    int file; /* in dry_diagnostics.source */
} dry_place;

/* Where a statement stands, whatever its column. */
static inline bool dry_place_same_line(dry_place a, dry_place b) {
    return a.line == b.line && a.file == b.file;
}

/* A text of the model: its own, number 0, or one that it includes. */
typedef struct dry_source {
    const char *path, *folder; /* as they are opened; "models/", "" */
    const char *text;
    size_t length;
    const char *as;   /* the name before its names; "" of number 0 */
    const char *left; /* its statements that are left out: "run, plot" */
    int parent;       /* who includes it */
} dry_source;

typedef enum dry_severity { DRY_SAY_NOTE, DRY_SAY_WARNING, DRY_SAY_ERROR } dry_severity;

/* The rows of messages.def. */
typedef enum dry_msg {
#define MESSAGE(id, word, severity, text, way_out) DRY_MSG_##id,
#include "messages.def"
#undef MESSAGE
    DRY_N_MESSAGES
} dry_msg;

typedef struct dry_diagnostic {
    dry_msg id;
    dry_place at;
    const char *text;
    const char *way_out; /* "" if there is none */
    const char *instead; /* what to write in place of what stands there; NULL: a person decides */
} dry_diagnostic;

typedef struct dry_diagnostics {
    dry_arena *arena;
    dry_diagnostic *said;
    int n_said, n_errors;
    dry_source *source; /* NULL: there is one text, without a name */
    int n_sources, source_room;
    int reading; /* the source that the lexer reads */
    bool fresh;  /* the last message was added, not dropped as a repetition */
} dry_diagnostics;

enum { DRY_MOST_MESSAGES = 64 };

/* Adds a text, and returns its number; -1 without memory. Its folder follows from its path. */
int dry_diag_add_source(dry_diagnostics *diag, const char *path, const char *text, size_t length);

/* Whether the name would be one of an included file: it begins with the name that the file has. */
bool dry_diag_is_included(const dry_diagnostics *diag, const char *name);

/* Adds the message with {1}, {2}, ... replaced by the arguments. Keeps at most DRY_MOST_MESSAGES.
 */
void dry_diag_say(dry_diagnostics *diag, dry_place at, dry_msg id, const char *const *args,
                  int n_args);
#define DRY_SAY(diag, at, id, ...)                                                                 \
    dry_diag_say(diag, at, DRY_MSG_##id, (const char *const[]){"", __VA_ARGS__},                   \
                 (int)(sizeof(const char *const[]){"", __VA_ARGS__} / sizeof(char *)))
/* Sorts the messages by their place in the text; messages without a place come first. */
void dry_diag_sort(dry_diagnostics *diag);
/* Replaces the way out of the last message, if that message was added. */
void dry_diag_way_out(dry_diagnostics *diag, const char *format, ...) DRY_PRINTF(2, 3);
/* Gives the last message, if it was added, what to write in place of what it points at. _mean does
 * so with a name that is probably meant, and asks whether it is. */
void dry_diag_instead(dry_diagnostics *diag, const char *text);
void dry_diag_mean(dry_diagnostics *diag, const char *nearest);

/* Write text into the arena: printf, and a number in its shortest form (6 digits). */
const char *dry_diag_text(dry_diagnostics *diag, const char *format, ...) DRY_PRINTF(2, 3);
const char *dry_diag_number(dry_diagnostics *diag, double x);
/* Three texts in one, however long. */
const char *dry_diag_join(dry_diagnostics *diag, const char *a, const char *b, const char *c);

/* Return the word of a message ("unknown-name") and its severity. */
const char *dry_diag_word(dry_msg id);
dry_severity dry_diag_severity(dry_msg id);

/* Reports that `what` does not take this key. The way out names the nearest key that `what` takes,
 * or all of them. */
void dry_diag_unknown_key(dry_diagnostics *diag, dry_place at, const char *what, const char *key,
                          const char *const *known, int n);

/* Returns the candidate nearest to `name` by edit distance, or NULL if none is near. */
const char *dry_diag_nearest(const char *name, const char *const *candidates, int n);

#endif
