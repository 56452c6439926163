// What do many contacts, or many layers of friction, cost here and with Siconos?
//
// n blocks one upon the other, block 1 on the table, in the frame of the table; block 0 is the
// table. The texts for ours are those of bench_rigid.c (../stacks.h).
//   column:  m y_i'' = N_i - N_(i+1) - m g (1 + sin(20 t)/2),  N_i in dio(y_i - y_(i-1)),
//            from rest, all gaps zero (at rest) or 0.5 m / n (falls); impacts without restitution.
//   stack:   m v_i' = f_(i+1) - f_i - m a(t),  a = 8 cos(20 t) of the table,
//            f_i in F_i sgn(v_i - v_(i-1)),  F_i = mu m g (n - i + 1) (1 + c sin(7.3 i)),
//            with equal (c = 0) or unequal (c = 1/2) layers.
// Ours is the scheme `rigid` from bytecode. Siconos' is Moreau and Jean's with theta = 1/2; columns
// are a linear complementarity problem, solved by Lemke's pivoting (SICONOS_LCP_LEMKE), stacks a
// relay, solved by Lemke's (SICONOS_RELAY_LEMKE) or by projected Gauss-Seidel (SICONOS_RELAY_PGS)
// with a tolerance of 1e-4, whose error is about that of the scheme. A block is a system of one
// coordinate with one interaction below it; where no contact opens, up to 10 blocks are also one
// system with one interaction of n rows ("joined": columns by Lemke's, stacks by Gauss-Seidel),
// which is faster there and slower beyond. BLAS has one thread. Slower were, tried up to n = 30:
// for columns Gauss-Seidel and Newton's method; for stacks Cao and Ferris' pivoting, as fast as
// Lemke's; for both one system with n interactions, but for the column of 3 that falls, where it
// takes 7 % less.
//
// Both take 500 steps of 1 ms. Times include the setting up, but not the compiling of our text.
// Errors are differences from `rigid` with a step of 10 us, at twenty times of the run: of the
// position of block i over i, and of its velocity; in columns that of the end only, since an impact
// that comes a part of a step later changes a velocity by its whole jump. Over i, because Moreau
// and Jean's contacts overlap by a part of what a step of the impact covers, and blocks above fall
// so much further. The race is fair if each of the i contacts below adds less than what a step of
// the fastest block covers, and a velocity differs by less than what a step of the hardest
// acceleration changes.
//
// m: mass, kg; g: gravity, m/s^2; y: height, m; v: velocity, m/s; N, f, F: forces, N; t: time, s.
#include "../bench.h"
#include "../stacks.h"
#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <algorithm>
#include <drystone/model.h>
#include <drystone/rigid.h>
#include <unistd.h>
#include <vector>

