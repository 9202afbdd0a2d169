/* test_balance_penalty.c: the balance penalty and its gradient against the definition and central differences, and
 * its effect on training. labels: memory */
#include "model/reference_forward_backward.h"
#include "test.h"
#include "train/trainer.h"

enum { ROWS = 60, INPUTS = 10, COLUMNS = 11 };

typedef struct fixture {
    sg_table *table;
    sg_source source;
    sg_trainer *trainer;
    size_t parameters;
    double *grad;
} fixture;

static fixture set_up(const char *settings, double balance)
{
    fixture f;
    char number[32];
    snprintf(number, sizeof number, "%g", balance);
    sg_options *o = options_of(settings);
    check(sg_options_set(o, "balance", number));
    check(sg_table_generate("friedman", ROWS, 5, &f.table));
    f.source = sg_table_source(f.table);
    check(sg_trainer_new(o, &f.source, NULL, &f.trainer));
    f.parameters = sg_model_parameters(sg_trainer_current(f.trainer));
    f.grad = calloc(f.parameters, sizeof *f.grad);
    assert_non_null(f.grad);
    sg_options_free(o);
    return f;
}

static void tear_down(fixture *f)
{
    sg_trainer_free(f->trainer);
    sg_table_free(f->table);
    free(f->grad);
}

/* --- the definition --- */

/* Adds w times the firing levels of row r of the table, in iteration 1, to sum. */
static void add_firing(const fixture *f, const sg_model *m, size_t r, double w, sg_block_workspace *work, double *sum)
{
    const sg_dropout *drop = &f->trainer->config.dropout;
    const sg_column_roles *c = &f->trainer->prepared.columns;
    double row[COLUMNS], x[COLUMNS], a[COLUMNS];
    uint32_t bits[64];
    unsigned char bytes[1024];
    assert_true(sg_dropout_words(drop, m) <= 64 && sg_keep_mask_size(drop->kind->target, &m->block[0]) <= 1024);
    check(f->source.read(f->source.self, r, 1, row));
    for (size_t k = 0; k < c->inputs; k++) x[k] = row[c->input[k]];
    check(sg_model_transform(m, x, 1, a));
    bool drops = sg_dropout_draw(drop, m, 0, 1, &r, 1, bits);
    sg_dropout_mask mask =
        drops ? sg_keep_mask_unpack(drop->kind->target, &m->block[0], bits, bytes) : (sg_dropout_mask){0};
    sg_firing(&m->block[0], a, &mask, work);
    for (size_t i = 0; i < m->block[0].rules; i++) sum[i] += w * work->firing[i];
}

/* Returns the penalty of the last batch. */
static double penalty(const fixture *f, const sg_model *m, double lambda)
{
    const sg_batch *batch = &f->trainer->batch;
    size_t rules = m->block[0].rules, weight = f->trainer->prepared.columns.weight;
    double *sum = calloc(rules, sizeof *sum), rows = 0, squares = 0, row[COLUMNS];
    sg_block_workspace work;
    assert_true(sg_block_workspace_init(&work, &m->block[0]));
    for (size_t i = 0; i < batch->n; i++) {
        size_t r = batch->row ? batch->row[i] : i;
        check(f->source.read(f->source.self, r, 1, row));
        double w = weight == SG_NO_COLUMN ? 1 : row[weight];
        add_firing(f, m, r, w, &work, sum);
        rows += w;
    }
    for (size_t i = 0; i < rules; i++) squares += pow(sum[i] / rows - 1 / (double)rules, 2);
    sg_block_workspace_release(&work);
    free(sum);
    return lambda * squares;
}

static double difference(const fixture *f, sg_model *m, size_t i, double lambda)
{
    double was = m->theta[i], step = 1e-5;
    m->theta[i] = was + step;
    double up = penalty(f, m, lambda);
    m->theta[i] = was - step;
    double down = penalty(f, m, lambda);
    m->theta[i] = was;
    return (up - down) / (2 * step);
}

/* Computes the gradient of the penalty for the first batch. */
static void compare(const char *settings, double lambda, double tolerance)
{
    fixture with = set_up(settings, lambda), without = set_up(settings, 0);
    double largest = 0;
    sg_model *m;
    check(sg_trainer_gradient(with.trainer, with.grad));
    check(sg_trainer_gradient(without.trainer, without.grad));
    check(sg_model_copy(sg_trainer_current(with.trainer), &m));
    assert_memory_equal(m->theta, sg_model_theta(sg_trainer_current(without.trainer)),
                        m->parameters * sizeof *m->theta);
    assert_close(with.trainer->balance.loss, penalty(&with, m, lambda), tolerance * lambda);
    assert_true(with.trainer->balance.loss > 0);
    for (size_t i = 0; i < with.parameters; i++) {
        double due = difference(&with, m, i, lambda), found = with.grad[i] - without.grad[i];
        if (!(fabs(found - due) <= tolerance * lambda))
            fail_msg("%s: %zu is %.17g, not %.17g", settings, i, found, due);
        largest = fmax(largest, fabs(due));
    }
    if (!(largest > 1000 * tolerance * lambda)) fail_msg("%s: at most %g", settings, largest);
    sg_model_free(m);
    tear_down(&with);
    tear_down(&without);
}

static void is_the_definition(void **state)
{
    (void)state;
    compare("batch=0 drop=none pca=3", 70, 1e-8);
    compare("batch=20 drop=none rules=5 pca=0 loss=mean", 3, 1e-8);
    compare("batch=32 drop=rule rules=7 pca=4 loss=mean l2=0.3", 0.7, 1e-8);
    compare("batch=0 drop=membership mf=gauss-a pca=2 weights=x7", 20, 1e-8);
    compare("batch=30 drop=mf mf=gbell pca=2 targets=y,x3", 20, 1e-7);
    compare("batch=0 drop=rule rules=4 centres=tree pca=0 firing=mean huber=0.1 preset=fcm-rdpa power=1", 5, 1e-8);
    compare("batch=40 drop=rule pca=3 precision=f32 loss=mean target=zscore", 5, 1e-5);
}

/* --- training --- */

static double inequality(const fixture *f)
{
    sg_trainer *t = f->trainer;
    t->config.dropout.keep_prob = 1; /* no dropout */
    t->batch.n = ROWS;
    free(t->batch.row);
    t->batch.row = NULL;
    return penalty(f, sg_trainer_current(t), 1);
}

static void makes_rules_more_equal(void **state)
{
    static const char settings[] = "iters=300 rules=6 pca=0 mf=gauss-a loss=mean target=zscore optim=adam";
    double found[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture f = set_up(settings, i ? 100 : 0);
        sg_progress p;
        do check(sg_trainer_step(f.trainer, &p));
        while (p.more);
        found[i] = inequality(&f);
        tear_down(&f);
    }
    if (!(found[1] < found[0] / 20)) fail_msg("%g and %g", found[0], found[1]);
}

/* A single rule always has firing level 1, so nothing is allocated for the penalty. */
static void one_rule(void **state)
{
    static const char *const settings[] = {"structure=linear", "rules=1 pca=0"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        fixture f = set_up(settings[i], 3);
        assert_null(f.trainer->balance.grad);
        check(sg_trainer_gradient(f.trainer, f.grad));
        tear_down(&f);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(is_the_definition),
    cmocka_unit_test(makes_rules_more_equal),
    cmocka_unit_test(one_rule),
};
TEST_GROUP(tests, NULL, NULL)
