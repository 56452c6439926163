/* A scene as PDF 1.4: one page, lines and boxes as vectors, texts as texts in the built-in font.
 *
 * The font is of type 3, so a letter is a little drawing: the strokes of glyphs.c. Two fonts differ
 * in the width of the strokes. Code k shows glyph k - 1; /ToUnicode gives its character to readers
 * that search or copy. A pixel of the scene is 3/4 of a point, and y runs downward as in the scene.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 0.75 /* per pixel */

enum { CATALOG = 1, PAGES, PAGE, CONTENT, PLAIN, BOLD, UNICODE, FIRST_GLYPH };

/* The file, and the places of its objects, in the order of their numbers from 1. */
typedef struct writer {
    FILE *f;
    size_t at, *start; /* bytes */
    int n;
} writer;

/* ---- numbers ------------------------------------------------------------------------------------
 */

/* To a thousandth, independent of the locale. */
static void number(FILE *f, double value) {
    const long long n = llround(value * 1000.0), size = n < 0 ? -n : n;
    fprintf(f, "%s%lld.%03lld ", n < 0 ? "-" : "", size / 1000, size % 1000);
}

static void colour(FILE *f, uint32_t rgb, const char *what) {
    for (int shift = 16; shift >= 0; shift -= 8) number(f, (rgb >> shift & 255u) / 255.0);
    fprintf(f, "%s\n", what);
}

/* ---- items --------------------------------------------------------------------------------------
 */

static void put_box(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    (void)scene;
    colour(f, item->style.ink, "rg");
    number(f, item->x);
    number(f, item->y);
    number(f, item->w);
    number(f, item->h);
    fputs("re f\n", f);
}

static void put_stroke(FILE *f, const dry_plot__item *item) {
    colour(f, item->style.ink, "RG");
    number(f, item->style.size);
    fputs("w ", f);
    if (item->style.dashed) {
        fputc('[', f);
        number(f, DRY_PLOT__DASH);
        number(f, DRY_PLOT__DASH_GAP);
        fputs("] 0 d\n", f);
    } else {
        fputs("[] 0 d\n", f);
    }
}

static void put_line(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    const dry_plot__point *p = scene->points.at + item->first;
    put_stroke(f, item);
    for (size_t i = 0; i < item->n; i++) {
        number(f, p[i].x);
        number(f, p[i].y);
        fputs(i ? "l\n" : "m\n", f);
    }
    fputs("S\n", f);
}

/* A line without length has a round end. */
static void put_dot(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    (void)scene;
    put_stroke(f, item);
    for (int i = 0; i < 2; i++) {
        number(f, item->x);
        number(f, item->y);
        fputs(i ? "l S\n" : "m ", f);
    }
}

/* The characters of one level as codes of the font; returns what follows them. */
static const char *put_level(FILE *f, const char *text, int level) {
    fputc('<', f);
    for (;;) {
        const char *next = text;
        int rise;
        const uint32_t code = dry_plot__plain(dry_plot__decode(&next), &rise);
        if (code == 0 || rise != level) break;
        fprintf(f, "%02X", (unsigned)dry_plot__glyph_of(code) + 1u);
        text = next;
    }
    fputs("> Tj\n", f);
    return text;
}

static void put_levels(FILE *f, const dry_plot__style *style, const char *text) {
    while (*text) {
        const char *next = text;
        int rise;
        dry_plot__plain(dry_plot__decode(&next), &rise);
        fprintf(f, "/F%d ", style->bold);
        number(f, style->size * (rise ? DRY_PLOT__RAISED_SIZE : 1.0));
        fputs("Tf ", f);
        number(f, style->size * (rise > 0 ? DRY_PLOT__RAISED : rise < 0 ? DRY_PLOT__DROPPED : 0.0));
        fputs("Ts ", f);
        text = put_level(f, text, rise);
    }
}

static void put_text(FILE *f, const dry_plot__scene *scene, const dry_plot__item *item) {
    (void)scene;
    const double stretch = item->style.bold ? DRY_PLOT__STRETCH_BOLD : 1.0;
    const double width = stretch * item->style.size * dry_plot__text_width(item->text);
    const double shift = 0.5 * (double)item->style.anchor * width;
    colour(f, item->style.ink, "rg");
    colour(f, item->style.ink, "RG");
    fputs("BT ", f);
    number(f, 100.0 * stretch);
    fputs(item->upward ? "Tz 0 -1 -1 0 " : "Tz 1 0 0 -1 ", f);
    number(f, item->upward ? item->x : item->x - shift);
    number(f, item->upward ? item->y + shift : item->y);
    fputs("Tm\n", f);
    put_levels(f, &item->style, item->text);
    fputs("ET\n", f);
}

