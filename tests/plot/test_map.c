/* Maps: cells reach half way to their neighbours, a colour means the same in the map and in its
 * bar, and the bar fits into the width that it asks for. */
#include "plot/internal.h"
#include "sample.h"

enum { LEVELS = 64 };

typedef struct sheet {
    dry_arena *arena;
    dry_plot__scene scene;
} sheet;

static sheet sheet_new(void) {
    sheet s = {.arena = dry_arena_new((size_t)1 << 24)};
    s.scene = (dry_plot__scene){.theme = dry_plot__theme_of(false), .arena = s.arena};
    return s;
}

static void sheet_free(sheet *s) {
    assert_false(s->scene.failed);
    dry_plot__scene_free(&s->scene);
    dry_arena_free(s->arena);
}

#define PART 1e-12 /* of a number: rounding */

static bool is_box(const dry_plot__item *item) { return item->style.shape == DRY_PLOT__BOX; }

/* ---- the grid ------------------------------------------------------------------------------ */

/* x = 0, 1, 3 and y = 1, 100 on a logarithmic axis: half way is 0.5 and 2, and 10; the outer
 * borders are as far from the outer values. A row with y <= 0 has no place, the cell (3, 100) no
 * value. */
static void borders(void **state) {
    (void)state;
    const double x[] = {3, 0, 1, 0, 1, 7}, y[] = {1, 1, 1, 100, 100, -1}, z[] = {5, 1, 2, 3, 4, 99};
    static const double edge_x[] = {-0.5, 0.5, 2.0, 4.0}, edge_y[] = {0.1, 10.0, 1000.0};
    sheet s = sheet_new();
    const dry_plot__map *map = dry_plot__map_make(s.arena, x, y, z, 5, false, true);
    assert_int_equal(map->nx, 3);
    assert_int_equal(map->ny, 2);
    for (int i = 0; i < 4; i++) near_share(map->x[i], edge_x[i], PART);
    for (int i = 0; i < 3; i++) near_share(map->y[i], edge_y[i], PART);
    static const double cells[] = {1, 2, 5, 3, 4};
    all_equal(5, map->z, cells);
    is_nan(map->z[5]);
    equal(map->range.lo, 1.0);
    equal(map->range.hi, 5.0);
    map = dry_plot__map_make(s.arena, x, y, z, 6, false, true);
    assert_int_equal(map->ny, 2);
    equal(map->range.hi, 5.0);
    sheet_free(&s);
}

/* ---- colours ------------------------------------------------------------------------------- */

/* A row of `n` cells with z = 0 .. 1, n pixels wide, in a scene; returns its items from left to
 * right. */
static const dry_plot__item **row_of_cells(sheet *s, int n) {
    double *x = dry_arena_take(s->arena, (size_t)n * 3 * sizeof *x), *y = x + n, *z = y + n;
    for (int i = 0; i < n; i++) x[i] = i, y[i] = 1.0, z[i] = (double)i / (n - 1);
    const dry_plot__map *map = dry_plot__map_make(s->arena, x, y, z, (size_t)n, false, false);
    const dry_plot__axis across = {.lo = map->x[0], .hi = map->x[n]},
                         up = {.lo = map->y[0], .hi = map->y[1]};
    const dry_plot__frame frame = {.x0 = 0.0, .y0 = 0.0, .w = n, .h = 10.0, .x = &across, .y = &up};
    dry_plot__map_draw(map, &frame, &s->scene);
    const dry_plot__item **cells = dry_arena_take(s->arena, (size_t)n * sizeof *cells);
    for (int i = 0; i < n; i++) cells[i] = NULL;
    for (size_t k = 0; k < s->scene.n; k++) {
        const dry_plot__item *item = &s->scene.item[k];
        assert_true(is_box(item) && item->y == 0.0 && item->h == 10.0);
        for (int i = (int)item->x; i < (int)(item->x + item->w); i++) cells[i] = item;
    }
    return cells;
}

/* Rec. 709 */
static double lightness(uint32_t rgb) {
    return 0.2126 * (rgb >> 16 & 255u) + 0.7152 * (rgb >> 8 & 255u) + 0.0722 * (rgb & 255u);
}

/* viridis begins with #440154 and ends with #fde725, its middle is #21918c (Smith and van der Walt
 * 2015): 64 colours, each lighter than the one before it. */
static void colours(void **state) {
    (void)state;
    sheet s = sheet_new();
    enum { N = 4 * LEVELS };
    const dry_plot__item **cells = row_of_cells(&s, N);
    int changes = 0;
    for (int i = 1; i < N; i++) {
        const uint32_t before = cells[i - 1]->style.ink, ink = cells[i]->style.ink;
        if (ink == before) continue;
        changes++;
        above(lightness(ink), lightness(before));
    }
    assert_int_equal(changes, LEVELS - 1);
    assert_int_equal(cells[0]->style.ink, 0x440154);
    assert_int_equal(cells[N - 1]->style.ink, 0xFDE725);
    const uint32_t middle = cells[N / 2]->style.ink;
    for (int shift = 0; shift <= 16; shift += 8)
        near((int)(middle >> shift & 255u), 0x21918C >> shift & 255, 4.0);
    sheet_free(&s);
}

