/* elements: the elements of `multistate` from force over position, without a run.
 *
 * At a speed that does not matter, element i with the stiffness kappa and the stretch delta at
 * which it slips gives kappa s, where s is a stop operator of the position x:
 *
 *     s += dx, cut to [-delta, delta];   ds/d delta = +-1 where it is cut, else as before
 *
 * which obeys Masing's rule (Masing 1926; Iwan 1966). For stretches on a grid the stiffnesses are
 * linear and not negative (nnls.c). Neighbours on the grid become one element until there are as
 * many as are asked for; then stiffnesses and stretches move together by Levenberg and Marquardt.
 * The criterion of Schwarz says how many the data see. */
#include <drystone/fit.h>

#include "nnls.h"
#include <drystone/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 60, MOST = 40, ROWS = 6000, STEPS = 60 };
static const double NEAR_END = 0.01, FINEST = 2e-3; /* of the reach */

/* What is measured, and where it counts. */
typedef struct loop {
    const double *x, *f;
    size_t n, from, stride; /* rows from, from + stride, ... count */
    double sign;            /* of the force */
    double begin;           /* stretches at the first row, in parts of delta */
    double reach;           /* the largest stretch at which an element can slip here */
    double middle;          /* of x: the spring is zero there */
} loop;

/* A number of elements, with a spring that never slips and an offset. */
typedef struct bundle {
    int n;
    double kappa[MOST + 1], delta[MOST + 1];
    double spring, offset;
    double squares; /* of the residuals */
} bundle;

/* ---- what the record is ------------------------------------------------------------------ */

static bool is_number(const loop *l, size_t i) { return isfinite(l->x[i]) && isfinite(l->f[i]); }

/* The largest way back against the way from the first row to the last. */
static double longest_return(const double *x, size_t n) {
    const double sign = x[n - 1] < x[0] ? -1.0 : 1.0;
    double top = sign * x[0], most = 0.0;
    for (size_t i = 0; i < n; i++) {
        top = fmax(top, sign * x[i]);
        most = fmax(most, top - sign * x[i]);
    }
    return most;
}

/* The first row after both ends of the way have been seen: there each element that slips at all has
 * slipped, so that what was before does not matter. */
static size_t first_known(const loop *l, double low, double high) {
    bool top = false, bottom = false;
    size_t i = 0;
    for (; i < l->n && !(top && bottom); i++) {
        top = top || l->x[i] > high;
        bottom = bottom || l->x[i] < low;
    }
    return i;
}

/* A virgin curve starts without stretch. Of loops the rows count once both ends have been seen; if
 * these are few, and the record begins at an end, all elements are at their ends there. */
static dry_status look(loop *l, dry_error *error) {
    double low = l->x[0], high = l->x[0];
    for (size_t i = 0; i < l->n; i++) low = fmin(low, l->x[i]), high = fmax(high, l->x[i]);
    const double width = high - low, near_end = NEAR_END * width;
    if (!(width > 0.0))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the position does not move: elements show themselves as it does");
    l->middle = 0.5 * (low + high);
    l->reach = 0.5 * width;
    if (longest_return(l->x, l->n) < 2.0 * near_end) {
        l->reach = width;
        l->middle = l->x[0];
        return DRY_OK;
    }
    l->from = first_known(l, low + near_end, high - near_end);
    const double side = l->x[0] > high - near_end ? 1.0 : l->x[0] < low + near_end ? -1.0 : 0.0;
    if (side == 0.0 || (double)(l->n - l->from) > 0.6 * (double)l->n) return DRY_OK;
    l->begin = side;
    l->from = 0;
    return DRY_OK;
}

static size_t rows_of(const loop *l) { return (l->n - l->from + l->stride - 1) / l->stride; }

/* ---- stop operators ------------------------------------------------------------------------ */

/* s and ds/d delta of one element at the rows that count; `by` may be NULL. */
static void stop(const loop *l, double delta, double *s, double *by, size_t width) {
    double now = l->begin * fmin(delta, l->reach), slope = delta < l->reach ? l->begin : 0.0;
    size_t row = 0;
    for (size_t i = 0; i < l->n; i++) {
        now += i ? l->x[i] - l->x[i - 1] : 0.0;
        if (now > delta) now = delta, slope = 1.0;
        if (now < -delta) now = -delta, slope = -1.0;
        if (i < l->from || (i - l->from) % l->stride) continue;
        s[row * width] = now;
        if (by) by[row * width] = slope;
        row++;
    }
}

static double force_at(const loop *l, size_t row) {
    return l->sign * l->f[l->from + row * l->stride];
}

