/* Spheres in a box by MuJoCo: its standard contact, an elliptic cone, the projected Gauss-Seidel
 * solver. */
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
            "<mujoco><option timestep='%.17g' gravity='0 0 %.17g' cone='elliptic' solver='PGS' "
            "iterations='%d'/><size njmax='%d' nconmax='%d'/><default><geom friction='%.17g 0 0' "
            "condim='3' density='%.17g'/></default><worldbody>\n",
            s->step, -spheres_g, s->iterations, 30 * N + 500, 10 * N + 100, spheres_mu,
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

static void step(void *data, double h) {
    const world *w = data;
    (void)h; /* the model has it */
    mj_step(w->model, w->data);
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
    const engine mujoco = {"MuJoCo", begin, step, look, end};
    const setting settings[] = {{2e-3, 20}};
    return scene_main(&mujoco, settings, 1, 100, argc, argv);
}
