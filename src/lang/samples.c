/* samples: quantities that are computed every so often and held in between, such as those of a
 * digital controller.
 *
 *     sample s = s.before + T*e every T from 0 [m s]
 *     sample u = Kp*e + Ki*s every T from 0 [N] with delay = 0.2 [ms]
 *
 * A held number is a state whose rate is 0. At an instant k T every number of the clock gets its
 * next value, which depends on the states before the instant: equations see the held numbers. In
 * the text of a sample the name of another sample of the same clock means its next value, and
 * s.before means the value until now. With a delay the next values wait in states of their own
 * until k T + delay. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* ---- times -------------------------------------------------------------------------- */

/* What becomes of the held numbers when the delay is over: their clock. */
typedef struct timing {
    double period, delay; /* s */
    dry_node delayed_by;
} timing;

/* A time that the text gives as a constant. */
static bool seconds(dry_elab *elab, const dry_expr *expr, const char *what, double *value) {
    dry_numbers numbers;
    if (!dry_lang__numbers(elab, expr, what, "s", &numbers)) return false;
    if (numbers.count != 1 || !isfinite(numbers.value[0])) {
        DRY_SAY(elab->diag, expr->at, SAMPLE_TIME, what);
        return false;
    }
    *value = numbers.value[0];
    return true;
}

static bool find_period(dry_elab *elab, const dry_stmt *stmt, double *period) {
    if (!seconds(elab, stmt->every, "period", period)) return false;
    if (*period > 0.0) return true;
    DRY_SAY(elab->diag, stmt->every->at, SAMPLE_TIME, "period");
    return false;
}

/* Instants follow the delay, but whether there is one is decided. */
static bool delay_of(dry_elab *elab, const dry_expr *expr, timing *to) {
    const dry_term v = dry_lang__scalar_expr(elab, expr, "delay");
    if (v.bad || !dry_lang__same_dim(elab, expr->at, "delay", v.dim, dry_dim_seconds(1.0)))
        return false;
    to->delayed_by = v.one;
    if (!dry_lang__timed(elab, v.one, &to->delay)) {
        DRY_SAY(elab->diag, expr->at, NOT_CONSTANT, "delay");
        return false;
    }
    if (to->delay == 0.0) dry_lang_fix(elab, v.one);
    if (isfinite(to->delay)) return true;
    DRY_SAY(elab->diag, expr->at, SAMPLE_TIME, "delay");
    return false;
}

/* The only key is `delay`; it is at most one period, so that one value waits. */
static bool find_delay(dry_elab *elab, const dry_stmt *stmt, timing *to) {
    to->delay = 0.0;
    for (int i = 0; i < stmt->n_keys; i++) {
        const dry_key *key = &stmt->key[i];
        if (strcmp(key->name, "delay") != 0) {
            DRY_SAY(elab->diag, key->at, UNKNOWN_KEY, "sample", key->name, "delay");
            return false;
        }
        if (i > 0) {
            DRY_SAY(elab->diag, key->at, KEY_TWICE, key->name);
            return false;
        }
        if (!delay_of(elab, key->value, to)) return false;
        if (to->delay >= 0.0 && to->delay <= to->period) continue;
        DRY_SAY(elab->diag, key->at, SAMPLE_DELAY, stmt->name);
        return false;
    }
    return true;
}

/* ---- held numbers ------------------------------------------------------------------ */

/* The first of the states that a term of dry_lang__hold consists of. */
static int first_state(const dry_elab *elab, const dry_term *held) {
    return dry_dag_view(elab->dag, dry_term_at(held, 0)).index;
}

static void set_next(dry_elab *elab, const dry_term *held, int clock, const dry_term *next) {
    for (int k = 0; k < dry_term_size(held); k++)
        dry_lang__set_next(elab, first_state(elab, held) + k, clock, dry_term_at(next, k));
}

/* ---- one statement ----------------------------------------------------------------- */

static bool find_from(dry_elab *elab, const dry_stmt *stmt, dry_term *from) {
    if (!stmt->from) return true;
    const bool before = elab->scope.only_params;
    const char *what = elab->scope.only_what;
    elab->scope.only_params = true;
    elab->scope.only_what = "the value before the first sample";
    *from = dry_lang__expr(elab, stmt->from);
    elab->scope.only_params = before;
    elab->scope.only_what = what;
    return !from->bad;
}

static dry_term value_at_instant(dry_elab *elab, const dry_stmt *stmt, int clock) {
    const int outside = elab->scope.instant;
    elab->scope.instant = clock + 1;
    const dry_term next = dry_lang__expr(elab, stmt->value);
    elab->scope.instant = outside;
    return next;
}

static bool fits(dry_elab *elab, const dry_stmt *stmt, const dry_term *held, const dry_term *next) {
    if (!dry_lang__same_shape(held, next)) {
        DRY_SAY(elab->diag, stmt->at, SAMPLE_SHAPE, stmt->name, dry_lang_shape(elab, next));
        return false;
    }
    return dry_lang__same_dim(elab, stmt->at, "sample", held->dim, next->dim);
}

/* The states of the symbol: those that equations see, and, with a delay, those that wait. */
static bool make_states(dry_elab *elab, dry_symbol *symbol, dry_term shape, const dry_term *from,
                        bool waits) {
    const char *next = dry_diag_text(elab->diag, "%s.next", symbol->name);
    symbol->value = dry_lang__hold(elab, symbol, symbol->name, shape, from);
    const dry_term newest = waits ? dry_lang__hold(elab, symbol, next, shape, from) : symbol->value;
    if (symbol->value.bad || newest.bad) return false;
    symbol->first = first_state(elab, &newest);
    return true;
}

