/* Declarations that the files of lang share. */
#ifndef DRY_LANG_LANG_PRIVATE_H
#define DRY_LANG_LANG_PRIVATE_H

#include "lang/lang.h"

static inline dry_term dry_lang__expr(dry_elab *elab, const dry_expr *expr) {
    return elab->scope.evaluate(elab, expr);
}
/* Reports an error if the dimensions differ; `what` is "sum", "comparison", "equation" ... */
bool dry_lang__same_dim(dry_elab *elab, dry_place at, const char *what, dry_dim a, dry_dim b);
dry_term dry_lang__binary(dry_elab *elab, dry_place at, const char *sign, dry_term a, dry_term b);
/* Returns "[N]", "[1]" for a pure number, "[? m]" for what is known in part. */
const char *dry_lang__dim_name(dry_elab *elab, dry_dim dim);
const char *dry_lang__builtin(int i); /* the name of function i; NULL after the last */
/* Returns one element of an indexed symbol; the index starts at 0. */
dry_term dry_lang__element(dry_elab *elab, dry_symbol *symbol, int index, dry_place at);
/* Returns true if a setting is for a part: ball.mass. */
bool dry_lang__is_part_setting(const dry_elab *elab, const char *name);
dry_term dry_lang__reduce(dry_elab *elab, const dry_expr *call, bool *is_reducer);

/* ---- names.c ----------------------------------------------------------------------- */

/* Returns the slot of the name in the hash: the slot that holds the name, or the empty slot
 * for it. */
int *dry_lang__slot(const dry_elab *elab, const char *name);
/* Returns true if the name occurs in a statement that could not be read, so that nothing is known
 * about it. */
bool dry_lang__lost(const dry_elab *elab, const char *name);
/* Reports "`x` is not defined", with the nearest name. Reports nothing if the name is lost. */
void dry_lang__unknown(dry_elab *elab, dry_place at, const char *name);

/* ---- term.c ------------------------------------------------------------------------ */

enum { DRY_MOST_TERMS = 1000000 }; /* limit for a sum; also the limit for the elements of a name */
bool dry_lang__same_shape(const dry_term *a, const dry_term *b);
/* Reports the error and returns a bad value. */
dry_term dry_lang__shapes_differ(dry_elab *elab, dry_place at, const char *sign, const dry_term *a,
                                 const dry_term *b);
dry_term dry_lang__bad(dry_elab *elab);
/* Returns the source text of an expression. */
const char *dry_lang__text_of(dry_elab *elab, const dry_expr *expr);
/* Counts work. Returns false if the work is too much, and reports this once. */
bool dry_lang__spend(dry_elab *elab, dry_place at, double work);
dry_term dry_lang__scalar(dry_elab *elab, dry_node node, dry_dim dim);
dry_term dry_lang__array(dry_elab *elab, int rank, int rows, int cols, dry_dim dim);
/* Returns a scalar; reports any other shape. */
dry_term dry_lang__scalar_expr(dry_elab *elab, const dry_expr *expr, const char *what);
/* Evaluates a constant of parameters and indices now. */
bool dry_lang__constant(dry_elab *elab, const dry_expr *expr, const char *what, double *value);
bool dry_lang__integer(dry_elab *elab, const dry_expr *expr, const char *what, int low, int high,
                       int *value);
/* Computes the value of a node that depends only on parameters, and makes these parameters
 * structural. */
bool dry_lang__known(dry_elab *elab, dry_node node, double *value);
/* The same where only instants follow from the node. */
bool dry_lang__timed(dry_elab *elab, dry_node node, double *value);
/* Does the same for a check, and changes nothing. */
bool dry_lang__peek(const dry_elab *elab, dry_node node, double *value);

/* ---- law_pars.c --------------------------------------------------------------------- */

/* Returns the key of that name; NULL if there is none. */
const dry_key *dry_lang__find_key(const dry_key *key, int n, const char *name);
/* Reports keys that are not known or come twice; `what`: whose keys they are. */
void dry_lang__check_keys(dry_elab *elab, const dry_key *key, int n, const char *const *known,
                          int n_known, const char *what);
void dry_lang__check_law_keys(dry_elab *elab, const dry_law *law, const dry_key *key, int n_keys);
/* Fills in the defaults, then the values that the text gives by name. */
bool dry_lang__pack_law(dry_elab *elab, dry_force *force, const dry_key *key, int n_keys,
                        dry_dim length);

/* ---- law_block.c -------------------------------------------------------------------- */

