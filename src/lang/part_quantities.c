/* part_quantities: numbers of the parts in expressions (ball.p[3], arm.tip.v, spring.f), and the
 * forces that equations add to the parts (ball.f += ...).
 *
 * A number of a part is a leaf that the equations do not compute. The system of the whole model
 * fills it in before it runs the equations (model/equations_and_parts.c). */
#include "lang_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers of the net as leaves ---------------------------------------------------- */

/* A quantity of the net: `count` numbers from `index` on. */
typedef struct found {
    int part;
    const char *member; /* as the text writes it */
    dry_net_where where;
    int index, count;
    dry_dim dim;
    const char *unit; /* unit of each number; NULL if the net has a unit for each number */
} found;

static int *slot_of(dry_elab *elab, dry_net_where where, int index) {
    int *room = &elab->scene.outer_at_room[where];
    if (index >= *room) {
        const int more = 2 * index + 64;
        int *grown =
            dry_heap_grow(elab->arena, elab->scene.outer_at[where], sizeof *grown * (size_t)more);
        if (!grown) return NULL;
        memset(grown + *room, 0, sizeof *grown * (size_t)(more - *room));
        elab->scene.outer_at[where] = grown;
        *room = more;
    }
    return &elab->scene.outer_at[where][index];
}

static double start_of(const dry_elab *elab, dry_net_where where, int index) {
    if (where == DRY_IN_OUTPUT) return elab->scene.net_y[index];
    const dry_net_found spot = {where, index, 1, ""};
    return *dry_net_read(&elab->scene.net_env, elab->scene.net_x, spot);
}

static const char *unit_of(const dry_elab *elab, const found *f, int k) {
    const dry_system *net = elab->scene.net_system;
    if (f->unit) return f->unit;
    return (f->where == DRY_IN_OUTPUT ? net->outputs : net->states)[f->index + k].unit;
}

/* Returns the leaf of number k of a quantity of the net. */
static dry_node leaf_of(dry_elab *elab, const char *name, const found *f, int k, dry_place at) {
    const int index = f->index + k;
    int *slot = slot_of(elab, f->where, index);
    if (slot && !*slot) {
        const int ref = dry_lang__new_ref(elab, at);
        dry_outer *outer = ref >= 0 ? DRY_GROW(elab->arena, &elab->scene, outer) : NULL;
        if (outer) {
            if (f->count > 1) name = dry_diag_text(elab->diag, "%s[%d]", name, k + 1);
            *outer = (dry_outer){.name = name,
                                 .part = f->part,
                                 .member = f->member,
                                 .unit = unit_of(elab, f, k),
                                 .where = f->where,
                                 .index = index,
                                 .ref = ref,
                                 .start = start_of(elab, f->where, index)};
            *slot = elab->scene.n_outers;
        }
    }
    if (slot && *slot) return dry_dag_leaf(elab->dag, DRY_OP_REF, elab->scene.outer[*slot - 1].ref);
    dry_lang__spend(elab, at, 1e300);
    return 0;
}

void dry_lang_bind_outers(dry_elab *elab) {
    for (int i = 0; i < elab->scene.n_outers; i++)
        elab->quantities.ref[elab->scene.outer[i].ref] =
            dry_dag_leaf(elab->dag, DRY_OP_STATE, elab->quantities.n_states + i);
}

/* ---- results, which no rate can use ------------------------------------------------------ */

static void refuse_result(const dry_elab *elab, const dry_outer *outer) {
    const char *part;
    (void)dry_net_part_at(elab->scene.net, outer->part, &part);
    DRY_SAY(elab->diag, elab->quantities.ref_at[outer->ref], RESULT_ONLY, outer->name);
    if (!strcmp(outer->member, "angle"))
        dry_diag_way_out(elab->diag,
                         "connect a part to the hinge, whose p is the angle and v its rate: "
                         "part sensor = rotary_motor(), connect sensor - %s",
                         part);
}

