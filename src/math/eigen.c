/* eigen: the eigenvalues of a real square matrix.
 *
 * Four stages, all in place: scaling by a power of two (no product overflows), balancing (rows and
 * columns of like size, Parlett and Reinsch 1969), reduction to Hessenberg form H by Householder
 * reflections, and the implicit double-shift QR iteration of Francis (1961) with deflation. Only
 * similarity transformations are used, so the spectrum stays. */
#include <drystone/math.h>
#include <float.h>

enum { USUAL_SWEEPS = 30, MOST_SWEEPS = 100 }; /* per eigenvalue; mostly it is about 3 */

typedef struct matrix {
    int n;
    double *A;
} matrix;

static double *at(matrix m, int i, int j) { return &m.A[(size_t)i * (size_t)m.n + (size_t)j]; }

/* ---- scaling and balancing ------------------------------------------------ */

static double largest_entry(matrix m) {
    double largest = 0.0;
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.n; j++) {
            if (!isfinite(*at(m, i, j))) return (double)INFINITY;
            largest = dry_max(largest, fabs(*at(m, i, j)));
        }
    return largest;
}

/* Makes the largest entry about 1; returns the exponent to put back. */
static int scale(matrix m, double largest) {
    if (largest == 0.0) return 0;
    int exponent;
    frexp(largest, &exponent);
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.n; j++) *at(m, i, j) = ldexp(*at(m, i, j), -exponent);
    return exponent;
}

/* The 1-norms of column and row k without the diagonal. */
static void off_diagonal_sums(matrix m, int k, double *column, double *row) {
    *column = *row = 0.0;
    for (int i = 0; i < m.n; i++) {
        if (i == k) continue;
        *column += fabs(*at(m, i, k));
        *row += fabs(*at(m, k, i));
    }
}

/* Scales column k by a power of two and row k by its inverse where that makes their sum clearly
 * smaller; true if it did. */
static bool balance_one(matrix m, int k) {
    double column, row;
    off_diagonal_sums(m, k, &column, &row);
    if (column == 0.0 || row == 0.0) return false;
    int e_row, e_column;
    frexp(row, &e_row);
    frexp(column, &e_column);
    const int shift = (e_row - e_column) / 2;
    if (!(ldexp(column, shift) + ldexp(row, -shift) < 0.95 * (column + row))) return false;
    for (int i = 0; i < m.n; i++) {
        *at(m, i, k) = ldexp(*at(m, i, k), shift);
        *at(m, k, i) = ldexp(*at(m, k, i), -shift);
    }
    return true;
}

static void balance(matrix m) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int k = 0; k < m.n; k++) changed |= balance_one(m, k);
    }
}

/* ---- Hessenberg form ------------------------------------------------------ */

/* Turns x[0], x[stride], .. (count of them) into the vector w of the reflection I - t w w^T, w[0] =
 * 1, that maps x on (head, 0, ..). Returns t; 0 where x needs no reflection. */
static double reflector(int count, double *x, int stride, double *head) {
    double largest = 0.0, square = 0.0;
    for (int i = 0; i < count; i++) largest = dry_max(largest, fabs(x[i * stride]));
    *head = x[0];
    if (largest == 0.0) return 0.0;
    for (int i = 0; i < count; i++) {
        const double unit = x[i * stride] / largest;
        square += unit * unit;
    }
    const double length = -copysign(largest * sqrt(square), x[0]);
    const double first = x[0] - length;
    *head = length;
    for (int i = 1; i < count; i++) x[i * stride] /= first;
    x[0] = 1.0;
    return -first / length;
}

/* Rows from..from+count-1 of columns j0..j1 become (I - t w w^T) times themselves. */
static void reflect_rows(matrix m, double t, const double *w, int stride, int from, int count,
                         int j0, int j1) {
    for (int j = j0; j <= j1; j++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++) sum += w[i * stride] * *at(m, from + i, j);
        for (int i = 0; i < count; i++) *at(m, from + i, j) -= t * sum * w[i * stride];
    }
}

/* The same on columns, for rows i0..i1. */
static void reflect_columns(matrix m, double t, const double *w, int stride, int from, int count,
                            int i0, int i1) {
    for (int i = i0; i <= i1; i++) {
        double sum = 0.0;
        for (int j = 0; j < count; j++) sum += w[j * stride] * *at(m, i, from + j);
        for (int j = 0; j < count; j++) *at(m, i, from + j) -= t * sum * w[j * stride];
    }
}

static void to_hessenberg(matrix m) {
    for (int k = 0; k + 2 < m.n; k++) {
        const int count = m.n - k - 1;
        double *w = at(m, k + 1, k); /* the column holds its own reflection vector */
        double head;
        const double t = reflector(count, w, m.n, &head);
        if (t != 0.0) {
            reflect_rows(m, t, w, m.n, k + 1, count, k + 1, m.n - 1);
            reflect_columns(m, t, w, m.n, k + 1, count, 0, m.n - 1);
        }
        for (int i = 1; i < count; i++) w[i * m.n] = 0.0;
        w[0] = head;
    }
}

