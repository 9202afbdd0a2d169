/* pca.h: fitting principal components. */
#ifndef SG_PREP_PCA_H
#define SG_PREP_PCA_H

#include "prep/pipeline.h"

/* Appends the step of at most `most` principal components to v, from the Gram matrix (n, n) of
 * centred rows as sg_gram_add makes it. */
sg_status sg_pca_fit(const double *gram, size_t n, size_t most, sg_pipeline *v);

#endif
