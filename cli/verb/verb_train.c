/* verb_train.c: implements sugeno train, which reads data, trains, writes the model and prints a summary. */
#include "mpi/rank_sync.h"
#include "output/json_emit.h"
#include "verb/training_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct train_data {
    sg_dataset *train_data, *valid_data; /* DATA and --valid */
    sg_source train, valid;
} train_data;

/* --- reading --- */

static int check_options(const cli_command *c)
{
    const cli_settings *s = &c->settings;
    bool search = sg_options_is_search(c->options), in_steps = sg_options_trains_in_steps(c->options);
    if (search && (*s->valid || *s->checkpoint))
        return cli_usage_error("--%s cannot be used with the preset %s, which searches for a model; omit it or choose "
                               "a preset that trains once, such as --preset mbgd-rda",
                               *s->valid ? "valid" : "checkpoint", s->preset);
    if (!in_steps && *s->checkpoint)
        return cli_usage_error("--checkpoint cannot be used with the preset %s, which does not train in steps",
                               s->preset);
    if (s->intervals == 1) return cli_usage_error("--intervals 1: expected 0 or at least 2 folds");
    if (in_steps && s->intervals == 0 && *s->group)
        return cli_usage_error(
            "--group requires validation (cv, --intervals or --preset auto), but the preset %s trains once on "
            "all rows; use --ignore to exclude the column from the inputs",
            s->preset);
    if (*s->valid && s->valid_fraction > 0)
        return cli_usage_error("--valid and --valid-fraction cannot be used together");
    return CLI_DONE;
}

static int open_rows(const cli_command *c, train_data *r)
{
    int code = cli_open_data(c, 0, c->operands, &r->train_data);
    if (code != CLI_DONE) return code;
    r->train = sg_dataset_source(r->train_data);
    if (!*c->settings.valid) return CLI_DONE;
    cli_set_local_files(c, c->local_valid);
    code = cli_exit_code(sg_dataset_open_valid(&c->settings.valid, 1, c->options, &r->train, &r->valid_data));
    if (code == CLI_DONE) r->valid = sg_dataset_source(r->valid_data);
    return code;
}

/* --- the summary --- */

static const char STANDARD_ERROR[] = "valid_rmse_standard_error";

typedef struct summary {
    const cli_training *training;
    size_t rows;
    double train_rmse; /* of the final model on all training rows     */
    const char *path;  /* of the model, or NULL if it was not written */
} summary;

static void print_json(const summary *r)
{
    const sg_model *m = r->training->model;
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "preset", cli_record_get(m, "preset"));
    cli_json_open(&j, "targets", '[');
    for (size_t i = 0; i < sg_model_outputs(m); i++) cli_json_text(&j, NULL, sg_model_output_name(m, i));
    cli_json_close(&j, '[');
    cli_json_count(&j, "rows", r->rows);
    cli_json_count(&j, "inputs", sg_model_inputs(m));
    cli_json_count(&j, "rules", sg_model_rules(m));
    cli_json_count(&j, "parameters", sg_model_parameters(m));
    cli_json_number(&j, "iterations", cli_record_number(m, "iterations"));
    cli_json_count(&j, "best_iteration", (size_t)cli_record_number(m, "best_iteration"));
    cli_json_number(&j, "seconds", r->training->seconds);
    cli_json_number(&j, "train_rmse", r->train_rmse);
    cli_json_number(&j, "valid_rmse", cli_record_number(m, "valid_rmse"));
    if (cli_record_get(m, STANDARD_ERROR)) cli_json_number(&j, STANDARD_ERROR, cli_record_number(m, STANDARD_ERROR));
    cli_json_flag(&j, "interrupted", r->training->interrupted);
    cli_json_flag(&j, "diverged", r->training->diverged);
    cli_json_text(&j, "model", r->path);
    cli_json_close(&j, '{');
}

static void print_text(const summary *r, FILE *out)
{
    const sg_model *m = r->training->model;
    const char *iterations = cli_record_get(m, "iterations"), *best = cli_record_get(m, "best_iteration");
    double valid = cli_record_number(m, "valid_rmse");
    fprintf(out, "preset      %s\n", cli_record_get(m, "preset"));
    fprintf(out, "target      ");
    for (size_t i = 0; i < sg_model_outputs(m); i++) {
        if (i) fputs(", ", out);
        cli_print_escaped(out, sg_model_output_name(m, i), 0);
    }
    fprintf(out, "\nrows        %zu\n", r->rows);
    fprintf(out, "inputs      %zu\n", sg_model_inputs(m));
    fprintf(out, "rules       %zu\n", sg_model_rules(m));
    fprintf(out, "parameters  %zu\n", sg_model_parameters(m));
    fprintf(out, "iterations  %s", iterations);
    if (strcmp(iterations, best) != 0) fprintf(out, " (best: %s)", best);
    fprintf(out, "\nseconds     %.2f\n", r->training->seconds);
    fprintf(out, "train RMSE  %.6g\n", r->train_rmse);
    if (!isnan(valid)) fprintf(out, "valid RMSE  %.6g", valid);
    if (!isnan(valid) && cli_record_get(m, STANDARD_ERROR))
        fprintf(out, " (standard error %.2g)", cli_record_number(m, STANDARD_ERROR));
    if (!isnan(valid)) fputc('\n', out);
    if (r->path) fprintf(out, "model       %s\n", r->path);
}

/* Prints the systems that a search compared, the one with the least to read first. */
static void print_frontier(const sg_model *m)
{
    sg_frontier_point p;
    if (!sg_model_frontier(m, 0, &p)) return;
    fprintf(stderr, "compared  %-32s  reading cost   valid RMSE (standard error)\n", "system");
    for (size_t i = 0; sg_model_frontier(m, i, &p); i++)
        fprintf(stderr, "%-8s  %-32s  %12zu  %11.5g (%.2g)\n", p.chosen ? "chosen" : "", p.name, p.cost, p.error,
                p.standard_error);
}

