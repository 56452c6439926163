/* Whether a motion cannot be predicted: two starts NUDGE apart part at the same rate, whatever the
 * step. If that rate changes with the step, it belongs to the method, and the run is not converged.
 *
 * Rates are compared by the times until the nudge has grown GROWTH-fold. */
#include "watch_private.h"

#include <stdlib.h>

static const double NUDGE = 1e-9, GROWTH = 1e4;
/* Times that differ by this factor are the same: both runs follow one motion until then. */
static const double ALIKE = 1.5;

/* When a run and the one from the start aside are apart by so much that the nudge counts; INFINITY:
 * never. A state that is small beside 1 begins further apart than NUDGE of its size. */
static double time_apart(const dry_watch__states *s, const dry_record *a, const dry_record *b) {
    double begin = NUDGE;
    for (int i = 0; i < s->n; i++) {
        const double x = dry_record_values(a, s->column[i])[0];
        begin = fmax(begin, fabs(x - dry_record_values(b, s->column[i])[0]) / s->size[i]);
    }
    const size_t k = dry_watch__parts_at(s, a, b, fmin(GROWTH * begin, 0.1));
    return k < dry_record_rows(a) ? dry_record_values(a, 0)[k] : (double)INFINITY;
}

dry_status dry_watch__sensitive(dry_watch__job *job, const dry_watch__states *s,
                                const dry_sim_result *half, bool *sensitive, double *from,
                                dry_error *error) {
    dry_sim_result coarse = {0}, fine = {0};
    *sensitive = false;
    if (!dry_watch__affords(job, 3.0)) return DRY_OK;
    double *x0 = dry_watch__nudged_start(s, job->model, NUDGE);
    if (!x0) return dry_error_set(error, DRY_NO_MEMORY, "out of memory while the run was repeated");
    dry_error unsaid = {0};
    if (dry_watch__repeat(job, false, x0, &coarse, &unsaid) == DRY_OK &&
        dry_watch__repeat(job, true, x0, &fine, &unsaid) == DRY_OK) {
        const double at = time_apart(s, job->first->record, coarse.record);
        const double then = time_apart(s, half->record, fine.record);
        const size_t row = dry_watch__parts_at(s, job->first->record, half->record, job->most);
        const bool parted = row < dry_record_rows(job->first->record);
        *sensitive =
            parted && isfinite(at) && isfinite(then) && at <= ALIKE * then && then <= ALIKE * at;
        if (parted) *from = dry_record_values(job->first->record, 0)[row];
    }
    free(x0);
    dry_record_free(coarse.record);
    dry_record_free(fine.record);
    return DRY_OK;
}
