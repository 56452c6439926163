/* lines: what delayed numbers were at the last instants, in states whose rate is 0.
 *
 * The instants of a delay T are those of a clock whose period is T/n; every method ends a step at
 * each of them, and so at T, 2 T, ..., to which a jump at the start passes on. Between the instants
 * a and a + h lies, with theta = (t - T - a)/h,
 *
 *     x(a + theta h) = x0 + theta (h m0 + theta (3 d - 2 h m0 - h m1 + theta (h m0 + h m1 - 2 d))),
 *     d = x1 - x0,
 *
 * m0: the rate just after a, m1: just before a + h. The error is h^4/384 of the fourth derivative.
 * n is at least T over the step; with a step of the method's own choice, such that for a motion
 * that swings twice within T this error is rtol. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* ---- how many instants ------------------------------------------------------------- */

enum { MOST_INSTANTS = 20000, UNKNOWN = 100 /* where no step is known */ };
static const double FINE = 0.35, DEFAULT_RTOL = 1e-6; /* the latter as ode.h has it */

/* The longest time between two instants. */
static double spacing(const dry_elab *elab, double T) {
    const dry_run_options *run = &elab->run;
    if (!dry_lang_method_row(elab)->adaptive) {
        return run->step > 0.0    ? run->step
               : run->until > 0.0 ? DRY_RUN_STEP * run->until
                                  : T / UNKNOWN;
    }
    const double fine = FINE * T * sqrt(sqrt(run->rtol > 0.0 ? run->rtol : DEFAULT_RTOL));
    return run->max_step > 0.0 && run->max_step < fine ? run->max_step : fine;
}

/* Returns how many, and the time between two; 0 if they do not fit the run, which is reported. The
 * instants are those of the steps if T is a multiple of the step. */
static int count_instants(dry_elab *elab, double T, double *period, dry_place at) {
    dry_diagnostics *diag = elab->diag;
    const double h = spacing(elab, T), n = ceil(T / h * (1.0 - 1e-9));
    *period = fabs(T / h - n) <= 1e-12 * n ? h : T / n;
    if (!(h <= T * (1.0 + 1e-9))) {
        DRY_SAY(diag, at, DELAY_SHORT, dry_diag_text(diag, "%g", T), dry_diag_text(diag, "%g", h));
        return 0;
    }
    if (n <= MOST_INSTANTS) return n < 1.0 ? 1 : (int)n;
    DRY_SAY(diag, at, DELAY_LONG, dry_diag_text(diag, "%g", T), dry_diag_text(diag, "%g", h),
            dry_diag_text(diag, "%d", MOST_INSTANTS));
    return 0;
}

/* ---- states ------------------------------------------------------------------------ */

static int add_states(dry_elab *elab, const char *name, int n, dry_dim dim, dry_place at) {
    const int first = elab->quantities.n_states;
    const char *inner = dry_diag_text(elab->diag, "%s.delayed.*", name);
    if (!dry_lang__spend(elab, at,
                         n > elab->scope.most_nodes - first ? (double)INFINITY : 0.25 * n))
        return -1;
    elab->quantities.sampling.n_states += n;
    for (int i = 0; i < n; i++) {
        dry_state_info *state = DRY_GROW(elab->arena, &elab->quantities, state);
        if (!state) return -1;
        *state = (dry_state_info){.name = inner, .dim = dim, .at = at, .rate_at = at, .symbol = -1};
    }
    return first;
}

static dry_node state_at(const dry_elab *elab, int index) {
    return dry_dag_leaf(elab->dag, DRY_OP_STATE, index);
}

/* The time of the last instant, one for all lines of the clock. */
static int last_of(dry_elab *elab, int clock, dry_place at) {
    const dry_sampling *all = &elab->quantities.sampling;
    for (int i = 0; i < all->n_lines; i++)
        if (all->line[i].clock == clock && all->line[i].last >= 0) return all->line[i].last;
    return add_states(elab, "t", 1, dry_dim_seconds(1.0), at);
}

/* ---- which past a number has ------------------------------------------------------- */

static const dry_symbol *symbol_of(const dry_elab *elab, int state) {
    const int symbol = state < 0 ? -1 : elab->quantities.state[state].symbol;
    return symbol < 0 ? NULL : &elab->names.symbol[symbol];
}

