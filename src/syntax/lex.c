/* lex: text -> tokens. A statement ends at the end of its line, except inside brackets and after a
 * trailing operator, comma or connecting keyword. */
#include "ast.h"

#include <string.h>

typedef struct lexer {
    const char *at, *end;
    int line, column;
    int depth;      /* of ( and [ */
    dry_place open; /* the outermost bracket that is open */
    bool faulty;    /* a fault of the statement has been reported, and something may be missing */
    dry_token *token;
    int n, room;
    dry_diagnostics *diag;
} lexer;

enum { MOST_TOKENS = 2000000 };

static const dry_word words[] = {
#define STARTS true
#define JOINS false
#define WORD(text, reserved, role, form, meaning) {text, form, meaning, reserved, role},
#include "words.def"
#undef WORD
#undef JOINS
#undef STARTS
};
enum { N_WORDS = sizeof words / sizeof *words };

const dry_word *dry_syntax_word(int index) {
    return index >= 0 && index < N_WORDS ? &words[index] : NULL;
}

/* Returns the row of a reserved word; NULL: the text is a name. */
static const dry_word *keyword(const char *text) {
    for (int i = 0; i < N_WORDS && words[i].reserved; i++)
        if (text[0] == words[i].text[0] && !strcmp(text, words[i].text)) return &words[i];
    return NULL;
}

/* A sign, and what the lexer reads it as. A sign of another language has a way out, which the
 * message shows. Read as "", the sign becomes a FOREIGN token; as a line end, it ends the
 * statement; as #, it ends the line; as a blank, it is skipped. */
typedef struct sign {
    const char *text, *as, *way_out;
} sign;

static const char goes_on_by_itself[] = "remove it: a statement continues on the next line after "
                                        "an operator, after a comma and inside brackets";
static const char plain_blank[] = "replace it by a plain space: this character only looks like one";
static const char plain_quote[] = "write \" instead";
static const char rate_of_state[] = "write x' for the rate of a state x; for x'' declare a state "
                                    "for x', because equations are of first order";

