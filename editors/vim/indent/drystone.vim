" Vim indent file: Drystone (.dry). A line that goes on from the one before is one step further in.
if exists("b:did_indent")
  finish
endif
let b:did_indent = 1

setlocal indentexpr=DrystoneIndent() indentkeys=o,O,!^F autoindent
let b:undo_indent = "setl inde< indk< ai<"

if exists("*DrystoneIndent")
  finish
endif

" Whether a statement goes on behind this line: after an operator, a comma, a connecting word, in brackets.
function s:GoesOn(number)
  let line = substitute(getline(a:number), '\v"[^"]*"', '', 'g')
  let line = substitute(line, '\s*#.*$', '', '')
  return line =~# '\v([-+*/^=,<>([]|<(in|with|then|else|and|or|not|if|for|from|to|against)>)\s*$'
endfunction

function DrystoneIndent()
  let before = prevnonblank(v:lnum - 1)
  if before == 0
    return 0
  endif
  let goes_on = before == v:lnum - 1 && s:GoesOn(before)
  let went_on = before > 1 && s:GoesOn(before - 1)
  if goes_on
    return went_on ? indent(before) : indent(before) + shiftwidth()
  endif
  return went_on ? max([indent(before) - shiftwidth(), 0]) : indent(before)
endfunction
