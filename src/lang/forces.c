/* forces: turns `f in chi*sgn(theta)`, `N in dio(psi)`, `r in backlash(q, h)` and elements of the
 * catalogue into law blocks with their own states (X13 section 4.4). */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* ---- what `with` says -------------------------------------------------------------- */

/* The keys of `with`. They include the keys inside `law = NAME(...)` if that law only relaxes the
 * set and adds nothing. */
typedef struct with {
    dry_key *key;
    int n;
} with;

static bool key_fits(bool unit_range, double value) {
    return unit_range ? value >= 0.0 && value <= 1.0 : value > 0.0;
}

/* Returns a constant of the run with a known dimension; -1 if the key is absent. */
static dry_node key_node(dry_elab *elab, const with *w, const char *name, dry_dim dim) {
    const dry_key *key = dry_lang__find_key(w->key, w->n, name);
    if (!key) return -1;
    dry_term v = dry_lang__scalar_expr(elab, key->value, name);
    if (v.bad) return 0;
    dry_lang__same_dim(elab, key->at, name, v.dim, dim);
    double value;
    if (!dry_lang__peek(elab, v.one, &value)) {
        DRY_SAY(elab->diag, key->at, KEY_VARIES, name);
        return 0;
    }
    const bool unit_range = !strcmp(name, "restitution");
    if (!key_fits(unit_range, value))
        DRY_SAY(elab->diag, key->at, KEY_RANGE, name, dry_diag_number(elab->diag, value),
                unit_range ? "between 0 and 1" : "positive");
    return v.one;
}

bool dry_lang_ask(const dry_elab *elab, dry_force *force) {
    dry_force_design *d = &force->design;
    double *const values[DRY_N_ASKED] = {&d->restitution, &d->depth, &d->duration, &d->speed};
    bool fit = true;
    for (int i = 0; i < DRY_N_ASKED; i++)
        if (d->asked[i] >= 0 && dry_lang__peek(elab, d->asked[i], values[i]))
            fit = fit && key_fits(i == DRY_ASKED_RESTITUTION, *values[i]);
    return fit;
}

/* ---- sets -------------------------------------------------------------------------------------
 */

static const dry_force_design nothing_said = {.slot_K = -1,
                                              .slot_beta = -1,
                                              .slot_alpha = -1,
                                              .slot_limit = -1,
                                              .restitution = (double)NAN,
                                              .depth = (double)NAN,
                                              .duration = (double)NAN,
                                              .speed = (double)NAN,
                                              .asked = {-1, -1, -1, -1}};

static void set_par(dry_force *force, const char *name, dry_node node) {
    int i = dry_law_par_find(force->law, name);
    if (i >= 0) force->par[dry_law_par_offset(force->law, i, force->elements)] = node;
}
/* Makes a hidden parameter such as f.K, to be chosen when the whole model is known. */
static dry_node slot_node(dry_elab *elab, const dry_force *force, const char *what, dry_dim dim,
                          int *slot) {
    *slot = dry_lang_add_hidden(elab, dry_diag_text(elab->diag, "%s.%s", force->name, what), dim,
                                (double)NAN);
    return dry_dag_leaf(elab->dag, DRY_OP_PAR, *slot);
}

static void friction_parameters(dry_elab *elab, dry_force *force, const with *w) {
    dry_dim second = dry_dim_seconds(1.0);
    dry_dim viscosity =
        dry_dim_combine(elab->dims, force->dim_force, 1.0, force->dim_argument, -1.0);
    dry_dim stiffness = dry_dim_combine(elab->dims, viscosity, 1.0, second, -1.0);
    dry_node K = key_node(elab, w, "K", stiffness), beta = key_node(elab, w, "beta", second);
    dry_node B = key_node(elab, w, "B", viscosity);
    if (B >= 0 && beta >= 0)
        DRY_SAY(elab->diag, dry_lang__find_key(w->key, w->n, "B")->at, BETA_AND_B, "");
    if (B >= 0 && K < 0)
        DRY_SAY(elab->diag, dry_lang__find_key(w->key, w->n, "B")->at, B_WITHOUT_K, "");
    if (B >= 0 && K >= 0) beta = dry_dag_bin(elab->dag, DRY_OP_DIV, B, K);
    force->design.choice = K >= 0 && beta >= 0 ? DRY_GIVEN
                           : K >= 0            ? DRY_CHOSEN_FROM_K
                           : beta >= 0         ? DRY_CHOSEN_FROM_BETA
                                               : DRY_CHOSEN_FROM_STEP;
    if (K < 0) K = slot_node(elab, force, "K", stiffness, &force->design.slot_K);
    if (beta < 0) beta = slot_node(elab, force, "beta", second, &force->design.slot_beta);
    set_par(force, "K", K);
    set_par(force, "beta", beta);
}

