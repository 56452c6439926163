"""Whether three editors see the models as the compiler does: each token of each model in the colours of its kind.

    compare.py DRYSTONE SCRATCH MODEL...

`drystone show --stage tokens` says where the tokens are and of which kind. Prints TAP.
"""

import json
import os
import re
import subprocess
import sys

drystone, scratch, models = sys.argv[1], sys.argv[2], sys.argv[3:]
root = os.getcwd()
late = {row[2] for row in (line.split("\t") for line in
                           subprocess.run([drystone, "lsp", "--words"], check=True, capture_output=True,
                                          text=True).stdout.splitlines())
        if row[0] in ("statement", "joining") and row[1] == "free"}

# What the classes of an editor mean; the first that fits. Signs may look as the editor likes, so long as they are
# no text and no comment.
MEANINGS = {
    "TextMate": [("comment", "^comment"), ("string", "^string"), ("unit", r"\.unit\.|\.power\."), ("number", r"^constant\.numeric"),
                 ("keyword", r"^keyword\.(control|operator\.word)"), ("other", "")],
    "Vim": [("comment", "Comment|Todo"), ("string", "Text"), ("unit", "Unit"), ("number", "Number"),
            ("keyword", "Statement|Joining"), ("other", "")],
    "Emacs": [("comment", "comment"), ("string", "string"), ("unit", "doc-face"), ("keyword", "keyword-face"), ("other", "")],
}
WANTED = {"keyword": {"keyword"}, "string": {"string"}, "number": {"number"}, "unit": {"unit"},
          "name": {"other"}, "late": {"other", "keyword"}, "sign": {"other", "unit"}, "comment": {"comment"},
          "maybe": {"other", "unit", "number"}}


def places_of(model):
    """The tokens of a model as (line, column, kind, text), and one place in each comment."""
    shown = subprocess.run([drystone, "show", "--stage", "tokens", model], check=True, capture_output=True, text=True)
    lines = open(model, encoding="utf-8").read().split("\n")
    found, unit, last = [], False, ""
    for row in shown.stdout.splitlines():
        match = re.match(r" *(\d+):(\d+) +([a-z]+)(?: +(.*))?$", row)
        line, column, kind, text = int(match[1]), int(match[2]), match[3], match[4] or ""
        if kind in WANTED and column <= len(lines[line - 1]):
            behind = lines[line - 1][column - 1 + len(text):].lstrip()
            if (kind == "name" and text in late) or (kind == "keyword" and behind.startswith("=")):
                kind = "late"
            if kind == "number" and lines[line - 1][column - 1] in "\u00b2\u00b3":
                kind = "sign"
            if kind == "keyword" and not lines[line - 1].startswith(text, column - 1):
                continue  # a sign that stands for a word
            # After a vector, as in [0, 1] [m/s], what stands in brackets is a unit; the parser decides it.
            if kind == "sign" and text in "[]":
                unit = text == "[" and last in ("]", ")") and lines[line - 1][column - 2] == " "
            elif unit and kind in ("name", "number", "sign"):
                kind = "maybe"
            last = text
            if kind == "unit" and column < len(lines[line - 1]):
                column += 1  # behind the bracket
            found.append((line, column, kind, text))
    for number, line in enumerate(lines, 1):
        bare = re.sub(r'"[^"]*("|$)', lambda m: "x" * len(m[0]), line)
        if "#" in bare[:-1]:
            found.append((number, bare.index("#") + 2, "comment", ""))
    return found


places = {os.path.join(root, model): places_of(model) for model in models}
places_file = os.path.join(scratch, "places.json")
with open(places_file, "w", encoding="utf-8") as file:
    json.dump({name: [p[:2] for p in rows] for name, rows in places.items()}, file)


def textmate():
    return subprocess.run(["node", "tests/editors/textmate.js", "editors/vscode/syntaxes/drystone.tmLanguage.json", places_file],
                          check=True, capture_output=True, text=True).stdout


def vim():
    result = os.path.join(scratch, "vim.json")
    subprocess.run(["vim", "-es", "-N", "-u", "NONE", "-i", "NONE", "-n", "--cmd", "set runtimepath^=editors/vim",
                    "--cmd", f"let g:places = '{places_file}'", "--cmd", f"let g:found = '{result}'",
                    "-S", "tests/editors/classes.vim"], check=True, stdin=subprocess.DEVNULL)
    return open(result, encoding="utf-8").read()


def emacs():
    return subprocess.run(["emacs", "-Q", "--batch", "-L", "editors/emacs", "-l", "drystone-mode", "-l", "tests/editors/classes.el",
                           places_file], check=True, capture_output=True, text=True).stdout


failed = 0
for number, (editor, run) in enumerate({"TextMate": textmate, "Vim": vim, "Emacs": emacs}.items(), 1):
    wrong, many = [], 0
    try:
        found = json.loads(run())
    except subprocess.CalledProcessError as error:
        wrong.append(str(error) + "\n" + (error.stderr or ""))
        found = {name: [] for name in places}
    for name, rows in places.items():
        for (line, column, kind, text), given in zip(rows, found[name]):
            if editor == "Emacs" and kind == "number":
                continue  # Emacs leaves numbers plain
            many += 1
            meant = next(meaning for meaning, pattern in MEANINGS[editor] if re.search(pattern, given))
            if meant not in WANTED[kind]:
                wrong.append(f"{os.path.relpath(name, root)}:{line}:{column}: {kind} `{text}` is {given or 'plain'}")
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {number} - {editor}: {many} tokens of {len(places)} models are coloured as the compiler reads them")
    for row in wrong[:40]:
        print("# " + row)
    if len(wrong) > 40:
        print(f"# and {len(wrong) - 40} more")
print("1..3")
sys.exit(failed > 0)
