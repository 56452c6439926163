/* Prints tables whose columns are as wide as their widest cell. */
#include "table.h"
#include <string.h>

int cli_width(const char *text) {
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

void cli_pad(FILE *stream, const char *text, int width) {
    fprintf(stream, "%s%*s", text, width > cli_width(text) ? width - cli_width(text) : 0, "");
}

static void widen(int width[CLI_COLUMNS], cli_row cells) {
    for (int c = 0; c < CLI_COLUMNS; c++)
        if (cli_width(cells[c]) > width[c]) width[c] = cli_width(cells[c]);
}

/* The last column that has text ends the line. */
static void print_cells(const int width[CLI_COLUMNS], cli_row cells) {
    int last = CLI_COLUMNS - 1;
    while (last > 0 && !cells[last][0]) last--;
    for (int c = 0; c < last; c++) cli_pad(stdout, cells[c], width[c] + 2);
    puts(cells[last]);
}

void cli_table(const void *about, cli_fill *fill, const char *indent) {
    int width[CLI_COLUMNS] = {0};
    cli_row cells = {{0}};
    for (int i = 0; fill(about, i, cells); i++) widen(width, cells);
    for (int i = 0; fill(about, i, cells); i++) {
        fputs(indent, stdout);
        print_cells(width, cells);
    }
}

void cli_section(const char *title, const void *about, cli_fill *fill) {
    cli_row cells = {{0}};
    printf("%s\n", title);
    if (!fill(about, 0, cells)) puts("    none");
    cli_table(about, fill, "    ");
}

void cli_set(char cell[CLI_CELL], const char *text) { snprintf(cell, CLI_CELL, "%s", text); }

void cli_lines(const char *text) {
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        printf("    %.*s\n", length, text);
        text += length + (text[length] == '\n');
    }
}
