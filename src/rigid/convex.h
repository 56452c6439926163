/* rigid, inside the room: the convex problem of a step whose levels are known.
 *
 *     min over lambda in C1 x .. x Cn of  1/2 lambda.W lambda + q.lambda
 *
 * W = S D, q = S s0, S: +1 for a set of positions, -1 for a set of forces, so its gradient g = W
 * lambda + q is the rate of a gap, or a slide with the sign changed. W is symmetric and positive
 * semidefinite if every force acts along its own slide or gap. */
#ifndef DRYSTONE_RIGID_CONVEX_H
#define DRYSTONE_RIGID_CONVEX_H

#include <drystone/rigid.h>

struct dry_rigid__problem;

/* A symmetric matrix by rows of whole blocks, and its factors (sparse.c). */
typedef struct dry_rigid__sparse {
    int n;
    int *start, *column; /* entries start[i] .. start[i + 1] of row i, columns rising */
    int *mirror;         /* entry (j, i) of the entry (i, j) */
    int *diagonal;       /* n: the entry (i, i) */
    int *order, *place;  /* of elimination: place[order[k]] = k */
    /* L: unit lower triangle by columns; d: diagonal */
    int *parent, *L_start, *L_row, *filled;
    double *L, *d;
    int *stack, *flag; /* n: scratch */
    double *row;
} dry_rigid__sparse;

/* What a step of the iteration knows about lambda. */
typedef struct dry_rigid__point {
    double *lambda, *g, *T; /* n_forces: T = prox(lambda - gamma g) */
    double envelope;        /* of the objective */
    double change;          /* the largest |lambda - T| */
} dry_rigid__point;

typedef struct dry_rigid__convex {
    bool possible; /* there is memory for it */
    dry_rigid__sparse sparse;
    int *from;                 /* the entry of W for each entry of D */
    double *W, *A;             /* entries of `sparse` */
    double *gamma;             /* n_sets: step of the projection; 0: the force is given */
    double *P;                 /* n_sets by DRY_RIGID_DIM^2: slope of the projection */
    double *q, *R, *z, *spare; /* n_forces */
    double *best;              /* n_forces: the answer with the least error ... */
    double error;              /* ... and that, in parts of the largest force */
    double large;              /* a force that is too large to compare with */
    double *mu, *room;         /* n_sets: interior.c: multiplier, distance from the boundary */
    dry_rigid__point now, next;
    long steps, interiors; /* of Newton here; calls of interior.c */
} dry_rigid__convex;

typedef enum dry_rigid__answer {
    DRY_RIGID_SOLVED,
    DRY_RIGID_UNSOLVED,
    DRY_RIGID_NO_ANSWER /* with its certificate */
} dry_rigid__answer;

/* Takes the memory; false if there is none. `possible` stays false if the factors are too large. */
bool dry_rigid__convex_new(dry_arena *arena, struct dry_rigid__problem *p);
/* Solves for lambda with the levels of the problem as they are, from its lambda. If there is no
 * answer, `blame` of the problem is the certificate l: l >= 0, W l = 0, q.l < 0. */
dry_rigid__answer dry_rigid__convex_solve(struct dry_rigid__problem *p);
/* Whether W is symmetric: every force acts along its own slide or gap. */
bool dry_rigid__is_mutual(struct dry_rigid__problem *p);
/* From inside of all sets to near the answer, which becomes convex.now.lambda. */
void dry_rigid__interior(struct dry_rigid__problem *p);

/* Notes in `blame` the forces of half-lines that the last step of interior.c lets grow. */
void dry_rigid__note_growth(struct dry_rigid__problem *p);
/* Whether they show that there is no answer; `blame` becomes the certificate. */
bool dry_rigid__is_crushed(struct dry_rigid__problem *p);

/* The pattern of n rows whose blocks are connected by pairs of sets, with its order and factors. */
bool dry_rigid__sparse_new(dry_arena *arena, const struct dry_rigid__problem *p,
                           dry_rigid__sparse *s, bool *fits);
/* Factors A. Where a pivot is not above `least`, what is left of its row is rounding: its unknown
 * becomes 0, and L has nothing of it, or L would grow from row to row. */
void dry_rigid__factor(dry_rigid__sparse *s, const double *A, const double *least);
/* x = b / A, with b in x. */
void dry_rigid__substitute(dry_rigid__sparse *s, double *x);

#endif
