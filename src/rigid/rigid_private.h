/* rigid, inside the room: the prox problem of a step, the state of a run, what the files share.
 *
 * x: states, of which u: velocities, z: the others; lambda: set-valued forces; h: step, s;
 * D: Delassus operator, d slide / d lambda over a step. */
#ifndef DRYSTONE_RIGID_PRIVATE_H
#define DRYSTONE_RIGID_PRIVATE_H

#include <drystone/math.h>
#include <drystone/rigid.h>
#include <string.h>

enum { DRY_RIGID_DIM = 3 }; /* of theta, at most */

/* ---- why a step failed --------------------------------------------------- */

typedef enum dry_rigid__why {
    DRY_RIGID_FINE,
    DRY_RIGID_NOT_CONVERGED, /* force */
    DRY_RIGID_WRONG_SIGN,    /* set: it does not resist its own slide */
    DRY_RIGID_BAD_LEVEL,     /* set: chi is negative or not a number */
    DRY_RIGID_LOST,          /* state: not finite */
    DRY_RIGID_WATCHED,       /* condition */
    DRY_RIGID_PAINLEVE,      /* set: its friction presses it in; r->painleve */
    DRY_RIGID_TOO_LONG,      /* the step, for the fastest mode of the model */
    DRY_RIGID_ELASTIC        /* no answer of the implicit elastic step */
} dry_rigid__why;

typedef struct dry_rigid__fault {
    dry_rigid__why why;
    int index;
} dry_rigid__fault;

/* ---- the prox problem: slide = s0 + D lambda, lambda in its sets --------- */

typedef struct dry_rigid__problem {
    int n_sets, n_forces;
    const dry_inclusion_set *sets;
    int *set_of; /* n_forces */
    /* D by rows: entries start[i] .. start[i + 1], their columns rising */
    int *start, *column;
    double *D;
    int *own;    /* n_forces: the entry of row i in the first column of its own set */
    int n_terms; /* D[at] += feel push, term by term */
    int *term_feel, *term_push, *term_at;
    bool coupled;    /* an entry outside the own blocks, or a chi that depends on a force */
    int *lift_start; /* n_sets + 1 */
    const int *lift_force;
    double *lift;
    double *s0;      /* n_forces */
    double *base;    /* n_sets: chi where all forces are zero */
    bool *active;    /* n_sets: false: the force is zero */
    double *lambda;  /* n_forces: warm start, and answer */
    double *slide;   /* n_forces: answer */
    double *level;   /* n_sets: answer */
    bool *inside;    /* n_sets: answer: sticks, or is closed */
    double residual; /* wanted, relative to the largest force */
    int max_iterations;
    long iterations, newtons;
    /* Newton: rows in an order of small bandwidth; no memory: sweeps alone */
    int *order, *place; /* place[order[k]] = k */
    int band;
    double *matrix, *right, *saved;
} dry_rigid__problem;

/* Solves for lambda; the fault names the force where it cannot. */
dry_rigid__fault dry_rigid__solve(dry_rigid__problem *p);
/* D = scale feel push. */
void dry_rigid__assemble(dry_rigid__problem *p, double scale, const double *feel,
                         const double *push);
/* s0[i] + sum D lambda */
DRY_INLINE double dry_rigid__slide(const dry_rigid__problem *p, int i) {
    double s = p->s0[i];
    for (int k = p->start[i]; k < p->start[i + 1]; k++) s += p->D[k] * p->lambda[p->column[k]];
    return s;
}
/* chi of a set with the present forces, not below zero */
DRY_INLINE double dry_rigid__level(const dry_rigid__problem *p, int set) {
    double chi = p->base[set];
    for (int k = p->lift_start[set]; k < p->lift_start[set + 1]; k++)
        chi += p->lift[k] * p->lambda[p->lift_force[k]];
    return dry_pos(chi);
}
/* the mean of the diagonal of a set's own block */
DRY_INLINE double dry_rigid__diagonal(const dry_rigid__problem *p, int set) {
    const int first = p->sets[set].force, dim = p->sets[set].dim;
    double sum = 0.0;
    for (int c = 0; c < dim; c++) sum += p->D[p->own[first + c] + c];
    return sum / dim;
}
/* One iteration of Newton; false where the matrix is singular. */
bool dry_rigid__newton(dry_rigid__problem *p);
/* The largest component of lambda - prox(lambda + rho slide), and where it is. */
double dry_rigid__residual(dry_rigid__problem *p, int *force);

