/* test_trainer.c: the public interface of the trainer. */
#include "test.h"

#include "model/model.h"

#include <stdlib.h>

typedef struct rows {
    sg_table *table;
    sg_source source;
} rows;

static rows friedman(size_t n)
{
    rows r;
    check(sg_table_generate("friedman", n, 3, &r.table));
    r.source = sg_table_source(r.table);
    return r;
}

static sg_trainer *trainer_on(const sg_source *s, const char *settings)
{
    sg_options *o = options_of(settings);
    sg_trainer *t;
    check(sg_trainer_new(o, s, NULL, &t));
    sg_options_free(o);
    return t;
}

static sg_status run(sg_trainer *t, sg_progress *p)
{
    sg_status st;
    do st = sg_trainer_step(t, p);
    while (st == SG_OK && p->more);
    return st;
}

static char *trained_text(const sg_source *s, const char *settings)
{
    sg_trainer *t = trainer_on(s, settings);
    sg_progress p;
    sg_model *m;
    char *text;
    check(run(t, &p));
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    sg_trainer_free(t);
    return text;
}

/* --- the loss: sum, mean, l2, weights --- */

enum { LOSS_ROWS = 40, LOSS_COLUMNS = 5 };

typedef struct loss_case {
    const char *mf, *loss, *l2;
    bool grid, weighted;
    size_t outputs;
} loss_case;

/* Eq. (7) of the paper. The columns are a, b, the targets y and q, and the weight. */
static double loss_by_hand(const sg_model *m, const sg_source *s, const loss_case *c)
{
    double sum = 0, total = 0, penalty = 0, x[LOSS_COLUMNS], y[2], l2 = strtod(c->l2, NULL);
    for (size_t r = 0; r < s->rows; r++) {
        check(s->read(s->self, r, 1, x));
        check(sg_model_predict(m, x, 1, y));
        double w = c->weighted ? x[4] : 1;
        for (size_t o = 0; o < c->outputs; o++) {
            double e = (y[o] - x[2 + o]) / m->scale[o];
            sum += w * e * e;
        }
        total += w;
    }
    if (c->weighted) sum *= (double)s->rows / total; /* weights are relative to their mean */
    const sg_block *b = &m->block[0];
    size_t width = (b->terms + 1) * b->outputs;
    for (size_t i = 0; i < b->rules * width; i++)
        if (i % width >= b->outputs) penalty += b->conseq[i] * b->conseq[i]; /* not the biases */
    return 0.5 * (c->loss[0] == 'm' ? sum / (double)s->rows : sum) + 0.5 * l2 * penalty;
}

static sg_table *loss_rows(void)
{
    static const char *const names[] = {"a", "b", "y", "q", "w"};
    double v[LOSS_ROWS * LOSS_COLUMNS];
    sg_table *table;
    for (size_t i = 0; i < LOSS_ROWS; i++) {
        double a = sin(1.37 * (double)i), b = cos(2.11 * (double)i * (double)i);
        double row[] = {a, b, 1.7 * a * b + 0.4 * a - 2.385, a - b * b, 0.3 + fabs(sin(5.0 * (double)i))};
        memcpy(v + LOSS_COLUMNS * i, row, sizeof row);
    }
    check(sg_table_new(names, LOSS_COLUMNS, v, LOSS_ROWS, &table));
    return table;
}

/* Computes a central difference. Returns false at a kink, where two step sizes disagree. */
static bool difference(sg_model *m, size_t i, const sg_source *s, const loss_case *c, double *out)
{
    double kept = m->theta[i], d[2];
    for (int k = 0; k < 2; k++) {
        double h = k ? 2e-5 : 4e-5;
        m->theta[i] = kept + h;
        double up = loss_by_hand(m, s, c);
        m->theta[i] = kept - h;
        d[k] = (up - loss_by_hand(m, s, c)) / (2 * h);
        m->theta[i] = kept;
    }
    *out = (4 * d[1] - d[0]) / 3;
    return fabs(d[0] - d[1]) <= 1e-5 * fmax(fabs(d[0]), 1e-3);
}

