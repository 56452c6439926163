/* fit_elements: drystone fit --elements N LOOP.csv: the elements of `multistate` from a record of
 * force over position, as lines for a .dry text. */
#include "fit.h"

#include "syntax/syntax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column of the record in SI units. */
typedef struct column {
    const char *option; /* --position, --friction */
    const char *wanted; /* m, N */
    char name[200], unit[DRY_DIM_TEXT];
    int index;
    double factor;
} column;

/* ---- the line ------------------------------------------------------------------------------ */

/* What goes with --elements, and with nothing else. */
static const char *const own[] = {"elements", "position", "friction", "between"};

static bool is_own(const char *name) {
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i])) return true;
    return false;
}

bool cli_fit_options_fit(const cli_args *args) {
    const bool elements = cli_has(args, "elements");
    for (int i = 0; i < args->n_given; i++) {
        const char *name = args->given[i].option->name;
        if (is_own(name) == elements) continue;
        if (elements)
            cli_complain("--%s does not go with --elements, which reads a record and no model",
                         name);
        else
            cli_complain("--%s goes with --elements", name);
        return false;
    }
    return true;
}

/* "x [mm]": a name, and a unit if it has one. */
static bool read_column(const cli_args *args, column *c) {
    const char *text = cli_text(args, c->option, NULL), *open = text ? strrchr(text, '[') : NULL;
    if (!text) {
        cli_complain("--elements needs --%s \"COLUMN [%s]\", the name of a column", c->option,
                     !strcmp(c->wanted, "m") ? "mm" : "N");
        return false;
    }
    size_t length = open ? (size_t)(open - text) : strlen(text);
    while (length && text[length - 1] == ' ') length--;
    const size_t unit = open ? strcspn(open + 1, "]") : 0;
    if (!length || length >= sizeof c->name || unit >= sizeof c->unit ||
        (open && (open[1 + unit] != ']' || open[2 + unit]))) {
        cli_complain("--%s takes a column with its unit, such as \"x [mm]\", but not `%s`",
                     c->option, text);
        return false;
    }
    memcpy(c->name, text, length);
    if (open) memcpy(c->unit, open + 1, unit);
    return true;
}

/* The number of --elements; 0: as many as the data see. */
static bool read_number(const cli_args *args, int *most) {
    const char *text = cli_text(args, "elements", ""), *end = "";
    double value = 0.0;
    *most = 0;
    if (!strcmp(text, "seen")) return true;
    if (dry_number_parse(text, &end, &value) && !*end && value >= 1.0 && value <= 40.0 &&
        value == floor(value)) {
        *most = (int)value;
        return true;
    }
    cli_complain("--elements takes a number from 1 to 40, or `seen` for as many as the data see, "
                 "but not `%s`",
                 text);
    return false;
}

static bool read_between(const cli_args *args, double between[2]) {
    const char *text = cli_text(args, "between", NULL), *end = "";
    between[0] = -INFINITY, between[1] = INFINITY;
    if (!text) return true;
    if (dry_number_parse(text, &end, &between[0]) && *end == ':' &&
        dry_number_parse(end + 1, &end, &between[1]) && !*end && between[0] < between[1])
        return true;
    cli_complain("--between takes two times of the first column, such as 8.6:128.6, but not `%s`",
                 text);
    return false;
}

/* ---- the record ---------------------------------------------------------------------------- */

/* The unit of the line, else that of the heading. */
static bool find_unit(const char *path, const dry_record *record, column *c) {
    const dry_quantity q = dry_record_quantity(record, c->index);
    const char *unit = *c->unit ? c->unit : q.unit;
    char bad[DRY_DIM_TEXT];
    dry_amount here = {.value = 1.0, .has_unit = true}, wanted = here;
    double factor;
    dry_unit_parse(c->wanted, &factor, &wanted.dim, bad);
    if (!*unit) {
        cli_complain("%s: the column %s has no unit: write --%s \"%s [%s]\"", path, c->name,
                     c->option, c->name, c->wanted);
        return false;
    }
    if (!dry_unit_parse(unit, &c->factor, &here.dim, bad) || !dry_amounts_agree(&here, &wanted)) {
        cli_complain("%s: the column %s is in [%s], but --%s takes one in [%s] or a part of it",
                     path, c->name, unit, c->option, c->wanted);
        return false;
    }
    return true;
}

static bool find_column(const char *path, const dry_record *record, column *c) {
    c->index = dry_record_find(record, c->name);
    if (c->index >= 0 && cli_is_twice(record, c->index))
        return cli_complain("%s has several columns %s: rename one of them", path, c->name), false;
    if (c->index >= 0) return find_unit(path, record, c);
    char list[400] = "";
    for (int k = 0; k < dry_record_columns(record); k++) {
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s", k ? ", " : "",
                 dry_record_quantity(record, k).name);
    }
    cli_complain("%s has no column %s; it has %s", path, c->name, list);
    return false;
}

