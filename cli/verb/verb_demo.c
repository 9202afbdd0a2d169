/* verb_demo.c: implements sugeno demo, which generates the Mackey-Glass series, compares a fuzzy system with ridge
 * regression, prints rules, writes a report, and suggests what to do next. */
#include "output/json_emit.h"
#include "verb/training_loop.h"

#include <stdio.h>
#include <unistd.h>

enum { ROWS = 1000, TRAIN_ROWS = 500, SHOWN_RULES = 4, WIDEST_BAR = 16 };

typedef struct contender {
    const char *title;
    cli_training training;
    double rmse; /* on the test rows */
} contender;

typedef struct method_comparison {
    sg_table *table;
    sg_subset *first, *second; /* training and test rows */
    sg_source train, test;
    contender linear, fuzzy;
    char report[CLI_PATH_SIZE]; /* path of the report, or "" if none was written */
} method_comparison;

/* --- training --- */

static int make_rows(method_comparison *m)
{
    size_t index[ROWS];
    for (size_t i = 0; i < ROWS; i++) index[i] = i;
    int code = cli_exit_code(sg_table_generate("mackey-glass", ROWS, 0, &m->table));
    if (code != CLI_DONE) return code;
    sg_source series = sg_table_source(m->table);
    code = cli_exit_code(sg_subset_new(&series, index, TRAIN_ROWS, &m->first));
    if (code == CLI_DONE)
        code = cli_exit_code(sg_subset_new(&series, index + TRAIN_ROWS, ROWS - TRAIN_ROWS, &m->second));
    if (code != CLI_DONE) return code;
    m->train = sg_subset_source(m->first);
    m->test = sg_subset_source(m->second);
    return CLI_DONE;
}

static int train_and_test(const cli_command *c, const sg_options *o, const method_comparison *m, contender *out)
{
    sg_metrics metrics;
    sg_status st = cli_training_run(c, o, &m->train, NULL, &out->training);
    if (st == SG_OK) st = sg_model_evaluate(out->training.model, &m->test, NULL, c->settings.threads, &metrics);
    if (st != SG_OK) return cli_exit_code(st);
    out->rmse = metrics.rmse;
    return CLI_DONE;
}

static int train_linear(const cli_command *c, method_comparison *m)
{
    sg_options *o;
    sg_status st = sg_options_new(&o);
    if (st != SG_OK) return cli_exit_code(st);
    int code = cli_exit_code(sg_options_set(o, "preset", "rr"));
    if (code == CLI_DONE) code = train_and_test(c, o, m, &m->linear);
    sg_options_free(o);
    return code;
}

/* --- printing --- */

static void print_line(const contender *x, double worst)
{
    const sg_model *model = x->training.model;
    int hashes = worst > 0 ? (int)(WIDEST_BAR * x->rmse / worst + 0.5) : 0;
    printf("  %-17s %-24s %5zu  %9.4g  ", x->title, cli_record_get(model, "preset"), sg_model_rules(model), x->rmse);
    for (int i = 0; i < hashes || i == 0; i++) putchar('#');
    putchar('\n');
}

static void print_scores(const method_comparison *m)
{
    double a = m->linear.rmse, b = m->fuzzy.rmse, worst = a > b ? a : b;
    printf("  %-17s %-24s %5s  %9s\n", "", "preset", "rules", "test RMSE");
    print_line(&m->linear, worst);
    print_line(&m->fuzzy, worst);
    if (b > 0 && a >= b) printf("\nThe fuzzy system's error is %.1f times smaller", a / b);
    else if (b > 0) printf("\nThe fuzzy system's error is %.1f times larger", b / a);
    printf("; training took %.2f seconds.\n", m->fuzzy.training.seconds);
}

static void print_hint(const char *program, const char *arguments, const char *effect)
{
    printf("  %s %s\n      %s\n", program, arguments, effect);
}

static void print_hints(const cli_command *c)
{
    const char *example = "examples/mackey-glass.csv", *path = c->settings.output;
    char arguments[512];
    puts("\nNext steps:");
    if (!*path) print_hint(c->program, "demo -o mg.json", "save this model");
    snprintf(arguments, sizeof arguments, "rules %s", *path ? path : "mg.json");
    print_hint(c->program, arguments, "print all rules of the model");
    print_hint(c->program, "demo --preset auto", "search for a more accurate model, as train does (a few seconds)");
    print_hint(c->program, "demo --preset anfis-gd-lse", "train Jang's ANFIS instead");
    snprintf(arguments, sizeof arguments, "train %s -o mg.json", example);
    if (access(example, R_OK) == 0) print_hint(c->program, arguments, "train on a file");
    print_hint(c->program, "train your.csv -t column -o model.json", "train on your own data");
}

