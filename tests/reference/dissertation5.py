"""X. Xiong's dissertation 2013, chapter 5: the compliant contact (5.6), Kelvin-Voigt (5.1), Hunt-Crossley (5.2), the linear
contact (5.4), on the mass of (5.7), M = 1 kg. RK4 at the paper's 1 ms unless a model says otherwise.

p is positive in the wall. The captions of Figures 5.4 to 5.8 lack beta1, beta2, gamma, speeds: those of the models are taken.
"""

import numpy as np

from laws import compliant, contact, hunt_crossley
from steps import grid, rk4

K, EXPONENT, GAMMA = 1e4, 1.5, 2e3


def impacts(times, p, v, gamma, beta1, beta2, weight=0.0):
    """Several masses on (5.6) at once; arrays over the masses. Columns p, v, N, N.a."""
    gamma, beta1, beta2, p, v = (np.broadcast_to(np.asarray(each, float), np.broadcast(gamma, beta1, beta2, p, v).shape).ravel()
                                 for each in (gamma, beta1, beta2, p, v))
    n = len(p)

    def rate(t, x):
        N, a_rate = compliant(x[2*n:], x[:n], K, EXPONENT, gamma, beta1, beta2)
        return np.concatenate([x[n:2*n], weight - N, a_rate])

    rows = rk4(rate, np.concatenate([p, v, np.zeros(n)]), times)
    p, v, a = rows[:, :n], rows[:, n:2*n], rows[:, 2*n:]
    return {"t": times, "p": list(p.T), "v": list(v.T), "N.a": list(a.T),
            "N": list(compliant(a, p, K, EXPONENT, gamma, beta1, beta2)[0].T)}


def hunt_crossley_mass(times, p, v, b, weight=0.0):
    def rate(t, x):
        return np.array([x[1], weight - hunt_crossley(x[0], x[1], K, EXPONENT, b)])
    p, v = rk4(rate, [p, v], times).T
    return p, v, hunt_crossley(p, v, K, EXPONENT, b)


def between(run, at, p, v, N):
    """The run with one more mass, of another law, at this place."""
    for name, column in (("p", p), ("v", v), ("N", N), ("N.a", p*np.sqrt(np.abs(p)))):
        run[name].insert(at, column)
    return run


def shapes():
    """Figure 5.1, at 20 us. The pull of 200 N begins at 35 ms, which is on the grid."""
    times, b1, b2 = grid(0, 0.1, 20e-6), 5e-3, 0.35

    def kelvin_voigt(p, v):
        return np.where(p >= 0, K*(p + b1*v), 0.0)                                    # (5.1)

    def forces(x):
        N4, e_rate = contact(x[8], -x[3], K, 1/200, 1/200 + b1)                       # (5.4), as X13 (24), (25)
        return [kelvin_voigt(x[0], x[4]), hunt_crossley(x[1], x[5], K, EXPONENT, b2),
                hunt_crossley(x[2], x[6], K, EXPONENT, b2), N4], e_rate

    def rate_with(pull):
        def rate(t, x):
            N, e_rate = forces(x)
            return np.concatenate([x[4:8], [-N[0], -N[1], -N[2] - pull, -N[3]], [e_rate]])
        return rate

    start = np.concatenate([np.full(4, -1e-3), np.full(4, 2.0), [0.0]])
    corner = round(0.035/20e-6)
    early = rk4(rate_with(0.0), start, times[:corner + 1])
    rows = np.concatenate([early, rk4(rate_with(200.0), early[-1], times[corner:])[1:]])
    return {"t": times, "p": list(rows.T[:4]), "v": list(rows.T[4:8]), "N": list(forces(rows.T)[0])}


def impact():
    """Figure 5.2: the caption's parameters, Hunt-Crossley, and half beta1 with ten times beta2."""
    times = grid(0, 0.2, 1e-3)
    run = impacts(times, -0.1, 2.0, GAMMA, np.array([3e-3, 1.5e-3]), np.array([0.1, 1.0]))
    return between(run, 1, *hunt_crossley_mass(times, -0.1, 2.0, 0.35))


def bounces():
    """Figure 5.3: as captioned, Hunt-Crossley, and beta2 = 0.452."""
    times = grid(0, 5, 1e-3)
    run = impacts(times, -0.5, 0.0, GAMMA, 1.45e-3, np.array([0.2, 0.452]), 9.8)
    return between(run, 1, *hunt_crossley_mass(times, -0.5, 0.0, 0.2, 9.8))


def beta1_effect():
    """Figure 5.4: beta1 changes first."""
    return impacts(grid(0, 0.2, 1e-3), -0.1, 2.0, GAMMA, np.tile([0, 1e-3, 3e-3, 6e-3], 3), np.repeat([0, 0.1, 0.6], 4))


def onset():
    """Figure 5.4, the first 10 us, at 10 ns."""
    run = impacts(grid(0, 10e-6, 10e-9), 0.0, 2.0, GAMMA, 3e-3, 0.1)
    return {"t": run["t"], "p": run["p"][0], "v": run["v"][0], "N": run["N"][0]}


def beta2_effect():
    """Figure 5.5: beta2 changes first."""
    return impacts(grid(0, 0.2, 1e-3), -0.1, 2.0, GAMMA, np.repeat([0, 3e-3, 6e-3], 4), np.tile([0, 0.1, 0.3, 0.6], 3))


def gamma_effect():
    """Figure 5.6: gamma changes first."""
    return impacts(grid(0, 0.4, 1e-3), -0.1, np.repeat([0.5, 2, 5], 4), np.tile([20, 100, 500, 2000], 3), 3e-3, 0.1)


SPEEDS = np.array([0.05, 0.2, 0.5, 1, 2, 5])


def point():
    run = impacts(grid(0, 2.5, 1e-3), -0.1, 1.0, GAMMA, 3e-3, 0.1)
    return {"t": run["t"], "p": run["p"][0], "v": run["v"][0], "N": run["N"][0]}


def restitution():
    """Figure 5.7: seven rows of (beta1, beta2), six speeds in each."""
    return impacts(grid(0, 2.5, 1e-3), -0.1, np.tile(SPEEDS, 7), GAMMA, np.repeat([0, 1e-3, 3e-3, 6e-3, 3e-3, 3e-3, 3e-3], 6),
                   np.repeat([0.1, 0.1, 0.1, 0.1, 0, 0.3, 0.6], 6))


def slow_impacts():
    return impacts(grid(0, 5, 1e-3), 0.0, np.array([1e-2, 1e-4, 1e-6, 1e-8]), GAMMA, 3e-3, 0.1)


def gamma_restitution():
    """Figure 5.8: five gammas, six speeds in each."""
    return impacts(grid(0, 2.8, 1e-3), -0.1, np.tile(SPEEDS, 5), np.repeat([20, 100, 500, 1000, 2000], 6), 3e-3, 0.1)


def too_fast():
    return impacts(grid(0, 0.2, 0.5e-3), -0.1, 2.0, np.array([4000, 2000]), 3e-3, 0.1)
