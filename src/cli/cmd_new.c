/* drystone new NAME: writes NAME.dry, a model to start from; new ROBOT.urdf: the model that runs
 * it.
 */
#include "files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The model, with its name in the first statement. */
static const char *const before_name =
    "# A block slides on a rough floor and hits a wall.\n"
    "#\n"
    "#     drystone run %s.dry      simulates it\n"
    "#     drystone show %s.dry     the equations that it becomes\n"
    "#     drystone test %s.dry     checks the `expect` lines\n"
    "\n"
    "model %s \"Block, floor and wall\"\n";

static const char *const after_name =
    "\n"
    "# Parameters: `drystone run -p mu=0.1 ...` replaces one for a run. Units become SI at once.\n"
    "param M = 2 [kg], mu = 0.2, g = 9.81 [m/s^2]\n"
    "param wall = 0.5 [m], speed = 2 [m/s]\n"
    "\n"
    "# States with their values at the start; each has one equation below.\n"
    "state p = 0 [m], v = speed\n"
    "\n"
    "# Dry friction: f is an element of the set mu M g sgn(v). The compiler chooses K and beta "
    "from\n"
    "# the step; f.a is the elastic stretch.\n"
    "f in mu*M*g*sgn(v)\n"
    "\n"
    "# A unilateral contact: its gap is wall - p, its force N pushes and never pulls.\n"
    "N in dio(wall - p)    with restitution = 0.5, depth = 1 [mm], speed = speed\n"
    "\n"
    "p' = v\n"
    "M*v' = -f - N\n"
    "\n"
    "run until = 1 [s], step = 0.1 [ms], method = rk4\n"
    "\n"
    "plot p\n"
    "plot v\n"
    "plot f, N\n"
    "\n"
    "# Numbers of the whole run, and what they should be.\n"
    "measure impact = sqrt(speed^2 - 2*mu*g*wall)    # the speed at the wall, by energy\n"
    "measure rebound = -min(v)\n"
    "measure rest = final(p)\n"
    "\n"
    "expect max(p) - wall < 2e-3                     # the wall is hardly indented\n"
    "expect rebound/impact = 0.5 +- 0.05\n"
    "expect rest = wall - rebound^2/(2*mu*g) +- 5e-3 # friction takes the rest of the energy\n"
    "expect abs(final(v)) < 1e-6                     # and the block stands still\n";

/* ---- the name ---------------------------------------------------------------------- */

/* The last part of the path without .dry, as a name of the language; NULL if it is not one. */
static char *name_in(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (cli_ends_with(base, ".dry")) length -= 4;
    bool valid = length > 0 && length <= 64 && (isalpha((unsigned char)base[0]) || base[0] == '_');
    for (size_t i = 0; i < length; i++)
        valid = valid && (isalnum((unsigned char)base[i]) || base[i] == '_');
    char *name = valid ? malloc(length + 1) : NULL;
    if (!name) return NULL;
    memcpy(name, base, length);
    name[length] = '\0';
    return name;
}

/* The path with the ending .dry; NULL without memory. */
static char *path_of(const char *word) {
    const size_t size = strlen(word) + sizeof ".dry";
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s%s", word, cli_ends_with(word, ".dry") ? "" : ".dry");
    return path;
}

/* ---- the file ---------------------------------------------------------------------- */

/* Opens a file that does not exist yet: another one is never overwritten. */
static FILE *create(const char *path) {
    FILE *stream = fopen(path, "wx");
    if (!stream && errno == EEXIST)
        cli_complain("%s already exists and stays as it is; use another name", path);
    else if (!stream)
        cli_complain("%s cannot be written: %s", path, strerror(errno));
    return stream;
}

/* Ends the file; removes it if it is not whole. */
static int close_model(FILE *stream, const char *path) {
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        cli_complain("%s could not be written whole", path);
        remove(path);
        return CLI_RUN;
    }
    printf("wrote %s; try: drystone run %s\n", path, path);
    return CLI_FINE;
}

static int write_model(const char *path, const char *name) {
    FILE *stream = create(path);
    if (!stream) return CLI_USAGE;
    fprintf(stream, before_name, name, name, name, name);
    fputs(after_name, stream);
    return close_model(stream, path);
}

/* ---- robots --------------------------------------------------------------------------- */

/* A name of the language from that of the file: other letters become _. */
static void make_name(char *name) {
    if (!isalpha((unsigned char)name[0])) name[0] = '_';
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    if (strlen(name) > 64) name[64] = '\0';
}

/* beside: room for the path with the ending .dry, and for a name. */
static int write_robot(const char *robot, char *beside, char *name) {
    const char *slash = strrchr(robot, '/');
    const int stem = (int)(strlen(robot) - strlen(".urdf"));
    int code;
    sprintf(beside, "%.*s.dry", stem, robot);
    sprintf(name, "robot_%.*s", stem - (int)(slash ? slash + 1 - robot : 0),
            slash ? slash + 1 : robot);
    make_name(name);
    char *text = cli_robot_text(robot, beside, name, &code);
    if (!text) return code;
    FILE *stream = create(beside);
    if (stream) fputs(text, stream);
    free(text);
    return stream ? close_model(stream, beside) : CLI_USAGE;
}

static int run_robot(const char *robot) {
    const size_t size = strlen(robot) + sizeof "robot_";
    char *room = malloc(2 * size);
    const int code = room ? write_robot(robot, room, room + size) : CLI_RUN;
    if (!room) cli_complain("%s: out of memory", robot);
    free(room);
    return code;
}

static int run(const cli_args *args) {
    if (cli_ends_with(args->words[0], ".urdf")) return run_robot(args->words[0]);
    char *name = name_in(args->words[0]), *path = path_of(args->words[0]);
    int code = CLI_USAGE;
    if (!name)
        cli_complain("'%s' cannot name a model: use a letter or _, then letters, digits and _",
                     args->words[0]);
    else if (path)
        code = write_model(path, name);
    free(name);
    free(path);
    return code;
}

const cli_verb cli_verb_new = {
    .name = "new",
    .arguments = "NAME",
    .summary = "write NAME.dry, a model to start from; for ROBOT.urdf, the model that runs it",
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
