/* figure: the panels of a model as a picture. */
#include "report_private.h"

dry_panel dry_report__panel(const dry_model_panel *from) {
    dry_panel panel = {.title = from->title,
                       .x = from->x[0],
                       .own_x = from->x,
                       .n_curves = from->n,
                       .marks = from->marks,
                       .x_axis = from->x_axis,
                       .y_axis = from->y_axis,
                       .beside_axis = from->beside_axis,
                       .n_shades = from->n_shades};
    for (int k = 0; k < from->n; k++) {
        panel.y[k] = from->y[k];
        panel.label[k] = from->label[k];
        panel.beside[k] = from->beside[k];
    }
    for (int k = 0; k < from->n_shades; k++) panel.shade[k] = from->shade[k];
    return panel;
}

dry_plot dry_report_plot(const dry_model *model, const dry_record *record, dry_panel *panels) {
    const int n = dry_model_panels(model);
    for (int i = 0; i < n; i++) {
        const dry_model_panel from = dry_model_panel_at(model, i);
        panels[i] = dry_report__panel(&from);
    }
    return (dry_plot){
        .record = record, .title = dry_model_title(model), .panels = panels, .n_panels = n};
}
