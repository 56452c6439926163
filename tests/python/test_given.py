"""What is given beside a model is used or refused: parameters, inputs, options."""

import drystone as dry
import numpy as np
import pytest

VECTOR = """
param n = [3, 4], s = 1 [m], watch = 2
state x = 0 [m], y = 0 [m]
x' = s*n[1]/(1 [s])
y' = s*n[2]*watch/(1 [s])
run until = 1 [s], step = 10 [ms]
"""

LAG = "input d = 5 [mm]\nstate x = 0 [m]\nx' = (d - x)/(1 [s])\nrun until = 1 [s], step = 1 [ms], method = rk4\n"


@pytest.fixture
def lag():
    return dry.compile(LAG, "lag.dry")


def ends(r):
    return r["x"][-1], r["y"][-1]


def test_vectors_by_list_tuple_array_and_text():
    m = dry.compile(VECTOR)
    for n in ([5, 6], (5, 6), np.array([5, 6]), "[5, 6]"):
        assert ends(m.run(n=n)) == pytest.approx((5, 12), rel=1e-12)
    assert ends(m.run(s="50 cm")) == pytest.approx((1.5, 4), rel=1e-12)
    assert ends(m.run(params={"n[2]": 7, "watch": 3})) == pytest.approx((3, 21), rel=1e-12)
    assert ends(m.run(s=np.float32(2), n=np.array([1, 1], dtype=np.int8))) == pytest.approx((2, 4), rel=1e-12)


def test_parameters_that_are_no_numbers_are_refused():
    m = dry.compile(VECTOR)
    for given, kind, told in (
            (dict(n=[1, 2, 3]), dry.DryError, "n"), (dict(n=[1, float("nan")]), dry.ArgumentError, "finite"),
            (dict(n=[[1, 2]]), dry.ArgumentError, "list"), (dict(s=float("nan")), dry.ArgumentError, "nan"),
            (dict(s=float("inf")), dry.ArgumentError, "infinite"), (dict(s=True), TypeError, "number"),
            (dict(s=1j), TypeError, "number"), (dict(s=None), TypeError, "number"),
            (dict(s=np.array(["1"])), TypeError, "real"), (dict(s="1 kg"), dry.DryError, "kg"),
            (dict(s="1\0"), ValueError, "zero"), (dict(s="two"), dry.DryError, "two"),
            (dict(n=[1, 2], params={"n": [1, 2]}), dry.ArgumentError, "twice"),
            (dict(params={"n": [1, 2], "n[1]": 3}), dry.ArgumentError, "twice"),
            (dict(params=["n"]), TypeError, "dictionary"), (dict(watch=3), TypeError, "watch must be True or False"), (dict(progress=3), TypeError, "function")):
        with pytest.raises(kind, match=told):
            m.run(**given)


def test_names_that_are_misspelt_are_refused():
    m = dry.compile(VECTOR.replace("watch", "mass"))
    for name, meant in (("utnil", "until"), ("stpe", "step"), ("mas", "mass"), ("recrd", "record")):
        with pytest.raises(dry.DryError, match=f"`{meant}`"):
            m.run(**{name: 1.0})
    with pytest.raises(dry.DryError, match="zzz"):
        m.run(zzz=1.0)
    with pytest.raises(dry.ArgumentError, match="rk4"):
        m.run(method="rk5")
    with pytest.raises(TypeError):
        m.run(method=4)
    with pytest.raises(TypeError, match="native"):
        m.run(native="yes")


def test_options_are_followed_or_refused(lag):
    assert lag.run(until=0.5).end == 0.5 and lag.run(step=1e-2).steps == 100 and len(lag.run(record=0.5)) == 3
    assert lag.run(method="dop853", rtol=1e-9).steps < 1000
    for wrong in (dict(step=-1.0), dict(until=0), dict(step=float("nan")), dict(rtol=float("inf")), dict(weight=-2.0)):
        with pytest.raises(dry.ArgumentError):
            lag.run(**wrong)
    for wrong in (dict(step=True), dict(until=np.array([1.0, 2.0])), dict(force=1), dict(force="yes")):
        with pytest.raises(TypeError):
            lag.run(**wrong)
    with pytest.raises(TypeError, match="seconds"):
        lag.run(until="1 s")
    with pytest.raises(dry.RunError):
        lag.run(max_steps=10)


