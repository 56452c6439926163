/* export_calls: prints the functions of model.c that model.h declares: how it begins, steps, is set
 * and read. Their steps are those of dry_ode, to the bit. */
#include "export_private.h"

const char *dry_export__tau(const dry_export__plan *plan) {
    return plan->run.method->uses_tau ? "m->h" : "0.0";
}

/* ---- time ------------------------------------------------------------------------------------ */

static void print_step(const dry_export__plan *plan, FILE *stream) {
    if (plan->run.method->fixed->form == DRY_FORM_STAGGERED)
        dry_native__print_positions(plan->system, stream);
    fprintf(stream, "/* One step of %s from t to t + h; no stage is later than `last`. */\n",
            plan->run.method->title);
    fprintf(stream,
            "static void step(const double *p, %sdouble t, double h, double last, double *x) {\n   "
            "     double ",
            plan->timed ? "double *w0, " : "");
    dry_native__print_scratch(plan->run.method, stream);
    fputs(plan->timed ? ", w1[N_TIMED];\n" : ";\n", stream);
    if (plan->timed && plan->run.method->fixed->stages < 3) fputs("        (void)w1;\n", stream);
    const dry_native__form form = {.states = dry_native__states_of(plan->model),
                                   .timed = plan->timed};
    dry_native__print_step(plan->run.method, form, stream);
    fputs("}\n\n", stream);
}

static const char follow_time[] =
    "SYS_APART void sys_follow(~ *m) { sys_time(m->p, m->t, m->w); }\n\n";
static const char follow_nothing[] = "static void sys_follow(~ *m) { (void)m; }\n\n";

/* A conversion of 64 bits is long on a small processor, and so is a comparison with anything but
 * the sign of the lower half. */
static const char grid_time[] =
    "/* Of a count beyond 32 bits. */\n"
    "SYS_APART double far_time(const ~ *m, long long k) {\n"
    "    const long rest = (long)(k % 1073741824), whole = (long)(k / 1073741824);\n"
    "    return m->t_start + (1073741824.0 * (double)whole + (double)rest) * m->h;\n"
    "}\n\n"
    "static double grid_time(const ~ *m, long long k) {\n"
    "    return k == (int32_t)k ? m->t_start + (double)(int32_t)k * m->h : far_time(m, k);\n"
    "}\n\n";
static const char below_single[] = "/* The largest number below x. */\n"
                                   "static double sys_below(double x) {\n"
                                   "    union {\n"
                                   "        double value;\n"
                                   "        uint32_t bits;\n"
                                   "    } both;\n"
                                   "    both.value = x;\n"
                                   "    if (x > 0.0)\n"
                                   "        both.bits--;\n"
                                   "    else\n"
                                   "        both.bits = x < 0.0 ? both.bits + 1 : 0x80000001u;\n"
                                   "    return both.value;\n"
                                   "}\n\n";
static const char go_begin[] =
    "/* A step of h seconds to the time `end`. */\n"
    "static int go(~ *m, double h, double last, double end, bool on_grid) {\n"
    "    double x[N_STATES], zero = 0.0;\n";
static const char go_copy[] = "    @x[#] = m->x[#];\n";
static const char go_check[] = "    @zero += 0.0 * x[#];\n";
static const char go_bad[] = "    if (!(zero == 0.0)) { /* infinite or not a number: back to the "
                             "last good state */\n"
                             "        sys_follow(m);\n"
                             "        return ^_NOT_FINITE;\n"
                             "    }\n";
static const char go_before[] = "    const double begin = m->t;\n"
                                "    double before[N_STATES];\n"
                                "    for (int i = 0; i < N_STATES; i++) before[i] = m->x[i];\n";
static const char go_keep[] = "    @m->x[#] = x[#];\n";
static const char go_end[] = "    m->t = end;\n"
                             "    if (on_grid) m->k++;\n";
static const char piece_function[] =
    "/* The step to the next point of the grid, or to `limit` where that comes first. */\n"
    "static int piece(~ *m, double limit, bool is_break) {\n"
    "    const double slack = SLACK * m->h, next = grid_time(m, m->k + 1);\n"
    "    const bool at_limit = limit <= next + slack;\n"
    "    const double end = at_limit ? limit : next;\n"
    "    const bool on_grid = end >= next - slack;\n"
    "    const bool whole = on_grid && fabs(m->t - grid_time(m, m->k)) <= slack;\n";
