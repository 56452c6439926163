/* board_avr: an Arduino Mega without its core: what it prints goes to its first serial port. */
#include "board.h"
#include <avr/io.h>

void board_print(const char *text) {
    UCSR0B = 1 << TXEN0;
    for (; *text; text++) {
        while (!(UCSR0A & 1 << UDRE0)) {
        }
        UDR0 = (unsigned char)*text;
    }
}

uint64_t board_count(void) { return 0; }