/* ---- a small disturbance (growth.c) --------------------------------------- */

typedef struct dry_rigid__growth {
    double size;               /* of the disturbance */
    double enough;             /* a step that would do */
    double *rate;              /* n_states: without it */
    double *d, *y, *u, *f, *A; /* n_states: now, at mid-step, means, change of the rates */
    double *A1, *A2, *F1, *F2; /* n_states: of the last two steps */
} dry_rigid__growth;

/* ---- the forces now (present.c) ------------------------------------------- */

typedef struct dry_rigid__line {
    double *lambda0, *lambda1; /* n_forces: means over the part before the last, and the last */
    double *level0, *level1;   /* n_sets */
    double h0, h1;             /* s */
    int parts;                 /* since the last event: where 1, lambda0 says nothing */
} dry_rigid__line;

/* ---- a run --------------------------------------------------------------- */

typedef dry_rigid__fault dry_rigid__step_fn(dry_rigid *r, double h, double end, double last);

struct dry_rigid {
    const dry_inclusion *inclusion;
    dry_arena *arena;
    dry_env env;
    uint64_t par_mark; /* of the parameters that it began with */
    dry_rigid_options options;
    dry_rigid_counts counts;
    dry_rigid__step_fn *step;
    dry_rigid__problem problem;

    double t, t_start;
    long grid; /* the last point of the grid t_start + k step that was reached */
    double *breaks;
    int n_breaks, next_break;

    int n_velocities, n_others, n_dio;
    int *velocities, *others;
    double *x, *x_before;           /* all states of the system */
    double *forces, *forces_before; /* mean over the last step, and over the one before */
    double *present;                /* n_forces: at t */
    dry_rigid__line line;
    bool fresh;          /* something jumped since the last part */
    bool struck;         /* the last step has an impact */
    double painleve[2];  /* the rate of a gap per force: by itself, and with its friction */
    dry_ode_fault fault; /* of the last error */
    double *zero;        /* n_forces */

    bool steady;
    /* steady: rate[carry_state] = carry_constant + carry x[carry_velocity], slide_constant */
    int n_carry;
    int *carry_state, *carry_velocity;
    double *carry, *carry_constant, *slide_constant;

    dry_inclusion_values mid, end; /* evaluations at mid-step and at its end */
    double *point, *middle, *y;    /* n_states: scratch; the trial step at its middle and its end */
    bool *blended;                 /* n_sets: the direction is that of the mid-step slide */
    double *F, *A;                 /* n_states: smooth and whole mean acceleration of the trial */
    double *bulk;                  /* n_states: sum of the magnitudes in A */
    double *start_slide;           /* n_forces: slide at the start of the step */
    double *gap, *gap_end;         /* n_sets: dio */
    bool *slips, *slips_before;    /* n_sets: sgn: slips; dio: open; and before the step */
    int *hits;                     /* n_sets: impacts in this step */
    double *chi;                   /* n_sets: level of the trial as evaluated */

    /* the last two steps of length `h_past`, of which `past` are known since the last event */
    double *F1, *F2, *A1, *A2, *chi1, *chi2;
    double *margin; /* n_sets: distance from the boundary of the set in the last step */
    double h_past;
    int past;
    bool plain;      /* nothing is taken from past steps: it would grow */
    long next_check; /* of the step, in steps */
    dry_rigid__growth growth;

    bool lean;         /* scalar sets whose chi depends on no force, steady */
    bool shared;       /* a set feels more than one velocity */
    bool single;       /* one velocity, one sgn, nothing watched */
    double *carry_one; /* n_states: of the only velocity, where there is one */
    int *feel_start;   /* n_forces + 1 */
    double *lean_D;    /* n_forces: own entry of D, per second of step */
    bool dense;        /* coupled, and so few that `hold` has n_sets by n_sets entries */
    double *hold;      /* force of a set that holds, by slides; else n_sets: by its own */
    bool hold_tried, hold_good, any_holds;
    bool *hold_slips;   /* n_sets: for which it was made */
    double *chi_mean;   /* n_sets: over the step under way */
    double *carry_of;   /* n_states by n_states, where the inclusion has a march: carry */
    double *lambda;     /* n_forces: of the step under way */
    double *new_margin; /* n_sets: margin of the step under way */
    double *smooth;     /* n_velocities + n_sets: rates and levels of a step */

