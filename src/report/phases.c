/* phases: when each element sticks, slips, is open or closed.
 *
 * The elements are those of the model that was run (ode.h, dry_system.phases): the laws of its
 * forces, its parts, and the sets that a rigid scheme keeps. Their phases are computed in every row
 * of the record, which holds the states, the outputs and the forces of sets; nothing is compiled or
 * run again.
 *
 * A band has every phase of the record, however short. If a band would have more than MOST_CHANGES
 * of them, neighbours that are shorter than a time `least` become one interval that has the phases
 * of all of them. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BANDS = 12, MOST_CHANGES = 4000 };

/* What a row of the record is read into. */
typedef struct look {
    const dry_card *card;
    const dry_system *system;
    const dry_inclusion *inclusion; /* NULL: no set is kept */
    dry_env env;
    double *x, *y, *forces;
    unsigned char *phase; /* of each element, bits of law.h */
    double tau;
} look;

static bool begin_look(look *l, const dry_card *card) {
    const dry_system *system = dry_model_system(card->model);
    const dry_method *method = card->run.method;
    const dry_inclusion *inclusion = dry_model_inclusion(card->model);
    const int n_forces = inclusion ? inclusion->n_forces : 0;
    void *work = calloc(1, system->work_size + 1);
    *l = (look){.card = card,
                .system = system,
                .inclusion = inclusion,
                .env = {.model = system->model, .par = system->par, .work = work},
                .x = calloc((size_t)system->n_states + 1, sizeof *l->x),
                .y = calloc((size_t)system->n_outputs + 1, sizeof *l->y),
                .forces = calloc((size_t)n_forces + 1, sizeof *l->forces),
                .phase = calloc((size_t)system->n_elements + 1, 1),
                .tau = method && method->uses_tau ? card->run.step : 0.0};
    if (!work || !l->x || !l->y || !l->forces || !l->phase) return dry_report__lack(card), false;
    if (system->prepare) system->prepare(&l->env);
    system->start(&l->env, 0.0, l->x);
    for (int i = 0; i < system->n_states; i++)
        if (dry_state_is_inner(&system->states[i])) l->x[i] = (double)NAN;
    return true;
}

static void end_look(look *l) {
    free(l->env.work);
    free(l->x);
    free(l->y);
    free(l->forces);
    free(l->phase);
}

/* ---- a row of the record ----------------------------------------------------------------------
 */

/* States that are not recorded are nan; elements with such states use their outputs, or have no
 * phases. */
static double read_row(const look *l, size_t row) {
    const dry_record *record = l->card->record;
    int column = 1;
    for (int i = 0; i < l->system->n_states; i++)
        if (!dry_state_is_inner(&l->system->states[i]))
            l->x[i] = dry_record_values(record, column++)[row];
    for (int i = 0; i < l->system->n_outputs; i++)
        l->y[i] = dry_record_values(record, column++)[row];
    return dry_record_values(record, 0)[row];
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
            if (column < 0) continue;
            const double f = dry_record_values(record, column)[row];
            l->forces[s->force + k] = s->end ? dry_pos(s->end * f) : f;
        }
    }
}

static double look_at(const look *l, size_t row) {
    const double t = read_row(l, row);
    if (l->inclusion) {
        read_forces(l, row);
        l->inclusion->phases(&l->env, t, l->x, l->forces, l->phase);
    } else {
        l->system->phases(&l->env, t, l->tau, l->x, l->y, l->phase);
    }
    return t;
}

/* ---- bands ------------------------------------------------------------------------------------
 */

static unsigned char shown(unsigned char phase) {
    if (phase & DRY_OPEN) return DRY_PHASE_OPEN;
    return phase & DRY_SLIPS ? DRY_PHASE_SLIP : DRY_PHASE_HOLD;
}

static bool grow(dry_report__band *band) {
    const size_t room = 2 * band->room + 64;
    double *begin = realloc(band->begin, sizeof *begin * room);
    if (begin) band->begin = begin;
    unsigned char *phase = begin ? realloc(band->phase, room) : NULL;
    if (!phase) return false;
    band->phase = phase;
    band->room = room;
    return true;
}

static bool note(dry_report__band *band, double t, unsigned char phase) {
    if (phase & (DRY_STICKS | DRY_SLIPS)) band->contact = false;
    if (band->n && band->phase[band->n - 1] == shown(phase)) return true;
    if (band->n == band->room && !grow(band)) return false;
    band->begin[band->n] = t;
    band->phase[band->n++] = shown(phase);
    return true;
}

/* Neighbours shorter than `least` become one, which is shorter than twice that. */
static void merge(dry_report__band *band, double end, double least) {
    const size_t all = band->n;
    size_t n = 0, i = 0;
    while (i < all) {
        const double from = band->begin[i];
        unsigned char phases = band->phase[i++];
        bool is_short = (i < all ? band->begin[i] : end) - from < least;
        while (is_short && i < all && band->begin[i] - from < least) {
            is_short = (i + 1 < all ? band->begin[i + 1] : end) - band->begin[i] < least;
            if (is_short) phases |= band->phase[i++];
        }
        if (n && band->phase[n - 1] == phases) continue;
        band->begin[n] = from;
        band->phase[n++] = phases;
    }
    band->n = n;
}

void dry_report__free_bands(dry_report__bands *bands) {
    for (int i = 0; i < bands->n; i++) {
        free(bands->band[i].begin);
        free(bands->band[i].phase);
    }
    free(bands->band);
}

/* One band for each element that has phases in the first row, as many as are shown. */
static void add_bands(const look *l, dry_report__bands *bands) {
    look_at(l, 0);
    for (int i = 0; i < l->system->n_elements; i++) {
        if (!l->phase[i]) continue;
        if (bands->n == MOST_BANDS)
            bands->left_out++;
        else
            bands->band[bands->n++] =
                (dry_report__band){.name = l->system->elements[i], .element = i, .contact = true};
    }
}

static bool follow(const look *l, const dry_report__bands *bands) {
    for (size_t row = 0; bands->n && row < dry_record_rows(l->card->record); row++) {
        const double t = look_at(l, row);
        for (int i = 0; i < bands->n; i++)
            if (!note(&bands->band[i], t, l->phase[bands->band[i].element])) return false;
    }
    return true;
}

/* At most span/least long phases, and as many groups of short ones after each and in each `least`.
 */
static void thin(const dry_card *card, const dry_report__bands *bands) {
    const size_t rows = dry_record_rows(card->record);
    const double *t = dry_record_values(card->record, 0);
    for (int i = 0; i < bands->n; i++)
        if (bands->band[i].n > MOST_CHANGES)
            merge(&bands->band[i], t[rows - 1], 3.0 * (t[rows - 1] - t[0]) / MOST_CHANGES);
}

bool dry_report__find_bands(const dry_card *card, dry_report__bands *bands) {
    look l;
    *bands = (dry_report__bands){0};
    if (!card->record || !dry_record_rows(card->record)) return false;
    if (!dry_model_system(card->model)->n_elements) return false;
    bands->band = calloc(MOST_BANDS, sizeof *bands->band);
    const bool begun = begin_look(&l, card) && bands->band;
    if (begun) add_bands(&l, bands);
    if (!begun || !follow(&l, bands)) dry_report__lack(card);
    if (bands->n) thin(card, bands);
    end_look(&l);
    return bands->n > 0;
}
