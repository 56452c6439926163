/* part: what a part is: its ports, its states, its functions; and kinds, which make parts from
 * values. net.h puts parts together.
 *
 * KY08 section II. An admittance part takes forces and gives motion, an impedance part takes motion
 * and gives forces:
 *     x_dot = A(t, x, u_hat)            a body, a rotor, an arm, a prescribed motion
 *     (u, y_dot) = I(t, tau, x_hat, y)  a spring, a friction law, a contact, a motor
 *
 * Floor 2, room net: core, base, law, ode, check. */
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

typedef struct dry_net dry_net; /* net.h: parts that are connected */

/* ---- ports ------------------------------------------------------------------ */

/* What a port carries: motion out of an admittance part or into an impedance part, force the other
 * way. Everything of a frame is in the axes of the world; m is about the frame's origin. */
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
    const char *name; /* "frame", "q"; "" for the only port of a part, which then has its name */
    const char *unit; /* of a coordinate: "m" (force N) or "rad" (force N m); "" for the others */
    int dim;          /* of a coordinate: 1 to 3; the others say it by their kind */
    dry_port_kind kind;
    const struct dry_shape *shapes; /* of a frame: what is fixed to it and can touch */
    int n_shapes;
    /* Of a coordinate of one dimension: what a drive can do there, which is what the equations of a
     * model push with: N (N m), and m/s (rad/s) at which that is gone; 0: not bounded. */
    double effort, fastest;
} dry_port;

/* The numbers of its motion, and of its force. */
DRY_API int dry_port_motion(const dry_port *port);
DRY_API int dry_port_force(const dry_port *port);

/* ---- parts ------------------------------------------------------------------ */

typedef enum dry_side { DRY_ADMITTANCE, DRY_IMPEDANCE } dry_side;

/* What a part's functions read besides their arguments. */
typedef struct dry_part_env {
    const void *data;  /* the part's own const data */
    const double *par; /* its parameters */
    void *work;        /* scratch of its work_size bytes, zeroed at the start of a run; it may hold
                          what can be computed again from the part's states, and nothing else */
    const double *gravity; /* of the whole net, m/s^2 */
    double t, tau;
    dry_branch branch; /* for the bound of the step: its friction as it is, or one of its ends */
    bool once;         /* as in dry_env: a method of order 1 takes steps of tau */
    dry_team *team;    /* threads that the part may use itself */
    bool calm;         /* in latch: no frame has said frame_moved */
} dry_part_env;

/* A point where a frame may be touched: its arm from the origin of the frame, m, and the normal, in
 * the axes of the world; how many such contacts it stands for; the share of a load that it bears
 * while the shape lies so. */
typedef struct dry_touch {
    double arm[3], n[3], weight, bears;
} dry_touch;
enum { DRY_MOST_TOUCHES = 8 };

/* What meets in a contact. W: 1/m of the two things that give way most to a force at the point
 * where they are met, along its normal, 1/kg (1/(kg m^2)); 0: there is none, or it does not move.
 * fixed: there is something that does not move. The stiffest motion of one body whose points are
 * all met at once, as in a crowd, by a stiffness of 1: along the normals, and across, 1/kg. */
typedef struct dry_meeting {
    double W[2];
    bool fixed;
    double along, across;
    bool held;    /* a joint holds one of the bodies */
    double press; /* what presses on one point at the start, N (N m); 0: nothing is known */
} dry_meeting;

/* What a contact is chosen for: nothing is to swing faster than omega, rad/s; impacts by steps of a
 * method with fixed steps, s; NULL: by exact integration, where the step is a time that is
 * resolved. */
enum { DRY_IMPACT_STEPS = 12 };   /* that an impact lasts where its K is chosen */
#define DRY_PLAIN_RESTITUTION 0.3 /* where nothing is said */
typedef struct dry_pace_wish {
    double restitution, K, slower;
} dry_pace_wish;
typedef struct dry_pace {
    double omega;
    const dry_method *method;
    double step;
    const double *pushes; /* on the ports at the start, as `more` of dry_net_rates; NULL: none */
    /* Filled in by design, for choose_contact: a contact whose impacts on the mass, kg, have the
     * restitution e (below 0: not given), of the stiffness K, or if K is not above 0 as stiff as
     * the step allows, an impact lasting `slower` times as long: 1 and more. */
    void (*contact)(struct dry_pace *pace, double restitution, double mass, double K, double slower,
                    dry_contact_choice *choice);
    /* of `contact`, at first zero: the last wish, for a mass of 1, and what it gave */
    dry_pace_wish wish;
    dry_contact_choice unit;
} dry_pace;
/* How a contact was chosen for what presses on one of its points at the start: that load, N, as far
 * as it is known (gravity, parts that are no joints and no contacts, what pace.pushes says; joints
 * hold); the K that it has, that it would have without a load, and with which it gives way by
 * no more than DRY_SINKS of the thinnest shape, N/m; that thickness, m. */
