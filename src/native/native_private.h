/* What the files of the room share. */
#ifndef DRY_NATIVE_PRIVATE_H
#define DRY_NATIVE_PRIVATE_H

#include <drystone/native.h>

/* ---- C text (source.c) --------------------------------------------------------------- */

/* The number of the agreement between the library and a shared object; raise it whenever the
 * meaning of a function or of a field changes. The types themselves are part of the text that is
 * compiled: dry_env, dry_march, what rigid.h gives to the functions of an inclusion, and the lists
 * of calls below. tools/interface-text.sh prints that text from the headers. */
enum { DRY_NATIVE__ABI = 4, DRY_NATIVE__LANES_ABI = 2 };

enum { DRY_NATIVE__STAGES = 16 }; /* of a step that is printed */

/* What a shared object exports under the name drystone_native. */
typedef struct dry_native__calls {
    int abi, n_states, n_outputs, n_par, n_kinks;
    size_t work_size;
    void (*prepare)(const dry_env *env);
    void (*start)(const dry_env *env, double t, double *x);
    dry_rate_fn *rate;
    void (*output)(const dry_env *env, double t, double tau, const double *x, double *y);
    void (*kinks)(const dry_env *env, double t, const double *x, double *g);
    bool (*latch)(const dry_env *env, double t, double *x);
    int (*watch)(const dry_env *env, double t, const double *x);
    void (*smooth)(const dry_env *env, double t, const double *x, double *values);
    void (*eval)(const dry_env *env, double t, const double *x, const double *lambda,
                 const dry_inclusion_values *values);
    long (*steady)(const dry_env *env, dry_rigid_march *march);
    int n_march; /* rows of the catalogue of methods (ode.h), NULL: it has no loop */
    long (*const *march)(const dry_env *env, dry_march *march);
} dry_native__calls;

/* What a shared object of lanes exports under the name drystone_lanes. */
typedef struct dry_native__lanes {
    int abi, lanes, n_states, n_outputs, n_par, n_fixed;
    void (*prepare)(const double *par, double *p);
    void (*start)(const double *p, double t, double *x);
    void (*output)(const double *p, double t, double tau, const double *x, double *y);
    void (*march)(const double *P, double *X, double *F, double t_start, double h, long grid,
                  long count, double t, double end);
    void (*rates)(const double *P, double t, double tau, const double *X, double *D);
    void (*settle)(const double *P, double *X, double *F, double t);
} dry_native__lanes;

/* ---- types as text (interface_text.c, printed by tools/interface-text.sh) --------------- */

extern const char dry_native__system_types[], dry_native__inclusion_types[],
    dry_native__calls_type[], dry_native__lanes_type[];

/* Whether a step of the method can be printed: it is fixed and its row has the coefficients. */
bool dry_native__has_step(const dry_method *method);

/* How the states are printed: as numbers, of which those after the first n_plain are changes in
 * n_ways ways, which become vectors. */
typedef struct dry_native__states {
    int n, n_plain, n_ways;
    bool unrolled; /* a statement per state instead of loops */
} dry_native__states;
dry_native__states dry_native__states_of(const dry_model *model);

/* How the statements of a step are printed. */
typedef struct dry_native__form {
    dry_native__states states;
    bool timed; /* w0, w1: what follows from the time alone; w0 is of t before, of last after */
    bool apart; /* timed: the values are in w0, w1, ... of the stages, found before */
} dry_native__form;
/* Prints a text. Each of its lines that begins with @ is printed once per state, with the number of
 * the state in place of #, or as a loop; x[#] may be a vector. */
void dry_native__print_template(const char *text, dry_native__states states, FILE *stream);
/* Prints the statements of one step of a method that has one, indented. They read p, t, h, last,
 * and change x; y, k1, k2, ... are their scratch. */
void dry_native__print_step(const dry_method *method, dry_native__form form, FILE *stream);
/* With form.apart: defines these values of a step, of the parameters q. */
void dry_native__print_times(const dry_method *method, FILE *stream);
/* The declarators of that scratch, N_STATES numbers each. */
void dry_native__print_scratch(const dry_method *method, FILE *stream);
/* positions as an array, for the semi-implicit method. */
void dry_native__print_positions(const dry_system *system, FILE *stream);
/* Whether some of the work of the rate follows from the time alone and is worth to be kept; with
 * `varies`, if these parameters differ in lanes. Without memory the model has failed
 * (dry_model_failed). */
