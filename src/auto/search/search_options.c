/* search_options.c: parses the options of src/auto, and sets the options of the trainings that a search starts. */
#include "auto/search/search_options.h"

#include "base/random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- parsing --- */

int sg_options_is_search(const sg_options *o)
{
    return sg_options_equals(o, "preset", "auto") || sg_options_equals(o, "preset", "auto-ensemble");
}

int sg_options_trains_in_steps(const sg_options *o)
{
    return !sg_options_is_search(o) && !sg_options_equals(o, "structure", "additive");
}

/* Returns whether the user has set no option that applies only to rule bases. */
static bool allows_curves(const sg_options *o)
{
    static const char *const of_rules[] = {"structure", "rules",  "mf",       "mfs",    "centres",
                                           "width",     "firing", "low-rank", "effects"};
    for (size_t i = 0; i < sizeof of_rules / sizeof *of_rules; i++)
        if (sg_options_is_set(o, of_rules[i])) return false;
    return true;
}

static sg_search_aim parse_aim(const sg_options *o)
{
    return sg_options_equals(o, "aim", "accurate")   ? SG_AIM_ACCURATE
           : sg_options_equals(o, "aim", "readable") ? SG_AIM_READABLE
                                                     : SG_AIM_BALANCED;
}

sg_search_config sg_search_config_parse(const sg_options *o)
{
    bool is_cluster = sg_options_equals(o, "structure", "cluster");
    bool is_gaussian = sg_options_equals(o, "mf", "gauss") || sg_options_equals(o, "mf", "gauss-a");
    return (sg_search_config){
        .is_ensemble = sg_options_equals(o, "preset", "auto-ensemble"),
        .is_cluster = is_cluster,
        .is_grid = sg_options_equals(o, "structure", "grid"),
        .is_unscaled = sg_options_equals(o, "scale", "none"),
        .uses_pca = sg_options_integer(o, "pca") > 0,
        .allows_student = sg_options_equals(o, "student", "yes"),
        .allows_curves = allows_curves(o),
        .allows_low_rank = is_gaussian && is_cluster && !sg_options_is_set(o, "low-rank"),
        .sets_batch = sg_options_is_set(o, "batch"),
        .sets_iters = sg_options_is_set(o, "iters"),
        .sets_rules = sg_options_is_set(o, "rules"),
        .sets_effects = sg_options_is_set(o, "effects"),
        .sets_limit = sg_options_is_set(o, "limit"),
        .sets_group = sg_options_is_set(o, "group"),
        .rules = sg_options_integer(o, "rules"),
        .mfs = sg_options_integer(o, "mfs"),
        .batch = sg_options_integer(o, "batch"),
        .iters = sg_options_integer(o, "iters"),
        .threads = sg_options_integer(o, "threads"),
        .intervals = sg_options_integer(o, "intervals"),
        .aim = parse_aim(o),
        .budget = sg_options_real(o, "budget"),
        .clip = sg_options_equals(o, "clip", "none") ? (double)INFINITY : sg_options_real(o, "clip"),
        .seed = (uint64_t)sg_options_real(o, "seed"),
        .effects = sg_options_text(o, "effects"),
        .group = sg_options_text(o, "group"),
        .weights = sg_options_text(o, "weights"),
    };
}

static sg_status reject_option(const sg_options *o, const char *given)
{
    return sg_fail(SG_EINVAL,
                   "%s cannot be used with the preset %s, which searches for a model; omit it or choose a preset that "
                   "trains once, such as --preset mbgd-rda",
                   given, sg_options_text(o, "preset"));
}

sg_status sg_search_check_options(const sg_options *o, bool has_valid)
{
    static const char *const option[] = {"valid-fraction", "patience", "refit"};
    char given[32];
    if (has_valid) return reject_option(o, "--valid");
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (sg_options_real(o, option[i]) > 0) {
            snprintf(given, sizeof given, "--%s", option[i]);
            return reject_option(o, given);
        }
    if (sg_options_is_set(o, "mfs") &&
        (sg_options_equals(o, "structure", "cluster") || sg_options_equals(o, "structure", "linear")))
        return sg_fail(SG_EINVAL,
                       "--mfs needs a grid of rules, which the preset %s does not use; add --structure grid or choose "
                       "another preset, such as --preset mbgd-rda",
                       sg_options_text(o, "preset"));
    if (sg_options_equals(o, "start", "zero")) return reject_option(o, "--start zero");
    return sg_options_equals(o, "consequents", "lse") ? reject_option(o, "--consequents lse") : SG_OK;
}

