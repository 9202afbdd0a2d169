#!/usr/bin/env python3
"""elementary.py: prints the polynomials of src/base/number/portable_math.h and portable_math.c as hexadecimal doubles.

A long, exact Taylor series is converted to Chebyshev polynomials on the interval and truncated. The result is within a
few percent of the best polynomial of its degree."""
from fractions import Fraction
from math import factorial

TERMS = 32


def times(a, b):
    out = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def substitute(p, inner):
    """p(inner), both lists of coefficients, constant first."""
    out = [Fraction(0)]
    for c in reversed(p):
        out = times(out, inner)
        out[0] += c
    return out


def chebyshev(n):
    """T_0 ... T_n as lists of coefficients."""
    rows = [[Fraction(1)], [Fraction(0), Fraction(1)]]
    while len(rows) <= n:
        row = [Fraction(0)] + [2 * c for c in rows[-1]]
        for i, c in enumerate(rows[-2]):
            row[i] -= c
        rows.append(row)
    return rows


def economise(taylor, low, high, degree):
    half, middle = (high - low) / 2, (high + low) / 2
    p = substitute(taylor, [middle, half])
    basis = chebyshev(len(p))
    for n in range(len(p) - 1, degree, -1):  # subtract multiples of T_n down to the degree
        leading = p[n] / basis[n][n]
        for i, c in enumerate(basis[n]):
            p[i] -= leading * c
    return substitute(p[:degree + 1], [-middle / half, 1 / half])[:degree + 1]


def show(name, taylor, low, high, degree):
    print(name)
    for c in economise([taylor(j) for j in range(TERMS)], Fraction(low), Fraction(high), degree):
        print(f"    {float(c).hex()},")


def main():
    half_log_2 = 0.34657359028
    show("exp(r) = 1 + r + r^2 p(r)", lambda j: Fraction(1, factorial(j + 2)),
         -half_log_2, half_log_2, 9)
    show("2 artanh(s) = 2 s + s^3 p(s^2)", lambda j: Fraction(2, 2 * j + 3),
         0, 0.02943725153, 7)
    show("sin(r) = r + r^3 p(r^2)", lambda j: Fraction((-1) ** (j + 1), factorial(2 * j + 3)),
         0, 0.61685027507, 6)
    show("cos(r) = 1 - r^2 / 2 + r^4 p(r^2)", lambda j: Fraction((-1) ** j, factorial(2 * j + 4)),
         0, 0.61685027507, 5)


main()
