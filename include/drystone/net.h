/* net: a machine put together from parts; what comes out is a system.
 *
 * KY08 section II. An admittance part takes forces and gives motion, an impedance part takes motion
 * and gives forces:
 *     x_dot = A(t, x, u_hat)            a body, a rotor, an arm, a prescribed motion
 *     (u, y_dot) = I(t, tau, x_hat, y)  a spring, a friction law, a contact, a motor
 * Connections carry motion one way (Psi) and the force back (Phi): frames and lever arms are
 * handled there, once, and by no part. One evaluation is: all motions, Psi, all I, Phi, all A;
 * within each of these loops the order does not matter, so they run on threads and give the same
 * bits for any number of them.
 *
 * Floor 2: core, base, math, law, ode, record, check. */
#ifndef DRYSTONE_NET_H
#define DRYSTONE_NET_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/math.h>
#include <drystone/ode.h>
#include <drystone/record.h>
#include <drystone/stability.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* ---- threads ---------------------------------------------------------------- */

/* Threads that share out a loop; NULL is the caller alone. Each piece of a loop writes numbers of
 * its own and reads none that another one writes, so the bits do not depend on who does it. */
typedef struct dry_team dry_team;
enum { DRY_TEAM_PAYS = 256 }; /* a loop over fewer things is over before a second thread begins */
/* One of the pieces. They are cut into blocks, as many as there are threads (dry_team_blocks), the
 * first piece of block b being number dry_piece_start(count, b, blocks). in_turn: the same thread
 * has done all pieces before it of its block. */
typedef struct dry_team_piece {
    int index, count;
    bool in_turn;
} dry_team_piece;
typedef void dry_team_fn(const void *data, dry_team_piece piece);
/* Into how many pieces a loop over so many things is best cut; 1 where threads do not pay. */
DRY_API int dry_team_pieces(const dry_team *team, int things);
DRY_API int dry_team_blocks(const dry_team *team);
/* Calls work for all pieces, and returns when they are done. */
DRY_API void dry_team_run(dry_team *team, int pieces, dry_team_fn *work, const void *data);
/* Where a piece begins, of a loop over `count` things: it ends where the next one does. */
DRY_INLINE int dry_piece_start(int count, int piece, int pieces) {
    return (int)((long long)count * piece / pieces);
}
DRY_INLINE int dry_piece_from(int count, dry_team_piece piece) {
    return dry_piece_start(count, piece.index, piece.count);
}
DRY_INLINE int dry_piece_to(int count, dry_team_piece piece) {
    return dry_piece_start(count, piece.index + 1, piece.count);
}

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
    /* of dry_pace_contact, at first zero: the last wish, for a mass of 1, and what it gave */
    dry_pace_wish wish;
    dry_contact_choice unit;
} dry_pace;
/* A contact whose impacts on the mass, kg, have the restitution e (below 0: not given), of the
 * stiffness K, or where that is not above 0 as stiff as the step allows, an impact lasting `slower`
 * times as long: 1 and more. */
DRY_API void dry_pace_contact(dry_pace *pace, double restitution, double mass, double K,
                              double slower, dry_contact_choice *choice);
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

