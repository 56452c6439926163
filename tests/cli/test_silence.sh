#!/bin/sh
# No wrong number without a word: small machines whose answer is known in closed form or by another
# method. Each run gives that answer, or refuses with the way out.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

model() { write "$scratch/$1.dry"; } # NAME: its text is on standard input

ends() { # NAME STATUS PATTERN MODEL ARGUMENT...: ends so, and prints the pattern on either stream
    name=$1 status=$2 pattern=$3 ended=0
    text="$scratch/$4.dry"
    shift 4
    "$drystone" run "$text" "$@" >"$scratch/log" 2>&1 || ended=$?
    cp "$scratch/log" "$scratch/last"
    echo "status $ended" >>"$scratch/log"
    if [ "$ended" = "$status" ] && grep -q -e "$pattern" "$scratch/log"; then
        result ok "$name"
    else
        result not-ok "$name"
    fi
}

measured() { # MEASURE: its value in the JSON of the last run
    sed -n "s/.*\"measures\": {[^}]*\"$1\": \\([-+0-9.e]*\\|null\\).*/\\1/p" "$scratch/json"
}

comes() { # NAME MEASURE VALUE TOLERANCE MODEL ARGUMENT...: the run ends with 0 and the measure is near the value
    name=$1 measure=$2 value=$3 tolerance=$4 ended=0
    text="$scratch/$5.dry"
    shift 5
    "$drystone" run "$text" --json "$@" >"$scratch/json" 2>"$scratch/log" || ended=$?
    got=$(measured "$measure")
    echo "status $ended, $measure = $got, not $value +- $tolerance" >>"$scratch/log"
    if [ "$ended" = 0 ] && awk -v got="$got" -v value="$value" -v tolerance="$tolerance" \
        'BEGIN { off = got - value; exit !(got != "" && got != "null" && off <= tolerance && -off <= tolerance) }'; then
        result ok "$name"
    else
        result not-ok "$name"
    fi
}

# ---- what is written is used or refused -----------------------------------------------------------

model unit <<'MODEL'
param stroke = 3/4 [mm]
state x = stroke, v = 0 [m/s]
x' = v
1 [kg]*v' = -(10 [N/m])*x
run until = 1 [s], step = 1 [ms]
MODEL
ends "a unit after a quotient of numbers has two readings: refused" 3 '(3/4) \[mm\]' unit
check "and both are shown" grep -q '3/(4 \[mm\])' "$scratch/last"

keyed() { # LINE OF THE FORCE
    printf 'state x = 1 [m], v = 0.1 [m/s]\n%s\nx'"'"' = v\n2 [kg]*v'"'"' = %s\nrun until = 0.1 [s], step = 0.1 [ms]\nmeasure K = final(f.K)\n' "$1" "$2" |
        model keyed
}
keyed 'f in 3 [N]*sgn(v) with law = coulomb(K = 7e4 [N/m], beta = 3 [ms])' '-f'
comes "keys of a law's own list count: coulomb" K 7e4 1e-6 keyed
keyed 'f in dio(x) with law = contact(K = 7e4 [N/m], alpha = 1 [ms], beta = 3 [ms])' 'f'
comes "contact" K 7e4 1e-6 keyed
keyed 'f in 3 [N]*sgn(v) with K = 7e4 [N/m], law = multistate(N = 4)' '-f'
ends "a key beside a law that has none such is refused" 3 'K' keyed
keyed 'f in dio(x) with restitution = 0.5, law = compliant(K = 7e4 [N/m])' 'f'
ends "restitution beside a law that has none too" 3 'restitution' keyed

# ---- what gives way -------------------------------------------------------------------------------

# The contact is chosen for 20 ms: 3 kg sink by several centimetres.
model floor <<'MODEL'
param m = 3 [kg]
state z = 0 [m], v = 0 [m/s]
N in dio(z)
z' = v
m*v' = N - m*9.81
run until = 1 [s], step = 20 [ms]
measure z_end = final(z)
MODEL
ends "a floor that gives way is named with its depth" 0 'N gives way by [0-9.]* m' floor
check "and the ways out: a step, a K, rigid" grep -q 'step <= .* K >= .* rigid' "$scratch/last"
ends "strict makes it an error" 4 'gives way' floor --strict
comes "the way out, rigid, stands" z_end 0 1e-12 floor --method rigid
ends "a step longer than the run is refused" 4 'longer than the run' floor --step 2 --until 1

