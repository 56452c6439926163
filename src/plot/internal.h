/* What the files of the plot room share: text, axis, figure, thinning, scene.
 *
 * The way of a picture: dry_plot -> figure (columns resolved, ranges, titles) -> scene (lines and
 * texts in pixels) -> SVG, PDF or pixels -> PNG. The terminal draws the figure on a canvas of
 * cells. */
#ifndef DRY_PLOT_INTERNAL_H
#define DRY_PLOT_INTERNAL_H

#include <drystone/plot.h>
#include <stdint.h>

/* ---- text.c: UTF-8, superscripts, units ---------------------------------------------------- */

/* The next code point; *text moves past it. Control characters and broken bytes give U+FFFD, the
 * end gives 0. */
uint32_t dry_plot__decode(const char **text);
/* Writes the code point as UTF-8 with a terminating zero; returns the number of bytes. */
int dry_plot__encode(uint32_t code, char bytes[5]);
/* The plain character that a superscript (rise = 1) or subscript (rise = -1) one stands for;
 * the code point itself, with rise = 0, where it is neither. A lowered letter has no code point in
 * Unicode; DRY_PLOT__LOWERED + its ASCII code stands for it. */
enum { DRY_PLOT__LOWERED = 0xE000 };
uint32_t dry_plot__plain(uint32_t code, int *rise);
/* Ten to the power as text: "×10⁻³". */
void dry_plot__power(int exponent, char text[32]);
/* printf into the arena; NULL without memory. */
char *dry_plot__print(dry_arena *arena, const char *format, ...) DRY_PRINTF(2, 3);

/* The text where its measure is at most `most`; otherwise its longest beginning with an ellipsis
 * that is, and after it the unit if it ends in one. */
typedef double (*dry_plot__measure)(const char *text);
char *dry_plot__elide(dry_arena *arena, const char *text, double most, dry_plot__measure measure);

/* ---- axis.c: ranges, round ticks, labels --------------------------------------------------- */

enum { DRY_PLOT__TICKS = 8 };

typedef struct dry_plot__range {
    double lo, hi; /* lo > hi: empty */
} dry_plot__range;

typedef struct dry_plot__axis {
    double lo, hi;
    bool log;
    int n; /* ticks */
    double tick[DRY_PLOT__TICKS];
    char label[DRY_PLOT__TICKS][48];
    char note[136]; /* what all labels share: "×10⁻³", "+1000"; "" for nothing */
} dry_plot__axis;

/* Whether a value can be drawn: finite, and far enough from the largest double. */
bool dry_plot__drawable(double value);
dry_plot__range dry_plot__range_empty(void);
dry_plot__range dry_plot__range_of(const double *values, size_t n);
/* Of those > 0, for a logarithmic axis. */
dry_plot__range dry_plot__range_positive(const double *values, size_t n);
dry_plot__range dry_plot__range_join(dry_plot__range a, dry_plot__range b);
/* An axis over the range, widened by the part `pad` of it at both ends (and more where it is empty
 * or a single value), with at most `most` ticks at multiples of 1, 2 or 5 times 10^k. From
 * most = 5 on there are 3 to 8 ticks. */
void dry_plot__axis_make(dry_plot__axis *axis, dry_plot__range range, double pad, int most);
/* A logarithmic axis over a range of positive values: powers of ten, with 2 and 5 where there is
 * room. */
void dry_plot__axis_make_log(dry_plot__axis *axis, dry_plot__range range, double pad, int most);
/* The position of a value on the axis, 0 at lo, 1 at hi; nan if it has none. */
double dry_plot__axis_at(const dry_plot__axis *axis, double value);

/* ---- figure.c: the columns that a plot names, resolved ------------------------------------- */

typedef struct dry_plot__curve {
    const double *x, *y;
    size_t n;
    const char *label; /* as in the legend */
    bool beside;       /* on the second ordinate */
} dry_plot__curve;

/* A column over the grid of two others: cell (i, j) lies from x[i], y[j] to x[i + 1], y[j + 1]. */
typedef struct dry_plot__map {
    int nx, ny;
    double *x, *y, *z; /* z[j * nx + i]; nan: no number */
    const char *title;
    dry_plot__range range; /* of z */
} dry_plot__map;

