/* Any bytes at all as a robot's description: it is read or refused with a line, and what is read
 * makes a net that can be evaluated. For libFuzzer: `make fuzz`. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"

#include <drystone/urdf.h>

enum { MOST_BYTES = 8192, MOST_STATES = 2000 };

static void evaluate(const dry_system *system) {
    double *x = calloc((size_t)system->n_states + 1, sizeof *x);
    double *x_dot = calloc((size_t)system->n_states + 1, sizeof *x_dot);
    double *y = calloc((size_t)system->n_outputs + 1, sizeof *y);
    void *work = calloc(1, system->work_size + 1);
    if (x && x_dot && y && work) {
        const dry_env env = {.model = system->model, .par = system->par, .work = work};
        if (system->prepare) system->prepare(&env);
        system->start(&env, 0.0, x);
        system->rate(&env, 0.0, 1e-3, x, x_dot);
        if (system->output) system->output(&env, 0.0, 0.0, x, y);
        if (system->latch) system->latch(&env, 0.0, x);
        if (system->watch) system->watch(&env, 0.0, x);
    }
    free(x);
    free(x_dot);
    free(y);
    free(work);
}

/* The robot, and a contact for what could touch. */
static void use(void) {
    const dry_value robot[] = {DRY_WORD("file", scratch()), DRY_NUMBERS("step", 1e-3)};
    const dry_value touch[] = {DRY_NUMBERS("K", 1e5), DRY_NUMBERS("alpha", 1e-3),
                               DRY_NUMBERS("beta", 2e-3)};
    const dry_system *system = NULL;
    dry_error error = {0};
    dry_net *net = dry_net_new();
    if (!net) return;
    dry_net_gravity(net, 0.0, 0.0, -9.8);
    dry_net_make(net, "robot", dry_urdf_kind(), robot, 2);
    dry_net_make(net, "ground", dry_kind_find("plane"), NULL, 0);
    dry_net_make(net, "touch", dry_kind_find("contact"), touch, 3);
    dry_net_connect(net, "touch", (dry_end){.port = "ground"}, (dry_end){0});
    if (dry_net_system(net, &(dry_net_options){.account = true}, &system, &error) == DRY_OK &&
        system->n_states <= MOST_STATES)
        evaluate(system);
    dry_net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES || !write_scratch(data, size)) return -1;
    dry_arena *arena = dry_arena_new(0);
    dry_robot robot;
    dry_error error = {0};
    const bool read = arena && dry_urdf_read(scratch(), arena, &robot, &error) == DRY_OK;
    dry_arena_free(arena);
    if (read) use();
    return 0;
}
