/* Kinds: every law of the catalogue as a part gives the law's own numbers in all of its dimensions;
 * the other kinds give the forces that their equations say; quantities are found by name. */
#include "unit.h"

#include "net_test.h"

static const dry_system *system_of(dry_net *net) {
    const dry_system *system;
    dry_error error = {0};
    is_ok(dry_net_system(net, NULL, &system, &error), &error);
    assert_non_null(system);
    return system;
}

static double found(dry_net *net, const dry_env *env, const double *x, const char *name) {
    dry_net_found place;
    dry_error error;
    is_ok(dry_net_find(net, name, &place, &error), &error);
    assert_int_equal(place.count, 1);
    return *dry_net_read(env, x, place);
}

/* ---- laws -------------------------------------------------------------- */

static const char *kind_name(const dry_law *law) {
    return strcmp(law->name, "contact") == 0 ? "unilateral" : law->name;
}

/* What the law itself gives for a motion, against the part: a point at p with velocity v. */
static void check_law(const dry_law *law, int dim, bool surface, const char *kind) {
    const double p[3] = {0.02, -0.01, -0.003}, v[3] = {0.05, 0.02, -0.1}, dims = dim;
    const bool friction = law->kind == DRY_FRICTION;
    const double offset = friction ? 0.0 : 0.021;
    const bool rotary = strncmp(kind, "rotary", 6) == 0;
    dry_net *net = dry_net_new();
    if (rotary)
        add_part(net, "ball", "rotor", DRY_NUMBERS("inertia", 1.0), DRY_NUMBERS("p", p[0]),
                 DRY_NUMBERS("v", v[0]));
    else
        dry_net_make(net, "ball", kind_of("point_mass"),
                     (const dry_value[]){DRY_NUMBERS("mass", 1.0),
                                         {"p", NULL, p, surface ? 3 : dim, 0, 0},
                                         {"v", NULL, v, surface ? 3 : dim, 0, 0}},
                     3);
    const dry_value said[] = {surface    ? (dry_value)DRY_WORD("on", "surface")
                              : friction ? (dry_value){"dim", NULL, &dims, 1, 0, 0}
                                         : (dry_value)DRY_WORD("on", "coordinate"),
                              {"offset", NULL, &offset, 1, 0, 0}};
    if (rotary || law->kind == DRY_FRICTIONAL_CONTACT || (friction && law->max_dim == 1))
        dry_net_make(net, "law", kind_of(kind), said + 1, friction ? 0 : 1);
    else
        dry_net_make(net, "law", kind_of(kind), said, friction ? 1 : 2);
    dry_net_connect(net, "law", end_at("ball"), world);
    const dry_system *system = system_of(net);
    trial r = trial_begin(system, "rk4-tau", 1e-3);

    const double gap = (surface ? p[2] : p[0]) - offset, rate = surface ? v[2] : v[0];
    const double along[] = {v[0], v[1], v[2]}, u[] = {gap, rate, v[0], v[1]};
    const int law_dim = surface ? 2 : dim;
    double par[200], s[64] = {0}, f[8] = {0}, s_dot[64];
    int elements = 1;
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_COUNT) elements = (int)law->params[i].standard;
    dry_law_defaults(law, elements, par);
    if (law->start) law->start(par, law_dim, friction ? along : u, s);
    law->eval(par, law_dim, 2e-3, friction ? along : u, s, f, s_dot);

    double *x_dot = malloc((size_t)system->n_states * sizeof *x_dot);
    dry_net_forces(&r.ode.env, 0.0, 2e-3, r.ode.x);
    dry_net_rates(&r.ode.env, 0.0, 2e-3, r.ode.x, NULL, x_dot);
    const int first = rotary ? 2 : 2 * (surface ? 3 : dim), n = dry_law_states(law, par, law_dim);
    assert_int_equal(system->n_states, first + n);
    if (n > 0) all_equal(n, x_dot + first, s_dot); /* some laws have no states */
    const double N = friction ? 0.0 : f[0], *drag = friction ? f : f + 1;
    for (int i = 0; i < (surface ? 3 : dim); i++) {
        double force = friction || i < 2 ? -drag[i] : 0.0;
        if (!friction && law->kind == DRY_CONTACT) force = 0.0;
        if (!friction && i == (surface ? 2 : 0)) force += N;
        equal(x_dot[first / 2 + i], force); /* the mass is 1 */
    }
    if (system->n_kinks > 0) {
        double g[64], expected[64];
        system->kinks(&r.ode.env, 0.0, r.ode.x, g);
        law->kinks(par, law_dim, 0.0, friction ? along : u, s, expected);
        all_equal(system->n_kinks, g, expected);
    }
    free(x_dot);
    trial_end(&r);
    dry_net_free(net);
}

