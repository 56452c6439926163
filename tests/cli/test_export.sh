#!/bin/sh
# drystone export: the folder compiles strictly and gives the bits of drystone run; and native code
# gives the bits of the bytecode.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
strict="-std=c99 -O2 -ffreestanding -ffp-contract=off -Wall -Wextra -Wconversion -Wdouble-promotion -Werror"

write "$scratch/drift.dry" <<'MODEL'
model drift "a title with */ and \ and ??/ in it"
param M = 1 [kg], F = 0.5 [N], double = 1, stdout = 1
state p = 0 [m], v = 0 [m/s]
fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)
f in F*sgn(v)    with K = 5e3 [N/m], beta = 2 [ms]
p' = v
M*v' = double*stdout*fe - f
run until = 5 [s], step = 1 [ms], method = rk4
MODEL
write "$scratch/laws.dry" <<'MODEL'
state v[5] = 0.2 [m/s], z = 0.001 [m], w = 0 [m/s], y = 0.001 [m], r = 0 [m/s], x = 0.001 [m], s = 0 [m/s], q[2] = [0.1 [m/s], 0.2 [m/s]]
a = multistate(v[1], N = 3, Fs = 2.7)
b = gms(v[2], N = 3)
c = lugre(v[3], F = 0.5, Fs = 0.7, K = 5e3, alpha = 1.5)
d = elastoplastic(v[4], F = 0.5, K = 5e3)
e = stribeck(v[5], F = 0.5, Fs = 0.7, vs = 1e-2, eps = 1e-3)
h = hunt_crossley(z, w)
j = gonthier(y, r)
k = zhang_sharf(x, s)
f in 0.5 [N]*sgn(q) with K = 5e3 [N/m], beta = 2 [ms]
1 [kg]*v' = -[a, b, c, d, e]
z' = w
1 [kg]*w' = h - 10 [N]
y' = r
1 [kg]*r' = j - 10 [N]
x' = s
1 [kg]*s' = k - 10 [N]
1 [kg]*q' = -f
run until = 0.2 [s], step = 0.02 [ms], record = 1 [ms]
MODEL

builds() { # COMPILER FOLDER
    # shellcheck disable=SC2086  # several flags
    "$1" $strict -o "$2/model" "$2/main.c" "$2/model.c" -lm
}
same_as_run() { # FILE FOLDER RUN-OPTION...
    file=$1 folder=$2
    shift 2
    "$folder/model" >"$scratch/exported.csv" && "$drystone" run "$file" --quiet --no-native -o "$scratch/run.csv" "$@" &&
        cmp "$scratch/exported.csv" "$scratch/run.csv"
}
near_run() { # FILE FOLDER: the last row of the single precision run
    "$2/model" >"$scratch/single.csv" && "$drystone" run "$1" --quiet --no-native -o "$scratch/run.csv" &&
        tail -n 1 "$scratch/single.csv" >"$scratch/both" && tail -n 1 "$scratch/run.csv" >>"$scratch/both" &&
        cat "$scratch/both" && awk -F, 'NR == 1 { x = $2 } NR == 2 { exit !((x - $2)/$2 < 1e-3 && ($2 - x)/$2 < 1e-3) }' "$scratch/both"
}
native_is_bytecode() { # FILE RUN-OPTION...
    file=$1
    shift
    "$drystone" run "$file" --native -o "$scratch/native.csv" "$@" | grep -q 'native code$' &&
        "$drystone" run "$file" --no-native -o "$scratch/run.csv" "$@" | grep -q 'bytecode$' &&
        cmp "$scratch/native.csv" "$scratch/run.csv"
}

compilers=
for compiler in gcc clang; do if have $compiler; then compilers="$compilers $compiler"; fi; done
for case in drift laws; do
    file=$scratch/$case.dry
    check "$case: export" "$drystone" export "$file" --to c -o "$scratch/$case"
    check "$case: export in single precision" "$drystone" export "$file" -o "$scratch/$case-float" --float
    for compiler in $compilers; do
        check "$case: strict $compiler" builds "$compiler" "$scratch/$case"
        check "$case: the bits of run, $compiler" same_as_run "$file" "$scratch/$case"
        check "$case: strict $compiler in single precision" builds "$compiler" "$scratch/$case-float"
    done
