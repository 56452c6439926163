/* stops: the conditions at which the text ends the run. */
#include "lang_private.h"

#include <stdlib.h>
#include <string.h>

/* What the text has after `stop when`, where it gives no reason. */
static const char *condition_text(const char *source) {
    const char *const words[] = {"stop", "when"};
    for (int i = 0; i < 2; i++) {
        source += strspn(source, " \t\r\n");
        if (!strncmp(source, words[i], 4)) source += 4;
    }
    return source + strspn(source, " \t\r\n");
}

/* A state with the rate 0 is held: it changes at an instant. */
static bool moves(dry_elab *elab, dry_node node) {
    const unsigned on = dry_dag_depends(elab->dag, node);
    if (on & DRY_ON_T) return true;
    if (!(on & DRY_ON_STATE)) return false;
    unsigned char *mark =
        dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag) + 1, sizeof *mark);
    bool found = false;
    if (mark) dry_dag_reach(elab->dag, node, mark);
    for (dry_node i = 0; mark && i <= node && !found; i++) {
        const dry_node_view v = dry_dag_view(elab->dag, i);
        if (!mark[i] || v.op != DRY_OP_STATE) continue;
        const bool own = v.index < elab->quantities.n_states;
        const dry_node rate = own ? elab->quantities.state[v.index].rate : -1;
        found = rate != dry_dag_const(elab->dag, 0.0);
    }
    free(mark);
    return found;
}

/* Whether the condition, or a part of it, holds only where two numbers that move are equal. */
static bool is_equality(dry_elab *elab, dry_node node) {
    const dry_node_view v = dry_dag_view(elab->dag, node);
    const dry_node a = v.n_args > 0 ? v.args[0] : 0, b = v.n_args > 1 ? v.args[1] : 0;
    if (v.op == DRY_OP_EQ) return moves(elab, a) || moves(elab, b);
    if (v.op != DRY_OP_AND && v.op != DRY_OP_OR) return false;
    return is_equality(elab, a) || is_equality(elab, b);
}

void dry_lang__stop(dry_elab *elab, const dry_stmt *stmt) {
    const dry_term v = dry_lang__scalar_expr(elab, stmt->value, "a condition");
    if (v.bad) return;
    if (!(dry_dag_depends(elab->dag, v.one) & ~(unsigned)DRY_ON_PAR)) {
        DRY_SAY(elab->diag, stmt->value->at, STOP_CONSTANT, "");
        return;
    }
    const char *text = condition_text(stmt->source);
    if (is_equality(elab, v.one)) {
        DRY_SAY(elab->diag, stmt->value->at, STOP_EQUAL, text);
        return;
    }
    dry_stop_info *info = DRY_GROW(elab->arena, &elab->results, stop);
    if (!info) return;
    *info = (dry_stop_info){
        .node = v.one, .text = stmt->title ? stmt->title : text, .at = stmt->value->at};
}
