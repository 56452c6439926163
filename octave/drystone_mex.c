/* drystone_mex: the library for Octave and MATLAB, over the room bind. The functions beside this
 * file call it with the name of a verb, which is a row of the table at the end.
 *
 * Models and steppers are numbers for the caller, and rows of a table here; a model stays as long
 * as a stepper needs it. A mistake is an error with an identifier, such as
 * drystone:model:unknown_name, and the text that the command prints. An error leaves this file
 * without coming back, so what a verb holds until it is done stands in `now`, which is freed first.
 */
#define _POSIX_C_SOURCE 200809L
#include <mex.h>

#include <drystone/bind.h>

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096, WORD = 160 };

/* A parameter, an input or an option, as it was given. */
typedef struct pair {
    char name[WORD];
    mxArray *value; /* persistent where a model keeps it */
} pair;

typedef struct pairs {
    pair *all;
    int n;
} pairs;

typedef enum object_sort { FREE, MODEL, STEPPER } object_sort;

/* What a number of the caller stands for. */
typedef struct object {
    object_sort sort;
    double number; /* what the caller has: no number stands for two things */
    int users;     /* steppers of a model */
    bool closed;   /* freed by the caller while steppers need it */
    char *path, *text;
    size_t length;
    pairs given;
    dry_bind_plan *plan;
    dry_model *model;
    dry_model *differentiable; /* the same with its Jacobian */
    dry_bind_rates *rates, *derivatives;
    dry_stepper *stepper;
    dry_native *native;
    int of; /* the model of a stepper */
} object;

static object *objects;
static int n_objects;
static double n_made;

/* What the present call holds. */
static struct {
    object made;
    dry_bind_run *run;
    dry_bind_sweep *sweep;
    dry_bind_fit *fit;
    dry_error *error;
} now;

/* ---- errors ---------------------------------------------------------------------------------- */

static void free_parts(object *o) {
    dry_stepper_free(o->stepper);
    dry_native_free(o->native);
    dry_bind_rates_free(o->derivatives);
    dry_bind_rates_free(o->rates);
    dry_model_free(o->differentiable);
    dry_model_free(o->model);
    dry_bind_plan_free(o->plan);
    for (int i = 0; i < o->given.n; i++) mxDestroyArray(o->given.all[i].value);
    free(o->given.all);
    free(o->path);
    free(o->text);
    *o = (object){.sort = FREE};
}

static void clean(void) {
    dry_bind_run_free(now.run);
    now.run = NULL;
    dry_bind_sweep_free(now.sweep);
    now.sweep = NULL;
    dry_bind_fit_free(now.fit);
    now.fit = NULL;
    free_parts(&now.made);
}

static void fail(const char *identifier, const char *format, ...) {
    static char text[8 * TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    clean();
    mexErrMsgIdAndTxt(identifier, "%s", text);
}

static void no_memory(void) { fail("drystone:memory", "drystone: out of memory"); }

/* drystone:model:unknown_name */
static void identifier(char *text, size_t size, const char *what, const char *word) {
    snprintf(text, size, "drystone:%s%s%s", what, *word ? ":" : "", word);
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != ':') *text = '_';
}

static const char *kind_of(dry_status status) {
    switch (status) {
    case DRY_BAD_ARGUMENT: return "drystone:argument";
    case DRY_UNSUPPORTED: return "drystone:unsupported";
    case DRY_NO_MEMORY: return "drystone:memory";
    case DRY_NOT_FINITE:
    case DRY_STEP_COLLAPSED:
    case DRY_TOO_MANY_STEPS:
    case DRY_SINGULAR:
    case DRY_RUN_FAILED: return "drystone:run";
    default: return "drystone:error";
    }
}

static void check(dry_status status) {
    char place[TEXT] = "";
    if (status == DRY_OK) return;
    const char *file = dry_bind_error_file(now.error);
    const int line = dry_bind_error_line(now.error);
    if (*file && line)
        snprintf(place, sizeof place, "%s:%d:%d: ", file, line, dry_bind_error_column(now.error));
    else if (*file)
        snprintf(place, sizeof place, "%s: ", file);
    fail(kind_of(status), "%s%s", place, dry_bind_error_text(now.error));
}

/* ---- values ------------------------------------------------------------------------------------
 */

/* A text of the caller; the interpreter frees it after the call. */
static char *text_of(const mxArray *value, const char *what) {
    mxArray *chars = NULL, *given = (mxArray *)value;
    if (mxIsClass(value, "string")) { /* of MATLAB, in double quotation marks */
        mexCallMATLAB(1, &chars, 1, &given, "char");
        value = chars;
    }
    if (!mxIsChar(value) || mxGetM(value) > 1) fail("drystone:argument", "%s must be a text", what);
#ifdef MATLAB_MEX_FILE
    char *text = mxArrayToUTF8String(value);
#else
    char *text = mxArrayToString(value);
#endif
    if (!text) no_memory();
    return text;
}

static bool is_text(const mxArray *value) { return mxIsChar(value) || mxIsClass(value, "string"); }

static bool is_real(const mxArray *value) {
    return mxIsNumeric(value) && !mxIsComplex(value) && !mxIsSparse(value);
}

/* Numbers of any class as doubles. */
static const double *reals_of(const mxArray *value, const char *what) {
    mxArray *doubles = NULL, *given = (mxArray *)value;
    if (!is_real(value)) fail("drystone:argument", "%s must be real numbers", what);
    if (mxIsDouble(value)) return mxGetPr(value);
    mexCallMATLAB(1, &doubles, 1, &given, "double");
    return mxGetPr(doubles);
}

static double real_of(const mxArray *value, const char *what) {
    const double *x = reals_of(value, what);
    if (mxGetNumberOfElements(value) != 1) fail("drystone:argument", "%s must be one number", what);
    return *x;
}

static bool yes_of(const mxArray *value, const char *what) {
    if (!mxIsLogical(value) || mxGetNumberOfElements(value) != 1)
        fail("drystone:argument", "%s must be true or false", what);
    return *mxGetLogicals(value);
}

static mxArray *column_of(size_t n, const double *values) {
    mxArray *column = mxCreateDoubleMatrix((mwSize)n, 1, mxREAL);
    if (n) memcpy(mxGetPr(column), values, n * sizeof *values);
    return column;
}

/* Rows of C as a matrix of columns. */
static mxArray *matrix_of(size_t rows, size_t columns, const double *by_rows) {
    mxArray *matrix = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
    double *to = mxGetPr(matrix);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++) to[k * rows + i] = by_rows[i * columns + k];
    return matrix;
}

static void put(mxArray *structure, const char *field, mxArray *value) {
    if (mxAddField(structure, field) < 0) no_memory();
    mxSetField(structure, 0, field, value);
}

/* ---- pairs -------------------------------------------------------------------------------------
 */

static void keep(pairs *to, const char *name, const mxArray *value) {
    pair *all = realloc(to->all, ((size_t)to->n + 1) * sizeof *all);
    if (!all) no_memory();
    to->all = all;
    mxArray *copy = mxDuplicateArray(value);
    mexMakeArrayPersistent(copy);
    snprintf(all[to->n].name, WORD, "%s", name);
    all[to->n++].value = copy;
}

static const mxArray *find_pair(const pairs *in, const char *name) {
    for (int i = 0; i < in->n; i++)
        if (!strcmp(in->all[i].name, name)) return in->all[i].value;
    return NULL;
}

