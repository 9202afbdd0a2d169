/* model_sure.h: what a model file says of how sure the model is. All of it may be absent. */
#ifndef SG_IO_MODEL_SURE_H
#define SG_IO_MODEL_SURE_H

#include "base/text.h"
#include "io/json.h"
#include "model/model.h"

sg_status sg_sure_read(const sg_json *root, sg_model *m);
/* All of it, with a comma at the end; nothing where nothing is known. */
void sg_sure_write(sg_text *t, const sg_model *m);

#endif
