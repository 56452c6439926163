/* run_options: the options of the rooms that run a model (ode.h, rigid.h). */
#include "lang_private.h"

#include <drystone/stability.h>

#include <limits.h>
#include <math.h>

/* What the laws of a run are asked for; 0: nothing. */
static double most_rate(const dry_run_options *run) {
    const dry_method *method =
        dry_model_method_find(run->method ? run->method : dry_method_standard()->name);
    if (!method || method->adaptive || !(run->step > 0.0)) return 0.0;
    const double rate = dry_fastest_rate(method, run->step);
    return isfinite(rate) ? rate : 0.0;
}

/* fmax takes the other where one is not a number. */
dry_ode_options dry_run_ode(const dry_run_options *run) {
    return (dry_ode_options){.step = fmax(run->step, 0.0),
                             .rtol = fmax(run->rtol, 0.0),
                             .atol = fmax(run->atol, 0.0),
                             .max_step = fmax(run->max_step, 0.0),
                             .most_rate = most_rate(run),
                             .rate_is_noted = run->force,
                             .max_steps =
                                 (long)fmin(ceil(fmax(run->max_steps, 0.0)), (double)LONG_MAX / 2)};
}

dry_rigid_options dry_run_rigid(const dry_run_options *run) {
    dry_rigid_options rigid = {.step = run->step,
                               .P = (int)fmax(run->P, 0.0),
                               .Q = (int)fmax(run->Q, 0.0),
                               .weight = run->alpha == 0.0 ? -1.0 : fmax(run->alpha, 0.0)};
    dry_rigid_scheme_find(run->method, &rigid.scheme);
    return rigid;
}
