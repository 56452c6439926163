/* export_text: makes texts of a model harmless, as comments and as strings, and puts the prefix
 * into texts of the library. */
#include "export_private.h"
#include <math.h>
#include <string.h>

void dry_export__words(const char *text, size_t length, FILE *stream) {
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
                               "_.,:;()[]+-=<>^%'/`";
    for (const char *end = text + length; text < end && *text; text++) {
        const bool greek = dry_export__is_greek(text);
        if (greek) fputc(*text++, stream);
        fputc(greek || strchr(fine, *text) ? *text : '_', stream);
    }
}

void dry_export__comment(const char *text, FILE *stream) {
    const size_t most = 200, length = strlen(text);
    dry_export__words(text, length < most ? length : most, stream);
}

void dry_export__string(const char *text, FILE *stream) {
    fputc('"', stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
            fprintf(stream, "\\%03o", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}

void dry_export__number(double value, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(value, text);
    if (isfinite(value))
        fprintf(stream, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
    else
        fputs(isnan(value)  ? "(double)NAN"
              : value > 0.0 ? "(double)INFINITY"
                            : "-(double)INFINITY",
              stream);
}

void dry_export__put(const dry_export__plan *plan, const char *text, FILE *stream) {
    for (; *text; text++)
        if (*text == '~')
            fputs(plan->prefix, stream);
        else if (*text == '^')
            fputs(plan->upper, stream);
        else
            fputc(*text, stream);
}
