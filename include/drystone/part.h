/* part: defines a part by its ports, states and functions, and kinds, which make parts from values.
 * net.h connects parts.
 *
 * KY08 section II. An admittance part takes forces and gives motion, an impedance part takes motion
 * and gives forces:
 *     x_dot = A(t, x, u_hat)            a body, a rotor, an arm, a prescribed motion
 *     (u, y_dot) = I(t, tau, x_hat, y)  a spring, a friction law, a contact, a motor
 *
 * Floor 2, room net: core, base, law, ode, stability. */
#ifndef DRYSTONE_PART_H
#define DRYSTONE_PART_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/ode.h>
#include <drystone/stability.h>
#include <drystone/team.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dry_net dry_net; /* net.h: connected parts */

/* ---- ports ------------------------------------------------------------------ */

/* What a port carries: motion out of an admittance part or into an impedance part, force the other
 * way. All vectors of a frame are in world axes; m is about the frame's origin. */
typedef enum dry_port_kind {
    DRY_COORDINATE, /* p[dim], v[dim]              <-> f[dim] */
    DRY_FRAME,      /* p[3], v[3], q[4], omega[3]  <-> f[3], m[3]    KY08 (26) */
    DRY_LENGTH,     /* l, l_dot                    <-> f, positive where it pushes the ends apart;
                       impedance only: the distance of two points */
    DRY_SURFACE,    /* psi, psi_dot, v[3]          <-> N, f[3]
                       impedance only: a point above a plane, v the sliding velocity in the axes of
                       the plane's frame (v[2] is 0), f on the point in the same axes */
    DRY_RELATIVE    /* d[3], phi[3], v[3], omega[3] <-> f[3], m[3]
                       impedance only: end a as seen from end b, in the axes of end b; phi is the
                       rotation vector of a against b, v and omega what an observer on b sees; f and
                       m act on end a */
} dry_port_kind;

struct dry_shape; /* body.h: what can touch */

typedef struct dry_port {
    const char *name; /* "frame", "q"; "" for the only port of a part, which takes the part's
                         name */
    const char *unit; /* of a coordinate: "m" (force N) or "rad" (force N m); "" for the others */
    int dim;          /* of a coordinate: 1 to 3; the kind fixes it for the others */
    dry_port_kind kind;
    const struct dry_shape *shapes; /* of a frame: what is fixed to it and can touch */
    int n_shapes;
    /* Of a coordinate of one dimension: the largest force of a drive there, with which equations of
     * a model may push, N (N m), and the speed at which it vanishes, m/s (rad/s); 0: no bound. */
    double effort, fastest;
    bool spins; /* an area: of three dimensions the third is a spin, which frames alone have */
} dry_port;

/* How many numbers its motion and its force have. */
DRY_API int dry_port_motion(const dry_port *port);
DRY_API int dry_port_force(const dry_port *port);

/* ---- parts ------------------------------------------------------------------ */

typedef enum dry_side { DRY_ADMITTANCE, DRY_IMPEDANCE } dry_side;

/* What the functions of a part read in addition to their arguments. */
typedef struct dry_part_env {
    const void *data;  /* the part's own const data */
    const double *par; /* its parameters */
    void *work;        /* scratch of work_size bytes, zeroed at the start of a run; store only what
                          can be computed again from the part's states */
    const double *gravity; /* of the whole net, m/s^2 */
    double t, tau;
    dry_branch branch; /* for the check of the step: friction as the state has it, or one of its two
                          ends */
    bool once;         /* as in dry_env: a method of order 1 takes steps of tau */
    dry_team *team;    /* threads that the part may use */
    bool calm;         /* in latch: frame_moved was false for every frame */
} dry_part_env;

/* A point where a frame may be touched. arm: from the origin of the frame, m; n: the normal; both
 * in world axes. weight: how many such contacts the point stands for. bears: its share of the load
 * in this pose. */
typedef struct dry_touch {
    double arm[3], n[3], weight, bears;
} dry_touch;
enum { DRY_MOST_TOUCHES = 8 };

