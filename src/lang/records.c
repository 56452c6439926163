/* records: the columns of files that a text names, in SI units. */
#include "lang_private.h"

#include <drystone/record.h>

#include <string.h>

const char *dry_lang__note_file(dry_elab *elab, const char *path) {
    dry_named_file *file = dry_arena_take(elab->arena, sizeof *file);
    if (!file) return path;
    *file = (dry_named_file){path, elab->scene.files};
    elab->scene.files = file;
    return path;
}

void dry_lang_note_sources(dry_elab *elab) {
    for (int i = 1; i < elab->diag->n_sources; i++)
        (void)dry_lang__note_file(elab, elab->diag->source[i].path);
}

const char *dry_lang__path(dry_elab *elab, const char *name, dry_place at) {
    const char *folder = elab->diag->source[at.file].folder;
    const bool beside = name[0] != '/' && folder[0];
    return dry_lang__note_file(elab,
                               beside ? dry_diag_text(elab->diag, "%s%s", folder, name) : name);
}

enum { MOST_ROWS = 100000000 };

dry_record *dry_lang__open(dry_elab *elab, const char *path, dry_place at) {
    dry_record *record = NULL;
    dry_error error = {0};
    if (dry_file_is_stream(path) || !strncmp(path, "/dev/", 5)) {
        DRY_SAY(elab->diag, at, DATA_FILE, path, "a model reads files, not streams");
        return NULL;
    }
    const dry_status status = dry_record_read(path, &record, &error);
    if (status == DRY_OK && dry_record_rows(record) <= MOST_ROWS) return record;
    dry_record_free(record);
    if (status == DRY_NO_MEMORY) {
        dry_arena_fail(elab->arena);
        return NULL;
    }
    if (status == DRY_OK) dry_error_set(&error, DRY_BAD_FILE, "it has more than 100 million rows");
    const char *line = error.line ? dry_diag_text(elab->diag, "line %d: ", error.line) : "";
    DRY_SAY(elab->diag, at, DATA_FILE, path, dry_diag_text(elab->diag, "%s%s", line, error.text));
    return NULL;
}

/* ---- which file ----------------------------------------------------------------------- */

static const char *first_file(const dry_elab *elab, dry_st kind) {
    for (int i = 0; i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        if (stmt->kind == kind && stmt->data && stmt->data->file) return stmt->data->file;
    }
    return NULL;
}

const char *dry_lang__data_file(const dry_elab *elab) {
    static const dry_st kinds[] = {DRY_ST_OUTPUT, DRY_ST_INPUT, DRY_ST_TABLE};
    const char *file = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !file; i++)
        file = first_file(elab, kinds[i]);
    return file;
}

void dry_lang__check_given_data(dry_elab *elab) {
    bool output = false;
    for (int i = 0; i < elab->tree.n; i++) output |= elab->tree.stmt[i].kind == DRY_ST_OUTPUT;
    if (elab->options->data && !output && !dry_lang__data_file(elab))
        DRY_SAY(elab->diag, (dry_place){0}, NO_SUCH_DATA, elab->options->data);
}

const char *dry_lang__given_data(const dry_elab *elab, const dry_data_expr *data) {
    const char *file = dry_lang__data_file(elab);
    const bool stands = file && data->file && !strcmp(file, data->file);
    return stands ? elab->options->data : NULL;
}

/* ---- which column ---------------------------------------------------------------------- */

/* What stands at the head of a column: force [N], force (N), force[N]. */
typedef struct heading {
    const char *whole, *name, *unit; /* unit: "" if it has none */
} heading;

static heading heading_of(dry_elab *elab, const dry_record *record, int column) {
    const dry_quantity q = dry_record_quantity(record, column);
    const size_t length = strlen(q.name);
    const char end = length ? q.name[length - 1] : '\0', *open = NULL;
    if (q.unit && q.unit[0])
        return (heading){dry_diag_text(elab->diag, "%s [%s]", q.name, q.unit), q.name, q.unit};
    for (const char *at = q.name; *at && (end == ')' || end == ']'); at++)
        if (*at == (end == ')' ? '(' : '[')) open = at;
    if (!open || open == q.name) return (heading){q.name, q.name, ""};
    size_t name = (size_t)(open - q.name);
    while (name > 0 && q.name[name - 1] == ' ') name--;
    return (heading){
        q.name, dry_diag_text(elab->diag, "%.*s", (int)name, q.name),
        dry_diag_text(elab->diag, "%.*s", (int)(q.name + length - open) - 2, open + 1)};
}

/* How well a heading has the name: the whole of it, all but its unit, not at all. */
static int fits(const heading *h, const char *name) {
    return !strcmp(h->whole, name) ? 2 : !strcmp(h->name, name) ? 1 : 0;
}

