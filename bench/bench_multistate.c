/* How much does an element of multistate friction cost in a batch, against a loop written by hand?
 *
 * Each contestant takes forward Euler steps (as XD chapter 4 does) of N = 10 elements in many
 * lanes. dry_multistate_batch gives the rates and a second loop adds them; the hand does both in
 * one loop and needs no place for the rates. Both end in the same bits. Aim: at most 1.2 with 64
 * lanes, which fit the first-level cache. Beside them the laws of the catalogue, one lane after the
 * other: multistate and gms find the Stribeck level too, with an exp and a pow per evaluation. */
#include "bench.h"
#include <drystone/law.h>

enum { N = 10, MOST_LANES = 1024, MOST_STATES = 2 * N, EVALUATIONS = 1 << 14 };

typedef struct batch {
    size_t lanes;
    double h;
    double kappa[N], sigma[N], lambda[N], v[MOST_LANES], gamma[MOST_LANES], f[MOST_LANES];
    double a[N * MOST_LANES], a_dot[N * MOST_LANES];
} batch;

static void batch_begin(batch *b, size_t lanes) {
    memset(b, 0, sizeof *b);
    b->lanes = lanes;
    b->h = 1e-6;
    for (int i = 0; i < N; i++) {
        b->kappa[i] = 5e6 / (i + 1);
        b->sigma[i] = 2e4;
        b->lambda[i] = 1.0 / N;
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        b->v[lane] = 2e-5 * sin((double)lane);
        b->gamma[lane] = 2.0 + 0.5 * cos((double)lane);
    }
}

static NOINLINE void hand_step(batch *b) {
    const size_t lanes = b->lanes;
    const double h = b->h, *restrict v = b->v, *restrict gamma = b->gamma;
    double *restrict f = b->f;
    for (size_t l = 0; l < lanes; l++) f[l] = 0.0;
    for (int i = 0; i < N; i++) {
        const double K = b->kappa[i], B = b->sigma[i], L = b->lambda[i], over_B = 1.0 / B;
        double *restrict a = b->a + (size_t)i * lanes;
        for (size_t l = 0; l < lanes; l++) {
            const double spring = K * a[l], limit = L * gamma[l];
            double fi = spring + B * v[l];
            fi = fi > limit ? limit : fi;
            fi = fi < -limit ? -limit : fi;
            a[l] += h * ((fi - spring) * over_B);
            f[l] += fi;
        }
    }
}
static NOINLINE void euler(size_t n, double h, const double *restrict rate, double *restrict x) {
    for (size_t i = 0; i < n; i++) x[i] += h * rate[i];
}

static void run_hand(void *data) {
    batch *b = data;
    for (size_t step = 0; step < EVALUATIONS / b->lanes; step++) hand_step(b);
}
static void run_batch(void *data) {
    batch *b = data;
    for (size_t step = 0; step < EVALUATIONS / b->lanes; step++) {
        dry_multistate_batch(N, b->lanes, b->kappa, b->sigma, b->lambda, b->v, b->gamma, b->a, b->f,
                             b->a_dot);
        euler(N * b->lanes, b->h, b->a_dot, b->a);
    }
}

/* ---- the catalogue ----------------------------------------------------------- */

enum { SCALAR_LANES = 64 };

typedef struct scalar {
    const dry_law *law;
    int n_states;
    double par[64], v[SCALAR_LANES], s[SCALAR_LANES][MOST_STATES], f;
} scalar;

static void scalar_begin(scalar *c, const char *name) {
    memset(c, 0, sizeof *c);
    c->law = dry_law_find(name);
    dry_law_defaults(c->law, N, c->par);
    c->n_states = dry_law_states(c->law, c->par, 1);
    for (int lane = 0; lane < SCALAR_LANES; lane++) {
        c->v[lane] = 2e-5 * sin((double)lane);
        if (c->law->start) c->law->start(c->par, 1, &c->v[lane], c->s[lane]);
    }
}
static void run_scalar(void *data) {
    scalar *c = data;
    for (int k = 0; k < EVALUATIONS; k++) {
        const int lane = k % SCALAR_LANES;
        double f, s_dot[MOST_STATES];
        c->law->eval(c->par, 1, 0.0, &c->v[lane], c->s[lane], &f, s_dot);
        for (int i = 0; i < c->n_states; i++) c->s[lane][i] += 1e-6 * s_dot[i];
        if (c->law->latch) c->law->latch(c->par, 1, &c->v[lane], c->s[lane]);
        c->f += f;
    }
}

/* ---- the table ---------------------------------------------------------------- */

static void row(table *t, const contestant *c, double lanes, int elements, const contestant *hand) {
    const double ns = c->seconds * 1e9 / EVALUATIONS;
    cell_text(t, c->name);
    cell_number(t, "%.0f", lanes);
    cell_number(t, "%.2f", ns);
    cell_number(t, "%.3f", ns / elements);
    cell_number(t, "%.2f", c->seconds / hand->seconds);
}

static void measure(table *t, size_t lanes) {
    static batch hand, library;
    static scalar multistate, gms, lugre;
    batch_begin(&hand, lanes), batch_begin(&library, lanes);
    scalar_begin(&multistate, "multistate"), scalar_begin(&gms, "gms"),
        scalar_begin(&lugre, "lugre");
    contestant all[] = {{"by hand", run_hand, &hand, 0.0},
                        {"dry_multistate_batch", run_batch, &library, 0.0},
                        {"multistate, catalogue", run_scalar, &multistate, 0.0},
                        {"gms, catalogue", run_scalar, &gms, 0.0},
                        {"lugre, catalogue", run_scalar, &lugre, 0.0}};
    for (int i = 0; i < 2; i++) all[i].run(all[i].data);
    must(memcmp(hand.a, library.a, sizeof hand.a) == 0, "batch and hand differ");
    race(all, 5, 1.0);
    for (int i = 0; i < 2; i++) row(t, &all[i], (double)lanes, N, &all[0]);
    if (lanes != SCALAR_LANES) return;
    for (int i = 2; i < 5; i++) row(t, &all[i], 1.0, i < 4 ? N : 1, &all[0]);
}

int main(int argc, char **argv) {
    static const column columns[] = {{"contestant", 22},
                                     {"lanes", -6},
                                     {"ns/evaluation", -14},
                                     {"ns/element", -11},
                                     {"ratio", -7}};
    table t = table_begin(argc, argv, columns, 5);
    measure(&t, SCALAR_LANES);
    measure(&t, MOST_LANES);
    return 0;
}
