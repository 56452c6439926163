/* cgen: prints a compiled model as C, with one function per section of its code. It uses the same
 * graph in the same order as the bytecode, so that both compute the same bits (without contraction
 * to fused multiply-adds).
 *
 * Every function reads p, the numbers of a run that do not change:
 *     parameters | what depends on them alone | the parameters of laws that have many, side by side
 * The rate may also read w: what follows from the time alone.
 * Names of the model do not occur: node 17 is n17, the results of block 17 are r17. */
#include "cgen_printer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_ZEROS = 8 };
enum { MANY = 8 }; /* a law with more parameters has them side by side in p */

/* Prints "a + b" with a and b replaced by the arguments of the node. */
static void print_formula(printer *pr, const char *formula, dry_node node) {
    const dry_node *args = dry_dag_args(pr->dag, node);
    char text[DRY_C__WORD];
    while (*formula) {
        size_t n = strspn(formula, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (n == 1 && (*formula == 'a' || *formula == 'b'))
            fputs(operand(pr, args[*formula - 'a'], text), pr->out);
        else
            fprintf(pr->out, "%.*s", (int)(n ? n : 1), formula);
        formula += n ? n : 1;
    }
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

/* Prints name[] = {first .. first + n of the arguments}. */
static void print_array(printer *pr, const char *name, const dry_node *args, int n) {
    char text[DRY_C__WORD];
    fprintf(pr->out, "double %s[%d] = {", name, n);
    for (int i = 0; i < n; i++) fprintf(pr->out, "%s%s", i ? ", " : "", operand(pr, args[i], text));
    fputs("};\n", pr->out);
}

static void print_argument(printer *pr, const char *name, const dry_node *args, int n) {
    indent(pr);
    fputs("    const ", pr->out);
    print_array(pr, name, args, n);
}

static void print_solve(printer *pr, dry_node node) {
    const int n = dry_dag_block_info(pr->dag, node)->n_results;
    const dry_node *args = dry_dag_args(pr->dag, node);
    char name[DRY_C__WORD];
    snprintf(name, sizeof name, "r%d", node);
    print_array(pr, name, args + n * n, n);
    indent(pr);
    fputs("{\n    ", pr->out);
    indent(pr);
    print_array(pr, "A", args, n * n);
    indent(pr);
    fprintf(pr->out, "    if (dry_solve(%d, A, r%d) != DRY_OK)\n", n, node);
    indent(pr);
    fprintf(pr->out, "        for (int i = 0; i < %d; i++) r%d[i] = (double)NAN;\n", n, node);
    indent(pr);
    fputs("}\n", pr->out);
}

/* Prints f or N, and the rate of the state, for the basic laws. */
static void print_resolvent(printer *pr, dry_node node) {
    const dry_block_info *info = dry_dag_block_info(pr->dag, node);
    const dry_node *args = dry_dag_args(pr->dag, node);
    char a[DRY_C__WORD], b[DRY_C__WORD], c[DRY_C__WORD];
    operand(pr, args[info->at[0]], a);
    operand(pr, args[info->at[1]], b);
    operand(pr, args[info->at[2]], c);
    if (info->role == DRY_ROLE_COULOMB)
        fprintf(pr->out, "dry_friction(%d, %s, %s, tau, %s, u, s, r%d, r%d + %d);\n",
                info->block.dim, b, c, a, node, node, info->n_forces);
    else
        fprintf(pr->out, "r%d[0] = dry_contact(%s, %s, %s, tau, u[0], s[0], r%d + 1);\n", node, a,
                b, c, node);
}

/* Whether the function of the law reads its inputs alone. */
static bool is_of_start(dry_op op) { return op == DRY_OP_LAW_START || op == DRY_OP_LAW_START_BY; }

static const char *function_of(dry_op op) {
    switch (op) {
    case DRY_OP_LAW: return "eval";
    case DRY_OP_LAW_JAC: return "jacobian";
    case DRY_OP_LAW_KINKS: return "kinks";
    case DRY_OP_LAW_BY_PAR: return "by_par";
    case DRY_OP_LAW_START_BY: return "start_by";
    default: return "start";
    }
}

static void print_call(printer *pr, dry_node node) {
    const dry_block_info *info = dry_dag_block_info(pr->dag, node);
    const char *tau = is_of_start(info->op) ? "" : "tau, ";
    const char *s = is_of_start(info->op) ? "" : info->n_states ? "s, " : "u, ";
    fprintf(pr->out, "%s_%s(", info->block.law->name, function_of(info->op));
    if (pr->pack[node] != DRY_NONE)
        fprintf(pr->out, "p + %d, ", pr->pack[node]);
    else
        fputs("q, ", pr->out);
    fprintf(pr->out, "%d, %su, %sr%d", info->block.dim, tau, s, node);
    if (info->op == DRY_OP_LAW) fprintf(pr->out, ", r%d + %d", node, info->n_forces);
    fputs(");\n", pr->out);
}

static void print_law(printer *pr, dry_node node) {
    const dry_block_info *info = dry_dag_block_info(pr->dag, node);
    const dry_node *args = dry_dag_args(pr->dag, node);
    const bool starts = is_of_start(info->op);
    const bool resolvent = info->op == DRY_OP_LAW && info->role != DRY_ROLE_ANY;
    const int n_states = info->n_args - info->n_par - info->n_inputs;
    fprintf(pr->out, "double r%d[%d]%s;\n", node, info->n_results > 0 ? info->n_results : 1,
            starts ? " = {0.0}" : "");
    if (starts && !info->block.law->start) return;
    indent(pr);
    fputs("{\n", pr->out);
    if (!resolvent && pr->pack[node] == DRY_NONE) print_argument(pr, "q", args, info->n_par);
    print_argument(pr, "u", args + info->n_par, info->n_inputs);
    if (n_states) print_argument(pr, "s", args + info->n_args - n_states, n_states);
    indent(pr);
    fputs("    ", pr->out);
    (resolvent ? print_resolvent : print_call)(pr, node);
    indent(pr);
    fputs("}\n", pr->out);
}

/* ---- tables ------------------------------------------------------------------------ */

/* Returns the number in the name of the table. */
static int name_of_table(printer *pr, const dry_table *table) {
    for (int i = 0; i < pr->n_tables; i++)
        if (pr->table[i] == table) return i;
    if (!dry_dag_grow(dry_dag_arena(pr->dag), &pr->table, &pr->tables_capacity, pr->n_tables + 1,
                      sizeof *pr->table)) {
        pr->failed = true;
        return 0;
    }
    pr->table[pr->n_tables] = table;
    return pr->n_tables++;
}

/* Prints the knots at which the table has kinks as arguments of a function. */
static void print_knots(printer *pr, const dry_table *table, int argument) {
    const dry_knots knots = dry_table_knots(table, argument);
    const ptrdiff_t first = knots.x - (argument ? table->x2 : table->x);
    fprintf(pr->out, "table%d_x%s + %d, %d, %d", name_of_table(pr, table), argument ? "2" : "",
            (int)first, knots.n, knots.stride);
}

static void print_table(printer *pr, dry_node node) {
    const dry_block_info *info = dry_dag_block_info(pr->dag, node);
    const dry_table *table = info->block.table;
    const dry_node *args = dry_dag_args(pr->dag, node);
    char text[DRY_C__WORD];
    fprintf(pr->out, "double r%d[%d];\n", node, info->n_results);
    indent(pr);
    if (info->op == DRY_OP_TABLE_KINKS) {
        fputs("dry_table_kinks(", pr->out);
        print_knots(pr, table, info->block.dim);
    } else {
        fprintf(pr->out, "dry_table_%s(&table%d", table->n2 ? "surface" : "curve",
                name_of_table(pr, table));
    }
    for (int i = 0; i < info->n_args; i++) fprintf(pr->out, ", %s", operand(pr, args[i], text));
    fprintf(pr->out, ", r%d);\n", node);
}

static void print_numbers(printer *pr, int table, const char *name, const double *numbers, int n) {
    char text[DRY_C__WORD];
    fprintf(pr->out, "static const double table%d_%s[%d] = {", table, name, n);
    for (int i = 0; i < n; i++) {
        dry_c__number(in_range(pr, numbers[i]), text);
        fprintf(pr->out, "%s%s", i % 8 ? " " : "\n    ", text);
        if (i + 1 < n) fputc(',', pr->out);
    }
    fputs("};\n", pr->out);
}

/* In single precision two knots must not become one. */
static void print_axis(printer *pr, int table, const char *name, const double *x, int n) {
    for (int i = 1; pr->form.single && i < n; i++)
        if (!((float)x[i - 1] < (float)x[i])) pr->equal = x + i - 1;
    print_numbers(pr, table, name, x, n);
}

/* Prints the tables that the functions call. */
static void print_tables(printer *pr) {
    static const char *const words[] = {"false", "true"};
    for (int i = 0; i < pr->n_tables; i++) {
        const dry_table *table = pr->table[i];
        print_axis(pr, i, "x", table->x, table->n);
        if (table->n2) print_axis(pr, i, "x2", table->x2, table->n2);
        print_numbers(pr, i, "y", table->y, table->n * (table->n2 ? table->n2 : 1));
        if (table->cubic) print_numbers(pr, i, "slope", table->slope, table->n);
        fprintf(pr->out,
                "static const dry_table table%d = {\n    .cubic = %s, .hold = %s, .extended = %s, "
                ".n = %d, .n2 = %d, .x = table%d_x, .y = table%d_y",
                i, words[table->cubic], words[table->hold], words[table->extended], table->n,
                table->n2, i, i);
        if (table->n2) fprintf(pr->out, ", .x2 = table%d_x2", i);
        if (table->cubic) fprintf(pr->out, ", .slope = table%d_slope", i);
        fputs("};\n\n", pr->out);
    }
}

/* ---- branches ---------------------------------------------------------------------- */

static bool is_comparison(dry_op op) { return op == DRY_OP_LT || op == DRY_OP_LE; }

static void push_side(printer *pr, int select, int which) {
    if (!dry_dag_grow(dry_dag_arena(pr->dag), &pr->sides, &pr->sides_capacity, pr->n_sides + 1,
                      sizeof *pr->sides)) {
        pr->failed = true;
        return;
    }
    const int region = select == DRY_NONE ? 0 : pr->order.items[select].side[which];
    pr->sides[pr->n_sides++] = (side){region, 0, select, which};
}

static void open_select(printer *pr, int i) {
    const dry_item *item = pr->order.items + i;
    const dry_node condition = dry_dag_args(pr->dag, item->node)[0];
    const dry_op op = dry_dag_op(pr->dag, condition);
    char a[DRY_C__WORD], b[DRY_C__WORD];
    if (is_wide(pr, item->node))
        dry_c__declare_wide(pr, item->node);
    else
        fprintf(pr->out, "double n%d;\n", item->node);
    indent(pr);
    if (item->absorbs == 0) {
        const dry_node *args = dry_dag_args(pr->dag, condition);
        fprintf(pr->out, "if (%s %s %s) {\n", operand(pr, args[0], a), dry_op_text(op),
                operand(pr, args[1], b));
    } else {
        fprintf(pr->out, "if (%s != 0.0) {\n", operand(pr, condition, a));
    }
    push_side(pr, i, 0);
}

static void close_side(printer *pr) {
    const side done = pr->sides[pr->n_sides - 1];
    char text[DRY_C__WORD];
    if (done.select != DRY_NONE) {
        const dry_node node = pr->order.items[done.select].node;
        const dry_node to = dry_dag_args(pr->dag, node)[1 + done.which];
        indent(pr);
        if (is_wide(pr, node))
            dry_c__set_wide(pr, node, to);
        else
            fprintf(pr->out, "n%d = %s;\n", node, operand(pr, to, text));
    }
    pr->n_sides--;
    if (done.select == DRY_NONE) return;
    indent(pr);
    fputs(done.which == 0 ? "} else {\n" : "}\n", pr->out);
    if (done.which == 0) push_side(pr, done.select, 1);
}

static void print_value(printer *pr, dry_node node) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    char c[DRY_C__WORD], a[DRY_C__WORD], b[DRY_C__WORD];
    fprintf(pr->out, "const double n%d = ", node);
    if (n.op == DRY_OP_PICK)
        fprintf(pr->out, "r%d[%d]", n.args[0], n.index);
    else if (n.op == DRY_OP_SELECT)
        fprintf(pr->out, "%s != 0.0 ? %s : %s", operand(pr, n.args[0], c),
                operand(pr, n.args[1], a), operand(pr, n.args[2], b));
    else
        print_formula(pr, dry_op_rows[n.op].value, node);
    fputs(";\n", pr->out);
}

static void print_item(printer *pr, int i) {
    const dry_item *item = pr->order.items + i;
    const dry_op op = dry_dag_op(pr->dag, item->node);
    if (item->absorbed && is_comparison(op)) return; /* printed in the `if` */
    indent(pr);
    const bool branches = item->side[0] != DRY_NONE || item->side[1] != DRY_NONE;
    if (is_wide(pr, item->node) && !(op == DRY_OP_SELECT && branches))
        dry_c__print_wide(pr, item->node);
    else if (op == DRY_OP_SOLVE)
        print_solve(pr, item->node);
    else if (op == DRY_OP_TABLE || op == DRY_OP_TABLE_KINKS)
        print_table(pr, item->node);
    else if (dry_op_is_block(op))
        print_law(pr, item->node);
    else if (op == DRY_OP_SELECT && branches)
        open_select(pr, i);
    else
        print_value(pr, item->node);
}

static void print_regions(printer *pr) {
    push_side(pr, DRY_NONE, 0);
    while (pr->n_sides > 0 && !pr->failed) {
        side *now = pr->sides + pr->n_sides - 1;
        const dry_region *region = now->region == DRY_NONE ? NULL : pr->order.regions + now->region;
        if (region && now->position < region->n)
            print_item(pr, pr->order.members[region->first + now->position++]);
        else
            close_side(pr);
    }
}

/* ---- functions --------------------------------------------------------------------- */

/* Prints the statements that compute the roots, with what pr->order says is there already; their
 * operands are valid until close_order. */
static void print_statements(printer *pr, const dry_node *roots, int n_roots) {
    if (dry_order_make(&pr->order, roots, n_roots))
        print_regions(pr);
    else
        pr->failed = true;
}

static void close_order(printer *pr) {
    dry_order_free(&pr->order);
    pr->order = (dry_order){.dag = pr->dag};
}

/* Prints the results, of which the last n_wide are wide; many zeros in a row, such as the rates of
 * delay lines, become a loop. */
static void print_results(printer *pr, const dry_node *roots, int n_roots, int n_wide) {
    char text[DRY_C__WORD];
    const int ways = pr->model->code.n_ways, n = n_roots - n_wide;
    for (int i = n; i < n_roots && !pr->failed; i++)
        dry_c__store_wide(pr, "out", n + (i - n) * ways, roots[i]);
    n_roots = n;
    for (int i = 0; i < n_roots && !pr->failed;) {
        int end = i;
        while (end < n_roots && roots[end] == 0) end++;
        if (end - i > MANY_ZEROS) {
            fprintf(pr->out, "    for (int i = %d; i < %d; i++) out[i] = 0.0;\n", i, end);
            i = end;
        } else {
            fprintf(pr->out, "    out[%d] = %s;\n", i, operand(pr, roots[i], text));
            i++;
        }
    }
}

/* Prints the statements of a section and its end. */
static void print_body(printer *pr, const dry_node *roots, int n_roots, int n_wide) {
    print_statements(pr, roots, n_roots);
    print_results(pr, roots, n_roots, n_wide);
    fputs("}\n\n", pr->out);
    close_order(pr);
}

static void print_section(printer *pr, const char *head, const dry_node *roots, int n_roots) {
    fprintf(pr->out, "%s(const double *p, double t, double tau, const double *x, double *out) {\n",
            head);
    fputs("    (void)p, (void)t, (void)tau, (void)x, (void)out;\n", pr->out);
    int n_wide = 0;
    for (int s = 0; s < DRY_N_SECTIONS; s++)
        if (roots == pr->roots[s]) n_wide = pr->model->code.n_wide[s];
    print_body(pr, roots, n_roots, n_wide);
}

/* What follows from the time alone. */
static void print_timed(printer *pr) {
    char text[DRY_C__WORD];
    print_statements(pr, pr->timed.node, pr->timed.n);
    for (int i = 0; i < pr->timed.n && !pr->failed; i++) {
        const dry_node node = pr->timed.node[i];
        if (is_wide(pr, node))
            dry_c__store_wide(pr, "out", pr->home[node], node);
        else
            fprintf(pr->out, "    out[%d] = %s;\n", pr->home[node], operand(pr, node, text));
    }
    fputs("}\n\n", pr->out);
    close_order(pr);
}

static void print_rate(printer *pr) {
    const dry_node *roots = pr->roots[DRY_SECTION_RATE];
    const int n_roots = pr->n_roots[DRY_SECTION_RATE];
    if (!pr->kept) {
        print_section(pr, "SYS_RATE void sys_rate", roots, n_roots);
        return;
    }
    fputs("/* What follows from the time alone. */\n"
          "SYS_RATE void sys_time(const double *p, double t, double *out) {\n"
          "    (void)p, (void)t, (void)out;\n",
          pr->out);
    print_timed(pr);
    fputs("SYS_RATE void sys_rate(const double *p, const double *w, double t, double tau,\n"
          "                       const double *x, double *out) {\n"
          "    (void)p, (void)w, (void)t, (void)tau, (void)x, (void)out;\n",
          pr->out);
    pr->order.kept = pr->kept;
    print_body(pr, roots, n_roots, pr->model->code.n_wide[DRY_SECTION_RATE]);
}

static void print_packs(printer *pr) {
    char text[DRY_C__WORD];
    int printed = pr->at_packs; /* packs follow in the order of the nodes */
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        if (pr->pack[k] != printed) continue;
        const dry_node *args = dry_dag_args(pr->dag, k);
        for (int i = 0; i < dry_dag_block_info(pr->dag, k)->n_par; i++)
            fprintf(pr->out, "    p[%d] = %s;\n", printed++, operand(pr, args[i], text));
    }
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        if (pr->wide_pack[k] == DRY_NONE) continue;
        const dry_block_info *info = dry_dag_block_info(pr->dag, k);
        const dry_node *changes = dry_dag_args(pr->dag, k) + info->n_args / 2;
        for (int i = 0; i < info->n_par; i++)
            dry_c__store_wide(pr, "p", pr->wide_pack[k] + i * pr->model->code.n_ways, changes[i]);
    }
}

