/* statistics: how sure the parameters of a fit are.
 *
 * With the weighted residuals e = A dp + noise, one row per sample, H = A'A and R the
 * autocorrelation of the noise, least squares have the covariance
 *
 *     C = H^-1 (sum over groups of s^2 A'R A) H^-1,   s^2 = e'e/(n - tr H^-1 A'R A)
 *
 * which is s^2 H^-1 for R = I. Outputs of one name are a group with one noise (noise.c). If the
 * residuals come back in each of m cycles with the correlation c, A'R A grows by 1 + (m - 1) c, for
 * that part is the same in each cycle and no mean makes it smaller. The degrees of freedom of
 * Student's t are those of Satterthwaite (1946), 2 E(s^2)^2/var(s^2). */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows of the fit ---------------------------------------------------------------- */

bool dry_fit__is_row(const dry_fit_output *o, size_t i) {
    return !(o->held && o->held[i]) && isfinite(o->residual[i]);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many rows come at most so long after the one before. */
static size_t count_within(const dry_fit_output *o, uint64_t bits) {
    double most;
    size_t n = 0;
    memcpy(&most, &bits, sizeof most);
    for (size_t i = 1; i < o->rows; i++) n += o->t[i] - o->t[i - 1] <= most;
    return n;
}

/* Bit by bit from the highest, as the bits of positive numbers rise with them: so it takes no
 * memory that could run out. */
double dry_fit__row_time(const dry_fit_output *o) {
    uint64_t bits = 0;
    double middle;
    if (o->rows < 2) return 0.0;
    for (int b = 62; b >= 0; b--) {
        const uint64_t bit = UINT64_C(1) << b;
        if (count_within(o, bits | (bit - 1)) <= (o->rows - 1) / 2) bits |= bit;
    }
    memcpy(&middle, &bits, sizeof middle);
    return middle;
}

/* A gap is longer than one row and a half. */
static bool follows(const dry_fit_output *o, size_t i, double step) {
    return i > 0 && dry_fit__is_row(o, i - 1) && o->t[i] - o->t[i - 1] <= 1.5 * step;
}

size_t dry_fit__span_at(const dry_fit_output *o, size_t from, double step, size_t *n) {
    while (from < o->rows && !dry_fit__is_row(o, from)) from++;
    size_t end = from;
    while (end < o->rows && dry_fit__is_row(o, end) && (end == from || follows(o, end, step)))
        end++;
    *n = end - from;
    return from;
}

static int count_spans(const dry_fit_result *r, const double *steps, size_t *rows) {
    int count = 0;
    *rows = 0;
    for (int k = 0; k < r->n_outputs; k++) {
        const dry_fit_output *o = &r->outputs[k];
        const double step = steps[k];
        size_t n;
        for (size_t i = dry_fit__span_at(o, 0, step, &n); n;
             i = dry_fit__span_at(o, i + n, step, &n)) {
            count++;
            *rows += n;
        }
    }
    return count;
}

/* Huber's loss counts what is beyond its limit as if it lay on the limit, where parameters do not
 * move it. */
static void put_row(dry_fit__rows *w, const dry_fit_output *o, double limit, size_t i, size_t at) {
    const double weight = o->weight / o->scale, e = weight * o->residual[i];
    w->beyond[at] = fabs(e) > limit;
    w->e[at] = w->beyond[at] ? copysign(limit, e) : e;
    w->at[at] = i;
    for (int j = 0; j < w->n; j++)
        w->A[at * (size_t)w->n + (size_t)j] =
            weight * o->jacobian[i * (size_t)w->result->n_parameters + (size_t)w->parameter[j]];
}

/* Huber's limit of an output: so many of its deviations, 1.4826 medians of the sizes. */
static double limit_of(const dry_fit__rows *w, const dry_fit_output *o) {
    const dry_fit_result *r = w->result;
    double *size = r->huber > 0.0 ? dry_arena_take(w->arena, sizeof *size * (o->rows + 1)) : NULL;
    size_t n = 0;
    if (!size) return (double)INFINITY; /* the arena knows whether memory ran out */
    for (size_t i = 0; i < o->rows; i++)
        if (dry_fit__is_row(o, i)) size[n++] = fabs(o->weight / o->scale * o->residual[i]);
    qsort(size, n, sizeof *size, compare);
    return n ? r->huber * size[n / 2] / 0.6744897501960817 : (double)INFINITY;
}

static void put_rows(dry_fit__rows *w) {
    const dry_fit_result *r = w->result;
    size_t at = 0;
    int s = 0;
    for (int k = 0; k < r->n_outputs; k++) {
        const dry_fit_output *o = &r->outputs[k];
        const double step = w->step[k], limit = limit_of(w, o);
        size_t n;
        for (size_t i = dry_fit__span_at(o, 0, step, &n); n;
             i = dry_fit__span_at(o, i + n, step, &n)) {
            w->spans[s++] = (dry_fit__span){at, n, k};
            for (size_t j = 0; j < n; j++) put_row(w, o, limit, i + j, at++);
        }
    }
}

/* Columns of length 1, so that no unit matters. */
static void scale_columns(dry_fit__rows *w) {
    for (int j = 0; j < w->n; j++) {
        double largest = 0.0, sum = 0.0;
        for (size_t i = 0; i < w->rows; i++)
            largest = fmax(largest, fabs(w->A[i * (size_t)w->n + (size_t)j]));
        for (size_t i = 0; i < w->rows && largest > 0.0; i++) {
            const double x = w->A[i * (size_t)w->n + (size_t)j] / largest;
            sum += x * x;
        }
        w->length[j] = largest > 0.0 ? largest * sqrt(sum) : 1.0;
        for (size_t i = 0; i < w->rows; i++) w->A[i * (size_t)w->n + (size_t)j] /= w->length[j];
    }
}

/* A parameter that can move and that some row of the fit feels. */
static bool is_free(const dry_fit_result *r, int p) {
    const dry_fit_parameter *of = &r->parameters[p];
    if (of->at_low || of->at_high || of->no_effect) return false;
    for (int k = 0; k < r->n_outputs; k++)
        for (size_t i = 0; i < r->outputs[k].rows; i++)
            if (dry_fit__is_row(&r->outputs[k], i) &&
                r->outputs[k].jacobian[i * (size_t)r->n_parameters + (size_t)p] != 0.0)
                return true;
    return false;
}

static bool gather(dry_fit__rows *w, dry_fit_result *r, dry_arena *arena) {
    const size_t p = (size_t)r->n_parameters + 1;
    *w = (dry_fit__rows){.result = r, .arena = arena};
    w->step = dry_arena_take(arena, sizeof *w->step * (size_t)(r->n_outputs + 1));
    if (!w->step) return false;
    for (int k = 0; k < r->n_outputs; k++) w->step[k] = dry_fit__row_time(&r->outputs[k]);
    w->n_spans = count_spans(r, w->step, &w->rows);
    w->parameter = dry_arena_take(arena, sizeof *w->parameter * p);
    w->length = dry_arena_take(arena, sizeof *w->length * p);
    w->spans = dry_arena_take(arena, sizeof *w->spans * (size_t)(w->n_spans + 1));
    w->e = dry_arena_take(arena, sizeof *w->e * (w->rows + 1));
    w->at = dry_arena_take(arena, sizeof *w->at * (w->rows + 1));
    w->beyond = dry_arena_take(arena, sizeof *w->beyond * (w->rows + 1));
    if (dry_arena_failed(arena)) return false;
    for (int i = 0; i < r->n_parameters; i++)
        if (is_free(r, i)) w->parameter[w->n++] = i;
    w->A = dry_arena_take(arena, sizeof *w->A * (w->rows + 1) * (size_t)(w->n + 1));
    if (dry_arena_failed(arena)) return false;
    put_rows(w);
    scale_columns(w);
    return true;
}

/* ---- H^-1 from the singular values ---------------------------------------------------------- */

static const double SINGULAR = 1e-9; /* of the largest: below, a direction is not seen at all */

static bool invert(dry_fit__rows *w) {
    const size_t n = (size_t)w->n;
    double *copy = malloc(sizeof *copy * (w->rows * n + 1));
    double *R = dry_arena_take(w->arena, sizeof *R * (n * n + 1));
    w->s = dry_arena_take(w->arena, sizeof *w->s * (n + 1));
    w->V = dry_arena_take(w->arena, sizeof *w->V * (n * n + 1));
    w->H = dry_arena_take(w->arena, sizeof *w->H * (n * n + 1));
    const bool room = copy && !dry_arena_failed(w->arena);
    if (room) {
        memcpy(copy, w->A, sizeof *copy * w->rows * n);
        for (size_t i = 0; i < w->rows; i++)
            for (size_t j = 0; w->beyond[i] && j < n; j++) copy[i * n + j] = 0.0;
        dry_fit__triangle(w->rows, w->n, copy, R);
        dry_fit__directions(w->n, R, w->s, w->V);
        while (w->rank < w->n && w->s[w->rank] > SINGULAR * w->s[0]) w->rank++;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t k = 0; k < (size_t)w->rank; k++)
                    w->H[i * n + j] += w->V[i * n + k] * w->V[j * n + k] / (w->s[k] * w->s[k]);
    }
    free(copy);
    return room;
}