typedef struct dry_plot__view {
    const char *title, *x_title, *y_title, *beside_title; /* "": none */
    const dry_plot__map *map;                             /* NULL: curves */
    dry_picture_axis x_axis, y_axis, beside_axis;         /* as they were asked for */
    dry_plot__curve curve[DRY_PLOT_CURVES];
    int n, marks;
    dry_panel_band bands[DRY_PLOT_SHADES];
    int n_bands;
    bool sorted;     /* the abscissa of every curve never falls */
    bool last;       /* the next panel has another abscissa: this one shows labels */
    bool has_beside; /* some curve is on the second ordinate */
    dry_plot__range x, y, beside;
} dry_plot__view;

typedef struct dry_plot__figure {
    dry_arena *arena;
    const char *title; /* "": none */
    dry_plot__view *view;
    int n;
} dry_plot__figure;

dry_status dry_plot__figure_make(dry_plot__figure *figure, const dry_plot *plot, dry_error *error);
void dry_plot__figure_free(dry_plot__figure *figure);
/* The axis of the abscissa, of the ordinate, of the second ordinate, with at most `most` ticks. */
void dry_plot__x_axis(dry_plot__axis *axis, const dry_plot__view *view, int most);
void dry_plot__y_axis(dry_plot__axis *axis, const dry_plot__view *view, int most);
void dry_plot__beside_axis(dry_plot__axis *axis, const dry_plot__view *view, int most);

/* ---- bands.c: when a condition holds -------------------------------------------------------- */

/* Of n rows; false without memory. */
bool dry_plot__bands_find(dry_panel_band *bands, const double *x, const double *condition, size_t n,
                          dry_arena *arena);

/* ---- map.c: a column over a grid, by colour ------------------------------------------------ */

/* The map of three columns of n rows; NULL without memory. */
dry_plot__map *dry_plot__map_make(dry_arena *arena, const double *x, const double *y,
                                  const double *z, size_t n, bool x_log, bool y_log);

/* ---- columns.c: the width of a terminal --------------------------------------------------- */

/* Of $COLUMNS, or of the terminal that the stream writes to; 0: not known. */
int dry_plot__columns(FILE *stream);

/* ---- points in pixels ---------------------------------------------------------------------- */

typedef struct dry_plot__point {
    double x, y;
} dry_plot__point;

/* A growing list of points; `failed` where memory ran out. */
typedef struct dry_plot__points {
    dry_plot__point *at;
    size_t n, room;
    bool failed;
} dry_plot__points;

void dry_plot__points_add(dry_plot__points *points, double x, double y);

/* ---- cone.c: how far a straight line may stand for a curve ---------------------------------- */

typedef struct dry_plot__cone {
    dry_plot__point anchor, last; /* of the line; the last point that was left out */
    bool narrowed;                /* one was left out that not every line passes */
    double axis, low, high;       /* directions that pass them all: axis + low .. axis + high */
} dry_plot__cone;

void dry_plot__cone_start(dry_plot__cone *cone, dry_plot__point anchor);
/* Whether a line from the anchor to p passes the points left out, and p is not nearer than them. */
bool dry_plot__cone_takes(const dry_plot__cone *cone, dry_plot__point p);
/* Leaves p out: the line will pass it within the tolerance. */
void dry_plot__cone_narrow(dry_plot__cone *cone, dry_plot__point p, double tolerance);

/* ---- thin.c: what of a curve can be seen --------------------------------------------------- */

/* From data to pixels: x_px = x0 + w * axis_at(x), y_px = y0 + h * (1 - axis_at(y)). */
typedef struct dry_plot__frame {
    const dry_plot__axis *x, *y;
    double x0, y0, w, h;
} dry_plot__frame;

/* Gets each unbroken run of a curve: points[first..first+n). */
typedef void (*dry_plot__run)(void *user, size_t first, size_t n);

/* The place of a point of a curve in pixels. Returns false if it has none: no number, or not
 * positive on a logarithmic axis. */
bool dry_plot__place(const dry_plot__frame *frame, double x, double y, dry_plot__point *place);
/* Whether a place is inside the frame, its border included. */
bool dry_plot__inside(const dry_plot__frame *frame, dry_plot__point p);

/* Adds the points that are needed to draw the curve inside the frame, and its runs. For a sorted
 * abscissa these are the first, lowest, highest and last of each half pixel column; otherwise
 * points closer than a quarter of a pixel to the one before are left out. What lies on a straight
 * line within a twentieth of a pixel is left out in both. */