/* Prints the parameters that others define, in their order. */
static void print_following(printer *pr) {
    char text[DRY_C__WORD];
    for (int i = 0; pr->n_given < pr->n_par && i < pr->model->elab.quantities.n_params; i++) {
        if (pr->place[i] < pr->n_given) continue;
        const dry_node meaning = pr->model->elab.quantities.param[i].meaning;
        fputs("    {\n", pr->out);
        pr->order.once = true;
        print_statements(pr, &meaning, 1);
        if (!pr->failed)
            fprintf(pr->out, "    p[%d] = %s;\n    }\n", pr->place[i], operand(pr, meaning, text));
        close_order(pr);
    }
}

static void print_prepare(printer *pr) {
    char text[DRY_C__WORD];
    fputs("static void sys_prepare(const double *par, double *p) {\n    (void)par, (void)p;\n",
          pr->out);
    if (pr->n_given)
        fprintf(pr->out, "    for (int i = 0; i < %d; i++) p[i] = par[i];\n", pr->n_given);
    print_following(pr);
    pr->order.once = true;
    print_statements(pr, pr->once, pr->n_once);
    for (int i = 0; i < pr->n_once && !pr->failed; i++) {
        const dry_node node = pr->once[i];
        if (is_wide(pr, node))
            dry_c__store_wide(pr, "p", pr->home[node], node);
        else
            fprintf(pr->out, "    p[%d] = %s;\n", pr->home[node], operand(pr, node, text));
    }
    close_order(pr);
    print_packs(pr);
    fputs("}\n\n", pr->out);
}

