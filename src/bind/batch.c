/* batch: many copies of one model that step together on the threads of a team, as steppers or, in
 * native code if nothing happens between steps, side by side in lanes. Each copy writes its own
 * numbers, so the bits do not depend on the threads. */
#include "bind_private.h"

#include <drystone/team.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct copy {
    dry_stepper *stepper;
    dry_status status; /* of the last call */
    bool stopped;      /* the model ended it; it waits for a reset */
    bool changed;      /* its parameters, which its lane does not have yet */
    dry_error *error;
} copy;

struct dry_bind_batch {
    const dry_model *model;
    dry_arena *arena; /* of the team */
    dry_team *team;   /* NULL: the caller alone */
    copy *copy;
    dry_bind__lanes *lanes; /* of the states; the steppers have the parameters. NULL: steppers */
    int n, n_states, n_inputs, n_outputs;
};

/* One call of the batch, for all of its pieces. */
typedef struct call {
    dry_bind_batch *batch;
    double interval;
    const double *inputs;
    double *states, *outputs;
} call;

static dry_status make_copies(dry_bind_batch *b, const dry_native *native, dry_error *error) {
    dry_status status = DRY_OK;
    for (int i = 0; i < b->n && status == DRY_OK; i++) {
        b->copy[i].error = calloc(1, sizeof(dry_error));
        if (!b->copy[i].error) return dry_bind__no_memory(error);
        status = dry_bind_stepper_new(b->model, native, &b->copy[i].stepper, error);
    }
    return status;
}

dry_status dry_bind_batch_new(const dry_model *model, const dry_native *native, int copies,
                              int threads, dry_bind_batch **batch, dry_error *error) {
    const dry_system *system = dry_model_system(model);
    *batch = NULL;
    if (copies < 1 || threads < 1)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a batch has %d copies on %d threads: give at least 1 of both", copies,
                             threads);
    dry_bind_batch *b = calloc(1, sizeof *b);
    copy *all = calloc((size_t)copies, sizeof *all);
    dry_arena *arena = dry_arena_new(0);
    if (!b || !all || !arena) {
        free(b), free(all), dry_arena_free(arena);
        return dry_bind__no_memory(error);
    }
    *b = (dry_bind_batch){.model = model,
                          .arena = arena,
                          .copy = all,
                          .n = copies,
                          .n_states = system->n_states,
                          .n_inputs = system->n_inputs,
                          .n_outputs = system->n_outputs};
    const dry_status status = make_copies(b, native, error);
    if (status != DRY_OK) return dry_bind_batch_free(b), status;
    b->team = dry_team_new(arena, threads < copies ? threads : copies);
    if (native) b->lanes = dry_bind__lanes_new(model, copies, dry_team_blocks(b->team));
    const dry_status begun = b->lanes ? dry_bind_batch_reset(b, NULL, NULL, error) : DRY_OK;
    if (begun != DRY_OK) return dry_bind_batch_free(b), begun;
    *batch = b;
    return DRY_OK;
}

bool dry_bind_batch_has_lanes(const dry_bind_batch *b) { return b->lanes != NULL; }

void dry_bind_batch_free(dry_bind_batch *b) {
    if (!b) return;
    if (b->team) dry_team_end(b->team);
    dry_bind__lanes_free(b->lanes);
    for (int i = 0; i < b->n; i++) {
        dry_stepper_free(b->copy[i].stepper);
        free(b->copy[i].error);
    }
    free(b->copy);
    dry_arena_free(b->arena);
    free(b);
}

/* ---- set ----------------------------------------------------------------------------------- */

/* What the lane of a copy takes over from its stepper. */
static void take_par(const dry_bind_batch *b, int i) {
    if (!b->lanes || !b->copy[i].changed) return;
    dry_bind__lanes_par(b->lanes, i, dry_stepper_par(b->copy[i].stepper));
    b->copy[i].changed = false;
}
static void begin_lane(const dry_bind_batch *b, int i) {
    b->copy[i].changed = true;
    take_par(b, i);
    if (b->lanes) dry_bind__lanes_begin(b->lanes, i, dry_stepper_states(b->copy[i].stepper));
}

dry_status dry_bind_batch_reset(dry_bind_batch *b, const unsigned char *which, const double *x0,
                                dry_error *error) {
    for (int i = 0; i < b->n; i++) {
        const double *from = x0 ? x0 + (size_t)i * (size_t)b->n_states : NULL;
        if (which && !which[i]) continue;
        const dry_status status = dry_stepper_reset(b->copy[i].stepper, 0.0, from, error);
        if (status != DRY_OK) return status;
        b->copy[i].stopped = false;
        begin_lane(b, i);
    }
    return DRY_OK;
}

dry_status dry_bind_batch_par(dry_bind_batch *b, const char *name, const double *values,
                              dry_error *error) {
    double *before = malloc((size_t)b->n * sizeof *before);
    if (!before) return dry_bind__no_memory(error);
    dry_status status = DRY_OK;
    int done = 0;
    for (; done < b->n && status == DRY_OK; done++) {
        before[done] = dry_bind_stepper_par_now(b->copy[done].stepper, b->model, name);
        status = dry_bind_stepper_par(b->copy[done].stepper, b->model, name, values[done], error);
        b->copy[done].changed = true;
    }
    for (int i = 0; status != DRY_OK && i < done - 1; i++) /* they were good before */
        (void)dry_bind_stepper_par(b->copy[i].stepper, b->model, name, before[i], NULL);
    free(before);
    return status;
}

