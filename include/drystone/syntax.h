/* syntax: the messages of the compiler about a text, and their catalogue.
 *
 * Floor 1: core, base, math. */
#ifndef DRYSTONE_SYNTAX_H
#define DRYSTONE_SYNTAX_H

#include <drystone/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dry_message_kind { DRY_NOTE, DRY_WARNING, DRY_ERROR } dry_message_kind;

/* A message of the compiler about one place in the text. */
typedef struct dry_message {
    dry_message_kind kind;
    const char *word;         /* its name in docs/errors.md: "unknown-name" */
    int line, column, length; /* from 1; 0 if the message has no place */
    const char *text;
    const char *way_out; /* "" if there is none */
    const char *file;    /* of the place: that of the model, or one that it includes */
    const char *instead; /* what to write in place of the text at the place; NULL: you decide */
} dry_message;

/* The catalogue of messages, for documentation and tests. */
DRY_API int dry_message_count(void);
DRY_API const char *dry_message_word(int index);
DRY_API const char *dry_message_text(int index);
DRY_API const char *dry_message_way_out(int index);

#ifdef __cplusplus
}
#endif
#endif
