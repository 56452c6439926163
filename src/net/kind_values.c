/* kind_values: checks the values given to a kind against its keys, and reads them for its
 * `make`. */
#include "net_private.h"
#include <math.h>

/* ---- reading ----------------------------------------------------------- */

static const dry_value *find_value(const dry_value *values, int count, const char *key) {
    for (int i = 0; i < count; i++)
        if (strcmp(values[i].key, key) == 0) return &values[i];
    return NULL;
}

static const dry_kind_param *find_param(const dry_kind *kind, const char *key) {
    for (int i = 0; i < kind->n_params; i++)
        if (strcmp(kind->params[i].name, key) == 0) return &kind->params[i];
    return NULL;
}

int dry_value_numbers(const dry_kind *kind, const dry_value *values, int count, const char *key,
                      int n, double *numbers) {
    const dry_value *value = find_value(values, count, key);
    const dry_kind_param *param = find_param(kind, key);
    const int given = value && !value->word ? value->count : 0;
    DRY_ASSERT(param);
    for (int i = 0; i < n; i++) numbers[i] = i < given ? value->numbers[i] : param->standard;
    return given;
}

double dry_value_number(const dry_kind *kind, const dry_value *values, int count, const char *key) {
    double number;
    dry_value_numbers(kind, values, count, key, 1, &number);
    return number;
}

const char *dry_value_word(const dry_value *values, int count, const char *key,
                           const char *otherwise) {
    const dry_value *value = find_value(values, count, key);
    return value && value->word ? value->word : otherwise;
}

/* ---- checking ---------------------------------------------------------- */

const char *dry_key_not_given(const dry_kind_param *key) {
    static const char mark[] = "not given: ";
    const bool counts = key->range == DRY_ANY || !(key->standard < 0.0);
    const char *at = counts ? NULL : strstr(key->meaning, mark);
    return at ? at + strlen(mark) : NULL;
}

static const char *range_text(dry_param_range range, double x) {
    if (!isfinite(x)) return "must be a finite number";
    switch (range) {
    case DRY_ANY: return NULL;
    case DRY_NONNEGATIVE: return x >= 0.0 ? NULL : "must not be negative";
    case DRY_POSITIVE: return x > 0.0 ? NULL : "must be positive";
    case DRY_AT_LEAST_ONE: return x >= 1.0 ? NULL : "must be at least 1";
    }
    return NULL;
}

static void tell_unknown(dry_net *net, const char *name, const dry_kind *kind, const char *key) {
    const char *list = kind->n_params > 0 ? "" : "nothing";
    for (int i = 0; i < kind->n_params; i++)
        list = dry_net_text(net, "%s%s%s", list, i > 0 ? ", " : "", kind->params[i].name);
    dry_net_mistaken(
        net,
        (dry_mistake){.name = name, .key = key, .way_out = dry_net_text(net, "it takes %s", list)},
        "%s %s has no %s", dry_net__article(kind->name), kind->name, key);
}

static void check_numbers(dry_net *net, const char *name, const dry_kind_param *param,
                          const dry_value *value) {
    if (value->count < param->least || value->count > param->most) {
        const char *between = param->least == param->most ? "" : " to ";
        char most[16] = "";
        if (*between) snprintf(most, sizeof most, "%d", param->most);
        dry_net_mistaken(net, (dry_mistake){.name = name, .key = param->name},
                         "%s takes %d%s%s number%s, not %d", param->name, param->least, between,
                         most, param->most == 1 ? "" : "s", value->count);
        return;
    }
    for (int i = 0; i < value->count; i++) {
        const char *wrong = range_text(param->range, value->numbers[i]);
        char number[DRY_NUMBER_SIZE];
        dry_number_text(value->numbers[i], number);
        if (wrong) {
            dry_net_mistaken(net, (dry_mistake){.name = name, .key = param->name}, "%s %s, not %s",
                             param->name, wrong, number);
            return;
        }
    }
}

static void check_value(dry_net *net, const char *name, const dry_kind *kind,
                        const dry_value *values, int index) {
    const dry_value *value = &values[index];
    const dry_kind_param *param = find_param(kind, value->key);
    if (!param)
        tell_unknown(net, name, kind, value->key);
    else if (find_value(values, index, value->key))
        dry_net_mistaken(net,
                         (dry_mistake){.name = name, .key = value->key, .way_out = "say it once"},
                         "%s is said twice", value->key);
    else if ((param->unit == NULL) != (value->word != NULL))
        dry_net_mistaken(net, (dry_mistake){.name = name, .key = value->key}, "%s is %s",
                         value->key, param->unit ? "a number, not a word" : "a word, not a number");
    else if (param->unit)
        check_numbers(net, name, param, value);
}

static void check_values(dry_net *net, const char *name, const dry_kind *kind,
                         const dry_value *values, int count) {
    for (int i = 0; i < count; i++) check_value(net, name, kind, values, i);
    for (int i = 0; i < kind->n_params; i++) {
        const dry_kind_param *param = &kind->params[i];
        if (param->required && !find_value(values, count, param->name))
            dry_net_mistaken(net, (dry_mistake){.name = name, .key = param->name},
                             "%s %s needs %s: %s", dry_net__article(kind->name), kind->name,
                             param->name, param->meaning);
    }
}

/* Adds a placeholder for a part that could not be made, so that its name causes no further
 * mistakes. */
static void add_broken(dry_net *net, const char *name) {
    static const dry_part nothing = {.kind = "?"};
    const int index = dry_net_add(net, name, &nothing);
    if (index >= 0) net->wiring.nodes[index]->broken = true;
}

void dry_net_make(dry_net *net, const char *name, const dry_kind *kind, const dry_value *values,
                  int count) {
    const int before = net->mistakes.count;
    dry_error error = {0};
    if (kind)
        check_values(net, name, kind, values, count);
    else
        dry_net_mistaken(net, (dry_mistake){.name = name, .way_out = "look at dry_kind_find"},
                         "there is no such kind of part");
    if (net->mistakes.count > before || !kind) {
        add_broken(net, name);
    } else if (kind->build) {
        kind->build(kind, net, name, values, count);
    } else {
        const dry_part *part = kind->make(kind, net->arena, values, count, &error);
        if (!part) dry_net__mistaken_by(net, (dry_mistake){.name = name}, &error);
        if (part)
            dry_net_add(net, name, part);
        else
            add_broken(net, name);
    }
}
