/* ode, inside the room: tableaus, the layout of the workspace, what the files share. */
#ifndef DRYSTONE_ODE_PRIVATE_H
#define DRYSTONE_ODE_PRIVATE_H

#include <drystone/math.h>
#include <drystone/ode.h>
#include <string.h>

/* One fixed step of length h from (t, ode->x), in place; no stage later than `last`. */
typedef void dry_ode__step_fn(dry_ode *ode, double t, double h, double last);

/* The coefficients of a method, and the steps that read them. */
struct dry_tableau {
    dry_coefficients k;                          /* adaptive: stages, a, b and c of them */
    dry_ode__step_fn *step;                      /* fixed: one step */
    dry_status (*run)(dry_ode *ode, long count); /* fixed: whole steps of the grid */
    /* adaptive: a step of length h from (t_before, before) to dry_ode__end, no stage later than
     * `last`; returns the largest error over its tolerance, and its state. Where that is at most 1,
     * the rate at the end is in end_stage. */
    double (*trial)(dry_ode *ode, double h, double last, int *worst);
    /* adaptive: the coefficients of the continuous output from the fifth on */
    void (*dense)(dry_ode *ode, double h);
    int end_stage;
    int dense_terms; /* coefficients of the continuous output */
    double stable;   /* a state that relaxes with e^(-lambda t) is stable up to this lambda h */
};

#define METHOD(id, ...) extern const struct dry_tableau dry_ode__##id;
#include "methods.def"
#undef METHOD

/* ---- workspace: x, x_before, x_end, point, then what the method needs ---- */

enum { DRY_ODE_VECTORS = 4, DRY_ODE_RELAX_VECTORS = 3, DRY_ODE_SAMPLES = 8 };

DRY_INLINE double *dry_ode__vector(const dry_ode *ode, int index) {
    return ode->work + (size_t)index * (size_t)ode->system->n_states;
}
/* the state at the start of the last step */
DRY_INLINE double *dry_ode__before(const dry_ode *ode) { return dry_ode__vector(ode, 1); }
/* the state at the end of the last step, before discrete states were updated; adaptive: at the end
 * of its trial, a little before the kink that it met */
DRY_INLINE double *dry_ode__end(const dry_ode *ode) { return dry_ode__vector(ode, 2); }
/* scratch: a stage of a fixed step, or a point between the ends of a step */
DRY_INLINE double *dry_ode__point(const dry_ode *ode) { return dry_ode__vector(ode, 3); }
/* the rate of stage i */
DRY_INLINE double *dry_ode__stage(const dry_ode *ode, int i) {
    return dry_ode__vector(ode, DRY_ODE_VECTORS + i);
}
/* adaptive: its value; stored after the rates */
DRY_INLINE double *dry_ode__stage_value(const dry_ode *ode, int i) {
    return dry_ode__stage(ode, ode->method->tableau->k.stages + i);
}
/* adaptive: coefficient i of the continuous output; stored after the stages */
DRY_INLINE double *dry_ode__dense(const dry_ode *ode, int i) {
    return dry_ode__stage_value(ode, ode->method->tableau->k.stages + i);
}
/* adaptive: of the states that relax on their own, stored after the continuous output: lambda,
 * target, and the rate at the end of the step */
