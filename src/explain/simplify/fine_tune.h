/* fine_tune.h: gradient steps that make a simplified model predict like the original one. */
#pragma once

#include "explain/simplify/refit_and_score.h"

/* What fine-tuning may do. */
typedef struct sg_tuning {
    size_t steps;  /* number of steps of Adam; fewer if the model is large */
    bool all_rows; /* also use the probe rows                              */
    bool widens;   /* an L1 penalty widens membership functions, so that those that matter little vanish;
                      affects only kinds with inverse widths               */
    uint64_t seed;
} sg_tuning;

/* Tunes all parameters of m. The targets are predictions of f->model, for the rows and for mixtures of two of them. The
 * result is reproducible for a seed. */
sg_status sg_refit_data_fine_tune(const sg_refit_data *f, sg_model *m, const sg_tuning *how);
