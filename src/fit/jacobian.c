/* jacobian: the derivatives of all rows by all parameters, by the equations of the sensitivities
 * where the model has them, else by central differences.
 *
 *     D(h) = (y(p + h) - y(p - h))/(2 h)
 *
 * The first time a parameter tries three distances and keeps the second of the two that agree best:
 * a large h leaves the curvature of y in D, a small one the rounding. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DISTANCES[] = {1e-3, 1e-4, 1e-5}; /* in parts of the parameter */
enum { N_DISTANCES = sizeof DISTANCES / sizeof *DISTANCES };

/* The runs of one Jacobian. */
typedef struct plan {
    dry_fit__bench *bench;
    const double *values;
    dry_fit__trial *trials;
    double **owned; /* the values of each trial; NULL: those of the plan */
    int n, room;
} plan;

/* ---- planning ------------------------------------------------------------------------------ */

static dry_fit__trial *add(plan *p, int record, size_t numbers) {
    if (p->n == p->room) {
        const int room = p->room ? 2 * p->room : 32;
        dry_fit__trial *trials = realloc(p->trials, sizeof *trials * (size_t)room);
        if (trials) p->trials = trials;
        double **owned = realloc(p->owned, sizeof *owned * (size_t)room);
        if (owned) p->owned = owned;
        if (!trials || !owned) return NULL;
        p->room = room;
    }
    dry_fit__trial *trial = &p->trials[p->n];
    *trial = (dry_fit__trial){
        .record = record, .values = p->values, .model = malloc(sizeof(double) * (numbers + 1))};
    p->owned[p->n++] = NULL;
    return trial->model ? trial : NULL;
}

static int n_places(const dry_fit__bench *bench, int r) {
    int n = 0;
    for (int f = 0; f < bench->n_free; f++) n += bench->records[r].place[f] >= 0;
    return n;
}

static bool add_equations(plan *p, int r) {
    const int places = n_places(p->bench, r);
    if (!places) return true;
    dry_fit__trial *trial = add(p, r, (size_t)places * p->bench->records[r].rows);
    if (trial) trial->slopes = true;
    return trial != NULL;
}

static double within(const dry_fit_parameter *p, double value) {
    return fmin(fmax(value, p->low), p->high);
}

static bool add_side(plan *p, int r, int j, double h) {
    dry_fit__bench *bench = p->bench;
    dry_fit__trial *trial = add(p, r, bench->records[r].rows);
    double *values = malloc(sizeof *values * (size_t)bench->n);
    if (!trial || !values) {
        free(values);
        return false;
    }
    memcpy(values, p->values, sizeof *values * (size_t)bench->n);
    values[j] = within(&bench->parameters[j], values[j] + h);
    p->owned[p->n - 1] = values;
    trial->values = values;
    return true;
}

/* The length on which a parameter varies. */
static double length_of(const dry_fit__bench *bench, const double *values, int j) {
    const bool given = j < bench->n_given;
    return given && values[j] != 0.0 ? fabs(values[j]) : bench->parameters[j].scale;
}

static bool add_differences(plan *p, int r, int f) {
    const int j = p->bench->index[f * p->bench->n_records + r];
    const double length = length_of(p->bench, p->values, j), known = p->bench->distance[j];
    const int n = known > 0.0 ? 1 : N_DISTANCES;
    bool good = true;
    for (int k = 0; good && k < n; k++) {
        const double h = length * (known > 0.0 ? known : DISTANCES[k]);
        good = add_side(p, r, j, h) && add_side(p, r, j, -h);
    }
    return good;
}

static bool add_all(plan *p) {
    const dry_fit__bench *bench = p->bench;
    bool good = true;
    for (int r = 0; good && r < bench->n_records; r++) {
        good = add_equations(p, r);
        for (int f = 0; good && f < bench->n_free; f++)
            if (bench->records[r].place[f] < 0 && dry_fit__acts(&bench->records[r], f))
                good = add_differences(p, r, f);
    }
    return good;
}

static void free_plan(plan *p) {
    for (int i = 0; i < p->n; i++) {
        free(p->trials[i].model);
        free(p->owned[i]);
    }
    free(p->trials);
    free(p->owned);
}

/* ---- taking what they found ---------------------------------------------------------------- */

/* Puts the derivatives of the rows of a record by one parameter into the Jacobians. */
static void put(dry_fit__bench *bench, int r, int j, const double *slope) {
    const dry_fit__record *record = &bench->records[r];
    for (int i = 0; i < record->n; i++) {
        dry_fit_output *o = &bench->outputs[record->first + i];
        for (size_t k = 0; k < o->rows; k++)
            o->jacobian[k * (size_t)bench->n + (size_t)j] = *slope++;
    }
}

static dry_status failed(const dry_fit__bench *bench, int j, const dry_fit__trial *trial,
                         dry_error *error) {
    return dry_error_set(error, DRY_RUN_FAILED, "a run for the derivative by %s fails: %.300s",
                         j < 0 ? "the parameters" : bench->parameters[j].name, trial->error.text);
}