static dry_choice contact_choice(const dry_force *force, bool has_K) {
    return has_K                            ? DRY_CHOSEN_FROM_K
           : !isnan(force->design.depth)    ? DRY_CHOSEN_FROM_DEPTH
           : !isnan(force->design.duration) ? DRY_CHOSEN_FROM_DURATION
                                            : DRY_CHOSEN_FROM_STEP;
}

/* Reports if more than one of K, depth and duration is given, because each decides the stiffness of
 * the contact. */
static void check_stiffness(dry_elab *elab, const dry_force *force, const with *w) {
    static const char *const names[] = {"K", "depth", "duration"};
    const char *first = NULL;
    for (int i = 0; i < 3; i++) {
        const dry_key *key = dry_lang__find_key(w->key, w->n, names[i]);
        if (key && first) DRY_SAY(elab->diag, key->at, STIFFNESS_TWICE, first, names[i]);
        if (key && !first) first = names[i];
    }
    const dry_key *speed = dry_lang__find_key(w->key, w->n, "speed");
    if (!isnan(force->design.depth) && !speed)
        DRY_SAY(elab->diag, force->at, DEPTH_WITHOUT_SPEED, "");
    if (speed && isnan(force->design.depth))
        DRY_SAY(elab->diag, speed->at, SPEED_WITHOUT_DEPTH, "");
}

static void contact_parameters(dry_elab *elab, dry_force *force, const with *w) {
    dry_dim second = dry_dim_seconds(1.0), gap = force->dim_argument;
    dry_dim stiffness = dry_dim_combine(elab->dims, force->dim_force, 1.0, gap, -1.0);
    dry_node K = key_node(elab, w, "K", stiffness);
    dry_node alpha = key_node(elab, w, "alpha", second), beta = key_node(elab, w, "beta", second);
    const dry_dim speed = dry_dim_combine(elab->dims, gap, 1.0, second, -1.0);
    dry_node *asked = force->design.asked;
    asked[DRY_ASKED_RESTITUTION] = key_node(elab, w, "restitution", dry_dim_pure());
    asked[DRY_ASKED_DEPTH] = key_node(elab, w, "depth", gap);
    asked[DRY_ASKED_DURATION] = key_node(elab, w, "duration", second);
    asked[DRY_ASKED_SPEED] = key_node(elab, w, "speed", speed);
    dry_lang_ask(elab, force);
    force->design.restitution_given = asked[DRY_ASKED_RESTITUTION] >= 0;
    check_stiffness(elab, force, w);
    bool given = K >= 0 && alpha >= 0 && beta >= 0, time_constants = alpha >= 0 || beta >= 0;
    if (time_constants && (!given || force->design.restitution_given))
        DRY_SAY(elab->diag, force->at, CONTACT_KEYS, "");
    force->design.choice = given ? DRY_GIVEN : contact_choice(force, K >= 0);
    if (K < 0) K = slot_node(elab, force, "K", stiffness, &force->design.slot_K);
    if (alpha < 0) alpha = slot_node(elab, force, "alpha", second, &force->design.slot_alpha);
    if (beta < 0) beta = slot_node(elab, force, "beta", second, &force->design.slot_beta);
    set_par(force, "K", K);
    set_par(force, "alpha", alpha);
    set_par(force, "beta", beta);
}

