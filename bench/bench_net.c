/* What does a part of a net cost in one evaluation, and does that stay so in large nets?
 *
 *     blocks   N blocks on a rough floor, each a point mass, a coulomb law and a motor: 3 N parts
 *     chain    1000 point masses with a spring between neighbours and coulomb friction on each
 *
 * Classical Runge-Kutta, four evaluations of all parts per step; a part-stage is one part in one
 * evaluation, the arithmetic of the method and the checks of dry_ode_advance included. All times
 * are of the clock on the wall, because that is what a second thread makes shorter. Aim: the cost
 * per part flat within 1.5 from 10 blocks to 100,000. */
#include "bench.h"
#include <drystone/net.h>

static double wall_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const dry_kind *kind_of(const char *name) {
    for (int i = 0; i < dry_net_kind_count(); i++)
        if (strcmp(dry_net_kind_at(i)->name, name) == 0) return dry_net_kind_at(i);
    return NULL;
}

static void add(dry_net *net, const char *kind, int i, const char *key, double number) {
    char name[64];
    const dry_value value = {key, NULL, &number, 1, 0, 0};
    snprintf(name, sizeof name, "%s_%d", kind, i);
    dry_net_make(net, name, kind_of(kind), &value, 1);
}

static void join(dry_net *net, const char *kind, int i, int a, int b) {
    char name[64], port[2][64];
    snprintf(name, sizeof name, "%s_%d", kind, i);
    snprintf(port[0], sizeof port[0], "point_mass_%d", a);
    snprintf(port[1], sizeof port[1], "point_mass_%d", b);
    dry_net_connect(net, name, (dry_end){.port = port[0]},
                    (dry_end){.port = b < 0 ? NULL : port[1]});
}

static void build_blocks(dry_net *net, int count) {
    for (int i = 0; i < count; i++) {
        add(net, "point_mass", i, "mass", 1.0);
        add(net, "coulomb", i, "F", 0.5);
        add(net, "motor", i, "force", 0.3 + 0.4 * i / count); /* some of them slide */
        join(net, "coulomb", i, i, -1);
        join(net, "motor", i, i, -1);
    }
}

static void build_chain(dry_net *net, int count) {
    for (int i = 0; i < count; i++) {
        add(net, "point_mass", i, "mass", 1.0);
        add(net, "coulomb", i, "F", 0.01);
        add(net, "spring", i, "K", 100.0);
        join(net, "coulomb", i, i, -1);
        join(net, "spring", i, i, i - 1);
    }
    const double start = 0.1;
    char name[64];
    snprintf(name, sizeof name, "point_mass_%d.p", count - 1);
    dry_net_start(net, name, &start, 1);
}

typedef struct entry {
    const char *name;
    void (*build)(dry_net *net, int count);
    int count, threads;
    long steps, done; /* in one turn, and in all */
    dry_net *net;
    const dry_system *system;
    void *scratch;
    double *work;
    dry_ode ode;
    double seconds, wall; /* shortest times of a turn */
} entry;

static void begin(entry *e) {
    const dry_method *rk4 = dry_method_find("rk4");
    const dry_ode_options options = {.step = 1e-3};
    dry_error error;
    e->net = dry_net_new();
    e->build(e->net, e->count);
    must(dry_net_system(e->net, &(dry_net_options){.threads = e->threads}, &e->system, &error) ==
             DRY_OK,
         error.text);
    e->scratch = malloc(e->system->work_size);
    e->work = malloc(dry_ode_size(e->system, rk4) * sizeof *e->work);
    must(dry_ode_init(&e->ode, e->system, rk4, &options, NULL, 0.0, NULL, e->scratch, e->work) ==
             DRY_OK,
         "the net does not start");
    e->seconds = e->wall = (double)INFINITY;
    e->steps = 1 + 2000 / e->count;
}

static void turn(entry *e) {
    const double start = seconds_now(), wall = wall_now();
    e->done += e->steps;
    dry_ode_advance(&e->ode, (double)e->done * 1e-3);
    e->seconds = fmin(e->seconds, seconds_now() - start);
    e->wall = fmin(e->wall, wall_now() - wall);
}

static double ns_per_part(const entry *e) {
    return 1e9 * (e->threads > 1 ? e->wall : e->seconds) /
           ((double)e->steps * 4.0 * 3.0 * e->count);
}

int main(int argc, char **argv) {
    static const column columns[] = {{"net", 10},     {"bodies", -7},         {"parts", -7},
                                     {"threads", -7}, {"ns/part-stage", -13}, {"ratio", -6},
                                     {"speed-up", -8}};
    entry all[] = {
        {.name = "blocks", .build = build_blocks, .count = 10, .threads = 1},
        {.name = "blocks", .build = build_blocks, .count = 1000, .threads = 1},
        {.name = "blocks", .build = build_blocks, .count = 1000, .threads = 2},
        {.name = "blocks", .build = build_blocks, .count = 100000, .threads = 1},
        {.name = "blocks", .build = build_blocks, .count = 100000, .threads = 2},
        {.name = "chain", .build = build_chain, .count = 1000, .threads = 1},
        {.name = "chain", .build = build_chain, .count = 1000, .threads = 2},
    };
    enum { N = sizeof all / sizeof all[0] };
    table t = table_begin(argc, argv, columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < N; i++) begin(&all[i]);
    for (int round = 0; round < 30; round++)
        for (int i = 0; i < N; i++) turn(&all[(i + round) % N]);
    for (int i = 0; i < N; i++) {
        const bool again = all[i].threads > 1; /* the row before has the same net on one thread */
        if (again)
            must(memcmp(all[i].ode.x, all[i - 1].ode.x,
                        (size_t)all[i].system->n_states * sizeof(double)) == 0,
                 "two threads give other bits than one");
        cell_text(&t, all[i].name);
        cell_number(&t, "%7.0f", all[i].count);
        cell_number(&t, "%7.0f", 3.0 * all[i].count);
        cell_number(&t, "%7.0f", all[i].threads);
        cell_number(&t, "%13.1f", ns_per_part(&all[i]));
        cell_number(&t, "%6.2f", ns_per_part(&all[i]) / ns_per_part(&all[0]));
        cell_number(&t, "%8.2f", again ? all[i - 1].wall / all[i].wall : (double)NAN);
    }
    for (int i = 0; i < N; i++) {
        free(all[i].scratch);
        free(all[i].work);
        dry_net_free(all[i].net);
    }
    return 0;
}