/* The rows within the times, in SI units. */
static size_t take_rows(const dry_record *record, const column *x, const column *f,
                        const double between[2], double *position, double *force) {
    const double *t = dry_record_values(record, 0);
    size_t n = 0;
    for (size_t i = 0; i < dry_record_rows(record); i++) {
        if (!(t[i] >= between[0] && t[i] <= between[1])) continue;
        position[n] = x->factor * dry_record_values(record, x->index)[i];
        force[n++] = f->factor * dry_record_values(record, f->index)[i];
    }
    return n;
}

/* ---- what comes out ------------------------------------------------------------------------ */

static void print_list(const char *name, const dry_fit_elements *e, bool stretch,
                       const char *unit) {
    printf("param %s = [", name);
    for (int k = 0; k < e->n; k++) {
        char text[DRY_NUMBER_SIZE];
        dry_number_rounded(stretch ? e->element[k].stretch : e->element[k].level, 6, text);
        printf("%s%s", k ? ", " : "", text);
    }
    printf("] [%s]\n", unit);
}

/* In a text a list of one is a number, and each element of a list has a quotient of its own. */
static void print_text(const dry_fit_elements *e) {
    printf("\n");
    print_list("L", e, false, "N");
    print_list("d", e, true, "m");
    printf("param kappa = [");
    for (int k = 1; k <= e->n; k++) printf("%sL[%d]/d[%d]", k > 1 ? ", " : "", k, k);
    printf("]\nparam beta = 1 [ms]   # damping; shorter than anything that you want to see\n"
           "f = multistate(v, N = %d, Fc = sum(L), Fs = 0, tau_d = 0, kappa = kappa, sigma = "
           "beta*kappa, lambda = L/sum(L))\n",
           e->n);
}

static void print_element(const dry_fit_element *k, int number) {
    printf("  %2d  %.4g N/m in %.4g .. %.4g", number, k->stiffness, k->stiffness_interval[0],
           k->stiffness_interval[1]);
    if (k->slips)
        printf(", slips at %.4g m in %.4g .. %.4g, level %.4g N\n", k->stretch,
               k->stretch_interval[0], k->stretch_interval[1], k->level);
    else
        printf(", does not slip: beyond %.4g m, level above %.4g N\n", k->stretch, k->level);
}

static void print_numbers(const dry_fit_elements *e) {
    printf("  residuals, in %% of the force, by the number of elements that slip:");
    for (int k = 1; k <= e->n_rms; k++)
        printf(" %d: %.3g%s", k, 100.0 * e->rms[k] / e->force, k < e->n_rms ? "," : "\n");
    printf("  the data see %d: %zu rows, worth %.3g independent ones\n", e->seen, e->rows,
           e->independent);
    if (e->turned)
        printf("  the force in the record is opposite to the motion; these are the elements of its "
               "opposite\n");
    if (fabs(e->offset) > 1e-3 * e->force)
        printf("  offset of the force: %.4g N, which is not in the law\n", e->offset);
}

static void print(const char *path, const dry_fit_elements *e) {
    printf("%s: %d %s of multistate, with intervals of 95 %%\n", path, e->n,
           cli_noun(e->n, "element", "elements"));
    for (int k = 0; k < e->n; k++) print_element(&e->element[k], k + 1);
    print_numbers(e);
    print_text(e);
}

/* ---- all ----------------------------------------------------------------------------------- */

static int find_elements(const char *path, const double *x, const double *f, size_t n, int most) {
    const dry_fit_loop loop = {x, f, n, most};
    dry_fit_elements elements;
    dry_error error = {0};
    const dry_status status = dry_fit_elements_of(&loop, &elements, &error);
    if (status == DRY_OK)
        print(path, &elements);
    else
        cli_complain("%s: %s", path, error.text);
    dry_fit_elements_free(&elements);
    return status == DRY_OK ? CLI_FINE : status == DRY_BAD_ARGUMENT ? CLI_USAGE : CLI_RUN;
}

static int read_and_find(const char *path, column *x, column *f, const double between[2],
                         int most) {
    dry_record *record = NULL;
    dry_error error = {0};
    if (dry_record_read(path, &record, &error) != DRY_OK)
        return cli_complain_error(&error), error.status == DRY_NO_MEMORY ? CLI_RUN : CLI_USAGE;
    const size_t rows = dry_record_rows(record);
    double *numbers = malloc(sizeof *numbers * 2 * (rows + 1));
    int code = numbers ? CLI_FINE : CLI_RUN;
    if (!numbers) cli_complain("out of memory");
    if (code == CLI_FINE && !(find_column(path, record, x) && find_column(path, record, f)))
        code = CLI_USAGE;
    if (code == CLI_FINE) {
        const size_t n = take_rows(record, x, f, between, numbers, numbers + rows);
        code = find_elements(path, numbers, numbers + rows, n, most);
    }
    free(numbers);
    dry_record_free(record);
    return code;
}

int cli_fit_elements(const cli_args *args) {
    column x = {.option = "position", .wanted = "m"}, f = {.option = "friction", .wanted = "N"};
    double between[2];
    int most;
    if (!read_number(args, &most) || !read_column(args, &x) || !read_column(args, &f) ||
        !read_between(args, between))
        return CLI_USAGE;
    return read_and_find(args->words[0], &x, &f, between, most);
}
