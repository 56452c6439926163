/* rank: which of several models suits the data best. */
#include <drystone/fit.h>

#include <math.h>
#include <stdlib.h>

/* rms over all outputs of the parts that residuals are of what was measured. */
static double part_of(const dry_fit_result *r, bool held) {
    double sum = 0.0, rows = 0.0;
    for (int k = 0; k < r->n_outputs; k++) {
        const dry_fit_size *size = held ? &r->outputs[k].hold : &r->outputs[k].train;
        if (!size->rows) continue;
        sum += (double)size->rows * size->fraction * size->fraction;
        rows += (double)size->rows;
    }
    return rows > 0.0 ? sqrt(sum / rows) : (double)NAN;
}

static int n_free(const dry_fit_result *r) {
    int n = 0;
    for (int j = 0; j < r->n_parameters; j++)
        n += !(r->parameters[j].at_low || r->parameters[j].at_high || r->parameters[j].no_effect);
    return n;
}

static int by_hold(const void *a, const void *b) {
    const double x = ((const dry_fit_rank *)a)->hold, y = ((const dry_fit_rank *)b)->hold;
    return (x > y) - (x < y);
}

static int by_bic(const void *a, const void *b) {
    const double x = ((const dry_fit_rank *)a)->bic, y = ((const dry_fit_rank *)b)->bic;
    return (x > y) - (x < y);
}

/* Models are comparable over the same number of rows alone: over those of the least residuals,
 * which are nearest to noise. */
static double rows_of_best(const dry_fit_rank *ranks, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (ranks[i].train < ranks[best].train) best = i;
    return ranks[best].result->stats.independent;
}

void dry_fit_rank_all(dry_fit_rank *ranks, int n) {
    bool held = n > 0;
    for (int i = 0; i < n; i++) {
        ranks[i].hold = part_of(ranks[i].result, true);
        ranks[i].train = part_of(ranks[i].result, false);
        held = held && isfinite(ranks[i].hold);
    }
    const double rows = n > 0 ? fmax(rows_of_best(ranks, n), 1.0) : 1.0;
    for (int i = 0; i < n; i++) {
        const double fit = 2.0 * rows * log(ranks[i].train);
        const int p = n_free(ranks[i].result);
        ranks[i].aic = fit + 2.0 * p;
        ranks[i].bic = fit + p * log(rows);
    }
    qsort(ranks, (size_t)n, sizeof *ranks, held ? by_hold : by_bic);
}
