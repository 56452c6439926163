/* Every law of the catalogue as an impedance part.
 *
 *     friction             on a coordinate (or length): u = v,                f of end a: -f
 *     friction of an area  on a frame: u = v[1], v[2], R omega[3],            -f[1], -f[2], -R f[3]
 *     contact              on a coordinate (or length): psi = p - offset,     N
 *                          on a surface:                psi - offset,         N
 *     frictional contact   on a surface: u = psi - offset, psi_dot, v[2],     N, -f[2]
 *
 * p: coordinate, m (rad); psi: gap, m; v: velocity, m/s; f: friction, N; N: contact force, N; m:
 * moment, N m. A frame is seen from the other end, in its axes. The parameters are those of the law
 * without the count of its elements, then the offset of a contact or the radius R of an area.
 */
#include "kind.h"
#include <math.h>

enum { SURFACE_DIM = 2, MOST_INPUTS = 5, MOST_PAR = 512 };
enum { ON_SURFACE = 3, ON_FRAME };     /* among the shared holders, after the dimensions */
enum { FRAME_V = 6, FRAME_SPIN = 11 }; /* in the motion of a frame seen from another */

typedef dry_net__holder holder;

static bool has_offset(const dry_law *law) { return law->kind != DRY_FRICTION; }

/* The packed parameters. */
static const double *packed(const dry_part_env *env) {
    const holder *h = env->data;
    if (h->count_at < 0) return env->par;
    double *par = env->work;
    const size_t before = (size_t)h->count_at;
    memcpy(par, env->par, before * sizeof *par);
    par[before] = h->elements;
    memcpy(par + before + 1, env->par + before, ((size_t)h->n_par - before - 1) * sizeof *par);
    return par;
}

/* The parameter after those of the law: an offset, or a radius. */
static double extra(const dry_part_env *env) {
    const holder *h = env->data;
    return env->par[h->n_par - (h->count_at < 0 ? 0 : 1)];
}
static double offset(const dry_part_env *env) { return extra(env); }
static double radius(const dry_part_env *env) { return extra(env); }

/* The inputs of the law, in u or where they are. */
static const double *inputs(const dry_part_env *env, const double *in, double *u) {
    const holder *h = env->data;
    if (h->frame) {
        u[0] = in[FRAME_V], u[1] = in[FRAME_V + 1], u[2] = radius(env) * in[FRAME_SPIN];
        return u;
    }
    if (h->law->kind == DRY_FRICTION) return in + h->dim;
    for (int i = 0; i < 2; i++) u[i] = in[i];
    u[0] -= offset(env);
    for (int i = 0; h->law->kind == DRY_FRICTIONAL_CONTACT && i < h->dim; i++) u[2 + i] = in[2 + i];
    return u;
}

/* Friction opposes the motion, N opens the gap. */
static void eval_friction(const dry_part_env *env, const double *in, const double *x, double *out,
                          double *x_dot) {
    const holder *h = env->data;
    dry_law_eval_in(env->branch, h->law, packed(env), h->dim, env->tau, in + h->dim, x, out, x_dot);
    for (int i = 0; i < h->dim; i++) out[i] = -out[i];
}

static void eval_frame(const dry_part_env *env, const double *in, const double *x, double *out,
                       double *x_dot) {
    const holder *h = env->data;
    double u[MOST_INPUTS], f[3];
    dry_law_eval_in(env->branch, h->law, packed(env), h->dim, env->tau, inputs(env, in, u), x, f,
                    x_dot);
    out[0] = -f[0], out[1] = -f[1];
    for (int i = 2; i < 5; i++) out[i] = 0.0;
    out[5] = -(radius(env) * f[2]);
}

static void eval_contact(const dry_part_env *env, const double *in, const double *x, double *out,
                         double *x_dot) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    for (int i = 1; h->surface && i < 4; i++) out[i] = 0.0;
    dry_law_eval_in(env->branch, h->law, packed(env), h->dim, env->tau, inputs(env, in, u), x, out,
                    x_dot);
    for (int i = 1; h->surface && i < 4; i++) out[i] = -out[i];
}

