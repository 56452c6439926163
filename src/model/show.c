/* show: prints the stages of a compilation, and the derived equations in the notation of a
 * paper. */
#include "model_private.h"

#include <math.h>
#include <string.h>

/* ---- stages ------------------------------------------------------------------------ */

static const char *param_name(const dry_elab *elab, int i) {
    return elab->quantities.param[i].name;
}

/* Returns the name of an input: the equations' own states come first, then numbers of the parts. */
static const char *input_name(const dry_elab *elab, int i) {
    return i < elab->quantities.n_states ? elab->quantities.state[i].name
                                         : elab->scene.outer[i - elab->quantities.n_states].name;
}

/* If the sets are kept, the components of their forces are inputs after these. */
static void print_input(const dry_elab *elab, int i, FILE *stream) {
    const int named = elab->quantities.n_states + elab->scene.n_outers;
    if (i < named)
        fputs(input_name(elab, i), stream);
    else
        fprintf(stream, "force[%d]", i - named + 1);
}

static void print_node_ref(const dry_elab *elab, dry_node node, FILE *stream) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    char number[DRY_NUMBER_SIZE];
    switch (v.op) {
    case DRY_OP_CONST:
        dry_number_text(v.value, number);
        fputs(number, stream);
        break;
    case DRY_OP_PAR: fputs(param_name(elab, v.index), stream); break;
    case DRY_OP_STATE: print_input(elab, v.index, stream); break;
    case DRY_OP_T: fputs("t", stream); break;
    case DRY_OP_TAU: fputs("tau", stream); break;
    default: fprintf(stream, "n%d", node);
    }
}

static void print_graph_line(const dry_elab *elab, dry_node node, FILE *stream) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    if (v.op <= DRY_OP_REF) return;
    fprintf(stream, "n%d = %s", node, dry_op_text(v.op));
    if (v.block.law) fprintf(stream, " %s", v.block.law->name);
    fputc('(', stream);
    for (int i = 0; i < v.n_args; i++) {
        if (i) fputs(", ", stream);
        print_node_ref(elab, v.args[i], stream);
    }
    if (v.op == DRY_OP_PICK) fprintf(stream, ", %d", v.index);
    fputs(")\n", stream);
}

static void print_lowered(const dry_model *model, FILE *stream) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < dry_dag_count(elab->dag); i++) print_graph_line(elab, i, stream);
    for (int i = 0; i < elab->quantities.n_states; i++) {
        fprintf(stream, "%s' = ", elab->quantities.state[i].name);
        print_node_ref(elab, elab->quantities.state[i].rate, stream);
        fputc('\n', stream);
    }
    for (int i = 0; i < elab->scene.n_thrusts; i++) {
        fprintf(stream, "push %d += ", elab->scene.thrust[i].first);
        print_node_ref(elab, elab->scene.thrust[i].node, stream);
        fputc('\n', stream);
    }
}

static void print_checked(const dry_model *model, FILE *stream) {
    static const char *const kinds[] = {
        [DRY_SYM_PARAM] = "param", [DRY_SYM_STATE] = "state",       [DRY_SYM_QUANTITY] = "quantity",
        [DRY_SYM_FORCE] = "force", [DRY_SYM_FUNCTION] = "function", [DRY_SYM_MEASURE] = "measure",
        [DRY_SYM_PART] = "part",   [DRY_SYM_SAMPLE] = "sample",     [DRY_SYM_TABLE] = "table",
        [DRY_SYM_INPUT] = "input",
    };
    dry_elab *elab = (dry_elab *)&model->elab; /* resolving dimensions changes nothing */
    char unit[DRY_DIM_TEXT];
    for (int i = 0; i < elab->names.n_symbols; i++) {
        const dry_symbol *s = &elab->names.symbol[i];
        fprintf(stream, "%4d: %-8s %-12s", s->at.line, kinds[s->kind], s->name);
        if (s->kind != DRY_SYM_FUNCTION && s->kind != DRY_SYM_PART && s->kind != DRY_SYM_TABLE)
            fprintf(stream, " %s [%s]", dry_lang_shape(elab, &s->value),
                    dry_dim_text(elab->dims, s->value.dim, unit));
        fputc('\n', stream);
    }
}

