/* The words of the watch, against motions whose errors are known in closed form.
 *
 * An oscillator x'' = -w^2 x by Euler steps T grows by sqrt(1 + (w T)^2) in each: at the end the
 * amplitude is wrong by (1 + (w T)^2)^(n/2) - 1. A mass on a floor sinks by m g/K; a friction that
 * holds F gives way by F/K. */
#include "unit.h"

#include <drystone/watch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct watched {
    dry_model *model;
    dry_sim_result result;
    dry_watch_verdict verdict;
} watched;

/* Compiles and runs a text, and watches the run. */
static watched watch(const char *text, dry_watch_options options) {
    const dry_model_options forced = {.force = true}; /* Euler's oscillators grow */
    watched w = {.model = dry_model_compile("test.dry", text, strlen(text), &forced)};
    dry_run_options run;
    dry_error error = {0};
    assert_non_null(w.model);
    if (!dry_model_ok(w.model)) fail_msg("%s", dry_model_message(w.model, 0).text);
    is_ok(dry_model_plan(w.model, &run, &error), &error);
    const dry_sim_options how = {.run = run, .saves = dry_watch_saves(dry_model_system(w.model))};
    const dry_inclusion *inclusion = dry_model_inclusion(w.model);
    is_ok(inclusion ? dry_sim_run_inclusion(inclusion, &how, &w.result, &error)
                    : dry_sim_run(dry_model_system(w.model), &how, &w.result, &error),
          &error);
    if (dry_watch(w.model, &run, &w.result, &options, &w.verdict, &error) != DRY_OK)
        fail_msg("%s", error.text);
    return w;
}

static void end(watched *w) {
    dry_watch_free(&w->verdict);
    dry_record_free(w->result.record);
    free(w->result.saved);
    dry_model_free(w->model);
}

/* Ends the watch when it is asked for the last time. */
static bool ends_it(void *user, double t) {
    (void)t;
    int *left = user;
    return --*left > 0;
}

/* What the caller ends says nothing about the run, whichever repeat it is that he ends. */
static void a_watch_that_is_ended_has_no_verdict(void **state) {
    (void)state;
    static const char text[] = "state y = 1 [mm], v = 0 [m/s]\ny' = v\nN in dio(y)\n"
                               "1 [kg]*v' = N - 9.81 [N]\nrun until = 2 [s], step = 1 [ms]\n";
    int asked = 1 << 30;
    watched w = watch(text, (dry_watch_options){.progress = ends_it, .user = &asked});
    asked = (1 << 30) - asked; /* by all the repeats */
    at_least(asked, 4);
    dry_run_options run;
    dry_error error = {0};
    is_ok(dry_model_plan(w.model, &run, &error), &error);
    for (int i = 1; i <= asked; i += 1 + asked / 20) {
        int left = i;
        dry_watch_verdict verdict;
        const dry_watch_options options = {.progress = ends_it, .user = &left};
        assert_int_equal(dry_watch(w.model, &run, &w.result, &options, &verdict, &error),
                         DRY_RUN_FAILED);
        assert_non_null(strstr(error.text, "ended"));
        assert_int_equal(verdict.word, DRY_UNWATCHED);
        assert_string_equal(verdict.text, "");
    }
    end(&w);
}

/* The error that is told, against the true one of the end. */
static void the_error_of_a_step_is_told(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 1e-4};
    for (size_t i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                 "run until = 2*pi*1 [s], step = %.17g [s], method = euler\n",
                 2.0 * acos(-1.0) / round(2.0 * acos(-1.0) / steps[i]));
        watched w = watch(text, (dry_watch_options){.limit = 1e9});
        const double T = 2.0 * acos(-1.0) / round(2.0 * acos(-1.0) / steps[i]);
        const double grown = pow(1.0 + T * T, 0.5 * 2.0 * acos(-1.0) / T) - 1.0;
        const double told = w.verdict.estimates[0].error;
        assert_int_equal(w.verdict.word, DRY_TRUSTED);
        /* of first order: twice the difference to T/2 is the error, up to T */
        closer(told / grown, 1.0, 10.0 * T);
        /* the size of both states is 2 */
        at_least(w.verdict.error, 0.4 * grown);
        below(w.verdict.error, grown);
        end(&w);
    }
}