/* NAME, VALUE, ... and what the model was given besides. */
static void read_pairs(pairs *to, int n, const mxArray *const *args, const pairs *below) {
    if (n % 2) fail("drystone:argument", "give a value to each name: NAME, VALUE, ...");
    for (int i = 0; i < n; i += 2) {
        const char *name = text_of(args[i], "the name of a parameter, an input or an option");
        if (strlen(name) >= WORD)
            fail("drystone:argument", "the name `%.100s...` is too long", name);
        if (find_pair(to, name)) fail("drystone:argument", "`%s` is given twice", name);
        keep(to, name, args[i + 1]);
    }
    for (int i = 0; below && i < below->n; i++)
        if (!find_pair(to, below->all[i].name)) keep(to, below->all[i].name, below->all[i].value);
}

static bool is_option(const char *name) {
    for (int i = 0; dry_bind_option(i); i++)
        if (!strcmp(dry_bind_option(i), name)) return strcmp(name, "jacobian") != 0;
    return false;
}
/* Those that concern a call and no model. */
static bool is_of_call(const char *name) {
    return !strcmp(name, "watch") || !strcmp(name, "native");
}

static bool is_function(const mxArray *value) { return mxIsClass(value, "function_handle"); }

/* ---- plans --------------------------------------------------------------------------------------
 */

static void plan_par(dry_bind_plan *plan, const pair *p) {
    char what[2 * WORD], *text;
    snprintf(what, sizeof what, "the parameter `%s`", p->name);
    const size_t n = mxGetNumberOfElements(p->value);
    if (is_text(p->value)) {
        check(dry_bind_plan_par(plan, p->name, text_of(p->value, what), 0.0, now.error));
        return;
    }
    const double *x = reals_of(p->value, what);
    if (n == 1) {
        check(dry_bind_plan_par(plan, p->name, NULL, *x, now.error));
        return;
    }
    if (!n || mxGetNumberOfDimensions(p->value) > 2 ||
        (mxGetM(p->value) > 1 && mxGetN(p->value) > 1))
        fail("drystone:argument", "%s must be a number, a vector or a text such as '0.4 kN'", what);
    text = mxMalloc(32 * (n + 1));
    char *end = text;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) fail("drystone:argument", "%s has a number that is not finite", what);
        end += sprintf(end, "%s%.17g", i ? ", " : "[", x[i]);
    }
    strcpy(end, "]");
    check(dry_bind_plan_par(plan, p->name, text, 0.0, now.error));
}

/* {times, values} or {times, values, unit} */
static void plan_record(dry_bind_plan *plan, const pair *p) {
    char what[2 * WORD];
    snprintf(what, sizeof what, "the input `%s`", p->name);
    const size_t parts = mxGetNumberOfElements(p->value);
    if (parts != 2 && parts != 3)
        fail("drystone:argument", "%s must be {times, values} or {times, values, unit}", what);
    const mxArray *t = mxGetCell(p->value, 0), *y = mxGetCell(p->value, 1);
    const char *unit = parts == 3 ? text_of(mxGetCell(p->value, 2), what) : "";
    const size_t n = t ? mxGetNumberOfElements(t) : 0;
    if (!t || !y || mxGetNumberOfElements(y) != n)
        fail("drystone:argument", "%s needs as many times as values", what);
    check(dry_bind_plan_input(plan, p->name, unit, n, reals_of(t, what), reals_of(y, what),
                              now.error));
}

static double call(const mxArray *function, double t, const char *what) {
    mxArray *y = NULL, *args[] = {(mxArray *)function, mxCreateDoubleScalar(t)};
    mxArray *wrong = mexCallMATLABWithTrap(1, &y, 2, args, "feval");
    if (wrong) {
        const mxArray *said = mxGetProperty(wrong, 0, "message");
        fail("drystone:input", "%s, at t = %g s: %s", what, t,
             said ? text_of(said, "a message") : "the function failed");
    }
    const double value = real_of(y, what);
    mxDestroyArray(args[1]);
    mxDestroyArray(y);
    return value;
}

/* A function becomes its values at each half of a fixed step, where every stage of rk4 reads it; at
 * 10000 times of an adaptive run. A number becomes a record of two. */
static void plan_function(dry_bind_plan *plan, const pair *p, const dry_model *held) {
    char what[2 * WORD];
    snprintf(what, sizeof what, "the input `%s`", p->name);
    const double until = dry_bind_runs(held, DRY_BIND_UNTIL),
                 step = dry_bind_runs(held, DRY_BIND_STEP);
    const bool fixed = step > 0.0 && dry_bind_runs(held, DRY_BIND_ADAPTIVE) == 0.0;
    if (!(until > 0.0))
        fail("drystone:argument",
             "%s is needed until the end of the run, and nothing says when that is: give 'until'",
             what);
    const double apart = !is_function(p->value) ? until : fixed ? 0.5 * step : until / 10000.0;
    const double count = fmax(ceil(until / apart - 1e-9), 1.0) + 1.0;
    if (count > 5e6)
        fail("drystone:argument", "%s would become %.0f numbers: give {times, values}", what,
             count);
    const size_t n = (size_t)count;
    double *t = mxMalloc(n * sizeof *t), *y = mxMalloc(n * sizeof *y);
    for (size_t i = 0; i < n; i++) {
        t[i] = (double)i * apart;
        y[i] = is_function(p->value) ? call(p->value, t[i], what) : real_of(p->value, what);
    }
    check(dry_bind_plan_input(plan, p->name, "", n, t, y, now.error));
}

static void plan_input(dry_bind_plan *plan, const pair *p, const dry_model *held) {
    if (mxIsCell(p->value)) {
        plan_record(plan, p);
        return;
    }
    if (!is_text(p->value)) {
        plan_function(plan, p, held);
        return;
    }
    char *file = text_of(p->value, "an input"), *colon = strrchr(file, ':');
    if (!colon) fail("drystone:argument", "the input `%s` must be 'FILE:COLUMN'", p->name);
    *colon = '\0';
    check(dry_bind_plan_file(plan, p->name, file, colon + 1, now.error));
}

static bool has_input(const dry_model *model, const char *name) {
    for (int i = 0; i < dry_bind_count(model, DRY_BIND_INPUTS); i++)
        if (!strcmp(dry_bind_name(model, DRY_BIND_INPUTS, i), name)) return true;
    return false;
}

/* Whether a pair is an input; a number or a text is one if the model has an input of that name. */
static bool is_input(const pair *p, const dry_model *known) {
    return mxIsCell(p->value) || is_function(p->value) || (known && has_input(known, p->name));
}
/* Whether it can only be made when it is known how the model runs. */
static bool waits(const pair *p) { return !mxIsCell(p->value) && !is_text(p->value); }

static void plan_option(dry_bind_plan *plan, const pair *p) {
    const bool yes = dry_bind_option_is_yes(p->name);
    const double value = yes ? yes_of(p->value, p->name) : real_of(p->value, p->name);
    check(dry_bind_plan_option(plan, p->name, value, now.error));
}

static void plan_pair(dry_bind_plan *plan, const pair *p, const dry_model *known,
                      const dry_model *held) {
    if (is_of_call(p->name)) return;
    if (!strcmp(p->name, "method"))
        check(dry_bind_plan_method(plan, text_of(p->value, "the method"), now.error));
    else if (is_option(p->name))
        plan_option(plan, p);
    else if (!is_input(p, known))
        plan_par(plan, p);
    else if (held || !waits(p))
        plan_input(plan, p, held);
}

