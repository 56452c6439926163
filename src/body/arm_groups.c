/* arm_groups: combines links that are welded together into one body with their common mass and
 * inertia.
 *
 * In the frame of the first of them, with place o and rotation R of link i there:
 *     M = sum M_i,  M C = sum M_i (o + R C_i),
 *     J = sum (R J_i R^T + M_i (|d|^2 1 - d d^T)),  d = o + R C_i - C
 * M: kg; C: m; J about C: kg m^2. */
#include "arm.h"

/* o and R of a link on its group, from those of its parent. */
static void place(const dry_link *link, const dry_group *parent, dry_group *group) {
    double turn[4], step[3];
    dry_body__unit_quat(link->turn, turn);
    dry_quat_rotate(parent->turn, link->at, step);
    for (int i = 0; i < 3; i++) group->at[i] = parent->at[i] + step[i];
    dry_quat_multiply(parent->turn, turn, group->turn);
    group->head = parent->head;
}

static void centre_of(const dry_link *link, const dry_group *at, double centre[3]) {
    dry_quat_rotate(at->turn, link->com, centre);
    for (int i = 0; i < 3; i++) centre[i] += at->at[i];
}

/* Adds R J R^T + M (|d|^2 1 - d d^T) */
static void add_inertia(const dry_link *link, const dry_group *at, dry_group *head) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *J = link->inertia;
    const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double R[9], d[3], half[9];
    dry_body__matrix(at->turn, R);
    centre_of(link, at, d);
    for (int i = 0; i < 3; i++) d[i] -= head->com[i];
    for (int i = 0; i < 3; i++) dry_body__turn(full, R + 3 * i, half + 3 * i); /* R J */
    const double square = dry_dot3(d, d);
    for (int k = 0; k < 6; k++)
        head->inertia[k] += dry_dot3(half + 3 * row[k], R + 3 * column[k]) +
                            link->mass * ((k < 3 ? square : 0.0) - d[row[k]] * d[column[k]]);
}

void dry_arm_groups(const dry_arm *arm, dry_group *groups) {
    for (int i = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        groups[i] = (dry_group){.head = i, .turn = {1.0}};
        if (link->kind == DRY_WELD && link->parent >= 0)
            place(link, &groups[link->parent], &groups[i]);
        dry_group *head = &groups[groups[i].head];
        double centre[3];
        centre_of(link, &groups[i], centre);
        head->mass += link->mass;
        for (int k = 0; k < 3; k++) head->com[k] += link->mass * centre[k];
    }
    for (int i = 0; i < arm->n_links; i++)
        for (int k = 0; groups[i].mass > 0.0 && k < 3; k++) groups[i].com[k] /= groups[i].mass;
    for (int i = 0; i < arm->n_links; i++)
        add_inertia(&arm->links[i], &groups[i], &groups[groups[i].head]);
}

int dry_arm_bad_group(const dry_arm *arm, const dry_group *groups, bool all) {
    double largest = 0.0;
    for (int i = 0; i < arm->n_links; i++) {
        const double *J = groups[i].inertia;
        largest = dry_max(largest, J[0] + J[1] + J[2]);
    }
    for (int i = 0; i < arm->n_links; i++) {
        const bool stands = arm->links[i].kind == DRY_WELD;
        double J[6];
        if (groups[i].head != i || (stands && !all)) continue;
        memcpy(J, groups[i].inertia, sizeof J);
        for (int k = 0; k < 3; k++)
            J[k] += 1e-14 * largest; /* what rounding may leave of nothing */
        if (!dry_inertia_is_positive(J, -1e-12)) return i;
    }
    return -1;
}