# A rod pinched between two jaws of 5 N: weight 0.6 N, friction up to 2*0.5*5 N.
model jaws <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part rod = capsule(radius = 15 [mm], length = 30 [mm], mass = 60 [g], rotation = [pi/2, 0, 0])
part left = box(size = [0.02, 0.05, 0.05], mass = 0.3 [kg], p = [-0.02501, 0, 0])
part right = box(size = [0.02, 0.05, 0.05], mass = 0.3 [kg], p = [0.02501, 0, 0])
part l = slider()
part r = slider()
connect l - left normal [1, 0, 0] - world at [-0.02501, 0, 0] normal [1, 0, 0]
connect r - right normal [1, 0, 0] - world at [0.02501, 0, 0] normal [1, 0, 0]
part grip = contact(mu = 0.5, restitution = 0)
connect grip - rod
connect grip - left
connect grip - right
left.f[1] += 5 [N]
right.f[1] += -5 [N]
run until = 3 [s], step = 0.5 [ms], record = 10 [ms]
measure depth = final(grip.depth)
MODEL
sinks() { # the depth is below a tenth of the radius, or the run has a word about it
    "$drystone" run "$scratch/jaws.dry" --json >"$scratch/json" 2>"$scratch/said" || :
    cat "$scratch/said" "$scratch/json"
    awk -v depth="$(measured depth)" 'BEGIN { exit !(depth != "" && depth < 1.5e-3) }' ||
        grep -q 'grip.*\(gives way\|sinks\)' "$scratch/said"
}
check "jaws that sink into a rod are named" sinks

# ---- the step -------------------------------------------------------------------------------------

# omega = 100 1/s. The symplectic Euler method swings with 1/sqrt(1 - (omega T/2)^2) at the most.
model spring <<'MODEL'
param k = 20000 [N/m]
state x = 1 [m], v = 0 [m/s]
x' = v
2 [kg]*v' = -k*x
run until = 2 [s], step = 2 [ms]
measure swing = max(x from 1.5 to 2)
MODEL
comes "semi-implicit takes x for a position" swing 1.00504 1e-3 spring --method semi-implicit
ends "euler is refused on a spring" 3 'unstable' spring --method euler
for method in rigid split semi-implicit rk4; do
    ends "$method refuses a spring that is too stiff, with the largest step" 3 'at most [0-9.e-]* s' spring --method "$method" -p k=6e6
done
model settling <<'MODEL'
param r = 1e5 [1/s]
state x = 1 [m]
x' = -r*x
run until = 2 [s]
measure late = max(abs(x))
MODEL
ends "a step that nobody gave is checked" 3 'unstable' settling
exports() { "$drystone" export "$scratch/settling.dry" -o "$scratch/x"; }
refuses "by export too" 'unstable' exports
shows() { "$drystone" show "$scratch/settling.dry" 2>&1 | grep 'unstable'; }
check "by show" shows
sweeps() { "$drystone" sweep "$scratch/settling.dry" -p r=1e5,2e5; }
refuses "and by sweep" 'unstable' sweeps

model bouncer <<'MODEL'
state z = 0.5 [m], v = 0 [m/s]
N in dio(z) with duration = 0.2 [ms], restitution = 0.7
z' = v
3 [kg]*v' = N - 3*9.81 [N]
run until = 2 [s], method = dopri5
measure top = max(z from 0.4 to 2)
MODEL
ends "semi-implicit refuses a contact that is too short for its step" 3 'unstable' bouncer --method semi-implicit --step 1e-3
ends "as rk4-tau does" 3 'unstable' bouncer --method rk4-tau --step 1e-3

# While it slides a friction is no spring, so the bound is that of the spring alone.
model slide <<'MODEL'
param k = 2e4 [N/m]
state x = 1 [m], v = 0 [m/s]
x' = v
f in 2 [N]*sgn(v)
2 [kg]*v' = -k*x - f
run until = 2 [s], step = 1 [ms]
measure swing = max(abs(x) from 1.8 to 2)
MODEL
ends "what slides is checked: euler" 3 'unstable' slide -p k=9e4 --method euler
ends "heun" 3 'unstable' slide -p k=2e6 --method heun

