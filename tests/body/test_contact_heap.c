/* Many bodies in contact: nothing is missed, nothing is allocated, threads change no bit, momentum
 * and energy are accounted for, and a full list of slots is told. */
#include "unit.h"

#include "../counting.h"
#include "../listed.h"
#include "body/contact_private.h"
#include "machine.h"
#include <math.h>

static double random_number(uint32_t *seed) { /* -1 .. 1 */
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}
static void touch(machine *m, const char *name) {
    dry_net_connect(m->net, "touch", (dry_end){.port = name}, (dry_end){0});
}

/* Bodies of four kinds, R about 0.1 m, fall in disorder onto a floor. */
enum { BODIES = 260 }; /* so many that threads are used */
#define STEP 0x1p-11   /* s: sums of it are exact */

static void add_body(machine *m, int k, uint32_t *seed) {
    const double p[3] = {0.18 * (k % 4) + 0.02 * random_number(seed),
                         0.18 * (k / 4 % 4) + 0.02 * random_number(seed), 0.1 + 0.18 * (k / 16)};
    const double turn[3] = {random_number(seed), random_number(seed), random_number(seed)};
    const dry_value place[2] = {{.key = "p", .numbers = p, .count = 3},
                                {.key = "rotation", .numbers = turn, .count = 3}};
    char name[16];
    snprintf(name, sizeof name, "b%d", k);
    if (k % 4 == 0)
        MAKE(m->net, name, "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 4.0),
             place[0]);
    else if (k % 4 == 1)
        MAKE(m->net, name, "box", DRY_NUMBERS("size", 0.2, 0.15, 0.1), DRY_NUMBERS("mass", 4.0),
             place[0], place[1]);
    else if (k % 4 == 2)
        MAKE(m->net, name, "capsule", DRY_NUMBERS("radius", 0.05), DRY_NUMBERS("length", 0.1),
             DRY_NUMBERS("mass", 4.0), place[0], place[1]);
    else
        MAKE(m->net, name, "cloud",
             DRY_NUMBERS("points", 0.1, 0, 0, -0.1, 0, 0, 0, 0.1, 0, 0, -0.1, 0, 0, 0, 0.1, 0, 0,
                         -0.1),
             DRY_NUMBERS("mass", 4.0), DRY_NUMBERS("inertia", 0.02), place[0], place[1]);
    touch(m, name);
}

static void begin_heap(machine *m, int threads, double capacity) {
    uint32_t seed = 7;
    m->net = dry_net_new();
    MAKE(m->net, "touch", "contact", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 1e-4),
         DRY_NUMBERS("beta", 5e-4), DRY_NUMBERS("mu", 0.4), DRY_NUMBERS("capacity", capacity));
    dry_net_make(m->net, "floor", dry_kind_find("plane"), NULL, 0);
    touch(m, "floor");
    for (int k = 0; k < BODIES; k++) add_body(m, k, &seed);
    dry_net_gravity(m->net, 0.0, 0.0, -9.81);
    machine_begin(m, "semi-implicit", (dry_ode_options){.step = STEP},
                  &(dry_net_options){.threads = threads});
}