static void put_items(FILE *f, const dry_plot__scene *scene) {
    static void (*const how[])(FILE *, const dry_plot__scene *,
                               const dry_plot__item *) = {[DRY_PLOT__BOX] = put_box,
                                                          [DRY_PLOT__LINE] = put_line,
                                                          [DRY_PLOT__DOT] = put_dot,
                                                          [DRY_PLOT__TEXT] = put_text};
    number(f, POINTS);
    fputs("0 0 ", f);
    number(f, -POINTS);
    fputs("0 ", f);
    number(f, POINTS * scene->height);
    fputs("cm 1 J 1 j\n", f);
    const dry_plot__item ground = {
        .style = {.ink = scene->theme->ground}, .w = scene->width, .h = scene->height};
    put_box(f, scene, &ground);
    for (size_t i = 0; i < scene->n; i++)
        how[scene->item[i].style.shape](f, scene, &scene->item[i]);
}

/* ---- objects ------------------------------------------------------------------------------------
 */

static void add(writer *w, const char *text, size_t length) {
    fwrite(text, 1, length, w->f);
    w->at += length;
}

static void add_line(writer *w, const char *text) { add(w, text, strlen(text)); }

typedef void (*filler)(FILE *, const void *user);

/* An object that `fill` writes, in memory first, because its length must be known; as a stream the
 * length stands before it. False without memory. */
static bool put_object(writer *w, bool stream, filler fill, const void *user) {
    char *text = NULL, head[80];
    size_t length = 0;
    FILE *f = dry_text_open(&text, &length);
    if (f) fill(f, user);
    if (!f || !dry_text_close(f, &text)) return false;
    w->start[w->n++] = w->at;
    snprintf(head, sizeof head, "%d 0 obj\n", w->n);
    add_line(w, head);
    snprintf(head, sizeof head, "<< /Length %zu >>\nstream\n", length);
    if (stream) add_line(w, head);
    add(w, text, length);
    add_line(w, stream ? "\nendstream\nendobj\n" : "endobj\n");
    free(text);
    return true;
}

static void fill_page(FILE *f, const void *scene) { put_items(f, scene); }

/* ---- the font -----------------------------------------------------------------------------------
 */

static void pen(void *user, double x1, double y1, double x2, double y2) {
    FILE *f = user;
    number(f, DRY_PLOT__EM * x1);
    number(f, DRY_PLOT__EM * y1);
    fputs("m ", f);
    number(f, DRY_PLOT__EM * x2);
    number(f, DRY_PLOT__EM * y2);
    fputs("l\n", f);
}

typedef struct letter {
    const dry_plot__glyph *glyph;
    double stroke; /* ems */
} letter;

static void fill_glyph(FILE *f, const void *user) {
    const letter *l = user;
    char text[5];
    dry_plot__encode(l->glyph->code, text);
    number(f, l->glyph->advance);
    fputs("0 d0 ", f);
    number(f, DRY_PLOT__EM * l->stroke);
    fputs("w 1 J 1 j\n", f);
    dry_plot__text_strokes(text, pen, f);
    fputs("S\n", f);
}

static bool put_glyphs(writer *w, double stroke) {
    bool ok = true;
    for (size_t i = 0; i < dry_plot__n_glyphs && ok; i++) {
        const letter l = {&dry_plot__glyphs[i], stroke};
        ok = put_object(w, true, fill_glyph, &l);
    }
    return ok;
}

