/* training_record.c: writes the training record of a model and thins its learning curve. */
#include "train/trainer.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void sg_learning_curve_init(sg_learning_curve *c, size_t iterations)
{
    *c = (sg_learning_curve){.every = (iterations + 99) / 100};
}

void sg_learning_curve_add(sg_learning_curve *c, size_t iteration, bool last, double train, double valid)
{
    if (!last && iteration != 1 && iteration % c->every != 0) return;
    if (c->points == SG_LEARNING_CURVE_POINTS) return;
    if (isnan(valid) && c->points) valid = c->point[c->points - 1].valid;
    c->point[c->points++] = (sg_curve_point){iteration, train, valid};
}

static bool add_number(sg_record *r, const char *name, double value)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    return sg_record_add(r, name, sg_number_format_shortest(value, buf), true);
}

/* Records the value in force: --scale may change the values of --pca and --target. */
static bool add_option(sg_record *r, const sg_train_config *config, const sg_option *row)
{
    const sg_options *o = config->options;
    bool number = (row->type == SG_OPTION_INTEGER || row->type == SG_OPTION_REAL) &&
                  !sg_options_equals(o, row->name, "none") && !sg_options_equals(o, row->name, "auto");
    if (strcmp(row->name, "pca") == 0) return add_number(r, row->name, (double)config->preprocess.pca);
    bool target = strcmp(row->name, "target") == 0;
    return sg_record_add(r, row->name,
                         target ? sg_target_transform_name(config->preprocess.target) : sg_options_text(o, row->name),
                         number);
}

static bool set_number(sg_record *r, const char *name, double value)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    return sg_record_set(r, name, sg_number_format_shortest(value, buf));
}

enum { HASH_SIZE = 20 };

static const char *hash_text(uint64_t fingerprint, char buf[HASH_SIZE])
{
    snprintf(buf, HASH_SIZE, "%016" PRIx64, fingerprint);
    return buf;
}

static bool add_data(sg_record *r, const char *rows_name, size_t rows, const char *hash_name, uint64_t fingerprint)
{
    char hash[HASH_SIZE];
    return add_number(r, rows_name, (double)rows) && sg_record_add(r, hash_name, hash_text(fingerprint, hash), false);
}

sg_status sg_record_add_validation(sg_record *r, size_t rows, uint64_t fingerprint)
{
    bool ok = add_data(r, "valid_rows", rows, "valid_data", fingerprint);
    return ok ? SG_OK : sg_fail_out_of_memory("the training record");
}

/* The options of additive models do not concern other models. */
static bool is_recorded(const sg_train_config *config, const sg_option *row)
{
    static const char *const additive[] = {"pairs", "monotone", "smoothing"};
    for (size_t i = 0; i < sizeof additive / sizeof *additive; i++)
        if (strcmp(row->name, additive[i]) == 0) return config->additive.is_additive;
    return row->group == SG_OPTION_GROUP_MODEL || row->group == SG_OPTION_GROUP_TRAIN ||
           strcmp(row->name, "weights") == 0;
}

sg_status sg_record_start(sg_record *r, const sg_train_config *config, const sg_preprocessed *p)
{
    size_t n;
    const sg_option *table = sg_option_table(&n);
    bool ok = sg_record_add(r, "version", SG_VERSION, false);
    for (size_t i = 0; ok && i < n; i++)
        if (is_recorded(config, &table[i])) ok = add_option(r, config, &table[i]);
    ok = ok && add_data(r, "rows", p->rows, "data", p->fingerprint) &&
         add_number(r, "target_deviation", p->pooled_target_sigma);
    return ok ? SG_OK : sg_fail_out_of_memory("the training record");
}

sg_status sg_record_set_data(sg_record *r, const sg_preprocessed *p)
{
    char hash[HASH_SIZE];
    bool ok = set_number(r, "rows", (double)p->rows) && sg_record_set(r, "data", hash_text(p->fingerprint, hash)) &&
              set_number(r, "target_deviation", p->pooled_target_sigma);
    return ok ? SG_OK : sg_fail_out_of_memory("the training record");
}

sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse, const sg_learning_curve *c)
{
    bool ok = add_number(r, "iterations", (double)iterations) && add_number(r, "best_iteration", (double)best) &&
              (!isfinite(valid_rmse) || add_number(r, "valid_rmse", valid_rmse));
    for (size_t i = 0; ok && i < c->points; i++)
        ok = sg_record_add_point(r, c->point[i].iteration, c->point[i].train, c->point[i].valid);
    return ok ? SG_OK : sg_fail_out_of_memory("the training record");
}