/* --- the search space --- */

enum { RULES, SCALE, CENTRES }; /* factors that apply only with some options */

/* The levels of each factor. A level is a list of options that are set together. */
static const char *const factor[SG_SEARCH_FACTORS][SG_FACTOR_MAX_LEVELS + 1] = {
    [RULES] = {"rules", "rules", "rules", "rules"},
    [SCALE] = {"scale=zscore", "scale=quantile"},
    [CENTRES] = {"centres=kmeans-y width=1 firing=product", "centres=kmeans-y width=0.5 firing=mean",
                 "centres=fcm width=1 firing=product", "centres=fcm width=0.5 firing=mean",
                 "centres=tree width=2 firing=product"},
    {"l2=0.0001", "l2=0.001", "l2=0.01", "l2=0.1"},
    {"noise=0", "noise=0.05", "noise=0.1", "noise=0.2"},
    {"drop=none keep=1", "drop=rule keep=0.7", "drop=rule keep=0.5"},
};
enum { LARGE_ROWS = 20000, MAX_PAIRS = 4 };
static const sg_hyperparams default_hyperparams = {{2, 0, 0, 2, 1, 0}};

/* Reads the next "name=value" from *text and moves *text past it. Returns false at the end. */
static bool next_pair(const char **text, char *name, char *value)
{
    int used = 0;
    if (sscanf(*text, " %31[^=]=%31s%n", name, value, &used) != 2) return false;
    *text += used;
    return true;
}

static bool user_sets_all(const sg_options *user, size_t f)
{
    char name[32], value[32];
    const char *text = factor[f][0];
    while (next_pair(&text, name, value))
        if (!sg_options_is_set(user, name)) return false;
    return true;
}

/* Returns whether a factor applies: centres apply only to clusters, and quantile scaling cannot be combined with
 * principal components. */
static bool factor_applies(const sg_search_config *c, size_t f)
{
    if (f == RULES || f == CENTRES) return c->is_cluster;
    return f != SCALE || (!c->uses_pca && !c->is_unscaled);
}

size_t sg_student_rules(const sg_search_space *space)
{
    return space->config.rules ? space->config.rules : SG_SEARCH_MAX_RULES;
}

/* Writes those of 1/8, 1/4, 1/2 and all of the maximum number of rules that leave at least eight rows per rule. Returns
 * how many levels were written. */
static size_t find_rule_levels(sg_search_space *space, size_t rows)
{
    size_t most = sg_student_rules(space), n = 0;
    for (size_t divisor = 8; divisor; divisor /= 2) {
        size_t rules = most / divisor;
        if (rules >= 2 && rules <= rows / 8) space->rules[n++] = rules;
    }
    if (n == 0) space->rules[n++] = most < rows / 8 ? most : rows / 8;
    return n;
}

sg_search_space sg_search_space_init(const sg_options *user, size_t rows, size_t numeric_inputs)
{
    size_t pairs = numeric_inputs * (numeric_inputs - (numeric_inputs > 0)) / 2;
    sg_search_space space = {.user = user,
                             .pairs = pairs < MAX_PAIRS ? pairs : MAX_PAIRS,
                             .config = sg_search_config_parse(user),
                             .is_large = rows > LARGE_ROWS};
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++) {
        while (factor[f][space.level_count[f]]) space.level_count[f]++;
        if (!factor_applies(&space.config, f) || (f != RULES && user_sets_all(user, f))) space.level_count[f] = 1;
    }
    size_t n = find_rule_levels(&space, rows);
    if (space.level_count[RULES] > 1) space.level_count[RULES] = n;
    return space;
}

