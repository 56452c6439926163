/* given: reads a value from outside (given.h).
 *
 *     given  = ( amount | row | "[" row { "," row } "]" ) [ "[" UNIT "]" ]
 *     row    = "[" amount { "," amount } "]"
 *     amount = NUMBER [ UNIT | "[" UNIT "]" ]
 */
#include "given.h"

#include <math.h>
#include <string.h>

static const char *behind_blanks(const char *at) { return at + strspn(at, " \t"); }

static bool fail(dry_error *error, const char *format, const char *about) {
    dry_error_set(error, DRY_BAD_ARGUMENT, format, about);
    return false;
}

/* ---- one number ---------------------------------------------------------------------- */

/* Reads the unit at *text, in brackets or without, and moves past it. */
static bool read_unit(const char **text, double *factor, dry_dim *dim, dry_error *error) {
    const bool bracket = **text == '[';
    const char *from = *text + bracket;
    const size_t length = strcspn(from, bracket ? "]" : ",:[]");
    char unit[DRY_DIM_TEXT], bad[DRY_DIM_TEXT];
    if (bracket && !from[length])
        return fail(error, "the unit `%.60s` has no closing bracket", *text);
    if (length >= sizeof unit) return fail(error, "the unit `%.60s` is too long", from);
    memcpy(unit, from, length);
    unit[length] = '\0';
    *text = from + length + bracket;
    if (dry_unit_parse(unit, factor, dim, bad)) return true;
    dry_error_set(error, DRY_BAD_ARGUMENT,
                  "there is no unit `%s`; the units are %s, with SI prefixes", bad,
                  dry_unit_names());
    return false;
}

bool dry_amount_read(const char **text, dry_amount *amount, dry_error *error) {
    const char *at = behind_blanks(*text), *end;
    double factor;
    *amount = (dry_amount){0};
    if (!dry_number_parse(at, &end, &amount->value))
        return fail(error, *at ? "a number must stand before `%.60s`" : "a number is missing%s",
                    at);
    if (!isfinite(amount->value)) return fail(error, "`%.60s` is not a finite number", at);
    *text = behind_blanks(end);
    if (strchr(",:]", **text)) return true; /* or the end */
    if (!read_unit(text, &factor, &amount->dim, error)) return false;
    amount->has_unit = true;
    amount->value *= factor;
    *text = behind_blanks(*text);
    return true;
}

static bool same_dim(const dry_dim *a, const dry_dim *b) {
    bool same = true;
    for (int i = 0; i < DRY_N_BASES; i++) same = same && fabs(a->power[i] - b->power[i]) < 1e-9;
    return same;
}

bool dry_amounts_agree(const dry_amount *a, const dry_amount *b) {
    if (a->has_unit && b->has_unit) return same_dim(&a->dim, &b->dim);
    return a->has_unit == b->has_unit || (a->has_unit ? b : a)->value == 0.0;
}

void dry_amount_unit(const dry_amount *amount, char unit[DRY_DIM_TEXT]) {
    dry_dims none = {0};
    dry_dim_text(&none, amount->dim, unit);
    if (!unit[0]) strcpy(unit, "1");
}

/* ---- several ------------------------------------------------------------------------- */

typedef struct reader {
    const char *at;
    double *number;
    int n;
    dry_amount last; /* the last one with a unit; before it, the last that is not 0 */
    dry_error *error;
} reader;

static bool accept(reader *r, char sign) {
    r->at = behind_blanks(r->at);
    if (*r->at != sign) return false;
    r->at++;
    return true;
}

static bool read_amount(reader *r) {
    dry_amount amount;
    if (!dry_amount_read(&r->at, &amount, r->error)) return false;
    if (!dry_amounts_agree(&amount, &r->last))
        return fail(r->error,
                    amount.has_unit && r->last.has_unit
                        ? "the units of the numbers have different dimensions%s"
                        : "some of the numbers have a unit and others have none%s",
                    "");
    if (!r->last.has_unit && (amount.has_unit || amount.value != 0.0)) r->last = amount;
    r->number[r->n++] = amount.value;
    return true;
}

static bool close_list(reader *r) {
    return accept(r, ']') || fail(r->error, "a comma or `]` must stand before `%.60s`", r->at);
}

/* Reads what follows the opening bracket of a row. */
static bool read_row(reader *r, int *n) {
    *n = 0;
    do {
        if (!read_amount(r)) return false;
        ++*n;
    } while (accept(r, ','));
    return close_list(r);
}

/* Reads what follows the opening bracket of a matrix and that of its first row. */
static bool read_matrix(reader *r, dry_given *given) {
    do {
        int cols;
        if (given->rows && !accept(r, '['))
            return fail(r->error, "a row in brackets must stand before `%.60s`", r->at);
        if (!read_row(r, &cols)) return false;
        if (given->rows++ && cols != given->cols)
            return fail(r->error, "the rows of the matrix have different lengths%s", "");
        given->cols = cols;
    } while (accept(r, ','));
    return close_list(r);
}

static bool read_numbers(reader *r, dry_given *given) {
    *given = (dry_given){.cols = 1};
    if (!accept(r, '[')) {
        given->rows = 1;
        return read_amount(r);
    }
    given->rank = accept(r, '[') ? 2 : 1;
    return given->rank == 2 ? read_matrix(r, given) : read_row(r, &given->rows);
}

/* Reads the unit that may follow a list and holds for all its numbers. */
static bool read_common_unit(reader *r) {
    double factor;
    r->at = behind_blanks(r->at);
    if (*r->at != '[') return true;
    if (r->last.has_unit) return fail(r->error, "the unit `%.60s` comes after another unit", r->at);
    if (!read_unit(&r->at, &factor, &r->last.dim, r->error)) return false;
    r->last.has_unit = true;
    for (int i = 0; i < r->n; i++) r->number[i] *= factor;
    return true;
}

static size_t most_numbers(const char *text) {
    size_t n = 1;
    for (; *text; text++) n += *text == ',';
    return n;
}

bool dry_given_read(const char *text, dry_arena *arena, dry_given *given, dry_error *error) {
    reader r = {.at = text, .error = error};
    r.number = dry_arena_take(arena, sizeof *r.number * most_numbers(text));
    if (!r.number) return fail(error, "out of memory%s", "");
    if (!read_numbers(&r, given) || !read_common_unit(&r)) return false;
    r.at = behind_blanks(r.at);
    if (*r.at) return fail(error, "`%.60s` is left over at the end", r.at);
    given->number = r.number;
    given->has_unit = r.last.has_unit;
    given->dim = r.last.dim;
    return true;
}