/* A part is one const value. Zero and NULL mean: it has none of it. */
typedef struct dry_part {
    const char *kind; /* "point_mass" */
    dry_side side;
    bool source; /* a part that may give energy, such as a motor or a prescribed motion: its work is
                    listed as supplied, and it is not taken for a law that creates energy */
    bool passive; /* impedance: it promises to give no more energy than it took */
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
    /* Times where it jumps, as dry_system's. */
    int n_breaks;
    void (*breaks)(const dry_part_env *env, double *times);
    /* Updates discrete states after an accepted step; true where x was changed. Admittance: in is
     * NULL. */
    bool (*latch)(const dry_part_env *env, const double *in, double *x);
    /* Whether what latch found out still holds, as dry_system's. Admittance: in is NULL. */
    bool (*holds)(const dry_part_env *env, const double *in, const double *x);
    /* What may go wrong at the end of a step: the texts, and 0 where all is well, else the number
     * of the text, from 1. Admittance: in is NULL. */
    int n_watches;
    const char *const *watches;
    int (*watch)(const dry_part_env *env, const double *in, const double *x);
    /* Impedance: what its eval makes of env->branch, as bits: DRY_SLIPS where it has friction,
     * DRY_OPEN where it has a contact. 0: nothing. */
    unsigned ends;
    /* Impedance: the fastest rate at which a state of it settles by itself, as dry_system's. NULL:
     * it does not grow with the motion. */
    double (*fastest)(const dry_part_env *env, const double *in, const double *x);
    /* Named quantities besides forces and states, for the record. */
    int n_outputs;
    const dry_quantity *outputs;
    void (*output)(const dry_part_env *env, const double *in, const double *x, double *y);
    /* Impedance that takes as many frames as are connected to it, n_ports 0: makes the part for
     * these, in the arena; NULL with the error filled where it cannot. Its ports are then frames in
     * the order of the connections, whose force is to act on each of them. */
    const struct dry_part *(*gather)(const struct dry_part *self, dry_arena *arena,
                                     const dry_port *const *frames, int count, dry_error *error);
    /* Such a part may leave to the loop over the bodies what concerns one frame alone; from there
     * it may not call its team. After eval with a team: completes the forces on the frames k, from
     * <= k < to, each of six numbers, `forces` those of all frames.
     * After a step, where all is as latch will see it but for the motion of other frames: whether
     * that of frame k may make latch change x. */
    void (*frame_forces)(const dry_part_env *env, const double *x, int from, int to,
                         double *forces);
    bool (*frame_moved)(const dry_part_env *env, const double *in, const double *x, int k);
    /* So many of its first states change in latch alone; of these so many may change when it
     * returns false. So many of those that follow have rates now (NULL: all): eval writes these
     * rates, all others are 0 and left to the net. */
    int n_latched, n_ticking;
    int (*n_moving)(const dry_part_env *env, const double *x);
    /* For the bound of the step. Impedance that is stiffer elsewhere than where it starts, such as
     * an open contact: one row for each number of its force; where it gathers three of them, for a
     * point along its normal, across it, and against turning. Where all contacts are open it is
     * not. NULL: found from eval at rest, in the branch that the environment tells. */
    void (*firmness)(const dry_part_env *env, dry_firmness *rows);
    /* Impedance with one port, of relative motion: fills in the parameters that were left open,
     * such that nothing swings faster than omega, rad/s, or is damped at more than 2 omega, 1/s. W:
     * how the two ends answer to its force where they start, each of them by its own inertia:
     * relative acceleration = W force, 6 x 6, row-major, 1/kg and 1/(kg m^2); 0 where both move as
     * they are told. It is n-fold where n parts that choose share a body. */
    void (*choose)(const struct dry_part *self, const double *W, double omega, double *par);
    /* Impedance that meets what it stops, on a port of one number or where it gathers: whether its
     * parameters leave something of its contact open; *wrong is why what they give does not go
     * together, NULL: it does. Then fills in what was left open; `press` is zero before, and stays
     * so where it tells nothing. */
    bool (*is_open)(const struct dry_part *self, const double *par, const dry_wrong **wrong);
    void (*choose_contact)(const struct dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                           double *par, dry_net_press *press);
    /* Impedance that stands for something rigid, such as a joint, a stop or a gap that closes: all
     * 0 where the motion is one that it allows. */
    void (*breach)(const dry_part_env *env, const double *in, dry_breach *breach);
    /* Impedance that stands for something rigid: 1 + the number of its output that is how far it
     * gives way, m (0: none is), and how thick the thinnest thing is that it keeps apart, m. */
    int gives;
    double thinnest;
    /* Impedance with one port, of relative motion. */
    dry_axis axis;
    /* Where it gathers: the points at which the shape of that number may be touched, and on which
     * frame k; how many, -1 after the last shape. `crowd`: from two sides by others that move, and
     * by the links of an arm; else as a body that lies on something fixed. */
    int (*touches)(const dry_part_env *env, const double *in, int shape, bool crowd, int *k,
                   dry_touch touches[DRY_MOST_TOUCHES]);
    /* Where it gathers: calls `each` for all points at which shapes overlap. */
    void (*overlaps)(const dry_part_env *env, const double *in, const double *x,
                     dry_overlap_fn *each, void *user);
} dry_part;

