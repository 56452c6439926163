/* The model that runs a robot's file. */
#ifndef DRY_CLI_ROBOT_TEXT_H
#define DRY_CLI_ROBOT_TEXT_H

/* The text of a model of that name for the URDF file at the path, which stands beside it, as
 * `drystone run` takes it: to be freed. NULL after a complaint; *code is then a cli_exit.
 * model_path is where it will stand. */
char *cli_robot_text(const char *path, const char *model_path, const char *name, int *code);

#endif
