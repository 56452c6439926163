/* body: rigid bodies, arms, joints, shapes and their contact, as parts of a net.
 *
 * Floor 2: core, base, math, law, ode, net. */
#ifndef DRYSTONE_BODY_H
#define DRYSTONE_BODY_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/math.h>
#include <drystone/net.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes ------------------------------------------------------------------- */

typedef enum dry_shape_kind {
    DRY_PLANE,    /* all below z = 0 */
    DRY_SPHERE,   /* size[0]: radius */
    DRY_BOX,      /* size: half widths */
    DRY_CAPSULE,  /* size[0]: radius, size[1]: half length of its axis, along z, without the caps */
    DRY_CYLINDER, /* size[0]: radius, size[1]: half length, along z */
    DRY_CLOUD     /* points that touch others but not each other */
} dry_shape_kind;

typedef struct dry_shape {
    dry_shape_kind kind;
    double p[3], q[4]; /* its pose in the frame of its port; q {0}: not turned */
    double size[3];
    const double *points; /* of a cloud: x, y, z of n_points points, in the frame of the port */
    int n_points;
    intptr_t group; /* shapes of the same group do not touch each other, such as links of an arm; 0:
                       no group. Use a number, or the address of what they have in common */
} dry_shape;

/* ---- arms ----------------------------------------------------------------------- */

typedef enum dry_joint_kind {
    DRY_REVOLUTE,
    DRY_PRISMATIC,
    DRY_WELD,
    DRY_BALL,   /* q: a unit quaternion; q_dot: omega[3] in the axes of the joint's frame */
    DRY_PLANAR, /* q: two displacements across the axis and the angle about it */
    DRY_FREE    /* q: p[3], a unit quaternion; q_dot: v[3], omega[3]; in the joint's frame */
} dry_joint_kind;
/* How many positions q and velocities q_dot such a joint has. */
DRY_API int dry_joint_positions(dry_joint_kind kind);
DRY_API int dry_joint_speeds(dry_joint_kind kind);

/* A link and the joint that carries it. In an array, every link follows its parent. */
typedef struct dry_link {
    const char *name, *joint; /* names of the link and of its joint */
    int parent;               /* -1: the base */
    dry_joint_kind kind;
    double at[3], turn[4]; /* the joint's frame in the frame of the parent; turn of length 1, or
                              {0}: not turned */
    double axis[3];    /* unit vector in the joint's frame; the link's frame is the joint's frame
                          moved along it or turned about it */
    double mass;       /* kg */
    double com[3];     /* centre of mass, in the link's frame, m */
    double inertia[6]; /* xx yy zz xy xz yz about the centre of mass, in its axes, kg m^2 */
    const dry_shape *shapes;
    int n_shapes;
    double rotor; /* inertia that moves with the joint's own velocity alone, such as a geared
                     motor's, referred to the joint: kg m^2, or kg along a prismatic axis */
    double effort, fastest; /* of its drive, for the port of a joint of one coordinate (part.h) */
} dry_link;

/* A gear couples two velocities: q_dot[driven] = ratio q_dot[driver]. */
typedef struct dry_gear {
    int driven, driver;
    double ratio;
} dry_gear;

/* A tree of links on a base that stands still. q and q_dot hold the coordinates of the links that
 * are not welded, in the order of the links; n_joints counts these links. */
typedef struct dry_arm {
    const dry_link *links;
    int n_links, n_joints;
    double at[3], turn[4]; /* the base in the world */
    const dry_gear *gears; /* each drives a different velocity */
    int n_gears;
} dry_arm;

/* The lengths of q and of q_dot. */
DRY_API int dry_arm_positions(const dry_arm *arm);
DRY_API int dry_arm_speeds(const dry_arm *arm);

/* Links that are welded together form one body; the first of them is its head. For link i: its pose
 * in the frame of its head. For a head also the mass of the body, its centre of mass in the head's
 * frame, and its inertia about that centre (xx yy zz xy xz yz). */
