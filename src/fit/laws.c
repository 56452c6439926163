/* laws: writes a text with another friction law instead of its own. */
#include "laws.h"

#include "syntax/syntax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

size_t dry_fit__end_of_line(const dry_fit_job *job, size_t from) {
    const char *end = memchr(job->text + from, '\n', job->length - from);
    const size_t at = end ? (size_t)(end - job->text) : job->length;
    return at > from && job->text[at - 1] == '\r' ? at - 1 : at;
}

/* ---- which law, of which force ------------------------------------------------------------------
 */

/* Laws of friction with a level, which are all of one kind. */
static bool is_exchangeable(const dry_law *law) {
    return law->kind == DRY_FRICTION && dry_law_level(law) >= 0 && !law->spins;
}

static dry_status unknown_law(const char *name, dry_error *error) {
    const char *names[64], *nearest;
    int n = 0;
    for (int i = 0; i < dry_law_count() && n < 64; i++)
        if (is_exchangeable(dry_law_at(i))) names[n++] = dry_law_at(i)->name;
    nearest = dry_diag_nearest(name, names, n);
    if (nearest)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no law `%.60s` for --laws: did you mean `%s`?", name,
                             nearest);
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "there is no law `%.60s` for --laws: `drystone laws` lists them", name);
}

static dry_status find_law(dry_fit__swap *swap, dry_error *error) {
    const char *name = swap->asked->law;
    swap->law = dry_law_find(name);
    if (!swap->law) return unknown_law(name, error);
    if (!is_exchangeable(swap->law))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "`%s` cannot take the place of a friction law: it has no friction "
                             "level; --laws takes laws such as those of `drystone laws` with a "
                             "level F or Fc",
                             name);
    return DRY_OK;
}

static dry_status find_force(dry_fit__swap *swap, dry_error *error) {
    const char *path = swap->job->path, *wanted = swap->asked->force;
    const int n = dry_model_frictions(swap->model);
    int found = -1;
    for (int i = 0; i < n; i++) {
        if (dry_model_friction(swap->model, i, swap->arena, &swap->old) != DRY_OK)
            return no_memory(error);
        if (wanted ? !strcmp(swap->old.name, wanted) : n == 1) found = i;
    }
    if (!n)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%s has no friction force among its equations, such as `f in "
                             "F*sgn(v)`, whose law --laws could vary: a law inside of a part needs "
                             "a text for each law",
                             path);
    if (found < 0 && wanted)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%s has no friction force `%.100s`: %s%s` is one", path, wanted, "`",
                             swap->old.name);
    if (found < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "%s has %d friction forces: say whose law is to vary, such as --laws "
                             "%s:%s",
                             path, n, swap->old.name, swap->law->name);
    swap->index = found;
    return dry_model_friction(swap->model, found, swap->arena, &swap->old) == DRY_OK
               ? DRY_OK
               : no_memory(error);
}

/* ---- whether it can take that place -----------------------------------------------------------
 */

static bool has_row(const dry_law *law, const char *name) {
    return dry_law_par_find(law, name) >= 0;
}

/* Viscous friction inside of the old law, of which the new one knows nothing. */
static dry_status check_viscous(const dry_fit__swap *swap, dry_error *error) {
    const dry_friction_text *old = &swap->old;
    const int D = dry_law_par_find(old->law, "D");
    if (D < 0 || has_row(swap->law, "D")) return DRY_OK;
    if (old->par[dry_law_par_offset(old->law, D, old->elements)] == 0.0) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "`%s` has no viscous friction D, but the text gives it to `%s`: write it "
                         "beside the force, -%s - D*v, and leave it out of `%s`",
                         swap->law->name, old->law->name, old->name, old->law->name);
}

/* A number that another part of the model must give, such as a speed. */
static dry_status check_given(const dry_fit__swap *swap, dry_error *error) {
    for (int i = 0; i < swap->law->n_params; i++) {
        const dry_law_param *row = &swap->law->params[i];
        if (row->range != DRY_ANY || dry_fit__kept(swap, row)) continue;
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "`%s` needs `%s` (%s), which the text of %s does not have: write a "
                             "text for it",
                             swap->law->name, row->name, row->meaning, swap->job->path);
    }
    return DRY_OK;
}

