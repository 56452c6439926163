#!/bin/sh
# The runner of the tests counts right: failures, crashes, silence, hangs and skips are seen.
set -eu
. tests/house/tap.sh

clone=$scratch/clone
mkdir -p "$clone/tools" "$clone/build"
chmod 755 "$scratch" # as nobody, too
cp tools/run-tests.sh tools/cage.sh "$clone/tools"
program() { # NAME: a test of that name that runs the lines of standard input
    { echo '#!/bin/sh'; cat; } | write "$clone/tests/room/test_$1.sh"
    chmod +x "$clone/tests/room/test_$1.sh"
    echo "tests/room/test_$1.sh" >>"$clone/build/tests.txt"
}
ends_with() { # LINE
    DRY_TEST_LIMIT=1 "$clone/tools/run-tests.sh" build >"$scratch/output" 2>&1 && status=0 || status=$?
    cat "$scratch/output"
    [ "$(tail -n 1 "$scratch/output")" = "$1" ]
}
alone() { rm -rf "$clone/tests" "$clone/build/tests.txt"; program "$1"; }

refuses "a build without a list of tests is explained" 'no tests in build' "$clone/tools/run-tests.sh" build
: >"$clone/build/tests.txt"
refuses "no tests are no success" '^0 passed, 0 failed$' "$clone/tools/run-tests.sh" build

echo 'echo 1..2; echo "ok 1 - a"; echo "ok 2 - b"' | alone good
check "passes are counted" ends_with '2 passed, 0 failed'
check "and give success" test "$status" = 0

echo 'echo 1..2; echo "ok 1 - a"; echo "not ok 2 - b"; echo because of rain' | alone bad
check "failures are counted" ends_with '1 passed, 1 failed'
check "and give no success" test "$status" != 0
check "the output of a failure is shown" grep 'because of rain' "$scratch/output"

echo 'echo 1..3; echo "ok 1 - a"; kill -SEGV $$' | alone crash
check "a crash counts for the tests it prevents" ends_with '1 passed, 2 failed'
echo 'echo 1..1; echo "ok 1 - a"; exit 3' | alone status
check "a bad status counts" ends_with '1 passed, 1 failed'
echo ':' | alone silent
check "silence counts" ends_with '0 passed, 1 failed'
echo 'sleep 5; echo 1..1; echo "ok 1 - a"' | alone hangs
check "a program that hangs counts" ends_with '0 passed, 1 failed'

echo 'echo 1..3; echo "ok 1 - a"; echo "not ok 2 # SKIP no_data"; echo "ok 3 - c # SKIP no tool"' | alone skips
check "what is skipped counts as failed" ends_with '1 passed, 2 failed'
check "and is named" grep 'skipped .*no_data' "$scratch/output"

echo 'echo 1..1; echo "ok 1 - a"' | program more
check "several programs add up" ends_with '2 passed, 2 failed'

echo 'echo 1..1; : >"$DRY_BUILD/x" && : >"$TMPDIR/x" && : >"$HOME/x" && echo "ok 1 - a"' | alone writes
check "a test can write to its build, to TMPDIR and HOME" ends_with '1 passed, 0 failed'
echo ': >tools/litter || exit; echo 1..1; echo "ok 1 - a"' | alone litters
fails() { "$clone/tools/run-tests.sh" build >"$scratch/output" 2>&1 && return 1; grep '^[01] passed, 1 failed$' "$scratch/output"; }
check "a test that writes beside the sources fails" fails
rm -f "$clone/tools/litter"

finish