/* known: the model whose inputs are known; held: with all but the inputs that wait; NULL: none. */
static dry_bind_plan *make_plan(const pairs *given, const dry_model *known, const dry_model *held) {
    dry_bind_plan_free(now.made.plan);
    now.made.plan = dry_bind_plan_new();
    if (!now.made.plan) no_memory();
    for (int i = 0; i < given->n; i++) plan_pair(now.made.plan, &given->all[i], known, held);
    return now.made.plan;
}

/* ---- models
 * --------------------------------------------------------------------------------------- */

/* Errors become one error, with the name of the first; notes and warnings become warnings. */
static void tell(const dry_model *model) {
    char text[4 * TEXT] = "", id[WORD], first[WORD] = "";
    for (int i = 0; i < dry_model_messages(model); i++) {
        char *shown = dry_bind_message_shown(model, i);
        if (!shown) no_memory();
        size_t n = strlen(shown);
        while (n && shown[n - 1] == '\n') shown[--n] = '\0';
        const bool wrong = dry_bind_message_kind(model, i) == DRY_ERROR;
        identifier(id, sizeof id, "model", dry_bind_message_word(model, i));
        if (!wrong)
            mexWarnMsgIdAndTxt(id, "%s", shown);
        else {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", used ? "\n" : "", shown);
            if (!*first) memcpy(first, id, sizeof first);
        }
        dry_bind_text_free(shown);
    }
    if (!dry_model_ok(model)) fail(first, "%s", text);
}

static dry_model *compile(const object *o, const dry_bind_plan *plan) {
    dry_model *model = dry_bind_compile(o->path, o->text, o->length, plan);
    if (!model) no_memory();
    return model;
}

/* Compiles `now.made` from its text and what is given. */
static void make_model(const dry_model *known) {
    object *o = &now.made;
    bool wait = false;
    for (int i = 0; i < o->given.n; i++) {
        const pair *p = &o->given.all[i];
        const bool other = is_option(p->name) || is_of_call(p->name) || !strcmp(p->name, "method");
        wait = wait || (!other && is_input(p, known) && waits(p));
    }
    o->model = compile(o, make_plan(&o->given, known, NULL));
    if (wait && dry_model_ok(o->model)) {
        dry_model *whole = compile(o, make_plan(&o->given, known, o->model));
        dry_model_free(o->model);
        o->model = whole;
    }
    tell(o->model);
    for (int i = 0; dry_bind_remark(o->model, i); i++)
        mexWarnMsgIdAndTxt("drystone:model:remark", "%s", dry_bind_remark(o->model, i));
}

static char *copy_of(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) no_memory();
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void read_file(object *o, const char *path) {
    enum { PIECE = 65536 };
    FILE *file = fopen(path, "rb");
    if (!file) fail("drystone:file", "%s cannot be opened: does it exist?", path);
    for (size_t got = 1; got > 0;) {
        char *more = realloc(o->text, o->length + PIECE);
        got = more ? fread(more + o->length, 1, PIECE - 1, file) : 0;
        if (more) o->text = more;
        o->length += got;
    }
    const bool bad = ferror(file) || !o->text;
    fclose(file);
    if (bad) fail("drystone:file", "%s cannot be read", path);
}

/* Gives what is made a number. */
static mxArray *hand_out(object_sort sort) {
    int at = 0;
    while (at < n_objects && objects[at].sort != FREE) at++;
    if (at == n_objects) {
        object *more = realloc(objects, ((size_t)n_objects + 1) * sizeof *more);
        if (!more) no_memory();
        objects = more;
        n_objects++;
    }
    now.made.sort = sort;
    now.made.number = ++n_made;
    objects[at] = now.made;
    now.made = (object){.sort = FREE};
    return mxCreateDoubleScalar(n_made);
}

static int find(double number) {
    for (int i = 0; i < n_objects; i++)
        if (objects[i].sort != FREE && objects[i].number == number) return i;
    return -1;
}

static int number_of(const mxArray *value, object_sort sort) {
    const int at =
        is_real(value) && mxGetNumberOfElements(value) == 1 ? find(mxGetScalar(value)) : -1;
    if (at < 0 || objects[at].sort != sort || objects[at].closed)
        fail("drystone:handle",
             "this is not a %s: give what drystone_%s returned, before drystone_free",
             sort == MODEL ? "model" : "stepper",
             sort == MODEL ? "load or drystone_compile" : "stepper");
    return at;
}

static object *model_of(const mxArray *value) { return &objects[number_of(value, MODEL)]; }
static object *stepper_of(const mxArray *value) { return &objects[number_of(value, STEPPER)]; }

/* The model that a call asks for, in now.made: that of the caller with other values. */
static void derive(const object *from, int n, const mxArray *const *args) {
    const size_t path = strlen(from->path);
    now.made.path = copy_of(from->path, path);
    now.made.text = copy_of(from->text, from->length);
    now.made.length = from->length;
    read_pairs(&now.made.given, n, args, &from->given);
    make_model(from->model);
}

static mxArray *load(int n, const mxArray *const *args) {
    const char *path = text_of(args[0], "a path");
    now.made.path = copy_of(path, strlen(path));
    read_file(&now.made, path);
    read_pairs(&now.made.given, n - 1, args + 1, NULL);
    make_model(NULL);
    return hand_out(MODEL);
}

static mxArray *compile_text(int n, const mxArray *const *args) {
    const char *text = text_of(args[0], "a model");
    now.made.path = copy_of("text.dry", 8);
    now.made.length = strlen(text);
    now.made.text = copy_of(text, now.made.length);
    read_pairs(&now.made.given, n - 1, args + 1, NULL);
    make_model(NULL);
    return hand_out(MODEL);
}

static mxArray *with(int n, const mxArray *const *args) {
    derive(model_of(args[0]), n - 1, args + 1);
    return hand_out(MODEL);
}

static void release(int at) {
    object *o = &objects[at];
    if (o->sort == STEPPER) {
        const int of = o->of;
        free_parts(o);
        if (--objects[of].users == 0 && objects[of].closed) free_parts(&objects[of]);
    } else if (o->users)
        o->closed = true;
    else
        free_parts(o);
}

static mxArray *free_object(int n, const mxArray *const *args) {
    const bool one = is_real(args[0]) && mxGetNumberOfElements(args[0]) == 1;
    const int at = one ? find(mxGetScalar(args[0])) : -1;
    (void)n;
    release(number_of(args[0], at >= 0 ? objects[at].sort : MODEL));
    return NULL;
}

static void free_all(void) {
    for (int i = 0; i < n_objects; i++)
        if (objects[i].sort == STEPPER) free_parts(&objects[i]);
    for (int i = 0; i < n_objects; i++) free_parts(&objects[i]);
    free(objects);
    objects = NULL;
    n_objects = 0;
    dry_bind_error_free(now.error);
    now.error = NULL;
}

/* ---- names
 * ------------------------------------------------------------------------------------------ */

static mxArray *names_of(const dry_model *model, dry_bind_list list) {
    int many = 0;
    const int n = dry_bind_count(model, list);
    for (int i = 0; i < n; i++) many += list != DRY_BIND_OUTPUTS || dry_bind_is_own(model, list, i);
    mxArray *names = mxCreateCellMatrix((size_t)many, 1);
    for (int i = 0, k = 0; i < n; i++)
        if (list != DRY_BIND_OUTPUTS || dry_bind_is_own(model, list, i))
            mxSetCell(names, (size_t)k++, mxCreateString(dry_bind_name(model, list, i)));
    return names;
}

