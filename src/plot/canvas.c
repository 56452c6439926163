/* A canvas of braille cells: each has 2 x 4 dots and the number of the curve drawn last in it. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

bool dry_plot__canvas_make(dry_plot__canvas *canvas, int columns, int rows) {
    size_t cells = (size_t)columns * (size_t)rows;
    *canvas = (dry_plot__canvas){columns, rows, calloc(cells, 1), calloc(cells, 1)};
    if (canvas->dots && canvas->owner) return true;
    dry_plot__canvas_free(canvas);
    return false;
}

void dry_plot__canvas_free(dry_plot__canvas *canvas) {
    free(canvas->dots);
    free(canvas->owner);
    canvas->dots = canvas->owner = NULL;
}

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

static void dot(dry_plot__canvas *canvas, int x, int y, int owner) {
    static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    x = clamp(x, 2 * canvas->columns - 1);
    y = clamp(y, 4 * canvas->rows - 1);
    int cell = y / 4 * canvas->columns + x / 2;
    canvas->dots[cell] |= bit[y % 4][x % 2];
    canvas->owner[cell] = (uint8_t)owner;
}

void dry_plot__canvas_line(dry_plot__canvas *canvas, double x1, double y1, double x2, double y2,
                           int owner) {
    int n = (int)ceil(fmax(fabs(x2 - x1), fabs(y2 - y1)));
    for (int i = 0; i <= n; i++) {
        double part = n > 0 ? (double)i / n : 0.0;
        dot(canvas, (int)floor(x1 + part * (x2 - x1)), (int)floor(y1 + part * (y2 - y1)), owner);
    }
}

/* Code points that take no cell (marks over the letter before) or two (East Asian, pictures). */
static const struct {
    uint32_t from, to;
    int cells;
} widths[] = {{0x300, 0x36F, 0},   {0x200B, 0x200F, 0},   {0xFE00, 0xFE0F, 0},
              {0x1100, 0x115F, 2}, {0x2E80, 0xA4CF, 2},   {0xAC00, 0xD7A3, 2},
              {0xF900, 0xFAFF, 2}, {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},
              {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}};

static int cells_of(uint32_t code) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (code >= widths[i].from && code <= widths[i].to) return widths[i].cells;
    return 1;
}

double dry_plot__cells(const char *text) {
    int cells = 0;
    for (uint32_t code; (code = dry_plot__decode(&text)) != 0;) cells += cells_of(code);
    return cells;
}
