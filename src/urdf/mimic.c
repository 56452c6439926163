/* <mimic>: a joint follows another one, q = multiplier q_driver + offset, and a joint that moves
 * nothing is fixed.
 *
 * If the driver is fixed at q_0, its followers are fixed at multiplier q_0 + offset. If the driver
 * moves nothing itself, such as the dummy joint of a gripper, its first follower drives the others
 * instead: from q_1 = r_1 q + o_1 and q_2 = r_2 q + o_2
 *     q_2 = (r_2/r_1) q_1 + o_2 - (r_2/r_1) o_1 */
#ifdef DRY_WITH_XML
#include "urdf/urdf_private.h"

#include <drystone/math.h>
#include <math.h>
#include <string.h>

enum { MOST_MIMICS = 1000 }; /* an evaluation takes as many times as long */

typedef struct tree {
    reader *r;
    int n;
    dry_link *links;
    dry_urdf__draft_joint *joints;
    bool *moving;
} tree;

static int find_joint(const tree *t, const char *name) {
    for (int i = 0; i < t->n; i++)
        if (t->joints[i].node != NULL && strcmp(t->joints[i].joint.name, name) == 0) return i;
    return -1;
}

static bool is_scalar(const tree *t, int i) { return t->joints[i].joint.unit[0] != '\0'; }

/* The number of the joint that each joint names. */
static void find_drivers(const tree *t) {
    int count = 0;
    for (int i = 0; i < t->n && t->r->status == DRY_OK; i++) {
        dry_urdf__draft_joint *j = &t->joints[i];
        if (j->mimics == NULL) continue;
        const int driver = find_joint(t, j->mimics);
        if (driver < 0)
            dry_urdf__mistake(t->r, j->node, "'%.60s' mimics '%.60s', but there is no such joint",
                              j->joint.name, j->mimics);
        else if (!is_scalar(t, driver) && t->links[driver].kind != DRY_WELD)
            dry_urdf__mistake(t->r, j->node,
                              "'%.60s' mimics '%.60s', which has several coordinates",
                              j->joint.name, j->mimics);
        else if (++count > MOST_MIMICS)
            dry_urdf__mistake(t->r, j->node, "more than %d joints mimic others", MOST_MIMICS);
        j->joint.driver = driver;
    }
}

/* Refuses chains of drivers that form a ring. */
static void refuse_rings(const tree *t) {
    for (int i = 0; i < t->n && t->r->status == DRY_OK; i++) {
        int at = t->joints[i].joint.driver;
        for (int steps = 0; at >= 0 && steps <= MOST_MIMICS && at != i; steps++)
            at = t->joints[at].joint.driver;
        if (at >= 0)
            dry_urdf__mistake(t->r, t->joints[i].node, "'%.60s' mimics itself through other joints",
                              t->joints[i].joint.name);
    }
}

/* Fixes the followers of fixed joints; returns true if there was one. */
static bool fix_followers(const tree *t) {
    bool found = false;
    for (int i = 0; i < t->n; i++) {
        dry_urdf_joint *j = &t->joints[i].joint;
        if (j->driver < 0 || (t->links[j->driver].kind != DRY_WELD && j->ratio != 0.0)) continue;
        const double at = j->ratio * t->joints[j->driver].fixed_at + j->offset;
        if (t->links[i].kind != DRY_WELD) {
            dry_urdf__remark_like(
                t->r, t->joints[i].node,
                "'%.60s' mimics a fixed joint, or mimics a joint 0 times, so it is fixed at %g %s",
                j->name, at, j->unit);
            dry_urdf__fix(&t->links[i], &t->joints[i], at);
            found = true;
        }
        j->driver = -1;
    }
    return found;
}

/* The first joint that follows `old` and moves something drives the others; false: there is none.
 */
static bool hand_over(const tree *t, int old) {
    int heir = -1;
    for (int i = 0; i < t->n && heir < 0; i++)
        if (t->joints[i].joint.driver == old && t->moving[i] && t->joints[i].joint.ratio != 0.0)
            heir = i;
    if (heir < 0) return false;
    const dry_urdf_joint first = t->joints[heir].joint;
    dry_urdf_joint *new = &t->joints[heir].joint;
    *new = first;
    new->driver = t->joints[old].joint.driver;
    new->ratio = first.ratio * t->joints[old].joint.ratio;
    new->offset = first.ratio * t->joints[old].joint.offset + first.offset;
    for (int i = 0; i < t->n; i++) {
        dry_urdf_joint *j = &t->joints[i].joint;
        if (j->driver != old || i == heir) continue;
        j->ratio /= first.ratio;
        j->offset -= j->ratio * first.offset;
        j->driver = heir;
    }
    return true;
}

/* The position of a joint that nothing moves: 0, or the nearest limit. */
static double rest_of(const dry_urdf_joint *j) {
    return isnan(j->lower) ? 0.0 : dry_min(dry_max(0.0, j->lower), j->upper);
}

static void fix_idle(const tree *t, int i) {
    const dry_urdf_joint *j = &t->joints[i].joint;
    const double at = is_scalar(t, i) ? rest_of(j) : 0.0;
    if (hand_over(t, i))
        dry_urdf__remark_like(t->r, t->joints[i].node,
                              "'%.60s' moves no mass and is left out: the first joint that mimics "
                              "it drives the others",
                              j->name);
    else
        dry_urdf__remark_like(t->r, t->joints[i].node,
                              "'%.60s' moves no mass and is fixed; to let it move, give '%.60s', "
                              "or a link that hangs on it, an <inertial>",
                              j->name, t->links[i].name);
    t->joints[i].joint.driver = -1;
    dry_urdf__fix(&t->links[i], &t->joints[i], at);
}

void dry_urdf__mimic(reader *r, int n_links, dry_link *links, dry_urdf__draft_joint *joints,
                     bool *moving) {
    const tree t = {r, n_links, links, joints, moving};
    find_drivers(&t);
    refuse_rings(&t);
    for (int i = 0; i < n_links && r->status == DRY_OK; i++)
        if (links[i].kind != DRY_WELD && !moving[i]) fix_idle(&t, i);
    while (r->status == DRY_OK && fix_followers(&t)) {
    }
}
#else
typedef int dry_urdf__no_mimic; /* a file needs something in it */
#endif