static mxArray *states(int n, const mxArray *const *args) {
    (void)n;
    return names_of(model_of(args[0])->model, DRY_BIND_STATES);
}
static mxArray *outputs(int n, const mxArray *const *args) {
    (void)n;
    return names_of(model_of(args[0])->model, DRY_BIND_OUTPUTS);
}
static mxArray *inputs(int n, const mxArray *const *args) {
    (void)n;
    return names_of(model_of(args[0])->model, DRY_BIND_INPUTS);
}

static mxArray *parameters(int n, const mxArray *const *args) {
    static const char *fields[] = {"name", "value", "unit"};
    const dry_model *model = model_of(args[0])->model;
    const dry_bind_list list = DRY_BIND_PARAMETERS;
    int many = 0;
    (void)n;
    for (int i = 0; i < dry_bind_count(model, list); i++) many += dry_bind_is_own(model, list, i);
    mxArray *all = mxCreateStructMatrix((size_t)many, 1, 3, fields);
    for (int i = 0, k = 0; i < dry_bind_count(model, list); i++) {
        if (!dry_bind_is_own(model, list, i)) continue;
        mxSetField(all, (size_t)k, "name", mxCreateString(dry_bind_name(model, list, i)));
        mxSetField(all, (size_t)k, "value", mxCreateDoubleScalar(dry_bind_par(model, i)));
        mxSetField(all, (size_t)k++, "unit", mxCreateString(dry_bind_unit(model, list, i)));
    }
    return all;
}

static mxArray *equations(int n, const mxArray *const *args) {
    const bool derived = n < 2 || yes_of(args[1], "derived");
    char *latex = dry_bind_latex(model_of(args[0])->model, derived);
    if (!latex) no_memory();
    mxArray *text = mxCreateString(latex);
    dry_bind_text_free(latex);
    return text;
}

/* ---- runs
 * --------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;
static void note_interrupt(int number) { interrupted = number; }
static bool go_on(void *user, double t) {
    (void)user, (void)t;
    return !interrupted;
}

/* Ctrl-C between these two ends the run, and becomes an error. */
static struct sigaction before;
static void begin_listening(void) {
    struct sigaction ours = {.sa_handler = note_interrupt};
    interrupted = 0;
    sigaction(SIGINT, &ours, &before);
}
static void end_listening(void) { sigaction(SIGINT, &before, NULL); }

/* A name as that of a field: motor.w as motor_w; one that is taken gets a number. */
static void field_of(const mxArray *structure, const char *name, char *field) {
    char stem[64];
    size_t n = 0;
    if (!isalpha((unsigned char)*name)) stem[n++] = 'x';
    for (; *name && n < 50; name++) {
        if (isalnum((unsigned char)*name) || *name == '_') stem[n++] = *name;
        if (*name == '.' || *name == '[') stem[n++] = '_';
    }
    stem[n] = '\0';
    strcpy(field, stem);
    for (int k = 2; mxGetFieldNumber(structure, field) >= 0; k++) sprintf(field, "%s_%d", stem, k);
}

/* names, units, values (rows by columns), and each column by its name. */
static void put_record(mxArray *result, const dry_record *record) {
    const int n = record ? dry_record_columns(record) : 0;
    const size_t rows = record ? dry_record_rows(record) : 0;
    mxArray *names = mxCreateCellMatrix((size_t)n, 1), *units = mxCreateCellMatrix((size_t)n, 1);
    mxArray *columns = mxCreateStructMatrix(1, 1, 0, NULL);
    for (int i = 0; i < n; i++) {
        char field[80];
        mxSetCell(names, (size_t)i, mxCreateString(dry_bind_column_name(record, i)));
        mxSetCell(units, (size_t)i, mxCreateString(dry_bind_column_unit(record, i)));
        field_of(columns, dry_bind_column_name(record, i), field);
        put(columns, field, column_of(rows, dry_record_values(record, i)));
    }
    put(result, "names", names);
    put(result, "units", units);
    put(result, "column", columns);
    put(result, "t", column_of(rows, n ? dry_record_values(record, 0) : NULL));
}

static void put_measures(mxArray *result, const dry_model *model) {
    mxArray *measures = mxCreateStructMatrix(1, 1, 0, NULL);
    for (int i = 0; i < dry_bind_count(model, DRY_BIND_MEASURES); i++) {
        char field[80];
        field_of(measures, dry_bind_name(model, DRY_BIND_MEASURES, i), field);
        put(measures, field, mxCreateDoubleScalar(dry_bind_run_measure(now.run, i)));
    }
    put(result, "measures", measures);
}

/* Whether every `expect` of the text is met; a warning for one that is not. */
static void put_met(mxArray *result, const object *o) {
    bool met = true;
    for (int i = 0; i < dry_model_expects(o->model); i++) {
        if (dry_bind_run_expected_met(now.run, i)) continue;
        met = false;
        mexWarnMsgIdAndTxt("drystone:expectation", "%s:%d: not met: %s", o->path,
                           dry_bind_run_expected_line(now.run, i),
                           dry_bind_run_expected(now.run, i));
    }
    put(result, "met", mxCreateLogicalScalar(met));
}

static void put_facts(mxArray *result) {
    put(result, "end", mxCreateDoubleScalar(dry_bind_run_fact(now.run, DRY_BIND_END)));
    put(result, "stopped", mxCreateString(dry_bind_run_stop(now.run)));
    put(result, "steps", mxCreateDoubleScalar(dry_bind_run_fact(now.run, DRY_BIND_STEPS)));
    put(result, "native",
        mxCreateLogicalScalar(dry_bind_run_fact(now.run, DRY_BIND_IS_NATIVE) == 1.0));
}

static void watch(mxArray *result, const object *o, bool asked) {
    char text[4 * TEXT] = "";
    if (asked) {
        begin_listening();
        const dry_status status = dry_bind_run_watch(now.run, 0.0, 0.0, go_on, NULL, now.error);
        end_listening();
        if (interrupted) fail("drystone:interrupt", "the run was interrupted");
        check(status);
    }
    for (int i = 0; dry_bind_run_trust_line(now.run, i); i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? "\n" : "",
                 dry_bind_run_trust_line(now.run, i));
    }
    if (dry_bind_run_trusted(now.run) < 0)
        mexWarnMsgIdAndTxt("drystone:trust", "%s: %s", o->path, text);
    put(result, "watch", mxCreateString(asked ? dry_bind_run_word(now.run) : "not watched"));
    put(result, "trust", mxCreateString(text));
    put(result, "error", mxCreateDoubleScalar(dry_bind_run_trust_error(now.run)));
}

static dry_bind_code code_of(const pairs *given) {
    const mxArray *native = find_pair(given, "native");
    if (!native) return DRY_BIND_EITHER;
    return yes_of(native, "native") ? DRY_BIND_NATIVE : DRY_BIND_BYTECODE;
}

/* What there is until an error stands in the variable drystone_result of the caller. */
static void check_run(dry_status status, mxArray *result) {
    if (status == DRY_OK) return;
    mexPutVariable("base", "drystone_result", result);
    if (interrupted)
        fail("drystone:interrupt", "%s: drystone_result has what there is",
             dry_bind_error_text(now.error));
    if (!strcmp(kind_of(status), "drystone:run"))
        fail("drystone:run", "%s: drystone_result has what there is",
             dry_bind_error_text(now.error));
    check(status);
}

