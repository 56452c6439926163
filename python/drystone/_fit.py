"""Parameters from measured data."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, TrustWarning, check, error_of, nearest, warn
from ._given import Given, How, make_plan, real_number, whole_number
from ._library import Handle, fault, lib, owned_text, path_bytes, text, to_bytes
from ._running import Progress, Running

if TYPE_CHECKING:
    from ._model import Model

#: The parameters to fit: their names, or a dictionary of name and bounds: None (those of the text), (low, high),
#: (low, high, "log"), (low, high, "log", "own"), "log", "own".
Free = Union[str, Sequence[str], Mapping[str, Any]]


class Fitted(NamedTuple):
    """A parameter that was fitted."""

    name: str
    unit: str
    value: float
    start: float  #: where the fit began
    deviation: float  #: standard deviation, widened for correlated residuals; nan: unknown
    interval: tuple[float, float]  #: 95 %; infinite: the data do not determine it
    bounds: tuple[float, float]
    at_bound: bool
    no_effect: bool  #: no output depends on it
    record: int  #: the number of the record whose own it is; -1: all have it


class Against(NamedTuple):
    """An output of the model against a column of a record, over the rows that both have."""

    name: str
    unit: str
    file: str
    column: str
    t: np.ndarray
    measured: np.ndarray
    model: np.ndarray
    rms: float  #: of model - measured, over the rows that were fitted
    fraction: float  #: of the rms of what was measured
    held_rms: float  #: the same over the rows that were held out; nan: there are none
    held_fraction: float


class Fit:
    """The result of `Model.fit`: `f["F"].value`, `f.values`, `f.outputs`, `f.model()`."""

    def __init__(self, fit: Handle, model: "Model") -> None:
        self._fit: Optional[Handle] = fit
        self._model = model
        address = fit.address
        fact = lib.dry_bind_fit_fact
        n = lib.dry_bind_fit_parameters(address)
        #: the parameters, in the order in which they were given
        self.parameters: list[Fitted] = [_fitted(address, i) for i in range(n)]
        #: what was measured, record by record
        self.outputs: list[Against] = [_against(fit, i) for i in range(lib.dry_bind_fit_outputs(address))]
        #: correlations of the parameters, n by n; nan at a bound
        self.correlation = np.array([[lib.dry_bind_fit_correlation(address, i, j) for j in range(n)] for i in range(n)])
        #: half the weighted sum of squares; whether the solver ended by its tolerance, and how, in words
        self.cost: float = fact(address, c.DRY_BIND_FIT_COST)
        self.settled = bool(fact(address, c.DRY_BIND_FIT_SETTLED))
        self.ended: str = text(lib.dry_bind_fit_ended(address))
        #: steps of the solver, runs of the model
        self.steps = int(fact(address, c.DRY_BIND_FIT_STEPS))
        self.runs = int(fact(address, c.DRY_BIND_FIT_RUNS))
        #: of the scaled Jacobian: from 1e8 on, the data hardly tell the parameters apart
        self.condition: float = fact(address, c.DRY_BIND_FIT_CONDITION)
        #: what there is against the numbers
        self.warnings: list[str] = []
        while (said := lib.dry_bind_fit_warning(address, len(self.warnings))) is not None:
            self.warnings.append(text(said))

    @property
    def values(self) -> dict[str, float]:
        """The fitted values by name; those that each record has of its own are left out."""
        return {p.name: p.value for p in self.parameters if p.record < 0}

    def __getitem__(self, name: str) -> Fitted:
        """A parameter by its name: the first of those that each record has of its own."""
        for p in self.parameters:
            if p.name == name:
                return p
        names = [p.name for p in self.parameters]
        meant = nearest(str(name), names)
        raise KeyError(f"the fit has no `{name}`" + (f"; did you mean `{meant}`?" if meant else
                                                     f"; it has {', '.join(names)}"))

    @property
    def text(self) -> str:
        """The text of the model with the fitted values in place of those that it has, with 9 digits."""
        if self._fit is None:
            raise ArgumentError("a fit that was pickled has no text: take its values")
        written = ctypes.c_void_p()
        check(lib.dry_bind_fit_text(self._fit.address, ctypes.byref(written), fault()))
        return owned_text(written.value)

    def model(self) -> "Model":
        """The model with the fitted values, as they are in `text`."""
        return type(self._model)(self.text.encode("utf-8"), self._model.path, self._model._given)

    def __getstate__(self) -> dict:
        state = dict(self.__dict__)
        state["_fit"] = None
        state["outputs"] = [o._replace(t=o.t.copy(), measured=o.measured.copy(), model=o.model.copy())
                            for o in self.outputs]
        return state

    def __repr__(self) -> str:
        shown = ", ".join(f"{p.name} = {p.value:.6g}{' ' + p.unit if p.unit else ''} ({_plus_minus(p)})"
                          for p in self.parameters)
        return f"<drystone.Fit of {self._model.title!r}: {shown}>"


def _plus_minus(p: Fitted) -> str:
    low, high = p.interval
    return f"{low:.6g} to {high:.6g}" if math.isfinite(low) and math.isfinite(high) else "not determined"


def _fitted(fit: int, i: int) -> Fitted:
    def number(of: int) -> float:
        return lib.dry_bind_fit_number(fit, i, of)

    return Fitted(text(lib.dry_bind_fit_name(fit, i)), text(lib.dry_bind_fit_unit(fit, i)), number(c.DRY_BIND_FIT_VALUE),
                  number(c.DRY_BIND_FIT_START), number(c.DRY_BIND_FIT_DEVIATION),
                  (number(c.DRY_BIND_FIT_FROM), number(c.DRY_BIND_FIT_TO)),
                  (number(c.DRY_BIND_FIT_LOW), number(c.DRY_BIND_FIT_HIGH)), bool(number(c.DRY_BIND_FIT_AT_BOUND)),
                  bool(number(c.DRY_BIND_FIT_NO_EFFECT)), int(number(c.DRY_BIND_FIT_RECORD)))


def _view(fit: Handle, i: int, rows: int, of: int) -> np.ndarray:
    if rows == 0:
        return np.empty(0)
    buffer = (ctypes.c_double * rows).from_address(lib.dry_bind_fit_values(fit.address, i, of))
    buffer.owner = fit  # type: ignore[attr-defined]
    view = np.frombuffer(buffer, dtype=np.float64)  # type: ignore[call-overload]
    view.flags.writeable = False
    return view


def _against(fit: Handle, i: int) -> Against:
    address, rows = fit.address, lib.dry_bind_fit_rows(fit.address, i)

    def word(of: int) -> str:
        return text(lib.dry_bind_fit_output_text(address, i, of))

    def size(of: int) -> float:
        return lib.dry_bind_fit_output_number(address, i, of)

    held = size(c.DRY_BIND_FIT_HELD_ROWS) > 0
    return Against(word(c.DRY_BIND_FIT_NAME), word(c.DRY_BIND_FIT_UNIT), word(c.DRY_BIND_FIT_FILE),
                   word(c.DRY_BIND_FIT_COLUMN), _view(fit, i, rows, c.DRY_BIND_FIT_T),
                   _view(fit, i, rows, c.DRY_BIND_FIT_MEASURED), _view(fit, i, rows, c.DRY_BIND_FIT_MODEL),
                   size(c.DRY_BIND_FIT_RMS), size(c.DRY_BIND_FIT_FRACTION),
                   size(c.DRY_BIND_FIT_HELD_RMS) if held else math.nan,
                   size(c.DRY_BIND_FIT_HELD_FRACTION) if held else math.nan)


def _vary(fit: int, name: str, how: Any) -> None:
    what = f"what the fit may do to `{name}`"
    given = () if how is None else (how,) if isinstance(how, str) else tuple(how)
    words = [word for word in given if isinstance(word, str)]
    bounds = [real_number(bound, what) for bound in given if not isinstance(bound, str)]
    if len(bounds) not in (0, 2) or any(word not in ("log", "own") for word in words):
        raise ArgumentError(f"{what} must be None, (low, high), (low, high, 'log'), 'log' or 'own', not {how!r}", key=name)
    if len(bounds) == 2 and not bounds[0] < bounds[1]:
        raise ArgumentError(f"the bounds of `{name}` must rise, and not be {bounds}", key=name)
    low, high = bounds or (0.0, 0.0)
    check(lib.dry_bind_fit_vary(fit, to_bytes(name, "the name of a parameter"), low, high, "log" in words, "own" in words,
                                fault()))


def run_fit(model: "Model", keywords: Mapping[str, Any], free: Optional[Free], data: Any, numbers: Mapping[int, float],
            params: Optional[Mapping[str, Any]], inputs: Optional[Mapping[str, Any]], method: Optional[str],
            progress: Progress) -> Fit:
    """`Model.fit`."""
    given: Given = model._sort(dict(keywords), params, inputs, method).over(model._given)
    told = model._changed(given) if given else model  # its notes and warnings are told
    plan = make_plan(given, How(told.address))
    fit = Handle(lib.dry_bind_fit_new(), lib.dry_bind_fit_free, model, plan)
    names = {free: None} if isinstance(free, str) else free if isinstance(free, Mapping) else dict.fromkeys(free or ())
    for name, how in names.items():
        _vary(fit.address, name, how)
    files = [] if data is None else [data] if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__") else list(data)
    for file in files:
        check(lib.dry_bind_fit_data(fit.address, path_bytes(file), fault()))
    for option, value in numbers.items():
        lib.dry_bind_fit_set(fit.address, option, value)
    with Running(progress) as running, model._lock:
        status = lib.dry_bind_fit_run(fit.address, model.address, plan.address, running.address, None, fault())
        error = error_of(status) if status else None
    if error is not None:
        raise error
    result = Fit(fit, model)
    for said in result.warnings:
        warn(f"{model.path}: {said}", TrustWarning)
    return result


def numbers_of(hold_last: float, hold_from: float, huber: float, starts: int, seed: int, threads: int, most_steps: int,
               tolerance: float, windows: int, window: float) -> dict[int, float]:
    """The options of a fit, each checked."""
    last = real_number(hold_last, "hold_last (a part of each record, 0 to 1)")
    if not 0.0 <= last < 1.0:
        raise ArgumentError(f"hold_last must be a part of each record, 0 to 1, not {last}", key="hold_last")
    positive = {"hold_from": hold_from, "huber": huber, "tolerance": tolerance, "window": window}
    for name, value in positive.items():
        if not (real_number(value, name) >= 0.0 and math.isfinite(real_number(value, name))):
            raise ArgumentError(f"{name} must be a number that is not negative, not {value!r}", key=name)
    return {c.DRY_BIND_FIT_HOLD_LAST: last, c.DRY_BIND_FIT_HOLD_FROM: float(hold_from),
            c.DRY_BIND_FIT_HUBER: float(huber), c.DRY_BIND_FIT_TOLERANCE: float(tolerance),
            c.DRY_BIND_FIT_WINDOW: float(window),
            c.DRY_BIND_FIT_WINDOWS: whole_number(windows, "windows (0: none)", 0, 1_000_000),
            c.DRY_BIND_FIT_STARTS: whole_number(starts, "starts", 1, 100_000),
            c.DRY_BIND_FIT_SEED: whole_number(seed, "seed", 0, 2**31 - 1),
            c.DRY_BIND_FIT_THREADS: whole_number(threads, "threads (0: one for each core)", 0, 1024),
            c.DRY_BIND_FIT_MOST_STEPS: whole_number(most_steps, "most_steps", 1, 1_000_000)}
