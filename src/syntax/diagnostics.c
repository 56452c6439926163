/* Collects the messages of one compilation. */
#include "diagnostics.h"

#include <drystone/syntax.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct row {
    const char *word;
    dry_severity severity;
    const char *text, *way_out;
} row;

static const row message[] = {
#define NOTE DRY_SAY_NOTE
#define WARNING DRY_SAY_WARNING
#define ERROR DRY_SAY_ERROR
#define MESSAGE(id, word, severity, text, way_out) {word, severity, text, way_out},
#include "messages.def"
#undef MESSAGE
#undef NOTE
#undef WARNING
#undef ERROR
};

const char *dry_diag_word(dry_msg id) { return message[id].word; }
dry_severity dry_diag_severity(dry_msg id) { return message[id].severity; }

int dry_message_count(void) { return DRY_N_MESSAGES; }
const char *dry_message_word(int index) { return message[index].word; }
const char *dry_message_text(int index) { return message[index].text; }
const char *dry_message_way_out(int index) { return message[index].way_out; }

/* Returns the text of a row with {1}.. replaced, cut at the size of the buffer. */
static void fill(char *out, size_t size, const char *format, const char *const *args, int n_args) {
    size_t length = 0;
    for (const char *c = format; *c && length + 1 < size; c++) {
        if (c[0] == '{' && c[1] >= '1' && c[1] <= '9' && c[2] == '}') {
            int k = c[1] - '0';
            const char *arg = k < n_args && args[k] ? args[k] : "";
            size_t n = strlen(arg);
            if (n > size - 1 - length) n = size - 1 - length;
            memcpy(out + length, arg, n);
            length += n;
            c += 2;
        } else {
            out[length++] = *c;
        }
    }
    out[length] = 0;
}

static const char *keep(dry_diagnostics *diag, const char *text) {
    const char *copy = dry_arena_text(diag->arena, text, strlen(text));
    return copy ? copy : "";
}

/* Returns "models/" for "models/arm.dry". */
static const char *folder_of(dry_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? dry_arena_text(arena, path, (size_t)(slash + 1 - path)) : NULL;
    return folder ? folder : "";
}

int dry_diag_add_source(dry_diagnostics *diag, const char *path, const char *text, size_t length) {
    if (diag->n_sources == diag->source_room) {
        const int room = diag->source_room ? 2 * diag->source_room : 4;
        dry_source *more = dry_arena_take(diag->arena, sizeof *more * (size_t)room);
        if (!more) return -1;
        if (diag->n_sources) memcpy(more, diag->source, sizeof *more * (size_t)diag->n_sources);
        diag->source = more;
        diag->source_room = room;
    }
    diag->source[diag->n_sources] = (dry_source){.path = path,
                                                 .folder = folder_of(diag->arena, path),
                                                 .text = text,
                                                 .length = length,
                                                 .as = "",
                                                 .left = ""};
    return diag->n_sources++;
}

bool dry_diag_is_included(const dry_diagnostics *diag, const char *name) {
    for (int i = 1; i < diag->n_sources; i++) {
        const size_t n = strlen(diag->source[i].as);
        if (!strncmp(name, diag->source[i].as, n) && name[n] == '.') return true;
    }
    return false;
}

/* Each place gets only one message, because later messages there are usually consequences. */
static bool already_said(const dry_diagnostics *diag, dry_place at, dry_msg id) {
    for (int i = 0; i < diag->n_said; i++) {
        const dry_diagnostic *said = &diag->said[i];
        if (said->id == id && at.line && dry_place_same_line(said->at, at) &&
            said->at.column == at.column)
            return true;
    }
    return false;
}

/* A file that is included twice has one mistake, not two, unless the texts name different things.
 */
static bool said_of_same_file(const dry_diagnostics *diag, dry_place at, const char *text) {
    for (int i = 0; i < diag->n_said; i++) {
        const dry_diagnostic *said = &diag->said[i];
        if (said->at.line == at.line && said->at.column == at.column && at.line &&
            said->at.file != at.file && strcmp(said->text, text) == 0 &&
            strcmp(diag->source[said->at.file].path, diag->source[at.file].path) == 0)
            return true;
    }
    return false;
}