static mxArray *run(int n, const mxArray *const *args) {
    derive(model_of(args[0]), n - 1, args + 1);
    const object *o = &now.made;
    const mxArray *watched = find_pair(&o->given, "watch");
    const bool asked = !watched || yes_of(watched, "watch");
    const dry_bind_code code = code_of(&o->given);
    now.run = dry_bind_run_new(o->model, o->plan);
    if (!now.run) no_memory();
    begin_listening();
    const dry_status status = dry_bind_run_start(now.run, code, go_on, NULL, now.error);
    end_listening();
    for (int i = 0; dry_bind_run_remark(now.run, i); i++)
        mexWarnMsgIdAndTxt("drystone:trust", "%s: %s", o->path, dry_bind_run_remark(now.run, i));
    mxArray *result = mxCreateStructMatrix(1, 1, 0, NULL);
    put_record(result, dry_bind_run_record(now.run));
    put_facts(result);
    check_run(status, result);
    put_measures(result, o->model);
    put_met(result, o);
    watch(result, o, asked);
    clean();
    return result;
}

/* ---- sweeps and fits
 * ------------------------------------------------------------------------------------------- */

/* Takes NAME, VALUE out of a list, so that it is no parameter; NULL: it is not there. */
static const mxArray *take(int *n, const mxArray **args, const char *name) {
    for (int i = 0; i + 1 < *n; i += 2) {
        if (strcmp(text_of(args[i], "a name"), name) != 0) continue;
        const mxArray *value = args[i + 1];
        memmove(args + i, args + i + 2, (size_t)(*n - i - 2) * sizeof *args);
        *n -= 2;
        return value;
    }
    return NULL;
}

static double take_number(int *n, const mxArray **args, const char *name, double without) {
    const mxArray *value = take(n, args, name);
    return value ? real_of(value, name) : without;
}

static const mxArray **list_of(int n, const mxArray *const *args) {
    const mxArray **list = mxMalloc(((size_t)n + 1) * sizeof *list);
    if (n % 2) fail("drystone:argument", "give a value to each name: NAME, VALUE, ...");
    memcpy(list, args, (size_t)n * sizeof *list);
    return list;
}

/* A vector, or a text such as "0.1:0.6:6" or "1,2,4". */
static bool is_axis(const char *name, const mxArray *value) {
    if (is_option(name) || is_of_call(name) || mxIsCell(value) || is_function(value)) return false;
    return is_text(value) ? strpbrk(text_of(value, name), ":,") != NULL
                          : mxGetNumberOfElements(value) != 1;
}

static void add_axis(const char *name, const mxArray *value) {
    if (is_text(value)) {
        const char *text = text_of(value, name);
        char *whole = mxMalloc(strlen(name) + strlen(text) + 2);
        sprintf(whole, "%s=%s", name, text);
        check(dry_bind_sweep_axis(now.sweep, whole, now.error));
        return;
    }
    const size_t n = mxGetNumberOfElements(value);
    const double *values = reals_of(value, name);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            fail("drystone:argument", "the axis `%s` has a number that is not finite", name);
    check(dry_bind_sweep_values(now.sweep, name, n, values, now.error));
}

/* What the model was given for an axis would be in its way. */
static void drop_pair(pairs *from, const char *name) {
    for (int i = 0; i < from->n; i++) {
        if (strcmp(from->all[i].name, name) != 0) continue;
        mxDestroyArray(from->all[i].value);
        from->all[i--] = from->all[--from->n];
    }
}

/* Moves the axes of the list to now.sweep; the rest is what all points are given. */
static void derive_sweep(const object *from, int n, const mxArray **list) {
    now.sweep = dry_bind_sweep_new();
    if (!now.sweep) no_memory();
    now.made.path = copy_of(from->path, strlen(from->path));
    now.made.text = copy_of(from->text, from->length);
    now.made.length = from->length;
    const mxArray **rest = mxMalloc(((size_t)n + 1) * sizeof *rest);
    int left = 0;
    for (int i = 0; i < n; i += 2) {
        const char *name = text_of(list[i], "the name of an axis, a parameter or an option");
        if (is_axis(name, list[i + 1]))
            add_axis(name, list[i + 1]);
        else
            rest[left++] = list[i], rest[left++] = list[i + 1];
    }
    if (!dry_bind_sweep_axes(now.sweep))
        fail("drystone:argument", "a sweep needs an axis: give a parameter a vector, or a text "
                                  "such as '100mN:500mN:5'");
    read_pairs(&now.made.given, left, rest, &from->given);
    for (int i = 0; i < n; i += 2)
        if (is_axis(text_of(list[i], "a name"), list[i + 1]))
            drop_pair(&now.made.given, text_of(list[i], "a name"));
    make_model(from->model);
}

/* A column over the grid, whose last axis is the fastest in a record and the slowest in Octave. */
static mxArray *grid_of(const dry_record *record, int column) {
    mwSize length[16] = {1, 1};
    const int n = dry_bind_sweep_axes(now.sweep);
    for (int a = 0; a < n && a < 16; a++) length[a] = (mwSize)dry_bind_sweep_length(now.sweep, a);
    mxArray *grid = mxCreateNumericArray((mwSize)(n < 2 ? 2 : n), length, mxDOUBLE_CLASS, mxREAL);
    const double *from = dry_record_values(record, column);
    for (size_t row = 0; row < dry_record_rows(record); row++) {
        size_t left = row, at = 0, stride = mxGetNumberOfElements(grid);
        for (int a = n - 1; a >= 0; a--) {
            stride /= (size_t)length[a];
            at += left % (size_t)length[a] * stride;
            left /= (size_t)length[a];
        }
        mxGetPr(grid)[at] = from[row];
    }
    return grid;
}

static void put_grid(mxArray *result, const dry_record *record) {
    mxArray *axes = mxCreateStructMatrix(1, 1, 0, NULL),
            *measures = mxCreateStructMatrix(1, 1, 0, NULL);
    const int n_axes = dry_bind_sweep_axes(now.sweep);
    for (int i = 0; i < dry_record_columns(record); i++) {
        const char *name = dry_bind_column_name(record, i);
        char field[80];
        mxArray *to = i < n_axes ? axes : measures;
        field_of(to, name, field);
        if (strcmp(name, "status") == 0 || strcmp(name, "watch") == 0)
            put(result, name, grid_of(record, i));
        else
            put(to, field, grid_of(record, i));
    }
    put(result, "axis", axes);
    put(result, "measures", measures);
}

static mxArray *sweep(int n, const mxArray *const *args) {
    const object *from = model_of(args[0]);
    const mxArray **list = list_of(--n, args + 1);
    const double threads = take_number(&n, list, "threads", 0.0);
    derive_sweep(from, n, list);
    const object *o = &now.made;
    const mxArray *watched = find_pair(&o->given, "watch");
    if (!(threads >= 0.0 && threads <= 1024.0 && threads == floor(threads)))
        fail("drystone:argument", "threads must be a whole number from 0 to 1024");
    begin_listening();
    const dry_status status =
        dry_bind_sweep_run(now.sweep, from->model, o->plan, (int)threads, code_of(&o->given),
                           watched && yes_of(watched, "watch"), go_on, NULL, now.error);
    end_listening();
    if (interrupted) fail("drystone:interrupt", "the sweep was interrupted");
    check(status);
    mxArray *result = mxCreateStructMatrix(1, 1, 0, NULL);
    put_grid(result, dry_bind_sweep_record(now.sweep));
    put(result, "failed", mxCreateDoubleScalar((double)dry_bind_sweep_failed(now.sweep)));
    put(result, "native", mxCreateLogicalScalar(dry_bind_sweep_native(now.sweep)));
    if (dry_bind_sweep_failed(now.sweep))
        mexWarnMsgIdAndTxt("drystone:trust", "%s: %zu points failed and are NaN: status says why",
                           o->path, dry_bind_sweep_failed(now.sweep));
    if (dry_bind_sweep_untrusted(now.sweep))
        mexWarnMsgIdAndTxt("drystone:trust", "%s: %zu points are not trusted: watch says why",
                           o->path, dry_bind_sweep_untrusted(now.sweep));
    clean();
    return result;
}

