" Files that end in .dry are models of Drystone.
au BufRead,BufNewFile *.dry setfiletype drystone
