/* record.c: see record.h. */
#include "train/record.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void sg_curve_init(sg_curve *c, size_t iterations)
{
    *c = (sg_curve){.every = (iterations + 99) / 100};
}

void sg_curve_add(sg_curve *c, size_t iteration, bool last, double train, double valid)
{
    if (!last && iteration != 1 && iteration % c->every != 0) return;
    if (c->points == SG_CURVE_POINTS) return;
    if (isnan(valid) && c->points) valid = c->point[c->points - 1].valid;
    c->point[c->points++] = (sg_point){iteration, train, valid};
}

static bool add_number(sg_record *r, const char *name, double value)
{
    char buf[SG_NUMBER_SIZE];
    return sg_record_add(r, name, sg_number_shortest(value, buf), true);
}

static bool add_option(sg_record *r, const sg_options *o, const sg_option *row)
{
    bool number = row->type == SG_OPTION_INTEGER || row->type == SG_OPTION_REAL;
    return sg_record_add(r, row->name, sg_options_text(o, row->name), number);
}

sg_status sg_record_start(sg_record *r, const sg_options *o, const sg_prepared *p)
{
    char hash[20];
    size_t n;
    const sg_option *table = sg_option_table(&n);
    snprintf(hash, sizeof hash, "%016" PRIx64, p->fingerprint);
    bool ok = sg_record_add(r, "version", SG_VERSION, false);
    for (size_t i = 0; ok && i < n; i++)
        if (table[i].group == SG_GROUP_MODEL || table[i].group == SG_GROUP_TRAIN ||
            strcmp(table[i].name, "weights") == 0)
            ok = add_option(r, o, &table[i]);
    ok = ok && add_number(r, "rows", (double)p->rows) && sg_record_add(r, "data", hash, false) &&
         add_number(r, "target_deviation", p->deviation);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the training record");
}

sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse,
                           const sg_curve *c)
{
    bool ok = add_number(r, "iterations", (double)iterations) &&
              add_number(r, "best_iteration", (double)best) &&
              (isnan(valid_rmse) || add_number(r, "valid_rmse", valid_rmse));
    for (size_t i = 0; ok && i < c->points; i++)
        ok = sg_record_point(r, c->point[i].iteration, c->point[i].train, c->point[i].valid);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the training record");
}