def test_a_name_that_is_an_option_and_of_the_model_is_refused():
    m = dry.compile("param step = 2 [m]\nstate x = 0 [m]\nx' = step/(1 [s])\nrun until = 1 [s], step = 10 [ms]\n")
    with pytest.raises(dry.ArgumentError, match="params="):
        m.run(step=3)
    assert m.run(params={"step": 3})["x"][-1] == pytest.approx(3, rel=1e-12)


def test_records_of_uneven_times_are_read_at_their_times(lag):
    t = np.array([0.0, 0.1, 0.101, 0.75, 1.0])
    u = np.array([0.0, 2.0, -1.0, 4.0, 4.0])
    r = lag.run(d=(t, u))
    # x' = u - x by exact steps of the straight pieces: u = a + b s gives x = (x0 - a + b) exp(-s) + a - b + b s.
    x = 0.0
    for k in range(len(t) - 1):
        s, a = t[k + 1] - t[k], u[k]
        b = (u[k + 1] - u[k]) / s
        x = (x - a + b) * np.exp(-s) + a - b + b * s
    assert r["x"][-1] == pytest.approx(x, rel=1e-9)
    assert lag.run(d=(t[::-1][::-1], u.astype(np.float32)))["x"][-1] == pytest.approx(x, rel=1e-6)


def test_records_that_are_no_records_are_refused(lag):
    t, u = np.array([0.0, 0.5, 1.0]), np.array([1.0, 2.0, 3.0])
    masked = np.ma.array(u, mask=[0, 1, 0])
    for wrong, kind, told in (
            ((t, u[:2]), dry.ArgumentError, "as many"), ((t,), dry.ArgumentError, "tuple of 1"),
            ((t[::-1], u), dry.ModelError, "time"), ((t, [1, np.nan, 3]), dry.ArgumentError, "finite"),
            (([0, 0, 1], u), dry.ModelError, "time"), ((t, [1j, 2, 3]), TypeError, "real"),
            ((t, ["a", "b", "c"]), TypeError, "real"), ((np.zeros((3, 1)), u), dry.ArgumentError, "dimension"),
            (([], []), dry.ModelError, ""), ((t, masked), dry.ArgumentError, "masked"),
            ((t, u, "N"), dry.ModelError, "N"), ((t, u, 3), TypeError, "unit"), ("nofile", dry.ArgumentError, "COLUMN"),
            ("nofile.csv:x", dry.ModelError, "nofile"), ([1, 2], TypeError, "tuple"),
            (float("nan"), dry.ArgumentError, "finite"), (lambda t: None, TypeError, "at t = 0"),
            (lambda t: [1, 2], dry.ArgumentError, "one number"), (lambda t: np.nan, dry.ArgumentError, "finite")):
        with pytest.raises(kind, match=told):
            lag.run(d=wrong)
    with pytest.raises(dry.DryError, match="w"):
        lag.run(w=(t, u))
    with pytest.raises(dry.ArgumentError, match="twice"):
        lag.run(d=1.0, inputs={"d": 2.0})


def test_a_mistake_in_a_function_is_that_of_the_function(lag):
    def wrong(t):
        raise LookupError(f"at {t}")

    with pytest.raises(LookupError, match="at 0.0"):
        lag.run(d=wrong)


def test_a_function_is_known_until_the_end_of_the_run(lag):
    asked = []
    lag.run(d=lambda t: asked.append(t) or t, until=1.0, step=0.28, watch=False)
    assert asked[0] == 0.0 and 1.0 <= max(asked) < 1.28 and len(asked) == len(set(asked))
    with pytest.raises(dry.ArgumentError, match="until"):
        dry.compile(LAG.replace("until = 1 [s], ", "")).run(d=lambda t: t)


def test_a_column_of_a_file(lag, tmp_path):
    (tmp_path / "log.csv").write_text("t [s],d [cm]\n0,300\n2,300\n")
    r = lag.run(d=f"{tmp_path}/log.csv:d")
    assert r["x"][-1] == pytest.approx(3 * (1 - np.exp(-1)), rel=1e-9)


def test_a_record_that_ends_before_the_run_warns(lag):
    with pytest.warns(dry.ModelWarning, match="0.5"):
        lag.run(d=([0, 0.5], [1, 1]))
