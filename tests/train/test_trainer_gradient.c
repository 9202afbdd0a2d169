/* labels: arithmetic memory */
/* test_trainer_gradient.c: sg_trainer_gradient returns the gradient of the next step, changes nothing, and
 * equals that of the reference for every kernel. */
#include "kernel_test_support.h"

enum { ROWS = 900 };

typedef struct fixture {
    sg_table *table;
    sg_source source;
    sg_trainer *trainer;
    size_t parameters;
    double *grad, *before;
} fixture;

static fixture set_up(const char *settings)
{
    fixture f;
    sg_options *o = options_of(settings);
    check(sg_table_generate("friedman", ROWS, 5, &f.table));
    f.source = sg_table_source(f.table);
    check(sg_trainer_new(o, &f.source, NULL, &f.trainer));
    f.parameters = sg_model_parameters(sg_trainer_current(f.trainer));
    f.grad = calloc(f.parameters, sizeof *f.grad);
    f.before = calloc(f.parameters, sizeof *f.before);
    assert_true(f.grad && f.before);
    sg_options_free(o);
    return f;
}

static void tear_down(fixture *f)
{
    sg_trainer_free(f->trainer);
    sg_table_free(f->table);
    free(f->grad);
    free(f->before);
}

/* With SGD, if no width is near its floor, theta moves by the rate times the gradient. */
static void is_what_the_step_uses(void **state)
{
    static const char *const settings[] = {
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 l2=0.7 drop=none batch=0",
        "optim=sgd sigma-floor=0.01 rate=1e-3 iters=4 loss=mean batch=600 l2=0.3 weights=x7",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 structure=cluster rules=7 pca=0 precision=f32",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 pca=3 mfs=3 drop=membership",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 pca=4 balance=50",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 structure=cluster rules=7 pca=0 centres=fcm low-rank=2",
    };
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        fixture f = set_up(settings[k]);
        sg_progress p = {.more = 1};
        while (p.more) {
            const double *theta = sg_model_theta(sg_trainer_current(f.trainer));
            memcpy(f.before, theta, f.parameters * sizeof *theta);
            check(sg_trainer_gradient(f.trainer, f.grad));
            assert_memory_equal(f.before, theta, f.parameters * sizeof *theta);
            check(sg_trainer_step(f.trainer, &p));
            theta = sg_model_theta(sg_trainer_current(f.trainer));
            size_t moved = 0;
            for (size_t i = 0; i < f.parameters; i++) {
                double due = f.before[i] - p.rate * f.grad[i];
                if (theta[i] != due) fail_msg("%s: parameter %zu is %.17g, not %.17g", settings[k], i, theta[i], due);
                moved += theta[i] != f.before[i];
            }
            if (moved < f.parameters / 4)
                fail_msg("%s: %zu of %zu moved in %zu", settings[k], moved, f.parameters, p.iteration);
        }
        tear_down(&f);
    }
}

