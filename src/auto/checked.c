/* checked.c: see checked.h. */
#include "auto/checked.h"

sg_status sg_checked_rows(const sg_options *o, bool zeros, sg_pool *pool, sg_source *rows, sg_roles *roles,
                          sg_subset **usable, sg_prepared *all)
{
    sg_survey survey = {0};
    sg_status st = sg_roles_choose(o, rows, roles);
    if (st == SG_OK) st = sg_survey_rows(rows, roles, pool, &survey);
    if (st == SG_OK) sg_tell_lacking(o, roles, survey.lacking, "");
    bool some = survey.lacking || (survey.zeros && !zeros);
    if (st == SG_OK && some) st = sg_usable_rows(rows, roles, zeros, usable);
    if (*usable) *rows = sg_subset_source(*usable);
    sg_survey_release(&survey);
    *all = (sg_prepared){0};
    return st == SG_OK ? sg_prepare_raw(o, rows, pool, all) : st;
}
