/* SVG files are well-formed, small, complete, and written whole or not at all. */
#include "plot/internal.h"
#include "sample.h"
#include "scratch_file.h"

#define FILE_NAME scratch_file("plot_test_svg.svg")

/* ---- a checker of balanced tags, quoted attributes and entities ------------------------------ */

static const char *check_entity(const char *s) {
    const char *known[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    for (int i = 0; i < 4; i++)
        if (strncmp(s, known[i], strlen(known[i])) == 0) return s + strlen(known[i]);
    fail_msg("a bare & at: %.20s", s);
    return s;
}

/* Reads attributes up to the end of a tag; returns a pointer to its '>' or "/>". */
static const char *check_attributes(const char *s) {
    while (*s && *s != '>' && *s != '/' && *s != '?') {
        while (*s == ' ' || *s == '\n') s++;
        if (*s == '>' || *s == '/' || *s == '?') break;
        s += strcspn(s, "= <>\"");
        assert_int_equal(*s++, '=');
        assert_int_equal(*s++, '"');
        while (*s && *s != '"') {
            assert_int_not_equal(*s, '<');
            s = *s == '&' ? check_entity(s) : s + 1;
        }
        assert_int_equal(*s++, '"');
    }
    return s;
}

static void check_xml(const char *s) {
    char stack[16][32];
    int depth = 0;
    while (*s) {
        if (*s == '&') {
            s = check_entity(s);
        } else if (*s != '<') {
            assert_int_not_equal(*s, '>');
            assert_true((unsigned char)*s >= 32 || *s == '\n');
            s++;
        } else if (s[1] == '/') {
            size_t n = strcspn(s + 2, ">");
            above(depth, 0);
            assert_int_equal(strlen(stack[depth - 1]), n);
            assert_memory_equal(s + 2, stack[--depth], n);
            s += n + 3;
        } else {
            size_t n = strcspn(++s, " >/");
            below(n, 32);
            below(depth, 16);
            memcpy(stack[depth], s, n);
            stack[depth++][n] = 0;
            s = check_attributes(s + n);
            if (*s != '>') {
                depth--;
                s++;
            }
            assert_int_equal(*s++, '>');
        }
    }
    assert_int_equal(depth, 0);
}

/* ---- helpers --------------------------------------------------------------------------------- */

static char *drawn(const dry_plot *plot, size_t *length) {
    dry_error error = {0};
    is_ok(dry_plot_write(plot, FILE_NAME, &error), &error);
    char *text = content(FILE_NAME, length);
    remove(FILE_NAME);
    check_xml(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

/* All points of polylines lie in the picture. */
static void check_inside(const char *text, double width, double height) {
    const char *mark = "points=\"";
    for (const char *s = strstr(text, mark); s; s = strstr(s, mark)) {
        s += strlen(mark);
        while (*s != '"') {
            double x, y;
            assert_true(dry_number_parse(s, &s, &x));
            assert_int_equal(*s++, ',');
            assert_true(dry_number_parse(s, &s, &y));
            at_least(x, 0.0);
            at_most(x, width);
            at_least(y, 0.0);
            at_most(y, height);
            if (*s != '"') s++;
        }
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void two_panels(void **state) {
    (void)state;
    dry_record *record = sample(5000, wave, ripple);
    dry_panel panels[] = {{.y = {1}, .n_curves = 1}, {.y = {1, 2}, .n_curves = 2}};
    dry_plot plot = {.record = record, .panels = panels, .n_panels = 2, .title = "Both"};
    char *text = drawn(&plot, NULL);
    assert_int_equal(occurrences(text, "<polyline"), 3);
    assert_int_equal(occurrences(text, ">t [s]<"), 1); /* under the last panel only */
    assert_int_equal(occurrences(text, ">a [m]<"), 3); /* ordinate, legend, title of the curve */
    assert_non_null(strstr(text, ">Both<"));
    assert_non_null(strstr(text, "width=\"720\""));
    check_inside(text, 720.0, 700.0);
    free(text);
    dry_record_free(record);
}

/* Units and powers are raised by a shift, not by characters that a font may lack. */
static void superscripts_are_shifted(void **state) {
    (void)state;
    dry_record *record = sample(50, wave, ripple);
    dry_panel panel = {.y = {2}, .n_curves = 1};
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, NULL);
    const char *at = strstr(text, "b [m/s<tspan dy=\"-");
    assert_non_null(at);
    assert_non_null(strstr(at, ">2</tspan><tspan dy=\""));
    assert_null(strstr(text, ">b [m/s²"));
    free(text);
    dry_record_free(record);
}

static void texts_are_escaped(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"t", "s"}, {"<a> & \"b\" \x01\x1b[31m \xff\xc3 µ", "N<m>"}};
    dry_record *record = dry_record_new(columns, 2);
    double row[] = {0.0, 1.0};
    dry_record_add(record, row);
    dry_panel panel = {.title = "]]> </svg>", .y = {1}, .n_curves = 1};
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, NULL);
    assert_non_null(strstr(text, "&lt;a&gt; &amp; &quot;b&quot; \xEF\xBF\xBD"));
    assert_non_null(strstr(text, "µ"));
    assert_int_equal(occurrences(text, "</svg>"), 1);
    free(text);
    dry_record_free(record);
}

static void odd_data(void **state) {
    (void)state;
    static const struct {
        size_t rows;
        double (*a)(double);
        int lines, dots;
    } cases[] = {{0, wave, 0, 0}, {1, wave, 0, 1}, {500, constant, 1, 0}, {500, gap, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dry_record *record = sample(cases[i].rows, cases[i].a, wave);
        dry_panel panel = {.y = {1}, .n_curves = 1};
        char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, NULL);
        assert_int_equal(occurrences(text, "<polyline"), cases[i].lines);
        assert_int_equal(occurrences(text, "<circle"), cases[i].dots);
        free(text);
        dry_record_free(record);
    }
}

/* A record of many rows: at most 4 points of at most 14 bytes in each of 2 * 720 columns. */
static void large_record_small_file(void **state) {
    (void)state;
    dry_record *record = sample(300000, wave, ripple);
    dry_panel panel = {.y = {1, 2}, .n_curves = 2};
    size_t length;
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, &length);
    below(length, 2 * 4 * 14 * 2 * 720);
    free(text);
    dry_record_free(record);
}