model split <<'MODEL'
param k = 4e6
state x = 1e-3, v = 0
f in 0.3*sgn(v)
x' = v
2*v' = -k*x - f
run until = 1 [s], step = 2.5e-3, method = split, P = 5, Q = 1, alpha = 0
measure swing = max(abs(x))
MODEL
ends "split is held to its own bound" 3 'unstable\|at most' split

# Pushed with twice the friction: v = t (1 - 0.5) 2 = 4 m/s after 4 s, less the lag of the bristle.
model bristle <<'MODEL'
state x = 0 [m], v = 0 [m/s]
f = lugre(v, F = 1 [N], K = 5e4 [N/m], B = 20 [N s/m])
x' = v
1 [kg]*v' = 2 [N] - f
run until = 4 [s], step = 1 [ms]
measure v_end = final(v)
MODEL
model bristle_part <<'MODEL'
part cart = point_mass(mass = 1 [kg])
part f = lugre(F = 1 [N], K = 5e4 [N/m], B = 20 [N s/m])
connect f - cart - world
cart.f += 2 [N]
run until = 4 [s], step = 1 [ms]
measure v_end = final(cart.v)
MODEL
model bristle_both <<'MODEL'
part cart = point_mass(mass = 1 [kg])
f = lugre(cart.v, F = 1 [N], K = 5e4 [N/m], B = 20 [N s/m])
cart.f += 2 [N] - f
run until = 4 [s], step = 1 [ms]
measure v_end = final(cart.v)
MODEL
follows() { # MODEL ARGUMENT...: the step that the refusal names gives the number of a method with steps of its own
    text="$scratch/$1.dry"
    shift
    "$drystone" run "$text" --json --quiet --method dop853 --rtol 1e-10 --atol 1e-12 >"$scratch/json"
    right=$(measured v_end)
    step=$(sed -n 's/.*use a step of at most \([-+0-9.e]*\) s,.*/\1/p' "$scratch/last")
    "$drystone" run "$text" --json --quiet --no-watch --step "$step" "$@" >"$scratch/json"
    echo "step $step, $(measured v_end) for $right"
    awk -v v="$(measured v_end)" -v right="$right" 'BEGIN { off = (v - right)/4; exit !(off*off < 1e-10) }'
}
# K |v|/F = 5e4 |v| exceeds 2785/s, what rk4 can follow at 1 ms, from 0.0557 m/s on; 2e5/s at the end.
for machine in bristle bristle_part bristle_both; do
    ends "bristles that settle faster than the step end the run: $machine" 4 'at t = 0[.]0[0-9]* s f settles at a rate of .*follow (2785 1/s), and later at up to 2[.0-9]*e+05 1/s' "$machine"
    check "and the step that is named is right: $machine" follows "$machine"
done
ends "native code asks the bristles, too" 4 'f settles at a rate' bristle --native
ends "--force runs it with a word" 0 'warning: from t = 0[.]0[0-9]* s on f settles' bristle --force
ends "a method with steps of its own is not asked" 0 'trusted' bristle --method rodas4
for method in euler heun rk4-tau semi-implicit; do
    ends "bristles are asked by $method" 4 'f settles at a rate' bristle --method "$method" --step 3e-4
done
ends "bristles that start too fast are told before a step" 4 'at t = 0 s f settles at a rate of' bristle_part -p cart.v=1

# A step that nobody gives resolves what swings for long: undamped, x = cos(omega t) keeps the amplitude 1.
model unstepped <<'MODEL'
param k = 4500 [N/m]
state x = 1 [m], v = 0 [m/s]
x' = v
1 [kg]*v' = -k*x
run until = 2 [s]
measure amp = max(x from 1.8 to 2)
measure at_end = final(x)
MODEL
model unstepped_parts <<'MODEL'
param k = 4500 [N/m]
part cart = point_mass(mass = 1 [kg], p = 1 [m])
part spring = spring(K = k)
connect spring - cart - world
run until = 2 [s]
measure amp = max(cart.p from 1.8 to 2)
measure at_end = final(cart.p)
MODEL
model unstepped_both <<'MODEL'
param k = 4500 [N/m]
part cart = point_mass(mass = 1 [kg], p = 1 [m])
cart.f += -k*cart.p
run until = 2 [s]
measure amp = max(cart.p from 1.8 to 2)
measure at_end = final(cart.p)
MODEL
for machine in unstepped unstepped_parts unstepped_both; do
    for k in 4500 1e6 1e8; do
        right=$(awk -v k="$k" 'BEGIN { print cos(2*sqrt(k)) }')
        comes "a step that nobody gives is short enough: $machine, k = $k" amp 1 2e-3 "$machine" -p k="$k" --no-watch
        comes "to the end of the run: $machine, k = $k" at_end "$right" 2e-3 "$machine" -p k="$k" --no-watch
    done
    ends "where it would be absurdly short, that is said: $machine" 3 'unresolved-mode' "$machine" -p k=1e16
