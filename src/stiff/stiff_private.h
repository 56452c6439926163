/* stiff, inside the room: the sparse matrix with its factors, and the integration under way. */
#ifndef DRYSTONE_STIFF_PRIVATE_H
#define DRYSTONE_STIFF_PRIVATE_H

#include <drystone/stiff.h>

/* ---- order.c ------------------------------------------------------------- */

/* An order of elimination with little fill for a matrix with the pattern of A + A' (columns: first,
 * row; with or without the diagonal), by minimum degree: order[k] is eliminated as the k-th. `fill`
 * becomes how many entries L has below its diagonal with that order. False without memory. */
bool dry_stiff__order(int n, const int *first, const int *row, int *order, long *fill);

/* ---- lu.c ---------------------------------------------------------------- */

/* A square matrix by columns, and L U = R A with rows R and columns `order` permuted. Row indices
 * are those of A; pivots are numbered in the order of elimination. */
typedef struct dry_stiff__lu {
    int n;
    int *first, *row; /* of A: column j has the entries first[j] .. first[j + 1] */
    double *value;    /* of A: set by the caller before dry_stiff__factor */
    int *order;       /* the column of each pivot */
    int *pivot;       /* the row of each pivot */
    int *position;    /* of each row: its pivot, or -1 */
    long room_L, room_U;
    long *first_L, *first_U;
    int *row_L;    /* rows of A */
    int *number_U; /* of pivots, each after those that it needs */
    double *L, *U, *diagonal;
    double *scale; /* of each row, 1 over its largest entry */
    double *x;     /* a column under way, else 0 */
    int *stack, *path, *mark;
    long *next;
    bool has_pivots; /* they fitted the last matrix */
    long factors, pivots;
} dry_stiff__lu;

/* Takes the memory for a matrix of this pattern, which has its whole diagonal. */
bool dry_stiff__lu_begin(dry_stiff__lu *lu, dry_arena *arena, int n, const int *first,
                         const int *row);
/* Factors the matrix; false if it is singular or not finite. */
bool dry_stiff__factor(dry_stiff__lu *lu);
/* b becomes the solution; work: n. */
void dry_stiff__solve(const dry_stiff__lu *lu, double *b, double *work);

/* ---- the integration ----------------------------------------------------- */

enum { DRY_STIFF_STAGES = 6, DRY_STIFF_DENSE_LIMIT = 40000 };

typedef struct dry_stiff__cvode dry_stiff__cvode;

/* The Jacobian of the system, and the matrix I/gamma - J that is made of it. */
typedef struct dry_stiff__linear {
    int n_entries;        /* of the Jacobian, those of t included */
    int *slot;            /* of each entry: where it is in the matrix; -1 - row: of t */
    int *diagonal;        /* of each state: where it is in the matrix */
    double *entry;        /* values of the Jacobian */
    dry_stiff__lu matrix; /* I/gamma - J */
} dry_stiff__linear;

/* What rodas4 needs: the control of its steps, and a trial. */
typedef struct dry_stiff__rosenbrock {
    double h, h_before, error_before;
    bool has_rate;                   /* rate, Jacobian and slope are those of (t, x) */
    bool was_rejected;               /* the last step was */
    int worst;                       /* the state whose error was largest in it */
    double *before;                  /* x at the start of the last step */
    double *rate, *slope;            /* at (t, x), and d rate/d t */
    double *stage[DRY_STIFF_STAGES]; /* u_i */
    double *dense[2];                /* coefficients of the continuous output */
    double *rhs;                     /* scratch */
} dry_stiff__rosenbrock;

struct dry_stiff {
    /* what is given */
    const dry_system *system;
    const struct dry_stiff__method *method;
    dry_env env;
    dry_ode_options options;
    uint64_t par_mark; /* of the parameters that it began with */

    dry_arena *arena;
    double t, t_start, t_before;
    double *x, *end, *point; /* at t, at the end of a trial, scratch */
    dry_breaks breaks;
    dry_ode_fault fault;
    dry_stiff_counts counts;
    dry_chatter chatter; /* when it was looked for last */

    dry_stiff__linear linear;
    dry_stiff__rosenbrock rodas;
    dry_stiff__cvode *cvode;
};

/* A method: its row, and how it takes memory (once t, x and env are set), takes one accepted step
 * towards t_end, interpolates in the last step, forgets what it knows of (t, x), and frees what the
 * arena does not own. */
typedef struct dry_stiff__method {
    dry_method row;
    dry_status (*begin)(dry_stiff *s, dry_error *error);
    dry_status (*step)(dry_stiff *s, double t_end, dry_error *error);
    void (*dense)(const dry_stiff *s, double time, double *x);
    void (*restart)(dry_stiff *s);
    void (*end)(dry_stiff *s); /* NULL: nothing to free */
} dry_stiff__method;

/* What the rows have in common; friction and springs are chosen as for every adaptive method. */
#define DRY_STIFF__FACTS                                                                           \
    .adaptive = true, .implicit = true, .takes = DRY_TAKES_EQUATIONS | DRY_TAKES_PARTS,            \
    .stability = DRY_STABILITY_CONTROLLED, .kappa = 2.0, .relax = 1.0, .omega_T = 0.5

extern const dry_stiff__method dry_stiff__rodas4, dry_stiff__cvode_row;

/* methods.c */
const dry_stiff__method *dry_stiff__method_of(const dry_method *row);

/* jacobian.c */
bool dry_stiff__jacobian_begin(dry_stiff *s);
/* The point at which the Jacobian is evaluated: its rate, the length h of the step, and `last`, the
 * largest time that may be evaluated. */
typedef struct dry_stiff__place {
    double t, h, last;
    const double *x, *rate;
} dry_stiff__place;
void dry_stiff__jacobian(dry_stiff *s, const dry_stiff__place *at);
/* slope becomes the d rate/d t of the last Jacobian. */
void dry_stiff__slope(const dry_stiff__linear *linear, double *slope);
/* Factors I/gamma - J; false if it is singular or not finite. */
bool dry_stiff__matrix(dry_stiff__linear *linear, double gamma);

/* rodas4.c */
/* A step of length h to s->end, no stage later than `last`; the largest error over its tolerance,
 * and its state. False if the matrix is singular. */
bool dry_stiff__trial(dry_stiff *s, double h, double last, double *error, int *worst);
void dry_stiff__keep_dense(dry_stiff *s);
void dry_stiff__rodas4_dense(const dry_stiff *s, double time, double *x);

/* advance.c */
double dry_stiff__longest(const dry_stiff *s, double t_end);
/* Where a step must end: the next break time, or t_end. `last` becomes the largest time at which
 * the rate may be evaluated: just before a break. */
double dry_stiff__limit(dry_stiff *s, double t_end, double *last);
/* Whether what the system found out after the last step holds at s->end. */
bool dry_stiff__holds(const dry_stiff *s, double t);
bool dry_stiff__out_of_steps(const dry_stiff *s);
/* Whether the steps cross a jump of the rate to and fro without progress (dry_chatters). */
bool dry_stiff__chatters(dry_stiff *s, double t_end);
/* The step to s->end at time t is good: discrete states, the watched condition. `latched` becomes
 * true if the latch changed the state. */
dry_status dry_stiff__accept(dry_stiff *s, double t, bool *latched, dry_error *error);

/* fault.c */
/* Reports a failure at the present time, of that state or -1. */
dry_status dry_stiff__fail(dry_stiff *s, dry_status status, int state, dry_error *error);

#endif
