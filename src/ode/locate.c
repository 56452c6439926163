/* Where a switching function changes its sign along the continuous output of a trial step.
 *
 * g_j(t, x): switching functions; theta: fraction of the trial step; side: the sign a g_j has at
 * the start of the step (0: not known yet). A g_j that is exactly 0 is on no other side than
 * before, so that neither a touch nor an identically vanishing g_j holds the integration up. */
#include "ode_private.h"

/* Where g is looked at: sample i at theta = SAMPLE[i]; where the end was aimed at a kink also just
 * behind it, and farther. */
static const double SAMPLE[] = {0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 1.05};
enum { END = 4, CLOSE = 5, FAR = 6, PROBE = 7 };

static double sign(double g) { return (double)((g > 0.0) - (g < 0.0)); }

/* Takes over the sides of a sample; a function that is 0 there keeps its own. */
static void adopt(dry_ode *ode, int sample) {
    const double *g = dry_ode__sample(ode, sample);
    double *side = dry_ode__sides(ode);
    for (int j = 0; j < ode->system->n_kinks; j++)
        if (g[j] > 0.0 || g[j] < 0.0) side[j] = sign(g[j]);
}

void dry_ode__sides_set(dry_ode *ode) {
    double *g = dry_ode__sample(ode, 0), *side = dry_ode__sides(ode);
    ode->system->kinks(&ode->env, ode->t, ode->x, g);
    for (int j = 0; j < ode->system->n_kinks; j++) side[j] = sign(g[j]);
}

static bool crosses(const dry_ode *ode, int sample, int j) {
    return sign(dry_ode__sample(ode, sample)[j]) * dry_ode__sides(ode)[j] < 0.0;
}

static bool any_crosses(const dry_ode *ode, int sample) {
    for (int j = 0; j < ode->system->n_kinks; j++)
        if (crosses(ode, sample, j)) return true;
    return false;
}

static void look(dry_ode *ode, const dry_ode__trial *trial, double theta, int sample) {
    const double t = ode->t + theta * trial->h;
    const double *x = dry_ode__end(ode);
    if (theta != 1.0) {
        x = dry_ode__point(ode);
        dry_ode__dense_at(ode, theta, dry_ode__point(ode));
    }
    ode->system->kinks(&ode->env, t < trial->last ? t : trial->last, x,
                       dry_ode__sample(ode, sample));
}

/* ---- the root in a bracket ----------------------------------------------- */

/* g_j has its side at lo and has left it at hi. */
typedef struct bracket {
    double lo, hi, g_lo, g_hi;
} bracket;

/* Narrows the bracket: regula falsi after Illinois (an end that stays twice counts half), every
 * third time a bisection. */
static void narrow(dry_ode *ode, const dry_ode__trial *trial, int j, bracket *b) {
    const double width = 0.1 * trial->tolerance;
    int stayed = 0; /* > 0: lo, < 0: hi */
    for (int i = 1; i <= 100 && b->hi - b->lo > width; i++) {
        double theta = b->lo + (b->hi - b->lo) * (b->g_lo / (b->g_lo - b->g_hi));
        if (i % 3 == 0) theta = 0.5 * (b->lo + b->hi);
        if (!(theta > b->lo + 0.4 * width)) theta = b->lo + 0.4 * width;
        if (theta > b->hi - 0.4 * width) theta = b->hi - 0.4 * width;
        look(ode, trial, theta, PROBE);
        const double g = dry_ode__sample(ode, PROBE)[j];
        if (crosses(ode, PROBE, j)) {
            *b = (bracket){b->lo, theta, stayed > 0 ? 0.5 * b->g_lo : b->g_lo, g};
            stayed = 1;
        } else {
            *b = (bracket){theta, b->hi, g, stayed < 0 ? 0.5 * b->g_hi : b->g_hi};
            stayed = -1;
        }
    }
}

/* A point before b->hi where g_j is on its side; false where there is none to be found: then g_j
 * had left it when the step began. */
static bool find_side(dry_ode *ode, const dry_ode__trial *trial, int j, bracket *b) {
    if (sign(b->g_lo) * sign(b->g_hi) <= 0.0) return true;
    for (double theta = 0.5 * b->hi; theta > trial->tolerance && theta > 0.1 * b->hi;
         theta *= 0.5) {
        look(ode, trial, theta, PROBE);
        if (crosses(ode, PROBE, j)) continue;
        b->lo = theta;
        b->g_lo = dry_ode__sample(ode, PROBE)[j];
        return true;
    }
    return false;
}