static uint64_t hash(const machine *m) {
    const unsigned char *bytes = (const unsigned char *)m->ode.x;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < (size_t)m->system->n_states * sizeof(double); i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

static void test_threads_change_no_bit(void **state) {
    const int threads[4] = {1, 2, 8, 1};
    uint64_t first = 0;
    (void)state;
    for (int k = 0; k < 4; k++) {
        machine m;
        begin_heap(&m, threads[k], 0.0);
        machine_go(&m, 40 * STEP);
        at_least(machine_at(&m, "touch.*")[DRY_BODY__HEAD_PAIRS], DRY_TEAM_PAYS);
        at_least((int)BODIES, (int)DRY_TEAM_PAYS);
        if (k == 0) first = hash(&m);
        assert_int_equal(hash(&m), first);
        machine_end(&m);
    }
}

/* A run that goes on from a state alone, with scratch that knows nothing, is the same run. */
static void test_all_is_in_the_state(void **state) {
    machine m, other;
    (void)state;
    begin_heap(&m, 1, 0.0);
    begin_heap(&other, 1, 0.0);
    machine_go(&m, 50 * STEP);
    assert_int_equal(dry_ode_init(&other.ode, other.system, m.ode.method, &m.ode.options, NULL,
                                  m.ode.t, m.ode.x, other.scratch, other.work),
                     DRY_OK);
    machine_go(&m, 100 * STEP);
    machine_go(&other, 100 * STEP);
    assert_int_equal(hash(&m), hash(&other));
    machine_end(&m);
    machine_end(&other);
}

static void test_no_allocation(void **state) {
    machine m;
    (void)state;
    begin_heap(&m, 1, 0.0);
    const long before = allocations;
    machine_go(&m, 80 * STEP);
    assert_int_equal(allocations, before);
    machine_end(&m);
}

static void test_full_is_told(void **state) {
    machine m;
    (void)state;
    begin_heap(&m, 1, 200.0);
    assert_int_equal(dry_ode_advance(&m.ode, 1.0), DRY_RUN_FAILED);
    assert_non_null(strstr(dry_net_watch_text(m.net, m.ode.fault.watch), "raise its capacity"));
    machine_end(&m);
}

/* Spheres fall onto a floor one after the other, until there are too many of them. */
static void begin_rain(machine *m, int threads) {
    m->net = dry_net_new();
    MAKE(m->net, "touch", "contact", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 1e-4),
         DRY_NUMBERS("beta", 5e-4), DRY_NUMBERS("capacity", 20.0));
    dry_net_make(m->net, "floor", dry_kind_find("plane"), NULL, 0);
    touch(m, "floor");
    for (int k = 0; k < BODIES; k++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        MAKE(m->net, name, "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 4.0),
             DRY_NUMBERS("p", 1.0 * k, 0.0, 0.15 + 0.01 * k));
        touch(m, name);
    }
    dry_net_gravity(m->net, 0.0, 0.0, -9.81);
    machine_begin(m, "semi-implicit", (dry_ode_options){.step = STEP},
                  &(dry_net_options){.threads = threads});
}

/* The same state, and the same way to it, whether many steps were asked for or one at a time. */
static void test_full_after_many_steps(void **state) {
    machine many, single;
    (void)state;
    begin_rain(&many, 2);
    begin_rain(&single, 1);
    assert_int_equal(dry_ode_advance(&many.ode, 1.0), DRY_RUN_FAILED);
    for (int k = 1; dry_ode_advance(&single.ode, k * STEP) == DRY_OK; k++) below(k, 2000);
    above(many.ode.t, 8 * STEP);
    equal(many.ode.t, single.ode.t);
    assert_int_equal(hash(&many), hash(&single));
    const size_t bytes = (size_t)many.system->n_states * sizeof(double);
    double *way[2] = {malloc(bytes), malloc(bytes)};
    dry_ode_dense(&many.ode, many.ode.t - 0.5 * STEP, way[0]);
    dry_ode_dense(&single.ode, many.ode.t - 0.5 * STEP, way[1]);
    assert_memory_equal(way[0], way[1], bytes);
    free(way[0]);
    free(way[1]);
    machine_end(&many);
    machine_end(&single);
}

/* ---- the search against all pairs
 * ---------------------------------------------------------------- */

enum { CLOSE = 300 };

/* Spheres at random, one ten times as large as the others, and some of one group: the pairs found
 * are those not of a group whose surfaces are nearer than the skin, no more and no less, in order.
 */
