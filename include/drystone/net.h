/* net: connects parts into a machine and makes it a system.
 *
 * KY08 section II. Connections carry motion one way (Psi) and force back (Phi). Only they handle
 * frames and lever arms; parts never do. One evaluation runs five loops: all motions, Psi, all I,
 * Phi, all A. Order does not matter within a loop, so threads share it and any number of them gives
 * the same bits.
 *
 * Floor 2: core, base, math, law, ode, record, stability. */
#ifndef DRYSTONE_NET_H
#define DRYSTONE_NET_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/math.h>
#include <drystone/ode.h>
#include <drystone/part.h>
#include <drystone/record.h>
#include <drystone/stability.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the net ---------------------------------------------------------------- */

/* NULL without memory. */
DRY_API dry_net *dry_net_new(void);
DRY_API void dry_net_free(dry_net *net);
/* Returns true if memory has run out since the net was made; do not rely on its contents then.
 */
DRY_API bool dry_net_failed(const dry_net *net);
/* The net's own arena, for parts made at run time. */
DRY_API dry_arena *dry_net_arena(dry_net *net);

/* The functions that build a net collect mistakes and go on; dry_net_system reports all of them.
 * The net copies names and values, but not *part. dry_net_add returns the index of the part; -1 if
 * it was not added. */
DRY_API int dry_net_add(dry_net *net, const char *name, const dry_part *part);
/* Sets parameter "ball.mass", or `count` parameters from the one of that name on. */
DRY_API void dry_net_set(dry_net *net, const char *parameter, const double *values, int count);
/* Sets `count` states at the start, from "ball.v[1]" on; "ball.v" means the same. Parts with
 * n_latched, such as a contact, choose their own start. */
DRY_API void dry_net_start(dry_net *net, const char *state, const double *values, int count);

/* A port or a state by the index of its part and its own name: "tip", "v"; NULL or "" is the only
 * port. Programs that know the index use it; the functions above and dry_net_connect find the part
 * by its name. Set part to -1 if you know of no such part: the net reports that mistake under
 * `name`. */
typedef struct dry_member {
    int part;
    const char *name;
} dry_member;
/* As dry_net_start, from number `first` of the state on, counted from 0. */
DRY_API void dry_net_start_member(dry_net *net, dry_member state, int first, const double *values,
                                  int count);
/* Sets gravity, m/s^2; the default is zero. A coordinate of fewer dimensions takes the first ones.
 */
DRY_API void dry_net_gravity(dry_net *net, double x, double y, double z);

/* What a mistake is about. Its number counts the calls of dry_net_add, dry_net_connect, dry_net_set
 * or dry_net_start, from 0: the number of a part is its index. */
typedef enum dry_about {
    DRY_ABOUT_NET,        /* all of it, or a part that is being made */
    DRY_ABOUT_PART,       /* the part of that number */
    DRY_ABOUT_MEMBER,     /* a port or a parameter of the part of that number */
    DRY_ABOUT_CONNECTION, /* and so on */
    DRY_ABOUT_SETTING,
    DRY_ABOUT_START
} dry_about;

/* A mistake in how a net is connected, as values: programs read these, never the text. */
typedef struct dry_mistake {
    dry_about about;
    int number;
    const char *name; /* "spring", "joint.ends", "ball.v": a part, port or state; NULL: the net */
    const char *end;  /* "puck[7]": the wrong end of a connection; NULL: none */
    const char *key;  /* the wrong or missing key of the kind; NULL: none */
    bool unknown;     /* nothing has that name */
    bool in_file;     /* the mistake is in the file that `key` names; `what` begins with its line */
    const char *what; /* "the port is connected twice" */
    const char *way_out; /* "add a part for each connection"; NULL: none is known */
    const char *text;    /* all of it in one line */
} dry_mistake;

/* Adds a mistake, for code that makes parts. Leave `what` and `text` of `about` NULL; the format
 * gives them. The net copies everything. */
DRY_API void dry_net_mistaken(dry_net *net, dry_mistake about, const char *format, ...)
    DRY_PRINTF(3, 4);
/* Formats a text that lives as long as the net; "" without memory. */
DRY_API const char *dry_net_text(dry_net *net, const char *format, ...) DRY_PRINTF(2, 3);
/* Adds a remark; unlike a mistake, it does not stop the net from becoming a system. */
DRY_API void dry_net_remark(dry_net *net, const char *format, ...) DRY_PRINTF(2, 3);
DRY_API int dry_net_remark_count(const dry_net *net);
DRY_API const char *dry_net_remark_at(const dry_net *net, int index);

