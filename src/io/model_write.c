/* model_write.c: writes a model as JSON that a person can read and edit, with one membership function and one rule per
 * line. docs/model-file.md describes the format. */
#include "base/json_append.h"
#include "base/whole_file.h"
#include "io/model_json_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- targets --- */

static void write_targets(sg_text *t, const sg_model *m)
{
    sg_text_append(t, "  \"targets\": [\n");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_json_append(t, "    {\"name\": %s, \"mean\": %g, \"scale\": %g, \"y0\": %g", m->output_name[o], m->mean[o],
                       m->scale[o], m->y0[o]);
        if (sg_model_is_clipped(m, o))
            sg_json_append(t, ", \"low\": %g, \"high\": %g", m->clip_low[o], m->clip_high[o]);
        sg_text_append(t, "}");
        sg_json_end_line(t, o, m->outputs);
    }
    sg_text_append(t, "  ],\n");
}

/* --- transforms --- */

/* Returns the number of values of a feature without the padding, which repeats the last value. */
static size_t unpadded_length(const sg_transform *s, size_t feature)
{
    const double *value = s->parameter[0] + feature * s->kind->values_per_feature;
    size_t n = s->kind->values_per_feature;
    while (n > 1 && value[n - 1] == value[n - 2]) n--;
    return n;
}

static void write_matrix(sg_text *t, const sg_transform *s, const double *value)
{
    const size_t each = s->kind->values_per_feature, rows = each ? s->in : s->out, width = each ? each : s->in;
    sg_text_append(t, "[\n");
    for (size_t i = 0; i < rows; i++) {
        sg_text_append(t, "      ");
        sg_json_append_numbers(t, value + i * width, each ? unpadded_length(s, i) : width, 1);
        sg_json_end_line(t, i, rows);
    }
    sg_text_append(t, "    ]");
}

static void write_transform(sg_text *t, const sg_transform *s)
{
    sg_json_append(t, "    {\"step\": %s", s->kind->name);
    for (int k = 0; k < 2 && s->kind->array_name[k]; k++) {
        sg_json_append(t, ", %s: ", s->kind->array_name[k]);
        if (s->kind->values_per_feature == 1) sg_json_append_numbers(t, s->parameter[k], s->in, 1);
        else write_matrix(t, s, s->parameter[k]);
    }
    sg_text_append(t, "}");
}

static void write_pipeline(sg_text *t, const char *name, const sg_pipeline *v)
{
    sg_json_append(t, "  %s: [\n", name);
    for (size_t i = 0; i < v->steps; i++) {
        write_transform(t, &v->step[i]);
        sg_json_end_line(t, i, v->steps);
    }
    sg_text_append(t, "  ],\n");
}

/* --- blocks --- */

static void write_mfs(sg_text *t, const sg_block *b)
{
    sg_text_append(t, "      \"mfs\": [\n");
    for (size_t i = 0; i < b->mfs; i++) {
        sg_json_append(t, "        {\"input\": %zu", (size_t)b->input_of[i]);
        for (size_t k = 0; k < b->kind->arity; k++)
            sg_json_append(t, ", %s: %g", b->kind->parameter[k], b->mf[k * b->mfs + i]);
        if (b->initial_mf) sg_text_append(t, ", \"before\": ");
        if (b->initial_mf) sg_json_append_numbers(t, b->initial_mf + i, b->kind->arity, b->mfs);
        sg_text_append(t, "}");
        sg_json_end_line(t, i, b->mfs);
    }
    sg_text_append(t, "      ],\n");
}

static void write_rule(sg_text *t, const sg_model *m, const sg_block *b, size_t r)
{
    sg_text_append(t, "        {\"if\": [");
    for (size_t i = 0; i < b->inputs; i++)
        sg_text_append_format(t, "%s%ld", i ? ", " : "", (long)b->mf_of[r * b->inputs + i]);
    sg_text_append(t, b->rank ? "], \"tilt\": [" : "]");
    for (size_t k = 0; k < b->rank; k++) {
        if (k) sg_text_append(t, ", ");
        sg_json_append_numbers(t, b->low_rank + (r * b->rank + k) * b->inputs, b->inputs, 1);
    }
    sg_text_append(t, b->rank ? "], \"then\": [" : ", \"then\": [");
    for (size_t o = 0; o < b->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        sg_json_append_numbers(t, b->conseq + r * (b->terms + 1) * b->outputs + o, b->terms + 1, b->outputs);
    }
    sg_text_append(t, "]");
    if (b->firing_share) {
        sg_json_append(t, ", \"share\": %g", b->firing_share[r]);
        sg_json_append_list(t, "mean", b->centroid + r * m->features, m->features);
        if (b->mean_prediction) sg_json_append_list(t, "about", b->mean_prediction + r * b->outputs, b->outputs);
    }
    sg_text_append(t, "}");
}

