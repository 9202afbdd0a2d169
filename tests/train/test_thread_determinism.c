/* labels: threads */
/* test_thread_determinism.c: the same bytes for any number of threads and every fast kernel: training with small and
 * large batches and with validation, prediction, evaluation, cross-validation. */
#include "base/thread/cores.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *const threads[] = {"1", "2", "3", "8"};
static const char *const kernels[] = {"portable", "avx2", "neon"}; /* those that run here */
enum { COUNT = sizeof threads / sizeof *threads, KERNELS = 3, ROWS = 5000 };

static sg_source rows_of(sg_table **table)
{
    check(sg_table_generate("friedman", ROWS, 17, table));
    return sg_table_source(*table);
}

static sg_model *trained(const sg_source *s, const char *settings, const char *n)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_model *m;
    sg_progress p;
    check(sg_options_set(o, "threads", n));
    check(sg_trainer_new(o, s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    sg_trainer_free(t);
    sg_options_free(o);
    return m;
}

static char *text_of(const sg_source *s, const char *settings, const char *n)
{
    char *text;
    sg_model *m = trained(s, settings, n);
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    return text;
}

static void training(void **state)
{
    static const char *const settings[] = {
        "iters=6 batch=0",
        "iters=8 batch=1024 valid-fraction=0.5",
        "iters=3 preset=anfis-gd-lse-r pca=3",
        "iters=8 batch=513 structure=cluster rules=5 pca=0 targets=y,x10",
        "iters=20 batch=64 precision=f32",
        "iters=6 batch=600 precision=f32 drop=rule keep=0.3 valid-fraction=0.3",
        "iters=9 batch=64 structure=cluster rules=30 pca=0 mf=gauss-a precision=f32 weights=x9",
        "iters=9 batch=600 structure=cluster rules=33 pca=0 drop=rule keep=0.9",
        "iters=9 batch=67 pca=3 mfs=3,2,4 mf=trap optim=adam",
        "iters=9 batch=600 rules=17 pca=0 low-rank=2 mf=gauss-a optim=adam drop=none",
        "iters=9 batch=1024 rules=9 pca=0 low-rank=3 scale=quantile precision=f32",
        "iters=5 batch=0 pca=2 mfs=5 optim=adabelief loss=mean precision=f32",
        "iters=5 batch=96 drop=mf",
        "iters=6 batch=0 pca=0 rules=6 scale=quantile start=ridge noise=0.1 huber=0.5 target=zscore average=0.9 "
        "refit=0.01",
        "iters=7 batch=70 rules=7 pca=0 centres=fcm noise=0.2 power=0.5 optim=adabelief schedule=cosine warmup=0.3",
        "iters=7 batch=600 rules=7 pca=0 centres=tree firing=mean balance=20 noise=0.2 power=0.7 start=ridge "
        "precision=f32 target=zscore",
        "iters=5 batch=700 pca=3 mfs=2 noise=0.1 weights=x9 huber=1 refit=0.5 valid-fraction=0.2",
    };
    sg_table *table;
    sg_source s = rows_of(&table);
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        char *first = NULL;
        for (size_t i = 0; i < COUNT * KERNELS; i++) {
            setenv("SUGENO_KERNEL", kernels[i / COUNT], 1);
            if (!sg_kernel_name() || (is_quick() && i % 2)) continue;
            char *text = text_of(&s, settings[k], threads[i % COUNT]);
            if (!first) {
                first = text;
                continue;
            }
            if (strcmp(first, text) != 0)
                fail_msg("%s: %s, %s threads", settings[k], kernels[i / COUNT], threads[i % COUNT]);
            sg_string_free(text);
        }
        sg_string_free(first);
    }
    unsetenv("SUGENO_KERNEL");
    sg_table_free(table);
}

/* There are so many parameters that a leaf of the gradient tree has more than two slices. */
static void large_models(void **state)
{
    static const char settings[] = "iters=2 batch=4096 pca=8 mfs=3 precision=f32";
    sg_table *table;
    sg_source s = rows_of(&table);
    char *first = text_of(&s, settings, threads[0]);
    (void)state;
    for (size_t i = 1; i < COUNT; i++) {
        char *text = text_of(&s, settings, threads[i]);
        if (strcmp(first, text) != 0) fail_msg("%s threads", threads[i]);
        sg_string_free(text);
    }
    sg_string_free(first);
    sg_table_free(table);
}

/* Results depend on the precision, but only slightly. */
static void precision_matters(void **state)
{
    sg_table *table;
    sg_source s = rows_of(&table);
    sg_model *m[2] = {trained(&s, "iters=10", "1"), trained(&s, "iters=10 precision=f32", "1")};
    const double *theta = sg_model_theta(m[0]), *single = sg_model_theta(m[1]);
    size_t n = sg_model_parameters(m[0]), differ = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        differ += theta[i] != single[i];
        assert_close(single[i], theta[i], 1e-4);
    }
    assert_true(differ > n / 2);
    sg_model_free(m[0]);
    sg_model_free(m[1]);
    sg_table_free(table);
}

