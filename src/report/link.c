/* link: the address by which a playground opens the model of a page.
 *
 *     PLAYGROUND#z=TEXT&name=FILE&p.NAME=VALUE&method=NAME
 *
 * TEXT is a raw deflate stream in base 64 of addresses. Its blocks are stored, not compressed: five
 * bytes in front of up to 65535 (RFC 1951, 3.2.4), which needs no library. An address that has a #
 * already names the model itself. */
#include "report_private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_IN_BLOCK = 65535, HEAD = 5 };

bool dry_report__deflated(const char *text, size_t length, FILE *stream) {
    const size_t blocks = length / MOST_IN_BLOCK + 1;
    unsigned char *all = malloc(length + blocks * HEAD), *to = all;
    if (!all) return false;
    for (size_t b = 0; b < blocks; b++) {
        const size_t from = b * MOST_IN_BLOCK, left = length - from;
        const unsigned n = (unsigned)(left < MOST_IN_BLOCK ? left : MOST_IN_BLOCK);
        const unsigned char head[HEAD] = {b + 1 == blocks, (unsigned char)(n & 255u),
                                          (unsigned char)(n >> 8), (unsigned char)(~n & 255u),
                                          (unsigned char)(~n >> 8 & 255u)};
        memcpy(to, head, HEAD);
        memcpy(to + HEAD, text + from, n);
        to += HEAD + n;
    }
    dry_report__base64_of_address((const char *)all, (size_t)(to - all), stream);
    free(all);
    return true;
}

/* Letters, digits and what an address takes as it is; the rest as %20. */
static void put_encoded(const char *text, FILE *stream) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.~/";
    for (; *text; text++)
        if (strchr(plain, *text))
            fputc(*text, stream);
        else
            fprintf(stream, "%%%02X", (unsigned char)*text);
}

/* Every setting as numbers: those of the parameters with its name, "a" of "a[1]" and "a[2]". False
 * if one of them sets something else. */
static bool put_setting(const dry_model *model, const char *name, FILE *stream) {
    const dry_system *system = dry_model_system(model);
    const size_t n = strlen(name);
    bool found = false;
    for (int i = 0; i < system->n_par; i++) {
        char own[256], number[DRY_NUMBER_SIZE];
        if (!dry_model_par_setting(model, i, own, sizeof own) || strncmp(own, name, n) != 0 ||
            (own[n] && own[n] != '['))
            continue;
        fputs("&amp;p.", stream);
        dry_report__text(own, stream);
        dry_number_text(system->par[i], number);
        fprintf(stream, "=%s", number);
        found = true;
    }
    return found;
}

static bool put_settings(const dry_card *card, FILE *stream) {
    const dry_model_options *options = card->options;
    for (int i = 0; options && i < options->n_settings; i++)
        if (!put_setting(card->model, options->settings[i].name, stream)) return false;
    if (options && options->run.method) {
        fputs("&amp;method=", stream);
        put_encoded(options->run.method->name, stream);
    }
    return !options || !options->n_inputs;
}

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of a text that names no other file. */
static bool put_text(const dry_card *card, FILE *stream) {
    size_t length;
    const char *text = dry_model_text(card->model, &length);
    if (dry_model_file(card->model, 0)) return false;
    fputs("#z=", stream);
    if (!dry_report__deflated(text, length, stream)) dry_report__lack(card);
    fputs("&amp;name=", stream);
    put_encoded(file_of(card->path ? card->path : "model.dry"), stream);
    return true;
}

void dry_report__link(const dry_card *card, FILE *stream) {
    char *link = NULL;
    size_t length;
    if (!card->playground || !dry_model_ok(card->model)) return;
    FILE *to = dry_text_open(&link, &length);
    const bool known = strchr(card->playground, '#') != NULL;
    bool can = to != NULL;
    if (can) dry_report__text(card->playground, to);
    can = can && (known || put_text(card, to)) && put_settings(card, to);
    const bool whole = to && dry_text_close(to, &link);
    if (can && whole)
        fprintf(stream,
                "<p class=\"note\"><a id=\"playground\" href=\"%s\">Open in the "
                "playground</a></p>\n",
                link);
    if (!whole) dry_report__lack(card);
    free(link);
}
