/* drystone plot RESULT...: draws columns of result files, in the terminal or as a picture. */
#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"x", 0, CLI_TEXT, "COLUMN", "column of the abscissa (default the first)", NULL},
    {"y", 0, CLI_TEXT, "COLUMN,...", "columns of one panel (may be repeated)", NULL},
    {"output", 'o', CLI_TEXT, "FILE", "write the picture: .svg, .png, .pdf", NULL},
    {"title", 0, CLI_TEXT, "TEXT", "title above the panels", NULL},
    {"width", 0, CLI_COUNT, "N", "width of a panel, in pixels or columns of the terminal", NULL},
    {"height", 0, CLI_COUNT, "N", "height of a panel, in pixels or rows of the terminal", NULL},
    {"dark", 0, CLI_FLAG, NULL, "light ink on a dark background", NULL},
    {0},
};

enum { WIDEST = 20000 }; /* pixels of a panel, either way */

/* The files, each with the abscissa as its column 0, and the panels over them. */
typedef struct drawing {
    const cli_args *args;
    dry_record **record;
    int n_records;
    dry_panel *panel;
    int n_panels;
} drawing;

/* ---- columns ----------------------------------------------------------------------- */

static const char *column_at(const void *record, int index) {
    return index < dry_record_columns(record) ? dry_record_quantity(record, index).name : NULL;
}

static int find_column(const dry_record *record, const char *path, const char *name) {
    const int column = dry_record_find(record, name);
    if (column >= 0 && cli_is_twice(record, column))
        return cli_complain("%s has several columns '%s': rename one of them", path, name), -1;
    if (column >= 0) return column;
    const char *meant = cli_nearest(name, column_at, record);
    char list[400] = "";
    for (int i = 0; column_at(record, i) && strlen(list) + 40 < sizeof list; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.30s", i ? ", " : "",
                 column_at(record, i));
    if (meant)
        cli_complain("%s has no column '%s'; did you mean '%s'?", path, name, meant);
    else
        cli_complain("%s has no column '%s'; it has %s", path, name, list);
    return -1;
}

/* A copy with column x before all others; NULL without memory. */
static dry_record *with_first(const dry_record *from, int x) {
    const int n = dry_record_columns(from);
    dry_quantity *columns = calloc((size_t)n, sizeof *columns);
    int *column = calloc((size_t)n, sizeof *column);
    double *row = calloc((size_t)n, sizeof *row);
    dry_record *record = NULL;
    bool good = columns && column && row;
    for (int i = 0; good && i < n; i++) {
        column[i] = i == 0 ? x : i <= x ? i - 1 : i;
        columns[i] = dry_record_quantity(from, column[i]);
    }
    if (good) record = dry_record_new(columns, n);
    good = record && dry_record_reserve(record, dry_record_rows(from)) == DRY_OK;
    for (size_t r = 0; good && r < dry_record_rows(from); r++) {
        for (int i = 0; i < n; i++) row[i] = dry_record_values(from, column[i])[r];
        good = dry_record_add(record, row) == DRY_OK;
    }
    free(columns);
    free(column);
    free(row);
    if (good) return record;
    dry_record_free(record);
    return NULL;
}

/* ---- files ------------------------------------------------------------------------- */

static int read_record(drawing *d, const char *path) {
    dry_record *record = NULL, **place = &d->record[d->n_records];
    dry_error error = {0};
    if (dry_record_read(path, &record, &error) != DRY_OK) {
        cli_complain_error(&error);
        return CLI_USAGE;
    }
    const char *name = cli_text(d->args, "x", NULL);
    const int x = name ? find_column(record, path, name) : 0;
    int code = x < 0 ? CLI_USAGE : CLI_FINE;
    if (code == CLI_FINE && dry_record_rows(record) == 0) {
        cli_complain("%s has columns but no rows: there is nothing to draw", path);
        code = CLI_USAGE;
    }
    if (code == CLI_FINE && !(*place = with_first(record, x))) {
        cli_complain("%s: out of memory", path);
        code = CLI_RUN;
    }
    d->n_records += code == CLI_FINE;
    dry_record_free(record);
    return code;
}

static int read_records(drawing *d) {
    int code = CLI_FINE;
    for (int i = 0; i < d->args->n_words && code == CLI_FINE; i++)
        code = read_record(d, d->args->words[i]);
    return code;
}

/* ---- panels ------------------------------------------------------------------------ */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *label_of(const char *column, const char *path) {
    const char *file = base_name(path);
    const size_t size = strlen(column) + strlen(file) + 4;
    char *label = malloc(size);
    if (label) snprintf(label, size, "%s (%s)", column, file);
    return label;
}