static void every_law_is_a_part(void **state) {
    (void)state;
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        char twin[64];
        if (strcmp(law->name, "play") == 0) continue; /* backlash_is_the_law_play */
        strcat(strcpy(twin, "rotary_"), kind_name(law));
        if (law->kind == DRY_FRICTION)
            for (int dim = 1; dim <= law->max_dim && dim <= (law->spins ? 2 : 3); dim++)
                check_law(law, dim, false, law->name);
        if (law->kind == DRY_CONTACT) check_law(law, 1, false, kind_name(law));
        if (law->kind != DRY_FRICTION) check_law(law, 3, true, kind_name(law));
        if (law->kind != DRY_FRICTIONAL_CONTACT) check_law(law, 1, false, twin);
    }
}

/* An area on a frame: v and R omega of the body, seen from the world, are the input of the law, and
 * its force turns the body about z by R times the third number. */
static void an_area_acts_on_a_frame(void **state) {
    (void)state;
    const double R = 0.3, v[3] = {0.05, 0.02, 0.4}, spin[3] = {0.7, 0.2, 0.9};
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        if (!law->spins) continue;
        dry_net *net = dry_net_new();
        add_part(net, "mover", "point_mass", DRY_NUMBERS("mass", 1.0));
        add_part(net, "body", "moving_frame", {"v", NULL, v, 3, 0, 0},
                 {"omega", NULL, spin, 3, 0, 0});
        add_part(net, "law", law->name, DRY_WORD("on", "frame"), DRY_NUMBERS("radius", R));
        dry_net_connect(net, "law", end_at("body"), world);
        trial r = trial_begin(system_of(net), "rk4-tau", 1e-3);
        double par[64], s[64] = {0}, f[3], s_dot[64];
        dry_law_defaults(law, 16, par);
        law->eval(par, 3, 2e-3, (const double[]){v[0], v[1], R * spin[2]}, s, f, s_dot);
        dry_net_forces(&r.ode.env, 0.0, 2e-3, r.ode.x);
        near(found(net, &r.ode.env, r.ode.x, "law.f[1]"), -f[0], 1e-15);
        near(found(net, &r.ode.env, r.ode.x, "law.f[2]"), -f[1], 1e-15);
        equal(found(net, &r.ode.env, r.ode.x, "law.f[3]"), 0.0);
        near(found(net, &r.ode.env, r.ode.x, "law.m[3]"), -R * f[2], 1e-15);
        equal(found(net, &r.ode.env, r.ode.x, "law.m[1]"), 0.0);
        above(fabs(f[2]), 0.01);
        trial_end(&r);
        dry_net_free(net);
    }
}

/* ---- the others -------------------------------------------------------- */

/* The force of a part on a point mass at p with velocity v. */
static double force_at(const char *kind, const dry_value *values, int count, double p, double v) {
    dry_net *net = dry_net_new();
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 1.0), {"p", NULL, &p, 1, 0, 0},
             {"v", NULL, &v, 1, 0, 0});
    dry_net_make(net, "part", kind_of(kind), values, count);
    dry_net_connect(net, "part", end_at("ball"), world);
    trial r = trial_begin(system_of(net), "rk4", 1e-3);
    dry_net_forces(&r.ode.env, 0.25, 0.0, r.ode.x);
    const double f = found(net, &r.ode.env, r.ode.x, "part.f");
    trial_end(&r);
    dry_net_free(net);
    return f;
}
#define FORCE(kind, p, v, ...)                                                                     \
    force_at(kind, (const dry_value[]){__VA_ARGS__},                                               \
             (int)(sizeof((const dry_value[]){__VA_ARGS__}) / sizeof(dry_value)), p, v)

