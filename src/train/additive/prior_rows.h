/* prior_rows.h: represents the rows that an additive model was trained on, as far as the model describes them.
 *
 * The model stores the share of the rows in each cell of its curves. With independent inputs that are at knots, this
 * gives the Gram matrix of the regressors. This matrix stands for the earlier rows when the model is updated. */
#pragma once

#include "model/additive.h"

/* Writes to gram (columns, columns) the lower triangle of the mean of phi phi' over the rows. Returns false if memory
 * is exhausted. The shares of all curves must be known. */
bool sg_prior_rows_gram(const sg_additive *s, double *gram);