static double way_at(const loop *l, size_t row) {
    return l->x[l->from + row * l->stride] - l->middle;
}

/* ---- on a grid --------------------------------------------------------------------------------
 */

/* G = A'A and b = A'f of the columns of A. */
static void normal(size_t rows, int n, const double *A, const double *f, double *G, double *b) {
    memset(G, 0, sizeof *G * (size_t)(n * n));
    memset(b, 0, sizeof *b * (size_t)n);
    for (size_t r = 0; r < rows; r++) {
        const double *a = A + r * (size_t)n;
        for (int i = 0; i < n; i++) {
            if (a[i] == 0.0) continue;
            b[i] += a[i] * f[r];
            for (int j = 0; j <= i; j++) G[i * n + j] += a[i] * a[j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) G[j * n + i] = G[i * n + j];
}

/* Columns: the grid, the spring, and an offset of either sign. */
static void put_grid(const loop *l, const double *grid, double *A) {
    enum { WIDTH = GRID + 3 };
    for (int k = 0; k < GRID; k++) stop(l, grid[k], A + k, NULL, WIDTH);
    for (size_t r = 0; r < rows_of(l); r++) {
        double *row = A + r * WIDTH;
        row[GRID] = way_at(l, r);
        row[GRID + 1] = 1.0;
        row[GRID + 2] = -1.0;
    }
}

static double squares_of(size_t rows, int n, const double *A, const double *f, const double *x) {
    double sum = 0.0;
    for (size_t r = 0; r < rows; r++) {
        double e = -f[r];
        for (int j = 0; j < n; j++) e += A[r * (size_t)n + (size_t)j] * x[j];
        sum += e * e;
    }
    return sum;
}

/* Stretches from a five hundredth of the reach to nearly all of it, in equal ratios. */
static bool fit_grid(const loop *l, bundle *of, int *n_found, double *found) {
    enum { WIDTH = GRID + 3 };
    const size_t rows = rows_of(l);
    double grid[GRID], x[WIDTH], b[WIDTH], *G = malloc(sizeof *G * WIDTH * WIDTH);
    double *A = malloc(sizeof *A * WIDTH * (rows + 1)), *f = malloc(sizeof *f * (rows + 1));
    const bool room = A && f && G;
    for (int k = 0; k < GRID; k++) grid[k] = l->reach * pow(FINEST, 1.0 - (k + 0.5) / GRID);
    if (room) {
        put_grid(l, grid, A);
        for (size_t r = 0; r < rows; r++) f[r] = force_at(l, r);
        normal(rows, WIDTH, A, f, G, b);
    }
    const bool done = room && dry_fit__nnls(WIDTH, G, b, x);
    *of = (bundle){.n = 0};
    *n_found = 0;
    for (int k = 0; done && k < GRID; k++) {
        if (!(x[k] > 0.0)) continue;
        found[2 * *n_found] = x[k];
        found[2 * (*n_found)++ + 1] = grid[k];
    }
    if (done) {
        of->spring = x[GRID];
        of->offset = x[GRID + 1] - x[GRID + 2];
        of->squares = squares_of(rows, WIDTH, A, f, x);
    }
    free(A);
    free(f);
    free(G);
    return done;
}

/* ---- two become one ----------------------------------------------------------------------------
 */

/* The two neighbours whose curve changes least if they become one with their stiffness and level:
 * the area between the curves is kappa1 kappa2/(kappa1 + kappa2) (delta2 - delta1)^2/2. */
static void merge(int *n, double *pairs) {
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k + 1 < *n; k++) {
        const double *a = pairs + 2 * k, *b = a + 2, way = b[1] - a[1];
        const double area = a[0] * b[0] / (a[0] + b[0]) * way * way;
        if (area < least) least = area, best = k;
    }
    double *a = pairs + 2 * best, *b = a + 2;
    const double sum = a[0] + b[0];
    a[1] = (a[0] * a[1] + b[0] * b[1]) / sum;
    a[0] = sum;
    memmove(b, b + 2, sizeof *b * 2 * (size_t)(*n - best - 2));
    (*n)--;
}

/* ---- stiffness and stretch together -------------------------------------------------------- */

enum { PARS = 2 * MOST + 2 };

static int pars_of(const bundle *of) { return 2 * of->n + (of->spring > 0.0) + 1; }

/* Residuals, and derivatives by ln kappa, ln delta, ln spring, offset. */
static double put_rows(const loop *l, const bundle *of, double *A, double *e) {
    const size_t rows = rows_of(l), p = (size_t)pars_of(of);
    double sum = 0.0;
    for (int k = 0; k < of->n; k++) stop(l, of->delta[k], A + k, A + of->n + k, p);
    for (size_t r = 0; r < rows; r++) {
        double *a = A + r * p, f = of->offset;
        for (int k = 0; k < of->n; k++) {
            a[k] *= of->kappa[k];
            a[of->n + k] *= of->kappa[k] * of->delta[k];
            f += a[k];
        }
        a[p - 1] = 1.0;
        if (of->spring > 0.0) f += a[p - 2] = of->spring * way_at(l, r);
        e[r] = f - force_at(l, r);
        sum += e[r] * e[r];
    }
    return sum;
}

static bundle moved(const loop *l, const bundle *of, const double *step) {
    bundle to = *of;
    const int p = pars_of(of);
    for (int k = 0; k < of->n; k++) {
        to.kappa[k] *= exp(dry_sat1(1.0, step[k]));
        to.delta[k] = fmin(l->reach, to.delta[k] * exp(dry_sat1(0.5, step[of->n + k])));
    }
    if (of->spring > 0.0) to.spring *= exp(dry_sat1(1.0, step[p - 2]));
    to.offset += step[p - 1];
    return to;
}

/* Room for a fit of the most elements. */
typedef struct room {
    double *A, *e, *trial_A, *trial_e, *G, *D, *b, *step;
} room;

/* One step that makes the residuals smaller; false if there is none. */
static bool step(const loop *l, bundle *of, room *w, double *damping) {
    const int p = pars_of(of);
    const size_t rows = rows_of(l);
    normal(rows, p, w->A, w->e, w->G, w->b);
    for (int turn = 0; turn < 12; turn++, *damping *= 4.0) {
        memcpy(w->D, w->G, sizeof *w->D * (size_t)(p * p));
        for (int i = 0; i < p; i++) {
            w->D[i * p + i] += *damping * w->G[i * p + i] + 1e-300;
            w->step[i] = -w->b[i];
        }
        if (dry_solve(p, w->D, w->step) != DRY_OK) continue;
        bundle to = moved(l, of, w->step);
        to.squares = put_rows(l, &to, w->trial_A, w->trial_e);
        if (!(to.squares < of->squares)) continue;
        *of = to;
        memcpy(w->A, w->trial_A, sizeof *w->A * rows * (size_t)p);
        memcpy(w->e, w->trial_e, sizeof *w->e * rows);
        *damping *= 0.2;
        return true;
    }
    return false;
}

static void improve(const loop *l, bundle *of, room *w) {
    double damping = 1e-3;
    of->squares = put_rows(l, of, w->A, w->e);
    for (int k = 0; k < STEPS; k++) {
        const double before = of->squares;
        if (!step(l, of, w, &damping) || of->squares > before * (1.0 - 1e-9)) return;
    }
}

/* By rising stretch. */
static void sort(bundle *of) {
    for (int i = 1; i < of->n; i++)
        for (int k = i; k > 0 && of->delta[k] < of->delta[k - 1]; k--) {
            const double kappa = of->kappa[k], delta = of->delta[k];
            of->kappa[k] = of->kappa[k - 1], of->delta[k] = of->delta[k - 1];
            of->kappa[k - 1] = kappa, of->delta[k - 1] = delta;
        }
}

static void take(bundle *of, int n, const double *pairs) {
    of->n = n;
    for (int k = 0; k < n; k++) of->kappa[k] = pairs[2 * k], of->delta[k] = pairs[2 * k + 1];
}

static void give(const bundle *of, double *pairs) {
    for (int k = 0; k < of->n; k++) pairs[2 * k] = of->kappa[k], pairs[2 * k + 1] = of->delta[k];
}

/* ---- how sure ------------------------------------------------------------------------------ */

/* The same as the result of a fit, with the rows as time. */
static dry_status judge(const loop *l, const bundle *of, room *w, dry_fit_result *r,
                        dry_error *error) {
    const size_t rows = rows_of(l), p = (size_t)pars_of(of);
    dry_fit_output *o = dry_arena_take(r->arena, sizeof *o);
    dry_fit_parameter *par = dry_arena_take(r->arena, sizeof *par * p);
    double *numbers = dry_arena_take(r->arena, sizeof *numbers * 4 * (rows + 1));
    if (dry_arena_failed(r->arena)) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    put_rows(l, of, w->A, w->e);
    for (size_t i = 0; i < p; i++)
        par[i] = (dry_fit_parameter){.name = "element",
                                     .unit = "",
                                     .record = -1,
                                     .low = i + 1 < p ? 0.0 : -INFINITY,
                                     .high = INFINITY,
                                     .value = i + 1 < p ? 1.0 : of->offset,
                                     .log = i + 1 < p,
                                     .scale = 1.0};
    *o = (dry_fit_output){.name = "f", .unit = "N", .weight = 1.0, .scale = 1.0, .rows = rows};
    o->t = numbers, o->measured = o->t + rows, o->model = o->measured + rows;
    o->residual = o->model + rows, o->jacobian = w->A;
    for (size_t i = 0; i < rows; i++) {
        o->t[i] = (double)i;
        o->measured[i] = force_at(l, i);
        o->residual[i] = w->e[i];
        o->model[i] = o->measured[i] + w->e[i];
    }
    r->parameters = par, r->n_parameters = (int)p;
    r->outputs = o, r->n_outputs = r->n_records = 1;
    return dry_fit_statistics(r, error);
}

static void put_element(const dry_fit_result *r, const bundle *of, const loop *l, int k,
                        dry_fit_element *to) {
    const dry_fit_parameter *stiff = &r->parameters[k], *stretch = &r->parameters[of->n + k];
    *to = (dry_fit_element){.stiffness = of->kappa[k],
                            .stretch = of->delta[k],
                            .level = of->kappa[k] * of->delta[k],
                            .slips = of->delta[k] < l->reach};
    for (int side = 0; side < 2; side++) {
        to->stiffness_interval[side] = of->kappa[k] * stiff->interval[side];
        to->stretch_interval[side] = of->delta[k] * stretch->interval[side];
    }
    to->slips = to->slips && isfinite(to->stretch_interval[1]);
}

/* The spring is an element that slips beyond the record, so that of its level only the least is
 * known. */
static void put_spring(const dry_fit_result *r, const bundle *of, const loop *l,
                       dry_fit_element *to) {
    const dry_fit_parameter *stiff = &r->parameters[2 * of->n];
    *to = (dry_fit_element){.stiffness = of->spring,
                            .stretch = l->reach,
                            .level = of->spring * l->reach,
                            .stretch_interval = {l->reach, (double)INFINITY}};
    for (int side = 0; side < 2; side++)
        to->stiffness_interval[side] = of->spring * stiff->interval[side];
}

static dry_status put_result(const loop *l, const bundle *of, room *w, dry_fit_elements *to,
                             dry_error *error) {
    dry_fit_result r = {.arena = dry_arena_new(0)};
    if (!r.arena) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = judge(l, of, w, &r, error);
    to->element = dry_arena_take(to->arena, sizeof *to->element * (size_t)(of->n + 1));
    if (!to->element) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) {
        for (int k = 0; k < of->n; k++) put_element(&r, of, l, k, &to->element[k]);
        to->n = of->n;
        if (of->spring > 0.0) put_spring(&r, of, l, &to->element[to->n++]);
        to->independent = r.stats.independent;
        to->offset = of->offset;
    }
    dry_arena_free(r.arena);
    return status;
}