/* ---- groups -------------------------------------------------------------------------------- */

static int group_of(const dry_fit_result *r, int output) {
    for (int k = 0; k < output; k++)
        if (!strcmp(r->outputs[k].name, r->outputs[output].name)) return k;
    return output;
}

static void add_product(int n, size_t rows, const double *columns, double *S) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double *a = columns + (size_t)i * rows, *b = columns + (size_t)j * rows;
            double sum = 0.0;
            for (size_t k = 0; k < rows; k++) sum += a[k] * b[k];
            S[i * n + j] += sum;
            if (i != j) S[j * n + i] += sum;
        }
}

/* The square of what is white in the residual at a row of a span, per variance. */
static double white_square(const dry_fit__rows *w, const dry_fit__group *g, const dry_fit__span *s,
                           size_t row) {
    const double *e = w->e + s->first + row;
    double white = *e;
    for (size_t k = 1; k <= (size_t)g->noise.order; k++) white += g->noise.a[k - 1] * e[-(long)k];
    return white * white / g->noise.white;
}

static void add_weight(dry_fit__weights *of, double u, bool seen, double q) {
    of->all += u * u;
    if (!seen) return;
    of->seen += u * u;
    of->fourth += u * u * u * u;
    of->felt += u * u * q;
}

/* z goes back in time, and beyond the first row: whether number k is that of a row with all the
 * rows before it that its white part takes. */
