/* test_rules_text.c: rules as text and JSON in original units. Predictions are recomputed from the JSON alone, so it
 * must be complete. */
#include "base/random/random.h"
#include "base/text.h"
#include "model/model.h"
#include "test.h"

#include <jansson.h>
#include <stdlib.h>

enum { ROWS = 80, COLUMNS = 5 };

/* Three inputs of very different scale, two targets. */
static const char *const column[COLUMNS] = {"temperature", "pressure \"p\"", "caf\xc3\xa9", "y", "second"};

static sg_table *make_table(void)
{
    double v[ROWS * COLUMNS];
    sg_random_stream s = sg_random_stream_at(3, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    sg_table *t;
    for (size_t r = 0; r < ROWS; r++) {
        double a = sg_random_stream_normal(&s), b = 0.5 * a + sg_random_stream_normal(&s),
               c = sg_random_stream_uniform(&s);
        double row[COLUMNS] = {21.7 + 4 * a, 101325 + 900 * b, 0.0125 * c, 50 + 7 * a * b + 3 * c, -b * c};
        memcpy(v + r * COLUMNS, row, sizeof row);
    }
    check(sg_table_new(column, COLUMNS, v, ROWS, &t));
    return t;
}

/* --- predictions from the JSON --- */

static double number(const json_t *of, const char *key)
{
    const json_t *v = json_object_get(of, key);
    if (!json_is_number(v)) fail_msg("no number %s", key);
    return json_number_value(v);
}

static const char *text(const json_t *of, const char *key)
{
    const char *v = json_string_value(json_object_get(of, key));
    if (!v) fail_msg("no text %s", key);
    return v;
}

/* The value of an input or component in a row, by name. */
static double value_of(const json_t *root, const char *name, const double *x)
{
    const json_t *inputs = json_object_get(root, "inputs"), *components = json_object_get(root, "components");
    for (size_t i = 0; i < json_array_size(inputs); i++)
        if (strcmp(json_string_value(json_array_get(inputs, i)), name) == 0) return x[i];
    for (size_t i = 0; i < json_array_size(components); i++) {
        const json_t *c = json_array_get(components, i), *slopes = json_object_get(c, "slopes");
        if (strcmp(text(c, "name"), name) != 0) continue;
        double sum = number(c, "constant");
        for (size_t k = 0; k < json_array_size(slopes); k++) sum += json_number_value(json_array_get(slopes, k)) * x[k];
        return sum;
    }
    fail_msg("no input %s", name);
    return 0;
}

static double log_of(double mu) { return mu > 0 ? fmax(log(mu), -700) : -700; }

/* Implemented from the definitions, without the library's functions. */
static double log_membership(const json_t *c, double x)
{
    const char *kind = text(c, "mf");
    if (strcmp(kind, "gauss") == 0) return -0.5 * pow((x - number(c, "c")) / number(c, "sigma"), 2);
    if (strcmp(kind, "gauss-a") == 0) return -0.5 * pow((x - number(c, "c")) * number(c, "a"), 2);
    if (strcmp(kind, "gbell") == 0) return -log1p(pow(fabs((x - number(c, "c")) / number(c, "a")), 2 * number(c, "b")));
    if (strcmp(kind, "gauss2") == 0)
        return -0.5 * (pow(fmin(x - number(c, "c1"), 0) * number(c, "a1"), 2) +
                       pow(fmax(x - number(c, "c2"), 0) * number(c, "a2"), 2));
    double p[4] = {number(c, "a"), number(c, "b"), number(c, "c"), 0};
    p[3] = strcmp(kind, "trap") == 0 ? number(c, "d") : p[2];
    double shoulder = strcmp(kind, "trap") == 0 ? p[2] : p[1];
    if (x < p[1]) return log_of((x - p[0]) / (p[1] - p[0]));
    return x > shoulder ? log_of((p[3] - x) / (p[3] - shoulder)) : 0;
}

/* -1/2 ((the weighted sum - about) / sigma)^2 for each combination. */
static double log_combinations(const json_t *root, const json_t *rule, const double *x)
{
    const json_t *all = json_object_get(rule, "combinations");
    double level = 0;
    for (size_t k = 0; k < json_array_size(all); k++) {
        const json_t *c = json_array_get(all, k), *of = json_object_get(c, "sum");
        double sum = -number(c, "about");
        for (size_t i = 0; i < json_array_size(of); i++)
            sum += number(json_array_get(of, i), "weight") * value_of(root, text(json_array_get(of, i), "input"), x);
        level -= 0.5 * pow(sum / number(c, "sigma"), 2);
    }
    return level;
}

static double conclusion(const json_t *root, const json_t *rule, size_t output, const double *x)
{
    const json_t *then = json_array_get(json_object_get(rule, "then"), output);
    const json_t *targets = json_object_get(root, "targets"), *slopes = json_object_get(then, "slopes");
    assert_string_equal(text(then, "target"), json_string_value(json_array_get(targets, output)));
    double sum = number(then, "constant");
    const char *name;
    json_t *slope;
    json_object_foreach((json_t *)(uintptr_t)slopes, name, slope) sum +=
        json_number_value(slope) * value_of(root, name, x);
    return sum;
}

/* offset + sum over blocks of the firing-weighted mean of the rules. */
static double predict(const json_t *root, size_t output, const double *x)
{
    const json_t *rules = json_object_get(root, "rules");
    double y = json_number_value(json_array_get(json_object_get(root, "offset"), output));
    for (size_t block = 1, seen = 0; seen < json_array_size(rules); block++) {
        double top = -INFINITY, above = 0, below = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t r = 0; r < json_array_size(rules); r++) {
                const json_t *rule = json_array_get(rules, r), *conditions = json_object_get(rule, "if");
                if (number(rule, "block") != (double)block) continue;
                double level = log_combinations(root, rule, x);
                for (size_t i = 0; i < json_array_size(conditions); i++) {
                    const json_t *c = json_array_get(conditions, i);
                    level += log_membership(c, value_of(root, text(c, "input"), x));
                }
                if (pass == 0) {
                    top = fmax(top, level);
                    seen++;
                    continue;
                }
                above += exp(level - top) * conclusion(root, rule, output, x);
                below += exp(level - top);
            }
        assert_true(below > 0);
        y += above / below;
    }
    return y;
}