done
for method in euler heun rk4-tau semi-implicit; do
    comes "a step that nobody gives is short enough for $method" amp 1 2e-3 unstepped --method "$method" --no-watch
done

same_step() { # run, show, sweep and export take one step where none is given
    "$drystone" run "$scratch/unstepped.dry" -p k=1e8 --no-watch >"$scratch/run"
    "$drystone" show "$scratch/unstepped.dry" -p k=1e8 >"$scratch/show"
    "$drystone" export "$scratch/unstepped.dry" -p k=1e8 -o "$scratch/exported" >"$scratch/export"
    cat "$scratch/run" "$scratch/show"
    grep -i 'step' "$scratch/exported/main.c"
    step=$(sed -n 's/.* step \([-+0-9.e]*\) s, 0 .*/\1/p' "$scratch/run")
    grep -q "no step is given: a run uses $step s" "$scratch/show" &&
        awk -v step="$step" '/STEP/ { for (i = 1; i <= NF; i++) if ($i + 0 > 0 && ($i/step - 1)^2 < 1e-10) found = 1 }
            END { exit !found }' "$scratch/exported/main.c"
}
check "run, show and export take the same step" same_step
swept() { # as the runs alone
    "$drystone" sweep "$scratch/unstepped.dry" -p k=4500,1e6,1e8 >"$scratch/table"
    cat "$scratch/table"
    for k in 4500 1e6 1e8; do
        "$drystone" run "$scratch/unstepped.dry" -p k=$k --no-watch --json --quiet >"$scratch/json"
        grep -q ",$(measured amp)," "$scratch/table" || return 1
    done
}
check "and so do the points of a sweep" swept
refuses_all() { # by every verb; show says it
    "$drystone" show "$scratch/unstepped.dry" -p k=1e8 --step 1e-3 2>&1 | grep 'unstable' &&
        ! "$drystone" run "$scratch/unstepped.dry" -p k=1e8 --step 1e-3 &&
        ! "$drystone" sweep "$scratch/unstepped.dry" -p k=1e8,1e9 --step 1e-3 &&
        ! "$drystone" export "$scratch/unstepped.dry" -p k=1e8 --step 1e-3 -o "$scratch/refused"
}
check "an unstable step is refused by run, show, sweep and export" refuses_all

# ---- every run ends -------------------------------------------------------------------------------

model relay <<'MODEL'
state x = 0.7 [m]
x' = if x > 0 then -2 [m/s] else 2 [m/s]
run until = 1 [s], method = rodas4
MODEL
methods="dopri5 dop853 rodas4"
if built_with SUNDIALS; then methods="$methods cvode"; fi
for method in $methods; do
    ends "$method ends at a relay, and says why" 4 'short enough for the error of x' relay --method "$method"
done
model tiny <<'MODEL'
state x = 0 [m]
x' = 1 [m/s]
run until = 0.1 [s], method = dopri5, max_step = 1e-200
MODEL
ends "a run of endless steps ends" 4 'steps' tiny

# ---- contact --------------------------------------------------------------------------------------

model flush <<'MODEL'
param tilt = 3 [deg], width = 0.12 [m]
part low = box(size = [0.3, 0.12, 0.1], mass = 3 [kg], p = [0, 0, 0.05])
part high = box(size = [0.3, width, 0.1], mass = 3 [kg], p = [0.003, 0, 0.155], rotation = [0, tilt, 0])
part touch = contact(mu = 0.5, K = 2e5 [N/m], alpha = 0.2 [ms], beta = 1 [ms])
connect touch - low
connect touch - high
run until = 1 [ms], step = 0.1 [ms], record = 0.1 [ms]
measure points = at(touch.points, 0.0001)
MODEL
comes "boxes with flush sides touch by an edge at two points" points 2 0 flush
sed 's/tilt = 3/tilt = 0/; s/0\.155/0.1499/' "$scratch/flush.dry" | model faces
comes "by a face at four" points 4 0 faces

