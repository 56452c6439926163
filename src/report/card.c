/* card: the page of one run. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A model without a name is called by its file. */
static const char *title_of(const dry_card *card) {
    const char *title = dry_model_title(card->model);
    if (strcmp(title, "model") != 0 || !card->path) return title;
    const char *slash = strrchr(card->path, '/');
    return slash ? slash + 1 : card->path;
}

/* ---- the head -------------------------------------------------------------------------------- */

static void put_link(const char *page, const char *relation, const char *text, FILE *stream) {
    if (page) dry_report__put(stream, "<a rel=\"%s\" href=\"%s\">%s</a>\n", relation, page, text);
}

static void put_navigation(const dry_card *card, FILE *stream) {
    if (!card->shelf) return;
    dry_report__put(stream, "<nav><a href=\"index.html\">Gallery</a> <span>%s</span>\n",
                    card->shelf);
    put_link(card->previous, "prev", "← previous", stream);
    put_link(card->next, "next", "next →", stream);
    fputs("</nav>\n", stream);
}

static int count_met(const dry_card *card) {
    int met = 0;
    for (int i = 0; card->expected && i < dry_model_expects(card->model); i++)
        met += card->expected[i].met;
    return met;
}

static void put_badge(const dry_card *card, FILE *stream) {
    const int n = dry_model_expects(card->model), met = count_met(card);
    if (card->refused) fputs("<span class=\"badge\">refused, as it should be</span>\n", stream);
    if (!n || !card->expected) return;
    fprintf(stream, "<span class=\"badge %s\">%s %d of %d met</span>\n", met == n ? "good" : "bad",
            met == n ? "✓" : "✗", met, n);
}

static void put_time(const char *label, double seconds, FILE *stream) {
    if (isnan(seconds) || seconds <= 0.0) return;
    fprintf(stream, "<span>%s ", label);
    dry_report__number(seconds, 4, stream);
    fputs(" s</span>\n", stream);
}

static void put_count(long n, const char *what, FILE *stream) {
    fprintf(stream, "<span>%ld %s%s</span>\n", n, what, n == 1 ? "" : "s");
}

static void put_stop(const dry_card *card, FILE *stream) {
    if (!card->stop) return;
    fputs("<span>stopped at ", stream);
    dry_report__number(card->end, 6, stream);
    dry_report__put(stream, " s: %s</span>\n", dry_model_watch_text(card->model, card->stop));
}

static void put_how(const dry_card *card, FILE *stream) {
    fputs("<p class=\"how\">", stream);
    put_badge(card, stream);
    if (card->record) {
        dry_report__put(stream, "<span>%s</span>\n",
                        (card->run.method ? card->run.method : dry_method_standard())->name);
        put_time("step", card->run.step, stream);
        if (card->run.rtol > 0.0) {
            fputs("<span>rtol ", stream);
            dry_report__number(card->run.rtol, 3, stream);
            fputs("</span>\n", stream);
        }
        put_time("until", card->run.until, stream);
        put_stop(card, stream);
        put_count(card->counts.steps, "step", stream);
        if (card->counts.kinks) put_count(card->counts.kinks, "kink", stream);
        fputs("<span>", stream);
        dry_report__number(card->seconds, 2, stream);
        fprintf(stream, " s of CPU, %s</span>\n", card->native ? "native code" : "bytecode");
    }
    fputs("</p>\n", stream);
}

static void put_messages(const dry_card *card, FILE *stream) {
    static const char *const kinds[] = {"note", "warning", "error"};
    if (card->refused) {
        dry_report__put(stream,
                        "<section id=\"refused\"><h2>What the compiler says</h2>\n<pre "
                        "class=\"display\">%s</pre>",
                        card->refused);
        if (card->record)
            fputs("<p>What follows is the run with <code>--force</code>.</p>", stream);
        fputs("</section>\n", stream);
        return;
    }
    for (int i = 0; i < dry_model_messages(card->model); i++) {
        const dry_message m = dry_model_message(card->model, i);
        const bool own = !strcmp(m.file, dry_model_path(card->model));
        fprintf(stream, "<p class=\"message\"><b>%s</b> ", kinds[m.kind]);
        if (!own) dry_report__put(stream, "<code>%s</code> ", m.file);
        fprintf(stream, "line %d: ", m.line);
        dry_report__text(m.text, stream);
        if (*m.way_out) fputs("; ", stream);
        dry_report__text(m.way_out, stream);
        fputs("</p>\n", stream);
    }
}

/* ---- the pictures ------------------------------------------------------------------------------
 */