done
if [ -n "$compilers" ]; then
    check "drift: single precision is near" near_run "$scratch/drift.dry" "$scratch/drift-float"
    for method in euler heun rk4-tau semi-implicit; do
        check "$method: export over an export" "$drystone" export "$scratch/drift.dry" -o "$scratch/drift" --method $method --step 5e-4
        check "$method: make" make -C "$scratch/drift" CC="${compilers##* }"
        check "$method: the bits of run" same_as_run "$scratch/drift.dry" "$scratch/drift" --method $method --step 5e-4
    done
fi

# ---- the method of the file, and what measures need -------------------------------------------------

write "$scratch/rigid.dry" <<'MODEL'
param M = 1 [kg], k = 10 [N/m], aside = 3 [m]
state p = 1 [m], v = 0 [m/s]
f in 0.5 [N]*sgn(v)
p' = v
M*v' = -k*p - f
run until = 0.5 [s], step = 1 [ms], method = rigid
plot p/aside
measure way = final(p)
measure top = max(p)
expect way < aside
MODEL
sed 's/rigid/rodas4/' "$scratch/rigid.dry" >"$scratch/stiff.dry"
notes() { # PATTERN ARGUMENT...: export succeeds with this note on stderr
    pattern=$1
    shift
    "$drystone" export "$@" 2>"$scratch/notes" && cat "$scratch/notes" && grep -q -e "$pattern" "$scratch/notes"
}
check "rigid becomes rk4, with a note" notes '^note: .* rigid, .* the export has rk4 with steps of 0.001 s' "$scratch/rigid.dry" -o "$scratch/rigid"
check "with the K that it does without" grep -q 'f: K = .*(from the step' "$scratch/notes"
check "rodas4 too" notes '^note: .* rodas4, chooses its steps, and' "$scratch/stiff.dry" -o "$scratch/stiff"
check "at the step that is asked for" notes 'steps of 0.0005 s' "$scratch/stiff.dry" --step 5e-4 -o "$scratch/stiff"
check "a method that is asked for needs no note" sh -c '[ -z "$("$1" export "$2" --method heun --no-watch -o "$3" 2>&1 >/dev/null)" ]' sh "$drystone" "$scratch/rigid.dry" "$scratch/heun"
fields() { sed -n '/^typedef struct model_par/,/^}/p' "$1/model.h"; }
check "what the equations need is a parameter" sh -c 'grep -q "M; /\* kg" "$1/model.h" && grep -q "k; /\* N/m" "$1/model.h"' sh "$scratch/rigid"
lean() { fields "$1" && [ "$(fields "$1" | grep -c model_real)" = 4 ] && ! grep -q 'defaults.*NAN' "$1/model.c"; } # M, k, f.K, f.beta
check "what only measures and plots need is none" lean "$scratch/rigid"
check "nor an output" grep -q 'MODEL_OUTPUTS = 1,' "$scratch/rigid/model.h"
if [ -n "$compilers" ]; then
    check "it compiles strictly" builds "${compilers##* }" "$scratch/rigid"
    check "and gives the bits of rk4" same_as_run "$scratch/rigid.dry" "$scratch/rigid" --method rk4
fi
in_cplusplus() {
    echo '#include "model.h"
int main() { model m; model_init(&m, 0); return model_step(&m, 1e-3); }' >"$1/other.cpp" &&
        "${compilers##* }" -std=c99 -O2 -c -o "$1/model.o" "$1/model.c" &&
        g++ -Wall -Wextra -Werror -o "$1/other" "$1/other.cpp" "$1/model.o" -lm && "$1/other"
}
if [ -n "$compilers" ] && have g++; then check "C++ calls it" in_cplusplus "$scratch/rigid"; fi

# ---- a controller in a loop that is not ours ---------------------------------------------------------

