/* seer.h: a model with all it needs to predict rows; one for each thread. */
#ifndef SG_KERNEL_SEER_H
#define SG_KERNEL_SEER_H

#include "kernel/engine.h"
#include "kernel/feed.h"

typedef struct sg_seer {
    const sg_model *model;
    sg_engine engine;
    sg_feed feed;
} sg_seer;

/* With the model's parameters as they are now. */
sg_status sg_seer_init(sg_seer *s, const sg_model *m, const char *precision);
void sg_seer_release(sg_seer *s);
/* The model's parameters have changed. */
void sg_seer_load(sg_seer *s);
/* Rows that are a chunk already: y (n, outputs). */
void sg_seer_chunk(sg_seer *s, const sg_chunk *c, double *y);
/* Rows in the data's units, as sg_feed_rows takes them, but any number: y (n, outputs). */
void sg_seer_rows(sg_seer *s, const double *rows, size_t stride, const size_t *column, size_t n, double *y);

#endif