static bool has_rows(const dry_card *card) { return card->record && dry_record_rows(card->record); }

static void put_data(const dry_card *card, const dry_report__bands *bands, FILE *stream) {
    fputs("<script type=\"application/json\" id=\"data\">", stream);
    dry_report__data(card, bands, stream);
    fputs("}</script>\n", stream);
}

static void put_pictures(const dry_card *card, FILE *stream) {
    dry_report__bands bands = {0};
    const bool phases = has_rows(card) && dry_report__find_bands(card, &bands);
    if (!phases) bands.n = 0;
    if (has_rows(card) &&
        (dry_model_panels(card->model) || phases || dry_report__has_scene(card))) {
        fputs("<section id=\"pictures\"><h2 class=\"hidden\">Pictures</h2>\n"
              "<div id=\"plots\"><figure>",
              stream);
        dry_report_picture(card, stream);
        fputs("</figure></div>\n", stream);
        if (phases && bands.left_out)
            fprintf(stream, "<p class=\"note\">Without a band here: %d more.</p>\n",
                    bands.left_out);
        dry_report__undrawn(card, stream);
        put_data(card, &bands, stream);
        fputs("</section>\n", stream);
    }
    dry_report__free_bands(&bands);
}

/* As data: addresses: names inside one SVG cannot meet those of another. */
static void put_address(const char *svg, FILE *stream) {
    fputs("data:image/svg+xml;base64,", stream);
    dry_report__base64(svg, strlen(svg), stream);
}

void dry_report__image(const char *light, const char *dark, const char *caption, FILE *stream) {
    fputs("<picture>", stream);
    if (dark) {
        fputs("<source media=\"(prefers-color-scheme: dark)\" srcset=\"", stream);
        put_address(dark, stream);
        fputs("\">", stream);
    }
    fputs("<img src=\"", stream);
    put_address(light, stream);
    dry_report__put(stream, "\" alt=\"%s\"></picture>", caption);
}

static void put_images(const dry_card *card, FILE *stream) {
    if (!card->n_images) return;
    fputs("<section id=\"sweeps\"><h2>Over its parameters</h2>\n", stream);
    for (int i = 0; i < card->n_images; i++) {
        const dry_card_image *image = &card->images[i];
        if (!image->light) continue;
        fputs("<figure class=\"drawn\" tabindex=\"0\">", stream);
        dry_report__image(image->light, image->dark, image->caption, stream);
        dry_report__put(stream, "<figcaption><code>%s</code></figcaption></figure>\n",
                        image->caption);
    }
    fputs("</section>\n", stream);
}

/* ---- the mathematics ----------------------------------------------------------------------------
 */

/* A model may be made of parts alone. */
static void put_math(const dry_card *card, bool derived, const char *title, FILE *stream) {
    char *math = NULL;
    size_t length;
    FILE *own = dry_text_open(&math, &length);
    if (own) dry_model_print_mathml(card->model, derived, own);
    if (!own || !dry_text_close(own, &math)) dry_report__lack(card);
    if (math && strstr(math, "<mtr>"))
        fprintf(stream, "<div class=\"math\" tabindex=\"0\"><h3>%s</h3>\n%s</div>\n", title, math);
    free(math);
}

static void put_equations(const dry_card *card, FILE *stream) {
    const bool parts = dry_model_net(card->model) != NULL;
    fputs("<section id=\"equations\"><h2>From the model to the equations</h2>\n"
          "<div class=\"two\">\n",
          stream);
    if (dry_model_sets(card->model)) put_math(card, false, "The inclusion", stream);
    if (!dry_report__keeps_sets(card))
        put_math(card, true,
                 parts ? "The equations besides the parts" : "The ordinary differential equation",
                 stream);
    fprintf(stream, "</div>\n<details%s><summary>The model as written</summary>\n",
            parts ? " open" : "");
    dry_report__source(card->model, stream);
    fputs("</details>\n", stream);
    dry_report__command(card, stream);
    fputs("</section>\n", stream);
}

static void put_model(const dry_card *card, FILE *stream) {
    if (!dry_model_ok(card->model)) return;
    put_equations(card, stream);
    dry_report__parameters(card, stream);
    dry_report__forces(card, stream);
}

/* The sections of a page that a run or its parameters change, besides the pictures. */
static const struct {
    const char *name;
    void (*put)(const dry_card *card, FILE *stream);
} sections[] = {{"how", put_how},
                {"messages", put_messages},
                {"expectations", dry_report__expectations},
                {"model", put_model},
                {"measures", dry_report__measures},
                {"energy", dry_report__account},
                {"verified", dry_report__estimates}};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

