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
     "a named set of option values (see Presets); options that you set yourself take precedence over it"},
    {"structure", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "auto", 0, 0, NULL, sg_structure_name, "NAME",
     "how rules use membership functions (MFs). grid: one rule for each combination of the inputs' MFs; cluster: each "
     "rule has its own; linear: one rule without conditions; additive: one curve per input, and tables of pairs of "
     "inputs; auto: cluster if --rules is given, else grid"},
    {"mf", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "gauss", 0, 0, NULL, sg_mf_name, "NAME",
     "shape of the MFs: Gaussian (gauss; gauss-a trains 1/sigma), bell, triangle, trapezoid or two-sided Gaussian"},
    {"mfs", SG_OPTION_INTEGER_LIST, SG_OPTION_GROUP_MODEL, "2", 1, 1000, NULL, NULL, "N[,N...]",
     "--structure grid: number of MFs per input, as one number for all inputs or one for each input. --structure "
     "additive: number of terms per input (if not given, it is chosen by cross-validation: at most 7, unless more "
     "terms clearly reduce the error)"},
    {"pairs", SG_OPTION_TEXT, SG_OPTION_GROUP_MODEL, "auto", 0, 0, NULL, NULL, "N|A:B[,C:D...]",
     "--structure additive: pairs of inputs that have a table of their own. auto: those that reduce the "
     "cross-validated "
     "error; N: at most N of these; A:B,C:D: exactly the pairs of these columns"},
    {"monotone", SG_OPTION_TEXT, SG_OPTION_GROUP_MODEL, "", 0, 0, NULL, NULL, "COLUMN:+[,COLUMN:-...]",
     "--structure additive: inputs in which the prediction never falls (+) or never rises (-), whatever the values of "
     "the other inputs"},
    {"smoothing", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "auto", 1e-6, 1e6, NULL, NULL, "F",
     "--structure additive: factor of the smoothing penalties that restricted maximum likelihood suggests; larger "
     "values give smoother curves (auto: chosen by cross-validation)"},
    {"rules", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "0", 0, 1e6, NULL, NULL, "N",
     "--structure cluster: number of rules (0: 16). --preset auto: maximum number of rules (0: 64); "
     "if it is given, the model has no curves. --preset "
     "auto-ensemble: maximum number of rules per rule base; if it is given, the ensemble has no boosted trees"},
    {"centres", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "kmeans", 0, 0, NULL, sg_center_method_name, "NAME",
     "--structure cluster: how the initial rules are found. kmeans: by k-means on the inputs; kmeans-y: by k-means on "
     "the inputs and the target; fcm: by fuzzy c-means; tree: from the leaves of a regression tree"},
    {"width", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "1", 0.001, 1000, NULL, NULL, "F",
     "initial width of the MFs, as a multiple of the standard deviation of the input (--centres fcm: of its standard "
     "deviation in the cluster; --centres tree: of half the width of the leaf)"},
    {"low-rank", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "0", 0, SG_LOW_RANK_MAX, NULL, NULL, "K",
     "--structure cluster with --mf gauss or gauss-a: number of low-rank terms per rule, which let a rule depend on "
     "linear combinations of inputs; useful with many rows"},
    {"firing", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "product", 0, 0, "product|mean", NULL, "NAME",
     "how the firing level of a rule is computed from its memberships. product: as their product; mean: as their "
     "geometric mean (HTSK, with the mean number of conditions per rule), which suits many inputs"},
    {"scale", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "zscore", 0, 0, "zscore|quantile|none", NULL, "NAME",
     "transform of the inputs. zscore: to mean 0 and standard deviation 1; quantile: like zscore in consequents, "
     "but in conditions each value becomes the quantile of a normal distribution that corresponds to its rank; none: "
     "no transform, not even of the target unless --target is given"},
    {"target", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "center", 0, 0, "none|center|zscore", NULL, "NAME",
     "transform of the target. none: keep the original units; center: subtract the mean; zscore: also divide by the "
     "standard deviation (to choose the target column, use -t)"},
    {"effects", SG_OPTION_TEXT, SG_OPTION_GROUP_MODEL, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "add a target-encoded copy of each of these numeric inputs (all: every one): the mean residual of ridge "
     "regression for each value, estimated out of fold. Useful if values recur; unreliable for unseen values"},
    {"limit", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "none", 0, 0, "none|range|tails", NULL, "NAME",
     "what happens to inputs outside the training range. none: nothing; range: they are clamped to this range; "
     "tails: they are clamped to this range without the outermost 0.5 % of the rows on each side. --preset auto "
     "chooses between none and range"},
    {"clip", SG_OPTION_REAL, SG_OPTION_GROUP_MODEL, "none", 0, 1000, NULL, NULL, "F",
     "clip predictions to the training range of the target, extended on each side by F times its width (none: off)"},
    {"pca", SG_OPTION_INTEGER, SG_OPTION_GROUP_MODEL, "5", 0, 1000, NULL, NULL, "N",
     "replace more than N inputs with N principal components (0: never; the default is 0 with --scale quantile)"},
    {"consequents", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "gradient", 0, 0, "gradient|lse", NULL, "NAME",
     "how consequents are fitted: by gradient steps, or by least squares on all rows after every step (lse)"},
    {"start", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "zero", 0, 0, "zero|ridge", NULL, "NAME",
     "initial consequents, towards which --l2 and --refit shrink. zero: 0 (but with --centres fcm, biases start at the "
     "mean targets of the clusters); ridge: the coefficients of ridge regression on all rows"},
    {"iters", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "500", 1, 4e9, NULL, NULL, "K",
     "number of training iterations, each of which trains on one batch"},
    {"batch", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "64", 0, 1e9, NULL, NULL, "N",
     "number of rows in a mini-batch, which is drawn at random in each iteration (0: all rows)"},
    {"sampling", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "uniform", 0, 0, "uniform|blocks", NULL, "NAME",
     "how the rows of a batch are drawn. uniform: at random from all rows, as in the paper; blocks: from shuffled "
     "windows of 64 random blocks of 1,024 rows, for disks with slow random access"},
    {"loss", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "sum", 0, 0, "sum|mean", NULL, "NAME",
     "the loss of a batch: the sum or the mean of its squared errors"},
    {"optim", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "adabound", 0, 0, NULL, sg_optim_name, "NAME",
     "optimiser, which turns gradients into steps: Jang's normalised step, plain SGD or a method of the Adam family"},
    {"rate", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.01", 1e-12, 1e6, NULL, NULL, "ALPHA",
     "learning rate, which scales every step (alpha in the paper)"},
    {"schedule", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "constant", 0, 0, "constant|cosine", NULL, "NAME",
     "learning rate after the warm-up: it is constant, or it decreases to 0 along half a cosine"},
    {"warmup", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1, NULL, NULL, "F",
     "length of the warm-up, in which the learning rate rises from 0, as a fraction of the iterations"},
    {"average", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 0.999999, NULL, NULL, "B",
     "decay of an exponential moving average of the parameters, which becomes the model (0: no average)"},
    {"power", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1", 0.01, 1, NULL, NULL, "P",
     "exponent of Powerball, which replaces every component g of a gradient with sign(g) |g|^P (1: no change)"},
    {"final-rate", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e6, NULL, NULL, "ALPHA",
     "--optim adabound: final learning rate, to which the bounds on the step sizes converge (0: the value of --rate)"},
    {"rate-up", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1.1", 1, 10, NULL, NULL, "F",
     "--optim jang: factor applied to the learning rate after four consecutive decreases of the loss"},
    {"rate-down", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.9", 0.01, 1, NULL, NULL, "F",
     "--optim jang: factor applied to the learning rate after the loss went up, down, up, down (1: no decrease)"},
    {"beta1", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.9", 0, 0.999999, NULL, NULL, "B",
     "--optim adam, adabound or adabelief: decay of the first moment, which is the mean of recent gradients"},
    {"beta2", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.999", 0, 0.999999, NULL, NULL, "B",
     "--optim adam, adabound or adabelief: decay of the second moment (squared gradients; adabelief: deviations)"},
    {"epsilon", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1e-8", 1e-30, 1, NULL, NULL, "E",
     "--optim adam, adabound or adabelief: small number that keeps the denominator of a step above 0"},
    {"l2", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.05", 0, 1e12, NULL, NULL, "LAMBDA",
     "strength of the L2 penalty on the slopes of the consequents (0: no penalty)"},
    {"balance", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "LAMBDA",
     "uniform regularisation, which makes rules fire equally: adds LAMBDA times the squared differences between the "
     "mean normalised firing levels in a batch and 1 / rules; a step takes about three times as long (0: none)"},
    {"refit", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "LAMBDA",
     "refit consequents by least squares on all rows after the last step, with this L2 penalty (0: no refit)"},
    {"drop", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "rule", 0, 0, NULL, sg_dropout_name, "NAME",
     "what training leaves out at random for each row of a batch: nothing, rules, MFs or single memberships"},
    {"keep", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0.5", 0.001, 1, NULL, NULL, "P",
     "probability that --drop keeps a rule, an MF or a membership (P in the paper)"},
    {"noise", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 10, NULL, NULL, "F",
     "random noise added to inputs in training, in standard deviations of the input (0: no noise)"},
    {"huber", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e12, NULL, NULL, "D",
     "Huber loss: errors above D, in transformed units, contribute linearly to the loss (0: squared loss)"},
    {"sigma-floor", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "1", 1e-6, 1, NULL, NULL, "F",
     "minimum width of the MFs in training, as a multiple of the smallest initial width (--mf gauss-a: no minimum)"},
    {"valid-fraction", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 0.9, NULL, NULL, "F",
     "fraction of the rows held out from training to select the parameters with the smallest RMSE on them"},
    {"patience", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 4e9, NULL, NULL, "K",
     "stop training if the validation RMSE has not improved for K iterations (0: never stop early)"},
    {"intervals", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 1000, NULL, NULL, "N",
     "calibrate prediction intervals by cross-validation with N folds, which trains N more models (0: the "
     "presets auto, additive and additive-pairs use their own validation, and other presets provide no intervals)"},
    {"precision", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "f64", 0, 0, "f64|f32", NULL, "NAME",
     "floating-point precision of the computations: f64, or f32, which is faster but less exact"},
    {"budget", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", 0, 1e9, NULL, NULL, "SECONDS",
     "--preset auto or auto-ensemble: CPU time that the search plans to use, on one core of a typical machine (0: as "
     "much as it needs, but at most two minutes, or eight for auto-ensemble). A minimum of work is always done. "
     "Results are reproducible, because the work is planned and not timed"},
    {"aim", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "balanced", 0, 0, "balanced|accurate|readable", NULL, "AIM",
     "--preset auto: which of the systems that the search compares becomes the model. balanced: the one with the least "
     "to read whose validation error is at most 2 % and one standard error above the smallest; accurate: the one with "
     "the smallest error; readable: like balanced, but without rules"},
    {"student", SG_OPTION_CHOICE, SG_OPTION_GROUP_TRAIN, "yes", 0, 0, "yes|no", NULL, "WHETHER",
     "--preset auto: whether the final model may be distilled from an ensemble of the best models and boosted trees "
     "(no: it is always the best single model)"},
    {"seed", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "0", 0, 9007199254740991.0, NULL, NULL, "S",
     "seed of the random numbers; with the same data and options, equal seeds give equal models"},
    {"targets", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to predict (default: the last column)"},
    {"ignore", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]", "columns to ignore"},
    {"categorical", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to read as categories, even if they look like numbers, dates or identifiers"},
    {"numeric", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN[,COLUMN...]",
     "columns to read as numbers, even if they look like row numbers; text in them is an error"},
    {"weights", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN",
     "column that contains the weight of each row (at least 0)"},
    {"group", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "COLUMN",
     "column with the group of each row (not an input): cv, --intervals and --preset auto hold out whole groups"},
    {"missing", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, SG_DEFAULT_MISSING, 0, 0, NULL, NULL, "WORD[,WORD...]",
     "words that mark missing values, in addition to empty cells"},
    {"header", SG_OPTION_CHOICE, SG_OPTION_GROUP_DATA, "auto", 0, 0, "auto|yes|no", NULL, "WHEN",
     "whether the first line contains column names (auto: detected from the data)"},
    {"delimiter", SG_OPTION_CHOICE, SG_OPTION_GROUP_DATA, "auto", 0, 0, "auto|comma|semicolon|tab", NULL, "NAME",
     "character that separates columns (auto: detected from the data)"},
    {"threads", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "0", 0, 1024, NULL, NULL, "T",
     "number of threads (0: one per core); results do not depend on it"},
    {"memory", SG_OPTION_BYTES, SG_OPTION_GROUP_RUN, "256MB", 1048576, 1125899906842624.0, NULL, NULL, "SIZE",
     "memory for rows and temporary data, besides the model; larger data stay on disk; results do not depend on it"},
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
 * The defaults above, except that of --preset itself, are those of the paper's MBGD-RDA. A preset lists only the values
 * that differ from them. */

/* The values in the presets auto and auto-ensemble, which the search keeps fixed. */
#define SEARCHED                                                                                                       \
    "structure=cluster mf=gauss-a target=zscore loss=mean pca=0 optim=adam rate=0.02 schedule=cosine warmup=0.02 "     \
    "average=0.998 start=ridge clip=0.1"

static const sg_preset presets[] = {
    {"rr", "structure=linear consequents=lse drop=none keep=1 batch=0 iters=1",
     "ridge regression, as one rule without conditions"},
    {"mbgd", "optim=jang l2=0 drop=none keep=1", "mini-batch gradient descent with Jang's step"},
    {"mbgd-r", "optim=jang drop=none keep=1", "mbgd with L2 regularisation"},
    {"mbgd-d", "optim=jang l2=0", "mbgd with DropRule"},
    {"mbgd-rd", "optim=jang", "mbgd with L2 regularisation and DropRule"},
    {"mbgd-a", "l2=0 drop=none keep=1", "mbgd with AdaBound instead of Jang's step"},
    {"mbgd-ra", "drop=none keep=1", "mbgd-a with L2 regularisation"},
    {"mbgd-rda", "", "mbgd-a with L2 regularisation and DropRule, the paper's system"},
    {"mbgd-rd-adam", "optim=adam", "mbgd-rda with Adam instead of AdaBound"},
    {"mbgd-rda-dropmf", "drop=mf", "mbgd-rda with DropMF instead of DropRule"},
    {"mbgd-rda-dropmembership", "drop=membership", "mbgd-rda with DropMembership instead of DropRule"},
    {"anfis-gd", "optim=jang l2=0 drop=none keep=1 batch=0", "ANFIS, trained by gradient descent on all rows"},
    {"anfis-gd-lse", "optim=jang l2=0 drop=none keep=1 batch=0 consequents=lse",
     "ANFIS with Jang's hybrid learning, which fits consequents by least squares"},
    {"anfis-gd-lse-r",
     "optim=jang l2=0.001 drop=none keep=1 batch=0 consequents=lse loss=mean target=zscore "
     "mf=gauss-a",
     "anfis-gd-lse with regularised least squares"},
    {"fcm-rda", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a final-rate=0.3",
     "mbgd-rda on all inputs, with rules from fuzzy c-means"},
    {"fcm-rdpa", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a optim=adabelief power=0.5",
     "fcm-rda with Powerball and AdaBelief instead of AdaBound"},
    {"additive", "structure=additive pairs=0 target=zscore loss=mean pca=0 clip=0.1 drop=none keep=1 iters=1",
     "one curve per input, added up: a model that can be read and drawn, fitted in a moment"},
    {"additive-pairs", "structure=additive target=zscore loss=mean pca=0 clip=0.1 drop=none keep=1 iters=1",
     "additive, with tables for the pairs of inputs that interact"},
    {"auto", SEARCHED,
     "compares ridge regression, curves, pairs and rules by cross-validation within the training rows, and takes the "
     "system with the least to read among the most accurate ones (--aim)"},
    {"auto-ensemble", SEARCHED,
     "combines the best rule bases and boosted trees in one model of many blocks: more accurate but not readable"},
};

const sg_preset *sg_preset_table(size_t *count)
{
    *count = sizeof presets / sizeof *presets;
    return presets;
}

const char *sg_preset_name(size_t i) { return i < sizeof presets / sizeof *presets ? presets[i].name : NULL; }