/* If one sign is the beginning of another, the longer one comes first. */
static const sign signs[] = {
    {"**", "^", "use `^` for powers"},
    {"//", "#", "begin a comment with #"},
    {"/*", "#", "begin a comment with #; it ends with its line"},
    {"&&", "and", "write `and`"},
    {"&", "and", "write `and`"},
    {"||", "or", "write `or`; for the length of a vector write norm(x)"},
    {"|", "", "write abs(x) for a number, norm(x) for a vector, `or` between conditions"},
    {"?", "", "write if condition then a else b"},
    {":=", "=", "write `=`"},
    {":", "", "write key = value, a..b for a range, if c then a else b for a choice"},
    {";", "\n", "begin a new line, or remove it: a statement ends with its line"},
    {"%", "", "begin a comment with #; write mod(x, y) for the remainder of x/y"},
    {"{", "", "write ( ) inside an expression, [ ] around a vector or an index"},
    {"}", "", "write ( ) inside an expression, [ ] around a vector or an index"},
    {"~=", "!=", "write `!=`"},
    {"~", "", "write `not`; to compare two numbers write expect a = b +- c"},
    {"<>", "!=", "write `!=`"},
    {"=<", "<=", "write `<=`"},
    {"=>", ">=", "write `>=`"},
    {"-=", "+=", "write += -(...)"},
    {"*=", "", "write the whole equation: x = ..."},
    {"...", "", goes_on_by_itself},
    {"\\", "", goes_on_by_itself},
    {".*", "*", "write `*`"},
    {"./", "/", "write `/`"},
    {".^", "^", "write `^`"},
    {"@", "", "write function g(x) = ..."},
    {"$", "", "remove it: write the name of a parameter alone"},
    {"`", "", "remove it"},
    {"\xC2\xB0", "", "write [deg] after a number"},  /* degree */
    {"\xC3\xB7", "/", "write `/`"},                  /* division sign */
    {"\xE2\x88\x9A", "", "write sqrt(x)"},           /* root */
    {"\xE2\x88\x9E", "", "write inf"},               /* infinity */
    {"\xE2\x89\x88", "", "write expect a = b +- c"}, /* almost equal */
    {"\xC2\xBD", "", "write 0.5"},                   /* a half, a quarter */
    {"\xC2\xBC", "", "write 0.25"},
    {"\xC2\xBE", "", "write 0.75"},
    {"\xE2\x88\x91", "", "write sum(x[i] for i in 1..n)"}, /* sum */
    {"\xE2\x88\xAB", "",
     "write a state, y' = x; for the integral over a whole run write integral(x)"}, /* integral */
    {"\xE2\x88\x82", "", "write x' for the rate of a state x"},                     /* partial */
    {"\xE2\x81\xBB", "", "write ^-1 for a power of -1"}, /* superscript minus */
    {"\xC2\xB9", "", "write ^1"},
    {"\xE2\x81\xB4", "", "write ^4"},
    {"\xE2\x81\xB5", "", "write ^5"},
    {"\xE2\x81\xB6", "", "write ^6"},
    {"\xE1\xBA\x8B", "", rate_of_state}, /* x with a dot, with two, y with a dot, the dots alone */
    {"\xE1\xBA\x8D", "", rate_of_state},
    {"\xE1\xBA\x8F", "", rate_of_state},
    {"\xCC\x87", "", rate_of_state},
    {"\xCC\x88", "", rate_of_state},
    {"\xE2\x80\x99", "'", "write ' instead"}, /* typographic quotes */
    {"\xC2\xB4", "'", "write ' instead"},
    {"\xE2\x80\x9C", "", plain_quote},
    {"\xE2\x80\x9D", "", plain_quote},
    {"\xE2\x80\x9E", "", plain_quote},
    {"\xE2\x80\x93", "-", "write - instead"}, /* dashes */
    {"\xE2\x80\x94", "-", "write - instead"},
    {"\xE2\x80\x90", "-", "write - instead"},
    {"\xC2\xA0", " ", plain_blank}, /* blanks of other widths */
    {"\xE2\x80\x82", " ", plain_blank},
    {"\xE2\x80\x83", " ", plain_blank},
    {"\xE2\x80\x89", " ", plain_blank},
    {"\xE2\x80\xAF", " ", plain_blank},
    {"\xE3\x80\x80", " ", plain_blank},
    {"\xE2\x80\x8B", " ", "remove it: it is invisible"},
    {"\xEF\xBB\xBF", " ", "remove it: it is invisible"},
    {"+-", "+-", NULL},
    {"+=", "+=", NULL},
    {"..", "..", NULL},
    {"==", "==", NULL},
    {"!=", "!=", NULL},
    {"!", "not", "write `not`"},
    {"<=", "<=", NULL},
    {">=", ">=", NULL},
    {"\xC2\xB1", "+-", NULL},     /* plus-minus */
    {"\xE2\x88\x88", "in", NULL}, /* element of */
    {"\xC2\xB7", "*", NULL},      /* middle dot */
    {"\xE2\x8B\x85", "*", NULL},  /* dot operator */
    {"\xC3\x97", "*", NULL},      /* multiplication sign */
    {"\xC2\xB2", "^2", NULL},     /* superscripts */
    {"\xC2\xB3", "^3", NULL},
    {"\xE2\x88\x92", "-", NULL}, /* minus sign */
    {"\xE2\x89\xA4", "<=", NULL},
    {"\xE2\x89\xA5", ">=", NULL},
    {"\xE2\x89\xA0", "!=", NULL},
    {"\xE2\x80\xB2", "'", NULL}, /* prime */
    {"+", "+", NULL},
    {"-", "-", NULL},
    {"*", "*", NULL},
    {"/", "/", NULL},
    {"^", "^", NULL},
    {"=", "=", NULL},
    {"<", "<", NULL},
    {">", ">", NULL},
    {"(", "(", NULL},
    {")", ")", NULL},
    {"[", "[", NULL},
    {"]", "]", NULL},
    {",", ",", NULL},
    {".", ".", NULL},
    {"'", "'", NULL},
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns the bytes of a Greek letter (U+0370 .. U+03FF) or the micro sign at c, else 0. */
static int greek(const char *c, const char *end) {
    if (end - c < 2) return 0;
    unsigned char a = (unsigned char)c[0], b = (unsigned char)c[1];
    if ((b & 0xC0) != 0x80) return 0;
    return a == 0xCD || a == 0xCE || a == 0xCF || (a == 0xC2 && b == 0xB5) ? 2 : 0;
}

static int name_part(const lexer *lx, const char *c, bool first) {
    if (c >= lx->end) return 0;
    if (is_letter(*c) || (!first && is_digit(*c))) return 1;
    return greek(c, lx->end);
}

/* Returns the length in bytes of the UTF-8 character at c, or 0 if it is not one. */
static int utf8(const char *c, const char *end) {
    unsigned char a = (unsigned char)*c;
    int n = a < 0x80                ? 1
            : a >= 0xC2 && a < 0xE0 ? 2
            : a >= 0xE0 && a < 0xF0 ? 3
            : a >= 0xF0 && a < 0xF5 ? 4
                                    : 0;
    if (!n || end - c < n) return 0;
    for (int i = 1; i < n; i++)
        if (((unsigned char)c[i] & 0xC0) != 0x80) return 0;
    return n;
}

/* Returns whether the character at c changes the direction of the text around it: U+061C, U+200E,
 * U+200F, U+202A .. U+202E, U+2066 .. U+2069. */
static bool turns_direction(const char *c, const char *end) {
    const unsigned char *b = (const unsigned char *)c;
    if (end - c >= 2 && b[0] == 0xD8 && b[1] == 0x9C) return true;
    if (end - c < 3 || b[0] != 0xE2) return false;
    return (b[1] == 0x80 && (b[2] == 0x8E || b[2] == 0x8F || (b[2] >= 0xAA && b[2] <= 0xAE))) ||
           (b[1] == 0x81 && b[2] >= 0xA6 && b[2] <= 0xA9);
}

static int characters(const char *from, const char *to) {
    int n = 0;
    for (const char *c = from; c < to; c++) n += ((unsigned char)*c & 0xC0) != 0x80;
    return n;
}

static void say_control(dry_diagnostics *diag, dry_place at, char c) {
    DRY_SAY(diag, at, CONTROL_CHARACTER, "");
    if (c == '\r') dry_diag_way_out(diag, "save the file with line ends LF or CR LF");
}

static void say_bad_byte(lexer *lx, dry_place at, const char *c, int bytes) {
    if (!bytes)
        DRY_SAY(lx->diag, at, NOT_UTF8, "");
    else if ((unsigned char)*c < 32 || *c == 127)
        say_control(lx->diag, at, *c);
    else
        DRY_SAY(lx->diag, at, STRANGE_CHARACTER, dry_arena_text(lx->diag->arena, c, (size_t)bytes));
}

/* Units and titles may hold any text. The lexer reports the first byte that is not text. */
static bool check_text(lexer *lx, const char *from, const char *to) {
    for (const char *c = from; c < to;) {
        int n = utf8(c, to);
        if (!n || ((unsigned char)*c < 32 && *c != '\t') || *c == 127) {
            dry_place at = {lx->line, lx->column + characters(lx->at, c), 1, lx->diag->reading};
            say_bad_byte(lx, at, c, n);
            return false;
        }
        c += n;
    }
    return true;
}

static const char *keep(lexer *lx, const char *from, const char *to) {
    const char *text = dry_arena_text(lx->diag->arena, from, (size_t)(to - from));
    return text ? text : "";
}

static void add(lexer *lx, dry_tok kind, const char *text, int length, double value) {
    if (lx->n == MOST_TOKENS) {
        const dry_place at = {lx->line, lx->column, 1, lx->diag->reading};
        if (lx->at < lx->end) DRY_SAY(lx->diag, at, TOO_LARGE, "");
        lx->at = lx->end;
        lx->depth = 0;
        return;
    }
    if (lx->n == lx->room) {
        int room = lx->room ? 2 * lx->room : 256;
        dry_token *more = dry_arena_take(lx->diag->arena, sizeof *more * (size_t)room);
        if (!more) {
            lx->at = lx->end; /* the owner sees the exhausted arena */
            return;
        }
        if (lx->n) memcpy(more, lx->token, sizeof *more * (size_t)lx->n);
        lx->token = more;
        lx->room = room;
    }
    lx->token[lx->n++] = (dry_token){
        kind, {lx->line, lx->column, length, lx->diag->reading}, text, value, lx->at, lx->at};
}

/* Adds the token of the bytes up to `to` and moves past them. */
static void take(lexer *lx, dry_tok kind, const char *text, const char *to, double value) {
    int length = characters(lx->at, to);
    add(lx, kind, text, length, value);
    if (lx->at < lx->end) {
        lx->token[lx->n - 1].to = to;
        lx->at = to;
        lx->column += length;
    }
}

/* The text of the token records whether a fault in the statement has been reported. */
static void end_statement(lexer *lx, int length) {
    add(lx, DRY_TOK_NEWLINE, lx->faulty ? DRY_TOK_FAULTY : "", length, 0.0);
    lx->faulty = false;
}

/* A keyword that begins a statement cannot stand inside brackets, so that a closing bracket is
 * missing. */
static void close_brackets(lexer *lx) {
    DRY_SAY(lx->diag, lx->open, BRACKET_NOT_CLOSED, "");
    lx->depth = 0;
    lx->faulty = true;
    end_statement(lx, 1);
}

/* Returns whether a dot stands right before. If so, what follows is a member, whatever its name is.
 */
static bool is_member(const lexer *lx) {
    const dry_token *last = lx->n ? &lx->token[lx->n - 1] : NULL;
    return last && last->kind == DRY_TOK_SIGN && !strcmp(last->text, ".") && last->to == lx->at;
}

static void lex_name(lexer *lx) {
    const char *to = lx->at;
    for (int n; (n = name_part(lx, to, to == lx->at)) > 0;) to += n;
    const char *text = keep(lx, lx->at, to);
    const bool member = is_member(lx);
    const dry_word *word = member ? NULL : keyword(text);
    if (lx->depth > 0 && word && word->starts) close_brackets(lx);
    take(lx, word ? DRY_TOK_KEYWORD : DRY_TOK_NAME, text, to, 0.0);
}

/* number = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ] */
static void lex_number(lexer *lx) {
    const char *to = lx->at;
    while (to < lx->end && is_digit(*to)) to++;
    if (to + 1 < lx->end && *to == '.' && to[1] != '.') /* not the .. of a range */
        for (to++; to < lx->end && is_digit(*to);) to++;
    if (to < lx->end && (*to == 'e' || *to == 'E')) {
        const char *power = to + 1;
        if (power < lx->end && (*power == '+' || *power == '-')) power++;
        if (power < lx->end && is_digit(*power)) {
            while (power < lx->end && is_digit(*power)) power++;
            to = power;
        }
    }
    const char *text = keep(lx, lx->at, to), *end;
    double value = 0.0;
    dry_place at = {lx->line, lx->column, (int)(to - lx->at), lx->diag->reading};
    if (!dry_number_parse(text, &end, &value) || !(value <= 1.7976931348623157e308)) {
        DRY_SAY(lx->diag, at, NUMBER_RANGE, text);
        value = 1.0;
    }
    take(lx, DRY_TOK_NUMBER, text, to, value);
}

/* unit = "[" text "]" after a number, on the same line */
static bool lex_unit(lexer *lx) {
    if (!lx->n || lx->token[lx->n - 1].kind != DRY_TOK_NUMBER || *lx->at != '[') return false;
    const char *to = lx->at + 1;
    while (to < lx->end && *to != ']' && *to != '\n') to++;
    if (to == lx->end || *to != ']') {
        dry_place at = {lx->line, lx->column, 1, lx->diag->reading};
        DRY_SAY(lx->diag, at, UNIT_NOT_CLOSED, "");
        take(lx, DRY_TOK_UNIT, "1", to, 0.0);
    } else {
        bool good = check_text(lx, lx->at + 1, to);
        take(lx, DRY_TOK_UNIT, good ? keep(lx, lx->at + 1, to) : "1", to + 1, 0.0);
    }
    return true;
}

static void lex_string(lexer *lx) {
    const char *to = lx->at + 1;
    while (to < lx->end && *to != '"' && *to != '\n') to++;
    (void)check_text(lx, lx->at + 1, to);
    if (to == lx->end || *to != '"') {
        dry_place at = {lx->line, lx->column, 1, lx->diag->reading};
        DRY_SAY(lx->diag, at, STRING_NOT_CLOSED, "");
        take(lx, DRY_TOK_STRING, keep(lx, lx->at + 1, to), to, 0.0);
    } else {
        take(lx, DRY_TOK_STRING, keep(lx, lx->at + 1, to), to + 1, 0.0);
    }
}

/* Returns whether this is the first byte of CR LF, or a CR that ends the text. */
static bool is_line_end(const lexer *lx) {
    return *lx->at == '\r' && (lx->at + 1 == lx->end || lx->at[1] == '\n');
}

/* Skips to the end of the line, or to a CR that the writer may mean as a line end. */
static void skip_line(lexer *lx) {
    while (lx->at < lx->end && *lx->at != '\n' && (*lx->at != '\r' || is_line_end(lx))) lx->at++;
}

const char *dry_syntax__way_out_of_sign(const char *text) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].way_out && !strcmp(signs[i].text, text)) return signs[i].way_out;
    return "";
}