/* One end of a connection: a port of an admittance part, "ball.frame", or "ball" for its only port;
 * NULL is the world, which stands still. `member` gives the port by the index of its part instead;
 * leave `port` NULL then. On a frame, `at` is the point (in the frame's axes, m) and the quaternion
 * `turn` rotates the axes there ({0}: not turned). An end can also be a joint with an axis, "door".
 */
typedef struct dry_end {
    const char *port;
    const dry_member *member;
    double at[3];
    double turn[4];
} dry_end;

/* Connects a port of an impedance part, "spring" or "joint.frames": it receives the motion of a
 * relative to b, and its force acts on a and, reversed, on b. A coordinate of 3 dimensions in m
 * also accepts points of frames. A length accepts points. A surface accepts a point as a, and as b
 * the plane through a frame with normal z. Relative motion accepts two frames. A part that gathers
 * accepts a alone, any number of times. A coordinate of 1 dimension also accepts, as a alone, a
 * joint with an axis: it receives the motion that the joint leaves free, and its force acts between
 * the two ends of the joint. Returns the number of the connection, for mistakes about it; -1
 * without memory, or if the net is already a system. */
DRY_API int dry_net_connect(dry_net *net, const char *port, dry_end a, dry_end b);
/* The same by the index of the part. */
DRY_API int dry_net_connect_member(dry_net *net, dry_member port, dry_end a, dry_end b);

/* Chooses the parameters that parts leave open, while the net becomes a system. Pass dry_design_net
 * of design.h, or your own function. */
typedef dry_status dry_net_choose_fn(dry_net *net);

/* Zero means the default. */
typedef struct dry_net_options {
    const char *name;
    int threads;  /* default 1; the bits of the result do not depend on it */
    bool account; /* adds one state per impedance part, the work that flowed into it, and the energy
                     account to the outputs */
    dry_net_choose_fn *choose; /* default NULL: a part with open parameters is a mistake */
} dry_net_options;

/* Makes the net a system, which lives as long as the net; the net cannot change afterwards. It has
 * states "ball.p[1]", parameters "ball.mass" and outputs: forces "spring.f[1]" (on end a), motions
 * that are not states, the parts' own outputs, the account. Returns DRY_BAD_MODEL if there are
 * mistakes: the error holds the first, dry_net_mistake returns all of them. */
DRY_API dry_status dry_net_system(dry_net *net, const dry_net_options *options,
                                  const dry_system **system, dry_error *error);
DRY_API int dry_net_mistake_count(const dry_net *net);
/* Returns NULL beyond the last. Example of a text: "spring.ends: end a, rotor.q, is in rad, the
 * port in m: ..." */
DRY_API const dry_mistake *dry_net_mistake(const dry_net *net, int index);
/* The side of the part that owns a state; states of the account count as impedance. */
DRY_API dry_side dry_net_state_side(const dry_net *net, int state);
/* Part number `index`, in the order in which parts were added, and its name; NULL until the net is
 * a system. */
DRY_API int dry_net_part_count(const dry_net *net);
DRY_API const dry_part *dry_net_part_at(const dry_net *net, int index, const char **name);
/* The index of the part of that name, "ball[3]"; -1: there is none. */
DRY_API int dry_net_part_find(const dry_net *net, const char *name);
/* The index of the part that a parameter or a state of the system belongs to; -1: no part has it.
 * What the account adds belongs to no part. */
DRY_API int dry_net_part_of_par(const dry_net *net, int par);
/* The name of a parameter of the system without that of its part: "mass"; NULL: no part has it. */
DRY_API const char *dry_net_par_name(const dry_net *net, int par);
DRY_API int dry_net_part_of_state(const dry_net *net, int state);
/* Where the states and the parameters of a part begin in the system. */
DRY_API int dry_net_first_state(const dry_net *net, int part);
DRY_API int dry_net_first_par(const dry_net *net, int part);
/* What the condition means that system.watch found violated. */
DRY_API const char *dry_net_watch_text(const dry_net *net, int watch);
/* Returns true if this parameter of the system was chosen, not given. */
DRY_API bool dry_net_is_chosen(const dry_net *net, int par);
/* The load on a contact of shapes at the start, and the choice made for it. Returns false unless
 * part number `index` is a contact whose K was chosen. */
