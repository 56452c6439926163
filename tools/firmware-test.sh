#!/bin/sh
# Runs exported C on emulated processors: a Cortex-M4F, a Cortex-M7 and a RISC-V. Each gives the bits of this computer over a
# million steps; a step takes at most half as many instructions more as one written by hand. So does an ATmega2560, whose int
# has 16 bits and which computes a float in software, over ten thousand steps.
#
#   tools/firmware-test.sh BUILD
#
# Needs the compilers and emulators of `tools/deps.sh firmware`. Ends with a table of instructions and bytes, which
# docs/firmware.md shows too.
set -eu
cd "$(dirname -- "$0")/.."
build=${1-build}
. tests/house/tap.sh
work=$build/firmware
most=1.5 # instructions of an exported step to those of one by hand
mkdir -p "$work"

# name | model | parts of the run that are counted apart, in steps | functions of math.h: that of a law whose curve has an exponent
models='
hello       | models/hello.dry                               | 0,2000,10000  |
drift       | models/papers/xiong2013/fig03-drift.dry        | 0,2000,10000  |
compensator | models/classics/friction-feedforward.dry       | 0,10000,50000 | powf
'
# name | compiler | its flags | files of the board | emulator and its machine | as it is called
boards='
m4f  | arm-none-eabi      | -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16               | arm   | arm -M mps2-an386               | Cortex-M4F
m7   | arm-none-eabi      | -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16               | arm   | arm -M mps2-an500               | Cortex-M7
rv32 | riscv64-unknown-elf | -march=rv32imafc -mabi=ilp32f -mno-relax -specs=picolibc.specs -Wno-main | riscv | riscv32 -M virt -bios none      | RV32IMAFC
'
rows() { # LIST: its rows, without blanks around the bars
    printf '%s' "$1" | sed 's/ *| */|/g; s/ *$//; /^$/d'
}

# What the Makefile of an export asks for.
same_bits="-std=c99 -O2 -Wall -Wextra -Werror -ffp-contract=off -fno-builtin -ffunction-sections -fdata-sections"
by_hand="-std=gnu11 -O2 -Wall -Wextra -Werror -ffp-contract=off -ffunction-sections -fdata-sections -Itests/firmware"

# ---- building and running --------------------------------------------------------------------

# shellcheck disable=SC2086  # lists of flags
compile() { # OBJECT FLAGS...: of the board, or of this computer
    object=$1
    shift
    $cc $flags "$@" -c -o "$object"
}
# shellcheck disable=SC2086
link() { # PROGRAM OBJECT...
    program=$1
    shift
    $cc $flags -nostartfiles -T "tests/firmware/$files.ld" -Wl,--gc-sections -Wl,--no-warn-rwx-segments -o "$program" "$@" -lm
}
# shellcheck disable=SC2086
make_programs() { # MODEL PARTS: steps.elf, size-*.elf
    at=$work/$1
    compile "$at/$board-model.o" $same_bits "$at/machine.c" &&
        compile "$at/$board-board.o" $by_hand "tests/firmware/board_$files.c" &&
        compile "$at/$board-steps.o" $by_hand "-I$at" "-DHAND=\"hand_$1.c\"" "-DPARTS=$2" tests/firmware/steps.c &&
        link "$at/$board-steps.elf" "$at/$board-board.o" "$at/$board-steps.o" "$at/$board-model.o" || return 1
    for which in hand exported nothing; do
        case $which in
        hand) compile "$at/size.o" $by_hand "-DHAND=\"hand_$1.c\"" tests/firmware/size.c ;;
        exported) compile "$at/size.o" $by_hand "-I$at" -DEXPORTED tests/firmware/size.c ;;
        nothing) compile "$at/size.o" $by_hand tests/firmware/size.c ;;
        esac &&
            link "$at/$board-size-$which.elf" "$at/$board-board.o" "$at/size.o" "$at/$board-model.o" || return 1
    done
}
# shellcheck disable=SC2086
here() { # MODEL PARTS: the digests of this computer
    at=$work/$1
    "${CC:-cc}" $same_bits -c -o "$at/model.o" "$at/machine.c" &&
        "${CC:-cc}" $by_hand "-I$at" "-DPARTS=$2" -o "$at/steps" tests/firmware/steps.c tests/firmware/board_host.c "$at/model.o" -lm &&
        "$at/steps" >"$at/steps.txt"
}
# An instruction takes 1 ns of the emulated clock.
# shellcheck disable=SC2086
emulate() { # MODEL
    timeout 600 qemu-system-$emulator -nographic -monitor none -serial none -icount shift=0 \
        -semihosting-config enable=on,target=native -kernel "$work/$1/$board-steps.elf" >"$work/$1/$board.txt" 2>&1
    cat "$work/$1/$board.txt"
    tail -n 1 "$work/$1/$board.txt" | grep -qx end
}

# ---- what must hold ----------------------------------------------------------------------------

