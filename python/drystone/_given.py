"""What a caller gives beside the text of a model: parameters, inputs, options, the method.

Keywords are sorted by their names and values: an option (`step`, `until`, ...), an input (a function of the time, or
arrays of times and values), else a parameter.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, check
from ._library import Handle, fault, lib, text, to_bytes

#: A parameter: a number in SI units, a text with its unit such as "0.4 kN" or "[1, 2] [mm]", or a list for a vector.
Parameter = Union[float, str, Sequence[float], np.ndarray]
#: An input: (times, values), (times, values, unit), a function of the time in seconds, a constant in SI units, or
#: "FILE:COLUMN".
Input = Union[float, str, Callable[[float], float], tuple]


def _options() -> list[str]:
    names: list[str] = []
    while True:
        name = lib.dry_bind_option(len(names))
        if not name:
            return names
        names.append(text(name))


OPTIONS = frozenset(_options()) - {"jacobian"}


def is_number(value: object) -> bool:
    """Whether it is one real number; an array of one number is not."""
    return isinstance(value, (numbers.Real, np.integer, np.floating)) and not isinstance(value, bool)


def _is_input(value: object) -> bool:
    return callable(value) or isinstance(value, tuple)


def real_array(value: object, what: str) -> np.ndarray:
    """An array of doubles in a row in memory; what is no real number is refused, not rounded off."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ArgumentError(f"{what} has values that are masked: leave them out, or fill them (array.filled)")
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what} must be an array of real numbers, not of {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


class Given:
    """Parameters, inputs and options by their names. It is not changed once it is made."""

    __slots__ = ("pars", "inputs", "options", "method")

    def __init__(self, pars: Mapping[str, Any] = {}, inputs: Mapping[str, Any] = {}, options: Mapping[str, Any] = {},
                 method: Optional[str] = None) -> None:
        self.pars, self.inputs, self.options, self.method = dict(pars), dict(inputs), dict(options), method

    def __bool__(self) -> bool:
        return bool(self.pars or self.inputs or self.options or self.method)

    def over(self, below: "Given") -> "Given":
        """This, and what `below` has besides."""
        return Given({**below.pars, **self.pars}, {**below.inputs, **self.inputs}, {**below.options, **self.options},
                     self.method or below.method)


def sort(keywords: Mapping[str, Any], params: Optional[Mapping[str, Any]], inputs: Optional[Mapping[str, Any]],
         method: Optional[str], known_pars: Sequence[str] = (), known_inputs: Sequence[str] = ()) -> Given:
    """Keywords and the explicit dictionaries, as what they are."""
    for what, values in (("params", params), ("inputs", inputs)):
        if values is not None and not isinstance(values, Mapping):
            raise TypeError(f"{what} must be a dictionary of names and values, not {values!r}")
    given = Given(params or {}, inputs or {}, {}, method)
    for name, value in keywords.items():
        if name in OPTIONS:
            if name in known_pars or name in known_inputs:
                raise ArgumentError(f"`{name}` is an option of the run and a name of the model: write "
                                    f"params={{'{name}': ...}} or inputs={{'{name}': ...}} for the model's", key=name)
            if value is not None:
                given.options[name] = value
            continue
        is_par = any(p == name or p.startswith((name + "[", name + ".")) for p in known_pars)
        to = given.inputs if name in known_inputs or (_is_input(value) and not is_par) else given.pars
        if name in to:
            raise ArgumentError(f"`{name}` is given twice: once as a keyword, once in a dictionary", key=name)
        to[name] = value
    return given


# ---- the plan of the library ----------------------------------------------------------------


def _par(plan: int, name: str, value: Any) -> None:
    key = to_bytes(name, "the name of a parameter")
    what = f"the parameter `{name}`"
    if isinstance(value, str):
        check(lib.dry_bind_plan_par(plan, key, to_bytes(value, what), 0.0, fault()))
    elif is_number(value) or (isinstance(value, np.ndarray) and value.ndim == 0):
        check(lib.dry_bind_plan_par(plan, key, None, float(real_array(value, what)), fault()))
    elif isinstance(value, (list, tuple, np.ndarray)):
        array = real_array(value, what)
        if array.ndim != 1 or not np.all(np.isfinite(array)):
            raise ArgumentError(f"{what} must be a list of finite numbers, not {value!r}", key=name)
        shown = "[" + ", ".join(repr(float(x)) for x in array) + "]"
        check(lib.dry_bind_plan_par(plan, key, shown.encode(), 0.0, fault()))
    else:
        raise TypeError(f"{what} must be a number, a text such as '0.4 kN' or a list, not {type(value).__name__}")


def _arrays(plan: int, name: str, value: tuple) -> None:
    key, what = to_bytes(name, "the name of an input"), f"the input `{name}`"
    if len(value) not in (2, 3):
        raise ArgumentError(f"{what} must be (times, values) or (times, values, unit), not a tuple of {len(value)}",
                            key=name)
    t, y = real_array(value[0], f"the times of {what}"), real_array(value[1], what)
    if t.ndim != 1 or t.shape != y.shape:
        raise ArgumentError(f"{what} needs as many times as values, in arrays of one dimension: they have the shapes "
                            f"{t.shape} and {y.shape}", key=name)
    unit = to_bytes(value[2], f"the unit of {what}") if len(value) == 3 else b""
    check(lib.dry_bind_plan_input(plan, key, unit, len(t), t.ctypes.data, y.ctypes.data, fault()))


def _input(plan: int, name: str, value: Any, run: Optional["How"]) -> None:
    what = f"the input `{name}`"
    if isinstance(value, tuple):
        return _arrays(plan, name, value)
    if isinstance(value, str):
        file, colon, column = value.rpartition(":")
        if not colon:
            raise ArgumentError(f"{what} must be 'FILE:COLUMN', not {value!r}", key=name)
        return check(lib.dry_bind_plan_file(plan, to_bytes(name, "the name of an input"), to_bytes(file, what),
                                            to_bytes(column, what), fault()))
    if not callable(value) and not is_number(value):
        raise TypeError(f"{what} must be a tuple of times and values, a function of the time, a number or a text "
                        f"'FILE:COLUMN', not {type(value).__name__}")
    if run is None or not run.until > 0.0:
        raise ArgumentError(f"{what} is needed until the end of the run, and nothing says when that is: give until=",
                            key=name)
    if callable(value):
        t = run.samples()
        y = np.array([real_number(value(float(at)), f"{what}, at t = {at:g} s,") for at in t])
        return _arrays(plan, name, (t, y))
    return _arrays(plan, name, (np.array([0.0, run.until]), np.full(2, float(value))))


def whole_number(value: Any, what: str, least: int, most: int) -> int:
    """One whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if not least <= value <= most:
        raise ArgumentError(f"{what} must be between {least} and {most}, not {value}")
    return int(value)


def yes_or_no(value: Any, what: str) -> bool:
    """True or False; a number is taken for a mistake."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what} must be True or False, not {value!r}")
    return bool(value)