DRY_API bool dry_net_press_at(const dry_net *net, int index, dry_net_press *press);

/* ---- what parts leave open ---------------------------------------------------- */

/* For design. _reopen resets all parameters to the given ones; it returns false if no part leaves
 * any open. _own_par returns the parameters of a part, for you to fill in. _note_press stores what
 * dry_net_press_at returns; it returns false without memory. */
DRY_API bool dry_net_reopen(dry_net *net);
DRY_API double *dry_net_own_par(dry_net *net, int part);
DRY_API bool dry_net_note_press(dry_net *net, int part, const dry_net_press *press);

/* ---- how bodies respond -------------------------------------------------------- */

/* How the bodies of a net respond to forces, at rest in their start pose, each by its own inertia
 * alone: acceleration = W force; 1/kg, 1/(kg m), 1/(kg m^2). Parts and bodies are identified by
 * part number, frames of a part that gathers by the number of their connection. _new returns NULL
 * without memory. */
typedef struct dry_response dry_response;
DRY_API dry_response *dry_response_new(const dry_net *net);
DRY_API void dry_response_free(dry_response *response);
/* Finds the bodies at the two ends of an impedance part with one port; returns how many, 0 to 2. */
DRY_API int dry_response_bodies(const dry_response *response, int part, int bodies[2]);
/* W of the port of such a part, n x n, row-major, n the size of its force. */
DRY_API void dry_response_at_port(const dry_response *response, int part, double *W);
/* The same for a port of one number, while joints hold the bodies together for the time h, s
 * (dry_net_held). Returns NaN without memory. */
DRY_API double dry_response_held(const dry_response *response, int part, double h);
/* For a part that gathers. Call _gather first: it computes the motion of the part's frames.
 * _touches finds the points at which a shape may be touched in a crowd, and its frame (part.h,
 * touches). _body returns the body of a frame, or -1 if the frame does not move. _at_frame computes
 * W of a frame that moves, 6 x 6: force, moment. */
DRY_API void dry_response_gather(const dry_response *response, int part);
DRY_API int dry_response_touches(const dry_response *response, int part, int shape, int *frame,
                                 dry_touch touches[DRY_MOST_TOUCHES]);
DRY_API int dry_response_body(const dry_response *response, int part, int frame);
DRY_API void dry_response_at_frame(const dry_response *response, int part, int frame, double W[36]);
/* _load applies the load at the start: gravity, parts that are neither joints nor contacts, and
 * `pushes` (dry_pace), while joints hold for the time h, s; it returns false without memory. After
 * it, _loaded gives the acceleration of a frame, m/s^2. */
DRY_API bool dry_response_load(dry_response *response, const double *pushes, double h);
DRY_API void dry_response_loaded(const dry_response *response, int part, int frame, double a[3]);

/* ---- how stiff it is --------------------------------------------------------- */

/* Which stiffnesses count. */
typedef enum dry_net_stiff {
    DRY_STIFF_ALL,    /* all of them, with friction stuck and contacts closed */
    DRY_STIFF_CLOSED, /* contacts alone (Kc), if the net also has others */
    DRY_STIFF_HELD,   /* all but contacts */
    DRY_STIFF_LOOSE   /* those that remain when all friction slides and all contacts are open */
} dry_net_stiff;
/* How to search for the stiffest motion. omega, rad/s: angular frequency. tau, s: step of a stage.
 * crowd: as in dry_gathering. w: velocities, each at the index of its state; only motions that they
 * cause count, and those of bodies that may be touched; NULL: all motions count. */
typedef struct dry_net_question {
    dry_net_stiff by;
    double omega, tau;
    bool crowd;
    const double *w;
} dry_net_question;
/* The motion near x, at rest, that is stiffest. */
typedef struct dry_net_mode {
    dry_firmness per_mass; /* 1/s^2; C: 1/s */
    int part;              /* that gives the most of it; -1: nothing is stiff */
    /* The shortest time in which a friction that slips or a contact that is open forgets its
     * stretch, s (dry_part_design.forgets); INFINITY: none. */
    double beta;
    int forgets; /* the part; -1: none */
} dry_net_mode;
/* Finds the stiffest motion. Returns DRY_NO_MEMORY, or DRY_NOT_FINITE if it is not known, such as
   for bodies without kinetic energy.
 */
