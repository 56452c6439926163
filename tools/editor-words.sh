#!/bin/sh
# Prints what editors know of the language: the words and their kinds are those that `drystone lsp --words` lists from the
# tables of the compiler, so that a new law or unit needs no other change.
#
#   tools/editor-words.sh BUILD vscode > editors/vscode/syntaxes/drystone.tmLanguage.json
#   tools/editor-words.sh BUILD vim    > editors/vim/syntax/drystone.vim
#   tools/editor-words.sh BUILD emacs  > editors/emacs/drystone-words.el
#
# A test compares the files with what this prints.
set -eu
export LC_ALL=C # every awk counts bytes then
case ${2-} in vscode | vim | emacs) ;; *) echo "usage: tools/editor-words.sh BUILD vscode|vim|emacs" >&2; exit 2 ;; esac
words=$("$1/drystone" lsp --words)

rows() { # KIND [reserved|free]: the words of that kind, each once, a longer one before its beginning
    printf '%s\n' "$words" | awk -F '\t' -v kind="$1" -v which="${2-}" '
        $1 == kind && (which == "" || $2 == which) { print length($3) "\t" $3 }' | LC_ALL=C sort -t "$(printf '\t')" -k1,1nr -k2 -u |
        cut -f 2
}
one_of() { rows "$@" | paste -s -d '|'; }

# The kinds that the editors colour, as alternatives of a regular expression. `%` is the only sign among the units.
statement=$(one_of statement reserved) late_statement=$(one_of statement free)
joining=$(one_of joining reserved) late_joining=$(one_of joining free)
constant=$(one_of constant) called=$(one_of function) set=$(one_of set)
law=$(one_of law) part=$(one_of part) method=$(one_of method) key=$(one_of key) unit=$(one_of unit)

