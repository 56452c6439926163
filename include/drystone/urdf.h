/* urdf: reads a robot's description in XML as an arm with shapes, joint friction and limits.
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

/* What the file gives for a joint in addition to its geometry; limits are NaN if there are none. */
typedef struct dry_urdf_joint {
    const char *name, *unit; /* "rad" or "m"; "" for a joint of several coordinates */
    double damping;          /* N m s/rad or N s/m */
    double friction;         /* friction level, N m or N */
    double lower, upper;     /* rad or m */
    int line;                /* of its limits in the file; 0: it has none */
    double effort, velocity; /* N m or N, rad/s or m/s: what its drive can do; 0: not given */
    dry_joint_kind kind;
    int position, speed; /* index of its first coordinate in q and in q_dot of the arm */
    int scalar;          /* its index among the scalar coordinates q[1], q[2] ..., from 0; -1: it is
                            not scalar */
    int driver;          /* the joint that it mimics, q = ratio q_driver + offset; -1: none */
    double ratio, offset;
} dry_urdf_joint;

/* Something in the file that was ignored or is doubtful, and why. */
typedef struct dry_urdf_remark {
    int line;
    const char *text; /* "<visual> is not used in a simulation" */
} dry_urdf_remark;

typedef struct dry_robot {
    const char *name;
    dry_arm arm;                    /* the first link is the root, welded to the world */
    const dry_urdf_joint *joints;   /* arm.n_joints, in the order of the coordinates */
    bool has_free_base;             /* after dry_urdf_free_base */
    bool is_lone;                   /* all links are welded to the root */
    double root_mass;               /* of what is welded to the root, kg */
    const dry_urdf_remark *remarks; /* by their lines */
    int n_remarks;
} dry_robot;

/* Reads a file; everything lives in the arena. It reads links and inertias; revolute, continuous,
 * prismatic, spherical, planar, floating and fixed joints; joints that mimic others; limits,
 * damping, friction and rotor inertia; and collision shapes: sphere, box and cylinder. A joint with
 * equal limits, or that moves nothing, becomes fixed. Returns DRY_BAD_FILE with the line of the
 * mistake, or DRY_UNSUPPORTED in a build without libxml2. */
DRY_API dry_status dry_urdf_read(const char *path, dry_arena *arena, dry_robot *robot,
                                 dry_error *error);

/* Lets the root move: connects it to the world by a free joint called "base", whose coordinates
 * come first. Returns DRY_OK or DRY_NO_MEMORY. */
DRY_API dry_status dry_urdf_free_base(dry_robot *robot, dry_arena *arena);
/* Computes x, the arm's q and q_dot at the start, from `count` scalar coordinates; the others are
 * 0. Joints that mimic follow their drivers, nothing is turned, a free base is at `at`. Returns the
 * first joint of the file whose given coordinate contradicts the joint it mimics; -1: none. */
DRY_API int dry_urdf_start(const dry_robot *robot, const double *scalars, int count,
                           const double at[3], double *x);

/* Finds scalar coordinates q[1], q[2] ... for a start with every joint inside its limits and as
 * near to 0 as they allow; returns how many. `scalars` must hold dry_arm_positions numbers; x: as
 * in dry_urdf_start. */
DRY_API int dry_urdf_rest(const dry_robot *robot, double *scalars, double *x);

/* Returns true if this build can read such files. */
DRY_API bool dry_urdf_has_xml(void);

/* Makes the impedance part of the joints. For each joint that has them: friction in F sgn(q_dot)
 * with one state a, damping, and limits in dio with one state e; each joint has a port of its name.
 * K and beta of the friction follow from `step`: beta = T, K = 2 m/T^2, with m the inertia at the
 * joint in the pose q, such that all joints stuck together are still stable (X13; docs/language.md
 * has the equations). A joint rebounds from a limit with `restitution` (0 to 1; below 0.03: 0.03)
 * times its speed, after 12 steps, by exact integration. *part becomes NULL, with status DRY_OK, if
 * no joint has friction, damping or limits. */
DRY_API dry_status dry_urdf_joints(const dry_robot *robot, const double *q, double step,
                                   double restitution, dry_arena *arena, const dry_part **part,
                                   dry_error *error);

/* _is_joints: returns true for a part of dry_urdf_joints. _misset: the first of its parameters
 * `par` that is out of range, and the range ("at least 0"); -1: none. */
DRY_API bool dry_urdf_is_joints(const dry_part *part);
DRY_API int dry_urdf_misset(const dry_part *joints, const double *par, const char **range);
/* The first joint, from number `from` on, that is outside its limits; -1: none. motion: of all
 * ports of the part. */
DRY_API int dry_urdf_outside(const dry_part *joints, const double *par, const double *motion,
                             int from, double limits[2]);

/* How firm the limits of a joint are, and its damping with them, N m/rad (N/m) and so on; false if
 * it has none. */
DRY_API bool dry_urdf_limit(const double *par, int joint, dry_firmness *firmness);
/* The step that a joint was chosen for, s, or all of them (joint -1); NaN: they have been set. */
DRY_API double dry_urdf_step(const dry_part *joints, const double *par, int joint);

/* Kind `urdf`: file, base, step, limit_restitution, q, at, hold. Adds the arm as NAME and its
 * joints as NAME_joints. */
DRY_API const dry_kind *dry_urdf_kind(void);

#ifdef __cplusplus
}
#endif
#endif
