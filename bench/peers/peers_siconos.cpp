// What does a step of a time-stepping scheme cost here, and with Siconos?
//
// The block on a rough floor of X13 Fig 3, with its set kept: M v' = fe - f, f in F sgn(v). Ours is
// the scheme `rigid`; Siconos' is Moreau and Jean's with theta = 1/2 and a relay, solved by
// pivoting. Both take 3000 steps of 1 ms. The error is the largest difference of position or
// velocity at twenty times of the run from `rigid` with a step of 1 us. The time includes the
// setting up. Siconos is built for large systems: what is compared is what one force costs.
//
// M: mass, kg; F: level of friction, N; fe: applied force, N; p: position, m; v: velocity, m/s.
#include <SiconosKernel.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <drystone/model.h>
#include <drystone/rigid.h>
#include <string>

namespace {

const double M = 1.0, F = 0.5, END = 3.0, STEP = 1e-3;
enum { N_SAMPLES = 20, TURNS = 40 };
typedef double trajectory[N_SAMPLES][2];

double push(double t) {
    return t < 2.0 ? std::min(0.52, 0.8 * t) : 0.336 + 0.144 * std::cos(100.0 * t);
}

double seconds_now() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double sample_time(int i) { return END * (i + 1) / N_SAMPLES; }

void must(bool condition, const char *what) {
    if (condition) return;
    std::fprintf(stderr, "not a fair race: %s\n", what);
    std::exit(1);
}

// ---- ours --------------------------------------------------------------------------

const char text[] = "model drift\n"
                    "param M = 1 [kg], F = 0.5 [N]\n"
                    "state p = 0 [m], v = 0 [m/s]\n"
                    "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"
                    "f in F*sgn(v)\n"
                    "p' = v\n"
                    "M*v' = fe - f\n"
                    "run until = 3 [s], step = 1 [ms], method = rigid\n";

void run_ours(const dry_model *model, double step, trajectory samples) {
    dry_rigid_options options = {};
    dry_error error = {};
    dry_rigid *rigid = nullptr;
    options.step = step;
    must(dry_rigid_new(dry_model_inclusion(model), &options, nullptr, 0.0, &rigid, &error) ==
             DRY_OK,
         error.text);
    for (int i = 0; i < N_SAMPLES; i++) {
        must(dry_rigid_advance(rigid, sample_time(i), &error) == DRY_OK, error.text);
        samples[i][0] = dry_rigid_state(rigid)[0];
        samples[i][1] = dry_rigid_state(rigid)[1];
    }
    dry_rigid_free(rigid);
}

// ---- Siconos -----------------------------------------------------------------------

void external(double t, unsigned int, double *force, unsigned int, double *) { force[0] = push(t); }

void run_siconos(trajectory samples) {
    SP::SiconosVector q(new SiconosVector(1)), v(new SiconosVector(1));
    SP::SimpleMatrix mass(new SimpleMatrix(1, 1)), H(new SimpleMatrix(1, 1));
    q->zero(), v->zero();
    (*mass)(0, 0) = M, (*H)(0, 0) = 1.0;
    SP::LagrangianLinearTIDS block(new LagrangianLinearTIDS(q, v, mass));
    block->setComputeFExtFunction(external);

    // the scheme's unknown is the impulse of a step
    SP::NonSmoothLaw law(new RelayNSL(1, -STEP * F, STEP * F));
    SP::SiconosVector below(new SiconosVector(1)); // a relation counts where its y is negative
    (*below)(0) = -1e3;
    SP::Relation relation(new LagrangianLinearTIR(H, below));
    SP::Interaction friction(new Interaction(law, relation));
    SP::NonSmoothDynamicalSystem system(new NonSmoothDynamicalSystem(0.0, END));
    system->insertDynamicalSystem(block);
    system->link(friction, block);

    SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, STEP));
    SP::OneStepIntegrator scheme(new MoreauJeanOSI(0.5));
    SP::OneStepNSProblem problem(new Relay(SICONOS_RELAY_LEMKE));
    SP::TimeStepping simulation(new TimeStepping(system, grid, scheme, problem));
    const long steps = std::lround(END / STEP);
    for (long k = 1; k <= steps; k++) {
        simulation->computeOneStep();
        simulation->nextStep();
        if (k % (steps / N_SAMPLES) != 0) continue;
        double *sample = samples[k / (steps / N_SAMPLES) - 1];
        sample[0] = (*block->q())(0), sample[1] = (*block->velocity())(0);
    }
}

double difference(trajectory a, trajectory b) {
    double largest = 0.0;
    for (int i = 0; i < N_SAMPLES; i++)
        for (int k = 0; k < 2; k++) largest = std::max(largest, std::fabs(a[i][k] - b[i][k]));
    return largest;
}

void row(bool csv, const char *name, double seconds, double error, double ratio) {
    std::printf(csv ? "%s,%.9g,%.9g,%.9g\n" : "%-22s  %9.1f  %9.1e  %7.1f\n", name,
                seconds * 1e9 / (END / STEP), error, ratio);
}

} // namespace

int main(int argc, char **argv) {
    const bool csv = argc == 2 && std::strcmp(argv[1], "--csv") == 0;
    trajectory reference, ours, theirs;
    double our_time = INFINITY, their_time = INFINITY;
    dry_model *model = dry_model_compile("drift", text, std::strlen(text), nullptr);
    must(model && dry_model_ok(model), "the model does not compile");
    run_ours(model, 1e-6, reference);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < 10; k++) {
            const double start = seconds_now();
            run_ours(model, STEP, ours);
            our_time = std::min(our_time, seconds_now() - start);
        }
        const double start = seconds_now();
        run_siconos(theirs);
        their_time = std::min(their_time, seconds_now() - start);
    }
    std::printf(csv ? "%s,%s,%s,%s\n" : "%-22s  %9s  %9s  %7s\n", "scheme", "ns/step", "error",
                "ratio");
    row(csv, "rigid, bytecode", our_time, difference(ours, reference), 1.0);
    row(csv, "Siconos Moreau-Jean", their_time, difference(theirs, reference),
        their_time / our_time);
    dry_model_free(model);
    return 0;
}
