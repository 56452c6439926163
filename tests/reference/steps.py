"""Methods, written out: Runge-Kutta with and without the step of the stage, forward Euler, and "converged" by scipy.

A rate is a function rate(t, x) of the time and an array; with stages (KY08 (21)) rate(t, x, tau). Whoever has a force that
jumps at a time gives the pieces one after the other, so that each step sees one side of the jump.
"""

import numpy as np
from scipy.integrate import solve_ivp


def grid(start, end, step):
    return start + step*np.arange(round((end - start)/step) + 1)


def rk4(rate, x, times):
    """The classical Runge-Kutta method, X13's and XD's. Returns the states at the times, one row each."""
    rows = [np.array(x, float)]
    for t, after in zip(times[:-1], times[1:]):
        T, x = after - t, rows[-1]
        k1 = rate(t, x)
        k2 = rate(t + T/2, x + T/2*k1)
        k3 = rate(t + T/2, x + T/2*k2)
        k4 = rate(t + T, x + T*k3)
        rows.append(x + T/6*(k1 + 2*k2 + 2*k3 + k4))
    return np.array(rows)


def rk4_stages(rate, x, times):
    """KY08 (21): the rate gets T_r = T/2, T/2, T, T, the step of its stage."""
    rows = [np.array(x, float)]
    for t, after in zip(times[:-1], times[1:]):
        T, x = after - t, rows[-1]
        k1 = rate(t, x, T/2)
        k2 = rate(t + T/2, x + T/2*k1, T/2)
        k3 = rate(t + T/2, x + T/2*k2, T)
        k4 = rate(t + T, x + T*k3, T)
        rows.append(x + T/6*(k1 + 2*k2 + 2*k3 + k4))
    return np.array(rows)


def euler(rate, x, times):
    rows = [np.array(x, float)]
    for t, after in zip(times[:-1], times[1:]):
        rows.append(rows[-1] + (after - t)*rate(t, rows[-1]))
    return np.array(rows)


def converged(rate, x, times, max_step, method="DOP853", rtol=1e-11, atol=1e-14):
    """The solution itself, as far as floating point goes: small tolerances, and no step that could miss a contact."""
    found = solve_ivp(rate, (times[0], times[-1]), np.array(x, float), method, times, max_step=max_step, rtol=rtol, atol=atol)
    if not found.success:
        raise RuntimeError(found.message)
    return found.y.T


def in_pieces(solve, rates, x, pieces):
    """Several rates one after the other, each on its own times; the last state of one starts the next."""
    times, rows = [pieces[0][0]], [np.array(x, float)]
    for rate, piece in zip(rates, pieces):
        found = solve(rate, rows[-1], piece)
        times.extend(piece[1:])
        rows.extend(found[1:])
    return np.array(times), np.array(rows)
