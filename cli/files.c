/* files.c: what several verbs do with files and models. */
#include "cli.h"

#include <math.h>
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

/* Opening and abandoning a file asks all the questions at once: folder, permission, length of name.
 * A device or a pipe is not asked, as whoever reads it would notice. */
int cli_check_written(const cli_call *c, const char *option, const char *path, size_t read)
{
    struct stat is;
    sg_output *probe;
    if (c->json && strcmp(path, "-") == 0)
        return cli_usage("--json and %s- would both write to standard output", option);
    if (!*path || strcmp(path, "-") == 0) return CLI_DONE;
    if (stat(path, &is) == 0) {
        if (!S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode)) return CLI_DONE;
        bool same = same_file(&is, cli_own(c, "valid")) || same_file(&is, cli_own(c, "config"));
        for (size_t i = 0; i < read; i++) same = same || same_file(&is, c->operand[i]);
        if (same) return cli_usage("%s%s would overwrite what is read from it", option, path);
    }
    int code = cli_check(sg_output_open(path, &probe));
    if (code == CLI_DONE) sg_output_free(probe);
    return code;
}

int cli_check_output(const cli_call *c)
{
    return cli_check_written(c, "--output ", cli_own(c, "output"), c->operands);
}

int cli_read(const cli_call *c, size_t first, size_t count, sg_data **out)
{
    return cli_check(sg_data_open((const char *const *)c->operand + first, count, c->options, NULL, 0, out));
}

int cli_read_for(const cli_call *c, const sg_model *m, bool targets, sg_data **out)
{
    const char *weights = sg_options_get(c->options, "weights");
    size_t inputs = sg_model_inputs(m), outputs = targets ? sg_model_outputs(m) : 0, n = 0;
    const char **wanted = calloc(inputs + outputs + 1, sizeof *wanted);
    if (!wanted) return cli_error("out of memory");
    for (size_t i = 0; i < inputs; i++) wanted[n++] = sg_model_input_name(m, i);
    for (size_t i = 0; i < outputs; i++) wanted[n++] = sg_model_output_name(m, i);
    if (targets && *weights) wanted[n++] = weights;
    int code = cli_check(sg_data_open((const char *const *)c->operand + 1, c->operands - 1, c->options, wanted, n, out));
    free(wanted);
    return code;
}

const char *cli_fact(const sg_model *m, const char *name)
{
    const char *fact, *value;
    for (size_t i = 0; sg_model_record(m, i, &fact, &value); i++)
        if (strcmp(fact, name) == 0) return value;
    return NULL;
}

double cli_fact_number(const sg_model *m, const char *name)
{
    const char *value = cli_fact(m, name);
    return value ? strtod(value, NULL) : (double)NAN;
}

double cli_joint_rmse(const sg_metrics *metrics, size_t outputs)
{
    double sum = 0;
    for (size_t i = 0; i < outputs; i++) sum += metrics[i].rmse * metrics[i].rmse;
    return sqrt(sum / (double)outputs);
}

size_t cli_threads(const cli_call *c)
{
    return (size_t)strtoul(sg_options_get(c->options, "threads"), NULL, 10);
}
