/* parts: `part` and `connect` become a net of parts (net.h), whose numbers the equations then use.
 *
 * What a part or a connection is given are constants of the run: numbers of parameters, or words.
 * The net collects its mistakes; here they get the line of the text that they are about. */
#include "elab.h"

#include <drystone/body.h>
#include <drystone/math.h>
#include <drystone/urdf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- mistakes of the net ------------------------------------------------------------ */

enum { NODES_PER_WIRE = 20, BYTES_PER_NODE = 200 };

/* Remembers where a part or a connection stands; false, and reported, where they are too many or
 * take too much memory. */
static bool note_wire(dry_elab *elab, const char *name, dry_place at) {
    const bool fits =
        elab->n_wires < elab->most_nodes / NODES_PER_WIRE &&
        dry_arena_used(dry_net_arena(elab->net)) / BYTES_PER_NODE < (size_t)elab->most_nodes;
    dry_wire *wire = fits ? DRY_GROW(elab, wire) : NULL;
    if (wire)
        *wire = (dry_wire){name, at};
    else
        dry_lang__spend(elab, at, (double)INFINITY);
    return wire != NULL;
}

/* The place of what a mistake begins with, "joint.ends: ...": the last connection of that name, or
 * else the part. */
static dry_place place_of(const dry_elab *elab, const char *mistake) {
    const size_t whole = strcspn(mistake, ": "), part = strcspn(mistake, ".: ");
    dry_place at = {0};
    for (int i = 0; i < elab->n_wires; i++) {
        const char *name = elab->wire[i].name;
        if (!strncmp(name, mistake, whole) && !name[whole]) at = elab->wire[i].at;
        if (!at.line && !strncmp(name, mistake, part) && !name[part]) at = elab->wire[i].at;
    }
    return at;
}

/* Tells the mistakes from number `from` on, at this place or at that of what they are about. */
static void tell_mistakes(dry_elab *elab, int from, const dry_place *at) {
    const int n = dry_net_mistake_count(elab->net);
    for (int i = from; i < n && i < from + DRY_MOST_MESSAGES; i++) {
        const char *text = dry_net_mistake(elab->net, i);
        if (dry_lang__lost(elab,
                           dry_lang__text(elab->report, "%.*s", (int)strcspn(text, ".[: "), text)))
            continue; /* what the text says about it could not be read */
        DRY_SAY(elab->report, at ? *at : place_of(elab, text), WIRING, text);
    }
}

/* ---- kinds ---------------------------------------------------------------------------- */

static const dry_kind_param gravity_params[] = {
    {.name = "g",
     .unit = "m/s^2",
     .least = 1,
     .most = 3,
     .range = DRY_ANY,
     .standard = 9.80665,
     .meaning = "a number: downwards, along -z; or the vector of the acceleration"},
};

static const dry_kind gravity = {
    .name = "gravity",
    .title = "gravity",
    .meaning = "The acceleration that every body of the model feels. It has no ports.",
    .params = gravity_params,
    .n_params = 1,
};

int dry_part_kind_count(void) { return 2 + dry_net_kind_count() + dry_body_kind_count(); }

const dry_kind *dry_part_kind_at(int index) {
    const int n_net = dry_net_kind_count(), n_body = dry_body_kind_count();
    if (index == 0) return &gravity;
    if (index <= n_net) return dry_net_kind_at(index - 1);
    return index <= n_net + n_body ? dry_body_kind_at(index - 1 - n_net) : dry_urdf_kind();
}

const dry_kind *dry_part_kind_find(const char *name) {
    if (!strcmp(name, gravity.name)) return &gravity;
    return strcmp(name, dry_urdf_kind()->name) ? dry_kind_find(name) : dry_urdf_kind();
}

