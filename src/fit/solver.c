/* solver: least squares by Levenberg and Marquardt within bounds.
 *
 *     minimize  C(q) = sum rho(u_i),   u_i = w_i (model_i(q) - measured_i)/s_i
 *     (A + lambda diag A) d = -g,   A = J' W J,   g = J' W u
 *
 * q: the parameters over their scales, or their logarithms; rho(u) = u^2/2, or Huber's loss, whose
 * weights W are those of the last step (Holland and Welsch 1977). A parameter that a step would
 * take beyond its bound goes to the bound, and the others solve what is left. lambda follows the
 * ratio of what a step gains to what it promised (Nielsen 1999). A step whose run fails gains
 * nothing. The solver ends where a full step would move the parameters by a thousandth of their
 * deviations. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The solver ends when the relative offset, by which a full step would move the parameters in parts
 * of their deviations, is below so many tolerances: 1e-3, as Bates and Watts (1981) chose. */
static const double OFFSET = 1e3;
/* A step is idle if it gains less of the sum of squares than this many variances of the noise, or
 * less than a tenth of one and than a tenth of what a full step promises; the solver ends after
 * some, since parameters that no row sees could go on for ever. */
static const double IDLE_GAIN = 1e-3, SLOW_GAIN = 0.1, SLOW_PART = 0.1;
enum { IDLE_STEPS = 4 };
/* A step that goes on as the last one did may go so far uphill. */
static const double BOLD = 1.2;
static const double LAMBDA = 1e-3, LARGEST_LAMBDA = 1e12, LEAST_GAIN = 1e-4;
static const double FULL_LAMBDA = 1e-12; /* of a full step: only so that it exists */
/* A column of the Jacobian that is smaller than this, relative to the scale of its output, is 0. */
static const double NO_EFFECT = 1e-9;
/* Robust standard deviation: the median of sizes over that of the normal distribution. */
static const double NORMAL_MEDIAN = 0.67448975019608171;

typedef struct solver {
    dry_fit__bench *bench;
    int n;
    double *values, *next; /* the parameters here, and after the step */
    double *A, *g, *d;     /* in q */
    double *work;          /* n (n + 1) numbers of the factorization */
    unsigned char *pinned; /* by the step: 1 at a bound, 2 without effect */
    double **model;        /* of each record, at `next` */
    double *sigma;         /* of each output: what Huber's loss counts in; u */
    double cost, lambda, grow;
    double *best, least; /* the values with the least cost so far, and that cost */
    double *last;        /* the last step, in q */
    double promise;      /* of a full step from here */
    int steps;
    int idle;    /* steps in a row */
    bool moved;  /* since the Jacobian of the outputs */
    bool strode; /* there is a last step */
} solver;

/* ---- q ------------------------------------------------------------------------------------- */

static double to_q(const dry_fit_parameter *p, double value) {
    return p->log ? log(value) : value / p->scale;
}

static double from_q(const dry_fit_parameter *p, double q) {
    return p->log ? exp(q) : q * p->scale;
}

/* d value/dq */
static double slope_of(const dry_fit_parameter *p, double value) {
    return p->log ? value : p->scale;
}

/* ---- cost ---------------------------------------------------------------------------------- */

static double weight_of(const dry_fit_output *o) { return o->weight / o->scale; }

static double loss(double u, double limit) {
    const double size = fabs(u);
    return size <= limit ? 0.5 * u * u : limit * (size - 0.5 * limit);
}

static double limit_of(const solver *s, int output) {
    const double k = s->bench->job->huber;
    return k > 0.0 && !dry_fit__is_jump(&s->bench->outputs[output]) ? k * s->sigma[output]
                                                                    : (double)INFINITY;
}

static double cost_of_output(const solver *s, int i, const double *model) {
    const dry_fit_output *o = &s->bench->outputs[i];
    const double w = weight_of(o), limit = limit_of(s, i);
    double sum = 0.0;
    for (size_t k = 0; k < o->rows; k++)
        if (!o->held[k]) sum += loss(w * (model[k] - o->measured[k]), limit);
    return sum;
}

