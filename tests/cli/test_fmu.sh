#!/bin/sh
# drystone export --to fmu2, fmu3: archives that anyone can unpack, descriptions whose references fit, words that do
# not fit, files and folders that come along.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME

export_fmu() { "$drystone" export "$@" --no-watch; }

write "$scratch/odd.dry" <<'MODEL'
model odd "<&> ' ]]> é"
param M = 2 [kg], α = 30 [N/m] in 1..1e3
state p = 0.1 [m], v = 0 [m/s], q[2] = 0.2
input push = 1 [N]
f in 0.3 [N]*sgn(v) with K = 4e3 [N/m], beta = 2 [ms]
g in 0.1 [N]*sgn(v) with K = 4e3 [N/m], beta = 2 [ms]
p' = v
M*v' = push - α*p - f - g
q' = [q[2], -q[1]]*1 [1/s]
sample held = p every 10 [ms] from 0 [m]
run until = 2 [s], step = 1 [ms], method = rk4
plot p in mm
MODEL

# What FMI says of a description, by a second program.
write "$scratch/look.py" <<'PYTHON'
import sys, zipfile, xml.etree.ElementTree as tree
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
assert all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in archive.infolist())
for name in archive.namelist():
    assert not name.startswith("/") and ".." not in name.split("/"), name
root = tree.fromstring(archive.read("modelDescription.xml"))
two = root.get("fmiVersion") == "2.0"
variables = list(root.find("ModelVariables"))
number = {v.get("valueReference"): i for i, v in enumerate(variables)}
assert len(number) == len(variables), "references are unique"
names = [v.get("name") for v in variables]
assert len(set(names)) == len(names) and all(names), "names are unique"
real = [v.find("Real") if two else v for v in variables]
key = (lambda i: str(i + 1)) if two else (lambda i: variables[i].get("valueReference"))
index = {key(i): i for i in range(len(variables))}
units = {u.get("name") for u in root.iter("Unit")}
rates = []
for i, v in enumerate(variables):
    assert real[i].get("unit") is None or real[i].get("unit") in units, real[i].get("unit")
    start, causality = real[i].get("start"), v.get("causality")
    assert (start is not None) == (v.get("initial") == "exact" or causality == "input"), v.get("name")
    if causality == "parameter":
        assert v.get("variability") in ("fixed", "tunable")
    for bound, sign in (("min", 1), ("max", -1)):
        if real[i].get(bound):
            assert sign * (float(start) - float(real[i].get(bound))) >= 0
    assert float(real[i].get("nominal", 1)) > 0
    state = real[i].get("derivative")
    if state:
        assert v.get("name") == "der(%s)" % names[index[state]], v.get("name")
        rates.append(i)
known = {i for i, v in enumerate(variables) if v.get("causality") in ("input", "independent")}
known |= {index[real[i].get("derivative")] for i in rates}
structure = root.find("ModelStructure")
def unknowns(two_name, three_name):
    found = structure.findall(two_name + "/Unknown") if two else structure.findall(three_name)
    return [(index[u.get("index" if two else "valueReference")], u.get("dependencies")) for u in found]
outputs, derivatives = unknowns("Outputs", "Output"), unknowns("Derivatives", "ContinuousStateDerivative")
initial = unknowns("InitialUnknowns", "InitialUnknown")
assert [i for i, d in outputs] == [i for i, v in enumerate(variables) if v.get("causality") == "output"]
assert [i for i, d in derivatives] == rates
for i, needs in outputs + derivatives:
    for need in (needs or "").split():
        assert index[need] in known, (names[i], need)
wanted = [i for i, v in enumerate(variables) if i in rates or v.get("initial") == "calculated"
          and (v.get("causality") == "output" or i in known)]
assert [i for i, d in initial] == wanted, (initial, wanted)
experiment = root.find("DefaultExperiment")
assert all(experiment.get(k) for k in ("startTime", "stopTime", "tolerance", "stepSize"))
kinds = [k for k in ("ModelExchange", "CoSimulation") if root.find(k) is not None]
identifier = root.find(kinds[0]).get("modelIdentifier")
folder = [n for n in archive.namelist() if n.startswith("binaries/")]
assert len(folder) == 1 and folder[0].endswith("/" + identifier + ".so"), folder
if two:
    sources = [f.get("name") for f in root.findall("CoSimulation/SourceFiles/File")]
elif "sources/buildDescription.xml" in archive.namelist():
    build = tree.fromstring(archive.read("sources/buildDescription.xml"))
    assert build.find("BuildConfiguration").get("modelIdentifier") == identifier
    sources = [f.get("name") for f in build.iter("SourceFile")]
else:
    sources = []
for name in sources:
    assert "sources/" + name in archive.namelist(), name
print(",".join(kinds), len(rates), "states", ",".join(sources), root.get("description"))
for name in sys.argv[2:]:
    assert name in archive.namelist(), (name, archive.namelist())
PYTHON
look() { PATH=/usr/bin:$PATH python3 "$scratch/look.py" "$@"; }

