/* A file that HDF5 writes through a stream of ours. The library never sees a failing disk, after
 * which it could neither write nor close its file: the stream remembers the failure, and who
 * commits it reports the cause. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "hdf5.h"

#ifdef DRY_WITH_HDF5
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

typedef struct driver {
    H5FD_t base; /* the library's own, first */
    FILE *stream;
    haddr_t end_of_addresses, end_of_file;
} driver;

/* The stream comes as what HDF5 calls the information of the driver. */
typedef struct information {
    FILE *stream;
} information;

static H5FD_t *open_file(const char *name, unsigned flags, hid_t list, haddr_t most) {
    (void)name, (void)flags, (void)most;
    const information *given = h5.Pget_driver_info(list);
    driver *d = given ? calloc(1, sizeof *d) : NULL;
    if (d) d->stream = given->stream;
    return (H5FD_t *)d;
}

static herr_t close_file(H5FD_t *file) {
    free(file);
    return 0;
}

static herr_t tell_abilities(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t end_of_addresses(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driver *)file)->end_of_addresses;
}

static herr_t set_end_of_addresses(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
    (void)type;
    ((driver *)file)->end_of_addresses = end;
    return 0;
}

static haddr_t end_of_file(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driver *)file)->end_of_file;
}

/* What was never written reads as zeros. */
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t n,
                         void *to) {
    (void)type, (void)list;
    const driver *d = (const driver *)file;
    memset(to, 0, n);
    if (!ferror(d->stream) && fseeko(d->stream, (off_t)at, SEEK_SET) == 0)
        (void)!fread(to, 1, n, d->stream);
    return 0;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t n,
                          const void *from) {
    (void)type, (void)list;
    driver *d = (driver *)file;
    if (!ferror(d->stream) && fseeko(d->stream, (off_t)at, SEEK_SET) == 0)
        fwrite(from, 1, n, d->stream);
    if (at + n > d->end_of_file) d->end_of_file = at + n;
    return 0;
}

/* The file has every address that the library gave away. */
static herr_t truncate_file(H5FD_t *file, hid_t list, hbool_t closing) {
    (void)list, (void)closing;
    driver *d = (driver *)file;
    if (d->end_of_file == d->end_of_addresses) return 0;
    if (!ferror(d->stream) && fflush(d->stream) == 0)
        (void)!ftruncate(fileno(d->stream), (off_t)d->end_of_addresses);
    d->end_of_file = d->end_of_addresses;
    return 0;
}

static const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* of drivers that no one else knows */
#endif
    .name = "drystone",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(information),
    .open = open_file,
    .close = close_file,
    .query = tell_abilities,
    .get_eoa = end_of_addresses,
    .set_eoa = set_end_of_addresses,
    .get_eof = end_of_file,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

/* Chunks are written whole and once: a cache of them would only take memory. */
hid_t dry_record__hdf5_create(FILE *stream) {
    const information info = {stream};
    hid_t id = h5.FDregister(&class), access = h5.Pcreate(*h5.P_CLS_FILE_ACCESS_ID_g);
    hid_t list = h5.Pcreate(*h5.P_CLS_FILE_CREATE_ID_g);
    h5.Pset_driver(access, id, &info);
    h5.Pset_cache(access, 0, 0, 0, 0.75);
    h5.Pset_obj_track_times(list, false);
    hid_t file = h5.Fcreate("table", H5F_ACC_TRUNC, list, access);
    h5.Pclose(list);
    h5.Pclose(access);
    h5.FDunregister(id); /* the file holds it as long as it is open */
    return file;
}
#else
typedef int dry_record__no_driver; /* a file needs something in it */
#endif
