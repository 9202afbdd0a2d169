/* centroid_pd.h: what the rules of a model say together, on rows like those it was trained on: which rules govern most
 * of them, and where predictions go as one input moves.
 *
 * The places of the rules, each by its share, stand for the training rows (partial dependence, by the model itself and
 * not by single consequents: rules overlap, and what one says alone is not what all of them predict). */
#ifndef SG_EXPLAIN_GLOBAL_CENTROID_PD_H
#define SG_EXPLAIN_GLOBAL_CENTROID_PD_H

#include "model/reference_eval.h"

/* A rule in the order of how much it governs. */
typedef struct sg_ranked_rule {
    size_t block, rule;
    double coverage; /* of the rows, times the weight of its block; 0 where nobody counted */
} sg_ranked_rule;

typedef struct sg_centroid_pd {
    const sg_model *model;
    bool has_stats; /* shares and places; if not, rules are in the file's order, and there is nothing more */
    size_t rules;
    sg_ranked_rule *ranked; /* (rules): those that govern most come first, then as in the file */
    size_t points;          /* the first ones, whose places stand for the rows  */
    sg_reference_eval eval;
    double *x, *y;      /* a row, and what is predicted of it    */
    double *weight;     /* (points): of each point in a course   */
    double *span;       /* (outputs): how far the input that matters most moves them; 0 as net */
    double *scratch;    /* (3, outputs): scratch                 */
    double *net_change; /* (outputs, inputs): where predictions go over all rows, once somebody looked; else 0 */
} sg_centroid_pd;

sg_status sg_centroid_pd_init(sg_centroid_pd *f, const sg_model *m);
void sg_centroid_pd_release(sg_centroid_pd *f);

/* Whether the work for so many rules, all inputs each, is bearable. */
bool sg_centroid_pd_affords_rules(const sg_centroid_pd *f, size_t rules);

/* Whether so many predictions of each point are. */
bool sg_centroid_pd_affords(const sg_centroid_pd *f, size_t predictions);

/* Sets weights: all rows, or those that a rule governs. */
void sg_centroid_pd_weight_all(sg_centroid_pd *f);
void sg_centroid_pd_weight_rule(sg_centroid_pd *f, const sg_ranked_rule *g);
/* What is predicted where a rule governs, its mean by how much the rule fires: y (outputs). Of a model that is older,
 * and does not know it, the prediction at the mean of these rows. */
void sg_centroid_pd_rule_mean(sg_centroid_pd *f, const sg_ranked_rule *g, double *y);
/* The same with one input at each of n values (numbers of levels, of a category): y (outputs, n). */
void sg_centroid_pd_curve(sg_centroid_pd *f, size_t input, const double *value, size_t n, double *y);
/* The same with two inputs: y (outputs, n, m). */
void sg_centroid_pd_grid(sg_centroid_pd *f, size_t down, const double *value, size_t n, size_t across,
                         const double *other, size_t m, double *y);

/* How clear it is where predictions go with an input of numbers, about the place of a rule: there, and with each other
 * input moved down and up (a category: each level), as far as sg_centroid_pd_rule_values; by how much the rule fires.
 * Mean over deviation: margin (outputs), of its sign. */
void sg_centroid_pd_margin(sg_centroid_pd *f, const sg_ranked_rule *g, size_t input, double *margin);

/* Values at which an input is looked at over all rows: its quantiles that differ, or all levels. */
enum { SG_PD_MAX_POINTS = 33 };
size_t sg_centroid_pd_values(const sg_model *m, size_t input, double value[SG_PD_MAX_POINTS]);
/* Three values about what the rule governs, of an input of numbers; 0 where they are one. */
size_t sg_centroid_pd_rule_values(const sg_model *m, const sg_ranked_rule *g, size_t input,
                                  double value[SG_PD_MAX_POINTS]);

/* Where a course goes. */
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
/* The last value minus the first. */
static inline double sg_pd_net_change(const double *y, size_t n) { return y[n - 1] - y[0]; }
/* The largest value minus the smallest. */
double sg_pd_span(const double *y, size_t n);

/* Quantiles of a feature: known ones, or a guess from range and mean. */
void sg_model_feature_quantiles(const sg_model *m, size_t feature, double q[SG_QUANTILE_COUNT]);
/* The first feature of an input. */
size_t sg_model_first_feature(const sg_model *m, size_t input);

#endif