double dry_bind_batch_par_now(const dry_bind_batch *b, int index, const char *name) {
    const bool there = index >= 0 && index < b->n;
    return there ? dry_bind_stepper_par_now(b->copy[index].stepper, b->model, name) : (double)NAN;
}

/* ---- step ---------------------------------------------------------------------------------- */

static double *row(double *array, int i, int columns) {
    return array ? array + (size_t)i * (size_t)columns : NULL;
}

static dry_status read_one(const dry_bind_batch *b, int i, double *states, double *outputs,
                           dry_error *error) {
    dry_stepper *stepper = b->copy[i].stepper;
    if (b->lanes) return dry_bind__lanes_read(b->lanes, i, states, outputs), DRY_OK;
    if (states) memcpy(states, dry_stepper_states(stepper), (size_t)b->n_states * sizeof *states);
    return outputs ? dry_stepper_outputs(stepper, outputs, error) : DRY_OK;
}

/* A copy that has stopped is only read. */
static dry_status step_one(const call *c, int i) {
    const dry_bind_batch *b = c->batch;
    copy *own = &b->copy[i];
    const double *inputs = c->inputs ? c->inputs + (size_t)i * (size_t)b->n_inputs : NULL;
    double *states = row(c->states, i, b->n_states), *outputs = row(c->outputs, i, b->n_outputs);
    if (own->stopped) return read_one(b, i, states, outputs, own->error);
    const double t_end = dry_stepper_time(own->stepper) + c->interval;
    return dry_bind_step(own->stepper, inputs, t_end, states, outputs, own->error);
}

static void step_piece(const void *data, dry_team_piece piece) {
    const call *c = data;
    for (int i = dry_piece_from(c->batch->n, piece); i < dry_piece_to(c->batch->n, piece); i++) {
        c->batch->copy[i].status = step_one(c, i);
        if (c->batch->copy[i].status == DRY_STOPPED) c->batch->copy[i].stopped = true;
    }
}

/* ---- lanes ----- */

static void note_end(void *user, int i, dry_status status, const dry_error *error) {
    const call *c = user;
    copy *own = &c->batch->copy[i];
    own->status = status;
    if (status != DRY_OK) *own->error = *error;
    dry_bind__lanes_read(c->batch->lanes, i, row(c->states, i, c->batch->n_states),
                         row(c->outputs, i, c->batch->n_outputs));
}

static void step_packs(const void *data, dry_team_piece piece) {
    const call *c = data;
    const int n = dry_bind__lanes_packs(c->batch->lanes);
    for (int i = dry_piece_from(n, piece); i < dry_piece_to(n, piece); i++)
        dry_bind__lanes_step(c->batch->lanes, piece.index, i, c->interval, note_end, (void *)c);
}

static dry_status step_lanes(call *c, int pieces, dry_error *error) {
    const dry_bind_batch *b = c->batch;
    bool whole = true;
    for (int i = 0; i < b->n; i++) {
        take_par(b, i);
        if (c->inputs)
            dry_bind__lanes_inputs(b->lanes, i, c->inputs + (size_t)i * (size_t)b->n_inputs);
    }
    if (dry_bind__lanes_packs(b->lanes) < 0) return dry_bind__no_memory(error);
    dry_team_run(b->team, pieces, step_packs, c);
    for (int i = 0; i < b->n; i++) whole = whole && b->copy[i].status == DRY_OK;
    if (!whole) dry_bind__lanes_repack(b->lanes);
    return DRY_OK;
}

/* ---- all of them ----- */

/* Before any copy steps, so that a mistake leaves all of them where they are. */
static dry_status check_call(const call *c, dry_error *error) {
    const dry_bind_batch *b = c->batch;
    if (!(c->interval > 0.0) || !isfinite(c->interval))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the interval of a batch must be positive: give a number of seconds");
    for (int i = 0; c->inputs && i < b->n; i++)
        for (int k = 0; k < b->n_inputs; k++)
            if (!isfinite(c->inputs[(size_t)i * (size_t)b->n_inputs + (size_t)k]))
                return dry_error_set(error, DRY_BAD_ARGUMENT,
                                     "copy %d: the input `%.100s` is not finite: give numbers", i,
                                     dry_bind_name(b->model, DRY_BIND_INPUTS, k));
    return DRY_OK;
}

dry_status dry_bind_batch_step(dry_bind_batch *b, double interval, const double *inputs,
                               double *states, double *outputs, unsigned char *stopped,
                               dry_error *error) {
    call c = {b, interval, inputs, states, outputs};
    const int pieces = dry_team_blocks(b->team);
    dry_status status = check_call(&c, error);
    if (status == DRY_OK && b->lanes) status = step_lanes(&c, pieces, error);
    if (status != DRY_OK) return status;
    if (!b->lanes) dry_team_run(b->team, pieces, step_piece, &c);
    for (int i = 0; i < b->n; i++) {
        const copy *own = &b->copy[i];
        if (stopped) stopped[i] = own->stopped;
        if (own->status != DRY_OK && own->status != DRY_STOPPED)
            return dry_error_set(error, own->status, "copy %d: %.480s", i, own->error->text);
    }
    return DRY_OK;
}

dry_status dry_bind_batch_read(const dry_bind_batch *b, double *times, double *states,
                               double *outputs, dry_error *error) {
    for (int i = 0; i < b->n; i++) {
        const dry_status status =
            read_one(b, i, row(states, i, b->n_states), row(outputs, i, b->n_outputs), error);
        if (status != DRY_OK) return status;
        if (times)
            times[i] = b->lanes ? dry_bind__lanes_read(b->lanes, i, NULL, NULL)
                                : dry_stepper_time(b->copy[i].stepper);
    }
    return DRY_OK;
}