static double energy(const dry_part_env *env, const double *in, const double *x) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    return h->law->energy(packed(env), h->dim, env->tau, inputs(env, in, u), x);
}

static void kinks(const dry_part_env *env, const double *in, const double *x, double *g) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    h->law->kinks(packed(env), h->dim, env->tau, inputs(env, in, u), x, g);
}

static void start(const dry_part_env *env, const double *in, double *x) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    h->law->start(packed(env), h->dim, inputs(env, in, u), x);
}

static bool latch(const dry_part_env *env, const double *in, double *x) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    return h->law->latch(packed(env), h->dim, inputs(env, in, u), x);
}

static double fastest(const dry_part_env *env, const double *in, const double *x) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    return h->law->fastest(packed(env), h->dim, env->tau, inputs(env, in, u), x);
}

static unsigned phase(const dry_part_env *env, const double *in, const double *x, const double *y) {
    const holder *h = env->data;
    double u[MOST_INPUTS];
    (void)y;
    return dry_law_phase(h->law, packed(env), h->dim, env->tau, inputs(env, in, u), x);
}

/* A parameter of the law; 0 if it has none of that name. */
static double named(const dry_part_env *env, const char *name) {
    const holder *h = env->data;
    const int row = dry_law_par_find(h->law, name);
    return row < 0 ? 0.0 : packed(env)[dry_law_par_offset(h->law, row, (int)h->elements)];
}

/* Where a parameter of the law begins among those of the part; -1: the law does not have it. */
static int place_of(const holder *h, const char *name) {
    const int row = dry_law_par_find(h->law, name);
    const int at = row < 0 ? -1 : dry_law_par_offset(h->law, row, (int)h->elements);
    return h->count_at >= 0 && at > h->count_at ? at - 1 : at; /* the count is not one of them */
}

static bool forgets(const dry_part *self, int par) {
    const holder *h = self->data;
    return par == place_of(h, "beta") || par == place_of(h, "betat");
}

/* Of a closed contact: with alpha X13 (24), without it a spring and a damper, B or K beta. Laws
 * whose stiffness grows with the indentation have none to begin with. */
static void firmness(const dry_part_env *env, dry_firmness *rows) {
    const holder *h = env->data;
    const double K = named(env, "K"), alpha = named(env, "alpha");
    const double Kt = named(env, "mu") > 0.0 ? named(env, "Kt") : 0.0;
    const bool grows = dry_law_par_find(h->law, "lambda") >= 0;
    if (alpha > 0.0)
        rows[0] = (dry_firmness){.Kc = K, .alpha = alpha, .beta = named(env, "beta")};
    else if (!grows)
        rows[0] = (dry_firmness){.K = K, .C = named(env, "B") + K * named(env, "beta")};
    for (int i = 1; h->surface && i < 3; i++)
        rows[i] = (dry_firmness){.C = Kt * named(env, "betat"), .Kf = Kt, .Ktau = Kt};
}

/* How deep the gap is closed, in its unit; what is stored there where nothing is stretched yet. */
static double inside(const dry_part_env *env, const double *in, dry_breach *breach) {
    const double begin[1 + SURFACE_DIM] = {0.0};
    *breach = (dry_breach){.energy = energy(env, in, begin),
                           .size = fmax(fabs(offset(env)), fabs(in[0]))};
    return dry_pos(offset(env) - in[0]);
}
static void breach_m(const dry_part_env *env, const double *in, dry_breach *breach) {
    breach->moved = inside(env, in, breach);
}
static void breach_rad(const dry_part_env *env, const double *in, dry_breach *breach) {
    breach->turned = inside(env, in, breach);
}

