"""A compiled model."""

from __future__ import annotations

import ctypes
import html
import os
import threading
from typing import Any, Mapping, Optional

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, ModelError, RunError, UnsupportedError, check, error_of, messages_of, nearest, tell_messages
from ._given import OPTIONS, Given, How, Input, Parameter, make_plan, needs_run, real_array, real_number, sort, yes_or_no
from ._library import Handle, fault, lib, owned_text, path_bytes, text
from ._result import Result
from ._running import Progress, Running
from ._stepper import Stepper
from ._fit import Fit, Free, numbers_of, run_fit
from ._sweep import Sweep, run_sweep

_CODES = {None: c.DRY_BIND_EITHER, True: c.DRY_BIND_NATIVE, False: c.DRY_BIND_BYTECODE}


def code_of(native: Optional[bool]) -> int:
    """What evaluates the model: None, True or False."""
    if native not in _CODES:
        raise TypeError(f"native must be None (native code where it pays), True or False, not {native!r}")
    return _CODES[native]


def _compile(path: str, source: bytes, given: Given, jacobian: bool = False) -> tuple[Handle, Handle, list]:
    """The model, the plan and the messages; ModelError where there are errors."""
    run: Optional[How] = None
    if needs_run(given):  # how it runs does not depend on what its inputs are
        held = Given(given.pars, {k: v for k, v in given.inputs.items() if isinstance(v, (tuple, str))}, given.options,
                     given.method)
        plain = _compile(path, source, held)[0]  # a name, so that it lives while its address is read
        run = How(plain.address)
    plan = make_plan(given, run, jacobian)
    model = Handle(lib.dry_bind_compile(path_bytes(path), source, len(source), plan.address), lib.dry_model_free)
    messages = messages_of(model.address)
    if not lib.dry_model_ok(model.address):
        tell_messages(messages, [])
        raise ModelError(messages)
    return model, plan, messages


def _names(model: int, kind: int) -> list[str]:
    return [text(lib.dry_bind_name(model, kind, i)) for i in range(lib.dry_bind_count(model, kind))]


