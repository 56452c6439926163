/* A part of your own in a net: a magnet pulls a ball that hangs on a spring. Does it snap?
 *
 *     m p'' = K (d - p) - D p' - C/p^2 + N,  0 <= p - c     p: gap between ball and magnet
 *     m = 0.1 kg, K = 200 N/m, D = 2 N s/m, d = 10 mm, end stop at c = 1 mm
 *
 * This file writes the part `magnet`: a const description and a pure function. Ball, spring,
 * damper and end stop are parts of the library. Up to C = 4/27 K d^3 there is a gap at which
 * spring and magnet balance; beyond it the ball snaps to the end stop.
 *
 * Run for 3 s by Runge-Kutta with 0.1 ms. Expected in the end: with 0.9 of that C the gap is 7.82
 * mm (the root of K (d - p) = C/p^2), with 1.1 it is 0.967 mm: 33 N press the ball 0.033 mm into
 * the end stop of 1e6 N/m. */
#include <drystone/drystone.h>

/* ---- the part ---------------------------------------------------------- */

static void pull(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    (void)x, (void)x_dot;
    out[0] = -env->par[0] / (in[0] * in[0]); /* in: p, p'; out: the force on end a */
}

static double energy(const dry_part_env *env, const double *in, const double *x) {
    (void)x;
    return -env->par[0] / in[0];
}

static const dry_part magnet = {
    .kind = "magnet",
    .side = DRY_IMPEDANCE, /* motion in, force out */
    .n_ports = 1,
    .ports = (const dry_port[]){{.name = "", .unit = "m", .dim = 1, .kind = DRY_COORDINATE}},
    .n_par = 1,
    .params = (const dry_quantity[]){{"C", "N m^2"}},
    .par = (const double[]){1e-5},
    .eval = pull,
    .energy = energy,
};

/* ---- the machine ------------------------------------------------------- */

static const double K = 200.0, d = 10e-3;

static dry_net *build(double C) {
    const dry_value ball[] = {DRY_NUMBERS("mass", 0.1), DRY_NUMBERS("p", d)};
    const dry_value spring[] = {DRY_NUMBERS("K", K), DRY_NUMBERS("rest", d)};
    const dry_value damper[] = {DRY_NUMBERS("D", 2.0)};
    const dry_value stop[] = {DRY_NUMBERS("lower", 1e-3), DRY_NUMBERS("upper", 1.0),
                              DRY_NUMBERS("K", 1e6), DRY_NUMBERS("alpha", 2.8e-3),
                              DRY_NUMBERS("beta", 4e-3)};
    dry_net *net = dry_net_new();
    dry_net_make(net, "ball", dry_kind_find("point_mass"), ball, 2);
    dry_net_make(net, "spring", dry_kind_find("spring"), spring, 2);
    dry_net_make(net, "damper", dry_kind_find("damper"), damper, 1);
    dry_net_make(net, "stop", dry_kind_find("stop"), stop, 5);
    dry_net_add(net, "magnet", &magnet);
    dry_net_set(net, "magnet.C", &C, 1);
    const char *const parts[] = {"spring", "damper", "stop", "magnet"};
    for (int i = 0; i < 4; i++) /* from the ball to the world */
        dry_net_connect(net, parts[i], (dry_end){.port = "ball"}, (dry_end){0});
    return net;
}

static dry_status show(double share) {
    const dry_sim_options options = {.run = {.until = 3.0, .record = 0.01, .step = 1e-4}};
    dry_net *net = build(share * 4.0 / 27.0 * K * d * d * d);
    const dry_system *system;
    dry_sim_result result = {0};
    dry_account account = {0};
    dry_error error;
    dry_status status = dry_net_system(net, &(dry_net_options){.account = true}, &system, &error);
    if (status == DRY_OK) status = dry_sim_run(system, &options, &result, &error);
    if (status == DRY_OK) status = dry_net_account(net, result.record, &account, &error);
    if (status == DRY_OK) {
        const int p = dry_record_find(result.record, "ball.p");
        const double gap = dry_record_at(result.record, 0, p, options.run.until);
        printf("gap with %.1f of the limit, mm: %.3f\n", share, 1e3 * gap);
        printf("lost in damper and end stop, mJ: %.3f, in the balance: %.0e\n",
               1e3 * account.dissipated, 1e3 * account.error);
    } else {
        fprintf(stderr, "own_part: %s\n", error.text);
        for (int i = 1; i < dry_net_mistake_count(net); i++)
            fprintf(stderr, "own_part: %s\n", dry_net_mistake(net, i)->text);
    }
    dry_account_free(&account);
    dry_record_free(result.record);
    dry_net_free(net);
    return status;
}

int main(void) { return show(0.9) != DRY_OK || show(1.1) != DRY_OK; }
