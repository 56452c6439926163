/* The code that the compiler makes from a model: its instructions, its register file, and the
 * stages that make it.
 *
 * The code is a stream of 32-bit words: an operation, then its operands. The register file is one
 * array of doubles: parameters | constants | run-once values | packs | timed | t | tau | x | roots
 * | gathered | temporaries
 *
 * A wide value has as many registers as there are ways, side by side.
 *
 * A pack holds the parameters of a law side by side, as the law reads them. The first timed
 * register holds the time that the others are of, which follow from the time and the parameters
 * alone. */
#ifndef DRY_GRAPH_IMAGE_PRIVATE_H
#define DRY_GRAPH_IMAGE_PRIVATE_H

#include "dag_private.h"
#include "order.h"
#include "wide.h"

/* (a first b) second c; each operation rounds separately. X(first, second, value). The rows are in
 * the order of first (ADD, SUB, MUL, DIV) times second (ADD, SUB, MUL, DIV, then SUB and DIV with c
 * first). */
#define DRY_FUSED_CODES(X)                                                                         \
    X(ADD, ADD, (a + b) + c)                                                                       \
    X(ADD, SUB, (a + b) - c)                                                                       \
    X(ADD, MUL, (a + b) * c)                                                                       \
    X(ADD, DIV, (a + b) / c)                                                                       \
    X(ADD, FROM, c - (a + b))                                                                      \
    X(ADD, UNDER, c / (a + b))                                                                     \
    X(SUB, ADD, (a - b) + c)                                                                       \
    X(SUB, SUB, (a - b) - c)                                                                       \
    X(SUB, MUL, (a - b) * c)                                                                       \
    X(SUB, DIV, (a - b) / c)                                                                       \
    X(SUB, FROM, c - (a - b))                                                                      \
    X(SUB, UNDER, c / (a - b))                                                                     \
    X(MUL, ADD, (a * b) + c)                                                                       \
    X(MUL, SUB, (a * b) - c)                                                                       \
    X(MUL, MUL, (a * b) * c)                                                                       \
    X(MUL, DIV, (a * b) / c)                                                                       \
    X(MUL, FROM, c - (a * b))                                                                      \
    X(MUL, UNDER, c / (a * b))                                                                     \
    X(DIV, ADD, (a / b) + c)                                                                       \
    X(DIV, SUB, (a / b) - c)                                                                       \
    X(DIV, MUL, (a / b) * c)                                                                       \
    X(DIV, DIV, (a / b) / c)                                                                       \
    X(DIV, FROM, c - (a / b))                                                                      \
    X(DIV, UNDER, c / (a / b))

/* The codes are the operations from NEG to SELECT, and then these. Operands: d a register that the
 * instruction writes, r a register that it reads, n a number, b a row of the blocks, j a place in
 * the code. */
typedef enum dry_code {
    DRY_CODE_END = DRY_N_OPS,
    DRY_CODE_MOVE,      /* d r */
    DRY_CODE_JUMP,      /* j */
    DRY_CODE_UNLESS,    /* j r: jumps if r is 0 */
    DRY_CODE_UNLESS_LT, /* j r r: jumps unless the first is less than the second */
    DRY_CODE_UNLESS_LE, /* j r r */
    DRY_CODE_GATHER,    /* d n, then n times r: copies them side by side */
    DRY_CODE_SOLVE,     /* d n r: A and b gathered at r */
    DRY_CODE_LAW,       /* d b r r r: parameters, inputs, states side by side each; a table has
                           inputs alone */
    DRY_CODE_COULOMB,   /* d d r r r r r: f, a_dot; F, K, beta, v, a */
    DRY_CODE_CONTACT,   /* d d r r r r r: N, e_dot; K, alpha, beta, psi, e */
    /* wide: w stands for the first register of a wide value */
    DRY_CODE_WIDE_NEG,    /* d w */
    DRY_CODE_WIDE_MOVE,   /* d w */
    DRY_CODE_WIDE_FILL,   /* d r: the number in all ways */
    DRY_CODE_WIDE_ADD,    /* d w w */
    DRY_CODE_WIDE_SUB,    /* d w w */
    DRY_CODE_WIDE_TIMES,  /* d r w */
    DRY_CODE_WIDE_OVER,   /* d w r */
    DRY_CODE_WIDE_MORE,   /* d r w w: the product and the second */
    DRY_CODE_WIDE_SELECT, /* d r w w */
    DRY_CODE_WIDE_CHOOSE, /* d w w w: in each way */
    DRY_CODE_WIDE_MOVES,  /* d w: 1 where it is not 0, else 0 */
    DRY_CODE_WIDE_GATHER, /* d n, then n times w */
    DRY_CODE_WIDE_SOLVE,  /* d n r, then n times w: A gathered at r */
    DRY_CODE_TANGENTS,    /* d b r r r w w w m: parameters, inputs, states side by side each, their
                             changes, and the first of the marks of parameters that change */
#define NAME(first, second, value) DRY_CODE_##first##_##second,
    DRY_FUSED_CODES(NAME)
#undef NAME
        DRY_N_CODES
} dry_code;

