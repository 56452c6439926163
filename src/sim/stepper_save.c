/* A stepper as bytes: a head that says whose they are, what is set, then what its method knows. */
#include <string.h>

#include "stepper_private.h"

typedef struct head {
    uint64_t mark;  /* of all bytes after it */
    uint64_t owner; /* of the system, the method and the options */
    double t_start;
    int64_t changed;
} head;

/* FNV-1a, eight bytes at a time, the rest one by one. */
static uint64_t mark_on(uint64_t mark, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (; size >= sizeof mark; size -= sizeof mark, at += sizeof mark) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        mark = (mark ^ word) * 1099511628211u;
        mark ^= mark >> 29; /* high bits of a word reach the low ones */
    }
    for (; size > 0; size--, at++) mark = (mark ^ *at) * 1099511628211u;
    return mark;
}
/* Of saved bytes, without the mark itself, which comes first. */
static uint64_t mark_of(const void *bytes, size_t size) {
    const size_t own = sizeof(uint64_t);
    return mark_on(0, (const char *)bytes + own, size - own);
}
static uint64_t mark_text(uint64_t mark, const char *text) {
    return text ? mark_on(mark, text, strlen(text) + 1) : mark;
}

/* The same for systems whose bytes mean the same, wherever they are. */
static uint64_t owner(const dry_stepper *s) {
    const dry_system *y = s->system;
    const int sizes[] = {y->n_states, y->n_outputs, y->n_par,   y->n_kinks,
                         y->n_breaks, y->n_clocks,  y->n_inputs};
    const double options[] = {s->run.step,     s->run.rtol,      s->run.atol,
                              s->run.max_step, s->run.max_steps, s->run.P,
                              s->run.Q,        s->run.weight,    s->run.until};
    uint64_t mark = mark_text(14695981039346656037u, s->method->name);
    mark = mark_text(mark, y->name);
    for (int i = 0; i < y->n_states; i++) mark = mark_text(mark, y->states[i].name);
    mark = mark_on(mark, sizes, sizeof sizes);
    mark = mark_on(mark, &y->work_size, sizeof y->work_size);
    return mark_on(mark, options, sizeof options);
}

static size_t numbers(const dry_stepper *s) {
    return (2 * (size_t)s->system->n_par + (size_t)s->system->n_inputs) * sizeof(double);
}

size_t dry_stepper_save_size(const dry_stepper *s) {
    const size_t own = s ? s->engine->save_size(s) : 0;
    return own > 0 ? sizeof(head) + numbers(s) + own : 0;
}

/* What save and restore refuse alike. */
static dry_status check(const dry_stepper *s, const void *bytes, size_t size, dry_error *error) {
    if (!s || !bytes)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no stepper or no memory to save it in (NULL): make a "
                             "stepper (dry_stepper_new) and pass dry_stepper_save_size bytes");
    const size_t needed = dry_stepper_save_size(s);
    if (needed == 0)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the method %s cannot be saved, because SUNDIALS gives no access to "
                             "its memory: use rodas4",
                             s->method->name);
    if (size != needed)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a saved stepper of this system and method has %zu bytes, not %zu: "
                             "pass dry_stepper_save_size bytes",
                             needed, size);
    return DRY_OK;
}

dry_status dry_stepper_save(const dry_stepper *s, void *bytes, size_t size, dry_error *error) {
    const dry_status status = check(s, bytes, size, error);
    if (status != DRY_OK) return status;
    const size_t par = (size_t)s->system->n_par * sizeof(double);
    const size_t inputs = (size_t)s->system->n_inputs * sizeof(double);
    head h = {.owner = owner(s), .t_start = s->t_start, .changed = s->changed};
    char *to = (char *)bytes + sizeof h;
    memcpy(to, s->par, par), to += par;
    memcpy(to, s->par_set, par), to += par;
    memcpy(to, s->inputs, inputs), to += inputs;
    s->engine->save(s, to);
    memcpy(bytes, &h, sizeof h);
    h.mark = mark_of(bytes, size);
    memcpy(bytes, &h, sizeof h);
    return DRY_OK;
}

static dry_status check_owner(const dry_stepper *s, const head *h, const void *bytes, size_t size,
                              dry_error *error) {
    if (h->owner != owner(s))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "these bytes were saved by a stepper of another system, method or "
                             "options: restore them in a stepper with the same ones");
    if (h->mark != mark_of(bytes, size))
        return dry_error_set(error, DRY_BAD_FILE,
                             "these bytes have changed since a stepper was saved in them: save it "
                             "again, and keep all of its bytes");
    return DRY_OK;
}

dry_status dry_stepper_restore(dry_stepper *s, const void *bytes, size_t size, dry_error *error) {
    dry_status status = check(s, bytes, size, error);
    if (status != DRY_OK) return status;
    const size_t par = (size_t)s->system->n_par * sizeof(double);
    const size_t inputs = (size_t)s->system->n_inputs * sizeof(double);
    const char *from = (const char *)bytes + sizeof(head);
    head h;
    memcpy(&h, bytes, sizeof h);
    status = check_owner(s, &h, bytes, size, error);
    if (status != DRY_OK) return status;
    if (!s->engine->restore(s, from + numbers(s)))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "these bytes were saved by another stepper, or before a reset: with "
                             "%s only the stepper that saved them can restore them; use a method "
                             "such as rk4 to hand a state to another",
                             s->method->name);
    memcpy(s->par, from, par), from += par;
    memcpy(s->par_set, from, par), from += par;
    memcpy(s->inputs, from, inputs);
    s->t_start = h.t_start;
    s->changed = h.changed != 0;
    return DRY_OK;
}
