#!/bin/sh
# No room asks for the name of a law, a method or a set: what others need to know stands in the row. So no string in the
# sources is such a name, but for the tables themselves and the uses below, which name what they are made of and compare
# nothing.
set -eu
. tests/house/tap.sh

# FILE NAME, and why.
allowed() {
    sed 's/ *#.*//' <<'END'
src/net/kind_stop.c contact                # a stop is two contacts of the catalogue: their energy and kinks
src/net/kind_backlash.c backlash           # the kind of a part, not the set
src/urdf/joints.c contact                  # so is the limit of a joint
src/body/joint.c coulomb                   # what a free axis of a joint rubs by
src/body/contact.c frictional_contact      # the law of each point of contact: its check
src/body/contact_eval.c frictional_contact # its energy
src/body/contact.c contact                 # the kind of a part, not the law
src/body/contact_choose.c semi-implicit    # the method that can do least stands for one that nobody named
src/cli/robot_text.c rk4                   # methods that are written into a new model
src/cli/robot_text.c rodas4
src/cli/law_page.c contact                 # a kind of law in words
src/graph/ops.def sgn                      # what sign(v) is taken for if it is meant as friction
src/urdf/joints.c coulomb                  # what a joint rubs by
src/graph/print.c coulomb                  # an instruction of the bytecode
src/graph/print.c contact
END
}

# The names in the tables of a tree; rows of methods in stiff and rigid begin with `.row = {.name` and `[...] = {.name`.
names() { # ROOT
    sed -n 's/^DRY_LAW(\(.*\))$/\1/p' "$1/src/law/laws.def"
    sed -n 's/^DRY_SET(\(.*\))$/\1/p' "$1/src/math/sets.def"
    sed -n 's/^METHOD([^,]*, "\([^"]*\)".*/\1/p' "$1/src/ode/methods.def"
    sed -n 's/.*[]w] = {\.name = "\([a-z0-9-]*\)",$/\1/p' "$1/src/rigid/methods.c" "$1/src/stiff/control.c" "$1/src/stiff/cvode.c"
}

# The rows: laws and sets in files of their own, methods in three tables.
is_table='^src/law/[a-z_]*\.c:[0-9]*: *\.(name|set|part) =|^src/math/set_[a-z_]*\.c:[0-9]*: *\.name =|^src/ode/methods\.def:'
is_table="$is_table|^src/rigid/methods\\.c:[0-9]*:.*[]w] = \\{\\.name =|^src/stiff/(control|cvode)\\.c:[0-9]*:.*[]w] = \\{\\.name ="

# Sources without comments, each line with its file and number. The text of laws for exports is printed from src/law.
# shellcheck disable=SC2016  # awk has its own dollars
strip='
    FNR == 1 { inside = 0 }
    {
        line = ""; text = $0; quoted = 0
        while (length(text)) {
            two = substr(text, 1, 2); one = substr(text, 1, 1)
            if (inside) { if (two == "*/") { inside = 0; text = substr(text, 3) } else text = substr(text, 2); continue }
            if (quoted && one == "\\") { line = line two; text = substr(text, 3); continue }
            if (one == "\"") quoted = !quoted
            if (!quoted && two == "/*") { inside = 1; text = substr(text, 3); continue }
            line = line one; text = substr(text, 2)
        }
        if (line ~ /"/) print FILENAME ":" FNR ":" line
    }'

# FILE NAME of every string that is a name, outside of the tables.
uses() { # ROOT
    all=$(names "$1" | sort -u | tr '\n' '|' | sed 's/|$//')
    [ "$(names "$1" | wc -l)" -ge 29 ] || { echo "the tables are not read"; return 1; }
    (cd "$1" && find src include -name '*.[ch]' -o -name '*.def' | sort |
        xargs awk "$strip") | grep -v -E "$is_table" |
        awk -F: -v pattern="^($all)$" '{
            file = $1; text = $0
            while (match(text, /"[^"]*"/)) {
                word = substr(text, RSTART + 1, RLENGTH - 2); text = substr(text, RSTART + RLENGTH)
                if (word ~ pattern) print file, word
            }
        }' | sort -u
}

clean() { # ROOT: nothing but what is allowed, and all of that
    uses "$1" >"$scratch/uses" || { cat "$scratch/uses"; return 1; }
    allowed | sort >"$scratch/allowed"
    diff "$scratch/allowed" "$scratch/uses" && return
    echo "> asks for a name: let the row say what you want to know (docs/house.md); < is not there any more"
    return 1
}

planted() { # FILE CODE: a comparison at the end of a file is found
    cp "$1" "$scratch/tree/$1" && echo "$2" >>"$scratch/tree/$1" || return 1
    status=0
    clean "$scratch/tree" || status=$?
    cp "$1" "$scratch/tree/$1"
    return "$status"
}

check "no room asks for the name of a law, a method or a set" clean .

mkdir "$scratch/tree"
cp -R src include "$scratch/tree"
check "a copy of the sources passes" clean "$scratch/tree"
refuses "a law's name in report" "^> src/report/phases.c coulomb" \
    planted src/report/phases.c 'static bool p(const dry_law *law) { return !strcmp(law->name, "coulomb"); }'
refuses "a method's name in net" "^> src/net/run_march.c semi-implicit" \
    planted src/net/run_march.c 'static bool p(const char *name) { return name == dry_method_find("semi-implicit")->name; }'
refuses "a set's name in a header" "^> include/drystone/rigid.h dio" \
    planted include/drystone/rigid.h '#define IS_DIO(set) (strcmp((set)->name, "dio") == 0)'
refuses "a method of another room" "^> src/model/run.c rodas4" \
    planted src/model/run.c 'static int p(const char *name) { return strcmp(name, "rodas4") /* or "rk4" */; }'
check "a name in a comment is none" planted src/net/run_march.c '/* "coulomb" */'

# Words of the glossary, one on a line.
words() { # FILE
    sed -n '/^### Glossary/,/^## /p' "$1" | awk -F '|' '/^[|] / && $2 !~ /^ word / {
        n = split($2, word, ",")
        for (i = 1; i <= n; i++) { gsub(/^ +| +$/, "", word[i]); print word[i] }
    }'
}
once() { # FILE
    words "$1" | sort | uniq -d >"$scratch/twice"
    [ "$(words "$1" | wc -l)" -gt 40 ] && [ ! -s "$scratch/twice" ] && return
    echo "in the glossary twice: $(cat "$scratch/twice")"
    return 1
}
check "a word has one meaning in the glossary" once docs/house.md
sed '/^| input |/s/.*/&\n| stepper, input | twice |/' docs/house.md >"$scratch/house.md"
refuses "one that stands there twice is found" 'twice: input' once "$scratch/house.md"

finish
