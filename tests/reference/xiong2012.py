"""X. Xiong, R. Kikuuwe, M. Yamamoto, RSJ 2012 (in Japanese): its systems, from its equations, which are those of 2013.

The paper prints no stiffness. The models leave it to the compiler; here it is chosen by hand, and not as the compiler
does: what the models expect (the rigid answer, the balance of forces, a restitution) must not depend on the choice.
"""

import math

import numpy as np
from scipy.optimize import brentq

from laws import contact, friction, friction2
from steps import converged, grid, in_pieces, rk4
from xiong2013 import conveyor_columns


def restitution(b, rho):
    """Rebound of the element (13)-(16) without gravity, in units with M = K = v = 1: beta = b, alpha = rho b."""
    def rate(t, x):
        N, e_rate = contact(x[2], x[0], 1.0, rho*b, b)
        return np.array([x[1], N, e_rate])
    return converged(rate, [0.0, -1.0, 0.0], np.linspace(0, 20, 3), 0.02)[-1][1]


def friction_block():
    """Figure 3: (6), (7) as (10), with the force of the 2013 paper, (20). M = 1 kg, K = 2e6 N/m, beta = 1 ms."""
    def rate_under(force):
        def rate(t, x):
            f, a_rate = friction(x[2], x[1], 0.5, 2e6, 1e-3)
            return np.array([x[1], force(t) - f, a_rate])
        return rate

    rates = [rate_under(lambda t: min(0.52, 0.8*t)), rate_under(lambda t: 0.336 + 0.144*math.cos(100*t))]
    times, rows = in_pieces(rk4, rates, np.zeros(3), [grid(0, 2, 1e-3), grid(2, 5, 1e-3)])
    p, v, a = rows.T
    return {"t": times, "p": p, "v": v, "f.a": a, "f.slip": 1.0*(np.abs(2e6*(a + 1e-3*v)) > 0.5)}


def restitutions():
    """Figure 5: eight masses, alpha/beta = 1, 0.7, 0.5, 0.1 at two stiffnesses, beta sqrt(K/M) = 1."""
    rho = np.tile([1, 0.7, 0.5, 0.1], 2)
    K = np.repeat([1e4, 1e6], 4)
    beta = np.repeat([10e-3, 1e-3], 4)

    def rate(t, x):
        N, e_rate = contact(x[16:], x[:8], K, rho*beta, beta)
        return np.concatenate([x[8:16], N, e_rate])

    times = grid(0, 0.1, 20e-6)
    rows = converged(rate, np.concatenate([np.full(8, 0.02), np.full(8, -1.0), np.zeros(8)]), times, 1e-4)
    p, v, e = rows[:, :8], rows[:, 8:16], rows[:, 16:]
    return {"t": times, "p": list(p.T), "v": list(v.T), "f": list(contact(e, p, K, rho*beta, beta)[0].T)}


def point_contact():
    """(19) as (20)-(22), M = 2 kg. Contact: K = 1e7 N/m, beta sqrt(K/M) = 1.5, and the alpha that rebounds with 0.4;
    friction: K = 2e8 N/m, beta = 0.1 ms."""
    M, g, mu, h, v0, K, K_rub, beta_rub = 2.0, 9.8, 0.4, 0.02, 2.5, 1e7, 2e8, 1e-4
    rho = brentq(lambda r: restitution(1.5, r) - 0.4, 0.1, 0.5, xtol=1e-6)
    beta = 1.5/math.sqrt(K/M)

    def rate(t, x):
        N, e_rate = contact(x[6], x[2], K, rho*beta, beta)
        f, a_rate = friction2((x[7], x[8]), (x[3], x[4]), mu*N, K_rub, beta_rub)
        return np.array([x[3], x[4], x[5], -f[0]/M, -f[1]/M, N/M - g, e_rate, *a_rate])

    times = grid(0, 1, 1e-4)
    rows = rk4(rate, [0, 0, h, 0.8*v0, -0.6*v0, 0, 0, 0, 0], times).T
    return {"t": times, "p": list(rows[:3]), "v": list(rows[3:6]), "fz.K": K, "fxy.K": K_rub}


def two_blocks():
    """(23)-(26) as (33), with the data of Example II of 2013. K = 5e6 N/m, beta = 0.5 ms, alpha = 0.1 ms; friction with
    the same K, beta = 0.2 ms."""
    K, beta, alpha, beta_rub = 5e6, 0.5e-3, 0.1e-3, 0.2e-3

    def forces(x):
        normal = [contact(x[8 + i], gap, K, alpha, beta) for i, gap in enumerate((x[0], x[2] - x[0], x[3]))]
        slides = (x[5], x[5] - x[7], x[6] + 1.0)
        rubs = [friction(x[11 + i], slides[i], 0.5*normal[i][0], K, beta_rub) for i in range(3)]
        return normal, rubs, [np.abs(K*(x[11 + i] + beta_rub*slides[i])) > 0.5*normal[i][0] for i in range(3)]

    def rate(t, x):
        normal, rubs, _ = forces(x)
        (N1, e1), (N2, e2), (N3, e3) = normal
        (f1, a1), (f2, a2), (f3, a3) = rubs
        return np.array([x[4], x[5], x[6], x[7], (N1 - N2)/0.5, (-100*x[1] - f1 - f2)/0.5, N2 - f3, f2 + N3 - 9.8,
                         e1, e2, e3, a1, a2, a3])

    times = grid(0, 1.5, 1e-4)
    return conveyor_columns(times, rk4(rate, [0, 0.25, 0.05, 0] + 10*[0], times), forces)
