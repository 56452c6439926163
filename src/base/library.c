/* library: loads an optional library when it is first used, and finds the symbols that a room
 * calls. */
#include "base.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static dry_status is_missing(const dry_library *library, const char *what, dry_error *error) {
    return dry_error_set(error, DRY_UNSUPPORTED, "%s cannot be loaded: %.200s: install %s, or %s",
                         library->name, what, library->package, library->instead);
}

/* Pointers to functions and to data have one size here, as POSIX has it. */
static void set_call(const dry_library *library, size_t i, void *address) {
    memcpy((char *)library->calls + i * sizeof address, &address, sizeof address);
}

/* As a linker would: what the program has comes first. A program that is linked with the library
 * too may hold copies of its variables, and then the library itself uses these. */
static void *find_symbol(void *program, void *handle, const char *symbol) {
    void *address = program ? dlsym(program, symbol) : NULL;
    return address ? address : dlsym(handle, symbol);
}

static dry_status find_symbols(const dry_library *library, void *handle, dry_error *error) {
    void *program = dlopen(NULL, RTLD_LAZY);
    for (size_t i = 0; library->symbols[i]; i++) {
        void *address = find_symbol(program, handle, library->symbols[i]);
        if (!address) return is_missing(library, dlerror(), error);
        set_call(library, i, address);
    }
    return DRY_OK;
}

/* A library stays once it is loaded: some cannot be loaded twice. */
static dry_status load(dry_library *library, dry_error *error) {
    if (library->loaded || !library->file) return DRY_OK;
    const int scope = library->shows_symbols ? RTLD_GLOBAL : RTLD_LOCAL;
    void *handle = dlopen(library->file, RTLD_LAZY | scope);
    if (!handle) return is_missing(library, dlerror(), error);
    const dry_status status = find_symbols(library, handle, error);
    library->loaded = status == DRY_OK;
    return status;
}

dry_status dry_library_load(dry_library *library, dry_error *error) {
    pthread_mutex_lock(&door);
    const dry_status status = load(library, error);
    pthread_mutex_unlock(&door);
    return status;
}
