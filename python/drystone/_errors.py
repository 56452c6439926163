"""What goes wrong, as exceptions, and what is only worth knowing, as warnings."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, NamedTuple, NoReturn, Optional

from . import _signatures as c
from ._library import fault, lib, owned_text, text

_FOLDER = os.path.dirname(os.path.abspath(__file__))


class Message(NamedTuple):
    """A message of the compiler about one place of a text."""

    kind: str  #: "note", "warning" or "error"
    word: str  #: its name in docs/errors.md, such as "unknown-name"
    file: str
    line: int  #: from 1; 0: the message has no place
    column: int  #: from 1; 0: the message has no place
    text: str
    way_out: str
    shown: str  #: as the command prints it: the place, the line of the text, a caret, the way out


class DryError(Exception):
    """The library refuses something. `str` has it all: the place, the cause and the way out.

    `status` is the kind of the error in words, `file`, `line` and `column` are its place ("" and 0: none), `text` says
    what is wrong, and `key` is the parameter, option or column that it is about ("": none).
    """

    def __init__(self, text: str, *, status: str = "", file: str = "", line: int = 0, column: int = 0,
                 key: str = "") -> None:
        super().__init__(text)
        self.status, self.file, self.line, self.column, self.text, self.key = status, file, line, column, text, key

    def __reduce__(self):
        return _again, (type(self), self.args, {k: v for k, v in self.__dict__.items() if k != "result"})


class ModelError(DryError):
    """The compiler refuses a text. `messages` has every `Message`; the attributes are those of the first error."""

    def __init__(self, messages: list[Message]) -> None:
        errors = [m for m in messages if m.kind == "error"]
        first = errors[0]
        super().__init__("\n".join(m.shown.rstrip("\n") for m in errors), status="bad model", file=first.file,
                         line=first.line, column=first.column)
        self.text = first.text
        self.messages = messages
        #: how to mend the first error
        self.way_out = first.way_out
        #: the line of the text with a caret below it, of the first error
        self.shown = first.shown
        #: the name of the first error in docs/errors.md
        self.word = first.word


class ArgumentError(DryError, ValueError):
    """A value outside its range, a name that the model does not have, an option that does not fit."""


class UnsupportedError(DryError, NotImplementedError):
    """Not in this build, or not for this model or method."""


class RunError(DryError):
    """A run ended early. `result` has what there is until then: a Result, the Rows of a stepper (None: nothing)."""

    result: Any = None


def _again(kind: "type[DryError]", args: tuple, attributes: dict) -> DryError:
    error = kind.__new__(kind)
    Exception.__init__(error, *args)
    error.__dict__.update(attributes)
    return error


class DryWarning(UserWarning):
    """What you should read before you use a result."""


class ModelWarning(DryWarning):
    """A warning of the compiler."""


class ModelNote(DryWarning):
    """A note of the compiler."""


class TrustWarning(DryWarning):
    """There is evidence against the numbers of a run, or part of a sweep failed."""


class ExpectationWarning(DryWarning):
    """An `expect` line of the model is not met."""


_KINDS = {
    c.DRY_BAD_ARGUMENT: ArgumentError,
    c.DRY_UNSUPPORTED: UnsupportedError,
    c.DRY_NOT_FINITE: RunError,
    c.DRY_STEP_COLLAPSED: RunError,
    c.DRY_TOO_MANY_STEPS: RunError,
    c.DRY_SINGULAR: RunError,
    c.DRY_RUN_FAILED: RunError,
}


def error_of(status: int) -> Exception:
    """The exception for a status, with what the library wrote into this thread's dry_error."""
    at = fault()
    told = text(lib.dry_bind_error_text(at))
    if status == c.DRY_NO_MEMORY:
        return MemoryError("drystone: " + (told or "out of memory"))
    file, line, column = text(lib.dry_bind_error_file(at)), lib.dry_bind_error_line(at), lib.dry_bind_error_column(at)
    place = ":".join(str(part) for part in (file, line, column) if part)
    error = _KINDS.get(status, DryError)(f"{place}: {told}" if place else told, status=text(lib.dry_status_text(status)),
                                         file=file, line=line, column=column, key=text(lib.dry_bind_error_key(at)))
    error.text = told
    return error


def fail(status: int) -> NoReturn:
    """Raises the exception for a status."""
    raise error_of(status)


def check(status: int) -> None:
    """Raises if the library did not return DRY_OK."""
    if status:
        fail(status)


def warn(told: str, kind: type) -> None:
    """Warns at the line of the program that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _FOLDER:
        frame, level = frame.f_back, level + 1
    warnings.warn(told, kind, stacklevel=level)


_MESSAGE_KINDS = {c.DRY_NOTE: "note", c.DRY_WARNING: "warning", c.DRY_ERROR: "error"}


def messages_of(model: int) -> list[Message]:
    """All messages of a model of the library."""
    return [
        Message(
            _MESSAGE_KINDS[lib.dry_bind_message_kind(model, i)],
            text(lib.dry_bind_message_word(model, i)),
            text(lib.dry_bind_message_file(model, i)),
            lib.dry_bind_message_line(model, i),
            lib.dry_bind_message_column(model, i),
            text(lib.dry_bind_message_text(model, i)),
            text(lib.dry_bind_message_way_out(model, i)),
            owned_text(lib.dry_bind_message_shown(model, i)),
        )
        for i in range(lib.dry_model_messages(model))
    ]


def tell_messages(messages: list[Message], remarks: list[str]) -> None:
    """Notes and warnings of the compiler become warnings of Python."""
    for remark in remarks:
        warn(remark, ModelWarning)
    for message in messages:
        if message.kind != "error":
            warn(message.shown.rstrip("\n"), ModelNote if message.kind == "note" else ModelWarning)


def nearest(name: str, names: list[str]) -> Optional[str]:
    """The name that was probably meant."""
    import difflib

    found = difflib.get_close_matches(name, names, 1, 0.5)
    return found[0] if found else None
