/* The processes of one `mpirun`, for verbs that can share their work. */
#ifndef DRY_CLI_PROCESSES_H
#define DRY_CLI_PROCESSES_H

#include <drystone/sweep.h>

/* NULL where the process is alone: not started by mpirun, or built without MPI. */
const dry_sweep_team *cli_processes_join(void);
/* Ends the team; where one of them failed, all end with its code. Returns the code to end with. */
int cli_processes_leave(int code);
/* Whether this build can share work among processes. */
bool cli_processes_possible(void);

#endif
