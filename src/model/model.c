/* model: runs the stages of the compiler in order, and gives access to the compiled model. */
#define _POSIX_C_SOURCE 200809L /* isatty is not needed here; strnlen is */
#include "model_private.h"

#include <drystone/design.h>
#include <drystone/stiff.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t most_memory = (size_t)4 << 30;

/* ---- compile ----------------------------------------------------------------------- */

/* Returns true if memory ran out at any stage, for the equations or for the parts. */
static bool ran_out(const dry_model *model) {
    const dry_net *net = model->elab.scene.net;
    return dry_arena_failed(model->arena) || (net && dry_net_failed(net));
}

static bool clean(const dry_model *model) {
    return model->diag.n_errors == 0 && !dry_dag_failed(model->elab.dag) && !ran_out(model);
}

/* Replaces every reference to a later element in the graph by that element. */
static void resolve(dry_model *model) {
    dry_elab *elab = &model->elab;
    if (!elab->quantities.n_refs || !clean(model)) return;
    dry_node *renamed =
        dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag), sizeof *renamed);
    if (!renamed) return;
    int cycle = dry_dag_resolve(elab->dag, elab->quantities.ref, elab->quantities.n_refs, renamed);
    if (cycle >= 0) {
        for (int i = 0; i < elab->names.n_symbols; i++) {
            const dry_symbol *s = &elab->names.symbol[i];
            if (s->refs >= 0 && cycle >= s->refs && cycle < s->refs + s->n_elements)
                DRY_SAY(elab->diag, s->at, CYCLE,
                        s->indexed
                            ? dry_diag_text(elab->diag, "%s[%d]", s->name, cycle - s->refs + 1)
                            : s->name);
        }
        free(renamed);
        return;
    }
    dry_lang_rename(elab, renamed);
    free(renamed);
}

/* The next values of samples, as they are at an instant. To be freed; NULL without memory. */
static dry_node *next_values(dry_elab *elab) {
    const dry_sampling *all = &elab->quantities.sampling;
    const size_t count = (size_t)dry_dag_count(elab->dag);
    dry_node *renamed = dry_heap_take(elab->arena, count + 1, sizeof *renamed);
    dry_node *next = dry_heap_take(elab->arena, (size_t)all->n_helds + 1, sizeof *next);
    const bool good = renamed && next && dry_dag_at_instants(elab->dag, renamed);
    for (int i = 0; good && i < all->n_helds; i++) next[i] = renamed[all->held[i].next];
    free(renamed);
    if (good) return next;
    free(next);
    return NULL;
}

/* Rates take the value after a jump in time; samples the one at it, however it is rounded. */
static void decide_jumps(dry_model *model) {
    dry_elab *elab = &model->elab;
    dry_sampling *all = &elab->quantities.sampling;
    const size_t count = (size_t)dry_dag_count(elab->dag);
    dry_node *renamed = dry_heap_take(elab->arena, count + 1, sizeof *renamed);
    const bool good = renamed && dry_dag_after_jumps(elab->dag, renamed);
    dry_node *next = good && all->n_helds ? next_values(elab) : NULL;
    if (good) dry_lang_rename(elab, renamed);
    for (int i = 0; next && i < all->n_helds; i++) all->held[i].next = next[i];
    free(renamed);
    free(next);
}

static void replace_run(dry_run_options *run, const dry_run_options *by) {
    double *const to[] = {&run->until,    &run->step,      &run->record, &run->rtol, &run->atol,
                          &run->max_step, &run->max_steps, &run->P,      &run->Q,    &run->weight};
    const double from[] = {by->until,    by->step,      by->record, by->rtol, by->atol,
                           by->max_step, by->max_steps, by->P,      by->Q,    by->weight};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if (from[i] != 0.0) *to[i] = from[i];
    if (by->method) run->method = by->method;
}

/* The run of the text, and what the caller has in place of it. */
static void set_run(dry_elab *elab) {
    if (elab->options->unstepped) {
        if (!(elab->run.record > 0.0)) elab->run.record = elab->run.step;
        elab->run.step = 0.0;
    }
    replace_run(&elab->run, &elab->options->run);
}

