/* cgen_printer: what is known while a model is printed as C, and the operands of its statements. A
 * wide node has a number for each way: it is printed in parts of four, two and one, way4 n17_0,
 * n17_4 and double n17_6, which are vectors of the C compiler. */
#ifndef DRY_NATIVE_CGEN_PRINTER_H
#define DRY_NATIVE_CGEN_PRINTER_H

#include "cgen_private.h"

#include <float.h>
#include <math.h>

/* One side of a SELECT that is being printed. */
typedef struct side {
    int region, position, select, which;
} side;

enum { OF_RATES, OF_OUTPUTS };

typedef struct dry_c__timed {
    dry_node *node;
    int n, numbers; /* nodes, and how many numbers they have */
} dry_c__timed;

typedef struct printer {
    const dry_model *model;
    const dry_dag *dag;
    dry_c_options form;
    const dry_node *roots[DRY_N_SECTIONS]; /* of the sections that are printed */
    int n_roots[DRY_N_SECTIONS];
    dry_node *shown;    /* the outputs of a lean text */
    int *place;         /* by parameter: its place in p */
    int n_par, n_given; /* how many are in p; those that others define come after the others */
    dry_derivatives slope[2]; /* of the rates and of the outputs */
    FILE *out;
    int *home;      /* by node: place of its value in p; DRY_NONE if it has none */
    int *pack;      /* by node: place of the parameters of a block in p */
    int *wide_pack; /* and of their changes */
    dry_node *once; /* the nodes that have a home */
    int n_once, at_packs, n_fixed;
    unsigned char *kept; /* by node: its value is in w; NULL: there is no w */
    dry_c__timed timed;  /* what is in w */
    dry_order order;     /* of the function being printed */
    side *sides;
    int n_sides, sides_capacity;
    const dry_table **table; /* the tables that the functions call, in the order of their names */
    int n_tables, tables_capacity;
    double wrong;        /* a constant that a float cannot hold; 0 if there is none */
    const double *equal; /* two knots that are one in single precision; NULL if there are none */
    bool failed;
} printer;

/* ---- operands ---------------------------------------------------------------------- */

static inline double in_range(printer *pr, double value) {
    if (!pr->form.single || !isfinite(value) || value == 0.0) return value;
    if (fabs(value) > (double)FLT_MAX) pr->wrong = value;
    return fabs(value) < (double)FLT_MIN ? copysign((double)FLT_MIN, value) : value;
}

static inline const char *operand(printer *pr, dry_node node, char text[DRY_C__WORD]) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    switch (n.op) {
    case DRY_OP_CONST: dry_c__number(in_range(pr, n.value), text); break;
    case DRY_OP_REF: dry_c__number((double)NAN, text); break;
    case DRY_OP_PAR: snprintf(text, DRY_C__WORD, "p[%d]", pr->place[n.index]); break;
    case DRY_OP_T: snprintf(text, DRY_C__WORD, "t"); break;
    case DRY_OP_TAU: snprintf(text, DRY_C__WORD, "tau"); break;
    case DRY_OP_STATE: snprintf(text, DRY_C__WORD, "x[%d]", n.index); break;
    default:
        if (dry_order_computes(&pr->order, node))
            snprintf(text, DRY_C__WORD, "n%d", node);
        else if (pr->kept && pr->kept[node])
            snprintf(text, DRY_C__WORD, "w[%d]", pr->home[node]);
        else
            snprintf(text, DRY_C__WORD, "p[%d]", pr->home[node]);
    }
    return text;
}

static inline void indent(const printer *pr) {
    for (int i = 0; i < pr->n_sides; i++) fputs("    ", pr->out);
}

/* ---- wide nodes (cgen_wide.c) ------------------------------------------------------- */

static inline bool is_wide(const printer *pr, dry_node node) {
    return dry_dag_is_wide(pr->dag, node);
}
/* How many numbers a node has. */
static inline int width_of(const printer *pr, dry_node node) {
    return is_wide(pr, node) ? pr->model->code.n_ways : 1;
}

/* Prints the types of vectors. */
void dry_c__print_ways(FILE *stream);
/* Prints the statements that compute a wide node: a value, or a block. */
void dry_c__print_wide(printer *pr, dry_node node);
/* Prints the declaration of a wide node that branches set, and what one branch sets. */
void dry_c__declare_wide(printer *pr, dry_node node);
void dry_c__set_wide(printer *pr, dry_node node, dry_node to);
/* Prints statements that store a wide node from to[at] on. */
void dry_c__store_wide(printer *pr, const char *to, int at, dry_node node);

#endif