static bool is_seen(const dry_fit__group *g, const dry_fit__span *s, size_t k) {
    return k < s->n && s->n - 1 - k >= (size_t)g->noise.order;
}

/* Sums for the parameters' own weights u = H z of each white number. */
static void add_weights(const dry_fit__rows *w, dry_fit__group *g, const dry_fit__span *s,
                        const double *z, size_t all) {
    const size_t n = (size_t)w->n;
    for (size_t k = 0; k < all; k++) {
        const bool seen = is_seen(g, s, k);
        const double q = seen ? white_square(w, g, s, s->n - 1 - k) : 0.0;
        g->white.n += seen;
        g->white.sum += q;
        g->white.square += q * q;
        for (size_t j = 0; j < n; j++) {
            double u = 0.0;
            for (size_t i = 0; i < n; i++) u += w->H[j * n + i] * z[i * all + k];
            add_weight(&g->weights[j], u, seen, q);
        }
    }
}

/* Adds x'R x and x'R^2 x of one span to S and S2, for the columns x of A. */
static bool add_span(const dry_fit__rows *w, dry_fit__group *g, const dry_fit__span *s) {
    const size_t reach = dry_fit__noise_reach(&g->noise, 4 * s->n), all = s->n + reach;
    const size_t n = (size_t)w->n;
    double *z = malloc(sizeof *z * (all * n + 1)), *y = malloc(sizeof *y * (s->n * n + 1));
    double *spare = malloc(sizeof *spare * (all + 1));
    const bool room = z && y && spare;
    for (size_t j = 0; room && j < n; j++) {
        dry_fit__noise_back(&g->noise, w->A + s->first * n + j, n, s->n, reach, z + j * all);
        dry_fit__noise_forth(&g->noise, z + j * all, s->n, reach, spare, y + j * s->n);
    }
    if (room) {
        add_product(w->n, all, z, g->S);
        add_product(w->n, s->n, y, g->S2);
        add_weights(w, g, s, z, all);
    }
    free(z);
    free(y);
    free(spare);
    return room;
}

