/* lang, for the rooms above: the model while it is being understood: names, shapes, dimensions;
 * every quantity becomes nodes of one graph. The files of this room make it; the rooms above read
 * it. */
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
    bool bad; /* a fault has been reported: stay silent about it */
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
    DRY_SYM_PART
} dry_symbol_kind;

typedef struct dry_symbol {
    const char *name;
    dry_symbol_kind kind;
    dry_place at;
    const dry_stmt *stmt;  /* the first that defines it */
    const dry_stmt **more; /* all that define it (indexed statements) */
    int n_stmts, room;
    bool indexed;   /* defined as name[i] */
    int n_elements; /* indexed: how many; else 1 */
    enum { DRY_NEW, DRY_UNDER_WAY, DRY_DONE } progress;
    dry_term value;      /* once done; indexed: row i is element i+1 */
    bool *element_done;  /* indexed */
    int first;           /* PARAM, STATE: index */
    int *force;          /* FORCE: the number of each element in elab->force */
    int *part;           /* PART: the index of each element in the net, -1: it was not made */
    int refs;            /* first REF of its elements, or of the force under way; -1 without */
    int seen_from, next; /* own_force.c: the force whose text leads here, plus 1; a list */
    bool used;
    bool faulty;    /* STATE: an equation or start value of it has been reported */
    bool shapeless; /* STATE: so has the start value that would say how many numbers it has */
} dry_symbol;

/* ---- parts of the model ------------------------------------------------------------ */

typedef struct dry_param_info {
    const char *name;
    dry_dim dim;
    double value;
    dry_node meaning; /* its expression in earlier parameters; -1: set from outside, or hidden */
    bool structural;  /* decides a size, an index, a branch, ...: a change compiles anew */
    bool hidden;      /* f.K and the like, and slots for measures */
    dry_place at;
} dry_param_info;

typedef struct dry_state_info {
    const char *name; /* "p", "x[3]", "f.a" */
    dry_dim dim;
    dry_node start, rate; /* -1 where missing */
    dry_place at;         /* of its declaration */
    dry_place rate_at;    /* of its equation */
    int symbol;           /* -1 for states of forces */
} dry_state_info;

/* How the parameters of a set-valued force came about. */
typedef enum dry_choice {
    DRY_GIVEN,
    DRY_CHOSEN_FROM_STEP,
    DRY_CHOSEN_FROM_K,
    DRY_CHOSEN_FROM_BETA,
    DRY_CHOSEN_FROM_DEPTH,
    DRY_CHOSEN_FROM_DURATION
} dry_choice;

/* What a force leaves open, what the text asks of it instead, and what is known for choosing. */
typedef struct dry_force_design {
    dry_choice choice;
    int slot_K, slot_beta, slot_alpha; /* hidden parameters chosen by the compiler, or -1 */
    double restitution, depth, duration, speed; /* NaN if not given */
    bool restitution_given;
    double mass;           /* effective, at the start; NaN if there is none */
    dry_node inverse_mass; /* 1/m along the motion (largest diagonal entry), -1 */
    bool follows;          /* the chosen K follows the mass (follow_mass.c) */
} dry_force_design;

typedef struct dry_force {
    const char *name;          /* "f", "f[3]" */
    const dry_set *set;        /* NULL: an element of the catalogue without a set */
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
    dry_node *result; /* forces as the model's text means them (sign included) */
    int n_results;
    double sign;
    dry_node chi;               /* of a set of forces: its level */
    dry_node unfed, feed, side; /* own_force.c: chi = unfed/(1 - feed side); feed 0: chi is free */
    dry_node slip;              /* f.slip, where the text asks for it; else 0 */
    dry_dim dim_force, dim_argument;
    dry_force_design design;
    int shared;   /* the force whose state it shares, or -1 */
    int previous; /* the force before it with the same first input, or -1 */
} dry_force;

/* Whether it is a friction or a contact that the text writes with a set. */
static inline bool dry_lang_is_friction(const dry_force *force) {
    return force->set && force->set->kind == DRY_SET_OF_FORCES;
}
static inline bool dry_lang_is_contact(const dry_force *force) {
    return force->set && force->set->kind == DRY_SET_OF_PLACES;
}
/* Whether its law is what the set relaxes to by itself. */
static inline bool dry_lang_is_plain(const dry_force *force) {
    return force->set && dry_law_set(force->law) == force->set;
}

