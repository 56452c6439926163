/* processes: counts processors, and connects the processes of one `mpirun` if the build has MPI.
 */
#define _POSIX_C_SOURCE 200809L
#include "sweep.h"
#include <unistd.h>

int cli_cores(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

#ifdef DRY_WITH_MPI
#include <mpi.h>
#include <stdlib.h>

/* A piece that fits an int, as MPI counts. */
static int piece(size_t left) { return left > 1 << 20 ? 1 << 20 : (int)left; }

static bool share(void *user, void *data, size_t bytes) {
    (void)user;
    char *at = data;
    for (size_t done = 0; done < bytes;) {
        const int n = piece(bytes - done);
        if (MPI_Bcast(at + done, n, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return false;
        done += (size_t)n;
    }
    return true;
}

static bool send(void *user, const double *values, size_t n) {
    (void)user;
    return n <= 1 << 20 &&
           MPI_Send(values, (int)n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static bool receive(void *user, double *values, size_t n) {
    (void)user;
    return n <= 1 << 20 && MPI_Recv(values, (int)n, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                                    MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static dry_sweep_team team = {.share = share, .send = send, .receive = receive};

/* What launchers tell a process; without one of them MPI is left alone. */
static bool launched(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMI_RANK") ||
           getenv("PMIX_RANK");
}

const dry_sweep_team *cli_processes_join(void) {
    int level = 0;
    if (!launched()) return NULL;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) return NULL;
    if (level < MPI_THREAD_SERIALIZED) {
        cli_complain("this MPI cannot be used by threads in turn: run without mpirun");
        MPI_Abort(MPI_COMM_WORLD, CLI_RUN);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &team.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &team.size);
    return team.size > 1 ? &team : NULL;
}

int cli_processes_leave(int code) {
    int running = 0;
    MPI_Initialized(&running);
    if (!running) return code;
    if (code != CLI_FINE && team.size > 1) {
        fflush(NULL);
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    MPI_Finalize();
    return code;
}

bool cli_processes_possible(void) { return true; }

#else

const dry_sweep_team *cli_processes_join(void) { return NULL; }
int cli_processes_leave(int code) { return code; }
bool cli_processes_possible(void) { return false; }

#endif
