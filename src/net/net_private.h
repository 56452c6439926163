/* net, inside the room: parts with their offsets in the arrays of a run, links between them, and
 * what the files share. */
#ifndef DRYSTONE_NET_PRIVATE_H
#define DRYSTONE_NET_PRIVATE_H

#include <drystone/net.h>
#include <string.h>

/* ---- what the caller gave ------------------------------------------------ */

/* A member of a part, as the caller gave it: by its name, or by the index of the part. */
typedef struct dry_net__named {
    const char *name; /* NULL: given by index, or it is the world */
    int part;         /* -1: no such part, or it is not known yet */
    const char *own;  /* the member's own name; NULL: dry_net__know takes it from `name` */
} dry_net__named;

/* Numbers for parameters or for states at the start. */
typedef struct dry_net__setting {
    struct dry_net__setting *next;
    dry_net__named of;
    int first; /* number of the member, from 0 */
    dry_about about;
    int number; /* of those of its kind */
    const double *values;
    int count;
    int index; /* of the first number, once it is known; -1: unknown name */
    dry_side side;
} dry_net__setting;

typedef struct dry_net__wire {
    struct dry_net__wire *next;
    int number; /* in the order of dry_net_connect */
    dry_net__named of, on_a, on_b;
    dry_end a, b; /* with their places and axes */
} dry_net__wire;

typedef struct dry_net__note {
    struct dry_net__note *next;
    dry_mistake mistake; /* of a remark: only its text is set */
} dry_net__note;

typedef struct dry_net__notes {
    dry_net__note *first, *last;
    int count;
} dry_net__notes;

/* ---- parts and links, each with the places of its numbers -------------- */

/* A part and its name. Offsets: x in the states, par in the parameters, motion and force of its
 * ports in the arrays of a run (an admittance part's force in `total`), work in bytes. */
typedef struct dry_net__node {
    const char *name;
    const dry_part *part;
    int index; /* in the order in which parts were added */
    int x, par, motion, force;
    int n_turns;  /* impedance: the states after its own that count turns (run_turns.c) */
    int n_motion; /* admittance: the numbers of the motion of its ports */
    int link;     /* impedance: the links of its ports, one after the other */
    int port;     /* admittance: the inlets of its ports, one after the other */
    int account;  /* the state that holds the work, -1: none */
    int energies; /* with an account: where its energies begin among the outputs */
    int kink, pause, output, watch;
    size_t work;
    bool gathers;
    bool broken;          /* it could not be made, and this was reported: report nothing more about
                             it */
    dry_net_press *press; /* the load for which its contact was chosen; NULL: it was not */
} dry_net__node;

typedef enum dry_net__end_kind { DRY_NET__WORLD, DRY_NET__POINT, DRY_NET__FRAME } dry_net__end_kind;

/* An end of a link: a frame, a point that has 1 to 3 coordinates, or the world. */
typedef struct dry_net__end {
    dry_net__end_kind kind;
    int dim;
    int motion;   /* offset of its port's motion */
    int inlet;    /* the port's, -1: the world */
    double at[3]; /* in the frame's axes; for a point and the world, an offset */
    double turn[4];
} dry_net__end;

/* Connects a port of an impedance part to its ends; on the axis of a joint these are the joint's
   ends.
 */
typedef struct dry_net__link {
    const dry_port *port;
    int in, out;   /* offsets of the motion and the force of the port */
    int dim;       /* of a coordinate */
    bool direct;   /* without lever arms and rotations: the force itself acts on the ends */
    dry_axis axis; /* that it acts on */
    int theta;     /* of an angle: the state that counts the turns (run_turns.c) */
    int wrench;    /* if not direct: offset of the forces on both ends, 6 numbers each */
    dry_net__end a, b;
} dry_net__link;

