/* model_json.h: pieces of a model file as text. */
#ifndef SG_IO_MODEL_JSON_H
#define SG_IO_MODEL_JSON_H

#include "base/text.h"

/* [x[0], x[stride], ...], n of them. */
void sg_json_write_numbers(sg_text *t, const double *x, size_t n, size_t stride);
/* , "name": value */
void sg_json_write_number(sg_text *t, const char *name, double value);

#endif
