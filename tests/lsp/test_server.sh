#!/bin/sh
# `drystone lsp` answers a client that follows a script as the protocol asks for.
set -eu
. tests/house/tap.sh

PATH=/usr/bin:$PATH
if have python3; then
    python3 tests/lsp/client.py "$DRY_BUILD/drystone" . "$scratch"
else
    finish
fi
