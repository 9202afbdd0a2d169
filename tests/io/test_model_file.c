/* test_model_file.c: model files round-trip bit for bit; invalid files are rejected. labels: memory */
#include "base/memory.h"
#include "base/random/random.h"
#include "base/text.h"
#include "model/model.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>
#include <unistd.h>

enum { INPUTS = 3, ROWS = 9 };

typedef struct shape {
    const sg_mf_kind *kind;
    size_t outputs, blocks, rank;
    bool two_views;
} shape;

/* --- models of every shape --- */

/* Numbers of any magnitude up to 1e100; sometimes a special one. */
static double any_number(sg_random_stream *s)
{
    static const double special[] = {0, -0.0, 1, 1e100, -1e100, 0x1p-1074, -0x1p-1022, 0.1, 1e22, 123456789012345680.0};
    if (sg_random_stream_below(s, 4) == 0) return special[sg_random_stream_below(s, sizeof special / sizeof *special)];
    int exponent = (int)sg_random_stream_below(s, 600) - 300;
    return ldexp(sg_random_stream_normal(s), sg_random_stream_below(s, 2) ? exponent : 0);
}

static double draw(sg_random_stream *s, double low, double high)
{
    return low + (high - low) * sg_random_stream_uniform(s);
}

static void add_step(sg_pipeline *v, const sg_transform_kind *kind, size_t out, sg_random_stream *s)
{
    sg_transform *step = sg_pipeline_append(v, kind, out);
    assert_non_null(step);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < kind->count(step, k); i++)
            step->parameter[k][i] = kind == &sg_transform_clamp ? (k ? 1e6 : -1e6)
                                    : k                         ? draw(s, 0.3, 3)
                                                                : draw(s, -2, 2);
}

static void add_block(sg_model *m, const shape *sh)
{
    size_t inputs = m->a.out, rules = 3, mfs = rules * inputs;
    check(sg_model_add_block(m, sh->kind, mfs, rules, sh->rank));
    sg_block *b = &m->block[m->blocks - 1];
    b->weight = m->blocks == 1 ? 1 : -0.73;
    b->firing_scale = m->blocks == 1 ? 1 : 1.0 / INPUTS;
    for (size_t i = 0; i < mfs; i++) b->input_of[i] = (uint32_t)(i % inputs);
    for (size_t i = 0; i < rules * inputs; i++) b->mf_of[i] = (int32_t)(m->blocks == 1 ? i : i % inputs);
    b->mf_of[inputs] = -1;
}

static void fill_theta(sg_model *m, sg_random_stream *s)
{
    for (size_t i = 0; i < m->parameters; i++) m->theta[i] = any_number(s);
    for (size_t k = 0; k < m->blocks; k++)
        for (size_t i = 0; i < m->block[k].mfs; i++) {
            sg_block *b = &m->block[k];
            double p[SG_MF_MAX_PARAMETERS];
            b->kind->init(draw(s, -2, 2), draw(s, 0.2, 2), draw(s, 0.5, 3), p);
            sg_mf_put(b, i, p);
        }
}

static void add_record(sg_record *r)
{
    assert_true(sg_record_add(r, "version", "0.1.0", false) && sg_record_add(r, "rate", "0.01", true) &&
                sg_record_add(r, "epsilon", "1e-8", true) && sg_record_add(r, "seed", "9007199254740991", true) &&
                sg_record_add(r, "weights", "", false) &&
                sg_record_add(r, "caf\xc3\xa9 \"x\"", "two\nlines\t\\", false));
    for (size_t i = 0; i < 20; i++)
        assert_true(sg_record_add_point(r, i * 25 + 1, 1 / (1 + (double)i), i % 3 ? 0.7 : (double)NAN));
}

/* Statistics of the training rows. */
static void add_profile(sg_model *m, sg_random_stream *s)
{
    assert_true(sg_model_alloc_quantiles(m));
    for (size_t i = 0; i < INPUTS * SG_QUANTILE_COUNT; i++)
        m->quantile[i] = (i % SG_QUANTILE_COUNT ? m->quantile[i - 1] : -3) + draw(s, 0, 1);
    for (size_t k = 0; k < m->blocks; k++) {
        sg_block *b = &m->block[k];
        assert_true(sg_block_alloc_firing_shares(b, INPUTS));
        for (size_t r = 0; r < b->rules; r++) b->firing_share[r] = draw(s, 0, 1);
        for (size_t i = 0; i < b->rules * INPUTS; i++) b->centroid[i] = any_number(s);
        if (k % 2 == 0) assert_true(sg_block_alloc_mean_predictions(b) && sg_block_save_initial_mfs(b));
        for (size_t i = 0; b->mean_prediction && i < b->rules * b->outputs; i++) b->mean_prediction[i] = any_number(s);
        for (size_t i = 0; b->initial_mf && i < b->mfs; i++) {
            double p[SG_MF_MAX_PARAMETERS];
            b->kind->init(draw(s, -2, 2), draw(s, 0.2, 2), draw(s, 0.5, 3), p);
            for (size_t j = 0; j < b->kind->arity; j++) b->initial_mf[j * b->mfs + i] = p[j];
        }
    }
}

static sg_model *make_model(const shape *sh, uint64_t seed)
{
    static const char *const inputs[] = {"a", "caf\xc3\xa9 \"q\" \\ \x01", "x(t-18)"};
    static const char *const outputs[] = {"y", "second, one", "z"};
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    sg_model *m;
    check(sg_model_new(inputs, INPUTS, outputs, sh->outputs, &m));
    for (size_t i = 0; i < INPUTS; i++) {
        m->low[i] = draw(&s, -10, -1);
        m->high[i] = draw(&s, 1, 10);
        m->feature_mean[i] = draw(&s, -0.9, 0.8);
    }
    for (size_t o = 0; o < sh->outputs; o++) {
        m->mean[o] = any_number(&s);
        m->scale[o] = draw(&s, 0.1, 30);
        m->y0[o] = any_number(&s);
    }
    m->shared_pipeline = !sh->two_views;
    add_step(&m->a, &sg_transform_zscore, INPUTS, &s);
    add_step(&m->a, &sg_transform_clamp, INPUTS, &s);
    if (sh->two_views) {
        add_step(&m->a, &sg_transform_pca, 2, &s);
        add_step(&m->z, &sg_transform_zscore, INPUTS, &s);
    }
    for (size_t b = 0; b < sh->blocks; b++) add_block(m, sh);
    check(sg_model_alloc_theta(m));
    fill_theta(m, &s);
    if (seed % 3) add_profile(m, &s);
    add_record(&m->record);
    return m;
}