/* Of what the outputs hold now. */
static double cost_here(const solver *s) {
    double sum = 0.0;
    for (int i = 0; i < s->bench->n_outputs; i++)
        sum += cost_of_output(s, i, s->bench->outputs[i].model);
    return sum;
}

static double cost_of_trials(const solver *s) {
    double sum = 0.0;
    for (int r = 0; r < s->bench->n_records; r++) {
        const dry_fit__record *record = &s->bench->records[r];
        const double *model = s->model[r];
        for (int i = record->first; i < record->first + record->n; i++) {
            sum += cost_of_output(s, i, model);
            model += s->bench->outputs[i].rows;
        }
    }
    return sum;
}

/* ---- Huber --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool find_sigma(solver *s) {
    for (int i = 0; s->bench->job->huber > 0.0 && i < s->bench->n_outputs; i++) {
        const dry_fit_output *o = &s->bench->outputs[i];
        double *size = malloc(sizeof *size * (o->rows + 1));
        size_t n = 0;
        if (!size) return false;
        for (size_t k = 0; k < o->rows; k++)
            if (!o->held[k]) size[n++] = fabs(weight_of(o) * (o->model[k] - o->measured[k]));
        qsort(size, n, sizeof *size, compare);
        if (n) s->sigma[i] = fmax(size[n / 2] / NORMAL_MEDIAN, 1e-12);
        free(size);
    }
    return true;
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* Runs all records at these values, to s->model. */
static dry_status run_all(solver *s, const double *values, dry_error *error) {
    dry_fit__bench *bench = s->bench;
    dry_fit__trial *trials = calloc((size_t)bench->n_records, sizeof *trials);
    dry_status status = DRY_OK;
    if (!trials) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int r = 0; r < bench->n_records; r++)
        trials[r] = (dry_fit__trial){.record = r, .values = values, .model = s->model[r]};
    status = dry_fit__try(bench, trials, bench->n_records, error);
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++) {
        status = trials[r].status;
        if (status != DRY_OK && error) *error = trials[r].error;
    }
    free(trials);
    return status;
}

static void take_models(const solver *s) {
    for (int r = 0; r < s->bench->n_records; r++) {
        const dry_fit__record *record = &s->bench->records[r];
        const double *model = s->model[r];
        for (int i = record->first; i < record->first + record->n; i++) {
            dry_fit_output *o = &s->bench->outputs[i];
            memcpy(o->model, model, sizeof *model * o->rows);
            for (size_t k = 0; k < o->rows; k++) o->residual[k] = model[k] - o->measured[k];
            model += o->rows;
        }
    }
}

/* ---- normal equations ---------------------------------------------------------------------- */

static void add_row(solver *s, const double *J, double w, double u, double limit) {
    const double weight = fabs(u) <= limit ? 1.0 : limit / fabs(u);
    for (int i = 0; i < s->n; i++) {
        const double a = weight * w * J[i] * s->next[i]; /* next: d value/dq for now */
        if (a == 0.0) continue;
        s->g[i] += a * u;
        for (int j = 0; j <= i; j++) s->A[i * s->n + j] += a * w * J[j] * s->next[j];
    }
}

static void assemble(solver *s) {
    const size_t n = (size_t)s->n;
    memset(s->A, 0, sizeof *s->A * n * n);
    memset(s->g, 0, sizeof *s->g * n);
    for (int i = 0; i < s->n; i++) s->next[i] = slope_of(&s->bench->parameters[i], s->values[i]);
    for (int i = 0; i < s->bench->n_outputs; i++) {
        const dry_fit_output *o = &s->bench->outputs[i];
        const double w = weight_of(o), limit = limit_of(s, i);
        for (size_t k = 0; k < o->rows; k++)
            if (!o->held[k]) add_row(s, o->jacobian + k * n, w, w * o->residual[k], limit);
    }
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < i; j++) s->A[j * s->n + i] = s->A[i * s->n + j];
}

/* Marks the parameters on which no output depends. */
static void find_no_effect(solver *s) {
    size_t rows = 0;
    for (int i = 0; i < s->bench->n_outputs; i++) rows += s->bench->outputs[i].rows;
    for (int i = 0; i < s->n; i++) {
        const double size = s->A[i * s->n + i];
        s->bench->parameters[i].no_effect = !(size > NO_EFFECT * NO_EFFECT * (double)rows);
    }
}

