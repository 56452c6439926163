/* urdf: a robot's description in XML becomes an arm with shapes, joint friction and limits.
 *
 * Floor 2: core, base, math, law, ode, net, body. */
#ifndef DRYSTONE_URDF_H
#define DRYSTONE_URDF_H

#include <drystone/base.h>
#include <drystone/body.h>
#include <drystone/core.h>
#include <drystone/net.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the file gives for a joint besides its geometry; NaN limits if there are none. */
typedef struct dry_urdf_joint {
    const char *name, *unit; /* "rad" or "m"; "" for a joint of several coordinates */
    double damping;          /* N m s/rad or N s/m */
    double friction;         /* N m or N: the level of the friction */
    double lower, upper;     /* rad or m */
    int line;                /* of its limits in the file; 0: it has none */
    double effort, velocity; /* N m or N, rad/s or m/s: what its drive can do; 0: not given */
    dry_joint_kind kind;
    int position, speed; /* where its coordinates begin in q and in q_dot of the arm */
    int scalar;          /* its number among the coordinates q[1], q[2] ..., from 0; -1: it has none
                            of one number */
    int driver;          /* the joint that it mimics, q = ratio q_driver + offset; -1: none */
    double ratio, offset;
} dry_urdf_joint;

/* What was read over, or is doubtful, and why. */
typedef struct dry_urdf_remark {
    int line;
    const char *text; /* "<visual> is not used in a simulation" */
} dry_urdf_remark;

typedef struct dry_robot {
    const char *name;
    dry_arm arm;                    /* the first link is the root, welded to the world */
    const dry_urdf_joint *joints;   /* arm.n_joints, in the order of the coordinates */
    bool has_free_base;             /* by dry_urdf_free_base */
    bool is_lone;                   /* all links are welded to the root */
    double root_mass;               /* of what is welded to the root, kg */
    const dry_urdf_remark *remarks; /* by their lines */
    int n_remarks;
} dry_robot;

/* Reads a file; everything lives in the arena. Links and inertias, revolute, continuous, prismatic,
 * spherical, planar, floating and fixed joints, joints that mimic others, limits, damping, friction
 * and rotor inertia, and collision shapes: sphere, box and cylinder. A joint with equal limits, or
 * that moves nothing, is fixed. DRY_BAD_FILE with the line of the mistake; DRY_UNSUPPORTED in a
 * build without libxml2. */
DRY_API dry_status dry_urdf_read(const char *path, dry_arena *arena, dry_robot *robot,
                                 dry_error *error);

/* Lets the root move: it hangs on the world by a free joint of the name "base", whose coordinates
 * come first. DRY_NO_MEMORY. */
DRY_API dry_status dry_urdf_free_base(dry_robot *robot, dry_arena *arena);
/* The arm's q and q_dot at the start, from `count` scalar coordinates (the others are 0): joints
 * that mimic follow, nothing is turned, a free base is at `at`. x: positions and velocities of the
 * arm. Returns the first joint of the file whose given number is not what it mimics; -1: none. */
DRY_API int dry_urdf_start(const dry_robot *robot, const double *scalars, int count,
                           const double at[3], double *x);

/* The scalar coordinates q[1], q[2] ... of a start at which no joint is outside its limits, as near
 * to 0 as these allow; how many. scalars: room for dry_arm_positions; x: as in dry_urdf_start. */
DRY_API int dry_urdf_rest(const dry_robot *robot, double *scalars, double *x);

/* Whether this build can read them. */
DRY_API bool dry_urdf_has_xml(void);

/* The impedance part that holds the joints: friction in F sgn(q_dot) with one state a, damping, and
 * limits in dio with one state e, of each joint that has them; a port for each by its name. K and
 * beta of the friction follow from `step`: beta = T, K = 2 m/T^2 with m the inertia that a joint
 * feels in the pose q, and all joints stuck together still stable (X13; equations of the choice in
 * docs/language.md). A joint leaves a limit with `restitution` (0 to 1; below 0.03: 0.03) of the
 * speed it came with, after 12 steps, by exact integration. NULL with status DRY_OK if no joint has
 * any of it. */
DRY_API dry_status dry_urdf_joints(const dry_robot *robot, const double *q, double step,
                                   double restitution, dry_arena *arena, const dry_part **part,
                                   dry_error *error);

/* Whether it is such a part. At a start, par being its parameters as they are then: the first of
 * them that is out of its range, and where it must be ("at least 0"); -1: none. */
DRY_API bool dry_urdf_is_joints(const dry_part *part);
DRY_API int dry_urdf_misset(const dry_part *joints, const double *par, const char **range);
/* The first of its joints from number `from` on that is outside its limits, motion being that of
 * all its ports; -1: none. */
DRY_API int dry_urdf_outside(const dry_part *joints, const double *par, const double *motion,
                             int from, double limits[2]);

/* Kind `urdf`: file, base, step, limit_restitution, q, at, hold. Adds the arm as NAME and its
 * joints as NAME_joints. */
DRY_API const dry_kind *dry_urdf_kind(void);

#ifdef __cplusplus
}
#endif
#endif
