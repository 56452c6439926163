/* lang, for the rooms above: the model while the compiler elaborates it. lang resolves names,
 * shapes and dimensions, and turns every quantity into nodes of one graph. The files of this room
 * build the model; the rooms above read it. */
#ifndef DRY_LANG_LANG_H
#define DRY_LANG_LANG_H

#include "graph/graph.h"
#include "syntax/syntax.h"

#include <drystone/lang.h>
#include <drystone/net.h>

/* ---- values ------------------------------------------------------------------------ */

/* A number, vector or matrix of nodes, with one dimension for all its entries. */
typedef struct dry_term {
    int rank; /* 0, 1, 2 */
    int rows, cols;
    dry_node one;   /* rank 0 */
    dry_node *many; /* rank 1, 2: row by row, in the arena */
    dry_dim dim;
    bool bad; /* an error has been reported: do not report it again */
} dry_term;

static inline int dry_term_size(const dry_term *v) { return v->rows * v->cols; }
static inline dry_node dry_term_at(const dry_term *v, int k) {
    return v->rank ? v->many[k] : v->one;
}
static inline void dry_term_put(dry_term *v, int k, dry_node node) {
    *(v->rank ? &v->many[k] : &v->one) = node;
}

/* ---- names ------------------------------------------------------------------------- */

typedef enum dry_symbol_kind {
    DRY_SYM_PARAM,
    DRY_SYM_STATE,
    DRY_SYM_QUANTITY,
    DRY_SYM_FORCE, /* set-valued, or an element of the catalogue */
    DRY_SYM_FUNCTION,
    DRY_SYM_MEASURE,
    DRY_SYM_PART,
    DRY_SYM_SAMPLE,
    DRY_SYM_TABLE,
    DRY_SYM_INPUT
} dry_symbol_kind;

/* A table, with the dimensions of its arguments and of its value. An input is a table of the time.
 */
typedef struct dry_table_info {
    dry_table table;
    dry_dim argument[DRY_MOST_AXES], value;
    double delay; /* of an input; its knots have it already */
} dry_table_info;

typedef struct dry_symbol {
    const char *name;
    dry_symbol_kind kind;
    dry_place at;
    const dry_stmt *stmt;  /* the first statement that defines it */
    const dry_stmt **more; /* all statements that define it (indexed statements) */
    int n_stmts, room;
    bool indexed;   /* defined as name[i] */
    int n_elements; /* number of elements if indexed; else 1 */
    enum dry_progress { DRY_NEW, DRY_UNDER_WAY, DRY_DONE } progress;
    dry_term value;     /* once done; indexed: row i is element i+1 */
    bool *element_done; /* indexed */
    int first;          /* PARAM, STATE, SAMPLE: index; of a SAMPLE with a delay: that of the
                           numbers that wait */
    int clock;          /* SAMPLE */
    dry_term sampled;   /* SAMPLE: its value at the instant ... */
    enum dry_progress next_progress; /* ... once done */
    int *force;                      /* FORCE: the number of each element in elab->force */
    int *part; /* PART: the index of each element in the net; -1 if it was not made */
    const dry_table_info *table; /* TABLE, INPUT; NULL if it is bad, or a constant */
    int refs;            /* first REF of its elements, or of the force under way; -1 if none */
    int seen_from, next; /* own_force.c: the force whose text leads here, plus 1; a list */
    bool used;
    bool faulty;    /* STATE: an error in its equation, size or start value has been reported */
    bool shapeless; /* STATE: so has an error in the start value that gives its size */
} dry_symbol;

/* ---- parts of the model ------------------------------------------------------------ */

