/* labels: threads */
/* test_predictor.c: predictions through the public API, by every kernel: a row's prediction is the same
 * bits in any company and by any number of threads; what SUGENO_KERNEL and a precision may be. */
#include "kernel_test_support.h"

enum { ROWS = 4500, ALONE = 300 };
static const size_t threads[] = {1, 2, 3, 8};
static const char *const precisions[] = {"f64", "f32"};

/* Rows of the inputs x1 to x10 of Friedman's function, and a table of them with the target. */
typedef struct fixture {
    sg_table *table;
    sg_source source;
    sg_model *model;
    double *x, *first, *y; /* (ROWS, inputs), (ROWS, outputs) twice */
    size_t bytes;          /* of all predictions */
} fixture;

static fixture set_up(const char *settings)
{
    fixture f;
    sg_options *o = options_of(settings);
    sg_trainer *t;
    sg_progress p;
    check(sg_table_generate("friedman", ROWS, 23, &f.table));
    f.source = sg_table_source(f.table);
    check(sg_trainer_new(o, &f.source, NULL, &t));
    do check(sg_trainer_step(t, &p));
    while (p.more);
    check(sg_trainer_model(t, &f.model));
    sg_trainer_free(t);
    sg_options_free(o);
    size_t inputs = sg_model_inputs(f.model), columns = sg_table_columns(f.table);
    f.bytes = ROWS * sg_model_outputs(f.model) * sizeof *f.y;
    f.x = malloc(ROWS * inputs * sizeof *f.x);
    f.first = malloc(f.bytes);
    f.y = malloc(f.bytes);
    assert_true(f.x && f.first && f.y);
    for (size_t r = 0; r < ROWS; r++)
        memcpy(f.x + r * inputs, sg_table_values(f.table) + r * columns, inputs * sizeof *f.x);
    for (size_t r = 7; r < ROWS; r += 50) /* some lie far off */
        for (size_t k = 0; k < inputs; k++) f.x[r * inputs + k] *= r % 100 == 7 ? 1e3 : 1e7;
    return f;
}

static void tear_down(fixture *f)
{
    sg_model_free(f->model);
    sg_table_free(f->table);
    free(f->x);
    free(f->first);
    free(f->y);
}

/* `now` rows at a time. */
static void predict(const fixture *f, const char *precision, size_t n, size_t rows, size_t now, double *y)
{
    size_t inputs = sg_model_inputs(f->model), outputs = sg_model_outputs(f->model);
    sg_predictor *p;
    check(sg_predictor_new(f->model, precision, n, &p));
    for (size_t r = 0; r < rows; r += now)
        check(sg_predictor_run(p, f->x + r * inputs, rows - r < now ? rows - r : now, y + r * outputs));
    sg_predictor_free(p);
}

/* Compares f->y of as many rows with f->first, and forgets it. */
static void check_rows(const fixture *f, size_t rows, const char *precision, const char *how)
{
    size_t outputs = sg_model_outputs(f->model);
    for (size_t i = 0; i < rows * outputs; i++) assert_true(isfinite(f->y[i]));
    for (size_t i = 0; i < rows * outputs; i++)
        if (memcmp(&f->y[i], &f->first[i], sizeof *f->y) != 0)
            fail_msg("%s, %s: row %zu is %a, not %a", precision, how, i / outputs, f->y[i], f->first[i]);
    memset(f->y, 0, f->bytes);
}

/* f->first is what all rows at once give by one thread of this kernel. */
static void check_company(const fixture *f, const char *precision)
{
    static const size_t company[] = {1, 2, 3, 5, 8, 33, 96, 97};
    for (size_t i = 0; i < sizeof company / sizeof *company; i++) {
        char how[64];
        snprintf(how, sizeof how, "%zu rows at a time", company[i]);
        predict(f, precision, 1, ALONE, company[i], f->y);
        check_rows(f, ALONE, precision, how);
    }
    for (size_t i = 1; i < sizeof threads / sizeof *threads; i++) {
        predict(f, precision, threads[i], ROWS, ROWS, f->y);
        check_rows(f, ROWS, precision, "threads");
        predict(f, precision, threads[i], ROWS, 2100, f->y);
        check_rows(f, ROWS, precision, "threads, 2100 rows at a time");
    }
}

static const char *const systems[] = {
    "iters=30",
    "iters=20 pca=3 mfs=3,2,4",
    "iters=30 structure=cluster rules=9 pca=0 mf=gauss-a",
    "iters=10 structure=cluster rules=6 pca=0 targets=y,x10",
    "iters=10 pca=2 mf=trap",
};

/* Also whichever kernel runs; the reference is a kernel of its own. */
static void any_company(void **state)
{
    static const char *const names[] = {"reference", "portable", "avx2", "neon"};
    (void)state;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        fixture f = set_up(systems[i]);
        for (size_t p = 0; p < 2; p++)
            for (size_t k = 0; k < 4; k++) {
                use_kernel(names[k]);
                if (!sg_kernel_name()) continue;
                predict(&f, precisions[p], 1, ROWS, ROWS, k < 2 ? f.first : f.y);
                if (k > 1) check_rows(&f, ROWS, precisions[p], names[k]);
                check_company(&f, precisions[p]);
            }
        use_kernel(NULL);
        tear_down(&f);
    }
}

