/* model_write.c: a model as JSON that a person can read and edit: one MF and one rule a line.
 * docs/model-file.md describes the format. */
#include "base/file.h"
#include "base/memory.h"
#include "io/model_effects.h"
#include "io/model_sure.h"
#include "io/model_text.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

void sg_model_numbers(sg_text *t, const double *x, size_t n, size_t stride)
{
    sg_text_add(t, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_add(t, ", ");
        sg_text_number(t, x[i * stride]);
    }
    sg_text_add(t, "]");
}

/* The lines of an array; the last has no comma. */
static void line_end(sg_text *t, size_t i, size_t n) { sg_text_add(t, i + 1 < n ? ",\n" : "\n"); }

void sg_model_number(sg_text *t, const char *name, double value)
{
    sg_text_format(t, ", \"%s\": ", name);
    sg_text_number(t, value);
}

static void write_levels(sg_text *t, const sg_coded *in, const double *share)
{
    sg_text_add(t, ", \"levels\": [");
    for (size_t i = 0; i < in->levels; i++) {
        if (i) sg_text_add(t, ", ");
        sg_text_json(t, in->level[i]);
    }
    sg_text_add(t, in->pooled ? "], \"others\": true, \"shares\": " : "], \"shares\": ");
    sg_model_numbers(t, share, sg_coded_features(in), 1);
}

static void write_inputs(sg_text *t, const sg_model *m)
{
    size_t n = sg_model_inputs(m);
    sg_text_add(t, "  \"inputs\": [\n");
    for (size_t i = 0; i < n; i++) {
        size_t at = m->coding ? m->coding->input[i].first : i;
        sg_text_add(t, "    {\"name\": ");
        sg_text_json(t, sg_model_input_name(m, i));
        if (sg_model_levels(m, i))
            write_levels(t, &m->coding->input[i], m->input_mean + at); /* NOLINT(clang-analyzer-core.NullDereference) */
        else {
            sg_model_number(t, "low", m->low[at]);
            sg_model_number(t, "high", m->high[at]);
            sg_model_number(t, "mean", m->input_mean[at]);
            if (m->quantile) sg_text_add(t, ", \"quantiles\": ");
            if (m->quantile) sg_model_numbers(t, m->quantile + at * SG_QUANTILES, SG_QUANTILES, 1);
        }
        sg_text_add(t, "}");
        line_end(t, i, n);
    }
    sg_text_add(t, "  ],\n");
}

static void write_targets(sg_text *t, const sg_model *m)
{
    sg_text_add(t, "  \"targets\": [\n");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_add(t, "    {\"name\": ");
        sg_text_json(t, m->output_name[o]);
        sg_text_add(t, ", \"mean\": ");
        sg_text_number(t, m->mean[o]);
        sg_text_add(t, ", \"scale\": ");
        sg_text_number(t, m->scale[o]);
        sg_text_add(t, ", \"y0\": ");
        sg_text_number(t, m->y0[o]);
        if (sg_model_is_clipped(m, o)) {
            sg_model_number(t, "low", m->least[o]);
            sg_model_number(t, "high", m->most[o]);
        }
        sg_text_add(t, "}");
        line_end(t, o, m->outputs);
    }
    sg_text_add(t, "  ],\n");
}

/* Of a feature's numbers those that differ: the last one stands in all that are left over. */
static size_t length_of(const sg_step *s, size_t feature)
{
    const double *number = s->number[0] + feature * s->kind->each;
    size_t n = s->kind->each;
    while (n > 1 && number[n - 1] == number[n - 2]) n--;
    return n;
}

/* One row a line. */
static void write_rows(sg_text *t, const sg_step *s, const double *number)
{
    const size_t each = s->kind->each, rows = each ? s->in : s->out, width = each ? each : s->in;
    sg_text_add(t, "[\n");
    for (size_t i = 0; i < rows; i++) {
        sg_text_add(t, "      ");
        sg_model_numbers(t, number + i * width, each ? length_of(s, i) : width, 1);
        line_end(t, i, rows);
    }
    sg_text_add(t, "    ]");
}

static void write_step(sg_text *t, const sg_step *s)
{
    sg_text_format(t, "    {\"step\": \"%s\"", s->kind->name);
    for (int k = 0; k < 2 && s->kind->field[k]; k++) {
        sg_text_format(t, ", \"%s\": ", s->kind->field[k]);
        if (s->kind->each == 1) sg_model_numbers(t, s->number[k], s->in, 1);
        else write_rows(t, s, s->number[k]);
    }
    sg_text_add(t, "}");
}

static void write_view(sg_text *t, const char *name, const sg_view *v)
{
    sg_text_format(t, "  \"%s\": [\n", name);
    for (size_t i = 0; i < v->steps; i++) {
        write_step(t, &v->step[i]);
        line_end(t, i, v->steps);
    }
    sg_text_add(t, "  ],\n");
}