const dry_law *dry_part_law(const dry_part *part) {
    const bool has_law =
        part->eval == eval_friction || part->eval == eval_contact || part->eval == eval_frame;
    return has_law ? ((const holder *)part->data)->law : NULL;
}

/* ---- making one -------------------------------------------------------- */

static const dry_law *law_of(const dry_kind *kind) {
    return ((const dry_net__law_data *)kind->data)->law;
}

static int count_row(const dry_law *law) {
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_COUNT) return i;
    return -1;
}

/* The values that were given, over the law's own; false with the error filled. */
static bool read_par(const dry_kind *self, const dry_value *values, int count, int elements,
                     double *par, dry_error *error) {
    const dry_law *law = law_of(self);
    dry_law_defaults(law, elements, par);
    for (int i = 0; i < law->n_params; i++) {
        double *to = par + dry_law_par_offset(law, i, elements), first;
        const int n = law->params[i].form == DRY_LIST ? elements : 1;
        const int given = dry_value_numbers(self, values, count, law->params[i].name, 1, &first);
        if (given == 0 || law->params[i].form == DRY_COUNT) continue;
        if (given != 1 && given != n) {
            dry_error_set_key(error, DRY_BAD_ARGUMENT, law->params[i].name,
                              "give one for all, or one for each",
                              "%s has %d values for %d elements", law->params[i].name, given, n);
            return false;
        }
        for (int k = 0; k < n; k++) to[k] = first;
        if (given > 1) dry_value_numbers(self, values, count, law->params[i].name, n, to);
    }
    return true;
}

static bool check_par(const dry_law *law, const double *par, int dim, dry_error *error) {
    int row;
    const char *lacks = dry_law_lacks(law);
    if (lacks) {
        dry_error_set_key(error, DRY_BAD_ARGUMENT, NULL, "complete it (docs/contributing/law.md)",
                          "the law %s cannot be checked, as its row lacks %s", law->name, lacks);
        return false;
    }
    const dry_wrong *wrong = dry_law_check(law, par, dim, &row);
    const char *key = row < 0 ? "" : law->params[row].name;
    if (wrong && row < 0) dry_error_set_wrong(error, wrong);
    if (wrong && row >= 0)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, key, wrong->way_out, "%s %s", key, wrong->what);
    return !wrong;
}

static void name_states(const holder *h, dry_arena *arena, bool rotary, dry_quantity *to) {
    const int sizes[] = {
        [DRY_ONE] = 1, [DRY_PER_DIM] = h->dim, [DRY_PER_ELEMENT] = (int)h->elements};
    for (int i = 0; i < h->law->n_states; i++) {
        const dry_law_state *state = &h->law->states[i];
        to += dry_net__name_list(arena, state->name, dry_net__unit(rotary, state->unit),
                                 sizes[state->form], to);
    }
}

static void name_par(const holder *h, dry_arena *arena, bool rotary, const double *par,
                     dry_net__draft *d) {
    int n = 0;
    for (int i = 0; i < h->law->n_params; i++) {
        const dry_law_param *param = &h->law->params[i];
        const int size = param->form == DRY_LIST ? (int)h->elements : 1;
        if (param->form != DRY_COUNT) {
            memcpy(d->par + n, par, (size_t)size * sizeof *par);
            n += dry_net__name_list(arena, param->name, dry_net__unit(rotary, param->unit), size,
                                    d->params + n);
        }
        par += size;
    }
    if (has_offset(h->law)) d->params[n] = (dry_quantity){"offset", dry_net__unit(rotary, "m")};
    if (h->frame) d->params[n] = (dry_quantity){"radius", "m"};
}

