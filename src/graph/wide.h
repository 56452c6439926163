/* Arithmetic on wide values, of n numbers each. Where a result and an argument are not apart, they
 * are the same. */
#ifndef DRY_GRAPH_WIDE_H
#define DRY_GRAPH_WIDE_H

#include <stdint.h>

void dry_wide__neg(int n, double *to, const double *a);
void dry_wide__move(int n, double *to, const double *a);
void dry_wide__fill(int n, double *to, double x);
void dry_wide__add(int n, double *to, const double *a, const double *b);
void dry_wide__sub(int n, double *to, const double *a, const double *b);
void dry_wide__times(int n, double *to, double x, const double *a);
void dry_wide__over(int n, double *to, const double *a, double x);
/* x a + b */
void dry_wide__more(int n, double *to, double x, const double *a, const double *b);
/* c ? a : b in each way */
void dry_wide__choose(int n, double *to, const double *c, const double *a, const double *b);
/* a != 0 */
void dry_wide__moves(int n, double *to, const double *a);
/* Solves A x = b of `size` equations for each of n ways; row i of b begins at r[b[i]]; `work` has
 * size (size + 1) numbers. */
void dry_wide__solve(int n, int size, double *x, const double *A, const double *r,
                     const uint32_t *b, double *work);

#endif
