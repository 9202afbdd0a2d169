/* presets.h: named rows of options. */
#ifndef SG_TRAIN_PRESETS_H
#define SG_TRAIN_PRESETS_H

#include <stddef.h>

/* The i-th preset's name, NULL after the last. */
const char *sg_preset_name(size_t i);

#endif
