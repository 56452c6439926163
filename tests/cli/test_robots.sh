#!/bin/sh
# Robots from the command: every verb that takes a model takes a .urdf with a model beside it, and tells what
# the file says and is not used.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

if ! built_with URDF; then finish; fi

robot=$scratch/lever.urdf
write "$robot" <<'ROBOT'
<robot name="lever">
  <link name="base"/>
  <link name="bar">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="bar"/><limit lower="0.5" upper="1"/>
  </joint>
</robot>
ROBOT
write "$scratch/lever.dry" <<'MODEL'
model lever "A lever that is left alone"
param angle = 0.75 [rad]
part robot = urdf(file = "lever.urdf", q = [angle])
run until = 0.1 [s], step = 1 [ms], method = rk4
measure reach = final(robot.q[1])
expect abs(reach - 0.75) < 1e-12
MODEL

for verb in run check show test; do
    gives "$verb takes a robot" 0 stdout . $verb "$robot"
done
gives "test names the model, where the expectations are" 0 stdout '^ok  *.*/lever\.dry:6: abs' test "$robot"
gives "sweep takes a robot" 0 stdout '^0\.75,0\.75,0$' sweep "$robot" -p angle=0.6,0.75
gives "and tells the unit of a parameter of its joints" 0 stdout '^robot_joints\.hinge\.friction \[N m\],' \
    sweep "$robot" -p robot_joints.hinge.friction=0.1,0.2
# A sweep of some seconds is killed as soon as its journal has a block; then the robot changes.
"$drystone" sweep "$robot" -p angle=0.6:0.9:3000 --quiet -o "$scratch/robot.csv" &
pid=$!
while [ ! -s "$scratch/robot.csv.part" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
kill -9 "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
cp "$robot" "$scratch/kept.urdf"
sed 's/mass value="1"/mass value="2"/' "$scratch/kept.urdf" >"$robot"
gives "the journal of another robot is refused" 4 stderr "belongs to another sweep" \
    sweep "$robot" -p angle=0.6:0.9:3000 --quiet --resume -o "$scratch/robot.csv"
cp "$scratch/kept.urdf" "$robot"

cp "$robot" "$scratch/alone.urdf"
fails_alone() { # test tells it on both streams
    ended=0
    "$drystone" test "$scratch/alone.urdf" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = 1 ] && grep -q '^FAILED .*alone\.urdf: ' "$scratch/stdout" && grep -q 'there is no .*alone\.dry' "$scratch/stderr"
}
check "test of a robot without a model fails, and says so" fails_alone

sed 's/, q = \[angle\]//' "$scratch/lever.dry" >"$scratch/lost.dry"
gives "a start outside the limits is refused with the line" 3 stderr \
    "lever\.urdf:7: joint 'hinge' (q\[1\] = 0 rad, limits 0\.5 \.\. 1) starts outside the limits" run "$scratch/lost.dry"

gives "and the way out" 3 stderr "^ *= .*\`q = \[0\.5\]\`" run "$scratch/lost.dry"

gives "the headline is about the robot" 3 stderr 'error: the robot `robot` cannot be built: .* \[robot-file\]' run "$scratch/lost.dry"

sed 's/^run/init robot.q = 1.5 [rad]\nrun/; /^expect/d' "$scratch/lever.dry" >"$scratch/thrown.dry"
thrown_is_told() {
    "$drystone" check "$scratch/thrown.dry" >"$scratch/stdout" 2>"$scratch/stderr" &&
        grep -q 'thrown\.dry:4:6: warning: the joint `robot\.hinge` starts at 1\.5 rad, outside its limits 0\.5 \.\. 1' "$scratch/stderr"
}
check "so is a start by init" thrown_is_told
gives "a setting of a joint keeps its dimension" 3 stderr '`robot_joints\.hinge\.friction` is in \[N m\], but the setting gives \[kg\]' \
    run "$robot" -p robot_joints.hinge.friction=2kg
gives "a setting of a joint keeps its range" 3 stderr '`robot_joints\.hinge\.damping` is -1, but must be at least 0' \
    run "$robot" -p robot_joints.hinge.damping=-1

tells() { # PATTERN FILE: a warning
    "$drystone" run "$2" 2>"$scratch/stderr" >"$scratch/stdout" && grep -q "^warning: .*$1" "$scratch/stderr"
}
sed 's/<mass value/<mass valeu="2" value/' "$robot" >"$scratch/lever.typo.urdf"
sed 's/lever\.urdf/lever.typo.urdf/' "$scratch/lever.dry" >"$scratch/typo.dry"
check "what is not read is a warning" tells "lever\.typo\.urdf:4: mass: its attribute 'valeu'" "$scratch/typo.dry"

