/* kernel.h: what computes a block's outputs and gradient for a chunk of rows.
 *
 * A kernel is one row of a table: the readable reference, and the fast kernels, whose source is
 * written once (fast*.h) and compiled for each instruction set and precision. The fast ones give
 * the same bits for one precision, whatever the instruction set. */
#ifndef SG_KERNEL_KERNEL_H
#define SG_KERNEL_KERNEL_H

#include "model/drop_mask.h"

/* Rows of a chunk, at most; and the distance between two features of a chunk, which is no multiple
 * of a large power of two so that they fall into different cache sets. */
enum { SG_CHUNK = 128, SG_PITCH = 136 };

/* Rows side by side: feature k of row i stands at k * SG_PITCH + i. Beyond n up to the next multiple
 * of 8 there are copies of the last row. */
typedef struct sg_chunk {
    size_t n;
    const double *a, *z; /* (inputs, SG_PITCH), (terms, SG_PITCH); z is a where views are one */
    /* (inputs, SG_PITCH): 1 where conditions have nothing to see, because an input is missing, else 0; NULL:
     * nowhere. There a and z hold the mean, so a chunk has no NaN. */
    const double *missing;
} sg_chunk;

/* Which of a block's things are kept, for each row of a chunk: see drop_mask.h. bits is (n, words), or
 * NULL where all are. */
typedef struct sg_drop_mask {
    const uint32_t *bits;
    size_t words;
} sg_drop_mask;

/* The family of Adam: numbers of one step. */
typedef struct sg_adam {
    double rate, epsilon, beta1, beta2;
    double bias_correction1, bias_correction2; /* factors of the moments, for their start at 0 */
    double low, high;                          /* bounds of the rate                           */
    bool belief;                               /* the spread is g - m, not g                   */
    bool f32_rates;                            /* rates in float: moments and theta are not    */
} sg_adam;

/* What an instruction set does in double for kernels of any precision. */
typedef struct sg_vector_ops {
    /* See sg_chunk_loader_load: the rows' inputs become the feed's columns x. False: none of them is NaN. */
    bool (*load_columns)(const sg_model *m, const double *rows, size_t stride, const size_t *column, size_t n,
                         double *x);
    /* What the model sees of n rows; x, a, z, scratch are the feed's. */
    void (*transform)(const sg_model *m, size_t n, const double *x, double *a, double *z, double *scratch);
    /* Rows of `width` numbers, a multiple of 4, become columns: number k of row index[i], or of row i
     * where index is NULL, goes to column[k * SG_PITCH + i]; beyond n up to the next multiple of 8
     * there are copies of the last row. */
    void (*transpose)(const double *rows, size_t width, const size_t *index, size_t n, double *column);
    /* Of n rows with weights w: slope is w (y - t), 0 beyond n up to the next multiple of 8. Returns the
     * sum of w (y - t)^2. */
    double (*residuals)(size_t n, const double *y, const double *t, const double *w, double *out_grad);
    /* y = mean + scale x, within [low, high], both finite. */
    void (*denormalize)(size_t n, double mean, double scale, double low, double high, const double *x, double *y);
    /* grad += lambda (x - home), lambda and home of eight periods; returns the sum of lambda (x - home)^2. */
    double (*l2_gradient)(size_t n, size_t period, const double *lambda, const double *l2_center, const double *x,
                          double *grad);
    /* One step of n parameters; returns the sum of their rates. grad is then theta as it was. */
    double (*adam)(const sg_adam *s, size_t n, double *grad, double *theta, double *m, double *v);
    /* Whether all n numbers are within +-limit; a NaN is not. */
    bool (*all_within)(size_t n, const double *x, double limit);
} sg_vector_ops;

typedef struct sg_kernel {
    const char *name;
    const char *precision;
    size_t lanes; /* rows that it computes side by side */
    const sg_vector_ops *ops;
    bool (*is_supported)(void); /* on this CPU under this system */
    bool (*supports_block)(const sg_block *b, bool training, sg_drop_target dropped);
    /* Room for chunks of at most `rows`; with training also for gradients. NULL without memory. */
    void *(*open)(const sg_block *b, size_t rows, bool training, sg_drop_target dropped);
    void (*close)(void *workspace);
    /* Takes over the block's parameters, which have changed. */
    void (*load_theta)(void *workspace);
    /* The block's outputs: y (outputs, SG_PITCH). With training it keeps what backward needs. */
    void (*forward)(void *workspace, const sg_chunk *c, sg_drop_mask keep, double *y);
    /* For the chunk that forward just saw: slope (outputs, SG_PITCH) is dL/dy, 0 beyond n. Adds to a
     * gradient in the room ... */
    void (*backward)(void *workspace, const sg_chunk *c, const double *out_grad);
    /* ... that this adds to grad, laid out as the block's part of theta, and clears. */
    void (*add_gradient)(void *workspace, double *grad);
} sg_kernel;

/* The kernel that SUGENO_KERNEL names, or the fastest one that runs here. */
sg_status sg_kernel_select(const char *precision, const sg_kernel **out);

extern const sg_vector_ops sg_vector_ops_portable, sg_vector_ops_avx2, sg_vector_ops_neon;
/* It also computes the blocks that the chosen kernel does not cover. */
extern const sg_kernel sg_kernel_reference;
extern const sg_kernel sg_kernel_portable_f64, sg_kernel_portable_f32;
extern const sg_kernel sg_kernel_avx2_f64, sg_kernel_avx2_f32;
extern const sg_kernel sg_kernel_neon_f64, sg_kernel_neon_f32;

#endif
