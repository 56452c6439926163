/* cgen_lines: prints the delay lines of a model, and how they move on (lang/lines.c,
 * model/instants.c). */
#include "cgen_private.h"

/* Places between backquotes are in the states of a line, which may be apart. */
static const char move_functions[] =
    "/* One more instant for the lines whose clock ticks. */\n"
    "static void sys_move_lines(const bool *ticks, double t, const double *slope, double *x) {\n"
    "    for (int i = 0; i < N_LINES; i++) {\n"
    "        const int n = sys_lines[i].n, last = sys_lines[i].last;\n"
    "        double *at = x + sys_lines[i].first;\n"
    "        const double value = x[sys_lines[i].input], before = *slope;\n"
    "        if (sys_lines[i].smooth) slope++;\n"
    "        if (!ticks[sys_lines[i].clock]) continue;\n"
    "        for (int k = 0; k < n; k++) at[`k`] = at[`k + 1`];\n"
    "        at[`n`] = value;\n"
    "        if (last >= 0) x[last] = t;\n"
    "        if (!sys_lines[i].smooth) continue;\n"
    "        for (int k = n + 1; k < 3 * n + 2; k++) at[`k`] = at[`k + 1`];\n"
    "        at[`3 * n + 2`] = before;\n"
    "    }\n"
    "}\n\n"
    "static void sys_set_slopes(const bool *ticks, const double *slope, double *x) {\n"
    "    for (int i = 0; i < N_LINES; i++) {\n"
    "        if (!sys_lines[i].smooth) continue;\n"
    "        if (ticks[sys_lines[i].clock])\n"
    "            x[sys_lines[i].first + `2 * sys_lines[i].n + 1`] = *slope;\n"
    "        slope++;\n"
    "    }\n"
    "}\n\n"
    "/* Before the start a number had the value of the start. */\n"
    "static void sys_fill_lines(double t, double *x) {\n"
    "    for (int i = 0; i < N_LINES; i++) {\n"
    "        const double value = x[sys_lines[i].input], h = sys_clocks[sys_lines[i].clock][0];\n"
    "        for (int k = 0; k <= sys_lines[i].n; k++) x[sys_lines[i].first + `k`] = value;\n"
    "        if (sys_lines[i].last >= 0) x[sys_lines[i].last] = floor(t / h) * h;\n"
    "        if (sys_lines[i].shown >= 0) x[sys_lines[i].shown] = value;\n"
    "    }\n"
    "}\n\n";

static void print_functions(bool apart, FILE *stream) {
    bool inside = false;
    for (const char *c = move_functions; *c; c++) {
        if (*c != '`') {
            fputc(*c, stream);
            continue;
        }
        inside = !inside;
        if (apart) fputs(inside ? "(" : ") * sys_lines[i].apart", stream);
    }
}

void dry_c__print_lines(const dry_model *model, FILE *stream) {
    const dry_sampling *all = &model->elab.quantities.sampling;
    const bool apart = model->code.n_ways > 1;
    fprintf(stream,
            "enum { N_LINES = %d };\n\n"
            "/* The past of x[input]: n + 1 values from x[first] on, the oldest first; if it is\n"
            "   smooth, as many slopes after the instants, and before them. */\n"
            "static const struct {\n"
            "    bool smooth;\n"
            "    int input, clock, first, n, last, shown%s;\n"
            "} sys_lines[N_LINES] = {\n",
            all->n_lines, apart ? ", apart" : "");
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        fprintf(stream, "    {%s, %d, %d, %d, %d, %d, %d",
                line->kind == DRY_LINE_SMOOTH ? "true" : "false", line->input, line->clock,
                line->first, line->n, line->last, line->shown);
        if (apart) fprintf(stream, ", %d", line->apart);
        fputs("},\n", stream);
    }
    fputs("};\n\n", stream);
    print_functions(apart, stream);
}