static void unknown_kind(dry_elab *elab, const dry_expr *call) {
    const int n = dry_part_kind_count();
    const char **names = malloc(sizeof *names * (size_t)n);
    DRY_SAY(elab->report, call->at, UNKNOWN_KIND, call->text);
    for (int i = 0; names && i < n; i++) names[i] = dry_part_kind_at(i)->name;
    const char *nearest = names ? dry_lang__nearest(call->text, names, n) : NULL;
    if (nearest) dry_lang__way_out(elab->report, "did you mean `%s`?", nearest);
    free((void *)names);
}

/* ---- values ----------------------------------------------------------------------------- */

static const dry_kind_param *param_of(dry_elab *elab, const dry_kind *kind, const dry_key *key) {
    const char *names[64];
    int n = 0;
    for (int i = 0; i < kind->n_params; i++) {
        if (!strcmp(kind->params[i].name, key->name)) return &kind->params[i];
        if (n < 64) names[n++] = kind->params[i].name;
    }
    DRY_SAY(elab->report, key->at, UNKNOWN_KEY, kind->name, key->name);
    const char *nearest = dry_lang__nearest(key->name, names, n);
    if (nearest)
        dry_lang__way_out(elab->report, "did you mean `%s`?", nearest);
    else
        dry_lang__way_out(elab->report, "`drystone parts %s` lists its keys", kind->name);
    return NULL;
}

/* A file that the model names is looked for beside the model. */
static const char *path_of(dry_elab *elab, const char *name) {
    if (name[0] == '/' || !elab->folder[0]) return name;
    return dry_lang__text(elab->report, "%s%s", elab->folder, name);
}

static bool word_value(dry_elab *elab, const dry_key *key, dry_value *value) {
    const dry_expr *expr = key->value;
    if (expr->kind != DRY_EX_NAME && expr->kind != DRY_EX_TEXT) {
        DRY_SAY(elab->report, expr->at, WORD_WANTED, key->name);
        return false;
    }
    value->word = strcmp(key->name, "file") ? expr->text : path_of(elab, expr->text);
    return true;
}

/* The numbers of a constant expression, and that they fit the unit (NULL: any). */
static bool numbers_of(dry_elab *elab, const dry_expr *expr, const char *what, const char *unit,
                       const double **numbers, int *count) {
    dry_term v = dry_lang__expr(elab, expr);
    double factor;
    dry_dim dim;
    char bad[DRY_DIM_TEXT];
    if (v.bad) return false;
    if (unit && !unit[0]) unit = "1";
    if (unit && dry_unit_parse(unit, &factor, &dim, bad) &&
        !dry_lang__same_dim(elab, expr->at, what, v.dim, dim))
        return false;
    *count = dry_term_size(&v);
    double *known = dry_arena_take(elab->arena, sizeof *known * (size_t)(*count + 1));
    *numbers = known;
    for (int k = 0; known && k < *count; k++)
        if (!dry_lang__known(elab, dry_term_at(&v, k), &known[k])) {
            DRY_SAY(elab->report, expr->at, NOT_CONSTANT, what);
            return false;
        }
    return known != NULL;
}

/* The values of a call by its kind's table; NULL, and reported, where something is wrong. */
static const dry_value *values_of(dry_elab *elab, const dry_expr *call, const dry_kind *kind) {
    dry_value *values = dry_arena_take(elab->arena, sizeof *values * (size_t)(call->n_keys + 1));
    bool good = values != NULL;
    for (int i = 0; values && i < call->n_keys; i++) {
        const dry_key *key = &call->key[i];
        const dry_kind_param *row = param_of(elab, kind, key);
        values[i] = (dry_value){.key = key->name, .line = key->at.line, .column = key->at.column};
        for (int k = 0; k < i; k++)
            if (!strcmp(key->name, call->key[k].name)) {
                DRY_SAY(elab->report, key->at, KEY_TWICE, key->name);
                good = false;
            }
        if (!row)
            good = false;
        else if (!row->unit)
            good = word_value(elab, key, &values[i]) && good;
        else
            good = numbers_of(elab, key->value, key->name, row->unit, &values[i].numbers,
                              &values[i].count) &&
                   good;
    }
    return good ? values : NULL;
}

/* ---- part ------------------------------------------------------------------------------- */

