/* Machines of many sets, as texts of equations: stacks, a disc on points, a ladder, a capstan, a
 * train of gears, a table on four legs; and impacts that would create energy. */
#include "unit.h"

#include "texts.h"

static const double PI = 3.14159265358979323846;

/* ---- stacks on a shaken table ----------------------------------------------- */

/* Layer i carries n - i + 1 blocks; its coefficient is mu (1 + c sin(7.3 i)). */
static const char stack[] =
    "param n = %d, g = 9.81 [m/s^2], m = 1 [kg], mu = 0.3, c = %g\n"
    "state x[n] = 0 [m], v[n] = 0 [m/s]\n"
    "table = 0.4 [m/s]*sin(20*t)\n"
    "rel[i] = if i == 1 then v[1] - table else v[i] - v[i-1] for i in 1..n\n"
    "f[i] in mu*(1 + c*sin(7.3*i))*m*g*(n - i + 1)*sgn(rel[i]) for i in 1..n\n"
    "fup[i] = if i == n then 0 else f[i+1] for i in 1..n\n"
    "x' = v\n"
    "m*v[i]' = fup[i] - f[i] for i in 1..n\n"
    "run until = 1 [s], step = 1 [ms]\n";

static machine stack_begin(int n, double c) {
    char text[1000];
    snprintf(text, sizeof text, stack, n, c);
    return machine_begin(text, (dry_rigid_options){.step = 1e-3});
}

static double table(double t) { return 0.4 * sin(20.0 * t); }

/* One block on the table: it slips with mu g towards the speed of the table, which it meets and
 * passes, for the table accelerates by up to 8 m/s^2. Its speed is a broken line; the times of its
 * corners by bisection. */
static double block_position(double t_end) {
    const double a = 0.3 * 9.81;
    double t = 0.0, v = 0.0, x = 0.0, sign = 1.0;
    while (t < t_end) {
        double low = t + 1e-3, high = low;
        while (high < t_end && sign * (table(high) - (v + sign * a * (high - t))) > 0.0)
            high += 1e-3;
        for (int k = 0; k < 60; k++) {
            const double mid = 0.5 * (low + high);
            if (sign * (table(mid) - (v + sign * a * (mid - t))) > 0.0)
                low = mid;
            else
                high = mid;
        }
        const double end = high < t_end ? high : t_end, h = end - t;
        x += v * h + 0.5 * sign * a * h * h;
        v += sign * a * h;
        t = end;
        above(fabs(8.0 * cos(20.0 * t)), t < t_end ? a : -1.0); /* the table leaves it behind */
        sign = -sign;
    }
    return x;
}

static void a_stack_with_equal_layers_moves_as_one_block(void **state) {
    (void)state;
    const int sizes[] = {10, 25, 30, 300};
    for (int k = 0; k < 4; k++) {
        machine of = stack_begin(sizes[k], 0.0);
        machine_go(&of, 0.5);
        for (int i = 1; i <= sizes[k]; i++) {
            char name[20];
            snprintf(name, sizeof name, "x[%d]", i);
            near(machine_state(&of, name), block_position(0.5), 2e-6);
        }
        machine_end(&of);
    }
}

/* The forces of a step lie in their sets, and lead from one velocity to the next. */
static void check_layers(const machine *of, int n, double c, const double *before, double h) {
    const double *f = dry_rigid_forces(of->rigid);
    for (int i = 1; i <= n; i++) {
        const double level = 0.3 * (1.0 + c * sin(7.3 * i)) * 9.81 * (n - i + 1);
        char name[20];
        snprintf(name, sizeof name, "v[%d]", i);
        at_most(fabs(f[i - 1]), level * (1.0 + 1e-9));
        near(machine_state(of, name) - before[i - 1], h * ((i < n ? f[i] : 0.0) - f[i - 1]),
             1e-11 * n);
    }
}