/* States of laws may start at values of the other states, so the loop runs twice. */
static const char start_function[] =
    "/* Where given[i], x[i] stays. */\n"
    "static void sys_start_from(const double *p, double t, const unsigned char *given, double *x) "
    "{\n"
    "    double y[N_STATES];\n"
    "    for (int i = 0; i < N_STATES; i++) x[i] = given && given[i] ? x[i] : 0.0;\n"
    "    for (int pass = 0; pass < 2; pass++) {\n"
    "        sys_start_pass(p, t, 0.0, x, y);\n"
    "        for (int i = 0; i < N_STATES; i++) x[i] = given && given[i] ? x[i] : y[i];\n"
    "    }\n";
static const char plain_start[] =
    "static void sys_start(const double *p, double t, double *x) { sys_start_from(p, t, 0, x); }\n"
    "\n";

static const char watch_function[] =
    "static int sys_watch(const double *p, double t, const double *x) {\n"
    "    double value[N_GUARDS];\n"
    "    sys_guards(p, t, 0.0, x, value);\n"
    "    for (int i = 0; i < N_GUARDS; i++)\n"
    "        if (value[i] < -1e-12) return i + 1;\n"
    "    return 0;\n"
    "}\n\n";

/* ---- what is sampled --------------------------------------------------------------- */

