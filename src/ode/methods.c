/* The catalogue of methods: one row of methods.def each, and the coefficients of the fixed steps.
 *
 * a: stage weights, b: solution weights, c: stage times (dry_coefficients, ode.h). */
#include "ode_private.h"

/* A step that dry_ode__step_tableau computes from its coefficients. */
#define SUMS(n, ...)                                                                               \
    {                                                                                              \
        .k = {.form = DRY_FORM_SUMS, .stages = n, __VA_ARGS__}, .step = dry_ode__step_tableau,     \
        .run = dry_ode__run_tableau                                                                \
    }

static const double euler_b[] = {1.0};
static const double euler_c[] = {0.0};
const struct dry_tableau dry_ode__euler = SUMS(1, .b = euler_b, .c = euler_c);

static const double heun_a[] = {1.0};
static const double heun_b[] = {0.5, 0.5};
static const double heun_c[] = {0.0, 1.0};
const struct dry_tableau dry_ode__heun = SUMS(2, .a = heun_a, .b = heun_b, .c = heun_c);

/* dry_rk4_step computes with these coefficients; KY08 (21) has the tau. */
static const double rk4_a[] = {0.5, 0.0, 0.5, 0.0, 0.0, 1.0};
static const double rk4_b[] = {1.0, 2.0, 2.0, 1.0};
static const double rk4_c[] = {0.0, 0.5, 0.5, 1.0};
static const double rk4_taus[] = {0.5, 0.5, 1.0, 1.0};
#define RK4(steps)                                                                                 \
    {                                                                                              \
        .form = DRY_FORM_CLASSICAL, .stages = 4, .a = rk4_a, .b = rk4_b, .c = rk4_c, .tau = steps, \
        .over = 6.0                                                                                \
    }
const struct dry_tableau dry_ode__rk4 = {
    .k = RK4(NULL), .step = dry_ode__step_rk4, .run = dry_ode__run_rk4};
const struct dry_tableau dry_ode__rk4_tau = {
    .k = RK4(rk4_taus), .step = dry_ode__step_rk4_tau, .run = dry_ode__run_rk4_tau};

const struct dry_tableau dry_ode__semi_implicit = {.k = {.form = DRY_FORM_STAGGERED, .stages = 2},
                                                   .step = dry_ode__step_semi_implicit,
                                                   .run = dry_ode__run_tableau};

#define METHOD(id, text, long_name, from, p, s, adapts, how, share, K, B, w)                       \
    {.name = text,                                                                                 \
     .title = long_name,                                                                           \
     .paper = from,                                                                                \
     .order = p,                                                                                   \
     .stages = s,                                                                                  \
     .adaptive = adapts,                                                                           \
     .uses_tau = (share) > 0.0,                                                                    \
     .tableau = &dry_ode__##id,                                                                    \
     .fixed = (adapts) ? NULL : &dry_ode__##id.k,                                                  \
     .locates = adapts,                                                                            \
     .takes = DRY_TAKES_EQUATIONS | DRY_TAKES_PARTS,                                               \
     .stability = DRY_STABILITY_##how,                                                             \
     .tau = share,                                                                                 \
     .kappa = K,                                                                                   \
     .relax = B,                                                                                   \
     .omega_T = w},
static const dry_method methods[] = {
#include "methods.def"
};
#undef METHOD

int dry_method_count(void) { return (int)(sizeof methods / sizeof methods[0]); }

const dry_method *dry_method_at(int index) {
    return index >= 0 && index < dry_method_count() ? &methods[index] : NULL;
}

const dry_method *dry_method_find(const char *name) {
    for (int i = 0; i < dry_method_count(); i++)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return dry_method_missing();
}

const dry_method *dry_method_missing(void) {
    static const dry_method missing = {.name = "(not found)", .title = "", .paper = ""};
    return &missing;
}

bool dry_method_found(const dry_method *method) { return method && method != dry_method_missing(); }

const dry_method *dry_method_standard(void) {
    int i = 0;
    while (methods[i].tableau != &dry_ode__rk4) i++;
    return &methods[i];
}

/* ---- whole rows ----------------------------------------------------------- */

static bool is_text(const char *text) { return text && text[0]; }

/* Whether the coefficients of a fixed step are there, and those that others read agree with the
 * row. */
static bool has_coefficients(const dry_method *method) {
    const dry_coefficients *k = method->fixed;
    if (!method->tableau || method->adaptive) return k == NULL;
    if (!k || k->stages != method->stages) return false;
    if (k->form == DRY_FORM_STAGGERED) return method->uses_tau;
    return k->b && k->c && (k->a || k->stages == 1) && method->uses_tau == (k->tau != NULL) &&
           (k->over > 0.0) == (k->form == DRY_FORM_CLASSICAL);
}

/* What is chosen for the step of a method that relaxes sets. */
static bool has_choice(const dry_method *method) {
    if (!(method->takes & (DRY_TAKES_EQUATIONS | DRY_TAKES_PARTS))) return true;
    return method->kappa > 0.0 && method->relax > 0.0 && method->omega_T > 0.0;
}

const char *dry_method_lacks(const dry_method *method) {
    const struct {
        const char *fact;
        bool there;
    } facts[] = {
        {"name", is_text(method->name)},
        {"title", is_text(method->title)},
        {"paper", is_text(method->paper)},
        {"order", method->order > 0},
        {"stages", method->stages > 0},
        {"takes", method->takes != 0},
        {"stability", method->stability != DRY_STABILITY_UNSAID},
        {"adaptive", method->adaptive == (method->stability == DRY_STABILITY_CONTROLLED)},
        {"growth", (method->growth != NULL) == (method->stability == DRY_STABILITY_GROWTH)},
        {"tau", method->uses_tau == (method->tau > 0.0)},
        {"coefficients", has_coefficients(method)},
        {"kappa, relax, omega_T", has_choice(method)},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!facts[i].there) return facts[i].fact;
    return NULL;
}