static double trace_of_product(int n, const double *A, const double *B) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += A[i * n + j] * B[j * n + i];
    return sum;
}

static void multiply(int n, const double *A, const double *B, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
        }
}

/* tr R^2 of a span: sum of (n - |k|) rho[k]^2. */
static double square_trace(const dry_fit__rows *w, const dry_fit__noise *noise,
                           const dry_fit__span *s) {
    const size_t reach = dry_fit__noise_reach(noise, s->n);
    double *rho = dry_arena_take(w->arena, sizeof *rho * (reach + 1)), sum = (double)s->n;
    if (rho) dry_fit__noise_curve(noise, reach + 1, rho);
    for (size_t k = 1; rho && k <= reach && k < s->n; k++)
        sum += 2.0 * (double)(s->n - k) * rho[k] * rho[k];
    return sum;
}

/* The mean correlation with the next cycle, over the spans that repeat; it counts if chance
 * does not give it once in 100. */
static void find_repetition(dry_fit__rows *w, dry_fit__group *g, int group) {
    double shared = 0.0, n = 0.0, cycles = 0.0;
    for (int i = 0; i < w->n_spans; i++) {
        const dry_fit__span *s = &w->spans[i];
        const dry_fit_output *o = &w->result->outputs[s->output];
        dry_fit_look *look = &w->result->stats.look[s->output];
        if (group_of(w->result, s->output) != group) continue;
        const double step = w->step[s->output];
        const double period = dry_fit__period(o->model + w->at[s->first], s->n);
        if (!(period > 0.0)) continue;
        const dry_fit__repetition r = dry_fit__repeat(w->e + s->first, s->n, period);
        look->period = period * step;
        look->cycles = (double)s->n / period;
        look->shared = r.shared;
        look->unrepeated = sqrt(r.fresh) * o->scale / o->weight;
        shared += (double)r.n * r.shared;
        n += (double)r.n;
        cycles = fmax(cycles, (double)s->n / period);
    }
    if (!(n > 0.0)) return;
    shared /= n;
    if (shared > 2.6 * sqrt(g->noise.sum / n)) g->grown = 1.0 + (cycles - 1.0) * shared;
}

static bool measure_group(dry_fit__rows *w, dry_fit__group *g, int group) {
    const size_t square = (size_t)w->n * (size_t)w->n;
    dry_fit__span *own = malloc(sizeof *own * (size_t)(w->n_spans + 1));
    int n = 0;
    if (!own) return false;
    for (int i = 0; i < w->n_spans; i++)
        if (group_of(w->result, w->spans[i].output) == group) own[n++] = w->spans[i];
    g->S = dry_arena_take(w->arena, sizeof *g->S * (square + 1));
    g->S2 = dry_arena_take(w->arena, sizeof *g->S2 * (square + 1));
    g->weights = dry_arena_take(w->arena, sizeof *g->weights * (size_t)(w->n + 1));
    g->grown = 1.0;
    bool room = !dry_arena_failed(w->arena) && dry_fit__noise_of(w->e, own, n, &g->noise);
    for (int i = 0; room && i < n; i++) {
        room = add_span(w, g, &own[i]);
        g->rows += (double)own[i].n;
        g->traces += square_trace(w, &g->noise, &own[i]);
        for (size_t k = 0; k < own[i].n; k++)
            g->squares += w->e[own[i].first + k] * w->e[own[i].first + k];
    }
    if (room) find_repetition(w, g, group);
    free(own);
    return room;
}

/* s^2 and its degrees of freedom, with P = A H^-1 A': n - tr P R rows are left, and 2/nu is the
 * variance of e'e over the square of its mean. */
static void settle_group(const dry_fit__rows *w, dry_fit__group *g, double *spare) {
    const int n = w->n;
    double *HS = spare;
    multiply(n, w->H, g->S, HS);
    const double taken = g->grown * trace_of_product(n, w->H, g->S);
    const double mean = fmax(g->rows - taken, 0.02 * g->rows);
    const double square =
        g->traces - 2.0 * trace_of_product(n, w->H, g->S2) + trace_of_product(n, HS, HS);
    g->variance = g->squares / mean;
    g->degrees = fmax(1.0, mean * mean / fmax(square, mean) / g->grown);
    g->effective = fmin(g->rows, g->rows / (g->noise.sum * g->grown));
}

