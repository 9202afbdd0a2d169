/* model_inputs.h: the inputs of a model file, numbers and categories. */
#ifndef SG_IO_MODEL_INPUTS_H
#define SG_IO_MODEL_INPUTS_H

#include "io/json_reader.h"
#include "model/model.h"

/* The coding of the list of inputs; NULL where none of them is a category, unless it is needed anyway. */
sg_status sg_model_inputs_read_encoder(const sg_json_value *list, bool needed, sg_encoder **out);
/* Names of all features; each is to be freed, and *out. */
sg_status sg_model_inputs_read_names(const sg_json_value *list, const sg_encoder *c, char ***out, size_t *count);
/* Of one: low and high, in this order. */
sg_status sg_json_range(const sg_json_value *item, double *low, double *high);
/* Ranges; m has its coding, if there is one. */
sg_status sg_model_inputs_read_ranges(const sg_json_value *list, sg_model *m);
/* The inputs' means may be absent: they came later, and a model can be written by hand. Then they are those
 * of a z-score, or the middle of the range. m has its view a. */
sg_status sg_model_inputs_read_means(const sg_json_value *list, sg_model *m);
/* Quantiles may be absent, of all inputs. */
sg_status sg_model_inputs_read_quantiles(const sg_json_value *list, sg_model *m);

#endif