/* Finds the law that `with law = NAME(...)` names, which replaces the default law. */
static bool choose_law(dry_elab *elab, dry_force *force, const dry_key **key, int *n_keys) {
    force->law = dry_law_of_set(force->set);
    *key = NULL;
    *n_keys = 0;
    const dry_key *given = dry_lang__find_key(force->stmt->key, force->stmt->n_keys, "law");
    if (!given) return true;
    const dry_law *law = given->value->text ? dry_law_find(given->value->text) : NULL;
    if (!law || (given->value->kind != DRY_EX_CALL && given->value->kind != DRY_EX_NAME)) {
        const char *names[64];
        int n = 0;
        for (; n < dry_law_count() && n < 64; n++) names[n] = dry_law_at(n)->name;
        const char *written = given->value->text ? given->value->text : "";
        DRY_SAY(elab->diag, given->value->at, UNKNOWN_LAW, written);
        const char *nearest = dry_diag_nearest(written, names, n);
        if (nearest) dry_diag_mean(elab->diag, nearest);
        return false;
    }
    if (!dry_law_stands_for(law, force->set)) {
        DRY_SAY(elab->diag, given->value->at, LAW_DOES_NOT_FIT, law->name, force->set->name);
        return false;
    }
    force->law = law;
    *key = given->value->key;
    *n_keys = given->value->n_keys;
    return true;
}

/* Makes chi the level of the law, kinetic and static (Fs = 0), unless the text gives the static
 * level itself. */
static void set_level(dry_elab *elab, dry_force *force, const dry_key *key, int n_keys) {
    set_par(force, "F", force->chi);
    set_par(force, "Fc", force->chi);
    if (!dry_lang__find_key(key, n_keys, "Fs")) set_par(force, "Fs", dry_dag_const(elab->dag, 0.0));
}

/* The keys that `with` allows, by the kind of the set. */
static const struct {
    const char *names[8], *meanings[8];
    int n;
} set_keys[] = {
    [DRY_SET_OF_FORCES] = {{"K", "beta", "B", "law"},
                           {"stiffness, force per stretch", "time constant, s", "damping, K beta",
                            "another law of the catalogue"},
                           4},
    [DRY_SET_OF_POSITIONS] =
        {{"K", "alpha", "beta", "restitution", "depth", "duration", "speed", "law"},
         {"stiffness, force per depth", "relaxation time in contact, s",
          "relaxation time out of contact, s", "coefficient of restitution, 0 to 1",
          "the greatest depth at the impact speed, m", "how long a contact lasts, s",
          "the impact speed of depth, m/s", "another law of the catalogue"},
         8},
};

bool dry_lang_set_key(dry_set_kind kind, int index, dry_word *word) {
    if (index < 0 || index >= set_keys[kind].n) return false;
    *word = (dry_word){
        .text = set_keys[kind].names[index], .form = "", .meaning = set_keys[kind].meanings[index]};
    return true;
}

/* Rejects a level in `with`: the level belongs in front of the set, and nowhere else. */
static void refuse_level(dry_elab *elab, const dry_force *force, const dry_key *key, int n_keys) {
    for (int i = 0; i < n_keys; i++)
        if (!strcmp(key[i].name, "F") || !strcmp(key[i].name, "Fc"))
            DRY_SAY(elab->diag, key[i].at, LEVEL_KEY, key[i].name, force->law->name);
}

/* Rejects half of the width of P in `law = NAME(...)`: it is an argument of the set. */
static void refuse_size(dry_elab *elab, const dry_force *force, const dry_key *key, int n_keys) {
    const char *size = force->set->size;
    const dry_key *given = size ? dry_lang__find_key(key, n_keys, size) : NULL;
    if (given) DRY_SAY(elab->diag, given->at, SIZE_KEY, size, force->set->name);
}

/* Rejects keys beside `law = NAME(...)`. They are for the default law; another law has its own
 * keys. */
static void refuse_beside(dry_elab *elab, const dry_force *force) {
    const dry_law *law = force->law;
    for (int i = 0; i < force->stmt->n_keys; i++) {
        const dry_key *key = &force->stmt->key[i];
        if (!strcmp(key->name, "law")) continue;
        DRY_SAY(elab->diag, key->at, KEY_BESIDE_LAW, key->name, law->name);
        if (dry_law_par_find(law, key->name) >= 0)
            dry_diag_way_out(elab->diag, "write it inside: law = %s(%s = ...)", law->name,
                             key->name);
    }
}

