/* run_account: the energy account of a run: the energy of each part at the start and at the end,
 * and the work that parts gave and took.
 *
 *     after - before = supplied - dissipated, up to the error of the method
 *
 * One state per impedance part and per feed holds the work that flowed into it (its power is
 * -f . v of its ports; of a prescribed motion f . v); kinetic, potential and stored energies are
 * outputs. */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

/* ---- outputs ----------------------------------------------------------- */

static bool is_body(const dry_net__node *node) { return node->part->side == DRY_ADMITTANCE; }

int dry_net__energies(const dry_net__node *node) { return is_body(node) ? 2 : 1; }

void dry_net__account_names(dry_net *net, dry_quantity *outputs) {
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        if (is_body(node)) {
            *outputs++ = (dry_quantity){dry_net_text(net, "%s.kinetic", node->name), "J"};
            *outputs++ = (dry_quantity){dry_net_text(net, "%s.potential", node->name), "J"};
        } else {
            *outputs++ = (dry_quantity){dry_net_text(net, "%s.stored", node->name), "J"};
        }
    }
}

void dry_net__account_values(const dry_net__run *run, double *y) {
    for (int i = 0; i < run->net->asked.n_nodes; i++) {
        const dry_net__node *node = run->net->wiring.nodes[i];
        const dry_part *part = node->part;
        const dry_part_env env = dry_net__env(run, node);
        const double *in = is_body(node) ? NULL : run->motion + node->motion;
        *y++ = part->energy ? part->energy(&env, in, run->x + node->x) : 0.0;
        if (is_body(node)) *y++ = part->potential ? part->potential(&env, run->x + node->x) : 0.0;
    }
}

/* ---- from a record ----------------------------------------------------- */

/* The columns of a part in the record; NULL: it has no such column. */
typedef struct columns {
    const double *kinetic, *potential, *stored, *work;
} columns;

static const double *column(const dry_record *record, const char *name, dry_error *error) {
    const int index = dry_record_find(record, name);
    if (index >= 0) return dry_record_values(record, index);
    dry_error_set(error, DRY_BAD_ARGUMENT, "the record has no column %s: record a run of this net",
                  name);
    return NULL;
}

/* held: its energies among the outputs. Returns false and fills the error if the record lacks
 * one. */
static bool find_columns(const dry_net *net, const dry_net__node *node, const dry_quantity *held,
                         const dry_record *record, columns *c, dry_error *error) {
    *c = (columns){0};
    if (node->account >= 0) {
        c->work = column(record, net->system.states[node->account].name, error);
        if (!c->work) return false;
    }
    if (!is_body(node)) return (c->stored = column(record, held[0].name, error)) != NULL;
    c->kinetic = column(record, held[0].name, error);
    c->potential = c->kinetic ? column(record, held[1].name, error) : NULL;
    return c->potential != NULL;
}

static void ends_of(const double *values, size_t rows, double ends[2]) {
    ends[0] = values[0];
    ends[1] = values[rows - 1];
}

/* Stored energy counts only once the part gives it back: during an impact with a method of order 1,
 * the stretch runs ahead of the work. */
static void fill_law(const columns *c, size_t rows, dry_account_row *row) {
    ends_of(c->stored, rows, row->stored);
    if (row->feeds) return;
    row->dissipated = row->work - (row->stored[1] - row->stored[0]);
    for (size_t i = 0; i < rows; i++) {
        row->least = fmin(row->least, c->work[i] - c->work[0] + c->stored[0]);
        row->held = fmax(row->held, c->stored[i]);
    }
    for (size_t i = 1; i < rows; i++) row->passed += fabs(c->work[i] - c->work[i - 1]);
}

static void fill_row(const columns *c, size_t rows, dry_account_row *row) {
    if (c->work) row->work = c->work[rows - 1] - c->work[0];
    if (c->stored) {
        fill_law(c, rows, row);
    } else {
        ends_of(c->kinetic, rows, row->kinetic);
        ends_of(c->potential, rows, row->potential);
    }
}

/* Energy that passed until each recorded time: kinetic + stored of all parts, and the sum of
 * |work|. */
typedef struct passed {
    double *held, *worked;
} passed;

