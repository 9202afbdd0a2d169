/* prepare_rows.c: see prepare_rows.h. */
#include "auto/search/prepare_rows.h"

sg_status sg_prepare_usable_rows(const sg_options *o, bool zeros, sg_thread_pool *pool, sg_source *rows,
                                 sg_column_roles *roles, sg_subset **usable, sg_preprocessed *all)
{
    sg_column_stats survey = {0};
    sg_status st = sg_column_roles_from_options(o, rows, roles);
    if (st == SG_OK) st = sg_column_stats_compute(rows, roles, pool, &survey);
    if (st == SG_OK) sg_notify_incomplete_rows(o, roles, survey.incomplete, "");
    bool some = survey.incomplete || (survey.zero_weight && !zeros);
    if (st == SG_OK && some) st = sg_complete_rows(rows, roles, zeros, usable);
    if (*usable) *rows = sg_subset_source(*usable);
    sg_column_stats_release(&survey);
    *all = (sg_preprocessed){0};
    return st == SG_OK ? sg_preprocess_fit_raw(o, rows, pool, all) : st;
}
