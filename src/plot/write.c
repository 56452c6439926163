/* Writes a picture: figure, scene, and the format that the ending of its path names. */
#include "internal.h"

#include <string.h>

static const struct {
    const char *ending;
    dry_status (*write)(const dry_plot *, const char *, dry_error *);
} formats[] = {{".svg", dry_plot_svg}, {".png", dry_plot_png}, {".pdf", dry_plot_pdf}};

dry_status dry_plot__draw(const dry_plot *plot, dry_plot__writer write, void *user,
                          dry_error *error) {
    dry_plot__figure figure;
    dry_plot__scene scene;
    dry_status status = dry_plot__figure_make(&figure, plot, error);
    if (status != DRY_OK) return status;
    status = dry_plot__layout(&figure, plot, &scene, error);
    if (status == DRY_OK) {
        status = write(&scene, user, error);
        dry_plot__scene_free(&scene);
    }
    dry_plot__figure_free(&figure);
    return status;
}

dry_status dry_plot_write(const dry_plot *plot, const char *path, dry_error *error) {
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t m = strlen(formats[i].ending);
        if (n > m && strcmp(path + n - m, formats[i].ending) == 0)
            return formats[i].write(plot, path, error);
    }
    return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                            "no picture format has this ending; use .svg, .png or .pdf");
}