static void front(dry_model *model) {
    dry_elab *elab = &model->elab;
    model->tokens = dry_syntax_lex(model->text, model->length, &model->diag);
    elab->tree = dry_syntax_parse(model->tokens, model->text, dry_lang_is_reserved, &model->diag);
    if (elab->tree.cut) return;
    elab->tree = dry_syntax_spread(elab->tree, dry_lang_is_reserved, &model->diag);
    dry_lang_note_sources(elab);
    if (elab->tree.cut) return;
    static void (*const stages[])(dry_elab *) = {
        dry_lang_collect, dry_lang_params,  dry_lang_tables,      dry_lang_states,
        dry_lang_sizes,   dry_lang_parts,   dry_lang_equations,   dry_lang_pushes,
        dry_lang_samples, dry_lang_outputs, dry_lang_measures,    dry_lang_measured,
        set_run,          dry_lang_delays,  dry_lang_bind_outers, dry_lang_setting_dims};
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !ran_out(model); i++) stages[i](elab);
    if (elab->scene.net_system && !ran_out(model)) dry_check_idle(elab);
    dry_lang_check_inputs(elab);
    dry_lang_check_method(elab);
    dry_lang_check_run(elab);
}

static void check_start_rates(const dry_model *model) {
    const dry_subject subject = dry_model__subject(model);
    dry_check_start_rates(&subject);
}

/* Whether a node that is marked belongs to a force whose set is kept: its law is not computed. */
static bool reads(const dry_model *model, const unsigned char *mark, const dry_force *force) {
    const dry_elab *elab = &model->elab;
    if (force->block >= 0 && mark[force->block]) return true;
    for (dry_node i = 0; i < dry_dag_count(elab->dag); i++) {
        const dry_node_view v = dry_dag_view(elab->dag, i);
        const int own = v.index - force->state;
        if (mark[i] && v.op == DRY_OP_STATE && own >= 0 && own < force->n_states) return true;
    }
    return false;
}

static void check_stop(dry_model *model, const dry_stop_info *stop, unsigned char *mark) {
    const dry_elab *elab = &model->elab;
    memset(mark, 0, (size_t)dry_dag_count(elab->dag));
    dry_dag_reach(elab->dag, stop->node, mark);
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (!dry_model__is_kept(force) || !reads(model, mark, force)) continue;
        DRY_SAY(elab->diag, stop->at, STOP_FORCE, force->name, elab->run.method->name);
        return;
    }
}

/* What ends a run reads states and the time; with sets kept, no forces. */
static void check_stops(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const size_t n = (size_t)dry_dag_count(elab->dag) + 1;
    unsigned char *mark = elab->results.n_stops ? dry_heap_take(elab->arena, n, 1) : NULL;
    for (int i = 0; mark && i < elab->results.n_stops; i++)
        check_stop(model, &elab->results.stop[i], mark);
    free(mark);
}

/* Builds the model with its sets kept, for the rigid schemes: there is no K, and nothing to
 * choose. */
static void back_rigid(dry_model *model) {
    if (model->elab.scene.net) {
        DRY_SAY(&model->diag, dry_lang_run_place(&model->elab), PARTS_RIGID,
                model->elab.run.method->name);
        return;
    }
    check_stops(model);
    dry_model__inclusion(model);
    if (clean(model)) check_start_rates(model);
    if (clean(model)) dry_model__check_equation_step(model);
}

/* Models with parts have their own check 6; check 8 is for equations alone. */
static void check_step(dry_model *model) {
    check_start_rates(model);
    if (!clean(model)) return;
    if (model->elab.scene.net) {
        dry_check_overlaps(&model->elab);
        dry_check_breaches(&model->elab);
        dry_model__check_part_step(model);
        if (clean(model)) dry_check_softness(&model->elab);
        return;
    }
    dry_model__find_chosen(model);
    dry_model__check_equation_step(model);
    if (clean(model)) dry_check_resonance(&model->elab);
    const dry_method *method = model->elab.run.method;
    const bool asked = model->elab.options->jacobian;
    if (asked || (method && method == dry_stiff_method_find(method->name)))
        dry_model__jacobian(model);
}

/* Runs checks 2 to 5, and stores their results about the forces in the model. */
static void check_wellposed(dry_model *model) {
    dry_elab *elab = &model->elab;
    dry_wellposed found;
    dry_check_wellposed(elab, &found);
    for (int i = 0; found.mass && i < elab->quantities.n_forces; i++) {
        elab->quantities.force[i].design.mass = found.mass[i].mass;
        elab->quantities.force[i].design.inverse_mass = found.mass[i].inverse_mass;
    }
    for (int i = 0; i < found.n_guards; i++) {
        dry_guard_info *info = DRY_GROW(elab->arena, &elab->quantities, guard);
        if (info) *info = found.guard[i];
    }
    dry_wellposed_free(&found);
}