void dry_lang_check_outers(dry_elab *elab, const unsigned char *mark) {
    for (int i = 0; i < elab->scene.n_outers; i++) {
        const dry_outer *outer = &elab->scene.outer[i];
        const dry_node leaf = dry_dag_leaf(elab->dag, DRY_OP_STATE, elab->quantities.n_states + i);
        if (outer->where == DRY_IN_OUTPUT && mark[leaf]) refuse_result(elab, outer);
    }
}

static void note_result(void *user, int index) {
    const dry_elab *elab = *(const dry_elab *const *)user;
    const int i = index - elab->quantities.n_states;
    if (i >= 0 && elab->scene.outer[i].where == DRY_IN_OUTPUT)
        refuse_result(elab, &elab->scene.outer[i]);
}

void dry_lang_refuse_results(const dry_elab *elab, dry_node node) {
    dry_leaves leaves = {0};
    if (!elab->scene.n_outers || !(dry_dag_depends(elab->dag, node) & DRY_ON_STATE)) return;
    if (dry_leaves_size(&leaves, elab->dag)) dry_leaves_of(&leaves, node, note_result, &elab);
    dry_leaves_free(&leaves);
}

/* ---- which nodes need the net --------------------------------------------------------------- */

typedef struct search {
    int first;
    bool found;
} search;

static void note(void *user, int index) {
    search *s = user;
    s->found = s->found || index >= s->first;
}

bool dry_lang_needs_outer(const dry_elab *elab, dry_node node) {
    search s = {.first = elab->quantities.n_states};
    dry_leaves leaves = {0};
    if (!elab->scene.n_outers || !(dry_dag_depends(elab->dag, node) & DRY_ON_STATE)) return false;
    if (dry_leaves_size(&leaves, elab->dag)) dry_leaves_of(&leaves, node, note, &s);
    dry_leaves_free(&leaves);
    return s.found;
}

int dry_lang_all_states(const dry_elab *elab) {
    return elab->quantities.n_states +
           (elab->scene.net_system ? elab->scene.net_system->n_states : 0);
}

/* ---- quantities of parts ---------------------------------------------------------------- */

/* Returns the common dimension of `count` quantities. It is `any` if they differ: q of a robot has
 * angles and lengths. */
static dry_dim common_dim(dry_elab *elab, const dry_quantity *all, int count) {
    for (int i = 1; i < count; i++)
        if (strcmp(all[i].unit, all[0].unit) != 0) return dry_dim_any();
    return dry_lang_unit_dim(elab, all[0].unit);
}

dry_dim dry_lang__states_dim(dry_elab *elab, const dry_net_found *spot) {
    return common_dim(elab, elab->scene.net_system->states + spot->index, spot->count);
}

/* Returns the quantity that the net has found. */
static found found_at(dry_elab *elab, int part, const char *member, const dry_net_found *spot) {
    const dry_system *net = elab->scene.net_system;
    found f = {.part = part,
               .member = member,
               .where = spot->where,
               .index = spot->index,
               .count = spot->count};
    if (spot->where == DRY_IN_STATE)
        f.dim = dry_lang__states_dim(elab, spot);
    else if (spot->where == DRY_IN_OUTPUT)
        f.dim = common_dim(elab, net->outputs + spot->index, spot->count);
    else
        f.dim = dry_lang_unit_dim(elab, f.unit = spot->unit);
    return f;
}

/* A list of names without duplicates. */
typedef struct list {
    char text[300];
} list;

static void add_name(void *user, const dry_net_quantity *quantity) {
    list *l = user;
    char name[64];
    const size_t length = strlen(l->text);
    snprintf(name, sizeof name, " %.*s,", quantity->length, quantity->name);
    if (!strstr(l->text, name)) snprintf(l->text + length, sizeof l->text - length, "%s", name);
}

static void unknown_quantity(dry_elab *elab, const dry_part_ref *ref, dry_place at) {
    list l = {""};
    DRY_SAY(elab->diag, at, UNKNOWN_QUANTITY, ref->name, ref->member);
    if (ref->part >= 0) dry_net_each_quantity(elab->scene.net, ref->part, add_name, &l);
    if (l.text[0]) dry_diag_way_out(elab->diag, "it has%.*s", (int)strlen(l.text) - 1, l.text);
}