/* A port of an admittance part: the forces that add up there, in a fixed order. */
typedef struct dry_net__inlet {
    const dry_port *port;
    int part;         /* the index of the part */
    int total, size;  /* where the sum is, and how many numbers */
    int first, count; /* which of the shares */
} dry_net__inlet;

/* A force that a sum adds: its offset, and whether to subtract it. */
typedef struct dry_net__share {
    int force;
    bool reversed;
} dry_net__share;

/* What the loops of an evaluation read of a part, and of a direct link between coordinates. It is
 * packed because memory bandwidth limits these loops in large nets. */
typedef struct dry_net__packed {
    void (*eval)(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot);
    void (*motion)(const dry_part_env *env, const double *x, double *motion);
    bool (*latch)(const dry_part_env *env, const double *in, double *x);
    const void *data;
    size_t work;
    int x, n_x, par, account; /* offsets as in a node */
    int in, out;              /* impedance: motion, force; admittance: total, motion */
    int link, n_links;        /* admittance: the inlets */
    int n_motion;             /* admittance: of its ports */
    int member;               /* admittance: its first frame in parts that gather; they end where
                                 the next body's begin */
    int span, n_spans;        /* admittance: of its states */
    bool indirect;            /* impedance: some links are not direct */
} dry_net__packed;

/* Consecutive states of a body that are all positions, or all not. */
typedef struct dry_net__span {
    int from, to;
    bool are_positions;
} dry_net__span;

/* Frame k of a part that gathers. */
typedef struct dry_net__member {
    int law, k;
    bool moves; /* its body moves by the force on it; else that force is not needed */
} dry_net__member;

typedef struct dry_net__strand {
    int a, b; /* offsets of the motions of the ends, -1: the world */
    int in;
    signed char dim; /* 0: not direct between coordinates; -1: `in` is `a`, nothing to copy */
    bool offset;
} dry_net__strand;

/* Numbers of a port that are copied to the outputs. */
typedef struct dry_net__copy {
    const struct dry_net__node *node;
    const dry_port *port;
    const char *name, *unit; /* of the field */
    int from, count;
} dry_net__copy;

/* What the caller added, until the net is built. */
typedef struct dry_net__asked {
    dry_arena *wires; /* memory of the wires */
    double gravity[3];
    bool account;
    dry_net__wire *first_wire, *last_wire;
    dry_net__setting *first_par, *last_par, *first_start, *last_start;
    int n_nodes, n_wires, n_pars, n_starts;
} dry_net__asked;

/* The parts and their connections. */
typedef struct dry_net__wiring {
    dry_net__node **nodes;      /* in the order in which they were added; room for n_buckets/2 */
    dry_net__node **admittance; /* the same by side; those that gather come last */
    dry_net__node **impedance;
    int n_admittance, n_impedance, n_single; /* n_single impedance parts do not gather */
    int *buckets;                            /* of names: 1 + index of a node, 0: empty */
    int n_buckets;
    dry_net__link *links;
    dry_net__inlet *inlets;
    dry_net__share *shares;
    int n_links, n_inlets;
    int *driven; /* the links on axes of joints */
    int n_driven;
} dry_net__wiring;

/* What the loops of a run read. */
typedef struct dry_net__loops {
    dry_net__packed *bodies, *laws; /* of the admittance and of the impedance parts */
    dry_net__span *spans;
    int n_spans;
    dry_net__strand *strands; /* of the links */
    dry_net__member *members; /* of the bodies, in their order */
    int n_members;
    dry_net__node **watched;
    int n_watched;
    bool body_has_latch, law_has_latch, law_has_positions, has_holds, has_fastest;
} dry_net__loops;

/* Sizes of the arrays of a run. */
typedef struct dry_net__sizes {
    int n_motion, n_force, n_wrench, n_total, n_watches;
} dry_net__sizes;

