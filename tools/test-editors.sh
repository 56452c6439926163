#!/bin/sh
# Shows that the files of editors/ work in the editors: tokens of all models have the colours of their kinds in VS Code's
# tokenizer, in Vim and in Emacs (tests/editors/compare.py), Emacs compiles its files without a warning, and the extension
# of VS Code packs. Prints TAP.
#
#   tools/test-editors.sh BUILD
#
# Needs node, npm, vim, emacs and python3; what comes from npm goes into BUILD/editors.
set -eu
cd "$(dirname -- "$0")/.."
. tests/house/tap.sh
build=$(cd "$1" && pwd)
export PATH="/usr/bin:$PATH"

npm_folder=$build/editors
mkdir -p "$npm_folder"
cp tests/editors/package.json "$npm_folder/"
[ -d "$npm_folder/node_modules/vscode-textmate" ] || npm install --silent --no-fund --no-audit --prefix "$npm_folder" >&2
export NODE_PATH="$npm_folder/node_modules"

all_models() { find models tests/lang/features -name '*.dry' | LC_ALL=C sort; }
# shellcheck disable=SC2046  # no blanks in the names of models
check "each token of each model has the colour of its kind, in three editors" \
    python3 tests/editors/compare.py "$build/drystone" "$scratch" $(all_models)
sed 's/^/# /' "$scratch/log"

mkdir "$scratch/emacs"
cp editors/emacs/*.el "$scratch/emacs"
check "Emacs compiles its files without a warning" emacs -Q --batch -L "$scratch/emacs" \
    --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile "$scratch"/emacs/*.el
check "Emacs indents and comments as it should" emacs -Q --batch -L editors/emacs -l drystone-mode \
    -l tests/editors/edit.el -f ert-run-tests-batch-and-exit
check "Vim indents and comments as it should" vim -es -N -u NONE -i NONE -n --cmd 'set runtimepath^=editors/vim' \
    -S tests/editors/edit.vim
packed() { tools/vsix.sh "$build" && unzip -l "$build"/drystone-*.vsix | grep -q 'vscode-languageclient/package.json'; }
check "the extension of VS Code packs, with its client" packed
check "the client starts the server and shows its messages" node tests/editors/client.js "$build/drystone" "$build/vscode"

finish
