/* report: writes a finished run as a page of HTML, and many runs as a gallery.
 *
 * Pages are self-contained: they hold style, script and data, and fetch nothing. All text from a
 * model is escaped. Files are written whole or not at all.
 *
 * Floor 8: all below. */
#ifndef DRYSTONE_REPORT_H
#define DRYSTONE_REPORT_H

#include <drystone/base.h>
#include <drystone/fit.h>
#include <drystone/model.h>
#include <drystone/ode.h>
#include <drystone/plot.h>
#include <drystone/record.h>
#include <drystone/watch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value with an estimate of its error, from a finer run. */
typedef struct dry_estimate {
    const char *name, *unit;
    double value, error;
} dry_estimate;

/* An additional picture, such as a map over parameters: SVG for a light and a dark background. */
typedef struct dry_card_image {
    const char *caption, *light, *dark;
} dry_card_image;

/* The contents of a card; zero and NULL mean: there is none. */
typedef struct dry_card {
    const char *path;                 /* of the model, shown to the reader */
    const dry_model *model;           /* required */
    const dry_model_options *options; /* that it was compiled with, for the command line that
                                         repeats the run */
    const dry_record *record;         /* of the run: t, states, outputs */
    dry_run_options run;              /* how it ran, with every default filled in */
    const dry_measured *measured;     /* dry_model_measures of them */
    const dry_expected *expected;     /* dry_model_expects of them */
    dry_ode_counts counts;
    double seconds; /* of CPU */
    bool native;    /* machine code ran it, not bytecode */
    int stop;       /* the condition by which the model ended the run (sim.h); 0: none */
    double end;     /* when it did, s */
    const dry_estimate *estimates;
    int n_estimates;
    const dry_card_image *images;
    int n_images;
    const char *verdict;              /* of the finer runs of --verify: "trusted to ..." */
    const dry_watch_verdict *watched; /* how far the run can be trusted */
    const char *refused;              /* the compiler's message, for a model that it must refuse */
    const double *saved; /* whole states of the run (sim.h), of which the page draws the forces of
                            contacts; NULL: it draws none */
    int n_saved;
    const char *playground; /* the address of a playground that the page leads to; with # and what
                               follows, the model is one that the playground has; NULL: none */
    /* in a gallery: the links at the top of the page */
    const char *shelf;           /* the paper's name */
    const char *previous, *next; /* pages; NULL: none */
    bool brief; /* title, pictures, expectations, measures and the verdict alone: for notebooks */
    bool *no_memory;    /* becomes true if memory runs out; dry_report_write uses its own */
    dry_error *undrawn; /* why the first panel is not drawn; dry_report_write uses its own */
} dry_card;

/* How many whole states a run must keep (dry_sim_options.saves) so that its page can draw the
 * forces of contacts: 0 if it has none, or if its states are too many. */
DRY_API int dry_report_saves(const dry_model *model);

/* Writes the page. If a panel cannot be drawn, the page has the others and says why, and the error
 * is returned: DRY_BAD_ARGUMENT. */
DRY_API dry_status dry_report_write(const dry_card *card, const char *path, dry_error *error);
/* The same into a stream. */
DRY_API dry_status dry_report_print(const dry_card *card, FILE *stream, dry_error *error);

/* Prints what the pictures of the page show, as JSON with the codes of the page, by which its
 * script refreshes it (docs/report.md); with_sections: also the markup of the sections of a page
 * that a run changes.
 */
DRY_API dry_status dry_report_data(const dry_card *card, bool with_sections, FILE *stream,
                                   dry_error *error);

/* The plot of a model's panels over a record of its run. `panels` has room for dry_model_panels
 * entries. */
DRY_API dry_plot dry_report_plot(const dry_model *model, const dry_record *record,
                                 dry_panel *panels);

/* Draws the panel with the most curves as a small picture, SVG; draws nothing if there is no
 * panel. */
DRY_API void dry_report_picture(const dry_card *card, FILE *stream);

/* The page of a fit; zero and NULL mean: there is none. */
typedef struct dry_fit_page {
    const char *path;  /* of the model, shown to the reader */
    const char *title; /* of the model */
    const dry_fit_result *result;
    /* Of each record a run with the fitted values, with the time in column 0: residuals are shown
     * over its position and speed. */
    const dry_record *const *runs;
    const char *position,
        *speed;                /* columns of the runs; NULL: the first in m or rad, m/s or rad/s */
    const dry_fit_rank *ranks; /* several models, the best first */
    int n_ranks;
    const char *fitted;  /* the text of the model with the fitted values */
    const char *command; /* the line that repeats the fit */
    double seconds;      /* that it took */
} dry_fit_page;

DRY_API dry_status dry_fit_page_print(const dry_fit_page *page, FILE *stream, dry_error *error);
DRY_API dry_status dry_fit_page_write(const dry_fit_page *page, const char *path, dry_error *error);

/* A card in the overview of a gallery. */
typedef struct dry_gallery_item {
    const char *folder; /* of the model: "xiong2013", "classics" */
    const char *page;   /* file beside the overview */
    const char *title;
    const char *picture; /* from dry_report_picture; "" */
    int met, expected;   /* our checks: the expectations of the model */
    bool refused;        /* refused, as it should be */
    const char *failure; /* why there is no result; NULL: there is */
    double seconds;      /* of CPU */
} dry_gallery_item;

/* A paper of the gallery, by the folder of its models. */
typedef struct dry_paper {
    const char *folder, *name, *title;
    int rank; /* its position in a gallery */
} dry_paper;
/* An unknown folder gives a paper named after the folder, in the last position. */
DRY_API dry_paper dry_paper_find(const char *folder);

/* Whether what a paper states came out; DRY_STATED_NOTHING: the paper states nothing. */
typedef enum dry_verdict {
    DRY_STATED_NOTHING,
    DRY_STATED_MET,
    DRY_STATED_CONDITION,
    DRY_STATED_NOT_MET
} dry_verdict;

/* A statement of a paper. */
typedef struct dry_statement {
    const char *folder;                      /* of the paper's models */
    const char *figure, *models, *statement; /* models: names from the folder, and remarks */
    const char *ours;                        /* what came out */
    dry_verdict verdict;
    const char *why; /* the condition, or the reason why not; "" */
} dry_statement;

typedef struct dry_statements {
    const dry_statement *row;
    int n;
} dry_statements;

/* Reads a table of statements (models/papers/statements.txt); its texts live in the arena. */
DRY_API dry_status dry_statements_read(const char *path, dry_arena *arena,
                                       dry_statements *statements, dry_error *error);

/* How many statements of a folder have a verdict. */
DRY_API int dry_statements_count(const dry_statements *statements, const char *folder,
                                 dry_verdict verdict);

/* Writes the overview. Pass items in the order of the gallery, those of a folder together. */
DRY_API dry_status dry_gallery_write(const dry_gallery_item *items, int count,
                                     const dry_statements *statements, const char *path,
                                     dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
