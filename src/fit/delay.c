/* delay: how much later than the model an output comes, by a scan.
 *
 * The model and its derivatives move by L, m(t - L), A(t - L), and the parameters follow linearly.
 * With e0 and A0 at L = 0, where the sum of A0'e0 over all outputs is 0:
 *
 *     S(L) = e'e - g'H^-1 g,  g = A'e - A0'e0,   delay at the least S, its variance 2 s^2/S''
 *
 * by the parabola through the three lowest points. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

enum { HALF = 40, POINTS = 2 * HALF + 1, WIDER = 3 };

/* An output while it is scanned. */
typedef struct scan {
    const dry_fit__rows *w;
    const dry_fit_output *o;
    int output;
    double step, h; /* of the rows; of the scan */
    double *g, *g0; /* of each column; A0'e0 */
    size_t rows;    /* that every lag leaves */
} scan;

static double taken_up(const scan *s) {
    const int n = s->w->n;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += s->g[i] * s->w->H[i * n + j] * s->g[j];
    return sum;
}

/* Adds a(t - L) e of a row of A, between row k and the next one. */
static void add_pull(scan *s, size_t k, double part, double e) {
    const size_t n = (size_t)s->w->n, next = part > 0.0 ? n : 0;
    const double *a = s->w->A + k * n;
    for (size_t j = 0; j < n; j++) s->g[j] += (a[j] + part * (a[next + j] - a[j])) * e;
}

/* S(L), over the rows that are `edge` away from the ends of their span. A span has rows that follow
 * each other, so that those of A and of the output are the same number of rows away. */
static double squares_at(scan *s, double lag, size_t edge) {
    const dry_fit__rows *w = s->w;
    const double weight = s->o->weight / s->o->scale, shift = lag / s->step;
    const double whole = floor(-shift), part = -shift - whole;
    double sum = 0.0;
    s->rows = 0;
    for (int j = 0; j < w->n; j++) s->g[j] = -s->g0[j];
    for (int k = 0; k < w->n_spans; k++) {
        const dry_fit__span *of = &w->spans[k];
        if (of->output != s->output) continue;
        for (size_t at = of->first + edge; at + edge < of->first + of->n; at++) {
            const size_t row = w->at[at] + (size_t)(long)whole;
            const double *model = s->o->model + row;
            const double here = model[0] + (part > 0.0 ? part * (model[1] - model[0]) : 0.0);
            const double e = weight * (here - s->o->measured[w->at[at]]);
            if (w->beyond[at]) continue;
            sum += e * e;
            s->rows++;
            add_pull(s, at + (size_t)(long)whole, part, e);
        }
    }
    return sum - taken_up(s);
}

/* A0'e0 over the same rows. */
static void find_pull(scan *s, size_t edge) {
    const dry_fit__rows *w = s->w;
    const size_t n = (size_t)w->n;
    for (size_t j = 0; j < n; j++) s->g0[j] = 0.0;
    for (int k = 0; k < w->n_spans; k++) {
        const dry_fit__span *of = &w->spans[k];
        if (of->output != s->output) continue;
        for (size_t at = of->first + edge; at + edge < of->first + of->n; at++)
            for (size_t j = 0; !w->beyond[at] && j < n; j++)
                s->g0[j] += w->A[at * n + j] * w->e[at];
    }
}

static int least(const double *values, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (values[i] < values[best]) best = i;
    return best;
}

/* Fills the curve; returns where it is least; -1: nobody knows what the parameters take up, because
 * rows of the scan hardly see some direction of them. Then the curve falls below 0, or without a
 * lag below what is left at the optimum. */
static int sweep(scan *s, double *squares) {
    const size_t edge = (size_t)ceil(HALF * s->h / s->step) + 1;
    find_pull(s, edge);
    for (int i = 0; i < POINTS; i++) squares[i] = squares_at(s, (i - HALF) * s->h, edge);
    const double here = squares_at(s, 0.0, edge), left = here + taken_up(s);
    const int at = least(squares, POINTS);
    return squares[at] > 0.0 && here > 0.5 * left ? at : -1;
}

static void put(const scan *s, const double *squares, int at, dry_fit_look *look) {
    const double unit = s->o->scale / s->o->weight, n = (double)s->rows;
    const dry_fit__group *g = &s->w->groups[s->output];
    for (int i = 0; i < POINTS; i++) {
        look->scan_lag[i] = (i - HALF) * s->h;
        look->scan_rms[i] = unit * sqrt(fmax(squares[i], 0.0) / n);
    }
    look->n_scan = POINTS;
    if (at == 0 || at == POINTS - 1) return;
    const double before = squares[at - 1], here = squares[at], after = squares[at + 1];
    const double bend = before - 2.0 * here + after;
    if (!(bend > 0.0)) return;
    const double shift = 0.5 * (before - after) / bend;
    const double lowest = here - 0.25 * (before - after) * shift;
    if (!(lowest > 0.0)) return; /* the three points are no parabola of squares */
    look->delay = ((at - HALF) + shift) * s->h;
    look->delay_rms = unit * sqrt(lowest / n);
    const double variance = g->rows > 0.0 ? g->squares / g->rows : s->w->plain;
    look->delay_deviation = s->h * sqrt(2.0 * variance / bend) * look->widened;
}

static size_t longest_span(const dry_fit__rows *w, int output) {
    size_t most = 0;
    for (int k = 0; k < w->n_spans; k++)
        if (w->spans[k].output == output && w->spans[k].n > most) most = w->spans[k].n;
    return most;
}

/* In quarters of a row, and four times as wide while the least is at an end. */
static bool scan_output(dry_fit__rows *w, int output) {
    dry_fit_look *look = &w->result->stats.look[output];
    const dry_fit_output *o = &w->result->outputs[output];
    scan s = {.w = w, .o = o, .output = output, .step = w->step[output]};
    double squares[POINTS];
    s.g = malloc(sizeof *s.g * (size_t)(2 * w->n + 1));
    s.g0 = s.g + (s.g ? w->n : 0);
    look->scan_lag = dry_arena_take(w->result->arena, sizeof(double) * POINTS);
    look->scan_rms = dry_arena_take(w->result->arena, sizeof(double) * POINTS);
    const bool room = s.g && !dry_arena_failed(w->result->arena);
    const size_t longest = longest_span(w, output);
    s.h = 0.25 * s.step;
    int at = 0;
    for (int k = 0; room && k < WIDER && s.step > 0.0; k++, s.h *= 4.0) {
        if ((double)longest < 6.0 * HALF * s.h / s.step) break;
        at = sweep(&s, squares);
        if (at < 0) break;
        put(&s, squares, at, look);
        if (at > 0 && at < POINTS - 1) break;
    }
    free(s.g);
    return room;
}

bool dry_fit__scan_delays(dry_fit__rows *w) {
    for (int k = 0; k < w->result->n_outputs; k++)
        if (!scan_output(w, k)) return false;
    return true;
}
