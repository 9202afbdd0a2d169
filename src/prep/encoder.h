/* encoder.h: maps the inputs of a model, as the user names them, to numeric features.
 *
 * A numeric input is one feature. A categorical input is one-hot encoded: each level has a feature, which is 1 if the
 * row has that level, 0 if it has another, and NaN if the input is missing. Rare levels may be pooled: the last feature
 * is then 1 for every level that is not listed, including levels not seen in training. The features of the inputs are
 * followed by derived features: the effects of some numeric inputs. */
#pragma once

#include "prep/numeric_effect.h"

/* Maximum number of features of one categorical input. */
enum { SG_ONE_HOT_MAX = 32 };

typedef struct sg_encoded_input {
    char *name;
    size_t first_feature;
    size_t levels; /* number of listed levels, or 0 for a numeric input */
    char **level;  /* (levels) level names; numbers in their shortest form */
    double *value; /* (levels) value of a level that is a number, or NaN */
    bool pooled;   /* has one more feature, for all levels that are not listed */
} sg_encoded_input;

typedef struct sg_encoder {
    size_t inputs, capacity, features;
    sg_encoded_input *input;
    size_t effects, effect_capacity;
    sg_effect *effect; /* (effects) they give the last features */
} sg_encoder;

/* A level and the number of training rows that have it. */
typedef struct sg_level_count {
    const char *text;
    size_t rows;
} sg_level_count;

/* Returns an empty encoder, or NULL if out of memory. */
sg_encoder *sg_encoder_new(void);
void sg_encoder_free(sg_encoder *c);
sg_encoder *sg_encoder_copy(const sg_encoder *c);

/* Append an input, and copy its name and its levels in the given order. Fail with SG_EDATA if a level is repeated, or
 * if there are no levels or too many. The message does not say where the error is; the caller adds that. */
sg_status sg_encoder_add_number(sg_encoder *c, const char *name);
sg_status sg_encoder_add_category(sg_encoder *c, const char *name, const char *const *level, size_t levels,
                                  bool pooled);
/* Appends a categorical input with the levels that occur: first numbers, sorted by value, then words, sorted by bytes.
 * If there are too many levels, the most frequent ones are listed and the others pooled. The result does not depend on
 * the order of the counts. Texts that represent the same number are one level. */
sg_status sg_encoder_add_counted_category(sg_encoder *c, const char *name, const sg_level_count *count, size_t n);
/* Appends an effect of a numeric input. Takes ownership of e, even on failure. No input may be added afterwards. */
sg_status sg_encoder_add_effect(sg_encoder *c, sg_effect *e);
/* Drops the features with keep[feature] == false, and inputs that keep no feature. An input whose effect is kept must
 * keep a feature of its own. */
void sg_encoder_select_features(sg_encoder *c, const bool *keep);

size_t sg_encoded_input_features(const sg_encoded_input *in);
size_t sg_encoder_category_count(const sg_encoder *c);
/* Return the index of a level, or in->levels if it is not listed. A text that represents a number is found by value. */
size_t sg_encoded_input_find_text(const sg_encoded_input *in, const char *text);
size_t sg_encoded_input_find_value(const sg_encoded_input *in, double value);
/* Writes the one-hot features for a level index. Any other number means an unlisted level, and NaN means a missing
 * value. */
void sg_encoded_input_one_hot(const sg_encoded_input *in, double level, double *feature);
/* Encodes one row x (inputs), which holds level indices for categorical inputs, as feature (features). */
void sg_encoder_apply(const sg_encoder *c, const double *x, double *feature);

/* Returns the number of features that are not effects. */
static inline size_t sg_encoder_base_features(const sg_encoder *c) { return c->features - c->effects; }
/* Returns the input that a feature is derived from. */
const sg_encoded_input *sg_encoder_feature_input(const sg_encoder *c, size_t feature);
/* Returns the name of a feature ("length", "sex is M", "effect of length"), which the caller frees, or NULL if out of
 * memory. */
char *sg_encoder_feature_name(const sg_encoder *c, size_t feature);
/* Returns the name of level i, which the caller frees, or NULL if out of memory. The pooled level is called "other", or
 * "any other" if a listed level has that name. */
char *sg_encoded_input_level_name(const sg_encoded_input *in, size_t i);
/* Returns a hash of all names and levels, in order. */
uint64_t sg_encoder_hash(const sg_encoder *c);