typedef struct dry_group {
    int head;
    double at[3], turn[4];
    double mass, com[3], inertia[6];
} dry_group;
/* Fills groups[i] for link i. */
DRY_API void dry_arm_groups(const dry_arm *arm, dry_group *groups);
/* The first head whose inertia is impossible, beyond rounding; -1: none. all: include links welded
 * to the base. */
DRY_API int dry_arm_bad_group(const dry_arm *arm, const dry_group *groups, bool all);

/* The size of the scratch `work` of the functions below, in doubles. */
DRY_API size_t dry_arm_size(const dry_arm *arm);
/* frames[13 i ..]: p, v, q, omega of link i. */
DRY_API void dry_arm_frames(const dry_arm *arm, const double *q, const double *q_dot,
                            double *frames);
/* Computes q_ddot by the articulated-body recursion, O(n), and once more for each gear. wrenches[6
 * i ..]: f, m on link i about its origin, in the axes of the world, without gravity; NULL: none. */
DRY_API void dry_arm_forward(const dry_arm *arm, const double gravity[3], const double *q,
                             const double *q_dot, const double *torque, const double *wrenches,
                             double *q_ddot, double *work);
/* Computes the torques for a wanted q_ddot by the recursive Newton-Euler method; gears transmit
 * nothing. */
DRY_API void dry_arm_inverse(const dry_arm *arm, const double gravity[3], const double *q,
                             const double *q_dot, const double *q_ddot, const double *wrenches,
                             double *torque, double *work);
/* Kinetic and potential energy, J. */
DRY_API double dry_arm_kinetic(const dry_arm *arm, const double *q, const double *q_dot,
                               double *work);
DRY_API double dry_arm_potential(const dry_arm *arm, const double gravity[3], const double *q,
                                 double *work);

/* The arm as an admittance part: states q[1].., q_dot[1]..; ports: a coordinate for each joint by
 * its name, a frame for each link by its name. A ball joint J has the states J_turn[1..4] and
 * J_omega[1..3] and a port of three numbers, the rotation vector; a free joint J has J_p, J_turn,
 * J_v, J_omega and no port besides the frame of its link; a planar joint J has the ports J_x, J_y
 * and J_angle. Links and gears are copied, their names and shapes are not. Returns NULL and fills
 * the error if the tree is wrong. */
DRY_API const dry_part *dry_arm_part(const dry_arm *arm, dry_arena *arena, dry_error *error);
/* The same with q and q_dot at the start in `begin`; NULL: 0, not turned. */
DRY_API const dry_part *dry_arm_part_from(const dry_arm *arm, const double *begin, dry_arena *arena,
                                          dry_error *error);
/* For the port of a joint of one coordinate of such a part: the numbers of the states that are the
 * coordinate and the velocity. */
DRY_API void dry_arm_port_states(const dry_part *part, int port, int *q, int *q_dot);

/* ---- inertia -------------------------------------------------------------------- */

/* Returns true if every principal minor of J (xx yy zz xy xz yz) of order k is at least `share`
 * tr(J)^k. Pass a share slightly above 0 for a body that turns freely, below 0 if J may vanish
 * about an axis. */
DRY_API bool dry_inertia_is_positive(const double J[6], double share);
/* Returns true if tr(J)/2 E - J, the second moments of the mass, has no negative principal value:
 * no principal value of J exceeds the sum of the other two. Files hold rounded numbers, so 1 part
 * in 1000 is tolerated. */
DRY_API bool dry_inertia_has_moments(const double J[6]);

/* ---- kinds ---------------------------------------------------------------------- */

/* rigid_body, sphere, box, capsule, cylinder, cloud, plane; arm; hinge, slider, ball_joint, weld;
 * contact. */
DRY_API int dry_body_kind_count(void);
DRY_API const dry_kind *dry_body_kind_at(int index);
/* Finds a kind of this room or of net; NULL if no kind has that name. */
DRY_API const dry_kind *dry_kind_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