static void phase_plot(void **state) {
    (void)state;
    dry_record *record = sample(20000, wave, ripple);
    dry_panel panel = {.x = 1, .y = {2}, .n_curves = 1};
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, NULL);
    assert_int_equal(occurrences(text, "<polyline"), 1);
    assert_non_null(strstr(text, ">a [m]<"));
    check_inside(text, 720.0, 400.0);
    free(text);
    dry_record_free(record);
}

static void dark_ground(void **state) {
    (void)state;
    dry_record *record = sample(50, wave, ripple);
    dry_panel panel = {.y = {1}, .n_curves = 1};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    for (int dark = 0; dark < 2; dark++) {
        char ground[64];
        plot.dark = dark;
        snprintf(ground, sizeof ground, "height=\"100%%\" fill=\"#%06x\"",
                 (unsigned)dry_plot__theme_of(dark)->ground);
        char *text = drawn(&plot, NULL);
        assert_non_null(strstr(text, ground));
        free(text);
    }
    dry_record_free(record);
}

/* A curve of another record stands over the column of the same name there. */
static void other_record(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"z", "N"}, {"t", "s"}}, alone[] = {{"z", "N"}};
    dry_record *record = sample(50, wave, ripple), *other = dry_record_new(columns, 2);
    dry_record *timeless = dry_record_new(alone, 1);
    double row[] = {1.0, 4.0};
    dry_record_add(other, row);
    dry_panel panel = {
        .y = {1, 0}, .record = {NULL, other}, .label = {NULL, "measured"}, .n_curves = 2};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    char *text = drawn(&plot, NULL);
    assert_non_null(strstr(text, "measured [N]"));
    assert_non_null(strstr(text, ">4<")); /* the abscissa reaches the time of the other record */
    free(text);
    panel.record[1] = timeless;
    dry_error error = {0};
    assert_int_equal(dry_plot_svg(&plot, FILE_NAME, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "`t`"));
    dry_record_free(record);
    dry_record_free(other);
    dry_record_free(timeless);
}

