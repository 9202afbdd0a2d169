/* test_checkpoint.c: a training that is resumed from a checkpoint ends with the same bytes; checkpoints of other
 * trainings and damaged ones are rejected. labels: memory */
#include "test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { ROWS = 700, COLUMNS = 5, MOST = 1 << 17 };

static char path[64];

/* The columns are two inputs, a weight and two targets. */
static sg_table *make_rows(double shift)
{
    static const char *const names[COLUMNS] = {"a", "b", "w", "y", "z"};
    static double v[ROWS * COLUMNS];
    sg_table *t;
    for (size_t i = 0; i < ROWS; i++) {
        double a = sin(2.3 * (double)i) + shift, b = cos(0.7 * (double)i), noise = sin(77.7 * (double)i);
        double one[] = {a, b, (double)(i % 5), a * b + 0.1 * noise, a - b * b};
        memcpy(v + COLUMNS * i, one, sizeof one);
    }
    check(sg_table_new(names, COLUMNS, v, ROWS, &t));
    return t;
}

static char *text_of(const sg_trainer *t)
{
    sg_model *m;
    char *text;
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    return text;
}

/* Trains to the end and returns the model. If `every` is not 0, saves and resumes before the first step and after every
 * `every` steps, with another number of threads. */
static char *train(const char *settings, size_t every)
{
    sg_options *o = options_of(settings);
    sg_table *table = make_rows(0);
    sg_source rows = sg_table_source(table);
    sg_trainer *t;
    sg_progress p;
    check(sg_trainer_new(o, &rows, NULL, &t));
    if (every) {
        check(sg_trainer_save(t, path));
        sg_trainer_free(t);
        check(sg_trainer_resume(path, o, &rows, NULL, &t));
    }
    do {
        check(sg_trainer_step(t, &p));
        if (every == 0 || p.iteration % every != 0) continue;
        check(sg_trainer_save(t, path));
        sg_trainer_free(t);
        check(sg_options_set(o, "threads", p.iteration % 2 ? "1" : "3"));
        check(sg_trainer_resume(path, o, &rows, NULL, &t));
        sg_progress now = sg_trainer_progress(t);
        assert_int_equal(now.iteration, p.iteration);
        assert_int_equal(now.more, p.more);
    } while (p.more);
    char *text = text_of(t);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
    return text;
}

static const char *const trainings[] = {
    "targets=y optim=jang iters=40 preset=mbgd",
    "targets=y optim=sgd iters=12 rate=0.001 average=0.7",
    "targets=y optim=adam iters=12 precision=f32",
    "targets=y optim=adabound iters=12 batch=600",
    "targets=y optim=adabelief iters=12 rules=5 mf=gauss-a precision=f32",
    "targets=y iters=400 valid-fraction=0.3 patience=20 rate=0.05",
    "targets=y,z weights=w iters=12 valid-fraction=0.5 patience=3",
    "targets=y preset=anfis-gd-lse iters=12",
    "targets=z,y preset=rr",
    "targets=y,z rules=4 iters=12 average=0.8 schedule=cosine warmup=0.3 noise=0.1 start=ridge refit=0.01 "
    "valid-fraction=0.3",
    "targets=y rules=4 low-rank=2 mf=gauss-a optim=adabelief iters=12 average=0.5",
    "targets=y scale=quantile rules=4 centres=tree iters=12 average=0.5 noise=0.2 huber=0.1 power=0.7 weights=w "
    "refit=0.1",
    "targets=y preset=fcm-rdpa rules=3 iters=12 batch=600 average=0.9 firing=mean balance=3",
};

static void ends_with_the_same_bytes(void **state)
{
    size_t n = getenv("TESTS_QUICK") ? 2 : sizeof trainings / sizeof *trainings;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        char *whole = train(trainings[i], 0);
        if (i == 0)
            assert_non_null(
                strstr(whole, ", \"before\": [")); /* the initial MFs, which are saved before the first step */
        for (size_t every = 1; every <= 5; every += 2) {
            char *parts = train(trainings[i], every);
            if (strcmp(whole, parts) != 0) fail_msg("%s, every %zu", trainings[i], every);
            sg_string_free(parts);
        }
        sg_string_free(whole);
    }
}

/* --- a checkpoint to damage --- */

static const char usual[] = "targets=y weights=w iters=30 optim=adam batch=32 valid-fraction=0.25";

typedef struct file {
    unsigned char bytes[MOST];
    size_t size, state; /* state: the end of the header */
} file;

static void write_file(const file *f)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(f->bytes, 1, f->size, out), f->size);
    fclose(out);
}

