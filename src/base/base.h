/* base, for the rooms above: optional libraries, loaded when they are first used; why a file cannot
 * be written. */
#ifndef DRYSTONE_BASE_DOOR_H
#define DRYSTONE_BASE_DOOR_H

#include <drystone/base.h>

/* A library that a room calls through a struct of pointers, one for each of its symbols. Where the
 * build links the library, the struct holds their addresses from the start; else the first load
 * fills it. A program that does not use the library does not pay for loading it. */
typedef struct dry_library {
    const char *name;           /* in messages: HDF5 */
    const char *file;           /* what the loader looks for; NULL: the build links it */
    const char *package;        /* of Debian, that brings the file */
    const char *instead;        /* what to do without it */
    bool shows_symbols;         /* to the plugins that it loads itself */
    const char *const *symbols; /* in the order of the pointers; the last is NULL */
    void *calls;                /* the struct of pointers */
    bool loaded;
} dry_library;

/* Loads the library unless it is there. Returns DRY_UNSUPPORTED, with the package to install, where
 * it is missing or lacks a symbol. Threads may call it at the same time. */
dry_status dry_library_load(dry_library *library, dry_error *error);

/* Fills the error: the file cannot be written, by errno `cause`, with the way out. */
dry_status dry_file_unwritten(dry_error *error, const char *path, int cause);

/* The name of a symbol as the library has it: some headers rename theirs by a macro. */
#define DRY_SYMBOL_TEXT(symbol) DRY_SYMBOL_TEXT_AS_IS(symbol)
#define DRY_SYMBOL_TEXT_AS_IS(symbol) #symbol

#endif