static void print_code(const dry_model *model, bool all, FILE *stream) {
    const dry_elab *elab = &model->elab;
    const char **par =
        dry_arena_take(model->arena, sizeof *par * (size_t)(elab->quantities.n_params + 1));
    const int n = elab->quantities.n_states + elab->scene.n_outers;
    const char **state = dry_arena_take(model->arena, sizeof *state * (size_t)(n + 1));
    if (!par || !state) return;
    for (int i = 0; i < elab->quantities.n_params; i++) par[i] = elab->quantities.param[i].name;
    for (int i = 0; i < n; i++) state[i] = input_name(elab, i);
    for (int s = -1; s < (all ? DRY_N_SECTIONS : 1); s++)
        dry_image_print(model->code.image, s, par, state, stream);
}

dry_status dry_model_print_stage(const dry_model *model, const char *stage, FILE *stream) {
    if (!strcmp(stage, "tokens"))
        dry_syntax_print_tokens(model->tokens, stream);
    else if (!strcmp(stage, "tree"))
        dry_syntax_print_tree(model->elab.tree, stream);
    else if (!strcmp(stage, "checked"))
        print_checked(model, stream);
    else if (!model->code.image)
        return DRY_BAD_MODEL;
    else if (!strcmp(stage, "lowered"))
        print_lowered(model, stream);
    else if (!strcmp(stage, "ordered"))
        print_code(model, false, stream);
    else if (!strcmp(stage, "code"))
        print_code(model, true, stream);
    else
        return DRY_BAD_ARGUMENT;
    return DRY_OK;
}

/* ---- the derived equations, as text ------------------------------------------------ */

static void print_name(const dry_stmt *stmt, FILE *stream) {
    fputs(stmt->name, stream);
    if (!stmt->index) return;
    fputc('[', stream);
    dry_syntax_print_expr(stmt->index, stream);
    fputc(']', stream);
}

static void print_source(const dry_stmt *stmt, FILE *stream) {
    if (stmt->factor) {
        dry_syntax_print_expr(stmt->factor, stream);
        fputs(" ", stream);
    }
    print_name(stmt, stream);
    fputs(stmt->kind == DRY_ST_EQUATION ? "' = " : " = ", stream);
    dry_syntax_print_expr(stmt->value, stream);
}

static void print_loop(const dry_stmt *stmt, FILE *stream) {
    if (!stmt->loop) return;
    fprintf(stream, "    for %s = ", stmt->loop);
    dry_syntax_print_expr(stmt->first, stream);
    fputs(" .. ", stream);
    dry_syntax_print_expr(stmt->last, stream);
}

const dry_expr *dry_model__level_of(const dry_expr *expr) {
    while (expr->kind == DRY_EX_UNARY) expr = expr->arg[0];
    if (expr->kind == DRY_EX_CALL) return NULL;
    bool last = expr->kind == DRY_EX_BINARY && expr->text[0] == '*' &&
                expr->arg[1] == dry_lang_set_of(expr);
    if (!last) return expr; /* an unusual order: printed unchanged */
    expr = expr->arg[0];
    while (expr->kind == DRY_EX_UNARY) expr = expr->arg[0];
    return expr;
}

const dry_force *dry_model__force_of(const dry_elab *elab, const dry_stmt *stmt) {
    for (int i = 0; i < elab->quantities.n_forces; i++)
        if (elab->quantities.force[i].stmt == stmt) return &elab->quantities.force[i];
    return NULL;
}

static const dry_expr *call_of(const dry_stmt *stmt) {
    const dry_expr *call = stmt->kind == DRY_ST_SET ? dry_lang_set_of(stmt->value) : stmt->value;
    while (call->kind == DRY_EX_UNARY) call = call->arg[0];
    return call;
}

/* Returns what a set or a law is about: v of `F*sgn(v)` and of `lugre(v)`. */
static const dry_expr *argument_of(const dry_stmt *stmt) { return call_of(stmt)->arg[0]; }

static bool is_number(const dry_expr *expr) {
    return expr->kind == DRY_EX_NUMBER ||
           (expr->kind == DRY_EX_UNARY && expr->text[0] == '-' && is_number(expr->arg[0]));
}

static bool is_minus(const dry_expr *expr) {
    return expr->kind == DRY_EX_UNARY && expr->text[0] == '-';
}

/* A number in front of what a friction is about does not matter, and its sign is that of the force:
 * v for -3*v. If the force has two levels, the minus stays. */
