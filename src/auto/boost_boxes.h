/* boost_boxes.h: soft boxes, the leaves of trees, and what they say of rows; for the files that make up a boost. */
#ifndef SG_AUTO_BOOST_BOXES_H
#define SG_AUTO_BOOST_BOXES_H

#include "auto/boost.h"
#include "base/random.h"

enum { SG_MOST_SIDES = 16, SG_BOXED = 64, SG_BINS = 256 }; /* sides of a box with a line */

/* One condition of a box: all from low to high is inside, shoulders fall beside it. */
typedef struct sg_side {
    size_t feature;
    double low, high;    /* the same for a bell */
    double below, above; /* 1 / width of the shoulders; 0: open, all that lies there is inside */
} sg_side;

typedef struct sg_box {
    size_t sides, slopes; /* as many slopes as sides, or none */
    sg_side *side;        /* (sides)                          */
    double *line;         /* (slopes + 1, outputs)            */
} sg_box;

typedef struct sg_stage {
    size_t boxes;
    sg_box *box;
} sg_stage;

struct sg_boost {
    atomic_size_t users;
    sg_model *base;
    size_t width, outputs, stages, leaves;
    double rate;
    double *low, *high; /* (width): of the features                  */
    double *usual;      /* (width): what a missing one counts as     */
    sg_stage *stage;
};

/* A chunk of rows, feature by feature, and the boxes' firing on them. Floats will do: twice as many fit into a vector.
 */
typedef struct sg_boxed {
    size_t n;
    float *x;     /* (width, SG_BOXED)  */
    float *there; /* (width, SG_BOXED): 0 where one is missing, on which no box has a condition then, else 1 */
    float *f;     /* (leaves, SG_BOXED): firing, which adds up to 1 in each row */
} sg_boxed;

/* Room for the boxes of a boost. */
sg_status sg_boxed_init(const sg_boost *b, sg_boxed *c);
void sg_boxed_release(sg_boxed *c);
/* x: (n, width), NaN where one is missing */
void sg_boxed_take(const sg_boost *b, const double *x, size_t n, sg_boxed *c);
void sg_boxed_fire(const sg_stage *s, sg_boxed *c);
/* What the boxes say, times the rate, is added to y (n, outputs). */
void sg_boxed_answer(const sg_boost *b, const sg_stage *s, const sg_boxed *c, double *y);

/* The two, for one kind of machine. */
typedef struct sg_boxes_loops {
    void (*fire)(const sg_stage *s, sg_boxed *c);
    void (*answer)(const sg_boost *b, const sg_stage *s, const sg_boxed *c, double *y);
} sg_boxes_loops;
extern const sg_boxes_loops sg_boxes_portable, sg_boxes_avx2;

/* Grows a tree on what is left over. */
typedef struct sg_grower {
    const sg_boost *boost;
    const sg_boost_plan *plan;
    size_t rows, width, outputs, bins;
    const double *x;              /* (rows, width), NaN where one is missing */
    double *left;                 /* (rows, outputs): what is left over, in deviations */
    const double *w;              /* (rows)         */
    unsigned char *bin;           /* (rows, width) */
    double *edge;                 /* (width, SG_BINS): upper edges */
    size_t *order;                /* (rows): those of leaves, together */
    unsigned char *use;           /* (width): of this tree, or split */
    sg_stream random;             /* of this tree */
    double *sum, *weight, *count; /* (SG_BINS, outputs), (SG_BINS) */
} sg_grower;

static inline double sg_boost_value(const sg_boost *b, const double *x, size_t feature)
{
    return x[feature] == x[feature] ? x[feature] : b->usual[feature];
}

/* Bins of equal numbers of rows, and the ends of b's features. column: room for one. */
void sg_grower_bins(sg_grower *g, sg_boost *b, double *column);
/* On the first `rows` of g->order, which may name one several times. Boxes of boosted trees have no lines yet. */
sg_status sg_grower_run(sg_grower *g, size_t rows, sg_stage *out);

/* A leaf while a tree grows, and the best split of it that is known. */
typedef struct sg_leaf {
    size_t first, rows;    /* of g->order */
    double *low, *high;    /* (width) */
    double *below, *above; /* (width): 1 / width of shoulders there; averaged trees */
    double gain;
    size_t feature, bin; /* the last one below the cut */
    double cut;          /* of scattered trees */
} sg_leaf;

/* How much of the squares of left-over sums a part of the rows explains. */
static inline double sg_leaf_score(const double *sum, size_t outputs, double weight)
{
    double s = 0;
    for (size_t o = 0; o < outputs; o++) s += sum[o] * sum[o];
    return weight > 0 ? s / weight : 0;
}

/* One cut of a feature, by chance; taken where it is better than what the leaf has. */
void sg_scatter_try(sg_grower *g, sg_leaf *l, size_t feature);
void sg_stage_release(sg_stage *s);

#endif