static void pass(const columns *c, size_t rows, const passed *p) {
    for (size_t i = 0; i < rows; i++) {
        p->held[i] += (c->kinetic ? c->kinetic[i] : 0.0) + (c->stored ? c->stored[i] : 0.0);
        p->worked[i] += c->work ? fabs(c->work[i] - c->work[0]) : 0.0;
    }
}

static double largest(const passed *p, size_t rows) {
    double most = 0.0;
    for (size_t i = 0; i < rows; i++) most = fmax(most, fmax(p->held[i], p->worked[i]));
    return most;
}

static bool fill_rows(const dry_net *net, const dry_record *record, const passed *p,
                      dry_account *account, dry_error *error) {
    const dry_quantity *held = net->system.outputs + net->columns.account_outputs;
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        columns c;
        if (!find_columns(net, node, held, record, &c, error)) return false;
        held += is_body(node) ? 2 : 1;
        account->rows[i] = (dry_account_row){.part = node->name,
                                             .kind = node->part->kind,
                                             .side = node->part->side,
                                             .feeds = node->part->promise == DRY_FEEDS,
                                             .passive = node->part->promise == DRY_IS_PASSIVE};
        fill_row(&c, dry_record_rows(record), &account->rows[i]);
        pass(&c, dry_record_rows(record), p);
    }
    account->peak = largest(p, dry_record_rows(record));
    return true;
}

/* A feed with prescribed motion has no energy of its own, so its energies do not count. */
static void add_up(dry_account *account) {
    for (int i = 0; i < account->count; i++) {
        const dry_account_row *row = &account->rows[i];
        account->before += row->kinetic[0] + row->potential[0] + row->stored[0];
        account->after += row->kinetic[1] + row->potential[1] + row->stored[1];
        if (row->feeds) account->supplied -= row->work;
        account->dissipated += row->dissipated;
    }
    account->error = account->after - account->before - account->supplied + account->dissipated;
}

dry_status dry_net_account(const dry_net *net, const dry_record *record, dry_account *account,
                           dry_error *error) {
    *account = (dry_account){0};
    if (!net->asked.account)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the net keeps no account: make its system with the option account");
    const size_t rows = dry_record_rows(record);
    if (rows == 0) return dry_error_set(error, DRY_BAD_ARGUMENT, "the record has no rows");
    account->rows = calloc((size_t)net->asked.n_nodes + 1, sizeof *account->rows);
    double *room = calloc(rows, 2 * sizeof *room);
    const bool fits = account->rows && room;
    account->count = net->asked.n_nodes;
    const passed p = {room, room ? room + rows : NULL};
    const bool filled = fits && fill_rows(net, record, &p, account, error);
    free(room);
    if (filled)
        add_up(account);
    else
        dry_account_free(account);
    if (!fits) return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the account");
    return filled ? DRY_OK : DRY_BAD_ARGUMENT;
}

void dry_account_free(dry_account *account) {
    free(account->rows);
    *account = (dry_account){0};
}

const dry_account_row *dry_account_culprit(const dry_account *account, double share) {
    double all = account->peak;
    for (int i = 0; i < account->count; i++) {
        const dry_account_row *row = &account->rows[i];
        all += fabs(row->work) + fabs(row->kinetic[0]) + fabs(row->kinetic[1]);
    }
    for (int i = 0; i < account->count; i++)
        if (account->rows[i].least < -share * all) return &account->rows[i];
    return NULL;
}

/* Rounding error as a share of all energy that passed through the machine. */
static const double ROUNDED = 1e-9;

static const dry_account_row *creator(const dry_account *account, double share, bool passive) {
    double all = account->peak;
    for (int i = 0; i < account->count; i++) all += account->rows[i].passed;
    for (int i = 0; i < account->count; i++) {
        const dry_account_row *row = &account->rows[i];
        const double rounded = ROUNDED * fmax(all - row->held, 0.0); /* relative to what other parts
                                                                        hold */
        if (row->passive == passive && -row->least > fmax(share * row->passed, rounded)) return row;
    }
    return NULL;
}

const dry_account_row *dry_account_liar(const dry_account *account, double share) {
    return creator(account, share, true);
}
const dry_account_row *dry_account_giver(const dry_account *account, double share) {
    return creator(account, share, false);
}
