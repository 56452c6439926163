#!/bin/sh
# Robots from the command: every verb that takes a model takes a .urdf with a model beside it, and tells what
# the file says and is not used.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

if [ "$("$drystone" --version | awk '$1 == "URDF" { print $2 }')" != yes ]; then finish; fi

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
gives "the journal of another robot is refused" 4 stderr "of another sweep" \
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
gives "a start outside the limits is refused with the line, and the way out" 3 stderr \
    "lever\.urdf:7: joint 'hinge' (q\[1\] = 0 rad, limits 0\.5 \.\. 1) starts outside the limits: .*\`q = \[0\.5\]\`" run "$scratch/lost.dry"

gives "the headline is about the robot" 3 stderr 'error: the robot `robot` cannot be made: .* \[robot-file\]' run "$scratch/lost.dry"

sed 's/^run/init robot.q = 1.5 [rad]\nrun/; /^expect/d' "$scratch/lever.dry" >"$scratch/thrown.dry"
thrown_is_told() {
    "$drystone" check "$scratch/thrown.dry" >"$scratch/stdout" 2>"$scratch/stderr" &&
        grep -q 'thrown\.dry:4:6: warning: the joint `robot\.hinge` starts at 1\.5 rad, outside its limits 0\.5 \.\. 1' "$scratch/stderr"
}
check "so is a start by init" thrown_is_told
gives "a setting of a joint keeps its range" 3 stderr '`robot_joints\.hinge\.damping` is -1, and must be at least 0' \
    run "$robot" -p robot_joints.hinge.damping=-1

tells() { # PATTERN FILE: a warning
    "$drystone" run "$2" 2>"$scratch/stderr" >"$scratch/stdout" && grep -q "^warning: .*$1" "$scratch/stderr"
}
sed 's/<mass value/<mass valeu="2" value/' "$robot" >"$scratch/lever.typo.urdf"
sed 's/lever\.urdf/lever.typo.urdf/' "$scratch/lever.dry" >"$scratch/typo.dry"
check "what is not read is a warning" tells "lever\.typo\.urdf:4: mass: its attribute 'valeu'" "$scratch/typo.dry"

finish