bool dry_native__is_timed(const dry_model *model, const bool *varies);
/* Whether the text computes the parameter from others by its expression in them. What the compiler
 * chose is given to the text as it is. */
bool dry_native__follows(const dry_model *model, int par);
/* Whether the state is small enough for a statement per number. */
bool dry_native__is_small(const dry_model *model);

/* Whether the inclusion of a model gets a loop for the steps in which no set changes; the loop, as
 * the function `steady` (steady.c). */
bool dry_native__has_steady(const dry_model *model);
void dry_native__print_steady(const dry_inclusion *inclusion, FILE *stream);

/* The whole text of the shared object, with a loop for one method or for all (NULL); to be freed.
 * NULL on an error. */
char *dry_native__source(const dry_model *model, const dry_method *method, dry_error *error);

/* ---- the compiler (compile.c) ---------------------------------------------------------- */

enum { DRY_NATIVE__WORDS = 16 };

/* A compiler that was found: its words, and a text that distinguishes it. */
typedef struct dry_native__compiler {
    char *text; /* the words' memory */
    char *words[DRY_NATIVE__WORDS];
    int n_words;
    char *identity; /* path, size, time, flags */
} dry_native__compiler;

dry_status dry_native__find_compiler(const char *wanted, int operations,
                                     dry_native__compiler *compiler, dry_error *error);
/* The words of a compiler (NULL: the usual one) with the flags for code in vectors, those that this
 * host has; to be freed. NULL without memory. */
char *dry_native__with_vectors(const char *compiler);
void dry_native__forget_compiler(dry_native__compiler *compiler);
/* Makes a shared object of a source; what the compiler prints goes to the file `log`. */
dry_status dry_native__compile(const dry_native__compiler *compiler, int operations,
                               const char *source, const char *object, const char *log,
                               dry_error *error);

/* ---- files (folder.c) -------------------------------------------------------------------- */

/* directory/name; NULL without memory */
char *dry_native__join(const char *directory, const char *name);
/* A whole file of the user's own, which others cannot write; NULL if it is anything else. */
char *dry_native__read_own(const char *directory, const char *name, size_t *length);
/* Writes a new file and flushes it to the disk. */
bool dry_native__write(const char *directory, const char *name, const char *text, size_t length);
/* A directory of the user's own that no one else may write; made (mode 0700) if it is missing.
 */
bool dry_native__own_directory(const char *path);
/* Removes a directory with the files in it. */
void dry_native__remove(const char *path);

/* ---- the cache (cache.c) ----------------------------------------------------------------- */

/* One entry: a directory with source.c, about and code.so. */
typedef struct dry_native__entry {
    const char *source; /* text */
    const char *about;  /* identity of the compiler, versions, flags */
    char key[DRY_DIGEST_SIZE];
} dry_native__entry;

/* The cache's directory, made if it is missing; NULL if it cannot be used. To be freed. */
char *dry_native__cache(const char *wanted);
/* The path of code.so of an entry that is whole and the user's own; NULL: there is none. */
char *dry_native__look_up(const char *cache, const dry_native__entry *entry);
/* A fresh private directory in `where`, for a new entry. */
char *dry_native__fresh(const char *where);
/* Completes an entry in the directory `fresh`, in which source.c and code.so are. */
bool dry_native__seal(const char *fresh, const dry_native__entry *entry);
/* Moves it to its place; keeps the cache within its bounds. */
void dry_native__publish(const char *cache, const char *fresh, const dry_native__entry *entry);

/* ---- shared objects (object.c) ----------------------------------------------------------- */

/* What is wanted of a shared object: it is made of `source`, and what it exports under the name
 * `symbol` is good where `take` says so. */
typedef struct dry_native__wanted {
    const char *source;
    int operations;
    const char *symbol;
    bool (*take)(void *user, const void *symbol);
    void *user;
} dry_native__wanted;

dry_status dry_native__object(const dry_native__wanted *wanted, const dry_native_options *options,
                              void **handle, dry_error *error);
/* Whether a model may become native code at all (native.c). */
bool dry_native__allowed(const dry_model *model, dry_error *error);
/* What every text begins with (source.c): types, functions of the library. */
void dry_native__print_preamble(FILE *stream);

#endif
