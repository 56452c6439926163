"""The classics of models/classics, mostly as rigid inclusions: sets kept as sets, no stiffness, no element of Drystone.

Friction is stepped by Moreau's scheme: free velocity, then the prox of the set. With a step h,

    v+ = soft(v + h a, h F/m),   soft(x, r) = x - sat(r, x),   x+ = x + h (v + v+)/2,   a at x + h v/2

so that the force, (m (v + h a - v+))/h, lies in its set exactly, and the error at a stop is of the order of h. Impacts are
located, between them the motion is integrated. A model that expects a depth or a time of contact gets the contact element of
X13 (24), (25) with parameters chosen here.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp

from laws import contact, dwell, friction, sat, stribeck
from steps import converged, grid, rk4

G = 9.81


def soft(x, radius):
    return x - sat(radius, x)


def soft1(x, radius):
    """The same for one number, fast."""
    return x - radius if x > radius else x + radius if x < -radius else 0.0


def every(rows, names):
    """Rows (t, ...) as columns."""
    return dict(zip(["t"] + names, np.array(rows).T))


def rub(x, v, free, level, end, h, sample):
    """One mass: free(t, x, v) is its acceleration without the friction, level(t, x, v) the limit over the mass.
    Rows (t, x, v, friction over mass) every `sample` steps."""
    rows = []
    for n in range(round(end/h) + 1):
        t = n*h
        middle = x + h/2*v
        b = v + h*free(t + h/2, middle, v)
        new = soft1(b, h*level(t + h/2, middle, v))
        if n % sample == 0:
            rows.append((t, x, v, (b - new)/h))
        x, v = x + h/2*(v + new), new
    return rows


# ---- Sliding, sticking, swinging: one friction.

def coulomb_oscillator():
    return every(rub(0.25, 0.0, lambda t, x, v: -100*x, lambda t, x, v: 2.0, 2.5, 1e-5, 100), ["x", "v", "f"])


def pendulum():
    m, l = 0.5, 0.4
    run = every(rub(math.pi/3, 0.0, lambda t, x, v: -G/l*math.sin(x), lambda t, x, v: 0.05*G/l, 12, 2e-5, 50), ["th", "w", "f"])
    return {**run, "f": run["f"]*m*l*l}


def level_by_position():
    a = math.radians(20)
    return every(rub(0.0, 0.0, lambda t, x, v: G*math.sin(a), lambda t, x, v: (0.1 + 0.2*x)*G*math.cos(a), 3, 1e-5, 100),
                 ["x", "v", "f"])


def den_hartog():
    W = 8.0
    end = 40*2*math.pi/W
    h = end/round(end/5e-5)
    run = every(rub(den_hartog_amplitude(), 0.0, lambda t, x, v: 10*math.cos(W*t) - 100*x, lambda t, x, v: 3.0, end, h, 1),
                ["x", "v", "f"])
    heat = np.concatenate([[0.0], np.cumsum(3.0*np.abs(np.diff(run["x"])))])
    return {**run, "heat": heat, "f.slip": 1.0*(run["v"] != 0)}


def den_hartog_amplitude():
    """Where the model starts; the run has 35 periods to forget it."""
    q = 0.8
    U = math.sin(math.pi/q)/(q*(1 + math.cos(math.pi/q)))
    return 0.1*math.sqrt((1/(1 - q*q))**2 - (0.3*U)**2)


def belt_stick_slip():
    V = 0.1
    run = every(rub(0.01, 0.0, lambda t, y, u: -100*(y + V*t), lambda t, y, u: 2 + math.exp(-abs(u)/1e-4), 2.8, 1e-6, 200),
                ["y", "u", "f"])                           # y = x - V t, seen from the belt
    return {**run, "x": run["y"] + V*run["t"], "v": run["u"] + V}


def dwell_stick_slip():
    times, rows = grid(0, 40, 2e-3), []
    for V in (2.5e-3, 5e-3, 2e-2):
        def force(y, V=V):
            return dwell(y[2], y[3], y[1] - V, 2.0, 3.0, 2e-4, 1e6, 2e3, 2.0)

        def rates(t, y):
            f, a_rate, w_rate = force(y)
            return [y[1], -100*y[0] - f, a_rate, w_rate]
        y = converged(rates, [0.02, V, 0.0, 1.0], times, 0.05, "LSODA", 1e-10, 1e-14)
        rows.append((y[:, 0], y[:, 1] - V, [force(at)[0] for at in y]))
    return {"t": times, **{name: np.array([row[i] for row in rows]) for i, name in enumerate(("x", "u", "f"))}}


def masses_friction_joint():
    m1, m2, F, h = 3.0, 1.0, 4.0, 1e-5
    mu = m1*m2/(m1 + m2)
    rows = rub(0.0, 3.0, lambda t, x, u: 0.0, lambda t, x, u: F/mu, 1, h, 100)
    t, slid, u, force = np.array(rows).T
    centre = (m1*2 - m2)/(m1 + m2)                         # momentum is kept: the centre moves on
    return {"t": t, "f": force*mu, "v1": centre + m2/(m1 + m2)*u, "v2": centre - m1/(m1 + m2)*u,
            "x1": centre*t + m2/(m1 + m2)*slid, "x2": centre*t - m1/(m1 + m2)*slid, "heat": F*slid}


def bowling_ball():
    m, r, mu = 7.0, 0.108, 0.12
    J, h = 0.4*m*r*r, 1e-4
    x, v, w, rows = 0.0, 8.0, 0.0, []
    for n in range(40001):
        f = sat(mu*m*G, (v - r*w)/(h*(1/m + r*r/J)))       # the force that stops the slide in this step, if it may
        if n % 10 == 0:
            rows.append((n*h, x, v, w, f))
        before = v
        v, w = v - h*f/m, w + h*r*f/J
        x += h/2*(before + v)
    return every(rows, ["x", "v", "w", "f"])


def ball_that_turns(R, mu, rho, v, w, until, delta=0.0, spin=0.0):
    """Friction at the point of contact and the moment that resists rolling, by repetition; the spin is on its own. 1 kg."""
    g, h = 9.8, 5e-4
    J, x, f, M, rows = 0.4*R*R, 0.0, 0.0, 0.0, []
    for n in range(round(until/h) + 1):
        if n % 2 == 0:
            rows.append((n*h, x, v, w, spin))
        for _ in range(1000):
            before = f, M
            f = sat(mu*g, f + (v - h*f - R*(w + h*(R*f - M)/J))/(h*(1 + R*R/J)))
            M = sat(rho*g, M + (w + h*(R*f - M)/J)*J/h)
            if abs(f - before[0]) + abs(M - before[1])/R < 1e-14:
                break
        old = v
        v, w, spin = v - h*f, w + h*(R*f - M)/J, soft1(spin, h*delta*g/J)
        x += h/2*(old + v)
    t, x, v, w, spin = np.array(rows).T
    return {"t": t, "ball.p": [x, 0*x, 0*x], "ball.v": [v, 0*v, 0*v], "ball.omega": [0*w, w, spin]}


def rolling_ball():
    return ball_that_turns(0.1, 0.3, 2e-3, 1.0, 10.0, 9.0)


def spinning_ball():
    """The lever arm of the spin is the integral of Hertz's pressure p = 3/2 (1 - r^2)^(1/2) over the disc, times r."""
    r = (np.arange(100000) + 0.5)/1e5
    arm = np.mean(1.5*np.sqrt(1 - r*r)*r*2*r)
    return ball_that_turns(0.1, 0.3, 2e-3, 0.5, 5.0, 8.0, delta=0.3*arm*1e-3, spin=2.0)