# A slide of 20 kg on the friction of XD (4.13), by Runge-Kutta with two steps of the controller each, in a PD loop: the
# exported C gives r, r', r'' and the force u at the beginning, in the middle and at the end of each step. Prints the rms of
# r - x from 5 to 20 s in m, without u and with it.
write "$scratch/loop.c" <<'PROGRAM'
#include "controller.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
enum { ELEMENTS = 10, STATES = 3 + ELEMENTS };
typedef struct { double r, r_dot, r_ddot, u; } wish;
static double named(const double *y, const char *name) {
    for (int i = 0; i < CONTROLLER_OUTPUTS; i++)
        if (strcmp(controller_output_names[i], name) == 0) return y[i];
    return NAN;
}
static wish ask(const controller *c) {
    double y[CONTROLLER_OUTPUTS];
    controller_output(c, y);
    return (wish){named(y, "r"), named(y, "r_dot"), named(y, "r_ddot"), named(y, "u")};
}
static void rates(const double *s, const wish *w, double aided, double *rate) {
    const double x = s[0], v = s[1], level = s[2];
    double f = 0.0;
    for (int i = 0; i < ELEMENTS; i++) {
        const double elastic = 5e6 / (i + 1) * s[3 + i];
        const double one = fmax(-0.1 * level, fmin(0.1 * level, elastic + 2e4 * v));
        rate[3 + i] = (one - elastic) / 2e4;
        f += one;
    }
    rate[2] = (1.0 + 1.5 * exp(-(v / 5e-6) * (v / 5e-6)) - level) / 0.02;
    rate[0] = v;
    rate[1] = (1e6 * (w->r - x) + 4e5 * (w->r_dot - v) + 20.0 * w->r_ddot + aided * w->u - f) / 20.0;
}
static double error(double aided) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const double h = 2e-5;
    double s[STATES] = {0.0, 0.0, 2.5}, squares = 0.0;
    controller c;
    controller_init(&c, 0);
    wish w[3] = {{0}, {0}, ask(&c)};
    for (long n = 0; n < 500000; n++) {
        double y[STATES], k[STATES] = {0}, sum[STATES] = {0};
        w[0] = w[2];
        for (int half = 1; half <= 2; half++) {
            if (controller_step(&c, h) != 0) return NAN;
            w[half] = ask(&c);
        }
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < STATES; j++) y[j] = s[j] + at[stage] * 2.0 * h * k[j];
            rates(y, &w[(stage + 1) / 2], aided, k);
            for (int j = 0; j < STATES; j++) sum[j] += weight[stage] * k[j];
        }
        for (int j = 0; j < STATES; j++) s[j] += 2.0 * h * sum[j];
        if (n >= 125000) squares += (w[2].r - s[0]) * (w[2].r - s[0]);
    }
    return sqrt(squares / 375000.0);
}
int main(void) {
    printf("%.9g %.9g\n", error(0.0), error(1.0));
    return 0;
}
PROGRAM
closes() { # COMPILER: and what models/classics/friction-compensation.dry expects of the loop
    "$1" -std=c99 -O2 -Wall -Wextra -Werror -I "$scratch/controller" -o "$scratch/loop" "$scratch/loop.c" \
        "$scratch/controller/controller.c" -lm && "$scratch/loop" >"$scratch/errors" && cat "$scratch/errors" &&
        awk '{ exit !($1 > 0.83474e-6 && $1 < 0.83494e-6 && $2 >= 0 && $2 < 1e-12) }' "$scratch/errors"
}
check "friction-compensation gives its numbers by dop853 too" "$drystone" run models/classics/friction-compensation.dry --method dop853 --quiet
if [ -n "$compilers" ]; then
    check "a controller is exported" "$drystone" export models/classics/friction-feedforward.dry -o "$scratch/controller" --prefix controller
    check "it compensates the friction of a slide" closes "${compilers##* }"
fi

# ---- names ----------------------------------------------------------------------------------------