static json_t *describe(const sg_model *m)
{
    char *described;
    json_error_t error;
    check(sg_model_describe_json(m, &described));
    json_t *root = json_loads(described, JSON_REJECT_DUPLICATES, &error);
    if (!root) fail_msg("line %d: %s", error.line, error.text);
    sg_string_free(described);
    assert_int_equal(json_array_size(json_object_get(root, "rules")), sg_model_rules(m));
    return root;
}

/* Within 1e-9 of the range of the predictions. */
static void check_reconstruction(const sg_model *m, const double *x, size_t rows, const char *what)
{
    size_t inputs = sg_model_inputs(m), outputs = sg_model_outputs(m);
    json_t *root = describe(m);
    double y[8], least = INFINITY, most = -INFINITY;
    assert_true(outputs <= 8);
    for (size_t r = 0; r < rows; r++) {
        check(sg_model_predict(m, x + r * inputs, 1, y));
        for (size_t o = 0; o < outputs; o++) {
            double again = predict(root, o, x + r * inputs);
            if (!(fabs(again - y[o]) <= 1e-9 * fmax(1, fabs(y[o]))))
                fail_msg("%s, row %zu, output %zu: %.15g, not %.15g", what, r, o, again, y[o]);
            least = fmin(least, y[o]);
            most = fmax(most, y[o]);
        }
    }
    assert_true(most > least + 0.1); /* predictions vary */
    json_decref(root);
}

static sg_model *train(const char *settings)
{
    sg_table *t = make_table();
    sg_source rows = sg_table_source(t);
    sg_options *o = options_of(settings);
    sg_trainer *tr;
    sg_progress p;
    sg_model *m;
    check(sg_options_set(o, "threads", "1"));
    check(sg_trainer_new(o, &rows, NULL, &tr));
    do check(sg_trainer_step(tr, &p));
    while (p.more);
    check(sg_trainer_model(tr, &m));
    sg_trainer_free(tr);
    sg_options_free(o);
    sg_table_free(t);
    return m;
}