static void back(dry_model *model) {
    resolve(model);
    if (clean(model)) decide_jumps(model);
    if (!clean(model)) return;
    if (model->elab.scene.net) dry_design_parts(&model->elab);
    check_wellposed(model);
    if (!clean(model)) return;
    dry_check_masses(&model->elab);
    dry_check_selections(&model->elab);
    const bool rigid = dry_lang_keeps_sets(&model->elab);
    if (!rigid) dry_design_forces(&model->elab);
    if (!rigid) dry_check_low_restitution(&model->elab);
    if (!rigid && clean(model)) dry_design_follow_mass(&model->elab);
    if (!clean(model) || !dry_model__build(model)) return;
    dry_model__check_steady(model);
    if (rigid)
        back_rigid(model);
    else
        check_step(model);
}

static void say_exhausted(dry_model *model) {
    if (dry_dag_failed(model->elab.dag) && !model->diag.n_errors)
        DRY_SAY(&model->diag, (dry_place){0}, TOO_LARGE, "");
}

static const dry_model_options no_options = {0};

static dry_model *begin(const char *file, const char *text, size_t length,
                        const dry_model_options *options) {
    dry_arena *arena = dry_arena_new(most_memory);
    dry_model *model = arena ? dry_arena_take(arena, sizeof *model) : NULL;
    if (!model) {
        dry_arena_free(arena);
        return NULL;
    }
    model->arena = arena;
    model->file = dry_arena_text(arena, file ? file : "", strlen(file ? file : ""));
    model->text = dry_arena_text(arena, text, length);
    model->length = length;
    model->diag.arena = arena;
    model->fastest = (double)NAN;
    model->largest_step = (double)INFINITY;
    dry_elab *elab = &model->elab;
    if (model->file && model->text)
        (void)dry_diag_add_source(&model->diag, model->file, model->text, length);
    elab->arena = arena;
    elab->dims = dry_arena_take(arena, sizeof *elab->dims);
    if (elab->dims) elab->dims->arena = arena;
    elab->diag = &model->diag;
    elab->scope.evaluate = dry_lang_evaluate;
    elab->scene.choose = dry_design_net;
    elab->name = "model"; /* default if the text does not name it */
    elab->options = options ? options : &no_options;
    elab->run.force = elab->options->force;
    elab->resolving = (double)INFINITY;
    elab->scope.most_nodes =
        elab->options->most_nodes > 0 ? elab->options->most_nodes : DRY_MODEL_MOST_NODES;
    elab->dag = dry_dag_new(arena, elab->scope.most_nodes);
    if (elab->dag && elab->dims && model->diag.source) return model;
    dry_model_free(model);
    return NULL;
}

dry_model *dry_model_compile(const char *file, const char *text, size_t length,
                             const dry_model_options *options) {
    bool fits = length <= DRY_MODEL_MOST_BYTES;
    dry_model *model = begin(file, fits ? text : "", fits ? length : 0, options);
    if (!model) return NULL;
    if (!fits) DRY_SAY(&model->diag, (dry_place){0}, FILE_TOO_LARGE, "");
    front(model);
    if (clean(model)) back(model);
    say_exhausted(model);
    dry_diag_sort(&model->diag);
    dry_lang_leave_start(&model->elab);
    model->ok = clean(model) && model->code.image;
    if (model->ok) dry_model__structural(model);
    model->choose_step = dry_design_time_scale(&model->elab);
    model->elab.options = &no_options; /* the caller's options are valid only during the call */
    if (!ran_out(model)) return model;
    dry_model_free(model); /* its messages would be about what is missing */
    return NULL;
}

