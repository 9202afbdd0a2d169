/* model_inputs.h: the inputs of a model file, numbers and categories. */
#ifndef SG_IO_MODEL_INPUTS_H
#define SG_IO_MODEL_INPUTS_H

#include "io/json.h"
#include "model/model.h"

/* The coding of the list of inputs; NULL where none of them is a category, unless it is needed anyway. */
sg_status sg_inputs_coding(const sg_json *list, bool needed, sg_coding **out);
/* Names of all features; each is to be freed, and *out. */
sg_status sg_inputs_names(const sg_json *list, const sg_coding *c, char ***out, size_t *count);
/* Of one: low and high, in this order. */
sg_status sg_inputs_range(const sg_json *item, double *low, double *high);
/* Ranges; m has its coding, if there is one. */
sg_status sg_inputs_ranges(const sg_json *list, sg_model *m);
/* The inputs' means may be absent: they came later, and a model can be written by hand. Then they are those
 * of a z-score, or the middle of the range. m has its view a. */
sg_status sg_inputs_means(const sg_json *list, sg_model *m);
/* Quantiles may be absent, of all inputs. */
sg_status sg_inputs_quantiles(const sg_json *list, sg_model *m);

#endif
