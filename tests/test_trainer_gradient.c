/* labels: arithmetic memory */
/* test_trainer_gradient.c: sg_trainer_gradient is what the next step uses, changes nothing, and is the
 * reference's whichever kernel runs. */
#include "kernels.h"

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

/* With plain descent, and no width near its floor, theta moves by rate times the gradient. */
static void is_what_the_step_uses(void **state)
{
    static const char *const settings[] = {
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 l2=0.7 drop=none batch=0",
        "optim=sgd sigma-floor=0.01 rate=1e-3 iters=4 loss=mean batch=600 l2=0.3 weights=x7",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 structure=cluster rules=7 pca=0 precision=f32",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 pca=3 mfs=3 drop=membership",
        "optim=sgd sigma-floor=0.01 rate=1e-5 iters=4 pca=4 balance=50",
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
            if (moved < f.parameters / 4) fail_msg("%s: %zu of %zu moved in %zu", settings[k], moved, f.parameters, p.iteration);
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
    check(sg_model_to_text(m, &text));
    sg_model_free(m);
    tear_down(&f);
    return text;
}

static void changes_nothing(void **state)
{
    static const char *const settings[] = {
        "iters=7", "iters=7 batch=600 valid-fraction=0.4", "iters=5 preset=anfis-gd pca=3",
        "iters=3 preset=anfis-gd-lse pca=2", "iters=3 preset=anfis-gd-lse-r pca=2",
        "iters=7 optim=adam drop=mf", "iters=5 average=0.9 noise=0.1 schedule=cosine warmup=0.5 refit=0.1 start=ridge",
        "iters=5 structure=cluster rules=5 pca=0 threads=2 batch=0", "iters=4 preset=anfis-gd-lse pca=2 balance=9",
    };
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        char *with = trained(settings[k], true), *without = trained(settings[k], false);
        if (strcmp(with, without) != 0) fail_msg("%s: another model", settings[k]);
        sg_text_free(with);
        sg_text_free(without);
    }
}

/* Of the first batch. */
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
    };
    (void)state;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        for (size_t i = 0; i < FAST_KERNELS; i++) {
            const sg_kernel *kernel = fast_kernels[i];
            char with[256];
            if (!kernel->runs()) continue;
            snprintf(with, sizeof with, "%s precision=%s", settings[k], kernel->precision);
            fixture f = gradient_by(kernel->name, with), r = gradient_by("reference", with);
            double largest = 0;
            for (size_t j = 0; j < f.parameters; j++) largest = fmax(largest, fabs(r.grad[j]));
            assert_true(largest > 0);
            for (size_t j = 0; j < f.parameters; j++)
                if (!(fabs(f.grad[j] - r.grad[j]) <= tolerance_of(kernel) * largest))
                    fail_msg("%s, %s: %zu of %zu is %.17g, not %.17g", kernel->name, with, j, f.parameters, f.grad[j], r.grad[j]);
            tear_down(&f);
            tear_down(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_the_step_uses),
        cmocka_unit_test(changes_nothing),
        cmocka_unit_test(is_the_references),
    };
    unsetenv("SUGENO_KERNEL");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