static void predict_some(const sg_model *m, double *y)
{
    sg_random_stream s = sg_random_stream_at(99, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    double x[ROWS * INPUTS];
    for (size_t i = 0; i < ROWS * INPUTS; i++)
        x[i] = i % 7 == 5 ? (double)NAN : i < 3 * (ROWS - 1) ? draw(&s, -4, 4) : 1e300;
    check(sg_model_predict(m, x, ROWS, y));
}

static void expect_same_block(const sg_block *m, const sg_block *n)
{
    assert_int_equal(n->mean_prediction != NULL, m->mean_prediction != NULL);
    if (m->mean_prediction)
        assert_memory_equal(n->mean_prediction, m->mean_prediction, m->rules * m->outputs * sizeof *m->mean_prediction);
    assert_int_equal(n->initial_mf != NULL, m->initial_mf != NULL);
    if (m->initial_mf)
        assert_memory_equal(n->initial_mf, m->initial_mf, m->mfs * m->kind->arity * sizeof *m->initial_mf);
}

static void expect_same(const sg_model *m, const sg_model *n)
{
    double y[ROWS * 3], z[ROWS * 3];
    const char *name[2], *value[2];
    assert_int_equal(n->parameters, m->parameters);
    assert_memory_equal(n->theta, m->theta, m->parameters * sizeof *m->theta);
    assert_true(n->features == m->features && n->outputs == m->outputs && n->blocks == m->blocks);
    assert_int_equal(n->shared_pipeline, m->shared_pipeline);
    for (size_t i = 0; i < m->features; i++) assert_string_equal(sg_model_input_name(n, i), sg_model_input_name(m, i));
    assert_memory_equal(n->low, m->low, m->features * sizeof *m->low);
    assert_memory_equal(n->high, m->high, m->features * sizeof *m->high);
    assert_memory_equal(n->feature_mean, m->feature_mean, m->features * sizeof *m->feature_mean);
    assert_int_equal(n->quantile != NULL, m->quantile != NULL);
    if (m->quantile)
        assert_memory_equal(n->quantile, m->quantile, m->features * SG_QUANTILE_COUNT * sizeof *m->quantile);
    for (size_t b = 0; b < m->blocks; b++) {
        assert_int_equal(n->block[b].firing_share != NULL, m->block[b].firing_share != NULL);
        if (m->block[b].firing_share)
            assert_memory_equal(n->block[b].firing_share, m->block[b].firing_share,
                                m->block[b].rules * (m->features + 1) * sizeof *m->block[b].firing_share);
        expect_same_block(&m->block[b], &n->block[b]);
    }
    for (size_t o = 0; o < m->outputs; o++) assert_string_equal(sg_model_output_name(n, o), sg_model_output_name(m, o));
    for (size_t i = 0; sg_model_record(m, i, &name[0], &value[0]); i++) {
        assert_true(sg_model_record(n, i, &name[1], &value[1]));
        assert_string_equal(name[1], name[0]);
        assert_string_equal(value[1], value[0]);
    }
    assert_int_equal(n->record.points, m->record.points);
    predict_some(m, y);
    predict_some(n, z);
    assert_memory_equal(y, z, ROWS * m->outputs * sizeof *y);
    for (size_t i = 0; i < ROWS * m->outputs; i++) assert_true(isfinite(y[i]));
}

static void check_round_trip(const shape *sh, uint64_t seed)
{
    sg_model *m = make_model(sh, seed), *n, *copy;
    char *text, *again;
    check(sg_model_to_json(m, &text));
    check(sg_model_from_json(text, strlen(text), "m.json", &n));
    check(sg_model_to_json(n, &again));
    assert_string_equal(again, text);
    expect_same(m, n);
    check(sg_model_copy(m, &copy));
    sg_string_free(again);
    check(sg_model_to_json(copy, &again));
    assert_string_equal(again, text);
    sg_string_free(text);
    sg_string_free(again);
    sg_model_free(m);
    sg_model_free(n);
    sg_model_free(copy);
}

static void round_trips(void **state)
{
    size_t cases = 0;
    (void)state;
    for (size_t k = 0; sg_mf_name(k); k++)
        for (int variant = 0; variant < 16; variant++) {
            shape sh = {.kind = sg_mf_find(sg_mf_name(k)),
                        .outputs = variant & 1 ? 3 : 1,
                        .blocks = variant & 2 ? 2 : 1,
                        .two_views = variant & 4,
                        .rank = variant & 8 ? 2 : 0};
            if (sh.rank && sh.kind->centre < 0) continue;
            check_round_trip(&sh, 100 + cases);
            cases++;
        }
    assert_int_equal(cases, 6 * 16 - 16);
}

static char path[] = "/tmp/sugeno-model-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? 1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void round_trips_through_a_file(void **state)
{
    shape sh = {.kind = &sg_mf_trap, .outputs = 3, .blocks = 2, .two_views = true};
    sg_model *m = make_model(&sh, 7), *n = NULL;
    (void)state;
    check_fails(sg_model_load(path, &n), SG_EDATA, path); /* empty */
    check(sg_model_save(m, path));
    check(sg_model_load(path, &n));
    expect_same(m, n);
    check(sg_model_save(n, path));
    sg_model_free(n);
    check(sg_model_load(path, &n));
    expect_same(m, n);
    sg_model_free(m);
    sg_model_free(n);
    n = NULL;
    check_fails(sg_model_load("/nowhere/m.json", &n), SG_EIO, "/nowhere/m.json");
    check_fails(sg_model_load("/tmp", &n), SG_EIO, "/tmp");
    check_fails(sg_model_load("/dev/null", &n), SG_EDATA, "/dev/null");
    assert_null(n);
    sg_model_free(NULL);
}

/* Trained models round-trip, too, with their record. */
static void trained_models_round_trip(void **state)
{
    static const char *const presets[] = {"rr", "mbgd-rda", "anfis-gd-lse-r", "mbgd-rda-dropmf"};
    sg_table *t;
    (void)state;
    check(sg_table_generate("friedman", 60, 3, &t));
    sg_source rows = sg_table_source(t);
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        sg_options *o = options_of("iters=3 batch=20 mfs=2 pca=3 seed=9007199254740991 threads=1");
        sg_trainer *tr;
        sg_progress p;
        sg_model *m, *n;
        char *text, *again;
        check(sg_options_set(o, "preset", presets[i]));
        check(sg_trainer_new(o, &rows, NULL, &tr));
        do check(sg_trainer_step(tr, &p));
        while (p.more);
        check(sg_trainer_model(tr, &m));
        check(sg_model_to_json(m, &text));
        check(sg_model_from_json(text, strlen(text), "m.json", &n));
        check(sg_model_to_json(n, &again));
        assert_string_equal(again, text);
        sg_string_free(text);
        sg_string_free(again);
        sg_model_free(m);
        sg_model_free(n);
        sg_trainer_free(tr);
        sg_options_free(o);
    }
    sg_table_free(t);
}