/* What meets in a contact. W: 1/m of the two things that yield most to a force along the normal at
 * their point of contact, 1/kg (1/(kg m^2)); 0: none, or it does not move. fixed: something that
 * does not move can be met. along, across: stiffness per mass of the stiffest motion of one body
 * that is met at all its points at once, as in a crowd, by a unit stiffness along the normals and
 * across them, 1/kg. */
typedef struct dry_meeting {
    double W[2];
    bool fixed;
    double along, across;
    bool held;    /* a joint holds one of the bodies */
    double press; /* load on one point at the start, N (N m); 0: not known */
} dry_meeting;

/* The run for which a contact is chosen. Nothing may oscillate faster than omega, rad/s. Impacts
 * are integrated by fixed steps, s, of `method`; if it is NULL they are integrated exactly, and
 * `step` is the time to resolve. */
enum { DRY_IMPACT_STEPS = 12 };   /* that an impact lasts if its K is chosen */
#define DRY_PLAIN_RESTITUTION 0.3 /* the default */
typedef struct dry_pace_wish {
    double restitution, K, slower;
} dry_pace_wish;
typedef struct dry_pace {
    double omega;
    const dry_method *method;
    double step;
    const double *pushes; /* forces on the ports at the start, as `more` of dry_net_rates; NULL:
                             none */
    /* Design sets this function for choose_contact. It designs a contact whose impacts on the mass,
     * kg, have the restitution (below 0: not given). K is the stiffness; if it is not above 0, the
     * contact is as stiff as the step allows and an impact lasts `slower` >= 1 times as long. */
    void (*contact)(struct dry_pace *pace, double restitution, double mass, double K, double slower,
                    dry_contact_choice *choice);
    /* cache of `contact`, initially zero: the last wish, for a mass of 1, and its result */
    dry_pace_wish wish;
    dry_contact_choice unit;
} dry_pace;
/* How a contact was chosen for the load on one of its points at the start. load, N: from gravity,
 * from parts that are neither joints nor contacts, and from pace.pushes, while joints hold. K, N/m:
 * the chosen one; K_alone: without the load; K_wanted: with which the contact yields by at most
 * DRY_SINKS of the thinnest shape. thinnest, m: the thickness of that shape. */
#define DRY_SINKS 0.05
typedef struct dry_net_press {
    double load, K, K_alone, K_wanted, thinnest;
} dry_net_press;
/* is_open for parts with the keys K, alpha, beta (par[0] to par[2]) and restitution. K, alpha and
 * beta are not given if they are not above 0, restitution if it is below 0. */
DRY_API bool dry_contact_is_open(const double par[3], double restitution, const dry_wrong **wrong);

/* A point where shapes of the frames a and b overlap. depth, m; N: the normal force there at rest,
 * N; n: the unit normal from a to b; x: the point; both in world axes; size: of the thinner shape,
 * m. */
typedef struct dry_overlap {
    int a, b;
    double depth, N, n[3], x[3], size;
} dry_overlap;
typedef void dry_overlap_fn(void *user, const dry_overlap *overlap);

/* What two shapes of the frames a and b do to each other: the sums over their points of the normal
 * forces and of friction, on b, N; x: the mean of the points by their normal forces; all in world
 * axes. */
typedef struct dry_touching {
    int a, b;
    double x[3], normal[3], friction[3];
} dry_touching;
typedef void dry_touching_fn(void *user, const dry_touching *touching);

/* How far a motion is outside of what a rigid element allows: moved, m; turned, rad; energy, J,
 * stored there with zero states; size: the largest coordinate in a text that gives this position,
 * 0: not known. */
typedef struct dry_breach {
    double moved, turned, energy, size;
} dry_breach;

/* The coordinate that a joint leaves free. Other parts act on it by the joint's name. It is the
 * angle of end a about z as seen from end b, counted on beyond half a turn, or the displacement
 * along z of end b. */
typedef enum dry_axis { DRY_NO_AXIS, DRY_TURNS, DRY_SLIDES } dry_axis;

struct dry_part;

