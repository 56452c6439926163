#!/usr/bin/python3
"""Prints src/math/coefficients.h: the polynomials and tables of the elementary functions.

    tools/coefficients.py > src/math/coefficients.h

Each polynomial interpolates its function at the Chebyshev points of the interval, which comes within a few
percent of the best polynomial of that degree; all is computed with 60 digits by mpmath (Debian: python3-mpmath)
and rounded once. A comment says how large the error is, relative to the function that is approximated."""
import struct
import sys

try:
    import mpmath
except ImportError:
    sys.exit("tools/coefficients.py: mpmath is missing; install it with: apt install python3-mpmath")

from mpmath import mpf

mpmath.mp.dps = 60


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def single(x):
    return struct.unpack("<f", struct.pack("<f", float(x)))[0]


def cut(x, digits):
    """x rounded to a multiple of 2^-digits"""
    return mpf(mpmath.nint(mpf(x) * mpf(2) ** digits)) / mpf(2) ** digits


def text(x, is_single=False):
    if is_single:
        value = single(x)
        for digits in range(1, 10):
            number = "%.*g" % (digits, value)
            if single(float(number)) == value:
                break
    else:
        number = repr(float(x))
    if "." not in number and "e" not in number:
        number += ".0"
    return number + ("f" if is_single else "")


# ---- polynomials ------------------------------------------------------------------------------


def fit(function, low, high, n):
    """The n coefficients of the polynomial through the values at the Chebyshev points."""
    low, high = mpf(low), mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle + half * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    matrix = mpmath.matrix(n, n)
    for i in range(n):
        for k in range(n):
            matrix[i, k] = points[i] ** k
    return list(mpmath.lu_solve(matrix, mpmath.matrix([function(x) for x in points])))


def error(function, low, high, coefficients):
    low, high, most = mpf(low), mpf(high), mpf(0)
    for i in range(101):
        x = low + (high - low) * i / 100
        value = mpmath.polyval(coefficients[::-1], x)
        most = max(most, abs(value - function(x)))
    return most


def horner(c):
    out = c[-1]
    for value in c[-2::-1]:
        out = "%s + x * %s" % (value, out if out[0].isdigit() or out[0] == "(" else "(%s)" % out)
        out = "(%s)" % out
    return out[1:-1] if len(c) > 1 else out


def estrin(c, power=""):
    if len(c) == 1:
        return c[0]
    if len(c) == 2:
        return "%s + x * %s" % (c[0], c[1])
    n = 2
    while 2 * n < len(c):
        n *= 2
    low, high = estrin(c[:n]), estrin(c[n:])
    return "(%s) + x%d * (%s)" % (low, n, high)


def signed(number):
    return "(%s)" % number if number[0] == "-" else number


