/* rule_centroid_pd.h: coverage of the rules, and partial dependence estimated from the rule centroids.
 *
 * A model stores for each rule its coverage, the share of the firing levels on the training rows, and the centroid of
 * the rows that it covers. The centroids, weighted by coverage, stand for the training rows. Curves are predictions of
 * the whole model, not of single consequents, because rules overlap. */
#pragma once

#include "model/reference_eval.h"

typedef struct sg_ranked_rule {
    size_t block, rule;
    double coverage; /* times the weight of its block; 0 if unknown */
} sg_ranked_rule;

typedef struct sg_centroid_pd {
    const sg_model *model;
    bool has_stats; /* whether coverage and centroids are known; else rules are in file order, without curves */
    size_t rules;
    sg_ranked_rule *ranked; /* (rules): in order of decreasing coverage                                  */
    size_t points;          /* the first ones, whose centroids stand for the training rows               */
    sg_reference_eval eval;
    double *buffer;     /* holds all arrays below                                                        */
    double *x, *y;      /* a row of features and its prediction                                          */
    double *weight;     /* (points): of the centroids in a curve                                         */
    double *span;       /* (outputs): largest span of the curve of an input; 0 until global trends exist */
    double *scratch;    /* (3, outputs)                                                                  */
    double *net_change; /* (outputs, inputs): of the curves over all rows; 0 until global trends exist   */
} sg_centroid_pd;

/* m must outlive *f. */
sg_status sg_centroid_pd_init(sg_centroid_pd *f, const sg_model *m);
void sg_centroid_pd_release(sg_centroid_pd *f);

/* Whether trends of all inputs for this number of rules are computed in acceptable time. */
bool sg_centroid_pd_affords_rules(const sg_centroid_pd *f, size_t rules);
/* Whether this number of predictions per centroid is. */
bool sg_centroid_pd_affords(const sg_centroid_pd *f, size_t predictions);

/* Weight the centroids by coverage, or by their coverage times the firing level of a rule. */
void sg_centroid_pd_weight_all(sg_centroid_pd *f);
void sg_centroid_pd_weight_rule(sg_centroid_pd *f, const sg_ranked_rule *g);
/* Gets y[outputs], the firing-weighted mean prediction of a rule. Older models do not store it; then it is the
 * prediction at the centroid. */
void sg_centroid_pd_rule_mean(sg_centroid_pd *f, const sg_ranked_rule *g, double *y);
/* Computes y[outputs * n]: the weighted mean prediction with one input at each of n values (a category: level indices).
 */
void sg_centroid_pd_curve(sg_centroid_pd *f, size_t input, const double *value, size_t n, double *y);
/* Computes y[outputs * n * m] for two inputs. */
void sg_centroid_pd_grid(sg_centroid_pd *f, size_t down, const double *value, size_t n, size_t across,
                         const double *other, size_t m, double *y);

/* Computes margin[outputs], the mean over the standard deviation of the change of the prediction with a numeric input,
 * from the low to the high value of sg_centroid_pd_rule_values: at the rule's centroid, and with each other input moved
 * to its low and high value (a category: each level), weighted by the rule's firing level. It has the sign of the mean.
 */
void sg_centroid_pd_margin(sg_centroid_pd *f, const sg_ranked_rule *g, size_t input, double *margin);

enum { SG_PD_MAX_POINTS = 33 };
/* Gets the values of an input for a curve over all rows: its distinct quantiles, or all levels. Returns their number.
 */
size_t sg_centroid_pd_values(const sg_model *m, size_t input, double value[SG_PD_MAX_POINTS]);
/* Gets a low, middle and high value of a numeric input around the rule's centroid. Returns 3, or 0 if they coincide. */
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

/* Gets the quantiles of a numeric feature, or an estimate from its range and mean if the model has none. */
void sg_model_feature_quantiles(const sg_model *m, size_t feature, double q[SG_QUANTILE_COUNT]);
