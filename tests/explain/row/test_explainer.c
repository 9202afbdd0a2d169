/* test_explainer.c: explanations of models of every kind add up to the prediction to the last bit, and their terms
 * follow from the rules. */
#include "kernel_test_support.h"

#include "category_model.h"
#include "explain/rules/original_units.h"

#include <float.h>

/* --- sums of terms --- */

static void adds_up(const char *what, const double *term, size_t n, double prediction)
{
    double sum = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(term[i])) fail_msg("%s: term %zu is %g", what, i, term[i]);
        sum += term[i];
        size += i + 1 < n ? fabs(term[i]) : 0;
    }
    if (sum != prediction) fail_msg("%s: %.17g is not %.17g", what, sum, prediction);
    if (fabs(term[n - 1]) > 1e-13 * size) fail_msg("%s: rounding %g of %g", what, term[n - 1], size);
}

/* Adds up the numbers at the beginning of lines, in lists that end with the prediction. */
static void text_adds_up(const char *what, sg_explainer *e)
{
    char *text, *end;
    double sum = 0;
    size_t lists = 0;
    check(sg_explainer_text(e, 0, &text));
    for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n')) {
        double value = strtod(line + 1, &end);
        if (line[1] != ' ' || line[3] == 'I' || end == line + 1) continue;
        if (strncmp(end, "  the prediction", 16) != 0) {
            sum += value;
            continue;
        }
        if (sum != value) fail_msg("%s: %.17g is not %.17g in\n%s", what, sum, value, text);
        sum = 0;
        lists++;
    }
    if (lists % 2 || lists == 0) fail_msg("%s: %zu lists in\n%s", what, lists, text);
    sg_string_free(text);
}

/* For each target: the prediction, then two lists of terms, each with the rounding last. */
static void json_adds_up(const char *what, sg_explainer *e)
{
    char *text;
    size_t lists = 0;
    check(sg_explainer_json(e, 0, &text));
    for (const char *at = text; (at = strstr(at, "\"prediction\": "));) {
        double prediction = strtod(at + strlen("\"prediction\": "), NULL), sum = 0;
        const char *rounding = NULL, *end = strstr(at + 1, "\"prediction\": ");
        for (at++; (at = strstr(at, "\"adds\": ")) && (!end || at < end); at++) {
            sum += strtod(at + strlen("\"adds\": "), NULL);
            rounding = strstr(at - strlen("\"rounding\", "), "\"rounding\", ");
            if (!rounding || rounding > at) continue;
            if (sum != prediction) fail_msg("%s: %.17g is not %.17g in\n%s", what, sum, prediction, text);
            sum = 0;
            lists++;
        }
        if (!end) break;
        at = end;
    }
    if (lists % 2 || lists == 0) fail_msg("%s: %zu lists in\n%s", what, lists, text);
    sg_string_free(text);
}

static void check_row(const char *what, const sg_model *m, sg_explainer *e, const double *x)
{
    double y[8];
    const sg_explanation *out = sg_explainer_row(e, x);
    check(sg_model_predict(m, x, 1, y));
    for (size_t o = 0; o < m->outputs; o++) {
        if (out[o].prediction != y[o]) fail_msg("%s: %.17g is predicted, not %.17g", what, y[o], out[o].prediction);
        adds_up(what, out[o].by_rule, sg_explainer_terms(e, SG_BY_RULE), y[o]);
        adds_up(what, out[o].by_input, sg_explainer_terms(e, SG_BY_INPUT), y[o]);
    }
}

/* --- random models --- */

static const char *const shapes[] = {"232", "own 30 5", "own 12 4 2", "shared 21 6", "111"};
static const char *const mfs[] = {"gauss", "gauss-a", "gbell", "tri", "trap", "gauss2"};

static void give_names(sg_model *m)
{
    for (size_t k = 0; k < m->features; k++) snprintf(m->feature_name[k], 2, "%c", (char)('a' + k));
}

