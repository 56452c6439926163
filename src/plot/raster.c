/* A scene as pixels: every line is a chain of capsules whose distance gives the cover of a pixel.
 *
 * A shape is first collected in a mask (the largest cover of its parts, so that joints do not show)
 * and then laid over the picture in its colour. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

#define MOST_PIXELS 200000000.0

typedef struct painter {
    dry_plot__image *image;
    uint8_t *mask;
    double scale;
    int x1, y1, x2, y2; /* what of the mask is used; empty where x1 > x2 */
    double radius;      /* of the line that is drawn, pixels of the image */
    const dry_plot__item *item;
} painter;

/* ---- mask ---------------------------------------------------------------------------------- */

static int within(double value, int most) {
    return value < 0.0 ? 0 : value > most ? most : (int)value;
}

static double distance(double px, double py, double dx, double dy, double length2) {
    double t = length2 > 0.0 ? (px * dx + py * dy) / length2 : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(px - t * dx, py - t * dy);
}

static void cover(painter *p, int x, int y, double part) {
    uint8_t value = (uint8_t)(255.0 * (part > 1.0 ? 1.0 : part) + 0.5);
    uint8_t *at = &p->mask[(size_t)y * (size_t)p->image->width + (size_t)x];
    if (value > *at) *at = value;
}

static void use(painter *p, int x1, int y1, int x2, int y2) {
    if (x1 < p->x1) p->x1 = x1;
    if (y1 < p->y1) p->y1 = y1;
    if (x2 > p->x2) p->x2 = x2;
    if (y2 > p->y2) p->y2 = y2;
}

/* A row of the capsule from (x1, y1) along (dx, dy): only if it can be, beside its axis. */
static void capsule_row(painter *p, int row, double x1, double y1, double dx, double dy) {
    double reach = p->radius + 1.0, length2 = dx * dx + dy * dy;
    double low = fmin(x1, x1 + dx) - reach, high = fmax(x1, x1 + dx) + reach;
    double py = row + 0.5 - y1;
    if (fabs(dy) > 1e-9) {
        double middle = x1 + py * dx / dy, half = reach * sqrt(length2) / fabs(dy);
        low = fmax(low, middle - half);
        high = fmin(high, middle + half);
    }
    int last = within(high, p->image->width - 1);
    for (int x = within(low, p->image->width - 1); x <= last; x++) {
        double part = p->radius + 0.5 - distance(x + 0.5 - x1, py, dx, dy, length2);
        if (part > 0.0) cover(p, x, row, part * fmin(1.0, 2.0 * p->radius));
    }
}

static void capsule(painter *p, double x1, double y1, double x2, double y2) {
    double reach = p->radius + 1.0;
    int top = within(fmin(y1, y2) - reach, p->image->height - 1);
    int end = within(fmax(y1, y2) + reach, p->image->height - 1);
    use(p, within(fmin(x1, x2) - reach, p->image->width - 1), top,
        within(fmax(x1, x2) + reach, p->image->width - 1), end);
    for (int row = top; row <= end; row++) capsule_row(p, row, x1, y1, x2 - x1, y2 - y1);
}

static void blend(uint8_t *pixel, uint32_t ink, int part) {
    for (int i = 0; i < 3; i++) {
        int to = (int)(ink >> (16 - 8 * i) & 255);
        pixel[i] = (uint8_t)((pixel[i] * (255 - part) + to * part + 127) / 255);
    }
}

/* Lays the mask over the picture and clears it. */
static void lay(painter *p, uint32_t ink) {
    size_t width = (size_t)p->image->width;
    for (int y = p->y1; y <= p->y2; y++)
        for (int x = p->x1; x <= p->x2; x++) {
            size_t at = (size_t)y * width + (size_t)x;
            if (p->mask[at]) blend(&p->image->rgb[3 * at], ink, p->mask[at]);
            p->mask[at] = 0;
        }
    p->x1 = p->y1 = INT32_MAX;
    p->x2 = p->y2 = -1;
}

/* ---- shapes -------------------------------------------------------------------------------- */

static void fill(painter *p, double x1, double y1, double x2, double y2) {
    int right = within(round(x2), p->image->width), bottom = within(round(y2), p->image->height);
    int left = within(round(x1), p->image->width), top = within(round(y1), p->image->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) cover(p, x, y, 1.0);
    use(p, left, top, right - 1, bottom - 1);
}

static void paint_box(painter *p, const dry_plot__scene *scene) {
    const dry_plot__item *i = p->item;
    (void)scene;
    fill(p, i->x * p->scale, i->y * p->scale, (i->x + i->w) * p->scale, (i->y + i->h) * p->scale);
}

static void paint_dot(painter *p, const dry_plot__scene *scene) {
    double x = p->item->x * p->scale, y = p->item->y * p->scale;
    (void)scene;
    capsule(p, x, y, x, y);
}

