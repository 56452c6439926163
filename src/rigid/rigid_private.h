/* rigid, inside the room: the prox problem of a step, the state of a run, what the files share.
 *
 * x: states, of which u: velocities, z: the others; lambda: set-valued forces; h: step, s;
 * D: Delassus operator, d slide / d lambda over a step. */
#ifndef DRYSTONE_RIGID_PRIVATE_H
#define DRYSTONE_RIGID_PRIVATE_H

#include "convex.h"

#include <drystone/math.h>
#include <string.h>

enum { DRY_RIGID_DIM = 3 };   /* of theta, at most */
enum { DRY_RIGID_DEPTH = 5 }; /* rounds on the levels that are remembered */

/* ---- why a step failed --------------------------------------------------- */

typedef enum dry_rigid__why {
    DRY_RIGID_FINE,
    DRY_RIGID_NOT_CONVERGED, /* problem.blame: how far each force is from its projection */
    DRY_RIGID_TOO_MANY,      /* set: the last that changed, of too many in one step */
    DRY_RIGID_CRUSHED,       /* problem.blame: forces that press against each other */
    DRY_RIGID_GAINS,         /* set: its impact creates energy; r->gained */
    DRY_RIGID_SEVERAL,       /* set: its impact presses r->course.other too */
    DRY_RIGID_NESTED,        /* set: its level depends on friction that has an impulse */
    DRY_RIGID_WRONG_SIGN,    /* set: it does not resist its own slide */
    DRY_RIGID_BAD_LEVEL,     /* set: chi is negative or not a number */
    DRY_RIGID_LOST,          /* state: not finite */
    DRY_RIGID_WATCHED,       /* condition */
    DRY_RIGID_STOPS,         /* condition: the run ends here, and nothing is wrong */
    DRY_RIGID_PAINLEVE,      /* set: its friction presses it in; r->painleve */
    DRY_RIGID_TOO_LONG,      /* the step, for the fastest mode of the model */
    DRY_RIGID_ELASTIC        /* no answer of the implicit elastic step */
} dry_rigid__why;

typedef struct dry_rigid__fault {
    dry_rigid__why why;
    int index;
} dry_rigid__fault;

/* ---- the prox problem: slide = s0 + D lambda, lambda in its sets --------- */

/* Which force acts on which slide and level; it does not change in a run. */
typedef struct dry_rigid__pattern {
    int *set_of; /* n_forces */
    /* D by rows: entries start[i] .. start[i + 1], their columns rising */
    int *start, *column;
    int *own;    /* n_forces: the entry of row i in the first column of its own set */
    int n_terms; /* D[at] += feel push, term by term */
    int *term_feel, *term_push, *term_at;
    bool lifted;     /* a chi depends on a force */
    bool coupled;    /* an entry outside the own blocks, or a chi that depends on a force */
    int *lift_start; /* n_sets + 1 */
    const int *lift_force;
} dry_rigid__pattern;

/* Newton's equations: rows in an order of small bandwidth. Without `matrix` there is no memory for
 * them, and the problem is solved by sweeps alone. */
typedef struct dry_rigid__band {
    int *order, *place; /* place[order[k]] = k */
    int width;          /* of the band, to either side of the diagonal */
    double *matrix, *right, *saved;
} dry_rigid__band;

typedef struct dry_rigid__problem {
    int n_sets, n_forces;
    const dry_inclusion_set *sets;
    dry_rigid__pattern pattern;
    dry_rigid__band band;
    dry_rigid__convex convex;
    double residual; /* wanted, relative to the largest force */
    int max_iterations;
    /* what a step gives */
    double *D;
    double *lift;
    double *s0;   /* n_forces */
    double speed; /* of the motion, in slides: what rounding is compared with */
    double *base; /* n_sets: chi with all forces zero */
    bool *active; /* n_sets: false: the force is zero */
    /* what is solved for */
    double *lambda;      /* n_forces: the start of the iteration too */
    double *slide;       /* n_forces */
    double *level;       /* n_sets */
    double *past_levels; /* (1 + DEPTH) 2 n_sets if a chi depends on a force: levels.c */
    double *first;       /* n_forces, if a chi depends on a force: lambda at the start */
    bool *inside;        /* n_sets: sticks, or is closed */
    long iterations, newtons;
    double worst; /* residual of all answers, in parts of the largest force */
    /* why there is no answer */
    double *blame; /* n_forces: the part of each force in it */
    double error;  /* the residual, in parts of the largest force */
    int rounds;    /* on the levels */
} dry_rigid__problem;

