/* Loading and entering the HDF5 library: one thread at a time, silent, causes noted; without it, a
 * way out. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include "base/base.h"
#include <pthread.h>

#define CALL(name) DRY_SYMBOL_TEXT(H5##name),
static const char *const symbols[] = {
#include "hdf5_calls.def"
    NULL};
#undef CALL

#ifdef DRY_FILE_HDF5
dry_record__hdf5_calls dry_record__h5;
#else
#define DRY_FILE_HDF5 NULL
#define CALL(name) .name = &H5##name,
dry_record__hdf5_calls dry_record__h5 = {
#include "hdf5_calls.def"
};
#undef CALL
#endif

static dry_library library = {.name = "HDF5",
                              .file = DRY_FILE_HDF5,
                              .package = DRY_PACKAGE_HDF5,
                              .instead = "use a name that ends in .csv",
                              .symbols = symbols,
                              .calls = &dry_record__h5};

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

void dry_record__hdf5_enter(dry_record__hdf5 *session) {
    pthread_mutex_lock(&door);
    *session = (dry_record__hdf5){0};
    h5.open();
    h5.Eget_auto2(H5E_DEFAULT, &session->print, &session->print_data);
    h5.Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void dry_record__hdf5_leave(dry_record__hdf5 *session) {
    h5.Eset_auto2(H5E_DEFAULT, session->print, session->print_data);
    pthread_mutex_unlock(&door);
}

/* Called for the innermost error first. */
static herr_t note(unsigned n, const H5E_error2_t *e, void *user) {
    dry_record__hdf5 *session = user;
    if (n == 0 && e->desc != NULL) {
        snprintf(session->cause, sizeof session->cause, "%s", e->desc);
    }
    return 0;
}

bool dry_record__hdf5_good(dry_record__hdf5 *session, hid_t result) {
    if (result >= 0) return true;
    if (session->cause[0] == '\0') h5.Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, session);
    return false;
}

enum { DEFLATE_LEVEL = 1 };

void dry_record__hdf5_chunks(hid_t list, int rank, const hsize_t *chunk) {
    h5.Pset_chunk(list, rank, chunk);
    if (h5.Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
    h5.Pset_shuffle(list);
    h5.Pset_deflate(list, DEFLATE_LEVEL);
}

dry_status dry_record__hdf5_missing(const char *path, dry_error *error) {
    const dry_status status = dry_library_load(&library, error);
    if (status != DRY_OK && error) snprintf(error->file, sizeof error->file, "%s", path);
    return status;
}

bool dry_record_has_hdf5(void) { return true; }

#else

dry_status dry_record__hdf5_missing(const char *path, dry_error *error) {
    return dry_error_set_at(error, DRY_UNSUPPORTED, path, 0, 0,
                            "this build has no HDF5; use a name that ends in .csv, or install "
                            "libhdf5-dev and build again");
}

bool dry_record_has_hdf5(void) { return false; }
#endif
