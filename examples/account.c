/* Where does the energy go? The account of a machine of parts.
 *
 *     a sledge of 2 kg with 3 m/s, a spring of 50 N/m to the wall, friction of 4 N
 *
 * Expected: before is m v^2/2 = 9 J. The sledge stops first at x with k x^2/2 + F x = 9 J,
 * x = 0.5253 m. In the end the spring pulls with at most F, so it keeps at most
 * F^2/(2 k) = 0.16 J; the rest is heat. */
#include <drystone/drystone.h>

static const char text[] = "part sledge = point_mass(mass = 2 [kg], v = 3 [m/s])\n"
                           "part spring = spring(K = 50 [N/m])\n"
                           "part runner = coulomb(F = 4 [N], K = 1e6 [N/m], beta = 1 [ms])\n"
                           "connect spring - sledge - world\n"
                           "connect runner - sledge - world\n"
                           "run until = 5 [s], step = 0.1 [ms]\n";

static void print(const dry_account *account) {
    for (int i = 0; i < account->count; i++) {
        const dry_account_row *row = &account->rows[i];
        const double held = row->kinetic[1] + row->potential[1] + row->stored[1];
        printf("%s holds %.4f J, dissipated %.4f J\n", row->part, held, fabs(row->dissipated));
    }
    printf("before: %.4f J, after: %.4f J\n", account->before, account->after);
    printf("balance below 1e-6 J: %s\n", fabs(account->error) < 1e-6 ? "yes" : "no");
}

int main(void) {
    dry_model *model = dry_model_compile("sledge.dry", text, sizeof text - 1, NULL);
    if (!model || !dry_model_ok(model)) return 1;
    const dry_sim_options options = {.run = {.until = 5.0, .record = 1e-3, .step = 1e-4}};
    dry_sim_result result = {0};
    dry_account account = {0};
    dry_error error = {0};
    dry_status status = dry_sim_run(dry_model_system(model), &options, &result, &error);
    if (status == DRY_OK) {
        dry_record_stats stats;
        const int p = dry_record_find(result.record, "sledge.p");
        status = dry_record_statistics(result.record, 0, p, 0.0, 5.0, &stats);
        printf("farthest: %.4f m\n", stats.max);
    }
    if (status == DRY_OK) status = dry_model_account(model, result.record, &account, &error);
    if (status == DRY_OK)
        print(&account);
    else
        fprintf(stderr, "account: %s: %s\n", dry_status_text(status), error.text);
    dry_account_free(&account);
    dry_record_free(result.record);
    dry_model_free(model);
    return status != DRY_OK;
}
