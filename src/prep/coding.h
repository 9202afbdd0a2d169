/* coding.h: how the inputs of a model, as its user knows them, become the numbers that its views see.
 *
 * An input of numbers is one feature: itself. A category is one feature for each of its levels: 1 where it is
 * that level, 0 where it is another, NaN where it is missing, so that nothing but numbers comes after this. Rare
 * levels may be pooled: then the last feature is 1 for all that are not listed, those never seen among them. After the
 * features of the inputs come derived ones, the effects of some inputs of numbers. */
#ifndef SG_PREP_CODING_H
#define SG_PREP_CODING_H

#include "prep/effect.h"

/* Features of one category, at most. */
enum { SG_CODED_MOST = 32 };

typedef struct sg_coded {
    char *name;
    size_t first;  /* of its features                           */
    size_t levels; /* that are listed; 0: an input of numbers   */
    char **level;  /* (levels): texts; a number is in its shortest form */
    double *value; /* (levels): of a text that is a number, else NaN    */
    bool pooled;   /* one more feature, for all others          */
} sg_coded;

typedef struct sg_coding {
    size_t inputs, room, features;
    sg_coded *input;
    size_t effects, effect_room;
    sg_effect *effect; /* the last features */
} sg_coding;

/* A level that was counted in the training rows. */
typedef struct sg_level_count {
    const char *text;
    size_t rows;
} sg_level_count;

/* An empty one; NULL without memory. */
sg_coding *sg_coding_new(void);
void sg_coding_free(sg_coding *c);
sg_coding *sg_coding_copy(const sg_coding *c);

/* Appends an input. Texts are copied; levels stay in their order. SG_EDATA where a level is there twice, or
 * there are none or too many: without the place, which the caller knows. */
sg_status sg_coding_number(sg_coding *c, const char *name);
sg_status sg_coding_category(sg_coding *c, const char *name, const char *const *level, size_t levels, bool pooled);
/* The same with the levels that occur: numbers by value, then words by bytes; of too many the most frequent
 * ones, and the others pooled. Whatever the order of the counts, it is the same. Two texts of one number are one level.
 */
sg_status sg_coding_counted(sg_coding *c, const char *name, const sg_level_count *count, size_t n);
/* Appends an effect of an input of numbers, and takes it over, also on failure. No input may follow. */
sg_status sg_coding_effect(sg_coding *c, sg_effect *e);
/* Leaves out the features without keep[feature], and inputs that have no others: none of which effects are kept. */
void sg_coding_keep(sg_coding *c, const bool *keep);

size_t sg_coded_features(const sg_coded *in);
/* How many inputs are categories. */
size_t sg_coding_categories(const sg_coding *c);
/* Which level a text is, or a number that stands for itself; in->levels where it is none that is listed. */
size_t sg_coded_text(const sg_coded *in, const char *text);
size_t sg_coded_value(const sg_coded *in, double value);
/* Its features for a level; any number that is no level: one that is not listed. NaN: missing. */
void sg_coded_put(const sg_coded *in, double level, double *feature);
/* One row: x (inputs), with the numbers of levels for categories, to (features). */
void sg_coding_apply(const sg_coding *c, const double *x, double *feature);

/* Features that are no effects. */
static inline size_t sg_coding_plain(const sg_coding *c) { return c->features - c->effects; }
/* The input that a feature is of. */
const sg_coded *sg_coding_of(const sg_coding *c, size_t feature);
/* What a feature is called: "length", "sex is M", "effect of length". It is to be freed; NULL without memory. */
char *sg_coding_feature(const sg_coding *c, size_t feature);
/* What level i is called, among them the pooled one, which is "other" or, if a level is called so, "any other". To be
 * freed. */
char *sg_coded_level(const sg_coded *in, size_t i);
/* A hash of all names and levels, in their order. */
uint64_t sg_coding_hash(const sg_coding *c);

#endif