static const char piece_before[] = "    const double last = at_limit && is_break ? %s : end;\n";
static const char piece_end[] =
    "    return go(m, whole ? m->h : end - m->t, end, end, on_grid);\n}\n\n";
/* What follows from the time is that of `last` after the step. */
static const char piece_end_before[] =
    "    const int status = go(m, whole ? m->h : end - m->t, last, end, on_grid);\n"
    "    if (last < end) sys_follow(m);\n"
    "    return status;\n}\n\n";

/* The bits of end_at_stop in src/ode/fixed.c. */
static const char stops_after_begin[] =
    "/* One step of length h from `before` at time t; whether the run ends there. */\n"
    "static bool stops_after(~ *m, const double *before, double t, double h) {\n"
    "    for (int i = 0; i < N_STATES; i++) m->x[i] = before[i];\n"
    "    m->t = t;\n"
    "    sys_follow(m);\n";
static const char stops_after_end[] = "    m->t = t + h;\n"
                                      "    return sys_watch(m->p, m->t, m->x) >= ^_FIRST_STOP;\n"
                                      "}\n\n";
static const char to_stop[] =
    "/* The step from t that has passed the end of the run is taken anew, as long as it has to "
    "be.\n"
    " */\n"
    "static int to_stop(~ *m, const double *before, double t, bool on_grid) {\n"
    "    const double end = m->t;\n"
    "    double low = 0.0, high = end - t, x[N_STATES];\n"
    "    for (int i = 0; i < N_STATES; i++) x[i] = m->x[i];\n"
    "    for (;;) {\n"
    "        const double h = low + 0.5 * (high - low);\n"
    "        if (!(t + h > t + low && t + h < t + high)) break;\n"
    "        if (stops_after(m, before, t, h))\n"
    "            high = h;\n"
    "        else\n"
    "            low = h;\n"
    "    }\n"
    "    if (!(high < end - t)) { /* at its own end */\n"
    "        for (int i = 0; i < N_STATES; i++) m->x[i] = x[i];\n"
    "        m->t = end;\n"
    "        sys_follow(m);\n"
    "        return sys_watch(m->p, m->t, m->x);\n"
    "    }\n"
    "    (void)stops_after(m, before, t, high);\n"
    "    if (on_grid) m->k--;\n";
static const char latch[] = "    (void)sys_latch(m->p, m->t, m->x);\n";
static const char latch_on_grid[] =
    "    bool ticks[^_CLOCKS];\n"
    "    sys_tick(m, on_grid, ticks);\n"
    "    (void)sys_latch(m->p, sys_sample_time(m, ticks), ticks, m->x);\n";
static const char latch_at_break[] =
    "            bool ticks[^_CLOCKS];\n"
    "            sys_tick(m, false, ticks);\n"
    "            if (is_break) (void)sys_latch(m->p, sys_sample_time(m, ticks), ticks, m->x);\n";
static const char latch_off_grid[] =
    "    bool ticks[^_CLOCKS];\n"
    "    sys_recount(m);\n"
    "    sys_tick(m, false, ticks);\n"
    "    (void)sys_latch(m->p, sys_sample_time(m, ticks), ticks, m->x);\n";
static const char return_watch[] = "    return sys_watch(m->p, m->t, m->x);\n}\n\n";
static const char return_stop[] =
    "    const int found = sys_watch(m->p, m->t, m->x);\n"
    "    return found >= ^_FIRST_STOP ? to_stop(m, before, begin, on_grid) : found;\n"
    "}\n\n";

static const char begin_grid[] = "static void %s(~ *m, double h) {\n"
                                 "    m->t_start = m->t;\n"
                                 "    m->h = h;\n"
                                 "    m->k = 0;\n"
                                 "    m->clear = -(double)INFINITY;\n"
                                 "}\n\n";