static void write_slide(const dry_expr *argument, bool keeps_sign, const dry_writer *writer,
                        FILE *stream) {
    bool minus = false;
    for (;;) {
        const bool product = argument->kind == DRY_EX_BINARY && argument->text[0] == '*';
        const bool ratio = argument->kind == DRY_EX_BINARY && argument->text[0] == '/';
        const int number = product && is_number(argument->arg[0])              ? 0
                           : (product || ratio) && is_number(argument->arg[1]) ? 1
                                                                               : -1;
        if (number < 0 && !is_minus(argument)) break;
        if (number < 0 || is_minus(argument->arg[number])) minus = !minus;
        argument = argument->arg[number == 0];
    }
    const dry_expr negative = {
        .kind = DRY_EX_UNARY, .text = "-", .arg = (const dry_expr *[]){argument}, .n_args = 1};
    writer->factor(minus && keeps_sign ? &negative : argument, stream);
}

/* Minus what a set or a law is about: x for -x. */
static void write_minus(const dry_expr *argument, const dry_writer *writer, FILE *stream) {
    fputs(is_minus(argument) ? "" : writer->minus, stream);
    writer->factor(is_minus(argument) ? argument->arg[0] : argument, stream);
}

/* P of a set with two ends: [-h, h], or as the text has it. */
static void write_ends(const dry_stmt *stmt, const dry_force *force, const dry_writer *writer,
                       FILE *stream) {
    const dry_expr *size = call_of(stmt)->arg[1];
    const dry_expr low = {
        .kind = DRY_EX_UNARY, .text = "-", .arg = (const dry_expr *[]){size}, .n_args = 1};
    const dry_expr both = {
        .kind = DRY_EX_VECTOR, .arg = (const dry_expr *[]){&low, size}, .n_args = 2};
    writer->level(size->kind == DRY_EX_VECTOR || force->interval.middle ? size : &both, stream);
}

static void fill(const char *template, const dry_stmt *stmt, const dry_force *force,
                 const dry_writer *writer, FILE *stream) {
    const dry_expr *argument = argument_of(stmt);
    const dry_expr *level =
        force->stretch.is_there ? force->stretch.level : dry_model__level_of(stmt->value);
    for (const char *c = template; *c; c++) {
        if (!strncmp(c, "<f>", 3)) {
            writer->name(stmt, stream);
        } else if (!strncmp(c, "<u>", 3)) {
            writer->expr(argument, stream);
        } else if (!strncmp(c, "<v>", 3) && dry_lang_is_plain(force) && force->dim == 1) {
            write_slide(argument, force->interval.middle != 0, writer, stream);
        } else if (!strncmp(c, "<v>", 3)) {
            writer->factor(argument, stream);
        } else if (!strncmp(c, "<m>", 3)) {
            write_minus(argument, writer, stream);
        } else if (!strncmp(c, "<A>", 3)) {
            writer->factor(force->stretch.outer, stream);
        } else if (!strncmp(c, "<P>", 3)) {
            write_ends(stmt, force, writer, stream);
        } else if (!strncmp(c, "<s>", 3)) {
            fputs(force->sign < 0.0 ? writer->minus : "", stream);
        } else if (!strncmp(c, "<L>", 3)) {
            writer->law(force->law->name, stream);
        } else if (!strncmp(c, "<i>", 3)) {
            fputs(writer->index[stmt->loop && !strcmp(stmt->loop, "i")], stream);
        } else if (!strncmp(c, "<F>", 3)) {
            if (level)
                writer->level(level, stream);
            else
                fputs("1", stream);
        } else {
            fputc(*c, stream);
            continue;
        }
        c += 2;
    }
}

static void print_factor(const dry_expr *expr, FILE *stream) {
    bool simple = expr->kind != DRY_EX_BINARY;
    if (!simple) fputc('(', stream);
    dry_syntax_print_expr(expr, stream);
    if (!simple) fputc(')', stream);
}