/* ---- the step ------------------------------------------------------------------------------ */

/* Solves for those that are not pinned; false: the matrix is singular. */
static bool factor_and_solve(solver *s) {
    const int n = s->n;
    double *L = s->work, *b = s->work + n * n;
    for (int i = 0; i < n; i++) {
        b[i] = -s->g[i];
        for (int j = 0; j < n; j++)
            if (s->pinned[j] && !s->pinned[i]) b[i] -= s->A[i * n + j] * s->d[j];
    }
    for (int i = 0; i < n; i++) {
        if (s->pinned[i]) continue;
        for (int j = 0; j <= i; j++) {
            if (s->pinned[j]) continue;
            double sum = s->A[i * n + j] * (i == j ? 1.0 + s->lambda : 1.0);
            for (int k = 0; k < j; k++)
                if (!s->pinned[k]) sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 1e-14 * s->A[i * n + i])) return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
        for (int k = 0; k < i; k++)
            if (!s->pinned[k]) b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        if (s->pinned[i]) continue;
        for (int k = i + 1; k < n; k++)
            if (!s->pinned[k]) b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
        s->d[i] = b[i];
    }
    return true;
}

/* A step of this size in q is as far as a linear model is worth. */
static double longest(const dry_fit_parameter *p, double q) {
    return p->log ? 2.0 : 5.0 * fmax(1.0, fabs(q));
}

/* Pins the first parameter that the step takes beyond a bound; false: none. */
static bool pin_one(solver *s) {
    for (int i = 0; i < s->n; i++) {
        const dry_fit_parameter *p = &s->bench->parameters[i];
        if (s->pinned[i]) continue;
        const double q = to_q(p, s->values[i]), value = from_q(p, q + s->d[i]);
        if (value >= p->low && value <= p->high) continue;
        const double bound = value < p->low ? p->low : p->high;
        const double at = p->log && !(bound > 0.0) ? q - longest(p, q) : to_q(p, bound);
        s->d[i] = at - q;
        s->pinned[i] = 1;
        return true;
    }
    return false;
}

/* Those at a bound from which the cost falls only beyond it stay there. */
static void pin_bounds(solver *s) {
    for (int i = 0; i < s->n; i++) {
        const dry_fit_parameter *p = &s->bench->parameters[i];
        const bool low = s->values[i] <= p->low && s->g[i] > 0.0;
        const bool high = s->values[i] >= p->high && s->g[i] < 0.0;
        s->pinned[i] = p->no_effect ? 2 : low || high;
        s->d[i] = 0.0;
    }
}

/* Where the quadratic model has its least value within the bounds; false: the matrix is singular.
 */
static bool solve_within(solver *s) {
    pin_bounds(s);
    do
        if (!factor_and_solve(s)) return false;
    while (pin_one(s));
    return true;
}

static bool find_step(solver *s) {
    if (!solve_within(s)) return false;
    double part = 1.0;
    for (int i = 0; i < s->n; i++) {
        const dry_fit_parameter *p = &s->bench->parameters[i];
        const double most = longest(p, to_q(p, s->values[i]));
        if (fabs(s->d[i]) > most) part = fmin(part, most / fabs(s->d[i]));
    }
    for (int i = 0; i < s->n; i++) {
        const dry_fit_parameter *p = &s->bench->parameters[i];
        s->d[i] *= part;
        s->next[i] = s->d[i] == 0.0 ? s->values[i] : from_q(p, to_q(p, s->values[i]) + s->d[i]);
        if (part == 1.0 && s->pinned[i] == 1 && s->d[i] != 0.0)
            s->next[i] = s->d[i] < 0.0 ? fmax(p->low, s->next[i]) : fmin(p->high, s->next[i]);
        s->next[i] = fmin(fmax(s->next[i], p->low), p->high);
    }
    return true;
}

/* How much the quadratic model says that the cost falls. */
static double promised(const solver *s) {
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        double Ad = 0.0;
        for (int j = 0; j < s->n; j++) Ad += s->A[i * s->n + j] * s->d[j];
        sum -= s->d[i] * (s->g[i] + 0.5 * Ad);
    }
    return sum;
}

