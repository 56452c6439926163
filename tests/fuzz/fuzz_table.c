/* Any bytes at all as a table in CSV: it is read or refused with a line, and what is read can be
 * written and comes back as it was, to the bit. For libFuzzer: `make fuzz`. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"

#include <drystone/record.h>
#include <math.h>
#include <string.h>

enum { MOST_BYTES = 8192 };

static void must(bool condition) {
    if (!condition) abort();
}

static bool same_bits(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void must_be_alike(const dry_record *a, const dry_record *b) {
    must(dry_record_columns(a) == dry_record_columns(b));
    must(dry_record_rows(a) == dry_record_rows(b));
    for (int c = 0; c < dry_record_columns(a); c++) {
        const dry_quantity p = dry_record_quantity(a, c), q = dry_record_quantity(b, c);
        must(strcmp(p.name, q.name) == 0 && strcmp(p.unit, q.unit) == 0);
        for (size_t i = 0; i < dry_record_rows(a); i++)
            must(same_bits(dry_record_values(a, c)[i], dry_record_values(b, c)[i]));
    }
}

static void write_and_read(const dry_record *record) {
    dry_record *again = NULL;
    dry_error error = {0};
    must(dry_record_write_csv(record, scratch(), &error) == DRY_OK);
    must(dry_record_read_csv(scratch(), &again, &error) == DRY_OK);
    must_be_alike(record, again);
    dry_record_free(again);
}

static void use(const dry_record *record) {
    const int last = dry_record_columns(record) - 1;
    dry_record_stats stats;
    dry_record_difference worst;
    dry_error error = {0};
    dry_record_statistics(record, 0, last, -INFINITY, INFINITY, &stats);
    dry_record_statistics(record, 0, last, 0.25, 0.5, &stats);
    dry_record_at(record, 0, last, 0.5);
    dry_record_find(record, "t");
    if (dry_record_compare(record, record, 1e-6, 1e-9, &worst, &error) != DRY_OK)
        must(error.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES || !write_scratch(data, size)) return -1;
    dry_record *record = NULL;
    dry_error error = {0};
    if (dry_record_read_csv(scratch(), &record, &error) == DRY_OK) {
        use(record);
        write_and_read(record);
    } else {
        must(error.text[0] != '\0');
    }
    dry_record_free(record);
    return 0;
}