/* Gathers the keys of the statement and those of the default law's call. */
static bool gather(dry_elab *elab, const dry_force *force, const dry_key *key, int n_keys,
                   with *w) {
    const dry_stmt *stmt = force->stmt;
    const size_t room = (size_t)stmt->n_keys + (size_t)n_keys + 1;
    *w = (with){.key = dry_arena_take(elab->arena, sizeof *w->key * room)};
    if (!w->key) return false;
    for (int i = 0; i < stmt->n_keys; i++) w->key[w->n++] = stmt->key[i];
    dry_lang__check_law_keys(elab, force->law, key, n_keys);
    for (int i = 0; i < n_keys; i++) {
        if (dry_lang__find_key(stmt->key, stmt->n_keys, key[i].name))
            DRY_SAY(elab->diag, key[i].at, KEY_TWICE, key[i].name);
        w->key[w->n++] = key[i];
    }
    return true;
}

/* Returns the dimension for m in the model's law. The argument of a friction is a speed. */
static dry_dim length_dim(dry_elab *elab, const dry_force *force) {
    return dry_lang_is_friction(force)
               ? dry_dim_combine(elab->dims, force->dim_argument, 1.0, dry_dim_seconds(1.0), 1.0)
               : force->dim_argument;
}

static bool is_set_key(const dry_force *force, const char *name) {
    for (int i = 0; i < set_keys[force->set->kind].n; i++)
        if (!strcmp(set_keys[force->set->kind].names[i], name)) return true;
    return false;
}

/* Copies the keys of the default law's call that the set does not take, such as the entries of a
 * matrix; returns how many. */
static int own_keys(dry_elab *elab, const dry_force *force, const dry_key *key, int n_keys,
                    const dry_key **own) {
    dry_key *to = dry_arena_take(elab->arena, sizeof *to * (size_t)(n_keys + 1));
    int n = 0;
    for (int i = 0; to && i < n_keys; i++)
        if (!is_set_key(force, key[i].name)) to[n++] = key[i];
    *own = to;
    return n;
}

/* half: of the width of P; -1: the set has none. */
static bool read_parameters(dry_elab *elab, dry_force *force, dry_node half) {
    const dry_key *key, *own;
    int n_keys;
    with w = {0};
    bool friction = dry_lang_is_friction(force);
    int errors = elab->diag->n_errors;
    dry_lang__check_keys(elab, force->stmt->key, force->stmt->n_keys,
                         set_keys[force->set->kind].names, set_keys[force->set->kind].n,
                         force->set->name);
    if (!choose_law(elab, force, &key, &n_keys)) return false;
    if (friction && force->dim > force->law->max_dim) {
        DRY_SAY(elab->diag, force->argument_at, TOO_MANY_DIMENSIONS, force->law->name,
                dry_diag_text(elab->diag, "%d", force->law->max_dim));
        return false;
    }
    bool plain = dry_lang_is_plain(force);
    const int n_own = plain ? own_keys(elab, force, key, n_keys, &own) : n_keys;
    if (!dry_lang__pack_law(elab, force, plain ? own : key, n_own, length_dim(elab, force)))
        return false;
    if (friction) refuse_level(elab, force, key, n_keys);
    refuse_size(elab, force, key, n_keys);
    if (!plain) refuse_beside(elab, force);
    if (force->interval.middle && force->law != dry_law_of_set(force->set))
        DRY_SAY(elab->diag, force->at, TWO_LEVELS_LAW, force->name, force->law->name);
    if (plain && !gather(elab, force, key, n_keys, &w)) return false;
    if (plain && friction) friction_parameters(elab, force, &w);
    if (plain && !friction) contact_parameters(elab, force, &w);
    if (friction && !plain) set_level(elab, force, key, n_keys);
    if (half >= 0) set_par(force, force->set->size, half);
    if (elab->diag->n_errors == errors) dry_lang_check_law(elab, force);
    if (friction && plain)
        set_level(elab, force, key, n_keys); /* check 2 is about the level, and reports more */
    return true;
}

/* Reports a gap in m/s or 1/s. Without units, a velocity looks like the position of something
 * without inertia: the force acts at once on the rates of both. */
static void check_gap(dry_elab *elab, const dry_force *force, dry_dim dim) {
    char unit[DRY_DIM_TEXT];
    if (!dry_dim_is_known(elab->dims, dim)) return;
    dry_dim_text(elab->dims, dim, unit);
    if (!strcmp(unit, "m/s") || !strcmp(unit, "1/s"))
        DRY_SAY(elab->diag, force->argument_at, GAP_OF_SPEED, force->name, unit);
}

