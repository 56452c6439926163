/* parts: turns `part` and `connect` into a net of parts (net.h). The equations then use the numbers
 * of the net.
 *
 * The values of a part or a connection are constants of the run: numbers from parameters, or words.
 * The net collects its mistakes (part_mistakes.c). */
#include "lang_private.h"

#include <drystone/body.h>
#include <drystone/math.h>
#include <drystone/urdf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds ---------------------------------------------------------------------------- */

static void unknown_kind(dry_elab *elab, const dry_expr *call) {
    const int n = dry_part_kind_count();
    const char **names = dry_heap_take(elab->arena, (size_t)n, sizeof *names);
    DRY_SAY(elab->diag, call->at, UNKNOWN_KIND, call->text);
    for (int i = 0; names && i < n; i++) names[i] = dry_part_kind_at(i)->name;
    const char *nearest = names ? dry_diag_nearest(call->text, names, n) : NULL;
    if (nearest) dry_diag_mean(elab->diag, nearest);
    free((void *)names);
}

/* ---- part ------------------------------------------------------------------------------- */

/* k: from 0 */
static bool take_element(dry_elab *elab, const dry_stmt *stmt, dry_symbol *symbol,
                         const char **name, int *k) {
    *k = 0;
    *name = stmt->name;
    if (!stmt->index) return true;
    if (!dry_lang__integer(elab, stmt->index, "an index", 1, symbol->n_elements, k)) return false;
    *name = dry_diag_text(elab->diag, "%s[%d]", stmt->name, (*k)--);
    if (symbol->element_done[*k]) {
        DRY_SAY(elab->diag, stmt->at, ELEMENT_TWICE, *name);
        return false;
    }
    symbol->element_done[*k] = true;
    return true;
}

/* Notes that the parts from index `first` on come from element k of the symbol. */
static void note_owners(dry_elab *elab, dry_symbol *symbol, int k, int first, dry_place at) {
    const int n = dry_net_part_count(elab->scene.net);
    if (n > first) symbol->part[k] = first;
    for (int i = first; i < n; i++) {
        dry_owner *owner = DRY_GROW(elab->arena, &elab->scene, owner);
        if (owner)
            *owner = (dry_owner){.symbol = (int)(symbol - elab->names.symbol),
                                 .at = at,
                                 .first_wire = -1,
                                 .last_wire = -1};
    }
}

static void part_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    dry_symbol *symbol = user;
    const dry_expr *call = stmt->value;
    const char *name;
    int k;
    if (!take_element(elab, stmt, symbol, &name, &k)) return;
    const dry_kind *kind = dry_part_kind_find(call->text);
    if (!kind) {
        unknown_kind(elab, call);
        return;
    }
    int n;
    const dry_value *values = dry_lang__part_values(elab, call, kind, name, &n);
    if (!values || !dry_lang__has_room(elab, stmt->at)) return;
    const int before = dry_net_mistake_count(elab->scene.net);
    const int first = dry_net_part_count(elab->scene.net);
    if (kind == dry_lang__gravity())
        dry_lang__set_gravity(elab, stmt, values, n);
    else
        dry_net_make(elab->scene.net, name, kind, values, n);
    note_owners(elab, symbol, k, first, stmt->at);
    for (int i = before; i < dry_net_mistake_count(elab->scene.net); i++)
        dry_lang__say_part_mistake(elab, stmt, dry_net_mistake(elab->scene.net, i));
}

static void make_parts(dry_elab *elab, dry_symbol *symbol) {
    const int errors = elab->diag->n_errors;
    symbol->part =
        dry_arena_take(elab->arena, sizeof *symbol->part * (size_t)(symbol->n_elements + 1));
    for (int k = 0; symbol->part && k < symbol->n_elements; k++) symbol->part[k] = -1;
    if (symbol->value.bad || !symbol->part) return;
    for (int i = 0; i < symbol->n_stmts; i++)
        dry_lang__loop(elab, symbol->more[i], part_one, symbol);
    if (!symbol->indexed || elab->diag->n_errors > errors) return;
    for (int k = 0; k < symbol->n_elements; k++)
        if (!symbol->element_done[k])
            DRY_SAY(elab->diag, symbol->at, ELEMENT_MISSING,
                    dry_diag_text(elab->diag, "%s[%d]", symbol->name, k + 1));
}

/* ---- names of ports and quantities ------------------------------------------------------- */

