/* hand_hello: models/hello.dry as one writes it for a timer interrupt: a struct, and a function for
 * its step.
 *
 * M v' = fe - f, f = K (a + beta v) held to [-F, F], a' = v or (f/K - a)/beta: Xiong, Kikuuwe,
 * Yamamoto 2013, (11), (18), (20). */
#include "hand_push.h"

typedef struct hand_machine {
    float x[3]; /* p, v, a */
    float M, F, K, beta, h, push;
    long k, jump;
} hand_machine;

static void hand_begin(hand_machine *m) {
    *m = (hand_machine){.M = 1.0f, .F = 0.5f, .K = 5e3f, .beta = 2e-3f, .h = 1e-3f, .jump = 2000};
}

typedef struct hand_rate {
    float p, v, a;
} hand_rate;

static inline hand_rate hand_rates(const hand_machine *m, float push, float v, float a) {
    float f = m->K * (a + m->beta * v), a_dot = v;
    if (f > m->F || f < -m->F) {
        f = f > m->F ? m->F : -m->F;
        a_dot = (f / m->K - a) / m->beta;
    }
    return (hand_rate){v, (push - f) / m->M, a_dot};
}

static __attribute__((noinline)) void hand_step(hand_machine *m) {
    const float h = m->h, half = 0.5f * h, sixth = h * (1.0f / 6.0f);
    const float v = m->x[1], a = m->x[2];
    if (m->k == m->jump) m->push = hand_push(m->k < m->jump, (float)m->k * h);
    const float middle = hand_push(m->k < m->jump, (float)m->k * h + half);
    const float end = hand_push(m->k < m->jump, (float)(m->k + 1) * h);
    const hand_rate k1 = hand_rates(m, m->push, v, a);
    const hand_rate k2 = hand_rates(m, middle, v + half * k1.v, a + half * k1.a);
    const hand_rate k3 = hand_rates(m, middle, v + half * k2.v, a + half * k2.a);
    const hand_rate k4 = hand_rates(m, end, v + h * k3.v, a + h * k3.a);
    m->x[0] += sixth * (k1.p + 2.0f * k2.p + 2.0f * k3.p + k4.p);
    m->x[1] += sixth * (k1.v + 2.0f * k2.v + 2.0f * k3.v + k4.v);
    m->x[2] += sixth * (k1.a + 2.0f * k2.a + 2.0f * k3.a + k4.a);
    m->push = end;
    m->k++;
}
