"""Copies of a model that step together, as learning and sampling want them."""

from __future__ import annotations

import ctypes
import math
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import numpy as np

from ._errors import ArgumentError, check, error_of, nearest
from ._given import real_array, real_number, whole_number
from ._library import Handle, fault, lib, to_bytes
from ._stepper import _Alone, native_of

if TYPE_CHECKING:
    from ._model import Model


class Batch:
    """n copies of a model, in the manner of the vector environments of gymnasium (which it does not need).

        b = drystone.Batch(m, 256, interval=0.01, reward="gain", limit=10)
        observations, info = b.reset()
        observations, rewards, terminated, truncated, info = b.step(actions)    # actions: 256 by len(m.inputs)
        observations, info = b.reset(which=terminated | truncated)

    observe: names of states and outputs (default: all states but inputs). reward: the name of the state or output that
    is the reward at the end of a step (None: 0). limit: when a copy is truncated, s (None: never). interval: what one
    step of the batch takes, s (default: the step of the model). threads: default one for each core. native: machine
    code. The bits of a copy are those of a stepper alone, whatever the threads. Nothing resets itself.
    """

    def __init__(self, model: "Model", n: int, *, interval: Optional[float] = None,
                 observe: Optional[Sequence[str]] = None, reward: Optional[str] = None, limit: Optional[float] = None,
                 threads: Optional[int] = None, native: bool = False) -> None:
        #: the model
        self.model = model
        #: how many copies there are
        self.n = whole_number(n, "n, the number of copies,", 1, 1 << 24)
        #: what one step takes, s
        self.interval = model.step_size if interval is None else real_number(interval, "the interval")
        if not 0.0 < self.interval < math.inf:
            raise ArgumentError("the interval of a batch must be positive: give interval=, in seconds" +
                                ("" if interval is not None else ", because the model says no step of its own"))
        #: when a copy is truncated, s
        self.limit = math.inf if limit is None else real_number(limit, "the limit")
        if not self.limit > 0.0:
            raise ArgumentError(f"the limit must be a positive time, not {self.limit!r} s")
        if isinstance(observe, str):
            raise TypeError(f"observe must be a list of names: ['{observe}']")
        #: the names of the columns of observations
        self.observed = ([name for name in model._states if name not in model._inputs] if observe is None
                         else list(observe))
        self._columns = [self._column(name) for name in self.observed]
        self._reward = None if reward is None else self._column(reward)
        self._native = native_of(model, native)
        made = ctypes.c_void_p()
        workers = os.cpu_count() or 1 if threads is None else whole_number(threads, "threads", 1, 1024)
        check(lib.dry_bind_batch_new(model.address, self._native.address if self._native else None, self.n, workers,
                                     ctypes.byref(made), fault()))
        self._handle = Handle(made.value, lib.dry_bind_batch_free, self._native, model._handle)
        #: whether the copies step side by side in the vectors of the processor (machine code, a fixed step, and a
        #: model in which nothing happens between steps: no jumps, samples, delays, stops or guards)
        self.lanes = bool(lib.dry_bind_batch_has_lanes(self._handle.address))
        self._alone = _Alone()
        n_states = len(model._states)
        self._states = np.empty((self.n, n_states))
        self._outputs = np.empty((self.n, len(model._outputs)))
        self._t = np.empty(self.n)
        self._stopped = np.zeros(self.n, dtype=np.uint8)
        self._reads_outputs = any(column >= n_states for column in (*self._columns, self._reward or 0))
        self._read()

    def _column(self, name: str) -> int:
        """Its column among states and outputs."""
        if name in self.model._states:
            return self.model._states.index(name)
        if name in self.model._outputs:
            return len(self.model._states) + self.model._outputs.index(name)
        meant = nearest(str(name), self.model._states + self.model.outputs)
        raise ArgumentError(f"the model has no state or output `{name}`" +
                            (f"; did you mean `{meant}`?" if meant else ""), key=str(name))

    @property
    def _outputs_at(self) -> Optional[int]:
        return self._outputs.ctypes.data if self._reads_outputs else None

    def _read(self) -> None:
        check(lib.dry_bind_batch_read(self._handle.address, self._t.ctypes.data, self._states.ctypes.data,
                                      self._outputs_at, fault()))

    def _read_times(self) -> None:
        check(lib.dry_bind_batch_read(self._handle.address, self._t.ctypes.data, None, None, fault()))

    def _take(self, column: int) -> np.ndarray:
        n = self._states.shape[1]
        return self._states[:, column] if column < n else self._outputs[:, column - n]

    def _observe(self) -> np.ndarray:
        observations = np.empty((self.n, len(self._columns)))
        for i, column in enumerate(self._columns):
            observations[:, i] = self._take(column)
        return observations

    def _info(self) -> dict[str, Any]:
        return {"t": self._t.copy()}

    def reset(self, *, which: Any = None, x0: Any = None, seed: None = None,
              options: Optional[Mapping[str, Any]] = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all copies anew, or those where `which` is true (options={"reset_mask": ...} is the same), from x0
        (n by len(m.states)) or from the start of the model. Returns the observations of all, a copy, and the times.
        A model has no chance in it, so there is nothing to seed: draw x0 yourself."""
        if seed is not None:
            raise ArgumentError("a model has nothing to seed: give x0, drawn by a generator of yours")
        if options is not None:
            unknown = [key for key in options if key != "reset_mask"]
            if unknown or which is not None:
                raise ArgumentError(f"the option `{unknown[0]}` is not known; there is `reset_mask`" if unknown else
                                    "give which or the option `reset_mask`, not both")
            which = options.get("reset_mask")
        with self._alone:
            chosen = None if which is None else self._chosen(which)
            start = None if x0 is None else real_array(x0, "x0")
            if start is not None and start.shape != self._states.shape:
                raise ArgumentError(f"x0 must have the shape {self._states.shape}, a row for each copy, not "
                                    f"{start.shape}")
            try:
                check(lib.dry_bind_batch_reset(self._handle.address, None if chosen is None else chosen.ctypes.data,
                                               None if start is None else start.ctypes.data, fault()))
            finally:
                self._read()
            self._stopped[chosen != 0 if chosen is not None else slice(None)] = 0
            return self._observe(), self._info()

    def _chosen(self, which: Any) -> np.ndarray:
        chosen = np.asarray(which)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise ArgumentError(f"which must be {self.n} values of True or False, not of the shape {chosen.shape} and "
                                f"the type {chosen.dtype}")
        return np.ascontiguousarray(chosen, dtype=np.uint8)

    def step(self, actions: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Each copy takes its row of actions (n by len(m.inputs); None: inputs stay; one column may be a plain array)
        and steps over the interval. Returns observations, rewards, which copies the model has ended (`stop when`),
        which have reached the limit, and {"t": their times}: all copies, to keep. A copy that the model has ended
        stays where it is until it is reset.

        If a copy fails, RunError names it: the others have stepped, and it can be reset."""
        with self._alone:
            inputs = None if actions is None else self._inputs(actions)
            status = lib.dry_bind_batch_step(self._handle.address, self.interval,
                                             None if inputs is None else inputs.ctypes.data, self._states.ctypes.data,
                                             self._outputs_at, self._stopped.ctypes.data, fault())
            if status:
                error = error_of(status)
                self._read()
                raise error
            self._read_times()
            rewards = np.zeros(self.n) if self._reward is None else self._take(self._reward).copy()
            late = self._t >= self.limit * (1.0 - 1e-9)
            return self._observe(), rewards, self._stopped.astype(bool), late, self._info()

    def _inputs(self, actions: Any) -> np.ndarray:
        wanted = (self.n, len(self.model._inputs))
        inputs = real_array(actions, "actions")
        if inputs.ndim == 1 and wanted[1] == 1:
            inputs = inputs.reshape(-1, 1)
        if inputs.shape != wanted:
            raise ArgumentError(f"actions must have the shape {wanted}, a column for each input "
                                f"({', '.join(self.model._inputs) or 'the model has none'}), not {inputs.shape}")
        return inputs

    def set(self, name: str, values: Any) -> None:
        """Sets a free parameter of each copy: n values, or one for all. If one of them is refused, none is set."""
        array = real_array(values, f"`{name}`")
        if np.ndim(values) and array.shape != (self.n,):
            raise ArgumentError(f"`{name}` takes {self.n} values, one for each copy, or one for all, not an array of the "
                                f"shape {array.shape}", key=name)
        array = np.ascontiguousarray(np.broadcast_to(array, (self.n,)))
        with self._alone, self.model._lock:
            check(lib.dry_bind_batch_par(self._handle.address, to_bytes(name, "a name"), array.ctypes.data, fault()))

    @property
    def t(self) -> np.ndarray:
        """The times of the copies, s; a copy."""
        return self._t.copy()

    @property
    def x(self) -> np.ndarray:
        """The states of the copies, n by len(m.states); a copy."""
        return self._states.copy()

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<drystone.Batch of {self.n} copies of {self.model.title!r}>"

    def __reduce__(self):
        raise TypeError("a batch cannot be pickled, because it holds memory of the library: pickle its model")
