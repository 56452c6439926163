/* cgen_carry: prints, for a steady inclusion, how the states that are not velocities are carried
 * along.
 *
 *     out = c + C u      u: velocities, c, C: constants of a run, C n_states by n_states
 *
 * sys_moves marks the states that move at all. sys_carry has a statement for each velocity that the
 * rate of a state depends on, in their order. */
#include "cgen_private.h"

#include <stdlib.h>

static void note(void *user, int index) { ((bool *)user)[index] = true; }

/* Prints which states move at all; the states of the laws stand still. */
static void print_moves(const dry_model *model, FILE *stream) {
    fputs("static const bool sys_moves[N_STATES] = {", stream);
    for (int z = 0; z < model->kept.inclusion.n_states; z++) {
        const dry_node_view v = dry_dag_view(model->elab.dag, model->kept.root[z]);
        fprintf(stream, "%s%d", z ? ", " : "", !(v.op == DRY_OP_CONST && v.value == 0.0));
    }
    fputs("};\n\n", stream);
}

static void print_state(const dry_inclusion *inclusion, int z, bool *needs, FILE *stream) {
    const int n = inclusion->n_states;
    fprintf(stream, "    out[%d] = c[%d];\n", z, z);
    for (int u = 0; u < n; u++) {
        if (needs[u]) fprintf(stream, "    out[%d] += C[%d] * u[%d];\n", z, z * n + u, u);
        needs[u] = false;
    }
}

bool dry_c__print_carry(const dry_model *model, FILE *stream) {
    const dry_inclusion *inclusion = &model->kept.inclusion;
    bool *needs = calloc((size_t)(inclusion->n_states + inclusion->n_forces) + 1, sizeof *needs);
    dry_leaves leaves = {0};
    const bool good = needs && dry_leaves_size(&leaves, model->elab.dag);
    print_moves(model, stream);
    fputs("DRY_INLINE void sys_carry(const double *c, const double *C, const double *u, double "
          "*out) {\n    (void)c, (void)C, (void)u, (void)out;\n",
          stream);
    for (int z = 0; z < inclusion->n_states && good; z++) {
        if (inclusion->is_velocity[z]) continue;
        dry_leaves_of(&leaves, model->kept.root[z], note, needs);
        print_state(inclusion, z, needs, stream);
    }
    fputs("}\n\n", stream);
    dry_leaves_free(&leaves);
    free(needs);
    return good;
}
