/* What every `make` needs: a part in the arena with room for its names and numbers. */
#include "net_private.h"

static const struct {
    const char *straight, *rotary;
} units[] = {
    {"m", "rad"},           {"m/s", "rad/s"},       {"N", "N m"},     {"N/m", "N m/rad"},
    {"N s/m", "N m s/rad"}, {"N/m^3", "N m/rad^3"}, {"N/s", "N m/s"}, {"s/m", "s/rad"},
    {"kg", "kg m^2"},       {"m/s^2", "rad/s^2"},
};

const char *dry_net__unit(bool rotary, const char *unit) {
    for (size_t i = 0; rotary && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].straight, unit) == 0) return units[i].rotary;
    return unit;
}

bool dry_net__draft_new(dry_arena *arena, const dry_part *pattern, dry_net__draft *draft,
                        dry_error *error) {
    const size_t n_states = (size_t)pattern->n_states, n_par = (size_t)pattern->n_par;
    *draft = (dry_net__draft){
        .part = dry_arena_take(arena, sizeof *draft->part),
        .port = dry_arena_take(arena, sizeof *draft->port),
        .states = dry_arena_take(arena, n_states * sizeof *draft->states),
        .positions = dry_arena_take(arena, n_states * sizeof *draft->positions),
        .params = dry_arena_take(arena, n_par * sizeof *draft->params),
        .par = dry_arena_take(arena, n_par * sizeof *draft->par),
    };
    if (!draft->part || !draft->port || !draft->states || !draft->positions || !draft->params ||
        !draft->par) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for the part");
        return false;
    }
    *draft->part = *pattern;
    *draft->port = (dry_port){.name = "", .unit = "", .dim = 1, .kind = DRY_COORDINATE};
    draft->part->n_ports = 1;
    draft->part->ports = draft->port;
    draft->part->states = draft->states;
    draft->part->params = draft->params;
    draft->part->par = draft->par;
    if (pattern->side == DRY_ADMITTANCE) draft->part->positions = draft->positions;
    return true;
}

int dry_net__name_list(dry_arena *arena, const char *name, const char *unit, int n,
                       dry_quantity *to) {
    for (int i = 0; i < n; i++) {
        char text[64];
        const int length = snprintf(text, sizeof text, n > 1 ? "%s[%d]" : "%s", name, i + 1);
        const char *copy = dry_arena_text(arena, text, (size_t)length);
        to[i] = (dry_quantity){copy ? copy : "", unit};
    }
    return n;
}

/* ---- what the keys of a kind say ------------------------------------- */

bool dry_net__is_rotary(const dry_kind *kind) { return strncmp(kind->name, "rotary_", 7) == 0; }

static bool has_key(const dry_kind *kind, const char *key) {
    for (int i = 0; i < kind->n_params; i++)
        if (strcmp(kind->params[i].name, key) == 0) return true;
    return false;
}

const int *dry_net__dim(const dry_kind *self, const dry_value *values, int count,
                        dry_error *error) {
    static const int dims[] = {0, 1, 2, 3};
    const double dim = has_key(self, "dim") ? dry_value_number(self, values, count, "dim") : 1.0;
    if (dim == 1.0 || dim == 2.0 || dim == 3.0) return &dims[(int)dim];
    dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", NULL, "dim is 1, 2 or 3");
    return NULL;
}

bool dry_net__vectors_fit(const dry_kind *self, const dry_value *values, int count, int dim,
                          dry_error *error) {
    for (int i = 0; i < self->n_params; i++) {
        const dry_kind_param *row = &self->params[i];
        double ignored;
        if (row->least != 1 || row->most != 3) continue;
        const int given = dry_value_numbers(self, values, count, row->name, 1, &ignored);
        if (given == 0 || given == dim) continue;
        dry_error_set_key(error, DRY_BAD_ARGUMENT, row->name,
                          has_key(self, "dim") ? "give one for each, or another dim"
                                               : "give one for each",
                          "%s has %d number%s, and there %s %d dimension%s", row->name, given,
                          given == 1 ? "" : "s", dim == 1 ? "is" : "are", dim, dim == 1 ? "" : "s");
        return false;
    }
    return true;
}

bool dry_net__put_port(const dry_kind *self, const dry_value *values, int count, int dim,
                       dry_net__draft *draft, dry_error *error) {
    const char *word = dry_value_word(values, count, "on", "coordinate");
    const bool length = strcmp(word, "length") == 0;
    if (!length && strcmp(word, "coordinate") != 0) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "on", NULL, "on is coordinate or length, not %s",
                          word);
        return false;
    }
    if (length && dim > 1) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", "leave dim out",
                          "a length has one dimension");
        return false;
    }
    draft->port->unit = dry_net__unit(dry_net__is_rotary(self), "m");
    draft->port->dim = dim;
    draft->port->kind = length ? DRY_LENGTH : DRY_COORDINATE;
    return true;
}

void dry_net__put_numbers(const dry_kind *self, const dry_value *values, int count,
                          const dry_quantity *names, int n, dry_net__draft *draft) {
    for (int i = 0; i < n; i++) {
        const char *unit = dry_net__unit(dry_net__is_rotary(self), names[i].unit);
        draft->params[i] = (dry_quantity){names[i].name, unit};
        draft->par[i] = dry_value_number(self, values, count, names[i].name);
    }
}
