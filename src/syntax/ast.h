/* The tokens and the tree of a .dry file, as the text has them. Names have no meaning yet. */
#ifndef DRY_SYNTAX_AST_H
#define DRY_SYNTAX_AST_H

#include "diagnostics.h"

/* ---- tokens ------------------------------------------------------------------------ */

typedef enum dry_tok {
    DRY_TOK_END,
    DRY_TOK_NEWLINE,
    DRY_TOK_NUMBER,
    DRY_TOK_UNIT, /* the text between the brackets after a number */
    DRY_TOK_NAME,
    DRY_TOK_KEYWORD,
    DRY_TOK_STRING,
    DRY_TOK_SIGN,   /* one of the signs of the language, in canonical spelling */
    DRY_TOK_FOREIGN /* a sign of another language; no statement with one can be read */
} dry_tok;

typedef struct dry_token {
    dry_tok kind;
    dry_place at;
    const char *text;      /* name, keyword, sign (canonical), string or unit */
    double value;          /* NUMBER */
    const char *from, *to; /* the bytes of the token in the source */
} dry_token;

typedef struct dry_tokens {
    const dry_token *token; /* the last one is END */
    int n;
} dry_tokens;

/* A row of words.def. */
typedef struct dry_word {
    const char *text, *form, *meaning;
    bool reserved, starts; /* it is never a name; it begins a statement */
} dry_word;
/* Returns the words of the language, the reserved ones first; NULL after the last. */
const dry_word *dry_syntax_word(int index);

/* The text of a NEWLINE if the lexer has reported a fault in the statement and may have dropped
 * something. What the parser then misses may be exactly the dropped part. */
#define DRY_TOK_FAULTY "?"

/* Reads the text into tokens. Reports faults and skips them. */
dry_tokens dry_syntax_lex(const char *text, size_t length, dry_diagnostics *diag);
/* Returns what to write in place of a FOREIGN sign. */
const char *dry_syntax__way_out_of_sign(const char *sign);

/* ---- expressions ------------------------------------------------------------------- */

typedef enum dry_ex {
    DRY_EX_NUMBER, /* value, unit */
    DRY_EX_NAME,   /* text */
    DRY_EX_MEMBER, /* text.member, or arg[0].member; a member may have dots: tip.v */
    DRY_EX_INDEX,  /* arg[0][ arg[1], (arg[2]) ] */
    DRY_EX_CALL,   /* text(arg..., key = value ...); from, to */
    DRY_EX_UNARY,  /* text: - or not, or ' (the rate of a state) */
    DRY_EX_BINARY, /* text: + - * / ^ == != < <= > >= and or */
    DRY_EX_IF,     /* arg[0..3) */
    DRY_EX_VECTOR, /* [ arg... ] */
    DRY_EX_SUM,    /* sum(arg[0] for text in arg[1] .. arg[2]) */
    DRY_EX_TEXT    /* "text", only after a key */
} dry_ex;

typedef struct dry_expr dry_expr;
typedef struct dry_key {
    const char *name;
    dry_place at;
    const dry_expr *value;
} dry_key;

struct dry_expr {
    dry_ex kind;
    dry_place at; /* of the sign or name that a message points to */
    const char *text, *member;
    double value;
    const char *unit; /* NUMBER: NULL if it has no unit */
    dry_place unit_at;
    const dry_expr **arg;
    int n_args;
    const dry_key *key;
    int n_keys;
    const dry_expr *from, *to; /* of CALL */
    int depth;                 /* of the tree below this node */
};

/* ---- statements -------------------------------------------------------------------- */

typedef enum dry_st {
    DRY_ST_MODEL,    /* name, title */
    DRY_ST_PARAM,    /* name, value, range */
    DRY_ST_STATE,    /* name, size (or NULL), value */
    DRY_ST_INIT,     /* name, index, value, loop; or target (ball.v), value, loop */
    DRY_ST_DEFINE,   /* name, index (or NULL), value, loop */
    DRY_ST_FUNCTION, /* name, params, value */
    DRY_ST_EQUATION, /* name, index (or NULL), factor (or NULL), value, loop */
    DRY_ST_SET,      /* name, index (or NULL), value, keys, law (or NULL), loop */
    DRY_ST_RUN,      /* keys */
    DRY_ST_PLOT,     /* plot, keys */
    DRY_ST_MEASURE,  /* name, value */
    DRY_ST_EXPECT,   /* value, or value = target +- tolerance */
    DRY_ST_PART,     /* name, index (or NULL), value (a call), loop */
    DRY_ST_CONNECT,  /* target (the port), ends, loop */
    DRY_ST_PUSH,     /* target (ball.f) += value, loop */
    DRY_ST_SAMPLE,   /* name, value, every, from (or NULL), keys */
    DRY_ST_TABLE,    /* name, params, data, value (NULL: from a file), keys */
    DRY_ST_INPUT,    /* name, value, or data from a file; keys */
    DRY_ST_STOP,     /* value, title (or NULL) */
    DRY_ST_OUTPUT,   /* value, data; range: the times of what counts; keys */
    DRY_ST_FREE,     /* value (a name), range, how */
    DRY_ST_STEADY,   /* value (a name) */
    DRY_ST_INCLUDE   /* name, data->file, keys; gone after dry_syntax_spread */
} dry_st;