/* Derives the gradient from one small step of SGD and compares it with central differences. */
static void check_loss(const loss_case *c, size_t *checked)
{
    const double rate = 1e-6;
    sg_table *table = loss_rows();
    sg_source s = sg_table_source(table);
    char settings[256];
    snprintf(settings, sizeof settings,
             "preset=mbgd-a optim=sgd rate=%g sigma-floor=1e-6 batch=0 mf=%s %s loss=%s l2=%s "
             "target=zscore targets=%s %s=w",
             rate, c->mf, c->grid ? "mfs=2" : "rules=3", c->loss, c->l2, c->outputs == 2 ? "y,q" : "y",
             c->weighted ? "weights" : "ignore");
    if (c->outputs == 1) strcat(settings, c->weighted ? " ignore=q" : ",q");
    sg_trainer *t = trainer_on(&s, settings);
    sg_progress p;
    /* Moves consequents away from 0, where antecedents have no gradient, and the peaks of triangles away
     * from the smallest and largest rows, where they have none either. */
    double *theta = (double *)(uintptr_t)sg_model_theta(sg_trainer_current(t));
    const sg_block *b = &sg_trainer_current(t)->block[0];
    for (size_t i = (size_t)(b->conseq - theta); i < sg_model_parameters(sg_trainer_current(t)); i++)
        theta[i] = sin(3.7 * (double)i);
    for (size_t i = 0; i < (size_t)(b->conseq - theta); i++) theta[i] += 0.05 * sin(2.9 * (double)i + 1);
    for (size_t i = 0; b->kind == &sg_mf_gauss2 && i < b->mfs; i++) theta[i] -= 0.3; /* separates the shoulders */
    sg_model *m;
    check(sg_model_copy(sg_trainer_current(t), &m));
    check(sg_trainer_step(t, &p));
    const double *after = sg_model_theta(sg_trainer_current(t));
    double largest = 0;
    for (size_t i = 0; i < m->parameters; i++) largest = fmax(largest, fabs(m->theta[i] - after[i]) / rate);
    for (size_t i = 0; i < m->parameters; i++) {
        double g = (m->theta[i] - after[i]) / rate, d;
        if (!difference(m, i, &s, c, &d)) continue;
        ++*checked;
        double rounding = 1e-9; /* of theta, divided by the rate */
        assert_close(g, d, 1e-6 * fmax(fmax(fabs(g), fabs(d)), 1e-3 * largest) + rounding);
    }
    sg_model_free(m);
    sg_trainer_free(t);
    sg_table_free(table);
}

static void steps_follow_the_loss(void **state)
{
    size_t checked = 0;
    (void)state;
    for (size_t mf = 0; sg_mf_name(mf); mf++)
        for (unsigned variant = 0; variant < 32; variant++) {
            loss_case c = {sg_mf_name(mf), variant & 1 ? "mean" : "sum", variant & 2 ? "0.37" : "0", variant & 4,
                           variant & 8,    variant & 16 ? 2 : 1};
            check_loss(&c, &checked);
        }
    assert_true(checked > 3000);
}

/* --- shapes --- */

static void counts_of_parameters(void **state)
{
    static const struct {
        size_t inputs;
        const char *settings;
        size_t rules, parameters;
    } cases[] = {
        {5, "pca=0", 32, 212},
        {4, "pca=0", 16, 96},
        {10, "", 32, 212}, /* PCA to five */
        {4, "mfs=3,2,1,2", 12, 2 * 8 + 12 * 5},
        {4, "structure=cluster rules=7", 7, 2 * 7 * 4 + 7 * 5},
        {4, "structure=cluster rules=7 low-rank=2", 7, 2 * 7 * 4 + 7 * 5 + 7 * 2 * 4},
        {4, "preset=rr", 1, 5},
        {4, "mf=trap", 16, 4 * 8 + 16 * 5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rows r = friedman(60);
        char settings[256];
        snprintf(settings, sizeof settings, "%s%signore=%s", cases[i].settings, *cases[i].settings ? " " : "",
                 cases[i].inputs == 10  ? ""
                 : cases[i].inputs == 5 ? "x6,x7,x8,x9,x10"
                                        : "x5,x6,x7,x8,x9,x10");
        sg_trainer *t = trainer_on(&r.source, settings);
        const sg_model *m = sg_trainer_current(t);
        assert_int_equal(sg_model_rules(m), cases[i].rules);
        assert_int_equal(sg_model_parameters(m), cases[i].parameters);
        sg_trainer_free(t);
        sg_table_free(r.table);
    }
}

static void forecast_of_rules(void **state)
{
    rows r = friedman(60);
    sg_options *o = options_of("pca=0 mfs=6");
    sg_trainer *t;
    (void)state;
    check_fails(sg_trainer_new(o, &r.source, NULL, &t), SG_EINVAL,
                "6^10 = 60,466,176 rules need 5.3 GB of memory; use");
    sg_options_free(o);
    o = options_of("preset=anfis-gd-lse pca=0");
    check_fails(sg_trainer_new(o, &r.source, NULL, &t), SG_EINVAL, "2^10 = 1,024 rules need");
    sg_options_free(o);
    sg_table_free(r.table);
}

/* --- presets --- */

static bool trains_in_steps(const char *settings)
{
    sg_options *o = options_of(settings);
    bool result = sg_options_trains_in_steps(o);
    sg_options_free(o);
    return result;
}

static void every_preset_trains(void **state)
{
    rows r = friedman(200);
    size_t n;
    const sg_preset *presets = sg_preset_table(&n);
    (void)state;
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        char settings[128];
        snprintf(settings, sizeof settings, "preset=%s %s", presets[i].name, i == 0 ? "seed=5" : "iters=60");
        if (!trains_in_steps(settings)) continue;
        sg_trainer *t = trainer_on(&r.source, settings);
        sg_progress p;
        sg_metrics before, after;
        check(sg_model_evaluate(sg_trainer_current(t), &r.source, NULL, 1, &before));
        check(run(t, &p));
        check(sg_model_evaluate(sg_trainer_current(t), &r.source, NULL, 1, &after));
        bool closed_form = i == 0; /* solved in closed form */
        if (closed_form ? after.rmse != before.rmse : !(after.rmse < before.rmse))
            fail_msg("%s: RMSE %g after %g", presets[i].name, after.rmse, before.rmse);
        sg_trainer_free(t);
    }
    sg_table_free(r.table);
}

