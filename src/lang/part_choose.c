/* part_choose: what parts leave open, such as the stiffness of a joint, for the step of the run.
 *
 * A spring on a mass that is damped critically, with the frequency omega, is integrated stably for
 *
 *     euler, heun      omega T <= 2        the double root -omega
 *     rk4              omega T <= 2.785
 *     rk4-tau          omega T <= 1.139    a friction has 3/4 T omega^2 more damping, KY08 (21)
 *     semi-implicit    omega T <= 0.667    and T omega^2 here, KY08 (14); 0.828 without
 *
 * and so is what swings slower with the same B/K. The choice leaves some of that to other parts. A
 * method that finds its steps itself, and runs that are compared with each other, have what every
 * method can do.
 *
 * T: step, s; omega: rad/s. */
#include "model.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *method;
    double omega_T;
} rows[] = {{"euler", 1.0}, {"heun", 1.0}, {"rk4", 1.2}, {"rk4-tau", 0.7}};
static const double ANY_METHOD = 0.5;

static double fastest(const char *method) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].method, method)) return rows[i].omega_T;
    return ANY_METHOD;
}

int dry_model_next_chosen(const dry_model *model, int par) {
    const int own = model->elab.n_params, n = model->system.n_par;
    if (!model->elab.net) return -1;
    if (par < own) par = own;
    while (par < n && !dry_net_is_chosen(model->elab.net, par - own)) par++;
    return par < n ? par : -1;
}

void dry_lang__choose_parts(dry_elab *elab) {
    const char *method = elab->options->choose_step > 0.0 ? "" : dry_lang__method(elab);
    const double T = dry_lang__time_scale(elab);
    const dry_pace pace = {
        .omega = fastest(method) / T, .method = dry_method_find(method), .step = T};
    if (dry_net_choose_for(elab->net, &pace) == DRY_NO_MEMORY) dry_arena_fail(elab->arena);
}
