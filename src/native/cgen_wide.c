/* cgen_wide: prints the statements of wide nodes (cgen_printer.h). They compute the bits of
 * graph/wide.c. */
#include "cgen_printer.h"

#include <stdio.h>
#include <string.h>

void dry_c__print_ways(FILE *stream) {
    fputs("typedef double way4 __attribute__((vector_size(32), aligned(8), may_alias));\n"
          "typedef double way2 __attribute__((vector_size(16), aligned(8), may_alias));\n"
          "typedef double way1;\n\n",
          stream);
}

/* ---- parts ---------------------------------------------------------------------------- */

/* Ways from .. from + n of a wide node. */
typedef struct part {
    int from, n;
} part;

static bool next_part(const printer *pr, part *p) {
    const int left = pr->model->code.n_ways - p->from - p->n;
    p->from += p->n;
    p->n = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    return left > 0;
}

/* {0.0, 1.0}: 1 in this way. */
static void unit(int way, part p, char text[DRY_C__WORD]) {
    int at = 0;
    if (p.n > 1) at = snprintf(text, DRY_C__WORD, "(way%d){", p.n);
    for (int k = 0; k < p.n; k++)
        at += snprintf(text + at, DRY_C__WORD - (size_t)at, "%s%s", k ? ", " : "",
                       p.from + k == way ? "1.0" : "0.0");
    if (p.n > 1) snprintf(text + at, DRY_C__WORD - (size_t)at, "}");
}

static void read_part(const char *from, int at, part p, char text[DRY_C__WORD]) {
    snprintf(text, DRY_C__WORD, "(*(const way%d *)(%.16s + %d))", p.n, from, at + p.from);
}

static bool is_zero(const printer *pr, dry_node node) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    return n.op == DRY_OP_CONST && n.value == 0.0;
}

static const char *wide_operand(printer *pr, dry_node node, part p, char text[DRY_C__WORD]) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    const int ways = pr->model->code.n_ways, n_states = pr->model->elab.quantities.n_states;
    char number[DRY_C__WORD];
    if (is_zero(pr, node))
        unit(-1, p, text);
    else if (!is_wide(pr, node)) /* the same number in all ways */
        snprintf(text, DRY_C__WORD, p.n > 1 ? "(%.40s + (way%d){0.0})" : "%.40s",
                 operand(pr, node, number), p.n);
    else if (n.op == DRY_OP_UNIT)
        unit(n.index, p, text);
    else if (n.op == DRY_OP_WAY)
        read_part("x", n_states + n.index * ways, p, text);
    else if (dry_order_computes(&pr->order, node))
        snprintf(text, DRY_C__WORD, "n%d_%d", node, p.from);
    else
        read_part(pr->kept && pr->kept[node] ? "w" : "p", pr->home[node], p, text);
    return text;
}

void dry_c__store_wide(printer *pr, const char *to, int at, dry_node node) {
    char text[DRY_C__WORD];
    for (part p = {0, 0}; next_part(pr, &p);) {
        indent(pr);
        fprintf(pr->out, "    *(way%d *)(%s + %d) = %s;\n", p.n, to, at + p.from,
                wide_operand(pr, node, p, text));
    }
}

/* ---- values --------------------------------------------------------------------------- */

/* In each way: vectors have no ?: in C. */
static void print_choice(printer *pr, dry_node node, part p) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    char c[DRY_C__WORD], a[DRY_C__WORD], b[DRY_C__WORD];
    const char *index = p.n > 1 ? "[k]" : "";
    fprintf(pr->out, "way%d n%d_%d;\n", p.n, node, p.from);
    indent(pr);
    if (p.n > 1) fprintf(pr->out, "for (int k = 0; k < %d; k++) ", p.n);
    fprintf(pr->out, "n%d_%d%s = %s%s != 0.0 ? ", node, p.from, index,
            wide_operand(pr, n.args[0], p, c), index);
    if (n.op == DRY_OP_SELECT)
        fprintf(pr->out, "%s%s : %s%s;\n", wide_operand(pr, n.args[1], p, a), index,
                wide_operand(pr, n.args[2], p, b), index);
    else
        fputs("1.0 : 0.0;\n", pr->out);
}

