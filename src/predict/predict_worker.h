/* predict_worker.h: a model with everything that one thread needs to predict rows. */
#pragma once

#include "kernel/model_engine.h"
#include "rows/chunk_loader.h"

typedef struct sg_predict_worker {
    const sg_model *model;
    sg_engine engine;
    sg_chunk_loader loader;
    bool has_theta;     /* the engine has loaded the current theta; for callers that change theta */
    double *additive;   /* (outputs, SG_PITCH): sum of the additive part; NULL if the model has none */
    double *raw, *y;    /* optional buffers for rows of a source and their predictions            */
    const double *rows; /* the current rows: in raw, or in memory that belongs to the source      */
} sg_predict_worker;

/* Creates the engine and the loader, and loads the model's current theta. */
sg_status sg_predict_worker_init(sg_predict_worker *w, const sg_model *m, const char *precision);
/* Allocates raw (rows, columns) and y (rows, outputs). */
sg_status sg_predict_worker_alloc_rows(sg_predict_worker *w, size_t rows, size_t columns);
void sg_predict_worker_release(sg_predict_worker *w);
/* Loads the model's current theta. Call it after theta has changed. */
void sg_predict_worker_load_theta(sg_predict_worker *w);
/* Predicts y (n, outputs) for a loaded chunk. */
void sg_predict_worker_run_chunk(sg_predict_worker *w, const sg_chunk *c, double *y);
/* Predicts y (n, outputs) for any number of rows in original units, which are passed as to sg_chunk_loader_load. */
void sg_predict_worker_run(sg_predict_worker *w, const double *rows, size_t stride, const size_t *column, size_t n,
                           double *y);
