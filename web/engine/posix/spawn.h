/* What WASI lacks of POSIX, for the library as it is: other programs. None can be started. */
#ifndef DRY_POSIX_SPAWN_H
#define DRY_POSIX_SPAWN_H

#include <errno.h>
#include <sys/types.h>

typedef int posix_spawn_file_actions_t, posix_spawnattr_t;

static inline int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) {
    return *actions = 0;
}
static inline int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) {
    return (void)actions, 0;
}
static inline int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int file,
                                                   const char *path, int how, mode_t mode) {
    return (void)actions, (void)file, (void)path, (void)how, (void)mode, 0;
}
static inline int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int file,
                                                   int copy) {
    return (void)actions, (void)file, (void)copy, 0;
}
static inline int posix_spawnp(pid_t *child, const char *name,
                               const posix_spawn_file_actions_t *actions,
                               const posix_spawnattr_t *how, char *const words[],
                               char *const environment[]) {
    return (void)child, (void)name, (void)actions, (void)how, (void)words, (void)environment,
           ENOSYS;
}

#endif
