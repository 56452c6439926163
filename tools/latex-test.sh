#!/bin/sh
# Gives the LaTeX of every model to pdflatex: the equations that it becomes and its inclusion.
#
#   tools/latex-test.sh BUILD
#
# Prints TAP, one line for each model. All of them are one document, BUILD/latex/all.pdf, for which pdflatex names
# the file of each error.
set -eu
cd "$(dirname -- "$0")/.."
build=${1-build}
out=$build/latex
mkdir -p "$out"
rm -f "$out"/*.tex

forms='latex inclusion'
models=$(find models docs/laws tests/lang/features tests/web -name '*.dry' | sort)
name_of() { echo "$1" | tr '/.' '--'; }

{
    printf '%s\n' '\documentclass{article}' '\usepackage{amsmath}' '\allowdisplaybreaks' '\begin{document}'
    for model in $models; do
        for form in $forms; do
            name=$(name_of "$model")-$form
            "$build/drystone" show --as "$form" "$model" >"$out/$name.tex" 2>"$out/$name.said" || rm "$out/$name.tex"
            [ ! -e "$out/$name.tex" ] || printf '\\input{%s}\n' "$name.tex"
        done
    done
    printf '%s\n' '\end{document}'
} >"$out/all.tex"

(cd "$out" && max_print_line=1000 pdflatex -interaction=nonstopmode -file-line-error all.tex >log 2>&1) || :

# What is wrong with the LaTeX of a model: `file:line: what`.
wrong() { # NAME
    [ -e "$out/$1.tex" ] || { echo "drystone show: $(head -n 1 "$out/$1.said")"; return; }
    grep -aF "./$1.tex:" "$out/log" || :
}

n=0 failed=0
for model in $models; do
    n=$((n + 1))
    : >"$out/found"
    for form in $forms; do wrong "$(name_of "$model")-$form" >>"$out/found"; done
    if [ -s "$out/found" ]; then
        failed=1
        echo "not ok $n - $model"
        sed 's/^/# /' "$out/found" | head -n 5
    else
        echo "ok $n - $model"
    fi
done
document() { # NAME PATTERN-OF-A-FAULT PATTERN
    n=$((n + 1))
    if ! grep -aq "$2" "$out/log" && grep -aq "$3" "$out/log"; then
        echo "ok $n - $1"
    else
        failed=1
        echo "not ok $n - $1"
        { grep -a "$2" "$out/log" || tail -n 20 "$out/log"; } | sed 's/^/# /'
    fi
}
document "pdflatex writes all.pdf" '^! ' '^Output written on all.pdf'
document "with every letter" '^Missing character' .
echo "1..$n"
exit "$failed"