static void a_coarse_step_is_not_converged(void **state) {
    (void)state;
    watched w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                      "run until = 20 [s], step = 0.05 [s], method = euler\n",
                      (dry_watch_options){0});
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    assert_non_null(strstr(w.verdict.text, "NOT CONVERGED"));
    assert_false(dry_watch_is_good(&w.verdict));
    end(&w);
    w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
              "run until = 20 [s], step = 0.05 [s], method = euler\n",
              (dry_watch_options){.most = 10.0}); /* whoever trusts that */
    assert_int_equal(w.verdict.word, DRY_TRUSTED);
    end(&w);
}

/* What is judged: an expectation by its answer, a measure near 0 by the size of what it measures.
 */
static void measures_are_judged_by_what_they_measure(void **state) {
    (void)state;
    watched w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                      "run until = 2*pi*1 [s], step = pi*1 [ms], method = rk4\n"
                      "measure off = final(x) - 1 [m]\n",
                      (dry_watch_options){0});
    assert_int_equal(w.verdict.word, DRY_TRUSTED); /* though `off` itself changes 16-fold */
    end(&w);
    w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
              "run until = 2*pi*1 [s], step = pi*1 [ms], method = euler\n"
              "expect final(x) = 1.0099 +- 1e-3\n", /* exp(pi T) of this step */
              (dry_watch_options){.most = 1.0});
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    assert_non_null(strstr(w.verdict.text, "final(x) = 1.0099"));
    end(&w);
}

/* x'' + x + F sgn x' = 0 comes to rest where it must: kinks are no reason to distrust. */
static void kinks_are_no_alarm(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4",    "rk4-tau", "semi-implicit", "dopri5",
                                          "dop853", "rodas4",  "rigid"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "param m = 1 [kg], k = 100 [N/m], F = 5 [N]\n"
                 "state x = 0.48 [m], v = 0 [m/s]\nf in F*sgn(v)\nx' = v\nm*v' = -k*x - f\n"
                 "run until = 6 [s], step = 0.2 [ms], method = %s\nmeasure rest = final(x)\n",
                 methods[i]);
        watched w = watch(text, (dry_watch_options){.limit = 1e9});
        if (!dry_watch_is_good(&w.verdict)) fail_msg("%s: %s", methods[i], w.verdict.text);
        end(&w);
    }
}

/* The error that is told is at least a third of the true one, by every method: x = cos w t, of
 * which the size is 2 and the mean error, which is told too, may be larger than that at the end. */
static void no_error_is_told_too_small(void **state) {
    (void)state;
    static const char *const how[] = {
        "step = 1 [ms], method = euler",
        "step = 10 [ms], method = heun",
        "step = 10 [ms], method = rk4",
        "step = 10 [ms], method = rk4-tau",
        "step = 1 [ms], method = semi-implicit",
        "step = 10 [ms], method = rigid",
        "step = 10 [ms], method = split",
        "method = dopri5",
        "method = dopri5, max_step = 0.05 [s]",
        "method = dop853",
        "method = dop853, max_step = 0.2 [s], rtol = 0.01",
        "method = rodas4",
        "method = rodas4, rtol = 1e-3, max_step = 0.05 [s]",
    };
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x*(2 [1/s])^2\n"
                 "run until = 4 [s], %s\n",
                 how[i]);
        watched w = watch(text, (dry_watch_options){.limit = 1e9});
        const double x = w.verdict.estimates[0].value, off = fabs(x - cos(8.0)) / 2.0;
        if (!(w.verdict.error > 1e-17 && w.verdict.error >= off / 3.0))
            fail_msg("%s: %g for %g: %s", how[i], w.verdict.error, off, w.verdict.text);
        end(&w);
    }
}

/* Jumps of a force that come to nothing end every step of an adaptive method, whatever its
 * tolerances are: the error is told all the same. */
static void steps_that_jumps_decide_are_halved(void **state) {
    (void)state;
    watched w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\n"
                      "v' = -x*(2 [1/s])^2 + (if sin(t/0.1 [s]) > 0 then 0 else 1e-12)*1 [m/s^2]\n"
                      "run until = 4 [s], method = rodas4, rtol = 0.01, atol = 1e-3\n",
                      (dry_watch_options){.limit = 1e9});
    const double off = fabs(w.verdict.estimates[0].value - cos(8.0));
    above(off, 1e-9);
    at_least(w.verdict.estimates[0].error, off / 3.0);
    end(&w);
}

