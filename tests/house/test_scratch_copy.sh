#!/bin/sh
# The guides keep their word. The ten guides of docs/contributing to the changes that a maintainer makes are followed
# one after the other in one copy of the tree: each touches the files that it lists and no others. The copy is built
# once, and each change does there what its guide promises. A law, a method and a set that are copies are refused
# exactly where their originals are, with the same message but for the name, and give the same numbers where they are
# taken. A row that lacks a fact is refused.
set -eu
. tests/house/tap.sh

tree=$scratch/tree
drystone=$tree/build/drystone
mkdir "$tree"
cp -R CMakeLists.txt src include tools tests docs "$tree"
export XDG_CACHE_HOME="$scratch/cache"

# ---- ten guides, one copy -------------------------------------------------------------------------------------------

# The lines of the example in a guide, applied to the copy; the tree as it was before is kept.
follow() { # GUIDE
    rm -rf "$scratch/before"
    cp -R "$tree" "$scratch/before"
    sed -n '/^```sh$/,/^```$/p' "docs/contributing/$1.md" | grep -v '^```' >"$scratch/lines"
    [ -s "$scratch/lines" ] && (cd "$tree" && sh -eu "$scratch/lines")
}

# The paragraph of a guide that begins with **Touches: N files**.
touches() { sed -n '/^\*\*Touches: /,/^$/p' "$1" | tr '\n' ' '; } # PAGE

# The files that differ from the tree before are those that the guide lists. It says how many of them are neither tests
# nor pages, and so does CONTRIBUTING.md.
touched() { # GUIDE [PAGE]
    page=${2-docs/contributing/$1.md}
    touches "$page" | grep -o '`[^`]*`' | tr -d '`' | sort >"$scratch/listed"
    (cd "$scratch" && diff -rq before tree || [ $? = 1 ]) |
        sed -n -e 's/^Files before\/\(.*\) and .* differ$/\1/p' -e 's/^Only in tree\/*\(.*\): \(.*\)$/\1\/\2/p' \
            -e 's/^Only in before.*/& (gone)/p' | sort >"$scratch/changed"
    count=$(grep -c -v -E '^(tests|docs)/' "$scratch/changed")
    said="$count file"
    [ "$count" = 1 ] || said="${said}s"
    echo "$said:"
    cat "$scratch/changed"
    diff "$scratch/listed" "$scratch/changed" && touches "$page" | grep -q -F "**Touches: $said**" &&
        grep -q -F "](docs/contributing/$1.md)** | $said " CONTRIBUTING.md
}

for guide in law method set function unit format part option check design; do
    check "the example of docs/contributing/$guide.md can be followed" follow "$guide"
    check "it touches the files that it lists" touched "$guide"
done
sed 's/^\*\*Touches: 1 file/**Touches: 2 files/' docs/contributing/design.md >"$scratch/wrong.md"
refuses "a guide with a wrong number is found" '^1 file:' touched design "$scratch/wrong.md"
sed 's/^\(\*\*Touches: .*\)methods\.def/\1ode.c/' docs/contributing/design.md >"$scratch/wrong.md"
refuses "a guide with a wrong list is found" '^< src/ode/ode.c' touched design "$scratch/wrong.md"

# Rows from which a fact is taken, beside the others.
incomplete() {
    sed -e 's/"coulomb"/"halflaw"/' -e 's/dry_law__coulomb/dry_law__halflaw/' -e '/^    \.stuck = /d' \
        src/law/coulomb.c >"$tree/src/law/halflaw.c"
    sed -e 's/"coulomb"/"halfset_law"/' -e 's/dry_law__coulomb/dry_law__halfset_law/' -e 's/"sgn"/"halfset"/' \
        src/law/coulomb.c >"$tree/src/law/halfset_law.c"
    printf 'DRY_LAW(halflaw)\nDRY_LAW(halfset_law)\n' >>"$tree/src/law/laws.def"
    sed -e 's/"sgn"/"halfset"/' -e 's/dry_set__sgn/dry_set__halfset/' -e '/^    \.project = /d' \
        src/math/set_sgn.c >"$tree/src/math/set_halfset.c"
    echo 'DRY_SET(halfset)' >>"$tree/src/math/sets.def"
    echo 'METHOD(rk4, "halfstep", "half a row", "Kutta 1901", 4, 4, false, UNSAID, 0.0, 2.0, 1.0, 1.2)' \
        >>"$tree/src/ode/methods.def"
}
incomplete

