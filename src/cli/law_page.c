/* The row of a law as cells of tables, and as a page of Markdown with how to write it in a model
 * and in C. */
#include "table.h"
#include <ctype.h>
#include <string.h>

/* ---- cells ------------------------------------------------------------------------------- */

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

/* A power with a name in it, such as m^lambda, is not a unit of the language. */
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

/* ---- what differs from kind to kind --------------------------------------------------- */

static const struct {
    const char *letters, *figure;
    const char *result, *arguments; /* in a model */
    const char *variables, *u, *f;  /* in C */
} words[] = {
    [DRY_FRICTION] = {.letters = "v: sliding velocity, m/s; f: friction force, N, subtracted where "
                                 "it acts, M v' = fe - f.",
                      .figure = "A body moves to and fro with a falling amplitude: force against "
                                "displacement. Another swings: force against velocity.",
                      .result = "f",
                      .arguments = "v",
                      .variables = "double v = 0.01, f; /* sliding velocity, m/s; friction, N */",
                      .u = "&v",
                      .f = "&f"},
    [DRY_CONTACT] = {.letters = "psi: gap, m, negative when pressed in; N: contact force, N, which "
                                "opens the gap, M psi'' = fe + N.",
                     .figure = "A mass hits the ground at 1 m/s: force against indentation, and "
                               "over time.",
                     .result = "N",
                     .arguments = "psi, psi_dot",
                     .variables = "double u[2] = {-1e-4, 0.0}; /* gap, m; its rate, m/s */\n"
                                  "double N;                   /* contact force, N */",
                     .u = "u",
                     .f = "&N"},
    [DRY_FRICTIONAL_CONTACT] =
        {.letters = "psi: gap, m, negative when pressed in; v: sliding velocity, m/s; N: contact "
                    "force, N, which opens the gap; f: friction force, N, subtracted where it "
                    "acts.",
         .figure = "A mass falls on the ground at a slant, bounces, slides and comes to rest: gap, "
                   "speed, contact force and friction over time.",
         .result = "c",
         .arguments = "psi, v",
         .variables = "double u[3] = {-1e-4, 0.0, 0.01}; /* gap, m; its rate, m/s; sliding "
                      "velocity, m/s */\n"
                      "double f[2];                      /* contact force and friction, N */",
         .u = "u",
         .f = "f"},
};

/* ---- tables --------------------------------------------------------------------------- */

/* A bar would end the cell. */
static void print_cell(const char *text, bool code) {
    fputs(code ? " `" : " ", stdout);
    for (; *text; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
    fputs(code ? "` |" : " |", stdout);
}

/* `head` holds the titles between bars; the first `n_code` of the columns are code. */
static void print_table(const char *title, const char *head, int n_columns, int n_code,
                        const void *about, cli_fill *fill) {
    cli_row cells = {{0}};
    if (!fill(about, 0, cells)) return;
    printf("\n## %s\n\n%s\n|", title, head);
    for (int c = 0; c < n_columns; c++) fputs("---|", stdout);
    puts("");
    for (int i = 0; fill(about, i, cells); i++) {
        putchar('|');
        for (int c = 0; c < n_columns; c++) print_cell(cells[c], c < n_code && cells[c][0]);
        puts("");
    }
}

/* ---- in a model -------------------------------------------------------------------------- */

/* ", F = 0.5 [N], K = ..." of all parameters that are not lists, without the parameter `without`.
 */
static void print_settings(const dry_law *law, const char *lead, int without) {
    char value[CLI_CELL];
    for (int i = 0; i < law->n_params; i++) {
        if (law->params[i].form == DRY_LIST || i == without) continue;
        cli_law_default(law, i, true, value);
        printf("%s%s = %s", lead, law->params[i].name, value);
        lead = ", ";
    }
}

static bool has_list(const dry_law *law) {
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_LIST) return true;
    return false;
}

/* The set that a law may stand for: its own, or the first that it fits; NULL: none. */
static const dry_set *set_of(const dry_law *law) {
    if (dry_law_set(law)) return dry_law_set(law);
    for (int i = 0; i < dry_set_count(); i++)
        if (dry_law_stands_for(law, dry_set_at(i))) return dry_set_at(i);
    return NULL;
}

/* As the set that it stands for, if there is one. */
static void print_set(const dry_law *law) {
    const dry_set *set = set_of(law);
    if (!set) return;
    const bool contact = set->kind == DRY_SET_OF_POSITIONS;
    const int level = !contact    ? dry_law_level(law)
                      : set->size ? dry_law_par_find(law, set->size)
                                  : -1;
    const bool plain = dry_law_of_set(set) == law;
    char value[CLI_CELL] = "";
    if (level >= 0) cli_law_default(law, level, true, value);
    printf("\nAs an element of a set");
    if (!contact) printf(", with the level in front of `%s`", set->name);
    puts(":\n\n```dry");
    if (contact)
        printf("%s in %s(%s%s%s) with ", set->force, set->name, set->argument,
               set->size ? ", " : "", value);
    else
        printf("%s in %s*%s(v) with ", set->force, value, set->name);
    if (!plain) printf("law = %s(", law->name);
    print_settings(law, "", level);
    puts(plain ? "\n```" : ")\n```");
}

