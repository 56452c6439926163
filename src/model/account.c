/* account: the energy account of a run of a model with parts, including the energy that the
 * equations supply. */
#include "model_private.h"

#include <stdlib.h>

/* Adds one row for the pushes: a feed that supplied the work of the pushes. */
static dry_status add_row(const dry_record *record, int column, dry_account *account,
                          dry_error *error) {
    const double *work = dry_record_values(record, column);
    const double supplied = work[dry_record_rows(record) - 1] - work[0];
    dry_account_row *rows = realloc(account->rows, sizeof *rows * (size_t)(account->count + 1));
    if (!rows) {
        dry_account_free(account);
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the account");
    }
    account->rows = rows;
    rows[account->count++] = (dry_account_row){.part = "equations",
                                               .kind = "push",
                                               .side = DRY_IMPEDANCE,
                                               .feeds = true,
                                               .work = -supplied};
    account->supplied += supplied;
    account->error -= supplied;
    return DRY_OK;
}

dry_status dry_model_account(const dry_model *model, const dry_record *record, dry_account *account,
                             dry_error *error) {
    *account = (dry_account){0};
    if (!model->elab.scene.net)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the model has no parts, and its equations do not define an energy");
    const dry_status status = dry_net_account(model->elab.scene.net, record, account, error);
    const int column = dry_record_find(record, DRY_PUSH_WORK);
    return status == DRY_OK && column >= 0 ? add_row(record, column, account, error) : status;
}
