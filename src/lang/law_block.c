/* law_block: makes the block of a law and its states, or takes those of an equal force. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

static const char *state_name(dry_elab *elab, const dry_force *force, const dry_law_state *row,
                              int k, int n) {
    return n == 1 ? dry_diag_text(elab->diag, "%s.%s", force->name, row->name)
                  : dry_diag_text(elab->diag, "%s.%s[%d]", force->name, row->name, k + 1);
}

static dry_dim state_dim(dry_elab *elab, const dry_force *force) {
    const dry_set *set = dry_law_set(force->law);
    if (!set) return dry_dim_unknown(elab->dims);
    if (set->kind == DRY_SET_OF_POSITIONS) return force->dim_argument;
    return dry_dim_combine(elab->dims, force->dim_argument, 1.0, dry_dim_seconds(1.0), 1.0);
}

static void add_states(dry_elab *elab, dry_force *force) {
    force->state = elab->quantities.n_states;
    for (int r = 0; r < force->law->n_states; r++) {
        const dry_law_state *row = &force->law->states[r];
        int n = dry_lang_row_size(row, force);
        for (int k = 0; k < n; k++) {
            dry_state_info *state = DRY_GROW(elab->arena, &elab->quantities, state);
            if (!state) return;
            *state = (dry_state_info){.name = state_name(elab, force, row, k, n),
                                      .dim = state_dim(elab, force),
                                      .rate = -1,
                                      .at = force->at,
                                      .symbol = -1};
        }
    }
    force->n_states = elab->quantities.n_states - force->state;
}

static void start_states(dry_elab *elab, const dry_force *force, dry_node *args) {
    if (!force->law->start || !force->n_states) return;
    dry_node block = dry_dag_block(
        elab->dag, DRY_OP_LAW_START,
        (dry_block){.law = force->law, .dim = force->dim, .elements = force->elements}, args,
        force->n_par + force->n_inputs);
    for (int k = 0; k < force->n_states; k++)
        elab->quantities.state[force->state + k].start = dry_dag_pick(elab->dag, block, k);
}

/* Makes the law's block. Its first results are the forces; the others are the rates of its
 * states. */
static void make_block(dry_elab *elab, dry_force *force) {
    int n_args = force->n_par + force->n_inputs + force->n_states;
    dry_node *args = dry_arena_take(elab->arena, sizeof *args * (size_t)n_args);
    force->n_results = dry_law_forces(force->law, force->dim);
    force->result = dry_arena_take(elab->arena, sizeof(dry_node) * (size_t)force->n_results);
    if (!args || !force->result) return;
    memcpy(args, force->par, sizeof *args * (size_t)force->n_par);
    memcpy(args + force->n_par, force->input, sizeof *args * (size_t)force->n_inputs);
    for (int k = 0; k < force->n_states; k++)
        args[force->n_par + force->n_inputs + k] =
            dry_dag_leaf(elab->dag, DRY_OP_STATE, force->state + k);
    force->block = dry_dag_block(
        elab->dag, DRY_OP_LAW,
        (dry_block){.law = force->law, .dim = force->dim, .elements = force->elements}, args,
        n_args);
    for (int k = 0; k < force->n_results; k++) {
        dry_node pick = dry_dag_pick(elab->dag, force->block, k);
        force->result[k] = force->sign < 0.0 ? dry_dag_un(elab->dag, DRY_OP_NEG, pick) : pick;
    }
    for (int k = 0; k < force->n_states; k++)
        elab->quantities.state[force->state + k].rate =
            dry_dag_pick(elab->dag, force->block, force->n_results + k);
    start_states(elab, force, args);
}

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Returns true if both have the same requirements, from which their parameters are chosen. If these
 * are other expressions, it is their values that decide. */
static bool ask_the_same(dry_elab *elab, const dry_force_design *a, const dry_force_design *b) {
    bool same = a->choice == b->choice && is_same(a->restitution, b->restitution) &&
                is_same(a->depth, b->depth) && is_same(a->duration, b->duration) &&
                is_same(a->speed, b->speed);
    for (int i = 0; i < DRY_N_ASKED; i++) {
        if (a->asked[i] == b->asked[i] || a->asked[i] < 0 || b->asked[i] < 0) continue;
        dry_lang_note(elab, a->asked[i]);
        dry_lang_note(elab, b->asked[i]);
    }
    return same;
}