/* --- hand-written file --- */

static const char by_hand[] = "{\n"
                              "  \"kind\": \"sugeno model\",\n"
                              "  \"format\": 1,\n"
                              "  \"inputs\": [\n"
                              "    {\"name\": \"u\", \"low\": -1.5, \"high\": 2.5, \"mean\": 0.625},\n"
                              "    {\"name\": \"v\", \"low\": 0, \"high\": 10, \"mean\": 4.5}\n"
                              "  ],\n"
                              "  \"targets\": [\n"
                              "    {\"name\": \"y\", \"mean\": 3.25, \"scale\": 2.5, \"y0\": 0.5}\n"
                              "  ],\n"
                              "  \"antecedents_see\": [\n"
                              "    {\"step\": \"zscore\", \"mean\": [0.5, 5], \"scale\": [1.25, 2.5]},\n"
                              "    {\"step\": \"clamp\", \"low\": [-7, -8], \"high\": [1e6, 2e6]}\n"
                              "  ],\n"
                              "  \"consequents_see\": [\n"
                              "    {\"step\": \"pca\", \"components\": [\n"
                              "      [0.6, 0.8]\n"
                              "    ]}\n"
                              "  ],\n"
                              "  \"blocks\": [\n"
                              "    {\n"
                              "      \"mf\": \"gauss\",\n"
                              "      \"weight\": 1.5,\n"
                              "      \"h\": 0.25,\n"
                              "      \"rank\": 1,\n"
                              "      \"mfs\": [\n"
                              "        {\"input\": 0, \"c\": -1.25, \"sigma\": 0.75},\n"
                              "        {\"input\": 1, \"c\": 0.25, \"sigma\": 1.75}\n"
                              "      ],\n"
                              "      \"rules\": [\n"
                              "        {\"if\": [0, 1], \"tilt\": [[0.125, -0.25]], \"then\": [[0.375, -2.75]]},\n"
                              "        {\"if\": [-1, 1], \"tilt\": [[0.625, 0.875]], \"then\": [[-0.625, 1.75]]}\n"
                              "      ]\n"
                              "    }\n"
                              "  ],\n"
                              "  \"training\": {\n"
                              "    \"preset\": \"by hand\",\n"
                              "    \"rate\": 0.01,\n"
                              "    \"curve\": [[1, 0.5, null], [2, 0.25, 0.375]]\n"
                              "  }\n"
                              "}\n";

static double hand_prediction(double u, double v)
{
    double a[2] = {(u - 0.5) / 1.25, (v - 5) / 2.5}, z = 0.6 * u + 0.8 * v;
    double d[2] = {a[0] + 1.25, a[1] - 0.25};
    double first = d[0] / 0.75, second = d[1] / 1.75;
    double t0 = 0.125 * d[0] - 0.25 * d[1], t1 = 0.875 * d[1];
    double f0 = exp(0.25 * -0.5 * (first * first + second * second + t0 * t0));
    double f1 = exp(0.25 * -0.5 * (second * second + t1 * t1));
    double y0 = 0.375 - 2.75 * z, y1 = -0.625 + 1.75 * z;
    return 3.25 + 2.5 * (0.5 + 1.5 * (f0 * y0 + f1 * y1) / (f0 + f1));
}

/* The format is stable: this file must always be readable. */
static void reads_a_hand_written_file(void **state)
{
    static const double x[][2] = {{0.5, 5}, {-1.5, 0}, {2.5, 10}, {0.1, 7.7}, {1.9, 3.2}};
    sg_model *m;
    char *text;
    const char *name, *value;
    (void)state;
    check(sg_model_from_json(by_hand, sizeof by_hand - 1, "hand", &m));
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        double y;
        check(sg_model_predict(m, x[i], 1, &y));
        assert_close(y, hand_prediction(x[i][0], x[i][1]), 1e-12);
    }
    assert_int_equal(sg_model_rules(m), 2);
    assert_int_equal(sg_model_parameters(m), 2 * 2 + 2 * 2 + 2 * 2);
    assert_true(sg_model_theta(m)[0] == -1.25 && sg_model_theta(m)[2] == 0.75); /* (arity, mfs) */
    assert_string_equal(sg_model_input_name(m, 1), "v");
    assert_null(sg_model_input_name(m, 2));
    assert_string_equal(sg_model_output_name(m, 0), "y");
    assert_null(sg_model_output_name(m, 1));
    assert_true(sg_model_record(m, 1, &name, &value));
    assert_string_equal(name, "rate");
    assert_string_equal(value, "0.01");
    assert_false(sg_model_record(m, 2, &name, &value));
    check(sg_model_to_json(m, &text));
    char *where = strstr(text, "1000000, 2000000"); /* the only numbers not in shortest form */
    assert_non_null(where);
    assert_int_equal(where - text, strstr(by_hand, "1e6, 2e6") - by_hand);
    assert_memory_equal(text, by_hand, (size_t)(where - text));
    assert_string_equal(where + strlen("1000000, 2000000"), strstr(by_hand, "1e6, 2e6") + strlen("1e6, 2e6"));
    sg_string_free(text);
    sg_model_free(m);
}

/* --- invalid files --- */

typedef struct edit {
    const char *from, *to, *sentence;
} edit;

/* The hand-written file with the first `from` replaced. */
static sg_text edited(const edit *e)
{
    const char *at = strstr(by_hand, e->from);
    sg_text t = {0};
    if (!at) fail_msg("no <%s>", e->from);
    sg_text_append_bytes(&t, by_hand, (size_t)(at - by_hand));
    sg_text_append(&t, e->to);
    sg_text_append(&t, at + strlen(e->from));
    return t;
}

static void try_edits(const edit *edits, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sg_model *m = NULL;
        sg_text t = edited(&edits[i]);
        sg_status st = sg_model_from_json(t.bytes, t.length, "m.json", &m);
        if (st != SG_EDATA || m) fail_msg("%s -> %s: status %d", edits[i].from, edits[i].to, st);
        if (strstr(sg_errmsg(), "m.json") != sg_errmsg() || !strstr(sg_errmsg(), edits[i].sentence))
            fail_msg("%s -> %s: \"%s\" lacks \"%s\"", edits[i].from, edits[i].to, sg_errmsg(), edits[i].sentence);
        sg_text_release(&t);
    }
}
#define TRY(edits) try_edits(edits, sizeof(edits) / sizeof *(edits))