static void test_search_finds_all(void **state) {
    static double in[CLOSE * DRY_BODY__FRAME];
    static dry_shape shapes[CLOSE];
    static dry_port ports[CLOSE];
    const dry_port *frames[CLOSE];
    dry_arena *arena = dry_arena_new(0);
    const dry_kind *kind = dry_kind_find("contact");
    const dry_value values[] = {DRY_NUMBERS("K", 1.0), DRY_NUMBERS("alpha", 1.0),
                                DRY_NUMBERS("beta", 1.0), DRY_NUMBERS("skin", 0.05)};
    dry_error error;
    uint32_t seed = 3;
    (void)state;
    for (int k = 0; k < CLOSE; k++) {
        shapes[k] =
            (dry_shape){.kind = DRY_SPHERE, .size = {k == 77 ? 1.0 : 0.1}, .group = k % 5 == 0};
        ports[k] = (dry_port){.kind = DRY_FRAME, .shapes = &shapes[k], .n_shapes = 1};
        frames[k] = &ports[k];
        in[DRY_BODY__FRAME * k + DRY_BODY__Q] = 1.0;
        for (int i = 0; i < 3; i++) in[DRY_BODY__FRAME * k + i] = random_number(&seed);
    }
    const dry_part *part = kind->make(kind, arena, values, 4, &error);
    part = part->gathers->gather(part, arena, frames, CLOSE, &error);
    double *x = calloc((size_t)part->n_states, sizeof *x);
    void *work = calloc(1, part->work_size);
    const dry_part_env env = {.data = part->data, .par = part->par, .work = work};
    const dry_body__contacts *c = part->data;
    part->start(&env, in, x);
    int found = 0;
    assert_int_equal(c->n_large, 1);
    for (int i = 0; i < CLOSE; i++)
        for (int j = 0; j < i; j++) {
            const dry_body__solid_shape *a = &c->shapes[i], *b = &c->shapes[j];
            const double *p = in + DRY_BODY__FRAME * a->frame, *q = in + DRY_BODY__FRAME * b->frame;
            const double gap = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
            if (!(gap - a->radius - b->radius < 0.05)) continue;
            if (a->shape->group && b->shape->group) continue;
            equal(DRY_BODY__WORK(double, &env, pairs)[found], dry_body__pair(i, j));
            found++;
        }
    assert_int_equal(found, (int)x[DRY_BODY__HEAD_PAIRS]);
    above(found, CLOSE);
    free(x);
    free(work);
    dry_arena_free(arena);
}

/* ---- momentum and energy
 * --------------------------------------------------------------------------- */

/* Two spheres collide off centre, spinning, without gravity: momentum and angular momentum of both
 * stay, to the rounding of 10,000 steps, and energy is lost. */
static void test_collision_keeps_momentum(void **state) {
    machine m = {.net = dry_net_new()};
    double before[6], after[6], energy[2];
    (void)state;
    MAKE(m.net, "touch", "contact", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 1e-4),
         DRY_NUMBERS("beta", 5e-4), DRY_NUMBERS("mu", 0.4));
    MAKE(m.net, "a", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 1.0),
         DRY_NUMBERS("v", 1, 0, 0), DRY_NUMBERS("omega", 3, -2, 5));
    MAKE(m.net, "b", "sphere", DRY_NUMBERS("radius", 0.2), DRY_NUMBERS("mass", 3.0),
         DRY_NUMBERS("p", 0.5, 0.1, 0.05), DRY_NUMBERS("v", -1, 0.2, 0));
    touch(&m, "a");
    touch(&m, "b");
    machine_begin(&m, "rk4-tau", (dry_ode_options){.step = 1e-4}, NULL);
    for (int end = 0; end < 2; end++) {
        double *sum = end ? after : before, cross[3];
        const double mass[2] = {1.0, 3.0}, J[2] = {0.4 * 0.01, 0.4 * 3.0 * 0.04};
        memset(sum, 0, 6 * sizeof *sum);
        energy[end] = 0.0;
        for (int k = 0; k < 2; k++) {
            const double *x = machine_at(&m, k ? "b.p[1]" : "a.p[1]"), *w = x + DRY_BODY__OMEGA;
            dry_cross3(x, x + DRY_BODY__V, cross);
            for (int i = 0; i < 3; i++) {
                sum[i] += mass[k] * x[3 + i];
                sum[3 + i] += mass[k] * cross[i] + J[k] * w[i];
                energy[end] += 0.5 * mass[k] * x[3 + i] * x[3 + i] + 0.5 * J[k] * w[i] * w[i];
            }
        }
        machine_go(&m, 1.0);
    }
    all_closer(3, after, before, 1e-12);
    /* quadratic in the state: kept to the order of the method */
    for (int i = 3; i < 6; i++) closer(after[i], before[i], 1e-8);
    below(energy[1], 0.95 * energy[0]);
    machine_end(&m);
}

