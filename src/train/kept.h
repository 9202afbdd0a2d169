/* kept.h: training rows as a gradient needs them: what antecedents and consequents see, targets in their
 * transformed units, weights.
 *
 * They are transformed once and kept, row by row and in whole cache lines for the usual widths, since a
 * batch takes them in any order; where they would need much memory they are read and transformed each
 * time. Both ways give the same bits. */
#ifndef SG_TRAIN_KEPT_H
#define SG_TRAIN_KEPT_H

#include "data/borrowed.h"
#include "kernel/feed.h"
#include "train/roles.h"

typedef struct sg_kept {
    const sg_model *model;
    const sg_source *source;
    const sg_roles *columns;
    double weight_scale;  /* weights are multiplied by this */
    size_t width;         /* numbers of a row: a, z where it is not a, targets, the weight if there is one */
    double *row;          /* (rows that are here, width rounded up to a multiple of 4); NULL: not kept */
    size_t first;         /* the first of these */
    sg_borrowed borrowed; /* where the rows are a team's */
    double *fill;         /* (width of a): what it is for the mean, where kept rows have NaN; NULL: nowhere */
} sg_kept;

/* What a thread has taken of them. */
typedef struct sg_taken {
    sg_feed feed;
    double *raw;     /* (SG_CHUNK, columns of the source); NULL: not needed */
    double *ones;    /* (SG_PITCH), where rows have no weights              */
    const double *t; /* (outputs, SG_PITCH): targets                        */
    const double *w; /* (SG_PITCH): weights                                 */
} sg_taken;

/* Rows are kept where they take at most `most` bytes and there is memory. */
sg_status sg_kept_init(sg_kept *k, const sg_model *m, const sg_source *source, const sg_roles *columns,
                       double weight_scale, const sg_tools *tools, size_t most);
void sg_kept_release(sg_kept *k);

sg_status sg_taken_init(sg_taken *t, const sg_kept *k, const sg_tools *tools);
void sg_taken_release(sg_taken *t);
/* n <= SG_CHUNK rows of the batch, from position `first` on: t->feed.chunk, t->t, t->w. rows are the numbers of
 * the batch's rows, NULL where it is all rows. Allocates nothing. */
sg_status sg_taken_take(sg_taken *t, const sg_kept *k, const size_t *rows, size_t first, size_t n);

#endif
