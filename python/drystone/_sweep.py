"""Many runs of one model over a grid of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, TrustWarning, check, nearest, warn
from ._given import OPTIONS, Given, How, make_plan, real_array, whole_number, yes_or_no
from ._library import Handle, fault, lib, text, to_bytes
from ._record import column
from ._running import Progress, Running

if TYPE_CHECKING:
    from ._model import Model


class Sweep:
    """The result of `Model.sweep`: `s["creep"]` is an array with one dimension for each axis."""

    def __init__(self, sweep: Handle) -> None:
        address = sweep.address
        record = lib.dry_bind_sweep_record(address)
        rows = lib.dry_record_rows(record)
        n_axes = lib.dry_bind_sweep_axes(address)
        names = [text(lib.dry_bind_column_name(record, i)) for i in range(lib.dry_record_columns(record))]
        #: how many points each axis has
        self.shape: tuple[int, ...] = tuple(lib.dry_bind_sweep_length(address, i) for i in range(n_axes))
        self._columns = {name: column(record, i, rows, sweep).reshape(self.shape) for i, name in enumerate(names)}
        #: the SI units of axes and measures
        self.units = {name: text(lib.dry_bind_column_unit(record, i)) for i, name in enumerate(names)}
        #: the values of each axis, by name
        self.axes: dict[str, np.ndarray] = {}
        for i, name in enumerate(names[:n_axes]):
            self.axes[name] = np.moveaxis(self._columns[name], i, 0).reshape(self.shape[i], -1)[:, 0].copy()
        #: the names of the measures
        self.measures = [name for name in names[n_axes:] if name not in ("watch", "status")]
        #: of each point: 0, or why it failed (a dry_status; its measures are nan)
        self.status = self._columns["status"].astype(int)
        #: how many points failed, and how many of the others are not trusted (with watch)
        self.failed = int(lib.dry_bind_sweep_failed(address))
        self.untrusted = int(lib.dry_bind_sweep_untrusted(address))
        #: whether machine code ran them
        self.native = bool(lib.dry_bind_sweep_native(address))

    def __getitem__(self, name: str) -> np.ndarray:
        """A measure, or an axis, over the grid: a view that cannot be written to."""
        try:
            return self._columns[name]
        except KeyError:
            pass
        meant = nearest(str(name), list(self._columns))
        raise KeyError(f"the sweep has no `{name}`" + (f"; did you mean `{meant}`?" if meant else
                                                       f"; it has {', '.join(self._columns)}"))

    def __getstate__(self) -> dict:
        state = dict(self.__dict__)
        state["_columns"] = {name: np.array(values) for name, values in self._columns.items()}
        return state

    def __repr__(self) -> str:
        over = " x ".join(f"{name} ({n})" for name, n in zip(self.axes, self.shape))
        return f"<drystone.Sweep over {over}: {', '.join(self.measures)}; {self.failed} failed>"


def _is_axis(value: Any) -> bool:
    if isinstance(value, str):
        return ":" in value or "," in value
    return isinstance(value, (list, range)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _add_axis(sweep: int, name: str, value: Any) -> None:
    key = to_bytes(name, "the name of an axis")
    if isinstance(value, str):
        return check(lib.dry_bind_sweep_axis(sweep, key + b"=" + to_bytes(value, f"the axis `{name}`"), fault()))
    values = real_array(value, f"the axis `{name}`")
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
        raise ArgumentError(f"the axis `{name}` must be a list of finite numbers", key=name)
    check(lib.dry_bind_sweep_values(sweep, key, len(values), values.ctypes.data, fault()))


def run_sweep(model: "Model", keywords: Mapping[str, Any], axes: Optional[Mapping[str, Any]],
              params: Optional[Mapping[str, Any]], inputs: Optional[Mapping[str, Any]], method: Optional[str], code: int,
              watch: bool, threads: int, measures: Optional[list[str]], progress: Progress) -> Sweep:
    """`Model.sweep`."""
    over = dict(axes or {})
    rest: dict[str, Any] = {}
    for name, value in keywords.items():
        to = over if _is_axis(value) and name not in OPTIONS else rest
        if to is over and name in over:
            raise ArgumentError(f"the axis `{name}` is given twice", key=name)
        to[name] = value
    given: Given = model._sort(rest, params, inputs, method).over(model._given)
    if not over:
        raise ArgumentError("a sweep needs an axis: give a parameter a list, or a text such as '100mN:500mN:5'")
    if threads and "threads" in model._pars:
        raise ArgumentError("`threads` is a parameter of the model and an option of a sweep: write "
                            "params={'threads': ...} or axes={'threads': ...} for the model's", key="threads")
    workers = whole_number(threads, "threads (0: one for each core)", 0, 1024)
    for name in over:  # a setting of the model would be in the way of its axis
        given.pars.pop(name, None)
    told = model._changed(given) if given else model  # its notes and warnings are told
    plan = make_plan(given, How(told.address))
    sweep = Handle(lib.dry_bind_sweep_new(), lib.dry_bind_sweep_free)
    for name, value in over.items():
        _add_axis(sweep.address, name, value)
    for name in measures or []:
        check(lib.dry_bind_sweep_measure(sweep.address, to_bytes(name, "the name of a measure"), fault()))
    with Running(progress) as running, model._lock:
        status = lib.dry_bind_sweep_run(sweep.address, model.address, plan.address, workers, code, yes_or_no(watch, "watch"),
                                        running.address, None, fault())
    check(status)
    result = Sweep(sweep)
    total = int(np.prod(result.shape))
    if result.failed:
        warn(f"{model.path}: {result.failed} of {total} points failed and are nan: s.status says why", TrustWarning)
    if result.untrusted:
        warn(f"{model.path}: {result.untrusted} of {total} points are not trusted: s['watch'] says why", TrustWarning)
    return result