# The command, and the tests that go through the rows of functions and messages.
build() {
    cmake --log-level=WARNING -S "$tree" -B "$tree/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
        -DDRYSTONE_BENCH=OFF -DDRYSTONE_CMOCKA=OFF &&
        cmake --build "$tree/build" -j 2 --target drystone graph_test_ops lang_test_messages
}
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
        sed -e 's/copycat/coulomb/g' -e 's/relaxed_rub/coulomb/g' -e 's/rub(/sgn(/g' -e 's/kutta/rk4/g' -e 's/ *[|^~]*$//'
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

# ---- a law under another name, and a set with the law of the build ----------------------------------------------------------------

for old_method in euler heun rk4 rk4-tau semi-implicit; do
    pair copycat sgn "$old_method" equations 1e7 1e-3 1e-3
    check "equations: copycat is refused as coulomb is, by $old_method" refused
    pair copycat sgn "$old_method" element 1e7 1e-3 1e-3
    check "an element: the same by $old_method" refused
    pair copycat sgn "$old_method" parts 1e7 1e-3 1e-3
    check "parts: the same by $old_method" refused
    pair relaxed_rub rub "$old_method" equations 1e7 1e-3 1e-3
    check "a set of its own: the same by $old_method" refused
done

for old_method in euler rk4 rk4-tau semi-implicit dopri5 rodas4 rigid split; do
    pair copycat sgn "$old_method" equations 2e3 2e-3 5e-4
    check "equations: copycat has the numbers of coulomb, by $old_method" same_numbers --no-native
    pair relaxed_rub rub "$old_method" equations 2e3 2e-3 5e-4
    check "a set of its own: the same by $old_method" same_numbers --no-native
    pair copycat sgn "$old_method" open_K
    check "K that is chosen: the same by $old_method" same_numbers --no-native
done
for old_method in rk4 semi-implicit dopri5; do
    pair copycat sgn "$old_method" parts 2e3 2e-3 5e-4
    check "parts: the same by $old_method" same_numbers --no-native
    pair relaxed_rub rub "$old_method" equations 2e3 2e-3 5e-4
    check "native code: the same by $old_method" same_numbers --native
done

exported() { # FOLDER: a program that prints the run as CSV
    (cd "$scratch/$1" && rm -rf c && "$drystone" export model.dry --to c -o c && make -s -C c && c/model >export.csv)
}
same_export() { exported one && exported two && cmp "$scratch/one/export.csv" "$scratch/two/export.csv"; }
old_method=rk4
pair copycat sgn rk4 equations 2e3 2e-3 5e-4
check "an export: the same" same_export
pair relaxed_rub rub rk4 equations 2e3 2e-3 5e-4
check "an export of a set of its own: the same" same_export
plane() { # a set in the plane, whose K is chosen
    cat <<END
state x[2] = [0.3, -0.2] [m/s]
f in 0.5 [N]*SET(x)
1 [kg]*x' = [0.4*cos(7*t), 0.3] - f
run until = 2 [s], step = 1e-3 [s], method = METHOD
END
}
for old_method in rk4 dopri5 rigid; do
    pair relaxed_rub rub "$old_method" plane
    check "in the plane: the same by $old_method" same_numbers --no-native
done
old_method=rk4

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
listed() { "$drystone" run --help | grep -q 'dop853, kutta,' && "$drystone" export --help | grep -q 'dop853, kutta,'; }
check "it is listed where methods are" listed