model wall <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part ground = plane()
part a = box(size = [0.24, 0.115, 0.07], mass = 3 [kg], p = [0, 0, 0.035])
part b = box(size = [0.24, 0.115, 0.07], mass = 3 [kg], p = [0.06, 0, 0.105])
part c = box(size = [0.24, 0.115, 0.07], mass = 3 [kg], p = [0, 0, 0.175])
part touch = contact(mu = 0.6)
connect touch - ground
connect touch - a
connect touch - b
connect touch - c
run until = 12 [s], step = 1 [ms], record = 10 [ms]
measure rock = max(norm(b.omega) + norm(c.omega) from 10 to 12)
measure creep = (final(c.p[1]) - at(c.p[1], 8))/4
MODEL
comes "bricks on each other do not rock" rock 0 1e-12 wall
comes "and do not creep" creep 0 1e-12 wall

# Two boxes that begin 25 mm inside each other, their sides flush. The contact has points from the first instant on, so
# the energy that throws them apart is in the account from the start, and the compiler names it.
model energy <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part ground = plane()
part a = box(size = [0.35265396141692995, 0.3, 0.4], mass = 50 [kg], p = [-1.2334919610937809, 0, 0.18140201336874004], q = [0.69868821891330035, 0, -0.71542628743411441, 0], v = [-0.15644279985157358, 0, -0.13493288008105744], omega = [0, -0.44101397313347107, 0])
part b = box(size = [0.35265396141692995, 0.3, 0.4], mass = 50 [kg], p = [-1.2272149781023711, 0, 0.52432754344601462], q = [0.7255395265137472, 0, -0.68818049628437428, 0], v = [-0.40924284241784242, 0, -0.32439403790865717], omega = [0, 1.0933396106545461, 0])
part touch = contact(mu = 0.7, restitution = 0.3)
connect touch - ground
connect touch - a
connect touch - b
E = a.kinetic + a.potential + b.kinetic + b.potential
run until = 5 [ms], step = 0.1 [ms], record = 0.1 [ms]
measure gain = max(E) - at(E, 0)
MODEL
ends "boxes that begin inside each other are named with the energy nobody put in" 0 'overlap by 0.0246' energy

write "$scratch/roller.urdf" <<'ROBOT'
<robot name="roller"><link name="base"/><link name="cross"/><link name="lift"/>
<link name="roll"><inertial><mass value="2"/><inertia ixx="0.0104166667" iyy="0.01" izz="0.0104166667" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision></link>
<joint name="along" type="prismatic"><parent link="base"/><child link="cross"/><axis xyz="1 0 0"/><limit lower="-99" upper="99" effort="0" velocity="0"/></joint>
<joint name="up" type="prismatic"><parent link="cross"/><child link="lift"/><axis xyz="0 0 1"/><limit lower="-99" upper="99" effort="0" velocity="0"/></joint>
<joint name="turn" type="continuous"><parent link="lift"/><child link="roll"/><axis xyz="0 1 0"/></joint>
</robot>
ROBOT
# J = m r^2/2, so the roll gains speed with g sin(tilt)/1.5.
model roller <<'MODEL'
param tilt = 4 [deg]
part earth = gravity(g = [9.81*sin(tilt), 0, -9.81*cos(tilt)])
part ground = plane()
part robot = urdf(file = "roller.urdf", at = [0, 0, 0.1])
part touch = contact(mu = 0.7)
connect touch - ground
connect touch - robot.roll
run until = 1.5 [s], step = 0.5 [ms], record = 1 [ms]
measure speed = final(robot.q_dot[1])
MODEL
if built_with URDF; then comes "a cylinder of a robot rolls" speed 0.684312 1e-3 roller; fi

# A mass in the middle of a play of 30 mm meets its end after 7.5 ms. A damper of 80 N s/m alone would jump to 160 N.
model play <<'MODEL'
part m = point_mass(mass = 2 [kg], p = 0, v = 2)
part b = backlash(K = 3e4 [N/m], D = 80 [N s/m], gap = 0.03 [m])
connect b - m - world
run until = 0.03 [s], step = 0.01 [ms]
measure jump = abs(at(b.f, 0.00751) - at(b.f, 0.00749))
MODEL
comes "backlash touches without a jump" jump 0 20 play

# ---- frictions on one body ------------------------------------------------------------------------