/* Named quantities for the record, in addition to forces and states. */
typedef struct dry_part_outputs {
    int count;
    const dry_quantity *names;
    void (*values)(const dry_part_env *env, const double *in, const double *x, double *y);
} dry_part_outputs;

/* Times at which a part jumps, as in dry_system. */
typedef struct dry_part_breaks {
    int count;
    void (*times)(const dry_part_env *env, double *times);
} dry_part_breaks;

/* Conditions that may be violated at the end of a step, as texts. find returns 0 if none is, else
 * the number of the text, from 1. Admittance: in is NULL. */
typedef struct dry_part_watches {
    int count;
    const char *const *texts;
    int (*find)(const dry_part_env *env, const double *in, const double *x);
} dry_part_watches;

/* What the choice of K and the checks of a model need from an impedance part. NULL: the part does
 * not have the function. */
typedef struct dry_part_design {
    /* The stiffness for the check of the step, if the part is stiffer elsewhere than at its start,
     * such as an open contact. One row for each number of its force; three rows if it gathers:
     * along the normal of a point, across it, and against rotation. With all contacts open the part
     * is not stiff. NULL: computed from eval at rest, in the branch of the environment. */
    void (*firmness)(const dry_part_env *env, dry_firmness *rows);
    /* Returns true if this parameter is a time in which friction that slips or a contact that is
     * open forgets its stretch: beta of X13 (18), (24), s. NULL: none is. */
    bool (*forgets)(const struct dry_part *self, int par);
    /* For a part with one port, of relative motion. Chooses the open parameters such that nothing
     * oscillates faster than omega, rad/s, or is damped at more than 2 omega, 1/s. W: response of
     * the two ends to its force at the start, each by its own inertia: relative acceleration = W
     * force, 6 x 6, row-major, 1/kg and 1/(kg m^2); 0 if both ends are prescribed. If n joints
     * share a body, W is multiplied by n. */
    void (*choose_joint)(const struct dry_part *self, const double *W, double omega, double *par);
    /* For a contact on a port of one number, or one that gathers. Chooses the open parameters.
     * `press` is zero on entry; the part may fill it. */
    void (*choose_contact)(const struct dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                           double *par, dry_net_press *press);
    /* With choose_joint or choose_contact: returns true if some parameters are open. If the given
     * ones contradict each other, *wrong becomes the reason; else it stays NULL. */
    bool (*is_open)(const struct dry_part *self, const double *par, const dry_wrong **wrong);
    /* For a part that models something rigid, such as a joint, an end stop or a gap that closes.
     * All 0 if the part allows the motion. */
    void (*breach)(const dry_part_env *env, const double *in, dry_breach *breach);
} dry_part_design;

/* An impedance part that accepts any number of frames, such as the contact of all shapes. */
typedef struct dry_gathering {
    /* Makes, in the arena, the part for these frames from the part before it is connected, which
     * has n_ports 0. The new part has one frame port per connection, in their order; its forces act
     * on these frames. Returns NULL and fills the error if it cannot. */
    const struct dry_part *(*gather)(const struct dry_part *self, dry_arena *arena,
                                     const dry_port *const *frames, int count, dry_error *error);
    /* The loop over the bodies calls these two for work that concerns one frame alone; they must
     * not use the team. frame_forces, after eval with a team: completes the forces on frames k,
     * from <= k < to; `forces` holds six numbers for each frame of the part. frame_moved, after a
     * step, when the motion of other frames may still be old: returns true if the motion of frame k
     * may make latch change x. */
    void (*frame_forces)(const dry_part_env *env, const double *x, int from, int to,
                         double *forces);
    bool (*frame_moved)(const dry_part_env *env, const double *in, const double *x, int k);
    /* Returns true if what latch found still holds, as in dry_system. */
    bool (*holds)(const dry_part_env *env, const double *in, const double *x);
    /* Only latch changes the first n_latched states; the first n_ticking of them may change even if
     * latch returns false. Of the states that follow, n_moving have rates now (NULL: all do): eval
     * writes these rates, and the net sets all others to 0. */
    int n_latched, n_ticking;
    int (*n_moving)(const dry_part_env *env, const double *x);
    /* Finds the points at which shape number `shape` may be touched, and its frame k. Returns how
     * many, -1 after the last shape. `crowd`: other moving bodies and links of an arm touch it from
     * two sides; else it lies on something fixed. */
    int (*touches)(const dry_part_env *env, const double *in, int shape, bool crowd, int *k,
                   dry_touch touches[DRY_MOST_TOUCHES]);
    /* Calls `each` for every point at which shapes overlap. */
    void (*overlaps)(const dry_part_env *env, const double *in, const double *x,
                     dry_overlap_fn *each, void *user);
    /* Calls `each` for every two shapes that press on each other. */
    void (*touching)(const dry_part_env *env, const double *in, const double *x,
                     dry_touching_fn *each, void *user);
    /* gives: 1 + the index of the output that is its largest overlap, m; 0: there is none.
     * thinnest: the thickness of the thinnest shape that it keeps apart, m. */
    int gives;
    double thinnest;
} dry_gathering;

