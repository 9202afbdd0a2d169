/* test_tree_ensembles.c: trees of flat boxes, boosted, bagged and scattered: what their boxes are, and what they say
 * together. */
#include "auto/boost/soft_leaf.h"
#include "auto/ensemble/ensemble.h"
#include "auto/search/apply_pipeline.h"
#include "test.h"

enum { ROWS = 300, COLUMNS = 5 };
static const char *const names[] = {"a", "b", "c", "y", "z"};

typedef struct scene {
    sg_table *table;
    sg_source rows;
    sg_options *options;
    sg_search_data ground;
    sg_search_progress watch;
} scene;

/* Two targets; a has few values, c has gaps. */
static void open_scene(scene *s)
{
    double row[ROWS][COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        double a = (double)(i * 37 % 7), b = (double)(i * 53 % 289) / 44, c = (double)(i * 29 % 197) / 48;
        double noise = (double)(i * 7919 % 1009) / 1009;
        memcpy(row[i], ((double[]){a, b, i % 23 == 5 ? (double)NAN : c, (a > 3 ? b : c) + noise, a * b - noise}),
               sizeof row[i]);
    }
    *s = (scene){.watch = {.planned = 1}};
    check(sg_table_new(names, COLUMNS, row[0], ROWS, &s->table));
    s->rows = sg_table_source(s->table);
    s->options = options_of("preset=auto targets=y,z clip=none");
    check(sg_search_data_init(&s->ground, s->options, &s->rows));
}

static void close_scene(scene *s)
{
    sg_search_data_release(&s->ground);
    sg_options_free(s->options);
    sg_table_free(s->table);
}

static const sg_tree_config plans[] = {
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
enum { PLANS = sizeof plans / sizeof *plans };

static sg_tree_ensemble *grown(scene *s, const sg_tree_config *p, uint64_t seed)
{
    sg_tree_ensemble *b;
    check(sg_tree_ensemble_train(s->options, p, p->trees, &s->ground, &s->ground.table.rows, seed, &s->watch, &b));
    return b;
}

static double error_of(const scene *s, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++) sum += sg_search_data_row_error(&s->ground, i, y + 2 * i);
    return sum / ROWS;
}

static void they_learn(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    for (size_t k = 0; k < PLANS; k++) {
        double y[2][2 * 2 * ROWS];
        sg_tree_ensemble *b[2] = {grown(&s, &plans[k], 3), grown(&s, &plans[k], 3)}, *other = grown(&s, &plans[k], 4);
        for (size_t i = 0; i < 2; i++) check(sg_tree_ensemble_predict(b[i], &s.rows, plans[k].trees, 1, y[i]));
        assert_memory_equal(y[0], y[1], sizeof y[0]);
        double before = error_of(&s, y[0]), after = error_of(&s, y[0] + 2 * ROWS);
        if (plans[k].fit_raw_targets) assert_close(before, 2, 1e-9); /* the mean: a variance for each target */
        assert_true(after < (plans[k].fit_raw_targets ? 0.25 : 0.5) * before);
        if (plans[k].min_leaf_rows == 1) assert_true(after < 0.01); /* by heart, but for gaps */
        else if (plans[k].kind != SG_TREES_GBDT) assert_true(after > 0.01);
        check(sg_tree_ensemble_predict(other, &s.rows, plans[k].trees, 1, y[1]));
        assert_memory_not_equal(y[0], y[1], sizeof y[0]);
        sg_tree_ensemble_free(b[0]);
        sg_tree_ensemble_free(b[1]);
        sg_tree_ensemble_free(other);
    }
    close_scene(&s);
}

/* Each row is in one box and hardly in any other; no box has fewer rows than it must. */
static void boxes_part_the_rows(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    for (size_t k = 0; k < PLANS; k++) {
        if (plans[k].kind != SG_TREES_EXTRA) continue; /* others leave rows out */
        sg_tree_ensemble *b = grown(&s, &plans[k], 0);
        sg_leaf_chunk c = {0};
        double x[3 * ROWS];
        check(sg_leaf_chunk_init(b, &c));
        check(sg_apply_pipeline(b->base_model, &s.rows, false, x));
        for (size_t t = 0; t < b->trees; t++) {
            size_t *inside = calloc(b->tree[t].leaves, sizeof *inside);
            assert_true(b->tree[t].leaves > 20 && b->tree[t].leaves <= plans[k].max_leaves);
            for (size_t i = 0; i < ROWS; i++) {
                if (isnan(x[3 * i + 2])) continue;
                sg_leaf_chunk_load(b, x + 3 * i, 1, &c);
                sg_leaf_chunk_fire(&b->tree[t], &c);
                for (size_t j = 0; j < b->tree[t].leaves; j++) inside[j] += c.firing[j * SG_LEAF_CHUNK] > 0.9F;
            }
            size_t all = 0;
            for (size_t j = 0; j < b->tree[t].leaves; j++) {
                all += inside[j];
                assert_true(inside[j] + 13 >= plans[k].min_leaf_rows);
            }
            if (all < ROWS - 13 - 40) fail_msg("%zu of %d rows are in one box", all, ROWS - 13); /* 13 have gaps */
            free(inside);
        }
        sg_leaf_chunk_release(&c);
        sg_tree_ensemble_free(b);
    }
    close_scene(&s);
}

static sg_status keep(void *arg, size_t first, size_t rows, const double *y)
{
    memcpy((double *)arg + 2 * first, y, 2 * rows * sizeof *y);
    return SG_OK;
}

/* In a model, in memory and from its text, they say what they said before; and something finite whatever they are
 * asked. */
static void they_are_blocks(void **state)
{
    (void)state;
    scene s;
    open_scene(&s);
    for (size_t k = 0; k < PLANS; k++) {
        double said[2 * ROWS], now[2 * ROWS];
        double odd[4][COLUMNS] = {
            {1e300, -1e300}, {(double)NAN, (double)NAN, (double)NAN}, {3, (double)NAN, 1e9}, {-1e9}};
        sg_ensemble c = {0};
        sg_model *m, *read;
        sg_table *far;
        char *text;
        check(sg_ensemble_add(
            &c, &(sg_ensemble_member){.tree_ensemble = grown(&s, &plans[k], 0), .trees = plans[k].trees, .weight = 1}));
        check(sg_ensemble_predict(&c, &s.ground, &s.rows, said));
        check(sg_ensemble_to_model(&c, &m));
        assert_int_equal(sg_model_blocks(m), plans[k].trees + 1);
        check(sg_model_to_json(m, &text));
        check(sg_model_from_json(text, strlen(text), "m", &read));
        check(sg_model_predict_source(read, &s.rows, 1, keep, now));
        for (size_t i = 0; i < 2 * ROWS; i++) assert_close(now[i], said[i], 0.05);
        check(sg_table_new(names, COLUMNS, odd[0], 4, &far));
        sg_source rows = sg_table_source(far);
        check(sg_model_predict_source(read, &rows, 1, keep, now));
        for (size_t i = 0; i < 8; i++) assert_true(isfinite(now[i]));
        sg_table_free(far);
        sg_string_free(text);
        sg_model_free(m);
        sg_model_free(read);
        sg_ensemble_release(&c);
    }
    close_scene(&s);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(they_learn), cmocka_unit_test(boxes_part_the_rows),
                                          cmocka_unit_test(they_are_blocks)};
TEST_GROUP(tests, NULL, NULL)
