/* Finds where a switching function changes its sign along the continuous output of a trial step.
 *
 * g_j(t, x): switching functions; theta: fraction of the trial step; side: the sign a g_j has at
 * the start of the step (0: not known yet). A g_j that is exactly 0 stays on its side, so neither a
 * touch nor an identically vanishing g_j stops the integration. Hairer, Norsett, Wanner 1993,
 * II.6. */
#include "ode_private.h"

/* The samples of g: sample i at theta = SAMPLE[i], the last one beyond an aimed trial. */
static const double SAMPLE[] = {0.0, 0.25, 0.5, 0.75, 1.0};
enum { START, QUARTER, MIDDLE, THREE_QUARTERS, END, BEHIND, PROBE };

/* The search looks at a parabola if its vertex is at most this far outside of its points, and not
 * nearer than that to one of its ends, in parts of their distance; and if it is lower than this
 * part of its bend. A value within this part of the predicted one is not going to be much lower. */
static const double OUTSIDE = 0.1, INSIDE = 0.02, LOW = 0.125, SURE = 0.1;
/* The search samples a g more closely if it comes nearer to zero than this many of its changes
 * along a step; in the longer steps of a loose tolerance its three samples say less. */
static const double NEAR = 0.6, NEAR_LOOSELY = 2.0, LOOSE = 1e-5;
enum { DEEPENED_AT_MOST = 8 };

static double sign(double g) { return (double)((g > 0.0) - (g < 0.0)); }

/* Takes over the sides of a sample; a function that is 0 there keeps its own. */
static void adopt(dry_ode *ode, int sample) {
    const double *g = dry_ode__sample(ode, sample);
    double *side = dry_ode__sides(ode);
    for (int j = 0; j < ode->system->n_kinks; j++)
        if (g[j] > 0.0 || g[j] < 0.0) side[j] = sign(g[j]);
}

void dry_ode__sides_set(dry_ode *ode) {
    double *g = dry_ode__sample(ode, START), *side = dry_ode__sides(ode);
    ode->system->kinks(&ode->env, ode->t, ode->x, g);
    for (int j = 0; j < ode->system->n_kinks; j++) side[j] = sign(g[j]);
}

DRY_INLINE bool crosses(const dry_ode *ode, int sample, int j) {
    return dry_ode__sample(ode, sample)[j] * dry_ode__sides(ode)[j] < 0.0;
}

DRY_INLINE bool any_crosses(const dry_ode *ode, int sample) {
    for (int j = 0; j < ode->system->n_kinks; j++)
        if (crosses(ode, sample, j)) return true;
    return false;
}

static void evaluate_kinks(dry_ode *ode, const dry_ode__trial *trial, double theta, const double *x,
                           int sample) {
    const double t = ode->t + theta * trial->h;
    ode->system->kinks(&ode->env, t < trial->last ? t : trial->last, x,
                       dry_ode__sample(ode, sample));
}

static void sample_at(dry_ode *ode, const dry_ode__trial *trial, double theta, int sample) {
    if (theta == 1.0) {
        evaluate_kinks(ode, trial, theta, dry_ode__end(ode), sample);
        return;
    }
    dry_ode__dense_at(ode, trial->h, theta, dry_ode__point(ode));
    evaluate_kinks(ode, trial, theta, dry_ode__point(ode), sample);
}

static void copy_sample(dry_ode *ode, int from, int to) {
    dry_ode__copy(ode->system->n_kinks, dry_ode__sample(ode, to), dry_ode__sample(ode, from));
}

/* ---- the root in a bracket ----------------------------------------------- */

/* g_j has its side at lo and has left it at hi. */
typedef struct bracket {
    double lo, hi, g_lo, g_hi;
} bracket;

/* Narrows the bracket: regula falsi after Illinois (an end that stays twice counts half), every
 * third time a bisection. */
