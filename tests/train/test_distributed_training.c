/* test_distributed_training.c: distributed training gives the same models, metrics and predictions as one
 * process, bit by bit, for any distribution of the rows. labels: threads */
#include "prep/value_counts.h"
#include "thread_comm.h"

/* --- the rows of a rank --- */

typedef struct held {
    sg_source all;
    size_t first, here;
} held;

static sg_status not_here(void)
{
    sg_set_errmsg("a row that is with another member");
    return SG_EINVAL;
}

static sg_status read_held(void *self, size_t first, size_t n, double *out)
{
    const held *h = self;
    if (first < h->first || first + n > h->first + h->here) return not_here();
    return h->all.read(h->all.self, first, n, out);
}

static sg_status gather_held(void *self, const size_t *rows, size_t n, double *out)
{
    const held *h = self;
    for (size_t i = 0; i < n; i++)
        if (rows[i] < h->first || rows[i] >= h->first + h->here) return not_here();
    return h->all.gather(h->all.self, rows, n, out);
}

/* The ways to distribute the rows. */
typedef enum way { EVEN, GROWING, ALL_WITH_THE_LAST, WAYS } way;

static size_t begin_of(way w, size_t rows, size_t rank, size_t ranks)
{
    switch (w) {
    case EVEN:
        return rows * rank / ranks;
    case GROWING:
        return rows * rank * rank / (ranks * ranks);
    default:
        return rank == ranks ? rows : 0;
    }
}

static sg_source rows_of(const sg_comm *team, way w, const sg_source *all, held *h)
{
    *h = (held){*all, begin_of(w, all->rows, team->rank, team->ranks), 0};
    h->here = begin_of(w, all->rows, team->rank + 1, team->ranks) - h->first;
    sg_source s = *all;
    s.self = h;
    s.read = read_held;
    s.gather = gather_held;
    s.comm = team;
    s.local_first = h->first;
    s.local_rows = h->here;
    return s;
}

/* --- what each rank runs --- */

typedef struct outcome {
    char *model;
    double score[3];
    double predicted; /* a sum that depends on the order of rows */
    size_t taken;
    sg_metrics folds[2][3];
    double left_out; /* the same for out-of-fold predictions */
} outcome;

typedef struct job {
    const sg_source *train, *valid;
    const char *settings;
    bool folds;
    way way;
    outcome *out; /* of rank 0 */
} job;

/* Uses no assertions, because they only work on the main thread. */
static sg_options *settings_of(const char *settings)
{
    sg_options *o = NULL;
    char pair[128];
    if (sg_options_new(&o) != SG_OK) return NULL;
    if (sg_options_set(o, "preset", "mbgd-rda") != SG_OK) settings = ""; /* makes the training fail */
    for (; *settings; settings += strspn(settings, " ")) {
        size_t n = strcspn(settings, " ");
        snprintf(pair, sizeof pair, "%.*s", (int)n, settings);
        char *equals = strchr(pair, '=');
        *equals = '\0';
        if (sg_options_set(o, pair, equals + 1) != SG_OK) break;
        settings += n;
    }
    return o;
}

static sg_status take(void *arg, size_t first, size_t rows, const double *y)
{
    outcome *out = arg;
    if (first != out->taken) return not_here();
    for (size_t i = 0; i < rows; i++) out->predicted = 0.9 * out->predicted + y[i];
    out->taken += rows;
    return SG_OK;
}

static sg_status take_left_out(void *arg, size_t row, size_t fold, const double *targets, const double *predictions)
{
    outcome *out = arg;
    out->left_out = 0.9 * out->left_out + *predictions + *targets / 3 + (double)row / 7 + (double)fold;
    return SG_OK;
}

/* Cross-validates with random folds, or folds of groups, and then with ordered folds. */
static sg_status cross_validate(const sg_options *o, const sg_source *rows, outcome *out)
{
    sg_cv_options how = {.folds = 3, .on_out_of_fold = take_left_out, .arg = out};
    size_t finished;
    sg_status st = sg_cross_validate(o, rows, &how, out->folds[0], &finished);
    how.ordered = 1;
    bool groups = *sg_options_get(o, "group");
    return st == SG_OK && !groups ? sg_cross_validate(o, rows, &how, out->folds[1], &finished) : st;
}

static sg_status train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_model **out)
{
    sg_trainer *t;
    sg_progress p = {.more = 1};
    sg_status st = sg_trainer_new(o, rows, valid, &t);
    if (st != SG_OK) return st;
    while (st == SG_OK && p.more) st = sg_trainer_step(t, &p);
    if (st == SG_OK) st = sg_trainer_model(t, out);
    sg_trainer_free(t);
    return st;
}

