/* member.h: the rows of a dataset that lie with this member of a team, as a source of them all. */
#ifndef SG_DATA_MEMBER_H
#define SG_DATA_MEMBER_H

#include "data/common_levels.h"
#include "data/source.h"

typedef struct sg_member sg_member;

/* What a member has of all the team's rows: [first, first + here) of `rows`. */
typedef struct sg_share {
    const sg_team *team;
    size_t rows, first, here;
} sg_share;

/* Row s->first of the team is row `at` of `of`, which must outlive it as the team must. */
sg_status sg_member_new(const sg_share *s, const sg_source *of, size_t at, sg_member **out);
/* Codes of categories are then those of c, of which this member is part s->team->rank. Takes c over. */
void sg_member_code(sg_member *m, sg_common_levels *c);
sg_source sg_member_source(const sg_member *m);
void sg_member_free(sg_member *m);

#endif
