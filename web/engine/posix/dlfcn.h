/* What WASI lacks of POSIX, for the library as it is: shared objects. There are none. */
#ifndef DRY_POSIX_DLFCN_H
#define DRY_POSIX_DLFCN_H

#include <stddef.h>

enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_GLOBAL = 4, RTLD_LOCAL = 8 };

static inline void *dlopen(const char *file, int how) { return (void)file, (void)how, NULL; }
static inline void *dlsym(void *object, const char *name) { return (void)object, (void)name, NULL; }
static inline int dlclose(void *object) { return (void)object, -1; }
static inline const char *dlerror(void) { return "WebAssembly has no shared objects"; }

#endif