typedef struct dry_param_info {
    const char *name;
    dry_dim dim;
    double value;
    dry_node meaning; /* its expression in earlier parameters; -1 if set from outside, or hidden */
    dry_node low, high; /* its range, of earlier parameters; -1 if the text gives none */
    bool structural; /* decides a size, an index, a branch, ...: a change needs a new compilation */
    bool decides; /* of these: the text itself says so; else the whole model needs a compilation */
    bool fixed;   /* its value is in the code: a size, a branch, a period, numbers of a table; C
                     made of the model does not follow it either */
    bool timed;   /* of these: it decides nothing but instants, which follow it in a system */
    bool hidden;  /* f.K and the like, and slots for measures */
    bool chosen;  /* of these: chosen anew for other values of free parameters (rechoose.c) */
    dry_place at;
} dry_param_info;

typedef struct dry_state_info {
    const char *name; /* "p", "x[3]", "f.a" */
    dry_dim dim;
    dry_node start, rate; /* -1 if missing */
    dry_place at;         /* of its declaration */
    dry_place rate_at;    /* of its equation */
    int symbol;           /* -1 for states of forces */
} dry_state_info;

/* How the parameters of a set-valued force were obtained. */
typedef enum dry_choice {
    DRY_GIVEN,
    DRY_CHOSEN_FROM_STEP,
    DRY_CHOSEN_FROM_K,
    DRY_CHOSEN_FROM_BETA,
    DRY_CHOSEN_FROM_DEPTH,
    DRY_CHOSEN_FROM_DURATION
} dry_choice;

/* What a contact can be asked instead of K, alpha and beta. */
enum { DRY_ASKED_RESTITUTION, DRY_ASKED_DEPTH, DRY_ASKED_DURATION, DRY_ASKED_SPEED, DRY_N_ASKED };

/* The parameters that a force leaves open, the requirements that the text gives instead, and the
 * data for choosing them. */
typedef struct dry_force_design {
    dry_choice choice;
    int slot_K, slot_beta, slot_alpha; /* hidden parameters chosen by the compiler, or -1 */
    int slot_limit;                    /* c W0 of a K that follows the mass (follow_mass.c); -1 */
    double restitution, depth, duration, speed; /* NaN if not given */
    dry_node asked[DRY_N_ASKED];                /* their expressions; -1 if not given */
    bool restitution_given;
    double mass;           /* effective, at the start; NaN if there is none */
    dry_node inverse_mass; /* 1/m along the motion (largest diagonal entry); -1 if none */
    bool follows;          /* the chosen K follows the mass (follow_mass.c) */
} dry_force_design;

/* chi*A'*sgn(A*v), and how the text writes it (ellipse.c). */
typedef struct dry_stretch {
    bool is_there;         /* the text has a matrix before the set */
    const dry_expr *level; /* chi; NULL: 1 */
    const dry_expr *outer; /* A'; NULL: the text writes several numbers or matrices */
    dry_node *matrix;      /* A, dim by dim, if the law takes A and v itself; NULL: none */
} dry_stretch;

/* The interval of a force, or of the places that a set with two ends allows (two_levels.c). */
typedef struct dry_force_interval {
    dry_node middle;   /* chi = half the width + side middle, unfed >= 0; of a set with two ends: of
                          P,   and input[0] is the place less this; 0: none */
    dry_node level[2]; /* F, G: chi on the side of y < 0, of y > 0 */
} dry_force_interval;

typedef struct dry_force {
    const char *name;          /* "f", "f[3]" */
    const dry_set *set;        /* NULL for an element of the catalogue without a set */
    dry_place at, argument_at; /* of the statement; of theta, psi */
    const dry_stmt *stmt;
    const dry_law *law;
    int dim, elements;
    dry_node *par; /* packed parameters */
    int n_par;
    dry_node *input;
    int n_inputs;
    int state, n_states; /* first of its states */
    dry_node block;
    dry_node *result; /* forces as they appear in the model's text (sign included) */
    int n_results;
    double sign;
    dry_stretch stretch;
    dry_node chi;               /* the level, for a set of forces */
    dry_node unfed, feed, side; /* own_force.c: chi = unfed/(1 - feed side); feed 0: chi is free */
    dry_force_interval interval;
    dry_node slip; /* f.slip if the text uses it; else 0 */
    dry_dim dim_force, dim_argument;
    dry_force_design design;
    int shared;   /* the force whose state it shares; -1 if none */
    int previous; /* the previous force with the same first input; -1 if none */
} dry_force;

