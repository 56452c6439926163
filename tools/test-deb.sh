#!/bin/sh
# Installs the packages of FOLDER in an empty Debian, first without what they recommend, then with it, and runs the tests of
# debian/tests there, as an ordinary user. Prints TAP.
#
#   tools/test-deb.sh FOLDER
#
# Needs root and debootstrap. The empty Debian is FOLDER/empty.tar, made once; its
# MIRROR and SUITE are those of this computer, or come from the environment.
set -eu
cd "$(dirname -- "$0")/.."
. tests/house/tap.sh
say() { echo "test-deb: $*" >&2; }
folder=$(cd "$1" && pwd)
[ "$(id -u)" = 0 ] || { say "needs root, for chroot"; exit 1; }

# The mirror that this computer takes packages from, in either form of its sources.
mirror_here() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
        awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^https?:.*\/debian\/?$/) { print $i; exit } }'
}
root=$(mktemp -d)
# shellcheck disable=SC2317,SC2329  # called by the trap
leave() {
    umount "$root/proc" 2>/dev/null || :
    grep -q " $root/" /proc/mounts || rm -rf --one-file-system "$root"
    rm -rf "$scratch"
}
trap leave EXIT
trap 'exit 130' INT TERM

if [ ! -e "$folder/empty.tar" ]; then
    command -v debootstrap >/dev/null || apt-get -y -qq -o DPkg::Lock::Timeout=120 install debootstrap >/dev/null
    mirror=${MIRROR-$(mirror_here)} suite=${SUITE-$(. /etc/os-release && echo "$VERSION_CODENAME")}
    say "an empty Debian $suite from $mirror"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$folder/debootstrap.log" 2>&1 ||
        { tail -n 3 "$folder/debootstrap.log" >&2; exit 1; }
    echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
    tar -C "$root" -cf "$folder/empty.tar.part" . && mv "$folder/empty.tar.part" "$folder/empty.tar"
else
    tar -C "$root" -xf "$folder/empty.tar"
fi
chmod 755 "$root" # it becomes the folder / of an ordinary user
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/packages"
cp "$folder"/*.deb "$root/packages/"
cp -R debian/tests "$root/packages/tests"
cp tests/lang/features/method-rodas4.dry "$root/packages/"
mount -t proc proc "$root/proc"

inside() { # COMMAND...: as root
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@" </dev/null
}
as_user() { # COMMAND...: as somebody who can write to /tmp only
    chroot --userspec=65534:65534 "$root" env -i HOME=/tmp PATH=/usr/bin:/bin LC_ALL=C.UTF-8 sh -c 'cd /tmp && exec "$@"' - "$@" </dev/null
}
apt() { inside apt-get -y -qq -o Acquire::Check-Valid-Until=false "$@"; }
packages() { # NAME...: their files
    for one; do (cd "$root" && ls packages/"${one}"_*.deb) | sed 's,^,/,'; done
}
is_there() { inside dpkg-query -W -f='${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed'; }
models=/usr/share/doc/drystone/examples/models

check "the lists of packages are fresh" apt update
# shellcheck disable=SC2046  # names have no blanks
check "the command installs, without what it recommends" apt install --no-install-recommends $(packages drystone)
recommended=$(inside dpkg-query -W -f='${Recommends}' drystone | tr -d ' ' | tr ',' ' ')
none() { for one in $recommended; do ! is_there "$one" || { echo "$one is there"; return 1; }; done; [ -n "$recommended" ]; }
check "none of them is there: $recommended" none
check "its models run" as_user sh /packages/tests/command
for row in "hdf5 HDF5 run $models/hello.dry --quiet --no-watch -o /tmp/x.h5" "xml2 libxml2 run $models/robots/six-axis.dry" \
    "sundials SUNDIALS run /packages/method-rodas4.dry --method cvode"; do
    library=${row%% *} row=${row#* }
    package=$(printf '%s\n' $recommended | grep "$library" || echo none)
    # shellcheck disable=SC2086  # words
    refuses "${row%% *} is missing: the message names $package" "${row%% *} cannot be loaded.*install $package, or" \
        as_user drystone ${row#* }
done
check "and no half of a file is there" sh -c "[ ! -e $root/tmp/x.h5 ]"

# shellcheck disable=SC2046,SC2086  # names have no blanks
check "what it recommends installs" apt install --no-install-recommends $recommended
check "then results in HDF5 work" as_user drystone run $models/hello.dry --quiet --no-watch -o /tmp/x.h5
check "so do robots" as_user drystone check $models/robots/six-axis.dry
check "and cvode" as_user drystone run /packages/method-rodas4.dry --method cvode --quiet --no-watch

# shellcheck disable=SC2046  # names have no blanks
check "the Python package installs, with the library" apt install --no-install-recommends $(packages libdrystone0.1 python3-drystone)
check "it runs a model" as_user python3 /packages/tests/first_run.py $models/hello.dry
# shellcheck disable=SC2046  # names have no blanks
check "the development files install" apt install --no-install-recommends $(packages libdrystone-dev) gcc libc6-dev g++ make cmake pkg-config
check "programs of others are built with them" as_user sh /packages/tests/program

check "Vim, Emacs and VS Code have their files" sh -c "cd $root/usr/share &&
    ls vim/vimfiles/syntax/drystone.vim emacs/site-lisp/drystone-mode.el drystone/vscode/package.json"
installed() { inside sh -c 'dpkg-query -W -f="\${Package}\n" "*drystone*"' | grep -v dbgsym; }
# shellcheck disable=SC2046  # names have no blanks
check "all of it can be removed" apt purge $(installed)
nothing_left() { find "$root/usr" "$root/etc" -iname '*drystone*' | tee "$scratch/left" | head; [ ! -s "$scratch/left" ]; }
check "and nothing of it is left" nothing_left

finish
