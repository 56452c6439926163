/* The built-in font: texts as strokes, and their widths. */
#include "internal.h"

#include <math.h>

size_t dry_plot__glyph_of(uint32_t code) {
    size_t lo = 0, hi = dry_plot__n_glyphs;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (dry_plot__glyphs[mid].code <= code)
            lo = mid;
        else
            hi = mid;
    }
    return dry_plot__glyphs[lo].code == code ? lo : dry_plot__n_glyphs - 1;
}

/* A letter on its place: units of the grid times `size`, moved. */
typedef struct slot {
    const dry_plot__glyph *glyph;
    double size, x, y;
} slot;

static bool next_slot(const char **text, slot *s) {
    int rise;
    uint32_t code = dry_plot__plain(dry_plot__decode(text), &rise);
    if (code == 0) return false;
    s->glyph = &dry_plot__glyphs[dry_plot__glyph_of(code)];
    s->size = rise ? DRY_PLOT__RAISED_SIZE : 1.0;
    s->y = DRY_PLOT__EM * (rise > 0 ? DRY_PLOT__RAISED : rise < 0 ? DRY_PLOT__DROPPED : 0.0);
    return true;
}

double dry_plot__text_width(const char *text) {
    double width = 0.0;
    for (slot s = {0}; next_slot(&text, &s);) width += s.size * s.glyph->advance;
    return width / DRY_PLOT__EM;
}

/* ---- strokes ------------------------------------------------------------------------------- */

typedef struct plotter {
    dry_plot__pen pen;
    void *user;
    slot slot;
    double x, y;
    bool down;
} plotter;

static double units(const char **path) {
    double value = 0.0, place = 1.0, sign = 1.0;
    while (**path == ' ') ++*path;
    if (**path == '-') {
        sign = -1.0;
        ++*path;
    }
    for (; **path >= '0' && **path <= '9'; ++*path) value = 10.0 * value + (**path - '0');
    if (**path == '.')
        for (++*path; **path >= '0' && **path <= '9'; ++*path)
            value += (place /= 10.0) * (**path - '0');
    return sign * value;
}

static void stroke_to(plotter *p, double x, double y) {
    const slot *s = &p->slot;
    if (p->down)
        p->pen(p->user, (s->x + s->size * p->x) / DRY_PLOT__EM,
               (s->y + s->size * p->y) / DRY_PLOT__EM, (s->x + s->size * x) / DRY_PLOT__EM,
               (s->y + s->size * y) / DRY_PLOT__EM);
    p->x = x;
    p->y = y;
    p->down = true;
}

static void parabola(plotter *p, double cx, double cy, double x, double y) {
    double x0 = p->x, y0 = p->y;
    for (int i = 1; i <= 10; i++) {
        double t = i / 10.0, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        stroke_to(p, a * x0 + b * cx + c * x, a * y0 + b * cy + c * y);
    }
}

static void arc(plotter *p, const double v[6]) {
    double degree = acos(-1.0) / 180.0;
    int n = (int)ceil(fabs(v[5] - v[4]) / 12.0);
    for (int i = 0; i <= n; i++) {
        double angle = (v[4] + (v[5] - v[4]) * i / n) * degree;
        stroke_to(p, v[0] + v[2] * cos(angle), v[1] + v[3] * sin(angle));
    }
}

static void trace(plotter *p, const char *path) {
    while (*path) {
        char command = *path++;
        double v[6];
        int n = command == 'A' ? 6 : command == 'Q' ? 4 : 2;
        for (int i = 0; i < n; i++) v[i] = units(&path);
        if (command == 'M') p->down = false;
        if (command == 'A')
            arc(p, v);
        else if (command == 'Q')
            parabola(p, v[0], v[1], v[2], v[3]);
        else
            stroke_to(p, v[0], v[1]);
    }
}

void dry_plot__text_strokes(const char *text, dry_plot__pen pen, void *user) {
    plotter p = {.pen = pen, .user = user};
    for (; next_slot(&text, &p.slot); p.slot.x += p.slot.size * p.slot.glyph->advance) {
        p.down = false;
        trace(&p, p.slot.glyph->path);
    }
}
