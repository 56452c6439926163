#!/bin/sh
# drystone export --to arduino: a library as the Arduino specification has it, whose example compiles as C++ and gives the
# numbers of exported C; it is written as a whole or not at all.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME

# With an input, and with names that are macros of some board.
write "$scratch/pushed.dry" <<'MODEL'
model pushed "a block, pushed"
param M = 1 [kg], F = 0.25 [N], PI = 1, B1 = 2 [N s/m], PORTB = 1, byte = 1
input u = 0.1 [N]
state p = 0 [m], v = 0 [m/s]
f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]
p' = v
M*v' = u*PI*PORTB*byte + 0.3 [N] - B1*v - f
run until = 1 [s], step = 1 [ms], method = rk4
plot p
MODEL
# What a board has, as far as an example needs it, and macros that boards have.
write "$scratch/board/Arduino.h" <<'BOARD'
#include <cstdio>
#define PI 3.1415926535897932384626433832795
#define B1 1
#define PORTB (*(volatile unsigned char *)(0x25))
#define F(text) (text)
#define A0 14
typedef unsigned char byte;
unsigned long micros();
int analogRead(int pin);
struct SerialPort {
    void begin(long) {}
    void print(const char *text) { std::fputs(text, stdout); }
    void print(char c) { std::putchar(c); }
    void print(double value, int digits) { std::printf("%.*f", digits, value); }
    void println() { std::putchar('\n'); }
    void println(int value) { std::printf("%d\n", value); }
};
extern SerialPort Serial;
void setup();
void loop();
BOARD
write "$scratch/board/board.cpp" <<'BOARD'
#include <Arduino.h>
SerialPort Serial;
static unsigned long now;
unsigned long micros() { return now; }
int analogRead(int pin) { return pin == A0 ? 512 : 0; }
int main() {
    now = 4294900000UL;
    for (setup(); now < 4294900000UL + 500000UL; now += 250) loop(); // half a second
}
BOARD

check "a library" "$drystone" export "$scratch/pushed.dry" --to arduino -o "$scratch/lib" --prefix pushed --no-watch
files() { [ "$(cd "$1" && find . -type f | sort | tr '\n' ' ')" = "./README.md ./examples/$2/$2.ino ./keywords.txt ./library.properties ./src/$2.c ./src/$2.h " ]; }
check "has these files" files "$scratch/lib" pushed
properties() { # every field that the specification asks for, once, with a value
    for field in name version author maintainer sentence paragraph category url architectures includes; do
        grep -c "^$field=." "$1" | grep -qx 1 || { echo "$field"; return 1; }
    done
    grep -qx 'name=[A-Za-z0-9][A-Za-z0-9 _.-]*' "$1" && grep -qx 'version=[0-9]*\.[0-9]*\.[0-9]*' "$1" &&
        grep -qx 'includes=pushed.h' "$1" && [ "$(grep -cv '^[a-z]*=' "$1")" = 0 ]
}
check "library.properties is as specified" properties "$scratch/lib/library.properties"
# What the header declares, by name: functions, types, and what is constant.
words() {
    {
        sed -n 's/^\(int\|void\) \(pushed_[a-z_]*\)(.*/\2\tKEYWORD2/p' "$1"
        sed -n 's/^\(} \|typedef float \)\(pushed[a-z_]*\);$/\2\tKEYWORD1/p' "$1"
        grep '^extern' "$1" | tr ' ' '\n' | sed -n 's/^\**\(pushed_[a-z_]*\)[[,;].*/\1\tLITERAL1/p'
        sed -n '/^enum/,/}/p' "$1" | sed 's,/\*.*,,' | grep -o 'PUSHED_[A-Z_]*' | sed 's/$/\tLITERAL1/'
    } | sort -u
}
coloured() { words "$1/src/pushed.h" >"$scratch/words" && sort "$1/keywords.txt" | diff - "$scratch/words" && [ "$(wc -l <"$scratch/words")" -gt 45 ]; }
check "keywords.txt has each name of the header" coloured "$scratch/lib"
check "in single precision" grep -q '^typedef float pushed_real;' "$scratch/lib/src/pushed.h"
check "names that boards have as macros get another" sh -c 'for name in F PI_ B1_ PORTB_ byte_; do grep -q "_real $name; " "$1" || exit 1; done' sh "$scratch/lib/src/pushed.h"