/* sg_model_predict is a predictor in double. */
static void plain_predictions(void **state)
{
    fixture f = set_up("iters=20");
    size_t inputs = sg_model_inputs(f.model);
    (void)state;
    predict(&f, "f64", 1, ROWS, ROWS, f.first);
    check(sg_model_predict(f.model, f.x, ROWS, f.y));
    check_rows(&f, ROWS, "f64", "sg_model_predict");
    for (size_t r = 0; r < ALONE; r++) check(sg_model_predict(f.model, f.x + r * inputs, 1, &f.y[r]));
    check_rows(&f, ALONE, "f64", "sg_model_predict, alone");
    check(sg_model_predict(f.model, f.x, 0, f.y));
    assert_true(f.y[0] == 0);
    /* In float they differ, by little. */
    double largest = 0;
    predict(&f, "f32", 1, ROWS, ROWS, f.y);
    for (size_t i = 0; i < ROWS; i++)
        if (i % 50 != 7) largest = fmax(largest, fabs(f.y[i] - f.first[i]));
    assert_true(largest > 0 && largest < 1e-4);
    sg_predictor_free(NULL);
    tear_down(&f);
}

/* --- what may be asked for --- */

static sg_status try_trainer(const fixture *f)
{
    sg_options *o = options_of("iters=3");
    sg_trainer *t = NULL;
    sg_status st = sg_trainer_new(o, &f->source, NULL, &t);
    sg_trainer_free(t);
    sg_options_free(o);
    return st;
}

static void precision_must_be_known(void **state)
{
    static const char *const wrong[] = {"f16", "", "F64", "f64 ", "double"};
    fixture f = set_up("iters=2");
    sg_predictor *none = NULL, *p = none;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        use_kernel(k ? "reference" : NULL);
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            char text[64];
            snprintf(text, sizeof text, "expected f64 or f32, got \"%s\"", wrong[i]);
            for (size_t n = 1; n < 3; n++) check_fails(sg_predictor_new(f.model, wrong[i], n, &p), SG_EINVAL, text);
        }
        check_fails(sg_predictor_new(f.model, NULL, 1, &p), SG_EINVAL, "expected f64 or f32");
        assert_ptr_equal(p, none);
    }
    use_kernel(NULL);
    tear_down(&f);
}

typedef struct naming {
    const char *asked;
    const sg_kernel *kernel; /* that must run for it; NULL: never */
    const char *sentence;    /* where it does not run           */
} naming;

static void check_naming(const fixture *f, const naming *n)
{
    sg_predictor *none = NULL, *p = none;
    double y;
    use_kernel(n->asked);
    if (n->kernel && n->kernel->is_supported()) {
        assert_string_equal(sg_kernel_name(), n->kernel->name);
        assert_int_equal(try_trainer(f), SG_OK);
        for (size_t i = 0; i < 2; i++) {
            check(sg_predictor_new(f->model, precisions[i], 2, &p));
            sg_predictor_free(p);
        }
        return;
    }
    assert_null(sg_kernel_name());
    check_fails(try_trainer(f), SG_EINVAL, n->sentence);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 1; k < 3; k++)
            check_fails(sg_predictor_new(f->model, precisions[i], k, &p), SG_EINVAL, n->sentence);
    check_fails(sg_model_predict(f->model, f->x, 1, &y), SG_EINVAL, n->sentence);
    assert_ptr_equal(p, none);
}

/* The vector kernel of this machine, or portable where it has none. */
static const sg_kernel *fastest(void)
{
    const sg_kernel *k = fast_kernels[FAST_KERNELS - 2];
    return k->is_supported() ? k : &sg_kernel_portable_f64;
}

static const sg_kernel *named(const char *name)
{
    for (size_t i = 0; i < FAST_KERNELS; i++)
        if (strcmp(fast_kernels[i]->name, name) == 0) return fast_kernels[i];
    return NULL;
}

static void kernels_by_name(void **state)
{
    const naming namings[] = {
        {NULL, fastest(), ""},
        {"", fastest(), ""},
        {"reference", &sg_kernel_reference, ""},
        {"portable", &sg_kernel_portable_f64, ""},
        {"avx2", named("avx2"), "SUGENO_KERNEL: avx2 does not run on this machine"},
        {"neon", named("neon"), "SUGENO_KERNEL: neon does not run on this machine"},
        {"nonsense", NULL, "SUGENO_KERNEL: expected reference, portable, avx2 or neon, got \"nonsense\""},
        {"AVX2", NULL, "got \"AVX2\""},
        {"avx", NULL, "got \"avx\""},
        {" ", NULL, "got \" \""},
    };
    fixture f = set_up("iters=2");
    (void)state;
    for (size_t i = 0; i < sizeof namings / sizeof *namings; i++) check_naming(&f, &namings[i]);
    use_kernel(NULL);
    tear_down(&f);
}

/* Read when a predictor is made: what happens to the variable later does not matter. */
static void name_is_read_once(void **state)
{
    fixture f = set_up("iters=2");
    sg_predictor *p;
    (void)state;
    predict(&f, "f64", 1, ROWS, ROWS, f.first);
    check(sg_predictor_new(f.model, "f64", 1, &p));
    use_kernel("nonsense");
    check(sg_predictor_run(p, f.x, ROWS, f.y));
    check_rows(&f, ROWS, "f64", "after the variable changed");
    sg_predictor_free(p);
    use_kernel(NULL);
    tear_down(&f);
}

static int unset_kernel(void **state)
{
    (void)state;
    return unsetenv("SUGENO_KERNEL");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_company),     cmocka_unit_test(plain_predictions), cmocka_unit_test(precision_must_be_known),
    cmocka_unit_test(kernels_by_name), cmocka_unit_test(name_is_read_once),
};
TEST_GROUP(tests, unset_kernel, NULL)
