/* Bounds of the values that a node can take, by interval arithmetic.
 *
 * The bounds enclose what the program computes, not the exact values: + - * / sqrt are monotonic
 * also after rounding, so that the operation on the ends needs no widening and 0 stays 0; other
 * functions of the C library are widened by a few units in the last place. Infinite ends stand for
 * finite values of any size: 0 times an infinite end is 0. */
#include "dag_private.h"
#include <float.h>
#include <math.h>

typedef dry_interval span;

static const span whole = {-(double)INFINITY, (double)INFINITY};

static double low_of(double a, double b) { return a < b ? a : b; }
static double high_of(double a, double b) { return a > b ? a : b; }

/* A NaN at either end: nothing is known. */
static span between(double low, double high) { return low <= high ? (span){low, high} : whole; }

static span hull(span a, span b) { return (span){low_of(a.low, b.low), high_of(a.high, b.high)}; }

static span clip(span a, double low, double high) {
    return between(high_of(a.low, low), low_of(a.high, high));
}

/* Room for the error of a library function, which keeps the sign: an end at 0 stays. */
static double margin(double end) {
    return end == 0.0 ? 0.0 : 8.0 * DBL_EPSILON * fabs(end) + DBL_MIN;
}

static span widen(span a) { return between(a.low - margin(a.low), a.high + margin(a.high)); }

static bool holds(span a, double x) { return a.low <= x && x <= a.high; }

/* ---- one argument ------------------------------------------------------------------ */

static span b_neg(span a) { return (span){-a.high, -a.low}; }
static span b_abs(span a) {
    if (a.low >= 0.0) return a;
    return a.high <= 0.0 ? b_neg(a) : (span){0.0, high_of(-a.low, a.high)};
}
static span b_sign(span a) { return (span){dry_sgn(a.low), dry_sgn(a.high)}; }
static span b_floor(span a) { return (span){floor(a.low), floor(a.high)}; }
static span b_sqrt(span a) { return (span){sqrt(high_of(a.low, 0.0)), sqrt(high_of(a.high, 0.0))}; }
static span b_exp(span a) {
    return clip(widen((span){exp(a.low), exp(a.high)}), 0.0, (double)INFINITY);
}
static span b_log(span a) {
    return widen(between(log(high_of(a.low, 0.0)), log(high_of(a.high, 0.0))));
}
static span b_unit(span a) {
    (void)a;
    return (span){-1.0, 1.0};
}
static span b_sin(span a) { /* increasing over [-pi/2, pi/2] */
    if (a.low < -1.57 || a.high > 1.57) return b_unit(a);
    return clip(widen((span){sin(a.low), sin(a.high)}), -1.0, 1.0);
}
static span b_cos(span a) {
    const span size = b_abs(a); /* decreasing over [0, pi] */
    if (size.high > 3.14) return b_unit(a);
    return clip(widen((span){cos(size.high), cos(size.low)}), -1.0, 1.0);
}
static span b_tan(span a) {
    if (a.low < -1.57 || a.high > 1.57) return whole;
    return widen((span){tan(a.low), tan(a.high)});
}
static span b_asin(span a) {
    const span in = clip(a, -1.0, 1.0);
    return widen((span){asin(high_of(in.low, -1.0)), asin(low_of(in.high, 1.0))});
}
static span b_acos(span a) {
    const span in = clip(a, -1.0, 1.0);
    const span out = {acos(low_of(in.high, 1.0)), acos(high_of(in.low, -1.0))};
    return clip(widen(out), 0.0, 4.0);
}
static span b_atan(span a) { return widen((span){atan(a.low), atan(a.high)}); }
static span b_sinh(span a) { return widen((span){sinh(a.low), sinh(a.high)}); }
static span b_cosh(span a) {
    const span size = b_abs(a);
    return clip(widen((span){cosh(size.low), cosh(size.high)}), 1.0, (double)INFINITY);
}
static span b_tanh(span a) { return clip(widen((span){tanh(a.low), tanh(a.high)}), -1.0, 1.0); }
static span b_truth(span a) {
    (void)a;
    return (span){0.0, 1.0};
}
static span b_not(span a) {
    if (!holds(a, 0.0)) return (span){0.0, 0.0};
    return a.low == a.high ? (span){1.0, 1.0} : b_truth(a);
}

