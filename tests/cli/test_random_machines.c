/* Random machines of masses, springs, dampers, frictions and contacts, by every method: an answer
 * that is off by more than 1 % never comes without a word.
 *
 * With K, alpha and beta given, the truth is dop853 at a tolerance of 1e-10. With all of them
 * chosen, the truth is the rigid inclusion at a 32nd of the step. An answer is the last, largest or
 * least value of a state; its size is the range of that state over the run, at least the largest
 * range among states of the same unit. A word is an exit code that is not 0, or NOT CONVERGED,
 * SENSITIVE or "gives way" on standard error. A machine whose motion parts from a start 1e-9 beside
 * it is chaotic, and another one is drawn. DRY_SEED and DRY_MACHINES draw others, and more. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "unit.h"
#include <drystone/base.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MACHINES = 30, MOST_MASSES = 3, ANSWERS = 3, MOST_ANSWERS = 2 * MOST_MASSES * ANSWERS };
static const double ALLOWED = 0.01, NUDGE = 1e-9, PARTED = 1e-6;
static const char *const RELAXED[] = {"euler",  "heun",   "rk4",    "rk4-tau", "semi-implicit",
                                      "dopri5", "dop853", "rodas4", NULL};
static const char *const RIGID[] = {"rigid", "rigid-routh", "split", "split-symmetric", NULL};

/* ---- draw -------------------------------------------------------------------- */

static uint64_t dice;

