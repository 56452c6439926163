/* selections: reports a force that jumps with a velocity and drives it back, such as -F*sign(v). It
 * is dry friction written as a number. At rest no value of it is right: a method with fixed steps
 * chatters about rest, and an adaptive method comes to a halt there. The set has a right value
 * (sgn).
 *
 * With s = sign(a), along the motion:
 *   a_dot(s = 1) - a_dot(s = -1) < 0
 * means that both sides drive a back to where it jumps. */
#include "check_private.h"

#include <stdlib.h>

/* Returns the rate of the argument at the start if the function has this value. */
static double speed(const dry_elab *elab, dry_node a_dot, dry_node node, double value,
                    const double *x) {
    const dry_override given = {node, value};
    return dry_dag_value(elab->dag, a_dot, elab->quantities.par_value, 0.0, x, &given, 1);
}

static void check(const dry_elab *elab, const dry_selection_info *info, const dry_node *rate,
                  const double *x) {
    const dry_node_view v = dry_dag_view(elab->dag, info->node);
    const dry_op_row *row = &dry_op_rows[v.op];
    if (!row->set || !(dry_dag_depends(elab->dag, info->node) & DRY_ON_STATE)) return;
    const dry_node a_dot =
        dry_dag_time_derivative(elab->dag, v.args[0], rate, elab->quantities.n_states);
    if (speed(elab, a_dot, info->node, 1.0, x) < speed(elab, a_dot, info->node, -1.0, x))
        DRY_SAY(elab->diag, info->at, MEANT_AS_SET, row->text, row->set);
}

/* Equal calls are one node. Reports each node once, at its place in the equations, which come
 * last. */
static void check_all(const dry_elab *elab, const dry_node *rate, const double *x,
                      unsigned char *said) {
    for (int i = elab->quantities.n_selections - 1; i >= 0; i--) {
        const dry_selection_info *info = &elab->quantities.selection[i];
        if (!said[info->node]) check(elab, info, rate, x);
        said[info->node] = 1;
    }
}

void dry_check_selections(const dry_elab *elab) {
    const size_t n = (size_t)elab->quantities.n_states + (size_t)elab->scene.n_outers + 1;
    if (!elab->quantities.n_selections) return;
    dry_node *rate = dry_heap_take(elab->arena, n, sizeof *rate);
    double *x = dry_heap_take(elab->arena, n, sizeof *x);
    unsigned char *said = dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag), 1);
    if (rate && x && said) {
        for (int i = 0; i < elab->quantities.n_states; i++)
            rate[i] = elab->quantities.state[i].rate;
        dry_lang_start(elab, x);
        check_all(elab, rate, x, said);
    }
    free(rate);
    free(x);
    free(said);
}