static dry_term term_of(dry_elab *elab, const char *name, const found *f, dry_place at) {
    if (f->count == 1) return dry_lang__scalar(elab, leaf_of(elab, name, f, 0, at), f->dim);
    dry_term v = dry_lang__array(elab, 1, f->count, 1, f->dim);
    for (int k = 0; !v.bad && k < f->count; k++) v.many[k] = leaf_of(elab, name, f, k, at);
    return v;
}

/* Returns the term of a quantity that the net has found. */
static dry_term placed(dry_elab *elab, const dry_part_ref *ref, bool known,
                       const dry_net_found *spot, dry_place at) {
    if (!known) {
        unknown_quantity(elab, ref, at);
        return dry_lang__bad(elab);
    }
    const found f = found_at(elab, ref->part, ref->member, spot);
    return term_of(elab, dry_diag_text(elab->diag, "%s.%s", ref->name, ref->member), &f, at);
}

static dry_term quantity(dry_elab *elab, const dry_part_ref *ref, dry_place at) {
    dry_net_found spot = {0};
    const bool known =
        ref->part >= 0 && dry_net_find_in(elab->scene.net, ref->part, ref->member, &spot);
    return placed(elab, ref, known, &spot, at);
}

/* Returns ball.p of every element of an indexed part, stacked. */
static dry_term quantity_of_all(dry_elab *elab, const dry_expr *expr, const dry_symbol *symbol) {
    dry_term all = {0};
    for (int i = 0; i < symbol->n_elements; i++) {
        const dry_part_ref ref = {.name = dry_diag_text(elab->diag, "%s[%d]", symbol->name, i + 1),
                                  .member = expr->member,
                                  .part = symbol->part[i]};
        dry_term v = quantity(elab, &ref, expr->at);
        if (v.bad) return v;
        if (!i)
            all = dry_lang__array(elab, v.rank + 1, symbol->n_elements, v.rank ? v.rows : 1, v.dim);
        if (all.bad || dry_term_size(&v) != all.cols) return dry_lang__bad(elab);
        for (int k = 0; k < all.cols; k++) all.many[i * all.cols + k] = dry_term_at(&v, k);
    }
    return symbol->n_elements ? all : dry_lang__bad(elab);
}

static bool is_out_of_reach(dry_elab *elab, const dry_expr *expr, const char *name) {
    if (elab->scope.only_params)
        DRY_SAY(elab->diag, expr->at, ONLY_PARAMS, elab->scope.only_what, name);
    return elab->scope.only_params || !elab->scene.net_system; /* its mistakes have been reported */
}

dry_term dry_lang__made_member(dry_elab *elab, const dry_expr *expr) {
    if (is_out_of_reach(elab, expr, expr->text)) return dry_lang__bad(elab);
    const dry_part_ref ref = {.name = expr->text,
                              .member = expr->member,
                              .part = dry_net_part_find(elab->scene.net, expr->text)};
    return quantity(elab, &ref, expr->at);
}

/* touch.ball[i].f: the effect of a part on one of the parts that are connected to it. */
static dry_term of_element(dry_elab *elab, const dry_expr *expr, const dry_symbol *symbol) {
    const dry_expr *element = expr->arg[0];
    const dry_symbol *body = dry_lang_find(elab, element->arg[0]->member);
    dry_net_found spot = {0};
    int k;
    if (!dry_lang__integer(elab, element->arg[1], "an index", 1, 1 << 30, &k))
        return dry_lang__bad(elab);
    const dry_part_ref ref = {
        .name = symbol->name,
        .member = dry_diag_text(elab->diag, "%s[%d].%s", element->arg[0]->member, k, expr->member),
        .part = symbol->part[0]};
    const bool is_body = body && body->kind == DRY_SYM_PART && body->indexed && body->part &&
                         k <= body->n_elements && ref.part >= 0;
    const dry_member on = {.part = is_body ? body->part[k - 1] : -1, .name = expr->member};
    const bool known = is_body && dry_net_find_on(elab->scene.net, ref.part, on, &spot);
    return placed(elab, &ref, known, &spot, expr->at);
}