/* One or three blocks; pipelines without steps, with z-score and clamp, or with PCA. */
static sg_model *random_system(size_t i, sg_random_stream *s)
{
    shape sh = shape_of(shapes[i % 5], mfs[i / 5 % 6], 1 + i % 3, i % 4 == 3 ? 2 : 0);
    if (sh.rank && i / 5 % 6 > 1) sh.mf = "gauss"; /* has a centre */
    sg_model *m = new_model(&sh, s);
    if (i % 4 == 1) {
        assert_non_null(sg_pipeline_append(&m->a, &sg_transform_clamp, m->features));
        assert_non_null(sg_pipeline_append(&m->a, &sg_transform_zscore, m->features));
        sg_transform *clamp = m->a.step, *zscore = m->a.step + 1;
        for (size_t k = 0; k < m->features; k++) {
            clamp->parameter[0][k] = -1.5;
            clamp->parameter[1][k] = 1.25;
            zscore->parameter[0][k] = draw(s, -1, 1);
            zscore->parameter[1][k] = draw(s, 0.1, 3);
        }
    }
    if (i % 8 == 5) { /* the first block has sees_z */
        m->shared_pipeline = false;
        assert_non_null(sg_pipeline_append(&m->z, &sg_transform_zscore, m->features));
        for (size_t k = 0; k < m->features; k++) m->z.step->parameter[1][k] = draw(s, 0.5, 2);
    }
    for (size_t b = 0; b < (i % 2 ? 3 : 1); b++) add_random_block(m, &sh, s);
    m->block[0].sees_z = i % 8 == 5;
    check(sg_model_alloc_theta(m));
    random_parameters(m, s);
    for (size_t b = 0; b < m->blocks; b++) m->block[b].weight = draw(s, -1, 2);
    for (size_t k = 0; k < m->features; k++) m->feature_mean[k] = draw(s, -0.5, 0.5);
    for (size_t o = 0; o < m->outputs; o++) {
        m->mean[o] = draw(s, -100, 100);
        m->scale[o] = draw(s, 0.1, 30);
        m->y0[o] = draw(s, -1, 1);
        if (i % 7 == 2) m->clip_low[o] = m->mean[o] - 5;
        if (i % 7 == 2) m->clip_high[o] = m->mean[o] + 5;
    }
    give_names(m);
    return m;
}

static double random_value(sg_random_stream *s)
{
    switch (sg_random_stream_below(s, 12)) {
    case 0:
        return NAN;
    case 1:
        return draw(s, -1e6, 1e6);
    case 2:
        return draw(s, -40, 40);
    default:
        return draw(s, -2, 2);
    }
}

/* Compares the terms by rule with constants and slopes in original units. */
static void check_terms(const char *what, const sg_model *m, sg_explainer *e, const double *x)
{
    double slope[64], constant, together[64];
    sg_original_units u;
    check(sg_original_units_init(&u, m));
    const sg_explanation *out = sg_explainer_row(e, x);
    for (size_t o = 0; o < m->outputs; o++) {
        const double *term = out[o].by_rule + (m->blocks != 1), *firing = out[o].firing;
        double tolerance = 1e-9;
        memset(together, 0, sizeof together);
        for (size_t b = 0, i = 0; b < m->blocks; b++)
            for (size_t r = 0; r < m->block[b].rules; r++, i++) {
                sg_original_units_consequent(&u, &m->block[b], r, o, &constant, slope);
                for (size_t k = 0; k < m->features; k++) constant += slope[k] * out[o].effective_value[k];
                for (size_t k = 0; k < m->features; k++) together[k] += firing[i] * slope[k];
                tolerance = fmax(tolerance, 1e-9 * fabs(term[i]));
                if (fabs(term[i] - firing[i] * constant) > tolerance)
                    fail_msg("%s: rule %zu adds %g", what, i, term[i]);
            }
        for (size_t k = 0; k < m->features; k++)
            assert_close(out[o].slope[k], together[k], fmax(tolerance, 1e-9 * fabs(together[k])));
    }
    sg_original_units_release(&u);
}

static void check_base(const char *what, const sg_model *m, sg_explainer *e)
{
    const sg_explanation *out = sg_explainer_row(e, m->feature_mean);
    for (size_t o = 0; o < m->outputs; o++) {
        if (!sg_model_is_clipped(m, o)) assert_close(out[o].by_input[0], out[o].prediction, 1e-9);
        for (size_t k = 0; k < m->features; k++)
            if (fabs(out[o].by_input[1 + k]) > 1e-9) fail_msg("%s: input %zu is not 0 at the means", what, k);
    }
}

