/* part_soft: contacts whose K was chosen, for the lightest body and the step, and that give way too
 * far under the weight of a heavy one, or under what equations push at the start: it would go
 * through what it lies on.
 *
 *     depth = (m g + |f|)/(n K) > SHARE of the thinnest shape
 *
 * m: mass of the body that is loaded most, kg; f: what pushes it, N; n: points it lies on; depth:
 * m. */
#include "model.h"

#include <drystone/body.h>
#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE = 0.25;

typedef struct load {
    const char *name; /* of the body that presses most */
    double force;     /* on one point, N */
    double thinnest;  /* of all shapes: half of it */
} load;

/* NAN: it has none. */
static double mass_of(const dry_part *part) {
    for (int i = 0; i < part->n_par; i++)
        if (!strcmp(part->params[i].name, "mass")) return part->par[i];
    return (double)NAN;
}

/* Points that it lies on, and half its thickness. */
static int points_of(const dry_shape *shape, double *half) {
    *half = shape->size[0];
    if (shape->kind == DRY_BOX) *half = fmin(fmin(*half, shape->size[1]), shape->size[2]);
    if (shape->kind == DRY_CYLINDER) *half = fmin(*half, shape->size[1]);
    return shape->kind == DRY_BOX                                      ? 4
           : shape->kind == DRY_CAPSULE || shape->kind == DRY_CYLINDER ? 2
                                                                       : 1;
}

/* What equations push a body with, N. */
static double push_on(const dry_elab *elab, const char *name, const double *pushes) {
    const int at = dry_net_force_find(elab->net, dry_lang__text(elab->report, "%s.f", name));
    return at < 0 ? 0.0 : dry_norm(3, pushes + at);
}

static void add_body(load *l, const dry_elab *elab, const dry_part *part, const char *name,
                     const double *pushes) {
    const dry_port *port = part->ports;
    const double mass = part->side == DRY_ADMITTANCE ? mass_of(part) : (double)NAN;
    if (isnan(mass) || part->n_ports < 1 || port->n_shapes < 1) return;
    const double force = mass * dry_norm(3, elab->gravity) + push_on(elab, name, pushes);
    for (int i = 0; i < port->n_shapes; i++) {
        double half;
        const int points = points_of(&port->shapes[i], &half);
        if (port->shapes[i].kind == DRY_PLANE || port->shapes[i].kind == DRY_CLOUD) continue;
        l->thinnest = fmin(l->thinnest, half);
        if (force / points > l->force) *l = (load){name, force / points, l->thinnest};
    }
}

static bool is_stiffness(const char *name, const char *part) {
    const size_t n = strlen(part);
    return !strncmp(name, part, n) && !strcmp(name + n, ".K");
}

/* K of a contact of shapes, where it was chosen; else NAN. */
static double chosen_stiffness(const dry_model *model, const char *part) {
    for (int i = dry_model_next_chosen(model, 0); i >= 0; i = dry_model_next_chosen(model, i + 1))
        if (is_stiffness(model->system.params[i].name, part)) return model->system.par[i];
    return (double)NAN;
}

void dry_lang__check_softness(dry_model *model) {
    dry_elab *elab = &model->elab;
    load l = {.thinnest = (double)INFINITY};
    double *pushes =
        dry_heap_take(elab->arena, (size_t)dry_net_force_count(elab->net) + 1, sizeof *pushes);
    const char *name;
    if (!pushes || !dry_lang__add_pushes(elab, pushes)) {
        free(pushes);
        return;
    }
    for (int i = 0; i < dry_net_part_count(elab->net); i++) {
        const dry_part *part = dry_net_part_at(elab->net, i, &name);
        add_body(&l, elab, part, name, pushes);
    }
    free(pushes);
    for (int i = 0; l.force > 0.0 && i < dry_net_part_count(elab->net); i++) {
        const dry_part *part = dry_net_part_at(elab->net, i, &name);
        const double K = part->frame_moved ? chosen_stiffness(model, name) : NAN;
        const double depth = l.force / K;
        if (!(depth > SHARE * l.thinnest)) continue;
        DRY_SAY(&model->report, dry_lang__run_place(elab), SOFT_CONTACT, name,
                dry_lang__number(&model->report, K), l.name,
                dry_lang__text(&model->report, "%.3g", depth),
                dry_lang__text(&model->report, "%.3g", 2.0 * l.thinnest));
    }
}
