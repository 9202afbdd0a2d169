/* model_calibration.h: what a model file says of how sure the model is. All of it may be absent. */
#ifndef SG_IO_MODEL_CALIBRATION_H
#define SG_IO_MODEL_CALIBRATION_H

#include "base/text.h"
#include "io/json_reader.h"
#include "model/model.h"

sg_status sg_model_calibration_read(const sg_json_value *root, sg_model *m);
/* All of it, with a comma at the end; nothing where nothing is known. */
void sg_model_calibration_write(sg_text *t, const sg_model *m);

#endif