def block_on_boards():
    """The flow rule of the ellipse, v' = -g D^2 v/|D v|. Below 1 cm/s nothing is left of the speed across, (0.01/2)^6.25."""
    g, D = 9.8, np.array([0.2, 0.5])

    def force(v):
        return g*D*D*v/math.hypot(*(D*v))

    def rate(t, x):
        return np.concatenate([x[2:], -force(x[2:])])
    h, x, rows = 1e-4, np.array([0.0, 0.0, 2.0, 1.0]), []
    for n in range(30001):
        f = force(x[2:]) if x[2] > 0 else np.zeros(2)
        if n % 10 == 0:
            rows.append((n*h, *x, math.hypot(*(f/D))/g))
        if x[2] > 0.01:
            x = rk4(rate, x, [n*h, (n + 1)*h])[1]
        else:
            v = max(0.0, x[2] - h*g*D[0])
            x = np.array([x[0] + (x[2]**2 - v**2)/(2*g*D[0]), x[1], v, 0.0])
    t, x, y, vx, vy, load = np.array(rows).T
    return {"t": t, "block.p": [x, y, 0*x], "block.v": [vx, vy, 0*x], "load": load}


def spiral(n):
    """Points of equal area on a disc, by the golden angle, about their mean."""
    k = np.arange(n)
    r, angle = np.sqrt((k + 0.5)/n), 2.399963*k
    xy = np.array([r*np.cos(angle), r*np.sin(angle)])
    return xy - xy.mean(axis=1)[:, None]


