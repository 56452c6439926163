/* check, for the rooms above: checks whether a model is set up as mechanics requires, and whether
 * its step is short enough. A check reads the model and reports what is wrong; it changes
 * nothing. */
#ifndef DRY_CHECK_CHECK_H
#define DRY_CHECK_CHECK_H

#include "design/design.h"

#include <drystone/rigid.h>
#include <drystone/stability.h>

/* ---- before there is code ---------------------------------------------------------------- */

/* Results of checks 2 to 5 that later stages use. */
typedef struct dry_effective_mass {
    double mass;           /* at the start; NaN if there is none */
    dry_node inverse_mass; /* 1/m along the motion (largest diagonal entry); -1 if none */
} dry_effective_mass;
typedef struct dry_wellposed {
    dry_effective_mass *mass; /* of each force; NULL without memory */
    dry_guard_info *guard;    /* what a run must watch */
    int n_guards, guard_room;
} dry_wellposed;
/* wellposed.c: runs checks 2 to 5. The caller frees `found`. */
void dry_check_wellposed(const dry_elab *elab, dry_wellposed *found);
void dry_wellposed_free(dry_wellposed *found);
/* masses.c: reports masses below zero. */
void dry_check_masses(const dry_elab *elab);
/* selections.c: reports a function that jumps if a set is meant. */
void dry_check_selections(const dry_elab *elab);
/* part_idle.c: reports connections that do nothing. */
void dry_check_idle(const dry_elab *elab);
/* part_overlap.c: reports shapes that overlap at the start. Call it when pushes are known and parts
 * have made their choices. */
void dry_check_overlaps(const dry_elab *elab);
/* part_breach.c: reports joints, end stops and gaps that the start violates. Call it when parts
 * have made their choices. */
void dry_check_breaches(const dry_elab *elab);
/* low_restitution.c: contacts of equations that bounce more than they are asked to. */
void dry_check_low_restitution(const dry_elab *elab);
/* part_soft.c: reports contacts that were chosen too soft for a weight. */
void dry_check_softness(const dry_elab *elab);

/* ---- with code ----------------------------------------------------------------------------- */

/* A model that can be evaluated. */
typedef struct dry_subject {
    const dry_elab *elab;
    const dry_system *system;
    const dry_inclusion *inclusion; /* with the sets kept; NULL if they are relaxed */
    /* Computes the rates at t = 0 with every law in the given branch. With parts, `roots` holds the
     * rates of the equations and then their pushes. If `follows`, the roots are computed from x;
     * else they are used as they are. Equations alone need no roots. */
    void (*rate_in)(const dry_env *env, dry_branch branch, double tau, const double *x,
                    double *roots, bool follows, double *x_dot);
} dry_subject;

/* start_rates.c: checks that the rates at the start are finite. */
void dry_check_start_rates(const dry_subject *subject);

/* Each returns the step that resolves long-lasting oscillations, if nobody gives a step; INFINITY
 * if the usual step resolves them. Each reports if no step would be short enough. */
double dry_check_resolving_step(const dry_subject *subject); /* equation_step.c */
double dry_check_part_resolving(const dry_subject *subject); /* push_step.c */

/* equation_step.c, check 6: returns true if the step of the run fits the equations. The first
 * function also fills `answer`; the second is faster and gives no answer. */
bool dry_check_equation_step(const dry_subject *subject, dry_step_answer *answer);
bool dry_check_step_fits(const dry_subject *subject);
/* The largest step that is stable by another method; INFINITY if there is no bound or none is
 * known. */
double dry_check_largest_step(const dry_subject *subject, const dry_method *method);
/* Returns true if the step that resolves long-lasting oscillations is the one of the model. */
bool dry_check_resolves_same(const dry_subject *subject);
void dry_check_say_unstable(const dry_subject *subject, const dry_step_answer *answer);

/* part_step.c: does the same for the stiffest motion of the parts. It fills `answer` only if a step
 * is too long. */
bool dry_check_part_step(const dry_subject *subject, dry_step_answer *answer);

/* push_step.c: does the same for the effect of equations on themselves and on the parts.
 * dry_push_check_new returns NULL if there is nothing to check, or without memory. */
typedef struct dry_push_check dry_push_check;
dry_push_check *dry_push_check_new(const dry_subject *subject);
void dry_push_check_free(dry_push_check *check);
bool dry_push_check_fits(dry_push_check *check);
void dry_push_check_say(dry_push_check *check, dry_step_answer *answer);

/* resonance.c, check 8: reports periodic forcing that a stuck element amplifies. */
void dry_check_resonance(const dry_elab *elab);

#endif