/* Returns a checkpoint of iteration 20. */
static const file *make_file(void)
{
    static file f;
    sg_options *o = options_of(usual);
    sg_table *table = make_rows(0);
    sg_source rows = sg_table_source(table);
    sg_trainer *t;
    sg_progress p;
    check(sg_trainer_new(o, &rows, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.iteration < 20);
    check(sg_trainer_save(t, path));
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    f.size = fread(f.bytes, 1, MOST, in);
    assert_in_range(f.size, 1000, MOST - 2);
    fclose(in);
    f.state = (size_t)((unsigned char *)strstr((char *)f.bytes, "\n\n") + 2 - f.bytes);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
    return &f;
}

/* Resumes with these options and rows. */
static sg_status resume(const char *settings, double shift, bool valid)
{
    sg_options *o = options_of(settings);
    sg_table *table = make_rows(shift), *more = make_rows(3);
    sg_source rows = sg_table_source(table), others = sg_table_source(more);
    sg_trainer *t = NULL;
    sg_status st = sg_trainer_resume(path, o, &rows, valid ? &others : NULL, &t);
    assert_int_equal(st == SG_OK, t != NULL);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
    sg_table_free(more);
    return st;
}

/* --- rejected checkpoints --- */

static const struct {
    const char *settings;
    double shift;
    bool valid;
    const char *sentence;
} others[] = {
    {"targets=y weights=w iters=30 optim=adam batch=32 valid-fraction=0.25 rate=0.02", 0, false,
     "was made with --rate 0.01, not 0.02; remove it"},
    {"targets=y weights=w iters=31 optim=adam batch=32 valid-fraction=0.25", 0, false, "--iters 30, not 31"},
    {"targets=y weights=w iters=30 optim=sgd batch=32 valid-fraction=0.25", 0, false, "--optim adam, not sgd"},
    {"targets=y weights=w iters=30 optim=adam batch=32 valid-fraction=0.25 precision=f32", 0, false,
     "--precision f64, not f32"},
    {"targets=y weights=w iters=30 optim=adam batch=32 valid-fraction=0.25 seed=1", 0, false, "--seed 0, not 1"},
    {"targets=y iters=30 optim=adam batch=32 valid-fraction=0.25", 0, false, "--weights w, not none"},
    {"targets=y weights=w iters=30 optim=adam batch=32 valid-fraction=0.25", 1e-9, false,
     "was made with different data"},
    {"targets=z weights=w iters=30 optim=adam batch=32 valid-fraction=0.25", 0, false, "data or columns"},
    {"targets=y,z weights=w iters=30 optim=adam batch=32 valid-fraction=0.25", 0, false, "data or columns"},
    {"targets=y weights=w iters=30 optim=adam batch=32 valid-fraction=0.25", 0, true, "was made with different data"},
};

static void others_are_refused(void **state)
{
    (void)state;
    make_file();
    check(resume(usual, 0, false));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_fails(resume(others[i].settings, others[i].shift, others[i].valid), SG_EDATA, others[i].sentence);
}

/* Validation rows must be the same as before, or absent as before. */
static void validation_rows_count(void **state)
{
    sg_options *o = options_of("targets=y iters=30");
    sg_table *table = make_rows(0), *more = make_rows(3), *less = make_rows(4);
    sg_source rows = sg_table_source(table), valid = sg_table_source(more), other = sg_table_source(less);
    sg_trainer *with, *without, *t;
    (void)state;
    check(sg_trainer_new(o, &rows, &valid, &with));
    check(sg_trainer_new(o, &rows, NULL, &without));
    check(sg_trainer_save(with, path));
    check_fails(sg_trainer_resume(path, o, &rows, NULL, &t), SG_EDATA, "was made with different validation rows");
    check_fails(sg_trainer_resume(path, o, &rows, &other, &t), SG_EDATA, "was made with different validation rows");
    check(sg_trainer_save(without, path));
    check_fails(sg_trainer_resume(path, o, &rows, &valid, &t), SG_EDATA, "was made with different validation rows");
    sg_trainer_free(with);
    sg_trainer_free(without);
    sg_options_free(o);
    sg_table_free(table);
    sg_table_free(more);
    sg_table_free(less);
}

/* The data has five columns. Three inputs with two targets have as many parameters as two inputs with three targets. */
static void same_numbers_in_other_roles(void **state)
{
    sg_options *two = options_of("targets=y,z preset=rr"), *three = options_of("targets=w,y,z preset=rr");
    sg_table *table = make_rows(0);
    sg_source rows = sg_table_source(table);
    sg_trainer *t;
    (void)state;
    check(sg_trainer_new(two, &rows, NULL, &t));
    check(sg_trainer_save(t, path));
    sg_trainer_free(t);
    check_fails(sg_trainer_resume(path, three, &rows, NULL, &t), SG_EDATA, "was made with different data or columns");
    sg_options_free(two);
    sg_options_free(three);
    sg_table_free(table);
}

static void damage_is_found(void **state)
{
    file bad = *make_file();
    size_t stride = getenv("TESTS_QUICK") ? 997 : 61;
    (void)state;
    for (size_t i = 0; i < bad.size; i += i < bad.state ? 7 : stride) {
        bad.bytes[i] ^= 4;
        write_file(&bad);
        assert_int_equal(resume(usual, 0, false), SG_EDATA);
        assert_non_null(strstr(sg_errmsg(), path));
        bad.bytes[i] ^= 4;
    }
    size_t whole = bad.size;
    for (bad.size = 0; bad.size < whole; bad.size += stride) {
        write_file(&bad);
        assert_int_equal(resume(usual, 0, false), SG_EDATA);
    }
    bad.size = whole - 1;
    write_file(&bad);
    check_fails(resume(usual, 0, false), SG_EDATA, "is truncated");
    bad.size = whole + 1;
    write_file(&bad);
    check_fails(resume(usual, 0, false), SG_EDATA, "is damaged; remove it or use another file to start over");
}

/* The checksum is valid, but the state is impossible. */
static void forgery_is_found(void **state)
{
    enum { THETA = 2 + 3 * 128 }; /* after the iteration and the curve */
    static const struct {
        size_t word;
        uint64_t bits;
    } cases[] = {{0, 31}, {1, 129}, {THETA, UINT64_C(0x7FF8000000000000)}, {THETA + 4, UINT64_C(0x7FE0000000000000)}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file bad = *make_file();
        memcpy(bad.bytes + bad.state + 8 * cases[i].word, &cases[i].bits, 8);
        uint32_t sum = (uint32_t)crc32_z(0, bad.bytes + bad.state, bad.size - 4 - bad.state);
        memcpy(bad.bytes + bad.size - 4, &sum, 4);
        write_file(&bad);
        check_fails(resume(usual, 0, false), SG_EDATA, "it contains values that training does not produce");
    }
}

static void is_no_checkpoint(void **state)
{
    static const char *const texts[] = {"", "a,b\n1,2\n", "{\"kind\": \"sugeno model\"}\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        file f = {.size = strlen(texts[i])};
        memcpy(f.bytes, texts[i], f.size);
        write_file(&f);
        check_fails(resume(usual, 0, false), SG_EDATA, "is not a sugeno checkpoint");
    }
    file f = *make_file();
    f.bytes[strlen("sugeno checkpoint ")] = '9';
    write_file(&f);
    check_fails(resume(usual, 0, false), SG_EDATA, "was made by another version of sugeno");
    unlink(path);
    check(resume(usual, 0, false)); /* starts over */
    sg_options *o = options_of(usual);
    sg_table *table = make_rows(0);
    sg_source rows = sg_table_source(table);
    sg_trainer *t;
    check_fails(sg_trainer_resume("/tmp", o, &rows, NULL, &t), SG_EIO, "can't read /tmp");
    sg_options_free(o);
    sg_table_free(table);
}

/* --- failed trainings --- */

static void divergence_is_not_saved(void **state)
{
    sg_options *o = options_of("targets=y optim=sgd rate=1000 iters=500 preset=mbgd-a");
    sg_table *table = make_rows(0);
    sg_source rows = sg_table_source(table);
    sg_trainer *t;
    sg_progress p;
    sg_status st;
    (void)state;
    check(sg_trainer_new(o, &rows, NULL, &t));
    check(sg_trainer_save(t, path));
    do st = sg_trainer_step(t, &p);
    while (st == SG_OK && p.more);
    assert_int_equal(st, SG_EDIVERGED);
    check_fails(sg_trainer_save(t, path), SG_EINVAL, "training has failed");
    assert_int_equal(sg_trainer_progress(t).more, 0);
    sg_trainer_free(t);
    check(sg_trainer_resume(path, o, &rows, NULL, &t)); /* the earlier checkpoint still exists */
    assert_int_equal(sg_trainer_progress(t).iteration, 0);
    check_fails(sg_trainer_save(t, "/nowhere/x"), SG_EIO, "can't write /nowhere/x");
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(table);
}

static int name_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/sugeno-test-checkpoint-%ld", (long)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ends_with_the_same_bytes), cmocka_unit_test(others_are_refused),
    cmocka_unit_test(validation_rows_count),    cmocka_unit_test(same_numbers_in_other_roles),
    cmocka_unit_test(damage_is_found),          cmocka_unit_test(forgery_is_found),
    cmocka_unit_test(is_no_checkpoint),         cmocka_unit_test(divergence_is_not_saved),
};
TEST_GROUP(tests, name_file, remove_file)