static void write_mfs(sg_text *t, const sg_block *b)
{
    double p[SG_MF_PARAMETERS];
    sg_text_add(t, "      \"mfs\": [\n");
    for (size_t i = 0; i < b->mfs; i++) {
        sg_mf_get(b, i, p);
        sg_text_format(t, "        {\"input\": %lu", (unsigned long)b->input_of[i]);
        for (size_t k = 0; k < b->kind->arity; k++) {
            sg_text_format(t, ", \"%s\": ", b->kind->parameter[k]);
            sg_text_number(t, p[k]);
        }
        if (b->before) sg_text_add(t, ", \"before\": ");
        if (b->before) sg_model_numbers(t, b->before + i, b->kind->arity, b->mfs);
        sg_text_add(t, "}");
        line_end(t, i, b->mfs);
    }
    sg_text_add(t, "      ],\n");
}

static void write_rule(sg_text *t, const sg_model *m, const sg_block *b, size_t r)
{
    sg_text_add(t, "        {\"if\": [");
    for (size_t i = 0; i < b->inputs; i++) sg_text_format(t, "%s%ld", i ? ", " : "", (long)b->mf_of[r * b->inputs + i]);
    sg_text_add(t, "]");
    if (b->rank) sg_text_add(t, ", \"tilt\": [");
    for (size_t k = 0; k < b->rank; k++) {
        if (k) sg_text_add(t, ", ");
        sg_model_numbers(t, b->tilt + (r * b->rank + k) * b->inputs, b->inputs, 1);
    }
    sg_text_add(t, b->rank ? "], \"then\": [" : ", \"then\": [");
    for (size_t o = 0; o < b->outputs; o++) {
        if (o) sg_text_add(t, ", ");
        sg_model_numbers(t, b->conseq + r * (b->terms + 1) * b->outputs + o, b->terms + 1, b->outputs);
    }
    sg_text_add(t, "]");
    if (b->share) {
        sg_model_number(t, "share", b->share[r]);
        sg_text_add(t, ", \"mean\": ");
        sg_model_numbers(t, b->place + r * m->inputs, m->inputs, 1);
        if (b->about) sg_text_add(t, ", \"about\": ");
        if (b->about) sg_model_numbers(t, b->about + r * b->outputs, b->outputs, 1);
    }
    sg_text_add(t, "}");
}

static void write_block(sg_text *t, const sg_model *m, const sg_block *b)
{
    sg_text_format(t, "    {\n      \"mf\": \"%s\",\n      \"weight\": ", b->kind->name);
    sg_text_number(t, b->weight);
    sg_text_add(t, ",\n      \"h\": ");
    sg_text_number(t, b->h);
    sg_text_format(t, ",\n      \"rank\": %zu,\n", b->rank);
    if (b->sees_z) sg_text_add(t, "      \"sees\": \"z\",\n");
    write_mfs(t, b);
    sg_text_add(t, "      \"rules\": [\n");
    for (size_t r = 0; r < b->rules; r++) {
        write_rule(t, m, b, r);
        line_end(t, r, b->rules);
    }
    sg_text_add(t, "      ]\n    }");
}

/* Curves are for looking at: six digits. */
static void point(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_rounded(t, value, 6);
    else sg_text_add(t, "null");
}

static void write_curve(sg_text *t, const sg_record *r)
{
    sg_text_add(t, "    \"curve\": [");
    for (size_t i = 0; i < r->points; i++) {
        const sg_point *p = &r->curve[i];
        sg_text_format(t, "%s[%zu, ", i == 0 ? "" : i % 6 ? ", " : ",\n              ", p->iteration);
        point(t, p->train);
        sg_text_add(t, ", ");
        point(t, p->valid);
        sg_text_add(t, "]");
    }
    sg_text_add(t, "]\n");
}

static void write_record(sg_text *t, const sg_record *r)
{
    sg_text_add(t, "  \"training\": {\n");
    for (size_t i = 0; i < r->facts; i++) {
        sg_text_add(t, "    ");
        sg_text_json(t, r->fact[i].name);
        sg_text_add(t, ": ");
        if (r->fact[i].number) sg_text_add(t, r->fact[i].value);
        else sg_text_json(t, r->fact[i].value);
        sg_text_add(t, ",\n");
    }
    write_curve(t, r);
    sg_text_add(t, "  }\n");
}

static void write_model(sg_text *t, const sg_model *m)
{
    sg_text_add(t, "{\n  \"kind\": \"sugeno model\",\n  \"format\": 1,\n");
    write_inputs(t, m);
    sg_effects_write(t, m);
    write_targets(t, m);
    write_view(t, "antecedents_see", &m->a);
    if (!m->one_view) write_view(t, "consequents_see", &m->z);
    sg_text_add(t, "  \"blocks\": [\n");
    for (size_t b = 0; b < m->blocks; b++) {
        write_block(t, m, &m->block[b]);
        line_end(t, b, m->blocks);
    }
    sg_text_add(t, "  ],\n");
    sg_sure_write(t, m);
    write_record(t, &m->record);
    sg_text_add(t, "}\n");
}

sg_status sg_model_to_text(const sg_model *m, char **out)
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

void sg_text_free(char *text) { free(text); }
