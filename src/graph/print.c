/* Prints the code of an image, one instruction per line, as a reader would write it. */
#include "image_private.h"
#include "ops.h"

typedef struct printer {
    const dry_image *image;
    const char *const *par_names, *const *state_names;
    FILE *stream;
} printer;

static const char *const fused_texts[] = {
#define TEXT(first, second, value) #value,
    DRY_FUSED_CODES(TEXT)
#undef TEXT
};

static void put_constant(const printer *p, int i) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(p->image->constants[i], text);
    fputs(text, p->stream);
}

/* Returns the name of a register, according to its area. */
static void put(const printer *p, uint32_t word) {
    const dry_image *image = p->image;
    const int reg = (int)word;
    if (reg < image->at_constants)
        fputs(p->par_names[reg], p->stream);
    else if (reg < image->at_once)
        put_constant(p, reg - image->at_constants);
    else if (reg < image->at_packs)
        fprintf(p->stream, "once%d", reg - image->at_once);
    else if (reg < image->at_timed)
        fprintf(p->stream, "pack%d", reg - image->at_packs);
    else if (reg < image->at_t)
        fprintf(p->stream, "timed%d", reg - image->at_timed - 1);
    else if (reg == image->at_t)
        fputs("t", p->stream);
    else if (reg == image->at_tau)
        fputs("tau", p->stream);
    else if (reg < image->at_roots)
        fputs(p->state_names[reg - image->at_x], p->stream);
    else if (reg < image->at_gathered)
        fprintf(p->stream, "root%d", reg - image->at_roots);
    else if (reg < image->at_temporaries)
        fprintf(p->stream, "gathered%d", reg - image->at_gathered);
    else
        fprintf(p->stream, "%%%d", reg - image->at_temporaries);
}

static void put_list(const printer *p, const uint32_t *words, int n) {
    for (int i = 0; i < n; i++) {
        if (i) fputs(", ", p->stream);
        put(p, words[i]);
    }
}

static void put_call(const printer *p, const char *name, const uint32_t *words, int n) {
    fprintf(p->stream, "%s(", name);
    put_list(p, words, n);
    fputc(')', p->stream);
}

static void put_result(const printer *p, uint32_t word) {
    put(p, word);
    fputs(" = ", p->stream);
}

/* Writes `value`, an expression of a, b, c, with the names of their registers. */
static void put_fused(const printer *p, const char *value, const uint32_t *words) {
    for (; *value; value++) {
        if (*value >= 'a' && *value <= 'c')
            put(p, words[*value - 'a']);
        else
            fputc(*value, p->stream);
    }
}

static void put_infix(const printer *p, const char *text, const uint32_t *words) {
    put(p, words[0]);
    fprintf(p->stream, " %s ", text);
    put(p, words[1]);
}

/* Each of these prints one kind of instruction and returns its length in words. */
static uint32_t put_operation(const printer *p, const uint32_t *pc) {
    const dry_op op = (dry_op)pc[0];
    const dry_op_row *row = &dry_op_rows[op];
    const int n = op == DRY_OP_SELECT ? 3 : row->n_args;
    put_result(p, pc[1]);
    if (row->kind == DRY_OPERATOR && n == 2)
        put_infix(p, row->text, pc + 2);
    else
        put_call(p, row->text, pc + 2, n);
    return (uint32_t)n + 2;
}

static uint32_t put_jump(const printer *p, const uint32_t *pc) {
    const uint32_t code = pc[0];
    if (code == DRY_CODE_JUMP)
        fprintf(p->stream, "go to %u", pc[1]);
    else
        fprintf(p->stream, "go to %u unless ", pc[1]);
    if (code == DRY_CODE_UNLESS) put(p, pc[2]);
    if (code == DRY_CODE_UNLESS_LT) put_infix(p, "<", pc + 2);
    if (code == DRY_CODE_UNLESS_LE) put_infix(p, "<=", pc + 2);
    return code == DRY_CODE_JUMP ? 2 : code == DRY_CODE_UNLESS ? 3 : 4;
}

static uint32_t put_gather(const printer *p, const uint32_t *pc) {
    put_result(p, pc[1]);
    put_call(p, "gather", pc + 3, (int)pc[2]);
    return 3 + pc[2];
}