def rub_area(xy, v1, v2, w):
    """The flow rule in each point: force and moment per level."""
    s = np.array([v1 - w*xy[1], v2 + w*xy[0]])
    s /= np.hypot(*s) + 1e-9
    return s[0].mean(), s[1].mean(), (xy[0]*s[1] - xy[1]*s[0]).mean()


def spinning_disc():
    """Slip and spin of a disc along a guide, in points of equal area and under the flow rule of the ellipsoid."""
    def area(xy):
        def rate(t, x):
            f, _, M = rub_area(xy, x[0], 0.0, x[1])
            return -np.array([f, 2*M])
        return rate

    def ellipsoid(t, x):
        return -np.array([x[0], 2*4/9*x[1]])/(math.hypot(x[0], 2/3*x[1]) + 1e-9)
    run = {"t": grid(0, 2.8, 1e-4)}
    for n, rate in (4, area(spiral(4))), (16, area(spiral(16))), (64, area(spiral(64))), (1, ellipsoid):
        run[f"v{n}"], run[f"w{n}"] = rk4(rate, [1.0, 3.0], run["t"]).T
    return run


def spinning_puck():
    """The same without a guide."""
    xy, t = spiral(64), grid(0, 2.8, 1e-4)

    def rate(t, x):
        f1, f2, M = rub_area(xy, x[2], x[3], x[4])
        return np.array([x[2], x[3], -f1, -f2, -2*M])
    x, y, v1, v2, w = rk4(rate, [0.0, 0.0, 1.0, 0.0, 3.0], t).T
    return {"t": t, "puck.p": [x, y, 0*x], "puck.v": [v1, v2, 0*x], "puck.omega": [0*x, 0*x, w]}


def clutch():
    """Two frictions that feel each other; their forces by Gauss and Seidel's repetition."""
    J1, J2, Te, Tl, h = 0.2, 0.8, 60.0, 20.0, 2e-5
    w1, w2, f, brake, rows = 150.0, 0.0, 0.0, 0.0, []
    for n in range(50001):
        C = min(400.0, 400*(n + 0.5)*h)
        for _ in range(100):
            f_before, brake_before = f, brake
            a, b = w1 + h*(Te - f)/J1, w2 + h*(f - brake)/J2
            f = max(-C, min(C, f + (a - b)/(h*(1/J1 + 1/J2))))
            b = w2 + h*(f - brake)/J2
            brake = max(-Tl, min(Tl, brake + b*J2/h))
            if abs(f - f_before) + abs(brake - brake_before) < 1e-10:
                break
        if n % 10 == 0:
            rows.append((n*h, w1, w2, f, brake))
        w1, w2 = w1 + h*(Te - f)/J1, w2 + h*(f - brake)/J2
    return every(rows, ["w1", "w2", "f", "brake"])


def puck_stops():
    mu, h = 0.1, 1e-4
    p, v, rows = np.zeros(2), np.array([4.0, 3.0]), []
    for n in range(60001):
        if n % 50 == 0:
            rows.append((n*h, *p, *v))
        speed = math.hypot(*v)
        new = v*max(0.0, 1 - h*mu*G/speed) if speed > 0 else v
        p, v = p + h/2*(v + new), new
    t, x, y, vx, vy = np.array(rows).T
    return {"t": t, "p": [x, y], "v": [vx, vy]}


def grain_stops():
    """The flow rule f = M g D^2 v/|D v| in steps that end at rest; D from its eigenvectors."""
    h, turn = 1e-5, math.radians(30)
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    DD = 0.2**2*np.outer(along, along) + 0.5**2*np.outer(across, across)
    p, v, rows = np.zeros(2), 2*along + 1*across, []

    def force(u):
        size = math.sqrt(u @ DD @ u)
        return 9.8*(DD @ u)/size if size > 0 else np.zeros(2)

    for n in range(150001):
        if n % 100 == 0:
            rows.append((n*h, *p, *v))
        middle = v - h/2*force(v)
        new = v - h*force(middle)
        new = np.zeros(2) if new @ v <= 0 else new
        p, v = p + h/2*(v + new), new
    t, x, y, vx, vy = np.array(rows).T
    s = [x*along[0] + y*along[1], x*across[0] + y*across[1]]
    return {"t": t, "p": [x, y], "v": [vx, vy], "s": s}


