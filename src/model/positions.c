/* positions: finds the states that the semi-implicit method moves last, with the velocities at the
 * end of the step (KY08 (14)).
 *
 * A position is a state whose rate depends on no force of the velocity level. The structure of the
 * equations decides what a force is; its name does not:
 *   1. a rate that needs a law, or a force of a part, is that of a velocity;
 *   2. x' = v, plus any terms that depend on t alone, makes x a position, and v a velocity
 *      unless v is itself a position (v' = a);
 *   3. any other rate that needs a velocity is that of a position: x' = v cos(theta);
 *   4. a remaining state that swings with a position is a velocity: theta' = omega/r,
 *      omega' = -k theta;
 *   5. a state driven by t alone is a velocity; the remaining states are positions.
 * So if two states push each other, one of them always moves first, as with positions and
 * velocities of parts. */
#include "model_private.h"

#include <stdlib.h>

typedef enum level { UNKNOWN, POSITION, VELOCITY } level;

typedef struct levels {
    const dry_elab *elab;
    level *of;             /* for each state of the equations */
    int *speed;            /* v of x' = v + ...; -1 if the rate does not have this form */
    unsigned char *forced; /* for each node: whether it needs a force */
    dry_leaves leaves;
} levels;

/* ---- nodes -------------------------------------------------------------------------- */

static bool is_force(const dry_elab *elab, const dry_node_view *v) {
    if (v->op == DRY_OP_LAW) return true;
    return v->op == DRY_OP_STATE && v->index >= elab->quantities.n_states &&
           elab->scene.outer[v->index - elab->quantities.n_states].where == DRY_IN_FORCE;
}

static void mark_forced(levels *l) {
    const int n = dry_dag_count(l->elab->dag);
    for (int i = 0; i < n; i++) {
        const dry_node_view v = dry_dag_view(l->elab->dag, i);
        l->forced[i] = is_force(l->elab, &v);
        for (int k = 0; k < v.n_args; k++) l->forced[i] |= l->forced[v.args[k]];
    }
}

static bool needs_state(const levels *l, dry_node node) {
    return dry_dag_depends(l->elab->dag, node) & DRY_ON_STATE;
}

/* Returns the state that a node equals except for terms without states; -1 if it does not have this
 * form. */
static int bare_state(const levels *l, dry_node node) {
    const dry_node_view v = dry_dag_view(l->elab->dag, node);
    if (v.op == DRY_OP_STATE) return v.index < l->elab->quantities.n_states ? v.index : -1;
    if (v.op != DRY_OP_ADD && v.op != DRY_OP_SUB) return -1;
    if (!needs_state(l, v.args[1])) return bare_state(l, v.args[0]);
    return v.op == DRY_OP_ADD && !needs_state(l, v.args[0]) ? bare_state(l, v.args[1]) : -1;
}

/* ---- states --------------------------------------------------------------------------- */

static void find_speeds(levels *l) {
    for (int i = 0; i < l->elab->quantities.n_states; i++) {
        const dry_state_info *state = &l->elab->quantities.state[i];
        l->speed[i] = -1;
        if (state->symbol < 0 || l->forced[state->rate]) {
            l->of[i] = VELOCITY;
            continue;
        }
        const int v = bare_state(l, state->rate);
        const bool mutual = v >= 0 && v < i && l->speed[v] == i; /* x' = v, v' = x */
        l->speed[i] = v == i || mutual ? -1 : v;
    }
    for (int i = 0; i < l->elab->quantities.n_states; i++)
        if (l->speed[i] >= 0) l->of[i] = POSITION;
    for (int i = 0; i < l->elab->quantities.n_states; i++)
        if (l->speed[i] >= 0 && l->of[l->speed[i]] == UNKNOWN) l->of[l->speed[i]] = VELOCITY;
}

/* Whether the rate of a state needs another state. */
typedef struct question {
    int index;
    bool found;
} question;

static void note(void *user, int index) {
    question *q = user;
    q->found = q->found || index == q->index;
}

typedef struct needs {
    const levels *levels;
    int own, partner; /* partner: the first position among them; -1 if there is none */
    bool velocity;
} needs;

static void note_level(void *user, int index) {
    needs *n = user;
    if (index == n->own || index >= n->levels->elab->quantities.n_states) return;
    n->velocity = n->velocity || n->levels->of[index] == VELOCITY;
    if (n->partner < 0 && n->levels->of[index] == POSITION) n->partner = index;
}

static level level_of(levels *l, int i) {
    const dry_node rate = l->elab->quantities.state[i].rate;
    const unsigned depends = dry_dag_depends(l->elab->dag, rate);
    needs n = {.levels = l, .own = i, .partner = -1};
    dry_leaves_of(&l->leaves, rate, note_level, &n);
    if (n.velocity) return POSITION;
    if (n.partner >= 0) {
        question q = {.index = i};
        dry_leaves_of(&l->leaves, l->elab->quantities.state[n.partner].rate, note, &q);
        if (q.found) return VELOCITY;
    }
    return depends & DRY_ON_T || !(depends & DRY_ON_STATE) ? VELOCITY : POSITION;
}

bool dry_model__find_positions(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const size_t n = (size_t)elab->quantities.n_states;
    levels l = {.elab = elab,
                .of = dry_heap_take(model->arena, n + 1, sizeof *l.of),
                .speed = dry_heap_take(model->arena, n + 1, sizeof *l.speed),
                .forced = dry_heap_take(model->arena, (size_t)dry_dag_count(elab->dag) + 1, 1)};
    bool *positions = model->positions = dry_arena_take(model->arena, n + 1);
    const bool good =
        l.of && l.speed && l.forced && positions && dry_leaves_size(&l.leaves, elab->dag);
    if (good) mark_forced(&l), find_speeds(&l);
    for (int i = 0; good && i < elab->quantities.n_states; i++) {
        if (l.of[i] == UNKNOWN) l.of[i] = level_of(&l, i);
        positions[i] = l.of[i] == POSITION;
    }
    dry_leaves_free(&l.leaves);
    free(l.of);
    free(l.speed);
    free(l.forced);
    return good;
}
