/* habits: the message about a statement that the parser cannot read because it is written as in
 * another language. habits.def has the patterns and the ways out. */
#include "habits.h"

#include <string.h>

enum { MOST_TOKENS = 400, MOST_TRIES = 20000, MOST_FOUND = 9 };

typedef struct habit {
    dry_msg message;
    const char *pattern, *what, *way_out;
} habit;

static const habit habits[] = {
#define HABIT(message, pattern, what, way_out) {DRY_MSG_##message, pattern, what, way_out},
#include "habits.def"
#undef HABIT
};

int dry_habit_count(void) { return (int)(sizeof habits / sizeof *habits); }
const char *dry_habit_pattern(int i) { return habits[i].pattern; }

typedef struct search {
    const dry_token *failed, *mark;
    const dry_token *from[MOST_FOUND], *to[MOST_FOUND]; /* [from, to) */
    int n, tries;
} search;

/* One element of a pattern. */
typedef struct element {
    char prefix; /* '!', '~' or 0 */
    const char *text;
    size_t length;
} element;

static const char *next_element(const char *pattern, element *e) {
    while (*pattern == ' ') pattern++;
    size_t n = strcspn(pattern, " ");
    e->prefix = n > 1 && (*pattern == '!' || *pattern == '~') ? *pattern : '\0';
    e->text = pattern + (e->prefix ? 1 : 0);
    e->length = n - (e->prefix ? 1 : 0);
    return pattern + n;
}

static bool is(const element *e, const char *word) {
    return e->length == strlen(word) && !memcmp(e->text, word, e->length);
}

/* ---- one token ----------------------------------------------------------------------- */

static bool is_comparison(const dry_token *token) {
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    for (int i = 0; token->kind == DRY_TOK_SIGN && i < 6; i++)
        if (!strcmp(token->text, signs[i])) return true;
    return false;
}

/* Returns whether the token is one of the words of one|another. */
static bool is_word(const element *e, const dry_token *token) {
    const size_t n = strlen(token->text);
    if (token->kind == DRY_TOK_STRING || token->kind == DRY_TOK_UNIT) return false;
    for (const char *at = e->text, *end = at + e->length; at < end;) {
        size_t length = 1;
        while (at + length < end && at[length] != '|') length++;
        const bool same = length == n && !memcmp(at, token->text, n);
        const bool at_end = length == 3 && !memcmp(at, "END", 3) && dry_syntax__at_end(token);
        if (at_end || (same && !dry_syntax__at_end(token))) return true;
        at += length + 1;
    }
    return false;
}

/* Returns whether an element stands for one token and the token's kind fits. `kept`: the token
 * counts as {k}. */
static bool fits_token(const element *e, const dry_token *token, bool *kept) {
    static const struct {
        const char *name;
        dry_tok kind;
    } kinds[] = {{"NAME", DRY_TOK_NAME}, {"NUMBER", DRY_TOK_NUMBER}, {"STRING", DRY_TOK_STRING}};
    *kept = true;
    for (int i = 0; i < 3; i++)
        if (is(e, kinds[i].name)) return token->kind == kinds[i].kind;
    if (is(e, "CMP")) return is_comparison(token);
    *kept = false;
    return is_word(e, token);
}

/* ---- several tokens ------------------------------------------------------------------- */

/* Returns how a token changes the depth of brackets. */
static int bracket(const dry_token *token) {
    if (token->kind != DRY_TOK_SIGN || token->text[1]) return 0;
    return strchr("([", token->text[0]) ? 1 : strchr(")]", token->text[0]) ? -1 : 0;
}

/* Returns whether an expression outside of brackets ends here. */
static bool ends_expression(const dry_token *token) {
    static const char *const words[] = {",", "=", "if", "then", "else", "with", "for", "against"};
    if (token->kind == DRY_TOK_FOREIGN) return true;
    if (token->kind != DRY_TOK_SIGN && token->kind != DRY_TOK_KEYWORD) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(token->text, words[i])) return true;
    return false;
}