digests() { grep '^digest' "$1"; }
same_digests() { # MODEL
    digests "$work/$1/steps.txt" >"$scratch/here"
    digests "$work/$1/$board.txt" >"$scratch/there"
    [ "$(wc -l <"$scratch/here")" = 7 ] && grep -q '^digest 1000000 ' "$scratch/here" && diff "$scratch/here" "$scratch/there"
}
# The functions of others that an object calls, beyond those that move memory.
called() { "$tools-nm" -u "$1" | sed 's/.* //; /^mem\(cpy\|set\|move\)$/d; /^__aeabi_mem/d'; }
only_named() { # MODEL FUNCTION...: no other function of math.h, no arithmetic in double precision
    object=$work/$1/$board-model.o
    shift
    called "$object" >"$scratch/called"
    for function; do sed -i "/^$function\$/d" "$scratch/called"; done
    cat "$scratch/called"
    [ ! -s "$scratch/called" ] && ! "$tools-objdump" -d "$object" | grep -E '\.f64|[[:space:]]f[a-z]+\.d'
}
# The emulator of this processor does not end by itself.
# shellcheck disable=SC2086
small() { # MODEL: the digests to step 10000
    at=$work/$1
    avr-gcc -mmcu=atmega2560 $same_bits $by_hand "-I$at" -DSTEPS=10000L -DPARTS=0,1 -Wl,--gc-sections -o "$at/avr.elf" \
        tests/firmware/steps.c tests/firmware/board_avr.c "$at/machine.c" -lm || return 1
    qemu-system-avr -M mega2560 -nographic -monitor none -serial "file:$at/avr.txt" -bios "$at/avr.elf" 2>/dev/null &
    emulated=$! waited=0
    until grep -qs '^instructions' "$at/avr.txt" || [ $waited = 300 ]; do sleep 1; waited=$((waited + 1)); done
    kill $emulated
    digests "$at/avr.txt" | tr -d '\r' >"$scratch/there"
    digests "$at/steps.txt" | head -n 5 >"$scratch/here"
    grep -q '^digest 10000 ' "$scratch/here" && diff "$scratch/here" "$scratch/there"
}
count() { # MODEL WHO FROM: instructions of a step, to a tenth
    awk -v who="$2" -v from="$3" '$1 == "instructions" && $2 == who && $3 == from { printf "%.1f\n", $5/($4 - $3) }' "$work/$1/$board.txt"
}
within() { # MODEL FROM
    count "$1" exported "$2" >"$scratch/exported"
    count "$1" hand "$2" >"$scratch/hand"
    paste -d ' ' "$scratch/exported" "$scratch/hand" | awk -v most="$most" '
        { print; seen = NF == 2 && $2 > 10 && $1 <= most*$2 } END { exit !(NR == 1 && seen) }'
}
bytes() { # MODEL WHICH: code and data beyond those of a program without it
    "$tools-size" "$work/$1/$board-size-nothing.elf" "$work/$1/$board-size-$2.elf" |
        awk 'NR == 2 { code = $1; data = $2 + $3 } NR == 3 { print $1 - code, $2 + $3 - data }'
}
print_row() { # MODEL FROM TO
    count "$1" exported "$2" >"$scratch/exported"
    count "$1" hand "$2" >"$scratch/hand"
    echo "$(cat "$scratch/exported" "$scratch/hand") $(bytes "$1" exported) $(bytes "$1" hand)" | tr '\n' ' ' |
        awk -v name="$1, steps $2 to $3" -v title="$title" '{
            printf "| %s | %s | %.0f | %.0f | %.2f | %d | %d | %d | %d |\n", name, title, $1, $2, $1/$2, $3, $5, $4, $6 }'
}
# The page shows the rows; counts may differ by 2 % with another version of the compiler.
shown() {
    grep '^|.*, steps ' docs/firmware.md >"$scratch/shown"
    paste -d '\n' "$scratch/shown" "$work/table.md" | awk -F '|' '
        NR % 2 { split($0, page, "|"); next }
        { same = page[2] == $2 && page[3] == $3
          for (i = 4; i <= 10; i++) if (page[i] > 1.02*$i || page[i] < 0.98*$i) same = 0
          if (!same) { print "here:" $0; wrong = 1 } }
        END { exit wrong || NR < 20 }'
}

# ---- all of it -----------------------------------------------------------------------------------

: >"$work/table.md"
rows "$models" >"$scratch/models"
rows "$boards" >"$scratch/boards"
while IFS='|' read -r machine model parts functions; do
    rm -rf "${work:?}/$machine"
    check "$machine: exported" "$build/drystone" export "$model" --float --prefix machine --no-watch -o "$work/$machine"
    check "$machine: runs on this computer" here "$machine" "$parts"
    while IFS='|' read -r board tools flags files emulator title; do
        cc=$tools-gcc
        check "$machine, $title: compiles" make_programs "$machine" "$parts"
        # shellcheck disable=SC2086  # a list of names
        check "$machine, $title: calls what the model names, nothing in double precision" only_named "$machine" $functions
        check "$machine, $title: runs" emulate "$machine"
        check "$machine, $title: the bits of this computer over a million steps" same_digests "$machine"
        from=${parts%%,*} rest=${parts#*,}
        for to in $(echo "$rest" | tr ',' ' '); do
            check "$machine, $title: steps $from to $to take at most $most times those by hand" within "$machine" "$from"
            print_row "$machine" "$from" "$to" >>"$work/table.md"
            from=$to
        done
    done <"$scratch/boards"
    check "$machine, ATmega2560: the bits of this computer over ten thousand steps" small "$machine"
done <"$scratch/models"
check "docs/firmware.md shows these numbers" shown

echo "| model | processor | instructions per step | by hand | ratio | bytes of code | by hand | bytes of RAM | by hand |"
echo "|---|---|---|---|---|---|---|---|---|"
cat "$work/table.md"
finish
