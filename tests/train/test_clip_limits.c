/* test_clip_limits.c: predictions clipped to the range of targets, inputs clamped to the training rows. labels: memory
 */
#include "test.h"

#include "base/text.h"
#include "model/model.h"

#include <float.h>

enum { ROWS = 400, INPUTS = 2 };

typedef struct made {
    double x[ROWS * 3];
    sg_source source;
    sg_model *model;
} made;

/* y = 3 u - v, where u is from -1 to 1 except in one row, and v from 0 to 4 or missing. */
static void fill(made *d)
{
    for (size_t i = 0; i < ROWS; i++) {
        double u = i == 17 ? 50 : -1 + 2 * (double)i / (ROWS - 1), v = (double)(i * 7 % 41) / 10;
        d->x[i * 3] = u;
        d->x[i * 3 + 1] = i % 19 == 5 ? (double)NAN : v; /* missing */
        d->x[i * 3 + 2] = 3 * u - v;
    }
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    memcpy(out, (const double *)self + first * 3, n * 3 * sizeof *out);
    return SG_OK;
}

static made trained(const char *settings)
{
    static const char *const names[] = {"u", "v", "y"};
    made d;
    sg_trainer *t;
    sg_progress p;
    sg_options *o = options_of(settings);
    fill(&d);
    d.source = (sg_source){.rows = ROWS, .columns = 3, .names = names, .self = d.x, .read = read_rows};
    check(sg_trainer_new(o, &d.source, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &d.model));
    sg_trainer_free(t);
    sg_options_free(o);
    return d;
}

static double predict(const sg_model *m, double u, double v)
{
    double y;
    check(sg_model_predict(m, (double[]){u, v}, 1, &y));
    return y;
}

/* Writes the model and reads it back. */
static sg_model *again(const sg_model *m)
{
    sg_model *back;
    char *text;
    check(sg_model_to_json(m, &text));
    check(sg_model_from_json(text, strlen(text), "m.json", &back));
    sg_string_free(text);
    return back;
}

static void says(const sg_model *m, const char *sentence)
{
    char *words;
    check(sg_model_describe(m, &words));
    bool there = strstr(words, sentence) != NULL;
    if (there != (*sentence != '!')) fail_msg("<%s> in <%s>", sentence, words);
    sg_string_free(words);
}

/* --- predictions --- */

static void clips(void **state)
{
    made d = trained("preset=rr clip=0.1");
    double low = INFINITY, high = -INFINITY;
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        low = fmin(low, d.x[i * 3 + 2]);
        high = fmax(high, d.x[i * 3 + 2]);
    }
    double margin = 0.1 * (high - low);
    assert_close(d.model->clip_low[0], low - margin, 1e-12);
    assert_close(d.model->clip_high[0], high + margin, 1e-12);
    sg_model *back = again(d.model);
    assert_true(predict(back, 1000, 2.5) == high + margin && predict(back, -1000, 2.5) == low - margin);
    assert_true(predict(back, 0.25, 2.5) == predict(d.model, 0.25, 2.5) && fabs(predict(back, 0.25, 2.5)) < 20);
    says(back, "\nPredictions are clipped to the range ");
    sg_model_free(back);
    sg_model_free(d.model);
}

static void does_not_clip(void **state)
{
    made d = trained("preset=rr");
    (void)state;
    assert_true(d.model->clip_low[0] == -DBL_MAX && d.model->clip_high[0] == DBL_MAX &&
                predict(d.model, 1000, 2.5) > 2000);
    char *text;
    check(sg_model_to_json(d.model, &text));
    char *targets = strstr(text, "targets");
    targets[strcspn(targets, "}")] = '\0';
    assert_null(strstr(targets, "low"));
    sg_string_free(text);
    sg_model_free(d.model);
}

/* Metrics use clipped predictions; training steps do not clip. */
static void scores_what_is_clipped(void **state)
{
    made d = trained("preset=rr clip=0"), plain = trained("preset=rr");
    sg_metrics clipped, open;
    (void)state;
    d.source.self = d.x;
    plain.source.self = plain.x;
    assert_memory_equal(d.model->theta, plain.model->theta, d.model->parameters * sizeof(double));
    for (size_t i = 0; i < ROWS; i++) d.x[i * 3] = plain.x[i * 3] = 1e4;
    check(sg_model_evaluate(d.model, &d.source, NULL, 1, &clipped));
    check(sg_model_evaluate(plain.model, &plain.source, NULL, 1, &open));
    assert_true(clipped.rmse < 200 && open.rmse > 1e4);
    sg_model_free(d.model);
    sg_model_free(plain.model);
}

