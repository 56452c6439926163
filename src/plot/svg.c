/* A scene as SVG 1.1: groups of equal style, one element in a line, numbers to a hundredth of a
 * pixel, texts as texts. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* A number without needless digits, independent of the locale: "12", "3.25", "-0.5". */
static void number(FILE *f, double value) {
    long long n = llround(value * 100.0);
    const char *sign = n < 0 ? "-" : "";
    if (n < 0) n = -n;
    if (n % 100 == 0)
        fprintf(f, "%s%lld", sign, n / 100);
    else if (n % 10 == 0)
        fprintf(f, "%s%lld.%lld", sign, n / 100, n / 10 % 10);
    else
        fprintf(f, "%s%lld.%02lld", sign, n / 100, n % 100);
}

static void attribute(FILE *f, const char *name, double value) {
    fprintf(f, " %s=\"", name);
    number(f, value);
    fputc('"', f);
}

static void colour(FILE *f, const char *name, uint32_t rgb) {
    fprintf(f, " %s=\"#%06x\"", name, (unsigned)rgb);
}

static void escaped(FILE *f, uint32_t code) {
    static const struct {
        uint32_t code;
        const char *text;
    } escape[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
    char bytes[5];
    const char *text = bytes;
    dry_plot__encode(code, bytes);
    for (size_t i = 0; i < sizeof escape / sizeof *escape; i++)
        if (escape[i].code == code) text = escape[i].text;
    fputs(text, f);
}

static void title(FILE *f, const char *text) {
    fputs("<title>", f);
    for (uint32_t code; (code = dry_plot__decode(&text)) != 0;) {
        int rise;
        escaped(f, code < DRY_PLOT__LOWERED ? code : dry_plot__plain(code, &rise));
    }
    fputs("</title>", f);
}

/* Writes the characters of one level (base, raised or lowered); returns what follows them. */
static const char *level_text(FILE *f, const char *text, int level) {
    for (;;) {
        const char *next = text;
        int rise;
        uint32_t code = dry_plot__plain(dry_plot__decode(&next), &rise);
        if (code == 0 || rise != level) return text;
        escaped(f, code);
        text = next;
    }
}

/* Raised and lowered digits are plain ones on another baseline, so that any font shows them. */
static void levels(FILE *f, const char *text, double size) {
    static const double height[] = {-0.2, 0.0, 0.38};
    double before = 0.0;
    while (*text) {
        int rise;
        const char *next = text;
        dry_plot__plain(dry_plot__decode(&next), &rise);
        double now = height[rise + 1];
        bool span = now != before || rise != 0;
        if (span) fputs("<tspan", f);
        if (span) attribute(f, "dy", (before - now) * size);
        if (rise != 0) attribute(f, "font-size", 0.72 * size);
        if (span) fputc('>', f);
        text = level_text(f, text, rise);
        if (span) fputs("</tspan>", f);
        before = now;
    }
}

/* ---- items --------------------------------------------------------------------------------- */

static void write_box(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    (void)scene;
    fputs("<rect", f);
    attribute(f, "x", item->x);
    attribute(f, "y", item->y);
    attribute(f, "width", item->w);
    attribute(f, "height", item->h);
    fputs("/>\n", f);
}

static void write_segment(FILE *f, dry_plot__point p, dry_plot__point q) {
    fputs("<line", f);
    attribute(f, "x1", p.x);
    attribute(f, "y1", p.y);
    attribute(f, "x2", q.x);
    attribute(f, "y2", q.y);
    fputs("/>\n", f);
}

static void write_line(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    const dry_plot__point *p = scene->points.at + item->first;
    if (!item->text && item->n == 2) {
        write_segment(f, p[0], p[1]);
        return;
    }
    fputs("<polyline points=\"", f);
    for (size_t i = 0; i < item->n; i++) {
        if (i > 0) fputc(i % 12 ? ' ' : '\n', f);
        number(f, p[i].x);
        fputc(',', f);
        number(f, p[i].y);
    }
    fputs("\">", f);
    if (item->text) title(f, item->text);
    fputs("</polyline>\n", f);
}

static void write_dot(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    (void)scene;
    fputs("<circle", f);
    attribute(f, "cx", item->x);
    attribute(f, "cy", item->y);
    attribute(f, "r", 0.5 * item->style.size);
    fputs("/>\n", f);
}

static void write_text(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    (void)scene;
    fputs("<text", f);
    attribute(f, "x", item->x);
    attribute(f, "y", item->y);
    if (item->upward) {
        fputs(" transform=\"rotate(-90 ", f);
        number(f, item->x);
        fputc(' ', f);
        number(f, item->y);
        fputs(")\"", f);
    }
    fputc('>', f);
    levels(f, item->text, item->style.size);
    fputs("</text>\n", f);
}

/* ---- groups -------------------------------------------------------------------------------- */

static bool same(const dry_plot__style *a, const dry_plot__style *b) {
    return a->role == b->role && a->shape == b->shape && a->ink == b->ink && a->size == b->size &&
           a->dashed == b->dashed && a->bold == b->bold && a->anchor == b->anchor;
}

static void fill_style(FILE *f, const dry_plot__style *style) { colour(f, "fill", style->ink); }

/* Cells of a map meet without a seam, however the picture is scaled. */
static void box_style(FILE *f, const dry_plot__style *style) {
    fill_style(f, style);
    fputs(" shape-rendering=\"crispEdges\"", f);
}

static void line_style(FILE *f, const dry_plot__style *style) {
    bool curve = strcmp(style->role, "curve") == 0 || strcmp(style->role, "mark") == 0;
    fputs(" fill=\"none\"", f);
    colour(f, "stroke", style->ink);
    attribute(f, "stroke-width", style->size);
    if (style->dashed) fputs(" stroke-dasharray=\"6 3\"", f);
    fputs(curve ? " stroke-linejoin=\"round\" stroke-linecap=\"round\""
                : " shape-rendering=\"crispEdges\"",
          f);
}

static void text_style(FILE *f, const dry_plot__style *style) {
    static const char *const anchor[] = {"start", "middle", "end"};
    colour(f, "fill", style->ink);
    attribute(f, "font-size", style->size);
    fprintf(f, " text-anchor=\"%s\"", anchor[style->anchor]);
    if (style->bold) fputs(" font-weight=\"bold\"", f);
}

/* How each shape is written, alone and in what it shares with its group. */
static const struct {
    void (*style)(FILE *, const dry_plot__style *);
    void (*item)(FILE *, const dry_plot__scene *, const dry_plot__item *);
} shapes[] = {[DRY_PLOT__BOX] = {box_style, write_box},
              [DRY_PLOT__LINE] = {line_style, write_line},
              [DRY_PLOT__DOT] = {fill_style, write_dot},
              [DRY_PLOT__TEXT] = {text_style, write_text}};

static void write_group(FILE *f, const dry_plot__scene *scene, size_t first, size_t end) {
    const dry_plot__style *style = &scene->item[first].style;
    fprintf(f, "<g class=\"%s\"", style->role);
    shapes[style->shape].style(f, style);
    fputs(">\n", f);
    for (size_t i = first; i < end; i++) shapes[style->shape].item(f, scene, &scene->item[i]);
    fputs("</g>\n", f);
}

static void write_scene(FILE *f, const dry_plot__scene *scene) {
    int w = (int)scene->width, h = (int)scene->height;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", f);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
            "'DejaVu Sans', sans-serif\" xml:space=\"preserve\">\n",
            w, h, w, h);
    fputs("<rect width=\"100%\" height=\"100%\"", f);
    colour(f, "fill", scene->theme->ground);
    fputs("/>\n", f);
    for (size_t i = 0, end; i < scene->n; i = end) {
        for (end = i + 1; end < scene->n; end++)
            if (!same(&scene->item[i].style, &scene->item[end].style)) break;
        write_group(f, scene, i, end);
    }
    fputs("</svg>\n", f);
}

static dry_status write_file(const dry_plot__scene *scene, void *path, dry_error *error) {
    dry_file file;
    dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    write_scene(file.stream, scene);
    return dry_file_commit(&file, error);
}

static dry_status write_stream(const dry_plot__scene *scene, void *stream, dry_error *error) {
    write_scene(stream, scene);
    if (fflush(stream) == 0 && !ferror(stream)) return DRY_OK;
    return dry_error_set(error, DRY_IO,
                         "cannot write the picture; is the disk full, or the reader of the pipe "
                         "gone?");
}

dry_status dry_plot_svg(const dry_plot *plot, const char *path, dry_error *error) {
    return dry_plot__draw(plot, write_file, (void *)(uintptr_t)path, error);
}

dry_status dry_plot_svg_stream(const dry_plot *plot, FILE *stream, dry_error *error) {
    return dry_plot__draw(plot, write_stream, stream, error);
}
