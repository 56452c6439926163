/* fit_tables: parameters with intervals, outputs, correlation and the ranking of a fit. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>

static void open_table(const char *id, const char *title, const char *heads, FILE *stream) {
    fprintf(stream,
            "<section id=\"%s\"><h2>%s</h2>\n<div class=\"wide\"><table>\n<thead><tr>%s</tr>"
            "</thead>\n<tbody>\n",
            id, title, heads);
}

static void close_table(FILE *stream) { fputs("</tbody></table></div></section>\n", stream); }

static void put_number(double x, int digits, FILE *stream) {
    fputs("<td class=\"number\">", stream);
    if (!isnan(x)) dry_report__number(x, digits, stream);
    fputs("</td>", stream);
}

static void put_with_unit(double x, int digits, const char *unit, FILE *stream) {
    fputs("<td class=\"number\">", stream);
    if (!isnan(x)) {
        dry_report__number(x, digits, stream);
        if (*unit) {
            fputs(" <span class=\"unit\">", stream);
            dry_report__unit(unit, stream);
            fputs("</span>", stream);
        }
    }
    fputs("</td>", stream);
}

static void put_percent(double part, FILE *stream) {
    fputs("<td class=\"number\">", stream);
    if (!isnan(part)) {
        dry_report__number(100.0 * part, 3, stream);
        fputs(" %", stream);
    }
    fputs("</td>", stream);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

/* So many digits that the deviation has two of them. */
static int digits_of(const dry_fit_parameter *p) {
    if (!(p->deviation > 0.0) || !isfinite(p->deviation) || p->value == 0.0) return 6;
    const double digits = ceil(log10(fabs(p->value) / p->deviation)) + 2.0;
    return (int)fmax(2.0, fmin(12.0, digits));
}

static void put_name(const dry_fit_result *r, const dry_fit_parameter *p, FILE *stream) {
    dry_report__put(stream, "<td><code>%s</code>", p->name);
    if (p->record >= 0 && r->n_records > 1) fprintf(stream, " of record %d", p->record + 1);
    fputs("</td>", stream);
}

static void put_interval(const dry_fit_parameter *p, FILE *stream) {
    const int digits = digits_of(p) + 1;
    fputs("<td class=\"number\">", stream);
    if (isfinite(p->interval[0]) || isfinite(p->interval[1])) {
        dry_report__number(p->interval[0], digits, stream);
        fputs(" … ", stream);
        dry_report__number(p->interval[1], digits, stream);
    } else
        fputs("none", stream);
    fputs("</td>", stream);
}

static void put_note(const dry_fit_parameter *p, FILE *stream) {
    fputs("<td>", stream);
    if (p->no_effect) fputs("without effect", stream);
    if (p->at_low) fputs("at its lower bound, where the interval begins", stream);
    if (p->at_high) fputs("at its upper bound, where the interval ends", stream);
    if (p->why) dry_report__put(stream, "<span class=\"note\">by differences: %s</span>", p->why);
    fputs("</td></tr>\n", stream);
}

void dry_report__fit_parameters(const fit_sheet *s, FILE *stream) {
    const dry_fit_result *r = s->result;
    open_table("parameters", "Parameters",
               "<th>parameter</th><th class=\"number\">value</th><th class=\"number\">95 % "
               "interval</th><th class=\"number\">widened by</th><th class=\"number\">began "
               "at</th><th></th>",
               stream);
    for (int j = 0; j < r->n_parameters; j++) {
        const dry_fit_parameter *p = &r->parameters[j];
        fputs("<tr>", stream);
        put_name(r, p, stream);
        put_with_unit(p->value, digits_of(p), p->unit, stream);
        put_interval(p, stream);
        put_number(p->plain > 0.0 && isfinite(p->plain) ? p->deviation / p->plain : (double)NAN, 3,
                   stream);
        put_number(p->start, 4, stream);
        put_note(p, stream);
    }
    fputs("</tbody></table></div>\n<p class=\"note\">Intervals are wider where residuals depend "
          "on those before them. Condition of the scaled Jacobian: ",
          stream);
    dry_report__number(r->stats.condition, 3, stream);
    fputs(".</p></section>\n", stream);
}

/* ---- outputs ------------------------------------------------------------------------------------
 */

static void put_delay(const dry_fit_look *look, FILE *stream) {
    fputs("<td class=\"number\">", stream);
    if (!isnan(look->delay)) {
        dry_report__number(1e3 * look->delay, 3, stream);
        fputs(" ± ", stream);
        dry_report__number(2e3 * look->delay_deviation, 2, stream);
        fputs(" ms", stream);
    }
    fputs("</td>", stream);
}

