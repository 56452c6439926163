/* solve: A x = b by Gaussian elimination with partial pivoting, in place. */
#include <drystone/math.h>

static void swap(double *a, double *b) {
    const double keep = *a;
    *a = *b;
    *b = keep;
}

/* The row of the largest entry of column k at or below the diagonal. */
static int pivot_row(int n, const double *A, int k) {
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    return best;
}

static void swap_rows(int n, double *A, double *b, int i, int k) {
    if (i == k) return;
    for (int j = k; j < n; j++) swap(&A[i * n + j], &A[k * n + j]);
    swap(&b[i], &b[k]);
}

static void eliminate_below(int n, double *A, double *b, int k) {
    for (int i = k + 1; i < n; i++) {
        const double factor = A[i * n + k] / A[k * n + k];
        for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        b[i] -= factor * b[k];
    }
}

static void substitute_back(int n, const double *A, double *b) {
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

dry_status dry_solve(int n, double *A, double *b) {
    for (int k = 0; k < n; k++) {
        swap_rows(n, A, b, pivot_row(n, A, k), k);
        if (A[k * n + k] == 0.0) return DRY_SINGULAR;
        eliminate_below(n, A, b, k);
    }
    substitute_back(n, A, b);
    return DRY_OK;
}
