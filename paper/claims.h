/* claims.h: what the paper says that can be measured, and what we measured. */
#ifndef PAPER_CLAIMS_H
#define PAPER_CLAIMS_H

#include "plan.h"
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
    EXACTLY = 1,  /* the paper counted so many; without: that or more             */
    ONCE = 2,     /* it is not about the test RMSE at one iteration: w is ignored */
    ABLATION = 4, /* a claim that did not hold, with one thing changed            */
    VARIANT = 8   /* of the claim above it, or not in the paper: not counted      */
};

/* How one dataset answers to a claim. */
typedef struct answer {
    int seen;             /* all cells are there */
    int yes;              /* by the means */
    int clear;            /* beyond the spread over splits */
    double figure;        /* of which the median over the datasets is reported ... */
    const char *reported; /* ... in these words ("%g iterations"), unless NULL */
} answer;

typedef struct claim claim;
typedef answer claim_ask(const sight *s, const claim *c, when w, size_t set);
typedef void claim_check(const sight *s, const claim *c, when w, finding *out);

struct claim {
    const char *name;     /* an ablation has that of the claim which it changes */
    const char *place;    /* in the paper: "Fig. 2"; of an ablation: its experiment */
    const char *sentence; /* the claim, in our words */
    claim_ask *ask;       /* asked of each dataset and counted; or NULL, and */
    claim_check *check;   /* asked once */
    const char *a, *b;    /* algorithms, b a list: what they are to each other is theirs */
    size_t number, of;    /* on how many of how many datasets */
    int flags;
};

/* What was found; w says which iteration's test RMSE counts. */
void claim_find(const sight *s, const claim *c, when w, finding *out);
/* Those of claims.csv, checked; *out is to be freed, what it points to is the catalogue's. */
sg_status claims_read(const catalogue *c, claim **out, size_t *count);

/* NULL where the dataset (by its place in the catalogue) or the algorithm was not run. */
const cell *sight_cell(const sight *s, size_t set, const char *by);

#endif
