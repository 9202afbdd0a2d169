/* claims.c: the table of claims. How each kind is found out: claim_kinds.h. */
#include "claims.h"

#include "claim_kinds.h"

const char *const verdict_names[VERDICTS] = {"holds", "within the spread", "does not hold",
                                             "not evaluated"};

#define THE_FOUR "mbgd mbgd-r mbgd-d mbgd-rd"

/* In the order of the paper's sections. */
static const claim claims[] = {
    {"The system has 212 parameters, on PowerPlant (four inputs) 96.",                            NULL,                check_parameters,
     "mbgd-rda",                                                                                                                                              "",                                        10, 10, ONCE   },

 /* Fig. mean */
    {"Regularisation, DropRule or both change plain MBGD little (less than the standard deviation "
     "over splits, on all 10 datasets).",                                                    ask_comparable,      NULL,             "mbgd",              "mbgd-r mbgd-d mbgd-rd",                   10, 10, 0      },
    {"MBGD, MBGD-R, MBGD-D and MBGD-RD are all worse than RR on 7 of 10 datasets.",               ask_smaller,
     NULL,                                                                                                                               "rr",                THE_FOUR,                                  7,  10, EXACTLY},
    {"MBGD-RDA and MBGD-A are the best two of the seven: one of them has the smallest RMSE on "
     "every "
     "dataset.",                                                                             ask_one_is_best,     NULL,             "mbgd-rda mbgd-a",   "rr " THE_FOUR,                            10, 10, 0      },
    {"MBGD-A's best RMSE is smaller than RR's on 9 of 10 datasets.",                              ask_smaller,         NULL,             "mbgd-a",
     "rr",                                                                                                                                                                                               9,  10, 0      },
    {"MBGD-RDA's best RMSE is smaller than RR's on all 10 datasets.",                             ask_smaller,         NULL,             "mbgd-rda",
     "rr",                                                                                                                                                                                               10, 10, 0      },
    {"MBGD-RDA converges much faster than the four without AdaBound: it has their best final RMSE "
     "in "
     "less than half of the iterations.",                                                    ask_faster,          NULL,             "mbgd-rda",          THE_FOUR,                                  10, 10, ONCE   },
    {"So does MBGD-A.",                                                                           ask_faster,          NULL,             "mbgd-a",            THE_FOUR,                                  10, 10, ONCE   },
    {"MBGD-RDA outperforms MBGD-A (clearly) on 3 of 10 datasets.",                                ask_clearly_smaller, NULL,
     "mbgd-rda",                                                                                                                                              "mbgd-a",                                  3,  10, EXACTLY},
    {"On many of the other 7 the two are comparable: neither is better beyond the spread (4 or "
     "more).",                                                                               ask_not_clear,       NULL,             "mbgd-rda",          "mbgd-a",                                  4,  10, 0      },

 /* Fig. imp */
    {"MBGD-RDA's RMSE is smaller than that of each of the four without AdaBound on all 10 "
     "datasets.",                                                                            ask_smaller,         NULL,             "mbgd-rda",          THE_FOUR,                                  10, 10, 0      },
    {"Of the five enhancements only MBGD-RDA improves on MBGD consistently, on all 10 datasets.",
     NULL,                                                                                                             check_only_one,   "mbgd-rda",          "mbgd mbgd-r mbgd-d mbgd-rd mbgd-a",       10, 10, 0      },
    {"MBGD-RDA is more stable than MBGD-A: over the datasets, its worst improvement over MBGD is "
     "the better one.",                                                                      NULL,                check_worst_case, "mbgd-rda",          "mbgd-a",                                  1,  1,  0      },

 /* Table of costs */
    {"RR is much faster than the others (ten times and more).",                                   NULL,                check_time,       "rr",
     THE_FOUR " mbgd-a mbgd-rda",                                                                                                                                                                        10, 10, ONCE   },
    {"MBGD-RDA is the fastest of the six that iterate, on all 10 datasets.",                      NULL,                check_time,
     "mbgd-rda",                                                                                                                                              THE_FOUR " mbgd-a",                        10, 10, ONCE   },

 /* Fig. sensitivity: b is the beginning of the names of the grid's points */
    {"MBGD-RDA is stable in a wide range of the batch size (half of the grid or more lies within 5 "
     "% "
     "of its best point).",                                                                  NULL,                check_grid,       "pm10",              "batch-",                                  1,  1,  0      },
    {"The same for the DropRule rate P.",                                                         NULL,                check_grid,       "pm10",              "keep-",                                   1,  1,  0      },
    {"The same for the initial learning rate.",                                                   NULL,                check_grid,       "pm10",              "rate-",                                   1,  1,  0      },
    {"The same for the regularisation coefficient.",                                              NULL,                check_grid,       "pm10",              "l2-",                                     1,  1,  0      },

 /* Fig. ANFIS: the six smaller sets */
    {"With all rows in a batch, MBGD-RDA converges much faster than ANFIS-GD (its final RMSE in "
     "less "
     "than half of the iterations), on all 6 datasets.",                                     ask_faster,          NULL,             "mbgd-rda-all-rows", "anfis-gd",                                6,  6,  ONCE   },
    {"Its best RMSE is always smaller than ANFIS-GD's.",                                          ask_smaller,         NULL,             "mbgd-rda-all-rows",
     "anfis-gd",                                                                                                                                                                                         6,  6,  0      },
    {"ANFIS-GD-LSE always has the smallest training RMSE.",                                       ask_train_smaller,   NULL,             "anfis-gd-lse",
     "anfis-gd mbgd-rda-all-rows",                                                                                                                                                                       6,  6,  ONCE   },
    {"ANFIS-GD-LSE's test RMSE is almost always (5 of 6) the largest.",                           ask_largest,         NULL,
     "anfis-gd-lse",                                                                                                                                          "anfis-gd mbgd-rda-all-rows",              5,  6,  0      },
    {"ANFIS-GD-LSE's test RMSE oscillates: more than twice as much from one iteration to the next "
     "as "
     "MBGD-RDA's.",                                                                          ask_rougher,         NULL,             "anfis-gd-lse",      "mbgd-rda-all-rows",                       6,  6,  ONCE   },
    {"With its overfitting reduced by regularisation, ANFIS-GD-LSE would be very effective on "
     "small "
     "sets (a conjecture): ANFIS-GD-LSE-R's RMSE is smaller than MBGD-RDA's.",               ask_smaller,         NULL,             "anfis-gd-lse-r",    "mbgd-rda-all-rows",                       6,  6,  0      },
    {"The learning rate of ANFIS-GD first rises, then falls.",                                    ask_rises_and_falls, NULL,
     "anfis-gd",                                                                                                                                              "",                                        6,  6,  ONCE   },
    {"So does that of ANFIS-GD-LSE.",                                                             ask_rises_and_falls, NULL,             "anfis-gd-lse",      "",                                        6,  6,  ONCE   },
    {"In the end ANFIS-GD-LSE's rate is almost always (5 of 6) below ANFIS-GD's.",                ask_rate_smaller,
     NULL,                                                                                                                               "anfis-gd-lse",      "anfis-gd",                                5,  6,  ONCE   },
    {"MBGD-RDA's mean rate is very high at first and falls fast: to a tenth of the first within "
     "100 "
     "iterations.",                                                                          ask_rate_falls,      NULL,             "mbgd-rda-all-rows", "",                                        6,  6,  ONCE   },

 /* Fig. drop, Fig. Adam */
    {"DropRule generally performs best: better than DropMF and DropMembership on most (6) of 10 "
     "datasets.",                                                                            ask_smaller,         NULL,             "mbgd-rda",          "mbgd-rda-dropmf mbgd-rda-dropmembership", 6,  10, 0      },
    {"DropMembership generally performs worst (6 of 10).",                                        ask_largest,         NULL,
     "mbgd-rda-dropmembership",                                                                                                                               "mbgd-rda mbgd-rda-dropmf",                6,  10, 0      },
    {"MBGD-RDA converges at least as fast as with Adam in place of AdaBound: it is within 5 % of "
     "its "
     "best no later, on all 10 datasets.",                                                   ask_not_later,       NULL,             "mbgd-rda",          "mbgd-rd-adam",                            10, 10, ONCE   },
    {"Its best RMSE is smaller than Adam's or comparable on most (6) datasets.",                  ask_not_larger,
     NULL,                                                                                                                               "mbgd-rda",          "mbgd-rd-adam",                            6,  10, 0      },

 /* Footnotes */
    {"One-hot coding of Abalone's sex makes the RMSE worse than leaving it out (MBGD-RDA).",      NULL,
     check_one_hot,                                                                                                                      "mbgd-rda",          "abalone",                                 1,  1,  0      },
    {"Support vector regression takes too long on the big sets: on the largest it needs more time "
     "than "
     "500 iterations of MBGD-RDA.",                                                          NULL,                check_svr_time,   "svr-default",       "mbgd-rda",                                1,  1,  ONCE   },
};

static const claim ablations[] = {
    {"Claim 3 where the rate of Jang's rule is lowered half as much: `--rate-down 0.9487`, the "
     "root of "
     "0.9. (The same as looking for up-down-up-down in every second iteration only.)", ask_smaller,   NULL,                                             "rr",                                         "mbgd-down mbgd-r-down mbgd-d-down mbgd-rd-down", 7, 10,          EXACTLY},
    {     "Claim 10 with the σ floor at a tenth of the smallest initial σ: `--sigma-floor 0.1`, as one "
     "version of the authors' program has it.",                                 ask_not_clear, NULL,                                             "mbgd-rda-floor",                             "mbgd-a-floor",                                   4, 10,          0},
    {     "Claim 15: without DropRule (`--preset mbgd-ra`) MBGD-RDA takes less time, on all 10 "
     "datasets: "
     "here, drawing which rules to drop costs more than it saves.",                                                                               NULL,                                   check_time, "mbgd-ra", "mbgd-rda",                                        10,                               10, ONCE},
};

const claim *claim_table(size_t *count)
{
    *count = sizeof claims / sizeof *claims;
    return claims;
}

const claim *ablation_table(size_t *count)
{
    *count = sizeof ablations / sizeof *ablations;
    return ablations;
}
