/* statistics: how sure a result is, inside the room.
 *
 * The rows of the fit become spans: rows of one output that follow each other without a gap.
 * Spans of outputs of one name, such as those of several records, share a model of the noise.
 */
#ifndef DRY_FIT_STATISTICS_H
#define DRY_FIT_STATISTICS_H

#include <drystone/fit.h>

/* ---- noise.c: how residuals depend on those before them ------------------------------------ */

enum { DRY_FIT__ORDERS = 64 };

/* Rows first .. first + n - 1 of the stacked residuals. */
typedef struct dry_fit__span {
    size_t first, n;
    int output;
} dry_fit__span;

/* An autoregressive process: e[i] + a[0] e[i-1] + ... + a[order-1] e[i-order] is white. */
typedef struct dry_fit__noise {
    int order;
    double a[DRY_FIT__ORDERS];
    double rho[DRY_FIT__ORDERS + 1]; /* autocorrelation, up to the order and maybe beyond */
    double white;                    /* variance of what is white, over that of e */
    double sum; /* 1 + 2 (rho[1] + rho[2] + ...): rows that one independent row is worth */
} dry_fit__noise;

/* Finds the process of these spans of e. Returns false without memory. */
bool dry_fit__noise_of(const double *e, const dry_fit__span *spans, int n_spans,
                       dry_fit__noise *noise);
/* rho[0..n), the autocorrelation. */
void dry_fit__noise_curve(const dry_fit__noise *noise, size_t n, double *rho);
/* From how many rows apart on the correlation is below 1e-3; at most `most`. */
size_t dry_fit__noise_reach(const dry_fit__noise *noise, size_t most);
/* z = B x, where B B' = R is the autocorrelation matrix of n rows; z has n + reach numbers, of
 * which z'z = x'R x. */
void dry_fit__noise_back(const dry_fit__noise *noise, const double *x, size_t stride, size_t n,
                         size_t reach, double *z);
/* y = R x from z; y has n numbers, spare n + reach. */
void dry_fit__noise_forth(const dry_fit__noise *noise, const double *z, size_t n, size_t reach,
                          double *spare, double *y);

/* ---- student.c ------------------------------------------------------------------------------- */

/* The t that Student's variable of so many degrees of freedom (>= 1) exceeds in size with
 * probability 1 - inside. */
double dry_fit__student(double degrees, double inside);

/* ---- triangle.c: least squares by QR and the singular values of R ------------------------------
 */

/* A (rows by n, row-major) = Q R: A is overwritten, R is n by n, upper. */
void dry_fit__triangle(size_t rows, int n, double *A, double *R);
/* R = U diag(s) V': s falls, V is n by n with the directions as columns. R is overwritten. */
void dry_fit__directions(int n, double *R, double *s, double *V);

/* ---- repeats.c --------------------------------------------------------------------------------
 */

/* The period of y in rows: 0 if it does not repeat at least three times. */
double dry_fit__period(const double *y, size_t n);
/* Of residuals e, what comes back a period later and what does not. */
typedef struct dry_fit__repetition {
    double fresh;  /* half the mean square of e[i + period] - e[i] */
    double shared; /* correlation of e with itself a period later */
    size_t n;      /* rows that have one a period later */
} dry_fit__repetition;
dry_fit__repetition dry_fit__repeat(const double *e, size_t n, double period);

/* ---- statistics.c -----------------------------------------------------------------------------
 */

/* Sums over the weights u of white numbers in one parameter. */
typedef struct dry_fit__weights {
    double all, seen, fourth; /* of u^2, also before the first row; of u^2, u^4 at rows */
    double felt;              /* of u^2 w^2 */
} dry_fit__weights;

/* Outputs of one name and their noise. */
typedef struct dry_fit__group {
    dry_fit__noise noise;
    double *S, *S2;            /* A'R A, A'R^2 A */
    dry_fit__weights *weights; /* of each column */
    struct {
        double n, sum, square; /* of w^2 */
    } white;
    double rows, squares, traces; /* n, e'e, tr R^2 */
    double grown;                 /* 1 + (cycles - 1) shared */
    double variance;              /* s^2 of a weighted residual */
    double degrees;               /* of freedom of s^2 */
    double effective;
} dry_fit__group;

/* The rows of a fit, stacked, and what comes of them. Columns are the parameters that can move. */
typedef struct dry_fit__rows {
    dry_fit_result *result;
    dry_arena *arena;
    size_t rows;
    int n, rank;
    int *parameter; /* of a column */
    double *step;   /* of an output: from row to row */
    double *A,
        *length; /* columns of length 1, and their length before: per unit of the parameter */
    double *e;
    size_t *at;            /* the row of its output */
    unsigned char *beyond; /* the limit of Huber's loss */
    dry_fit__span *spans;
    int n_spans;
    double *s, *V, *H;      /* singular values and directions of A; H^-1 */
    dry_fit__group *groups; /* at the first output of each name */
    double *C;              /* covariance */
    double *felt, *spread;  /* its diagonal by White; sum of squares of its parts over degrees */
    double plain, squares;  /* s^2 if residuals were independent; e'e */
} dry_fit__rows;

bool dry_fit__is_row(const dry_fit_output *output, size_t i); /* it has a residual and counts */
double dry_fit__row_time(const dry_fit_output *output);       /* from row to row, the median */
/* The first span from this row on, and how long it is; 0: there is none. */
size_t dry_fit__span_at(const dry_fit_output *output, size_t from, double step, size_t *n);

/* delay.c: fills in delay and scan of each look. False without memory. */
bool dry_fit__scan_delays(dry_fit__rows *w);
/* The variance of the sum of u[i] times the noise of row i, as that of a parameter is found: with
 * correlated noise, with residuals that are larger where u is, and at least that of independent
 * ones; and its degrees of freedom. NAN without memory. */
double dry_fit__variance_of(const dry_fit__rows *w, const double *u, double *degrees);
/* bounds.c: intervals of parameters at a bound. False without memory. */
bool dry_fit__bound(dry_fit__rows *w);
/* sense.c: whether the parameter is negative, though its unit says that it is something positive:
 * what, and what it means. */
bool dry_fit__is_nonsense(const dry_fit_parameter *parameter, const char **what,
                          const char **means);
/* Whether another sign would be another thing. */
bool dry_fit__sign_matters(const dry_fit_parameter *parameter);
/* coarse.c: how much half the step would change, to the parameters and looks. False without
 * memory. */
bool dry_fit__compare_finer(dry_fit__rows *w);
/* warnings.c: sentences about what is wrong with the result. */
bool dry_fit__warn(dry_fit__rows *w);

#endif
