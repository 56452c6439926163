/* The energy account: where the energy of a run was at its start and at its end, and who gave and
 * took it.
 *
 *     after - before = supplied - dissipated, up to the error of the method
 *
 * One state per impedance part and per source holds the work that flowed into it (its power is
 * -f . v of its ports; of a prescribed motion f . v); kinetic, potential and stored energies are
 * outputs. */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

/* ---- outputs ----------------------------------------------------------- */

static bool is_body(const dry_net__node *node) { return node->part->side == DRY_ADMITTANCE; }

int dry_net__account_size(const dry_net *net) { return 2 * net->n_admittance + net->n_impedance; }

void dry_net__account_names(dry_net *net, dry_quantity *outputs) {
    for (int i = 0; i < net->n_nodes; i++) {
        const dry_net__node *node = net->nodes[i];
        if (is_body(node)) {
            *outputs++ = (dry_quantity){dry_net__text(net, "%s.kinetic", node->name), "J"};
            *outputs++ = (dry_quantity){dry_net__text(net, "%s.potential", node->name), "J"};
        } else {
            *outputs++ = (dry_quantity){dry_net__text(net, "%s.stored", node->name), "J"};
        }
    }
}

void dry_net__account_values(const dry_net__run *run, double *y) {
    for (int i = 0; i < run->net->n_nodes; i++) {
        const dry_net__node *node = run->net->nodes[i];
        const dry_part *part = node->part;
        const dry_part_env env = dry_net__env(run, node);
        const double *in = is_body(node) ? NULL : run->motion + node->motion;
        *y++ = part->energy ? part->energy(&env, in, run->x + node->x) : 0.0;
        if (is_body(node)) *y++ = part->potential ? part->potential(&env, run->x + node->x) : 0.0;
    }
}

/* ---- from a record ----------------------------------------------------- */

/* The values of a column; NULL with the error filled where the record lacks it. */
static const double *column(const dry_record *record, const char *part, const char *name,
                            dry_error *error) {
    char full[256];
    snprintf(full, sizeof full, "%s.%s", part, name);
    const int index = dry_record_find(record, full);
    if (index >= 0) return dry_record_values(record, index);
    dry_error_set(error, DRY_BAD_ARGUMENT,
                  "the record has no column %s: run the net with the option account", full);
    return NULL;
}

static void ends_of(const double *values, size_t rows, double ends[2]) {
    ends[0] = values[0];
    ends[1] = values[rows - 1];
}

static bool fill_body(const dry_record *record, size_t rows, dry_account_row *row,
                      dry_error *error) {
    const double *kinetic = column(record, row->part, "kinetic", error);
    const double *potential = kinetic ? column(record, row->part, "potential", error) : NULL;
    if (!potential) return false;
    ends_of(kinetic, rows, row->kinetic);
    ends_of(potential, rows, row->potential);
    return true;
}

static bool fill_work(const dry_record *record, size_t rows, dry_account_row *row,
                      dry_error *error) {
    const double *work = column(record, row->part, "work", error);
    if (work) row->work = work[rows - 1] - work[0];
    return work != NULL;
}

static bool fill_law(const dry_record *record, size_t rows, dry_account_row *row,
                     dry_error *error) {
    if (!fill_work(record, rows, row, error)) return false;
    const double *work = column(record, row->part, "work", error);
    const double *stored = column(record, row->part, "stored", error);
    if (!stored) return false;
    ends_of(stored, rows, row->stored);
    if (row->source) return true;
    row->dissipated = row->work - (row->stored[1] - row->stored[0]);
    for (size_t i = 0; i < rows; i++)
        row->least = fmin(row->least, work[i] - work[0] - (stored[i] - stored[0]));
    return true;
}

static bool fill_row(const dry_record *record, size_t rows, dry_account_row *row,
                     dry_error *error) {
    if (row->side == DRY_IMPEDANCE) return fill_law(record, rows, row, error);
    return fill_body(record, rows, row, error) &&
           (!row->source || fill_work(record, rows, row, error));
}

/* A source that moves as it is told has no energy of its own: what it holds is its own affair. */
static void add_up(dry_account *account) {
    for (int i = 0; i < account->count; i++) {
        const dry_account_row *row = &account->rows[i];
        account->before += row->kinetic[0] + row->potential[0] + row->stored[0];
        account->after += row->kinetic[1] + row->potential[1] + row->stored[1];
        if (row->source) account->supplied -= row->work;
        account->dissipated += row->dissipated;
    }
    account->error = account->after - account->before - account->supplied + account->dissipated;
}

dry_status dry_net_account(const dry_net *net, const dry_record *record, dry_account *account,
                           dry_error *error) {
    const size_t rows = dry_record_rows(record);
    *account = (dry_account){0};
    if (rows == 0) return dry_error_set(error, DRY_BAD_ARGUMENT, "the record has no rows");
    account->rows = calloc((size_t)net->n_nodes + 1, sizeof *account->rows);
    if (!account->rows) return dry_error_set(error, DRY_NO_MEMORY, "no memory for the account");
    account->count = net->n_nodes;
    for (int i = 0; i < net->n_nodes; i++) {
        const dry_net__node *node = net->nodes[i];
        dry_account_row *row = &account->rows[i];
        *row = (dry_account_row){.part = node->name,
                                 .kind = node->part->kind,
                                 .side = node->part->side,
                                 .source = node->part->source};
        if (!fill_row(record, rows, row, error)) {
            dry_account_free(account);
            return DRY_BAD_ARGUMENT;
        }
    }
    add_up(account);
    return DRY_OK;
}

void dry_account_free(dry_account *account) {
    free(account->rows);
    *account = (dry_account){0};
}

const dry_account_row *dry_account_culprit(const dry_account *account, double share) {
    double passed = 0.0;
    for (int i = 0; i < account->count; i++) {
        const dry_account_row *row = &account->rows[i];
        passed += fabs(row->work) + fabs(row->kinetic[0]) + fabs(row->kinetic[1]);
    }
    for (int i = 0; i < account->count; i++)
        if (account->rows[i].least < -share * passed) return &account->rows[i];
    return NULL;
}