static void explains_random_models(void **state)
{
    const size_t systems = is_quick() ? 20 : 140, rows = is_quick() ? 20 : 100;
    sg_random_stream s = sg_random_stream_at(11, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t i = 0; i < systems; i++) {
        sg_model *m = random_system(i, &s);
        sg_explainer *e;
        char what[32];
        snprintf(what, sizeof what, "system %zu", i);
        check(sg_explainer_new(m, &e));
        check_base(what, m, e);
        for (size_t r = 0; r < rows; r++) {
            double x[16];
            bool far = false;
            for (size_t k = 0; k < m->features; k++) x[k] = random_value(&s);
            for (size_t k = 0; k < m->features; k++) far = far || fabs(x[k]) > 100;
            check_row(what, m, e, x);
            if (r < 10) text_adds_up(what, e);
            if (r < 10) json_adds_up(what, e);
            if (!far) check_terms(what, m, e, x);
        }
        sg_explainer_free(e);
        sg_model_free(m);
    }
}

/* --- extreme numbers --- */

static void stays_finite(void **state)
{
    static const double far[] = {0, 1e-300, 1, -1e30, 1e99, DBL_MAX, -DBL_MAX};
    static const double large[] = {1e3, 1e30, 1e100};
    const size_t rows = is_quick() ? 20 : 100;
    sg_random_stream s = sg_random_stream_at(12, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        sg_model *m = random_system(i, &s);
        sg_explainer *e;
        double size = large[i % 3];
        for (size_t b = 0; b < m->blocks; b++)
            for (size_t k = 0; k < m->block[b].rules * (m->block[b].terms + 1) * m->outputs; k++)
                m->block[b].conseq[k] *= size;
        for (size_t o = 0; o < m->outputs; o++) m->scale[o] = i % 2 ? 1e100 : 1e-100;
        check(sg_explainer_new(m, &e));
        for (size_t r = 0; r < rows; r++) {
            double x[16];
            for (size_t k = 0; k < m->features; k++) x[k] = far[sg_random_stream_below(&s, 7)];
            check_row("extremes", m, e, x);
            if (r < 10) text_adds_up("extremes", e);
            if (r < 10) json_adds_up("extremes", e);
            const sg_explanation *out = sg_explainer_row(e, x);
            for (size_t k = 0; k < m->features; k++) assert_true(isfinite(out->slope[k]));
            for (size_t k = 0; k < sg_model_rules(m); k++) assert_true(isfinite(out->rule_output[k]));
        }
        sg_explainer_free(e);
        sg_model_free(m);
    }
}

/* --- trained models --- */