static void a_stack_with_unequal_layers_obeys_each_of_them(void **state) {
    (void)state;
    enum { N = 60 };
    machine of = stack_begin(N, 0.5);
    double before[N];
    for (int k = 1; k <= 300; k++) {
        for (int i = 1; i <= N; i++) {
            char name[20];
            snprintf(name, sizeof name, "v[%d]", i);
            before[i - 1] = machine_state(&of, name);
        }
        machine_go(&of, 1e-3 * k);
        check_layers(&of, N, 0.5, before, 1e-3);
    }
    machine_end(&of);
}

static void a_stack_of_ten_thousand_runs(void **state) {
    (void)state;
    machine of = stack_begin(10000, 0.0);
    machine_go(&of, 0.02); /* the table leads: the stack follows with mu g; 1e-10 of its weight,
                              over the mass of a block and 20 steps */
    near(machine_state(&of, "v[1]"), 0.3 * 9.81 * 0.02, 1e-8);
    near(machine_state(&of, "v[10000]"), 0.3 * 9.81 * 0.02, 1e-8);
    machine_end(&of);
}

static void the_splitting_takes_a_thousand_layers(void **state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, stack, 1000, 0.0);
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3, .scheme = DRY_RIGID_SPLIT});
    machine_go(&of, 0.02);
    near(machine_state(&of, "v[1]"), 0.3 * 9.81 * 0.02, 1e-8);
    near(machine_state(&of, "v[1000]"), 0.3 * 9.81 * 0.02, 1e-8);
    machine_end(&of);
}

/* ---- a disc on many points ---------------------------------------------------- */

static const char disc[] =
    "param m = 1 [kg], R = 0.1 [m], J = m*R^2/2, mu = 0.2, g = 9.81 [m/s^2], nr = %d, na = %d\n"
    "state p[2] = 0 [m], v = [0.5, 0] [m/s], w = 10 [rad/s]\n"
    "param n = nr*na\n"
    "ring[k] = floor((k - 0.5)/na) + 1 for k in 1..n\n"
    "r[k] = R*sqrt((ring[k] - 0.5)/nr) for k in 1..n\n"
    "an[k] = 2*pi*(k - 0.5)/na for k in 1..n\n"
    "f[k] in mu*m*g/n*sgn([v[1] - w*r[k]*sin(an[k]), v[2] + w*r[k]*cos(an[k])]) for k in 1..n\n"
    "p' = v\n"
    "m*v' = -[sum(f[k][1] for k in 1..n), sum(f[k][2] for k in 1..n)]\n"
    "J*w' = -sum(r[k]*(cos(an[k])*f[k][2] - sin(an[k])*f[k][1]) for k in 1..n)\n"
    "run until = 0.6 [s], step = 1 [ms]\n";

/* 192 points come to rest at 0.484917 s (a second program); then 384 forces hold 3 velocities. */
static void a_disc_comes_to_rest_on_its_points(void **state) {
    (void)state;
    char text[1200];
    snprintf(text, sizeof text, disc, 8, 24);
    machine of = machine_begin(text, (dry_rigid_options){.step = 2e-3});
    machine_go(&of, 0.484917 - 0.004);
    above(hypot(machine_state(&of, "v[1]"), machine_state(&of, "v[2]")), 0.0);
    machine_go(&of, 0.484917 + 0.008);
    near(machine_state(&of, "v[1]"), 0.0, 1e-9);
    near(machine_state(&of, "v[2]"), 0.0, 1e-9);
    near(machine_state(&of, "w"), 0.0, 1e-8);
    machine_end(&of);
}

