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
write "$scratch/numbers.dry" <<'MODEL'
state x = 1, y = 1
x' = -2.5e-3*x*1 [1/s]
y' = 3e2*x*1 [1/s]
run until = 1 [s], step = 1 [ms]
MODEL
gives "powers of ten are equations too" 0 stdout . run "$scratch/numbers.dry" --report "$scratch/numbers.html"
check "with the sign of a negative exponent" has '<mn>2.5</mn><mo>·</mo><msup><mn>10</mn><mn>−3</mn></msup>' "$scratch/numbers.html"
check "and none of a positive one" has '<mn>3</mn><mo>·</mo><msup><mn>10</mn><mn>2</mn></msup>' "$scratch/numbers.html"
# p = 0.1 m cos(20 t): after a sixth of a period the spring has 800/2 (0.05)^2 = 1 J of its 4 J, the cart 3 J.
write "$scratch/spring.dry" <<'MODEL'
part cart = point_mass(mass = 2 [kg], p = 0.1 [m])
part spring = spring(K = 800 [N/m])
connect spring - cart
run until = pi/60*1 [s], step = 0.1 [ms]
MODEL
gives "parts have an account of their energy" 0 stdout . run "$scratch/spring.dry" --report "$scratch/spring.html"
check "of the spring before and after" has '<code>spring</code>.*<td class="number">4</td><td class="number">1</td>' "$scratch/spring.html"
check "and of the cart" has '<code>cart</code>.*<td class="number">0</td><td class="number">3</td>' "$scratch/spring.html"
write "$scratch/logs.dry" <<'MODEL'
state x = 1 [m], v[2] = 1 [m/s]
x' = v[1]
v[i]' = 0 [m/s^2] for i in 1..2
run until = 1 [s], step = 10 [ms]
plot x beside x - 5 [m]
plot -v[2] with log = y
plot x
MODEL
gives "a panel that cannot be drawn is told" 4 stderr 'logs.html: panel 2: the ordinate is logarithmic, but no value of -v\[2\] is above 0' \
    run --quiet "$scratch/logs.dry" --report "$scratch/logs.html"
check "also in the page" has '<b>not drawn</b> panel 2: ' "$scratch/logs.html"
check "which has the other panels" sh -c '[ "$(grep -o "\"texts\":{" "$1" | wc -l)" = 2 ]' sh "$scratch/logs.html"
check "one with two ordinates" has '"up":"x \[m\]","beside":"x − 5 \[m\] \[m\]"' "$scratch/logs.html"
check "a picture is as wide as it can be read, on a phone too" has '^.drawn img { min-width: 640px; }' "$scratch/logs.html"
mkdir -p "$scratch/logs/models/classics" "$scratch/logs/models/papers"
cp "$scratch/logs.dry" "$scratch/logs/models/classics"
undrawn_in_gallery() {
    ended=0
    "$drystone" gallery -o "$scratch/logs/site" "$scratch/logs" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = 1 ] && grep -q '^FAILED .*: a panel could not be drawn' "$scratch/stdout" && grep -q 'panel 2: ' "$scratch/stderr"
}
check "a gallery tells it too" undrawn_in_gallery
gives "another ending is refused" 2 stderr 'ending must be .html' run "$scratch/block.dry" --report "$scratch/block.pdf"
gives "a folder that is not there is told" 4 stderr 'cannot write' run --quiet "$scratch/block.dry" --report "$scratch/none/a.html"
gives "a claim that is not met has a report too" 1 stdout 'NOT MET' run "$scratch/block.dry" -p F=1 --report "$page"
check "and -p reaches its phases: it sticks after 1 s, not 2" has '"begin":\[0,\(0.99[0-9]*\|1\|1.00[0-9]*\)[],]' "$page"
check "and the line that makes it again" has "<code>drystone run [^<]*block.dry -p F=1</code>" "$page"
check "the claim is marked" has '✗ not met' "$page"
gives "a rigid run has a report too" 0 stdout 'A block' run "$scratch/block.dry" --method rigid --report "$page"
check "with phases as well" has '"bands":\[{"name":"f"' "$page"

# ---- the link to a playground -------------------------------------------------------------------------

gives "a page leads to no playground that was not named" 0 stdout . run "$scratch/block.dry" --report "$page"
check "because it may be mailed" sh -c '! grep -q playground\" "$1"' sh "$page"
gives "run --playground names one" 0 stdout . run "$scratch/block.dry" -p 'F=0.5 N' --report "$page" --playground https://example.org/play/
check "which opens the text with what was set" has \
    '<a id="playground" href="https://example.org/play/#z=[-_A-Za-z0-9]*&amp;name=block.dry&amp;p.F=0.5">' "$page"
