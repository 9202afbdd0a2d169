/* verb_common.c: what several verbs do with files and models. */
#include "mpi/mpi_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const struct stat *a, const char *path)
{
    struct stat b;
    int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &b) : stat(path, &b);
    return !failed && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* A device, a pipe, a socket: whatever is written there, nothing is replaced. */
static bool is_stream(const char *path)
{
    struct stat is;
    return strcmp(path, "-") == 0 || (stat(path, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode));
}

/* Opening and abandoning a file asks all the questions at once: folder, permission, length of name. */
int cli_check_output_path(const cli_command *c, const char *option, const char *path, size_t read)
{
    struct stat is;
    sg_atomic_file *probe;
    if (c->json && strcmp(path, "-") == 0)
        return cli_usage_error("--json and %s- would both write to standard output", option);
    if (!*path || is_stream(path)) return CLI_DONE;
    if (stat(path, &is) == 0) {
        bool same = same_file(&is, cli_option_get(c, "valid")) || same_file(&is, cli_option_get(c, "config"));
        for (size_t i = 0; i < read; i++) same = same || same_file(&is, c->operand[i]);
        if (same) return cli_usage_error("%s%s would overwrite what is read from it", option, path);
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

/* Whether two paths lead to one file, or would once it is there. */
static bool same_target(const char *a, const char *b)
{
    struct stat is, folder;
    char above[2][PATH_MAX];
    if (stat(a, &is) == 0) return same_file(&is, b);
    if (strcmp(base_name(a), base_name(b)) != 0) return false;
    snprintf(above[0], PATH_MAX, "%.*s.", (int)(base_name(a) - a), a);
    snprintf(above[1], PATH_MAX, "%.*s.", (int)(base_name(b) - b), b);
    return stat(above[0], &folder) == 0 && same_file(&folder, above[1]);
}

static int check_checkpoint(const cli_command *c)
{
    const char *path = cli_option_get(c, "checkpoint"), *output = cli_option_get(c, "output");
    if (!*path) return CLI_DONE;
    if (is_stream(path)) return cli_usage_error("--checkpoint %s: expected a file that can be read again", path);
    if (*output && same_target(path, output))
        return cli_usage_error("--checkpoint and --output would both write %s", output);
    return cli_check_output_path(c, "--checkpoint ", path, c->operands);
}

/* The table of folds goes to standard output. */
static int check_predictions(const cli_command *c)
{
    const char *path = cli_option_get(c, "predictions");
    if (strcmp(path, "-") == 0)
        return cli_usage_error("--predictions -: standard output has the results; expected a file");
    return cli_check_output_path(c, "--predictions ", path, c->operands);
}

int cli_check_outputs(const cli_command *c)
{
    int code =
        cli_is_root(c) ? cli_check_output_path(c, "--output ", cli_option_get(c, "output"), c->operands) : CLI_DONE;
    if (code == CLI_DONE && cli_is_root(c)) code = check_checkpoint(c);
    if (code == CLI_DONE && cli_is_root(c)) code = check_predictions(c);
    return cli_bcast_exit_code(c, code);
}

int cli_open_data(const cli_command *c, size_t first, size_t count, sg_dataset **out)
{
    cli_set_local_files(c, c->local);
    return cli_exit_code(sg_dataset_open((const char *const *)c->operand + first, count, c->options, NULL, 0, out));
}

int cli_open_data_for_model(const cli_command *c, const sg_model *m, bool targets, sg_dataset **out)
{
    const char *weights = targets ? sg_options_get(c->options, "weights") : NULL;
    cli_set_local_files(c, c->local);
    return cli_exit_code(sg_dataset_open_for_model((const char *const *)c->operand + 1, c->operands - 1, c->options, m,
                                                   targets, weights, out));
}

static bool is_target(const sg_model *m, const char *name)
{
    for (size_t i = 0; i < sg_model_outputs(m); i++)
        if (strcmp(sg_model_output_name(m, i), name) == 0) return true;
    return false;
}

void cli_notify_ignored_columns(const cli_command *c, const sg_model *m, const sg_dataset *data)
{
    char list[256] = "";
    const char *name;
    size_t n = 0, used = 0;
    for (size_t i = 0; (name = sg_dataset_dropped_column(data, i)); i++) {
        if (is_target(m, name)) continue;
        if (n++ < 5 && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", n > 1 ? ", " : "", name);
    }
    if (n > 5) cli_notice(c, "ignored %zu columns that the model does not use: %s, ...", n, list);
    else if (n) cli_notice(c, "ignored column%s that the model does not use: %s", n == 1 ? "" : "s", list);
}

const char *cli_record_get(const sg_model *m, const char *name)
{
    const char *fact, *value;
    for (size_t i = 0; sg_model_record(m, i, &fact, &value); i++)
        if (strcmp(fact, name) == 0) return value;
    return NULL;
}

double cli_record_number(const sg_model *m, const char *name)
{
    const char *value = cli_record_get(m, name);
    return value ? strtod(value, NULL) : (double)NAN;
}

double cli_pooled_rmse(const sg_metrics *metrics, size_t outputs)
{
    double sum = 0;
    for (size_t i = 0; i < outputs; i++) sum += metrics[i].rmse * metrics[i].rmse;
    return sqrt(sum / (double)outputs);
}

size_t cli_threads(const cli_command *c) { return (size_t)strtoul(sg_options_get(c->options, "threads"), NULL, 10); }
