/* Any bytes at all as the journal of a sweep: it is gone on with, from what is whole in it, or
 * refused. For libFuzzer: `make fuzz`.
 *
 * The first byte says how the rest is used. Bit 0: behind the head that such a sweep writes. Bit 1:
 * each block gets the digest that it should have, since random bytes never do. The two bytes that
 * follow are the work of the sweep. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"

#include "base/base.h"
#include <string.h>

enum { MOST_BYTES = 4096, HEAD = 128, MOST_POINTS = 64 };
enum { WITH_HEAD = 1, WITH_DIGESTS = 2 };

static void must(bool condition) {
    if (!condition) abort();
}

static dry_work work_of(uint8_t points, uint8_t block) {
    return (dry_work){.name = "sweep",
                      .depends = "model",
                      .points = 1 + points % MOST_POINTS,
                      .per_point = 1 + block % 4,
                      .per_block = 1 + (block / 4) % 16,
                      .identity = 0x1234};
}

typedef struct table {
    double values[MOST_POINTS * 4];
    unsigned char done[MOST_POINTS];
} table;

static dry_status open_journal(dry_journal *journal, const dry_work *work, table *table) {
    dry_error error = {0};
    memset(table, 0, sizeof *table);
    const dry_status status =
        dry_journal_open(journal, scratch(), true, work, table->values, table->done, &error);
    must(status == DRY_OK || error.text[0] != '\0');
    return status;
}

/* As the room prints it: that of a sweep without blocks. */
static void make_head(const dry_work *work, uint8_t head[HEAD]) {
    dry_journal journal;
    table table;
    must(write_scratch("", 0));
    must(open_journal(&journal, work, &table) == DRY_OK);
    dry_journal_close(&journal);
    FILE *file = fopen(scratch(), "rb");
    must(file && fread(head, 1, HEAD, file) == HEAD);
    fclose(file);
}

/* From block to block, as long as each has a number that the sweep has. */
static void make_digests(const dry_work *work, uint8_t *bytes, size_t size) {
    for (size_t at = 0; at + sizeof(uint64_t) <= size;) {
        uint64_t block;
        memcpy(&block, bytes + at, sizeof block);
        block %= dry_work_blocks(work);
        memcpy(bytes + at, &block, sizeof block);
        const size_t n = (1 + dry_work_in_block(work, block) * work->per_point) * sizeof(double);
        if (size - at < n + sizeof(uint64_t)) return;
        const uint64_t digest = dry_mark_bytes(DRY_MARK, bytes + at, n);
        memcpy(bytes + at + n, &digest, sizeof digest);
        at += n + sizeof digest;
    }
}

/* What was done stays done, to the bit, and one block more can be added. */
static void go_on(const dry_work *work, dry_journal *journal, table *before) {
    static const double values[16 * 4] = {1.0, 2.0};
    const size_t last = dry_work_blocks(work) - 1;
    const size_t place = last * work->per_block * work->per_point;
    table after;
    dry_error error = {0};
    must(dry_journal_add(journal, work, last, values, &error) == DRY_OK);
    dry_journal_close(journal);
    before->done[last] = 1;
    memcpy(before->values + place, values,
           dry_work_in_block(work, last) * work->per_point * sizeof(double));
    must(open_journal(journal, work, &after) == DRY_OK);
    must(memcmp(before, &after, sizeof after) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[HEAD + MOST_BYTES];
    if (size < 3 || size > MOST_BYTES) return -1;
    const dry_work work = work_of(data[1], data[2]);
    const size_t head = data[0] & WITH_HEAD ? HEAD : 0;
    dry_journal journal;
    table table;
    if (head) make_head(&work, bytes);
    memcpy(bytes + head, data + 3, size - 3);
    if (data[0] & WITH_DIGESTS) make_digests(&work, bytes + head, size - 3);
    if (!write_scratch(bytes, head + size - 3)) return -1;
    if (open_journal(&journal, &work, &table) == DRY_OK) go_on(&work, &journal, &table);
    dry_journal_close(&journal);
    return 0;
}