for version in 2 3; do
    fmu=$scratch/odd$version.fmu
    check "writes FMI $version.0 of equations" export_fmu "$scratch/odd.dry" --to fmu$version -o "$fmu"
    check "and its description is consistent" look "$fmu"
    check "with sources that build by themselves" sh -c "mkdir '$scratch/s$version' && cd '$scratch/s$version' &&
        PATH=/usr/bin:\$PATH python3 -m zipfile -e '$fmu' . && cd sources &&
        ${CC:-cc} -std=c99 -O1 -fPIC -shared -Wall -Wextra -Wpedantic -Wshadow -Werror -o it.so fmu.c -lm &&
        ${CC:-cc} -std=c99 -DFMI${version}_FUNCTION_PREFIX=odd_ -c fmu.c && nm fmu.o | grep 'T odd_fmi${version}DoStep'"
    check "writes FMI $version.0 of parts" export_fmu models/classics/door.dry --to fmu$version -o "$scratch/door$version.fmu"
    check "and its description is consistent" look "$scratch/door$version.fmu" resources/run.txt resources/door.dry
    check "writes FMI $version.0 for a method of the library" \
        export_fmu models/classics/persoz.dry --method rodas4 --to fmu$version -o "$scratch/p.fmu"
    check "which is co-simulation alone" sh -c "PATH=/usr/bin:\$PATH python3 '$scratch/look.py' '$scratch/p.fmu' | grep '^CoSimulation 0 states'"
done

again() {
    export_fmu "$scratch/odd.dry" --to fmu2 -o "$scratch/again.fmu" && cmp "$scratch/odd2.fmu" "$scratch/again.fmu" &&
        export_fmu models/classics/door.dry --to fmu3 -o "$scratch/again.fmu" && cmp "$scratch/door3.fmu" "$scratch/again.fmu"
}
check "the same model gives the same bytes" again

# ---- what the text names comes along -----------------------------------------------------------------
mkdir -p "$scratch/m/models" "$scratch/m/data"
printf 't [s],force [N]\n0,0\n1,3\n2,0\n' >"$scratch/m/data/pull.csv"
write "$scratch/m/models/box.dry" <<'MODEL'
param m = 2 [kg]
MODEL
write "$scratch/m/models/pulled.dry" <<'MODEL'
include "box.dry" as b
input pull from "../data/pull.csv" column "force" [N]
part earth = gravity(g = 9.81 [m/s^2])
part load = point_mass(mass = b.m, p = [0 [m], 0 [m], 0 [m]])
load.f += [pull, 0 [N], 9.81 [m/s^2]*b.m]
run until = 2 [s], step = 1 [ms], method = rk4
MODEL
check "files and includes keep their places" sh -c "cd '$scratch/m' && '$drystone' export models/pulled.dry --to fmu2 -o it.fmu --no-watch &&
    PATH=/usr/bin:\$PATH python3 '$scratch/look.py' it.fmu resources/models/pulled.dry resources/models/box.dry resources/data/pull.csv"
sed "s|\.\./data|$scratch/m/data|" "$scratch/m/models/pulled.dry" >"$scratch/m/models/fixed.dry"
refuses "a path from the root is refused" 'name the file from the folder of the model' sh -c \
    "cd '$scratch/m' && '$drystone' export models/fixed.dry --to fmu2 -o no.fmu --no-watch"
refuses "also if the model is at such a path" 'name the file from the folder of the model' \
    export_fmu "$scratch/m/models/fixed.dry" --to fmu2 -o "$scratch/m/no.fmu"
check "and nothing is written" test ! -e "$scratch/m/no.fmu"

# ---- words that do not fit ------------------------------------------------------------------------------
refuses "an unknown language" 'write --to c, arduino, fmu2 or fmu3' export_fmu "$scratch/odd.dry" --to fmu1 -o "$scratch/x.fmu"
refuses "an unknown kind" 'me, cs or both' export_fmu "$scratch/odd.dry" --to fmu2 --kind all -o "$scratch/x.fmu"
refuses "a kind of C" 'needs --to fmu2' export_fmu "$scratch/odd.dry" --kind me -o "$scratch/x"
refuses "another ending" 'must end in .fmu' export_fmu "$scratch/odd.dry" --to fmu2 -o "$scratch/x.zip"
refuses "no output" 'write: -o X.fmu' export_fmu "$scratch/odd.dry" --to fmu2
refuses "single precision" 'double precision' export_fmu "$scratch/odd.dry" --to fmu2 --float -o "$scratch/x.fmu"
for method in rk4-tau semi-implicit rigid; do
    refuses "model exchange by $method" 'take co-simulation' \
        export_fmu tests/lang/features/friction-given.dry --force --method $method --to fmu3 --kind me -o "$scratch/x.fmu"
done
refuses "a method of another library" 'rodas4' \
    export_fmu tests/lang/features/friction-given.dry --force --method cvode --to fmu3 -o "$scratch/x.fmu"
refuses "a tolerance of C" '--rtol has no effect: exported C has fixed steps' export_fmu "$scratch/odd.dry" --rtol 1e-5 -o "$scratch/x"
"$drystone" export "$scratch/odd.dry" --to fmu3 --method dopri5 --rtol 3e-5 --no-watch -o "$scratch/tolerant.fmu" >"$scratch/log" 2>&1
check "a tolerance goes into the FMU" sh -c "PATH=/usr/bin:\$PATH python3 -c 'import sys, zipfile
sys.exit(b\"tolerance=\\\"3e-5\\\"\" not in zipfile.ZipFile(sys.argv[1]).read(\"modelDescription.xml\"))' '$scratch/tolerant.fmu'"
refuses "no compiler" 'install one' env CC=nothing "$drystone" export "$scratch/odd.dry" --to fmu2 -o "$scratch/x.fmu" --no-watch
check "nothing is left of them" test ! -e "$scratch/x.fmu"
cp "$drystone" "$scratch/drystone"
refuses "no library beside the command" 'make install' "$scratch/drystone" export models/classics/door.dry --to fmu2 -o "$scratch/x.fmu"
check "the note names the longest step" sh -c "'$drystone' export '$scratch/odd.dry' --to fmu2 -o '$scratch/n.fmu' --no-watch 2>&1 | grep 'at most'"

finish