/* By how much the variance of a parameter grows because residuals are larger where it is felt: with
 * white numbers w[t] and their weights u[t], sum u^2 w^2 in place of s^2 sum u^2 (White 1980). 1
 * unless it is larger by more than two deviations of what chance gives. */
static double grown_where_felt(const dry_fit__group *g, const dry_fit__weights *of,
                               double *degrees) {
    const double n = g->white.n, mean = n > 0.0 ? g->white.sum / n : 0.0;
    *degrees = g->degrees;
    if (!(mean > 0.0) || !(of->all > 0.0)) return 1.0;
    const double spread = g->white.square / n / (mean * mean) - 1.0;
    const double more = of->felt / mean - of->seen;
    const double chance = sqrt(fmax(0.0, spread * (of->fourth - of->seen * of->seen / n)));
    if (!(more > 2.0 * chance)) return 1.0;
    *degrees = fmin(g->degrees, fmax(1.0, of->seen * of->seen / of->fourth));
    return 1.0 + more / of->all;
}

/* ---- covariance ---------------------------------------------------------------------------- */

static void add_variance(dry_fit__rows *w, const dry_fit__group *g, double *HSH, double *spare) {
    const int n = w->n;
    multiply(n, w->H, g->S, spare);
    multiply(n, spare, w->H, HSH);
    for (int i = 0; i < n * n; i++) {
        HSH[i] *= g->variance * g->grown;
        w->C[i] += HSH[i];
    }
    for (int j = 0; j < n; j++) {
        double degrees;
        const double felt = HSH[j * n + j] * grown_where_felt(g, &g->weights[j], &degrees);
        w->felt[j] += felt;
        w->spread[j] += felt * felt / degrees;
    }
}

/* To what residuals give where a parameter is felt; and no interval becomes shorter than that of
 * independent residuals. */
static void widen(dry_fit__rows *w, double plain) {
    const int n = w->n;
    for (int j = 0; j < n; j++) {
        const double now = w->C[j * n + j], felt = w->felt[j];
        const double wanted = fmax(felt, plain * w->H[j * n + j]);
        const double factor = now > 0.0 ? sqrt(wanted / now) : 1.0;
        for (int k = 0; k < n; k++) {
            w->C[j * n + k] *= factor;
            w->C[k * n + j] *= factor;
        }
        w->spread[j] *= felt > 0.0 ? wanted * wanted / (felt * felt) : 1.0;
    }
}

static bool find_covariance(dry_fit__rows *w) {
    const size_t n = (size_t)w->n, square = n * n + 1;
    const dry_fit_result *r = w->result;
    double squares = 0.0, *spare = dry_arena_take(w->arena, sizeof *spare * square);
    double *HSH = dry_arena_take(w->arena, sizeof *HSH * square);
    w->C = dry_arena_take(w->arena, sizeof *w->C * square);
    w->spread = dry_arena_take(w->arena, sizeof *w->spread * (n + 1));
    w->felt = dry_arena_take(w->arena, sizeof *w->felt * (n + 1));
    w->groups = dry_arena_take(w->arena, sizeof *w->groups * (size_t)(r->n_outputs + 1));
    if (dry_arena_failed(w->arena)) return false;
    for (int k = 0; k < r->n_outputs; k++) {
        dry_fit__group *g = &w->groups[k];
        if (group_of(r, k) != k) continue;
        if (!measure_group(w, g, k)) return false;
        if (!(g->rows > 0.0)) continue;
        settle_group(w, g, spare);
        add_variance(w, g, HSH, spare);
        squares += g->squares;
    }
    w->plain = squares / fmax(1.0, (double)w->rows - (double)w->rank);
    w->squares = squares;
    widen(w, w->plain);
    return true;
}

