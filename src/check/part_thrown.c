/* part_thrown: checks whether something at the start throws a part, such as shapes that overlap or
 * joints that are torn apart.
 *
 *     u^T M u > FACTOR^2 u0^T M u0
 *
 * u, u0: accelerations with it and without it; M: inertia of the part. The kinetic energy of the
 * part with u as its velocity is u^T M u/2. */
#include "check_private.h"

#include <stdlib.h>

static const double FACTOR = 10.0;

double dry_check__strength(const dry_elab *elab, const dry_part *part, int first, const double *u) {
    static const double no_gravity[3] = {0.0};
    double *x = dry_heap_take(elab->arena, (size_t)part->n_states + 1, sizeof *x), energy = 0.0;
    const dry_part_env env = {.data = part->data,
                              .par = part->par,
                              .work = dry_heap_take(elab->arena, 1, part->work_size + 1),
                              .gravity = no_gravity};
    for (int i = 0; x && i < part->n_states; i++)
        x[i] = part->positions[i] ? elab->scene.net_x[first + i] : u[first + i];
    if (x && env.work) energy = part->energy(&env, NULL, x);
    free(x);
    free(env.work);
    return energy;
}

bool dry_check__is_thrown(const dry_elab *elab, int part, const double *u, const double *u0,
                          int *first) {
    const char *name;
    const dry_part *self = dry_net_part_at(elab->scene.net, part, &name);
    if (!self->energy || !self->positions || !self->n_states) return false;
    *first = dry_net_first_state(elab->scene.net, part);
    return dry_check__strength(elab, self, *first, u) >
           FACTOR * FACTOR * dry_check__strength(elab, self, *first, u0);
}