/* Solves for lambda. If that fails, the fault names the force. */
dry_rigid__fault dry_rigid__solve(dry_rigid__problem *p);
/* D = scale feel push. */
void dry_rigid__assemble(dry_rigid__problem *p, double scale, const double *feel,
                         const double *push);
/* s0[i] + sum D lambda */
DRY_INLINE double dry_rigid__slide(const dry_rigid__problem *p, int i) {
    double s = p->s0[i];
    for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++)
        s += p->D[k] * p->lambda[p->pattern.column[k]];
    return s;
}
/* Whether the chi of a set depends on a force. */
DRY_INLINE bool dry_rigid__is_lifted(const dry_rigid__pattern *pattern, int set) {
    return pattern->lift_start[set] < pattern->lift_start[set + 1];
}
/* chi of a set with the present forces, not below zero */
DRY_INLINE double dry_rigid__level(const dry_rigid__problem *p, int set) {
    double chi = p->base[set];
    for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
        chi += p->lift[k] * p->lambda[p->pattern.lift_force[k]];
    return dry_pos(chi);
}
/* the mean of the diagonal of a set's own block */
DRY_INLINE double dry_rigid__diagonal(const dry_rigid__problem *p, int set) {
    const int first = p->sets[set].force, dim = p->sets[set].dim;
    double sum = 0.0;
    for (int c = 0; c < dim; c++) sum += p->D[p->pattern.own[first + c] + c];
    return sum / dim;
}
/* The largest |lambda|. */
DRY_INLINE double dry_rigid__largest(const dry_rigid__problem *p) {
    double most = 0.0;
    for (int i = 0; i < p->n_forces; i++) most = dry_max(most, fabs(p->lambda[i]));
    return most;
}
/* The residual that forces with levels of forces must have to be an answer, in parts of the largest
 * force. */
#define DRY_RIGID_ENOUGH 1e-10
/* Newton, as long as the residual falls; true if it becomes small enough. */
bool dry_rigid__finish_by_newton(dry_rigid__problem *p);
/* The largest component of lambda - prox(lambda + rho slide). `of`: each of them, or NULL. */
double dry_rigid__residual(dry_rigid__problem *p, double *of);
/* Solves the convex problem, and if levels depend on forces, one convex problem after the other
 * (levels.c). */
dry_rigid__answer dry_rigid__settle(dry_rigid__problem *p);

/* ---- a run, in parts ------------------------------------------------------ */

/* Where the run is: the grid is t_start + k step. */
typedef struct dry_rigid__clock {
    double t, t_start;
    long grid; /* the last k that was reached */
    dry_breaks breaks;
} dry_rigid__clock;

/* Which states are velocities, and how many sets are contacts. */
typedef struct dry_rigid__layout {
    int n_velocities, n_others, n_dio;
    int *velocities, *others;
} dry_rigid__layout;

/* The state of the run at its time. */
typedef struct dry_rigid__now {
    double *x;           /* all states of the system */
    double *forces;      /* n_forces: mean over the last step */
    double *slide;       /* n_forces */
    double *gap;         /* n_sets: dio */
    bool *slips;         /* n_sets: sgn: slips; dio: open */
    int *hits;           /* n_sets: impacts in this step */
    double *restitution; /* n_sets: e of the impact under way */
    bool fresh;          /* something jumped since the last part of a step */
    bool struck;         /* the last step has an impact */
} dry_rigid__now;

/* The state before the step, to which a fault leads back; before a restart, gaps and slides. */
typedef struct dry_rigid__saved {
    double *x, *forces;
    double *gap, *slide;
    bool *slips;
} dry_rigid__saved;

