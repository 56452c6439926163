/* Statements that are written as in another language, and how to write them in this one. */
#ifndef DRY_SYNTAX_HABITS_H
#define DRY_SYNTAX_HABITS_H

#include "parse_private.h"

/* Finds the row of habits.def that fits the statement that the parser cannot read at ps->token. If
 * a row fits, the statement fails and the message shows how to write it. Returns false if no row
 * fits. */
bool dry_syntax__habit(dry_parser *ps);

/* The rows of habits.def, for tests. */
int dry_habit_count(void);
const char *dry_habit_pattern(int i);

#endif
