/* What does a heap of spheres cost, and does it come to rest?
 *
 * Spheres fall from a loose lattice into a box of planes (spheres.h), as parts of a net: bodies and
 * one contact, semi-implicit steps with tau in the laws. Per N: seconds per simulated second over
 * the first 2 s on one thread, and by how much two threads are faster, while the spheres fall, pile
 * up and settle; mean and worst penetration of the points that touch, in R, and the rms speed at
 * the end; memory.
 *
 * By default N = 10,000 runs for 0.5 s only; --full runs it for 4 s, as the others. Aim: 0.9 s for
 * N = 1,000 and 15 s for N = 10,000, 1.8 times faster on two threads, mean penetration 2e-3 R, rms
 * speed below 1e-4 m/s, less than 50 MB. */
#include "bench.h"
#include "spheres.h"
#include <drystone/body.h>
#include <drystone/net.h>
#include <sys/resource.h>

/* The stiffness follows from the wanted penetration under the weight of n layers, the step from the
 * stiffness: K T^2/m is 0.16 for a contact, and a sphere has several. Rolling resistance of 1 % of
 * R lets those come to rest that no neighbour holds. */
typedef struct scene {
    int N;
    double K, T;
    dry_net *net;
    const dry_system *system;
    dry_ode ode;
    double *work;
    void *scratch;
    double seconds; /* a run's clock */
} scene;

static double layers(int N) { return (double)spheres_side(N); }

static void add(dry_net *net, const char *name, const char *kind, const dry_value *values,
                int count) {
    dry_net_make(net, name, dry_kind_find(kind), values, count);
    dry_net_connect(net, "touch", (dry_end){.port = name}, (dry_end){0});
}

static void add_planes(dry_net *net, double w) {
    const double right = 1.57079632679489661923;
    const double p[5][3] = {{0}, {-w, 0, 0}, {w, 0, 0}, {0, -w, 0}, {0, w, 0}};
    const double turn[5][3] = {{0}, {0, right, 0}, {0, -right, 0}, {-right, 0, 0}, {right, 0, 0}};
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "wall%d", i);
        const dry_value values[] = {
            {.key = "p", .numbers = p[i], .count = 3},
            {.key = "rotation", .numbers = turn[i], .count = 3},
        };
        add(net, name, "plane", values, 2);
    }
}

static void add_spheres(dry_net *net, int N) {
    double *p = malloc(3 * (size_t)N * sizeof *p);
    must(p != NULL, "no memory");
    spheres_place(N, p);
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        const dry_value values[] = {DRY_NUMBERS("radius", spheres_R),
                                    DRY_NUMBERS("density", spheres_density),
                                    {.key = "p", .numbers = p + 3 * i, .count = 3}};
        add(net, name, "sphere", values, 3);
    }
    free(p);
}

static void begin(scene *s, int threads) {
    const double K = 2.2e4 * layers(s->N), m = spheres_mass(), R = spheres_R;
    const double T = sqrt(0.16 * m / K);
    const dry_value touch[] = {DRY_NUMBERS("K", K),           DRY_NUMBERS("alpha", 0.15 * T),
                               DRY_NUMBERS("beta", 0.7 * T),  DRY_NUMBERS("Kt", 0.25 * K),
                               DRY_NUMBERS("mu", spheres_mu), DRY_NUMBERS("rolling", 0.01 * R),
                               DRY_NUMBERS("Br", 0.01),       DRY_NUMBERS("capacity", 3.8 * s->N)};
    const dry_method *method = dry_method_find("semi-implicit");
    dry_error error = {DRY_OK, "", 0, 0, ""};
    *s = (scene){.N = s->N, .K = K, .T = T, .net = dry_net_new()};
    dry_net_make(s->net, "touch", dry_kind_find("contact"), touch, sizeof touch / sizeof touch[0]);
    add_planes(s->net, spheres_half_width(s->N));
    add_spheres(s->net, s->N);
    dry_net_gravity(s->net, 0.0, 0.0, -spheres_g);
    const dry_net_options options = {.threads = threads};
    if (dry_net_system(s->net, &options, &s->system, &error) != DRY_OK) puts(error.text);
    must(s->system != NULL, "the net cannot be made");
    s->work = malloc(dry_ode_size(s->system, method) * sizeof *s->work);
    s->scratch = malloc(s->system->work_size);
    must(s->work && s->scratch, "no memory");
    dry_ode_init(&s->ode, s->system, method, &(dry_ode_options){.step = T}, NULL, 0.0, NULL,
                 s->scratch, s->work);
}

static void end(scene *s) {
    free(s->work);
    free(s->scratch);
    dry_net_free(s->net);
}

static double wall_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Goes on to t; adds to the clock. */
static void go(scene *s, double t, double (*clock)(void)) {
    const double before = clock();
    const dry_status status = dry_ode_advance(&s->ode, t);
    s->seconds += clock() - before;
    if (status != DRY_OK) {
        fprintf(stderr, "t = %g: %s\n", s->ode.t, dry_status_text(status));
        if (s->ode.fault.watch) fputs(dry_net_watch_text(s->net, s->ode.fault.watch), stderr);
        exit(1);
    }
}

/* ---- what came out ------------------------------------------------------------------------ */

