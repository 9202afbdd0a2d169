/* claim_kinds.h: what the table of claims asks. a and b are the claim's algorithms. */
#ifndef PAPER_CLAIM_KINDS_H
#define PAPER_CLAIM_KINDS_H

#include "claims.h"

/* Of each dataset (claim_asks.c), by test RMSE: */
claim_ask ask_smaller;     /* a is smaller than each of b                                */
claim_ask ask_largest;     /* a is larger than each of b                                 */
claim_ask ask_not_larger;  /* a is not larger than b by more than its spread over splits  */
claim_ask ask_comparable;  /* each of b differs from a by less than a's spread over splits */
claim_ask ask_one_is_best; /* one of a is smaller than all of b                          */

/* By the course of the curves: */
claim_ask ask_faster;          /* a has the best final RMSE of b in half of the iterations   */
claim_ask ask_below;           /* a is below b in every iteration                            */
claim_ask ask_much_sooner;     /* a is there in half of the iterations of b: see not_later   */
claim_ask ask_not_later;       /* a is as soon as b within 5 % of the worse of their bests   */
claim_ask ask_train_smaller;   /* by training RMSE at the end                                */
claim_ask ask_oscillates;      /* a moves back and forth more than twice as much as b        */
claim_ask ask_rises_and_falls; /* the rate                                                   */
claim_ask ask_rate_smaller;    /* a's rate is smaller than b's over the second half          */
claim_ask ask_rate_falls;      /* to a tenth of the first within 100 iterations              */

/* By CPU time (of rr: ten times that): */
claim_ask ask_time;       /* a takes less for training and scoring than each of b       */
claim_ask ask_train_time; /* for training                                               */

/* Once (claim_checks.c): */
claim_check check_only_one;   /* a is below b's first in every iteration on all sets, no other of b is */
claim_check check_worst_case; /* a's smallest improvement over mbgd is larger than b's      */
claim_check check_parameters; /* 2 M Mm + (M + 1) Mm^M of them                              */
claim_check check_grid;       /* a: dataset, b: beginning of the names of a grid            */
claim_check check_one_hot;    /* a: algorithm, b: dataset                                   */
claim_check check_svr_time;   /* on the largest dataset                                     */

#endif
