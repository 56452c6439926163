/* html: text, strings of JSON and numbers that cannot become markup. */
#include "report_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *entity(char c) {
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void dry_report__text_of(const char *text, size_t length, FILE *stream) {
    for (size_t i = 0; i < length; i++) {
        const char *safe = entity(text[i]);
        if (safe)
            fputs(safe, stream);
        else if ((unsigned char)text[i] >= 32 || text[i] == '\n' || text[i] == '\t')
            fputc(text[i], stream);
    }
}

void dry_report__text(const char *text, FILE *stream) {
    dry_report__text_of(text, strlen(text), stream);
}

void dry_report__put(FILE *stream, const char *markup, ...) {
    va_list texts;
    va_start(texts, markup);
    for (const char *sign; (sign = strstr(markup, "%s")) != NULL; markup = sign + 2) {
        fwrite(markup, 1, (size_t)(sign - markup), stream);
        dry_report__text(va_arg(texts, const char *), stream);
    }
    fputs(markup, stream);
    va_end(texts);
}

void dry_report__json(const char *text, FILE *stream) {
    fputc('"', stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 32 || c == '<' || c == '>' || c == '&' || c == '"' || c == '\\')
            fprintf(stream, "\\u%04x", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}

void dry_report__number(double x, int digits, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    if (!isfinite(x)) {
        fputs(isnan(x) ? "none" : x > 0 ? "∞" : "−∞", stream);
        return;
    }
    dry_number_rounded(x, digits, text);
    const char *e = strchr(text, 'e');
    const char *mantissa = text[0] == '-' ? text + 1 : text;
    if (text[0] == '-') fputs("−", stream);
    if (!e) {
        fputs(mantissa, stream);
        return;
    }
    const int power = atoi(e + 1), length = (int)(e - mantissa);
    if (length != 1 || mantissa[0] != '1') fprintf(stream, "%.*s\u202f·\u202f", length, mantissa);
    fprintf(stream, "10<sup>%s%d</sup>", power < 0 ? "−" : "", abs(power));
}

/* The length of the digits of a power: 2, 0.5. */
static size_t power_length(const char *text) {
    static const char digits[] = "0123456789";
    const size_t whole = strspn(text, digits);
    const size_t part = text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;
    return part ? whole + 1 + part : whole;
}

void dry_report__unit(const char *unit, FILE *stream) {
    while (*unit) {
        const size_t plain = strcspn(unit, "^");
        dry_report__text_of(unit, plain, stream);
        unit += plain;
        if (!*unit) return;
        const bool negative = unit[1] == '-';
        const size_t digits = power_length(unit + 1 + negative);
        fprintf(stream, "<sup>%s%.*s</sup>", negative ? "−" : "", (int)digits, unit + 1 + negative);
        unit += 1 + negative + digits;
    }
}

/* `last` are the last two digits; pad: with = up to a whole group of four. */
static void put_base64(const char *bytes, size_t length, const char last[2], bool pad,
                       FILE *stream) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (size_t i = 0; i < length; i += 3) {
        unsigned three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < length ? (unsigned char)bytes[i + k] : 0u);
        for (size_t k = 0; k < 4; k++) {
            const unsigned digit = three >> (18 - 6 * k) & 63;
            if (i + k <= length)
                fputc(digit < 62 ? digits[digit] : last[digit - 62], stream);
            else if (pad)
                fputc('=', stream);
        }
    }
}

void dry_report__base64(const char *bytes, size_t length, FILE *stream) {
    put_base64(bytes, length, "+/", true, stream);
}
void dry_report__base64_of_address(const char *bytes, size_t length, FILE *stream) {
    put_base64(bytes, length, "-_", false, stream);
}