/* ---- the numbers of elements --------------------------------------------------------------- */

static bool take_room(room *w, dry_arena *arena, size_t rows) {
    w->A = dry_arena_take(arena, sizeof(double) * PARS * (rows + 1));
    w->trial_A = dry_arena_take(arena, sizeof(double) * PARS * (rows + 1));
    w->e = dry_arena_take(arena, sizeof(double) * (rows + 1));
    w->trial_e = dry_arena_take(arena, sizeof(double) * (rows + 1));
    w->G = dry_arena_take(arena, sizeof(double) * PARS * PARS);
    w->D = dry_arena_take(arena, sizeof(double) * PARS * PARS);
    w->b = dry_arena_take(arena, sizeof(double) * PARS);
    w->step = dry_arena_take(arena, sizeof(double) * PARS);
    return !dry_arena_failed(arena);
}

/* All bundles from `most` elements down to one, each from the one before. */
static int reduce(const loop *l, int most, bundle first, int n, double *pairs, room *w,
                  bundle *bundles) {
    while (n > most) merge(&n, pairs);
    const int count = n;
    for (; n > 0; n--) {
        bundle *of = &bundles[n];
        *of = first;
        take(of, n, pairs);
        improve(l, of, w);
        sort(of);
        give(of, pairs);
        first.spring = of->spring, first.offset = of->offset;
        if (n > 1) {
            int left = n;
            merge(&left, pairs);
        }
    }
    return count;
}