void dry_plot__thin(const dry_plot__curve *curve, bool sorted, const dry_plot__frame *frame,
                    dry_plot__points *points, dry_plot__run run, void *user);

/* ---- theme.c ------------------------------------------------------------------------------- */

typedef struct dry_plot__theme {
    uint32_t ground, ink, faint, grid; /* 0xRRGGBB */
    uint32_t curve[6];                 /* distinguished by colour-blind readers */
    uint32_t band[DRY_PLOT_SHADES];    /* of shaded conditions */
} dry_plot__theme;

const dry_plot__theme *dry_plot__theme_of(bool dark);

/* ---- scene.c: lines, boxes and texts in pixels --------------------------------------------- */

typedef enum dry_plot__shape {
    DRY_PLOT__BOX,  /* filled, from (x, y) to (x + w, y + h) */
    DRY_PLOT__LINE, /* through points[first..first+n) */
    DRY_PLOT__DOT,  /* of diameter `size` at (x, y) */
    DRY_PLOT__TEXT  /* of font size `size` with its baseline at (x, y) */
} dry_plot__shape;

typedef enum dry_plot__anchor { DRY_PLOT__START, DRY_PLOT__MIDDLE, DRY_PLOT__END } dry_plot__anchor;

/* How an item looks; neighbours of the same style form a group. */
typedef struct dry_plot__style {
    const char *role; /* "grid", "axis", "curve", ...: the class in SVG */
    dry_plot__shape shape;
    uint32_t ink;
    double size; /* line width, dot diameter, font size, pixels */
    bool dashed, bold;
    dry_plot__anchor anchor;
} dry_plot__style;

typedef struct dry_plot__item {
    dry_plot__style style;
    double x, y, w, h;
    bool upward;      /* a text turned by a quarter, reading from below */
    const char *text; /* of a text; of a line: what it shows, or NULL */
    size_t first, n;
} dry_plot__item;

typedef struct dry_plot__scene {
    double width, height;
    const dry_plot__theme *theme;
    dry_arena *arena;
    dry_plot__item *item;
    size_t n, room;
    dry_plot__points points;
    bool failed; /* memory ran out */
} dry_plot__scene;

void dry_plot__scene_box(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                         double w, double h);
void dry_plot__scene_segment(dry_plot__scene *scene, dry_plot__style style, double x1, double y1,
                             double x2, double y2);
void dry_plot__scene_line(dry_plot__scene *scene, dry_plot__style style, size_t first, size_t n,
                          const char *text);
void dry_plot__scene_dot(dry_plot__scene *scene, dry_plot__style style, double x, double y);
void dry_plot__scene_text(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                          const char *text);
/* A text turned by a quarter, reading from below. */
void dry_plot__scene_upward(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                            const char *text);
void dry_plot__scene_free(dry_plot__scene *scene);

/* ---- layout.c, legend.c: figure -> scene --------------------------------------------------- */

/* The scene of a plot; it lives in the figure's arena and must go before the figure. */
dry_status dry_plot__layout(const dry_plot__figure *figure, const dry_plot *plot,
                            dry_plot__scene *scene, dry_error *error);

typedef struct dry_plot__legend {
    bool above; /* rows above the panel, otherwise a box inside it at (x, y) */
    int per_row;
    double x, y, w, h, cell;                              /* cell: width of an entry */
    const char *label[DRY_PLOT_CURVES + DRY_PLOT_SHADES]; /* of the curves, then of the bands */
    int n, n_curves;
    bool marked; /* curves have marks */
} dry_plot__legend;

#define DRY_PLOT__LEGEND_ROW 17.0
#define DRY_PLOT__FONT 12.0
#define DRY_PLOT__SPARE 1.12 /* fonts of other programs are up to so much wider than ours */

/* The legend of a view whose curves, in a frame at the origin, are `lines`: where it hides
 * nothing, else above the panel. n = 0 where none is needed. */
void dry_plot__legend_place(dry_plot__legend *legend, const dry_plot__view *view,
                            const dry_plot__item *lines, size_t n_lines,
                            const dry_plot__point *points, double w, double h, dry_arena *arena);
void dry_plot__legend_draw(const dry_plot__legend *legend, dry_plot__scene *scene, double x,
                           double y);
/* The look of the curve of that number. */
dry_plot__style dry_plot__curve_style(const dry_plot__theme *theme, int curve);

