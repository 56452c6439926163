"""Interrupts, exceptions in functions that are called during a run, threads, processes."""

import os
import pickle
import signal
import threading

import drystone as dry
import numpy as np
import pytest

LONG = dict(until=1e7, step=1e-3, record=1e3, max_steps=1e12, native=False, watch=False)


def interrupt_soon():
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_an_interrupt_ends_a_run(cart):
    before = signal.getsignal(signal.SIGINT)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        cart.run(**LONG)
    assert signal.getsignal(signal.SIGINT) is before
    assert cart.run(watch=False).end == 2.0  # nothing is left locked


def test_an_interrupt_ends_rows_and_leaves_the_stepper_whole(cart):
    s, u = cart.stepper(), np.ones(50_000)
    with pytest.raises(KeyboardInterrupt):
        s.run(u, progress=lambda t: os.kill(os.getpid(), signal.SIGINT) if t > 2 else None)
    k = round(s.t / 1e-3)
    assert 0 < k < len(u)
    again = cart.stepper()
    again.run(u[:k])
    assert np.array_equal(s.x, again.x) and s["u"] == 1.0 and np.array_equal(s.step(), again.step())


def test_an_interrupt_ends_a_sweep(cart):
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        cart.sweep(k=np.linspace(10, 100, 2000), until=200.0, native=False, threads=2)


def test_an_exception_in_progress_comes_out(cart):
    class Odd(Exception):
        pass

    def wrong(t):
        raise Odd(t)

    for call in (lambda: cart.run(progress=wrong, **LONG), lambda: cart.stepper().run(10_000, progress=wrong),
                 lambda: cart.sweep(k=[40.0, 50.0], progress=wrong)):
        with pytest.raises(Odd):
            call()


def test_progress_ends_rows_with_what_there_is(cart):
    s = cart.stepper()
    with pytest.raises(dry.RunError) as caught:
        s.run(10_000, progress=lambda t: t < 2)
    rows = caught.value.result
    assert 0 < rows.done < 10_000 and rows.t[rows.done - 1] == s.t and np.isnan(rows.states[rows.done:]).all()


def test_a_function_may_use_the_model_that_runs(cart):
    seen = []
    cart.run(until=20.0, watch=False, native=False, progress=lambda t: seen.append((cart.rhs(t, cart.x0)[1], cart.run(watch=False).end)))
    assert seen and all(end == 2.0 for _, end in seen)


def test_runs_in_threads_have_the_numbers_of_one(puck):
    alone = [puck.run(mu=mu, watch=False)["x"].copy() for mu in (0.2, 0.3, 0.4, 0.5)]
    found, wrong = {}, []

    def work(k, mu):
        try:
            for _ in range(5):
                found[k] = puck.run(mu=mu, watch=False)["x"].copy()
                puck.rhs(0.0, puck.x0)
                puck.jac(0.0, puck.x0)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k, mu)) for k, mu in enumerate((0.2, 0.3, 0.4, 0.5))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and all(np.array_equal(found[k], x) for k, x in enumerate(alone))


def in_child(work):
    """What `work` returns in a process made by fork; None if it hangs or fails."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(30)
            os.write(write, pickle.dumps(work()))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        told = file.read()
    os.waitpid(child, 0)
    return pickle.loads(told) if told else None


def test_a_batch_goes_on_in_a_process_made_by_fork(cart):
    b = dry.Batch(cart, 6, threads=3)
    b.step(np.arange(6.0))
    saved = [s.copy() for s in b.x]

    def work():
        x = b.step(np.arange(6.0))[0]
        del b._handle  # its threads stayed behind: nobody waits for them
        return x

    theirs = in_child(work)
    assert np.array_equal(b.x, saved)
    assert theirs is not None and np.array_equal(theirs, b.step(np.arange(6.0))[0])


def test_runs_in_processes_made_by_fork(puck):
    puck.run(watch=False)
    assert in_child(lambda: puck.run(mu=0.4, watch=False).measures) == puck.run(mu=0.4, watch=False).measures
