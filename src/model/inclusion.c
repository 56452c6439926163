/* inclusion: the model with its sets kept, for the rigid solvers (rigid.h).
 *
 * Every force of a coulomb or contact law becomes an independent variable lambda, which replaces
 * the law's result. The solver needs the rates and the derivatives
 *     push = d(velocity rate)/d lambda,   feel = d(theta or gap rate)/d velocity,
 * whose product is the Delassus operator, and lift = d chi/d lambda. Catalogue laws without a set
 * do not change. */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is made, while it is made ------------------------------------------------ */

typedef struct pairs {
    dry_node *node;
    int *first, *second; /* state and force, or force and state */
    int n, node_room, first_room, second_room;
    dry_arena *arena; /* remembers that memory ran out */
} pairs;

static bool add_pair(pairs *p, dry_node node, int first, int second) {
    int n_node = p->n, n_first = p->n, n_second = p->n;
    dry_node *a = dry_lang_grow(p->arena, (void **)&p->node, &n_node, &p->node_room, sizeof *a);
    int *b = dry_lang_grow(p->arena, (void **)&p->first, &n_first, &p->first_room, sizeof *b);
    int *c = dry_lang_grow(p->arena, (void **)&p->second, &n_second, &p->second_room, sizeof *c);
    if (!a || !b || !c) return false;
    *a = node;
    *b = first;
    *c = second;
    p->n++;
    return true;
}

static void free_pairs(pairs *p) {
    free(p->node);
    free(p->first);
    free(p->second);
}

/* Sorts the pairs by `key` with a stable counting sort. */
static bool sort_pairs(pairs *p, int *key, int n_keys) {
    int *count = dry_heap_take(p->arena, (size_t)n_keys + 1, sizeof *count);
    pairs sorted = {.arena = p->arena};
    if (!count) return false;
    for (int i = 0; i < p->n; i++) count[key[i] + 1]++;
    for (int k = 0; k < n_keys; k++) count[k + 1] += count[k];
    int *order = dry_heap_take(p->arena, (size_t)(p->n + 1), sizeof *order);
    for (int i = 0; order && i < p->n; i++) order[count[key[i]]++] = i;
    bool good = order != NULL;
    for (int i = 0; good && i < p->n; i++)
        good = add_pair(&sorted, p->node[order[i]], p->first[order[i]], p->second[order[i]]);
    free(count);
    free(order);
    if (!good) {
        free_pairs(&sorted);
        return false;
    }
    free_pairs(p);
    *p = sorted;
    return true;
}

typedef struct builder {
    dry_model *model;
    dry_elab *elab;
    int n, n_sets, n_forces;
    dry_inclusion_set *sets;
    int *force_of_set; /* index in elab->force */
    dry_node *renamed; /* for each node: the node with the forces as variables */
    int n_renamed;
    dry_node *rate; /* n */
    dry_node *slide, *gap, *level;
    pairs push, feel, lift, carry;
    dry_leaves leaves; /* scratch of `needs` */
} builder;

/* ---- forces as variables ------------------------------------------------------------------------
 */

static dry_node lambda_of(const builder *b, int set, int k) {
    return dry_dag_leaf(b->elab->dag, DRY_OP_STATE, b->n + b->sets[set].force + k);
}

/* sum over j of A_ij x_j, or of A_ji x_j, with the renamed matrix of a force */
static dry_node product(const builder *b, const dry_force *force, int i, const dry_node *x) {
    dry_dag *dag = b->elab->dag;
    dry_node sum = -1;
    for (int j = 0; j < force->dim; j++) {
        const dry_node entry =
            b->renamed[force->stretch.matrix[i * force->dim + j]]; /* symmetric */
        const dry_node term = dry_dag_bin(dag, DRY_OP_MUL, entry, x[j]);
        sum = sum < 0 ? term : dry_dag_bin(dag, DRY_OP_ADD, sum, term);
    }
    return sum;
}

/* Returns true if the set has two ends, which are two sets of the inclusion: -h, then h. */
static bool has_ends(const dry_force *force) { return force->set->ends != NULL; }

/* The second of two ends is the upper one. */
static bool is_upper(const builder *b, int set) {
    return set > 0 && b->force_of_set[set - 1] == b->force_of_set[set];
}

/* Returns true if the force is not lambda itself, but its image. */
static bool has_image(const dry_force *force) {
    return force->stretch.matrix || force->interval.middle || has_ends(force);
}