static char *trained(const char *settings, bool asks)
{
    fixture f = set_up(settings);
    sg_progress p;
    sg_model *m;
    char *text;
    do {
        if (asks) check(sg_trainer_gradient(f.trainer, f.grad));
        check(sg_trainer_step(f.trainer, &p));
        if (asks) check(sg_trainer_gradient(f.trainer, f.grad));
    } while (p.more);
    if (asks) check(sg_trainer_gradient(f.trainer, f.grad));
    check(sg_trainer_model(f.trainer, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    tear_down(&f);
    return text;
}

static void changes_nothing(void **state)
{
    static const char *const settings[] = {
        "iters=7",
        "iters=7 batch=600 valid-fraction=0.4",
        "iters=5 preset=anfis-gd pca=3",
        "iters=3 preset=anfis-gd-lse pca=2",
        "iters=3 preset=anfis-gd-lse-r pca=2",
        "iters=7 optim=adam drop=mf",
        "iters=5 average=0.9 noise=0.1 schedule=cosine warmup=0.5 refit=0.1 start=ridge",
        "iters=5 structure=cluster rules=5 pca=0 threads=2 batch=0",
        "iters=4 preset=anfis-gd-lse pca=2 balance=9",
        "iters=5 rules=5 low-rank=3 average=0.9 schedule=cosine",
    };
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        char *with = trained(settings[k], true), *without = trained(settings[k], false);
        if (strcmp(with, without) != 0) fail_msg("%s: another model", settings[k]);
        sg_string_free(with);
        sg_string_free(without);
    }
}

/* Computes the gradient of the first batch. */
static fixture gradient_by(const char *kernel, const char *settings)
{
    use_kernel(kernel);
    fixture f = set_up(settings);
    use_kernel(NULL);
    check(sg_trainer_gradient(f.trainer, f.grad));
    return f;
}

static void is_the_references(void **state)
{
    static const char *const settings[] = {
        "batch=64",
        "batch=96 weights=x7 targets=y,x10 pca=4",
        "batch=600 weights=x3 loss=mean drop=none",
        "batch=600 structure=cluster rules=30 pca=0",
        "batch=65 mf=gauss-a mfs=3,1,2 pca=3 l2=0.2",
        "batch=64 mf=tri pca=3 mfs=2",
        "batch=0 pca=8",
        "batch=64 drop=mf",
        "batch=600 rules=9 pca=0 scale=quantile start=ridge noise=0.1 huber=0.4 target=zscore l2=0.3",
        "batch=64 rules=9 pca=0 centres=tree firing=mean noise=0.2",
        "batch=64 balance=300",
        "batch=600 rules=30 pca=0 weights=x3 targets=y,x10 balance=1000",
        "batch=90 mf=tri pca=3 drop=membership balance=100",
        "batch=600 rules=30 pca=0 low-rank=2 mf=gauss-a target=zscore",
        "batch=64 rules=9 pca=0 low-rank=3 centres=tree firing=mean drop=rule keep=0.7",
        "batch=64 rules=9 pca=0 low-rank=1 drop=mf",
    };
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        for (size_t i = 0; i < FAST_KERNELS; i++) {
            const sg_kernel *kernel = fast_kernels[i];
            char with[256];
            if (!kernel->is_supported() || (is_quick() && (i + k) % 3)) continue;
            snprintf(with, sizeof with, "%s precision=%s", settings[k], kernel->precision);
            fixture f = gradient_by(kernel->name, with), r = gradient_by("reference", with);
            double largest = 0;
            for (size_t j = 0; j < f.parameters; j++) largest = fmax(largest, fabs(r.grad[j]));
            assert_true(largest > 0);
            for (size_t j = 0; j < f.parameters; j++)
                if (!(fabs(f.grad[j] - r.grad[j]) <= tolerance_of(kernel) * largest))
                    fail_msg("%s, %s: %zu of %zu is %.17g, not %.17g", kernel->name, with, j, f.parameters, f.grad[j],
                             r.grad[j]);
            tear_down(&f);
            tear_down(&r);
        }
}

/* --- low-rank terms --- */

/* Half the mean squared error of all rows: the loss of a batch of all rows. */
static double loss_of(const fixture *f)
{
    const sg_model *m = sg_trainer_current(f->trainer);
    const size_t inputs = f->source.columns - 1;
    const double *row = sg_table_values(f->table);
    double sum = 0, y;
    for (size_t i = 0; i < ROWS; i++, row += inputs + 1) {
        check(sg_model_predict(m, row, 1, &y));
        sum += pow((y - row[inputs]) / m->scale[0], 2);
    }
    return sum / 2 / ROWS;
}

/* Gradients of low-rank terms and centres equal central differences of predictions. */
static void is_that_of_the_predictions(void **state)
{
    static const char *const settings[] = {
        "batch=0 drop=none loss=mean l2=0 rules=5 pca=0 mf=gauss-a target=zscore low-rank=3",
        "batch=0 drop=none loss=mean l2=0 rules=5 pca=0 mf=gauss target=zscore low-rank=1 firing=mean",
        "batch=0 drop=none loss=mean l2=0 rules=4 pca=0 mf=gauss-a target=zscore low-rank=2 scale=quantile start=ridge",
    };
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        fixture f = set_up(settings[k]);
        sg_block *b = sg_trainer_current(f.trainer)->block;
        sg_random_stream s = sg_random_stream_at(61, SG_RANDOM_SYNTHETIC_DATA, 0, k);
        for (double *x = b->low_rank; x < b->conseq; x++) *x += draw(&s, -0.3, 0.4); /* away from the initial values */
        for (double *x = b->conseq; x < b->mf + f.parameters; x++) *x += draw(&s, -0.6, 0.7);
        check(sg_trainer_gradient(f.trainer, f.grad));
        double largest = 0;
        for (double *x = b->low_rank; x < b->conseq; x++) largest = fmax(largest, fabs(f.grad[x - b->mf]));
        assert_true(largest > 1e-3);
        for (double *x = b->mf; x < b->conseq; x += is_quick() ? 17 : 1) {
            const double h = 1e-5, kept = *x;
            *x = kept + h;
            double up = loss_of(&f);
            *x = kept - h;
            double slope = (up - loss_of(&f)) / (2 * h);
            *x = kept;
            if (!(fabs(slope - f.grad[x - b->mf]) <= 1e-6 * largest))
                fail_msg("%s: %td of %zu: %.12g, by differences %.12g", settings[k], x - b->mf, f.parameters,
                         f.grad[x - b->mf], slope);
        }
        tear_down(&f);
    }
}

/* Low-rank terms start at small random values that depend on the seed; they are 0 without a condition on the input. */
static void combinations_start_small(void **state)
{
    (void)state;
    fixture one = set_up("rules=30 pca=0 low-rank=2 centres=tree"),
            same = set_up("rules=30 pca=0 low-rank=2 centres=tree"),
            other = set_up("rules=30 pca=0 low-rank=2 centres=tree seed=1");
    const sg_block *b = &sg_trainer_current(one.trainer)->block[0];
    const double *again = sg_trainer_current(same.trainer)->block[0].low_rank;
    const double *differs = sg_trainer_current(other.trainer)->block[0].low_rank;
    size_t asked = 0, n = b->rules * b->rank * b->inputs, equal = 0;
    double squares = 0;
    assert_int_equal(b->rank, 2);
    for (size_t i = 0; i < n; i++) {
        int32_t mf = b->mf_of[i / b->inputs / b->rank * b->inputs + i % b->inputs];
        assert_true(again[i] == b->low_rank[i]);
        assert_true((mf >= 0) == (b->low_rank[i] != 0));
        equal += mf >= 0 && differs[i] == b->low_rank[i];
        if (mf < 0) continue;
        squares += pow(b->low_rank[i] * b->mf[b->mfs + (size_t)mf], 2); /* in units of the rule's width */
        asked++;
    }
    assert_true(asked > 100 && asked < n && equal < asked / 10);
    squares *= (double)b->inputs / (double)asked;
    if (!(squares > 0.008 && squares < 0.012)) fail_msg("%g, not about 0.01", squares);
    tear_down(&one);
    tear_down(&same);
    tear_down(&other);
}

static int unset_kernel(void **state)
{
    (void)state;
    return unsetenv("SUGENO_KERNEL");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_what_the_step_uses),    cmocka_unit_test(changes_nothing),
    cmocka_unit_test(is_the_references),        cmocka_unit_test(is_that_of_the_predictions),
    cmocka_unit_test(combinations_start_small),
};
TEST_GROUP(tests, unset_kernel, NULL)
