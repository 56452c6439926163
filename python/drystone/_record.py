"""Columns of a record as numpy views, without a copy."""

from __future__ import annotations

import ctypes

import numpy as np

from ._library import Handle, lib


def column(record: int, index: int, rows: int, owner: Handle) -> np.ndarray:
    """A view of a column that cannot be written to. It keeps `owner`, which has the memory, alive."""
    if rows == 0:
        return np.empty(0)
    buffer = (ctypes.c_double * rows).from_address(lib.dry_record_values(record, index))
    buffer.owner = owner  # type: ignore[attr-defined]
    view = np.frombuffer(buffer, dtype=np.float64)  # type: ignore[call-overload]
    view.flags.writeable = False
    return view
