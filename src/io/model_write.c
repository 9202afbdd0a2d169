/* model_write.c: a model as JSON that a person can read and edit: one MF and one rule a line.
 * docs/model-file.md describes the format. */
#include "base/memory.h"
#include "base/read_file.h"
#include "io/model_calibration.h"
#include "io/model_effects.h"
#include "io/model_json.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

void sg_json_write_numbers(sg_text *t, const double *x, size_t n, size_t stride)
{
    sg_text_append(t, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_append(t, ", ");
        sg_text_append_number(t, x[i * stride]);
    }
    sg_text_append(t, "]");
}

/* The lines of an array; the last has no comma. */
static void end_line(sg_text *t, size_t i, size_t n) { sg_text_append(t, i + 1 < n ? ",\n" : "\n"); }

void sg_json_write_number(sg_text *t, const char *name, double value)
{
    sg_text_append_format(t, ", \"%s\": ", name);
    sg_text_append_number(t, value);
}

static void write_levels(sg_text *t, const sg_encoded_input *in, const double *share)
{
    sg_text_append(t, ", \"levels\": [");
    for (size_t i = 0; i < in->levels; i++) {
        if (i) sg_text_append(t, ", ");
        sg_text_append_json(t, in->level[i]);
    }
    sg_text_append(t, in->pooled ? "], \"others\": true, \"shares\": " : "], \"shares\": ");
    sg_json_write_numbers(t, share, sg_encoded_input_features(in), 1);
}

static void write_inputs(sg_text *t, const sg_model *m)
{
    size_t n = sg_model_inputs(m);
    sg_text_append(t, "  \"inputs\": [\n");
    for (size_t i = 0; i < n; i++) {
        size_t at = m->encoder ? m->encoder->input[i].first_feature : i;
        sg_text_append(t, "    {\"name\": ");
        sg_text_append_json(t, sg_model_input_name(m, i));
        if (sg_model_levels(m, i))
            write_levels(t, &m->encoder->input[i],
                         m->feature_mean + at); /* NOLINT(clang-analyzer-core.NullDereference) */
        else {
            sg_json_write_number(t, "low", m->low[at]);
            sg_json_write_number(t, "high", m->high[at]);
            sg_json_write_number(t, "mean", m->feature_mean[at]);
            if (m->quantile) sg_text_append(t, ", \"quantiles\": ");
            if (m->quantile) sg_json_write_numbers(t, m->quantile + at * SG_QUANTILE_COUNT, SG_QUANTILE_COUNT, 1);
        }
        sg_text_append(t, "}");
        end_line(t, i, n);
    }
    sg_text_append(t, "  ],\n");
}

static void write_targets(sg_text *t, const sg_model *m)
{
    sg_text_append(t, "  \"targets\": [\n");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_append(t, "    {\"name\": ");
        sg_text_append_json(t, m->output_name[o]);
        sg_text_append(t, ", \"mean\": ");
        sg_text_append_number(t, m->mean[o]);
        sg_text_append(t, ", \"scale\": ");
        sg_text_append_number(t, m->scale[o]);
        sg_text_append(t, ", \"y0\": ");
        sg_text_append_number(t, m->y0[o]);
        if (sg_model_is_clipped(m, o)) {
            sg_json_write_number(t, "low", m->clip_low[o]);
            sg_json_write_number(t, "high", m->clip_high[o]);
        }
        sg_text_append(t, "}");
        end_line(t, o, m->outputs);
    }
    sg_text_append(t, "  ],\n");
}

/* Of a feature's numbers those that differ: the last one stands in all that are left over. */
static size_t ragged_length(const sg_transform *s, size_t feature)
{
    const double *number = s->parameter[0] + feature * s->kind->values_per_feature;
    size_t n = s->kind->values_per_feature;
    while (n > 1 && number[n - 1] == number[n - 2]) n--;
    return n;
}

/* One row a line. */
static void write_matrix(sg_text *t, const sg_transform *s, const double *number)
{
    const size_t each = s->kind->values_per_feature, rows = each ? s->in : s->out, width = each ? each : s->in;
    sg_text_append(t, "[\n");
    for (size_t i = 0; i < rows; i++) {
        sg_text_append(t, "      ");
        sg_json_write_numbers(t, number + i * width, each ? ragged_length(s, i) : width, 1);
        end_line(t, i, rows);
    }
    sg_text_append(t, "    ]");
}

static void write_transform(sg_text *t, const sg_transform *s)
{
    sg_text_append_format(t, "    {\"step\": \"%s\"", s->kind->name);
    for (int k = 0; k < 2 && s->kind->array_name[k]; k++) {
        sg_text_append_format(t, ", \"%s\": ", s->kind->array_name[k]);
        if (s->kind->values_per_feature == 1) sg_json_write_numbers(t, s->parameter[k], s->in, 1);
        else write_matrix(t, s, s->parameter[k]);
    }
    sg_text_append(t, "}");
}

static void write_pipeline(sg_text *t, const char *name, const sg_pipeline *v)
{
    sg_text_append_format(t, "  \"%s\": [\n", name);
    for (size_t i = 0; i < v->steps; i++) {
        write_transform(t, &v->step[i]);
        end_line(t, i, v->steps);
    }
    sg_text_append(t, "  ],\n");
}

