# strip(LINE): a line of C without its comments. A comment may go on over lines: `in_comment` remembers it, and
# the script that uses this file sets it to 0 at the start of each file. That script also defines
# comment(TEXT, BEGINS), which gets what the comments of the line hold; BEGINS: the comment begins there.

function strip(line,    at, end) {
    while (1) {
        if (in_comment) {
            end = index(line, "*/")
            comment(end ? substr(line, 1, end - 1) : line, 0)
            if (!end) return ""
            line = substr(line, end + 2)
            in_comment = 0
        }
        at = index(line, "/*")
        if (!at) return line
        end = index(substr(line, at + 2), "*/")
        comment(end ? substr(line, at + 2, end - 1) : substr(line, at + 2), 1)
        if (end) line = substr(line, 1, at - 1) substr(line, at + end + 3)
        else { in_comment = 1; return substr(line, 1, at - 1) }
    }
}