# Many rubbing points that move nearly as one are one friction: v falls by F/m.
model many <<'MODEL'
param m = 2 [kg], n = 80, F = 3 [N]
state v[2] = [0.6, 0.8] [m/s]
f[k] in F/n*sgn(v + 1e-9 [m/s]*[k, -k]) for k in 1..n
m*v' = -sum(f[k] for k in 1..n)
run until = 0.5 [s], step = 0.1 [ms]
measure v_end = final(norm(v))
MODEL
comes "eighty points run by the default method" v_end 0.25 1e-3 many

model disc <<'MODEL'
param m = 1 [kg], R = 0.1 [m], J = m*R^2/2, mu = 0.2, g = 9.81 [m/s^2], nr = 8, na = 24
state p[2] = 0 [m], v = [0.5, 0] [m/s], w = 10 [rad/s]
param n = nr*na
ring[k] = floor((k - 0.5)/na) + 1 for k in 1..n
r[k] = R*sqrt((ring[k] - 0.5)/nr) for k in 1..n
an[k] = 2*pi*(k - 0.5)/na for k in 1..n
f[k] in mu*m*g/n*sgn([v[1] - w*r[k]*sin(an[k]), v[2] + w*r[k]*cos(an[k])]) for k in 1..n
p' = v
m*v' = -[sum(f[k][1] for k in 1..n), sum(f[k][2] for k in 1..n)]
J*w' = -sum(r[k]*(cos(an[k])*f[k][2] - sin(an[k])*f[k][1]) for k in 1..n)
run until = 0.6 [s], step = 0.1 [ms]
measure stop = last(norm(v) > 1e-4)
MODEL
comes "a disc on 192 points comes to rest" stop 0.484917 1e-3 disc --no-watch

# n blocks on each other, shaken. Every joint reaches its level at once, so that all move as one block: 0.03167927 m after 2 s by
# a loop that cuts the force of one block at its level.
model stack <<'MODEL'
param n = 30, g = 9.81 [m/s^2], m = 2 [kg], mu = 0.3
state x[n] = 0 [m], v[n] = 0 [m/s]
ground = 0.4 [m/s]*sin(20*t)
rel[i] = if i == 1 then v[1] - ground else v[i] - v[i-1] for i in 1..n
f[i] in mu*m*g*(n - i + 1)*sgn(rel[i]) for i in 1..n
above[i] = if i == n then 0 else f[i+1] for i in 1..n
x' = v
m*v[i]' = above[i] - f[i] for i in 1..n
run until = 2 [s], step = 1 [ms], method = rigid, record = 0.1 [s]
measure e = final(x[n])
MODEL
comes "a stack of thirty moves as one block" e 0.03167927 1e-6 stack --step 1e-4 --no-watch
comes "and does so with ten times the step, as every change is met at its time" e 0.03167927 1e-6 stack --no-watch
ends "a step longer than a sample is judged by a run that is finer" 0 'trusted to 0.00[1-9]' stack --step 0.4
"$drystone" run "$scratch/disc.dry" --method dop853 -p nr=4 -p na=12 --no-watch --json >"$scratch/json" 2>"$scratch/log" || :
stop=$(measured stop)
comes "the disc on 48 points stops as by dop853" stop "$stop" 1e-6 disc --method rigid -p nr=4 -p na=12 --no-watch

# Friction at two pins; the mass that the second one feels changes with the pose.
model pendulum <<'MODEL'
param m1 = 1 [kg], m2 = 2 [kg], l1 = 0.8 [m], l2 = 0.6 [m], g = 9.81 [m/s^2], T1 = 0.9 [N m], T2 = 0.4 [N m]
state q[2] = [90, 30] [deg], w[2] = 0 [rad/s]
d = q[1] - q[2]
M = [[(m1 + m2)*l1^2, m2*l1*l2*cos(d)], [m2*l1*l2*cos(d), m2*l2^2]]
f1 in T1*sgn(w[1])
f2 in T2*sgn(w[2] - w[1])
h = [-m2*l1*l2*sin(d)*w[2]^2 - (m1 + m2)*g*l1*sin(q[1]) - f1 + f2,
     m2*l1*l2*sin(d)*w[1]^2 - m2*g*l2*sin(q[2]) - f2]