/* The forces at the present time, and the means that lead there (instant_force.c). */
typedef struct dry_rigid__instant {
    double *force;             /* n_forces */
    double *lambda0, *lambda1; /* n_forces: means over the part before the last, and the last */
    double *level0, *level1;   /* n_sets */
    double h0, h1;             /* s */
    int parts;                 /* since the last event: if 1, lambda0 is not set */
} dry_rigid__instant;

/* The constants of a steady inclusion (structure.c):
 *     rate[state] = constant + value x[velocity]. */
typedef struct dry_rigid__carry {
    bool known; /* the inclusion is steady, and they are few enough */
    int n;
    int *state, *velocity;
    double *value;
    double *constant;  /* n_states: rates with all velocities zero */
    double *slide;     /* n_forces: slides with all velocities zero */
    double *one;       /* n_states: of the only velocity, if there is one */
    double *square;    /* n_states by n_states, if the inclusion has a march */
    int *group, *mark; /* n_states: scratch of the search for them */
    double *unit;      /* n_carry of the inclusion: the same */
} dry_rigid__carry;

/* A trial step (trial.c). */
typedef struct dry_rigid__trial {
    dry_inclusion_values mid, end; /* evaluations at mid-step and at its end */
    double *point, *middle, *y;    /* n_states: scratch; the states at its middle and its end */
    bool *blended;                 /* n_sets: the direction is that of the mid-step slide */
    double *F, *A;                 /* n_states: smooth and whole mean acceleration */
    double *bulk;                  /* n_states: sum of the magnitudes in A */
    double *forces;                /* n_forces: at which levels are evaluated */
    double *gap;                   /* n_sets: dio, at its end */
    double *chi;                   /* n_sets: level as evaluated */
} dry_rigid__trial;

/* The last two steps of length h, of which `known` are known since the last event. */
typedef struct dry_rigid__past {
    int known;
    double h;
    bool plain; /* nothing is taken from past steps: it would grow */
    double *F1, *F2, *A1, *A2, *chi1, *chi2;
    double *margin; /* n_sets: distance from the boundary of the set in the last step */
} dry_rigid__past;

/* A small disturbance, which shows whether the step is short enough (growth.c). */
typedef struct dry_rigid__growth {
    long next_check;           /* in steps */
    double size;               /* of the disturbance */
    double enough;             /* a step that would do */
    double *rate;              /* n_states: without it */
    double *d, *y, *u, *f, *A; /* n_states: now, at mid-step, means, change of the rates */
    double *A1, *A2, *F1, *F2; /* n_states: of the last two steps */
} dry_rigid__growth;

/* Steps in which no set changes (steady.c). */
typedef struct dry_rigid__steady {
    bool possible;    /* scalar sets whose chi depends on no force, a steady inclusion */
    bool shared;      /* a set feels more than one velocity */
    bool single;      /* one velocity, one sgn, nothing watched */
    int *feel_start;  /* n_forces + 1 */
    double *own_D;    /* n_forces: own entry of D, per second of step */
    double *lambda;   /* n_forces: of the step under way */
    double *chi_mean; /* n_sets: over the step under way */
    double *margin;   /* n_sets: margin of the step under way */
    double *smooth;   /* n_velocities + n_sets: rates and levels of a step */
} dry_rigid__steady;

/* The forces of sets that hold, as a function of the slides without them (sticking.c). */
typedef struct dry_rigid__sticking {
    bool dense;   /* coupled, and so few that `gain` has n_sets by n_sets entries */
    double *gain; /* force of a set that holds, by slides; else n_sets: by its own */
    bool tried, good;
    bool any;    /* a set holds */
    bool *slips; /* n_sets: for which it was made */
} dry_rigid__sticking;

/* The elastic step of the splitting (split.c). */
typedef struct dry_rigid__elastic {
    double *origin, *origin_rate; /* n_states */
    double *now, *next;           /* n_states: E at both ends of a substep */
    double *jacobian;             /* NULL: too many velocities for one */
} dry_rigid__elastic;

/* What a friction does in an impact by Routh's law. */
typedef enum dry_rigid__mode {
    DRY_RIGID_IDLE,   /* its level does not depend on the contact */
    DRY_RIGID_STICKS, /* or starts to slide */
    DRY_RIGID_SLIDES, /* along a line */
    DRY_RIGID_TURNS   /* slides in any direction */
} dry_rigid__mode;