/* Returns true if the force is a friction or a contact that the text writes with a set. */
static inline bool dry_lang_is_friction(const dry_force *force) {
    return force->set && force->set->kind == DRY_SET_OF_FORCES;
}
static inline bool dry_lang_is_contact(const dry_force *force) {
    return force->set && force->set->kind == DRY_SET_OF_POSITIONS;
}
/* Returns true if the law is the default relaxation of the set. */
static inline bool dry_lang_is_plain(const dry_force *force) {
    return force->set && dry_law_set(force->law) == force->set;
}

/* Returns how many numbers a row of the law's states has. */
static inline int dry_lang_row_size(const dry_law_state *row, const dry_force *force) {
    return row->form == DRY_ONE ? 1 : row->form == DRY_PER_DIM ? force->dim : force->elements;
}

/* A column of the outputs. */
typedef struct dry_output_info {
    const char *name;
    dry_dim dim;
    dry_node node;
    bool hidden;      /* used only for a measure or a plot */
    const char *unit; /* of a plot: its values are in this unit; NULL: in that of the dimension */
} dry_output_info;

typedef enum dry_reducer_kind {
    DRY_FINAL,
    DRY_AT,
    DRY_MAX_OF,
    DRY_MIN_OF,
    DRY_MEAN,
    DRY_RMS,
    DRY_INTEGRAL,
    DRY_FIRST,
    DRY_LAST,
    DRY_COUNT_OF
} dry_reducer_kind;

typedef struct dry_reducer {
    dry_reducer_kind kind;
    int output;           /* column */
    bool crossing;        /* first, last, count: the column is a difference, true if > 0 */
    dry_node from, to;    /* times; -1 if not given */
    const dry_expr *call; /* in the text */
    int slot;             /* hidden parameter that receives the result */
} dry_reducer;

typedef struct dry_measure_info {
    const char *name, *source;
    dry_node value;
    dry_dim dim;
    dry_place at;
} dry_measure_info;

typedef struct dry_expect_info {
    const char *source;
    dry_node value, target, tolerance; /* if target is -1, value is a condition */
    dry_place at;
} dry_expect_info;

enum { DRY_PLOT_TIME = 1 << 30, DRY_PLOT_MOST = 12, DRY_SHADES_MOST = 4 };

/* Columns are outputs, or -1-k for state k, or DRY_PLOT_TIME. */
typedef struct dry_plot_info {
    int y[DRY_PLOT_MOST], x[DRY_PLOT_MOST], n;
    const char *label[DRY_PLOT_MOST];
    bool beside[DRY_PLOT_MOST]; /* on the ordinate at the right */
    int shade[DRY_SHADES_MOST], n_shades;
    dry_picture_axis x_axis, y_axis, beside_axis;
    const char *title;  /* NULL: none */
    int marks;          /* on each curve */
    double time_unit;   /* s per unit of the abscissa if that is the time; otherwise 0 */
    dry_place range_at; /* of the range of the abscissa */
} dry_plot_info;

typedef struct dry_guard_info {
    dry_node node;    /* must not become negative ... */
    const char *text; /* ... or the run stops with this message */
} dry_guard_info;

/* stop when ... */
typedef struct dry_stop_info {
    dry_node node;    /* the condition; its value is not 0: the run ends ... */
    const char *text; /* ... for this reason */
    dry_place at;
} dry_stop_info;

/* A call of a function that selects one value of a set (ops.def), such as sign. */
typedef struct dry_selection_info {
    dry_node node;
    dry_place at;
} dry_selection_info;

enum { DRY_N_WHERES = DRY_IN_OUTPUT + 1 };

/* A number of the net that an expression uses. During elaboration the graph holds it as a
 * reference; afterwards it is the state number elab->n_states + its own number. Outputs of the net
 * are known only after the equations. */
