/* Blocks, the nodes with several results: the sizes of the block of a law or a table and what it
 * computes. */
#include "dag_private.h"
#include <stdlib.h>
#include <string.h>

/* ---- what a block is made of ------------------------------------------------------- */

/* The resolvents that have an instruction, which reads these parameters. */
static const struct {
    dry_role role;
    const char *params[DRY_MOST_PLACES];
} resolvents[] = {
    [DRY_RESOLVENT_NONE] = {DRY_ROLE_ANY, {NULL}},
    [DRY_RESOLVENT_FRICTION] = {DRY_ROLE_COULOMB, {"F", "K", "beta"}},
    [DRY_RESOLVENT_CONTACT] = {DRY_ROLE_CONTACT, {"K", "alpha", "beta"}},
    [DRY_RESOLVENT_BACKLASH] = {DRY_ROLE_ANY, {NULL}},
};

static void find_role(dry_block_info *info) {
    const dry_law *law = info->block.law;
    const char *const *names = resolvents[law->resolvent].params;
    info->role = resolvents[law->resolvent].role;
    for (int i = 0; i < DRY_MOST_PLACES && names[i]; i++) {
        const int row = dry_law_par_find(law, names[i]);
        DRY_ASSERT(row >= 0);
        info->at[i] = dry_law_par_offset(law, row, info->block.elements);
    }
}

static int count_results(const dry_block_info *info, const double *par) {
    const int rows = info->n_forces + info->n_states;
    const dry_law *law = info->block.law;
    switch (info->op) {
    case DRY_OP_LAW: return rows;
    case DRY_OP_LAW_JAC: return rows * (info->n_inputs + info->n_states);
    case DRY_OP_LAW_BY_PAR: return rows * info->n_par;
    case DRY_OP_LAW_KINKS: return law->n_kinks ? law->n_kinks(par, info->block.dim) : 0;
    case DRY_OP_LAW_FASTEST: return 1;
    case DRY_OP_LAW_START_BY: return info->n_states * (info->n_par + info->n_inputs);
    case DRY_OP_LAW_TANGENTS: return rows;
    default: return info->n_states;
    }
}

/* The numbers of states and of kinks depend on the parameters only through the count, so that the
 * defaults are enough to find them. */
static bool describe_law(dry_arena *arena, dry_block_info *info) {
    const dry_law *law = info->block.law;
    const int dim = info->block.dim, elements = info->block.elements;
    info->n_par = dry_law_par_size(law, elements);
    double *par = dry_heap_take(arena, (size_t)info->n_par + 1, sizeof *par);
    if (!par) return false;
    dry_law_defaults(law, elements, par);
    info->n_inputs = dry_law_inputs(law, dim);
    info->n_forces = dry_law_forces(law, dim);
    info->n_states = dry_law_states(law, par, dim);
    info->n_args = info->n_par + info->n_inputs;
    const bool starts = info->op == DRY_OP_LAW_START || info->op == DRY_OP_LAW_START_BY;
    if (!starts) info->n_args += info->n_states;
    if (info->op == DRY_OP_LAW_TANGENTS) info->n_args *= 2;
    info->n_results = count_results(info, par);
    free(par);
    find_role(info);
    return true;
}

/* The arguments of a table are its inputs. */
static void describe_table(dry_block_info *info) {
    const bool kinks = info->op == DRY_OP_TABLE_KINKS;
    const dry_knots knots = dry_table_knots(info->block.table, info->block.dim);
    info->n_inputs = info->n_args = kinks ? 1 : info->block.dim;
    info->n_results = kinks ? dry_table_kink_count(knots.n) : DRY_TABLE_RESULTS;
}

bool dry_block__describe(dry_arena *arena, dry_op op, dry_block block, dry_block_info *info) {
    *info = (dry_block_info){.op = op, .block = block};
    if (block.law) return describe_law(arena, info);
    if (block.table) {
        describe_table(info);
        return true;
    }
    info->n_args = block.dim * block.dim + block.dim;
    info->n_results = block.dim;
    return true;
}

/* ---- what a block computes --------------------------------------------------------- */

static void zero(double *numbers, int n) {
    for (int i = 0; i < n; i++) numbers[i] = 0.0;
}

static void run_table(const dry_block_info *info, const double *u, double *results) {
    const dry_table *table = info->block.table;
    const dry_knots knots = dry_table_knots(table, info->block.dim);
    if (info->op == DRY_OP_TABLE_KINKS)
        dry_table_kinks(knots.x, knots.n, knots.stride, u[0], results);
    else if (table->n2)
        dry_table_surface(table, u[0], u[1], results);
    else
        dry_table_curve(table, u[0], results);
}

void dry_block__run(const dry_block_info *info, const double *par, const double *u, const double *s,
                    double tau, dry_branch branch, double *results) {
    const dry_law *law = info->block.law;
    const int dim = info->block.dim;
    switch (info->op) {
    case DRY_OP_LAW:
        dry_law_eval_in(branch, law, par, dim, tau, u, s, results, results + info->n_forces);
        break;
    case DRY_OP_TABLE:
    case DRY_OP_TABLE_KINKS: run_table(info, u, results); break;
    case DRY_OP_LAW_JAC: law->jacobian(par, dim, tau, u, s, results); break;
    case DRY_OP_LAW_BY_PAR: law->by_par(par, dim, tau, u, s, results); break;
    case DRY_OP_LAW_KINKS: law->kinks(par, dim, tau, u, s, results); break;
    case DRY_OP_LAW_START_BY: law->start_by(par, dim, u, results); break;
    case DRY_OP_LAW_FASTEST: results[0] = law->fastest(par, dim, tau, u, s); break;
    default:
        zero(results, info->n_states);
        if (law->start) law->start(par, dim, u, results);
    }
}

void dry_block__solve(int n, double *A, double *b) {
    if (dry_solve(n, A, b) == DRY_OK) return;
    for (int i = 0; i < n; i++) b[i] = (double)NAN;
}