static void write_block(sg_text *t, const sg_model *m, const sg_block *b)
{
    sg_json_append(t, "    {\n      \"mf\": %s,\n      \"weight\": %g,\n      \"h\": %g,\n      \"rank\": %zu,\n",
                   b->kind->name, b->weight, b->firing_scale, b->rank);
    if (b->sees_z) sg_text_append(t, "      \"sees\": \"z\",\n");
    write_mfs(t, b);
    sg_text_append(t, "      \"rules\": [\n");
    for (size_t r = 0; r < b->rules; r++) {
        write_rule(t, m, b, r);
        sg_json_end_line(t, r, b->rules);
    }
    sg_text_append(t, "      ]\n    }");
}

/* --- training record --- */

/* Writes six digits, which are enough for a plot. */
static void write_curve_value(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_append_rounded(t, value, 6);
    else sg_text_append(t, "null");
}

static void write_curve(sg_text *t, const sg_record *r)
{
    sg_text_append(t, "    \"curve\": [");
    for (size_t i = 0; i < r->points; i++) {
        const sg_curve_point *p = &r->curve[i];
        sg_text_append_format(t, "%s[%zu, ", i == 0 ? "" : i % 6 ? ", " : ",\n              ", p->iteration);
        write_curve_value(t, p->train);
        sg_text_append(t, ", ");
        write_curve_value(t, p->valid);
        sg_text_append(t, "]");
    }
    sg_text_append(t, "]\n");
}

static void write_record(sg_text *t, const sg_record *r)
{
    sg_text_append(t, "  \"training\": {\n");
    for (size_t i = 0; i < r->entries; i++) {
        sg_json_append(t, "    %s: ", r->entry[i].name);
        if (r->entry[i].number) sg_text_append(t, r->entry[i].value);
        else sg_text_append_json(t, r->entry[i].value);
        sg_text_append(t, ",\n");
    }
    write_curve(t, r);
    sg_text_append(t, "  }\n");
}

/* --- whole file --- */

/* Returns the oldest format that can express the model, so that older programs can read it. */
static size_t format_of(const sg_model *m) { return m->additive || m->frontier.points ? 2 : 1; }

sg_status sg_model_to_json(const sg_model *m, char **out)
{
    sg_text t = {0};
    sg_json_append(&t, "{\n  \"kind\": \"sugeno model\",\n  \"format\": %zu,\n", format_of(m));
    sg_model_inputs_write(&t, m);
    sg_model_effects_write(&t, m);
    write_targets(&t, m);
    write_pipeline(&t, "antecedents_see", &m->a);
    if (!m->shared_pipeline) write_pipeline(&t, "consequents_see", &m->z);
    sg_text_append(&t, "  \"blocks\": [\n");
    for (size_t b = 0; b < m->blocks; b++) {
        write_block(&t, m, &m->block[b]);
        sg_json_end_line(&t, b, m->blocks);
    }
    sg_text_append(&t, "  ],\n");
    sg_model_additive_write(&t, m);
    sg_model_calibration_write(&t, m);
    sg_model_frontier_write(&t, &m->frontier);
    write_record(&t, &m->record);
    sg_text_append(&t, "}\n");
    return sg_text_finish(&t, "the text of a model", out);
}

sg_status sg_model_save(const sg_model *m, const char *path)
{
    char *text;
    sg_status st = sg_model_to_json(m, &text);
    if (st != SG_OK) return st;
    st = sg_file_write(path, text, strlen(text));
    free(text);
    return st;
}

void sg_string_free(char *text) { free(text); }