static void set_gravity(dry_elab *elab, const dry_stmt *stmt, const dry_value *values, int n) {
    double g[3] = {0};
    for (int i = 0; i < elab->n_wires - 1; i++)
        if (!strcmp(elab->wire[i].name, gravity.name)) {
            DRY_SAY(elab->report, stmt->at, WIRING,
                    dry_lang__text(elab->report, "there is gravity already, in line %d",
                                   elab->wire[i].at.line));
            return;
        }
    elab->wire[elab->n_wires - 1].name = gravity.name;
    const int count = n ? values[0].count : 0;
    if (count > 3) {
        DRY_SAY(elab->report, stmt->at, LIST_SIZE, "g", "3",
                dry_lang__text(elab->report, "a vector of %d", count));
        return;
    }
    for (int i = 0; i < count; i++) g[i] = values[0].numbers[i];
    if (count > 1)
        dry_net_gravity(elab->net, g[0], g[1], g[2]);
    else
        dry_net_gravity(elab->net, 0.0, 0.0, -(count ? g[0] : gravity.params[0].standard));
}

static bool take_element(dry_elab *elab, const dry_stmt *stmt, dry_symbol *symbol,
                         const char **name) {
    int k;
    *name = stmt->name;
    if (!stmt->index) return true;
    if (!dry_lang__integer(elab, stmt->index, "an index", 1, symbol->n_elements, &k)) return false;
    *name = dry_lang__text(elab->report, "%s[%d]", stmt->name, k);
    if (symbol->element_done[k - 1]) {
        DRY_SAY(elab->report, stmt->at, ELEMENT_TWICE, *name);
        return false;
    }
    symbol->element_done[k - 1] = true;
    return true;
}

static void part_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    dry_symbol *symbol = user;
    const dry_expr *call = stmt->value;
    const char *name;
    if (!take_element(elab, stmt, symbol, &name)) return;
    const dry_kind *kind = dry_part_kind_find(call->text);
    if (!kind) {
        unknown_kind(elab, call);
        return;
    }
    const dry_value *values = values_of(elab, call, kind);
    if (!values || !note_wire(elab, name, stmt->at)) return;
    const int before = dry_net_mistake_count(elab->net);
    if (kind == &gravity)
        set_gravity(elab, stmt, values, call->n_keys);
    else
        dry_net_make(elab->net, name, kind, values, call->n_keys);
    tell_mistakes(elab, before, &stmt->at);
}

static void make_parts(dry_elab *elab, dry_symbol *symbol) {
    const int errors = elab->report->n_errors;
    if (symbol->value.bad) return;
    for (int i = 0; i < symbol->n_stmts; i++)
        dry_lang__loop(elab, symbol->more[i], part_one, symbol);
    if (!symbol->indexed || elab->report->n_errors > errors) return;
    for (int k = 0; k < symbol->n_elements; k++)
        if (!symbol->element_done[k])
            DRY_SAY(elab->report, symbol->at, ELEMENT_MISSING,
                    dry_lang__text(elab->report, "%s[%d]", symbol->name, k + 1));
}

/* ---- names of ports and quantities ------------------------------------------------------- */

const char *dry_lang__part_path(dry_elab *elab, const dry_expr *expr) {
    const dry_expr *base = expr;
    const char *member = NULL, *name;
    int k;
    if (expr->kind == DRY_EX_MEMBER) {
        member = expr->member;
        if (expr->n_args) base = expr->arg[0];
    }
    if (base->kind == DRY_EX_INDEX) {
        const char *part = base->arg[0]->text;
        const dry_symbol *symbol = dry_lang__find(elab, part);
        if (base->n_args != 2 || !symbol || !symbol->indexed) {
            DRY_SAY(elab->report, base->at, NOT_INDEXABLE, "a single part");
            return NULL;
        }
        if (!dry_lang__integer(elab, base->arg[1], "an index", 1, symbol->n_elements, &k))
            return NULL;
        name = dry_lang__text(elab->report, "%s[%d]", part, k);
    } else {
        name = base->text;
    }
    return member ? dry_lang__text(elab->report, "%s.%s", name, member) : name;
}