/* What a part promises about energy. */
typedef enum dry_part_promise {
    DRY_PROMISES_NOTHING,
    DRY_IS_PASSIVE, /* impedance: it gives no more energy than it took */
    DRY_FEEDS       /* it may give energy, as a motor or a prescribed motion does: the account lists
                       its work as supplied, not as energy created by a law */
} dry_part_promise;

/* A part is one const value. Zero and NULL mean: the part does not have it. */
typedef struct dry_part {
    const char *kind; /* "point_mass" */
    dry_side side;
    dry_part_promise promise;
    int n_ports, n_states, n_par;
    const dry_port *ports;
    const dry_quantity *states; /* "v[1]" and so on; the net prefixes the part's name and a dot.
                                   NULL: many states without names of their own, all called
                                   "touch.*", which are not recorded */
    const bool *positions;      /* as in dry_system; NULL: none */
    const dry_quantity *params;
    const double *par; /* n_par values */
    const void *data;
    size_t work_size;

    /* Admittance: the motion of all ports, one after the other, at (t, x). NULL: the first states
     * are the motion. */
    void (*motion)(const dry_part_env *env, const double *x, double *motion);
    /* The part itself, a pure function. Admittance: in are the forces of all ports, out is NULL;
     * x_dot = A(x, in). Impedance: in is the motion of all ports, out becomes the forces (on end
     * a), (out, x_dot) = I(in, x). x_dot is NULL if n_states is 0. */
    void (*eval)(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot);
    /* The state at the start; NULL: zeros. Impedance parts get the motion at the start. */
    void (*start)(const dry_part_env *env, const double *in, double *x);
    /* The energy it holds, J. Admittance: kinetic; in is NULL. Impedance: elastic. */
    double (*energy)(const dry_part_env *env, const double *in, const double *x);
    /* Admittance: its energy in the gravity of the net, J. */
    double (*potential)(const dry_part_env *env, const double *x);
    /* Impedance: switching functions, as in dry_system. */
    int n_kinks;
    void (*kinks)(const dry_part_env *env, const double *in, const double *x, double *g);
    /* Updates discrete states after an accepted step; returns true if it changed x. Admittance: in
     * is NULL. */
    bool (*latch)(const dry_part_env *env, const double *in, double *x);
    /* Impedance: how eval depends on env->branch, as bits: DRY_SLIPS if it has friction, DRY_OPEN
     * if it has a contact. 0: it does not. */
    unsigned ends;
    /* Impedance: its phase, as bits (law.h, DRY_STICKS); 0: it has no phases with these parameters.
     * y: its recorded outputs, for parts whose states have no names. NULL: it never has phases. */
    unsigned (*phase)(const dry_part_env *env, const double *in, const double *x, const double *y);
    /* Impedance: the fastest rate at which one of its states settles by itself, as in dry_system.
     * NULL: this rate does not grow with the motion. */
    double (*fastest)(const dry_part_env *env, const double *in, const double *x);
    /* Impedance with one port, of relative motion: the coordinate that it leaves free. */
    dry_axis axis;
    /* Features that few parts have; NULL: the part does not have it. */
    const dry_part_outputs *outputs;
    const dry_part_breaks *breaks;
    const dry_part_watches *watches;
    const dry_part_design *design;
    const dry_gathering *gathers;
} dry_part;

