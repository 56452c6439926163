/* plot: draws columns of a record in the terminal, as SVG, PNG and PDF.
 *
 * Floor 6: core, base, record. */
#ifndef DRYSTONE_PLOT_H
#define DRYSTONE_PLOT_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/record.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DRY_PLOT_CURVES = 12 };

enum { DRY_PLOT_SHADES = 4 };

/* One panel: some columns over another, usually the time; or a map, which shows a column by colour
 * over the grid of two others, x and y[0]. */
typedef struct dry_panel {
    const char *title;                         /* NULL: none */
    int x;                                     /* column of the abscissa */
    int y[DRY_PLOT_CURVES];                    /* columns of the curves */
    const int *own_x;                          /* the abscissa of each curve; NULL: x for all */
    const dry_record *record[DRY_PLOT_CURVES]; /* of each curve; NULL: the plot's own record */
    const char *label[DRY_PLOT_CURVES];        /* NULL: the column's name, in mathematics */
    bool beside[DRY_PLOT_CURVES];              /* on a second ordinate, at the right */
    int n_curves;
    int marks; /* small signs on each curve, spread over its rows; 0: none */
    int map; /* column shown by colour; 0: no map. A cell without a number shows the background. The
                terminal draws no map */
    dry_picture_axis x_axis, y_axis, beside_axis;
    int shade[DRY_PLOT_SHADES]; /* columns of the plot's record: a band of the abscissa is shaded
                                   while one is not 0 */
    int n_shades;
} dry_panel;

/* Zero means the default. */
typedef struct dry_plot {
    const dry_record *record;
    const char *title; /* NULL: none */
    const dry_panel *panels;
    int n_panels;
    int number;        /* of the first panel in messages, default 1 */
    int width, height; /* SVG, PNG, PDF: pixels of one panel with its labels, default 720 x 320;
                          terminal: columns of a panel with its labels and rows of its
                          drawing area, default $COLUMNS, or as wide as the terminal is, or
                          72, x 14 */
    int scale;         /* PNG: pixels of the file per pixel of the layout, default 2 */
    bool dark;         /* light ink on a dark background */
} dry_plot;

/* Draws with Unicode braille dots, axes and a legend; colour: use ANSI colours. */
DRY_API dry_status dry_plot_terminal(const dry_plot *plot, FILE *stream, bool colour,
                                     dry_error *error);
DRY_API dry_status dry_plot_svg(const dry_plot *plot, const char *path, dry_error *error);
/* Writes the same text to a stream, such as one in memory; writes nothing if the plot cannot be
 * drawn. */
DRY_API dry_status dry_plot_svg_stream(const dry_plot *plot, FILE *stream, dry_error *error);
/* Returns DRY_UNSUPPORTED, with a way out, if the build has no PNG library. */
DRY_API dry_status dry_plot_png(const dry_plot *plot, const char *path, dry_error *error);
/* Vectors, with the letters of the PNG; a pixel is 3/4 of a point. */
DRY_API dry_status dry_plot_pdf(const dry_plot *plot, const char *path, dry_error *error);
/* Chooses the format by the ending of the path: .svg, .png or .pdf. */
DRY_API dry_status dry_plot_write(const dry_plot *plot, const char *path, dry_error *error);
DRY_API bool dry_plot_has_png(void);

/* ---- texts as pictures have them ------------------------------------------------------- */

/* A name or an expression as mathematics: "p1x" as p with the index 1x, "N[2]" as N with the index
 * 2, "mu*v" as "μ·v". Names with dots stay as they are. A lowered letter has no code point in
 * Unicode: U+E000 plus its ASCII code stands for it, which labels and titles may have. NULL without
 * memory. */
DRY_API char *dry_plot_math(dry_arena *arena, const char *text);
/* "m/s^2" as "m/s²", "N*m" as "N·m", "um" as "µm". NULL without memory. */
DRY_API char *dry_plot_unit(dry_arena *arena, const char *unit);

/* The stretches of the abscissa in which a condition holds: from[i] to to[i]. */
typedef struct dry_panel_band {
    const char *label;
    double *from, *to;
    size_t n;
} dry_panel_band;

/* From the least to the greatest value that an axis shows, or as it was asked for; low > high:
 * there is none. */
typedef struct dry_panel_range {
    double low, high;
} dry_panel_range;

/* What a picture of a panel shows besides its curves: the texts along the axes and in the legend,
 * the ranges, the shaded bands. */
typedef struct dry_panel_texts {
    const char *x, *y; /* "p [m]"; y is "" if the curves differ in unit, which labels then have */
    const char *label[DRY_PLOT_CURVES];
    const char *beside; /* along the second ordinate, as y */
    dry_panel_band band[DRY_PLOT_SHADES];
    int n_bands;
    dry_panel_range x_range, y_range, beside_range;
} dry_panel_texts;
/* The texts live in the arena, or as long as the panel and the record. Returns the error of a panel
 * that cannot be drawn, such as one with a logarithmic axis and no value above 0. */
DRY_API dry_status dry_panel_texts_of(const dry_plot *plot, int panel, dry_arena *arena,
                                      dry_panel_texts *texts, dry_error *error);

/* Curves in a plane over one abscissa that may turn back, n <= DRY_PLOT_CURVES. */
typedef struct dry_plot_plane {
    const double *x, *const *y; /* y[curve][row] */
    int n;
    double x_scale, y_scale; /* pixels per unit */
} dry_plot_plane;

/* Thins out the n increasing row numbers in `rows`: keeps, at its beginning, those needed to draw
 * every curve to within about `tolerance` pixels, with the first, the last and the ends of gaps.
 * Returns how many. */
DRY_API size_t dry_plot_rows(const dry_plot_plane *plane, double tolerance, size_t *rows, size_t n);

#ifdef __cplusplus
}
#endif
#endif
