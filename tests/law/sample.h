/* sample: valid parameter sets, natural scales, random points and motions for every law of the
 * catalogue, from its tables. */
#ifndef TESTS_LAW_SAMPLE_H
#define TESTS_LAW_SAMPLE_H

#include "math/random.h"
#include <drystone/law.h>
#include <string.h>

enum { MOST_PAR = 64, MOST_SIZE = 32, SETS = 6 };

typedef struct sample {
    const dry_law *law;
    int set, dim, elements, n_inputs, n_forces, n_states;
    double par[MOST_PAR];
    double level;      /* N: the force at which it slides, or of the contact */
    double a_scale;    /* m: the stretch at which it slides */
    double v_scale;    /* m/s: the speed at which stiffness and damping matter alike */
    double gap_rate;   /* m/s: the rate at which spring and damper of a contact are alike */
    double fast, slow; /* s: the shortest and the longest time constant */
} sample;

static const double gap_scale = 1e-3; /* m */

/* Parameter `name` (the first of a list); NULL where the law has none. */
static inline double *param(sample *p, const char *name) {
    const int index = dry_law_par_find(p->law, name);
    return index < 0 ? NULL : &p->par[dry_law_par_offset(p->law, index, p->elements)];
}

static inline double value_or(sample *p, const char *name, double otherwise) {
    const double *value = param(p, name);
    return value ? *value : otherwise;
}

/* The level at rest: Fs, or the kinetic one where Fs is 0 or missing. */
static inline double static_level(sample *p) {
    const double Fs = value_or(p, "Fs", 0.0);
    return Fs > 0.0 ? Fs : p->level;
}

static inline int state_length(const sample *p, const dry_law_state *row) {
    return row->form == DRY_ONE ? 1 : row->form == DRY_PER_DIM ? p->dim : p->elements;
}

/* The first number of state `name`, -1 where the law has none. */
static inline int state_at(const sample *p, const char *name) {
    int at = 0;
    for (int i = 0; i < p->law->n_states; i++) {
        if (strcmp(p->law->states[i].name, name) == 0) return at;
        at += state_length(p, &p->law->states[i]);
    }
    return -1;
}

/* Where the sliding velocity begins in the input, and the friction force in the force. */
static inline int v_at(const sample *p) { return p->law->kind == DRY_FRICTION ? 0 : 2; }
static inline int f_at(const sample *p) { return p->law->kind == DRY_FRICTION ? 0 : 1; }

/* ---- parameters --------------------------------------------------------------- */

static inline void scatter(sample *p, random_source *source) {
    for (int i = 0; i < p->law->n_params; i++) {
        const dry_law_param *row = &p->law->params[i];
        if (row->form == DRY_COUNT) continue;
        double *value = &p->par[dry_law_par_offset(p->law, i, p->elements)];
        for (int k = 0; k < (row->form == DRY_LIST ? p->elements : 1); k++)
            value[k] *= pow(10.0, random_between(source, -0.4, 0.4));
    }
}

/* The half axes of an ellipse whose matrix is the parameters D11 to D33. */
static inline dry_ellipse ellipse_of(sample *p) {
    const double *d = param(p, "D11"), F = *param(p, "F");
    const double whole[9] = {d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]};
    double D[9];
    for (int i = 0; i < p->dim * p->dim; i++) D[i] = F * whole[3 * (i / p->dim) + i % p->dim];
    return dry_ellipse_of(p->dim, D);
}

/* Turns the ellipse out of the axes. */
static inline void turn_ellipse(sample *p, random_source *source) {
    static const int apart[] = {1, 2, 4};
    double *d = param(p, "D11");
    for (int i = 0; i < 3; i++) d[apart[i]] = random_between(source, -0.2, 0.2);
}

