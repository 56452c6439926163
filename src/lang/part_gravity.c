/* part_gravity: `part earth = gravity(g = ...)`. Gravity is not a part of the net, but the text
 * writes it as one.
 *
 * g: m/s^2, in the axes of the world. */
#include "lang_private.h"

#include <string.h>

static const dry_kind_param params[] = {
    {.name = "g",
     .unit = "m/s^2",
     .least = 1,
     .most = 3,
     .range = DRY_ANY,
     .standard = 9.80665,
     .meaning = "a number: downwards, along -z; or the vector of the acceleration"},
};

static const dry_kind gravity = {
    .name = "gravity",
    .title = "gravity",
    .meaning = "The acceleration that every body of the model feels. It has no ports. A point mass "
               "of one dimension feels the first number of the vector alone, and so nothing of a "
               "number g: give g = [-9.81, 0, 0] where its p points upwards, or push it.",
    .params = params,
    .n_params = 1,
};

const dry_kind *dry_lang__gravity(void) { return &gravity; }

void dry_lang__set_gravity(dry_elab *elab, const dry_stmt *stmt, const dry_value *values, int n) {
    const int count = n ? values[0].count : 0;
    double *g = elab->scene.gravity;
    if (elab->scene.gravity_at.line) {
        DRY_SAY(elab->diag, stmt->at, WIRING,
                dry_diag_text(elab->diag, "the model already has gravity, on line %d",
                              elab->scene.gravity_at.line));
        return;
    }
    elab->scene.gravity_at = stmt->at;
    if (count > 3) {
        DRY_SAY(elab->diag, stmt->at, LIST_SIZE, "g", "3",
                dry_diag_text(elab->diag, "a vector of %d", count));
        return;
    }
    for (int i = 0; count > 1 && i < count; i++) g[i] = values[0].numbers[i];
    if (count <= 1) g[2] = -(count ? values[0].numbers[0] : gravity.params[0].standard);
    dry_net_gravity(elab->scene.net, g[0], g[1], g[2]);
}

static dry_place first_part(const dry_elab *elab) {
    int i = 0;
    while (i < elab->tree.n - 1 && elab->tree.stmt[i].kind != DRY_ST_PART) i++;
    return elab->tree.stmt[i].at;
}

/* Reports nothing if other parts were lost, because there is a message already. */
bool dry_lang__is_only_gravity(dry_elab *elab) {
    const bool heavy = elab->scene.gravity_at.line > 0;
    if (dry_net_part_count(elab->scene.net) > 0) return false;
    if (!elab->diag->n_errors && !elab->tree.n_lost)
        DRY_SAY(
            elab->diag, heavy ? elab->scene.gravity_at : first_part(elab), WIRING,
            heavy ? "gravity acts on bodies, but the model has none: add a part that moves"
                  : "the model makes no part, because the last index of a loop is below its first");
    return true;
}

/* Returns true if the part feels g. A coordinate uses only as many numbers of g as it has
 * itself. */
static bool feels(const dry_part *part, const double g[3]) {
    const dry_port *port = part->ports;
    const int dim = port && port->kind == DRY_COORDINATE && part->n_ports == 1 ? port->dim : 3;
    bool some = false;
    for (int i = 0; i < dim; i++) some = some || g[i] != 0.0;
    return part->potential && some;
}

void dry_lang__check_gravity(dry_elab *elab) {
    const double *g = elab->scene.gravity;
    if (g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0) return;
    for (int i = 0; i < dry_net_part_count(elab->scene.net); i++) {
        const char *name;
        if (feels(dry_net_part_at(elab->scene.net, i, &name), g)) return;
    }
    DRY_SAY(elab->diag, elab->scene.gravity_at, GRAVITY_IDLE,
            dry_diag_text(elab->diag, "[%.6g, %.6g, %.6g]", g[0], g[1], g[2]));
}