/* Registers the force and returns its value. */
dry_term dry_lang__finish_force(dry_elab *elab, dry_force *force, int rank);

/* ---- ellipse.c: chi*A'*sgn(A*v) ---------------------------------------------------- */

/* Returns the matrix of `A*v` in the argument of the set; reports anything else. */
bool dry_lang__inner_matrix(dry_elab *elab, const dry_expr *call, dry_term *inner);
/* Returns true if `outer` is the transpose of `inner`; else it reports the difference. */
bool dry_lang__matrices_match(dry_elab *elab, dry_place at, const dry_term *outer,
                              const dry_term *inner);
/* Returns true if `with` names a law that takes a symmetric matrix and v itself, such as elliptic.
 */
bool dry_lang__takes_matrix(const dry_stmt *stmt);
/* Gives such a law its matrix; reports one that is not symmetric, or that `with` gives again. */
bool dry_lang__give_matrix(dry_elab *elab, dry_force *force, const dry_term *D);
/* Notes the matrix of such a law, wherever the text gives it, for the methods that keep the sets;
 * returns false without memory. */
bool dry_lang__note_matrix(dry_elab *elab, dry_force *force);
/* Returns the force of the text, A' h. */
dry_term dry_lang__unstretched(dry_elab *elab, dry_place at, const dry_term *outer, dry_term h);

/* ---- calls.c: the functions of the language ---------------------------------------- */

dry_term dry_lang__call(dry_elab *elab, const dry_expr *expr);
/* function_hints.c: reports "there is no function `x`", with what to write instead. */
void dry_lang__unknown_function(dry_elab *elab, const dry_expr *call);
/* Returns what to write instead of a name from other languages, such as time; NULL for other
 * names. */
const char *dry_lang__way_out_of_name(const char *name);
dry_node dry_lang__norm(dry_elab *elab, const dry_term *v);
enum { DRY_LARGEST_SOLVE = 64 }; /* rows */
/* Returns the vector x with A x = b. The shapes must fit. */
dry_term dry_lang__solve(dry_elab *elab, const dry_term *A, const dry_term *b);

/* ---- quantities.c: definitions, forces, equations ---------------------------------- */

/* Returns the value of a symbol, and elaborates it at the first use. */
dry_term dry_lang__symbol_value(dry_elab *elab, dry_symbol *symbol, dry_place at);
/* Runs body(elab, stmt, user) for each value of the statement's loop, or once. */
typedef void dry_loop_fn(dry_elab *elab, const dry_stmt *stmt, void *user);
void dry_lang__loop(dry_elab *elab, const dry_stmt *stmt, dry_loop_fn *body, void *user);
/* Makes a node that is a placeholder until its elab->ref is set. Returns -1 without memory. */
int dry_lang__new_ref(dry_elab *elab, dry_place at);
/* Adds a parameter. Returns NULL without memory. */
dry_param_info *dry_lang__add_param(dry_elab *elab, const char *name, dry_dim dim, double value,
                                    dry_place at);
/* Returns a number or a vector of the same shape and dimension, with nothing in it yet. */
dry_term dry_lang__like(dry_elab *elab, const dry_term *v);
/* Makes states whose rate is 0, which start at `from`, or at 0 if it is NULL, and returns them. */
dry_term dry_lang__hold(dry_elab *elab, const dry_symbol *symbol, const char *name, dry_term shape,
                        const dry_term *from);
/* Returns the number of the clock, which it makes if there is none. */
int dry_lang__clock(dry_elab *elab, double period, double offset);
/* The same with an offset that a node of parameters gives, which may not become more than `most`.
 */
int dry_lang__timed_clock(dry_elab *elab, dry_clock clock, dry_node node, double most);
/* Sets the next value of a held state. */
void dry_lang__set_next(dry_elab *elab, int state, int clock, dry_node next);

/* ---- factors.c --------------------------------------------------------------------- */

/* chi * sgn(theta), [-F, G] * sgn(theta), or chi * A' * sgn(A * v), with the constant signs pulled
 * out */
typedef struct dry_lang__product {
    const dry_expr *set; /* the call of the set */
    dry_term factor;     /* the numbers before it */
    dry_term interval;   /* the two ends before it */
    dry_term outer;      /* the matrix before it */
    dry_stretch written; /* both as the text writes them */
    int n_factors, n_outers;
    bool has_factor, has_interval, has_outer;
    double sign;
    bool bad;
} dry_lang__product;
/* Takes an expression, or a divisor, apart. Set the sign in `p` to 1 before. */
void dry_lang__split(dry_elab *elab, const dry_expr *expr, bool divides, dry_lang__product *p);
/* Takes constants off the argument of a set: sgn(c theta) = sign(c) sgn(theta). */
void dry_lang__strip_argument(dry_elab *elab, dry_term *theta, double *sign);