/* A force whose law takes a matrix is D lambda, with lambda in the ball: the renamed pick k. One
 * with two levels is the middle of its interval plus lambda, whose ball has half of the width. One
 * with two ends is L - U, L in dio(h + q), U in dio(h - q), because the normal cone of an
 * intersection is the sum of the cones. */
static dry_node image_of(const builder *b, int set, int k) {
    const dry_force *force = &b->elab->quantities.force[b->force_of_set[set]];
    dry_node lambda[3];
    if (has_ends(force))
        return dry_dag_bin(b->elab->dag, DRY_OP_SUB, lambda_of(b, set, 0),
                           lambda_of(b, set + 1, 0));
    if (force->interval.middle)
        return dry_dag_bin(b->elab->dag, DRY_OP_ADD, b->renamed[force->interval.middle],
                           lambda_of(b, set, k));
    for (int j = 0; j < force->dim; j++) lambda[j] = lambda_of(b, set, j);
    return product(b, force, k, lambda);
}

/* The slide of the set in the ball: theta, or D v. Its inputs must be renamed. */
static void slide_of(const builder *b, const dry_force *force, dry_node *theta) {
    dry_node v[3];
    for (int k = 0; k < force->dim; k++) v[k] = theta[k] = b->renamed[force->input[k]];
    for (int k = 0; force->stretch.matrix && k < force->dim; k++)
        theta[k] = product(b, force, k, v);
}

/* Makes the forces variables. */
static void name_forces(builder *b) {
    dry_dag *dag = b->elab->dag;
    for (int s = 0; s < b->n_sets; s++) {
        const dry_force *force = &b->elab->quantities.force[b->force_of_set[s]];
        for (int k = 0; !has_image(force) && k < force->n_results; k++)
            b->renamed[dry_dag_pick(dag, force->block, k)] = lambda_of(b, s, k);
        if (force->interval.middle) /* the level is half of the width */
            b->renamed[force->side] = 0;
        else if (force->feed) /* the level binds on the side of the force */
            b->renamed[force->side] = dry_dag_un(
                dag, DRY_OP_SIDE, dry_dag_leaf(dag, DRY_OP_STATE, b->n + b->sets[s].force));
    }
}

/* f.slip is a < b, or b - a if a measure needs the time (measures.c). Expressions without K replace
 * them: slip and margin. */
typedef struct slipping {
    dry_node slip, margin;
} slipping;

static slipping slipping_of(const builder *b, int set) {
    const dry_node slip = b->elab->quantities.force[b->force_of_set[set]].slip;
    const dry_node_view v = dry_dag_view(b->elab->dag, slip);
    if (v.op != DRY_OP_LT) return (slipping){-1, -1};
    return (slipping){slip, dry_dag_bin(b->elab->dag, DRY_OP_SUB, v.args[1], v.args[0])};
}

/* Call this after the sliding velocity and the level of the set are renamed. */
static dry_node slides(const builder *b, int set, bool margin) {
    dry_dag *dag = b->elab->dag;
    const dry_force *force = &b->elab->quantities.force[b->force_of_set[set]];
    dry_node theta[3], f[3], low, high;
    slide_of(b, force, theta);
    for (int k = 0; k < force->dim; k++) f[k] = lambda_of(b, set, k);
    dry_lang_slides(b->elab, force->dim, theta, f, b->renamed[force->chi], &low, &high);
    return margin ? dry_dag_bin(dag, DRY_OP_SUB, high, low)
                  : dry_dag_bin(dag, DRY_OP_LT, low, high);
}

/* Returns the node with its arguments renamed. */
static dry_node rename_node(const builder *b, dry_node node, dry_node *args) {
    dry_dag *dag = b->elab->dag;
    const dry_node_view v = dry_dag_view(dag, node);
    bool changed = false;
    for (int k = 0; k < v.n_args; k++) {
        args[k] = b->renamed[v.args[k]];
        changed = changed || args[k] != v.args[k];
    }
    if (!changed) return node;
    if (v.op == DRY_OP_PICK) return dry_dag_pick(dag, args[0], v.index);
    if (v.op == DRY_OP_SELECT) return dry_dag_select(dag, args[0], args[1], args[2]);
    if (v.op >= DRY_OP_SOLVE) return dry_dag_block(dag, v.op, v.block, args, v.n_args);
    if (v.n_args == 1) return dry_dag_un(dag, v.op, args[0]);
    return dry_dag_bin(dag, v.op, args[0], args[1]);
}