static dry_status check(const dry_fit__swap *swap, dry_error *error) {
    const dry_friction_text *old = &swap->old;
    const char *path = swap->job->path;
    if (!old->is_here)
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "the force `%s` is in a text that %s includes: fit that text, or write "
            "the force into %s",
            old->name, path, path);
    if (old->set ? old->set->size != NULL : !is_exchangeable(old->law))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "`%s` of %s cannot have another law: `%s` has no friction level",
                             old->name, path, old->law->name);
    if (old->dim > swap->law->max_dim)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "`%s` of %s acts in %d dimensions, but `%s` knows %d", old->name, path,
                             old->dim, swap->law->name, swap->law->max_dim);
    const dry_status status = check_viscous(swap, error);
    return status == DRY_OK ? check_given(swap, error) : status;
}

enum { USUAL_ELEMENTS = 4, MOST_ELEMENTS = 32 };

static bool has_count(const dry_law *law) {
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_COUNT) return true;
    return false;
}

static dry_status find_elements(dry_fit__swap *swap, dry_error *error) {
    const int asked = swap->asked->elements;
    swap->elements = 1;
    if (asked && !has_count(swap->law))
        return dry_error_set(error, DRY_BAD_ARGUMENT, "`%s` has no elements: leave out `:%d`",
                             swap->law->name, asked);
    if (asked < 0 || asked > MOST_ELEMENTS)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "`%s` takes 1 to %d elements here, not %d",
                             swap->law->name, (int)MOST_ELEMENTS, asked);
    if (!has_count(swap->law)) return DRY_OK;
    swap->elements = asked                      ? asked
                     : has_count(swap->old.law) ? swap->old.elements
                                                : (int)USUAL_ELEMENTS;
    return DRY_OK;
}

/* ---- the text ----------------------------------------------------------------------------------
 */

static dry_status close_text(FILE *stream, char **text, dry_status status, dry_error *error) {
    if (!dry_text_close(stream, text) && status == DRY_OK) status = no_memory(error);
    return status;
}

static dry_status write_law(dry_fit__swap *swap, char **text, size_t *length, dry_error *error) {
    const dry_fit_job *job = swap->job;
    const dry_friction_text *old = &swap->old;
    const size_t end = dry_fit__end_of_line(job, old->whole.to);
    const bool set = old->set != NULL;
    FILE *stream = dry_text_open(text, length);
    if (!stream) return no_memory(error);
    fwrite(job->text, 1, old->law_at.from, stream);
    fprintf(stream, set ? " with law = %s(" : "%s(", swap->law->name);
    if (!set)
        fwrite(job->text + old->argument.from, 1, old->argument.to - old->argument.from, stream);
    const dry_status status = dry_fit__write_keys(swap, set, stream, error);
    fputc(')', stream);
    fwrite(job->text + old->law_at.to, 1, end - old->law_at.to, stream);
    fputc('\n', stream);
    dry_fit__write_free(swap, stream);
    fwrite(job->text + end, 1, job->length - end, stream);
    return close_text(stream, text, status, error);
}

static dry_status write_cut(const char *from, size_t n, const dry_text_span *cuts, int n_cuts,
                            char **text, size_t *length, dry_error *error) {
    FILE *stream = dry_text_open(text, length);
    size_t at = 0;
    if (!stream) return no_memory(error);
    for (int i = 0; i < n_cuts; i++) {
        fwrite(from + at, 1, cuts[i].from - at, stream);
        at = cuts[i].to;
    }
    fwrite(from + at, 1, n - at, stream);
    return close_text(stream, text, DRY_OK, error);
}

/* ---- where the new parameters begin ------------------------------------------------------------
 */

/* The starts that suit the record best so far. */
typedef struct search {
    double stiffness, curve[2], distance;
} search;

