/* What follows from the time alone is computed once while the time stays, counted in basic blocks.
 */
#include "unit.h"

#include "blocks.h"
#include "graph/graph.h"
#include <stdlib.h>

enum { LENGTH = 1000 };

static dry_arena *arena;
static dry_dag *dag;

static dry_node chain(dry_node node) {
    for (int i = 0; i < LENGTH; i++) node = dry_dag_un(dag, DRY_OP_SIN, node);
    return node;
}

/* Runs the section at t = 1, again, and at t = 2; returns the blocks of each. */
static void count(dry_node root, bool timed, long long cost[3]) {
    const dry_section section = {"rates", &root, 1, timed, 0};
    dry_image *image = dry_image_new(dag, (dry_image_sizes){0, 1, 0}, &section, 1);
    void *work = malloc(dry_image_work_size(image));
    const double t[3] = {1.0, 1.0, 2.0}, x = 0.5;
    double value;
    dry_image_prepare(image, NULL, work);
    for (int i = 0; i < 3; i++) {
        const long long before = blocks;
        dry_image_run(image, 0, t[i], 0.0, &x, &value, work);
        cost[i] = blocks - before;
    }
    free(work);
    dry_image_free(image);
}

/* At least a block for each sine is saved at the second run, and none of them at another time. */
static void same_time(void **state) {
    (void)state;
    long long cost[3];
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0);
    const dry_node root = dry_dag_bin(dag, DRY_OP_MUL, chain(dry_dag_leaf(dag, DRY_OP_T, 0)), x);
    count(root, true, cost);
    above((double)cost[0], LENGTH);
    below((double)cost[1], 0.1 * LENGTH);
    above((double)cost[2], LENGTH);
    count(root, false, cost);
    above((double)cost[1], LENGTH);
}

/* if x < 1 then x else chain(t): a state leaves the chain out, at any time. */
static void branch_of_a_state(void **state) {
    (void)state;
    long long cost[3];
    const dry_node x = dry_dag_leaf(dag, DRY_OP_STATE, 0);
    const dry_node is_small = dry_dag_bin(dag, DRY_OP_LT, x, dry_dag_const(dag, 1.0));
    count(dry_dag_select(dag, is_small, x, chain(dry_dag_leaf(dag, DRY_OP_T, 0))), true, cost);
    for (int i = 0; i < 3; i++) below((double)cost[i], 0.1 * LENGTH);
}

static int open_all(void **state) {
    (void)state;
    arena = dry_arena_new(0);
    dag = dry_dag_new(arena, 1 << 20);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    dry_dag_free(dag);
    dry_arena_free(arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_time),
                                       cmocka_unit_test(branch_of_a_state)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
