/* The operations: how each is simplified, differentiated and bounded, and where it has kinks and
 * jumps. ops.def refers to these functions. */
#include "ops.h"
#include "dag_private.h"
#include "formula.h"
#include "span.h"

#include <string.h>

/* ---- simpler nodes ------------------------------------------------------------------ */

static dry_op op_of(const dry_dag *dag, dry_node node) { return (dry_op)dag->nodes[node].op; }

static bool is_constant(const dry_dag *dag, dry_node node) {
    return op_of(dag, node) == DRY_OP_CONST;
}

static bool is_neg(const dry_dag *dag, dry_node node) { return op_of(dag, node) == DRY_OP_NEG; }

static dry_node argument(const dry_dag *dag, dry_node node, int i) {
    return dag->nodes[node].args[i];
}

static dry_node neg(dry_dag *dag, dry_node a) { return dry_dag_un(dag, DRY_OP_NEG, a); }

static dry_node make2(dry_dag *dag, dry_op op, dry_node a, dry_node b) {
    return dry_dag__make(dag, op, 0, 0.0, (dry_node[]){a, b}, 2);
}

/* The operation is commutative: the older node comes first. */
static dry_node in_order(dry_dag *dag, dry_op op, dry_node a, dry_node b) {
    return a <= b ? make2(dag, op, a, b) : make2(dag, op, b, a);
}

static dry_node fold_neg(dry_dag *dag, dry_node a) {
    if (is_neg(dag, a)) return argument(dag, a, 0);
    return op_of(dag, a) == DRY_OP_SUB ? sub(dag, argument(dag, a, 1), argument(dag, a, 0))
                                       : DRY_NO_FOLD;
}

static dry_node fold_abs(dry_dag *dag, dry_node a) {
    if (op_of(dag, a) == DRY_OP_ABS) return a;
    if (!is_neg(dag, a)) return DRY_NO_FOLD;
    return dry_dag__make(dag, DRY_OP_ABS, 0, 0.0, (dry_node[]){argument(dag, a, 0)}, 1);
}

static dry_node fold_add(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 0.0)) return b;
    if (dry_dag__is_const(dag, b, 0.0)) return a;
    if (is_neg(dag, b)) return sub(dag, a, argument(dag, b, 0));
    if (is_neg(dag, a)) return dry_dag_bin(dag, DRY_OP_SUB, b, argument(dag, a, 0));
    return in_order(dag, DRY_OP_ADD, a, b);
}

static dry_node fold_sub(dry_dag *dag, dry_node a, dry_node b) {
    if (a == b) return dry_dag_const(dag, 0.0);
    if (dry_dag__is_const(dag, b, 0.0)) return a;
    if (dry_dag__is_const(dag, a, 0.0)) return neg(dag, b);
    if (is_neg(dag, b)) return dry_dag_bin(dag, DRY_OP_ADD, a, argument(dag, b, 0));
    return DRY_NO_FOLD;
}

static dry_node fold_constant_factor(dry_dag *dag, dry_node c, dry_node x) {
    const double value = dag->nodes[c].value;
    if (value == 0.0) return dry_dag_const(dag, 0.0);
    if (value == 1.0) return x;
    if (value == -1.0) return neg(dag, x);
    if (is_neg(dag, x)) return make2(dag, DRY_OP_MUL, neg(dag, c), argument(dag, x, 0));
    return make2(dag, DRY_OP_MUL, c, x);
}

static dry_node fold_mul(dry_dag *dag, dry_node a, dry_node b) {
    if (is_constant(dag, a)) return fold_constant_factor(dag, a, b);
    if (is_constant(dag, b)) return fold_constant_factor(dag, b, a);
    if (is_neg(dag, a)) return neg(dag, dry_dag_bin(dag, DRY_OP_MUL, argument(dag, a, 0), b));
    if (is_neg(dag, b)) return neg(dag, dry_dag_bin(dag, DRY_OP_MUL, a, argument(dag, b, 0)));
    return in_order(dag, DRY_OP_MUL, a, b);
}

static dry_node fold_div(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 0.0)) return dry_dag_const(dag, 0.0);
    if (dry_dag__is_const(dag, b, 1.0)) return a;
    if (dry_dag__is_const(dag, b, -1.0)) return neg(dag, a);
    if (is_neg(dag, a)) return neg(dag, dry_dag_bin(dag, DRY_OP_DIV, argument(dag, a, 0), b));
    return DRY_NO_FOLD;
}

