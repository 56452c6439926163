"""The result of a run."""

from __future__ import annotations

import html
import math
import os
from typing import Any, Iterator, NamedTuple, Optional

import numpy as np

from . import _signatures as c
from ._errors import ArgumentError, ExpectationWarning, TrustWarning, check, error_of, nearest, warn
from ._library import Handle, fault, lib, owned_text, path_bytes, text
from ._record import column


class Expectation(NamedTuple):
    """An `expect` line of the model."""

    source: str  #: as written in the model
    line: int
    met: bool
    value: float
    target: float  #: nan for a condition
    tolerance: float


class Trust(NamedTuple):
    """How far a run can be trusted, from repeats of it (docs/watch.md)."""

    word: str  #: "trusted", "sensitive", "not converged" or "not watched"
    error: float  #: the largest relative error; nan: not known
    good: Optional[bool]  #: False: there is evidence against the numbers; None: neither is known
    lines: tuple[str, ...]  #: the sentence, then what gives way

    def __str__(self) -> str:
        return "\n".join(self.lines) if self.lines else self.word


class Result:
    """What a run gave: columns by their names, measures, expectations, how far it can be trusted.

        r = m.run(F=0.4)
        r["p"], r.t          # views without a copy; they keep the memory alive
        r.measures["creep"]

    A notebook shows its report. A result can be pickled: then it has copies of all columns, its picture and its brief
    page, and no longer the library's record.
    """

    def __init__(self, run: Handle, model: Any) -> None:
        self._run: Optional[Handle] = run
        self._model = model  # which outlives the run
        self._svg: dict[bool, str] = {}
        self._page: Optional[str] = None
        record = lib.dry_bind_run_record(run.address)
        rows = lib.dry_record_rows(record) if record else 0
        n = lib.dry_record_columns(record) if record else 0
        #: the names of the columns: t, the states, the outputs
        self.names: list[str] = [text(lib.dry_bind_column_name(record, i)) for i in range(n)]
        #: their units, by name
        self.units: dict[str, str] = {}
        self._columns: dict[str, np.ndarray] = {}
        for i, name in enumerate(self.names):
            if name in self._columns:
                continue  # scratch of measures has names that repeat; the first is the model's
            self._columns[name] = column(record, i, rows, run)
            self.units[name] = text(lib.dry_bind_column_unit(record, i))
        self.names = list(self._columns)
        #: the title of the model
        self.title: str = text(lib.dry_model_title(model.address))
        #: the values of the measures, by name (SI units)
        self.measures: dict[str, float] = {}
        #: the expectations of the model
        self.expectations: list[Expectation] = []
        #: how far the run can be trusted
        self.trust = Trust("not watched", math.nan, None, ())
        #: what the run has to say: a stop of the model, warnings
        self.remarks: list[str] = []
        self._read_facts()

    def _read_facts(self) -> None:
        run = self._run.address  # type: ignore[union-attr]
        fact = lib.dry_bind_run_fact
        #: counts: steps, rejected steps, evaluations of the rate, kinks that were located
        self.steps = int(fact(run, c.DRY_BIND_STEPS))
        self.rejected = int(fact(run, c.DRY_BIND_REJECTED))
        self.rates = int(fact(run, c.DRY_BIND_RATES))
        self.kinks = int(fact(run, c.DRY_BIND_KINKS))
        #: seconds of CPU, and whether machine code ran it
        self.seconds: float = fact(run, c.DRY_BIND_SECONDS)
        self.native = bool(fact(run, c.DRY_BIND_IS_NATIVE))
        #: the time that was reached, s; and why the model ended the run there ("": it did not)
        self.end: float = fact(run, c.DRY_BIND_END)
        self.stopped: str = text(lib.dry_bind_run_stop(run))

    # ---- made by Model.run ----

    def _finish(self) -> None:
        run, model = self._run.address, self._model.address  # type: ignore[union-attr]
        for i in range(lib.dry_bind_count(model, c.DRY_BIND_MEASURES)):
            name = text(lib.dry_bind_name(model, c.DRY_BIND_MEASURES, i))
            self.measures[name] = lib.dry_bind_run_measure(run, i)
            self.units.setdefault(name, text(lib.dry_bind_unit(model, c.DRY_BIND_MEASURES, i)))
        for i in range(lib.dry_model_expects(model)):
            self.expectations.append(Expectation(
                text(lib.dry_bind_run_expected(run, i)), lib.dry_bind_run_expected_line(run, i),
                lib.dry_bind_run_expected_met(run, i), lib.dry_bind_run_expected_value(run, i),
                lib.dry_bind_run_expected_target(run, i), lib.dry_bind_run_expected_tolerance(run, i)))
            if not self.expectations[-1].met:
                met = self.expectations[-1]
                found = "" if math.isnan(met.target) else f" (found {met.value:.9g})"
                warn(f"{self._model.path}:{met.line}: not met: {met.source}{found}", ExpectationWarning)

    def _read_remarks(self) -> None:
        while True:
            remark = lib.dry_bind_run_remark(self._run.address, len(self.remarks))  # type: ignore[union-attr]
            if not remark:
                return
            self.remarks.append(text(remark))
            warn(f"{self._model.path}: {text(remark)}", TrustWarning)

    def _read_trust(self) -> None:
        run = self._run.address  # type: ignore[union-attr]
        lines: list[str] = []
        while True:
            line = lib.dry_bind_run_trust_line(run, len(lines))
            if not line:
                break
            lines.append(text(line))
        good = {1: True, 0: None, -1: False}[lib.dry_bind_run_trusted(run)]
        self.trust = Trust(text(lib.dry_bind_run_word(run)), lib.dry_bind_run_trust_error(run), good, tuple(lines))
        if good is False:
            warn(f"{self._model.path}: {self.trust}", TrustWarning)

    # ---- columns ----

    @property
    def t(self) -> np.ndarray:
        """The times of the rows, s."""
        return self["t"]

    def __getitem__(self, name: str) -> np.ndarray:
        """A column by its name, in SI units; a view that cannot be written to."""
        try:
            return self._columns[name]
        except KeyError:
            pass
        if name in self.measures:
            raise KeyError(f"`{name}` is a measure, one number: r.measures[{name!r}]")
        meant = nearest(str(name), self.names)
        raise KeyError(f"the run has no column `{name}`" + (f"; did you mean `{meant}`?" if meant else
                                                            f"; it has {', '.join(self.names[:12])}"))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def keys(self) -> list[str]:
        """The names of the columns, so that `dict(r)` and `pandas.DataFrame(dict(r))` have them all."""
        return list(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._columns["t"]) if "t" in self._columns else 0

    # ---- words ----

    @property
    def watch(self) -> str:
        """How far the run can be trusted, in one word: "trusted", "sensitive", "not converged", "not watched"."""
        return self.trust.word

    @property
    def message(self) -> str:
        """All that there is to say about the run, one sentence in a line."""
        stop = [f"stopped at t = {self.end:.9g} s: {self.stopped}"] if self.stopped else []
        unmet = [f"not met: {e.source}" for e in self.expectations if not e.met]
        return "\n".join(stop + self.remarks + unmet + [str(self.trust)])

    @property
    def met(self) -> bool:
        """Whether every expectation of the model is met."""
        return all(e.met for e in self.expectations)

    def __repr__(self) -> str:
        return f"<drystone.Result of {self.title!r}: {len(self)} rows to t = {self.end:g} s, {self.watch}>"

    # ---- pictures and files ----

    def svg(self, dark: bool = False) -> str:
        """The `plot` lines of the model as SVG."""
        if dark not in self._svg:
            if self._run is None:
                raise ValueError("a result that was pickled has only the light picture of its `plot` lines, if it has "
                                 "any: run the model again")
            drawn = lib.dry_bind_run_svg(self._run.address, dark, fault())
            if not drawn:
                raise error_of(lib.dry_bind_error_status(fault()))
            self._svg[dark] = owned_text(drawn)
        return self._svg[dark]

    def page(self, brief: bool = False) -> str:
        """The report as a page of HTML, which fetches nothing. brief: its title, pictures, expectations, measures and
        verdict alone, as a notebook shows them."""
        if brief and self._page is not None:
            return self._page
        made = lib.dry_bind_run_page(self._library("a page"), brief, fault())
        if not made:
            raise error_of(lib.dry_bind_error_status(fault()))
        page = owned_text(made)
        if brief:
            self._page = page
        return page

    def _repr_html_(self) -> str:
        """For a notebook: what the run has to say, and the brief report in a frame of its own, so that several on one
        page do not meet. Its pictures can be zoomed and read off."""
        told = "".join(f"<p>{html.escape(line)}</p>" for line in self.remarks)
        return (f'{told}<iframe srcdoc="{html.escape(self.page(brief=True), quote=True)}" '
                f'title="{html.escape(self.title, quote=True)}" loading="eager" '
                'style="width: 100%; height: 30rem; border: 0" '
                'onload="const d = this.contentDocument; '
                "if (d) new ResizeObserver(() => { this.style.height = d.documentElement.offsetHeight + 'px'; })"
                '.observe(d.documentElement)"></iframe>')

    def report(self, path: "os.PathLike[str] | str") -> None:
        """Writes the report as one page of HTML into a file."""
        check(lib.dry_bind_run_report(self._library("a report"), path_bytes(path), fault()))

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes the columns into a file: .csv, .h5 (docs/results.md)."""
        record = lib.dry_bind_run_record(self._library("a file"))
        check(lib.dry_record_write(record, path_bytes(path), fault()))

    def _library(self, what: str) -> int:
        if self._run is None:
            raise ValueError(f"a result that was pickled no longer has what {what} needs: run the model again")
        return self._run.address

    # ---- pickling ----

    def __getstate__(self) -> dict:
        state = {k: v for k, v in self.__dict__.items() if k not in ("_run", "_model", "_columns", "_svg")}
        state["columns"] = {name: np.array(values) for name, values in self._columns.items()}
        try:
            state["svg"] = {False: self.svg()}
        except ArgumentError:  # there is nothing to draw
            state["svg"] = {}
        state["_page"] = self.page(brief=True)
        return state

    def __setstate__(self, state: dict) -> None:
        state = dict(state)
        self._run = self._model = None
        self._columns, self._svg = state.pop("columns"), state.pop("svg")
        for values in self._columns.values():
            values.flags.writeable = False
        self.__dict__.update(state)
