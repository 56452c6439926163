/* A scene as a PNG file, if the build has libpng. */
#include "internal.h"

#ifdef DRY_WITH_PNG
#include <png.h>

bool dry_plot_has_png(void) { return true; }

static dry_status save(const dry_plot__image *image, const char *path, dry_error *error) {
    dry_file file;
    dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)image->width,
                     .height = (png_uint_32)image->height,
                     .format = PNG_FORMAT_RGB};
    if (png_image_write_to_stdio(&png, file.stream, 0, image->rgb, 3 * image->width, NULL))
        return dry_file_commit(&file, error);
    dry_file_abandon(&file);
    return dry_error_set_at(error, DRY_IO, path, 0, 0, "cannot write the picture: %s", png.message);
}

enum { DEFAULT_SCALE = 2, MOST_SCALE = 16 };

/* Where a picture goes, and its pixels per pixel of the scene. */
typedef struct target {
    const char *path;
    int scale;
} target;

static dry_status write_file(const dry_plot__scene *scene, void *user, dry_error *error) {
    const target *to = user;
    dry_plot__image image;
    dry_status status = dry_plot__raster(scene, to->scale, &image, error);
    if (status != DRY_OK) return status;
    status = save(&image, to->path, error);
    dry_plot__image_free(&image);
    return status;
}

dry_status dry_plot_png(const dry_plot *plot, const char *path, dry_error *error) {
    target to = {path, plot->scale ? plot->scale : DEFAULT_SCALE};
    if (plot->scale < 0 || plot->scale > MOST_SCALE)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a scale of %d; give 1 to %d pixels per unit, 0 for %d", plot->scale,
                             MOST_SCALE, DEFAULT_SCALE);
    return dry_plot__draw(plot, write_file, &to, error);
}

#else

bool dry_plot_has_png(void) { return false; }

dry_status dry_plot_png(const dry_plot *plot, const char *path, dry_error *error) {
    (void)plot;
    return dry_error_set_at(error, DRY_UNSUPPORTED, path, 0, 0,
                            "this build cannot write PNG: write .svg instead, or install "
                            "libpng-dev and build again");
}
#endif