    /* split */
    double *origin, *origin_rate, *elastic, *elastic_next, *jacobian;
};

/* One evaluation. */
DRY_INLINE void dry_rigid__eval(dry_rigid *r, double t, const double *x, const double *lambda,
                                const dry_inclusion_values *values) {
    r->counts.evals++;
    r->inclusion->eval(&r->env, t, x, lambda, values);
}

DRY_INLINE bool dry_rigid__is_dio(const dry_rigid *r, int set) {
    return r->inclusion->sets[set].set->kind == DRY_SET_OF_PLACES;
}
/* sticks, or is closed */
DRY_INLINE bool dry_rigid__holds(const dry_rigid *r, int set) { return !r->slips[set]; }
DRY_INLINE bool dry_rigid__acts(const dry_rigid *r, int set) {
    return dry_rigid__holds(r, set) || !dry_rigid__is_dio(r, set);
}

/* A steady inclusion with more couplings from velocities to other states is treated as any other.
 */
DRY_INLINE int dry_rigid__carry_room(const dry_rigid *r) { return 6 * r->n_others + 64; }

/* Reads slide and gap at (t, x) and forgets the past: at the start, and where something jumped. */
void dry_rigid__refresh(dry_rigid *r);
/* Whether the step is short enough for the model as it is now; may make the scheme plain. */
dry_rigid__fault dry_rigid__check_step(dry_rigid *r);
void dry_rigid__adams_matrix(dry_rigid *r, double h, double *R);
/* The structure of D, its order for Newton, the constants of a steady inclusion. */
bool dry_rigid__structure(dry_rigid *r);
void dry_rigid__probe(dry_rigid *r);

/* One step of length h from (r->t, r->x) to the time `end`, in place; `last` is the largest time
 * that may be looked at. The forces become those of the step. */
dry_rigid__step_fn dry_rigid__step_prox, dry_rigid__step_split, dry_rigid__step_symmetric;
/* The splitting: the state that elastic forces are counted from. */
void dry_rigid__choose_origin(dry_rigid *r);
/* Up to `count` whole steps of the grid, as long as nothing happens; how many were taken. The last
 * one may have ended where a watched condition fails. */
long dry_rigid__glide(dry_rigid *r, long count);

/* Whether a closed contact is pressed in by the friction that it causes; after a trial of length h.
 */
dry_rigid__fault dry_rigid__painleve(dry_rigid *r, double h);

/* Takes up the forces of a part of length h; finds the present ones. */
void dry_rigid__note_forces(dry_rigid *r, const double *lambda, double h);
void dry_rigid__set_present(dry_rigid *r);

/* Makes `hold` fit the present sets; false where they take the general step. */
bool dry_rigid__set_hold(dry_rigid *r);

/* Solves the problem of a step of length h with `solve`, again and again where a chi bends with the
 * forces; chi is that at (t, x). */
typedef dry_rigid__fault dry_rigid__solve_fn(dry_rigid *r, double h, double last);
dry_rigid__fault dry_rigid__solve_bent(dry_rigid *r, double t, const double *x, double h,
                                       double last, dry_rigid__solve_fn *solve);

/* A trial step of length h from (t, r->x) to r->y; nothing else of the run changes. */
dry_rigid__fault dry_rigid__try(dry_rigid *r, double t, double h, double last);
/* Whether a set changes in the trial. */
bool dry_rigid__happens(const dry_rigid *r, double h);
/* The velocities in r->y that sets hold still, to the last bit. */
void dry_rigid__hold(dry_rigid *r);
/* z of `to` = z of r->x + h G, G taken at (t, r->point). */
void dry_rigid__move_others(dry_rigid *r, double t, double h, double *to);

#endif
