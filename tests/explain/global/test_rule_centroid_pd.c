/* test_rule_centroid_pd.c: coverage, centroids and trends of rules, compared with the rows themselves. */
#include "explain/global/rule_centroid_pd.h"
#include "explain/rules/mf_labels.h"
#include "test.h"

#include <jansson.h>
#include <stdlib.h>

enum { ROWS = 300, HELD_OUT = 200, INPUTS = 10 };

static sg_model *train_on(const sg_source *rows, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_model *m;
    check(sg_train(o, rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

static sg_model *train(const char *settings)
{
    sg_table *t;
    check(sg_table_generate("friedman", ROWS, 4, &t));
    sg_source rows = sg_table_source(t);
    sg_model *m = train_on(&rows, settings);
    sg_table_free(t);
    return m;
}

static json_t *describe(const sg_model *m)
{
    char *text;
    check(sg_model_describe_json(m, &text));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    sg_string_free(text);
    return root;
}

static const char *text(const json_t *of, const char *key)
{
    const char *v = json_string_value(json_object_get(of, key));
    if (!v) fail_msg("no text %s", key);
    return v;
}

/* --- coverage --- */

/* The coverage of a rule is its mean firing level; its centroid and mean prediction are firing-weighted means. Fewer
 * than 1,024 rows are all used. */
static void coverage_is_mean_firing(void **state)
{
    sg_table *t;
    sg_reference_eval look;
    double place[INPUTS] = {0}, share = 0, sum = 0, about = 0, y;
    (void)state;
    sg_model *m = train("preset=mbgd-rda rules=6 pca=0 iters=20");
    check(sg_table_generate("friedman", ROWS, 4, &t));
    check(sg_reference_eval_init(&look, m));
    for (size_t i = 0; i < ROWS; i++) {
        const double *x = sg_table_values(t) + i * sg_table_columns(t);
        sg_reference_eval_set_row(&look, x);
        double f = sg_reference_eval_firing(&look, 0)[2];
        share += f / ROWS;
        for (size_t k = 0; k < INPUTS; k++) place[k] += f * x[k];
        check(sg_model_predict(m, x, 1, &y));
        about += f * y;
    }
    const sg_block *b = &m->block[0];
    for (size_t r = 0; r < b->rules; r++) sum += b->firing_share[r];
    assert_true(fabs(sum - 1) < 1e-5);
    assert_true(share > 0.01 && fabs(b->firing_share[2] - share) < 1e-5);
    for (size_t k = 0; k < INPUTS; k++) assert_true(fabs(b->centroid[2 * INPUTS + k] - place[k] / share / ROWS) < 1e-5);
    assert_true(fabs(b->mean_prediction[2] - about / share / ROWS) < 1e-4);
    sg_reference_eval_release(&look);
    sg_table_free(t);
    sg_model_free(m);
}

/* The reference evaluation agrees with the prediction kernels. */
static void reference_eval_predicts(void **state)
{
    static const char *const settings[] = {"preset=mbgd-rda rules=6 pca=0 iters=20 clip=0", "preset=mbgd-rda iters=5",
                                           "preset=rr", "preset=mbgd-rda rules=4 scale=quantile iters=20 low-rank=1"};
    sg_table *t;
    (void)state;
    check(sg_table_generate("friedman", 50, 5, &t));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(settings[i]);
        sg_reference_eval look;
        check(sg_reference_eval_init(&look, m));
        for (size_t r = 0; r < 50; r++) {
            double x[INPUTS], y, again;
            memcpy(x, sg_table_values(t) + r * sg_table_columns(t), sizeof x);
            if (r % 5 == 0) x[3] = NAN;
            check(sg_model_predict(m, x, 1, &y));
            sg_reference_eval_set_row(&look, x);
            sg_reference_eval_predict(&look, &again);
            if (!(fabs(y - again) < 1e-9 * fabs(y))) fail_msg("%s: %.15g, not %.15g", settings[i], again, y);
        }
        sg_reference_eval_release(&look);
        sg_model_free(m);
    }
    sg_table_free(t);
}

/* Text and JSON list rules by decreasing coverage, with their original numbers. */
static void rules_are_sorted(void **state)
{
    (void)state;
    sg_model *m = train("preset=mbgd-rda rules=7 pca=0 iters=20");
    json_t *root = describe(m);
    const json_t *rules = json_object_get(root, "rules");
    double last = 1;
    size_t seen = 0;
    for (size_t i = 0; i < 7; i++) {
        const json_t *rule = json_array_get(rules, i);
        double share = json_number_value(json_object_get(rule, "share"));
        size_t number = (size_t)json_integer_value(json_object_get(rule, "rule"));
        assert_true(share > 0 && share <= last);
        assert_true(share == m->block[0].firing_share[number - 1]);
        seen |= (size_t)1 << number;
        last = share;
    }
    assert_int_equal(seen, 254);
    json_decref(root);
    sg_model_free(m);
}

static size_t count(const char *words, const char *part)
{
    size_t n = 0;
    for (const char *p = words; (p = strstr(p, part)); p += strlen(part)) n++;
    return n;
}

static void shows_top_rules(void **state)
{
    char *words;
    (void)state;
    sg_model *m = train("preset=mbgd-rda rules=7 pca=0 iters=5");
    check(sg_model_describe_as(m, "text", 3, &words));
    assert_int_equal(count(words, "\n  IF   "), 3);
    assert_int_equal(count(words, "\n4 more rules cover "), 1);
    sg_string_free(words);
    check(sg_model_describe_as(m, "text", 0, &words));
    assert_int_equal(count(words, "\n  IF   "), 7);
    assert_int_equal(count(words, "\n       On these rows y averages "), 7);
    assert_int_equal(count(words, "more rules"), 0);
    sg_string_free(words);
    assert_int_equal(sg_model_describe_as(m, "html", 0, &words), SG_EINVAL);
    assert_string_equal(sg_errmsg(), "unknown format \"html\": expected text, markdown or json");
    sg_model_free(m);
}

static void markdown_is_escaped(void **state)
{
    static const char *const names[] = {"a_b|c", "*d*", "y"};
    double v[60 * 3];
    sg_table *t;
    char *words;
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        v[3 * i] = (double)(i % 7);
        v[3 * i + 1] = (double)(i % 11);
        v[3 * i + 2] = v[3 * i] - 2 * v[3 * i + 1];
    }
    check(sg_table_new(names, 3, v, 60, &t));
    sg_source rows = sg_table_source(t);
    sg_model *m = train_on(&rows, "preset=mbgd-rda rules=3 pca=0 iters=30");
    check(sg_model_describe_as(m, "markdown", 0, &words));
    assert_int_equal(words[0], '#');
    assert_int_equal(count(words, "\n### Rule "), 3);
    assert_int_equal(count(words, "\n- **IF** "), 3);
    assert_true(count(words, "a\\_b\\|c") > 3);
    assert_int_equal(count(words, "a_b"), 0);
    assert_int_equal(count(words, " *d"), 0);
    sg_string_free(words);
    sg_model_free(m);
    sg_table_free(t);
}

/* --- conditions that do not matter --- */

static void conditions_that_do_not_matter(void **state)
{
    sg_original_units u;
    char *words;
    (void)state;
    sg_model *m = train("preset=mbgd-rda rules=3 pca=0 iters=1");
    sg_block *b = &m->block[0];
    size_t mf = (size_t)b->mf_of[1]; /* of rule 1, on the second input */
    b->mf[mf] = 0;
    static const double sigma[] = {2, 2.5,
                                   20}; /* memberships of 0.7, 0.79 and 0.996 at the ends of the range, 1.7 away */
    for (int k = 0; k < 3; k++) {
        bool wide = k > 0;
        b->mf[b->mfs + mf] = sigma[k];
        check(sg_original_units_init(&u, m));
        assert_true(sg_original_units_condition_matters(&u, b, mf) == !wide);
        check(sg_model_describe(m, &words));
        assert_int_equal(count(words, "x2 is "), wide ? 2 : 3);
        sg_string_free(words);
        sg_original_units_release(&u);
    }
    sg_model_free(m);
}

static void labels_follow_quantiles(void **state)
{
    static const struct {
        double x;
        const char *label;
    } cases[] = {{-3, "very low"}, {0.01, "very low"},  {0.15, "low"},   {0.5, "medium"},
                 {0.86, "high"},   {0.99, "very high"}, {7, "very high"}};
    (void)state;
    sg_model *m = train("preset=rr");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sg_quantile_label(m, 3, cases[i].x), cases[i].label);
    free(m->quantile); /* as in an older file: uses range and mean */
    m->quantile = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sg_quantile_label(m, 3, cases[i].x), cases[i].label);
    sg_model_free(m);
}

