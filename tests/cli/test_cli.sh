#!/bin/sh
# The command as its users meet it: help, laws, messages, exit codes, and output that cannot be written.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

gives "help lists the verbs" 0 stdout '^  laws  *list the friction and contact laws' --help
gives "help is a verb too" 0 stdout '^  laws  *list the friction and contact laws' help
gives "a verb has its help" 0 stdout '^usage: drystone laws \[OPTION...\] \[LAW...\]' laws --help
gives "help of a verb by help" 0 stdout '^usage: drystone laws \[OPTION...\] \[LAW...\]' help laws
gives "no verb is bad usage" 2 stderr '^usage: drystone VERB'
gives "a wrong verb is explained" 2 stderr "^drystone: there is no verb 'lwas'; did you mean 'laws'?" lwas
gives "a strange verb too" 2 stderr "^drystone: there is no verb 'zzzzzz'; 'drystone --help' lists" zzzzzz
gives "a wrong option is explained" 2 stderr "^drystone: 'drystone laws' has no option --hepl; did you mean --help?" laws --hepl
gives "too many words are bad usage" 2 stderr "'now' is one too many" version now
gives "version tells version" 0 stdout "^drystone $(sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p' include/drystone/core.h)\$" --version
gives "version tells the compiler" 0 stdout '^  compiler  [a-z]* [0-9]' --version
gives "version tells about HDF5" 0 stdout '^  HDF5  *\(yes\|no\)$' --version
gives "version tells about PNG" 0 stdout '^  PNG  *\(yes\|no\)$' --version
gives "version tells about SUNDIALS" 0 stdout '^  SUNDIALS  *\(yes\|no\)$' --version

gives "laws lists the catalogue" 0 stdout '^lugre  *friction  *LuGre' laws
gives "a law shows its equation" 0 stdout 'a_dot' laws lugre
gives "a law shows parameters with units and range" 0 stdout '^    K  *= [0-9.e+]* \[N/m\]  *> 0 ' laws lugre
gives "a law as a page" 0 stdout '^| .K. | .5000 \[N/m\]. | .> 0. |' laws --markdown lugre
gives "the catalogue as a table with links" 0 stdout '^| \[.lugre.\](lugre.md) | friction |' laws --markdown
gives "a law shows its states with units and meaning" 0 stdout '^    a\[dim\]  *\[m\]  deflection of the bristles' laws lugre
gives "a law shows its paper" 0 stdout '^paper' laws lugre
gives "several laws at once" 0 stdout '^dahl: ' laws lugre dahl
gives "a wrong law is explained" 2 stderr "^drystone: there is no law 'LuGr'; did you mean 'lugre'?" laws LuGr

every_law_has_a_page() {
    "$drystone" laws | awk '{ print $1 }' >"$scratch/names"
    [ -s "$scratch/names" ] && while read -r law; do
        "$drystone" laws "$law" | grep -q "^$law: " || { echo "no page: $law"; return 1; }
    done <"$scratch/names"
}
check "every law has a page" every_law_has_a_page

columns_are_aligned() { # the kinds begin in one column
    "$drystone" laws | awk '{ at = match($0, /  (friction|contact|frictional contact) /); if (!at) exit 1
        end = at + 2; if (NR > 1 && end != before) exit 1; before = end }'
}
check "columns are aligned" columns_are_aligned

unwritable() { # STDOUT
    ended=0
    "$drystone" laws 2>"$scratch/stderr" >"$1" || ended=$?
    cat "$scratch/stderr"
    [ "$ended" = 4 ] && grep -q '^drystone: could not write all of the output' "$scratch/stderr"
}
closed() {
    ended=0
    "$drystone" laws 2>"$scratch/stderr" >&- || ended=$?
    cat "$scratch/stderr"
    [ "$ended" = 4 ]
}
closed_pipe() { # VERB: the reader is gone before the first byte
    mkfifo "$scratch/pipe"
    exec 9<>"$scratch/pipe"
    exec 8>"$scratch/pipe" 9<&-
    ended=0
    "$drystone" "$1" >&8 2>"$scratch/stderr" || ended=$?
    exec 8>&-
    rm "$scratch/pipe"
    cat "$scratch/stderr"
    [ "$ended" = 4 ] && grep -q 'could not write all of the output: Broken pipe' "$scratch/stderr"
}
if [ -c /dev/full ]; then
    check "a full disk is reported" unwritable /dev/full
