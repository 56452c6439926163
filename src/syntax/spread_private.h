/* What the files that put included files into the tree share: names of a tree, and a copy of its
 * statements with other names. */
#ifndef DRY_SYNTAX_SPREAD_PRIVATE_H
#define DRY_SYNTAX_SPREAD_PRIVATE_H

#include "ast.h"

/* A set of names, open addressing. */
typedef struct dry_name_set {
    const char **name;
    int n, room;
} dry_name_set;

bool dry_syntax__has_name(const dry_name_set *set, const char *name, size_t length);
void dry_syntax__add_name(dry_name_set *set, const char *name, dry_arena *arena);
/* Whether the statement gives its name a meaning. */
bool dry_syntax__defines(const dry_stmt *stmt);

/* How to copy. Exactly one of the two is given. */
typedef struct dry_renaming {
    dry_diagnostics *diag;
    const dry_name_set *names; /* that the statements define */
    const char *prefix; /* names that they define, members and ports get "prefix." before them */
    const dry_name_set *spaces; /* the names of included files: m.x.y is x.y of m */
} dry_renaming;

const dry_expr *dry_syntax__renamed(const dry_renaming *how, const dry_expr *expr);
dry_stmt dry_syntax__renamed_stmt(const dry_renaming *how, const dry_stmt *stmt);

#endif
