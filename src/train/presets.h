/* presets.h: names of the presets, for the table of options. */
#ifndef SG_TRAIN_PRESETS_H
#define SG_TRAIN_PRESETS_H

#include <stddef.h>

/* The name of preset i; NULL after the last. */
const char *sg_preset_name(size_t i);

#endif
