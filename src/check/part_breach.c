/* part_breach: joints, stops and gaps whose ends the start puts where they do not hold them, and
 * which throw them back with an energy that nobody put in.
 *
 * A joint gives way as far as the weight that hangs on it explains, and what equations push at the
 * start, and that is fine. So the parts are asked for their accelerations at the start twice: u0
 * without the joints, stops and gaps in question, all of whose parameters are 0 then, and u with
 * one of them. It is told where it throws one of its ends (part_thrown.c) and where it is off by
 * more than the rounding of a text brings about: SHARE of the coordinates that tell where its
 * points are, and SHARE rad, but not by a hair, which is what rounding leaves of a sum that is
 * meant to be 0. */
#include "check_private.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE = 1e-3, HAIR = 1e-9; /* m, rad */

typedef struct finding {
    const dry_wire *wire;
    const dry_part *part;
    int par; /* where its parameters begin */
    dry_breach off;
    bool moved, turned; /* by more than rounding */
} finding;

typedef struct check {
    const dry_elab *elab;
    finding all[DRY_MOST_MESSAGES];
    int n, last_par, last_wire;
    double *par, *u0, *u, *more; /* parameters; accelerations; what equations push */
} check;

static bool find(const dry_elab *elab, const char *part, const char *quantity,
                 dry_net_place *place) {
    dry_error error = {0};
    const char *name = dry_diag_text(elab->diag, "%s.%s", part, quantity);
    return dry_net_find(elab->scene.net, name, place, &error) == DRY_OK;
}

/* ---- which are off ------------------------------------------------------------------- */

/* Names are looked for from where the last one was, since parts, parameters and connections mostly
 * come in one order. */
static int find_par(check *c, const char *name, const dry_part *part) {
    const dry_system *net = c->elab->scene.net_system;
    const char *first = dry_diag_text(c->elab->diag, "%s.%s", name, part->params[0].name);
    for (int k = 0; k < net->n_par; k++) {
        const int i = (c->last_par + k) % net->n_par;
        if (!strcmp(net->params[i].name, first)) return c->last_par = i;
    }
    return -1;
}

static const dry_wire *find_wire(check *c, const char *name) {
    const dry_elab *elab = c->elab;
    for (int k = 0; k < elab->scene.n_wires; k++) {
        const int i = (c->last_wire + k) % elab->scene.n_wires;
        const dry_wire *wire = &elab->scene.wire[i];
        if ((!wire->end && !wire->other) || strcmp(wire->name, name) != 0) continue;
        c->last_wire = i;
        return wire;
    }
    return NULL;
}

/* How far from the origin an end is, m. */
static double distance_of(const dry_elab *elab, const char *end) {
    dry_net_place place;
    if (!end || !find(elab, end, "p", &place)) return 0.0;
    return dry_norm(place.count, dry_net_look(&elab->scene.net_env, elab->scene.net_x, place));
}

static double size_of(const dry_elab *elab, const finding *f) {
    const double ends = fmax(distance_of(elab, f->wire->end), distance_of(elab, f->wire->other));
    return fmax(f->off.size, fmax(ends, f->wire->reach));
}

static bool is_off(const dry_elab *elab, finding *f) {
    const double angle = f->off.size > 0.0 ? f->off.size : 1.0;
    f->moved = f->off.moved > HAIR && f->off.moved > SHARE * size_of(elab, f);
    f->turned = f->off.turned > HAIR && f->off.turned > SHARE * angle;
    return f->moved || f->turned;
}

static const char *const motion_of[] = {
    [DRY_COORDINATE] = "p", [DRY_LENGTH] = "l", [DRY_SURFACE] = "psi", [DRY_RELATIVE] = "d"};

static void look_at(check *c, const char *name, const dry_part *part) {
    static const double no_gravity[3] = {0.0};
    const dry_elab *elab = c->elab;
    dry_net_place in;
    finding f = {.wire = find_wire(c, name), .part = part, .par = find_par(c, name, part)};
    if (!f.wire || f.par < 0 || !find(elab, name, motion_of[part->ports[0].kind], &in)) return;
    const dry_part_env env = {
        .data = part->data, .par = elab->scene.net_system->par + f.par, .gravity = no_gravity};
    part->design->breach(&env, dry_net_look(&elab->scene.net_env, elab->scene.net_x, in), &f.off);
    if (is_off(elab, &f)) c->all[c->n++] = f;
}