static sg_status use(const job *j, const sg_options *o, const sg_source *rows, const sg_source *valid, outcome *out)
{
    sg_model *m = NULL;
    sg_metrics metrics;
    const char *weights = sg_options_get(o, "weights");
    sg_status st = train(o, rows, valid, &m);
    if (st == SG_OK) st = sg_model_evaluate(m, rows, *weights ? weights : NULL, 2, &metrics);
    if (st == SG_OK) st = sg_model_predict_source(m, rows, 2, take, out);
    if (st == SG_OK) st = sg_model_to_json(m, &out->model);
    if (st == SG_OK) memcpy(out->score, (double[]){metrics.rmse, metrics.mae, metrics.r2}, sizeof out->score);
    if (st == SG_OK && j->folds) st = cross_validate(o, rows, out);
    sg_model_free(m);
    return st;
}

static sg_status member(const sg_comm *team, void *arg)
{
    const job *j = arg;
    held h, v;
    sg_source rows = rows_of(team, j->way, j->train, &h), valid;
    if (j->valid) valid = rows_of(team, j->way, j->valid, &v);
    outcome mine = {0}, *out = team->rank ? &mine : j->out;
    sg_options *o = settings_of(j->settings);
    sg_status st = o ? use(j, o, &rows, j->valid ? &valid : NULL, out) : SG_ENOMEM;
    sg_options_free(o);
    sg_string_free(mine.model);
    return st;
}

static void agrees(const job *base, const outcome *one, size_t ranks, way w)
{
    outcome many = {0};
    job j = *base;
    j.way = w;
    j.out = &many;
    team_check(ranks, member, &j);
    if (!many.model || !one->model || strcmp(many.model, one->model) != 0)
        fail_msg("%s: another model on %zu members, way %d", j.settings, ranks, (int)w);
    if (memcmp(many.score, one->score, sizeof many.score) != 0 || many.predicted != one->predicted ||
        many.taken != one->taken)
        fail_msg("%s: other scores on %zu members, way %d", j.settings, ranks, (int)w);
    for (size_t i = 0; i < 6; i++)
        assert_true(many.folds[i / 3][i % 3].rmse == one->folds[i / 3][i % 3].rmse &&
                    many.folds[i / 3][i % 3].rows == one->folds[i / 3][i % 3].rows);
    if (many.left_out != one->left_out)
        fail_msg("%s: other rows left out on %zu members, way %d", j.settings, ranks, (int)w);
    sg_string_free(many.model);
}

/* Friedman's function with weights, missing values and rows without a target. */
static sg_table *spoiled(size_t rows)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "w", "y"};
    enum { COLUMNS = 12 };
    sg_table *plain, *out;
    check(sg_table_generate("friedman", rows, 3, &plain));
    const double *x = sg_table_values(plain);
    double *v = calloc(rows * COLUMNS, sizeof *v);
    assert_int_equal(sg_table_columns(plain), 11);
    for (size_t r = 0; r < rows; r++) {
        memcpy(v + r * COLUMNS, x + r * 11, 10 * sizeof *v);
        v[r * COLUMNS + 10] = (double)(r % 7) / 3;
        v[r * COLUMNS + 11] = r % 41 == 5 ? (double)NAN : x[r * 11 + 10];
        if (r % 13 == 2) v[r * COLUMNS + r % 10] = NAN;
    }
    check(sg_table_new(names, COLUMNS, v, rows, &out));
    free(v);
    sg_table_free(plain);
    return out;
}

static void same_bytes(const char *settings, bool plain, bool valid, bool folds)
{
    sg_table *t, *more = NULL;
    sg_source rows, others;
    if (plain) check(sg_table_generate("friedman", 9001, 1, &t));
    else t = spoiled(9001);
    rows = sg_table_source(t);
    if (valid) check(sg_table_generate("friedman", 1700, 2, &more));
    if (valid) others = sg_table_source(more);
    outcome one = {0};
    job j = {.train = &rows, .valid = valid ? &others : NULL, .settings = settings, .folds = folds};
    sg_options *o = options_of(settings);
    check(use(&j, o, &rows, j.valid, &one));
    sg_options_free(o);
    if (!is_quick()) agrees(&j, &one, 1, EVEN);
    if (!is_quick()) agrees(&j, &one, 2, EVEN);
    agrees(&j, &one, 3, GROWING);
    agrees(&j, &one, 2, ALL_WITH_THE_LAST);
    agrees(&j, &one, 8, GROWING);
    sg_string_free(one.model);
    sg_table_free(t);
    sg_table_free(more);
}

static void small_batches(void **state)
{
    (void)state;
    same_bytes("iters=7 threads=1", true, false, false);
    same_bytes("iters=5 threads=1 weights=w batch=33", false, false, false);
}

