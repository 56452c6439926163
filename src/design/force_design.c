/* force_design: chooses K, beta and alpha that a model leaves open, from the effective mass, the
 * step and the method (design.h; for contacts also law.h). */
#include "design.h"

#include <drystone/design.h>

#include <math.h>
#include <string.h>

/* Steps that resolve a contact so that its restitution is right to 1e-3 whatever the phase of the
 * step (tests/design/test_design.c). */
static const double steps_per_contact = 24.0;

double dry_design_time_scale(const dry_elab *elab) {
    if (elab->options->choose_step > 0.0) return elab->options->choose_step;
    if (elab->run.step > 0.0) return elab->run.step;
    return elab->run.until > 0.0 ? DRY_RUN_STEP * elab->run.until : 1e-3;
}

/* Samples lie on the grid of the steps. */
static double beneath_samples(const dry_run_options *run, double step) {
    return run->record > step ? run->record / ceil(run->record / step * (1.0 - 1e-9)) : step;
}

double dry_design_run_step(const dry_elab *elab) {
    const dry_run_options *run = &elab->run;
    if (run->step > 0.0) return run->step;
    if (!(run->until > 0.0)) return (double)NAN;
    const double usual = DRY_RUN_STEP * run->until;
    return beneath_samples(run, elab->resolving < usual ? elab->resolving : usual);
}

double dry_design_impact_time(const dry_elab *elab, const dry_force *force) {
    if (force->design.choice == DRY_CHOSEN_FROM_DURATION) return force->design.duration;
    if (force->design.choice == DRY_CHOSEN_FROM_DEPTH)
        return 3.0 * force->design.depth / force->design.speed;
    return steps_per_contact * dry_design_time_scale(elab);
}

double dry_design_restitution(const dry_elab *elab, const dry_force *force) {
    if (force->design.restitution_given) return force->design.restitution;
    if (force->design.choice != DRY_GIVEN) return DRY_PLAIN_RESTITUTION;
    const dry_contact_choice c = {.K = dry_lang_law_value(elab, force, "K"),
                                  .alpha = dry_lang_law_value(elab, force, "alpha"),
                                  .beta = dry_lang_law_value(elab, force, "beta")};
    return dry_contact_restitution(&c, force->design.mass);
}

static void set_slot(dry_elab *elab, int slot, double value) {
    if (slot < 0) return;
    elab->quantities.param[slot].value = value;
    elab->quantities.par_value[slot] = value;
}

static void choose_friction(dry_elab *elab, const dry_force *force) {
    dry_friction_choice pair;
    double m = force->design.mass;
    if (force->design.choice == DRY_CHOSEN_FROM_K) { /* damping ratio 0.707, as from the step */
        pair.K = dry_lang_law_value(elab, force, "K");
        pair.beta = sqrt(2.0 * m / pair.K);
    } else {
        double T = dry_design_time_scale(elab);
        if (force->design.choice == DRY_CHOSEN_FROM_BETA)
            T = fmax(T, dry_lang_law_value(elab, force, "beta"));
        if (dry_friction_from_step(dry_lang_method_row(elab), m, T, &pair) != DRY_OK) return;
    }
    set_slot(elab, force->design.slot_K, pair.K);
    set_slot(elab, force->design.slot_beta, pair.beta);
}

/* The last contact chosen from the step, for a mass of 1; the next usually needs the same. */
typedef struct unit_contact {
    double restitution; /* 0: none yet */
    dry_contact_choice choice;
} unit_contact;

/* For the method's own steps; for exact integration if the run may have others. */
static dry_status contact_from_step(const dry_elab *elab, double e, double mass, unit_contact *last,
                                    dry_contact_choice *c) {
    dry_status status = mass > 0.0 && isfinite(mass) ? DRY_OK : DRY_BAD_ARGUMENT;
    const char *method = elab->options->choose_step > 0.0 ? NULL : dry_lang_method(elab);
    if (status == DRY_OK && last->restitution != e)
        status = dry_contact_from_step(method, e, 1.0, dry_design_time_scale(elab),
                                       steps_per_contact, &last->choice);
    if (status != DRY_OK) return status;
    last->restitution = e;
    *c = last->choice;
    c->K *= mass;
    return DRY_OK;
}

static void choose_contact(dry_elab *elab, const dry_force *force, unit_contact *last) {
    dry_contact_choice c;
    dry_status status = DRY_BAD_ARGUMENT;
    const double m = force->design.mass,
                 e = dry_tangent_nearest(dry_design_restitution(elab, force));
    switch (force->design.choice) {
    case DRY_CHOSEN_FROM_K:
        status = dry_contact_from_stiffness(e, m, dry_lang_law_value(elab, force, "K"), &c);
        break;
    case DRY_CHOSEN_FROM_DEPTH:
        status = dry_contact_from_depth(e, m, force->design.depth, force->design.speed, &c);
        break;
    case DRY_CHOSEN_FROM_DURATION:
        status = dry_contact_from_duration(e, m, force->design.duration, &c);
        break;
    default: status = contact_from_step(elab, e, m, last, &c);
    }
    if (status != DRY_OK) {
        DRY_SAY(elab->diag, force->at, NO_DESIGN, force->name);
        return;
    }
    set_slot(elab, force->design.slot_K, c.K);
    set_slot(elab, force->design.slot_alpha, c.alpha);
    set_slot(elab, force->design.slot_beta, c.beta);
}

void dry_design_forces(dry_elab *elab) {
    unit_contact last = {0};
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (force->design.choice == DRY_GIVEN || force->shared >= 0 || !force->set) continue;
        if (force->design.slot_K < 0 && force->design.slot_beta < 0)
            continue; /* a richer law of the catalogue */
        if (isnan(force->design.mass) && elab->scene.net)
            DRY_SAY(elab->diag, force->at, THROUGH_PARTS, force->name);
        else if (isnan(force->design.mass))
            DRY_SAY(elab->diag, force->at, NO_MASS, force->name);
        else if (dry_lang_is_friction(force))
            choose_friction(elab, force);
        else
            choose_contact(elab, force, &last);
    }
}

/* Divides the K of chosen elements by `factor`; false if there are none. Friction keeps its beta:
 * n elements on one body with K/n each are together what one of them with K is. A contact keeps its
 * restitution, which depends on beta sqrt(K/m) and alpha/beta: its times grow by sqrt(factor). */
bool dry_design_soften(dry_elab *elab, double factor, bool contacts) {
    const double longer = sqrt(factor);
    bool any = false;
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        const bool contact = dry_lang_is_contact(force);
        if (force->design.choice != DRY_CHOSEN_FROM_STEP || force->shared >= 0 ||
            force->design.slot_K < 0 || (contact && !contacts))
            continue;
        set_slot(elab, force->design.slot_K,
                 elab->quantities.par_value[force->design.slot_K] / factor);
        if (contact) {
            set_slot(elab, force->design.slot_beta,
                     elab->quantities.par_value[force->design.slot_beta] * longer);
            set_slot(elab, force->design.slot_alpha,
                     elab->quantities.par_value[force->design.slot_alpha] * longer);
        }
        any = true;
    }
    return any;
}
