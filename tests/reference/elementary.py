#!/usr/bin/python3
"""Prints tests/math/elementary_values.h: values of the elementary functions by mpmath (Debian: python3-mpmath).

    tests/reference/elementary.py > tests/math/elementary_values.h

Each row has the arguments, the double next to the value, and what that leaves, so that the test knows the error of a
function to a thousandth of a unit of the last place."""
import math
import random
import sys

try:
    import mpmath
except ImportError:
    sys.exit("tests/reference/elementary.py: mpmath is missing; install it with: apt install python3-mpmath")

from mpmath import mpf

mpmath.mp.dps = 400  # as many as sin(1e308) takes
random.seed(18)


def near(place, n=4):
    return [place * (1 + (random.random() - 0.5) * 2.0 ** -random.randint(5, 52)) for _ in range(n)]


def sizes(low, high, n):
    return [random.choice((-1, 1)) * 2.0 ** random.uniform(low, high) for _ in range(n)]


angles = ([random.uniform(-20, 20) for _ in range(12)] + sizes(-40, 60, 8) + sizes(900, 1023, 6) +
          [k * math.pi / 4 for k in (1, 2, 3, 4, 5, 1000, 12345, 2 ** 21 + 1, 2 ** 40 + 3)] +
          [6381956970095103.0 * 2.0 ** 797, 5e-324, 1.7976931348623157e308])
units = [random.uniform(-1, 1) for _ in range(14)] + sizes(-40, 0, 6) + near(0.5) + near(-0.5) + [1 - 2.0 ** -k for k in (2, 20, 53)]
hyperbolic = [random.uniform(-5, 5) for _ in range(14)] + sizes(-40, 4, 8) + near(1.0, 3) + near(0.5, 3) + [5e-324]
positive = [random.uniform(0, 4) for _ in range(12)] + [abs(x) for x in sizes(-1000, 1000, 8)] + near(1.0, 6) + [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
pairs = [(random.uniform(-4, 4), random.uniform(-4, 4)) for _ in range(16)] + list(zip(sizes(-300, 300, 8), sizes(-300, 300, 8)))

CASES = {
    "sin": (mpmath.sin, angles), "cos": (mpmath.cos, angles), "tan": (mpmath.tan, angles),
    "asin": (mpmath.asin, units), "acos": (mpmath.acos, units),
    "atan": (mpmath.atan, [random.uniform(-6, 6) for _ in range(14)] + sizes(-40, 60, 8) + near(0.4375) + near(1.25)),
    "sinh": (mpmath.sinh, hyperbolic + [700.0, -710.4]), "cosh": (mpmath.cosh, hyperbolic + [700.0, -710.47]),
    "tanh": (mpmath.tanh, hyperbolic + [19.0, -21.0]),
    "exp": (mpmath.exp, [random.uniform(-40, 40) for _ in range(14)] + near(709.7, 3) + near(-708.3, 3) + [-740.0, 1e-20]),
    "log": (mpmath.log, positive), "log10": (mpmath.log10, positive),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), positive + [-x for x in positive[:6]]),
    "erf": (mpmath.erf, [random.uniform(-4, 4) for _ in range(14)] + sizes(-40, 2, 8) + near(0.5) + [5.5, -5.9]),
    "pow": (mpmath.power, [(abs(a) + 0.01, 3 * b) for a, b in pairs[:16]] +
            [(1 + a * 2.0 ** -20, b * 2.0 ** 22) for a, b in pairs[:8]] + [(2.0, -1074.0), (10.0, 308.0), (-3.0, 5.0)]),
    "atan2": (mpmath.atan2, pairs + [(1.0, -2.0), (-1.0, -1.0), (5e-324, -1.0)]),
    "hypot": (lambda a, b: mpmath.sqrt(a * a + b * b), pairs + [(3.0, 4.0), (5e-324, 5e-324), (1e308, 1e308)]),
}

print("""/* Values of the elementary functions, printed by tests/reference/elementary.py with mpmath. */
static const struct {
    const char *name;
    double x, y, value, rest; /* f(x, y) = value + rest */
} values[] = {
    /* clang-format off */""")
for name, (function, points) in CASES.items():
    for point in points:
        x, y = point if isinstance(point, tuple) else (point, 0.0)
        exact = function(mpf(x), mpf(y)) if isinstance(point, tuple) else function(mpf(x))
        value = float(exact)
        if math.isinf(value):
            continue
        print('    {"%s", %s, %s, %s, %s},' % (name, x.hex(), float(y).hex(), value.hex(), float(exact - mpf(value)).hex()))
print("    /* clang-format on */\n};")
