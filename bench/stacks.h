/* Many sets as texts for the scheme `rigid`, with %d for the number of blocks n and %g for c.
 *
 * stack: n blocks one upon the other on a shaken table, with layers that are equal (c = 0) or not.
 * column: n blocks, block i over block i - 1, under a weight that changes (c = 1). */
#ifndef DRYSTONE_BENCH_STACKS_H
#define DRYSTONE_BENCH_STACKS_H

static const char stack_text[] =
    "param n = %d, g = 9.81 [m/s^2], m = 1 [kg], mu = 0.3, c = %g\n"
    "state x[n] = 0 [m], v[n] = 0 [m/s]\n"
    "table = 0.4 [m/s]*sin(20*t)\n"
    "rel[i] = if i == 1 then v[1] - table else v[i] - v[i-1] for i in 1..n\n"
    "f[i] in mu*(1 + c*sin(7.3*i))*m*g*(n - i + 1)*sgn(rel[i]) for i in 1..n\n"
    "fup[i] = if i == n then 0 else f[i+1] for i in 1..n\n"
    "x' = v\n"
    "m*v[i]' = fup[i] - f[i] for i in 1..n\n"
    "run until = 2 [s], step = 1 [ms], method = rigid\n";

static const char column_text[] =
    "param n = %d, g = 9.81 [m/s^2], m = 1 [kg], c = %g\n"
    "state y[n] = 0 [m], v[n] = 0 [m/s]\n"
    "below[i] = if i == 1 then 0 else y[i-1] for i in 1..n\n"
    "N[i] in dio(y[i] - below[i]) with restitution = 0 for i in 1..n\n"
    "top[i] = if i == n then 0 else N[i+1] for i in 1..n\n"
    "y' = v\n"
    "m*v[i]' = N[i] - top[i] - m*g*(1 + 0.5*c*sin(20*t)) for i in 1..n\n"
    "run until = 2 [s], step = 1 [ms], method = rigid\n";

#endif
