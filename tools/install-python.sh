#!/bin/sh
# Installs the Python package into PREFIX, below DESTDIR where it is set: the folder that this computer's Python reads,
# and beside it the name of the library that `make install` has put there.
#
#   tools/install-python.sh BUILD PREFIX
set -eu
cd "$(dirname -- "$0")/.."
build=$1 prefix=$2
export PATH="/usr/bin:$PATH"

# Debian reads /usr/lib/python3/dist-packages and /usr/local/lib/python3.N/dist-packages; others site-packages.
folder=$(python3 - "$prefix" <<'PROGRAM'
import sys
prefix, own = sys.argv[1].rstrip("/"), "python%d.%d" % sys.version_info[:2]
if prefix == "/usr" and "/usr/lib/python3/dist-packages" in sys.path:
    print("/usr/lib/python3/dist-packages")
else:
    kind = "dist-packages" if any(path.endswith("dist-packages") for path in sys.path) else "site-packages"
    print("%s/lib/%s/%s" % (prefix, own, kind))
PROGRAM
)
library=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")
version=$(sed -n 's/.*DRY_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' include/drystone/core.h)
case $library in /*) ;; *) library=$prefix/$library ;; esac

to=${DESTDIR-}$folder/drystone
mkdir -p "$to"
for file in python/drystone/*.py python/drystone/py.typed; do install -m 644 "$file" "$to/"; done
echo "$library/libdrystone.so.$version" >"$to/library.path"
echo "-- Installing: $to"
case :$(python3 -c 'import sys; print(":".join(sys.path))'): in
*":$folder:"*) ;;
*) echo "   Python does not look there by itself: PYTHONPATH=$folder" ;;
esac
