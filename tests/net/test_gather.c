/* A part that takes as many frames as are connected to it: it gets their motions, its forces act on
 * them, what it remembers is updated after steps, and what it watches is explained. */
#include "unit.h"

#include "net_test.h"
#include <pthread.h>
#include <stdio.h>

/* ---- a puck: a frame that does not turn -------------------------------- */

static const dry_port frame_port = {.name = "", .unit = "", .kind = DRY_FRAME};
static const dry_quantity puck_states[] = {{"p[1]", "m"},   {"p[2]", "m"},   {"p[3]", "m"},
                                           {"v[1]", "m/s"}, {"v[2]", "m/s"}, {"v[3]", "m/s"}};
static const bool puck_positions[] = {true, true, true, false, false, false};

static void puck_motion(const dry_part_env *env, const double *x, double *motion) {
    (void)env;
    memset(motion, 0, 13 * sizeof *motion);
    memcpy(motion, x, 6 * sizeof *motion);
    motion[6] = 1.0;
}
static void puck_eval(const dry_part_env *env, const double *in, const double *x, double *out,
                      double *x_dot) {
    (void)env, (void)out;
    memcpy(x_dot, x + 3, 3 * sizeof *x_dot);
    memcpy(x_dot + 3, in, 3 * sizeof *x_dot); /* of mass 1 */
}
static const dry_part puck = {.kind = "puck",
                              .side = DRY_ADMITTANCE,
                              .n_ports = 1,
                              .ports = &frame_port,
                              .n_states = 6,
                              .states = puck_states,
                              .positions = puck_positions,
                              .motion = puck_motion,
                              .eval = puck_eval};

/* ---- a cluster: springs from all of them to their centre --------------- */

/* States: how many steps were taken, and a number that grows with the stretch. */
enum { STEPS, SUM };
static const dry_quantity cluster_states[] = {{"steps", ""}, {"sum", "m^2 s"}};
static const char *const cluster_watches[] = {"too many steps", "the cluster has burst"};

static double centre(int count, const double *in, double c[3]) {
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        c[k] = 0.0;
        for (int i = 0; i < count; i++) c[k] += in[13 * i + k] / count;
        for (int i = 0; i < count; i++) square += pow(in[13 * i + k] - c[k], 2.0);
    }
    return square;
}
static void cluster_eval(const dry_part_env *env, const double *in, const double *x, double *out,
                         double *x_dot) {
    (void)x;
    const int count = *(const int *)env->data;
    double c[3];
    x_dot[STEPS] = 0.0;
    x_dot[SUM] = centre(count, in, c);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            out[6 * i + k] = env->par[0] * (c[k] - in[13 * i + k]);
            out[6 * i + 3 + k] = 0.0;
        }
}
static double cluster_energy(const dry_part_env *env, const double *in, const double *x) {
    (void)x;
    double c[3];
    return 0.5 * env->par[0] * centre(*(const int *)env->data, in, c);
}
static bool cluster_latch(const dry_part_env *env, const double *in, double *x) {
    (void)env;
    x[STEPS] += in[0] == in[0];
    return true;
}
static int cluster_watch(const dry_part_env *env, const double *in, const double *x) {
    double c[3];
    if (centre(*(const int *)env->data, in, c) > 1e5) return 2;
    return x[STEPS] > 500.0 ? 1 : 0;
}
static const dry_part *cluster_gather(const dry_part *self, dry_arena *arena,
                                      const dry_port *const *frames, int count, dry_error *error) {
    if (count < 2) {
        dry_error_set(error, DRY_BAD_MODEL, "a cluster has two members at least");
        return NULL;
    }
    dry_part *part = dry_arena_take(arena, sizeof *part);
    dry_port *ports = dry_arena_take(arena, (size_t)count * sizeof *ports);
    int *data = dry_arena_take(arena, sizeof *data);
    for (int i = 0; i < count; i++) ports[i] = *frames[i];
    *data = count;
    *part = *self;
    part->n_ports = count;
    part->ports = ports;
    part->data = data;
    return part;
}
static const dry_part cluster = {.kind = "cluster",
                                 .side = DRY_IMPEDANCE,
                                 .gathers = &(const dry_gathering){.gather = cluster_gather},
                                 .n_states = 2,
                                 .states = cluster_states,
                                 .n_par = 1,
                                 .params = (const dry_quantity[]){{"K", "N/m"}},
                                 .par = (const double[]){30.0},
                                 .eval = cluster_eval,
                                 .energy = cluster_energy,
                                 .latch = cluster_latch,
                                 .watches =
                                     &(const dry_part_watches){2, cluster_watches, cluster_watch}};