/* An element of a cell of texts, or the text itself. */
static const mxArray *part_of(const mxArray *value, size_t i, const char *what) {
    const mxArray *part = mxIsCell(value) ? mxGetCell(value, (mwIndex)i) : value;
    if (!part) fail("drystone:argument", "%s has an empty cell", what);
    return part;
}

/* "F", or {"F", "K", [1e3 1e6], "log"}: names, each with bounds and with "log" or "own". */
static void read_free(const mxArray *free) {
    const bool one = is_text(free);
    if (!one && !mxIsCell(free))
        fail("drystone:argument", "free must be a name or a cell of names");
    const size_t n = one ? 1 : mxGetNumberOfElements(free);
    for (size_t i = 0; i < n;) {
        const char *name = text_of(part_of(free, i, "free"), "a name in free");
        double bounds[2] = {0.0, 0.0};
        bool by_factors = false, own = false;
        for (i++; i < n; i++) {
            const mxArray *next = part_of(free, i, "free");
            const char *word = is_text(next) ? text_of(next, "free") : "";
            if (!is_text(next)) {
                const double *given = reals_of(next, "the bounds of a parameter");
                if (mxGetNumberOfElements(next) != 2 || !(given[0] < given[1]))
                    fail("drystone:argument", "the bounds of `%s` must be [low high]", name);
                memcpy(bounds, given, sizeof bounds);
            } else if (!strcmp(word, "log"))
                by_factors = true;
            else if (!strcmp(word, "own"))
                own = true;
            else
                break;
        }
        check(dry_bind_fit_vary(now.fit, name, bounds[0], bounds[1], by_factors, own, now.error));
    }
}

static void read_data(const mxArray *data) {
    const bool one = is_text(data);
    if (!one && !mxIsCell(data))
        fail("drystone:argument", "data must be a file or a cell of files");
    for (size_t i = 0; i < (one ? 1 : mxGetNumberOfElements(data)); i++)
        check(dry_bind_fit_data(now.fit, text_of(part_of(data, i, "data"), "a file in data"),
                                now.error));
}

static void read_fit(int *n, const mxArray **list) {
    static const struct {
        const char *name;
        dry_bind_fit_option option;
        double least, most;
        bool whole;
    } numbers[] = {{"hold_last", DRY_BIND_FIT_HOLD_LAST, 0.0, 0.999, false},
                   {"hold_from", DRY_BIND_FIT_HOLD_FROM, 0.0, 1e300, false},
                   {"huber", DRY_BIND_FIT_HUBER, 0.0, 1e300, false},
                   {"tolerance", DRY_BIND_FIT_TOLERANCE, 0.0, 1.0, false},
                   {"starts", DRY_BIND_FIT_STARTS, 1.0, 1e5, true},
                   {"seed", DRY_BIND_FIT_SEED, 0.0, 2147483647.0, true},
                   {"most_steps", DRY_BIND_FIT_MOST_STEPS, 1.0, 1e6, true},
                   {"windows", DRY_BIND_FIT_WINDOWS, 0.0, 1e6, true},
                   {"window", DRY_BIND_FIT_WINDOW, 0.0, 1e300, false},
                   {"threads", DRY_BIND_FIT_THREADS, 0.0, 1024.0, true}};
    const mxArray *free = take(n, list, "free"), *data = take(n, list, "data");
    if (free) read_free(free);
    if (data) read_data(data);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const mxArray *value = take(n, list, numbers[i].name);
        const double x = value ? real_of(value, numbers[i].name) : 0.0;
        if (!value) continue;
        if (!(x >= numbers[i].least && x <= numbers[i].most) || (numbers[i].whole && x != floor(x)))
            fail("drystone:argument", "%s must be a %snumber from %g to %g", numbers[i].name,
                 numbers[i].whole ? "whole " : "", numbers[i].least, numbers[i].most);
        dry_bind_fit_set(now.fit, numbers[i].option, x);
    }
}

static void put_parameters(mxArray *result) {
    const int n = dry_bind_fit_parameters(now.fit);
    static const struct {
        const char *field;
        dry_bind_fit_of of;
    } numbers[] = {{"value", DRY_BIND_FIT_VALUE},
                   {"start", DRY_BIND_FIT_START},
                   {"deviation", DRY_BIND_FIT_DEVIATION},
                   {"record", DRY_BIND_FIT_RECORD},
                   {"at_bound", DRY_BIND_FIT_AT_BOUND}};
    mxArray *names = mxCreateCellMatrix((size_t)n, 1), *units = mxCreateCellMatrix((size_t)n, 1);
    mxArray *interval = mxCreateDoubleMatrix((size_t)n, 2, mxREAL);
    for (int i = 0; i < n; i++) {
        mxSetCell(names, (size_t)i, mxCreateString(dry_bind_fit_name(now.fit, i)));
        mxSetCell(units, (size_t)i, mxCreateString(dry_bind_fit_unit(now.fit, i)));
        mxGetPr(interval)[i] = dry_bind_fit_number(now.fit, i, DRY_BIND_FIT_FROM);
        mxGetPr(interval)[n + i] = dry_bind_fit_number(now.fit, i, DRY_BIND_FIT_TO);
    }
    put(result, "names", names);
    put(result, "units", units);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        mxArray *column = mxCreateDoubleMatrix((size_t)n, 1, mxREAL);
        for (int i = 0; i < n; i++)
            mxGetPr(column)[i] = dry_bind_fit_number(now.fit, i, numbers[k].of);
        put(result, numbers[k].field, column);
    }
    put(result, "interval", interval);
}

static void put_outputs(mxArray *result) {
    const int n = dry_bind_fit_outputs(now.fit);
    mxArray *all = mxCreateCellMatrix((size_t)n, 1);
    for (int i = 0; i < n; i++) {
        mxArray *one = mxCreateStructMatrix(1, 1, 0, NULL);
        const size_t rows = dry_bind_fit_rows(now.fit, i);
        put(one, "name", mxCreateString(dry_bind_fit_output_text(now.fit, i, DRY_BIND_FIT_NAME)));
        put(one, "file", mxCreateString(dry_bind_fit_output_text(now.fit, i, DRY_BIND_FIT_FILE)));
        put(one, "t", column_of(rows, dry_bind_fit_values(now.fit, i, DRY_BIND_FIT_T)));
        put(one, "measured",
            column_of(rows, dry_bind_fit_values(now.fit, i, DRY_BIND_FIT_MEASURED)));
        put(one, "model", column_of(rows, dry_bind_fit_values(now.fit, i, DRY_BIND_FIT_MODEL)));
        put(one, "rms",
            mxCreateDoubleScalar(dry_bind_fit_output_number(now.fit, i, DRY_BIND_FIT_RMS)));
        put(one, "held_rms",
            mxCreateDoubleScalar(dry_bind_fit_output_number(now.fit, i, DRY_BIND_FIT_HELD_RMS)));
        mxSetCell(all, (size_t)i, one);
    }
    put(result, "outputs", all);
}

