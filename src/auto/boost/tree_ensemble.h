/* tree_ensemble.h: a teacher of another kind: ridge regression, and on what it leaves over small trees, one after the
 * other, whose leaves are soft boxes with a line each, or flat ones with nearly hard sides and a constant each. Or
 * large trees of such that know nothing of each other, and are averaged. */
#ifndef SG_AUTO_BOOST_TREE_ENSEMBLE_H
#define SG_AUTO_BOOST_TREE_ENSEMBLE_H

#include "auto/search/search_data.h"
#include "auto/search/search_progress.h"
#include "model/model.h"

enum { SG_TREES_MAX_OUTPUTS = 8 }; /* at most */

typedef enum sg_tree_ensemble_kind {
    SG_TREES_GBDT_LINEAR, /* each tree learns what those before it leave over                            */
    SG_TREES_GBDT,        /* so, too, with boxes as those of averaged trees                              */
    SG_TREES_BAGGED,      /* averaged: rows by chance, and again by chance, columns of each split, too   */
    SG_TREES_EXTRA        /* averaged: all rows; where a split cuts a column is chance, which column not */
} sg_tree_ensemble_kind;

typedef struct sg_tree_config {
    sg_tree_ensemble_kind kind;
    bool fit_raw_targets;     /* trees learn the targets themselves, not what ridge regression leaves over */
    size_t trees, max_leaves; /* of a tree, at most                      */
    size_t min_leaf_rows;     /* rows of a leaf                          */
    double learning_rate;     /* part of each tree's answer that counts; of averaged ones 1 / stages */
    double softness; /* of a box's bell, in halves of the box; of a flat one's side, in its distance from the rows next
                        to it */
    double l2;       /* of lines and constants                  */
    double column_fraction; /* of each split, by chance; bagged        */
} sg_tree_config;

typedef struct sg_tree_ensemble sg_tree_ensemble;
/* Of the kind of trees, for people. */
const char *sg_tree_config_name(const sg_tree_config *p);
/* `o` are options of a plain training. `stages` of the plan's. */
sg_status sg_tree_ensemble_train(const sg_options *o, const sg_tree_config *p, size_t stages, const sg_search_data *g,
                                 const sg_source *rows, uint64_t seed, sg_search_progress *w, sg_tree_ensemble **out);
/* The same trees once more; each is freed by itself. */
sg_status sg_tree_ensemble_ref(sg_tree_ensemble *b, sg_tree_ensemble **out);
/* The work of all stages, and of their answers, in nanoseconds. */
size_t sg_tree_config_train_cost(const sg_tree_config *p, size_t rows, size_t inputs);
size_t sg_tree_config_predict_cost(const sg_tree_config *p, size_t rows);
/* y: (looks + 1, rows, outputs): look k is after stages * k / looks trees. */
sg_status sg_tree_ensemble_predict(const sg_tree_ensemble *b, const sg_source *rows, size_t stages, size_t looks,
                                   double *y);
void sg_tree_ensemble_free(sg_tree_ensemble *b);

#endif
