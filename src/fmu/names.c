/* names: of the FMU's files and functions, and of its variables, each of them once. */
#include "fmu_private.h"

#include <stdlib.h>
#include <string.h>

void dry_fmu__identify(const char *name, char identifier[DRY_FMU__NAME]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      digits[] = "0123456789";
    size_t n = 0;
    enum { MOST = DRY_FMU__NAME - 16 }; /* names that are made from it are longer */
    if (!name || !*name || strchr(digits, *name)) n = (size_t)sprintf(identifier, "model_");
    for (; name && *name && n < MOST; name++)
        identifier[n++] = strchr(letters, *name) || strchr(digits, *name) ? *name : '_';
    identifier[n] = '\0';
}

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_taken(const char *const *sorted, size_t n, const char *name) {
    return bsearch(&name, sorted, n, sizeof *sorted, compare) != NULL;
}

/* A name that neither the model has nor an earlier variable was given. */
static const char *fresh_name(dry_fmu__plan *plan, const char *const *sorted, const char *name,
                              int number) {
    const size_t size = strlen(name) + 24, n = (size_t)plan->n_variables;
    char *text = dry_arena_take(plan->arena, size);
    do {
        if (!text) return NULL;
        snprintf(text, size, "%s#%d", name, number++);
    } while (is_taken(sorted, n, text));
    return text;
}

/* The second variable of a name becomes NAME#2, in the order of the variables. */
bool dry_fmu__name_all(dry_fmu__plan *plan) {
    const size_t n = (size_t)plan->n_variables;
    const char **sorted = malloc((n + 1) * sizeof *sorted);
    bool good = sorted != NULL;
    for (size_t i = 0; good && i < n; i++) {
        if (!plan->variable[i].name[0]) plan->variable[i].name = "variable";
        sorted[i] = plan->variable[i].name;
    }
    if (good) qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; good && i < n; i++) {
        const char *name = plan->variable[i].name;
        const char *const *at = bsearch(&name, sorted, n, sizeof *sorted, compare);
        const size_t k = at ? (size_t)(at - sorted) : 0;
        const bool alone = (k == 0 || strcmp(sorted[k - 1], name) != 0) &&
                           (k + 1 == n || strcmp(sorted[k + 1], name) != 0);
        int before = 1;
        for (size_t j = 0; !alone && j < i; j++)
            before += strncmp(plan->variable[j].name, name, strlen(name)) == 0 &&
                      (plan->variable[j].name[strlen(name)] == '\0' ||
                       plan->variable[j].name[strlen(name)] == '#');
        if (before > 1) plan->variable[i].name = fresh_name(plan, sorted, name, before);
        good = plan->variable[i].name != NULL;
    }
    free(sorted);
    return good;
}