/* The text with the fitted values; '' if no text can hold them, because a record has its own. */
static void put_text(mxArray *result) {
    char *text;
    const bool good = dry_bind_fit_text(now.fit, &text, now.error) == DRY_OK;
    put(result, "text", mxCreateString(good ? text : ""));
    dry_bind_text_free(text);
}

static mxArray *fit(int n, const mxArray *const *args) {
    const object *from = model_of(args[0]);
    const mxArray **list = list_of(--n, args + 1);
    now.fit = dry_bind_fit_new();
    if (!now.fit) no_memory();
    read_fit(&n, list);
    derive(from, n, list);
    begin_listening();
    const dry_status status =
        dry_bind_fit_run(now.fit, from->model, now.made.plan, go_on, NULL, now.error);
    end_listening();
    if (interrupted) fail("drystone:interrupt", "the fit was interrupted");
    check(status);
    mxArray *result = mxCreateStructMatrix(1, 1, 0, NULL);
    put_parameters(result);
    put_outputs(result);
    put_text(result);
    put(result, "settled",
        mxCreateLogicalScalar(dry_bind_fit_fact(now.fit, DRY_BIND_FIT_SETTLED) == 1.0));
    for (int i = 0; dry_bind_fit_warning(now.fit, i); i++)
        mexWarnMsgIdAndTxt("drystone:trust", "%s: %s", now.made.path,
                           dry_bind_fit_warning(now.fit, i));
    clean();
    return result;
}

/* ---- rates
 * ------------------------------------------------------------------------------------------------
 */

static dry_bind_rates *rates_of(object *o) {
    if (!o->rates) check(dry_bind_rates_new(o->model, &o->rates, now.error));
    return o->rates;
}

static const double *point_of(const object *o, const mxArray *x) {
    const double *at = reals_of(x, "x");
    const int n = dry_bind_count(o->model, DRY_BIND_STATES);
    if (mxGetNumberOfElements(x) != (size_t)n)
        fail("drystone:argument", "x must have %d numbers, one for each of drystone_states", n);
    return at;
}

static mxArray *start(int n, const mxArray *const *args) {
    object *o = model_of(args[0]);
    (void)n;
    mxArray *x = mxCreateDoubleMatrix((size_t)dry_bind_count(o->model, DRY_BIND_STATES), 1, mxREAL);
    dry_bind_rates_start(rates_of(o), mxGetPr(x));
    return x;
}

static mxArray *rhs(int n, const mxArray *const *args) {
    object *o = model_of(args[0]);
    const double t = real_of(args[1], "t"), *x = point_of(o, args[2]);
    (void)n;
    mxArray *rate =
        mxCreateDoubleMatrix((size_t)dry_bind_count(o->model, DRY_BIND_STATES), 1, mxREAL);
    dry_bind_rates_rate(rates_of(o), t, x, mxGetPr(rate));
    return rate;
}

static void differentiate(object *o) {
    if (o->derivatives) return;
    const size_t length = strlen(o->path);
    now.made.path = copy_of(o->path, length);
    now.made.text = copy_of(o->text, o->length);
    now.made.length = o->length;
    read_pairs(&now.made.given, 0, NULL, &o->given);
    dry_bind_plan *plan = make_plan(&now.made.given, o->model, o->model);
    check(dry_bind_plan_option(plan, "jacobian", 1.0, now.error));
    dry_model_free(o->differentiable);
    o->differentiable = compile(o, plan);
    if (!dry_model_ok(o->differentiable)) tell(o->differentiable);
    check(dry_bind_rates_new(o->differentiable, &o->derivatives, now.error));
    clean();
}

static mxArray *jac(int n, const mxArray *const *args) {
    object *o = model_of(args[0]);
    const double t = real_of(args[1], "t"), *x = point_of(o, args[2]);
    const size_t states = (size_t)dry_bind_count(o->model, DRY_BIND_STATES);
    (void)n;
    rates_of(o);
    differentiate(o);
    double *rows = mxMalloc((states * states + 1) * sizeof *rows);
    check(dry_bind_rates_jacobian(o->derivatives, t, x, rows, now.error));
    return matrix_of(states, states, rows);
}

/* ---- steps
 * --------------------------------------------------------------------------------------------------
 */

/* Of the model itself where nothing else is given, else of one that goes with its stepper. */
static mxArray *stepper(int n, const mxArray *const *args) {
    int of = number_of(args[0], MODEL);
    bool native = code_of(&objects[of].given) == DRY_BIND_NATIVE;
    if (n > 1) {
        derive(&objects[of], n - 1, args + 1);
        native = code_of(&now.made.given) == DRY_BIND_NATIVE;
        of = find(mxGetScalar(hand_out(MODEL)));
        objects[of].closed = true;
    }
    const dry_model *model = objects[of].model;
    if (native) now.made.native = dry_bind_native(model, now.error);
    dry_status status = native && !now.made.native ? dry_bind_error_status(now.error) : DRY_OK;
    if (status == DRY_OK)
        status = dry_bind_stepper_new(model, now.made.native, &now.made.stepper, now.error);
    if (status != DRY_OK && objects[of].closed) release(of);
    check(status);
    objects[of].users++;
    now.made.of = of;
    return hand_out(STEPPER);
}

static int index_of(const dry_model *model, dry_bind_list list, const char *name) {
    for (int i = 0; i < dry_bind_count(model, list); i++)
        if (!strcmp(dry_bind_name(model, list, i), name)) return i;
    return -1;
}

static const dry_model *model_under(const object *s) { return objects[s->of].model; }

/* The inputs of a step; NULL: they stay. */
static const double *inputs_of(const object *s, const mxArray *u) {
    const int n = dry_bind_count(model_under(s), DRY_BIND_INPUTS);
    if (mxIsEmpty(u)) return NULL;
    const double *values = reals_of(u, "u");
    if (mxGetNumberOfElements(u) != (size_t)n)
        fail("drystone:argument", "u must have %d numbers, one for each of drystone_inputs", n);
    return values;
}

/* The states after it; a stop of the model is no error: drystone_stopped says why. */
static mxArray *step_to(object *s, double t, const double *u) {
    const int n = dry_bind_count(model_under(s), DRY_BIND_STATES);
    mxArray *x = mxCreateDoubleMatrix((size_t)n, 1, mxREAL);
    const dry_status status = dry_bind_step(s->stepper, u, t, mxGetPr(x), NULL, now.error);
    if (status != DRY_STOPPED) check(status);
    return x;
}

static mxArray *step(int n, const mxArray *const *args) {
    object *s = stepper_of(args[0]);
    return step_to(s, -(double)INFINITY, n > 1 ? inputs_of(s, args[1]) : NULL);
}

static mxArray *advance(int n, const mxArray *const *args) {
    object *s = stepper_of(args[0]);
    const double t = real_of(args[1], "t"), present = dry_stepper_time(s->stepper);
    if (!(t > present))
        fail("drystone:argument",
             "a stepper at t = %.9g s cannot step to %.9g s: give a later time", present, t);
    return step_to(s, t, n > 2 ? inputs_of(s, args[2]) : NULL);
}