/* --- trends --- */

static void classifies_trends(void **state)
{
    static const struct {
        double y[5];
        sg_trend direction;
    } cases[] = {{{1, 1, 1, 1, 1}, SG_TREND_FLAT},         {{1, 2, 3, 3, 9}, SG_TREND_RISES},
                 {{1, 4, 3, 5, 6}, SG_TREND_MOSTLY_RISES}, {{5, 4, 3, 2, 2}, SG_TREND_FALLS},
                 {{5, 6, 3, 2, 2}, SG_TREND_MOSTLY_FALLS}, {{0, 4, 5, 4, 0.5}, SG_TREND_PEAKS},
                 {{5, 1, 0, 2, 4.5}, SG_TREND_DIPS},       {{1, 3, 0, 3, 1}, SG_TREND_VARIES},
                 {{9, 0, 12, 1, -1}, SG_TREND_VARIES}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (sg_trend_classify(cases[i].y, 5) != cases[i].direction)
            fail_msg("case %zu: %d", i, (int)sg_trend_classify(cases[i].y, 5));
}

/* Partial dependence on test rows: the mean prediction with input k at b minus that at a, weighted by the firing level
 * of a rule, if any. */
static double dependence(const sg_model *m, const sg_table *t, const sg_ranked_rule *g, size_t k, double a, double b)
{
    sg_reference_eval look;
    double sum = 0, weight = 0;
    check(sg_reference_eval_init(&look, m));
    for (size_t i = 0; i < sg_table_rows(t); i++) {
        double x[INPUTS], low, high;
        memcpy(x, sg_table_values(t) + i * sg_table_columns(t), sizeof x);
        sg_reference_eval_set_row(&look, x);
        double w = g ? sg_reference_eval_firing(&look, g->block)[g->rule] : 1;
        x[k] = a;
        check(sg_model_predict(m, x, 1, &low));
        x[k] = b;
        check(sg_model_predict(m, x, 1, &high));
        sum += w * (high - low);
        weight += w;
    }
    sg_reference_eval_release(&look);
    return sum / weight;
}

static size_t input_of(const sg_model *m, const char *name)
{
    for (size_t i = 0; i < sg_model_inputs(m); i++)
        if (strcmp(sg_model_input_name(m, i), name) == 0) return i;
    fail_msg("no input %s", name);
    return 0;
}

static bool rises(const char *direction) { return strstr(direction, "rises") != NULL; }

static bool has_sign(const char *direction) { return rises(direction) || strstr(direction, "falls"); }

/* Checks clear trends. Returns their number. */
static size_t check_overall(const sg_model *m, const sg_table *t, const json_t *root)
{
    const json_t *all = json_object_get(root, "overall");
    size_t checked = 0;
    for (size_t i = 0; i < 5; i++) { /* y does not depend on the last five of ten inputs */
        const json_t *one = json_array_get(all, i);
        size_t k = input_of(m, text(one, "input"));
        if (!has_sign(text(one, "direction"))) continue;
        double net =
            dependence(m, t, NULL, k, m->quantile[k * SG_QUANTILE_COUNT], m->quantile[k * SG_QUANTILE_COUNT + 4]);
        if ((net > 0) != rises(text(one, "direction"))) fail_msg("%s: %g", text(one, "input"), net);
        checked++;
    }
    return checked;
}

static size_t check_rules(const sg_model *m, const sg_table *t, const json_t *root)
{
    const json_t *rules = json_object_get(root, "rules");
    size_t checked = 0;
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *rule = json_array_get(rules, i), *there = json_array_get(json_object_get(rule, "there"), 0);
        sg_ranked_rule g = {0, (size_t)json_integer_value(json_object_get(rule, "rule")) - 1, 0};
        const char *name;
        json_t *direction;
        json_object_foreach(json_object_get(there, "directions"), name, direction)
        {
            double value[SG_PD_MAX_POINTS];
            size_t k = input_of(m, name);
            assert_int_equal(sg_centroid_pd_rule_values(m, &g, k, value), 3);
            if (!has_sign(json_string_value(direction))) continue;
            double net = dependence(m, t, &g, k, value[0], value[2]);
            if ((net > 0) != rises(json_string_value(direction))) fail_msg("rule %zu, %s: %g", g.rule + 1, name, net);
            checked++;
        }
    }
    return checked;
}

