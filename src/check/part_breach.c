/* part_breach: reports joints, end stops and gaps that the start violates: the start puts their
 * ends where they cannot hold them, and they throw the ends back with an energy that nobody put in.
 *
 * A joint may give way as far as the weight on it and the pushes of equations at the start explain.
 * So the check computes the accelerations of the parts at the start twice: u0 without the joints,
 * end stops and gaps in question, all of whose parameters are then 0, and u with one of them. The
 * check reports this one if it throws one of its ends (part_thrown.c), and if it is off by more
 * than the rounding in a text causes: SHARE of the coordinates of its points, and SHARE rad. It
 * must also be off by more than HAIR, because rounding leaves that much of a sum that is meant to
 * be 0. */
#include "check_private.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE = 1e-3, HAIR = 1e-9; /* m, rad */

typedef struct finding {
    const dry_wire *wire;
    const dry_part *part;
    int index; /* of the part */
    int par;   /* where its parameters begin */
    dry_breach off;
    bool moved, turned; /* by more than rounding */
} finding;

typedef struct check {
    const dry_elab *elab;
    finding all[DRY_MOST_MESSAGES];
    int n;
    double *par, *u0, *u, *more; /* parameters; accelerations; pushes of equations */
} check;

/* ---- which are off ------------------------------------------------------------------- */

/* Returns the distance of an end from the origin, m. */
static double distance_of(const dry_elab *elab, dry_net_port end) {
    const char *name;
    if (end.part < 0) return 0.0;
    const dry_port *port = &dry_net_part_at(elab->scene.net, end.part, &name)->ports[end.port];
    const dry_net_found motion = dry_net_motion_of(elab->scene.net, end);
    return dry_norm(port->kind == DRY_FRAME ? 3 : port->dim,
                    dry_net_read(&elab->scene.net_env, elab->scene.net_x, motion));
}

/* Returns the size that the breach is compared with. The ends of a part on the axis of a joint have
 * no place, so their distance counts as 0. */
static double size_of(const dry_elab *elab, const finding *f) {
    const dry_net_port port = {f->index, 0};
    const bool on_axis = dry_net_push_of(elab->scene.net, port) >= 0;
    dry_net_port ends[2];
    dry_net_ends_of(elab->scene.net, port, ends);
    const double distance =
        on_axis ? 0.0 : fmax(distance_of(elab, ends[0]), distance_of(elab, ends[1]));
    return fmax(f->off.size, fmax(distance, f->wire->reach));
}

static bool is_off(const dry_elab *elab, finding *f) {
    const double angle = f->off.size > 0.0 ? f->off.size : 1.0;
    f->moved = f->off.moved > HAIR && f->off.moved > SHARE * size_of(elab, f);
    f->turned = f->off.turned > HAIR && f->off.turned > SHARE * angle;
    return f->moved || f->turned;
}

static void look_at(check *c, int index, const dry_part *part) {
    static const double no_gravity[3] = {0.0};
    const dry_elab *elab = c->elab;
    const int wire = elab->scene.owner[index].first_wire;
    if (wire < 0) return;
    finding f = {.wire = &elab->scene.wire[wire],
                 .part = part,
                 .index = index,
                 .par = dry_net_first_par(elab->scene.net, index)};
    const dry_net_found in = dry_net_motion_of(elab->scene.net, (dry_net_port){index, 0});
    const dry_part_env env = {
        .data = part->data, .par = elab->scene.net_system->par + f.par, .gravity = no_gravity};
    part->design->breach(&env, dry_net_read(&elab->scene.net_env, elab->scene.net_x, in), &f.off);
    if (is_off(elab, &f)) c->all[c->n++] = f;
}

static void look_at_all(check *c) {
    const dry_net *net = c->elab->scene.net;
    for (int i = 0; i < dry_net_part_count(net) && c->n < DRY_MOST_MESSAGES; i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(net, i, &name);
        if (part->design && part->design->breach) look_at(c, i, part);
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

/* Returns true if the joint, end stop or gap throws one of its ends, or an end of the joint on
 * which it acts. */
static bool is_thrown(const check *c, const finding *f) {
    dry_net_port ends[2];
    bool thrown = false;
    dry_net_ends_of(c->elab->scene.net, (dry_net_port){f->index, 0}, ends);
    for (int i = 0; i < 2; i++) {
        int first;
        thrown = thrown || (ends[i].part >= 0 &&
                            dry_check__is_thrown(c->elab, ends[i].part, c->u, c->u0, &first));
    }
    return thrown;
}

/* ---- what is said ---------------------------------------------------------------------- */

static const char *amount(dry_diagnostics *diag, const finding *f) {
    const char *m = dry_diag_text(diag, "%.3g m", f->off.moved);
    const char *rad = dry_diag_text(diag, "%.3g rad", f->off.turned);
    if (f->moved && f->turned) return dry_diag_text(diag, "%s and %s", m, rad);
    return f->moved ? m : rad;
}

/* Returns true if the part is a gap: its last parameter is the offset at which it closes. */
static bool is_gap(const dry_part *part) {
    return !strcmp(part->params[part->n_par - 1].name, "offset");
}

static void say(const check *c, const finding *f) {
    dry_diagnostics *diag = c->elab->diag;
    const char *off = amount(diag, f);
    DRY_SAY(diag, f->wire->at, FORCED_START, f->wire->of.text, off,
            dry_diag_text(diag, "%.3g", f->off.energy));
    if (is_gap(f->part))
        dry_diag_way_out(
            diag,
            "start its ends %s further apart, with their p or with `at` of the connection, or "
            "lower its offset; a resting body may overlap as far as its weight presses it in",
            off);
}

static void silence(check *c, const finding *f) {
    memset(c->par + f->par, 0, (size_t)f->part->n_par * sizeof *c->par);
}

/* Reports one finding for each statement. */
static void tell_thrown(check *c) {
    const double *par = c->elab->scene.net_system->par;
    dry_place said = {0};
    for (int i = 0; i < c->n; i++) silence(c, &c->all[i]);
    accelerate(c, c->u0);
    for (int i = 0; i < c->n; i++) {
        const finding *f = &c->all[i];
        if (dry_place_same_line(f->wire->at, said)) continue;
        memcpy(c->par + f->par, par + f->par, (size_t)f->part->n_par * sizeof *par);
        accelerate(c, c->u);
        if (is_thrown(c, f)) {
            say(c, f);
            said = f->wire->at;
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