def impact(W, mu, u, e):
    """Velocity of the point of contact after an impact by Routh's law, from (u_t..., u_n); W = du/dp of unit impulses. The
    impulse of the contact is the time of an integrator with events; friction that sticks has the impulse that holds it."""
    W, y, least = np.array(W, float), np.append(np.array(u, float), 0.0), None
    stuck = False
    while True:
        def rate(p, y):
            slip = y[:-2]
            t = np.linalg.solve(W[:-1, :-1], -W[:-1, -1]) if stuck else -mu*slip/np.linalg.norm(slip)
            return np.append(W @ np.append(t, 1.0), y[-2])

        def stops(p, y):
            return np.linalg.norm(y[:-2]) - 1e-11

        def ends(p, y):
            return y[-2] if least is None else y[-1] - (1 - e*e)*least
        ends.terminal, ends.direction, stops.terminal, stops.direction = True, 1, True, -1
        events = [ends] if stuck else [ends, stops]
        way = solve_ivp(rate, (0, 100), y, method="DOP853", rtol=1e-13, atol=1e-14, events=events, max_step=1e-3)
        y = way.y[:, -1]
        if not len(way.t_events[0]):             # it stops: it sticks, or in the plane turns back
            if np.linalg.norm(np.linalg.solve(W[:-1, :-1], -W[:-1, -1])) <= mu:
                stuck = True
                y[:-2] = 0.0
            else:
                y[:-2] = -y[:-2]*1e-3
        elif least is None and e > 0:
            least, y[-2] = y[-1], 0.0
        else:
            return y[:-1]


def keller_impact():
    W = [[3, 0.5, -0.8], [0.5, 2, 0.6], [-0.8, 0.6, 1.5]]
    one, two = impact(W, 0.3, (1, 0.4, -1), 0.5), impact(W, 0.6, (0.3, -0.4, -2), 0.5)
    t = np.array([0, 1e-3])
    return {"t": t, "u": [np.array([1, one[0]]), np.array([0.4, one[1]])], "w": np.array([-1, one[2]]),
            "s": [np.array([0.3, two[0]]), np.array([-0.4, two[1]])], "w2": np.array([-2, two[2]])}


def rod_impact():
    """vx, vy, w of both rods from the impulses, and these from the velocities of their ends."""
    t, found = np.array([0, 1e-6]), {}
    rods = [(math.radians(30), 1, -math.sqrt(2*9.81*0.75), 0.3, 0), (0.8216, 0.633, -1, 0.385, 0.99)]
    for k, (a, vx, vy, mu, e) in enumerate(rods, 1):
        c, s, J = 0.5*math.cos(a), 0.5*math.sin(a), 1/12
        W = np.array([[1 + s*s/J, -c*s/J], [-c*s/J, 1 + c*c/J]])
        after = impact(W, mu, (vx, vy), e)
        along, off = np.linalg.solve(W, after - np.array([vx, vy]))
        v = [vx + along, vy + off, (s*along - c*off)/J]
        found.update({f"vx{k}": np.array([vx, v[0]]), f"vy{k}": np.array([vy, v[1]]), f"w{k}": np.array([0, v[2]]),
                      f"th{k}": np.array([a, a]), f"E{k}": np.array([0, (v[0]**2 + v[1]**2)/2 + J*v[2]**2/2])})
    return {"t": t, "l": np.ones(2), **found}


def puck_on_slope():
    """It never stops: a plain differential equation."""
    c = G*math.sin(math.radians(5))
    times = grid(0, 8, 1e-2)
    rows = converged(lambda t, x: np.array([x[2], x[3], c - c*x[2]/math.hypot(x[2], x[3]), -c*x[3]/math.hypot(x[2], x[3])]),
                     [0, 0, 0, 1], times, 0.01).T
    return {"t": times, "p": list(rows[:2]), "v": list(rows[2:])}


def capstan():
    """24 nodes; the friction of each is its own prox."""
    n, mu, load, m, k, c, V, h = 24, 0.3, 10.0, 0.02, 2e4, 25.0, 0.02, 2e-5
    dth = 3*math.pi/n
    s, v, rows = np.zeros(n + 1), np.zeros(n + 1), []      # the last is the end that is pulled
    v[-1] = V
    for step in range(300001):
        T = load + k*np.diff(s) + c*np.diff(v)
        before = np.concatenate([[load], T[:-1]])
        if step % 250 == 0:
            rows.append((step*h, T[-1], v[0]))
        new = v.copy()
        new[:-1] = soft(v[:-1] + h*(T - before)/m, h*mu*np.maximum(0.0, 0.5*(T + before)*dth)/m)
        s, v = s + h*new, new
    t, pull, first = np.array(rows).T
    return {"t": t, "ratio": pull/load, "v": [first]}