/* A disc of 1 m and 1 kg on points in rings of equal area, mu g = 1 m/s^2; @: its name. */
static void put_disc(char *text, size_t room, char name, int rings, int around, double v) {
    static const char lines[] =
        "param n@ = rings@*around@\n"
        "state v@[2] = [start@, 0], w@ = 3*start@\n"
        "r@[k] = sqrt((floor((k - 0.5)/around@) + 0.5)/rings@) for k in 1..n@\n"
        "c@[k] = r@[k]*cos(2*pi*(k - 0.5)/around@) for k in 1..n@\n"
        "s@[k] = r@[k]*sin(2*pi*(k - 0.5)/around@) for k in 1..n@\n"
        "f@[k] in 1/n@*sgn([v@[1] - w@*s@[k], v@[2] + w@*c@[k]]) for k in 1..n@\n"
        "v@' = -[sum(f@[k][1] for k in 1..n@), sum(f@[k][2] for k in 1..n@)]\n"
        "w@' = -2*sum(c@[k]*f@[k][2] - s@[k]*f@[k][1] for k in 1..n@)\n";
    char *to = text + strlen(text);
    to += snprintf(to, room, "param rings%c = %d, around%c = %d, start%c = %g\n", name, rings, name,
                   around, name, v);
    for (const char *c = lines; *c; c++) *to++ = *c == '@' ? name : *c;
    *to = 0;
}

static double speed_of(const machine *of, char name) {
    char v1[8], v2[8], w[8];
    snprintf(v1, sizeof v1, "v%c[1]", name), snprintf(v2, sizeof v2, "v%c[2]", name);
    snprintf(w, sizeof w, "w%c", name);
    return hypot(hypot(machine_state(of, v1), machine_state(of, v2)), machine_state(of, w));
}

/* 4, 16 and 64 points are down to 0.1 mm/s after 2.4905, 2.5491 and 2.5533 s (another program). The
 * last motion is even, so a line through two of its speeds meets this one. */
static void discs_on_rings_slow_down(void **state) {
    (void)state;
    static const struct {
        int rings, around;
        double stop;
    } discs[] = {{1, 4, 2.4905}, {2, 8, 2.5491}, {4, 16, 2.5533}};
    for (int i = 0; i < 3; i++) {
        char text[2000] = "";
        put_disc(text, sizeof text, 'a', discs[i].rings, discs[i].around, 1.0);
        machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
        machine_go(&of, discs[i].stop - 2e-3);
        const double before = speed_of(&of, 'a');
        machine_go(&of, discs[i].stop - 1e-3);
        const double after = speed_of(&of, 'a');
        near(discs[i].stop - 1e-3 + 1e-3 * (after - 1e-4) / (before - after), discs[i].stop, 1e-4);
        machine_end(&of);
    }
}

/* One disc rests, and any forces fit it, as the other one comes to rest. */
static void a_disc_rests_while_another_stops(void **state) {
    (void)state;
    char text[2000] = "";
    put_disc(text, sizeof text, 'a', 2, 8, 0.01);
    put_disc(text, sizeof text, 'b', 4, 16, 0.01);
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
    machine_go(&of, 0.025);
    above(speed_of(&of, 'b'), 1e-5);
    machine_go(&of, 0.027);
    near(speed_of(&of, 'a'), 0.0, 1e-12);
    near(speed_of(&of, 'b'), 0.0, 1e-12);
    machine_end(&of);
}

/* ---- a ladder ------------------------------------------------------------------ */

/* Length 2 m, 1 kg, against a wall, friction mu at both ends: it holds if tan(angle) is above
 * (1 - mu^2)/(2 mu), angle from the floor. Motions are small, so the geometry is that of the start.
 */
static const char ladder[] =
    "param a = %.17g, mu = 0.4, g = 9.81 [m/s^2], ca = cos(a), sa = sin(a)\n"
    "state x = 0 [m], y = 0 [m], q = 0 [m], vx = 0 [m/s], vy = 0 [m/s]\n"
    "state w = 0 [m/s]\n"
    "N in dio(y - ca*q)\n"
    "f in mu*N*sgn(vx + sa*w)\n"
    "W in dio(-x + sa*q)\n"
    "h in mu*W*sgn(vy + ca*w)\n"
    "x' = vx\ny' = vy\nq' = w\n"
    "1 [kg]*vx' = -W - f\n"
    "1 [kg]*vy' = N - h - 1 [kg]*g\n"
    "(1/3) [kg]*w' = -ca*N - sa*f + sa*W - ca*h\n"
    "run until = 0.2 [s], step = 1 [ms]\n";