/* y decreases with u if v is low and increases if it is high: a rule in the middle has no clear trend, a rule on one
 * side has one, against the overall trend. */
static void unclear_trends_are_omitted(void **state)
{
    static const char *const names[] = {"u", "v", "y"};
    static const struct {
        double v, least, most; /* centroid of the first rule, and bounds of its margin */
    } cases[] = {{40, -3, -0.5}, {5, -1e9, -4}};
    double x[100 * 3], margin;
    sg_table *t;
    sg_centroid_pd f;
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        x[3 * i] = (double)(i * 37 % 100);
        x[3 * i + 1] = (double)(i * 61 % 100);
        x[3 * i + 2] = x[3 * i] * (x[3 * i + 1] - 40);
    }
    check(sg_table_new(names, 3, x, 100, &t));
    sg_source rows = sg_table_source(t);
    sg_model *m = train_on(&rows, "preset=mbgd-rda pca=0 mfs=1,2 iters=1 scale=zscore");
    sg_block *b = &m->block[0];
    memcpy(b->conseq, (double[]){0, -1, 0, 0, 1.5, 0}, 6 * sizeof *b->conseq);
    for (size_t k = 0; k < 2; k++) {
        char *words;
        b->centroid[0] = 50;
        b->centroid[1] = cases[k].v;
        check(sg_centroid_pd_init(&f, m));
        sg_centroid_pd_margin(&f, &(sg_ranked_rule){0, 0, 0.5}, 0, &margin);
        if (!(margin > cases[k].least && margin < cases[k].most)) fail_msg("case %zu: %g", k, margin);
        sg_centroid_pd_release(&f);
        check(sg_model_describe(m, &words));
        const char *rule = strstr(words, "Rule 1:");
        const char *falls = rule ? strstr(rule, "decreases with u,\n       against the overall trend.\n") : NULL,
                   *next = rule ? strstr(rule + 1, "\nRule 2") : NULL;
        if ((falls && (!next || falls < next)) != (k == 1)) fail_msg("case %zu: %s", k, words);
        sg_string_free(words);
    }
    sg_model_free(m);
    sg_table_free(t);
}

