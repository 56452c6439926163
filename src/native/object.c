/* object: makes a shared object of a C text: finds it in the cache or compiles it, and loads it. */
#define _POSIX_C_SOURCE 200809L
#include "native_private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- loading ------------------------------------------------------------------------------- */

static bool load(const dry_native__wanted *wanted, const char *code, void **handle) {
    *handle = dlopen(code, RTLD_NOW | RTLD_LOCAL);
    if (!*handle) return false;
    if (wanted->take(wanted->user, dlsym(*handle, wanted->symbol))) return true;
    dlclose(*handle);
    *handle = NULL;
    return false;
}

static bool load_cached(const dry_native__wanted *wanted, const char *cache,
                        const dry_native__entry *entry, void **handle) {
    char *code = cache ? dry_native__look_up(cache, entry) : NULL;
    const bool good = code && load(wanted, code, handle);
    free(code);
    return good;
}

/* ---- compiling ----------------------------------------------------------------------------- */

static dry_status compile_in(const char *fresh, const dry_native__compiler *compiler,
                             int operations, const dry_native__entry *entry, dry_error *error) {
    char *source = dry_native__join(fresh, "source.c"), *code = dry_native__join(fresh, "code.so");
    char *log = dry_native__join(fresh, "log");
    dry_status status = DRY_NO_MEMORY;
    if (source && code && log) {
        status = DRY_IO;
        if (dry_native__write(fresh, "source.c", entry->source, strlen(entry->source)))
            status = dry_native__compile(compiler, operations, source, code, log, error);
        unlink(log);
    }
    if (status == DRY_OK && !dry_native__seal(fresh, entry)) status = DRY_IO;
    if (status == DRY_IO || status == DRY_NO_MEMORY)
        dry_error_set_at(error, status, fresh, 0, 0,
                         "cannot write native code here: check the free space");
    free(source);
    free(code);
    free(log);
    return status;
}

/* Returns a place for a temporary directory if nothing can be kept; the directory is removed after
 * the code is loaded. */
static const char *passing_place(void) {
    const char *place = getenv("TMPDIR");
    return place && place[0] == '/' ? place : "/tmp";
}

static dry_status make(const dry_native__wanted *wanted, const char *cache,
                       const dry_native__compiler *compiler, const dry_native__entry *entry,
                       void **handle, dry_error *error) {
    char *fresh = dry_native__fresh(cache ? cache : passing_place());
    if (!fresh)
        return dry_error_set_at(
            error, DRY_IO, cache ? cache : passing_place(), 0, 0,
            "cannot create a directory for native code here: check its permissions");
    dry_status status = compile_in(fresh, compiler, wanted->operations, entry, error);
    char *code = status == DRY_OK ? dry_native__join(fresh, "code.so") : NULL;
    if (status == DRY_OK && !(code && load(wanted, code, handle)))
        status = dry_error_set(error, DRY_RUN_FAILED,
                               "the output of the C compiler '%.100s' cannot be loaded: check that "
                               "it compiles for this computer",
                               compiler->words[0]);
    if (status == DRY_OK && cache) dry_native__publish(cache, fresh, entry);
    dry_native__remove(fresh); /* already moved if it was published */
    free(code);
    free(fresh);
    return status;
}

/* ---- the door ------------------------------------------------------------------------------ */

static void name_entry(dry_native__entry *entry) {
    char digests[2 * DRY_DIGEST_SIZE];
    dry_digest(entry->source, strlen(entry->source), digests);
    dry_digest(entry->about, strlen(entry->about), digests + DRY_DIGEST_SIZE - 1);
    dry_digest(digests, strlen(digests), entry->key);
}

dry_status dry_native__object(const dry_native__wanted *wanted, const dry_native_options *options,
                              void **handle, dry_error *error) {
    dry_native__compiler compiler;
    dry_status status =
        dry_native__find_compiler(options->compiler, wanted->operations, &compiler, error);
    if (status != DRY_OK) return status;
    char *cache = dry_native__cache(options->cache);
    dry_native__entry entry = {.source = wanted->source, .about = compiler.identity};
    name_entry(&entry);
    if (load_cached(wanted, cache, &entry, handle))
        status = DRY_OK;
    else if (options->only_cached)
        status =
            dry_error_set(error, DRY_UNSUPPORTED, "the cache has no native code for this model");
    else
        status = make(wanted, cache, &compiler, &entry, handle, error);
    dry_native__forget_compiler(&compiler);
    free(cache);
    return status;
}