static void print_model(const dry_law *law) {
    printf("\n## In a model\n\n```dry\n%s = %s(%s", words[law->kind].result, law->name,
           words[law->kind].arguments);
    print_settings(law, ", ", -1);
    puts(")\n```\n");
    if (law->kind == DRY_FRICTIONAL_CONTACT) puts("`c[1]` is N, `c[2]` f.");
    puts("A parameter that you leave out has its default.");
    if (has_list(law)) puts("A list takes a vector, or one number for all elements.");
    print_set(law);
}

/* ---- in C -------------------------------------------------------------------------------- */

/* A parameter to show how one is set: the first that is not a count. */
static const dry_law_param *shown(const dry_law *law) {
    const dry_law_param *p = law->params;
    return p->form == DRY_COUNT ? p + 1 : p;
}

static int elements_of(const dry_law *law) {
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_COUNT) return (int)law->params[i].standard;
    return 1;
}

static void print_parameters(const dry_law *law, int elements) {
    char number[DRY_NUMBER_SIZE];
    dry_number_text(shown(law)->standard, number);
    printf("const dry_law *law = dry_law_find(\"%s\");\ndouble par[%d];\n"
           "dry_law_defaults(law, %d, par);\n"
           "par[dry_law_par_offset(law, dry_law_par_find(law, \"%s\"), %d)] = %s;\n\n",
           law->name, dry_law_par_size(law, elements), elements, shown(law)->name, elements,
           number);
}

static void print_call(const dry_law *law, int n_states) {
    const char *u = words[law->kind].u;
    printf("%s\n", words[law->kind].variables);
    if (n_states)
        printf("double s[%d] = {0}, s_dot[%d]; /* state and its rate, for your integrator */\n",
               n_states, n_states);
    if (law->start) printf("law->start(par, 1, %s, s);\n", u);
    printf("law->eval(par, 1, 0.0, %s, %s, %s, %s);\n", u, n_states ? "s" : "NULL",
           words[law->kind].f, n_states ? "s_dot" : "NULL");
    if (law->latch) printf("law->latch(par, 1, %s, s); /* after each step */\n", u);
}

static void print_C(const dry_law *law) {
    const int elements = elements_of(law);
    double par[1024];
    DRY_ASSERT(dry_law_par_size(law, elements) <= 1024);
    dry_law_defaults(law, elements, par);
    puts("\n## In C\n\n```c\n#include <drystone/law.h>\n");
    print_parameters(law, elements);
    print_call(law, dry_law_states(law, par, 1));
    puts("```");
}

/* ---- the page ------------------------------------------------------------------------------ */

/* Returns true if an equation has the letter tau, not only a name such as tau_d. */
static bool names_tau(const char *equation) {
    for (const char *at = equation; (at = strstr(at, "tau")) != NULL; at++)
        if (at[3] != '_') return true;
    return false;
}

static void print_head(const dry_law *law) {
    printf("# %s\n\n`%s`: %s", law->title, law->name, cli_law_kind(law));
    if (law->max_dim > 1) printf(", in 1 to %d dimensions", law->max_dim);
    printf(".\n\n![%s](%s.svg)\n\n%s The parameters are the defaults.\n", law->title, law->name,
           words[law->kind].figure);
    puts("\n## Equation\n\n```");
    printf("%s\n```\n\n%s", law->equation, words[law->kind].letters);
    if (names_tau(law->equation))
        fputs(" tau: step of the stage with `rk4-tau` and `semi-implicit`, else 0.", stdout);
    printf("\n\nPaper: %s.\n", law->paper);
    if (law->known)
        printf("\n## Known for\n\n%s\n\n![%s](%s-known.svg)\n", law->known, law->title, law->name);
}

/* As cli_law_param, without the sign of equality in front of the default. */
static bool fill_param(const void *about, int index, cli_row cells) {
    if (!cli_law_param(about, index, cells)) return false;
    cli_law_default(about, index, false, cells[1]);
    return true;
}

void cli_law_page(const dry_law *law) {
    print_head(law);
    print_table("Parameters", "| | default | range | meaning |", 4, 3, law, fill_param);
    print_table("States", "| | unit | meaning |", 3, 2, law, cli_law_state);
    print_table("Promises", "| | |", 2, 0, law, cli_law_trait);
    puts("\n`tests/law/test_traits.c` and `test_loops.c` test each promise, for every law that "
         "makes "
         "it.");
    print_model(law);
    print_C(law);
    printf("\n---\nPrinted by `tools/law-pages.sh` from the row in `src/law/%s.c`.\n", law->name);
}

void cli_law_index(void) {
    cli_row cells = {{0}};
    puts("| law | kind | | promises |\n|---|---|---|---|");
    for (int i = 0; cli_law_row(NULL, i, cells); i++)
        printf("| [`%s`](%s.md) | %s | %s | %s |\n", cells[0], cells[0], cells[1], cells[2],
               cells[3]);
}