/* The rows of the table, and some outside its range. */
static void rows_of(const sg_model *m, double *x)
{
    sg_table *t = make_table();
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < sg_model_inputs(m); i++) {
            size_t c = 0;
            while (strcmp(column[c], sg_model_input_name(m, i)) != 0) c++;
            double v = sg_table_values(t)[r * COLUMNS + c];
            x[r * sg_model_inputs(m) + i] = r % 8 ? v : 1.3 * v;
        }
    sg_table_free(t);
}

static void json_is_complete(void **state)
{
    static const char *const settings[] = {
        "mf=gauss iters=30 ignore=second",
        "mf=gauss-a iters=30 ignore=second target=zscore loss=mean",
        "mf=gbell iters=30 ignore=second",
        "mf=tri iters=30 ignore=second",
        "mf=trap iters=30 ignore=second",
        "mf=gauss pca=2 iters=30 ignore=second",
        "mf=tri pca=2 iters=30 ignore=second",
        "mf=trap pca=1 mfs=3 iters=30 ignore=second",
        "mf=gbell mfs=3,1,2 iters=30 ignore=second",
        "mf=gauss iters=30 targets=y,second target=zscore",
        "mf=gauss-a structure=cluster rules=7 iters=30 ignore=second",
        "mf=gauss-a structure=cluster rules=7 low-rank=2 iters=30 ignore=second",
        "mf=gauss structure=cluster rules=3 low-rank=3 pca=2 iters=30 ignore=second",
        "mf=gauss scale=none rate=0.0001 ignore=second iters=5",
        "preset=rr ignore=second",
        "preset=anfis-gd-lse-r iters=5 ignore=second",
    };
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_model *m = train(settings[i]);
        double x[ROWS * COLUMNS];
        rows_of(m, x);
        check_reconstruction(m, x, ROWS, settings[i]);
        sg_model_free(m);
    }
}

/* --- hand-made models --- */

static void set_step(sg_pipeline *v, const sg_transform_kind *kind, size_t out, const double *first,
                     const double *second)
{
    sg_transform *s = sg_pipeline_append(v, kind, out);
    assert_non_null(s);
    memcpy(s->parameter[0], first, kind->count(s, 0) * sizeof(double));
    if (second) memcpy(s->parameter[1], second, kind->count(s, 1) * sizeof(double));
}

/* Two inputs, two MFs each, four rules; the pipeline may reflect the second input. */
static sg_model *by_hand(const sg_mf_kind *kind, const char *const *names, const char *const *outputs,
                         size_t output_count, size_t blocks, bool mirror, bool two_views)
{
    static const double mean[] = {20, 1000}, scale[] = {4, 250}, turned[] = {1, 0, 0, -1}, both[] = {0.6, 0.8};
    sg_random_stream s = sg_random_stream_at(9, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    sg_model *m;
    check(sg_model_new(names, 2, outputs, output_count, &m));
    set_step(&m->a, &sg_transform_zscore, 2, mean, scale);
    if (mirror) set_step(&m->a, &sg_transform_pca, 2, turned, NULL);
    m->shared_pipeline = !two_views;
    if (two_views) set_step(&m->z, &sg_transform_pca, 1, both, NULL);
    for (size_t k = 0; k < blocks; k++) {
        check(sg_model_add_block(m, kind, 4, 4, 0));
        sg_block *b = &m->block[k];
        b->weight = k ? -0.7 : 1;
        for (size_t i = 0; i < 4; i++) b->input_of[i] = (uint32_t)(i / 2);
        for (size_t i = 0; i < 8; i++) b->mf_of[i] = (int32_t)(i % 2 ? 2 + (i >> 2) : (i >> 1) % 2);
    }
    check(sg_model_alloc_theta(m));
    for (size_t o = 0; o < output_count; o++) {
        m->mean[o] = 5;
        m->scale[o] = 2;
        m->y0[o] = 0.25;
    }
    for (size_t i = 0; i < m->parameters; i++) m->theta[i] = 2 * sg_random_stream_uniform(&s) - 1;
    for (size_t k = 0; k < blocks; k++)
        for (size_t i = 0; i < 4; i++) {
            double p[SG_MF_MAX_PARAMETERS];
            kind->init(i % 2 ? 1.25 : -0.75, 0.5 + 0.25 * (double)i, 2, p);
            if (kind->arity >= 3) p[0] -= 0.375; /* asymmetric */
            kind->project(1, p, 0.1);
            sg_mf_put(&m->block[k], i, p);
        }
    return m;
}

/* Different pipelines, several blocks, and a reflected input, whose corners change places. */
static void json_of_other_shapes(void **state)
{
    static const char *const names[] = {"u", "v"}, *const outputs[] = {"p", "q"};
    (void)state;
    for (size_t k = 0; sg_mf_name(k); k++)
        for (int variant = 0; variant < 8; variant++) {
            sg_model *m =
                by_hand(sg_mf_find(sg_mf_name(k)), names, outputs, 2, variant & 1 ? 2 : 1, variant & 2, variant & 4);
            sg_random_stream s = sg_random_stream_at(8, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
            double x[40];
            for (size_t i = 0; i < 40; i++)
                x[i] = i % 2 ? 1000 + 600 * (sg_random_stream_uniform(&s) - 0.5)
                             : 20 + 8 * (sg_random_stream_uniform(&s) - 0.5);
            check_reconstruction(m, x, 20, sg_mf_name(k));
            sg_model_free(m);
        }
}

/* Valid numbers may overflow in original units; JSON has no infinity. */
static void json_has_no_infinity(void **state)
{
    static const char *const names[] = {"u", "v"}, *const outputs[] = {"p"};
    sg_model *m = by_hand(&sg_mf_gauss, names, outputs, 1, 1, false, false);
    double huge[] = {1e100, 1e100}, tiny[] = {1e-100, 1e-100};
    (void)state;
    for (int i = 0; i < 4; i++) set_step(&m->a, &sg_transform_zscore, 2, huge, tiny);
    json_t *root = describe(m);
    const json_t *rule = json_array_get(json_object_get(root, "rules"), 0);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(rule, "then"), 0), "constant")));
    json_decref(root);
    sg_model_free(m);
}

