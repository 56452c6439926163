/* A figure in the terminal: braille dots, axes with tick labels, a legend.
 *
 * Without colour every curve of several carries its letter, in the legend and on the curve. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_COLUMNS 72
#define DEFAULT_ROWS 14
#define LEAST_COLUMNS 30
#define LEAST_ROWS 4
#define MOST_CELLS 4096

typedef struct sheet {
    const dry_plot__figure *figure;
    FILE *stream;
    bool colour;
    int columns, rows; /* of a panel; rows of the canvas only */
    int left, w;       /* cells left of the ordinate; of the canvas */
    dry_plot__axis *x, *y, *beside;
} sheet;

/* ---- text in cells ------------------------------------------------------------------------- */

/* Unicode has lowered digits; other lowered characters are shown plain. */
static uint32_t shown(uint32_t code) {
    int rise;
    if (code < DRY_PLOT__LOWERED) return code;
    const uint32_t plain = dry_plot__plain(code, &rise);
    return rise < 0 && plain >= '0' && plain <= '9' ? 0x2080 + (plain - '0') : plain;
}

static void put(const sheet *s, const char *text) {
    for (uint32_t code; (code = dry_plot__decode(&text)) != 0;) {
        char bytes[5];
        dry_plot__encode(shown(code), bytes);
        fputs(bytes, s->stream);
    }
}

static void fill(const sheet *s, int cells, const char *text) {
    for (int i = 0; i < cells; i++) fputs(text, s->stream);
}

static const char *fit(const sheet *s, const char *text, int cells) {
    const char *cut = dry_plot__elide(s->figure->arena, text, cells, dry_plot__cells);
    return cut ? cut : "";
}

static int cells(const char *text) { return (int)dry_plot__cells(text); }

static void ink(const sheet *s, int owner) {
    static const int code[] = {34, 33, 32, 35, 36, 31};
    if (s->colour && owner > 0)
        fprintf(s->stream, "\x1b[%s%dm", owner > 6 ? "1;" : "", code[(owner - 1) % 6]);
}

static void plain_ink(const sheet *s, int owner) {
    if (s->colour && owner > 0) fputs("\x1b[0m", s->stream);
}

static bool lettered(const sheet *s, const dry_plot__view *view) {
    return !s->colour && view->n > 1;
}

static void letter(char text[2], int curve) {
    text[0] = (char)('a' + curve);
    text[1] = 0;
}

/* ---- above the canvas ---------------------------------------------------------------------- */

static void title(const sheet *s, const char *text) {
    if (!*text) return;
    const char *cut = fit(s, text, s->columns);
    fill(s, (s->columns - cells(cut)) / 2, " ");
    put(s, cut);
    fputc('\n', s->stream);
}

static void legend_mark(const sheet *s, const dry_plot__view *view, int curve) {
    char mark[2];
    letter(mark, curve);
    ink(s, curve + 1);
    fputs(lettered(s, view) ? mark : "━", s->stream);
    plain_ink(s, curve + 1);
    fputc(' ', s->stream);
}

static void legend(const sheet *s, const dry_plot__view *view) {
    int at = s->columns;
    for (int c = 0; c < view->n && view->n > 1; c++) {
        const char *label = fit(s, view->curve[c].label, s->w - 2);
        int width = cells(label) + 2;
        bool wrap = at + 3 + width > s->columns;
        if (wrap && c > 0) fputc('\n', s->stream);
        fill(s, wrap ? s->left + 1 : 3, " ");
        at = (wrap ? s->left + 1 : at + 3) + width;
        legend_mark(s, view, c);
        put(s, label);
    }
    if (view->n > 1) fputc('\n', s->stream);
}

/* The second ordinate has no room for ticks: its ends stand in a line. */
static void put_beside(const sheet *s, int i) {
    const dry_plot__view *view = &s->figure->view[i];
    const dry_plot__axis *axis = &s->beside[i];
    const char *text = dry_plot__print(s->figure->arena, "right: %s from %.4g to %.4g",
                                       view->beside_title, axis->lo, axis->hi);
    put(s, fit(s, text ? text : "", s->columns));
    fputc('\n', s->stream);
}