/* --- Jang's rate --- */

/* Counts how often the rate rose and fell by these factors. */
static void count_changes(const sg_source *s, const char *settings, double up, double down, size_t changes[2])
{
    sg_trainer *t = trainer_on(s, settings);
    sg_progress p = {.more = 1};
    changes[0] = changes[1] = 0;
    for (double before = 0; p.more; before = p.rate) {
        check(sg_trainer_step(t, &p));
        if (p.iteration == 1 || p.rate == before) continue;
        bool rose = p.rate > before;
        assert_close(p.rate / before, rose ? up : down, 1e-12);
        changes[rose ? 0 : 1]++;
    }
    sg_trainer_free(t);
}

static void options_change_the_rate(void **state)
{
    rows r = friedman(300);
    size_t n[2];
    (void)state;
    count_changes(&r.source, "preset=mbgd", 1.1, 0.9, n);
    assert_true(n[0] > 0 && n[1] > 0);
    count_changes(&r.source, "preset=mbgd rate-up=1.25 rate-down=0.75", 1.25, 0.75, n);
    assert_true(n[0] > 0 && n[1] > 0);
    count_changes(&r.source, "preset=mbgd rate-up=1", 1, 0.9, n);
    assert_true(n[0] == 0 && n[1] > 0);
    count_changes(&r.source, "preset=mbgd rate-down=1", 1.1, 1, n);
    assert_true(n[0] > 0 && n[1] == 0);
    sg_table_free(r.table);
}

/* --- random numbers --- */

static void the_seed_decides(void **state)
{
    rows r = friedman(300);
    char *a = trained_text(&r.source, "iters=40 seed=7"), *b = trained_text(&r.source, "iters=40 seed=7");
    char *c = trained_text(&r.source, "iters=40 seed=8");
    (void)state;
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    sg_string_free(a);
    sg_string_free(b);
    sg_string_free(c);
    sg_table_free(r.table);
}

/* Initial MFs are stored with six digits if training moved them. */
static void remembers_where_it_began(void **state)
{
    static const struct {
        const char *settings;
        bool told;
    } cases[] = {{"preset=mbgd-rda iters=40", true},
                 {"preset=mbgd-rda mf=tri iters=40 average=0.5", true},
                 {"preset=mbgd-rda rules=9 pca=0 scale=quantile iters=40 start=ridge refit=0.1", true},
                 {"preset=anfis-gd-lse-r iters=20", true},
                 {"preset=rr", false},
                 {"preset=mbgd-rda rules=411 pca=0 iters=2", false}}; /* 4,110 MFs */
    rows r = friedman(500);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_trainer *t = trainer_on(&r.source, cases[i].settings);
        sg_progress p;
        sg_model *first, *last;
        check(sg_trainer_model(t, &first));
        assert_null(first->block[0].initial_mf);
        check(run(t, &p));
        check(sg_trainer_model(t, &last));
        const sg_block *b = &last->block[0];
        if ((b->initial_mf != NULL) != cases[i].told) fail_msg("%s", cases[i].settings);
        for (size_t k = 0; b->initial_mf && k < b->mfs * b->kind->arity; k++) {
            double was = first->block[0].mf[k];
            if (fabs(b->initial_mf[k] - was) > 1e-5 * fabs(was))
                fail_msg("%s: %g, not %g", cases[i].settings, b->initial_mf[k], was);
        }
        sg_model_free(first);
        sg_model_free(last);
        sg_trainer_free(t);
    }
    sg_table_free(r.table);
}