typedef struct dry_outer {
    const char *name; /* "ball.p[3]" */
    int part;
    const char *member; /* as the text writes it: "p" */
    const char *unit;
    dry_net_where where;
    int index;
    int ref;
    double start; /* at the start of a run */
} dry_outer;

/* A number that equations add to the forces on the parts. */
typedef struct dry_thrust {
    int first; /* in `more` of dry_net_rates */
    dry_node node;
    dry_node speed;   /* the velocity: its product with the node is a power */
    const char *name; /* "ball.f" */
    dry_net_port port;
    dry_place at;
} dry_thrust;

/* The column with the work of all thrusts. */
#define DRY_PUSH_WORK "equations.work"

/* A part of the text, or a port or quantity of it. */
typedef struct dry_part_ref {
    const char *text;   /* "ball[3].frame", for messages */
    const char *name;   /* "ball[3]", for messages */
    const char *base;   /* "ball", as the text writes it */
    const char *member; /* "frame"; NULL: none */
    int part;           /* index in the net; -1: there is no such part */
} dry_part_ref;

/* A connection of the text. */
typedef struct dry_wire {
    dry_part_ref of;
    const char *end, *other; /* names of the ends a and b; NULL is the world */
    dry_place at;
    double reach; /* of the points on the ends, m: the longest `at` */
    int next;     /* next connection of the same part; -1 if none */
} dry_wire;

/* The origin of a part of the net. */
typedef struct dry_owner {
    int symbol;
    dry_place at;
    int first_wire, last_wire; /* its first connection; -1 if none */
} dry_owner;

/* Constant numbers of an expression. */
typedef struct dry_numbers {
    const double *value;
    int count;
    dry_dim dim;
} dry_numbers;

/* init ball.v = ... */
typedef struct dry_part_start {
    dry_part_ref of;
    const char *name; /* "ball[3].v", "ball.v[1]" */
    int first;        /* 1 for "ball.v[2]" */
    bool single;      /* one number of several: "ball.v[1]" */
    dry_place at;
    int count;
    dry_dim dim;
} dry_part_start;

/* A file that the text names, with the path for opening it; in the arena. */
typedef struct dry_named_file {
    const char *path;
    const struct dry_named_file *next;
} dry_named_file;

/* Local names: loop indices and arguments of functions. */
typedef struct dry_local {
    const char *name;
    const dry_term *value;
    const struct dry_local *next;
} dry_local;

/* A number that is sampled: at the instants of its clock the state becomes `next`, and is held in
 * between. */
typedef struct dry_held_info {
    int state, clock;
    dry_node next;
    bool adds; /* it becomes the state and `next`: how a derivative jumps (model/sensitivity.c) */
} dry_held_info;

/* A clock whose offset follows parameters. */
typedef struct dry_offset_info {
    int clock;
    dry_node node;
    double most; /* beyond it, or without any offset, it is another model */
} dry_offset_info;

/* delay(x, T) of one number: REF `ref` stands for it until the end of the text is known. */
typedef struct dry_delay_info {
    dry_node value, before; /* x; what it was before the start, -1: its value at the start */
    double T;
    int ref;
    dry_place at;
} dry_delay_info;

/* How the past of a number is read between two instants of its line. */
typedef enum dry_line_kind {
    DRY_LINE_SMOOTH,   /* the cubic with the values and slopes at both */
    DRY_LINE_STRAIGHT, /* straight */
    DRY_LINE_SET,      /* what a program sets: the value at the later one */
    DRY_LINE_HELD      /* what is sampled: the value at the earlier one */
} dry_line_kind;

/* A delay line: a number of the past. Its states are n + 1 values at the last instants of its
 * clock, the oldest first; if it is smooth, as many slopes just after the instants, and just before
 * them. */
typedef struct dry_line_info {
    dry_line_kind kind;
    int input; /* the number: a state, or n_states + an outer */
    int outer; /* that outer; -1: a state */
    double T;  /* s */
    int clock, first, n;
    int apart; /* its states are so far from each other */
    int last;  /* the state that holds the time of the last instant; -1: none */
    int shown; /* the state that holds what leaves the line between the instants; -1: none */
    dry_node value;
} dry_line_info;