static const char count_functions[] =
    "/* Which clocks sample: where all of them do so in whole steps of the grid, by the count, so "
    "that the\n"
    " * resolution of t does not matter. */\n"
    "static void sys_tick(~ *m, bool on_grid, bool *ticks) {\n"
    "    for (int i = 0; i < ^_CLOCKS; i++) {\n"
    "        ticks[i] = m->each[0] > 0 ? on_grid && m->k == m->due[i] : sys_ticks(i, m->t);\n"
    "        if (m->each[0] > 0 && ticks[i]) m->due[i] += m->each[i];\n"
    "    }\n"
    "}\n\n"
    "/* The latest instant of the clocks that sample, if only rounding separates it from t. */\n"
    "static double sys_sample_time(const ~ *m, const bool *ticks) {\n"
    "    double time = -(double)INFINITY;\n"
    "    for (int i = 0; i < ^_CLOCKS; i++) {\n"
    "        const double instant = sys_nearest(i, m->t);\n"
    "        const bool same = fabs(instant - m->t) <= 1e-6 * fabs(m->t);\n"
    "        if (ticks[i] && same && instant > time) time = instant;\n"
    "    }\n"
    "    return time > -(double)INFINITY ? time : m->t;\n"
    "}\n\n";
static const char recount_function[] =
    "/* After a step back. */\n"
    "static void sys_recount(~ *m) {\n"
    "    for (int i = 0; m->each[0] > 0 && i < ^_CLOCKS; i++)\n"
    "        while (m->due[i] - m->each[i] > m->k) m->due[i] -= m->each[i];\n"
    "}\n\n";
static const char set_grid_counted[] =
    "/* A period is whole if no other number of steps is nearer to it in single precision. */\n"
    "static void set_grid(~ *m, double h) {\n"
    "    bool whole = true;\n"
    "    begin_grid(m, h);\n"
    "    for (int i = 0; i < ^_CLOCKS; i++) {\n"
    "        const double steps = sys_clocks[i][0] / h, each = floor(steps + 0.5);\n"
    "        const double rest = (sys_after(i, m->t) - m->t) / h, first = floor(rest + 0.5);\n"
    "        m->each[i] = 0;\n"
    "        m->due[i] = 0;\n"
    "        whole = whole && each >= 1.0 && fabs(steps - each) <= 4e-7 * each && each < 1e9 &&\n"
    "                fabs(rest - first) <= SLACK + 4e-7 * first && first < 1e9;\n"
    "        if (!whole) continue;\n"
    "        m->each[i] = (long)each;\n"
    "        m->due[i] = first >= 1.0 ? (long)first : m->each[i];\n"
    "    }\n"
    "    if (!whole) m->each[0] = 0;\n"
    "}\n\n";
static const char advance_begin[] =
    "static bool is_step(const ~ *m, double h) {\n"
    "    const bool is_old = h <= m->h && h >= m->h;\n"
    "    return h > 0.0 && h < (double)INFINITY && (is_old || m->t + 1e6 * h > m->t);\n"
    "}\n\n";
static const char after_function[] =
    "/* The first sample of clock i after t. */\n"
    "static double sys_after(int i, double t) {\n"
    "    double k = floor((t - sys_clocks[i][1]) / sys_clocks[i][0]);\n"
    "    if (!(k > 0.0)) k = 0.0;\n"
    "    while (sys_instant(i, k) <= t) k += 1.0;\n"
    "    return sys_instant(i, k);\n"
    "}\n\n";
static const char event_begin[] = "/* The first time after t that no stage of a step crosses. */\n"
                                  "static double sys_event(const ~ *m) {\n"
                                  "    double next = (double)INFINITY;\n";
static const char event_breaks[] =
    "    for (int i = 0; i < N_BREAKS; i++)\n"
    "        if (m->breaks[i] > m->t && m->breaks[i] < next) next = m->breaks[i];\n";
static const char event_uncounted[] = "    if (m->each[0] > 0) return next;\n";
static const char event_clocks[] =
    "    for (int i = 0; i < (int)(sizeof sys_clocks / sizeof *sys_clocks); i++) {\n"
    "        const double after = sys_after(i, m->t);\n"
    "        if (after < next) next = after;\n"
    "    }\n";
static const char event_knots[] = "    const double knot = sys_next_knot(m->t);\n"
                                  "    if (knot < next) next = knot;\n";
static const char event_end[] = "    return next;\n}\n\n";
static const char run_begin[] =
    "/* Goes on to the time t_end and to the point k_end of the grid, whichever is later. */\n"
    "static int run_to(~ *m, double t_end, long long k_end) {\n"
    "    while (m->t < t_end || m->k < k_end) {\n";
static const char run_eventful[] = "        const double event = sys_event(m);\n"
                                   "        const bool is_break = event <= t_end;\n"
                                   "        const double limit = is_break ? event : t_end;\n";