/* The curve of one file; the file's name is in the legend where there are several. */
static void add_curve(drawing *d, dry_panel *panel, int file, int column) {
    const dry_record *record = d->record[file];
    const int k = panel->n_curves++;
    panel->record[k] = record;
    panel->y[k] = column;
    if (d->n_records > 1)
        panel->label[k] = label_of(dry_record_quantity(record, column).name, d->args->words[file]);
}

/* Whether all files that have a column of that name have it in one unit; a heading without a unit
 * may mean any. */
static bool one_unit(const drawing *d, const char *name) {
    const char *unit = "", *path = "";
    for (int i = 0; i < d->n_records; i++) {
        const int column = dry_record_find(d->record[i], name);
        const char *own = column < 0 ? "" : dry_record_quantity(d->record[i], column).unit;
        if (*own && *unit && strcmp(own, unit) != 0)
            return cli_complain(
                       "the column '%s' is in [%s] in %s and in [%s] in %s: they cannot be "
                       "drawn over one axis; convert one of them",
                       name, unit, path, own, d->args->words[i]),
                   false;
        if (*own) unit = own, path = d->args->words[i];
    }
    return true;
}

/* The columns of that name in all files that have one. */
static bool add_column(drawing *d, dry_panel *panel, const char *name) {
    if (!one_unit(d, name)) return false;
    for (int i = 0; i < d->n_records; i++) {
        const int column = dry_record_find(d->record[i], name);
        if (column >= 0) add_curve(d, panel, i, column);
    }
    return true;
}

static int files_with(const drawing *d, const char *name) {
    int n = 0;
    for (int i = 0; i < d->n_records; i++) n += dry_record_find(d->record[i], name) >= 0;
    return n;
}

/* The last panel of this unit, if it has room for `more` curves; else a new one. */
static dry_panel *panel_for(drawing *d, const char *unit, int more) {
    for (int i = d->n_panels - 1; i >= 0; i--) {
        const dry_panel *panel = &d->panel[i];
        if (strcmp(dry_record_quantity(panel->record[0], panel->y[0]).unit, unit) != 0) continue;
        if (panel->n_curves + more <= DRY_PLOT_CURVES) return &d->panel[i];
        break;
    }
    return &d->panel[d->n_panels++];
}

static int too_many(const char *what) {
    cli_complain("%s makes more than %d curves in one panel; draw fewer columns or files", what,
                 DRY_PLOT_CURVES);
    return CLI_USAGE;
}

/* Whether a file before this one has a column of that name. */
static bool is_drawn(const drawing *d, int file, const char *name) {
    while (file-- > 0)
        if (dry_record_find(d->record[file], name) >= 0) return true;
    return false;
}

/* Every column of a file that no file before it has, those of one unit together. */
static int panels_of_file(drawing *d, int file) {
    const dry_record *record = d->record[file];
    for (int i = 1; i < dry_record_columns(record); i++) {
        const dry_quantity column = dry_record_quantity(record, i);
        if (is_drawn(d, file, column.name)) continue;
        if (find_column(record, d->args->words[file], column.name) < 0) return CLI_USAGE;
        if (!add_column(d, panel_for(d, column.unit, files_with(d, column.name)), column.name))
            return CLI_USAGE;
    }
    return CLI_FINE;
}

static int panels_by_unit(drawing *d) {
    size_t n = 0;
    int code = CLI_FINE;
    for (int i = 0; i < d->n_records; i++) n += (size_t)dry_record_columns(d->record[i]);
    if (d->n_records > DRY_PLOT_CURVES) return too_many("one column of so many files");
    d->panel = calloc(n, sizeof *d->panel);
    if (!d->panel) return cli_complain("out of memory"), CLI_RUN;
    for (int i = 0; i < d->n_records && code == CLI_FINE; i++) code = panels_of_file(d, i);
    if (code != CLI_FINE || d->n_panels) return code;
    cli_complain("%s has one column only: there is nothing to draw against it", d->args->words[0]);
    return CLI_USAGE;
}

/* The length of the first name of a list; a comma in brackets, as in M[1,2], is part of a name. */
static size_t name_length(const char *list) {
    size_t n = 0;
    for (int depth = 0; list[n] && (depth > 0 || list[n] != ','); n++)
        depth += (list[n] == '[') - (list[n] == ']');
    return n;
}

static int add_named(drawing *d, dry_panel *panel, const char *name) {
    for (int i = 0; i < d->n_records; i++)
        if (find_column(d->record[i], d->args->words[i], name) < 0) return CLI_USAGE;
    if (panel->n_curves + d->n_records > DRY_PLOT_CURVES) return too_many("--y");
    return add_column(d, panel, name) ? CLI_FINE : CLI_USAGE;
}

/* The panel of one --y A,B,C. */
static int panel_of_list(drawing *d, const char *list) {
    dry_panel *panel = &d->panel[d->n_panels++];
    int code = CLI_FINE;
    for (const char *rest = list; code == CLI_FINE; rest++) {
        const size_t length = name_length(rest);
        char *name = malloc(length + 1);
        if (!name) return cli_complain("out of memory"), CLI_RUN;
        memcpy(name, rest, length);
        name[length] = '\0';
        code = add_named(d, panel, name);
        free(name);
        rest += length;
        if (!*rest) break;
    }
    return code;
}