static void put_output(const dry_fit_output *o, const dry_fit_look *look, bool several,
                       FILE *stream) {
    dry_report__put(stream, "<tr><td><code>%s</code>", o->name);
    if (several) fprintf(stream, " of record %d", o->record + 1);
    if (o->file)
        dry_report__put(stream, "<code class=\"remark\">%s of %s</code>", o->column, o->file);
    fputs("</td>", stream);
    put_with_unit(o->train.rms, 3, o->unit, stream);
    put_percent(o->train.rows ? o->train.fraction : (double)NAN, stream);
    put_percent(o->hold.rows ? o->hold.fraction : (double)NAN, stream);
    const double unrepeated =
        o->train.rms > 0.0 ? look->unrepeated / o->train.rms * o->train.fraction : 0.0;
    put_percent(unrepeated, stream);
    put_number((double)o->train.rows, 7, stream);
    put_number(look->effective, 3, stream);
    put_delay(look, stream);
    put_percent(o->train.rms > 0.0 ? look->finer_rms / o->train.rms * o->train.fraction
                                   : (double)NAN,
                stream);
    fputs("</tr>\n", stream);
}

void dry_report__fit_outputs(const fit_sheet *s, FILE *stream) {
    const dry_fit_result *r = s->result;
    open_table(
        "outputs", "Residuals",
        "<th>output</th><th class=\"number\">rms</th><th class=\"number\">fitted</th><th "
        "class=\"number\">held out</th><th class=\"number\">does not repeat</th><th "
        "class=\"number\">rows</th><th class=\"number\">independent</th><th "
        "class=\"number\">measured comes later by</th><th class=\"number\">with half the step</th>",
        stream);
    for (int k = 0; k < r->n_outputs; k++)
        put_output(&r->outputs[k], &r->stats.look[k], r->n_records > 1, stream);
    fputs(
        "</tbody></table></div>\n<p class=\"note\">Per cent are of the rms of what was measured. "
        "Where the input repeats, no model of "
        "the input comes below what does not repeat. With half the step (an adaptive method: with "
        "a tenth of the tolerances) the parameters follow to first order.</p></section>\n",
        stream);
}

/* ---- correlation --------------------------------------------------------------------------------
 */

enum { MOST = 24 };

static void put_correlation(double c, FILE *stream) {
    if (isnan(c)) {
        fputs("<td class=\"number\"></td>", stream);
        return;
    }
    fprintf(stream,
            "<td class=\"number\" style=\"background: color-mix(in srgb, var(--%s) %.0f%%, "
            "transparent)\">",
            c < 0.0 ? "c1" : "c0", 55.0 * fabs(c));
    dry_report__number(round(100.0 * c) / 100.0, 2, stream);
    fputs("</td>", stream);
}

void dry_report__fit_correlation(const fit_sheet *s, FILE *stream) {
    const dry_fit_result *r = s->result;
    const int n = r->n_parameters < MOST ? r->n_parameters : MOST;
    if (n < 2) return;
    fputs("<section id=\"correlation\"><h2>Correlation of the parameters</h2>\n<div "
          "class=\"wide\"><table>\n<thead><tr><th></th>",
          stream);
    for (int j = 0; j < n; j++)
        dry_report__put(stream, "<th class=\"number\"><code>%s</code></th>", r->parameters[j].name);
    fputs("</tr></thead>\n<tbody>\n", stream);
    for (int i = 0; i < n; i++) {
        dry_report__put(stream, "<tr><td><code>%s</code></td>", r->parameters[i].name);
        for (int j = 0; j < n; j++)
            put_correlation(r->stats.correlation[i * r->n_parameters + j], stream);
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
    if (n < r->n_parameters)
        fprintf(stream, "<p class=\"note\">and %d more</p>\n", r->n_parameters - n);
    fputs("</section>\n", stream);
}

/* ---- ranking ------------------------------------------------------------------------------------
 */

void dry_report__fit_ranking(const fit_sheet *s, FILE *stream) {
    const dry_fit_page *page = s->page;
    if (page->n_ranks < 2) return;
    open_table(
        "ranking", "Models",
        "<th>model</th><th class=\"number\">held out</th><th class=\"number\">fitted</th><th "
        "class=\"number\">parameters</th><th class=\"number\">BIC</th><th "
        "class=\"number\">AIC</th>",
        stream);
    for (int i = 0; i < page->n_ranks; i++) {
        const dry_fit_rank *rank = &page->ranks[i];
        dry_report__put(stream, "<tr><td><code>%s</code></td>", rank->name);
        put_percent(rank->hold, stream);
        put_percent(rank->train, stream);
        put_number(rank->result->n_parameters, 3, stream);
        put_number(rank->bic, 5, stream);
        put_number(rank->aic, 5, stream);
        fputs("</tr>\n", stream);
    }
    close_table(stream);
}