static void many_curves(void **state) {
    (void)state;
    dry_record *record = sample(100, wave, ripple);
    dry_panel panel = {.n_curves = DRY_PLOT_CURVES};
    for (int i = 0; i < DRY_PLOT_CURVES; i++) panel.y[i] = 1 + i % 2;
    char *text = drawn(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, NULL);
    assert_int_equal(occurrences(text, "<polyline"), DRY_PLOT_CURVES);
    at_least(occurrences(text, "stroke-dasharray"), DRY_PLOT_CURVES - 6);
    free(text);
    dry_record_free(record);
}

static void mistakes_are_told(void **state) {
    (void)state;
    dry_record *record = sample(5, wave, ripple);
    dry_panel good = {.y = {1}, .n_curves = 1}, no_curve = {.n_curves = 0};
    dry_panel many = {.n_curves = DRY_PLOT_CURVES + 1}, bad_y = {.y = {3}, .n_curves = 1};
    dry_panel bad_x = {.x = -1, .y = {1}, .n_curves = 1};
    const dry_plot plots[] = {{.record = record, .panels = &good, .n_panels = 0},
                              {.record = record, .panels = &no_curve, .n_panels = 1},
                              {.record = record, .panels = &many, .n_panels = 1},
                              {.record = record, .panels = &bad_y, .n_panels = 1},
                              {.record = record, .panels = &bad_x, .n_panels = 1},
                              {.record = NULL, .panels = &good, .n_panels = 1},
                              {.record = record, .panels = &good, .n_panels = 1, .width = 20},
                              {.record = record, .panels = &good, .n_panels = 1, .height = -5}};
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        dry_error error = {0};
        assert_int_equal(dry_plot_svg(&plots[i], FILE_NAME, &error), DRY_BAD_ARGUMENT);
        assert_int_equal(error.status, DRY_BAD_ARGUMENT);
        assert_int_not_equal(error.text[0], 0);
    }
    dry_error error = {0};
    dry_plot plot = {.record = record, .panels = &good, .n_panels = 1};
    assert_int_equal(dry_plot_write(&plot, "picture.bmp", &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, ".svg"));
    dry_record_free(record);
}

/* What cannot be drawn or written leaves the file that was there. */
static void whole_or_not_at_all(void **state) {
    (void)state;
    dry_record *record = sample(5, wave, ripple);
    dry_panel panel = {.y = {1}, .n_curves = 1};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    dry_error error = {0};
    is_ok(dry_plot_svg(&plot, FILE_NAME, &error), &error);
    char *before = content(FILE_NAME, NULL);
    panel.y[0] = 99;
    assert_int_equal(dry_plot_svg(&plot, FILE_NAME, &error), DRY_BAD_ARGUMENT);
    panel.y[0] = 1;
    assert_int_equal(dry_plot_svg(&plot, "no_such_directory/x.svg", &error), DRY_IO);
    char *after = content(FILE_NAME, NULL);
    assert_string_equal(before, after);
    remove(FILE_NAME);
    free(before);
    free(after);
    dry_record_free(record);
}

