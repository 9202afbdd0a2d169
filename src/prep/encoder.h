/* encoder.h: how the inputs of a model, as its user knows them, become the numbers that its views see.
 *
 * An input of numbers is one feature: itself. A category is one feature for each of its levels: 1 where it is
 * that level, 0 where it is another, NaN where it is missing, so that nothing but numbers comes after this. Rare
 * levels may be pooled: then the last feature is 1 for all that are not listed, those never seen among them. After the
 * features of the inputs come derived ones, the effects of some inputs of numbers. */
#ifndef SG_PREP_ENCODER_H
#define SG_PREP_ENCODER_H

#include "prep/univariate_effect.h"

/* Features of one category, at most. */
enum { SG_ONE_HOT_MAX = 32 };

typedef struct sg_encoded_input {
    char *name;
    size_t first_feature; /* of its features                           */
    size_t levels;        /* that are listed; 0: an input of numbers   */
    char **level;         /* (levels): texts; a number is in its shortest form */
    double *value;        /* (levels): of a text that is a number, else NaN    */
    bool pooled;          /* one more feature, for all others          */
} sg_encoded_input;

typedef struct sg_encoder {
    size_t inputs, capacity, features;
    sg_encoded_input *input;
    size_t effects, effect_capacity;
    sg_effect *effect; /* the last features */
} sg_encoder;

/* A level that was counted in the training rows. */
typedef struct sg_level_count {
    const char *text;
    size_t rows;
} sg_level_count;

/* An empty one; NULL without memory. */
sg_encoder *sg_encoder_new(void);
void sg_encoder_free(sg_encoder *c);
sg_encoder *sg_encoder_copy(const sg_encoder *c);

/* Appends an input. Texts are copied; levels stay in their order. SG_EDATA where a level is there twice, or
 * there are none or too many: without the place, which the caller knows. */
sg_status sg_encoder_add_number(sg_encoder *c, const char *name);
sg_status sg_encoder_add_category(sg_encoder *c, const char *name, const char *const *level, size_t levels,
                                  bool pooled);
/* The same with the levels that occur: numbers by value, then words by bytes; of too many the most frequent
 * ones, and the others pooled. Whatever the order of the counts, it is the same. Two texts of one number are one level.
 */
sg_status sg_encoder_add_counted_category(sg_encoder *c, const char *name, const sg_level_count *count, size_t n);
/* Appends an effect of an input of numbers, and takes it over, also on failure. No input may follow. */
sg_status sg_encoder_add_effect(sg_encoder *c, sg_effect *e);
/* Leaves out the features without keep[feature], and inputs that have no others: none of which effects are kept. */
void sg_encoder_select_features(sg_encoder *c, const bool *keep);

size_t sg_encoded_input_features(const sg_encoded_input *in);
/* How many inputs are categories. */
size_t sg_encoder_category_count(const sg_encoder *c);
/* Which level a text is, or a number that stands for itself; in->levels where it is none that is listed. */
size_t sg_encoded_input_find_text(const sg_encoded_input *in, const char *text);
size_t sg_encoded_input_find_value(const sg_encoded_input *in, double value);
/* Its features for a level; any number that is no level: one that is not listed. NaN: missing. */
void sg_encoded_input_one_hot(const sg_encoded_input *in, double level, double *feature);
/* One row: x (inputs), with the numbers of levels for categories, to (features). */
void sg_encoder_apply(const sg_encoder *c, const double *x, double *feature);

/* Features that are no effects. */
static inline size_t sg_encoder_base_features(const sg_encoder *c) { return c->features - c->effects; }
/* The input that a feature is of. */
const sg_encoded_input *sg_encoder_feature_input(const sg_encoder *c, size_t feature);
/* What a feature is called: "length", "sex is M", "effect of length". It is to be freed; NULL without memory. */
char *sg_encoder_feature_name(const sg_encoder *c, size_t feature);
/* What level i is called, among them the pooled one, which is "other" or, if a level is called so, "any other". To be
 * freed. */
char *sg_encoded_input_level_name(const sg_encoded_input *in, size_t i);
/* A hash of all names and levels, in their order. */
uint64_t sg_encoder_hash(const sg_encoder *c);

#endif