/* ---- samples.c --------------------------------------------------------------------- */

/* Makes the held states of a sample, and returns them. */
dry_term dry_lang__sample(dry_elab *elab, dry_symbol *symbol);
/* Returns what the name of a sample means in the place that is elaborated: the held states, or the
 * next value. _under_way is for a sample whose text is being read. */
dry_term dry_lang__sample_value(dry_elab *elab, dry_symbol *symbol, dry_place at);
dry_term dry_lang__sample_under_way(dry_elab *elab, const dry_symbol *symbol, dry_place at);
/* Reports a circle of quantities that a value before the first sample would open. */
void dry_lang__sample_needs_from(dry_elab *elab, const dry_symbol *symbol, dry_place at);
/* Returns s.before. */
dry_term dry_lang__sample_member(dry_elab *elab, dry_symbol *symbol, const char *member,
                                 dry_place at);

/* ---- delays.c, lines.c --------------------------------------------------------------- */

/* Returns delay(x, T) or delay(x, T, before) of these values. */
dry_term dry_lang__delay(dry_elab *elab, const dry_expr *call, const dry_term *arg);
/* Returns the value of a number T seconds ago: of a state, or of an outer (the other is -1). Makes
 * a delay line, if there is none. Reports a number that has no past, and a line that does not fit
 * the run; then it returns 0. */
dry_node dry_lang__past(dry_elab *elab, int state, int outer, double T, dry_place at);
/* Returns true, and reports it, if the past of a force is not known from that of its states. */
bool dry_lang__has_no_past(dry_elab *elab, const dry_force *force, dry_place at);

/* ---- forces.c ---------------------------------------------------------------------- */

/* Adds the force of a statement, element k of the symbol, to elab->force and returns its value. */
dry_term dry_lang__set_force(dry_elab *elab, const dry_symbol *symbol, int k, const dry_stmt *stmt,
                             const char *name);
dry_term dry_lang__element_law(dry_elab *elab, const dry_stmt *stmt, const char *name,
                               const dry_law *law);

/* ---- one_answer.c -------------------------------------------------------------------- */

/* The bounds of the law's parameter at `at`, of that row, in a run: one value if it is known. */
dry_interval dry_lang__law_bounds(const dry_elab *elab, const dry_force *force, int row, int at);
/* Whether the law has one force for each motion, whatever its parameters become in a run; says if
 * it does not, or if that cannot be known. `par`: room for the parameters. */
bool dry_lang__has_one_answer(dry_elab *elab, const dry_force *force, double *par);

/* ---- own_force.c: a level that depends on its own force ----------------------------- */

/* Returns true if the text of the force leads back to the force through definitions alone. Such a
 * force must be elaborated before these definitions. */
bool dry_lang__feeds_itself(dry_elab *elab, const dry_symbol *symbol);
/* May the level use the force while the force is under way? If so, dry_lang__own_force returns a
 * reference to it. */
bool dry_lang__may_feed(const dry_symbol *symbol);
dry_term dry_lang__own_force(dry_elab *elab, dry_symbol *symbol, dry_place at);
/* Solves the level for the force, whose reference is `own`. If this is impossible, it reports the
 * reason and returns false. */
bool dry_lang__solve_level(dry_elab *elab, dry_force *force, dry_node own);
/* Makes the level of two_levels.c that of the side. The parameters of the force must be known. */
void dry_lang__level_by_side(dry_elab *elab, dry_force *force);

/* ---- two_levels.c: a level for each direction ---------------------------------------- */

/* Reads the ends of the interval, times the level so far. Reports ends that do not hold 0. */
bool dry_lang__two_levels(dry_elab *elab, dry_force *force, const dry_term *ends);
/* ---- tables.c ----------------------------------------------------------------------- */

/* Makes a table if nobody has: a parameter that calls it comes before the others. Reports a table
 * that calls itself, and returns false. */
bool dry_lang__make_table(dry_elab *elab, dry_symbol *symbol);
/* Returns the value of a table (NULL: it is bad, which is reported) for its arguments. */
dry_term dry_lang__call_table(dry_elab *elab, const dry_expr *call, const dry_table_info *table,
                              const dry_term *arg);
