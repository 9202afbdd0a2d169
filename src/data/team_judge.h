/* team_judge.h: members of a team that each read a file of their own judge its columns as if all rows were in one
 * file. All members call these at the same time, and get the same status. */
#ifndef SG_DATA_TEAM_JUDGE_H
#define SG_DATA_TEAM_JUDGE_H

#include "data/store.h"

/* What is known of this member's rows (s->facts, and whether the first column counts them) becomes what is known of
 * all. Fails where members do not read the same columns. */
sg_status sg_team_facts(const sg_team *t, sg_store *s);
/* What has too many words with one member, or with all of them together, has them with all. */
sg_status sg_team_crowded(const sg_team *t, sg_store *s);

#endif
