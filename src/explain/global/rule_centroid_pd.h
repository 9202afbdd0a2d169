/* rule_centroid_pd.h: coverage of the rules, and partial dependence estimated from the rule centroids.
 *
 * A model stores for each rule its coverage, which is its share of all firing on the training rows, and the centroid of
 * the rows that it covers. The centroids, weighted by coverage, stand for the training rows. Curves are predictions of
 * the whole model, not of single consequents, because rules overlap. */
#pragma once

#include "model/reference_eval.h"

typedef struct sg_ranked_rule {
    size_t block, rule;
    double coverage; /* share of its block's firing, times the block's share of all weights; 0 if unknown */
} sg_ranked_rule;

typedef struct sg_centroid_pd {
    const sg_model *model;
    bool has_stats; /* whether coverage and centroids are known; if not, rules stay in file order and have no curves */
    size_t rules;
    sg_ranked_rule *ranked; /* (rules): in order of decreasing coverage                            */
    size_t points;          /* number of leading rules whose centroids stand for the training rows */
    sg_reference_eval eval;
    double *buffer;     /* holds all arrays below                                                                     */
    double *x, *y;      /* a row of features and its prediction                                                       */
    double *weight;     /* (points): weights of the centroids                                                         */
    double *span;       /* (outputs): largest span of any input's curve; 0 until the global trends are written        */
    double *scratch;    /* (3, outputs)                                                                               */
    double *net_change; /* (outputs, inputs): net change of each input's curve; 0 until the global trends are written */
} sg_centroid_pd;

/* Ranks the rules of m, which must outlive *f. */
sg_status sg_centroid_pd_init(sg_centroid_pd *f, const sg_model *m);
void sg_centroid_pd_release(sg_centroid_pd *f);

/* Returns whether the trends of all inputs can be computed in acceptable time for this number of rules. */
bool sg_centroid_pd_affords_rules(const sg_centroid_pd *f, size_t rules);
/* Returns whether this number of predictions per centroid can be made in acceptable time. */
bool sg_centroid_pd_affords(const sg_centroid_pd *f, size_t predictions);

/* Weight each centroid by its coverage, or by its coverage times the firing level of a rule there. */
void sg_centroid_pd_weight_all(sg_centroid_pd *f);
void sg_centroid_pd_weight_rule(sg_centroid_pd *f, const sg_ranked_rule *g);
/* Gets y[outputs], the firing-weighted mean prediction of a rule. If an older model does not store it, gets the
 * prediction at the centroid instead. */
void sg_centroid_pd_rule_mean(sg_centroid_pd *f, const sg_ranked_rule *g, double *y);
/* Computes y[outputs * n]: the weighted mean prediction with one input at each of n values (levels, for a category). */
void sg_centroid_pd_curve(sg_centroid_pd *f, size_t input, const double *value, size_t n, double *y);
/* Computes y[outputs * n * m]: the weighted mean prediction for n values of one input times m values of another. */
void sg_centroid_pd_grid(sg_centroid_pd *f, size_t down, const double *value, size_t n, size_t across,
                         const double *other, size_t m, double *y);

/* Computes margin[outputs]: the mean change of the prediction, divided by the standard deviation of this change, as a
 * numeric input goes from the low to the high value of sg_centroid_pd_rule_values. The change is taken at the rule's
 * centroid and with each other input moved to its low and high value (for a category, to each level), weighted by the
 * rule's firing level. */
void sg_centroid_pd_margin(sg_centroid_pd *f, const sg_ranked_rule *g, size_t input, double *margin);

enum { SG_PD_MAX_POINTS = 33 };
/* Gets the values of an input for a curve over all rows: distinct quantiles, or all levels. Returns the number of
 * values. */
size_t sg_centroid_pd_values(const sg_model *m, size_t input, double value[SG_PD_MAX_POINTS]);
/* Gets a low, middle and high value of a numeric input around the rule's centroid. Returns 3, or 0 if two are equal. */
size_t sg_centroid_pd_rule_values(const sg_model *m, const sg_ranked_rule *g, size_t input,
                                  double value[SG_PD_MAX_POINTS]);

/* The shape of a curve. */
typedef enum sg_trend {
    SG_TREND_FLAT,
    SG_TREND_RISES,
    SG_TREND_MOSTLY_RISES,
    SG_TREND_FALLS,
    SG_TREND_MOSTLY_FALLS,
    SG_TREND_PEAKS,
    SG_TREND_DIPS,
    SG_TREND_VARIES
} sg_trend;
sg_trend sg_trend_classify(const double *y, size_t n);
/* Returns the last value minus the first. */
static inline double sg_pd_net_change(const double *y, size_t n) { return y[n - 1] - y[0]; }
/* Returns the largest value minus the smallest. */
double sg_pd_span(const double *y, size_t n);

/* Gets the quantiles of a numeric feature, or estimates them from its range and mean if the model stores none. */
void sg_model_feature_quantiles(const sg_model *m, size_t feature, double q[SG_QUANTILE_COUNT]);
