/* two_levels: f in [-F, G]*sgn(theta), friction whose level depends on the direction.
 *
 *     C = [-F, G],   f = the point of C nearest to y = sat(chi, y),   chi = F or G on the side of y
 *     chi = F (1 - sign(y))/2 + G (1 + sign(y))/2,   y = K (a + beta theta), X13 (18)
 *
 * Only the end on the side to which y pushes can matter (docs/theory.md section 2). C is a ball of
 * the radius (G + F)/2 about its middle (G - F)/2, which the methods without K use. */
#include "lang_private.h"

bool dry_lang__two_levels(dry_elab *elab, dry_force *force, const dry_term *ends) {
    dry_dag *dag = elab->dag;
    const dry_node half = dry_dag_bin(dag, DRY_OP_MUL, dry_dag_const(dag, 0.5), force->chi);
    const dry_node low = dry_term_at(ends, 0), high = dry_term_at(ends, 1);
    double least, most;
    if (dry_lang__peek(elab, low, &least) && dry_lang__peek(elab, high, &most) &&
        !(least <= 0.0 && most >= 0.0)) {
        DRY_SAY(elab->diag, force->at, TWO_LEVELS, force->name, dry_diag_number(elab->diag, least),
                dry_diag_number(elab->diag, most));
        return false;
    }
    const dry_node F = dry_dag_un(dag, DRY_OP_NEG, low);
    force->unfed = dry_dag_bin(dag, DRY_OP_MUL, force->chi, dry_dag_bin(dag, DRY_OP_MIN, F, high));
    force->interval = (dry_force_interval){
        .middle = dry_dag_bin(dag, DRY_OP_MUL, half, dry_dag_bin(dag, DRY_OP_ADD, high, low)),
        .level = {dry_dag_bin(dag, DRY_OP_MUL, force->chi, F),
                  dry_dag_bin(dag, DRY_OP_MUL, force->chi, high)}};
    force->chi = dry_dag_bin(dag, DRY_OP_MUL, half, dry_dag_bin(dag, DRY_OP_SUB, high, low));
    return true;
}
