"""X. Xiong, R. Kikuuwe, M. Yamamoto, J. Appl. Math. 2013, 320276: its experiments, from its equations.

The step and the method are the paper's (RK4, 1 ms), or the solution is converged if the model says so. Numbers that the paper
does not print (LuGre's B, the ends of runs) are those that docs/papers.md names.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp

from laws import contact, friction, friction2, lugre
from steps import converged, grid, in_pieces, rk4


def columns(times, rows, *names):
    """The run as columns; the names are those of the states, in their order."""
    return {"t": times, **dict(zip(names, rows.T))}


# ---- Figure 3: the system (10), (11) as the ODE (19), with LuGre (12) and Dahl beside it.

def sliding_masses(early, late):
    """Three blocks under the force early(t) until 2 s, late(t) then. M = 1 kg."""
    F, K, beta = 0.5, 5e3, 2e-3

    def rate_under(force):
        def rate(t, x):
            _, v, a, _, v_lugre, z_lugre, _, v_dahl, z_dahl = x
            f, a_rate = friction(a, v, F, K, beta)
            f_lugre, z_rate = lugre(z_lugre, v_lugre, F, K, K*beta)
            f_dahl, d_rate = lugre(z_dahl, v_dahl, F, K)
            fe = force(t)
            return np.array([v, fe - f, a_rate, v_lugre, fe - f_lugre, z_rate, v_dahl, fe - f_dahl, d_rate])
        return rate

    times, rows = in_pieces(rk4, [rate_under(early), rate_under(late)], np.zeros(9), [grid(0, 2, 1e-3), grid(2, 5, 1e-3)])
    return columns(times, rows, "p", "v", "f.a", "p_lugre", "v_lugre", "z_lugre", "p_dahl", "v_dahl", "z_dahl")


def drift():
    """(20)."""
    return sliding_masses(lambda t: min(0.52, 0.8*t), lambda t: 0.336 + 0.144*math.cos(100*t))


def drift_xd():
    """The dissertation's force, XD (3.11)."""
    return sliding_masses(lambda t: min(0.55, 0.5*t), lambda t: 0.35 + 0.15*math.cos(100*t))


def drift_resonance():
    """(19), (20) for five K."""
    K = np.array([5e3, 7e3, 1.5e4, 5e4, 1e5])

    def rate_under(force):
        def rate(t, x):
            v, a = x[5:10], x[10:]
            f, a_rate = friction(a, v, 0.5, K, 2e-3)
            return np.concatenate([v, force(t) - f, a_rate])
        return rate

    times, rows = in_pieces(rk4, [rate_under(lambda t: min(0.52, 0.8*t)), rate_under(lambda t: 0.336 + 0.144*math.cos(100*t))],
                            np.zeros(15), [grid(0, 2, 1e-3), grid(2, 5, 1e-3)])
    return {"t": times, "p": list(rows.T[:5]), "v": list(rows.T[5:10]), "f.a": list(rows.T[10:])}


# ---- Figure 5: the system (13), (14) as the ODE (27), for four alphas.

ALPHAS = np.array([10e-3, 7e-3, 5e-3, 1e-3])


def bounce_rate(t, x):
    p, v, e = x[:4], x[4:8], x[8:]
    N, e_rate = contact(e, p, 1e5, ALPHAS, 10e-3)
    return np.concatenate([v, -9.8 + N, e_rate])


def bounce_columns(times, rows):
    p, v, e = rows[:, :4], rows[:, 4:8], rows[:, 8:]
    return {"t": times, "p": list(p.T), "v": list(v.T), "f.e": list(e.T),
            "f": list(contact(e, p, 1e5, ALPHAS, 10e-3)[0].T)}


BOUNCE_START = np.concatenate([np.ones(4), np.zeros(8)])


def bounce():
    times = grid(0, 6, 1e-3)
    return bounce_columns(times, rk4(bounce_rate, BOUNCE_START, times))


def bounce_converged():
    times = grid(0, 3, 20e-6)
    return bounce_columns(times, converged(bounce_rate, BOUNCE_START, times, max_step=1e-3))