static dry_node fold_pow(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 1.0) || dry_dag__is_const(dag, b, 0.0))
        return dry_dag_const(dag, 1.0);
    if (!is_constant(dag, b)) return DRY_NO_FOLD;
    const double exponent = dag->nodes[b].value;
    const dry_node square =
        exponent == 2.0 || exponent == 3.0 ? dry_dag_bin(dag, DRY_OP_MUL, a, a) : 0;
    if (exponent == 1.0) return a;
    if (exponent == 2.0) return square;
    if (exponent == 3.0) return dry_dag_bin(dag, DRY_OP_MUL, square, a);
    if (exponent == 0.5) return dry_dag_un(dag, DRY_OP_SQRT, a);
    if (exponent == -1.0) return dry_dag_bin(dag, DRY_OP_DIV, dry_dag_const(dag, 1.0), a);
    return DRY_NO_FOLD;
}

static dry_node fold_hypot(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 0.0)) return dry_dag_un(dag, DRY_OP_ABS, b);
    if (dry_dag__is_const(dag, b, 0.0)) return dry_dag_un(dag, DRY_OP_ABS, a);
    return DRY_NO_FOLD;
}

static dry_node fold_extremum(dry_dag *dag, dry_node a, dry_node b) {
    (void)dag;
    return a == b ? a : DRY_NO_FOLD;
}

static dry_node fold_sat(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag__is_const(dag, a, (double)INFINITY) ? b : DRY_NO_FOLD;
}

static dry_node fold_unequal(dry_dag *dag, dry_node a, dry_node b) {
    return a == b ? dry_dag_const(dag, 0.0) : DRY_NO_FOLD;
}

static dry_node fold_equal(dry_dag *dag, dry_node a, dry_node b) {
    return a == b ? dry_dag_const(dag, 1.0) : DRY_NO_FOLD;
}

/* With x a truth value: 1 and x is x, 0 and x is 0; or the other way round. */
static dry_node fold_logic(dry_dag *dag, dry_op op, dry_node c, dry_node x) {
    const bool holds = dag->nodes[c].value != 0.0;
    if (holds == (op == DRY_OP_OR)) return dry_dag_const(dag, holds ? 1.0 : 0.0);
    return dry_dag__is_truth(dag, x) ? x : dry_dag_bin(dag, DRY_OP_NE, x, dry_dag_const(dag, 0.0));
}

static dry_node fold_and(dry_dag *dag, dry_node a, dry_node b) {
    if (is_constant(dag, a)) return fold_logic(dag, DRY_OP_AND, a, b);
    if (is_constant(dag, b)) return fold_logic(dag, DRY_OP_AND, b, a);
    return a == b && dry_dag__is_truth(dag, a) ? a : DRY_NO_FOLD;
}

static dry_node fold_or(dry_dag *dag, dry_node a, dry_node b) {
    if (is_constant(dag, a)) return fold_logic(dag, DRY_OP_OR, a, b);
    if (is_constant(dag, b)) return fold_logic(dag, DRY_OP_OR, b, a);
    return a == b && dry_dag__is_truth(dag, a) ? a : DRY_NO_FOLD;
}

/* ---- derivatives: self = op(a[0], a[1]), d those of the arguments ------------------ */

static const double ln_of_ten = 2.302585092994045684, two_over_root_pi = 1.128379167095512574;

/* Returns the derivative where the argument moves; d is the derivative of the argument. Returns 0
 * where the argument rests, even where the slope of the operation is infinite: sqrt(max(0, x)) for
 * x < 0, the length of a vector at rest. */
static dry_node where_moving(dry_dag *dag, dry_node d, dry_node derivative) {
    const dry_node moves = dry_dag_bin(dag, DRY_OP_NE, d, num(dag, 0.0));
    return dry_dag_select(dag, moves, derivative, num(dag, 0.0));
}

#define RULE(name)                                                                                 \
    static dry_node name(dry_dag *dag, dry_node self, const dry_node *a, const dry_node *d)

