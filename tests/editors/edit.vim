" Editing models in Vim: leaves with an error where an indentation or a setting is wrong.
set nocompatible nomodeline
filetype plugin indent on
set filetype=drystone
call setline(1, ['x = 1 +', '2', 'y = 3', 'f in F*sgn(v) with', 'K = 1,', 'beta = 2', '  z = 3 # and', '  w = "a #" +', '1'])
normal gg=G
let s:want = ['x = 1 +', '    2', 'y = 3', 'f in F*sgn(v) with', '    K = 1,', '    beta = 2', 'z = 3 # and', 'w = "a #" +', '    1']
if getline(1, '$') != s:want
  call writefile(getline(1, '$'), '/dev/stderr')
  cquit
endif
if &commentstring !=# '# %s' || &shiftwidth != 4
  cquit
endif
qall!
