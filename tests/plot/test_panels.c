/* Panels as papers draw them: abscissae of their own, ranges, second ordinates, bands, marks,
 * mathematics in labels, and PDF. */
#include "plot/internal.h"
#include "sample.h"
#include "scratch_file.h"

#include <stdio.h>

#define FILE_NAME scratch_file("plot_test_panels.pdf")

static double line(double s) { return s; }
static double turn(double s) { return sin(2.0 * acos(-1.0) * s); }

static dry_plot__figure figure_of(const dry_plot *plot) {
    dry_plot__figure figure;
    dry_error error = {0};
    is_ok(dry_plot__figure_make(&figure, plot, &error), &error);
    return figure;
}

/* Each curve is drawn over its own column, and the axis reaches over both. */
static void curves_have_abscissae_of_their_own(void **state) {
    (void)state;
    dry_record *record = sample(101, line, turn); /* t to 2, a to 1 */
    const int own[] = {0, 1};
    dry_panel panel = {.y = {2, 2}, .own_x = own, .n_curves = 2};
    dry_plot__figure f = figure_of(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1});
    assert_ptr_equal(f.view[0].curve[0].x, dry_record_values(record, 0));
    assert_ptr_equal(f.view[0].curve[1].x, dry_record_values(record, 1));
    equal(f.view[0].x.hi, 2.0);
    assert_string_equal(f.view[0].x_title, "t, a");
    dry_plot__figure_free(&f);
    dry_record_free(record);
}

typedef struct runs {
    dry_plot__points points;
    size_t first[8], n[8];
    int count;
} runs;

static void collect(void *user, size_t first, size_t n) {
    runs *r = user;
    assert_in_range(r->count, 0, 7);
    r->first[r->count] = first;
    r->n[r->count++] = n;
}

/* sin above 1/2 on (pi/6, 5 pi/6): each hump enters and leaves the frame at its lower border. */
static void curves_are_cut_at_the_frame(void **state) {
    (void)state;
    enum { ROWS = 5000 };
    static double x[ROWS], y[ROWS];
    const double pi = acos(-1.0);
    for (int i = 0; i < ROWS; i++) {
        x[i] = 3.0 * i / (ROWS - 1);
        y[i] = sin(2.0 * pi * x[i]);
    }
    dry_plot__axis across, up;
    dry_plot__axis_make(&across, (dry_plot__range){0.0, 3.0}, 0.0, 5);
    dry_plot__axis_make(&up, (dry_plot__range){0.5, 2.0}, 0.0, 5);
    const dry_plot__frame frame = {&across, &up, 0.0, 0.0, 3000.0, 150.0};
    const dry_plot__curve curve = {.x = x, .y = y, .n = ROWS, .label = ""};
    for (int sorted = 0; sorted < 2; sorted++) {
        runs r = {.count = 0};
        dry_plot__thin(&curve, sorted, &frame, &r.points, collect, &r);
        assert_int_equal(r.count, 3);
        for (int k = 0; k < 3; k++) {
            const dry_plot__point a = r.points.at[r.first[k]];
            const dry_plot__point b = r.points.at[r.first[k] + r.n[k] - 1];
            near(a.x, 1000.0 * (k + 1.0 / 12.0), 1.0);
            near(b.x, 1000.0 * (k + 5.0 / 12.0), 1.0);
            near(a.y, 150.0, sorted ? 1e-6 : 0.25); /* turning curves lose what is near */
            near(b.y, 150.0, sorted ? 1e-6 : 0.25);
        }
        free(r.points.at);
    }
}

/* Entries of one list share its name; expressions that begin with an entry do not. */
static void entries_alone_share_a_name(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"t", "s"},
                                    {"p[1]", "m"},
                                    {"p[2]", "m"},
                                    {"a[1]*x + x*b[1]", "m"},
                                    {"a[2]*x + x*b[2]", "m"}};
    const double row[] = {0, 1, 2, 3, 4};
    dry_record *record = dry_record_new(columns, 5);
    assert_int_equal(dry_record_add(record, row), DRY_OK);
    dry_panel panels[] = {{.y = {1, 2}, .n_curves = 2}, {.y = {3, 4}, .n_curves = 2}};
    dry_plot__figure f = figure_of(&(dry_plot){.record = record, .panels = panels, .n_panels = 2});
    assert_string_equal(f.view[0].y_title, "p [m]");
    assert_non_null(strstr(f.view[1].y_title, "·x + x·"));
    dry_plot__figure_free(&f);
    dry_record_free(record);
}

/* A zoom shows the ordinates within it: sin on a quarter turn reaches from 0 to 1. */
static void a_zoom_has_the_range_of_what_it_shows(void **state) {
    (void)state;
    dry_record *record = sample(2001, line, turn);
    dry_panel panels[] = {{.y = {2}, .n_curves = 1, .x_axis = {.low = 0.0, .high = 0.5}},
                          {.y = {2}, .n_curves = 1}};
    dry_plot__figure f = figure_of(&(dry_plot){.record = record, .panels = panels, .n_panels = 2});
    near(f.view[0].y.lo, 0.0, 1e-12);
    near(f.view[0].y.hi, 1.0, 1e-12);
    near(f.view[1].y.lo, -1.0, 1e-12);
    equal(f.view[0].x.hi, 0.5); /* its neighbour does not widen it, and both have labels */
    assert_true(f.view[0].last);
    dry_plot__figure_free(&f);
    dry_record_free(record);
}