# ---- Section 4.2: (21), without alpha, and (22), (23) with three; (26), the same force as a filter and as a Zener solid.

def without_alpha():
    """All fall freely until 1 ms. (21) in contact is Kelvin and Voigt's force up to 0."""
    K, beta, alphas = 1e4, 10e-3, np.array([1e-3, 1e-4, 1e-5])

    def forces(x):
        p, v, q, e = x[0], x[1], x[2:5], x[8:]
        return K*np.maximum(0.0, np.where(p <= 0, -p - beta*v, 0.0)), contact(e.T, q.T, K, alphas, beta)

    def rate(t, x):
        f, (N, e_rate) = forces(x)
        return np.concatenate([[x[1], f], x[5:8], N, e_rate])

    falls, hits = grid(0, 1e-3, 10e-6)[:-1], grid(1e-3, 40e-3, 10e-6)
    rows = converged(rate, [0, -1, 0, 0, 0, -1, -1, -1, 0, 0, 0], hits, max_step=1e-5)
    still = [[1e-3 - t, -1] + 3*[1e-3 - t] + 3*[-1] + 3*[0] for t in falls]
    rows = np.concatenate([still, rows])
    return {"t": np.concatenate([falls, hits]), "v": rows[:, 1], "w": list(rows.T[5:8]), "f": forces(rows.T)[0]}


def as_filter():
    """(26b) by its transfer function K (1 + beta s)/(1 + alpha s), from the e~ of (22)."""
    K, beta, alphas, g = 1e5, 10e-3, np.array([5e-3, 10e-3]), 9.8
    alpha = alphas[0]
    k1, c1 = K*(beta - alpha)/alpha, K*(beta - alpha)

    def parts(x):
        p, e, y, z, d = x[:2], x[4:6], x[6], x[7], x[9]
        f, e_rate = (part.T for part in contact(e.T, p.T, K, alphas, beta))
        e_filter = e[0] + alpha*e_rate[0]
        surface = np.maximum(-z, k1*d/(K + k1))
        solid = np.maximum(0.0, -K*z + k1*(-z - d))
        return f, e_rate, e_filter, y + K*beta/alpha*e_filter, k1*(surface - d)/c1, solid

    def rate(t, x):
        f, e_rate, e_filter, filtered, d_rate, solid = parts(x)
        return np.concatenate([x[2:4], f - g, e_rate, [(K*e_filter - filtered)/alpha, x[8], solid - g, d_rate]])

    times = grid(0, 1.2, 1e-4)
    rows = converged(rate, [1, 1, 0, 0, 0, 0, 0, 1, 0, 0], times, max_step=2e-4)
    f, _, _, filtered, _, solid = parts(rows.T)
    return {"t": times, "p": list(rows.T[:2]), "f": list(f), "f.e": list(rows.T[4:6]), "filtered": filtered, "solid": solid,
            "d": rows.T[9]}


# ---- Section 4.3: a point mass on a rough floor, (28) as (29), (30).

def point_contact():
    g, mu, h, v0, K, beta, alpha = 9.8, 0.3, 0.05, 2.0, 1e5, 4e-3, 0.5e-3

    def forces(x):
        N, e_rate = contact(x[6], x[2], K, alpha, beta)
        f, a_rate = friction2((x[7], x[8]), (x[3], x[4]), mu*N, K, beta)
        return N, e_rate, f, a_rate

    def rate(t, x):
        N, e_rate, f, a_rate = forces(x)
        return np.array([x[3], x[4], x[5], -f[0], -f[1], N - g, e_rate, *a_rate])

    times = grid(0, 1.2, 1e-4)
    rows = rk4(rate, [0, 0, h, 0.6*v0, 0.8*v0, 0, 0, 0, 0], times).T
    return {"t": times, "p": list(rows[:3]), "v": list(rows[3:6]), "fz": forces(rows)[0]}


# ---- Example I, Figure 7: the sphere, (33)-(37), XD (3.27).

M, R = 1.0, 0.5


