/* thickness: how thick shapes are. A contact may give way by a share of it. */
#include "contact_private.h"

/* Twice the smallest half size, m; of a plane and a cloud, which have no thickness, INFINITY. */
static double thickness(const dry_shape *shape) {
    switch (shape->kind) {
    case DRY_PLANE:
    case DRY_CLOUD: return (double)INFINITY;
    case DRY_BOX: return 2.0 * fmin(shape->size[0], fmin(shape->size[1], shape->size[2]));
    case DRY_CYLINDER: return 2.0 * fmin(shape->size[0], shape->size[1]);
    default: return 2.0 * shape->size[0]; /* a radius */
    }
}

double dry_body__thinnest(const dry_port *const *frames, int count) {
    double least = (double)INFINITY;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < frames[k]->n_shapes; i++)
            least = fmin(least, thickness(&frames[k]->shapes[i]));
    return least;
}
