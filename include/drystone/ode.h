/* ode: the system, and the methods that integrate it on a caller's workspace.
 *
 * A system is one const value: sizes, named quantities, and pure functions of (t, tau, x). It may
 * come from a .dry file, from a network of parts, or from your own C. tau is the step of the
 * Runge-Kutta stage, which the laws of Kikuuwe and Yamamoto need (KY08 (21)); with methods that do
 * not use it, it is 0.
 *
 * Floor 0: no heap, no stdio, no clock. */
#ifndef DRYSTONE_ODE_H
#define DRYSTONE_ODE_H

#include <drystone/core.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the system ---------------------------------------------------------- */

/* What a system's functions read besides (t, tau, x). */
typedef struct dry_env {
    const void *model; /* the system's own const data, such as bytecode */
    const double *par; /* parameters, so that sweeps share one model */
    void *work;        /* scratch of the system's work_size bytes, set up by its prepare; what the
                          other functions remember in it can be computed again from the states */
    bool once;         /* the method is of order 1: it computes forces once in a step of tau */
} dry_env;

/* Whole steps on the grid t_start + k step. Each good step updates x and t. A step that ends in a
 * state that is not finite is not good; its end stays in x. If a condition fails after a step,
 * `watch` becomes its number, and the march ends. */
typedef struct dry_march {
    double t_start, step;
    long grid;  /* k at the begin */
    long count; /* steps to take at most */
    double t;
    double *x;
    double *before; /* becomes x before the last step, good or not */
    double *end;    /* becomes x after the last step, before discrete states were updated */
    int watch;
} dry_march;

struct dry_method; /* a row of the catalogue, below */

/* Instants at which a system samples: offset + k period, k = 0, 1, ... Every method ends a step
 * there, and `latch` of the system then changes the states that are held in between. */
typedef struct dry_clock {
    double period, offset; /* s; period > 0, offset >= 0 */
} dry_clock;

DRY_INLINE double dry_clock_instant(const dry_clock *clock, double k) {
    const double t = clock->offset + k * clock->period; /* rounded to a double in every use */
    return t;
}

/* The first instant after t. */
DRY_INLINE double dry_clock_after(const dry_clock *clock, double t) {
    double k = floor((t - clock->offset) / clock->period);
    if (!(k > 0.0)) k = 0.0;
    while (dry_clock_instant(clock, k) <= t) k += 1.0;
    return dry_clock_instant(clock, k);
}

/* The instant nearest to t; before the first one that is the first. */
DRY_INLINE double dry_clock_nearest(const dry_clock *clock, double t) {
    const double k = round((t - clock->offset) / clock->period);
    return dry_clock_instant(clock, k > 0.0 ? k : 0.0);
}

/* Returns true if t is an instant, to the last bit: methods end their steps at times that
 * dry_clock_after gave. */
DRY_INLINE bool dry_clock_ticks(const dry_clock *clock, double t) {
    return dry_clock_nearest(clock, t) == t;
}

/* Returns true if clock i of n samples at t. Instants of several clocks that only rounding
 * separates, such as 5 T + T and 6 T of a delay by T, count as one: the first of them. */
DRY_INLINE bool dry_clocks_tick(const dry_clock *clock, int n, int i, double t) {
    const double same = 2e-15 * t, own = dry_clock_nearest(&clock[i], t) - t;
    bool exact = false;
    for (int j = 0; j < n; j++) {
        const double from_t = dry_clock_nearest(&clock[j], t) - t;
        if (from_t < 0.0 && from_t >= -same) return false;
        exact = exact || from_t == 0.0;
    }
    return exact && own >= 0.0 && own <= same;
}

/* What a caller must know before it gives a parameter another value. */
typedef struct dry_par_rule {
    bool fixed; /* its value is in the code: a new value needs a new system */
    bool leads; /* others, their ranges or chosen values follow from it: set them together */
    bool moves; /* its range follows from others: low and high hold for their default values */
    double low, high; /* its range */
} dry_par_rule;

