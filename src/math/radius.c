/* The spectral radius by squaring: rho(A) = lim |A^m|^(1/m), m = 2^SQUARINGS (Gelfand 1941). */
#include <drystone/math.h>
#include <string.h>

enum { SQUARINGS = 24 };

/* A / |A|, |A| being its largest row; returns ln |A|. */
static double normalise(int n, double *A) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++) row += fabs(A[i * n + j]);
        most = row > most || isnan(row) ? row : most;
    }
    for (int i = 0; i < n * n; i++) A[i] /= most;
    return dry_log(most);
}

static void square(int n, const double *A, double *to) {
    memset(to, 0, sizeof *to * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double a = A[i * n + k];
            for (int j = 0; j < n && a != 0.0; j++) to[i * n + j] += a * A[k * n + j];
        }
}

double dry_log_radius(int n, double *A, double *spare) {
    double sum = 0.0, share = 1.0;
    for (int k = 0; k < SQUARINGS; k++, share *= 0.5) {
        const double length = normalise(n, A);
        if (!isfinite(length)) return length; /* nothing is left, or it is not a number */
        sum += share * length;
        square(n, A, spare);
        double *squared = spare;
        spare = A, A = squared;
    }
    return sum + share * normalise(n, A);
}
