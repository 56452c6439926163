#!/bin/sh
# Models with parts, from the command: the kinds, threads, and what is for equations alone.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

gives "parts lists the kinds" 0 stdout '^point_mass  *Point mass' parts
gives "gravity is one of them" 0 stdout '^gravity ' parts
gives "a kind shows its keys with units" 0 stdout '^    mass  *needed \[kg\]  *> 0 ' parts point_mass
gives "a key can be a word" 0 stdout '^    axis  *a word ' parts arm
gives "a key that nothing chooses has none" 0 stdout '^    radius  *none \[m\]  *> 0 ' parts patch
gives "a number of elements has its limit" 0 stdout 'number of points, up to 100$' parts patch
gives "several kinds at once" 0 stdout '^spring: ' parts sphere spring
gives "a wrong kind is explained" 2 stderr "^drystone: there is no kind of part 'sprng'; did you mean 'spring'?" parts sprng

every_kind_has_a_page() {
    "$drystone" parts | awk '{ print $1 }' >"$scratch/names"
    sort "$scratch/names" | uniq -d | { ! grep .; } || { echo "two kinds of one name"; return 1; }
    [ -s "$scratch/names" ] && while read -r kind; do
        "$drystone" parts "$kind" | grep -q "^$kind: " || { echo "no page: $kind"; return 1; }
    done <"$scratch/names"
}
check "every kind has a page" every_kind_has_a_page

every_kind_tells_what_it_offers() {
    while read -r kind; do
        [ "$kind" = gravity ] && continue # has neither
        "$drystone" parts "$kind" >"$scratch/page"
        grep -q '^ports' "$scratch/page" && grep -q 'quantities' "$scratch/page" || { echo "not of $kind"; return 1; }
    done <"$scratch/names"
}
check "and on it ports and quantities" every_kind_tells_what_it_offers
gives "a port has its unit" 0 stdout '^    NAME  \[rad\]  takes two coordinates' parts rotary_spring
gives "of an arm by its name" 0 stdout '^    NAME.joint1  \[rad\]  a coordinate' parts arm
gives "a body that is not told how is not turned" 0 stdout '^    q  *= \[1, 0, 0, 0\]  *4 numbers' parts sphere
gives "a vector is one quantity" 0 stdout '^    NAME.p\[1..3\]  *\[m\]' parts sphere
gives "a length has quantities of its own" 0 stdout '^    NAME.l_dot  *\[m/s\]' parts damper

gives "an arm tells which frames touch" 0 stdout 'Links whose rods have a radius are capsules' parts arm
gives "a stop tells when nothing is lost" 0 stdout 'alpha .*beta: nothing is lost' parts stop

# An arm that falls from z = 0 has no energy at the start and at the end; in between it has 5 J.
write "$scratch/falls.dry" <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part a = arm(links = 1, length = 1 [m], mass = 1 [kg], axis = y)
run until = 2 [s], step = 1 [ms]
MODEL
gives "a balance off by rounding is no warning" 0 stdout 'the balance is off by' run "$scratch/falls.dry"
loses_energy() {
    "$drystone" run "$scratch/falls.dry" --method euler --step 0.05 2>"$scratch/told" >/dev/null
    grep -q 'warning: the energy of the parts is off by' "$scratch/told"
}
check "one that is off is" loses_energy

write "$scratch/ground.dry" <<'MODEL'
part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 1])
part touch = contact(K = 1e4 [N/m], alpha = 1 [ms], beta = 2 [ms])
connect touch - ball
connect touch - world
MODEL
gives "the world has no shape" 3 stderr 'connect a plane, or another part with a shape' check "$scratch/ground.dry"

# KIND USE: every quantity of its page can be plotted, and stand in a rate where the page does not deny it; the text
# of USE makes and connects the part
offers_what_it_tells() {
    "$drystone" parts "$1" | awk '/^quantities/ { n++ } n == 1 && $1 ~ /^NAME\./ { print $1, /not in rates/ }' >"$scratch/told"
    [ "$(wc -l <"$scratch/told")" -gt 3 ] || return 1
    while read -r name late; do
        first=$(echo "$name" | sed 's/\[1\.\..*/[1]/')
        last=$(echo "$name" | sed 's/\[1\.\./[/')
        printf '%s\nplot %s\nplot %s\n' "$2" "$first" "$last" >"$scratch/offer.dry"
        "$drystone" check "$scratch/offer.dry" || return 1
        printf '%s\nstate w = 0\nw'"'"' = 1e-9*%s\n' "$2" "$first" >"$scratch/offer.dry"
        "$drystone" check "$scratch/offer.dry" && used=1 || used=0
        [ "$used" = $((1 - late)) ] || { echo "$name in a rate: $used"; return 1; }
    done <"$scratch/told"
}
ends='part body = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 0.1])'
check "a body has what its page tells" offers_what_it_tells sphere 'part NAME = sphere(radius = 1 [m], mass = 1 [kg])'
check "a motion" offers_what_it_tells motion 'part NAME = motion(v = 1 [m/s])'
check "an arm" offers_what_it_tells arm 'part NAME = arm(links = 1, length = 1 [m], mass = 1 [kg])'
check "a law" offers_what_it_tells lugre "part cart = point_mass(mass = 1 [kg])
part NAME = lugre()
connect NAME - cart"
check "a joint" offers_what_it_tells hinge "$ends
part NAME = hinge(K = 1e4 [N/m], B = 100 [N s/m], Kr = 100, Br = 1)
connect NAME - body"
check "a contact" offers_what_it_tells contact "$ends
part floor = plane()
part NAME = contact(K = 1e4 [N/m], alpha = 1 [ms], beta = 2 [ms])
connect NAME - floor
connect NAME - body"

