/* The model that runs a robot's file: gravity, the base, a start inside the limits, joints that
 * hold by their drives, and a plot of every joint. Steps are tried until one is inside the bound.
 */
#include "files.h"

#include <drystone/urdf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = 12 };

typedef struct text {
    char *bytes;
    size_t length, room;
    bool failed;
} text;

static void add(text *t, const char *more) {
    const size_t n = strlen(more);
    while (!t->failed && t->length + n + 1 > t->room) {
        const size_t room = t->room > 0 ? 2 * t->room : 4096;
        char *bytes = realloc(t->bytes, room);
        t->failed = bytes == NULL;
        if (bytes) t->bytes = bytes, t->room = room;
    }
    if (t->failed) return;
    memcpy(t->bytes + t->length, more, n + 1);
    t->length += n;
}

/* ---- its statements ------------------------------------------------------------------ */

static bool is_zero(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0.0) return false;
    return true;
}

static void add_start(text *t, const double *q, int n) {
    if (is_zero(q, n)) return;
    add(t, ",\n    q = [");
    for (int i = 0; i < n; i++) {
        char number[DRY_NUMBER_SIZE];
        dry_number_text(q[i], number);
        if (i > 0) add(t, i % 10 == 0 ? ",\n         " : ", ");
        add(t, number);
    }
    add(t, "]");
}

static bool has_effort(const dry_robot *robot) {
    for (int i = 0; i < robot->arm.n_joints; i++)
        if (robot->joints[i].effort > 0.0) return true;
    return false;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_robot(text *t, const dry_robot *robot, const char *path, const double *q, int n,
                      const char *step) {
    const bool lone = robot->is_lone;
    add(t, lone
               ? "# All links are one body, which falls.\n"
               : "# base = free lets the root move. The drives hold with at most the effort of the "
                 "file.\n");
    add(t, "part earth = gravity(g = 9.81 [m/s^2])\npart robot = urdf(file = \"");
    add(t, base_of(path));
    add(t, lone ? "\", base = free" : "\", base = fixed");
    if (step) add(t, ", step = "), add(t, step);
    if (has_effort(robot)) add(t, ", drive = file, hold = 1");
    add_start(t, q, n);
    add(t, ")\n");
}

/* Curves of one unit, at most twelve in a panel. */
static void add_plots(text *t, const dry_robot *robot, const char *unit) {
    int count = 0;
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        for (int k = 0; j->scalar >= 0 && k < dry_joint_positions(j->kind); k++) {
            const bool planar = j->kind == DRY_PLANAR;
            const char *own = planar ? (k < 2 ? "m" : "rad") : j->unit;
            char curve[48];
            if (strcmp(own, unit) != 0) continue;
            snprintf(curve, sizeof curve, "robot.q[%d]", j->scalar + k + 1);
            add(t, count % MOST_CURVES > 0 ? ", " : count > 0 ? "\nplot " : "plot ");
            add(t, curve);
            count++;
        }
    }
    if (count > 0) add(t, "\n");
}

static void add_more_plots(text *t, const dry_robot *robot) {
    if (robot->is_lone)
        add(t, "plot robot.base_p[1], robot.base_p[2], robot.base_p[3]\n"
               "plot robot.base_omega[1], robot.base_omega[2], robot.base_omega[3]\n");
    for (int i = 0; i < robot->arm.n_joints; i++) {
        const dry_urdf_joint *j = &robot->joints[i];
        char plot[400];
        if (j->scalar >= 0) continue;
        snprintf(plot, sizeof plot,
                 "plot robot.%.80s_omega[1], robot.%.80s_omega[2], robot.%.80s_omega[3]\n", j->name,
                 j->name, j->name);
        add(t, plot);
    }
}

/* ---- a step that does ------------------------------------------------------------------ */

typedef struct pace {
    const char *step, *method; /* "1 [ms]"; NULL: the method chooses it */
} pace;