/* ---- two arguments ----------------------------------------------------------------- */

static span of_four(double a, double b, double c, double d) {
    return between(low_of(low_of(a, b), low_of(c, d)), high_of(high_of(a, b), high_of(c, d)));
}

/* An infinite end times zero, or over an infinite end. */
static double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }
static double over(double a, double b) { return isinf(b) ? 0.0 : a / b; }

static span b_add(span a, span b) { return between(a.low + b.low, a.high + b.high); }
static span b_sub(span a, span b) { return between(a.low - b.high, a.high - b.low); }
static span b_mul(span a, span b) {
    return of_four(times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                   times(a.high, b.high));
}
static span b_div(span a, span b) {
    if (b.high <= 0.0 && b.low < 0.0) return b_div(b_neg(a), b_neg(b));
    if (b.low < 0.0 || b.high <= 0.0) return whole;
    if (b.low > 0.0)
        return of_four(over(a.low, b.low), over(a.low, b.high), over(a.high, b.low),
                       over(a.high, b.high));
    if (a.low >= 0.0) return (span){over(a.low, b.high), (double)INFINITY};
    return a.high <= 0.0 ? (span){-(double)INFINITY, over(a.high, b.high)} : whole;
}
/* A power of a base that is not negative is monotonic in each argument: its bounds are at corners.
 */
static span b_pow(span a, span b) {
    const bool even = b.low == b.high && fmod(b.low, 2.0) == 0.0;
    const span base = even ? b_abs(a) : a;
    if (base.low < 0.0) return whole;
    const span corners = of_four(pow(base.low, b.low), pow(base.low, b.high), pow(base.high, b.low),
                                 pow(base.high, b.high));
    return clip(widen(corners), 0.0, (double)INFINITY);
}
static span b_atan2(span y, span x) {
    const span half = x.low > 0.0 ? (span){-1.5708, 1.5708} : (span){-3.1416, 3.1416};
    return y.low > 0.0 ? clip(half, 0.0, 4.0) : y.high < 0.0 ? clip(half, -4.0, 0.0) : half;
}
static span b_hypot(span a, span b) {
    const span x = b_abs(a), y = b_abs(b);
    const span size = {hypot(x.low, y.low), hypot(x.high, y.high)};
    return clip(widen(size), 0.0, (double)INFINITY);
}
static span b_min(span a, span b) { return (span){low_of(a.low, b.low), low_of(a.high, b.high)}; }
static span b_max(span a, span b) { return (span){high_of(a.low, b.low), high_of(a.high, b.high)}; }
static span b_sat(span Z, span x) {
    if (Z.low < 0.0) return hull(Z, b_neg(Z));
    const double low = x.low >= 0.0 ? low_of(Z.low, x.low) : high_of(-Z.high, x.low);
    const double high = x.high <= 0.0 ? high_of(-Z.low, x.high) : low_of(Z.high, x.high);
    return (span){low, high};
}
static span decided(bool yes, bool no) {
    return yes ? (span){1.0, 1.0} : no ? (span){0.0, 0.0} : (span){0.0, 1.0};
}
static span b_lt(span a, span b) { return decided(a.high < b.low, a.low >= b.high); }
static span b_le(span a, span b) { return decided(a.high <= b.low, a.low > b.high); }
static span b_eq(span a, span b) {
    const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    return decided(same, a.high < b.low || b.high < a.low);
}
static span b_ne(span a, span b) { return b_sub((span){1.0, 1.0}, b_eq(a, b)); }
static bool is_zero(span a) { return a.low == 0.0 && a.high == 0.0; }
static span b_and(span a, span b) {
    return decided(!holds(a, 0.0) && !holds(b, 0.0), is_zero(a) || is_zero(b));
}
static span b_or(span a, span b) {
    return decided(!holds(a, 0.0) || !holds(b, 0.0), is_zero(a) && is_zero(b));
}

typedef span unary(span a);
typedef span binary(span a, span b);

