/* part_overlap: reports shapes that overlap at the start, because their contact throws them apart
 * with an energy that nobody put in.
 *
 * A body at rest is pressed in as far as its weight, its springs and the pushes of equations at the
 * start explain. This is correct. So the check computes the accelerations of the parts at the start
 * twice: u0 without any contact, and u with every overlap pressing as at rest, N = K depth. If this
 * throws a part (part_thrown.c), an overlap of the part counts if it is deeper than SHARE of the
 * thinner shape, which is more than the rounding in a text causes. Overlaps that hold each other
 * throw nothing.
 *
 * depth: m; N: N; on a frame: f, N, and m, N m, about its origin. */
#include "check_private.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHARE = 1e-4;

enum { MOTION = 13, FORCE = 6 }; /* numbers of a frame, and of the force on it */

/* A frame of a contact: its name in the text, the place where forces on it are added (-1 if there
 * is none), and the deepest of its overlaps that count (depth 0 if none). */
typedef struct frame {
    const char *end;
    int part; /* in the net */
    int force;
    dry_overlap worst;
} frame;

typedef struct contact {
    const char *name;
    const dry_part *part;
    const double *in, *out; /* motion of its frames, and forces on them, at the start */
    frame *frames;
    double *pressed; /* forces of the overlaps at rest, of all contacts */
} contact;

typedef struct check {
    const dry_elab *elab;
    dry_arena *arena; /* of the check */
    bool full;
    contact *contacts;
    int n_contacts;
    double *pressed;               /* forces of the overlaps at rest */
    double *freed;                 /* those of contacts taken away, those of equations added */
    double *more, *u0, *u, *alone; /* forces that are added; accelerations of the parts */
} check;

static void *take(check *c, int count, size_t size) {
    void *piece = dry_arena_take(c->arena, (size_t)(count + 1) * size);
    if (!piece) c->full = true;
    return piece;
}

/* ---- contacts ------------------------------------------------------------------------ */

/* Names the frames, which are in the order in which the text connects them. Returns false if the
 * text does not connect all of them. */
static bool name_frames(const dry_elab *elab, int index, contact *to) {
    int k = 0;
    for (int i = elab->scene.owner[index].first_wire; i >= 0 && k < to->part->n_ports; k++) {
        dry_net_port ends[2];
        dry_net_ends_of(elab->scene.net, (dry_net_port){index, k}, ends);
        to->frames[k] = (frame){.end = elab->scene.wire[i].end,
                                .part = ends[0].part,
                                .force = dry_net_push_of(elab->scene.net, ends[0])};
        i = elab->scene.wire[i].next;
    }
    return k == to->part->n_ports;
}