static void the_second_ordinate_has_its_own_range(void **state) {
    (void)state;
    dry_record *record = sample(101, line, constant);
    dry_panel panel = {.y = {1, 2}, .beside = {false, true}, .n_curves = 2};
    dry_plot__figure f = figure_of(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1});
    equal(f.view[0].y.hi, 1.0);
    equal(f.view[0].beside.lo, 9.81);
    assert_string_equal(f.view[0].y_title, "a [m]");
    assert_string_equal(f.view[0].beside_title, "b [m/s²]");
    dry_plot__figure_free(&f);
    dry_record_free(record);
}

/* A stretch lasts until the first row in which the condition does not hold; NaN holds nothing. */
static void bands_are_where_the_condition_holds(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5, 6}, holds[] = {1, 0, 0, 1, 1, (double)NAN, 1};
    dry_arena *arena = dry_arena_new(0);
    dry_panel_band bands = {.label = ""};
    assert_true(dry_plot__bands_find(&bands, x, holds, 7, arena));
    assert_int_equal(bands.n, 3);
    const double wanted[][2] = {{0, 1}, {3, 5}, {6, 6}};
    for (int k = 0; k < 3; k++) {
        equal(bands.from[k], wanted[k][0]);
        equal(bands.to[k], wanted[k][1]);
    }
    dry_arena_free(arena);
}

static char *drawn(const dry_plot *plot) {
    char *text = NULL;
    size_t length;
    dry_error error = {0};
    FILE *stream = dry_text_open(&text, &length);
    is_ok(dry_plot_svg_stream(plot, stream, &error), &error);
    assert_true(dry_text_close(stream, &text));
    return text;
}

/* The condition is sin > 0 for half a turn: a band over the left half of the panel. */
static double first_half(double s) { return s < 0.5; }

static void a_band_is_a_box_behind_the_curve(void **state) {
    (void)state;
    dry_record *record = sample(1001, turn, first_half);
    dry_panel panel = {.y = {1}, .n_curves = 1, .shade = {2}, .n_shades = 1};
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1});
    const char *band = strstr(text, "<g class=\"band\"");
    double x, y, w, h, left = 0.0, right = 0.0;
    assert_non_null(band);
    assert_true(band < strstr(text, "<g class=\"curve\""));
    assert_int_equal(sscanf(strstr(band, "<rect"),
                            "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y, &w,
                            &h),
                     4);
    const char *points = strstr(strstr(text, "<g class=\"curve\""), "points=\"") + 8;
    assert_int_equal(sscanf(points, "%lf", &left), 1);
    for (const char *p = points; *p != '"'; p++)
        if (*p == ' ' || *p == '\n') assert_int_equal(sscanf(p, "%lf", &right), 1);
    near(x, left, 0.02);
    near(w, 0.5 * (right - left), 1.0);
    assert_non_null(strstr(text, ">b</text>")); /* in the legend */
    free(text);
    dry_record_free(record);
}

static void marks_are_as_many_as_asked_for(void **state) {
    (void)state;
    dry_record *record = sample(500, line, turn), *few = sample(3, line, turn);
    dry_panel panel = {.y = {1}, .n_curves = 1, .marks = 7};
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1});
    const char *marks = strstr(text, "<g class=\"mark\"");
    assert_non_null(marks);
    assert_int_equal(occurrences(marks, "<polyline"), 7);
    free(text);
    text = drawn(&(dry_plot){.record = few, .panels = &panel, .n_panels = 1});
    assert_int_equal(occurrences(strstr(text, "<g class=\"mark\""), "<polyline"), 3);
    free(text);
    dry_record_free(record);
    dry_record_free(few);
}

/* ---- mathematics ------------------------------------------------------------------------------
 */

/* Lowered characters stand behind an underscore. */
static void check_math(const char *name, const char *wanted) {
    dry_arena *arena = dry_arena_new(0);
    const char *text = dry_plot_math(arena, name);
    char got[200] = "";
    for (uint32_t code; (code = dry_plot__decode(&text)) != 0;) {
        int rise;
        char bytes[5];
        dry_plot__encode(dry_plot__plain(code, &rise), bytes);
        strcat(got, rise < 0 ? "_" : rise > 0 ? "^" : "");
        strcat(got, bytes);
    }
    assert_string_equal(got, wanted);
    dry_arena_free(arena);
}

static void names_are_mathematics(void **state) {
    (void)state;
    check_math("p", "p");
    check_math("p1x", "p_1_x");
    check_math("vx", "v_x");
    check_math("fe", "fe");
    check_math("N[12]", "N_1_2");
    check_math("p_s - p", "p_s − p");
    check_math("mu*v^2", "μ·v^2");
    check_math("abs(x)^12.5", "abs(x)^12.5");
    check_math("x^-2", "x^−^2");
    check_math("x^-y", "x^−y");
    check_math("alpha1", "α_1");
    check_math("1e5*x", "1e5·x");
    check_math("ball.v[1]", "ball.v[1]");
    check_math("abs(vx)", "abs(v_x)");
}