static void narrow(dry_ode *ode, const dry_ode__trial *trial, int j, bracket *b) {
    const double width = trial->resolution;
    int stayed = 0; /* > 0: lo, < 0: hi */
    for (int i = 1; i <= 100 && b->hi - b->lo > width; i++) {
        double theta = b->lo + (b->hi - b->lo) * (b->g_lo / (b->g_lo - b->g_hi));
        if (i % 4 == 0) theta = 0.5 * (b->lo + b->hi);
        if (!(theta > b->lo + 0.4 * width)) theta = b->lo + 0.4 * width;
        if (theta > b->hi - 0.4 * width) theta = b->hi - 0.4 * width;
        sample_at(ode, trial, theta, PROBE);
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

/* A point before b->hi where g_j is on its side; false if none is found: g_j had left its side when
 * the step began. */
static bool find_side(dry_ode *ode, const dry_ode__trial *trial, int j, bracket *b) {
    if (sign(b->g_lo) * sign(b->g_hi) <= 0.0) return true;
    for (double theta = 0.5 * b->hi; theta > trial->at_once && theta > 0.1 * b->hi; theta *= 0.5) {
        sample_at(ode, trial, theta, PROBE);
        if (crosses(ode, PROBE, j)) continue;
        b->lo = theta;
        b->g_lo = dry_ode__sample(ode, PROBE)[j];
        return true;
    }
    return false;
}

/* The earliest crossing of all functions that have crossed at PROBE, theta = *hi. The sample `lo`
 * is on its sides, at theta = lo_theta. False if all had crossed before the step began. */
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
        sample_at(ode, trial, *hi, PROBE);
    }
    return found;
}

/* ---- two roots between samples ------------------------------------------- */

/* Three points of a g_j, counted from its side: positive if it has not crossed. */
typedef struct valley {
    double theta[3], g[3];
} valley;

static valley valley_of(const dry_ode *ode, int middle, int j) {
    const double side = dry_ode__sides(ode)[j];
    valley v;
    for (int i = 0; i < 3; i++) {
        v.theta[i] = SAMPLE[middle - 1 + i];
        v.g[i] = side * dry_ode__sample(ode, middle - 1 + i)[j];
    }
    return v;
}

static double between(double least, double x, double most) {
    return x < least ? least : x > most ? most : x;
}

/* Whether the parabola through the three points has a vertex between them, or hardly outside, and
 * comes near to zero there, in parts of its own height; where: the vertex, kept between them. */
static bool is_low(const valley *v, double *where, double *least) {
    const double *theta = v->theta, *g = v->g, width = theta[2] - theta[0];
    const double slope = (g[1] - g[0]) / (theta[1] - theta[0]);
    const double bend = ((g[2] - g[1]) / (theta[2] - theta[1]) - slope) / width;
    if (!(bend > 0.0)) return false;
    const double vertex = 0.5 * (theta[0] + theta[1]) - 0.5 * slope / bend;
    if (vertex < theta[0] - OUTSIDE * width || vertex > theta[2] + OUTSIDE * width) return false;
    *where = between(theta[0] + INSIDE * width, vertex, theta[2] - INSIDE * width);
    *least = g[0] + (*where - theta[0]) * (slope + bend * (*where - theta[1]));
    return *least < LOW * bend * width * width;
}

/* The three around the lowest point, with one more between them. */
static void deepen(valley *v, double theta, double g) {
    const bool lower = g <= v->g[1], before = theta < v->theta[1];
    const int out = lower == before ? 2 : 0; /* the end that goes */
    const valley old = *v;
    const int in = lower ? 1 : out; /* where the new point comes */
    if (lower) v->theta[out] = old.theta[1], v->g[out] = old.g[1];
    v->theta[in] = theta;
    v->g[in] = g;
}

/* Whether g_j crosses and comes back between three samples on its side: true with the functions at
 * *theta, where it has crossed, in PROBE. */