enum { MOST_ARGS = 65536 };

/* One sweep is enough, because arguments come before their users. */
static void sweep(builder *b, const int *set_of, const int *block_of, dry_node *args) {
    name_forces(b);
    for (int i = 0; i < b->n_renamed; i++) {
        const dry_node_view v = dry_dag_view(b->elab->dag, i);
        if (b->renamed[i] >= 0 || v.n_args > MOST_ARGS) continue;
        const int image = v.op == DRY_OP_PICK ? block_of[v.args[0]] : 0;
        const dry_force *force =
            image ? &b->elab->quantities.force[b->force_of_set[image - 1]] : NULL;
        if (force && v.index < force->n_results)
            b->renamed[i] = image_of(b, image - 1, v.index);
        else
            b->renamed[i] =
                set_of[i] ? slides(b, set_of[i] - 1, v.op == DRY_OP_SUB) : rename_node(b, i, args);
    }
}

/* Notes the blocks of the forces that are images: number of the set, plus 1. */
static void note_blocks(const builder *b, int *block_of) {
    for (int s = 0; s < b->n_sets; s++) {
        const dry_force *force = &b->elab->quantities.force[b->force_of_set[s]];
        if (has_image(force) && !is_upper(b, s)) block_of[force->block] = s + 1;
    }
}

static bool substitute(builder *b) {
    slipping *asked = dry_heap_take(b->elab->arena, (size_t)(b->n_sets + 1), sizeof *asked);
    for (int s = 0; asked && s < b->n_sets; s++) asked[s] = slipping_of(b, s);
    b->n_renamed = dry_dag_count(b->elab->dag);
    b->renamed = dry_heap_take(b->elab->arena, (size_t)b->n_renamed, sizeof *b->renamed);
    dry_node *args = dry_heap_take(b->elab->arena, MOST_ARGS, sizeof *args);
    int *set_of = dry_heap_take(b->elab->arena, (size_t)b->n_renamed,
                                sizeof *set_of); /* index of a slipping, plus 1 */
    int *block_of = dry_heap_take(b->elab->arena, (size_t)b->n_renamed, sizeof *block_of);
    const bool good = asked && b->renamed && args && set_of && block_of;
    for (int i = 0; good && i < b->n_renamed; i++) b->renamed[i] = -1;
    for (int s = 0; good && s < b->n_sets; s++)
        if (asked[s].slip > 0) set_of[asked[s].slip] = set_of[asked[s].margin] = s + 1;
    if (good) note_blocks(b, block_of);
    if (good) sweep(b, set_of, block_of, args);
    free(block_of);
    free(asked);
    free(args);
    free(set_of);
    return good && !dry_dag_failed(b->elab->dag);
}

static dry_node renamed(const builder *b, dry_node node) { return b->renamed[node]; }

/* ---- which variables a node needs -------------------------------------------------- */

typedef struct wanted {
    int *index, n, room;
    int n_states; /* of the model: states come before forces */
    bool forces;  /* true: forces; false: states */
    dry_arena *arena;
} wanted;

static void note(void *user, int index) {
    wanted *w = user;
    if ((index >= w->n_states) != w->forces) return;
    int *slot = dry_lang_grow(w->arena, (void **)&w->index, &w->n, &w->room, sizeof *slot);
    if (slot) *slot = index;
}

/* Returns the forces, or the states, that a node needs. The caller frees them. */
static wanted needs(builder *b, dry_node node, bool forces) {
    wanted w = {.n_states = b->n, .forces = forces, .arena = b->elab->arena};
    dry_leaves_of(&b->leaves, node, note, &w);
    return w;
}

/* Fits the scratch for graph walks to the present size of the graph. */
static bool resize(builder *b) { return dry_leaves_size(&b->leaves, b->elab->dag); }

/* ---- the parts --------------------------------------------------------------------- */

