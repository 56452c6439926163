/* rigid: the inclusion itself, time-stepped with its sets: no K, no alpha, no beta.
 *
 *     x' = X(t, x, lambda)            affine in the forces lambda for the velocities, free of them
 *                                     for all other states
 *     lambda_j in chi_j sgn(theta_j)  sgn: theta in R^1..R^3, chi(t, x, lambda) >= 0
 *     lambda_i in dio(psi_i)          dio: a gap psi(t, x) of positions
 *
 * Floor 2: core, base, math, ode. */
#ifndef DRYSTONE_RIGID_H
#define DRYSTONE_RIGID_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/math.h>
#include <drystone/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One set-valued force. */
typedef struct dry_inclusion_set {
    const char *name;
    const dry_set *set; /* of one end: a set with two ends stands here as the sets of its ends */
    int dim;            /* of theta; 1 for a gap */
    int force;          /* first of its components in lambda */
    double restitution; /* of a set of positions: Newton's e, psi_dot+ = -e psi_dot-; in
                           "rigid-routh" Stronge's: e^2 of the work of compression comes back */
    int line;           /* in the text of the model, for messages; 0: none */
    /* An end of a set with two, which stands here as two sets of that name: 1 or -1, the sign that
     * the force of the text has while this end is closed; 0: it is no end. */
    int end;
} dry_inclusion_set;

/* What an evaluation gives; the caller's arrays. */
typedef struct dry_inclusion_values {
    double *rate;  /* n_states: x' with the forces given */
    double *slide; /* n_forces: theta (sgn), or the rate of the gap (dio) */
    double *gap;   /* n_sets: psi (dio); not set for sgn */
    double *level; /* n_sets: chi (sgn); not set for dio */
    double *push;  /* n_push: d rate[push_state[k]] / d lambda[push_force[k]] */
    double *feel;  /* n_feel: d slide[feel_force[k]] / d x[feel_state[k]], velocities only */
    double *lift;  /* n_lift: d level[lift_set[k]] / d lambda[lift_force[k]], as mu in chi = mu N */
} dry_inclusion_values;

/* Whole steps of the scheme "rigid" on the grid t_start + k step in which no set changes: of an
 * inclusion that is steady, has scalar sets only, at most DRY_RIGID_MARCH_SETS, and no chi that
 * depends on a force. */
enum { DRY_RIGID_MARCH_SETS = 8 };
typedef struct dry_rigid_march {
    double t_start, step;
    long grid;          /* k at the begin */
    long count;         /* steps to take at most */
    double small;       /* of accelerations: what counts as rounding, relative to the largest sum of
                           magnitudes */
    const bool *slips;  /* n_sets: sgn: slips; dio: is open */
    const double *hold; /* forces of the sets that hold, by the slides without them: n_sets by
                           n_sets if a force acts on the slide of another set, else n_sets */
    const double *feel, *push;
    const double *slide_constant; /* n_sets: slides with all velocities zero */
    const double *carry_constant; /* n_states: rates of the states that are not velocities ... */
    const double *carry;          /* n_states by n_states: ... and what velocities add */
    double *x;                    /* n_states; each step updates this and all that follows */
    double *F1, *F2, *A1, *A2; /* n_states: smooth and whole accelerations of the last two steps */
    double *slide, *lambda, *gap; /* n_sets */
    double *chi1, *chi2;          /* n_sets: levels of the last two steps */
    double *margin; /* n_sets: of those that hold: |lambda| - chi (sgn), -lambda (dio) */
} dry_rigid_march;

typedef struct dry_inclusion {
    const dry_system *system; /* names, start, break times, outputs; its states are x, then states
                                 of laws, which the inclusion does not use */
    int n_states;             /* of the inclusion: the first n_states of the system */
    int n_sets, n_forces;
    const dry_inclusion_set *sets;
    const bool *is_velocity; /* n_states: its rate depends on forces */
    int n_push, n_feel;
    const int *push_state, *push_force; /* sorted by force */
    const int *feel_force, *feel_state; /* sorted by force */
    int n_lift;                         /* 0: no chi depends on a force */
    const int *lift_set, *lift_force;   /* sorted by set */
    /* True: push and feel are constant, and slide and the rates of the states that are not
     * velocities are affine in the velocities, with constant coefficients, and depend on nothing
     * else. False is always correct, but costs three more evaluations per step. */
    bool steady;
    /* Of a steady inclusion: which rates of states that are not velocities depend on which
     * velocities, sorted by velocity, then by state; more pairs than needed are correct. NULL: a
     * run finds them with one evaluation for each velocity. */
    int n_carry;
    const int *carry_state, *carry_velocity;
    void (*eval)(const dry_env *env, double t, const double *x, const double *lambda,
                 const dry_inclusion_values *values);
    /* The rates of the velocities with all forces zero, then the level of every set: all that a
     * step of a steady inclusion needs, to the same bits as `eval`. values: velocities + n_sets.
     * NULL: `eval` is called. */
    void (*smooth)(const dry_env *env, double t, const double *x, double *values);
    /* The outputs of the system, with the forces given. */
    void (*output)(const dry_env *env, double t, const double *x, const double *lambda, double *y);
    /* What the elements of the system do, as its `phases`, with the forces given. */
    void (*phases)(const dry_env *env, double t, const double *x, const double *lambda,
                   unsigned char *phase);
    /* Takes steps in its own loop, with the same bits as the room (steady.c), and returns how many.
     * It stops before a step in which a set changes or a number is not finite, and after a step
     * whose watched condition fails. NULL: none. */
    long (*march)(const dry_env *env, dry_rigid_march *march);
} dry_inclusion;