/* Whether the offsets of clocks follow the parameters. */
static bool has_offsets(const printer *pr) { return pr->n_roots[DRY_SECTION_INSTANTS] > 0; }

/* The parameters p of a function, or their type, if it needs the offsets. */
static const char *given_p(const printer *pr) { return has_offsets(pr) ? "p, " : ""; }
static const char *taken_p(const printer *pr) { return has_offsets(pr) ? "const double *p, " : ""; }

static void print_offsets(printer *pr) {
    char text[DRY_C__WORD];
    fputs("static double sys_offset(const double *p, int i) {\n", pr->out);
    for (int i = 0; i < pr->n_roots[DRY_SECTION_INSTANTS]; i++)
        fprintf(pr->out, "    if (i == %d) return %s;\n",
                pr->model->elab.quantities.sampling.offset[i].clock,
                operand(pr, pr->roots[DRY_SECTION_INSTANTS][i], text));
    fputs("    return sys_clocks[i][1];\n}\n\n", pr->out);
}

/* dry_clock_instant, dry_clock_nearest and dry_clocks_tick (ode.h), of clock i */
static void print_clock_functions(printer *pr) {
    const char *taken = taken_p(pr), *given = given_p(pr);
    const char *offset = has_offsets(pr) ? "sys_offset(p, i)" : "sys_clocks[i][1]";
    if (has_offsets(pr)) print_offsets(pr);
    fprintf(pr->out,
            "static double sys_instant(%sint i, double k) {\n"
            "    const double time = %s + k * sys_clocks[i][0];\n"
            "    return time;\n"
            "}\n\n"
            "static double sys_nearest(%sint i, double t) {\n"
            "    const double k = round((t - %s) / sys_clocks[i][0]);\n"
            "    return sys_instant(%si, k > 0.0 ? k : 0.0);\n"
            "}\n\n",
            taken, offset, taken, offset, given);
    fprintf(pr->out,
            "static bool sys_ticks(%sint i, double t) {\n"
            "    const double same = %s * t, own = sys_nearest(%si, t) - t;\n"
            "    bool exact = false;\n"
            "    for (int j = 0; j < %d; j++) {\n"
            "        const double from_t = sys_nearest(%sj, t) - t;\n"
            "        if (from_t < 0.0 && from_t >= -same) return false;\n"
            "        exact = exact || !(from_t < 0.0 || from_t > 0.0);\n"
            "    }\n"
            "    return exact && own >= 0.0 && own <= same;\n"
            "}\n\n",
            taken, pr->form.single ? "1e-6" : "2e-15", given, pr->model->system.n_clocks, given);
}

