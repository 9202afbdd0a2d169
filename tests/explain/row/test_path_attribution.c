/* test_path_attribution.c: what the inputs add, compared with a simple sum over many steps along the path.
 * labels: memory */
#include "kernel_test_support.h"

#include "explain/row/explainer_state.h"

enum { MOST = 16 };

static sg_model *model_of(const char *shape_text, const char *mf, size_t outputs, bool with_pca, sg_random_stream *s)
{
    shape sh = shape_of(shape_text, mf, outputs, 0);
    sg_model *m = new_model(&sh, s);
    if (with_pca) {
        sg_transform *pca = sg_pipeline_append(&m->a, &sg_transform_pca, m->features);
        assert_non_null(pca);
        for (size_t i = 0; i < m->features * m->features; i++) pca->parameter[0][i] = draw(s, -0.8, 0.8);
    }
    add_random_block(m, &sh, s);
    check(sg_model_alloc_theta(m));
    random_parameters(m, s);
    for (size_t k = 0; k < m->features; k++) m->feature_mean[k] = draw(s, -0.5, 0.5);
    return m;
}

static double log_membership(const sg_block *b, size_t mf, double x)
{
    double p[SG_MF_MAX_PARAMETERS];
    if (isnan(x)) return 0;
    sg_mf_get(b, mf, p);
    return b->kind->log_value(x, p);
}

/* Computes out[inputs] for a model without transforms and low-rank terms, with NaN in x for a missing input. */
static void sum_along_path(const sg_model *m, const double *x, size_t o, double *out)
{
    enum { STEPS = 20000 };
    const sg_block *b = &m->block[0];
    static double level[64][MOST][2], total[64][2], output[64][2], f[64];
    for (size_t r = 0; r < b->rules; r++) {
        const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
        for (int end = 0; end < 2; end++) {
            total[r][end] = 0;
            output[r][end] = c[0];
            for (size_t i = 0; i < b->inputs; i++) {
                int32_t mf = b->mf_of[r * b->inputs + i];
                double at = end ? x[i] : m->feature_mean[i];
                level[r][i][end] = mf < 0 ? 0 : b->firing_scale * log_membership(b, (size_t)mf, at);
                total[r][end] += level[r][i][end];
                output[r][end] += c[(i + 1) * b->outputs] * (isnan(at) ? m->feature_mean[i] : at);
            }
        }
    }
    for (size_t i = 0; i < b->inputs; i++) out[i] = 0;
    for (size_t n = 0; n < STEPS; n++) {
        double t = ((double)n + 0.5) / STEPS, sum = 0, y = 0, top = -INFINITY;
        for (size_t r = 0; r < b->rules; r++) top = fmax(top, f[r] = (1 - t) * total[r][0] + t * total[r][1]);
        for (size_t r = 0; r < b->rules; r++) sum += f[r] = exp(f[r] - top);
        for (size_t r = 0; r < b->rules; r++) y += f[r] / sum * ((1 - t) * output[r][0] + t * output[r][1]);
        for (size_t r = 0; r < b->rules; r++) {
            double apart = (1 - t) * output[r][0] + t * output[r][1] - y;
            const double *c = b->conseq + r * (b->terms + 1) * b->outputs + o;
            for (size_t i = 0; i < b->inputs; i++) {
                double moved = isnan(x[i]) ? 0 : x[i] - m->feature_mean[i];
                out[i] +=
                    f[r] / sum / STEPS * (apart * (level[r][i][1] - level[r][i][0]) + c[(i + 1) * b->outputs] * moved);
            }
        }
    }
    for (size_t i = 0; i < b->inputs; i++) out[i] *= m->scale[o] * b->weight;
}

