/* processes: those of one `mpirun`, which share the points of a sweep or the starts of a fit. */
#ifndef DRY_CLI_PROCESSES_H
#define DRY_CLI_PROCESSES_H

#include <drystone/crew.h>
#include <stdbool.h>

/* *team becomes NULL if the process is alone: not started by mpirun, or built without MPI.
 * False, with a complaint, where mpirun has started it and it cannot join the others. */
bool cli_processes_join(const dry_processes **team);
/* Ends the team; where one of them failed, all end with its code. Returns the code to end with. */
int cli_processes_leave(int code);
/* Whether this build can share work among processes. */
bool cli_processes_possible(void);

#endif
