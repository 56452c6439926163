/* The same spheres by ourselves, one thread: bench_spheres has more of them. */
#include "scene.h"

#include "../heap.h"

static void *begin(int N, const double *p, const setting *s) {
    heap *h = calloc(1, sizeof *h);
    if (h == NULL) exit(1);
    (void)p; /* it places them itself */
    h->N = N;
    heap_begin(h, s->step, 1);
    return h;
}

static void go(void *world, double step, long steps) {
    heap *h = world;
    const dry_status status = dry_ode_advance(&h->ode, h->ode.t + step * (double)steps);
    heap_must(status == DRY_OK, dry_status_text(status));
}

static void look(void *world, double *p, double *v) { heap_look(world, p, v); }

static void end(void *world) {
    heap_end(world);
    free(world);
}

int main(int argc, char **argv) {
    const engine drystone = {"Drystone", heap_step, begin, go, look, end};
    const setting settings[] = {{0.0, 1}};
    return scene_main(&drystone, settings, 1, 1000, argc, argv);
}