# The model that runs a robot, for one with limits that do not contain 0, a joint that mimics, a stiff damper and more
# joints than one panel has curves.
{
    echo '<robot name="many"><link name="base"/>'
    k=0
    while [ $k -lt 14 ]; do
        k=$((k + 1))
        damping=0
        more=
        [ $k != 3 ] || damping=2000
        [ $k != 2 ] || more='<mimic joint="j1" multiplier="-2" offset="0.5"/>'
        echo "<link name=\"l$k\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>
<joint name=\"j$k\" type=\"revolute\"><parent link=\"base\"/><child link=\"l$k\"/><axis xyz=\"0 1 0\"/>
<limit lower=\"-3\" upper=\"$([ $k = 5 ] && echo -1 || echo 3)\" effort=\"20\" velocity=\"2\"/>
<dynamics damping=\"$damping\"/>$more</joint>"
    done
    echo '</robot>'
} >"$scratch/many-joints.urdf"
gives "new writes the model of a robot" 0 stdout '^wrote .*many-joints\.dry' new "$scratch/many-joints.urdf"
check "with a start inside the limits" grep -q 'q = \[0, 0\.5, 0, 0, -1, 0' "$scratch/many-joints.dry"
check "with twelve curves in a panel" grep -qx 'plot robot\.q\[13\], robot\.q\[14\]' "$scratch/many-joints.dry"
holds() { # as it was written, and the joints stay where they are
    "$drystone" run "$1" --quiet -o "$scratch/many.csv" 2>"$scratch/stderr" &&
        tail -1 "$scratch/many.csv" | awk -F, '{ exit !($2 < 1e-3 && $2 > -1e-3) }'
}
check "which runs, and holds" holds "$scratch/many-joints.urdf"
gives "and is not overwritten" 2 stderr 'many-joints\.dry already exists' new "$scratch/many-joints.urdf"
echo '<robot name="table"><link name="top"/></robot>' >"$scratch/table.urdf"
gives "a robot that cannot move has no model" 3 stderr 'nothing in it can move' new "$scratch/table.urdf"
check "and none is written" [ ! -e "$scratch/table.dry" ]

# A free base falls as a body does, whatever hangs on it and however it swings.
write "$scratch/fall.urdf" <<'ROBOT'
<robot name="fall">
  <link name="trunk"><inertial><mass value="3"/><inertia ixx="0.1" iyy="0.2" izz="0.25"/></inertial></link>
  <link name="leg"><inertial><origin xyz="0 0 -0.3"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.01"/></inertial></link>
  <joint name="hip" type="continuous"><parent link="trunk"/><child link="leg"/><axis xyz="0 1 0"/></joint>
</robot>
ROBOT
write "$scratch/fall.dry" <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part robot = urdf(file = "fall.urdf", base = free, at = [0, 0, 2] [m])
init robot.q_dot[1] = 5 [rad/s]
init robot.base_v[1] = 1 [m/s]
z = (3*robot.trunk.p[3] + robot.leg.p[3] - 0.3*cos(tilt))/4
x = (3*robot.trunk.p[1] + robot.leg.p[1] - 0.3*sin(tilt))/4
tilt = robot.q[1] + 2*atan2(robot.base_turn[3], robot.base_turn[1])
run until = 0.5 [s], step = 1 [ms], method = rk4
expect abs(final(z) - (2 - 0.3/4 - 9.81*0.125)) < 1e-9    # its centre of mass
expect abs(final(x) - (1 - 5*0.3/4)*0.5) < 1e-9
MODEL
gives "the centre of mass of a robot with a free base falls" 0 stdout '^ok' test "$scratch/fall.dry"

# Effort and velocity bound what equations push with: 2.5 rad/s^2 by 5 N m of 50, up to 2 rad/s.
write "$scratch/driven.urdf" <<'ROBOT'
<robot name="driven">
  <link name="base"/>
  <link name="disc"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="2"/></inertial></link>
  <joint name="axle" type="continuous">
    <parent link="base"/><child link="disc"/><axis xyz="0 0 1"/><limit effort="5" velocity="2"/>
  </joint>
</robot>
ROBOT
write "$scratch/driven.dry" <<'MODEL'
part robot = urdf(file = "driven.urdf", drive = file)
robot.axle.f += 20 [N m]
robot.axle.f += 30 [N m]
run until = 5 [s], step = 1 [ms], method = rk4
expect abs(at(robot.q_dot[1], 0.5) - 1.25) < 1e-9
expect abs(final(robot.q_dot[1]) - 2) < 1e-9
MODEL
gives "effort and velocity of the file bound a drive" 0 stdout '^ok' test "$scratch/driven.dry"
sed 's/, drive = file//' "$scratch/driven.dry" >"$scratch/undriven.dry"
"$drystone" test "$scratch/undriven.dry" >"$scratch/stdout" 2>"$scratch/stderr" || true
check "and are told where they do not" grep -q 'drive = file' "$scratch/stderr"
check "which is another motion" grep -q '^FAILED' "$scratch/stdout"

# A damping that the step is too long for: the message names a step, and a method, that do.
sed 's/<limit effort="5" velocity="2"\/>/<dynamics damping="20000"\/>/' "$scratch/driven.urdf" >"$scratch/damped.urdf"
write "$scratch/damped.dry" <<'MODEL'
part robot = urdf(file = "damped.urdf")
init robot.q_dot[1] = 1 [rad/s]
run until = 0.1 [s], step = 1 [ms], method = rk4
MODEL
gives "a step too long for the damping of a file is refused, with rodas4 and a step" 3 stderr \
    'use a step of at most 0\.000[0-9]* s, or an implicit method.*method = rodas4' run "$scratch/damped.dry"
"$drystone" run "$scratch/damped.dry" 2>"$scratch/stderr" >"$scratch/stdout" || true
step=$(sed -n 's/.*a step of at most \([^ ]*\) s.*/\1/p' "$scratch/stderr")
sed "s/step = 1 \[ms\]/step = $step [s]/" "$scratch/damped.dry" >"$scratch/shorter.dry"
runs() { # to its end
    "$drystone" run "$1" --quiet -o "$scratch/runs.csv" >"$scratch/stdout" 2>"$scratch/stderr"
}
check "that step does" runs "$scratch/shorter.dry"
sed 's/step = 1 \[ms\], method = rk4/method = rodas4/' "$scratch/damped.dry" >"$scratch/implicit.dry"
check "and so does rodas4" runs "$scratch/implicit.dry"

finish