/* Rows of u (rows by inputs), each held over the interval: rows by states. */
static mxArray *rows(int n, const mxArray *const *args) {
    object *s = stepper_of(args[0]);
    const size_t many = mxGetM(args[1]), columns = mxGetN(args[1]);
    const size_t n_in = (size_t)dry_bind_count(model_under(s), DRY_BIND_INPUTS),
                 n_x = (size_t)dry_bind_count(model_under(s), DRY_BIND_STATES);
    const double *given = reals_of(args[1], "u");
    const double interval =
        n > 2 ? real_of(args[2], "the interval") : dry_bind_runs(model_under(s), DRY_BIND_STEP);
    if (columns != n_in || mxGetNumberOfDimensions(args[1]) > 2)
        fail("drystone:argument", "u must have %d columns, one for each of drystone_inputs",
             (int)n_in);
    double *u = mxMalloc((many * n_in + 1) * sizeof *u),
           *x = mxMalloc((many * n_x + 1) * sizeof *x);
    for (size_t i = 0; i < many; i++)
        for (size_t k = 0; k < n_in; k++) u[i * n_in + k] = given[k * many + i];
    size_t done = 0;
    begin_listening();
    const dry_status status = dry_bind_rows(s->stepper, many, interval, n_in ? u : NULL, NULL, x,
                                            &done, go_on, NULL, now.error);
    end_listening();
    if (interrupted)
        fail("drystone:interrupt", "the rows were interrupted after %zu of them", done);
    if (status != DRY_STOPPED) check(status);
    return matrix_of(done, n_x, x);
}

static void set_one(object *s, const char *name, double value) {
    const dry_model *model = model_under(s);
    const int input = index_of(model, DRY_BIND_INPUTS, name);
    check(input >= 0 ? dry_stepper_set_input(s->stepper, input, value, now.error)
                     : dry_bind_stepper_par(s->stepper, model, name, value, now.error));
}

static mxArray *set(int n, const mxArray *const *args) {
    object *s = stepper_of(args[0]);
    if (n % 2 == 0) fail("drystone:argument", "give a value to each name: NAME, VALUE, ...");
    for (int i = 1; i < n; i += 2) {
        const char *name = text_of(args[i], "a name");
        set_one(s, name, real_of(args[i + 1], name));
    }
    return NULL;
}

static double output_of(object *s, int index) {
    double *y =
        mxMalloc(((size_t)dry_bind_count(model_under(s), DRY_BIND_OUTPUTS) + 1) * sizeof *y);
    check(dry_stepper_outputs(s->stepper, y, now.error));
    return y[index];
}

static mxArray *get(int n, const mxArray *const *args) {
    object *s = stepper_of(args[0]);
    const char *name = text_of(args[1], "a name");
    const dry_model *model = model_under(s);
    const int input = index_of(model, DRY_BIND_INPUTS, name),
              state = index_of(model, DRY_BIND_STATES, name),
              output = index_of(model, DRY_BIND_OUTPUTS, name);
    (void)n;
    if (input >= 0) return mxCreateDoubleScalar(dry_stepper_inputs(s->stepper)[input]);
    if (state >= 0) return mxCreateDoubleScalar(dry_stepper_states(s->stepper)[state]);
    if (output >= 0) return mxCreateDoubleScalar(output_of(s, output));
    const double par = dry_bind_stepper_par_now(s->stepper, model, name);
    if (isnan(par))
        fail("drystone:argument", "the model has no state, output, input or parameter `%s`", name);
    return mxCreateDoubleScalar(par);
}

static mxArray *present(int n, const mxArray *const *args) {
    (void)n;
    return mxCreateDoubleScalar(dry_stepper_time(stepper_of(args[0])->stepper));
}

static mxArray *stopped(int n, const mxArray *const *args) {
    const object *s = stepper_of(args[0]);
    (void)n;
    return mxCreateString(dry_bind_stepper_stop(s->stepper, model_under(s)));
}

static mxArray *reset(int n, const mxArray *const *args) {
    object *s = stepper_of(args[0]);
    const double t = n > 1 ? real_of(args[1], "t") : 0.0,
                 *x0 = n > 2 ? point_of(&objects[s->of], args[2]) : NULL;
    check(dry_stepper_reset(s->stepper, t, x0, now.error));
    return column_of((size_t)dry_bind_count(model_under(s), DRY_BIND_STATES),
                     dry_stepper_states(s->stepper));
}

static mxArray *version(int n, const mxArray *const *args) {
    (void)n, (void)args;
    return mxCreateString(dry_bind_version());
}

/* ---- verbs
 * ----------------------------------------------------------------------------------------------------
 */

typedef struct verb {
    const char *name, *takes;
    int least, most; /* arguments; most -1: any */
    mxArray *(*work)(int n, const mxArray *const *args);
} verb;

static const verb verbs[] = {
    {"load", "PATH, NAME, VALUE, ...", 1, -1, load},
    {"compile", "TEXT, NAME, VALUE, ...", 1, -1, compile_text},
    {"with", "MODEL, NAME, VALUE, ...", 1, -1, with},
    {"run", "MODEL, NAME, VALUE, ...", 1, -1, run},
    {"sweep", "MODEL, NAME, VALUES, ...", 1, -1, sweep},
    {"fit", "MODEL, NAME, VALUE, ...", 1, -1, fit},
    {"parameters", "MODEL", 1, 1, parameters},
    {"states", "MODEL", 1, 1, states},
    {"outputs", "MODEL", 1, 1, outputs},
    {"inputs", "MODEL", 1, 1, inputs},
    {"equations", "MODEL, DERIVED", 1, 2, equations},
    {"start", "MODEL", 1, 1, start},
    {"rhs", "MODEL, T, X", 3, 3, rhs},
    {"jac", "MODEL, T, X", 3, 3, jac},
    {"stepper", "MODEL, NAME, VALUE, ...", 1, -1, stepper},
    {"step", "STEPPER, U", 1, 2, step},
    {"advance", "STEPPER, T, U", 2, 3, advance},
    {"rows", "STEPPER, U, INTERVAL", 2, 3, rows},
    {"set", "STEPPER, NAME, VALUE, ...", 3, -1, set},
    {"get", "STEPPER, NAME", 2, 2, get},
    {"time", "STEPPER", 1, 1, present},
    {"stopped", "STEPPER", 1, 1, stopped},
    {"reset", "STEPPER, T, X0", 1, 3, reset},
    {"free", "MODEL or STEPPER", 1, 1, free_object},
    {"version", "", 0, 0, version},
};

static const verb *verb_of(int n, const mxArray *const *args) {
    const char *name = n ? text_of(args[0], "the verb") : "";
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verbs[i].name, name)) return &verbs[i];
    fail("drystone:argument", "there is no verb '%.50s'", name);
    return NULL;
}

void mexFunction(int n_results, mxArray *results[], int n, const mxArray *args[]) {
    (void)n_results;
    if (!now.error) {
        now.error = dry_bind_error_new();
        mexAtExit(free_all);
    }
    clean(); /* what an error of the interpreter has left */
    if (!now.error) no_memory();
    const verb *v = verb_of(n, args);
    if (n - 1 < v->least || (v->most >= 0 && n - 1 > v->most))
        fail("drystone:argument", "drystone_%s takes (%s)", v->name, v->takes);
    mxArray *result = v->work(n - 1, args + 1);
    if (result) results[0] = result;
}
