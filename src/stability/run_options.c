/* run: from the options of a run to those of a method of ode or stiff. */
#include <drystone/stability.h>

#include <limits.h>

/* The fastest rate that the laws of a run may have; 0: the run does not check it. It takes as long
 * as hundreds of steps to find. */
static double most_rate(const dry_system *system, const dry_method *method, double step) {
    if (!system || !system->fastest || method->adaptive || !(step > 0.0)) return 0.0;
    const double rate = dry_fastest_rate(method, step);
    return isfinite(rate) ? rate : 0.0;
}

dry_ode_options dry_run_ode(const dry_run_options *run, const dry_system *system) {
    const dry_method *method = run->method ? run->method : dry_method_standard();
    return (dry_ode_options){.step = run->step,
                             .rtol = run->rtol,
                             .atol = run->atol,
                             .max_step = run->max_step,
                             .most_rate = most_rate(system, method, run->step),
                             .rate_is_noted = run->force,
                             .max_steps = (long)fmin(ceil(run->max_steps), (double)LONG_MAX / 2)};
}
