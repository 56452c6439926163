/* Any bytes at all: the compiler must end with a model or with messages, quickly, in bounded
 * memory; what it accepts must evaluate and print. For libFuzzer: `make fuzz`. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "models.h"

#include <stdint.h>

enum {
    MOST_BYTES = 4096,   /* of a text: longer ones say nothing new, slowly */
    MOST_NODES = 100000, /* a bound far below the default, so that a bomb is found small */
    MOST_STATES = 200    /* printing and evaluating are for models a reader would look at */
};

static void evaluate_system(const dry_system *system) {
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    double *x_dot = calloc((size_t)system->n_states + 1, sizeof *x_dot);
    double *y = calloc((size_t)system->n_outputs + 1, sizeof *y);
    double *g = calloc((size_t)system->n_kinks + 1, sizeof *g);
    double *times = calloc((size_t)system->n_breaks + 1, sizeof *times);
    void *work = calloc(1, system->work_size + 1);
    if (x && x_dot && y && g && times && work) {
        const dry_env env = {.model = system->model, .par = system->par, .work = work};
        if (system->prepare) system->prepare(&env);
        system->start(&env, 0.0, x);
        system->rate(&env, 0.0, 0.0, x, x_dot);
        system->rate(&env, 0.5, 1e-3, x, x_dot);
        if (system->output) system->output(&env, 0.0, 0.0, x, y);
        if (system->kinks) system->kinks(&env, 0.0, x, g);
        if (system->breaks) system->breaks(&env, times);
        if (system->latch) system->latch(&env, 0.0, x);
        if (system->watch) system->watch(&env, 0.0, x);
    }
    free(x);
    free(x_dot);
    free(y);
    free(g);
    free(times);
    free(work);
}

/* A record of two rows at the start, as a run of no length would leave it. */
static dry_record *record_of(const dry_system *system) {
    const int n = 1 + system->n_states + system->n_outputs;
    dry_quantity *columns = calloc((size_t)n, sizeof *columns);
    double *row = calloc((size_t)n, sizeof *row);
    dry_record *record = NULL;
    if (columns && row) {
        columns[0] = (dry_quantity){"t", "s"};
        for (int i = 0; i < system->n_states; i++) columns[1 + i] = system->states[i];
        for (int i = 0; i < system->n_outputs; i++)
            columns[1 + system->n_states + i] = system->outputs[i];
        record = dry_record_new(columns, n);
        for (int i = 0; record && i < 3; i++) {
            row[0] = i;
            dry_record_add(record, row);
        }
    }
    free(columns);
    free(row);
    return record;
}

static void evaluate_measures(const dry_model *model) {
    dry_record *record = record_of(dry_model_system(model));
    measure(model, record);
    dry_record_free(record);
}

static void use(const dry_model *model, FILE *stream) {
    print_equations(model, stream);
    evaluate_system(dry_model_system(model));
    evaluate_measures(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) return -1;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const dry_model_options options = {.most_nodes = MOST_NODES, .force = true};
    dry_model *model = dry_model_compile("fuzz.dry", (const char *)data, size, &options);
    if (model && stream) {
        print_messages(model, stream);
        const bool ok = dry_model_ok(model);
        if (!ok || dry_model_system(model)->n_states <= MOST_STATES) print_stages(model, stream);
        if (ok && dry_model_system(model)->n_states <= MOST_STATES) use(model, stream);
    }
    dry_model_free(model);
    if (stream) fclose(stream);
    free(text);
    return 0;
}
