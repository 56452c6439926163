/* Spheres in a box by MuJoCo: an elliptic cone, conjugate gradients on a sparse Jacobian (the
 * faster solver here), contacts as hard as the step allows (a time constant of two steps; with its
 * standard one of 20 ms spheres sink in ten times as deep). Its arrays have room for every number
 * of a dense Jacobian all the same and must stay below 2 GB, so 1,000 spheres just fit. */
#include "scene.h"
#include <mujoco/mujoco.h>
#include <string.h>

typedef struct world {
    mjModel *model;
    mjData *data;
} world;

static void print_plane(FILE *f, const char *name, double x, double y, const char *axis) {
    fprintf(f, "<geom name='%s' type='plane' size='9 9 1' pos='%.17g %.17g 0' zaxis='%s'/>\n", name,
            x, y, axis);
}

static char *describe(int N, const double *p, const setting *s, size_t *length) {
    const double half = spheres_half_width(N);
    char *text = NULL;
    FILE *f = open_memstream(&text, length);
    if (f == NULL) exit(1);
    fprintf(f,
            "<mujoco><option timestep='%.17g' gravity='0 0 %.17g' cone='elliptic' solver='CG' "
            "jacobian='sparse' "
            "iterations='%d'/><size njmax='%d' nconmax='%d'/><default><geom friction='%.17g 0 0' "
            "condim='3' solref='%.17g 1' density='%.17g'/></default><worldbody>\n",
            s->step, -spheres_g, s->iterations, 8 * N + 500, 3 * N + 300, spheres_mu, 2.0 * s->step,
            spheres_density);
    print_plane(f, "floor", 0.0, 0.0, "0 0 1");
    print_plane(f, "left", -half, 0.0, "1 0 0");
    print_plane(f, "right", half, 0.0, "-1 0 0");
    print_plane(f, "front", 0.0, -half, "0 1 0");
    print_plane(f, "back", 0.0, half, "0 -1 0");
    for (int i = 0; i < N; i++)
        fprintf(
            f,
            "<body pos='%.17g %.17g %.17g'><freejoint/><geom type='sphere' size='%.17g'/></body>\n",
            p[3 * i], p[3 * i + 1], p[3 * i + 2], spheres_R);
    fprintf(f, "</worldbody></mujoco>\n");
    fclose(f);
    return text;
}

static void *begin(int N, const double *p, const setting *s) {
    static mjVFS files; /* a few megabytes: too large for a stack */
    char message[500] = "";
    size_t length;
    world *w = calloc(1, sizeof *w);
    char *text = describe(N, p, s, &length);
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "spheres.xml", (int)length + 1);
    memcpy(files.filedata[0], text, length + 1);
    w->model = mj_loadXML("spheres.xml", &files, message, sizeof message);
    mj_deleteVFS(&files);
    free(text);
    if (w->model == NULL) {
        fprintf(stderr, "MuJoCo: %s\n", message);
        exit(1);
    }
    w->data = mj_makeData(w->model);
    return w;
}

static void go(void *data, double h, long steps) {
    const world *w = data;
    (void)h; /* the model has it */
    for (long k = 0; k < steps; k++) mj_step(w->model, w->data);
    if (w->data->warning[mjWARN_CONTACTFULL].number || w->data->warning[mjWARN_CNSTRFULL].number) {
        fputs("MuJoCo: there is no room for all contacts\n", stderr);
        exit(1);
    }
}

static void look(void *data, double *p, double *v) {
    const world *w = data;
    for (int i = 0; i < w->model->nq / 7; i++)
        for (int k = 0; k < 3; k++) {
            p[3 * i + k] = (double)w->data->qpos[7 * i + k];
            v[3 * i + k] = (double)w->data->qvel[6 * i + k];
        }
}

static void end(void *data) {
    world *w = data;
    mj_deleteData(w->data);
    mj_deleteModel(w->model);
    free(w);
}

int main(int argc, char **argv) {
    const engine mujoco = {"MuJoCo", NULL, begin, go, look, end};
    const setting settings[] = {{4e-3, 20}, {2e-3, 20}};
    return scene_main(&mujoco, settings, 2, 1000, argc, argv);
}