def burridge_knopoff():
    """20 blocks; the level is that of the speed before the step."""
    n, kp, kc, V, F, vc, h = 20, 40.0, 400.0, 0.01, 5.0, 0.1, 5e-4
    x = 0.02*np.sin(1.7*np.arange(1, n + 1)**2)
    v, work, heat, impulse, rows = np.zeros(n), 0.0, 0.0, 0.0, []
    for step in range(400001):
        t = step*h
        if step % 40 == 0:
            rows.append((t, work, heat, impulse, *x, *v))
        middle = x + h/2*v
        pull = kp*(V*(t + h/2) - middle)
        links = np.concatenate([[0.0], kc*np.diff(middle), [0.0]])
        b = v + h*(np.diff(links) + pull)
        new = soft(b, h*F/(1 + np.abs(v)/vc))
        f = (b - new)/h
        work += h*V*pull.sum()
        heat += h*float(f @ (v + new))/2
        impulse += h*float((pull - f).sum())
        x, v = x + h/2*(v + new), new
    t, work, heat, impulse, *rest = np.array(rows).T
    return {"t": t, "work": work, "heat": heat, "impulse": impulse, "x": rest[:n], "v": rest[n:]}


# ---- Slopes: contact and friction by the elements of X13, K = 2e5 N/m, restitution about 0.3.

def slope(angle, mu, end, sample):
    M, K, beta, alpha = 2.0, 2e5, 5.5e-3, 0.82e-3

    def forces(x):
        N, e_rate = contact(x[4], x[1], K, alpha, beta)
        f, a_rate = friction(x[5], x[2], mu*N, K, 1e-3)
        return N, f, e_rate, a_rate

    def rate(t, x):
        N, f, e_rate, a_rate = forces(x)
        return np.array([x[2], x[3], G*math.sin(angle) - f/M, N/M - G*math.cos(angle), e_rate, a_rate])

    times = grid(0, end, 1e-3)
    rows = rk4(rate, np.zeros(6), times)[::sample].T
    N, f, _, _ = forces(rows)
    return {"t": times[::sample], "x": rows[0], "y": rows[1], "vx": rows[2], "N": N, "f": f, "f.a": rows[5]}


def slope_holds():
    return slope(math.radians(20), 0.5, 20, 10)


def slope_slides():
    return slope(math.radians(30), 0.3, 2, 10)


# ---- Impacts.

def bouncing_ball():
    """Parabolas from impact to impact, e = 0.8; infinitely many until t0 (1 + e)/(1 - e), then rest."""
    e, m = 0.8, 0.1
    times = grid(0, 6, 2e-4)
    y, v = np.zeros_like(times), np.zeros_like(times)
    start, height, speed = 0.0, 1.0, 0.0
    while speed > 1e-9 or height > 0:
        flight = (speed + math.sqrt(speed**2 + 2*G*height))/G
        here = (times >= start) & (times < start + flight)
        dt = times[here] - start
        y[here], v[here] = height + speed*dt - G/2*dt**2, speed - G*dt
        start, height, speed = start + flight, 0.0, e*(G*flight - speed)
    return {"t": times, "y": y, "v": v, "N": np.where(times >= start, m*G, 0.0)}


def two_walls():
    """Flights at constant speed; each contact is the element with sqrt(K/m) = 9370 1/s, beta sqrt(K/m) = 0.963, alpha/beta =
    0.8219: restitution 0.9, and 0.2 mm at 2 m/s."""
    K, beta = 9370.0**2, 0.963/9370
    alpha = 0.8219*beta
    times = grid(0, 6, 20e-6)
    x, N = np.zeros_like(times), np.zeros_like(times)
    v = np.zeros_like(times)
    start, place, speed, right = 0.0, 0.0, 2.0, True

    def rate(t, y):
        force, e_rate = contact(y[2], y[0], K, alpha, beta)
        return np.array([y[1], force, e_rate])

    def leaves(t, y):
        return y[2] - beta*(y[0] + y[2])/alpha if t > 1e-6 else 1.0
    leaves.terminal, leaves.direction = True, -1
    hits = []
    while start < 6:
        touch = start + ((1 - place) if right else place)/speed
        here = (times >= start) & (times < touch)
        sense = 1 if right else -1
        x[here], v[here] = place + sense*speed*(times[here] - start), sense*speed
        found = solve_ivp(rate, (0, 5e-3), [0.0, -speed, 0.0], "DOP853", events=leaves, dense_output=True, rtol=1e-10,
                          atol=1e-14, max_step=1e-6)
        end = touch + found.t[-1]
        here = (times >= touch) & (times < end)
        gap, rebound, e = found.sol(times[here] - touch) if here.any() else np.zeros((3, 0))
        x[here], v[here] = (1 - gap, -rebound) if right else (gap, rebound)
        N[here] = contact(e, gap, K, alpha, beta)[0]
        hits.append((touch, right))
        start, place, speed = end, (1 - found.y[0, -1] if right else found.y[0, -1]), found.y[1, -1]
        right = not right
    side = np.searchsorted([touch for touch, _ in hits], times, "right") % 2
    return {"t": times, "x": x, "v": v, "right": np.where(side == 1, N, 0.0), "left": np.where(side == 0, N, 0.0)}


