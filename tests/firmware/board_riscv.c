/* board_riscv: the machine `virt` of an emulator, without an operating system. Its counter of
 * instructions is that of the processor. */
#include "board.h"

enum { WRITE = 0x04, EXIT = 0x18, EXITED = 0x20026 };

int main(void);
void reset(void);
void begin(void);
void fault(void);

static void ask(long what, const void *about) {
    register long a0 __asm__("a0") = what;
    register const void *a1 __asm__("a1") = about;
    __asm__ volatile(".option push\n\t.option norvc\n\t.balign 16\n\t"
                     "slli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7\n\t.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
}

void board_print(const char *text) { ask(WRITE, text); }

uint64_t board_count(void) {
#if __riscv_xlen == 32
    uint32_t high, low, again;
    do
        __asm__ volatile("csrr %0, minstreth\n\tcsrr %1, minstret\n\tcsrr %2, minstreth"
                         : "=r"(high), "=r"(low), "=r"(again));
    while (high != again);
    return (uint64_t)high << 32 | low;
#else
    uint64_t count;
    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
#endif
}

static void leave(void) {
    static const long exited[2] = {EXITED, 0};
    ask(EXIT, sizeof(long) == 4 ? (const void *)EXITED : (const void *)exited);
    for (;;) {
    }
}

void begin(void) {
    if (main() == 0) board_print("end\n");
    leave();
}

__attribute__((aligned(4))) void fault(void) {
    board_print("fault\n");
    leave();
}

/* The floating point unit on, and a stack. */
__attribute__((naked, section(".vectors"))) void reset(void) {
    __asm__ volatile(
        ".option push\n\t.option norelax\n\tla gp, __global_pointer$\n\t.option pop\n\t"
        "la sp, stack_top\n\tla t0, fault\n\tcsrw mtvec, t0\n\t"
        "li t0, 0x2000\n\tcsrs mstatus, t0\n\tcsrw fcsr, zero\n\tj begin");
}