DRY_API dry_status dry_net_stiffest(const dry_net *net, const double *x, const dry_net_question *q,
                                    dry_net_mode *mode);

/* Corrects the response of bodies near x to a force of the duration h, s, for the joints between
 * them. On entry `a` holds the rates of the states with each body by itself; on return, with joints
 * (parts that choose) holding the bodies together. A stiff joint acts as a rigid one; friction
 * holds nothing. Returns DRY_OK or DRY_NO_MEMORY. */
DRY_API dry_status dry_net_held(const dry_net *net, const double *x, double h, double *a);

/* ---- being part of something larger ------------------------------------------ */

/* A system that combines a net with equations (a .dry file with parts) evaluates the net in two
 * halves. _forces computes motions and forces at (t, x) into the scratch, where dry_net_read reads
 * them. _rates adds `more` to the forces on admittance ports and to the forces of parts on joint
 * axes, and computes the rates. */
DRY_API void dry_net_forces(const dry_env *env, double t, double tau, const double *x);
/* The same with the laws of parts and the friction of joints in a branch (stability.h). Contacts of
 * shapes and limits of robot joints ignore the branch. */
DRY_API void dry_net_forces_in(const dry_env *env, dry_branch branch, double t, double tau,
                               const double *x);
/* Calls `each` for every two shapes of a contact that press on each other at (t, x). */
DRY_API void dry_net_touching(const dry_env *env, double t, double tau, const double *x,
                              dry_touching_fn *each, void *user);
/* Returns true if the net has such contacts. */
DRY_API bool dry_net_can_touch(const dry_net *net);
/* How its parts depend on the branch, as bits (dry_part.ends). */
DRY_API unsigned dry_net_ends(const dry_net *net);
DRY_API void dry_net_rates(const dry_env *env, double t, double tau, const double *x,
                           const double *more, double *x_dot);
/* After dry_net_forces: adds `more` to the forces of parts on joint axes. */
DRY_API void dry_net_push(const dry_env *env, const double *more);
/* After dry_net_rates with env->once: the power of `more`, with the velocities at the middle of the
 * step, as in the net's own account. */
DRY_API double dry_net_push_power(const dry_env *env, const double *more);
/* Where a quantity is found after dry_net_forces: "ball.p[3]", "arm.tip.v[1]", "spring.f"; or that
 * it is an output of the system, "touch.depth", "ball.kinetic". */
typedef enum dry_net_where {
    DRY_IN_STATE,
    DRY_IN_MOTION,
    DRY_IN_FORCE,
    DRY_IN_OUTPUT
} dry_net_where;
typedef struct dry_net_found {
    dry_net_where where;
    int index, count;
    const char *unit;
} dry_net_found;
DRY_API dry_status dry_net_find(const dry_net *net, const char *name, dry_net_found *to,
                                dry_error *error);
/* The same by the index of the part, "tip.v[1]"; false: it has no such quantity. */
DRY_API bool dry_net_find_in(const dry_net *net, int part, const char *name, dry_net_found *to);
/* The force of a part that gathers on a frame that is connected to it: `on.name` is the field, "f",
 * after the name of the frame if its part has several, "tip.f". False: there is no such. */
DRY_API bool dry_net_find_on(const dry_net *net, int part, dry_member on, dry_net_found *to);
/* Not for an output. */
DRY_API const double *dry_net_read(const dry_env *env, const double *x, dry_net_found found);
/* A quantity of a part as its author named it: the first `length` letters of `name`, "tip.v" of
 * "tip.v[1]". DRY_IN_OUTPUT: it is computed after the rates, which cannot use it. */
typedef struct dry_net_quantity {
    const char *name;
    int length, count;
    const char *unit; /* of the first number */
    dry_net_where where;
    bool is_inner; /* dry_state_is_inner */
} dry_net_quantity;
typedef void dry_net_quantity_fn(void *user, const dry_net_quantity *quantity);
/* Calls `each` for every state and output of a part. */
DRY_API void dry_net_each_quantity(const dry_net *net, int part, dry_net_quantity_fn *each,
                                   void *user);

/* A port of a part, by their indices. */
typedef struct dry_net_port {
    int part, port; /* -1: the world */
} dry_net_port;
/* Where its motion and its force begin after dry_net_forces, for dry_net_read; an admittance port
 * has no force there, and its count is 0. Where its force begins in `more`, -1:
 * equations cannot push there. */
