/* symbol: how mathematics writes a name: its letter and its index. */
#include <drystone/base.h>

#include <string.h>

static const char *const greek[][2] = {
    {"alpha", "α"}, {"beta", "β"},   {"gamma", "γ"},  {"delta", "δ"}, {"epsilon", "ε"},
    {"zeta", "ζ"},  {"eta", "η"},    {"theta", "θ"},  {"iota", "ι"},  {"kappa", "κ"},
    {"mu", "μ"},    {"lambda", "λ"}, {"nu", "ν"},     {"xi", "ξ"},    {"pi", "π"},
    {"rho", "ρ"},   {"sigma", "σ"},  {"tau", "τ"},    {"phi", "φ"},   {"chi", "χ"},
    {"psi", "ψ"},   {"omega", "ω"},  {"Gamma", "Γ"},  {"Delta", "Δ"}, {"Theta", "Θ"},
    {"Xi", "Ξ"},    {"Pi", "Π"},     {"Lambda", "Λ"}, {"Sigma", "Σ"}, {"Phi", "Φ"},
    {"Psi", "Ψ"},   {"Omega", "Ω"}};

const char *dry_symbol_greek(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i][0]) == length && !memcmp(greek[i][0], word, length)) return greek[i][1];
    return NULL;
}

/* The letters from U+0391 on and, in other shapes, elsewhere; LaTeX has no command for those that a
 * Latin letter is the picture of. */
static const char *const commands[] = {
    "A",       "B",          "\\Gamma",  "\\Delta", "E",         "Z",      "H",     "\\Theta",
    "I",       "K",          "\\Lambda", "M",       "N",         "\\Xi",   "O",     "\\Pi",
    "P",       NULL,         "\\Sigma",  "T",       "\\Upsilon", "\\Phi",  "X",     "\\Psi",
    "\\Omega", NULL,         NULL,       NULL,      NULL,        NULL,     NULL,    NULL,
    "\\alpha", "\\beta",     "\\gamma",  "\\delta", "\\epsilon", "\\zeta", "\\eta", "\\theta",
    "\\iota",  "\\kappa",    "\\lambda", "\\mu",    "\\nu",      "\\xi",   "o",     "\\pi",
    "\\rho",   "\\varsigma", "\\sigma",  "\\tau",   "\\upsilon", "\\phi",  "\\chi", "\\psi",
    "\\omega"};
static const struct {
    unsigned code;
    const char *command;
} shapes[] = {{0xB5, "\\mu"},
              {0x3D0, "\\beta"},
              {0x3D1, "\\vartheta"},
              {0x3D5, "\\phi"},
              {0x3D6, "\\varpi"},
              {0x3F0, "\\kappa"},
              {0x3F1, "\\varrho"},
              {0x3F5, "\\epsilon"},
              {0x386, "\\acute A"},
              {0x388, "\\acute E"},
              {0x389, "\\acute H"},
              {0x38A, "\\acute I"},
              {0x38C, "\\acute O"},
              {0x38E, "\\acute\\Upsilon"},
              {0x38F, "\\acute\\Omega"},
              {0x3AC, "\\acute\\alpha"},
              {0x3AD, "\\acute\\epsilon"},
              {0x3AE, "\\acute\\eta"},
              {0x3AF, "\\acute\\iota"},
              {0x3CC, "\\acute o"},
              {0x3CD, "\\acute\\upsilon"},
              {0x3CE, "\\acute\\omega"}};

const char *dry_symbol_command(unsigned code) {
    const unsigned first = 0x391, n = sizeof commands / sizeof *commands;
    if (code >= first && code < first + n && commands[code - first]) return commands[code - first];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].code == code) return shapes[i].command;
    return NULL;
}

/* vx: a letter and a direction. */
static bool has_direction(const char *name, size_t length) {
    return length == 2 && strchr("xyz", name[1]) && !strchr("dxyz", name[0]) &&
           (name[0] | 32) >= 'a' && (name[0] | 32) <= 'z' && !dry_symbol_greek(name, length);
}

size_t dry_symbol_stem(const char *name, const char **index) {
    const size_t length = strlen(name);
    if (has_direction(name, length)) {
        *index = name + 1;
        return 1;
    }
    size_t stem = strcspn(name, "_0123456789");
    if (!stem) stem = length;
    *index = name + stem + (name[stem] == '_');
    return stem;
}