/* The writer may mean something else by a sign that is read as another, so that the statement is
 * faulty. */
static void say_foreign(lexer *lx, const sign *row, int length) {
    const dry_place at = {lx->line, lx->column, length, lx->diag->reading};
    DRY_SAY(lx->diag, at, FOREIGN_SIGN, row->text);
    dry_diag_way_out(lx->diag, "%s", row->way_out);
    dry_diag_instead(lx->diag, row->as);
    if (!strchr("#\n ", row->as[0])) lx->faulty = true;
}

/* Skips a sign that is read as a comment, a line end or a blank. */
static void pass_over(lexer *lx, const sign *row, int length) {
    if (row->as[0] == '#') {
        skip_line(lx);
        return;
    }
    if (row->as[0] == '\n') end_statement(lx, length);
    lx->at += strlen(row->text);
    lx->column += length;
}

static void take_sign(lexer *lx, const char *text, const char *to) {
    if (!lx->depth) lx->open = (dry_place){lx->line, lx->column, 1, lx->diag->reading};
    lx->depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
    if (lx->depth < 0) lx->depth = 0;
    take(lx, DRY_TOK_SIGN, text, to, 0.0);
}

static const sign *sign_at(const lexer *lx) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i].text[0] != *lx->at) continue;
        const size_t n = strlen(signs[i].text);
        if ((size_t)(lx->end - lx->at) >= n && !memcmp(lx->at, signs[i].text, n)) return &signs[i];
    }
    return NULL;
}