static const char run_eventless[] =
    "        const double event = (double)INFINITY, limit = t_end;\n"
    "        const bool is_break = false;\n";
static const char run_slack[] =
    "        if (limit - m->t <= SLACK * m->h && (is_break || m->k >= k_end)) {\n"
    "            m->t = limit;\n"
    "            m->clear = -(double)INFINITY;\n"
    "            sys_follow(m);\n";
static const char run_end[] =
    "            continue;\n"
    "        }\n"
    "        const int status = piece(m, limit, is_break);\n"
    "        const double on_grid = grid_time(m, m->k);\n"
    "        m->clear = m->t >= on_grid && m->t <= on_grid ? event : -(double)INFINITY;\n"
    "        if (status) return status;\n"
    "    }\n"
    "    return 0;\n"
    "}\n\n"
    "int ~_advance(~ *m, double h, double t_end) {\n"
    "    if (!is_step(m, h)) return ^_BAD_STEP;\n"
    "    if (!(t_end >= m->t - SLACK * h && (t_end - m->t) / h < 1e18)) return ^_BAD_STEP;\n"
    "    if (m->h < h || m->h > h) set_grid(m, h);\n"
    "    return run_to(m, t_end, m->k);\n"
    "}\n\n"
    "/* The first step, another step, one to an event, one from between the steps, or one of a "
    "count\n"
    " * beyond 32 bits. */\n"
    "SYS_APART int step_anyhow(~ *m, double h) {\n"
    "    const double next = grid_time(m, m->k + 1);\n"
    "    if (!is_step(m, h)) return ^_BAD_STEP;\n"
    "    if (h == m->h && next < m->clear) return go(m, h, next, next, true);\n"
    "    if (m->h < h || m->h > h || fabs(m->t - grid_time(m, m->k)) > SLACK * h) set_grid(m, h);\n"
    "    return run_to(m, grid_time(m, m->k + 1), m->k + 1);\n"
    "}\n\n"
    "int ~_step(~ *m, double h) {\n"
    "    const int32_t k = (int32_t)(m->k + 1);\n"
    "    const double next = m->t_start + (double)k * h;\n"
    "    const bool plain = k == m->k + 1 && h == m->h && next < m->clear;\n"
    "    return plain ? go(m, h, next, next, true) : step_anyhow(m, h);\n"
    "}\n\n";

static void print_latch(const dry_export__plan *plan, const char *counted, FILE *stream) {
    if (plan->system->latch) dry_export__put(plan, plan->counts_samples ? counted : latch, stream);
}

static void print_stop(const dry_export__plan *plan, FILE *stream) {
    dry_export__put(plan, stops_after_begin, stream);
    fprintf(stream, "    step(m->p, %st, h, t + h, m->x);\n", plan->timed ? "m->w, " : "");
    dry_export__put(plan, stops_after_end, stream);
    dry_export__put(plan, to_stop, stream);
    print_latch(plan, latch_off_grid, stream);
    fputs(return_watch, stream);
}

static void print_template(const dry_export__plan *plan, const char *text, FILE *stream) {
    dry_native__print_template(text, dry_native__states_of(plan->model), stream);
}

static void print_go(const dry_export__plan *plan, FILE *stream) {
    const bool stops = plan->system->n_stops > 0;
    dry_export__put(plan, go_begin, stream);
    print_template(plan, go_copy, stream);
    fprintf(stream, "    step(m->p, %sm->t, h, last, x);\n", plan->timed ? "m->w, " : "");
    print_template(plan, go_check, stream);
    dry_export__put(plan, go_bad, stream);
    if (stops) fputs(go_before, stream);
    print_template(plan, go_keep, stream);
    fputs(go_end, stream);
    print_latch(plan, latch_on_grid, stream);
    if (stops)
        dry_export__put(plan, return_stop, stream);
    else
        fputs(plan->system->watch ? return_watch : "    return 0;\n}\n\n", stream);
}

static bool has_breaks(const dry_export__plan *plan) {
    return plan->model->code.n_roots[DRY_SECTION_BREAKS] > 0;
}

/* Whether there may be times that no stage crosses. */
static bool is_eventful(const dry_export__plan *plan) {
    return has_breaks(plan) || plan->model->code.n_break_tables || plan->system->n_clocks;
}