static bool fits(search *s, const char *pattern, const dry_token *token);

static bool keep(search *s, const dry_token *from, const dry_token *to, const char *rest) {
    if (s->n == MOST_FOUND) return false;
    s->from[s->n] = from;
    s->to[s->n++] = to;
    if (fits(s, rest, to)) return true;
    s->n--;
    return false;
}

/* EXPR and ARGS take the fewest tokens, with closed brackets, with which the rest fits. At the end
 * of a pattern they take everything that belongs to them. */
static bool fits_several(search *s, bool list, const char *rest, const dry_token *from) {
    int depth = 0;
    for (const dry_token *to = from;; to++) {
        const bool over = dry_syntax__at_end(to) || (!depth && bracket(to) < 0) ||
                          (!list && !depth && ends_expression(to));
        const bool enough = !depth && (list || to > from) && (*rest || over);
        if (enough && keep(s, from, to, rest)) return true;
        if (over) return false;
        depth += bracket(to);
    }
}

static const dry_token *end_of(const dry_token *token) {
    while (!dry_syntax__at_end(token)) token++;
    return token;
}

static bool fits_some(search *s, const char *rest, const dry_token *token) {
    for (;; token++) {
        if (fits(s, rest, token)) return true;
        if (dry_syntax__at_end(token)) return false;
    }
}

static bool fits_one(search *s, const element *e, const char *rest, const dry_token *token) {
    bool kept;
    if (!fits_token(e, token, &kept) || (e->prefix == '~' && token != s->failed)) return false;
    if (e->prefix) s->mark = token;
    if (dry_syntax__at_end(token)) return true;
    return kept ? keep(s, token, token + 1, rest) : fits(s, rest, token + 1);
}

/* Returns whether the tokens from here on fit the pattern. */
static bool fits(search *s, const char *pattern, const dry_token *token) {
    element e;
    if (++s->tries > MOST_TRIES) return false;
    if (!*pattern) return true;
    const char *rest = next_element(pattern, &e);
    if (is(&e, "SOME")) return fits_some(s, rest, token);
    if (is(&e, "REST")) return keep(s, token, end_of(token), rest);
    if (is(&e, "EXPR") || is(&e, "ARGS")) return fits_several(s, is(&e, "ARGS"), rest, token);
    return fits_one(s, &e, rest, token);
}

/* ---- what is said ----------------------------------------------------------------------- */

/* Returns the way out with each {k} replaced by the tokens found, without blanks at its end. */
static const char *fill(dry_parser *ps, const search *s, const char *format) {
    char text[500];
    size_t length = 0;
    for (const char *c = format; *c && length + 1 < sizeof text; c++) {
        const int k = c[0] == '{' && c[2] == '}' ? c[1] - '1' : -1;
        if (k < 0 || k >= s->n) {
            text[length++] = *c;
            continue;
        }
        const bool empty = s->from[k] == s->to[k];
        const char *found = empty ? "" : dry_syntax__source(ps, s->from[k], s->to[k] - 1);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", found);
        if (length >= sizeof text) length = sizeof text - 1;
        c += 2;
    }
    while (length && text[length - 1] == ' ') length--;
    text[length] = '\0';
    return dry_diag_text(ps->diag, "%s", text);
}

static void say(dry_parser *ps, const habit *row, const search *s) {
    const dry_token *at = s->mark ? s->mark : s->failed;
    dry_diag_say(ps->diag, at->at, row->message, (const char *const[]){"", row->what}, 2);
    dry_diag_way_out(ps->diag, "%s", fill(ps, s, row->way_out));
}

bool dry_syntax__habit(dry_parser *ps) {
    if (end_of(ps->first) - ps->first > MOST_TOKENS) return false;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        search s = {.failed = ps->token};
        if (!fits(&s, habits[i].pattern, ps->first)) continue;
        say(ps, &habits[i], &s);
        return ps->failed = ps->shown = true;
    }
    return false;
}
