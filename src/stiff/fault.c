/* Messages for a step that fails: what failed, when, and a way out. */
#include "stiff_private.h"

dry_status dry_stiff__fail(dry_stiff *s, dry_status status, int state, dry_error *error) {
    const dry_quantity *states = s->system->states;
    const char *name = state >= 0 && states ? states[state].name : "a state";
    char time[DRY_NUMBER_SIZE];
    dry_number_text(s->t, time);
    s->fault.state = state;
    s->fault.t = s->t;
    switch (status) {
    case DRY_NOT_FINITE:
        return dry_error_set(error, status,
                             "the rate of %s is infinite or not a number at t = %s s, however "
                             "short the step: look for a division by zero or the root of a "
                             "negative number in its equation",
                             name, time);
    case DRY_STEP_COLLAPSED:
        return dry_error_set(error, status,
                             "at t = %s s no step is short enough for the error of %s: its "
                             "equation jumps or grows without bound there; loosen rtol (now %g), "
                             "use a fixed step, or state a force that jumps with a velocity as a "
                             "set (sgn)",
                             time, name, s->options.rtol);
    case DRY_SINGULAR:
        return dry_error_set(error, status,
                             "the matrix of the implicit step is singular or not finite at t = %s "
                             "s, however short the step: look for a slope that is infinite there, "
                             "such as that of sqrt at 0, or use dopri5",
                             time);
    case DRY_TOO_MANY_STEPS:
        return dry_error_set(error, status,
                             "the limit of %ld steps was reached at t = %s s: raise the limit, or "
                             "loosen the tolerances",
                             s->options.max_steps, time);
    case DRY_STOPPED: return dry_error_set(error, status, "the model stops at t = %s s", time);
    default:
        return dry_error_set(error, status, "condition %d of the model is violated at t = %s s",
                             s->fault.watch, time);
    }
}
