"""Copies of a model that step together, as learning and sampling want them."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, check, nearest
from ._given import real_array, real_number
from ._library import Handle, fault, lib, to_bytes
from ._stepper import _Alone, native_of

if TYPE_CHECKING:
    from ._model import Model


class Batch:
    """n copies of a model, in the manner of the vector environments of gymnasium (which it does not need).

        b = drystone.Batch(m, 256, interval=0.01)
        observations = b.reset()                     # 256 by len(b.observed)
        observations, stopped = b.step(actions)      # actions: 256 by len(m.inputs)

    observe: names of states and outputs (default: all states that are no inputs). interval: what one step of the batch takes, s (default:
    the step of the model). threads: default one for each core. native: machine code. The bits of a copy are those of
    a stepper alone, whatever the threads.
    """

    def __init__(self, model: "Model", n: int, *, interval: Optional[float] = None,
                 observe: Optional[Sequence[str]] = None, threads: Optional[int] = None, native: bool = False) -> None:
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
            raise TypeError(f"n must be a number of copies, not {n!r}")
        #: the model
        self.model = model
        #: how many copies there are
        self.n = int(n)
        #: what one step takes, s
        self.interval = model.step_size if interval is None else real_number(interval, "the interval")
        #: the names of the columns of observations
        self.observed = list(observe) if observe is not None else [name for name in model._states if name not in model._inputs]
        self._columns = [self._column(name) for name in self.observed]
        self._native = native_of(model, native)
        made = ctypes.c_void_p()
        workers = (os.cpu_count() or 1) if threads is None else int(threads)
        check(lib.dry_bind_batch_new(model.address, self._native.address if self._native else None, self.n, workers,
                                     ctypes.byref(made), fault()))
        self._handle = Handle(made.value, lib.dry_bind_batch_free, self._native, model._handle)
        self._alone = _Alone()
        n_states, n_outputs = len(model._states), len(model._outputs)
        self._all = np.empty((self.n, n_states + n_outputs))
        self._states = np.empty((self.n, n_states))
        self._outputs = np.empty((self.n, n_outputs))
        self._reads_outputs = any(column >= n_states for column in self._columns)
        self._stopped = np.zeros(self.n, dtype=np.uint8)

    def _column(self, name: str) -> int:
        if name in self.model._states:
            return self.model._states.index(name)
        if name in self.model._outputs:
            return len(self.model._states) + self.model._outputs.index(name)
        meant = nearest(str(name), self.model._states + self.model.outputs)
        raise ArgumentError(f"the model has no state or output `{name}`" +
                            (f"; did you mean `{meant}`?" if meant else ""), key=str(name))

    def _read(self) -> None:
        for i in range(self.n):
            stepper = lib.dry_bind_batch_at(self._handle.address, i)
            if self._states.shape[1]:
                ctypes.memmove(self._states[i].ctypes.data, lib.dry_stepper_states(stepper), 8 * self._states.shape[1])
            if self._reads_outputs:
                check(lib.dry_stepper_outputs(stepper, self._outputs[i].ctypes.data, fault()))

    def _observe(self) -> np.ndarray:
        if not self._reads_outputs:
            return self._states[:, self._columns]
        return np.hstack((self._states, self._outputs))[:, self._columns]

    def reset(self, which: Any = None, x0: Any = None) -> np.ndarray:
        """Begins all copies anew, or those where `which` is true, from x0 (n by len(m.states)) or from the start of
        the model. Returns the observations of all, a copy."""
        with self._alone:
            chosen: Optional[np.ndarray] = None
            if which is not None:
                chosen = np.asarray(which)
                if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
                    raise ArgumentError(f"which must be {self.n} values of True or False, not of the shape "
                                        f"{chosen.shape} and the type {chosen.dtype}")
                chosen = np.ascontiguousarray(chosen, dtype=np.uint8)
            start: Optional[np.ndarray] = None
            if x0 is not None:
                start = real_array(x0, "x0")
                if start.shape != self._states.shape:
                    raise ArgumentError(f"x0 must have the shape {self._states.shape}, not {start.shape}")
            check(lib.dry_bind_batch_reset(self._handle.address, None if chosen is None else chosen.ctypes.data,
                                           None if start is None else start.ctypes.data, fault()))
            if chosen is None:
                self._stopped[:] = 0
            else:
                self._stopped[chosen != 0] = 0
            self._read()
            return self._observe()

    def step(self, actions: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Each copy takes its row of actions (n by len(m.inputs); None: inputs stay; one column may be a plain array)
        and steps over the interval. Returns the observations, a copy, and which copies the model has ended: these
        stay where they are until they are reset."""
        with self._alone:
            inputs: Optional[np.ndarray] = None
            wanted = (self.n, len(self.model._inputs))
            if actions is not None:
                inputs = real_array(actions, "actions")
                if inputs.ndim == 1 and wanted[1] == 1:
                    inputs = inputs.reshape(-1, 1)
                if inputs.shape != wanted:
                    raise ArgumentError(f"actions must have the shape {wanted}, a column for each input "
                                        f"({', '.join(self.model._inputs) or 'the model has none'}), not "
                                        f"{inputs.shape}")
            check(lib.dry_bind_batch_step(self._handle.address, self.interval,
                                          None if inputs is None else inputs.ctypes.data, self._states.ctypes.data,
                                          self._outputs.ctypes.data if self._reads_outputs else None,
                                          self._stopped.ctypes.data, fault()))
            return self._observe(), self._stopped.astype(bool)

    def set(self, name: str, values: Any) -> None:
        """Sets a free parameter of each copy: n values, or one for all."""
        array = real_array(np.broadcast_to(np.asarray(values), (self.n,)), f"`{name}`")
        with self._alone, self.model._lock:
            check(lib.dry_bind_batch_par(self._handle.address, to_bytes(name, "a name"), array.ctypes.data, fault()))

    @property
    def t(self) -> np.ndarray:
        """The times of the copies, s."""
        return np.array([lib.dry_stepper_time(lib.dry_bind_batch_at(self._handle.address, i)) for i in range(self.n)])

    def __len__(self) -> int:
        return self.n

    def __reduce__(self):
        raise TypeError("a batch cannot be pickled, because it holds memory of the library: pickle its model")
