#!/bin/sh
# What editors know of the language is what the tables of the compiler say; their files are whole, and of this version.
# `make test-editors` shows what the editors make of them.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
grammar=editors/vscode/syntaxes/drystone.tmLanguage.json
export PATH="/usr/bin:$PATH"

fresh() { # EDITOR FILE
    tools/editor-words.sh "$DRY_BUILD" "$1" | diff - "$2" || { echo "run: tools/editor-words.sh BUILD $1 >$2"; false; }
}
for row in "vscode $grammar" "vim editors/vim/syntax/drystone.vim" "emacs editors/emacs/drystone-words.el"; do
    check "${row#* } is what tools/editor-words.sh prints" fresh "${row% *}" "${row#* }"
done

# Independent of the tool that printed them: every word of the tables is in each file, between signs.
knows_all() { # FILE
    "$drystone" lsp --words | cut -f 3 | LC_ALL=C sort -u >"$scratch/words"
    [ "$(wc -l <"$scratch/words")" -gt 200 ] || { echo "the words are not listed"; return 1; }
    LC_ALL=C grep -a -o -E '[A-Za-z_][A-Za-z_0-9-]*|%|[^ -~]+' "$1" | LC_ALL=C sort -u >"$scratch/known"
    LC_ALL=C comm -23 "$scratch/words" "$scratch/known" >"$scratch/unknown"
    cat "$scratch/unknown"
    [ ! -s "$scratch/unknown" ]
}
for file in "$grammar" editors/vim/syntax/drystone.vim editors/emacs/drystone-words.el; do
    check "$file has every word of the language" knows_all "$file"
done
sed 's/lugre|//' "$grammar" >"$scratch/less"
refuses "a word that is missing is found" lugre knows_all "$scratch/less"

# The colours themselves, by the words of the grammar in Python's regular expressions, which lack \x{370} only.
write "$scratch/look.py" <<'PYTHON'
import json, re, subprocess, sys

drystone = sys.argv[1]
folder = "editors/vscode/"
grammar = json.load(open(folder + "syntaxes/drystone.tmLanguage.json"))
package = json.load(open(folder + "package.json"))
json.load(open(folder + "language-configuration.json"))
snippets = json.load(open(folder + "snippets/drystone.json"))

def rules(node):
    for key, value in node.items():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, dict):
                yield from rules(child)
            elif key == "match":
                yield child
for rule in rules(grammar):
    re.compile(re.sub(r"\\x\{([0-9A-F]+)\}", lambda m: chr(int(m[1], 16)), rule))
for row in grammar["patterns"]:
    assert row["include"][1:] in grammar["repository"], row
contributes = package["contributes"]
for path in [package["main"], contributes["grammars"][0]["path"], contributes["snippets"][0]["path"],
             contributes["languages"][0]["configuration"]]:
    open(folder + path).close()
for kind in ("dependencies", "devDependencies"):
    for name, version in package[kind].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name + " is not pinned"

# A snippet with its own words in its places is a text that compiles, in a model that has what it needs.
head = "param F = 1 [N], M = 1 [kg]\nstate p = 0 [m], v = 0 [m/s]\np' = v\nM*v' = -F%s\n"
for name, snippet in snippets.items():
    text = "\n".join(snippet["body"])
    text = re.sub(r"\$\{\d+:((?:[^{}])*)\}|\$\d+", lambda m: m[1] or "", text) + "\n"
    acts = "".join(" %s %s" % ("-" if set_ == "sgn" else "+", force)  # friction against the motion, contact with it
                   for force, set_ in re.findall(r"^(\w+) in .*?\b(sgn|dio)\(", text, re.M))
    whole = text if snippet["prefix"] == "model" else head % acts + text
    if "run until" not in whole:
        whole += "run until = 1 [s], step = 1 [ms]\n"
    done = subprocess.run([drystone, "check", "-"], input=whole, capture_output=True, text=True)
    assert done.returncode == 0, name + ":\n" + whole + done.stdout + done.stderr
print(len(snippets), "snippets")
PYTHON
if have python3; then
    check "the extension of VS Code is whole, and its snippets compile" python3 "$scratch/look.py" "$drystone"
    sed 's/sgn(/sign(/' editors/vscode/snippets/drystone.json >"$scratch/snippets.json"
    wrong_snippet() { sed "s#folder + \"snippets/drystone.json\"#\"$scratch/snippets.json\"#" "$scratch/look.py" >"$scratch/wrong.py" && python3 "$scratch/wrong.py" "$drystone"; }
    refuses "a snippet that does not compile is found" 'AssertionError' wrong_snippet
fi

finish
