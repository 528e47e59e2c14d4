autocmd BufRead,BufNewFile *.exp setfiletype exp
