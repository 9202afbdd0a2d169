/* committee.h: several models that answer together. */
#ifndef SG_AUTO_COMMITTEE_H
#define SG_AUTO_COMMITTEE_H

#include "auto/candidate.h"

/* weight (count): how much each candidate shall count, by greedy choice on rows left out: a member at a time is added,
 * the one with which the mean errs least, and one may come again. *error: of the committee, as a candidate's. */
sg_status sg_committee_choose(const sg_ground *g, const sg_candidate *c, size_t count, double *weight, double *error);
/* The same, for a committee that need not be small: the mean of what is chosen by different halves of the rows, which
 * is less a matter of luck. */
sg_status sg_committee_blend(const sg_ground *g, const sg_candidate *c, size_t count, double *weight, double *error);

/* One of the two. */
typedef struct sg_member {
    sg_model *model;
    sg_boost *boost;
    size_t trees; /* so many of the boost's count */
    double weight;
} sg_member;
typedef struct sg_committee {
    size_t members, room;
    sg_member *member;
} sg_committee;
/* Takes the member over, also on failure. */
sg_status sg_committee_add(sg_committee *c, const sg_member *m);
void sg_committee_release(sg_committee *c);
/* y: (rows, outputs), within the range of the ground's. */
sg_status sg_committee_predict(const sg_committee *c, const sg_ground *g, const sg_source *rows, double *y);

/* The work of that, nearly, in nanoseconds. */
size_t sg_committee_cost(const sg_committee *c, size_t rows);
/* The part's own of a candidate joins: what it was when it had not seen the part. The trees stay the candidate's. */
sg_status sg_candidate_join(const sg_candidate *c, size_t part, double weight, sg_committee *to);
/* The candidate trained anew; the member's weight stays as it is. */
sg_status sg_candidate_again(const sg_candidate *c, const sg_ground *g, const sg_source *rows, uint64_t seed,
                             sg_watch *w, sg_member *out);

/* What it says as one model; its members were trained on the same rows, and effects, where some have them, are the
 * same. */
sg_status sg_committee_model(const sg_committee *c, sg_model **out);

#endif
