/* test_tree_ensembles.c: boosted, bagged and extremely randomized trees: their leaves, and their predictions before and
 * after conversion to a model. */
#include "auto/ensemble/ensemble.h"
#include "auto/search/search_data.h"
#include "auto/trees/soft_leaf.h"
#include "test.h"

enum { ROWS = 300, COLUMNS = 5 };
static const char *const names[] = {"a", "b", "c", "y", "z"};

typedef struct fixture {
    sg_table *table;
    sg_source rows;
    sg_options *options;
    sg_search_data data;
    sg_search_progress progress;
} fixture;

/* Two targets; a has few distinct values, c has missing ones. */
static void make_fixture(fixture *s)
{
    double row[ROWS][COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        double a = (double)(i * 37 % 7), b = (double)(i * 53 % 289) / 44, c = (double)(i * 29 % 197) / 48;
        double noise = (double)(i * 7919 % 1009) / 1009;
        memcpy(row[i], ((double[]){a, b, i % 23 == 5 ? (double)NAN : c, (a > 3 ? b : c) + noise, a * b - noise}),
               sizeof row[i]);
    }
    *s = (fixture){.progress = {.planned = 1}};
    check(sg_table_new(names, COLUMNS, row[0], ROWS, &s->table));
    s->rows = sg_table_source(s->table);
    s->options = options_of("preset=auto targets=y,z clip=none");
    check(sg_search_data_init(&s->data, s->options, &s->rows));
}

static void release_fixture(fixture *s)
{
    sg_search_data_release(&s->data);
    sg_options_free(s->options);
    sg_table_free(s->table);
}

static const sg_tree_config configs[] = {
    {.kind = SG_TREES_BAGGED,
     .fit_raw_targets = true,
     .trees = 30,
     .max_leaves = 64,
     .min_leaf_rows = 2,
     .learning_rate = 1. / 30,
     .softness = 0.3,
     .column_fraction = 0.5},
    {.kind = SG_TREES_EXTRA,
     .fit_raw_targets = true,
     .trees = 30,
     .max_leaves = 64,
     .min_leaf_rows = 3,
     .learning_rate = 1. / 30,
     .softness = 0.3},
    {.kind = SG_TREES_GBDT,
     .trees = 100,
     .max_leaves = 32,
     .min_leaf_rows = 2,
     .learning_rate = 0.1,
     .softness = 0.3,
     .l2 = 1},
    {.kind = SG_TREES_EXTRA,
     .trees = 30,
     .max_leaves = 1000,
     .min_leaf_rows = 1,
     .learning_rate = 1. / 30,
     .softness = 0.3},
};
enum { CONFIGS = sizeof configs / sizeof *configs };

static sg_tree_ensemble *train_trees(fixture *s, const sg_tree_config *p, uint64_t seed)
{
    sg_tree_ensemble *e;
    check(sg_tree_ensemble_train(s->options, p, p->trees, &s->data, &s->data.table.rows, seed, &s->progress, &e));
    return e;
}

static double error_of(const fixture *s, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++) sum += sg_search_data_row_error(&s->data, i, y + 2 * i);
    return sum / ROWS;
}

static void training_reduces_errors(void **state)
{
    (void)state;
    fixture s;
    make_fixture(&s);
    for (size_t k = 0; k < CONFIGS; k++) {
        double y[2][2 * 2 * ROWS];
        sg_tree_ensemble *e[2] = {train_trees(&s, &configs[k], 3), train_trees(&s, &configs[k], 3)},
                         *other = train_trees(&s, &configs[k], 4);
        for (size_t i = 0; i < 2; i++) check(sg_tree_ensemble_predict(e[i], &s.rows, configs[k].trees, 1, y[i]));
        assert_memory_equal(y[0], y[1], sizeof y[0]);
        double before = error_of(&s, y[0]), after = error_of(&s, y[0] + 2 * ROWS);
        if (configs[k].fit_raw_targets)
            assert_close(before, 2, 1e-9); /* the mean predicts with one variance for each target */
        assert_true(after < (configs[k].fit_raw_targets ? 0.25 : 0.5) * before);
        if (configs[k].min_leaf_rows == 1) assert_true(after < 0.01); /* interpolates, except for missing values */
        else if (configs[k].kind != SG_TREES_GBDT) assert_true(after > 0.01);
        check(sg_tree_ensemble_predict(other, &s.rows, configs[k].trees, 1, y[1]));
        assert_memory_not_equal(y[0], y[1], sizeof y[0]);
        sg_tree_ensemble_free(e[0]);
        sg_tree_ensemble_free(e[1]);
        sg_tree_ensemble_free(other);
    }
    release_fixture(&s);
}

