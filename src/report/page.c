/* page: the beginning and the end of every page, with style and script. */
#include "report_private.h"

static void put_lines(const char *const *lines, FILE *stream) {
    for (; *lines; lines++) fputs(*lines, stream);
}

void dry_report__head(const char *title, FILE *stream) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta name=\"generator\" content=\"drystone " DRY_VERSION "\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          stream);
    dry_report__text(title, stream);
    fputs("</title>\n<style>\n", stream);
    put_lines(dry_report__css, stream);
    fputs("</style>\n</head>\n<body>\n", stream);
}

void dry_report__foot(FILE *stream) {
    fputs("<footer>Drystone " DRY_VERSION
          ": dry friction that really sticks, contacts that never pull.</footer>\n",
          stream);
}

void dry_report__end(dry_report__draws draws, FILE *stream) {
    if (draws != DRY_REPORT__NOTHING) {
        fputs("<script>\n", stream);
        put_lines(dry_report__panels_js, stream);
        if (draws == DRY_REPORT__BODIES) put_lines(dry_report__scene_js, stream);
        put_lines(dry_report__page_js, stream);
        fputs("</script>\n", stream);
    }
    fputs("</body>\n</html>\n", stream);
}
