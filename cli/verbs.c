/* verbs.c: defines the table of verbs, and runs the one named on the command line. */
#include "help/help.h"
#include "mpi/rank_sync.h"

#include <stdio.h>
#include <string.h>

enum {
    DATA = 1 << SG_OPTION_GROUP_DATA,
    MODEL = 1 << SG_OPTION_GROUP_MODEL,
    TRAIN = 1 << SG_OPTION_GROUP_TRAIN,
    RUN = 1 << SG_OPTION_GROUP_RUN
};

static const cli_verb verbs[] = {
    {"train", "DATA...", "[-t COLUMN] [-o MODEL]", "train a model on data files",
     "Trains a fuzzy system on the rows of DATA and writes it to MODEL. The presets auto and auto-ensemble search for "
     "a good model and validate it on held-out training rows, which takes seconds to minutes (--budget). The other "
     "presets train once, usually in less than a second. For these, validation rows (--valid, --valid-fraction) select "
     "the best iterate; without them, the last iterate is used. With --checkpoint, the same command resumes "
     "interrupted training and produces the same model. With --group, validation keeps related rows together. Ctrl-C "
     "stops training and keeps the best model so far. Columns of dates and identifiers are dropped.",
     DATA | MODEL | TRAIN | RUN, "", "output valid checkpoint checkpoint-every local config", NULL, cli_train},
    {"predict", "MODEL DATA...", "[-o FILE] [--interval LEVEL]", "write predictions as CSV",
     "Writes one line for each row of DATA. The model's inputs are found by column name. Other columns are ignored, "
     "and the target may be absent. --interval adds prediction intervals, which are computed from errors on held-out "
     "rows. --outside flags rows that are outside the training data.",
     DATA | RUN, "targets ignore categorical numeric weights group", "output interval outside local config", NULL,
     cli_predict},
    {"eval", "MODEL DATA...", "", "compute RMSE, MAE and R2 on data",
     "Compares the predictions of a model with the targets in DATA. Columns are found by name.", DATA | RUN,
     "targets ignore categorical numeric group", "local config", NULL, cli_eval},
    {"calibrate", "MODEL DATA...", "-o FILE", "compute prediction intervals from new data",
     "Compares the predictions of a model with the targets in DATA, and writes a copy of the model with the "
     "calibration "
     "that predict --interval requires. An earlier calibration is replaced. DATA must not have been used to train or "
     "choose the model. Models trained with the preset auto or with --intervals are already calibrated.",
     DATA | RUN, "targets ignore categorical numeric group threads", "output local config", NULL, cli_calibrate},
    {"cv", "DATA...", "[-t COLUMN] [--folds N]", "evaluate a preset by k-fold cross-validation",
     "Splits the rows of DATA into N random folds. For each fold, trains on the other folds, as train does, and "
     "evaluates the model on this fold. With --group, related rows stay in the same fold. With --ordered, each model "
     "is trained only on rows that precede those on which it is evaluated.",
     DATA | MODEL | TRAIN | RUN, "intervals", "folds ordered predictions local config", NULL, cli_cv},
    {"convert", "IN... OUT", "", "convert data to another format",
     "Writes the rows of IN to OUT. The suffix of OUT selects the format: .csv, .arff, .dat (KEEL), .svm or .libsvm, "
     "or .npy, which NumPy opens with np.load and which the other verbs read in place, whatever its size. Columns of "
     "dates and identifiers are dropped.",
     DATA | RUN, "targets weights group threads", "config", NULL, cli_convert},
    {"rules", "MODEL", "[--format text|markdown|json] [--top N]", "print the rules of a model",
     "Prints how the prediction changes with each input, and then each rule as IF ... THEN ..., in the units of the "
     "data. Rules with the largest coverage of the training rows come first. Conditions without effect are omitted.",
     0, "", "format top", NULL, cli_rules},
    {"simplify", "MODEL DATA...", "[-o OUT] [--max-rules N] [--tolerance 5%]",
     "remove rules and conditions at little cost",
     "Removes the conditions and rules that matter least, a few at a time, and tunes what remains so that the model "
     "predicts as before; a third of DATA is used for evaluation. Prints the RMSE for decreasing sizes. Writes the "
     "model with the fewest conditions, membership functions and coefficients whose RMSE is within the tolerance or, "
     "with --max-rules, the best one with at most N rules. The RMSE is the one to be expected on new rows. If the "
     "model has no prediction intervals, DATA should not be the training data. The simplified model has no prediction "
     "intervals. The model must have a single block or be additive; from an additive model, pairs, curves and terms "
     "are removed.",
     DATA | RUN, "targets ignore categorical numeric weights group threads", "output max-rules tolerance config", NULL,
     cli_simplify},
    {"explain", "MODEL DATA...", "[--row N]", "show the contribution of each rule and input",
     "Writes the terms of each prediction as CSV. After the row number and the prediction, the columns are: base, the "
     "prediction with all inputs at their training means; one column per input, the change of the prediction that is "
     "due to this input as all inputs move from their means to the row; clip, the change due to limits on predictions, "
     "if the model has any; and rounding. Added from left to right, they give the prediction to the last bit. With "
     "--by rules, the columns are the contributions of the rules. --row N explains one row as text, by rule and by "
     "input; with -o, it writes the CSV of this row. --importance and --partial summarise all rows.",
     DATA | RUN, "targets ignore categorical numeric weights group", "output row by importance partial config", NULL,
     cli_explain},
    {"report", "MODEL [DATA...]", "[-o FILE]", "write an interactive HTML report",
     "Writes one HTML file that works offline in any browser. It shows the accuracy on DATA, the important inputs, all "
     "membership functions and rules, and viewers that evaluate the model as you move the inputs. Without DATA, it "
     "shows only the model. Columns are found by name. The default file name is that of MODEL with .html instead of "
     ".json.",
     DATA | RUN, "targets ignore categorical numeric group", "output config", NULL, cli_report},
    {"info", "FILE", "", "describe a model or data file",
     "Prints the shape and training record of a model, or the columns of a data file.", DATA | RUN,
     "targets weights group threads", "config", NULL, cli_info},
    {"demo", "", "[-o MODEL]", "run a demonstration, which needs no file",
     "Generates the Mackey-Glass series, and predicts it six steps ahead with ridge regression and with a fuzzy system "
     "(the paper's, unless --preset names another). Prints their errors and the rules, and writes a report to "
     "sugeno-demo.html or, with -o, next to MODEL.",
     MODEL | TRAIN | RUN, "intervals", "output config", "mbgd-rda", cli_demo},
    {"help", "[TOPIC]", "[--format man|markdown]", "show help on a verb, options or presets",
     "TOPIC is the name of a verb, or the word options or presets. Without TOPIC, all verbs are listed.", 0, "",
     "format", NULL, cli_help},
};

