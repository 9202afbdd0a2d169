/* candidate.h: a setting, and how it does on rows that it was not trained on. */
#ifndef SG_AUTO_CANDIDATE_H
#define SG_AUTO_CANDIDATE_H

#include "auto/boost.h"
#include "auto/setting.h"
#include "auto/trial.h"
#include "base/pool.h"

typedef struct sg_candidate {
    sg_setting setting;
    sg_options *options;
    const sg_boost_plan *trees; /* grown in place of rules, or NULL */
    const char *besides[2];     /* names of options that it has besides the setting's, or NULL */
    size_t length, looks, parts;
    double *y;        /* (looks + 1, rows of the ground, outputs): predictions for rows left out */
    double *curve;    /* (looks + 1): mean squared error in units of the variance, all parts together */
    size_t best;      /* the look with the smallest                 */
    double error;     /* INFINITY: it can't be used                 */
    double **theta;   /* (parts, looks + 1), and                    */
    sg_model **shape; /* (parts): models that the parts trained     */
    sg_boost **grown; /* (parts): or these                          */
} sg_candidate;

/* Trees, on inputs as the user's options have them. */
sg_status sg_candidate_trees(sg_candidate *c, const sg_options *user, const sg_boost_plan *trees);
/* The same as another, of which nothing is known yet. */
sg_status sg_candidate_with(const sg_candidate *of, sg_candidate *c);
sg_status sg_candidate_init(sg_candidate *c, const sg_choices *choices, const sg_setting *s);
void sg_candidate_release(sg_candidate *c);
/* What was found out about it is forgotten. */
void sg_candidate_reset(sg_candidate *c);

/* Where a part's training rows come from, if not from the part itself. */
typedef sg_status sg_rows_fn(void *arg, size_t part, const sg_source **train);

/* Trains each on the first `parts` parts of the ground. */
typedef struct sg_round {
    const sg_ground *ground;
    sg_candidate *candidate;
    size_t count, parts, length, looks;
    bool keep;        /* models of the parts */
    sg_rows_fn *rows; /* or NULL */
    void *arg;
    sg_watch *watch;
} sg_round;
sg_status sg_round_run(sg_round *r, sg_pool *pool);
/* Error of the candidate's best look on the first `parts` parts. */
double sg_candidate_error(const sg_candidate *c, const sg_ground *g, size_t parts);
/* Error of a look on the parts [first, last). */
double sg_candidate_error_in(const sg_candidate *c, const sg_ground *g, size_t first, size_t last, size_t look);

/* Steps, or trees, until the best look. */
size_t sg_candidate_stop(const sg_candidate *c);
/* The model of a part at the best look; a copy. Of rules. */
sg_status sg_candidate_model(const sg_candidate *c, size_t part, sg_model **out);
/* Trained on other rows, as long as is best. */
sg_status sg_candidate_refit(const sg_candidate *c, const sg_ground *g, const sg_source *rows, uint64_t seed,
                             sg_watch *w, sg_model **out);

#endif
