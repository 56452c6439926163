/* toss: measured tosses of a cube, and the same by simulation from their first sample.
 *
 * The data: 60 tosses of an acrylic cube of half width 52.4 mm on a table, 148.3 samples per second
 * (ContactNets: Pfrommer, Halm, Posa 2020; models/measured/cube-toss). A row is time, position,
 * quaternion (w, x, y, z), velocity, angular velocity in the cube's axes; lengths in half widths.
 * The velocity of a row is the mean over the interval before it (it equals the difference of the
 * positions), so that of the instant is g/2 of an interval further down; that is put in.
 *
 * Errors of a toss: means over its samples of the distance of the centres, in widths of the cube,
 * and of the angle between the two attitudes. */
#ifndef BENCH_TOSS_H
#define BENCH_TOSS_H

#include <drystone/body.h>
#include <drystone/net.h>
#include <drystone/ode.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOSSES = 60, TRAINING = 30, TOSS_ROWS = 400, TOSS_COLUMNS = 13 };
static const double toss_half = 0.0524, toss_rate = 148.3, toss_g = 9.81, toss_mass = 0.37;

typedef struct toss {
    double row[TOSS_ROWS][TOSS_COLUMNS];
    int count;
} toss;

/* What is chosen on the first thirty tosses. */
typedef struct toss_model {
    double mu;    /* friction */
    double rho;   /* alpha/beta: restitution */
    double beta;  /* s */
    double K;     /* N/m */
    double floor; /* height of the table in the frame of the data, m */
    double step;  /* s */
} toss_model;

typedef struct toss_error {
    double position, angle; /* widths of the cube, degrees */
} toss_error;

static inline bool toss_read(const char *folder, int number, toss *t) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/%d.csv", folder, number);
    FILE *f = fopen(path, "r");
    t->count = 0;
    if (f == NULL) return false;
    if (!fgets(line, sizeof line, f)) line[0] = '\0'; /* its names */
    while (t->count < TOSS_ROWS && fgets(line, sizeof line, f)) {
        char *at = line + strcspn(line, ",") + 1; /* after the time */
        for (int k = 0; k < TOSS_COLUMNS; k++) {
            t->row[t->count][k] = strtod(at, &at);
            if (*at == ',') at++;
        }
        t->count++;
    }
    fclose(f);
    return t->count > 1;
}

/* Where the table is: a cube at rest lies one half width above it. */
static inline double toss_floor(const toss *tosses, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += tosses[i].row[tosses[i].count - 1][2] - 1.0;
    return toss_half * sum / (double)count;
}

static inline void toss_start(const toss *t, double p[3], double v[3], double q[4],
                              double omega[3]) {
    const double *row = t->row[0];
    for (int i = 0; i < 3; i++) p[i] = toss_half * row[i], v[i] = toss_half * row[7 + i];
    v[2] -= 0.5 * toss_g / toss_rate;
    memcpy(q, row + 3, 4 * sizeof *q);
    dry_quat_normalise(q);
    dry_quat_rotate(q, row + 10, omega);
}

static inline dry_net *toss_net(const toss *t, const toss_model *m) {
    double p[3], v[3], q[4], omega[3];
    toss_start(t, p, v, q, omega);
    const dry_value cube[] = {
        DRY_NUMBERS("size", 2.0 * toss_half),   DRY_NUMBERS("mass", toss_mass),
        {.key = "p", .numbers = p, .count = 3}, {.key = "v", .numbers = v, .count = 3},
        {.key = "q", .numbers = q, .count = 4}, {.key = "omega", .numbers = omega, .count = 3}};
    const dry_value ground[] = {DRY_NUMBERS("p", 0.0, 0.0, m->floor)};
    const dry_value contact[] = {DRY_NUMBERS("K", m->K), DRY_NUMBERS("alpha", m->rho * m->beta),
                                 DRY_NUMBERS("beta", m->beta), DRY_NUMBERS("mu", m->mu)};
    dry_net *net = dry_net_new();
    if (net == NULL) return NULL;
    dry_net_gravity(net, 0.0, 0.0, -toss_g);
    dry_net_make(net, "cube", dry_kind_find("box"), cube, 6);
    dry_net_make(net, "table", dry_kind_find("plane"), ground, 1);
    dry_net_make(net, "touch", dry_kind_find("contact"), contact, 4);
    dry_net_connect(net, "touch", (dry_end){.port = "cube"}, (dry_end){0});
    dry_net_connect(net, "touch", (dry_end){.port = "table"}, (dry_end){0});
    return net;
}

/* The angle between two attitudes, degrees. */
static inline double toss_angle(const double a[4], const double b[4]) {
    double dot = 0.0, aa = 0.0, bb = 0.0;
    for (int i = 0; i < 4; i++) dot += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    const double c = fabs(dot) / sqrt(aa * bb);
    return 2.0 * acos(c < 1.0 ? c : 1.0) * 180.0 / 3.14159265358979323846;
}

static inline void toss_compare(const double *row, const double *x, toss_error *e) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = x[i] / toss_half - row[i];
    e->position += dry_norm(3, d) / 2.0;
    e->angle += toss_angle(row + 3, x + 6);
}

/* x of the cube is p, v, q, omega, from the first state of the system on. */
static inline bool toss_follow(const toss *t, const toss_model *m, const dry_system *system,
                               toss_error *e) {
    const dry_method *method = dry_method_find("semi-implicit");
    const dry_ode_options options = {.step = m->step};
    double *work = calloc(dry_ode_size(system, method), sizeof *work);
    void *scratch = calloc(system->work_size + 1, 1);
    dry_ode ode;
    *e = (toss_error){0.0, 0.0};
    bool good =
        work && scratch &&
        dry_ode_init(&ode, system, method, &options, NULL, 0.0, NULL, scratch, work) == DRY_OK;
    for (int k = 0; k < t->count && good; k++) {
        good = k == 0 || dry_ode_advance(&ode, (double)k / toss_rate) == DRY_OK;
        toss_compare(t->row[k], ode.x, e);
    }
    e->position /= (double)t->count;
    e->angle /= (double)t->count;
    free(work);
    free(scratch);
    return good;
}

static inline bool toss_simulate(const toss *t, const toss_model *m, toss_error *e) {
    const dry_system *system;
    dry_error error;
    dry_net *net = toss_net(t, m);
    const bool good =
        net && dry_net_system(net, NULL, &system, &error) == DRY_OK && toss_follow(t, m, system, e);
    dry_net_free(net);
    return good;
}

/* The mean over tosses; not finite where one of them failed. */
static inline toss_error toss_mean(const toss *tosses, int count, const toss_model *m) {
    toss_error sum = {0.0, 0.0};
    for (int i = 0; i < count; i++) {
        toss_error e;
        if (!toss_simulate(&tosses[i], m, &e)) return (toss_error){(double)NAN, (double)NAN};
        sum.position += e.position / (double)count;
        sum.angle += e.angle / (double)count;
    }
    return sum;
}

#endif
