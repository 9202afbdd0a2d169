/* catalogue.h: what is run, as the tables beside the program say it: datasets.csv, algorithms.csv,
 * experiments.csv; what the paper itself reports, published.csv, and claims, claims.csv. */
#ifndef PAPER_CATALOGUE_H
#define PAPER_CATALOGUE_H

#include "sheet.h"

/* What is done to a dataset's rows before anything else. */
typedef enum variant {
    AS_IT_IS,
    UNIQUE,  /* rows that repeat an earlier one in all columns are left out */
    ONE_HOT, /* the column of words becomes a column of 0 and 1 for each word */
    VARIANTS
} variant;
extern const char *const variant_names[VARIANTS];

typedef struct dataset {
    const char *name, *label; /* "wine-red", "Wine-Red" */
    const char *file, *target;
    const char *features; /* columns, by spaces */
    const char *words;    /* a column of words among the raw features, or "" */
    size_t rows;          /* expected */
    const char *sha256, *source, *citation;
    char found[65]; /* the sha256 of the file that is there, "" where none is */
    size_t raw_features;
    sg_table *table[VARIANTS]; /* NULL where it was not needed or not found */
} dataset;

typedef struct algorithm {
    const char *name, *label;
    const char *settings; /* "option=value ..."; svr=search|default: support vectors instead */
} algorithm;

typedef struct experiment {
    const char *name;
    const char *datasets, *algorithms, *preprocessing; /* words; datasets may be "*" */
    variant variant;
    size_t repeats, iterations, every; /* the test rows are scored in every every-th iteration */
} experiment;

typedef struct catalogue {
    sheet sheet[5]; /* what the texts below point into; the last one is claims.csv */
    size_t datasets, algorithms, experiments;
    dataset *dataset;
    algorithm *algorithm;
    experiment *experiment;
} catalogue;

/* Reads the tables in the folder. *c is to be freed with catalogue_free, also on failure. */
sg_status catalogue_read(const char *folder, catalogue *c);
void catalogue_free(catalogue *c);
const algorithm *catalogue_algorithm(const catalogue *c, const char *name);
const sheet *catalogue_claims(const catalogue *c);
/* A figure that the paper reports ("rmse_500", "seconds"), or NaN. */
double catalogue_published(const catalogue *c, const char *data, const char *by, const char *what);

#endif
