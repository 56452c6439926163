/* Texts of a model made harmless: as comments, as strings, as names of fields. */
#include "export_private.h"
#include <math.h>
#include <string.h>

void dry_export__comment(const char *text, FILE *stream) {
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
                               "_.,:;()[]+-=<>^%'/";
    for (int n = 0; *text && n < 200; text++, n++) fputc(strchr(fine, *text) ? *text : '_', stream);
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

/* ---- fields --------------------------------------------------------------------------------- */

enum { FIELD = 64 };

/* What a field cannot be called: keywords of C and C++, and what the headers define as macros. */
static const char *const taken[] = {"alignas",
                                    "alignof",
                                    "and",
                                    "and_eq",
                                    "asm",
                                    "auto",
                                    "bitand",
                                    "bitor",
                                    "bool",
                                    "break",
                                    "case",
                                    "catch",
                                    "char",
                                    "class",
                                    "compl",
                                    "complex",
                                    "const",
                                    "const_cast",
                                    "constexpr",
                                    "continue",
                                    "decltype",
                                    "default",
                                    "delete",
                                    "do",
                                    "double",
                                    "dynamic_cast",
                                    "else",
                                    "enum",
                                    "explicit",
                                    "export",
                                    "extern",
                                    "false",
                                    "float",
                                    "for",
                                    "friend",
                                    "goto",
                                    "if",
                                    "imaginary",
                                    "inline",
                                    "int",
                                    "linux",
                                    "long",
                                    "mutable",
                                    "namespace",
                                    "new",
                                    "noexcept",
                                    "not",
                                    "not_eq",
                                    "nullptr",
                                    "operator",
                                    "or",
                                    "or_eq",
                                    "private",
                                    "protected",
                                    "public",
                                    "register",
                                    "reinterpret_cast",
                                    "restrict",
                                    "return",
                                    "short",
                                    "signed",
                                    "sizeof",
                                    "static",
                                    "static_assert",
                                    "static_cast",
                                    "struct",
                                    "switch",
                                    "template",
                                    "this",
                                    "thread_local",
                                    "throw",
                                    "true",
                                    "try",
                                    "typedef",
                                    "typeid",
                                    "typename",
                                    "typeof",
                                    "union",
                                    "unix",
                                    "unsigned",
                                    "using",
                                    "virtual",
                                    "void",
                                    "volatile",
                                    "wchar_t",
                                    "while",
                                    "xor",
                                    "xor_eq",
                                    "EOF",
                                    "NULL",
                                    "NAN",
                                    "INFINITY",
                                    "HUGE_VAL",
                                    "HUGE_VALF",
                                    "BUFSIZ",
                                    "DOMAIN",
                                    "SING",
                                    "OVERFLOW",
                                    "UNDERFLOW",
                                    "PLOSS",
                                    "TLOSS",
                                    "HUGE",
                                    "math_errhandling",
                                    "stdin",
                                    "stdout",
                                    "stderr",
                                    "errno",
                                    "sqrt",
                                    "exp",
                                    "log",
                                    "sin",
                                    "cos",
                                    "tan",
                                    "asin",
                                    "acos",
                                    "atan",
                                    "sinh",
                                    "cosh",
                                    "tanh",
                                    "floor",
                                    "pow",
                                    "atan2",
                                    "hypot",
                                    "fabs",
                                    "copysign",
                                    "fmod",
                                    "nextafter"};

static bool is_taken(const char *name) {
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return true;
    return strncmp(name, "FP_", 3) == 0 || strncmp(name, "M_", 2) == 0 ||
           strncmp(name, "SEEK_", 5) == 0 || strncmp(name, "MODEL_", 6) == 0;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* alpha[1] becomes alpha_1 */
static void clean(const char *name, char *field) {
    size_t n = 0;
    if (!is_letter(name[0])) field[n++] = 'p';
    for (; *name && n < FIELD - 12; name++) {
        const bool fine = is_letter(*name) || is_digit(*name);
        if (fine || (n && field[n - 1] != '_')) field[n++] = fine ? *name : '_';
    }
    while (n > 1 && field[n - 1] == '_') n--;
    field[n] = '\0';
    if (is_taken(field)) strcpy(field + n, "_");
}

void dry_export__field(const dry_export__plan *plan, int index, FILE *stream) {
    char field[FIELD], other[FIELD];
    bool alike = false;
    clean(plan->params[index].name, field);
    for (int i = 0; i < index && !alike; i++) {
        clean(plan->params[i].name, other);
        alike = strcmp(field, other) == 0;
    }
    if (alike)
        fprintf(stream, "%s_p%d", field, index);
    else
        fputs(field, stream);
}