void dry_model_free(dry_model *model) {
    if (!model) return;
    dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->names.n_symbols; i++) free((void *)elab->names.symbol[i].more);
    free(elab->names.symbol);
    free(elab->names.hash);
    free(elab->quantities.param);
    free(elab->quantities.par_value);
    free(elab->quantities.state);
    free(elab->quantities.force);
    free(elab->quantities.force_by_node);
    free(elab->results.output);
    free(elab->results.reducer);
    free(elab->results.measure);
    free(elab->results.expect);
    free(elab->results.plot);
    free(elab->results.stop);
    free(elab->results.against);
    free(elab->results.freed);
    free(elab->results.steady);
    free(elab->results.settled);
    free(elab->quantities.guard);
    free(elab->quantities.sampling.held);
    free(elab->quantities.sampling.clock);
    free(elab->quantities.sampling.offset);
    free(elab->quantities.sampling.delay);
    free(elab->quantities.sampling.line);
    free(elab->quantities.selection);
    free(elab->quantities.ref);
    free(elab->quantities.ref_at);
    dry_lang_free_parts(elab);
    dry_dims_free(elab->dims);
    dry_image_free(model->code.image);
    dry_image_free(model->kept.image);
    dry_image_free(model->jacobian_image);
    dry_dag_free(elab->dag);
    for (int i = 0; i < DRY_N_SECTIONS; i++) free(model->code.roots[i]);
    free(model->code.latched);
    free(model->code.quick);
    free((void *)model->code.break_table);
    dry_arena_free(model->arena);
}

/* ---- messages ----------------------------------------------------------------------------------
 */

bool dry_model_failed(const dry_model *model) { return ran_out(model); }
bool dry_model_ok(const dry_model *model) { return model->ok; }
int dry_model_messages(const dry_model *model) { return model->diag.n_said; }

dry_message dry_model_message(const dry_model *model, int index) {
    const dry_diagnostic *said = &model->diag.said[index];
    dry_severity severity = dry_diag_severity(said->id);
    return (dry_message){severity == DRY_SAY_ERROR     ? DRY_ERROR
                         : severity == DRY_SAY_WARNING ? DRY_WARNING
                                                       : DRY_NOTE,
                         dry_diag_word(said->id),
                         said->at.line,
                         said->at.column,
                         said->at.length,
                         said->text,
                         said->way_out,
                         model->diag.source[said->at.file].path,
                         said->instead};
}

/* Replaces tabs by blanks, so that the caret is in the right column, and also replaces the control
 * characters of a terminal. */
static char printed(char c) { return (unsigned char)c < 32 || c == 127 ? ' ' : c; }

/* Prints the source line and a caret. */
static void print_line(const dry_model *model, int index, const dry_message *m, FILE *stream) {
    const char *line = model->diag.source[model->diag.said[index].at.file].text;
    for (int i = 1; i < m->line && line; i++) {
        line = strchr(line, '\n');
        if (line) line++;
    }
    if (!line) return;
    int length = (int)strcspn(line, "\r\n");
    fprintf(stream, "%5d | ", m->line);
    for (int i = 0; i < length && i < 400; i++) fputc(printed(line[i]), stream);
    fprintf(stream, "\n      | %*s", m->column - 1 > 400 ? 400 : m->column - 1, "");
    for (int i = 0; i < (m->length > 1 ? m->length : 1) && i < 80; i++) fputc('^', stream);
    fputc('\n', stream);
}

void dry_model_print_message(const dry_model *model, int index, FILE *stream, bool colour) {
    static const char *const words[] = {"note", "warning", "error"};
    static const char *const colours[] = {"\033[36m", "\033[33m", "\033[31m"};
    dry_message m = dry_model_message(model, index);
    fprintf(stream, "%s", m.file);
    if (m.line) fprintf(stream, ":%d:%d", m.line, m.column);
    fprintf(stream, ": %s%s:%s %s [%s]\n", colour ? colours[m.kind] : "", words[m.kind],
            colour ? "\033[0m" : "", m.text, m.word);
    if (m.line) print_line(model, index, &m, stream);
    if (m.way_out[0]) fprintf(stream, "      = %s\n", m.way_out);
}

/* ---- what was compiled ------------------------------------------------------------- */