typedef void dry_rate_fn(const dry_env *env, double t, double tau, const double *x, double *x_dot);

/* What a run integrates. It is long because it is the one type that all rooms agree on: whatever
 * makes a system fills it in, and whatever runs one calls it through these fields alone. Only
 * `name`, `n_states`, `states` and `rate` are required; the zero of every other field means none.
 */
typedef struct dry_system {
    const char *name;
    int n_states, n_outputs, n_par, n_kinks, n_breaks;
    size_t work_size;            /* bytes of env->work */
    const dry_quantity *states;  /* n_states names and units; "touch.*": one of many states of
                                    `touch` that have no name of their own */
    const dry_quantity *outputs; /* n_outputs */
    const dry_quantity *params;  /* n_par */
    const double *par;           /* n_par default values */
    const dry_par_rule *rules;   /* n_par of them; NULL: any value counts */
    const void *model;           /* becomes env->model */
    /* The state at the start. */
    void (*start)(const dry_env *env, double t, double *x);
    dry_rate_fn *rate;
    /* Forces and other named quantities at (t, x). NULL if n_outputs is 0. */
    void (*output)(const dry_env *env, double t, double tau, const double *x, double *y);
    /* Switching functions: `rate` is smooth while no g changes its sign. NULL: none. */
    void (*kinks)(const dry_env *env, double t, const double *x, double *g);
    /* Times where `rate` jumps in t, in any order; n_breaks of them. At such a time `rate` gives
     * its right limit. NULL: none. */
    void (*breaks)(const dry_env *env, double *times);
    /* Updates discrete states after an accepted step; true if x was changed. NULL: none. */
    bool (*latch)(const dry_env *env, double t, double *x);
    /* When it samples; `start` and `latch` compute the samples of an instant. */
    int n_clocks;
    const dry_clock *clocks;
    /* The same for env->par, after `prepare`: clocks with other offsets. NULL: they are `clocks`.
     */
    const dry_clock *(*instants)(const dry_env *env);
    /* States that are set from outside between steps: their rate is 0. */
    int n_inputs;
    const int *inputs;
    /* Returns true if what latch found, such as which bodies may touch, still holds at (t, x): if
     * not, an adaptive method tries a shorter step. NULL: it always holds. */
    bool (*holds)(const dry_env *env, double t, const double *x);
    /* positions[i] is true if x[i] is a position: its rate depends on no force. Used by the
     * semi-implicit method. NULL: no positions. */
    const bool *positions;
    /* strains[i] is true if x[i] is inside a law whose force is read, such as the stretch of a
     * stiff spring: far smaller than atol, it is known to rtol of the largest value it has had.
     * Used by the adaptive methods of this room. NULL: no strains. */
    const bool *strains;
    /* Checks a condition of the model at the end of a step: 0 if it holds, else the number of the
     * condition, which the owner of the model can explain. NULL: nothing is watched. */
    int (*watch)(const dry_env *env, double t, const double *x);
    /* The numbers first_stop .. first_stop + n_stops - 1 of them are not faults: there the run ends
     * with DRY_STOPPED. */
    int first_stop, n_stops;
    /* The fastest rate, 1/s, at which a state inside a law settles by itself at (t, x), of the laws
     * whose rate grows with the motion (law.h, quickens), and the name of that law. Fixed steps
     * check it (dry_ode_options.most_rate). NULL: there is no such law. */
    double (*fastest)(const dry_env *env, double t, double tau, const double *x, const char **law);
    /* The elements that stick or slip, are open or closed: their names, and what each of them does
     * at (t, x), as bits (law.h, DRY_STICKS); 0: it has no phases. y: the outputs there as a run
     * recorded them, which an element reads if its states have no names of their own. NULL: none.
     */
    int n_elements;
    const char *const *elements;
    void (*phases)(const dry_env *env, double t, double tau, const double *x, const double *y,
                   unsigned char *phase);
    /* Sets up env->work once for env->par, before any other function is called: what depends on
     * parameters alone. NULL: nothing to set up. */
    void (*prepare)(const dry_env *env);
    /* Takes whole fixed steps of the method in its own loop, with the same bits as the room;
     * returns how many were good, -1 if it has no loop for the method. NULL: none. */
    long (*march)(const dry_env *env, const struct dry_method *method, struct dry_march *march);
    /* The derivatives of `rate`, for implicit methods: values[k] becomes d x_dot[jacobian_row[k]] /
     * d x[jacobian_column[k]], or d / d t if the column is n_states. Values of the same row and
     * column add up; all others are 0. At a kink it is the derivative of either side. n_jacobian 0,
     * NULL: unknown. */
    int n_jacobian;
    const int *jacobian_row, *jacobian_column;
    void (*jacobian)(const dry_env *env, double t, double tau, const double *x, double *values);
} dry_system;

