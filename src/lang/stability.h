/* stability: which steps integrate which modes, and how large the modes of a big system are.
 *
 * A mode lambda = re + i im (1/s) is multiplied by R(z), z = T lambda, in a step T of a one-step
 * method; it is damped as it should be only where |R| <= 1. */
#ifndef DRYSTONE_LANG_STABILITY_H
#define DRYSTONE_LANG_STABILITY_H

#include <stdbool.h>

/* |R(z)| of a method by name ("euler", "heun", "rk4", ...). rk4-tau is RK4 with beta + 3/4 T in
 * place of beta (KY08 (21)): the caller applies this to the modes. NaN where no bound is known:
 * semi-implicit, and methods that choose their own step. */
double dry_amplification(const char *method, double re, double im);

/* Whether a mode is integrated stably by step T: the rate ln|R|/T is
 * at most max(0, re + 1e-3 |lambda|). A damped mode must not grow, an undamped one hardly, and one
 * that grows by its physics not noticeably faster than it should. */
bool dry_mode_stable(const char *method, double re, double im, double step);

/* Modes up to this |z| are stable, whatever their direction; 0 where no bound is known. */
double dry_safe_radius(const char *method);

/* The largest step for which all n modes are stable, to 3 digits and on the safe side; INFINITY
 * where there is no bound. */
double dry_largest_step(const char *method, int n, const double *re, const double *im);

/* y = J v */
typedef void dry_product_fn(void *user, const double *v, double *y);

/* Estimates the spectral radius of an n by n matrix through at most `max_products` >= 1 products,
 * to a few percent with about 100 of them. Deterministic. work: 3 n numbers. NaN where a product is
 * not finite. */
double dry_spectral_radius(int n, dry_product_fn *product, void *user, int max_products,
                           double *work);

/* How much a stuck friction element passes on of a force of frequency omega (1/s), m the mass:
 *     H = |K(1 + i beta omega)/(K - m omega^2 + i K beta omega)| */
double dry_transmissibility(double K, double beta, double mass, double omega);

#endif