/* One run with the starts of the swap. */
static dry_status attempt(dry_fit__swap *swap, search *best, dry_error *error) {
    char *text = NULL;
    size_t length;
    double distance = (double)INFINITY;
    dry_status status = write_law(swap, &text, &length, error);
    if (status == DRY_OK) status = dry_fit__distance(swap->job, text, length, &distance, error);
    free(text);
    if (distance < best->distance)
        *best = (search){swap->sizes.stiffness, {swap->curve[0], swap->curve[1]}, distance};
    return status;
}

static void go_to(dry_fit__swap *swap, const search *best) {
    swap->sizes.stiffness = best->stiffness;
    swap->curve[0] = best->curve[0];
    swap->curve[1] = best->curve[1];
}

/* Of the text, or one that lets the force come back within a part of the travel. */
static dry_status try_stiffnesses(dry_fit__swap *swap, search *best, dry_error *error) {
    enum { TRIES = 6 };
    const dry_fit__sizes *s = &swap->sizes;
    dry_status status = attempt(swap, best, error);
    for (int k = 0; status == DRY_OK && dry_fit__frees_stiffness(swap) && k < TRIES; k++) {
        swap->sizes.stiffness = 4.0 * s->force / s->travel * pow(10.0, k);
        status = attempt(swap, best, error);
    }
    go_to(swap, best);
    return status;
}

static dry_status try_curves(dry_fit__swap *swap, search *best, dry_error *error) {
    static const double levels[] = {1.2, 1.8}, speeds[] = {0.03, 0.1, 0.3};
    dry_status status = DRY_OK;
    for (int k = 0; status == DRY_OK && dry_fit__frees_curve(swap) && k < 6; k++) {
        swap->curve[0] = levels[k / 3];
        swap->curve[1] = speeds[k % 3];
        status = attempt(swap, best, error);
    }
    go_to(swap, best);
    return status;
}

static dry_status choose_starts(dry_fit__swap *swap, dry_error *error) {
    search best = {swap->sizes.stiffness, {1.2, 0.1}, (double)INFINITY};
    go_to(swap, &best);
    const dry_status status = try_stiffnesses(swap, &best, error);
    return status == DRY_OK ? try_curves(swap, &best, error) : status;
}

/* ---- what is free in it ------------------------------------------------------------------------
 */

static bool is_named(const dry_freed *freed, const char *name) {
    const char *own = freed->start && !strncmp(name, "start ", 6) ? name + 6 : name;
    const size_t n = strlen(own);
    if (freed->start != (own != name)) return false;
    return !strncmp(freed->name, own, n) && (!freed->name[n] || freed->name[n] == '[');
}

/* Of those that the caller frees: what the new text still reads, and what came with the law. */
static dry_status take_free(const dry_fit__swap *swap, const dry_model *model, dry_fit_law_text *to,
                            dry_error *error) {
    const dry_fit_job *job = swap->job;
    if (!job->n_free) return DRY_OK;
    dry_fit_free *free =
        dry_arena_take(swap->arena, sizeof *free * (size_t)(job->n_free + swap->law->n_params));
    if (!free) return no_memory(error);
    for (int i = 0; i < job->n_free; i++) {
        bool dropped = false;
        for (int k = 0; k < dry_model_freeds(model); k++) {
            const dry_freed freed = dry_model_freed(model, k);
            dropped =
                dropped || (is_named(&freed, job->free[i].name) && !dry_model_freed_read(model, k));
        }
        if (!dropped) free[to->n_free++] = job->free[i];
    }
    for (int i = 0; i < swap->law->n_params; i++)
        if (swap->names[i]) free[to->n_free++] = (dry_fit_free){.name = swap->names[i]};
    to->free = free;
    return DRY_OK;
}

