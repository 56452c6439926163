#!/bin/sh
# Runs a command that can write to some folders only, so that it cannot harm the computer.
#
#   tools/cage.sh FOLDER... -- COMMAND...
#
# Started by root, the command runs in a mount namespace where everything but the folders is read-only,
# as an ordinary user: the owner of this clone, or nobody. If neither can read the clone (a folder above
# it is closed), it stays root, without the power to undo the namespace.
# Without namespaces, and for an ordinary user, cage.sh compares what the command could change and must
# not (system programs, /etc, this clone) before and after.
# TMPDIR and HOME are in the first folder. The exit code is that of the command, or 125 if something
# outside changed or could be changed.
set -eu

as=${as-}
say() { echo "cage: $*" >&2; }

each() { # FUNCTION FOLDER... -- ...: calls the function with each folder
    function=$1
    shift
    while [ "$1" != -- ]; do
        "$function" "$1" || return
        shift
    done
}

# The command with a TMPDIR and a HOME of its own; the words in $as make it another user.
go() { # FOLDER... -- COMMAND...
    home=$1
    while [ "$1" != -- ]; do shift; done
    shift
    # shellcheck disable=SC2086  # $as is a list of words
    $as env -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u XDG_RUNTIME_DIR -u CMAKE_C_COMPILER_LAUNCHER -u CMAKE_CXX_COMPILER_LAUNCHER \
        HOME="$home/home" TMPDIR="$home/tmp" "$@"
}

# ---- with a namespace ---------------------------------------------------------------------------

# In a chroot, plain `unshare -m` fails: it changes the propagation of `/`, which is not a mount there.
namespace() {
    if unshare -m true 2>/dev/null; then echo unshare -m
    elif unshare -m --propagation unchanged true 2>/dev/null; then echo unshare -m --propagation unchanged
    else return 1
    fi
}

# The view: the whole computer once more below $cage/root, read-only but for the folders, with a /tmp of
# its own, in which the clone and the folders are put back if they are there. The private mount around
# all keeps the others from appearing outside of the namespace.
build_view() { # FOLDER... --
    mount -t tmpfs -o mode=755 cage "$cage" && mount --make-private "$cage" && mkdir "$cage/root" &&
        mount --rbind / "$cage/root" && mount --make-rprivate "$cage/root" && close_view &&
        mount --bind "$1/tmp" "$cage/root/tmp" && show "$PWD" && mount -o remount,bind,ro "$cage/root$PWD" &&
        each show "$@" &&
        { [ ! -d "$cage/root/dev/shm" ] || mount -t tmpfs -o mode=1777 shm "$cage/root/dev/shm"; }
}
close_view() {
    awk -v root="$cage/root" '$5 == root || index($5, root "/") == 1 { print $6, $5 }' /proc/self/mountinfo |
        while read -r options place; do
            options=$(echo ",$options," | sed -e 's/,r[ow],/,/')
            mount -o "remount,bind,ro${options%,}" "$(printf '%b' "$place")" || exit
        done
}
show() { mkdir -p "$cage/root$1" && mount --bind "$1" "$cage/root$1"; } # FOLDER

# Runs in the view and makes sure that it is closed. From here on `/` is the view.
in_view() { # FOLDER... -- COMMAND...
    for place in / /etc /usr/bin "$PWD"; do
        if (: >"$place/.cage-probe") 2>/dev/null; then
            rm -f "$place/.cage-probe"
            say "$place is writable"
            exit 125
        fi
    done
    go "$@"
}

# The user that the command runs as, in words of setpriv: the first who can read the clone and write to
# the folders, which become this user's.
choose_user() { # FOLDER... --
    for user in "$(stat -c %u:%g .)" "$(id -u nobody):$(id -g nobody)"; do
        [ "${user%:*}" != 0 ] || continue
        as="setpriv --reuid=${user%:*} --regid=${user#*:} --clear-groups --inh-caps=-all --no-new-privs"
        each give "$@"
        if can_read && each can_write "$@"; then return; fi
    done
    user=0:0
    as="setpriv --inh-caps=-all --bounding-set=-all,+dac_override,+dac_read_search,+setuid,+setgid --no-new-privs"
    each give "$@"
}
give() { chown -hR "$user" "$1"; } # FOLDER
can_read() { $as sh -c 'cd "$1" && [ -z "$(find . -name .git -prune -o ! -readable -print -quit)" ]' - "$PWD" 2>/dev/null; }
can_write() { $as test -w "$1" 2>/dev/null; } # FOLDER

caged() { # FOLDER... -- COMMAND...
    choose_user "$@"
    status=0
    # shellcheck disable=SC2086  # lists of words
    as=$as $enter tools/cage.sh --inside "$cage" "$@" || status=$?
    user=$(stat -c %u:%g .)
    each give "$@"
    return $status
}

# ---- without ------------------------------------------------------------------------------------

# One line for each file and link that this user could change.
sums() { # FOLDER... --
    {
        printf '%s\n' /bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /etc "$PWD" -name .git -prune -o
        each prune "$@"
        printf '%s\n' -writable '(' -type l -printf '%p -> %l\n' -o -type f -exec cksum '{}' + ')'
    } | xargs -d '\n' find 2>/dev/null | sort
}
prune() { printf '%s\n' -path "$1" -prune -o; } # FOLDER

compared() { # FOLDER... -- COMMAND...
    as=
    sums "$@" >"$cage/before"
    status=0
    go "$@" || status=$?
    sums "$@" >"$cage/after"
    cmp -s "$cage/before" "$cage/after" && return $status
    say "changed outside of its folders:"
    diff "$cage/before" "$cage/after" | sed -n 's/^[<>] /    /p' >&2
    return 125
}

# -------------------------------------------------------------------------------------------------

if [ "${1-}" = --inside ]; then # in the namespace, still as root
    cage=$2
    shift 2
    build_view "$@" || { say "cannot build the view"; exit 126; }
    exec chroot "$cage/root" sh -c 'cd "$1" && shift && exec tools/cage.sh --view "$@"' - "$PWD" "$@"
elif [ "${1-}" = --view ]; then
    shift
    in_view "$@"
    exit
fi

cd "$(dirname -- "$0")/.."
folders=0
for word; do
    [ "$word" != -- ] || break
    folders=$((folders + 1))
done
[ "$folders" -gt 0 ] && [ $# -gt $((folders + 1)) ] || { say "usage: tools/cage.sh FOLDER... -- COMMAND..."; exit 2; }
for word; do # the same words, the folders as absolute paths
    [ "$folders" -le 0 ] || word=$(cd -- "$word" && pwd -P)
    folders=$((folders - 1))
    set -- "$@" "$word"
    shift
done
cd "$(pwd -P)"
mkdir -p "$1/home" "$1/tmp"
chmod 1777 "$1/tmp"

cage=$(mktemp -d)
# A shared mount above leaves an empty copy of the private one here; what is in the view stays in the namespace.
trap 'umount "$cage" 2>/dev/null || :; rm -f "$cage/before" "$cage/after"; rmdir "$cage" || :' EXIT
trap 'exit 130' INT TERM
status=0
if [ "$(id -u)" = 0 ] && enter=$(namespace) && $enter tools/cage.sh --inside "$cage" "$1" -- true 2>/dev/null; then
    caged "$@" || status=$?
else
    compared "$@" || status=$?
fi
exit $status
