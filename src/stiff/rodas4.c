/* RODAS4: a Rosenbrock method of order 4(3), L-stable and stiffly accurate (Hairer, Wanner 1996,
 * IV.7, IV.10).
 *
 *     (I/(h gamma) - J) u_i = f(t + c_i h, x + sum a_ij u_j) + sum e_ij/h u_j + h d_i df/dt
 *
 * with J = df/dx at (t, x). The end is x + sum a_5j u_j + u_5 + u_6 and the error u_6.
 * h: step, s; gamma, a, c, d, e: numbers. */
#include <math.h>
#include <string.h>

#include "stiff_private.h"

static const double GAMMA = 0.25;
static const double c[] = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0};
static const double d[] = {0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0};
static const double a[DRY_STIFF_STAGES][5] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0},
};
static const double e[DRY_STIFF_STAGES][5] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};
/* The continuous output, of order 3. */
static const double dense[2][5] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
     1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
     -6.594389125716872},
};

/* ---- one trial ----------------------------------------------------------- */

/* to += sum weight_j/over u_j */
static void add_stages(const dry_stiff__rosenbrock *r, int n, int count, const double *weight,
                       double over, double *to) {
    for (int j = 0; j < count; j++) {
        const double w = weight[j] / over;
        for (int i = 0; i < n; i++) to[i] += w * r->stage[j][i];
    }
}

static void solve_stage(dry_stiff *s, int stage, double h) {
    const int n = s->system->n_states;
    double *u = s->rodas.stage[stage];
    add_stages(&s->rodas, n, stage, e[stage], h, u);
    for (int i = 0; i < n; i++) u[i] += h * d[stage] * s->rodas.slope[i];
    dry_stiff__solve(&s->linear.matrix, u, s->rodas.rhs);
}

static void largest_error(const dry_stiff *s, double *error, int *worst) {
    const double *u = s->rodas.stage[DRY_STIFF_STAGES - 1];
    *error = 0.0;
    *worst = 0;
    for (int i = 0; i < s->system->n_states; i++) {
        const double size = fmax(fabs(s->x[i]), fabs(s->end[i]));
        double part = fabs(u[i]) / (s->options.atol + s->options.rtol * size);
        if (!isfinite(part) || !isfinite(s->end[i])) part = (double)INFINITY;
        if (part <= *error) continue;
        *error = part;
        *worst = i;
    }
}

bool dry_stiff__trial(dry_stiff *s, double h, double last, double *error, int *worst) {
    const size_t bytes = (size_t)s->system->n_states * sizeof(double);
    if (!dry_stiff__matrix(&s->linear, h * GAMMA)) return false;
    memcpy(s->rodas.stage[0], s->rodas.rate, bytes);
    solve_stage(s, 0, h);
    for (int stage = 1; stage < DRY_STIFF_STAGES; stage++) {
        const double t = s->t + c[stage] * h;
        memcpy(s->point, s->x, bytes);
        add_stages(&s->rodas, s->system->n_states, stage, a[stage], 1.0, s->point);
        s->system->rate(&s->env, t < last ? t : last, 0.0, s->point, s->rodas.stage[stage]);
        s->counts.rates++;
        solve_stage(s, stage, h);
    }
    const double *u = s->rodas.stage[DRY_STIFF_STAGES - 1];
    for (int i = 0; i < s->system->n_states; i++) s->end[i] = s->point[i] + u[i];
    largest_error(s, error, worst);
    return true;
}

/* ---- between the ends ---------------------------------------------------- */

void dry_stiff__keep_dense(dry_stiff *s) {
    const size_t bytes = (size_t)s->system->n_states * sizeof(double);
    memcpy(s->rodas.before, s->x, bytes);
    for (int k = 0; k < 2; k++) {
        memset(s->rodas.dense[k], 0, bytes);
        add_stages(&s->rodas, s->system->n_states, 5, dense[k], 1.0, s->rodas.dense[k]);
    }
}

void dry_stiff__rodas4_dense(const dry_stiff *s, double time, double *x) {
    const double theta = (time - s->t_before) / (s->t - s->t_before), rest = 1.0 - theta;
    for (int i = 0; i < s->system->n_states; i++)
        x[i] = s->rodas.before[i] * rest +
               theta * (s->end[i] + rest * (s->rodas.dense[0][i] + theta * s->rodas.dense[1][i]));
}