def sphere_forces(x):
    """x: p, v, omega, q, e, a. The forces (35), (36), the velocity (34) of the contact point, and the rates of e and a."""
    N, e_rate = contact(x[13], x[2] - R, 1e5, 2.8e-3, 4e-3)
    slide = (x[3] - x[7]*R, x[4] + x[6]*R)
    f, a_rate = friction2((x[14], x[15]), slide, 0.1*N, 1e5, 4e-3)
    return N, e_rate, slide, f, a_rate


def sphere_rate(t, x):
    N, e_rate, _, f, a_rate = sphere_forces(x)
    w, q = x[6:9], x[9:13]
    turn = 5/(2*M*R*R)                        # 1/J, J = 2/5 M R^2; the moment is (0, 0, -R) x (-f, N)
    q_rate = 0.5*np.array([-w[0]*q[1] - w[1]*q[2] - w[2]*q[3], w[0]*q[0] + w[1]*q[3] - w[2]*q[2],
                           w[1]*q[0] + w[2]*q[1] - w[0]*q[3], w[2]*q[0] + w[0]*q[2] - w[1]*q[1]])
    return np.concatenate([x[3:6], [-f[0]/M, -f[1]/M, N/M - 9.8], [-R*f[1]*turn, R*f[0]*turn, 0.0], q_rate, [e_rate], a_rate])


SPHERE_START = [0, 0, 2*R, 5.5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]


def sphere_columns(times, rows):
    x = rows.T
    N, _, slide, f, _ = sphere_forces(x)
    full = np.hypot(*(1e5*(x[14 + i] + 4e-3*slide[i]) for i in (0, 1))) > 0.1*N
    return {"t": times, "p": list(x[:3]), "v": list(x[3:6]), "w": list(x[6:9]), "q": list(x[9:13]), "N": N, "f": list(f),
            "slide": list(slide), "f.slip": 1.0*full}


def sphere():
    times = grid(0, 5, 1e-3)
    return sphere_columns(times, rk4(sphere_rate, SPHERE_START, times))


def sphere_converged():
    times = grid(0, 5, 20e-6)
    return sphere_columns(times, converged(sphere_rate, SPHERE_START, times, max_step=2e-3))


def sphere_parts():
    """The same run under the names of the parts."""
    run = sphere()
    return {"t": run["t"], "ball.p": run["p"], "ball.v": run["v"], "ball.omega": run["w"], "slide": run["slide"][0]}


# ---- Example II, Figure 9: two blocks and a conveyor, (38)-(44), XD (3.35).

def conveyor_forces(x, K=5e5, beta=2e-3, alpha=1.6e-3):
    """x: p1x p1y p2x p2y, v1x v1y v2x v2y, e1 e2 e3, a1 a2 a3."""
    normal = [contact(x[8 + i], gap, K, alpha, beta) for i, gap in enumerate((x[0], x[2] - x[0], x[3]))]
    slides = (x[5], x[5] - x[7], x[6] + 1.0)
    rubs = [friction(x[11 + i], slides[i], 0.5*normal[i][0], K, beta) for i in range(3)]
    slips = [np.abs(K*(x[11 + i] + beta*slides[i])) > 0.5*normal[i][0] for i in range(3)]
    return normal, rubs, slips


def conveyor_rate(t, x):
    normal, rubs, _ = conveyor_forces(x)
    (N1, e1), (N2, e2), (N3, e3) = normal
    (f1, a1), (f2, a2), (f3, a3) = rubs
    return np.array([x[4], x[5], x[6], x[7], (N1 - N2)/0.5, (-100*x[1] - f1 - f2)/0.5, N2 - f3, f2 + N3 - 9.8,
                     e1, e2, e3, a1, a2, a3])


CONVEYOR_START = [0, 0.25, 0.05, 0] + 10*[0]


def conveyor_columns(times, rows, forces=conveyor_forces):
    x = rows.T
    normal, rubs, slips = forces(x)
    run = columns(times, rows, "p1x", "p1y", "p2x", "p2y", "v1x", "v1y", "v2x", "v2y", "N1.e", "N2.e", "N3.e")
    for i in range(3):
        run[f"N{i + 1}"], run[f"f{i + 1}"] = normal[i][0], rubs[i][0]
        run[f"N{i + 1}.closed"], run[f"f{i + 1}.slip"] = 1.0*(normal[i][0] > 0), 1.0*slips[i]
    return run