static bool dips(dry_ode *ode, const dry_ode__trial *trial, int middle, int j, double *theta) {
    valley v = valley_of(ode, middle, j);
    double least;
    if (!(v.g[0] >= 0.0 && v.g[1] > 0.0 && v.g[2] > 0.0)) return false;
    for (int i = 0; i < DEEPENED_AT_MOST && is_low(&v, theta, &least); i++) {
        sample_at(ode, trial, *theta, PROBE);
        if (crosses(ode, PROBE, j)) return true;
        const double g = dry_ode__sides(ode)[j] * dry_ode__sample(ode, PROBE)[j];
        if (fabs(g - least) < SURE * g) return false;
        if (*theta == v.theta[1]) return false;
        deepen(&v, *theta, g);
    }
    return false;
}

static bool any_dips(dry_ode *ode, const dry_ode__trial *trial, int middle, double *theta) {
    for (int j = 0; j < ode->system->n_kinks; j++)
        if (dips(ode, trial, middle, j, theta)) return true;
    return false;
}

static bool any_low(const dry_ode *ode, int middle) {
    double where, least;
    for (int j = 0; j < ode->system->n_kinks; j++) {
        const valley v = valley_of(ode, middle, j);
        if (is_low(&v, &where, &least)) return true;
    }
    return false;
}

/* ---- stages -------------------------------------------------------------- */

static void sample_stage(dry_ode *ode, const dry_ode__trial *trial, int s, int sample) {
    const struct dry_tableau *table = ode->method->tableau;
    const double *x = s != table->end_stage ? dry_ode__stage_value(ode, s) : dry_ode__end(ode);
    evaluate_kinks(ode, trial, table->k.c[s], x, sample);
}

/* Whether a stage on whose rate the step or its continuous output is built has crossed, and the
 * first time of such: a kink has spoilt both then, and the output may not show it. */
static bool spoilt(dry_ode *ode, const dry_ode__trial *trial, double *theta) {
    const struct dry_tableau *table = ode->method->tableau;
    *theta = 1.0;
    for (int s = 1; s < table->k.stages; s++) {
        const bool counts = s > table->end_stage || (s < table->end_stage && table->k.b[s] != 0.0);
        if (!counts || table->k.c[s] >= *theta) continue;
        sample_stage(ode, trial, s, PROBE);
        if (any_crosses(ode, PROBE)) *theta = table->k.c[s];
    }
    return *theta < 1.0;
}

/* ---- the search ---------------------------------------------------------- */

/* One pass over the samples from the start of the step. */
static bool search(dry_ode *ode, const dry_ode__trial *trial, double *theta) {
    for (int i = QUARTER; i <= (trial->reach > 1.0 ? BEHIND : END); i++) {
        *theta = i == BEHIND ? trial->reach : SAMPLE[i];
        sample_at(ode, trial, *theta, i);
        if (any_crosses(ode, i)) {
            copy_sample(ode, i, PROBE);
            if (earliest(ode, trial, i - 1, SAMPLE[i - 1], theta)) return true;
        } else if (i >= MIDDLE && i <= END && any_dips(ode, trial, i - 1, theta)) {
            if (earliest(ode, trial, i - 2, SAMPLE[i - 2], theta)) return true;
        }
    }
    return false;
}

/* Whether g_j may reach zero between its samples at the start, the middle and the end. A parabola
 * that touches zero comes nearer than an eighth of its way, but in long steps g_j is not a
 * parabola. */
static bool is_near(const dry_ode *ode, int j) {
    const double g0 = fabs(dry_ode__sample(ode, START)[j]),
                 g1 = fabs(dry_ode__sample(ode, MIDDLE)[j]),
                 g2 = fabs(dry_ode__sample(ode, END)[j]);
    const double ends_least = g0 < g2 ? g0 : g2, ends_most = g0 < g2 ? g2 : g0;
    const double least = g1 < ends_least ? g1 : ends_least, most = g1 > ends_most ? g1 : ends_most;
    const double near = ode->options.rtol > LOOSE ? NEAR_LOOSELY : NEAR;
    return least < near * (most - least);
}