static void look_at_all(check *c) {
    const dry_net *net = c->elab->scene.net;
    for (int i = 0; i < dry_net_part_count(net) && c->n < DRY_MOST_MESSAGES; i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(net, i, &name);
        if (part->design && part->design->breach) look_at(c, name, part);
    }
}

/* ---- which throw ---------------------------------------------------------------------- */

static void accelerate(check *c, double *u) {
    const dry_elab *elab = c->elab;
    dry_env env = elab->scene.net_env;
    env.par = c->par;
    dry_net_forces(&env, 0.0, 0.0, elab->scene.net_x);
    dry_net_rates(&env, 0.0, 0.0, elab->scene.net_x, c->more, u);
}

static const dry_part *part_of(const check *c, const char *end, const char **name) {
    const size_t length = strcspn(end, ".");
    for (int i = 0; i < dry_net_part_count(c->elab->scene.net); i++) {
        const dry_part *part = dry_net_part_at(c->elab->scene.net, i, name);
        if (!strncmp(*name, end, length) && !(*name)[length]) return part;
    }
    return NULL;
}

/* One end: the part, or one of those of a joint. */
static bool is_thrown(check *c, const char *end) {
    const char *name = NULL;
    const dry_part *part = end ? part_of(c, end, &name) : NULL;
    const dry_wire *joint = part && part->axis ? find_wire(c, name) : NULL;
    int first;
    if (joint) return is_thrown(c, joint->end) || is_thrown(c, joint->other);
    return part && dry_check__is_thrown(c->elab, name, part, c->u, c->u0, &first);
}

/* ---- what is told ---------------------------------------------------------------------- */

static const char *amount(dry_diagnostics *diag, const finding *f) {
    const char *m = dry_diag_text(diag, "%.3g m", f->off.moved);
    const char *rad = dry_diag_text(diag, "%.3g rad", f->off.turned);
    if (f->moved && f->turned) return dry_diag_text(diag, "%s and %s", m, rad);
    return f->moved ? m : rad;
}

/* Gaps are told by it where they close. */
static bool is_gap(const dry_part *part) {
    return !strcmp(part->params[part->n_par - 1].name, "offset");
}

static void tell(const check *c, const finding *f) {
    dry_diagnostics *diag = c->elab->diag;
    const char *off = amount(diag, f);
    DRY_SAY(diag, f->wire->at, FORCED_START, f->wire->name, off,
            dry_diag_text(diag, "%.3g", f->off.energy));
    if (is_gap(f->part))
        dry_diag_way_out(diag,
                         "start its ends %s further apart, by their p or by `at` of the "
                         "connection, or lower its offset; what rests may be pressed in as far "
                         "as its weight explains",
                         off);
}

static void silence(check *c, const finding *f) {
    memset(c->par + f->par, 0, (size_t)f->part->n_par * sizeof *c->par);
}

/* One of each statement. */
static void tell_thrown(check *c) {
    const double *par = c->elab->scene.net_system->par;
    int told = 0; /* line */
    for (int i = 0; i < c->n; i++) silence(c, &c->all[i]);
    accelerate(c, c->u0);
    for (int i = 0; i < c->n; i++) {
        const finding *f = &c->all[i];
        if (f->wire->at.line == told) continue;
        memcpy(c->par + f->par, par + f->par, (size_t)f->part->n_par * sizeof *par);
        accelerate(c, c->u);
        if (is_thrown(c, f->wire->end) || is_thrown(c, f->wire->other)) {
            tell(c, f);
            told = f->wire->at.line;
        }
        silence(c, f);
    }
}

static bool take_room(check *c) {
    const dry_system *net = c->elab->scene.net_system;
    const size_t n = (size_t)net->n_states, n_par = (size_t)net->n_par;
    const size_t n_more = (size_t)dry_net_force_count(c->elab->scene.net);
    c->par = dry_heap_take(c->elab->arena, n_par + 2 * n + n_more + 1, sizeof *c->par);
    if (!c->par) return false;
    c->u0 = c->par + n_par;
    c->u = c->u0 + n;
    c->more = c->u + n;
    memcpy(c->par, net->par, n_par * sizeof *c->par);
    return dry_lang_add_pushes(c->elab, c->more);
}

void dry_check_breaches(const dry_elab *elab) {
    check c = {.elab = elab};
    dry_net_forces(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x);
    look_at_all(&c);
    if (c.n == 0) return;
    if (take_room(&c)) tell_thrown(&c);
    free(c.par);
    dry_net_forces(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x);
}
