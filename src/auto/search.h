/* search.h: which settings do well on rows that they were not trained on. */
#ifndef SG_AUTO_SEARCH_H
#define SG_AUTO_SEARCH_H

#include "auto/committee.h"

enum { SG_FINALISTS = 8, SG_FORESTS = 3, SG_WOODS = 3, SG_CANDIDATES = SG_FINALISTS + SG_FORESTS + SG_WOODS + 4 };

/* How much is tried. */
typedef struct sg_plan {
    size_t settings, screened;    /* so many, on so many parts   */
    size_t finalists, folds;      /* then so many, on all parts  */
    size_t screen, length, looks; /* steps of the two, looks of the second */
    size_t forests;
    size_t woods;    /* of averaged trees, for an ensemble */
    bool recall;     /* of rows, in an ensemble     */
    size_t seeds;    /* of each member of a teacher */
    size_t student;  /* steps; 0: there is none     */
    size_t ensemble; /* seeds of each of an ensemble's rule bases; 0: there is none */
} sg_plan;

typedef struct sg_search {
    const sg_options *user;
    uint64_t seed;
    sg_plan plan;
    sg_choices choices;
    sg_ground ground;
    sg_watch watch;
    sg_pool *pool;
    sg_candidate *first; /* (settings): those that are tried first       */
    sg_candidate final[SG_CANDIDATES];
    size_t finals;                /* of these; trees come last                    */
    size_t best;                  /* of those of rules                            */
    double weight[SG_CANDIDATES]; /* in the committee     */
    double together;              /* its error                                    */
    double recalled;              /* with what is known of rows that come again; INFINITY: that is not worth it */
} sg_search;

/* `rows` must be usable, and outlive it. Its parts are made by sg_ground_fold, plan.folds of them. */
sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_stop_fn *stop, void *arg);
void sg_search_release(sg_search *s);
/* Rules of a student. */
size_t sg_search_student(const sg_search *s);
/* Stopped, it knows what it knows: best is a finalist then, whose error may be INFINITY. */
sg_status sg_search_run(sg_search *s);

#endif
