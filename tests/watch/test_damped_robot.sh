#!/bin/sh
# A robot whose file has more damping than the step bears: the step that the message names is trusted
# when it is followed, with every method, and so is rodas4.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh
if ! built_with URDF; then finish; fi

cat >"$scratch/damped.urdf" <<'ROBOT'
<robot name="damped"><link name="w"/>
<link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/>
<inertia ixx="1e-4" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><origin xyz="0.05 0 0"/><mass value="0.05"/>
<inertia ixx="1e-6" iyy="2e-6" izz="2e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="continuous"><parent link="w"/><child link="a"/><axis xyz="0 1 0"/>
<dynamics damping="1.5"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.2 0 0"/>
<axis xyz="0 1 0"/><dynamics damping="0.5"/></joint></robot>
ROBOT
cat >"$scratch/damped.dry" <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part robot = urdf(file = "damped.urdf", base = fixed)
run until = 0.5 [s]
MODEL

trusted() { "$drystone" run "$scratch/damped.dry" "$@" 2>&1 >/dev/null | grep -q 'trusted to'; }
follows() { # METHOD
    step=$("$drystone" run "$scratch/damped.dry" --method "$1" --step 3e-3 2>&1 >/dev/null |
        sed -n 's/.*use a step of at most \([0-9.e-]*\) s, or an implicit.*/\1/p')
    test -n "$step" && trusted --method "$1" --step "$step"
}
for method in rk4 heun euler semi-implicit rk4-tau; do
    check "$method is trusted with the step that it is told" follows "$method"
done
check "so is rodas4" trusted --method rodas4
finish