def conveyor():
    times = grid(0, 3, 50e-6)
    return conveyor_columns(times, converged(conveyor_rate, CONVEYOR_START, times, max_step=1e-3))


def conveyor_paper_step():
    times = grid(0, 3, 1e-3)
    return conveyor_columns(times, rk4(conveyor_rate, CONVEYOR_START, times))


# ---- Example III, Figure 11: a mass on a spring and a belt, (48) as (49), and smoothed as (50).

def spring(p):
    return p**3 - p


def belt_rate(F):
    """(49), with the force F/(1 + |w|/V): K = 1e5 N/m, beta = 0.5 s, M = k1 = k2 = u = V = 1."""
    def rate(t, x):
        f, a_rate = friction(x[2], x[1], F/(1 + abs(x[1])), 1e5, 0.5)
        return np.array([1 - x[1], spring(x[0]) - f, a_rate])
    return rate


def smoothed_rate(F):
    """(50), eps = 1e-5 m/s."""
    def rate(t, x):
        w = abs(x[1])
        f = F/(1 + max(w, 1e-5))*(x[1]/max(w, 1e-5))
        return np.array([1 - x[1], spring(x[0]) - f])
    return rate


def belt_inclusion(F, times):
    """(48) itself for a mass that never sticks: the sign of w stands still between its zeros, which are located."""
    rows, t, x, sense = [], 0.0, np.array([1.19149, 0.0]), 1.0    # at the start the spring pulls with more than F: w grows

    def zero(t, x):
        return x[1]
    zero.terminal = True
    while t < times[-1]:
        zero.direction = -sense
        found = solve_ivp(lambda t, x, s=sense: [1 - x[1], spring(x[0]) - s*F/(1 + abs(x[1]))], (t, times[-1]), x, "DOP853",
                          events=zero, dense_output=True, rtol=1e-12, atol=1e-14, max_step=0.05)
        inside = times[(times >= t) & (times <= found.t[-1])] if not rows else \
            times[(times > t) & (times <= found.t[-1])]
        rows.append(found.sol(inside).T)
        t, x, sense = found.t[-1], np.array([found.y[0, -1], 0.0]), -sense
    return np.concatenate(rows)


def slips(x, F):
    return 1.0*(np.abs(1e5*(x[2] + 0.5*x[1])) > F/(1 + np.abs(x[1])))


def periodic():
    times = grid(0, 60, 1e-3)
    x = converged(belt_rate(0.2), [1.19149, 0, 0], times, 0.01, rtol=1e-12).T
    s = converged(smoothed_rate(0.2), [1.19149, 0], times, 0.01, rtol=1e-12).T
    e = belt_inclusion(0.2, times).T
    return {"t": times, "p": x[0], "w": x[1], "f.slip": slips(x, 0.2), "p_s": s[0], "w_s": s[1], "p_e": e[0], "w_e": e[1]}


def belt_pair(F, x, s, times):
    return {"t": times, "p": x[0], "w": x[1], "f.slip": slips(x, F), "p_s": s[0], "w_s": s[1]}


def periodic_stick():
    times = grid(0, 60, 1e-3)
    x = converged(belt_rate(0.5), [1.19149, 0, 0], times, 0.01, "LSODA", 1e-11).T
    s = converged(smoothed_rate(0.5), [1.19149, 0], times, 0.01, "LSODA", 1e-11).T
    return belt_pair(0.5, x, s, times)


def belt_paper_step(F):
    times = grid(0, 60, 1e-3)
    return belt_pair(F, rk4(belt_rate(F), [1.19149, 0, 0], times).T, rk4(smoothed_rate(F), [1.19149, 0], times).T, times)


def periodic_paper_step():
    return belt_paper_step(0.2)


def periodic_stick_paper_step():
    return belt_paper_step(0.5)


def smoothing_paper_step():
    times = grid(0, 60, 1e-3)
    return columns(times, rk4(smoothed_rate(0.2), [1.19149, 0], times), "p", "w")