const char *dry_model_name(const dry_model *model) { return model->elab.name; }
const char *dry_model_title(const dry_model *model) {
    return model->elab.title ? model->elab.title : dry_model_name(model);
}
const char *dry_model_text(const dry_model *model, size_t *length) {
    if (length) *length = model->length;
    return model->text;
}
const char *dry_model_path(const dry_model *model) { return model->file; }
const char *dry_model_included(const dry_model *model, int index, const char **path) {
    const dry_diagnostics *diag = &model->diag;
    for (int i = 1; i < diag->n_sources; i++) {
        bool again = false; /* a file that is included twice is read twice */
        for (int k = 1; k < i; k++)
            again = again || !strcmp(diag->source[i].path, diag->source[k].path);
        if (again || index-- > 0) continue;
        *path = diag->source[i].path;
        return diag->source[i].text;
    }
    return NULL;
}
const char *dry_model_file(const dry_model *model, int index) {
    const dry_named_file *file = model->elab.scene.files;
    while (file && index-- > 0) file = file->next;
    return file ? file->path : NULL;
}
const dry_system *dry_model_system(const dry_model *model) { return &model->system; }
int dry_model_own_states(const dry_model *model) { return model->n_own; }
int dry_model_own_state(const dry_model *model, int index) { return model->own[index]; }
const dry_net *dry_model_net(const dry_model *model) { return model->elab.scene.net; }
const dry_inclusion *dry_model_inclusion(const dry_model *model) {
    return model->kept.image ? &model->kept.inclusion : NULL;
}
dry_run_options dry_model_run(const dry_model *model) { return model->elab.run; }
bool dry_model_output_shown(const dry_model *model, int output) {
    return output >= model->elab.results.n_outputs || !model->elab.results.output[output].hidden;
}
const char *dry_model_watch_text(const dry_model *model, int watch) {
    const dry_elab *elab = &model->elab;
    const int guards = elab->quantities.n_guards, own = guards + elab->results.n_stops;
    const char *text = NULL;
    if (watch >= 1 && watch <= guards)
        text = elab->quantities.guard[watch - 1].text;
    else if (watch >= 1 && watch <= own)
        text = elab->results.stop[watch - 1 - guards].text;
    else if (elab->scene.net)
        text = dry_net_watch_text(elab->scene.net, watch - own);
    return text ? text : "";
}
double dry_model_fastest_mode(const dry_model *model) { return model->fastest; }
double dry_model_largest_step(const dry_model *model) { return model->largest_step; }
double dry_model_choose_step(const dry_model *model) { return model->choose_step; }
int dry_model_sets(const dry_model *model) { return model->elab.quantities.n_forces; }
int dry_model_delays(const dry_model *model) { return model->elab.quantities.sampling.n_lines; }
int dry_model_panels(const dry_model *model) { return model->elab.results.n_plots; }
dry_model_panel dry_model_panel_at(const dry_model *model, int index) {
    return model->panel[index];
}
int dry_model_measures(const dry_model *model) { return model->elab.results.n_measures; }
int dry_model_expects(const dry_model *model) { return model->elab.results.n_expects; }

int dry_model_againsts(const dry_model *model) { return model->elab.results.n_againsts; }
int dry_model_steady(const dry_model *model, int index) {
    const dry_results *results = &model->elab.results;
    return index >= 0 && index < results->n_settleds ? results->settled[index] : -1;
}

int dry_model_freeds(const dry_model *model) { return model->elab.results.n_freeds; }

dry_against dry_model_against(const dry_model *model, int index) {
    const dry_against_info *info = &model->elab.results.against[index];
    return (dry_against){.name = info->name,
                         .unit = model->system.outputs[info->output].unit,
                         .file = info->file,
                         .column = info->column,
                         .output = info->output,
                         .t = info->t,
                         .y = info->y,
                         .n = (size_t)info->n,
                         .from = info->from,
                         .to = info->to,
                         .weight = info->weight,
                         .lag = info->lag,
                         .hold = info->hold};
}

dry_freed dry_model_freed(const dry_model *model, int index) {
    const dry_freed_info *info = &model->elab.results.freed[index];
    return (dry_freed){.name = info->name,
                       .low = info->low,
                       .high = info->high,
                       .start = info->how & DRY_FREE_START,
                       .log = info->how & DRY_FREE_LOG,
                       .own = info->how & DRY_FREE_OWN};
}

/* The letters K, alpha and beta of an element are its own parameters. In some laws alpha and beta
 * are not times; these do not count. */
static double set_value(const dry_elab *elab, const dry_force *force, const char *name) {
    const int row = dry_law_par_find(force->law, name);
    const bool known = row >= 0 && (name[0] == 'K' || !strcmp(force->law->params[row].unit, "s"));
    return known && force->set ? dry_lang_law_value(elab, force, name) : (double)NAN;
}

static bool has_key(const dry_expr *call, const char *name) {
    bool found = false;
    for (int i = 0; i < call->n_keys; i++) found = found || !strcmp(call->key[i].name, name);
    return found;
}

/* Returns the law call in the text: that of an element, or that of `with law = ...`; NULL if there
 * is none. */
