/* Runs the code of an image: the innermost loop of every simulation.
 *
 * Each instruction reads its operands from the register file and writes its result back. If the
 * compiler supports jumps to computed addresses, each instruction jumps directly to the next. */
#include "image_private.h"
#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(DRY_SWITCH_DISPATCH)
#define DRY_COMPUTED_GOTO 1
#pragma GCC diagnostic ignored "-Wpedantic" /* the addresses of labels */
#endif

typedef struct interpreter {
    const dry_image *image;
    double *r; /* the register file */
    double tau;
    dry_branch branch;
} interpreter;

static void run_gather(double *r, const uint32_t *pc) {
    double *to = r + pc[1];
    for (uint32_t i = 0; i < pc[2]; i++) to[i] = r[pc[3 + i]];
}

static void run_solve(double *r, const uint32_t *pc) {
    const int n = (int)pc[2];
    double *A = r + pc[3], *x = r + pc[1];
    for (int i = 0; i < n; i++) x[i] = A[n * n + i];
    dry_block__solve(n, A, x);
}

/* Changes of a law's arguments are rows, one for each argument. */
static void run_tangents(const interpreter *m, const uint32_t *pc) {
    double *r = m->r;
    const dry_block_info *info = m->image->blocks + pc[2];
    const dry_tangents ways = {m->image->n_ways, r + pc[6], r + pc[7], r + pc[8],
                               m->image->marks.of + pc[9]};
    info->block.law->tangents(r + pc[3], info->block.dim, m->tau, r + pc[4], r + pc[5], &ways,
                              r + pc[1]);
}

static void run_wide_gather(int n, double *r, const uint32_t *pc) {
    for (uint32_t i = 0; i < pc[2]; i++)
        dry_wide__move(n, r + pc[1] + i * (uint32_t)n, r + pc[3 + i]);
}

static void run_wide_solve(int n, double *r, const uint32_t *pc) {
    const int size = (int)pc[2];
    const double *A = r + pc[3];
    dry_wide__solve(n, size, r + pc[1], A, r, pc + 4, r + pc[3] + size * size);
}

static void run_law(const interpreter *m, const uint32_t *pc) {
    double *r = m->r;
    dry_block__run(m->image->blocks + pc[2], r + pc[3], r + pc[4], r + pc[5], m->tau, m->branch,
                   r + pc[1]);
}

/* In a branch, the law has an infinite level, so that it never slips; a loose law forgets its
 * stretch. */
static inline void run_coulomb(const interpreter *m, const uint32_t *pc) {
    double *r = m->r, f, a_dot;
    const double F = m->branch ? (double)INFINITY : r[pc[3]];
    const double v = r[pc[6]], a = r[pc[7]];
    dry_friction(1, r[pc[4]], r[pc[5]], m->tau, F, &v, &a, &f, &a_dot);
    if (m->branch && dry_branch_is_loose(m->branch, DRY_FRICTION)) {
        f = 0.0;
        a_dot = -a / (r[pc[5]] + m->tau);
    }
    r[pc[1]] = f;
    r[pc[2]] = a_dot;
}

static inline void run_contact(const interpreter *m, const uint32_t *pc) {
    double *r = m->r, e_dot;
    const double K = r[pc[3]], alpha = r[pc[4]], beta = r[pc[5]], psi = r[pc[6]], e = r[pc[7]];
    double N = dry_contact(K, alpha, beta, m->tau, psi, e, &e_dot);
    if (m->branch) {
        const bool open = dry_branch_is_loose(m->branch, DRY_CONTACT);
        e_dot = open ? -e / (beta + m->tau) : -(psi + e) / (alpha + m->tau);
        N = open ? 0.0 : K * (e + (beta + m->tau) * e_dot);
    }
    r[pc[1]] = N;
    r[pc[2]] = e_dot;
}

#if defined(DRY_COMPUTED_GOTO)
#define AT(code) at_##code
#define NEXT goto *labels[*pc]
#define LABEL(code) [code] = &&at_##code
#else
#define AT(code) case code
#define NEXT break
#endif

/* Arms of the loop, one per operation. */
#define ARM1(name, value)                                                                          \
    AT(DRY_OP_##name) : {                                                                          \
        const double a = r[pc[2]];                                                                 \
        r[pc[1]] = value;                                                                          \
        pc += 3;                                                                                   \
    }                                                                                              \
    NEXT;
#define ARM2(name, value)                                                                          \
    AT(DRY_OP_##name) : {                                                                          \
        const double a = r[pc[2]], b = r[pc[3]];                                                   \
        r[pc[1]] = value;                                                                          \
        pc += 4;                                                                                   \
    }                                                                                              \
    NEXT;