def real_number(value: Any, what: str) -> float:
    """One real number."""
    array = real_array(value, what)
    if array.size != 1:
        raise ArgumentError(f"{what} must be one number, not {array.size}")
    return float(array.reshape(()))


class How:
    """How a model runs, with the defaults filled in."""

    __slots__ = ("until", "step", "record", "adaptive", "method")

    def __init__(self, model: int) -> None:
        self.until = lib.dry_bind_runs(model, c.DRY_BIND_UNTIL)
        self.step = lib.dry_bind_runs(model, c.DRY_BIND_STEP)
        self.record = lib.dry_bind_runs(model, c.DRY_BIND_RECORD)
        self.adaptive = bool(lib.dry_bind_runs(model, c.DRY_BIND_ADAPTIVE))
        self.method = text(lib.dry_bind_runs_by(model))

    def samples(self) -> np.ndarray:
        """Times at which functions become arrays: each half of a fixed step, so that every stage of rk4 reads the
        value itself; a ten-thousandth of the run for an adaptive method."""
        most = 5_000_000
        apart = self.until / 10_000 if self.adaptive or not self.step > 0.0 else 0.5 * self.step
        n = math.ceil(self.until / apart - 1e-9)
        if n > most:
            raise ArgumentError(f"a function as an input would become {n} numbers, more than {most}: give arrays, "
                                "(times, values)")
        return np.arange(max(n, 1) + 1) * apart


def make_plan(given: Given, run: Optional[How] = None, jacobian: bool = False) -> Handle:
    """A plan of the library. `run`: how the model runs, for inputs that need to know."""
    plan = Handle(lib.dry_bind_plan_new(), lib.dry_bind_plan_free)
    for name, value in given.pars.items():
        _par(plan.address, name, value)
    for name, value in given.options.items():
        if lib.dry_bind_option_is_yes(name.encode()):
            value = yes_or_no(value, f"the option `{name}`")
        elif not is_number(value):
            raise TypeError(f"the option `{name}` must be a number, of seconds where it is a time, not {value!r}")
        check(lib.dry_bind_plan_option(plan.address, name.encode(), float(value), fault()))
    if given.method is not None:
        check(lib.dry_bind_plan_method(plan.address, to_bytes(given.method, "the method"), fault()))
    if jacobian:
        check(lib.dry_bind_plan_option(plan.address, b"jacobian", 1.0, fault()))
    for name, value in given.inputs.items():
        _input(plan.address, name, value, run)
    return plan


def needs_run(given: Given) -> bool:
    """Whether an input can only be made when it is known how the model runs."""
    return any(callable(value) or is_number(value) for value in given.inputs.values())