DRY_INLINE double *dry_ode__lambda(const dry_ode *ode) {
    return dry_ode__dense(ode, ode->method->tableau->dense_terms);
}
DRY_INLINE double *dry_ode__target(const dry_ode *ode) {
    return dry_ode__dense(ode, ode->method->tableau->dense_terms + 1);
}
DRY_INLINE double *dry_ode__end_rate(const dry_ode *ode) {
    return dry_ode__dense(ode, ode->method->tableau->dense_terms + 2);
}
/* adaptive: the absolute tolerance of each state; stored after them */
DRY_INLINE double *dry_ode__atol(const dry_ode *ode) {
    return dry_ode__dense(ode, ode->method->tableau->dense_terms + DRY_ODE_RELAX_VECTORS);
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
/* The sum of 0 x[i] is 0 if all are finite, and not a number otherwise. */
DRY_INLINE bool dry_ode__finite(int n, const double *x) {
    double zero = 0.0;
    for (int i = 0; i < n; i++) zero += 0.0 * x[i];
    return zero == 0.0;
}

/* adaptive: what an error in state i may be, from its values at both ends */
DRY_INLINE double dry_ode__tolerance(const dry_ode *ode, int i, double x, double y) {
    const double size = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return dry_ode__atol(ode)[i] + ode->options.rtol * size;
}

/* Sets the absolute tolerances for the start, and lets those of strains follow the state. */
void dry_ode__atol_set(dry_ode *ode);
void dry_ode__atol_grow(dry_ode *ode);
/* What follows every accepted step: discrete states and watched conditions. */
dry_status dry_ode__accepted(dry_ode *ode);
/* y = x + h sum a_j k_j over the stages before `stage`. */
void dry_ode__combine(const dry_ode *ode, int terms, double h, const double *a, double *y);
/* Whether max_steps is reached; `fault` then holds the time. */
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

/* Continuous output of the trial of length h that ends in dry_ode__end: a cubic, at no cost; and
 * all of its coefficients. */
void dry_ode__dense_cubic(dry_ode *ode, double h);
void dry_ode__dense_middle(const dry_ode *ode, double h, double *x);
void dry_ode__dense_full(dry_ode *ode, double h);
/* x at the fraction theta of it. */
void dry_ode__dense_at(const dry_ode *ode, double h, double theta, double *x);

/* ---- states that relax on their own -------------------------------------- */

/* Looks for more of them in a trial of length h: at the state with the largest error, and at all of
 * them if there are some, because steps are then long. Looks at none in a trial as long as one in
 * which some were dropped. Returns the largest lambda found; 0: none. */
double dry_ode__relax_find(dry_ode *ode, double h, int worst);
/* At the start of a step: keeps those that still do, whose rate in stage 0 becomes 0, so that the
 * sums over the stages leave them alone. Returns the longest step, `most` or less. */
double dry_ode__relax_begin(dry_ode *ode, double most);
/* Integrates all states again, from the start of the step under way, whose trial of length h has
 * shown that some do not relax. */
void dry_ode__relax_drop(dry_ode *ode, double h);
/* Their values dt after the start of the step. */
void dry_ode__relax_point(const dry_ode *ode, double dt, double *x);
/* Updates relaxed.error, an error over its tolerance, by their rates at x, and sets these to 0;
 * `kept`, if not NULL, gets the rates as they were. */
void dry_ode__relax_check(dry_ode *ode, double h, const double *x, double *rate, double *kept);

/* ---- kinks --------------------------------------------------------------- */

/* The trial step under inspection. */
typedef struct dry_ode__trial {
    double h;
    double last;       /* the largest time that may be looked at */
    double reach;      /* how far to look, in steps: 1, or a little more after an aimed trial */
    double resolution; /* how closely a kink is met, in steps */
    double at_once;    /* a change of side before this part of the step happened when it began */
} dry_ode__trial;

/* Notes the sides at the start of a step. */
void dry_ode__sides_set(dry_ode *ode);
/* The earliest change of side, as a fraction of the step just after it; false if there is none:
 * then the sides become those at the end of the step. */
bool dry_ode__crossing(dry_ode *ode, const dry_ode__trial *trial, double *theta);
/* The same for a trial whose error is too large, from the values of its first stages alone, which
 * no kink has spoilt. */
bool dry_ode__stage_crossing(dry_ode *ode, const dry_ode__trial *trial, double *theta);
/* Whether a switching function has another sign at the end of the trial than before it. */
bool dry_ode__crossed(dry_ode *ode, const dry_ode__trial *trial);

#endif