builds() { # LIBRARY PREFIX PROGRAM: the sketch as the IDE compiles it
    { echo '#include <Arduino.h>'; cat "$1/examples/$2/$2.ino"; } >"$scratch/sketch.cpp"
    "${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -c -o "$scratch/model.o" "$1/src/$2.c" &&
        g++ -std=gnu++11 -O2 -Wall -Wextra -Werror -I "$scratch/board" -I "$1/src" -o "$3" "$scratch/sketch.cpp" \
            "$scratch/board/board.cpp" "$scratch/model.o" -lm
}
# The example measures 512/1023 N; rows come after 50, 100, ... steps.
gives() {
    "$scratch/example" >"$scratch/rows" && "$drystone" export "$scratch/pushed.dry" --float --to c -o "$scratch/c" --prefix pushed \
        --no-watch --record 0.05 &&
        sed -i 's/pushed_init(&m, 0);/&\n    (void)pushed_set_input(\&m, 0, 512 \/ 1023.0f);/' "$scratch/c/main.c" &&
        make -s -C "$scratch/c" && "$scratch/c/pushed" >"$scratch/c.csv" &&
        head -n 1 "$scratch/rows" && [ "$(wc -l <"$scratch/rows")" = 10 ] || return 1
    awk -F '[:\t]' '{ print $4, $6 }' "$scratch/rows" >"$scratch/numbers" # p and v, after u
    # The shortest digits of a float below 0.25 are within 7.5e-9 of it.
    sed '1,2d' "$scratch/c.csv" | head -n 10 | tr ',' ' ' | paste -d ' ' - "$scratch/numbers" | awk '
        { p = $3 - $7; v = $4 - $8; if (p > 8e-9 || p < -8e-9 || v > 8e-9 || v < -8e-9 || $3 < 7e-4) wrong = 1 }
        END { exit wrong || NR != 10 }'
}
if have g++; then
    check "the example compiles as C++" builds "$scratch/lib" pushed "$scratch/example"
    check "and gives the numbers of exported C" gives
    "$drystone" export models/hello.dry --to arduino -o "$scratch/hello" --no-watch >/dev/null
    check "so does one without inputs" builds "$scratch/hello" model "$scratch/example"
fi

# ---- what is refused ---------------------------------------------------------------------------------

for prefix in Arduino Serial setup PI B1 String; do
    refuses "the prefix $prefix means something on a board" "another meaning.*choose another name, such as model_$prefix" \
        "$drystone" export "$scratch/pushed.dry" --to arduino -o "$scratch/x" --prefix "$prefix"
done
check "C for elsewhere may be named so" "$drystone" export "$scratch/pushed.dry" --to c -o "$scratch/serial" --prefix Serial --no-watch
refuses "another language is refused" "no export to 'avr'; write --to c, arduino, fmu2 or fmu3" "$drystone" export "$scratch/pushed.dry" --to avr -o "$scratch/x"
check "over a library of before" "$drystone" export "$scratch/pushed.dry" --to arduino -o "$scratch/lib" --prefix pushed --float --no-watch
refuses "not over exported C" 'has other files' "$drystone" export "$scratch/pushed.dry" --to arduino -o "$scratch/serial" --prefix Serial2
refuses "and C not over a library" 'has other files' "$drystone" export "$scratch/pushed.dry" --to c -o "$scratch/lib" --prefix pushed
refuses "a folder has to be named" 'which folder' "$drystone" export "$scratch/pushed.dry" --to arduino
write "$scratch/parts.dry" <<'MODEL'
body crate : mass with m = 1 [kg]
run until = 1 [s]
MODEL
refuses "a model that is none is refused" 'error' "$drystone" export "$scratch/parts.dry" --to arduino -o "$scratch/x"
fails_whole() { # FOLDER LAYOUT: where no file can be long; nothing is left of a new folder, all of an old one
    (ulimit -f 8 && trap '' XFSZ && ! "$drystone" export "$scratch/pushed.dry" --to "$2" -o "$1" --prefix pushed --no-watch)
}
for layout in c arduino; do
    check "$layout: files cannot be long" fails_whole "$scratch/short-$layout" $layout
    check "$layout: nothing is left" sh -c '! test -e "$1"' sh "$scratch/short-$layout"
done
sums() { find "$1" -type f -exec sha256sum {} + | sort; }
sums "$scratch/lib" >"$scratch/before"
check "nor can they over a library" fails_whole "$scratch/lib" arduino
unchanged() { sums "$scratch/lib" | diff "$scratch/before" -; }
check "which stays as it was" unchanged

finish
