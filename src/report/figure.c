/* figure: the panels of a model as a picture. Panels that the page's script does not draw (curves
 * with abscissae of their own, logarithmic axes, ranges, second ordinates, marks, shaded bands) are
 * a picture in the page as well. */
#include "report_private.h"

#include <stdlib.h>

dry_panel dry_report__panel(const dry_model_panel *from) {
    dry_panel panel = {.title = from->title,
                       .x = from->x[0],
                       .own_x = from->x,
                       .n_curves = from->n,
                       .marks = from->marks,
                       .x_axis = from->x_axis,
                       .y_axis = from->y_axis,
                       .beside_axis = from->beside_axis,
                       .n_shades = from->n_shades};
    for (int k = 0; k < from->n; k++) {
        panel.y[k] = from->y[k];
        panel.label[k] = from->label[k];
        panel.beside[k] = from->beside[k];
    }
    for (int k = 0; k < from->n_shades; k++) panel.shade[k] = from->shade[k];
    return panel;
}

dry_plot dry_report_plot(const dry_model *model, const dry_record *record, dry_panel *panels) {
    const int n = dry_model_panels(model);
    for (int i = 0; i < n; i++) {
        const dry_model_panel from = dry_model_panel_at(model, i);
        panels[i] = dry_report__panel(&from);
    }
    return (dry_plot){
        .record = record, .title = dry_model_title(model), .panels = panels, .n_panels = n};
}

static bool is_plain_axis(const dry_picture_axis *axis) {
    return !axis->label && !axis->log && axis->low == axis->high;
}

bool dry_report__is_plain(const dry_model_panel *panel) {
    bool plain = !panel->n_shades && !panel->marks && !panel->title &&
                 is_plain_axis(&panel->x_axis) && is_plain_axis(&panel->y_axis);
    for (int k = 0; k < panel->n; k++)
        plain = plain && panel->x[k] == panel->x[0] && !panel->beside[k];
    return plain;
}

/* ---- in a page --------------------------------------------------------------------------------
 */

/* The panels that are drawn. */
typedef struct drawing {
    const dry_card *card;
    dry_panel *panel;
    int n;
} drawing;

static dry_plot plot_of(const drawing *d, bool dark) {
    return (dry_plot){.record = d->card->record,
                      .panels = d->panel,
                      .n_panels = d->n,
                      .width = 900,
                      .height = 380,
                      .dark = dark};
}

/* The picture as SVG, to be freed; NULL if there is none, with the error filled. */
static char *draw(const dry_card *card, const dry_plot *plot, dry_error *error) {
    char *svg = NULL;
    size_t length = 0;
    FILE *stream = dry_text_open(&svg, &length);
    const dry_status status = stream ? dry_plot_svg_stream(plot, stream, error) : DRY_NO_MEMORY;
    const bool whole = stream && dry_text_close(stream, &svg);
    if (!whole || status == DRY_NO_MEMORY) dry_report__lack(card);
    if (whole && status == DRY_OK) return svg;
    free(svg);
    return NULL;
}

/* Takes a panel if it can be drawn, such as a logarithmic axis with a value above 0. Otherwise the
 * page says why not, and so does the first error. */
static void take(drawing *d, const dry_model_panel *from, int number, FILE *stream) {
    const dry_card *card = d->card;
    dry_error error = {0};
    d->panel[d->n] = dry_report__panel(from);
    const dry_plot alone = {
        .record = card->record, .panels = &d->panel[d->n], .n_panels = 1, .number = number};
    char *svg = draw(card, &alone, &error);
    if (svg)
        d->n++;
    else if (error.status) {
        dry_report__put(stream, "<p class=\"message\"><b>not drawn</b> %s</p>\n", error.text);
        if (card->undrawn && !card->undrawn->status) *card->undrawn = error;
    }
    free(svg);
}

static void put_drawing(const drawing *d, FILE *stream) {
    const dry_plot light = plot_of(d, false), dark = plot_of(d, true);
    dry_error error = {0};
    char *day = draw(d->card, &light, &error), *night = draw(d->card, &dark, &error);
    if (day && night) {
        fputs("<figure class=\"drawn\" tabindex=\"0\">", stream);
        dry_report__image(day, night, "the panels of the model", stream);
        fputs("</figure>\n", stream);
    }
    free(day);
    free(night);
}

void dry_report__figures(const dry_card *card, FILE *stream) {
    const int all = dry_model_panels(card->model);
    drawing d = {.card = card, .panel = malloc(sizeof *d.panel * (size_t)(all + 1))};
    for (int i = 0; d.panel && i < all; i++) {
        const dry_model_panel from = dry_model_panel_at(card->model, i);
        if (!dry_report__is_plain(&from)) take(&d, &from, i + 1, stream);
    }
    if (!d.panel) dry_report__lack(card);
    if (d.n) put_drawing(&d, stream);
    free(d.panel);
}