static double ladder_speed(double angle) {
    char text[800];
    snprintf(text, sizeof text, ladder, angle);
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
    machine_go(&of, 0.1);
    const double speed = fabs(machine_state(&of, "w"));
    machine_end(&of);
    return speed;
}

static void a_ladder_holds_above_its_angle_and_slides_below(void **state) {
    (void)state;
    const double critical = atan((1.0 - 0.16) / 0.8);
    below(ladder_speed(critical + 0.01), 1e-12);
    above(ladder_speed(critical - 0.01), 1e-3);
}

/* ---- a belt on a capstan --------------------------------------------------------- */

/* n pieces on a drum, each pressed by the pull on both of its sides: it slips over the drum if the
 * pull exceeds the hold by ((1 + b)/(1 - b))^n, b = mu s/2, s the angle of a piece. Pieces can only
 * pull: the gap of link i is what is left of its length. */
static const char capstan[] =
    "param n = 100, b = %.17g, hold = 1 [N], pull = %.17g [N], m = 1e-3 [kg]\n"
    "state x[n] = 0 [m], v[n] = 0 [m/s]\n"
    "T[i] in dio(x[i] - x[i+1]) for i in 1..n-1\n"
    "left[i] = if i == 1 then hold else T[i-1] for i in 1..n\n"
    "right[i] = if i == n then pull else T[i] for i in 1..n\n"
    "f[i] in b*(left[i] + right[i])*sgn(v[i]) for i in 1..n\n"
    "x' = v\n"
    "m*v[i]' = right[i] - left[i] - f[i] for i in 1..n\n"
    "run until = 0.02 [s], step = 1 [ms]\n";

static double belt_speed(double times) {
    const double b = 0.3 * PI / 100.0 / 2.0;
    char text[800];
    snprintf(text, sizeof text, capstan, b, times * pow((1.0 + b) / (1.0 - b), 100.0));
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
    machine_go(&of, 0.01);
    const double speed = machine_state(&of, "v[50]");
    machine_end(&of);
    return speed;
}

static void a_belt_slips_when_the_pull_is_the_capstan_ratio(void **state) {
    (void)state;
    near(belt_speed(0.999), 0.0, 1e-9);
    above(belt_speed(1.001), 1e-4);
}

/* ---- a train of gears -------------------------------------------------------------- */

/* n wheels of radius 1 m and inertia J; tooth force N[i] turns wheel i + 1, and each bearing takes
 * rho times the forces on its wheel. The torque T accelerates all alike,
 *     N_i = k N_(i-1) - J a/(1 + rho),  N_0 = T, N_n = 0,  k = (1 - rho)/(1 + rho) */
static const char gears[] = "param n = 100, rho = 0.01, T = 5 [N], J = 0.02 [kg]\n"
                            "state q[n] = 0 [m], w[n] = 0 [m/s]\n"
                            "N[i] in dio(q[i+1] - q[i]) for i in 1..n-1\n"
                            "push[i] = if i == 1 then T else N[i-1] for i in 1..n\n"
                            "load[i] = if i == n then 0 else N[i] for i in 1..n\n"
                            "f[i] in rho*(push[i] + load[i])*sgn(w[i]) for i in 1..n\n"
                            "q' = w\n"
                            "J*w[i]' = push[i] - load[i] - f[i] for i in 1..n\n"
                            "run until = 0.1 [s], step = 1 [ms]\n";

static void a_train_of_gears_loses_a_part_at_each_bearing(void **state) {
    (void)state;
    const double rho = 0.01, k = (1.0 - rho) / (1.0 + rho), all = pow(k, 100.0);
    const double a = (1.0 + rho) / 0.02 * 5.0 * all * (1.0 - k) / (1.0 - all);
    machine of = machine_begin(gears, (dry_rigid_options){.step = 1e-3});
    machine_go(&of, 0.1);
    near_share(machine_state(&of, "w[1]"), 0.1 * a, 1e-8);
    near_share(machine_state(&of, "w[100]"), 0.1 * a, 1e-8);
    machine_end(&of);
}

