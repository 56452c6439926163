/* spread_names: a copy of a statement, in which names of an included file have the name of the file
 * before them: x becomes m.x; and in which the text that includes it finds them: m.f.a is the
 * member a of m.f. */
#include "spread_private.h"

#include <string.h>

/* ---- sets of names ----------------------------------------------------------------- */

static const char **slot_of(const dry_name_set *set, const char *name, size_t length) {
    unsigned at = 2166136261u;
    for (size_t i = 0; i < length; i++) at = (at ^ (unsigned char)name[i]) * 16777619u;
    for (at %= (unsigned)set->room;; at = (at + 1) % (unsigned)set->room) {
        const char *other = set->name[at];
        if (!other || (!strncmp(other, name, length) && !other[length])) return &set->name[at];
    }
}

bool dry_syntax__has_name(const dry_name_set *set, const char *name, size_t length) {
    return set && set->room && *slot_of(set, name, length);
}

void dry_syntax__add_name(dry_name_set *set, const char *name, dry_arena *arena) {
    if (2 * set->n >= set->room) {
        const dry_name_set old = *set;
        const int room = old.room ? 2 * old.room : 64;
        const char **slots = dry_arena_take(arena, sizeof *slots * (size_t)room);
        if (!slots) return;
        *set = (dry_name_set){slots, old.n, room};
        for (int i = 0; i < old.room; i++)
            if (old.name[i]) *slot_of(set, old.name[i], strlen(old.name[i])) = old.name[i];
    }
    const char **slot = slot_of(set, name, strlen(name));
    set->n += !*slot;
    *slot = name;
}

bool dry_syntax__defines(const dry_stmt *stmt) {
    switch (stmt->kind) {
    case DRY_ST_PARAM:
    case DRY_ST_STATE:
    case DRY_ST_DEFINE:
    case DRY_ST_FUNCTION:
    case DRY_ST_SET:
    case DRY_ST_MEASURE:
    case DRY_ST_PART:
    case DRY_ST_SAMPLE:
    case DRY_ST_TABLE:
    case DRY_ST_INPUT: return true;
    default: return false;
    }
}

/* ---- expressions ------------------------------------------------------------------- */

/* Names that mean something else in an expression: arguments, indices. */
typedef struct local {
    const char *name;
    const struct local *next;
} local;

typedef struct copier {
    const dry_renaming *how;
    const local *locals;
    bool port; /* a name may be that of a part which the text does not define */
} copier;

static bool is_local(const copier *c, const char *name) {
    for (const local *l = c->locals; l; l = l->next)
        if (!strcmp(l->name, name)) return true;
    return false;
}

static const char *before(const copier *c, const char *name) {
    return dry_diag_join(c->how->diag, c->how->prefix, ".", name);
}

static bool is_known(const copier *c, const char *name) {
    return dry_syntax__has_name(c->how->names, name, strlen(name));
}

static const char *new_name(const copier *c, const char *name, bool known) {
    if (!c->how->prefix || !strcmp(name, "world") || is_local(c, name)) return name;
    return known || is_known(c, name) ? before(c, name) : name;
}

/* m.x.y of a file m: the longest part of it that the file defines is the name, and the rest its
 * members. A part that a kind has made is not in the set: then it is the first name of the file. */
static void find_in_space(const copier *c, dry_expr *expr) {
    const char *full = dry_diag_join(c->how->diag, expr->text, ".", expr->member);
    size_t length = strlen(full);
    const size_t least = strlen(expr->text) + 1 + strcspn(expr->member, ".");
    while (length > least && !dry_syntax__has_name(c->how->names, full, length)) {
        do length--;
        while (full[length] != '.');
    }
    if (!full[length]) {
        *expr = (dry_expr){.kind = DRY_EX_NAME, .at = expr->at, .text = full};
        return;
    }
    const char *name = dry_arena_text(c->how->diag->arena, full, length);
    expr->text = name ? name : "";
    expr->member = full + length + 1;
}

static const dry_expr *copy(const copier *c, const dry_expr *expr);