/* Each row fires one leaf and hardly any other; no leaf has fewer rows than min_leaf_rows. */
static void leaves_partition_rows(void **state)
{
    (void)state;
    fixture s;
    make_fixture(&s);
    for (size_t k = 0; k < CONFIGS; k++) {
        if (configs[k].kind != SG_TREES_EXTRA) continue; /* the others sample rows */
        sg_tree_ensemble *e = train_trees(&s, &configs[k], 0);
        sg_leaf_chunk c = {0};
        double x[3 * ROWS];
        check(sg_leaf_chunk_init(e, &c));
        check(sg_apply_pipeline(e->base_model, &s.rows, false, x));
        for (size_t t = 0; t < e->trees; t++) {
            size_t *inside = calloc(e->tree[t].leaves, sizeof *inside);
            assert_true(e->tree[t].leaves > 20 && e->tree[t].leaves <= configs[k].max_leaves);
            for (size_t i = 0; i < ROWS; i++) {
                if (isnan(x[3 * i + 2])) continue;
                sg_leaf_chunk_load(e, x + 3 * i, 1, &c);
                sg_leaf_chunk_fire(&e->tree[t], &c);
                for (size_t j = 0; j < e->tree[t].leaves; j++) inside[j] += c.firing[j * SG_LEAF_CHUNK] > 0.9F;
            }
            size_t all = 0;
            for (size_t j = 0; j < e->tree[t].leaves; j++) {
                all += inside[j];
                assert_true(inside[j] + 13 >= configs[k].min_leaf_rows);
            }
            if (all < ROWS - 13 - 40)
                fail_msg("%zu of %d rows are in one leaf", all, ROWS - 13); /* 13 have missing values */
            free(inside);
        }
        sg_leaf_chunk_release(&c);
        sg_tree_ensemble_free(e);
    }
    release_fixture(&s);
}

static sg_status store_predictions(void *arg, size_t first, size_t rows, const double *y)
{
    memcpy((double *)arg + 2 * first, y, 2 * rows * sizeof *y);
    return SG_OK;
}

/* As blocks of a model, also after a round trip through JSON, they predict the same, and finite numbers for any input.
 */
static void converts_to_model(void **state)
{
    (void)state;
    fixture s;
    make_fixture(&s);
    for (size_t k = 0; k < CONFIGS; k++) {
        double expected[2 * ROWS], now[2 * ROWS];
        double odd[4][COLUMNS] = {
            {1e300, -1e300}, {(double)NAN, (double)NAN, (double)NAN}, {3, (double)NAN, 1e9}, {-1e9}};
        sg_ensemble c = {0};
        sg_model *m, *read;
        sg_table *far;
        char *text;
        check(sg_ensemble_add(&c, &(sg_ensemble_member){.tree_ensemble = train_trees(&s, &configs[k], 0),
                                                        .trees = configs[k].trees,
                                                        .weight = 1}));
        check(sg_ensemble_predict(&c, &s.data, &s.rows, expected));
        check(sg_ensemble_to_model(&c, &m));
        assert_int_equal(sg_model_blocks(m), configs[k].trees + 1);
        check(sg_model_to_json(m, &text));
        check(sg_model_from_json(text, strlen(text), "m", &read));
        check(sg_model_predict_source(read, &s.rows, 1, store_predictions, now));
        for (size_t i = 0; i < 2 * ROWS; i++) assert_close(now[i], expected[i], 0.05);
        check(sg_table_new(names, COLUMNS, odd[0], 4, &far));
        sg_source rows = sg_table_source(far);
        check(sg_model_predict_source(read, &rows, 1, store_predictions, now));
        for (size_t i = 0; i < 8; i++) assert_true(isfinite(now[i]));
        sg_table_free(far);
        sg_string_free(text);
        sg_model_free(m);
        sg_model_free(read);
        sg_ensemble_release(&c);
    }
    release_fixture(&s);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(training_reduces_errors),
                                          cmocka_unit_test(leaves_partition_rows), cmocka_unit_test(converts_to_model)};
TEST_GROUP(tests, NULL, NULL)