/* Returns the index of element k of a part of the text, or of a part that a kind made. */
static int index_of(const dry_elab *elab, const dry_symbol *symbol, const char *name, int k) {
    if (!symbol) return elab->scene.net ? dry_net_part_find(elab->scene.net, name) : -1;
    return symbol->kind == DRY_SYM_PART && symbol->part ? symbol->part[k] : -1;
}

bool dry_lang__part_ref(dry_elab *elab, const dry_expr *expr, dry_part_ref *ref) {
    const bool member = expr->kind == DRY_EX_MEMBER, nested = member && expr->n_args;
    const dry_expr *base = nested ? expr->arg[0] : expr;
    const bool element = base->kind == DRY_EX_INDEX;
    int k = 1;
    *ref = (dry_part_ref){.base = element ? base->arg[0]->text : base->text,
                          .member = member ? expr->member : NULL};
    const dry_symbol *symbol = dry_lang_find(elab, ref->base);
    if (element && (base->n_args != 2 || !symbol || !symbol->indexed)) {
        DRY_SAY(elab->diag, base->at, NOT_INDEXABLE, "a single part");
        return false;
    }
    if (element && !dry_lang__integer(elab, base->arg[1], "an index", 1, symbol->n_elements, &k))
        return false;
    ref->name = element ? dry_diag_text(elab->diag, "%s[%d]", ref->base, k) : ref->base;
    ref->text = member ? dry_diag_text(elab->diag, "%s.%s", ref->name, ref->member) : ref->name;
    ref->part = index_of(elab, symbol, ref->name, k - 1);
    return true;
}

const dry_member *dry_lang__named_member(dry_elab *elab, const dry_part_ref *ref) {
    dry_member *member = dry_arena_take(elab->arena, sizeof *member);
    if (member)
        *member = (dry_member){.part = ref->part, .name = ref->part < 0 ? ref->text : ref->member};
    return member;
}

bool dry_lang__is_made(const dry_elab *elab, const char *name) {
    enum { LONGEST = 200 };
    const size_t length = strlen(name);
    for (size_t n = elab->scene.net && length < LONGEST ? length : 0; n-- > 1;) {
        const char *head = name[n] == '_' ? dry_arena_text(elab->arena, name, n) : NULL;
        const dry_symbol *symbol = head ? dry_lang_find(elab, head) : NULL;
        if (symbol && symbol->kind == DRY_SYM_PART) return true;
    }
    return false;
}

static void unknown_part(dry_elab *elab, dry_place at, const char *name) {
    if (dry_lang__lost(elab, name)) return;
    DRY_SAY(elab->diag, at, UNKNOWN_PART, name);
    if (!elab->diag->fresh) return;
    const char **names =
        dry_heap_take(elab->arena, (size_t)(elab->names.n_symbols + 1), sizeof *names);
    int n = 0;
    for (int i = 0; names && i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_PART) names[n++] = elab->names.symbol[i].name;
    const char *nearest = names ? dry_diag_nearest(name, names, n) : NULL;
    if (nearest) dry_diag_mean(elab->diag, nearest);
    free((void *)names);
}

bool dry_lang__is_part(dry_elab *elab, const dry_expr *port) {
    const dry_expr *base = port->kind == DRY_EX_MEMBER && port->n_args ? port->arg[0] : port;
    const bool element = base->kind == DRY_EX_INDEX;
    if (element) base = base->arg[0];
    const dry_symbol *symbol = dry_lang_find(elab, base->text);
    if (symbol && symbol->kind == DRY_SYM_PART && symbol->indexed && !element) {
        DRY_SAY(elab->diag, base->at, WIRING,
                dry_diag_text(elab->diag, "%s has elements: choose one, such as %s[1]",
                              symbol->name, symbol->name));
        return false;
    }
    if (symbol && symbol->kind == DRY_SYM_PART) return true;
    if (!symbol && dry_lang__is_made(elab, base->text)) return true;
    if (!symbol)
        unknown_part(elab, base->at, base->text);
    else
        DRY_SAY(elab->diag, base->at, NOT_A_PORT, "");
    return false;
}

/* ---- connect ------------------------------------------------------------------------------ */

/* Returns true for a length, or for an angle on a coordinate in rad. */
static bool is_place(dry_elab *elab, const dry_expr *expr, dry_dim dim) {
    if (dry_dim_is_known(elab->dims, dim) && dry_dim_unify(elab->dims, dim, dry_dim_pure()))
        return true;
    return dry_lang__same_dim(elab, expr->at, "at", dim, dry_lang_unit_dim(elab, "m"));
}