/* What the equations sample and delay, and when. */
typedef struct dry_sampling {
    dry_held_info *held;
    int n_helds, held_room;
    dry_clock *clock;
    int n_clocks, clock_room;
    dry_offset_info *offset;
    int n_offsets, offset_room;
    dry_delay_info *delay;
    int n_delays, delay_room;
    dry_line_info *line;
    int n_lines, line_room;
    int n_states; /* of the lines: the last states of the equations */
    double tau;   /* with which slopes are computed, s: that of laws which need the step */
} dry_sampling;

/* Every name of the text. */
typedef struct dry_names {
    dry_symbol *symbol;
    int n_symbols, symbol_room;
    int *hash; /* of symbols, open addressing */
    int hash_size;
} dry_names;

/* The quantities that make up the equations. */
typedef struct dry_quantities {
    dry_param_info *param;
    int n_params, param_room;
    double *par_value; /* of each parameter, for constant expressions */
    dry_state_info *state;
    int n_states, state_room;
    dry_force *force;
    int n_forces, force_room;
    int *force_by_node; /* the latest force of each first input, plus 1 */
    int n_by_node;
    dry_guard_info *guard;
    int n_guards, guard_room;
    dry_selection_info *selection;
    int n_selections, selection_room;
    dry_node *ref; /* meaning of each REF; -1 while unknown */
    dry_place *ref_at;
    int n_refs, ref_room;
    int push_work; /* the state that holds the work of thrusts, if there are thrusts */
    dry_sampling sampling;
} dry_quantities;

/* output f against "log.csv" column "force" [N] */
typedef struct dry_against_info {
    const char *name; /* the expression, as the text has it */
    const char *file,
        *column; /* file: as it is opened; NULL: none is given, and there are no rows */
    int output;  /* its column */
    dry_dim dim;
    const double *t, *y;      /* rising times; what was measured, without rows that lack a value */
    int n, missing;           /* rows; how many were left out */
    double from, to;          /* of t: the rows that count, s */
    double weight, lag, hold; /* pure; s; the last part of the rows that is held out */
    dry_place at;
} dry_against_info;

/* free F in 0.1..10 log */
typedef struct dry_freed_info {
    const char *name; /* as a setting names it; of a start: the state */
    const char *base; /* without an index; NULL: it belongs to a part or to a force */
    double low, high; /* SI; NAN: not given */
    unsigned how;     /* DRY_FREE_... */
    dry_place at;
} dry_freed_info;

/* steady f.a */
typedef struct dry_steady_info {
    const char *name; /* of a state, or of the force whose states these are */
    dry_place at;
} dry_steady_info;

/* The results that a run must deliver, and what ends it. */
typedef struct dry_results {
    dry_output_info *output;
    int n_outputs, output_room;
    dry_reducer *reducer;
    int n_reducers, reducer_room;
    dry_measure_info *measure;
    int n_measures, measure_room;
    dry_expect_info *expect;
    int n_expects, expect_room;
    dry_plot_info *plot;
    int n_plots, plot_room;
    dry_stop_info *stop;
    int n_stops, stop_room;
    dry_against_info *against;
    int n_againsts, against_room;
    dry_freed_info *freed;
    int n_freeds, freed_room;
    dry_steady_info *steady;
    int n_steadys, steady_room;
    int *settled; /* states of the system that begin steady */
    int n_settleds, settled_room;
} dry_results;