enum { VERBS = sizeof verbs / sizeof *verbs };

const cli_verb *cli_verbs(size_t *count)
{
    *count = VERBS;
    return verbs;
}

const cli_verb *cli_verb_find(const char *name)
{
    const char *names[VERBS + 1] = {NULL};
    for (size_t i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
        names[i] = verbs[i].name;
    }
    const char *suggestion = sg_suggest(name, names);
    if (suggestion) cli_usage_error("unknown verb \"%s\"; did you mean %s?", name, suggestion);
    else cli_usage_error("unknown verb \"%s\"; see sugeno help", name);
    return NULL;
}

/* Returns whether a verb runs on all ranks. Verbs that accept --local do; the others run on rank 0 only. */
static bool is_distributed(const cli_verb *v) { return cli_list_contains(v->cli_options, "local"); }

static int run_command(cli_command *c, int parse_code)
{
    int code = parse_code == CLI_DONE ? cli_command_check(c) : parse_code;
    code = cli_agree_exit_code(c, code);
    if (code == CLI_DONE) code = cli_agree_exit_code(c, cli_setup_ranks(c));
    return code == CLI_DONE ? c->verb->run(c) : code;
}

static int run_verb(const cli_verb *v, char **argv, size_t argc, const cli_world *world)
{
    cli_command command;
    int code = cli_command_parse(v, argv + 2, argc - 2, &command);
    command.program = argv[0];
    if (world && is_distributed(v)) command.world = world;
    if (code == CLI_DONE && command.settings.help) cli_help_verb(&command);
    else if (code == CLI_DONE && command.settings.version) cli_help_version();
    else code = run_command(&command, code);
    cli_command_release(&command);
    return code;
}

int cli_run(int argc, char **argv, const cli_world *world)
{
    bool root = !world || world->comm->rank == 0;
    if (argc < 2) {
        if (root) fputs("usage: sugeno VERB [options] FILE...; try sugeno demo, or sugeno help\n", stderr);
        return CLI_USAGE;
    }
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (strcmp(argv[1], "--version") == 0) {
        cli_help_version();
        return CLI_DONE;
    }
    if (argv[1][0] == '-' && !help) return cli_usage_error("expected a verb before %s; see sugeno help", argv[1]);
    const cli_verb *v = cli_verb_find(help ? "help" : argv[1]);
    if (!v) return CLI_USAGE;
    return root || is_distributed(v) ? run_verb(v, argv, (size_t)argc, world) : CLI_DONE;
}
