/* What does an error of 1e-8 cost here, and with the methods of SUNDIALS?
 *
 * CVODE: Adams with a fixed-point iteration, BDF with a dense Newton iteration; ARKODE: explicit
 * Runge-Kutta pairs of orders 4, 5, 6 and 8. CVODE's own interpolation gives the samples; ARKODE
 * stops at them, since its Hermite interpolation is of a lower order than its methods. */
#include "peers.h"
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { MOST_STEPS = 10000000, MOST_FAILS = 100 }; /* a kink may need many shorter steps */

typedef struct solver {
    SUNContext context;
    void *memory;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
} solver;

static int rate(realtype t, N_Vector y, N_Vector y_dot, void *data) {
    equations_rate(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
    return 0;
}

static solver *solver_new(int n, double *x) {
    solver *s = calloc(1, sizeof *s);
    must(s && SUNContext_Create(NULL, &s->context) == 0, "no memory");
    s->y = N_VMake_Serial(n, x, s->context);
    must(s->y != NULL, "no memory");
    return s;
}
static void solver_free(solver *s) {
    if (s->linear) SUNLinSolFree(s->linear);
    if (s->nonlinear) SUNNonlinSolFree(s->nonlinear);
    if (s->matrix) SUNMatDestroy(s->matrix);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
    free(s);
}

/* ---- CVODE --------------------------------------------------------------------- */

static bool iterate_fixed(solver *s) {
    s->nonlinear = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    return CVodeSetNonlinearSolver(s->memory, s->nonlinear) == 0;
}
static bool iterate_newton(solver *s, int n) {
    s->matrix = SUNDenseMatrix(n, n, s->context);
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    return CVodeSetLinearSolver(s->memory, s->linear, s->matrix) == 0;
}
static void *cvode_begin(const peer *of, equations *e, double tolerance, double *x) {
    const int n = e->system->n_states;
    solver *s = solver_new(n, x);
    s->memory = CVodeCreate(of->choice, s->context);
    must(s->memory && CVodeInit(s->memory, rate, 0.0, s->y) == 0 &&
             CVodeSStolerances(s->memory, tolerance, tolerance) == 0 &&
             CVodeSetUserData(s->memory, e) == 0 &&
             CVodeSetMaxNumSteps(s->memory, MOST_STEPS) == 0 &&
             CVodeSetMaxErrTestFails(s->memory, MOST_FAILS) == 0 &&
             CVodeSetErrFile(s->memory, NULL) == 0 &&
             (of->choice == CV_ADAMS ? iterate_fixed(s) : iterate_newton(s, n)),
         "CVODE cannot begin");
    return s;
}
static bool cvode_restart(void *data, double t) {
    const solver *s = data;
    return CVodeReInit(s->memory, t, s->y) == 0;
}
static bool cvode_go(void *data, double *t, double to, double stop) {
    const solver *s = data;
    return CVodeSetStopTime(s->memory, stop) == 0 && CVode(s->memory, to, s->y, t, CV_NORMAL) >= 0;
}
static void cvode_end(void *data) {
    solver *s = data;
    CVodeFree(&s->memory);
    solver_free(s);
}

/* ---- ARKODE -------------------------------------------------------------------- */

static void *arkode_begin(const peer *of, equations *e, double tolerance, double *x) {
    solver *s = solver_new(e->system->n_states, x);
    s->memory = ERKStepCreate(rate, 0.0, s->y, s->context);
    must(s->memory && ERKStepSetOrder(s->memory, of->choice) == 0 &&
             ERKStepSStolerances(s->memory, tolerance, tolerance) == 0 &&
             ERKStepSetUserData(s->memory, e) == 0 &&
             ERKStepSetMaxNumSteps(s->memory, MOST_STEPS) == 0 &&
             ERKStepSetMaxErrTestFails(s->memory, MOST_FAILS) == 0 &&
             ERKStepSetErrFile(s->memory, NULL) == 0,
         "ARKODE cannot begin");
    return s;
}
static bool arkode_restart(void *data, double t) {
    const solver *s = data;
    return ERKStepReset(s->memory, t, s->y) == 0;
}
static bool arkode_go(void *data, double *t, double to, double stop) {
    const solver *s = data;
    (void)stop;
    return ERKStepSetStopTime(s->memory, to) == 0 &&
           ERKStepEvolve(s->memory, to, s->y, t, ARK_NORMAL) >= 0;
}
static void arkode_end(void *data) {
    solver *s = data;
    ERKStepFree(&s->memory);
    solver_free(s);
}

int main(int argc, char **argv) {
    static const peer peers[] = {
        {"CVODE Adams", CV_ADAMS, cvode_begin, cvode_restart, cvode_go, cvode_end},
        {"CVODE BDF", CV_BDF, cvode_begin, cvode_restart, cvode_go, cvode_end},
        {"ARKODE explicit, order 4", 4, arkode_begin, arkode_restart, arkode_go, arkode_end},
        {"ARKODE explicit, order 5", 5, arkode_begin, arkode_restart, arkode_go, arkode_end},
        {"ARKODE explicit, order 6", 6, arkode_begin, arkode_restart, arkode_go, arkode_end},
        {"ARKODE explicit, order 8", 8, arkode_begin, arkode_restart, arkode_go, arkode_end}};
    return compare_with(argc, argv, peers, sizeof peers / sizeof peers[0]);
}
