#!/bin/sh
# Prints python/drystone/_signatures.py: the functions of the library that the Python package calls, as the headers
# declare them, and the numbers of the enums that it reads.
#
#   tools/bind-text.sh [ROOT] > python/drystone/_signatures.py
#
# A function is called if a file of the package has lib.NAME; the headers alone say what it takes and returns. One that
# takes or returns a struct cannot be called so, and is an error. A test compares the file with what this prints.
set -eu
cd "${1-$(dirname -- "$0")/..}"

cat <<'HEAD'
"""Functions and numbers of the headers: printed by tools/bind-text.sh, not written by hand.

p: an address; s: a text that the library keeps; i, b, d, z: int, bool, double, size_t; v: nothing. First comes what
the function returns.
"""

HEAD

find python/drystone -name '*.py' ! -name _signatures.py -exec grep -oh 'lib\.dry_[a-z0-9_]*' {} + |
    sed 's/^lib\.//' | LC_ALL=C sort -u |
    awk '
    function code(type, name) {
        gsub(/^ +| +$/, "", type)
        if (type == "void") return "v"
        if (type ~ /^const char \*[a-z_]*$/) return "s"
        if (type ~ /\*/ || type ~ /\[/) return "p"
        if (type ~ /^bool( |$)/) return "b"
        if (type ~ /^double( |$)/) return "d"
        if (type ~ /^size_t( |$)/) return "z"
        sub(/^const /, "", type)
        sub(/ .*/, "", type)
        if (type == "int" || type in is_enum) return "i"
        return fail(name " takes or returns a " type ", which Python cannot give")
    }
    function fail(text) {
        print "bind-text: " text | "cat >&2"
        bad = 1
        return "?"
    }
    function read_enum(body, type,    n, row, i, value, part) {
        is_enum[type] = 1
        n = split(body, row, ",")
        value = 0
        for (i = 1; i <= n; i++) {
            gsub(/[ \t\n]/, "", row[i])
            if (row[i] == "") continue
            split(row[i], part, "=")
            if (row[i] ~ /=/) value = part[2] + 0
            if (type ~ /^dry_(status|message_kind|bind_[a-z_]*)$/) numbers = numbers part[1] " = " value "\n"
            value++
        }
    }
    function read(text,    n, row, i, at, body, type) {
        gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
        gsub(/(^|\n)#[^\n]*/, "\n", text)
        while ((at = match(text, /typedef enum [a-z_]+ {[^}]*} [a-z_]+;/)) > 0) {
            body = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            type = body
            sub(/^typedef enum /, "", type)
            sub(/ .*/, "", type)
            gsub(/^[^{]*{|}[^}]*$/, "", body)
            read_enum(body, type)
        }
    }
    function read_functions(text,    n, row, i) {
        gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
        n = split(text, row, "DRY_API ")
        for (i = 2; i <= n; i++) {
            sub(/;.*/, "", row[i])
            gsub(/[ \t\n]+/, " ", row[i])
            if (match(row[i], /dry_[a-z0-9_]+\(/))
                declared[substr(row[i], RSTART, RLENGTH - 1)] = row[i]
        }
    }
    function signature(name,    text, result, args, n, row, i, codes) {
        text = declared[name]
        result = substr(text, 1, index(text, name "(") - 1)
        args = substr(text, length(result name) + 2)
        sub(/\)[^)]*$/, "", args)
        gsub(/ +$/, "", result)
        if (args != "void") {
            n = split(args, row, ",")
            for (i = 1; i <= n; i++) codes = codes code(row[i], name)
        }
        return code(result, name) codes
    }
    { wanted[++many] = $1 }
    END {
        list = "ls include/drystone/*.h"
        while ((list | getline header) > 0) {
            text = ""
            while ((getline line < header) > 0) text = text line "\n"
            texts[++headers] = text
            if (match(text, /DRY_VERSION "[^"]*"/)) version = substr(text, RSTART + 13, RLENGTH - 14)
            read(text)
        }
        for (i = 1; i <= headers; i++) read_functions(texts[i])
        printf "VERSION = \"%s\"\n\n%s\nFUNCTIONS = {\n", version, numbers
        for (i = 1; i <= many; i++) {
            if (!(wanted[i] in declared)) fail("no header declares " wanted[i])
            else printf "    \"%s\": \"%s\",\n", wanted[i], signature(wanted[i])
        }
        print "}"
        exit bad
    }'
