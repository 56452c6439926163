/* steady: the C text of a loop for the steps of the scheme `rigid` in which no set changes. It
 * computes the numbers of src/rigid/steady.c in the same order, with a statement for each.
 *
 * x: states, y: at mid-step, then at the end; u: velocities, a quarter of a step ahead, then means
 * of the step; F, A: smooth and whole accelerations; chi: levels; l: forces; m: margins of those
 * that hold; 1, 2: of the last two steps. */
#include "native_private.h"

static bool is_dio(const dry_inclusion *inc, int set) {
    return inc->sets[set].set->kind == DRY_SET_OF_POSITIONS;
}

static bool any_dio(const dry_inclusion *inc) {
    bool any = false;
    for (int set = 0; set < inc->n_sets; set++) any = any || is_dio(inc, set);
    return any;
}

bool dry_native__has_steady(const dry_model *model) {
    const dry_inclusion *inc = dry_model_inclusion(model);
    for (int set = 0; inc && set < inc->n_sets; set++)
        if (inc->sets[set].set->shape == DRY_SHAPE_OTHER) return false;
    return inc && inc->steady && inc->n_sets == inc->n_forces && inc->n_lift == 0 &&
           inc->n_sets <= DRY_RIGID_MARCH_SETS && dry_native__is_small(model);
}

/* ---- statements for each velocity, other state, set ------------------------------ */

/* Prints a template for one index, which replaces #; @ is replaced by the number of earlier
 * ones. */
static void print_one(const char *text, int index, int number, FILE *stream) {
    for (; *text; text++) {
        if (*text == '#')
            fprintf(stream, "%d", index);
        else if (*text == '@')
            fprintf(stream, "%d", number);
        else
            fputc(*text, stream);
    }
}
static void print_states(const dry_inclusion *inc, bool velocities, const char *text,
                         FILE *stream) {
    int number = 0;
    for (int j = 0; j < inc->n_states; j++)
        if (inc->is_velocity[j] == velocities) print_one(text, j, number++, stream);
}
static void print_sets(const dry_inclusion *inc, const char *sgn, const char *dio, FILE *stream) {
    for (int set = 0; set < inc->n_sets; set++)
        print_one(is_dio(inc, set) ? dio : sgn, set, 0, stream);
}

/* Prints (c + feel u) of a set, with the prefix `of` before its numbers. `velocity` is the template
 * of u for an index. */
static void print_slide(const dry_inclusion *inc, int set, const char *of, const char *velocity,
                        FILE *stream) {
    fprintf(stream, "(%sc_%d", of, set);
    for (int k = 0; k < inc->n_feel; k++) {
        if (inc->feel_force[k] != set) continue;
        fprintf(stream, " + %sfeel_%d * ", of, k);
        print_one(velocity, inc->feel_state[k], 0, stream);
    }
    fputs(")", stream);
}

static int count_feels(const dry_inclusion *inc, int set) {
    int count = 0;
    for (int k = 0; k < inc->n_feel; k++) count += inc->feel_force[k] == set;
    return count;
}

/* ---- the step -------------------------------------------------------------------- */

static void print_predict(const dry_inclusion *inc, FILE *stream) {
    print_states(inc, true,
                 "        const double a_# = A1[#] + 0.75 * (A1[#] - A2[#]);\n"
                 "        u[#] = x[#] + quarter * a_#;\n"
                 "        y[#] = x[#] + half * a_#;\n",
                 stream);
    fputs("        sys_carry(carry_c, carry, u, rate);\n", stream);
    print_states(inc, false, "        y[#] = sys_moves[#] ? x[#] + half * rate[#] : x[#];\n",
                 stream);
    fputs("        sys_smooth(p, t_start + at * h + half, 0.0, y, smooth);\n", stream);
    print_states(inc, true,
                 "        const double F_# = smooth[@];\n"
                 "        double A_# = F_# + (F_# - 2.0 * F1[#] + F2[#]) * (1.0 / 24.0);\n",
                 stream);
}

static const char sgn_slips[] =
    "        const double chi_# = smooth[N_VELOCITIES + #];\n"
    "        const double mean_# = chi_# + (chi_# - 2.0 * chi1[#] + chi2[#]) * (1.0 / 24.0);\n"
    "        const double level_# = mean_# > 0.0 ? mean_# : 0.0;\n"
    "        double l_# = slips_# ? sign_# * level_# : 0.0, m_# = 0.0;\n"
    "        if (!(chi_# >= 0.0)) break;\n";
static const char dio_slips[] = "        double l_# = 0.0, m_# = 0.0;\n";

/* Prints what the forces add to the accelerations: all forces, or only those that hold. */
static void print_push(const dry_inclusion *inc, bool all, FILE *stream) {
    for (int k = 0; k < inc->n_push; k++) {
        fputs("        ", stream);
        if (!all) fprintf(stream, "if (!slips_%d) ", inc->push_force[k]);
        fprintf(stream, "A_%d += push_%d * l_%d;\n", inc->push_state[k], k, inc->push_force[k]);
    }
}