static const pace paces[] = {{"1 [ms]", "rk4"},    {"0.5 [ms]", "rk4"},  {"0.2 [ms]", "rk4"},
                             {"0.1 [ms]", "rk4"},  {"0.05 [ms]", "rk4"}, {NULL, "rodas4"},
                             {"0.02 [ms]", "rk4"}, {"0.01 [ms]", "rk4"}, {"5e-3 [ms]", "rk4"},
                             {"2e-3 [ms]", "rk4"}, {"1e-3 [ms]", "rk4"}, {"5e-4 [ms]", "rk4"},
                             {"2e-4 [ms]", "rk4"}};
enum { N_PACES = sizeof paces / sizeof *paces };

static void write(text *t, const dry_robot *robot, const char *path, const char *name,
                  const double *q, int n, const pace *p) {
    t->length = 0;
    add(t, "# The robot of ");
    add(t, base_of(path));
    add(t, ", let go at the start.\nmodel ");
    add(t, name);
    add(t, " \"");
    add(t, name);
    add(t, "\"\n\n");
    add_robot(t, robot, path, q, n, p->step && strcmp(p->step, "1 [ms]") != 0 ? p->step : NULL);
    add(t, "\nrun until = 1 [s], ");
    if (p->step) add(t, "step = "), add(t, p->step), add(t, ", ");
    add(t, "method = ");
    add(t, p->method);
    add(t, ", record = 10 [ms]\n\n");
    add_plots(t, robot, "rad");
    add_plots(t, robot, "m");
    add_more_plots(t, robot);
}

/* Returns true if no message about it is worse than `worst`; prints the errors of the last trial.
 */
static bool does(const text *t, const char *model_path, dry_message_kind worst, bool last) {
    dry_model *model = dry_model_compile(model_path, t->bytes, t->length, NULL);
    bool ok = model && dry_model_ok(model);
    for (int i = 0; model && i < dry_model_messages(model); i++) {
        const dry_message_kind kind = dry_model_message(model, i).kind;
        if (kind == DRY_ERROR && last)
            dry_model_print_message(model, i, stderr, cli_wants_colour(stderr));
        ok = ok && kind <= worst;
    }
    dry_model_free(model);
    return ok;
}

static bool find_text(text *t, const dry_robot *robot, const char *path, const char *model_path,
                      const char *name, dry_arena *arena) {
    const size_t room = (size_t)(dry_arm_positions(&robot->arm) + dry_arm_speeds(&robot->arm)) + 1;
    double *q = dry_arena_take(arena, 2 * room * sizeof *q);
    if (q == NULL) return false;
    const int n = dry_urdf_rest(robot, q, q + room);
    for (int i = 0; i < 2 * N_PACES && !t->failed; i++) { /* first without any warning */
        write(t, robot, path, name, q, n, &paces[i % N_PACES]);
        if (!t->failed &&
            does(t, model_path, i < N_PACES ? DRY_NOTE : DRY_WARNING, i == 2 * N_PACES - 1))
            return true;
    }
    return false;
}

char *cli_robot_text(const char *path, const char *model_path, const char *name, int *code) {
    dry_arena *arena = dry_arena_new(0);
    dry_robot robot;
    dry_error error = {0};
    text t = {0};
    bool done = false;
    *code = CLI_MODEL;
    if (arena == NULL)
        cli_complain("%s: out of memory", path), *code = CLI_RUN;
    else if (dry_urdf_read(path, arena, &robot, &error) != DRY_OK)
        cli_complain_error(&error), *code = error.status == DRY_IO ? CLI_USAGE : CLI_MODEL;
    else if (robot.is_lone && !(robot.root_mass > 0.0))
        cli_complain("%s: nothing in it can move: no link has a mass, and no joint moves one",
                     path);
    else if (strpbrk(base_of(path), "\"\\\n"))
        cli_complain("%s: a model cannot name this file: rename it", path);
    else if (!(done = find_text(&t, &robot, path, model_path, name, arena)))
        cli_complain("%s: cannot make a model of it", path);
    dry_arena_free(arena);
    if (done) return t.bytes;
    free(t.bytes);
    return NULL;
}
