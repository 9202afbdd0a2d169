/* chunk_loader.h: loads rows in original units into chunks for the kernels: it imputes missing inputs, applies the
 * model's transforms and transposes the result. Each thread has its own loader. */
#pragma once

#include "kernel/kernel.h"
#include "rows/column_roles.h"

/* The number of rows that sg_chunk_loader_for_each passes on at a time. */
enum { SG_LOADER_ROWS = 64 };

typedef struct sg_chunk_loader {
    const sg_model *model;
    const sg_vector_ops *ops;
    size_t width; /* number of columns at `a`: a, z unless it is shared, and extra; rounded up to a multiple of 4 */
    /* Columns of SG_PITCH values each, in one allocation that starts at x. */
    double *x;          /* inputs in original units, with missing ones imputed   */
    double *a;          /* what conditions see                                   */
    double *z;          /* what consequents see; equals a if the view is shared  */
    double *extra;      /* columns for the caller                                */
    double *scratch;    /* workspace of the transforms                           */
    double *missing;    /* which inputs of a row are missing                     */
    bool masks_missing; /* conditions ignore missing inputs; with PCA they see components of imputed inputs instead */
    sg_chunk chunk;     /* the rows loaded last */

    /* These are set if the loader reads a source. */
    const sg_source *source;
    const sg_column_roles *columns;
    double weight_scale; /* factor by which row weights are multiplied                                    */
    double *raw;         /* (max_read, columns of the source): rows as read                               */
    size_t max_read;     /* maximum number of rows per read                                               */
    const double *t, *w; /* (outputs, SG_PITCH), (SG_PITCH): transformed targets and weights of the chunk */
    double *ones;        /* (SG_PITCH): the weights of unweighted rows, or NULL                           */

    /* The rows loaded last, in row-major order, if the loader was opened by sg_chunk_loader_open_rows. */
    struct {
        size_t n;
        const double *raw; /* (n, columns of the source)                              */
        double *imputed;   /* (n, width of a): missing inputs are replaced with means */
        double *with_nan;  /* like `imputed`, but NaN if an input is missing          */
        const double *a;   /* what conditions see: `imputed` or `with_nan`            */
        double *z;         /* (n, width of z); `imputed` if the pipeline is shared    */
        double *t, *w;     /* (n, outputs), (n): transformed targets, weights         */
    } rows;
} sg_chunk_loader;

/* Initialises a loader for rows in memory. extra: the number of additional columns for the caller. */
sg_status sg_chunk_loader_init(sg_chunk_loader *l, const sg_model *m, const sg_vector_ops *ops, size_t extra);
/* Initialises a loader for a source, with targets and weights as extra columns. Allocates `raw` if reads is set. */
sg_status sg_chunk_loader_open(sg_chunk_loader *l, const sg_model *m, const sg_vector_ops *ops, const sg_source *source,
                               const sg_column_roles *columns, double weight_scale, bool reads);
/* Initialises a loader for rows of a source, in row-major order. */
sg_status sg_chunk_loader_open_rows(sg_chunk_loader *l, const sg_source *source, const sg_column_roles *columns,
                                    const sg_model *m, double weight_scale);
void sg_chunk_loader_release(sg_chunk_loader *l);

/* Loads n <= SG_CHUNK rows that are `stride` doubles apart into l->chunk. Input k of the model is element column[k] of
 * a row, or element k if column is NULL. NaN is a missing value. */
void sg_chunk_loader_load(sg_chunk_loader *l, const double *rows, size_t stride, const size_t *column, size_t n);
/* Loads n <= SG_CHUNK rows of l->width transformed values each: row index[i], or row i if index is NULL. fill (width of
 * a) holds the values that replace NaN in a, or is NULL if there is no NaN. */
void sg_chunk_loader_load_cached(sg_chunk_loader *l, const double *rows, const size_t *index, size_t n,
                                 const double *fill);
/* Loads the n <= SG_CHUNK rows in l->raw, their targets and their weights. */
void sg_chunk_loader_load_raw(sg_chunk_loader *l, size_t n);

/* Reads the rows [first, first + n), n <= SG_LOADER_ROWS. The loader must have been opened by
 * sg_chunk_loader_open_rows. */
sg_status sg_chunk_loader_read_rows(sg_chunk_loader *l, size_t first, size_t n);
/* Reads any number of rows and calls visit after every SG_LOADER_ROWS of them and after the last. */
typedef void sg_chunk_loader_fn(void *arg, sg_chunk_loader *l);
sg_status sg_chunk_loader_for_each(sg_chunk_loader *l, size_t first, size_t n, sg_chunk_loader_fn *visit, void *arg);