static void a_run_that_is_exact_is_trusted_to_rounding(void **state) {
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853", "rodas4"};
    for (size_t i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "state y = 0 [m], u = 2 [m/s]\ny' = u\nu' = -9.81 [m/s^2]\n"
                 "run until = 2 [s], method = %s, rtol = 1e-3\n",
                 methods[i]);
        watched w = watch(text, (dry_watch_options){0});
        const double off = fabs(w.verdict.estimates[0].value - (4.0 - 0.5 * 9.81 * 4.0)) / 15.6;
        assert_int_equal(w.verdict.word, DRY_TRUSTED);
        between(w.verdict.error, 1e-16, 1e-12);
        below(off, 3.0 * w.verdict.error);
        end(&w);
    }
}

/* rk4-tau runs a contact with alpha + T. At T = alpha half the step does not halve the error: what
 * is told covers the truth, which rk4 at a twentieth of the step knows. Below T an alpha is lost.
 */
static void a_step_in_the_law_is_told(void **state) {
    (void)state;
    static const char text[] =
        "state x = 0.1 [m], v = 0 [m/s]\nN in dio(x) with K = 2e5 [N/m], alpha = 0.5 [ms], "
        "beta = 0.8 [ms]\nx' = v\n1 [kg]*v' = N - 9.81 [N]\n"
        "run until = 0.25 [s], step = %g [ms], record = 1 [ms], method = %s\n";
    char with[300];
    snprintf(with, sizeof with, text, 0.025, "rk4");
    watched truth = watch(with, (dry_watch_options){.limit = 1e9});
    for (int i = 0; i < 2; i++) {
        snprintf(with, sizeof with, text, 0.5, i ? "semi-implicit" : "rk4-tau");
        watched w = watch(with, (dry_watch_options){.limit = 1e9, .most = 10.0});
        for (int k = 0; k < 2; k++) {
            const dry_watch_estimate *e = &w.verdict.estimates[k];
            const double off = fabs(e->value - truth.verdict.estimates[k].value);
            if (!(off > 1e-3 && e->error >= off)) fail_msg("%s: %g for %g", e->name, e->error, off);
        }
        end(&w);
    }
    end(&truth);
    snprintf(with, sizeof with, text, 0.51, "rk4-tau");
    watched w = watch(with, (dry_watch_options){.limit = 1e9, .most = 10.0});
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    assert_non_null(strstr(w.verdict.text, "adds the step"));
    end(&w);
}

static void chaos_is_sensitive(void **state) {
    (void)state;
    static const char *const methods[] = {"rk4", "dop853", "rigid", "split"};
    for (size_t i = 0; i < 4; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "state a = 2.5, b = 2, wa = 0, wb = 0\nd = a - b\na' = wa\nb' = wb\n"
                 "wa' = (-3*9.81*sin(a) - 9.81*sin(a - 2*b) - 2*sin(d)*(wb^2 + "
                 "wa^2*cos(d)))/(3 - cos(2*d))\n"
                 "wb' = (2*sin(d)*(2*wa^2 + 2*9.81*cos(a) + wb^2*cos(d)))/(3 - cos(2*d))\n"
                 "run until = 20, step = 0.002, method = %s\n",
                 methods[i]);
        watched w = watch(text, (dry_watch_options){.limit = 1e9});
        if (w.verdict.word != DRY_SENSITIVE) fail_msg("%s: %s", methods[i], w.verdict.text);
        between(w.verdict.from, 4.0, 20.0);
        end(&w);
    }
}

/* A nudge is as large as all that a state moves which stands still: this is no chaos. */
static void a_state_that_stands_is_not_sensitive(void **state) {
    (void)state;
    watched w = watch("state x = 1 [m], v = 0 [m/s], still = 1 [kg]\nx' = v\nv' = -x/1 [s^2]\n"
                      "still' = 0 [kg/s]\nrun until = 20 [s], step = 0.05 [s], method = euler\n",
                      (dry_watch_options){0});
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    end(&w);
}

/* ---- windows ------------------------------------------------------------------------- */

