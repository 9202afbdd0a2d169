/* rule_trends.h: where predictions go on the rows that a rule governs. */
#ifndef SG_EXPLAIN_GLOBAL_RULE_TRENDS_H
#define SG_EXPLAIN_GLOBAL_RULE_TRENDS_H

#include "explain/global/centroid_pd.h"

/* An input of numbers, and how predictions move with it there. */
typedef struct sg_input_trend {
    size_t input;
    double net_change;
    sg_trend trend;
    bool opposes_global; /* over all rows it goes the other way */
} sg_input_trend;

typedef struct sg_rule_trends {
    double *mean;          /* (outputs): what is predicted                                          */
    sg_input_trend *trend; /* (outputs, inputs): of each output those that are told come first      */
    size_t *shown;         /* (outputs): how many are: a few that move predictions most, and are clear */
} sg_rule_trends;

sg_status sg_rule_trends_find(sg_rule_trends *t, sg_centroid_pd *f, const sg_ranked_rule *g);
void sg_rule_trends_release(sg_rule_trends *t);

#endif
