/* ode, inside the room: coefficient tables, the layout of the workspace, what the files share. */
#ifndef DRYSTONE_ODE_PRIVATE_H
#define DRYSTONE_ODE_PRIVATE_H

#include <drystone/ode.h>
#include <string.h>

/* One fixed step of length h from (t, ode->x), in place; no stage later than `last`. */
typedef void dry_ode__step_fn(dry_ode *ode, double t, double h, double last);

/* The coefficients of a method, and the step that reads them. */
struct dry_tableau {
    int stages;             /* rows of a, c, b */
    const double *a;        /* strictly lower triangle, row by row */
    const double *b;        /* weights of the solution */
    const double *c;        /* stage times, in steps */
    const double *e;        /* weights of the error estimate; NULL: fixed step */
    const double *d;        /* weights of the last coefficient of the continuous output */
    dry_ode__step_fn *step; /* fixed: one step */
    dry_status (*run)(dry_ode *ode, long count); /* fixed: whole steps of the grid */
};

/* ---- workspace: x, x_before, x_end, point, then what the method needs ---- */

enum { DRY_ODE_VECTORS = 4, DRY_ODE_DENSE = 5, DRY_ODE_SAMPLES = 8 };

DRY_INLINE double *dry_ode__vector(const dry_ode *ode, int index) {
    return ode->work + (size_t)index * (size_t)ode->system->n_states;
}
/* the state at the start of the last step */
DRY_INLINE double *dry_ode__before(const dry_ode *ode) { return dry_ode__vector(ode, 1); }
/* the state at the end of the last step, before discrete states were updated */
DRY_INLINE double *dry_ode__end(const dry_ode *ode) { return dry_ode__vector(ode, 2); }
/* scratch: a stage, or a point between */
DRY_INLINE double *dry_ode__point(const dry_ode *ode) { return dry_ode__vector(ode, 3); }
/* the rate of stage i */
DRY_INLINE double *dry_ode__stage(const dry_ode *ode, int i) {
    return dry_ode__vector(ode, DRY_ODE_VECTORS + i);
}
/* adaptive: coefficient i of the continuous output, behind the seven stages */
DRY_INLINE double *dry_ode__dense(const dry_ode *ode, int i) {
    return dry_ode__vector(ode, DRY_ODE_VECTORS + 7 + i);
}
/* adaptive: the side (-1, 0 unknown, 1) on which each switching function is */
DRY_INLINE double *dry_ode__sides(const dry_ode *ode) { return ode->kinks; }
/* adaptive: the switching functions at sample i; sample 0 is the start of the step */
DRY_INLINE double *dry_ode__sample(const dry_ode *ode, int i) {
    return ode->kinks + (size_t)(1 + i) * (size_t)ode->system->n_kinks;
}

/* ---- shared between the files -------------------------------------------- */

DRY_INLINE void dry_ode__rate(dry_ode *ode, double t, double tau, const double *x, double *x_dot) {
    ode->counts.rates++;
    ode->system->rate(&ode->env, t, tau, x, x_dot);
}
DRY_INLINE void dry_ode__copy(int n, double *DRY_RESTRICT to, const double *DRY_RESTRICT from) {
    for (int i = 0; i < n; i++) to[i] = from[i];
}
/* The sum of 0 x[i] is 0 where all are finite, and not a number otherwise. */
DRY_INLINE bool dry_ode__finite(int n, const double *x) {
    double zero = 0.0;
    for (int i = 0; i < n; i++) zero += 0.0 * x[i];
    return zero == 0.0;
}

/* The first of the end and the next break, and whether it is a break. */
double dry_ode__limit(dry_ode *ode, double t_end, bool *is_break);
/* What follows every accepted step: discrete states and watched conditions. */
dry_status dry_ode__accepted(dry_ode *ode);
/* y = x + h sum a_j k_j over the stages before `stage`. */
void dry_ode__combine(const dry_ode *ode, int terms, double h, const double *a, double *y);
/* Whether max_steps is reached; `fault` then says where. */
bool dry_ode__out_of_steps(dry_ode *ode);

dry_ode__step_fn dry_ode__step_tableau, dry_ode__step_semi_implicit, dry_ode__step_rk4,
    dry_ode__step_rk4_tau;
dry_status dry_ode__run_tableau(dry_ode *ode, long count);
dry_status dry_ode__run_rk4(dry_ode *ode, long count);
dry_status dry_ode__run_rk4_tau(dry_ode *ode, long count);
/* Goes on by fixed steps to t_end, or by one of them. */
dry_status dry_ode__fixed(dry_ode *ode, double t_end, bool once);
/* Takes one accepted step with error control. */
dry_status dry_ode__adaptive(dry_ode *ode, double t_end);

/* Continuous output of a trial step of length h that ends in y = dry_ode__end. */
void dry_ode__dense_set(dry_ode *ode, double h);
/* x at the fraction theta of the step. */
void dry_ode__dense_at(const dry_ode *ode, double theta, double *x);

/* ---- kinks --------------------------------------------------------------- */

/* The trial step under inspection. */
typedef struct dry_ode__trial {
    double h;
    double last;      /* the largest time that may be looked at */
    bool aimed;       /* its end was aimed at a kink: look a little behind it too */
    double tolerance; /* how closely a kink is to be met, in steps */
} dry_ode__trial;

/* Notes the sides at the start of a step. */
void dry_ode__sides_set(dry_ode *ode);
/* The earliest change of side, as a fraction of the step; false where there is none. Where there is
 * none, or where it is at the end of the step, the sides become those behind it. */
bool dry_ode__crossing(dry_ode *ode, const dry_ode__trial *trial, double *theta);

#endif
