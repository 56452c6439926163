/* The catalogue: its tables are complete, its counts and places are right, its messages help. */
#include "unit.h"

#include <drystone/law.h>
#include <stdio.h>
#include <string.h>

static bool says(const char *text) { return text && text[0] != '\0'; }

static void every_law_is_found_by_its_name(void **state) {
    (void)state;
    static const char *const names[] = {"coulomb",
                                        "elliptic",
                                        "patch",
                                        "ellipsoid",
                                        "multistate",
                                        "smoothing",
                                        "stribeck",
                                        "stribeck_slip",
                                        "karnopp",
                                        "viscous",
                                        "dahl",
                                        "bouc_wen",
                                        "lugre",
                                        "elastoplastic",
                                        "dwell",
                                        "leuven",
                                        "gms",
                                        "gms_smooth",
                                        "brush",
                                        "contact",
                                        "play",
                                        "kikuuwe_fujimoto",
                                        "compliant",
                                        "kelvin_voigt",
                                        "kelvin_voigt_cut",
                                        "hunt_crossley",
                                        "marhefka_orin",
                                        "lankarani_nikravesh",
                                        "gonthier",
                                        "flores",
                                        "zhang_sharf",
                                        "frictional_contact"};
    const int n = (int)(sizeof names / sizeof *names);
    assert_int_equal(dry_law_count(), n);
    for (int i = 0; i < n; i++) {
        const dry_law *law = dry_law_find(names[i]);
        assert_non_null(law);
        assert_string_equal(law->name, names[i]);
        assert_ptr_equal(dry_law_at(i), law);
    }
    assert_null(dry_law_find("hertz"));
    assert_null(dry_law_find(""));
    assert_null(dry_law_at(-1));
    assert_null(dry_law_at(n));
}

/* A law that names a set is dropped by the methods that keep the sets: each of its parameters must
 * be one that these methods do not need (K, beta, alpha), the level, the width of P, or the matrix
 * that lang gives them. Any other would be ignored there without a word. */
static void a_law_of_a_set_adds_nothing(void **state) {
    (void)state;
    static const char known[] = " F K alpha beta h D11 D12 D13 D22 D23 D33 ";
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        for (int k = 0; law->set && k < law->n_params; k++) {
            char word[32];
            snprintf(word, sizeof word, " %s ", law->params[k].name);
            if (!strstr(known, word)) fail_msg("%s: %s", law->name, law->params[k].name);
        }
    }
}

static void check_params(const dry_law *law) {
    bool counted = false;
    for (int i = 0; i < law->n_params; i++) {
        const dry_law_param *row = &law->params[i];
        assert_true(says(row->name));
        assert_true(says(row->meaning));
        assert_non_null(row->unit);
        assert_int_equal(dry_law_par_find(law, row->name), i); /* no name twice */
        counted |= row->form == DRY_COUNT;
        assert_true(counted || row->form != DRY_LIST); /* the count stands before every list */
    }
}

static void the_tables_are_complete(void **state) {
    (void)state;
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        assert_true(says(law->title));
        assert_true(says(law->equation));
        assert_true(says(law->paper));
        if (dry_law_lacks(law)) fail_msg("%s lacks %s", law->name, dry_law_lacks(law));
        assert_true((law->traits & DRY_NEVER_PULLS) == 0 || law->kind != DRY_FRICTION);
        check_params(law);
        for (int k = 0; k < law->n_states; k++) {
            assert_true(says(law->states[k].name));
            assert_true(says(law->states[k].meaning));
        }
    }
    for (int trait = 0; trait < DRY_N_TRAITS; trait++) {
        assert_true(says(dry_trait_name(trait)));
        assert_true(says(dry_trait_meaning(trait)));
    }
    assert_string_equal(dry_trait_name(3), "no drift");
    assert_null(dry_trait_name(-1));
    assert_null(dry_trait_meaning(DRY_N_TRAITS));
}

