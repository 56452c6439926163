/* xml: texts and numbers in XML. */
#include "fmu_private.h"

#include <string.h>

/* The length of a letter of UTF-8 (RFC 3629) that XML 1.0 has; 0: it is none. */
static size_t letter(const unsigned char *c) {
    const size_t n = c[0] < 0x80 ? 1 : c[0] >= 0xC2 && c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    if (n == 1) return c[0] >= ' ';
    if (c[0] < 0xC2 || c[0] > 0xF4) return 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;
    if (c[0] == 0xE0 && c[1] < 0xA0) return 0;
    if (c[0] == 0xED && c[1] >= 0xA0) return 0;
    if (c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE) return 0;
    if ((c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] >= 0x90)) return 0;
    return n;
}

void dry_fmu__put_text(const char *text, FILE *stream) {
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        const size_t n = letter(c);
        if (*c == '\t' || *c == '\n' || *c == '\r')
            fprintf(stream, "&#%d;", *c);
        else if (n == 0)
            fputc('?', stream);
        else if (strchr("<>&\"'", *c))
            fprintf(stream, "&#%d;", *c);
        else
            fwrite(c, 1, n, stream);
        c += n ? n : 1;
    }
}

void dry_fmu__put_number(double value, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(value, text);
    fputs(text, stream);
}

void dry_fmu__attribute(const char *name, const char *value, FILE *stream) {
    if (!value || !*value) return;
    fprintf(stream, " %s=\"", name);
    dry_fmu__put_text(value, stream);
    fputc('"', stream);
}

void dry_fmu__number(const char *name, double value, FILE *stream) {
    fprintf(stream, " %s=\"", name);
    dry_fmu__put_number(value, stream);
    fputc('"', stream);
}
