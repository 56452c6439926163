/* A team in a process that fork made: its threads stayed behind, and nobody waits for them. */
#define _POSIX_C_SOURCE 200809L
#include <unit.h>

#include <drystone/team.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECES = 100, BAD = 2 };

static void square(const void *data, dry_team_piece piece) {
    int *const *squares = data;
    (*squares)[piece.index] = piece.index * piece.index;
}

/* Whether the team fills the array. */
static bool works(dry_team *team) {
    int squares[PIECES] = {0}, *to = squares;
    dry_team_run(team, PIECES, square, &to);
    for (int i = 0; i < PIECES; i++)
        if (squares[i] != i * i) return false;
    return true;
}

static void test_a_copy_of_a_process_does_all_pieces_itself(void **state) {
    (void)state;
    dry_arena *arena = dry_arena_new(0);
    dry_team *team = dry_team_new(arena, 3);
    int status = BAD;
    assert_true(works(team));
    const pid_t child = fork();
    if (child == 0) {
        alarm(20); /* it would wait for ever */
        const bool good = works(team);
        dry_team_end(team);
        _exit(good ? 0 : BAD);
    }
    above(child, 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(works(team));
    dry_team_end(team);
    dry_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_copy_of_a_process_does_all_pieces_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
