#!/bin/sh
# The guides keep their word: a law, a method and a set that are made in a copy of the tree by the examples of
# docs/contributing (one file and one row each) are refused exactly where their originals are, with the same message but
# for the name, and give the same numbers where they are taken. A row from which a fact is taken is refused.
set -eu
. tests/house/tap.sh

tree=$scratch/tree
drystone=$tree/build/drystone
mkdir "$tree"
cp -R CMakeLists.txt src include tools "$tree"
export XDG_CACHE_HOME="$scratch/cache"

# The lines of the example in a guide, applied to the copy.
follow() { # GUIDE
    sed -n '/^## An example/,$ { /^```sh$/,/^```$/p; }' "docs/contributing/$1.md" | grep -v '^```' >"$scratch/lines"
    [ -s "$scratch/lines" ] && (cd "$tree" && sh -eu "$scratch/lines")
}

build() {
    cmake --log-level=WARNING -S "$tree" -B "$tree/build" -DCMAKE_BUILD_TYPE=Debug &&
        cmake --build "$tree/build" -j 2 --target drystone
}

for guide in law method set; do check "the example of docs/contributing/$guide.md can be followed" follow "$guide"; done
check "the copy builds" build
[ -x "$drystone" ] || finish

# ---- models: LAW, SET and METHOD stand for names ------------------------------------------------------------------

equations() { # K beta STEP
    cat <<END
param M = 1 [kg], F = 0.5 [N]
state p = 0 [m], v = 0.3 [m/s]
fe = 0.4*cos(7*t)
f in F*SET(v) with law = LAW(K = $1 [N/m], beta = $2 [s])
p' = v
M*v' = fe - f - 20 [N/m]*p - 2 [N*s/m]*v
run until = 2 [s], step = $3 [s], method = METHOD
END
}
element() { # K beta STEP
    cat <<END
state p = 0 [m], v = 0.3 [m/s]
f = LAW(v, F = 0.5, K = $1, beta = $2)
p' = v
1 [kg]*v' = 0.4*cos(7*t) - f - 20 [N/m]*p - 2 [N*s/m]*v
run until = 2 [s], step = $3 [s], method = METHOD
END
}
parts() { # K beta STEP
    cat <<END
part mass = point_mass(mass = 1 [kg], v = 0.3 [m/s])
part coil = spring(K = 20 [N/m])
part friction = LAW(F = 0.5 [N], K = $1 [N/m], beta = $2 [s])
connect coil - mass
connect friction - mass
run until = 2 [s], step = $3 [s], method = METHOD
END
}
open_K() { # two frictions whose K is chosen for the step
    cat <<END
state v = 0.3 [m/s], w = -0.2 [m/s]
f in 0.5 [N]*SET(v) with law = LAW()
g in 0.2 [N]*SET(w - v) with law = LAW()
1 [kg]*v' = 0.4*cos(7*t) - f + g
0.2 [kg]*w' = -g
run until = 2 [s], step = 1e-3 [s], method = METHOD
END
}

write_model() { # FOLDER LAW SET METHOD COMMAND...
    folder=$scratch/$1 law=$2 set=$3 method=$4
    shift 4
    mkdir -p "$folder"
    "$@" | sed -e "s/LAW/$law/g" -e "s/SET/$set/g" -e "s/METHOD/$method/g" >"$folder/model.dry"
}

# What `check` says of the model, with the names of the originals; a caret is as long as the name.
verdict() { # FOLDER
    (cd "$scratch/$1" && "$drystone" check model.dry 2>&1; echo "exit $?") |
        sed -e 's/copycat/coulomb/g' -e 's/rubbing/coulomb/g' -e 's/rub(/sgn(/g' -e 's/kutta/rk4/g' -e 's/ *[|^~]*$//'
}

same_verdict() { # EXIT WORD: both have it
    verdict one >"$scratch/first"
    verdict two >"$scratch/second"
    cat "$scratch/first"
    diff "$scratch/first" "$scratch/second" && grep -q "^exit $1$" "$scratch/first" && grep -q -E -e "$2" "$scratch/first"
}
refused() { same_verdict 3 '\[unstable-(step|part)\]'; }
taken() { same_verdict 0 exit; }

numbers() { # FOLDER [OPTION...]
    folder=$scratch/$1
    shift
    (cd "$folder" && "$drystone" run model.dry --quiet --no-watch "$@" -o model.csv)
}

same_numbers() { # [OPTION...]
    numbers one "$@" && numbers two "$@" && [ "$(wc -l <"$scratch/one/model.csv")" -gt 20 ] &&
        cmp "$scratch/one/model.csv" "$scratch/two/model.csv"
}

pair() { # LAW SET METHOD COMMAND...: the model with the original and with the copy
    new_law=$1 new_set=$2 new_method=$3
    shift 3
    write_model one coulomb sgn "$old_method" "$@"
    write_model two "$new_law" "$new_set" "$new_method" "$@"
}

# ---- a law under another name, and a set with its law ----------------------------------------------------------------