# The work of a spring that a motion stretches by 1 m/s for 1 s is what it stores, K p^2/2 = 50 J; that of the motion
# is what it has given; that of an equation's push what the push has given.
write "$scratch/work.dry" <<'MODEL'
part hand = motion(v = 1 [m/s])
part spring = spring(K = 100 [N/m])
part cart = point_mass(mass = 2 [kg])
connect spring - hand
cart.f += 4 [N]
run until = 1 [s], step = 1 [ms]
expect final(spring.work) = 50 [J] +- 1e-9 [J]
expect final(hand.work) = -50 [J] +- 1e-9 [J]
MODEL
gives "work is what flows into a part" 0 stdout '2 passed, 0 failed' test "$scratch/work.dry"
pushes_give_four_joules() {
    "$drystone" run "$scratch/work.dry" --quiet -o "$scratch/work.csv" &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "equations.work [J]") at = i }
                 { last = $at } END { exit !(at && last > 3.999999 && last < 4.000001) }' "$scratch/work.csv"
}
check "and that of equations what they have given" pushes_give_four_joules

cat >"$scratch/balls.dry" <<'MODEL'
model balls "Balls on a floor"
param n = 60, R = 0.05 [m]
part earth = gravity(g = 9.81 [m/s^2])
part floor = plane()
part ball[i] = sphere(radius = R, density = 1000, p = [0.08*i, 0, 2*R + 0.07*(1 - i + 2*floor(i/2))]) for i in 1..n
part touch = contact(K = 2e4 [N/m], alpha = 2 [ms], beta = 4 [ms], mu = 0.3)
connect touch - floor
connect touch - ball[i] for i in 1..n
run until = 0.2 [s], step = 0.2 [ms], method = semi-implicit, record = 10 [ms]
measure depth = max(touch.depth)
expect depth > 1 [mm]
MODEL

same_bits() {
    for threads in 1 2 8 1000; do
        "$drystone" run "$scratch/balls.dry" --quiet --threads $threads -o "$scratch/$threads.csv" || return 1
        cmp "$scratch/1.csv" "$scratch/$threads.csv" || return 1
    done
}
check "threads do not change the bits" same_bits

threads_are_capped() {
    cores=$(getconf _NPROCESSORS_ONLN)
    "$drystone" run "$scratch/balls.dry" --no-watch --threads 100000 >"$scratch/stdout" 2>"$scratch/stderr" || return 1
    grep "^note: $cores of 100000 threads run, one on each processor$" "$scratch/stderr" || return 1
    "$drystone" run "$scratch/balls.dry" --no-watch --threads "$cores" >"$scratch/stdout" 2>"$scratch/stderr" && [ ! -s "$scratch/stderr" ]
}
check "no more threads than processors" threads_are_capped

only_what_is_asked_for() {
    head -1 "$scratch/1.csv" | tr ',' '\n' | grep '^touch\.' >"$scratch/columns"
    printf 'touch.%s\n' 'work [J]' points 'N [N]' 'depth [m]' 'stored [J]' | diff - "$scratch/columns"
}
check "what a contact remembers is in no file" only_what_is_asked_for

sed 's/n = 60/n = 700/; s/until = 0.2/until = 0.12/' "$scratch/balls.dry" >"$scratch/many.dry"
gives "a large contact is written as the others" 0 stdout 'states' run "$scratch/many.dry" -o "$scratch/many.csv"
balance_is_told() {
    "$drystone" run "$scratch/balls.dry" --method euler --step 2e-3 --force >"$scratch/stdout" 2>"$scratch/stderr" || return 1
    grep -q 'the energy of the parts is off by .* shorten the step' "$scratch/stderr"
}
check "a balance that does not close is told" balance_is_told

