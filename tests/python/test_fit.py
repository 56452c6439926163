"""Fits: against a swing in closed form."""

import pickle

import drystone as dry
import numpy as np
import pytest

TEXT = """
param k = 40 [N/m], c = 3 [kg/s] in 0 .. 20, m = 2 [kg]
free k, c
state x = 0.1 [m], v = 0 [m/s]
x' = v
m*v' = -k*x - c*v
output x against "swing.csv" column "x" [m]
run until = 3 [s], step = 1 [ms], method = rk4
"""
TRUE = {"k": 50.0, "c": 4.0}


def swing(t, k=50.0, c=4.0, m=2.0):
    """m x'' + c x' + k x = 0 from x = 0.1 at rest."""
    s = c / (2 * m)
    w = np.sqrt(k / m - s * s)
    return 0.1 * np.exp(-s * t) * (np.cos(w * t) + s / w * np.sin(w * t))


def write(path, noise=0.0, seed=0):
    t = np.linspace(0, 3, 301)
    x = swing(t) + noise * np.random.default_rng(seed).standard_normal(len(t))
    np.savetxt(path, np.column_stack([t, x]), delimiter=",", header="t,x", comments="")
    return t, x


@pytest.fixture
def model(tmp_path):
    write(tmp_path / "swing.csv", 1e-4)
    return dry.compile(TEXT, str(tmp_path / "swing.dry"))


def test_a_fit_finds_what_made_the_data(model):
    f = model.fit()
    for name, true in TRUE.items():
        p = f[name]
        assert p.interval[0] < true < p.interval[1] and p.interval[0] < p.value < p.interval[1]
        assert p.value == pytest.approx(true, rel=2e-3) and 0 < p.deviation < 2e-3 * true
        assert p.record == -1 and not p.at_bound and not p.no_effect
    assert f["k"].unit == "N/m" and f["k"].start == 40.0 and f["c"].bounds == (0.0, 20.0)
    assert list(f.values) == ["k", "c"] and f.settled and f.runs > 3 and not f.warnings
    assert f.correlation.shape == (2, 2) and np.allclose(np.diag(f.correlation), 1.0)
    assert "k = " in repr(f) and " to " in repr(f)
    with pytest.raises(KeyError, match="it has k, c"):
        f["q"]


def test_outputs_are_views_of_what_was_compared(model, tmp_path):
    t, x = np.loadtxt(tmp_path / "swing.csv", delimiter=",", skiprows=1).T
    f = model.fit()
    (o,) = f.outputs
    assert (o.name, o.unit, o.column) == ("x", "m", "x") and o.file.endswith("swing.csv")
    assert np.array_equal(o.t, t) and np.array_equal(o.measured, x)
    assert np.allclose(o.model, swing(t), atol=5e-5) and o.rms == pytest.approx(1e-4, rel=0.15)
    assert np.sqrt(np.mean((o.model - o.measured) ** 2)) == pytest.approx(o.rms, rel=1e-9) and np.isnan(o.held_rms)
    with pytest.raises(ValueError):
        o.model[0] = 1.0
    kept = o.model[5]
    view = o.model
    del f, o
    assert view[5] == kept


def test_the_fitted_model_is_another_one(model):
    f = model.fit()
    better = f.model()
    assert better.parameters["k"] == pytest.approx(f["k"].value, rel=1e-8) and model.parameters["k"] == 40.0
    assert better.run(watch=False)["x"][-1] == pytest.approx(swing(3.0), abs=1e-4)
    assert "free k, c" in f.text
    copy = pickle.loads(pickle.dumps(f))
    assert copy.values == f.values and np.array_equal(copy.outputs[0].model, f.outputs[0].model)
    with pytest.raises(dry.ArgumentError, match="pickled"):
        copy.text


def test_what_is_free_can_be_given(model):
    f = model.fit(["k"], c=4.0)
    assert list(f.values) == ["k"] and f["k"].value == pytest.approx(50.0, rel=2e-3)
    with pytest.warns(dry.TrustWarning, match="k ended at its upper bound"):
        f = model.fit({"k": (45.0, 48.0), "c": None}, hold_last=0.4, k=46.0)
    assert any("upper bound" in said for said in f.warnings)
    assert f["k"].at_bound and f["k"].value == pytest.approx(48.0) and f["k"].bounds == (45.0, 48.0)
    assert f.outputs[0].held_rms > 0
    f = model.fit({"k": (1.0, 1e4, "log")}, c=4.0, starts=3, seed=1, threads=1)
    assert f["k"].value == pytest.approx(50.0, rel=2e-3)
    assert model.fit("k", c=4.0).values["k"] == pytest.approx(50.0, rel=2e-3)
    assert model.fit("k", c=4.0, k=20.0, windows=5).values["k"] == pytest.approx(50.0, rel=2e-3)
    assert model.fit("k", c=4.0, k=20.0, window=0.2).values["k"] == pytest.approx(50.0, rel=2e-3)


def test_other_files_take_the_place_of_that_of_the_text(model, tmp_path):
    write(tmp_path / "one.csv", 1e-4, 1), write(tmp_path / "two.csv", 1e-4, 2)
    f = model.fit(data=[tmp_path / "one.csv", str(tmp_path / "two.csv")])
    assert [o.file.rsplit("/", 1)[-1] for o in f.outputs] == ["one.csv", "two.csv"]
    assert f["k"].value == pytest.approx(50.0, rel=2e-3)
    f = model.fit({"k": "own", "c": None}, data=[tmp_path / "one.csv", tmp_path / "two.csv"])
    assert [p.record for p in f.parameters if p.name == "k"] == [0, 1] and list(f.values) == ["c"]


def test_what_is_wrong_with_a_fit_is_told(model):
    for given, kind, told in (
            (dict(free=["q"]), dry.DryError, "q"), (dict(free={"k": (2, 1)}), dry.ArgumentError, "rise"),
            (dict(free={"k": (1,)}), dry.ArgumentError, "must be None"), (dict(hold_last=1.5), dry.ArgumentError, "0 to 1"),
            (dict(huber=-1.0), dry.ArgumentError, "not negative"), (dict(starts=0), dry.ArgumentError, "between"),
            (dict(windows=-1), dry.ArgumentError, "windows"), (dict(window=-1.0), dry.ArgumentError, "not negative"),
            (dict(data="none.csv"), dry.DryError, "none.csv"), (dict(wrong=1), dry.DryError, "wrong"),
            (dict(free={"k": (float("nan"), 1.0)}), dry.ArgumentError, "rise")):
        with pytest.raises(kind, match=told):
            model.fit(**given)
    with pytest.raises(dry.DryError, match="against|measured"):
        dry.compile("param k = 1 [1/s]\nfree k\nstate x = 1\nx' = -k*x\nrun until = 1 [s], step = 1 [ms]\n").fit()


def test_a_fit_can_be_ended(model):
    with pytest.raises(dry.RunError):
        model.fit(progress=lambda runs: False)

    def wrong(runs):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        model.fit(progress=wrong)
