#!/bin/sh
# The scripts of the project are plain shell without known mistakes.
set -eu
. tests/house/tap.sh

if have shellcheck; then
    check "shellcheck finds nothing" shellcheck -x -S warning tools/*.sh tests/*/*.sh completion/*.bash .ci/run
fi
if have dash; then
    check "they are POSIX shell" sh -c 'for script in tools/*.sh tests/*/*.sh; do dash -n "$script" || exit 1; done'
fi

runnable() { # tools/run-tests.sh starts them as programs
    for script in tests/*/test_*.sh; do
        [ -x "$script" ] || { echo "chmod +x $script"; return 1; }
    done
}
check "tests can be started" runnable

finish
