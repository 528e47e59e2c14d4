" Vim syntax file
" Language: persist-lab experiment (.exp)

if exists("b:current_syntax")
  finish
endif

syn case match
syn iskeyword @,48-57,_

" Matches, not keywords: those would win over a label. Later ones win.
syn match expFunction "\<\(row\|uniform\|normal\|zipf\|pick\|chance\|sequence\|cycle\)\>"
syn match expFunction "\<\(shuffled\|paragraph\|bytes\|list\|owned\|shared\|step\|cpu\|p50\)\>"
syn match expFunction "\<\(p99\|max\|min\|rate\|peak_memory\|bytes_written\|logical_bytes\)\>"
syn match expFunction "\<\(rows\|growth\|reached\|sum\|avg\|constant\|logarithmic\|linear\)\>"
syn match expFunction "\<\(linearithmic\|quadratic\)\>"
syn match expSetting "\<\(source\|about\|authors\|seed\|warmup\|cache\|budget\|limits\|tiers\)\>"
syn match expSetting "\<\(mixed\|quick\|warm\|interleaved\|sequential\|memory\|time\|disk\)\>"
syn match expSetting "\<\(engine\)\>"
syn match expClause "\<\(where\|order\|by\|limit\|offset\|touching\|compute\|per\|set\|in\)\>"
syn match expClause "\<\(one\|transaction\|transactions\|of\|autocommit\|object\|statement\)\>"
syn match expClause "\<\(with\|at\|as\|for\|from\|when\|else\|over\|cold\|keys\|nothing\)\>"
syn match expClause "\<\(ignoring\|case\|desc\|file\)\>"
syn match expType "\<\(bool\|int\|float\|text\|uuid\|timestamp\|blob\|json\|enum\)\>"
syn match expAttribute "\<\(key\|index\|unique\|cascade\|inverse\)\>"
syn match expOperator "\<\(and\|or\|not\|is\|like\|contains\|starts_with\|ends_with\|mod\)\>"
syn match expOperator "\<\(any\|all\|none\|empty\)\>"
syn match expConstant "\<\(true\|false\|null\|it\|first\|middle\|last\|random\|latest\)\>"
syn match expConstant "\<\(missing\)\>"
syn match expStep "\<\(instantiate\|create\|upsert\|read\|count\|update\|delete\|repeat\)\>"
syn match expStep "\<\(storage\|compact\|checkpoint\|open\|close\|reopen\|expect\|setup\)\>"
syn match expStep "\<\(skip\|runs\)\>"
syn match expItem "^\(use\|experiment\|model\|enum\|pool\|hook\|engine\|preset\|param\|sweep\|trial\|claim\)\>"
" A word before a colon is a name, whatever it is.
syn match expLabel "\<\h\w*\>\ze\s*:"
syn match expModel "\<\u\w*\>"
syn match expNumber "\<\d[0-9_]*\(\.\d[0-9_]*\)\?\(%\|\a\+\)\?"
syn match expDate "@[0-9TZ:-]\+"
syn match expComment "//.*$" contains=@Spell
syn match expEscape contained "\\.\|{{"
syn region expFill contained start="{" end="}" oneline contains=expNumber,expOperator,expFunction
syn region expText start=+"+ skip=+\\.+ end=+"+ oneline contains=expEscape,expFill

syn region expHook start="^hook\>[^{]*{" end="}" contains=expHookWord,expHookBlock,expText,expComment,expNumber
syn region expHookBlock contained start="{" end="}" contains=expHookWord,expHookBlock,expText,expComment,expNumber
syn keyword expHookWord contained hook let const if else switch for in while loop do until break
syn keyword expHookWord contained continue return throw try catch true false

hi def link expItem Statement
hi def link expStep Keyword
hi def link expClause Keyword
hi def link expSetting PreProc
hi def link expAttribute StorageClass
hi def link expOperator Operator
hi def link expType Type
hi def link expModel Structure
hi def link expFunction Function
hi def link expConstant Constant
hi def link expLabel Identifier
hi def link expNumber Number
hi def link expDate Number
hi def link expComment Comment
hi def link expText String
hi def link expEscape SpecialChar
hi def link expFill Special
hi def link expHookWord Statement

let b:current_syntax = "exp"
