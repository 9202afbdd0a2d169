/* kernel.h: the interface of kernels, which compute a block's outputs and gradient for a chunk of rows.
 *
 * The table contains the readable reference kernel and the fast kernels, whose source is written once (in fast/) and
 * compiled for each instruction set and precision. All fast kernels of one precision give bit-identical results. */
#pragma once

#include "model/dropout_mask.h"

/* The maximum number of rows per chunk, and the stride between features, which is not a multiple of a large power of
 * two so that features map to different cache sets. */
enum { SG_CHUNK = 128, SG_PITCH = 136 };

/* Rows stored by column: feature k of row i is at k * SG_PITCH + i. Rows from n to the next multiple of 8 repeat the
 * last row. */
typedef struct sg_chunk {
    size_t n;
    const double *a, *z; /* (inputs, SG_PITCH), (terms, SG_PITCH); z == a if the pipeline is shared */
    /* (inputs, SG_PITCH): 1 if an input is missing, otherwise 0; NULL if none is. For missing inputs, a and z hold the
     * mean, so a chunk has no NaN. */
    const double *missing;
    sg_feature_columns features; /* for the additive part; x is NULL if the chunk has none */
} sg_chunk;

/* The rules, MFs or memberships that are kept for each row of a chunk; see dropout_mask.h. bits is (n, words), or NULL
 * if all are kept. */
typedef struct sg_dropout_bits {
    const uint32_t *bits;
    size_t words;
} sg_dropout_bits;

/* Parameters of one step of the Adam family. */
typedef struct sg_adam {
    double rate, epsilon, beta1, beta2;
    double bias_correction1, bias_correction2; /* corrections for the initialisation of the moments with 0 */
    double low, high;                          /* bounds on the rate */
    bool belief;                               /* AdaBelief: the second moment is that of g - m */
    bool f32_rates;                            /* compute rates in float; moments and theta stay double */
} sg_adam;

/* Vector operations of an instruction set, in double, for kernels of both precisions. */
typedef struct sg_vector_ops {
    /* Transposes rows into the columns x (see sg_chunk_loader_load). Returns false if no value is NaN. */
    bool (*load_columns)(const sg_model *m, const double *rows, size_t stride, const size_t *column, size_t n,
                         double *x);
    /* Applies the model's pipelines to n rows. */
    void (*transform)(const sg_model *m, size_t n, const double *x, double *a, double *z, double *scratch);
    /* Transposes rows of `width` values; `width` must be a multiple of 4. Value k of row index[i] (or row i if index is
     * NULL) goes to column[k * SG_PITCH + i]. Rows from n to the next multiple of 8 repeat the last row. */
    void (*transpose)(const double *rows, size_t width, const size_t *index, size_t n, double *column);
    /* Computes out_grad = w (y - t) for n rows with weights w, and 0 from n to the next multiple of 8. Returns the sum
     * of w (y - t)^2. */
    double (*residuals)(size_t n, const double *y, const double *t, const double *w, double *out_grad);
    /* Computes y = mean + scale x, clamped to [low, high]. Both bounds are finite. */
    void (*denormalise)(size_t n, double mean, double scale, double low, double high, const double *x, double *y);
    /* Adds lambda (x - l2_center) to grad. lambda and l2_center have 8 * period elements, which repeat. Returns the sum
     * of lambda (x - l2_center)^2. */
    double (*l2_gradient)(size_t n, size_t period, const double *lambda, const double *l2_center, const double *x,
                          double *grad);
    /* Performs one step on n parameters and stores the old theta in grad. Returns the sum of the rates. */
    double (*adam)(const sg_adam *s, size_t n, double *grad, double *theta, double *m, double *v);
    /* Returns whether all n numbers are within +-limit and none is NaN. */
    bool (*all_within)(size_t n, const double *x, double limit);
} sg_vector_ops;

typedef struct sg_kernel {
    const char *name;
    const char *precision;
    size_t lanes; /* rows per vector */
    const sg_vector_ops *ops;
    bool (*is_supported)(void); /* by the processor and the operating system */
    bool (*supports_block)(const sg_block *b, bool training, sg_drop_target dropped);
    /* Creates a workspace for chunks of at most `rows` rows and, if training is set, for gradients. Returns NULL if
     * memory is exhausted. */
    void *(*open)(const sg_block *b, size_t rows, bool training, sg_drop_target dropped);
    void (*close)(void *workspace);
    /* Loads the parameters of the block. Call it again after they change. */
    void (*load_theta)(void *workspace);
    /* Computes y (outputs, SG_PITCH). In training, also stores what backward needs. */
    void (*forward)(void *workspace, const sg_chunk *c, sg_dropout_bits keep, double *y);
    /* Accumulates the gradient for the chunk of the last forward in the workspace. out_grad (outputs, SG_PITCH) is
     * dL/dy; from n to the next multiple of 8, it is 0. */
    void (*backward)(void *workspace, const sg_chunk *c, const double *out_grad);
    /* Adds the accumulated gradient to grad, which is laid out like the block's part of theta, and clears it. */
    void (*add_gradient)(void *workspace, double *grad);
} sg_kernel;

/* Selects the kernel that SUGENO_KERNEL names, or the fastest one that runs on this machine. */
sg_status sg_kernel_select(const char *precision, const sg_kernel **out);

extern const sg_vector_ops sg_vector_ops_portable, sg_vector_ops_avx2, sg_vector_ops_neon;
/* The reference kernel also computes the blocks that the selected kernel does not support. */
extern const sg_kernel sg_kernel_reference;
extern const sg_kernel sg_kernel_portable_f64, sg_kernel_portable_f32;
extern const sg_kernel sg_kernel_avx2_f64, sg_kernel_avx2_f32;
extern const sg_kernel sg_kernel_neon_f64, sg_kernel_neon_f32;