/* ---- marks.c: signs on curves ---------------------------------------------------------------- */

/* Draws the sign of the curve of that number at a place. */
void dry_plot__mark_draw(dry_plot__scene *scene, int curve, double x, double y);
/* Draws the marks of a curve in a frame, `many` of them at rows evenly apart. */
void dry_plot__marks_draw(dry_plot__scene *scene, const dry_plot__curve *curve, int number,
                          int many, const dry_plot__frame *frame);

/* Draws the cells of a map in a frame, and its bar of colours to the right of it, whose axis is
 * that of the values. */
void dry_plot__map_draw(const dry_plot__map *map, const dry_plot__frame *frame,
                        dry_plot__scene *scene);
void dry_plot__bar_draw(const dry_plot__map *map, const dry_plot__axis *axis, double x, double y,
                        double h, dry_plot__scene *scene);
/* The width that the bar takes with its labels and its title. */
double dry_plot__bar_width(const dry_plot__map *map, const dry_plot__axis *axis);

/* ---- font.c, glyphs.c: letters as strokes -------------------------------------------------- */

/* Strokes on a grid of 20 units to the em, baseline at y = 0, y upward: M x y lifts the pen,
 * L x y draws, Q cx cy x y draws a parabola, A cx cy rx ry a b an arc of an ellipse from a to b
 * degrees, joined to the pen where it is down. */
typedef struct dry_plot__glyph {
    uint32_t code;
    double advance;
    const char *path;
} dry_plot__glyph;

extern const dry_plot__glyph dry_plot__glyphs[];
extern const size_t dry_plot__n_glyphs;

#define DRY_PLOT__EM 20.0

/* The width of a text of font size 1. */
double dry_plot__text_width(const char *text);
/* Draws a text of font size 1 from the origin, y upward, as segments. */
typedef void (*dry_plot__pen)(void *user, double x1, double y1, double x2, double y2);
void dry_plot__text_strokes(const char *text, dry_plot__pen pen, void *user);
/* The number of the glyph that shows a plain character. */
size_t dry_plot__glyph_of(uint32_t code);
#define DRY_PLOT__RAISED_SIZE 0.68 /* size of a superscript or subscript relative to the text */
#define DRY_PLOT__RAISED 0.35      /* height of its baseline in ems, of a superscript */
#define DRY_PLOT__DROPPED -0.15    /* and of a subscript */
#define DRY_PLOT__STROKE 0.078     /* width of a stroke in ems */
#define DRY_PLOT__STROKE_BOLD 0.125
#define DRY_PLOT__STRETCH_BOLD 1.07 /* of the width of a bold text */
#define DRY_PLOT__DASH 6.0          /* pixels of a dashed line drawn, */
#define DRY_PLOT__DASH_GAP 3.0      /* and left out */

/* ---- write.c: what the writers share -------------------------------------------------------- */

/* Draws the plot as a scene, calls `write` with it and frees all. */
typedef dry_status (*dry_plot__writer)(const dry_plot__scene *scene, void *user, dry_error *error);
dry_status dry_plot__draw(const dry_plot *plot, dry_plot__writer write, void *user,
                          dry_error *error);

/* ---- raster.c: scene -> pixels ------------------------------------------------------------- */

typedef struct dry_plot__image {
    uint8_t *rgb; /* 3 * width * height, rows from above */
    int width, height;
} dry_plot__image;

/* `scale` pixels of the image per pixel of the scene. */
dry_status dry_plot__raster(const dry_plot__scene *scene, int scale, dry_plot__image *image,
                            dry_error *error);
void dry_plot__image_free(dry_plot__image *image);

/* ---- canvas.c: braille dots in cells ------------------------------------------------------- */

/* 2 x 4 dots in each cell; `owner` is the curve drawn last there, from 1. */
typedef struct dry_plot__canvas {
    int columns, rows;
    uint8_t *dots, *owner;
} dry_plot__canvas;

/* False without memory. */
bool dry_plot__canvas_make(dry_plot__canvas *canvas, int columns, int rows);
void dry_plot__canvas_free(dry_plot__canvas *canvas);
/* A line between two places in dots, x to the right, y downward. */
void dry_plot__canvas_line(dry_plot__canvas *canvas, double x1, double y1, double x2, double y2,
                           int owner);
/* The number of cells a text takes in a terminal. */
double dry_plot__cells(const char *text);

#endif
