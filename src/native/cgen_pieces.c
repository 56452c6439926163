/* cgen_pieces: finds the pieces of the laws that a C text needs; prints numbers as C, and C in
 * single precision. */
#include "cgen_private.h"
#include <drystone/model.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words of a text --------------------------------------------------------------- */

static bool begins_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t word_length(const char *text) {
    size_t n = 0;
    while (begins_word(text[n]) || is_digit(text[n])) n++;
    return n;
}

static bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* Returns true if the word is in a list separated by blanks. */
static bool is_among(const char *list, const char *word, size_t length) {
    while (*list) {
        const size_t n = strcspn(list, " ");
        if (n == length && strncmp(list, word, n) == 0) return true;
        list += n + (list[n] == ' ');
    }
    return false;
}

/* ---- pieces ------------------------------------------------------------------------ */

static int count_pieces(void) {
    int n = 0;
    while (dry_c__pieces[n].names) n++;
    return n;
}

/* Whether row i is the rest of the piece before it. */
static bool goes_on(int i) { return dry_c__pieces[i].names && !*dry_c__pieces[i].names; }

/* Below 0: the word comes before the name; 0: it is the name. */
static int order(const char *word, size_t length, const char *name) {
    const int letters = strncmp(word, name, length);
    return letters ? letters : -(name[length] != '\0');
}

/* The piece that defines a word, before `end`; DRY_NONE if there is none. */
static int piece_of(const char *word, size_t length, int end) {
    int low = 0, high = dry_c__n_words;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const dry_c__word *row = &dry_c__words[middle];
        const int sign = order(word, length, row->name);
        if (sign == 0) return row->piece < end ? row->piece : DRY_NONE;
        if (sign < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return DRY_NONE;
}

/* Where a function has a version for single precision, that is a piece of its name with an f. */
static int single_piece_of(const char *word, size_t length, int end) {
    char name[64];
    if (length + 2 > sizeof name) return DRY_NONE;
    snprintf(name, sizeof name, "%.*sf", (int)length, word);
    return piece_of(name, length + 1, end);
}

/* Marks the pieces before `end` that the text names. */
static void mark_named(const char *text, bool single, int end, bool *wanted) {
    while (*text) {
        const size_t n = begins_word(*text) ? word_length(text) : 0;
        int i = n && single ? single_piece_of(text, n, end) : DRY_NONE;
        if (n && i == DRY_NONE) i = piece_of(text, n, end);
        for (bool more = i != DRY_NONE; more; more = goes_on(++i)) wanted[i] = true;
        text += n ? n : 1;
    }
}

bool dry_c__print_pieces(const char *text, bool single, FILE *stream) {
    const int count = count_pieces();
    bool *wanted = calloc((size_t)count, sizeof *wanted);
    if (!wanted) return false;
    mark_named(text, single, count, wanted);
    for (int i = count - 1; i >= 0; i--) /* a piece uses earlier ones only */
        if (wanted[i]) mark_named(dry_c__pieces[i].text, single, i, wanted);
    fputs("#ifndef DRY_LAW\n#define DRY_LAW static inline\n#endif\n\n", stream);
    for (int i = 0; i < count; i++)
        if (wanted[i]) fprintf(stream, "%s%s", dry_c__pieces[i].text, goes_on(i + 1) ? "" : "\n");
    free(wanted);
    return true;
}

/* ---- numbers ----------------------------------------------------------------------- */

void dry_c__number(double value, char text[DRY_C__WORD]) {
    char digits[DRY_NUMBER_SIZE];
    if (isnan(value) || isinf(value)) {
        snprintf(text, DRY_C__WORD, isnan(value) ? "(double)NAN" : "(%s(double)INFINITY)",
                 value < 0.0 ? "-" : "");
        return;
    }
    dry_number_text(value, digits);
    const char *point = strpbrk(digits, ".e") ? "" : ".0";
    snprintf(text, DRY_C__WORD, signbit(value) ? "(%s%s)" : "%s%s", digits, point);
}

/* ---- single precision -------------------------------------------------------------------------
 */

/* Functions that laws call, but no function of the language. */
static const char called_by_laws[] = "copysign nextafter";

const char *dry_c_library(int i, int *n_args) {
    for (const dry_op_row *row = dry_op_rows; row < dry_op_rows + DRY_N_OPS; row++)
        if (row->library && *row->library && i-- == 0) {
            *n_args = row->n_args;
            return row->library;
        }
    return NULL;
}

/* A name without arguments is something else, such as a parameter with the name round. */
static bool is_library_call(const char *text, size_t n) {
    int n_args;
    if (text[n] != '(') return false;
    const char *name;
    for (int i = 0; (name = dry_c_library(i, &n_args)); i++)
        if (is_word(text, n, name)) return true;
    return is_among(called_by_laws, text, n);
}

static size_t put_word(const char *text, FILE *stream) {
    const size_t n = word_length(text);
    if (is_word(text, n, "double"))
        fputs("float", stream);
    else
        fprintf(stream, "%.*s%s", (int)n, text,
                is_library_call(text, n) || single_piece_of(text, n, count_pieces()) != DRY_NONE
                    ? "f"
                    : "");
    return n;
}

static size_t number_length(const char *text) {
    size_t n = 0;
    while (is_digit(text[n]) || text[n] == '.' || begins_word(text[n]) ||
           (n && (text[n] == '+' || text[n] == '-') && text[n - 1] == 'e'))
        n++;
    return n;
}

static bool fits_single(double value) {
    return value == 0.0 || (value <= (double)FLT_MAX && value >= (double)FLT_MIN);
}

/* What stays as it is: 12, 0x1f, and 0.5f of what is written for single precision. */
static bool is_single(const char *number, size_t n) {
    const bool whole = !memchr(number, '.', n) && !memchr(number, 'e', n);
    return whole || is_word(number, 2, "0x") || (n > 1 && number[n - 1] == 'f');
}

/* The laws guard the range of the numbers with 1e280 and 1e-280; for a float, a tenth of the
 * exponent is used. */
static size_t put_number(const char *text, FILE *stream) {
    const size_t n = number_length(text);
    const char *end;
    double value = 0.0;
    dry_number_parse(text, &end, &value);
    if (is_single(text, n))
        fprintf(stream, "%.*s", (int)n, text);
    else if (fits_single(value))
        fprintf(stream, "%.*sf", (int)n, text);
    else
        fprintf(stream, "1e%df", (int)round(log10(value)) / 10);
    return n;
}

/* Returns the length of a comment or of a quoted text, which stay unchanged; 0 if none begins
 * here. */
static size_t untouched(const char *text) {
    if (text[0] == '/' && text[1] == '*') {
        const char *end = strstr(text, "*/");
        return end ? (size_t)(end - text) + 2 : strlen(text);
    }
    if (text[0] == '#') return strcspn(text, "\n");
    if (text[0] != '"') return 0;
    size_t n = 1;
    while (text[n] && text[n] != '"') n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    return n + (text[n] == '"');
}

void dry_c_print_single(const char *text, FILE *stream) {
    while (*text) {
        size_t n = untouched(text);
        if (n) {
            fwrite(text, 1, n, stream);
        } else if (begins_word(*text)) {
            n = put_word(text, stream);
        } else if (is_digit(*text)) {
            n = put_number(text, stream);
        } else {
            fputc(*text, stream);
            n = 1;
        }
        text += n;
    }
}