static uint32_t put_law(const printer *p, const uint32_t *pc) {
    const dry_block_info *info = p->image->blocks + pc[2];
    put_result(p, pc[1]);
    if (!info->block.law) {
        const bool table = info->block.table != NULL;
        put_call(p, dry_op_text(info->op), pc + (table ? 4 : 3), table ? 1 : 2);
        return 6;
    }
    fprintf(p->stream, "%s %s", dry_op_text(info->op), info->block.law->name);
    put_call(p, "", pc + 3, info->n_args > info->n_par + info->n_inputs ? 3 : 2);
    return 6;
}

static uint32_t put_split(const printer *p, const uint32_t *pc) {
    put_list(p, pc + 1, 2);
    fputs(" = ", p->stream);
    put_call(p, pc[0] == DRY_CODE_COULOMB ? "coulomb" : "contact", pc + 3, 5);
    return 8;
}

static uint32_t put_wide(const printer *p, const uint32_t *pc) {
    static const char *const values[] = {"-a",        "a",         "a",     "a + b",
                                         "a - b",     "a * b",     "a / b", "a * b + c",
                                         "a ? b : c", "a ? b : c", "a != 0"};
    static const uint32_t lengths[] = {3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 3};
    const uint32_t kind = pc[0] - DRY_CODE_WIDE_NEG;
    fputs("wide ", p->stream);
    put_result(p, pc[1]);
    put_fused(p, values[kind], pc + 2);
    return lengths[kind];
}

static uint32_t put_tangents(const printer *p, const uint32_t *pc) {
    put_result(p, pc[1]);
    fprintf(p->stream, "%s %s", dry_op_text(DRY_OP_LAW_TANGENTS),
            p->image->blocks[pc[2]].block.law->name);
    put_call(p, "", pc + 3, 6);
    return 10;
}

static uint32_t put_instruction(const printer *p, const uint32_t *pc) {
    switch (pc[0]) {
    case DRY_CODE_MOVE:
        put_result(p, pc[1]);
        put(p, pc[2]);
        return 3;
    case DRY_CODE_JUMP:
    case DRY_CODE_UNLESS:
    case DRY_CODE_UNLESS_LT:
    case DRY_CODE_UNLESS_LE: return put_jump(p, pc);
    case DRY_CODE_GATHER: return put_gather(p, pc);
    case DRY_CODE_SOLVE:
        put_result(p, pc[1]);
        put_call(p, "solve", pc + 3, 1);
        return 4;
    case DRY_CODE_LAW: return put_law(p, pc);
    case DRY_CODE_COULOMB:
    case DRY_CODE_CONTACT: return put_split(p, pc);
    case DRY_CODE_WIDE_GATHER: fputs("wide ", p->stream); return put_gather(p, pc);
    case DRY_CODE_WIDE_SOLVE:
        put_result(p, pc[1]);
        put_call(p, "wide solve", pc + 3, 1 + (int)pc[2]);
        return 4 + pc[2];
    case DRY_CODE_TANGENTS: return put_tangents(p, pc);
    default: break;
    }
    if (pc[0] < DRY_N_OPS) return put_operation(p, pc);
    if (pc[0] >= DRY_CODE_WIDE_NEG && pc[0] <= DRY_CODE_WIDE_MOVES) return put_wide(p, pc);
    put_result(p, pc[1]);
    put_fused(p, fused_texts[pc[0] - DRY_CODE_ADD_ADD], pc + 2);
    return 5;
}

static size_t put_piece(const printer *p, const dry_piece *piece) {
    size_t at = piece->start;
    while (p->image->code[at] != DRY_CODE_END) {
        fprintf(p->stream, "%6zu  ", at);
        at += put_instruction(p, p->image->code + at);
        fputc('\n', p->stream);
    }
    return at;
}

void dry_image_print(const dry_image *image, int section, const char *const *par_names,
                     const char *const *state_names, FILE *stream) {
    const printer p = {image, par_names, state_names, stream};
    const dry_piece *piece = image->pieces + (section < 0 ? image->n_sections : section);
    if (piece->timed) put_piece(&p, image->pieces + image->n_sections + 1);
    const size_t at = put_piece(&p, piece);
    for (int k = 0; k < piece->n_runs; k++)
        for (int i = 0; i < piece->runs[k].n; i++) {
            fprintf(stream, "%6zu  root %d = ", at, piece->runs[k].first + i);
            put(&p, (uint32_t)(piece->runs[k].from + i));
            fputc('\n', stream);
        }
}