/* --- text --- */

static void expect_in(const char *words, const char *part)
{
    if (!strstr(words, part)) fail_msg("no \"%s\" in:\n%s", part, words);
}

static void text_of_a_hand_made_model(void **state)
{
    static const char *const names[] = {"heat", "load"}, *const outputs[] = {"speed"};
    static const double theta[] = {-0.75, 1.25, -0.5, 1,    0.5, 0.75, 1,   1.25, /* c, sigma            */
                                   0.5,   1,    -2,   -0.5, 0,   2,    1.5, 0.25, 0, -3, 0, 0}; /* then */
    static const char expected[] = "4 rules, 2 inputs, target speed\n"
                                   "A prediction is the mean of the rules' consequents (THEN), weighted by the\n"
                                   "memberships of their conditions (IF). The membership of \"about c, sigma s\"\n"
                                   "and of \"about c +- s\" is exp(-((x - c) / s)^2 / 2). The memberships of a\n"
                                   "rule's conditions are multiplied.\n"
                                   "\n"
                                   "Membership functions\n"
                                   "  heat\n"
                                   "    low        about 17, sigma 2\n"
                                   "    high       about 25, sigma 3\n"
                                   "  load\n"
                                   "    low        about 875, sigma 250\n"
                                   "    high       about 1250, sigma 312.5\n"
                                   "\n"
                                   "Rule 1\n"
                                   "  IF   heat is low and load is low\n"
                                   "  THEN speed = 12.5 + 0.5 heat - 0.016 load\n"
                                   "\n"
                                   "Rule 2\n"
                                   "  IF   heat is high and load is low\n"
                                   "  THEN speed = -11.5 + 0.016 load\n"
                                   "\n"
                                   "Rule 3\n"
                                   "  IF   load is high\n"
                                   "  THEN speed = 6 + 0.125 heat\n"
                                   "\n"
                                   "Rule 4\n"
                                   "  IF   anything\n"
                                   "  THEN speed = -0.5\n";
    sg_model *m = by_hand(&sg_mf_gauss, names, outputs, 1, 1, false, false);
    char *words;
    (void)state;
    assert_int_equal(m->parameters, sizeof theta / sizeof *theta);
    memcpy(m->theta, theta, sizeof theta);
    m->block[0].mf_of[4] = m->block[0].mf_of[6] = m->block[0].mf_of[7] = -1;
    check(sg_model_describe(m, &words));
    assert_string_equal(words, expected);
    sg_string_free(words);
    sg_model_free(m);
}

