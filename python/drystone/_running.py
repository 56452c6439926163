"""Long calls of the library: an interrupt (Ctrl-C) ends them cleanly."""

from __future__ import annotations

import ctypes
import signal
import threading
from typing import Any, Callable, Optional

from ._library import PROGRESS

#: A function of the time that a run has reached; False, and nothing else, ends the run.
Progress = Optional[Callable[[float], Any]]


class Running:
    """Within `with Running(progress) as running:` an interrupt makes the library's call return; it is raised at the
    end. A handler that only notes the interrupt stands in for Python's: an exception in the middle of a callback of C
    would be lost."""

    def __init__(self, progress: Progress = None) -> None:
        if progress is not None and not callable(progress):
            raise TypeError(f"progress must be a function of the time, not {progress!r}")
        self._progress = progress
        self._raised: Optional[BaseException] = None
        self._signal: Optional[tuple] = None
        self._before: Any = None
        self._installed = False
        self._callback = PROGRESS(self._go_on)
        #: for the library
        self.address = ctypes.cast(self._callback, ctypes.c_void_p)

    def _go_on(self, user: object, t: float) -> bool:
        if self._progress is not None and self._raised is None:
            try:
                if self._progress(t) is False:
                    return False
            except BaseException as error:  # raised again at the end
                self._raised = error
        return self._raised is None and self._signal is None

    def _note(self, number: int, frame: Any) -> None:
        self._signal = (number, frame)

    def __enter__(self) -> "Running":
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            if callable(self._before):
                signal.signal(signal.SIGINT, self._note)
                self._installed = True
        return self

    def __exit__(self, *unused: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, self._before)
        self._callback = None  # type: ignore[assignment]  # ends the ring of references
        if self._raised is not None:
            raise self._raised
        if self._signal is not None:
            self._before(*self._signal)