static void find_sets(builder *b) {
    for (int i = 0; i < b->elab->quantities.n_forces; i++) {
        const dry_force *force = &b->elab->quantities.force[i];
        if (!dry_model__is_kept(force) || force->shared >= 0) continue;
        const int upper = force->sign < 0.0 ? 1 : -1; /* the sign of the force at the end h */
        for (int k = 0; k < (has_ends(force) ? 2 : 1); k++) {
            b->force_of_set[b->n_sets] = i;
            b->sets[b->n_sets++] = (dry_inclusion_set){
                force->name,
                has_ends(force) ? force->set->ends : force->set,
                force->n_results,
                b->n_forces,
                dry_lang_is_contact(force) ? dry_design_restitution(b->elab, force) : 0.0,
                force->at.line,
                !has_ends(force) ? 0
                : k              ? upper
                                 : -upper};
            b->n_forces += force->n_results;
        }
    }
}

/* The law's own states have no meaning here, so they stand still. */
static void make_rates(builder *b) {
    for (int i = 0; i < b->n; i++) b->rate[i] = renamed(b, b->elab->quantities.state[i].rate);
    for (int s = 0; s < b->n_sets; s++) {
        const dry_force *force = &b->elab->quantities.force[b->force_of_set[s]];
        for (int k = 0; k < force->n_states; k++) b->rate[force->state + k] = 0;
    }
}

/* h + q, or h - q. */
static dry_node gap_to(const builder *b, int set) {
    const dry_force *force = &b->elab->quantities.force[b->force_of_set[set]];
    const int row = dry_law_par_find(force->law, force->set->size);
    const dry_node half = renamed(b, force->par[dry_law_par_offset(force->law, row, 1)]);
    return dry_dag_bin(b->elab->dag, is_upper(b, set) ? DRY_OP_SUB : DRY_OP_ADD, half,
                       renamed(b, force->input[0]));
}

static void make_slides(builder *b) {
    dry_dag *dag = b->elab->dag;
    for (int s = 0; s < b->n_sets; s++) {
        const dry_force *force = &b->elab->quantities.force[b->force_of_set[s]];
        int first = b->sets[s].force;
        if (dry_lang_is_friction(force)) {
            slide_of(b, force, &b->slide[first]);
            b->level[s] = renamed(b, force->chi);
        } else {
            b->gap[s] = has_ends(force) ? gap_to(b, s) : renamed(b, force->input[0]);
            b->slide[first] = dry_dag_time_derivative(dag, b->gap[s], b->rate, b->n);
        }
    }
}

/* Makes d rate_i/d lambda_j for all pairs that are not zero; reports rates that are not affine. */
static bool make_push(builder *b) {
    dry_dag *dag = b->elab->dag;
    if (!resize(b)) return false;
    for (int i = 0; i < b->n; i++) {
        wanted w = needs(b, b->rate[i], true);
        for (int k = 0; k < w.n; k++) {
            dry_node lambda = dry_dag_leaf(dag, DRY_OP_STATE, w.index[k]);
            dry_node d = dry_dag_diff(dag, b->rate[i], lambda, NULL, 0);
            add_pair(&b->push, d, i, w.index[k] - b->n);
        }
        free(w.index);
    }
    return !dry_arena_failed(b->elab->arena);
}

static bool make_feel(builder *b, const bool *is_velocity) {
    dry_dag *dag = b->elab->dag;
    if (!resize(b)) return false;
    for (int j = 0; j < b->n_forces; j++) {
        wanted w = needs(b, b->slide[j], false);
        for (int k = 0; k < w.n; k++) {
            if (!is_velocity[w.index[k]]) continue;
            dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, w.index[k]);
            dry_node d = dry_dag_diff(dag, b->slide[j], x, NULL, 0);
            add_pair(&b->feel, d, j, w.index[k]);
        }
        free(w.index);
    }
    return !dry_arena_failed(b->elab->arena);
}

/* Makes d level/d lambda, such as mu in chi = mu N. */
static bool make_lift(builder *b) {
    dry_dag *dag = b->elab->dag;
    if (!resize(b)) return false;
    for (int s = 0; s < b->n_sets; s++) {
        if (b->sets[s].set->kind != DRY_SET_OF_FORCES) continue;
        wanted w = needs(b, b->level[s], true);
        for (int k = 0; k < w.n; k++) {
            dry_node lambda = dry_dag_leaf(dag, DRY_OP_STATE, w.index[k]);
            dry_node d = dry_dag_diff(dag, b->level[s], lambda, NULL, 0);
            add_pair(&b->lift, d, s, w.index[k] - b->n);
        }
        free(w.index);
    }
    return !dry_arena_failed(b->elab->arena);
}

