/* store: keeps whole states of a run, from which it can continue: those at the first ends of steps
 * at or after from + k every. */
#include <stdlib.h>
#include <string.h>

#include "sim_private.h"

bool dry_sim__store_open(dry_sim__store *store, const dry_system *system,
                         const dry_sim_options *options) {
    *store = (dry_sim__store){.n_states = system->n_states, .from = options->from};
    if (options->saves <= 0) return true;
    const size_t size = (size_t)(DRY_SAVED_X + system->n_states);
    store->most = options->saves;
    store->every = (options->run.until - options->from) / store->most;
    store->rows = calloc((size_t)store->most * size, sizeof *store->rows);
    return store->rows != NULL;
}

double dry_sim__store_due(const dry_sim__store *store) {
    return store->next < store->most ? store->from + store->next * store->every : (double)INFINITY;
}

double dry_sim__store_halt(const dry_sim__store *store, double t_start, double step) {
    const double due = dry_sim__store_due(store), slack = 1e-9;
    return isfinite(due) ? t_start + ceil((due - t_start) / step - slack) * step : due;
}

/* A step that passes several instants leaves one state. */
void dry_sim__store_add(dry_sim__store *store, double t, const dry_ode_counts *counts,
                        const double *x) {
    const double slack = 1e-9 * store->every;
    if (t < dry_sim__store_due(store) - slack) return;
    double *row = store->rows + (size_t)store->n++ * (size_t)(DRY_SAVED_X + store->n_states);
    row[DRY_SAVED_T] = t;
    row[DRY_SAVED_RATES] = (double)counts->rates;
    row[DRY_SAVED_KINKS] = (double)counts->kinks;
    memcpy(row + DRY_SAVED_X, x, (size_t)store->n_states * sizeof *x);
    while (dry_sim__store_due(store) - slack <= t) store->next++;
}

void dry_sim__store_close(dry_sim__store *store, dry_sim_result *result) {
    result->saved = store->rows;
    result->n_saved = store->n;
}
