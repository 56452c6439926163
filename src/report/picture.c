/* picture: one panel of a run in a few lines of SVG, for the overview and without a script.
 */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 240, HEIGHT = 110, EDGE = 6, MOST_POINTS = 400 };

typedef struct frame {
    double low[2], high[2]; /* of x and y */
} frame;

/* A range that the text gives replaces that of the data. */
static void fix(frame *f, int axis, const dry_picture_axis *asked) {
    if (!(asked->low < asked->high)) return;
    f->low[axis] = asked->low;
    f->high[axis] = asked->high;
}

static void widen(frame *f, int axis, const double *values, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(values[i])) continue;
        f->low[axis] = fmin(f->low[axis], values[i]);
        f->high[axis] = fmax(f->high[axis], values[i]);
    }
}

static double place(const frame *f, int axis, double value) {
    const double span = f->high[axis] - f->low[axis];
    const double part = span > 0.0 ? (value - f->low[axis]) / span : 0.5;
    return axis ? EDGE + (1.0 - part) * (HEIGHT - 2 * EDGE) : EDGE + part * (WIDTH - 2 * EDGE);
}

/* Pixels per unit. */
static double scale(const frame *f, int axis) {
    const double span = f->high[axis] - f->low[axis];
    return span > 0.0 ? ((axis ? HEIGHT : WIDTH) - 2 * EDGE) / span : 0.0;
}

static size_t thin(const frame *f, const double *x, const double *y, bool sorted, size_t rows,
                   size_t *kept) {
    const dry_plot_plane plane = {x, &y, 1, scale(f, 0), scale(f, 1)};
    return sorted ? dry_report__thin(&y, 1, rows, MOST_POINTS, kept)
                  : dry_report__thin_plane(&plane, rows, MOST_POINTS, kept);
}

/* To a tenth of a pixel. */
static void put_place(char command, double x, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    dry_number_rounded(round(10.0 * x) / 10.0, 6, text);
    fprintf(stream, "%c%s", command, text);
}

static void put_line(const frame *f, const double *x, const double *y, const size_t *kept, size_t n,
                     int curve, FILE *stream) {
    bool on = false;
    fprintf(stream, "<path class=\"curve c%d\" d=\"", curve % 6);
    for (size_t i = 0; i < n; i++) {
        const bool lifted = kept[i] == DRY_REPORT__LIFT;
        const double px = lifted ? (double)NAN : place(f, 0, x[kept[i]]);
        const double py = lifted ? (double)NAN : place(f, 1, y[kept[i]]);
        const bool there =
            isfinite(px) && isfinite(py) && px >= 0.0 && px <= WIDTH && py >= 0.0 && py <= HEIGHT;
        if (there) put_place(on ? 'L' : 'M', px, stream), put_place(' ', py, stream);
        on = there;
    }
    fputs("\"/>", stream);
}

static void put_zero(const frame *f, FILE *stream) {
    if (!(f->low[1] < 0.0 && f->high[1] > 0.0)) return;
    fputs("<path class=\"zero\" d=\"", stream);
    put_place('M', EDGE, stream);
    put_place(' ', place(f, 1, 0.0), stream);
    fprintf(stream, "H%d\"/>", WIDTH - EDGE);
}

/* Chooses the first panel with the most curves; one with linear axes, if there is one. */
static dry_model_panel choose(const dry_model *model) {
    dry_model_panel best = dry_model_panel_at(model, 0);
    for (int i = 1; i < dry_model_panels(model); i++) {
        const dry_model_panel panel = dry_model_panel_at(model, i);
        const bool bent = panel.x_axis.log || panel.y_axis.log;
        const bool best_bent = best.x_axis.log || best.y_axis.log;
        if (bent == best_bent ? panel.n > best.n : best_bent) best = panel;
    }
    return best;
}

void dry_report_picture(const dry_card *card, FILE *stream) {
    if (!card->record || !dry_model_panels(card->model)) return;
    const dry_model_panel panel = choose(card->model);
    const size_t rows = dry_record_rows(card->record);
    size_t *kept = malloc(sizeof *kept * (rows + 1));
    if (!kept) {
        dry_report__lack(card);
        return;
    }
    frame f = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int k = 0; k < panel.n; k++) {
        widen(&f, 0, dry_record_values(card->record, panel.x[k]), rows);
        if (!panel.beside[k]) widen(&f, 1, dry_record_values(card->record, panel.y[k]), rows);
    }
    fix(&f, 0, &panel.x_axis);
    fix(&f, 1, &panel.y_axis);
    fprintf(stream, "<svg class=\"picture\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            WIDTH, HEIGHT);
    for (int k = 0; k < panel.n; k++) {
        if (k) fputs(", ", stream);
        const char *name = dry_record_quantity(card->record, panel.y[k]).name;
        dry_report__text(panel.label[k] ? panel.label[k] : name, stream);
    }
    fputs("\">", stream);
    put_zero(&f, stream);
    for (int k = panel.n - 1; k >= 0; k--) {
        if (panel.beside[k]) continue;
        const double *y = dry_record_values(card->record, panel.y[k]);
        const double *x = dry_record_values(card->record, panel.x[k]);
        const size_t n = thin(&f, x, y, panel.x[k] == 0, rows, kept);
        if (n == DRY_REPORT__NO_MEMORY)
            dry_report__lack(card);
        else
            put_line(&f, x, y, kept, n, k, stream);
    }
    fputs("</svg>", stream);
    free(kept);
}
