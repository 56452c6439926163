# Compares what a command printed with what a page shows, for tests/house/test_docs.sh.
#
#   awk -f docs_same.awk WANT GOT
#
# Words are equal, numbers differ by at most one unit of the last digit that the page shows. In WANT a line `...` stands
# for any lines, a word `...` for any word. Prints the first difference and fails.
function bare(word) { # without the brackets and marks around a number
    sub(/^[([]/, "", word)
    sub(/[]),;:]*$/, "", word)
    return word
}
function is_number(word) { return word ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/ }
function last_digit(word, exponent, digits) { # its unit
    exponent = 0
    if (match(word, /e[-+]?[0-9]+$/)) {
        exponent = substr(word, RSTART + 1) + 0
        word = substr(word, 1, RSTART - 1)
    }
    digits = index(word, ".") ? length(word) - index(word, ".") : 0
    return 10 ^ (exponent - digits)
}
function words_agree(want, got, gap) {
    if (want == "..." || want == got) return 1
    want = bare(want)
    got = bare(got)
    if (!is_number(want) || !is_number(got)) return 0
    gap = want - got
    return (gap < 0 ? -gap : gap) <= 1.001 * last_digit(want)
}
function lines_agree(want, got, a, b, n, i) {
    gsub(/^[ \t]+|[ \t]+$/, "", want)
    gsub(/^[ \t]+|[ \t]+$/, "", got)
    n = split(want, a, /[ \t,]+/)
    if (split(got, b, /[ \t,]+/) != n) return 0
    for (i = 1; i <= n; i++)
        if (!words_agree(a[i], b[i])) return 0
    return 1
}
FILENAME == ARGV[1] && NF { want[++wants] = $0 }
FILENAME == ARGV[2] && NF { got[++gots] = $0 }
END {
    j = 1
    for (i = 1; i <= wants; i++) {
        any = want[i] == "..."
        if (any && i == wants) exit 0
        if (any) i++
        while (any && j <= gots && !lines_agree(want[i], got[j])) j++
        if (j > gots || !lines_agree(want[i], got[j])) {
            print "the page shows:  " want[i]
            print "the command had: " (j <= gots ? got[j] : "(nothing more)")
            exit 1
        }
        j++
    }
    if (j <= gots) {
        print "the page does not show: " got[j]
        exit 1
    }
}