/* The meaning of outputs and watched conditions. */
typedef struct dry_net__columns {
    dry_net__copy *force_copies, *motion_copies; /* forces, and motions that are not states */
    int n_force_copies, n_motion_copies;
    int account_outputs;  /* index of the account's first output */
    const char **watches; /* the text of each watched condition */
} dry_net__columns;

struct dry_net {
    dry_arena *arena;
    bool full;      /* memory ran out */
    bool built;     /* the net cannot change any more */
    dry_team *team; /* NULL if threads do not pay */
    dry_net__notes mistakes, remarks;
    dry_net__asked asked;
    dry_net__wiring wiring;
    dry_net__loops loops;
    dry_net__sizes sizes;
    dry_net__columns columns;
    double *par;
    double *given; /* the same as given, before design chose; NULL: nothing is open */
    dry_system system;
};

/* ---- build_net.c: building --------------------------------------------------- */

/* Allocates memory of the net; returns NULL and sets net->full without memory. */
void *dry_net__take(dry_net *net, size_t count, size_t size);
/* What a mistake is about, the first members of a dry_mistake: a part, a port or parameter of it, a
 * connection, a setting. */
#define DRY_NET__OF_PART(node)                                                                     \
    .about = DRY_ABOUT_PART, .number = (node)->index, .name = (node)->name
#define DRY_NET__OF_MEMBER(part, text) .about = DRY_ABOUT_MEMBER, .number = (part), .name = (text)
#define DRY_NET__OF_WIRE(net, wire)                                                                \
    .about = DRY_ABOUT_CONNECTION, .number = (wire)->number,                                       \
    .name = dry_net__full_name(net, &(wire)->of)
#define DRY_NET__OF_SETTING(net, setting)                                                          \
    .about = (setting)->about, .number = (setting)->number,                                        \
    .name = dry_net__full_name(net, &(setting)->of)
/* The mistake that a part could not be made by, with its key and way out. */
void dry_net__mistaken_by(dry_net *net, dry_mistake about, const dry_error *error);

/* ---- build_names.c ----------------------------------------------------------- */

/* A field of a port's motion or force: "omega", 3 numbers. */
typedef struct dry_net__field {
    const char *name, *unit;
    int first, count;
} dry_net__field;
enum { DRY_NET__MOST_FIELDS = 4 };

/* Lists the fields; returns how many. */
int dry_net__motion_fields(const dry_port *port, dry_net__field *fields);
int dry_net__force_fields(const dry_port *port, dry_net__field *fields);

/* Adds a node to the list and to the buckets; returns false and sets net->full without memory. */
bool dry_net__list_node(dry_net *net, dry_net__node *node);
/* Reports wrong and duplicate names. */
void dry_net__check_names(dry_net *net);
/* Finds the part and the member's own name, once all parts are there. */
void dry_net__know(const dry_net *net, dry_net__named *named);
/* "ball.tip", for messages; "the world". */
const char *dry_net__full_name(dry_net *net, const dry_net__named *named);
/* "a" or "an", for the name of a kind. */
DRY_INLINE const char *dry_net__article(const char *kind) {
    const char c = *kind;
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' ? "an" : "a";
}
/* The part that it names; NULL: there is none. */
dry_net__node *dry_net__part_of(const dry_net *net, const dry_net__named *named);
DRY_INLINE bool dry_net__is_world(const dry_net__named *named) {
    return !named->name && named->part < 0;
}
/* The part whose name these letters are; NULL: none. */
dry_net__node *dry_net__node_at(const dry_net *net, const char *name, size_t length);
/* The part before the first dot of `name`; *rest becomes what follows it ("" where nothing does).
 */
dry_net__node *dry_net__node_of(const dry_net *net, const char *name, const char **rest);
/* The index of a port by its name, or of the only one for ""; -1: none. */
int dry_net__port_of(const dry_part *part, const char *name);
/* "frame, tip", for messages. */
const char *dry_net__port_list(dry_net *net, const dry_part *part);
/* The length of "v" in "v[2]"; two names that differ by their index alone. */
int dry_net__stem_length(const char *name);
bool dry_net__same_stem(const char *a, const char *b);
/* The first of the quantities called `name`, or name[1]; *count becomes how many belong to it. -1:
 * none. */