#define FUSED(first, second, value)                                                                \
    AT(DRY_CODE_##first##_##second) : {                                                            \
        const double a = r[pc[2]], b = r[pc[3]], c = r[pc[4]];                                     \
        r[pc[1]] = value;                                                                          \
        pc += 5;                                                                                   \
    }                                                                                              \
    NEXT;

static void execute(const interpreter *m, const uint32_t *pc) {
    const uint32_t *const code = m->image->code;
    double *const r = m->r;
    const int n = m->image->n_ways;
#if defined(DRY_COMPUTED_GOTO)
#define FUSED_LABEL(first, second, value) LABEL(DRY_CODE_##first##_##second),
    static const void *const labels[DRY_N_CODES] = {
#define UNARY(name, ...) LABEL(DRY_OP_##name),
#define BINARY(name, ...) LABEL(DRY_OP_##name),
#include "ops.def"
        DRY_FUSED_CODES(FUSED_LABEL) LABEL(DRY_OP_SELECT),
        LABEL(DRY_CODE_END),
        LABEL(DRY_CODE_MOVE),
        LABEL(DRY_CODE_JUMP),
        LABEL(DRY_CODE_UNLESS),
        LABEL(DRY_CODE_UNLESS_LT),
        LABEL(DRY_CODE_UNLESS_LE),
        LABEL(DRY_CODE_GATHER),
        LABEL(DRY_CODE_SOLVE),
        LABEL(DRY_CODE_LAW),
        LABEL(DRY_CODE_COULOMB),
        LABEL(DRY_CODE_CONTACT),
        LABEL(DRY_CODE_WIDE_NEG),
        LABEL(DRY_CODE_WIDE_MOVE),
        LABEL(DRY_CODE_WIDE_FILL),
        LABEL(DRY_CODE_WIDE_ADD),
        LABEL(DRY_CODE_WIDE_SUB),
        LABEL(DRY_CODE_WIDE_TIMES),
        LABEL(DRY_CODE_WIDE_OVER),
        LABEL(DRY_CODE_WIDE_MORE),
        LABEL(DRY_CODE_WIDE_SELECT),
        LABEL(DRY_CODE_WIDE_CHOOSE),
        LABEL(DRY_CODE_WIDE_MOVES),
        LABEL(DRY_CODE_WIDE_GATHER),
        LABEL(DRY_CODE_WIDE_SOLVE),
        LABEL(DRY_CODE_TANGENTS),
    };
    NEXT;
#else
    for (;;)
        switch (*pc)
#endif
    {
#define UNARY(name, value, ...) ARM1(name, value)
#define BINARY(name, value, ...) ARM2(name, value)
#include "ops.def"
        DRY_FUSED_CODES(FUSED)
        AT(DRY_OP_SELECT) : r[pc[1]] = r[pc[2]] != 0.0 ? r[pc[3]] : r[pc[4]];
        pc += 5;
        NEXT;
        AT(DRY_CODE_MOVE) : r[pc[1]] = r[pc[2]];
        pc += 3;
        NEXT;
        AT(DRY_CODE_JUMP) : pc = code + pc[1];
        NEXT;
        AT(DRY_CODE_UNLESS) : pc = r[pc[2]] != 0.0 ? pc + 3 : code + pc[1];
        NEXT;
        AT(DRY_CODE_UNLESS_LT) : pc = r[pc[2]] < r[pc[3]] ? pc + 4 : code + pc[1];
        NEXT;
        AT(DRY_CODE_UNLESS_LE) : pc = r[pc[2]] <= r[pc[3]] ? pc + 4 : code + pc[1];
        NEXT;
        AT(DRY_CODE_GATHER) : run_gather(r, pc);
        pc += 3 + pc[2];
        NEXT;
        AT(DRY_CODE_SOLVE) : run_solve(r, pc);
        pc += 4;
        NEXT;
        AT(DRY_CODE_LAW) : run_law(m, pc);
        pc += 6;
        NEXT;
        AT(DRY_CODE_COULOMB) : run_coulomb(m, pc);
        pc += 8;
        NEXT;
        AT(DRY_CODE_CONTACT) : run_contact(m, pc);
        pc += 8;
        NEXT;
        AT(DRY_CODE_WIDE_NEG) : dry_wide__neg(n, r + pc[1], r + pc[2]);
        pc += 3;
        NEXT;
        AT(DRY_CODE_WIDE_MOVE) : dry_wide__move(n, r + pc[1], r + pc[2]);
        pc += 3;
        NEXT;
        AT(DRY_CODE_WIDE_FILL) : dry_wide__fill(n, r + pc[1], r[pc[2]]);
        pc += 3;
        NEXT;
        AT(DRY_CODE_WIDE_ADD) : dry_wide__add(n, r + pc[1], r + pc[2], r + pc[3]);
        pc += 4;
        NEXT;
        AT(DRY_CODE_WIDE_SUB) : dry_wide__sub(n, r + pc[1], r + pc[2], r + pc[3]);
        pc += 4;
        NEXT;
        AT(DRY_CODE_WIDE_TIMES) : dry_wide__times(n, r + pc[1], r[pc[2]], r + pc[3]);
        pc += 4;
        NEXT;
        AT(DRY_CODE_WIDE_OVER) : dry_wide__over(n, r + pc[1], r + pc[2], r[pc[3]]);
        pc += 4;
        NEXT;
        AT(DRY_CODE_WIDE_MORE) : dry_wide__more(n, r + pc[1], r[pc[2]], r + pc[3], r + pc[4]);
        pc += 5;
        NEXT;
        AT(DRY_CODE_WIDE_SELECT)
            : dry_wide__move(n, r + pc[1], r[pc[2]] != 0.0 ? r + pc[3] : r + pc[4]);
        pc += 5;
        NEXT;
        AT(DRY_CODE_WIDE_CHOOSE) : dry_wide__choose(n, r + pc[1], r + pc[2], r + pc[3], r + pc[4]);
        pc += 5;
        NEXT;
        AT(DRY_CODE_WIDE_MOVES) : dry_wide__moves(n, r + pc[1], r + pc[2]);
        pc += 3;
        NEXT;
        AT(DRY_CODE_WIDE_GATHER) : run_wide_gather(n, r, pc);
        pc += 3 + pc[2];
        NEXT;
        AT(DRY_CODE_WIDE_SOLVE) : run_wide_solve(n, r, pc);
        pc += 4 + pc[2];
        NEXT;
        AT(DRY_CODE_TANGENTS) : run_tangents(m, pc);
        pc += 10;
        NEXT;
        AT(DRY_CODE_END) : return;
#if !defined(DRY_COMPUTED_GOTO)
    default: return;
#endif
    }
}