/* In a window of L Euler steps the amplitude 1 grows by k T^2/2 until step k, with half the step by
 * half of that; half of the rows are further apart than at k = L/2. 600 states are kept of 20,000
 * steps, so that windows have 33 or 34. */
static void windows_agree_as_far_as_their_steps_do(void **state) {
    (void)state;
    const double T = 1e-3, L = 33.5;
    watched w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                      "run until = 20 [s], step = 1 [ms], method = euler\n",
                      (dry_watch_options){.limit = 5e4}); /* the whole takes 8e4 */
    const double told = w.verdict.error, most = 0.5 * L * T * T / 2.0 / 2.0; /* size 2 */
    assert_int_equal(w.verdict.word, DRY_UNWATCHED);
    assert_true(w.verdict.sampled);
    assert_false(dry_watch_is_good(&w.verdict) || dry_watch_is_bad(&w.verdict));
    assert_non_null(strstr(w.verdict.text, "sampled: 8 windows, 0.2"));
    /* of x and v the larger is 0.7 to 1 of the amplitude, which has grown by 1 % at the end */
    between(told, 0.68 * most, 1.08 * most);
    end(&w);
}

/* Follows sin t with steps of 1 s: of first order, tau = 0.6 s. The answer changes with the step.
 */
static const char FOLLOWS[] = "state x = 0, p = 0 [s]\np' = 1\nx' = -(x - sin(t/1 [s]))/0.6 [s]%s\n"
                              "run until = 20000 [s], step = 1 [s], method = euler\n";

static void windows_that_change_are_not_converged(void **state) {
    (void)state;
    char text[300];
    snprintf(text, sizeof text, FOLLOWS, "");
    watched w = watch(text, (dry_watch_options){.limit = 6e4});
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    assert_true(w.verdict.sampled);
    above(w.verdict.error, 0.01);
    assert_non_null(strstr(w.verdict.text, "NOT CONVERGED: sampled from "));
    end(&w);
}

/* The same while a factor with two kinks is not 0, for 80 of 20,000 s: found by its kinks. */
static void windows_with_kinks_are_looked_at(void **state) {
    (void)state;
    char text[300];
    snprintf(text, sizeof text, FOLLOWS, "*max(0, min(1, 4 - abs(p - 5000 [s])/10 [s]))");
    watched w = watch(text, (dry_watch_options){.limit = 6e4});
    double from = 0.0, until = 0.0;
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    assert_int_equal(
        sscanf(w.verdict.text, "NOT CONVERGED: sampled from %lf s to %lf s", &from, &until), 2);
    below(from, 5040.0);
    above(until, 4960.0);
    end(&w);
}

/* A method that meets the kinks itself has stopped at them: the windows with most of them are those
 * in which it met them, not those after. The tolerance is loose, and outside x rests. */
static void windows_with_kinks_that_were_met_are_looked_at(void **state) {
    (void)state;
    watched w =
        watch("state x = 0, p = 0 [s]\np' = 1\n"
              "x' = -(x - sin(t/1 [s]))/0.6 [s]*max(0, min(1, 4 - abs(p - 5000 [s])/10 [s]))\n"
              "run until = 20000 [s], method = dopri5, max_step = 1 [s], rtol = 0.1, atol = 0.1\n",
              (dry_watch_options){.limit = 1e5, .most = 1e-4});
    double from = 0.0, until = 0.0;
    assert_int_equal(w.verdict.word, DRY_NOT_CONVERGED);
    assert_int_equal(
        sscanf(w.verdict.text, "NOT CONVERGED: sampled from %lf s to %lf s", &from, &until), 2);
    below(from, 5040.0);
    above(until, 4960.0);
    end(&w);
}

/* Whatever a run goes on from is kept: pairs of shapes that touch, steps that the method finds,
 * sets that a rigid scheme keeps. A ball that rests, and an oscillator. */