static void put_section(const dry_card *card, const char *name, FILE *stream) {
    for (int i = 0; i < N_SECTIONS; i++) {
        if (strcmp(sections[i].name, name) != 0) continue;
        dry_report__put(stream, "<div data-section=\"%s\">", name);
        sections[i].put(card, stream);
        fputs("</div>\n", stream);
    }
}

static void put_head(const dry_card *card, FILE *stream) {
    put_navigation(card, stream);
    dry_report__put(stream, "<header><h1>%s</h1>\n", title_of(card));
    put_section(card, "how", stream);
    dry_report__link(card, stream);
    fputs("</header>\n", stream);
}

static void put_results(const dry_card *card, FILE *stream) {
    put_pictures(card, stream);
    put_section(card, "expectations", stream);
    put_section(card, "measures", stream);
    put_section(card, "verified", stream);
}

static void put_all(const dry_card *card, FILE *stream) {
    fputs("<div class=\"prose\">", stream);
    dry_report__prose(card->model, stream);
    fputs("</div>\n", stream);
    put_section(card, "messages", stream);
    put_pictures(card, stream);
    put_images(card, stream);
    static const char *const after[] = {"expectations", "model", "measures", "energy", "verified"};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) put_section(card, after[i], stream);
}

static void put_card(const dry_card *card, FILE *stream) {
    dry_report__head(title_of(card), stream);
    fputs(card->brief ? "<main class=\"brief\">\n" : "<main>\n", stream);
    put_head(card, stream);
    if (card->brief)
        put_results(card, stream);
    else
        put_all(card, stream);
    fputs("</main>\n", stream);
    if (!card->brief) dry_report__foot(stream);
    const bool bodies = has_rows(card) && dry_report__has_scene(card);
    dry_report__end(bodies ? DRY_REPORT__BODIES : DRY_REPORT__PANELS, stream);
}

/* Calls `put` for the card, and says what was missing. */
static dry_status put_checked(const dry_card *card, void (*put)(const dry_card *, FILE *),
                              FILE *stream, dry_error *error) {
    bool no_memory = false;
    dry_error undrawn = {0};
    dry_card own = *card;
    own.no_memory = &no_memory;
    own.undrawn = &undrawn;
    put(&own, stream);
    if (no_memory || dry_model_failed(card->model))
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the page");
    if (!undrawn.status) return DRY_OK;
    return dry_error_set(error, undrawn.status, "%s; the page has the other panels", undrawn.text);
}

dry_status dry_report_print(const dry_card *card, FILE *stream, dry_error *error) {
    return put_checked(card, put_card, stream, error);
}

dry_status dry_report_write(const dry_card *card, const char *path, dry_error *error) {
    dry_file file;
    dry_error why = {0};
    const dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    const dry_status printed = dry_report_print(card, file.stream, &why);
    if (printed == DRY_NO_MEMORY)
        dry_file_abandon(&file);
    else {
        const dry_status written = dry_file_commit(&file, error);
        if (written != DRY_OK || printed == DRY_OK) return written;
    }
    return dry_error_set_at(error, printed, path, 0, 0, "%s", why.text);
}

/* ---- a run alone: what a page is refreshed with ------------------------------------------------
 */

static void put_section_as_text(const dry_card *card, int i, FILE *stream) {
    char *text = NULL;
    size_t length;
    FILE *markup = dry_text_open(&text, &length);
    if (markup) sections[i].put(card, markup);
    const bool whole = markup && dry_text_close(markup, &text);
    fprintf(stream, "%s\"%s\":", i ? "," : "", sections[i].name);
    dry_report__json(whole ? text : "", stream);
    if (!whole) dry_report__lack(card);
    free(text);
}

static void put_run(const dry_card *card, FILE *stream) {
    dry_report__bands bands = {0};
    if (!has_rows(card) || !dry_report__find_bands(card, &bands)) bands.n = 0;
    dry_report__data(card, &bands, stream);
    dry_report__free_bands(&bands);
}

static void put_run_alone(const dry_card *card, FILE *stream) {
    put_run(card, stream);
    fputc('}', stream);
}

static void put_run_with_sections(const dry_card *card, FILE *stream) {
    put_run(card, stream);
    fputs(",\"sections\":{", stream);
    for (int i = 0; i < N_SECTIONS; i++) put_section_as_text(card, i, stream);
    fputs("}}", stream);
}

dry_status dry_report_data(const dry_card *card, bool with_sections, FILE *stream,
                           dry_error *error) {
    return put_checked(card, with_sections ? put_run_with_sections : put_run_alone, stream, error);
}