static void no_column(dry_elab *elab, const dry_record *record, const char *path,
                      const dry_column_expr *column) {
    const char *list = "";
    enum { SHOWN = 12 };
    const int n = dry_record_columns(record);
    for (int i = 0; i < n && i < SHOWN; i++)
        list = dry_diag_text(elab->diag, "%s%s%s", list, i ? ", " : "",
                             dry_record_quantity(record, i).name);
    DRY_SAY(elab->diag, column->at, NO_COLUMN, path, column->name, list, n > SHOWN ? ", ..." : "");
}

/* The one column that has the name best; the first one if no name is given. */
static int find_column(dry_elab *elab, const dry_record *record, const char *path,
                       const dry_column_expr *column, heading *found) {
    int best = 0, which = -1, many = 0;
    if (!column->name) return *found = heading_of(elab, record, 0), 0;
    for (int i = 0; i < dry_record_columns(record); i++) {
        const heading h = heading_of(elab, record, i);
        const int fit = fits(&h, column->name);
        many = fit > best ? 1 : many + (fit == best);
        if (fit <= best) continue;
        best = fit;
        which = i;
        *found = h;
    }
    if (best == 0) return no_column(elab, record, path, column), -1;
    if (many == 1) return which;
    DRY_SAY(elab->diag, column->at, COLUMN_TWICE, path, dry_diag_text(elab->diag, "%d", many),
            column->name, found->whole);
    return -1;
}

/* ---- its numbers ----------------------------------------------------------------------- */

/* [-] is how many write that a column has no unit. */
static bool parse_unit(const char *text, double *factor, dry_dim *dim) {
    char bad[DRY_DIM_TEXT];
    return dry_unit_parse(!strcmp(text, "-") ? "1" : text, factor, dim, bad);
}

static void no_unit(dry_elab *elab, const dry_column_expr *column, const char *path,
                    const heading *h) {
    DRY_SAY(elab->diag, column->at, COLUMN_UNIT, h->name, path, h->unit,
            column->unit.text
                ? dry_diag_text(elab->diag, "in %s, as the text says", column->unit.text)
            : column->name ? "as they are, in SI units"
                           : "in s");
}

/* Finds the factor and the dimension of a column: those of its heading if that has a unit, else
 * those of the text. */
static bool unit_of(dry_elab *elab, const dry_column_expr *column, const char *path,
                    const heading *h, double *factor, dry_dim *dim) {
    dry_dim own;
    double own_factor;
    *factor = 1.0;
    *dim = dry_dim_unknown(elab->dims);
    if (column->unit.text && !parse_unit(column->unit.text, factor, dim)) return false;
    if (!h->unit[0]) return true;
    if (!parse_unit(h->unit, &own_factor, &own)) return no_unit(elab, column, path, h), true;
    if (column->unit.text &&
        !dry_lang__same_dim(elab, column->unit.at, "unit of the column", *dim, own))
        return false;
    *factor = own_factor;
    *dim = own;
    return true;
}

bool dry_lang__column(dry_elab *elab, const dry_record *record, const char *path,
                      const dry_column_expr *column, dry_numbers *numbers) {
    heading h;
    double factor;
    const int index = find_column(elab, record, path, column, &h);
    if (index < 0 || !unit_of(elab, column, path, &h, &factor, &numbers->dim)) return false;
    const size_t n = dry_record_rows(record);
    const double *from = dry_record_values(record, index);
    double *to = dry_arena_take(elab->arena, sizeof *to * (n + 1));
    for (size_t i = 0; to && i < n; i++) to[i] = factor * from[i];
    numbers->value = to;
    numbers->count = (int)n;
    return to != NULL;
}

/* ---- times ------------------------------------------------------------------------------ */

/* Warns of times without a unit whose heading ends like one that is not the second: t_ms. */
static void check_times(dry_elab *elab, const char *path, const dry_column_expr *column,
                        const heading *h) {
    const char *end = strrchr(h->name, '_');
    double factor;
    dry_dim dim;
    if (h->unit[0] || column->unit.text || !end || end == h->name || !end[1] ||
        !parse_unit(end + 1, &factor, &dim) || factor == 1.0 ||
        !dry_dim_unify(elab->dims, dim, dry_dim_seconds(1.0)))
        return;
    DRY_SAY(elab->diag, column->at, TIME_UNIT, h->name, path, end + 1);
}

bool dry_lang__times(dry_elab *elab, const dry_record *record, const char *path,
                     const dry_column_expr *column, dry_numbers *numbers) {
    heading h;
    if (!dry_lang__column(elab, record, path, column, numbers)) return false;
    if (find_column(elab, record, path, column, &h) >= 0) check_times(elab, path, column, &h);
    return true;
}
