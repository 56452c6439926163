/* wide: the loops over ways. The compiler makes vector instructions of them (CMakeLists.txt). */
#include "wide.h"

#include "dag_private.h"

/* A number of the result may depend on the same number of an argument alone. */
#if defined(__GNUC__) && !defined(__clang__)
#define EACH_WAY _Pragma("GCC ivdep") for (int k = 0; k < n; k++)
#else
#define EACH_WAY for (int k = 0; k < n; k++)
#endif

void dry_wide__neg(int n, double *to, const double *a) { EACH_WAY to[k] = -a[k]; }
void dry_wide__move(int n, double *to, const double *a) { EACH_WAY to[k] = a[k]; }
void dry_wide__fill(int n, double *to, double x) { EACH_WAY to[k] = x; }
void dry_wide__add(int n, double *to, const double *a, const double *b) {
    EACH_WAY to[k] = a[k] + b[k];
}
void dry_wide__sub(int n, double *to, const double *a, const double *b) {
    EACH_WAY to[k] = a[k] - b[k];
}
void dry_wide__times(int n, double *to, double x, const double *a) { EACH_WAY to[k] = x * a[k]; }
void dry_wide__over(int n, double *to, const double *a, double x) { EACH_WAY to[k] = a[k] / x; }
void dry_wide__more(int n, double *to, double x, const double *a, const double *b) {
    EACH_WAY to[k] = x * a[k] + b[k];
}

void dry_wide__choose(int n, double *to, const double *c, const double *a, const double *b) {
    EACH_WAY to[k] = c[k] != 0.0 ? a[k] : b[k];
}
void dry_wide__moves(int n, double *to, const double *a) { EACH_WAY to[k] = a[k] != 0.0; }

void dry_wide__solve(int n, int size, double *x, const double *A, const double *r,
                     const uint32_t *b, double *work) {
    double *right = work + size * size;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < size * size; i++) work[i] = A[i];
        for (int i = 0; i < size; i++) right[i] = r[b[i] + (uint32_t)k];
        dry_block__solve(size, work, right);
        for (int i = 0; i < size; i++) x[i * n + k] = right[i];
    }
}