static bool find_times(dry_elab *elab, const dry_stmt *stmt, timing *to) {
    return find_period(elab, stmt, &to->period) && find_delay(elab, stmt, to);
}

/* Reads the text of the sample: its next value. */
static void read_next(dry_elab *elab, dry_symbol *symbol) {
    symbol->next_progress = DRY_UNDER_WAY;
    symbol->sampled = value_at_instant(elab, symbol->stmt, symbol->clock);
    symbol->next_progress = DRY_DONE;
}

/* The states that hold what was computed last: those that wait, if there is a delay. */
static dry_term computed(dry_elab *elab, const dry_symbol *symbol) {
    dry_term v = dry_lang__like(elab, &symbol->value);
    for (int k = 0; !v.bad && k < dry_term_size(&v); k++)
        dry_term_put(&v, k, dry_dag_leaf(elab->dag, DRY_OP_STATE, symbol->first + k));
    return v;
}

/* With `from` the states are there before the text is read, so that quantities which depend on the
 * sample can stand in it. Without it the text says what the states are. */
static bool make(dry_elab *elab, dry_symbol *symbol, const timing *when) {
    const dry_stmt *stmt = symbol->stmt;
    dry_term from = {0};
    if (!find_from(elab, stmt, &from)) return false;
    symbol->clock = dry_lang__clock(elab, when->period, 0.0);
    if (!stmt->from) read_next(elab, symbol);
    const dry_term *shape = stmt->from ? &from : &symbol->sampled;
    if (shape->bad) return false;
    if (shape->rank > 1) {
        DRY_SAY(elab->diag, stmt->at, SAMPLE_SHAPE, stmt->name, dry_lang_shape(elab, shape));
        return false;
    }
    if (!make_states(elab, symbol, *shape, stmt->from ? &from : NULL, when->delay > 0.0))
        return false;
    if (when->delay == 0.0) return true;
    const dry_term waiting = computed(elab, symbol);
    set_next(elab, &symbol->value,
             dry_lang__timed_clock(elab, (dry_clock){when->period, when->delay}, when->delayed_by,
                                   when->period),
             &waiting);
    return true;
}

dry_term dry_lang__sample(dry_elab *elab, dry_symbol *symbol) {
    timing when;
    symbol->first = -1;
    if (!find_times(elab, symbol->stmt, &when)) return dry_lang__bad(elab);
    if (when.delay > 0.0 && !symbol->stmt->from) {
        DRY_SAY(elab->diag, symbol->at, SAMPLE_NEEDS_FROM, symbol->name, "with a delay");
        return dry_lang__bad(elab);
    }
    return make(elab, symbol, &when) ? symbol->value : dry_lang__bad(elab);
}

static void finish(dry_elab *elab, dry_symbol *symbol) {
    if (symbol->value.bad) return;
    if (symbol->next_progress == DRY_NEW) read_next(elab, symbol);
    if (symbol->sampled.bad || !fits(elab, symbol->stmt, &symbol->value, &symbol->sampled)) return;
    const dry_term held = computed(elab, symbol);
    if (!held.bad) set_next(elab, &held, symbol->clock, &symbol->sampled);
}

void dry_lang_samples(dry_elab *elab) {
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_SAMPLE) finish(elab, &elab->names.symbol[i]);
}

/* ---- uses -------------------------------------------------------------------------- */

dry_term dry_lang__sample_under_way(dry_elab *elab, const dry_symbol *symbol, dry_place at) {
    if (elab->scope.instant)
        DRY_SAY(elab->diag, at, SAMPLE_ITSELF, symbol->name);
    else
        dry_lang__sample_needs_from(elab, symbol, at);
    return dry_lang__bad(elab);
}

void dry_lang__sample_needs_from(dry_elab *elab, const dry_symbol *symbol, dry_place at) {
    DRY_SAY(elab->diag, at, SAMPLE_NEEDS_FROM, symbol->name,
            "whose text leads back to it through the equations");
}

dry_term dry_lang__sample_value(dry_elab *elab, dry_symbol *symbol, dry_place at) {
    if (elab->scope.instant != symbol->clock + 1 || symbol->value.bad) return symbol->value;
    if (symbol->next_progress == DRY_UNDER_WAY) {
        DRY_SAY(elab->diag, at, SAMPLE_ITSELF, symbol->name);
        return dry_lang__bad(elab);
    }
    if (symbol->next_progress == DRY_NEW) read_next(elab, symbol);
    return symbol->sampled;
}

dry_term dry_lang__sample_member(dry_elab *elab, dry_symbol *symbol, const char *member,
                                 dry_place at) {
    if (strcmp(member, "before") != 0) {
        DRY_SAY(elab->diag, at, UNKNOWN_MEMBER, symbol->name, member, "before");
        return dry_lang__bad(elab);
    }
    if (!elab->scope.instant) {
        DRY_SAY(elab->diag, at, BEFORE_WHAT, symbol->name);
        return dry_lang__bad(elab);
    }
    if (symbol->progress == DRY_UNDER_WAY) {
        DRY_SAY(elab->diag, at, SAMPLE_NEEDS_FROM, symbol->name, "that uses its own `before`");
        return dry_lang__bad(elab);
    }
    const int instant = elab->scope.instant;
    elab->scope.instant = 0;
    const dry_term held = dry_lang__symbol_value(elab, symbol, at);
    elab->scope.instant = instant;
    return held.bad ? held : computed(elab, symbol);
}
