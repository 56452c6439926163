"""X. Xiong's dissertation 2013, chapter 4: the multistate law (4.13) and its figures, by forward Euler as the paper has it.

Units are N, um, s as in the captions; what is handed on is in SI. The chapter prints none of its inputs: those of the models
are taken (docs/papers.md). M = 1 kg is 1e-6 N s^2/um, which forward Euler cannot hold at the printed steps; M = 1 N s^2/um,
1e6 kg, is what goes with them.
"""

import math
import os
import subprocess
import tempfile

import numpy as np

from laws import sat, stribeck
from steps import grid

N = 10
KAPPA, SIGMA, LEVEL = 5.0/np.arange(1, N + 1), 0.02, 0.1
UM = 1e-6


def g(v):
    """(4.2): Fc = 1 N, Fs = 2.5 N, vs = 5 um/s, exponent 2."""
    return stribeck(v, 1.0, 2.5, 5.0, 2)


class Multistate:
    """(4.13) for one motion or, with `shape`, for several side by side; the elements are the last axis."""

    def __init__(self, gamma, tau_d=0.02, sigma=SIGMA):
        self.gamma = np.asarray(gamma, float)
        self.tau_d, self.sigma = tau_d, np.asarray(sigma, float)
        self.a = np.zeros(np.broadcast(self.gamma, self.tau_d, self.sigma).shape + (N,))

    def elements(self, v):
        """The forces f_i at the velocity v."""
        return sat(np.expand_dims(LEVEL*self.gamma, -1), KAPPA*self.a + np.expand_dims(self.sigma*v, -1))

    def stuck(self, v):
        """How many elements are in the presliding regime."""
        return (np.abs(KAPPA*self.a + np.expand_dims(self.sigma*v, -1)) <= np.expand_dims(LEVEL*self.gamma, -1)).sum(-1)

    def euler(self, f, v, T):
        """One step of Euler, with f = elements(v)."""
        self.a += T*(f - KAPPA*self.a)/np.expand_dims(self.sigma, -1)
        self.gamma = self.gamma + T*(g(v) - self.gamma)/self.tau_d


# ---- Figures 4.4 and 4.6: a mass on the law.

def heavy(force, end, T, every):
    """M = 1 N s^2/um by Euler; every so many steps a row (t, p, v, f). With LuGre (4.1) beside it: (p_lugre)."""
    law, p, v, stiff = Multistate(2.5), 0.0, 0.0, KAPPA.sum()
    pl, vl, z, rows = 0.0, 0.0, 0.0, []
    for n in range(round(end/T) + 1):
        t = n*T
        f = law.elements(v)
        total = float(f.sum())
        if n % every == 0:
            rows.append((t, p, v, total, pl))
        z_rate = vl - stiff*abs(vl)*z/g(vl)
        f_lugre = stiff*z + N*SIGMA*z_rate
        law.euler(f, v, T)
        p, v, pl, vl, z = p + T*v, v + T*(force(t, p) - total), pl + T*vl, vl + T*(force(t, pl) - f_lugre), z + T*z_rate
    return np.array(rows).T


def below_the_level(t, _):
    return 0.15*t if t < 10 else 1 + 0.5*math.cos(2*math.pi*0.05*(t - 10))


def nondrifting():
    t, p, v, f, p_lugre = heavy(below_the_level, 210, 1e-3, 50)
    return {"t": t, "p": p*UM, "v": v*UM, "f": f, "p_lugre": p_lugre*UM}


def stick_slip_paper_step():
    t, p, v, f, _ = heavy(lambda t, p: 0.1*(2*t - p), 240, 5e-3, 1)
    return {"t": t, "p": p*UM, "v": v*UM, "f": f, "spring": 0.1*(2*t - p)}