text_of_link() {
    python3 -c '
import base64, re, sys, zlib
code = re.search("#z=([^&]*)", open(sys.argv[1]).read()).group(1)
text = zlib.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), -15)
assert text == open(sys.argv[2], "rb").read()' "$page" "$scratch/block.dry"
}
check "the whole text, as any inflater reads it" text_of_link
gives "without a report it has no use" 2 stderr 'give --report FILE too' run "$scratch/block.dry" --playground x

# ---- what its phases are from -------------------------------------------------------------------------

check "a report asks the model that ran, and compiles none" sh -c '! grep -n dry_model_compile src/report/*.c'
gives "a run of many steps has a report" 0 stdout 'expectations' run models/classics/woodpecker.dry --report "$page"
check "with all its pecks" has '"name":"beak","contact":true,"begin":\[[^]]*\],"phase":"\(12\)\{6\}1"' "$page"

"$drystone" run "$scratch/block.dry" --quiet --method rigid --report "$scratch/rigid.html" >/dev/null 2>&1 || :
check "the page of a rigid run has the inclusion" has 'The inclusion' "$scratch/rigid.html"
check "and neither an ODE nor a K, which are not there" sh -c '! grep -q -e "ordinary differential" -e ">K</th>" "$1"' sh "$scratch/rigid.html"

# ---- gallery --------------------------------------------------------------------------------------------

root=$scratch/root
mkdir -p "$root/models/papers/someone1999/refused" "$root/models/classics"
cp "$scratch/block.dry" "$root/models/papers/someone1999/fig01-block.dry"
sed 's/A block/<script>alert(1)<\/script>/' "$scratch/block.dry" >"$root/models/classics/block.dry"
{ echo '# refused: unstable-step'; sed 's/step = 1 \[ms\]/step = 100 [ms]/; /expect/d; /measure/d' "$scratch/block.dry"; } \
    >"$root/models/papers/someone1999/refused/fig01-coarse.dry"
site=$scratch/site/deep
gives "gallery counts per paper" 0 stdout '^someone1999  *2 models,  *2 of  *2 checks met$' gallery -o "$site" "$root"
check "and the classics" has '^Classics  *1 models' "$scratch/stdout"
check "a card for a figure" test -s "$site/someone1999-fig01-block.html"
check "a card for what is refused" has 'refused, as it should be' "$site/someone1999-refused-fig01-coarse.html"
check "with the message" has 'outside the stability' "$site/someone1999-refused-fig01-coarse.html"
check "an overview" has 'href="someone1999-fig01-block.html"' "$site/index.html"
check "whose titles are escaped" sh -c 'grep -q "&lt;script&gt;alert(1)" "$1" && ! grep -q "<script>alert" "$1"' sh "$site/index.html"
cat >"$root/models/papers/statements.txt" <<'END'
# paper | figure | models | statement | ours | verdict | why
someone1999 | 1 | fig01-block | it <b>stops</b> | at `1 s` | met |
someone1999 | 1 | fig01-block (ours), refused/fig01-coarse | it stops at once | later | not met | it has inertia
someone1999 | 2 | fig01-block | it holds | so | condition | below F
someone1999 | - | fig01-block | - | - | - |
END
gives "statements of the paper are counted apart" 0 stdout \
    '^someone1999 .* 2 of  *2 checks met, 3 statements: 1 met, 1 with a condition, 1 not met$' gallery -o "$site" "$root"
check "and added up" has '<td>all</td><td class="number">3</td><td class="number">1</td><td class="number">1</td><td class="number">1</td>' "$site/index.html"
"$drystone" gallery --quiet -o "$scratch/classics" --only classics "$root" >/dev/null 2>&1 || :
check "over the papers that are shown alone" has '<td>all</td><td class="number">1</td><td class="number">0</td><td class="number">0</td><td class="number">0</td>' "$scratch/classics/index.html"
check "and listed with their reason" has '<td>not met: it has inertia</td>' "$site/index.html"
check "with links to the pages of the models" has \
    '<a href="someone1999-fig01-block.html">fig01-block</a> (ours), <a href="someone1999-refused-fig01-coarse.html">refused/fig01-coarse</a></td>' "$site/index.html"