/* port [ at p ] [ axes q | normal n ] */
typedef struct dry_end_expr {
    const dry_expr *port, *at, *axes, *normal; /* the last three may be NULL */
} dry_end_expr;

/* A unit as the text has it after `in`; text is NULL if there is none. */
typedef struct dry_unit_expr {
    const char *text;
    dry_place at;
} dry_unit_expr;

/* value [ in unit ] [ as label ] against x [ in x_unit ] */
typedef struct dry_curve_expr {
    const dry_expr *value, *x; /* x is NULL for the time */
    dry_unit_expr unit, x_unit;
    const char *label;
    bool beside; /* on the ordinate at the right */
} dry_curve_expr;

typedef struct dry_span_expr {
    const dry_expr *from, *to; /* NULL if the text gives none */
} dry_span_expr;

typedef struct dry_plot_expr {
    const dry_curve_expr *curve;
    int n_curves;
    const dry_expr **shade; /* conditions */
    int n_shades;
    dry_span_expr x, y, beside; /* the ranges of the axes */
} dry_plot_expr;

/* "name" [unit]: a column of a file */
typedef struct dry_column_expr {
    const char *name;
    dry_place at;
    dry_unit_expr unit;
} dry_column_expr;

/* Where the numbers of a table or an input come from: lists, or columns of a file. */
enum { DRY_MOST_AXES = 2 };
typedef struct dry_data_expr {
    const dry_expr *axis[DRY_MOST_AXES]; /* the knots */
    int n_axes;
    const char *file; /* NULL: from lists */
    dry_place file_at;
    dry_column_expr
        column[DRY_MOST_AXES]; /* a table: the argument, the value; an input: the value */
    int n_columns;
    const dry_column_expr *time; /* NULL: the first column */
} dry_data_expr;

/* How a parameter is free, as bits. */
enum {
    DRY_FREE_START = 1 << 0, /* the start of a state */
    DRY_FREE_LOG = 1 << 1,   /* it varies by factors */
    DRY_FREE_OWN = 1 << 2    /* each record has its own */
};

typedef struct dry_stmt {
    dry_st kind;
    dry_place at; /* of the name, or of the keyword */
    const char *name, *title;
    const dry_expr *size, *index, *factor, *value;
    const dry_expr *was; /* PARAM, DEFINE: what the value is in place of, in an included file */
    const char *unit;    /* the text in the brackets of size or index, if it reads as a unit */
    const dry_expr *target, *tolerance; /* EXPECT; target: also PUSH, CONNECT, INIT of a part */
    const dry_expr *every, *from;       /* SAMPLE: the period; the value before the first one */
    const char *loop;                   /* index name of `for`, or NULL */
    const dry_expr *first, *last;       /* of the loop */
    const dry_key *key;                 /* with, run */
    int n_keys;
    const dry_plot_expr *plot;
    dry_span_expr range; /* PARAM, FREE: in from..to; OUTPUT: from .. to */
    unsigned how;        /* FREE: DRY_FREE_... */
    const dry_data_expr *data;
    const char **param; /* function, table */
    int n_params;
    dry_end_expr end[2]; /* connect */
    int n_ends;
    const char *source; /* the text of the statement without comments, for reports */
} dry_stmt;

typedef struct dry_tree {
    const dry_stmt *stmt;
    int n;
    const char **lost; /* names in statements with faults; nothing is known about these names */
    int n_lost;
    bool cut; /* the parser did not read the rest */
} dry_tree;

/* Reads the tokens into the tree. Reports a statement with a fault and leaves it out. `is_function`
 * returns true for the names of the functions of the language. */
typedef bool dry_is_function(const char *name);
dry_tree dry_syntax_parse(dry_tokens tokens, const char *text, dry_is_function *is_function,
                          dry_diagnostics *diag);

/* ---- included files ------------------------------------------------------------------ */

/* Replaces each INCLUDE by the statements of its file, their names with the name of
 * the file before them: "m.x". Reads the files, adds them to diag->source, and reports what is
 * wrong with them. */
dry_tree dry_syntax_spread(dry_tree tree, dry_is_function *is_function, dry_diagnostics *diag);

/* ---- printing the stages ----------------------------------------------------------- */

void dry_syntax_print_tokens(dry_tokens tokens, FILE *stream);
void dry_syntax_print_tree(dry_tree tree, FILE *stream);
void dry_syntax_print_expr(const dry_expr *expr, FILE *stream);

#endif