/* ---- the doors --------------------------------------------------------------------- */

/* For the few numbers of a small model a loop is faster than a call. */
static inline void copy(double *to, const double *from, int n) {
    if (n > 24)
        memcpy(to, from, (size_t)n * sizeof *to);
    else
        for (int i = 0; i < n; i++) to[i] = from[i];
}

static inline void fill(double *to, double value, int n) {
    for (int i = 0; i < n; i++) to[i] = value;
}

void dry_image_prepare(const dry_image *image, const double *par, void *work) {
    const interpreter m = {.image = image, .r = work};
    copy(m.r, par, image->n_par);
    copy(m.r + image->at_constants, image->constants, image->n_constants);
    m.r[image->at_timed] = (double)NAN;
    execute(&m, image->code + image->pieces[image->n_sections].start);
    for (int i = 0; i < image->n_copies; i++) m.r[image->copies[i].to] = m.r[image->copies[i].from];
}

/* Computes what follows from the time, unless it was computed for this time last. 0 and -0 are
 * equal, but numbers that follow from them may differ. */
static inline void follow_time(const interpreter *m, double t) {
    double *of = m->r + m->image->at_timed;
    if (*of == t && t != 0.0) return;
    execute(m, m->image->code + m->image->pieces[m->image->n_sections + 1].start);
    *of = t;
}

static void run(const interpreter *m, int section, double t, const double *x, double *out) {
    const dry_image *image = m->image;
    const dry_piece *piece = image->pieces + section;
    m->r[image->at_t] = t;
    m->r[image->at_tau] = m->tau;
    if (x != m->r + image->at_x) copy(m->r + image->at_x, x, image->n_states * (1 + image->n_ways));
    if (piece->timed) follow_time(m, t);
    execute(m, image->code + piece->start);
    for (int k = 0; k < piece->n_runs; k++) {
        const dry_run_of_roots *roots = piece->runs + k;
        if (roots->same)
            fill(out + roots->first, m->r[roots->from], roots->n);
        else
            copy(out + roots->first, m->r + roots->from, roots->n);
    }
}

void dry_image_run(const dry_image *image, int section, double t, double tau, const double *x,
                   double *out, void *work) {
    const interpreter m = {image, work, tau, DRY_AS_IS};
    run(&m, section, t, x, out);
}

void dry_image_run_branch(const dry_image *image, int section, dry_branch branch, double t,
                          double tau, const double *x, double *out, void *work) {
    const interpreter m = {image, work, tau, branch};
    run(&m, section, t, x, out);
}