/* ---- the QR iteration ------------------------------------------------------ */

/* The first row of the unreduced block that ends in row `last`. What is small beside its diagonal
 * is as good as 0, so that small eigenvalues are right too; where that does not come about, such as
 * for several equal ones of 0, what is small beside `least`. */
static int block_start(matrix m, int last, double least) {
    int k = last;
    for (; k > 0; k--) {
        const double beside = dry_max(least, fabs(*at(m, k - 1, k - 1)) + fabs(*at(m, k, k)));
        if (fabs(*at(m, k, k - 1)) <= DBL_EPSILON * beside) break;
        if (fabs(*at(m, k, k - 1)) < DBL_MIN) break;
    }
    return k;
}

/* The eigenvalues of [[a, b], [c, d]]. */
static void eigen_two(double a, double b, double c, double d, double *real, double *imaginary) {
    const double p = 0.5 * (a - d), q = p * p + b * c;
    imaginary[0] = imaginary[1] = 0.0;
    if (q < 0.0) {
        real[0] = real[1] = d + p;
        imaginary[0] = sqrt(-q);
        imaginary[1] = -imaginary[0];
        return;
    }
    const double z = p + copysign(sqrt(q), p);
    real[0] = d + z;
    real[1] = z != 0.0 ? d - b * c / z : d;
}

/* The sum and the product of the two shifts: the eigenvalues of the trailing 2 by 2 block, and
 * every tenth sweep something else near it, which breaks a cycle. */
static void shifts(matrix m, int last, int sweep, double *sum, double *product) {
    if (sweep % 10 == 0) {
        const double size = fabs(*at(m, last, last - 1)) + fabs(*at(m, last - 1, last - 2));
        const double centre = 0.75 * size + (sweep % 20 == 0 ? 0.0 : *at(m, last, last));
        *sum = 2.0 * centre;
        *product = centre * centre + 0.4375 * size * size;
        return;
    }
    const double a = *at(m, last - 1, last - 1), d = *at(m, last, last);
    *sum = a + d;
    *product = a * d - *at(m, last - 1, last) * *at(m, last, last - 1);
}

/* One double-shift sweep over rows first..last: the first column of H^2 - sum H + product I makes a
 * bulge below the subdiagonal, and reflections chase it out at the end. */
static void sweep_block(matrix m, int first, int last, double sum, double product) {
    const double h00 = *at(m, first, first), h10 = *at(m, first + 1, first);
    double w[3] = {h00 * (h00 - sum) + product + *at(m, first, first + 1) * h10,
                   h10 * (h00 + *at(m, first + 1, first + 1) - sum),
                   h10 * *at(m, first + 2, first + 1)};
    for (int k = first; k < last; k++) {
        const int count = k + 2 <= last ? 3 : 2;
        if (k > first)
            for (int i = 0; i < count; i++) w[i] = *at(m, k + i, k - 1);
        double head;
        const double t = reflector(count, w, 1, &head);
        if (k > first) {
            *at(m, k, k - 1) = head;
            for (int i = 1; i < count; i++) *at(m, k + i, k - 1) = 0.0;
        }
        if (t == 0.0) continue;
        reflect_rows(m, t, w, 1, k, count, k, last);
        reflect_columns(m, t, w, 1, k, count, first, k + 3 <= last ? k + 3 : last);
    }
}

/* Deflates what has converged at the end of the matrix; returns how many eigenvalues that gave. */
static int deflate(matrix m, int first, int last, double *real, double *imaginary) {
    if (first == last) {
        real[last] = *at(m, last, last);
        imaginary[last] = 0.0;
        return 1;
    }
    if (first + 1 < last) return 0;
    eigen_two(*at(m, first, first), *at(m, first, last), *at(m, last, first), *at(m, last, last),
              real + first, imaginary + first);
    return 2;
}

static dry_status iterate(matrix m, double *real, double *imaginary) {
    int sweep = 0;
    for (int last = m.n - 1; last >= 0;) {
        const int first = block_start(m, last, sweep > USUAL_SWEEPS ? 1.0 : 0.0);
        const int found = deflate(m, first, last, real, imaginary);
        last -= found;
        sweep = found > 0 ? 0 : sweep + 1;
        if (sweep > MOST_SWEEPS) return DRY_NOT_FINITE;
        if (found > 0) continue;
        double sum, product;
        shifts(m, last, sweep, &sum, &product);
        sweep_block(m, first, last, sum, product);
    }
    return DRY_OK;
}

dry_status dry_eigenvalues(int n, double *A, double *real, double *imaginary) {
    const matrix m = {n, A};
    const double largest = largest_entry(m);
    if (!isfinite(largest)) return DRY_NOT_FINITE;
    const int exponent = scale(m, largest);
    balance(m);
    to_hessenberg(m);
    const dry_status status = iterate(m, real, imaginary);
    for (int i = 0; i < n && status == DRY_OK; i++) {
        real[i] = ldexp(real[i], exponent);
        imaginary[i] = ldexp(imaginary[i], exponent);
    }
    return status;
}