/* Missing means are those of the z-score, or the middle of the range. */
static void means_are_optional(void **state)
{
    static const edit edits[] = {
        {", \"mean\": 4.5", "", NULL},
        {"\"step\": \"zscore\", \"mean\": [0.5, 5], \"scale\": [1.25, 2.5]},\n    {", "", NULL}};
    static const double means[] = {5, 4.5};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        sg_model *m;
        sg_text t = edited(&edits[i]);
        check(sg_model_from_json(t.bytes, t.length, "m.json", &m));
        assert_true(m->feature_mean[0] == 0.625 && m->feature_mean[1] == means[i]);
        sg_model_free(m);
        sg_text_release(&t);
    }
    sg_model *m; /* without means and z-score */
    static const char old[] =
        "{\"kind\": \"sugeno model\", \"format\": 1, \"inputs\": [{\"name\": \"u\", \"low\": 2, \"high\": 7}], "
        "\"targets\": [{\"name\": \"y\", \"mean\": 0, \"scale\": 1, \"y0\": 0}], \"antecedents_see\": [], "
        "\"blocks\": [{\"mf\": \"gauss\", \"weight\": 1, \"h\": 1, \"rank\": 0, \"mfs\": [], "
        "\"rules\": [{\"if\": [-1], \"then\": [[0, 2]]}]}]}";
    double x = NAN, y;
    check(sg_model_from_json(old, sizeof old - 1, "m.json", &m));
    check(sg_model_predict(m, &x, 1, &y));
    assert_true(y == 9);
    sg_model_free(m);
}

static void rejects_other_kinds(void **state)
{
    static const edit edits[] = {
        {"sugeno model", "sugeno checkpoint",
         "m.json: this is not a sugeno model; expected \"kind\": \"sugeno model\""},
        {"\"sugeno model\"", "1", "m.json: this is not a sugeno model; expected \"kind\": \"sugeno model\""},
        {"\"kind\": \"sugeno model\",", "", "m.json: this is not a sugeno model; expected \"kind\": \"sugeno model\""},
        {"\"format\": 1", "\"format\": 3", "m.json: format 3 is newer than this program"},
        {"\"format\": 1", "\"format\": \"1\"", "m.json: format: expected a number"},
        {"\"format\": 1", "\"format\": 1.5", "m.json: format: expected an integer"},
        {"\"format\": 1", "\"format\": 0", "m.json: format: expected an integer"},
        {"\"format\": 1", "\"format\": -1", "m.json: format: expected an integer"},
        {"\"format\": 1", "\"format\": 9223372036854775808.0", "m.json: format"},
        {"\"format\": 1", "\"format\": null", "m.json: format: expected a number"},
        {"\"format\": 1,", "", "m.json: format is missing; expected a number"},
    };
    (void)state;
    TRY(edits);
}

static void rejects_invalid_columns(void **state)
{
    static const edit edits[] = {
        {"\"inputs\"", "\"input\"", "m.json: inputs is missing; expected an array"},
        {"\"targets\"", "\"outputs\"", "m.json: targets is missing"},
        {"{\"name\": \"u\"", "{\"nom\": \"u\"", "inputs[0].name is missing; expected a string"},
        {"\"u\"", "\"\"", "inputs[0].name: expected a non-empty string"},
        {"\"u\"", "7", "inputs[0].name: expected a string"},
        {"\"low\": 0", "\"low\": \"0\"", "inputs[1].low: expected a number"},
        {"\"low\": 0", "\"low\": 11", "inputs[1]: low must not be above high"},
        {"\"high\": 10,", "\"hi\": 10,", "inputs[1].high is missing"},
        {"\"mean\": 4.5", "\"mean\": null", "inputs[1].mean: expected a number"},
        {"\"mean\": 4.5", "\"mean\": 1e101", "inputs[1].mean: expected a magnitude of at most 1e100, got 1e+101"},
        {"{\"name\": \"v\", \"low\": 0, \"high\": 10, \"mean\": 4.5}", "[]", "inputs[1]: expected an object"},
        {",\n    {\"name\": \"v\", \"low\": 0, \"high\": 10, \"mean\": 4.5}", "",
         "antecedents_see[0].mean: expected 1 numbers, got 2"},
        {"{\"name\": \"y\", \"mean\": 3.25, \"scale\": 2.5, \"y0\": 0.5}", "",
         "targets: expected 1 to 1000000 items, got 0"},
        {"\"scale\": 2.5, \"y0\"", "\"scale\": 0, \"y0\"", "targets[0].scale must be above 0"},
        {"\"scale\": 2.5, \"y0\"", "\"scale\": -1, \"y0\"", "targets[0].scale must be above 0"},
        {"\"scale\": 2.5, \"y0\"", "\"scale\": 1e-101, \"y0\"", "targets[0].scale"},
        {", \"y0\": 0.5", "", "targets[0].y0 is missing"},
        {"\"mean\": 3.25", "\"mean\": true", "targets[0].mean: expected a number"},
        {"\"u\"", "\"\\u0000\"", "m.json:5:"},
        {"\"u\"", "\"\xff\"", "m.json:5:"},
    };
    (void)state;
    TRY(edits);
}

static void rejects_invalid_transforms(void **state)
{
    static const edit edits[] = {
        {"\"antecedents_see\"", "\"antecedents\"", "antecedents_see is missing"},
        {"\"zscore\"", "\"z-score\"", "antecedents_see[0].step: unknown step"},
        {"\"step\": \"zscore\", ", "", "antecedents_see[0].step is missing"},
        {"[0.5, 5]", "[0.5]", "antecedents_see[0].mean: expected 2 numbers, got 1"},
        {"[0.5, 5]", "[0.5, 5, 6]", "antecedents_see[0].mean: expected 2 numbers, got 3"},
        {"[0.5, 5]", "0.5", "antecedents_see[0].mean: expected an array"},
        {"[0.5, 5]", "[0.5, null]", "antecedents_see[0].mean[1]: expected a number"},
        {"\"mean\": [", "\"means\": [", "antecedents_see[0].mean is missing"},
        {"[1.25, 2.5]", "[1.25, 0]", "antecedents_see[0]: scale must be above 0"},
        {"[1.25, 2.5]", "[-1.25, 2.5]", "antecedents_see[0]: scale must be above 0"},
        {"[-7, -8]", "[-7, 3e6]", "antecedents_see[1]: low must not be above high"},
        {"[0.6, 0.8]", "[0.6]", "consequents_see[0].components[0]: expected 2 numbers, got 1"},
        {"[0.6, 0.8]", "0.6", "consequents_see[0].components[0]: expected an array"},
        {"[0.6, 0.8]", "", "consequents_see[0].components: expected 1 to 2 items, got 0"},
        {"[0.6, 0.8]", "[1, 0], [0, 1], [1, 1]", "consequents_see[0].components: expected 1 to 2 items, got 3"},
        {"[0.6, 0.8]", "[1, 0], [0, 1]", "blocks[0].rules[0].then[0]: expected 3 numbers, got 2"},
        {"\"consequents_see\": [", "\"consequents_see\": [7,", "consequents_see[0]: expected an object"},
        {"\"consequents_see\"", "\"unknown\"", "blocks[0].rules[0].then[0]: expected 3 numbers, got 2"},
    };
    (void)state;
    TRY(edits);
}