static void print_event(const dry_export__plan *plan, FILE *stream) {
    if (!is_eventful(plan)) return;
    dry_export__put(plan, event_begin, stream);
    if (has_breaks(plan)) fputs(event_breaks, stream);
    if (plan->model->code.n_break_tables) fputs(event_knots, stream);
    if (plan->counts_samples) fputs(event_uncounted, stream);
    if (plan->system->n_clocks) fputs(event_clocks, stream);
    fputs(event_end, stream);
}

static void print_piece(const dry_export__plan *plan, FILE *stream) {
    const bool eventful = is_eventful(plan);
    if (eventful && plan->single) fputs(below_single, stream);
    dry_export__put(plan, piece_function, stream);
    if (eventful)
        fprintf(stream, piece_before,
                plan->single ? "sys_below(end)" : "nextafter(end, -(double)INFINITY)");
    else
        fputs("    (void)is_break;\n", stream);
    fputs(eventful ? piece_end_before : piece_end, stream);
}

/* Prints begin_grid or set_grid. */
static void print_begin_grid(const dry_export__plan *plan, const char *name, FILE *stream) {
    char text[sizeof begin_grid + 16];
    snprintf(text, sizeof text, begin_grid, name);
    dry_export__put(plan, text, stream);
}

static void print_grid(const dry_export__plan *plan, FILE *stream) {
    print_begin_grid(plan, plan->counts_samples ? "begin_grid" : "set_grid", stream);
    if (plan->system->n_clocks) fputs(after_function, stream);
    if (!plan->counts_samples) return;
    dry_export__put(plan, count_functions, stream);
    if (plan->system->n_stops > 0) dry_export__put(plan, recount_function, stream);
    dry_export__put(plan, set_grid_counted, stream);
}

static void print_advance(const dry_export__plan *plan, FILE *stream) {
    fprintf(stream,
            "/* A remainder shorter than this part of a step is no step of its own. */\n"
            "static const double SLACK = %s;\n\n",
            plan->single ? "1e-4" : "1e-9");
    dry_export__put(plan, plan->timed ? follow_time : follow_nothing, stream);
    dry_export__put(plan, grid_time, stream);
    print_grid(plan, stream);
    if (plan->system->n_stops > 0) print_stop(plan, stream);
    print_go(plan, stream);
    print_piece(plan, stream);
    print_event(plan, stream);
    dry_export__put(plan, advance_begin, stream);
    dry_export__put(plan, run_begin, stream);
    fputs(is_eventful(plan) ? run_eventful : run_eventless, stream);
    fputs(run_slack, stream);
    if (plan->counts_samples)
        dry_export__put(plan, latch_at_break, stream);
    else if (plan->system->n_clocks)
        fputs("            if (is_break) (void)sys_latch(m->p, m->t, m->x);\n", stream);
    dry_export__put(plan, run_end, stream);
}

static const char shift_begin[] =
    "int ~_shift_time(~ *m, long long steps) {\n"
    "    if (steps > 1000000000000000000 || steps < -1000000000000000000) return ^_BAD_SHIFT;\n"
    "    const double to = grid_time(m, m->k - steps);\n"
    "    if (!(fabs(m->t - grid_time(m, m->k)) <= SLACK * m->h)) return ^_BAD_SHIFT;\n";
static const char shift_first[] = "    const double first = to < m->t ? to : m->t;\n";
static const char shift_breaks[] =
    "    for (int i = 0; i < N_BREAKS; i++)\n"
    "        if (m->breaks[i] > first && m->breaks[i] < (double)INFINITY) return ^_BAD_SHIFT;\n";
static const char shift_knots[] =
    "    if (sys_next_knot(first) < (double)INFINITY) return ^_BAD_SHIFT;\n";
static const char shift_clocks[] =
    "    for (int i = 0; i < (int)(sizeof sys_clocks / sizeof *sys_clocks); i++) {\n"
    "        const double each = round(sys_clocks[i][0] / m->h);\n"
    "        if (!(each >= 1.0 && each < 1e18 && first >= sys_clocks[i][1])) return ^_BAD_SHIFT;\n"
    "        if (!(fabs(each * m->h - sys_clocks[i][0]) <= SLACK * m->h)) return ^_BAD_SHIFT;\n"
    "        if (steps % (long long)each != 0) return ^_BAD_SHIFT;\n"
    "    }\n";
static const char shift_line[] = "    m->x[%d] = sys_nearest(%d, m->x[%d] - (m->t - to));\n";
static const char shift_k[] = "    m->t = to;\n"
                              "    m->clear = -(double)INFINITY;\n"
                              "    m->k -= steps;\n";
