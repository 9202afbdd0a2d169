/* duplicate_inputs.h: finds inputs that repeat other inputs, so that their curves would not be unique. */
#pragma once

#include "base/thread/thread_pool.h"
#include "train/fit/preprocess.h"

/* Marks in duplicate (inputs of the model) each input that has the same values in all rows as an earlier input, and
 * sends a notice about it. x (n, features + 1) is a sample of the rows in original units, with NaN for missing values;
 * the last value of each row is not used. Collective if the source is distributed; all ranks must have the same
 * sample. */
sg_status sg_duplicate_inputs_find(const sg_options *notices, const sg_source *s, const sg_preprocessed *p,
                                   const double *x, size_t n, sg_thread_pool *pool, bool *duplicate);