static int print_text(const cli_command *c, const method_comparison *m)
{
    char *rules;
    int code = cli_exit_code(sg_model_describe_as(m->fuzzy.training.model, "text", SHOWN_RULES, &rules));
    if (code != CLI_DONE) return code;
    printf("Mackey-Glass, a chaotic series: predict x(t+6) from x(t-18), x(t-12), x(t-6)\n"
           "and x(t). Trained on %d rows, and tested on the %d rows that follow.\n\n",
           TRAIN_ROWS, ROWS - TRAIN_ROWS);
    print_scores(m);
    printf("\nThe model, in the units of the data:\n\n%s", rules);
    sg_string_free(rules);
    if (*m->report) printf("\nInteractive report, for any browser: %s\n", m->report);
    print_hints(c);
    return CLI_DONE;
}

static void emit_contender(cli_json *j, const char *key, const contender *x)
{
    const sg_model *model = x->training.model;
    cli_json_open(j, key, '{');
    cli_json_text(j, "preset", cli_record_get(model, "preset"));
    cli_json_count(j, "rules", sg_model_rules(model));
    cli_json_count(j, "parameters", sg_model_parameters(model));
    cli_json_number(j, "seconds", x->training.seconds);
    cli_json_number(j, "test_rmse", x->rmse);
    cli_json_close(j, '{');
}

static int print_json(const cli_command *c, const method_comparison *m)
{
    const char *path = c->settings.output;
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "train_rows", TRAIN_ROWS);
    cli_json_count(&j, "test_rows", ROWS - TRAIN_ROWS);
    emit_contender(&j, "linear", &m->linear);
    emit_contender(&j, "fuzzy", &m->fuzzy);
    cli_json_flag(&j, "interrupted", m->fuzzy.training.interrupted);
    cli_json_text(&j, "model", *path ? path : NULL);
    cli_json_text(&j, "report", *m->report ? m->report : NULL);
    cli_json_close(&j, '{');
    return CLI_DONE;
}

/* Writes the report next to the model, or into the current folder. A failure to write it causes only a notice. */
static int write_report(const cli_command *c, method_comparison *m)
{
    const char *path = c->settings.output;
    int code = cli_default_report_path(*path ? path : "sugeno-demo.json", m->report);
    if (code != CLI_DONE ||
        sg_model_report(m->fuzzy.training.model, &m->test, NULL, c->settings.threads, m->report) == SG_OK)
        return code;
    cli_notice(c, "no report was written: %s", sg_errmsg());
    m->report[0] = '\0';
    return CLI_DONE;
}

int cli_demo(const cli_command *c)
{
    method_comparison m = {.linear.title = "ridge regression", .fuzzy.title = "fuzzy system"};
    if (cli_is_stdout(c->settings.output))
        return cli_usage_error("demo prints its results to standard output; expected a file after --output");
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = make_rows(&m);
    if (code == CLI_DONE) code = train_linear(c, &m);
    if (code == CLI_DONE) code = train_and_test(c, c->options, &m, &m.fuzzy);
    if (code == CLI_DONE && m.fuzzy.training.interrupted)
        cli_notice(c, "interrupted at iteration %zu of %zu", m.fuzzy.training.iterations, m.fuzzy.training.planned);
    if (code == CLI_DONE && *c->settings.output)
        code = cli_exit_code(sg_model_save(m.fuzzy.training.model, c->settings.output));
    if (code == CLI_DONE) code = write_report(c, &m);
    if (code == CLI_DONE) code = c->json ? print_json(c, &m) : print_text(c, &m);
    if (code == CLI_DONE && m.fuzzy.training.diverged) code = cli_error("%s", m.fuzzy.training.error_message);
    cli_training_release(&m.linear.training);
    cli_training_release(&m.fuzzy.training);
    sg_subset_free(m.first);
    sg_subset_free(m.second);
    sg_table_free(m.table);
    return code;
}
