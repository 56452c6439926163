/* hand_compensator: models/classics/friction-feedforward.dry as one writes it for a timer
 * interrupt: ten elements that share a level which lags, at a wanted speed that is a cosine of the
 * time (4.13 of Xiong's dissertation).
 *
 * The speed and the level that it asks for follow from the time alone: at the end of a step they
 * are those at the begin of the next, and two stages lie in its middle. */
#include <math.h>

enum { ELEMENTS = 10 };

typedef struct hand_machine {
    float x[1 + ELEMENTS]; /* the level, the stretches */
    float Fc, Fs, vs, tau_d, kappa[ELEMENTS], beta[ELEMENTS], lambda[ELEMENTS];
    float omega, top; /* of the wanted speed */
    float h, v, wanted;
    long k;
} hand_machine;

static void hand_wish(const hand_machine *m, float t, float *v, float *wanted) {
    *v = m->top * cosf(m->omega * t);
    const float ratio = *v / m->vs;
    *wanted = m->Fc + (m->Fs - m->Fc) * expf(-ratio * ratio);
}

static void hand_begin(hand_machine *m) {
    *m = (hand_machine){.Fc = 1.0f, .Fs = 2.5f, .vs = 5e-6f, .tau_d = 0.02f, .h = 5e-5f};
    m->omega = 6.2831853f / 5.0f;
    m->top = 50e-6f * m->omega;
    for (int i = 0; i < ELEMENTS; i++) {
        m->kappa[i] = 5e6f / (float)(i + 1);
        m->beta[i] = 2e4f / m->kappa[i];
        m->lambda[i] = 0.1f;
    }
    hand_wish(m, 0.0f, &m->v, &m->wanted);
    m->x[0] = m->wanted;
}

static inline void hand_rates(const hand_machine *m, float v, float wanted, const float *x,
                              float *rate) {
    rate[0] = (wanted - x[0]) / m->tau_d;
    for (int i = 0; i < ELEMENTS; i++) {
        const float most = m->lambda[i] * x[0], f = m->kappa[i] * (x[1 + i] + m->beta[i] * v);
        rate[1 + i] = v;
        if (f > most || f < -most)
            rate[1 + i] = ((f > most ? most : -most) / m->kappa[i] - x[1 + i]) / m->beta[i];
    }
}

static __attribute__((noinline)) void hand_step(hand_machine *m) {
    enum { N = 1 + ELEMENTS };
    const float h = m->h, half = 0.5f * h, sixth = h * (1.0f / 6.0f);
    float y[N], k1[N], k2[N], k3[N], k4[N], v, wanted, v_end, wanted_end;
    hand_wish(m, (float)m->k * h + half, &v, &wanted);
    hand_wish(m, (float)(m->k + 1) * h, &v_end, &wanted_end);
    hand_rates(m, m->v, m->wanted, m->x, k1);
    for (int i = 0; i < N; i++) y[i] = m->x[i] + half * k1[i];
    hand_rates(m, v, wanted, y, k2);
    for (int i = 0; i < N; i++) y[i] = m->x[i] + half * k2[i];
    hand_rates(m, v, wanted, y, k3);
    for (int i = 0; i < N; i++) y[i] = m->x[i] + h * k3[i];
    hand_rates(m, v_end, wanted_end, y, k4);
    for (int i = 0; i < N; i++) m->x[i] += sixth * (k1[i] + 2.0f * k2[i] + 2.0f * k3[i] + k4[i]);
    m->v = v_end;
    m->wanted = wanted_end;
    m->k++;
}
