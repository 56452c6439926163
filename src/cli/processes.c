/* processes: counts processors, and connects the processes of one `mpirun` if the build has MPI.
 */
#define _POSIX_C_SOURCE 200809L
#include "processes.h"
#include "cli.h"
#include <unistd.h>

int cli_cores(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

#ifdef DRY_WITH_MPI
#include "base/base.h"
#include <mpi.h>
#include <stdlib.h>

/* The library, as mpi_calls.def lists it: mpi.Bcast is MPI_Bcast. There once launched processes
 * have joined. */
#define CALL(symbol, name) DRY_SYMBOL_TEXT(symbol),
static const char *const symbols[] = {
#include "mpi_calls.def"
    NULL};
#undef CALL

#define CALL(symbol, name) __typeof__(symbol) *name;
typedef struct calls {
#include "mpi_calls.def"
} calls;
#undef CALL

#ifdef DRY_FILE_MPI
static calls mpi;
#else
#define DRY_FILE_MPI NULL
#define CALL(symbol, name) .name = &symbol,
static calls mpi = {
#include "mpi_calls.def"
};
#undef CALL
#endif

static dry_library library = {.name = "MPI",
                              .file = DRY_FILE_MPI,
                              .package = DRY_PACKAGE_MPI,
                              .instead = "run without mpirun",
                              .shows_symbols = true,
                              .symbols = symbols,
                              .calls = &mpi};

#ifdef OPEN_MPI /* whose handles are addresses of its variables */
#define WORLD ((MPI_Comm)(void *)mpi.world)
#define BYTE ((MPI_Datatype)(void *)mpi.byte)
#define DOUBLE ((MPI_Datatype)(void *)mpi.number)
#else
#define WORLD MPI_COMM_WORLD
#define BYTE MPI_BYTE
#define DOUBLE MPI_DOUBLE
#endif

/* A piece that fits an int, as MPI counts. */
static int piece(size_t left) { return left > 1 << 20 ? 1 << 20 : (int)left; }

static bool share(void *user, void *data, size_t bytes) {
    (void)user;
    char *at = data;
    for (size_t done = 0; done < bytes;) {
        const int n = piece(bytes - done);
        if (mpi.Bcast(at + done, n, BYTE, 0, WORLD) != MPI_SUCCESS) return false;
        done += (size_t)n;
    }
    return true;
}

static bool send(void *user, const double *values, size_t n) {
    (void)user;
    return n <= 1 << 20 && mpi.Send(values, (int)n, DOUBLE, 0, 0, WORLD) == MPI_SUCCESS;
}

static bool receive(void *user, double *values, size_t n) {
    (void)user;
    return n <= 1 << 20 && mpi.Recv(values, (int)n, DOUBLE, MPI_ANY_SOURCE, 0, WORLD,
                                    MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static dry_processes team = {.share = share, .send = send, .receive = receive};

/* What launchers pass to a process; without one of them MPI is left alone. */
static bool launched(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMI_RANK") ||
           getenv("PMIX_RANK");
}

static bool joined;

static bool join(void) {
    int level = 0;
    dry_error error = {0};
    if (dry_library_load(&library, &error) != DRY_OK) return cli_complain_error(&error), false;
    if (mpi.Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return cli_complain("MPI cannot begin: run without mpirun"), false;
    joined = true;
    if (level < MPI_THREAD_SERIALIZED) {
        cli_complain("this MPI cannot be used by threads in turn: run without mpirun");
        mpi.Abort(WORLD, CLI_RUN);
    }
    mpi.Comm_rank(WORLD, &team.rank);
    mpi.Comm_size(WORLD, &team.size);
    return true;
}

bool cli_processes_join(const dry_processes **joined_team) {
    const bool fine = !launched() || join();
    *joined_team = team.size > 1 ? &team : NULL;
    return fine;
}

int cli_processes_leave(int code) {
    if (!joined) return code;
    if (code != CLI_FINE && team.size > 1) {
        fflush(NULL);
        mpi.Abort(WORLD, code);
    }
    mpi.Finalize();
    return code;
}

bool cli_processes_possible(void) { return true; }

#else

bool cli_processes_join(const dry_processes **team) { return *team = NULL, true; }
int cli_processes_leave(int code) { return code; }
bool cli_processes_possible(void) { return false; }

#endif
