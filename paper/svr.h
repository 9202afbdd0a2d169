/* svr.h: support vector regression with LIBSVM, the baseline that the paper's authors gave up as
 * too slow. svr.c needs LIBSVM; svr_missing.c stands in for it in a build without. */
#ifndef PAPER_SVR_H
#define PAPER_SVR_H

#include "sugeno.h"

typedef struct svr_fit {
    double C, gamma; /* of the fit */
    double train_rmse, test_rmse;
    double search_seconds, fit_seconds, predict_seconds; /* CPU time of this thread */
} svr_fit;

/* Epsilon-SVR with an RBF kernel. x (n, m) and y (n) are the training rows, inputs standardised
 * already (z-scores or principal components), tx (tn, m) and ty (tn) the test rows. y is
 * standardised inside by training mean and deviation, and epsilon is 0.1 of that; test_rmse is in
 * the units of y. With v the variance of all numbers of x:
 *   search == 0   C = 1, gamma = 1 / (m v), scikit-learn's defaults;
 *   search != 0   C of {1, 10, 100} and gamma of {0.25, 1, 4} / (m v), by 5-fold cross-validation
 *                 inside the training rows, whose folds depend on n and seed only. It takes 45 fits
 *                 more, of four fifths of the rows.
 * A failure leaves out as it was. Several threads may run at the same time. LIBSVM itself does not
 * check its memory: beside these arrays it takes 200 MB for a cache of kernel columns. */
sg_status svr_run(const double *x, const double *y, size_t n, size_t m, const double *tx, const double *ty, size_t tn,
                  int search, unsigned seed, svr_fit *out);

/* "LIBSVM 3.24", the library that runs, or NULL where this build has none. Valid in this thread. */
const char *svr_library(void);

#endif