/* Relations and ranges that scattered numbers break. */
static inline void repair(sample *p, random_source *source) {
    static const double exponents[] = {1.0, 1.5, 2.0, 3.0};
    double *F = param(p, "F") ? param(p, "F") : param(p, "Fc"), *Fs = param(p, "Fs");
    double *alpha = param(p, "alpha"), *beta = param(p, "beta"), *lambda = param(p, "lambda");
    double *ba = param(p, "ba"), *D = param(p, "D"), *e = param(p, "restitution"),
           *inner = param(p, "inner");
    double *n = param(p, "n"), *share = param(p, "share");
    if (param(p, "D11")) turn_ellipse(p, source);
    if (e) *e = random_between(source, 0.05, 1.0);
    if (n) *n = exponents[random_index(source, 4)];
    if (share) *share = random_between(source, 0.5, 1.0);
    if (Fs) *Fs = random_unit(source) < 0.3 ? 0.0 : *F * random_between(source, 0.3, 3.0);
    if (Fs && alpha) *alpha = exponents[random_index(source, 4)];
    if (!Fs && alpha && *alpha > *beta) *alpha = *beta * random_between(source, 0.1, 1.0);
    if (p->law->fall && p->law->fall(p->par) > 0.0) /* one answer, with little or much to spare */
        *beta = p->law->fall(p->par) / *param(p, "K") * random_between(source, 1.2, 20.0);
    if (ba) *ba = random_between(source, 0.1, 0.95);
    if (inner && p->set % 3 == 0) *param(p, "aspect") = random_between(source, 0.1, 2.0);
    if (inner && p->set % 3 == 1) *param(p, "pressure") = 0.5;
    if (inner && p->set % 3 > 0) *inner = random_between(source, 0.0, 0.9);
    if (D && Fs && random_unit(source) < 0.5) *D = 0.1 * *F / *param(p, "vs");
    if (lambda && !Fs) *lambda = random_between(source, 1.0, 2.0);
    if (lambda && Fs) {
        double sum = 0.0;
        for (int i = 0; i < p->elements; i++) sum += lambda[i];
        for (int i = 0; i < p->elements; i++) lambda[i] /= sum;
    }
}

static inline void find_times(sample *p) {
    const double *kappa = param(p, "kappa"), *sigma = param(p, "sigma");
    const double K = value_or(p, "K", value_or(p, "kappa", 1.0)), tau_d = value_or(p, "tau_d", 0.0);
    double time = value_or(p, "alpha", 1e-3);
    if (p->law->kind == DRY_FRICTION) time = value_or(p, "beta", value_or(p, "B", 0.0) / K);
    if (param(p, "gamma")) time = 1.0 / *param(p, "gamma");
    p->fast = p->slow = time > 0.0 ? time : 1e-3;
    for (int i = 0; sigma && i < p->elements; i++) {
        const double element = sigma[i] / kappa[i];
        p->fast = i == 0 ? element : dry_min(p->fast, element);
        p->slow = i == 0 ? element : dry_max(p->slow, element);
    }
    if (param(p, "C")) p->fast = p->slow = p->level / *param(p, "C"); /* gms: sigma is no state */
    if (param(p, "betat")) {
        p->fast = dry_min(time, *param(p, "betat"));
        p->slow = dry_max(time, *param(p, "betat"));
    }
    if (tau_d > 0.0) p->fast = dry_min(p->fast, tau_d), p->slow = dry_max(p->slow, tau_d);
}

static inline void find_scales(sample *p) {
    const double normal = value_or(p, "K", 1.0) * gap_scale;
    p->level = value_or(p, "F", value_or(p, "Fc", value_or(p, "mu", 1.0) * normal));
    if (param(p, "D11")) { /* in every direction at least the least half axis */
        const dry_ellipse ellipse = ellipse_of(p);
        p->level = ellipse.s[0];
        for (int i = 1; i < p->dim; i++) p->level = dry_min(p->level, ellipse.s[i]);
    }
    p->a_scale = p->level / value_or(p, "Kt", value_or(p, "K", 1e3));
    if (param(p, "length")) p->a_scale = p->level / (*param(p, "k") * *param(p, "length"));
    if (param(p, "kappa")) p->a_scale = *param(p, "lambda") * p->level / *param(p, "kappa");
    p->gap_rate = param(p, "B") ? normal / *param(p, "B") : 1.0;
    find_times(p);
    p->v_scale = value_or(p, "eps", value_or(p, "dv", p->a_scale / p->fast));
}

/* Set 0 has the defaults, the others are random; every one passes dry_law_check. */
static inline sample sample_of(const dry_law *law, int dim, int set, random_source *source) {
    sample p = {.law = law, .set = set, .dim = dim, .elements = set % 2 ? 3 : 10};
    dry_law_defaults(law, p.elements, p.par);
    if (set > 0) {
        scatter(&p, source);
        repair(&p, source);
    }
    p.n_inputs = dry_law_inputs(law, dim);
    p.n_forces = dry_law_forces(law, dim);
    p.n_states = dry_law_states(law, p.par, dim);
    find_scales(&p);
    return p;
}

