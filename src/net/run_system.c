/* run_system: the functions of the system besides the rate: start, outputs, switching functions,
 * breaks, and latches and watches after a step. */
#include "net_private.h"

void dry_net__prepare(const dry_env *env) {
    const dry_net *net = env->model;
    memset(env->work, 0, net->system.work_size);
}

/* ---- start ------------------------------------------------------------- */

static void start_side(const dry_net__run *run, dry_net__node *const *nodes, int count, double *x) {
    for (int i = 0; i < count; i++) {
        const dry_part *part = nodes[i]->part;
        const dry_part_env env = dry_net__env(run, nodes[i]);
        const double *in = part->side == DRY_IMPEDANCE ? run->motion + nodes[i]->motion : NULL;
        if (part->start) part->start(&env, in, x + nodes[i]->x);
    }
}

/* Overwrites the start with the given states. */
static void put_given(const dry_net *net, dry_side side, double *x) {
    for (const dry_net__setting *s = net->asked.first_start; s; s = s->next)
        if (s->side == side) memcpy(x + s->index, s->values, (size_t)s->count * sizeof *x);
}

static bool has_start(const dry_part *part) { return part->start != NULL; }

void dry_net__start_bodies(const dry_net__run *run, double *x) {
    start_side(run, run->net->wiring.admittance, run->net->wiring.n_admittance, x);
    put_given(run->net, DRY_ADMITTANCE, x);
    dry_net__motions(run);
}

/* Bodies come first, because the other parts need their motion at the start. */
void dry_net__start_state(const dry_env *env, double t, double *x) {
    const dry_net *net = env->model;
    const dry_net__run run = dry_net__run_of(env, t, 0.0, x);
    memset(x, 0, (size_t)net->system.n_states * sizeof *x);
    dry_net__start_bodies(&run, x);
    dry_net__start_turns(&run, x);
    dry_net__relative(&run, net->wiring.n_impedance, has_start);
    start_side(&run, net->wiring.impedance, net->wiring.n_impedance, x);
    put_given(net, DRY_IMPEDANCE, x);
}

/* ---- outputs ----------------------------------------------------------- */

static double *copy(const dry_net__copy *copies, int n, const double *from, double *y) {
    for (int i = 0; i < n; i++) {
        memcpy(y, from + copies[i].from, (size_t)copies[i].count * sizeof *y);
        y += copies[i].count;
    }
    return y;
}

void dry_net__output(const dry_env *env, double t, double tau, const double *x, double *y) {
    const dry_net *net = env->model;
    const dry_net__run run = dry_net__run_of(env, t, tau, x);
    dry_net_forces(env, t, tau, x);
    double *next = copy(net->columns.force_copies, net->columns.n_force_copies, run.force, y);
    copy(net->columns.motion_copies, net->columns.n_motion_copies, run.motion, next);
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        if (!node->part->outputs) continue;
        const dry_part_env part_env = dry_net__env(&run, node);
        node->part->outputs->values(&part_env, run.motion + node->motion, x + node->x,
                                    y + node->output);
    }
    if (net->asked.account) dry_net__account_values(&run, y + net->columns.account_outputs);
}

/* ---- switching functions and breaks ------------------------------------ */

static bool has_kinks(const dry_part *part) { return part->n_kinks > 0; }

void dry_net__kinks(const dry_env *env, double t, const double *x, double *g) {
    const dry_net *net = env->model;
    const dry_net__run run = dry_net__run_of(env, t, 0.0, x);
    dry_net__motions(&run);
    dry_net__relative(&run, net->wiring.n_impedance, has_kinks);
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        const dry_net__node *node = net->wiring.impedance[i];
        if (!has_kinks(node->part)) continue;
        const dry_part_env part_env = dry_net__env(&run, node);
        node->part->kinks(&part_env, run.motion + node->motion, x + node->x, g + node->kink);
    }
}

void dry_net__breaks(const dry_env *env, double *times) {
    const dry_net *net = env->model;
    const dry_net__run run = dry_net__run_of(env, 0.0, 0.0, NULL);
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        if (!node->part->breaks) continue;
        const dry_part_env part_env = dry_net__env(&run, node);
        node->part->breaks->times(&part_env, times + node->pause);
    }
}

/* ---- phases ------------------------------------------------------------ */

static bool has_phase(const dry_part *part) { return part->phase != NULL; }