static void print_clocks(printer *pr) {
    const dry_system *system = &pr->model->system;
    char period[DRY_C__WORD], offset[DRY_C__WORD];
    fprintf(pr->out,
            "/* period and offset of the samples, s */\nstatic const double sys_clocks[%d][2] = {",
            system->n_clocks);
    for (int i = 0; i < system->n_clocks; i++) {
        const bool follows =
            has_offsets(pr) && dry_lang_offset(&pr->model->elab.quantities.sampling, i) >= 0;
        dry_c__number(system->clocks[i].period, period);
        dry_c__number(follows ? 0.0 : system->clocks[i].offset, offset);
        fprintf(pr->out, "%s{%s, %s}", i ? ", " : "", period, offset);
    }
    fputs("};\n\n", pr->out);
    print_clock_functions(pr);
}

static void print_ticks(const printer *pr) {
    fprintf(pr->out,
            "static bool sys_ticking(%sdouble t, bool *ticks) {\n"
            "    bool any = false;\n"
            "    for (int i = 0; i < %d; i++) any = (ticks[i] = sys_ticks(%si, t)) || any;\n"
            "    return any;\n"
            "}\n\n",
            taken_p(pr), pr->model->system.n_clocks, given_p(pr));
}

static void print_take(printer *pr) {
    const dry_sampling *all = &pr->model->elab.quantities.sampling;
    const int n_roots = pr->n_roots[DRY_SECTION_SAMPLE];
    const int n = dry_model_numbers(&pr->model->code, DRY_SECTION_SAMPLE);
    print_section(pr, "static void sys_sample_values", pr->roots[DRY_SECTION_SAMPLE], n_roots);
    fprintf(
        pr->out,
        "static void sys_take_samples(const double *p, double t, const bool *ticks, double *x) {\n"
        "    double next[%d];\n"
        "    sys_sample_values(p, t, 0.0, x, next);\n",
        n);
    for (int i = 0; i < n; i++)
        fprintf(pr->out, "    if (ticks[%d]) x[%d] %s next[%d];\n", all->held[i].clock,
                all->held[i].state, all->held[i].adds ? "+=" : "=", i);
    fputs("}\n\n", pr->out);
}

/* What happens at an instant, and at the start of a run: as in model/instants.c. */
typedef struct instant {
    const char *name, *unless_ticks, *lines;
    bool ticked; /* the caller says which clocks do */
} instant;

static void print_instant(printer *pr, const instant *form) {
    const dry_sampling *all = &pr->model->elab.quantities.sampling;
    const int n_slopes = dry_model_numbers(&pr->model->code, DRY_SECTION_SLOPE);
    const bool at_start = !form->unless_ticks, moves = all->n_lines && !at_start;
    char tau[DRY_C__WORD], far[DRY_C__WORD];
    dry_c__number(all->tau, tau);
    dry_c__number(4.0 * DBL_EPSILON, far);
    if (form->ticked)
        fprintf(pr->out,
                "static bool %s(const double *p, double t, const bool *ticks, double *x) {\n"
                "    bool any = false;\n"
                "    for (int i = 0; i < %d; i++) any = any || ticks[i];\n",
                form->name, pr->model->system.n_clocks);
    else
        fprintf(pr->out,
                "static bool %s(const double *p, double t, double *x) {\n    bool ticks[%d];\n"
                "    const bool any = sys_ticking(%st, ticks);\n",
                form->name, pr->model->system.n_clocks, given_p(pr));
    if (all->n_lines) fprintf(pr->out, "    double slope[%d] = {0.0};\n", n_slopes + 1);
    if (!at_start) fputs(form->unless_ticks, pr->out);
    if (n_slopes && moves)
        fprintf(pr->out, "    sys_slopes(p, t - %s * fabs(t), %s, x, slope);\n", far, tau);
    if (all->n_helds)
        fprintf(pr->out, "    %ssys_take_samples(p, t, ticks, x);\n", at_start ? "if (any) " : "");
    if (all->n_lines) fputs(form->lines, pr->out);
    if (n_slopes) fprintf(pr->out, "    sys_slopes(p, t, %s, x, slope);\n", tau);
    if (n_slopes) fputs("    sys_set_slopes(ticks, slope, x);\n", pr->out);
    fputs(at_start ? "    return any;\n}\n\n" : "    return true;\n}\n\n", pr->out);
}

static void print_sample(printer *pr) {
    static const instant at_start = {"sys_sample_at_start", NULL, "    sys_fill_lines(t, x);\n",
                                     false};
    const instant in_run = {"sys_sample", "    if (!any) return false;\n",
                            "    sys_move_lines(ticks, t, slope, x);\n", pr->form.ticked};
    print_clocks(pr);
    print_ticks(pr);
    if (pr->n_roots[DRY_SECTION_SAMPLE]) print_take(pr);
    if (pr->n_roots[DRY_SECTION_SLOPE])
        print_section(pr, "static void sys_slopes", pr->roots[DRY_SECTION_SLOPE],
                      pr->n_roots[DRY_SECTION_SLOPE]);
    if (pr->model->elab.quantities.sampling.n_lines) dry_c__print_lines(pr->model, pr->out);
    print_instant(pr, &at_start);
    print_instant(pr, &in_run);
}

