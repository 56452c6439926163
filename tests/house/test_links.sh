#!/bin/sh
# Links in the documents lead to a file that is there, and to a heading that it has.
set -eu
. tests/house/tap.sh

# A heading as the word behind # in a link.
headings() { # FILE
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

follow() { # FILE
    { grep -o ']([^)]*)' "$1" || :; } | sed -e 's/^](//' -e 's/)$//' | while read -r link; do
        case $link in *://*) continue ;; esac
        path=${link%%#*}
        target=$1
        [ -z "$path" ] || target=$(dirname -- "$1")/$path
        [ -e "$target" ] || { echo "$1: $link: there is no such file"; exit 1; }
        case $link in *#*) ;; *) continue ;; esac
        headings "$target" | grep -q -x -e "${link#*#}" || { echo "$1: $link: there is no such heading"; exit 1; }
    done
}

for document in ./*.md docs/*.md docs/*/*.md models/*/README.md bench/README.md bench/*/README.md; do
    [ ! -f "$document" ] || check "links of ${document#./}" follow "$document"
done

finish