static void forces_are_what_the_equations_say(void **state) {
    (void)state;
    const double close = 1e-14;
    equal(FORCE("spring", 0.5, 0.0, DRY_NUMBERS("K", 8.0), DRY_NUMBERS("rest", 0.25)), -2.0);
    closer(FORCE("spring", -0.5, 0.0, DRY_NUMBERS("K", 8.0), DRY_NUMBERS("K3", 16.0)), 4.0 + 2.0,
           close);
    /* K s |s/scale|^(3/2 - 1) = 8 * 0.5 * sqrt(0.5/0.125) */
    closer(FORCE("spring", 0.5, 0.0, DRY_NUMBERS("K", 8.0), DRY_NUMBERS("exponent", 1.5),
                 DRY_NUMBERS("scale", 0.125)),
           -8.0, close);
    const dry_value table[] = {DRY_NUMBERS("at", -1.0, 0.0, 1.0),
                               DRY_NUMBERS("force", -4.0, 0.0, 1.0)};
    closer(force_at("spring", table, 2, -0.5, 0.0), 2.0, close);
    closer(force_at("spring", table, 2, 0.5, 0.0), -0.5, close);
    closer(force_at("spring", table, 2, 2.0, 0.0), -2.0, close); /* it goes on */
    equal(FORCE("damper", 0.0, 3.0, DRY_NUMBERS("D", 2.0)), -6.0);
    closer(FORCE("motor", 0.0, 0.0, DRY_NUMBERS("force", 1.0), DRY_NUMBERS("amplitude", 2.0),
                 DRY_NUMBERS("w", 2.0)),
           1.0 + 2.0 * sin(0.5), close);
    equal(FORCE("motor", 0.0, 0.0, DRY_NUMBERS("force", 1.0), DRY_NUMBERS("from", 0.5)), 0.0);
    equal(FORCE("motor", 0.0, 0.0, DRY_NUMBERS("force", 1.0), DRY_NUMBERS("until", 0.25)), 0.0);
}

/* Without damping a spring beyond the gap; with it the flank is relaxed at the start. */
static void backlash_presses_beyond_its_gap(void **state) {
    (void)state;
    const double D[] = {0.0, 1.0};
    for (int damped = 0; damped < 2; damped++) {
        const dry_value slack[] = {
            DRY_NUMBERS("K", 10.0), DRY_NUMBERS("gap", 0.5), {"D", NULL, &D[damped], 1, 0, 0}};
        equal(force_at("backlash", slack, 3, 0.25, 1.0), 0.0);
        closer(force_at("backlash", slack, 3, 0.75, 1.0), -5.0, 1e-14);
        closer(force_at("backlash", slack, 3, -0.75, 9.0), 5.0, 1e-14);
    }
}

/* Power in less the growth of the energy is c1 e_dot^2, c1 = K (beta - alpha), at random points of
 * the motion and of the state; the flanks press only, and the force has no jump. */
