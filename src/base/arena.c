/* An arena: many small allocations that live and die together. */
#include <drystone/base.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MIN = 4096, BLOCK_MAX = 1 << 20, ALIGNMENT = alignof(max_align_t) };

typedef struct block {
    struct block *next;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
} block;

struct dry_arena {
    size_t limit, used; /* bytes of heap */
    bool failed;        /* something could not be had */
    block *current;     /* the blocks that are full follow it */
};

/* Whether `bytes` more stay within the limit. */
static bool fits(const dry_arena *arena, size_t bytes) {
    return arena->limit == 0 || bytes <= arena->limit - arena->used;
}

dry_arena *dry_arena_new(size_t limit) {
    if (limit != 0 && limit < sizeof(dry_arena)) return NULL;
    dry_arena *arena = malloc(sizeof *arena);
    if (arena != NULL) *arena = (dry_arena){.limit = limit, .used = sizeof *arena};
    return arena;
}

void dry_arena_free(dry_arena *arena) {
    if (arena == NULL) return;
    for (block *b = arena->current; b != NULL;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(arena);
}

size_t dry_arena_used(const dry_arena *arena) { return arena->used; }

bool dry_arena_failed(const dry_arena *arena) { return arena->failed; }
void dry_arena_fail(dry_arena *arena) { arena->failed = true; }

/* A zeroed block of `size` bytes, NULL beyond the limit. */
static block *new_block(dry_arena *arena, size_t size) {
    if (size > SIZE_MAX - sizeof(block) || !fits(arena, size + sizeof(block))) return NULL;
    block *b = calloc(1, sizeof *b + size);
    if (b == NULL) return NULL;
    b->size = size;
    arena->used += sizeof *b + size;
    return b;
}

/* The size of the next common block: twice the last. */
static size_t next_size(const dry_arena *arena) {
    if (arena->current == NULL) return BLOCK_MIN;
    size_t size = 2 * arena->current->size;
    return size < BLOCK_MIN ? BLOCK_MIN : size > BLOCK_MAX ? BLOCK_MAX : size;
}

/* A block of its own for a large piece, after the current one, which stays in use. */
static void *take_large(dry_arena *arena, size_t bytes) {
    block *b = new_block(arena, bytes);
    if (b == NULL) return NULL;
    b->used = bytes;
    block **place = arena->current == NULL ? &arena->current : &arena->current->next;
    b->next = *place;
    *place = b;
    return b->bytes;
}

static void *take(dry_arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT) return NULL;
    bytes = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    block *b = arena->current;
    if (b == NULL || bytes > b->size - b->used) {
        size_t size = next_size(arena);
        /* near the limit a piece gets a block of just its size */
        if (bytes > size / 4 || !fits(arena, size + sizeof *b)) return take_large(arena, bytes);
        b = new_block(arena, size);
        if (b == NULL) return NULL;
        b->next = arena->current;
        arena->current = b;
    }
    void *piece = b->bytes + b->used;
    b->used += bytes;
    return piece;
}

/* Remembers that a piece could not be had. */
static void *note(dry_arena *arena, void *piece) {
    if (piece == NULL) arena->failed = true;
    return piece;
}

void *dry_arena_take(dry_arena *arena, size_t bytes) { return note(arena, take(arena, bytes)); }

char *dry_arena_text(dry_arena *arena, const char *text, size_t length) {
    char *copy = note(arena, length == SIZE_MAX ? NULL : take(arena, length + 1));
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

/* ---- image: for each block its head, then what it holds ------------------- */

/* What must be the same when an image is loaded. */
typedef struct image_head {
    const block *where;
    size_t used;
} image_head;

size_t dry_arena_image_size(const dry_arena *arena) {
    size_t size = 0;
    for (const block *b = arena->current; b != NULL; b = b->next)
        size += sizeof(image_head) + b->used;
    return size;
}

void dry_arena_image_save(const dry_arena *arena, void *image) {
    unsigned char *to = image;
    for (const block *b = arena->current; b != NULL; b = b->next) {
        image_head head;
        memset(&head, 0, sizeof head);
        head.where = b;
        head.used = b->used;
        memcpy(to, &head, sizeof head);
        memcpy(to + sizeof head, b->bytes, b->used);
        to += sizeof head + b->used;
    }
}

/* Whether the image is one of these blocks. */
static bool is_of(const dry_arena *arena, const unsigned char *image) {
    for (const block *b = arena->current; b != NULL; b = b->next) {
        image_head head;
        memcpy(&head, image, sizeof head);
        if (head.where != b || head.used != b->used) return false;
        image += sizeof head + b->used;
    }
    return true;
}

bool dry_arena_image_load(dry_arena *arena, const void *image) {
    const unsigned char *from = image;
    if (!is_of(arena, from)) return false;
    for (block *b = arena->current; b != NULL; b = b->next) {
        memcpy(b->bytes, from + sizeof(image_head), b->used);
        from += sizeof(image_head) + b->used;
    }
    return true;
}

void *dry_heap_take(dry_arena *arena, size_t count, size_t size) {
    return note(arena, calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *dry_heap_grow(dry_arena *arena, void *old, size_t bytes) {
    return note(arena, realloc(old, bytes > 0 ? bytes : 1));
}
