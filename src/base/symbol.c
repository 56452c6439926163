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