sg_hyperparams sg_hyperparams_default(const sg_search_space *space)
{
    sg_hyperparams h = default_hyperparams;
    if (space->is_large) h.level[RULES] = SG_FACTOR_MAX_LEVELS;
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++)
        if (h.level[f] >= space->level_count[f]) h.level[f] = (unsigned char)(space->level_count[f] - 1);
    return h;
}

void sg_hyperparams_design(const sg_search_space *space, uint64_t seed, size_t count, sg_hyperparams *out)
{
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++) {
        sg_random_stream random = sg_random_stream_at(seed, SG_RANDOM_SEARCH_SPACE, (uint32_t)f, 0);
        for (size_t i = 0; i < count; i++) out[i].level[f] = (unsigned char)(i % space->level_count[f]);
        for (size_t i = count; i > 1; i--) {
            size_t j = (size_t)sg_random_stream_below(&random, i);
            unsigned char level = out[i - 1].level[f];
            out[i - 1].level[f] = out[j].level[f];
            out[j].level[f] = level;
        }
    }
}

void sg_hyperparams_format(const sg_search_space *space, const sg_hyperparams *h, char *out, size_t size)
{
    char name[32], value[32];
    int used = space->config.is_cluster ? snprintf(out, size, "rules=%zu", space->rules[h->level[RULES]]) : 0;
    for (size_t f = RULES + 1; f < SG_SEARCH_FACTORS; f++) {
        const char *text = factor[f][h->level[f]];
        while (factor_applies(&space->config, f) && next_pair(&text, name, value)) {
            if (used < 0 || (size_t)used >= size) return;
            if (sg_options_is_set(space->user, name) || strcmp(name, "width") == 0) continue;
            used += snprintf(out + used, size - (size_t)used, "%s%s=%s", used ? " " : "", name, value);
        }
    }
}

/* --- options of trainings --- */

typedef struct option_value {
    const char *name, *value;
} option_value;

static sg_status set_options(sg_options *o, const option_value *set, size_t n)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) st = sg_options_set(o, set[i].name, set[i].value);
    return st;
}

static sg_status set_unless_given(const sg_options *user, const char *name, const char *value, sg_options *o)
{
    return sg_options_is_set(user, name) ? SG_OK : sg_options_set(o, name, value);
}

static sg_status set_integer(sg_options *o, const char *name, size_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", value);
    return sg_options_set(o, name, text);
}

sg_status sg_hyperparams_to_options(const sg_search_space *space, const sg_hyperparams *h, sg_options **out)
{
    char name[32], value[32];
    sg_status st = sg_options_clone(space->user, out);
    for (size_t f = RULES + 1; st == SG_OK && f < SG_SEARCH_FACTORS; f++) {
        const char *text = factor[f][h->level[f]];
        while (st == SG_OK && factor_applies(&space->config, f) && next_pair(&text, name, value))
            st = set_unless_given(space->user, name, value, *out);
    }
    if (st == SG_OK && space->config.is_cluster) st = set_integer(*out, "rules", space->rules[h->level[RULES]]);
    if (st == SG_OK && space->is_large) st = set_unless_given(space->user, "batch", "256", *out);
    return st == SG_OK ? sg_options_set(*out, "threads", "1") : st;
}

sg_status sg_student_options(const sg_search_space *space, size_t rules, bool is_added, sg_options **out)
{
    static const option_value set[] = {{"centres", "kmeans-y"}, {"width", "1"},  {"firing", "product"},
                                       {"l2", "0.00001"},       {"noise", "0"},  {"drop", "none"},
                                       {"batch", "256"},        {"rate", "0.05"}};
    sg_hyperparams defaults = sg_hyperparams_default(space);
    sg_status st = sg_hyperparams_to_options(space, &defaults, out);
    for (size_t i = 0; st == SG_OK && i < sizeof set / sizeof *set; i++)
        st = set_unless_given(space->user, set[i].name, set[i].value, *out);
    if (st == SG_OK && space->level_count[SCALE] > 1) st = sg_options_set(*out, "scale", "quantile");
    if (st == SG_OK && space->is_large && space->config.allows_low_rank) st = sg_options_set(*out, "low-rank", "3");
    if (st == SG_OK && is_added) st = sg_options_set(*out, "clip", "none");
    return st == SG_OK ? set_integer(*out, "rules", rules) : st;
}