static void every_run_is_sampled(void **state) {
    (void)state;
    static const char *const texts[] = {
        "part earth = gravity()\npart floor = plane()\n"
        "part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 0.15])\n"
        "part touch = contact()\nconnect touch - floor\nconnect touch - ball\n"
        "run until = 1 [s], step = 0.1 [ms]\n",
        "state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
        "run until = 90 [s], method = dopri5\n",
        "state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
        "run until = 90 [s], method = rodas4, record = 7 [s]\n",
        "state x = 1 [m], v = 0 [m/s]\nf in 0.01 [N]*sgn(v)\nx' = v\n1 [kg]*v' = -x*1 [N/m] - f\n"
        "run until = 20 [s], step = 1 [ms], method = rigid\n",
        "state x = 1 [m], v = 0 [m/s]\nf in 0.01 [N]*sgn(v)\nx' = v\n1 [kg]*v' = -x*1 [N/m] - f\n"
        "run until = 20 [s], step = 1 [ms], record = 1.7 [ms]\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        watched w = watch(texts[i], (dry_watch_options){.limit = 1e2});
        if (!w.verdict.sampled || w.verdict.word != DRY_UNWATCHED || !(w.verdict.error < 1e-4))
            fail_msg("%zu: %s", i, w.verdict.text);
        end(&w);
    }
}

static void windows_take_few_rates(void **state) {
    (void)state;
    watched w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                      "run until = 60 [s], step = 0.05 [s]\n",
                      (dry_watch_options){.limit = 1e2});
    int windows = 0;
    double length = 0.0, of = 0.0;
    assert_int_equal(
        sscanf(w.verdict.text, "sampled: %d windows, %lf s of %lf s", &windows, &length, &of), 3);
    at_least(windows, 4);
    at_most(windows, 8);
    equal(of, 60.0);
    at_most(2.0 * length, 0.03 * of * (1.0 + 1e-6));
    end(&w);
}

static void a_run_that_keeps_no_states_is_not_watched(void **state) {
    (void)state;
    static const char text[] = "state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                               "run until = 9 [s], step = 1 [ms]\n";
    watched w = watch(text, (dry_watch_options){.limit = 1e9});
    dry_run_options run;
    dry_error error = {0};
    dry_watch_verdict v;
    is_ok(dry_model_plan(w.model, &run, &error), &error);
    w.result.n_saved = 0;
    is_ok(dry_watch(w.model, &run, &w.result, &(dry_watch_options){.limit = 1e2}, &v, &error),
          &error);
    assert_int_equal(v.word, DRY_UNWATCHED);
    assert_false(v.sampled);
    assert_non_null(strstr(v.text, "not watched"));
    dry_watch_free(&v);
    end(&w);
}

/* A run that cannot be repeated gets an error, and no word. A rigid method takes no equations. */
static void a_run_that_cannot_be_repeated_is_an_error(void **state) {
    (void)state;
    static const double limits[] = {1e9, 1e2}; /* the whole run, and windows of it */
    for (size_t i = 0; i < 2; i++) {
        watched w = watch("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x/1 [s^2]\n"
                          "run until = 9 [s], step = 1 [ms]\n",
                          (dry_watch_options){.limit = 1e9});
        dry_run_options run;
        dry_error error = {0};
        dry_watch_verdict v;
        is_ok(dry_model_plan(w.model, &run, &error), &error);
        run.method = dry_rigid_method_at(0);
        assert_int_equal(dry_watch(w.model, &run, &w.result,
                                   &(dry_watch_options){.limit = limits[i]}, &v, &error),
                         DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, run.method->name));
        assert_int_equal(v.word, DRY_UNWATCHED);
        assert_int_equal(v.n_estimates, 0);
        dry_watch_free(&v);
        end(&w);
    }
}

/* ---- what gives way ------------------------------------------------------------------ */

static void a_floor_gives_way_by_m_g_over_K(void **state) {
    (void)state;
    static const char text[] = "param m = 1 [kg]\nstate y = 0 [m], v = 0 [m/s]\ny' = v\n"
                               "m*v' = -m*9.81 + N\nN in dio(y)\n"
                               "run until = 2 [s], step = 10 [ms]\n";
    watched w = watch(text, (dry_watch_options){0});
    const double K = dry_model_set(w.model, 0).K;
    assert_int_equal(w.verdict.n_gives, 1);
    const dry_watch_give *g = &w.verdict.gives[0];
    closer(g->by * K / 9.81, 1.0, 0.02);
    assert_string_equal(g->unit, "m");
    equal(g->wanted, 1e-3);
    assert_true(g->rigid);
    at_least(g->K, 9810.0 * (1.0 - 1e-9)); /* m g/K <= 1 mm */
    below(g->K, 11000.0);
    between(g->step, 0.65e-3, 0.73e-3);
    assert_false(dry_watch_is_good(&w.verdict));
    end(&w);
    /* the advice, followed */
    char advised[400];
    snprintf(advised, sizeof advised, "%s", text);
    snprintf(strstr(advised, "10 [ms]"), 20, "0.72 [ms]\n");
    w = watch(advised, (dry_watch_options){0});
    const double *e = dry_record_values(w.result.record, dry_record_find(w.result.record, "y"));
    at_most(-e[dry_record_rows(w.result.record) - 1], 1e-3);
    end(&w);
}