# A TextMate grammar. Words that models may use as names are coloured only where the grammar has them: at the begin of a
# statement, before a bracket, after `method =`, before `=` in a list of keys.
vscode() {
    greek='\\x{370}-\\x{3FF}\\x{B5}'
    name="[A-Za-z_$greek][A-Za-z_0-9$greek]*"
    apart='(?<![A-Za-z_0-9])' before='(?<![.A-Za-z_0-9])' after='(?![A-Za-z_0-9])'
    number='(?:[0-9]+(?:[.](?![.])[0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]+)?'
    cat <<JSON
{
  "_comment": "Printed by tools/editor-words.sh, not written by hand.",
  "name": "Drystone",
  "scopeName": "source.drystone",
  "fileTypes": ["dry"],
  "patterns": [
    { "include": "#comment" },
    { "include": "#text" },
    { "include": "#title" },
    { "include": "#quantity" },
    { "include": "#key" },
    { "include": "#method" },
    { "include": "#law" },
    { "include": "#statement" },
    { "include": "#call" },
    { "include": "#joining" },
    { "include": "#constant" },
    { "include": "#sign" }
  ],
  "repository": {
    "comment": { "name": "comment.line.number-sign.drystone", "match": "#.*$" },
    "text": { "name": "string.quoted.double.drystone", "match": "\"[^\"]*(?:\"|$)" },
    "title": {
      "match": "^\\\\s*(model)\\\\s+($name)",
      "captures": {
        "1": { "name": "keyword.control.drystone" },
        "2": { "name": "entity.name.section.drystone" }
      }
    },
    "quantity": {
      "patterns": [
        {
          "match": "$apart($number)[ \\\\t]*(\\\\[[^\\\\]]*(?:\\\\]|$))",
          "captures": {
            "1": { "name": "constant.numeric.drystone" },
            "2": { "patterns": [{ "include": "#unit" }] }
          }
        },
        {
          "match": "(?<=[\\\\])])[ \\\\t]+(\\\\[[^\\\\],]*\\\\])",
          "captures": { "1": { "patterns": [{ "include": "#unit" }] } }
        },
        { "name": "constant.numeric.drystone", "match": "$apart$number" }
      ]
    },
    "unit": {
      "patterns": [
        { "name": "support.type.unit.drystone", "match": "(?<![A-Za-z])[A-Za-z\\\\x{B5}\\\\x{3BC}]{0,2}?(?:$unit)(?![A-Za-z])" },
        { "name": "constant.numeric.power.drystone", "match": "[-0-9]+" },
        { "name": "punctuation.unit.drystone", "match": "[\\\\]\\\\[*/^]" }
      ]
    },
    "key": {
      "match": "(?:(?<=[(,])|\\\\b(with|run)\\\\b)\\\\s*(?:($key)|($name))(?=\\\\s*=(?!=))",
      "captures": {
        "1": { "name": "keyword.control.drystone" },
        "2": { "name": "support.type.property-name.drystone" },
        "3": { "name": "variable.parameter.drystone" }
      }
    },
    "method": { "name": "support.constant.method.drystone", "match": "(?:(?<=method = )|(?<=method=))(?:$method)(?![-A-Za-z_0-9])" },
    "law": { "name": "support.class.law.drystone", "match": "(?:(?<=law = )|(?<=law=))(?:$law)$after" },
    "statement": {
      "patterns": [
        { "name": "keyword.control.drystone", "match": "^\\\\s*(?:$statement)$after(?!\\\\s*=)" },
        { "name": "keyword.control.drystone", "match": "^\\\\s*(?:$late_statement)(?=\\\\s+[\"A-Za-z_$greek])" }
      ]
    },
    "call": {
      "patterns": [
        { "name": "keyword.operator.set.drystone", "match": "$before(?:$set)(?=\\\\s*\\\\()" },
        { "name": "support.function.drystone", "match": "$before(?:$called)(?=\\\\s*\\\\()" },
        { "name": "support.class.law.drystone", "match": "$before(?:$law)(?=\\\\s*\\\\()" },
        { "name": "support.class.part.drystone", "match": "$before(?:$part)(?=\\\\s*\\\\()" },
        { "name": "entity.name.function.drystone", "match": "$before$name(?=\\\\()" }
      ]
    },
    "joining": {
      "patterns": [
        { "name": "keyword.operator.word.drystone", "match": "$before(?:$joining)$after" },
        { "name": "keyword.operator.word.drystone", "match": "(?<=\\\\s)(?:$late_joining)(?=\\\\s+[^\\\\s=,)+*/^-])" }
      ]
    },
    "constant": { "name": "constant.language.drystone", "match": "$before(?:$constant)$after" },
    "sign": { "name": "keyword.operator.drystone", "match": "[+]-|[+]=|\\\\.\\\\.|[=!<>]=|[-+*/^=<>'\\u00b1\\u2208\\u00b7\\u22c5\\u00d7\\u00b2\\u00b3\\u2212\\u2264\\u2265\\u2260\\u2032]" }
  }
}
JSON
}

