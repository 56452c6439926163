#!/bin/sh
# Writes docs/laws: a page and a figure for each law of the catalogue, and the table of them.
#
#   tools/law-pages.sh BUILD [text|figures|all]
#
# The text is what `drystone laws --markdown` prints. The figure is the experiment of the law's kind in
# docs/laws, run with the line that the page shows. The figure of what a law is known for is an experiment of
# its own. A test compares the text with the catalogue, so that
# a changed law cannot be forgotten; DRY_LAW_PAGES names another folder than docs/laws for it.
set -eu
drystone=$(CDPATH='' cd -- "$1" && pwd)/drystone
what=${2-all}
cd "$(dirname -- "$0")/.."
pages=${DRY_LAW_PAGES-docs/laws}

laws() { "$drystone" laws | awk '{ print $1 }'; }

# ---- text ---------------------------------------------------------------------------------------

index() {
    cat <<'HEAD'
# The laws

The friction and contact laws of the catalogue. The page of each has its equation, paper, parameters, promises
and a figure, and shows how to write it in a model and in C. `drystone laws` prints the same table, and
`drystone laws NAME` describes one law.

HEAD
    "$drystone" laws --markdown
    cat <<'TAIL'

Each page says what its promises mean. A law can break a promise that it does not list: LuGre drifts, Kelvin-Voigt
pulls. The figures come from three experiments: [friction](friction.dry), [contact](contact.dry),
[contact with friction](frictional_contact.dry). A law that is known for something has a second figure, from an
experiment of its own or from that of its family, [rebound](rebound.dry). How to add a law: [CONTRIBUTING](../../CONTRIBUTING.md).

---
Printed by `tools/law-pages.sh`.
TAIL
}

text() {
    index >"$pages/README.md"
    for law in $(laws); do "$drystone" laws "$law" --markdown >"$pages/$law.md"; done
}

# ---- figures ------------------------------------------------------------------------------------

# The scale of the experiment where the defaults of a law have another than those of the first ones.
scale() { # LAW
    case $1 in
    gms_smooth) echo -p X=2e-6 -p W=2e-5 -p T=4 --step 1e-4 ;;
    multistate | gms | leuven) echo -p X=2e-6 -p W=2e-5 -p T=4 ;;
    brush) echo -p X=0.05 -p W=20 -p T=0.1 ;;
    stribeck_slip) echo -p W=0.3 ;;
    play) echo --until 0.04 --record 2e-5 ;;
    stribeck | smoothing) echo -p X=2e-6 -p W=2e-5 ;;
    compliant | hunt_crossley | marhefka_orin | lankarani_nikravesh | gonthier | flores | zhang_sharf) echo --until 0.12 --step 2e-5 --record 5e-5 ;;
    kelvin_voigt*) echo -p M=1e-3 -p gap=3e-6 --until 4.5e-5 --step 1e-8 --record 1e-7 ;;
    esac
}

# The experiment whose lines with a law become those of the page: `f = law(v, ...)`.
experiment() { # LAW
    call=$(sed -n "s/^[fNc] = $1(\(.*\))\$/\1/p" "$pages/$1.md")
    settings=${call#*, }
    case $call in
    v,*) sed "s|coulomb(\(.\), .*)|$1(\1, $settings)|" docs/laws/friction.dry ;;
    psi,\ v,*) sed "s|frictional_contact(.*)|$1($call)|" docs/laws/frictional_contact.dry ;;
    psi,*) sed "s|contact(psi, v, .*)|$1(psi, v, ${settings#*, })|" docs/laws/contact.dry ;;
    esac
}

# The experiment of what a law is known for: its own, or that of its family with the law put in.
known() { # LAW
    case $1 in
    lankarani_nikravesh | gonthier | flores | zhang_sharf) sed "s|gonthier(|$1(|" docs/laws/rebound.dry ;;
    hunt_crossley)
        b='[9.99816, 3.08708, 1.43275, 0.634827, 0.166481][i]/1 [m/s]'
        sed "s|gonthier(\(.*\)restitution = wanted\[i\]|$1(\1b = $b|" docs/laws/rebound.dry ;;
    marhefka_orin) sed "s|gonthier(\(.*\)restitution = wanted\[i\]|$1(\1loss = (1 - wanted[i])/1 [m/s]|" docs/laws/rebound.dry ;;
    *) cat "docs/laws/$1.dry" ;;
    esac
}

draw() { # FILE FIGURE [OPTIONS]
    file=$1 figure=$2
    shift 2
    "$drystone" run "$file" --quiet --plot "$pages/$figure.${DRY_LAW_FIGURES-svg}" "$@"
}

figures() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    for law in $(laws); do
        experiment "$law" >"$scratch/$law.dry"
        # shellcheck disable=SC2046  # options are words
        draw "$scratch/$law.dry" "$law" $(scale "$law")
        grep -q '^## Known for' "$pages/$law.md" || continue
        known "$law" >"$scratch/$law-known.dry"
        draw "$scratch/$law-known.dry" "$law-known"
    done
}

case $what in
text) text ;;
figures) figures ;;
all) text && figures ;;
*) echo "law-pages: text, figures or all, not $what" >&2 && exit 2 ;;
esac
