/* model_json_parts.h: parts of a model file that model_read.c and model_write.c share: inputs (inputs_json.c), effects
 * (effect_tables_json.c), curves and pairs (curves_json.c), calibration (calibration_json.c) and the frontier of the
 * search (frontier_json.c). */
#pragma once

#include "base/text.h"
#include "io/json_value.h"
#include "model/model.h"

/* Ends line i of n in an array. The last line gets no comma. */
static inline void sg_json_end_line(sg_text *t, size_t i, size_t n) { sg_text_append(t, i + 1 < n ? ",\n" : "\n"); }

/* --- inputs --- */

/* Reads the encoder from the array of inputs. *out is NULL if no input is categorical and `needed` is false. */
sg_status sg_model_inputs_read_encoder(const sg_json_value *list, bool needed, sg_encoder **out);
/* Reads ranges, means, level frequencies and quantiles. Files of early versions and files written by hand may lack
 * means; a missing mean is replaced by that of the z-score, or by the middle of the range. Quantiles are optional, but
 * either all numeric inputs have them or none. m must have its encoder and its antecedents' pipeline. */
sg_status sg_model_inputs_read_stats(const sg_json_value *list, sg_model *m);
/* Writes the member "inputs" and a comma. */
void sg_model_inputs_write(sg_text *t, const sg_model *m);

/* --- effects (optional) --- */

bool sg_model_effects_exist(const sg_json_value *root);
/* Reads the effects, if any, into the encoder. */
sg_status sg_model_effects_read(const sg_json_value *root, sg_encoder *c);
/* Reads the ranges and means of the effects. m must have its encoder. */
sg_status sg_model_effects_read_ranges(const sg_json_value *root, sg_model *m);
/* Writes the member "effects" and a comma, or nothing if there are no effects. */
void sg_model_effects_write(sg_text *t, const sg_model *m);

/* --- calibration: prediction intervals and support (each optional) --- */

sg_status sg_model_calibration_read(const sg_json_value *root, sg_model *m);
/* Writes the members for which the model has data, each followed by a comma. */
void sg_model_calibration_write(sg_text *t, const sg_model *m);

/* --- curves and pairs (optional, format 2) --- */

bool sg_model_additive_exists(const sg_json_value *root);
/* Reads the structure and the statistics of the curves and pairs, if any, and checks the sizes of their parameters. m
 * must have its inputs and targets. */
sg_status sg_model_additive_read(const sg_json_value *root, sg_model *m);
/* Reads the parameters. Call it after sg_model_alloc_theta. */
sg_status sg_model_additive_read_parameters(const sg_json_value *root, sg_model *m);
/* Writes the members "curves" and "pairs", each followed by a comma, or nothing if there is no additive part. */
void sg_model_additive_write(sg_text *t, const sg_model *m);

/* --- frontier of the search (optional, format 2) --- */

sg_status sg_model_frontier_read(const sg_json_value *root, sg_frontier *f);
/* Writes the member "frontier" and a comma, or nothing if there are no points. */
void sg_model_frontier_write(sg_text *t, const sg_frontier *f);