/* The largest part of a parameter, or of a factor, by which the step changes it. */
static double size_of_step(const solver *s) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        const dry_fit_parameter *p = &s->bench->parameters[i];
        const double q = p->log ? 1.0 : fmax(fabs(to_q(p, s->values[i])), 1e-3);
        most = fmax(most, fabs(s->d[i]) / q);
    }
    return most;
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void grow_lambda(solver *s) {
    s->lambda = fmax(s->lambda, 1e-10) * s->grow;
    s->grow *= 2.0;
}

static void keep_best(solver *s) {
    memcpy(s->best, s->values, sizeof *s->best * (size_t)s->n);
    s->least = s->cost;
}

static void accept(solver *s, double cost, double ratio) {
    const double x = 2.0 * ratio - 1.0;
    memcpy(s->values, s->next, sizeof *s->values * (size_t)s->n);
    memcpy(s->last, s->d, sizeof *s->last * (size_t)s->n);
    take_models(s);
    s->cost = cost;
    s->moved = s->strode = true;
    s->lambda *= fmax(0.2, 1.0 - x * x * x);
    s->grow = 2.0;
}

/* Of the fit. */
static double rows_of(const dry_fit__bench *bench) {
    double rows = 0.0;
    for (int i = 0; i < bench->n_outputs; i++)
        for (size_t k = 0; k < bench->outputs[i].rows; k++) rows += !bench->outputs[i].held[k];
    return rows;
}

double dry_fit__misfit(const dry_fit__bench *bench, double cost) {
    return sqrt(2.0 * cost / rows_of(bench));
}

/* Those that the step does not leave where they are. */
static int n_moving(const solver *s) {
    int n = 0;
    for (int i = 0; i < s->n; i++) n += !s->pinned[i] || s->d[i] != 0.0;
    return n;
}

/* The relative offset of Bates and Watts (1981): with the projection Q Q' on the columns of the
 * Jacobian, n rows and p parameters that can move,
 *
 *     sqrt(|Q'u|^2/p)/sqrt(|u - Q Q'u|^2/(n - p)),   |Q'u|^2 = 2 (what a full step promises)
 *
 * It is the size of a full step in deviations of the parameters. INFINITY: there is no full step.
 */
static double offset_of(solver *s) {
    const double lambda = s->lambda;
    s->lambda = FULL_LAMBDA;
    const bool solved = solve_within(s);
    s->lambda = lambda;
    if (!solved) return (double)INFINITY;
    s->promise = fmax(promised(s), 0.0);
    const double n = n_moving(s), rows = fmax(rows_of(s->bench) - n, 1.0);
    const double left = fmax(s->cost - s->promise, 0.0);
    return n > 0.0 ? sqrt(s->promise / n) / sqrt(left / rows) : 0.0;
}

/* The last step, a full one, unless it fits worse. */
static const char *polish(solver *s, dry_status *status) {
    const double lambda = s->lambda;
    s->lambda = FULL_LAMBDA;
    const bool found = find_step(s);
    s->lambda = lambda;
    const dry_status ran = found ? run_all(s, s->next, NULL) : DRY_RUN_FAILED;
    const double cost = ran == DRY_OK ? cost_of_trials(s) : (double)INFINITY;
    if (cost < s->cost) accept(s, cost, 1.0);
    if (ran == DRY_NO_MEMORY) *status = ran;
    return "what a further step gains is nothing beside the noise";
}

/* The cosine between the step and the last one, each parameter by its effect. */
static double along_last(const solver *s) {
    double across = 0.0, here = 0.0, last = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double a = s->A[i * s->n + i];
        across += a * s->d[i] * s->last[i];
        here += a * s->d[i] * s->d[i];
        last += a * s->last[i] * s->last[i];
    }
    return s->strode && here > 0.0 && last > 0.0 ? across / sqrt(here * last) : 0.0;
}

/* Along a narrow valley a step may climb a little if it goes on as the last one did: it is taken
 * if (1 - cos)^2 times its cost is no more than the least so far (Transtrum and Sethna 2012). */
