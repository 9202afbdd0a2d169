/* engine.h: a whole model on chunks of rows, each block by the kernel that covers it. One for each
 * thread. */
#ifndef SG_KERNEL_ENGINE_H
#define SG_KERNEL_ENGINE_H

#include "kernel/kernel.h"

typedef struct sg_engine {
    const sg_model *model;
    size_t rows;              /* of a chunk, at most: fewer where there are many rules, for the cache's sake */
    const sg_vector_ops *ops; /* of the chosen kernel */
    bool is_f32;              /* it computes in float */
    struct sg_engine_block {
        const sg_kernel *kernel;
        void *workspace;
    } * block;           /* (blocks)                                    */
    double *y, *block_y; /* (outputs, SG_PITCH), in one allocation at y */
} sg_engine;

/* The kernel as sg_kernel_select has it. dropped: what masks will be about, SG_DROP_NOTHING without. */
sg_status sg_engine_init(sg_engine *e, const sg_model *m, const char *precision, bool training, sg_drop_target dropped);
void sg_engine_release(sg_engine *e);
/* Takes over the model's parameters; to be called again whenever they have changed. */
void sg_engine_load_theta(sg_engine *e);

/* The model's outputs in the target's transformed units: e->y. keep (blocks), or NULL. */
void sg_engine_forward(sg_engine *e, const sg_chunk *c, const sg_drop_mask *keep);
/* After forward with training: slope (outputs, SG_PITCH) is dL/dy of the model. */
void sg_engine_backward(sg_engine *e, const sg_chunk *c, const double *out_grad);
/* Adds the gradient of all chunks since the last call to grad (parameters). */
void sg_engine_add_gradient(sg_engine *e, double *grad);

#endif