static double draw(double low, double high) { /* uniform; splitmix64 */
    uint64_t z = dice += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static double draw_log(double low, double high) { return low * pow(high / low, draw(0, 1)); }
static bool toss(double chance) { return draw(0, 1) < chance; }

/* One friction or contact, with the K, alpha and beta of the form in which they are given. */
typedef struct element {
    bool there;
    double level, restitution, gap;
    double K, alpha, beta;
} element;

/* A row of masses; each hangs on a spring from the one before it, the first from the wall. */
typedef struct machine {
    int n;
    double step, until;
    double m[MOST_MASSES], k[MOST_MASSES], c[MOST_MASSES], x[MOST_MASSES], v[MOST_MASSES];
    element friction[MOST_MASSES]; /* on the floor */
    element stop;                  /* of the last mass, at x = -gap */
    double push, omega;            /* on the first mass */
} machine;

static element draw_friction(double m) {
    const double w = draw_log(150, 1500);
    return (element){
        .there = true, .level = draw(0.5, 3) * m, .K = m * w * w, .beta = draw(0.7, 2) / w};
}

static element draw_stop(double m) {
    const double w = draw_log(300, 2000), beta = draw(0.2, 0.6) / w;
    return (element){.there = true,
                     .gap = draw(0, 0.05),
                     .restitution = draw(0.1, 0.8),
                     .K = m * w * w,
                     .beta = beta,
                     .alpha = beta * draw(0.2, 0.9)};
}

static machine draw_machine(uint64_t seed) {
    dice = seed;
    machine a = {
        .n = 1 + (int)draw(0, MOST_MASSES), .step = draw_log(1e-4, 2e-3), .until = draw(0.5, 1.5)};
    for (int i = 0; i < a.n; i++) {
        const double w = draw_log(3, 40);
        a.m[i] = draw_log(0.3, 5);
        a.k[i] = a.m[i] * w * w;
        a.c[i] = toss(0.5) ? a.m[i] * w * draw(0, 0.2) : 0;
        a.x[i] = draw(-0.1, 0.1);
        a.v[i] = draw(-1, 1);
        if (toss(0.6)) a.friction[i] = draw_friction(a.m[i]);
    }
    if (toss(0.5)) a.stop = draw_stop(a.m[a.n - 1]);
    if (a.stop.there) {
        a.friction[a.n - 1].there = false; /* no impact has friction */
        a.x[a.n - 1] = fabs(a.x[a.n - 1]);
    }
    if (toss(0.5)) a.push = draw(1, 10), a.omega = draw(3, 60);
    return a;
}

/* ---- write ------------------------------------------------------------------- */

static void print_elements(const machine *a, bool given, FILE *out) {
    for (int i = 0; i < a->n; i++) {
        const element *f = &a->friction[i];
        if (!f->there) continue;
        fprintf(out, "f%d in %.9g [N]*sgn(v%d)", i + 1, f->level, i + 1);
        if (given) fprintf(out, " with K = %.9g [N/m], beta = %.9g [s]", f->K, f->beta);
        fprintf(out, "\n");
    }
    const element *s = &a->stop;
    if (!s->there) return;
    fprintf(out, "N in dio(x%d + %.9g [m]) with ", a->n, s->gap);
    if (given)
        fprintf(out, "K = %.9g [N/m], alpha = %.9g [s], beta = %.9g [s]\n", s->K, s->alpha,
                s->beta);
    else
        fprintf(out, "restitution = %.9g\n", s->restitution);
}

static void print_motion(const machine *a, int i, FILE *out) {
    fprintf(out, "x%d' = v%d\n%.9g [kg]*v%d' = -s%d", i + 1, i + 1, a->m[i], i + 1, i + 1);
    if (i + 1 < a->n) fprintf(out, " + s%d", i + 2);
    if (a->friction[i].there) fprintf(out, " - f%d", i + 1);
    if (a->stop.there && i + 1 == a->n) fprintf(out, " + N");
    if (i == 0 && a->push > 0) fprintf(out, " + %.9g [N]*sin(%.9g [rad/s]*t)", a->push, a->omega);
    fprintf(out, "\n");
}

static void print_spring(const machine *a, int i, FILE *out) {
    fprintf(out, "s%d = %.9g [N/m]*", i + 1, a->k[i]);
    if (i > 0)
        fprintf(out, "(x%d - x%d) + %.9g [N s/m]*(v%d - v%d)\n", i + 1, i, a->c[i], i + 1, i);
    else
        fprintf(out, "x1 + %.9g [N s/m]*v1\n", a->c[0]);
}

static void print_machine(const machine *a, bool given, FILE *out) {
    static const char *const answers[ANSWERS] = {"final", "max", "min"};
    fprintf(out, "param nudge = 0 [m]\n");
    for (int i = 0; i < a->n; i++)
        fprintf(out, "state x%d = %.9g [m] + nudge, v%d = %.9g [m/s]\n", i + 1, a->x[i], i + 1,
                a->v[i]);
    for (int i = 0; i < a->n; i++) print_spring(a, i, out);
    print_elements(a, given, out);
    for (int i = 0; i < a->n; i++) print_motion(a, i, out);
    fprintf(out, "run until = %.9g [s], step = %.9g [s]\n", a->until, a->step);
    for (int i = 0; i < 2 * a->n; i++)
        for (int q = 0; q < ANSWERS; q++)
            fprintf(out, "measure q%d = %s(%c%d)\n", i * ANSWERS + q, answers[q], i % 2 ? 'v' : 'x',
                    i / 2 + 1);
}

/* ---- run --------------------------------------------------------------------- */

static char folder[512];

typedef struct answers {
    int status;
    bool word;
    double q[MOST_ANSWERS];
} answers;

static char *text_of(const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    static char text[1 << 16];
    const size_t n = fread(text, 1, sizeof text - 1, in);
    text[n] = '\0';
    fclose(in);
    return text;
}

static void read_answers(const machine *a, answers *got) {
    const char *text = text_of("out");
    for (int i = 0; i < 2 * a->n * ANSWERS; i++) {
        char key[32];
        snprintf(key, sizeof key, "\"q%d\": ", i);
        const char *at = strstr(text, key);
        assert_non_null(at);
        got->q[i] = strtod(at + strlen(key), NULL);
    }
}

static answers run(const machine *a, bool given, const char *arguments) {
    char path[600], command[2000];
    snprintf(path, sizeof path, "%s/machine.dry", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    print_machine(a, given, out);
    fclose(out);
    snprintf(command, sizeof command, "%s/drystone run %s --json --no-native %s >%s/out 2>%s/err",
             getenv("DRY_BUILD"), path, arguments, folder, folder);
    const int ended = system(command);
    assert_true(WIFEXITED(ended));
    answers got = {.status = WEXITSTATUS(ended)};
    const char *said = text_of("err");
    got.word = got.status != 0 || strstr(said, "NOT CONVERGED") || strstr(said, "SENSITIVE") ||
               strstr(said, "gives way");
    if (got.status == 0) read_answers(a, &got);
    return got;
}

/* The range of state i over the run, at least the largest among states of its unit. */
static double size_of(const machine *a, const answers *truth, int i) {
    double size = 0;
    for (int j = i % 2; j < 2 * a->n; j += 2)
        size = fmax(size, truth->q[j * ANSWERS + 1] - truth->q[j * ANSWERS + 2]);
    return size;
}

static double farthest(const machine *a, const answers *truth, const answers *got) {
    double worst = 0;
    for (int i = 0; i < 2 * a->n * ANSWERS; i++) {
        const double off = fabs(got->q[i] - truth->q[i]) / size_of(a, truth, i / ANSWERS);
        worst = off <= worst ? worst : off; /* nan counts */
    }
    return worst;
}

/* ---- judge ------------------------------------------------------------------- */

static int silent; /* wrong answers without a word */

static void judge(int seed, const machine *a, bool given, const answers *truth,
                  const char *method) {
    char arguments[200];
    snprintf(arguments, sizeof arguments, "--method %s", method);
    const answers got = run(a, given, arguments);
    if (got.word) return;
    const double off = farthest(a, truth, &got);
    if (off <= ALLOWED) return;
    silent++;
    print_message("machine %d, K %s, %s: off by %.3g of its size, and no word\n", seed,
                  given ? "given" : "chosen", method, off);
    print_machine(a, given, stdout);
}

static bool calm(const machine *a, bool given, const char *arguments, answers *truth) {
    char nudged[300];
    snprintf(nudged, sizeof nudged, "%s -p nudge=%g", arguments, NUDGE);
    *truth = run(a, given, arguments);
    if (truth->status != 0) return false;
    const answers beside = run(a, given, nudged);
    return beside.status == 0 && farthest(a, truth, &beside) < PARTED;
}

static void by_all(bool given, int first, int machines) {
    silent = 0;
    int seed = first;
    for (int done = 0; done < machines; seed++) {
        const machine a = draw_machine((uint64_t)seed);
        answers truth;
        char arguments[200] = "--method dop853 --rtol 1e-10 --atol 1e-13";
        if (!given)
            snprintf(arguments, sizeof arguments, "--method rigid --step %.9g", a.step / 32);
        below(seed, first + 4 * machines); /* most machines are calm */
        if (!calm(&a, given, arguments, &truth)) continue;
        for (int i = 0; RELAXED[i]; i++) judge(seed, &a, given, &truth, RELAXED[i]);
        for (int i = 0; !given && RIGID[i]; i++) judge(seed, &a, given, &truth, RIGID[i]);
        done++;
    }
    assert_int_equal(silent, 0);
}

/* Where the draw begins, and how many are drawn, if the environment says it. */
static int from_environment(const char *name, int usual) {
    const char *text = getenv(name);
    if (!text || !*text) return usual;
    char *end;
    const long n = strtol(text, &end, 10);
    if (*end || n < 1 || n > 100000000)
        fail_msg("%s=%s is not a whole number from 1 on", name, text);
    return (int)n;
}

static void no_wrong_answer_is_silent_with_K_given(void **state) {
    (void)state;
    by_all(true, from_environment("DRY_SEED", 1), from_environment("DRY_MACHINES", MACHINES));
}

static void no_wrong_answer_is_silent_with_K_chosen(void **state) {
    (void)state;
    by_all(false, 1000 + from_environment("DRY_SEED", 1),
           from_environment("DRY_MACHINES", MACHINES));
}

static int open_folder(void **state) {
    (void)state;
    const char *above = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/machines-XXXXXX", above ? above : "/tmp");
    return mkdtemp(folder) ? 0 : 1;
}

static int close_folder(void **state) {
    (void)state;
    static const char *const names[] = {"machine.dry", "out", "err"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_wrong_answer_is_silent_with_K_given),
        cmocka_unit_test(no_wrong_answer_is_silent_with_K_chosen),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
