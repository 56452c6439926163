"""R. Glowinski, L. Shiau, Y. M. Kuo, G. Nasser, Appl. Math. Letters 17, 2004: its schemes on its test problems.

Friction by (20)-(22), elasticity by (24)-(26), put together as in (9)-(12) or, symmetrised, (13)-(16). At the jumps of f the
right limit is taken; f = 0 on (0, 1), which the paper leaves out.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp

JUST = 1e-9  # a time of the grid is where it should be, to rounding: jumps are looked at from the right


def gamma(w, beta=1/3, eps=0.1):
    """(3)."""
    return beta*max(-1.0, min(1.0, w/eps))


def gamma_smooth(w, beta=1/3, eps=0.1):
    """(2)."""
    return beta*w/math.sqrt(eps*eps + w*w)


def friction_step(w, f, tau, m, c, drive):
    """(22): the new w and c times the multiplier; `drive` is what stands beside f on the right of (20)."""
    b = m*w + tau*(drive(w) + f)
    if abs(b) <= c*tau:
        return 0.0, b/tau
    return (b - math.copysign(c*tau, b))/m, math.copysign(c, b)


def elastic_step(x, v, dt, Q, alpha, m, k):
    """(24)-(26) over dt in Q parts."""
    tau = dt/Q
    a = m/tau**2 + alpha*k                       # (25): a (x+ + x-) = 2 m x/tau^2 - (1 - 2 alpha) k x
    right = 2*m/tau**2 - (1 - 2*alpha)*k
    after = (right*x/a + 2*tau*v)/2              # with x+ - x- = 2 tau v
    before = after - 2*tau*v
    for _ in range(Q):
        before, x, after = x, after, right*after/a - x
    return x, (after - before)/(2*tau)


# ---- First test problem, 5.1, and Remark 6.

def pushes(t):
    return t + JUST < 0.5 or 1 <= t + JUST < 1.5


def pure_friction(dt, c, drive, force):
    """(17) by (19), (20) with P = 1, m = 1, until 2 s."""
    n = round(2/dt)
    w, multiplier = [0.0], [0.0]
    for k in range(1, n + 1):
        new, lam = friction_step(w[-1], force(k*dt), dt, 1.0, c, drive)
        w.append(new)
        multiplier.append(lam)
    times = dt*np.arange(n + 1)
    return {"t": times, "w": np.array(w), "lambda": np.array(multiplier), "exact": np.maximum(0.0, np.sin(2*math.pi*times))}


def first_problem(dt, gamma=gamma):
    def force(t):
        return 2*math.pi*math.cos(2*math.pi*t) + 0.5*(1 - gamma(math.sin(2*math.pi*t))) if pushes(t) else 0.0
    return pure_friction(dt, 0.5, lambda w: 0.5*gamma(w), force)


def friction_1e2():
    return first_problem(1e-2)


def friction_1e3():
    return first_problem(1e-3)


def friction_1e4():
    return first_problem(1e-4)


def smooth_1e3():
    return first_problem(1e-3, gamma_smooth)


def smooth_1e2():
    return first_problem(1e-2, gamma_smooth)


def gearbox():
    """(27): c = 0.5, a = 0.8, b = 1.2, k(delta) = 2 delta, delta = 0.7, gamma_gb with 0.25 and 0.1."""
    delta, a, b = 0.7, 0.8, 1.2
    k = 2*delta

    def drive(w):
        return 0.5*gamma(w) - k*((a + b)/2 - (b - a)/2*gamma(delta*w, 0.25))

    def force(t):
        w = max(0.0, math.sin(2*math.pi*t)) if pushes(t) else 0.0
        smooth = 2*math.pi*math.cos(2*math.pi*t) + 0.5 + abs(k)*(b - a)/2 if pushes(t) else 0.0
        return smooth - drive(w)
    return pure_friction(1e-3, 0.5 + abs(k)*(b - a)/2, drive, force)


# ---- Second test problem, 5.2: m = 1, c = 0.2, k = 1.

C = 0.2


def force(t):
    turn = (t + JUST) % 1
    if t + JUST < 1:
        return 0.0
    if turn >= 0.5 or t + JUST >= 3:
        return -C/2
    s, speed = math.sin(2*math.pi*t), 2*math.pi*math.sin(4*math.pi*t)
    smooth = 8*math.pi**2*math.cos(4*math.pi*t) + s*s
    return smooth + C*(1 - gamma(speed)) if turn < 0.25 else smooth - C*(1 + gamma(speed))


def rub(v, start, tau, parts):
    """`parts` substeps of friction from the time `start` on."""
    lam = 0.0
    for p in range(1, parts + 1):
        v, lam = friction_step(v, force(start + p*tau), tau, 1.0, C, lambda w: C*gamma(w))
    return v, lam


def closed_form(times):
    moves = (times >= 1 - JUST) & (times % 1 <= 0.5 + JUST)
    return {"exact_x": moves*np.sin(2*math.pi*times)**2, "exact_v": moves*2*math.pi*np.sin(4*math.pi*times)}


def oscillator(dt, P=10, symmetric=False):
    """(9)-(12), or (13)-(16), with tau1 = dt/P, tau2 = dt/2, alpha = 1/4."""
    n = round(3/dt)
    x, v, lam = np.zeros(n + 1), np.zeros(n + 1), np.zeros(n + 1)
    half = P//2 if symmetric else P
    for i in range(n):
        u, lam[i + 1] = rub(v[i], i*dt, dt/P, half)
        x[i + 1], u = elastic_step(x[i], u, dt, 2, 0.25, 1.0, 1.0)
        if symmetric:
            u, lam[i + 1] = rub(u, (i + 0.5)*dt, dt/P, half)
        v[i + 1] = u
    times = dt*np.arange(n + 1)
    return {"t": times, "x": x, "v": v, "lambda": lam, **closed_form(times)}


def oscillator_1e2():
    return oscillator(1e-2)


def oscillator_1e3():
    return oscillator(1e-3)


def oscillator_1e4():
    return oscillator(1e-4)


def symmetrised():
    return oscillator(1e-3, 10, True)


def symmetrised_substeps():
    return oscillator(1e-3, 100, True)


def inclusion():
    """(8) itself, piece by piece: between the times at which v changes its sign the multiplier is that sign; while the mass
    stands, it is what the balance asks for, and must lie in [-1, 1]."""
    times = 1e-3*np.arange(3001)
    x, v, lam = np.zeros(3001), np.zeros(3001), np.zeros(3001)
    here = 0.0
    for start, end, sense in ((0, 1, 0), (1, 1.25, 1), (1.25, 1.5, -1), (1.5, 2, 0), (2, 2.25, 1), (2.25, 2.5, -1), (2.5, 3, 0)):
        rows = slice(round(start*1000), round(end*1000) + 1)
        if sense == 0:
            x[rows], v[rows] = here, 0.0
            lam[rows] = [force(t) - here for t in times[rows][:-1]] + [force(times[rows][-2]) - here]
            continue
        found = solve_ivp(lambda t, y, s=sense, a=start + JUST, b=end - JUST:
                          [y[1], force(min(max(t, a), b) - JUST) - y[0] + C*gamma(y[1]) - C*s],
                          (start, end), [here, 0.0], "DOP853", times[rows], rtol=1e-12, atol=1e-14, max_step=1e-3)
        x[rows], v[rows], lam[rows] = found.y[0], found.y[1], C*sense
        here = found.y[0, -1]
    return {"t": times, "x": x, "v": v, "lambda": lam, **closed_form(times)}


def regularised_with(eta, times):
    """(5) from jump to jump of f: x, v, and the integral of |lambda_eta - lambda|."""
    pieces = ((0, 1, 0), (1, 1.25, 1), (1.25, 1.5, -1), (1.5, 2, -0.5), (2, 2.25, 1), (2.25, 2.5, -1), (2.5, 3, -0.5))
    found = np.zeros((3, len(times)))
    for start, end, multiplier in pieces:
        def rate(t, y, start=start, end=end, multiplier=multiplier):
            inside = min(max(t, start + JUST), end - 2*JUST)
            lam = y[1]/math.hypot(eta, y[1])
            return [y[1], force(inside) - y[0] - C*lam + C*gamma(y[1]), abs(lam - multiplier)]
        rows = slice(round(start*1000), round(end*1000) + 1)
        piece = solve_ivp(rate, (start, end), found[:, rows.start], "LSODA", times[rows], rtol=1e-10, atol=1e-14, max_step=1e-3)
        found[:, rows] = piece.y
    return found


def regularised():
    """(5) for four eta, against (4)."""
    times = 1e-3*np.arange(3001)
    x, v, apart = zip(*(regularised_with(eta, times) for eta in (1e-1, 1e-2, 1e-3, 1e-4)))
    return {"t": times, "x": list(x), "v": list(v), "apart": list(apart), **closed_form(times)}