check "as texts" has 'it &lt;b&gt;stops' "$site/index.html"
cp "$root/models/papers/statements.txt" "$scratch/statements.txt"
echo 'someone1999 | 3 | fig01-block | a | b | perhaps |' >>"$root/models/papers/statements.txt"
gives "a row that is none is told with its line" 2 stderr 'statements.txt:6:1: .*not a row of statements' gallery -o "$site" "$root"
echo 'someone1999 | 3 | fig01-block | a | b | not met |' >>"$scratch/statements.txt"
cp "$scratch/statements.txt" "$root/models/papers/statements.txt"
gives "a denial needs its reason" 2 stderr 'statements.txt:6:1: ' gallery -o "$site" "$root"
rm "$root/models/papers/statements.txt"
check "nothing but pages is left" test -z "$(find "$site" -type f ! -name '*.html')"
gives "--only takes a pattern" 0 stdout '^Classics  *1 models' gallery --quiet -o "$site" --only 'class*block' "$root"
check "and leaves the others out" sh -c '! grep -q someone "$1"' sh "$scratch/stdout"
gives "a pattern without models is told" 2 stderr "no model has 'nothing' in its path" gallery -o "$site" --only nothing "$root"
gives "a root without models is told" 2 stderr 'no such file or folder' gallery -o "$site" "$scratch/none"
sed -i '1a #\n#     drystone sweep block.dry -p F=0.5:1:3 -o way.csv' "$root/models/papers/someone1999/fig01-block.dry"
gives "a sweep of the head comment is run" 0 stdout 'checks met' gallery --quiet -o "$site" --only fig01-block "$root"
check "and drawn for a light and a dark ground" has '<figure class="drawn" tabindex="0">.*srcset="data:image/svg+xml;base64,.*src="data:image/svg+xml;base64,' "$site/someone1999-fig01-block.html"
sed -i 's/F=0.5:1:3/F=0.5:1/' "$root/models/papers/someone1999/fig01-block.dry"
broken_sweep() {
    ended=0
    "$drystone" gallery -o "$site" --only fig01-block "$root" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = 1 ] && grep -q '^FAILED .*: a sweep failed' "$scratch/stdout" && grep -q 'F=0.5:1' "$scratch/stderr"
}
check "a sweep that is wrong is told" broken_sweep
sed -i '/drystone sweep/d' "$root/models/papers/someone1999/fig01-block.dry"
sweeps() { # MANY: the model with so many sweeps in its head
    sed -i '/drystone sweep/d' "$root/models/papers/someone1999/fig01-block.dry"
    for _ in $(seq "$1"); do
        sed -i '2a #     drystone sweep block.dry -p F=0.5:1:3 -o way.csv' "$root/models/papers/someone1999/fig01-block.dry"
    done
}
drawn() { grep -o '<picture>' "$site/someone1999-fig01-block.html" | wc -l; }
sweeps 8
gives "eight sweeps of the head comment are run" 0 stdout 'checks met' gallery --quiet -o "$site" --only fig01-block "$root"
check "and all are drawn" test "$(drawn)" = 8
sweeps 9
too_many_sweeps() {
    ended=0
    "$drystone" gallery -o "$site" --only fig01-block "$root" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = 1 ] && grep -q '^FAILED .*: a sweep failed' "$scratch/stdout" && grep -q '8 sweeps at most' "$scratch/stderr"
}
check "a ninth is not left out without a word" too_many_sweeps
sed -i '/drystone sweep/d' "$root/models/papers/someone1999/fig01-block.dry"
sed -i 's/expect way = 1/expect way = 2/' "$root/models/classics/block.dry"
gives "a claim that is not met gives 1" 1 stdout '^FAILED .*block.dry: 0 of 1 met' gallery -o "$site" "$root"
check "and is seen" has 'class="result bad"' "$site/index.html"
echo 'state x = 1' >"$root/models/classics/wrong.dry"
gives "a model with errors does not stop the others" 1 stdout '^FAILED .*wrong.dry: the model has errors' gallery -o "$site" "$root"
check "and has a card" has 'errors' "$site/index.html"

mkdir -p "$scratch/beside/playground"
echo >"$scratch/beside/playground/index.html"
"$drystone" gallery --quiet -o "$scratch/beside/gallery" --only classics "$root" >/dev/null 2>&1 || :
check "cards open in the playground beside the gallery" has 'href="../playground/index.html#model=classics/block"' "$scratch/beside/gallery/classics-block.html"
"$drystone" gallery --quiet -o "$scratch/alone" --only classics "$root" >/dev/null 2>&1 || :
check "and in none where none is" sh -c '! grep -q playground\" "$1"' sh "$scratch/alone/classics-block.html"
"$drystone" gallery --quiet -o "$scratch/alone" --only classics --playground https://example.org/p "$root" >/dev/null 2>&1 || :
check "or in the one that is named" has 'href="https://example.org/p#model=classics/block"' "$scratch/alone/classics-block.html"

finish
