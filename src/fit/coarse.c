/* coarse: what half the step would change of a fit.
 *
 * With the change c = w (finer - model) of the weighted residuals e, the optimum moves by
 *
 *     dp = -H^-1 A'c,   and e becomes e + c + A dp
 *
 * to first order. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

/* c of each row. Beyond the limit of Huber's loss a residual moves nothing. */
static double *change_of(const dry_fit__rows *w) {
    double *c = malloc(sizeof *c * (w->rows + 1));
    for (int k = 0; c && k < w->n_spans; k++) {
        const dry_fit__span *s = &w->spans[k];
        const dry_fit_output *o = &w->result->outputs[s->output];
        for (size_t at = s->first; at < s->first + s->n; at++) {
            const size_t i = w->at[at];
            c[at] = w->beyond[at] ? 0.0 : o->weight / o->scale * (o->finer[i] - o->model[i]);
        }
    }
    return c;
}

/* dp = -H^-1 A'c. */
static void follow(const dry_fit__rows *w, const double *c, double *pull, double *dp) {
    const size_t n = (size_t)w->n;
    for (size_t j = 0; j < n; j++) pull[j] = dp[j] = 0.0;
    for (size_t at = 0; at < w->rows; at++)
        for (size_t j = 0; j < n; j++) pull[j] += w->A[at * n + j] * c[at];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) dp[i] -= w->H[i * n + j] * pull[j];
}

static void put_output(const dry_fit__rows *w, int output, const double *c, const double *dp) {
    const dry_fit_output *o = &w->result->outputs[output];
    dry_fit_look *look = &w->result->stats.look[output];
    const size_t n = (size_t)w->n;
    double change = 0.0, before = 0.0, after = 0.0, rows = 0.0;
    for (int k = 0; k < w->n_spans; k++) {
        const dry_fit__span *s = &w->spans[k];
        for (size_t at = s->first; s->output == output && at < s->first + s->n; at++) {
            double e = w->e[at] + c[at];
            for (size_t j = 0; !w->beyond[at] && j < n; j++) e += w->A[at * n + j] * dp[j];
            change += c[at] * c[at];
            before += w->e[at] * w->e[at];
            after += e * e;
            rows += 1.0;
        }
    }
    if (!(rows > 0.0)) return;
    look->coarse = sqrt(change / rows) * o->scale / o->weight;
    if (before > 0.0) look->finer_rms = o->train.rms * sqrt(after / before);
}

bool dry_fit__compare_finer(dry_fit__rows *w) {
    const dry_fit_result *r = w->result;
    const size_t n = (size_t)w->n;
    bool all = true;
    for (int k = 0; k < r->n_outputs; k++) all = all && r->outputs[k].finer;
    if (!all) return true;
    double *c = change_of(w), *dp = malloc(sizeof *dp * (2 * n + 1));
    const bool room = c && dp;
    if (room) follow(w, c, dp + n, dp);
    for (int k = 0; room && k < r->n_outputs; k++) put_output(w, k, c, dp);
    for (size_t j = 0; room && j < n; j++) {
        dry_fit_parameter *p = &r->parameters[w->parameter[j]];
        p->coarse = dp[j] / w->length[j] / p->deviation;
    }
    free(c);
    free(dp);
    return room;
}