/* How many numbers a row of the law's states has. */
static inline int dry_lang_row_size(const dry_law_state *row, const dry_force *force) {
    return row->form == DRY_ONE ? 1 : row->form == DRY_PER_DIM ? force->dim : force->elements;
}

/* A column of the outputs. */
typedef struct dry_output_info {
    const char *name;
    dry_dim dim;
    dry_node node;
    bool hidden; /* only for a measure or a plot */
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
    bool crossing;        /* first, last, count: the column is a difference, true where > 0 */
    dry_node from, to;    /* times, or -1 */
    const dry_expr *call; /* in the text */
    int slot;             /* hidden parameter that takes the result */
} dry_reducer;

typedef struct dry_measure_info {
    const char *name, *source;
    dry_node value;
    dry_dim dim;
    dry_place at;
} dry_measure_info;

typedef struct dry_expect_info {
    const char *source;
    dry_node value, target, tolerance; /* target -1: value is a condition */
    dry_place at;
} dry_expect_info;

typedef struct dry_plot_info {
    int column[12], n; /* outputs, or -1-k for state k, or DRY_PLOT_TIME */
    const char *label[12];
    int against;
} dry_plot_info;
enum { DRY_PLOT_TIME = 1 << 30, DRY_PLOT_MOST = 12 };

typedef struct dry_guard_info {
    dry_node node;    /* must not be negative ... */
    const char *text; /* ... or the run stops with this */
} dry_guard_info;

/* A call of a function that is a selection of a set (ops.def), such as sign. */
typedef struct dry_selection_info {
    dry_node node;
    dry_place at;
} dry_selection_info;

enum { DRY_N_WHERES = DRY_IN_OUTPUT + 1 };

/* A number of the net that an expression uses. In the graph it is a reference while the model is
 * being understood, then the state number elab->n_states + its own number. Outputs of the net are
 * known only after the equations. */
typedef struct dry_outer {
    const char *name; /* "ball.p[3]" */
    int part;
    const char *member; /* as the text has it: "p" */
    const char *unit;
    dry_net_where where;
    int index;
    int ref;
    double start; /* at the start of a run */
} dry_outer;

/* A number that equations add to the forces on the parts. */
typedef struct dry_thrust {
    int place; /* in `more` of dry_net_rates */
    dry_node node;
    dry_node speed;   /* whose product with it is a power */
    const char *name; /* "ball.f" */
    dry_net_port port;
    dry_place at;
} dry_thrust;

/* The column of the work of all of them. */
#define DRY_PUSH_WORK "equations.work"

/* A part of the text, or a port or quantity of it. */
typedef struct dry_part_ref {
    const char *text;   /* "ball[3].frame" */
    const char *name;   /* "ball[3]" */
    const char *base;   /* "ball" */
    const char *member; /* "frame"; NULL: none */
    int part;           /* in the net; -1: not known until the net is built */
} dry_part_ref;

/* A connection of the text. */
typedef struct dry_wire {
    dry_part_ref of;
    const char *end, *other; /* what the ends a and b are called; NULL: the world */
    dry_place at;
    double reach; /* of the points on them, m: the longest `at` */
    int next;     /* connection of the same part, -1: none */
} dry_wire;

/* Where a part of the net comes from. */
typedef struct dry_owner {
    int symbol;
    dry_place at;
    int first_wire, last_wire; /* its connections, -1: none */
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
    const char *from; /* the state of the part from which on they are: "v" of "ball.v[1]" */
    bool single;      /* one number of several: "ball.v[1]" */
    dry_place at;
    int count;
    dry_dim dim;
} dry_part_start;

/* A file that the text names, as it is opened; in the arena. */
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

/* Every name of the text. */
typedef struct dry_names {
    dry_symbol *symbol;
    int n_symbols, symbol_room;
    int *hash; /* of symbols, open addressing */
    int hash_size;
} dry_names;

