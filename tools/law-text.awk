# Takes a C file apart into its top-level pieces and prints those that generated C may need, each as
# a row {names, text}. Called by law-text.sh, with
# c-text.awk.

# What generated C never calls: energies and checks are for tests and for the compiler.
BEGIN { unwanted = "(_energy|_integral|_batch|_lanes|DRY_ODD|_check|quat_|_cross3|_dot3)|^(energy|n_kinks|check)$" }

# ---- lines without comments and preprocessor --------------------------------------------

function comment(text, begins) {} # c-text.awk: laws as text have no comments

/^[ \t]*#/ || in_macro {
    in_macro = /\\$/
    next
}

{
    line = strip($0)
    sub(/[ \t]+$/, "", line)
    if (line ~ /^extern "C"/ || (line == "}" && depth == 0) || line == "") next
    text = text line "\n"
    bare = line
    gsub(/"[^"]*"/, "", bare) # no quotes are escaped in these files
    depth += gsub(/{/, "{", bare) - gsub(/}/, "}", bare)
    if (depth == 0 && line ~ /[;}]$/) { keep(text); text = "" }
}

# ---- pieces ---------------------------------------------------------------------------------

function names_of(piece,    head, list, n, part, i) {
    if (piece ~ /^enum/) {
        sub(/^[^{]*\{/, "", piece)
        sub(/\}.*/, "", piece)
        gsub(/=[^,]*/, "", piece)
        gsub(/[, \t\n]+/, " ", piece)
        sub(/^ /, "", piece)
        sub(/ $/, "", piece)
        return piece
    }
    if (piece ~ /^typedef (struct|union)/) {
        n = split(piece, part, /[ \t\n}]+/)
        head = part[n - 1] == "" ? part[n] : part[n - 1]
        sub(/;.*/, "", head)
        return head
    }
    if (piece !~ /\n?\}\n$/ || piece !~ /\) \{/) return ""
    head = piece
    sub(/\(.*/, "", head)
    n = split(head, part, /[ \t\n*]+/)
    return part[n]
}

function keep(piece,    names) {
    names = names_of(piece)
    if (names == "" || names ~ unwanted || piece ~ /^static const/) return
    if (piece ~ /^typedef enum|^typedef struct dry_law( |_p|_s)/) return
    if (piece ~ /\)/ && piece !~ /^(enum|typedef)/) sub(/^(static inline |static )?/, piece ~ /^DRY_INLINE/ ? "" : law ? "DRY_LAW " : "static inline ", piece)
    count++
    all_names[count] = names
    all_text[count] = piece
}

# Puts the prefix in front of the names that are private to the file, but not of members.
function rename(piece,    out, before, word) {
    out = ""
    while (match(piece, /[A-Za-z_][A-Za-z0-9_]*/)) {
        before = out substr(piece, 1, RSTART - 1)
        word = substr(piece, RSTART, RLENGTH)
        piece = substr(piece, RSTART + RLENGTH)
        if (word in own && before !~ /(\.|->|[0-9])$/) word = prefix word
        out = before word
    }
    return out piece
}

# A string of C has 4095 characters at most: a longer piece goes on in rows without names.
function print_piece(names, text,    n, lines, i, row) {
    n = split(text, lines, "\n") - 1
    row = ""
    for (i = 1; i <= n; i++) {
        if (length(row) + length(lines[i]) > 3800) {
            print_row(names, row)
            names = row = ""
        }
        row = row lines[i] "\n"
    }
    print_row(names, row)
}

function print_row(names, text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    sub(/\n$/, "", text)
    gsub(/\n/, "\\n\"\n     \"", text)
    printf "    {\"%s\",\n     \"%s\\n\"},\n", names, text
}

END {
    for (i = 1; i <= count; i++) {
        n = split(all_names[i], part, " ")
        for (k = 1; prefix != "" && k <= n; k++) if (part[k] !~ /^dry_/) own[part[k]] = 1
    }
    for (i = 1; i <= count; i++) {
        print_piece(rename(all_names[i]), rename(all_text[i]))
    }
}