/* The title of the ordinate lies flat above it, with what its labels share. */
static void heading(const sheet *s, int i) {
    const dry_plot__view *view = &s->figure->view[i];
    const char *note = s->y[i].note;
    int room = s->columns - (*note ? cells(note) + 2 : 0);
    title(s, view->title);
    if (*view->y_title || *note) {
        put(s, fit(s, view->y_title, room));
        if (*view->y_title && *note) fputs("  ", s->stream);
        put(s, fit(s, note, s->columns));
        fputc('\n', s->stream);
    }
    legend(s, view);
    if (view->has_beside) put_beside(s, i);
}

/* ---- canvas -------------------------------------------------------------------------------- */

typedef struct brush {
    dry_plot__canvas *canvas;
    dry_plot__points points;
    int owner;
} brush;

static void draw_run(void *user, size_t first, size_t n) {
    brush *b = user;
    const dry_plot__point *p = b->points.at + first;
    for (size_t i = 0; i < n; i++) {
        dry_plot__point q = p[i ? i - 1 : 0];
        dry_plot__canvas_line(b->canvas, q.x, q.y, p[i].x, p[i].y, b->owner);
    }
}

static bool draw_curves(const sheet *s, int i, dry_plot__canvas *canvas) {
    const dry_plot__view *view = &s->figure->view[i];
    bool ok = true;
    for (int c = 0; c < view->n; c++) {
        const dry_plot__axis *y = view->curve[c].beside ? &s->beside[i] : &s->y[i];
        const dry_plot__frame frame = {&s->x[i], y, 0.0, 0.0, 2.0 * s->w, 4.0 * s->rows};
        brush b = {.canvas = canvas, .owner = c + 1};
        dry_plot__thin(&view->curve[c], view->sorted, &frame, &b.points, draw_run, &b);
        ok = ok && !b.points.failed;
        free(b.points.at);
    }
    return ok;
}

/* The cell in a column that belongs to a curve; -1 for none. */
static int owned(const dry_plot__canvas *canvas, int column, int owner) {
    for (int row = 0; row < canvas->rows; row++)
        if (canvas->owner[row * canvas->columns + column] == owner)
            return row * canvas->columns + column;
    return -1;
}

enum { LETTER = 0x80 }; /* in `owner`: the cell shows the letter of its curve */

/* Puts the letter of each curve on it at some columns, staggered. */
static void add_letters(dry_plot__canvas *canvas, int curves) {
    int step = canvas->columns / 3 > 0 ? canvas->columns / 3 : 1;
    for (int c = 0; c < curves; c++)
        for (int x = step * (c + 1) / (curves + 1); x < canvas->columns; x += step) {
            int cell = owned(canvas, x, c + 1);
            if (cell >= 0) canvas->owner[cell] |= LETTER;
        }
}

static void put_cell(const sheet *s, const dry_plot__canvas *canvas, int cell) {
    char bytes[5] = " ";
    int owner = canvas->owner[cell] & ~LETTER;
    if (canvas->owner[cell] & LETTER)
        letter(bytes, owner - 1);
    else if (canvas->dots[cell])
        dry_plot__encode(0x2800u + canvas->dots[cell], bytes);
    fputs(bytes, s->stream);
}

static void put_row(const sheet *s, const dry_plot__canvas *canvas, int row) {
    int before = 0;
    for (int x = 0; x < canvas->columns; x++) {
        int cell = row * canvas->columns + x, owner = canvas->owner[cell] & ~LETTER;
        if (owner != before) {
            plain_ink(s, before);
            ink(s, owner);
        }
        put_cell(s, canvas, cell);
        before = owner;
    }
    plain_ink(s, before);
    fputc('\n', s->stream);
}

/* ---- axes ---------------------------------------------------------------------------------- */

static int place(const dry_plot__axis *axis, int tick, int cells_in_all) {
    int at = (int)floor(cells_in_all * dry_plot__axis_at(axis, axis->tick[tick]));
    return at < 0 ? 0 : at >= cells_in_all ? cells_in_all - 1 : at;
}

