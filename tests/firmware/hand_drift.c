/* hand_drift: models/papers/xiong2013/fig03-drift.dry as one writes it for a timer interrupt. Three
 * equal blocks feel the same push: one on friction that holds (11), (18), one on LuGre's and one on
 * Dahl's (12), of Xiong, Kikuuwe, Yamamoto 2013. */
#include "hand_push.h"

enum { P, V, P_LUGRE, V_LUGRE, P_DAHL, V_DAHL, A, A_LUGRE, A_DAHL, HAND_STATES };

typedef struct hand_machine {
    float x[HAND_STATES];
    float M, F, K, beta, B, h, push;
    long k, jump;
} hand_machine;

static void hand_begin(hand_machine *m) {
    *m = (hand_machine){
        .M = 1.0f, .F = 0.5f, .K = 5e3f, .beta = 2e-3f, .B = 10.0f, .h = 1e-3f, .jump = 2000};
}

static inline void hand_rates(const hand_machine *m, float push, const float *x, float *rate) {
    float f = m->K * (x[A] + m->beta * x[V]);
    rate[A] = x[V];
    if (f > m->F || f < -m->F) {
        f = f > m->F ? m->F : -m->F;
        rate[A] = (f / m->K - x[A]) / m->beta;
    }
    rate[A_LUGRE] = x[V_LUGRE] - m->K * fabsf(x[V_LUGRE]) * x[A_LUGRE] / m->F;
    rate[A_DAHL] = x[V_DAHL] - m->K * fabsf(x[V_DAHL]) * x[A_DAHL] / m->F;
    rate[P] = x[V];
    rate[V] = (push - f) / m->M;
    rate[P_LUGRE] = x[V_LUGRE];
    rate[V_LUGRE] = (push - (m->K * x[A_LUGRE] + m->B * rate[A_LUGRE])) / m->M;
    rate[P_DAHL] = x[V_DAHL];
    rate[V_DAHL] = (push - m->K * x[A_DAHL]) / m->M;
}

static __attribute__((noinline)) void hand_step(hand_machine *m) {
    const float h = m->h, half = 0.5f * h, sixth = h * (1.0f / 6.0f);
    float y[HAND_STATES], k1[HAND_STATES], k2[HAND_STATES], k3[HAND_STATES], k4[HAND_STATES];
    if (m->k == m->jump) m->push = hand_push(m->k < m->jump, (float)m->k * h);
    const float middle = hand_push(m->k < m->jump, (float)m->k * h + half);
    const float end = hand_push(m->k < m->jump, (float)(m->k + 1) * h);
    hand_rates(m, m->push, m->x, k1);
#pragma GCC unroll 9
    for (int i = 0; i < HAND_STATES; i++) y[i] = m->x[i] + half * k1[i];
    hand_rates(m, middle, y, k2);
#pragma GCC unroll 9
    for (int i = 0; i < HAND_STATES; i++) y[i] = m->x[i] + half * k2[i];
    hand_rates(m, middle, y, k3);
#pragma GCC unroll 9
    for (int i = 0; i < HAND_STATES; i++) y[i] = m->x[i] + h * k3[i];
    hand_rates(m, end, y, k4);
#pragma GCC unroll 9
    for (int i = 0; i < HAND_STATES; i++)
        m->x[i] += sixth * (k1[i] + 2.0f * k2[i] + 2.0f * k3[i] + k4[i]);
    m->push = end;
    m->k++;
}
