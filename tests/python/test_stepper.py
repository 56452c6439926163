"""Steppers and batches: against closed forms, and against each other to the bit."""

import pickle
import threading

import drystone as dry
import numpy as np
import pytest
from test_run import response, way


def test_a_loop_follows_the_closed_form(cart):
    s = cart.stepper()
    x = [s.step(3.0)[1] for _ in range(2000)]  # states are u, x, v
    t = 1e-3 * np.arange(1, 2001)
    assert np.allclose(x, response(t, 3.0), atol=1e-9) and s.t == pytest.approx(2.0, abs=1e-12)
    assert s["x"] == x[-1] and s["q"] == pytest.approx(50 * x[-1], rel=1e-15) and s["u"] == 3.0


def test_states_that_a_step_returns_are_copies(cart):
    s = cart.stepper()
    a = s.step(3.0)
    kept = a.copy()
    s.step(3.0)
    assert np.array_equal(a, kept)


def test_a_proportional_controller_ends_where_it_must(cart):
    s = cart.stepper()
    while s.t < 20:
        s.advance(s.t + 0.01, u=100 * (0.1 - s["x"]))
    assert s["x"] == pytest.approx(100 * 0.1 / (50 + 100), rel=1e-6)  # u = k x at rest


def test_rows_have_the_bits_of_a_loop(cart):
    rng = np.random.default_rng(1)
    u = rng.normal(size=500)
    one, many = cart.stepper(), cart.stepper()
    loop = np.array([one.step(x) for x in u])
    rows = many.run(u)
    assert np.array_equal(rows.states, loop) and rows.done == 500 and np.array_equal(rows["v"], loop[:, 2])
    again = cart.stepper().run(u, out=rows)
    assert again is rows and np.array_equal(rows.states, loop)
    assert np.array_equal(cart.stepper(native=True).run(u).states, loop)


def test_inputs_by_list_dict_name_and_stride(cart):
    u = np.arange(20.0)[::2]  # with gaps in memory, and integers, are converted
    assert np.array_equal(cart.stepper().run(u).states, cart.stepper().run([int(x) for x in u]).states)
    values = [cart.stepper().step(v)[2] for v in (3, [3], np.array([3]), {"u": 3}, np.float32(3))]
    assert len(set(values)) == 1 and values[0] == cart.stepper().step(u=3)[2]


def test_parameters_change_between_steps(puck):
    s = puck.stepper()
    s.set(mu=0.4)
    while s["v"] > 1e-9:
        s.step()
    assert s["x"] == pytest.approx(way(1, 0.4), rel=1e-3) and s.get("mu") == 0.4
    with pytest.raises(dry.ArgumentError, match="mu"):
        s.set(mu=-1)
    with pytest.raises(dry.ArgumentError, match="nan"):
        s.set(mu=float("nan"))
    with pytest.raises(dry.ArgumentError, match="did you mean `mu`"):
        s.set(nu=1)
    assert s.get("mu") == 0.4


def test_phases(puck):
    s = puck.stepper()
    s.step()
    assert s.phases == {"f": "slips"}
    s.advance(0.9)
    assert s.phases == {"f": "sticks"}


@pytest.mark.parametrize("method", ["rk4", "dop853", "rodas4", "rigid"])
def test_save_and_restore(puck, method):
    s = puck.stepper(method=method)
    s.advance(0.1)
    saved = s.save()
    first = s.advance(0.3)
    s.restore(saved)
    assert s.t == pytest.approx(0.1) and np.array_equal(s.advance(0.3), first)
    s.reset()
    assert s.t == 0 and s["v"] == 1.0
    with pytest.raises(dry.DryError):
        s.restore(saved[:-1] + b"?" if len(saved) > 1 else b"?")
    with pytest.raises(TypeError):
        s.restore("text")


def test_a_model_keeps_a_stepper(cart):
    x = [cart.step(3.0)[1] for _ in range(10)]
    assert np.allclose(x, response(1e-3 * np.arange(1, 11), 3.0), atol=1e-9)
    cart.reset()
    assert cart.step(3.0)[1] == x[0]


