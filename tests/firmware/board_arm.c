/* board_arm: an ARM MPS2 board without an operating system: the table of vectors, the output of the
 * debugger, and a timer of 25 MHz. An emulator that gives an instruction 1 ns lets it tick once per
 * 40 instructions. */
#include "board.h"

enum { WRITE = 0x04, EXIT = 0x18, EXITED = 0x20026 };
enum { PER_TICK = 40 };
static volatile uint32_t *const timer =
    (volatile uint32_t *)0x40000000; /* control, value, reload */
static volatile uint32_t *const coprocessors = (volatile uint32_t *)0xE000ED88;

extern char stack_top[];
int main(void);
void reset(void);
void fault(void);

static void ask(int what, const void *about) {
    register int r0 __asm__("r0") = what;
    register const void *r1 __asm__("r1") = about;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char *text) { ask(WRITE, text); }
uint64_t board_count(void) { return (uint64_t)(0xFFFFFFFFu - timer[1]) * PER_TICK; }

void reset(void) {
    *coprocessors |= 0xFu << 20; /* the floating point unit */
    __asm__ volatile("dsb\n\tisb");
    timer[2] = timer[1] = 0xFFFFFFFFu;
    timer[0] = 1;
    if (main() == 0) board_print("end\n");
    ask(EXIT, (const void *)EXITED);
    for (;;) {
    }
}

void fault(void) {
    board_print("fault\n");
    ask(EXIT, (const void *)EXITED);
    for (;;) {
    }
}

typedef void handler(void);
__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    handler *handlers[6];
} vectors = {stack_top, {reset, fault, fault, fault, fault, fault}};
