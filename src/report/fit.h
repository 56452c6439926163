/* fit: what the files of the page of a fit share. */
#ifndef DRY_REPORT_FIT_H
#define DRY_REPORT_FIT_H

#include "report_private.h"

/* A page while it is printed: the card holds the record of one panel after the other. */
typedef struct fit_sheet {
    const dry_fit_page *page;
    const dry_fit_result *result;
    dry_card card;
} fit_sheet;

enum { DRY_REPORT__FIT_OUTPUTS = 8 }; /* that have pictures */

/* fit_panels.c: {"from":..,"until":..,"panels":[..],"bands":[]} */
void dry_report__fit_data(fit_sheet *sheet, FILE *stream);
/* fit_tables.c */
void dry_report__fit_parameters(const fit_sheet *sheet, FILE *stream);
void dry_report__fit_outputs(const fit_sheet *sheet, FILE *stream);
void dry_report__fit_correlation(const fit_sheet *sheet, FILE *stream);
void dry_report__fit_ranking(const fit_sheet *sheet, FILE *stream);

#endif
