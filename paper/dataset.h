/* dataset.h: a dataset's file, found, checked and changed as an experiment wants it. */
#ifndef PAPER_DATASET_H
#define PAPER_DATASET_H

#include "catalogue.h"

/* Opens the dataset in the folder as it is, and in every variant that is wanted (wanted[v] != 0).
 * SG_EIO where there is no such file: the sentence then says what to put there. */
sg_status dataset_open(dataset *d, const char *folder, const int wanted[VARIANTS]);

#endif