static dry_status take_equations(const plan *p, int r, int *next, dry_error *error) {
    dry_fit__bench *bench = p->bench;
    const dry_fit__record *record = &bench->records[r];
    if (!n_places(bench, r)) return DRY_OK;
    const dry_fit__trial *trial = &p->trials[(*next)++];
    if (trial->status != DRY_OK) return failed(bench, -1, trial, error);
    for (int f = 0; f < bench->n_free; f++)
        if (record->place[f] >= 0)
            put(bench, r, bench->index[f * bench->n_records + r],
                trial->model + (size_t)record->place[f] * record->rows);
    return DRY_OK;
}

/* What the outputs of a record have at the present values. */
static double base_of(const dry_fit__bench *bench, int r, size_t row) {
    const dry_fit_output *o = &bench->outputs[bench->records[r].first];
    while (row >= o->rows) row -= o++->rows;
    return o->model[row];
}

/* Of two sides, or of one and the present values if the other has failed; to `slope`. */
static bool subtract(const plan *p, int r, int j, int first, double *slope) {
    const dry_fit__trial *up = &p->trials[first], *down = &p->trials[first + 1];
    const bool has_up = up->status == DRY_OK, has_down = down->status == DRY_OK;
    const double above = has_up ? up->values[j] : p->values[j];
    const double below = has_down ? down->values[j] : p->values[j];
    if (!(above > below)) return false;
    for (size_t k = 0; k < p->bench->records[r].rows; k++)
        slope[k] = ((has_up ? up->model[k] : base_of(p->bench, r, k)) -
                    (has_down ? down->model[k] : base_of(p->bench, r, k))) /
                   (above - below);
    return true;
}

static double apart(const double *a, const double *b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Of the three distances, the best. */
static bool choose(const plan *p, int r, int j, int first, double *slopes, int *best) {
    const size_t rows = p->bench->records[r].rows;
    bool good[N_DISTANCES];
    double least = (double)INFINITY;
    *best = -1;
    for (int k = 0; k < N_DISTANCES; k++) {
        good[k] = subtract(p, r, j, first + 2 * k, slopes + (size_t)k * rows);
        if (good[k] && *best < 0) *best = k;
        if (!good[k] || k == 0 || !good[k - 1]) continue;
        const double d = apart(slopes + (size_t)k * rows, slopes + (size_t)(k - 1) * rows, rows);
        if (d < least) least = d, *best = k;
    }
    return *best >= 0;
}

static dry_status take_differences(const plan *p, int r, int f, int *next, dry_error *error) {
    dry_fit__bench *bench = p->bench;
    const int j = bench->index[f * bench->n_records + r], first = *next;
    const size_t rows = bench->records[r].rows;
    const bool known = bench->distance[j] > 0.0;
    double *slopes = malloc(sizeof *slopes * (rows * N_DISTANCES + 1));
    int best = 0;
    if (!slopes) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    *next += 2 * (known ? 1 : N_DISTANCES);
    const bool good =
        known ? subtract(p, r, j, first, slopes) : choose(p, r, j, first, slopes, &best);
    if (good) put(bench, r, j, slopes + (size_t)best * rows);
    if (good && bench->distance[j] == 0.0) bench->distance[j] = -DISTANCES[best];
    free(slopes);
    return good ? DRY_OK : failed(bench, j, &p->trials[first], error);
}

/* From now on the distances that were chosen are known; of a parameter that several records share,
 * that of the first. */
static void keep_distances(const plan *p) {
    for (int j = 0; j < p->bench->n; j++) p->bench->distance[j] = fabs(p->bench->distance[j]);
}

static dry_status take_all(const plan *p, dry_error *error) {
    const dry_fit__bench *bench = p->bench;
    dry_status status = DRY_OK;
    int next = 0;
    for (int r = 0; status == DRY_OK && r < bench->n_records; r++) {
        status = take_equations(p, r, &next, error);
        for (int f = 0; status == DRY_OK && f < bench->n_free; f++)
            if (bench->records[r].place[f] < 0 && dry_fit__acts(&bench->records[r], f))
                status = take_differences(p, r, f, &next, error);
    }
    keep_distances(p);
    return status;
}

dry_status dry_fit__differentiate(dry_fit__bench *bench, const double *values, dry_error *error) {
    plan p = {.bench = bench, .values = values};
    for (int i = 0; i < bench->n_outputs; i++)
        memset(bench->outputs[i].jacobian, 0,
               sizeof(double) * bench->outputs[i].rows * (size_t)bench->n);
    dry_status status = DRY_OK;
    if (!add_all(&p))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    else
        status = dry_fit__try(bench, p.trials, p.n, error);
    if (status == DRY_OK) status = take_all(&p, error);
    dry_fit__window_joints(bench);
    free_plan(&p);
    return status;
}
