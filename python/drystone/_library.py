"""Finds libdrystone and gives its functions the types that the headers declare.

ctypes: the package is Python alone, so that one copy serves every version of Python and every processor, and nothing
is compiled when it is installed. What its functions take and return is not written here: tools/bind-text.sh prints
_signatures.py from the headers.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import threading
from typing import Any, Callable, Optional

from . import _signatures

_TYPES = {
    "p": ctypes.c_void_p,
    "s": ctypes.c_char_p,
    "i": ctypes.c_int,
    "b": ctypes.c_bool,
    "d": ctypes.c_double,
    "z": ctypes.c_size_t,
    "v": None,
}

PROGRESS = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_double)


def _places() -> list[str]:
    """Where the library may be, the most particular place first."""
    named = os.environ.get("DRYSTONE_LIBRARY")
    if named:
        return [named]
    here = pathlib.Path(__file__).resolve().parent
    soname = "libdrystone.so." + ".".join(_signatures.VERSION.split(".")[:2])
    places = []
    note = here / "library.path"  # written by make install-python
    if note.exists():
        places.append(note.read_text(encoding="utf-8").strip())
    tree = here.parent.parent  # the package in the source tree: the library of its build
    if (tree / "CMakeLists.txt").exists():
        places.append(str(tree / "build" / soname))
    places.append(soname)
    return places


def _open() -> ctypes.CDLL:
    tried = []
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            tried.append(f"  {place}: {error}")
    raise ImportError(
        "drystone: the library libdrystone is not found. It was looked for here:\n" + "\n".join(tried)
        + "\nInstall it (make install-python), build it in the source tree (make build), or name it in the "
        "environment variable DRYSTONE_LIBRARY."
    )


def _declare(lib: Any) -> None:
    for name, codes in _signatures.FUNCTIONS.items():
        try:
            function = getattr(lib, name)
        except AttributeError:
            raise ImportError(
                f"drystone: {lib._name} has no function {name}: it is older than this package. "
                "Build or install both from the same sources."
            ) from None
        function.restype = _TYPES[codes[0]]
        function.argtypes = [_TYPES[code] for code in codes[1:]]
    version = lib.dry_bind_version().decode()
    if version != _signatures.VERSION:
        raise ImportError(
            f"drystone: {lib._name} is version {version}, but this package is {_signatures.VERSION}: "
            "install both from the same sources."
        )


lib: Any = _open()
_declare(lib)


class Handle:
    """An object of the library, freed with the last Python object that needs it."""

    __slots__ = ("address", "_free", "_keeps", "__weakref__")

    def __init__(self, address: Optional[int], free: Callable[[int], None], *keeps: object) -> None:
        if not address:
            raise MemoryError("drystone: out of memory")
        self.address: Any = address  # an int until it is freed
        self._free = free
        self._keeps = keeps  # what must outlive it

    def __del__(self) -> None:
        address, self.address = getattr(self, "address", None), None
        if address:
            self._free(address)
        self._keeps = ()


class _Fault(threading.local):
    """The dry_error of a thread, so that a call need not make one."""

    def __init__(self) -> None:
        self.handle = Handle(lib.dry_bind_error_new(), lib.dry_bind_error_free)
        self.pointer = ctypes.c_void_p(self.handle.address)


_fault = _Fault()


def fault() -> ctypes.c_void_p:
    """This thread's dry_error. A pointer that is made once costs a call half of what a number does."""
    return _fault.pointer


def text(value: Optional[bytes]) -> str:
    """A text of the library."""
    return value.decode("utf-8", "replace") if value else ""


def owned_text(address: Optional[int]) -> str:
    """A text that the library gave away: it is copied and freed."""
    if not address:
        raise MemoryError("drystone: out of memory")
    copy = ctypes.string_at(address).decode("utf-8", "replace")
    lib.dry_bind_text_free(address)
    return copy


def path_bytes(path: "os.PathLike[str] | str") -> bytes:
    """The name of a file for the library."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"a path has a zero byte: {path!r}")
    return name


def to_bytes(value: object, what: str) -> bytes:
    """A name or a text for the library, which knows no zero within a text."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a text, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} has a zero byte: {value!r}")
    return value.encode("utf-8")
