#!/bin/sh
# Prints fmu_text.c of a build: the C that goes into an FMU, as strings, line by line.
#
#   tools/fmu-text.sh [ROOT] > BUILD/fmu_text.c
set -eu
cd "${1-$(dirname -- "$0")/..}"

cat <<'HEAD'
/* The C of an FMU: printed by tools/fmu-text.sh, not written by hand. */
/* clang-format off */
#include "fmu/fmu_private.h"
HEAD
texts="fmu.h equations.c instance.c steps.c fmi2.c fmi3.c"
for text in $texts; do
    printf '\nstatic const char *const %s[] = {\n' "$(echo "$text" | tr . _)"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n",/' "src/fmu/inside/$text"
    printf '    NULL,\n};\n'
done
printf '\nconst dry_fmu__text dry_fmu__texts[] = {\n'
for text in $texts; do printf '    {"%s", %s},\n' "$text" "$(echo "$text" | tr . _)"; done
printf '    {NULL, NULL},\n};\n'