/* Adds the force f, which acts at x; sign -1 reverses it. */
static void press(const contact *at, int k, double sign, const double f[3], const double x[3]) {
    const double *p = at->in + MOTION * k;
    const double arm[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    double m[3];
    if (at->frames[k].force < 0) return;
    double *to = at->pressed + at->frames[k].force;
    dry_cross3(arm, f, m);
    for (int i = 0; i < 3; i++) to[i] += sign * f[i], to[3 + i] += sign * m[i];
}

static void keep_worst(frame *to, const dry_overlap *o) {
    if (o->depth > SHARE * o->size && o->depth > to->worst.depth) to->worst = *o;
}

static void add_overlap(void *user, const dry_overlap *o) {
    const contact *at = user;
    const double f[3] = {o->N * o->n[0], o->N * o->n[1], o->N * o->n[2]};
    press(at, o->a, -1.0, f, o->x);
    press(at, o->b, 1.0, f, o->x);
    keep_worst(&at->frames[o->a], o);
    keep_worst(&at->frames[o->b], o);
}

static void look_at(check *c, int index, const char *name, const dry_part *part) {
    static const double no_gravity[3] = {0.0};
    const dry_scene *scene = &c->elab->scene;
    const dry_net_port first = {index, 0};
    contact *new = &c->contacts[c->n_contacts];
    *new = (contact){.name = name, .part = part, .pressed = c->pressed};
    new->in = dry_net_read(&scene->net_env, scene->net_x, dry_net_motion_of(scene->net, first));
    new->out = dry_net_read(&scene->net_env, scene->net_x, dry_net_force_of(scene->net, first));
    new->frames = take(c, part->n_ports, sizeof *new->frames);
    double *x = take(c, part->n_states, sizeof *x);
    const dry_part_env env = {.data = part->data,
                              .par = scene->net_env.par + dry_net_first_par(scene->net, index),
                              .work = dry_arena_take(c->arena, part->work_size + 1),
                              .gravity = no_gravity};
    if (!env.work) c->full = true;
    if (c->full || !name_frames(c->elab, index, new)) return;
    part->start(&env, new->in, x);
    part->gathers->overlaps(&env, new->in, x, add_overlap, new);
    c->n_contacts++;
}

static void look_at_all(check *c) {
    const dry_net *net = c->elab->scene.net;
    const int n = dry_net_part_count(net);
    c->contacts = take(c, n, sizeof *c->contacts);
    c->pressed = take(c, dry_net_force_count(net), sizeof *c->pressed);
    for (int i = 0; i < n && !c->full; i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(net, i, &name);
        if (part->gathers && part->gathers->overlaps) look_at(c, i, name, part);
    }
}

/* ---- accelerations ------------------------------------------------------------------------ */

/* Subtracts the forces of the contacts at the start, at which all of them begin to close. */
static void take_away(check *c) {
    for (int i = 0; i < c->n_contacts; i++)
        for (int k = 0; k < c->contacts[i].part->n_ports; k++) {
            const int at = c->contacts[i].frames[k].force;
            for (int j = 0; at >= 0 && j < FORCE; j++)
                c->freed[at + j] -= c->contacts[i].out[FORCE * k + j];
        }
}

/* Computes the accelerations if `count` of the overlaps press: the forces from `first` on. */
static void accelerate(check *c, int first, int count, double *u) {
    const dry_elab *elab = c->elab;
    const int n = dry_net_force_count(elab->scene.net);
    memcpy(c->more, c->freed, (size_t)n * sizeof *c->more);
    for (int i = first; i < first + count; i++) c->more[i] += c->pressed[i];
    dry_net_rates(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x, c->more, u);
}

static void accelerate_all(check *c) {
    const int n = c->elab->scene.net_system->n_states,
              n_forces = dry_net_force_count(c->elab->scene.net);
    c->freed = take(c, n_forces, sizeof *c->freed);
    c->more = take(c, n_forces, sizeof *c->more);
    c->u0 = take(c, n, sizeof *c->u0);
    c->u = take(c, n, sizeof *c->u);
    c->alone = take(c, n, sizeof *c->alone);
    if (c->full || !dry_lang_add_pushes(c->elab, c->freed)) {
        c->full = true;
        return;
    }
    take_away(c);
    accelerate(c, 0, 0, c->u0);
    accelerate(c, 0, n_forces, c->u);
}

/* Returns true if the forces on one frame of several contribute to the motion of the part: those on
 * the root of a robot do not. */
static bool takes_part(check *c, const dry_part *part, int first, int force) {
    if (part->n_ports == 1) return true;
    accelerate(c, force, FORCE, c->alone);
    for (int i = first; i < first + part->n_states; i++) c->alone[i] -= c->u0[i];
    return dry_check__strength(c->elab, part, first, c->alone) >
           1e-12 * dry_check__strength(c->elab, part, first, c->u);
}

static bool is_thrown(check *c, const frame *f) {
    const char *name;
    int first;
    return f->force >= 0 && dry_check__is_thrown(c->elab, f->part, c->u, c->u0, &first) &&
           takes_part(c, dry_net_part_at(c->elab->scene.net, f->part, &name), first, f->force);
}

/* ---- what is said ---------------------------------------------------------------------- */

/* An overlap that throws a part, and its contact. */
typedef struct finding {
    const contact *at;
    const dry_overlap *overlap;
} finding;

static int deepest_first(const void *a, const void *b) {
    const double x = ((const finding *)a)->overlap->depth, y = ((const finding *)b)->overlap->depth;
    return (x < y) - (x > y);
}

static finding *find_all(check *c, int *n) {
    int room = 0;
    *n = 0;
    for (int i = 0; i < c->n_contacts; i++) room += c->contacts[i].part->n_ports;
    finding *all = take(c, room, sizeof *all);
    for (int i = 0; i < c->n_contacts && all; i++)
        for (int k = 0; k < c->contacts[i].part->n_ports; k++) {
            const frame *f = &c->contacts[i].frames[k];
            if (f->worst.depth > 0.0 && is_thrown(c, f))
                all[(*n)++] = (finding){&c->contacts[i], &f->worst};
        }
    if (all) qsort(all, (size_t)*n, sizeof *all, deepest_first);
    return all;
}

/* "[0, 0, 1]" of sign n */
static const char *direction(dry_diagnostics *diag, double sign, const double n[3]) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = fabs(n[i]) < 5e-4 ? 0.0 : sign * n[i];
    return dry_diag_text(diag, "[%.3g, %.3g, %.3g]", d[0], d[1], d[2]);
}