static void stream_and_file_are_alike(void **state) {
    (void)state;
    dry_record *record = sample(50, wave, ripple);
    dry_panel panel = {.y = {1, 2}, .n_curves = 2};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    size_t length;
    char *text = drawn(&plot, &length), *streamed = malloc(length + 2);
    dry_error error = {0};
    FILE *stream = tmpfile();
    assert_non_null(stream);
    panel.n_curves = 0;
    assert_int_equal(dry_plot_svg_stream(&plot, stream, &error), DRY_BAD_ARGUMENT);
    panel.n_curves = 2;
    is_ok(dry_plot_svg_stream(&plot, stream, &error), &error);
    rewind(stream);
    assert_int_equal(fread(streamed, 1, length + 1, stream), length);
    streamed[length] = '\0';
    same_text(streamed, text);
    fclose(stream);
    free(streamed);
    free(text);
    stream = fopen("/dev/full", "w");
    if (stream) {
        assert_int_equal(dry_plot_svg_stream(&plot, stream, &error), DRY_IO);
        fclose(stream);
    }
    dry_record_free(record);
}

/* Cells of 3 x 2 values, one of them missing, with a bar that has its unit. */
static void map(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"x", "m"}, {"y", "s"}, {"z", "m/s^2"}};
    dry_record *record = dry_record_new(columns, 3);
    for (int i = 0; i < 6; i++) {
        const double row[] = {pow(10.0, i % 3), i / 3, i == 4 ? (double)NAN : (double)i};
        assert_int_equal(dry_record_add(record, row), DRY_OK);
    }
    dry_panel panel = {.x = 0, .y = {1}, .n_curves = 1, .map = 2, .x_axis.log = true};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    size_t length;
    char *text = drawn(&plot, &length);
    /* 5 cells and the 64 colours of the bar */
    assert_int_equal(occurrences(text, "<rect x="), 5 + 64);
    /* which meet without seams */
    const int cells = occurrences(text, "<g class=\"cell\""),
              crisp = occurrences(text, "\" shape-rendering=\"crispEdges\">\n<rect x=");
    above(cells, 0);
    assert_int_equal(crisp, cells);
    assert_non_null(strstr(text, "#440154")); /* the least and the largest colour */
    assert_non_null(strstr(text, "#fde725"));
    assert_non_null(strstr(text, ">z [m/s"));
    assert_int_equal(occurrences(text, "<polyline"), 0);
    free(text);
    dry_error error = {0};
    panel.map = 3;
    assert_int_equal(dry_plot_svg(&plot, FILE_NAME, &error), DRY_BAD_ARGUMENT);
    panel.map = 2;
    assert_int_equal(dry_plot_terminal(&plot, stdout, false, &error), DRY_UNSUPPORTED);
    dry_record_free(record);
}

/* A power law over two logarithmic axes is a straight line: two points are kept of it; what is not
 * positive is left out. */
static void logarithmic_curves(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"x", "s"}, {"y", ""}};
    dry_record *record = dry_record_new(columns, 2);
    for (int i = 0; i <= 60; i++) {
        const double x = pow(10.0, -5.0 + 0.1 * i), row[] = {x, i == 30 ? 0.0 : pow(x, -2.0)};
        assert_int_equal(dry_record_add(record, row), DRY_OK);
    }
    dry_panel panel = {.x = 0, .y = {1}, .n_curves = 1, .x_axis.log = true, .y_axis.log = true};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    size_t length;
    char *text = drawn(&plot, &length);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    int commas = 0; /* one in each point */
    for (const char *c = strstr(text, "points=\"") + 8; *c != '"'; c++) commas += *c == ',';
    assert_int_equal(commas, 2);
    free(text);
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_panels),
        cmocka_unit_test(superscripts_are_shifted),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(odd_data),
        cmocka_unit_test(large_record_small_file),
        cmocka_unit_test(phase_plot),
        cmocka_unit_test(dark_ground),
        cmocka_unit_test(other_record),
        cmocka_unit_test(many_curves),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(stream_and_file_are_alike),
        cmocka_unit_test(whole_or_not_at_all),
        cmocka_unit_test(map),
        cmocka_unit_test(logarithmic_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