class Model:
    """A model: what `drystone.load` and `drystone.compile` return. It never changes; parameters, inputs and options
    that you give to a method concern that call alone, and `with_` makes another model of them."""

    def __init__(self, source: bytes, path: str, given: Given) -> None:
        self._bytes = source
        #: the path of the text; files that it names are relative to its folder
        self.path = path
        self._given = given
        # Of what one thread at a time may ask of a model; a function that is called during a run may ask, too.
        self._lock = threading.RLock()
        self._handle, self._plan, self._messages = _compile(path, self._bytes, given)
        remarks: list[str] = []
        while True:
            remark = lib.dry_bind_remark(self.address, len(remarks))
            if not remark:
                break
            remarks.append(text(remark))
        tell_messages(self._messages, remarks)
        self._how = How(self.address)
        self._states = _names(self.address, c.DRY_BIND_STATES)
        self._outputs = _names(self.address, c.DRY_BIND_OUTPUTS)
        self._inputs = _names(self.address, c.DRY_BIND_INPUTS)
        self._pars = _names(self.address, c.DRY_BIND_PARAMETERS)
        self._shown = [lib.dry_bind_is_own(self.address, c.DRY_BIND_OUTPUTS, i) for i in range(len(self._outputs))]
        self._rates: Optional[Handle] = None
        self._derivatives: Optional[tuple[Handle, Handle]] = None
        self._stepper: Optional[Stepper] = None

    @property
    def address(self) -> int:
        """For the package itself: the model of the library."""
        return self._handle.address  # type: ignore[return-value]

    # ---- what it is ----

    @property
    def title(self) -> str:
        """Its title."""
        return text(lib.dry_model_title(self.address))

    @property
    def text(self) -> str:
        """The text that it was compiled from."""
        return self._bytes.decode("utf-8")

    @property
    def messages(self) -> list:
        """Notes and warnings of the compiler; you have got them as warnings of Python, too."""
        return list(self._messages)

    @property
    def states(self) -> list[str]:
        """The names of all states, in the order of `x` in `rhs(t, x)`."""
        return list(self._states)

    @property
    def outputs(self) -> list[str]:
        """The names of forces and other quantities that follow from the states."""
        return [name for name, shown in zip(self._outputs, self._shown) if shown]

    @property
    def inputs(self) -> list[str]:
        """The names of inputs that a program sets, in the order of `u` in `step(u)`."""
        return list(self._inputs)

    @property
    def parameters(self) -> dict[str, float]:
        """The scalar parameters with their values, SI units."""
        return {name: lib.dry_bind_par(self.address, i) for i, name in enumerate(self._pars)
                if lib.dry_bind_is_own(self.address, c.DRY_BIND_PARAMETERS, i)}

    def unit(self, name: str) -> str:
        """The SI unit of a state, output, parameter or measure."""
        for kind in (c.DRY_BIND_STATES, c.DRY_BIND_OUTPUTS, c.DRY_BIND_PARAMETERS, c.DRY_BIND_MEASURES):
            names = _names(self.address, kind)
            if name in names:
                return text(lib.dry_bind_unit(self.address, kind, names.index(name)))
        raise KeyError(f"the model has no `{name}`")

    @property
    def method(self) -> str:
        """The method by which it runs."""
        return self._how.method

    @property
    def step_size(self) -> float:
        """The fixed step, s; 0: an adaptive method begins with a step of its own."""
        return self._how.step

    @property
    def until(self) -> float:
        """The end of the run, s; 0: nothing says when that is."""
        return self._how.until

    def equations(self, derived: bool = True) -> str:
        """The equations as LaTeX (with amsmath): as they are integrated, or (derived=False) with their sets."""
        return owned_text(lib.dry_bind_latex(self.address, derived))

    def _repr_html_(self) -> str:
        """For a notebook: its title, its equations with their sets, and its parameters."""
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{value:.9g} {html.escape(self.unit(name))}</td></tr>"
                       for name, value in self.parameters.items())
        shown = owned_text(lib.dry_bind_mathml(self.address, False))
        return f"<p><b>{html.escape(self.title)}</b></p>{shown}<table>{rows}</table>"

    def __repr__(self) -> str:
        return f"<drystone.Model {self.title!r}: {len(self._states)} states, {self.method}>"

    def __reduce__(self):
        return Model, (self._bytes, self.path, self._given)

    # ---- other parameters ----

    def _sort(self, keywords: Mapping[str, Any], params: Optional[Mapping[str, Any]],
              inputs: Optional[Mapping[str, Any]], method: Optional[str]) -> Given:
        given = sort(keywords, params, inputs, method, self._pars, self._inputs)
        known = list(self.parameters) + list(OPTIONS) + self._inputs
        for name in keywords:
            stem = name.split("[")[0].split(".")[0]
            if name in given.pars and not any(p == name or p.startswith((stem + "[", stem + ".")) for p in self._pars):
                meant = nearest(name, known)
                if name not in self._pars and meant and meant not in self._pars:
                    raise ArgumentError(f"there is neither an option nor a parameter nor an input `{name}`; did you "
                                        f"mean `{meant}`?", key=name)
        return given

    def with_(self, *, method: Optional[str] = None, params: Optional[Mapping[str, Parameter]] = None,
              inputs: Optional[Mapping[str, Input]] = None, **given: Any) -> "Model":
        """Another model of the same text, with other parameters, inputs and options."""
        return Model(self._bytes, self.path, self._sort(given, params, inputs, method).over(self._given))

    def _changed(self, given: Given) -> "Model":
        return Model(self._bytes, self.path, given.over(self._given)) if given else self

    # ---- runs ----

    def run(self, *, method: Optional[str] = None, native: Optional[bool] = None, watch: bool = True,
            params: Optional[Mapping[str, Parameter]] = None, inputs: Optional[Mapping[str, Input]] = None,
            progress: Progress = None, **given: Any) -> Result:
        """Runs the model.

            m.run(F=0.4, step=1e-3, until=5)           parameters and options by name
            m.run(F="0.4 kN", u=lambda t: 3*t)         with a unit; an input as a function of the time
            m.run(u=([0, 1, 2], [0, 3, 3]))            an input as arrays of times and values

        native: machine code (None: where it pays, as the command does). watch: repeat the run to judge how far it can
        be trusted, `result.trust`; False saves that time. params, inputs: the same by dictionaries, for names that are
        no Python names (`motor.R`, `x[2]`) or the name of an option. progress: called with the time now and then;
        False ends the run. An interrupt (Ctrl-C) ends it, too.

        Raises RunError if the run ends early, with `result`: what there is until then.
        """
        code = code_of(native)
        yes_or_no(watch, "watch")
        model = self._changed(self._sort(given, params, inputs, method))
        run = Handle(lib.dry_bind_run_new(model.address, model._plan.address), lib.dry_bind_run_free, model, model._plan)
        with Running(progress) as running, model._lock:
            status = lib.dry_bind_run_start(run.address, code, running.address, None, fault())
            error = error_of(status) if status else None
        result = Result(run, model)
        result._read_remarks()
        if error is not None:
            if isinstance(error, RunError):
                error.result = result
            raise error
        result._finish()
        if watch:
            with Running(None) as running, model._lock:
                status = lib.dry_bind_run_watch(run.address, 0.0, 0.0, running.address, None, fault())
            if status:
                raise error_of(status)
            result._read_trust()
        return result

    def sweep(self, *, method: Optional[str] = None, native: Optional[bool] = None, watch: bool = False,
              threads: int = 0, measures: Optional[list[str]] = None, axes: Optional[Mapping[str, Any]] = None,
              params: Optional[Mapping[str, Parameter]] = None, inputs: Optional[Mapping[str, Input]] = None,
              progress: Progress = None, **given: Any) -> Sweep:
        """Runs the model over a grid of parameters.

            s = m.sweep(F=[0.1, 0.2, 0.3], K="1e3:1e5:20:log")
            s["creep"]           # an array of 3 by 20

        A list, an array, or a text as the command takes it ("100mN:500mN:5", "1,2,4") is an axis; one number is a
        parameter of all points. Each point has the bits of a single run. A point that fails is nan: `s.status`, and a
        warning. threads 0: one for each core.
        """
        return run_sweep(self, given, axes, params, inputs, method, code_of(native), watch, threads, measures, progress)

    def fit(self, free: Optional[Free] = None, *, data: Any = None, hold_last: float = 0.0, hold_from: float = 0.0,
            huber: float = 0.0, starts: int = 1, seed: int = 0, threads: int = 0, most_steps: int = 100,
            tolerance: float = 1e-6, windows: int = 0, window: float = 0.0, method: Optional[str] = None,
            params: Optional[Mapping[str, Parameter]] = None, inputs: Optional[Mapping[str, Input]] = None,
            progress: Progress = None, **given: Any) -> Fit:
        """Fits parameters to measured data: those that the text frees (`free F`), to what it compares
        (`output x against "log.csv" column "x"`).

            f = m.fit()
            f["F"].value, f["F"].interval, f.outputs[0].rms
            better = f.model()

        free: names, or a dictionary of bounds, {"F": (0.1, 10, "log"), "K": None}, in place of those of the text. data:
        one or several files of records in place of that of the text. hold_last: the last part of each record (0 to 1), or
        from hold_from (s) on, is not fitted, but judged by. huber: residuals beyond so many of their scale count in
        proportion. starts: points within the bounds to begin from. windows: first fit each record in so many windows, or in
        windows of `window` (s), for runs that lose their way. progress: called with the number of runs.

        What speaks against the numbers becomes a TrustWarning, and is in `f.warnings`.
        """
        numbers = numbers_of(hold_last, hold_from, huber, starts, seed, threads, most_steps, tolerance,
                             windows, window)
        return run_fit(self, given, free, data, numbers, params, inputs, method, progress)

    # ---- steps ----

    def stepper(self, *, native: bool = False, method: Optional[str] = None,
                params: Optional[Mapping[str, Parameter]] = None, **given: Any) -> Stepper:
        """A stepper at the start of the model: for loops that set inputs and read states."""
        return Stepper(self._changed(self._sort(given, params, None, method)), native)

    def step(self, u: Any = None, **inputs: float) -> np.ndarray:
        """One step of a stepper that the model keeps; see `Stepper.step`. `m.reset()` begins anew."""
        return self._kept().step(u, **inputs)

    def reset(self, t: float = 0.0, x0: Optional[np.ndarray] = None) -> np.ndarray:
        """Begins the steps of `m.step` anew; returns the states."""
        return self._kept().reset(t, x0)

    def _kept(self) -> Stepper:
        if self._stepper is None:
            self._stepper = self.stepper()
        return self._stepper

    # ---- rates, for integrators of others ----

    def _rate_handle(self) -> ctypes.c_void_p:
        if self._rates is None:
            self._rates = _new_rates(self._handle)
            n = len(self._states)
            self._at, self._rate = np.zeros(n), np.zeros(n)
            self._rate_pointers = tuple(ctypes.c_void_p(address) for address in (
                self._rates.address, self._at.ctypes.data, self._rate.ctypes.data))
        return self._rate_pointers[0]

    def _point(self, t: float, x: Any) -> tuple[float, np.ndarray]:
        at = x if type(x) is np.ndarray and x.dtype == np.float64 else real_array(x, "x")
        if at.shape != (len(self._states),):
            raise ArgumentError(f"x must have the shape ({len(self._states)},), one number for each of m.states, not "
                                f"{at.shape}")
        return t if isinstance(t, float) else real_number(t, "t"), at

    @property
    def x0(self) -> np.ndarray:
        """The states at the start, in the order of `states`."""
        x = np.zeros(len(self._states))
        with self._lock:
            lib.dry_bind_rates_start(self._rate_handle(), x.ctypes.data)
        return x

    def rhs(self, t: float, x: Any) -> np.ndarray:
        """The rate of the states at (t, x): the model as an ordinary differential equation for integrators of others.

            sol = scipy.integrate.solve_ivp(m.rhs, (0, 5), m.x0, method="LSODA", jac=m.jac)

        The equation is stiff (docs/python.md says which method and which longest step to take). A model with samples,
        delays or contacts of parts is refused: its states change between steps, too.
        """
        t, x = self._point(t, x)
        with self._lock:
            rates = self._rate_handle()
            self._at[:] = x
            lib.dry_bind_rates_rate(rates, t, self._rate_pointers[1], self._rate_pointers[2])
            return self._rate.copy()

    def jac(self, t: float, x: Any) -> np.ndarray:
        """The derivatives of `rhs` by the states, exact: row i has those of rate i."""
        t, x = self._point(t, x)
        x = np.ascontiguousarray(x)
        jacobian = np.empty((len(x), len(x)))
        with self._lock:
            if self._derivatives is None:
                self._rate_handle()  # which refuses what has no rate, and says why
                model, _, _ = _compile(self.path, self._bytes, self._given, jacobian=True)
                self._derivatives = (_new_rates(model), model)
            check(lib.dry_bind_rates_jacobian(self._derivatives[0].address, t, x.ctypes.data, jacobian.ctypes.data,
                                              fault()))
        return jacobian

    def outputs_at(self, t: float, x: Any) -> dict[str, float]:
        """Forces and other quantities at (t, x)."""
        t, x = self._point(t, x)
        x, y = np.ascontiguousarray(x), np.empty(len(self._outputs) + 1)
        with self._lock:
            lib.dry_bind_rates_output(self._rate_handle(), t, x.ctypes.data, y.ctypes.data)
        return {name: float(y[i]) for i, name in enumerate(self._outputs) if self._shown[i]}

    @property
    def breaks(self) -> np.ndarray:
        """The times at which the rate jumps, sorted: integrate from one to the next."""
        with self._lock:
            rates = self._rate_handle()
            times = np.empty(lib.dry_bind_rates_n_breaks(rates))
            lib.dry_bind_rates_breaks(rates, times.ctypes.data)
        return np.unique(times[np.isfinite(times)])

    @property
    def largest_step(self) -> float:
        """The largest stable step of the model's own method, s; nan or inf: not known."""
        return lib.dry_bind_runs(self.address, c.DRY_BIND_LARGEST_STEP)


def _new_rates(model: Handle) -> Handle:
    made = ctypes.c_void_p()
    check(lib.dry_bind_rates_new(model.address, ctypes.byref(made), fault()))
    return Handle(made.value, lib.dry_bind_rates_free, model)


def compile(source: str, name: str = "text.dry", *, method: Optional[str] = None,
            params: Optional[Mapping[str, Parameter]] = None, inputs: Optional[Mapping[str, Input]] = None,
            **given: Any) -> Model:
    """Compiles a text. `name` stands in messages, and files that the text names are relative to its folder.

    Raises ModelError, with every error of the text. Notes and warnings of the compiler become warnings of Python.
    """
    if not isinstance(source, str):
        raise TypeError(f"a model is a text, not {type(source).__name__}; drystone.load reads a file")
    return Model(source.encode("utf-8"), name, sort(given, params, inputs, method))


def load(path: "os.PathLike[str] | str", *, method: Optional[str] = None,
         params: Optional[Mapping[str, Parameter]] = None, inputs: Optional[Mapping[str, Input]] = None,
         **given: Any) -> Model:
    """Reads and compiles a file."""
    with open(path, "rb") as file:
        source = file.read()
    return Model(source, os.fspath(path), sort(given, params, inputs, method))