/* The parts, the numbers that equations read from them, and the pushes of equations on them. */
typedef struct dry_scene {
    dry_net *net;                 /* NULL if the model has none */
    const dry_system *net_system; /* NULL until it is known, and if the net has mistakes */
    dry_net_choose_fn *choose;    /* chooses what parts leave open: dry_design_net */
    double gravity[3];            /* m/s^2 */
    dry_place gravity_at;         /* the place in the text that gives it */
    const dry_named_file *files;
    void *net_work;        /* of net_env, at the start of a run */
    double *net_x, *net_y; /* states and outputs at the start */
    dry_env net_env;
    dry_owner *owner; /* of the parts, by their indices */
    int n_owners, owner_room;
    dry_wire *wire;
    int n_wires, wire_room;
    int first_connection; /* the number of wire 0 in the net; connections made by kinds come before
                             it */
    dry_part_start *part_start;
    int n_part_starts, part_start_room;
    bool *setting_used; /* by a part's key; one for each setting */
    dry_outer *outer;
    int n_outers, outer_room;
    int *outer_at[DRY_N_WHERES], outer_at_room[DRY_N_WHERES]; /* by where, index: number plus 1 */
    dry_thrust *thrust;
    int n_thrusts, thrust_room;
} dry_scene;

struct dry_elab;

/* The current position of the elaboration: what it may use there, and how much work it has done. */
typedef struct dry_scope {
    dry_term (*evaluate)(struct dry_elab *elab, const dry_expr *expr); /* dry_lang_evaluate */
    const dry_local *locals;
    int depth;        /* of functions under way */
    bool endless;     /* nested too deeply, which is reported: no more calls until they end */
    int nesting;      /* of expressions, through definitions and functions */
    bool in_measure;  /* reducers are allowed */
    int most_nodes;   /* limit for the graph; also the limit for the number of states */
    double work;      /* expressions and entries so far */
    bool exhausted;   /* the work was too much, and this has been reported */
    bool only_params; /* states and t may not be used (param, start values) */
    int instant;      /* what is evaluated is sampled by this clock, counted from 1; 0: it is not */
    const char *only_what;
} dry_scope;

typedef struct dry_elab {
    dry_arena *arena;
    dry_diagnostics *diag;
    dry_dag *dag;
    dry_dims *dims; /* facts about units that the elaboration finds */
    const dry_model_options *options;
    const dry_given *given; /* what options->settings give, one for each */
    dry_tree tree;
    const char *name, *title;
    dry_run_options run;
    double resolving; /* the step that resolves long-lasting oscillations, if nobody gives a step */
    int run_line[16]; /* line of each key of `run`; 0 if the key is not given */
    double
        too_large; /* the first number that is reported as beyond every size and index; 0: none */

    dry_names names;
    dry_quantities quantities;
    dry_results results;
    dry_scene scene;
    dry_scope scope;
} dry_elab;

/* Makes room for one more item at the end of a heap array and sets the item to zero. Without memory
 * it returns NULL and marks the arena as failed. */
void *dry_lang_grow(dry_arena *arena, void **items, int *n, int *room, size_t size);
#define DRY_GROW(arena, of, what)                                                                  \
    dry_lang_grow(arena, (void **)&(of)->what, &(of)->n_##what##s, &(of)->what##_room,             \
                  sizeof *(of)->what)

/* ---- names.c ----------------------------------------------------------------------- */

/* Lists the included files among those of the model (dry_model_file). */
void dry_lang_note_sources(dry_elab *elab);
void dry_lang_collect(dry_elab *elab); /* collects every name; checks for one definition */
dry_symbol *dry_lang_find(const dry_elab *elab, const char *name);

/* ---- expr.c ------------------------------------------------------------------------ */

/* Returns the value of an expression. Other files call it through elab->evaluate, so that expr.c
 * depends on them and they do not depend on expr.c. */
dry_term dry_lang_evaluate(dry_elab *elab, const dry_expr *expr);

/* ---- term.c ------------------------------------------------------------------------ */

/* Computes what the text asks of the force, from the values of the parameters. Returns false if it
 * is outside its range. */
bool dry_lang_ask(const dry_elab *elab, dry_force *force);
/* Adds a parameter that nobody sets, and returns its index. */
int dry_lang_add_hidden(dry_elab *elab, const char *name, dry_dim dim, double value);
/* Makes the parameters that the node needs structural. */
void dry_lang_note(dry_elab *elab, dry_node node);
/* The same for parameters whose values go into the code. */
void dry_lang_fix(dry_elab *elab, dry_node node);
const char *dry_lang_shape(dry_elab *elab, const dry_term *v); /* "a vector of 3" */