static void text_of_every_kind(void **state)
{
    static const char *const names[] = {"heat", "load"}, *const outputs[] = {"speed", "cost"};
    static const char *const shapes[] = {"about 17, sigma 2",
                                         "about 17, sigma 2",
                                         "about 17, a ",
                                         "about 17, a 7.5, c 25",
                                         "a 9.9, b 14.6, c 19.4, d 22.6",
                                         "c1 15.5, sigma1 2, c2 17, sigma2 2"};
    (void)state;
    for (size_t k = 0; sg_mf_name(k); k++) {
        sg_model *m = by_hand(sg_mf_find(sg_mf_name(k)), names, outputs, 2, 2, false, false);
        char *words;
        check(sg_model_describe(m, &words));
        expect_in(words, "8 rules, 2 inputs, target speed, cost\n"
                         "The prediction is the sum of 2 blocks of rules and the constant 5.5, 5.5.\n");
        expect_in(words, "\nRule 4 of block 1\n  IF   heat is high (");
        expect_in(words, sg_mf_find(sg_mf_name(k)) == &sg_mf_gauss2 ? "high (23.5 to 25 +- 3)" : "high (about ");
        expect_in(words, "\nRule 1 of block 2\n");
        expect_in(words, "\n  THEN adds to speed: ");
        expect_in(words, "\n       adds to cost: ");
        assert_null(strstr(words, "Membership functions"));
        sg_string_free(words);
        sg_model_free(m);
        m = by_hand(sg_mf_find(sg_mf_name(k)), names, outputs, 2, 1, false, false);
        check(sg_model_describe(m, &words));
        expect_in(words, "\n\nMembership functions\n  heat\n    low ");
        expect_in(words, "\nRule 4\n  IF   heat is high and load is high\n  THEN speed = ");
        expect_in(words, shapes[k]);
        sg_string_free(words);
        sg_model_free(m);
    }
}

/* A block whose single rule has a zero consequent is counted, not shown; conditions with a flat top are explained. */
static void zero_rules_are_not_shown(void **state)
{
    static const char *const names[] = {"heat", "load"}, *const outputs[] = {"speed"};
    static const double mean[] = {20, 1000}, scale[] = {4, 250};
    sg_model *m;
    char *words;
    (void)state;
    check(sg_model_new(names, 2, outputs, 1, &m));
    set_step(&m->a, &sg_transform_zscore, 2, mean, scale);
    check(sg_model_add_block(m, &sg_mf_gauss, 0, 1, 0));
    check(sg_model_add_block(m, &sg_mf_gauss2, 1, 2, 0));
    check(sg_model_add_block(m, &sg_mf_gauss, 0, 1, 0));
    for (size_t k = 0; k < 2; k++)
        m->block[0].mf_of[k] = m->block[2].mf_of[k] = m->block[1].mf_of[k] = m->block[1].mf_of[2 + k] = -1;
    m->block[1].mf_of[0] = 0;
    check(sg_model_alloc_theta(m));
    memcpy(m->block[1].mf, (double[]){0, 0, 1, 2}, 4 * sizeof *m->block[1].mf);
    m->block[2].conseq[0] = 3;
    check(sg_model_describe(m, &words));
    expect_in(words, "\nRule 1 of block 2\n  IF   heat is below 24 +- 2\n  THEN adds to speed: 0\n");
    expect_in(words, "\nRule 1 of block 3\n  IF   anything\n  THEN adds to speed: 3\n");
    expect_in(words, "\n1 rule with a zero consequent is not shown.\n");
    expect_in(words, "(for \"below b\", up to b; for \"above a\", from a)");
    assert_null(strstr(words, "of block 1"));
    assert_null(strstr(words, "about c"));
    sg_string_free(words);
    sg_model_free(m);
}