static void trends_agree_with_test_rows(void **state)
{
    static const char *const settings[] = {"preset=mbgd-rda rules=8 pca=0 iters=300", "preset=mbgd-rda iters=300",
                                           "preset=rr", "preset=mbgd-rda rules=8 scale=quantile iters=300"};
    sg_table *t;
    size_t rules = 0;
    (void)state;
    check(sg_table_generate("friedman", HELD_OUT, 77, &t));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(settings[i]);
        json_t *root = describe(m);
        size_t n = check_overall(m, t, root);
        if (n < 3) fail_msg("%s: %zu", settings[i], n);
        rules += check_rules(m, t, root);
        json_decref(root);
        sg_model_free(m);
    }
    assert_true(rules > 10);
    sg_table_free(t);
}

/* "On these rows y averages ...": agrees with firing-weighted means of predictions and of y on test rows. */
static void means_agree_with_test_rows(void **state)
{
    static const char *const settings[] = {"preset=mbgd-rda rules=8 pca=0 iters=300",
                                           "preset=mbgd-rda rules=5 scale=quantile iters=300",
                                           "preset=mbgd-rda rules=8 pca=0 iters=300 mf=gauss-a firing=mean"};
    sg_table *t;
    double apart = 0; /* largest distance of a rule's mean from the overall mean */
    (void)state;
    check(sg_table_generate("friedman", 2000, 78, &t));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(settings[i]);
        json_t *root = describe(m);
        const json_t *rules = json_object_get(root, "rules");
        sg_reference_eval look;
        check(sg_reference_eval_init(&look, m));
        for (size_t r = 0; r < json_array_size(rules); r++) {
            const json_t *rule = json_array_get(rules, r);
            double said =
                json_number_value(json_object_get(json_array_get(json_object_get(rule, "there"), 0), "about"));
            size_t number = (size_t)json_integer_value(json_object_get(rule, "rule")) - 1;
            double predicted = 0, actual = 0, weight = 0, squares = 0, y;
            for (size_t k = 0; k < sg_table_rows(t); k++) {
                const double *x = sg_table_values(t) + k * sg_table_columns(t);
                sg_reference_eval_set_row(&look, x);
                double f = sg_reference_eval_firing(&look, 0)[number];
                check(sg_model_predict(m, x, 1, &y));
                predicted += f * y;
                actual += f * x[INPUTS];
                weight += f;
                squares += f * f;
            }
            /* Standard error with the rule's part of 300 training rows; y has a standard deviation of 5. */
            double rows = weight * weight / squares * ROWS / (double)sg_table_rows(t), chance = 3.5 * 5 / sqrt(rows);
            if (fabs(said - predicted / weight) > chance || fabs(said - actual / weight) > chance)
                fail_msg("%s, rule %zu: %g, not %g or %g, within %g", settings[i], number + 1, said, predicted / weight,
                         actual / weight, chance);
            apart = fmax(apart, fabs(said - m->mean[0]));
        }
        sg_reference_eval_release(&look);
        json_decref(root);
        sg_model_free(m);
    }
    assert_true(apart > 3);
    sg_table_free(t);
}