def one_kilogram(what, end, every):
    """multistate.c: M = 1 kg by Runge-Kutta at 5 us."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "multistate.c")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "multistate")
        subprocess.run(["cc", "-std=c99", "-O2", "-o", program, source, "-lm"], check=True)
        text = subprocess.run([program, what, str(end), str(every)], check=True, stdout=subprocess.PIPE).stdout
    t, p, v, f = np.array(text.split(), float).reshape(-1, 4).T
    return {"t": t, "p": p*UM, "v": v*UM, "f": f, "spring": 0.1*(2*t - p)}


def nondrifting_1kg():
    return one_kilogram("push", 210, 0.05)


def stick_slip():
    return one_kilogram("pull", 60, 0.001)


def as_printed(force, end, T, every):
    """M = 1 kg by Euler at the printed step: unstable."""
    law, p, v, rows = Multistate(2.5), 0.0, 0.0, []
    with np.errstate(all="ignore"):
        for n in range(round(end/T) + 1):
            f = law.elements(v)
            if n % every == 0:
                rows.append((n*T, p, v))
            law.euler(f, v, T)
            p, v = p + T*v, v + T*(force(n*T, p) - float(f.sum()))/1e-6
    t, p, v = np.array(rows).T
    return {"t": t, "p": p*UM, "v": v*UM}


def nondrifting_as_printed():
    return as_printed(below_the_level, 210, 1e-3, 50)


def stick_slip_as_printed():
    return as_printed(lambda t, p: 0.1*(2*t - p), 0.5, 5e-3, 1)


# ---- Figures 4.7 to 4.10: the law under given velocities.

def driven(velocity, times, tau_d=0.02):
    """Rows of f for velocities v(n), arrays, by Euler; gamma begins at g(v(0))."""
    T, law, rows = times[1] - times[0], Multistate(g(velocity(0)), tau_d), []
    for n in range(len(times)):
        v = velocity(n)
        f = law.elements(v)
        rows.append(f.sum(-1))
        law.euler(f, v, T)
    return list(np.array(rows).T)


def path(T):
    """Figure 4.7: p goes 0, 0.45, -0.45, 0.1, -0.2, 0, -0.2, 0.1, 0.45 um at 0.01 and 0.1 um/s. The corners are on the grid,
    so the sense is told by the number of the step."""
    corners = np.cumsum([0.45, 0.9, 0.55, 0.3, 0.2, 0.2, 0.65])
    senses = np.array([1, -1, 1, -1, 1, -1, 1, 0])
    speeds = np.array([0.01, 0.1])
    last = np.rint(corners[:, None]/speeds/T)               # step at which a corner is reached
    return lambda n: speeds*senses[(n >= last).sum(0)]


def hysteresis_at(T):
    times = grid(0, 325, T)
    return {"t": times, "f": driven(path(T), times)}


def hysteresis():
    return hysteresis_at(5e-3)


def hysteresis_fine():
    return hysteresis_at(2e-3)


def amplitude():
    times, A, w = grid(0, 30, 1e-3), np.array([0.1, 0.2, 0.3, 0.4]), 2*math.pi*0.1
    return {"t": times, "f": driven(lambda n: A*w*math.cos(w*times[n]), times),
            "v": [each*UM*w*np.cos(w*times) for each in A]}


def swinging(mean, swing, hertz, tau_d):
    times, hertz = grid(0, 4, 1e-3), np.array(hertz)

    def velocity(n):
        return mean + swing*np.sin(2*math.pi*hertz*times[n])
    return {"t": times, "F": driven(velocity, times, np.array(tau_d)),
            "v": [(mean + swing*np.sin(2*math.pi*each*times))*UM for each in hertz]}


def lag():
    return swinging(6, 5, [0.5, 0.5, 2, 2], [0.02, 0.06, 0.02, 0.06])


def lag_reversal():
    return swinging(0, 10, [0.5, 2, 0.5, 2], [0.005, 0.005, 0.05, 0.05])


# ---- Figure 4.11: GMS (4.3) and (4.13) side by side.

def gms_force(times, v, C, sigma):
    """(4.3) by Euler: the force, and for each element whether it slips. An element slips from |kappa a| = lambda g(v) on and
    sticks again when v changes its sign."""
    a, slips, forces, states, T, before = np.zeros(N), np.zeros(N, bool), [], [], times[1] - times[0], 0.0
    for speed in v:
        slips |= np.abs(KAPPA*a) >= LEVEL*g(speed)
        if speed*before < 0 or (speed == 0 and before != 0):
            slips[:] = False
        before = speed if speed != 0 else before
        sense = math.copysign(1.0, speed)
        rate = np.where(slips, sense*C*LEVEL/KAPPA*(1 - sense*KAPPA*a/(LEVEL*g(speed))), speed)
        forces.append(float((KAPPA*a + sigma*rate).sum()))
        states.append(1.0*slips)
        a = a + T*rate
    return np.array(forces), np.array(states)


def behind(x, first):
    """x one sample before."""
    return np.concatenate([[first], x[:-1]])


def gms():
    times = grid(0, 2, 1e-4)
    v = 10*np.sin(2*math.pi*times)
    sigmas, C = [0.001, 0.005, 0.02, 0.001, 0.001], [62, 62, 62, 31, 124]
    old, slips = zip(*(gms_force(times, v, C[j], sigmas[j]) for j in range(5)))
    law, new, stuck = Multistate(np.full(3, 2.5), sigma=np.array(sigmas[:3])), [], []
    for speed in v:
        f = law.elements(speed)
        new.append(f.sum(-1))
        stuck.append(1.0*law.stuck(speed))
        law.euler(f, speed, 1e-4)
    new, stuck = list(np.array(new).T), list(np.array(stuck).T)
    stuck_old = [(each == 0).sum(1).astype(float) for each in slips[:3]]
    return {"t": times, "old": list(old), "new": new, "stuck_old": stuck_old, "stuck_new": stuck,
            "old_before": [behind(each, 0.0) for each in old], "new_before": [behind(each, 0.0) for each in new],
            "stuck_old_before": [behind(each, 10.0) for each in stuck_old],
            "stuck_new_before": [behind(each, 10.0) for each in stuck]}