/* A ; inside brackets, as in [1, 2; 3, 4], does not end a statement. */
static bool is_foreign(const lexer *lx, const sign *row) {
    return !row->as[0] || (row->as[0] == '\n' && lx->depth > 0);
}

static bool lex_sign(lexer *lx) {
    const sign *row = sign_at(lx);
    if (!row) return false;
    const char *as = row->as, *to = lx->at + strlen(row->text);
    if (is_foreign(lx, row)) {
        take(lx, DRY_TOK_FOREIGN, row->text, to, 0.0);
        return true;
    }
    if (row->way_out) say_foreign(lx, row, characters(lx->at, to));
    if (strchr("#\n ", *as))
        pass_over(lx, row, characters(lx->at, to));
    else if (is_letter(*as))
        take(lx, DRY_TOK_KEYWORD, as, to, 0.0);
    else if (as[0] == '^' && as[1]) { /* superscript: a power and its number */
        add(lx, DRY_TOK_SIGN, "^", 1, 0.0);
        take(lx, DRY_TOK_NUMBER, as + 1, to, (double)(as[1] - '0'));
    } else {
        take_sign(lx, as, to);
    }
    return true;
}

/* Returns whether the statement cannot have ended with the last token. */
static bool goes_on(const lexer *lx) {
    if (lx->depth > 0) return true;
    if (!lx->n) return true; /* blank lines before the first statement */
    const dry_token *last = &lx->token[lx->n - 1];
    if (last->kind == DRY_TOK_NEWLINE) return true;
    if (last->kind == DRY_TOK_FOREIGN) {
        if (dry_syntax__way_out_of_sign(last->text) == goes_on_by_itself) return true;
        while (last > lx->token && last->kind == DRY_TOK_FOREIGN) last--;
    }
    const dry_word *word = last->kind == DRY_TOK_KEYWORD ? keyword(last->text) : NULL;
    if (word) return !word->starts;
    return last->kind == DRY_TOK_SIGN && !strchr(")]'", last->text[0]);
}

