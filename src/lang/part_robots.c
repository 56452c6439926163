/* part_robots: what can be wrong with a robot of a file: the file itself, what settings make of its
 * joints, a start of them outside their limits, and how firm these limits are. */
#include "lang_private.h"

#include <drystone/urdf.h>

#include <stdlib.h>
#include <string.h>

/* ---- the file ------------------------------------------------------------------------ */

void dry_lang__tell_robot(dry_elab *elab, dry_place at, const dry_mistake *mistake) {
    DRY_SAY(elab->diag, at, ROBOT_FILE, mistake->name, mistake->what);
    if (mistake->way_out) dry_diag_way_out(elab->diag, "%s", mistake->way_out);
}

/* ---- its joints ------------------------------------------------------------------------ */

/* The part that holds the joints of a robot, and the arm that they belong to. */
typedef struct robot {
    const char *name, *arm_name;
    const dry_part *joints, *arm;
    const double *par; /* of the joints, as they are set */
} robot;

static const double *par_of(const dry_elab *elab, const char *name, const dry_part *part) {
    const dry_system *net = elab->scene.net_system;
    const char *first = dry_diag_text(elab->diag, "%s.%s", name, part->params[0].name);
    for (int i = 0; i < net->n_par; i++)
        if (!strcmp(net->params[i].name, first)) return net->par + i;
    return part->par;
}

static void check_settings(dry_elab *elab, const robot *r) {
    const char *range;
    const int i = dry_urdf_misset(r->joints, r->par, &range);
    if (i < 0) return;
    DRY_SAY(elab->diag, (dry_place){0}, KEY_RANGE,
            dry_diag_text(elab->diag, "%s.%s", r->name, r->joints->params[i].name),
            dry_diag_number(elab->diag, r->par[i]), range);
    dry_diag_way_out(elab->diag,
                     "-p replaced the value of the robot's file: set it to a value that is %s",
                     range);
}

static bool find(const dry_elab *elab, const char *name, dry_net_place *place) {
    dry_error error = {0};
    return dry_net_find(elab->scene.net, name, place, &error) == DRY_OK;
}

/* The state of the joint, q or q_dot; -1: not found. */
static int state_of(const dry_elab *elab, const robot *r, const char *joint, const char *state) {
    dry_net_place place;
    int k = 0; /* q and q_dot count the ports of one coordinate */
    for (int i = 0; i < r->arm->n_ports && strcmp(r->arm->ports[i].name, joint) != 0; i++)
        k += r->arm->ports[i].dim == 1;
    const char *name = dry_diag_text(elab->diag, "%s.%s[%d]", r->arm_name, state, k + 1);
    return find(elab, name, &place) ? place.index : -1;
}

/* The part of the text that the robot is. */
static dry_place place_of(const dry_elab *elab, const robot *r) {
    const int length = (int)strcspn(r->arm_name, "[");
    const char *name = dry_diag_text(elab->diag, "%.*s", length, r->arm_name);
    const dry_symbol *symbol = dry_lang_find(elab, name);
    return symbol ? symbol->at : (dry_place){0};
}

/* Its kind has told of joints that start by `q` outside the limits of the file: here are those that
 * `init` starts, and those whose limits were set. */
static void check_limits(dry_elab *elab, const robot *r, const int *taken, const double *motion) {
    double limits[2], own[2];
    for (int k = -1; (k = dry_urdf_outside(r->joints, r->par, motion, k + 1, limits)) >= 0;) {
        const dry_port *joint = &r->joints->ports[k];
        const int state = state_of(elab, r, joint->name, "q");
        const int init = state < 0 ? 0 : taken[state];
        const bool told = dry_urdf_outside(r->joints, r->joints->par, motion, k, own) == k;
        if (!init && told) continue;
        DRY_SAY(elab->diag, init ? elab->scene.part_start[init - 1].at : place_of(elab, r),
                JOINT_OUTSIDE, dry_diag_text(elab->diag, "%s.%s", r->arm_name, joint->name),
                dry_diag_number(elab->diag, motion[2 * k]), joint->unit,
                dry_diag_number(elab->diag, limits[0]), dry_diag_number(elab->diag, limits[1]));
    }
}