static const char shift_grid[] =
    "    if (m->t_start > 0.0 || m->t_start < 0.0) set_grid(m, m->h);\n";
static const char shift_counts[] =
    "    const bool anew = m->t_start > 0.0 || m->t_start < 0.0;\n"
    "    for (int i = 0; i < ^_CLOCKS; i++) m->due[i] -= anew ? steps + m->k : steps;\n"
    "    if (anew) begin_grid(m, m->h);\n";
static const char shift_end[] = "    sys_follow(m);\n"
                                "    return 0;\n"
                                "}\n\n";

/* The times that delay lines hold; the lines of a clock share one. */
static void print_shift_lines(const dry_sampling *all, FILE *stream) {
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        bool first = line->last >= 0;
        for (int k = 0; k < i; k++) first = first && all->line[k].last != line->last;
        if (first) fprintf(stream, shift_line, line->last, line->clock, line->last);
    }
}

static void print_shift(const dry_export__plan *plan, FILE *stream) {
    const dry_model_code *code = &plan->model->code;
    dry_export__put(plan, shift_begin, stream);
    if (code->n_roots[DRY_SECTION_BREAKS] || code->n_break_tables || plan->system->n_clocks)
        fputs(shift_first, stream);
    if (code->n_roots[DRY_SECTION_BREAKS]) dry_export__put(plan, shift_breaks, stream);
    if (code->n_break_tables) dry_export__put(plan, shift_knots, stream);
    if (plan->system->n_clocks) dry_export__put(plan, shift_clocks, stream);
    print_shift_lines(&plan->model->elab.quantities.sampling, stream);
    fputs(shift_k, stream);
    dry_export__put(plan, plan->counts_samples ? shift_counts : shift_grid, stream);
    fputs(shift_end, stream);
}

/* ---- values ------------------------------------------------------------------------------------
 */

static void print_rows(const dry_export__plan *plan, FILE *stream) {
    fputs("/* Where the parameters are, and which of them are fixed. */\n"
          "static const size_t sys_places[] = {",
          stream);
    for (int i = 0; i < plan->n_par; i++) {
        dry_export__put(plan, "offsetof(~_par, ", stream);
        fprintf(stream, "%s), ", plan->fields[i]);
    }
    fputs("0};\nstatic const bool sys_fixed[] = {", stream);
    for (int i = 0; i < plan->n_par; i++)
        fputs(plan->model->elab.quantities.param[plan->par[i]].fixed ? "true, " : "false, ",
              stream);
    fputs("false};\n\n", stream);
}

static const char values_functions[] =
    "static int sys_find(const char *const *names, const char *name) {\n"
    "    for (int i = 0; names[i]; i++) {\n"
    "        const char *a = names[i], *b = name;\n"
    "        while (*a && *a == *b) a++, b++;\n"
    "        if (*a == *b) return i;\n"
    "    }\n"
    "    return -1;\n"
    "}\n\n"
    "static bool sys_finite(double value) { return value - value <= 0.0; }\n\n"
    "static double *sys_field(~_par *par, int i) {\n"
    "    return (double *)(void *)((char *)par + sys_places[i]);\n"
    "}\n\n"
    "static bool sys_fits(int i, double value) {\n"
    "    ~_par standard = ~_defaults;\n"
    "    const double usual = *sys_field(&standard, i);\n"
    "    if (value <= usual && value >= usual) return true;\n"
    "    return sys_finite(value) && !sys_fixed[i] && value >= ~_par_ranges[i][0] &&\n"
    "           value <= ~_par_ranges[i][1];\n"
    "}\n\n"
    "static bool sys_all_fit(const ~_par *par) {\n"
    "    ~_par copy = *par;\n"
    "    for (int i = 0; i < ^_PARAMETERS; i++)\n"
    "        if (!sys_fits(i, *sys_field(&copy, i))) return false;\n"
    "    return true;\n"
    "}\n\n"
    "int ~_par_find(const char *name) { return sys_find(~_par_names, name); }\n\n"
    "int ~_par_set(~_par *par, int i, double value) {\n"
    "    if (i < 0 || i >= ^_PARAMETERS) return ^_NO_SUCH;\n"
    "    if (!sys_fits(i, value)) return ^_BAD_VALUE;\n"
    "    *sys_field(par, i) = value;\n"
    "    return 0;\n"
    "}\n\n"
    "int ~_input_find(const char *name) {\n"
    "    for (int i = 0; i < ^_INPUTS; i++)\n"
    "        if (sys_find(~_state_names, name) == ~_inputs[i]) return i;\n"
    "    return -1;\n"
    "}\n\n"
    "int ~_set_input(~ *m, int input, double value) {\n"
    "    if (input < 0 || input >= ^_INPUTS) return ^_NO_SUCH;\n"
    "    if (!sys_finite(value)) return ^_BAD_VALUE;\n"
    "    m->x[~_inputs[input]] = value;\n"
    "    return 0;\n"
    "}\n\n";