typedef enum dry_rigid_scheme {
    DRY_RIGID_PROX,           /* "rigid": coupled prox problem each step, forces at mid-step */
    DRY_RIGID_ROUTH,          /* "rigid-routh": the same, with Coulomb's law during an impact */
    DRY_RIGID_SPLIT,          /* "split": Glowinski et al. 2004 (9)-(12), (19)-(26) */
    DRY_RIGID_SPLIT_SYMMETRIC /* "split-symmetric": half friction, elastic, half friction (13)-(16)
                               */
} dry_rigid_scheme;

/* The rows ("rigid", "rigid-routh", "split", "split-symmetric"), of fixed steps and with tableau
 * NULL: use them with dry_rigid. find: dry_method_missing if none has that name. */
DRY_API int dry_rigid_method_count(void);
DRY_API const dry_method *dry_rigid_method_at(int index);
DRY_API const dry_method *dry_rigid_method_find(const char *name);
/* Finds the scheme of that name; false if there is none. */
DRY_API bool dry_rigid_scheme_find(const char *name, dry_rigid_scheme *scheme);

/* Zero means the default. */
typedef struct dry_rigid_options {
    dry_rigid_scheme scheme;
    double step;        /* required */
    double residual;    /* of the prox problem, relative to the largest force; default 1e-12 */
    int max_iterations; /* default 1000 */
    int P, Q;           /* split: substeps of friction (in all, half of them in each half of the
                           symmetric scheme) and of elasticity; defaults 10, 2 */
    double weight;      /* split: alpha of the three-level scheme, default 1/4; use -1 for 0 */
    const double *x0;   /* n_states of the system; default the system's start */
} dry_rigid_options;

/* The options of a run (ode.h) for its rigid method; without a method for the first row. If the
 * method is not a rigid one or was not found, dry_rigid_new refuses them. */
DRY_API dry_rigid_options dry_run_rigid(const dry_run_options *run);

typedef struct dry_rigid_counts {
    long steps, iterations, newtons, impacts, evals;
    /* The largest distance of a force from prox(force + rho slide), in parts of the largest force
     * of its step; steps in which no set changes solve linear equations and are not counted. */
    double residual;
} dry_rigid_counts;

typedef struct dry_rigid dry_rigid;

/* Begins at time t with options->x0 or the system's start; `par` NULL: the system's defaults.
 * Memory is taken here and never in a step. */
DRY_API dry_status dry_rigid_new(const dry_inclusion *inclusion, const dry_rigid_options *options,
                                 const double *par, double t, dry_rigid **rigid, dry_error *error);
DRY_API void dry_rigid_free(dry_rigid *rigid);
/* Steps on the grid t_start + k step to t_end exactly; break times are hit. On an error the state
 * is that of the last good step, and the error names the force or state, the time and a way out.
 * DRY_STOPPED: a condition of the system ended the run, at the first end of a step at which it
 * holds. */
DRY_API dry_status dry_rigid_advance(dry_rigid *rigid, double t_end, dry_error *error);
/* Goes on at the present time from x (all states of the system; NULL: the present ones), with the
 * parameters as they are now. A contact that was closed stays closed, unless its gap or the rate of
 * its gap jumps. Takes no memory. */
DRY_API dry_status dry_rigid_restart(dry_rigid *rigid, const double *x, dry_error *error);
/* The whole run as bytes, which only this run can read: `restore` returns to that instant, or
 * returns false if the bytes belong to another run. */
DRY_API size_t dry_rigid_save_size(const dry_rigid *rigid);
DRY_API void dry_rigid_save(const dry_rigid *rigid, void *bytes);
DRY_API bool dry_rigid_restore(dry_rigid *rigid, const void *bytes);
DRY_API double dry_rigid_time(const dry_rigid *rigid);
DRY_API const double *dry_rigid_state(const dry_rigid *rigid); /* n_states of the system */
/* Mean over the last step, with the impulses of its impacts. */
DRY_API const double *dry_rigid_forces(const dry_rigid *rigid);
/* The forces at the present time, of second order in the step. They are the mean over the last step
 * if it has an impact and with the splitting schemes, and zero before the first step. */
DRY_API const double *dry_rigid_instant_forces(const dry_rigid *rigid);
DRY_API dry_rigid_counts dry_rigid_count(const dry_rigid *rigid);
DRY_API dry_ode_fault dry_rigid_fault(const dry_rigid *rigid); /* of the last error */
DRY_API const dry_env *dry_rigid_env(const dry_rigid *rigid);

#ifdef __cplusplus
}
#endif
#endif