/* ---- whether the geometry stands still ------------------------------------------------ */

static bool is_fixed(const builder *b, dry_node node) {
    return !(dry_dag_depends(b->elab->dag, node) & ~(unsigned)DRY_ON_PAR);
}

static bool all_fixed(const builder *b, const pairs *p) {
    for (int i = 0; i < p->n; i++)
        if (!is_fixed(b, p->node[i])) return false;
    return true;
}

/* Returns true if the node is affine in the velocities with constant coefficients, and depends on
 * nothing else. */
static bool is_affine(builder *b, dry_node node, const bool *is_velocity) {
    dry_dag *dag = b->elab->dag;
    if (dry_dag_depends(dag, node) & (DRY_ON_T | DRY_ON_TAU)) return false;
    wanted w = needs(b, node, false);
    bool affine = true;
    for (int k = 0; k < w.n && affine; k++) {
        dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, w.index[k]);
        affine = is_velocity[w.index[k]] && is_fixed(b, dry_dag_diff(dag, node, x, NULL, 0));
    }
    free(w.index);
    return affine;
}

static bool is_steady(builder *b, const bool *is_velocity) {
    if (!resize(b) || !all_fixed(b, &b->push) || !all_fixed(b, &b->feel)) return false;
    for (int j = 0; j < b->n_forces; j++)
        if (!is_affine(b, b->slide[j], is_velocity)) return false;
    for (int i = 0; i < b->n; i++)
        if (!is_velocity[i] && !is_affine(b, b->rate[i], is_velocity)) return false;
    return true;
}

/* Notes which velocities the rates of the other states of a steady inclusion need. */
static bool make_carry(builder *b, const bool *is_velocity) {
    for (int i = 0; i < b->n; i++) {
        if (is_velocity[i]) continue;
        wanted w = needs(b, b->rate[i], false);
        for (int k = 0; k < w.n; k++) add_pair(&b->carry, b->rate[i], i, w.index[k]);
        free(w.index);
    }
    return !dry_arena_failed(b->elab->arena) && sort_pairs(&b->carry, b->carry.second, b->n);
}

/* ---- checks ------------------------------------------------------------------------ */

static bool any_force(builder *b, dry_node node) {
    wanted w = needs(b, node, true);
    free(w.index);
    return w.n > 0;
}

static void check_gaps(builder *b) {
    if (!resize(b)) return;
    for (int s = 0; s < b->n_sets; s++) {
        const dry_force *force = &b->elab->quantities.force[b->force_of_set[s]];
        if (b->sets[s].set->kind == DRY_SET_OF_POSITIONS &&
            any_force(b, b->slide[b->sets[s].force]))
            DRY_SAY(b->elab->diag, force->argument_at, RIGID_GAP, force->name);
        if (b->sets[s].set->kind == DRY_SET_OF_FORCES)
            for (int k = 0; k < force->dim; k++)
                if (any_force(b, b->slide[b->sets[s].force + k]))
                    DRY_SAY(b->elab->diag, force->argument_at, RIGID_THETA, force->name);
    }
}

static void check_affine(builder *b) {
    for (int i = 0; i < b->push.n; i++)
        if (any_force(b, b->push.node[i]))
            DRY_SAY(b->elab->diag, b->elab->quantities.state[b->push.first[i]].rate_at,
                    RIGID_NOT_AFFINE, b->elab->quantities.state[b->push.first[i]].name);
}

/* ---- phases ------------------------------------------------------------------------ */

static int set_of(const builder *b, int force) {
    const int shared = b->elab->quantities.force[force].shared, of = shared >= 0 ? shared : force;
    int set = 0;
    while (b->force_of_set[set] != of) set++;
    return set;
}

static dry_node *add_kept(const builder *b, int force, dry_node *next) {
    const int set = set_of(b, force);
    if (dry_lang_is_friction(&b->elab->quantities.force[force])) {
        *next++ = slides(b, set, false);
        *next++ = b->level[set];
    } else if (has_ends(&b->elab->quantities.force[force])) {
        *next++ =
            dry_dag_bin(b->elab->dag, DRY_OP_ADD, lambda_of(b, set, 0), lambda_of(b, set + 1, 0));
    } else {
        *next++ = dry_dag_leaf(b->elab->dag, DRY_OP_STATE, b->n + b->sets[set].force);
    }
    return next;
}

