/* What is computed before the first step: which force acts on which slide, the order for Newton,
 * and the constants of a steady inclusion.
 *
 * D = feel push has an entry (i, j) if force j acts on a velocity on which slide i depends. */
#include "rigid_private.h"

/* A band with more numbers than this takes too much memory: sweeps alone. */
static const double BAND_LIMIT = 4e6;

static void *take(dry_arena *arena, int count, size_t bytes) {
    return dry_arena_take(arena, (size_t)(count > 0 ? count : 1) * bytes);
}

/* ---- D by rows ----------------------------------------------------------- */

/* Pushes by state: those of state s are list[first[s]] .. list[first[s + 1]]. */
typedef struct by_state {
    int *first, *list;
} by_state;

static bool sort_pushes(dry_arena *arena, const dry_inclusion *inc, by_state *pushes) {
    pushes->first = take(arena, inc->n_states + 1, sizeof(int));
    pushes->list = take(arena, inc->n_push, sizeof(int));
    int *fill = take(arena, inc->n_states, sizeof(int));
    if (!pushes->first || !pushes->list || !fill) return false;
    for (int k = 0; k < inc->n_push; k++) pushes->first[inc->push_state[k] + 1]++;
    for (int s = 0; s < inc->n_states; s++) pushes->first[s + 1] += pushes->first[s];
    for (int k = 0; k < inc->n_push; k++) {
        const int s = inc->push_state[k];
        pushes->list[pushes->first[s] + fill[s]++] = k;
    }
    return true;
}

static int count_terms(const dry_inclusion *inc, const by_state *pushes) {
    int count = 0;
    for (int k = 0; k < inc->n_feel; k++)
        count += pushes->first[inc->feel_state[k] + 1] - pushes->first[inc->feel_state[k]];
    return count;
}

/* The entry of `column` in the row that begins at `start` and has `*count` entries, sorted. */
static int place_column(int *columns, int start, int *count, int column) {
    int k = start + *count;
    for (int c = start; c < start + *count; c++)
        if (columns[c] == column) return c;
    while (k > start && columns[k - 1] > column) {
        columns[k] = columns[k - 1];
        k--;
    }
    columns[k] = column;
    ++*count;
    return k;
}

static int find_column(const dry_rigid__pattern *p, int row, int column) {
    int k = p->start[row];
    while (p->column[k] != column) k++;
    return k;
}

/* First the columns of all rows, then the terms that add up to each entry. */
static void fill_rows(const dry_inclusion *inc, dry_rigid__pattern *p, const by_state *pushes) {
    int feel = 0;
    for (int i = 0; i < inc->n_forces; i++) {
        const int set = p->set_of[i];
        int count = 0;
        for (int c = 0; c < inc->sets[set].dim; c++)
            place_column(p->column, p->start[i], &count, inc->sets[set].force + c);
        for (; feel < inc->n_feel && inc->feel_force[feel] == i; feel++) {
            const int s = inc->feel_state[feel];
            for (int k = pushes->first[s]; k < pushes->first[s + 1]; k++)
                place_column(p->column, p->start[i], &count, inc->push_force[pushes->list[k]]);
        }
        p->start[i + 1] = p->start[i] + count;
        p->own[i] = find_column(p, i, inc->sets[set].force);
        if (count > inc->sets[set].dim) p->coupled = true;
    }
}

static void fill_terms(const dry_inclusion *inc, dry_rigid__pattern *p, const by_state *pushes) {
    for (int feel = 0; feel < inc->n_feel; feel++) {
        const int s = inc->feel_state[feel];
        for (int k = pushes->first[s]; k < pushes->first[s + 1]; k++) {
            p->term_feel[p->n_terms] = feel;
            p->term_push[p->n_terms] = pushes->list[k];
            p->term_at[p->n_terms] =
                find_column(p, inc->feel_force[feel], inc->push_force[pushes->list[k]]);
            p->n_terms++;
        }
    }
}