def test_what_is_wrong_with_inputs_is_told(cart):
    s = cart.stepper()
    for wrong, kind in (([1, 2], dry.ArgumentError), (float("nan"), dry.ArgumentError), ("3", TypeError),
                        (np.array([1j]), TypeError), ([[1]], dry.ArgumentError)):
        with pytest.raises(kind):
            s.step(wrong)
    with pytest.raises(dry.ArgumentError, match="no input `w`"):
        s.step(w=1)
    with pytest.raises(dry.ArgumentError, match="shape"):
        s.run(np.zeros((3, 2)))
    with pytest.raises(dry.ArgumentError, match="positive"):
        s.run(3, interval=-1)
    with pytest.raises(dry.ArgumentError, match="later time"):
        s.advance(-1)
    with pytest.raises(KeyError, match="no `y`"):
        s["y"]
    assert s["u"] == 0.0 and s.step()[1] == 0.0  # nothing was taken
    with pytest.raises(dry.ArgumentError, match="nan"):
        s.run([1.0, float("nan")])


def test_after_a_refused_input_the_stepper_goes_on(cart):
    s = cart.stepper()
    s.step(3.0)
    with pytest.raises(dry.ArgumentError):
        s.step(float("nan"))
    assert s["u"] == 3.0
    assert s.step()[1] == pytest.approx(response(2e-3, 3.0), abs=1e-12)


def test_a_second_thread_is_refused(cart):
    s = cart.stepper()
    refused, stop = [], threading.Event()

    def use():
        while not stop.is_set():
            try:
                s.get("m")
                s.step(1.0)
            except RuntimeError as error:
                refused.append(str(error))

    def watch(t):
        if refused:
            return False

    thread = threading.Thread(target=use)
    thread.start()
    with pytest.raises((RuntimeError, dry.RunError)):
        while True:
            s.run(1_000_000, progress=watch)
    stop.set()
    thread.join()
    assert not refused or "one thread" in refused[0]


def test_a_stepper_is_not_pickled(cart):
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(cart.stepper())


def test_stop_when_ends_rows():
    m = dry.compile("state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -9.81 [m/s^2]\n"
                    "stop when x < 0 [m] as \"it lands\"\nrun until = 1 [s], step = 1 [ms]\n")
    s = m.stepper()
    rows = s.run(1000)
    assert s.stopped == "it lands" and s.t == pytest.approx(np.sqrt(2 / 9.81), rel=1e-6)
    assert rows.done == int(np.sqrt(2 / 9.81) / 1e-3) and np.isnan(rows.states[rows.done:]).all()
    assert not np.isnan(rows.states[: rows.done]).any()


# ---- batches ----


def test_a_batch_has_the_bits_of_steppers(cart):
    rng = np.random.default_rng(2)
    u = rng.normal(size=(50, 7))
    lone = [cart.stepper() for _ in range(7)]
    for threads, native in ((1, False), (2, False), (5, True)):
        b = dry.Batch(cart, 7, interval=0.01, threads=threads, native=native, observe=["x", "q"])
        assert b.reset()[0].shape == (7, 2)
        for s in lone:
            s.reset()
        for row in u:
            observations, rewards, stopped, late, info = b.step(row)
            wanted = [(s.advance(s.t + 0.01, v)[1], s["q"]) for s, v in zip(lone, row)]
            assert np.array_equal(observations, wanted) and not stopped.any() and not late.any() and not rewards.any()
            assert np.array_equal(info["t"], [s.t for s in lone])
    assert np.allclose(b.t, 0.5)


FORCED = """
param M = 1 [kg], F = 0.5 [N]
state p = 0 [m], v = 0 [m/s]
input fe = 0 [N]
f in F*sgn(v)
p' = v
M*v' = fe*(1 + 0.1*sin(3*t)) - f
run until = 5 [s], step = 1 [ms]
"""


@pytest.mark.parametrize("method", ["rk4", "heun", "euler", "semi-implicit", "rk4-tau"])
@pytest.mark.parametrize("n, threads, interval", [(1, 1, None), (37, 3, 2.5e-3), (20, 2, 0.37e-3)])
def test_lanes_have_the_bits_of_steppers(method, n, threads, interval):
    m, rng = dry.compile(FORCED, method=method), np.random.default_rng(n)
    b = dry.Batch(m, n, native=True, threads=threads, interval=interval, observe=["p", "v", "f"])
    assert b.lanes and not dry.Batch(m, n).lanes
    lone = [m.stepper(native=True) for _ in range(n)]
    for k in range(15):
        u = rng.normal(size=n)
        observations, _, _, _, info = b.step(u)
        for s, force in zip(lone, u):
            s.advance(s.t + b.interval, force)
        assert np.array_equal(observations, [[s["p"], s["v"], s["f"]] for s in lone])
        assert np.array_equal(info["t"], [s.t for s in lone])
        if k == 4:  # from now on the copies have times and masses of their own
            which = rng.random(n) < 0.4
            b.reset(which=which)
            b.set("M", 1 + np.arange(n) / n)
            for i, s in enumerate(lone):
                if which[i]:
                    s.reset()
                s.set(M=1 + i / n)