static void lex_newline(lexer *lx) {
    if (!goes_on(lx)) end_statement(lx, 1);
    lx->at++;
    lx->line++;
    lx->column = 1;
}

static void lex_bad(lexer *lx) {
    int n = utf8(lx->at, lx->end);
    dry_place at = {lx->line, lx->column, 1, lx->diag->reading};
    if (!turns_direction(lx->at, lx->end)) say_bad_byte(lx, at, lx->at, n);
    lx->faulty = true;
    lx->at += n ? n : 1;
    lx->column++;
}

/* The lexer refuses characters that change the direction of text everywhere, in comments too,
 * because with them a reader sees a different model than the compiler. */
static void refuse_turned_text(lexer *lx) {
    int line = 1;
    const char *from = lx->at; /* of the line */
    for (const char *c = lx->at; c < lx->end; c++) {
        if (*c == '\n') {
            line++;
            from = c + 1;
        } else if (turns_direction(c, lx->end)) {
            const dry_place at = {line, characters(from, c) + 1, 1, lx->diag->reading};
            DRY_SAY(lx->diag, at, TURNED_TEXT, "");
        }
    }
}

static void lex_one(lexer *lx) {
    char c = *lx->at;
    if (c == '\n')
        lex_newline(lx);
    else if (c == ' ' || c == '\t' || is_line_end(lx))
        lx->at++, lx->column++;
    else if (c == '#')
        skip_line(lx);
    else if (is_digit(c) || (c == '.' && lx->at + 1 < lx->end && is_digit(lx->at[1])))
        lex_number(lx);
    else if (name_part(lx, lx->at, true))
        lex_name(lx);
    else if (c == '"')
        lex_string(lx);
    else if (!lex_unit(lx) && !lex_sign(lx))
        lex_bad(lx);
}

