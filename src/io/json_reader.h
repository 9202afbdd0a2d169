/* json_reader.h: taking JSON apart with sentences that name the place. */
#ifndef SG_IO_JSON_READER_H
#define SG_IO_JSON_READER_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>

/* A value and where it stands: "m.json: blocks[0].mfs". */
typedef struct sg_json_value {
    json_t *value;
    char path[320];
} sg_json_value;

/* The member or item, of the given type; a failure says what was expected. */
sg_status sg_json_member(const sg_json_value *of, const char *key, json_type type, sg_json_value *out);
sg_status sg_json_item(const sg_json_value *of, size_t i, json_type type, sg_json_value *out);
size_t sg_json_array_size(const sg_json_value *array);
bool sg_json_has(const sg_json_value *of, const char *key);

/* A finite number of at most SG_MODEL_MAX_ABS. */
sg_status sg_json_number(const sg_json_value *of, const char *key, double *out);
/* A whole number within [low, high]. */
sg_status sg_json_integer(const sg_json_value *of, const char *key, long low, long high, long *out);
sg_status sg_json_item_integer(const sg_json_value *of, size_t i, long low, long high, long *out);
/* A text that is not empty; it belongs to the JSON. */
sg_status sg_json_string(const sg_json_value *of, const char *key, const char **out);
/* An array of exactly n numbers, out[0], out[stride], ... */
sg_status sg_json_numbers(const sg_json_value *array, size_t n, double *out, size_t stride);

#endif
