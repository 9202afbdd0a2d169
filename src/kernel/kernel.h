/* kernel.h: the interface of kernels, which compute a block's outputs and gradient for a chunk of rows.
 *
 * The table contains the readable reference kernel and the fast kernels, whose source is written once (in fast) and
 * compiled for each instruction set and precision. All fast kernels of one precision give the same bits. */
#pragma once

#include "model/keep_mask.h"

/* Maximal number of rows per chunk, and the stride between features, which is not a multiple of a large power of two so
 * that features map to different cache sets. */
enum { SG_CHUNK = 128, SG_PITCH = 136 };

/* Rows in columns: feature k of row i is at k * SG_PITCH + i. Rows from n to the next multiple of 8 repeat the last
 * row. */
typedef struct sg_chunk {
    size_t n;
    const double *a, *z; /* (inputs, SG_PITCH), (terms, SG_PITCH); z == a if the pipeline is shared */
    /* (inputs, SG_PITCH): 1 if an input is missing, otherwise 0; NULL: none is. a and z hold the mean there, so a chunk
     * has no NaN. */
    const double *missing;
} sg_chunk;

/* Which rules, MFs or memberships are kept, for each row of a chunk: see keep_mask.h. bits is (n, words), or NULL if
 * all are kept. */
typedef struct sg_keep_bits {
    const uint32_t *bits;
    size_t words;
} sg_keep_bits;

/* Parameters of one step of the Adam family. */
typedef struct sg_adam {
    double rate, epsilon, beta1, beta2;
    double bias_correction1, bias_correction2; /* corrections of the moments' initialisation with 0 */
    double low, high;                          /* bounds of the rate */
    bool belief;                               /* AdaBelief: the second moment is of g - m */
    bool f32_rates;                            /* compute rates in float; moments and theta stay double */
} sg_adam;

/* Operations of an instruction set in double, for kernels of both precisions. */
typedef struct sg_vector_ops {
    /* Transposes rows to columns x (see sg_chunk_loader_load). Returns false if no value is NaN. */
    bool (*load_columns)(const sg_model *m, const double *rows, size_t stride, const size_t *column, size_t n,
                         double *x);
    /* Applies the model's pipelines to n rows. */
    void (*transform)(const sg_model *m, size_t n, const double *x, double *a, double *z, double *scratch);
    /* Transposes rows of `width` numbers, a multiple of 4: number k of row index[i] (of row i if index is NULL) goes to
     * column[k * SG_PITCH + i]. Rows from n to the next multiple of 8 repeat the last row. */
    void (*transpose)(const double *rows, size_t width, const size_t *index, size_t n, double *column);
    /* For n rows with weights w: out_grad = w (y - t), 0 from n to the next multiple of 8. Returns the sum of w (y -
     * t)^2. */
    double (*residuals)(size_t n, const double *y, const double *t, const double *w, double *out_grad);
    /* y = mean + scale x, clamped to [low, high]; both are finite. */
    void (*denormalise)(size_t n, double mean, double scale, double low, double high, const double *x, double *y);
    /* grad += lambda (x - l2_center). lambda and l2_center have 8 * period elements and repeat. Returns the sum of
     * lambda (x - l2_center)^2. */
    double (*l2_gradient)(size_t n, size_t period, const double *lambda, const double *l2_center, const double *x,
                          double *grad);
    /* Performs one step on n parameters. Returns the sum of their rates. grad receives the old theta. */
    double (*adam)(const sg_adam *s, size_t n, double *grad, double *theta, double *m, double *v);
    /* Returns whether all n numbers are within +-limit; false for NaN. */
    bool (*all_within)(size_t n, const double *x, double limit);
} sg_vector_ops;

typedef struct sg_kernel {
    const char *name;
    const char *precision;
    size_t lanes; /* rows per vector */
    const sg_vector_ops *ops;
    bool (*is_supported)(void); /* by the processor and the operating system */
    bool (*supports_block)(const sg_block *b, bool training, sg_drop_target dropped);
    /* Creates a workspace for chunks of at most `rows` rows; with training, also for gradients. Returns NULL if memory
     * is exhausted. */
    void *(*open)(const sg_block *b, size_t rows, bool training, sg_drop_target dropped);
    void (*close)(void *workspace);
    /* Loads the parameters of the block. Call it again after they change. */
    void (*load_theta)(void *workspace);
    /* Computes y (outputs, SG_PITCH). With training, stores what backward needs. */
    void (*forward)(void *workspace, const sg_chunk *c, sg_keep_bits keep, double *y);
    /* For the chunk of the last forward: out_grad (outputs, SG_PITCH) is dL/dy, 0 from n on. Accumulates a gradient in
     * the workspace. */
    void (*backward)(void *workspace, const sg_chunk *c, const double *out_grad);
    /* Adds that gradient to grad, laid out like the block's part of theta, and clears it. */
    void (*add_gradient)(void *workspace, double *grad);
} sg_kernel;

/* Selects the kernel named by SUGENO_KERNEL, or the fastest one that runs here. */
sg_status sg_kernel_select(const char *precision, const sg_kernel **out);

extern const sg_vector_ops sg_vector_ops_portable, sg_vector_ops_avx2, sg_vector_ops_neon;
/* Also computes the blocks that the selected kernel does not support. */
extern const sg_kernel sg_kernel_reference;
extern const sg_kernel sg_kernel_portable_f64, sg_kernel_portable_f32;
extern const sg_kernel sg_kernel_avx2_f64, sg_kernel_avx2_f32;
extern const sg_kernel sg_kernel_neon_f64, sg_kernel_neon_f32;
