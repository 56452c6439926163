/* fit_laws: --laws, other friction laws instead of that of the text. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "fit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the line says ------------------------------------------------------------------------
 */

static bool read_count(const char *text, int *count) {
    char *end;
    const long n = strtol(text, &end, 10);
    *count = n > 0 && n < INT_MAX ? (int)n : 0;
    return text[0] >= '0' && text[0] <= '9' && !*end && *count > 0;
}

/* LAW or LAW:N */
static bool read_law(char *text, dry_fit_law *law) {
    char *colon = strchr(text, ':');
    law->law = text;
    if (!*text || colon == text) return false;
    if (!colon) return true;
    *colon = '\0';
    return read_count(colon + 1, &law->elements);
}

/* FORCE: in front of all, unless the colon is that of a number. */
static char *skip_force(char *text, const char **force) {
    char *colon = strchr(text, ':');
    if (!colon || strcspn(text, ",") < (size_t)(colon - text)) return text;
    if (colon[1] >= '0' && colon[1] <= '9') return text;
    *colon = '\0';
    *force = text;
    return colon + 1;
}

static int complain(const char *text) {
    cli_complain("--laws takes laws with commas between them, such as coulomb,lugre,multistate:6, "
                 "each once, and the name of the force before them if there are several: "
                 "f:coulomb,lugre; but not `%s`",
                 text);
    return CLI_USAGE;
}

static bool is_twice(const cli_fit_laws *laws, const dry_fit_law *law) {
    for (const dry_fit_law *l = laws->law; l < law; l++)
        if (!strcmp(l->law, law->law) && l->elements == law->elements) return true;
    return false;
}

int cli_fit_read_laws(const cli_args *args, cli_fit_laws *laws) {
    const char *given = cli_text(args, "laws", NULL), *force = NULL;
    if (!given) return CLI_FINE;
    laws->text = strdup(given);
    laws->law = calloc(strlen(given) + 1, sizeof *laws->law);
    if (!laws->text || !laws->law) return cli_complain("out of memory"), CLI_RUN;
    char *at = skip_force(laws->text, &force);
    for (char *next; at; at = next) {
        next = strchr(at, ',');
        if (next) *next++ = '\0';
        dry_fit_law *law = &laws->law[laws->n++];
        law->force = force;
        if (!read_law(at, law) || is_twice(laws, law)) return complain(given);
    }
    return CLI_FINE;
}

void cli_fit_laws_free(cli_fit_laws *laws) {
    free(laws->law);
    free(laws->text);
}

/* ---- the exchange ------------------------------------------------------------------------------
 */

static bool set_label(cli_fit *f, bool several) {
    const dry_fit_law *law = f->law;
    const size_t size = strlen(f->job.path) + strlen(law->law) + 32;
    f->label = malloc(size);
    if (!f->label) return false;
    int n = several ? snprintf(f->label, size, "%s: %s", f->job.path, law->law)
                    : snprintf(f->label, size, "%s", law->law);
    if (law->elements) snprintf(f->label + n, size - (size_t)n, ":%d", law->elements);
    return true;
}

static int compile(cli_fit *f) {
    dry_model_options how = f->job.options;
    if (f->fit.n_data > 0) how.data = f->data[0];
    f->job.model = dry_model_compile(f->job.path, f->exchanged.text, f->exchanged.length, &how);
    if (!f->job.model) return cli_complain("out of memory"), CLI_RUN;
    f->fit.free = f->exchanged.free;
    f->fit.n_free = f->exchanged.n_free;
    return CLI_FINE;
}

int cli_fit_exchange(cli_fit *f, const cli_fit *base, bool several) {
    dry_error error = {0};
    dry_fit_law law = *f->law;
    if (!set_label(f, several)) return cli_complain("out of memory"), CLI_RUN;
    if (base->result.n_parameters > 0) law.base = &base->result;
    f->fit.path = f->job.path;
    f->fit.text = dry_model_text(base->job.model, &f->fit.length);
    const dry_status status = dry_fit_law_write(&f->fit, &law, &f->exchanged, &error);
    if (cli_is_interrupted()) return cli_complain("interrupted"), CLI_INTERRUPT;
    if (status == DRY_OK) return compile(f);
    cli_complain("%s: %s", f->label, error.text);
    return status == DRY_BAD_ARGUMENT ? CLI_USAGE : CLI_RUN;
}