/* What the equations are made of. */
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
    dry_node *ref; /* meaning of each REF, -1 while unknown */
    dry_place *ref_at;
    int n_refs, ref_room;
    int push_work; /* the state that holds the work of thrusts, if there are any */
} dry_quantities;

/* What a run is asked for. */
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
} dry_results;

/* The parts, and what equations read of them and push them with. */
typedef struct dry_scene {
    dry_net *net;                 /* NULL: the model has none */
    const dry_system *net_system; /* NULL while it is not known, or if the net has mistakes */
    dry_net_choose_fn *choose;    /* what parts leave open: dry_design_net */
    double gravity[3];            /* m/s^2 */
    dry_place gravity_at;         /* where the text gives it */
    const char *folder;           /* of the model's file, for files that it names */
    const dry_named_file *files;
    void *net_work;        /* of net_env, at the start of a run */
    double *net_x, *net_y; /* states and outputs then */
    dry_env net_env;
    dry_owner *owner; /* of the parts, by their indices */
    int n_owners, owner_room;
    dry_wire *wire;
    int n_wires, wire_room;
    int first_connection; /* the number in the net of wire 0; kinds connect parts before */
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

/* Where the elaboration is: what may be used there, and how much has been done. */
typedef struct dry_scope {
    dry_term (*evaluate)(struct dry_elab *elab, const dry_expr *expr); /* dry_lang_evaluate */
    const dry_local *locals;
    int depth;        /* of functions under way */
    bool endless;     /* they are nested too deeply, which is told: no more calls until they end */
    int nesting;      /* of expressions, through definitions and functions */
    bool in_measure;  /* reducers are allowed */
    int most_nodes;   /* of the graph; no more states than that either */
    double work;      /* expressions and entries so far */
    bool exhausted;   /* they were too many, which has been reported */
    bool only_params; /* states and t may not be used (param, start values) */
    const char *only_what;
} dry_scope;

typedef struct dry_elab {
    dry_arena *arena;
    dry_diagnostics *diag;
    dry_dag *dag;
    dry_dims *dims; /* what is found out about units while it is understood */
    const dry_model_options *options;
    dry_tree tree;
    const char *name, *title;
    dry_run_options run;
    double resolving; /* the step that resolves what swings for long, if nobody gives one */
    int run_line[16]; /* of each key of `run`, 0 where it is not given */

    dry_names names;
    dry_quantities quantities;
    dry_results results;
    dry_scene scene;
    dry_scope scope;
} dry_elab;

/* Makes room for one more item at the end of a heap array and zeroes it; NULL, and the arena has
 * failed, without memory. */
void *dry_lang_grow(dry_arena *arena, void **items, int *n, int *room, size_t size);
#define DRY_GROW(arena, of, what)                                                                  \
    dry_lang_grow(arena, (void **)&(of)->what, &(of)->n_##what##s, &(of)->what##_room,             \
                  sizeof *(of)->what)

/* ---- names.c ----------------------------------------------------------------------- */

void dry_lang_collect(dry_elab *elab); /* every name of the tree, defined once */
dry_symbol *dry_lang_find(const dry_elab *elab, const char *name);

/* ---- expr.c ------------------------------------------------------------------------ */

/* The value of an expression. Whoever needs one asks elab->evaluate, which is this function, so
 * that expr.c calls the others and no other calls it. */
dry_term dry_lang_evaluate(dry_elab *elab, const dry_expr *expr);

/* ---- term.c ------------------------------------------------------------------------ */

/* The parameters that the node needs become structural. */
void dry_lang_note(dry_elab *elab, dry_node node);
const char *dry_lang_shape(dry_elab *elab, const dry_term *v); /* "a vector of 3" */

/* ---- calls.c: the functions of the language ---------------------------------------- */

/* Whether a function has this name that no model may define anew. */
bool dry_lang_is_reserved(const char *name);

/* ---- quantities.c: definitions, forces, equations ---------------------------------- */

void dry_lang_params(dry_elab *elab);
void dry_lang_states(dry_elab *elab);
void dry_lang_sizes(dry_elab *elab); /* of indexed quantities and forces */
void dry_lang_equations(dry_elab *elab);
/* Every node that the model holds becomes renamed[node]. */
void dry_lang_rename(dry_elab *elab, const dry_node *renamed);

/* ---- forces.c ---------------------------------------------------------------------- */

/* The call of a set in a right side; NULL: there is none. */
const dry_expr *dry_lang_set_of(const dry_expr *expr);
/* The value of a law's scalar parameter now; NaN if it has none of that name, or if it varies. */
double dry_lang_law_value(const dry_elab *elab, const dry_force *force, const char *name);
/* Says what is wrong with the values of its parameters that are known now. */
void dry_lang_check_law(dry_elab *elab, const dry_force *force);

/* ---- members.c --------------------------------------------------------------------- */

/* A set that is kept, of dimension n and with the force f, slips while low < high. */
void dry_lang_slides(dry_elab *elab, int n, const dry_node *theta, const dry_node *f, dry_node chi,
                     dry_node *low, dry_node *high);

/* ---- parts.c, part_*.c ----------------------------------------------------- */

void dry_lang_parts(dry_elab *elab);       /* part, connect, init of parts: the net */
void dry_lang_leave_start(dry_elab *elab); /* frees what only the compilation looks at */
void dry_lang_free_parts(dry_elab *elab);
void dry_lang_pushes(dry_elab *elab); /* ball.f += ... */
/* Whether a state of the equations is the work of what they push. */
static inline bool dry_lang_is_push_work(const dry_elab *elab, int state) {
    return elab->scene.n_thrusts > 0 && state == elab->quantities.push_work;
}
/* The part of the text that a part of the net comes from. */
static inline const dry_symbol *dry_lang_owner(const dry_elab *elab, int part) {
    return &elab->names.symbol[elab->scene.owner[part].symbol];
}
/* Whether a part holds the joints of a robot: the step that one of them was chosen for (port -1:
 * all of them), NaN if they have been set. */
bool dry_lang_robot_step(const dry_elab *elab, dry_net_port joint, double *step);
/* The limits of robots' joints, robot_joints.elbow, where they are met: per the inertia that a
 * joint feels at the start. */
typedef void dry_limit_fn(void *user, dry_net_port joint, const dry_firmness *per_mass);
void dry_lang_each_limit(const dry_elab *elab, dry_limit_fn *each, void *user);
/* Gives the references to numbers of the net their meaning, once all states are known. */
void dry_lang_bind_outers(dry_elab *elab);
/* mark[node]: a rate or a push needs it; outputs of the net cannot be among them. */
void dry_lang_check_outers(dry_elab *elab, const unsigned char *mark);
/* The same for one node, before that. */
void dry_lang_refuse_results(const dry_elab *elab, dry_node node);
/* Whether a node needs a number of the net; asked after that. */
bool dry_lang_needs_outer(const dry_elab *elab, dry_node node);
dry_dim dry_lang_unit_dim(const dry_elab *elab, const char *unit);
/* States of the equations and of the net together. */
int dry_lang_all_states(const dry_elab *elab);

/* ---- measures.c -------------------------------------------------------------------- */

void dry_lang_outputs(dry_elab *elab);  /* forces and named quantities as columns */
void dry_lang_measures(dry_elab *elab); /* plot, measure, expect, run */
/* Says which times that are known now are outside of the run. */
void dry_lang_check_times(dry_elab *elab);
dry_place dry_lang_run_place(const dry_elab *elab); /* of the last `run`, if there is one */

/* ---- methods.c --------------------------------------------------------------------- */

/* The run's method, or the default. */
const char *dry_lang_method(const dry_elab *elab);
/* Whether it keeps the sets (rigid.h), so that there is no K. */
bool dry_lang_keeps_sets(const dry_elab *elab);
const dry_method *dry_lang_method_row(const dry_elab *elab);
/* Refuses a method whose row is not whole. */
void dry_lang_check_method(const dry_elab *elab);

/* ---- start.c ------------------------------------------------------------------------- */

/* The start values of all states, then of the numbers of the net, from the parameters as they are
 * now. */
void dry_lang_start(const dry_elab *elab, double *x);
/* Adds what equations push at the start to forces on the parts (net.h, `more`); false without
 * memory. */
bool dry_lang_add_pushes(const dry_elab *elab, double *more);

#endif
