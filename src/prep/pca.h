/* pca.h: fits the principal component transform. */
#ifndef SG_PREP_PCA_H
#define SG_PREP_PCA_H

#include "prep/pipeline.h"

/* Appends a step with at most max_components principal components to v. gram (n, n) is the Gram matrix of centred rows
 * that sg_gram_add computes. */
sg_status sg_pca_fit(const double *gram, size_t n, size_t max_components, sg_pipeline *v);

#endif
