/* describe2: modelDescription.xml of FMI 2.0. */
#include "fmu_private.h"

#include <math.h>

static const char *truth(bool value) { return value ? "true" : "false"; }

static void put_kind(const dry_fmu__plan *plan, const char *element, const char *extra,
                     FILE *stream) {
    fprintf(stream, "  <%s modelIdentifier=\"%s\"%s", element, plan->identifier, extra);
    fprintf(stream,
            " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"%s\" "
            "canSerializeFMUstate=\"%s\" providesDirectionalDerivative=\"%s\"",
            truth(dry_fmu__saves(plan)), truth(dry_fmu__serializes(plan)), truth(!plan->library));
    if (plan->library)
        fputs("/>\n", stream);
    else
        fprintf(stream,
                ">\n    <SourceFiles>\n      <File name=\"fmu.c\"/>\n    </SourceFiles>\n  </%s>\n",
                element);
}

static void put_variable(const dry_fmu__variable *v, FILE *stream) {
    fputs("    <ScalarVariable", stream);
    dry_fmu__attribute("name", v->name, stream);
    fprintf(stream, " valueReference=\"%u\"", v->reference);
    dry_fmu__attribute("description", v->description, stream);
    dry_fmu__attribute("causality", v->causality, stream);
    dry_fmu__attribute("variability", v->variability, stream);
    dry_fmu__attribute("initial", v->initial, stream);
    fputs("><Real", stream);
    dry_fmu__attribute("unit", v->unit, stream);
    if (isfinite(v->low)) dry_fmu__number("min", v->low, stream);
    if (isfinite(v->high)) dry_fmu__number("max", v->high, stream);
    if (!isnan(v->nominal) && v->nominal != 1.0) dry_fmu__number("nominal", v->nominal, stream);
    if (v->has_start) dry_fmu__number("start", v->start, stream);
    if (v->begins_anew) fputs(" reinit=\"true\"", stream);
    if (v->rate_of >= 0) fprintf(stream, " derivative=\"%d\"", v->rate_of + 1);
    fputs("/></ScalarVariable>\n", stream);
}

/* FMI 2.0 counts variables from 1. */
static unsigned number(const dry_fmu__plan *plan, int index) {
    (void)plan;
    return (unsigned)index + 1;
}

typedef enum list { OUTPUTS, RATES, UNKNOWNS } list;

static bool is_in(const dry_fmu__variable *v, list which) {
    return which == OUTPUTS ? v->output : which == RATES ? v->rate_of >= 0 : v->unknown;
}

static void put_list(const dry_fmu__plan *plan, const char *element, list which, FILE *stream) {
    bool any = false;
    for (int i = 0; i < plan->n_variables; i++) {
        const dry_fmu__variable *v = &plan->variable[i];
        if (!is_in(v, which)) continue;
        if (!any) fprintf(stream, "    <%s>\n", element);
        any = true;
        fprintf(stream, "      <Unknown index=\"%u\"", number(plan, i));
        if (which != UNKNOWNS) dry_fmu__put_needs(plan, v, number, stream);
        fputs("/>\n", stream);
    }
    if (any) fprintf(stream, "    </%s>\n", element);
}

static void put_largest(const dry_fmu__plan *plan, FILE *stream) {
    bool by_all;
    if (!(plan->kinds & DRY_FMU_EXCHANGE)) return;
    fputs("  <VendorAnnotations>\n    <Tool name=\"drystone\">\n      <ModelExchange", stream);
    dry_fmu__number("largestStep", dry_fmu__largest(plan->model, &by_all), stream);
    fputs("/>\n    </Tool>\n  </VendorAnnotations>\n", stream);
}

void dry_fmu__describe2(const dry_fmu__plan *plan, FILE *stream) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"",
          stream);
    dry_fmu__attribute("guid", plan->token, stream);
    dry_fmu__put_head(plan, stream);
    fputs(" numberOfEventIndicators=\"0\">\n", stream);
    if (plan->kinds & DRY_FMU_EXCHANGE) put_kind(plan, "ModelExchange", "", stream);
    if (plan->kinds & DRY_FMU_STEPS)
        put_kind(plan, "CoSimulation", " canHandleVariableCommunicationStepSize=\"true\"", stream);
    dry_fmu__put_shared(plan, stream);
    put_largest(plan, stream);
    fputs("  <ModelVariables>\n", stream);
    for (int i = 0; i < plan->n_variables; i++) put_variable(&plan->variable[i], stream);
    fputs("  </ModelVariables>\n  <ModelStructure>\n", stream);
    put_list(plan, "Outputs", OUTPUTS, stream);
    put_list(plan, "Derivatives", RATES, stream);
    put_list(plan, "InitialUnknowns", UNKNOWNS, stream);
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", stream);
}
