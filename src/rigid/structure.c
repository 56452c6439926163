/* What is known before the first step: who acts on whom, in which order, and with which constants.
 *
 * D = feel push has an entry (i, j) where force j pushes a velocity that slide i feels. */
#include "rigid_private.h"

/* A band of more numbers than this is not worth its memory: sweeps alone. */
static const double BAND_LIMIT = 4e6;

static void *take(dry_rigid *r, int count, size_t bytes) {
    return dry_arena_take(r->arena, (size_t)(count > 0 ? count : 1) * bytes);
}

/* ---- D by rows ----------------------------------------------------------- */

/* Pushes by state: those of state s are list[first[s]] .. list[first[s + 1]]. */
typedef struct by_state {
    int *first, *list;
} by_state;

static bool sort_pushes(dry_rigid *r, by_state *pushes) {
    const dry_inclusion *inc = r->inclusion;
    pushes->first = take(r, inc->n_states + 1, sizeof(int));
    pushes->list = take(r, inc->n_push, sizeof(int));
    int *fill = take(r, inc->n_states, sizeof(int));
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

static int find_column(const dry_rigid__problem *p, int row, int column) {
    int k = p->start[row];
    while (p->column[k] != column) k++;
    return k;
}

/* First the columns of all rows, then the terms that add up to each entry. */
static void fill_rows(dry_rigid *r, const by_state *pushes) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
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

static void fill_terms(dry_rigid *r, const by_state *pushes) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
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

static bool rows(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    by_state pushes;
    if (!sort_pushes(r, &pushes)) return false;
    const int terms = count_terms(inc, &pushes), most = terms + DRY_RIGID_DIM * inc->n_forces;
    p->start = take(r, inc->n_forces + 1, sizeof(int));
    p->own = take(r, inc->n_forces, sizeof(int));
    p->column = take(r, most, sizeof(int));
    p->D = take(r, most, sizeof(double));
    p->term_feel = take(r, terms, sizeof(int));
    p->term_push = take(r, terms, sizeof(int));
    p->term_at = take(r, terms, sizeof(int));
    if (!p->start || !p->own || !p->column || !p->D || !p->term_feel || !p->term_push ||
        !p->term_at)
        return false;
    fill_rows(r, &pushes);
    fill_terms(r, &pushes);
    return true;
}

/* ---- levels that depend on forces ---------------------------------------- */

static bool lifts(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    p->lift_start = take(r, inc->n_sets + 1, sizeof(int));
    if (!p->lift_start) return false;
    for (int k = 0; k < inc->n_lift; k++) p->lift_start[inc->lift_set[k] + 1]++;
    for (int set = 0; set < inc->n_sets; set++) p->lift_start[set + 1] += p->lift_start[set];
    p->lift_force = inc->lift_force;
    if (inc->n_lift > 0) p->coupled = true;
    return true;
}

/* ---- the order for Newton ------------------------------------------------ */

static void visit(dry_rigid__problem *p, int force, int *count) {
    if (p->place[force] >= 0) return;
    p->place[force] = *count;
    p->order[(*count)++] = force;
}

/* Breadth first from every force that was not yet reached. */
static void breadth_first(dry_rigid__problem *p) {
    int count = 0;
    for (int i = 0; i < p->n_forces; i++) p->place[i] = -1;
    for (int seed = 0, next = 0; seed < p->n_forces; seed++) {
        visit(p, seed, &count);
        for (; next < count; next++) {
            const int i = p->order[next], set = p->set_of[i];
            for (int k = p->start[i]; k < p->start[i + 1]; k++) visit(p, p->column[k], &count);
            for (int k = p->lift_start[set]; k < p->lift_start[set + 1]; k++)
                visit(p, p->lift_force[k], &count);
        }
    }
}

static int apart(const dry_rigid__problem *p, int i, int j) {
    const int distance = p->place[i] - p->place[j];
    return distance < 0 ? -distance : distance;
}

static int bandwidth(const dry_rigid__problem *p) {
    int band = 0;
    for (int set = 0; set < p->n_sets; set++)
        for (int i = p->sets[set].force; i < p->sets[set].force + p->sets[set].dim; i++) {
            /* a turning direction mixes the rows of a set */
            for (int c = 0; c < p->sets[set].dim; c++) {
                const int row = p->sets[set].force + c;
                for (int k = p->start[row]; k < p->start[row + 1]; k++)
                    if (apart(p, i, p->column[k]) > band) band = apart(p, i, p->column[k]);
            }
            for (int k = p->lift_start[set]; k < p->lift_start[set + 1]; k++)
                if (apart(p, i, p->lift_force[k]) > band) band = apart(p, i, p->lift_force[k]);
        }
    return band;
}

static bool order(dry_rigid *r) {
    dry_rigid__problem *p = &r->problem;
    if (!p->coupled) return true;
    p->order = take(r, p->n_forces, sizeof(int));
    p->place = take(r, p->n_forces, sizeof(int));
    if (!p->order || !p->place) return false;
    breadth_first(p);
    p->band = bandwidth(p);
    if ((double)p->n_forces * (3.0 * p->band + 1.0) > BAND_LIMIT) return true;
    p->right = take(r, p->n_forces, sizeof(double));
    p->saved = take(r, p->n_forces, sizeof(double));
    p->matrix = take(r, p->n_forces * (3 * p->band + 1), sizeof(double));
    return p->right && p->saved && p->matrix;
}

bool dry_rigid__structure(dry_rigid *r) { return rows(r) && lifts(r) && order(r); }

/* ---- constants of a steady inclusion ------------------------------------- */

/* Notes what a unit of velocity u adds to the rates of the other states; false where there is no
 * room left. */
static bool note_carry(dry_rigid *r, int u) {
    for (int j = 0; j < r->n_others; j++) {
        const int z = r->others[j];
        const double c = r->end.rate[z] - r->carry_constant[z];
        if (c == 0.0) continue;
        if (r->n_carry == dry_rigid__carry_room(r)) return false;
        r->carry_state[r->n_carry] = z;
        r->carry_velocity[r->n_carry] = u;
        r->carry[r->n_carry++] = c;
    }
    return true;
}

/* Rates and slides at rest, and with one unit of each velocity. */
static void probe_rates(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    double *x = r->point;
    memcpy(x, r->x, (size_t)inc->n_states * sizeof *x);
    for (int k = 0; k < r->n_velocities; k++) x[r->velocities[k]] = 0.0;
    dry_rigid__eval(r, r->t, x, r->zero, &r->mid);
    for (int j = 0; j < inc->n_states; j++) r->carry_constant[j] = r->mid.rate[j] + 0.0; /* no -0 */
    memcpy(r->slide_constant, r->mid.slide, (size_t)inc->n_forces * sizeof *x);
    for (int k = 0; k < r->n_velocities && r->steady; k++) {
        x[r->velocities[k]] = 1.0;
        dry_rigid__eval(r, r->t, x, r->zero, &r->end);
        x[r->velocities[k]] = 0.0;
        r->steady = note_carry(r, r->velocities[k]);
    }
}

/* Whether every set is a scalar of a shape that glide.c writes out, and its chi depends on no
 * force.
 */
static bool is_lean(const dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int set = 0; set < inc->n_sets; set++)
        if (inc->sets[set].set->shape == DRY_SHAPE_OTHER) return false;
    return r->steady && inc->n_sets == inc->n_forces && inc->n_lift == 0;
}

