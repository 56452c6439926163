#!/bin/sh
# One word has one meaning (glossary in docs/house.md): the other meanings that some words once had do not come back.
set -eu
. tests/house/tap.sh

# PATTERN of grep -E # what to write.
other_meanings() {
    cat <<'END_OF_ROWS'
\<(told|tells?|telling)\> # say, give, list or distinguish
\<hash tables? # hash: a table has numbers over others
\<table of (the |all )?(laws|methods|sets|kinds|functions|messages|units|verbs|rooms) # catalogue: a table has numbers over others
\<(hard|mechanical) stops? # end stop: at a stop a run ends
\<sources? of (energy|work|power|torque) # feed: a source is a text
^ *\.source = *" # paper: a source is a text
\<in the place of\> # instead of
\<(has|have) (it|them) not\> # does not have
\<belongs? into\> # belongs in
← before|after → # previous and next
END_OF_ROWS
}

# Texts of ours, as names of files below ROOT.
files() { # ROOT
    (cd "$1" && find README.md CONTRIBUTING.md src include docs man models tools -type f \
        \( -name '*.[ch]' -o -name '*.def' -o -name '*.in' -o -name '*.md' -o -name '*.dry' -o -name '*.js' -o -name '*.sh' \
        -o -name '*.awk' -o -name '*.1' \) | sort)
}

clean() { # ROOT: no word is used in another meaning
    files "$1" >"$scratch/files"
    [ "$(wc -l <"$scratch/files")" -gt 700 ] || { echo "the files are not read"; return 1; }
    other_meanings | while read -r row; do
        (cd "$1" && xargs grep -nE "${row% # *}" <"$scratch/files") | sed "s/\$/  <- write ${row##* # }/" || true
    done >"$scratch/uses"
    cat "$scratch/uses"
    [ ! -s "$scratch/uses" ]
}

planted() { # FILE LINE: a line at the end of a file is found
    cp "$1" "$scratch/tree/$1" && echo "$2" >>"$scratch/tree/$1" || return 1
    status=0
    clean "$scratch/tree" || status=$?
    cp "$1" "$scratch/tree/$1"
    return "$status"
}

check "no word is used in another meaning" clean .

mkdir "$scratch/tree"
cp -R README.md CONTRIBUTING.md src include docs man models tools "$scratch/tree"
check "a copy of the tree passes" clean "$scratch/tree"
refuses "a comment that tells is found" "src/cli/rows.c:.* <- write say" planted src/cli/rows.c '/* The user is told. */'
refuses "a source of energy, too" "docs/parts.md:.* <- write feed" planted docs/parts.md 'A motor is a source of energy.'
refuses "so is the paper of a row as its source" "src/law/coulomb.c:.* <- write paper" planted src/law/coulomb.c \
    '    .source = "Coulomb 1785",'

refuses "so is the order of words of another language" "docs/parts.md:.* <- write does not have" planted docs/parts.md \
    'This build has it not.'

# Words whose meaning says that there are two: "of a model: ...; of a machine: ...".
twofold() { # FILE
    sed -n '/^### Glossary/,/^## /p' "$1" | awk -F '|' '/^[|] / {
        n = split($3, half, ";")
        for (i = 2; i <= n; i++) if (half[1] ~ /^ (of|in) an? [a-z ]*[:,]/ && half[i] ~ /^ (of|in) an? [a-z ]*[:,]/) print $2
    }' >"$scratch/two"
    cat "$scratch/two"
    [ ! -s "$scratch/two" ]
}

check "no word of the glossary has two meanings" twofold docs/house.md
sed 's/^| stop |.*/| stop | of a model: where its run ends; of a machine: a part |/' docs/house.md >"$scratch/house.md"
refuses "one that has is found" '^# *stop\|^ stop' twofold "$scratch/house.md"

finish