static double force_of(const loop *l, double offset) {
    double sum = 0.0;
    const size_t rows = rows_of(l);
    for (size_t r = 0; r < rows; r++)
        sum += (force_at(l, r) - offset) * (force_at(l, r) - offset) / (double)rows;
    return sqrt(sum);
}

/* Schwarz 1978, by the rows that are independent of the bundle with the least residuals. What is
 * below a billionth of the force is rounding. */
static int best_of(const bundle *bundles, int count, double rows, double independent,
                   double force) {
    int best = count;
    double least = INFINITY;
    for (int n = count; n > 0; n--) {
        const double bic = independent * log(bundles[n].squares / rows + 1e-18 * force * force) +
                           pars_of(&bundles[n]) * log(independent);
        if (bic <= least) least = bic, best = n;
    }
    return best;
}

/* A spring whose interval reaches below a half of it, 2.8 deviations: it may as well be 0. */
static bool is_idle(const dry_fit_elements *of) {
    const dry_fit_element *last = &of->element[of->n - 1];
    return !last->slips && !(last->stiffness_interval[0] > 0.5 * last->stiffness);
}

/* All numbers of elements, and the best of them as it is asked for. */
static dry_status choose(const loop *l, int most, bundle first, int n, double *pairs, room *w,
                         bundle *bundles, dry_fit_elements *to, dry_error *error) {
    const double rows = (double)rows_of(l);
    const int count = reduce(l, most ? most : MOST / 2, first, n, pairs, w, bundles);
    dry_status status = put_result(l, &bundles[count], w, to, error);
    if (status != DRY_OK) return status;
    to->seen = best_of(bundles, count, rows, fmax(to->independent, 3.0), force_of(l, to->offset));
    to->chosen = most ? count : to->seen;
    to->n_rms = count;
    if (to->chosen != count) status = put_result(l, &bundles[to->chosen], w, to, error);
    to->rms = dry_arena_take(to->arena, sizeof *to->rms * (size_t)(count + 1));
    if (!to->rms) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int k = 1; k <= count; k++) to->rms[k] = sqrt(bundles[k].squares / rows);
    to->spring = bundles[to->chosen].spring > 0.0;
    return status;
}

