/* test_batch_prefetch.c: prefetching does not change the training.
 * labels: threads */
#include "train/batch/batch_sampler.h"

#include "test.h"

#include <unistd.h>

enum { ROWS = 280000 }; /* more than the row cache holds (rows/training_memory.h) */
static char path[] = "/tmp/sugeno-fetch-XXXXXX.npy";

static int make_file(void **state)
{
    sg_table *t;
    (void)state;
    int fd = mkstemps(path, 4);
    if (fd < 0 || close(fd) != 0) return 1;
    check(sg_table_generate("friedman", ROWS, 3, &t));
    sg_source s = sg_table_source(t);
    check(sg_source_save(&s, path));
    sg_table_free(t);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* Trains a model from the file with this --memory and returns it as JSON. */
static char *train(const char *settings, const char *memory, int slow)
{
    const char *paths[] = {path};
    sg_options *o = options_of(settings);
    check(sg_options_set(o, "structure", "linear"));
    check(sg_options_set(o, "pca", "0"));
    sg_dataset *d;
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    char *text;
    check(sg_options_set(o, "memory", memory));
    check(sg_dataset_open(paths, 1, o, NULL, 0, &d));
    sg_source s = sg_dataset_source(d);
    assert_int_equal(s.slow_gather, slow);
    check(sg_trainer_new(o, &s, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    sg_trainer_free(t);
    sg_dataset_free(d);
    sg_options_free(o);
    return text;
}

/* The cases are batches of one slice and of many slices, a batch that is too large to prefetch, a batch of all rows,
 * shuffled blocks whose windows fit into memory or do not, and a training that holds out rows. */
static void same_model(void **state)
{
    static const char *const cases[] = {"iters=40 threads=1",
                                        "iters=20 batch=700 threads=2",
                                        "iters=3 batch=20000 threads=2",
                                        "iters=2 batch=0 threads=2",
                                        "iters=3600 batch=40 threads=1 sampling=blocks",
                                        "iters=300 batch=700 threads=2 sampling=blocks",
                                        "iters=9 batch=70000 threads=2 sampling=blocks",
                                        "iters=30 valid-fraction=0.01 sampling=blocks threads=2"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *kept = train(cases[i], "1GB", 0), *little = train(cases[i], "1MB", 1), *some = train(cases[i], "32MB", 1);
        assert_string_equal(kept, little);
        assert_string_equal(kept, some);
        sg_string_free(kept);
        sg_string_free(little);
        sg_string_free(some);
    }
}

/* A trainer can be freed while it prefetches, and reports a file that was changed. */
static void ends_early(void **state)
{
    const char *paths[] = {path};
    sg_options *o = options_of("memory=1MB iters=1000000 batch=64 structure=linear pca=0");
    sg_dataset *d;
    sg_trainer *t;
    sg_progress p;
    sg_status st = SG_OK;
    (void)state;
    check(sg_dataset_open(paths, 1, o, NULL, 0, &d));
    sg_source s = sg_dataset_source(d);
    for (int i = 0; i < 4; i++) {
        check(sg_trainer_new(o, &s, NULL, &t));
        for (int k = 0; k < i; k++) check(sg_trainer_step(t, &p));
        sg_trainer_free(t);
    }
    check(sg_trainer_new(o, &s, NULL, &t));
    check(sg_trainer_step(t, &p));
    usleep(20000); /* longer than the resolution of file times */
    assert_int_equal(truncate(path, 1000), 0);
    for (int k = 0; k < 200 && st == SG_OK; k++) st = sg_trainer_step(t, &p); /* some rows were prefetched before */
    assert_int_equal(st, SG_EIO);
    assert_non_null(strstr(sg_errmsg(), "while it was read"));
    sg_trainer_free(t);
    sg_dataset_free(d);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(same_model), cmocka_unit_test(ends_early)};
TEST_GROUP(tests, make_file, remove_file)