static void rejects_invalid_blocks(void **state)
{
    static const edit edits[] = {
        {"\"blocks\"", "\"block\"", "blocks is missing"},
        {"\"gauss\"", "\"gaussian\"", "blocks[0].mf: unknown kind of membership function"},
        {"\"gauss\"", "\"gbell\"", "blocks[0].mfs[0].a is missing"},
        {"\"gauss\"", "\"trap\"", "blocks[0].rank: expected 0, because trap functions have no centre"},
        {"\"gauss\"", "3", "blocks[0].mf: expected a string"},
        {"\"weight\": 1.5", "\"weight\": 2e6", "blocks[0].weight: expected a number from -1e6 to 1e6"},
        {"\"weight\": 1.5,", "", "blocks[0].weight is missing"},
        {"\"h\": 0.25", "\"h\": 0", "blocks[0].h: expected a number above 0 and at most 1e6"},
        {"\"h\": 0.25", "\"h\": -1", "blocks[0].h: expected a number above 0 and at most 1e6"},
        {"\"h\": 0.25", "\"h\": 1e7", "blocks[0].h: expected a number above 0 and at most 1e6"},
        {"\"rank\": 1", "\"rank\": 4", "blocks[0].rank: expected an integer from 0 to 3"},
        {"\"rank\": 1", "\"rank\": 2", "blocks[0].rules[0].tilt: expected 2 arrays, got 1"},
        {"\"rank\": 1", "\"rank\": 1e18", "blocks[0].rank: expected an integer from 0 to 3"},
        {"\"rank\": 1", "\"rank\": -1", "blocks[0].rank"},
        {"\"rank\": 1", "\"rank\": 1, \"sees\": \"a\"", "blocks[0].sees: expected \"z\""},
        {"\"rank\": 1", "\"rank\": 1, \"sees\": 1", "blocks[0].sees: expected a string"},
        {"\"rank\": 1", "\"rank\": 1, \"sees\": \"z\"",
         "blocks[0].sees: \"z\" requires consequents_see, and the steps must not include \"pca\""},
        {"\"input\": 1", "\"input\": 2", "blocks[0].mfs[1].input: expected an integer from 0 to 1, got 2"},
        {"\"input\": 1", "\"input\": -1", "blocks[0].mfs[1].input"},
        {"\"input\": 1", "\"input\": 4294967297", "blocks[0].mfs[1].input"},
        {"\"input\": 1", "\"input\": 0.5", "blocks[0].mfs[1].input: expected an integer"},
        {"\"input\": 1", "\"input\": 0", "blocks[0].rules[0].if[1]: membership function 1 belongs to input 0, not 1"},
        {"\"sigma\": 0.75", "\"sigma\": 0", "blocks[0].mfs[0]: sigma must be above 0"},
        {"\"sigma\": 0.75", "\"sigma\": -0.75", "blocks[0].mfs[0]: sigma must be above 0"},
        {"\"sigma\": 0.75", "\"a\": 0.75", "blocks[0].mfs[0].sigma is missing"},
        {"\"c\": -1.25", "\"c\": 1e200", "blocks[0].mfs[0].c: expected a magnitude of at most 1e100, got 1e+200"},
        {"\"c\": -1.25", "\"c\": 1e400", "m.json:27:"},
        {"\"c\": -1.25", "\"c\": NaN", "m.json:27:"},
        {"\"c\": -1.25", "\"c\": Infinity", "m.json:27:"},
        {"\"c\": -1.25", "\"c\": null", "blocks[0].mfs[0].c: expected a number"},
        {"\"c\": -1.25", "\"c\": \"-1.25\"", "blocks[0].mfs[0].c: expected a number"},
        {"\"c\": -1.25", "\"c\": -1,25", "m.json:27:"},
        {"\"c\": -1.25", "\"c\": 99999999999999999999", "m.json:27:"},
        {"\"c\": -1.25", "\"c\": -1.25, \"c\": 3", "m.json:27:"},
        {"\"mfs\": [", "\"mfs\": [0,", "blocks[0].mfs[0]: expected an object"},
        {"\"mf\": \"gauss\",\n", "\"mf\": \"gauss\", \"mf\": \"gauss\",\n", "m.json:22:"},
    };
    (void)state;
    TRY(edits);
}

static void rejects_invalid_rules(void **state)
{
    static const edit edits[] = {
        {"\"rules\"", "\"rule\"", "blocks[0].rules is missing"},
        {"[0, 1]", "[0]", "blocks[0].rules[0].if: expected 2 conditions, got 1"},
        {"[0, 1]", "[0, 1, -1]", "blocks[0].rules[0].if: expected 2 conditions, got 3"},
        {"[0, 1]", "[0, 2]", "blocks[0].rules[0].if[1]: expected an integer from -1 to 1, got 2"},
        {"[0, 1]", "[0, -2]", "blocks[0].rules[0].if[1]"},
        {"[0, 1]", "[0, 2147483648]", "blocks[0].rules[0].if[1]"},
        {"[0, 1]", "[0, 0.5]", "blocks[0].rules[0].if[1]"},
        {"[0, 1]", "[1, 1]", "blocks[0].rules[0].if[0]: membership function 1 belongs to input 1, not 0"},
        {"[0, 1]", "[0, null]", "blocks[0].rules[0].if[1]: expected a number"},
        {"[0, 1]", "{}", "blocks[0].rules[0].if: expected an array"},
        {"\"if\": [0, 1], ", "", "blocks[0].rules[0].if is missing"},
        {"[[0.625, 0.875]]", "[[0.625]]", "blocks[0].rules[1].tilt[0]: expected 2 numbers, got 1"},
        {"[[0.625, 0.875]]", "[0.625, 0.875]", "blocks[0].rules[1].tilt: expected 1 arrays, got 2"},
        {", \"tilt\": [[0.625, 0.875]]", "", "blocks[0].rules[1].tilt is missing"},
        {"[[-0.625, 1.75]]", "[[-0.625, 1.75, 0]]", "blocks[0].rules[1].then[0]: expected 2 numbers, got 3"},
        {"[[-0.625, 1.75]]", "[[-0.625, 1.75], [0, 1]]", "blocks[0].rules[1].then: expected 1 arrays, got 2"},
        {"[[-0.625, 1.75]]", "[-0.625, 1.75]", "blocks[0].rules[1].then: expected 1 arrays, got 2"},
        {"[[-0.625, 1.75]]", "[]", "blocks[0].rules[1].then: expected 1 arrays, got 0"},
        {"[[-0.625, 1.75]]", "[[-0.625, -1.01e100]]",
         "blocks[0].rules[1].then[0][1]: expected a magnitude of at most 1e100, got -1.01e+100"},
        {"[[-0.625, 1.75]]", "[[-0.625, \"\"]]", "blocks[0].rules[1].then[0][1]: expected a number"},
        {", \"then\": [[-0.625, 1.75]]", "", "blocks[0].rules[1].then is missing"},
    };
    (void)state;
    TRY(edits);
}

