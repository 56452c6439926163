/* point mass, rotor: admittance parts with coordinates.
 *
 *     p_dot = v,   m v_dot = f + m g
 *
 * p: position, m (rad); v: velocity, m/s (rad/s); f: force, N (N m); m: mass, kg (inertia, kg m^2);
 * g: gravity, m/s^2, which does not turn a rotor. */
#include "kind.h"

enum { MASS, P0 }; /* then v0 */

static int dim_of(const dry_part_env *env) { return *(const int *)env->data; }

static void eval_mass(const dry_part_env *env, const double *in, const double *x, double *out,
                      double *x_dot) {
    (void)out;
    const int dim = dim_of(env);
    for (int i = 0; i < dim; i++) {
        x_dot[i] = x[dim + i];
        x_dot[dim + i] = in[i] / env->par[MASS] + env->gravity[i];
    }
}

static void eval_rotor(const dry_part_env *env, const double *in, const double *x, double *out,
                       double *x_dot) {
    (void)out;
    x_dot[0] = x[1];
    x_dot[1] = in[0] / env->par[MASS];
}

static void start(const dry_part_env *env, const double *in, double *x) {
    (void)in;
    memcpy(x, env->par + P0, 2 * (size_t)dim_of(env) * sizeof *x);
}

static double energy(const dry_part_env *env, const double *in, const double *x) {
    (void)in;
    const int dim = dim_of(env);
    double square = 0.0;
    for (int i = 0; i < dim; i++) square += x[dim + i] * x[dim + i];
    return 0.5 * env->par[MASS] * square;
}

static double potential(const dry_part_env *env, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < dim_of(env); i++) sum -= env->par[MASS] * env->gravity[i] * x[i];
    return sum;
}

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, const char *mass, int dim, dry_error *error) {
    static const int dims[] = {0, 1, 2, 3};
    const bool rotary = strcmp(self->name, "rotor") == 0;
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_ADMITTANCE,
                              .n_states = 2 * dim,
                              .n_par = 1 + 2 * dim,
                              .eval = rotary ? eval_rotor : eval_mass,
                              .start = start,
                              .energy = energy,
                              .potential = rotary ? NULL : potential,
                              .data = &dims[dim]};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    const char *m = dry_net__unit(rotary, "m"), *speed = dry_net__unit(rotary, "m/s");
    d.port->dim = dim;
    d.port->unit = m;
    dry_net__name_list(arena, "p", m, dim, d.states);
    dry_net__name_list(arena, "v", speed, dim, d.states + dim);
    for (int i = 0; i < dim; i++) d.positions[i] = true;
    d.params[MASS] = (dry_quantity){mass, dry_net__unit(rotary, "kg")};
    dry_net__name_list(arena, "p0", m, dim, d.params + P0);
    dry_net__name_list(arena, "v0", speed, dim, d.params + P0 + dim);
    d.par[MASS] = dry_value_number(self, values, count, mass);
    dry_value_numbers(self, values, count, "p", dim, d.par + P0);
    dry_value_numbers(self, values, count, "v", dim, d.par + P0 + dim);
    return d.part;
}

static const dry_part *make_mass(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                 int count, dry_error *error) {
    int dim = (int)dry_value_number(self, values, count, "dim");
    double ignored[3];
    const int p = dry_value_numbers(self, values, count, "p", 3, ignored);
    const int v = dry_value_numbers(self, values, count, "v", 3, ignored);
    if (dim == 0) dim = p > v ? p : v; /* as many as the longer one gives */
    if (dim == 0) dim = 1;
    if (dim > 3) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", NULL, "dim is 1, 2 or 3");
        return NULL;
    }
    if (!dry_net__vectors_fit(self, values, count, dim, error)) return NULL;
    return make(self, arena, values, count, "mass", dim, error);
}

static const dry_kind_param mass_keys[] = {
    NEEDED("mass", "kg", DRY_POSITIVE, "mass"),
    VECTOR("p", "m", "position at the start"),
    VECTOR("v", "m/s", "velocity at the start"),
    NUMBER("dim", "", DRY_NONNEGATIVE, 0.0, "dimensions, 1 to 3; 0: as many as p or v have"),
};

const dry_kind dry_net__point_mass = {.name = "point_mass",
                                      .title = "Point mass",
                                      .meaning =
                                          "moves by p_dot = v, mass v_dot = f + mass g; one port",
                                      .params = mass_keys,
                                      .n_params = ROWS(mass_keys),
                                      .make = make_mass};

static const dry_part *make_rotor(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                  int count, dry_error *error) {
    return make(self, arena, values, count, "inertia", 1, error);
}

static const dry_kind_param rotor_keys[] = {
    NEEDED("inertia", "kg m^2", DRY_POSITIVE, "moment of inertia"),
    NUMBER("p", "rad", DRY_ANY, 0.0, "angle at the start"),
    NUMBER("v", "rad/s", DRY_ANY, 0.0, "angular velocity at the start"),
};

const dry_kind dry_net__rotor = {.name = "rotor",
                                 .title = "Rotor",
                                 .meaning =
                                     "turns by p_dot = v, inertia v_dot = f; one port, in rad",
                                 .params = rotor_keys,
                                 .n_params = ROWS(rotor_keys),
                                 .make = make_rotor};