static void print_value(printer *pr, dry_node node, part p) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    char c[DRY_C__WORD], a[DRY_C__WORD], b[DRY_C__WORD];
    fprintf(pr->out, "const way%d n%d_%d = ", p.n, node, p.from);
    if (n.op == DRY_OP_PICK) {
        char name[DRY_C__WORD];
        snprintf(name, sizeof name, "r%d", n.args[0]);
        read_part(name, n.index * pr->model->code.n_ways, p, a);
        fprintf(pr->out, "%s;\n", a);
    } else if (n.op == DRY_OP_SELECT) {
        fprintf(pr->out, "%s != 0.0 ? %s : %s;\n", operand(pr, n.args[0], c),
                wide_operand(pr, n.args[1], p, a), wide_operand(pr, n.args[2], p, b));
    } else if (n.op == DRY_OP_NEG) {
        fprintf(pr->out, "-%s;\n", wide_operand(pr, n.args[0], p, a));
    } else {
        const bool numbers[] = {n.op == DRY_OP_MUL && !is_wide(pr, n.args[0]),
                                (n.op == DRY_OP_MUL || n.op == DRY_OP_DIV) &&
                                    !is_wide(pr, n.args[1])};
        fprintf(pr->out, "%s %s %s;\n",
                numbers[0] ? operand(pr, n.args[0], a) : wide_operand(pr, n.args[0], p, a),
                dry_op_text(n.op),
                numbers[1] ? operand(pr, n.args[1], b) : wide_operand(pr, n.args[1], p, b));
    }
}

void dry_c__declare_wide(printer *pr, dry_node node) {
    for (part p = {0, 0}; next_part(pr, &p);) fprintf(pr->out, "way%d n%d_%d; ", p.n, node, p.from);
    fputc('\n', pr->out);
}

void dry_c__set_wide(printer *pr, dry_node node, dry_node to) {
    char text[DRY_C__WORD];
    for (part p = {0, 0}; next_part(pr, &p);)
        fprintf(pr->out, "n%d_%d = %s; ", node, p.from, wide_operand(pr, to, p, text));
    fputc('\n', pr->out);
}

/* ---- blocks --------------------------------------------------------------------------- */

/* Prints an array with the rows of wide arguments. */
static void print_rows(printer *pr, const char *name, const dry_node *args, int n) {
    const int ways = pr->model->code.n_ways;
    indent(pr);
    fprintf(pr->out, "    double %s[%d];\n", name, n > 0 ? n * ways : 1);
    for (int i = 0; i < n; i++) dry_c__store_wide(pr, name, i * ways, args[i]);
}

static void print_numbers(printer *pr, const char *name, const dry_node *args, int n) {
    char text[DRY_C__WORD];
    indent(pr);
    fprintf(pr->out, "    double %s[%d] = {", name, n > 0 ? n : 1);
    for (int i = 0; i < n; i++) fprintf(pr->out, "%s%s", i ? ", " : "", operand(pr, args[i], text));
    fputs(n > 0 ? "};\n" : "0.0};\n", pr->out);
}

/* dry_wide__solve of graph/wide.c */
static void print_solve(printer *pr, dry_node node) {
    const int n = dry_dag_block_info(pr->dag, node)->n_results, ways = pr->model->code.n_ways;
    const dry_node *args = dry_dag_args(pr->dag, node);
    fprintf(pr->out, "double r%d[%d];\n", node, n * ways);
    indent(pr);
    fputs("{\n", pr->out);
    print_numbers(pr, "A", args, n * n);
    print_rows(pr, "b", args + n * n, n);
    indent(pr);
    fprintf(pr->out,
            "    for (int k = 0; k < %d; k++) {\n"
            "        double B[%d], y[%d];\n"
            "        for (int i = 0; i < %d; i++) B[i] = A[i];\n"
            "        for (int i = 0; i < %d; i++) y[i] = b[i * %d + k];\n"
            "        const bool good = dry_solve(%d, B, y) == DRY_OK;\n"
            "        for (int i = 0; i < %d; i++) r%d[i * %d + k] = good ? y[i] : (double)NAN;\n"
            "    }\n",
            ways, n * n, n, n * n, n, ways, n, n, node, ways);
    indent(pr);
    fputs("}\n", pr->out);
}