DRY_API dry_net_found dry_net_motion_of(const dry_net *net, dry_net_port port);
DRY_API dry_net_found dry_net_force_of(const dry_net *net, dry_net_port port);
DRY_API int dry_net_push_of(const dry_net *net, dry_net_port port);
/* Where its force begins among the outputs of the system; -1: it is none of them. */
DRY_API int dry_net_column_of(const dry_net *net, dry_net_port port);
/* What an impedance port joins: end a, end b; those of the joint if it is on an axis. */
DRY_API void dry_net_ends_of(const dry_net *net, dry_net_port port, dry_net_port ends[2]);
/* The length of `more`, and where in it the force of an admittance port begins, "ball.f", "ball.m",
 * "rotor.f", or of a part on the axis of a joint, "closer.f": -1 if there is no such port. */
DRY_API int dry_net_force_count(const dry_net *net);
DRY_API int dry_net_force_find(const dry_net *net, const char *name);
/* The same by the index of the part, "f", "tip.m": the port, where its numbers begin in `more`, how
 * many and in which unit, and the velocity whose product with them is a power. False: no such. */
typedef struct dry_net_found_push {
    dry_net_port port;
    int first, count;
    const char *unit, *velocity; /* of the velocity: its name in the port, "v" or "omega" */
    dry_net_found speed;
} dry_net_found_push;
DRY_API bool dry_net_push_find(const dry_net *net, int part, const char *name,
                               dry_net_found_push *push);

/* ---- the energy account ------------------------------------------------------- */

/* Energies of one part over a run with options.account, J: [0] at the start, [1] at the end. */
typedef struct dry_account_row {
    const char *part, *kind;
    dry_side side;
    bool feeds;                      /* it may give energy: DRY_FEEDS */
    double kinetic[2], potential[2]; /* admittance */
    double stored[2];                /* impedance */
    double work;       /* that flowed into the impedance part; what feeds supplied -work */
    double dissipated; /* work - (stored[1] - stored[0]); of what feeds 0 */
    double least;      /* the minimum over recorded times of its work plus what it stored at the
                          start; below zero, the law has created energy */
    double passed;     /* of an impedance part: the sum of |work| that flowed in and out */
    double held;       /* of an impedance part: the largest energy that it stored */
    bool passive;      /* it promises to create no energy */
} dry_account_row;

typedef struct dry_account {
    dry_account_row *rows;
    int count;
    double before, after; /* kinetic + potential + stored of all parts */
    double supplied, dissipated;
    double peak;  /* the maximum over recorded times of kinetic + stored energy of all parts, and of
                     the sum of their |work| */
    double error; /* after - before - supplied + dissipated: falls with the order of the method */
} dry_account;

/* Computes the account from the record of a run. Free its rows with dry_account_free. */
DRY_API dry_status dry_net_account(const dry_net *net, const dry_record *record,
                                   dry_account *account, dry_error *error);
DRY_API void dry_account_free(dry_account *account);
/* The first row whose law has created more than `share` of the energy that passed through the
 * machine (all work at the end, and the peak); NULL: none. */
DRY_API const dry_account_row *dry_account_culprit(const dry_account *account, double share);
/* _liar: the first row that promised to be passive but has given more energy than it took, by more
 * than `share` of the energy that passed through it and by more than rounding; NULL: none. _giver:
 * the first such row that promised nothing. */
DRY_API const dry_account_row *dry_account_liar(const dry_account *account, double share);
DRY_API const dry_account_row *dry_account_giver(const dry_account *account, double share);
/* The share above which the command line and sweeps report an error. */
#define DRY_ACCOUNT_CREATED 1e-3

/* ---- kinds -------------------------------------------------------------------- */

/* Checks the values against the kind's keys (unknown key, missing key, range, count), makes the
 * part and adds it. Collects mistakes as dry_net_add does. */
DRY_API void dry_net_make(dry_net *net, const char *name, const dry_kind *kind,
                          const dry_value *values, int count);
/* The kinds of this room: point_mass, rotor, motion and moving_frame (prescribed), spring, damper,
 * backlash, stop, motor, and every law of the catalogue by its name; those that act on a coordinate
 * have a twin for coordinates in rad, rotary_spring. body.h has more. */
DRY_API int dry_net_kind_count(void);
DRY_API const dry_kind *dry_net_kind_at(int index);

#ifdef __cplusplus
}
#endif
#endif