/* The value of `by = cubic` and the like is a word, not a name. */
static bool is_word(const dry_key *key) {
    static const char *const keys[] = {"by", "ends", "log", "method"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(key->name, keys[i]) && key->value->kind == DRY_EX_NAME) return true;
    return false;
}

/* Copies what a call has; its own name stays. */
static void copy_inside(const copier *c, dry_expr *expr);

static const dry_key *copy_keys(const copier *c, const dry_key *key, int n) {
    dry_key *keys = n ? dry_arena_take(c->how->diag->arena, sizeof *keys * (size_t)n) : NULL;
    for (int i = 0; keys && i < n; i++) {
        keys[i] = key[i];
        if (is_word(&key[i])) continue;
        dry_expr *law = NULL;
        if (!strcmp(key[i].name, "law") && key[i].value->kind == DRY_EX_CALL)
            law = dry_arena_take(c->how->diag->arena, sizeof *law);
        if (law) {
            *law = *key[i].value;
            copy_inside(c, law);
        }
        keys[i].value = law ? law : copy(c, key[i].value);
    }
    return keys ? keys : key;
}

static void copy_inside(const copier *c, dry_expr *expr) {
    const dry_expr **arg =
        expr->n_args ? dry_arena_take(c->how->diag->arena, sizeof *arg * (size_t)expr->n_args)
                     : NULL;
    const local index = {expr->text, c->locals};
    copier within = *c;
    if (expr->kind == DRY_EX_SUM) within.locals = &index;
    for (int i = 0; arg && i < expr->n_args; i++) arg[i] = copy(i == 0 ? &within : c, expr->arg[i]);
    if (arg) expr->arg = arg;
    expr->key = copy_keys(c, expr->key, expr->n_keys);
    if (expr->from) expr->from = copy(c, expr->from);
    if (expr->to) expr->to = copy(c, expr->to);
}

static const dry_expr *copy(const copier *c, const dry_expr *expr) {
    dry_expr *to = dry_arena_take(c->how->diag->arena, sizeof *to);
    if (!expr || !to) return expr;
    *to = *expr;
    copy_inside(c, to);
    if (expr->kind == DRY_EX_NAME)
        to->text = new_name(c, expr->text, c->port);
    else if (expr->kind == DRY_EX_CALL)
        to->text = new_name(c, expr->text, false);
    else if (expr->kind == DRY_EX_MEMBER && !expr->n_args && c->how->prefix)
        to->text = new_name(c, expr->text, true);
    else if (expr->kind == DRY_EX_MEMBER && !expr->n_args &&
             dry_syntax__has_name(c->how->spaces, expr->text, strlen(expr->text)))
        find_in_space(c, to);
    return to;
}

const dry_expr *dry_syntax__renamed(const dry_renaming *how, const dry_expr *expr) {
    const copier c = {.how = how};
    return expr ? copy(&c, expr) : NULL;
}

/* ---- statements -------------------------------------------------------------------- */

static const dry_expr *some(const copier *c, const dry_expr *expr) {
    return expr ? copy(c, expr) : NULL;
}

static void copy_span(const copier *c, dry_span_expr *span) {
    span->from = some(c, span->from);
    span->to = some(c, span->to);
}

static const dry_plot_expr *copy_plot(const copier *c, const dry_plot_expr *plot) {
    dry_arena *arena = c->how->diag->arena;
    dry_plot_expr *to = dry_arena_take(arena, sizeof *to);
    dry_curve_expr *curve = dry_arena_take(arena, sizeof *curve * (size_t)(plot->n_curves + 1));
    const dry_expr **shade = dry_arena_take(arena, sizeof *shade * (size_t)(plot->n_shades + 1));
    if (!to || !curve || !shade) return plot;
    *to = *plot;
    to->curve = curve;
    to->shade = shade;
    for (int i = 0; i < plot->n_curves; i++) {
        curve[i] = plot->curve[i];
        curve[i].value = some(c, curve[i].value);
        curve[i].x = some(c, curve[i].x);
    }
    for (int i = 0; i < plot->n_shades; i++) shade[i] = some(c, plot->shade[i]);
    copy_span(c, &to->x);
    copy_span(c, &to->y);
    copy_span(c, &to->beside);
    return to;
}

