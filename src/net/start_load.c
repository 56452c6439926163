/* start_load: computes the load on bodies at rest in their start pose: gravity, parts that are
 * neither joints nor contacts, such as springs and motors, and forces of equations (part.h,
 * dry_pace). Joints hold as in an impact (joint_response.c), so that a finger on a slider presses
 * along it.
 *
 *     a = M^-1 (sum of these forces), held
 *
 * a: m/s^2 (rad/s^2). A body of mass m presses with m |a|. Loads that other bodies pass on, as in a
 * stack, are not known. */
#include "net_private.h"

static bool acts(const dry_part *part) {
    return !dry_part_is_joint(part) && !dry_part_is_contact(part);
}

static void act(const dry_net__run *run) {
    const dry_net *net = run->net;
    memset(run->force, 0, (size_t)(net->sizes.n_force + net->sizes.n_wrench) * sizeof *run->force);
    for (int i = 0; i < net->wiring.n_single; i++)
        if (acts(net->wiring.impedance[i]->part)) dry_net__impede(run, &net->loops.laws[i]);
    dry_net__push_axes(run);
}

/* Computes the rates of the velocities of a body; the rates of its other states are 0. */
static void accelerate(const dry_net__run *run, int body, double *a) {
    const dry_net__packed *packed = &run->net->loops.bodies[body];
    const dry_part *part = run->net->wiring.admittance[body]->part;
    const dry_part_env env = dry_net__packed_env(run, packed, NULL);
    dry_net__sum(run, packed);
    dry_net__admit(run, &env, packed, a + packed->x);
    for (int i = 0; i < part->n_states; i++)
        if (!dry_net__is_velocity(part, i)) a[packed->x + i] = 0.0;
}

bool dry_response_load(dry_response *s, const double *pushes, double h) {
    const dry_net *net = s->net;
    const int n = net->system.n_states;
    dry_net__run run = s->run;
    double *a = s->loaded;
    run.x_dot = a;
    run.more = pushes;
    act(&run);
    for (int b = 0; b < net->wiring.n_admittance; b++) accelerate(&run, b, a);
    memset(run.total, 0, (size_t)net->sizes.n_total * sizeof *run.total);
    const bool fits = dry_net_held(net, s->rest, h, a) == DRY_OK;
    for (int i = 0; i < n; i++) s->loaded[i] = s->rest[i] + a[i];
    return fits;
}