bool dry_lang__is_made(const dry_elab *elab, const char *name) {
    enum { LONGEST = 200 };
    const size_t length = strlen(name);
    for (size_t n = elab->net && length < LONGEST ? length : 0; n-- > 1;) {
        const char *head = name[n] == '_' ? dry_arena_text(elab->arena, name, n) : NULL;
        const dry_symbol *symbol = head ? dry_lang__find(elab, head) : NULL;
        if (symbol && symbol->kind == DRY_SYM_PART) return true;
    }
    return false;
}

/* The part that a port belongs to must be one of the text. */
static bool is_part(dry_elab *elab, const dry_expr *port) {
    const dry_expr *base = port->kind == DRY_EX_MEMBER && port->n_args ? port->arg[0] : port;
    if (base->kind == DRY_EX_INDEX) base = base->arg[0];
    const dry_symbol *symbol = dry_lang__find(elab, base->text);
    if (symbol && symbol->kind == DRY_SYM_PART) return true;
    if (!symbol && dry_lang__is_made(elab, base->text)) return true;
    if (!symbol)
        dry_lang__unknown(elab, base->at, base->text);
    else
        DRY_SAY(elab->report, base->at, NOT_A_PORT, "");
    return false;
}

/* ---- connect ------------------------------------------------------------------------------ */

static bool end_numbers(dry_elab *elab, const dry_expr *expr, const char *what, const char *unit,
                        int n, const char *wanted, double *to) {
    const double *numbers;
    int count;
    if (!numbers_of(elab, expr, what, unit, &numbers, &count)) return false;
    double square = 0.0;
    for (int i = 0; i < count && i < n; i++) {
        to[i] = numbers[i];
        square += numbers[i] * numbers[i];
    }
    if (count == n && isfinite(square) && (!strcmp(what, "at") || square > 0.0)) return true;
    DRY_SAY(elab->report, expr->at, BAD_END, what, wanted);
    return false;
}

/* The shortest turn of z onto the direction n: q = (1 + n_z, z x n) of length 1. */
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

static bool read_end(dry_elab *elab, const dry_end_expr *from, dry_end *end) {
    const bool world = from->port->kind == DRY_EX_NAME && !strcmp(from->port->text, "world");
    double normal[3] = {0};
    if (!world && !is_part(elab, from->port)) return false;
    end->port = world ? NULL : dry_lang__part_path(elab, from->port);
    if (!world && !end->port) return false;
    if (from->at && !end_numbers(elab, from->at, "at", NULL, 3, "a vector of 3", end->at))
        return false;
    if (from->axes && from->normal) {
        DRY_SAY(elab->report, from->normal->at, BAD_END, "normal", "given without axes");
        return false;
    }
    if (from->axes) {
        if (!end_numbers(elab, from->axes, "axes", "", 4, "a quaternion", end->turn)) return false;
        const double *q = end->turn;
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 4; i++) end->turn[i] /= length;
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
    bool good = is_part(elab, stmt->target);
    for (int i = 0; i < stmt->n_ends; i++) good = read_end(elab, &stmt->end[i], &end[i]) && good;
    const char *port = good ? dry_lang__part_path(elab, stmt->target) : NULL;
    if (!port || !note_wire(elab, port, stmt->at)) return;
    const int before = dry_net_mistake_count(elab->net);
    dry_net_connect(elab->net, port, end[0], end[1]);
    tell_mistakes(elab, before, &stmt->at);
}

/* ---- start values and settings --------------------------------------------------------------- */

