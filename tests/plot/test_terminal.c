/* In the terminal: no line too wide, spikes visible, colours closed, nothing dangerous printed. */
#define _DEFAULT_SOURCE   /* TIOCSWINSZ */
#define _XOPEN_SOURCE 700 /* posix_openpt, setenv */
#include "plot/internal.h"
#include "sample.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static char *shown(const dry_plot *plot, bool colour) {
    FILE *stream = tmpfile();
    dry_error error = {0};
    assert_non_null(stream);
    is_ok(dry_plot_terminal(plot, stream, colour, &error), &error);
    long length = ftell(stream);
    above(length, 0);
    char *text = calloc((size_t)length + 1, 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)length, stream), (size_t)length);
    fclose(stream);
    return text;
}

/* The widest line in cells, colours not counted. */
static int widest(const char *text) {
    int most = 0;
    while (*text) {
        char line[8192];
        size_t n = 0;
        for (; *text && *text != '\n'; text++) {
            if (*text == '\x1b')
                text += strcspn(text, "m");
            else
                line[n++] = *text;
            below(n, sizeof line);
        }
        line[n] = 0;
        if (dry_plot__cells(line) > most) most = (int)dry_plot__cells(line);
        if (*text) text++;
    }
    return most;
}

static bool is_braille(uint32_t code) { return code > 0x2800 && code < 0x2900; }

static int braille_cells(const char *text, size_t bytes) {
    int n = 0;
    for (const char *end = text + bytes; text < end;) n += is_braille(dry_plot__decode(&text));
    return n;
}

static int lines(const char *text) { return occurrences(text, "\n"); }

/* From 1 to 10 is half of a logarithmic axis from 1 to 100. */
static void bands_are_in_line_with_the_axis(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"x", ""}, {"y", ""}, {"first half", ""}};
    dry_record *record = dry_record_new(columns, 3);
    for (int i = 0; i <= 200; i++) {
        const double row[] = {pow(10.0, 0.01 * i), 0.1 * i, i < 100};
        assert_int_equal(dry_record_add(record, row), DRY_OK);
    }
    dry_panel panel = {.y = {1}, .n_curves = 1, .x_axis.log = true, .shade = {2}, .n_shades = 1};
    char *text =
        shown(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1, .width = 80}, false);
    const int cells = occurrences(text, "▒") - 1; /* one stands beside the name */
    at_least(cells, 35);
    at_most(cells, 41);
    free(text);
    dry_record_free(record);
}

static void width_is_bounded(void **state) {
    (void)state;
    const dry_quantity columns[] = {
        {"time since the beginning of the experiment on the test bench in the laboratory", "s"},
        {"a quantity with a very long name that goes on and on beyond every border", "N*m/rad"},
        {"力", "kg*m^2"}};
    dry_record *record = dry_record_new(columns, 3);
    for (int i = 0; i < 100; i++) {
        double row[] = {i * 1e7, 1e6 + 1e-5 * i, -1e-200 * i};
        dry_record_add(record, row);
    }
    dry_panel panels[] = {{.y = {1, 2},
                           .n_curves = 2,
                           .title = "A title that is much too long for any terminal, and longer"},
                          {.y = {1}, .n_curves = 1},
                          {.x = 2, .y = {1}, .n_curves = 1}};
    dry_plot plot = {.record = record, .panels = panels, .n_panels = 3};
    const int width[] = {0, 30, 41, 80, 200};
    for (int i = 0; i < 10; i++) {
        plot.width = width[i / 2];
        char *text = shown(&plot, i % 2);
        assert_int_equal(widest(text), plot.width ? plot.width : 72);
        free(text);
    }
    dry_record_free(record);
}

static double one_spike(double s) { return fabs(s - 0.5) < 2e-6 ? 1.0 : 0.0; }

/* One row in a hundred thousand: a dot in every one of the 14 rows of the canvas. */
static void spike_is_visible(void **state) {
    (void)state;
    dry_record *record = sample(100001, one_spike, wave);
    dry_panel panel = {.y = {1}, .n_curves = 1};
    char *text = shown(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, false);
    int rows = 0;
    for (const char *s = text; *s; s += strcspn(s, "\n") + 1)
        rows += braille_cells(s, strcspn(s, "\n")) > 0;
    assert_int_equal(rows, 14);
    free(text);
    dry_record_free(record);
}