q' = w
M*w' = h
run until = 12 [s], step = 0.5 [ms]
measure q1 = at(q[1], 1)
measure q2 = at(q[2], 1)
MODEL
"$drystone" run "$scratch/pendulum.dry" --method rigid --step 2e-5 --until 1.5 --json >"$scratch/json" 2>"$scratch/log" || :
q1=$(measured q1) q2=$(measured q2)
comes "a double pendulum with friction at its pins runs to its end" q1 "$q1" 2e-3 pendulum --method rk4
comes "and swings as the rigid inclusion does" q2 "$q2" 2e-3 pendulum --method rk4

# N = (a P + c f)/b and f = mu N sgn(w): f = mu a P/(b - mu c) while w > 0, so w = w0 - R f/J t.
model brake <<'MODEL'
param P = 80 [N], a = 0.3 [m], b = 0.1 [m], c = 0.1 [m], mu = 0.4, J = 0.2 [kg m^2], R = 0.1 [m]
state w = 30 [rad/s]
N = (a*P + c*f)/b
f in mu*N*sgn(w)
J*w' = -R*f
run until = 1 [s], step = 0.1 [ms]
measure stop = first(w < 1e-3)
MODEL
comes "a brake that feeds itself stops in time" stop 0.375 1e-3 brake
ends "and is refused where it locks itself" 3 'f' brake -p mu=1.2

# x rises by 1 m/s, so root has no value after 0.5 s: in 5 of the 11 rows. It drives nothing, so the run goes on.
model root <<'MODEL'
state x = 0 [m]
x' = 1 [m/s]
root = sqrt(0.55 [m] - x)
late = if x > 0.95 [m] then 1/(x - x) else 0 [1/m]
run until = 1 [s], step = 0.1 [s]
MODEL
ends "a column that is not a number is named, with its rows and the first time" 0 \
    'root is not a finite number in 5 of 11 rows, the first at t = 0.6 s' root
ends "and so is one that becomes infinite or nan in its last row" 0 \
    'late is not a finite number in 1 of 11 rows, the first at t = 1 s' root --no-watch
ends "an option that the method does not use is refused" 2 'rtol has no effect with rk4' root --rtol 1e-9
ends "and taken by a method that chooses its steps" 0 'dop853' root --rtol 1e-9 --method dop853

# ---- what means nothing as a number -----------------------------------------------------------------

model far <<'MODEL'
param far = 4e15
state x = 0 [s]
w = noise(far + t/(1 [s]), 7)
x' = w^2
run until = 2000 [s], step = 0.25 [s]
measure square = final(x)/(2000 [s])
MODEL
comes "a noise far from 0 has the mean square 1" square 1 0.05 far
ends "beyond 2^53 it is refused" 3 'noise beyond 2^53' far -p far=1e16

model ground <<'MODEL'
part earth = gravity()
part floor = plane()
part ball = sphere(mass = 1 [kg], radius = 0.1 [m], p = [0, 0, 0.1] [m])
part touch = contact(mu = 0.3, K = 1e5 [N/m], alpha = 1 [ms], beta = 3 [ms])
connect touch - floor
connect touch - ball
run until = 10 [ms], step = 1 [ms]
MODEL
ends "a key that is not given has no derivative" 2 'touch.drilling is not given' ground \
    --sensitivity touch.drilling
page() { "$drystone" run "$scratch/ground.dry" "$@" --report "$scratch/ground.html" >"$scratch/log" 2>&1; }
cell() { grep -o "<dt>$1</dt><dd>[^<]*" "$scratch/ground.html" >"$scratch/cell"; }
check "a page can be written" page
check "it says what holds instead" cell 'touch.mu_along'
check "in words" grep -q 'not given: mu$' "$scratch/cell"
check "and so for drilling" cell 'touch.drilling'
check "in words, too" grep -q 'not given: rolling limits' "$scratch/cell"
check "a number that is given" page -p touch.mu_along=0.25 -p touch.drilling=0 -p touch.Br=0.1
check "is shown" cell 'touch.mu_along'
check "as a number" grep -q '>0.25' "$scratch/cell"
check "an FMU says so too" "$drystone" export "$scratch/ground.dry" --to fmu3 -o "$scratch/ground.fmu"
check "with its description" grep -aq 'name="touch.mu_along".*description="a number below 0 means not given: mu"' \
    "$scratch/ground.fmu"
check "the table of keys has the word" sh -c '"$1" parts contact | grep -q "mu_along  *not given"' sh "$drystone"

