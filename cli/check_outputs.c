/* check_outputs.c: checks output paths before any work is done, so that a long training does not fail at its end. */
#include "mpi/rank_sync.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const struct stat *a, const char *path)
{
    struct stat b;
    int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &b) : stat(path, &b);
    return !failed && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

bool cli_is_stdout(const char *path) { return strcmp(path, "-") == 0; }

/* Returns whether a path is a device, a pipe or a socket. Writing to these does not replace a file. */
static bool is_stream(const char *path)
{
    struct stat info;
    return cli_is_stdout(path) || (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

/* Opens a temporary file and discards it, which tests the folder, the permissions and the length of the name at
 * once. */
int cli_check_output_path(const cli_command *c, const char *option, const char *path, size_t inputs)
{
    struct stat info;
    sg_atomic_file *probe;
    if (c->json && cli_is_stdout(path))
        return cli_usage_error("--json and %s- would both write to standard output", option);
    if (!*path || is_stream(path)) return CLI_DONE;
    if (stat(path, &info) == 0) {
        bool same = same_file(&info, c->settings.valid) || same_file(&info, c->settings.config);
        for (size_t i = 0; i < inputs; i++) same = same || same_file(&info, c->operand[i]);
        if (same) return cli_usage_error("%s%s would overwrite an input of this command", option, path);
    }
    int code = cli_exit_code(sg_atomic_file_open(path, &probe));
    if (code == CLI_DONE) sg_atomic_file_free(probe);
    return code;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns whether two paths name the same file, which need not exist yet. */
static bool same_target(const char *a, const char *b)
{
    struct stat file, folder;
    char folders[2][PATH_MAX];
    if (stat(a, &file) == 0) return same_file(&file, b);
    if (strcmp(base_name(a), base_name(b)) != 0) return false;
    snprintf(folders[0], PATH_MAX, "%.*s.", (int)(base_name(a) - a), a);
    snprintf(folders[1], PATH_MAX, "%.*s.", (int)(base_name(b) - b), b);
    return stat(folders[0], &folder) == 0 && same_file(&folder, folders[1]);
}

static int check_checkpoint(const cli_command *c)
{
    const char *path = c->settings.checkpoint, *output = c->settings.output;
    if (!*path) return CLI_DONE;
    if (is_stream(path)) return cli_usage_error("--checkpoint %s: expected a regular file, got a pipe or device", path);
    if (*output && same_target(path, output))
        return cli_usage_error("--checkpoint and --output would both write %s", output);
    return cli_check_output_path(c, "--checkpoint ", path, c->operands);
}

static int check_predictions(const cli_command *c)
{
    if (cli_is_stdout(c->settings.predictions))
        return cli_usage_error("--predictions -: standard output is used for the results; expected a file");
    return cli_check_output_path(c, "--predictions ", c->settings.predictions, c->operands);
}

int cli_check_outputs(const cli_command *c)
{
    int code = CLI_DONE;
    if (cli_is_root(c)) code = cli_check_output_path(c, "--output ", c->settings.output, c->operands);
    if (code == CLI_DONE && cli_is_root(c)) code = check_checkpoint(c);
    if (code == CLI_DONE && cli_is_root(c)) code = check_predictions(c);
    return cli_bcast_exit_code(c, code);
}
