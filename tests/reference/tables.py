"""Values between the knots of a table, for tests/math/test_table.c: numpy.interp, and the monotone cubic of Fritsch and
Butland (1984) in exact fractions by the four Hermite polynomials, beside scipy's PchipInterpolator if SciPy is there.
"""

from fractions import Fraction

import numpy as np

X = [0.0, 0.5, 1.0, 3.0, 4.0, 7.0]
Y = [0.3, 0.25, 0.2, 0.4, 0.4, -1.0]
AT = [0.125, 0.75, 1.5, 2.9, 3.5, 4.25, 6.5]


def sign(a):
    return (a > 0) - (a < 0)


def end(h, h1, s, s1):
    m = ((2*h + h1)*s - h*s1)/(h + h1)
    if sign(m) != sign(s):
        return Fraction(0)
    return 3*s if sign(s) != sign(s1) and abs(m) > 3*abs(s) else m


def monotone(x, y):
    h = [b - a for a, b in zip(x, x[1:])]
    s = [(b - a)/w for a, b, w in zip(y, y[1:], h)]
    inner = [Fraction(0) if sign(s[k - 1])*sign(s[k]) <= 0 else
             3*(h[k - 1] + h[k])/((2*h[k] + h[k - 1])/s[k - 1] + (h[k] + 2*h[k - 1])/s[k]) for k in range(1, len(s))]
    return [end(h[0], h[1], s[0], s[1])] + inner + [end(h[-1], h[-2], s[-1], s[-2])]


def parabolas(x, y):
    """The slope at each knot of the parabola through it and its neighbours, by Lagrange's polynomials."""
    def slope(i, at):
        a, b, c = x[i:i + 3]
        return (y[i]*((at - b) + (at - c))/((a - b)*(a - c)) + y[i + 1]*((at - a) + (at - c))/((b - a)*(b - c))
                + y[i + 2]*((at - a) + (at - b))/((c - a)*(c - b)))
    return [slope(min(max(k - 1, 0), len(x) - 3), x[k]) for k in range(len(x))]


def hermite(x, y, m, at):
    i = max(k for k in range(len(x) - 1) if x[k] <= at)
    h, u = x[i + 1] - x[i], (at - x[i])/(x[i + 1] - x[i])
    value = ((1 + 2*u)*(1 - u)**2*y[i] + u*(1 - u)**2*h*m[i] + u*u*(3 - 2*u)*y[i + 1] + u*u*(u - 1)*h*m[i + 1])
    slope = (6*u*(u - 1)*(y[i] - y[i + 1])/h + (1 - u)*(1 - 3*u)*m[i] + u*(3*u - 2)*m[i + 1])
    return value, slope


def row(name, numbers):
    print(f"{name:10}", ", ".join(repr(float(a)) for a in numbers))


x, y, at = ([Fraction(a) for a in numbers] for numbers in (X, Y, AT))
row("linear", np.interp(AT, X, Y))
for name, slopes in ("monotone", monotone(x, y)), ("smooth", parabolas(x, y)):
    row(name, [hermite(x, y, slopes, a)[0] for a in at])
    row("  slope", [hermite(x, y, slopes, a)[1] for a in at])
    row("  ends", [slopes[0], slopes[-1]])
try:
    from scipy.interpolate import PchipInterpolator
    row("scipy", PchipInterpolator(X, Y)(AT))
    row("  slope", PchipInterpolator(X, Y).derivative()(AT))
except ImportError:
    print("SciPy is not installed")
