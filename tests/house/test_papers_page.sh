#!/bin/sh
# docs/papers.md has the rows of models/papers/statements.txt, and every model that a row names is there.
set -eu
. tests/house/tap.sh

same() {
    tools/papers-page.sh >"$scratch/page"
    diff docs/papers.md "$scratch/page" || { echo "tools/papers-page.sh >page && cp page docs/papers.md"; return 1; }
}

named() {
    grep -v '^#' models/papers/statements.txt | while IFS='|' read -r paper _ models _; do
        folder=${paper%% *}
        for model in $(echo "$models" | grep -oE '[A-Za-z0-9./-]*[a-z][0-9A-Za-z]*-[A-Za-z0-9./-]+'); do
            [ -f "models/papers/$folder/$model.dry" ] || { echo "$folder: there is no $model.dry"; exit 1; }
        done
    done
}

every() {
    for model in models/papers/*/*.dry models/papers/*/refused/*.dry; do
        stem=$(basename "$model" .dry)
        grep -v '^#' models/papers/statements.txt | grep -q -e "[ /]${stem}[ ,]" || { echo "$model: no row names it"; return 1; }
    done
}

check "the page has the rows of the table" same
check "the models that it names are there" named
linked() { # every model in a table leads to its file, which test_links.sh follows
    ! sed -n '/^<!-- statements/,/^<!-- end/p' docs/papers.md | grep -E '^\| [^|]*\|[^|]*(^|[^[])`[a-z./0-9]+-' &&
        grep -q -F '[`../xiong2013/fig05-bounce`](../models/papers/xiong2013/fig05-bounce.dry)' docs/papers.md
}
check "every model of the papers has a row" every
check "and a link to its file" linked
finish
