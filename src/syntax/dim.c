/* Dimensions and units (dim.h). */
#include "dim.h"

#include <drystone/elementary.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- products and unification ------------------------------------------------------ */

static const double tiny = 1e-9; /* powers that differ by less are equal */

void dry_dims_free(dry_dims *dims) {
    if (!dims) return;
    free(dims->meaning);
    free(dims->known);
    *dims = (dry_dims){0};
}

dry_dim dry_dim_pure(void) { return (dry_dim){0}; }

dry_dim dry_dim_any(void) { return (dry_dim){.any = true}; }

dry_dim dry_dim_seconds(double power) {
    dry_dim dim = {0};
    dim.power[2] = power;
    return dim;
}

dry_dim dry_dim_unknown(dry_dims *dims) {
    if (dims->n == dims->room) {
        int room = dims->room ? 2 * dims->room : 64;
        dry_dim *meaning =
            dry_heap_grow(dims->arena, dims->meaning, sizeof *meaning * (size_t)room);
        if (!meaning) return (dry_dim){0};
        dims->meaning = meaning;
        bool *known = dry_heap_grow(dims->arena, dims->known, sizeof *known * (size_t)room);
        if (!known) return (dry_dim){0};
        dims->known = known;
        dims->room = room;
    }
    dims->known[dims->n] = false;
    dry_dim dim = {.n = 1, .unknown = {dims->n}, .exponent = {1.0}};
    dims->n++;
    return dim;
}

/* dim *= unknown^exponent. Returns false if there is no room for another unknown. */
static bool multiply_unknown(dry_dim *dim, int unknown, double exponent) {
    for (int i = 0; i < dim->n; i++) {
        if (dim->unknown[i] != unknown) continue;
        dim->exponent[i] += exponent;
        if (fabs(dim->exponent[i]) < tiny) {
            dim->n--;
            dim->unknown[i] = dim->unknown[dim->n];
            dim->exponent[i] = dim->exponent[dim->n];
        }
        return true;
    }
    if (dim->n == DRY_N_UNKNOWNS) return false;
    dim->unknown[dim->n] = unknown;
    dim->exponent[dim->n++] = exponent;
    return true;
}

static bool multiply(dry_dim *dim, const dry_dim *by, double exponent) {
    bool fits = true;
    for (int k = 0; k < DRY_N_BASES; k++) dim->power[k] += exponent * by->power[k];
    for (int i = 0; i < by->n; i++)
        fits = multiply_unknown(dim, by->unknown[i], exponent * by->exponent[i]) && fits;
    return fits;
}

/* Returns what is known about an unknown. It looks two steps ahead, so that chains of unknowns get
 * shorter with each use. */
static dry_dim meaning_of(dry_dims *dims, int unknown) {
    const dry_dim meaning = dims->meaning[unknown];
    dry_dim farther = {0};
    bool fits = true;
    for (int k = 0; k < DRY_N_BASES; k++) farther.power[k] = meaning.power[k];
    for (int i = 0; i < meaning.n; i++) {
        const int next = meaning.unknown[i];
        fits = (dims->known[next] ? multiply(&farther, &dims->meaning[next], meaning.exponent[i])
                                  : multiply_unknown(&farther, next, meaning.exponent[i])) &&
               fits;
    }
    if (fits) dims->meaning[unknown] = farther;
    return dims->meaning[unknown];
}

dry_dim dry_dim_resolve(dry_dims *dims, dry_dim a) {
    for (int i = 0; i < a.n;) {
        int unknown = a.unknown[i];
        if (!dims->known[unknown]) {
            i++;
            continue;
        }
        double exponent = a.exponent[i];
        a.n--;
        a.unknown[i] = a.unknown[a.n];
        a.exponent[i] = a.exponent[a.n];
        dry_dim meaning = meaning_of(dims, unknown);
        if (!multiply(&a, &meaning, exponent)) return dry_dim_unknown(dims);
        i = 0;
    }
    return a;
}

dry_dim dry_dim_combine(dry_dims *dims, dry_dim a, double x, dry_dim b, double y) {
    dry_dim product = {0};
    if (a.any || b.any) return dry_dim_any();
    a = dry_dim_resolve(dims, a);
    b = dry_dim_resolve(dims, b);
    bool fits = multiply(&product, &a, x);
    fits = multiply(&product, &b, y) && fits;
    return fits ? product : dry_dim_unknown(dims); /* too many unknowns to draw a conclusion */
}

