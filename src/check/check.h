/* check, for the rooms above: whether a model is set up as mechanics wants it, and whether its step
 * is short enough. A check reads the model and says what is wrong; it changes nothing. */
#ifndef DRY_CHECK_CHECK_H
#define DRY_CHECK_CHECK_H

#include "design/design.h"

#include <drystone/rigid.h>
#include <drystone/stability.h>

/* ---- before there is code ---------------------------------------------------------------- */

/* What the checks 2 to 5 find out on their way. */
typedef struct dry_effective_mass {
    double mass;           /* at the start; NaN: there is none */
    dry_node inverse_mass; /* 1/m along the motion (largest diagonal entry), -1 */
} dry_effective_mass;
typedef struct dry_wellposed {
    dry_effective_mass *mass; /* of each force; NULL without memory */
    dry_guard_info *guard;    /* what a run has to watch */
    int n_guards, guard_room;
} dry_wellposed;
/* wellposed.c: checks 2 to 5. Free what they found. */
void dry_check_wellposed(const dry_elab *elab, dry_wellposed *found);
void dry_wellposed_free(dry_wellposed *found);
/* masses.c: masses below zero. */
void dry_check_masses(const dry_elab *elab);
/* selections.c: a function that jumps stands for a set. */
void dry_check_selections(const dry_elab *elab);
/* part_idle.c: connections that do nothing. */
void dry_check_idle(const dry_elab *elab);
/* part_overlap.c: shapes that are in each other at the start; once pushes are known, and what parts
 * choose. */
void dry_check_overlaps(const dry_elab *elab);
/* part_breach.c: joints, stops and gaps that the start is outside of; when parts have chosen. */
void dry_check_breaches(const dry_elab *elab);
/* part_soft.c: contacts that were chosen too soft for a weight. */
void dry_check_softness(const dry_elab *elab);

/* ---- with code ----------------------------------------------------------------------------- */

/* A model that can be evaluated. */
typedef struct dry_subject {
    const dry_elab *elab;
    const dry_system *system;
    const dry_inclusion *inclusion; /* with the sets kept; NULL: they are relaxed */
    /* The rates at t = 0 with every law as the branch says. With parts: roots are the rates of the
     * equations, then what they push; they follow x, or are taken as they are. Equations alone need
     * no roots. */
    void (*rate_in)(const dry_env *env, dry_branch branch, double tau, const double *x,
                    double *roots, bool follows, double *x_dot);
} dry_subject;

/* start_rates.c: the rates at the start are finite. */
void dry_check_start_rates(const dry_subject *subject);

/* Each step that resolves what swings for long, if nobody gives a step; INFINITY: the usual one
 * does. They say so if no step would do. */
double dry_check_resolving_step(const dry_subject *subject); /* equation_step.c */
double dry_check_part_resolving(const dry_subject *subject); /* push_step.c */

/* equation_step.c, check 6: whether the step of the run fits the equations, with the answer; and
 * the same sooner, without one. */
bool dry_check_equation_step(const dry_subject *subject, dry_step_answer *answer);
bool dry_check_step_fits(const dry_subject *subject);
void dry_check_say_unstable(const dry_subject *subject, const dry_step_answer *answer);

/* part_step.c: the same for the stiffest motion of the parts; `answer` as far as a step is too
 * long.
 */
bool dry_check_part_step(const dry_subject *subject, dry_step_answer *answer);

/* push_step.c: the same for what equations do to themselves and to the parts. NULL: there is
 * nothing to ask, or no memory. */
typedef struct dry_push_check dry_push_check;
dry_push_check *dry_push_check_new(const dry_subject *subject);
void dry_push_check_free(dry_push_check *check);
bool dry_push_check_fits(dry_push_check *check);
void dry_push_check_say(dry_push_check *check, dry_step_answer *answer);

/* resonance.c, check 8: periodic forcing that a stuck element amplifies. */
void dry_check_resonance(const dry_elab *elab);

#endif
