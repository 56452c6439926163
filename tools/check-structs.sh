#!/bin/sh
# Checks that a struct of more than MOST fields says why: the comment before it has "long because".
#
#   tools/check-structs.sh [--all] [MOST] [ROOT]
#
# --all prints the longest struct of each room. A field is one declared name.
set -eu

mode=check
[ "${1-}" = --all ] && { mode=all; shift; }
most=${1:-30}
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "${2-$tools/..}"

find src include -name '*.[ch]' | LC_ALL=C sort |
    xargs awk -v mode="$mode" -v most="$most" -v table="$tools/rooms.txt" -f "$tools/c-text.awk" -f "$tools/structs.awk"
