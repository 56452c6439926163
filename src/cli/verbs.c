/* The table of verbs, made of verbs.def. */
#include "cli.h"
#include <string.h>

#define VERB(name) extern const cli_verb cli_verb_##name;
#include "verbs.def"
#undef VERB

static const cli_verb *const verbs[] = {
#define VERB(name) &cli_verb_##name,
#include "verbs.def"
#undef VERB
};

int cli_verb_count(void) { return (int)(sizeof verbs / sizeof *verbs); }

const cli_verb *cli_verb_at(int index) { return verbs[index]; }

const cli_verb *cli_verb_find(const char *name) {
    for (int i = 0; i < cli_verb_count(); i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

static const char *name_at(const void *list, int index) {
    (void)list;
    return index < cli_verb_count() ? verbs[index]->name : NULL;
}

int cli_verb_unknown(const char *name) {
    const char *meant = cli_nearest(name, name_at, NULL);
    if (meant)
        cli_complain("there is no verb '%s'; did you mean '%s'?", name, meant);
    else
        cli_complain("there is no verb '%s'; 'drystone --help' lists them", name);
    return CLI_USAGE;
}