/* A straight line of a frame or grid, on whole pixels. */
static void paint_rule(painter *p, const dry_plot__point *at) {
    double w = fmax(1.0, round(p->item->style.size * p->scale));
    double x1 = at[0].x * p->scale, y1 = at[0].y * p->scale;
    double x2 = at[1].x * p->scale, y2 = at[1].y * p->scale;
    if (x1 == x2)
        fill(p, round(x1 - 0.5 * w), fmin(y1, y2), round(x1 - 0.5 * w) + w, fmax(y1, y2));
    else
        fill(p, fmin(x1, x2), round(y1 - 0.5 * w), fmax(x1, x2), round(y1 - 0.5 * w) + w);
}

/* Draws the dashes of a segment that begins at `along` of the whole line; returns its end. */
static double dashes(painter *p, dry_plot__point a, dry_plot__point b, double along) {
    double length = hypot(b.x - a.x, b.y - a.y), period = DRY_PLOT__DASH + DRY_PLOT__DASH_GAP,
           s = 0.0;
    while (s < length) {
        double phase = fmod(along + s, period);
        double end =
            fmin(length, s + (phase < DRY_PLOT__DASH ? DRY_PLOT__DASH : period) - phase + 1e-9);
        double u = s / length * p->scale, v = end / length * p->scale;
        if (phase < DRY_PLOT__DASH)
            capsule(p, a.x * p->scale + (b.x - a.x) * u, a.y * p->scale + (b.y - a.y) * u,
                    a.x * p->scale + (b.x - a.x) * v, a.y * p->scale + (b.y - a.y) * v);
        s = end;
    }
    return along + length;
}

static void paint_line(painter *p, const dry_plot__scene *scene) {
    const dry_plot__point *at = scene->points.at + p->item->first;
    bool flat = p->item->n == 2 && (at[0].x == at[1].x || at[0].y == at[1].y);
    if (flat && !p->item->text && !p->item->style.dashed) {
        paint_rule(p, at);
        return;
    }
    double along = 0.0;
    for (size_t i = 1; i < p->item->n; i++) {
        if (p->item->style.dashed)
            along = dashes(p, at[i - 1], at[i], along);
        else
            capsule(p, at[i - 1].x * p->scale, at[i - 1].y * p->scale, at[i].x * p->scale,
                    at[i].y * p->scale);
    }
}

/* Turns and moves a stroke from font size 1 at the origin to its place. */
static void pen(void *user, double x1, double y1, double x2, double y2) {
    painter *p = user;
    const dry_plot__item *i = p->item;
    double size = i->style.size * p->scale, shift = 0.5 * (double)i->style.anchor * i->w;
    double x = i->x * p->scale, y = i->y * p->scale;
    double stretch = i->style.bold ? DRY_PLOT__STRETCH_BOLD : 1.0;
    x1 = stretch * (x1 - shift);
    x2 = stretch * (x2 - shift);
    if (i->upward)
        capsule(p, x - size * y1, y - size * x1, x - size * y2, y - size * x2);
    else
        capsule(p, x + size * x1, y - size * y1, x + size * x2, y - size * y2);
}

static void paint_text(painter *p, const dry_plot__scene *scene) {
    dry_plot__item placed = *p->item;
    (void)scene;
    placed.w = dry_plot__text_width(placed.text);
    p->item = &placed;
    p->radius = 0.5 * placed.style.size * p->scale *
                (placed.style.bold ? DRY_PLOT__STROKE_BOLD : DRY_PLOT__STROKE);
    dry_plot__text_strokes(placed.text, pen, p);
}

static void paint(painter *p, const dry_plot__scene *scene) {
    static void (*const how[])(painter *,
                               const dry_plot__scene *) = {[DRY_PLOT__BOX] = paint_box,
                                                           [DRY_PLOT__LINE] = paint_line,
                                                           [DRY_PLOT__DOT] = paint_dot,
                                                           [DRY_PLOT__TEXT] = paint_text};
    for (size_t i = 0; i < scene->n; i++) {
        p->item = &scene->item[i];
        p->radius = 0.5 * p->item->style.size * p->scale;
        how[p->item->style.shape](p, scene);
        lay(p, scene->item[i].style.ink);
    }
}

dry_status dry_plot__raster(const dry_plot__scene *scene, int scale, dry_plot__image *image,
                            dry_error *error) {
    double w = scene->width * scale, h = scene->height * scale;
    *image = (dry_plot__image){0};
    if (w * h > MOST_PIXELS)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a picture of %.0f x %.0f pixels is too large; use fewer panels, a "
                             "smaller scale, or write .svg",
                             w, h);
    size_t pixels = (size_t)w * (size_t)h;
    uint8_t *mask = calloc(pixels, 1);
    *image = (dry_plot__image){malloc(3 * pixels), (int)w, (int)h};
    if (mask && image->rgb) {
        painter p = {.image = image, .mask = mask, .scale = scale};
        for (size_t i = 0; i < pixels; i++) blend(&image->rgb[3 * i], scene->theme->ground, 255);
        lay(&p, 0);
        paint(&p, scene);
    }
    bool ok = mask && image->rgb;
    free(mask);
    if (ok) return DRY_OK;
    dry_plot__image_free(image);
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory for %.0f x %.0f pixels", w, h);
}

void dry_plot__image_free(dry_plot__image *image) {
    free(image->rgb);
    image->rgb = NULL;
}
