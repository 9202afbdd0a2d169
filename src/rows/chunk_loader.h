/* chunk_loader.h: loads rows in original units into chunks for the kernels: it imputes missing inputs, applies the
 * model's transforms and transposes. Each thread has its own loader. */
#pragma once

#include "kernel/kernel.h"
#include "rows/column_roles.h"

/* Rows that sg_chunk_loader_for_each passes on at a time. */
enum { SG_LOADER_ROWS = 64 };

typedef struct sg_chunk_loader {
    const sg_model *model;
    const sg_vector_ops *ops;
    size_t width; /* columns from `a` on: a, z unless shared, extra; rounded up to a multiple of 4 */
    double *x, *a, *z, *extra, *scratch, *missing; /* columns of SG_PITCH numbers, one allocation at x */
    bool masks_missing; /* conditions ignore missing inputs; with PCA they see components of imputed inputs instead */
    sg_chunk chunk;     /* the rows loaded last */

    /* If the loader reads a source: */
    const sg_source *source;
    const sg_column_roles *columns;
    double weight_scale; /* factor of row weights                                 */
    double *raw;         /* (max_read, columns of the source): rows as read       */
    size_t max_read;     /* rows of one read                                      */
    const double *t, *w; /* (outputs, SG_PITCH), (SG_PITCH): transformed targets and weights of the chunk */
    double *ones;        /* (SG_PITCH): the weights of unweighted rows, or NULL   */

    /* If it was opened by sg_chunk_loader_open_rows: the rows loaded last, row-major. */
    struct {
        size_t n;
        const double *raw; /* (n, columns of the source)                          */
        double *imputed;   /* (n, width of a): missing inputs are means           */
        double *with_nan;  /* the same, but NaN if an input is missing            */
        const double *a;   /* what conditions see: one of these two               */
        double *z;         /* (n, width of z); `imputed` if the pipeline is shared */
        double *t, *w;     /* (n, outputs), (n): transformed targets, weights     */
    } rows;
} sg_chunk_loader;

/* For rows in memory. extra: additional columns for the caller. */
sg_status sg_chunk_loader_init(sg_chunk_loader *l, const sg_model *m, const sg_vector_ops *ops, size_t extra);
/* For rows of a source, with targets and weights in the extra columns. Does not allocate `raw` unless reads is set. */
sg_status sg_chunk_loader_open(sg_chunk_loader *l, const sg_model *m, const sg_vector_ops *ops, const sg_source *source,
                               const sg_column_roles *columns, double weight_scale, bool reads);
/* For rows of a source, row-major. */
sg_status sg_chunk_loader_open_rows(sg_chunk_loader *l, const sg_source *source, const sg_column_roles *columns,
                                    const sg_model *m, double weight_scale);
void sg_chunk_loader_release(sg_chunk_loader *l);

/* Loads n <= SG_CHUNK rows that are `stride` numbers apart into l->chunk. Input k of the model is number column[k] of a
 * row, or number k if column is NULL. NaN is a missing value. */
void sg_chunk_loader_load(sg_chunk_loader *l, const double *rows, size_t stride, const size_t *column, size_t n);
/* Loads n <= SG_CHUNK rows of l->width transformed numbers each: row index[i], or row i if index is NULL. fill (width
 * of a) replaces NaN in a; NULL if there is none. */
void sg_chunk_loader_load_cached(sg_chunk_loader *l, const double *rows, const size_t *index, size_t n,
                                 const double *fill);
/* Loads the n <= SG_CHUNK rows in l->raw, their targets and their weights. */
void sg_chunk_loader_load_raw(sg_chunk_loader *l, size_t n);

/* Reads rows [first, first + n), n <= SG_LOADER_ROWS, of a loader opened by sg_chunk_loader_open_rows. */
sg_status sg_chunk_loader_read_rows(sg_chunk_loader *l, size_t first, size_t n);
/* Reads any number of rows and calls visit after every SG_LOADER_ROWS of them and after the last. */
typedef void sg_chunk_loader_fn(void *arg, sg_chunk_loader *l);
sg_status sg_chunk_loader_for_each(sg_chunk_loader *l, size_t first, size_t n, sg_chunk_loader_fn *visit, void *arg);