namespace {

const double m = 1.0, g = 9.81, mu = 0.3, END = 0.5, STEP = 1e-3;
const double FASTEST = 4.0, HARDEST = 2.0 * g; // m/s, m/s^2
const double TOLERANCE = 1e-4;                 // of Gauss-Seidel
enum { N_SAMPLES = 20, JOINED_UP_TO = 10 };
typedef std::vector<double> numbers;

struct machine {
    const char *name;
    bool is_column;
    double c;    // of the text
    double fall; // m: all gaps of a column at the start
};
const machine machines[] = {{"column at rest", true, 1.0, 0.0},
                            {"column falls", true, 1.0, 0.5},
                            {"stack equal", false, 0.0, 0.0},
                            {"stack unequal", false, 0.5, 0.0}};

// One contestant: who, and what came out.
struct entry {
    const machine *what;
    int n;
    const dry_model *model; // ours
    double step;            // ours
    int solver;             // Siconos'
    bool joined;            // Siconos'
    numbers p, v;           // N_SAMPLES times n, m and m/s, in the frame of the table
};

double start_gap(const entry &e) { return e.what->fall / e.n; }
double sample_time(int i) { return END * (i + 1) / N_SAMPLES; }

// ---- ours --------------------------------------------------------------------------

void keep_ours(entry &e, double t, const double *x) {
    const bool moves = !e.what->is_column;
    const double p = moves ? 0.02 * (1.0 - std::cos(20.0 * t)) : 0.0;
    const double v = moves ? 0.4 * std::sin(20.0 * t) : 0.0;
    for (int i = 0; i < e.n; i++) e.p.push_back(x[i] - p), e.v.push_back(x[e.n + i] - v);
}

void run_ours(void *data) {
    entry &e = *static_cast<entry *>(data);
    const dry_inclusion *inclusion = dry_model_inclusion(e.model);
    numbers start(static_cast<size_t>(inclusion->system->n_states), 0.0);
    for (int i = 0; i < e.n; i++) start[static_cast<size_t>(i)] = start_gap(e) * (i + 1);
    dry_rigid_options options = {};
    dry_error error = {};
    dry_rigid *rigid = nullptr;
    options.step = e.step, options.x0 = start.data();
    must(dry_rigid_new(inclusion, &options, nullptr, 0.0, &rigid, &error) == DRY_OK, error.text);
    e.p.clear(), e.v.clear();
    for (int i = 0; i < N_SAMPLES; i++) {
        must(dry_rigid_advance(rigid, sample_time(i), &error) == DRY_OK, error.text);
        keep_ours(e, sample_time(i), dry_rigid_state(rigid));
    }
    dry_rigid_free(rigid);
}

dry_model *compile(const machine &what, int n) {
    char text[1000];
    snprintf(text, sizeof text, what.is_column ? column_text : stack_text, n, what.c);
    dry_model *model = dry_model_compile(what.name, text, strlen(text), nullptr);
    must(model && dry_model_ok(model), "the model does not compile");
    return model;
}

// ---- Siconos -----------------------------------------------------------------------

typedef std::vector<SP::LagrangianLinearTIDS> systems;

void weight(double t, unsigned int n, double *force, unsigned int, double *) {
    std::fill(force, force + n, -m * g * (1.0 + 0.5 * std::sin(20.0 * t)));
}

void shake(double t, unsigned int n, double *force, unsigned int, double *) {
    std::fill(force, force + n, -m * 8.0 * std::cos(20.0 * t));
}

double level(const entry &e, int i) { // F of block i + 1
    return mu * m * g * (e.n - i) * (1.0 + e.what->c * std::sin(7.3 * (i + 1)));
}

// Blocks `first` and up, `n` of them, as one system.
SP::LagrangianLinearTIDS blocks(const entry &e, unsigned int first, unsigned int n) {
    SP::SiconosVector q(new SiconosVector(n)), v(new SiconosVector(n));
    SP::SimpleMatrix mass(new SimpleMatrix(n, n));
    v->zero(), mass->eye(), *mass *= m;
    for (unsigned int i = 0; i < n; i++) (*q)(i) = start_gap(e) * (first + i + 1);
    SP::LagrangianLinearTIDS made(new LagrangianLinearTIDS(q, v, mass));
    made->setComputeFExtFunction(e.what->is_column ? weight : shake);
    return made;
}

// The unknown of the scheme is the impulse of a step.
SP::NonSmoothLaw law(const entry &e, unsigned int rows, double F) {
    if (e.what->is_column) return SP::NonSmoothLaw(new NewtonImpactNSL(rows, 0.0));
    return SP::NonSmoothLaw(new RelayNSL(static_cast<int>(rows), -STEP * F, STEP * F));
}

SP::Interaction interaction(const entry &e, SP::NonSmoothLaw of, SP::SimpleMatrix H) {
    SP::SiconosVector offset(new SiconosVector(H->size(0)));
    offset->fill(e.what->is_column ? 0.0 : -1e3); // a relation counts where its y is negative
    return SP::Interaction(new Interaction(of, SP::Relation(new LagrangianLinearTIR(H, offset))));
}

systems link_each(const entry &e, NonSmoothDynamicalSystem &all) {
    systems made;
    for (int i = 0; i < e.n; i++) {
        made.push_back(blocks(e, static_cast<unsigned int>(i), 1));
        all.insertDynamicalSystem(made.back());
        SP::SimpleMatrix H(new SimpleMatrix(1, i == 0 ? 1 : 2));
        if (i > 0) (*H)(0, 0) = -1.0;
        (*H)(0, i == 0 ? 0 : 1) = 1.0;
        SP::Interaction pair = interaction(e, law(e, 1, level(e, i)), H);
        if (i == 0)
            all.link(pair, made[0]);
        else
            all.link(pair, made[static_cast<size_t>(i - 1)], made.back());
    }
    return made;
}

// A law has one level for all of its rows, so the rows have the levels.
systems link_joined(const entry &e, NonSmoothDynamicalSystem &all) {
    const unsigned int n = static_cast<unsigned int>(e.n);
    systems made = {blocks(e, 0, n)};
    all.insertDynamicalSystem(made[0]);
    SP::SimpleMatrix H(new SimpleMatrix(n, n));
    H->zero();
    for (unsigned int i = 0; i < n; i++) {
        const double scale = e.what->is_column ? 1.0 : level(e, static_cast<int>(i));
        (*H)(i, i) = scale;
        if (i > 0) (*H)(i, i - 1) = -scale;
    }
    all.link(interaction(e, law(e, n, 1.0), H), made[0]);
    return made;
}

void keep_theirs(entry &e, const systems &made) {
    for (const SP::LagrangianLinearTIDS &system : made)
        for (unsigned int i = 0; i < system->dimension(); i++) {
            e.p.push_back((*system->q())(i));
            e.v.push_back((*system->velocity())(i));
        }
}

SP::OneStepNSProblem problem(const entry &e) {
    if (e.what->is_column) return SP::OneStepNSProblem(new LCP(e.solver));
    SP::OneStepNSProblem made(new Relay(e.solver));
    if (e.solver == SICONOS_RELAY_PGS)
        made->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = TOLERANCE;
    return made;
}

void run_siconos(void *data) {
    entry &e = *static_cast<entry *>(data);
    SP::NonSmoothDynamicalSystem all(new NonSmoothDynamicalSystem(0.0, END));
    const systems made = e.joined ? link_joined(e, *all) : link_each(e, *all);
    SP::TimeDiscretisation grid(new TimeDiscretisation(0.0, STEP));
    SP::OneStepIntegrator scheme(new MoreauJeanOSI(0.5));
    SP::TimeStepping simulation(new TimeStepping(all, grid, scheme, problem(e)));
    const long steps = std::lround(END / STEP);
    e.p.clear(), e.v.clear();
    for (long k = 1; k <= steps; k++) {
        simulation->computeOneStep();
        simulation->nextStep();
        if (k % (steps / N_SAMPLES) == 0) keep_theirs(e, made);
    }
}

// ---- the race ----------------------------------------------------------------------

// The largest difference of position, of block i over i.
double position_error(const entry &e, const entry &reference) {
    double largest = 0.0;
    for (size_t k = 0; k < e.p.size(); k++) {
        const double below = static_cast<double>(k % static_cast<size_t>(e.n) + 1);
        largest = std::max(largest, std::fabs(e.p[k] - reference.p[k]) / below);
    }
    return largest;
}

double velocity_error(const entry &e, const entry &reference) {
    double largest = 0.0;
    for (size_t k = e.what->is_column ? e.v.size() - static_cast<size_t>(e.n) : 0; k < e.v.size();
         k++)
        largest = std::max(largest, std::fabs(e.v[k] - reference.v[k]));
    return largest;
}

void row(table *t, const contestant &c, const entry &reference, double ours) {
    const entry &e = *static_cast<entry *>(c.data);
    must(e.p.size() == reference.p.size(), "samples are missing");
    const double p = position_error(e, reference), v = velocity_error(e, reference);
    must(p < FASTEST * STEP && v < HARDEST * STEP, c.name);
    cell_text(t, e.what->name);
    cell_number(t, "%.0f", e.n);
    cell_text(t, c.name);
    cell_number(t, "%.2f", c.seconds * 1e6 / (END / STEP));
    cell_number(t, "%.1e", p);
    cell_number(t, "%.1e", v);
    cell_number(t, "%.1f", c.seconds / ours);
}

void measure(table *t, const machine &what, int n) {
    dry_model *model = compile(what, n);
    const int lemke = what.is_column ? int(SICONOS_LCP_LEMKE) : int(SICONOS_RELAY_LEMKE);
    entry reference = {&what, n, model, STEP / 100.0, 0, false, {}, {}};
    entry ours = {&what, n, model, STEP, 0, false, {}, {}};
    entry pivots = {&what, n, nullptr, STEP, lemke, false, {}, {}}, joined = pivots;
    entry sweeps = {&what, n, nullptr, STEP, SICONOS_RELAY_PGS, false, {}, {}};
    if (!what.is_column) joined = sweeps;
    joined.joined = true;
    std::vector<contestant> all = {{"rigid bytecode", run_ours, &ours, 0.0},
                                   {"Siconos Lemke", run_siconos, &pivots, 0.0}};
    if (!what.is_column) all.push_back({"Siconos Gauss-Seidel", run_siconos, &sweeps, 0.0});
    if (what.fall == 0.0 && n <= JOINED_UP_TO)
        all.push_back({"Siconos joined", run_siconos, &joined, 0.0});
    run_ours(&reference);
    race(all.data(), static_cast<int>(all.size()), 1.0);
    for (const contestant &c : all) row(t, c, reference, all[0].seconds);
    dry_model_free(model);
}

// OpenBLAS starts its threads before main; those that wait would count as time of the processor.
void one_thread(char **argv) {
    if (getenv("OPENBLAS_NUM_THREADS")) return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execvp(argv[0], argv); // comes back only where it fails: then with threads
}

} // namespace

int main(int argc, char **argv) {
    static const column columns[] = {{"machine", 14}, {"n", -4},         {"contestant", 22},
                                     {"us/step", -9}, {"error p/i", -9}, {"error v", -9},
                                     {"ratio", -7}};
    one_thread(argv);
    table t = table_begin(argc, argv, columns, 7);
    for (const machine &what : machines)
        for (int n : {3, 10, 30, 100}) measure(&t, what, n);
    return 0;
}