/* ---- a table on four legs ------------------------------------------------------------ */

/* Four legs at (+-1, +-1) m carry a plate of 1 kg, with friction in the plane at each foot: twelve
 * forces on six velocities. A load of P N lies at (0.6, 0.6), and a push Q acts along x at the
 * height of the feet, with the moment mu 0.6 P that sliding feet balance, so that the table does
 * not turn: it stays if Q < mu (g + P), whichever leg carries what, and else slides with the rest.
 * Motions are small. */
static const char legs[] =
    "param mu = 0.3, g = 9.81 [m/s^2], P = 5 [N], Q = %.17g [N]\n"
    "state z = 0 [m], a = 0 [m], b = 0 [m], vz = 0 [m/s], va = 0 [m/s], vb = 0 [m/s]\n"
    "state x = 0 [m], y = 0 [m], vx = 0 [m/s], vy = 0 [m/s], w = 0 [m/s]\n"
    "sx[i] = if i < 3 then 1 else -1 for i in 1..4\n"
    "sy[i] = if i == 1 or i == 3 then 1 else -1 for i in 1..4\n"
    "N[i] in dio(z + sx[i]*a + sy[i]*b) for i in 1..4\n"
    "f[i] in mu*N[i]*sgn([vx - sy[i]*w, vy + sx[i]*w]) for i in 1..4\n"
    "z' = vz\na' = va\nb' = vb\nx' = vx\ny' = vy\n"
    "1 [kg]*vz' = sum(N[i] for i in 1..4) - 1 [kg]*g - P\n"
    "(1/3) [kg]*va' = sum(sx[i]*N[i] for i in 1..4) - 0.6*P\n"
    "(1/3) [kg]*vb' = sum(sy[i]*N[i] for i in 1..4) - 0.6*P\n"
    "1 [kg]*vx' = Q - sum(f[i][1] for i in 1..4)\n"
    "1 [kg]*vy' = -sum(f[i][2] for i in 1..4)\n"
    "(2/3) [kg]*w' = sum(sy[i]*f[i][1] - sx[i]*f[i][2] for i in 1..4) - mu*0.6*P\n"
    "run until = 0.1 [s], step = 1 [ms]\n";

/* The speed along x after 20 ms. */
static double table_speed(double push) {
    char text[1600];
    snprintf(text, sizeof text, legs, push);
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
    machine_go(&of, 0.02);
    const double *force = dry_rigid_forces(of.rigid);
    double sum = 0.0, turn = 0.0;
    for (int i = 0; i < 4; i++) {
        at_least(force[i], 0.0);
        sum += force[i];
        turn += (i < 2 ? 1.0 : -1.0) * force[i];
    }
    near(sum, 9.81 + 5.0, 1e-9);
    near(turn, 0.6 * 5.0, 1e-9);
    near(machine_state(&of, "vz"), 0.0, 1e-9);
    near(machine_state(&of, "va"), 0.0, 1e-9);
    const double speed = machine_state(&of, "vx");
    machine_end(&of);
    return speed;
}

static void a_table_on_four_legs_slides_when_its_feet_do(void **state) {
    (void)state;
    const double most = 0.3 * (9.81 + 5.0);
    near(table_speed(0.8 * most), 0.0, 1e-9);
    near(table_speed(1.2 * most), 0.2 * most * 0.02, 1e-9);
}

/* ---- impacts ----------------------------------------------------------------------- */