dry_tokens dry_syntax_lex(const char *text, size_t length, dry_diagnostics *diag) {
    lexer lx = {.at = text, .end = text + length, .line = 1, .column = 1, .diag = diag};
    if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) lx.at += 3; /* byte order mark */
    refuse_turned_text(&lx);
    while (lx.at < lx.end) lex_one(&lx);
    if (lx.depth > 0) close_brackets(&lx);
    end_statement(&lx, 0);
    add(&lx, DRY_TOK_END, "", 0, 0.0);
    static const dry_token nothing = {.kind = DRY_TOK_END, .at = {1, 1, 0, 0}, .text = ""};
    if (!lx.n || lx.token[lx.n - 1].kind != DRY_TOK_END) return (dry_tokens){&nothing, 1};
    return (dry_tokens){lx.token, lx.n};
}

void dry_syntax_print_tokens(dry_tokens tokens, FILE *stream) {
    static const char *const kinds[] = {"end",     "newline", "number", "unit",   "name",
                                        "keyword", "string",  "sign",   "foreign"};
    for (int i = 0; i < tokens.n; i++)
        fprintf(stream, "%4d:%-3d %-8s %s\n", tokens.token[i].at.line, tokens.token[i].at.column,
                kinds[tokens.token[i].kind], tokens.token[i].text);
}
