"""Runs: against closed forms."""

import gc
import html
import pickle
import re
import weakref

import drystone as dry
import numpy as np
import pytest


def way(v0, mu, g=9.81):
    """How far a puck slides until friction stops it."""
    return v0**2 / (2 * mu * g)


def response(t, u=1.0, m=2.0, k=50.0, c=4.0):
    """x(t) of the cart after a step of the force."""
    w0, d = np.sqrt(k / m), c / (2 * m)
    w = np.sqrt(w0**2 - d**2)
    return u / k * (1 - np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t)))


def test_a_puck_slides_as_far_as_its_energy_lasts(puck):
    assert puck.run().measures["way"] == pytest.approx(way(1, 0.2), rel=1e-4)
    assert puck.run(mu=0.4, v0=2.0).measures["way"] == pytest.approx(way(2, 0.4), rel=1e-4)
    assert puck.run(v0="150 cm/s").measures["way"] == pytest.approx(way(1.5, 0.2), rel=1e-4)


@pytest.mark.parametrize("options", [dict(method="dop853"), dict(method="rodas4"), dict(native=True),
                                     dict(native=False), dict(method="rigid"), dict(step=5e-5)])
def test_methods_and_code_agree_with_the_closed_form(puck, options):
    r = puck.run(**options)
    assert r.measures["way"] == pytest.approx(way(1, 0.2), rel=2e-3 if options.get("method") == "rigid" else 1e-4)
    assert r.native == bool(options.get("native")) or "native" not in options


def test_columns_are_views_that_outlive_the_result(puck):
    r = puck.run()
    x, gone = r["x"], weakref.ref(r)
    assert not x.flags.owndata and not x.flags.writeable and r["x"] is x
    before = x.copy()
    del r
    gc.collect()
    assert gone() is None
    for _ in range(20):  # memory that was freed would be written over
        puck.run(watch=False)
    assert np.array_equal(x, before)
    with pytest.raises(ValueError):
        x[0] = 1


def test_a_result_outlives_its_model():
    r = dry.compile("state x = 1 [m]\nx' = -x/(1 [s])\nrun until = 1 [s], step = 1 [ms]\nplot x\n").run()
    gc.collect()
    assert r["x"][-1] == pytest.approx(np.exp(-1), rel=1e-9)
    assert "<svg" in r.svg()


def test_names_units_and_rows(puck):
    r = puck.run(record=0.1)
    assert r.names[:3] == ["t", "x", "v"] and "f" in r and len(r) == 11
    assert r.units["v"] == "m/s" and puck.unit("mu") == ""
    assert np.allclose(r.t, np.linspace(0, 1, 11), atol=1e-12)
    assert puck.parameters["mu"] == 0.2 and puck.until == 1.0 and puck.step_size == 1e-4


def test_an_input_as_constant_arrays_and_function(cart):
    constant = cart.run(u=3.0)
    assert np.allclose(constant["x"], response(constant.t, 3.0), atol=1e-9)
    ramp = cart.run(u=([0.0, 2.0], [0.0, 8.0]))  # u = 4 t: x is the integral of the response to steps
    t = ramp.t
    exact = np.concatenate(([0], np.cumsum(np.diff(t) * 0.5 * (response(t)[1:] + response(t)[:-1])))) * 4
    assert np.allclose(ramp["x"], exact, atol=1e-7)
    function = cart.run(u=lambda t: 4 * t)
    assert np.allclose(function["x"], ramp["x"], atol=1e-12)
    newton = cart.run(u=([0.0, 2.0], [3000.0, 3000.0], "mN"))
    assert np.allclose(newton["x"], constant["x"], atol=1e-12)


def test_a_function_is_read_at_every_stage_of_rk4(cart):
    w = 7.0  # in the end the cart swings with the force: |X| = 1/|k - m w^2 + i c w|
    r = cart.run(u=lambda t: np.sin(w * t), until=20)
    z = 1 / (50 - 2 * w**2 + 1j * 4 * w)
    late = r.t > 15
    assert np.allclose(r["x"][late], np.abs(z) * np.sin(w * r.t[late] + np.angle(z)), atol=1e-7)


