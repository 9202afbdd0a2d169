/* joint.h: inputs whose effect depends on another one: predictions over both, as small tables. Nothing is said where a
 * model does not know its rows, or where its inputs act one by one. */
#ifndef SG_EXPLAIN_JOINT_H
#define SG_EXPLAIN_JOINT_H

#include "explain/findings.h"
#include "explain/pen.h"

/* After what is said of single inputs, which sets f->span. */
sg_status sg_joint_words(sg_pen *p, sg_findings *f);
/* A member of an object, with a comma after it. */
sg_status sg_joint_json(sg_text *t, sg_findings *f);

#endif
