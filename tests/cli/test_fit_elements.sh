#!/bin/sh
# `drystone fit --elements`: elements that a record of force over position shows, as lines for a text; `--report`: the page.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

# Two elements, 40 N/mm up to 0.05 mm and 10 N/mm up to 0.2 mm: three cycles of a triangle of 0.3 mm by stop operators.
awk 'function stop(s, limit) { return s > limit ? limit : s < -limit ? -limit : s }
    BEGIN { print "t [s],way [mm],force [N],other [K]"; was = 0
        for (i = 0; i <= 1200; i++) {
            p = i % 400; x = p < 100 ? p : p < 300 ? 200 - p : p - 400; x *= 0.003
            a = stop(a + x - was, 0.05); b = stop(b + x - was, 0.2); was = x
            printf "%.3f,%.6f,%.9f,300\n", 0.01*i, x, 40*a + 10*b } }' >"$scratch/loop.csv"
loop=$scratch/loop.csv
elements() { "$drystone" fit "$loop" --position "way [mm]" --friction force "$@"; }

gives "it finds both" 0 stdout '^   1  4e+04 N/m in .*, slips at 5e-05 m in .*, level 2 N$' \
    fit "$loop" --elements 2 --position "way [mm]" --friction force
gives "and their order" 0 stdout '^   2  1e+04 N/m in .*, slips at 0.0002 m in .*, level 2 N$' \
    fit "$loop" --elements 2 --position way --friction "force [N]"
gives "it says how many the data see" 0 stdout '^  the data see 2: ' fit "$loop" --elements seen --position way --friction force
gives "rows may be chosen" 0 stdout '^  the data see 2: ' \
    fit "$loop" --elements 2 --position way --friction force --between 4:12

# What it prints runs: the two sticks together are 50 N/mm, and both slip at 4 N.
text_runs() {
    { elements --elements 2 | sed '1,/^$/d' | sed 's/beta = 1 \[ms\]/beta = 0.01 [ms]/'
      printf 'v = if t < 0.01 then 1 [mm/s] else 100 [mm/s]\nrun until = 0.05 [s], step = 2 [us], method = rk4\n'
      printf 'measure early = max(f from 0 to 0.0099)\nexpect early = 0.495 [N] +- 2 [mN]\nexpect final(f) = 4 [N] +- 1 [mN]\n'; } >"$scratch/text.dry"
    "$drystone" run "$scratch/text.dry" --no-watch --quiet
}
check "the lines that it prints run, with the force of these elements" text_runs
one_runs() {
    { elements --elements 1 | sed '1,/^$/d'; printf 'v = 1 [mm/s]\nrun until = 1 [s], step = 1 [ms], method = rk4\n'
      printf 'expect final(f) > 3 [N]\n'; } >"$scratch/one.dry"
    "$drystone" run "$scratch/one.dry" --no-watch --quiet
}
check "so do those of one element" one_runs

gives "no position" 2 stderr '--elements needs --position "COLUMN \[mm\]"' fit "$loop" --elements 2 --friction force
gives "no such column" 2 stderr 'has no column place; it has t, way, force, other' \
    fit "$loop" --elements 2 --position place --friction force
gives "a column of another unit" 2 stderr 'other is in \[K\], but --friction takes one in \[N\]' \
    fit "$loop" --elements 2 --position way --friction other
gives "a unit that is none" 2 stderr 'is in \[parsec\]' fit "$loop" --elements 2 --position "way [parsec]" --friction force
gives "a bracket too few" 2 stderr 'takes a column with its unit' fit "$loop" --elements 2 --position "way [mm" --friction force
gives "no number" 2 stderr 'takes a number from 1 to 40, or `seen`' fit "$loop" --elements 2.5 --position way --friction force
gives "times that are none" 2 stderr '--between takes two times' \
    fit "$loop" --elements 2 --position way --friction force --between 4
gives "no rows between" 2 stderr '0 rows are too few' \
    fit "$loop" --elements 2 --position way --friction force --between 100:200
gives "no file" 2 stderr 'none.csv' fit "$scratch/none.csv" --elements 2 --position way --friction force
gives "options of a fit" 2 stderr '--starts does not go with --elements' fit "$loop" --elements 2 --starts 3
gives "options of elements in a fit" 2 stderr '--position goes with --elements' fit "$loop" --position way

# ---- the page of a fit -----------------------------------------------------------------------------

write "$scratch/slide.dry" <<'MODEL'
param F = 0.8 [N] in 0.1..10
state p = 0 [m], v = 400 [mm/s]
f in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]
p' = v
2 [kg]*v' = -f
output p against "log.csv" column "pos" [mm]
free F log
run until = 1.4 [s], step = 0.2 [ms]
MODEL
awk 'BEGIN { print "t [s],pos [mm]"; for (i = 0; i <= 70; i++) { t = 0.02*i
    print t "," 1000*(0.4*t - 0.125*t*t) + ((i*7919) % 13 - 6)*0.05 } }' >"$scratch/log.csv"

page() {
    "$drystone" fit "$scratch/slide.dry" --quiet --hold-out last:20% --report "$scratch/fit.html" -o "$scratch/fitted.dry" &&
        for words in '<h1>Fit of ' 'p: measured and model' 'p: residuals over the speed' 'autocorrelation' '<h2>Residuals' \
            'drystone fit .*slide.dry --quiet --hold-out last:20% --report' 'param F = 0\.[45]'; do
            grep -q -e "$words" "$scratch/fit.html" || { echo "lacks $words"; return 1; }
        done
}
check "--report writes a page with pictures, the text and the command" page
gives "a page of another ending" 2 stderr 'the ending must be .html' fit "$scratch/slide.dry" --report "$scratch/fit.txt"

finish
