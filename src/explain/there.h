/* there.h: where predictions go on the rows that a rule governs. */
#ifndef SG_EXPLAIN_THERE_H
#define SG_EXPLAIN_THERE_H

#include "explain/findings.h"

/* An input of numbers, and how predictions move with it there. */
typedef struct sg_movement {
    size_t input;
    double net;
    sg_direction direction;
    bool unlike; /* over all rows it goes the other way */
} sg_movement;

typedef struct sg_there {
    double *mean;          /* (outputs): what is predicted                                          */
    sg_movement *movement; /* (outputs, inputs): of each output those that are told come first      */
    size_t *told;          /* (outputs): how many are: a few that move predictions most, and are clear */
} sg_there;

sg_status sg_there_find(sg_there *t, sg_findings *f, const sg_governor *g);
void sg_there_release(sg_there *t);

#endif