/* Each fact that is taken from a row is missed by its name. */
static void a_row_that_is_not_whole_is_told(void **state) {
    (void)state;
    const dry_law whole = *dry_law_find("coulomb");
    dry_law law;
#define WITHOUT(fact, value)                                                                       \
    law = whole;                                                                                   \
    law.fact = value;                                                                              \
    assert_non_null(dry_law_lacks(&law));                                                          \
    assert_string_equal(dry_law_lacks(&law), #fact)
    assert_null(dry_law_lacks(&whole));
    WITHOUT(name, "");
    WITHOUT(title, NULL);
    WITHOUT(equation, NULL);
    WITHOUT(paper, NULL);
    WITHOUT(max_dim, 0);
    WITHOUT(params, NULL);
    WITHOUT(states, NULL);
    WITHOUT(eval, NULL);
    WITHOUT(jacobian, NULL);
    WITHOUT(stuck, NULL);
    WITHOUT(loose, NULL);
    WITHOUT(fastest, NULL);
    WITHOUT(phase, NULL);
    WITHOUT(bound, NULL);
    WITHOUT(kinks, NULL);
    WITHOUT(set, "no such set");
    WITHOUT(set, dry_law_find("contact")->set);
    WITHOUT(resolvent, DRY_RESOLVENT_CONTACT);
#undef WITHOUT
}

/* Every set relaxes to a law, and laws that relax a set fit its kind. */
static void every_set_has_a_law(void **state) {
    (void)state;
    for (int i = 0; i < dry_set_count(); i++) {
        const dry_law *law = dry_law_of_set(dry_set_at(i));
        if (!law) fail_msg("%s has no law", dry_set_at(i)->name);
        assert_ptr_equal(dry_law_set(law), dry_set_at(i));
    }
    assert_ptr_equal(dry_law_of_set(dry_set_find("sgn")), dry_law_find("coulomb"));
    assert_ptr_equal(dry_law_of_set(dry_set_find("dio")), dry_law_find("contact"));
    assert_null(dry_law_set(dry_law_find("lugre")));
}

static void counts_and_places(void **state) {
    (void)state;
    const dry_law *many = dry_law_find("multistate"), *both = dry_law_find("frictional_contact");
    const dry_law *contact = dry_law_find("contact"), *one = dry_law_find("coulomb");
    double par[64];
    assert_int_equal(dry_law_par_size(many, 10), 7 + 3 * 10);
    assert_int_equal(dry_law_par_offset(many, dry_law_par_find(many, "sigma"), 10), 7 + 10);
    assert_int_equal(dry_law_par_find(many, "mu"), -1);
    dry_law_defaults(many, 4, par);
    assert_int_equal(dry_law_states(many, par, 1), 1 + 4);
    assert_int_equal(dry_law_states(both, par, 3), 1 + 3);
    assert_int_equal(dry_law_inputs(one, 2), 2);
    assert_int_equal(dry_law_inputs(contact, 0), 2);
    assert_int_equal(dry_law_inputs(both, 2), 4);
    assert_int_equal(dry_law_forces(one, 2), 2);
    assert_int_equal(dry_law_forces(contact, 0), 1);
    assert_int_equal(dry_law_forces(both, 2), 3);
}

/* The papers' values in SI: 5/i N/um, 0.02 N s/um, 1/N; X13 figures 3 and 5. */
static void defaults(void **state) {
    (void)state;
    double par[64];
    dry_law_defaults(dry_law_find("multistate"), 10, par);
    const double head[7] = {10, 1, 2.5, 5e-6, 2, 0.02, 0};
    all_equal(7, par, head);
    for (int i = 0; i < 10; i++) {
        equal(par[7 + i], 5e6 / (i + 1));
        equal(par[17 + i], 2e4);
        equal(par[27 + i], 1.0 / 10);
    }
    dry_law_defaults(dry_law_find("contact"), 1, par);
    equal(par[0], 1e5);
    equal(par[1], 0.005);
    equal(par[2], 0.01);
    dry_law_defaults(dry_law_find("coulomb"), 1, par);
    equal(par[0], 0.5);
    equal(par[1], 5e3);
    equal(par[2], 2e-3);
}

/* Sets parameter `name` of the defaults and expects `words` in the message about row `row`. */
static void expect_message(const char *law_name, const char *name, double value, int row,
                           const char *words) {
    const dry_law *law = dry_law_find(law_name);
    double par[64];
    int index = 99;
    dry_law_defaults(law, 3, par);
    assert_null(dry_law_check(law, par, 1, &index));
    assert_int_equal(index, -1);
    par[dry_law_par_offset(law, dry_law_par_find(law, name), 3)] = value;
    const dry_wrong *message = dry_law_check(law, par, 1, &index);
    assert_non_null(message);
    char text[512];
    snprintf(text, sizeof text, "%s: %s", message->what, message->way_out ? message->way_out : "");
    assert_non_null(strstr(text, words));
    assert_int_equal(index, row);
    assert_ptr_equal(dry_law_check(law, par, 1, NULL), message);
}

static void messages(void **state) {
    (void)state;
    expect_message("coulomb", "F", -1.0, 0, "negative");
    expect_message("coulomb", "K", 0.0, 1, "positive");
    expect_message("coulomb", "beta", (double)NAN, 2, "finite");
    expect_message("coulomb", "F", (double)INFINITY, 0, "finite");
    expect_message("compliant", "lambda", 0.9, 1, "at least 1");
    expect_message("multistate", "N", 2.5, 0, "whole number");
    expect_message("multistate", "N", 0.0, 0, "whole number");
    expect_message("multistate", "N", 1e12, 0, "whole number");
    expect_message("multistate", "sigma", 0.0, 8, "positive");
    expect_message("multistate", "lambda", 0.5, -1, "divide each of them by their sum");
    expect_message("gms", "lambda", 0.0, -1, "add up to 1");
    expect_message("lugre", "Fs", -0.1, 1, "negative");
    expect_message("elastoplastic", "ba", 1.0, -1, "below 1");
    expect_message("contact", "alpha", 0.02, -1, "alpha is larger than beta");
    expect_message("contact", "beta", 0.001, -1, "lower alpha or raise beta");
    expect_message("frictional_contact", "alpha", 0.02, -1, "alpha is larger than beta");
    expect_message("lankarani_nikravesh", "restitution", 1.1, -1, "gain energy");
    expect_message("bouc_wen", "share", 0.4, -1, "gain energy");
    expect_message("bouc_wen", "n", 0.5, 2, "at least 1");
    expect_message("gonthier", "restitution", 0.0, 2, "positive");
    expect_message("flores", "speed", 0.0, 3, "positive");
}

static void perfectly_elastic_is_allowed(void **state) {
    (void)state;
    const double par[3] = {1e5, 0.01, 0.01};
    assert_null(dry_law_check(dry_law_find("contact"), par, 0, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_of_a_set_adds_nothing),
        cmocka_unit_test(every_law_is_found_by_its_name),
        cmocka_unit_test(the_tables_are_complete),
        cmocka_unit_test(a_row_that_is_not_whole_is_told),
        cmocka_unit_test(every_set_has_a_law),
        cmocka_unit_test(counts_and_places),
        cmocka_unit_test(defaults),
        cmocka_unit_test(messages),
        cmocka_unit_test(perfectly_elastic_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