/* ---- the same, one frame at a time where it may ------------------------- */

/* With a team it keeps the centre alone. STEPS counts those after which a puck was high. */
static void loose_eval(const dry_part_env *env, const double *in, const double *x, double *out,
                       double *x_dot) {
    const int count = *(const int *)env->data;
    if (!env->team) {
        cluster_eval(env, in, x, out, x_dot);
        return;
    }
    x_dot[STEPS] = 0.0;
    x_dot[SUM] = centre(count, in, env->work);
    memcpy((double *)env->work + 3, in, 13 * (size_t)count * sizeof *in);
}
static void loose_forces(const dry_part_env *env, const double *x, int from, int to,
                         double *forces) {
    const double *c = env->work;
    (void)x;
    for (int k = from; k < to; k++)
        for (int i = 0; i < 3; i++) {
            forces[6 * k + i] = env->par[0] * (c[i] - c[3 + 13 * k + i]);
            forces[6 * k + 3 + i] = 0.0;
        }
}
static bool loose_moved(const dry_part_env *env, const double *in, const double *x, int k) {
    (void)env, (void)x;
    return in[13 * k + 2] > 0.1;
}
static bool loose_latch(const dry_part_env *env, const double *in, double *x) {
    bool moved = false;
    for (int k = 0; !env->calm && k < *(const int *)env->data; k++)
        moved |= loose_moved(env, in, x, k);
    x[STEPS] += moved;
    return moved;
}
static int loose_moving(const dry_part_env *env, const double *x) {
    (void)env, (void)x;
    return 1;
}
enum { MANY = 300 };
static const dry_gathering loose_gathering = {.gather = cluster_gather,
                                              .frame_forces = loose_forces,
                                              .frame_moved = loose_moved,
                                              .n_latched = 1,
                                              .n_moving = loose_moving};
static dry_part loose_cluster(void) {
    dry_part part = cluster;
    part.eval = loose_eval;
    part.gathers = &loose_gathering;
    part.latch = loose_latch;
    part.watches = NULL;
    part.work_size = (3 + 13 * MANY) * sizeof(double);
    return part;
}

static dry_net *pucks_in(const dry_part *part, int count) {
    dry_net *net = dry_net_new();
    dry_net_add(net, "cluster", part);
    for (int i = 0; i < count; i++) {
        char name[32], port[32];
        const double x[] = {0.1 * i, 0.05 * (i % 3), 0.0, 0.0, 0.2, 0.01 * i};
        snprintf(name, sizeof name, "puck[%d]", i + 1);
        snprintf(port, sizeof port, "puck[%d].p", i + 1);
        dry_net_add(net, name, &puck);
        dry_net_start(net, port, x, 6);
        dry_net_connect(net, "cluster", end_at(name), world);
    }
    return net;
}
static dry_net *pucks(int count) { return pucks_in(&cluster, count); }

static const dry_system *system_with(dry_net *net, int threads, bool account) {
    const dry_system *system;
    dry_error error = {0};
    const dry_net_options options = {.threads = threads, .account = account};
    is_ok(dry_net_system(net, &options, &system, &error), &error);
    assert_non_null(system);
    return system;
}
static const dry_system *system_of(dry_net *net, int threads) {
    return system_with(net, threads, true);
}

/* Two of them swing about their centre, which goes on. */
static void two_pucks_swing(void **state) {
    (void)state;
    dry_net *net = pucks(2);
    trial r = trial_begin(system_of(net, 1), "dop853", 1e-3);
    const double t = 0.3, w = sqrt(30.0);
    assert_int_equal(dry_ode_advance(&r.ode, t), DRY_OK);
    const double a = state_of(&r, "puck[1].p[1]"), b = state_of(&r, "puck[2].p[1]");
    closer(b - a, 0.1 * cos(w * t), 1e-9);
    closer(state_of(&r, "puck[1].p[2]") + state_of(&r, "puck[2].p[2]") - 0.05, 0.4 * t, 1e-9);
    trial_end(&r);
    dry_net_free(net);
}