/* The status of a run in which `watch` returned the number `found`. */
DRY_INLINE dry_status dry_watch_status(const dry_system *system, int found) {
    const int stop = found - system->first_stop;
    if (found == 0) return DRY_OK;
    return stop >= 0 && stop < system->n_stops ? DRY_STOPPED : DRY_RUN_FAILED;
}

/* Returns true if a `stop when` of the model ends the run at (t, x). */
DRY_INLINE bool dry_system_stops(const dry_system *system, const dry_env *env, double t,
                                 const double *x) {
    return system->n_stops > 0 && dry_watch_status(system, system->watch(env, t, x)) == DRY_STOPPED;
}

/* Returns true if a state has no name of its own. */
DRY_INLINE bool dry_state_is_inner(const dry_quantity *state) {
    const size_t length = strlen(state->name);
    return length > 2 && strcmp(state->name + length - 2, ".*") == 0;
}

/* How many states have names of their own: those that a run records. */
DRY_INLINE int dry_system_named(const dry_system *system) {
    int n = 0;
    for (int i = 0; i < system->n_states; i++) n += !dry_state_is_inner(&system->states[i]);
    return n;
}

/* A number that changes if a parameter does (FNV-1a over their bits): then call `prepare` again. */
DRY_INLINE uint64_t dry_par_mark(const double *par, int n) {
    uint64_t mark = 14695981039346656037u;
    for (int i = 0; par && i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &par[i], sizeof bits);
        mark = (mark ^ bits) * 1099511628211u;
    }
    return mark;
}

/* ---- fixed steps, written to be inlined ----------------------------------- */

/* A loop over the states that is unrolled if the compiler knows n, so small states stay in
 * registers. Without this, gcc packs them into vectors and reads them back number by number. */
#if defined(__GNUC__)
#define DRY_EACH_STATE(i, n, statement)                                                            \
    if (__builtin_constant_p(n)) {                                                                 \
        _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++) statement;                          \
    } else {                                                                                       \
        for (int i = 0; i < (n); i++) statement;                                                   \
    }
#else
#define DRY_EACH_STATE(i, n, statement)                                                            \
    for (int i = 0; i < (n); i++) statement;
#endif

/* One step of the classical Runge-Kutta method from (t, x) to (t + h, x), in place. With a rate and
 * an n that the compiler knows, it becomes the loop that you would write by hand. `last` is the
 * largest time that a stage may have: t + h, or just before it if the forcing jumps there. work: 5
 * n numbers. stage_tau: KY08 (21), {T/2, T/2, T, T}. */
