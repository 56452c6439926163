"""Rates for integrators of others: scipy's solve_ivp against closed forms and against our own methods."""

import drystone as dry
import numpy as np
import pytest
from test_run import response, way

solve_ivp = pytest.importorskip("scipy.integrate").solve_ivp

# A block that a force drives, which jumps at t = 1 s.
JUMP = """
param m = 2 [kg]
state x = 0 [m], v = 0 [m/s]
fe = if t < 1 then 3 else -1
x' = v
m*v' = fe*(1 [N])
run until = 2 [s], step = 1 [ms], method = rk4
"""


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_solve_ivp_follows_the_closed_form(cart, method):
    x0 = cart.x0
    x0[cart.states.index("u")] = 3.0
    jac = {} if method in ("RK45", "DOP853") else {"jac": cart.jac}
    sol = solve_ivp(cart.rhs, (0, 2), x0, method=method, rtol=1e-8, atol=1e-10, dense_output=True, **jac)
    t = np.linspace(0, 2, 50)
    assert sol.success and np.allclose(sol.sol(t)[cart.states.index("x")], response(t, 3.0), atol=1e-6)


def test_solve_ivp_integrates_friction(puck):
    sol = solve_ivp(puck.rhs, (0, 1), puck.x0, method="Radau", jac=puck.jac, rtol=1e-7, atol=1e-9)
    x = puck.states.index("x")
    assert sol.success and sol.y[x, -1] == pytest.approx(way(1, 0.2), rel=1e-4)
    assert sol.y[x, -1] == pytest.approx(puck.run(method="dop853", rtol=1e-9)["x"][-1], rel=1e-6)
    assert puck.outputs_at(0.0, puck.x0)["f"] == pytest.approx(0.2 * 0.5 * 9.81, rel=1e-12)


def test_jac_is_the_derivative_of_rhs(puck):
    rng = np.random.default_rng(3)
    for scale in (1e-9, 1e-5, 1.0):
        x = puck.x0 + scale * rng.normal(size=len(puck.x0))
        exact, h = puck.jac(0.0, x), 1e-7 * scale
        for k in range(len(x)):
            d = np.zeros_like(x)
            d[k] = h
            assert np.allclose(exact[:, k], (puck.rhs(0, x + d) - puck.rhs(0, x - d)) / (2 * h),
                               rtol=1e-4, atol=1e-4 * np.abs(exact).max())


def test_breaks_are_where_the_rate_jumps():
    m = dry.compile(JUMP)
    assert list(m.breaks) == [1.0]
    x, sol = m.x0, None
    for a, b in zip([0, *m.breaks], [*m.breaks, 2]):  # from one jump to the next
        # within a piece the rate is that of its inside, so the ends are moved into it by one bit
        sol = solve_ivp(lambda t, x: m.rhs(min(max(t, np.nextafter(a, 9)), np.nextafter(b, -9)), x), (a, b), x, rtol=1e-10)
        x = sol.y[:, -1]
    assert x[m.states.index("v")] == pytest.approx((3 - 1) / 2, rel=1e-12)
    assert x[m.states.index("x")] == pytest.approx(0.5 * 1.5 + 1.5 - 0.5 * 0.5, rel=1e-12)


def test_points_that_are_no_points(cart):
    n = len(cart.x0)
    for wrong, kind in ((np.zeros(n + 1), dry.ArgumentError), (np.zeros((1, n)), dry.ArgumentError),
                        (np.zeros(n) + 0j, TypeError), ("x", TypeError)):
        with pytest.raises(kind):
            cart.rhs(0.0, wrong)
        with pytest.raises(kind):
            cart.jac(0.0, wrong)
    with pytest.raises(TypeError):
        cart.rhs("0", cart.x0)


def test_a_point_that_is_not_finite_has_no_rate():
    m = dry.compile("state x = 1 [m]\nx' = -min(x, 1 [m])/(1 [s])\nrun until = 1 [s], step = 1 [ms]\n")
    for t, x in ((0.0, np.nan), (np.nan, 1.0), (0.0, np.inf)):
        assert np.isnan(m.rhs(t, [x])).all() and np.isnan(m.jac(t, [x])).all()
    assert m.rhs(0.0, [0.5])[0] == -0.5


@pytest.mark.parametrize("text, told", [
    ("state x = 1 [m]\nsample u = -x/(1 [s]) every 10 [ms] from 0 [m/s]\nx' = u\nrun until = 1 [s], step = 1 [ms]\n", "samples"),
    ("state x = 1 [m]\nx' = -delay(x, 0.1 [s])/(1 [s])\nrun until = 1 [s], step = 1 [ms]\n", "delays"),
    ("param m = 1 [kg]\nstate v = 1 [m/s]\nf in 1 [N]*sgn(v)\nm*v' = -f\nrun until = 1 [s], step = 1 [ms], method = rigid\n", "sets"),
], ids=["samples", "delays", "sets"])
def test_what_a_rate_cannot_do_is_refused(text, told):
    m = dry.compile(text)
    with pytest.raises(dry.UnsupportedError, match=told):
        m.rhs(0.0, np.zeros(len(m.states)))
    with pytest.raises(dry.UnsupportedError, match=told):
        m.jac(0.0, np.zeros(len(m.states)))
    m.run(watch=False)