static bool make_rows(dry_arena *arena, const dry_inclusion *inc, dry_rigid__problem *problem) {
    dry_rigid__pattern *p = &problem->pattern;
    by_state pushes;
    if (!sort_pushes(arena, inc, &pushes)) return false;
    const int terms = count_terms(inc, &pushes), most = terms + DRY_RIGID_DIM * inc->n_forces;
    p->start = take(arena, inc->n_forces + 1, sizeof(int));
    p->own = take(arena, inc->n_forces, sizeof(int));
    p->column = take(arena, most, sizeof(int));
    problem->D = take(arena, most, sizeof(double));
    p->term_feel = take(arena, terms, sizeof(int));
    p->term_push = take(arena, terms, sizeof(int));
    p->term_at = take(arena, terms, sizeof(int));
    if (!p->start || !p->own || !p->column || !problem->D || !p->term_feel || !p->term_push ||
        !p->term_at)
        return false;
    fill_rows(inc, p, &pushes);
    fill_terms(inc, p, &pushes);
    return true;
}

/* ---- levels that depend on forces ---------------------------------------- */

static bool make_lifts(dry_arena *arena, const dry_inclusion *inc, dry_rigid__pattern *p) {
    p->lift_start = take(arena, inc->n_sets + 1, sizeof(int));
    if (!p->lift_start) return false;
    for (int k = 0; k < inc->n_lift; k++) p->lift_start[inc->lift_set[k] + 1]++;
    for (int set = 0; set < inc->n_sets; set++) p->lift_start[set + 1] += p->lift_start[set];
    p->lift_force = inc->lift_force;
    p->lifted = inc->n_lift > 0;
    p->coupled = p->coupled || p->lifted;
    return true;
}

/* ---- the order for Newton ------------------------------------------------ */

static void visit(dry_rigid__band *band, int force, int *count) {
    if (band->place[force] >= 0) return;
    band->place[force] = *count;
    band->order[(*count)++] = force;
}

/* Breadth first from every force that was not yet reached. */
static void breadth_first(dry_rigid__problem *p) {
    int count = 0;
    for (int i = 0; i < p->n_forces; i++) p->band.place[i] = -1;
    for (int seed = 0, next = 0; seed < p->n_forces; seed++) {
        visit(&p->band, seed, &count);
        for (; next < count; next++) {
            const int i = p->band.order[next], set = p->pattern.set_of[i];
            for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++)
                visit(&p->band, p->pattern.column[k], &count);
            for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
                visit(&p->band, p->pattern.lift_force[k], &count);
        }
    }
}

static int distance(const dry_rigid__band *band, int i, int j) {
    const int apart = band->place[i] - band->place[j];
    return apart < 0 ? -apart : apart;
}

static int bandwidth(const dry_rigid__problem *p) {
    int band = 0;
    for (int set = 0; set < p->n_sets; set++)
        for (int i = p->sets[set].force; i < p->sets[set].force + p->sets[set].dim; i++) {
            /* a turning direction mixes the rows of a set */
            for (int c = 0; c < p->sets[set].dim; c++) {
                const int row = p->sets[set].force + c;
                for (int k = p->pattern.start[row]; k < p->pattern.start[row + 1]; k++)
                    if (distance(&p->band, i, p->pattern.column[k]) > band)
                        band = distance(&p->band, i, p->pattern.column[k]);
            }
            for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
                if (distance(&p->band, i, p->pattern.lift_force[k]) > band)
                    band = distance(&p->band, i, p->pattern.lift_force[k]);
        }
    return band;
}

static bool make_order(dry_arena *arena, dry_rigid__problem *p) {
    if (!p->pattern.coupled) return true;
    p->band.order = take(arena, p->n_forces, sizeof(int));
    p->band.place = take(arena, p->n_forces, sizeof(int));
    if (!p->band.order || !p->band.place) return false;
    breadth_first(p);
    p->band.width = bandwidth(p);
    if ((double)p->n_forces * (3.0 * p->band.width + 1.0) > BAND_LIMIT) return true;
    p->band.right = take(arena, p->n_forces, sizeof(double));
    p->band.saved = take(arena, p->n_forces, sizeof(double));
    p->band.matrix = take(arena, p->n_forces * (3 * p->band.width + 1), sizeof(double));
    return p->band.right && p->band.saved && p->band.matrix;
}

