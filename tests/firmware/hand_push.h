/* hand_push: the push (20) of Xiong, Kikuuwe, Yamamoto 2013, which jumps at 2 s. That of a step up
 * to the jump is that of before. */
#ifndef DRY_TESTS_HAND_PUSH_H
#define DRY_TESTS_HAND_PUSH_H

#include <math.h>
#include <stdbool.h>

static inline float hand_push(bool before, float t) {
    if (before) return 0.8f * t > 0.52f ? 0.52f : 0.8f * t;
    return 0.336f + 0.144f * cosf(100.0f * t);
}

#endif
