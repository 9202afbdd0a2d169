/* match_training_rows.h: tells from the fingerprints in a training record whether a model was trained on given rows. */
#pragma once

#include "model/model.h"

typedef enum sg_rows_origin {
    SG_ROWS_UNKNOWN,    /* as many rows as the training data, but not recognised as the training rows */
    SG_ROWS_OTHER,      /* not the training data, although some rows may be in both */
    SG_ROWS_TRAINING,   /* the training rows */
    SG_ROWS_SPLIT,      /* training rows and the validation rows that --valid-fraction split off */
    SG_ROWS_VALIDATION, /* the rows of --valid, on which the best iterate was chosen */
} sg_rows_origin;

/* Reads all rows. weights: as in sg_model_evaluate. */
sg_status sg_rows_find_origin(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                              sg_rows_origin *out);
/* Returns "unknown", "other", "training", "split" or "validation". */
const char *sg_rows_origin_name(sg_rows_origin origin);
