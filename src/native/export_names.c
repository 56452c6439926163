/* export_names: the names of an exported model: its prefix, and the fields of its parameters. */
#include "export_private.h"
#include <stdio.h>
#include <string.h>

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* ---- words that are taken -----------------------------------------------------------------------
 */

/* Keywords of C and C++, and the macros of the headers and of the model. */
static const char reserved[] =
    " "
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t "
    "char16_t char32_t class co_await co_return co_yield compl complex concept const const_cast "
    "consteval constexpr constinit continue decltype default delete do double dynamic_cast else "
    "enum explicit export extern false float for friend goto if imaginary inline int linux long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
    "public register reinterpret_cast requires restrict return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try typedef "
    "typeid typename typeof typeof_unqual union unix unsigned using virtual void volatile "
    "wchar_t while xor xor_eq EOF NULL NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL BUFSIZ DOMAIN "
    "SING OVERFLOW UNDERFLOW PLOSS TLOSS HUGE RAND_MAX FOPEN_MAX FILENAME_MAX TMP_MAX L_tmpnam "
    "EXIT_SUCCESS EXIT_FAILURE MB_CUR_MAX math_errhandling stdin stdout stderr errno DRY_INLINE "
    "SYS_RATE SYS_APART SYS_SLOPES DRY_LAW ";
/* Functions that models call; C has other names for them in single precision. */
static const char renamed[] =
    " sqrt exp log sin cos tan asin acos atan sinh cosh tanh floor pow atan2 hypot fabs copysign "
    "fmod nextafter ";

/* The prefix is the name of a type, so it must not be a name that a header of main.c declares.
 * Fields may have these names. From math.h, where each name has variants for float and long
 * double: */
static const char mathematics[] =
    " acosh acospi asinh asinpi atan2pi atanh atanpi canonicalize cbrt ceil compoundn cospi drem "
    "erf erfc exp10 exp10m1 exp2 exp2m1 expm1 fdim finite fma fmax fmaximum fmin fminimum frexp "
    "fromfp fromfpx gamma ilogb isinf isnan j0 j1 jn ldexp lgamma llogb llrint llround log10 "
    "log10p1 log1p log2 log2p1 logb logp1 lrint lround modf nan nearbyint nextdown nexttoward "
    "nextup pow10 pown powr remainder remquo rint rootn round roundeven rsqrt scalb scalbln "
    "scalbn significand sincos sinpi tanpi tgamma trunc ufromfp ufromfpx y0 y1 yn ";
/* From stdio.h, stdlib.h and string.h, and the types of all four. */
static const char declared[] =
    " "
    "FILE div_t double_t float_t fpos_t ldiv_t lldiv_t max_align_t size_t va_list abort abs "
    "aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc clearerr div exit "
    "fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread free "
    "free_aligned_sized free_sized freopen fscanf fseek fsetpos ftell fwrite getc getchar "
    "getenv gets labs ldiv llabs lldiv malloc mblen mbstowcs mbtowc memalignment memccpy memchr "
    "memcmp memcpy memmove memset memset_explicit perror printf putc putchar puts qsort "
    "quick_exit rand realloc remove rename rewind scanf setbuf setvbuf snprintf sprintf srand "
    "sscanf strcat strchr strcmp strcoll strcpy strcspn strdup strerror strfromd strfromf "
    "strfroml strlen strncat strncmp strncpy strndup strpbrk strrchr strspn strstr strtod "
    "strtof strtok strtol strtold strtoll strtoul strtoull strxfrm system tmpfile tmpnam ungetc "
    "vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf wcstombs wctomb ";
/* Names that POSIX, BSD and the GNU C library add to them. */
static const char added[] =
    " "
    "a64l alloca arc4random arc4random_buf arc4random_uniform bcmp bcopy bzero clearenv ctermid "
    "dprintf drand48 drand48_data ecvt erand48 explicit_bzero fcvt fd_set fdopen ffs ffsl ffsll "
    "fileno flockfile fmemopen fseeko ftello ftrylockfile funlockfile gcvt getdelim getline "
    "getloadavg getsubopt getw index initstate jrand48 l64a lcong48 lgammaf_r lgammal_r "
    "locale_t lrand48 mkdtemp mkstemp mkstemps mktemp mrand48 nrand48 off_t on_exit "
    "open_memstream pclose popen posix_memalign pselect putenv putw qecvt qfcvt qgcvt random "
    "random_data reallocarray realpath renameat rindex rpmatch seed48 select setbuffer setenv "
    "setlinebuf setstate signgam srand48 srandom ssize_t stpcpy stpncpy strcasecmp strlcat "
    "strlcpy strncasecmp strnlen strsep strsignal strtoq strtouq tempnam timespec timeval "
    "u_char u_int u_long u_short uint ulong unsetenv ushort valloc vdprintf ";