/* Coverage and quantiles are optional, but for all rules or inputs at once. */
static void rejects_invalid_rule_stats(void **state)
{
    static const char first[] = "\"if\": [0, 1], ", second[] = "\"if\": [-1, 1], ";
    static const struct {
        const char *first, *second, *sentence;
    } cases[] = {
        {"\"share\": 0.75, \"mean\": [1, 2], ", "\"share\": 0.25, \"mean\": [3, 4], ", NULL},
        {"\"share\": 0, \"mean\": [1, 2], ", "\"share\": 1, \"mean\": [3, 4], ", NULL},
        {"", "\"share\": 0.25, \"mean\": [3, 4], ",
         "blocks[0].rules[1].share: expected in all rules of the block or in none"},
        {"\"share\": 0.75, \"mean\": [1, 2], ", "", "blocks[0].rules[1].share is missing"},
        {"\"share\": 0.75, \"mean\": [1, 2], ", "\"share\": 1.25, \"mean\": [3, 4], ",
         "blocks[0].rules[1].share: expected a number from 0 to 1"},
        {"\"share\": -0.1, \"mean\": [1, 2], ", "\"share\": 1, \"mean\": [3, 4], ",
         "blocks[0].rules[0].share: expected a number from 0 to 1"},
        {"\"share\": null, \"mean\": [1, 2], ", "\"share\": 1, \"mean\": [3, 4], ",
         "blocks[0].rules[0].share: expected a number"},
        {"\"share\": 0.75, ", "\"share\": 1, \"mean\": [3, 4], ", "blocks[0].rules[0].mean is missing"},
        {"\"share\": 0.75, \"mean\": [1], ", "\"share\": 1, \"mean\": [3, 4], ",
         "blocks[0].rules[0].mean: expected 2 numbers, got 1"},
        {"\"share\": 0.75, \"mean\": [1, 1e101], ", "\"share\": 1, \"mean\": [3, 4], ",
         "blocks[0].rules[0].mean[1]: expected a magnitude of at most 1e100, got 1e+101"},
        {"\"share\": 0.75, \"mean\": [1, 2], \"about\": [7], ", "\"share\": 1, \"mean\": [3, 4], \"about\": [-8e99], ",
         NULL},
        {"\"share\": 0.75, \"mean\": [1, 2], \"about\": [7], ", "\"share\": 1, \"mean\": [3, 4], ",
         "blocks[0].rules[1].about is missing"},
        {"\"share\": 0.75, \"mean\": [1, 2], ", "\"share\": 1, \"mean\": [3, 4], \"about\": [7], ",
         "blocks[0].rules[1].about: expected in all rules of the block or in none"},
        {"\"share\": 0.75, \"mean\": [1, 2], \"about\": [7, 8], ", "\"share\": 1, \"mean\": [3, 4], \"about\": [7], ",
         "blocks[0].rules[0].about: expected 1 numbers, got 2"},
        {"\"share\": 0.75, \"mean\": [1, 2], \"about\": 7, ", "\"share\": 1, \"mean\": [3, 4], \"about\": [7], ",
         "blocks[0].rules[0].about: expected an array"},
        {"\"share\": 0.75, \"mean\": [1, 2], \"about\": [7], ", "\"share\": 1, \"mean\": [3, 4], \"about\": [\"\"], ",
         "blocks[0].rules[1].about[0]: expected a number"},
        {"\"about\": [7], ", "\"about\": [7], ",
         "blocks[0].rules[0].about: \"share\" is missing; expected both \"about\" and \"share\", or neither"},
    };
    static const edit quantiles[] = {
        {"\"mean\": 4.5", "\"mean\": 4.5, \"quantiles\": [1, 2, 3, 4, 5]", "inputs[0].quantiles is missing"},
        {"\"name\": \"u\"", "\"name\": \"u\", \"quantiles\": [1, 2, 3, 4]",
         "inputs[0].quantiles: expected 5 numbers, got 4"},
        {"\"name\": \"u\"", "\"name\": \"u\", \"quantiles\": [1, 2, 3, 2.5, 5]",
         "inputs[0].quantiles[3]: expected non-decreasing numbers"},
        {"\"name\": \"u\"", "\"name\": \"u\", \"quantiles\": [1, 2, 3, 4, 5]", "inputs[1].quantiles is missing"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *one = strstr(by_hand, first), *two = strstr(by_hand, second);
        assert_true(one && two > one);
        sg_text t = {0};
        sg_text_append_bytes(&t, by_hand, (size_t)(one - by_hand));
        sg_text_append(&t, cases[i].first);
        sg_text_append_bytes(&t, one, (size_t)(two - one));
        sg_text_append(&t, cases[i].second);
        sg_text_append(&t, two);
        sg_model *m = NULL;
        sg_status st = sg_model_from_json(t.bytes, t.length, "m.json", &m);
        if (cases[i].sentence && (st != SG_EDATA || m || !strstr(sg_errmsg(), cases[i].sentence)))
            fail_msg("case %zu: %d, %s", i, st, sg_errmsg());
        if (!cases[i].sentence) check(st);
        if (!cases[i].sentence) assert_true(m->block[0].centroid[3] == 4);
        sg_model_free(m);
        sg_text_release(&t);
    }
    TRY(quantiles);
}

/* Initial MFs are optional, but for all of a block at once. */
static void rejects_invalid_initial_mfs(void **state)
{
    static const char first[] = "\"sigma\": 0.75", second[] = "\"sigma\": 1.75";
    static const struct {
        const char *first, *second, *sentence;
    } cases[] = {
        {", \"before\": [-1, 0.5]", ", \"before\": [1, 2]", NULL},
        {"", ", \"before\": [1, 2]",
         "blocks[0].mfs[1].before: expected in all membership functions of the block or in none"},
        {", \"before\": [1, 2]", "", "blocks[0].mfs[1].before is missing"},
        {", \"before\": [1]", ", \"before\": [1, 2]", "blocks[0].mfs[0].before: expected 2 numbers, got 1"},
        {", \"before\": []", ", \"before\": []", "blocks[0].mfs[0].before: expected 2 numbers, got 0"},
        {", \"before\": [1, 2, 3]", ", \"before\": [1, 2]", "blocks[0].mfs[0].before: expected 2 numbers, got 3"},
        {", \"before\": null", ", \"before\": [1, 2]", "blocks[0].mfs[0].before: expected an array"},
        {", \"before\": {\"c\": 1}", ", \"before\": [1, 2]", "blocks[0].mfs[0].before: expected an array"},
        {", \"before\": [1, 2]", ", \"before\": [1, 0]", "blocks[0].mfs[1].before: sigma must be above 0"},
        {", \"before\": [1, 2]", ", \"before\": [1e101, 2]",
         "blocks[0].mfs[1].before[0]: expected a magnitude of at most 1e100, got 1e+101"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *one = strstr(by_hand, first) + strlen(first), *two = strstr(by_hand, second) + strlen(second);
        sg_text t = {0};
        sg_text_append_bytes(&t, by_hand, (size_t)(one - by_hand));
        sg_text_append(&t, cases[i].first);
        sg_text_append_bytes(&t, one, (size_t)(two - one));
        sg_text_append(&t, cases[i].second);
        sg_text_append(&t, two);
        sg_model *m = NULL;
        sg_status st = sg_model_from_json(t.bytes, t.length, "m.json", &m);
        if (cases[i].sentence && (st != SG_EDATA || m || !strstr(sg_errmsg(), cases[i].sentence)))
            fail_msg("case %zu: %d, %s", i, st, sg_errmsg());
        if (!cases[i].sentence) check(st);
        if (!cases[i].sentence) assert_true(m->block[0].initial_mf[1] == 1 && m->block[0].initial_mf[2] == 0.5);
        sg_model_free(m);
        sg_text_release(&t);
    }
}

static void rejects_invalid_records(void **state)
{
    static const edit edits[] = {
        {"\"training\": {", "\"training\": [], \"x\": {", "training: expected an object"},
        {"\"by hand\"", "null", "training: the value of \"preset\" must be a string or a number"},
        {"\"by hand\"", "[1]", "training: the value of \"preset\" must be a string or a number"},
        {"[[1, 0.5, null], [2", "[[1, 0.5], [2", "training.curve[0]: expected [iteration, train, valid]"},
        {"[2, 0.25, 0.375]", "[2, \"0.25\", 0.375]", "training.curve[1]: expected numbers"},
        {"[2, 0.25, 0.375]", "[-2, 0.25, 0.375]", "training.curve[1][0]: expected an integer"},
        {"[2, 0.25, 0.375]", "[1e18, 0.25, 0.375]", "training.curve[1][0]: expected an integer"},
        {"[2, 0.25, 0.375]", "7", "training.curve[1]: expected an array"},
        {"[[1, 0.5, null], [2, 0.25, 0.375]]", "{}", "training.curve: expected an array"},
    };
    (void)state;
    TRY(edits);
}

/* The record, or a part of it, may be absent. */
static void record_is_optional(void **state)
{
    static const edit edits[] = {
        {"\"training\"", "\"notes\"", NULL},
        {",\n    \"curve\": [[1, 0.5, null], [2, 0.25, 0.375]]", "", NULL},
        {"[[1, 0.5, null], [2, 0.25, 0.375]]", "[]", NULL},
        {"[2, 0.25, 0.375]", "[2, null, -0.0]", NULL}, /* not measured */
        {"\"format\": 1", "\"format\": 1.0, \"comment\": \"mine\"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sg_model *m;
        sg_text t = edited(&edits[i]);
        char *once, *twice;
        check(sg_model_from_json(t.bytes, t.length, "m.json", &m));
        check(sg_model_to_json(m, &once));
        sg_model_free(m);
        check(sg_model_from_json(once, strlen(once), "m.json", &m));
        check(sg_model_to_json(m, &twice));
        assert_string_equal(once, twice);
        sg_model_free(m);
        sg_string_free(once);
        sg_string_free(twice);
        sg_text_release(&t);
    }
}

static void refuse(const char *text, size_t n, const char *sentence)
{
    sg_model *m = NULL;
    check_fails(sg_model_from_json(text, n, "m.json", &m), SG_EDATA, sentence);
    assert_null(m);
}

static void rejects_truncated_files(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof by_hand - 2; n++) {
        char *exact = malloc(n + 1); /* detects reads beyond the end */
        memcpy(exact, by_hand, n);
        refuse(exact, n, "m.json:");
        free(exact);
    }
}

static void rejects_other_files(void **state)
{
    static const char *const foreign[] = {
        "",
        " \n",
        "a,b,y\n1,2,3\n",
        "null",
        "[]",
        "7",
        "\"sugeno model\"",
        "{}",
        "{\"format\": 1}",
        "<html></html>",
        "\x1f\x8b\x08",
        "\xEF\xBB\xBF{}",
        "{\"kind\": \"sugeno model\"}",
    };
    sg_text t = {0};
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) refuse(foreign[i], strlen(foreign[i]), "m.json:");
    refuse("\0\0\0", 3, "m.json:");
    sg_text_append(&t, by_hand);
    sg_text_append(&t, "garbage");
    refuse(t.bytes, t.length, "m.json:42:");
    sg_text_release(&t);
    sg_text_append_bytes(&t, by_hand, sizeof by_hand); /* including the NUL */
    refuse(t.bytes, t.length, "m.json:42:");
    sg_text_release(&t);
}

static void rejects_deep_nesting(void **state)
{
    enum { DEPTH = 10000 };
    static char deep[2 * DEPTH + 64];
    (void)state;
    memset(deep, '[', DEPTH);
    refuse(deep, DEPTH, "m.json:1:");
    memset(deep + DEPTH, ']', DEPTH);
    refuse(deep, 2 * DEPTH, "m.json:1:");
    memcpy(deep, "{\"blocks\": ", 11);
    refuse(deep, 2 * DEPTH, "m.json:1:");
    for (size_t i = 0; i + 5 <= sizeof deep; i += 5) memcpy(deep + i, "{\"a\":", 5);
    refuse(deep, sizeof deep - 10, "m.json:1:");
}

/* With a long file name, the message still has the position. */
static void long_file_names_keep_the_position(void **state)
{
    static const edit e = {"[[-0.625, 1.75]]", "[[-0.625, false]]", NULL};
    static const size_t lengths[] = {150, 185, 192, 200, 250, 2000};
    char name[2001];
    sg_text t = edited(&e);
    sg_model *m = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(name, 'n', lengths[i]);
        name[lengths[i]] = '\0';
        check_fails(sg_model_from_json(t.bytes, t.length, name, &m), SG_EDATA,
                    "nnn: blocks[0].rules[1].then[0][1]: expected a number");
    }
    sg_text_release(&t);
}

