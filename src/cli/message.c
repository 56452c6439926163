/* Messages on stderr, the noun of a number, and the name that was probably meant. */
#include "cli.h"
#include <string.h>

void cli_complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("drystone: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

void cli_complain_error(const dry_error *error) {
    fputs("drystone: ", stderr);
    if (error->file[0]) fprintf(stderr, "%s:", error->file);
    if (error->line) fprintf(stderr, "%d:", error->line);
    if (error->column) fprintf(stderr, "%d:", error->column);
    fprintf(stderr, "%s%s\n", error->file[0] || error->line ? " " : "", error->text);
}

const char *cli_noun(double n, const char *one, const char *many) { return n == 1.0 ? one : many; }

/* ---- the nearest name -------------------------------------------------------------- */

enum { LONGEST = 40 };

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int least(int a, int b) { return a < b ? a : b; }

/* How many letters to insert, delete, replace or swap with their neighbour; case does not matter.
 */
static int distance(const char *a, const char *b) {
    const size_t m = strlen(a), n = strlen(b);
    int d[LONGEST + 1][LONGEST + 1];
    if (m > LONGEST || n > LONGEST) return LONGEST;
    for (size_t i = 0; i <= m; i++) d[i][0] = (int)i;
    for (size_t j = 0; j <= n; j++) d[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            const char p = small(a[i - 1]), q = small(b[j - 1]);
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (p != q));
            if (i > 1 && j > 1 && p == small(b[j - 2]) && small(a[i - 2]) == q)
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

const char *cli_nearest(const char *word, cli_names *names, const void *list) {
    const char *best = NULL, *name;
    int smallest = 2 + (int)strlen(word) / 4; /* one mistake, and one more per four letters */
    for (int i = 0; (name = names(list, i)); i++) {
        const int d = distance(word, name);
        if (d < smallest) {
            smallest = d;
            best = name;
        }
    }
    return best;
}