/* Prints the systems of a search or, if there are none, its candidates; then its choice and its warnings. */
static void print_search(const sg_model *m)
{
    const char *name, *value;
    sg_frontier_point point;
    bool has_frontier = sg_model_frontier(m, 0, &point);
    print_frontier(m);
    for (size_t i = 0; sg_model_record(m, i, &name, &value); i++) {
        bool tried = strncmp(name, "tried_", 6) == 0, chosen = strcmp(name, "chosen") == 0;
        if (has_frontier && (tried || chosen)) continue;
        if (!tried && !chosen && strncmp(name, "note_", 5) != 0) continue;
        fputs(tried ? "tried   " : chosen ? "chosen  " : "note    ", stderr);
        cli_print_escaped(stderr, value, 0);
        fputc('\n', stderr);
    }
}

/* Gives a notice if the training rows hardly use more than one of the rules, so that the model is close to linear. */
static void warn_collapse(const cli_command *c, const sg_model *m)
{
    const double nearly_all = 0.99;
    const char *target = sg_options_get(c->options, "target");
    size_t rules = sg_model_block_rules(m);
    for (size_t r = 0; sg_model_blocks(m) == 1 && rules > 1 && r < rules; r++) {
        double coverage = sg_model_rule_coverage(m, 0, r);
        if (!(coverage >= nearly_all)) continue;
        cli_notice(c, "rule %zu covers %.3g %% of the training rows, so the other %zu rule%s hardly used%s", r + 1,
                   100 * coverage, rules - 1, rules == 2 ? " is" : "s are",
                   !sg_options_trains_in_steps(c->options)   ? ""
                   : target && strcmp(target, "zscore") != 0 ? "; try --target zscore or a smaller --rate"
                                                             : "; try a smaller --rate");
    }
}

static void print_summary(const cli_command *c, const summary *r)
{
    if (!cli_is_root(c)) return;
    bool stdout_used = r->path && cli_is_stdout(r->path); /* by the model */
    if (!c->quiet) print_search(r->training->model);
    if (c->json) print_json(r);
    else print_text(r, stdout_used ? stderr : stdout);
    if (!r->training->diverged && r->train_rmse > cli_record_number(r->training->model, "target_deviation"))
        cli_notice(c, "the model is no better than predicting the mean%s",
                   !sg_options_trains_in_steps(c->options) ? "" : "; try a smaller --rate or more --iters");
    if (!r->training->diverged) warn_collapse(c, r->training->model);
}

/* --- after training --- */

static int save_model(const cli_command *c, const cli_training *t)
{
    if (!cli_is_root(c)) return CLI_DONE;
    const char *path = c->settings.output;
    if (t->interrupted && !t->trainer) cli_notice(c, "interrupted: the model is the best found so far");
    else if (t->interrupted)
        cli_notice(c, "interrupted at iteration %zu of %zu%s%s%s", t->iterations, t->planned,
                   *path ? "; the model so far is written" : "", t->saved ? "; the same command resumes from " : "",
                   t->saved ? c->settings.checkpoint : "");
    if (!*path) {
        cli_notice(c, t->saved ? "no model was written; run the same command with -o FILE to write it"
                               : "no model was written; use -o FILE to write it");
        return CLI_DONE;
    }
    int code = cli_exit_code(sg_model_save(t->model, path));
    if (code == CLI_DONE && !t->interrupted) cli_checkpoint_remove(c);
    return code;
}

/* Returns the RMSE over all outputs. */
static double pooled_rmse(const sg_metrics *metrics, size_t outputs)
{
    double sum = 0;
    for (size_t i = 0; i < outputs; i++) sum += metrics[i].rmse * metrics[i].rmse;
    return sqrt(sum / (double)outputs);
}

static int evaluate_model(const cli_command *c, const cli_training *t, const sg_source *all, summary *out)
{
    sg_source used = t->trainer ? sg_trainer_rows(t->trainer) : *all;
    size_t outputs = sg_model_outputs(t->model);
    sg_metrics *metrics = calloc(outputs, sizeof *metrics);
    if (!metrics) return cli_error("out of memory");
    int code = cli_exit_code(sg_model_evaluate(t->model, &used, c->settings.weights, c->settings.threads, metrics));
    *out = (summary){.training = t,
                     .rows = metrics[0].rows,
                     .path = *c->settings.output ? c->settings.output : NULL,
                     .train_rmse = pooled_rmse(metrics, outputs)};
    free(metrics);
    return code;
}

static int train_model(const cli_command *c, const train_data *r)
{
    cli_training t;
    summary report = {0};
    int code = cli_exit_code(cli_training_run(c, c->options, &r->train, r->valid_data ? &r->valid : NULL, &t));
    if (code == CLI_DONE) code = cli_bcast_exit_code(c, save_model(c, &t));
    if (code == CLI_DONE) code = evaluate_model(c, &t, &r->train, &report);
    if (code == CLI_DONE) {
        print_summary(c, &report);
        if (t.diverged || t.unfinished) code = cli_error("%s", t.error_message);
    }
    cli_training_release(&t);
    return code;
}

int cli_train(const cli_command *c)
{
    train_data r = {0};
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = check_options(c);
    if (code == CLI_DONE) code = open_rows(c, &r);
    if (code == CLI_DONE) code = train_model(c, &r);
    sg_dataset_free(r.train_data);
    sg_dataset_free(r.valid_data);
    return code;
}
