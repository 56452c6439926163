/* ellipse: f in chi*A'*sgn(A*v), a force in an ellipse.
 *
 *     h in chi sgn(A v),   f = A' h
 *
 * f lies in the image of the ball |h| <= chi under A', and while it slides it follows the flow rule
 * f = chi A'A v/|A v|. f . v = h . A v: the two pairs have the same power, so the relaxed h is also
 * passive with f. The stiffness against a stretch of v is A' K A: it follows the ellipse.
 * With a symmetric D = A the text reads f in D*sgn(D*v), and the half axes of the ellipse are chi
 * times the sizes of the eigenvalues of D. A: m by n, h in R^m, v and f in R^n, m <= 3.
 *
 * A law that has the parameters D11, D12, ... takes D and v itself: `elliptic`, whose stiffness is
 * the same in all directions. */
#include "lang_private.h"

/* Returns the matrix of `A*v` in the argument of the set; reports anything else. */
bool dry_lang__inner_matrix(dry_elab *elab, const dry_expr *call, dry_term *inner) {
    const dry_expr *argument = call->n_args == 1 ? call->arg[0] : NULL;
    const bool product = argument && argument->kind == DRY_EX_BINARY && argument->text[0] == '*';
    if (product) *inner = dry_lang__expr(elab, argument->arg[0]);
    if (product && !inner->bad && inner->rank == 2) return true;
    DRY_SAY(elab->diag, call->at, ELLIPSE_ARGUMENT, call->text);
    return false;
}

/* Returns true if two numbers are the same: as nodes, or as constants of the run. */
static bool is_same(dry_elab *elab, dry_node a, dry_node b) {
    double x, y;
    if (a == b) return true;
    dry_lang_fix(elab, a);
    dry_lang_fix(elab, b);
    return dry_lang__known(elab, a, &x) && dry_lang__known(elab, b, &y) && x == y;
}

/* Returns true if the outer matrix is the transpose of the inner one. */
static bool is_transpose(dry_elab *elab, const dry_term *outer, const dry_term *inner) {
    if (outer->rows != inner->cols || outer->cols != inner->rows) return false;
    for (int i = 0; i < outer->rows; i++)
        for (int j = 0; j < outer->cols; j++)
            if (!is_same(elab, outer->many[i * outer->cols + j], inner->many[j * inner->cols + i]))
                return false;
    return true;
}

bool dry_lang__matrices_match(dry_elab *elab, dry_place at, const dry_term *outer,
                              const dry_term *inner) {
    if (is_transpose(elab, outer, inner)) return true;
    DRY_SAY(elab->diag, at, ELLIPSE_DIFFERS, "");
    return false;
}

/* ---- a law that takes the matrix itself ---------------------------------------------- */

static const char *const entries[3][3] = {
    {"D11", "D12", "D13"}, {"D12", "D22", "D23"}, {"D13", "D23", "D33"}};

static const dry_key *law_key(const dry_stmt *stmt) {
    return dry_lang__find_key(stmt->key, stmt->n_keys, "law");
}

bool dry_lang__takes_matrix(const dry_stmt *stmt) {
    const dry_key *key = law_key(stmt);
    const dry_law *law = key && key->value->text ? dry_law_find(key->value->text) : NULL;
    return law && dry_law_par_find(law, entries[0][0]) >= 0;
}

/* Reports an entry that the text gives beside the matrix. */
static bool is_given_once(dry_elab *elab, const dry_stmt *stmt) {
    const dry_expr *call = law_key(stmt)->value;
    for (int k = 0; k < 9; k++) {
        const dry_key *twice = dry_lang__find_key(call->key, call->n_keys, entries[k / 3][k % 3]);
        if (!twice) continue;
        DRY_SAY(elab->diag, twice->at, KEY_TWICE, twice->name);
        return false;
    }
    return true;
}

/* Where the law has entry (i, k) of its matrix among its parameters. */
static dry_node *entry_of(const dry_force *force, int i, int k) {
    const int row = dry_law_par_find(force->law, entries[i][k]);
    return &force->par[dry_law_par_offset(force->law, row, force->elements)];
}

bool dry_lang__give_matrix(dry_elab *elab, dry_force *force, const dry_term *D) {
    const int n = D->rows;
    if (!is_transpose(elab, D, D)) {
        DRY_SAY(elab->diag, force->at, ELLIPSE_SYMMETRIC, force->law->name);
        return false;
    }
    if (!is_given_once(elab, force->stmt)) return false;
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++) *entry_of(force, i, k) = D->many[i * n + k];
    return true;
}

bool dry_lang__note_matrix(dry_elab *elab, dry_force *force) {
    const int n = force->dim;
    if (dry_law_par_find(force->law, entries[0][0]) < 0) return true;
    force->stretch.matrix = dry_arena_take(elab->arena, sizeof(dry_node) * (size_t)(n * n));
    for (int i = 0; force->stretch.matrix && i < n * n; i++)
        force->stretch.matrix[i] = *entry_of(force, i / n, i % n);
    return force->stretch.matrix != NULL;
}

dry_term dry_lang__unstretched(dry_elab *elab, dry_place at, const dry_term *outer, dry_term h) {
    return dry_lang__binary(elab, at, "*", *outer, h);
}