static void a_prefix_is_micro(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    assert_string_equal(dry_plot_unit(arena, "um"), "µm");
    assert_string_equal(dry_plot_unit(arena, "N/um"), "N/µm");
    assert_string_equal(dry_plot_unit(arena, "us^2"), "µs²");
    assert_string_equal(dry_plot_unit(arena, "rpm"), "rpm");
    assert_string_equal(dry_plot_unit(arena, "s^0.5"), "s^0.5");
    dry_arena_free(arena);
}

/* ---- mistakes ---------------------------------------------------------------------------------
 */

static double never_positive(double s) { return -s; }

static void says(dry_panel panel, const dry_record *record, const char *word) {
    dry_plot__figure figure;
    dry_error error = {0};
    const dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    assert_int_equal(dry_plot__figure_make(&figure, &plot, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, word));
}

static void mistakes_are_told(void **state) {
    (void)state;
    dry_record *record = sample(50, never_positive, line);
    const int beyond[] = {7};
    const dry_panel good = {.y = {1}, .n_curves = 1};
    dry_panel bad = good;
    bad.y_axis.log = true;
    says(bad, record, "above 0");
    bad = good;
    bad.x_axis = (dry_picture_axis){.low = 2.0, .high = 1.0};
    says(bad, record, "empty");
    bad.x_axis = (dry_picture_axis){.low = 0.0, .high = 1.0, .log = true};
    says(bad, record, "cannot begin at 0");
    bad = good;
    bad.own_x = beyond;
    says(bad, record, "column 7");
    bad = good;
    bad.shade[0] = 9;
    bad.n_shades = 1;
    says(bad, record, "column 9");
    bad.n_shades = DRY_PLOT_SHADES + 1;
    says(bad, record, "at most");
    dry_record_free(record);
}

/* ---- PDF --------------------------------------------------------------------------------------
 */

/* The table at the end has the place of every object, and a stream is as long as it says. */
static void check_objects(const char *bytes, size_t length) {
    const char *at = strstr(bytes, "\nstartxref\n"), *table;
    long start;
    int n;
    assert_non_null(at);
    assert_int_equal(sscanf(at, " startxref %ld", &start), 1);
    assert_in_range(start, 1, length);
    table = bytes + start;
    assert_int_equal(sscanf(table, "xref\n0 %d\n", &n), 1);
    table = strstr(table, "65535 f \n") + 9;
    above(n, 100);
    for (int i = 1; i < n; i++, table += 20) {
        char name[32];
        long place;
        size_t size;
        assert_int_equal(sscanf(table, "%ld 00000 n", &place), 1);
        snprintf(name, sizeof name, "%d 0 obj\n", i);
        assert_memory_equal(bytes + place, name, strlen(name));
        const char *body = bytes + place + strlen(name);
        if (sscanf(body, "<< /Length %zu >>", &size) == 1)
            assert_memory_equal(strstr(body, "stream\n") + 7 + size, "\nendstream", 10);
    }
}

static void a_pdf_is_whole(void **state) {
    (void)state;
    dry_record *record = sample(500, wave, ripple);
    dry_panel panel = {.y = {1, 2}, .beside = {false, true}, .n_curves = 2, .title = "α"};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1, .width = 400};
    dry_error error = {0};
    size_t length;
    is_ok(dry_plot_write(&plot, FILE_NAME, &error), &error);
    char *bytes = NULL;
    is_ok(dry_file_read(FILE_NAME, 0, &bytes, &length, &error), &error);
    remove(FILE_NAME);
    assert_memory_equal(bytes, "%PDF-1.4\n", 9);
    assert_memory_equal(bytes + length - 6, "%%EOF\n", 6);
    assert_non_null(strstr(bytes, "/MediaBox [0 0 300.000 ")); /* 400 pixels of 3/4 pt */
    /* the title is one glyph of the bold font */
    char title[40];
    snprintf(title, sizeof title, "<%02X> Tj", (unsigned)dry_plot__glyph_of(0x3B1) + 1u);
    assert_non_null(strstr(bytes, title));
    check_objects(bytes, length);
    free(bytes);
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_have_abscissae_of_their_own),
        cmocka_unit_test(curves_are_cut_at_the_frame),
        cmocka_unit_test(entries_alone_share_a_name),
        cmocka_unit_test(a_zoom_has_the_range_of_what_it_shows),
        cmocka_unit_test(the_second_ordinate_has_its_own_range),
        cmocka_unit_test(bands_are_where_the_condition_holds),
        cmocka_unit_test(a_band_is_a_box_behind_the_curve),
        cmocka_unit_test(marks_are_as_many_as_asked_for),
        cmocka_unit_test(names_are_mathematics),
        cmocka_unit_test(a_prefix_is_micro),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(a_pdf_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