static void backlash_is_passive_and_continuous(void **state) {
    (void)state;
    const double K = 10.0, alpha = 0.1, beta = 0.3, half = 0.25, h = 1e-8;
    const dry_value values[] = {DRY_NUMBERS("K", 10.0), DRY_NUMBERS("gap", 0.5),
                                DRY_NUMBERS("alpha", 0.1), DRY_NUMBERS("beta", 0.3)};
    dry_error error;
    dry_arena *arena = dry_arena_new(0);
    const dry_kind *kind = kind_of("backlash");
    const dry_part *part = kind->make(kind, arena, values, 4, &error);
    assert_non_null(part);
    int pressed = 0;
    for (int i = 0; i < 4000; i++) {
        const dry_part_env env = {.data = part->data, .par = part->par, .tau = i % 2 ? 0.0 : 0.02};
        const double in[2] = {sin(1.7 * i), 3.0 * cos(0.9 * i)}, x[1] = {0.7 * sin(2.3 * i)};
        double f, rate[1], near_f, near_rate[1];
        part->eval(&env, in, x, &f, rate);
        const double next[2] = {in[0] + h * in[1], in[1]}, moved[1] = {x[0] + h * rate[0]};
        const double growth = (part->energy(&env, next, moved) - part->energy(&env, in, x)) / h;
        const double lost = K * (beta - alpha) * rate[0] * rate[0];
        closer(-f * in[1] - growth, lost, 1e-4);
        const double y = in[0] - x[0] * (beta - alpha) / (beta + env.tau);
        at_most(f * y, 0.0);
        assert_int_equal(f == 0.0, fabs(y) <= half);
        pressed += f != 0.0;
        part->eval(&env, next, moved, &near_f, near_rate);
        near(near_f, f, 3.0 * K * 20.0 * h); /* |dy| <= 20 h, K beta/alpha */
    }
    between(pressed, 1000, 3500);
    dry_arena_free(arena);
}

/* The part that stands for a law has its force, rate, energy and switching functions, to the last
 * bit, at random points of the motion and of the state. */
static void backlash_is_the_law_play(void **state) {
    (void)state;
    const dry_law *law = dry_law_find("play");
    const double par[] = {10.0, 0.1, 0.3, 0.25};
    const dry_value values[] = {DRY_NUMBERS("K", par[0]), DRY_NUMBERS("alpha", par[1]),
                                DRY_NUMBERS("beta", par[2]), DRY_NUMBERS("gap", 2.0 * par[3]),
                                DRY_NUMBERS("rest", 0.05)};
    dry_error error;
    dry_arena *arena = dry_arena_new(0);
    const dry_kind *kind = kind_of(law->part);
    const dry_part *part = kind->make(kind, arena, values, 5, &error);
    assert_non_null(part);
    for (int i = 0; i < dry_net_kind_count(); i++) /* no second part for the same law */
        assert_string_not_equal(dry_net_kind_at(i)->name, law->name);
    int closed = 0;
    for (int i = 0; i < 4000; i++) {
        const double tau = i % 2 ? 0.0 : 0.02;
        const dry_part_env env = {.data = part->data, .par = part->par, .tau = tau};
        const double in[2] = {sin(1.7 * i), 3.0 * cos(0.9 * i)}, x[1] = {0.7 * sin(2.3 * i)};
        const double u[2] = {in[0] - 0.05, in[1]};
        double f, N, rate[1], e_dot[1], g[2], of_law[2];
        part->eval(&env, in, x, &f, rate);
        law->eval(par, 0, tau, u, x, &N, e_dot);
        equal(f, N);
        equal(rate[0], e_dot[0]);
        closer(part->energy(&env, in, x), law->energy(par, 0, tau, u, x), 1e-14);
        part->kinks(&env, in, x, g);
        law->kinks(par, 0, tau, u, x, of_law);
        all_equal(2, g, of_law);
        assert_int_equal(part->phase(&env, in, x, &f), law->phase(par, 0, tau, u, x));
        closed += f != 0.0;
    }
    between(closed, 1000, 3500);
    dry_arena_free(arena);
}

static void backlash_refuses_what_it_could_not_use(void **state) {
    (void)state;
    const struct {
        double D, alpha, beta;
        const char *words;
    } rows[] = {{1.0, 0.1, 0.3, "D is K (beta - alpha)"},
                {0.0, 0.1, 0.0, "belong together"},
                {0.0, 0.3, 0.1, "alpha is larger than beta"}};
    for (int i = 0; i < 3; i++) {
        dry_value values[5] = {DRY_NUMBERS("K", 10.0), DRY_NUMBERS("gap", 0.5)};
        int count = 2;
        if (rows[i].D > 0.0) values[count++] = (dry_value){"D", NULL, &rows[i].D, 1, 0, 0};
        values[count++] = (dry_value){"alpha", NULL, &rows[i].alpha, 1, 0, 0};
        if (rows[i].beta > 0.0) values[count++] = (dry_value){"beta", NULL, &rows[i].beta, 1, 0, 0};
        dry_error error = {0};
        dry_arena *arena = dry_arena_new(0);
        const dry_kind *kind = kind_of("backlash");
        assert_null(kind->make(kind, arena, values, count, &error));
        assert_non_null(strstr(error.text, rows[i].words));
        dry_arena_free(arena);
    }
}

