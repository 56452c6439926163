/* Blocks, the nodes with several results: the sizes of a law's block and what it computes. */
#include "dag_private.h"
#include <stdlib.h>
#include <string.h>

/* ---- laws with every contact closed and every friction stuck ----------------------- */

/* The closed branch of dry_contact, where N may be negative. */
static double closed_contact(double K, double alpha, double beta, double tau, double psi, double e,
                             double *e_dot) {
    *e_dot = -(psi + e) / (alpha + tau);
    return K * (e + (beta + tau) * *e_dot);
}

/* With an infinite level dry_friction never slips. */
static void stuck_friction(int n, double K, double beta, double tau, const double *v,
                           const double *a, double *f, double *a_dot) {
    dry_friction(n, K, beta, tau, (double)INFINITY, v, a, f, a_dot);
}

static void linear_coulomb(const dry_block_info *info, const double *par, const double *u,
                           const double *s, double tau, double *results) {
    const double K = par[info->at[1]], beta = par[info->at[2]];
    stuck_friction(info->block.dim, K, beta, tau, u, s, results, results + info->n_forces);
}

static void linear_contact(const dry_block_info *info, const double *par, const double *u,
                           const double *s, double tau, double *results) {
    const double K = par[info->at[0]], alpha = par[info->at[1]], beta = par[info->at[2]];
    results[0] = closed_contact(K, alpha, beta, tau, u[0], s[0], results + info->n_forces);
}

/* Inputs psi, psi_dot, v; states e, a. */
static void linear_frictional_contact(const dry_block_info *info, const double *par,
                                      const double *u, const double *s, double tau,
                                      double *results) {
    double *rates = results + info->n_forces;
    linear_contact(info, par, u, s, tau, results);
    stuck_friction(info->block.dim, par[info->at[3]], par[info->at[4]], tau, u + 2, s + 1,
                   results + 1, rates + 1);
}

/* States gamma, a_i: the level relaxes as usual, the elements stick. */
static void linear_multistate(const dry_block_info *info, const double *par, const double *u,
                              const double *s, double tau, double *results) {
    const int n = info->block.elements, a = info->n_states - n;
    const double *kappa = par + info->at[1], *sigma = par + info->at[2];
    double *rates = results + info->n_forces, fi;
    info->block.law->eval(par, info->block.dim, tau, u, s, results, rates);
    results[0] = par[info->at[0]] * u[0];
    for (int i = 0; i < n; i++) {
        stuck_friction(1, kappa[i], sigma[i] / kappa[i], tau, u, s + a + i, &fi, rates + a + i);
        results[0] += fi;
    }
}

/* ---- what a block is made of ------------------------------------------------------- */

/* The laws that have an instruction or a linear branch, and the parameters these read. */
static const struct known_law {
    const char *name;
    dry_role role;
    dry_linear_law *linear;
    const char *params[DRY_MOST_PLACES];
} known_laws[] = {
    {"coulomb", DRY_ROLE_COULOMB, linear_coulomb, {"F", "K", "beta"}},
    {"contact", DRY_ROLE_CONTACT, linear_contact, {"K", "alpha", "beta"}},
    {"multistate", DRY_ROLE_ANY, linear_multistate, {"D", "kappa", "sigma"}},
    {"frictional_contact",
     DRY_ROLE_ANY,
     linear_frictional_contact,
     {"K", "alpha", "beta", "Kt", "betat"}},
};

static void find_role(dry_block_info *info) {
    const dry_law *law = info->block.law;
    for (size_t k = 0; k < sizeof known_laws / sizeof *known_laws; k++) {
        const struct known_law *known = known_laws + k;
        if (strcmp(known->name, law->name) != 0) continue;
        info->role = known->role;
        info->linear = known->linear;
        for (int i = 0; i < DRY_MOST_PLACES && known->params[i]; i++) {
            const int row = dry_law_par_find(law, known->params[i]);
            DRY_ASSERT(row >= 0);
            info->at[i] = dry_law_par_offset(law, row, info->block.elements);
        }
    }
}

static int count_results(const dry_block_info *info, const double *par) {
    const int rows = info->n_forces + info->n_states;
    const dry_law *law = info->block.law;
    switch (info->op) {
    case DRY_OP_LAW: return rows;
    case DRY_OP_LAW_JAC: return rows * (info->n_inputs + info->n_states);
    case DRY_OP_LAW_KINKS: return law->n_kinks ? law->n_kinks(par, info->block.dim) : 0;
    default: return info->n_states;
    }
}

/* Numbers of states and of kinks depend on the parameters through the count alone, so that the
 * defaults tell them. */
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
    if (info->op != DRY_OP_LAW_START) info->n_args += info->n_states;
    info->n_results = count_results(info, par);
    free(par);
    find_role(info);
    return true;
}

bool dry_block__describe(dry_arena *arena, dry_op op, dry_block block, dry_block_info *info) {
    *info = (dry_block_info){.op = op, .block = block};
    if (op != DRY_OP_SOLVE) return describe_law(arena, info);
    info->n_args = block.dim * block.dim + block.dim;
    info->n_results = block.dim;
    return true;
}

/* ---- what a block computes --------------------------------------------------------- */

static void zero(double *numbers, int n) {
    for (int i = 0; i < n; i++) numbers[i] = 0.0;
}

void dry_block__law(const dry_block_info *info, const double *par, const double *u, const double *s,
                    double tau, bool linear, double *results) {
    const dry_law *law = info->block.law;
    const int dim = info->block.dim;
    switch (info->op) {
    case DRY_OP_LAW:
        if (linear && info->linear)
            info->linear(info, par, u, s, tau, results);
        else
            law->eval(par, dim, tau, u, s, results, results + info->n_forces);
        break;
    case DRY_OP_LAW_JAC: law->jacobian(par, dim, tau, u, s, results); break;
    case DRY_OP_LAW_KINKS: law->kinks(par, dim, tau, u, s, results); break;
    default:
        zero(results, info->n_states);
        if (law->start) law->start(par, dim, u, results);
    }
}

void dry_block__solve(int n, double *A, double *b) {
    if (dry_solve(n, A, b) == DRY_OK) return;
    for (int i = 0; i < n; i++) b[i] = (double)NAN;
}