int dry_net__quantity_of(const dry_quantity *all, int n, const char *name, int *count);
/* The same among the fields; `name` may have an index, "v[2]". */
bool dry_net__field_of(const dry_net__field *fields, int n, const char *name,
                       dry_net__field *found);

/* ---- build_ends.c: the ends of a wire ----------------------------------------- */

/* The end of a wire that a message is about. */
typedef struct dry_net__spot {
    const dry_net__wire *wire;
    const char *end;          /* "a" */
    const dry_net__named *on; /* that end */
} dry_net__spot;

bool dry_net__is_zero(const double *x, int n);
/* Resolves the end and checks that it fits the port of the impedance part; returns false if it
 * reported a mistake. */
bool dry_net__end_resolve(dry_net *net, const dry_net__spot *spot, const dry_end *from,
                          dry_net__end *end);
bool dry_net__end_fits(dry_net *net, const dry_net__spot *spot, const dry_port *port,
                       const dry_net__end *end, bool is_a);

/* ---- build_axis.c: parts on the axis of a joint -------------------------------- */

bool dry_net__is_on_axis(const dry_net *net, const dry_net__wire *wire);
bool dry_net__takes_axis(const dry_port *port);
/* Links a port of the part `node` to the axis of a joint, after the joint has its own link. */
void dry_net__join_axis(dry_net *net, const dry_net__wire *wire, dry_net__node *node,
                        const dry_port *port, dry_net__link *link);
void dry_net__list_axes(dry_net *net);
DRY_INLINE bool dry_net__turns(const dry_net__link *link) { return link->axis == DRY_TURNS; }

/* ---- build_connect.c: wires become links ------------------------------------- */

void dry_net__connect(dry_net *net);
/* build_offsets.c: call it after all links are made. */
void dry_net__set_offsets(dry_net *net);
void dry_net__share_out(dry_net *net);

/* ---- build_layout.c: places of all numbers, and the system ------------------- */

void dry_net__lay_out(dry_net *net, const char *name);

/* ---- run_wiring.c: Psi and Phi --------------------------------------------- */

/* Motion of the ends -> motion of the port. */
void dry_net__psi(const dry_net__link *link, const double *motion, double *in);
/* Force of the port -> forces on the ends, in the wrenches of `force`; not for direct links. */
void dry_net__phi(const dry_net__link *link, const double *motion, double *force);
/* The power of a force on a motion of the same port. */
double dry_net__power(const dry_port *port, const double *motion, const double *force);

/* ---- run_loops.c: the loops over parts ------------------------------------- */

/* The arrays that one evaluation reads and writes. */
typedef struct dry_net__run {
    const dry_net *net;
    dry_team *team;
    const double *par;
    double *motion; /* of all ports: build_offsets.c */
    double *force;  /* of all impedance ports, then the wrenches on the ends */
    double *total;  /* on all admittance ports */
    double *rates;  /* scratch of the size of the state */
    double *stages; /* scratch of dry_net__rk4_size */
    double *middle; /* with an account: states in the middle of a step of first order */
    char *work;
    double t, tau;
    dry_branch branch;
    bool once, calm; /* as in dry_part_env */
    const double *x;
    double *x_dot;
    const double *more;
} dry_net__run;

dry_net__run dry_net__run_of(const dry_env *env, double t, double tau, const double *x);
size_t dry_net__work_size(const dry_net *net);
dry_part_env dry_net__env(const dry_net__run *run, const dry_net__node *node);

/* Fills what the loops read, once all offsets are known. */
void dry_net__pack(dry_net *net);