static const char rod[] =
    "param m = 1 [kg], L = 1 [m], J = m*L^2/12, e = %.17g, mu = %.17g, a = %.17g\n"
    "state x = 0 [m], y = L/2*sin(a) + 1e-6 [m], th = 1 [rad]*a, vx = %.17g [m/s], vy = -1 [m/s]\n"
    "state w = 0 [rad/s]\n"
    "N in dio(y - L/2*sin(th)) with restitution = e\n"
    "f in mu*N*sgn(vx + w*L/2*sin(th))\n"
    "x' = vx\ny' = vy\nth' = w\n"
    "m*vx' = -f\nm*vy' = N\n"
    "J*w' = -N*L/2*cos(th) - f*L/2*sin(th)\n"
    "run until = 0.02 [s], step = 1 [ms]\n";

static machine rod_begin(double e, double mu, double angle, double vx) {
    char text[800];
    snprintf(text, sizeof text, rod, e, mu, angle, vx);
    return machine_begin(text, (dry_rigid_options){.step = 1e-3});
}

/* Newton's law gives 0.811 J of 0.700 J (sets with friction: Kane's paradox). */
static void an_impact_that_creates_energy_is_refused(void **state) {
    (void)state;
    machine of = rod_begin(0.99, 0.385, 0.8216, 0.633);
    assert_int_equal(dry_rigid_advance(of.rigid, 0.01, &of.error), DRY_BAD_MODEL);
    const char *told = strstr(of.error.text, "would add ");
    assert_non_null(told);
    near(strtod(told + strlen("would add "), NULL), 0.811 - 0.700, 1e-3);
    machine_end(&of);
}

/* Any angle, speed and friction below 1.5, without restitution: energy never grows, the end does
 * not sink, and friction is at its limit if it slips. A fixed point on the level fails in 30 of
 * 4,000 such impacts (sets). Rods in Painleve's position are left out: N + mu N closes the gap
 * there. */
static void impacts_of_a_rod_are_all_solved(void **state) {
    (void)state;
    unsigned bits = 5u;
    for (int k = 0; k < 800; k++) {
        double random[3];
        for (int i = 0; i < 3; i++) {
            bits = bits * 1664525u + 1013904223u;
            random[i] = (double)(bits >> 8) / 16777216.0;
        }
        const double mu = 1.5 * random[0], angle = 0.05 + 1.45 * random[1];
        const double vx = 4.0 * (random[2] - 0.5), c = cos(angle);
        if (1.0 + 3.0 * c * c <= 3.0 * mu * c * sin(angle)) continue;
        machine of = rod_begin(0.0, mu, angle, vx);
        machine_go(&of, 1e-3);
        const double u = machine_state(&of, "vx"), v = machine_state(&of, "vy"),
                     w = machine_state(&of, "w"), N = v + 1.0, f = vx - u;
        const double slip = u + 0.5 * w * sin(angle), rate = v - 0.5 * w * cos(angle);
        near(rate, 0.0, 1e-8);
        at_most(fabs(f), mu * N + 1e-8);
        if (fabs(slip) > 1e-6) near(f, mu * N * (slip > 0.0 ? 1.0 : -1.0), 1e-8);
        at_most(u * u + v * v + w * w / 12.0, vx * vx + 1.0 + 1e-8);
        machine_end(&of);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_with_equal_layers_moves_as_one_block),
        cmocka_unit_test(a_stack_with_unequal_layers_obeys_each_of_them),
        cmocka_unit_test(a_stack_of_ten_thousand_runs),
        cmocka_unit_test(the_splitting_takes_a_thousand_layers),
        cmocka_unit_test(a_disc_comes_to_rest_on_its_points),
        cmocka_unit_test(discs_on_rings_slow_down),
        cmocka_unit_test(a_disc_rests_while_another_stops),
        cmocka_unit_test(a_ladder_holds_above_its_angle_and_slides_below),
        cmocka_unit_test(a_belt_slips_when_the_pull_is_the_capstan_ratio),
        cmocka_unit_test(a_train_of_gears_loses_a_part_at_each_bearing),
        cmocka_unit_test(a_table_on_four_legs_slides_when_its_feet_do),
        cmocka_unit_test(an_impact_that_creates_energy_is_refused),
        cmocka_unit_test(impacts_of_a_rod_are_all_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
