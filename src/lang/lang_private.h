/* What the files of lang share among themselves. */
#ifndef DRY_LANG_LANG_PRIVATE_H
#define DRY_LANG_LANG_PRIVATE_H

#include "lang/lang.h"

static inline dry_term dry_lang__expr(dry_elab *elab, const dry_expr *expr) {
    return elab->scope.evaluate(elab, expr);
}
/* Reports where the dimensions differ; `what` is "sum", "comparison", "equation" ... */
bool dry_lang__same_dim(dry_elab *elab, dry_place at, const char *what, dry_dim a, dry_dim b);
dry_term dry_lang__binary(dry_elab *elab, dry_place at, const char *sign, dry_term a, dry_term b);
const char *dry_lang__builtin(int i); /* the name of function i; NULL behind the last */
/* One element of an indexed symbol, index from 0. */
dry_term dry_lang__element(dry_elab *elab, dry_symbol *symbol, int index, dry_place at);
/* Whether a setting is for a part: ball.mass. */
bool dry_lang__is_part_setting(const dry_elab *elab, const char *name);
dry_term dry_lang__reduce(dry_elab *elab, const dry_expr *call, bool *is_reducer);

/* ---- names.c ----------------------------------------------------------------------- */

/* The slot of the name in the hash table: its own, or the empty one where it would be. */
int *dry_lang__slot(const dry_elab *elab, const char *name);
/* Whether the name stands in a statement that could not be read, so that nothing is known of it. */
bool dry_lang__lost(const dry_elab *elab, const char *name);
/* "`x` is not defined", with the nearest name; nothing about a lost one. */
void dry_lang__unknown(dry_elab *elab, dry_place at, const char *name);

/* ---- term.c ------------------------------------------------------------------------ */

enum { DRY_MOST_TERMS = 1000000 }; /* of a sum; no name has more elements either */
bool dry_lang__same_shape(const dry_term *a, const dry_term *b);
/* Says so; a value that is bad. */
dry_term dry_lang__shapes_differ(dry_elab *elab, dry_place at, const char *sign, const dry_term *a,
                                 const dry_term *b);
dry_term dry_lang__bad(dry_elab *elab);
/* Counts work; false, and reported once, where it is too much. */
bool dry_lang__spend(dry_elab *elab, dry_place at, double work);
dry_term dry_lang__scalar(dry_elab *elab, dry_node node, dry_dim dim);
dry_term dry_lang__array(dry_elab *elab, int rank, int rows, int cols, dry_dim dim);
/* A scalar; anything else is reported. */
dry_term dry_lang__scalar_expr(dry_elab *elab, const dry_expr *expr, const char *what);
/* A constant of parameters and indices, evaluated now. */
bool dry_lang__constant(dry_elab *elab, const dry_expr *expr, const char *what, double *value);
bool dry_lang__integer(dry_elab *elab, const dry_expr *expr, const char *what, int low, int high,
                       int *value);
/* The value of a node that depends on parameters alone; the parameters become structural. */
bool dry_lang__known(dry_elab *elab, dry_node node, double *value);
/* The same for a check, after which nothing is different. */
bool dry_lang__peek(const dry_elab *elab, dry_node node, double *value);

/* ---- calls.c: the functions of the language ---------------------------------------- */

dry_term dry_lang__call(dry_elab *elab, const dry_expr *expr);
/* function_hints.c: "there is no function `x`", with what to write instead. */
void dry_lang__unknown_function(dry_elab *elab, const dry_expr *call);
/* What to write for a name that other languages have, such as time; NULL for others. */
const char *dry_lang__way_out_of_name(const char *name);
dry_node dry_lang__norm(dry_elab *elab, const dry_term *v);
enum { DRY_LARGEST_SOLVE = 64 }; /* rows */
/* The vector x with A x = b, whose shapes fit. */
dry_term dry_lang__solve(dry_elab *elab, const dry_term *A, const dry_term *b);

/* ---- quantities.c: definitions, forces, equations ---------------------------------- */

/* The value of a symbol, elaborated when it is first asked for. */
dry_term dry_lang__symbol_value(dry_elab *elab, dry_symbol *symbol, dry_place at);
/* Runs body(elab, stmt, user) for each value of the statement's loop, or once. */
typedef void dry_loop_fn(dry_elab *elab, const dry_stmt *stmt, void *user);
void dry_lang__loop(dry_elab *elab, const dry_stmt *stmt, dry_loop_fn *body, void *user);
/* A node that stands for something until elab->ref of it is set; -1 without memory. */
int dry_lang__new_ref(dry_elab *elab, dry_place at);
/* One more parameter; NULL without memory. */
dry_param_info *dry_lang__add_param(dry_elab *elab, const char *name, dry_dim dim, double value,
                                    dry_place at);