/* Whether the changes are those of states that follow each other: then they are in x. */
static bool are_in_x(const printer *pr, const dry_node *args, int n, int *at) {
    for (int i = 0; i < n; i++) {
        const dry_node_view v = dry_dag_view(pr->dag, args[i]);
        if (v.op != DRY_OP_WAY || v.index != dry_dag_view(pr->dag, args[0]).index + i) return false;
    }
    if (n > 0)
        *at = pr->model->elab.quantities.n_states +
              dry_dag_view(pr->dag, args[0]).index * pr->model->code.n_ways;
    return n > 0;
}

/* Prints the rows of changes, and writes what they are called. */
static void print_changes(printer *pr, const char *name, const dry_node *args, int n,
                          char text[DRY_C__WORD]) {
    int at;
    if (are_in_x(pr, args, n, &at)) {
        snprintf(text, DRY_C__WORD, "x + %d", at);
    } else {
        snprintf(text, DRY_C__WORD, "%s", name);
        print_rows(pr, name, args, n);
    }
}

static void print_tangents(printer *pr, dry_node node) {
    const dry_block_info *info = dry_dag_block_info(pr->dag, node);
    const dry_node *args = dry_dag_args(pr->dag, node), *changes = args + info->n_args / 2;
    const int ways = pr->model->code.n_ways, at_s = info->n_par + info->n_inputs;
    char par[DRY_C__WORD] = "q", d_par[DRY_C__WORD], d_u[DRY_C__WORD], d_s[DRY_C__WORD];
    fprintf(pr->out, "double r%d[%d];\n", node, info->n_results * ways);
    indent(pr);
    fputs("{\n", pr->out);
    if (pr->pack[node] != DRY_NONE)
        snprintf(par, sizeof par, "p + %d", pr->pack[node]);
    else
        print_numbers(pr, "q", args, info->n_par);
    print_numbers(pr, "u", args + info->n_par, info->n_inputs);
    print_numbers(pr, "s", args + at_s, info->n_states);
    if (pr->wide_pack[node] != DRY_NONE)
        snprintf(d_par, sizeof d_par, "p + %d", pr->wide_pack[node]);
    else
        print_changes(pr, "d_q", changes, info->n_par, d_par);
    print_changes(pr, "d_u", changes + info->n_par, info->n_inputs, d_u);
    print_changes(pr, "d_s", changes + at_s, info->n_states, d_s);
    indent(pr);
    fputs("    static const unsigned char moves[] = {", pr->out);
    for (int i = 0; i < info->n_par; i++)
        fprintf(pr->out, "%s%d", i ? ", " : "", !is_zero(pr, changes[i]));
    fputs("};\n", pr->out);
    indent(pr);
    fprintf(pr->out, "    const dry_tangents ways = {%d, %s, %s, %s, moves};\n", ways, d_par, d_u,
            d_s);
    indent(pr);
    fprintf(pr->out, "    %s_tangents(%s, %d, tau, u, s, &ways, r%d);\n", info->block.law->name,
            par, info->block.dim, node);
    indent(pr);
    fputs("}\n", pr->out);
}

/* ---- the door ------------------------------------------------------------------------- */

void dry_c__print_wide(printer *pr, dry_node node) {
    const dry_node_view n = dry_dag_view(pr->dag, node);
    if (n.op == DRY_OP_SOLVE) {
        print_solve(pr, node);
        return;
    }
    if (dry_op_is_block(n.op)) {
        print_tangents(pr, node);
        return;
    }
    const bool chooses = n.op == DRY_OP_NE || (n.op == DRY_OP_SELECT && is_wide(pr, n.args[0]));
    for (part p = {0, 0}; next_part(pr, &p);) {
        if (p.from) indent(pr);
        (chooses ? print_choice : print_value)(pr, node, p);
    }
}
