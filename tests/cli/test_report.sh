#!/bin/sh
# `run --report` and `gallery`: pages that are there, whole, and count right.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

write "$scratch/block.dry" <<'MODEL'
# A block slides and stops.
model block "A block"
param F = 0.5 [N]
state p = 0 [m], v = 1 [m/s]
f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]
p' = v
1 [kg]*v' = -f
run until = 3 [s], step = 1 [ms]
plot p
measure way = final(p)
expect way = 1 +- 0.01
MODEL
page=$scratch/block.html
has() { grep -q -e "$1" "$2"; }

# ---- run --report -----------------------------------------------------------------------------------

gives "run writes a report" 0 stdout 'expectations' run "$scratch/block.dry" --report "$page"
check "with its title" has '<h1>A block</h1>' "$page"
check "with its claim" has '1 of 1 met' "$page"
check "with equations" has '<math display="block">' "$page"
check "with phases" has '"bands":\[{"name":"f"' "$page"
check "with nothing to fetch" sh -c '! grep -E "(src|href)=.?https?:" "$1"' sh "$page"
check "without an estimate that was not asked for" sh -c '! grep -q estimated "$1"' sh "$page"
gives "run --verify gives the report its estimates" 0 stdout 'trusted to' run "$scratch/block.dry" --verify --report "$page"
check "with an error" has 'estimated error' "$page"
check "and the verdict" has '<p>trusted to ' "$page"
gives "another ending is refused" 2 stderr 'ending must be .html' run "$scratch/block.dry" --report "$scratch/block.pdf"
gives "a folder that is not there is told" 4 stderr 'cannot write' run --quiet "$scratch/block.dry" --report "$scratch/none/a.html"
gives "a claim that is not met has a report too" 1 stdout 'NOT MET' run "$scratch/block.dry" -p F=1 --report "$page"
check "and -p reaches its phases: it sticks after 1 s, not 2" has '"begin":\[0,\(0.99[0-9]*\|1\|1.00[0-9]*\)[],]' "$page"
check "and the line that makes it again" has "<code>drystone run [^<]*block.dry -p F=1</code>" "$page"
check "the claim is marked" has '✗ not met' "$page"
gives "a rigid run has a report too" 0 stdout 'A block' run "$scratch/block.dry" --method rigid --report "$page"
check "with phases as well" has '"bands":\[{"name":"f"' "$page"

# ---- what its phases are from -------------------------------------------------------------------------

check "a report asks the model that ran, and compiles none" sh -c '! grep -n dry_model_compile src/report/*.c'
gives "a run of many steps has a report" 0 stdout 'expectations' run models/classics/woodpecker.dry --report "$page"
check "with all its pecks" has '"name":"beak","contact":true,"begin":\[[^]]*\],"phase":"\(12\)\{6\}1"' "$page"

# ---- gallery --------------------------------------------------------------------------------------------

root=$scratch/root
mkdir -p "$root/models/papers/someone1999/refused" "$root/models/classics"
cp "$scratch/block.dry" "$root/models/papers/someone1999/fig01-block.dry"
sed 's/A block/<script>alert(1)<\/script>/' "$scratch/block.dry" >"$root/models/classics/block.dry"
{ echo '# refused: unstable-step'; sed 's/step = 1 \[ms\]/step = 100 [ms]/; /expect/d; /measure/d' "$scratch/block.dry"; } \
    >"$root/models/papers/someone1999/refused/fig01-coarse.dry"
site=$scratch/site/deep
gives "gallery counts per paper" 0 stdout '^someone1999  *2 figures,  *2 of  *2 claims met$' gallery -o "$site" "$root"
check "and the classics" has '^Classics  *1 figures' "$scratch/stdout"
check "a card for a figure" test -s "$site/someone1999-fig01-block.html"
check "a card for what is refused" has 'refused, as it should be' "$site/someone1999-refused-fig01-coarse.html"
check "with the message" has 'outside the stability' "$site/someone1999-refused-fig01-coarse.html"
check "an overview" has 'href="someone1999-fig01-block.html"' "$site/index.html"
check "whose titles are escaped" sh -c 'grep -q "&lt;script&gt;alert(1)" "$1" && ! grep -q "<script>alert" "$1"' sh "$site/index.html"
check "nothing but pages is left" test -z "$(find "$site" -type f ! -name '*.html')"
gives "--only takes a pattern" 0 stdout '^Classics  *1 figures' gallery --quiet -o "$site" --only 'class*block' "$root"
check "and leaves the others out" sh -c '! grep -q someone "$1"' sh "$scratch/stdout"
gives "a pattern without models is told" 2 stderr "no model has 'nothing' in its path" gallery -o "$site" --only nothing "$root"
gives "a root without models is told" 2 stderr 'no such file or folder' gallery -o "$site" "$scratch/none"
sed -i '1a #\n#     drystone sweep block.dry -p F=0.5:1:3 -o way.csv' "$root/models/papers/someone1999/fig01-block.dry"
gives "a sweep of the head comment is run" 0 stdout 'claims met' gallery --quiet -o "$site" --only fig01-block "$root"
check "and drawn for a light and a dark ground" has 'srcset="data:image/svg+xml;base64,.*src="data:image/svg+xml;base64,' "$site/someone1999-fig01-block.html"
sed -i 's/F=0.5:1:3/F=0.5:1/' "$root/models/papers/someone1999/fig01-block.dry"
broken_sweep() {
    ended=0
    "$drystone" gallery -o "$site" --only fig01-block "$root" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = 1 ] && grep -q '^FAILED .*: a sweep failed' "$scratch/stdout" && grep -q 'F=0.5:1' "$scratch/stderr"
}
check "a sweep that is wrong is told" broken_sweep
sed -i '/drystone sweep/d' "$root/models/papers/someone1999/fig01-block.dry"
sed -i 's/expect way = 1/expect way = 2/' "$root/models/classics/block.dry"
gives "a claim that is not met gives 1" 1 stdout '^FAILED .*block.dry: 0 of 1 met' gallery -o "$site" "$root"
check "and is seen" has 'class="result bad"' "$site/index.html"
echo 'state x = 1' >"$root/models/classics/wrong.dry"
gives "a model with errors does not stop the others" 1 stdout '^FAILED .*wrong.dry: the model has errors' gallery -o "$site" "$root"
check "and has a card" has 'errors' "$site/index.html"

finish