int dry_lang__add_hidden(dry_elab *elab, const char *name, dry_dim dim, double value);

/* ---- forces.c ---------------------------------------------------------------------- */

/* The force of a statement, element k of the symbol: its value, and a new entry in elab->force. */
dry_term dry_lang__set_force(dry_elab *elab, const dry_symbol *symbol, int k, const dry_stmt *stmt,
                             const char *name);
dry_term dry_lang__element_law(dry_elab *elab, const dry_stmt *stmt, const char *name,
                               const dry_law *law);

/* ---- own_force.c: a level that depends on its own force ----------------------------- */

/* Whether the text of the force leads back to it through definitions alone: such a force is to be
 * understood before they are. */
bool dry_lang__feeds_itself(dry_elab *elab, const dry_symbol *symbol);
/* Whether its level may ask for the force while it is under way, and what it gets then: a
 * reference. */
bool dry_lang__may_feed(const dry_symbol *symbol);
dry_term dry_lang__own_force(dry_elab *elab, dry_symbol *symbol, dry_place at);
/* Solves the level for the force, whose reference is `own`; false, and it has been said why, where
 * that cannot be done. */
bool dry_lang__solve_level(dry_elab *elab, dry_force *force, dry_node own);

/* ---- members.c --------------------------------------------------------------------- */

/* f.a, f.slip, f.K ... of force number `force`. */
dry_term dry_lang__member(dry_elab *elab, int force, const char *member, dry_place at);

/* ---- parts.c, part_*.c ----------------------------------------------------- */

/* Whether one more part, connection or start fits; false, and reported, if they are too many or
 * take too much memory. */
bool dry_lang__has_room(dry_elab *elab, dry_place at);
/* Reports the mistakes of the net from number `from` on, at the place of what they are about. */
void dry_lang__say_mistakes(dry_elab *elab, int from);
/* One that was made with a part: at the key that it is about. */
void dry_lang__say_part_mistake(dry_elab *elab, const dry_stmt *stmt, const dry_mistake *mistake);
/* Whether the part that a port or a quantity belongs to is one of the text, or made by one. */
bool dry_lang__is_part(dry_elab *elab, const dry_expr *port);
/* The numbers of a constant expression, and that they fit the unit (NULL: any). */
bool dry_lang__numbers(dry_elab *elab, const dry_expr *expr, const char *what, const char *unit,
                       dry_numbers *numbers);
/* The n values of a call by its kind's table, settings in their place; NULL, and reported, where
 * something is wrong. */
const dry_value *dry_lang__part_values(dry_elab *elab, const dry_expr *call, const dry_kind *kind,
                                       const char *name, int *n);
/* Settings of parts that no key has used: for what a file has given, or refused. */
void dry_lang__set_rest(dry_elab *elab);
/* Whether a mistake of the net is that such a setting has no aim, which is then told as one. */
bool dry_lang__say_setting(dry_elab *elab, const dry_mistake *mistake);
dry_loop_fn dry_lang__start_one;             /* init ball.v = ... */
void dry_lang__check_starts(dry_elab *elab); /* of the net that has been built */
/* Joints of robots there, of which `taken` tells by state what `init` says: its number plus 1; and
 * their parameters, which settings may have changed. */
void dry_lang__check_robots(dry_elab *elab, const int *taken);
/* part_gravity.c: its kind; what a statement gives; whether there is no other part, which is told;
 * that something moves by it. */
const dry_kind *dry_lang__gravity(void);
void dry_lang__set_gravity(dry_elab *elab, const dry_stmt *stmt, const dry_value *values, int n);
bool dry_lang__is_only_gravity(dry_elab *elab);
void dry_lang__check_gravity(dry_elab *elab);
/* A mistake in the file that a part is read from. */
void dry_lang__say_robot(dry_elab *elab, dry_place at, const dry_mistake *mistake);
/* Of states of the net; any where their units differ. */
dry_dim dry_lang__states_dim(dry_elab *elab, const dry_net_place *place);
/* What ball[i].p or ball refers to; false, and reported, if its index is bad. */
bool dry_lang__part_ref(dry_elab *elab, const dry_expr *expr, dry_part_ref *ref);
/* Whether a name can be that of a part that the kind of another has made: robot_joints of robot. */
bool dry_lang__is_made(const dry_elab *elab, const char *name);
/* robot_joints.f of a part that a kind has made. */
dry_term dry_lang__made_member(dry_elab *elab, const dry_expr *expr);
/* ball.p, arm.tip.v, ball[i].p; ball.p of an indexed part is that of all, one below the other. */
dry_term dry_lang__part_member(dry_elab *elab, const dry_expr *expr, dry_symbol *symbol);

#endif