/* --- validation --- */

static void keeps_the_best_iterate(void **state)
{
    rows r = friedman(120), fresh;
    check(sg_table_generate("friedman", 80, 99, &fresh.table));
    fresh.source = sg_table_source(fresh.table);
    sg_options *o = options_of("preset=mbgd-a rate=0.05 iters=400");
    sg_trainer *t;
    sg_progress p;
    sg_model *m;
    sg_metrics best, last;
    double least = INFINITY;
    (void)state;
    check(sg_trainer_new(o, &r.source, &fresh.source, &t));
    do {
        check(sg_trainer_step(t, &p));
        least = fmin(least, p.valid_rmse);
        assert_true(p.best_rmse == least);
    } while (p.more);
    check(sg_trainer_model(t, &m));
    check(sg_model_evaluate(m, &fresh.source, NULL, 1, &best));
    check(sg_model_evaluate(sg_trainer_current(t), &fresh.source, NULL, 1, &last));
    assert_true(best.rmse == least);
    assert_true(best.rmse < last.rmse);
    sg_model_free(m);
    sg_trainer_free(t);
    sg_options_free(o);
    sg_table_free(r.table);
    sg_table_free(fresh.table);
}

static void patience_ends_it(void **state)
{
    rows r = friedman(120);
    sg_trainer *t = trainer_on(&r.source, "preset=mbgd-a rate=0.05 iters=5000 valid-fraction=0.3 patience=50");
    sg_progress p;
    (void)state;
    check(run(t, &p));
    assert_in_range(p.iteration, 50, 4000);
    size_t ended = p.iteration;
    check(sg_trainer_step(t, &p)); /* the caller may continue */
    assert_int_equal(p.iteration, ended + 1);
    sg_trainer_free(t);
    sg_table_free(r.table);
}

/* --- corner cases --- */