/* The force of a part with an energy is minus the derivative of the energy. */
static void energies_are_those_of_the_forces(void **state) {
    (void)state;
    const dry_value table[] = {DRY_NUMBERS("at", -1.0, 0.0, 1.0),
                               DRY_NUMBERS("force", -4.0, 0.0, 1.0)};
    const dry_value hard[] = {DRY_NUMBERS("K", 8.0), DRY_NUMBERS("K3", 5.0),
                              DRY_NUMBERS("exponent", 1.5), DRY_NUMBERS("scale", 0.3)};
    const dry_value slack[] = {DRY_NUMBERS("K", 10.0), DRY_NUMBERS("gap", 0.5)};
    const struct {
        const char *kind;
        const dry_value *values;
        int count;
    } rows[] = {{"spring", table, 2}, {"spring", hard, 4}, {"backlash", slack, 2}};
    const double places[] = {-1.3, -0.6, -0.1, 0.2, 0.7, 1.4}, h = 1e-5;
    for (int r = 0; r < 3; r++) {
        dry_error error;
        dry_arena *arena = dry_arena_new(0);
        const dry_kind *kind = kind_of(rows[r].kind);
        const dry_part *part = kind->make(kind, arena, rows[r].values, rows[r].count, &error);
        const dry_part_env env = {.data = part->data, .par = part->par};
        for (int i = 0; i < 6; i++) {
            const double before[2] = {places[i] - h, 0.0}, after[2] = {places[i] + h, 0.0};
            const double x[1] = {0.0}; /* of a backlash, which does not need it without damping */
            const double slope =
                (part->energy(&env, after, x) - part->energy(&env, before, x)) / (2.0 * h);
            double f, x_dot[1];
            part->eval(&env, (const double[]){places[i], 0.0}, x, &f, x_dot);
            closer(slope, -f, 1e-8); /* h^2 times third derivatives of the order of 10 */
        }
        dry_arena_free(arena);
    }
}

/* p and v of a prescribed frame are those of the equation, and v is the rate of p. */
static void a_frame_moves_as_it_is_told(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "hand", "moving_frame", DRY_NUMBERS("p", 1.0, 2.0, 3.0),
             DRY_NUMBERS("v", 0.5, 0.0, 0.0), DRY_NUMBERS("a", 0.0, 0.2, 0.0),
             DRY_NUMBERS("amplitude", 0.0, 0.0, 0.1), DRY_NUMBERS("w", 3.0),
             DRY_NUMBERS("phase", 0.4), DRY_NUMBERS("omega", 0.0, 0.0, 2.0));
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 1.0));
    const dry_system *system = system_of(net);
    trial r = trial_begin(system, "rk4", 1e-3);
    const double t = 0.7;
    dry_net_forces(&r.ode.env, t, 0.0, r.ode.x);
    const struct {
        const char *name;
        double value;
    } rows[] = {{"hand.p[1]", 1.0 + 0.5 * t},
                {"hand.p[2]", 2.0 + 0.1 * t * t},
                {"hand.p[3]", 3.0 + 0.1 * sin(3.0 * t + 0.4)},
                {"hand.v[1]", 0.5},
                {"hand.v[2]", 0.2 * t},
                {"hand.v[3]", 0.3 * cos(3.0 * t + 0.4)},
                {"hand.q[1]", cos(t)},
                {"hand.q[4]", sin(t)},
                {"hand.omega[3]", 2.0}};
    for (int i = 0; i < 9; i++)
        closer(found(net, &r.ode.env, r.ode.x, rows[i].name), rows[i].value, 1e-14);
    trial_end(&r);
    dry_net_free(net);
}

