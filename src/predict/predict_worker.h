/* predict_worker.h: a model with all it needs to predict rows; one for each thread. */
#ifndef SG_PREDICT_PREDICT_WORKER_H
#define SG_PREDICT_PREDICT_WORKER_H

#include "kernel/engine.h"
#include "predict/chunk_loader.h"

typedef struct sg_predict_worker {
    const sg_model *model;
    sg_engine engine;
    sg_chunk_loader loader;
} sg_predict_worker;

/* With the model's parameters as they are now. */
sg_status sg_predict_worker_init(sg_predict_worker *s, const sg_model *m, const char *precision);
void sg_predict_worker_release(sg_predict_worker *s);
/* The model's parameters have changed. */
void sg_predict_worker_load_theta(sg_predict_worker *s);
/* Rows that are a chunk already: y (n, outputs). */
void sg_predict_worker_run_chunk(sg_predict_worker *s, const sg_chunk *c, double *y);
/* Rows in the data's units, as sg_chunk_loader_load takes them, but any number: y (n, outputs). */
void sg_predict_worker_run(sg_predict_worker *s, const double *rows, size_t stride, const size_t *column, size_t n,
                           double *y);

#endif