static const dry_held_info *held_of(const dry_elab *elab, int state) {
    const dry_sampling *all = &elab->quantities.sampling;
    for (int i = 0; i < all->n_helds; i++)
        if (all->held[i].state == state) return &all->held[i];
    return NULL;
}

bool dry_lang__has_no_past(dry_elab *elab, const dry_force *force, dry_place at) {
    const bool kept = dry_lang_is_plain(force) && dry_lang_keeps_sets(elab);
    if (!kept && !force->law->latch) return false;
    DRY_SAY(
        elab->diag, at, DELAY_FORCE, force->name,
        kept ? dry_diag_text(elab->diag, "is not a function of the states with method = %s",
                             dry_lang_method(elab))
             : dry_diag_text(elab->diag, "of the law %s has states that jump", force->law->name));
    return true;
}

/* Of a state inside of a law. */
static bool has_no_past(dry_elab *elab, int state, dry_place at) {
    if (state < 0 || elab->quantities.state[state].symbol >= 0) return false;
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (state >= force->state && state < force->state + force->n_states)
            return dry_lang__has_no_past(elab, force, at);
    }
    return false;
}

static dry_line_kind kind_of(const dry_elab *elab, int state) {
    const dry_symbol *symbol = symbol_of(elab, state);
    if (symbol && symbol->kind == DRY_SYM_INPUT) return DRY_LINE_SET;
    if (held_of(elab, state)) return DRY_LINE_HELD;
    return state < 0 || dry_lang_keeps_sets(elab) ? DRY_LINE_STRAIGHT : DRY_LINE_SMOOTH;
}

/* ---- the value --------------------------------------------------------------------- */

/* The cubic above; straight: x0 + theta d. */
static dry_node between(const dry_elab *elab, const dry_line_info *line) {
    dry_dag *dag = elab->dag;
    const int slopes = line->first + line->n + 1;
    const dry_node h = dry_dag_const(dag, elab->quantities.sampling.clock[line->clock].period);
#define BIN(op, a, b) dry_dag_bin(dag, DRY_OP_##op, a, b)
    const dry_node x0 = state_at(elab, line->first), x1 = state_at(elab, line->first + 1);
    const dry_node d = BIN(SUB, x1, x0);
    const dry_node since = BIN(SUB, dry_dag_leaf(dag, DRY_OP_T, 0), state_at(elab, line->last));
    const dry_node theta = BIN(DIV, since, h);
    if (line->kind == DRY_LINE_STRAIGHT) return BIN(ADD, x0, BIN(MUL, theta, d));
    const dry_node a = BIN(MUL, h, state_at(elab, slopes));
    const dry_node b = BIN(MUL, h, state_at(elab, slopes + line->n + 2));
    const dry_node two = dry_dag_const(dag, 2.0), three = dry_dag_const(dag, 3.0);
    const dry_node cube = BIN(SUB, BIN(ADD, a, b), BIN(MUL, two, d));
    const dry_node square = BIN(SUB, BIN(SUB, BIN(MUL, three, d), BIN(MUL, two, a)), b);
    return BIN(
        ADD, x0,
        BIN(MUL, theta, BIN(ADD, a, BIN(MUL, theta, BIN(ADD, square, BIN(MUL, theta, cube))))));
#undef BIN
}

/* A value of a sample waits for T: whole periods in the line, and the rest until `shown` takes it.
 */
