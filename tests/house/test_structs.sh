#!/bin/sh
# No struct has more than 30 fields without a reason, and such structs are found.
set -eu
. tests/house/tap.sh

check "no struct is longer than it may be" tools/check-structs.sh

mkdir -p "$scratch/long/src/hen" "$scratch/long/include"
header=$scratch/long/src/hen/hen.h
struct() { # NUMBER: a struct with so many fields
    echo "typedef struct hen {"
    for i in $(seq 2 "$1"); do echo "    int egg${i}[3]; /* no, it is; no */"; done
    printf '    void (*lay)(int a, int b);\n} hen;\n'
}
struct 30 | write "$header"
check "30 fields are not too many" tools/check-structs.sh 30 "$scratch/long"
struct 31 | write "$header"
refuses "31 are" 'src/hen/hen.h:1: hen has 31 fields' tools/check-structs.sh 30 "$scratch/long"
{ echo '/* It is long because a hen lays many eggs. */'; struct 31; } | write "$header"
check "unless the comment gives the reason" tools/check-structs.sh 30 "$scratch/long"
{ printf '/* It is long\n * because a hen\n * lays many eggs. */\n'; struct 31; } | write "$header"
check "which may go on over lines" tools/check-structs.sh 30 "$scratch/long"
{ echo '/* It is long because a hen lays many eggs. */'; echo 'int egg;'; struct 31; } | write "$header"
refuses "the reason of something else is not its own" 'hen has 31 fields' tools/check-structs.sh 30 "$scratch/long"
{ printf '/* It is long because\n * a hen lays many eggs. */\n\n/* A hen. */\n'; struct 31; } | write "$header"
refuses "nor is that of an earlier comment" 'src/hen/hen.h:5: hen has 31 fields' tools/check-structs.sh 30 "$scratch/long"
printf 'struct fox {\n    int a, b, c;\n    struct {\n        int d, e;\n    } f, g;\n};\n' | write "$header"
check "a field is one name, whatever it holds" tools/check-structs.sh 5 "$scratch/long"
refuses "and each name counts" 'fox has 5 fields' tools/check-structs.sh 4 "$scratch/long"

finish
