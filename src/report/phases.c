/* phases: when each set-valued force sticks, slips, is open or closed, from the record of a run.
 *
 * Of equations: the model is compiled once more with `plot f.slip` behind its text, and the outputs
 * of that are computed at the recorded states, where sets are kept with the recorded forces. Of
 * parts: by their recorded forces. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BANDS = 12, MOST_CHANGES = 4000 };

/* What is looked at in a row: the state of the run. */
typedef struct look {
    const dry_card *card;
    const dry_system *system;
    const dry_inclusion *inclusion; /* NULL: no set is kept */
    dry_env env;
    double *x, *y, *forces;
    int outputs; /* the column of the first */
    double tau;
} look;

static bool begin_look(look *l, const dry_card *card, const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    const dry_method *method = card->run.method;
    void *work = calloc(1, system->work_size + 1);
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    const int n_forces = inclusion ? inclusion->n_forces : 0;
    *l = (look){.card = card,
                .system = system,
                .inclusion = inclusion,
                .env = {.model = system->model, .par = system->par, .work = work},
                .x = calloc((size_t)system->n_states + 1, sizeof *l->x),
                .y = calloc((size_t)system->n_outputs + 1, sizeof *l->y),
                .forces = calloc((size_t)n_forces + 1, sizeof *l->forces),
                .outputs = 1 + dry_system_named(system),
                .tau = method && method->uses_tau ? card->run.step : 0.0};
    if (!work || !l->x || !l->y || !l->forces) return dry_report__lack(card), false;
    if (system->prepare) system->prepare(&l->env);
    system->start(&l->env, 0.0, l->x);
    return true;
}

static void end_look(look *l) {
    free(l->env.work);
    free(l->x);
    free(l->y);
    free(l->forces);
}

/* States that are not recorded stay as they were at the start: what a contact keeps to itself is in
 * its own outputs, and in no force of the equations. */
static double read_row(const look *l, size_t row) {
    int column = 1;
    for (int i = 0; i < l->system->n_states; i++)
        if (!dry_state_is_inner(&l->system->states[i]))
            l->x[i] = dry_record_values(l->card->record, column++)[row];
    return dry_record_values(l->card->record, 0)[row];
}

/* ---- a band grows -------------------------------------------------------------------------- */

/* Phases that would be too many to be seen last at least a MOST_CHANGES-th of the run. */
static void note(dry_report__band *band, double t, dry_phase phase, double shortest) {
    if (band->n && band->phase[band->n - 1] == phase) return;
    if (band->n && t - band->begin[band->n - 1] < shortest) {
        band->phase[band->n - 1] = (unsigned char)phase;
        return;
    }
    if (band->n == MOST_CHANGES) return;
    band->begin[band->n] = t;
    band->phase[band->n++] = (unsigned char)phase;
}

static bool add_band(const dry_card *card, dry_report__bands *bands, const char *name,
                     bool contact) {
    if (!bands->band) bands->band = calloc(MOST_BANDS, sizeof *bands->band);
    if (!bands->band) return dry_report__lack(card), false;
    double *begin = malloc(sizeof *begin * MOST_CHANGES);
    unsigned char *phase = malloc(MOST_CHANGES);
    if (!begin || !phase) {
        free(begin);
        free(phase);
        return dry_report__lack(card), false;
    }
    bands->band[bands->n++] = (dry_report__band){name, contact, 0, begin, phase};
    return true;
}

void dry_report__free_bands(dry_report__bands *bands) {
    for (int i = 0; i < bands->n; i++) {
        free(bands->band[i].begin);
        free(bands->band[i].phase);
    }
    free(bands->band);
}

static double shortest_of(const dry_card *card) {
    const size_t rows = dry_record_rows(card->record);
    const double *t = dry_record_values(card->record, 0);
    return rows > MOST_CHANGES ? (t[rows - 1] - t[0]) / MOST_CHANGES : 0.0;
}

/* ---- forces of the equations ------------------------------------------------------------------
 */

/* Whether the text can ask for its phases, and whether it is a contact. */
static bool has_phases(const dry_set_info *set, bool *contact) {
    *contact = set->law->kind != DRY_FRICTION;
    return *contact || set->law->resolvent == DRY_RESOLVENT_FRICTION;
}

/* The model's text with a panel of (phase, size of the force) for each of the first forces. */
static char *asking_text(const dry_card *card, dry_report__bands *bands, size_t *length) {
    char *text = NULL;
    size_t own;
    const char *given = dry_model_text(card->model, &own);
    FILE *stream = dry_text_open(&text, length);
    if (!stream) return dry_report__lack(card), NULL;
    fwrite(given, 1, own, stream);
    for (int i = 0; i < dry_model_sets(card->model); i++) {
        const dry_set_info set = dry_model_set(card->model, i);
        bool contact;
        if (!has_phases(&set, &contact) || bands->n == MOST_BANDS) {
            bands->left_out += set.set != NULL;
            continue;
        }
        if (!add_band(card, bands, set.name, contact)) break;
        if (contact)
            fprintf(stream, "\nplot %s.closed\n", set.name);
        else
            fprintf(stream, "\nplot %s.slip, %s(%s)\n", set.name, set.dim > 1 ? "norm" : "abs",
                    set.name);
    }
    if (!dry_text_close(stream, &text)) dry_report__lack(card);
    return text;
}