/* The compiler would read PREFIX.h in place of one of these. */
static const char headers[] =
    " assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal "
    "stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn "
    "string tgmath threads time uchar wchar wctype ";
/* Names that the files of the folder use for something else; main.c and Makefile are among them,
 * and is_step() in them. */
static const char ours[] =
    " main Makefile makefile GNUmakefile clean step is is_step piece grid_time set_grid header "
    "go run_to far_time step_anyhow stops_after to_stop "
    "print_number print_row why SLACK READ STEP UNTIL ROWS EVERY ";

/* What a sketch has besides: types, objects and functions of Arduino.h. */
static const char boards[] =
    " Arduino Client EEPROM HardwareSerial IPAddress Print Printable SD SPI Serial Server Servo "
    "Stream String StringSumHelper Udp WString Wire analogRead analogReadResolution "
    "analogReference analogWrite attachInterrupt bit bitClear bitRead bitSet bitWrite boolean "
    "byte constrain degrees delay delayMicroseconds detachInterrupt digitalPinToInterrupt "
    "digitalRead digitalWrite highByte init interrupts lowByte loop map max micros millis min "
    "noInterrupts noTone pinMode pulseIn pulseInLong radians randomSeed setup shiftIn shiftOut "
    "sq tone word yield ";

static bool is_among(const char *word, const char *list) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if (at[-1] == ' ' && at[length] == ' ') return true;
    return false;
}

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

static bool is_reserved(const char *name) {
    return is_among(name, reserved) || is_among(name, renamed) || begins(name, "FP_") ||
           begins(name, "M_") || begins(name, "SEEK_");
}

/* ---- the prefix -------------------------------------------------------------------------------
 */

static char upper_case(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* Also finds roundf and roundl, ecvt_r and getc_unlocked. */
static bool is_declared(const char *name) {
    static const char *const endings[] = {"", "f", "l", "_r", "_l", "_unlocked"};
    char stem[DRY_EXPORT__NAME];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(name), ending = strlen(endings[i]);
        if (length <= ending || strcmp(name + length - ending, endings[i]) != 0) continue;
        snprintf(stem, sizeof stem, "%.*s", (int)(length - ending), name);
        if (is_among(stem, mathematics) || is_among(stem, renamed) || is_among(stem, declared) ||
            is_among(stem, added))
            return true;
    }
    return false;
}

/* The names made from the prefix begin with the prefix and _. */
static bool begins_ours(const char *upper) {
    static const char *const begin[] = {"SYS_", "DRY_", "N_"};
    char name[DRY_EXPORT__NAME + 1];
    snprintf(name, sizeof name, "%s_", upper);
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (begins(name, begin[i])) return true;
    return false;
}

/* Names such as B1, PI and PORTB are macros of some board. */
static bool is_like_macros(const char *name) {
    for (const char *c = name; *c; c++)
        if (!(*c >= 'A' && *c <= 'Z') && !is_digit(*c) && *c != '_') return false;
    return name[0] && name[1];
}

static bool is_of_boards(const dry_export__plan *plan, const char *name) {
    return plan->is_arduino && (is_like_macros(name) || is_among(name, boards));
}

static bool is_taken(const dry_export__plan *plan) {
    const char *prefix = plan->prefix;
    return is_of_boards(plan, prefix) || is_reserved(prefix) || is_declared(prefix) ||
           is_among(prefix, headers) || is_among(prefix, ours) || begins_ours(plan->upper);
}

dry_status dry_export__take_prefix(dry_export__plan *plan, const char *prefix, dry_error *error) {
    size_t n = 0;
    if (!prefix) prefix = "model";
    for (; prefix[n] && n < DRY_EXPORT__NAME - 1; n++) {
        const char c = prefix[n];
        if (!is_letter(c) && !(n && (is_digit(c) || c == '_'))) break;
        plan->prefix[n] = c;
        plan->upper[n] = upper_case(c);
    }
    plan->prefix[n] = plan->upper[n] = '\0';
    if (n == 0 || prefix[n])
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the prefix '%.60s' is not a name in C: use a letter, then letters, "
                             "digits and _, at most %d characters",
                             prefix, DRY_EXPORT__NAME - 1);
    if (is_taken(plan))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the prefix '%s' has another meaning in C%s or in the folder: choose "
                             "another name, such as model_%s",
                             prefix, plan->is_arduino ? ", on boards" : "", prefix);
    return DRY_OK;
}

/* ---- Greek letters ----------------------------------------------------------------------------
 */

