/* urdf, inside the room: reading XML with places. */
#ifndef DRY_URDF_PRIVATE_H
#define DRY_URDF_PRIVATE_H

#include <drystone/urdf.h>

/* a, between and b in one text of the arena; "" without memory. */
const char *dry_urdf__join(dry_arena *arena, const char *a, const char *between, const char *b);

/* joints.c: beyond a limit by more than rounding; never without limits, which are NaN or equal. */
bool dry_urdf__is_outside(double q, double lower, double upper);

#ifdef DRY_WITH_XML
#include <libxml/tree.h>

/* What is being read. After the first mistake `status` is not DRY_OK and the error is filled. */
typedef struct reader {
    const char *path;
    dry_arena *arena;
    dry_error *error;
    dry_status status;
    dry_urdf_remark *remarks;
    int n_remarks, capacity;
    const xmlNode *bounds; /* the first <limit> with effort or velocity, and how many there are */
    int n_bounds;
} reader;

void dry_urdf__mistake(reader *r, const xmlNode *node, const char *format, ...) DRY_PRINTF(3, 4);
void dry_urdf__remark(reader *r, const xmlNode *node, const char *format, ...) DRY_PRINTF(3, 4);
int dry_urdf__line(const xmlNode *node);

/* elements.c: attributes, elements and text that are not read are told; what may stand once and
 * stands twice is a mistake. */
void dry_urdf__check(reader *r, const xmlNode *root);

/* names.c: every link and joint has a name, and two ports do not have the same. */
void dry_urdf__names(reader *r, const xmlNode *root);
/* Whether a model can write it. */
bool dry_urdf__is_name(const char *text);

/* Whether it is an element of that name. */
bool dry_urdf__is(const xmlNode *node, const char *name);
/* The first child element of that name, NULL: none. */
const xmlNode *dry_urdf__child(const xmlNode *node, const char *name);
/* The next element of that name from `node` on, among its siblings. */
const xmlNode *dry_urdf__next(const xmlNode *node, const char *name);
/* A copy of an attribute; a missing one is a mistake where it is required, else NULL. */
const char *dry_urdf__word(reader *r, const xmlNode *node, const char *attribute, bool required);
/* Reads `count` numbers of an attribute; false where it is missing (a mistake where required). */
bool dry_urdf__numbers(reader *r, const xmlNode *node, const char *attribute, bool required,
                       int count, double *numbers);
/* The child <origin xyz rpy>: a place and a unit quaternion. */
void dry_urdf__origin(reader *r, const xmlNode *node, double at[3], double turn[4]);

/* link.c: mass, inertia and shapes of <link>. */
void dry_urdf__link(reader *r, const xmlNode *node, dry_link *link);
/* joint.c: the joint of <joint>, with what it says besides geometry. */
void dry_urdf__joint(reader *r, const xmlNode *node, dry_link *link, dry_urdf_joint *joint);
#endif

#endif
