/* urdf, inside the room: reads XML with line numbers. */
#ifndef DRY_URDF_PRIVATE_H
#define DRY_URDF_PRIVATE_H

#include <drystone/urdf.h>

/* a, between and b in one text of the arena; "" without memory. */
const char *dry_urdf__join(dry_arena *arena, const char *a, const char *between, const char *b);

/* tree.c: where the coordinates of the joints are, the gears of those that mimic, and what is
 * welded to the root. */
dry_status dry_urdf__lay_out(dry_robot *robot, dry_urdf_joint *joints, dry_arena *arena);

/* joints.c: beyond a limit by more than rounding; never without limits, which are NaN or equal. */
bool dry_urdf__is_outside(double q, double lower, double upper);

#ifdef DRY_WITH_XML
#include <libxml/parser.h>
#include <libxml/tree.h>

/* The library, as xml_calls.def lists it: xml.HasProp is xmlHasProp. There after dry_urdf__load_xml
 * has returned DRY_OK. */
#define CALL(name) __typeof__(xml##name) *name;
typedef struct dry_urdf__xml_calls {
#include "xml_calls.def"
} dry_urdf__xml_calls;
#undef CALL
extern dry_urdf__xml_calls dry_urdf__xml;
#define xml dry_urdf__xml
/* load_xml.c */
dry_status dry_urdf__load_xml(dry_error *error);

/* What is being read. After the first mistake `status` is not DRY_OK and the error is filled. */
typedef struct reader {
    const char *path;
    dry_arena *arena;
    dry_error *error;
    dry_status status;
    dry_urdf_remark *remarks;
    const char **kinds; /* what remarks are compared by */
    int *counts;        /* of remarks that are one */
    int n_remarks, capacity;
} reader;

/* A joint as read, before it is known which joints move. */
typedef struct dry_urdf__draft_joint {
    dry_urdf_joint joint;
    const char *mimics; /* the name of another joint; NULL: none */
    const xmlNode *node;
    double fixed_at; /* of a weld that stands for a joint: where that is */
} dry_urdf__draft_joint;

void dry_urdf__mistake(reader *r, const xmlNode *node, const char *format, ...) DRY_PRINTF(3, 4);
/* Remarks with the same text are merged and counted; _like also merges remarks of the same format,
 * such as about names that a model cannot write. */
void dry_urdf__remark(reader *r, const xmlNode *node, const char *format, ...) DRY_PRINTF(3, 4);
void dry_urdf__remark_like(reader *r, const xmlNode *node, const char *format, ...)
    DRY_PRINTF(3, 4);
/* The remarks by their lines, with their numbers. */
void dry_urdf__close_remarks(reader *r);
int dry_urdf__line(const xmlNode *node);

/* elements.c: reports attributes, elements and text that are not read; an element that must be
 * unique and is not is a mistake. */
void dry_urdf__check(reader *r, const xmlNode *root);

/* names.c: every link and joint has a name, and no two links, and no two joints, the same. */
void dry_urdf__names(reader *r, const xmlNode *root);
/* A link with the name of a moving joint gets another name, because both are ports. */
void dry_urdf__part_names(reader *r, int n, dry_link *links, const xmlNode **elements);
/* Returns true if the text is a name in the language of models. */
bool dry_urdf__is_name(const char *text);

/* Whether it is an element of that name. */
bool dry_urdf__is(const xmlNode *node, const char *name);
/* The first child element of that name, NULL: none. */
const xmlNode *dry_urdf__child(const xmlNode *node, const char *name);
/* The next element of that name from `node` on, among its siblings. */
const xmlNode *dry_urdf__next(const xmlNode *node, const char *name);
/* A copy of an attribute; a missing one is a mistake if it is required, else NULL. */
const char *dry_urdf__word(reader *r, const xmlNode *node, const char *attribute, bool required);
/* Reads `count` numbers of an attribute; false if it is missing (a mistake where required). */
bool dry_urdf__numbers(reader *r, const xmlNode *node, const char *attribute, bool required,
                       int count, double *numbers);
/* The child <origin xyz rpy>: a place and a unit quaternion. */
void dry_urdf__origin(reader *r, const xmlNode *node, double at[3], double turn[4]);

/* link.c: mass, inertia and shapes of <link>. */
void dry_urdf__link(reader *r, const xmlNode *node, dry_link *link);
/* joint.c: reads <joint>, with what it holds in addition to geometry. */
void dry_urdf__joint(reader *r, const xmlNode *node, dry_link *link, dry_urdf__draft_joint *joint);
/* Turns the joint into a weld with its coordinate at this value. */
void dry_urdf__fix(dry_link *link, dry_urdf__draft_joint *joint, double at);
/* mimic.c: joints that mimic others get their drivers; those that cannot move are fixed.
 * moving[i]: joint of link i moves an inertia. */
void dry_urdf__mimic(reader *r, int n_links, dry_link *links, dry_urdf__draft_joint *joints,
                     bool *moving);
#endif

#endif