/* Any single byte replaced gives an error or a model with finite predictions, never a crash. */
static void survives_corrupt_bytes(void **state)
{
    static const char bytes[] = {'0', '9', '-', 'e', '"', '[', '}', ',', ' ', '\\', '\0', '\xff'};
    size_t loaded = 0, refused = 0;
    char *text = malloc(sizeof by_hand);
    (void)state;
    memcpy(text, by_hand, sizeof by_hand);
    for (size_t i = 0; i < sizeof by_hand - 1; i++) {
        for (size_t k = i % 3; k < sizeof bytes; k += 3) {
            sg_model *m;
            text[i] = bytes[k];
            sg_status st = sg_model_from_json(text, sizeof by_hand - 1, "m.json", &m);
            if (st == SG_OK) {
                double x[] = {1e308, -1.7}, y;
                check(sg_model_predict(m, x, 1, &y));
                assert_true(isfinite(y));
                sg_model_free(m);
                loaded++;
            } else {
                assert_int_equal(st, SG_EDATA);
                refused++;
            }
        }
        text[i] = by_hand[i];
    }
    assert_true(loaded > 200 && refused > 1000);
    free(text);
}

/* --- extreme numbers --- */

static void set_all(sg_model *m, double theta, double scale)
{
    for (size_t o = 0; o < m->outputs; o++) {
        m->mean[o] = o % 2 ? -1e100 : 1e100;
        m->scale[o] = scale;
        m->y0[o] = theta;
    }
    for (size_t k = 0; k < m->blocks; k++) {
        sg_block *b = &m->block[k];
        b->weight = k ? -1e6 : 1e6;
        b->firing_scale = k ? 1e-6 : 1e6;
        for (double *p = b->low_rank; p < b->conseq; p++) *p = (p - b->low_rank) % 2 ? theta : -theta;
        size_t n = b->rules * (b->terms + 1) * b->outputs;
        for (size_t i = 0; i < n; i++) b->conseq[i] = i % 3 ? theta : -theta;
    }
}

