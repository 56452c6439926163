/* Spheres in a box by the Open Dynamics Engine: quickstep, a hash space, standard ERP, CFM 0. */
#include "scene.h"
#include <ode/ode.h>

enum { MOST_CONTACTS = 4 };

typedef struct world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *bodies;
    int N;
} world;

static void near(void *data, dGeomID a, dGeomID b) {
    world *w = data;
    dContact contact[MOST_CONTACTS];
    const int n = dCollide(a, b, MOST_CONTACTS, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = spheres_mu;
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static void add_sphere(world *w, int i, const double *p) {
    dMass mass;
    dGeomID geom = dCreateSphere(w->space, spheres_R);
    w->bodies[i] = dBodyCreate(w->world);
    dMassSetSphere(&mass, spheres_density, spheres_R);
    dBodySetMass(w->bodies[i], &mass);
    dBodySetPosition(w->bodies[i], p[0], p[1], p[2]);
    dGeomSetBody(geom, w->bodies[i]);
}

static void *begin(int N, const double *p, const setting *s) {
    world *w = calloc(1, sizeof *w);
    const double half = spheres_half_width(N);
    dInitODE2(0);
    w->world = dWorldCreate();
    w->space = dHashSpaceCreate(0);
    dHashSpaceSetLevels(w->space, -4, -1);
    w->contacts = dJointGroupCreate(0);
    w->bodies = calloc((size_t)N, sizeof *w->bodies);
    w->N = N;
    dWorldSetGravity(w->world, 0.0, 0.0, -spheres_g);
    dWorldSetQuickStepNumIterations(w->world, s->iterations);
    dWorldSetCFM(w->world, 0.0);
    for (int i = 0; i < N; i++) add_sphere(w, i, p + 3 * i);
    dCreatePlane(w->space, 0.0, 0.0, 1.0, 0.0);
    for (int k = -1; k <= 1; k += 2) {
        dCreatePlane(w->space, (double)-k, 0.0, 0.0, -half);
        dCreatePlane(w->space, 0.0, (double)-k, 0.0, -half);
    }
    return w;
}

static void go(void *data, double h, long steps) {
    world *w = data;
    for (long k = 0; k < steps; k++) {
        dSpaceCollide(w->space, w, near);
        dWorldQuickStep(w->world, h);
        dJointGroupEmpty(w->contacts);
    }
}

static void look(void *data, double *p, double *v) {
    const world *w = data;
    for (int i = 0; i < 3 * w->N; i++) {
        p[i] = (double)dBodyGetPosition(w->bodies[i / 3])[i % 3];
        v[i] = (double)dBodyGetLinearVel(w->bodies[i / 3])[i % 3];
    }
}

static void end(void *data) {
    world *w = data;
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    dCloseODE();
    free(w->bodies);
    free(w);
}

int main(int argc, char **argv) {
    const engine ode = {"ODE", NULL, begin, go, look, end};
    const setting settings[] = {{4e-3, 20}, {1e-3, 50}};
    return scene_main(&ode, settings, 2, 1000, argc, argv);
}
