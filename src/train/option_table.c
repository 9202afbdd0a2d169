/* option_table.c: every option of the library: the one place that knows names, types, defaults,
 * bounds and help. Parsing, --help, the man page, docs/options.md and bindings derive from it. */
#include "base/options.h"
#include "data/format/csv/csv.h"
#include "model/mf/mf.h"
#include "model/model.h"
#include "train/batch/dropout.h"
#include "train/init/structure.h"
#include "train/optim/optimiser.h"
#include "train/presets.h"

static const sg_option table[] = {
    /* name, type, group, default, low, high, choices, list, value, help */
    {"preset", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "auto", 0, 0, NULL, sg_preset_name, "NAME",
     "a row of the table of presets; options given beside it win"},
    {"structure", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "auto", 0, 0, NULL, sg_structure_name, "NAME",
     "grid: all combinations of the inputs' MFs; cluster: rules that own their MFs; linear: one "
     "rule without conditions; auto: cluster where --rules is given, else grid"},
    {"mf", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "gauss", 0, 0, NULL, sg_mf_name, "NAME",
     "shape of the membership functions (gauss-a trains 1/sigma)"},
    {"mfs", SG_OPTION_INTEGER_LIST, SG_OPTION_GROUP_MODEL, "2", 1, 1000, NULL, NULL, "N[,N...]",
     "grid: MFs of every input, or one number for each"},
    {"rules", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "0", 0, 1e6, NULL, NULL, "N",
     "cluster: number of rules (0: 16); auto: the most of them (0: 64; auto-ensemble: of each of its rule bases, and "
     "given it has no boosted boxes)"},
    {"centres", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "kmeans", 0, 0, NULL, sg_center_method_name, "NAME",
     "cluster: where rules start: clusters of the inputs, of inputs and target together, fuzzy ones, boxes of a "
     "regression tree"},
    {"width", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "1", 0.001, 1000, NULL, NULL, "F",
     "initial width of MFs, in standard deviations of the input (fcm: in its cluster; tree: in halves of the box)"},
    {"low-rank", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "0", 0, SG_LOW_RANK_MAX, NULL, NULL, "K",
     "cluster: combinations of the inputs that a rule asks for besides its conditions, so that it need not lie along "
     "the axes; for many rows (gauss, gauss-a)"},
    {"firing", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "product", 0, 0, "product|mean", NULL, "NAME",
     "how strongly a rule fires: the product of its memberships, or their geometric mean (HTSK; over the mean number "
     "of "
     "conditions of a rule), which suits many inputs"},
    {"scale", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "zscore", 0, 0, "zscore|quantile|none", NULL, "NAME",
     "transform of the inputs; quantile: conditions see ranks, as normal scores, and consequents z-scores; none takes "
     "the file's values as they are, the target's too"},
    {"target", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "center", 0, 0, "none|center|zscore", NULL, "NAME",
     "transform of the target (its column is named with -t)"},
    {"effects", SG_OPTION_TEXT, SG_OPTION_GROUP_MODEL, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "more inputs, one for each of these of numbers (all: each of them): a table from its values to what they add to "
     "ridge "
     "regression, found on other rows; suits inputs with hidden groups, not values that were never seen"},
    {"limit", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "none", 0, 0, "none|range|tails", NULL, "NAME",
     "what an input beyond the training rows counts as: what it is; the end of their range; the end without the "
     "outermost "
     "0.5 % on either side; auto chooses between the first two"},
    {"clip", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "none", 0, 1000, NULL, NULL, "F",
     "keep predictions within the range of the target in the training rows, widened on both sides by F of its width"},
    {"pca", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "5", 0, 1000, NULL, NULL, "N",
     "reduce more than N inputs to N principal components (0: never; with --scale quantile it is 0 unless given)"},
    {"consequents", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "gradient", 0, 0, "gradient|lse", NULL, "NAME",
     "how consequents are found: gradient steps, or least squares over all rows after every step"},
    {"start", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "zero", 0, 0, "zero|ridge", NULL, "NAME",
     "consequents before the first step, and what --l2 and --refit pull to: 0 (biases of fuzzy clusters begin with "
     "their targets' means), or ridge regression on all rows"},
    {"iters", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "500", 1, 4e9, NULL, NULL, "K", "training iterations"},
    {"batch", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "64", 0, 1e9, NULL, NULL, "N",
     "rows of a mini-batch, drawn afresh in every iteration (0: all rows)"},
    {"sampling", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "uniform", 0, 0, "uniform|blocks", NULL, "NAME",
     "uniform: batches of any rows, as in the paper; blocks: for disks where that is slow, of shuffled windows of "
     "64 random blocks of 1,024 rows"},
    {"loss", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "sum", 0, 0, "sum|mean", NULL, "NAME",
     "squared error summed over the batch, or its mean"},
    {"optim", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "adabound", 0, 0, NULL, sg_optim_name, "NAME",
     "how a gradient becomes a step"},
    {"rate", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.01", 1e-12, 1e6, NULL, NULL, "ALPHA", "learning rate alpha"},
    {"schedule", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "constant", 0, 0, "constant|cosine", NULL, "NAME",
     "how the rate goes on after the warm-up: as it is, or down to 0 along half a cosine"},
    {"warmup", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1, NULL, NULL, "F",
     "part of the iterations in which the rate rises from 0"},
    {"average", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 0.999999, NULL, NULL, "B",
     "the model is a running mean of the iterates, the older ones less and less by this factor (0: the last iterate)"},
    {"power", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1", 0.01, 1, NULL, NULL, "P",
     "Powerball: every number g of a gradient becomes sign(g) |g|^P"},
    {"final-rate", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e6, NULL, NULL, "ALPHA",
     "adabound: the rate that its bounds close in on (0: the same as --rate)"},
    {"rate-up", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1.1", 1, 10, NULL, NULL, "F",
     "jang: factor of the rate after four decreases of the loss in a row"},
    {"rate-down", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.9", 0.01, 1, NULL, NULL, "F",
     "jang: factor of the rate after up, down, up, down (1: never lowered)"},
    {"beta1", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.9", 0, 0.999999, NULL, NULL, "B",
     "adam, adabound, adabelief: decay of the first moment"},
    {"beta2", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.999", 0, 0.999999, NULL, NULL, "B",
     "adam, adabound, adabelief: decay of the second moment"},
    {"epsilon", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1e-8", 1e-30, 1, NULL, NULL, "E",
     "adam, adabound, adabelief: keeps the division finite"},
    {"l2", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.05", 0, 1e12, NULL, NULL, "LAMBDA",
     "regularisation of the consequents' slopes"},
    {"balance", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "LAMBDA",
     "regularisation of rules that fire more or less than others: LAMBDA times the squares of what their mean "
     "normalised "
     "firing level in a batch is off 1 / rules; a step takes three times as long (0: none)"},
    {"refit", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "LAMBDA",
     "after the last step, consequents anew by least squares over all rows, regularised so (0: as they are)"},
    {"drop", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "rule", 0, 0, NULL, sg_dropout_name, "NAME",
     "what is dropped at random for each row of a batch"},
    {"keep", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.5", 0.001, 1, NULL, NULL, "P",
     "probability that something is kept (the paper's P)"},
    {"noise", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 10, NULL, NULL, "F",
     "random noise on the inputs of each row of a batch, in their standard deviations"},
    {"huber", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "D",
     "errors above D, in the units that are trained, count linearly (0: squared, all of them)"},
    {"sigma-floor", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1", 1e-6, 1, NULL, NULL, "F",
     "no MF gets narrower than F times the narrowest initial one (gauss-a: no floor)"},
    {"valid-fraction", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 0.9, NULL, NULL, "F",
     "part of the rows set aside to choose the best iterate"},
    {"patience", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 4e9, NULL, NULL, "K",
     "stop after K iterations without a better validation RMSE (0: never)"},
    {"intervals", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 1000, NULL, NULL, "N",
     "train N times more, each time without one of N parts of the rows, to learn how far predictions are off (predict "
     "--interval); 0: auto takes what its own validation says, all others have none"},
    {"precision", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "f64", 0, 0, "f64|f32", NULL, "NAME",
     "arithmetic of the kernels: double, or float, which is faster and less exact"},
    {"budget", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e9, NULL, NULL, "SECONDS",
     "auto: tries no more than takes about as long on one core of a usual machine, unless less is not possible (0: "
     "what "
     "is worth it, at most two minutes, eight for auto-ensemble); planned work, not the clock, is cut, so that results "
     "stay the same"},
    {"student", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "yes", 0, 0, "yes|no", NULL, "WHETHER",
     "auto: whether a committee may teach what is trained in the end; no: the best single training, on the rows as "
     "they "
     "are, and no boosted boxes, which only teach"},
    {"seed", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 9007199254740991.0, NULL, NULL, "S",
     "seed of all random numbers"},
    {"targets", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "what to predict (default: the last column)"},
    {"ignore", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to leave out"},
    {"categorical", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns of categories, also where they look like numbers, dates or identifiers"},
    {"numeric", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns of numbers, also where one just counts the rows; a word in them is an error"},
    {"weights", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN",
     "column of row weights, at least 0"},
    {"group", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN",
     "cv, and the validation of auto: rows with the same number or word in this column are left out together; it is no "
     "input"},
    {"missing", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, SG_DEFAULT_MISSING, 0, 0, NULL, NULL, "WORD[,WORD...]",
     "cells that are missing values, besides empty ones"},
    {"header", SG_OPTION_CHOICE, SG_OPTION_GROUP_DATA, "auto", 0, 0, "auto|yes|no", NULL, "WHEN",
     "whether the first line holds column names"},
    {"delimiter", SG_OPTION_CHOICE, SG_OPTION_GROUP_DATA, "auto", 0, 0, "auto|comma|semicolon|tab", NULL, "NAME",
     "what separates columns"},
    {"threads", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "0", 0, 1024, NULL, NULL, "T",
     "threads (0: one for each core); results do not depend on it"},
    {"memory", SG_OPTION_BYTES, SG_OPTION_GROUP_RUN, "256MB", 1048576, 1125899906842624.0, NULL, NULL, "SIZE",
     "memory for rows and work, besides the model; rows that do not fit stay on the disk; results do not depend on it"},
};

const sg_option *sg_option_table(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

sg_status sg_options_new(sg_options **out)
{
    size_t presets;
    const sg_preset *preset = sg_preset_table(&presets);
    return sg_options_new_from_table(table, sizeof table / sizeof *table, preset, presets, out);
}
