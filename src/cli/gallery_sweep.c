/* Runs the sweeps that stand as commands in the head comment of a model, and draws them. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MEASURES = 8 };

typedef struct proposal {
    char *line; /* the command, cut into words */
    dry_sweep_axis axes[DRY_SWEEP_AXES];
    int n_axes;
    const char *measures[MOST_MEASURES];
    int n_measures;
    bool log, map, curves; /* how it is drawn */
} proposal;

/* ---- the command ------------------------------------------------------------------------------
 */

static void read_measures(proposal *p, char *words) {
    char *rest;
    for (char *w = strtok_r(words, ",", &rest); w && p->n_measures < MOST_MEASURES;
         w = strtok_r(NULL, ",", &rest))
        p->measures[p->n_measures++] = w;
}

static bool read_proposal(proposal *p, const char *command, dry_error *error) {
    char *rest = NULL;
    const char *before = "";
    p->line = strdup(command);
    if (!p->line) return false;
    for (char *w = strtok_r(p->line, " ", &rest); w; before = w, w = strtok_r(NULL, " ", &rest)) {
        if (!strcmp(before, "--measure")) read_measures(p, w);
        p->log = p->log || !strcmp(w, "--log");
        p->map = p->map || !strcmp(w, "--map");
        p->curves = p->curves || !strcmp(w, "--curves");
        if (strcmp(before, "-p") != 0 || p->n_axes == DRY_SWEEP_AXES) continue;
        if (dry_sweep_axis_read(&p->axes[p->n_axes], w, error) != DRY_OK) return false;
        p->n_axes++;
    }
    return p->n_axes > 0;
}

static void free_proposal(proposal *p) {
    for (int i = 0; i < p->n_axes; i++) dry_sweep_axis_free(&p->axes[i]);
    free(p->line);
}

/* ---- the picture --------------------------------------------------------------------------------
 */

/* The text of the SVG that `how` makes of a table; NULL with the error filled. */
static char *draw(const cli_sweep_picture *how, const dry_record *table, dry_error *error) {
    char *text = NULL;
    size_t length;
    FILE *stream = dry_text_open(&text, &length);
    bool good = stream && cli_draw_sweep_svg(how, table, stream, error) == DRY_OK;
    if (stream) good = dry_text_close(stream, &text) && good;
    if (good) return text;
    if (!error->status) dry_error_set(error, DRY_NO_MEMORY, "out of memory for the picture");
    free(text);
    return NULL;
}

static bool draw_both(const proposal *p, const dry_record *table, dry_card_image *image,
                      dry_error *error) {
    cli_sweep_picture how = {.axes = p->axes,
                             .n_axes = p->n_axes,
                             .log = p->log,
                             .map = p->map,
                             .curves = p->curves,
                             .n_measures = dry_record_columns(table) - p->n_axes - 1};
    image->light = draw(&how, table, error);
    how.dark = true;
    image->dark = image->light ? draw(&how, table, error) : NULL;
    return image->dark != NULL;
}

static bool run_proposal(const proposal *p, const char *path, const char *text, size_t length,
                         dry_card_image *image, dry_error *error) {
    dry_sweep_result result = {0};
    const dry_sweep_options options = {.axes = p->axes,
                                       .n_axes = p->n_axes,
                                       .measures = p->n_measures ? p->measures : NULL,
                                       .n_measures = p->n_measures};
    const bool good = dry_sweep_run(path, text, length, &options, &result, error) == DRY_OK &&
                      draw_both(p, result.record, image, error);
    dry_record_free(result.record);
    return good;
}

/* ---- the head of a text
 * --------------------------------------------------------------------------- */

/* The command in a line of the head, to be freed; NULL if it has none. */
static char *command_in(const char *line, size_t length) {
    static const char mark[] = "drystone sweep ";
    size_t skip = 1;
    while (skip < length && line[skip] == ' ') skip++;
    if (skip < 3 || length - skip < sizeof mark - 1 ||
        strncmp(line + skip, mark, sizeof mark - 1) != 0)
        return NULL;
    return strndup(line + skip, length - skip);
}

static bool add_sweep(const char *path, const char *text, size_t length, char *command,
                      dry_card_image *image) {
    dry_error error = {0};
    proposal p = {0};
    const bool good =
        read_proposal(&p, command, &error) && run_proposal(&p, path, text, length, image, &error);
    if (!good) cli_complain("%s: %s: %s", path, command, error.text);
    image->caption = command;
    free_proposal(&p);
    return good;
}

/* A command beyond the last picture; false, because it is not run. */
static bool refuse_sweep(const char *path, char *command) {
    cli_complain("%s: %s: a page has %d sweeps at most; put this one into a model of its own", path,
                 command, CLI_SWEEPS);
    free(command);
    return false;
}

int cli_run_sweeps(const char *path, const char *text, size_t length,
                   dry_card_image images[CLI_SWEEPS], bool *failed) {
    int n = 0;
    for (const char *line = text; *line == '#';) {
        const size_t end = strcspn(line, "\r\n");
        char *command = command_in(line, end);
        if (command && n == CLI_SWEEPS) {
            *failed = !refuse_sweep(path, command);
        } else if (command) {
            images[n] = (dry_card_image){0};
            *failed = !add_sweep(path, text, length, command, &images[n++]) || *failed;
        }
        line += end + strspn(line + end, "\r\n");
    }
    return n;
}

void cli_sweeps_free(dry_card_image *images, int count) {
    for (int i = 0; i < count; i++) {
        free((char *)images[i].caption);
        free((char *)images[i].light);
        free((char *)images[i].dark);
    }
}
