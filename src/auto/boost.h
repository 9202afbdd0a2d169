/* boost.h: a teacher of another kind: ridge regression, and on what it leaves over small trees, one after the other,
 * whose leaves are soft boxes with a line each, or flat ones with nearly hard sides and a constant each. Or large trees
 * of such that know nothing of each other, and are averaged. */
#ifndef SG_AUTO_BOOST_H
#define SG_AUTO_BOOST_H

#include "auto/ground.h"
#include "auto/watch.h"
#include "model/model.h"

enum { SG_BOOST_TARGETS = 8 }; /* at most */

typedef enum sg_boost_kind {
    SG_BOOSTED,  /* each tree learns what those before it leave over                            */
    SG_STEPPED,  /* so, too, with boxes as those of averaged trees                              */
    SG_BAGGED,   /* averaged: rows by chance, and again by chance, columns of each split, too   */
    SG_SCATTERED /* averaged: all rows; where a split cuts a column is chance, which column not */
} sg_boost_kind;

typedef struct sg_boost_plan {
    sg_boost_kind kind;
    bool plain;            /* trees learn the targets themselves, not what ridge regression leaves over */
    size_t stages, leaves; /* of a tree, at most                      */
    size_t least;          /* rows of a leaf                          */
    double rate;           /* part of each tree's answer that counts; of averaged ones 1 / stages */
    double width; /* of a box's bell, in halves of the box; of a flat one's side, in its distance from the rows next to
                     it */
    double l2;    /* of lines and constants                  */
    double columns; /* of each split, by chance; bagged        */
} sg_boost_plan;

typedef struct sg_boost sg_boost;
/* Of the kind of trees, for people. */
const char *sg_boost_name(const sg_boost_plan *p);
/* `o` are options of a plain training. `stages` of the plan's. */
sg_status sg_boost_train(const sg_options *o, const sg_boost_plan *p, size_t stages, const sg_ground *g,
                         const sg_source *rows, uint64_t seed, sg_watch *w, sg_boost **out);
/* The same trees once more; each is freed by itself. */
sg_status sg_boost_share(sg_boost *b, sg_boost **out);
/* The work of all stages, and of their answers, in nanoseconds. */
size_t sg_boost_cost(const sg_boost_plan *p, size_t rows, size_t inputs);
size_t sg_boost_answer_cost(const sg_boost_plan *p, size_t rows);
/* y: (looks + 1, rows, outputs): look k is after stages * k / looks trees. */
sg_status sg_boost_predict(const sg_boost *b, const sg_source *rows, size_t stages, size_t looks, double *y);
void sg_boost_free(sg_boost *b);

#endif