/* X13 (18) for both signs of the force, X13 (24) and (25) */
static const dry_writer text_writer = {
    .name = print_name,
    .expr = dry_syntax_print_expr,
    .factor = print_factor,
    .level = dry_syntax_print_expr,
    .relaxed = {[DRY_RESOLVENT_FRICTION] =
                    {"  <f> = sat(<F>, K (<f>.a + beta <v>))\n  <f>.a' = (<f>/K - <f>.a)/beta",
                     "  <f> = -sat(<F>, K (<f>.a + beta <v>))\n  <f>.a' = (-<f>/K - <f>.a)/beta"},
                [DRY_RESOLVENT_CONTACT] = {"  <f> = K max(0, <f>.e - beta (<u> + <f>.e)/alpha)\n"
                                           "  <f>.e' = max(-<f>.e/beta, -(<u> + <f>.e)/alpha)",
                                           NULL},
                [DRY_RESOLVENT_BACKLASH] =
                    {"  <f> = -K beta/alpha (y - proj_<P>(y)), y = <u> - (1 - alpha/beta) <f>.e\n"
                     "  <f>.e' = (-<f>/K - <f>.e)/beta",
                     "  <f> = K beta/alpha (y - proj_<P>(y)), y = <u> - (1 - alpha/beta) <f>.e\n"
                     "  <f>.e' = (<f>/K - <f>.e)/beta"}},
    .cone = {"<f> in -N_<P>(<u>)", "<f> in N_<P>(<u>)"},
    .stretched = {"  <f> = <A> h, h = sat(<F>, K (<f>.a + beta <v>))\n"
                  "  <f>.a' = (h/K - <f>.a)/beta",
                  "  <f> = -<A> h, h = sat(<F>, K (<f>.a + beta <v>))\n"
                  "  <f>.a' = (h/K - <f>.a)/beta"},
};

bool dry_model__write_lowered(const dry_stmt *stmt, const dry_force *force,
                              const dry_writer *writer, FILE *stream) {
    const dry_resolvent resolvent = force->law->resolvent;
    const bool stretched = force->stretch.is_there && resolvent == DRY_RESOLVENT_FRICTION;
    const char *const *forms = stretched ? writer->stretched : writer->relaxed[resolvent];
    const char *form = force->sign < 0.0 && forms[1] ? forms[1] : forms[0];
    if (!dry_lang_is_plain(force) && writer->named) {
        fill(writer->named, stmt, force, writer, stream);
        return true;
    }
    if (!dry_lang_is_plain(force) || !form || (stretched && !force->stretch.outer)) return false;
    fill(form, stmt, force, writer, stream);
    return true;
}

bool dry_model__write_inclusion(const dry_stmt *stmt, const dry_force *force,
                                const dry_writer *writer, FILE *stream) {
    const dry_law_inclusion *rows = force->law->inclusion;
    if (dry_lang_is_plain(force) && force->set->ends) {
        fill(writer->cone[force->sign < 0.0], stmt, force, writer, stream);
        return true;
    }
    if (!rows || dry_lang_is_plain(force)) return false;
    fill(writer->inclusion(rows), stmt, force, writer, stream);
    if (!force->set || !writer->inclusion_level(rows)) return true;
    fputs(writer->next, stream);
    fill(writer->inclusion_level(rows), stmt, force, writer, stream);
    return true;
}

static dry_set_info set_of_force(const dry_model *model, const dry_force *force) {
    return dry_model_set(model, (int)(force - model->elab.quantities.force));
}

/* Prints a force whose set is kept, as it is in the text. */
static void print_kept(const dry_model *model, const dry_stmt *stmt, const dry_force *force,
                       FILE *stream) {
    const dry_set_info set = set_of_force(model, force);
    fputs("  ", stream);
    if (!dry_model__write_inclusion(stmt, force, &text_writer, stream)) {
        print_name(stmt, stream);
        fputs(" in ", stream);
        dry_syntax_print_expr(stmt->value, stream);
    }
    print_loop(stmt, stream);
    if (!isnan(set.restitution))
        fprintf(stream, "\n      restitution %.6g (%s)", set.restitution, set.chosen);
    fputc('\n', stream);
}

static void print_numbers(const dry_model *model, const dry_force *force, FILE *stream) {
    const dry_set_info set = set_of_force(model, force);
    fprintf(stream, "\n      K = %.6g", set.K);
    if (!isnan(set.alpha)) fprintf(stream, ", alpha = %.6g s", set.alpha);
    if (!isnan(set.beta)) fprintf(stream, ", beta = %.6g s", set.beta);
    fprintf(stream, " (%s", set.chosen);
    if (!isnan(set.mass)) fprintf(stream, "; effective mass %.6g", set.mass);
    fputs(")", stream);
    if (!isnan(set.mass) && set.K > 0.0) {
        double omega = sqrt(set.K / set.mass);
        fprintf(stream, "\n      natural frequency %.4g rad/s, damping ratio %.3g", omega,
                0.5 * set.beta * omega);
    }
    if (!isnan(set.restitution)) fprintf(stream, ", restitution %.3g", set.restitution);
}

