#!/bin/sh
# Links in the documents lead to a file that exists and to a heading that it has; paths and names in backquotes exist.
set -eu
. tests/house/tap.sh

# A heading as a link writes it after its #.
headings() { # FILE
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

# Blocks of text that a page shows have brackets of their own, as in N_[-h, h](q).
outside_blocks() { # FILE
    awk '/^ *```/ { inside = !inside; next } !inside' "$1"
}

follow() { # FILE
    { outside_blocks "$1" | grep -o ']([^)]*)' || :; } | sed -e 's/^](//' -e 's/)$//' | while read -r link; do
        case $link in *://*) continue ;; esac
        path=${link%%#*}
        target=$1
        [ -z "$path" ] || target=$(dirname -- "$1")/$path
        [ -e "$target" ] || { echo "$1: $link: there is no such file"; exit 1; }
        case $link in *#*) ;; *) continue ;; esac
        headings "$target" | grep -q -x -e "${link#*#}" || { echo "$1: $link: there is no such heading"; exit 1; }
    done
}

for document in ./*.md docs/*.md docs/*/*.md models/*/README.md tests/reference/README.md bench/README.md bench/*/README.md; do
    [ ! -f "$document" ] || check "links of ${document#./}" follow "$document"
done

# Paths of our own in backquotes lead to a file or a folder, or to a file that a block of the page makes; `*` stands for any
# name. A name in capitals, as in `src/cli/cmd_NAME.c`, and one as in `src/<room>` are for the reader to fill in.
paths() { # FILE
    page=$1
    { grep -o -E '`(src|include|tests|tools|examples|bench)/[^` ]*' "$1" || :; } | tr -d '`' | sort -u | while read -r path; do
        case $path in *NAME* | *PAPER* | *WORD* | *ROOM* | *VERB* | *'<'*) continue ;; esac
        grep -q -E -e ">$path( |\$)|^cp .* $path\$" "$page" && continue
        # shellcheck disable=SC2086 # the shell fills in the *
        set -- $path
        [ -e "$1" ] || { echo "$path: there is no such file"; exit 1; }
    done
}

# Functions and types of ours in backquotes stand in a header or a source; so do those that begin so, as in `dry_account_*`.
words() { # FILE
    { grep -o -E '`dry_[a-z0-9_]+' "$1" || :; } | tr -d '`' | sort -u | while read -r word; do
        case $word in *__id) continue ;; esac # for the reader to fill in
        grep -q -r -F -e "$word" include src || { echo "$word: nothing has this name"; exit 1; }
    done
}

for document in ./*.md docs/*.md docs/*/*.md models/*/README.md tests/reference/README.md bench/README.md; do
    [ -f "$document" ] || continue
    check "paths of ${document#./}" paths "$document"
    case $document in ./CHANGELOG.md) continue ;; esac # it also has names of the past
    check "names of ${document#./}" words "$document"
done
# shellcheck disable=SC2016 # backquotes as they stand in a page
printf 'See `src/gone/away.c` and `dry_gone_away`.\n' >"$scratch/page.md"
refuses "a path that leads nowhere is found" 'src/gone/away.c: there is no such file' paths "$scratch/page.md"
refuses "so is a name that nothing has" 'dry_gone_away: nothing has this name' words "$scratch/page.md"

finish