# ---- a function, a unit ----------------------------------------------------------------------------------------------

# Lines of a CSV as `name value`: the last row.
last() { # MODEL [OPTION...]
    model=$1
    shift
    "$drystone" run "$model" --quiet --no-watch "$@" -o "$scratch/last.csv" &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*/, "", $i); name[i] = $i } }
            { row = $0 } END { n = split(row, value, ","); for (i = 1; i <= n; i++) print name[i], value[i] }' \
            "$scratch/last.csv"
}
is() { # NAME VALUE TOLERANCE: in the lines of `last` on the input
    awk -v name="$1" -v want="$2" -v tolerance="$3" '
        $1 == name { found = 1; print name " = " $2 ", wanted " want
            if (($2 - want)^2 <= tolerance^2) good = 1 }
        END { exit !(found && good) }'
}

# sinh(log 2) = 3/4; the rate of asinh(t) is 1/sqrt(1 + t^2).
write "$scratch/function.dry" <<'END'
state x = 0
x' = 1 [1/s]
y = asinh(0.75*x)
run until = 1 [s], step = 1 [ms], method = rk4
END
function_value() { last "$scratch/function.dry" "$1" | is y 0.693147180559945309 1e-12; }
check "asinh(3/4) is log(2) in bytecode" function_value --no-native
check "and in native code" function_value --native
check "its derivative, its bounds and its row pass the tests of all functions" "$tree/build/tests/graph_test_ops"
arcsinh() { sed 's/asinh/arcsinh/' "$scratch/function.dry" >"$scratch/arcsinh.dry" && "$drystone" check "$scratch/arcsinh.dry"; }
refuses "its name in other languages leads to it" 'write asinh(x)' arcsinh

# A mile is 1609.344 m and an hour 3600 s, by definition.
write "$scratch/unit.dry" <<'END'
param v = 10 [mph]
state x = 0 [m]
x' = v
run until = 1 [h], step = 1 [min], method = euler
END
unit_value() { last "$scratch/unit.dry" | is x 16093.44 1e-7; }
check "10 mph are 16093.44 m in an hour" unit_value
unit_wrong() { sed 's/mph/kmph/' "$scratch/unit.dry" >"$scratch/kmph.dry" && "$drystone" check "$scratch/kmph.dry"; }
refuses "it takes no prefix, and is listed among the units" 'the units are m g .* lbf mph' unit_wrong

# ---- an output format --------------------------------------------------------------------------------------------------

write "$scratch/few.dry" <<'END'
state x = 0 [m], y = 1
x' = 2 [m/s]
y' = 0*y/(1 [s])
run until = 1 [s], step = 0.5 [s], record = 0.5 [s], method = euler
END
jsonl() {
    "$drystone" run "$scratch/few.dry" --quiet --no-watch -o "$scratch/few.jsonl" && cat "$scratch/few.jsonl" &&
        printf '{"t": %s, "x": %s, "y": 1}\n' 0 0 0.5 1 1 2 | cmp - "$scratch/few.jsonl"
}
check "a run is written as JSON lines" jsonl
refuses "they are not read" 'JSON lines are not read' "$drystone" plot "$scratch/few.jsonl"
refuses "the ending is listed" 'must be .csv, .h5, .hdf5 or .jsonl' "$drystone" run "$scratch/few.dry" -o "$scratch/few.xls"

# ---- a kind of part ------------------------------------------------------------------------------------------------------

