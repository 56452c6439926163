/* fit_page: the page of a fit. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_count(long n, const char *what, FILE *stream) {
    fprintf(stream, "<span>%ld %s%s</span>\n", n, what, n == 1 ? "" : "s");
}

static void put_head(const fit_sheet *s, FILE *stream) {
    const dry_fit_result *r = s->result;
    dry_report__put(stream, "<header><h1>Fit of %s</h1>\n<p class=\"how\">", s->page->title);
    if (s->page->path) dry_report__put(stream, "<span><code>%s</code></span>\n", s->page->path);
    put_count(r->n_records, "record", stream);
    put_count(r->n_parameters, "parameter", stream);
    put_count(r->steps, "step", stream);
    if (r->ended) dry_report__put(stream, "<span>%s</span>\n", r->ended);
    if (s->page->seconds > 0.0) {
        fputs("<span>", stream);
        dry_report__number(s->page->seconds, 2, stream);
        fputs(" s</span>\n", stream);
    }
    fputs("</p></header>\n", stream);
}

static void put_warnings(const fit_sheet *s, FILE *stream) {
    const dry_fit_stats *stats = &s->result->stats;
    for (int i = 0; i < stats->n_warnings; i++)
        dry_report__put(stream, "<p class=\"message\"><b>warning</b> %s</p>\n", stats->warnings[i]);
}

static void put_pictures(fit_sheet *s, FILE *stream) {
    fputs("<section id=\"pictures\"><h2>Measured and model</h2>\n<div id=\"plots\"></div>\n",
          stream);
    if (s->result->n_outputs > DRY_REPORT__FIT_OUTPUTS)
        fprintf(stream, "<p class=\"note\">The first %d outputs of %d have pictures.</p>\n",
                DRY_REPORT__FIT_OUTPUTS, s->result->n_outputs);
    fputs("<script type=\"application/json\" id=\"data\">", stream);
    dry_report__fit_data(s, stream);
    fputs("</script>\n</section>\n", stream);
}

static void put_text(const fit_sheet *s, FILE *stream) {
    const dry_fit_page *page = s->page;
    if (!page->fitted && !page->command) return;
    fputs("<section id=\"text\"><h2>The fitted model</h2>\n", stream);
    if (page->fitted)
        dry_report__put(stream, "<pre class=\"source\" tabindex=\"0\">%s</pre>\n", page->fitted);
    if (page->command)
        dry_report__put(stream, "<p class=\"note\">This fit, once more:</p>\n<pre>%s</pre>\n",
                        page->command);
    fputs("</section>\n", stream);
}

static void put_page(fit_sheet *s, FILE *stream) {
    char title[300];
    snprintf(title, sizeof title, "Fit of %s", s->page->title);
    dry_report__head(title, stream);
    fputs("<main>\n", stream);
    put_head(s, stream);
    put_warnings(s, stream);
    dry_report__fit_parameters(s, stream);
    dry_report__fit_outputs(s, stream);
    dry_report__fit_ranking(s, stream);
    put_pictures(s, stream);
    dry_report__fit_correlation(s, stream);
    put_text(s, stream);
    fputs("</main>\n", stream);
    dry_report__foot(stream);
    dry_report__end(DRY_REPORT__PANELS, stream);
}

dry_status dry_fit_page_print(const dry_fit_page *page, FILE *stream, dry_error *error) {
    bool no_memory = false;
    dry_error undrawn = {0};
    fit_sheet sheet = {.page = page,
                       .result = page->result,
                       .card = {.no_memory = &no_memory, .undrawn = &undrawn}};
    put_page(&sheet, stream);
    if (no_memory) return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the page");
    if (!undrawn.status) return DRY_OK;
    return dry_error_set(error, undrawn.status, "%s; the page has the other panels", undrawn.text);
}

dry_status dry_fit_page_write(const dry_fit_page *page, const char *path, dry_error *error) {
    dry_file file;
    dry_error why = {0};
    const dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    const dry_status printed = dry_fit_page_print(page, file.stream, &why);
    if (printed == DRY_NO_MEMORY)
        dry_file_abandon(&file);
    else {
        const dry_status written = dry_file_commit(&file, error);
        if (written != DRY_OK || printed == DRY_OK) return written;
    }
    return dry_error_set_at(error, printed, path, 0, 0, "%s", why.text);
}