/* Cuts out of the text what nothing reads any more. */
static dry_status settle(const dry_fit__swap *swap, dry_fit_law_text *to, dry_error *error) {
    dry_fit_job other = *swap->job;
    const dry_fit__bench bench = {.job = &other};
    const dry_fit__record record = {.data = other.n_data > 0 ? other.data[0] : NULL};
    other.text = to->text;
    other.length = to->length;
    dry_model *model = dry_fit__compile(&bench, &record, NULL, error);
    if (!model) return error->status;
    const int n = dry_model_freeds(model);
    bool *drop = calloc((size_t)n + 1, sizeof *drop);
    dry_text_span *cuts = calloc((size_t)n + 1, sizeof *cuts);
    dry_status status = drop && cuts ? DRY_OK : no_memory(error);
    char *text = to->text, *shorter = NULL;
    size_t length = 0;
    for (int i = 0; status == DRY_OK && i < n; i++) drop[i] = !dry_model_freed_read(model, i);
    if (status == DRY_OK) status = take_free(swap, model, to, error);
    const int n_cuts = status == DRY_OK ? dry_model_freed_cuts(model, drop, cuts) : 0;
    if (n_cuts > 0) {
        status = write_cut(text, to->length, cuts, n_cuts, &shorter, &length, error);
        free(text);
        to->text = shorter;
        to->length = length;
    }
    free(drop);
    free(cuts);
    dry_model_free(model);
    return status;
}

static dry_status tell_starts(const dry_fit__swap *swap, dry_fit_law_text *to, dry_error *error) {
    char *text;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    if (!stream) return no_memory(error);
    dry_fit__write_starts(swap, stream);
    if (!dry_text_close(stream, &text)) return no_memory(error);
    to->starts = dry_arena_text(swap->arena, text, length);
    free(text);
    return to->starts ? DRY_OK : no_memory(error);
}

/* ---- all ---------------------------------------------------------------------------------------
 */

/* The law of the text itself: nothing changes. */
static dry_status keep_text(const dry_fit_job *job, dry_fit_law_text *to, dry_error *error) {
    to->text = malloc(job->length + 1);
    if (!to->text) return no_memory(error);
    memcpy(to->text, job->text, job->length);
    to->text[job->length] = '\0';
    to->length = job->length;
    to->free = job->free;
    to->n_free = job->n_free;
    return DRY_OK;
}

static dry_status compile(dry_fit__swap *swap, dry_error *error) {
    const dry_fit__bench bench = {.job = swap->job};
    const dry_fit__record record = {.data = swap->job->n_data > 0 ? swap->job->data[0] : NULL};
    swap->model = dry_fit__compile(&bench, &record, NULL, error);
    return swap->model ? DRY_OK : error->status;
}

static dry_status exchange(dry_fit__swap *swap, dry_fit_law_text *to, dry_error *error) {
    static dry_status (*const steps[])(dry_fit__swap *, dry_error *) = {find_law, compile,
                                                                        find_force, find_elements};
    dry_status status = DRY_OK;
    for (size_t i = 0; status == DRY_OK && i < sizeof steps / sizeof *steps; i++)
        status = steps[i](swap, error);
    if (status != DRY_OK) return status;
    if (swap->law == swap->old.law && swap->elements == swap->old.elements)
        return keep_text(swap->job, to, error);
    status = check(swap, error);
    if (status == DRY_OK) status = dry_fit__size(swap, error);
    if (status == DRY_OK) status = choose_starts(swap, error);
    if (status == DRY_OK) status = write_law(swap, &to->text, &to->length, error);
    if (status == DRY_OK) status = settle(swap, to, error);
    return status == DRY_OK ? tell_starts(swap, to, error) : status;
}

dry_status dry_fit_law_write(const dry_fit_job *job, const dry_fit_law *law,
                             dry_fit_law_text *result, dry_error *error) {
    dry_error own;
    dry_fit_job from = *job;
    char *text = NULL;
    dry_fit__swap swap = {.job = &from, .asked = law, .arena = dry_arena_new(0)};
    *result = (dry_fit_law_text){.arena = swap.arena, .starts = ""};
    if (!error) error = &own;
    if (!swap.arena) return no_memory(error);
    dry_status status = DRY_OK;
    if (law->base) {
        status = dry_fit__text_where(job, law->base, &text, &from.length, error);
        from.text = text;
    }
    if (status == DRY_OK) status = exchange(&swap, result, error);
    dry_model_free(swap.model);
    free(text);
    return status;
}

void dry_fit_law_text_free(dry_fit_law_text *result) {
    free(result->text);
    dry_arena_free(result->arena);
    *result = (dry_fit_law_text){0};
}