/* ---- names ------------------------------------------------------------- */

static void quantities_are_found_by_name(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "ball[2]", "point_mass", DRY_NUMBERS("mass", 2.0),
             DRY_NUMBERS("p", 0.3, 0.0, 0.4));
    add_part(net, "wheel", "rotor", DRY_NUMBERS("inertia", 1.0));
    add_part(net, "rod", "spring", DRY_NUMBERS("K", 10.0), DRY_NUMBERS("rest", 0.1),
             DRY_WORD("on", "length"));
    add_part(net, "rub", "coulomb", DRY_NUMBERS("dim", 3.0));
    dry_net_connect(net, "rod", end_at("ball[2]"), world);
    dry_net_connect(net, "rub", end_at("ball[2]"), world);
    const dry_system *system = system_of(net);
    trial r = trial_begin(system, "rk4", 1e-3);
    dry_net_forces(&r.ode.env, 0.0, 0.0, r.ode.x);
    dry_net_found place;
    dry_error error;
    is_ok(dry_net_find(net, "ball[2].p", &place, &error), &error);
    assert_int_equal(place.where, DRY_IN_STATE);
    assert_int_equal(place.count, 3);
    assert_string_equal(place.unit, "m");
    equal(dry_net_read(&r.ode.env, r.ode.x, place)[2], 0.4);
    closer(found(net, &r.ode.env, r.ode.x, "rod.l"), 0.5, 1e-15);
    closer(found(net, &r.ode.env, r.ode.x, "rod.f"), -4.0, 1e-14);
    is_ok(dry_net_find(net, "rub.f", &place, &error), &error);
    assert_int_equal(place.count, 3);
    assert_int_equal(dry_net_find(net, "rub.a[4]", &place, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_net_find(net, "bell.p", &place, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_net_find(net, "rub.v[4]", &place, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_net_state_side(net, 5), DRY_ADMITTANCE);
    assert_int_equal(dry_net_state_side(net, 8), DRY_IMPEDANCE);

    /* forces from outside */
    const int f = dry_net_force_find(net, "ball[2].f"), m = dry_net_force_find(net, "wheel.f");
    assert_int_equal(dry_net_force_count(net), 4);
    assert_int_equal(dry_net_force_find(net, "ball[2].f[2]"), f + 1);
    assert_int_equal(dry_net_force_find(net, "ball[2].m"), -1);
    assert_int_equal(dry_net_force_find(net, "rod.f"), -1);
    double more[4] = {0.0}, x_dot[16], alone[16];
    more[f + 1] = 5.0;
    more[m] = 7.0;
    dry_net_rates(&r.ode.env, 0.0, 0.0, r.ode.x, more, x_dot);
    system->rate(&r.ode.env, 0.0, 0.0, r.ode.x, alone);
    for (int i = 0; i < system->n_states; i++) {
        const double added = strcmp(system->states[i].name, "ball[2].v[2]") == 0 ? 2.5
                             : strcmp(system->states[i].name, "wheel.v") == 0    ? 7.0
                                                                                 : 0.0;
        closer(x_dot[i] - alone[i], added, 1e-14);
    }
    at_least(index_of(system->outputs, system->n_outputs, "rod.f"), 0);
    at_least(index_of(system->outputs, system->n_outputs, "rub.f[3]"), 0);
    at_least(index_of(system->params, system->n_par, "ball[2].mass"), 0);
    trial_end(&r);
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_is_a_part),
        cmocka_unit_test(an_area_acts_on_a_frame),
        cmocka_unit_test(forces_are_what_the_equations_say),
        cmocka_unit_test(backlash_presses_beyond_its_gap),
        cmocka_unit_test(backlash_is_passive_and_continuous),
        cmocka_unit_test(backlash_is_the_law_play),
        cmocka_unit_test(backlash_refuses_what_it_could_not_use),
        cmocka_unit_test(energies_are_those_of_the_forces),
        cmocka_unit_test(a_frame_moves_as_it_is_told),
        cmocka_unit_test(quantities_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