RULE(d_neg) {
    (void)self, (void)a;
    return un(dag, DRY_OP_NEG, d[0]);
}
RULE(d_abs) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_SIDE, a[0]), d[0]);
}
RULE(d_sqrt) {
    (void)a;
    return where_moving(dag, d[0], over(dag, d[0], mul(dag, num(dag, 2.0), self)));
}
RULE(d_cbrt) { /* da/(3 cbrt(a)^2) */
    (void)a;
    return where_moving(dag, d[0], over(dag, d[0], mul(dag, num(dag, 3.0), square(dag, self))));
}
RULE(d_exp) {
    (void)a;
    return mul(dag, self, d[0]);
}
RULE(d_log) {
    (void)self;
    return over(dag, d[0], a[0]);
}
RULE(d_log10) {
    (void)self;
    return over(dag, d[0], mul(dag, num(dag, ln_of_ten), a[0]));
}
RULE(d_sin) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_COS, a[0]), d[0]);
}
RULE(d_cos) {
    (void)self;
    return un(dag, DRY_OP_NEG, mul(dag, un(dag, DRY_OP_SIN, a[0]), d[0]));
}
RULE(d_tan) {
    (void)a;
    return mul(dag, add(dag, num(dag, 1.0), square(dag, self)), d[0]);
}
RULE(d_asin) {
    (void)self;
    const dry_node other = un(dag, DRY_OP_SQRT, sub(dag, num(dag, 1.0), square(dag, a[0])));
    return where_moving(dag, d[0], over(dag, d[0], other));
}
RULE(d_acos) { return un(dag, DRY_OP_NEG, d_asin(dag, self, a, d)); }
RULE(d_atan) {
    (void)self;
    return over(dag, d[0], add(dag, num(dag, 1.0), square(dag, a[0])));
}
RULE(d_sinh) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_COSH, a[0]), d[0]);
}
RULE(d_cosh) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_SINH, a[0]), d[0]);
}
RULE(d_tanh) {
    (void)a;
    return mul(dag, sub(dag, num(dag, 1.0), square(dag, self)), d[0]);
}
RULE(d_erf) { /* 2/sqrt(pi) exp(-a^2) da */
    (void)self;
    const dry_node bell = un(dag, DRY_OP_EXP, un(dag, DRY_OP_NEG, square(dag, a[0])));
    return mul(dag, mul(dag, num(dag, two_over_root_pi), bell), d[0]);
}
RULE(d_add) {
    (void)self, (void)a;
    return add(dag, d[0], d[1]);
}
RULE(d_sub) {
    (void)self, (void)a;
    return sub(dag, d[0], d[1]);
}
RULE(d_mul) {
    (void)self;
    return add(dag, mul(dag, d[0], a[1]), mul(dag, a[0], d[1]));
}
RULE(d_div) { return over(dag, sub(dag, d[0], mul(dag, self, d[1])), a[1]); }
/* b a^(b-1) da + a^b log(a) db; a power of a base <= 0 is defined for fixed exponents only, or 0 */
RULE(d_pow) {
    const dry_node reduced = dry_dag_bin(dag, DRY_OP_POW, a[0], sub(dag, a[1], num(dag, 1.0)));
    const dry_node by_base = where_moving(dag, d[0], mul(dag, mul(dag, a[1], reduced), d[0]));
    if (dry_dag__is_const(dag, d[1], 0.0)) return by_base;
    const dry_node slope = mul(dag, mul(dag, self, un(dag, DRY_OP_LOG, a[0])), d[1]);
    const dry_node positive = less(dag, num(dag, 0.0), a[0]);
    return add(dag, by_base, dry_dag_select(dag, positive, slope, num(dag, 0.0)));
}
RULE(d_atan2) { /* (x dy - y dx)/(x^2 + y^2) */
    (void)self;
    return over(dag, sub(dag, mul(dag, a[1], d[0]), mul(dag, a[0], d[1])),
                add(dag, square(dag, a[0]), square(dag, a[1])));
}
RULE(d_noise) { /* the next derivative has another seed (dry_noise) */
    (void)self;
    const dry_node seed = dry_dag_bin(dag, DRY_OP_MAX, a[1], num(dag, 0.0));
    const dry_node next = add(dag, seed, num(dag, 16777216.0));
    return mul(dag, dry_dag_bin(dag, DRY_OP_NOISE, a[0], next), d[0]);
}
RULE(d_hypot) {
    const dry_node moving = add(dag, mul(dag, a[0], d[0]), mul(dag, a[1], d[1]));
    return where_moving(dag, moving, over(dag, moving, self));
}
RULE(d_mod) { /* da - n db, n = (a - mod)/b whole */
    const dry_node n = un(dag, DRY_OP_ROUND, over(dag, sub(dag, a[0], self), a[1]));
    return sub(dag, d[0], mul(dag, n, d[1]));
}
RULE(d_min) {
    (void)self;
    return dry_dag_select(dag, less(dag, a[0], a[1]), d[0], d[1]);
}
RULE(d_max) {
    (void)self;
    return dry_dag_select(dag, less(dag, a[1], a[0]), d[0], d[1]);
}
RULE(d_sat) { /* sat(Z, x): dZ above Z, -dZ below -Z, dx between */
    (void)self;
    const dry_node below = less(dag, a[1], un(dag, DRY_OP_NEG, a[0]));
    const dry_node rest = dry_dag_select(dag, below, un(dag, DRY_OP_NEG, d[0]), d[1]);
    return dry_dag_select(dag, less(dag, a[0], a[1]), d[0], rest);
}
RULE(d_flat) { /* piecewise constant */
    (void)dag, (void)self, (void)a, (void)d;
    return 0;
}
#undef RULE

