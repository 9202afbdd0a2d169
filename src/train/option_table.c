/* option_table.c: the table of the library's options (names, types, defaults, bounds, help) and the table of presets.
 * The parser, --help, the man page, docs/options.md and the Python keywords are derived from them. */
#include "base/options.h"
#include "data/format/csv/csv.h"
#include "model/mf/mf.h"
#include "model/model.h"
#include "train/train_config.h"

static const sg_option table[] = {
    /* name, type, group, default, low, high, choices, list, value, help */
    {"preset", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "auto", 0, 0, NULL, sg_preset_name, "NAME",
     "a named set of option values (see Presets); other options have precedence"},
    {"structure", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "auto", 0, 0, NULL, sg_structure_name, "NAME",
     "grid: all combinations of the MFs of the inputs; cluster: rules with MFs of their own; linear: one rule without "
     "conditions; auto: cluster if --rules is given, else grid"},
    {"mf", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "gauss", 0, 0, NULL, sg_mf_name, "NAME",
     "shape of the membership functions (gauss-a trains 1/sigma)"},
    {"mfs", SG_OPTION_INTEGER_LIST, SG_OPTION_GROUP_MODEL, "2", 1, 1000, NULL, NULL, "N[,N...]",
     "grid: number of MFs per input, or one number for each input"},
    {"rules", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "0", 0, 1e6, NULL, NULL, "N",
     "cluster: number of rules (0: 16). auto: maximum number of rules (0: 64). auto-ensemble: maximum per rule base; "
     "if given, no boosted trees are used"},
    {"centres", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "kmeans", 0, 0, NULL, sg_center_method_name, "NAME",
     "cluster: initial rules from k-means of the inputs, k-means of inputs and target, fuzzy c-means, or the leaves of "
     "a regression tree"},
    {"width", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "1", 0.001, 1000, NULL, NULL, "F",
     "initial width of MFs, in standard deviations of the input (fcm: of the cluster; tree: in half-widths of the "
     "leaf)"},
    {"low-rank", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "0", 0, SG_LOW_RANK_MAX, NULL, NULL, "K",
     "cluster: number of low-rank terms per rule, which make rules oblique instead of axis-aligned; useful with many "
     "rows (gauss, gauss-a)"},
    {"firing", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "product", 0, 0, "product|mean", NULL, "NAME",
     "firing level of a rule: the product of its memberships, or their geometric mean (HTSK, with the mean number of "
     "conditions per rule), which suits many inputs"},
    {"scale", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "zscore", 0, 0, "zscore|quantile|none", NULL, "NAME",
     "transform of the inputs. quantile: conditions see normal scores of ranks, consequents see z-scores. none: no "
     "transform of inputs and target"},
    {"target", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "center", 0, 0, "none|center|zscore", NULL, "NAME",
     "transform of the target (use -t for its column)"},
    {"effects", SG_OPTION_TEXT, SG_OPTION_GROUP_MODEL, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "add target-encoded copies of these numeric inputs (all: of every one): a table from the values of an input to "
     "the mean residual of ridge regression, estimated out of fold. Useful if values recur, not for unseen values"},
    {"limit", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "none", 0, 0, "none|range|tails", NULL, "NAME",
     "clamp inputs outside the training data: none: no clamping; range: to the training range; tails: to the range "
     "without the outermost 0.5 % on each side. auto chooses between the first two"},
    {"clip", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "none", 0, 1000, NULL, NULL, "F",
     "limit predictions to the range of the target in the training rows, extended on both sides by F times its width"},
    {"pca", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "5", 0, 1000, NULL, NULL, "N",
     "reduce more than N inputs to N principal components (0: never; the default is 0 with --scale quantile)"},
    {"consequents", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "gradient", 0, 0, "gradient|lse", NULL, "NAME",
     "fit consequents by gradient steps, or by least squares over all rows after every step"},
    {"start", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "zero", 0, 0, "zero|ridge", NULL, "NAME",
     "initial consequents, towards which --l2 and --refit shrink: zero (with fuzzy c-means, biases start at the mean "
     "target of the cluster), or ridge regression on all rows"},
    {"iters", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "500", 1, 4e9, NULL, NULL, "K",
     "number of training iterations"},
    {"batch", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "64", 0, 1e9, NULL, NULL, "N",
     "rows per mini-batch, drawn anew in every iteration (0: all rows)"},
    {"sampling", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "uniform", 0, 0, "uniform|blocks", NULL, "NAME",
     "uniform: batches of random rows, as in the paper. blocks: batches from shuffled windows of 64 random blocks of "
     "1,024 rows, for disks with slow random access"},
    {"loss", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "sum", 0, 0, "sum|mean", NULL, "NAME",
     "sum or mean of the squared errors in a batch"},
    {"optim", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "adabound", 0, 0, NULL, sg_optim_name, "NAME", "the optimiser"},
    {"rate", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.01", 1e-12, 1e6, NULL, NULL, "ALPHA", "learning rate alpha"},
    {"schedule", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "constant", 0, 0, "constant|cosine", NULL, "NAME",
     "learning rate after the warm-up: constant, or decreasing to 0 along half a cosine"},
    {"warmup", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1, NULL, NULL, "F",
     "fraction of the iterations in which the learning rate rises from 0"},
    {"average", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 0.999999, NULL, NULL, "B",
     "use an exponential moving average of the iterates with this decay as the model (0: the last iterate)"},
    {"power", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1", 0.01, 1, NULL, NULL, "P",
     "Powerball: every component g of a gradient becomes sign(g) |g|^P"},
    {"final-rate", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e6, NULL, NULL, "ALPHA",
     "adabound: final learning rate to which its bounds converge (0: --rate)"},
    {"rate-up", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1.1", 1, 10, NULL, NULL, "F",
     "jang: factor of the learning rate after four consecutive decreases of the loss"},
    {"rate-down", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.9", 0.01, 1, NULL, NULL, "F",
     "jang: factor of the learning rate after up, down, up, down (1: never decreased)"},
    {"beta1", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.9", 0, 0.999999, NULL, NULL, "B",
     "adam, adabound, adabelief: decay of the first moment"},
    {"beta2", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.999", 0, 0.999999, NULL, NULL, "B",
     "adam, adabound, adabelief: decay of the second moment"},
    {"epsilon", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1e-8", 1e-30, 1, NULL, NULL, "E",
     "adam, adabound, adabelief: term that keeps the denominator positive"},
    {"l2", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.05", 0, 1e12, NULL, NULL, "LAMBDA",
     "L2 regularisation of the slopes of the consequents"},
    {"balance", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "LAMBDA",
     "uniform regularisation: LAMBDA times the squared differences between the mean normalised firing levels in a "
     "batch and 1 / rules; a step takes three times as long (0: none)"},
    {"refit", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "LAMBDA",
     "refit the consequents by least squares over all rows after the last step, with this L2 penalty (0: no refit)"},
    {"drop", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "rule", 0, 0, NULL, sg_dropout_name, "NAME",
     "what is dropped at random for each row of a batch"},
    {"keep", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.5", 0.001, 1, NULL, NULL, "P",
     "probability of keeping a rule, MF or membership (P in the paper)"},
    {"noise", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 10, NULL, NULL, "F",
     "random noise added to the inputs of a batch, in standard deviations"},
    {"huber", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "D",
     "Huber loss: errors above D, in transformed units, count linearly (0: squared loss)"},
    {"sigma-floor", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1", 1e-6, 1, NULL, NULL, "F",
     "minimum width of MFs, as a factor of the smallest initial width (gauss-a: no minimum)"},
    {"valid-fraction", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 0.9, NULL, NULL, "F",
     "fraction of the rows held out to select the best iterate"},
    {"patience", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 4e9, NULL, NULL, "K",
     "stop after K iterations without a better validation RMSE (0: never)"},
    {"intervals", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 1000, NULL, NULL, "N",
     "calibrate prediction intervals by cross-validation with N folds, which trains N more times. 0: auto uses its own "
     "validation, other presets have no intervals"},
    {"precision", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "f64", 0, 0, "f64|f32", NULL, "NAME",
     "precision of the kernels: f64, or f32, which is faster and less exact"},
    {"budget", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e9, NULL, NULL, "SECONDS",
     "auto: CPU time that the search plans to use, on one core of a typical machine; a minimum of work is always done "
     "(0: as needed, at most two minutes, eight for auto-ensemble). The work is planned and not timed, so results are "
     "reproducible"},
    {"student", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "yes", 0, 0, "yes|no", NULL, "WHETHER",
     "auto: whether the final model may be distilled from the ensemble of the best models and boosted trees; no: the "
     "best single model"},
    {"seed", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 9007199254740991.0, NULL, NULL, "S", "random seed"},
    {"targets", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to predict (default: the last column)"},
    {"ignore", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]", "columns to ignore"},
    {"categorical", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to read as categories, even if they look like numbers, dates or identifiers"},
    {"numeric", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to read as numbers, even if one only counts the rows; text in them is an error"},
    {"weights", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN",
     "column of row weights (at least 0)"},
    {"group", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN",
     "cv and validation of auto: rows with the same value in this column are held out together; it is not an input"},
    {"missing", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, SG_DEFAULT_MISSING, 0, 0, NULL, NULL, "WORD[,WORD...]",
     "cells that denote missing values, in addition to empty ones"},
    {"header", SG_OPTION_CHOICE, SG_OPTION_GROUP_DATA, "auto", 0, 0, "auto|yes|no", NULL, "WHEN",
     "whether the first line contains column names"},
    {"delimiter", SG_OPTION_CHOICE, SG_OPTION_GROUP_DATA, "auto", 0, 0, "auto|comma|semicolon|tab", NULL, "NAME",
     "column separator"},
    {"threads", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "0", 0, 1024, NULL, NULL, "T",
     "number of threads (0: one per core); does not affect results"},
    {"memory", SG_OPTION_BYTES, SG_OPTION_GROUP_RUN, "256MB", 1048576, 1125899906842624.0, NULL, NULL, "SIZE",
     "memory for rows and temporary data, in addition to the model; rows that do not fit stay on disk; does not affect "
     "results"},
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

/* --- presets: the paper's systems and ours as sets of option values ---
 *
 * The defaults above, except that of --preset itself, are the paper's MBGD-RDA. A preset lists only values that differ
 * from them. */

/* Values that the search does not vary. */
#define SEARCHED                                                                                                       \
    "structure=cluster mf=gauss-a target=zscore loss=mean pca=0 optim=adam rate=0.02 schedule=cosine warmup=0.02 "     \
    "average=0.998 start=ridge clip=0.1"

static const sg_preset presets[] = {
    {"rr", "structure=linear consequents=lse drop=none keep=1 batch=0 iters=1",
     "ridge regression: one rule without conditions"},
    {"mbgd", "optim=jang l2=0 drop=none keep=1", "mini-batch gradient descent with Jang's step"},
    {"mbgd-r", "optim=jang drop=none keep=1", "mbgd with regularisation"},
    {"mbgd-d", "optim=jang l2=0", "mbgd with DropRule"},
    {"mbgd-rd", "optim=jang", "mbgd with regularisation and DropRule"},
    {"mbgd-a", "l2=0 drop=none keep=1", "mbgd with AdaBound"},
    {"mbgd-ra", "drop=none keep=1", "mbgd with regularisation and AdaBound"},
    {"mbgd-rda", "", "mbgd with regularisation, DropRule and AdaBound: the paper's system"},
    {"mbgd-rd-adam", "optim=adam", "mbgd-rda with Adam instead of AdaBound"},
    {"mbgd-rda-dropmf", "drop=mf", "mbgd-rda with DropMF instead of DropRule"},
    {"mbgd-rda-dropmembership", "drop=membership", "mbgd-rda with DropMembership instead of DropRule"},
    {"anfis-gd", "optim=jang l2=0 drop=none keep=1 batch=0", "ANFIS: gradient descent on all rows"},
    {"anfis-gd-lse", "optim=jang l2=0 drop=none keep=1 batch=0 consequents=lse",
     "ANFIS with Jang's hybrid learning: consequents by least squares"},
    {"anfis-gd-lse-r",
     "optim=jang l2=0.001 drop=none keep=1 batch=0 consequents=lse loss=mean target=zscore "
     "mf=gauss-a",
     "anfis-gd-lse with regularised least squares"},
    {"fcm-rda", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a final-rate=0.3",
     "mbgd-rda on all inputs, with rules from fuzzy c-means"},
    {"fcm-rdpa", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a optim=adabelief power=0.5",
     "fcm-rda with Powerball and AdaBelief instead of AdaBound"},
    {"auto", SEARCHED,
     "searches for the best values of all options that are not given, by validation inside the training rows; at most "
     "64 rules"},
    {"auto-ensemble", SEARCHED,
     "an ensemble of the best rule bases and boosted soft trees as one model of many blocks: more accurate, not "
     "readable"},
};

const sg_preset *sg_preset_table(size_t *count)
{
    *count = sizeof presets / sizeof *presets;
    return presets;
}

const char *sg_preset_name(size_t i) { return i < sizeof presets / sizeof *presets ? presets[i].name : NULL; }