#define DRY_SINKS 0.05
typedef struct dry_net_press {
    double load, K, K_alone, K_wanted, thinnest;
} dry_net_press;
/* What a part says in `is_open` whose keys are K, alpha and beta, par[0] to par[2] in this order,
 * and restitution: not above 0, and below 0, where they are not given. */
DRY_API bool dry_contact_is_open(const double par[3], double restitution, const dry_wrong **wrong);

/* A point where shapes of the frames a and b overlap: how deep, m; what presses there at rest, N;
 * the normal from a to b, of length 1, and the place, in the axes of the world; the size of the
 * thinner shape, m. */
typedef struct dry_overlap {
    int a, b;
    double depth, N, n[3], x[3], size;
} dry_overlap;
typedef void dry_overlap_fn(void *user, const dry_overlap *overlap);

/* How far a motion is outside of what something rigid allows: in m and in rad; what it stores there
 * with its states 0, J; the largest number that says in a text where this is, 0: not known. */
typedef struct dry_breach {
    double moved, turned, energy, size;
} dry_breach;

/* What a joint leaves free, on which other parts act by the joint's name: the angle about z of end
 * a as seen from end b, turned on beyond half a turn, or the way along z of end b. */
typedef enum dry_axis { DRY_NO_AXIS, DRY_TURNS, DRY_SLIDES } dry_axis;

struct dry_part;

/* Named quantities besides forces and states, for the record. */
typedef struct dry_part_outputs {
    int count;
    const dry_quantity *names;
    void (*values)(const dry_part_env *env, const double *in, const double *x, double *y);
} dry_part_outputs;

/* Times where a part jumps, as dry_system's. */
typedef struct dry_part_breaks {
    int count;
    void (*times)(const dry_part_env *env, double *times);
} dry_part_breaks;

/* What may go wrong at the end of a step: the texts; find returns 0 if all is well, else the number
 * of the text, from 1. Admittance: in is NULL. */
typedef struct dry_part_watches {
    int count;
    const char *const *texts;
    int (*find)(const dry_part_env *env, const double *in, const double *x);
} dry_part_watches;

/* What the choice of K and the checks of a model need to know of an impedance part. NULL: the part
 * has none of it. */
typedef struct dry_part_design {
    /* For the bound of the step, if the part is stiffer elsewhere than where it starts, such as an
     * open contact: one row for each number of its force; if it gathers, three rows, for a point
     * along its normal, across it, and against turning. If all contacts are open the part is not
     * stiff. NULL: found from eval at rest, in the branch of the environment. */
    void (*firmness)(const dry_part_env *env, dry_firmness *rows);
    /* One port, of relative motion: fills in the parameters that were left open, such that nothing
     * swings faster than omega, rad/s, or is damped at more than 2 omega, 1/s. W: how the two ends
     * respond to its force where they start, each of them by its own inertia: relative acceleration
     * = W force, 6 x 6, row-major, 1/kg and 1/(kg m^2); 0 if both ends are prescribed. W is n-fold
     * if n joints share a body. */
    void (*choose_joint)(const struct dry_part *self, const double *W, double omega, double *par);
    /* A contact on a port of one number, or one that gathers: fills in what was left open; `press`
     * is zero before, and stays zero if the part does not fill it. */
    void (*choose_contact)(const struct dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                           double *par, dry_net_press *press);
    /* With choose_joint or choose_contact: whether its parameters leave something open; *wrong
     * becomes why what they give does not go together, and stays NULL if it does. */
    bool (*is_open)(const struct dry_part *self, const double *par, const dry_wrong **wrong);
    /* A part that stands for something rigid, such as a joint, a stop or a gap that closes: all 0
     * if the part allows the motion. */
    void (*breach)(const dry_part_env *env, const double *in, dry_breach *breach);
} dry_part_design;

