/* compare: how far one run is from what was measured. */
#include "fit_private.h"

#include <math.h>

static int column_of(const dry_model *model, const dry_record *record, int output) {
    return dry_record_columns(record) - dry_model_system(model)->n_outputs + output;
}

dry_fit_size dry_fit_compare(const dry_model *model, int index, const dry_record *record) {
    const dry_against a = dry_model_against(model, index);
    const int column = column_of(model, record, a.output);
    dry_fit_size size = {.rms = (double)NAN, .fraction = (double)NAN};
    double square = 0.0, all = 0.0;
    for (size_t i = 0; i < a.n; i++) {
        const double y = dry_record_at(record, 0, column, a.t[i] - a.lag);
        if (a.t[i] < a.from || a.t[i] > a.to || isnan(y)) continue;
        square += (y - a.y[i]) * (y - a.y[i]);
        all += a.y[i] * a.y[i];
        size.rows++;
    }
    if (!size.rows) return size;
    size.rms = sqrt(square / (double)size.rows);
    size.fraction = sqrt(square / all);
    return size;
}
