/* verbs.c: sugeno VERB [options] FILE...: a table of verbs, and what happens around each. */
#include "help/help.h"
#include "mpi/mpi_run.h"

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
     "Trains a fuzzy system on the rows of DATA and writes it to MODEL. The preset auto chooses all that is not "
     "given by validation inside of the rows, which takes seconds to minutes (--budget); the others train once, as "
     "their options say, in an instant. For these, with validation rows (--valid, --valid-fraction) the best iterate "
     "is "
     "kept, without them the last one, and with --checkpoint the same command goes on where the training was stopped "
     "or "
     "killed, and ends with the same model. With --group auto leaves rows that belong together out together. Ctrl-C "
     "ends any training and keeps the best so far. Columns of dates and "
     "identifiers are left out.",
     DATA | MODEL | TRAIN | RUN, "", "output valid checkpoint checkpoint-every local config", NULL, cli_train},
    {"predict", "MODEL DATA...", "[-o FILE] [--interval LEVEL]", "a model's predictions as CSV",
     "Writes one line for each row of DATA. The model's inputs are found by the names of their "
     "columns; other columns are ignored, the target may be absent. --interval says how far off the target may be, by "
     "errors on rows that the model was not trained on; --outside which rows should not be trusted, and for which "
     "input.",
     DATA | RUN, "targets ignore categorical numeric weights group", "output interval outside local config", NULL,
     cli_predict},
    {"eval", "MODEL DATA...", "", "RMSE, MAE and R2 of a model on data",
     "Compares a model's predictions with the targets in DATA. Columns are found by name.", DATA | RUN,
     "targets ignore categorical numeric group", "local config", NULL, cli_eval},
    {"calibrate", "MODEL DATA...", "-o FILE", "learn how far a model is off, for intervals",
     "Compares a model's predictions with the targets in DATA, rows that were used for nothing else: neither to train "
     "nor to choose. "
     "Writes the model, with what is needed for predict --interval, in the place of what it knew of its errors before. "
     "What the "
     "preset auto, or train --intervals, learns of the training rows themselves does as well.",
     DATA | RUN, "targets ignore categorical numeric group threads", "output local config", NULL, cli_calibrate},
    {"cv", "DATA...", "[-t COLUMN] [--folds N]", "k-fold cross-validation",
     "Cuts the rows of DATA into N parts by the seed; trains N times, as train does, on all parts but one, and "
     "evaluates on the one that was left out. With --group rows that belong together are left out together; "
     "with --ordered every training is on rows that come before those it is evaluated on.",
     DATA | MODEL | TRAIN | RUN, "intervals", "folds ordered predictions local config", NULL, cli_cv},
    {"convert", "IN... OUT", "", "data from one format to another",
     "Writes the rows of IN to OUT, in the format that its name ends with: .csv, .arff, .dat (KEEL), "
     ".svm or .libsvm, or .npy, which NumPy opens with np.load and which the other verbs read in "
     "place, however large. Columns of dates and identifiers are left out.",
     DATA | RUN, "targets weights group threads", "config", NULL, cli_convert},
    {"rules", "MODEL", "[--format text|markdown|json] [--top N]", "a model's rules in words",
     "Prints where predictions go as each input moves, then IF ... THEN ... for each rule, in the units of the data. "
     "Rules "
     "that govern most of the training rows come first; conditions that do not matter are left out.",
     0, "", "format top", NULL, cli_rules},
    {"simplify", "MODEL DATA...", "[-o OUT] [--max-rules N] [--tolerance 2%]",
     "fewer rules and conditions for little accuracy",
     "Merges membership functions that can't be told apart, leaves out conditions and rules that do not matter, and "
     "finds "
     "consequents anew on two thirds of DATA; the rest judges. Prints what fewer rules would cost, and writes the "
     "model with the "
     "fewest rules, then conditions and membership functions, whose RMSE is within the tolerance, or the best of those "
     "with at most N rules. Rows that the model was not trained on judge "
     "best. Intervals are not taken over. For models of one block.",
     DATA | RUN, "targets ignore categorical numeric weights group threads", "output max-rules tolerance config", NULL,
     cli_simplify},
    {"explain", "MODEL DATA...", "[--row N]", "what each rule and each input adds to predictions",
     "Writes the terms of each prediction as CSV: after row and prediction, which is that of predict, the base, what "
     "it "
     "adds that other rules fire than there, a column for each input, where the model limits predictions what that "
     "takes away, and rounding; "
     "added from left to right they are the prediction to the last bit. The base is the prediction where all inputs "
     "are at "
     "their training means; an input adds the slope that the rules that fire have together, times its distance from "
     "the "
     "mean. With --by rules the columns are what each rule says, times how far it fires. --row N tells one row in "
     "words, by "
     "rule and by input; with -o it is the CSV's only one. --importance and --partial look at all rows together.",
     DATA | RUN, "targets ignore categorical numeric weights group", "output row by importance partial config", NULL,
     cli_explain},
    {"report", "MODEL [DATA...]", "[-o FILE]", "a page that shows and evaluates a model",
     "Writes one HTML file that opens in any browser without a network: how well the model does on DATA, which "
     "inputs matter, every membership function and rule, and viewers in which inputs can be moved while the model is "
     "evaluated. Without DATA it is about the model alone. Columns are found by name. Without -o it stands beside "
     "MODEL, with .html for .json.",
     DATA | RUN, "targets ignore categorical numeric group", "output config", NULL, cli_report},
    {"info", "FILE", "", "what a model or data file holds",
     "For a model its shape and training record, for data its columns.", DATA | RUN, "targets weights group threads",
     "config", NULL, cli_info},
    {"demo", "", "[-o MODEL]", "see it work: no file needed",
     "Generates the Mackey-Glass series, predicts it six steps ahead with ridge regression and "
     "with a fuzzy system, the paper's unless --preset names another, prints how well they do and what the rules say, "
     "and writes a report, sugeno-demo.html, or beside MODEL.",
     MODEL | TRAIN | RUN, "intervals", "output config", "mbgd-rda", cli_demo},
    {"help", "[TOPIC]", "[--format man|markdown]", "help on a verb, options or presets",
     "TOPIC is the name of a verb, or one of: options, presets.", 0, "", "format", NULL, cli_help},
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
    const char *near = sg_suggest(name, names);
    if (near) cli_usage_error("unknown verb \"%s\"; did you mean %s?", name, near);
    else cli_usage_error("unknown verb \"%s\"; sugeno help lists what there is", name);
    return NULL;
}

