# shellcheck shell=bash
# Bash completion of drystone. The command itself is asked for its verbs, options, methods, laws and
# parts, so that nothing here has to follow it.

# The verbs in the order of the help.
_drystone_verbs() { # PROGRAM
    "$1" help 2>/dev/null | awk '/^verbs$/ { on = 1; next } on && !NF { exit } on { print $1 }'
}

# The options of a verb, long and short.
_drystone_options() { # PROGRAM VERB
    "$1" help "$2" 2>/dev/null | awk '
        /^options$/ { on = 1; next }
        on { for (i = 1; i <= 2; i++) if ($i ~ /^-/) { sub(/,$/, "", $i); print $i } }'
}

# The row of an option without its name: what it takes, and its meaning. Empty for a flag.
_drystone_argument() { # PROGRAM VERB OPTION
    "$1" help "$2" 2>/dev/null | awk -v option="$3" '
        /^options$/ { on = 1; next }
        on && ($1 == option || $1 == option "," || $2 == option) {
            sub(/^ *(-., )?--[a-z-]+/, "")
            if ($0 ~ /^ [^ ]/) print substr($0, 2)
        }'
}

# What the words of a verb are: FILE, RESULT, LAW ...
_drystone_words() { # PROGRAM VERB
    "$1" help "$2" 2>/dev/null | awk '/^usage: / { print $NF; exit }'
}

_drystone_methods() { # PROGRAM
    _drystone_argument "$1" run --method | sed -e 's/^NAME *//' -e 's/,//g'
}

# Files with these endings, and folders.
_drystone_files() { # CURRENT ENDING...
    local cur=$1 ending
    shift
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(
        compgen -d -- "$cur"
        for ending; do compgen -f -X "!*.$ending" -- "$cur"; done
    )
}

_drystone_choose() { # CURRENT WORD...
    local cur=$1
    shift
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}

# The last word of a list with commas.
_drystone_choose_list() { # CURRENT WORD...
    local cur=$1 before=
    shift
    if [[ $cur == *,* ]]; then before=${cur%,*},; fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "${cur##*,}")
}

# The endings that a meaning names: `write the picture: .svg, .png, .pdf`.
_drystone_endings() { grep -o '\.[a-z][a-z0-9]*' <<<"$1" | tr -d .; }

_drystone_value() { # PROGRAM OPTION ARGUMENT-AND-MEANING CURRENT: true where it was a value
    case $3 in
    '') return 1 ;;
    FILE*)
        # shellcheck disable=SC2046  # endings are words
        _drystone_files "$4" $(_drystone_endings "$3")
        ;;
    DIR*) _drystone_files "$4" ;;
    *)
        case $2 in
        --method) _drystone_choose "$4" "$(_drystone_methods "$1")" ;;
        --methods) _drystone_choose_list "$4" "$(_drystone_methods "$1")" ;;
        --stage) _drystone_choose "$4" tokens tree checked lowered ordered code ;;
        --as) _drystone_choose "$4" text latex ;;
        --to) _drystone_choose "$4" c ;;
        esac
        ;;
    esac
}

_drystone_word() { # PROGRAM VERB CURRENT
    case $(_drystone_words "$1" "$2") in
    FILE* | DIR) _drystone_files "$3" dry ;;
    RESULT*) _drystone_files "$3" csv h5 ;;
    '[ROOT]') _drystone_files "$3" ;;
    '[LAW...]') _drystone_choose "$3" "$("$1" laws | awk '{ print $1 }')" ;;
    '[KIND...]') _drystone_choose "$3" "$("$1" parts | awk '{ print $1 }')" ;;
    '[VERB]') _drystone_choose "$3" "$(_drystone_verbs "$1")" ;;
    esac
}

_drystone() {
    local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _drystone_choose "$cur" "$(_drystone_verbs "$program")" --help --version
        return
    fi
    local verb=${COMP_WORDS[1]}
    if [[ $cur == = ]]; then cur=; fi                                          # --method=
    if [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi       # --method=rk
    if [[ $option == -* ]] &&
        _drystone_value "$program" "$option" "$(_drystone_argument "$program" "$verb" "$option")" "$cur"; then
        return
    fi
    if [[ $cur == -* ]]; then
        _drystone_choose "$cur" "$(_drystone_options "$program" "$verb")"
    else
        _drystone_word "$program" "$verb" "$cur"
    fi
}

complete -F _drystone drystone
