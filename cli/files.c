/* files.c: what several verbs do with files and models. */
#include "together.h"

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
int cli_check_written(const cli_call *c, const char *option, const char *path, size_t read)
{
    struct stat is;
    sg_output *probe;
    if (c->json && strcmp(path, "-") == 0)
        return cli_usage("--json and %s- would both write to standard output", option);
    if (!*path || is_stream(path)) return CLI_DONE;
    if (stat(path, &is) == 0) {
        bool same = same_file(&is, cli_own(c, "valid")) || same_file(&is, cli_own(c, "config"));
        for (size_t i = 0; i < read; i++) same = same || same_file(&is, c->operand[i]);
        if (same) return cli_usage("%s%s would overwrite what is read from it", option, path);
    }
    int code = cli_check(sg_output_open(path, &probe));
    if (code == CLI_DONE) sg_output_free(probe);
    return code;
}

static const char *last_name(const char *path)
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
    if (strcmp(last_name(a), last_name(b)) != 0) return false;
    snprintf(above[0], PATH_MAX, "%.*s.", (int)(last_name(a) - a), a);
    snprintf(above[1], PATH_MAX, "%.*s.", (int)(last_name(b) - b), b);
    return stat(above[0], &folder) == 0 && same_file(&folder, above[1]);
}

static int check_checkpoint(const cli_call *c)
{
    const char *path = cli_own(c, "checkpoint"), *output = cli_own(c, "output");
    if (!*path) return CLI_DONE;
    if (is_stream(path)) return cli_usage("--checkpoint %s: expected a file that can be read again", path);
    if (*output && same_target(path, output)) return cli_usage("--checkpoint and --output would both write %s", output);
    return cli_check_written(c, "--checkpoint ", path, c->operands);
}

/* The table of folds goes to standard output. */
static int check_predictions(const cli_call *c)
{
    const char *path = cli_own(c, "predictions");
    if (strcmp(path, "-") == 0) return cli_usage("--predictions -: standard output has the results; expected a file");
    return cli_check_written(c, "--predictions ", path, c->operands);
}

/* Whether --cache would be written over; what is there already is looked at by the library. */
static int check_cache(const cli_call *c)
{
    static const char *const others[] = {"output", "checkpoint", "predictions"};
    enum { OTHERS = sizeof others / sizeof *others };
    const char *cache = sg_options_get(c->options, "cache");
    for (size_t i = 0; *cache && i < OTHERS; i++)
        if (*cli_own(c, others[i]) && !is_stream(cli_own(c, others[i])) && same_target(cache, cli_own(c, others[i])))
            return cli_usage("--cache and --%s would both write %s", others[i], cache);
    return CLI_DONE;
}

int cli_check_outputs(const cli_call *c)
{
    int code = cli_leads(c) ? cli_check_written(c, "--output ", cli_own(c, "output"), c->operands) : CLI_DONE;
    if (code == CLI_DONE && cli_leads(c)) code = check_checkpoint(c);
    if (code == CLI_DONE && cli_leads(c)) code = check_predictions(c);
    if (code == CLI_DONE && cli_leads(c)) code = check_cache(c);
    return cli_follow(c, code);
}

int cli_read(const cli_call *c, size_t first, size_t count, sg_data **out)
{
    cli_read_local(c, c->local);
    return cli_check(sg_data_open((const char *const *)c->operand + first, count, c->options, NULL, 0, out));
}

int cli_read_for(const cli_call *c, const sg_model *m, bool targets, sg_data **out)
{
    const char *weights = targets ? sg_options_get(c->options, "weights") : NULL;
    cli_read_local(c, c->local);
    return cli_check(
        sg_data_open_for((const char *const *)c->operand + 1, c->operands - 1, c->options, m, targets, weights, out));
}

static bool is_target(const sg_model *m, const char *name)
{
    for (size_t i = 0; i < sg_model_outputs(m); i++)
        if (strcmp(sg_model_output_name(m, i), name) == 0) return true;
    return false;
}

void cli_mention_others(const cli_call *c, const sg_model *m, const sg_data *data)
{
    char list[256] = "";
    const char *name;
    size_t n = 0, used = 0;
    for (size_t i = 0; (name = sg_data_left_out(data, i)); i++) {
        if (is_target(m, name)) continue;
        if (n++ < 5 && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", n > 1 ? ", " : "", name);
    }
    if (n > 5) cli_notice(c, "ignored %zu columns that the model does not use: %s, ...", n, list);
    else if (n) cli_notice(c, "ignored column%s that the model does not use: %s", n == 1 ? "" : "s", list);
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

size_t cli_threads(const cli_call *c) { return (size_t)strtoul(sg_options_get(c->options, "threads"), NULL, 10); }