/* Adds u'R u of one span to `along`, and its weights. */
static bool add_along(const dry_fit__rows *w, const dry_fit__group *g, const dry_fit__span *s,
                      const double *u, dry_fit__weights *weights, double *along) {
    const size_t all = s->n + dry_fit__noise_reach(&g->noise, 4 * s->n);
    double *z = malloc(sizeof *z * (all + 1));
    if (!z) return false;
    dry_fit__noise_back(&g->noise, u + s->first, 1, s->n, all - s->n, z);
    for (size_t k = 0; k < all; k++) {
        const bool seen = is_seen(g, s, k);
        add_weight(weights, z[k], seen, seen ? white_square(w, g, s, s->n - 1 - k) : 0.0);
        *along += z[k] * z[k];
    }
    free(z);
    return true;
}

double dry_fit__variance_of(const dry_fit__rows *w, const double *u, double *degrees) {
    double variance = 0.0, spread = 0.0, square = 0.0;
    for (size_t i = 0; i < w->rows; i++) square += u[i] * u[i];
    for (int k = 0; k < w->result->n_outputs; k++) {
        const dry_fit__group *g = &w->groups[k];
        dry_fit__weights weights = {0};
        double along = 0.0, of_group = 0.0;
        if (group_of(w->result, k) != k || !(g->rows > 0.0)) continue;
        for (int i = 0; i < w->n_spans; i++)
            if (group_of(w->result, w->spans[i].output) == k &&
                !add_along(w, g, &w->spans[i], u, &weights, &along))
                return (double)NAN;
        const double grown = grown_where_felt(g, &weights, &of_group);
        const double part = g->variance * g->grown * along * grown;
        variance += part;
        spread += part * part / of_group;
    }
    *degrees = spread > 0.0 ? variance * variance / spread : 1.0;
    return fmax(variance, w->plain * square);
}

/* ---- what goes into the result -------------------------------------------------------------- */

/* Whether a direction that no row feels moves the parameter of column j. */
static bool is_lost(const dry_fit__rows *w, int j) {
    double sum = 0.0;
    for (int k = w->rank; k < w->n; k++) sum += w->V[j * w->n + k] * w->V[j * w->n + k];
    return sum > 1e-6;
}

static void put_interval(dry_fit_parameter *p) {
    const double reach = dry_fit__student(p->degrees, 0.95) * p->deviation;
    const bool by_factors = p->log && p->value > 0.0;
    const double factor = by_factors ? exp(reach / p->value) : 1.0;
    p->interval[0] = by_factors ? p->value / factor : p->value - reach;
    p->interval[1] = by_factors ? p->value * factor : p->value + reach;
    p->interval[0] = fmax(p->interval[0], p->low);
    p->interval[1] = fmin(p->interval[1], p->high);
}

static void put_parameter(const dry_fit__rows *w, int j) {
    const size_t at = (size_t)(j * w->n + j);
    dry_fit_parameter *p = &w->result->parameters[w->parameter[j]];
    p->plain = sqrt(w->plain * w->H[at]) / w->length[j];
    p->deviation = sqrt(w->C[at]) / w->length[j];
    p->degrees = w->C[at] > 0.0 ? w->C[at] * w->C[at] / w->spread[j] : 1.0;
    if (is_lost(w, j)) p->plain = p->deviation = (double)INFINITY;
    if (isfinite(p->deviation))
        put_interval(p);
    else
        p->interval[0] = p->low, p->interval[1] = p->high;
}

static void put_matrices(const dry_fit__rows *w) {
    dry_fit_stats *stats = &w->result->stats;
    const size_t all = (size_t)w->result->n_parameters, n = (size_t)w->n;
    for (size_t i = 0; i < all * all; i++)
        stats->covariance[i] = stats->correlation[i] = (double)NAN;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t to = (size_t)w->parameter[i] * all + (size_t)w->parameter[j];
            const double c = w->C[i * n + j];
            stats->covariance[to] = c / (w->length[i] * w->length[j]);
            stats->correlation[to] = c / sqrt(w->C[i * n + i] * w->C[j * n + j]);
        }
}