static const char prepare_begin[] = "static void sys_take_par(~ *m, const ~_par *par) {\n"
                                    "    const double list[N_PAR + 1] = {";
static const char prepare_end[] = "0.0};\n"
                                  "    m->par = *par;\n"
                                  "    m->clear = -(double)INFINITY;\n"
                                  "    sys_prepare(list, m->p);\n";
static const char begin_functions[] =
    "int ~_set_par(~ *m, const ~_par *par) {\n"
    "    if (!par) par = &~_defaults;\n"
    "    if (!sys_all_fit(par)) return ^_BAD_VALUE;\n"
    "    sys_take_par(m, par);\n"
    "    sys_follow(m);\n"
    "    return 0;\n"
    "}\n\n"
    "int ~_reset(~ *m, double t, const double *x) {\n"
    "    bool good = sys_finite(t);\n"
    "    for (int i = 0; x && i < N_STATES; i++) good = good && sys_finite(x[i]);\n"
    "    if (!good) return ^_BAD_VALUE;\n"
    "    m->t = t;\n"
    "    for (int i = 0; x && i < N_STATES; i++) m->x[i] = x[i];\n"
    "    if (!x) sys_start(m->p, m->t, m->x);\n"
    "    set_grid(m, m->h);\n"
    "    sys_follow(m);\n"
    "    return 0;\n"
    "}\n\n"
    "int ~_start(~ *m, double t, const unsigned char *given, const double *x) {\n"
    "    bool good = sys_finite(t);\n"
    "    for (int i = 0; i < N_STATES; i++) good = good && (!given[i] || sys_finite(x[i]));\n"
    "    if (!good) return ^_BAD_VALUE;\n"
    "    m->t = t;\n"
    "    for (int i = 0; i < N_STATES; i++)\n"
    "        if (given[i]) m->x[i] = x[i];\n"
    "    sys_start_from(m->p, m->t, given, m->x);\n"
    "    set_grid(m, m->h);\n"
    "    sys_follow(m);\n"
    "    return 0;\n"
    "}\n\n"
    "int ~_init(~ *m, const ~_par *par) {\n"
    "    if (!par) par = &~_defaults;\n"
    "    if (!sys_all_fit(par)) return ^_BAD_VALUE;\n"
    "    sys_take_par(m, par);\n";

static void print_begin(const dry_export__plan *plan, FILE *stream) {
    dry_export__put(plan, prepare_begin, stream);
    for (int i = 0; i < plan->n_par; i++) fprintf(stream, "par->%s, ", plan->fields[i]);
    fputs(prepare_end, stream);
    if (plan->model->code.n_roots[DRY_SECTION_BREAKS])
        fputs("    sys_breaks(m->p, m->breaks);\n", stream);
    fputs("}\n\n", stream);
    dry_export__put(plan, begin_functions, stream);
    fputs("    m->h = ", stream);
    dry_export__number(plan->run.step, stream);
    dry_export__put(plan, ";\n    return ~_reset(m, 0.0, 0);\n}\n\n", stream);
}

/* ---- what is read ------------------------------------------------------------------------------
 */

static const char rate_timed[] =
    "void ~_rate(const ~ *m, double t, const double *x, double *x_dot) {\n"
    "    double w[N_TIMED];\n"
    "    sys_time(m->p, t, w);\n"
    "    sys_rate(m->p, w, t, ";
static const char rate_plain[] =
    "void ~_rate(const ~ *m, double t, const double *x, double *x_dot) {\n"
    "    sys_rate(m->p, t, ";