/* Returns true if a force acts on the slide of another set. */
static bool is_coupled(const dry_inclusion *inc) {
    for (int i = 0; i < inc->n_feel; i++)
        for (int k = 0; k < inc->n_push; k++)
            if (inc->feel_state[i] == inc->push_state[k] &&
                inc->feel_force[i] != inc->push_force[k])
                return true;
    return false;
}

static void print_hold(const dry_inclusion *inc, int set, bool coupled, FILE *stream) {
    const int n = inc->n_sets;
    fprintf(stream, "        if (!slips_%d) {\n            l_%d = ", set, set);
    if (coupled)
        for (int j = 0; j < n; j++)
            fprintf(stream, "%shold[%d] * s_%d", j ? " + " : "", set * n + j, j);
    else
        fprintf(stream, "hold[%d] * s_%d", set, set);
    fprintf(stream, ";\n            m_%d = ", set);
    print_one(is_dio(inc, set) ? "-l_#;\n" : "fabs(l_#) - level_#;\n", set, 0, stream);
    fprintf(stream, "            if (!(m_%d <= 0.0)) break;\n        }\n", set);
}

static void print_solve(const dry_inclusion *inc, FILE *stream) {
    print_sets(inc, sgn_slips, dio_slips, stream);
    print_push(inc, true, stream);
    for (int set = 0; set < inc->n_sets; set++) {
        fprintf(stream, "        const double s_%d = ", set);
        print_slide(inc, set, "", "(x[#] + h * A_#)", stream);
        fputs(";\n", stream);
    }
    for (int set = 0; set < inc->n_sets; set++) print_hold(inc, set, is_coupled(inc), stream);
    print_push(inc, false, stream);
}

/* Prints the largest sum of magnitudes in an acceleration, times `small`. */
static void print_bulk(const dry_inclusion *inc, FILE *stream) {
    print_states(
        inc, true,
        "        double bulk_# = fabs(F_# + (F_# - 2.0 * F1[#] + F2[#]) * (1.0 / 24.0));\n",
        stream);
    for (int k = 0; k < inc->n_push; k++)
        fprintf(stream, "        bulk_%d += fabs(push_%d * l_%d);\n", inc->push_state[k], k,
                inc->push_force[k]);
    fputs("        double most = 0.0;\n", stream);
    print_states(inc, true, "        most = most > bulk_# ? most : bulk_#;\n", stream);
    fputs("        most = small * most;\n", stream);
}

/* If a set holds one velocity alone, its acceleration is set to zero, so that the velocity keeps
 * every bit. If a set holds several velocities, only accelerations of the size of rounding become
 * zero. */
static void print_stop(const dry_inclusion *inc, FILE *stream) {
    bool shared = false;
    for (int set = 0; set < inc->n_sets; set++) shared = shared || count_feels(inc, set) > 1;
    if (shared) print_bulk(inc, stream);
    for (int k = 0; k < inc->n_feel; k++) {
        const int set = inc->feel_force[k], j = inc->feel_state[k];
        fprintf(stream, "        if (!slips_%d", set);
        if (count_feels(inc, set) > 1) fprintf(stream, " && fabs(A_%d) <= most", j);
        fprintf(stream, ") A_%d = 0.0;\n", j);
    }
}

/* Slipping in one direction: the slide with its sign is positive. */
static void print_directions(const dry_inclusion *inc, FILE *stream) {
    for (int set = 0; set < inc->n_sets; set++) {
        if (is_dio(inc, set)) continue;
        fprintf(stream, "        if (slips_%d && !(", set);
        print_slide(inc, set, "signed_", "y[#]", stream);
        fputs(" > 0.0)) break;\n", stream);
    }
}

static void print_move(const dry_inclusion *inc, FILE *stream) {
    print_states(inc, true,
                 "        u[#] = x[#] + half * A_# - twelfth * (A_# - A1[#]);\n"
                 "        y[#] = x[#] + h * A_#;\n"
                 "        if (!(fabs(y[#]) < INFINITY)) break;\n",
                 stream);
    print_directions(inc, stream);
    fputs("        sys_carry(carry_c, carry, u, rate);\n", stream);
    print_states(inc, false, "        y[#] = sys_moves[#] ? x[#] + h * rate[#] : x[#];\n", stream);
    if (!any_dio(inc)) return;
    fputs("        sys_gaps(p, t_start + (at + 1.0) * h, 0.0, y, gaps);\n", stream);
    print_sets(inc, "", "        if (slips_# && gaps[#] < (gap[#] < 0.0 ? gap[#] : 0.0)) break;\n",
               stream);
}

