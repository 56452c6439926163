/* account: the energy of a machine of parts, and the work that parts gave and took. */
#include "report_private.h"

#include <math.h>

static void put_energy(double x, FILE *stream) {
    fputs("<td class=\"number\">", stream);
    dry_report__number(x, 4, stream);
    fputs("</td>", stream);
}

static void put_row(const dry_account_row *row, FILE *stream) {
    dry_report__put(stream, "<tr><td><code>%s</code> <span class=\"unit\">%s</span></td>",
                    row->part, row->kind);
    put_energy(row->kinetic[0] + row->potential[0] + row->stored[0], stream);
    put_energy(row->kinetic[1] + row->potential[1] + row->stored[1], stream);
    put_energy(row->feeds ? -row->work : 0.0, stream);
    put_energy(row->dissipated, stream);
    fputs("</tr>\n", stream);
}

static void put_sum(const dry_account *account, FILE *stream) {
    fputs("</tbody><tfoot><tr><td>all</td>", stream);
    put_energy(account->before, stream);
    put_energy(account->after, stream);
    put_energy(account->supplied, stream);
    put_energy(account->dissipated, stream);
    fputs("</tr></tfoot></table></div>\n<p class=\"note\">before + supplied − dissipated differs "
          "from after by ",
          stream);
    dry_report__number(fabs(account->error), 2, stream);
    fputs(" J: the error of the method.</p>\n", stream);
}

enum { MOST_PARTS = 40 };

void dry_report__account(const dry_card *card, FILE *stream) {
    dry_account account;
    if (!card->record) return;
    const dry_status status = dry_model_account(card->model, card->record, &account, NULL);
    if (status == DRY_NO_MEMORY) dry_report__lack(card);
    if (status != DRY_OK) return;
    fputs("<section id=\"energy\"><h2>Energy, in joules</h2>\n<div class=\"wide\"><table>\n"
          "<thead><tr><th>part</th><th class=\"number\">before</th><th class=\"number\">after</th>"
          "<th class=\"number\">supplied</th><th class=\"number\">dissipated</th></tr></thead>\n"
          "<tbody>\n",
          stream);
    for (int i = 0; i < account.count && i < MOST_PARTS; i++) put_row(&account.rows[i], stream);
    if (account.count > MOST_PARTS)
        fprintf(stream, "<tr><td colspan=\"5\">and %d more parts</td></tr>\n",
                account.count - MOST_PARTS);
    put_sum(&account, stream);
    const dry_account_row *culprit = dry_account_liar(&account, DRY_ACCOUNT_CREATED);
    if (!culprit) culprit = dry_account_giver(&account, DRY_ACCOUNT_CREATED);
    if (culprit) {
        dry_report__put(stream,
                        "<p class=\"message\"><b>warning</b> the law of <code>%s</code> has "
                        "created energy: take a smaller step</p>\n",
                        culprit->part);
    }
    fputs("</section>\n", stream);
    dry_account_free(&account);
}
