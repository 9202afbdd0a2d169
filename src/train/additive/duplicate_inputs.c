/* duplicate_inputs.c: compares inputs on a sample of the rows, and then compares those that are equal there on all
 * rows. */
#include "train/additive/duplicate_inputs.h"

#include "base/memory.h"
#include "train/fit/row_reduce.h"

#include <math.h>
#include <stdlib.h>

/* Two inputs that may be equal, with `count` features each. */
typedef struct candidate {
    size_t input, earlier;
    size_t feature, earlier_feature, count;
} candidate;

typedef struct comparison {
    candidate *pair;
    size_t pairs;
} comparison;

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static size_t count_inputs(const sg_model *m) { return m->encoder ? m->encoder->inputs : m->features; }

static size_t count_features(const sg_model *m, size_t input)
{
    const sg_encoded_input *in = m->encoder ? &m->encoder->input[input] : NULL;
    return in && in->levels ? sg_encoded_input_features(in) : 1;
}

static size_t count_levels(const sg_model *m, size_t input) { return sg_model_levels(m, input); }

static candidate make_candidate(const sg_model *m, size_t input, size_t earlier)
{
    return (candidate){input, earlier, sg_model_first_feature(m, input), sg_model_first_feature(m, earlier),
                       count_features(m, input)};
}

static bool equal_in_sample(const candidate *c, const double *x, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->count; k++)
            if (!same_number(x[i * width + c->feature + k], x[i * width + c->earlier_feature + k])) return false;
    return true;
}

/* Finds the first earlier input that is equal in the sample, for each input that has one. */
static void find_candidates(const sg_model *m, const double *x, size_t n, comparison *c)
{
    for (size_t i = 1; i < count_inputs(m); i++)
        for (size_t k = 0; k < i; k++) {
            candidate pair = make_candidate(m, i, k);
            if (count_levels(m, i) != count_levels(m, k) || pair.count != count_features(m, k)) continue;
            if (!equal_in_sample(&pair, x, n, m->features + 1)) continue;
            c->pair[c->pairs++] = pair;
            break;
        }
}

/* Counts the rows in which the candidates differ. */
static void count_differences(void *arg, size_t worker, sg_chunk_loader *l, double *sum)
{
    const comparison *c = arg;
    const size_t *column = l->columns->input;
    (void)worker;
    for (size_t i = 0; i < l->rows.n; i++) {
        const double *raw = l->rows.raw + i * l->source->columns;
        for (size_t p = 0; p < c->pairs; p++)
            for (size_t k = 0; k < c->pair[p].count; k++)
                if (!same_number(raw[column[c->pair[p].feature + k]], raw[column[c->pair[p].earlier_feature + k]]))
                    sum[p]++;
    }
}

static void mark(const sg_options *notices, const sg_model *m, const candidate *c, bool *duplicate)
{
    duplicate[c->input] = true;
    sg_notice(notices, "column \"%s\" has the same values as \"%s\", so it gets no curve",
              sg_model_input_name(m, c->input), sg_model_input_name(m, c->earlier));
}

sg_status sg_duplicate_inputs_find(const sg_options *notices, const sg_source *s, const sg_preprocessed *p,
                                   const double *x, size_t n, sg_thread_pool *pool, bool *duplicate)
{
    const sg_model *m = p->model;
    comparison c = {.pair = sg_calloc(count_inputs(m), sizeof *c.pair)};
    sg_row_reduce reduce = {0};
    const double *differences;
    sg_status st = sg_comm_agree_status(s->comm, c.pair ? SG_OK : sg_fail_out_of_memory("curves"));
    if (st == SG_OK && c.pair) find_candidates(m, x, n, &c);
    if (st == SG_OK && c.pairs) {
        st = sg_row_reduce_init(&reduce, s, m, p, c.pairs, count_differences, NULL, &c, pool);
        if (st == SG_OK) st = sg_row_reduce_run(&reduce, &differences);
        for (size_t i = 0; st == SG_OK && i < c.pairs; i++)
            if (differences[i] == 0) mark(notices, m, &c.pair[i], duplicate);
        sg_row_reduce_release(&reduce);
    }
    free(c.pair);
    return st;
}