static const dry_data_expr *copy_data(const copier *c, const dry_data_expr *data) {
    dry_data_expr *to = dry_arena_take(c->how->diag->arena, sizeof *to);
    if (!to) return data;
    *to = *data;
    for (int i = 0; i < data->n_axes; i++) to->axis[i] = some(c, data->axis[i]);
    return to;
}

/* The value of `part` is a call of a kind, whose name the text does not define. */
static const dry_expr *copy_value(const copier *c, const dry_stmt *stmt) {
    dry_expr *kind = stmt->kind == DRY_ST_PART && stmt->value
                         ? dry_arena_take(c->how->diag->arena, sizeof *kind)
                         : NULL;
    if (!kind) return some(c, stmt->value);
    *kind = *stmt->value;
    copy_inside(c, kind);
    return kind;
}

static void copy_ends(const copier *c, dry_stmt *stmt) {
    copier port = *c;
    port.port = true;
    for (int i = 0; i < stmt->n_ends; i++) {
        dry_end_expr *end = &stmt->end[i];
        end->port = some(&port, end->port);
        end->at = some(c, end->at);
        end->axes = some(c, end->axes);
        end->normal = some(c, end->normal);
    }
    if (stmt->kind == DRY_ST_CONNECT) stmt->target = some(&port, stmt->target);
}

/* init m.x = ..., init m.x[i] = ...: the start of a state, which has a name. */
static void take_target(dry_stmt *stmt) {
    const dry_expr *target = stmt->target;
    const bool indexed = target && target->kind == DRY_EX_INDEX && target->n_args == 2;
    const dry_expr *base = indexed ? target->arg[0] : target;
    if (stmt->kind != DRY_ST_INIT || !base || base->kind != DRY_EX_NAME) return;
    stmt->name = base->text;
    stmt->index = indexed ? target->arg[1] : NULL;
    stmt->target = NULL;
}

/* Locals of a statement: the arguments of a function, the index of its loop. */
enum { MOST_LOCALS = 201 };
static const local *locals_of(const dry_stmt *stmt, local *room) {
    const local *list = NULL;
    int n = 0;
    for (int i = 0; i < stmt->n_params && n < MOST_LOCALS; i++, n++) {
        room[n] = (local){stmt->param[i], list};
        list = &room[n];
    }
    if (!stmt->loop || n == MOST_LOCALS) return list;
    room[n] = (local){stmt->loop, list};
    return &room[n];
}

dry_stmt dry_syntax__renamed_stmt(const dry_renaming *how, const dry_stmt *stmt) {
    local room[MOST_LOCALS];
    const copier plain = {.how = how}, c = {.how = how, .locals = locals_of(stmt, room)};
    dry_stmt to = *stmt;
    if (how->prefix && to.name && to.kind != DRY_ST_MODEL) to.name = before(&plain, to.name);
    to.size = some(&c, stmt->size);
    to.index = some(&c, stmt->index);
    to.factor = some(&c, stmt->factor);
    to.value = copy_value(&c, stmt);
    to.was = some(&c, stmt->was);
    to.target = some(&c, stmt->target);
    to.tolerance = some(&c, stmt->tolerance);
    to.every = some(&c, stmt->every);
    to.from = some(&c, stmt->from);
    to.first = some(&plain, stmt->first);
    to.last = some(&plain, stmt->last);
    to.key = copy_keys(&c, stmt->key, stmt->n_keys);
    copy_span(&c, &to.range);
    if (stmt->plot) to.plot = copy_plot(&c, stmt->plot);
    if (stmt->data) to.data = copy_data(&c, stmt->data);
    if (stmt->kind == DRY_ST_CONNECT) {
        to.target = stmt->target;
        copy_ends(&c, &to);
    }
    take_target(&to);
    return to;
}
