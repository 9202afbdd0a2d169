/* json_value.h: typed access to parsed JSON. Error messages give the position. */
#pragma once

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>

/* A value and its position, such as "m.json: blocks[0].mfs". */
typedef struct sg_json_value {
    json_t *value;
    char path[320];
} sg_json_value;

/* Get a member of an object, or an item of an array. Fail if it is missing or not of the given type; JSON_REAL stands
 * for any number. */
sg_status sg_json_member(const sg_json_value *of, const char *key, json_type type, sg_json_value *out);
sg_status sg_json_item(const sg_json_value *of, size_t i, json_type type, sg_json_value *out);
size_t sg_json_array_size(const sg_json_value *array);
bool sg_json_has(const sg_json_value *of, const char *key);
/* Returns whether any item of the array is an object with this member. */
bool sg_json_any_has(const sg_json_value *array, const char *key);

/* Gets a member that is a number. Fails if its magnitude is above SG_MODEL_MAX_ABS. */
sg_status sg_json_number(const sg_json_value *of, const char *key, double *out);
/* Gets the members "low" and "high". Fails unless low <= high. */
sg_status sg_json_range(const sg_json_value *of, double *low, double *high);
/* Get a member or an item that is an integer. Fail unless it is in [low, high]. */
sg_status sg_json_integer(const sg_json_value *of, const char *key, long low, long high, long *out);
sg_status sg_json_item_integer(const sg_json_value *of, size_t i, long low, long high, long *out);
/* Gets a member that is a non-empty string. The string belongs to the JSON document. */
sg_status sg_json_string(const sg_json_value *of, const char *key, const char **out);
/* Gets a member that is an array of `least` to `most` items. `what` names the items in the error message. */
sg_status sg_json_array(const sg_json_value *of, const char *key, size_t least, size_t most, const char *what,
                        sg_json_value *out);
/* Fails unless the array has exactly n items. */
sg_status sg_json_check_size(const sg_json_value *array, size_t n, const char *what);
/* Read an array of exactly n numbers into out[0], out[stride], ... */
sg_status sg_json_numbers(const sg_json_value *array, size_t n, double *out, size_t stride);
sg_status sg_json_member_numbers(const sg_json_value *of, const char *key, size_t n, double *out);
/* Fails unless a member is an array of `rows` arrays of `columns` numbers each. Call it before allocating such a
 * matrix, so that a small file cannot cause a large allocation. */
sg_status sg_json_check_matrix(const sg_json_value *of, const char *key, size_t rows, size_t columns);
/* Reads a member that is an array of `rows` arrays of `columns` numbers. Element k of array i becomes
 * out[k * rows + i]. This is how parameters are stored: all outputs of a consequent are adjacent. */
sg_status sg_json_member_transposed(const sg_json_value *of, const char *key, size_t rows, size_t columns, double *out);