static void labels_and_legend(void **state) {
    (void)state;
    dry_record *record = sample(500, wave, ripple);
    dry_panel panels[] = {{.y = {1}, .n_curves = 1, .title = "One"}, {.y = {1, 2}, .n_curves = 2}};
    dry_plot plot = {.record = record, .panels = panels, .n_panels = 2, .height = 10};
    char *text = shown(&plot, false);
    const char *words[] = {"One", "a [m]", "b [m/s²]", "t [s]", "┤", "└", "0.5"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_non_null(strstr(text, words[i]));
    assert_int_equal(occurrences(text, "t [s]"), 1);
    assert_int_equal(widest(text), 72); /* also where the last tick lies at the border */
    /* title, ordinate, 10 rows, axis; legend, 10 rows, axis, labels, abscissa */
    assert_int_equal(lines(text), 1 + 1 + 10 + 1 + 1 + 10 + 1 + 1 + 1);
    free(text);
    dry_record_free(record);
}

static void colours_are_closed(void **state) {
    (void)state;
    dry_record *record = sample(500, wave, ripple);
    dry_panel panel = {.y = {1, 2}, .n_curves = 2};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    char *text = shown(&plot, true);
    int all = occurrences(text, "\x1b["), off = occurrences(text, "\x1b[0m");
    above(off, 0);
    assert_int_equal(all, 2 * off);
    free(text);
    text = shown(&plot, false);
    assert_null(strchr(text, '\x1b'));
    free(text);
    dry_record_free(record);
}

static void names_cannot_command_the_terminal(void **state) {
    (void)state;
    const dry_quantity columns[] = {{"t", "s"}, {"x\x1b[2J\x07\xC2\x9b", "m"}};
    dry_record *record = dry_record_new(columns, 2);
    dry_panel panel = {.title = "\x1b]0;title\x07", .y = {1}, .n_curves = 1};
    char *text = shown(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, false);
    assert_null(strchr(text, '\x1b'));
    assert_null(strchr(text, '\x07'));
    assert_null(strstr(text, "\xC2\x9b"));
    free(text);
    dry_record_free(record);
}

static void odd_data(void **state) {
    (void)state;
    static const struct {
        size_t rows;
        double (*a)(double);
        int least, most; /* braille cells: none, one dot, one row of a 72 wide panel, some */
    } cases[] = {{0, wave, 0, 0}, {1, wave, 1, 1}, {500, constant, 60, 72}, {500, gap, 30, 72}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dry_record *record = sample(cases[i].rows, cases[i].a, wave);
        dry_panel panel = {.y = {1}, .n_curves = 1};
        char *text = shown(&(dry_plot){.record = record, .panels = &panel, .n_panels = 1}, false);
        assert_in_range(braille_cells(text, strlen(text)), cases[i].least, cases[i].most);
        free(text);
        dry_record_free(record);
    }
}

static void too_small(void **state) {
    (void)state;
    dry_record *record = sample(5, wave, ripple);
    dry_panel panel = {.y = {1}, .n_curves = 1};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1, .width = 10};
    dry_error error = {0};
    FILE *stream = tmpfile();
    assert_int_equal(dry_plot_terminal(&plot, stream, false, &error), DRY_BAD_ARGUMENT);
    assert_int_not_equal(error.text[0], 0);
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
    dry_record_free(record);
}

/* Without a width of its own a picture is as wide as the reader says, or 72 columns. */
static void as_wide_as_the_reader_says(void **state) {
    (void)state;
    static const struct {
        const char *said;
        int wide;
    } row[] = {{"50", 50}, {"120", 120}, {"7", 30}, {"wide", 72}, {"50x", 72}, {"-5", 72}};
    dry_record *record = sample(100, wave, ripple);
    dry_panel panel = {.y = {1}, .n_curves = 1};
    dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setenv("COLUMNS", row[i].said, 1);
        char *text = shown(&plot, false);
        assert_int_equal(widest(text), row[i].wide);
        free(text);
    }
    unsetenv("COLUMNS");
    dry_record_free(record);
}

static void as_wide_as_the_terminal(void **state) {
    (void)state;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    at_least(master, 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    FILE *stream = fopen(ptsname(master), "w");
    const struct winsize size = {.ws_row = 24, .ws_col = 53};
    assert_non_null(stream);
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    assert_int_equal(dry_plot__columns(stream), 53);
    setenv("COLUMNS", "61", 1);
    assert_int_equal(dry_plot__columns(stream), 61);
    unsetenv("COLUMNS");
    fclose(stream);
    close(master);
    stream = tmpfile();
    assert_int_equal(dry_plot__columns(stream), 0);
    fclose(stream);
}

int main(void) {
    unsetenv("COLUMNS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands_are_in_line_with_the_axis),
        cmocka_unit_test(width_is_bounded),
        cmocka_unit_test(spike_is_visible),
        cmocka_unit_test(labels_and_legend),
        cmocka_unit_test(colours_are_closed),
        cmocka_unit_test(names_cannot_command_the_terminal),
        cmocka_unit_test(odd_data),
        cmocka_unit_test(too_small),
        cmocka_unit_test(as_wide_as_the_reader_says),
        cmocka_unit_test(as_wide_as_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