static bool read_argument(dry_elab *elab, dry_force *force, const dry_expr *call, dry_term *v) {
    const int wanted = force->set->size ? 2 : 1;
    if (call->n_args != wanted || call->n_keys) {
        DRY_SAY(elab->diag, call->at, ARGUMENT_COUNT, call->text, wanted == 2 ? "2" : "1",
                dry_diag_text(elab->diag, "%d", call->n_args));
        return false;
    }
    *v = dry_lang__expr(elab, call->arg[0]);
    if (v->bad) return false;
    force->argument_at = call->arg[0]->at;
    if (dry_lang_is_contact(force)) check_gap(elab, force, v->dim);
    const int most = force->set->max_dim;
    bool fits = v->rank == 0 || (v->rank == 1 && most > 1 && v->rows <= most);
    if (!fits)
        DRY_SAY(elab->diag, call->at, BAD_ARGUMENT, call->text,
                most > 2    ? "a number or a vector of 2 or 3"
                : most == 2 ? "a number or a vector of 2"
                            : "a number",
                dry_lang_shape(elab, v));
    return fits;
}

static void inputs(dry_elab *elab, dry_force *force, const dry_term *v) {
    force->dim = dry_lang_is_friction(force) ? v->rows : 1;
    force->n_inputs = dry_lang_is_friction(force) ? v->rows : 2;
    force->input = dry_arena_take(elab->arena, sizeof(dry_node) * (size_t)(force->n_inputs + 1));
    if (!force->input) return;
    for (int k = 0; k < v->rows; k++)
        force->input[k] = dry_term_at(v, k); /* dio: psi, psi_dot = 0 */
    force->dim_argument = v->dim;
}

/* Reads the second argument of a set of positions: h, or the ends [-g, h] of P, whose middle leaves
 * the place. `half`: half of the width. */
static bool read_size(dry_elab *elab, dry_force *force, const dry_expr *call, dry_term *place,
                      dry_node *half) {
    dry_dag *dag = elab->dag;
    const dry_expr *given = call->arg[1];
    const dry_term v = dry_lang__expr(elab, given);
    if (v.bad || !dry_lang__same_dim(elab, given->at, force->set->size, v.dim, place->dim))
        return false;
    if (v.rank > 1 || (v.rank == 1 && v.rows != 2)) {
        DRY_SAY(elab->diag, given->at, SIZE_SHAPE, force->set->name, dry_lang_shape(elab, &v));
        return false;
    }
    for (int k = 0; k < dry_term_size(&v); k++)
        if (dry_dag_depends(dag, dry_term_at(&v, k)) & ~(unsigned)DRY_ON_PAR) {
            DRY_SAY(elab->diag, given->at, SIZE_VARIES, force->name);
            return false;
        }
    *half = dry_term_at(&v, 0);
    if (!v.rank) return true;
    const dry_node low = *half, high = dry_term_at(&v, 1), two = dry_dag_const(dag, 2.0);
    const dry_node middle =
        dry_dag_bin(dag, DRY_OP_DIV, dry_dag_bin(dag, DRY_OP_ADD, low, high), two);
    *half = dry_dag_bin(dag, DRY_OP_DIV, dry_dag_bin(dag, DRY_OP_SUB, high, low), two);
    place->one = dry_dag_bin(dag, DRY_OP_SUB, place->one, middle);
    force->interval.middle = middle;
    return true;
}

static void level_of(dry_elab *elab, dry_force *force, const dry_lang__product *p) {
    double sign = force->sign, value;
    force->chi = p->has_factor ? p->factor.one : dry_dag_const(elab->dag, 1.0);
    force->dim_force = p->has_factor ? p->factor.dim : dry_dim_unknown(elab->dims);
    /* a negative constant in front belongs to the force, not to its level */
    dry_node_view v = dry_dag_view(elab->dag, force->chi);
    if (v.op == DRY_OP_NEG) {
        force->chi = v.args[0];
        sign = -sign;
    } else if (v.op == DRY_OP_CONST && v.value < 0.0) {
        value = -v.value;
        force->chi = dry_dag_const(elab->dag, value);
        sign = -sign;
    }
    force->sign = sign;
}

/* Makes chi half of the width of the interval. A sign that was pulled out of theta goes back,
 * because it would exchange the ends. */