static void put_y_label(const sheet *s, const dry_plot__axis *axis, int row) {
    for (int k = 0; k < axis->n; k++)
        if (s->rows - 1 - place(axis, k, s->rows) == row) {
            fill(s, s->left - cells(axis->label[k]), " ");
            put(s, axis->label[k]);
            fputs("┤", s->stream);
            return;
        }
    fill(s, s->left, " ");
    fputs("│", s->stream);
}

static bool is_tick(const dry_plot__axis *axis, int column, int w) {
    for (int k = 0; k < axis->n; k++)
        if (place(axis, k, w) == column) return true;
    return false;
}

/* In cells from the left; a logarithmic axis has no place for what is not above 0. */
static double cell_of(const sheet *s, const dry_plot__axis *axis, double value) {
    return value <= axis->lo ? 0.0 : s->w * dry_plot__axis_at(axis, value);
}

static bool in_band(const sheet *s, const dry_plot__axis *axis, const dry_panel_band *bands,
                    int cell) {
    for (size_t k = 0; k < bands->n; k++)
        if (bands->to[k] >= axis->lo && cell_of(s, axis, bands->from[k]) <= cell + 1 &&
            cell_of(s, axis, bands->to[k]) >= cell)
            return true;
    return false;
}

/* A row for each condition: blocks while it holds, and its name. */
static void put_bands(const sheet *s, int i) {
    const dry_plot__view *view = &s->figure->view[i];
    const dry_plot__axis *axis = &s->x[i];
    for (int b = 0; b < view->n_bands; b++) {
        fill(s, s->left, " ");
        fputs("│", s->stream);
        for (int x = 0; x < s->w; x++)
            fputs(in_band(s, axis, &view->bands[b], x) ? "▒" : " ", s->stream);
        fputc('\n', s->stream);
        fill(s, s->left + 1, " ");
        fputs("▒ ", s->stream);
        put(s, fit(s, view->bands[b].label, s->w - 2));
        fputc('\n', s->stream);
    }
}

static void put_x_line(const sheet *s, const dry_plot__axis *axis) {
    fill(s, s->left, " ");
    fputs("└", s->stream);
    for (int x = 0; x < s->w; x++) fputs(is_tick(axis, x, s->w) ? "┬" : "─", s->stream);
    fputc('\n', s->stream);
}

/* Labels centred under their ticks, within the panel, apart from each other. */
static void put_x_labels(const sheet *s, const dry_plot__axis *axis) {
    int at = 0;
    for (int k = 0; k < axis->n; k++) {
        int width = cells(axis->label[k]);
        int from = s->left + 1 + place(axis, k, s->w) - width / 2;
        if (from + width > s->columns) from = s->columns - width;
        if (from < at + (k > 0)) continue;
        fill(s, from - at, " ");
        put(s, axis->label[k]);
        at = from + width;
    }
    fputc('\n', s->stream);
}

static void put_x_title(const sheet *s, int i) {
    const char *note = s->x[i].note;
    int room = s->w - (*note ? cells(note) + 2 : 0);
    const char *text = fit(s, s->figure->view[i].x_title, room);
    int from = s->left + 1 + (s->w - cells(text)) / 2, gap = *note ? cells(note) + 2 : 0;
    if (from + cells(text) + gap > s->columns) from = s->columns - cells(text) - gap;
    fill(s, from, " ");
    put(s, text);
    if (*note) {
        fill(s, s->columns - from - cells(text) - cells(note), " ");
        put(s, note);
    }
    fputc('\n', s->stream);
}

static int widest(const dry_plot__axis *axis) {
    int most = 0;
    for (int k = 0; k < axis->n; k++)
        if (cells(axis->label[k]) > most) most = cells(axis->label[k]);
    return most;
}

static void make_x_axis(const sheet *s, int i) {
    for (int most = DRY_PLOT__TICKS; most > 1; most--) {
        dry_plot__x_axis(&s->x[i], &s->figure->view[i], most);
        if (s->x[i].n * (widest(&s->x[i]) + 3) <= s->w) return;
    }
}