/* Small ranges far from 0: at the centroid, the error of a formula is at most a hundredth of the target's deviation. */
static void formulas_are_precise(void **state)
{
    static const char *const names[] = {"year", "pressure", "y"}, *const settings[] = {
                                                                      "preset=rr",
                                                                      "preset=mbgd-rda rules=3 pca=0 iters=300"};
    double v[60 * 3], deviation = 0;
    sg_table *t;
    (void)state;
    for (size_t r = 0; r < 60; r++) {
        v[3 * r] = 2000 + 0.5 * (double)r;
        v[3 * r + 1] = 101325 + 0.01 * (double)(r * 37 % 60);
        v[3 * r + 2] = 1e6 + 0.004 * (v[3 * r] - 2015) + 0.3 * (v[3 * r + 1] - 101325.3);
        deviation += pow(v[3 * r + 2] - 1e6, 2) / 60;
    }
    check(sg_table_new(names, 3, v, 60, &t));
    sg_source rows = sg_table_source(t);
    for (size_t i = 0; i < 2; i++) {
        sg_options *o = options_of(settings[i]);
        sg_model *m;
        char *words;
        double c = 0, year = 0, pressure = 0;
        char plus[2] = {0};
        check(sg_train(o, &rows, NULL, NULL, NULL, &m));
        check(sg_model_describe(m, &words));
        json_t *root = describe(m), *rule = json_array_get(json_object_get(root, "rules"), 0);
        const double x[] = {json_number_value(json_array_get(json_object_get(rule, "mean"), 0)),
                            json_number_value(json_array_get(json_object_get(rule, "mean"), 1))};
        const char *then = strstr(words, "THEN y = ");
        if (!then ||
            sscanf(then, "THEN y = %lf %c %lf year %c %lf pressure", &c, &plus[0], &year, &plus[1], &pressure) != 5)
            fail_msg("%s", words);
        double said = c + (plus[0] == '-' ? -year : year) * x[0] + (plus[1] == '-' ? -pressure : pressure) * x[1];
        double exact = conclusion(root, rule, 0, x);
        if (!(fabs(said - exact) < 0.01 * sqrt(deviation)))
            fail_msg("%s: %.12g, not %.12g:\n%s", settings[i], said, exact, words);
        json_decref(root);
        sg_string_free(words);
        sg_model_free(m);
        sg_options_free(o);
    }
    sg_table_free(t);
}

