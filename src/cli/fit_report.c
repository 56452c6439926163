/* fit_report: the page of a fit, with a run at the fitted values for what residuals depend on. */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

/* ---- the line, once more -----------------------------------------------------------------------
 */

/* As a shell reads it, in quotes if it needs them. */
static void put_word(const char *word, FILE *stream) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./,:@%=";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

static void put_given(const cli_given *given, FILE *stream) {
    char both[400];
    fprintf(stream, " --%s", given->option->name);
    if (given->option->form == CLI_FLAG) return;
    fputc(' ', stream);
    if (given->option->form == CLI_INPUT) {
        const char *file = given->text + strlen(given->text) + 1;
        snprintf(both, sizeof both, "%s=%s:%s", given->text, file, file + strlen(file) + 1);
        put_word(both, stream);
    } else if (given->option->form == CLI_SETTING) {
        snprintf(both, sizeof both, "%s=%s", given->text, given->value);
        put_word(both, stream);
    } else
        put_word(given->text, stream);
}

static char *line_of(const cli_args *args) {
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return NULL;
    fputs("drystone fit", stream);
    for (int i = 0; i < args->n_words; i++) {
        fputc(' ', stream);
        put_word(args->words[i], stream);
    }
    for (int i = 0; i < args->n_given; i++) put_given(&args->given[i], stream);
    return dry_text_close(stream, &text) ? text : NULL;
}

/* ---- runs ---------------------------------------------------------------------------------------
 */

/* The fitted text with one of the files; *to is NULL where it does not run. False without
 * memory. */
static bool run_fitted(const cli_fit *f, int record, const char *text, size_t length,
                       const dry_record **to) {
    dry_model_options options = f->job.options;
    dry_sim_result result = {0};
    dry_run_options run = options.run;
    dry_error error;
    dry_status status = DRY_OK;
    if (f->fit.n_data > 0) options.data = f->data[record];
    options.force = true;
    dry_model *model = dry_model_compile(f->job.path, text, length, &options);
    if (model && dry_model_ok(model) && dry_model_plan(model, &run, &error) == DRY_OK) {
        const dry_inclusion *inclusion =
            run.method->takes & DRY_TAKES_SETS ? dry_model_inclusion(model) : NULL;
        const dry_sim_options how = {.run = run};
        status = inclusion ? dry_sim_run_inclusion(inclusion, &how, &result, &error)
                           : dry_sim_run(dry_model_system(model), &how, &result, &error);
    }
    const bool room = model && status != DRY_NO_MEMORY;
    dry_model_free(model);
    free(result.saved);
    *to = result.record;
    return room;
}

/* ---- the page -----------------------------------------------------------------------------------
 */

static int write_page(const cli_fit *f, const cli_args *args, dry_fit_page *page) {
    dry_error error = {0};
    char *line = line_of(args);
    page->command = line;
    const dry_status status = line ? dry_fit_page_write(page, f->report, &error)
                                   : dry_error_set(&error, DRY_NO_MEMORY, "out of memory");
    free(line);
    if (status == DRY_OK) return CLI_FINE;
    cli_complain_error(&error);
    return CLI_RUN;
}

int cli_fit_report(const cli_fit *f, const cli_args *args) {
    const int n = f->result.n_records;
    char *text = NULL;
    size_t length = 0;
    dry_error error;
    if (!f->report) return CLI_FINE;
    const dry_record **runs = calloc((size_t)n + 1, sizeof *runs);
    if (!runs) return cli_complain("out of memory"), CLI_RUN;
    bool room = true;
    for (int i = n - 1; room && i >= 0; i--) { /* the page shows the text of the first record */
        free(text);
        text = NULL;
        const dry_status status = dry_fit_text(&f->fit, &f->result, i, &text, &length, &error);
        room = status != DRY_NO_MEMORY &&
               (status != DRY_OK || run_fitted(f, i, text, length, &runs[i]));
    }
    dry_fit_page page = {.path = f->job.path,
                         .title = dry_model_title(f->job.model),
                         .result = &f->result,
                         .runs = runs,
                         .fitted = text,
                         .ranks = f->ranks,
                         .n_ranks = f->n_ranks,
                         .seconds = f->seconds};
    const int code = room ? write_page(f, args, &page) : (cli_complain("out of memory"), CLI_RUN);
    for (int i = 0; i < n; i++) dry_record_free((dry_record *)runs[i]);
    free(runs);
    free(text);
    return code;
}