static void large_batches(void **state)
{
    (void)state;
    same_bytes("iters=3 batch=1024 threads=1 pca=0 rules=5", true, true, false);
    same_bytes("iters=3 batch=2000 threads=2 weights=w valid-fraction=0.2 precision=f32 target=zscore", false, false,
               false);
}

static void all_rows(void **state)
{
    (void)state;
    same_bytes("preset=anfis-gd iters=2 threads=2", true, false, false);
}

/* The model is too large for several leaves, so the sum of the slices travels from rank to rank. */
static void large_models(void **state)
{
    sg_table *t;
    outcome one = {0};
    (void)state;
    check(sg_table_generate("friedman", 521, 1, &t));
    sg_source rows = sg_table_source(t);
    job j = {.train = &rows, .settings = "iters=1 batch=512 mfs=10 threads=2"};
    sg_options *o = options_of(j.settings);
    check(use(&j, o, &rows, NULL, &one));
    agrees(&j, &one, 3, GROWING);
    sg_options_free(o);
    sg_string_free(one.model);
    sg_table_free(t);
}

static void least_squares(void **state)
{
    (void)state;
    same_bytes("preset=rr threads=1", true, false, true);
    same_bytes("preset=anfis-gd-lse-r iters=2 threads=2 weights=w", false, false, false);
}

static void folds_and_validation(void **state)
{
    (void)state;
    same_bytes("iters=4 batch=600 valid-fraction=0.1 patience=2 threads=1 scale=none", true, false, true);
    same_bytes("preset=rr group=w threads=2", false, false, true);
}

static void modern_ways(void **state)
{
    (void)state;
    same_bytes("iters=4 threads=2 batch=1000 pca=0 rules=5 centres=tree scale=quantile start=ridge noise=0.1 huber=0.3 "
               "balance=5 "
               "target=zscore average=0.9 refit=0.01 weights=w valid-fraction=0.1",
               false, false, false);
    same_bytes("iters=4 threads=1 preset=fcm-rdpa schedule=cosine warmup=0.5 noise=0.2 firing=mean balance=2 refit=0.1",
               true, true, false);
}

/* If one rank finds a bad value, all ranks fail with the same message. */
static sg_status stumble(const sg_comm *team, void *arg)
{
    held h;
    sg_source rows = rows_of(team, EVEN, arg, &h);
    sg_options *o = settings_of("iters=2");
    sg_model *m = NULL;
    sg_status st = o ? train(o, &rows, NULL, &m) : SG_ENOMEM;
    sg_model_free(m);
    sg_options_free(o);
    return st;
}

static void one_failure_is_everybodys(void **state)
{
    sg_table *t;
    team_result result[3];
    (void)state;
    check(sg_table_generate("friedman", 5000, 1, &t));
    ((double *)sg_table_values(t))[4321 * 11 + 2] = 1e100;
    sg_source rows = sg_table_source(t);
    team_run(3, stumble, &rows, result);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(result[i].status, SG_EDATA);
        assert_non_null(strstr(result[i].said, "row 4322, column \"x3\""));
    }
    sg_table_free(t);
}

/* Each rank has as many values as a category may have, and all ranks together have more. */
static sg_status count_levels(const sg_comm *team, void *arg)
{
    held h;
    sg_source rows = rows_of(team, EVEN, arg, &h);
    sg_options *o = settings_of("iters=2 categorical=a");
    sg_model *m = NULL;
    sg_status st = o ? train(o, &rows, NULL, &m) : SG_ENOMEM;
    sg_model_free(m);
    sg_options_free(o);
    return st;
}

static void too_many_levels_together(void **state)
{
    static const char *const names[] = {"a", "y"};
    enum { ROWS = 2 * SG_VALUE_COUNTS_MAX };
    double *v = calloc(ROWS * 2, sizeof *v);
    sg_table *t;
    team_result result[2];
    (void)state;
    for (size_t i = 0; i < 2 * (size_t)ROWS; i++) v[i] = 0.385 * (double)(i % 2 ? i % 13 : i);
    check(sg_table_new(names, 2, v, ROWS, &t));
    sg_source rows = sg_table_source(t);
    team_run(2, count_levels, &rows, result);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(result[i].status, SG_EDATA);
        assert_non_null(strstr(result[i].said, "distinct values, too many for a categorical column"));
    }
    sg_table_free(t);
    free(v);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_batches),
    cmocka_unit_test(large_batches),
    cmocka_unit_test(all_rows),
    cmocka_unit_test(large_models),
    cmocka_unit_test(least_squares),
    cmocka_unit_test(folds_and_validation),
    cmocka_unit_test(one_failure_is_everybodys),
    cmocka_unit_test(too_many_levels_together),
    cmocka_unit_test(modern_ways),
};
TEST_GROUP(tests, NULL, NULL)