static void tables_by_number_of_mfs(void **state)
{
    static const struct {
        const char *settings, *part;
        bool there;
    } cases[] = {
        {"mfs=2", "temperature is low", true},
        {"mfs=2", "temperature is medium", false},
        {"mfs=3,2,2", "temperature is medium", true},
        {"mfs=4,2,2", "temperature is very high", true},
        {"mfs=4,2,2", "temperature is low", false},
        {"mfs=5,2,1", "temperature is very low", true},
        {"mfs=5,2,1", "temperature is medium", true},
        {"mfs=6,2,1", "temperature is about ", true},
        {"mfs=6,2,1", "pressure \"p\" is high", true},
        {"mfs=6,2,1", "caf\xc3\xa9 is ", false},
        {"mfs=6,2,1", "\nMembership functions\n  pressure", true},
        {"mfs=1,2,1", "\nMembership functions\n  pressure", true},
        {"structure=cluster rules=9", "\nMembership functions", false},
        {"structure=cluster rules=9", "caf\xc3\xa9 is medium (about ", true},
        {"structure=cluster rules=3", "temperature is low (about ", true},
        {"structure=cluster rules=3 pca=2", "component 1 is about ", true},
        {"preset=rr", "IF   anything\n  THEN y = ", true},
        {"pca=2", "component 1 is low and component 2 is low", true},
        {"pca=2", "--pca 0", true},
        {"pca=2", "\n  component 2 = ", true},
        {"pca=0", "omponent", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[128], *words;
        snprintf(settings, sizeof settings, "iters=1 ignore=second %s", cases[i].settings);
        sg_model *m = train(settings);
        check(sg_model_describe(m, &words));
        if ((strstr(words, cases[i].part) != NULL) != cases[i].there)
            fail_msg("%s: \"%s\" in:\n%s", settings, cases[i].part, words);
        sg_string_free(words);
        sg_model_free(m);
    }
}

static size_t longest_line(const char *words)
{
    size_t most = 0;
    while (*words) {
        size_t n = strcspn(words, "\n");
        if (n > most) most = n;
        words += n + (words[n] == '\n');
    }
    return most;
}

/* Lines with names of up to 57 bytes stay within the limit. */
static void lines_stay_below_80_columns(void **state)
{
    enum { MOST = 57 };
    (void)state;
    for (size_t length = 1; length <= MOST; length++) {
        char name[4][MOST + 1];
        for (size_t i = 0; i < 4; i++) {
            memset(name[i], 'a' + (char)i, length);
            name[i][length] = '\0';
        }
        const char *const names[] = {name[0], name[1]}, *const outputs[] = {name[2], name[3]};
        for (int variant = 0; variant < 4; variant++) {
            sg_model *m = by_hand(&sg_mf_trap, names, outputs, 2, 1, variant & 1, variant & 2);
            char *words;
            check(sg_model_describe(m, &words));
            if (longest_line(words) >= 80) fail_msg("%zu columns:\n%s", longest_line(words), words);
            expect_in(words, name[3]);
            sg_string_free(words);
            sg_model_free(m);
        }
    }
    sg_model *m = train("iters=1 pca=2 ignore=second");
    char *words;
    check(sg_model_describe(m, &words));
    assert_true(longest_line(words) < 80);
    sg_string_free(words);
    sg_model_free(m);
}

/* A rule with low-rank terms over two inputs, a = (x - mean) / scale, centre 3 and -2; and one without conditions. */
static sg_model *leaning(const char *const *names, size_t rank, const double *tilt)
{
    static const double mean[] = {20, 1000}, scale[] = {4, 250};
    static const char *const outputs[] = {"y"};
    sg_model *m;
    check(sg_model_new(names, 2, outputs, 1, &m));
    set_step(&m->a, &sg_transform_zscore, 2, mean, scale);
    check(sg_model_add_block(m, &sg_mf_gauss, 2, 2, rank));
    sg_block *b = &m->block[0];
    b->input_of[1] = 1;
    b->mf_of[0] = 0;
    b->mf_of[1] = 1;
    b->mf_of[2] = b->mf_of[3] = -1;
    check(sg_model_alloc_theta(m));
    b->mf[0] = 3;
    b->mf[1] = -2;
    b->mf[2] = b->mf[3] = 1;
    memcpy(b->low_rank, tilt, 2 * rank * sizeof *tilt);
    return m;
}

/* Combinations are written in the units of the most important input, on several lines if needed. */
static void combinations_are_written(void **state)
{
    static const char *const brief[] = {"t", "p"}, *const lengthy[] = {"a rather long name of an input",
                                                                       "another name, not shorter"};
    static const double tilt[] = {0.5, -0.25, 0.1, 0.8, 0, 0};
    char *words;
    (void)state;
    /* .5 ((t - 20)/4 - 3) - .25 ((p - 1000)/250 + 2) = .125 t - .001 p - 3.5: t - .008 p is about 28 +- 8;
     * .1 ((t - 20)/4 - 3) + .8 ((p - 1000)/250 + 2) = .025 t + .0032 p - 2.4: 7.8125 t + p is about 750 +- 312.5 */
    sg_model *m = leaning(brief, 3, tilt);
    check(sg_model_describe(m, &words));
    expect_in(words, " and t - 0.008 p\n         is about 28 +- 8 and 7.812 t + p is about 750 +- 312.5\n  THEN");
    sg_string_free(words);
    sg_model_free(m);
    m = leaning(lengthy, 2, tilt);
    check(sg_model_describe(m, &words));
    expect_in(words, " - 0.008 another name, not shorter\n         is about 28 +- 8");
    if (longest_line(words) >= 80) fail_msg("%s", words);
    sg_string_free(words);
    sg_model_free(m);
    m = leaning(brief, 1, tilt + 4);
    check(sg_model_describe(m, &words));
    assert_null(strstr(words, "t - ")); /* no other condition */
    sg_string_free(words);
    sg_model_free(m);
}

/* Combinations of ranks, levels and components. */
static void combinations_of_ranks_and_levels(void **state)
{
    static const char *const settings[] = {"rules=3 low-rank=1 iters=3 scale=quantile pca=0 ignore=second",
                                           "rules=3 low-rank=2 iters=3 pca=2 ignore=second"};
    static const char *const in_words[] = {" rank(", " component 2"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        sg_model *m = train(settings[i]);
        char *words;
        check(sg_model_describe(m, &words));
        expect_in(words, in_words[i]);
        assert_true(longest_line(words) < 80);
        sg_string_free(words);
        json_t *root = describe(m), *rule = json_array_get(json_object_get(root, "rules"), 1);
        assert_int_equal(json_array_size(json_object_get(rule, "combinations")), i + 1);
        assert_true(json_is_true(json_object_get(rule, "ranks")) == (i == 0));
        json_decref(root);
        sg_model_free(m);
    }
}

/* The numbers in the parentheses of conditions, such as "(about 0.3, up to 0.7)", are within [0, 1]. */
static void check_conditions_within_unit_range(const char *words, size_t *found)
{
    for (const char *at = words; (at = strstr(at, " is ")) != NULL; at++) {
        const char *from = strchr(at, '('), *end = from ? strchr(from, ')') : NULL;
        if (!end || strchr(at, '\n') < from) continue;
        while (from < end) {
            char *after;
            double x = strtod(from, &after);
            from = after > from ? after : from + 1;
            if (strncmp(from - 1, "+-", 2) == 0) from = end; /* a width follows */
            else if (after == from && !(x >= 0 && x <= 1)) fail_msg("%g is outside the data:\n%s", x, at);
            *found += after == from;
        }
    }
}

static void intervals_stay_within_the_data(void **state)
{
    static const char *const settings[] = {"scale=quantile", "scale=quantile centres=tree mf=gauss2",
                                           "scale=zscore rate=0.3"};
    (void)state;
    double x[200 * 3];
    static const char *const names[] = {"u", "v", "y"};
    for (size_t i = 0; i < 200; i++) { /* many values at both ends of the range */
        x[3 * i] = i % 3 ? (double)(i % 7) / 6 : 0;
        x[3 * i + 1] = i % 5 ? (double)(i * 37 % 200) / 199 : 1;
        x[3 * i + 2] = x[3 * i] > 0.4 ? x[3 * i + 1] : 3 * x[3 * i];
    }
    sg_table *t;
    check(sg_table_new(names, 3, x, 200, &t));
    sg_source rows = sg_table_source(t);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char all[128], *words;
        size_t found = 0;
        snprintf(all, sizeof all, "preset=mbgd-rda rules=6 pca=0 iters=400 %s", settings[i]);
        sg_options *o = options_of(all);
        sg_model *m;
        check(sg_train(o, &rows, NULL, NULL, NULL, &m));
        check(sg_model_describe(m, &words));
        check_conditions_within_unit_range(words, &found);
        assert_true(found > 8);
        if (i < 1) expect_in(words, ", up to ");
        sg_string_free(words);
        sg_model_free(m);
        sg_options_free(o);
    }
    sg_table_free(t);
}

