/* train_config.c: parses the options of a training run. No other file of src/train reads options by name. */
#include "train/train_config.h"

#include <string.h>

/* The choices of the options, in the order of the enums. */
static const char *const scales[] = {"zscore", "quantile", "none", NULL};
static const char *const targets[] = {"none", "center", "zscore", NULL};
static const char *const clamps[] = {"none", "range", "tails", NULL};

const char *sg_target_transform_name(sg_target_transform t) { return targets[t]; }

/* Returns the index of the option's value in names, which contains it: sg_options_set has checked this. */
static int choice_index(const sg_options *o, const char *option, const char *const *names)
{
    int i = 0;
    while (names[i + 1] && !sg_options_equals(o, option, names[i])) i++;
    return i;
}

/* --scale none implies --target none, and --scale quantile and --structure additive imply --pca 0, unless these options
 * are given. */
static sg_preprocess_config parse_preprocess(const sg_options *o)
{
    sg_preprocess_config c = {.notices = o,
                              .seed = (uint64_t)sg_options_real(o, "seed"),
                              .scale = choice_index(o, "scale", scales),
                              .target = choice_index(o, "target", targets),
                              .clamp = choice_index(o, "limit", clamps),
                              .clips = !sg_options_equals(o, "clip", "none"),
                              .clip_margin = sg_options_real(o, "clip"),
                              .pca_option = sg_options_integer(o, "pca"),
                              .is_f32 = sg_options_equals(o, "precision", "f32"),
                              .effects = sg_options_text(o, "effects")};
    if (c.scale == SG_SCALE_NONE && !sg_options_is_set(o, "target")) c.target = SG_TARGET_NONE;
    if (sg_options_equals(o, "structure", "additive") && !sg_options_is_set(o, "pca")) c.pca_option = 0;
    c.pca = c.scale == SG_SCALE_QUANTILE && !sg_options_is_set(o, "pca") ? 0 : c.pca_option;
    return c;
}

static sg_structure_config parse_structure(const sg_options *o, const sg_preprocess_config *p)
{
    size_t rules = sg_options_integer(o, "rules");
    return (sg_structure_config){
        .kind = sg_structure_find(sg_options_text(o, "structure"), rules),
        .mf = sg_mf_find(sg_options_text(o, "mf")),
        .mfs = sg_options_text(o, "mfs"),
        .rules = rules,
        .centers = sg_center_method_find(sg_options_text(o, "centres")),
        .width = sg_options_real(o, "width"),
        .low_rank = sg_options_integer(o, "low-rank"),
        .pca = p->pca,
        .mean_firing = sg_options_equals(o, "firing", "mean"),
        .needs_lse = sg_options_equals(o, "consequents", "lse") || sg_options_real(o, "refit") > 0,
        .seed = p->seed,
    };
}

static sg_optimiser parse_optimiser(const sg_options *o)
{
    double rate = sg_options_real(o, "rate"), final_rate = sg_options_real(o, "final-rate");
    return (sg_optimiser){.kind = sg_optim_find(sg_options_text(o, "optim")),
                          .rate = rate,
                          .power = sg_options_real(o, "power"),
                          .final_rate = final_rate > 0 ? final_rate : rate,
                          .rate_up = sg_options_real(o, "rate-up"),
                          .rate_down = sg_options_real(o, "rate-down"),
                          .beta1 = sg_options_real(o, "beta1"),
                          .beta2 = sg_options_real(o, "beta2"),
                          .epsilon = sg_options_real(o, "epsilon")};
}

static sg_rate_schedule parse_schedule(const sg_options *o)
{
    double iterations = sg_options_real(o, "iters");
    return (sg_rate_schedule){.iterations = iterations,
                              .warmup = iterations * sg_options_real(o, "warmup"),
                              .cosine = sg_options_equals(o, "schedule", "cosine")};
}

/* Returns the option of additive models that the user has set to a value other than the default, or NULL. */
static const char *find_additive_option(const sg_options *o)
{
    if (sg_options_is_set(o, "pairs") && !sg_options_equals(o, "pairs", "auto")) return "--pairs";
    if (sg_options_is_set(o, "monotone") && *sg_options_text(o, "monotone")) return "--monotone";
    return sg_options_is_set(o, "smoothing") && sg_options_real(o, "smoothing") > 0 ? "--smoothing" : NULL;
}

static sg_additive_config parse_additive(const sg_options *o)
{
    return (sg_additive_config){.is_additive = sg_options_equals(o, "structure", "additive"),
                                .given = find_additive_option(o),
                                .is_searched = strncmp(sg_options_text(o, "preset"), "auto", 4) == 0,
                                .pairs = sg_options_text(o, "pairs"),
                                .monotone = sg_options_text(o, "monotone"),
                                .mfs = sg_options_is_set(o, "mfs") ? sg_options_text(o, "mfs") : NULL,
                                .smoothing = sg_options_real(o, "smoothing")};
}

sg_train_config sg_train_config_parse(const sg_options *o)
{
    sg_preprocess_config preprocess = parse_preprocess(o);
    return (sg_train_config){
        .options = o,
        .preset = sg_options_text(o, "preset"),
        .precision = sg_options_text(o, "precision"),
        .weights = sg_options_text(o, "weights"),
        .seed = preprocess.seed,
        .threads = sg_options_integer(o, "threads"),
        .iterations = sg_options_integer(o, "iters"),
        .preprocess = preprocess,
        .structure = parse_structure(o, &preprocess),
        .additive = parse_additive(o),
        .optimiser = parse_optimiser(o),
        .schedule = parse_schedule(o),
        .dropout = {sg_dropout_find(sg_options_text(o, "drop")), sg_options_real(o, "keep"), preprocess.seed},
        .batch = sg_options_integer(o, "batch"),
        .block_sampling = sg_options_equals(o, "sampling", "blocks"),
        .use_lse = sg_options_equals(o, "consequents", "lse"),
        .mean_loss = sg_options_equals(o, "loss", "mean"),
        .ridge_start = sg_options_equals(o, "start", "ridge"),
        .l2 = sg_options_real(o, "l2"),
        .refit_l2 = sg_options_real(o, "refit"),
        .balance = sg_options_real(o, "balance"),
        .noise = sg_options_real(o, "noise"),
        .huber = sg_options_real(o, "huber"),
        .average = sg_options_real(o, "average"),
        .sigma_floor = sg_options_real(o, "sigma-floor"),
        .valid_fraction = sg_options_real(o, "valid-fraction"),
        .patience = sg_options_integer(o, "patience"),
    };
}

sg_status sg_train_config_check_additive(const sg_train_config *c)
{
    const sg_additive_config *a = &c->additive;
    if (a->is_additive || a->is_searched || !a->given) return SG_OK;
    return sg_fail(SG_EINVAL,
                   "%s needs a model of curves, which --preset %s does not make; use --preset additive-pairs", a->given,
                   c->preset);
}