/* ---- bounds, one argument ----------------------------------------------------------- */

static span b_neg(span a) { return turned(a); }
static span b_abs(span a) {
    if (a.low >= 0.0) return a;
    return a.high <= 0.0 ? b_neg(a) : (span){0.0, high_of(-a.low, a.high)};
}
static span b_sign(span a) { return (span){dry_sgn(a.low), dry_sgn(a.high)}; }
static span b_rounding(span a) {
    return (span){0.0, 8.0 * DBL_EPSILON * high_of(fabs(a.low), fabs(a.high))};
}
static span b_floor(span a) { return (span){floor(a.low), floor(a.high)}; }
static span b_ceil(span a) { return (span){ceil(a.low), ceil(a.high)}; }
static span b_round(span a) { return (span){round(a.low), round(a.high)}; }
static span b_sqrt(span a) { return (span){sqrt(high_of(a.low, 0.0)), sqrt(high_of(a.high, 0.0))}; }
static span b_cbrt(span a) { return widen((span){dry_cbrt(a.low), dry_cbrt(a.high)}); }
static span b_exp(span a) {
    return clip(widen((span){dry_exp(a.low), dry_exp(a.high)}), 0.0, (double)INFINITY);
}
static span b_log(span a) {
    return widen(between(dry_log(high_of(a.low, 0.0)), dry_log(high_of(a.high, 0.0))));
}
static span b_log10(span a) {
    return widen(between(dry_log10(high_of(a.low, 0.0)), dry_log10(high_of(a.high, 0.0))));
}
static span b_unit(span a) {
    (void)a;
    return (span){-1.0, 1.0};
}
static span b_sin(span a) { /* increasing over [-pi/2, pi/2] */
    if (a.low < -1.57 || a.high > 1.57) return b_unit(a);
    return clip(widen((span){dry_sin(a.low), dry_sin(a.high)}), -1.0, 1.0);
}
static span b_cos(span a) {
    const span size = b_abs(a); /* decreasing over [0, pi] */
    if (size.high > 3.14) return b_unit(a);
    return clip(widen((span){dry_cos(size.high), dry_cos(size.low)}), -1.0, 1.0);
}
static span b_tan(span a) {
    if (a.low < -1.57 || a.high > 1.57) return whole;
    return widen((span){dry_tan(a.low), dry_tan(a.high)});
}
static span b_asin(span a) {
    const span in = clip(a, -1.0, 1.0);
    return widen((span){dry_asin(high_of(in.low, -1.0)), dry_asin(low_of(in.high, 1.0))});
}
static span b_acos(span a) {
    const span in = clip(a, -1.0, 1.0);
    const span out = {dry_acos(low_of(in.high, 1.0)), dry_acos(high_of(in.low, -1.0))};
    return clip(widen(out), 0.0, 4.0);
}
static span b_atan(span a) { return widen((span){dry_atan(a.low), dry_atan(a.high)}); }
static span b_sinh(span a) { return widen((span){dry_sinh(a.low), dry_sinh(a.high)}); }
static span b_cosh(span a) {
    const span size = b_abs(a);
    return clip(widen((span){dry_cosh(size.low), dry_cosh(size.high)}), 1.0, (double)INFINITY);
}
static span b_tanh(span a) {
    return clip(widen((span){dry_tanh(a.low), dry_tanh(a.high)}), -1.0, 1.0);
}
static span b_erf(span a) {
    return clip(widen((span){dry_erf(a.low), dry_erf(a.high)}), -1.0, 1.0);
}
static span b_truth(span a) {
    (void)a;
    return (span){0.0, 1.0};
}
static span b_not(span a) {
    if (!holds(a, 0.0)) return (span){0.0, 0.0};
    return a.low == a.high ? (span){1.0, 1.0} : b_truth(a);
}

