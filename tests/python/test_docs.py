"""The tutorial is true: its blocks run one after another, and print what the page shows."""

import io
import os
import pathlib
import re
import subprocess
import warnings
from contextlib import redirect_stdout

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def blocks():
    """(kind, name, text, line) of each block of the page."""
    found, inside = [], None
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if inside is None:
                kind, _, name = line[3:].partition(" ")
                inside = [kind, name, "", number]
            else:
                found.append(tuple(inside))
                inside = None
        elif inside is not None:
            inside[2] += line + "\n"
    assert inside is None, f"{PAGE}:{inside[3]}: this block is not closed"
    return found


def same(wanted, got, tmp_path):
    """By the rule of all pages: numbers may differ by one unit of their last digit."""
    for name, text in (("want", wanted), ("got", got)):
        # the rule takes words apart at blanks: so are the brackets here
        (tmp_path / name).write_text(re.sub(r"([\[\]{}()=,:])", r" \1 ", text))
    found = subprocess.run(["awk", "-f", ROOT / "tests/house/docs_same.awk", tmp_path / "want", tmp_path / "got"],
                           capture_output=True, text=True)
    return found.returncode == 0, found.stdout


def run_page(parts, tmp_path, fill=None):
    scope, printed, shown = {}, None, 0
    for kind, name, text, line in parts:
        if kind == "dry":
            (tmp_path / name).write_text(text)
        elif kind == "python":
            assert not printed, f"{PAGE}:{line}: the page does not show what the block before prints: {printed}"
            with redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
                warnings.simplefilter("error")
                exec(compile(text, f"{PAGE}:{line}", "exec"), scope)
            printed = out.getvalue()
        elif kind == "text":
            if fill is not None:
                fill.append((text, printed))
            else:
                good, why = same(text, printed, tmp_path)
                assert good, f"{PAGE}:{line}: {why}\nthe block printed:\n{printed}"
            shown, printed = shown + 1, None
    assert not printed, f"the page does not show what the last block prints: {printed}"
    return shown


def test_the_tutorial(tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    assert run_page(blocks(), tmp_path) >= 9


def test_a_tutorial_that_is_wrong_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = blocks()
    first = next(k for k, part in enumerate(parts) if part[0] == "text")
    kind, name, text, line = parts[first]
    assert "0.1135" in text
    with pytest.raises(AssertionError, match="0.1136"):
        run_page([*parts[:first], (kind, name, text.replace("0.1135", "0.1136"), line)], tmp_path)
    with pytest.raises(AssertionError, match="does not show"):
        run_page(parts[:first], tmp_path)


if __name__ == "__main__":  # fills in what the blocks print, for a page that is being written
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        parts, page, filled = blocks(), PAGE.read_text(encoding="utf-8"), []
        os.chdir(folder)
        run_page(parts, pathlib.Path(folder), filled)
        for text, printed in filled:
            page = page.replace(f"```text\n{text}```", f"```text\n{printed}```", 1)
        print(page, end="")
