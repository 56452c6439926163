/* The energy account of a run of a model with parts, and the law that has created energy. */
#include "account.h"

#include <math.h>

/* The balance may be off by so much of it. */
static const double most_off = 0.05;

enum { MOST_ROWS = 24 };

/* Every part with what it held at the start and at the end; or, of many, the ones that count. */
static void print_row(const dry_account_row *row) {
    const double held = row->kinetic[1] + row->potential[1] + row->stored[1];
    const double before = row->kinetic[0] + row->potential[0] + row->stored[0];
    printf("  %-20s %12.5g %12.5g %12.5g %12.5g\n", row->part, before, held,
           row->source ? 0.0 - row->work : 0.0, row->dissipated);
}

static void print_account(const dry_account *a) {
    printf("energy [J]             at the start   at the end     supplied   dissipated\n");
    for (int i = 0; i < a->count && a->count <= MOST_ROWS; i++) print_row(&a->rows[i]);
    printf("  %-20s %12.5g %12.5g %12.5g %12.5g\n", "all", a->before, a->after, a->supplied,
           a->dissipated);
    printf("  the balance is off by %.2g J\n", a->error);
}

/* The energy that was there, came in or went, or was on the way: a pendulum may begin and end with
 * none. */
static double turned_over(const dry_account *a) {
    return fmax(fmax(fmax(fabs(a->before), fabs(a->after)), fmax(fabs(a->supplied), a->dissipated)),
                a->peak);
}

/* What the sums of the account may be off by rounding alone, each of its terms being rounded at
 * every step. */
static double rounding(const dry_account *a) {
    const double most_rounded = 1e-9;
    double sum = 0.0;
    for (int i = 0; i < a->count; i++) {
        const dry_account_row *row = &a->rows[i];
        sum += fabs(row->work);
        for (int k = 0; k < 2; k++)
            sum += fabs(row->kinetic[k]) + fabs(row->potential[k]) + fabs(row->stored[k]);
    }
    return most_rounded * sum;
}

static bool is_off(const dry_account *a) {
    return fabs(a->error) > most_off * turned_over(a) && fabs(a->error) > rounding(a);
}

static void warn(const dry_account *a) {
    if (dry_account_liar(a, DRY_ACCOUNT_CREATED) || dry_account_giver(a, DRY_ACCOUNT_CREATED))
        return; /* that has a line of its own */
    if (is_off(a))
        fprintf(stderr,
                "warning: the energy of the parts is off by %.3g J, more than %g %% of what there "
                "was: shorten the step, or choose a method of higher order\n",
                a->error, 100.0 * most_off);
}

static void print_liar(const char *path, const dry_account_row *row) {
    cli_complain("%s: %s (%s) promises to take energy only, and has created %.3g J, %.2g of what "
                 "passed through it: the result is wrong; shorten the step",
                 path, row->part, row->kind, -row->least, -row->least / row->passed);
}

static void print_giver(const char *path, const dry_account_row *row) {
    fprintf(stderr,
            "%s: %s (%s) has created %.3g J, %.2g of what passed through it: its law does not "
            "promise to take energy only; check its parameters, or shorten the step\n",
            path, row->part, row->kind, -row->least, -row->least / row->passed);
}

bool cli_account_holds(const dry_model *model, const char *path, const dry_record *record) {
    dry_account account;
    dry_error error;
    if (!dry_model_net(model)) return true;
    if (dry_model_account(model, record, &account, &error) != DRY_OK)
        return cli_complain_error(&error), false;
    const dry_account_row *liar = dry_account_liar(&account, DRY_ACCOUNT_CREATED);
    const dry_account_row *giver = dry_account_giver(&account, DRY_ACCOUNT_CREATED);
    if (liar) print_liar(path, liar);
    if (giver) print_giver(path, giver);
    dry_account_free(&account);
    return !liar;
}

int cli_print_account(const dry_model *model, const dry_record *record) {
    dry_account account;
    dry_error error;
    if (!dry_model_net(model)) return CLI_FINE;
    if (dry_model_account(model, record, &account, &error) != DRY_OK) {
        cli_complain_error(&error);
        return CLI_RUN;
    }
    print_account(&account);
    warn(&account);
    dry_account_free(&account);
    return CLI_FINE;
}
