/* steps: the digests of the states of an exported model over a million steps, and how many
 * instructions a step takes, beside a step written by hand where there is one (HAND).
 *
 * Prints lines `digest STEP HEX`, `instructions WHO FROM TO COUNT`, and what is wrong. */
#include "board.h"
#include "machine.h"

#ifndef STEPS
#define STEPS 1000000L
#endif
#ifdef HAND
#include HAND
#endif

static machine m;

/* ---- the same bits --------------------------------------------------------------------------- */

/* FNV-1a by words. */
static uint64_t add(uint64_t digest, const void *data, int words) {
    const unsigned char *bytes = data;
    for (int i = 0; i < words; i++, bytes += 4) {
        const uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                              (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        digest = (digest ^ word) * 0x100000001B3u;
    }
    return digest;
}

static void print_digest(long step, uint64_t digest) {
    char text[18] = "0000000000000000\n";
    for (int i = 15; i >= 0; i--, digest >>= 4) text[i] = "0123456789abcdef"[digest & 15];
    board_print("digest ");
    board_number((uint64_t)step);
    board_print(" ");
    board_print(text);
}

/* A triangle between -1/16 and 1/16 with a period of 4096 steps, without rounding. */
static void set_inputs(long step) {
    const long phase = step & 4095, height = phase < 2048 ? phase - 1024 : 3072 - phase;
    for (int i = 0; i < MACHINE_INPUTS; i++)
        (void)machine_set_input(&m, i, (machine_real)height / (machine_real)16384);
}

static int run_digests(void) {
    uint64_t digest = 0xCBF29CE484222325u;
    long next = 1;
    if (machine_init(&m, 0) != 0) return 1;
    const machine_real h = m.h;
    for (long k = 1; k <= STEPS; k++) {
        set_inputs(k);
        if (machine_step(&m, h) != 0) return board_print("a step failed\n"), 1;
        digest = add(digest, m.x, (int)(sizeof m.x / 4));
        if (k < next) continue;
        print_digest(k, digest);
        next *= 10;
    }
    return 0;
}

/* ---- what they cost -------------------------------------------------------------------------- */

static void print_count(const char *who, long from, long to, uint64_t count) {
    board_print("instructions ");
    board_print(who);
    board_print(" ");
    board_number((uint64_t)from);
    board_print(" ");
    board_number((uint64_t)to);
    board_print(" ");
    board_number(count);
    board_print("\n");
}

/* The parts of a run that are counted apart, in steps. */
static const long parts[] = {PARTS};
enum { N_PARTS = sizeof parts / sizeof *parts - 1 };

static int count_steps(void) {
    if (machine_init(&m, 0) != 0) return 1;
    const machine_real h = m.h;
    int status = 0;
    for (int i = 0; i < N_PARTS; i++) {
        const uint64_t begin = board_count();
        for (long k = parts[i]; k < parts[i + 1]; k++) status |= machine_step(&m, h);
        print_count("exported", parts[i], parts[i + 1], board_count() - begin);
    }
    return status;
}

#ifdef HAND
static int count_hand(void) {
    static hand_machine hand;
    hand_begin(&hand);
    for (int i = 0; i < N_PARTS; i++) {
        const uint64_t begin = board_count();
        for (long k = parts[i]; k < parts[i + 1]; k++) hand_step(&hand);
        print_count("hand", parts[i], parts[i + 1], board_count() - begin);
    }
    for (int i = 0; i < MACHINE_STATES; i++) {
        const float apart = hand.x[i] - m.x[i],
                    far = 1e-6f + 1e-4f * (m.x[i] < 0.0f ? -m.x[i] : m.x[i]);
        if (!(apart < far && apart > -far)) return board_print("the hand goes elsewhere\n"), 1;
    }
    return 0;
}
#else
static int count_hand(void) { return 0; }
#endif

int main(void) { return run_digests() || count_steps() || count_hand(); }
