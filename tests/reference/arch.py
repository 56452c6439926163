"""When a semicircular arch of n voussoirs stands: limit analysis by linear programs (tests/rigid/test_arch.c).

Joint j = 0..n lies at the angle pi j/n; the stones press on each other at the inner and the outer edge, with friction mu:

    find  Ni, Ne >= 0, |f| <= mu (Ni + Ne)  in balance with the weight of every stone

Mean radius 1, thickness t. Without such forces the arch cannot stand. The smallest t for n -> infinity without sliding is
0.1075 (Milankovitch 1907). Prints n, then the smallest t with mu = 1, then the smallest mu with t = 0.2.

    python3 tests/reference/arch.py
"""
import numpy as np
from scipy.optimize import linprog


def centre(t, d):
    """Radius of the centre of mass of a stone with the angle d."""
    a, b = 1 - t / 2, 1 + t / 2
    return 4 / 3 * np.sin(d / 2) / d * (b**3 - a**3) / (b**2 - a**2)


def stands(n, t, mu):
    d = np.pi / n
    rc = centre(t, d)
    rows, right = np.zeros((3 * n, 3 * (n + 1))), np.zeros(3 * n)
    for k in range(n):
        phi = (k + 0.5) * d
        c = rc * np.array([np.cos(phi), np.sin(phi)])
        right[3 * k + 1] = 1.0  # weight, in weights of a stone
        for j, side in ((k, 1.0), (k + 1, -1.0)):
            th = j * d
            radial, along = np.array([np.cos(th), np.sin(th)]), np.array([-np.sin(th), np.cos(th)])
            for column, r, force in ((3 * j, 1 - t / 2, along), (3 * j + 1, 1 + t / 2, along), (3 * j + 2, 1.0, -radial)):
                arm, pull = r * radial - c, side * force
                rows[3 * k : 3 * k + 2, column] = pull
                rows[3 * k + 2, column] = arm[0] * pull[1] - arm[1] * pull[0]
    below = np.zeros((2 * (n + 1), 3 * (n + 1)))
    for j in range(n + 1):
        for i, sign in enumerate((1.0, -1.0)):
            below[2 * j + i, 3 * j : 3 * j + 3] = -mu, -mu, sign
    bounds = [(0, None), (0, None), (None, None)] * (n + 1)
    return linprog(np.zeros(3 * (n + 1)), below, np.zeros(2 * (n + 1)), rows, right, bounds, method="highs").status == 0


def limit(good, low, high):
    while high - low > 1e-7:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


for n in (9, 10, 15, 20, 31, 101):
    print(n, "%.6f" % limit(lambda t: stands(n, t, 1.0), 0.01, 0.3), "%.6f" % limit(lambda mu: stands(n, 0.2, mu), 0.05, 1.0))