static sg_model *train(const char *settings, const sg_source *rows)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    sg_status st;
    check(sg_trainer_new(o, rows, NULL, &t));
    do st = sg_trainer_step(t, &p);
    while (st == SG_OK && p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

static const char *const settings[] = {
    "preset=mbgd-rda iters=60",
    "preset=mbgd-rda iters=60 pca=0 rules=24 scale=quantile limit=tails clip=0",
    "preset=mbgd-rda iters=60 pca=0 rules=16 low-rank=2 firing=mean mf=gauss-a effects=all",
    "preset=anfis-gd-lse iters=5 pca=3 mf=gbell",
    "preset=rr l2=0 pca=0",
    "preset=mbgd-rda iters=60 pca=0 rules=9 mf=trap limit=range clip=0.1",
};
enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct told {
    sg_explainer *e;
    const double *y; /* by predict_source */
    size_t outputs, rows;
} told;

static sg_status keep(void *arg, size_t first, size_t rows, const double *y)
{
    told *t = arg;
    memcpy((double *)t->y + first * t->outputs, y, rows * t->outputs * sizeof *y);
    return SG_OK;
}

static sg_status look(void *arg, size_t row, const sg_explanation *out)
{
    told *t = arg;
    for (size_t o = 0; o < t->outputs; o++) {
        if (out[o].prediction != t->y[row * t->outputs + o]) fail_msg("row %zu: %.17g", row, out[o].prediction);
        adds_up("by rule", out[o].by_rule, sg_explainer_terms(t->e, SG_BY_RULE), out[o].prediction);
        adds_up("by input", out[o].by_input, sg_explainer_terms(t->e, SG_BY_INPUT), out[o].prediction);
    }
    t->rows++;
    return SG_OK;
}

static void check_source(const sg_model *m, const sg_source *rows)
{
    told t = {.outputs = m->outputs, .y = malloc(rows->rows * m->outputs * sizeof *t.y)};
    assert_non_null(t.y);
    check(sg_explainer_new(m, &t.e));
    check(sg_model_predict_source(m, rows, 1, keep, &t));
    check(sg_explainer_source(t.e, rows, 0, rows->rows, look, &t));
    assert_int_equal(t.rows, rows->rows);
    sg_explainer_free(t.e);
    free((double *)t.y);
}

/* Random rows of the table; a third of them with an outlier or a missing value. */
static sg_table *drawn_rows(const sg_table *t, size_t rows)
{
    size_t columns = sg_table_columns(t);
    double *v = malloc(rows * columns * sizeof *v);
    const char *names[64];
    sg_random_stream s = sg_random_stream_at(13, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    sg_table *out;
    assert_non_null(v);
    for (size_t k = 0; k < columns; k++) names[k] = sg_table_name(t, k);
    for (size_t i = 0; i < rows; i++) {
        double *row = v + i * columns, *other = &row[sg_random_stream_below(&s, columns)];
        memcpy(row, sg_table_values(t) + sg_random_stream_below(&s, sg_table_rows(t)) * columns, columns * sizeof *row);
        if (i % 6 == 0) *other = NAN;
        if (i % 6 == 1) *other *= draw(&s, -20, 20);
    }
    check(sg_table_new(names, columns, v, rows, &out));
    free(v);
    return out;
}

static void explain_table(const sg_table *t, size_t rows)
{
    sg_table *drawn = drawn_rows(t, rows);
    sg_source from = sg_table_source(t), to = sg_table_source(drawn);
    for (size_t i = 0; i < SETTINGS; i++) {
        sg_model *m = train(settings[i], &from);
        check_source(m, &to);
        sg_model_free(m);
    }
    sg_table_free(drawn);
}

static void explains_trained_models(void **state)
{
    sg_table *t;
    (void)state;
    check(sg_table_generate("friedman", 300, 3, &t));
    explain_table(t, is_quick() ? 100 : 3000);
    sg_table_free(t);
}

/* Each of the paper's datasets with each of these models. */
static void explains_datasets(void **state)
{
    static const char *const files[] = {"pm10.csv",       "no2.csv",      "housing.csv", "concrete.csv",
                                        "airfoil.csv",    "wine-red.csv", "abalone.csv", "wine-white.csv",
                                        "powerplant.csv", "protein.csv"};
    (void)state;
    for (size_t i = 0; i < (is_quick() ? 2 : sizeof files / sizeof *files); i++) {
        sg_table *t = dataset_of(files[i]);
        explain_table(t, is_quick() ? 200 : 2000);
        sg_table_free(t);
    }
}

static void explains_several_targets(void **state)
{
    sg_table *t;
    (void)state;
    check(sg_table_generate("friedman", 200, 3, &t));
    char targets[64];
    size_t n = sg_table_columns(t);
    snprintf(targets, sizeof targets, "targets=%s,%s iters=40 pca=3", sg_table_name(t, n - 1), sg_table_name(t, n - 2));
    sg_source rows = sg_table_source(t);
    sg_model *m = train(targets, &rows);
    assert_int_equal(sg_model_outputs(m), 2);
    check_source(m, &rows);
    sg_model_free(m);
    sg_table_free(t);
}

/* --- text and JSON --- */

static sg_model *load(void)
{
    sg_model *m;
    check(sg_model_from_json(category_model, strlen(category_model), "m.json", &m));
    return m;
}

static void describes_categories(void **state)
{
    static const struct {
        double sex, u;
        const char *text, *json;
    } cases[] = {
        {0, 1.5, "sex is F\n", "{\"term\": \"sex\", \"value\": \"F\", "},
        {2, 1.5, "sex is 7\n", "{\"term\": \"sex\", \"value\": \"7\", "},
        {77, 1.5, "sex is other\n", "{\"term\": \"sex\", \"value\": \"other\", "},
        {NAN, 1.5, "sex is missing\n", "{\"term\": \"sex\", \"value\": null, \"missing\": true, \"adds\": "},
        {1, NAN, "u is missing; mean 0.625",
         "{\"term\": \"u\", \"value\": null, \"counts_as\": 0.625, \"mean\": 0.625, "},
    };
    sg_model *m = load();
    sg_explainer *e;
    (void)state;
    check(sg_explainer_new(m, &e));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[2] = {cases[i].sex, cases[i].u};
        char *text;
        check_row("categories", m, e, x);
        text_adds_up("categories", e);
        check(sg_explainer_text(e, 0, &text));
        if (!strstr(text, cases[i].text)) fail_msg("no <%s> in\n%s", cases[i].text, text);
        sg_string_free(text);
        check(sg_explainer_json(e, 12, &text));
        if (!strstr(text, cases[i].json) || !strstr(text, "{\"row\": 12,"))
            fail_msg("no <%s> in\n%s", cases[i].json, text);
        sg_string_free(text);
    }
    sg_explainer_free(e);
    sg_model_free(m);
}

static void names_terms(void **state)
{
    static const char *const by_input[] = {"base", "sex", "u", "clip", "rounding"};
    static const char *const by_rule[] = {"rule 1", "rule 2", "clip", "rounding"};
    sg_model *m = load();
    sg_explainer *e;
    (void)state;
    m->clip_high[0] = 1;
    m->clip_low[0] = -1;
    check(sg_explainer_new(m, &e));
    assert_int_equal(sg_explainer_terms(e, SG_BY_INPUT), 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(sg_explainer_term(e, SG_BY_INPUT, i)->name, by_input[i]);
    assert_int_equal(sg_explainer_terms(e, SG_BY_RULE), 4);
    for (size_t i = 0; i < 4; i++) assert_string_equal(sg_explainer_term(e, SG_BY_RULE, i)->name, by_rule[i]);
    assert_null(sg_explainer_term(e, SG_BY_RULE, 4));
    const sg_explanation *out = sg_explainer_row(e, (double[]){1, 2.5});
    assert_true(out->prediction == 1 && out->by_rule[2] < 0 && out->by_input[3] < 0); /* clipped */
    sg_explainer_free(e);
    sg_model_free(m);
}

static sg_status refuse(void *arg, size_t row, const sg_explanation *out)
{
    (void)arg;
    (void)row;
    (void)out;
    sg_set_errmsg("not this one");
    return SG_EIO;
}

static void reports_errors(void **state)
{
    static const char *const names[] = {"u", "v"};
    const sg_comm team = {.ranks = 2};
    sg_model *m = load();
    sg_explainer *e;
    sg_table *t;
    (void)state;
    check(sg_explainer_new(m, &e));
    check(sg_table_new(names, 2, (double[]){1, 2, 3, 4}, 2, &t));
    sg_source rows = sg_table_source(t);
    check_fails(sg_explainer_source(e, &rows, 0, 2, refuse, NULL), SG_EDATA, "sex");
    check_fails(sg_explainer_source(e, &rows, 2, 1, refuse, NULL), SG_EINVAL,
                "row 3 does not exist; the number of rows is 2");
    check_fails(sg_explainer_source(e, &rows, 0, 5, refuse, NULL), SG_EINVAL,
                "row 3 does not exist; the number of rows is 2");
    check_fails(sg_explainer_source(e, &rows, 7, 1, refuse, NULL), SG_EINVAL,
                "row 8 does not exist; the number of rows is 2");
    rows.comm = &team;
    check_fails(sg_explainer_source(e, &rows, 0, 2, refuse, NULL), SG_EINVAL, "distributed rows");
    sg_table_free(t);
    const char *const better[] = {"u", "sex"};
    check(sg_table_new(better, 2, (double[]){1, 2, 3, 4}, 2, &t));
    rows = sg_table_source(t);
    check_fails(sg_explainer_source(e, &rows, 0, 2, refuse, NULL), SG_EIO, "not this one");
    sg_table_free(t);
    sg_explainer_free(e);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(explains_random_models),  cmocka_unit_test(stays_finite),
    cmocka_unit_test(explains_trained_models), cmocka_unit_test(explains_several_targets),
    cmocka_unit_test(describes_categories),    cmocka_unit_test(names_terms),
    cmocka_unit_test(reports_errors),          cmocka_unit_test(explains_datasets),
};
TEST_GROUP(tests, NULL, NULL)
