/* ground.h: the rows that a search works on, in memory: all that can be trained on, or some of them that are spread
 * evenly; and the parts in which it validates. */
#ifndef SG_AUTO_GROUND_H
#define SG_AUTO_GROUND_H

#include "auto/desk.h"
#include "train/roles.h"

/* Trains on some rows and looks at the others. */
typedef struct sg_part {
    sg_subset *in, *out;
    sg_source train, valid;
    size_t *row; /* of the ground, that `valid` holds */
} sg_part;

typedef struct sg_ground {
    sg_desk desk;
    sg_roles roles;
    size_t outputs, inputs;
    size_t features; /* what inputs become: levels of categories are one each */
    size_t rows;
    bool *category;                /* (inputs)                                    */
    double *y;                     /* (rows, outputs)                             */
    double *weight;                /* (rows)                                      */
    double *low, *high, *variance; /* (outputs): of y                */
    bool whole;                    /* no row of the source is missing here        */
    size_t parts;
    sg_part *part;
} sg_ground;

/* `of` must hold usable rows only, and outlive it. Collective for rows of a team, all of whose members get the same. */
sg_status sg_ground_init(sg_ground *g, const sg_options *o, const sg_source *of);
/* Folds: rows whose inputs are alike lie in the same, or those that are alike in the column of --group. SG_EDATA: there
 * are fewer kinds of rows than folds. */
sg_status sg_ground_fold(sg_ground *g, const sg_options *o, size_t folds, uint64_t seed);
void sg_ground_release(sg_ground *g);

/* The row of its source that one of its rows is. */
size_t sg_ground_row(const sg_ground *g, size_t row);
/* Predictions as they count: within the range of y, and so much more as --clip says. */
void sg_ground_clip(const sg_ground *g, double *y, size_t rows);
/* Sum of squared errors of y (outputs) for a row, each in the target's variance, times the row's weight. */
double sg_ground_error(const sg_ground *g, size_t row, const double *y);

#endif
