/* spring, damper: impedance parts without a state, on a coordinate or on the distance of two
 * points.
 *
 *     spring     f = -(K s |s/scale|^(exponent - 1) + K3 |s|^2 s),   s = p - rest
 *     spring by a table   f = -f_i between s_i, straight lines, the outer ones go on
 *     damper     f = -D v
 *
 * p: coordinate, or length, m (rad); v: its rate; f: force on end a, N (N m); K: stiffness, N/m;
 * K3: of the cubic part, N/m^3; D: damping, N s/m. */
#include "kind.h"
#include <math.h>

static int dim_of(const dry_part_env *env) { return *(const int *)env->data; }

/* ---- spring ------------------------------------------------------------ */

enum { K, K3, EXPONENT, SCALE, REST };

static double stretch(const dry_part_env *env, int dim, const double *in, double *s) {
    for (int i = 0; i < dim; i++) s[i] = in[i] - env->par[REST + i];
    return dry_norm(dim, s);
}

static void eval_spring(const dry_part_env *env, const double *in, const double *x, double *out,
                        double *x_dot) {
    (void)x, (void)x_dot;
    const double *par = env->par;
    const int dim = dim_of(env);
    double s[3];
    const double length = stretch(env, dim, in, s);
    const double factor =
        par[EXPONENT] == 1.0 ? 1.0 : dry_pow(length / par[SCALE], par[EXPONENT] - 1.0);
    const double k = par[K] * factor + par[K3] * length * length;
    for (int i = 0; i < dim; i++) out[i] = -(k * s[i]);
}

static double energy_spring(const dry_part_env *env, const double *in, const double *x) {
    (void)x;
    const double *par = env->par;
    double s[3];
    const double square = dry_pow(stretch(env, dim_of(env), in, s), 2.0), n = par[EXPONENT];
    const double factor = n == 1.0 ? 1.0 : dry_pow(sqrt(square) / par[SCALE], n - 1.0);
    return par[K] * factor * square / (n + 1.0) + 0.25 * par[K3] * square * square;
}

static void fill_spring(const dry_kind *self, const dry_value *values, int count, int dim,
                        dry_arena *arena, dry_net__draft *d) {
    const bool rotary = dry_net__is_rotary(self);
    const dry_quantity names[] = {{"K", dry_net__unit(rotary, "N/m")},
                                  {"K3", dry_net__unit(rotary, "N/m^3")},
                                  {"exponent", ""},
                                  {"scale", dry_net__unit(rotary, "m")}};
    for (int i = 0; i < REST; i++) {
        d->params[i] = names[i];
        d->par[i] = dry_value_number(self, values, count, names[i].name);
    }
    dry_net__name_list(arena, "rest", dry_net__unit(rotary, "m"), dim, d->params + REST);
    dry_value_numbers(self, values, count, "rest", dim, d->par + REST);
}

/* ---- spring by a table ------------------------------------------------- */

/* par: s_1 .. s_n, f_1 .. f_n */
static int segment(int n, const double *s, double at) {
    int i = 0;
    while (i < n - 2 && at >= s[i + 1]) i++;
    return i;
}

static double table_force(int n, const double *par, double at) {
    const double *s = par, *f = par + n;
    const int i = segment(n, s, at);
    return f[i] + (f[i + 1] - f[i]) * ((at - s[i]) / (s[i + 1] - s[i]));
}

static void eval_table(const dry_part_env *env, const double *in, const double *x, double *out,
                       double *x_dot) {
    (void)x, (void)x_dot;
    out[0] = -table_force(dim_of(env), env->par, in[0]);
}

/* The area under the lines, from s_1. */
static double energy_table(const dry_part_env *env, const double *in, const double *x) {
    (void)x;
    const int n = dim_of(env);
    const double *s = env->par, *f = s + n;
    const int last = segment(n, s, in[0]);
    double area = 0.0;
    for (int i = 0; i < last; i++) area += 0.5 * (f[i] + f[i + 1]) * (s[i + 1] - s[i]);
    return area + 0.5 * (f[last] + table_force(n, env->par, in[0])) * (in[0] - s[last]);
}

static void kinks_table(const dry_part_env *env, const double *in, const double *x, double *g) {
    (void)x;
    for (int i = 1; i < dim_of(env) - 1; i++) g[i - 1] = in[0] - env->par[i];
}

enum { MOST_KNOTS = 64 };

/* Reports keys that cannot stand beside a table. */
static bool is_table_alone(const dry_kind *self, const dry_value *values, int count,
                           dry_error *error) {
    static const char *const others[] = {"K", "K3", "exponent", "scale", "rest", "dim"};
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (strcmp(values[i].key, others[k]) == 0) {
                dry_error_set_key(error, DRY_BAD_ARGUMENT, others[k],
                                  "leave it out, or at and force",
                                  "%s has no part in a %s by a table", others[k], self->name);
                return false;
            }
    return true;
}