/* Prints the lines of a law. */
static void print_indented(const char *lines, FILE *stream) {
    fputs("      ", stream);
    for (; *lines; lines++) {
        fputc(*lines, stream);
        if (*lines == '\n') fputs("      ", stream);
    }
}

static void print_force(const dry_model *model, const dry_stmt *stmt, FILE *stream) {
    const dry_force *force = dry_model__force_of(&model->elab, stmt);
    if (!force) return;
    if (model->kept.image && dry_model__is_kept(force)) {
        print_kept(model, stmt, force, stream);
        return;
    }
    if (!dry_model__write_lowered(stmt, force, &text_writer, stream)) {
        fputs("  ", stream);
        print_name(stmt, stream);
        fprintf(stream, ": %s (%s)\n", force->law->title, force->law->paper);
        print_indented(force->law->equation, stream);
    }
    print_loop(stmt, stream);
    if (force->set && dry_law_par_find(force->law, "beta") >= 0)
        print_numbers(model, force, stream);
    fputc('\n', stream);
}

static void print_start(const dry_model *model, FILE *stream) {
    const dry_elab *elab = &model->elab;
    const dry_quantity *states = model->system.states;
    const int n = model->system.n_states;
    double *x = dry_arena_take(
        model->arena, sizeof *x * (size_t)(elab->quantities.n_states + elab->scene.n_outers + 1));
    if (!x) return;
    dry_lang_start(elab, x);
    dry_model__take_steady(model, x);
    fputs("start\n", stream);
    int shown = 0, left = 0;
    for (int i = 0; i < n; i++) {
        if (dry_state_is_inner(&states[i])) continue;
        if (shown++ < 40)
            fprintf(stream, "  %s = %.6g %s\n", states[i].name,
                    i < elab->quantities.n_states
                        ? x[i]
                        : elab->scene.net_x[i - elab->quantities.n_states],
                    states[i].unit);
        else
            left++;
    }
    if (left) fprintf(stream, "  ... and %d more\n", left);
}

/* Prints the values that a part has chosen itself; for an indexed part, those of its first
 * elements. */
static void print_chosen(const dry_model *model, const dry_stmt *stmt, FILE *stream) {
    enum { MOST = 12 };
    const dry_system *s = &model->system;
    int n = 0;
    for (int i = -1; (i = dry_model_next_chosen(model, i + 1)) >= 0;) {
        const dry_symbol *symbol = dry_lang_owner(&model->elab, dry_model_part_of_par(model, i));
        if (strcmp(symbol->name, stmt->name) != 0) continue;
        if (n++ < MOST)
            fprintf(stream, "%s%s = %.6g %s", n == 1 ? "      " : ", ",
                    symbol->indexed ? s->params[i].name : dry_model_part_par_name(model, i),
                    s->par[i], s->params[i].unit);
    }
    if (n > MOST) fprintf(stream, ", ... and %d more", n - MOST);
    if (n) fputs("\n      (from the step and the inertia of its ends)\n", stream);
}

/* Prints a statement as its text has it; one of an included file with the name of that file. */
static void print_written(const dry_model *model, const dry_stmt *stmt, FILE *stream) {
    const dry_source *from = &model->diag.source[stmt->at.file];
    fprintf(stream, "  %s", stmt->source);
    if (stmt->at.file) fprintf(stream, "    # in %s", from->as);
    fputc('\n', stream);
}

static void print_included(const dry_model *model, FILE *stream) {
    const dry_diagnostics *diag = &model->diag;
    if (diag->n_sources > 1) fputs("included\n", stream);
    for (int i = 1; i < diag->n_sources; i++) {
        const dry_source *from = &diag->source[i];
        fprintf(stream, "  %s: %s", from->as, from->path);
        fprintf(stream, from->left[0] ? " (left out: %s)\n" : "%s\n", from->left);
    }
}

static void print_parts(const dry_model *model, FILE *stream) {
    const dry_tree *tree = &model->elab.tree;
    if (!model->elab.scene.net) return;
    fputs("parts\n", stream);
    for (int i = 0; i < tree->n; i++) {
        const dry_stmt *stmt = &tree->stmt[i];
        if (stmt->kind == DRY_ST_PART || stmt->kind == DRY_ST_CONNECT)
            print_written(model, stmt, stream);
        if (stmt->kind == DRY_ST_PART) print_chosen(model, stmt, stream);
    }
}