/* Whether the cubic through both ends gives a reason to look closer. */
static bool suspicious(dry_ode *ode, const dry_ode__trial *trial) {
    sample_at(ode, trial, 1.0, END);
    if (any_crosses(ode, END)) return true;
    dry_ode__dense_middle(ode, trial->h, dry_ode__point(ode));
    evaluate_kinks(ode, trial, SAMPLE[MIDDLE], dry_ode__point(ode), MIDDLE);
    if (any_crosses(ode, MIDDLE)) return true;
    int j = 0;
    while (j < ode->system->n_kinks && !is_near(ode, j)) j++;
    if (j == ode->system->n_kinks) return false;
    dry_ode__dense_cubic(ode, trial->h);
    sample_at(ode, trial, SAMPLE[QUARTER], QUARTER);
    sample_at(ode, trial, SAMPLE[THREE_QUARTERS], THREE_QUARTERS);
    return any_crosses(ode, QUARTER) || any_crosses(ode, THREE_QUARTERS) || any_low(ode, QUARTER) ||
           any_low(ode, MIDDLE) || any_low(ode, THREE_QUARTERS);
}

/* The sides and values with which the next step begins if this one is accepted. */
static void end_at(dry_ode *ode, int sample) {
    adopt(ode, sample);
    copy_sample(ode, sample, START);
}

bool dry_ode__crossing(dry_ode *ode, const dry_ode__trial *trial, double *theta) {
    if (trial->reach > 1.0 || suspicious(ode, trial)) {
        dry_ode__dense_full(ode, trial->h);
        for (int pass = 0; pass < 2 * ode->system->n_kinks; pass++) {
            if (!search(ode, trial, theta)) break;
            if (*theta > 1.0) end_at(ode, PROBE);
            if (*theta > trial->at_once) return true;
            adopt(ode, PROBE); /* at the very start: the step begins on the far side */
        }
        if (spoilt(ode, trial, theta)) return true;
    }
    end_at(ode, END);
    return false;
}

bool dry_ode__crossed(dry_ode *ode, const dry_ode__trial *trial) {
    sample_at(ode, trial, 1.0, END);
    return any_crosses(ode, END);
}

/* ---- the stages of a trial that went wrong ------------------------------- */

/* The root between (lo, g_lo) and (hi, g_hi) of the parabola through them and (0, g0). */
static double parabola_root(double g0, double lo, double g_lo, double hi, double g_hi) {
    const double slope = (g_hi - g_lo) / (hi - lo);
    const double bend = lo > 0.0 ? (slope - (g_lo - g0) / lo) / hi : 0.0;
    double a = lo, b = hi;
    for (int i = 0; i < 12; i++) {
        const double theta = 0.5 * (a + b);
        const double g = g_lo + (theta - lo) * (slope + bend * (theta - hi));
        if (g * g_hi > 0.0)
            b = theta;
        else
            a = theta;
    }
    return b;
}

bool dry_ode__stage_crossing(dry_ode *ode, const dry_ode__trial *trial, double *theta) {
    const struct dry_tableau *table = ode->method->tableau;
    int s = 1, lo = 0;
    for (; s <= table->end_stage; s++) {
        sample_stage(ode, trial, s, END);
        if (any_crosses(ode, END)) break;
    }
    if (s > table->end_stage) return false;
    for (int i = 1; i < s; i++)
        if (table->k.c[i] < table->k.c[s] && table->k.c[i] > table->k.c[lo]) lo = i;
    if (lo > 0) sample_stage(ode, trial, lo, MIDDLE);
    *theta = table->k.c[s];
    for (int j = 0; j < ode->system->n_kinks; j++) {
        if (!crosses(ode, END, j)) continue;
        const double g0 = dry_ode__sample(ode, START)[j], g_hi = dry_ode__sample(ode, END)[j];
        const double g_lo = lo > 0 ? dry_ode__sample(ode, MIDDLE)[j] : g0;
        const double root = parabola_root(g0, table->k.c[lo], g_lo, table->k.c[s], g_hi);
        if (root < *theta) *theta = root;
    }
    return *theta > trial->at_once;
}