static unary *const unaries[DRY_N_OPS] = {
    [DRY_OP_NEG] = b_neg,     [DRY_OP_ABS] = b_abs,   [DRY_OP_SIGN] = b_sign,
    [DRY_OP_SQRT] = b_sqrt,   [DRY_OP_EXP] = b_exp,   [DRY_OP_LOG] = b_log,
    [DRY_OP_SIN] = b_sin,     [DRY_OP_COS] = b_cos,   [DRY_OP_TAN] = b_tan,
    [DRY_OP_ASIN] = b_asin,   [DRY_OP_ACOS] = b_acos, [DRY_OP_ATAN] = b_atan,
    [DRY_OP_SINH] = b_sinh,   [DRY_OP_COSH] = b_cosh, [DRY_OP_TANH] = b_tanh,
    [DRY_OP_FLOOR] = b_floor, [DRY_OP_NOT] = b_not,
};

static binary *const binaries[DRY_N_OPS] = {
    [DRY_OP_ADD] = b_add, [DRY_OP_SUB] = b_sub,     [DRY_OP_MUL] = b_mul,     [DRY_OP_DIV] = b_div,
    [DRY_OP_POW] = b_pow, [DRY_OP_ATAN2] = b_atan2, [DRY_OP_HYPOT] = b_hypot, [DRY_OP_MIN] = b_min,
    [DRY_OP_MAX] = b_max, [DRY_OP_SAT] = b_sat,     [DRY_OP_LT] = b_lt,       [DRY_OP_LE] = b_le,
    [DRY_OP_EQ] = b_eq,   [DRY_OP_NE] = b_ne,       [DRY_OP_AND] = b_and,     [DRY_OP_OR] = b_or,
};

/* ---- the walk ---------------------------------------------------------------------- */

typedef struct pass {
    const dry_dag *dag;
    const double *par;
} pass;

static span bounds_of(const pass *p, dry_node node) { return p->dag->memo->cells[node].interval; }

static span leaf_bounds(const pass *p, const dry_node_record *n) {
    switch (n->op) {
    case DRY_OP_CONST: return between(n->value, n->value);
    case DRY_OP_PAR: return between(p->par[n->index], p->par[n->index]);
    case DRY_OP_T:
    case DRY_OP_TAU: return (span){0.0, (double)INFINITY};
    default: return whole;
    }
}

/* Of a law's results: contact does not pull, |f| <= F of the coulomb law to rounding. */
static span pick_bounds(const pass *p, dry_node block, int index) {
    const dry_block_info *info = dry_dag__block(p->dag, block);
    if (info->op != DRY_OP_LAW || index >= info->n_forces) return whole;
    if (index == 0 && (info->block.law->traits & DRY_NEVER_PULLS))
        return (span){0.0, (double)INFINITY};
    if (info->role != DRY_ROLE_COULOMB) return whole;
    const span F = bounds_of(p, dry_dag__args(p->dag, block)[info->at[0]]);
    const span force = hull(F, b_neg(F));
    return info->block.dim == 1 ? force : widen(force);
}

static span node_bounds(const pass *p, dry_node node) {
    const dry_node_record *n = dry_dag__at(p->dag, node);
    const dry_op op = (dry_op)n->op;
    if (dry_op__is_leaf(op)) return leaf_bounds(p, n);
    if (dry_op__is_block(op)) return whole;
    if (op == DRY_OP_PICK) return pick_bounds(p, n->args[0], n->index);
    const span a = bounds_of(p, n->args[0]);
    if (n->n_args == 1) return unaries[op](a);
    const span b = bounds_of(p, n->args[1]);
    if (op == DRY_OP_SELECT) {
        const span c = bounds_of(p, n->args[2]);
        return !holds(a, 0.0) ? b : is_zero(a) ? c : hull(b, c);
    }
    if (op == DRY_OP_MUL && n->args[0] == n->args[1]) return b_mul(b_abs(a), b_abs(a));
    return binaries[op](a, b);
}

static void leave(void *context, dry_node node) {
    const pass *p = context;
    dry_memo__set(p->dag->memo, node, (dry_memo_cell){.interval = node_bounds(p, node)});
}

dry_interval dry_dag_bounds(const dry_dag *dag, dry_node node, const double *par) {
    pass p = {dag, par};
    const dry_walk walk = {.context = &p, .leave = leave};
    if (dag->failed || !dry_memo__begin(dag) || !dry_dag__walk(dag, node, &walk)) return whole;
    return bounds_of(&p, node);
}