static void put_looks(const dry_fit__rows *w) {
    dry_fit_result *r = w->result;
    double rows[2];
    r->stats.independent = 0.0;
    for (int k = 0; k < r->n_outputs; k++) {
        const dry_fit__group *g = &w->groups[group_of(r, k)];
        dry_fit_look *look = &r->stats.look[k];
        rows[0] = 0.0;
        for (int i = 0; i < w->n_spans; i++)
            if (w->spans[i].output == k) rows[0] += (double)w->spans[i].n;
        look->effective = g->rows > 0.0 ? g->effective * rows[0] / g->rows : 0.0;
        look->widened = look->effective > 0.0 ? sqrt(rows[0] / look->effective) : 1.0;
        look->order = g->noise.order;
        r->stats.effective[k] = look->effective;
        r->stats.widened[k] = look->widened;
        r->stats.independent += look->effective;
    }
}

/* Akaike 1974 and Schwarz 1978, with the rows that are independent. */
static void put_criteria(const dry_fit__rows *w) {
    dry_fit_stats *stats = &w->result->stats;
    const double n = stats->independent, fit = n * log(w->squares / (double)w->rows);
    stats->aic = fit + 2.0 * w->n;
    stats->bic = fit + w->n * log(n);
    stats->condition = w->rank < w->n ? (double)INFINITY : w->n ? w->s[0] / w->s[w->n - 1] : 1.0;
}

static bool make_room(dry_fit_result *r) {
    const size_t p = (size_t)r->n_parameters, k = (size_t)r->n_outputs + 1;
    dry_fit_stats *stats = &r->stats;
    *stats = (dry_fit_stats){0};
    stats->covariance = dry_arena_take(r->arena, sizeof(double) * (p * p + 1));
    stats->correlation = dry_arena_take(r->arena, sizeof(double) * (p * p + 1));
    stats->effective = dry_arena_take(r->arena, sizeof(double) * k);
    stats->widened = dry_arena_take(r->arena, sizeof(double) * k);
    stats->look = dry_arena_take(r->arena, sizeof *stats->look * k);
    if (dry_arena_failed(r->arena)) return false;
    for (int i = 0; i < r->n_outputs; i++)
        stats->look[i].unrepeated = stats->look[i].delay = stats->look[i].delay_deviation =
            stats->look[i].delay_rms = stats->look[i].coarse = stats->look[i].finer_rms =
                (double)NAN;
    for (size_t i = 0; i < p; i++) {
        dry_fit_parameter *of = &r->parameters[i];
        of->plain = of->deviation = of->degrees = of->interval[0] = of->interval[1] = of->coarse =
            of->beyond = (double)NAN;
    }
    return true;
}

static bool examine(dry_fit_result *r, dry_arena *arena) {
    dry_fit__rows w;
    if (!make_room(r) || !gather(&w, r, arena)) return false;
    if (!w.rows) return true;
    if (!invert(&w) || !find_covariance(&w)) return false;
    for (int j = 0; j < w.n; j++) put_parameter(&w, j);
    put_matrices(&w);
    put_looks(&w);
    put_criteria(&w);
    return dry_fit__bound(&w) && dry_fit__compare_finer(&w) && dry_fit__scan_delays(&w) &&
           dry_fit__warn(&w);
}

dry_status dry_fit_statistics(dry_fit_result *result, dry_error *error) {
    dry_arena *arena = dry_arena_new(0);
    const bool done = arena && examine(result, arena) && !dry_arena_failed(result->arena) &&
                      !dry_arena_failed(arena);
    dry_arena_free(arena);
    return done ? DRY_OK : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

double dry_fit_autocorrelation(const dry_fit_output *o, size_t n, double *rho) {
    const double step = dry_fit__row_time(o);
    double rows = 0.0;
    size_t count;
    for (size_t k = 0; k < n; k++) rho[k] = 0.0;
    for (size_t i = dry_fit__span_at(o, 0, step, &count); count;
         i = dry_fit__span_at(o, i + count, step, &count)) {
        rows += (double)count;
        for (size_t k = 0; k < n; k++)
            for (size_t j = k; j < count; j++)
                rho[k] += o->residual[i + j] * o->residual[i + j - k];
    }
    const double whole = rho[0];
    for (size_t k = 0; k < n; k++) rho[k] = whole > 0.0 ? rho[k] / whole : (double)NAN;
    return rows > 0.0 ? 1.959963985 / sqrt(rows) : (double)NAN;
}