/* Returns the number of a key's word among n words; -1 with a message if it is none of them. */
int dry_lang__word(dry_elab *elab, const dry_key *key, const char *const *words, int n);
/* Reports a key that the statement gives twice, and returns false. */
bool dry_lang__keys_once(dry_elab *elab, const dry_stmt *stmt);
/* Checks that the knots rise, which a message calls `what`, and that the values are finite; gives a
 * cubic its slopes. Reports what is wrong and returns false. */
bool dry_lang__check_knots(dry_elab *elab, dry_place at, const char *what, const char *name,
                           const double *x, int n);
bool dry_lang__check_values(dry_elab *elab, dry_place at, const char *name, const double *y, int n);
bool dry_lang__check_course(dry_elab *elab, dry_place at, const char *name, const dry_table *table);
typedef void dry_slopes_fn(int n, const double *x, const double *y, double *slope);
bool dry_lang__give_slopes(dry_elab *elab, dry_table *table, dry_slopes_fn *slopes);

/* ---- records.c: columns of files ------------------------------------------------------ */

/* Opens a file that the text names. Reports why it cannot be read, and returns NULL. */
struct dry_record *dry_lang__open(dry_elab *elab, const char *path, dry_place at);
/* Reads a column in SI units, by its name (NULL: the first). The unit of the header holds before
 * that of the text, with which its dimension must agree. Reports what is wrong and returns false.
 */
bool dry_lang__column(dry_elab *elab, const struct dry_record *record, const char *path,
                      const dry_column_expr *column, dry_numbers *numbers);
/* The same for a column of times, with a warning if its name says another unit than the second. */
bool dry_lang__times(dry_elab *elab, const struct dry_record *record, const char *path,
                     const dry_column_expr *column, dry_numbers *numbers);
/* Returns the path of a file that the text names at a place: it is relative to the folder of that
 * text. */
const char *dry_lang__path(dry_elab *elab, const char *name, dry_place at);
/* Lists a file among those of the model (dry_model_file), and returns its path. */
const char *dry_lang__note_file(dry_elab *elab, const char *path);
/* Returns the file that `data` of the options replaces: that of the first output, else of the first
 * input, else of the first table; NULL if the text names none. */
const char *dry_lang__data_file(const dry_elab *elab);
/* Reports `data` of the options if nothing in the text reads a file. */
void dry_lang__check_given_data(dry_elab *elab);
/* Returns the file of the caller that stands for this one of the text; NULL: none does. */
const char *dry_lang__given_data(const dry_elab *elab, const dry_data_expr *data);

/* ---- inputs.c ------------------------------------------------------------------------ */

void dry_lang__input(dry_elab *elab, dry_symbol *symbol);
/* Reports files that the caller gives for names that are not inputs. */
void dry_lang__check_given_inputs(dry_elab *elab);
/* Returns u' of an input u; reports an input that has none. */
dry_term dry_lang__input_rate(dry_elab *elab, const dry_symbol *symbol, dry_place at);

/* Reads the number of a key, a constant of this dimension. Reports anything else. */
bool dry_lang__number_key(dry_elab *elab, const dry_key *key, dry_dim dim, double *value);
/* The unit in which the text writes a value: mm of -2 [mm] and of [1, 2] [mm]; NULL text: none, or
 * more than one. */
dry_unit_expr dry_lang__unit_of_value(const dry_expr *value);

/* ---- measures.c, plots.c ----------------------------------------------------------- */

/* Adds a column, and returns its number. */
int dry_lang__add_output(dry_elab *elab, dry_output_info output);
void dry_lang__plot(dry_elab *elab, const dry_stmt *stmt);
/* Warns of panels over times outside of the run; call it when its length is known. */
void dry_lang__check_panels(dry_elab *elab, double until);

/* ---- stops.c ----------------------------------------------------------------------- */

void dry_lang__stop(dry_elab *elab, const dry_stmt *stmt);

/* ---- members.c --------------------------------------------------------------------- */

/* Returns f.a, f.slip, f.K ... of force number `force`. */
dry_term dry_lang__member(dry_elab *elab, int force, const char *member, dry_place at);

/* ---- ranges.c: param mu = 0.3 in 0..1 ---------------------------------------------- */

/* Gives the parameters of the symbol, which are defined, the range that the text has. */
void dry_lang__define_range(dry_elab *elab, const dry_symbol *symbol);

