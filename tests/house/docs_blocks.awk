# Takes the blocks of a page apart, for tests/house/test_docs.sh.
#
#   awk -v into=FOLDER -f docs_blocks.awk PAGE
#
#   ```dry NAME        becomes the file FOLDER/NAME
#   ```c examples/NAME becomes the file FOLDER/examples/NAME.shown; so does ```dry examples/NAME
#   ```console         each line `$ COMMAND` becomes FOLDER/K.sh, what the page prints below it FOLDER/K.want
#
# Prints one line per command and per program: `run K COMMAND`, `same examples/NAME`.
function close_file() {
    if (file != "") close(file)
    file = ""
}
/^```/ && !inside {
    inside = 1
    kind = substr($1, 4)
    if (kind == "dry") file = into "/" $2
    if (kind == "c" || $2 ~ /^examples\//) { file = into "/" $2 ".shown"; print "same " $2 }
    if (match($2, /.*\//)) system("mkdir -p '" into "/" substr($2, 1, RLENGTH) "'")
    if (file != "") printf "" >file
    next
}
/^```/ { inside = 0; close_file(); next }
!inside { next }
kind == "dry" || kind == "c" { print >file; next }
kind == "console" && /^\$ / {
    close_file()
    count++
    print substr($0, 3) >(into "/" count ".sh")
    close(into "/" count ".sh")
    file = into "/" count ".want"
    printf "" >file
    print "run " count " " substr($0, 3)
    next
}
kind == "console" && file != "" { print >file }
