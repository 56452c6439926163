" Vim syntax file: Drystone (.dry). Printed by tools/editor-words.sh, not written by hand.
scriptencoding utf-8
if exists("b:current_syntax")
  finish
endif

syn iskeyword @,48-57,_,192-255
syn sync minlines=50

" Words that models may use as names are coloured only where the grammar has them.
syn match drystoneSign "\v\+-|\+\=|\.\.|[=!<>]\=|[-+*/^=<>']"
syn match drystoneNumber "\v<\d+(\.\.@!\d*)?([eE][-+]?\d+)?"
syn match drystoneNumber "\v\.@1<!\.\d+([eE][-+]?\d+)?"
syn match drystoneUnit "\v(<\d+(\.\d*)?([eE][-+]?\d+)?\s*)@30<=\[[^]]*\]" contains=drystoneUnitName
syn match drystoneUnit "\v([])]\s+)@30<=\[[^],]*\]" contains=drystoneUnitName
syn match drystoneUnitName "\v\a{-0,2}(bar|deg|lbf|min|ohm|rad|rev|rpm|Hz|Pa|ft|in|lb|Ω|\%|A|C|H|J|K|N|V|W|g|h|m|s|t)\a@!" contained
syn match drystoneName "\v<[A-Za-z_][A-Za-z_0-9]*\ze\("
syn match drystonePart "\v\.@1<!<(rotary_lankarani_nikravesh|rotary_kelvin_voigt_cut|rotary_kikuuwe_fujimoto|rotary_elastoplastic|rotary_hunt_crossley|rotary_marhefka_orin|rotary_stribeck_slip|lankarani_nikravesh|rotary_kelvin_voigt|frictional_contact|rotary_zhang_sharf|rotary_gms_smooth|rotary_multistate|rotary_unilateral|kelvin_voigt_cut|kikuuwe_fujimoto|rotary_compliant|rotary_ellipsoid|rotary_smoothing|rotary_backlash|rotary_bouc_wen|rotary_elliptic|rotary_gonthier|rotary_stribeck|rotary_coulomb|rotary_karnopp|rotary_viscous|elastoplastic|hunt_crossley|marhefka_orin|rotary_damper|rotary_flores|rotary_leuven|rotary_motion|rotary_spring|stribeck_slip|kelvin_voigt|moving_frame|rotary_brush|rotary_dwell|rotary_lugre|rotary_motor|rotary_patch|rotary_dahl|rotary_stop|zhang_sharf|ball_joint|gms_smooth|multistate|point_mass|rigid_body|rotary_gms|unilateral|compliant|ellipsoid|smoothing|backlash|bouc_wen|cylinder|elliptic|gonthier|stribeck|capsule|contact|coulomb|gravity|karnopp|viscous|damper|flores|leuven|motion|slider|sphere|spring|brush|cloud|dwell|hinge|lugre|motor|patch|plane|rotor|dahl|stop|urdf|weld|arm|box|gms)\ze\s*\("
syn match drystoneLaw "\v\.@1<!<(lankarani_nikravesh|frictional_contact|kelvin_voigt_cut|kikuuwe_fujimoto|elastoplastic|hunt_crossley|marhefka_orin|stribeck_slip|kelvin_voigt|zhang_sharf|gms_smooth|multistate|compliant|ellipsoid|smoothing|bouc_wen|elliptic|gonthier|stribeck|contact|coulomb|karnopp|viscous|flores|leuven|brush|dwell|lugre|patch|dahl|play|gms)\ze\s*\("
syn match drystoneLaw "\v<law\s*\=\s*\zs(lankarani_nikravesh|frictional_contact|kelvin_voigt_cut|kikuuwe_fujimoto|elastoplastic|hunt_crossley|marhefka_orin|stribeck_slip|kelvin_voigt|zhang_sharf|gms_smooth|multistate|compliant|ellipsoid|smoothing|bouc_wen|elliptic|gonthier|stribeck|contact|coulomb|karnopp|viscous|flores|leuven|brush|dwell|lugre|patch|dahl|play|gms)>"
syn match drystoneFunction "\v\.@1<!<(transpose|integral|quatrate|rotate|atan2|count|cross|delay|final|first|floor|hypot|log10|noise|round|solve|acos|asin|atan|cbrt|ceil|cosh|last|mean|norm|sign|sinh|sqrt|tanh|abs|cos|dot|erf|exp|log|max|min|mod|pos|rms|sat|sin|sum|tan|at)\ze\s*\("
syn match drystoneSet "\v\.@1<!<(backlash|dio|sgn)\ze\s*\("
syn match drystoneMethod "\v<method\s*\=\s*\zs(split-symmetric|semi-implicit|rigid-routh|rk4-tau|dop853|dopri5|rodas4|cvode|euler|rigid|split|heun|rk4)[-A-Za-z_0-9]@!"
syn match drystoneKey "\v([(,]|<with>|<run>)\s*\zs<(restitution|max_steps|duration|max_step|beside|method|record|alpha|depth|marks|speed|title|until|atol|beta|rtol|step|law|log|B|K|P|Q|x|y)>\ze\s*\=\=@!"
syn match drystoneConstant "\v\.@1<!<(world|inf|pi|t)>"
syn match drystoneJoining "\v\.@1<!<(against|else|from|then|with|and|for|not|if|in|or|to)>"
syn match drystoneJoining "\v\s\zs<(columns|beside|column|normal|within|every|shade|start|axes|time|when|log|own|as|at)>\ze\s+[^ \t=,)+*/^-]"
syn match drystoneStatement "\v^\s*<(function|connect|measure|expect|model|param|state|init|part|plot|run)>(\s*\=)@!"
syn match drystoneStatement "\v^\s*<(include|output|sample|steady|input|table|free|stop)>\ze\s+[\"A-Za-z_]"
syn match drystoneText "\v\"[^\"]*(\"|$)"
syn match drystoneComment "#.*$" contains=@Spell,drystoneTodo
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