static bool end_numbers(dry_elab *elab, const dry_expr *expr, const char *what, const char *unit,
                        int n, const char *wanted, double *to) {
    dry_numbers numbers;
    const bool place = !strcmp(what, "at");
    if (!dry_lang__numbers(elab, expr, what, unit, &numbers)) return false;
    if (place && !is_place(elab, expr, numbers.dim)) return false;
    double square = 0.0;
    for (int i = 0; i < numbers.count && i < n; i++) {
        to[i] = numbers.value[i];
        square += to[i] * to[i];
    }
    if (numbers.count == n && isfinite(square) && (place || square > 0.0)) return true;
    DRY_SAY(elab->diag, expr->at, BAD_END, what, wanted);
    return false;
}

/* Computes the shortest rotation of z onto the direction n: q = (1 + n_z, z x n) of length 1. */
static void turn_of_normal(const double *n, double *q) {
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double x = n[0] / length, y = n[1] / length, z = n[2] / length;
    const double w = sqrt(0.5 * dry_pos(1.0 + z));
    if (w > 1e-8) {
        const double turn[4] = {w, -0.5 * y / w, 0.5 * x / w, 0.0};
        memcpy(q, turn, sizeof turn);
    } else { /* upside down */
        const double turn[4] = {0.0, 1.0, 0.0, 0.0};
        memcpy(q, turn, sizeof turn);
    }
}

static bool read_end(dry_elab *elab, const dry_end_expr *from, dry_end *end, const char **name) {
    const bool world = from->port->kind == DRY_EX_NAME && !strcmp(from->port->text, "world");
    double normal[3] = {0};
    if (!world && !dry_lang__is_part(elab, from->port)) return false;
    dry_part_ref ref = {0};
    if (!world && !dry_lang__part_ref(elab, from->port, &ref)) return false;
    if (!world) end->member = dry_lang__named_member(elab, &ref);
    *name = ref.text;
    if (from->at && !end_numbers(elab, from->at, "at", NULL, 3, "a vector of 3", end->at))
        return false;
    if (from->axes && from->normal) {
        DRY_SAY(elab->diag, from->normal->at, BAD_END, "normal", "given without axes");
        return false;
    }
    if (from->axes) {
        if (!end_numbers(elab, from->axes, "axes", "", 4, "a quaternion", end->turn)) return false;
        if (!dry_quat_is_turn(end->turn)) {
            DRY_SAY(elab->diag, from->axes->at, BAD_END, "axes", "a quaternion of length 1");
            return false;
        }
        dry_quat_normalise(end->turn);
    }
    if (from->normal) {
        if (!end_numbers(elab, from->normal, "normal", NULL, 3, "a vector of 3, not zero", normal))
            return false;
        turn_of_normal(normal, end->turn);
    }
    return true;
}

static void connect_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    (void)user;
    dry_end end[2] = {{0}};
    const char *name[2] = {NULL, NULL};
    bool good = dry_lang__is_part(elab, stmt->target);
    for (int i = 0; i < stmt->n_ends; i++)
        good = read_end(elab, &stmt->end[i], &end[i], &name[i]) && good;
    dry_part_ref of;
    if (!good || !dry_lang__part_ref(elab, stmt->target, &of)) return;
    dry_wire *wire =
        dry_lang__has_room(elab, stmt->at) ? DRY_GROW(elab->arena, &elab->scene, wire) : NULL;
    if (!wire) return;
    *wire = (dry_wire){.of = of,
                       .end = name[0],
                       .other = name[1],
                       .at = stmt->at,
                       .reach = fmax(dry_norm(3, end[0].at), dry_norm(3, end[1].at)),
                       .next = -1};
    const dry_member *port = dry_lang__named_member(elab, &of);
    if (!port) return;
    const int number = dry_net_connect_member(elab->scene.net, *port, end[0], end[1]);
    if (elab->scene.n_wires == 1) elab->scene.first_connection = number;
}

/* ---- the net --------------------------------------------------------------------------------- */

static bool has_parts(const dry_elab *elab) {
    for (int i = 0; i < elab->tree.n; i++)
        if (elab->tree.stmt[i].kind == DRY_ST_PART || elab->tree.stmt[i].kind == DRY_ST_CONNECT)
            return true;
    return false;
}

static void each(dry_elab *elab, dry_st kind, dry_loop_fn *body) {
    for (int i = 0; i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        if (stmt->kind == kind && stmt->target) dry_lang__loop(elab, stmt, body, NULL);
    }
}

