"""Each test is one line of TAP, as all tests of the project. A warning that a test does not expect is an error."""

import warnings

import pytest

_count = 0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    global _count
    if report.when != "call" and not report.failed:
        return
    _count += 1
    name = report.nodeid.split("/")[-1].replace("#", "")
    print(f"\n{'ok' if report.passed else 'not ok'} {_count} - {name}", flush=True)
    if report.failed:
        print("\n".join("# " + line for line in str(report.longrepr).splitlines()), flush=True)


def pytest_sessionfinish():
    print(f"\n1..{_count}", flush=True)


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


PUCK = """
param m = 0.5 [kg], g = 9.81 [m/s^2], mu = 0.2, v0 = 1 [m/s]
state x = 0 [m], v = v0
f in mu*m*g*sgn(v)
x' = v
m*v' = -f
run until = 1 [s], step = 0.1 [ms]
measure way = final(x)
plot x, v
"""

# A cart, pushed by a force that a program sets, against a spring and a viscous damper: linear, known in closed form.
CART = """
param m = 2 [kg], k = 50 [N/m], c = 4 [kg/s]
state x = 0 [m], v = 0 [m/s]
input u = 0 [N]
x' = v
m*v' = u - k*x - c*v
q = k*x
run until = 2 [s], step = 1 [ms], method = rk4
measure end = final(x)
"""


@pytest.fixture
def puck():
    import drystone

    return drystone.compile(PUCK, "puck.dry")


@pytest.fixture
def cart():
    import drystone

    return drystone.compile(CART, "cart.dry")