fi
check "a closed output is reported" closed
check "a reader that left is reported" closed_pipe version
check "also if it left in the middle" closed_pipe laws

# ---- exit codes -----------------------------------------------------------------------------------

codes() { "$drystone" help | awk '/^exit codes$/ { on = 1; next } on { code = $1; sub(/^ *[0-9]+ +/, ""); print "| " code " | " $0 " |" }'; }
listed() { # each row of the help is one of the page
    codes | while read -r row; do
        tr -d '`' <docs/language.md | grep -qxF -e "$row" || { echo "docs/language.md lacks: $row"; return 1; }
    done
}
check "the help tells the exit codes, also that of an interrupt" test "$(codes | grep -c '^| [0-9]* | ..*')" = 6
check "and docs/language.md the same" listed

# ---- settings with units, and whole vectors ---------------------------------------------------------

cat >"$scratch/set.dry" <<'END'
param M = 1 [kg], F = 0.5 [N], x = [1, 2, 3] [m]
state v = 0 [m/s]
M*v' = F
run until = 1 [s], step = 0.25 [s]
measure end = final(v)
measure all = x[1] + 10*x[2] + 100*x[3] + final(0*v*(1 [s]))
END
gives "-p M=2kg" 0 stdout "end  *= 0.25 m/s" run "$scratch/set.dry" -p M=2kg
gives "-p M=2000g" 0 stdout "end  *= 0.25 m/s" run "$scratch/set.dry" -p M=2000g
gives "-p 'F=250 [mN]'" 0 stdout "end  *= 0.25 m/s" run "$scratch/set.dry" -p 'F=250 [mN]'
gives "a bare number is in SI" 0 stdout "end  *= 0.25 m/s" run "$scratch/set.dry" -p F=0.25
gives "-p x=[3,2,1]" 0 stdout "all  *= 123 m" run "$scratch/set.dry" -p x=[3,2,1]
gives "-p 'x=[3, 2, 1] [km]'" 0 stdout "all  *= 123000 m" run "$scratch/set.dry" -p 'x=[3, 2, 1] [km]'
gives "-p x[2]=5" 0 stdout "all  *= 351 m" run "$scratch/set.dry" -p 'x[2]=5'
gives "an unknown unit is a mistake of the line" 2 stderr 'M=2kgg: there is no unit `kgg`' \
    run "$scratch/set.dry" -p M=2kgg
gives "a unit of another dimension is told at the parameter" 3 stderr "set.dry:1:7: error.*setting-dimension" \
    run "$scratch/set.dry" -p M=2N
gives "so is a wrong length" 3 stderr "set.dry:1:32: error.*vector of 3.*vector of 2" \
    run "$scratch/set.dry" -p x=[1,2]
gives "a vector and its element are one parameter" 2 stderr "given twice" \
    run "$scratch/set.dry" -p x=[1,2,3] -p 'x[2]=5'

# ---- ranges of parameters ---------------------------------------------------------------------------

cat >"$scratch/range.dry" <<'END'
param mu = 0.3 in 0..1, K = 1e4 [N/m] in 1e3..1e6
state v = 0 [m/s]
v' = mu*(1 [m/s^2])
run until = 1 [s], step = 0.25 [s]
measure end = final(v)
END
gives "a value within its range runs" 0 stdout "end  *= 1 m/s" run "$scratch/range.dry" -p mu=1
gives "a value outside is refused" 3 stderr "range.dry:1:7: error: the parameter .mu. is 1.5, outside its range 0 .. 1" \
    run "$scratch/range.dry" -p mu=1.5
gives "with its unit" 3 stderr "is 2e+06 N/m, outside its range 1000 .. 1e+06 N/m" run "$scratch/range.dry" -p K=2kN/mm
gives "show prints ranges" 0 stdout "  K = 10000 N/m in 1000 .. 1e+06 N/m" show "$scratch/range.dry"
gives "so does the tree" 0 stdout "to: number 1000000 \[N/m\]" show "$scratch/range.dry" --stage tree
"$drystone" run "$scratch/range.dry" --report "$scratch/range.html" >/dev/null 2>&1
check "and the page of a report" grep -q "in 1000 .. 1e+06" "$scratch/range.html"

finish
