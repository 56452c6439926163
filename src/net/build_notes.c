/* build_notes: allocates memory of a net, and collects mistakes and remarks while it is built.
 *
 * A mistake is a value: its subject, what is wrong, what to do. No program parses its text. */
#include "net_private.h"

#include <string.h>

/* ---- memory ------------------------------------------------------------ */

void *dry_net__take(dry_net *net, size_t count, size_t size) {
    void *piece = dry_arena_take(net->arena, count * size);
    if (!piece) net->full = true;
    return piece;
}

DRY_PRINTF(2, 0)
static const char *print(dry_net *net, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = dry_net__take(net, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text ? text : "";
}

const char *dry_net_text(dry_net *net, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = print(net, format, arguments);
    va_end(arguments);
    return text;
}

static const char *copy(dry_net *net, const char *text) {
    return text ? dry_net_text(net, "%s", text) : NULL;
}

/* ---- mistakes and remarks ---------------------------------------------- */

static void add_note(dry_net *net, dry_net__notes *notes, dry_mistake mistake) {
    dry_net__note *note = dry_net__take(net, 1, sizeof *note);
    if (!note) return;
    note->mistake = mistake;
    *(notes->last ? &notes->last->next : &notes->first) = note;
    notes->last = note;
    notes->count++;
}

static const dry_mistake *note_at(const dry_net__notes *notes, int index) {
    const dry_net__note *note = index >= 0 ? notes->first : NULL;
    while (note && index-- > 0) note = note->next;
    return note ? &note->mistake : NULL;
}

/* Copies the mistake, because the caller's texts may not live as long as the net. */
static void add_mistake(dry_net *net, dry_mistake m, const char *what) {
    m.name = copy(net, m.name);
    m.end = copy(net, m.end);
    m.key = copy(net, m.key);
    m.way_out = copy(net, m.way_out);
    m.what = what;
    m.text = dry_net_text(net, "%s%s%s%s%s", m.name ? m.name : "", m.name ? ": " : "", what,
                          m.way_out ? ": " : "", m.way_out ? m.way_out : "");
    add_note(net, &net->mistakes, m);
}

void dry_net_mistaken(dry_net *net, dry_mistake about, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_mistake(net, about, print(net, format, arguments));
    va_end(arguments);
}

void dry_net__mistaken_by(dry_net *net, dry_mistake about, const dry_error *error) {
    about.key = *error->key ? error->key : NULL;
    about.way_out = dry_error_way_out(error);
    dry_net_mistaken(net, about, "%.*s", dry_error_what(error), error->text);
}

static bool is_said(const dry_net__notes *notes, const char *text) {
    for (const dry_net__note *note = notes->first; note; note = note->next)
        if (strcmp(note->mistake.text, text) == 0) return true;
    return false;
}

/* What is chosen anew says it anew, and is heard once. */
void dry_net_remark(dry_net *net, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = print(net, format, arguments);
    va_end(arguments);
    if (!is_said(&net->remarks, text)) add_note(net, &net->remarks, (dry_mistake){.text = text});
}

int dry_net_mistake_count(const dry_net *net) { return net->mistakes.count; }
int dry_net_remark_count(const dry_net *net) { return net->remarks.count; }
const dry_mistake *dry_net_mistake(const dry_net *net, int index) {
    return note_at(&net->mistakes, index);
}
const char *dry_net_remark_at(const dry_net *net, int index) {
    const dry_mistake *remark = note_at(&net->remarks, index);
    return remark ? remark->text : NULL;
}