static sg_status take(void *arg, size_t first, size_t rows, const double *y)
{
    memcpy((double *)arg + first, y, rows * sizeof *y);
    return SG_OK;
}

static void prediction_and_evaluation(void **state)
{
    sg_table *table;
    sg_source s = rows_of(&table);
    sg_model *m = trained(&s, "iters=20", "1");
    double *plain = malloc(ROWS * sizeof *plain), *y = malloc(ROWS * sizeof *y);
    sg_metrics first, metrics;
    (void)state;
    for (size_t r = 0; r < ROWS; r++) {
        double x[11];
        check(s.read(s.self, r, 1, x));
        check(sg_model_predict(m, x, 1, &plain[r]));
    }
    check(sg_model_evaluate(m, &s, NULL, 1, &first));
    for (size_t i = 0; i < COUNT; i++) {
        size_t n = (size_t)strtoul(threads[i], NULL, 10);
        memset(y, 0, ROWS * sizeof *y);
        check(sg_model_predict_source(m, &s, n, take, y));
        assert_memory_equal(y, plain, ROWS * sizeof *y);
        check(sg_model_evaluate(m, &s, NULL, n, &metrics));
        assert_memory_equal(&metrics, &first, sizeof first);
    }
    free(plain);
    free(y);
    sg_model_free(m);
    sg_table_free(table);
}

/* A slow source, for which threads pay off, that records the reading threads. */
typedef struct slow {
    sg_source of;
    pthread_t caller;
    atomic_int others;
} slow;

static sg_status slow_read(void *self, size_t first, size_t n, double *out)
{
    slow *s = self;
    usleep(2500);
    if (!pthread_equal(pthread_self(), s->caller)) atomic_store(&s->others, 1);
    return s->of.read(s->of.self, first, n, out);
}

/* Retries for a while, because the scheduler decides whether a second thread gets work. */
static void threads_read_and_predict(void **state)
{
    if (sg_core_count() == 1) skip();
    sg_table *table;
    sg_source s = rows_of(&table);
    sg_model *m = trained(&s, "iters=2", "1");
    slow from = {.of = s, .caller = pthread_self()};
    sg_source source = s;
    double *plain = malloc(ROWS * sizeof *plain), *y = malloc(ROWS * sizeof *y);
    sg_metrics first, metrics;
    time_t end = time(NULL) + 20;
    (void)state;
    source.self = &from;
    source.read = slow_read;
    check(sg_model_predict_source(m, &s, 1, take, plain));
    check(sg_model_evaluate(m, &s, NULL, 1, &first));
    for (int evaluation = 0; evaluation < 2; evaluation++)
        for (atomic_store(&from.others, 0); !atomic_load(&from.others);) {
            if (evaluation) check(sg_model_evaluate(m, &source, NULL, 2, &metrics));
            else check(sg_model_predict_source(m, &source, 2, take, y));
            if (time(NULL) < end) continue;
            print_message("no core was free for a second thread: this says little here\n");
            break;
        }
    assert_memory_equal(y, plain, ROWS * sizeof *y);
    assert_memory_equal(&metrics, &first, sizeof first);
    free(plain);
    free(y);
    sg_model_free(m);
    sg_table_free(table);
}

static void folds(void **state)
{
    sg_table *table;
    sg_source s = rows_of(&table);
    sg_metrics first[4], metrics[4];
    size_t finished;
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        sg_options *o = options_of("iters=15");
        check(sg_options_set(o, "threads", threads[i]));
        check(sg_cross_validate(o, &s, &(sg_cv_options){.folds = 4}, metrics, &finished));
        assert_int_equal(finished, 4);
        if (i) assert_memory_equal(metrics, first, sizeof first);
        memcpy(first, metrics, sizeof first);
        sg_options_free(o);
    }
    assert_int_equal(first[0].rows + first[1].rows + first[2].rows + first[3].rows, ROWS);
    sg_table_free(table);
}

/* If a source fails halfway, its message is reported, whichever thread called it. */
static sg_status broken_read(void *self, size_t first, size_t n, double *out)
{
    sg_source *s = self;
    if (first > ROWS / 2) return sg_model_load("no/such/file", NULL);
    return s->read(s->self, first, n, out);
}

static void failures_arrive(void **state)
{
    sg_table *table;
    sg_source s = rows_of(&table), broken = s;
    sg_model *m = trained(&s, "iters=2", "1");
    sg_metrics metrics;
    (void)state;
    broken.self = &s;
    broken.read = broken_read;
    for (size_t n = 1; n <= 3; n++)
        check_fails(sg_model_evaluate(m, &broken, NULL, n, &metrics), SG_EIO, "no/such/file");
    sg_model_free(m);
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(training),
    cmocka_unit_test(large_models),
    cmocka_unit_test(precision_matters),
    cmocka_unit_test(prediction_and_evaluation),
    cmocka_unit_test(threads_read_and_predict),
    cmocka_unit_test(folds),
    cmocka_unit_test(failures_arrive),
};
TEST_GROUP(tests, NULL, NULL)