/* An impact by Routh's law (routh.c). y: slides and impulses of all forces, work of the contact. */
typedef struct dry_rigid__course {
    int contact, other;    /* sets: that hits; that would take part */
    bool restores;         /* after the compression */
    double target;         /* work at the end, J */
    double fastest;        /* slide before it */
    double ds;             /* step along a curve */
    bool *touches;         /* n_sets */
    dry_rigid__mode *mode; /* n_sets */
    double *level;         /* n_sets: chi per unit of impulse */
    double *rate;          /* n_forces: impulses per unit of that of the contact */
    double *y, *to;        /* now, and at the end of a step */
    double *half, *whole;  /* for its error */
    double *point, *slope, *sum;
} dry_rigid__course;

/* ---- a run --------------------------------------------------------------- */

typedef dry_rigid__fault dry_rigid__step_fn(dry_rigid *r, double h, double end, double last);

/* What a scheme does. */
typedef struct dry_rigid__facts {
    dry_rigid__step_fn *step;
    bool prox;  /* all sets in one prox problem; else the splitting, which takes friction alone */
    bool routh; /* impacts by Routh's law; else by Moreau's */
} dry_rigid__facts;
const dry_rigid__facts *dry_rigid__facts_of(dry_rigid_scheme scheme);

struct dry_rigid {
    /* what is given */
    const dry_inclusion *inclusion;
    dry_env env;
    dry_rigid_options options;
    uint64_t par_mark; /* of the parameters that it began with */

    dry_arena *arena;
    const dry_rigid__facts *facts;
    dry_rigid__layout layout;
    dry_rigid__carry carry;
    double *zero; /* n_forces */

    dry_rigid__clock clock;
    dry_rigid__now now;
    dry_rigid__saved saved;
    dry_rigid__past past;
    dry_rigid__trial trial;
    dry_rigid__problem problem;
    dry_rigid__steady steady;
    dry_rigid__sticking sticking;
    dry_rigid__elastic elastic;
    dry_rigid__course course;
    dry_rigid__growth growth;

    dry_rigid__instant instant;
    dry_rigid_counts counts;
    double gained;       /* by an impact, J */
    double painleve[2];  /* the rate of a gap per force: by itself, and with its friction */
    dry_ode_fault fault; /* of the last error */
};

/* One evaluation. */
DRY_INLINE void dry_rigid__eval(dry_rigid *r, double t, const double *x, const double *lambda,
                                const dry_inclusion_values *values) {
    r->counts.evals++;
    r->inclusion->eval(&r->env, t, x, lambda, values);
}

DRY_INLINE bool dry_rigid__is_dio(const dry_rigid *r, int set) {
    return r->inclusion->sets[set].set->kind == DRY_SET_OF_POSITIONS;
}
/* Exchanges two vectors. */
DRY_INLINE void dry_rigid__swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}
/* The accelerations and levels of the trial become those of the last step. */
DRY_INLINE void dry_rigid__shift(dry_rigid__past *past, dry_rigid__trial *trial) {
    dry_rigid__swap(&past->F2, &past->F1), dry_rigid__swap(&past->F1, &trial->F);
    dry_rigid__swap(&past->A2, &past->A1), dry_rigid__swap(&past->A1, &trial->A);
    dry_rigid__swap(&past->chi2, &past->chi1), dry_rigid__swap(&past->chi1, &trial->chi);
}
/* The point k of the grid. */
DRY_INLINE double dry_rigid__grid_time(const dry_rigid *r, long k) {
    return r->clock.t_start + (double)k * r->options.step;
}

/* sticks, or is closed */
DRY_INLINE bool dry_rigid__holds(const dry_rigid *r, int set) { return !r->now.slips[set]; }
DRY_INLINE bool dry_rigid__acts(const dry_rigid *r, int set) {
    return dry_rigid__holds(r, set) || !dry_rigid__is_dio(r, set);
}

/* A steady inclusion with more couplings from velocities to other states is treated as any other.
 */