static void write_mfs(sg_text *t, const sg_block *b)
{
    double p[SG_MF_MAX_PARAMETERS];
    sg_text_append(t, "      \"mfs\": [\n");
    for (size_t i = 0; i < b->mfs; i++) {
        sg_mf_get(b, i, p);
        sg_text_append_format(t, "        {\"input\": %lu", (unsigned long)b->input_of[i]);
        for (size_t k = 0; k < b->kind->arity; k++) {
            sg_text_append_format(t, ", \"%s\": ", b->kind->parameter[k]);
            sg_text_append_number(t, p[k]);
        }
        if (b->initial_mf) sg_text_append(t, ", \"before\": ");
        if (b->initial_mf) sg_json_write_numbers(t, b->initial_mf + i, b->kind->arity, b->mfs);
        sg_text_append(t, "}");
        end_line(t, i, b->mfs);
    }
    sg_text_append(t, "      ],\n");
}

static void write_rule(sg_text *t, const sg_model *m, const sg_block *b, size_t r)
{
    sg_text_append(t, "        {\"if\": [");
    for (size_t i = 0; i < b->inputs; i++)
        sg_text_append_format(t, "%s%ld", i ? ", " : "", (long)b->mf_of[r * b->inputs + i]);
    sg_text_append(t, "]");
    if (b->rank) sg_text_append(t, ", \"tilt\": [");
    for (size_t k = 0; k < b->rank; k++) {
        if (k) sg_text_append(t, ", ");
        sg_json_write_numbers(t, b->low_rank + (r * b->rank + k) * b->inputs, b->inputs, 1);
    }
    sg_text_append(t, b->rank ? "], \"then\": [" : ", \"then\": [");
    for (size_t o = 0; o < b->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        sg_json_write_numbers(t, b->conseq + r * (b->terms + 1) * b->outputs + o, b->terms + 1, b->outputs);
    }
    sg_text_append(t, "]");
    if (b->firing_share) {
        sg_json_write_number(t, "share", b->firing_share[r]);
        sg_text_append(t, ", \"mean\": ");
        sg_json_write_numbers(t, b->centroid + r * m->features, m->features, 1);
        if (b->mean_prediction) sg_text_append(t, ", \"about\": ");
        if (b->mean_prediction) sg_json_write_numbers(t, b->mean_prediction + r * b->outputs, b->outputs, 1);
    }
    sg_text_append(t, "}");
}

static void write_block(sg_text *t, const sg_model *m, const sg_block *b)
{
    sg_text_append_format(t, "    {\n      \"mf\": \"%s\",\n      \"weight\": ", b->kind->name);
    sg_text_append_number(t, b->weight);
    sg_text_append(t, ",\n      \"h\": ");
    sg_text_append_number(t, b->firing_scale);
    sg_text_append_format(t, ",\n      \"rank\": %zu,\n", b->rank);
    if (b->sees_z) sg_text_append(t, "      \"sees\": \"z\",\n");
    write_mfs(t, b);
    sg_text_append(t, "      \"rules\": [\n");
    for (size_t r = 0; r < b->rules; r++) {
        write_rule(t, m, b, r);
        end_line(t, r, b->rules);
    }
    sg_text_append(t, "      ]\n    }");
}

/* Curves are for looking at: six digits. */
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
        sg_text_append(t, "    ");
        sg_text_append_json(t, r->entry[i].name);
        sg_text_append(t, ": ");
        if (r->entry[i].number) sg_text_append(t, r->entry[i].value);
        else sg_text_append_json(t, r->entry[i].value);
        sg_text_append(t, ",\n");
    }
    write_curve(t, r);
    sg_text_append(t, "  }\n");
}

static void write_model(sg_text *t, const sg_model *m)
{
    sg_text_append(t, "{\n  \"kind\": \"sugeno model\",\n  \"format\": 1,\n");
    write_inputs(t, m);
    sg_model_effects_write(t, m);
    write_targets(t, m);
    write_pipeline(t, "antecedents_see", &m->a);
    if (!m->shared_pipeline) write_pipeline(t, "consequents_see", &m->z);
    sg_text_append(t, "  \"blocks\": [\n");
    for (size_t b = 0; b < m->blocks; b++) {
        write_block(t, m, &m->block[b]);
        end_line(t, b, m->blocks);
    }
    sg_text_append(t, "  ],\n");
    sg_model_calibration_write(t, m);
    write_record(t, &m->record);
    sg_text_append(t, "}\n");
}

sg_status sg_model_to_json(const sg_model *m, char **out)
{
    sg_text t = {0};
    write_model(&t, m);
    if (t.failed) {
        sg_text_release(&t);
        return sg_fail(SG_ENOMEM, "out of memory for the text of a model");
    }
    *out = t.bytes;
    return SG_OK;
}

sg_status sg_model_save(const sg_model *m, const char *path)
{
    sg_text t = {0};
    write_model(&t, m);
    sg_status st =
        t.failed ? sg_fail(SG_ENOMEM, "out of memory for the text of a model") : sg_file_write(path, t.bytes, t.length);
    sg_text_release(&t);
    return st;
}

void sg_string_free(char *text) { free(text); }
