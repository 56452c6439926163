"""Sweeps: against closed forms and single runs."""

import pickle

import drystone as dry
import numpy as np
import pytest
from test_run import way


def test_a_sweep_has_the_numbers_of_single_runs(puck):
    for native in (False, True):
        s = puck.sweep(mu=[0.2, 0.3, 0.5], v0="0.5:1:3", threads=2, native=native)
        assert s.shape == (3, 3) and list(s.axes) == ["mu", "v0"] and s.native == native and s.measures == ["way"]
        assert np.array_equal(s.axes["mu"], [0.2, 0.3, 0.5]) and np.allclose(s.axes["v0"], [0.5, 0.75, 1.0])
        assert np.allclose(s["way"], way(s["v0"], s["mu"]), rtol=1e-3) and not s.status.any()
        assert s["way"][1, 2] == puck.run(mu=0.3, v0=1.0, native=native, watch=False).measures["way"]
        assert s.units["v0"] == "m/s" and "mu (3) x v0 (3)" in repr(s)
    copy = pickle.loads(pickle.dumps(s))
    assert np.array_equal(copy["way"], s["way"])
    with pytest.raises(ValueError):
        s["way"][0, 0] = 1.0


def test_other_parameters_and_options_hold_for_all_points(puck):
    s = puck.with_(v0=0.5).sweep(mu=np.array([0.2, 0.4]), g=1.62, until=2.0, measures=["way"])
    assert np.allclose(s["way"], way(0.5, s["mu"], 1.62), rtol=1e-3)


def test_points_that_fail_are_nan_and_warn():
    m = dry.compile("param a = 1 [m s]\nstate x = 1 [m]\nx' = x*x/a\nrun until = 2 [s], step = 1 [ms], method = rk4\n"
                    "measure end = final(x)\n")  # x = 1/(1 - t/a)
    with pytest.warns(dry.TrustWarning, match="1 of 2 points failed"):
        s = m.sweep(a=[4.0, 1.0])
    assert s["end"][0] == pytest.approx(2.0, rel=1e-6) and np.isnan(s["end"][1]) and s.status[1] and s.failed == 1


def test_what_is_wrong_with_a_sweep_is_told(puck):
    for given, kind, told in (
            (dict(), dry.ArgumentError, "axis"), (dict(mu=[]), dry.ArgumentError, "list"),
            (dict(mu=[0.2, float("nan")]), dry.ArgumentError, "finite"), (dict(mu=[[0.2]]), dry.ArgumentError, "list"),
            (dict(mu="0.2:0.4"), dry.ArgumentError, ""), (dict(mu=["a"]), TypeError, "real"),
            (dict(mu=[0.2], axes={"mu": [0.3]}), dry.ArgumentError, "twice"),
            (dict(mu=[0.2], threads=-1), dry.ArgumentError, "threads"), (dict(mu=[0.2], threads=1.5), TypeError, "whole"),
            (dict(mu=[0.2], measures=["wya"]), dry.ArgumentError, "wya"), (dict(nu=[0.2]), dry.DryError, "nu"),
            (dict(mu=[0.2], watch=1), TypeError, "watch")):
        with pytest.raises(kind, match=told):
            puck.sweep(**given)


def test_a_sweep_ends_when_it_is_told(puck):
    heard = []
    with pytest.raises(dry.RunError):
        puck.sweep(mu=np.linspace(0.1, 0.5, 200), threads=1, native=False, progress=lambda p: heard.append(p) or False)
    assert len(heard) == 1 and 0 <= heard[0] <= 1
