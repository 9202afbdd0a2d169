/* claim_tally.h: counting a question's answers over the datasets. */
#ifndef PAPER_CLAIM_TALLY_H
#define PAPER_CLAIM_TALLY_H

#include "claims.h"
#include "words.h"

enum { MOST_SETS = 64 };

typedef struct tally {
    size_t sets, yes, clear_yes, clear_no;
    double figure[MOST_SETS];
    const char *reported;
    text on, not_on; /* the datasets */
} tally;

tally tally_count(const sight *s, const claim *c, when w, claim_ask *ask);
void tally_free(tally *t);
/* Judges by the claim's number, and frees what t holds. */
void tally_report(const claim *c, tally *t, finding *out);

#endif
