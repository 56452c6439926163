/* Psi and Phi: the power that a port's force does on the port's motion is what its two ends get,
 * for every kind of port, with lever arms and turned frames; and the motions are what geometry
 * says. */
#include "unit.h"

#include "net/net_private.h"
#include <math.h>

static const double TURN = 6.283185307179586477; /* rad */

/* Numbers in (-1, 1). */
static double draw(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static void draw_all(double *x, int n) {
    for (int i = 0; i < n; i++) x[i] = draw();
}

static void draw_quat(double q[4]) {
    draw_all(q, 4);
    dry_quat_normalise(q);
}

/* Two ends in one array of motions: a at 0, b at 16; inlets 0 and 1. */
static dry_net__end draw_end(dry_net__end_kind kind, int dim, int at, double *motion) {
    dry_net__end end = {.kind = kind, .dim = dim, .motion = at, .inlet = at / 16};
    const double identity[4] = {1.0, 0.0, 0.0, 0.0};
    draw_all(end.at, 3);
    memcpy(end.turn, identity, sizeof identity);
    draw_all(motion + at, 13);
    if (kind != DRY_NET__POINT) draw_quat(end.turn);
    if (kind == DRY_NET__FRAME) draw_quat(motion + at + 6);
    if (kind == DRY_NET__WORLD) end.inlet = -1;
    return end;
}

/* What an end gets from a wrench. */
static double power_on(const dry_net__end *end, const double *motion, const double *wrench) {
    double sum = 0.0;
    const double *m = motion + end->motion;
    if (end->kind == DRY_NET__POINT)
        for (int i = 0; i < end->dim; i++) sum += m[end->dim + i] * wrench[i];
    if (end->kind == DRY_NET__FRAME) sum = dry_dot3(m + 3, wrench) + dry_dot3(m + 10, wrench + 3);
    return sum;
}

static const dry_port ports[] = {
    {.name = "", .unit = "m", .dim = 3, .kind = DRY_COORDINATE},
    {.name = "", .unit = "", .kind = DRY_LENGTH},
    {.name = "", .unit = "", .kind = DRY_SURFACE},
    {.name = "", .unit = "", .kind = DRY_RELATIVE},
    {.name = "", .unit = "rad", .dim = 1, .kind = DRY_COORDINATE},
    {.name = "", .unit = "m", .dim = 1, .kind = DRY_COORDINATE},
};
enum { ABOUT = 4, PORTS = 6 };

/* The last two are on the axis of a hinge and of a slider. */
static dry_axis axis_of(const dry_port *port) {
    return port < ports + ABOUT ? DRY_NO_AXIS : port == ports + ABOUT ? DRY_TURNS : DRY_SLIDES;
}

/* How far z of end a may be from that of end b: the angle about them has an end where they are
 * opposite, where its rate grows without bound. */
static bool is_steep(const dry_net__link *link, const double *motion) {
    const double z[3] = {0.0, 0.0, 1.0};
    double axes[2][3], q[4];
    for (int i = 0; i < 2; i++) {
        const dry_net__end *end = i ? &link->b : &link->a;
        dry_quat_multiply(motion + end->motion + 6, end->turn, q);
        dry_quat_rotate(end->kind == DRY_NET__FRAME ? q : end->turn, z, axes[i]);
    }
    return link->axis == DRY_TURNS && dry_dot3(axes[0], axes[1]) < -0.5;
}

static bool can_be(const dry_port *port, dry_net__end_kind kind, bool is_b) {
    if (kind != DRY_NET__POINT) return true;
    if (axis_of(port)) return false;
    return port->kind != DRY_RELATIVE && (port->kind != DRY_SURFACE || !is_b);
}

static void check_power(const dry_port *port, dry_net__end_kind pa, dry_net__end_kind pb, int dim) {
    double motion[64], force[16 + 12], *in = motion + 32;
    dry_net__link link = {
        .port = port, .dim = port->dim, .axis = axis_of(port), .in = 32, .out = 0, .wrench = 16};
    memset(force, 0, sizeof force);
    link.a = draw_end(pa, dim, 0, motion);
    link.b = draw_end(pb, dim, 16, motion);
    draw_all(force, dry_port_force(port));
    if (is_steep(&link, motion)) return;
    dry_net__psi(&link, motion, in);
    dry_net__phi(&link, motion, force);
    const double taken = dry_net__power(port, in, force);
    const double given =
        power_on(&link.a, motion, force + 16) + power_on(&link.b, motion, force + 22);
    /* A few dozen products of numbers of the order of 1 to 10. */
    closer(taken, given, 1e-13);
}

static void what_the_port_takes_the_ends_give(void **state) {
    (void)state;
    const dry_net__end_kind kinds[] = {DRY_NET__WORLD, DRY_NET__POINT, DRY_NET__FRAME};
    for (int p = 0; p < PORTS; p++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                for (int turn = 0; turn < 50; turn++)
                    if (can_be(&ports[p], kinds[a], false) && can_be(&ports[p], kinds[b], true))
                        check_power(&ports[p], kinds[a], kinds[b], 3);
    for (int dim = 1; dim < 3; dim++) /* a point of fewer coordinates has a length as well */
        for (int turn = 0; turn < 50; turn++)
            check_power(&ports[1], DRY_NET__POINT, DRY_NET__FRAME, dim);
}

/* Moves a frame for a time dt with its own velocities. */
static void advance(double *m, double dt) {
    double half[4] = {0.0, 0.0, 0.0, 0.0}, q[4], rate[4];
    for (int i = 0; i < 3; i++) m[i] += dt * m[3 + i];
    dry_quat_rate(m + 6, m + 10, rate);
    for (int i = 0; i < 4; i++) half[i] = m[6 + i] + 0.5 * dt * rate[i];
    dry_quat_rate(half, m + 10, rate);
    for (int i = 0; i < 4; i++) q[i] = m[6 + i] + dt * rate[i];
    dry_quat_normalise(q);
    memcpy(m + 6, q, sizeof q);
}

/* Positions of a port a little later and a little earlier: their difference is its velocity. */
static void velocities_are_rates_of_positions(void **state) {
    (void)state;
    const double dt = 1e-5;
    for (int p = 0; p < PORTS; p++)
        for (int turn = 0; turn < 50; turn++) {
            double motion[64], before[64], after[64], in[3][12];
            dry_net__link link = {
                .port = &ports[p], .dim = ports[p].dim, .axis = axis_of(&ports[p])};
            link.a = draw_end(DRY_NET__FRAME, 3, 0, motion);
            link.b = draw_end(DRY_NET__FRAME, 3, 16, motion);
            if (is_steep(&link, motion)) continue;
            memcpy(before, motion, sizeof motion);
            memcpy(after, motion, sizeof motion);
            for (int end = 0; end < 2; end++) {
                advance(before + 16 * end, -dt);
                advance(after + 16 * end, dt);
            }
            dry_net__psi(&link, motion, in[0]);
            dry_net__psi(&link, before, in[1]);
            dry_net__psi(&link, after, in[2]);
            /* central differences: the third derivative of motions of the order of 10 */
            const int n = p == 0 || ports[p].kind == DRY_RELATIVE ? 3 : 1;
            const int v = ports[p].kind == DRY_RELATIVE ? 6 : n;
            for (int i = 0; i < n; i++) {
                const double more = in[2][i] - in[1][i]; /* an angle: up to whole turns */
                const double rate = (p == ABOUT ? remainder(more, TURN) : more) / (2.0 * dt);
                closer(rate, in[0][v + i], 1e-8);
            }
        }
}

/* End a turned against b by a known angle about a known axis of b. */
static void the_rotation_vector_is_the_angle_about_the_axis(void **state) {
    (void)state;
    for (int turn = 0; turn < 100; turn++) {
        double motion[64], in[12], axis[3];
        dry_net__link link = {.port = &ports[3]};
        link.a = draw_end(DRY_NET__FRAME, 3, 0, motion);
        link.b = draw_end(DRY_NET__WORLD, 3, 16, motion);
        const double identity[4] = {1.0, 0.0, 0.0, 0.0}, angle = 3.1 * draw();
        draw_all(axis, 3);
        const double length = dry_norm(3, axis);
        double q[4] = {cos(0.5 * angle)};
        for (int i = 0; i < 3; i++) q[1 + i] = sin(0.5 * angle) * axis[i] / length;
        dry_quat_multiply(link.b.turn, q, motion + 6);
        memcpy(link.a.turn, identity, sizeof identity);
        dry_net__psi(&link, motion, in);
        for (int i = 0; i < 3; i++) closer(in[3 + i], angle * axis[i] / length, 1e-14 * 10.0);
    }
}

/* End a turned about the common axis by a known angle, of several turns: what the frames tell of
 * it, put next to a count that is wrong by up to half a turn. */
static void the_angle_about_an_axis_is_next_to_the_count(void **state) {
    (void)state;
    for (int turn = 0; turn < 100; turn++) {
        double motion[64], in[2];
        dry_net__link link = {.port = &ports[ABOUT], .dim = 1, .axis = DRY_TURNS};
        link.a = draw_end(DRY_NET__FRAME, 3, 0, motion);
        link.b = draw_end(DRY_NET__WORLD, 3, 16, motion);
        const double identity[4] = {1.0, 0.0, 0.0, 0.0}, angle = 40.0 * draw();
        const double q[4] = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
        dry_quat_multiply(link.b.turn, q, motion + 6);
        memcpy(link.a.turn, identity, sizeof identity);
        dry_net__psi(&link, motion, in);
        closer(dry_net__turned(in[0], angle + 3.1 * draw()), angle, 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_port_takes_the_ends_give),
        cmocka_unit_test(velocities_are_rates_of_positions),
        cmocka_unit_test(the_rotation_vector_is_the_angle_about_the_axis),
        cmocka_unit_test(the_angle_about_an_axis_is_next_to_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