/* The result of a loop, as bits; 0: nothing to report. */
enum {
    DRY_NET__BROKEN = 1, /* a number is not finite */
    DRY_NET__MOVED = 2,  /* a body moved far enough for a part that gathers to search again */
    DRY_NET__CHANGED = 4 /* a latch has changed a state */
};

/* Calls body for ranges that cover 0 .. count, on threads if that pays, and returns the union of
 * their bits. */
typedef unsigned dry_net__range_fn(const void *data, int from, int to);
unsigned dry_net__each(dry_team *team, int count, dry_net__range_fn *body, const void *data);

/* Runs a body's latch; if it changes x, computes the body's motion again. x is also the run's. */
bool dry_net__latch_body(const dry_part_env *env, const dry_net__packed *body, double *x);
/* Steps of one part: its motion; Psi, I, and Phi without the sums; the sums of Phi; A. */
void dry_net__move(const dry_net__run *run, const dry_part_env *env, const dry_net__packed *body);
void dry_net__impede(const dry_net__run *run, const dry_net__packed *law);
void dry_net__sum(const dry_net__run *run, const dry_net__packed *body);
void dry_net__admit(const dry_net__run *run, const dry_part_env *env, const dry_net__packed *body,
                    double *x_dot);
/* Inline pieces of the loops: the environment of a part's functions, Psi of a link, I of a part,
   its work.
 */
DRY_INLINE dry_part_env dry_net__packed_env(const dry_net__run *run, const dry_net__packed *packed,
                                            dry_team *team) {
    return (dry_part_env){.data = packed->data,
                          .par = run->par + packed->par,
                          .work = run->work + packed->work,
                          .gravity = run->net->asked.gravity,
                          .t = run->t,
                          .tau = run->tau,
                          .branch = run->branch,
                          .once = run->once,
                          .team = team};
}
void dry_net__psi_link(const dry_net__run *run, int link);
void dry_net__eval_law(const dry_net__run *run, const dry_net__packed *law, dry_team *team);
void dry_net__account_law(const dry_net__run *run, const dry_net__packed *law);

/* The power of forces on a body; `total` holds the forces on all bodies. */
double dry_net__power_on(const dry_net__run *run, const dry_net__packed *body, const double *total);
/* run_midpoint_work.c: computes the rates of the account in a step of first order; leaves the
 * motions of its midpoint.
 */
void dry_net__account_middle(const dry_net__run *run);

/* ---- run_turns.c: angles of joints that go on ------------------------------- */

/* The angle plus the number of whole turns that brings it nearest to theta. */
double dry_net__turned(double angle, double theta);
/* Psi and Phi of a link with such an angle; Phi also computes the rate of theta. */
void dry_net__psi_turned(const dry_net__run *run, const dry_net__link *link);
void dry_net__phi_turned(const dry_net__run *run, const dry_net__link *link);
/* Both need the motions. _start_turns sets theta at the start. _latch_turns runs after a step and
 * returns true if it changed x. */
void dry_net__start_turns(const dry_net__run *run, double *x);
bool dry_net__latch_turns(const dry_net__run *run, double *x);

/* ---- build_axis.c: what equations add ------------------------------------------ */

/* The index in `more` for the force of a link, -1: it is not on an axis. */
int dry_net__push_at(const dry_net *net, const dry_net__link *link);
/* Phi of such links with the run's `more`; and the power of `more` with the present velocities. */
void dry_net__push_axes(const dry_net__run *run);
double dry_net__push_power_on_axes(const dry_net__run *run, const double *more);

/* ---- run_gather.c: parts that gather ---------------------------------------- */

/* Finds the frames of each body. */
void dry_net__pack_members(dry_net *net);
/* Psi of a part that gathers; its I, on request without what the loop over the bodies completes. */
void dry_net__gather_motion(const dry_net__run *run, const dry_net__packed *law);
void dry_net__gather_force(const dry_net__run *run, const dry_net__packed *law, bool leave);
/* The same for the frames of some bodies: Psi, and whether one moved; the forces still to
 * complete. */
