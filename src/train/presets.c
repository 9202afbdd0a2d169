/* presets.c: the systems of the paper, and ours, as rows of options.
 *
 * The defaults of the options table, all but that of --preset itself, are the paper's MBGD-RDA; a row says what is
 * different. */
#include "train/presets.h"

#include "sugeno.h"

/* What a search does not choose. */
#define SEARCHED                                                                                                       \
    "structure=cluster mf=gauss-a target=zscore loss=mean pca=0 optim=adam rate=0.02 schedule=cosine warmup=0.02 "     \
    "average=0.998 "                                                                                                   \
    "start=ridge clip=0.1"

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
    {"mbgd-rd-adam", "optim=adam", "mbgd-rda with Adam in place of AdaBound"},
    {"mbgd-rda-dropmf", "drop=mf", "mbgd-rda with DropMF in place of DropRule"},
    {"mbgd-rda-dropmembership", "drop=membership", "mbgd-rda with DropMembership in place of DropRule"},
    {"anfis-gd", "optim=jang l2=0 drop=none keep=1 batch=0", "ANFIS, gradient descent on all rows"},
    {"anfis-gd-lse", "optim=jang l2=0 drop=none keep=1 batch=0 consequents=lse",
     "ANFIS, Jang's hybrid: consequents by least squares"},
    {"anfis-gd-lse-r",
     "optim=jang l2=0.001 drop=none keep=1 batch=0 consequents=lse loss=mean target=zscore "
     "mf=gauss-a",
     "anfis-gd-lse with regularised least squares"},
    {"fcm-rda", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a final-rate=0.3",
     "mbgd-rda on all inputs, rules that own their MFs from fuzzy c-means"},
    {"fcm-rdpa", "structure=cluster centres=fcm target=zscore loss=mean pca=0 mf=gauss-a optim=adabelief power=0.5",
     "fcm-rda with Powerball and AdaBelief in place of AdaBound"},
    {"auto", SEARCHED, "chooses all that is not given, by validation inside of the training rows; at most 64 rules"},
    {"auto-ensemble", SEARCHED,
     "the committee that auto's student learns from, rules and boosted boxes, as one model of many blocks"},
};

const sg_preset *sg_preset_table(size_t *count)
{
    *count = sizeof presets / sizeof *presets;
    return presets;
}

const char *sg_preset_name(size_t i) { return i < sizeof presets / sizeof *presets ? presets[i].name : NULL; }
