/* describe3: modelDescription.xml of FMI 3.0. */
#include "fmu_private.h"

#include <math.h>
#include <string.h>

static const char *truth(bool value) { return value ? "true" : "false"; }

/* What both kinds can do. */
static void put_abilities(const dry_fmu__plan *plan, FILE *stream) {
    fprintf(stream,
            " modelIdentifier=\"%s\" canGetAndSetFMUState=\"%s\" canSerializeFMUState=\"%s\" "
            "providesDirectionalDerivatives=\"%s\" providesAdjointDerivatives=\"%s\"",
            plan->identifier, truth(dry_fmu__saves(plan)), truth(dry_fmu__serializes(plan)),
            truth(!plan->library), truth(!plan->library));
}

static void put_kinds(const dry_fmu__plan *plan, FILE *stream) {
    if (plan->kinds & DRY_FMU_EXCHANGE) {
        fputs("  <ModelExchange", stream);
        put_abilities(plan, stream);
        fputs(" needsCompletedIntegratorStep=\"true\"/>\n", stream);
    }
    if (!(plan->kinds & DRY_FMU_STEPS)) return;
    fputs("  <CoSimulation", stream);
    put_abilities(plan, stream);
    fputs(" canHandleVariableCommunicationStepSize=\"true\"", stream);
    if (!plan->run.method->adaptive)
        dry_fmu__number("fixedInternalStepSize", plan->run.step, stream);
    fputs(" providesIntermediateUpdate=\"true\" mightReturnEarlyFromDoStep=\"true\" "
          "canReturnEarlyAfterIntermediateUpdate=\"true\"/>\n",
          stream);
}

static unsigned number(const dry_fmu__plan *plan, int index) {
    return plan->variable[index].reference;
}

static void put_variable(const dry_fmu__plan *plan, const dry_fmu__variable *v, FILE *stream) {
    fputs("    <Float64", stream);
    dry_fmu__attribute("name", v->name, stream);
    fprintf(stream, " valueReference=\"%u\"", v->reference);
    dry_fmu__attribute("description", v->description, stream);
    dry_fmu__attribute("causality", v->causality, stream);
    dry_fmu__attribute("variability", v->variability, stream);
    dry_fmu__attribute("initial", v->initial, stream);
    if (plan->kinds & DRY_FMU_STEPS && v->output && strcmp(v->variability, "continuous") == 0)
        fputs(" intermediateUpdate=\"true\"", stream);
    dry_fmu__attribute("unit", v->unit, stream);
    if (isfinite(v->low)) dry_fmu__number("min", v->low, stream);
    if (isfinite(v->high)) dry_fmu__number("max", v->high, stream);
    if (!isnan(v->nominal) && v->nominal != 1.0) dry_fmu__number("nominal", v->nominal, stream);
    if (v->has_start) dry_fmu__number("start", v->start, stream);
    if (v->begins_anew) fputs(" reinit=\"true\"", stream);
    if (v->rate_of >= 0) fprintf(stream, " derivative=\"%u\"", number(plan, v->rate_of));
    fputs("/>\n", stream);
}

static void put_structure(const dry_fmu__plan *plan, FILE *stream) {
    static const char *const element[] = {"Output", "ContinuousStateDerivative", "InitialUnknown"};
    for (int list = 0; list < 3; list++)
        for (int i = 0; i < plan->n_variables; i++) {
            const dry_fmu__variable *v = &plan->variable[i];
            if (!(list == 0 ? v->output : list == 1 ? v->rate_of >= 0 : v->unknown)) continue;
            fprintf(stream, "    <%s valueReference=\"%u\"", element[list], v->reference);
            if (list < 2) dry_fmu__put_needs(plan, v, number, stream);
            fputs("/>\n", stream);
        }
}

static void put_largest(const dry_fmu__plan *plan, FILE *stream) {
    bool by_all;
    if (!(plan->kinds & DRY_FMU_EXCHANGE)) return;
    fputs("  <Annotations>\n    <Annotation type=\"drystone\"><ModelExchange", stream);
    dry_fmu__number("largestStep", dry_fmu__largest(plan->model, &by_all), stream);
    fputs("/></Annotation>\n  </Annotations>\n", stream);
}

void dry_fmu__describe3(const dry_fmu__plan *plan, FILE *stream) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"",
          stream);
    dry_fmu__attribute("instantiationToken", plan->token, stream);
    dry_fmu__put_head(plan, stream);
    fputs(">\n", stream);
    put_kinds(plan, stream);
    dry_fmu__put_shared(plan, stream);
    fputs("  <ModelVariables>\n", stream);
    for (int i = 0; i < plan->n_variables; i++) put_variable(plan, &plan->variable[i], stream);
    fputs("  </ModelVariables>\n  <ModelStructure>\n", stream);
    put_structure(plan, stream);
    fputs("  </ModelStructure>\n", stream);
    put_largest(plan, stream);
    fputs("</fmiModelDescription>\n", stream);
}