/* Neither text nor JSON truncates names. */
static void long_names_are_complete(void **state)
{
    char name[601], *words;
    for (size_t i = 0; i < 600; i += 2) memcpy(name + i, "\xc3\xa9", 2);
    name[600] = '\0';
    const char *const names[] = {name, "v"}, *const outputs[] = {"y"};
    sg_model *m = by_hand(&sg_mf_gauss, names, outputs, 1, 1, false, false);
    (void)state;
    json_t *root = describe(m);
    const json_t *rule = json_array_get(json_object_get(root, "rules"), 0);
    assert_string_equal(text(json_array_get(json_object_get(rule, "if"), 0), "input"), name);
    json_decref(root);
    check(sg_model_describe(m, &words));
    sg_text part = {0};
    sg_text_append_format(&part, "IF   %s is low\n", name);
    expect_in(words, part.bytes);
    sg_text_release(&part);
    sg_string_free(words);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(json_is_complete),
    cmocka_unit_test(json_of_other_shapes),
    cmocka_unit_test(json_has_no_infinity),
    cmocka_unit_test(text_of_a_hand_made_model),
    cmocka_unit_test(text_of_every_kind),
    cmocka_unit_test(zero_rules_are_not_shown),
    cmocka_unit_test(formulas_are_precise),
    cmocka_unit_test(tables_by_number_of_mfs),
    cmocka_unit_test(lines_stay_below_80_columns),
    cmocka_unit_test(combinations_are_written),
    cmocka_unit_test(combinations_of_ranks_and_levels),
    cmocka_unit_test(intervals_stay_within_the_data),
    cmocka_unit_test(long_names_are_complete),
};
TEST_GROUP(tests, NULL, NULL)