/* ---- points ---------------------------------------------------------------------- */

static inline void random_input(const sample *p, random_source *source, double *u) {
    if (p->law->kind != DRY_FRICTION) {
        u[0] = gap_scale * random_magnitude(source, -1.5, 0.5);
        u[1] = p->gap_rate * random_magnitude(source, -2.0, 0.5);
    }
    for (int i = v_at(p); i < p->n_inputs; i++)
        u[i] = p->v_scale * random_magnitude(source, -2.0, 1.5);
}

static inline double random_state(sample *p, random_source *source, const char *name, double v) {
    if (strcmp(name, "gamma") == 0) return random_between(source, p->level, static_level(p));
    if (strcmp(name, "w") == 0) return random_unit(source);
    if (strcmp(name, "m") == 0) return random_index(source, 2) ? dry_sgn(v) : 0.0;
    if (strcmp(name, "e") == 0) return gap_scale * random_magnitude(source, -1.5, 0.3);
    if (strcmp(name, "v0") == 0) /* 0, or at least the least speed */
        return random_index(source, 2) * *param(p, "speed") * random_between(source, 1.0, 10.0);
    if (p->law->kind == DRY_CONTACT) /* compliant: a >= 0 along every motion */
        return pow(gap_scale * fabs(random_magnitude(source, -1.5, 0.3)), *param(p, "lambda"));
    return p->a_scale * random_magnitude(source, -1.5, 0.5);
}

static inline void random_states(sample *p, random_source *source, const double *u, double *s) {
    const double v = p->law->kind == DRY_CONTACT ? 0.0 : u[v_at(p)];
    for (int i = 0; i < p->law->n_states; i++) {
        const dry_law_state *row = &p->law->states[i];
        for (int k = 0; k < state_length(p, row); k++) *s++ = random_state(p, source, row->name, v);
    }
}

/* The state at the start of a motion. */
static inline void rest(const sample *p, const double *u, double *s) {
    for (int i = 0; i < p->n_states; i++) s[i] = 0.0;
    if (p->law->start) p->law->start(p->par, p->dim, u, s);
}

static inline void evaluate(const sample *p, double tau, const double *u, const double *s,
                            double *f, double *s_dot) {
    p->law->eval(p->par, p->dim, tau, u, s, f, s_dot);
}

static inline double stored(const sample *p, double tau, const double *u, const double *s) {
    return p->law->energy ? p->law->energy(p->par, p->dim, tau, u, s) : 0.0;
}

/* The power that flows into the law. */
static inline double power_in(const sample *p, const double *u, const double *f) {
    double power = p->law->kind == DRY_FRICTION ? 0.0 : -f[0] * u[1];
    for (int i = 0; i < p->dim && p->law->kind != DRY_CONTACT; i++)
        power += f[f_at(p) + i] * u[v_at(p) + i];
    return power;
}

/* A seed for each law, so that another row changes nothing for the others. */
static inline uint64_t seed_of(const dry_law *law) {
    uint64_t seed = 99;
    for (const char *at = law->name; *at; at++) seed = seed * 31 + (unsigned char)*at;
    return seed;
}

/* Goes through every law, dimension and parameter set. */
typedef struct walk {
    int law, dim, set;
    random_source source;
} walk;

static inline bool next_sample(walk *w, sample *p) {
    if (w->law >= dry_law_count()) return false;
    const dry_law *law = dry_law_at(w->law);
    if (w->dim == 0 && w->set == 0) w->source.state = seed_of(law);
    if (w->dim == 0) w->dim = law->max_dim == 0 ? 0 : 1;
    *p = sample_of(law, w->dim, w->set, &w->source);
    if (++w->set < SETS) return true;
    w->set = 0;
    if (w->dim++ < law->max_dim) return true;
    w->dim = 0;
    w->law++;
    return true;
}

/* The same for the laws that claim `trait`. */
static inline bool next_claim(walk *w, unsigned trait, sample *p) {
    while (next_sample(w, p))
        if (p->law->traits & trait) return true;
    return false;
}

#endif
