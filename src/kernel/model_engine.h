/* model_engine.h: evaluates a whole model on chunks of rows, each block with a kernel that supports it. Each thread
 * needs an engine of its own. */
#pragma once

#include "kernel/kernel.h"

typedef struct sg_engine {
    const sg_model *model;
    size_t rows;              /* maximum number of rows per chunk; fewer for many rules, to fit into the cache */
    const sg_vector_ops *ops; /* vector operations of the selected kernel */
    bool is_f32;              /* the selected kernel computes in float */
    struct sg_engine_block {
        const sg_kernel *kernel;
        void *workspace;
    } * block;           /* (blocks)                                    */
    double *y, *block_y; /* each (outputs, SG_PITCH); both are in one allocation, at y */
} sg_engine;

/* Selects the kernel with sg_kernel_select. dropped: what masks will drop, or SG_DROP_NOTHING. */
sg_status sg_engine_init(sg_engine *e, const sg_model *m, const char *precision, bool training, sg_drop_target dropped);
void sg_engine_release(sg_engine *e);
/* Loads the parameters of the model. Call it again after they change. */
void sg_engine_load_theta(sg_engine *e);

/* Computes e->y, the outputs in transformed target units. keep: (blocks), or NULL if all rules are kept. */
void sg_engine_forward(sg_engine *e, const sg_chunk *c, const sg_dropout_bits *keep);
/* Accumulates the gradient of the last forward pass. out_grad (outputs, SG_PITCH) is dL/dy of the model. */
void sg_engine_backward(sg_engine *e, const sg_chunk *c, const double *out_grad);
/* Adds the gradient of all chunks since the last call to grad[parameters]. */
void sg_engine_add_gradient(sg_engine *e, double *grad);
