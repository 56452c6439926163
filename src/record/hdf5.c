/* Entering the HDF5 library: one thread at a time, silent, causes noted; without it, a way out. */
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

void dry_record__hdf5_enter(dry_record__hdf5 *session) {
    pthread_mutex_lock(&door);
    *session = (dry_record__hdf5){0};
    H5Eget_auto2(H5E_DEFAULT, &session->print, &session->print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void dry_record__hdf5_leave(dry_record__hdf5 *session) {
    H5Eset_auto2(H5E_DEFAULT, session->print, session->print_data);
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
    if (session->cause[0] == '\0') H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, session);
    return false;
}

enum { DEFLATE_LEVEL = 1 };

void dry_record__hdf5_chunks(hid_t list, int rank, const hsize_t *chunk) {
    H5Pset_chunk(list, rank, chunk);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
    H5Pset_shuffle(list);
    H5Pset_deflate(list, DEFLATE_LEVEL);
}

dry_status dry_record__hdf5_missing(const char *path, dry_error *error) {
    (void)path, (void)error;
    return DRY_OK;
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
