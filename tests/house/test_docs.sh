#!/bin/sh
# The pages are true: every command that a page shows runs, and prints what the page shows.
#
# A page shows a model as a block `dry NAME`, a program or a model of ours as `c examples/NAME` or `dry examples/NAME`, which its
# commands find by this name, commands with their output as `console`:
# tests/house/docs_blocks.awk. Numbers may differ by one unit of their last digit: tests/house/docs_same.awk. A command
# fails exactly if the page shows an error. Pictures in docs/img have the words of those that the commands draw.
set -eu
. tests/house/tap.sh

root=$PWD
build=$(CDPATH='' cd -- "$DRY_BUILD" && pwd)
PATH=$build:$PATH
export XDG_CACHE_HOME="$scratch/cache" # without the native code of earlier runs

# What a command prints, as one sees it: the output, then what it says about it.
prints() { # NUMBER
    status=0
    sh "$1.sh" >"$1.out" 2>"$1.err" </dev/null || status=$?
    cat "$1.out" "$1.err" >"$1.got"
    cat "$1.got"
    shown=0
    if grep -q -e 'error: ' -e 'NOT MET' -e '^drystone: ' "$1.want"; then shown=1; fi
    [ $((status != 0)) = $shown ] || { echo "exit code $status"; return 1; }
    awk -f "$root/tests/house/docs_same.awk" "$1.want" "$1.got"
}

words_of() { grep -o '<text.*' "$1" | sed -e 's/<[^>]*>//g'; } # a picture's
alike() { # PICTURE PICTURE
    words_of "$1" >old.words
    words_of "$2" >new.words
    diff old.words new.words
}

page() { # FILE
    stem=$(basename "$1" .md)
    mkdir -p "$scratch/$stem/examples"
    ln -s "$root/models" "$scratch/$stem/models"
    ln -s "$build" "$scratch/$stem/build"
    awk -v into="$scratch/$stem" -f tests/house/docs_blocks.awk "$1" >"$scratch/$stem/list"
    cd "$scratch/$stem"
    sed -n 's/^same //p' list | while read -r which; do ln -s "$root/$which" "$which"; done
    while read -r what which command; do
        case $what in
        run) check "$stem: $command" prints "$which" ;;
        same) check "$stem: $which is as the page shows it" diff "$root/$which" "$which.shown" ;;
        esac
    done <list
    for picture in *.svg; do
        [ ! -f "$root/docs/img/$picture" ] ||
            check "$stem: docs/img/$picture is what the command draws" alike "$root/docs/img/$picture" "$picture"
    done
    cd "$root"
}

for document in docs/*.md; do
    if grep -q '^```console' "$document"; then page "$document"; fi
done

# Files that these pages name, by a path or by the end of one, are there, or the page has a line that makes them (`>FILE`).
named() { # PAGE
    grep -o '`[a-z0-9_/.-]*\.\(c\|h\|def\|sh\|js\|css\|bash\)`' "$1" | tr -d '`' | sort -u | while read -r file; do
        [ -e "$file" ] || [ -n "$(find src include tests tools examples -path "*/$file")" ] || grep -q -F ">$file" "$1" ||
            { echo "$file: there is no such file"; exit 1; }
    done
}
for document in docs/tour.md docs/capi.md docs/report.md docs/contributing/*.md; do
    check "files that $document names" named "$document"
done

finish
