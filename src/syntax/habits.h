/* The statements of other languages, and what to write here. */
#ifndef DRY_SYNTAX_HABITS_H
#define DRY_SYNTAX_HABITS_H

#include "parse_private.h"

/* Fails, and says how the statement that cannot be read at ps->token is written here, if it fits
 * one of the rows of habits.def; false if it fits none. */
bool dry_syntax__habit(dry_parser *ps);

/* The rows, for tests. */
int dry_habit_count(void);
const char *dry_habit_pattern(int i);

#endif