static bool take_ends(dry_elab *elab, dry_force *force, const dry_lang__product *p,
                      const dry_term *argument, bool turned) {
    if (argument->rank || p->has_outer || !force->set->symmetric) {
        DRY_SAY(elab->diag, force->at, LEVEL_NOT_A_NUMBER, dry_lang_shape(elab, &p->interval));
        return false;
    }
    if (p->has_factor)
        force->dim_force = dry_dim_combine(elab->dims, force->dim_force, 1.0, p->interval.dim, 1.0);
    else
        force->dim_force = p->interval.dim;
    if (!dry_lang__two_levels(elab, force, &p->interval)) return false;
    if (turned && force->interval.middle) {
        force->input[0] = dry_dag_un(elab->dag, DRY_OP_NEG, force->input[0]);
        force->sign = -force->sign;
    }
    return true;
}

/* Elaborates the level before the law takes it. */
static bool finish_level(dry_elab *elab, dry_force *force, const dry_symbol *symbol, int k) {
    if (force->interval.middle && force->set->has_level) {
        dry_lang__level_by_side(elab, force);
        set_par(force, "F", force->chi);
    }
    if (!force->set->has_level || symbol->refs < 0) return true;
    const dry_node own = dry_dag_leaf(elab->dag, DRY_OP_REF, symbol->refs + k);
    if (!dry_lang__same_dim(elab, force->at, "level", symbol->value.dim, force->dim_force) ||
        !dry_lang__solve_level(elab, force, own))
        return false;
    set_par(force, "F", force->chi);
    return true;
}

/* A set of positions takes no factor. */
static void say_factor(dry_elab *elab, dry_place at, const dry_set *set) {
    DRY_SAY(elab->diag, at, FACTOR_OF_DIO, set->name, set->ends ? "minus infinity" : "0",
            dry_diag_text(elab->diag, "%s in %s(%s%s%s)", set->force, set->name, set->argument,
                          set->size ? ", " : "", set->size ? set->size : ""),
            set->force);
}

dry_term dry_lang__set_force(dry_elab *elab, const dry_symbol *symbol, int k, const dry_stmt *stmt,
                             const char *name) {
    dry_lang__product p = {.sign = 1.0};
    dry_lang__split(elab, stmt->value, false, &p);
    if (!p.set && !p.bad) DRY_SAY(elab->diag, stmt->at, NO_SET, stmt->name);
    if (!p.set || p.bad) return dry_lang__bad(elab);
    dry_force force = {
        .name = name, .at = stmt->at, .stmt = stmt, .sign = p.sign, .design = nothing_said};
    force.set = dry_set_find(p.set->text);
    const char *lacks = dry_law_of_set(force.set) ? dry_set_lacks(force.set) : "law";
    if (lacks) {
        DRY_SAY(elab->diag, stmt->at, INCOMPLETE_ROW, "set", force.set->name, lacks);
        return dry_lang__bad(elab);
    }
    if (p.has_factor && p.factor.rank) {
        DRY_SAY(elab->diag, stmt->at, LEVEL_NOT_A_NUMBER, dry_lang_shape(elab, &p.factor));
        return dry_lang__bad(elab);
    }
    if ((p.has_factor || p.has_interval || p.has_outer) && !force.set->has_level) {
        say_factor(elab, stmt->at, force.set);
        return dry_lang__bad(elab);
    }
    dry_term argument, inner;
    if (p.has_outer && (!dry_lang__inner_matrix(elab, p.set, &inner) ||
                        !dry_lang__matrices_match(elab, stmt->at, &p.outer, &inner)))
        return dry_lang__bad(elab);
    if (!read_argument(elab, &force, p.set, &argument)) return dry_lang__bad(elab);
    dry_node half = -1;
    if (force.set->size && !read_size(elab, &force, p.set, &argument, &half))
        return dry_lang__bad(elab);
    if (force.set->normal) force.sign = -force.sign;
    const bool whole = p.has_outer && dry_lang__takes_matrix(stmt);
    if (whole) argument = dry_lang__expr(elab, p.set->arg[0]->arg[1]);
    if (force.set->symmetric) dry_lang__strip_argument(elab, &argument, &force.sign);
    inputs(elab, &force, &argument);
    const bool turned = force.sign != p.sign;
    level_of(elab, &force, &p);
    if (p.has_interval && !take_ends(elab, &force, &p, &argument, turned))
        return dry_lang__bad(elab);
    if (whole)
        force.dim_force = dry_dim_combine(elab->dims, p.has_factor ? p.factor.dim : dry_dim_pure(),
                                          1.0, p.outer.dim, 1.0);
    int errors = elab->diag->n_errors;
    if (!force.input || !read_parameters(elab, &force, half) || elab->diag->n_errors > errors ||
        (whole && !dry_lang__give_matrix(elab, &force, &p.outer)) ||
        !dry_lang__note_matrix(elab, &force) || !finish_level(elab, &force, symbol, k))
        return dry_lang__bad(elab);
    if (p.n_factors <= 1) {
        force.stretch.level = p.written.level;
        force.stretch.outer = p.written.outer;
    }
    force.stretch.is_there = p.has_outer;
    const dry_term value = dry_lang__finish_force(elab, &force, argument.rank);
    return p.has_outer && !whole ? dry_lang__unstretched(elab, stmt->at, &p.outer, value) : value;
}