bool dry_dim_unify(dry_dims *dims, dry_dim a, dry_dim b) {
    dry_dim ratio = dry_dim_combine(dims, a, 1.0, b, -1.0);
    if (ratio.any) return true;
    if (!ratio.n) {
        for (int k = 0; k < DRY_N_BASES; k++)
            if (fabs(ratio.power[k]) > tiny) return false;
        return true;
    }
    /* ratio = 1: the newest unknown is the rest to the power -1/exponent */
    int newest = 0;
    for (int i = 1; i < ratio.n; i++)
        if (ratio.unknown[i] > ratio.unknown[newest]) newest = i;
    int unknown = ratio.unknown[newest];
    double exponent = ratio.exponent[newest];
    ratio.n--;
    ratio.unknown[newest] = ratio.unknown[ratio.n];
    ratio.exponent[newest] = ratio.exponent[ratio.n];
    dry_dim meaning = {0};
    multiply(&meaning, &ratio, -1.0 / exponent);
    dims->meaning[unknown] = meaning;
    dims->known[unknown] = true;
    return true;
}

bool dry_dim_is_known(dry_dims *dims, dry_dim a) {
    return !a.any && dry_dim_resolve(dims, a).n == 0;
}

/* ---- text -------------------------------------------------------------------------- */

typedef struct named {
    const char *text;
    double power[DRY_N_BASES]; /* m kg s A K */
} named;

/* Names that an engineer expects to read. */
static const named shown[] = {
    {"N", {1, 1, -2, 0, 0}},      {"N m", {2, 1, -2, 0, 0}},   {"N/m", {0, 1, -2, 0, 0}},
    {"N s/m", {0, 1, -1, 0, 0}},  {"N s", {1, 1, -1, 0, 0}},   {"N m s", {2, 1, -1, 0, 0}},
    {"Pa", {-1, 1, -2, 0, 0}},    {"W", {2, 1, -3, 0, 0}},     {"V", {2, 1, -3, -1, 0}},
    {"N/m^2", {-1, 1, -2, 0, 0}}, {"kg m^2", {2, 1, 0, 0, 0}}, {"N m^2", {3, 1, -2, 0, 0}},
};
static const char *const bases[DRY_N_BASES] = {"m", "kg", "s", "A", "K"};

static bool same(const double *a, const double *b) {
    for (int k = 0; k < DRY_N_BASES; k++)
        if (fabs(a[k] - b[k]) > tiny) return false;
    return true;
}

static void append_power(char *text, const char *base, double power) {
    const size_t length = strlen(text);
    const bool plain = fabs(power - 1.0) < tiny;
    char number[DRY_NUMBER_SIZE];
    dry_number_rounded(power, 4, number);
    snprintf(text + length, DRY_DIM_TEXT - length, "%s%s%s", base, plain ? "" : "^",
             plain ? "" : number);
}

const char *dry_dim_text(dry_dims *dims, dry_dim a, char text[DRY_DIM_TEXT]) {
    text[0] = 0;
    a = dry_dim_resolve(dims, a);
    if (a.n) return text;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (same(a.power, shown[i].power)) return strcpy(text, shown[i].text);
    for (int pass = 0; pass < 2; pass++) /* numerator, then denominator */
        for (int k = 0; k < DRY_N_BASES; k++) {
            double power = pass ? -a.power[k] : a.power[k];
            if (power < tiny) continue;
            size_t length = strlen(text);
            if (pass && !length)
                strcpy(text, "1/");
            else if (length)
                strncat(text, pass ? "/" : " ", DRY_DIM_TEXT - 1 - length);
            append_power(text, bases[k], power);
        }
    return text;
}

/* ---- units ------------------------------------------------------------------------- */

typedef struct unit {
    const char *text;
    double factor;
    double power[DRY_N_BASES];
    bool prefixes;  /* takes SI prefixes */
    const char *si; /* in SI, if its dimension loses part of its meaning; "": nothing is lost */
} unit;

#define PI 3.14159265358979323846
#define UNIT(text, factor, m, kg, s, A, K, prefixes, si)                                           \
    {text, factor, {m, kg, s, A, K}, prefixes, si},
static const unit units[] = {
#include "units.def"
    {"1", 1, {0}, false, ""},
};
#undef UNIT

#define UNIT(text, ...) " " text
const char *dry_unit_names(void) {
    static const char names[] =
#include "units.def"
        ;
    return names + 1;
}
#undef UNIT

const char *dry_unit_name(int index) {
    const int n = (int)(sizeof units / sizeof *units) - 1; /* without the 1 */
    return index >= 0 && index < n ? units[index].text : NULL;
}

static const struct prefix {
    const char *text;
    double factor;
} prefixes[] = {
    {"da", 1e1}, {"G", 1e9},  {"M", 1e6},   {"k", 1e3},         {"h", 1e2},
    {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3},  {"\xC2\xB5", 1e-6}, {"\xCE\xBC", 1e-6},
    {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12},
};

static const unit *find_unit(const char *text, size_t length, bool prefixed) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].text) == length && !memcmp(units[i].text, text, length) &&
            (units[i].prefixes || !prefixed))
            return &units[i];
    return NULL;
}

