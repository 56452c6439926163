/* part_robots: reports what is wrong with a robot of a file: mistakes in the file, wrong settings
 * of its joints, and joints that start outside their limits. It also computes how firm these limits
 * are. */
#include "lang_private.h"

#include <drystone/body.h>
#include <drystone/urdf.h>

#include <stdlib.h>
#include <string.h>

/* ---- the file ------------------------------------------------------------------------ */

void dry_lang__say_robot(dry_elab *elab, dry_place at, const dry_mistake *mistake) {
    DRY_SAY(elab->diag, at, ROBOT_FILE, mistake->name, mistake->what);
    if (mistake->way_out) dry_diag_way_out(elab->diag, "%s", mistake->way_out);
}

/* ---- its joints ------------------------------------------------------------------------ */

/* The part that holds the joints of a robot, and the arm to which the joints belong. */
typedef struct robot {
    int index, arm_index; /* in the net */
    const char *name, *arm_name;
    const dry_part *joints, *arm;
    const double *par; /* of the joints, with the settings applied */
} robot;

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

/* Returns the port of the arm for joint k. */
static dry_net_port port_of(const dry_elab *elab, const robot *r, int k) {
    dry_net_port ends[2];
    dry_net_ends_of(elab->scene.net, (dry_net_port){r->index, k}, ends);
    return ends[0];
}

/* Finds the states of the net for the coordinate and the velocity of joint k. */
static void states_of(const dry_elab *elab, const robot *r, int k, int *q, int *q_dot) {
    const int first = dry_net_first_state(elab->scene.net, r->arm_index);
    dry_arm_port_states(r->arm, port_of(elab, r, k).port, q, q_dot);
    *q += first;
    *q_dot += first;
}

/* Reports joints that start outside their limits because of `init`, and joints whose limits were
 * set. The kind has already reported joints that start by `q` outside the limits of the file. */
static void check_limits(dry_elab *elab, const robot *r, const int *taken, const double *motion) {
    double limits[2], own[2];
    for (int k = -1; (k = dry_urdf_outside(r->joints, r->par, motion, k + 1, limits)) >= 0;) {
        const dry_port *joint = &r->joints->ports[k];
        int q, q_dot;
        states_of(elab, r, k, &q, &q_dot);
        const int init = taken[q];
        const bool given = dry_urdf_outside(r->joints, r->joints->par, motion, k, own) == k;
        if (!init && given) continue;
        DRY_SAY(elab->diag,
                init ? elab->scene.part_start[init - 1].at : dry_lang_owner(elab, r->arm_index)->at,
                JOINT_OUTSIDE, dry_diag_text(elab->diag, "%s.%s", r->arm_name, joint->name),
                dry_diag_number(elab->diag, motion[2 * k]), joint->unit,
                dry_diag_number(elab->diag, limits[0]), dry_diag_number(elab->diag, limits[1]));
    }
}

/* Finds the robot whose joints are in part number i of the net; its arm comes right before this
 * part. */
static bool robot_at(const dry_elab *elab, int i, robot *r) {
    const dry_net *net = elab->scene.net;
    r->index = i;
    r->joints = dry_net_part_at(net, i, &r->name);
    if (!dry_urdf_is_joints(r->joints)) return false;
    r->arm_index = i - 1;
    r->arm = dry_net_part_at(net, r->arm_index, &r->arm_name);
    r->par = elab->scene.net_system->par + dry_net_first_par(net, i);
    return true;
}

bool dry_lang_robot_step(const dry_elab *elab, dry_net_port joint, double *step) {
    robot r;
    if (!robot_at(elab, joint.part, &r)) return false;
    *step = dry_urdf_step(r.joints, r.par, joint.port);
    return true;
}

void dry_lang__check_robots(dry_elab *elab, const int *taken) {
    for (int i = 1; i < dry_net_part_count(elab->scene.net); i++) {
        robot r;
        if (!robot_at(elab, i, &r)) continue;
        check_settings(elab, &r);
        const dry_net_found motion = dry_net_motion_of(elab->scene.net, (dry_net_port){i, 0});
        check_limits(elab, &r, taken,
                     dry_net_read(&elab->scene.net_env, elab->scene.net_x, motion));
    }
}

/* ---- how firm its limits are ------------------------------------------------------------- */

/* Forces that are added to the parts, and the rates with and without them. */
typedef struct trial {
    double *more, *rates, *idle;
} trial;

/* Returns 1/m of a joint: its acceleration under a torque of 1. */
static double response_of(const dry_elab *elab, const robot *r, int k, const trial *t) {
    const int at = dry_net_push_of(elab->scene.net, port_of(elab, r, k));
    int q, u;
    states_of(elab, r, k, &q, &u);
    t->more[at] = 1.0;
    dry_net_rates(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x, t->more, t->rates);
    t->more[at] = 0.0;
    return t->rates[u] - t->idle[u];
}

/* The friction slips here, because a joint reaches a limit in motion. */
static void each_of(const dry_elab *elab, const robot *r, const trial *t, dry_limit_fn *each,
                    void *user) {
    for (int k = 0; k < r->joints->n_ports; k++) {
        dry_firmness per_mass;
        if (!dry_urdf_limit(r->par, k, &per_mass)) continue;
        const double over = response_of(elab, r, k, t);
        per_mass.C *= over;
        per_mass.Kc *= over;
        if (over > 0.0) each(user, (dry_net_port){r->index, k}, &per_mass);
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
        if (robot_at(elab, i, &r)) each_of(elab, &r, &t, each, user);
    free(room);
}