dry_term dry_lang__part_member(dry_elab *elab, const dry_expr *expr, dry_symbol *symbol) {
    if (is_out_of_reach(elab, expr, symbol->name) || symbol->value.bad) return dry_lang__bad(elab);
    symbol->used = true;
    if (symbol->indexed && !expr->n_args) return quantity_of_all(elab, expr, symbol);
    if (expr->n_args && expr->arg[0]->arg[0]->kind == DRY_EX_MEMBER)
        return of_element(elab, expr, symbol);
    dry_part_ref ref;
    return dry_lang__part_ref(elab, expr, &ref) ? quantity(elab, &ref, expr->at)
                                                : dry_lang__bad(elab);
}

/* ---- pushes ----------------------------------------------------------------------------- */

static void add_thrust(dry_elab *elab, dry_thrust new) {
    dry_thrust *thrust = DRY_GROW(elab->arena, &elab->scene, thrust);
    if (thrust) *thrust = new;
}

/* Returns the velocity that belongs to a force: their product is a power. */
static dry_term speed_of(dry_elab *elab, const dry_part_ref *ref, const dry_net_found_push *push,
                         dry_place at) {
    const char *part;
    const dry_port *port =
        &dry_net_part_at(elab->scene.net, ref->part, &part)->ports[push->port.port];
    const char *name = dry_diag_text(elab->diag, "%s%s%s.%s", part, *port->name ? "." : "",
                                     port->name, push->velocity);
    const found f = found_at(elab, ref->part, push->velocity, &push->speed);
    return term_of(elab, name, &f, at);
}

static void push_shape(dry_elab *elab, const dry_stmt *stmt, const char *name, int count,
                       const dry_term *v) {
    DRY_SAY(elab->diag, stmt->value->at, PUSH_SHAPE, name,
            count == 1 ? "a number" : dry_diag_text(elab->diag, "a vector of %d", count),
            dry_lang_shape(elab, v));
}

/* ball.f += expression, ball.f[3] += expression */
static void push_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    (void)user;
    const dry_expr *left = stmt->target;
    const bool component = left->kind == DRY_EX_INDEX;
    int k = 1;
    if (component) left = left->arg[0];
    const dry_expr *base = left->n_args ? left->arg[0]->arg[0] : left;
    const dry_symbol *symbol = dry_lang_find(elab, base->text);
    if (!symbol) dry_lang__unknown(elab, base->at, base->text);
    dry_part_ref ref;
    if (!symbol || !dry_lang__part_ref(elab, left, &ref) ||
        (symbol->kind == DRY_SYM_PART && !elab->scene.net_system))
        return;
    dry_net_found_push push;
    if (ref.part < 0 || !ref.member ||
        !dry_net_push_find(elab->scene.net, ref.part, ref.member, &push)) {
        DRY_SAY(elab->diag, stmt->at, BAD_PUSH, dry_diag_text(elab->diag, "`%s`", ref.text));
        return;
    }
    int count = push.count;
    if (component && !dry_lang__integer(elab, stmt->target->arg[1], "an index", 1, count, &k))
        return;
    const dry_dim dim = dry_lang_unit_dim(elab, push.unit);
    dry_term v = dry_lang__expr(elab, stmt->value);
    if (v.bad || !dry_lang__same_dim(elab, stmt->at, "force on a part", dim, v.dim)) return;
    if (component) count = 1;
    if (v.rank > 1 || v.rows != count || (component && v.rank)) {
        push_shape(elab, stmt, ref.text, count, &v);
        return;
    }
    const dry_term speed = speed_of(elab, &ref, &push, stmt->at);
    for (int i = 0; !speed.bad && i < count; i++)
        add_thrust(elab, (dry_thrust){.first = push.first + k - 1 + i,
                                      .node = dry_term_at(&v, i),
                                      .speed = dry_term_at(&speed, k - 1 + i),
                                      .name = ref.text,
                                      .port = push.port,
                                      .at = stmt->at});
}