def polynomial(name, function, low, high, n, what, scheme="estrin", is_single=False):
    c = fit(function, low, high, n)
    rounded = [single(x) if is_single else mpf(float(x)) for x in c]
    worst = error(function, low, high, [mpf(x) for x in rounded])
    kind = "float" if is_single else "double"
    numbers = [signed(text(x, is_single)) for x in c]
    print("/* %s; within %.1e */" % (what, float(worst)))
    print("DRY_INLINE %s dry_math__%s(%s x) {" % (kind, name, kind))
    if scheme == "estrin" and n > 2:
        powers, k = ["x2 = x * x"], 4
        while k < n:
            powers.append("x%d = x%d * x%d" % (k, k // 2, k // 2))
            k *= 2
        print("    const %s %s;" % (kind, ", ".join(powers)))
        print("    return %s;" % estrin(numbers))
    else:
        print("    return %s;" % horner(numbers))
    print("}\n")


# ---- tables -----------------------------------------------------------------------------------


def table(name, kind, columns, rows, what):
    print("/* %s */" % what)
    if columns > 1:
        print("DRY_INLINE const %s *dry_math__%s(unsigned i) {" % (kind, name))
        print("    static const %s rows[%d][%d] = {" % (kind, len(rows), columns))
        for row in rows:
            print("        {%s}," % ", ".join(row))
    else:
        print("DRY_INLINE %s dry_math__%s(unsigned i) {" % (kind, name))
        print("    static const %s rows[%d] = {" % (kind, len(rows)))
        for i in range(0, len(rows), 4):
            print("        %s," % ", ".join(rows[i:i + 4]))
    print("    };\n    return rows[i];\n}\n")


def high_and_low(x):
    high = mpf(float(x))
    return [text(high), text(mpf(x) - high)]


def sines():
    quarter = (mpmath.pi / 4) ** 2 * mpf("1.001")

    def root(x):
        return mpmath.sqrt(x)

    def sine(z):
        r = root(z)
        return (mpmath.sin(r) - r) / r ** 3 if z else -mpf(1) / 6

    def cosine(z):
        return (mpmath.cos(root(z)) - 1 + z / 2) / z ** 2 if z else mpf(1) / 24

    polynomial("sine", sine, 0, quarter, 7, "(sin(r) - r)/r^3 of x = r^2, |r| <= pi/4")
    polynomial("cosine", cosine, 0, quarter, 6, "(cos(r) - 1 + x/2)/x^2 of x = r^2, |r| <= pi/4")
    polynomial("sinef", sine, 0, quarter, 4, "the same in single precision", "horner", True)
    polynomial("cosinef", cosine, 0, quarter, 3, "the same in single precision", "horner", True)
    saved, mpmath.mp.dps = mpmath.mp.dps, 500
    digits = int(mpmath.floor(2 / mpmath.pi * mpf(2) ** 1312))
    mpmath.mp.dps = saved
    words = ["0x0u", "0x0u"] + ["0x%08xu" % ((digits >> (1312 - 32 * (i + 1))) & 0xFFFFFFFF) for i in range(41)]
    table("two_over_pi", "uint32_t", 1, words, "the binary digits of 2/pi, 32 in each word, after 64 zeros")


def exponentials():
    step = mpmath.log(2) / 64 * mpf("1.001")

    def even(z):
        r = mpmath.sqrt(z)
        return (mpmath.cosh(r) - 1) / z if z else mpf(1) / 2

    def odd(z):
        r = mpmath.sqrt(z)
        return (mpmath.sinh(r) - r) / r ** 3 if z else mpf(1) / 6

    polynomial("exp_even", even, 0, step ** 2, 3, "(cosh(r) - 1)/r^2 of x = r^2, |r| <= ln(2)/64", "horner")
    polynomial("exp_odd", odd, 0, step ** 2, 2, "(sinh(r) - r)/r^3 of x = r^2, |r| <= ln(2)/64", "horner")
    rows = [high_and_low(mpf(2) ** (mpf(i) / 32)) for i in range(32)]
    table("exp_rows", "double", 2, rows, "2^(i/32), and what its rounding leaves")
    polynomial("sinh_tail", odd, 0, 1, 8, "(sinh(r) - r)/r^3 of x = r^2, |r| <= 1")

    def tangent(z):
        r = mpmath.sqrt(z)
        return (mpmath.tanh(r) - r) / r ** 3 if z else -mpf(1) / 3

    polynomial("tanh_tail", tangent, 0, mpf("0.25"), 11, "(tanh(r) - r)/r^3 of x = r^2, |r| <= 1/2")


def logarithms():
    off, rows, most = 0x3FE6700000000000, [], mpf(0)
    for i in range(128):
        ends = [struct.unpack("<d", struct.pack("<Q", off + (j << 45)))[0] for j in (i, i + 1)]
        ends = [mpf(z) for z in ends]
        if ends[1] > 2 * mpf(struct.unpack("<d", struct.pack("<Q", off))[0]):
            ends = [z / 2 for z in ends]
        inverse = cut(2 / (ends[0] + ends[1]), 9)
        most = max([most] + [abs(z * inverse - 1) for z in ends])
        value = -mpmath.log(inverse)
        high = cut(value, 42)
        rows.append([text(inverse), text(high), text(value - high)])
    table("log_rows", "double", 3, rows, "c, -log(c) to 42 binary digits, and what that leaves")

    def tail(r):
        return (mpmath.log1p(r) - r + r ** 2 / 2) / r ** 3 if r else mpf(1) / 3

    bound = "(log(1 + x) - x + x^2/2)/x^3, |x| <= %.4f" % float(most)
    polynomial("log_tail", tail, -most, most, 6, bound)
    polynomial("log_tail_more", tail, -most, most, 8, bound)


def arcs():
    def arctangent(z):
        r = mpmath.sqrt(z)
        return (mpmath.atan(r) - r) / r ** 3 if z else -mpf(1) / 3

    def arcsine(z):
        r = mpmath.sqrt(z)
        return (mpmath.asin(r) - r) / r ** 3 if z else mpf(1) / 6

    polynomial("atan_tail", arctangent, 0, (mpf(7) / 16) ** 2, 12, "(atan(r) - r)/r^3 of x = r^2, |r| <= 7/16")
    polynomial("asin_tail", arcsine, 0, mpf(1) / 4, 14, "(asin(r) - r)/r^3 of x = r^2, |r| <= 1/2")
    rows = [high_and_low(mpmath.atan(mpf(c))) for c in ("0.5", "1", "2")] + [high_and_low(mpmath.pi / 2)]
    table("atan_rows", "double", 2, rows, "atan of 1/2, 1, 2 and infinity")


def roots():
    def inverse(m):
        return m ** (-mpf(1) / 3)

    polynomial("cbrt_start", inverse, 1, 2, 6, "x^(-1/3), 1 <= x <= 2")
    rows = [text(mpf(2) ** (-mpf(j) / 3)) for j in range(3)]
    table("cbrt_scale", "double", 1, rows, "2^(-i/3)")


def errors():
    def near(z):
        r = mpmath.sqrt(z)
        return mpmath.erf(r) / r - 1 if z else 2 / mpmath.sqrt(mpmath.pi) - 1

    polynomial("erf_near", near, 0, mpf(1) / 4, 9, "erf(r)/r - 1 of x = r^2, |r| <= 1/2")
    rows = []
    for i in range(22):
        center = mpf(2 * i + 5) / 8
        value = mpmath.erf(center)

        def tail(h, center=center, value=value):
            return (mpmath.erf(center + h) - value) / h if abs(h) > 1e-30 else 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-center ** 2)

        rows.append(high_and_low(value) + [text(c) for c in fit(tail, mpf(-1) / 8, mpf(1) / 8, 12)])
    table("erf_rows", "double", 14, rows,
          "erf(c), what its rounding leaves, and the polynomial (erf(c + x) - erf(c))/x, |x| <= 1/8, for c = 5/8 + i/4")


HEAD = """/* coefficients: the polynomials and tables of the elementary functions, printed by
 * tools/coefficients.py. */
#ifndef DRY_MATH_COEFFICIENTS_H
#define DRY_MATH_COEFFICIENTS_H

#include <drystone/core.h>
#include <stdint.h>

/* clang-format off */
"""

print(HEAD)
sines()
exponentials()
logarithms()
arcs()
roots()
errors()
print("#endif")