/* An impedance part that takes as many frames as are connected to it, such as the contact of all
 * shapes. */
typedef struct dry_gathering {
    /* Of the part before it is connected, n_ports 0: makes the part for these frames, in the arena;
     * NULL with the error filled if it cannot. Its ports are then frames in the order of the
     * connections, whose force acts on each of them. */
    const struct dry_part *(*gather)(const struct dry_part *self, dry_arena *arena,
                                     const dry_port *const *frames, int count, dry_error *error);
    /* The part may leave to the loop over the bodies what concerns one frame alone; from there it
     * may not call its team. After eval with a team: completes the forces on the frames k, from <=
     * k < to, each of six numbers, `forces` those of all frames.
     * After a step, when all is as latch will see it but for the motion of other frames: whether
     * that of frame k may make latch change x. */
    void (*frame_forces)(const dry_part_env *env, const double *x, int from, int to,
                         double *forces);
    bool (*frame_moved)(const dry_part_env *env, const double *in, const double *x, int k);
    /* Whether what latch found out still holds, as dry_system's. */
    bool (*holds)(const dry_part_env *env, const double *in, const double *x);
    /* So many of its first states change in latch alone; of these so many may change when latch
     * returns false. So many of those that follow have rates now (NULL: all): eval writes these
     * rates, all others are 0 and left to the net. */
    int n_latched, n_ticking;
    int (*n_moving)(const dry_part_env *env, const double *x);
    /* The points at which the shape of that number may be touched, and on which frame k; how many,
     * -1 after the last shape. `crowd`: from two sides by others that move, and by the links of an
     * arm; else as a body that lies on something fixed. */
    int (*touches)(const dry_part_env *env, const double *in, int shape, bool crowd, int *k,
                   dry_touch touches[DRY_MOST_TOUCHES]);
    /* Calls `each` for all points at which shapes overlap. */
    void (*overlaps)(const dry_part_env *env, const double *in, const double *x,
                     dry_overlap_fn *each, void *user);
    /* 1 + the number of its output that is how far it gives way, m (0: none is), and how thick the
     * thinnest thing is that it keeps apart, m. */
    int gives;
    double thinnest;
} dry_gathering;

/* What a part promises about energy. */
typedef enum dry_part_promise {
    DRY_PROMISES_NOTHING,
    DRY_IS_PASSIVE, /* impedance: it gives no more energy than it took */
    DRY_IS_SOURCE /* it may give energy, as a motor or a prescribed motion does: its work is listed
                     as supplied, and it is not taken for a law that creates energy */
} dry_part_promise;

/* A part is one const value. Zero and NULL mean: it has none of it. */
typedef struct dry_part {
    const char *kind; /* "point_mass" */
    dry_side side;
    dry_part_promise promise;
    int n_ports, n_states, n_par;
    const dry_port *ports;
    const dry_quantity *states; /* "v[1]" and the like; a part's quantity gets the part's name and a
                                   dot before it; NULL: many that nobody asks for one by one, all of
                                   them "touch.*", which no file of results has */
    const bool *positions;      /* as dry_system's; NULL: none */
    const dry_quantity *params;
    const double *par; /* n_par values */
    const void *data;
    size_t work_size;

    /* Admittance: the motion of all ports, one after the other, at (t, x). NULL: it is what the
     * state begins with. */
    void (*motion)(const dry_part_env *env, const double *x, double *motion);
    /* The part itself. Admittance: in are the forces of all ports, out is NULL; x_dot = A(x, in).
     * Impedance: in is the motion of all ports, out becomes the forces (on end a), (out, x_dot) =
     * I(in, x). A pure function; x_dot is NULL where n_states is 0. */
    void (*eval)(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot);
    /* The state at the start; NULL: zeros. Impedance parts get the motion at the start. */
    void (*start)(const dry_part_env *env, const double *in, double *x);
    /* The energy it holds, J. Admittance: kinetic; in is NULL. Impedance: elastic. */
    double (*energy)(const dry_part_env *env, const double *in, const double *x);
    /* Admittance: its energy in the gravity of the net, J. */
    double (*potential)(const dry_part_env *env, const double *x);
    /* Impedance: switching functions, as dry_system's. */
    int n_kinks;
    void (*kinks)(const dry_part_env *env, const double *in, const double *x, double *g);
    /* Updates discrete states after an accepted step; true where x was changed. Admittance: in is
     * NULL. */
    bool (*latch)(const dry_part_env *env, const double *in, double *x);
    /* Impedance: what its eval makes of env->branch, as bits: DRY_SLIPS where it has friction,
     * DRY_OPEN where it has a contact. 0: nothing. */
    unsigned ends;
    /* Impedance: what it does, as bits (law.h, DRY_STICKS); 0: it has no phases with these
     * parameters. y: its outputs as they were recorded, which a part reads whose states have no
     * names. NULL: it never has phases. */
    unsigned (*phase)(const dry_part_env *env, const double *in, const double *x, const double *y);
    /* Impedance: the fastest rate at which a state of it settles by itself, as dry_system's. NULL:
     * it does not grow with the motion. */
    double (*fastest)(const dry_part_env *env, const double *in, const double *x);
    /* Impedance with one port, of relative motion: the coordinate that it leaves free. */
    dry_axis axis;
    /* What few parts have. NULL: none of it. */
    const dry_part_outputs *outputs;
    const dry_part_breaks *breaks;
    const dry_part_watches *watches;
    const dry_part_design *design;
    const dry_gathering *gathers;
} dry_part;