static void make_axes(sheet *s) {
    int most = s->rows / 2 < 5 ? s->rows / 2 : 5;
    for (int i = 0; i < s->figure->n; i++) {
        dry_plot__y_axis(&s->y[i], &s->figure->view[i], most);
        dry_plot__beside_axis(&s->beside[i], &s->figure->view[i], most);
        if (widest(&s->y[i]) > s->left) s->left = widest(&s->y[i]);
    }
    s->w = s->columns - s->left - 1;
    for (int i = 0; i < s->figure->n; i++) make_x_axis(s, i);
}

/* ---- panels -------------------------------------------------------------------------------- */

static bool put_panel(const sheet *s, int i) {
    const dry_plot__view *view = &s->figure->view[i];
    dry_plot__canvas canvas;
    if (!dry_plot__canvas_make(&canvas, s->w, s->rows)) return false;
    bool ok = draw_curves(s, i, &canvas);
    if (lettered(s, view)) add_letters(&canvas, view->n);
    heading(s, i);
    for (int row = 0; row < s->rows; row++) {
        put_y_label(s, &s->y[i], row);
        put_row(s, &canvas, row);
    }
    put_bands(s, i);
    put_x_line(s, &s->x[i]);
    if (view->last) {
        put_x_labels(s, &s->x[i]);
        put_x_title(s, i);
    }
    dry_plot__canvas_free(&canvas);
    return ok;
}

static bool put_figure(sheet *s) {
    size_t bytes = (size_t)s->figure->n * sizeof *s->x;
    s->x = dry_arena_take(s->figure->arena, bytes);
    s->y = dry_arena_take(s->figure->arena, bytes);
    s->beside = dry_arena_take(s->figure->arena, bytes);
    if (!s->x || !s->y || !s->beside) return false;
    make_axes(s);
    title(s, s->figure->title);
    bool ok = true;
    for (int i = 0; i < s->figure->n && ok; i++) ok = put_panel(s, i);
    return ok;
}

static dry_status check_size(const sheet *s, dry_error *error) {
    bool ok = s->columns >= LEAST_COLUMNS && s->columns <= MOST_CELLS && s->rows >= LEAST_ROWS &&
              s->rows <= MOST_CELLS;
    if (ok) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "a panel of %d columns and %d rows; give it %d to %d columns and %d to %d "
                         "rows",
                         s->columns, s->rows, LEAST_COLUMNS, MOST_CELLS, LEAST_ROWS, MOST_CELLS);
}

/* Colours of cells are not for every terminal. */
static dry_status check_maps(const dry_plot *plot, dry_error *error) {
    for (int i = 0; i < plot->n_panels; i++)
        if (plot->panels[i].map)
            return dry_error_set(error, DRY_UNSUPPORTED,
                                 "a map cannot be drawn in the terminal: write .svg or .png");
    return DRY_OK;
}

/* A terminal that is narrower than a picture can be breaks its lines. */
static int columns_of(FILE *stream) {
    const int columns = dry_plot__columns(stream);
    if (columns <= 0) return DEFAULT_COLUMNS;
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns > MOST_CELLS ? MOST_CELLS : columns;
}

dry_status dry_plot_terminal(const dry_plot *plot, FILE *stream, bool colour, dry_error *error) {
    dry_plot__figure figure;
    sheet s = {.figure = &figure, .stream = stream, .colour = colour};
    s.columns = plot->width ? plot->width : columns_of(stream);
    s.rows = plot->height ? plot->height : DEFAULT_ROWS;
    dry_status status = check_size(&s, error);
    if (status == DRY_OK) status = check_maps(plot, error);
    if (status == DRY_OK) status = dry_plot__figure_make(&figure, plot, error);
    if (status != DRY_OK) return status;
    if (!put_figure(&s))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory for a plot in the terminal");
    else if (ferror(stream))
        status = dry_error_set(error, DRY_IO,
                               "cannot write the plot; is the disk full, or the "
                               "reader of the pipe gone?");
    dry_plot__figure_free(&figure);
    return status;
}
