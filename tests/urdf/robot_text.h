/* Robots written into a file of the test, and read from it. */
#ifndef DRY_TESTS_ROBOT_TEXT_H
#define DRY_TESTS_ROBOT_TEXT_H

#include <drystone/urdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/drystone-urdf-XXXXXX";
static dry_arena *arena;

static int begin(void **state) {
    (void)state;
    const int file = mkstemp(path);
    if (file < 0) return -1;
    close(file);
    return 0;
}

static int end(void **state) {
    (void)state;
    return unlink(path);
}

static int new_arena(void **state) {
    (void)state;
    arena = dry_arena_new(0);
    return arena == NULL;
}

static int free_arena(void **state) {
    (void)state;
    dry_arena_free(arena);
    return 0;
}

static void write_text(const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static inline dry_status read_text(const char *text, dry_robot *robot, dry_error *error) {
    write_text(text);
    *error = (dry_error){0};
    return dry_urdf_read(path, arena, robot, error);
}

#define MASS(m) "<inertial><mass value='" #m "'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial>"
/* Two links, in the lines 2 and 3. */
#define TWO "<robot name='r'>\n<link name='a'/>\n<link name='b'>" MASS(1) "</link>\n"
#define ENDS "<parent link='a'/><child link='b'/>"
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_arena, free_arena)

#endif