def test_a_lane_that_fails_is_named_and_the_others_go_on():
    m = dry.compile("param a = 1 [m s]\nstate x = 1 [m]\nx' = x*x/a\nrun until = 2 [s], step = 1 [ms], method = rk4\n")
    b, lone = dry.Batch(m, 20, native=True, interval=0.1, threads=2), m.stepper(native=True)
    a = np.full(20, 10.0)  # x = 1/(1 - t/a)
    a[7] = 0.45
    b.set("a", a)
    lone.set(a=0.45)
    for _ in range(4):
        b.step()
        lone.advance(lone.t + 0.1)
    with pytest.raises(dry.RunError, match="copy 7"):
        b.step()
    with pytest.raises(dry.RunError):
        lone.advance(lone.t + 0.1)
    assert b.lanes and b.t[7] == lone.t and np.array_equal(b.x[7], lone.x)
    others = np.arange(20) != 7
    assert np.allclose(b.t[others], 0.5) and np.allclose(b.x[others, 0], 1 / (1 - 0.05), rtol=1e-9)
    b.reset(which=~others)
    b.set("a", 10.0)
    observations, _, _, _, info = b.step()
    assert observations[7, 0] == pytest.approx(1 / (1 - 0.01), rel=1e-9)
    assert observations[3, 0] == pytest.approx(1 / (1 - 0.06), rel=1e-9) and info["t"][7] == 0.1


def test_a_model_that_stops_or_jumps_has_no_lanes():
    for more in ("stop when p > 1 [m]\n", "q = if t < 1 then 0 else 1\nr' = q*(1 [1/s])\nstate r = 0\n"):
        m = dry.compile(FORCED + more)
        assert not dry.Batch(m, 3, native=True).lanes


def test_a_batch_resets_copies_by_themselves_and_stops():
    m = dry.compile("param g = 9.81 [m/s^2]\nstate x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -g\n"
                    "stop when x < 0 [m] as \"it lands\"\nrun until = 1 [s], step = 1 [ms]\n")
    b = dry.Batch(m, 3, interval=0.1)
    b.set("g", [1.0, 9.81, 20.0])
    for _ in range(5):
        observations, _, stopped, _, _ = b.step()
    assert list(stopped) == [False, True, True]
    assert observations[0, 0] == pytest.approx(1 - 0.5 * 0.25, rel=1e-9)
    assert b.t[2] == pytest.approx(np.sqrt(2 / 20), rel=1e-6)
    late = dry.Batch(m, 2, interval=0.1, limit=0.2, reward="x")
    late.step()
    observations, rewards, _, truncated, _ = late.step()
    assert truncated.all() and np.array_equal(rewards, observations[:, 0])
    observations, _ = b.reset(which=stopped)
    assert observations[1, 0] == 1.0 and observations[0, 0] < 0.9
    with pytest.raises(dry.ArgumentError, match="True or False"):
        b.reset(which=[0, 1, 1])


def test_what_is_wrong_with_a_batch_is_told(cart):
    with pytest.raises(dry.ArgumentError, match="copies"):
        dry.Batch(cart, 0)
    with pytest.raises(TypeError):
        dry.Batch(cart, 2.5)
    with pytest.raises(dry.ArgumentError, match="no state or output `y`"):
        dry.Batch(cart, 2, observe=["y"])
    b = dry.Batch(cart, 2)
    with pytest.raises(dry.ArgumentError, match="shape"):
        b.step([1.0, 2.0, 3.0])
    with pytest.raises(dry.ArgumentError, match="copy 1"):
        b.step([1.0, float("nan")])
    with pytest.raises(dry.ArgumentError, match="2 values"):
        b.set("k", [1.0, 2.0, 3.0])
    for given in (dict(seed=1), dict(options={"mask": [True]}), dict(x0=[[1.0, 2.0]])):
        with pytest.raises(dry.ArgumentError):
            b.reset(**given)
    observations, _ = b.reset(options={"reset_mask": np.array([True, False])}, x0=[[0.0, 5.0, 6.0], [0.0, 7.0, 8.0]])
    assert observations.tolist() == [[5.0, 6.0], [0.0, 0.0]]
    for given in (dict(interval=0.0), dict(limit=-1), dict(reward="y")):
        with pytest.raises(dry.ArgumentError):
            dry.Batch(cart, 2, **given)
    with pytest.raises(TypeError, match="pickle its model"):
        pickle.dumps(b)
