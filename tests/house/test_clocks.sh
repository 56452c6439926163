#!/bin/sh
# No test reads a clock: what takes long on a busy computer is no mistake, and what has become slow is seen as a ratio in
# `make bench`, or as a count: of basic blocks (tests/blocks.h), of pieces of memory (tests/counting.h), of steps and rates.
# What hangs is ended by tools/run-tests.sh.
set -eu
. tests/house/tap.sh

# FILE, and why.
allowed() {
    sed 's/ *#.*//' <<'END'
tests/cli/test_memory.c   # puts a clock that stands still in the place of the real one
tests/record/test_csv.c   # sleeps until it kills a writer: nanosleep is in time.h
tests/house/test_clocks.sh
END
}

in_c='<(sys/)?(time|times)\.h>|(^|[^a-z_])(clock|clock_gettime|timespec_get|gettimeofday|times|ftime|getrusage) *\(|(^|[^a-z_])time\((NULL|0|&)|rdtsc|CLOCKS_PER_SEC'
in_sh='(^|[^a-z_-])date \+|(^|[|;&({!]|if|then|do|else) *(time|timeout) [-a-z0-9"$]|EPOCH(REALTIME|SECONDS)|\$\{?SECONDS'
in_py='^ *(import|from) .*(time|timeit)( |$)|perf_counter|process_time'
in_js='performance\.now|Date\.now|new Date|console\.time|process\.hrtime'

# FILE:LINE: TEXT of what reads a clock
clocks() { # ROOT
    allowed >"$scratch/allowed"
    (
        cd "$1"
        grep -r -n -E --include='*.[ch]' -e "$in_c" tests || :
        grep -r -n -E --include='*.sh' -e "$in_sh" tests || :
        grep -r -n -E --include='*.py' -e "$in_py" tests || :
        grep -r -n -E --include='*.mjs' -e "$in_js" tests || :
    ) | awk -F : 'NR == FNR { allowed[$1]; next } !($1 in allowed)' "$scratch/allowed" -
}
none() { # ROOT
    clocks "$1" >"$scratch/found"
    [ -s "$scratch/found" ] || return 0
    cat "$scratch/found"
    echo "Count what it does (tests/blocks.h, tests/counting.h), or compare times in bench/."
    return 1
}
needed() { # every exception still has a reason
    allowed | while read -r file; do
        grep -q -E -e "$in_c|$in_sh" "$file" || { echo "$file reads no clock any more"; exit 1; }
    done
}
planted() { # FILE TEXT
    rm -rf "$scratch/tree"
    echo "$2" | write "$scratch/tree/tests/$1"
    none "$scratch/tree"
}

check "no test reads a clock" none .
check "every exception is needed" needed
refuses "clock() of C" 'test_a.c:1:' planted math/test_a.c 'const double t = (double)clock();'
refuses "clock_gettime of C" 'test_a.c:1:' planted math/test_a.c 'clock_gettime(CLOCK_MONOTONIC, &t);'
refuses "a header with clocks" 'test_a.h:1:' planted math/test_a.h '#include <time.h>'
refuses "time(NULL)" 'test_a.c:1:' planted math/test_a.c 'srand((unsigned)time(NULL));'
refuses "date in a script" 'test_a.sh:1:' planted cli/test_a.sh 'began=$(date +%s)'
refuses "a limit in a script" 'test_a.sh:1:' planted cli/test_a.sh 'if timeout 20 sh -c true; then echo; fi'
refuses "the time of a command" 'test_a.sh:1:' planted cli/test_a.sh 'time sort x'
refuses "a clock of Python" 'a.py:1:' planted reference/a.py 'import math, time'
refuses "a clock of a page" 'a.mjs:1:' planted web/a.mjs 'const began = performance.now();'
check "a time of the simulation passes" planted math/test_a.c 'double time(double t); double lifetime = time(3.0);'

finish