void dry_diag_say(dry_diagnostics *diag, dry_place at, dry_msg id, const char *const *args,
                  int n_args) {
    if (message[id].severity == DRY_SAY_ERROR) diag->n_errors++;
    diag->fresh = false;
    if (already_said(diag, at, id) || diag->n_said == DRY_MOST_MESSAGES) return;
    if (!diag->said) {
        diag->said = dry_arena_take(diag->arena, sizeof(dry_diagnostic) * DRY_MOST_MESSAGES);
        if (!diag->said) return;
    }
    char text[600];
    dry_diagnostic *said = &diag->said[diag->n_said];
    fill(text, sizeof text, message[id].text, args, n_args);
    if (said_of_same_file(diag, at, text)) return;
    *said = (dry_diagnostic){.id = id};
    said->at = at;
    said->text = keep(diag, text);
    fill(text, sizeof text, message[id].way_out, args, n_args);
    said->way_out = keep(diag, text);
    diag->n_said++;
    diag->fresh = true;
}

static bool comes_later(dry_place a, dry_place b) {
    if (a.file != b.file) return a.file > b.file;
    return a.line > b.line || (a.line == b.line && a.column > b.column);
}

void dry_diag_sort(dry_diagnostics *diag) {
    for (int i = 1; i < diag->n_said; i++) {
        const dry_diagnostic moved = diag->said[i];
        int k = i;
        for (; k > 0 && comes_later(diag->said[k - 1].at, moved.at); k--)
            diag->said[k] = diag->said[k - 1];
        diag->said[k] = moved;
    }
}

void dry_diag_way_out(dry_diagnostics *diag, const char *format, ...) {
    if (!diag->fresh) return;
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag->said[diag->n_said - 1].way_out = keep(diag, text);
}

void dry_diag_instead(dry_diagnostics *diag, const char *text) {
    if (diag->fresh) diag->said[diag->n_said - 1].instead = keep(diag, text);
}

void dry_diag_mean(dry_diagnostics *diag, const char *nearest) {
    dry_diag_way_out(diag, "did you mean `%s`?", nearest);
    dry_diag_instead(diag, nearest);
}

const char *dry_diag_text(dry_diagnostics *diag, const char *format, ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return keep(diag, text);
}

const char *dry_diag_join(dry_diagnostics *diag, const char *a, const char *b, const char *c) {
    const size_t n_a = strlen(a), n_b = strlen(b), n_c = strlen(c);
    char *text = dry_arena_take(diag->arena, n_a + n_b + n_c + 1);
    if (!text) return "";
    memcpy(text, a, n_a);
    memcpy(text + n_a, b, n_b);
    memcpy(text + n_a + n_b, c, n_c);
    return text;
}

const char *dry_diag_number(dry_diagnostics *diag, double x) {
    return isnan(x) ? "nan" : dry_diag_text(diag, "%.6g", x);
}

enum { LONGEST = 64 };

static int least_of(int a, int b) { return a < b ? a : b; }

/* Returns the edit distance. It counts letters that are missing, added or changed, and two letters
 * that are exchanged. It is large if a name is very long. */
static int distance(const char *a, const char *b) {
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int rows[3][LONGEST + 1]; /* of i - 2, i - 1 and i, in turn */
    for (int j = 0; j <= m; j++) rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *here = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        here[0] = i;
        for (int j = 1; j <= m; j++) {
            here[j] = least_of(least_of(here[j - 1], above[j]) + 1,
                               above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                here[j] = least_of(here[j], second[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

/* A wrong guess misleads the reader, so that short names must be nearly equal. */
const char *dry_diag_nearest(const char *name, const char *const *candidates, int n) {
    const char *best = NULL;
    int length = (int)strlen(name), least = length <= 4 ? 1 : length <= 9 ? 2 : 3;
    if (length <= 1) return NULL;
    for (int i = 0; i < n; i++) {
        if (!candidates[i]) continue;
        int d = distance(name, candidates[i]);
        if (d > 0 && d <= least && d < (int)strlen(candidates[i])) {
            best = candidates[i];
            least = d - 1;
        }
    }
    return best;
}

void dry_diag_unknown_key(dry_diagnostics *diag, dry_place at, const char *what, const char *key,
                          const char *const *known, int n) {
    const char *nearest = dry_diag_nearest(key, known, n);
    char list[400] = "";
    for (int i = 0; i < n; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", known[i]);
    DRY_SAY(diag, at, UNKNOWN_KEY, what, key, list);
    if (nearest) dry_diag_mean(diag, nearest);
}