static const dry_expr *law_call(const dry_force *force) {
    const dry_stmt *stmt = force->stmt;
    if (!force->set) return stmt->value;
    for (int i = 0; i < stmt->n_keys; i++)
        if (!strcmp(stmt->key[i].name, "law")) return stmt->key[i].value;
    return NULL;
}

/* Returns whether the text gives its law the numbers that the set shows, or all parameters if the
 * set shows none. */
static const char *law_origin(const dry_expr *call, const dry_law *law, const dry_set_info *set) {
    static const char *const names[] = {"K", "beta", "alpha"};
    const double values[] = {set->K, set->beta, set->alpha};
    int shown = 0, given = 0;
    for (int i = 0; i < 3; i++) {
        shown += !isnan(values[i]);
        given += !isnan(values[i]) && has_key(call, names[i]);
    }
    if (!shown) shown = law->n_params, given = call->n_keys;
    return given == shown ? "given"
           : given        ? "given in part, otherwise the law's defaults"
                          : "the law's defaults";
}

/* If its set is kept, a force has no K, and a contact has Newton's restitution. */
static dry_set_info kept_set(const dry_elab *elab, const dry_force *force, dry_set_info set) {
    const bool contact = dry_lang_is_contact(force);
    set.K = set.beta = set.alpha = (double)NAN;
    set.chosen = !contact                            ? "the set itself"
                 : force->design.restitution_given   ? "given"
                 : force->design.choice == DRY_GIVEN ? "from K, alpha, beta and the effective mass"
                                                     : "the default";
    if (contact) set.restitution = dry_design_restitution(elab, force);
    return set;
}

static const char *chosen_from(const dry_force *force) {
    static const char *const how[][2] = {
        [DRY_GIVEN] = {"given", ""},
        [DRY_CHOSEN_FROM_STEP] = {"from the step and the effective mass",
                                  "from the step and the effective mass, which it follows"},
        [DRY_CHOSEN_FROM_K] = {"from K and the effective mass", ""},
        [DRY_CHOSEN_FROM_BETA] = {"from beta and the effective mass",
                                  "from beta and the effective mass, which it follows"},
        [DRY_CHOSEN_FROM_DEPTH] = {"from depth, speed and the effective mass",
                                   "from depth, speed and the effective mass, which it follows"},
        [DRY_CHOSEN_FROM_DURATION] = {"from the duration and the effective mass",
                                      "from the duration and the effective mass, which it follows"},
    };
    return how[force->design.choice][force->design.follows];
}

/* An element chosen from the step is meant for the method's own steps. */
static double restitution_of(const dry_model *model, const dry_force *force,
                             const dry_set_info *set) {
    if (!dry_lang_is_contact(force) || !dry_model__is_kept(force) || isnan(set->mass))
        return (double)NAN;
    const dry_contact_choice contact = {.K = set->K, .alpha = set->alpha, .beta = set->beta};
    const dry_method *method = dry_lang_method_row(&model->elab);
    return force->design.choice == DRY_CHOSEN_FROM_STEP && method->fixed
               ? dry_contact_rebound(&contact, method, set->mass, model->choose_step)
               : dry_contact_restitution(&contact, set->mass);
}

dry_set_info dry_model_set(const dry_model *model, int index) {
    const dry_force *force = &model->elab.quantities.force[index];
    dry_set_info set = {
        .name = force->name,
        .set = force->set,
        .law = force->law,
        .plain = dry_lang_is_plain(force),
        .dim = force->dim,
        .K = set_value(&model->elab, force, "K"),
        .beta = set_value(&model->elab, force, "beta"),
        .alpha = set_value(&model->elab, force, "alpha"),
        .mass = force->design.mass,
        .chosen = chosen_from(force),
        .state = force->n_states > 0 && !model->kept.image ? force->state : -1,
        .is_chosen = force->set && force->design.choice != DRY_GIVEN && !model->kept.image,
        .from_step = force->design.choice == DRY_CHOSEN_FROM_STEP && !model->kept.image,
        .quickens = force->law->quickens,
        .unit = model->give_unit[index].way,
        .K_unit = model->give_unit[index].K};
    const dry_expr *call = law_call(force);
    if (call && !dry_model__is_kept(force)) set.chosen = law_origin(call, force->law, &set);
    set.restitution = restitution_of(model, force, &set);
    return model->kept.image && dry_model__is_kept(force) ? kept_set(&model->elab, force, set)
                                                          : set;
}