static dry_status find(const loop *l, int most, dry_fit_elements *to, dry_arena *arena,
                       dry_error *error) {
    room w;
    bundle first, *bundles = dry_arena_take(arena, sizeof *bundles * (MOST + 1));
    double pairs[2 * (GRID + 1)], copy[2 * (GRID + 1)];
    int n = 0;
    if (!take_room(&w, arena, rows_of(l)) || !fit_grid(l, &first, &n, pairs))
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (n == 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "no element slips: the force %s",
                             first.spring > 0.0 ? "is that of a spring as far as the data go"
                                                : "does not depend on the position");
    memcpy(copy, pairs, sizeof copy);
    dry_status status = choose(l, most, first, n, copy, &w, bundles, to, error);
    if (status == DRY_OK && is_idle(to)) {
        first.spring = 0.0;
        status = choose(l, most, first, n, pairs, &w, bundles, to, error);
    }
    to->rows = rows_of(l);
    to->force = force_of(l, to->offset);
    return status;
}

/* The sign with which the force holds back the motion. */
static double sign_of(const loop *l) {
    double work = 0.0;
    for (size_t i = 1; i < l->n; i++)
        work += 0.5 * (l->f[i] + l->f[i - 1]) * (l->x[i] - l->x[i - 1]);
    return work < 0.0 ? -1.0 : 1.0;
}

dry_status dry_fit_elements_of(const dry_fit_loop *from, dry_fit_elements *to, dry_error *error) {
    loop l = {.x = from->position, .f = from->force, .n = from->n, .sign = 1.0, .stride = 1};
    *to = (dry_fit_elements){0};
    if (from->most < 0 || from->most > MOST)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "%d elements: give a number from 1 to %d",
                             from->most, MOST);
    if (l.n < 10)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "%zu rows are too few for a curve", l.n);
    for (size_t i = 0; i < l.n; i++)
        if (!is_number(&l, i))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "row %zu has no number: cut the record there", i + 1);
    dry_status status = look(&l, error);
    if (status != DRY_OK) return status;
    if (l.n < l.from + 10)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the record ends before both ends of the way have been seen: begin it "
                             "at one end, or give more cycles");
    l.sign = sign_of(&l);
    l.stride = (l.n - l.from) / ROWS + 1;
    dry_arena *arena = dry_arena_new(0);
    to->arena = dry_arena_new(0);
    to->turned = l.sign < 0.0;
    status = arena && to->arena ? find(&l, from->most, to, arena, error)
                                : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_arena_free(arena);
    return status;
}

void dry_fit_elements_free(dry_fit_elements *elements) {
    dry_arena_free(elements->arena);
    *elements = (dry_fit_elements){0};
}
