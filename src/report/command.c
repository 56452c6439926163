/* command: the command line that repeats the run of a page. */
#include "report_private.h"

#include <math.h>
#include <string.h>

/* A word as a shell reads it, in quotes where it needs them. */
static void put_word(const char *word, FILE *stream) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./,:@%";
    const bool quoted = !*word || word[strspn(word, plain)];
    if (quoted) dry_report__text("'", stream);
    for (; *word; word++)
        if (*word == '\'')
            dry_report__text("'\\''", stream);
        else
            dry_report__text_of(word, 1, stream);
    if (quoted) dry_report__text("'", stream);
}

static void put_number(const char *name, double x, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    if (!(x > 0.0)) return;
    dry_number_text(x, text);
    fprintf(stream, " --%s %s", name, text);
}

static void put_settings(const dry_model_options *options, FILE *stream) {
    for (int i = 0; i < options->n_settings; i++) {
        char text[DRY_NUMBER_SIZE];
        fputs(" -p ", stream);
        put_word(options->settings[i].name, stream);
        dry_number_text(options->settings[i].value, text);
        fprintf(stream, "=%s", text);
    }
}

static void put_run(const dry_run_options *run, FILE *stream) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"until", run->until},
                   {"step", run->step},
                   {"record", run->record},
                   {"rtol", run->rtol},
                   {"atol", run->atol}};
    if (run->method) {
        fputs(" --method ", stream);
        put_word(run->method->name, stream);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_number(numbers[i].name, numbers[i].value, stream);
}

void dry_report__command(const dry_card *card, FILE *stream) {
    const dry_model_options *options = card->options;
    if (!card->path) return;
    fputs("<p class=\"note\"><code>drystone run ", stream);
    put_word(card->path, stream);
    if (options) put_settings(options, stream);
    if (options) put_run(&options->run, stream);
    if (options && options->force) fputs(" --force", stream);
    if (card->verdict && *card->verdict) fputs(" --verify", stream);
    fputs("</code></p>\n", stream);
}