/* `user` is the number of the object of its first glyph. */
static void fill_font(FILE *f, const void *user) {
    const int n = (int)dry_plot__n_glyphs, first_glyph = *(const int *)user;
    fprintf(f,
            "<< /Type /Font /Subtype /Type3 /FontBBox [-2 -6 22 20] /FontMatrix [0.05 0 0 0.05 0 0]"
            " /Resources << >> /FirstChar 1 /LastChar %d /ToUnicode %d 0 R\n/Widths [",
            n, UNICODE);
    for (int i = 0; i < n; i++) number(f, dry_plot__glyphs[i].advance);
    fputs("]\n/CharProcs <<", f);
    for (int i = 0; i < n; i++) fprintf(f, " /g%d %d 0 R", i, first_glyph + i);
    fputs(" >>\n/Encoding << /Type /Encoding /Differences [1", f);
    for (int i = 0; i < n; i++) fprintf(f, " /g%d", i);
    fputs("] >> >>\n", f);
}

/* The character of each code; a list has at most 100 rows. */
static void fill_unicode(FILE *f, const void *user) {
    (void)user;
    fputs("/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
          "/CMapName /Drystone def /CMapType 2 def\n"
          "1 begincodespacerange <00> <FF> endcodespacerange\n",
          f);
    for (size_t i = 0; i < dry_plot__n_glyphs; i++) {
        const size_t left = dry_plot__n_glyphs - i;
        if (i % 100 == 0) fprintf(f, "%zu beginbfchar\n", left < 100 ? left : 100);
        fprintf(f, "<%02zX> <%04X>\n", i + 1, (unsigned)dry_plot__glyphs[i].code);
        if (i % 100 == 99 || left == 1) fputs("endbfchar\n", f);
    }
    fputs("endcmap CMapName currentdict /CMap defineresource pop end end", f);
}

/* ---- the file -----------------------------------------------------------------------------------
 */

static void fill_catalog(FILE *f, const void *user) {
    (void)user;
    fprintf(f, "<< /Type /Catalog /Pages %d 0 R >>\n", PAGES);
}

static void fill_pages(FILE *f, const void *user) {
    (void)user;
    fprintf(f, "<< /Type /Pages /Kids [%d 0 R] /Count 1 >>\n", PAGE);
}

static void fill_page_head(FILE *f, const void *user) {
    const dry_plot__scene *scene = user;
    fprintf(f, "<< /Type /Page /Parent %d 0 R /Contents %d 0 R /MediaBox [0 0 ", PAGES, CONTENT);
    number(f, POINTS * scene->width);
    number(f, POINTS * scene->height);
    fprintf(f, "] /Resources << /Font << /F0 %d 0 R /F1 %d 0 R >> >> >>\n", PLAIN, BOLD);
}

/* The list of the places of all objects. */
static void put_tail(const writer *w) {
    fprintf(w->f, "xref\n0 %d\n0000000000 65535 f \n", w->n + 1);
    for (int i = 0; i < w->n; i++) fprintf(w->f, "%010zu 00000 n \n", w->start[i]);
    fprintf(w->f, "trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%zu\n%%%%EOF\n", w->n + 1,
            CATALOG, w->at);
}

/* In the order of the numbers of the objects. */
static bool put_objects(writer *w, const dry_plot__scene *scene) {
    const int plain = FIRST_GLYPH, bold = FIRST_GLYPH + (int)dry_plot__n_glyphs;
    return put_object(w, false, fill_catalog, NULL) && put_object(w, false, fill_pages, NULL) &&
           put_object(w, false, fill_page_head, scene) && put_object(w, true, fill_page, scene) &&
           put_object(w, false, fill_font, &plain) && put_object(w, false, fill_font, &bold) &&
           put_object(w, true, fill_unicode, NULL) && put_glyphs(w, DRY_PLOT__STROKE) &&
           put_glyphs(w, DRY_PLOT__STROKE_BOLD);
}

static dry_status write_file(const dry_plot__scene *scene, void *path, dry_error *error) {
    dry_file file;
    dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    writer w = {.f = file.stream};
    w.start = calloc(FIRST_GLYPH + 2 * dry_plot__n_glyphs, sizeof *w.start);
    add_line(&w, "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n");
    const bool whole = w.start && put_objects(&w, scene);
    if (whole) put_tail(&w);
    free(w.start);
    if (whole) return dry_file_commit(&file, error);
    dry_file_abandon(&file);
    return dry_error_set_at(error, DRY_NO_MEMORY, path, 0, 0, "out of memory for the picture");
}

dry_status dry_plot_pdf(const dry_plot *plot, const char *path, dry_error *error) {
    return dry_plot__draw(plot, write_file, (void *)(uintptr_t)path, error);
}
