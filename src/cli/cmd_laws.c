/* drystone laws [LAW...]: the catalogue of laws, or all about one. */
#include "cli.h"
#include <drystone/law.h>
#include <string.h>

static const char *const kind_names[] = {[DRY_FRICTION] = "friction",
                                         [DRY_CONTACT] = "contact",
                                         [DRY_FRICTIONAL_CONTACT] = "frictional contact"};
static const char *const range_names[] = {[DRY_ANY] = "any",
                                          [DRY_NONNEGATIVE] = ">= 0",
                                          [DRY_POSITIVE] = "> 0",
                                          [DRY_AT_LEAST_ONE] = ">= 1"};
static const char *const form_suffix[] = {[DRY_SCALAR] = "", [DRY_COUNT] = "", [DRY_LIST] = "[i]"};
static const char *const rule_suffix[] = {
    [DRY_EACH] = "", [DRY_OVER_I] = "/i", [DRY_OVER_N] = "/N"};
static const char *const state_suffix[] = {
    [DRY_ONE] = "", [DRY_PER_DIM] = "[dim]", [DRY_PER_ELEMENT] = "[i]"};

/* ---- columns of text --------------------------------------------------------------- */

enum { COLUMNS = 5, CELL = 256 };
typedef char row[COLUMNS][CELL];

static void widen(int width[COLUMNS], row cells) {
    for (int c = 0; c < COLUMNS; c++)
        if (cli_width(cells[c]) > width[c]) width[c] = cli_width(cells[c]);
}

/* The last column that has text ends the line. */
static void print_cells(const int width[COLUMNS], row cells) {
    int last = COLUMNS - 1;
    while (last > 0 && !cells[last][0]) last--;
    for (int c = 0; c < last; c++) cli_pad(stdout, cells[c], width[c] + 2);
    puts(cells[last]);
}

/* fill(law, i, cells) writes the cells of line i; false behind the last. */
typedef bool fill_fn(const dry_law *law, int index, row cells);

static void print_table(const dry_law *law, fill_fn *fill, const char *indent) {
    int width[COLUMNS] = {0};
    row cells = {{0}};
    for (int i = 0; fill(law, i, cells); i++) widen(width, cells);
    for (int i = 0; fill(law, i, cells); i++) {
        fputs(indent, stdout);
        print_cells(width, cells);
    }
}

static void set(char cell[CELL], const char *text) { snprintf(cell, CELL, "%s", text); }

/* ---- the catalogue ----------------------------------------------------------------- */

static void join_traits(unsigned traits, char cell[CELL]) {
    size_t length = 0;
    cell[0] = '\0';
    for (int t = 0; t < DRY_N_TRAITS; t++)
        if (traits & 1u << t && length < CELL)
            length += (size_t)snprintf(cell + length, CELL - length, "%s%s", length ? ", " : "",
                                       dry_trait_name(t));
}

static bool fill_law(const dry_law *unused, int index, row cells) {
    (void)unused;
    if (index >= dry_law_count()) return false;
    const dry_law *law = dry_law_at(index);
    set(cells[0], law->name);
    set(cells[1], kind_names[law->kind]);
    set(cells[2], law->title);
    join_traits(law->traits, cells[3]);
    return true;
}

/* ---- one law ----------------------------------------------------------------------- */

static bool fill_param(const dry_law *law, int index, row cells) {
    char number[DRY_NUMBER_SIZE];
    if (index >= law->n_params) return false;
    const dry_law_param *p = &law->params[index];
    dry_number_text(p->standard, number);
    snprintf(cells[0], CELL, "%s%s", p->name, form_suffix[p->form]);
    snprintf(cells[1], CELL, "= %s%s%s%s%s", number,
             p->form == DRY_LIST ? rule_suffix[p->rule] : "", p->unit[0] ? " [" : "", p->unit,
             p->unit[0] ? "]" : "");
    snprintf(cells[2], CELL, "%s%s", p->form == DRY_COUNT ? "whole " : "", range_names[p->range]);
    set(cells[3], p->meaning);
    return true;
}

static bool fill_state(const dry_law *law, int index, row cells) {
    if (index >= law->n_states) return false;
    const dry_law_state *s = &law->states[index];
    snprintf(cells[0], CELL, "%s%s", s->name, state_suffix[s->form]);
    snprintf(cells[1], CELL, "%s%s%s", s->unit[0] ? "[" : "", s->unit, s->unit[0] ? "]" : "");
    set(cells[2], s->meaning);
    return true;
}

/* The index-th of the traits that the law has. */
static bool fill_trait(const dry_law *law, int index, row cells) {
    for (int t = 0; t < DRY_N_TRAITS; t++) {
        if (!(law->traits & 1u << t) || index-- > 0) continue;
        set(cells[0], dry_trait_name(t));
        set(cells[1], dry_trait_meaning(t));
        return true;
    }
    return false;
}

static void print_lines(const char *text) {
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        printf("    %.*s\n", length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_section(const char *title, const dry_law *law, fill_fn *fill) {
    row cells;
    printf("%s\n", title);
    if (!fill(law, 0, cells)) puts("    none");
    print_table(law, fill, "    ");
}

static void print_law(const dry_law *law) {
    printf("%s: %s\n", law->name, law->title);
    printf("%s", kind_names[law->kind]);
    if (law->max_dim > 1) printf(", in 1 to %d dimensions", law->max_dim);
    puts("\nequation");
    print_lines(law->equation);
    print_section("parameters", law, fill_param);
    print_section("states", law, fill_state);
    print_section("promises", law, fill_trait);
    printf("source\n    %s\n", law->source);
}

static const char *name_at(const void *list, int index) {
    (void)list;
    return index < dry_law_count() ? dry_law_at(index)->name : NULL;
}

static int unknown(const char *name) {
    const char *meant = cli_nearest(name, name_at, NULL);
    if (meant)
        cli_complain("there is no law '%s'; did you mean '%s'?", name, meant);
    else
        cli_complain("there is no law '%s'; 'drystone laws' lists them", name);
    return CLI_USAGE;
}

static int run(const cli_args *args) {
    if (args->n_words == 0) print_table(NULL, fill_law, "");
    for (int i = 0; i < args->n_words; i++) {
        const dry_law *law = dry_law_find(args->words[i]);
        if (!law) return unknown(args->words[i]);
        if (i > 0) puts("");
        print_law(law);
    }
    return CLI_FINE;
}

const cli_verb cli_verb_laws = {
    .name = "laws",
    .arguments = "[LAW...]",
    .summary = "the catalogue of friction and contact laws, or all about one",
    .text = "Each law can be used by its name in a .dry file and in C (dry_law_find).",
    .max_words = 64,
    .run = run};
