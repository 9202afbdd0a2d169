/* team_view.h: whether the members of a team see the same data, and which rows of it are whose. All members call
 * these at the same time, and all get the same status. */
#ifndef SG_DATA_TEAM_VIEW_H
#define SG_DATA_TEAM_VIEW_H

#include "data/member.h"

#include <stdbool.h>

/* The same columns, by name and place, as member 0; and the same levels of those that hold words. */
sg_status sg_team_same_columns(const sg_team *t, const sg_source *mine, bool levels);
/* As many rows as member 0 in each of the files. */
sg_status sg_team_same_rows(const sg_team *t, const sg_source *files, size_t count);

/* The same values as member 0 in some rows of each of the files, which have the same shape. */
sg_status sg_team_same_values(const sg_team *t, const sg_source *files, size_t count);

/* Rows that all see are shared out. */
sg_share sg_share_out(const sg_team *t, size_t rows);
/* Each has some of its own, in the order of ranks. */
sg_status sg_share_own(const sg_team *t, size_t mine, sg_share *out);

#endif