gives "a run counts the parts" 0 stdout '^  [0-9]* states, 62 parts, semi-implicit, ' run "$scratch/balls.dry" --no-watch
check "and no forces where there are none" sh -c "! grep set-valued '$scratch/stdout'"
cat >"$scratch/hung.dry" <<'MODEL'
model hung "A box on a ball joint"
part box = box(size = 0.1 [m], mass = 1 [kg])
part pin = ball_joint(Kr = 10)
connect pin - box
run until = 0.1 [s], step = 0.1 [ms], method = rk4
MODEL
gives "a ball joint has no axes to hold" 3 stderr '`ball_joint` does not take `Kr`' run "$scratch/hung.dry"
sed 's/0\.08\*i/0.06*i/' "$scratch/balls.dry" >"$scratch/near.dry"
overlap_is_told() { # 0.1 m - hypot(0.06 m, 0.07 m) = 0.0078 m, once for the statement, by each verb
    for verb in check run; do
        "$drystone" $verb "$scratch/near.dry" >"$scratch/stdout" 2>"$scratch/stderr" || return 1
        [ "$(grep -c 'warning: `ball\[[0-9]*\]` and `ball\[[0-9]*\]` overlap by 0\.0078' "$scratch/stderr")" = 1 ] || return 1
    done
}
check "balls that start in each other are told" overlap_is_told

gives "a run tells the measures of parts" 0 stdout '^  depth  *= 0\.0[0-9]* m$' run "$scratch/balls.dry" --no-watch
gives "a wrong parameter of a part is explained" 3 stderr 'no parameter `ball\[1\].weight`' run "$scratch/balls.dry" -p 'ball[1].weight=2'
write "$scratch/swing.dry" <<'MODEL'
part load = point_mass(mass = 2 [kg], p = 0.3 [m], dim = 1)
part far = point_mass(mass = 2 [kg], p = [0.3, 0, 1])
part s = spring(K = 100 [N/m])
connect s - load
run until = 1 [s], step = 1 [ms]
plot load.p
MODEL
gives "show says that the parts are all there is" 0 stdout '^  none: the connections' show "$scratch/swing.dry"
check "with the wiring" grep -q '^  connect s - load$' "$scratch/stdout"
check "and the stability of the step" grep -q '^  a step of 0.001 s is inside the bound of rk4' "$scratch/stdout"
gives "show knows who chooses the step" 0 stdout 'dop853 chooses its steps' show "$scratch/swing.dry" --method dop853
check "run --report" "$drystone" run "$scratch/swing.dry" --quiet --report "$scratch/swing.html"
each_can_be_set() {
    sed -n 's/.*<dt>\([^<]*\)<.*/\1/p' "$scratch/swing.html" >"$scratch/names"
    cat "$scratch/names"
    grep -q '^load.p$' "$scratch/names" && grep -q '^far.p\[3\]$' "$scratch/names" || return 1
    while read -r key; do "$drystone" show "$scratch/swing.dry" -p "$key=1" || return 1; done <"$scratch/names"
}
check "lists what can be set" each_can_be_set
gives "show lists parts and where they start" 0 stdout '^  ball\[1\].p\[3\] = 0.1 m$' show "$scratch/balls.dry"
gives "json and verify are one too many" 2 stderr 'run it once with each' run "$scratch/balls.dry" --json --verify
gives "verify looks at the bodies" 1 stdout '^  ball\[1\].p\[3\]  *= 0.0[0-9]* +- ' run "$scratch/balls.dry" --until 0.02 --verify
gives "the rigid scheme does not take parts" 3 stderr 'the method `rigid` does not take parts' run "$scratch/balls.dry" --method rigid
gives "nor does native code, where it is asked for" 4 stderr 'a model with parts does not become C' run "$scratch/balls.dry" --native
gives "nor export" 2 stderr 'a model with parts cannot be exported as C, .*write the machine as equations, or' export "$scratch/balls.dry" -o "$scratch/exported"

# ---- settings of parts with units, and of whole vectors ---------------------------------------------

cat >"$scratch/fall.dry" <<'END'
part g = gravity(g = [0, 0, -10])
part b = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 1] [m])
run until = 0.1 [s], step = 1 [ms]
measure z = final(b.p[3])
END
gives "a key takes a unit" 0 stdout "z  *= 1.95 m" run "$scratch/fall.dry" -p 'b.p[3]=200cm'
gives "and a whole vector" 0 stdout "z  *= 1.95 m" run "$scratch/fall.dry" -p b.p=[0,0,2]
gives "with a unit" 0 stdout "z  *= 1.95 m" run "$scratch/fall.dry" -p 'b.p=[0, 0, 200] [cm]'
gives "also a vector that the text leaves out" 0 stdout "z  *= 1.05 m" run "$scratch/fall.dry" -p b.v=[0,0,1]
gives "a wrong length is told at the key" 3 stderr 'fall.dry:2:[0-9]*: error: `b.p` is a vector of 3, but the setting gives a vector of 2' \
    run "$scratch/fall.dry" -p b.p=[1,2]
gives "so is another dimension" 3 stderr 'fall.dry:2:[0-9]*: error: `b.mass` is in \[kg\], but the setting gives \[m\]' \
    run "$scratch/fall.dry" -p b.mass=2m

finish