/* What the part acts on, as the word `on` says; DRY_FRAME with the error filled if it cannot. */
static dry_port_kind choose_port(const dry_kind *self, const dry_value *values, int count,
                                 dry_error *error) {
    static const char *const places[] = {[DRY_FRICTION] = "coordinate or length",
                                         [DRY_CONTACT] = "coordinate, length or surface",
                                         [DRY_FRICTIONAL_CONTACT] = "surface"};
    const dry_law *law = law_of(self);
    const bool friction = law->kind == DRY_FRICTION, both = law->kind == DRY_FRICTIONAL_CONTACT;
    const struct {
        const char *word;
        bool fits;
        dry_port_kind kind;
    } ports[] = {{"coordinate", !both, DRY_COORDINATE},
                 {"length", !both, DRY_LENGTH},
                 {"surface", !friction, DRY_SURFACE},
                 {"frame", law->spins, DRY_RELATIVE}};
    const char *on = dry_value_word(values, count, "on", both ? "surface" : "coordinate");
    for (int i = 0; i < ROWS(ports); i++)
        if (ports[i].fits && strcmp(on, ports[i].word) == 0) return ports[i].kind;
    dry_error_set_key(error, DRY_BAD_ARGUMENT, "on", NULL, "%s %s cannot act on %s: on is %s",
                      dry_net__article(self->name), self->name, on,
                      law->spins ? "coordinate, length or frame" : places[law->kind]);
    return DRY_FRAME;
}

/* An area on a frame needs its radius, which nothing else has. */
static bool fits_radius(const dry_kind *self, const dry_value *values, int count,
                        dry_port_kind port, dry_error *error) {
    double R;
    if (!law_of(self)->spins || dry_net__is_rotary(self)) return true;
    const bool given = dry_value_numbers(self, values, count, "radius", 1, &R) > 0;
    if (port == DRY_RELATIVE && !given)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "on", "give radius, in m",
                          "%s %s on a frame needs the radius of its area",
                          dry_net__article(self->name), self->name);
    else if (port != DRY_RELATIVE && given)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "radius", "leave out radius, or say on = frame",
                          "the radius is for %s %s on a frame", dry_net__article(self->name),
                          self->name);
    else
        return true;
    return false;
}

/* The third speed of a law that spins is that of a rim, which only a frame has. */
static bool fits_dim(const dry_kind *self, int dim, dry_port_kind port, dry_error *error) {
    const dry_law *law = law_of(self);
    if (law->spins && port == DRY_COORDINATE && dim > 2)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim",
                          "for the area of a frame, say on = frame and give its radius",
                          "of a coordinate of dimension 3 the third speed is not a spin");
    else if (law->kind == DRY_FRICTION && dim > law->max_dim)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", NULL, "%s %s has %d dimension at most",
                          dry_net__article(self->name), self->name, law->max_dim);
    else if (port == DRY_LENGTH && dim > 1)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", "leave dim out",
                          "a length has one dimension");
    else if (port == DRY_RELATIVE && dim > 1)
        dry_error_set_key(error, DRY_BAD_ARGUMENT, "dim", "leave dim out",
                          "an area on a frame slips in two directions and spins");
    else
        return true;
    return false;
}

static const dry_part_design of_friction = {.forgets = forgets};
static const dry_part_design of_contacts[] = {
    {.firmness = firmness, .forgets = forgets, .breach = breach_m},
    {.firmness = firmness, .forgets = forgets, .breach = breach_rad}};

static dry_part pattern_of(const dry_kind *self, const holder *h, const double *par) {
    const dry_law *law = h->law;
    return (dry_part){
        .kind = self->name,
        .side = DRY_IMPEDANCE,
        .promise = law->traits & DRY_PASSIVE ? DRY_IS_PASSIVE : DRY_PROMISES_NOTHING,
        .n_states = dry_law_states(law, par, h->dim),
        .n_par = h->n_par - (h->count_at < 0 ? 0 : 1) + (has_offset(law) || h->frame ? 1 : 0),
        .work_size = h->count_at < 0 ? 0 : (size_t)h->n_par * sizeof *par,
        .data = h,
        .eval = h->frame                    ? eval_frame
                : law->kind == DRY_FRICTION ? eval_friction
                                            : eval_contact,
        .start = law->start ? start : NULL,
        .energy = law->energy ? energy : NULL,
        .n_kinks = law->n_kinks ? law->n_kinks(par, h->dim) : 0,
        .kinks = law->kinks ? kinks : NULL,
        .latch = law->latch ? latch : NULL,
        .ends = (law->kind == DRY_FRICTION  ? DRY_SLIPS
                 : law->kind == DRY_CONTACT ? DRY_OPEN
                                            : DRY_SLIPS | DRY_OPEN),
        .fastest = law->quickens ? fastest : NULL,
        .phase = phase,
        .design = law->kind == DRY_FRICTION ? &of_friction : &of_contacts[dry_net__is_rotary(self)],
    };
}