static const double *first_sphere(const scene *s) {
    int i = 0;
    while (strcmp(s->system->states[i].name, "s0.p[1]") != 0) i++;
    return s->ode.x + i;
}

static double rms_speed(const scene *s) {
    const double *x = first_sphere(s);
    double sum = 0.0;
    for (int i = 0; i < s->N; i++)
        for (int k = 3; k < 6; k++) sum += x[13 * i + k] * x[13 * i + k];
    return sqrt(sum / s->N);
}

typedef struct depth {
    double sum, worst;
    int count;
} depth;

static void note(depth *d, double gap) {
    if (!(gap < 0.0)) return;
    d->sum -= gap;
    d->worst = fmax(d->worst, -gap);
    d->count++;
}

/* Neighbours are looked for in all pairs: the engine's own search is not trusted here. */
static depth penetration(const scene *s) {
    const double *x = first_sphere(s), R = spheres_R, w = spheres_half_width(s->N);
    depth d = {0};
    for (int i = 0; i < s->N; i++) {
        const double *p = x + 13 * i;
        note(&d, p[2] - R);
        for (int k = 0; k < 2; k++) note(&d, w - p[k] - R), note(&d, w + p[k] - R);
        for (int j = 0; j < i; j++) {
            const double *o = x + 13 * j;
            const double z = p[2] - o[2];
            if (fabs(z) < 2.0 * R) note(&d, hypot(hypot(p[0] - o[0], p[1] - o[1]), z) - 2.0 * R);
        }
    }
    return d;
}

static double megabytes(const scene *s) {
    const size_t numbers = dry_ode_size(s->system, s->ode.method);
    return 1e-6 * (double)(numbers * sizeof(double) + s->system->work_size);
}
static double most_resident(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1e-3 * (double)usage.ru_maxrss;
}

/* From one state on on one and on two threads, in turns: adds the shortest times of a piece. */
static void compare_threads(const scene *from, double t, const double *x, double length,
                            double total[2]) {
    double least[2] = {(double)INFINITY, (double)INFINITY};
    for (int turn = 0; turn < 8; turn++)
        for (int k = 0; k < 2; k++) {
            scene s = {.N = from->N};
            begin(&s, k + 1);
            dry_ode_init(&s.ode, s.system, from->ode.method, &from->ode.options, NULL, t, x,
                         s.scratch, s.work);
            go(&s, t + length, wall_now);
            least[k] = fmin(least[k], s.seconds);
            end(&s);
        }
    for (int k = 0; k < 2; k++) total[k] += least[k];
}

/* When the spheres fall, pile up, and settle. */
enum { LOOKS = 3 };
static const double looks[LOOKS] = {0.3, 1.0, 2.0};

/* By how much two threads are faster from these states on. */
static double speed_up(const scene *s, double until, FILE *states) {
    const size_t n = (size_t)s->system->n_states;
    double *x = malloc(n * sizeof *x), total[2] = {0.0, 0.0};
    must(x != NULL, "no memory");
    rewind(states);
    for (int i = 0; i < LOOKS && looks[i] <= until; i++) {
        must(fread(x, sizeof *x, n, states) == n, "the states cannot be read");
        compare_threads(s, looks[i], x, s->N > 5000 ? 0.05 : 0.1, total);
    }
    free(x);
    return total[0] / total[1];
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const column columns[] = {
    {"N", -6},       {"step, us", -8}, {"s per s", -7},     {"2 threads", -9}, {"at s", -4},
    {"mean, R", -8}, {"worst, R", -8}, {"speed, m/s", -10}, {"state, MB", -9}, {"peak, MB", -8}};

static void row(table *t, int N, double until) {
    scene s = {.N = N};
    begin(&s, 1);
    const double timed = fmin(2.0, until);
    FILE *states = tmpfile(); /* not in memory, whose peak is looked at */
    must(states != NULL, "no file for the states");
    for (int i = 0; i < LOOKS && looks[i] <= until; i++) {
        go(&s, looks[i], seconds_now);
        fwrite(s.ode.x, sizeof *s.ode.x, (size_t)s.system->n_states, states);
    }
    go(&s, timed, seconds_now);
    const double cost = s.seconds / timed, peak = most_resident();
    const double faster = speed_up(&s, until, states);
    go(&s, until, seconds_now);
    fclose(states);
    const depth d = penetration(&s);
    cell_number(t, "%6.0f", N);
    cell_number(t, "%8.0f", 1e6 * s.T);
    cell_number(t, "%7.2f", cost);
    cell_number(t, "%9.2f", faster);
    cell_number(t, "%4.1f", until);
    cell_number(t, "%8.1e", d.sum / d.count / spheres_R);
    cell_number(t, "%8.1e", d.worst / spheres_R);
    cell_number(t, "%10.1e", rms_speed(&s));
    cell_number(t, "%9.1f", megabytes(&s));
    cell_number(t, "%8.1f", peak);
    end(&s);
}

int main(int argc, char **argv) {
    bool full = false;
    int n = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--full") == 0)
            full = true;
        else
            argv[n++] = argv[i];
    }
    table t = table_begin(n, argv, columns, (int)(sizeof columns / sizeof columns[0]));
    row(&t, 100, 4.0);
    row(&t, 1000, 4.0);
    row(&t, 10000, full ? 4.0 : 0.5);
    return 0;
}
