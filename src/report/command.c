/* command: the command line that repeats the run of a page. */
#include "report_private.h"

#include <math.h>
#include <string.h>

/* A word as a shell reads it, in quotes if it needs them. */
static void put_word(const char *word, FILE *stream) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./,:@%=";
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

/* NAME=VALUE as it was given, in quotes if the shell needs them. */
static void put_setting(const dry_setting *setting, FILE *stream) {
    char number[DRY_NUMBER_SIZE], word[400];
    dry_number_text(setting->value, number);
    const bool united = !setting->text && setting->unit;
    snprintf(word, sizeof word, "%s=%s%s%s%s", setting->name,
             setting->text ? setting->text : number, united ? " [" : "",
             united ? setting->unit : "", united ? "]" : "");
    put_word(word, stream);
}

static void put_settings(const dry_model_options *options, FILE *stream) {
    for (int i = 0; i < options->n_settings; i++) {
        fputs(" -p ", stream);
        put_setting(&options->settings[i], stream);
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