static void print_slopes(const dry_export__plan *plan, FILE *stream) {
    dry_export__put(plan,
                    "void ~_output_jacobian(const ~ *m, double t, const double *x, double *values) "
                    "{\n    sys_output_jacobian(m->p, t, ",
                    stream);
    fprintf(stream, "%s, x, values);\n}\n\n", dry_export__tau(plan));
}

static void print_reading(const dry_export__plan *plan, FILE *stream) {
    const char *tau = dry_export__tau(plan);
    dry_export__put(plan,
                    "int ~_output_find(const char *name) { return sys_find(~_output_names, name); "
                    "}\n\nvoid ~_output(const ~ *m, double *y) {\n",
                    stream);
    if (plan->n_outputs)
        fprintf(stream, "    sys_output(m->p, m->t, %s, m->x, y);\n}\n\n", tau);
    else
        fputs("    (void)m, (void)y;\n}\n\n", stream);
    dry_export__put(plan, "void ~_phases(const ~ *m, unsigned char *phases) {\n", stream);
    if (plan->system->n_elements)
        fprintf(stream, "    sys_phases(m->p, m->t, %s, m->x, phases);\n}\n\n", tau);
    else
        fputs("    (void)m, (void)phases;\n}\n\n", stream);
    dry_export__put(plan, plan->timed ? rate_timed : rate_plain, stream);
    fprintf(stream, "%s, x, x_dot);\n}\n\n", tau);
    dry_export__put(plan,
                    "void ~_jacobian(const ~ *m, double t, const double *x, double *values) {\n"
                    "    sys_jacobian(m->p, t, ",
                    stream);
    fprintf(stream, "%s, x, values);\n}\n\n", tau);
    if (plan->sensitive) print_slopes(plan, stream);
}

static const char saving[] =
    "static unsigned long sys_add(unsigned long sum, const void *bytes, size_t n) {\n"
    "    const unsigned char *next = bytes;\n"
    "    for (; n > 0; n--) sum = (sum * 16777619UL + *next++) & 0xFFFFFFFFUL;\n"
    "    return sum;\n"
    "}\n\n"
    "/* Of all that is in use. */\n"
    "static unsigned long sys_sum(const ~ *m) {\n"
    "    unsigned long sum = sys_add(2166136261UL, &m->t, sizeof m->t);\n"
    "    sum = sys_add(sum, m->x, sizeof m->x);\n"
    "    sum = sys_add(sum, &m->par, ^_PARAMETERS * sizeof *m->x);\n"
    "    sum = sys_add(sum, m->p, ^_FIXED * sizeof *m->p);\n"
    "    sum = sys_add(sum, m->w, ^_TIMED * sizeof *m->w);\n"
    "    sum = sys_add(sum, m->breaks, ^_BREAKS * sizeof *m->breaks);\n"
    "    sum = sys_add(sum, &m->t_start, sizeof m->t_start);\n"
    "    sum = sys_add(sum, &m->h, sizeof m->h);\n"
    "    sum = sys_add(sum, &m->clear, sizeof m->clear);\n"
    "    sum = sys_add(sum, &m->k, sizeof m->k);\n";
static const char saving_counts[] = "    sum = sys_add(sum, m->due, sizeof m->due);\n"
                                    "    sum = sys_add(sum, m->each, sizeof m->each);\n";
static const char saving_end[] =
    "    return sum;\n"
    "}\n\n"
    "void ~_save(const ~ *m, ~_saved *saved) {\n"
    "    saved->mark = sys_mark;\n"
    "    saved->sum = sys_sum(m);\n"
    "    saved->m = *m;\n"
    "}\n\n"
    "int ~_restore(~ *m, const ~_saved *saved) {\n"
    "    if (saved->mark != sys_mark || saved->sum != sys_sum(&saved->m)) return ^_BAD_SAVE;\n"
    "    *m = saved->m;\n"
    "    return 0;\n"
    "}\n";

void dry_export__calls(const dry_export__plan *plan, unsigned long mark, FILE *stream) {
    print_step(plan, stream);
    print_advance(plan, stream);
    print_shift(plan, stream);
    print_rows(plan, stream);
    dry_export__put(plan, values_functions, stream);
    print_begin(plan, stream);
    print_reading(plan, stream);
    fprintf(stream,
            "/* Marks what this model saves. */\nstatic const unsigned long sys_mark = %luUL;\n\n",
            mark);
    dry_export__put(plan, saving, stream);
    if (plan->counts_samples) fputs(saving_counts, stream);
    dry_export__put(plan, saving_end, stream);
}
