/* size: the least program with an exported model, with a step by hand, or with neither, for what
 * they need of the memory. */
#include "board.h"

#if defined HAND
#include HAND
static hand_machine m;
static void begin(void) { hand_begin(&m); }
static void step(void) { hand_step(&m); }
#elif defined EXPORTED
#include "machine.h"
static machine m;
static void begin(void) { (void)machine_init(&m, 0); }
static void step(void) { (void)machine_step(&m, m.h); }
#else
static void begin(void) {}
static void step(void) {}
#endif

int main(void) {
    begin();
    for (;;) step();
}
