/* The arena: aligned, zeroed, within its limit. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <drystone/base.h>

static void pieces_are_zeroed_aligned_and_apart(void **state) {
    (void)state;
    enum { N = 2000 };
    dry_arena *arena = dry_arena_new(0);
    unsigned char *piece[N];
    size_t size[N];
    assert_non_null(arena);
    for (size_t i = 0; i < N; i++) {
        size[i] = i % 37 == 0 ? 10 * i : i % 61;
        piece[i] = dry_arena_take(arena, size[i]);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
        for (size_t j = 0; j < size[i]; j++) assert_int_equal(piece[i][j], 0);
        memset(piece[i], (int)(i % 255) + 1, size[i]);
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < size[i]; j++) assert_int_equal(piece[i][j], i % 255 + 1);
    }
    dry_arena_free(arena);
}

/* Large and small pieces, of several blocks, as they were; bytes of another arena are refused. */
static void an_image_brings_back_what_was(void **state) {
    (void)state;
    enum { N = 300 };
    dry_arena *arena = dry_arena_new(0), *other = dry_arena_new(0);
    unsigned char *piece[N];
    for (size_t i = 0; i < N; i++) {
        piece[i] = dry_arena_take(arena, 10 * i + 1);
        assert_non_null(dry_arena_take(other, 10 * i + 1));
        memset(piece[i], (int)(i % 251), 10 * i + 1);
    }
    const size_t size = dry_arena_image_size(arena);
    unsigned char *image = malloc(size);
    assert_non_null(image);
    dry_arena_image_save(arena, image);
    for (size_t i = 0; i < N; i++) memset(piece[i], 255, 10 * i + 1);
    assert_false(dry_arena_image_load(other, image));
    assert_true(dry_arena_image_load(arena, image));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < 10 * i + 1; j++) assert_int_equal(piece[i][j], i % 251);
    free(image);
    dry_arena_free(arena);
    dry_arena_free(other);
}

static void an_image_is_of_the_arena_as_it_was(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    char image[4096];
    dry_arena_take(arena, 100);
    at_most(dry_arena_image_size(arena), sizeof image);
    dry_arena_image_save(arena, image);
    dry_arena_take(arena, 1);
    assert_false(dry_arena_image_load(arena, image));
    dry_arena_free(arena);
}

static void empty_pieces_differ(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    void *a = dry_arena_take(arena, 0), *b = dry_arena_take(arena, 0);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    dry_arena_free(arena);
}

static void large_piece_leaves_the_current_block_in_use(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    char *a = dry_arena_take(arena, 16);
    char *large = dry_arena_take(arena, 10u << 20);
    size_t used = dry_arena_used(arena);
    char *b = dry_arena_take(arena, 16);
    assert_non_null(large);
    memset(large, 1, 10u << 20);
    at_least(used, 10u << 20);
    assert_ptr_equal(b, a + 16);
    assert_int_equal(dry_arena_used(arena), used);
    dry_arena_free(arena);
}

static void limit_holds_and_is_used_up(void **state) {
    (void)state;
    enum { LIMIT = 100000, PIECE = 64 };
    dry_arena *arena = dry_arena_new(LIMIT);
    size_t pieces = 0;
    while (dry_arena_take(arena, PIECE) != NULL) pieces++;
    at_most(dry_arena_used(arena), LIMIT);
    /* near the limit a piece costs its size and a block's head of at most its size again */
    above(pieces * PIECE, LIMIT / 2);
    above(dry_arena_used(arena) + 2 * PIECE, LIMIT);
    dry_arena_free(arena);
}

static void impossible_sizes_give_null(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0), *small = dry_arena_new(1000);
    assert_null(dry_arena_take(arena, SIZE_MAX));
    assert_null(dry_arena_take(arena, SIZE_MAX - 20));
    assert_null(dry_arena_text(arena, "", SIZE_MAX));
    assert_null(dry_arena_take(small, 1001));
    assert_null(dry_arena_take(small, SIZE_MAX));
    assert_non_null(dry_arena_take(small, 100));
    assert_null(dry_arena_new(1));
    dry_arena_free(arena);
    dry_arena_free(small);
    dry_arena_free(NULL);
}

static void text_is_copied_and_ended(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    char source[] = "velocity";
    char *a = dry_arena_text(arena, source, 3), *b = dry_arena_text(arena, source, 0);
    source[0] = 'x';
    assert_string_equal(a, "vel");
    assert_string_equal(b, "");
    dry_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(an_image_brings_back_what_was),
        cmocka_unit_test(an_image_is_of_the_arena_as_it_was),
        cmocka_unit_test(empty_pieces_differ),
        cmocka_unit_test(large_piece_leaves_the_current_block_in_use),
        cmocka_unit_test(limit_holds_and_is_used_up),
        cmocka_unit_test(impossible_sizes_give_null),
        cmocka_unit_test(text_is_copied_and_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