/* The robot whose joints part number i of the net holds: an arm stands right before it. */
static bool robot_at(const dry_elab *elab, int i, robot *r) {
    r->joints = dry_net_part_at(elab->scene.net, i, &r->name);
    if (!dry_urdf_is_joints(r->joints)) return false;
    r->arm = dry_net_part_at(elab->scene.net, i - 1, &r->arm_name);
    r->par = par_of(elab, r->name, r->joints);
    return true;
}

bool dry_lang_is_robot(const dry_elab *elab, const char *name) {
    robot r;
    for (int i = 1; i < dry_net_part_count(elab->scene.net); i++) {
        const size_t length = robot_at(elab, i, &r) ? strlen(r.name) : 0;
        if (length && !strncmp(r.name, name, length) && (!name[length] || name[length] == '.'))
            return true;
    }
    return false;
}

void dry_lang__check_robots(dry_elab *elab, const int *taken) {
    for (int i = 1; i < dry_net_part_count(elab->scene.net); i++) {
        robot r;
        dry_net_place place;
        if (!robot_at(elab, i, &r)) continue;
        check_settings(elab, &r);
        const char *first = r.joints->ports[0].name;
        if (find(elab, dry_diag_text(elab->diag, "%s.%s.p", r.name, first), &place))
            check_limits(elab, &r, taken,
                         dry_net_look(&elab->scene.net_env, elab->scene.net_x, place));
    }
}

/* ---- how firm its limits are ------------------------------------------------------------- */

/* Forces that are added to the parts, and rates by them and without. */
typedef struct trial {
    double *more, *rates, *idle;
} trial;

/* 1/m of a joint: its acceleration by a torque of 1; 0: not known. */
static double answer_of(const dry_elab *elab, const robot *r, const char *joint, const trial *t) {
    const char *force = dry_diag_text(elab->diag, "%s.%s.f", r->arm_name, joint);
    const int at = dry_net_force_find(elab->scene.net, force),
              u = state_of(elab, r, joint, "q_dot");
    if (at < 0 || u < 0) return 0.0;
    t->more[at] = 1.0;
    dry_net_rates(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x, t->more, t->rates);
    t->more[at] = 0.0;
    return t->rates[u] - t->idle[u];
}

static double number_of(const dry_elab *elab, const robot *r, const char *joint, const char *key) {
    const char *name = dry_diag_text(elab->diag, "%s.%s", joint, key);
    int i = 0;
    while (i < r->joints->n_par - 1 && strcmp(r->joints->params[i].name, name) != 0) i++;
    return r->par[i];
}

/* The friction slips: a limit is met in motion. */
static void look_at(const dry_elab *elab, const robot *r, const trial *t, dry_limit_fn *each,
                    void *user) {
    for (int k = 0; k < r->joints->n_ports; k++) {
        const char *joint = r->joints->ports[k].name;
        if (!(number_of(elab, r, joint, "lower") < number_of(elab, r, joint, "upper"))) continue;
        const double over = answer_of(elab, r, joint, t);
        const dry_firmness per_mass = {.C = over * number_of(elab, r, joint, "damping"),
                                       .Kc = over * number_of(elab, r, joint, "limit_K"),
                                       .alpha = number_of(elab, r, joint, "limit_alpha"),
                                       .beta = number_of(elab, r, joint, "limit_beta")};
        if (over > 0.0) each(user, dry_diag_text(elab->diag, "%s.%s", r->name, joint), &per_mass);
    }
}

void dry_lang_each_limit(const dry_elab *elab, dry_limit_fn *each, void *user) {
    const size_t n = (size_t)elab->scene.net_system->n_states;
    double *room = dry_heap_take(
        elab->arena, (size_t)dry_net_force_count(elab->scene.net) + 2 * n + 1, sizeof *room);
    const trial t = {
        .rates = room, .idle = room ? room + n : NULL, .more = room ? room + 2 * n : NULL};
    robot r;
    if (!room) return;
    if (elab->scene.net_system->prepare) elab->scene.net_system->prepare(&elab->scene.net_env);
    dry_net_forces(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x);
    dry_net_rates(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x, t.more, t.idle);
    for (int i = 1; i < dry_net_part_count(elab->scene.net); i++)
        if (robot_at(elab, i, &r)) look_at(elab, &r, &t, each, user);
    free(room);
}
