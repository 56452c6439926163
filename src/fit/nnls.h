/* nnls: linear least squares with parameters that are not negative, inside the room. */
#ifndef DRY_FIT_NNLS_H
#define DRY_FIT_NNLS_H

#include <stdbool.h>

/* Minimises x'G x/2 - b'x over x >= 0, G = A'A (n by n) and b = A'y. False without memory. */
bool dry_fit__nnls(int n, const double *G, const double *b, double *x);

#endif
