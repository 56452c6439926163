/* Writes a picture in the format that the ending of its path names. */
#include "internal.h"

#include <string.h>

static const struct {
    const char *ending;
    dry_status (*write)(const dry_plot *, const char *, dry_error *);
} formats[] = {{".svg", dry_plot_svg}, {".png", dry_plot_png}};

dry_status dry_plot_write(const dry_plot *plot, const char *path, dry_error *error) {
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t m = strlen(formats[i].ending);
        if (n > m && strcmp(path + n - m, formats[i].ending) == 0)
            return formats[i].write(plot, path, error);
    }
    return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                            "no picture format has this ending; use .svg or .png");
}