static void print_params(const dry_model *model, FILE *stream) {
    int n = 0;
    for (int i = 0; i < model->elab.quantities.n_params; i++) {
        const dry_param_info *p = &model->elab.quantities.param[i];
        if (p->hidden || p->name[0] == '#') continue;
        double range[2];
        const char *unit = model->params[i].unit;
        fprintf(stream, "%s  %s = %.6g %s", n++ ? "" : "parameters\n", p->name, p->value, unit);
        if (dry_model_par_range(model, i, range))
            fprintf(stream, "%sin %.6g .. %.6g %s", *unit ? " " : "", range[0], range[1], unit);
        fputc('\n', stream);
    }
}

/* The compiler has checked the stiffest motion of the parts, and found nothing to report. */
static void print_part_stability(const dry_model *model, FILE *stream) {
    const char *name = dry_lang_method(&model->elab);
    const dry_method *method = dry_lang_method_row(&model->elab);
    const double step = dry_design_run_step(&model->elab);
    if (!method || method->adaptive)
        fprintf(stream, "stability\n  %s chooses its steps from its tolerances\n", name);
    else if (!isnan(step))
        fprintf(
            stream,
            "stability\n  a step of %.6g s is inside the bound of %s for the stiffest motion of "
            "the parts at the start\n",
            step, name);
}

/* Prints the step of a run if neither the text nor the caller gives one. */
static void print_step(const dry_model *model, FILE *stream) {
    const dry_method *method = dry_lang_method_row(&model->elab);
    const double step = dry_design_run_step(&model->elab);
    if (method && !method->adaptive && !(model->elab.run.step > 0.0) && !isnan(step))
        fprintf(stream, "  no step is given: a run uses %.6g s\n", step);
}

static void print_stability(const dry_model *model, FILE *stream) {
    if (isnan(model->fastest) && model->elab.scene.net) {
        print_part_stability(model, stream);
        print_step(model, stream);
    }
    if (isnan(model->fastest)) return;
    fprintf(
        stream,
        "stability\n  fastest mode, all stuck and all closed: %.4g 1/s (time constant %.4g s)\n",
        model->fastest, 1.0 / model->fastest);
    if (isfinite(model->largest_step))
        fprintf(stream, "  largest step of %s: %.3g s\n", dry_lang_method(&model->elab),
                model->largest_step);
    print_step(model, stream);
}

static bool has_equations(const dry_tree *tree) {
    for (int i = 0; i < tree->n; i++) {
        const dry_st kind = tree->stmt[i].kind;
        if (kind == DRY_ST_SET || kind == DRY_ST_PUSH || kind == DRY_ST_EQUATION ||
            kind == DRY_ST_DEFINE || kind == DRY_ST_SAMPLE)
            return true;
    }
    return false;
}

void dry_model_print_text(const dry_model *model, FILE *stream) {
    const dry_tree *tree = &model->elab.tree;
    fprintf(stream, "%s\n\n", dry_model_title(model));
    print_included(model, stream);
    print_params(model, stream);
    print_parts(model, stream);
    fputs(has_equations(tree) ? "equations\n"
                              : "equations\n  none: the connections determine how the parts move\n",
          stream);
    for (int i = 0; i < tree->n; i++) {
        const dry_stmt *stmt = &tree->stmt[i];
        const dry_symbol *symbol = stmt->name ? dry_lang_find(&model->elab, stmt->name) : NULL;
        if (stmt->kind == DRY_ST_SET ||
            (symbol && symbol->kind == DRY_SYM_FORCE && stmt->kind == DRY_ST_DEFINE)) {
            print_force(model, stmt, stream);
        } else if (stmt->kind == DRY_ST_PUSH || stmt->kind == DRY_ST_SAMPLE ||
                   stmt->kind == DRY_ST_STOP) {
            print_written(model, stmt, stream);
        } else if (stmt->kind == DRY_ST_EQUATION || stmt->kind == DRY_ST_DEFINE) {
            fputs("  ", stream);
            print_source(stmt, stream);
            print_loop(stmt, stream);
            fputc('\n', stream);
        }
    }
    print_start(model, stream);
    print_stability(model, stream);
}