void dry_net__phases(const dry_env *env, double t, double tau, const double *x, const double *y,
                     unsigned char *phase) {
    const dry_net *net = env->model;
    const dry_net__run run = dry_net__run_of(env, t, tau, x);
    dry_net__motions(&run);
    dry_net__relative(&run, net->wiring.n_impedance, has_phase);
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        if (!has_phase(node->part)) continue;
        const dry_part_env part_env = dry_net__env(&run, node);
        *phase++ = (unsigned char)node->part->phase(&part_env, run.motion + node->motion,
                                                    x + node->x, y + node->output);
    }
}

/* ---- after a step ------------------------------------------------------ */

typedef struct latching {
    const dry_net__run *run;
    double *x;
} latching;

static unsigned latch_range(const void *data, int from, int to) {
    const latching *l = data;
    unsigned flags = 0;
    for (int i = from; i < to; i++) {
        const dry_net__packed *body = &l->run->net->loops.bodies[i];
        const dry_part_env env = dry_net__packed_env(l->run, body, NULL);
        if (!dry_net__latch_body(&env, body, l->x)) continue;
        dry_net__move(l->run, &env, body);
        flags = DRY_NET__CHANGED;
    }
    return flags;
}

bool dry_net__latch_bodies(const dry_net__run *run, double *x) {
    const latching l = {run, x};
    if (!run->net->loops.body_has_latch) return false;
    return dry_net__each(run->team, run->net->wiring.n_admittance, latch_range, &l) != 0;
}

bool dry_net__latch_laws(const dry_net__run *run, double *x) {
    bool changed = false;
    for (int i = 0; run->net->loops.law_has_latch && i < run->net->wiring.n_impedance; i++) {
        const dry_net__node *node = run->net->wiring.impedance[i];
        if (!node->part->latch) continue;
        const dry_part_env env = dry_net__env(run, node);
        if (node->part->latch(&env, run->motion + node->motion, x + node->x)) changed = true;
    }
    return dry_net__latch_turns(run, x) || changed;
}

bool dry_net__is_attentive(const dry_part *part) { return part->latch || part->watches; }

bool dry_net__latch(const dry_env *env, double t, double *x) {
    const dry_net__run run = dry_net__run_of(env, t, 0.0, x);
    const bool first = dry_net__latch_bodies(&run, x);
    dry_net__motions(&run);
    dry_net__relative(&run, run.net->wiring.n_impedance, dry_net__is_attentive);
    return dry_net__latch_laws(&run, x) || first;
}

static bool has_holds(const dry_part *part) { return part->gathers && part->gathers->holds; }

bool dry_net__holds(const dry_env *env, double t, const double *x) {
    const dry_net *net = env->model;
    const dry_net__run run = dry_net__run_of(env, t, 0.0, x);
    bool good = true;
    dry_net__motions(&run);
    dry_net__relative(&run, net->wiring.n_impedance, has_holds);
    for (int i = 0; good && i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        if (!has_holds(node->part)) continue;
        const dry_part_env part_env = dry_net__env(&run, node);
        const double *in = node->part->side == DRY_IMPEDANCE ? run.motion + node->motion : NULL;
        good = node->part->gathers->holds(&part_env, in, x + node->x);
    }
    return good;
}

static bool has_fastest(const dry_part *part) { return part->fastest != NULL; }

double dry_net__fastest(const dry_env *env, double t, double tau, const double *x,
                        const char **law) {
    const dry_net__run run = dry_net__run_of(env, t, tau, x);
    double fastest = 0.0;
    dry_net__motions(&run);
    dry_net__relative(&run, run.net->wiring.n_impedance, has_fastest);
    for (int i = 0; i < run.net->wiring.n_impedance; i++) {
        const dry_net__node *node = run.net->wiring.impedance[i];
        if (!node->part->fastest) continue;
        const dry_part_env part_env = dry_net__env(&run, node);
        const double rate = node->part->fastest(&part_env, run.motion + node->motion, x + node->x);
        if (!(rate > fastest)) continue;
        fastest = rate;
        *law = node->name;
    }
    return fastest;
}

int dry_net__watched(const dry_net__run *run) {
    for (int i = 0; i < run->net->loops.n_watched; i++) {
        const dry_net__node *node = run->net->loops.watched[i];
        const dry_part_env env = dry_net__env(run, node);
        const double *in = node->part->side == DRY_IMPEDANCE ? run->motion + node->motion : NULL;
        const int failed = node->part->watches->find(&env, in, run->x + node->x);
        if (failed > 0) return node->watch + failed;
    }
    return 0;
}

int dry_net__watch(const dry_env *env, double t, const double *x) {
    const dry_net__run run = dry_net__run_of(env, t, 0.0, x);
    dry_net__motions(&run);
    dry_net__relative(&run, run.net->wiring.n_impedance, dry_net__is_attentive);
    return dry_net__watched(&run);
}