static void extreme_mfs(sg_model *m, double width)
{
    for (size_t k = 0; k < m->blocks; k++)
        for (size_t i = 0; i < m->block[k].mfs; i++) {
            sg_block *b = &m->block[k];
            double p[SG_MF_MAX_PARAMETERS];
            b->kind->init(i % 2 ? 0.7 : -1e99, width, width, p);
            if (b->kind == &sg_mf_gbell) p[1] = i % 2 ? 1000 : 1e-100;
            if (b->kind->validate(1, p)) b->kind->init(0, width, width, p);
            assert_null(b->kind->validate(1, p));
            sg_mf_put(b, i, p);
        }
}

static void expect_finite(const sg_model *m)
{
    static const double far[] = {0, 1, -1, 1e100, DBL_MAX, -DBL_MAX, DBL_MIN};
    enum { FAR = sizeof far / sizeof *far };
    for (size_t i = 0; i < FAR * FAR * FAR; i++) {
        double x[INPUTS] = {far[i % FAR], far[i / FAR % FAR], far[i / FAR / FAR]}, y[3] = {0};
        check(sg_model_predict(m, x, 1, y));
        for (size_t o = 0; o < m->outputs; o++) assert_true(isfinite(y[o]));
    }
}

static void extreme_models_predict_finite_numbers(void **state)
{
    static const double thetas[] = {1e100, -1e100, 1e-100}, scales[] = {1e100, 1e-100}, sizes[] = {4e-100, 1e99};
    size_t loaded = 0;
    (void)state;
    for (size_t k = 0; sg_mf_name(k); k++)
        for (int variant = 0; variant < 24; variant++) {
            shape sh = {.kind = sg_mf_find(sg_mf_name(k)),
                        .outputs = 3,
                        .blocks = 2,
                        .two_views = variant & 1,
                        .rank = variant & 2 && sg_mf_find(sg_mf_name(k))->centre >= 0 ? 2 : 0};
            sg_model *m = make_model(&sh, 5), *n;
            char *text;
            set_all(m, thetas[variant / 4 % 3], scales[variant & 1]);
            extreme_mfs(m, sizes[variant / 12]);
            for (size_t i = 0; i < INPUTS && variant & 2; i++) /* and an extreme transform */
                m->a.step[0].parameter[1][i] = 1e-100;
            check(sg_model_to_json(m, &text));
            check(sg_model_from_json(text, strlen(text), "m.json", &n));
            if (variant % 5 == 0) expect_finite(n);
            if (variant == 0) { /* without transforms */
                sg_pipeline_release(&n->a);
                n->a.in = n->a.out = INPUTS;
                expect_finite(n);
            }
            loaded++;
            sg_string_free(text);
            sg_model_free(m);
            sg_model_free(n);
        }
    assert_int_equal(loaded, 6 * 24);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(round_trips),
    cmocka_unit_test(round_trips_through_a_file),
    cmocka_unit_test(trained_models_round_trip),
    cmocka_unit_test(reads_a_hand_written_file),
    cmocka_unit_test(means_are_optional),
    cmocka_unit_test(rejects_other_kinds),
    cmocka_unit_test(rejects_invalid_columns),
    cmocka_unit_test(rejects_invalid_transforms),
    cmocka_unit_test(rejects_invalid_blocks),
    cmocka_unit_test(rejects_invalid_rules),
    cmocka_unit_test(rejects_invalid_rule_stats),
    cmocka_unit_test(rejects_invalid_initial_mfs),
    cmocka_unit_test(rejects_invalid_records),
    cmocka_unit_test(record_is_optional),
    cmocka_unit_test(rejects_truncated_files),
    cmocka_unit_test(rejects_other_files),
    cmocka_unit_test(rejects_deep_nesting),
    cmocka_unit_test(long_file_names_keep_the_position),
    cmocka_unit_test(survives_corrupt_bytes),
    cmocka_unit_test(extreme_models_predict_finite_numbers),
};
TEST_GROUP(tests, make_file, remove_file)