# Vim's own regular expressions, `very magic`.
vim() {
    name='[A-Za-z_][A-Za-z_0-9]*'
    magic() { printf '%s' "$1" | sed 's/%/\\%/g'; }
    cat <<VIM
" Vim syntax file: Drystone (.dry). Printed by tools/editor-words.sh, not written by hand.
scriptencoding utf-8
if exists("b:current_syntax")
  finish
endif

syn iskeyword @,48-57,_,192-255
syn sync minlines=50

" Words that models may use as names are coloured only where the grammar has them.
syn match drystoneSign "\\v\\+-|\\+\\=|\\.\\.|[=!<>]\\=|[-+*/^=<>']"
syn match drystoneNumber "\\v<\\d+(\\.\\.@!\\d*)?([eE][-+]?\\d+)?"
syn match drystoneNumber "\\v\\.@1<!\\.\\d+([eE][-+]?\\d+)?"
syn match drystoneUnit "\\v(<\\d+(\\.\\d*)?([eE][-+]?\\d+)?\\s*)@30<=\\[[^]]*\\]" contains=drystoneUnitName
syn match drystoneUnit "\\v([])]\\s+)@30<=\\[[^],]*\\]" contains=drystoneUnitName
syn match drystoneUnitName "\\v\\a{-0,2}($(magic "$unit"))\\a@!" contained
syn match drystoneName "\\v<$name\\ze\\("
syn match drystonePart "\\v\\.@1<!<($part)\\ze\\s*\\("
syn match drystoneLaw "\\v\\.@1<!<($law)\\ze\\s*\\("
syn match drystoneLaw "\\v<law\\s*\\=\\s*\\zs($law)>"
syn match drystoneFunction "\\v\\.@1<!<($called)\\ze\\s*\\("
syn match drystoneSet "\\v\\.@1<!<($set)\\ze\\s*\\("
syn match drystoneMethod "\\v<method\\s*\\=\\s*\\zs($method)[-A-Za-z_0-9]@!"
syn match drystoneKey "\\v([(,]|<with>|<run>)\\s*\\zs<($key)>\\ze\\s*\\=\\=@!"
syn match drystoneConstant "\\v\\.@1<!<($constant)>"
syn match drystoneJoining "\\v\\.@1<!<($joining)>"
syn match drystoneJoining "\\v\\s\\zs<($late_joining)>\\ze\\s+[^ \\t=,)+*/^-]"
syn match drystoneStatement "\\v^\\s*<($statement)>(\\s*\\=)@!"
syn match drystoneStatement "\\v^\\s*<($late_statement)>\\ze\\s+[\"A-Za-z_]"
syn match drystoneText "\\v\\"[^\\"]*(\\"|\$)"
syn match drystoneComment "#.*\$" contains=@Spell,drystoneTodo
syn keyword drystoneTodo TODO FIXME contained

hi def link drystoneSign Operator
hi def link drystoneNumber Number
hi def link drystoneUnit Delimiter
hi def link drystoneUnitName Type
hi def link drystoneName Identifier
hi def link drystonePart Structure
hi def link drystoneLaw Structure
hi def link drystoneFunction Function
hi def link drystoneSet Special
hi def link drystoneMethod Constant
hi def link drystoneKey Label
hi def link drystoneConstant Constant
hi def link drystoneJoining Keyword
hi def link drystoneStatement Statement
hi def link drystoneText String
hi def link drystoneComment Comment
hi def link drystoneTodo Todo

let b:current_syntax = "drystone"
VIM
}

list() { # NAME MEANING KIND [reserved|free]
    printf '\n(defconst drystone-%s\n  (list' "$1"
    rows "$3" ${4+"$4"} | awk '
        { word = "\"" $0 "\"" }
        NR == 1 || length(line) + length(word) > 75 { if (NR > 1) print line; line = NR == 1 ? "" : "       " }
        { line = line " " word }
        END { printf "%s", line }'
    printf ')\n  "%s")\n' "$2"
}
emacs() {
    cat <<'ELISP'
;;; drystone-words.el --- the words of Drystone's language  -*- lexical-binding: t; -*-

;; Printed by tools/editor-words.sh, not written by hand.

;;; Code:
ELISP
    list statements "Words that begin a statement and cannot be names." statement reserved
    list late-statements "Words that begin a statement and may be names." statement free
    list joining "Other words of the grammar that cannot be names." joining reserved
    list late-joining "Other words of the grammar that may be names." joining free
    list constants "Constants." constant
    list functions "Functions." function
    list sets "Sets." set
    list laws "Laws of friction and contact." law
    list parts "Kinds of parts." part
    list methods "Methods of integration." method
    list keys "Keys of runs, plots and sets." key
    list units "Units." unit
    cat <<'ELISP'

(provide 'drystone-words)
;;; drystone-words.el ends here
ELISP
}

"$2"