/* Parts made of a function of your own, in the arena; NULL without memory. A force as a function of
 * time and motion, and a motion as a function of time, from which energy may come. */
DRY_API const dry_part *dry_motor_part(dry_arena *arena, dry_port port,
                                       void (*force)(const void *user, double t,
                                                     const double *motion, double *force),
                                       const void *user);
DRY_API const dry_part *dry_motion_part(dry_arena *arena, dry_port port,
                                        void (*motion)(const void *user, double t, double *motion),
                                        const void *user);

/* ---- the net ---------------------------------------------------------------- */

typedef struct dry_net dry_net;

/* NULL without memory. */
DRY_API dry_net *dry_net_new(void);
DRY_API void dry_net_free(dry_net *net);
/* Whether memory ran out at any time since it was made; what it says then is not to be relied on.
 */
DRY_API bool dry_net_failed(const dry_net *net);
/* Lives as long as the net: for parts made at run time. */
DRY_API dry_arena *dry_net_arena(dry_net *net);

/* The functions that build a net collect mistakes and go on: dry_net_system tells them all. Names
 * and values are copied, *part is not. */
DRY_API void dry_net_add(dry_net *net, const char *name, const dry_part *part);
/* Replaces parameter "ball.mass" (several numbers from the one of that name on). */
DRY_API void dry_net_set(dry_net *net, const char *parameter, const double *values, int count);
/* Replaces states at the start, from "ball.v[1]" on; "ball.v" is the same. Parts with n_latched,
 * such as a contact, choose their own. */
DRY_API void dry_net_start(dry_net *net, const char *state, const double *values, int count);
/* Gravity, m/s^2; zero where it is not said. Coordinates of fewer dimensions take its first ones.
 */
DRY_API void dry_net_gravity(dry_net *net, double x, double y, double z);

/* A mistake in how a net is put together, as values: read these, never the text. */
typedef struct dry_mistake {
    const char *name; /* "spring", "joint.ends", "ball.v": a part, port or state; NULL: the net */
    const char *end;  /* "puck[7]": the end of the connection that is wrong; NULL: none */
    const char *key;  /* the key of the kind that is wrong or missing; NULL: none */
    bool unknown;     /* nothing has that name */
    bool in_file;     /* it is in the file that `key` names, and `what` begins with its line */
    const char *what; /* "the port is connected twice" */
    const char *way_out; /* "add a part for each connection"; NULL: none is known */
    const char *text;    /* all of it in one line */
} dry_mistake;

/* Adds a mistake of whoever makes parts: `about` without what and text, then what is wrong. All of
 * it is copied. */
DRY_API void dry_net_mistaken(dry_net *net, dry_mistake about, const char *format, ...)
    DRY_PRINTF(3, 4);
/* A text that lives as long as the net; "" without memory. */
DRY_API const char *dry_net_text(dry_net *net, const char *format, ...) DRY_PRINTF(2, 3);
/* Adds a remark, which does not keep the net from being made. */
DRY_API void dry_net_remark(dry_net *net, const char *format, ...) DRY_PRINTF(2, 3);
DRY_API int dry_net_remark_count(const dry_net *net);
DRY_API const char *dry_net_remark_at(const dry_net *net, int index);

/* Where a connection ends: a port of an admittance part, "ball.frame" or "ball" for its only port;
 * NULL is the world, which stands still. On a frame: the point `at` (in the frame's axes, m) with
 * axes turned by the quaternion `turn` ({0}: not turned). Or a joint with an axis, "door". */
typedef struct dry_end {
    const char *port;
    double at[3];
    double turn[4];
} dry_end;