void dry_net__law_fill(dry_net__law_data *data, const dry_law *law) {
    data->law = law;
    static const int dims[] = {1, 2, 3, [ON_SURFACE] = SURFACE_DIM, [ON_FRAME] = 3};
    for (int i = 0; i < ROWS(dims); i++)
        data->shared[i] = (holder){.law = law,
                                   .dim = dims[i],
                                   .n_par = dry_law_par_size(law, 1),
                                   .count_at = -1,
                                   .elements = 1.0,
                                   .surface = i == ON_SURFACE,
                                   .frame = i == ON_FRAME};
}

/* The holder of a law whose number of elements is said; NULL with the error filled. */
static const holder *count_elements(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                    int count, const holder *pattern, dry_error *error) {
    const dry_law *law = law_of(self);
    const int row = count_row(law);
    if (row < 0) return pattern;
    const double n = dry_value_number(self, values, count, law->params[row].name);
    holder *h = dry_arena_take(arena, sizeof *h);
    if (!h || !(n >= 1.0 && n <= DRY_NET__MOST_ELEMENTS && n == floor(n))) {
        dry_error_set_key(error, h ? DRY_BAD_ARGUMENT : DRY_NO_MEMORY, law->params[row].name, NULL,
                          "%s is a whole number from 1 to %d", law->params[row].name,
                          DRY_NET__MOST_ELEMENTS);
        return NULL;
    }
    *h = *pattern;
    h->elements = n;
    h->count_at = dry_law_par_offset(law, row, 1);
    h->n_par = dry_law_par_size(law, (int)n);
    return h;
}

const dry_part *dry_net__make_law(const dry_kind *self, dry_arena *arena, const dry_value *values,
                                  int count, dry_error *error) {
    const dry_net__law_data *data = self->data;
    const dry_law *law = data->law;
    const bool rotary = dry_net__is_rotary(self);
    const int *dim = dry_net__dim(self, values, count, error);
    double par[MOST_PAR];
    if (!dim) return NULL;
    const dry_port_kind port = choose_port(self, values, count, error);
    if (port == DRY_FRAME || !fits_dim(self, *dim, port, error) ||
        !fits_radius(self, values, count, port, error))
        return NULL;
    const int which = port == DRY_SURFACE ? ON_SURFACE : port == DRY_RELATIVE ? ON_FRAME : *dim - 1;
    const holder *h = count_elements(self, arena, values, count, &data->shared[which], error);
    if (!h || !read_par(self, values, count, (int)h->elements, par, error) ||
        !check_par(law, par, h->dim, error))
        return NULL;
    const dry_part pattern = pattern_of(self, h, par);
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    d.port->unit = dry_net__unit(rotary, port == DRY_RELATIVE ? "" : "m");
    d.port->dim = h->dim;
    d.port->spins = law->spins;
    d.port->kind = port;
    name_states(h, arena, rotary, d.states);
    name_par(h, arena, rotary, par, &d);
    const char *more = has_offset(law) ? "offset" : h->frame ? "radius" : NULL;
    if (more) d.par[pattern.n_par - 1] = dry_value_number(self, values, count, more);
    return d.part;
}
