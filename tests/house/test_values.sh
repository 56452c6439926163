#!/bin/sh
# Text and parts meet by values: the rooms that understand, check and compile a model do not take names apart that we
# have printed. So no call there looks for a sign in a text, but for the uses below.
set -eu
. tests/house/tap.sh

# FILE CALL COUNT, and why.
allowed() {
    sed 's/ *#.*//' <<'END'
src/lang/expr.c strcspn 1            # a unit as the text writes it: m2 for m^2
src/lang/part_values.c strcspn 3     # settings that the user gives: -p ball[2].mass, -p ball.p[1]
src/lang/part_values.c strchr 1
src/lang/records.c strrchr 1         # the heading of a column as the user writes it: t_ms
src/model/latex.c strrchr 1          # a name of an included file is printed in another way
src/model/latex.c strchr 1           # so is a member of the text with a dot
src/model/mathml.c strrchr 1
src/model/mathml.c strchr 1          # a member of the text with a dot is printed in another way
src/model/place.c strchr 2           # names of parameters as the user writes them: x[2], pin.K
src/model/place.c strcspn 2
src/model/model.c strchr 1           # lines of the text, for messages
src/model/model.c strcspn 1
src/model/notation.c strchr 1        # signs of the text
src/net/build_names.c strchr 1       # v[2] as the author of a part or the user writes it
src/net/build_names.c strcspn 2      # ball.v of a program that uses names in place of indices
END
}

uses() { # ROOT
    (cd "$1" && find src/net src/lang src/check src/design src/model -name '*.[ch]' | sort |
        xargs grep -noE '\b(strcspn|strchr|strrchr|sscanf|strtok)\(') | sed 's/:[0-9]*:/ /; s/($//' | sort | uniq -c |
        awk '{ print $2, $3, $1 }'
}

clean() { # ROOT: nothing but what is allowed, and all of that
    uses "$1" >"$scratch/uses"
    allowed | sort >"$scratch/allowed"
    sort "$scratch/uses" | diff "$scratch/allowed" - && return
    echo "> takes a text apart: use the index of the part or port (net.h); < is not there any more"
    return 1
}

planted() { # FILE CODE: a call at the end of a file is found
    rm -rf "$scratch/copy"
    mkdir "$scratch/copy"
    cp -r src "$scratch/copy/"
    echo "$2" >>"$scratch/copy/$1"
    clean "$scratch/copy"
}

check "no name that we have printed is taken apart" clean .
refuses "the head of a name is" "src/check/push_step.c strcspn" planted src/check/push_step.c \
    'static size_t head(const char *name) { return strcspn(name, "."); }'
refuses "so is its end, where other calls are allowed" "src/lang/part_values.c strchr" planted src/lang/part_values.c \
    'static const char *end(const char *name) { return strchr(name, 0x2e); }'

finish