enum { DRY_N_SECONDS = 6 };

/* ---- the image --------------------------------------------------------------------- */

/* Numbers first .. first + n of the roots of a section are in registers from .. from + n, or all in
 * `from`, as the rates of states that are held. */
typedef struct dry_run_of_roots {
    int first, from, n;
    bool same;
} dry_run_of_roots;

typedef struct dry_piece {
    size_t start; /* of its code */
    int n_instructions;
    dry_run_of_roots *runs;
    int n_runs;
    bool timed; /* it reads timed registers */
} dry_piece;

/* After the sections come two pieces: what runs once, and what runs when the time has changed. */
typedef enum dry_piece_kind { DRY_PIECE_SECTION, DRY_PIECE_ONCE, DRY_PIECE_TIMED } dry_piece_kind;

/* Copies of law parameters into packs; made once, after the run-once code. */
typedef struct dry_copy {
    int to, from;
} dry_copy;

typedef struct dry_marks {
    unsigned char *of;
    int n, capacity;
} dry_marks;

struct dry_image {
    int n_par, n_states, n_ways, n_sections;
    double *constants;
    int n_constants;
    int at_constants, at_once, at_packs, at_timed, at_t, at_tau, at_x;
    int at_zero; /* of n_ways zeros among the constants */
    int at_roots, at_gathered, at_gathered_wide, at_temporaries;
    int n_registers;
    dry_copy *copies;
    int n_copies;
    dry_block_info *blocks;
    dry_marks marks; /* of tangents: which parameters change */
    uint32_t *code;
    size_t n_words;
    dry_piece *pieces;
    unsigned char *kept; /* during construction: by node, whether it is in a timed register */
    int *pack_of; /* during construction: by node, where a block's parameters are; -1: nowhere */
    int *wide_pack_of; /* and where their changes are */
    int *home;         /* during construction: by node, its permanent register; -1: none */
};

/* Returns whether a block is a scalar law with its own instruction, whose two results have their
 * own registers. */
static inline bool dry_block__is_split(const dry_block_info *info) {
    return info->op == DRY_OP_LAW && (info->role == DRY_ROLE_CONTACT ||
                                      (info->role == DRY_ROLE_COULOMB && info->block.dim == 1));
}

/* Returns how many registers the value of a node has. */
static inline int dry_image__width(const dry_image *image, const dry_dag *dag, dry_node node) {
    return dry_dag_is_wide(dag, node) ? image->n_ways : 1;
}
/* Returns whether a node that is not wide, among wide ones, is the constant 0. */
static inline bool dry_image__is_wide_zero(const dry_dag *dag, dry_node node) {
    return !dry_dag_is_wide(dag, node) && dry_dag__is_const(dag, node, 0.0);
}

/* ---- registers of leaves (layout.c) ------------------------------------------------ */

/* Gives a register to every leaf and run-once value that the sections need, and places the areas.
 * `once` and `timed` become the lists of run-once and of timed values; the caller frees them.
 * Returns false without memory. */
typedef struct dry_nodes {
    dry_node *node;
    int n;
} dry_nodes;
bool dry_image__lay_out(dry_image *image, const dry_dag *dag, const dry_section *sections,
                        dry_nodes *once, dry_nodes *timed);

/* ---- code (emit.c) ----------------------------------------------------------------- */

/* Appends the code of one piece. Returns false without memory. */
bool dry_image__emit(dry_image *image, const dry_dag *dag, dry_piece_kind kind, dry_piece *piece,
                     const dry_section *section, size_t *code_capacity);

#endif
