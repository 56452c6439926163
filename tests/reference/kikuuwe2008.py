"""R. Kikuuwe, M. Yamamoto 2008: its three simulations, by its Runge-Kutta method with the step of the stage, (21).

The signs of gravity and friction are put right, and the pull of (23a) is cut off (docs/papers.md, errata). The paper gives no
data of the arm: uniform rods of 0.2 kg and 0.5 m.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp

from laws import contact, friction, sat
from steps import grid, in_pieces, rk4, rk4_stages

# ---- Simulation I, Figure 4: a sphere, in the plane of its motion.

M, R, MU, G, K, B = 0.3, 0.2, 0.1, 9.8, 1e7, 10.0


def gsat(level, x):
    """(15) for one number."""
    return max(-level, min(level, x))


def sphere_rate(t, x, tau):
    """x: height over the floor, vx, vz, omega_y, e. (23), (26), (27)."""
    z, vx, vz, w, e = x
    N = np.where(z < 0, np.maximum(0.0, -K*z - B*vz), 0.0)
    f = sat(MU*N, (B + tau*K)*(vx - w*R) + K*e)
    return np.array([vz, -f/M, N/M - G, R*f/(0.4*M*R*R), (f - K*e)/(B + tau*K)])


def sphere():
    """400 spheres at once. The first starts as printed, the others up to 1e-10 m above it: an impact takes
    five steps, its rebound depends on where they fall, and after fifteen of them nothing is left of the start."""
    times = grid(0, 1, 1e-4)
    start = np.zeros((5, 400))
    start[0], start[1] = 0.01*R*(1 + 1e-10*np.arange(400)), 2.0
    z, vx, vz, w, _ = np.moveaxis(rk4_stages(sphere_rate, start, times), 0, -1)
    slide = vx - w*R
    rolls = times[np.argmax(slide < 1e-3, axis=1)]
    zero = np.zeros_like(times)
    return {"t": times, "p": [zero, zero, z[0] + R], "v": [vx[0], zero, vz[0]], "slide": [slide[0], zero],
            "remarks": [("rolls, mean of 400 starts 2e-13 m apart", rolls.mean()),
                        ("rolls, standard deviation of these", rolls.std())]}


def rolls_converged():
    """When the sphere rolls with the same contact solved without a step: flights are parabolas, each contact is integrated
    from touch to release, the slide of the contact point changes in contacts only."""
    t, z, vx, vz, w = 0.0, 0.01*R, 2.0, 0.0, 0.0

    def leaves(t, y):
        return K*y[0] + B*y[2]

    def rolls(t, y):
        return y[1] - y[3]*R - 1e-3
    leaves.terminal, leaves.direction, rolls.terminal = True, 1, True
    while True:
        flight = (vz + math.sqrt(vz*vz + 2*G*z))/G         # z < 0 at release: it leaves from below the floor
        t, vz = t + flight, vz - G*flight
        found = solve_ivp(lambda t, y: sphere_rate(t, y, 0.0), (t, t + 0.01), [0.0, vx, vz, w, 0.0], "LSODA",
                          events=(leaves, rolls), rtol=1e-11, atol=1e-14, max_step=1e-5)
        t, (z, vx, vz, w, _) = found.t[-1], found.y[:, -1]
        if len(found.t_events[1]):
            return t


def sphere_parts():
    """The contact of Xiong, Kikuuwe and Yamamoto 2013 in the place of (23), as the model has it: RK4 at 0.01 ms."""
    def rate(t, x):
        z, vx, vz, w, e, a = x
        N, e_rate = contact(e, z, K, 0.1965e-3, 0.2e-3)
        f, a_rate = friction(a, vx - w*R, MU*N, K, 0.2e-3)
        return np.array([vz, -f/M, N/M - G, R*f/(0.4*M*R*R), e_rate, a_rate])

    times = grid(0, 1, 1e-5)
    z, vx, vz, w, _, _ = rk4(rate, [0.01*R, 2, 0, 0, 0, 0], times).T
    zero = np.zeros_like(times)
    return {"t": times, "ball.p": [zero, zero, z + R], "ball.v": [vx, zero, vz], "ball.omega": [zero, w, zero],
            "remarks": [("rolls, with the paper's contact, converged", rolls_converged())]}


# ---- Simulation II, Figure 7: the arm, (28), and the same arm with LuGre friction (12).

ML2, LIMIT, STIFF, DAMP = 0.2*0.5**2, 0.5, 5000.0, 1.0


def torques(late):
    """(28c), (28d) before and after 4 s."""
    if late:
        return lambda t: (0.336 + 0.144*math.sin(100*t), 0.336 + 0.144*math.cos(100*t))
    return lambda t: 2*(min(0.52, 0.3*t),)


def accelerations(angle, w1, w2, n1, n2):
    """H(q) q'' + c = n for two uniform rods, the second angle relative to the first rod."""
    h11, h12, h22 = ML2*(5/3 + math.cos(angle)), ML2*(1/3 + math.cos(angle)/2), ML2/3
    n1 += ML2/2*math.sin(angle)*(2*w1*w2 + w2*w2)
    n2 -= ML2/2*math.sin(angle)*w1*w1
    det = h11*h22 - h12*h12
    return (h22*n1 - h12*n2)/det, (h11*n2 - h12*n1)/det


def joint_friction(w, e, tau):
    """(19)."""
    f = gsat(LIMIT, (DAMP + tau*STIFF)*w + STIFF*e)
    return f, (f - STIFF*e)/(DAMP + tau*STIFF)


def joint_lugre(w, z):
    rate = w - STIFF*abs(w)*z/LIMIT
    return STIFF*z + DAMP*rate, rate


def arm_rate(torque):
    def rate(t, x, tau):
        _, q2, w1, w2, e1, e2, _, r2, u1, u2, z1, z2 = (float(each) for each in x)
        drive = torque(t)
        f1, e1_rate = joint_friction(w1, e1, tau)
        f2, e2_rate = joint_friction(w2, e2, tau)
        l1, z1_rate = joint_lugre(u1, z1)
        l2, z2_rate = joint_lugre(u2, z2)
        a = accelerations(q2, w1, w2, drive[0] - f1, drive[1] - f2)
        b = accelerations(r2, u1, u2, drive[0] - l1, drive[1] - l2)
        return np.array([w1, w2, *a, e1_rate, e2_rate, u1, u2, *b, z1_rate, z2_rate])
    return rate


def arm():
    start = [0, math.pi/3, 0, 0, 0, 0]
    times, rows = in_pieces(rk4_stages, [arm_rate(torques(False)), arm_rate(torques(True))], start + start,
                            [grid(0, 4, 1e-4), grid(4, 8, 1e-4)])
    x = rows.T
    # slips: as a stage at the end of a step sees it, T_4 = T
    full = [1.0*(np.abs((DAMP + 1e-4*STIFF)*x[2 + i] + STIFF*x[4 + i]) > LIMIT) for i in (0, 1)]
    return {"t": times, "q": list(x[:2]), "w": list(x[2:4]), "f.a": list(x[4:6]), "f.slip": full, "r": list(x[6:8])}


def arm_parts():
    """The same run under the names of the parts."""
    run = arm()
    return {"t": run["t"], "arm.q": run["q"], "rub.a": run["f.a"]}


# ---- Simulation III: two free rods in the plane, held by springs and dampers in the joints, (29).

def end_point(rod, end):
    """Place and velocity of the end (+1 or -1) of a rod (x, y, angle, vx, vy, omega)."""
    x, y, angle, vx, vy, w = rod
    dx, dy = end*0.25*math.cos(angle), end*0.25*math.sin(angle)
    return x + dx, y + dy, vx - w*dy, vy + w*dx, dx, dy


def penalty_rate(torque, stiff=1e6, damp=100.0, mass=0.2):
    def rate(t, x, tau):
        x = [float(each) for each in x]
        upper, lower = x[:6], x[6:12]
        base, tip, pin = end_point(upper, -1), end_point(upper, 1), end_point(lower, -1)
        shoulder = [-stiff*base[i] - damp*base[i + 2] for i in (0, 1)]                        # on the upper rod
        elbow = [-stiff*(pin[i] - tip[i]) - damp*(pin[i + 2] - tip[i + 2]) for i in (0, 1)]   # on the lower rod
        f1, e1_rate = joint_friction(upper[5], x[12], tau)
        f2, e2_rate = joint_friction(lower[5] - upper[5], x[13], tau)
        drive = torque(t)
        n1, n2 = drive[0] - f1, drive[1] - f2
        inertia = mass*0.5**2/12
        moment_up = base[4]*shoulder[1] - base[5]*shoulder[0] - tip[4]*elbow[1] + tip[5]*elbow[0] + n1 - n2
        moment_low = pin[4]*elbow[1] - pin[5]*elbow[0] + n2
        return np.array([upper[3], upper[4], upper[5], (shoulder[0] - elbow[0])/mass, (shoulder[1] - elbow[1])/mass,
                         moment_up/inertia, lower[3], lower[4], lower[5], elbow[0]/mass, elbow[1]/mass, moment_low/inertia,
                         e1_rate, e2_rate])
    return rate


def penalty():
    bend = math.pi/3
    start = [0.25, 0, 0, 0, 0, 0, 0.5 + 0.25*math.cos(bend), 0.25*math.sin(bend), bend, 0, 0, 0, 0, 0]
    times, rows = in_pieces(rk4_stages, [penalty_rate(torques(False)), penalty_rate(torques(True))], start,
                            [grid(0, 4, 1e-4), grid(4, 8, 1e-4)])
    x = rows.T
    gap = [x[6] - 0.25*np.cos(x[8]) - x[0] - 0.25*np.cos(x[2]), x[7] - 0.25*np.sin(x[8]) - x[1] - 0.25*np.sin(x[2])]
    elbow = (x[8] - x[2] + math.pi) % (2*math.pi) - math.pi
    return {"t": times, "shoulder.angle": x[2], "elbow.angle": elbow, "elbow.d": gap}
