/* peer: what the library of this computer makes of the texts that the tests of WebAssembly run, one
 * line of JSON each:
 *
 *     peer run FILE...       the messages; the run by bytecode: its rows, a digest of all columns,
 * measures, remarks peer times FILE...     only the seconds that the run takes, by bytecode peer
 * compile FILE...   the messages alone
 *
 * Numbers are texts with all their digits, so that nothing is lost on the way. */
#include <drystone/bind.h>
#include <drystone/native.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_text(const char *text) {
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < ' ')
            printf("\\u%04x", *c);
        else
            putchar(*c);
    putchar('"');
}

static void put_number(const char *name, double x) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(x, text);
    printf(",\"%s\":\"%s\"", name, text);
}

static void put_messages(const dry_model *model) {
    printf(",\"messages\":[");
    for (int i = 0; i < dry_model_messages(model); i++) {
        char *shown = dry_bind_message_shown(model, i);
        printf(i ? ",[" : "[");
        put_text(dry_bind_message_word(model, i)), putchar(',');
        put_text(dry_bind_message_way_out(model, i)), putchar(',');
        put_text(shown ? shown : "");
        putchar(']');
        dry_bind_text_free(shown);
    }
    putchar(']');
}

/* Of the columns one after the other, little end first; every nan is the same. */
static void put_digest(const dry_record *record) {
    const size_t rows = dry_record_rows(record), columns = (size_t)dry_record_columns(record);
    double *all = malloc((rows * columns + 1) * sizeof *all);
    char hex[DRY_DIGEST_SIZE];
    if (!all) abort();
    for (size_t i = 0; i < columns; i++) {
        const double *values = dry_record_values(record, (int)i);
        for (size_t k = 0; k < rows; k++)
            all[i * rows + k] = isnan(values[k]) ? (double)NAN : values[k];
    }
    dry_digest(all, rows * columns * sizeof *all, hex);
    printf(",\"rows\":%zu,\"digest\":\"%s\"", rows, hex);
    free(all);
}

static void put_run(const dry_model *model, const dry_bind_run *run, dry_status status,
                    const dry_error *error) {
    if (status != DRY_OK) {
        printf(",\"error\":");
        put_text(error->text);
    }
    if (dry_bind_run_record(run)) put_digest(dry_bind_run_record(run));
    put_number("end", dry_bind_run_fact(run, DRY_BIND_END));
    put_number("steps", dry_bind_run_fact(run, DRY_BIND_STEPS));
    printf(",\"measures\":[");
    for (int i = 0; i < dry_bind_count(model, DRY_BIND_MEASURES); i++) {
        char text[DRY_NUMBER_SIZE];
        dry_number_text(dry_bind_run_measure(run, i), text);
        printf("%s[", i ? "," : "");
        put_text(dry_bind_name(model, DRY_BIND_MEASURES, i));
        printf(",\"%s\"]", text);
    }
    printf("],\"met\":[");
    for (int i = 0; dry_bind_run_expected(run, i)[0]; i++)
        printf("%s%d", i ? "," : "", dry_bind_run_expected_met(run, i));
    printf("],\"remarks\":[");
    for (int i = 0; dry_bind_run_remark(run, i); i++) {
        if (i) putchar(',');
        put_text(dry_bind_run_remark(run, i));
    }
    putchar(']');
}

static void run_model(const dry_model *model, bool times) {
    dry_error error = {0};
    dry_bind_run *run = dry_bind_run_new(model, NULL);
    if (!run) abort();
    const dry_status status = dry_bind_run_start(run, DRY_BIND_BYTECODE, NULL, NULL, &error);
    if (times)
        put_number("seconds", dry_bind_run_fact(run, DRY_BIND_SECONDS));
    else
        put_run(model, run, status, &error);
    dry_bind_run_free(run);
}

static bool take(const char *what, const char *path) {
    dry_error error = {0};
    char *text;
    size_t length;
    if (dry_file_read(path, 0, &text, &length, &error) != DRY_OK) {
        fprintf(stderr, "peer: %s: %s\n", path, error.text);
        return false;
    }
    dry_model *model = dry_bind_compile(path, text, length, NULL);
    if (!model) abort();
    printf("{\"path\":");
    put_text(path);
    put_messages(model);
    if (strcmp(what, "compile") != 0 && dry_model_ok(model))
        run_model(model, !strcmp(what, "times"));
    puts("}");
    dry_model_free(model);
    free(text);
    return true;
}

int main(int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (!take(argv[1], argv[i])) return 1;
    return argc > 2 ? 0 : 1;
}
