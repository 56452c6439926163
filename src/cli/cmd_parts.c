/* drystone parts [KIND...]: the kinds of parts of a .dry file, or all about one. */
#include "table.h"
#include <math.h>
#include <string.h>

static const char *const range_names[] = {[DRY_ANY] = "any",
                                          [DRY_NONNEGATIVE] = ">= 0",
                                          [DRY_POSITIVE] = "> 0",
                                          [DRY_AT_LEAST_ONE] = ">= 1"};

static bool fill_kind(const void *unused, int index, cli_row cells) {
    (void)unused;
    if (index >= dry_part_kind_count()) return false;
    cli_set(cells[0], dry_part_kind_at(index)->name);
    cli_set(cells[1], dry_part_kind_at(index)->title);
    return true;
}

/* "word", "3 numbers", "1 to 3 numbers" */
static void describe_size(const dry_kind_param *p, char cell[CLI_CELL]) {
    if (!p->unit)
        cli_set(cell, "a word");
    else if (p->most == 1)
        cli_set(cell, range_names[p->range]);
    else if (p->least == p->most)
        snprintf(cell, CLI_CELL, "%d numbers, %s", p->most, range_names[p->range]);
    else
        snprintf(cell, CLI_CELL, "%d to %d numbers, %s", p->least, p->most, range_names[p->range]);
}

/* Four numbers without a unit are a quaternion: left out, it turns nothing. */
static bool is_quaternion(const dry_kind_param *p) {
    return p->unit && !p->unit[0] && p->least == 4 && p->most == 4;
}

static void describe_standard(const dry_kind_param *p, char cell[CLI_CELL]) {
    char number[DRY_NUMBER_SIZE];
    const bool has_unit = p->unit && p->unit[0] && p->unit[0] != '?', none = isnan(p->standard);
    if (none || (p->range != DRY_ANY && p->standard < 0.0)) {
        snprintf(cell, CLI_CELL, "%s%s%s%s",
                 none                   ? "none"
                 : dry_key_not_given(p) ? "not given"
                                        : "chosen",
                 has_unit ? " [" : "", has_unit ? p->unit : "", has_unit ? "]" : "");
        return;
    }
    if (is_quaternion(p) && !p->required) {
        cli_set(cell, "= [1, 0, 0, 0]");
        return;
    }
    dry_number_text(p->standard, number);
    snprintf(cell, CLI_CELL, "%s%s%s%s%s", p->required || !p->unit ? "" : "= ",
             p->required ? "needed"
             : !p->unit  ? ""
                         : number,
             has_unit ? " [" : "", has_unit ? p->unit : "", has_unit ? "]" : "");
}

static bool fill_key(const void *about, int index, cli_row cells) {
    const dry_kind *kind = about;
    if (index >= kind->n_params) return false;
    cli_set(cells[0], kind->params[index].name);
    describe_standard(&kind->params[index], cells[1]);
    describe_size(&kind->params[index], cells[2]);
    cli_set(cells[3], kind->params[index].meaning ? kind->params[index].meaning : "");
    return true;
}

static void print_kind(const dry_kind *kind) {
    printf("%s: %s\n", kind->name, kind->title);
    cli_lines(kind->meaning);
    cli_section("keys", kind, fill_key);
    cli_print_offers(kind);
}

static const char *name_at(const void *list, int index) {
    (void)list;
    return index < dry_part_kind_count() ? dry_part_kind_at(index)->name : NULL;
}

static int unknown(const char *name) {
    const char *meant = cli_nearest(name, name_at, NULL);
    if (meant)
        cli_complain("there is no kind of part '%s'; did you mean '%s'?", name, meant);
    else
        cli_complain("there is no kind of part '%s'; 'drystone parts' lists them", name);
    return CLI_USAGE;
}

static int run(const cli_args *args) {
    if (args->n_words == 0) cli_table(NULL, fill_kind, "");
    for (int i = 0; i < args->n_words; i++) {
        const dry_kind *kind = dry_part_kind_find(args->words[i]);
        if (!kind) return unknown(args->words[i]);
        if (i > 0) puts("");
        print_kind(kind);
    }
    return CLI_FINE;
}

const cli_verb cli_verb_parts = {
    .name = "parts",
    .arguments = "[KIND...]",
    .summary = "list the kinds of parts, or describe one",
    .text = "Each can be used in a .dry file: part NAME = KIND(key = value, ...).",
    .max_words = 64,
    .run = run};