/* Returns true if design chooses the part as a joint; as a contact. */
DRY_INLINE bool dry_part_is_joint(const dry_part *part) {
    return part->design && part->design->choose_joint;
}
DRY_INLINE bool dry_part_is_contact(const dry_part *part) {
    return part->design && part->design->choose_contact;
}
/* Returns true if the part has shapes that touch. */
DRY_INLINE bool dry_part_has_shapes(const dry_part *part) {
    return part->gathers && part->gathers->touches;
}

/* Make parts in the arena from your own function: a force as a function of time and motion, or a
 * motion as a function of time. Both may supply energy. Return NULL without memory. */
DRY_API const dry_part *dry_motor_part(dry_arena *arena, dry_port port,
                                       void (*force)(const void *user, double t,
                                                     const double *motion, double *force),
                                       const void *user);
DRY_API const dry_part *dry_motion_part(dry_arena *arena, dry_port port,
                                        void (*motion)(const void *user, double t, double *motion),
                                        const void *user);
/* The law of the catalogue behind an impedance part; NULL: the part is not such a law. */
DRY_API const dry_law *dry_part_law(const dry_part *part);

/* ---- kinds: parts by name, from text -------------------------------------------- */

/* A value given to a kind: numbers, or a word. */
typedef struct dry_value {
    const char *key;
    const char *word; /* NULL: numbers */
    const double *numbers;
    int count;
    int line, column; /* its position in a text; 0: none */
} dry_value;
#ifndef __cplusplus /* C++ destroys such an array at once: pass your own */
#define DRY_NUMBERS(key, ...)                                                                      \
    {                                                                                              \
        key, NULL, (const double[]){__VA_ARGS__},                                                  \
            (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)), 0, 0                    \
    }
#endif
#define DRY_WORD(key, text)                                                                        \
    { key, text, NULL, 0, 0, 0 }

typedef struct dry_kind_param {
    const char *name;
    const char *unit; /* "" pure number; NULL: a word */
    int least, most;  /* how many numbers; a word: 1, 1 */
    bool required;
    dry_param_range range; /* of each number */
    double standard;       /* default of each number; out of range: the part chooses it;
                            * NAN: there is none */
    const char *meaning;   /* "...; not given: ..." says what holds then */
} dry_kind_param;

/* What holds if a key is not given whose default lies out of its range: the end of its meaning;
 * NULL: it has a default, or the part chooses it. */
DRY_API const char *dry_key_not_given(const dry_kind_param *key);

typedef struct dry_kind {
    const char *name, *title;
    const char *meaning; /* one or two lines: what it does, its ports and quantities */
    const dry_kind_param *params;
    int n_params;
    /* Makes the part from values with known keys and numbers in range. Returns NULL and fills the
     * error if it cannot. */
    const dry_part *(*make)(const struct dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error);
    const void *data; /* such as the law that a row of the catalogue makes into a kind */
    /* Used instead of `make` by a kind of several parts. Adds and connects them: the main one as
     * `name`, the others with names that begin with it. */
    void (*build)(const struct dry_kind *self, dry_net *net, const char *name,
                  const dry_value *values, int count);
} dry_kind;

/* These read values in `make`. A number that is not given has its default. */
DRY_API double dry_value_number(const dry_kind *kind, const dry_value *values, int count,
                                const char *key);
/* Fills numbers[0..n); returns how many were given (0: all are defaults). */
DRY_API int dry_value_numbers(const dry_kind *kind, const dry_value *values, int count,
                              const char *key, int n, double *numbers);
/* The word of this key, or `otherwise` if it is not given. */
DRY_API const char *dry_value_word(const dry_value *values, int count, const char *key,
                                   const char *otherwise);

#ifdef __cplusplus
}
#endif
#endif
