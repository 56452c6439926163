/* marks: signs on curves, so that curves can be distinguished in print without colour. */
#include "internal.h"

#include <math.h>
#include <string.h>

#define SIZE 3.4 /* pixels from the middle of a sign to its border */

/* Signs as strokes in units of SIZE, y upward; a new stroke begins after a break. */
#define BREAK 9.0
static const dry_plot__point circle[] = {
    {1, 0},        {0.92, 0.38},  {0.71, 0.71},  {0.38, 0.92},   {0, 1},         {-0.38, 0.92},
    {-0.71, 0.71}, {-0.92, 0.38}, {-1, 0},       {-0.92, -0.38}, {-0.71, -0.71}, {-0.38, -0.92},
    {0, -1},       {0.38, -0.92}, {0.71, -0.71}, {0.92, -0.38},  {1, 0}};
static const dry_plot__point square[] = {
    {-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}, {-0.9, -0.9}};
static const dry_plot__point triangle[] = {{-1, -0.75}, {1, -0.75}, {0, 1.1}, {-1, -0.75}};
static const dry_plot__point diamond[] = {{0, -1.2}, {1.1, 0}, {0, 1.2}, {-1.1, 0}, {0, -1.2}};
static const dry_plot__point plus[] = {{-1.1, 0}, {1.1, 0}, {BREAK, 0}, {0, -1.1}, {0, 1.1}};
static const dry_plot__point cross[] = {
    {-0.9, -0.9}, {0.9, 0.9}, {BREAK, 0}, {-0.9, 0.9}, {0.9, -0.9}};

static const struct {
    const dry_plot__point *stroke;
    size_t n;
} signs[] = {{circle, sizeof circle / sizeof *circle},
             {square, sizeof square / sizeof *square},
             {triangle, sizeof triangle / sizeof *triangle},
             {diamond, sizeof diamond / sizeof *diamond},
             {plus, sizeof plus / sizeof *plus},
             {cross, sizeof cross / sizeof *cross}};
enum { N_SIGNS = sizeof signs / sizeof *signs };

void dry_plot__mark_draw(dry_plot__scene *scene, int curve, double x, double y) {
    dry_plot__style style = dry_plot__curve_style(scene->theme, curve);
    const dry_plot__point *stroke = signs[curve % N_SIGNS].stroke;
    const size_t n = signs[curve % N_SIGNS].n;
    style.role = "mark";
    style.size = 1.2;
    style.dashed = false;
    for (size_t i = 0, first = scene->points.n; i <= n; i++) {
        if (i == n || stroke[i].x == BREAK) {
            dry_plot__scene_line(scene, style, first, scene->points.n - first, NULL);
            first = scene->points.n;
        } else {
            dry_plot__points_add(&scene->points, x + SIZE * stroke[i].x, y - SIZE * stroke[i].y);
        }
    }
}

static bool is_seen(const dry_plot__curve *curve, size_t row, const dry_plot__frame *frame,
                    dry_plot__point *p) {
    return dry_plot__place(frame, curve->x[row], curve->y[row], p) && dry_plot__inside(frame, *p);
}

void dry_plot__marks_draw(dry_plot__scene *scene, const dry_plot__curve *curve, int number,
                          int many, const dry_plot__frame *frame) {
    dry_plot__point p;
    size_t all = 0, at = 0, drawn = 0;
    for (size_t i = 0; i < curve->n; i++) all += is_seen(curve, i, frame, &p);
    const size_t n = all < (size_t)many ? all : (size_t)many;
    for (size_t i = 0; i < curve->n && drawn < n; i++) {
        if (!is_seen(curve, i, frame, &p)) continue;
        if (at++ != (n > 1 ? drawn * (all - 1) / (n - 1) : 0)) continue;
        dry_plot__mark_draw(scene, number, p.x, p.y);
        drawn++;
    }
}