/* ---- the bar ------------------------------------------------------------------------------- */

typedef struct bar {
    sheet s;
    dry_plot__map map;
    dry_plot__axis axis;
    double x, y, h, width;
} bar;

static bar draw_bar(void) {
    bar b = {.s = sheet_new(), .map = {.title = "z"}, .x = 100.0, .y = 20.0, .h = 640.0};
    dry_plot__axis_make(&b.axis, (dry_plot__range){0.0, 1.0}, 0.0, 5);
    b.width = dry_plot__bar_width(&b.map, &b.axis);
    dry_plot__bar_draw(&b.map, &b.axis, b.x, b.y, b.h, &b.s.scene);
    return b;
}

/* The bar is 64 boxes of 10 pixels without a gap, from the least value at the bottom to the largest
 * at the top, in the colours of the cells. */
static void the_bar_has_the_colours_of_the_cells(void **state) {
    (void)state;
    bar b = draw_bar();
    sheet s = sheet_new();
    const dry_plot__item **cells = row_of_cells(&s, 4 * LEVELS);
    int boxes = 0;
    for (size_t k = 0; k < b.s.scene.n; k++) {
        const dry_plot__item *item = &b.s.scene.item[k];
        if (!is_box(item)) continue;
        near_share(item->y, b.y + b.h - 10.0 * (boxes + 1), PART);
        near_share(item->h, 10.0, PART);
        assert_int_equal(item->style.ink, cells[4 * boxes + 2]->style.ink);
        boxes++;
    }
    assert_int_equal(boxes, LEVELS);
    sheet_free(&s);
    sheet_free(&b.s);
}

/* Each tick is a line as high as its value, at the right of the boxes, with its label beside it. */
static void the_ticks_of_the_bar(void **state) {
    (void)state;
    bar b = draw_bar();
    int ticks = 0, labels = 0;
    double right = 0.0;
    at_least(b.axis.n, 3);
    for (size_t k = 0; k < b.s.scene.n; k++) {
        const dry_plot__item *item = &b.s.scene.item[k];
        if (is_box(item)) right = item->x + item->w;
        if (item->style.shape == DRY_PLOT__LINE) {
            const dry_plot__point *p = &b.s.scene.points.at[item->first];
            near_share(p[0].y, b.y + b.h * (1.0 - b.axis.tick[ticks]), PART);
            assert_true(p[1].y == p[0].y && p[0].x == right && p[1].x > right);
            ticks++;
        }
        if (item->style.shape == DRY_PLOT__TEXT && labels < b.axis.n) {
            assert_string_equal(item->text, b.axis.label[labels]);
            closer(item->y, b.y + b.h * (1.0 - b.axis.tick[labels]), item->style.size);
            labels++;
        }
    }
    assert_int_equal(ticks, b.axis.n);
    assert_int_equal(labels, b.axis.n);
    sheet_free(&b.s);
}

/* From left to right: ticks, labels, the title, which is turned and in the middle; nothing covers
 * anything. */
static void what_is_beside_the_bar(void **state) {
    (void)state;
    bar b = draw_bar();
    double reached = 0.0;
    int titles = 0;
    for (size_t k = 0; k < b.s.scene.n; k++) {
        const dry_plot__item *item = &b.s.scene.item[k];
        if (item->style.shape == DRY_PLOT__LINE) reached = b.s.scene.points.at[item->first + 1].x;
        if (item->style.shape != DRY_PLOT__TEXT || !*item->text) continue;
        if (!item->upward) {
            between(item->x, reached, reached + item->style.size);
            continue;
        }
        for (int i = 0; i < b.axis.n; i++) /* its letters reach to the left of x */
            above(item->x - item->style.size,
                  reached + dry_plot__text_width(b.axis.label[i]) * 11.0);
        near_share(item->y, b.y + 0.5 * b.h, PART);
        assert_int_equal(item->style.anchor, DRY_PLOT__MIDDLE);
        titles++;
    }
    assert_int_equal(titles, 1);
    sheet_free(&b.s);
}

static void the_bar_fits_into_its_width(void **state) {
    (void)state;
    bar b = draw_bar();
    double last = b.x;
    for (size_t k = 0; k < b.s.scene.n; k++) {
        const dry_plot__item *item = &b.s.scene.item[k];
        if (item->style.shape == DRY_PLOT__LINE) continue;
        const double length =
            item->text ? dry_plot__text_width(item->text) * item->style.size : item->w;
        const double end = item->x + (item->upward ? 0.0 : length);
        above(item->x, b.x);
        at_most(end, b.x + b.width);
        last = fmax(last, end);
    }
    above(last, b.x + b.width - 2.0 * DRY_PLOT__FONT); /* and no room is wasted */
    sheet_free(&b.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders),
        cmocka_unit_test(colours),
        cmocka_unit_test(the_bar_has_the_colours_of_the_cells),
        cmocka_unit_test(the_ticks_of_the_bar),
        cmocka_unit_test(what_is_beside_the_bar),
        cmocka_unit_test(the_bar_fits_into_its_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