/* The own entries of D; false where one has the wrong sign: the step says so. */
static bool probe_own(dry_rigid *r) {
    bool good = true;
    dry_rigid__assemble(&r->problem, 1.0, r->mid.feel, r->mid.push);
    for (int i = 0; i < r->inclusion->n_forces; i++) {
        const double D = r->lean_D[i] = r->problem.D[r->problem.own[i]];
        good = good && (r->inclusion->sets[i].set->kind == DRY_SET_OF_PLACES ? D > 0.0 : D < 0.0);
    }
    return good;
}

static void note_feels(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    for (int k = 0; k < inc->n_feel; k++) r->feel_start[inc->feel_force[k] + 1]++;
    for (int i = 0; i < inc->n_forces; i++) {
        if (r->feel_start[i + 1] > 1) r->shared = true;
        r->feel_start[i + 1] += r->feel_start[i];
    }
}

void dry_rigid__probe(dry_rigid *r) {
    r->steady = r->inclusion->steady;
    if (r->steady) probe_rates(r);
    r->lean = is_lean(r) && probe_own(r);
    if (!r->lean) return;
    note_feels(r);
    r->dense = r->problem.coupled && r->inclusion->n_sets <= DRY_RIGID_MARCH_SETS;
    r->single = r->n_velocities == 1 && r->inclusion->n_sets == 1 && r->n_dio == 0 &&
                !r->inclusion->system->watch;
    for (int k = 0; k < r->n_carry; k++) r->carry_one[r->carry_state[k]] = r->carry[k];
    for (int k = 0; k < r->n_carry && r->inclusion->march; k++)
        r->carry_of[r->carry_state[k] * r->inclusion->n_states + r->carry_velocity[k]] =
            r->carry[k];
}