def flanks(q, low, high, h, K, alpha, beta):
    """Two contacts, one for each flank, each with its own state: the force back, and the rates of both states."""
    L, low_rate = contact(low, h + q, K, alpha, beta)
    U, high_rate = contact(high, h - q, K, alpha, beta)
    return U - L, low_rate, high_rate


def backlash():
    """Two wheels alone: their difference moves as J/2. A load with friction behind a drive: Moreau's step for the friction."""
    J, h, w0, K, alpha, beta = 2.0, 0.01, 0.1, 1e5, 2.8e-3, 4e-3
    X, W, load_J, F, step, sample = 0.03, 2*math.pi, 0.2, 1.0, 1e-5, 100

    def rate(t, y):
        r, low, high = flanks(y[0], y[2], y[3], h, K, alpha, beta)
        return np.array([y[1], -r/(J/2), low, high])
    times = np.linspace(0, 1.5, 1501)
    alone = solve_ivp(rate, (0, 1.5), [0.0, w0, 0.0, 0.0], "DOP853", t_eval=times, rtol=1e-10, atol=1e-13, max_step=1e-4).y
    rows, load, w, low, high = [], 0.0, 0.0, 0.0, 0.0
    for n in range(round(1.5/step) + 1):
        t = n*step
        s, low_rate, high_rate = flanks(X*math.sin(W*t) - load, low, high, h, K, alpha, beta)
        b = w + step*s/load_J
        new = soft1(b, step*F/load_J)
        if n % sample == 0:
            rows.append((t, load, w, s, load_J*(b - new)/step))
        load, w, low, high = load + step*new, new, low + step*low_rate, high + step*high_rate
    run = every(rows, ["load", "w", "s", "f"])
    return {**run, "a": (w0*times + alone[0])/2, "b": (w0*times - alone[0])/2,
            "wa": (w0 + alone[1])/2, "wb": (w0 - alone[1])/2,
            "r": np.array([flanks(q, e, d, h, K, alpha, beta)[0] for q, e, d in zip(alone[0], alone[2], alone[3])])}


def newton_cradle():
    """Five pendulums with springs without damping between them, a contact of 0.1 ms; Verlet's scheme at 2 us."""
    n, m, l, d, h = 5, 0.1, 0.2, 5e-3, 2e-6
    K = 0.5*m*(math.pi/1e-4)**2
    x, v, rows = np.zeros(n), np.zeros(n), []
    x[0] = -0.08

    def forces(x):
        return K*np.maximum(0.0, -(d + np.diff(x)))

    def acceleration(x):
        return -G/l*x - np.diff(np.concatenate([[0.0], forces(x), [0.0]]))/m
    a = acceleration(x)
    for step in range(400001):
        if step % 50 == 0:
            rows.append((step*h, *x, *v, *forces(x)))
        x = x + h*v + h*h/2*a
        new = acceleration(x)
        v, a = v + h/2*(a + new), new
    t, *rest = np.array(rows).T
    return {"t": t, "x": rest[:n], "v": rest[n:2*n], "N": rest[2*n:]}


def rocking_block():
    """Housner's block itself: th'' = -+ p^2 sin(alpha -+ th) about one corner or the other, speed times r at each impact."""
    b, h = 0.1, 0.5
    R, alpha = math.hypot(b, h), math.atan2(b, h)
    p2, r = 3*G/(4*R), 1 - 1.5*math.sin(alpha)**2
    times = grid(0, 3, 2e-4)
    th, w = np.zeros_like(times), np.zeros_like(times)
    start, state, side = 0.0, [0.5*alpha, 0.0], 1

    def zero(t, y):
        return y[0]
    zero.terminal = True
    while start < 3:
        zero.direction = -side
        found = solve_ivp(lambda t, y, s=side: [y[1], -s*p2*math.sin(alpha - s*y[0])], (start, 3), state, "DOP853", events=zero,
                          dense_output=True, rtol=1e-11, atol=1e-13, max_step=1e-2)
        here = (times >= start) & (times <= found.t[-1])
        th[here], w[here] = found.sol(times[here])
        start, side, state = found.t[-1], -side, [0.0, r*found.y[1, -1]]
        if abs(state[1]) < 1e-6:
            break
    s = np.where(th >= 0, 1.0, -1.0)
    return {"t": times, "th": th, "w": w, "x": s*(-b + b*np.cos(th)) - h*np.sin(th)}