/* Whether design chooses the part as a joint, or as a contact. */
DRY_INLINE bool dry_part_is_joint(const dry_part *part) {
    return part->design && part->design->choose_joint;
}
DRY_INLINE bool dry_part_is_contact(const dry_part *part) {
    return part->design && part->design->choose_contact;
}
/* Whether the part has shapes that touch. */
DRY_INLINE bool dry_part_has_shapes(const dry_part *part) {
    return part->gathers && part->gathers->touches;
}

/* Parts made of a function of your own, in the arena; NULL without memory. A force as a function of
 * time and motion, and a motion as a function of time, from which energy may come. */
DRY_API const dry_part *dry_motor_part(dry_arena *arena, dry_port port,
                                       void (*force)(const void *user, double t,
                                                     const double *motion, double *force),
                                       const void *user);
DRY_API const dry_part *dry_motion_part(dry_arena *arena, dry_port port,
                                        void (*motion)(const void *user, double t, double *motion),
                                        const void *user);
/* The law of the catalogue that an impedance part is; NULL: another part. */
DRY_API const dry_law *dry_part_law(const dry_part *part);

/* ---- kinds: parts by name, from text -------------------------------------------- */

/* A value given to a kind: numbers, or a word. */
typedef struct dry_value {
    const char *key;
    const char *word; /* NULL: numbers */
    const double *numbers;
    int count;
    int line, column; /* where it stands in a text; 0: nowhere */
} dry_value;
#ifndef __cplusplus /* where such numbers would be gone at once: give an array of your own */
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
    double standard;       /* of each number that is not given; out of range: the part chooses it */
    const char *meaning;
} dry_kind_param;

typedef struct dry_kind {
    const char *name, *title;
    const char *meaning; /* what it does, with its ports and quantities, a line or two */
    const dry_kind_param *params;
    int n_params;
    /* The part; values are known keys, in range. NULL with the error filled. */
    const dry_part *(*make)(const struct dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error);
    const void *data; /* such as the law that a row of the catalogue makes into a kind */
    /* In the place of `make`, for a kind that is several parts: adds and connects them itself, the
     * main one as `name`, the others with names that begin with it. */
    void (*build)(const struct dry_kind *self, dry_net *net, const char *name,
                  const dry_value *values, int count);
} dry_kind;

/* Reading values in a `make`: numbers not given are the standard ones. */
DRY_API double dry_value_number(const dry_kind *kind, const dry_value *values, int count,
                                const char *key);
/* Fills numbers[0..n); how many were given (0: none, all standard). */
DRY_API int dry_value_numbers(const dry_kind *kind, const dry_value *values, int count,
                              const char *key, int n, double *numbers);
/* The word, or `otherwise`. */
DRY_API const char *dry_value_word(const dry_value *values, int count, const char *key,
                                   const char *otherwise);

#ifdef __cplusplus
}
#endif
#endif