bool dry_rigid__structure(dry_arena *arena, const dry_inclusion *inc, dry_rigid__problem *p) {
    return make_rows(arena, inc, p) && make_lifts(arena, inc, &p->pattern) &&
           make_order(arena, p) && dry_rigid__convex_new(arena, p);
}

/* ---- constants of a steady inclusion ------------------------------------- */

/* Stores that the rate of state z has the coefficient c of the velocity u; false if the arrays are
 * full. */
static bool add_carry(dry_rigid *r, int z, int u, double c) {
    if (c == 0.0) return true;
    if (r->carry.n == dry_rigid__carry_room(r)) return false;
    r->carry.state[r->carry.n] = z;
    r->carry.velocity[r->carry.n] = u;
    r->carry.value[r->carry.n++] = c;
    return true;
}

/* What a unit of velocity u adds to the rates of the other states, for every u by itself. */
static bool probe_each(dry_rigid *r, double *x) {
    bool fits = true;
    for (int k = 0; k < r->layout.n_velocities && fits; k++) {
        const int u = r->layout.velocities[k];
        x[u] = 1.0;
        dry_rigid__eval(r, r->clock.t, x, r->zero, &r->trial.end);
        x[u] = 0.0;
        for (int j = 0; j < r->layout.n_others && fits; j++) {
            const int z = r->layout.others[j];
            fits = add_carry(r, z, u, r->trial.end.rate[z] - r->carry.constant[z]);
        }
    }
    return fits;
}

/* Velocities in groups of which no two act on the rate of the same state (Curtis, Powell, Reid
 * 1974), so one evaluation serves a group. */
typedef struct groups {
    int n;
    int *group; /* n_states: of a velocity; -1: none yet */
    int *mark;  /* n_states: the last group that acts on this rate */
} groups;

/* Whether no velocity of group g acts on a rate on which the velocity of the pairs first .. end
 * acts. */
static bool is_free(const dry_inclusion *inc, const groups *of, int first, int end, int g) {
    for (int k = first; k < end; k++)
        if (of->mark[inc->carry_state[k]] == g) return false;
    return true;
}

/* Each pass fills one group with the velocities that fit. */
static void fill_groups(const dry_inclusion *inc, groups *of) {
    for (bool left = true; left;) {
        left = false;
        for (int k = 0, end; k < inc->n_carry; k = end) {
            const int u = inc->carry_velocity[k];
            for (end = k; end < inc->n_carry && inc->carry_velocity[end] == u;) end++;
            if (of->group[u] >= 0) continue;
            if (is_free(inc, of, k, end, of->n)) {
                of->group[u] = of->n;
                for (int i = k; i < end; i++) of->mark[inc->carry_state[i]] = of->n;
            } else
                left = true;
        }
        of->n++;
    }
}

static void probe_group(dry_rigid *r, const groups *of, int g, double *x, double *value) {
    const dry_inclusion *inc = r->inclusion;
    for (int k = 0; k < inc->n_carry; k++)
        if (of->group[inc->carry_velocity[k]] == g) x[inc->carry_velocity[k]] = 1.0;
    dry_rigid__eval(r, r->clock.t, x, r->zero, &r->trial.end);
    for (int k = 0; k < inc->n_carry; k++) {
        const int u = inc->carry_velocity[k], z = inc->carry_state[k];
        if (of->group[u] != g) continue;
        x[u] = 0.0;
        value[k] = r->trial.end.rate[z] - r->carry.constant[z];
    }
}