static void agrees_with_many_steps(void **state)
{
    static const char *const shapes[] = {"232", "own 20 5", "shared 21 6"};
    static const char *const mfs[] = {"gauss", "gauss-a", "gbell", "gauss2", "tri"};
    sg_random_stream s = sg_random_stream_at(31, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t i = 0; i < 15; i++) {
        sg_model *m = model_of(shapes[i % 3], mfs[i / 3], 1 + i % 2, false, &s);
        sg_explainer *e;
        check(sg_explainer_new(m, &e));
        for (size_t row = 0; row < 4; row++) {
            double x[MOST], expected[MOST];
            for (size_t k = 0; k < m->features; k++) x[k] = draw(&s, -2, 2);
            if (row == 3) x[1] = NAN;
            const sg_explanation *out = sg_explainer_row(e, x);
            for (size_t o = 0; o < m->outputs; o++) {
                sum_along_path(m, x, o, expected);
                for (size_t k = 0; k < m->features; k++)
                    if (!(fabs(out[o].by_input[1 + k] - expected[k]) <= 1e-4 * (1 + fabs(expected[k]))))
                        fail_msg("system %zu: input %zu adds %g, not %g", i, k, out[o].by_input[1 + k], expected[k]);
            }
        }
        sg_explainer_free(e);
        sg_model_free(m);
    }
}

/* Before the error is added to the largest term. */
static void adds_up_to_the_change(void **state)
{
    static const char *const shapes[] = {"232", "own 30 5", "own 12 4 2", "shared 21 6", "own 9 4 1"};
    static const char *const mfs[] = {"gauss", "gauss-a", "gauss2"};
    sg_random_stream s = sg_random_stream_at(32, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        bool low_rank = i % 5 == 2 || i % 5 == 4;
        sg_model *m = model_of(shapes[i % 5], mfs[low_rank ? i % 2 : i % 3], 1, i % 4 == 3, &s);
        sg_explainer *e;
        check(sg_explainer_new(m, &e));
        for (size_t row = 0; row < 20; row++) {
            double x[MOST], part[MOST], sum = 0, size = 0, reach = row % 5 == 4 ? 200 : 2;
            for (size_t k = 0; k < m->features; k++) x[k] = draw(&s, -reach, reach);
            if (row % 7 == 6) x[0] = NAN;
            const sg_explanation *out = sg_explainer_row(e, x);
            sg_path_attribute(&e->path, 0, part);
            for (size_t k = 0; k < m->features; k++) {
                sum += part[k];
                size += fabs(part[k]);
            }
            double change = out->prediction - out->by_input[0];
            if (!(fabs(sum - change) <= 1e-7 * (1 + size))) fail_msg("system %zu: %.12g, not %.12g", i, sum, change);
        }
        sg_explainer_free(e);
        sg_model_free(m);
    }
}

/* An input without conditions and slopes adds nothing; without conditions at all, an input adds slope times distance.
 */
static void unused_and_linear_inputs(void **state)
{
    sg_random_stream s = sg_random_stream_at(33, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (int linear = 0; linear < 2; linear++) {
        sg_model *m = model_of("own 8 4", "gauss", 1, false, &s);
        sg_block *b = &m->block[0];
        for (size_t r = 0; r < b->rules; r++) {
            for (size_t k = 0; linear && k < 4; k++) b->mf_of[r * 4 + k] = -1;
            b->mf_of[r * 4 + 2] = -1;
            if (!linear) b->conseq[r * 5 + 3] = 0;
        }
        sg_explainer *e;
        double x[] = {0.7, -1.3, 1.9, 0.4};
        check(sg_explainer_new(m, &e));
        const sg_explanation *out = sg_explainer_row(e, x);
        if (!linear) assert_true(out->by_input[3] == 0 && out->by_input[1] != 0);
        for (size_t k = 0; linear && k < 4; k++)
            assert_close(out->by_input[1 + k], out->slope[k] * (x[k] - m->feature_mean[k]), 1e-12);
        sg_explainer_free(e);
        sg_model_free(m);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_many_steps),
                                          cmocka_unit_test(adds_up_to_the_change),
                                          cmocka_unit_test(unused_and_linear_inputs)};
TEST_GROUP(tests, NULL, NULL)
