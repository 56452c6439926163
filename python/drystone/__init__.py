"""Drystone: dry friction that really sticks, contacts that never pull.

    import drystone as dry

    m = dry.load("x.dry")                 # or dry.compile(text)
    r = m.run(F=0.4, until=5)             # parameters and options by name
    r["p"], r.t                           # columns as numpy views
    r.measures, r.trust, r.message

Numbers are in SI units; a text has its own unit: m.run(F="0.4 kN"). docs/python.md is the tutorial.
"""

from ._batch import Batch
from ._errors import (ArgumentError, DryError, DryWarning, ExpectationWarning, Message, ModelError, ModelNote,
                      ModelWarning, RunError, TrustWarning, UnsupportedError)
from ._fit import Against, Fit, Fitted
from ._model import Model, compile, load
from ._result import Expectation, Result, Trust
from ._signatures import VERSION as __version__
from ._stepper import Rows, Stepper
from ._sweep import Sweep

__all__ = [
    "Against", "ArgumentError", "Batch", "DryError", "DryWarning", "Expectation", "ExpectationWarning", "Fit", "Fitted",
    "Message", "Model", "ModelError", "ModelNote", "ModelWarning", "Result", "Rows", "RunError", "Stepper", "Sweep",
    "Trust", "TrustWarning", "UnsupportedError", "compile", "load",
]