static bool probe_groups(dry_rigid *r, double *x) {
    const dry_inclusion *inc = r->inclusion;
    if (inc->n_carry > dry_rigid__carry_room(r)) return false;
    groups of = {0, r->carry.group, r->carry.mark};
    double *value = r->carry.unit;
    bool fits = true;
    for (int j = 0; j < inc->n_states; j++) of.group[j] = of.mark[j] = -1;
    fill_groups(inc, &of);
    for (int g = 0; g < of.n; g++) probe_group(r, &of, g, x, value);
    for (int k = 0; k < inc->n_carry && fits; k++)
        fits = add_carry(r, inc->carry_state[k], inc->carry_velocity[k], value[k]);
    return fits;
}

/* Rates and slides at rest, and with one unit of each velocity. */
static void probe_rates(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    double *x = r->trial.point;
    memcpy(x, r->now.x, (size_t)inc->n_states * sizeof *x);
    for (int k = 0; k < r->layout.n_velocities; k++) x[r->layout.velocities[k]] = 0.0;
    dry_rigid__eval(r, r->clock.t, x, r->zero, &r->trial.mid);
    for (int j = 0; j < inc->n_states; j++)
        r->carry.constant[j] = r->trial.mid.rate[j] + 0.0; /* no -0 */
    memcpy(r->carry.slide, r->trial.mid.slide, (size_t)inc->n_forces * sizeof *x);
    r->carry.known = inc->carry_state ? probe_groups(r, x) : probe_each(r, x);
}

/* Whether every set is a scalar of a shape that steady.c writes out, and its chi depends on no
 * force.
 */
static bool steps_can_be_steady(const dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int set = 0; set < inc->n_sets; set++)
        if (inc->sets[set].set->shape == DRY_SHAPE_OTHER) return false;
    return r->carry.known && inc->n_sets == inc->n_forces && inc->n_lift == 0;
}

/* The own entries of D; false if one has the wrong sign, which the step reports. */
static bool probe_own(dry_rigid *r) {
    bool good = true;
    dry_rigid__assemble(&r->problem, 1.0, r->trial.mid.feel, r->trial.mid.push);
    for (int i = 0; i < r->inclusion->n_forces; i++) {
        const double D = r->steady.own_D[i] = r->problem.D[r->problem.pattern.own[i]];
        good =
            good && (r->inclusion->sets[i].set->kind == DRY_SET_OF_POSITIONS ? D > 0.0 : D < 0.0);
    }
    return good;
}

static void note_feels(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    memset(r->steady.feel_start, 0, (size_t)(inc->n_forces + 1) * sizeof *r->steady.feel_start);
    for (int k = 0; k < inc->n_feel; k++) r->steady.feel_start[inc->feel_force[k] + 1]++;
    for (int i = 0; i < inc->n_forces; i++) {
        if (r->steady.feel_start[i + 1] > 1) r->steady.shared = true;
        r->steady.feel_start[i + 1] += r->steady.feel_start[i];
    }
}

/* The constants that an earlier probe found. */
static void forget_carry(dry_rigid *r) {
    const size_t n = (size_t)r->inclusion->n_states;
    r->carry.n = 0;
    memset(r->carry.one, 0, n * sizeof(double));
    if (r->inclusion->march) memset(r->carry.square, 0, n * n * sizeof(double));
}

void dry_rigid__probe(dry_rigid *r) {
    forget_carry(r);
    r->carry.known = r->inclusion->steady;
    if (r->carry.known) probe_rates(r);
    r->steady.possible = steps_can_be_steady(r) && probe_own(r);
    if (!r->steady.possible) return;
    note_feels(r);
    r->sticking.dense = r->problem.pattern.coupled && r->inclusion->n_sets <= DRY_RIGID_MARCH_SETS;
    r->steady.single = r->layout.n_velocities == 1 && r->inclusion->n_sets == 1 &&
                       r->layout.n_dio == 0 && !r->inclusion->system->watch;
    for (int k = 0; k < r->carry.n; k++) r->carry.one[r->carry.state[k]] = r->carry.value[k];
    for (int k = 0; k < r->carry.n && r->inclusion->march; k++)
        r->carry.square[r->carry.state[k] * r->inclusion->n_states + r->carry.velocity[k]] =
            r->carry.value[k];
}