check "another prefix" "$drystone" export "$scratch/drift.dry" -o "$scratch/gear" --prefix gear
named() { [ "$(cd "$1" && echo *)" = "Makefile README.md gear.c gear.h main.c" ] && grep -q 'int gear_step(gear \*m, gear_real h);' "$1/gear.h"; }
check "files and symbols have it" named "$scratch/gear"
refuses "a prefix is a name of C" "not a name in C" "$drystone" export "$scratch/drift.dry" -o "$scratch/x" --prefix 2x
refuses "that means nothing else" "has another meaning" "$drystone" export "$scratch/drift.dry" -o "$scratch/x" --prefix main

mkdir "$scratch/full"
echo mine >"$scratch/full/model.h"
write "$scratch/huge.dry" <<'MODEL'
state x = 1
x' = 1e40*x*1e-40 [1/s]
run until = 1 [s], step = 1 [ms]
MODEL
# What the samples of this model see does not hang on rounding, in any precision: none of its columns wrong_* leaves 0.
none_is_wrong() { # [--float]
    rm -rf "$scratch/jumps"
    "$drystone" export tests/lang/features/samples-at-jumps.dry --no-watch -o "$scratch/jumps" "$@" &&
        make -C "$scratch/jumps" CC="${compilers##* }" && "$scratch/jumps/model" >"$scratch/jumps.csv" &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^wrong_/) is[i] = 1 }
            NR > 1 { for (i in is) { n++; if ($i != 0) exit 1 } }
            END { exit !(n == 5*601) }' "$scratch/jumps.csv"
}
if [ -n "$compilers" ]; then
    check "exported samples see jumps at their instants" none_is_wrong
    check "in single precision, too" none_is_wrong --float
fi
refuses "a constant that a float cannot hold is refused" '1e+40 is beyond the range of single precision' "$drystone" export "$scratch/huge.dry" -o "$scratch/huge" --float
check "and exported in double precision" "$drystone" export "$scratch/huge.dry" -o "$scratch/huge"
refuses "a folder with other files is refused" 'has other files' "$drystone" export "$scratch/drift.dry" -o "$scratch/full"
check "and left alone" grep -q '^mine$' "$scratch/full/model.h"
refuses "a file in the way is refused" 'a file has the name' "$drystone" export "$scratch/drift.dry" -o "$scratch/drift.dry"
refuses "a missing parent is explained" 'create the folder above' "$drystone" export "$scratch/drift.dry" -o "$scratch/no/where"
refuses "another language is refused" "no export to 'fortran'" "$drystone" export "$scratch/drift.dry" --to fortran -o "$scratch/x"
refuses "an adaptive method is refused" 'not a fixed-step method' "$drystone" export "$scratch/drift.dry" --method dopri5 -o "$scratch/x"
refuses "a folder has to be named" 'which folder' "$drystone" export "$scratch/drift.dry"
refuses "a wrong model is refused" 'error' "$drystone" export "$scratch/full/model.h" -o "$scratch/x"

if have "${CC:-cc}"; then
    check "native code gives the bits of the bytecode" native_is_bytecode "$scratch/drift.dry"
    check "from the cache, too" native_is_bytecode "$scratch/drift.dry"
    check "native code with laws" native_is_bytecode "$scratch/laws.dry"
    check "native code with an adaptive method" native_is_bytecode "$scratch/drift.dry" --method dopri5
fi
refuses "--native without a compiler is explained" "no program '/no/such/cc'" \
    env CC=/no/such/cc "$drystone" run "$scratch/drift.dry" --native
gives_many() { # more words than a compiler is given: none is dropped without a word
    ended=0
    env CC="cc$(printf ' -w%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)" "$drystone" run "$scratch/drift.dry" --native \
        2>"$scratch/stderr" || ended=$?
    [ "$ended" != 0 ] && grep -q 'CC has more than 16 words' "$scratch/stderr"
}
check "a compiler of too many words is refused" gives_many
check "without --native it runs all the same" env CC=/no/such/cc "$drystone" run "$scratch/drift.dry" --step 1e-5
refuses "--native and --no-native exclude each other" 'cannot be combined' \
    "$drystone" run "$scratch/drift.dry" --native --no-native

finish