static int panels_of_lists(drawing *d) {
    int n = 0, code = CLI_FINE;
    while (cli_nth(d->args, "y", n)) n++;
    d->panel = calloc((size_t)n, sizeof *d->panel);
    if (!d->panel) return cli_complain("out of memory"), CLI_RUN;
    for (int i = 0; i < n && code == CLI_FINE; i++)
        code = panel_of_list(d, cli_nth(d->args, "y", i)->text);
    return code;
}

/* ---- drawing ----------------------------------------------------------------------- */

/* The abscissae of all files share an axis. */
static bool one_abscissa(const drawing *d) {
    for (int i = 1; i < d->n_records; i++) {
        const dry_quantity a = dry_record_quantity(d->record[0], 0),
                           b = dry_record_quantity(d->record[i], 0);
        if (*a.unit && *b.unit && strcmp(a.unit, b.unit) != 0)
            return cli_complain("the abscissa is in [%s] in %s and in [%s] in %s: convert one of "
                                "them",
                                a.unit, d->args->words[0], b.unit, d->args->words[i]),
                   false;
    }
    return true;
}

/* Whether a curve has a point. */
static bool has_points(const drawing *d) {
    for (int i = 0; i < d->n_panels; i++)
        for (int k = 0; k < d->panel[i].n_curves; k++) {
            const dry_record *record = d->panel[i].record[k];
            const double *x = dry_record_values(record, 0),
                         *y = dry_record_values(record, d->panel[i].y[k]);
            for (size_t r = 0; r < dry_record_rows(record); r++)
                if (isfinite(x[r]) && isfinite(y[r])) return true;
        }
    return cli_complain("there is nothing to draw: no row has finite numbers"), false;
}

static int draw(const drawing *d) {
    const cli_args *args = d->args;
    const char *path = cli_text(args, "output", NULL);
    const dry_plot plot = {
        .record = d->record[0],
        .title = cli_text(args, "title", d->n_records == 1 ? base_name(args->words[0]) : NULL),
        .panels = d->panel,
        .n_panels = d->n_panels,
        .width = (int)cli_number(args, "width", 0.0),
        .height = (int)cli_number(args, "height", 0.0),
        .dark = cli_has(args, "dark"),
    };
    dry_error error = {0};
    const dry_status status =
        path ? dry_plot_write(&plot, path, &error)
             : dry_plot_terminal(&plot, stdout, cli_wants_colour(stdout), &error);
    if (status == DRY_OK) return CLI_FINE;
    cli_complain_error(&error);
    return status == DRY_BAD_ARGUMENT ? CLI_USAGE : CLI_RUN;
}

static void release(drawing *d) {
    for (int i = 0; i < d->n_panels; i++)
        for (int k = 0; k < d->panel[i].n_curves; k++) free((char *)d->panel[i].label[k]);
    free(d->panel);
    for (int i = 0; i < d->n_records; i++) dry_record_free(d->record[i]);
    free(d->record);
}

static bool fits(const cli_args *args) {
    const char *path = cli_text(args, "output", NULL);
    if (!path && cli_has(args, "dark"))
        return cli_complain("--dark needs a picture: -o FILE"), false;
    if (path && (!cli_is_picture("-o", path) || !cli_spares_input(args, "-o", path))) return false;
    if (cli_number(args, "width", 0.0) <= WIDEST && cli_number(args, "height", 0.0) <= WIDEST)
        return true;
    return cli_complain("--width and --height are at most %d", WIDEST), false;
}

static int run(const cli_args *args) {
    if (!fits(args)) return CLI_USAGE;
    drawing d = {.args = args, .record = calloc((size_t)args->n_words, sizeof *d.record)};
    if (!d.record) return cli_complain("out of memory"), CLI_RUN;
    int code = read_records(&d);
    if (code == CLI_FINE) code = cli_has(args, "y") ? panels_of_lists(&d) : panels_by_unit(&d);
    if (code == CLI_FINE && !(one_abscissa(&d) && has_points(&d))) code = CLI_USAGE;
    if (code == CLI_FINE) code = draw(&d);
    release(&d);
    return code;
}

const cli_verb cli_verb_plot = {
    .name = "plot",
    .arguments = "RESULT...",
    .summary = "draw columns of result files",
    .text =
        "RESULT is a .csv or .h5 file, as `drystone run -o` writes them, or any CSV with one "
        "header\n"
        "line. Without --y every column is drawn, columns of one unit together. Curves of several\n"
        "files are drawn in the same panels.",
    .options = options,
    .min_words = 1,
    .max_words = 1 << 20,
    .run = run,
};