static bool is_bold(const solver *s, double cost) {
    const double turned = 1.0 - along_last(s);
    return s->bench->job->huber <= 0.0 && cost <= BOLD * s->least &&
           turned * turned * cost <= s->least;
}

/* Why the solver ends after a step; NULL: it goes on. */
static const char *judge(solver *s, double size, double tolerance) {
    const double gain = s->least - s->cost,
                 unit = s->least / rows_of(s->bench); /* half a variance */
    const bool slow = gain <= SLOW_GAIN * unit && gain <= SLOW_PART * s->promise;
    s->idle = gain <= IDLE_GAIN * unit || slow ? s->idle + 1 : 0;
    if (s->idle == IDLE_STEPS) return "the sum of squares falls by less than noise can show";
    if (!(gain > 0.0)) return NULL; /* it went uphill */
    if (size <= tolerance) return "the parameters no longer change";
    if (gain <= 1e-2 * tolerance * s->least) return "the sum of squares no longer falls";
    return NULL;
}

static bool is_interrupted(const solver *s) {
    const dry_fit_job *job = s->bench->job;
    const dry_fit_progress now = {.runs = s->bench->runs + s->bench->slope_runs,
                                  .step = s->steps + 1,
                                  .starts = 1,
                                  .misfit = dry_fit__misfit(s->bench, cost_here(s))};
    return job->progress && !job->progress(job->user, &now);
}

/* One step, after as many trials as it takes. Returns why there is none; NULL: there is, or memory
 * ran out or the caller ends the fit (`status`). */
static const char *step(solver *s, double tolerance, dry_status *status) {
    while (s->lambda <= LARGEST_LAMBDA) {
        if (!find_step(s)) {
            grow_lambda(s);
            continue;
        }
        const double promise = promised(s), size = size_of_step(s);
        if (size <= 1e-3 * tolerance || !(promise > 1e-14 * s->cost))
            return "no step makes the sum of squares smaller";
        if (is_interrupted(s)) return *status = DRY_RUN_FAILED, NULL;
        *status = run_all(s, s->next, NULL);
        if (*status == DRY_NO_MEMORY) return NULL;
        const double cost = *status == DRY_OK ? cost_of_trials(s) : (double)INFINITY;
        *status = DRY_OK;
        const double ratio = (s->cost - cost) / promise;
        const bool bold = is_bold(s, cost);
        if (!(ratio > LEAST_GAIN) && !bold) {
            grow_lambda(s);
            continue;
        }
        accept(s, cost, bold ? fmax(ratio, 0.5) : ratio);
        const char *ended = judge(s, size, tolerance);
        if (s->cost < s->least) keep_best(s);
        return ended;
    }
    return "no step makes the sum of squares smaller";
}

/* The Jacobian here, and what follows from it. */
static dry_status look(solver *s, dry_error *error) {
    const dry_status status = dry_fit__differentiate(s->bench, s->values, error);
    if (status != DRY_OK) return status;
    s->moved = false;
    if (!find_sigma(s)) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    s->cost = cost_here(s);
    if (s->bench->job->huber > 0.0 || !s->strode) keep_best(s); /* the loss is another one */
    assemble(s);
    return DRY_OK;
}

/* To the best values, if the last ones are not. */
static dry_status return_to_best(solver *s, dry_error *error) {
    if (s->cost <= s->least) return DRY_OK;
    memcpy(s->values, s->best, sizeof *s->values * (size_t)s->n);
    const dry_status status = run_all(s, s->values, error);
    if (status == DRY_OK) take_models(s);
    s->moved = true;
    return status;
}

static dry_status iterate(solver *s, dry_fit__solution *solution, dry_error *error) {
    const dry_fit_job *job = s->bench->job;
    const int most = job->most_steps > 0 ? job->most_steps : 100;
    const double tolerance = job->tolerance > 0.0 ? job->tolerance : 1e-6;
    const char *ended = NULL;
    dry_status status = DRY_OK;
    for (; status == DRY_OK && !ended && s->steps < most;) {
        if (is_interrupted(s)) return dry_error_set(error, DRY_RUN_FAILED, "interrupted");
        status = look(s, error);
        if (status != DRY_OK) break;
        if (s->steps == 0) find_no_effect(s);
        ended =
            offset_of(s) <= OFFSET * tolerance ? polish(s, &status) : step(s, tolerance, &status);
        if (status != DRY_OK)
            return dry_error_set(error, status,
                                 status == DRY_NO_MEMORY ? "out of memory" : "interrupted");
        s->steps++;
    }
    solution->steps = s->steps;
    solution->settled = ended != NULL;
    solution->ended = ended ? ended : "it took as many steps as it may";
    return status == DRY_OK ? return_to_best(s, error) : status;
}