static const dry_part *make_table(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                  int count, dry_error *error) {
    double s[MOST_KNOTS], f[MOST_KNOTS];
    const int n = dry_value_numbers(self, values, count, "at", MOST_KNOTS, s);
    const int forces = dry_value_numbers(self, values, count, "force", MOST_KNOTS, f);
    int *size = dry_arena_take(arena, sizeof *size);
    bool rises = true;
    if (!is_table_alone(self, values, count, error)) return NULL;
    for (int i = 1; i < n; i++) rises &= s[i] > s[i - 1];
    if (n < 2 || forces != n || !rises) {
        dry_error_set_key(
            error, DRY_BAD_ARGUMENT, "at", NULL,
            "at and force are two lists of the same length, 2 at least, and at rises");
        return NULL;
    }
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_IMPEDANCE,
                              .n_par = 2 * n,
                              .eval = eval_table,
                              .energy = energy_table,
                              .n_kinks = n - 2,
                              .kinks = kinks_table,
                              .data = size};
    dry_net__draft d;
    if (!size || !dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    *size = n;
    dry_net__name_list(arena, "at", dry_net__unit(dry_net__is_rotary(self), "m"), n, d.params);
    dry_net__name_list(arena, "force", dry_net__unit(dry_net__is_rotary(self), "N"), n,
                       d.params + n);
    memcpy(d.par, s, (size_t)n * sizeof *s);
    memcpy(d.par + n, f, (size_t)n * sizeof *f);
    return dry_net__put_port(self, values, count, 1, &d, error) ? d.part : NULL;
}

static const dry_part *make_spring(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                   int count, dry_error *error) {
    double ignored;
    if (dry_value_numbers(self, values, count, "at", 1, &ignored) > 0 ||
        dry_value_numbers(self, values, count, "force", 1, &ignored) > 0)
        return make_table(self, arena, values, count, error);
    const int *dim = dry_net__dim(self, values, count, error);
    if (!dim || !dry_net__vectors_fit(self, values, count, *dim, error)) return NULL;
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_IMPEDANCE,
                              .n_par = REST + *dim,
                              .eval = eval_spring,
                              .energy = energy_spring,
                              .data = dim};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    fill_spring(self, values, count, *dim, arena, &d);
    return dry_net__put_port(self, values, count, *dim, &d, error) ? d.part : NULL;
}

static const dry_kind_param spring_keys[] = {
    NUMBER("K", "N/m", DRY_ANY, 0.0, "stiffness"),
    NUMBER("K3", "N/m^3", DRY_ANY, 0.0, "stiffness of the cubic part"),
    NUMBER("exponent", "", DRY_POSITIVE, 1.0, "of the stretch in the force"),
    NUMBER("scale", "m", DRY_POSITIVE, 1.0, "stretch at which every exponent gives K"),
    VECTOR("rest", "m", "where it is at rest"),
    {"at", "m", 2, 64, false, DRY_ANY, 0.0, "places of a table, rising"},
    {"force", "N", 2, 64, false, DRY_ANY, 0.0, "forces at these places, which push back"},
    DIM,
    ON,
};

const dry_kind dry_net__spring = {
    .name = "spring",
    .title = "Spring",
    .meaning = "f = -(K s |s/scale|^(exponent - 1) + K3 |s|^2 s), s = p - rest; or by a table",
    .params = spring_keys,
    .n_params = ROWS(spring_keys),
    .make = make_spring};

/* ---- damper ------------------------------------------------------------ */

static void eval_damper(const dry_part_env *env, const double *in, const double *x, double *out,
                        double *x_dot) {
    (void)x, (void)x_dot;
    const int dim = dim_of(env);
    for (int i = 0; i < dim; i++) out[i] = -(env->par[0] * in[dim + i]);
}

static const dry_part *make_damper(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                   int count, dry_error *error) {
    const int *dim = dry_net__dim(self, values, count, error);
    if (!dim) return NULL;
    const dry_part pattern = {
        .kind = self->name, .side = DRY_IMPEDANCE, .n_par = 1, .eval = eval_damper, .data = dim};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    d.params[0] = (dry_quantity){"D", dry_net__unit(dry_net__is_rotary(self), "N s/m")};
    d.par[0] = dry_value_number(self, values, count, "D");
    return dry_net__put_port(self, values, count, *dim, &d, error) ? d.part : NULL;
}

static const dry_kind_param damper_keys[] = {
    NEEDED("D", "N s/m", DRY_ANY, "damping"),
    DIM,
    ON,
};

const dry_kind dry_net__damper = {.name = "damper",
                                  .title = "Damper",
                                  .meaning = "f = -D v",
                                  .params = damper_keys,
                                  .n_params = ROWS(damper_keys),
                                  .make = make_damper};