/* ---- elements: name = lugre(v, F = 0.5, ...) --------------------------------------- */

/* Takes the inputs from the arguments: friction v; contact psi [, psi_dot]; both psi [, psi_dot],
 * v. */
static bool element_inputs(dry_elab *elab, dry_force *force, const dry_expr *call, dry_term *v,
                           dry_dim *length) {
    int contact = force->law->kind != DRY_FRICTION, friction = force->law->kind != DRY_CONTACT;
    int least = contact + friction, most = 2 * contact + friction;
    if (force->law->uses_rate) least = most;
    if (call->n_args < least || call->n_args > most) {
        DRY_SAY(elab->diag, call->at, ARGUMENT_COUNT, call->text,
                dry_diag_text(elab->diag, least == most ? "%d" : "%d or one more", least),
                dry_diag_text(elab->diag, "%d", call->n_args));
        return false;
    }
    dry_node nodes[8] = {0};
    int n = 0;
    for (int i = 0; i < call->n_args; i++) {
        *v = dry_lang__expr(elab, call->arg[i]);
        bool is_velocity = friction && i == call->n_args - 1;
        if (v->bad) return false;
        if (v->rank > is_velocity || v->rows > 3) {
            DRY_SAY(elab->diag, call->at, BAD_ARGUMENT, call->text, "a number or a short vector",
                    dry_lang_shape(elab, v));
            return false;
        }
        if (i == 0) *length = v->dim;
        if (contact && i == 1 && call->n_args == least && friction) n++; /* psi_dot is left out */
        for (int k = 0; k < v->rows; k++) nodes[n++] = dry_term_at(v, k);
    }
    force->dim = friction ? v->rows : 1;
    force->n_inputs = dry_law_inputs(force->law, force->dim);
    force->input = dry_arena_take(elab->arena, sizeof nodes);
    if (force->input) memcpy(force->input, nodes, sizeof nodes);
    return force->input != NULL;
}

dry_term dry_lang__element_law(dry_elab *elab, const dry_stmt *stmt, const char *name,
                               const dry_law *law) {
    const dry_expr *call = stmt->value;
    dry_force force = {.name = name,
                       .at = stmt->at,
                       .stmt = stmt,
                       .argument_at = call->at,
                       .law = law,
                       .sign = 1.0,
                       .chi = -1,
                       .design = nothing_said};
    dry_term v;
    dry_dim length;
    if (!element_inputs(elab, &force, call, &v, &length)) return dry_lang__bad(elab);
    if (law->kind == DRY_FRICTION)
        length = dry_dim_combine(elab->dims, v.dim, 1.0, dry_dim_seconds(1.0), 1.0);
    if (law->kind != DRY_CONTACT && force.dim > law->max_dim) {
        DRY_SAY(elab->diag, call->at, TOO_MANY_DIMENSIONS, law->name,
                dry_diag_text(elab->diag, "%d", law->max_dim));
        return dry_lang__bad(elab);
    }
    force.dim_force = dry_dim_unknown(elab->dims);
    force.dim_argument = v.dim;
    int errors = elab->diag->n_errors;
    if (!dry_lang__pack_law(elab, &force, call->key, call->n_keys, length))
        return dry_lang__bad(elab);
    dry_lang_check_law(elab, &force);
    if (elab->diag->n_errors > errors) return dry_lang__bad(elab);
    return dry_lang__finish_force(elab, &force, v.rank || law->kind == DRY_FRICTIONAL_CONTACT);
}