/* ---- calls.c: the functions of the language ---------------------------------------- */

/* Returns true if the name belongs to a function that no model may redefine. */
bool dry_lang_is_reserved(const char *name);
/* Sets the name, form and meaning of a function of the language; a set has no form. Returns false
 * after the last. */
bool dry_lang_function(int index, dry_word *word);

/* ---- keys: measures.c, forces.c, plots.c ------------------------------------------- */

/* Set name and meaning of a key of `run`, of `with` after a set of this kind, of `with` after
 * `plot`. Return false after the last. */
bool dry_lang_run_key(int index, dry_word *word);
bool dry_lang_set_key(dry_set_kind kind, int index, dry_word *word);
bool dry_lang_plot_key(int index, dry_word *word);

/* ---- quantities.c: definitions, forces, equations ---------------------------------- */

void dry_lang_params(dry_elab *elab);
void dry_lang_states(dry_elab *elab);
void dry_lang_sizes(dry_elab *elab); /* of indexed quantities and forces */
void dry_lang_equations(dry_elab *elab);
void dry_lang_samples(dry_elab *elab); /* next values, after the equations */
/* delays.c: makes the delay lines, once the method and the step are known, and before
 * dry_lang_bind_outers. */
void dry_lang_delays(dry_elab *elab);
/* The node that gives the offset of a clock; -1: a constant. */
dry_node dry_lang_offset(const dry_sampling *all, int clock);
/* lines.c: gives every line the past before the start of a run at time t, `inputs` being the states
 * and the numbers of the net there; and one more instant of the line, with the slope before it. */
void dry_lang_fill_lines(const dry_sampling *all, double t, const double *inputs, double *x);
void dry_lang_move_line(const dry_line_info *line, double t, double value, double slope, double *x);
/* Replaces every node that the model holds by renamed[node]. */
void dry_lang_rename(dry_elab *elab, const dry_node *renamed);

/* ---- ranges.c ---------------------------------------------------------------------- */

/* Computes the two ends of the range of a parameter from the values of all parameters. Returns
 * false if it has no range. */
bool dry_lang_range(const dry_elab *elab, const double *values, int par, double range[2]);
/* Returns the first parameter whose value is outside its range; -1 if there is none. */
int dry_lang_outside(const dry_elab *elab, const double *values);
/* Reports every parameter whose current value is outside its range, and ranges that are empty. */
void dry_lang_check_ranges(const dry_elab *elab);

/* ---- settings.c -------------------------------------------------------------------- */

/* Reports settings with a unit of another dimension than their parameter, once the text has said
 * what it can about dimensions. */
void dry_lang_setting_dims(dry_elab *elab);

/* ---- tables.c, inputs.c ------------------------------------------------------------- */

void dry_lang_tables(dry_elab *elab); /* and inputs; after the parameters */
/* Warns of a run that goes beyond the times of an input. */
void dry_lang_check_inputs(const dry_elab *elab);

/* ---- forces.c ---------------------------------------------------------------------- */

/* Returns the call of a set in a right side; NULL if there is none. */
const dry_expr *dry_lang_set_of(const dry_expr *expr);

/* ---- law_pars.c -------------------------------------------------------------------- */

/* Returns the current value of a scalar parameter of the law; NaN if the law has no parameter of
 * that name, or if the parameter varies. */
double dry_lang_law_value(const dry_elab *elab, const dry_force *force, const char *name);
/* Returns the dimension of a parameter of a friction law that replaces that of the force: its unit,
 * with the force of the model for N and the length of the model (rad, ...) for m. It is unknown if
 * the unit contains the name of a parameter. */
dry_dim dry_lang_law_dim(dry_dims *dims, const dry_force *force, const char *unit);
/* Reports every wrong value among the law's parameters that are known now. */
void dry_lang_check_law(dry_elab *elab, const dry_force *force);

/* ---- members.c --------------------------------------------------------------------- */