model dead <<'MODEL'
param e = 0
part m = point_mass(mass = 1 [kg], p = 0 [m], v = 1 [m/s])
part ends = stop(lower = -0.1 [m], upper = 0.1 [m], restitution = e)
connect ends - m
run until = 1 [s], step = 1 [ms]
MODEL
ends "an end stop that bounces more than it should says so" 0 'ends bounces with the restitution 0.03, not 0' dead
check "once" test "$(grep -c bounces "$scratch/last")" = 1
ends "one that bounces as it should does not" 0 '' dead -p e=0.03
check "say anything" sh -c '! grep -q bounces "$1"' sh "$scratch/last"

# ---- options that would have no effect ---------------------------------------------------------------

model block <<'MODEL'
param F = 0.5 [N], M = 1 [kg]
state p = 0 [m], v = 1 [m/s]
f in F*sgn(v)
p' = v
M*v' = -f
run until = 1 [s], step = 1 [ms]
measure way = final(p)
plot p
MODEL
told() { # NAME STATUS PATTERN ARGUMENT...: ends so, with the pattern in what it says
    name=$1 status=$2 pattern=$3 ended=0
    shift 3
    (cd "$scratch" && "$drystone" "$@") >"$scratch/log" 2>&1 || ended=$?
    echo "status $ended" >>"$scratch/log"
    if [ "$ended" = "$status" ] && grep -q -e "$pattern" "$scratch/log"; then
        result ok "$name"
    else
        result not-ok "$name"
    fi
}
told "a sample that would come after the end" 2 'samples (5 s) is longer than the run (1 s)' run block.dry --record 5
told "in a sweep" 2 'longer than the run' sweep block.dry -p F=1:2:3 --record 5
told "in an export" 2 'longer than the run' export block.dry -o c --record 5
told "one as long as the run" 0 'way' run block.dry --record 1
told "half a step" 2 'whole number of steps' run block.dry --max-steps 1.5
told "a colour of no picture" 2 'needs a picture: --plot' run block.dry --dark
told "a map of one parameter" 2 'draws two parameters, and 1 of them has' \
    sweep block.dry -p F=1:2:3 --map --plot map.svg
told "curves of one with several values" 2 'draws two parameters' \
    sweep block.dry -p F=1:2:3 -p M=1 --curves --plot map.svg
told "a map of two" 0 'way' sweep block.dry -p F=1:2:3 -p M=1,2 --map --plot map.svg
told "how to watch what is not watched" 2 'no-watch and --watch-error' \
    export block.dry -o c --no-watch --watch-error 0.1
told "C in the name of an FMU" 2 'write --to fmu2 or --to fmu3' export block.dry -o block.fmu
told "no method" 2 'names with commas' compare block.dry --methods ''
told "a method and no other" 2 'names with commas' compare block.dry --methods rk4,
told "a method twice" 2 'given twice' compare block.dry --methods rk4,rigid,rk4
told "steps of methods that choose them" 2 'no method here has fixed steps' \
    compare block.dry --methods dopri5 --steps 0.1,0.2
told "several steps of one ladder" 2 'takes one of --steps' compare block.dry --work-precision --steps 0.01,0.02

table() { write "$scratch/$1.csv"; }
printf 't [s],x [m]\n0,1\n1,2\n' | table m
printf 't [s],x [mm]\n0,1\n1,2\n' | table mm
printf 't [ms],x [m]\n0,1\n1,2\n' | table ms
printf 't,x,x\n0,1,2\n1,2,3\n' | table twice
printf 't,x\n0,nan\n1,inf\n' | table none
printf 't [s],q [m]\n0,1\n1,2\n' | table other
told "columns in two units over one axis" 2 'is in \[m\] in m.csv and in \[mm\] in mm.csv' plot m.csv mm.csv --y x -o x.svg
told "so without --y" 2 'convert one of them' plot m.csv mm.csv -o x.svg
told "abscissae in two units" 2 'abscissa is in \[s\]' plot m.csv ms.csv -o x.svg
told "a heading that stands twice" 2 "several columns 'x'" plot twice.csv --y x -o x.svg
told "no number to draw" 2 'no row has finite numbers' plot none.csv -o x.svg
told "a column of the second file alone" 0 'status 0' plot m.csv other.csv -o x.svg
check "is drawn" grep -q 'q (other.csv)' "$scratch/x.svg"

finish