def woodpecker():
    """Glocker's toy as a rigid one: Moreau's stepping at 10 us, restitution 0.5 at the beak and 0 at the sleeve."""
    mM, JM, mS, JS, c, mu, r0, rM, hM, lM, lG, hS, lS = (0.3e-3, 5e-9, 4.5e-3, 7e-7, 0.0056, 0.3, 2.5e-3, 3.1e-3, 5.8e-3, 10e-3,
                                                         15e-3, 20e-3, 20.1e-3)
    mass = np.array([[mS + mM, mS*lM, mS*lG], [mS*lM, JM + mS*lM**2, mS*lM*lG], [mS*lG, mS*lM*lG, JS + mS*lG**2]])
    inverse = np.linalg.inv(mass)
    normal = np.array([[0, 0, -hS], [0, hM, 0], [0, -hM, 0]])          # rates of the gaps: beak, lower, upper edge
    slide = np.array([[1, lM, lG - lS], [1, rM, 0], [1, rM, 0]])
    rest = np.array([lM + lG - lS - r0, rM - r0, rM - r0])
    q, u, h = np.array([0, -(rM - r0)/hM, -0.2788]), np.array([-0.3411, 0, -7.4583]), 1e-5
    ratio, rows, beak = np.array([0.5, 0, 0]), [], 0.0
    for step in range(90001):
        if step % 2 == 0:
            rows.append((step*h, *q, *u, beak))
            beak = 0.0                                                 # then the larger of two steps
        middle = q + h/2*u
        load = np.array([-(mS + mM)*G, -c*(middle[1] - middle[2]) - mS*G*lM, -c*(middle[2] - middle[1]) - mS*G*lG])
        new = u + h*inverse @ load
        closed = np.flatnonzero(rest + normal @ middle <= 0)
        if len(closed):
            new, impulse = impulses(new, u, normal[closed], slide[closed], ratio[closed], mu, inverse)
            beak = max(beak, impulse[0]/h) if closed[0] == 0 else beak
        q, u = middle + h/2*new, new
    t, y, phM, phS, vy, wM, wS, beak = np.array(rows).T
    return {"t": t, "y": y, "phM": phM, "phS": phS, "vy": vy, "wM": wM, "wS": wS, "beak": beak}


def impulses(free, before, normal, slide, ratio, mu, inverse):
    """Newton's impact law with Coulomb friction: 0 <= P, normal (u + e u-) >= 0, friction opposes the slide."""
    P, S = np.zeros(len(normal)), np.zeros(len(normal))
    u = free.copy()
    for _ in range(2000):
        change = 0.0
        for i, (n, s) in enumerate(zip(normal, slide)):
            wanted = max(0.0, P[i] - (n @ u + ratio[i]*(n @ before))/(n @ inverse @ n))
            u = u + inverse @ n*(wanted - P[i])
            change, P[i] = max(change, abs(wanted - P[i])), wanted
            wanted = max(-mu*P[i], min(mu*P[i], S[i] - (s @ u)/(s @ inverse @ s)))
            u = u + inverse @ s*(wanted - S[i])
            change, S[i] = max(change, abs(wanted - S[i])), wanted
        if change < 1e-15:
            break
    return u, P


# ---- Machines with one angle.

def door():
    """About a fixed axis; the stop is the element of X13 with the model's K, alpha, beta."""
    m, w, d, K, D, T = 20.0, 0.8, 0.04, 8.0, 25.0, 60.0
    J, limit = m*(w*w + d*d)/12 + m*w*w/4, math.radians(100)

    def rate_with(torque):
        def rate(t, x):
            N, e_rate = contact(x[2], limit - x[0], 1e4, 2e-3, 4e-3)
            return np.array([x[1], (torque - D*x[1] - K*x[0] - N)/J, e_rate, torque*x[1]])
        return rate
    early = converged(rate_with(T), np.zeros(4), grid(0, 4, 1e-3), 1e-3)
    late = converged(rate_with(0.0), early[-1], grid(4, 12, 1e-3), 1e-3)
    th, _, e, work = np.concatenate([early, late[1:]]).T
    return {"t": grid(0, 12, 1e-3), "spring.p": th, "stop.f": -contact(e, limit - th, 1e4, 2e-3, 4e-3)[0], "hand.work": -work}