/* Sets low and high for a set that is kept, of dimension n and with the force f: the set slips
 * while low < high. */
void dry_lang_slides(dry_elab *elab, int n, const dry_node *theta, const dry_node *f, dry_node chi,
                     dry_node *low, dry_node *high);

/* ---- parts.c, part_*.c ----------------------------------------------------- */

void dry_lang_parts(dry_elab *elab); /* builds the net from part, connect, and init of parts */
void dry_lang_leave_start(dry_elab *elab); /* frees what only the compilation reads */
void dry_lang_free_parts(dry_elab *elab);
void dry_lang_pushes(dry_elab *elab); /* ball.f += ... */
/* Returns true if the state of the equations is the work of their pushes. */
static inline bool dry_lang_is_push_work(const dry_elab *elab, int state) {
    return elab->scene.n_thrusts > 0 && state == elab->quantities.push_work;
}
/* Returns the part of the text from which a part of the net comes. */
static inline const dry_symbol *dry_lang_owner(const dry_elab *elab, int part) {
    return &elab->names.symbol[elab->scene.owner[part].symbol];
}
/* Returns true if the part holds the joints of a robot. Then *step is the step for which the joint
 * was chosen (port -1: all joints), or NaN if the joints have been set. */
bool dry_lang_robot_step(const dry_elab *elab, dry_net_port joint, double *step);
/* Calls `each` for the limits of robots' joints, such as robot_joints.elbow, as if they were
 * reached. The firmness is per inertia that the joint feels at the start. */
typedef void dry_limit_fn(void *user, dry_net_port joint, const dry_firmness *per_mass);
void dry_lang_each_limit(const dry_elab *elab, dry_limit_fn *each, void *user);
/* Binds the references to numbers of the net, once all states are known. */
void dry_lang_bind_outers(dry_elab *elab);
/* Reports outputs of the net that a rate or a push needs. mark[node] is set if a rate or a push
 * needs the node. */
void dry_lang_check_outers(dry_elab *elab, const unsigned char *mark);
/* Does the same for one node; call it before dry_lang_bind_outers. */
void dry_lang_refuse_results(const dry_elab *elab, dry_node node);
/* Returns true if a node needs a number of the net; call it after dry_lang_bind_outers. */
bool dry_lang_needs_outer(const dry_elab *elab, dry_node node);
dry_dim dry_lang_unit_dim(const dry_elab *elab, const char *unit);
/* Returns the number of states of the equations and of the net together. */
int dry_lang_all_states(const dry_elab *elab);

/* ---- measures.c -------------------------------------------------------------------- */

void dry_lang_outputs(dry_elab *elab);  /* forces and named quantities as columns */
void dry_lang_measures(dry_elab *elab); /* plot, measure, expect, run */
void dry_lang_measured(dry_elab *elab); /* against.c: output, free */
/* Reports times outside the run, as far as they are known now. */
void dry_lang_check_times(dry_elab *elab);
dry_place dry_lang_run_place(const dry_elab *elab); /* place of the last `run`, if there is one */

/* ---- methods.c --------------------------------------------------------------------- */

/* Returns the run's method, or the default. */
const char *dry_lang_method(const dry_elab *elab);
/* Returns true if the method keeps the sets (rigid.h), so that there is no K. */
bool dry_lang_keeps_sets(const dry_elab *elab);
const dry_method *dry_lang_method_row(const dry_elab *elab);
/* Rejects a method whose row is incomplete. */
void dry_lang_check_method(const dry_elab *elab);
/* Warns of keys of `run` that its method does not use, unless the caller has another method. */
void dry_lang_check_run(const dry_elab *elab);

/* ---- start.c ------------------------------------------------------------------------- */

/* Computes the start values of all states, then of the numbers of the net, from the current
 * parameters. */
void dry_lang_start(const dry_elab *elab, double *x);
/* Adds the pushes of equations at the start to the forces on the parts (net.h, `more`). Returns
 * false without memory. */
bool dry_lang_add_pushes(const dry_elab *elab, double *more);

#endif