unsigned dry_net__member_motions(const dry_net__run *run, int from, int to);
void dry_net__member_forces(const dry_net__run *run, int from, int to);
/* Ranges of the states of a part that gathers: those that latch may change even if it returns
 * false; others that only latch changes; those that have rates; the rest. */
enum { DRY_NET__TICKING, DRY_NET__STILL, DRY_NET__MOVING, DRY_NET__IDLE, DRY_NET__RANGES };
typedef struct dry_net__extent {
    int sizes[DRY_NET__RANGES];
} dry_net__extent;
dry_net__extent dry_net__gather_extent(const dry_net__run *run, const dry_net__packed *law);

/* ---- build_open.c: what parts leave open --------------------------------------- */

/* Lets `choose` set the open parameters; reports the parts that stay open. */
void dry_net__choose(dry_net *net, dry_net_choose_fn *choose);

/* ---- response.c, start_load.c: how bodies respond ------------------------- */

struct dry_response {
    const dry_net *net;
    dry_net__run run;
    double *rest, *x; /* states without velocities; with the velocities that a force gives in 1 s */
    double *idle;     /* rates without forces */
    double *loaded;   /* as x, with the load at the start (start_load.c) */
    void *work;
};

/* Returns true if a state of a body is a velocity; the others are positions. */
DRY_INLINE bool dry_net__is_velocity(const dry_part *part, int i) {
    return part->positions && !part->positions[i];
}

/* ---- impedance.c: how stiff a part is ------------------------------------ */

/* The index in the motion of a port of the velocity that belongs to number i of its force. */
int dry_net__velocity_at(const dry_port *port, int i);
/* The length of the forces of its ports. */
int dry_net__force_size(const dry_part *part);
/* Computes one row for each number of them by differences of eval; returns false without memory. */
bool dry_net__probe(const dry_part *part, const dry_part_env *env, const double *in,
                    const double *x, dry_firmness *rows);
/* The least of the parameters called beta or betat; INFINITY: none. */
double dry_net__shortest_beta(const dry_part *part, const double *par);

/* ---- run_evaluate.c: all parts --------------------------------------------- */

void dry_net__motions(const dry_net__run *run);
/* Phi, A and, in a step of first order, the account; forces are known. */
void dry_net__accelerations(const dry_net__run *run);
/* Psi alone, for those of the first n impedance parts that pass the filter. */
typedef bool dry_net__filter(const dry_part *part);
void dry_net__relative(const dry_net__run *run, int n, dry_net__filter *has);

/* ---- run_march.c, run_march_rk4.c: whole steps in two loops per evaluation ----- */

typedef struct dry_net__stepper {
    dry_net__run run; /* at the start of the step */
    double h, end;    /* length and end */
    double *x, *before;
    bool staged;  /* tau is the step of the stage */
    bool fresh;   /* Psi of the parts that gather is known */
    bool settles; /* the loop of the step latches bodies; then computes Psi of those parts */
    bool changed; /* a latch has changed more than the ticking states since the last step */
} dry_net__stepper;

/* Steps from the motions at the start to those at the end; returns the bits of a loop. */
typedef unsigned dry_net__step_fn(const dry_net__stepper *stepper);
dry_net__step_fn dry_net__rk4_step;
/* The length of its scratch; 0: the net has no such step. */
size_t dry_net__rk4_size(const dry_net *net);

/* The system's functions. */
dry_rate_fn dry_net__rate;
void dry_net__prepare(const dry_env *env);
void dry_net__start_state(const dry_env *env, double t, double *x);
/* Sets the states of the bodies; all other states of x are zero. Leaves the motions of the
 * bodies. */
void dry_net__start_bodies(const dry_net__run *run, double *x);
void dry_net__output(const dry_env *env, double t, double tau, const double *x, double *y);
void dry_net__kinks(const dry_env *env, double t, const double *x, double *g);
void dry_net__phases(const dry_env *env, double t, double tau, const double *x, const double *y,
                     unsigned char *phase);