static void print_latch(printer *pr) {
    const dry_model *model = pr->model;
    int at = 0;
    const char *given = pr->form.ticked ? "ticks, " : "";
    fprintf(pr->out,
            "static bool sys_latch(const double *p, double t, %sdouble *x) {\n"
            "    bool changed = ",
            pr->form.ticked ? "const bool *ticks, " : "");
    if (model->system.n_clocks)
        fprintf(pr->out, "sys_sample(p, t, %sx);\n", given);
    else
        fputs("false;\n", pr->out);
    if (model->code.n_latched)
        fprintf(pr->out,
                "    double value[%d];\n"
                "    sys_latch_values(p, t, 0.0, x, value);\n",
                pr->n_roots[DRY_SECTION_LATCH]);
    for (int i = 0; i < model->code.n_latched; i++) {
        const dry_force *force = &model->elab.quantities.force[model->code.latched[i]];
        fprintf(pr->out, "    if (%s_latch(value + %d, %d, value + %d, x + %d)) changed = true;\n",
                force->law->name, at, force->dim, at + force->n_par, force->state);
        at += force->n_par + force->n_inputs;
    }
    fputs("    return changed;\n}\n\n", pr->out);
}

/* dry_law_phase (law.h) of each force */
static void print_phases(printer *pr) {
    const dry_quantities *all = &pr->model->elab.quantities;
    int at = 0;
    print_section(pr, "static void sys_phase_values", pr->roots[DRY_SECTION_PHASE],
                  pr->n_roots[DRY_SECTION_PHASE]);
    fprintf(pr->out,
            "static void sys_phases(const double *p, double t, double tau, const double *x,\n"
            "                       unsigned char *out) {\n"
            "    double value[%d];\n    sys_phase_values(p, t, tau, x, value);\n",
            pr->n_roots[DRY_SECTION_PHASE] + 1);
    for (int i = 0; i < all->n_forces; i++) {
        const dry_force *force = &all->force[i];
        const dry_law *law = force->law;
        fprintf(pr->out, "    out[%d] = (unsigned char)", i);
        if (law->kind == DRY_FRICTION && law->bound)
            fprintf(pr->out, "(!(%s_bound(value + %d, %d) > 0.0) ? %d : ", law->name, at,
                    force->dim, DRY_OPEN);
        else
            fputc('(', pr->out);
        fprintf(pr->out, "%s_phase(value + %d, %d, tau, value + %d, x + %d));\n", law->name, at,
                force->dim, at + force->n_par, force->state < 0 ? 0 : force->state);
        at += force->n_par + force->n_inputs;
    }
    fputs("}\n\n", pr->out);
}

static void print_breaks(printer *pr) {
    char text[DRY_C__WORD];
    fputs("static void sys_breaks(const double *p, double *times) {\n    (void)p;\n", pr->out);
    for (int i = 0; i < pr->n_roots[DRY_SECTION_BREAKS]; i++)
        fprintf(pr->out, "    times[%d] = %s;\n", i,
                operand(pr, pr->roots[DRY_SECTION_BREAKS][i], text));
    fputs("}\n\n", pr->out);
}

/* The first knot of the tables of the time after t; INFINITY if there is none. */
static void print_next_knot(printer *pr) {
    const dry_model *model = pr->model;
    fputs("static double sys_next_knot(double t) {\n    double next = (double)INFINITY;\n    int "
          "k;\n",
          pr->out);
    for (int i = 0; i < model->code.n_break_tables; i++) {
        const dry_table *table = model->code.break_table[i];
        const dry_knots knots = dry_table_knots(table, 0);
        fputs("    k = dry_table_below(", pr->out);
        print_knots(pr, table, 0);
        fprintf(pr->out, ", t);\n    if (k < %d) next = dry_min(next, table%d_x[%d + k * %d]);\n",
                knots.n, name_of_table(pr, table), (int)(knots.x - table->x), knots.stride);
    }
    fputs("    return next;\n}\n\n", pr->out);
}

/* ---- the inclusion ----------------------------------------------------------------- */

static void print_inclusion(printer *pr) {
    const dry_model *model = pr->model;
    const dry_inclusion *inclusion = &model->kept.inclusion;
    const dry_node *gaps = model->kept.root + inclusion->n_states + inclusion->n_forces;
    print_section(pr, "SYS_RATE void sys_smooth", model->kept.smooth, model->kept.n_smooth);
    print_section(pr, "SYS_RATE void sys_gaps", gaps, inclusion->n_sets);
    print_section(pr, "static void sys_values", model->kept.root, model->kept.n_roots);
    if (inclusion->steady) pr->failed |= !dry_c__print_carry(model, pr->out);
}

static void print_functions(printer *pr) {
    const dry_model *model = pr->model;
    const dry_node *const *roots = pr->roots;
    const int *n = pr->n_roots;
    print_prepare(pr);
    print_section(pr, "static void sys_start_pass", roots[DRY_SECTION_START], n[DRY_SECTION_START]);
    if (model->system.n_clocks) print_sample(pr);
    fputs(start_function, pr->out);
    fputs(model->system.n_clocks ? "    (void)sys_sample_at_start(p, t, x);\n}\n\n" : "}\n\n",
          pr->out);
    fputs(plain_start, pr->out);
    print_rate(pr);
    if (n[DRY_SECTION_OUTPUT])
        print_section(pr, "static void sys_output", roots[DRY_SECTION_OUTPUT],
                      n[DRY_SECTION_OUTPUT]);
    if (n[DRY_SECTION_KINKS])
        print_section(pr, "static void sys_kinks", roots[DRY_SECTION_KINKS], n[DRY_SECTION_KINKS]);
    if (n[DRY_SECTION_GUARD]) {
        print_section(pr, "static void sys_guards", roots[DRY_SECTION_GUARD], n[DRY_SECTION_GUARD]);
        fputs(watch_function, pr->out);
    }
    if (model->code.n_latched)
        print_section(pr, "static void sys_latch_values", roots[DRY_SECTION_LATCH],
                      n[DRY_SECTION_LATCH]);
    if (model->system.latch) print_latch(pr);
    if (n[DRY_SECTION_PHASE]) print_phases(pr);
    if (pr->slope[OF_RATES].n)
        print_section(pr, "SYS_SLOPES void sys_jacobian", pr->slope[OF_RATES].node,
                      pr->slope[OF_RATES].n);
    if (pr->slope[OF_OUTPUTS].n)
        print_section(pr, "SYS_SLOPES void sys_output_jacobian", pr->slope[OF_OUTPUTS].node,
                      pr->slope[OF_OUTPUTS].n);
    if (n[DRY_SECTION_BREAKS]) print_breaks(pr);
    if (model->code.n_break_tables) print_next_knot(pr);
    if (pr->form.smooth) print_inclusion(pr);
}

