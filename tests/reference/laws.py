"""The laws of the papers, one function each, for numbers or arrays of them. State first, then motion, then parameters.

X13 = Xiong, Kikuuwe, Yamamoto 2013; XD = Xiong's dissertation; KY08 = Kikuuwe, Yamamoto 2008. A law with a state returns
(force, rate of the state).
"""

import math

import numpy as np


def sat(level, x):
    """X13 (2): x brought into [-level, level]."""
    return np.maximum(-level, np.minimum(level, x))


def sat2(level, x, y):
    """X13 (2) in the plane: (x, y) brought into the disc of this radius."""
    length = np.hypot(x, y)
    scale = np.where(length > level, level/np.where(length > level, length, 1.0), 1.0)
    return scale*x, scale*y


def friction(a, velocity, level, K, beta, tau=0.0):
    """X13 (18), XD (3.9); with tau, the step of a stage, KY08 (19)."""
    force = sat(level, K*(a + (beta + tau)*velocity))
    return force, (force/K - a)/(beta + tau)


def friction2(a, velocity, level, K, beta, tau=0.0):
    """X13 (30): the same in the plane; a, velocity and results are pairs."""
    forces = sat2(level, *(K*(a[i] + (beta + tau)*velocity[i]) for i in (0, 1)))
    return forces, tuple((forces[i]/K - a[i])/(beta + tau) for i in (0, 1))


def contact(e, gap, K, alpha, beta):
    """X13 (24), (25)."""
    return K*np.maximum(0.0, e - beta*(gap + e)/alpha), np.maximum(-e/beta, -(gap + e)/alpha)


def lugre(a, velocity, level, K, B=0.0):
    """X13 (12), XD (4.1), with D = 0; Dahl's law with B = 0."""
    rate = velocity - K*np.abs(velocity)*a/level
    return K*a + B*rate, rate


def compliant(a, p, K, exponent, gamma, beta1, beta2):
    """XD (5.6). p is the indentation, positive in the wall."""
    s = p*np.abs(p)**(exponent - 1)
    damping = gamma*(beta1 + beta2*a)
    force = K*np.maximum(0.0, s + damping*(s - a))
    return force, np.maximum(-gamma*a/(1 + damping), gamma*(s - a))


def hunt_crossley(p, rate, K, exponent, b):
    """XD (5.2)."""
    return np.where(p > 0, K*np.abs(p)**exponent*(1 + b*rate), 0.0)


def stribeck(velocity, Fc, Fs, vs, alpha):
    """XD (4.2)."""
    return Fc + (Fs - Fc)*np.exp(-np.abs(velocity/vs)**alpha)


def dwell(a, w, velocity, F, Fs, vs, K, B, tau):
    """Gonthier, McPhee, Lange, Piedboeuf 2004, for one number: (force, rate of a, rate of w)."""
    s = math.exp(-(velocity/vs)**2)
    r = min(100*abs(velocity)/vs, 1.0)
    slides = F*math.copysign(r*(1.5 - 0.5*r*r), velocity)
    rate = s*velocity + (1 - s)*(slides/B - K/B*a)
    most = F + (Fs - F)*w
    return float(sat(most, K*a + B*rate)), rate, (s - w)/(tau if s >= w else B/K)
