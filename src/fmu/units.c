/* units: the units of the variables, with their meaning in those of the SI. */
#include "fmu_private.h"
#include "syntax/syntax.h"

#include <math.h>
#include <string.h>

/* The bases of dry_dim, in its order. */
static const char *const bases[DRY_N_BASES] = {"m", "kg", "s", "A", "K"};

static bool is_whole(const dry_dim *dim) {
    for (int i = 0; i < DRY_N_BASES; i++)
        if (dim->power[i] != round(dim->power[i]) || fabs(dim->power[i]) > 100.0) return false;
    return true;
}

static void put_unit(const char *unit, FILE *stream) {
    dry_dim dim;
    double factor;
    char bad[DRY_DIM_TEXT];
    const double angle = dry_unit_angle(unit);
    const bool known =
        dry_unit_parse(unit, &factor, &dim, bad) && is_whole(&dim) && angle == round(angle);
    fputs("    <Unit", stream);
    dry_fmu__attribute("name", unit, stream);
    fputs(known ? ">\n      <BaseUnit" : "/>\n", stream);
    if (!known) return;
    for (int i = 0; i < DRY_N_BASES; i++)
        if (dim.power[i] != 0.0) fprintf(stream, " %s=\"%d\"", bases[i], (int)dim.power[i]);
    if (angle != 0.0) fprintf(stream, " rad=\"%d\"", (int)angle);
    if (factor != 1.0) dry_fmu__number("factor", factor, stream);
    fputs("/>\n    </Unit>\n", stream);
}

/* m/s^2 for m/s; rad/s for rad, whose dimension says less than its name. */
const char *dry_fmu__rate_unit(dry_fmu__plan *plan, const char *unit) {
    enum { SECONDS = 2 };
    dry_dims none = {0};
    dry_dim dim;
    double factor;
    char text[DRY_DIM_TEXT], rate[2 * DRY_DIM_TEXT];
    if (!unit || !*unit) return "1/s";
    snprintf(rate, sizeof rate, "%.100s/s", unit);
    if (dry_unit_parse(unit, &factor, &dim, text) && factor == 1.0 &&
        strcmp(dry_dim_text(&none, dim, text), unit) == 0) {
        dim.power[SECONDS] -= 1.0;
        snprintf(rate, sizeof rate, "%s", dry_dim_text(&none, dim, text));
    }
    const char *kept = dry_arena_text(plan->arena, rate, strlen(rate));
    return kept ? kept : "";
}

static bool is_first(const dry_fmu__plan *plan, int index) {
    const char *unit = plan->variable[index].unit;
    if (!unit || !*unit) return false;
    for (int i = 0; i < index; i++)
        if (plan->variable[i].unit && strcmp(plan->variable[i].unit, unit) == 0) return false;
    return true;
}

void dry_fmu__put_units(const dry_fmu__plan *plan, FILE *stream) {
    bool any = false;
    for (int i = 0; i < plan->n_variables; i++) {
        if (!is_first(plan, i)) continue;
        if (!any) fputs("  <UnitDefinitions>\n", stream);
        any = true;
        put_unit(plan->variable[i].unit, stream);
    }
    if (any) fputs("  </UnitDefinitions>\n", stream);
}