/* Evaluates the net at its start, for the checks. */
static bool evaluate_start(dry_elab *elab) {
    const dry_system *system = elab->scene.net_system;
    elab->scene.net_work = dry_heap_take(elab->arena, 1, system->work_size + 1);
    elab->scene.net_x =
        dry_heap_take(elab->arena, (size_t)system->n_states + 1, sizeof *elab->scene.net_x);
    elab->scene.net_y =
        dry_heap_take(elab->arena, (size_t)system->n_outputs + 1, sizeof *elab->scene.net_y);
    if (!elab->scene.net_work || !elab->scene.net_x || !elab->scene.net_y) return false;
    elab->scene.net_env =
        (dry_env){.model = system->model, .par = system->par, .work = elab->scene.net_work};
    if (system->prepare) system->prepare(&elab->scene.net_env);
    system->start(&elab->scene.net_env, 0.0, elab->scene.net_x);
    if (system->output)
        system->output(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x, elab->scene.net_y);
    dry_net_forces(&elab->scene.net_env, 0.0, 0.0, elab->scene.net_x);
    return true;
}

static void make_net(dry_elab *elab) {
    const int errors = elab->diag->n_errors;
    elab->scope.only_params = true;
    elab->scope.only_what = "a key of a part";
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_PART) make_parts(elab, &elab->names.symbol[i]);
    each(elab, DRY_ST_CONNECT, connect_one);
    each(elab, DRY_ST_INIT, dry_lang__start_one);
    if (elab->diag->n_errors == errors) dry_lang__set_rest(elab);
    elab->scope.only_params = false;
}

/* Runs the checks that need the start of the model, once the start is in order. */
static void check_net(dry_elab *elab) {
    dry_lang__check_starts(elab);
    dry_lang__check_gravity(elab);
}

/* Gives each part its connections in the order of the text, once all parts are known. */
static void list_wires(dry_elab *elab) {
    dry_scene *scene = &elab->scene;
    for (int i = 0; i < scene->n_wires; i++) {
        const dry_part_ref *of = &scene->wire[i].of;
        if (of->part < 0) continue;
        dry_owner *owner = &scene->owner[of->part];
        if (owner->last_wire < 0)
            owner->first_wire = i;
        else
            scene->wire[owner->last_wire].next = i;
        owner->last_wire = i;
    }
}

static void build_net(dry_elab *elab) {
    const dry_net_options options = {.name = "net",
                                     .threads = elab->options->threads,
                                     .account = true,
                                     .choose = elab->scene.choose};
    dry_error error = {0};
    const int before = dry_net_mistake_count(elab->scene.net);
    const dry_status status =
        dry_net_system(elab->scene.net, &options, &elab->scene.net_system, &error);
    if (status != DRY_NO_MEMORY && !dry_arena_failed(elab->arena)) list_wires(elab);
    if (status == DRY_NO_MEMORY || (elab->scene.net_system && !evaluate_start(elab)))
        dry_arena_fail(elab->arena);
    else if (!elab->scene.net_system)
        dry_lang__say_mistakes(elab, before);
    else
        check_net(elab);
}

void dry_lang_parts(dry_elab *elab) {
    if (!has_parts(elab)) return;
    const int errors = elab->diag->n_errors;
    const size_t n_settings = (size_t)elab->options->n_settings;
    elab->scene.net = dry_net_new();
    elab->scene.setting_used = dry_arena_take(elab->arena, n_settings + 1);
    if (!elab->scene.net) dry_arena_fail(elab->arena);
    if (!elab->scene.net || !elab->scene.setting_used) return;
    make_net(elab);
    if (elab->diag->n_errors == errors && !dry_lang__is_only_gravity(elab)) build_net(elab);
}

void dry_lang_leave_start(dry_elab *elab) {
    free(elab->scene.net_work);
    free(elab->scene.net_y);
    elab->scene.net_work = elab->scene.net_y = NULL;
}

void dry_lang_free_parts(dry_elab *elab) {
    dry_lang_leave_start(elab);
    dry_net_free(elab->scene.net);
    free(elab->scene.net_x);
    free(elab->scene.owner);
    free(elab->scene.wire);
    free(elab->scene.part_start);
    free(elab->scene.outer);
    free(elab->scene.thrust);
    for (int i = 0; i < DRY_N_WHERES; i++) free(elab->scene.outer_at[i]);
}
