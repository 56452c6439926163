/* part_idle: reports connections that do nothing: a frame without a shape connected to a contact,
 * or two points in one place connected to a law on their distance. */
#include "check_private.h"

/* Reports one frame for each statement. The frames of a contact are in the order in which the text
 * connects them. */
static void check_shapes(const dry_elab *elab, int index, const char *name, const dry_part *part) {
    int k = 0;
    dry_place line = {0};
    for (int i = elab->scene.owner[index].first_wire; i >= 0 && k < part->n_ports; k++) {
        const dry_wire *wire = &elab->scene.wire[i];
        i = wire->next;
        if (part->ports[k].n_shapes > 0 || dry_place_same_line(wire->at, line)) continue;
        DRY_SAY(elab->diag, wire->at, NO_SHAPE, wire->end, name);
        line = wire->at;
    }
}

/* Shorter than the rounding of the coordinates of a machine as small as a grain of sand. */
static const double no_length = 1e-15; /* m */

static void check_length(const dry_elab *elab, int index, const char *name) {
    const dry_net_found l = dry_net_motion_of(elab->scene.net, (dry_net_port){index, 0});
    const int wire = elab->scene.owner[index].first_wire;
    if (wire < 0 || dry_net_read(&elab->scene.net_env, elab->scene.net_x, l)[0] > no_length) return;
    DRY_SAY(elab->diag, elab->scene.wire[wire].at, NO_DIRECTION, name);
}

void dry_check_idle(const dry_elab *elab) {
    for (int i = 0; i < dry_net_part_count(elab->scene.net); i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(elab->scene.net, i, &name);
        if (dry_part_has_shapes(part)) check_shapes(elab, i, name, part);
        if (part->n_ports == 1 && part->ports[0].kind == DRY_LENGTH) check_length(elab, i, name);
    }
}