static void print_keep(const dry_inclusion *inc, FILE *stream) {
    print_states(inc, true,
                 "        x[#] = y[#], F2[#] = F1[#], F1[#] = F_#, A2[#] = A1[#], A1[#] = A_#;\n",
                 stream);
    print_states(inc, false, "        x[#] = y[#];\n", stream);
    print_sets(inc,
               "        chi2[#] = chi1[#], chi1[#] = chi_#, lambda[#] = l_#, margin[#] = m_#;\n",
               "        gap[#] = gaps[#], lambda[#] = l_#, margin[#] = m_#;\n", stream);
}

/* ---- around it ------------------------------------------------------------------- */

static const char loop_begin[] =
    "static long steady(const dry_env *env, dry_rigid_march *m) {\n"
    "    double p[N_FIXED + 1], x[N_STATES], y[N_STATES + N_FORCES] = {0.0}, u[N_STATES];\n"
    "    double rate[N_STATES], F1[N_STATES], F2[N_STATES], A1[N_STATES], A2[N_STATES];\n"
    "    double smooth[N_VELOCITIES + N_SETS], chi1[N_SETS], chi2[N_SETS];\n"
    "    double lambda[N_SETS] = {0.0}, margin[N_SETS] = {0.0}, gap[N_SETS], gaps[N_SETS];\n"
    "    const double *fixed = env->work, *carry_c = m->carry_constant, *carry = m->carry;\n"
    "    const double *hold = m->hold;\n"
    "    const double h = m->step, half = 0.5 * h, quarter = 0.25 * h, twelfth = h / 12.0;\n"
    "    const double t_start = m->t_start, small = m->small;\n"
    "    const long count = m->count;\n"
    "    for (int i = 0; i < N_FIXED; i++) p[i] = fixed[i];\n";
static const char set_begin[] =
    "    const bool slips_# = m->slips[#];\n"
    "    const double c_# = m->slide_constant[#];\n"
    "    const double sign_# = (m->slide[#] > 0.0) - (m->slide[#] < 0.0);\n"
    "    const double signed_c_# = sign_# * c_#;\n"
    "    chi1[#] = m->chi1[#], chi2[#] = m->chi2[#], gap[#] = m->gap[#];\n";
static const char set_end[] =
    "    m->chi1[#] = chi1[#], m->chi2[#] = chi2[#], m->gap[#] = gap[#];\n"
    "    m->lambda[#] = lambda[#], m->margin[#] = margin[#];\n";

static void print_begin(const dry_inclusion *inc, FILE *stream) {
    fputs(loop_begin, stream);
    print_sets(inc, set_begin, set_begin, stream);
    for (int k = 0; k < inc->n_feel; k++)
        fprintf(stream,
                "    const double feel_%d = m->feel[%d], signed_feel_%d = sign_%d * feel_%d;\n", k,
                k, k, inc->feel_force[k], k);
    for (int k = 0; k < inc->n_push; k++)
        fprintf(stream, "    const double push_%d = m->push[%d];\n", k, k);
    print_states(inc, true,
                 "    x[#] = m->x[#], F1[#] = m->F1[#], F2[#] = m->F2[#];\n"
                 "    A1[#] = m->A1[#], A2[#] = m->A2[#];\n",
                 stream);
    print_states(inc, false, "    x[#] = m->x[#];\n", stream);
    fputs("    double at = (double)m->grid;\n    long k = 0;\n"
          "    for (; k < count; k++, at += 1.0) {\n",
          stream);
}

/* If no step was taken, nothing changes. */
static void print_end(const dry_inclusion *inc, FILE *stream) {
    fputs("    }\n    if (k == 0) return 0;\n", stream);
    print_states(inc, true,
                 "    m->x[#] = x[#], m->F1[#] = F1[#], m->F2[#] = F2[#];\n"
                 "    m->A1[#] = A1[#], m->A2[#] = A2[#];\n",
                 stream);
    print_states(inc, false, "    m->x[#] = x[#];\n", stream);
    print_sets(inc, set_end, set_end, stream);
    for (int set = 0; set < inc->n_sets; set++) {
        fprintf(stream, "    m->slide[%d] = slips_%d ? ", set, set);
        print_slide(inc, set, "", "x[#]", stream);
        fputs(" : 0.0;\n", stream);
    }
    fputs("    return k;\n}\n\n", stream);
}

static const char watch[] = "        if (sys_watch(p, t_start + (at + 1.0) * h, x)) {\n"
                            "            k++;\n"
                            "            break;\n"
                            "        }\n";

void dry_native__print_steady(const dry_inclusion *inc, FILE *stream) {
    print_begin(inc, stream);
    print_predict(inc, stream);
    print_solve(inc, stream);
    print_stop(inc, stream);
    print_move(inc, stream);
    print_keep(inc, stream);
    if (inc->system->watch) fputs(watch, stream);
    print_end(inc, stream);
}