static dry_phase phase_of(const look *l, const dry_model *model, int panel, bool contact) {
    const dry_model_panel p = dry_model_panel_at(model, panel);
    const double flag = l->y[p.y[0] - l->outputs];
    if (contact) return flag > 0.0 ? DRY_PHASE_HOLD : DRY_PHASE_OPEN;
    if (flag == 0.0) return DRY_PHASE_HOLD;
    return l->y[p.y[1] - l->outputs] == 0.0 ? DRY_PHASE_OPEN : DRY_PHASE_SLIP;
}

/* The recorded forces of all sets that are kept: columns f, or f[1], f[2]. They are those of the
 * step that ends in that row; the first row has those of the first step. */
static void read_forces(const look *l, size_t row) {
    const dry_record *record = l->card->record;
    if (row == 0 && dry_record_rows(record) > 1) row = 1;
    for (int i = 0; i < l->inclusion->n_sets; i++) {
        const dry_inclusion_set *s = &l->inclusion->sets[i];
        for (int k = 0; k < s->dim; k++) {
            char name[300];
            snprintf(name, sizeof name, s->dim > 1 ? "%s[%d]" : "%s", s->name, k + 1);
            const int column = dry_record_find(record, name);
            if (column >= 0) l->forces[s->force + k] = dry_record_values(record, column)[row];
        }
    }
}

static double look_at(const look *l, size_t row) {
    const double t = read_row(l, row);
    if (l->inclusion) {
        read_forces(l, row);
        l->inclusion->output(&l->env, t, l->x, l->forces, l->y);
    } else {
        l->system->output(&l->env, t, l->tau, l->x, l->y);
    }
    return t;
}

static bool follow(const dry_card *card, const dry_model *model, dry_report__bands *bands) {
    const int first = dry_model_panels(card->model);
    const dry_system *own = dry_model_system(card->model);
    look l;
    const bool good = begin_look(&l, card, model) && l.system->n_states == own->n_states &&
                      l.system->output && dry_model_panels(model) == first + bands->n;
    for (size_t row = 0; good && row < dry_record_rows(card->record); row++) {
        const double t = look_at(&l, row);
        for (int i = 0; i < bands->n; i++)
            note(&bands->band[i], t, phase_of(&l, model, first + i, bands->band[i].contact),
                 shortest_of(card));
    }
    end_look(&l);
    return good;
}

static bool find_forces(const dry_card *card, dry_report__bands *bands) {
    size_t length;
    char *text = asking_text(card, bands, &length);
    dry_model_options options = card->options ? *card->options : (dry_model_options){0};
    options.force = true;
    const bool asks = text && bands->n;
    dry_model *model = asks ? dry_model_compile(card->path, text, length, &options) : NULL;
    if (asks && !model) dry_report__lack(card);
    const bool good = model && dry_model_ok(model) && follow(card, model, bands);
    dry_model_free(model);
    free(text);
    return good;
}

/* ---- parts ------------------------------------------------------------------------------------
 */

/* What is known of a part that holds or lets go: a contact by its normal force, a friction that
 * sticks, of one dimension, by its force and its level F. */
typedef struct part_look {
    const char *name;
    const double *N, *f; /* NULL: it has none */
    double F;
} part_look;

static const double *column_of(const dry_card *card, const char *part, const char *quantity) {
    char name[300];
    snprintf(name, sizeof name, "%s.%s", part, quantity);
    const int column = dry_record_find(card->record, name);
    return column < 0 ? NULL : dry_record_values(card->record, column);
}

static double level_of(const dry_card *card, const char *part) {
    const dry_system *system = dry_model_system(card->model);
    char name[300];
    snprintf(name, sizeof name, "%s.F", part);
    for (int i = 0; i < system->n_par; i++)
        if (!strcmp(system->params[i].name, name)) return system->par[i];
    return (double)NAN;
}

/* False where it has no phases. */
static bool look_at_part(const dry_card *card, const dry_net *net, int index, part_look *l) {
    const dry_part *part = dry_net_part_at(net, index, &l->name);
    const dry_law *law = dry_part_law(part);
    const bool rubs = law && law->resolvent == DRY_RESOLVENT_FRICTION;
    l->N = column_of(card, l->name, "N");
    l->f = rubs ? column_of(card, l->name, "f") : NULL;
    l->F = l->f ? level_of(card, l->name) : 0.0;
    return l->N || (l->f && l->F > 0.0);
}

static dry_phase part_phase(const part_look *l, size_t row) {
    if (l->N) return l->N[row] > 0.0 ? DRY_PHASE_HOLD : DRY_PHASE_OPEN;
    return fabs(l->f[row]) < l->F ? DRY_PHASE_HOLD : DRY_PHASE_SLIP;
}

static void find_parts(const dry_card *card, dry_report__bands *bands) {
    const dry_net *net = dry_model_net(card->model);
    const double *t = dry_record_values(card->record, 0);
    for (int i = 0; net && i < dry_net_part_count(net); i++) {
        part_look l;
        if (!look_at_part(card, net, i, &l)) continue;
        if (bands->n == MOST_BANDS || !add_band(card, bands, l.name, l.N != NULL)) {
            bands->left_out++;
            continue;
        }
        for (size_t row = 0; row < dry_record_rows(card->record); row++)
            note(&bands->band[bands->n - 1], t[row], part_phase(&l, row), shortest_of(card));
    }
}

bool dry_report__find_bands(const dry_card *card, dry_report__bands *bands) {
    *bands = (dry_report__bands){0};
    if (!card->record || !dry_record_rows(card->record)) return false;
    if (dry_model_sets(card->model) > 0 && !find_forces(card, bands)) {
        dry_report__free_bands(bands);
        *bands = (dry_report__bands){0};
    }
    find_parts(card, bands);
    return bands->n > 0;
}
