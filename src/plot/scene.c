/* The scene: a picture as plain data, boxes, lines, dots and texts in pixels. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(dry_plot__scene *scene) {
    if (scene->n < scene->room) return true;
    size_t room = scene->room ? 2 * scene->room : 64;
    dry_plot__item *item = realloc(scene->item, room * sizeof *item);
    if (!item) return false;
    scene->item = item;
    scene->room = room;
    return true;
}

static void add(dry_plot__scene *scene, dry_plot__item item) {
    if (!reserve(scene))
        scene->failed = true;
    else
        scene->item[scene->n++] = item;
}

void dry_plot__scene_box(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                         double w, double h) {
    style.shape = DRY_PLOT__BOX;
    add(scene, (dry_plot__item){.style = style, .x = x, .y = y, .w = w, .h = h});
}

void dry_plot__scene_line(dry_plot__scene *scene, dry_plot__style style, size_t first, size_t n,
                          const char *text) {
    style.shape = DRY_PLOT__LINE;
    add(scene, (dry_plot__item){.style = style, .first = first, .n = n, .text = text});
}

void dry_plot__scene_segment(dry_plot__scene *scene, dry_plot__style style, double x1, double y1,
                             double x2, double y2) {
    size_t first = scene->points.n;
    dry_plot__points_add(&scene->points, x1, y1);
    dry_plot__points_add(&scene->points, x2, y2);
    dry_plot__scene_line(scene, style, first, 2, NULL);
}

void dry_plot__scene_dot(dry_plot__scene *scene, dry_plot__style style, double x, double y) {
    style.shape = DRY_PLOT__DOT;
    add(scene, (dry_plot__item){.style = style, .x = x, .y = y});
}

static void add_text(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                     const char *text, bool upward) {
    style.shape = DRY_PLOT__TEXT;
    const char *copy = dry_arena_text(scene->arena, text, strlen(text));
    if (!copy)
        scene->failed = true;
    else if (*copy)
        add(scene,
            (dry_plot__item){.style = style, .x = x, .y = y, .text = copy, .upward = upward});
}

void dry_plot__scene_text(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                          const char *text) {
    add_text(scene, style, x, y, text, false);
}

void dry_plot__scene_upward(dry_plot__scene *scene, dry_plot__style style, double x, double y,
                            const char *text) {
    add_text(scene, style, x, y, text, true);
}

void dry_plot__scene_free(dry_plot__scene *scene) {
    free(scene->item);
    free(scene->points.at);
    *scene = (dry_plot__scene){0};
}