/* init ball.v = [1, 0, 0], init ball[i].v[1] = 1 for i in 1..n */
static void start_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    (void)user;
    const dry_expr *left = stmt->target;
    const bool component = left->kind == DRY_EX_INDEX;
    const double *numbers;
    int count, k = 1;
    if (component && !dry_lang__integer(elab, left->arg[1], "an index", 1, 1 << 20, &k)) return;
    if (component) left = left->arg[0];
    const char *name = is_part(elab, left) ? dry_lang__part_path(elab, left) : NULL;
    if (!name || !numbers_of(elab, stmt->value, "a start value", NULL, &numbers, &count)) return;
    if (component) name = dry_lang__text(elab->report, "%s[%d]", name, k);
    if (!note_wire(elab, name, stmt->at)) return;
    const int before = dry_net_mistake_count(elab->net);
    dry_net_start(elab->net, name, numbers, count);
    tell_mistakes(elab, before, &stmt->at);
}

bool dry_lang__is_part_setting(const dry_elab *elab, const char *name) {
    const char *part = dry_arena_text(elab->arena, name, strcspn(name, ".["));
    const dry_symbol *symbol = part && strchr(name, '.') ? dry_lang__find(elab, part) : NULL;
    return symbol && symbol->kind == DRY_SYM_PART;
}

static void apply_settings(dry_elab *elab) {
    for (int i = 0; i < elab->options->n_settings; i++) {
        const dry_setting *setting = &elab->options->settings[i];
        if (dry_lang__is_part_setting(elab, setting->name))
            dry_net_set(elab->net, setting->name, &setting->value, 1);
    }
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

/* The net evaluated at its start, where the checks look. */
static bool evaluate_start(dry_elab *elab) {
    const dry_system *system = elab->net_system;
    elab->net_work = calloc(1, system->work_size + 1);
    elab->net_x = calloc((size_t)system->n_states + 1, sizeof *elab->net_x);
    elab->net_y = calloc((size_t)system->n_outputs + 1, sizeof *elab->net_y);
    if (!elab->net_work || !elab->net_x || !elab->net_y) return false;
    elab->net_env = (dry_env){system->model, system->par, elab->net_work};
    if (system->prepare) system->prepare(&elab->net_env);
    system->start(&elab->net_env, 0.0, elab->net_x);
    if (system->output) system->output(&elab->net_env, 0.0, 0.0, elab->net_x, elab->net_y);
    dry_net_forces(&elab->net_env, 0.0, 0.0, elab->net_x);
    return true;
}

void dry_lang__parts(dry_elab *elab) {
    if (!has_parts(elab)) return;
    const int errors = elab->report->n_errors;
    elab->net = dry_net_new();
    elab->only_params = true;
    elab->only_what = "what a part is given";
    for (int i = 0; elab->net && i < elab->n_symbols; i++)
        if (elab->symbol[i].kind == DRY_SYM_PART) make_parts(elab, &elab->symbol[i]);
    if (elab->net) {
        each(elab, DRY_ST_CONNECT, connect_one);
        each(elab, DRY_ST_INIT, start_one);
        apply_settings(elab);
    }
    elab->only_params = false;
    if (elab->net && elab->report->n_errors > errors) return;
    const dry_net_options options = {
        .name = "net", .threads = elab->options->threads, .account = true};
    dry_error error = {0};
    const int before = elab->net ? dry_net_mistake_count(elab->net) : 0;
    if (!elab->net ||
        dry_net_system(elab->net, &options, &elab->net_system, &error) == DRY_NO_MEMORY)
        DRY_SAY(elab->report, (dry_place){0}, TOO_LARGE, "");
    else if (!elab->net_system)
        tell_mistakes(elab, before, NULL);
    else if (!evaluate_start(elab))
        DRY_SAY(elab->report, (dry_place){0}, TOO_LARGE, "");
}

void dry_lang__leave_start(dry_elab *elab) {
    free(elab->net_work);
    free(elab->net_y);
    elab->net_work = elab->net_y = NULL;
}

void dry_lang__free_parts(dry_elab *elab) {
    dry_lang__leave_start(elab);
    dry_net_free(elab->net);
    free(elab->net_x);
    free(elab->wire);
    free(elab->outer);
    free(elab->thrust);
    for (int i = 0; i < DRY_N_WHERES; i++) free(elab->outer_at[i]);
}