/* An element that gives way is bad by itself, also if the run takes too long for any other word. */
static void one_element_that_gives_way_is_bad(void **state) {
    (void)state;
    watched w = watch("state y = 0 [m], v = 0 [m/s]\ny' = v\n1 [kg]*v' = -9.81 [N] + N\n"
                      "N in dio(y)\nrun until = 2 [s], step = 10 [ms]\n",
                      (dry_watch_options){.limit = 1.0});
    assert_int_equal(w.verdict.word, DRY_UNWATCHED);
    assert_string_equal(w.verdict.chosen_text, "");
    assert_int_equal(w.verdict.n_gives, 1);
    assert_true(dry_watch_is_bad(&w.verdict));
    end(&w);
}

/* The depth of an impact is proportional to v sqrt(m/K), and so to the step, not to its square: a
 * first guess by the square is not enough. With the step that is advised the contact is
 * stretched by no more than is wanted. */
static void advice_for_an_impact_does(void **state) {
    (void)state;
    double step = 1e-3, wanted = 0.0;
    for (int round = 0; round < 2; round++) {
        char text[300];
        snprintf(text, sizeof text,
                 "state y = 1 [m], v = 0 [m/s]\ny' = v\n1 [kg]*v' = -9.81 [N] + N\n"
                 "N in dio(y)\nrun until = 1 [s], step = %.17g [s]\n",
                 step);
        watched w = watch(text, (dry_watch_options){.limit = 1e9});
        assert_int_equal(w.verdict.n_gives, round == 0);
        if (round == 0) {
            wanted = w.verdict.gives[0].wanted;
            step = w.verdict.gives[0].step;
            above(w.verdict.gives[0].by, 2.0 * wanted);
            above(step, 0.0);
        } else {
            const dry_record *record = w.result.record;
            const double *e = dry_record_values(record, dry_record_find(record, "N.e"));
            for (size_t k = 0; k < dry_record_rows(record); k++) at_most(fabs(e[k]), wanted);
        }
        end(&w);
    }
}

static void a_given_K_is_meant(void **state) {
    (void)state;
    watched w = watch("state y = 0 [m], v = 0 [m/s]\ny' = v\n1 [kg]*v' = -9.81 [N] + N\n"
                      "N in dio(y) with restitution = 0.3, K = 100 [N/m]\n"
                      "run until = 5 [s], step = 1 [ms]\n",
                      (dry_watch_options){0});
    assert_int_equal(w.verdict.n_gives, 0);
    assert_int_equal(w.verdict.word, DRY_TRUSTED);
    end(&w);
}

/* A ball under a load P that grows: by P/K at the end, 5 % of its thickness at most with the step
 * that is advised, also if no more than the beginning of a long run can be tried. */
static void what_is_advised_does(void **state) {
    static const char *const times[] = {"0.3", "60"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[600];
        double step = 1e-3;
        for (int round = 0; round < 2; round++) {
            snprintf(text, sizeof text,
                     "part ground = plane()\n"
                     "part ball = sphere(radius = 20 [mm], mass = 1 [kg], p = [0, 0, 0.02] [m])\n"
                     "part touch = contact(mu = 0.3)\nconnect touch - ground\n"
                     "connect touch - ball\nball.f[3] += -1000 [N]*min(1, t/0.1 [s])\n"
                     "run until = %s [s], step = %.17g [s], record = 10 [ms]\n",
                     round ? "0.3" : times[i], step);
            watched w = watch(text, (dry_watch_options){.limit = 2e7});
            const dry_watch_give *g = w.verdict.gives;
            assert_int_equal(w.verdict.n_gives, round == 0);
            if (round == 0) {
                above(g->by, 0.1 * 0.04);
                above(g->step, 0.0);
                at_least(g->K * g->wanted, 1000.0);
                assert_int_equal(g->tried > 0.0, i == 1);
                step = g->step;
            }
            end(&w);
        }
    }
}