/* Connects a port of an impedance part, "spring" or "joint.frames": its motion is that of a
 * relative to b, its force acts on a and, reversed, on b. A coordinate of 3 dimensions in m also
 * takes the points of frames; a length takes points; a surface a point and (as b) the plane of
 * normal z of a frame; relative motion takes two frames. A part that gathers takes a alone, as
 * often as one likes. A coordinate of 1 dimension also takes, as a alone, a joint with an axis: its
 * motion is what that leaves free, its force acts between the two ends of the joint. */
DRY_API void dry_net_connect(dry_net *net, const char *port, dry_end a, dry_end b);

/* Zero means the default. */
typedef struct dry_net_options {
    const char *name;
    int threads;  /* default 1; the bits of the result do not depend on it */
    bool account; /* one state more per impedance part, the work that flowed into it, and the energy
                     account among the outputs */
} dry_net_options;

/* Whether this build can use more than one (C11 threads). */
DRY_API bool dry_net_has_threads(void);

/* The net as a system, which lives as long as the net and is fixed from now on: states "ball.p[1]",
 * parameters "ball.mass", outputs: forces "spring.f[1]" (on end a), motions that are not states,
 * the parts' own outputs, the account. DRY_BAD_MODEL where mistakes were made; the error has the
 * first, dry_net_mistake all of them. */
DRY_API dry_status dry_net_system(dry_net *net, const dry_net_options *options,
                                  const dry_system **system, dry_error *error);
DRY_API int dry_net_mistake_count(const dry_net *net);
/* NULL beyond the last. Its text: "spring.ends: end a, rotor.q, is in rad, the port in m: ..." */
DRY_API const dry_mistake *dry_net_mistake(const dry_net *net, int index);
/* Whose state it is; what the account adds counts as an impedance part's. */
DRY_API dry_side dry_net_state_side(const dry_net *net, int state);
/* The parts in the order in which they were added, and the name of each; NULL until the system is
 * made. */
DRY_API int dry_net_part_count(const dry_net *net);
DRY_API const dry_part *dry_net_part_at(const dry_net *net, int index, const char **name);
/* The law of the catalogue that an impedance part is; NULL: another part. */
DRY_API const dry_law *dry_part_law(const dry_part *part);
/* The index of the part that a parameter of the system belongs to; -1: no part has it. */
DRY_API int dry_net_part_of_par(const dry_net *net, int par);
/* What the condition means that system.watch found violated. */
DRY_API const char *dry_net_watch_text(const dry_net *net, int watch);
/* Lets the parts of a net that is a system choose anew what was left open, for motions of at most
 * omega, rad/s: dry_net_system has chosen for 500 rad/s, which semi-implicit steps of 1.3 ms and
 * RK4's of 5 ms integrate. DRY_NO_MEMORY; DRY_BAD_ARGUMENT unless omega is positive and finite. */
DRY_API dry_status dry_net_choose(dry_net *net, double omega);
/* The same for the pace of a run: joints by its omega, contacts by all of it. dry_net_choose has
 * exact integration and a step of 0.5/omega. */
DRY_API dry_status dry_net_choose_for(dry_net *net, const dry_pace *pace);
/* Whether a part has chosen this parameter of the system itself. */
DRY_API bool dry_net_is_chosen(const dry_net *net, int par);
/* What presses on a contact of shapes at the start, and how it was chosen. False unless part number
 * `index` is one whose K was chosen. */
DRY_API bool dry_net_press_at(const dry_net *net, int index, dry_net_press *press);

/* ---- contacts for the steps of a method --------------------------------------- */

/* The COR of a contact (law.h) by steps of a method with fixed steps, the mean over the phases of
 * the step at the touch-down; NaN where the method breaks down. */
DRY_API double dry_contact_rebound(const dry_contact_choice *contact, const dry_method *method,
                                   double mass, double step);
/* As dry_contact_resolved; a method with fixed steps whose mean error is larger than 1e-4 (by 0.1
 * with Euler) gets, where there is one with which the mean is right, that design with alpha and
 * beta shorter by a share of the step, where its stages make them longer, or else the tangent
 * design of another restitution. An adaptive or unknown method, or none (NULL), is exact, and so is
 * an impact of more than a thousand steps. */
