/* additive_fit.h: penalised least squares for the consequents of an additive part, given the sums of additive_sums.h.
 *
 * A smoothing penalty on each curve and pair makes neighbouring consequents lie on a line; levels of a category are
 * shrunk towards 0. The strength of each penalty is estimated by restricted maximum likelihood, with the iteration of
 * Fellner and Schall (Wood and Fasiolo, "A generalized Fellner-Schall method for smoothing parameter optimization",
 * Biometrics 73(4), 2017), and multiplied by a common factor that is chosen by cross-validation, which keeps groups of
 * rows together. All pairs share one strength, also chosen by cross-validation: with many pairs, individual ones
 * overfit. */
#pragma once

#include "train/additive/additive_sums.h"

/* An element of the lower triangle of a symmetric matrix. */
typedef struct sg_penalty_element {
    uint32_t row, column;
    double value;
} sg_penalty_element;

/* The penalty of a curve or a pair. */
typedef struct sg_penalty {
    size_t first, columns; /* its columns among the regressors                        */
    size_t rank;           /* number of penalised directions                          */
    double lambda;         /* strength                                                */
    double most;           /* the largest strength that leaves the equations solvable */
    sg_penalty_element *element;
    size_t elements;
} sg_penalty;

typedef struct sg_additive_fit {
    const sg_additive *layout;
    const sg_additive_sums *sums;
    size_t n; /* columns */
    size_t penalties;
    sg_penalty *penalty;  /* (curves + pairs)                                                        */
    double *coefficients; /* (n, outputs), in the units of the transformed targets                   */
    double *variance;     /* (outputs): variances of the targets                                     */
    double *noise;        /* (outputs): variance of the residuals                                    */
    double error;         /* cross-validated squared error, relative to the variances of the targets */
    double *output_error; /* (outputs): error of each target, relative to its variance               */
    double fold_error[SG_ADDITIVE_FOLDS], fold_weight[SG_ADDITIVE_FOLDS];
    bool is_constrained;                 /* some curve must be monotone                       */
    double *matrix, *inverse, *solution; /* (n, n), (n, n), (n, outputs): work space       */
    double *factor;  /* (SG_ADDITIVE_FOLDS + 1, n, n): factors of the equations of each fold and of all rows; or NULL */
    size_t factored; /* number of rows of the factors that are known */
} sg_additive_fit;

/* Prepares a fit with penalties of moderate strength. layout and sums must outlive it. */
sg_status sg_additive_fit_init(sg_additive_fit *f, const sg_additive *layout, const sg_additive_sums *sums);
void sg_additive_fit_release(sg_additive_fit *f);
/* Copies the factors of the fit `from`, which must have been solved and cross-validated, and whose columns and
 * penalties must be those of the first columns of f. This saves most of the time that solving and cross-validating f
 * takes. Without `from`, only makes f keep its own factors. Does nothing if the equations are large or if curves must
 * be monotone. */
sg_status sg_additive_fit_reuse_factors(sg_additive_fit *f, const sg_additive_fit *from);

/* Fits the coefficients to all rows. Fails with SG_EDIVERGED if the equations cannot be solved. */
sg_status sg_additive_fit_solve(sg_additive_fit *f);
/* Fits coefficients b (n, outputs) to all rows except those of a fold. */
sg_status sg_additive_fit_solve_without(sg_additive_fit *f, size_t fold, double *b);
/* Computes noise from the cross-validated error. */
void sg_additive_fit_set_noise(sg_additive_fit *f);
/* Computes noise and, in `inverse`, the factor of the inverse of the equations (sg_triangular_inverse), ignoring
 * constraints, for use with sg_inverse_element. The next fit or cross-validation overwrites `inverse`. */
sg_status sg_additive_fit_finish(sg_additive_fit *f);
/* Computes error, fold_error and fold_weight. Folds that contain no rows, or all rows, are left out. error is 1 if no
 * fold is left. */
sg_status sg_additive_fit_cross_validate(sg_additive_fit *f);
/* Improves the strengths of all penalties in `rounds` iterations, ignoring constraints, and sets noise. */
sg_status sg_additive_fit_estimate_lambda(sg_additive_fit *f, size_t rounds);
/* Multiplies the strengths of curves, or those of pairs, by the factor with the smallest cross-validated error, and
 * computes that error. */
sg_status sg_additive_fit_choose_factor(sg_additive_fit *f, bool pairs);
/* Gives all pairs the same strength. */
void sg_additive_fit_set_pair_lambda(sg_additive_fit *f, double lambda);
/* Returns the variance of a curve or pair of the layout over the rows, for output o. `block` is the index of the curve,
 * or the number of curves plus the index of the pair. */
double sg_additive_fit_block_variance(const sg_additive_fit *f, size_t block, size_t o);
/* Returns the standard error of `error` over the folds. */
double sg_additive_fit_standard_error(const sg_additive_fit *f);

/* additive_monotone.c: minimises b'A b / 2 - c'b subject to the constraints of monotone curves and their pairs. a (n,
 * n) holds the lower triangle of a positive definite matrix and is destroyed. b (n, outputs) receives the result, which
 * meets the constraints exactly. */
sg_status sg_monotone_solve(const sg_additive *layout, size_t n, size_t outputs, double *a, const double *c, double *b);
