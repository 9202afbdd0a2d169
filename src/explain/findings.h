/* findings.h: what the rules of a model say together, on rows like those it was trained on: which rules govern most of
 * them, and where predictions go as one input moves.
 *
 * The places of the rules, each by its share, stand for the training rows (partial dependence, by the model itself and
 * not by single consequents: rules overlap, and what one says alone is not what all of them predict). */
#ifndef SG_EXPLAIN_FINDINGS_H
#define SG_EXPLAIN_FINDINGS_H

#include "model/look.h"

/* A rule in the order of how much it governs. */
typedef struct sg_governor {
    size_t block, rule;
    double share; /* of the rows, times the weight of its block; 0 where nobody counted */
} sg_governor;

typedef struct sg_findings {
    const sg_model *model;
    bool known; /* shares and places; if not, rules are in the file's order, and there is nothing more */
    size_t rules;
    sg_governor *rule; /* (rules): those that govern most come first, then as in the file */
    size_t points;     /* the first ones, whose places stand for the rows  */
    sg_look look;
    double *x, *y;  /* a row, and what is predicted of it    */
    double *weight; /* (points): of each point in a course   */
    double *span;   /* (outputs): how far the input that matters most moves them; 0 as net */
    double *sums;   /* (3, outputs): scratch                 */
    double *net;    /* (outputs, inputs): where predictions go over all rows, once somebody looked; else 0 */
} sg_findings;

sg_status sg_findings_init(sg_findings *f, const sg_model *m);
void sg_findings_release(sg_findings *f);

/* Whether the work for so many rules, all inputs each, is bearable. */
bool sg_findings_cheap(const sg_findings *f, size_t rules);

/* Whether so many predictions of each point are. */
bool sg_findings_bearable(const sg_findings *f, size_t predictions);

/* Sets weights: all rows, or those that a rule governs. */
void sg_findings_all(sg_findings *f);
void sg_findings_of(sg_findings *f, const sg_governor *g);
/* What is predicted where a rule governs, its mean by how much the rule fires: y (outputs). Of a model that is older,
 * and does not know it, the prediction at the mean of these rows. */
void sg_findings_about(sg_findings *f, const sg_governor *g, double *y);
/* The same with one input at each of n values (numbers of levels, of a category): y (outputs, n). */
void sg_findings_course(sg_findings *f, size_t input, const double *value, size_t n, double *y);
/* The same with two inputs: y (outputs, n, m). */
void sg_findings_table(sg_findings *f, size_t down, const double *value, size_t n, size_t across, const double *other,
                       size_t m, double *y);

/* How clear it is where predictions go with an input of numbers, about the place of a rule: there, and with each other
 * input moved down and up (a category: each level), as far as sg_findings_near; by how much the rule fires. Mean over
 * deviation: margin (outputs), of its sign. */
void sg_findings_margin(sg_findings *f, const sg_governor *g, size_t input, double *margin);

/* Values at which an input is looked at over all rows: its quantiles that differ, or all levels. */
enum { SG_COURSE = 33 };
size_t sg_findings_values(const sg_model *m, size_t input, double value[SG_COURSE]);
/* Three values about what the rule governs, of an input of numbers; 0 where they are one. */
size_t sg_findings_near(const sg_model *m, const sg_governor *g, size_t input, double value[SG_COURSE]);

/* Where a course goes. */
typedef enum sg_direction {
    SG_LEVEL,
    SG_RISES,
    SG_MOSTLY_RISES,
    SG_FALLS,
    SG_MOSTLY_FALLS,
    SG_PEAKS,
    SG_DIPS,
    SG_VARIES
} sg_direction;
sg_direction sg_direction_of(const double *y, size_t n);
/* The last value minus the first. */
static inline double sg_course_net(const double *y, size_t n) { return y[n - 1] - y[0]; }
/* The largest value minus the smallest. */
double sg_course_span(const double *y, size_t n);

/* Quantiles of a feature: known ones, or a guess from range and mean. */
void sg_quantiles_of(const sg_model *m, size_t feature, double q[SG_QUANTILES]);
/* The first feature of an input. */
size_t sg_feature_of(const sg_model *m, size_t input);

#endif