/* Returns true if the user should move the second shape of the two: always, unless it is fixed. */
static bool moves_second(const check *c, const finding *found) {
    const char *name;
    const int second = found->at->frames[found->overlap->b].part;
    return dry_net_part_at(c->elab->scene.net, second, &name)->n_states > 0;
}

static void say(const check *c, const finding *found, const dry_symbol *symbol, bool second) {
    dry_diagnostics *diag = c->elab->diag;
    const dry_overlap *o = found->overlap;
    const char *a = found->at->frames[o->a].end, *b = found->at->frames[o->b].end;
    DRY_SAY(diag, symbol->at, OVERLAP, second ? b : a, second ? a : b,
            dry_diag_number(diag, o->depth), found->at->name,
            direction(diag, second ? 1.0 : -1.0, o->n));
}

/* Reports the deepest overlap of each statement. */
static void tell_all(check *c) {
    const dry_symbol *said[DRY_MOST_MESSAGES];
    int n, n_said = 0;
    const finding *all = find_all(c, &n);
    for (int i = 0; all && i < n && n_said < DRY_MOST_MESSAGES; i++) {
        const bool second = moves_second(c, &all[i]);
        const dry_overlap *o = all[i].overlap;
        const dry_symbol *symbol =
            dry_lang_owner(c->elab, all[i].at->frames[second ? o->b : o->a].part);
        bool known = false;
        for (int k = 0; k < n_said; k++) known = known || said[k] == symbol;
        if (known) continue;
        said[n_said++] = symbol;
        say(c, &all[i], symbol, second);
    }
}

static bool overlaps(const check *c) {
    for (int i = 0; i < c->n_contacts; i++)
        for (int k = 0; k < c->contacts[i].part->n_ports; k++)
            if (c->contacts[i].frames[k].worst.depth > 0.0) return true;
    return false;
}

void dry_check_overlaps(const dry_elab *elab) {
    check c = {.elab = elab, .arena = dry_arena_new(0)};
    c.full = !c.arena;
    if (elab->scene.net_system->prepare) elab->scene.net_system->prepare(&elab->scene.net_env);
    dry_net_forces(&elab->scene.net_env, 0.0, 0.0,
                   elab->scene.net_x); /* with the choices of the parts */
    if (!c.full) look_at_all(&c);
    if (!c.full && overlaps(&c)) {
        accelerate_all(&c);
        if (!c.full) tell_all(&c);
    }
    if (c.full) dry_arena_fail(elab->arena);
    dry_arena_free(c.arena);
}