void dry_net__breaks(const dry_env *env, double *times);
bool dry_net__latch(const dry_env *env, double t, double *x);
bool dry_net__holds(const dry_env *env, double t, const double *x);
/* The two halves of the latch, which need motions and Psi; and the watched conditions. */
bool dry_net__latch_bodies(const dry_net__run *run, double *x);
bool dry_net__latch_laws(const dry_net__run *run, double *x);
int dry_net__watched(const dry_net__run *run);
bool dry_net__is_attentive(const dry_part *part); /* has a latch, or is watched */
int dry_net__watch(const dry_env *env, double t, const double *x);
double dry_net__fastest(const dry_env *env, double t, double tau, const double *x,
                        const char **law);
long dry_net__march(const dry_env *env, const dry_method *method, dry_march *march);

/* ---- kind_values.c, kind_catalogue.c ------------------------------------------------- */

/* _is_rotary: returns true if the kind is the rotary twin of another. _unit: its units. */
bool dry_net__is_rotary(const dry_kind *kind);
const char *dry_net__unit(bool rotary, const char *unit);

/* Makes a part in the arena as a copy of `pattern`, with space for so many names; returns NULL and
 * fills the error without memory. */
typedef struct dry_net__draft {
    dry_part *part;
    dry_port *port; /* its only one */
    dry_quantity *states, *params;
    bool *positions;
    double *par;
} dry_net__draft;
bool dry_net__draft_new(dry_arena *arena, const dry_part *pattern, dry_net__draft *draft,
                        dry_error *error);
/* Names quantities name[1] .. name[n], or name alone if n is 1. Returns n. */
int dry_net__name_list(dry_arena *arena, const char *name, const char *unit, int n,
                       dry_quantity *to);

/* The given number of dimensions, in static storage; returns NULL and fills the error if the value
 * is wrong. */
const int *dry_net__dim(const dry_kind *self, const dry_value *values, int count, dry_error *error);
/* Returns true if every given vector (a key of 1 to 3 numbers) has one number for each dimension;
 * else fills the error. */
bool dry_net__vectors_fit(const dry_kind *self, const dry_value *values, int count, int dim,
                          dry_error *error);
/* Sets the port of an impedance part: a coordinate, or what the word `on` names. */
bool dry_net__put_port(const dry_kind *self, const dry_value *values, int count, int dim,
                       dry_net__draft *draft, dry_error *error);
/* Adds parameters of one number each; their keys are their names. */
void dry_net__put_numbers(const dry_kind *self, const dry_value *values, int count,
                          const dry_quantity *names, int n, dry_net__draft *draft);

/* kind_law.c: the data of a law's part. Parts of a law without a count of elements share it,
 * because separate copies would cost a memory access each in a large net. */
typedef struct dry_net__holder {
    const dry_law *law;
    int dim, n_par; /* of the law, packed */
    int count_at;   /* index of the count of elements in them, -1: none */
    double elements;
    bool surface, frame;
} dry_net__holder;
/* The `data` of a law's kind. */
typedef struct dry_net__law_data {
    const dry_law *law;
    dry_net__holder shared[5]; /* for 1, 2, 3 dimensions, for a surface, and for a frame */
} dry_net__law_data;
void dry_net__law_fill(dry_net__law_data *data, const dry_law *law);

const dry_part *dry_net__make_law(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                  int count, dry_error *error);

/* ---- run_account.c --------------------------------------------------------- */

/* The energies of all parts, in the order of the nodes: kinetic, potential of an admittance part,
 * stored of an impedance part. */
int dry_net__energies(const dry_net__node *node); /* how many */
void dry_net__account_names(dry_net *net, dry_quantity *outputs);
void dry_net__account_values(const dry_net__run *run, double *y);

#endif