/* Adds the work of the equations on the parts as one more state, because the energy account needs
 * it. */
static void add_work(dry_elab *elab) {
    dry_node power = 0;
    for (int i = 0; i < elab->scene.n_thrusts; i++)
        power = dry_dag_bin(elab->dag, DRY_OP_ADD, power,
                            dry_dag_bin(elab->dag, DRY_OP_MUL, elab->scene.thrust[i].node,
                                        elab->scene.thrust[i].speed));
    dry_state_info *state =
        elab->scene.n_thrusts ? DRY_GROW(elab->arena, &elab->quantities, state) : NULL;
    if (!state) return;
    *state = (dry_state_info){
        .name = DRY_PUSH_WORK, .dim = dry_lang_unit_dim(elab, "J"), .rate = power, .symbol = -1};
    elab->quantities.push_work = elab->quantities.n_states - 1;
}

/* Returns what a drive with the effort E can do at the speed v, with its fastest speed V, in one
 * direction:
 *     E min(1, max(0, (V - v)/(0.05 V)))
 * all of it up to 95 % of V, and nothing from V on. V = 0: E. */
static dry_node strength(dry_elab *elab, const dry_port *port, dry_node v) {
    dry_dag *dag = elab->dag;
    const dry_node E = dry_dag_const(dag, port->effort), V = dry_dag_const(dag, port->fastest);
    if (!(port->fastest > 0.0)) return E;
    const dry_node share = dry_dag_bin(dag, DRY_OP_DIV, dry_dag_bin(dag, DRY_OP_SUB, V, v),
                                       dry_dag_const(dag, 0.05 * port->fastest));
    const dry_node left = dry_dag_bin(dag, DRY_OP_MAX, dry_dag_const(dag, 0.0), share);
    return dry_dag_bin(dag, DRY_OP_MUL, E,
                       dry_dag_bin(dag, DRY_OP_MIN, dry_dag_const(dag, 1.0), left));
}

/* Limits the sum of all pushes at one port to what the drive there can do. The first push becomes
 * the whole sum; the others become zero. */
static void bound_drive(dry_elab *elab, int first, const dry_port *port) {
    dry_dag *dag = elab->dag;
    dry_node sum = elab->scene.thrust[first].node;
    const dry_node v = elab->scene.thrust[first].speed;
    for (int i = first + 1; i < elab->scene.n_thrusts; i++) {
        if (elab->scene.thrust[i].first != elab->scene.thrust[first].first) continue;
        sum = dry_dag_bin(dag, DRY_OP_ADD, sum, elab->scene.thrust[i].node);
        elab->scene.thrust[i].node = dry_dag_const(dag, 0.0);
    }
    const dry_node most = strength(elab, port, v);
    const dry_node least = strength(elab, port, dry_dag_un(dag, DRY_OP_NEG, v));
    elab->scene.thrust[first].node =
        dry_dag_bin(dag, DRY_OP_MIN, most,
                    dry_dag_bin(dag, DRY_OP_MAX, dry_dag_un(dag, DRY_OP_NEG, least), sum));
}

static void bound_drives(dry_elab *elab) {
    for (int i = 0; i < elab->scene.n_thrusts; i++) {
        const dry_net_port *at = &elab->scene.thrust[i].port;
        const char *name;
        const dry_port *port = &dry_net_part_at(elab->scene.net, at->part, &name)->ports[at->port];
        bool first = port->effort > 0.0;
        for (int k = 0; first && k < i; k++)
            first = elab->scene.thrust[k].first != elab->scene.thrust[i].first;
        if (first) bound_drive(elab, i, port);
    }
}

void dry_lang_pushes(dry_elab *elab) {
    for (int i = 0; i < elab->tree.n; i++)
        if (elab->tree.stmt[i].kind == DRY_ST_PUSH)
            dry_lang__loop(elab, &elab->tree.stmt[i], push_one, NULL);
    if (elab->scene.net_system) bound_drives(elab);
    add_work(elab);
}
