/* claim_checks.h: the kinds of claims (claims.c has the table). In each, a and b are the claim's.
 */
#ifndef PAPER_CLAIM_CHECKS_H
#define PAPER_CLAIM_CHECKS_H

#include "claims.h"

typedef void claim_check(const sight *s, const claim *c, when w, finding *out);

/* On so many datasets, compared by test RMSE: */
claim_check check_smaller;     /* a is smaller than each of b                                */
claim_check check_clearly_smaller; /* so, beyond the spread                                  */
claim_check check_largest;     /* a is larger than each of b                                 */
claim_check check_not_larger;  /* a is not clearly larger than b                             */
claim_check check_not_clear;   /* neither is clearly smaller                                 */
claim_check check_comparable;  /* each of b differs from a by less than a's spread over splits */
claim_check check_one_is_best; /* one of a is smaller than all of b                          */
claim_check check_only_one;    /* a beats b's first on all, and no other of b does; final     */
claim_check check_worst_case;  /* a's smallest improvement over mbgd is larger than b's      */

/* By the course of the curves: */
claim_check check_faster;          /* a has the best final RMSE of b in half of the iterations    */
claim_check check_not_later;       /* a is within 5 % of its best no later than b of its own      */
claim_check check_train_smaller;   /* by training RMSE at the end                                 */
claim_check check_rougher;         /* a moves more than twice as much in one iteration as b       */
claim_check check_rises_and_falls; /* the rate                                                  */
claim_check check_rate_smaller;    /* a's last rate is smaller than b's                         */
claim_check check_rate_falls;      /* to a tenth of the first within 100 iterations             */

/* Others: */
claim_check check_parameters; /* 2 M Mm + (M + 1) Mm^M of them                                  */
claim_check check_time;       /* a takes less CPU time than each of b (rr: a tenth)             */
claim_check check_grid;       /* a: dataset, b: beginning of the names of a grid of algorithms  */
claim_check check_one_hot;    /* a: algorithm, b: dataset                                       */
claim_check check_svr_time;

#endif