static const unit *find_prefixed(const char *text, size_t length, double *factor) {
    *factor = 1.0;
    const unit *found = find_unit(text, length, false);
    for (size_t i = 0; !found && i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i].text);
        if (length <= n || memcmp(text, prefixes[i].text, n) != 0) continue;
        found = find_unit(text + n, length - n, true);
        *factor = prefixes[i].factor;
    }
    return found;
}

/* Reads the exponent after a unit's name: ^2, ^-1, superscript 2 or 3, or 1. */
static const char *read_exponent(const char *c, double *exponent) {
    *exponent = 1.0;
    if (!strncmp(c, "\xC2\xB2", 2) || !strncmp(c, "\xC2\xB3", 2)) {
        *exponent = c[1] == '\xB2' ? 2.0 : 3.0;
        return c + 2;
    }
    if (*c != '^') return c;
    const char *end;
    bool minus = c[1] == '-';
    return dry_number_parse(c + 1 + minus, &end, exponent) && fabs(*exponent) < 100.0
               ? (*exponent = minus ? -*exponent : *exponent, end)
               : NULL;
}

/* Skips white space and product signs; reports whether a slash was among them. */
static const char *separators(const char *c, bool *divide) {
    *divide = false;
    for (;; c++) {
        if (*c == '/')
            *divide = true;
        else if (!strncmp(c, "\xC2\xB7", 2))
            c++;
        else if (*c != ' ' && *c != '*' && *c != '.')
            return c;
    }
}

static size_t word_length(const char *c) {
    const size_t length = strcspn(c, "^*/ .\xC2");
    return !length && !strncmp(c, "\xC2\xB5", 2) ? 2 + strcspn(c + 2, "^*/ .\xC2") : length;
}

/* Reads a unit with its exponent. Returns the text after it, or NULL if it does not understand the
 * unit. */
static const char *read_unit(const char *c, const unit **u, double *scale, double *exponent) {
    const size_t length = word_length(c);
    *u = find_prefixed(c, length, scale);
    const char *end = *u ? read_exponent(c + length, exponent) : NULL;
    return end == c ? NULL : end;
}

bool dry_unit_parse(const char *text, double *factor, dry_dim *dim, char bad[DRY_DIM_TEXT]) {
    *factor = 1.0;
    *dim = (dry_dim){0};
    bool divide, any = false;
    for (const char *c = separators(text, &divide); *c; any = true) {
        double scale, exponent;
        const unit *u;
        const char *end = read_unit(c, &u, &scale, &exponent);
        if (!end) {
            size_t length = word_length(c);
            while (length == 0 || ((unsigned char)c[length] & 0xC0) == 0x80) length++;
            snprintf(bad, DRY_DIM_TEXT, "%.*s", (int)length, c);
            return false;
        }
        if (divide) exponent = -exponent;
        *factor *= dry_pow(scale * u->factor, exponent);
        for (int k = 0; k < DRY_N_BASES; k++) dim->power[k] += exponent * u->power[k];
        c = separators(end, &divide);
        if (divide && !*c) break;
    }
    if (!any || divide) snprintf(bad, DRY_DIM_TEXT, "%s", text);
    return any && !divide;
}

double dry_unit_angle(const char *text) {
    double power = 0.0;
    bool divide;
    for (const char *c = separators(text, &divide); c && *c;) {
        double scale, exponent;
        const unit *u;
        c = read_unit(c, &u, &scale, &exponent);
        if (!c) return 0.0;
        if (strncmp(u->si, "rad", 3) == 0) power += divide ? -exponent : exponent;
        c = separators(c, &divide);
    }
    return power;
}

/* ---- in SI, as it was written
 * -------------------------------------------------------------------- */

/* Appends one factor: of a compound such as rad/s only itself. */
static bool append_factor(char *si, const unit *u, double exponent) {
    char own[DRY_DIM_TEXT];
    dry_dims none = {0};
    dry_dim dim = {0};
    memcpy(dim.power, u->power, sizeof dim.power);
    const char *name = *u->si ? u->si : dry_dim_text(&none, dim, own);
    const size_t length = strlen(si);
    if (!*name) return true;
    if (strpbrk(name, "/ ") && (exponent < 0.0 || fabs(exponent - 1.0) > tiny)) return false;
    const char *between = exponent < 0.0 ? length ? "/" : "1/" : length ? " " : "";
    snprintf(si + length, DRY_DIM_TEXT - length, "%s", between);
    append_power(si, name, fabs(exponent));
    return strlen(si) + 1 < DRY_DIM_TEXT;
}

bool dry_unit_si(const char *text, char si[DRY_DIM_TEXT]) {
    bool divide, forgets = false, good = true;
    si[0] = '\0';
    for (const char *c = separators(text, &divide); good && *c;) {
        double scale, exponent;
        const unit *u;
        const char *end = read_unit(c, &u, &scale, &exponent);
        if (!end) return false;
        forgets |= *u->si != 0;
        good = append_factor(si, u, divide ? -exponent : exponent);
        c = separators(end, &divide);
    }
    return good && forgets;
}