/* The earliest crossing of all functions that have crossed at PROBE, theta = *hi. The sample `lo`
 * is on its sides, at theta = lo_theta. False where all had crossed before the step began. */
static bool earliest(dry_ode *ode, const dry_ode__trial *trial, int lo, double lo_theta,
                     double *hi) {
    bool found = false;
    for (int j = 0; j < ode->system->n_kinks; j++) {
        if (!crosses(ode, PROBE, j)) continue;
        bracket b = {lo_theta, *hi, dry_ode__sample(ode, lo)[j], dry_ode__sample(ode, PROBE)[j]};
        if (find_side(ode, trial, j, &b)) {
            narrow(ode, trial, j, &b);
            *hi = b.hi;
            found = true;
        } else {
            dry_ode__sides(ode)[j] *= -1.0;
        }
        look(ode, trial, *hi, PROBE);
    }
    return found;
}

/* ---- two roots between samples ------------------------------------------- */

/* Between three samples whose middle is nearest to zero, the vertex of the parabola through them:
 * true, with the functions at the vertex in PROBE, where g_j has crossed there. */
static bool dips(dry_ode *ode, const dry_ode__trial *trial, int middle, int j, double *theta) {
    const double g0 = dry_ode__sample(ode, middle - 1)[j], g1 = dry_ode__sample(ode, middle)[j],
                 g2 = dry_ode__sample(ode, middle + 1)[j];
    if (!(fabs(g1) < fabs(g0) && fabs(g1) <= fabs(g2) && g0 * g2 > 0.0)) return false;
    const double slope = 0.5 * (g2 - g0), bend = g0 - 2.0 * g1 + g2;
    const double vertex = -slope / bend;
    if (fabs(g1 + 0.5 * slope * vertex) > 0.2 * fabs(g0) && (g1 + 0.5 * slope * vertex) * g0 > 0.0)
        return false;
    *theta = SAMPLE[middle] + 0.25 * vertex;
    look(ode, trial, *theta, PROBE);
    return crosses(ode, PROBE, j);
}

static bool any_dips(dry_ode *ode, const dry_ode__trial *trial, int middle, double *theta) {
    for (int j = 0; j < ode->system->n_kinks; j++)
        if (dips(ode, trial, middle, j, theta)) return true;
    return false;
}

/* ---- the search ---------------------------------------------------------- */

static void copy_sample(dry_ode *ode, int from, int to) {
    memcpy(dry_ode__sample(ode, to), dry_ode__sample(ode, from),
           (size_t)ode->system->n_kinks * sizeof(double));
}

/* One pass over the samples from the start of the step. */
static bool search(dry_ode *ode, const dry_ode__trial *trial, double *theta) {
    const int count = trial->aimed ? FAR : END;
    for (int i = 1; i <= count; i++) {
        *theta = i == CLOSE ? 1.0 + trial->tolerance : SAMPLE[i];
        look(ode, trial, *theta, i);
        if (any_crosses(ode, i)) {
            copy_sample(ode, i, PROBE);
            if (earliest(ode, trial, i - 1, SAMPLE[i - 1], theta)) return true;
        } else if (i >= 2 && i <= END && any_dips(ode, trial, i - 1, theta)) {
            if (earliest(ode, trial, i - 2, SAMPLE[i - 2], theta)) return true;
        }
    }
    return false;
}

/* The sides and values with which the next step begins, where this one is accepted. */
static void end_at(dry_ode *ode, int sample) {
    adopt(ode, sample);
    copy_sample(ode, END, 0);
}

bool dry_ode__crossing(dry_ode *ode, const dry_ode__trial *trial, double *theta) {
    for (int pass = 0; pass < 2 * ode->system->n_kinks; pass++) {
        if (!search(ode, trial, theta)) break;
        if (fabs(*theta - 1.0) <= trial->tolerance) {
            end_at(ode, PROBE);
            return true;
        }
        if (*theta > trial->tolerance) return true;
        adopt(ode, PROBE); /* at the very start: the step begins on the far side */
    }
    end_at(ode, END);
    return false;
}