/* What no team can do together is done by its first member alone. */
static bool runs_on_rank(const cli_verb *v, const sg_comm *team)
{
    return !team || team->rank == 0 || cli_list_contains(v->cli_options, "local");
}

static int run_command(cli_command *c, int parsed)
{
    int code = parsed;
    if (code == CLI_DONE) code = cli_command_check(c);
    code = cli_agree_exit_code(c, code);
    if (code == CLI_DONE) code = cli_agree_exit_code(c, cli_setup_ranks(c));
    return code == CLI_DONE ? c->verb->run(c) : code;
}

static int run_verb(const cli_verb *v, char **argv, size_t argc, const cli_world *company)
{
    cli_command call;
    int code = cli_command_parse(v, argv + 2, argc - 2, &call);
    call.program = argv[0];
    if (company && cli_list_contains(v->cli_options, "local")) call.world = company;
    if (code == CLI_DONE && cli_option_flag(&call, "help")) cli_help_verb(&call);
    else if (code == CLI_DONE && cli_option_flag(&call, "version")) cli_help_version();
    else code = run_command(&call, code);
    cli_command_release(&call);
    return code;
}

/* Before the verb there may be a question, but no option. */
int cli_run(int argc, char **argv, const cli_world *company)
{
    const sg_comm *team = company ? company->comm : NULL;
    if (argc < 2) {
        if (!team || team->rank == 0)
            fputs("usage: sugeno VERB [options] FILE...; try sugeno demo, or sugeno help\n", stderr);
        return CLI_USAGE;
    }
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (strcmp(argv[1], "--version") == 0) {
        cli_help_version();
        return CLI_DONE;
    }
    if (argv[1][0] == '-' && !help)
        return cli_usage_error("expected a verb before %s; sugeno help lists what there is", argv[1]);
    const cli_verb *v = cli_verb_find(help ? "help" : argv[1]);
    if (!v) return CLI_USAGE;
    return runs_on_rank(v, team) ? run_verb(v, argv, (size_t)argc, company) : CLI_DONE;
}