for old_method in euler heun rk4 rk4-tau semi-implicit; do
    pair copycat sgn "$old_method" equations 1e7 1e-3 1e-3
    check "equations: copycat is refused as coulomb is, by $old_method" refused
    pair copycat sgn "$old_method" element 1e7 1e-3 1e-3
    check "an element: the same by $old_method" refused
    pair copycat sgn "$old_method" parts 1e7 1e-3 1e-3
    check "parts: the same by $old_method" refused
    pair rubbing rub "$old_method" equations 1e7 1e-3 1e-3
    check "a set of its own: the same by $old_method" refused
done

for old_method in euler rk4 rk4-tau semi-implicit dopri5 rodas4 rigid split; do
    pair copycat sgn "$old_method" equations 2e3 2e-3 5e-4
    check "equations: copycat has the numbers of coulomb, by $old_method" same_numbers --no-native
    pair rubbing rub "$old_method" equations 2e3 2e-3 5e-4
    check "a set of its own: the same by $old_method" same_numbers --no-native
    pair copycat sgn "$old_method" open_K
    check "K that is chosen: the same by $old_method" same_numbers --no-native
done
for old_method in rk4 semi-implicit dopri5; do
    pair copycat sgn "$old_method" parts 2e3 2e-3 5e-4
    check "parts: the same by $old_method" same_numbers --no-native
    pair rubbing rub "$old_method" equations 2e3 2e-3 5e-4
    check "native code: the same by $old_method" same_numbers --native
done

exported() { # FOLDER: a program that prints the run as CSV
    (cd "$scratch/$1" && rm -rf c && "$drystone" export model.dry --to c -o c && make -s -C c && c/model >export.csv)
}
same_export() { exported one && exported two && cmp "$scratch/one/export.csv" "$scratch/two/export.csv"; }
old_method=rk4
pair copycat sgn rk4 equations 2e3 2e-3 5e-4
check "an export: the same" same_export

# ---- a Runge-Kutta method ----------------------------------------------------------------------------------------------

# Kutta's 3/8 rule has the polynomial of the classical method, 1 + z + z^2/2 + z^3/6 + z^4/24.
for model in equations element parts; do
    pair coulomb sgn kutta "$model" 1e7 1e-3 1e-3
    check "$model: kutta is refused as rk4 is" refused
    pair coulomb sgn kutta "$model" 2e3 2e-3 5e-4
    check "$model: kutta is taken as rk4 is" taken
done

# x'' = -x from (1, 0) for 2 s. The error of a method of order 4 falls 16-fold with half the step.
write "$scratch/wave.dry" <<'END'
state x = 1, v = 0
x' = v*1 [1/s]
v' = -x*1 [1/s]
run until = 2 [s], step = 0.05 [s], method = kutta
END
wave() { # STEP
    "$drystone" run "$scratch/wave.dry" --quiet --no-watch --no-native --step "$1" -o "$scratch/wave.csv" &&
        tail -n 1 "$scratch/wave.csv" | cut -d, -f2
}
order() {
    coarse=$(wave 0.05) && fine=$(wave 0.025) || return
    echo "$coarse $fine" | awk '{ e = $1 - cos(2); f = $2 - cos(2); print e, f, e/f
        exit !(e*e < 1e-12 && e/f > 14.5 && e/f < 17.5) }'
}
check "kutta has order 4" order

bits() { # bytecode, native code and the export agree
    numbers two --no-native && cp "$scratch/two/model.csv" "$scratch/bytecode" && numbers two --native &&
        cmp "$scratch/bytecode" "$scratch/two/model.csv" && exported two && cmp "$scratch/bytecode" "$scratch/two/export.csv"
}
pair coulomb sgn kutta equations 2e3 2e-3 5e-4
check "kutta has the same bits as bytecode, native code and export" bits
listed() { "$drystone" run --help | grep -q 'dop853, kutta,' && "$drystone" export --help | grep -q 'semi-implicit, kutta'; }
check "it is listed where methods are" listed

# ---- rows that are not whole -------------------------------------------------------------------------------------------

# A fact is taken from a row, and put back after the look.
without() { # FILE SED-COMMAND MODEL...
    file=$tree/$1 edit=$2
    shift 2
    cp "$file" "$scratch/whole" && sed "$edit" "$scratch/whole" >"$file" && build || return 0
    status=0
    "$drystone" check "$@" || status=$?
    cp "$scratch/whole" "$file"
    return "$status"
}

whole=tests/lang/errors/incomplete-row.dry
check "a whole row is taken" "$drystone" check "$whole"
refuses "a law without what it is when stuck is refused" 'the law .coulomb. .* lacks .stuck. \[incomplete-row\]' \
    without src/law/coulomb.c '/^    \.stuck = /d' "$whole"
refuses "a method without its stability is refused" 'the method .rk4. .* lacks .stability. \[incomplete-row\]' \
    without src/ode/methods.def 's/"Kutta 1901", 4, 4, false, POLYNOMIAL/"Kutta 1901", 4, 4, false, UNSAID/' "$whole"
refuses "a set without its projection is refused" 'the set .sgn. .* lacks .project. \[incomplete-row\]' \
    without src/math/set_sgn.c '/^    \.project = /d' "$whole"

finish
