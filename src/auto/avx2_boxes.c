/* avx2_boxes.c: eight rows at once. */
#include "auto/boxes_loops.h"

const sg_boxes_loops sg_boxes_avx2 = {fire, answer};