/* ---- the numbers that do not change ------------------------------------------------ */

static void want_once(const printer *pr, unsigned char *needed, dry_node node) {
    if (dry_dag_is_static(pr->dag, node) && !dry_op_is_leaf(dry_dag_op(pr->dag, node)))
        needed[node] = 2;
}

static void want_roots(const printer *pr, unsigned char *needed, const dry_node *roots, int n,
                       bool once) {
    for (int i = 0; i < n; i++) {
        if (once)
            want_once(pr, needed, roots[i]);
        else
            needed[roots[i]] = 1;
    }
}

static void want_all(const printer *pr, unsigned char *needed, bool once) {
    const dry_model *model = pr->model;
    for (int s = 0; s < DRY_N_SECTIONS; s++)
        want_roots(pr, needed, pr->roots[s], pr->n_roots[s], once);
    want_roots(pr, needed, pr->slope[OF_RATES].node, pr->slope[OF_RATES].n, once);
    want_roots(pr, needed, pr->slope[OF_OUTPUTS].node, pr->slope[OF_OUTPUTS].n, once);
    if (pr->form.smooth) want_roots(pr, needed, model->kept.root, model->kept.n_roots, once);
}

/* needed[node]: 1 if some section needs it, 2 if it must be in p */
static void mark_needed(const printer *pr, unsigned char *needed) {
    want_all(pr, needed, false);
    dry_dag_reach(pr->dag, dry_dag_count(pr->dag) - 1, needed);
    want_all(pr, needed, true);
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        if (!needed[k] || dry_dag_is_static(pr->dag, k)) continue;
        const dry_node *args = dry_dag_args(pr->dag, k);
        for (int i = 0; i < dry_dag_view(pr->dag, k).n_args; i++) want_once(pr, needed, args[i]);
    }
}

static bool wants_pack(const printer *pr, dry_node node) {
    const dry_op op = dry_dag_op(pr->dag, node);
    if (!dry_op_is_block(op) || op == DRY_OP_SOLVE || dry_dag_is_static(pr->dag, node))
        return false;
    const dry_node *args = dry_dag_args(pr->dag, node);
    const int n = dry_dag_block_info(pr->dag, node)->n_par;
    for (int i = 0; i < n; i++)
        if (!dry_dag_is_static(pr->dag, args[i])) return false;
    return n > MANY;
}

/* The tangents of a law whose parameters change by what is static. */
static bool wants_wide_pack(const printer *pr, dry_node node) {
    if (dry_dag_op(pr->dag, node) != DRY_OP_LAW_TANGENTS) return false;
    const dry_block_info *info = dry_dag_block_info(pr->dag, node);
    const dry_node *changes = dry_dag_args(pr->dag, node) + info->n_args / 2;
    for (int i = 0; i < info->n_par; i++)
        if (!dry_dag_is_static(pr->dag, changes[i])) return false;
    return true;
}

/* Returns the pack of an earlier node with the same parameters as `node`. */
static int equal_pack(const printer *pr, dry_node node) {
    const int n = dry_dag_block_info(pr->dag, node)->n_par;
    const dry_node *args = dry_dag_args(pr->dag, node);
    for (dry_node k = node - 1; k >= 0; k--)
        if (pr->pack[k] != DRY_NONE && dry_dag_block_info(pr->dag, k)->n_par == n &&
            memcmp(dry_dag_args(pr->dag, k), args, (size_t)n * sizeof *args) == 0)
            return pr->pack[k];
    return DRY_NONE;
}

static void lay_out(printer *pr, const unsigned char *needed) {
    pr->n_fixed = pr->n_par;
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        pr->home[k] = pr->pack[k] = pr->wide_pack[k] = DRY_NONE;
        if (needed[k] != 2) continue;
        pr->once[pr->n_once++] = k;
        pr->home[k] = pr->n_fixed;
        pr->n_fixed += width_of(pr, k);
    }
    pr->at_packs = pr->n_fixed;
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        if (!needed[k] || !wants_pack(pr, k)) continue;
        pr->pack[k] = equal_pack(pr, k);
        if (pr->pack[k] != DRY_NONE) continue;
        pr->pack[k] = pr->n_fixed;
        pr->n_fixed += dry_dag_block_info(pr->dag, k)->n_par;
    }
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        if (!needed[k] || !wants_wide_pack(pr, k)) continue;
        pr->wide_pack[k] = pr->n_fixed;
        pr->n_fixed += dry_dag_block_info(pr->dag, k)->n_par * pr->model->code.n_ways;
    }
}

static bool is_wanted(int section, const dry_c_options *options) {
    switch (section) {
    case DRY_SECTION_FASTEST: return false; /* it stays bytecode */
    case DRY_SECTION_INSTANTS: return options->instants;
    case DRY_SECTION_PHASE: return options->phases;
    case DRY_SECTION_KINKS: return options->kinks;
    default: return true;
    }
}

static void choose_roots(printer *pr, const dry_c_options *options) {
    for (int s = 0; s < DRY_N_SECTIONS; s++) {
        pr->roots[s] = pr->model->code.roots[s];
        pr->n_roots[s] = is_wanted(s, options) ? pr->model->code.n_roots[s] : 0;
    }
}

static bool make_lean(printer *pr) {
    pr->shown = malloc(sizeof *pr->shown * (size_t)(pr->n_roots[DRY_SECTION_OUTPUT] + 1));
    if (!pr->shown) return false;
    pr->roots[DRY_SECTION_OUTPUT] = pr->shown;
    pr->n_roots[DRY_SECTION_OUTPUT] = dry_c__shown_outputs(pr->model, pr->shown);
    return dry_c__place_used(pr->model, pr->place, &pr->n_given, &pr->n_par);
}

