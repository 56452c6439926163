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

const char *dry_lang__path(dry_elab *elab, const char *name) {
    const bool beside = name[0] != '/' && elab->scene.folder[0];
    return dry_lang__note_file(
        elab, beside ? dry_diag_text(elab->diag, "%s%s", elab->scene.folder, name) : name);
}

enum { MOST_ROWS = 100000000 };

/* Standard input and the like would be gone after one compilation. */
static bool is_stream(const char *path) { return !strcmp(path, "-") || !strncmp(path, "/dev/", 5); }

dry_record *dry_lang__open(dry_elab *elab, const char *path, dry_place at) {
    dry_record *record = NULL;
    dry_error error = {0};
    if (is_stream(path)) {
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

/* ---- which column ---------------------------------------------------------------------- */

/* Returns the unit behind the name in a heading: force [N], force (N). NULL if the heading is
 * another column. */
static const char *unit_behind(dry_elab *elab, const dry_quantity *heading, const char *name) {
    const size_t length = strlen(name), all = strlen(heading->name);
    if (!strcmp(heading->name, name)) return heading->unit ? heading->unit : "";
    if (strncmp(heading->name, name, length) != 0) return NULL;
    const char *rest = heading->name + length + strspn(heading->name + length, " ");
    const char end = heading->name[all - 1];
    const bool in = (rest[0] == '(' && end == ')') || (rest[0] == '[' && end == ']');
    const char *last = heading->name + all - 1;
    return in && last > rest ? dry_diag_text(elab->diag, "%.*s", (int)(last - rest - 1), rest + 1)
                             : NULL;
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

static int find_column(dry_elab *elab, const dry_record *record, const char *path,
                       const dry_column_expr *column, const char **unit) {
    for (int i = 0; i < dry_record_columns(record); i++) {
        const dry_quantity heading = dry_record_quantity(record, i);
        *unit = column->name ? unit_behind(elab, &heading, column->name) : heading.unit;
        if (*unit) return i;
    }
    no_column(elab, record, path, column);
    return -1;
}

/* ---- its numbers ----------------------------------------------------------------------- */

/* Finds the factor and the dimension of a column: those of its heading if that is a unit, else
 * those of the text. */
static bool unit_of(dry_elab *elab, const dry_column_expr *column, const char *heading,
                    double *factor, dry_dim *dim) {
    dry_dim own;
    double own_factor;
    char bad[DRY_DIM_TEXT];
    const bool said = heading[0] && dry_unit_parse(heading, &own_factor, &own, bad);
    *factor = 1.0;
    *dim = dry_dim_unknown(elab->dims);
    if (column->unit.text && !dry_unit_parse(column->unit.text, factor, dim, bad)) return false;
    if (!said) return true;
    if (column->unit.text &&
        !dry_lang__same_dim(elab, column->unit.at, "unit of the column", *dim, own))
        return false;
    *factor = own_factor;
    *dim = own;
    return true;
}

bool dry_lang__column(dry_elab *elab, const dry_record *record, const char *path,
                      const dry_column_expr *column, dry_numbers *numbers) {
    const char *heading;
    double factor;
    const int index = find_column(elab, record, path, column, &heading);
    if (index < 0 || !unit_of(elab, column, heading, &factor, &numbers->dim)) return false;
    const size_t n = dry_record_rows(record);
    const double *from = dry_record_values(record, index);
    double *to = dry_arena_take(elab->arena, sizeof *to * (n + 1));
    for (size_t i = 0; to && i < n; i++) to[i] = factor * from[i];
    numbers->value = to;
    numbers->count = (int)n;
    return to != NULL;
}