/* ---- settings.c: values from outside ----------------------------------------------- */

/* Reads the settings into elab->given; reports those that cannot be read. */
void dry_lang__read_settings(dry_elab *elab);
/* If a setting gives entry k of the parameter, sets *value to it and returns true. */
bool dry_lang__set_entry(const dry_elab *elab, const dry_symbol *symbol, const dry_term *v, int k,
                         const char *name, double *value);
/* Reports settings that name no parameter, or do not have its shape. */
void dry_lang__check_settings(dry_elab *elab);
/* Returns true if the unit of a setting, if it has one, fits the dimension; else it reports the
 * difference. */
bool dry_lang__setting_fits_dim(dry_elab *elab, const dry_given *given, const char *name,
                                dry_place at, dry_dim dim);

/* ---- parts.c, part_*.c ----------------------------------------------------- */

/* Returns true if one more part, connection or start fits. If there are too many, or they take too
 * much memory, it reports this and returns false. */
bool dry_lang__has_room(dry_elab *elab, dry_place at);
/* Reports the mistakes of the net from number `from` on, each at its place in the text. */
void dry_lang__say_mistakes(dry_elab *elab, int from);
/* Reports a mistake in the making of a part, at the key that caused it. */
void dry_lang__say_part_mistake(dry_elab *elab, const dry_stmt *stmt, const dry_mistake *mistake);
/* Returns true if the port or quantity belongs to a part of the text, or to a part that such a part
 * made. */
bool dry_lang__is_part(dry_elab *elab, const dry_expr *port);
/* Computes the numbers of a constant expression, and checks that they fit the unit (NULL: any). */
bool dry_lang__numbers(dry_elab *elab, const dry_expr *expr, const char *what, const char *unit,
                       dry_numbers *numbers);
/* Returns the n values of a call by its kind's keys, with settings in place of the text's values.
 * If something is wrong, it reports this and returns NULL. */
const dry_value *dry_lang__part_values(dry_elab *elab, const dry_expr *call, const dry_kind *kind,
                                       const char *name, int *n);
/* Handles the settings of parts that no key has used: passes them on to what a file has given, or
 * rejects them. */
void dry_lang__set_rest(dry_elab *elab);
/* If the mistake of the net means that such a setting has no target, reports it as a mistake of the
 * setting and returns true. */
bool dry_lang__say_setting(dry_elab *elab, const dry_mistake *mistake);
dry_loop_fn dry_lang__start_one;             /* init ball.v = ... */
void dry_lang__check_starts(dry_elab *elab); /* of the net, after it is built */
/* Checks the joints of robots in the net, and their parameters, which settings may have changed.
 * taken[state] is the number of the `init` for that state, plus 1. */
void dry_lang__check_robots(dry_elab *elab, const int *taken);
/* part_gravity.c: returns the kind of gravity; sets gravity from a statement; reports if there is
 * no other part; checks that gravity moves something. */
const dry_kind *dry_lang__gravity(void);
void dry_lang__set_gravity(dry_elab *elab, const dry_stmt *stmt, const dry_value *values, int n);
bool dry_lang__is_only_gravity(dry_elab *elab);
void dry_lang__check_gravity(dry_elab *elab);
/* Reports a mistake in the file from which a part is read. */
void dry_lang__say_robot(dry_elab *elab, dry_place at, const dry_mistake *mistake);
/* Returns the dimension of states of the net; `any` if their units differ. */
dry_dim dry_lang__states_dim(dry_elab *elab, const dry_net_found *to);
/* Finds what ball[i].p or ball refers to. If the index is bad, it reports this and returns
 * false. */
bool dry_lang__part_ref(dry_elab *elab, const dry_expr *expr, dry_part_ref *ref);
/* Returns the port or state that the reference names, for the net; NULL without memory. */
const dry_member *dry_lang__named_member(dry_elab *elab, const dry_part_ref *ref);
/* Returns true if the name can belong to a part that the kind of another part made: robot_joints of
 * robot. */
bool dry_lang__is_made(const dry_elab *elab, const char *name);
/* Returns robot_joints.f of a part that a kind made. */
dry_term dry_lang__made_member(dry_elab *elab, const dry_expr *expr);
/* Returns ball.p, arm.tip.v, ball[i].p. For an indexed part, ball.p stacks the values of all
 * elements. */
dry_term dry_lang__part_member(dry_elab *elab, const dry_expr *expr, dry_symbol *symbol);

#endif
