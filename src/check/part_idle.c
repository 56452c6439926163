/* part_idle: connections that do nothing: of a frame without a shape to a contact, of two points in
 * one place to a law on their distance. */
#include "check_private.h"

#include <math.h>
#include <string.h>

/* The frames of a contact are in the order in which the text connects them. One of each statement
 * is told. */
static void check_shapes(const dry_elab *elab, const char *name, const dry_part *part) {
    int k = 0, told = 0;
    for (int i = 0; i < elab->scene.n_wires && k < part->n_ports; i++) {
        const dry_wire *wire = &elab->scene.wire[i];
        if (!wire->end || strcmp(wire->name, name) != 0) continue;
        if (part->ports[k++].n_shapes > 0 || wire->at.line == told) continue;
        DRY_SAY(elab->diag, wire->at, NO_SHAPE, wire->end, name);
        told = wire->at.line;
    }
}

/* Shorter than rounding makes of the coordinates of a machine of the size of a grain of sand. */
static const double no_length = 1e-15; /* m */

static void check_length(const dry_elab *elab, const char *name) {
    dry_net_place place;
    dry_error error = {0};
    const char *l = dry_diag_text(elab->diag, "%s.l", name);
    if (dry_net_find(elab->scene.net, l, &place, &error) != DRY_OK ||
        dry_net_look(&elab->scene.net_env, elab->scene.net_x, place)[0] > no_length)
        return;
    int i = 0; /* the connection of a part comes after the part itself */
    while (i < elab->scene.n_wires && (strcmp(elab->scene.wire[i].name, name) != 0 ||
                                       (!elab->scene.wire[i].end && !elab->scene.wire[i].other)))
        i++;
    if (i < elab->scene.n_wires) DRY_SAY(elab->diag, elab->scene.wire[i].at, NO_DIRECTION, name);
}

void dry_check_idle(const dry_elab *elab) {
    for (int i = 0; i < dry_net_part_count(elab->scene.net); i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(elab->scene.net, i, &name);
        if (dry_part_has_shapes(part)) check_shapes(elab, name, part);
        if (part->n_ports == 1 && part->ports[0].kind == DRY_LENGTH) check_length(elab, name);
    }
}