static void the_march_has_the_bits_of_the_generic_loop(void **state) {
    (void)state;
    for (int threads = 1; threads < 3; threads++) {
        dry_net *net = pucks(300);
        const dry_system *system = system_of(net, threads);
        dry_system generic = *system;
        generic.march = NULL;
        trial a = trial_begin(system, "semi-implicit", 1e-3);
        trial b = trial_begin(&generic, "semi-implicit", 1e-3);
        for (int i = 1; i < 4; i++) {
            assert_int_equal(dry_ode_advance(&a.ode, 0.0207 * i), DRY_OK);
            assert_int_equal(dry_ode_advance(&b.ode, 0.0207 * i), DRY_OK);
            all_same_bits(system->n_states, a.ode.x, b.ode.x);
        }
        equal(state_of(&a, "cluster.steps"), (double)a.ode.counts.steps);
        unequal(state_of(&a, "cluster.work"), 0.0);
        trial_end(&a);
        trial_end(&b);
        dry_net_free(net);
    }
}

/* What it leaves to the loop over the bodies is done there, before the account where there is one;
 * the pucks rise above the mark one after the other, so some steps are calm and some are not. */
static void frames_may_be_left_to_the_bodies(void **state) {
    (void)state;
    const dry_part loose = loose_cluster();
    for (int kind = 0; kind < 4; kind++) {
        dry_net *net = pucks_in(&loose, MANY), *plain_net = pucks_in(&cluster, MANY);
        const dry_system *system = system_with(net, 1 + kind % 2, kind > 1);
        dry_system generic = *system;
        generic.march = NULL;
        trial a = trial_begin(system, "semi-implicit", 1e-3);
        trial b = trial_begin(&generic, "semi-implicit", 1e-3);
        trial c = trial_begin(system_with(plain_net, 1, kind > 1), "semi-implicit", 1e-3);
        for (int i = 1; i < 4; i++) {
            assert_int_equal(dry_ode_advance(&a.ode, 0.0307 * i), DRY_OK);
            assert_int_equal(dry_ode_advance(&b.ode, 0.0307 * i), DRY_OK);
            assert_int_equal(dry_ode_advance(&c.ode, 0.0307 * i), DRY_OK);
            all_same_bits(system->n_states, a.ode.x, b.ode.x);
            equal(state_of(&a, "puck[7].p[1]"), state_of(&c, "puck[7].p[1]"));
        }
        const double high = state_of(&a, "cluster.steps");
        between(high, 10.0, (double)a.ode.counts.steps - 10.0);
        trial_end(&a);
        trial_end(&b);
        trial_end(&c);
        dry_net_free(net);
        dry_net_free(plain_net);
    }
}

/* ---- the pieces of a loop ------------------------------------------------ */

/* Who did which piece of a loop of the part's own. Pieces write numbers of their own. */
enum { MOST_PIECES = 512 };
static struct {
    int pieces, blocks, loops;
    int times[MOST_PIECES];
    bool in_turn[MOST_PIECES];
    pthread_t who[MOST_PIECES];
} seen;

static void see_piece(const void *data, dry_team_piece piece) {
    const int n = *(const int *)data;
    for (int i = dry_piece_from(n, piece); i < dry_piece_to(n, piece); i++)
        seen.times[piece.index]++;
    seen.in_turn[piece.index] = piece.in_turn;
    seen.who[piece.index] = pthread_self();
}

/* Every thing once. Those in turn are the first ones of a block, and of one thread. */
static void check_pieces(int things) {
    int all = 0;
    for (int b = 0; b < seen.blocks; b++) {
        const int first = dry_piece_start(seen.pieces, b, seen.blocks);
        for (int p = first; p < dry_piece_start(seen.pieces, b + 1, seen.blocks); p++) {
            all += seen.times[p];
            if (p == first || !seen.in_turn[p]) continue;
            assert_true(seen.in_turn[p - 1]);
            assert_true(pthread_equal(seen.who[p], seen.who[p - 1]));
        }
    }
    assert_int_equal(all, things);
}

static void seeing_eval(const dry_part_env *env, const double *in, const double *x, double *out,
                        double *x_dot) {
    const int things = 3000;
    memset(seen.times, 0, sizeof seen.times);
    seen.pieces = dry_team_pieces(env->team, things);
    seen.blocks = dry_team_blocks(env->team);
    at_most(seen.pieces, MOST_PIECES);
    dry_team_run(env->team, seen.pieces, see_piece, &things);
    check_pieces(things);
    seen.loops++;
    cluster_eval(env, in, x, out, x_dot);
}

