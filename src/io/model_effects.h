/* model_effects.h: the effects of inputs in a model file. They may be absent. */
#ifndef SG_IO_MODEL_EFFECTS_H
#define SG_IO_MODEL_EFFECTS_H

#include "base/text.h"
#include "io/json_reader.h"
#include "model/model.h"

/* Whether there are any. */
bool sg_model_effects_exist(const sg_json_value *root);
/* Appends them to the coding of the inputs. */
sg_status sg_model_effects_read(const sg_json_value *root, sg_encoder *c);
/* Ranges and means of the derived inputs; m has its coding. */
sg_status sg_model_effects_read_ranges(const sg_json_value *root, sg_model *m);
/* All of it, with a comma at the end; nothing where there are none. */
void sg_model_effects_write(sg_text *t, const sg_model *m);

#endif
