/* UTF-8 made safe, superscripts, units, cut texts, and the letters of the built-in font. */
#include "plot/internal.h"
#include "sample.h"

static void every_code_point_returns(void **state) {
    (void)state;
    for (uint32_t code = 0xA0; code < 0x110000; code += 7) {
        if ((code >= 0xD800 && code < 0xE000) || code == 0xFFFE || code == 0xFFFF) continue;
        char bytes[5];
        const char *s = bytes;
        int n = dry_plot__encode(code, bytes);
        assert_int_equal(dry_plot__decode(&s), code);
        assert_int_equal(s - bytes, n);
    }
}

/* Overlong, cut off, surrogates, beyond the end, lone bytes, controls: each shows as U+FFFD. */
static void broken_bytes(void **state) {
    (void)state;
    const char *broken[] = {"\xC0\x80", "\xE2\x82", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80",
                            "\xFF",     "\x1b",     "\x7f",         "\xC2\x9b",         "\n"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const char *s = broken[i];
        assert_int_equal(dry_plot__decode(&s), 0xFFFD);
        for (int guard = 0; *s; guard++) {
            assert_in_range(guard, 0, 4);
            assert_int_equal(dry_plot__decode(&s), 0xFFFD);
        }
        assert_int_equal(dry_plot__decode(&s), 0);
    }
}

static void units_and_powers(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    const char *rows[][2] = {{"m/s^2", "m/s²"}, {"N*m", "N·m"},   {"kg*m^2*s^-1", "kg·m²·s⁻¹"},
                             {"a^b", "a^b"},    {"", ""},         {"m^", "m^"},
                             {"K^10", "K¹⁰"},   {"m^4/s", "m⁴/s"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(dry_plot_unit(arena, rows[i][0]), rows[i][1]);
    char power[32];
    dry_plot__power(-306, power);
    assert_string_equal(power, "×10⁻³⁰⁶");
    dry_arena_free(arena);
}

static void long_texts_are_cut(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    const char *rows[][2] = {{"short", "short"},
                             {"exactly ten", "exactly t…"},
                             {"a long name [m/s]", "a l… [m/s]"},
                             {"ωωωωωωωωωωωω", "ωωωωωωωωω…"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(dry_plot__elide(arena, rows[i][0], 10.0, dry_plot__cells), rows[i][1]);
    dry_arena_free(arena);
}

static void cells_of_wide_and_narrow(void **state) {
    (void)state;
    assert_int_equal((int)dry_plot__cells("abc"), 3);
    assert_int_equal((int)dry_plot__cells("ω\xCC\x87"), 1); /* a letter with a dot above */
    assert_int_equal((int)dry_plot__cells("力"), 2);
}

typedef struct box {
    double x1, y1, x2, y2;
    int strokes;
} box;

static void enclose(void *user, double x1, double y1, double x2, double y2) {
    box *b = user;
    b->x1 = fmin(b->x1, fmin(x1, x2));
    b->x2 = fmax(b->x2, fmax(x1, x2));
    b->y1 = fmin(b->y1, fmin(y1, y2));
    b->y2 = fmax(b->y2, fmax(y1, y2));
    b->strokes++;
}

static box box_of(const char *text) {
    box b = {INFINITY, INFINITY, -INFINITY, -INFINITY, 0};
    dry_plot__text_strokes(text, enclose, &b);
    return b;
}

/* Every letter has strokes, within its own advance and a line of text. */
static void letters_stay_in_place(void **state) {
    (void)state;
    for (size_t i = 0; i < dry_plot__n_glyphs; i++) {
        char text[5];
        dry_plot__encode(dry_plot__glyphs[i].code, text);
        if (i > 0) below(dry_plot__glyphs[i - 1].code, dry_plot__glyphs[i].code);
        if (dry_plot__glyphs[i].code == ' ' || dry_plot__glyphs[i].advance == 0.0) continue;
        box b = box_of(text);
        above(b.strokes, 0);
        at_least(b.x1, -0.11);
        at_most(b.x2, dry_plot__text_width(text) + 0.01);
        at_least(b.y1, -0.22);
        at_most(b.y2, 0.8);
    }
}

static void physics_is_covered(void **state) {
    (void)state;
    const char *text = "!~azAZ09αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ·−×°±µ…";
    while (*text) {
        bool found = false;
        uint32_t code = dry_plot__decode(&text);
        for (size_t i = 0; i < dry_plot__n_glyphs; i++)
            found = found || dry_plot__glyphs[i].code == code;
        assert_true(found);
    }
    for (uint32_t c = ' '; c < 127; c++) assert_int_equal(dry_plot__glyphs[c - ' '].code, c);
}

static void superscripts_are_higher_and_smaller(void **state) {
    (void)state;
    box two = box_of("2"), raised = box_of("²"), lowered = box_of("₂");
    above(raised.y1, two.y1);
    above(raised.y2, two.y2);
    below(lowered.y1, two.y1);
    below(lowered.y2, two.y2);
    below(dry_plot__text_width("²"), dry_plot__text_width("2"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_returns),
        cmocka_unit_test(broken_bytes),
        cmocka_unit_test(units_and_powers),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(cells_of_wide_and_narrow),
        cmocka_unit_test(letters_stay_in_place),
        cmocka_unit_test(physics_is_covered),
        cmocka_unit_test(superscripts_are_higher_and_smaller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