/* ---- the end ------------------------------------------------------------------------------- */

static void mark_bounds(solver *s) {
    for (int i = 0; i < s->n; i++) {
        dry_fit_parameter *p = &s->bench->parameters[i];
        const double slack = 1e-9 * fmax(fabs(p->low), fabs(p->high));
        p->value = s->values[i];
        p->at_low = isfinite(p->low) && p->value <= p->low + (isfinite(slack) ? slack : 0.0);
        p->at_high = isfinite(p->high) && p->value >= p->high - (isfinite(slack) ? slack : 0.0);
    }
}

/* The Jacobian of the end, and what has no effect there. */
static dry_status finish(solver *s, dry_fit__solution *solution, dry_error *error) {
    const dry_status status =
        s->moved ? dry_fit__differentiate(s->bench, s->values, error) : DRY_OK;
    if (status != DRY_OK) return status;
    s->cost = solution->cost = cost_here(s);
    assemble(s);
    find_no_effect(s);
    solution->offset = offset_of(s);
    mark_bounds(s);
    return DRY_OK;
}

static dry_status begin(solver *s, dry_error *error) {
    const dry_status status = run_all(s, s->values, error);
    if (status == DRY_OK) take_models(s);
    return status;
}

static bool take(solver *s) {
    const size_t n = (size_t)s->n, records = (size_t)s->bench->n_records;
    s->next = malloc(sizeof *s->next * n);
    s->best = malloc(sizeof *s->best * n);
    s->last = calloc(n, sizeof *s->last);
    s->A = malloc(sizeof *s->A * n * n);
    s->g = malloc(sizeof *s->g * n);
    s->d = malloc(sizeof *s->d * n);
    s->work = malloc(sizeof *s->work * n * (n + 1));
    s->pinned = malloc(n);
    s->sigma = malloc(sizeof *s->sigma * (size_t)s->bench->n_outputs);
    s->model = calloc(records, sizeof *s->model);
    bool good = s->next && s->best && s->last && s->A && s->g && s->d && s->work && s->pinned &&
                s->sigma && s->model;
    for (size_t r = 0; good && r < records; r++) {
        s->model[r] = malloc(sizeof **s->model * s->bench->records[r].rows);
        good = s->model[r] != NULL;
    }
    for (int i = 0; good && i < s->bench->n_outputs; i++) s->sigma[i] = 1.0;
    return good;
}

static void give(solver *s) {
    for (int r = 0; s->model && r < s->bench->n_records; r++) free(s->model[r]);
    free(s->next);
    free(s->best);
    free(s->last);
    free(s->A);
    free(s->g);
    free(s->d);
    free(s->work);
    free(s->pinned);
    free(s->sigma);
    free((void *)s->model);
}

dry_status dry_fit__solve(dry_fit__bench *bench, dry_fit__solution *solution, dry_error *error) {
    solver s = {
        .bench = bench, .n = bench->n, .values = solution->values, .lambda = LAMBDA, .grow = 2.0};
    dry_status status = DRY_OK;
    if (!take(&s)) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) status = begin(&s, error);
    if (status == DRY_OK) status = iterate(&s, solution, error);
    if (status == DRY_OK) status = finish(&s, solution, error);
    give(&s);
    return status;
}

dry_status dry_fit__cost_at(dry_fit__bench *bench, const double *values, double *cost,
                            dry_error *error) {
    solver s = {.bench = bench, .n = bench->n};
    dry_status status = DRY_OK;
    if (!take(&s)) status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK) status = run_all(&s, values, error);
    if (status == DRY_OK) *cost = cost_of_trials(&s);
    give(&s);
    return status;
}