DRY_INLINE int dry_rigid__carry_room(const dry_rigid *r) { return 6 * r->layout.n_others + 64; }

/* Reads slide and gap at (t, x) and forgets the past: at the start, and after a jump. */
void dry_rigid__refresh(dry_rigid *r);
/* Whether the step is short enough for the model as it is now; may make the scheme plain. */
dry_rigid__fault dry_rigid__check_step(dry_rigid *r);
void dry_rigid__adams_matrix(dry_rigid *r, double h, double *R);
/* The structure of D, its order for Newton, the constants of a steady inclusion. */
bool dry_rigid__structure(dry_arena *arena, const dry_inclusion *inclusion, dry_rigid__problem *p);
void dry_rigid__probe(dry_rigid *r);

/* One step of length h from (r->clock.t, r->now.x) to the time `end`, in place; `last` is the
 * largest time that may be looked at. The forces become those of the step. */
dry_rigid__step_fn dry_rigid__step_prox, dry_rigid__step_split, dry_rigid__step_symmetric;
/* The splitting: the state that elastic forces are counted from. */
void dry_rigid__choose_origin(dry_rigid *r);
/* Takes up to `count` whole steps of the grid while no set changes, and returns how many. After the
 * last one a watched condition may fail. */
long dry_rigid__steady_steps(dry_rigid *r, long count);

/* Whether the friction that a closed contact causes presses it in; after a trial of length h. */
dry_rigid__fault dry_rigid__painleve(dry_rigid *r, double h);
/* The contact with the smallest Painleve number, d psi''/dN with its friction over that without it;
 * -1 if friction presses none in. */
int dry_rigid__nearest_wedge(const dry_rigid *r, double *number);

/* Records the mean forces of a part of length h; computes the forces at the present time. */
void dry_rigid__note_forces(dry_rigid *r, const double *lambda, double h);
void dry_rigid__set_instant_force(dry_rigid *r);

/* Makes the gain fit the present sets; false if they need the general step. */
bool dry_rigid__set_sticking(dry_rigid *r);

/* A gap that closes in this part of a step is closed. */
#define DRY_RIGID_TOUCH 1e-9
/* The impact of all contacts that touch at (t, r->now.x); `hit` is one of them. `mean` is one over
 * the length of the step that the impulse is spread over in the forces. */
dry_rigid__fault dry_rigid__impact(dry_rigid *r, double t, int hit, bool restitute, double mean);
/* The impulses of the contacts that are active, one after the other, by Routh's law. */
dry_rigid__fault dry_rigid__routh(dry_rigid *r, double t);

/* Solves the problem of a step of length h with `solve`, and repeats it if a chi depends on the
 * forces in a nonlinear way; chi is that at (t, x). */
typedef dry_rigid__fault dry_rigid__solve_fn(dry_rigid *r, double h, double last);
dry_rigid__fault dry_rigid__solve_levels(dry_rigid *r, double t, const double *x, double h,
                                         double last, dry_rigid__solve_fn *solve);

/* Notes how fast the velocities x are, in slides. */
void dry_rigid__note_speed(dry_rigid *r, const double *feel, const double *x);
/* Whether a speed is rounding, compared with those. */
bool dry_rigid__is_still(const dry_rigid *r, double speed);
/* Solves the problem of an impact at (t, r->now.x), whose lambda are impulses. */
dry_rigid__fault dry_rigid__solve_impulses(dry_rigid *r, double t);
/* Sets the lift to that of an impulse of one force. */
void dry_rigid__lift_impulse(dry_rigid *r, double t, int force);

/* A trial step of length h from (t, r->now.x) to r->trial.y; nothing else of the run changes. */
dry_rigid__fault dry_rigid__try(dry_rigid *r, double t, double h, double last);
/* Whether a set changes state in the trial. */
bool dry_rigid__has_event(const dry_rigid *r, double h);
/* The velocities in r->trial.y that sets hold still, to the last bit. */
void dry_rigid__hold_velocities(dry_rigid *r);
/* z of `to` = z of r->now.x + h G, G taken at (t, r->trial.point). */
void dry_rigid__move_others(dry_rigid *r, double t, double h, double *to);

#endif
