/* A table of named columns with units that grows by rows; each column is one array. */
#include "table.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_FIRST = 64 };

static bool copy_quantities(dry_record *record, const dry_quantity *columns) {
    for (int i = 0; i < record->n_columns; i++) {
        const char *name = columns[i].name, *unit = columns[i].unit == NULL ? "" : columns[i].unit;
        dry_quantity *q = &record->quantities[i];
        q->name = dry_arena_text(record->names, name, strlen(name));
        q->unit = dry_arena_text(record->names, unit, strlen(unit));
        if (q->name == NULL || q->unit == NULL) return false;
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    const dry_quantity *p = *(const dry_quantity *const *)a, *q = *(const dry_quantity *const *)b;
    const int order = strcmp(p->name, q->name);
    return order != 0 ? order : (p > q) - (p < q);
}

static void sort_names(dry_record *record) {
    const size_t n = (size_t)record->n_columns;
    for (size_t i = 0; i < n; i++) record->sorted[i] = &record->quantities[i];
    if (n > 1) qsort(record->sorted, n, sizeof *record->sorted, by_name);
}

static bool fill(dry_record *record, const dry_quantity *columns, int n_columns) {
    record->names = dry_arena_new(0);
    if (record->names == NULL) return false;
    size_t n = (size_t)n_columns;
    record->quantities = dry_arena_take(record->names, n * sizeof *record->quantities);
    record->values = dry_arena_take(record->names, n * sizeof *record->values);
    record->sorted = dry_arena_take(record->names, n * sizeof *record->sorted);
    if (record->quantities == NULL || record->values == NULL || record->sorted == NULL)
        return false;
    record->n_columns = n_columns;
    if (!copy_quantities(record, columns)) return false;
    sort_names(record);
    return true;
}

dry_record *dry_record_new(const dry_quantity *columns, int n_columns) {
    DRY_ASSERT(n_columns >= 0);
    dry_record *record = calloc(1, sizeof *record);
    if (record == NULL || fill(record, columns, n_columns)) return record;
    dry_record_free(record);
    return NULL;
}

void dry_record_free(dry_record *record) {
    if (record == NULL) return;
    for (int i = 0; i < record->n_columns && !record->borrowed; i++) free(record->values[i]);
    dry_arena_free(record->names);
    free(record);
}

dry_record *dry_record_pick(const dry_record *from, const int *columns, int n_columns) {
    for (int i = 0; i < n_columns; i++)
        if (columns[i] < 0 || columns[i] >= from->n_columns) return NULL;
    dry_quantity *q = calloc((size_t)n_columns + 1, sizeof *q);
    for (int i = 0; q && i < n_columns; i++) q[i] = dry_record_quantity(from, columns[i]);
    dry_record *record = q ? dry_record_new(q, n_columns) : NULL;
    free(q);
    if (record == NULL) return NULL;
    for (int i = 0; i < n_columns; i++) record->values[i] = from->values[columns[i]];
    record->rows = from->rows;
    record->capacity = from->capacity;
    record->borrowed = true;
    return record;
}

int dry_record_columns(const dry_record *record) { return record->n_columns; }

size_t dry_record_rows(const dry_record *record) { return record->rows; }

dry_quantity dry_record_quantity(const dry_record *record, int column) {
    if (column < 0 || column >= record->n_columns) return (dry_quantity){.name = "", .unit = ""};
    return record->quantities[column];
}

int dry_record_find(const dry_record *record, const char *name) {
    int from = 0, to = record->n_columns; /* the first that is not before `name` */
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (strcmp(record->sorted[middle]->name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == record->n_columns || strcmp(record->sorted[from]->name, name) != 0) return -1;
    return (int)(record->sorted[from] - record->quantities);
}

const double *dry_record_values(const dry_record *record, int column) {
    return column >= 0 && column < record->n_columns ? record->values[column] : NULL;
}

dry_status dry_record_reserve(dry_record *record, size_t rows) {
    DRY_ASSERT(!record->borrowed);
    if (rows <= record->capacity) return DRY_OK;
    if (rows > SIZE_MAX / sizeof(double)) return DRY_NO_MEMORY;
    for (int i = 0; i < record->n_columns; i++) {
        double *larger = realloc(record->values[i], rows * sizeof *larger);
        if (larger == NULL) return DRY_NO_MEMORY;
        record->values[i] = larger;
    }
    record->capacity = rows;
    return DRY_OK;
}

void dry_record_clear(dry_record *record) { record->rows = 0; }

dry_status dry_record_add(dry_record *record, const double *row) {
    DRY_ASSERT(!record->borrowed);
    if (record->rows == record->capacity) {
        size_t more = record->capacity == 0 ? ROWS_FIRST : 2 * record->capacity;
        dry_status status = dry_record_reserve(record, more);
        if (status != DRY_OK) return status;
    }
    for (int i = 0; i < record->n_columns; i++) record->values[i][record->rows] = row[i];
    record->rows++;
    return DRY_OK;
}
