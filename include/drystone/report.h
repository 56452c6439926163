/* report: a finished run as a page of HTML, and many of them as a gallery.
 *
 * Pages are self-contained: style, script and data are inside, nothing is fetched. All that comes
 * from a model is escaped. Files are written whole or not at all.
 *
 * Floor 5: every room of the floors below. */
#ifndef DRYSTONE_REPORT_H
#define DRYSTONE_REPORT_H

#include <drystone/base.h>
#include <drystone/model.h>
#include <drystone/ode.h>
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

/* A picture besides those of the run, such as a map over parameters: SVG for both grounds. */
typedef struct dry_card_image {
    const char *caption, *light, *dark;
} dry_card_image;

/* What a card is made from; zero and NULL mean: there is none of it. */
typedef struct dry_card {
    const char *path;                 /* of the model, for the reader */
    const dry_model *model;           /* required */
    const dry_model_options *options; /* that it was compiled with, for the line that
                                         runs it again */
    const dry_record *record;         /* of the run: t, states, outputs */
    dry_run_options run;              /* as it ran, every default filled in */
    const dry_measured *measured;     /* dry_model_measures of them */
    const dry_expected *expected;     /* dry_model_expects of them */
    dry_ode_counts counts;
    double seconds; /* of CPU */
    bool native;    /* by machine code, not bytecode */
    const dry_estimate *estimates;
    int n_estimates;
    const dry_card_image *images;
    int n_images;
    const char *verdict;              /* of the finer runs of --verify: "trusted to ..." */
    const dry_watch_verdict *watched; /* how far the run can be trusted */
    const char *refused; /* what the compiler said, where the model is one that it must refuse */
    /* in a gallery: the links at its top */
    const char *shelf;           /* the paper's name */
    const char *previous, *next; /* pages; NULL: none */
    bool *no_memory; /* set to true if memory ran out on the way; dry_report_write has its own */
} dry_card;

DRY_API dry_status dry_report_write(const dry_card *card, const char *path, dry_error *error);

/* The panel with the most curves as a small picture, SVG; nothing where there is none. */
DRY_API void dry_report_picture(const dry_card *card, FILE *stream);

/* A card in the overview of a gallery. */
typedef struct dry_gallery_item {
    const char *folder; /* of the model: "xiong2013", "classics" */
    const char *page;   /* file beside the overview */
    const char *title;
    const char *picture; /* from dry_report_picture; "" */
    int met, expected;   /* claims */
    bool refused;        /* refused, as it should be */
    const char *failure; /* why there is no result; NULL: there is */
    double seconds;      /* of CPU */
} dry_gallery_item;

/* A paper of the gallery, by the folder of its models. */
typedef struct dry_paper {
    const char *folder, *name, *title;
    int rank; /* its place in a gallery */
} dry_paper;
/* A folder that no paper has is a paper of its own name, in the last place. */
DRY_API dry_paper dry_paper_find(const char *folder);

/* The overview: items in the order of the gallery, those of a folder together. */
DRY_API dry_status dry_gallery_write(const dry_gallery_item *items, int count, const char *path,
                                     dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