def test_an_input_of_a_text_in_millimetres_takes_si():
    m = dry.compile("input d = 5 [mm]\nstate x = 0 [m]\nx' = (d - x)/(1 [s])\nrun until = 1 [s], step = 1 [ms]\n")
    assert m.run(d=2.0)["x"][-1] == pytest.approx(2 * (1 - np.exp(-1)), rel=1e-9)
    assert m.run()["x"][-1] == pytest.approx(5e-3 * (1 - np.exp(-1)), rel=1e-9)


def test_stop_when_is_told():
    m = dry.compile("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -9.81 [m/s^2]\n"
                    "stop when x < 0 [m] as \"it lands\"\nrun until = 1 [s], step = 1 [ms]\n")
    r = m.run()
    assert r.end == pytest.approx(np.sqrt(2 / 9.81), rel=1e-6) and r.stopped == "it lands" and "it lands" in r.message


def test_trust_and_expectations(puck):
    r = puck.run()
    assert r.watch == "trusted" and r.trust.good and r.trust.error < 1e-2 and "trusted" in str(r.trust)
    assert puck.run(watch=False).watch == "not watched"
    wrong = dry.compile("state x = 1 [m]\nx' = -x/(1 [s])\nrun until = 1 [s], step = 1 [ms]\nexpect final(x) = 2 [m] +- 0.1 [m]\n")
    with pytest.warns(dry.ExpectationWarning, match="not met: final"):
        r = wrong.run()
    assert not r.met and r.expectations[0].value == pytest.approx(np.exp(-1), rel=1e-9)


def test_a_run_that_cannot_be_trusted_warns():
    m = dry.compile("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -x*(900 [1/s^2])\n"
                    "run until = 20 [s], step = 50 [ms], method = rk4\n")
    with pytest.warns(dry.TrustWarning, match="NOT CONVERGED"):
        assert m.run().trust.good is False


def test_results_and_models_pickle(puck):
    r = puck.run()
    copy = pickle.loads(pickle.dumps(r))
    assert np.array_equal(copy["x"], r["x"]) and copy.measures == r.measures and copy.svg() == r.svg()
    with pytest.raises(ValueError, match="pickled"):
        copy.report("x.html")
    again = pickle.loads(pickle.dumps(puck.with_(mu=0.4)))
    assert again.run().measures["way"] == pytest.approx(way(1, 0.4), rel=1e-4)


def test_a_notebook_shows_picture_measures_and_trust(puck):
    shown = puck.run()._repr_html_()
    page = html.unescape(re.search('srcdoc="([^"]*)"', shown)[1])
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert 'id="plots"' in page and "<code>way</code>" in page and "trusted to" in page and "<script>" in page
    assert 'id="equations"' not in page and 'id="equations"' in puck.run().page()
    assert not re.search("(src|href)=.(?!data:)", page)  # nothing is fetched
    assert "<math" in puck._repr_html_() and "<td>mu</td><td>0.2 </td>" in puck._repr_html_()
    assert "<iframe" in dry.compile("state x = 1 [m]\nx' = -x/(1 [s])\nrun until = 1 [s], step = 1 [ms]\n").run()._repr_html_()


def test_files(puck, tmp_path):
    r = puck.run()
    r.save(tmp_path / "x.csv")
    r.report(tmp_path / "x.html")
    table = np.loadtxt(tmp_path / "x.csv", delimiter=",", skiprows=1)
    assert table.shape[0] == len(r) and np.array_equal(table[:, 1], r["x"])
    assert "<html" in (tmp_path / "x.html").read_text()


def test_latex(puck):
    derived, kept = puck.equations(), puck.equations(derived=False)
    assert "sat" in derived and "sgn" not in derived and "sgn" in kept and "\\in" in kept