def slider_crank():
    """The rigid mechanism with one degree of freedom: I(th) th'' + I'(th)/2 th'^2 = k (w0 - th')."""
    r, l, w0, k = 0.05, 0.15, 20.0, 1.0

    def inertia(th):
        """Twice the kinetic energy over th'^2: crank, rod (its middle and its turning), piston."""
        s, c = np.sin(th), np.cos(th)
        lean = -r*c/np.sqrt(l*l - r*r*s*s)                 # rate of the rod's angle over that of the crank
        piston = -r*s - r*r*s*c/np.sqrt(l*l - r*r*s*s)
        return 1e-2 + 0.5*(((-r*s + piston)/2)**2 + (r*c/2)**2) + 1e-3*lean**2 + 0.4*piston**2

    def rate(t, x):
        slope = (inertia(x[0] + 1e-6) - inertia(x[0] - 1e-6))/2e-6
        return np.array([x[1], (k*(w0 - x[1]) - slope/2*x[1]**2)/inertia(x[0])])
    times = grid(0, 2, 1e-4)
    th, w = converged(rate, [0, 0], times, 1e-2).T
    return {"t": times, "motor.p": th, "motor.v": w, "E": inertia(th)*w*w/2}


# ---- Springs with sliders: each element is a play, u = clip(u + dx, d), exact along any way without a turn.

SPRINGS, REACH = np.array([400.0, 200.0, 100.0]), np.array([5e-3, 15e-3, 40e-3])


def persoz():
    """The free mass by Verlet's method, and the elements that are led, both at 10 us."""
    h, W = 1e-5, 2*math.pi
    u, led, rows, heat, old = np.zeros(3), np.zeros(3), [], 0.0, 0.0
    x, v, q, acceleration = 0.0, 2.0, 0.0, 0.0
    for n in range(300001):
        if n % 10 == 0:
            rows.append((n*h, x, v, q, old, heat))
        step = h*v + h*h/2*acceleration
        x, u = x + step, np.clip(u + step, -REACH, REACH)
        new = -100*x - SPRINGS @ u
        v, acceleration = v + h/2*(acceleration + new), new
        there = 60e-3*math.sin(W*(n + 1)*h)
        led = np.clip(led + there - q, -REACH, REACH)
        force = 100*there + SPRINGS @ led
        heat, q, old = heat + (old + force)/2*(there - q), there, force
    return every(rows, ["x", "v", "q", "force", "heat"])


# ---- Friction that remembers and lags, and a loop that knows it.

TURN, AMPLITUDE = 2*math.pi/5, 50e-6


def multistate(s, v):
    """XD (4.13) in SI units: N = 10, kappa_i = 5/i N/um, sigma = 0.02 N s/um. The force, and the rates of the states."""
    level, elastic = s[0], 5e6/np.arange(1, 11)*s[1:]
    force = sat(0.1*level, elastic + 2e4*v)
    rates = np.concatenate([[(stribeck(v, 1.0, 2.5, 5e-6, 2) - level)/0.02], (force - elastic)/2e4])
    return force.sum(), rates


def wanted_speed(t):
    return TURN*AMPLITUDE*math.cos(TURN*t)


def following(Kp, Kd, aided):
    """The error e = r - x of one slide: 20 kg e'' = f - u - Kp e - Kd e', from rest; the states e, e', those of f and u."""
    def rates(t, y):
        u, u_rates = multistate(y[13:], wanted_speed(t))
        f, f_rates = multistate(y[2:13], wanted_speed(t) - y[1])
        return np.concatenate([[y[1], (f - aided*u - Kp*y[0] - Kd*y[1])/20], f_rates, u_rates])
    start = np.zeros(24)
    start[1], start[2], start[13] = wanted_speed(0), 2.5, stribeck(wanted_speed(0), 1.0, 2.5, 5e-6, 2)
    return converged(rates, start, grid(0, 20, 1e-3), np.inf, "LSODA", 1e-8, 1e-15).T[0]


def friction_compensation():
    gains = ((1e6, 4e5, 0), (1e6, 4e5, 1), (2e4, 2e3, 0), (2e4, 2e3, 1))
    return {"t": grid(0, 20, 1e-3), "e": [following(*gain) for gain in gains]}


def friction_feedforward():
    times = grid(0, 20, 1e-3)
    start = np.zeros(11)
    start[0] = stribeck(wanted_speed(0), 1.0, 2.5, 5e-6, 2)
    states = converged(lambda t, s: multistate(s, wanted_speed(t))[1], start, times, 1e-2, "LSODA", 1e-10, 1e-15)
    return {"t": times, "u": np.array([multistate(s, wanted_speed(t))[0] for t, s in zip(times, states)]),
            "r_dot": np.array([wanted_speed(t) for t in times])}
