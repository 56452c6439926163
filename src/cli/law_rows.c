/* The row of a law as cells of tables. */
#include "law_rows.h"
#include <ctype.h>
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

const char *cli_law_kind(const dry_law *law) { return kind_names[law->kind]; }

/* A power with a name in it, such as m^lambda, is no unit of the language. */
static bool is_plain(const char *unit) {
    const char *power = strchr(unit, '^');
    return !power || !isalpha((unsigned char)power[1]);
}

void cli_law_default(const dry_law *law, int index, bool writable, char cell[CLI_CELL]) {
    const dry_law_param *p = &law->params[index];
    const bool unit = p->unit[0] && (!writable || is_plain(p->unit));
    char number[DRY_NUMBER_SIZE];
    dry_number_text(p->standard, number);
    snprintf(cell, CLI_CELL, "%s%s%s%s%s", number, p->form == DRY_LIST ? rule_suffix[p->rule] : "",
             unit ? " [" : "", unit ? p->unit : "", unit ? "]" : "");
}

static void join_traits(unsigned traits, char cell[CLI_CELL]) {
    size_t length = 0;
    cell[0] = '\0';
    for (int t = 0; t < DRY_N_TRAITS; t++)
        if (traits & 1u << t && length < CLI_CELL)
            length += (size_t)snprintf(cell + length, CLI_CELL - length, "%s%s", length ? ", " : "",
                                       dry_trait_name(t));
}

bool cli_law_row(const void *unused, int index, cli_row cells) {
    (void)unused;
    if (index >= dry_law_count()) return false;
    const dry_law *law = dry_law_at(index);
    cli_set(cells[0], law->name);
    cli_set(cells[1], cli_law_kind(law));
    cli_set(cells[2], law->title);
    join_traits(law->traits, cells[3]);
    return true;
}

bool cli_law_param(const void *about, int index, cli_row cells) {
    const dry_law *law = about;
    char value[CLI_CELL];
    if (index >= law->n_params) return false;
    const dry_law_param *p = &law->params[index];
    snprintf(cells[0], CLI_CELL, "%s%s", p->name, form_suffix[p->form]);
    cli_law_default(law, index, false, value);
    snprintf(cells[1], CLI_CELL, "= %.*s", CLI_CELL - 3, value);
    snprintf(cells[2], CLI_CELL, "%s%s", p->form == DRY_COUNT ? "whole " : "",
             range_names[p->range]);
    cli_set(cells[3], p->meaning);
    return true;
}

bool cli_law_state(const void *about, int index, cli_row cells) {
    const dry_law *law = about;
    if (index >= law->n_states) return false;
    const dry_law_state *s = &law->states[index];
    snprintf(cells[0], CLI_CELL, "%s%s", s->name, state_suffix[s->form]);
    snprintf(cells[1], CLI_CELL, "%s%s%s", s->unit[0] ? "[" : "", s->unit, s->unit[0] ? "]" : "");
    cli_set(cells[2], s->meaning);
    return true;
}

/* The index-th of the traits that the law has. */
bool cli_law_trait(const void *about, int index, cli_row cells) {
    const dry_law *law = about;
    for (int t = 0; t < DRY_N_TRAITS; t++) {
        if (!(law->traits & 1u << t) || index-- > 0) continue;
        cli_set(cells[0], dry_trait_name(t));
        cli_set(cells[1], dry_trait_meaning(t));
        return true;
    }
    return false;
}
