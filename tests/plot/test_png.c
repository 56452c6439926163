/* Pixels: lines cover what they should, letters stay in their line; PNG files are PNG files. */
#include "plot/internal.h"
#include "sample.h"
#include "scratch_file.h"

#define FILE_NAME scratch_file("plot_test_png.png")

/* ---- pixels ---------------------------------------------------------------------------------- */

/* A scene of 100 x 60 pixels with what `draw` puts on it, as an image at twice the size. */
static dry_plot__image image_of(void (*draw)(dry_plot__scene *)) {
    dry_plot__scene scene = {.width = 100.0,
                             .height = 60.0,
                             .theme = dry_plot__theme_of(false),
                             .arena = dry_arena_new(0)};
    dry_plot__image image;
    draw(&scene);
    assert_int_equal(dry_plot__raster(&scene, 2, &image, NULL), DRY_OK);
    assert_int_equal(image.width, 200);
    assert_int_equal(image.height, 120);
    dry_arena_free(scene.arena);
    dry_plot__scene_free(&scene);
    return image;
}

static double darkness(const dry_plot__image *image, int x, int y) {
    return 1.0 - image->rgb[3 * (y * image->width + x)] / 255.0;
}

/* The area that black ink covers, in pixels of the scene. */
static double area(const dry_plot__image *image) {
    double sum = 0.0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) sum += darkness(image, x, y);
    return sum / 4.0;
}

static const dry_plot__style thin_line = {.role = "curve", .ink = 0, .size = 1.5};

static void draw_slanted(dry_plot__scene *scene) {
    dry_plot__scene_segment(scene, thin_line, 10.0, 10.0, 90.0, 43.0);
}

static void draw_bent(dry_plot__scene *scene) {
    for (int i = 0; i <= 80; i++)
        dry_plot__points_add(&scene->points, 10.0 + i, 10.0 + 33.0 / 80.0 * i);
    dry_plot__scene_line(scene, thin_line, 0, 81, "in parts");
}

/* A stroke covers length times width, and a half circle of the width at both ends; the cover of a
 * pixel is a linear model, right in the sum along a side and within a tenth of a cap. */
static void a_line_covers_its_area(void **state) {
    (void)state;
    dry_plot__image whole = image_of(draw_slanted), parts = image_of(draw_bent);
    double expected = hypot(80.0, 33.0) * 1.5 + acos(-1.0) * 0.75 * 0.75;
    closer(area(&whole), expected, 0.01 * expected);
    closer(area(&parts), area(&whole), 0.01 * expected); /* joints do not show */
    dry_plot__image_free(&whole);
    dry_plot__image_free(&parts);
}

static void draw_dashed(dry_plot__scene *scene) {
    dry_plot__style dashed = thin_line;
    dashed.dashed = true;
    dry_plot__scene_segment(scene, dashed, 5.0, 30.0, 95.0, 30.0);
}

/* Ten dashes of 6 in 90 pixels, each with round ends. */
static void dashes_leave_gaps(void **state) {
    (void)state;
    dry_plot__image image = image_of(draw_dashed);
    double expected = 10.0 * (6.0 * 1.5 + acos(-1.0) * 0.75 * 0.75);
    closer(area(&image), expected, 0.03 * expected);
    dry_plot__image_free(&image);
}

static void draw_outside(dry_plot__scene *scene) {
    dry_plot__scene_segment(scene, thin_line, -1e6, -50.0, 1e6, 500.0);
    dry_plot__scene_box(scene, thin_line, -10.0, -10.0, 1000.0, 5.0);
    dry_plot__scene_dot(scene, thin_line, 300.0, 300.0);
    dry_plot__scene_text(scene, thin_line, 90.0, 59.0, "beyond the border");
}

static void nothing_outside_the_image(void **state) {
    (void)state;
    dry_plot__image image = image_of(draw_outside);
    dry_plot__image_free(&image);
}

static void draw_texts(dry_plot__scene *scene) {
    dry_plot__style text = {.role = "title", .ink = 0, .size = 12.0, .anchor = DRY_PLOT__END};
    dry_plot__scene_text(scene, text, 95.0, 40.0, "µN/m");
    dry_plot__scene_upward(scene, text, 15.0, 5.0, "x");
}

/* A text that ends at x = 95 has ink left of it only, above and below its baseline; one that reads
 * upward and ends at y = 5 has ink below that. */
static void texts_are_anchored(void **state) {
    (void)state;
    dry_plot__image image = image_of(draw_texts);
    double right = 0.0, inside = 0.0, above = 0.0, upward = 0.0;
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            double ink = darkness(&image, x, y);
            if (x >= 190) right += ink;
            if (x >= 120 && x < 190 && y > 60 && y < 90) inside += ink;
            if (x < 40 && y < 8) above += ink;
            if (x < 40 && y >= 10) upward += ink;
        }
    below(right, 1.0);
    below(above, 1.0);
    above(inside, 50.0);
    above(upward, 10.0);
    dry_plot__image_free(&image);
}

/* ---- files ----------------------------------------------------------------------------------- */

static unsigned word(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
}

static void check_png(const dry_plot *plot, unsigned width) {
    size_t n;
    dry_error error = {0};
    is_ok(dry_plot_write(plot, FILE_NAME, &error), &error);
    char *bytes = content(FILE_NAME, &n);
    remove(FILE_NAME);
    above(n, 45);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    assert_int_equal(word(bytes + 16), width);
    assert_in_range(word(bytes + 20), 1, 2000);
    assert_memory_equal(bytes + n - 8, "IEND", 4);
    free(bytes);
}

static void file_or_way_out(void **state) {
    (void)state;
    dry_record *record = sample(5000, wave, gap);
    dry_panel panels[] = {{.y = {1, 2}, .n_curves = 2, .title = "α, β"},
                          {.x = 1, .y = {2}, .n_curves = 1}};
    dry_plot plot = {.record = record, .panels = panels, .n_panels = 2, .dark = true};
    dry_error error = {0};
    if (dry_plot_has_png()) {
        check_png(&plot, 1440);
        plot.scale = 1;
        plot.width = 333;
        check_png(&plot, 333);
        plot.scale = 99;
        assert_int_equal(dry_plot_png(&plot, FILE_NAME, &error), DRY_BAD_ARGUMENT);
    } else {
        assert_int_equal(dry_plot_png(&plot, FILE_NAME, &error), DRY_UNSUPPORTED);
        assert_non_null(strstr(error.text, ".svg"));
        assert_non_null(strstr(error.text, "libpng-dev"));
    }
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_covers_its_area),    cmocka_unit_test(dashes_leave_gaps),
        cmocka_unit_test(nothing_outside_the_image), cmocka_unit_test(texts_are_anchored),
        cmocka_unit_test(file_or_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