DRY_API dry_status dry_contact_from_step(const char *method, double restitution, double mass,
                                         double step, double steps_per_contact,
                                         dry_contact_choice *choice);
/* The same of a given stiffness K. */
DRY_API dry_status dry_contact_by_step(const char *method, double restitution, double mass,
                                       double K, double step, dry_contact_choice *choice);

/* ---- how stiff it is --------------------------------------------------------- */

/* What counts: all that is stiff, stuck and closed; contacts alone (Kc), or all but these, where
 * there are both; what is left where all friction slides and all contacts are open. */
typedef enum dry_net_stiff {
    DRY_STIFF_ALL,
    DRY_STIFF_CLOSED,
    DRY_STIFF_HELD,
    DRY_STIFF_LOOSE
} dry_net_stiff;
/* What a stiffest motion is looked for at: omega, rad/s, the angular frequency; tau, s, the step of
 * a stage; crowd as in dry_part; w, velocities at their places among the states: only motions count
 * that these bring about, and those of bodies that may be touched. NULL: all. */
typedef struct dry_net_question {
    dry_net_stiff by;
    double omega, tau;
    bool crowd;
    const double *w;
} dry_net_question;
/* The motion near x, at rest, that is stiffest. */
typedef struct dry_net_mode {
    dry_firmness per_mass; /* 1/s^2; C: 1/s */
    const char *part;      /* that gives the most of it; NULL: nothing is stiff */
    /* The shortest time in which a friction that slips or a contact that is open forgets its
     * stretch: the least of the parameters called beta or betat, s; INFINITY: none. */
    double beta;
    const char *forgets;
} dry_net_mode;
/* DRY_NO_MEMORY; DRY_NOT_FINITE where it is not known, such as for bodies without kinetic energy.
 */
DRY_API dry_status dry_net_stiffest(const dry_net *net, const double *x, const dry_net_question *q,
                                    dry_net_mode *mode);

/* How the bodies answer, near x, to a force in a push of the duration h, s: `a`, what it does to
 * the rates of the states where each body is by itself, becomes what it does where joints (parts
 * that choose) hold them together, a stiff one being as good as rigid. Friction holds nothing.
 * DRY_NO_MEMORY. */
DRY_API dry_status dry_net_held(const dry_net *net, const double *x, double h, double *a);

/* ---- being part of something larger ------------------------------------------ */

/* A system made of a net and of equations outside of it (a .dry file with parts) evaluates it in
 * two halves: _forces fills work with motions and forces at (t, x), which dry_net_look then reads;
 * _rates adds `more` to the forces on the admittance ports, and to those of parts on the axis of a
 * joint, and gives the rates. */
DRY_API void dry_net_forces(const dry_env *env, double t, double tau, const double *x);
/* The same with the laws of parts and the friction of joints as a branch says (check.h); contacts
 * of shapes, and limits of robots' joints, are as they are. */
DRY_API void dry_net_forces_in(const dry_env *env, dry_branch branch, double t, double tau,
                               const double *x);
/* What its parts make of a branch, as bits (dry_part.ends). */
DRY_API unsigned dry_net_ends(const dry_net *net);
DRY_API void dry_net_rates(const dry_env *env, double t, double tau, const double *x,
                           const double *more, double *x_dot);
/* After dry_net_forces: the forces of parts on axes of joints become those with `more`. */
DRY_API void dry_net_push(const dry_env *env, const double *more);
/* After dry_net_rates with env->once: the power of `more`, with the velocities of the middle of the
 * step, as the net's own account has it. */
DRY_API double dry_net_push_power(const dry_env *env, const double *more);
/* Where a quantity is found after dry_net_forces: "ball.p[3]", "arm.tip.v[1]", "spring.f". */
typedef enum dry_net_where { DRY_IN_STATE, DRY_IN_MOTION, DRY_IN_FORCE } dry_net_where;
typedef struct dry_net_place {
    dry_net_where where;
    int index, count;
    const char *unit;
} dry_net_place;
DRY_API dry_status dry_net_find(const dry_net *net, const char *name, dry_net_place *place,
                                dry_error *error);