/* In the order of their code points, from U+0391 and U+03B1 on. The first of the two sigmas is the
 * final sigma. */
static const char *const letters[] = {
    "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
enum { N_LETTERS = sizeof letters / sizeof *letters };

/* Variants and accented forms of these letters. */
static const struct {
    unsigned code;
    const char *name;
} shapes[] = {{0xB5, "mu"},       {0x386, "Alpha"},   {0x388, "Epsilon"}, {0x389, "Eta"},
              {0x38A, "Iota"},    {0x38C, "Omicron"}, {0x38E, "Upsilon"}, {0x38F, "Omega"},
              {0x3AC, "alpha"},   {0x3AD, "epsilon"}, {0x3AE, "eta"},     {0x3AF, "iota"},
              {0x3CC, "omicron"}, {0x3CD, "upsilon"}, {0x3CE, "omega"},   {0x3D0, "beta"},
              {0x3D1, "theta"},   {0x3D5, "phi"},     {0x3D6, "pi"},      {0x3F0, "kappa"},
              {0x3F1, "rho"},     {0x3F5, "epsilon"}};

static const char *name_of(unsigned code, bool *capital) {
    *capital = code >= 0x391 && code < 0x391 + N_LETTERS;
    if (*capital) return letters[code - 0x391];
    if (code >= 0x3B1 && code < 0x3B1 + N_LETTERS) return letters[code - 0x3B1];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].code == code) return shapes[i].name;
    return "letter";
}

/* Returns the code of a Greek letter or the micro sign, of two bytes; 0 for other characters. */
static unsigned code_at(const char *text) {
    const unsigned a = (unsigned char)text[0], b = a ? (unsigned char)text[1] : 0;
    const unsigned code = (a & 0x1F) << 6 | (b & 0x3F);
    const bool two = (a & 0xE0) == 0xC0 && (b & 0xC0) == 0x80;
    return two && (code == 0xB5 || (code >= 0x370 && code <= 0x3FF)) ? code : 0;
}

bool dry_export__is_greek(const char *text) { return code_at(text) != 0; }

/* ---- fields --------------------------------------------------------------------------------- */

enum { STEM = DRY_EXPORT__NAME - 12 }; /* without the suffix that keeps two names apart */

typedef struct word {
    char *text;
    size_t n;
} word;

static void add_sign(word *w, char c) {
    const bool fine = is_letter(c) || is_digit(c);
    if (w->n < STEM && c != ']' && (fine || (w->n && w->text[w->n - 1] != '_')))
        w->text[w->n++] = fine ? c : '_';
}

/* Writes the name of the letter in full, and separates it from a letter that follows: αx is
 * alpha_x. */
static const char *add_greek(word *w, const char *name) {
    bool capital;
    const char *letter = name_of(code_at(name), &capital);
    for (const char *c = letter; *c; c++) add_sign(w, capital && c == letter ? upper_case(*c) : *c);
    if (is_letter(name[2]) || code_at(name + 2)) add_sign(w, '_');
    return name + 2;
}

/* Turns a[1] into a_1, α into alpha, double into double_. */
static void clean(const dry_export__plan *plan, const char *name, char *text) {
    word w = {text, 0};
    const size_t length = strlen(plan->upper);
    if (!is_letter(*name) && !code_at(name)) add_sign(&w, 'p');
    while (*name)
        if (code_at(name))
            name = add_greek(&w, name);
        else
            add_sign(&w, *name++);
    text[w.n] = '\0';
    if (is_reserved(text) || is_of_boards(plan, text) ||
        (begins(text, plan->upper) && text[length] == '_'))
        strcpy(text + w.n, "_");
}

static bool is_plain(const dry_export__plan *plan, int i) {
    return strcmp(plan->fields[i], plan->params[i].name) == 0;
}

/* Returns true if a field that already has its name has the same name as number `index`. */
static bool is_given(const dry_export__plan *plan, int index) {
    for (int i = 0; i < plan->n_par; i++)
        if (i != index && (i < index || is_plain(plan, i)) &&
            strcmp(plan->fields[i], plan->fields[index]) == 0)
            return true;
    return false;
}

void dry_export__name_fields(dry_export__plan *plan) {
    for (int i = 0; i < plan->n_par; i++) clean(plan, plan->params[i].name, plan->fields[i]);
    for (int i = 0; i < plan->n_par; i++) {
        if (is_plain(plan, i)) continue;
        const size_t stem = strlen(plan->fields[i]);
        for (int n = 2; is_given(plan, i); n++)
            snprintf(plan->fields[i] + stem, DRY_EXPORT__NAME - stem, "_%d", n);
    }
}