/* ---- bounds, two arguments ---------------------------------------------------------- */

static span of_four(double a, double b, double c, double d) {
    return between(low_of(low_of(a, b), low_of(c, d)), high_of(high_of(a, b), high_of(c, d)));
}

/* An infinite end times zero, or over an infinite end. */
static double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }
static double quotient(double a, double b) { return isinf(b) ? 0.0 : a / b; }

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
        return of_four(quotient(a.low, b.low), quotient(a.low, b.high), quotient(a.high, b.low),
                       quotient(a.high, b.high));
    if (a.low >= 0.0) return (span){quotient(a.low, b.high), (double)INFINITY};
    return a.high <= 0.0 ? (span){-(double)INFINITY, quotient(a.high, b.high)} : whole;
}
/* A power of a base that is not negative is monotonic in each argument: its bounds are at corners.
 */
static span b_pow(span a, span b) {
    const bool even = b.low == b.high && fmod(b.low, 2.0) == 0.0;
    const span base = even ? b_abs(a) : a;
    if (base.low < 0.0) return whole;
    const span corners = of_four(dry_pow(base.low, b.low), dry_pow(base.low, b.high),
                                 dry_pow(base.high, b.low), dry_pow(base.high, b.high));
    return clip(widen(corners), 0.0, (double)INFINITY);
}
static span b_atan2(span y, span x) {
    const span half = x.low > 0.0 ? (span){-1.5708, 1.5708} : (span){-3.1416, 3.1416};
    return y.low > 0.0 ? clip(half, 0.0, 4.0) : y.high < 0.0 ? clip(half, -4.0, 0.0) : half;
}
static span b_hypot(span a, span b) {
    const span x = b_abs(a), y = b_abs(b);
    const span size = {dry_hypot(x.low, y.low), dry_hypot(x.high, y.high)};
    return clip(widen(size), 0.0, (double)INFINITY);
}
/* The bounds are from 0 to b, or those of `a` if `a` is already in that range. */
/* 32 cosines of size 1/4, times (2 pi f)^order, f below 1/2 */
static span b_noise(span a, span b) {
    (void)a;
    const double order = floor(high_of(0.0, b.high) / 16777216.0);
    const double most = 8.0 * dry_pow(3.1415926535897932, order);
    return widen((span){-most, most});
}
static span b_mod(span a, span b) {
    if (b.high < 0.0) return turned(b_mod(turned(a), turned(b)));
    if (b.low <= 0.0) return (span){low_of(b.low, 0.0), high_of(b.high, 0.0)};
    if (a.low < 0.0) return (span){0.0, b.high};
    return (span){a.high < b.low ? a.low : 0.0, low_of(a.high, b.high)};
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
static span b_and(span a, span b) {
    return decided(!holds(a, 0.0) && !holds(b, 0.0), is_zero(a) || is_zero(b));
}
static span b_or(span a, span b) {
    return decided(!holds(a, 0.0) || !holds(b, 0.0), is_zero(a) && is_zero(b));
}

/* ---- where it has a kink or jumps ---------------------------------------------------- */

static int s_argument(dry_dag *dag, const dry_node *a, dry_node *g) {
    (void)dag;
    g[0] = a[0];
    return 1;
}
static int s_difference(dry_dag *dag, const dry_node *a, dry_node *g) {
    g[0] = sub(dag, a[0], a[1]);
    return 1;
}
static int s_ends(dry_dag *dag, const dry_node *a, dry_node *g) {
    g[0] = sub(dag, a[0], a[1]);
    g[1] = add(dag, a[0], a[1]);
    return 2;
}

static dry_beat beat_wholes(dry_dag *dag, const dry_node *a) {
    return (dry_beat){a[0], num(dag, 1.0)};
}
static dry_beat beat_halves(dry_dag *dag, const dry_node *a) {
    return (dry_beat){add(dag, a[0], num(dag, 0.5)), num(dag, 1.0)};
}
static dry_beat beat_second(dry_dag *dag, const dry_node *a) {
    (void)dag;
    return (dry_beat){a[0], a[1]};
}

/* u (b - u) (2 b - u) with u = mod(a, 2 b): a wave that is exactly 0 at every multiple of b and
 * changes its sign there. It has the same slope at all even multiples. */
static dry_node wave(dry_dag *dag, dry_beat beat) {
    const dry_node b = beat.period, twice = mul(dag, num(dag, 2.0), b);
    const dry_node u = dry_dag_bin(dag, DRY_OP_MOD, beat.argument, twice);
    return mul(dag, mul(dag, u, sub(dag, b, u)), sub(dag, twice, u));
}

int dry_op_find_switches(dry_dag *dag, const dry_op_row *row, const dry_node *a, dry_node *g) {
    if (row->switches) return row->switches(dag, a, g);
    if (!row->beat) return 0;
    g[0] = wave(dag, row->beat(dag, a));
    return 1;
}

/* ---- the rows ------------------------------------------------------------------------ */

const dry_op_row dry_op_rows[DRY_N_OPS] = {
#define UNARY(name, formula, ...) [DRY_OP_##name] = {.n_args = 1, .value = #formula, __VA_ARGS__},
#define BINARY(name, formula, ...) [DRY_OP_##name] = {.n_args = 2, .value = #formula, __VA_ARGS__},
#include "ops.def"
    [DRY_OP_CONST] = {.text = "const"},
    [DRY_OP_PAR] = {.text = "param"},
    [DRY_OP_T] = {.text = "t"},
    [DRY_OP_TAU] = {.text = "tau"},
    [DRY_OP_STATE] = {.text = "state"},
    [DRY_OP_UNIT] = {.text = "unit"},
    [DRY_OP_WAY] = {.text = "way"},
    [DRY_OP_REF] = {.text = "ref"},
    [DRY_OP_SELECT] = {.text = "select", .cost = 1},
    [DRY_OP_SOLVE] = {.text = "solve", .cost = 50},
    [DRY_OP_LAW] = {.text = "law", .cost = 50},
    [DRY_OP_LAW_JAC] = {.text = "law_jacobian", .cost = 50},
    [DRY_OP_LAW_BY_PAR] = {.text = "law_by_par", .cost = 50},
    [DRY_OP_LAW_TANGENTS] = {.text = "law_tangents", .cost = 50},
    [DRY_OP_LAW_KINKS] = {.text = "law_kinks", .cost = 50},
    [DRY_OP_LAW_FASTEST] = {.text = "law_fastest", .cost = 50},
    [DRY_OP_LAW_START] = {.text = "law_start", .cost = 50},
    [DRY_OP_LAW_START_BY] = {.text = "law_start_by", .cost = 50},
    [DRY_OP_TABLE] = {.text = "table", .cost = 50},
    [DRY_OP_TABLE_KINKS] = {.text = "table_kinks", .cost = 50},
    [DRY_OP_PICK] = {.text = "pick"},
};

const char *dry_op_text(dry_op op) { return dry_op_rows[op].text; }

int dry_op__cost(dry_op op) { return dry_op_rows[op].cost; }

const dry_op_row *dry_op_find(const char *name) {
    for (const dry_op_row *row = dry_op_rows; row < dry_op_rows + DRY_N_OPS; row++)
        if (row->text[0] == name[0] && dry_op_is_function(row) && !strcmp(row->text, name))
            return row;
    return NULL;
}

/* Returns whether the name is in a list separated by blanks. */
static bool is_among(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (n == length && !memcmp(at, name, n)) return true;
        at += n;
    }
    return false;
}

const dry_op_row *dry_op_foreign(const char *name) {
    for (const dry_op_row *row = dry_op_rows; row < dry_op_rows + DRY_N_OPS; row++)
        if (row->foreign && is_among(row->foreign, name)) return row;
    return NULL;
}

/* ---- values -------------------------------------------------------------------------- */

#define CASE(name, value)                                                                          \
    case DRY_OP_##name: return value;

double dry_op__value1(dry_op op, double a) {
    switch (op) {
#define UNARY(name, value, ...) CASE(name, value)
#define BINARY(name, value, ...)
#include "ops.def"
    default: return (double)NAN;
    }
}

double dry_op__value2(dry_op op, double a, double b) {
    switch (op) {
#define UNARY(name, value, ...)
#define BINARY(name, value, ...) CASE(name, value)
#include "ops.def"
    default: return (double)NAN;
    }
}
