#!/usr/bin/env python3
"""Runs the second programs and sets their numbers beside what the models expect: `make reference`.

    reference.py [--jobs N] [WORD...]     rows whose model contains one of the words; all if there is none

Prints one row for each expectation: paper, figure, model, what is measured, the second program's number, what the model
expects of Drystone, and whether the second program meets it. Exits with 1 if one does not, or cannot be told.
"""

import argparse
import importlib
import math
import multiprocessing
import os
import re
import sys

sys.dont_write_bytecode = True
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np  # noqa: E402

from measure import Measurer, Missing  # noqa: E402
from model_text import Model  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(FOLDER, "..", "..", "models")
PAPERS = {"xiong2013": "X13", "xiong2012": "X12", "xiong-dissertation": "XD", "glowinski2004": "G04", "kikuuwe2008": "KY08"}


def programs():
    """Rows of programs.txt: [model, program, the reason if there is none, {expectation left out: reason}]."""
    rows = []
    with open(os.path.join(FOLDER, "programs.txt"), encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split(None, 2)
            if words and line[0].isspace():
                text, _, reason = line.strip()[len("without "):].partition(" because ")
                rows[-1][3][text] = reason
            elif words:
                rows.append([words[0], words[1], words[2].strip() if len(words) > 2 else "", {}])
    return rows


def figure(model):
    """X13, fig03 of papers/xiong2013/fig03-drift."""
    folders = model.split("/")
    paper = PAPERS.get(folders[1], "") if folders[0] == "papers" else folders[0]
    found = re.match(r"((?:fig|eq|rem)\d+(?:-\d+)?)", folders[-1])
    return paper, found.group(1) if found else "-"


def short(value):
    return f"{float(value):.8g}"


def judge(measurer, expectation):
    """(second program's number, what is expected, whether it is so)."""
    text, left, right, within = expectation
    if right is not None:
        number, wanted, tolerance = (float(measurer.value(tree)) for tree in (left, right, within))
        return short(number), f"{short(wanted)} +- {short(tolerance)}", abs(number - wanted) <= tolerance
    if left[0] in ("<", "<=", ">", ">="):
        a, b = (float(measurer.value(tree)) for tree in left[1:])
        return short(a), f"{left[0]} {short(b)}", float(measurer.value(left)) != 0 and not math.isnan(a + b)
    true = float(measurer.value(left)) != 0
    return "true" if true else "false", "true", true


def verdict_of(measurer, expectation, left_out):
    """(text, number, wanted, verdict) of one expectation."""
    text = expectation[0]
    if text in left_out:
        return text, "", "", "left out: " + left_out.pop(text)
    try:
        number, wanted, agrees = judge(measurer, expectation)
    except Missing as missing:
        return text, f"no {missing}", "", "MISSING"
    return text, number, wanted, "agrees" if agrees else "DISAGREES"


def run_row(row):
    """All expectations of one model, and what its program remarks."""
    name, program, _, left_out = row
    with open(os.path.join(MODELS, name + ".dry"), encoding="utf-8") as file:
        model = Model(file.read())
    module, function = program.split(":")
    measurer = Measurer(model, getattr(importlib.import_module(module), function)())
    left_out = dict(left_out)
    with np.errstate(all="ignore"):  # nan is a value: with it nothing holds
        found = [verdict_of(measurer, expectation, left_out) for expectation in model.expectations]
    found += [(text, short(number), "", "remark") for text, number in measurer.run.get("remarks", [])]
    return found + [(text, "", "", "NOT AN EXPECTATION") for text in left_out]


def show(row, found):
    paper, place = figure(row[0])
    for text, number, wanted, verdict in found:
        print(f"{paper:<9}{place:<8}{row[0].split('/')[-1]:<32}{text[:58]:<59}{number:>15}  {wanted:<30}{verdict}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("word", nargs="*", help="only the models whose name contains one of these")
    options = parser.parse_args()
    rows = [row for row in programs() if not options.word or any(word in row[0] for word in options.word)]
    if not rows:
        parser.error("there is no model of this name in programs.txt")
    to_run = [row for row in rows if row[1] != "-"]
    print(f"{'from':<9}{'figure':<8}{'model':<32}{'expectation':<59}{'second program':>15}  {'expected of Drystone':<30}verdict")
    verdicts = []
    with multiprocessing.Pool(options.jobs) as pool:
        for row, found in zip(to_run, pool.imap(run_row, to_run)):
            show(row, found)
            verdicts += [verdict for *_, verdict in found if verdict != "remark"]
    for name, _, reason, _ in (row for row in rows if row[1] == "-"):
        print(f"{name}: no second program: {reason}")
    agree = verdicts.count("agrees")
    left_out = sum(verdict.startswith("left out") for verdict in verdicts)
    wrong = len(verdicts) - agree - left_out
    print(f"{len(verdicts)} expectations of {len(to_run)} models: {agree} agree, {left_out} left out, {wrong} do not agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
