/* model_accessors.c: accessors of the public API for a model's inputs, outputs and size. */
#include "model/model.h"

#include <math.h>

size_t sg_model_inputs(const sg_model *m) { return m->encoder ? m->encoder->inputs : m->features; }

size_t sg_model_outputs(const sg_model *m) { return m->outputs; }

const char *sg_model_input_name(const sg_model *m, size_t i)
{
    if (i >= sg_model_inputs(m)) return NULL;
    return m->encoder ? m->encoder->input[i].name : m->feature_name[i];
}

size_t sg_model_levels(const sg_model *m, size_t input)
{
    return m->encoder && input < m->encoder->inputs ? m->encoder->input[input].levels : 0;
}

const char *sg_model_level(const sg_model *m, size_t input, size_t i)
{
    return i < sg_model_levels(m, input) ? m->encoder->input[input].level[i] : NULL;
}

const char *sg_model_output_name(const sg_model *m, size_t i) { return i < m->outputs ? m->output_name[i] : NULL; }

size_t sg_model_blocks(const sg_model *m) { return m->blocks; }

size_t sg_model_block_rules(const sg_model *m)
{
    size_t n = 0;
    for (size_t b = 0; b < m->blocks; b++) n += m->block[b].rules;
    return n;
}

size_t sg_model_rules(const sg_model *m)
{
    return sg_model_block_rules(m) + (m->additive ? sg_additive_rules(m->additive) : 0);
}

double sg_model_rule_coverage(const sg_model *m, size_t block, size_t rule)
{
    const sg_block *b = block < m->blocks ? &m->block[block] : NULL;
    return b && b->firing_share && rule < b->rules ? b->firing_share[rule] : (double)NAN;
}

size_t sg_model_parameters(const sg_model *m) { return m->parameters; }

const double *sg_model_theta(const sg_model *m) { return m->theta; }

int sg_model_record(const sg_model *m, size_t i, const char **name, const char **value)
{
    if (i >= m->record.entries) return 0;
    *name = m->record.entry[i].name;
    *value = m->record.entry[i].value;
    return 1;
}