/* These roots must be made last, so that the numbers of the other nodes do not change. */
static dry_node *phase_roots(const builder *b, int *n) {
    *n = 0;
    for (int i = 0; i < b->elab->quantities.n_forces; i++)
        *n += dry_model__phase_values(&b->elab->quantities.force[i]);
    dry_node *roots = dry_heap_take(b->elab->arena, (size_t)(*n + 1), sizeof *roots), *next = roots;
    for (int i = 0; roots && i < b->elab->quantities.n_forces; i++) {
        const dry_force *force = &b->elab->quantities.force[i];
        if (dry_model__is_kept(force)) {
            next = add_kept(b, i, next);
            continue;
        }
        for (int k = 0; k < force->n_par; k++) *next++ = renamed(b, force->par[k]);
        for (int k = 0; k < force->n_inputs; k++) *next++ = renamed(b, force->input[k]);
    }
    return roots;
}

/* ---- putting it together ----------------------------------------------------------- */

static void *kept(dry_model *model, const void *from, size_t bytes) {
    void *to = dry_arena_take(model->arena, bytes + 1);
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

static dry_node *all_roots(const builder *b, int *n) {
    *n = b->n + b->n_forces + 2 * b->n_sets + b->push.n + b->feel.n + b->lift.n;
    dry_node *roots = dry_heap_take(b->elab->arena, (size_t)(*n + 1), sizeof *roots), *next = roots;
    if (!roots) return NULL;
    const struct {
        const dry_node *from;
        int n;
    } parts[] = {{b->rate, b->n},          {b->slide, b->n_forces},   {b->gap, b->n_sets},
                 {b->level, b->n_sets},    {b->push.node, b->push.n}, {b->feel.node, b->feel.n},
                 {b->lift.node, b->lift.n}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int k = 0; k < parts[i].n; k++) *next++ = parts[i].from[k];
    return roots;
}

/* Returns the rates of the velocities, then the levels. */
static dry_node *smooth_roots(const builder *b, const bool *is_velocity, int *n) {
    dry_node *roots = dry_heap_take(b->elab->arena, (size_t)(b->n + b->n_sets + 1), sizeof *roots),
             *next = roots;
    if (!roots) return NULL;
    for (int i = 0; i < b->n; i++)
        if (is_velocity[i]) *next++ = b->rate[i];
    for (int s = 0; s < b->n_sets; s++) *next++ = b->level[s];
    *n = (int)(next - roots);
    return roots;
}

static bool make_image(builder *b, const bool *is_velocity) {
    dry_model *model = b->model;
    int n_roots = 0, n_smooth = 0, n_phase = 0;
    dry_node *roots = all_roots(b, &n_roots), *few = smooth_roots(b, is_velocity, &n_smooth);
    dry_node *outputs =
        dry_heap_take(b->elab->arena, (size_t)(b->elab->results.n_outputs + 1), sizeof *outputs);
    for (int i = 0; outputs && i < b->elab->results.n_outputs; i++)
        outputs[i] = renamed(b, b->elab->results.output[i].node);
    dry_node *phase = phase_roots(b, &n_phase);
    if (roots && few && outputs && phase) {
        const dry_section sections[DRY_KEPT_SECTIONS] = {
            {"values", roots, n_roots, false, 0},
            {"smooth", few, n_smooth, false, 0},
            {"output", outputs, b->elab->results.n_outputs, false, 0},
            {"phase", phase, n_phase, false, 0}};
        model->kept.image = dry_image_new(
            b->elab->dag, (dry_image_sizes){b->elab->quantities.n_params, b->n + b->n_forces, 0},
            sections, DRY_KEPT_SECTIONS);
        model->kept.root = kept(model, roots, sizeof *roots * (size_t)n_roots);
        model->kept.n_roots = model->kept.root ? n_roots : 0;
        model->kept.n_values = n_roots > n_phase ? n_roots : n_phase;
        model->kept.smooth = kept(model, few, sizeof *few * (size_t)n_smooth);
        model->kept.n_smooth = model->kept.smooth ? n_smooth : 0;
    }
    free(roots);
    free(few);
    free(outputs);
    free(phase);
    return model->kept.image && model->kept.root;
}

static bool describe(builder *b, const bool *is_velocity, bool steady) {
    dry_model *model = b->model;
    model->kept.inclusion = (dry_inclusion){
        .system = &model->system,
        .n_states = b->n,
        .n_sets = b->n_sets,
        .n_forces = b->n_forces,
        .sets = kept(model, b->sets, sizeof *b->sets * (size_t)b->n_sets),
        .is_velocity = kept(model, is_velocity, sizeof *is_velocity * (size_t)b->n),
        .n_push = b->push.n,
        .n_feel = b->feel.n,
        .n_lift = b->lift.n,
        .lift_set = kept(model, b->lift.first, sizeof(int) * (size_t)b->lift.n),
        .lift_force = kept(model, b->lift.second, sizeof(int) * (size_t)b->lift.n),
        .steady = steady,
        .n_carry = b->carry.n,
        .carry_state = kept(model, b->carry.first, sizeof(int) * (size_t)b->carry.n),
        .carry_velocity = kept(model, b->carry.second, sizeof(int) * (size_t)b->carry.n),
        .push_state = kept(model, b->push.first, sizeof(int) * (size_t)b->push.n),
        .push_force = kept(model, b->push.second, sizeof(int) * (size_t)b->push.n),
        .feel_force = kept(model, b->feel.first, sizeof(int) * (size_t)b->feel.n),
        .feel_state = kept(model, b->feel.second, sizeof(int) * (size_t)b->feel.n),
    };
    dry_model__give_calls(&model->kept.inclusion);
    model->kept.work = model->system.work_size;
    model->system.work_size +=
        sizeof(double) * (size_t)model->kept.n_values + dry_image_work_size(model->kept.image);
    return model->kept.inclusion.feel_state != NULL;
}

static bool open_builder(builder *b, dry_model *model) {
    dry_elab *elab = &model->elab;
    size_t n_forces = 3 * (size_t)elab->quantities.n_forces + 1,
           n = (size_t)elab->quantities.n_states + 1;
    const pairs none = {.arena = model->arena};
    *b = (builder){.model = model,
                   .elab = elab,
                   .n = elab->quantities.n_states,
                   .push = none,
                   .feel = none,
                   .lift = none,
                   .carry = none};
    b->sets = dry_heap_take(model->arena, n_forces, sizeof *b->sets);
    b->force_of_set = dry_heap_take(model->arena, n_forces, sizeof *b->force_of_set);
    b->rate = dry_heap_take(model->arena, n, sizeof *b->rate);
    b->slide = dry_heap_take(model->arena, n_forces, sizeof *b->slide);
    b->gap = dry_heap_take(model->arena, n_forces, sizeof *b->gap);
    b->level = dry_heap_take(model->arena, n_forces, sizeof *b->level);
    return b->sets && b->force_of_set && b->rate && b->slide && b->gap && b->level;
}

static void close_builder(builder *b) {
    free(b->sets);
    free(b->force_of_set);
    free(b->renamed);
    free(b->rate);
    free(b->slide);
    free(b->gap);
    free(b->level);
    dry_leaves_free(&b->leaves);
    free_pairs(&b->push);
    free_pairs(&b->feel);
    free_pairs(&b->lift);
    free_pairs(&b->carry);
}

static bool build(builder *b, bool *is_velocity) {
    find_sets(b);
    if (!substitute(b)) return false;
    make_rates(b);
    make_slides(b);
    if (!make_push(b)) return false;
    for (int i = 0; i < b->push.n; i++) is_velocity[b->push.first[i]] = true;
    if (!make_feel(b, is_velocity) || !make_lift(b)) return false;
    check_gaps(b);
    check_affine(b);
    if (b->elab->diag->n_errors) return true;
    const bool steady = is_steady(b, is_velocity);
    if (steady && !make_carry(b, is_velocity)) return false;
    return sort_pairs(&b->push, b->push.second, b->n_forces) &&
           sort_pairs(&b->feel, b->feel.first, b->n_forces) && make_image(b, is_velocity) &&
           describe(b, is_velocity, steady);
}

void dry_model__inclusion(dry_model *model) {
    builder b;
    bool *is_velocity = dry_heap_take(model->arena, (size_t)model->elab.quantities.n_states + 1,
                                      sizeof *is_velocity);
    if (!open_builder(&b, model) || !is_velocity || !build(&b, is_velocity))
        DRY_SAY(&model->diag, (dry_place){0}, TOO_LARGE, "");
    close_builder(&b);
    free(is_velocity);
}
