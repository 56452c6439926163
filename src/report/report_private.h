/* report, inside the room. */
#ifndef DRY_REPORT_PRIVATE_H
#define DRY_REPORT_PRIVATE_H

#include <drystone/plot.h>
#include <drystone/report.h>
#include <stdint.h>
#include <stdio.h>

/* ---- html.c: text that cannot become markup ------------------------------------------------- */

/* Text with < > & " ' as entities. */
void dry_report__text(const char *text, FILE *stream);
void dry_report__text_of(const char *text, size_t length, FILE *stream);
/* Markup in which every %s, the only sign that it may have, becomes such a text. */
void dry_report__put(FILE *stream, const char *markup, ...) DRY_PRINTF(2, 3);
/* A string of JSON within a script: < is written as \u003c. */
void dry_report__json(const char *text, FILE *stream);
/* A number for reading, to so many digits: 1.5·10⁻⁶ in HTML. */
void dry_report__number(double x, int digits, FILE *stream);

/* Bytes in base 64, for a data: address. */
void dry_report__base64(const char *bytes, size_t length, FILE *stream);
/* With - and _ in place of + and /, which an address does not take, and without = at the end. */
void dry_report__base64_of_address(const char *bytes, size_t length, FILE *stream);
/* "m/s^2" with a raised 2. */
void dry_report__unit(const char *unit, FILE *stream);

/* ---- page_text.c, printed by tools/page-text.sh ---------------------------------------------- */

/* The style and the scripts of a page, line by line, NULL after the last. */
extern const char *const dry_report__css[],
    *const dry_report__panels_js[], *const dry_report__scene_js[], *const dry_report__page_js[];

/* ---- page.c: what every page begins and ends with ----------------------------------------------
 */

void dry_report__head(const char *title, FILE *stream);
void dry_report__foot(FILE *stream);
/* What the script of a page draws. */
typedef enum dry_report__draws {
    DRY_REPORT__NOTHING,
    DRY_REPORT__PANELS,
    DRY_REPORT__BODIES
} dry_report__draws;
/* The script and the end of the document; with bodies: panels too. */
void dry_report__end(dry_report__draws draws, FILE *stream);

/* ---- thin.c: the rows of a panel that are kept -------------------------------------------------
 */

/* Of `rows` rows those that keep the first, the last and the extremes of every column in each of so
 * many parts that about `most` are left. Returns how many; `kept` has room for `rows`. */
size_t dry_report__thin(const double *const *columns, int n, size_t rows, size_t most,
                        size_t *kept);
/* The same for curves whose abscissa may turn back: at most `most`, by the finest tolerance that
 * leaves so few. If that tolerance could be seen, it leaves out rows that would be drawn over
 * others, with DRY_REPORT__LIFT in their place, and there may be four times as many. */
#define DRY_REPORT__LIFT SIZE_MAX
#define DRY_REPORT__NO_MEMORY SIZE_MAX /* in place of how many */
size_t dry_report__thin_plane(const dry_plot_plane *plane, size_t rows, size_t most, size_t *kept);
/* Notes that memory ran out, so the page is incomplete. */
static inline void dry_report__lack(const dry_card *card) {
    if (card->no_memory) *card->no_memory = true;
}
/* ink.c: of the n rows those that are not drawn over others; `most` + 1 where these are more. */
size_t dry_report__lift(const dry_plot_plane *plane, const size_t *rows, size_t n, size_t most,
                        size_t *kept);

/* ---- link.c: the address by which a playground opens the model ---------------------------------
 */

/* Prints the link, or nothing: if no playground is known, or what ran is more than an address can
 * say (inputs, other files, a parameter that is not a number). */
void dry_report__link(const dry_card *card, FILE *stream);
/* False without memory. */
bool dry_report__deflated(const char *text, size_t length, FILE *stream);

/* ---- phases.c: when an element sticks, slips, is open or closed ---------------------------------
 */

/* What is drawn, as bits (panels.js): hold is stick or closed. */
typedef enum dry_phase { DRY_PHASE_OPEN = 1, DRY_PHASE_HOLD = 2, DRY_PHASE_SLIP = 4 } dry_phase;

/* One element of the model: no phase changes between the begins. An interval with several phases is
 * too short a time for them to be seen apart. */
