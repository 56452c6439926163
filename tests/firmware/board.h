/* board: what the programs of this folder ask of a computer, by board_arm.c, board_riscv.c or
 * board_host.c. */
#ifndef DRY_TESTS_BOARD_H
#define DRY_TESTS_BOARD_H

#include <stdint.h>

void board_print(const char *text);
/* Instructions since the start; 0 where none are counted. */
uint64_t board_count(void);

static inline void board_number(uint64_t value) {
    char text[24], *at = text + sizeof text - 1;
    *at = '\0';
    do *--at = (char)('0' + value % 10);
    while (value /= 10);
    board_print(at);
}

#endif
