/* tables: the results of a run, check by check, and its settings. */
#include "report_private.h"

#include <math.h>
#include <string.h>

static void open_section(const char *id, const char *title, FILE *stream) {
    fprintf(stream, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

static void open_table(const char *heads, FILE *stream) {
    fprintf(stream, "<div class=\"wide\"><table>\n<thead><tr>%s</tr></thead>\n<tbody>\n", heads);
}

/* On a narrow page its rows are blocks, and each cell says what it is: its data-head. */
static void open_stack(const char *heads, FILE *stream) {
    fprintf(stream,
            "<div class=\"wide\"><table class=\"stack\">\n<thead><tr>%s</tr></thead>\n<tbody>\n",
            heads);
}

static void close_table(FILE *stream) { fputs("</tbody></table></div></section>\n", stream); }

static void put_value(double x, const char *unit, FILE *stream) {
    dry_report__number(x, 7, stream);
    if (!unit || !*unit) return;
    fputs(" <span class=\"unit\">", stream);
    dry_report__unit(unit, stream);
    fputs("</span>", stream);
}

/* ---- expectations
 * -------------------------------------------------------------------------------- */

static void put_expectation(const dry_card *card, const dry_expected *e, FILE *stream) {
    dry_report__put(stream, "<tr class=\"%s\"><td><code>%s</code>", e->met ? "met" : "missed",
                    e->source);
    dry_report__remark(card->model, e->line, stream);
    fputs("</td><td class=\"number\">", stream);
    if (isnan(e->target))
        fputs(e->met ? "holds" : "does not hold", stream);
    else
        dry_report__number(e->value, 9, stream);
    fprintf(stream, "</td><td class=\"mark\">%s</td></tr>\n", e->met ? "✓ met" : "✗ not met");
}

void dry_report__expectations(const dry_card *card, FILE *stream) {
    const int n = dry_model_expects(card->model);
    if (!n || !card->expected) return;
    open_section("expectations", "Our checks, and what came out", stream);
    open_table("<th>check</th><th class=\"number\">ours</th><th></th>", stream);
    for (int i = 0; i < n; i++) {
        dry_report__heading(card->model, card->expected[i].line,
                            "<tr class=\"why\"><td colspan=\"3\">", "</td></tr>\n", stream);
        put_expectation(card, &card->expected[i], stream);
    }
    close_table(stream);
}

/* ---- numbers
 * ------------------------------------------------------------------------------------- */

/* The text after the = of `measure name = how`. */
static const char *how_of(const dry_measured *m) {
    const char *equals = strchr(m->source, '=');
    return equals ? equals + 1 + strspn(equals + 1, " ") : m->source;
}

void dry_report__measures(const dry_card *card, FILE *stream) {
    const int n = dry_model_measures(card->model);
    if (!n || !card->measured) return;
    open_section("measures", "Measures", stream);
    open_table("<th>measure</th><th class=\"number\">value</th>", stream);
    for (int i = 0; i < n; i++) {
        dry_report__put(
            stream,
            "<tr><td><code>%s</code><code class=\"remark\">%s</code></td><td class=\"number\">",
            card->measured[i].name, how_of(&card->measured[i]));
        put_value(card->measured[i].value, card->measured[i].unit, stream);
        fputs("</td></tr>\n", stream);
    }
    close_table(stream);
}

/* Prints the verdict of the watch, or of --verify, and the elements that yield. */
static bool put_word_of(const dry_card *card, FILE *stream) {
    const dry_watch_verdict *watched = card->watched;
    const char *text = card->verdict ? card->verdict : watched ? watched->text : "";
    if (!*text && !card->n_estimates) return false;
    open_section("verified", "How far it can be trusted", stream);
    dry_report__put(stream, "<p>%s</p>\n", text);
    for (int i = 0; watched && i < watched->n_gives; i++) {
        char line[300];
        dry_watch_give_text(&watched->gives[i], line, sizeof line);
        dry_report__put(stream, "<p>%s</p>\n", line);
    }
    if (watched && *watched->chosen_text)
        dry_report__put(stream, "<p>%s</p>\n", watched->chosen_text);
    return true;
}

void dry_report__estimates(const dry_card *card, FILE *stream) {
    const bool opened = put_word_of(card, stream);
    if (!card->n_estimates) {
        if (opened) fputs("</section>\n", stream);
        return;
    }
    open_table("<th>at the end</th><th class=\"number\">value</th><th "
               "class=\"number\">estimated error</th>",
               stream);
    for (int i = 0; i < card->n_estimates; i++) {
        const dry_estimate *e = &card->estimates[i];
        dry_report__put(stream, "<tr><td><code>%s</code></td><td class=\"number\">", e->name);
        put_value(e->value, e->unit, stream);
        fputs("</td><td class=\"number\">± ", stream);
        dry_report__number(e->error, 2, stream);
        fputs("</td></tr>\n", stream);
    }
    close_table(stream);
}

/* ---- what it was made with
 * ------------------------------------------------------------------------ */

enum { MOST_PARAMETERS = 80 };

/* The range that the text allows, in the unit of the value. */
static void put_range(const dry_model *model, int par, FILE *stream) {
    double range[2];
    if (!dry_model_par_range(model, par, range)) return;
    fprintf(stream, " <span class=\"unit\">in %.6g .. %.6g</span>", range[0], range[1]);
}

static void put_parameter(const dry_model *model, int par, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const char *instead = dry_model_par_not_given(model, par);
    if (instead) {
        dry_report__put(stream, "not given: %s", instead);
        return;
    }
    put_value(system->par[par], system->params[par].unit, stream);
    put_range(model, par, stream);
}

/* Those that can be set. */
void dry_report__parameters(const dry_card *card, FILE *stream) {
    const dry_system *system = dry_model_system(card->model);
    char name[256];
    int shown = 0;
    for (int i = 0; i < system->n_par; i++)
        shown += dry_model_par_setting(card->model, i, name, sizeof name);
    if (!shown) return;
    open_section("parameters", "Parameters", stream);
    fputs("<dl class=\"values\">\n", stream);
    int left = shown;
    for (int i = 0; i < system->n_par && shown - left < MOST_PARAMETERS; i++) {
        if (!dry_model_par_setting(card->model, i, name, sizeof name)) continue;
        left--;
        dry_report__put(stream, "<div><dt>%s</dt><dd>", name);
        put_parameter(card->model, i, stream);
        fputs("</dd></div>\n", stream);
    }
    fputs("</dl>\n", stream);
    if (left) fprintf(stream, "<p class=\"note\">and %d more</p>\n", left);
    fputs("</section>\n", stream);
}

static void put_optional(const char *head, double x, const char *unit, FILE *stream) {
    dry_report__put(stream, "<td class=\"number\" data-head=\"%s\">", head);
    if (!isnan(x)) put_value(x, unit, stream);
    fputs("</td>", stream);
}

static void put_force(const dry_set_info *set, FILE *stream) {
    dry_report__put(
        stream,
        "<tr><td><code>%s</code></td><td data-head=\"set\">%s</td><td data-head=\"law\"><code>"
        "%s</code></td>",
        set->name, set->set ? set->set->name : "no set", set->law->name);
    put_optional("K", set->K, set->K_unit, stream);
    put_optional("β", set->beta, "s", stream);
    put_optional("α", set->alpha, "s", stream);
    put_optional("effective mass", set->mass, "", stream);
    dry_report__put(stream, "<td data-head=\"chosen\">%s</td></tr>\n", set->chosen);
}

/* The equations of the laws besides the two that the derived equations write out. */
static void put_laws(const dry_model *model, FILE *stream) {
    const int n = dry_model_sets(model);
    for (int i = 0; i < n; i++) {
        const dry_law *law = dry_model_set(model, i).law;
        bool said = law->resolvent != DRY_RESOLVENT_NONE;
        for (int k = 0; k < i && !said; k++) said = dry_model_set(model, k).law == law;
        if (said) continue;
        dry_report__put(
            stream,
            "<p class=\"law\"><code>%s</code>: %s (%s)</p><pre class=\"display\">%s</pre>\n",
            law->name, law->title, law->paper, law->equation);
    }
}

bool dry_report__keeps_sets(const dry_card *card) {
    return dry_model_sets(card->model) && card->run.method &&
           card->run.method->takes & DRY_TAKES_SETS;
}

enum { MOST_FORCES = 24 };

void dry_report__forces(const dry_card *card, FILE *stream) {
    const int n = dry_model_sets(card->model);
    if (!n) return;
    const bool kept = dry_report__keeps_sets(card);
    open_section("forces", "Set-valued forces and laws", stream);
    if (!kept) put_laws(card->model, stream);
    if (kept)
        open_table("<th>force</th><th>set</th>", stream);
    else
        open_stack(
            "<th>force</th><th>set</th><th>law</th><th class=\"number\">K</th><th "
            "class=\"number\">β</th><th class=\"number\">α</th><th class=\"number\">effective "
            "mass</th><th>chosen</th>",
            stream);
    for (int i = 0; i < n && i < MOST_FORCES; i++) {
        const dry_set_info set = dry_model_set(card->model, i);
        if (kept)
            dry_report__put(stream, "<tr><td><code>%s</code></td><td>%s</td></tr>\n", set.name,
                            set.set ? set.set->name : "no set");
        else
            put_force(&set, stream);
    }
    if (n > MOST_FORCES)
        fprintf(stream, "<tr><td colspan=\"8\">and %d more</td></tr>\n", n - MOST_FORCES);
    close_table(stream);
}