static void divergence_keeps_the_last_finite(void **state)
{
    rows r = friedman(200);
    sg_trainer *t = trainer_on(&r.source, "preset=mbgd-a optim=sgd rate=10");
    sg_progress p;
    sg_model *m;
    char *text;
    double y, x[10] = {0.5};
    (void)state;
    check_fails(run(t, &p), SG_EDIVERGED, "smaller --rate");
    check(sg_trainer_step(t, &p));
    assert_int_equal(p.more, 0);
    check(sg_trainer_model(t, &m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    check(sg_model_from_json(text, strlen(text), "m", &m));
    check(sg_model_predict(m, x, 1, &y));
    assert_true(isfinite(y));
    sg_string_free(text);
    sg_model_free(m);
    sg_trainer_free(t);
    sg_table_free(r.table);
}

static void a_constant_target_is_exact(void **state)
{
    static const char *const names[] = {"x", "same", "y"};
    static const char *const presets[] = {"preset=mbgd-rda", "preset=mbgd", "preset=rr", "preset=anfis-gd-lse iters=5",
                                          "preset=mbgd-a scale=none"};
    double v[30 * 3];
    sg_table *table;
    (void)state;
    for (size_t i = 0; i < 30; i++) {
        v[3 * i] = sin((double)i);
        v[3 * i + 1] = 0.1;
        v[3 * i + 2] = 0.7;
    }
    check(sg_table_new(names, 3, v, 30, &table));
    sg_source s = sg_table_source(table);
    for (size_t k = 0; k < sizeof presets / sizeof *presets; k++) {
        sg_trainer *t = trainer_on(&s, presets[k]);
        sg_progress p;
        double x = 2.385, y;
        check(run(t, &p));
        assert_int_equal(sg_model_inputs(sg_trainer_current(t)), 1); /* "same" is left out */
        check(sg_model_predict(sg_trainer_current(t), &x, 1, &y));
        assert_true(y == 0.7);
        sg_trainer_free(t);
    }
    sg_table_free(table);
}

static void weights_of_zero_leave_rows_out(void **state)
{
    static const char *const names[] = {"a", "b", "y", "w"};
    static const char *const settings[] = {"preset=rr", "preset=anfis-gd iters=20", "preset=anfis-gd-lse-r iters=5"};
    double v[60 * 4], few[40 * 4];
    sg_table *all, *part;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        double row[] = {sin(1.3 * (double)i), cos(0.7 * (double)i), sin(3.1 * (double)i), i % 3 ? 2.5 : 0};
        memcpy(v + 4 * i, row, sizeof row);
        if (i % 3) memcpy(few + 4 * n++, row, sizeof row);
    }
    check(sg_table_new(names, 4, v, 60, &all));
    check(sg_table_new(names, 4, few, n, &part));
    sg_source sources[] = {sg_table_source(all), sg_table_source(part)};
    for (size_t k = 0; k < 3; k++) {
        double y[2], x[] = {0.3, -0.6};
        for (int i = 0; i < 2; i++) {
            char with[128];
            snprintf(with, sizeof with, "%s targets=y %s", settings[k], i ? "ignore=w" : "weights=w");
            sg_trainer *t = trainer_on(&sources[i], with);
            sg_progress p;
            check(run(t, &p));
            check(sg_model_predict(sg_trainer_current(t), x, 1, &y[i]));
            sg_trainer_free(t);
        }
        assert_close(y[0], y[1], 1e-9);
    }
    sg_table_free(all);
    sg_table_free(part);
}

static void wrong_rows_get_a_sentence(void **state)
{
    static const char *const names[] = {"a", "y"};
    static const double one[] = {1, 2}, huge[] = {1, 2, 1e200, 3, 4, 5}, flat[] = {1, 2, 1, 3, 1, 4};
    static const struct {
        const double *v;
        size_t columns, rows;
        const char *settings, *sentence;
    } cases[] = {
        {one, 2, 1, "seed=1", "at least 2 rows"},
        {one, 1, 2, "seed=1", "at least one input column and one target"},
        {huge, 2, 3, "seed=1", "row 2, column \"a\": 1e+200"},
        {flat, 2, 3, "seed=1", "every input column is constant"},
        {huge, 2, 3, "targets=z", "there is no column \"z\""},
        {flat, 2, 3, "weights=q", "found a, y"},
        {flat, 2, 3, "structure=cluster rules=9", "constant"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_table *table;
        sg_trainer *t;
        sg_options *o = options_of(cases[i].settings);
        check(sg_table_new(names, cases[i].columns, cases[i].v, cases[i].rows, &table));
        sg_source s = sg_table_source(table);
        check_fails(sg_trainer_new(o, &s, NULL, &t), SG_EDATA, cases[i].sentence);
        sg_options_free(o);
        sg_table_free(table);
    }
}

static void several_targets(void **state)
{
    rows r = friedman(150);
    sg_trainer *t = trainer_on(&r.source, "targets=y,x1,x7 iters=100 target=zscore loss=mean pca=4");
    sg_progress p;
    sg_metrics m[3];
    (void)state;
    check(run(t, &p));
    assert_int_equal(sg_model_outputs(sg_trainer_current(t)), 3);
    assert_string_equal(sg_model_output_name(sg_trainer_current(t), 1), "x1");
    check(sg_model_evaluate(sg_trainer_current(t), &r.source, NULL, 1, m));
    assert_true(m[0].r2 > 0.2);
    sg_trainer_free(t);
    sg_table_free(r.table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_follow_the_loss),      cmocka_unit_test(counts_of_parameters),
    cmocka_unit_test(forecast_of_rules),          cmocka_unit_test(every_preset_trains),
    cmocka_unit_test(options_change_the_rate),    cmocka_unit_test(the_seed_decides),
    cmocka_unit_test(remembers_where_it_began),   cmocka_unit_test(keeps_the_best_iterate),
    cmocka_unit_test(patience_ends_it),           cmocka_unit_test(divergence_keeps_the_last_finite),
    cmocka_unit_test(a_constant_target_is_exact), cmocka_unit_test(weights_of_zero_leave_rows_out),
    cmocka_unit_test(wrong_rows_get_a_sentence),  cmocka_unit_test(several_targets),
};
TEST_GROUP(tests, NULL, NULL)
