/* forces: what presses and rubs where, at some instants of a run, as JSON.
 *
 * The record lacks the strains of contacts, so the forces come from the whole states that the run
 * kept (dry_sim_result.saved): they are those of the run, and not those of a fit. */
#include "report_private.h"

#include <drystone/sim.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_INSTANTS = 300, MOST_FORCES = 1500, NUMBERS = 9 };

int dry_report_saves(const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    const dry_net *net = dry_model_net(model);
    const double most_bytes = 16e6;
    if (!system || !net || !dry_net_can_touch(net)) return 0;
    const double size = (double)sizeof(double) * (DRY_SAVED_X + (double)system->n_states);
    return (int)fmin(MOST_INSTANTS, most_bytes / size);
}

/* A growing list: of each pair that touches where, the normal force, friction. */
typedef struct list {
    double *numbers; /* NUMBERS for each */
    size_t n, room;
    bool failed;
} list;

static void add(void *user, const dry_touching *touching) {
    list *l = user;
    if (l->n == l->room) {
        const size_t room = 2 * l->room + 64;
        double *more = realloc(l->numbers, room * NUMBERS * sizeof *more);
        l->failed = l->failed || !more;
        if (!more) return;
        l->numbers = more;
        l->room = room;
    }
    double *to = l->numbers + NUMBERS * l->n++;
    for (int i = 0; i < 3; i++) {
        to[i] = touching->x[i];
        to[3 + i] = touching->normal[i];
        to[6 + i] = touching->friction[i];
    }
}

/* ---- instants ---------------------------------------------------------------------------------
 */

typedef struct instants {
    size_t begin[MOST_INSTANTS + 1]; /* of the forces of each */
    double time[MOST_INSTANTS];
    int n;
} instants;

/* Every so many of the kept states. */
static void find(const dry_card *card, const dry_env *env, int every, list *l, instants *at) {
    const size_t size = DRY_SAVED_X + (size_t)dry_model_system(card->model)->n_states;
    const double tau = card->run.method && card->run.method->uses_tau ? card->run.step : 0.0;
    at->n = 0;
    l->n = 0;
    for (int i = 0; i < card->n_saved && at->n < MOST_INSTANTS; i += every) {
        const double *row = card->saved + (size_t)i * size;
        at->begin[at->n] = l->n;
        at->time[at->n++] = row[DRY_SAVED_T];
        dry_model_touching(env, row[DRY_SAVED_T], tau, row + DRY_SAVED_X, add, l);
    }
    at->begin[at->n] = l->n;
}

/* As many instants as give not too many forces; false if there is none, or no memory. */
static bool find_all(const dry_card *card, list *l, instants *at) {
    const dry_system *system = dry_model_system(card->model);
    const dry_env env = {
        .model = system->model, .par = system->par, .work = calloc(1, system->work_size + 1)};
    int every = card->n_saved / MOST_INSTANTS + 1;
    l->failed = !env.work;
    if (env.work && system->prepare) system->prepare(&env);
    if (env.work) find(card, &env, every, l, at);
    if (l->n > MOST_FORCES) {
        every = (int)ceil((double)every * (double)l->n / MOST_FORCES);
        find(card, &env, every, l, at);
    }
    free(env.work);
    return !l->failed && l->n;
}

/* ---- as JSON -----------------------------------------------------------------------------------
 */

static void put_times(const instants *at, FILE *stream) {
    fputs(",\"forces\":{\"time\":[", stream);
    for (int i = 0; i < at->n; i++) {
        char text[DRY_NUMBER_SIZE];
        dry_number_rounded(at->time[i], 7, text);
        fprintf(stream, "%s%s", i ? "," : "", text);
    }
    fputs("],\"begin\":[", stream);
    for (int i = 0; i <= at->n; i++) fprintf(stream, "%s%zu", i ? "," : "", at->begin[i]);
    fputc(']', stream);
}

static void put_numbers(const list *l, FILE *stream) {
    size_t *kept = malloc(l->n * sizeof *kept);
    double *column = malloc(l->n * sizeof *column);
    fputs(",\"numbers\":[", stream);
    for (int k = 0; kept && column && k < NUMBERS; k++) {
        const dry_report__column c = {"", k < 3 ? "m" : "N", column, l->n};
        for (size_t i = 0; i < l->n; i++) {
            kept[i] = i;
            column[i] = l->numbers[NUMBERS * i + (size_t)k];
        }
        if (k) fputc(',', stream);
        dry_report__codes(&c, kept, l->n, stream);
    }
    fputs("]}", stream);
    free(kept);
    free(column);
}

void dry_report__forces_in_motion(const dry_card *card, FILE *stream) {
    list l = {0};
    instants at;
    if (!card->saved || !dry_model_net(card->model) ||
        !dry_net_can_touch(dry_model_net(card->model)))
        return;
    if (find_all(card, &l, &at)) {
        put_times(&at, stream);
        put_numbers(&l, stream);
    }
    if (l.failed) dry_report__lack(card);
    free(l.numbers);
}