/* Returns true if parameter k of the force is left open, so that the compiler chooses it. */
static bool is_open(const dry_elab *elab, const dry_force *force, int k) {
    const int slots[] = {force->design.slot_K, force->design.slot_beta, force->design.slot_alpha};
    for (int i = 0; i < 3; i++)
        if (slots[i] >= 0 && force->par[k] == dry_dag_leaf(elab->dag, DRY_OP_PAR, slots[i]))
            return true;
    return false;
}

/* Finds an equal law with equal arguments. Such laws are one and share the state (X13 section
 * 4.4). */
static const dry_force *find_equal(dry_elab *elab, const dry_force *force) {
    for (int i = force->previous; i >= 0; i = elab->quantities.force[i].previous) {
        const dry_force *other = &elab->quantities.force[i];
        if (other->set != force->set || other->law != force->law || other->dim != force->dim ||
            other->n_par != force->n_par)
            continue;
        if (memcmp(other->input, force->input, sizeof(dry_node) * (size_t)force->n_inputs) != 0)
            continue;
        bool same = !force->set->has_level || other->chi == force->chi;
        for (int k = 0; k < force->n_par && same; k++)
            same = other->par[k] == force->par[k] ||
                   (is_open(elab, other, k) && is_open(elab, force, k));
        if (same && ask_the_same(elab, &other->design, &force->design)) return other;
    }
    return NULL;
}

static dry_term force_value(dry_elab *elab, const dry_force *force, int rank) {
    if (!rank) return dry_lang__scalar(elab, force->result[0], force->dim_force);
    dry_term v = dry_lang__array(elab, 1, force->n_results, 1, force->dim_force);
    for (int k = 0; !v.bad && k < force->n_results; k++) v.many[k] = force->result[k];
    return v;
}

static void share(dry_elab *elab, dry_force *force, const dry_force *other) {
    int own_sign = force->sign < 0.0, previous = force->previous;
    const char *name = force->name;
    double sign = force->sign;
    dry_place at = force->at;
    *force = *other;
    force->name = name;
    force->at = at;
    force->sign = sign;
    force->previous = previous;
    if (force->shared < 0) force->shared = (int)(other - elab->quantities.force);
    force->result = dry_arena_take(elab->arena, sizeof(dry_node) * (size_t)force->n_results);
    for (int k = 0; force->result && k < force->n_results; k++) {
        dry_node pick = dry_dag_pick(elab->dag, force->block, k);
        force->result[k] = own_sign ? dry_dag_un(elab->dag, DRY_OP_NEG, pick) : pick;
    }
}

/* Links the force with the forces of the same first input, so that equal forces are found at
 * once. */
static void link_force(dry_elab *elab, dry_force *force) {
    int node = force->input[0];
    if (node >= elab->quantities.n_by_node) {
        int n = 2 * node + 64;
        int *grown =
            dry_heap_grow(elab->arena, elab->quantities.force_by_node, sizeof *grown * (size_t)n);
        if (!grown) return;
        memset(grown + elab->quantities.n_by_node, 0,
               sizeof *grown * (size_t)(n - elab->quantities.n_by_node));
        elab->quantities.force_by_node = grown;
        elab->quantities.n_by_node = n;
    }
    force->previous = elab->quantities.force_by_node[node] - 1;
    elab->quantities.force_by_node[node] = elab->quantities.n_forces + 1;
}

/* Returns true if the law is complete. An incomplete law would pass the checks that need its
 * missing facts. */
static bool is_whole(dry_elab *elab, const dry_force *force) {
    const char *lacks = dry_law_lacks(force->law);
    if (lacks) DRY_SAY(elab->diag, force->at, INCOMPLETE_ROW, "law", force->law->name, lacks);
    return !lacks;
}

/* Registers the force and returns its value. */
dry_term dry_lang__finish_force(dry_elab *elab, dry_force *force, int rank) {
    if (!is_whole(elab, force)) return dry_lang__bad(elab);
    force->shared = force->previous = -1;
    link_force(elab, force);
    force->design.inverse_mass = -1;
    force->design.mass = (double)NAN;
    const dry_force *other = !force->set ? NULL : find_equal(elab, force);
    if (other) {
        share(elab, force, other);
    } else {
        add_states(elab, force);
        make_block(elab, force);
    }
    if (!force->result) return dry_lang__bad(elab);
    dry_force *slot = DRY_GROW(elab->arena, &elab->quantities, force);
    if (!slot) return dry_lang__bad(elab);
    *slot = *force;
    return force_value(elab, force, rank);
}