sg_status sg_curve_options(const sg_search_space *space, bool has_pairs, bool is_student, sg_options **out)
{
    const option_value set[] = {{"preset", has_pairs ? "additive-pairs" : "additive"}, {"threads", "1"}};
    sg_status st = sg_options_clone(space->user, out);
    if (st == SG_OK) st = set_options(*out, set, sizeof set / sizeof *set);
    if (st == SG_OK && has_pairs) st = set_integer(*out, "pairs", space->pairs);
    return st == SG_OK && is_student ? sg_options_set(*out, "clip", "none") : st;
}

sg_status sg_ridge_options(const sg_options *o, sg_options **out)
{
    static const option_value set[] = {{"structure", "linear"}, {"rules", "0"}, {"low-rank", "0"}, {"threads", "1"}};
    sg_status st = sg_options_clone(o, out);
    if (st == SG_OK) st = set_options(*out, set, sizeof set / sizeof *set);
    if (st == SG_OK && sg_options_equals(o, "scale", "quantile")) st = sg_options_set(*out, "scale", "zscore");
    return st;
}

sg_status sg_tree_base_options(const sg_options *o, sg_options **out)
{
    static const option_value set[] = {{"effects", ""}, {"clip", "none"}};
    sg_status st = sg_ridge_options(o, out);
    return st == SG_OK ? set_options(*out, set, sizeof set / sizeof *set) : st;
}

/* A learning rate of nearly 0 keeps the initial consequents, which are those of ridge regression. */
sg_status sg_ridge_interval_options(const sg_options *o, sg_options **out)
{
    static const char *const same[] = {"mf", "target", "loss", "pca", "start", "clip"};
    static const option_value set[] = {{"preset", "mbgd-rda"}, {"iters", "1"}, {"rate", "1e-12"}, {"intervals", "5"}};
    sg_status st = sg_ridge_options(o, out);
    for (size_t i = 0; st == SG_OK && i < sizeof same / sizeof *same; i++)
        st = sg_options_set(*out, same[i], sg_options_text(o, same[i]));
    return st == SG_OK ? set_options(*out, set, sizeof set / sizeof *set) : st;
}

sg_status sg_trial_options(const sg_options *o, size_t steps, sg_options **out)
{
    sg_status st = sg_options_clone(o, out);
    return st == SG_OK ? set_integer(*out, "iters", steps ? steps : 1) : st;
}

sg_status sg_options_add_seed(const sg_options *o, uint64_t seed, sg_options **out)
{
    char text[32];
    double most = 9007199254740991.0, sum = sg_options_real(o, "seed") + (double)seed;
    snprintf(text, sizeof text, "%.0f", sum > most ? sum - most : sum);
    sg_status st = sg_options_clone(o, out);
    return st == SG_OK ? sg_options_set(*out, "seed", text) : st;
}

sg_status sg_fold_options(const sg_options *o, size_t folds, size_t threads, sg_options **out)
{
    size_t least = 1 << 20, share = sg_options_bytes(o, "memory") / (threads < folds ? threads : folds);
    sg_status st = sg_options_clone(o, out);
    if (st == SG_OK) st = set_integer(*out, "memory", share < least ? least : share);
    return st == SG_OK ? sg_options_set(*out, "threads", "1") : st;
}

const char sg_option_effects[] = "effects", sg_option_low_rank[] = "low-rank";

sg_status sg_options_set_clamp(sg_options *o) { return sg_options_set(o, "limit", "range"); }

bool sg_record_set_options(const sg_options *user, sg_record *r)
{
    bool ok = true;
    for (size_t i = 0; ok && i < r->entries; i++) {
        const char *value = sg_options_get(user, r->entry[i].name);
        if (value) ok = sg_record_set(r, r->entry[i].name, value);
    }
    return ok;
}
