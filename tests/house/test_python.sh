#!/bin/sh
# The Python package: its tests by pytest, and that what it knows of the headers is what they say.
set -eu
. tests/house/tap.sh

export PATH=/usr/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=python
text=python/drystone/_signatures.py
fresh() { tools/bind-text.sh | diff - $text || { echo "run: tools/bind-text.sh >$text"; false; }; }
check "$text is what tools/bind-text.sh prints" fresh

# An argument more in a header is an argument more for Python; a struct cannot be one.
cp -r --parents include/drystone python/drystone "$scratch"
planted() { # SED: a change of bind.h
    sed "$1" include/drystone/bind.h >"$scratch/include/drystone/bind.h"
    tools/bind-text.sh "$scratch"
}
reaches() { planted 's/void dry_bind_plan_free(dry_bind_plan \*plan)/void dry_bind_plan_free(dry_bind_plan *plan, double more)/' |
    grep '"dry_bind_plan_free": "vpd"'; }
check "an argument of a header reaches it" reaches
refuses "a function that is gone is an error" 'no header declares dry_bind_plan_new' planted 's/dry_bind_plan_new/gone/'
refuses "a struct is an error" 'takes or returns a dry_message' planted 's/int dry_bind_option(/dry_message dry_bind_option(/; s/const char \*dry_bind_option(/dry_message dry_bind_option(/'

python3 -c 'import numpy, pytest' 2>/dev/null || finish # tools/deps.sh says when they are missing
library=$(find "$DRY_BUILD" -maxdepth 1 -name 'libdrystone.so.*' | sort | head -n 1)
export DRYSTONE_LIBRARY="$library" XDG_CACHE_HOME="$scratch/cache"

# Installed for a user, it finds its library by itself; one that does not fit is refused with a way out.
home=$scratch/home
bare() { # CODE, in an empty environment and another folder
    (cd / && env -i HOME="$home" PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 DRYSTONE_LIBRARY="${of-}" PYTHONPATH="${path-}" python3 -c "$1")
}
printf "state x = 1 [m]\nx' = -x/(1 [s])\nrun until = 1 [s]\n" >"$scratch/decay.dry"
run="import drystone as d; print(d.__file__, d.load('$scratch/decay.dry').run()['x'][-1])"
installed() {
    env -u MAKEFLAGS -u MFLAGS cmake --install "$DRY_BUILD" --prefix "$home/.local" && HOME=$home tools/install-python.sh "$DRY_BUILD" "$home/.local" &&
        bare "$run" | grep "^$home/.local/lib/.* 0.36787944"
}
check "installed for a user it runs" installed
staged() {
    DESTDIR=$scratch/stage tools/install-python.sh "$DRY_BUILD" /usr &&
        grep '^/usr/lib.*/libdrystone.so' "$scratch"/stage/usr/lib/python3*/dist-packages/drystone/library.path
}
check "below DESTDIR it has the path without it" staged
refuses "a PREFIX that is no whole path" 'whole path' tools/install-python.sh "$DRY_BUILD" here
mkdir "$scratch/path"
cp -r "$home"/.local/lib/python3*/*-packages/drystone "$scratch/path"
sed -i 's/^VERSION = .*/VERSION = "9.9.9"/' "$scratch/path/drystone/_signatures.py"
path=$scratch/path
refuses "a library of another version" 'but this package is 9.9.9: install both from the same' bare "$run"
path='' of=/lib/x86_64-linux-gnu/libm.so.6
[ -e $of ] || of=$(find /lib /usr/lib -name 'libm.so.6' | head -n 1)
refuses "a library that lacks a function" 'has no function dry_' bare "$run"
of=/nowhere/libdrystone.so
refuses "a library that is not there" '/nowhere/libdrystone.so: .*' bare "$run"
path='' of=''

# pytest prints one line of TAP for each of its tests (tests/python/conftest.py).
python3 -m pytest -q -p no:cacheprovider -c /dev/null --rootdir=tests/python tests/python >"$scratch/pytest" 2>&1 || :
while read -r line; do
    name=${line#* - }
    case $line in
    'ok '*) result ok "pytest: $name" ;;
    'not ok '*) sed -n "/^$line\$/,/^[a-z]/p" "$scratch/pytest" >"$scratch/log"; result not-ok "pytest: $name" ;;
    esac
done <<LINES
$(grep -a -E '^(not )?ok [0-9]+ - ' "$scratch/pytest")
LINES
whole() { tail -n 5 "$scratch/pytest"; grep -q '^1\.\.[1-9]' "$scratch/pytest"; }
check "pytest came to its end" whole

finish