# m v' = -c v^2 has v = v0/(1 + c v0 t/m), p = m/c log(1 + c v0 t/m): with c v0/m = 1.5 1/s and t = 2 s a quarter of 3 m/s,
# and 2 log(4) m.
write "$scratch/part.dry" <<'END'
part mass = point_mass(mass = 2 [kg], v = 3 [m/s])
part air = drag(c = 1)
connect air - mass
run until = 2 [s], step = 1 [ms], method = rk4
END
motion() {
    last "$scratch/part.dry" >"$scratch/motion" && cat "$scratch/motion" && is mass.v 0.75 1e-9 <"$scratch/motion" &&
        is mass.p 2.772588722239781 1e-9 <"$scratch/motion"
}
check "a body slows down as its drag says" motion
part_listed() { "$drystone" parts drag | grep -q 'f = -c |v| v'; }
check "it is listed where kinds are" part_listed
part_wrong() { sed 's/c = 1/c = -1/' "$scratch/part.dry" >"$scratch/push.dry" && "$drystone" check "$scratch/push.dry"; }
refuses "a key out of its range is refused" 'air: c must not be negative, not -1' part_wrong

# ---- an option -----------------------------------------------------------------------------------------------------------

quiet() {
    [ "$("$drystone" check "$scratch/few.dry")" = "$scratch/few.dry: fine" ] &&
        [ -z "$("$drystone" check --quiet "$scratch/few.dry")" ] &&
        "$drystone" check --help | grep -q -e '--quiet  *print nothing about models that are fine'
}
check "check --quiet is quiet and is in the help" quiet
refuses "another verb does not take it" "quiet" "$drystone" laws --quiet

# ---- a check -------------------------------------------------------------------------------------------------------------

still=tests/lang/errors/still-state.dry
warned() {
    (cd "$tree" && "$drystone" check "$still") >"$scratch/warned" 2>&1
    cat "$scratch/warned"
    [ "$(grep -c 'warning' "$scratch/warned")" = 1 ] &&
        grep -q "^$still:2:.*warning: the rate of .x. is 0: it never moves \[still-state\]" "$scratch/warned"
}
check "a state that never moves is told" warned
check "its file and its page pass the tests of all messages" "$tree/build/tests/lang_test_messages"

# ---- how K is chosen -----------------------------------------------------------------------------------------------------

# K = kappa m/T^2 with m = 2 kg, T = 1 ms: kappa is 1.8 for heun and 2 for rk4 (methods.def); the guide halves the first.
write "$scratch/chosen.dry" <<'END'
state v = 0.3 [m/s]
f in 0.5 [N]*sgn(v)
2 [kg]*v' = -f
run until = 1 [s], step = 1 [ms], method = heun
END
chosen() { # COMMAND METHOD K
    "$1" run "$scratch/chosen.dry" --method "$2" --no-watch >"$scratch/summary" && grep 'coulomb' "$scratch/summary" &&
        grep -q -F " K = $3, " "$scratch/summary"
}
check "K of heun is 1.8 m/T^2 in this tree" chosen "$DRY_BUILD/drystone" heun 3.6e+06
check "it is half of that in the copy" chosen "$drystone" heun 1.8e+06
check "K of rk4 is the same in both" chosen "$drystone" rk4 4e+06

# ---- rows that are not whole -------------------------------------------------------------------------------------------

whole=tests/lang/errors/incomplete-row.dry
without() { # SED-COMMAND: the model with another row
    sed "$1" "$whole" >"$scratch/half.dry" && "$drystone" check "$scratch/half.dry"
}
check "a whole row is taken" without 's/with K = 1e4 \[N\/m\], beta = 1 \[ms\]/with law = copycat(K = 1e4 [N\/m], beta = 1 [ms])/'
refuses "a law without what it is when stuck is refused" 'the law .halflaw. .* lacks .stuck. \[incomplete-row\]' \
    without 's/with \(K = .*\)$/with law = halflaw(\1)/'
refuses "a method without its stability is refused" 'the method .halfstep. .* lacks .stability. \[incomplete-row\]' \
    without 's/^run .*/&, method = halfstep/'
refuses "a set without its projection is refused" 'the set .halfset. .* lacks .project. \[incomplete-row\]' \
    without 's/sgn(/halfset(/'

finish