typedef struct dry_report__band {
    const char *name;
    int element;  /* of the system */
    bool contact; /* it is open or closed, and never sticks or slips */
    size_t n, room;
    double *begin;        /* s */
    unsigned char *phase; /* dry_phase */
} dry_report__band;

typedef struct dry_report__bands {
    dry_report__band *band;
    int n;
    int left_out; /* beyond the most that are shown */
} dry_report__bands;

/* False where there are none; to be freed in any case. */
bool dry_report__find_bands(const dry_card *card, dry_report__bands *bands);
void dry_report__free_bands(dry_report__bands *bands);

/* ---- the data of a page, as JSON ----------------------------------------------------------------
 */

/* data.c: {"from":..,"until":..,"panels":[..],"bands":[..],"scene":{..}}, without the last }. */
void dry_report__data(const dry_card *card, const dry_report__bands *bands, FILE *stream);
/* "key":number, to the last bit */
void dry_report__exact(const char *key, double x, FILE *stream);
/* A column, or what is drawn of it. */
typedef struct dry_report__column {
    const char *name, *unit;
    const double *values;
    size_t rows;
} dry_report__column;
dry_report__column dry_report__column_of(const dry_record *record, int column);
/* From the least to the greatest number of n columns; 0 to 0 where there is none. */
void dry_report__range(const double *const *y, int n, size_t rows, double *low, double *high);
/* The kept rows: {"name":..,"unit":..,"low":..,"high":..,"codes":".."} */
void dry_report__codes(const dry_report__column *column, const size_t *kept, size_t n,
                       FILE *stream);
void dry_report__curve(const dry_record *record, int column, const size_t *kept, size_t n,
                       FILE *stream);
/* panels.c: ,"panels":[..] */
void dry_report__panels(const dry_card *card, FILE *stream);
/* One panel over card->record, after the text `before`; false if it cannot be drawn, and then the
 * card says why. */
bool dry_report__one_panel(const dry_card *card, const dry_model_panel *from, int number,
                           const char *before, FILE *stream);
/* Says of each panel that cannot be drawn why not. */
void dry_report__undrawn(const dry_card *card, FILE *stream);
/* scene.c: ,"scene":{..}: the bodies of the model's parts and where they were; nothing without. */
bool dry_report__has_scene(const dry_card *card);
void dry_report__scene(const dry_card *card, FILE *stream);
/* forces.c: ,"forces":{..}: of each instant the forces of contacts, nine numbers each: where, the
 * normal force, friction; nothing without. */
void dry_report__forces_in_motion(const dry_card *card, FILE *stream);

/* ---- figure.c: panels as pictures
 * ---------------------------------------------------------------- */

/* A panel of the model as plot has it; its abscissae are those of the model. */
dry_panel dry_report__panel(const dry_model_panel *from);
/* card.c: SVG for a light and for a dark background (or NULL) as one picture. */
void dry_report__image(const char *light, const char *dark, const char *caption, FILE *stream);

/* ---- source.c: the text of the model ------------------------------------------------------------
 */

/* The comment at its head, as paragraphs. */
void dry_report__prose(const dry_model *model, FILE *stream);
/* All of it, comments and set-valued forces marked. */
void dry_report__source(const dry_model *model, FILE *stream);
/* Prints the comment after the statement of a line, and the one above it; prints nothing if there
 * is none. */
void dry_report__remark(const dry_model *model, int line, FILE *stream);
void dry_report__heading(const dry_model *model, int line, const char *opening, const char *closing,
                         FILE *stream);

/* ---- tables.c: sections of a card
 * ---------------------------------------------------------------- */

void dry_report__expectations(const dry_card *card, FILE *stream);
void dry_report__measures(const dry_card *card, FILE *stream);
void dry_report__parameters(const dry_card *card, FILE *stream);
void dry_report__forces(const dry_card *card, FILE *stream);
/* Whether the method keeps the sets: it solves the inclusion, so there is no ODE and no K. */
bool dry_report__keeps_sets(const dry_card *card);
void dry_report__estimates(const dry_card *card, FILE *stream);
/* command.c: the command line that repeats the run, with all options besides the model. */
void dry_report__command(const dry_card *card, FILE *stream);
/* account.c: the energy account of the parts. */
void dry_report__account(const dry_card *card, FILE *stream);

#endif
