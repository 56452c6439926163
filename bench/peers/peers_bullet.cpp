/* Spheres in a box by Bullet: sequential impulses, a dynamic tree of boxes as broad phase. Pairs
 * are kept in view at 2 mm; its standard 20 mm is meant for larger things and costs a sixth. */
#include "scene.h"
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

extern btScalar gContactBreakingThreshold;

namespace {

struct world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
    btSphereShape sphere{btScalar(spheres_R)};
    std::vector<std::unique_ptr<btStaticPlaneShape>> planes;
    std::vector<std::unique_ptr<btRigidBody>> walls, bodies;
};

void add_plane(world &w, const btVector3 &normal, double offset) {
    w.planes.push_back(std::make_unique<btStaticPlaneShape>(normal, btScalar(offset)));
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, w.planes.back().get());
    w.walls.push_back(std::make_unique<btRigidBody>(info));
    w.dynamics.addRigidBody(w.walls.back().get());
}

void add_sphere(world &w, const double *p) {
    const btScalar mass = btScalar(spheres_mass());
    btVector3 inertia;
    w.sphere.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &w.sphere, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
    w.bodies.push_back(std::make_unique<btRigidBody>(info));
    w.bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    w.dynamics.addRigidBody(w.bodies.back().get());
}

/* Bullet multiplies the friction of the two bodies: mu for every pair is sqrt(mu) on each. */
void set_friction(world &w) {
    const btScalar root = btScalar(sqrt(spheres_mu));
    for (auto &body : w.bodies) body->setFriction(root);
    for (auto &wall : w.walls) wall->setFriction(root);
}

void *begin(int N, const double *p, const setting *s) {
    gContactBreakingThreshold = btScalar(0.002);
    world *w = new world;
    const double half = spheres_half_width(N);
    w->dynamics.setGravity(btVector3(0, 0, btScalar(-spheres_g)));
    w->dynamics.getSolverInfo().m_numIterations = s->iterations;
    add_plane(*w, btVector3(0, 0, 1), 0.0);
    for (int k = -1; k <= 1; k += 2) {
        add_plane(*w, btVector3(btScalar(-k), 0, 0), -half);
        add_plane(*w, btVector3(0, btScalar(-k), 0), -half);
    }
    for (int i = 0; i < N; i++) add_sphere(*w, p + 3 * i);
    set_friction(*w);
    return w;
}

void go(void *data, double h, long steps) {
    world *w = static_cast<world *>(data);
    for (long k = 0; k < steps; k++) w->dynamics.stepSimulation(btScalar(h), 0, btScalar(h));
}

void look(void *data, double *p, double *v) {
    for (const auto &body : static_cast<world *>(data)->bodies)
        for (int k = 0; k < 3; k++) {
            *p++ = double(body->getWorldTransform().getOrigin()[k]);
            *v++ = double(body->getLinearVelocity()[k]);
        }
}

void end(void *data) {
    world *w = static_cast<world *>(data);
    for (auto &body : w->bodies) w->dynamics.removeRigidBody(body.get());
    for (auto &wall : w->walls) w->dynamics.removeRigidBody(wall.get());
    delete w;
}

} // namespace

int main(int argc, char **argv) {
    const engine bullet = {"Bullet", nullptr, begin, go, look, end};
    const setting settings[] = {{4e-3, 10}, {2.5e-3, 10}, {1e-3, 10}};
    return scene_main(&bullet, settings, 3, 1000, argc, argv);
}
