/* describe: what the modelDescription.xml of both versions have in common. */
#include "fmu_private.h"

#include <math.h>
#include <string.h>

bool dry_fmu__saves(const dry_fmu__plan *plan) {
    /* CVODE keeps memory of its own, which nobody can copy. */
    return !plan->library || plan->run.method->fixed || plan->run.method->tableau ||
           dry_model_inclusion(plan->model);
}

bool dry_fmu__serializes(const dry_fmu__plan *plan) {
    return !plan->library || plan->run.method->fixed || plan->run.method->tableau;
}

/* The title, and how the FMU steps. */
static void put_description(const dry_fmu__plan *plan, FILE *stream) {
    char text[800];
    int n = snprintf(text, sizeof text, "%.300s. Co-simulation steps by %s",
                     dry_model_title(plan->model), plan->run.method->title);
    n += plan->run.method->adaptive
             ? snprintf(text + n, sizeof text - (size_t)n, ", which chooses its steps.")
             : snprintf(text + n, sizeof text - (size_t)n, ", %.6g s.", plan->run.step);
    if (plan->kinds & DRY_FMU_EXCHANGE) {
        char largest[200];
        dry_fmu__say_largest(plan->model, largest, sizeof largest);
        snprintf(text + n, sizeof text - (size_t)n, " Model exchange: %s.", largest);
    }
    dry_fmu__attribute("description", text, stream);
}

void dry_fmu__put_head(const dry_fmu__plan *plan, FILE *stream) {
    const char *name = dry_model_name(plan->model);
    dry_fmu__attribute("modelName", name && *name ? name : plan->identifier, stream);
    put_description(plan, stream);
    dry_fmu__attribute("generationTool", "drystone " DRY_VERSION, stream);
    dry_fmu__attribute("variableNamingConvention", "flat", stream);
}

void dry_fmu__put_shared(const dry_fmu__plan *plan, FILE *stream) {
    dry_fmu__put_units(plan, stream);
    fputs("  <LogCategories>\n"
          "    <Category name=\"logAll\" description=\"all of these\"/>\n"
          "    <Category name=\"logStatusWarning\" description=\"a step or an event that may be "
          "wrong\"/>\n"
          "    <Category name=\"logStatusDiscard\" description=\"a value that is not finite\"/>\n"
          "    <Category name=\"logStatusError\" description=\"a call that is refused\"/>\n"
          "  </LogCategories>\n"
          "  <DefaultExperiment startTime=\"0\"",
          stream);
    if (plan->run.until > 0.0) dry_fmu__number("stopTime", plan->run.until, stream);
    dry_fmu__number("tolerance", plan->run.rtol > 0.0 ? plan->run.rtol : 1e-6, stream);
    dry_fmu__number("stepSize", dry_fmu__step(plan->model), stream);
    fputs("/>\n", stream);
}

void dry_fmu__put_needs(const dry_fmu__plan *plan, const dry_fmu__variable *v,
                        unsigned (*number)(const dry_fmu__plan *, int), FILE *stream) {
    if (v->n_needs < 0) return;
    fputs(" dependencies=\"", stream);
    for (int i = 0; i < v->n_needs; i++)
        fprintf(stream, "%s%u", i ? " " : "", number(plan, v->needs[i]));
    fputc('"', stream);
}

void dry_fmu__describe(const dry_fmu__plan *plan, FILE *stream) {
    if (plan->options->version == 2)
        dry_fmu__describe2(plan, stream);
    else
        dry_fmu__describe3(plan, stream);
}
