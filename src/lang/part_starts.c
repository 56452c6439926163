/* part_starts: `init ball.v = ...`, start values of the states of parts. Only the built net knows
 * which states belong to a name, and in which unit; so the check comes after the net is built. */
#include "lang_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* init ball.v = [1, 0, 0], init ball[i].v[1] = 1 for i in 1..n */
void dry_lang__start_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    (void)user;
    const dry_expr *left = stmt->target;
    const bool component = left->kind == DRY_EX_INDEX;
    dry_numbers numbers;
    int k = 1;
    if (component && !dry_lang__integer(elab, left->arg[1], "an index", 1, 1 << 20, &k)) return;
    if (component) left = left->arg[0];
    dry_part_ref of;
    if (!dry_lang__is_part(elab, left) || !dry_lang__part_ref(elab, left, &of) ||
        !dry_lang__numbers(elab, stmt->value, "a start value", NULL, &numbers))
        return;
    const char *name = component ? dry_diag_text(elab->diag, "%s[%d]", of.text, k) : of.text;
    dry_part_start *start =
        dry_lang__has_room(elab, stmt->at) ? DRY_GROW(elab->arena, &elab->scene, part_start) : NULL;
    if (!start) return;
    *start = (dry_part_start){.of = of,
                              .name = name,
                              .first = k - 1,
                              .single = component,
                              .at = stmt->at,
                              .count = numbers.count,
                              .dim = numbers.dim};
    const dry_member *state = dry_lang__named_member(elab, &of);
    if (state) dry_net_start_member(elab->scene.net, *state, k - 1, numbers.value, numbers.count);
}

/* Finds the states of this start. */
static bool find(const dry_elab *elab, const dry_part_start *start, dry_net_found *spot) {
    const dry_part_ref *of = &start->of;
    const char *member = of->member ? of->member : "";
    if (of->part < 0 || !dry_net_find_in(elab->scene.net, of->part, member, spot)) return false;
    spot->index += start->first;
    spot->count = start->single ? 1 : spot->count - start->first;
    return true;
}

/* Checks that the start has as many numbers as the name has states, in their unit. */
static bool fits(dry_elab *elab, const dry_part_start *start, const dry_net_found *spot) {
    if (start->count != spot->count) {
        DRY_SAY(elab->diag, start->at, START_SHAPE, start->name,
                start->count == 1 ? "a number"
                                  : dry_diag_text(elab->diag, "a vector of %d", start->count));
        dry_diag_way_out(elab->diag, "give it as many numbers as it has: %d", spot->count);
        return false;
    }
    return dry_lang__same_dim(elab, start->at, "start value", dry_lang__states_dim(elab, spot),
                              start->dim);
}

/* taken[state]: 1 + number of the start that the state already has. */
static void take(dry_elab *elab, int number, const dry_net_found *spot, int *taken) {
    const dry_part_start *start = &elab->scene.part_start[number];
    for (int i = 0; i < spot->count; i++) {
        int *state = &taken[spot->index + i];
        if (*state) {
            DRY_SAY(elab->diag, start->at, START_TWICE, start->name,
                    dry_diag_text(elab->diag, "%d", elab->scene.part_start[*state - 1].at.line));
            return;
        }
        *state = number + 1;
    }
}

/* Finds the quaternion of a body to which the start belongs, if it is one: 4 pure numbers called
 * q. */
static bool turn_of(dry_elab *elab, const dry_part_start *start, dry_net_found *spot) {
    const int part = start->of.part;
    return part >= 0 && start->of.member && !strcmp(start->of.member, "q") &&
           dry_net_find_in(elab->scene.net, part, "q", spot) && spot->count == 4 && !spot->unit[0];
}

static void check_turn(dry_elab *elab, const dry_part_start *start) {
    enum { N = 4 };
    dry_net_found spot;
    double square = 0.0;
    if (!turn_of(elab, start, &spot)) return;
    const double *q = &elab->scene.net_x[spot.index];
    if (dry_quat_is_turn(q)) return; /* each step normalizes it to 1 again */
    for (int i = 0; i < N; i++) square += q[i] * q[i];
    DRY_SAY(elab->diag, start->at, WIRING,
            dry_diag_text(elab->diag, "%s: the quaternion has length %s, but must have length 1",
                          start->name, dry_diag_number(elab->diag, sqrt(square))));
    dry_diag_way_out(
        elab->diag,
        "divide it by its length, or turn the part with its key `rotation` (axis times angle)");
}

void dry_lang__check_starts(dry_elab *elab) {
    int *taken =
        dry_heap_take(elab->arena, (size_t)elab->scene.net_system->n_states + 1, sizeof *taken);
    for (int i = 0; taken && i < elab->scene.n_part_starts; i++) {
        const dry_part_start *start = &elab->scene.part_start[i];
        dry_net_found spot;
        if (!find(elab, start, &spot) || !fits(elab, start, &spot)) continue;
        take(elab, i, &spot, taken);
        check_turn(elab, start);
    }
    if (taken) dry_lang__check_robots(elab, taken);
    free(taken);
}