DRY_INLINE void dry_rk4_step(dry_rate_fn *rate, const dry_env *env, int n, double t, double h,
                             double last, bool stage_tau, double *x, double *work) {
    double *k1 = work, *k2 = work + n, *k3 = work + 2 * n, *k4 = work + 3 * n, *y = work + 4 * n;
    const double half = 0.5 * h;
    const double tau = stage_tau ? h : 0.0, half_tau = 0.5 * tau;
    rate(env, t, half_tau, x, k1);
    DRY_EACH_STATE(i, n, y[i] = x[i] + half * k1[i])
    rate(env, t + half, half_tau, y, k2);
    DRY_EACH_STATE(i, n, y[i] = x[i] + half * k2[i])
    rate(env, t + half, tau, y, k3);
    DRY_EACH_STATE(i, n, y[i] = x[i] + h * k3[i])
    rate(env, last, tau, y, k4);
    DRY_EACH_STATE(i, n, x[i] += h * (1.0 / 6.0) * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/* ---- methods as rows ------------------------------------------------------ */

/* What is known about the stability of a method. A row that leaves it out is refused whenever a
 * step has to be checked. */
typedef enum dry_stability {
    DRY_STABILITY_UNSAID,
    DRY_STABILITY_POLYNOMIAL, /* fixed steps: R(z) is a polynomial, found from one step */
    DRY_STABILITY_MATRIX,     /* fixed steps: states differ; found from the matrix R(T J) */
    DRY_STABILITY_GROWTH,     /* fixed steps: found by `growth` */
    DRY_STABILITY_CONTROLLED  /* it chooses its steps by its tolerances */
} dry_stability;

/* Which systems a method takes, as bits. */
enum {
    DRY_TAKES_EQUATIONS = 1 << 0, /* ordinary differential equations: sets are relaxed */
    DRY_TAKES_PARTS = 1 << 1,     /* nets of parts, alone or with equations */
    DRY_TAKES_SETS = 1 << 2       /* inclusions, whose sets it keeps */
};

/* How a fixed step is computed, to the last bit: nets and native code, which take or print steps in
 * their own loops, follow this and the coefficients. k_s: rate of stage s at the time t_s and the
 * point y_s, with tau_s passed to the laws; h: step; last: the largest time of a stage. */
typedef enum dry_step_form {
    /* t_s = min(t + c_s h, last), y_s = x + h (0 + a_s1 k_1 + ...), x becomes x + h (0 + b_1 k_1 +
     * ...); y_1 is x */
    DRY_FORM_SUMS,
    /* dry_rk4_step: t_s = t + c_s h, but t if c_s is 0 and last if it is 1; y_s = x + (a h) k of
     * the stage before; x becomes x + h (1/over) (b_1 k_1 + ...) */
    DRY_FORM_CLASSICAL,
    /* x + h k_1 for what is not a position, then for the positions with the rate at `last`; tau is
     * h. It has no coefficients. */
    DRY_FORM_STAGGERED
} dry_step_form;

typedef struct dry_coefficients {
    dry_step_form form;
    int stages;
    const double *a;   /* strictly lower triangle, row by row */
    const double *b;   /* weights of the solution */
    const double *c;   /* times of the stages, in steps */
    const double *tau; /* passed to the laws in each stage, in steps; NULL: 0 */
    double over;       /* DRY_FORM_CLASSICAL: b is in parts of it */
} dry_coefficients;

/* x' = J x, x of n states, J row by row. */
typedef struct dry_linear {
    int n;
    const double *J;
    const bool *positions; /* n: of a system; NULL: none */
    const bool *forced;    /* n: of an inclusion: a set acts on the rate of the state; NULL: none */
    const void *options;   /* of the method's own room */
} dry_linear;

/* One row for every method, whatever its room. It holds all that other rooms need to know about a
 * method, so no room compares its name. */
typedef struct dry_method {
    const char *name;  /* "rk4" */
    const char *title; /* "classical Runge-Kutta" */
    const char *paper;
    int order;                         /* on smooth problems */
    int stages;                        /* evaluations of the rate per step */
    bool adaptive;                     /* error control, dense output, location of kinks */
    bool uses_tau;                     /* passes the stage's step to the laws */
    const struct dry_tableau *tableau; /* how the room steps, private to it; NULL in other rooms */
    const dry_coefficients *fixed; /* of a fixed step of this room; NULL: others cannot take it */
    bool implicit;                 /* solves equations with the Jacobian of the system */
    bool locates;                  /* meets kinks and jumps of the rate, and steps from there */
    bool holds;                    /* of sets: what sticks stands still to the last bit */
    bool outside;                  /* steps by a library that the computer may lack */
    bool substeps;                 /* splits a step: P, Q and weight of dry_run_options count */
    unsigned takes;                /* DRY_TAKES_... */
    dry_stability stability;
    /* The tau, in steps, which stands for those of all stages in the check of the step. */
    double tau;
    /* What is chosen for a step T: friction with K = kappa m/T^2 and beta = relax T, springs with
     * the frequency omega_T/T. 0: nothing is chosen for this method. */
    double kappa, relax, omega_T;
    /* ln of what a disturbance of x' = J x grows by in a step T, after many of them; NAN:
     * there is no memory. Of DRY_STABILITY_GROWTH. */
    double (*growth)(const struct dry_method *method, const dry_linear *linear, double T);
} dry_method;

DRY_API int dry_method_count(void);
DRY_API const dry_method *dry_method_at(int index);
/* The method of that name in this room; dry_method_missing if there is none. */
DRY_API const dry_method *dry_method_find(const char *name);
/* The row that stands for a name that no method has. It is not NULL, because NULL in options means
 * the default. Every function that takes a method refuses this row. */
DRY_API const dry_method *dry_method_missing(void);
/* Returns true if the row is that of a method: neither NULL nor dry_method_missing. */
DRY_API bool dry_method_found(const dry_method *method);
/* The first fact that the row of a method of any room lacks, "stability"; NULL: it is whole. The
 * compiler refuses a method whose row is not. */
DRY_API const char *dry_method_lacks(const dry_method *method);
/* The method with fixed steps that is used if you name none. */
DRY_API const dry_method *dry_method_standard(void);

/* ---- how to run -------------------------------------------------------------- */

/* How to run a system or a model, for every room that runs one. Zero means: not given. Then the
 * text of a model decides, or else the default. dry_run_ode (stability.h) and dry_run_rigid
 * (rigid.h) make the options of a method from it. */
typedef struct dry_run_options {
    const dry_method *method; /* of ode, stiff or rigid; default dry_method_standard */
    double until;             /* s; no default: a run has to end */
    double step;   /* fixed step, s (no default without a text); first step of an adaptive method */
    double record; /* sampling interval, s; default see sim.h */
    double rtol, atol; /* adaptive: error per step <= atol + rtol |x|; defaults 1e-6, 1e-9 */
    double max_step;   /* adaptive: longest step, s; default a tenth of the run */
    double max_steps;  /* limit of steps; default DRY_SIM_MOST_STEPS (sim.h) */
    double P, Q;       /* splitting schemes: substeps (rigid.h); defaults 10, 2 */
    double weight;     /* splitting schemes: alpha (rigid.h); default 1/4; use -1 for 0 */
    bool force;        /* go on although a law becomes too fast for the step */
} dry_run_options;

/* ---- a march of your own ----------------------------------------------------- */

enum { DRY_MARCH_STATES = 32 };

/* A march for systems of at most DRY_MARCH_STATES states that have neither latch nor watch: with a
 * rate and an n that the compiler knows, dry_ode_advance is as fast as a loop written by hand.
 *     static long march(const dry_env *env, const dry_method *method, dry_march *m) {
 *         return dry_rk4_march(rate, 3, env, method, m);
 *     } */
DRY_INLINE long dry_rk4_march(dry_rate_fn *rate, int n, const dry_env *env,
                              const dry_method *method, dry_march *m) {
    double x[DRY_MARCH_STATES], before[DRY_MARCH_STATES], work[5 * DRY_MARCH_STATES];
    long k = 0;
    if (!method->fixed || method->fixed->form != DRY_FORM_CLASSICAL) return -1;
    DRY_EACH_STATE(i, n, before[i] = x[i] = m->x[i])
    for (; k < m->count; k++) {
        const double end = m->t_start + (double)(m->grid + k + 1) * m->step;
        double sum = 0.0;
        DRY_EACH_STATE(i, n, before[i] = x[i])
        dry_rk4_step(rate, env, n, m->t, m->step, end, method->uses_tau, x, work);
        DRY_EACH_STATE(i, n, sum += 0.0 * x[i])
        if (!(sum == 0.0)) break; /* something is not finite */
        m->t = end;
    }
    for (int i = 0; i < n; i++) m->x[i] = m->end[i] = x[i], m->before[i] = before[i];
    return k;
}

/* ---- integrating ---------------------------------------------------------- */

/* Zero means the default. */
typedef struct dry_ode_options {
    double step;       /* fixed step (no default: required); first step of an adaptive method */
    double rtol, atol; /* adaptive: error per step <= atol + rtol |x|; defaults 1e-6, 1e-9 */
    double max_step;   /* adaptive: longest step; default a tenth of the time from start to t_end */
    long max_steps;    /* of the whole integration, rejected ones included; default: no limit */
    bool ignore_kinks; /* adaptive: error control alone, for comparison */
    /* Fixed steps: the fastest rate of a law that the steps can follow, 1/s (stability.h). If a law
     * is faster, the integration ends with DRY_RUN_FAILED; with `rate_is_noted` it continues and
     * only its fault reports the law. The laws are checked every 16 steps, every 4 from half of
     * this rate on. Default: no check. */
    double most_rate;
    bool rate_is_noted;
} dry_ode_options;

/* Why an integration stopped: the state that is not finite (or has the largest error if the step
 * collapsed) and the time; `watch` is the condition that failed; `law` settles at `rate`, which is
 * too fast for the step (NULL: none is). */
typedef struct dry_ode_fault {
    int state;
    double t;
    int watch;
    const char *law;
    double rate; /* 1/s */
} dry_ode_fault;

typedef struct dry_ode_counts {
    long steps, rejected, rates, kinks;
} dry_ode_counts;

/* Chatter: the motion crosses a jump of the rate (an `if` on the sign of a velocity) to and fro,
 * and the time hardly advances. An adaptive method calls dry_chatters after each step. It returns
 * true after some thousand steps of which a third were cut at a kink or tried again, within a
 * thousandth of the longest step; after eight times as many within eight hundredths of it; and
 * after a hundred thousand that crawl at a thousand-millionth of it. */
typedef struct dry_chatter {
    long steps, cut; /* when it was looked for last */
    double t;
    int slow;    /* how often in a row steps were cut and the time had moved little */
    int crawled; /* how often in a row the time had hardly moved */
} dry_chatter;
DRY_API bool dry_chatters(dry_chatter *last, long steps, long cut, double t, double longest);

/* Times at which the rate of a system jumps: they are sorted, and all of them are finite. The
 * instants at which it samples count among them. */
typedef struct dry_breaks {
    double *times; /* the caller's memory, for system->n_breaks of them */
    int n;
    int next; /* the first one after the present time */
    int n_clocks;
    const dry_clock *clocks;
} dry_breaks;

/* Reads and sorts the break times of the system. */
DRY_API void dry_breaks_read(dry_breaks *breaks, const dry_system *system, const dry_env *env);
/* The earlier of t_end and the first break after t; `is_break`: it is a break. */
DRY_API double dry_breaks_limit(dry_breaks *breaks, double t, double t_end, bool *is_break);
/* The first break after t; infinite if there is none. */
DRY_API double dry_breaks_after(const dry_breaks *breaks, double t);

/* Fixed steps: when the rates of the laws are checked (dry_ode_options.most_rate). */
typedef struct dry_ode_law_check {
    long left;  /* steps until the next check */
    long every; /* how many those were last */
} dry_ode_law_check;

/* Adaptive methods: the length of the next step, and what is known at its start. */
typedef struct dry_ode_control {
    double h;                      /* proposed step */
    double h_before, error_before; /* the last step, and its error */
    double length;                 /* of the last trial; a kink may follow it closely */
    int dense_terms;               /* known coefficients of its continuous output */
    dry_chatter chatter;
    bool has_rate;    /* the rate at (t, x) is known */
    bool rate_at_end; /* it is still where the last step ended */
    bool has_sides;   /* the sides of the switching functions at (t, x) are known */
    bool restart;     /* the time scale may have changed: guess the step again */
    bool entered;     /* the last step ended at a kink */
    bool leapt;       /* a step was too short for the error of a jump at its start */
    double leap;      /* when; s */
    /* the step with which each pattern of sides was last entered */
    struct {
        unsigned pattern;
        double h;
    } entries[16];
} dry_ode_control;

/* Adaptive methods: states that relax on their own and are followed in closed form. */
typedef struct dry_ode_relaxed {
    int count;
    double below; /* trials shorter than this may show more of them */
    double error; /* how far they were from the closed form, as an error of the trial */
} dry_ode_relaxed;

/* An integration under way. You may read t and x; the other fields belong to the room. */
typedef struct dry_ode {
    double t;
    double *x;
    dry_ode_fault fault;
    dry_ode_counts counts;

    /* what is given */
    const dry_system *system;
    const dry_method *method;
    dry_env env;
    dry_ode_options options;

    uint64_t par_mark; /* of the parameters that work was set up for */
    double *work;      /* stages and scratch */
    double *kinks;     /* sides of the switching functions, and their values at samples */
    dry_breaks breaks;
    double t_start;  /* fixed steps: the grid is t_start + k step */
    long grid;       /* k */
    double t_before; /* start of the last step, for dense output */
    bool has_dense;  /* the last step can be interpolated */
    dry_ode_law_check law_check;
    dry_ode_control control;
    dry_ode_relaxed relaxed;
} dry_ode;

/* How many doubles of workspace the integration of `system` by `method` takes. */
DRY_API size_t dry_ode_size(const dry_system *system, const dry_method *method);

/* Begins at time t with the system's start state, or with x0 if it is not NULL. `par` NULL: the
 * system's defaults. `scratch` has system->work_size bytes, `work` has dry_ode_size doubles; both
 * belong to the caller and must outlive the integration. DRY_BAD_ARGUMENT if `method` is NULL, was
 * not found or is of another room. */
DRY_API dry_status dry_ode_init(dry_ode *ode, const dry_system *system, const dry_method *method,
                                const dry_ode_options *options, const double *par, double t,
                                const double *x0, void *scratch, double *work);

/* Advances to t_end exactly (the last step is shortened). Parameters in the caller's `par` may have
 * changed since the last call, but not what the start was computed from. On an error t and x are
 * those of the last good step and `fault` holds the reason. DRY_STOPPED: a condition of the system
 * ended the run at t, and fault.watch is its number. Adaptive methods locate it with the kinks; a
 * fixed step after which it holds is repeated with the length that ends where it begins to hold.
 * Both miss a condition that holds only between the ends of two steps. */
DRY_API dry_status dry_ode_advance(dry_ode *ode, double t_end);

/* One accepted step, at most to t_end. */
DRY_API dry_status dry_ode_step(dry_ode *ode, double t_end);

/* Call it after you have written to x between two steps: a method that knows the rate or the sides
 * of the switching functions there forgets them, and takes a short step first if the rate changed
 * much. For changed parameters you need not call it. */
DRY_API void dry_ode_changed(dry_ode *ode);

/* The state at a time within the last step (t_before <= time <= t): continuous output of the
 * adaptive methods, cubic Hermite for fixed steps (two evaluations of the rate). */
DRY_API void dry_ode_dense(dry_ode *ode, double time, double *x);

#ifdef __cplusplus
}
#endif
#endif