DRY_API const double *dry_net_look(const dry_env *env, const double *x, dry_net_place place);
/* The length of `more`, and where in it the force of an admittance port begins, "ball.f", "ball.m",
 * "rotor.f", or of a part on the axis of a joint, "closer.f": -1 where there is no such port. */
DRY_API int dry_net_force_count(const dry_net *net);
DRY_API int dry_net_force_find(const dry_net *net, const char *name);

/* ---- the energy account ------------------------------------------------------- */

/* One row per part of a run that was made with `account`, J: at the start and at the end. */
typedef struct dry_account_row {
    const char *part, *kind;
    dry_side side;
    bool source;
    double kinetic[2], potential[2]; /* admittance */
    double stored[2];                /* impedance */
    double work;       /* that flowed into the impedance part; that a source supplied is -work */
    double dissipated; /* work - (stored[1] - stored[0]); of a source 0 */
    double least;      /* the smallest, until any recorded time, of its work and what it held at the
                          start; below zero: it gave more than that, the law has created energy */
    double passed; /* of an impedance part: all work that flowed in and out, without its signs */
    double held;   /* of an impedance part: the most that it stored */
    bool passive;  /* it promises to create none */
} dry_account_row;

typedef struct dry_account {
    dry_account_row *rows;
    int count;
    double before, after; /* kinetic + potential + stored of all parts */
    double supplied, dissipated;
    double peak;  /* the largest of kinetic + stored of all parts, and of the work of all of them
                     without its signs, at one of the recorded times */
    double error; /* after - before - supplied + dissipated: falls with the order of the method */
} dry_account;

/* From the record of a run. The rows are to be freed by dry_account_free. */
DRY_API dry_status dry_net_account(const dry_net *net, const dry_record *record,
                                   dry_account *account, dry_error *error);
DRY_API void dry_account_free(dry_account *account);
/* The first row whose law has created more than `share` of the energy that passed through the
 * machine, which counts all work at the end and the peak; NULL: none. */
DRY_API const dry_account_row *dry_account_culprit(const dry_account *account, double share);
/* The first row that promised to be passive, and has given more than `share` of the energy that
 * passed through it beyond what it took, and more than rounding; NULL: none. And the first that
 * promised nothing. */
DRY_API const dry_account_row *dry_account_liar(const dry_account *account, double share);
DRY_API const dry_account_row *dry_account_giver(const dry_account *account, double share);
/* The share that the command line and sweeps take for wrong. */
#define DRY_ACCOUNT_CREATED 1e-3

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

/* Checks the values against the kind's table (unknown key, missing, range, how many), makes the
 * part and adds it. Mistakes are collected as dry_net_add does. */
DRY_API void dry_net_make(dry_net *net, const char *name, const dry_kind *kind,
                          const dry_value *values, int count);
/* Reading values in a `make`: numbers not given are the standard ones. */
DRY_API double dry_value_number(const dry_kind *kind, const dry_value *values, int count,
                                const char *key);
/* Fills numbers[0..n); how many were given (0: none, all standard). */
DRY_API int dry_value_numbers(const dry_kind *kind, const dry_value *values, int count,
                              const char *key, int n, double *numbers);
/* The word, or `otherwise`. */
DRY_API const char *dry_value_word(const dry_value *values, int count, const char *key,
                                   const char *otherwise);

/* The kinds of this room: point_mass, rotor, motion and moving_frame (prescribed), spring, damper,
 * backlash, stop, motor, and every law of the catalogue by its name; those that act on a coordinate
 * have a twin for coordinates in rad, rotary_spring. body.h has more. */
DRY_API int dry_net_kind_count(void);
DRY_API const dry_kind *dry_net_kind_at(int index);

#ifdef __cplusplus
}
#endif
#endif