/* A rotor that is turned into its stop: by M/K. */
static void angles_give_way_too(void **state) {
    (void)state;
    watched w = watch("part x = rotor(inertia = 1 [kg m^2])\n"
                      "part s = rotary_stop(lower = -1, upper = 0)\nconnect s - x\n"
                      "x.f[1] += 1000 [N m]*min(1, t/0.1 [s])\n"
                      "run until = 0.5 [s], step = 1 [ms]\n",
                      (dry_watch_options){.limit = 2e7});
    assert_int_equal(w.verdict.n_gives, 1);
    const dry_watch_give *g = w.verdict.gives;
    assert_string_equal(g->unit, "rad");
    above(g->step, 0.0);
    at_least(g->K * g->wanted, 0.999 * 1000.0);
    end(&w);
}

/* Without a position the size is the way: friction F = m V/1 s stops a mass from V in 1 s, after
 * V/2 metres. It may give way by 1 % of that, 5e-3 V, and does so by F/K; the advice aims at the
 * power of ten below. */
static void what_has_no_position_is_measured_by_its_way(void **state) {
    (void)state;
    static const double speeds[] = {100.0, 0.01}, steps[] = {0.01, 0.2};
    for (int i = 0; i < 4; i++) {
        const double V = speeds[i / 2], T = steps[i % 2], way = 0.5 * V;
        char text[200];
        snprintf(text, sizeof text,
                 "state v = %g [m/s]\n1 [kg]*v' = -f\nf in %g [N]*sgn(v)\n"
                 "run until = 2 [s], step = %g [s]\n",
                 V, V, T);
        watched w = watch(text, (dry_watch_options){0});
        const double by = V / dry_model_set(w.model, 0).K;
        assert_int_equal(w.verdict.n_gives, by > 0.01 * way);
        assert_int_equal(w.verdict.n_gives, i % 2);
        for (int k = 0; k < w.verdict.n_gives; k++) {
            closer(w.verdict.gives[k].by / by, 1.0, 0.02);
            closer(w.verdict.gives[k].wanted / (1e-3 * V), 1.0, 1e-9);
        }
        end(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watch_that_is_ended_has_no_verdict),
        cmocka_unit_test(the_error_of_a_step_is_told),
        cmocka_unit_test(a_coarse_step_is_not_converged),
        cmocka_unit_test(measures_are_judged_by_what_they_measure),
        cmocka_unit_test(kinks_are_no_alarm),
        cmocka_unit_test(no_error_is_told_too_small),
        cmocka_unit_test(steps_that_jumps_decide_are_halved),
        cmocka_unit_test(a_run_that_is_exact_is_trusted_to_rounding),
        cmocka_unit_test(a_step_in_the_law_is_told),
        cmocka_unit_test(chaos_is_sensitive),
        cmocka_unit_test(a_state_that_stands_is_not_sensitive),
        cmocka_unit_test(windows_agree_as_far_as_their_steps_do),
        cmocka_unit_test(windows_that_change_are_not_converged),
        cmocka_unit_test(windows_with_kinks_are_looked_at),
        cmocka_unit_test(windows_with_kinks_that_were_met_are_looked_at),
        cmocka_unit_test(every_run_is_sampled),
        cmocka_unit_test(windows_take_few_rates),
        cmocka_unit_test(a_run_that_keeps_no_states_is_not_watched),
        cmocka_unit_test(a_run_that_cannot_be_repeated_is_an_error),
        cmocka_unit_test(a_floor_gives_way_by_m_g_over_K),
        cmocka_unit_test(one_element_that_gives_way_is_bad),
        cmocka_unit_test(advice_for_an_impact_does),
        cmocka_unit_test(a_given_K_is_meant),
        cmocka_unit_test(what_is_advised_does),
        cmocka_unit_test(angles_give_way_too),
        cmocka_unit_test(what_has_no_position_is_measured_by_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
