/* claims.h: what the paper says that can be measured, and what we measured. */
#ifndef PAPER_CLAIMS_H
#define PAPER_CLAIMS_H

#include "summary.h"

typedef enum verdict {
    HOLDS,
    IN_SPREAD, /* it would hold if differences within the spread over splits fell its way */
    FAILS,
    NOT_SEEN, /* datasets or experiments are missing */
    VERDICTS
} verdict;
extern const char *const verdict_names[VERDICTS];

typedef struct finding {
    verdict verdict;
    char text[400];
} finding;

/* What a claim is checked on. */
typedef struct sight {
    const catalogue *catalogue;
    const plan *plan;
    preprocessing preprocessing;
} sight;

enum {
    EXACTLY = 1, /* the paper counted so many; without: that or more           */
    ONCE = 2     /* it is not about the test RMSE at one iteration: w is ignored */
};

typedef struct claim claim;
struct claim {
    const char *sentence; /* the paper's claim, in our words */
    /* Writes the finding; w says which iteration's test RMSE counts. */
    void (*check)(const sight *s, const claim *c, when w, finding *out);
    const char *a, *b; /* algorithms, b a list: what they are to each other is check's business */
    size_t number, of; /* on how many of how many datasets */
    int flags;
};

const claim *claim_table(size_t *count);
/* Claims that did not hold, with one thing changed. */
const claim *ablation_table(size_t *count);

/* NULL where the dataset (by its place in the catalogue) or the algorithm was not run. */
const cell *sight_cell(const sight *s, size_t set, const char *by);

#endif
