/* json.h: taking JSON apart with sentences that name the place. */
#ifndef SG_IO_JSON_H
#define SG_IO_JSON_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>

/* A value and where it stands: "m.json: blocks[0].mfs". */
typedef struct sg_json {
    json_t *value;
    char where[320];
} sg_json;

/* The member or item, of the given type; a failure says what was expected. */
sg_status sg_json_member(const sg_json *of, const char *key, json_type type, sg_json *out);
sg_status sg_json_item(const sg_json *of, size_t i, json_type type, sg_json *out);
size_t sg_json_size(const sg_json *array);
bool sg_json_has(const sg_json *of, const char *key);

/* A finite number of at most SG_LARGEST. */
sg_status sg_json_number(const sg_json *of, const char *key, double *out);
/* A whole number within [low, high]. */
sg_status sg_json_whole(const sg_json *of, const char *key, long low, long high, long *out);
sg_status sg_json_item_whole(const sg_json *of, size_t i, long low, long high, long *out);
/* A text that is not empty; it belongs to the JSON. */
sg_status sg_json_text(const sg_json *of, const char *key, const char **out);
/* An array of exactly n numbers, out[0], out[stride], ... */
sg_status sg_json_numbers(const sg_json *array, size_t n, double *out, size_t stride);

#endif
