#!/bin/sh
# Prints the packages of Debian that have the libraries which some targets of a build load when they are first used, as
# a line for the .substvars of a package.
#
#   tools/recommends.sh BUILD TARGET...
set -eu
build=$1
shift
for target; do sed -n "s/^$target [^ ]* //p" "$build/recommends.txt"; done | LC_ALL=C sort -u |
    awk '{ list = list (NR > 1 ? ", " : "") $1 } END { print "loaded:Recommends=" list }'
