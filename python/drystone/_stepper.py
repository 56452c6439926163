"""Steps of a model from outside: control loops, environments, games."""

from __future__ import annotations

import ctypes
import math
import threading
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, RunError, check, error_of, fail, nearest
from ._given import is_number, real_array, real_number, yes_or_no
from ._library import Handle, fault, lib, text, to_bytes
from ._running import Progress, Running

if TYPE_CHECKING:
    from ._model import Model


def _phases() -> list[str]:
    words: list[str] = []
    while True:
        word = lib.dry_bind_phase(len(words))
        if not word:
            return words
        words.append(text(word))


_PHASES = _phases()
_ONE_STEP = ctypes.c_double(-math.inf)  # a time that is not later than the present one


class _Alone:
    """A stepper belongs to one thread at a time: a second one is refused, not mixed in."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(False):
            raise RuntimeError("a stepper belongs to one thread at a time, and another one is using it: make one "
                               "stepper for each thread")

    def __exit__(self, *unused: object) -> None:
        self._lock.release()


def native_of(model: "Model", native: bool) -> Optional[Handle]:
    """Machine code of a model; None: bytecode."""
    if not yes_or_no(native, "native"):
        return None
    code = lib.dry_bind_native(model.address, fault())
    if not code:
        fail(lib.dry_bind_error_status(fault()))
    return Handle(code, lib.dry_native_free, model._handle)


class Rows:
    """What `Stepper.run` gives: one row for each row of inputs. `rows["p"]` is a column, a view."""

    def __init__(self, model: "Model", n: int) -> None:
        self._model = model
        self._states = np.full((n, len(model._states)), np.nan)
        self._outputs = np.full((n, len(model._outputs)), np.nan)
        self._t = np.full(n, np.nan)
        #: how many rows are whole: fewer than n if the model ended the run; the others are nan
        self.done = 0

    @property
    def states(self) -> np.ndarray:
        """The states at the end of each row, n by len(m.states)."""
        return self._states

    @property
    def t(self) -> np.ndarray:
        """The times at the end of each row, s."""
        return self._t

    def _end(self, done: int, begin: float, interval: float) -> None:
        self.done = done
        np.multiply(np.arange(1, len(self._t) + 1), interval, out=self._t)
        self._t += begin
        for array in (self._states, self._outputs, self._t):
            array[done:] = np.nan

    def __len__(self) -> int:
        return len(self._t)

    def __getitem__(self, name: str) -> np.ndarray:
        """The column of a state or an output."""
        if name == "t":
            return self.t
        if name in self._model._states:
            return self._states[:, self._model._states.index(name)]
        if name in self._model._outputs:
            return self._outputs[:, self._model._outputs.index(name)]
        raise KeyError(_no_name(self._model, name))


def _no_name(model: "Model", name: str) -> str:
    names = model._states + model.outputs + model._inputs + model._pars
    meant = nearest(str(name), names)
    return f"the model has no `{name}`" + (f"; did you mean `{meant}`?" if meant else "")


class Stepper:
    """Steps a model: sets inputs and parameters, steps, reads. A value that you set takes effect at the next step.

        s = m.stepper(step=1e-3)
        while s.t < 2:
            x = s.step(u=-3*s["v"])

    A stepper belongs to one thread at a time; another one gets a RuntimeError. It cannot be pickled: `save` gives
    bytes.
    """

    def __init__(self, model: "Model", native: bool = False) -> None:
        self._model = model
        self._native = native_of(model, native)
        made = ctypes.c_void_p()
        check(lib.dry_bind_stepper_new(model.address, self._native.address if self._native else None,
                                       ctypes.byref(made), fault()))
        self._handle = Handle(made.value, lib.dry_stepper_free, self._native, model._handle)
        self._alone = _Alone()
        self._u = np.zeros(len(model._inputs))
        self._x = np.zeros(len(model._states))
        self._y = np.zeros(len(model._outputs))
        self._u_at, self._x_at, self._y_at = (array.ctypes.data for array in (self._u, self._x, self._y))
        self._at, self._u_pointer, self._x_pointer = (
            ctypes.c_void_p(address) for address in (self._handle.address, self._u_at, self._x_at))
        self._one_input = len(self._u) == 1
        self._stop = ""
        self._read()

    # ---- arrays of the library ----

    def _read(self) -> None:
        n = len(self._x)
        if n:
            ctypes.memmove(self._x_at, lib.dry_stepper_states(self._handle.address), 8 * n)
        if len(self._u):
            ctypes.memmove(self._u_at, lib.dry_stepper_inputs(self._handle.address), 8 * len(self._u))

    def _take(self, u: Any, inputs: dict[str, float]) -> None:
        """The inputs of the next step; those that are not named stay."""
        n = len(self._u)
        if u is not None:
            if isinstance(u, dict):
                twice = [name for name in u if name in inputs]
                if twice:
                    raise ArgumentError(f"the input `{twice[0]}` is given twice", key=twice[0])
                inputs = {**u, **inputs}
            elif n > 1 and is_number(u) and "u" in self._model._inputs:  # one of several is called so
                inputs = {"u": u, **inputs}
            elif n == 1 and is_number(u):
                self._u[0] = u
            else:
                values = real_array(u, "u")
                if values.shape != (n,):
                    raise ArgumentError(f"u must have the shape ({n},), one number for each input "
                                        f"({', '.join(self._model._inputs) or 'the model has none'}), not "
                                        f"{values.shape}")
                self._u[:] = values
        for name, value in inputs.items():
            self._u[self._input(name)] = real_number(value, f"the input `{name}`")

    def _input(self, name: str) -> int:
        try:
            return self._model._inputs.index(name)
        except ValueError:
            pass
        meant = nearest(str(name), self._model._inputs)
        raise ArgumentError(f"the model has no input `{name}` that a program sets" +
                            (f"; did you mean `{meant}`?" if meant else ": declare it, input "
                             f"{name} = 0 [N]"), key=str(name))

    def _step(self, u: Any, inputs: dict[str, float], t: "float | ctypes.c_double") -> np.ndarray:
        with self._alone:
            if u is not None or inputs:
                before = self._u.copy()
                try:
                    self._take(u, inputs)
                except BaseException:
                    self._u[:] = before
                    raise
            status = lib.dry_bind_step(self._handle.address, self._u_at, t, self._x_at, None, fault())
            if status or self._stop:
                self._end(status)
            return self._x.copy()

    def _end(self, status: int) -> None:
        """What is left to do after a step that did not just go on."""
        self._stop = ""
        if status == c.DRY_STOPPED:
            self._stop = text(lib.dry_bind_stepper_stop(self._handle.address, self._model.address))
        elif status:
            self._read()
            fail(status)

    # ---- steps ----

    def step(self, u: Any = None, **inputs: float) -> np.ndarray:
        """One step, with new inputs: all of them as a list or array, one number if there is one input, or some by
        their names; the others stay. Returns the states, a copy. An adaptive method takes one step of its own.

        If the model ends its run (`stop when`), `stopped` says why; you may go on."""
        if inputs or not (u is None or (type(u) is float and self._one_input)):
            return self._step(u, inputs, _ONE_STEP)
        with self._alone:  # the same for one number, in half of the time
            if u is not None:
                self._u[0] = u
            status = lib.dry_bind_step(self._at, self._u_pointer, _ONE_STEP, self._x_pointer, None, fault())
            if status or self._stop:
                self._end(status)
            return self._x.copy()

    def advance(self, t: float, u: Any = None, **inputs: float) -> np.ndarray:
        """Steps to the time t exactly, with new inputs, which are held until then. Returns the states, a copy."""
        t = real_number(t, "t")
        if not t > self.t:
            raise ArgumentError(f"a stepper at t = {self.t!r} s cannot step to {t!r} s: give a later time, or restore "
                                "a saved one")
        return self._step(u, inputs, t)

    def run(self, u: Any, interval: Optional[float] = None, out: Optional[Rows] = None,
            progress: Progress = None) -> Rows:
        """Many rows in one call: row k of `u` (rows by inputs; one column may be a plain array; an int is a number
        of rows with the inputs as they are) is held over `interval` (default: the step). Gives the bits of a loop of
        `advance`.

        out: the Rows of an earlier call of the same length, which are written anew: then nothing is allocated. If
        the rows end early, `RunError.result` has those that are whole."""
        with self._alone:
            rows, inputs = self._rows_of(u)
            length = self._model.step_size if interval is None else real_number(interval, "the interval")
            if not length > 0.0:
                raise ArgumentError("the interval of the rows must be positive: give interval=, in seconds")
            if out is None:
                out = Rows(self._model, rows)
            elif len(out) != rows or out._model is not self._model:
                raise ArgumentError(f"out must be the Rows of this model for {rows} rows, not of {len(out)}")
            done, begin, status = ctypes.c_size_t(0), self.t, 0
            try:
                with Running(progress) as running:
                    status = lib.dry_bind_rows(
                        self._handle.address, rows, length, None if inputs is None else inputs.ctypes.data,
                        out._outputs.ctypes.data, out._states.ctypes.data, ctypes.byref(done), running.address, None,
                        fault())
            finally:  # an interrupt comes out of the block above
                out._end(done.value, begin, length)
                self._read()
                self._stop = ""
            if status == c.DRY_STOPPED:
                self._stop = text(lib.dry_bind_stepper_stop(self._handle.address, self._model.address))
            elif status:
                error = error_of(status)
                if isinstance(error, RunError):
                    error.result = out
                raise error
            return out

    def _rows_of(self, u: Any) -> tuple[int, Optional[np.ndarray]]:
        n = len(self._u)
        if isinstance(u, (int, np.integer)) and not isinstance(u, bool):
            if u < 0:
                raise ArgumentError(f"there cannot be {u} rows")
            return int(u), None
        inputs = real_array(u, "u")
        if inputs.ndim == 1 and n == 1:
            inputs = inputs.reshape(-1, 1)
        if inputs.ndim != 2 or inputs.shape[1] != n:
            raise ArgumentError(f"u must have the shape (rows, {n}), a column for each input "
                                f"({', '.join(self._model._inputs) or 'the model has none'}), not {inputs.shape}")
        return len(inputs), inputs

    # ---- read ----

    @property
    def t(self) -> float:
        """The present time, s."""
        return lib.dry_stepper_time(self._handle.address)

    @property
    def x(self) -> np.ndarray:
        """The states, in the order of `m.states`; a copy."""
        return self._x.copy()

    @property
    def outputs(self) -> dict[str, float]:
        """Forces and other quantities at the present time."""
        with self._alone:
            check(lib.dry_stepper_outputs(self._handle.address, self._y_at, fault()))
            return {name: float(value) for name, value, shown in
                    zip(self._model._outputs, self._y, self._model._shown) if shown}

    @property
    def phases(self) -> dict[str, str]:
        """What each element does: "sticks", "slips", "open", "closed", or several of them, with commas."""
        names = [text(lib.dry_bind_name(self._model.address, c.DRY_BIND_ELEMENTS, i))
                 for i in range(lib.dry_bind_count(self._model.address, c.DRY_BIND_ELEMENTS))]
        bits = (ctypes.c_ubyte * max(1, len(names)))()
        with self._alone:
            check(lib.dry_stepper_phases(self._handle.address, ctypes.addressof(bits), fault()))
        return {name: ", ".join(word for k, word in enumerate(_PHASES) if bits[i] >> k & 1) for i, name in enumerate(names)}

    @property
    def stopped(self) -> str:
        """Why the model ended its run at the last step; "": it did not."""
        return self._stop

    def get(self, name: str) -> float:
        """A state, an output, an input or a parameter by its name."""
        model = self._model
        if name in model._inputs:  # as it was set, in effect or not
            return float(self._u[model._inputs.index(name)])
        if name in model._states:
            return float(self._x[model._states.index(name)])
        if name in model._outputs:
            with self._alone:
                check(lib.dry_stepper_outputs(self._handle.address, self._y_at, fault()))
            return float(self._y[model._outputs.index(name)])
        if name in model._pars:
            with self._alone:
                return lib.dry_bind_stepper_par_now(self._handle.address, model.address, to_bytes(name, "a name"))
        raise KeyError(_no_name(model, name))

    def __getitem__(self, name: str) -> float:
        """A state, an output, an input or a parameter by its name: the same as `get`."""
        return self.get(name)

    # ---- set ----

    def set(self, values: Optional[dict[str, float]] = None, **named: float) -> None:
        """Sets inputs and free parameters by their names; those that follow from a parameter follow. A parameter by
        which the compiler has decided something is refused: `m.with_(...)` compiles anew."""
        with self._alone:
            for name, value in {**(values or {}), **named}.items():
                number = real_number(value, f"`{name}`")
                if name in self._model._inputs:
                    index = self._input(name)
                    check(lib.dry_stepper_set_input(self._handle.address, index, number, fault()))
                    self._u[index] = number
                elif name not in self._model._pars:
                    raise ArgumentError(_no_name(self._model, name), key=name)
                else:
                    with self._model._lock:
                        check(lib.dry_bind_stepper_par(self._handle.address, self._model.address,
                                                       to_bytes(name, "a name"), number, fault()))

    def reset(self, t: float = 0.0, x0: Any = None) -> np.ndarray:
        """Begins anew at time t, from the states x0 or from the start of the model, with the parameters that are set.
        Inputs become those of that state. Returns the states, a copy."""
        with self._alone:
            start: Optional[np.ndarray] = None
            if x0 is not None:
                start = real_array(x0, "x0")
                if start.shape != self._x.shape:
                    raise ArgumentError(f"x0 must have the shape {self._x.shape}, not {start.shape}")
            check(lib.dry_stepper_reset(self._handle.address, real_number(t, "t"),
                                        None if start is None else start.ctypes.data, fault()))
            self._stop = ""
            self._read()
            return self._x.copy()

    # ---- save and restore ----

    def save(self) -> bytes:
        """All that the future depends on. A stepper that is restored goes on with the same bits."""
        with self._alone:
            size = lib.dry_stepper_save_size(self._handle.address)
            saved = ctypes.create_string_buffer(max(size, 1))
            check(lib.dry_stepper_save(self._handle.address, ctypes.addressof(saved), size, fault()))
            return saved.raw[:size]

    def restore(self, saved: bytes) -> None:
        """Goes back to what `save` gave. Bytes of an explicit method also restore another stepper of the same model
        and options; those of implicit and rigid methods the same stepper alone."""
        if not isinstance(saved, bytes):
            raise TypeError(f"restore takes the bytes that save gave, not {type(saved).__name__}")
        with self._alone:
            check(lib.dry_stepper_restore(self._handle.address, saved, len(saved), fault()))
            self._stop = ""
            self._read()

    def __reduce__(self):
        raise TypeError("a stepper cannot be pickled, because it holds memory of the library: pickle its model and "
                        "the bytes of save()")

    def __repr__(self) -> str:
        return f"<drystone.Stepper of {self._model.title!r} at t = {self.t:g} s>"
