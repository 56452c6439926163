" Vim filetype plugin: Drystone (.dry).
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s formatoptions-=t formatoptions+=croql
setlocal expandtab shiftwidth=4 softtabstop=4
setlocal iskeyword=@,48-57,_,192-255
setlocal suffixesadd=.dry include=^\\s*include\\s*\" define=^\\s*\\(param\\\|state\\\|function\\\|part\\\|measure\\)

let b:undo_ftplugin = "setl com< cms< fo< et< sw< sts< isk< sua< inc< def<"
