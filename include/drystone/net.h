/* net: a machine put together from parts; what comes out is a system.
 *
 * KY08 section II. Connections carry motion one way (Psi) and the force back (Phi): frames and
 * lever arms are handled there, once, and by no part. One evaluation is: all motions, Psi, all I,
 * Phi, all A; within each of these loops the order does not matter, so they run on threads and give
 * the same bits for any number of them.
 *
 * Floor 2: core, base, math, law, ode, record, check. */
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

/* Chooses the parameters that parts leave open, while the net becomes a system: dry_design_net of
 * design.h, or your own. */
typedef dry_status dry_net_choose_fn(dry_net *net);

/* Zero means the default. */
typedef struct dry_net_options {
    const char *name;
    int threads;  /* default 1; the bits of the result do not depend on it */
    bool account; /* one state more per impedance part, the work that flowed into it, and the energy
                     account among the outputs */
    dry_net_choose_fn *choose; /* default NULL: parts that leave something open are mistakes */
} dry_net_options;

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
/* The index of the part that a parameter of the system belongs to; -1: no part has it. */
DRY_API int dry_net_part_of_par(const dry_net *net, int par);
/* What the condition means that system.watch found violated. */
DRY_API const char *dry_net_watch_text(const dry_net *net, int watch);
/* Whether a part has chosen this parameter of the system itself. */
DRY_API bool dry_net_is_chosen(const dry_net *net, int par);
/* What presses on a contact of shapes at the start, and how it was chosen. False unless part number
 * `index` is one whose K was chosen. */
DRY_API bool dry_net_press_at(const dry_net *net, int index, dry_net_press *press);

/* ---- what parts leave open ---------------------------------------------------- */

/* For design: all parameters become again what they were given; false if no part leaves anything
 * open. The parameters of a part, to be filled in. Keeps for dry_net_press_at what a contact was
 * chosen for; false without memory. */
DRY_API bool dry_net_reopen(dry_net *net);
DRY_API double *dry_net_own_par(dry_net *net, int part);
DRY_API bool dry_net_note_press(dry_net *net, int part, const dry_net_press *press);

/* ---- how bodies respond -------------------------------------------------------- */

/* How the bodies of a net respond to forces, at rest where they start, each by its own inertia,
 * whatever else acts on them: accelerations = W force; 1/kg, 1/(kg m), 1/(kg m^2). Parts by their
 * number, frames of a part that gathers by that of their connection; bodies have numbers below
 * dry_net_part_count. NULL without memory. */
typedef struct dry_response dry_response;
DRY_API dry_response *dry_response_new(const dry_net *net);
DRY_API void dry_response_free(dry_response *response);
/* The bodies at the two ends of an impedance part with one port: how many, which may be none. */
DRY_API int dry_response_bodies(const dry_response *response, int part, int bodies[2]);
/* W of the port of such a part, n x n, row-major, n the size of its force. */
DRY_API void dry_response_at_port(const dry_response *response, int part, double *W);
/* The same for a port of one number, while joints hold the bodies together for h, s (dry_net_held).
 * NaN without memory. */
DRY_API double dry_response_held(const dry_response *response, int part, double h);
/* A part that gathers: finds the motion of its frames, which the others need. The points at which a
 * shape may be touched in a crowd, and its frame (part.h, touches). The body of a frame, -1: it
 * does not move. W of a frame that moves, 6 x 6: force, moment. */
DRY_API void dry_response_gather(const dry_response *response, int part);
DRY_API int dry_response_touches(const dry_response *response, int part, int shape, int *frame,
                                 dry_touch touches[DRY_MOST_TOUCHES]);
DRY_API int dry_response_body(const dry_response *response, int part, int frame);
DRY_API void dry_response_at_frame(const dry_response *response, int part, int frame, double W[36]);
/* Finds what the load at the start does: gravity, parts that are neither joints nor contacts, and
 * `pushes` (dry_pace), while joints hold for h, s; false without memory. Then the acceleration of a
 * frame by it, m/s^2. */
DRY_API bool dry_response_load(dry_response *response, const double *pushes, double h);
DRY_API void dry_response_loaded(const dry_response *response, int part, int frame, double a[3]);

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
/* The same with the laws of parts and the friction of joints as a branch says (stability.h);
 * contacts of shapes, and limits of robots' joints, are as they are. */
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

/* ---- kinds -------------------------------------------------------------------- */

/* Checks the values against the kind's table (unknown key, missing, range, how many), makes the
 * part and adds it. Mistakes are collected as dry_net_add does. */
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