static double output_of(const machine *m, const double *y, const char *name) {
    for (int i = 0; i < m->system->n_outputs; i++)
        if (strcmp(m->system->outputs[i].name, name) == 0) return y[i];
    fail_msg("there is no output %s", name);
    return 0.0;
}

/* A box and a sphere fall on a box on the floor: the bodies lose what flows into the contact, to
 * the order of the method, and the contact never gives back more than it has taken. */
static void test_energy_is_accounted_for(void **state) {
    static const char *const bodies[] = {"low.kinetic",    "low.potential", "high.kinetic",
                                         "high.potential", "ball.kinetic",  "ball.potential"};
    machine m = {.net = dry_net_new()};
    double first = 0.0;
    (void)state;
    MAKE(m.net, "touch", "contact", DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 1e-3),
         DRY_NUMBERS("beta", 3e-3), DRY_NUMBERS("mu", 0.4));
    dry_net_make(m.net, "floor", dry_kind_find("plane"), NULL, 0);
    MAKE(m.net, "low", "box", DRY_NUMBERS("size", 0.5), DRY_NUMBERS("mass", 5.0),
         DRY_NUMBERS("p", 0, 0, 0.27), DRY_NUMBERS("v", 0.5, 0, 0));
    MAKE(m.net, "high", "box", DRY_NUMBERS("size", 0.4, 0.4, 0.2), DRY_NUMBERS("mass", 2.0),
         DRY_NUMBERS("p", 0.1, 0.05, 0.7), DRY_NUMBERS("rotation", 0, 0.1, 0.5));
    MAKE(m.net, "ball", "sphere", DRY_NUMBERS("radius", 0.1), DRY_NUMBERS("mass", 1.0),
         DRY_NUMBERS("p", 0.15, 0.05, 1.0), DRY_NUMBERS("omega", 0, 0, 5));
    const char *const frames[] = {"floor", "low", "high", "ball"};
    for (int i = 0; i < 4; i++) touch(&m, frames[i]);
    dry_net_gravity(m.net, 0.0, 0.0, -9.81);
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-4}, &(dry_net_options){.account = true});
    double *y = calloc((size_t)m.system->n_outputs, sizeof *y);
    for (int k = 0; k <= 20; k++) {
        machine_go(&m, 0.05 * k);
        m.system->output(&m.ode.env, m.ode.t, 0.0, m.ode.x, y);
        const double work = *machine_at(&m, "touch.work"),
                     stored = output_of(&m, y, "touch.stored");
        double sum = work;
        for (int i = 0; i < 6; i++) sum += output_of(&m, y, bodies[i]);
        if (k == 0) first = sum;
        closer(sum, first, 2e-3); /* of 5.5 J: forces jump where edges meet */
        at_least(stored, 0.0);
        at_least(work - stored, -1e-9);
    }
    free(y);
    machine_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_all_is_in_the_state),
        TEST_IF(COUNTING, test_no_allocation),
        cmocka_unit_test(test_full_is_told),
        cmocka_unit_test(test_full_after_many_steps),
        cmocka_unit_test(test_search_finds_all),
        cmocka_unit_test(test_collision_keeps_momentum),
        cmocka_unit_test(test_energy_is_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
