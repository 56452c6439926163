/* laws: another friction law instead of that of the text: what its files share. */
#ifndef DRY_FIT_LAWS_H
#define DRY_FIT_LAWS_H

#include "bench.h"

/* What sizes the starts of a law's parameters. */
typedef struct dry_fit__sizes {
    double force;     /* the level, N */
    double stiffness; /* of all elements, N/m */
    double time;      /* damping/stiffness, s */
    double speed;     /* rms of the sliding velocity, m/s */
    double peak;      /* its greatest size */
    double step;      /* of the run, s; 0: the method chooses it */
    double travel;    /* the longest way between two reversals, m */
} dry_fit__sizes;

typedef struct dry_fit__swap {
    const dry_fit_job *job;
    const dry_fit_law *asked;
    dry_arena *arena;
    dry_model *model; /* of the text as it is */
    int index;        /* of the force */
    dry_friction_text old;
    const dry_law *law;
    int elements;
    dry_fit__sizes sizes;
    double
        curve[2]; /* static level in parts of the level, speed of its curve in parts of the speed */
    const char *names[64]; /* of the parameters that come with the law; NULL: none */
    double low[64], high[64];
} dry_fit__swap;

/* laws.c: the byte behind the line that has this byte of the text. */
size_t dry_fit__end_of_line(const dry_fit_job *job, size_t from);

/* law_sizes.c: runs the text as it is, to size the starts. */
dry_status dry_fit__size(dry_fit__swap *swap, dry_error *error);

/* How far a run of this text is from what was measured, summed over the outputs; INFINITY: it does
 * not run. */
dry_status dry_fit__distance(const dry_fit_job *job, const char *text, size_t length,
                             double *distance, dry_error *error);

/* law_keys.c: the call of the new law, without the arguments in front: `lugre(` ... `K = f_K`, and
 * the line that frees what came with it. */
dry_status dry_fit__write_keys(dry_fit__swap *swap, bool first, FILE *stream, dry_error *error);
void dry_fit__write_free(const dry_fit__swap *swap, FILE *stream);
/* Whether a stiffness, a curve over the speed came with it. */
bool dry_fit__frees_stiffness(const dry_fit__swap *swap);
bool dry_fit__frees_curve(const dry_fit__swap *swap);
/* Where they begin, as a sentence. */
void dry_fit__write_starts(const dry_fit__swap *swap, FILE *stream);
/* Whether it is 0 unless the text gives it, so that it sizes nothing: viscous friction, a lag. */
bool dry_fit__is_off(const dry_law_param *row);
/* The key of the old law that the new one keeps; NULL: none. */
const dry_friction_key *dry_fit__kept(const dry_fit__swap *swap, const dry_law_param *row);
/* The name of a parameter that comes with the law; NULL without memory. */
const char *dry_fit__name(const dry_fit__swap *swap, const char *key);

#endif