static void pieces_are_done_once_and_in_turn(void **state) {
    (void)state;
    dry_part part = cluster;
    part.eval = seeing_eval;
    part.watches = NULL;
    for (int threads = 1; threads <= 8; threads *= 2) {
        dry_net *net = pucks_in(&part, MANY);
        trial r = trial_begin(system_with(net, threads, false), "semi-implicit", 1e-3);
        seen.loops = 0;
        assert_int_equal(dry_ode_advance(&r.ode, 0.5), DRY_OK);
        at_least(seen.loops, 500);
        assert_int_equal(seen.blocks, threads);
        if (threads == 1)
            assert_int_equal(seen.pieces, 1);
        else
            above(seen.pieces, threads);
        trial_end(&r);
        dry_net_free(net);
    }
}

static void what_it_watches_is_explained(void **state) {
    (void)state;
    const char *const methods[] = {"semi-implicit", "rk4"};
    for (int i = 0; i < 2; i++) {
        dry_net *net = pucks(3);
        trial r = trial_begin(system_of(net, 1), methods[i], 1e-3);
        assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_RUN_FAILED);
        equal(state_of(&r, "cluster.steps"), 501.0);
        assert_string_equal(dry_net_watch_text(net, r.ode.fault.watch), "cluster: too many steps");
        assert_null(dry_net_watch_text(net, 0));
        assert_null(dry_net_watch_text(net, 3));
        trial_end(&r);
        dry_net_free(net);
    }
}

/* The second text, not the first. */
static void it_says_which(void **state) {
    (void)state;
    dry_net *net = pucks(3);
    const double far = 1000.0;
    dry_net_start(net, "puck[3].p", &far, 1);
    trial r = trial_begin(system_of(net, 1), "semi-implicit", 1e-3);
    assert_int_equal(dry_ode_advance(&r.ode, 1.0), DRY_RUN_FAILED);
    assert_string_equal(dry_net_watch_text(net, r.ode.fault.watch),
                        "cluster: the cluster has burst");
    trial_end(&r);
    dry_net_free(net);
}

static void mistakes(void **state) {
    (void)state;
    const dry_system *system;
    dry_error error;
    dry_net *net = pucks(1);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_string_equal(error.text, "cluster: a cluster has two members at least");
    dry_net_free(net);

    net = pucks(2);
    dry_net_add(net, "lonely", &cluster);
    dry_net_connect(net, "cluster", (dry_end){.port = "puck[1]", .at = {1.0, 0.0, 0.0}}, world);
    dry_net_connect(net, "cluster", end_at("puck[1]"), end_at("puck[2]"));
    dry_net_connect(net, "cluster", end_at("puck[7]"), world);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_int_equal(dry_net_mistake_count(net), 4);
    assert_non_null(strstr(dry_net_mistake(net, 0)->text, "without a place or axes"));
    assert_non_null(strstr(dry_net_mistake(net, 1)->text, "end b is left empty"));
    assert_non_null(strstr(dry_net_mistake(net, 2)->text, "puck[7]: there is no such part"));
    assert_non_null(strstr(dry_net_mistake(net, 3)->text, "lonely: nothing is connected"));
    dry_net_free(net);
}

/* To each of two parts once, and to one of them again. */
static void a_frame_is_connected_once(void **state) {
    (void)state;
    const dry_system *system;
    dry_error error;
    dry_net *net = pucks(2);
    dry_net_add(net, "other", &cluster);
    dry_net_connect(net, "other", end_at("puck[1]"), world);
    dry_net_connect(net, "other", end_at("puck[2]"), world);
    dry_net_connect(net, "cluster", end_at("puck[1]"), world);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_int_equal(dry_net_mistake_count(net), 1);
    assert_non_null(strstr(error.text, "cluster: end a, puck[1], is connected to it already"));
    dry_net_free(net);
}

/* Where some states change in latch alone they say what the others mean. */
static void such_a_part_chooses_its_start(void **state) {
    (void)state;
    const dry_system *system;
    dry_error error;
    const double x = 7.0;
    const dry_part loose = loose_cluster();
    dry_net *net = pucks_in(&loose, 3), *plain = pucks(3);
    dry_net_start(net, "cluster.steps", &x, 1);
    dry_net_start(plain, "cluster.steps", &x, 1);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "cluster.steps: a cluster chooses the start"));
    is_ok(dry_net_system(plain, NULL, &system, &error), &error);
    dry_net_free(net);
    dry_net_free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_pucks_swing),
        cmocka_unit_test(the_march_has_the_bits_of_the_generic_loop),
        cmocka_unit_test(frames_may_be_left_to_the_bodies),
        cmocka_unit_test(pieces_are_done_once_and_in_turn),
        cmocka_unit_test(what_it_watches_is_explained),
        cmocka_unit_test(it_says_which),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(a_frame_is_connected_once),
        cmocka_unit_test(such_a_part_chooses_its_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
