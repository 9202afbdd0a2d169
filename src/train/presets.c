/* presets.c: the table of presets: the paper's systems and ours as sets of option values.
 *
 * The defaults in option_table.c, except that of --preset itself, are the paper's MBGD-RDA. A preset lists only values
 * that differ from them. */
#include "train/train_config.h"

/* Values that the search does not vary. */
#define SEARCHED                                                                                                       \
    "structure=cluster mf=gauss-a target=zscore loss=mean pca=0 optim=adam rate=0.02 schedule=cosine warmup=0.02 "     \
    "average=0.998 start=ridge clip=0.1"

static const sg_preset presets[] = {
    {"rr", "structure=linear consequents=lse drop=none keep=1 batch=0 iters=1",
     "ridge regression: one rule without conditions"},
    {"mbgd", "optim=jang l2=0 drop=none keep=1", "mini-batch gradient descent with Jang's step"},
    {"mbgd-r", "optim=jang drop=none keep=1", "mbgd with regularisation"},
    {"mbgd-d", "optim=jang l2=0", "mbgd with DropRule"},
    {"mbgd-rd", "optim=jang", "mbgd with regularisation and DropRule"},
    {"mbgd-a", "l2=0 drop=none keep=1", "mbgd with AdaBound"},
    {"mbgd-ra", "drop=none keep=1", "mbgd with regularisation and AdaBound"},
    {"mbgd-rda", "", "mbgd with regularisation, DropRule and AdaBound: the paper's system"},
    {"mbgd-rd-adam", "optim=adam", "mbgd-rda with Adam instead of AdaBound"},
    {"mbgd-rda-dropmf", "drop=mf", "mbgd-rda with DropMF instead of DropRule"},
    {"mbgd-rda-dropmembership", "drop=membership", "mbgd-rda with DropMembership instead of DropRule"},
    {"anfis-gd", "optim=jang l2=0 drop=none keep=1 batch=0", "ANFIS: gradient descent on all rows"},
    {"anfis-gd-lse", "optim=jang l2=0 drop=none keep=1 batch=0 consequents=lse",
     "ANFIS with Jang's hybrid learning: consequents by least squares"},
    {"anfis-gd-lse-r",
     "optim=jang l2=0.001 drop=none keep=1 batch=0 consequents=lse loss=mean target=zscore "
     "mf=gauss-a",
     "anfis-gd-lse with regularised least squares"},
    {"fcm-rda", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a final-rate=0.3",
     "mbgd-rda on all inputs, with rules from fuzzy c-means"},
    {"fcm-rdpa", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a optim=adabelief power=0.5",
     "fcm-rda with Powerball and AdaBelief instead of AdaBound"},
    {"auto", SEARCHED,
     "searches for the best values of all options that are not given, by validation inside the training rows; at most "
     "64 rules"},
    {"auto-ensemble", SEARCHED,
     "an ensemble of the best rule bases and boosted soft trees as one model of many blocks: more accurate, not "
     "readable"},
};

const sg_preset *sg_preset_table(size_t *count)
{
    *count = sizeof presets / sizeof *presets;
    return presets;
}

const char *sg_preset_name(size_t i) { return i < sizeof presets / sizeof *presets ? presets[i].name : NULL; }