/* A file without mean predictions: the prediction at the centroid is used. */
static void older_files_use_the_centroid(void **state)
{
    double y;
    (void)state;
    sg_model *m = train("preset=mbgd-rda rules=4 pca=0 iters=20");
    sg_block *b = &m->block[0];
    free(b->mean_prediction);
    b->mean_prediction = NULL;
    json_t *root = describe(m);
    const json_t *rule = json_array_get(json_object_get(root, "rules"), 0);
    size_t number = (size_t)json_integer_value(json_object_get(rule, "rule")) - 1;
    check(sg_model_predict(m, b->centroid + number * INPUTS, 1, &y));
    double said = json_number_value(json_object_get(json_array_get(json_object_get(rule, "there"), 0), "about"));
    assert_true(fabs(said - y) < 1e-9 * fabs(y));
    json_decref(root);
    sg_model_free(m);
}

/* A search and an ensemble store coverage, too; it adds up to 1 in each block. */
static void searches_store_coverage(void **state)
{
    static const char *const settings[] = {"budget=0.1 threads=1", "preset=auto-ensemble budget=0.1 threads=1"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        sg_model *m = train(settings[i]);
        assert_non_null(m->quantile);
        for (size_t b = 0; b < m->blocks; b++) {
            double sum = 0;
            for (size_t r = 0; r < m->block[b].rules; r++) sum += m->block[b].firing_share[r];
            assert_true(fabs(sum - 1) < 1e-4);
            assert_true(i == 0 || !m->block[b].initial_mf); /* not stored for ensembles */
        }
        json_t *root = describe(m);
        const json_t *rules = json_object_get(root, "rules");
        double last = 1;
        for (size_t r = 0; r < json_array_size(rules); r++) {
            const json_t *part = json_object_get(json_array_get(rules, r), m->blocks > 1 ? "part" : "share");
            assert_true(json_is_number(part) && json_number_value(part) <= last);
            last = json_number_value(part);
        }
        assert_int_equal(json_array_size(json_object_get(root, "overall")), INPUTS);
        json_decref(root);
        sg_model_free(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(coverage_is_mean_firing),    cmocka_unit_test(reference_eval_predicts),
    cmocka_unit_test(rules_are_sorted),           cmocka_unit_test(shows_top_rules),
    cmocka_unit_test(markdown_is_escaped),        cmocka_unit_test(conditions_that_do_not_matter),
    cmocka_unit_test(labels_follow_quantiles),    cmocka_unit_test(classifies_trends),
    cmocka_unit_test(unclear_trends_are_omitted), cmocka_unit_test(trends_agree_with_test_rows),
    cmocka_unit_test(means_agree_with_test_rows), cmocka_unit_test(older_files_use_the_centroid),
    cmocka_unit_test(searches_store_coverage),
};
TEST_GROUP(tests, NULL, NULL)
