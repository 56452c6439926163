/* figure: the panels of a model as a picture. Panels that the page's script does not draw (curves
 * with abscissae of their own, logarithmic axes, ranges, second ordinates, marks, shaded bands) are
 * a picture in the page as well. */
#include "report_private.h"

#include <stdlib.h>

static dry_panel panel_of(const dry_model_panel *from) {
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
        panels[i] = panel_of(&from);
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

/* The picture as SVG, to be freed; NULL without memory. */
static char *draw(const dry_card *card, const dry_panel *panels, int n, bool dark) {
    const dry_plot plot = {.record = card->record,
                           .panels = panels,
                           .n_panels = n,
                           .width = 900,
                           .height = 380,
                           .dark = dark};
    char *svg = NULL;
    size_t length = 0;
    dry_error error;
    FILE *stream = dry_text_open(&svg, &length);
    if (stream) (void)dry_plot_svg_stream(&plot, stream, &error);
    if (!stream || !dry_text_close(stream, &svg)) dry_report__lack(card);
    return svg;
}

void dry_report__figures(const dry_card *card, FILE *stream) {
    const int all = dry_model_panels(card->model);
    dry_panel *panels = malloc(sizeof *panels * (size_t)(all + 1));
    int n = 0;
    for (int i = 0; panels && i < all; i++) {
        const dry_model_panel from = dry_model_panel_at(card->model, i);
        if (!dry_report__is_plain(&from)) panels[n++] = panel_of(&from);
    }
    if (!panels) dry_report__lack(card);
    if (n) {
        char *light = draw(card, panels, n, false), *dark = draw(card, panels, n, true);
        if (light && *light && dark) {
            fputs("<figure class=\"drawn\">", stream);
            dry_report__image(light, dark, "the panels of the model", stream);
            fputs("</figure>\n", stream);
        }
        free(light);
        free(dark);
    }
    free(panels);
}