/* --- inputs --- */

static void limits_to_the_range(void **state)
{
    static const char *const settings[] = {
        "preset=mbgd-rda iters=20 limit=range",
        "preset=mbgd-rda iters=20 limit=range scale=quantile pca=0",
        "preset=mbgd-rda iters=20 limit=range scale=none rate=0.0001",
        "preset=mbgd-rda iters=20 limit=range pca=1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        made d = trained(settings[i]);
        sg_model *back = again(d.model);
        double edge = predict(back, 50, 4), inside = predict(back, 0.5, 4);
        assert_true(predict(back, 51, 4) == edge && predict(back, 1e9, 4.5) == edge && inside != edge);
        assert_true(predict(back, -1, 1) == predict(back, -7, 1) && isfinite(predict(back, NAN, NAN)));
        says(back, "Inputs are clamped to the range of the training rows.");
        sg_model_free(back);
        sg_model_free(d.model);
    }
}

static void does_not_limit(void **state)
{
    made d = trained("preset=mbgd-rda iters=20");
    (void)state;
    assert_true(predict(d.model, 51, 4) != predict(d.model, 50, 4));
    sg_model_free(d.model);
}

/* The row with 50 is in the outermost 0.5 %: it is clamped before z-scores are computed. */
static void limits_the_tails(void **state)
{
    static const char *const settings[] = {
        "preset=mbgd-rda iters=20 limit=tails",
        "preset=mbgd-rda iters=20 limit=tails scale=quantile pca=0",
        "preset=mbgd-rda iters=20 limit=tails pca=1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        made d = trained(settings[i]);
        sg_model *back = again(d.model);
        assert_true(predict(back, 50, 4) == predict(back, 1, 4) && predict(back, -1, 1) == predict(back, -7, 1));
        assert_true(predict(back, 0.5, 4) != predict(back, 1, 4) && isfinite(predict(back, NAN, NAN)));
        says(back, "Inputs are clamped to these ranges: u -0.99");
        const sg_transform *z = back->shared_pipeline ? &back->a.step[1] : &back->z.step[1];
        assert_string_equal(z->kind->name, "zscore");
        assert_true(fabs(z->parameter[0][0]) < 0.01 && fabs(z->parameter[1][0] - 0.58) < 0.02 &&
                    fabs(back->feature_mean[0]) < 0.01);
        sg_model_free(back);
        sg_model_free(d.model);
    }
}

/* Initial rules are placed by clamped inputs. */
static void sees_limited_rows(void **state)
{
    made d = trained("preset=mbgd-rda iters=1 rate=1e-9 limit=tails mf=gauss");
    (void)state;
    for (size_t i = 0; i < d.model->block->mfs; i++) assert_true(fabs(d.model->block->mf[i]) < 2); /* not 20 */
    sg_model_free(d.model);
}

static void options_refuse(void **state)
{
    sg_options *o = options_of("clip=none");
    (void)state;
    check_fails(sg_options_set(o, "clip", "-1"), SG_EINVAL,
                "--clip: expected a number from 0 to 1000 or none, got \"-1\"");
    check_fails(sg_options_set(o, "clip", "some"), SG_EINVAL, "--clip: expected a number");
    check_fails(sg_options_set(o, "rate", "none"), SG_EINVAL, "--rate: expected a number from");
    check_fails(sg_options_set(o, "limit", "rang"), SG_EINVAL, "did you mean \"range\"?");
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(clips),
    cmocka_unit_test(does_not_clip),
    cmocka_unit_test(scores_what_is_clipped),
    cmocka_unit_test(limits_to_the_range),
    cmocka_unit_test(does_not_limit),
    cmocka_unit_test(limits_the_tails),
    cmocka_unit_test(sees_limited_rows),
    cmocka_unit_test(options_refuse),
};
TEST_GROUP(tests, NULL, NULL)
