/* triangle: A = Q R by Householder's reflections, and the singular values of R by Jacobi's
 * rotations of its columns (Hestenes 1958; Demmel and Veselic 1992: small singular values keep
 * their digits). */
#include "statistics.h"

#include <math.h>
#include <string.h>

static double column_norm(size_t rows, int n, const double *A, int k) {
    double largest = 0.0, sum = 0.0;
    for (size_t i = (size_t)k; i < rows; i++)
        largest = fmax(largest, fabs(A[i * (size_t)n + (size_t)k]));
    if (!(largest > 0.0)) return 0.0;
    for (size_t i = (size_t)k; i < rows; i++) {
        const double x = A[i * (size_t)n + (size_t)k] / largest;
        sum += x * x;
    }
    return largest * sqrt(sum);
}

/* Column j minus its part along the vector v in rows k.. of column k; v'v = 2 scale. */
static void reflect_column(size_t rows, int n, double *A, int k, int j, double scale) {
    const size_t width = (size_t)n;
    double along = 0.0;
    for (size_t i = (size_t)k; i < rows; i++)
        along += A[i * width + (size_t)k] * A[i * width + (size_t)j];
    along /= scale;
    for (size_t i = (size_t)k; i < rows; i++)
        A[i * width + (size_t)j] -= along * A[i * width + (size_t)k];
}

void dry_fit__triangle(size_t rows, int n, double *A, double *R) {
    memset(R, 0, sizeof *R * (size_t)n * (size_t)n);
    for (int k = 0; k < n && (size_t)k < rows; k++) {
        double *pivot = &A[(size_t)k * (size_t)n + (size_t)k];
        const double norm = column_norm(rows, n, A, k), end = *pivot > 0.0 ? -norm : norm;
        if (norm > 0.0) {
            const double scale = norm * (norm + fabs(*pivot));
            *pivot -= end;
            for (int j = k + 1; j < n; j++) reflect_column(rows, n, A, k, j, scale);
        }
        R[k * n + k] = end;
        for (int j = k + 1; j < n; j++) R[k * n + j] = A[(size_t)k * (size_t)n + (size_t)j];
    }
}

/* Turns columns p and q of M by the angle whose cosine and sine are given. */
static void turn(int n, double *M, int p, int q, double c, double s) {
    for (int i = 0; i < n; i++) {
        const double x = M[i * n + p], y = M[i * n + q];
        M[i * n + p] = c * x - s * y;
        M[i * n + q] = s * x + c * y;
    }
}

/* Makes columns p and q of R perpendicular; returns whether they were not. */
static bool rotate(int n, double *R, double *V, int p, int q) {
    double pp = 0.0, qq = 0.0, pq = 0.0;
    for (int i = 0; i < n; i++) {
        pp += R[i * n + p] * R[i * n + p];
        qq += R[i * n + q] * R[i * n + q];
        pq += R[i * n + p] * R[i * n + q];
    }
    if (!(fabs(pq) > 1e-15 * sqrt(pp) * sqrt(qq))) return false;
    const double zeta = (qq - pp) / (2.0 * pq);
    const double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    const double c = 1.0 / sqrt(1.0 + t * t);
    turn(n, R, p, q, c, c * t);
    turn(n, V, p, q, c, c * t);
    return true;
}

static void swap_columns(int n, double *M, int p, int q) {
    for (int i = 0; i < n; i++) {
        const double keep = M[i * n + p];
        M[i * n + p] = M[i * n + q];
        M[i * n + q] = keep;
    }
}

static void sort(int n, double *s, double *V) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int j = k + 1; j < n; j++)
            if (s[j] > s[best]) best = j;
        const double keep = s[k];
        s[k] = s[best];
        s[best] = keep;
        swap_columns(n, V, k, best);
    }
}

void dry_fit__directions(int n, double *R, double *s, double *V) {
    enum { SWEEPS = 60 };
    for (int i = 0; i < n * n; i++) V[i] = i % (n + 1) ? 0.0 : 1.0;
    bool moved = true;
    for (int sweep = 0; moved && sweep < SWEEPS; sweep++) {
        moved = false;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) moved |= rotate(n, R, V, p, q);
    }
    for (int j = 0; j < n; j++) {
        double square = 0.0;
        for (int i = 0; i < n; i++) square += R[i * n + j] * R[i * n + j];
        s[j] = sqrt(square);
    }
    sort(n, s, V);
}
