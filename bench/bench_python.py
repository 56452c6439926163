"""What does Python cost? A block on a rough floor, pushed by a force, in steps of 1 ms.

    python3 bench/bench_python.py [--csv]

Two tables. The first: a step from Python, one at a time, many in a call, many copies at once, beside a loop of rk4 that
is written in Python. These end in the same numbers. The second: a whole run by our methods and by scipy's solve_ivp on
the same model, with the error of each against dop853 at rtol 1e-12; and what compiling costs. The contestants take
turns, and each keeps the shortest of its CPU times.
"""

import sys
import time
import warnings

import drystone as dry
import numpy as np

try:
    from scipy.integrate import solve_ivp
except ImportError:
    solve_ivp = None

BLOCK = """
param M = 1 [kg], F = 0.5 [N]
state p = 0 [m], v = 0 [m/s]
input fe = 0 [N]
f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]
p' = v
M*v' = fe - f
run until = 5 [s], step = 1 [ms], method = rk4
"""
PUSHED = BLOCK.replace("input fe = 0 [N]", "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)")
STEPS, COPIES, H, ROUNDS = 5000, 1024, 1e-3, 7


def push(t):
    return min(0.52, 0.8 * t) if t < 2 else 0.336 + 0.144 * np.cos(100 * t)


U = np.array([push(H * k) for k in range(STEPS)])


def by_hand():
    """rk4 in Python: the states are p, v and the stretch a of the friction."""
    F, K, beta, M = 0.5, 5e3, 2e-3, 1.0

    def rate(fe, v, a):
        e = K * (a + beta * v)
        f = F if e > F else -F if e < -F else e
        a_dot = (f / K - a) / beta
        return v, (fe - f) / M, a_dot

    p = v = a = 0.0
    for fe in U.tolist():
        p1, v1, a1 = rate(fe, v, a)
        p2, v2, a2 = rate(fe, v + 0.5 * H * v1, a + 0.5 * H * a1)
        p3, v3, a3 = rate(fe, v + 0.5 * H * v2, a + 0.5 * H * a2)
        p4, v4, a4 = rate(fe, v + H * v3, a + H * a3)
        p += H / 6 * (p1 + 2 * p2 + 2 * p3 + p4)
        v += H / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        a += H / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    return p


def stepper(native):
    s = block.stepper(native=native)

    def work():
        s.reset()
        for fe in U.tolist():
            s.step(fe)
        return s["p"]

    return work


def rows(native):
    s = block.stepper(native=native)
    out = s.run(U)

    def work():
        s.reset()
        return s.run(U, out=out)["p"][-1]

    return work


def batch(native):
    """A hundredth of the steps, of as many copies."""
    b = dry.Batch(block, COPIES, native=native, threads=1, observe=["p"])

    def work():
        b.reset()
        for fe in U[: STEPS // 100].tolist():
            p = b.step(np.full(COPIES, fe))[0]
        return p[-1, 0]

    return work


def best(contestants):
    """The shortest CPU time of each, s."""
    times = {name: float("inf") for name in contestants}
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            began = time.process_time()
            work()
            times[name] = min(times[name], time.process_time() - began)
    return times


def table(title, heads, lines):
    if "--csv" in sys.argv:
        for line in lines:
            print(",".join(str(x) for x in (title, *line)))
        return
    print(title)
    widths = [max(len(str(line[i])) for line in [heads, *lines]) for i in range(len(heads))]
    for line in [heads, *lines]:
        print("  " + "  ".join(str(x).ljust(w) if i == 0 else str(x).rjust(w) for i, (x, w) in enumerate(zip(line, widths))))
    print()


def steps_table():
    short = STEPS // 100
    contestants = {"rk4 written in Python": by_hand, "step(u), bytecode": stepper(False), "step(u), native": stepper(True),
                   "run(u), bytecode": rows(False), "run(u), native": rows(True),
                   "Batch of 1024, bytecode": batch(False), "Batch of 1024, native": batch(True)}
    wanted = by_hand()
    early = block.stepper()
    early.run(U[:short])
    for name, work in contestants.items():
        assert abs(work() - (early["p"] if "Batch" in name else wanted)) < 1e-12, name
    times = best(contestants)
    each = {name: t / (short * COPIES if "Batch" in name else STEPS) * 1e6 for name, t in times.items()}
    least = each["run(u), native"]
    table("us per step", ("", "us", "ratio"), [(n, f"{t:.3g}", f"{t / least:.3g}") for n, t in each.items()])


def solver(method, rhs, jac, rtol):
    def work():
        x, last = pushed.x0, 0.0
        for end in (*pushed.breaks, 5.0):
            x = solve_ivp(rhs, (last, end), x, method=method, rtol=rtol, atol=rtol * 1e-3, **({"jac": jac} if jac else {})).y[:, -1]
            last = end
        return x[pushed.states.index("p")]

    return work


def in_python(t, x):
    """The same rate, written in Python."""
    p, v, a = x
    e = 5e3 * (a + 2e-3 * v)
    f = min(max(e, -0.5), 0.5)
    return [v, push(t) - f, (f / 5e3 - a) / 2e-3]


def runs_table():
    p = lambda **given: lambda: pushed.run(watch=False, **given)["p"][-1]
    contestants = {"m.run(), rk4, native": p(native=True), "m.run(), rk4, bytecode": p(native=False),
                   "m.run(method='dop853', rtol=1e-6)": p(method="dop853", rtol=1e-6, native=False)}
    if solve_ivp:
        for method in ("LSODA", "Radau", "RK45"):
            jac = None if method == "RK45" else pushed.jac
            contestants[f"solve_ivp(m.rhs, {method})"] = solver(method, pushed.rhs, jac, 1e-6)
        contestants["solve_ivp(rate in Python, LSODA)"] = solver("LSODA", in_python, None, 1e-6)
    exact = pushed.run(method="dop853", rtol=1e-12, atol=1e-15, watch=False)["p"][-1]
    errors = {name: abs(work() - exact) / abs(exact) for name, work in contestants.items()}
    assert max(errors.values()) < 1e-2, errors
    times = best(contestants)
    least = times["m.run(), rk4, native"]
    table("a run of 5 s", ("", "ms", "ratio", "error"),
          [(n, f"{1e3 * t:.3g}", f"{t / least:.3g}", f"{errors[n]:.1e}") for n, t in times.items()])
    compiled = best({"dry.compile(text)": lambda: [dry.compile(PUSHED) for _ in range(100)],
                     "m.run(F=0.4) of 1 ms": lambda: [pushed.run(F=0.4, until=1e-3, watch=False) for _ in range(100)]})
    table("us per call", ("", "us"), [(n, f"{t * 1e4:.3g}") for n, t in compiled.items()])


warnings.simplefilter("ignore")
block, pushed = dry.compile(BLOCK, "block.dry"), dry.compile(PUSHED, "pushed.dry")
steps_table()
runs_table()