static bool choose_contents(printer *pr, const dry_c_options *options) {
    pr->n_par = pr->n_given = pr->model->elab.quantities.n_params;
    pr->place = malloc(sizeof *pr->place * (size_t)(pr->n_par + 1));
    for (int i = 0; pr->place && i < pr->n_par; i++) pr->place[i] = i;
    choose_roots(pr, options);
    return pr->place && (!options->lean || make_lean(pr)) &&
           (!options->jacobian || dry_model_differentiate(pr->model, &pr->slope[OF_RATES])) &&
           (!options->sensitive ||
            dry_model_differentiate_nodes(pr->model, pr->roots[DRY_SECTION_OUTPUT],
                                          pr->n_roots[DRY_SECTION_OUTPUT], &pr->slope[OF_OUTPUTS]));
}

/* Gives places in w. */
static bool find_timed(printer *pr, const bool *varies) {
    const size_t count = (size_t)dry_dag_count(pr->dag);
    pr->kept = calloc(count, sizeof *pr->kept);
    pr->timed.node = malloc(count * sizeof *pr->timed.node);
    if (!pr->kept || !pr->timed.node || dry_c__keep_timed(pr->model, varies, pr->kept) < 0)
        return false;
    for (dry_node k = 0; k < dry_dag_count(pr->dag); k++) {
        if (!pr->kept[k]) continue;
        pr->home[k] = pr->timed.numbers;
        pr->timed.numbers += width_of(pr, k);
        pr->timed.node[pr->timed.n++] = k;
    }
    return true;
}

static bool find_fixed(printer *pr) {
    const size_t count = (size_t)dry_dag_count(pr->dag);
    unsigned char *needed = calloc(count, 1);
    pr->home = malloc(count * sizeof *pr->home);
    pr->pack = malloc(count * sizeof *pr->pack);
    pr->wide_pack = malloc(count * sizeof *pr->wide_pack);
    pr->once = malloc(count * sizeof *pr->once);
    const bool good = needed && pr->home && pr->pack && pr->wide_pack && pr->once;
    if (good) {
        mark_needed(pr, needed);
        lay_out(pr, needed);
    }
    free(needed);
    return good;
}

/* ---- the door ---------------------------------------------------------------------- */

static void print_sizes(const printer *pr) {
    const dry_model *model = pr->model;
    fprintf(pr->out,
            "enum {\n    N_STATES = %d,\n    N_OUTPUTS = %d,\n    N_PAR = %d,\n    N_KINKS = %d,\n"
            "    N_GUARDS = %d,\n    N_BREAKS = %d,\n    N_FIXED = %d,\n    N_TIMED = %d\n};\n\n",
            model->system.n_states,
            model->code.n_ways ? model->system.n_outputs : pr->n_roots[DRY_SECTION_OUTPUT],
            pr->n_par, model->system.n_kinks, pr->n_roots[DRY_SECTION_GUARD],
            pr->n_roots[DRY_SECTION_BREAKS], pr->n_fixed, pr->timed.numbers);
}

/* Prints the functions into memory first, because the definitions that they use must come before
 * them. */
static dry_status print_all(printer *pr, const dry_c_options *options, FILE *stream) {
    char *text = NULL;
    size_t length;
    const bool good = choose_contents(pr, options) && find_fixed(pr) &&
                      (!options->timed || find_timed(pr, options->varies));
    pr->out = good ? dry_text_open(&text, &length) : NULL;
    if (!pr->out) return DRY_NO_MEMORY;
    print_functions(pr);
    pr->failed |= !dry_text_close(pr->out, &text);
    pr->out = stream;
    if (!pr->failed) {
        print_sizes(pr);
        if (pr->model->code.n_ways) dry_c__print_ways(stream);
        pr->failed |= !dry_c__print_pieces(text, pr->form.single, stream);
        print_tables(pr);
        fputs(text, stream);
    }
    free(text);
    return pr->failed ? DRY_NO_MEMORY : DRY_OK;
}

dry_status dry_model_print_c(const dry_model *model, const dry_c_options *options, FILE *stream,
                             dry_error *error) {
    DRY_ASSERT(dry_model_ok(model));
    if (model->elab.scene.net)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "a model with parts does not become C: run it without --native, or "
                             "write the machine as equations");
    printer pr = {.model = model, .dag = model->elab.dag, .form = *options};
    pr.form.ticked &= model->system.n_clocks > 0;
    pr.form.smooth &= model->kept.image != NULL;
    pr.order.dag = pr.dag;
    dry_status status = print_all(&pr, options, stream);
    if (status != DRY_OK)
        dry_error_set(error, status, "out of memory while printing the model as C");
    if (status == DRY_OK && pr.wrong != 0.0)
        status = dry_error_set(error, DRY_UNSUPPORTED,
                               "the constant %g is beyond the range of single precision (3.4e38): "
                               "scale the units, or leave out --float",
                               pr.wrong);
    if (status == DRY_OK && pr.equal)
        status = dry_error_set(error, DRY_UNSUPPORTED,
                               "the knots %.9g and %.9g of a table are one number in single "
                               "precision: leave out one of them, or leave out --float",
                               pr.equal[0], pr.equal[1]);
    free((void *)pr.table);
    free(pr.shown);
    free(pr.place);
    free(pr.home);
    free(pr.pack);
    free(pr.wide_pack);
    dry_model_derivatives_free(&pr.slope[OF_RATES]);
    dry_model_derivatives_free(&pr.slope[OF_OUTPUTS]);
    free(pr.once);
    free(pr.kept);
    free(pr.timed.node);
    free(pr.sides);
    return status;
}

int dry_model_operations(const dry_model *model) {
    return dry_image_length(model->code.image, DRY_SECTION_RATE);
}