static bool hold(dry_elab *elab, dry_line_info *line, const char *name, dry_dim dim, dry_place at) {
    const dry_clock clock = elab->quantities.sampling.clock[line->clock];
    const double periods = line->T / clock.period, whole = floor(periods + 1e-9);
    if (whole > MOST_INSTANTS) {
        DRY_SAY(elab->diag, at, DELAY_LONG, dry_diag_text(elab->diag, "%g", line->T),
                dry_diag_text(elab->diag, "%g", clock.period),
                dry_diag_text(elab->diag, "%d", MOST_INSTANTS));
        return false;
    }
    line->n = (int)whole;
    line->first = add_states(elab, name, line->n + 1, dim, at);
    line->value = state_at(elab, line->first);
    if (line->first < 0 || periods - whole <= 1e-9) return line->first >= 0;
    line->shown = add_states(elab, name, 1, dim, at);
    if (line->shown < 0) return false;
    const dry_node offset = dry_lang_offset(&elab->quantities.sampling, line->clock);
    const dry_node since = dry_dag_bin(elab->dag, DRY_OP_ADD,
                                       offset < 0 ? dry_dag_const(elab->dag, clock.offset) : offset,
                                       dry_dag_const(elab->dag, line->T));
    const int later = dry_lang__timed_clock(elab, (dry_clock){clock.period, clock.offset + line->T},
                                            since, (double)INFINITY);
    dry_lang__set_next(elab, line->shown, later, line->value);
    line->value = state_at(elab, line->shown);
    return true;
}

static bool lay_out(dry_elab *elab, dry_line_info *line, const char *name, dry_dim dim,
                    dry_place at) {
    if (line->kind == DRY_LINE_HELD) return hold(elab, line, name, dim, at);
    const dry_dim rate = dry_dim_combine(elab->dims, dim, 1.0, dry_dim_seconds(1.0), -1.0);
    double period;
    line->n = count_instants(elab, line->T, &period, at);
    if (!line->n) return false;
    line->clock = dry_lang__clock(elab, period, 0.0);
    line->last = last_of(elab, line->clock, at);
    line->first = add_states(elab, name, line->n + 1, dim, at);
    if (line->first < 0 || line->last < 0) return false;
    if (line->kind == DRY_LINE_SMOOTH && add_states(elab, name, 2 * (line->n + 1), rate, at) < 0)
        return false;
    line->value =
        line->kind == DRY_LINE_SET ? state_at(elab, line->first + 1) : between(elab, line);
    return true;
}

dry_node dry_lang__past(dry_elab *elab, int state, int outer, double T, dry_place at) {
    dry_sampling *all = &elab->quantities.sampling;
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        if (line->T == T &&
            (outer < 0 ? line->outer < 0 && line->input == state : line->outer == outer))
            return line->value;
    }
    const dry_outer *of = outer < 0 ? NULL : &elab->scene.outer[outer];
    const char *name = of ? of->name : elab->quantities.state[state].name;
    const dry_dim dim = of ? dry_lang_unit_dim(elab, of->unit) : elab->quantities.state[state].dim;
    const dry_held_info *held = held_of(elab, state);
    dry_line_info line = {.kind = kind_of(elab, state),
                          .input = state,
                          .outer = outer,
                          .T = T,
                          .apart = 1,
                          .clock = held ? held->clock : -1,
                          .last = -1,
                          .shown = -1};
    if (has_no_past(elab, state, at) || !lay_out(elab, &line, name, dim, at)) return 0;
    dry_line_info *slot = DRY_GROW(elab->arena, all, line);
    if (!slot) return 0;
    *slot = line;
    return line.value;
}

/* ---- in a run ---------------------------------------------------------------------- */

void dry_lang_fill_lines(const dry_sampling *all, double t, const double *inputs, double *x) {
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        const double h = all->clock[line->clock].period;
        for (int k = 0; k <= line->n; k++) x[line->first + k * line->apart] = inputs[line->input];
        if (line->last >= 0) x[line->last] = floor(t / h) * h;
        if (line->shown >= 0) x[line->shown] = inputs[line->input];
    }
}

/* Moves n numbers by one place. */
static void shift(const dry_line_info *line, double *at) {
    const int n = line->n, apart = line->apart;
    if (apart == 1)
        memmove(at, at + 1, sizeof *at * (size_t)n);
    else
        for (int k = 0; k < n; k++) at[k * apart] = at[(k + 1) * apart];
}

void dry_lang_move_line(const dry_line_info *line, double t, double value, double slope,
                        double *x) {
    const int last = line->n * line->apart, next = last + line->apart;
    double *at = x + line->first, *after = at + next, *before = after + next;
    shift(line, at);
    at[last] = value;
    if (line->last >= 0) x[line->last] = t;
    if (line->kind != DRY_LINE_SMOOTH) return;
    shift(line, after);
    shift(line, before);
    before[last] = slope;
}
