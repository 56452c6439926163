/* part_thrown: whether something at the start throws a part, such as shapes that overlap and joints
 * that are torn apart.
 *
 *     u^T M u > FACTOR^2 u0^T M u0
 *
 * u, u0: accelerations with it and without; M: inertia of the part, whose kinetic energy with u as
 * its velocity is u^T M u/2. */
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

bool dry_check__is_thrown(const dry_elab *elab, const char *name, const dry_part *part,
                          const double *u, const double *u0, int *first) {
    dry_net_place place;
    dry_error error = {0};
    if (!part->energy || !part->positions || !part->n_states) return false;
    const char *state = dry_diag_text(elab->diag, "%s.%s", name, part->states[0].name);
    if (dry_net_find(elab->scene.net, state, &place, &error) != DRY_OK) return false;
    *first = place.index;
    return dry_check__strength(elab, part, place.index, u) >
           FACTOR * FACTOR * dry_check__strength(elab, part, place.index, u0);
}
