/* test_search_and_train.c: the presets auto and auto-ensemble: results do not depend on threads, rules are chosen only
 * if they beat ridge regression, a cancelled search returns a model; and the parts of a search. labels: threads */
#include "auto/ensemble/ensemble.h"
#include "auto/search/search.h"
#include "auto/search/search_options.h"
#include "auto/trees/soft_leaf.h"
#include "base/random/random.h"
#include "test.h"

/* Three numeric inputs, one with missing values, and a category. */
enum { ROWS = 240, COLUMNS = 6 };
enum { A, B, C, KIND, WEIGHT, Y };
static const char *const names[] = {"a", "b", "c", "kind", "w", "y"};
static const char *const kinds[] = {"red", "green", "blue"};

typedef struct dataset {
    double row[ROWS][COLUMNS];
} dataset;

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    memcpy(out, ((const dataset *)self)->row[first], n * sizeof(double[COLUMNS]));
    return SG_OK;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    (void)self;
    return column == KIND && i < 3 ? kinds[i] : NULL;
}

/* bend 0: linear in the inputs, plus noise. */
static sg_source make_rows(dataset *f, double bend, size_t rows)
{
    for (size_t r = 0; r < rows; r++) {
        double a = (double)(r * 37 % 101) / 50 - 1, b = (double)(r * 53 % 89) / 44 - 1,
               c = (double)(r * 29 % 97) / 48 - 1;
        double noise = (double)(r * 7919 % 1009) / 1009 - 0.5, kind = (double)(r * 5 % 7 % 3);
        double cells[] = {a,
                          b,
                          r % 17 == 4 ? (double)NAN : c,
                          kind,
                          1 + (double)(r % 3),
                          2 * a - b + kind + bend * (a > 0 ? b * b : -a * b) + 0.3 * noise};
        memcpy(f->row[r], cells, sizeof cells);
    }
    return (sg_source){.self = f,
                       .name = "dataset",
                       .rows = rows,
                       .columns = COLUMNS,
                       .names = names,
                       .read = read_rows,
                       .level = level_of};
}

/* In quick mode only the first search has a normal budget. */
static void shorten_search(sg_options *o)
{
    static int before;
    if (is_quick() && before++) check(sg_options_set(o, "budget", "0.3"));
}

static sg_model *train(const char *settings, const sg_source *rows)
{
    sg_options *o = options_of(settings);
    if (sg_options_is_search(o)) shorten_search(o);
    sg_model *m;
    check(sg_train(o, rows, NULL, NULL, NULL, &m));
    sg_options_free(o);
    return m;
}

static double rmse_of(const sg_model *m, const sg_source *rows)
{
    sg_metrics out;
    check(sg_model_evaluate(m, rows, NULL, 1, &out));
    return out.rmse;
}

static const char *record_value(const sg_model *m, const char *name)
{
    const char *is, *value;
    for (size_t i = 0; sg_model_record(m, i, &is, &value); i++)
        if (strcmp(is, name) == 0) return value;
    return "";
}

/* The error of the chosen system is valid_rmse: that in the frontier, or that of the ensemble in the record, rounded.
 */
static int reports_valid_rmse(const sg_model *m)
{
    double valid = strtod(record_value(m, "valid_rmse"), NULL);
    sg_frontier_point p;
    for (size_t i = 0; sg_model_frontier(m, i, &p); i++)
        if (p.chosen)
            return valid > 0 && fabs(p.error / valid - 1) < 1e-12 && p.standard_error > 0 && p.standard_error < valid;
    const char *shown = strstr(record_value(m, "tried_together"), "RMSE ");
    return shown && valid > 0 && fabs(strtod(shown + 5, NULL) / valid - 1) < 1e-4;
}

/* Every third row is a test row. */
static void split(const sg_source *all, sg_subset **in, sg_subset **out)
{
    size_t kept[ROWS], left[ROWS], n = 0, m = 0;
    for (size_t i = 0; i < all->rows; i++)
        if (i % 3 == 2) left[m++] = i;
        else kept[n++] = i;
    check(sg_subset_new(all, kept, n, in));
    check(sg_subset_new(all, left, m, out));
}

/* --- whole searches --- */

static void search_beats_ridge(void **state)
{
    static const char *const presets[] = {"preset=auto budget=4 rules=16 iters=1000 weights=w",
                                          "preset=auto-ensemble budget=4 rules=16 iters=1000 weights=w"};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_subset *in, *out;
    split(&all, &in, &out);
    sg_source train_rows = sg_subset_source(in), test = sg_subset_source(out);
    sg_model *ridge = train("preset=rr pca=0 weights=w", &train_rows);
    for (size_t i = 0; i < 2; i++) {
        sg_model *m = train(presets[i], &train_rows);
        assert_true(rmse_of(m, &test) < 0.6 * rmse_of(ridge, &test));
        assert_true(sg_model_rules(m) <= (i ? 8 * 64 : 64));
        assert_int_equal(sg_model_blocks(m) > 1, i);
        assert_non_null(strstr(record_value(m, "tried_1"), "RMSE"));
        assert_non_null(strstr(record_value(m, "chosen"), "retrained on all rows"));
        assert_true(reports_valid_rmse(m));
        assert_string_equal(record_value(m, "rows"), "160");
        assert_string_equal(record_value(m, "data"), record_value(ridge, "data"));
        assert_string_equal(record_value(m, "target_deviation"), record_value(ridge, "target_deviation"));
        sg_model_free(m);
    }
    sg_model_free(ridge);
    sg_subset_free(in);
    sg_subset_free(out);
}

static void student_is_optional(void **state)
{
    static const char *const settings[] = {"preset=auto budget=4 rules=16 iters=300 student=yes",
                                           "preset=auto budget=4 rules=16 iters=300 student=no"};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    for (size_t i = is_quick() ? 1 : 0; i < 2; i++) { /* a quick search tries no student */
        sg_model *m = train(settings[i], &all);
        assert_int_equal(*record_value(m, "tried_student_1") == 0, i);
        if (i) assert_null(strstr(record_value(m, "chosen"), "student"));
        sg_model_free(m);
    }
}

/* The target depends on the values of one input as on a category: ridge regression on effects is enough. */
static void effects_without_rules(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 0, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        f.row[i][C] = (double)(i * 7 % 20);
        f.row[i][Y] = (double)(i * 7 % 20 * 13 % 20) + 0.1 * f.row[i][A];
    }
    sg_model *m = train("preset=auto iters=200 student=no ignore=w,kind", &all),
             *ridge = train("preset=rr pca=0 ignore=w,kind", &all);
    char name[32];
    bool tried = false;
    for (int i = 1; i < 20; i++) {
        snprintf(name, sizeof name, "tried_%d", i);
        tried |= strstr(record_value(m, name), "--effects") != NULL;
    }
    assert_true(tried);
    assert_true(rmse_of(m, &all) < 0.2 * rmse_of(ridge, &all));
    sg_model_free(m);
    sg_model_free(ridge);
}

/* There are fewer groups than planned folds. */
static void few_groups_reduce_folds(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_model *m = train("preset=auto iters=200 rules=8 group=kind", &all);
    assert_true(sg_model_rules(m) > 1);
    sg_model_free(m);
}

static void threads_do_not_change_results(void **state)
{
    static const char *const settings[] = {"preset=auto budget=4 rules=16 iters=600 threads=1",
                                           "preset=auto budget=4 rules=16 iters=600 threads=3"};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    char *text[2];
    for (size_t i = 0; i < 2; i++) {
        sg_model *m = train(settings[i], &all);
        check(sg_model_to_json(m, &text[i]));
        sg_model_free(m);
    }
    assert_string_equal(text[0], text[1]);
    sg_string_free(text[0]);
    sg_string_free(text[1]);
}

static void linear_data_gives_ridge(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 0, ROWS);
    sg_model *m = train("preset=auto budget=0.5", &all);
    assert_int_equal(sg_model_rules(m), 1);
    assert_non_null(strstr(record_value(m, "chosen"), "ridge regression"));
    assert_true(reports_valid_rmse(m));
    sg_model_free(m);
}

/* Without options, sg_train searches, and a trainer trains one system. */
static void search_is_the_default(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_options *o;
    sg_trainer *t;
    sg_model *m;
    check(sg_options_new(&o));
    assert_true(sg_options_is_search(o));
    check(sg_options_set(o, "budget", "0.3"));
    check(sg_train(o, &all, NULL, NULL, NULL, &m));
    assert_string_equal(record_value(m, "preset"), "auto");
    assert_true(*record_value(m, "chosen"));
    sg_model_free(m);
    check(sg_trainer_new(o, &all, NULL, &t));
    assert_int_equal(sg_model_rules(sg_trainer_current(t)), 16);
    assert_int_equal(sg_trainer_progress(t).iterations, 500);
    sg_trainer_free(t);
    sg_options_free(o);
}

static void given_options_are_fixed(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_model *m = train("preset=auto budget=4 rules=6 iters=600 l2=0.02 scale=zscore", &all);
    assert_true(sg_model_rules(m) <= 6);
    assert_string_equal(record_value(m, "l2"), "0.02");
    assert_string_equal(record_value(m, "scale"), "zscore");
    sg_model_free(m);
}

/* Every fixed option gives a model with finite predictions. */
static void any_option_gives_a_model(void **state)
{
    static const char *const given[] = {"low-rank=1",
                                        "pca=2 ignore=kind",
                                        "structure=grid ignore=kind",
                                        "structure=linear",
                                        "mf=tri",
                                        "scale=none",
                                        "iters=7",
                                        "seed=9007199254740991",
                                        "effects=a",
                                        "categorical=a",
                                        "group=kind",
                                        "rules=1",
                                        "rules=400",
                                        "limit=range firing=mean",
                                        "optim=sgd rate=0.001",
                                        "clip=none"};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS), few = all;
    few.rows = 41;
    for (size_t i = 0; i < sizeof given / sizeof *given; i += is_quick() ? 3 : 1) {
        char text[200];
        snprintf(text, sizeof text, "preset=auto budget=%s rules=8 iters=200 %s", i < 4 ? "3" : "0.3", given[i]);
        sg_model *m = train(text, i % 2 ? &few : &all);
        if (!(rmse_of(m, &all) < 20)) fail_msg("%s: %g", given[i], rmse_of(m, &all));
        sg_model_free(m);
    }
}

/* Inputs are clamped to the range of the training rows, unless held-out rows show that extrapolation is better. */
static void clamps_inputs(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    for (size_t r = 0; r < ROWS; r++) /* many rows at the ends, so held-out rows are within the range */
        for (size_t k = A; k <= C; k++) f.row[r][k] = fmax(-0.75, fmin(0.75, f.row[r][k]));
    sg_model *m = train("preset=auto budget=0.5 ignore=w", &all);
    assert_string_equal(record_value(m, "limit"), "range");
    assert_string_equal(record_value(m, "tried_limit"), ""); /* no difference */
    double far[] = {50, 0.2, 0.1, 1}, end[] = {0.75, 0.2, 0.1, 1}, y[2];
    check(sg_model_predict(m, far, 1, &y[0]));
    check(sg_model_predict(m, end, 1, &y[1]));
    assert_true(y[0] == y[1]);
    sg_model_free(m);
    m = train("preset=auto budget=4 iters=300 rules=8 ignore=w", &all); /* with a student */
    assert_string_equal(record_value(m, "limit"), "range");
    assert_string_equal(record_value(m, "tried_limit"), "");
    sg_model_free(m);
    m = train("preset=auto budget=0.5 ignore=w limit=none", &all);
    assert_string_equal(record_value(m, "limit"), "none");
    sg_model_free(m);

    /* Adjacent groups along a ridge: a held-out group at an end is outside the range of the others. */
    for (size_t r = 0; r < ROWS; r++) {
        f.row[r][A] = (double)r;
        f.row[r][KIND] = (double)(r / 80);
        f.row[r][Y] = 3 * (double)r + f.row[r][B];
    }
    m = train("preset=auto budget=0.5 ignore=w group=kind", &all);
    assert_string_equal(record_value(m, "limit"), "none");
    assert_non_null(strstr(record_value(m, "tried_limit"), "not chosen"));
    sg_model_free(m);
}

static void several_targets(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_model *m = train("preset=auto budget=4 rules=8 iters=600 targets=y,a ignore=w", &all);
    assert_int_equal(sg_model_outputs(m), 2);
    assert_non_null(strstr(record_value(m, "tried_1"), "relative error"));
    assert_string_equal(record_value(m, "valid_rmse"), ""); /* undefined for two targets */
    sg_model_free(m);
}

static int stop_after(void *arg, size_t done, size_t planned)
{
    assert_true(done <= planned);
    return (double)done >= *(const double *)arg * (double)planned;
}

static void cancelled_search_returns_a_model(void **state)
{
    static const double when[] = {0, 0.3, 0.7, 0.95};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    for (size_t i = 0; i < sizeof when / sizeof *when; i += is_quick() ? 2 : 1) {
        sg_options *o = options_of("preset=auto budget=4 rules=8 iters=400 threads=1");
        double at = when[i];
        shorten_search(o);
        sg_model *m;
        check(sg_train(o, &all, NULL, stop_after, &at, &m));
        assert_true(rmse_of(m, &all) < 2);
        sg_model_free(m);
        sg_options_free(o);
    }
}

static void store_notice(void *arg, const char *sentence) { snprintf(arg, 200, "%s", sentence); }

static void rejects_few_rows_and_bad_input(void **state)
{
    (void)state;
    char reported[200] = "";
    dataset f;
    sg_source few = make_rows(&f, 4, 20), all;
    sg_options *o = options_of("preset=auto");
    sg_model *m;
    sg_options_on_notice(o, store_notice, reported);
    check(sg_train(o, &few, NULL, NULL, NULL, &m));
    assert_int_equal(sg_model_rules(m), 1);
    assert_string_equal(reported, "20 rows are too few for a search, or too few of them have distinct inputs; training "
                                  "ridge regression instead (one rule without conditions)");
    sg_model_free(m);
    all = make_rows(&f, 4, ROWS);
    check_fails(sg_train(o, &all, &few, NULL, NULL, &m), SG_EINVAL, "--valid cannot be used with the preset auto");
    assert_non_null(strstr(sg_errmsg(), "such as --preset mbgd-rda"));
    check(sg_options_set(o, "valid-fraction", "0.2"));
    check_fails(sg_train(o, &all, NULL, NULL, NULL, &m), SG_EINVAL,
                "--valid-fraction cannot be used with the preset auto");
    check(sg_options_set(o, "valid-fraction", "0"));
    check(sg_options_set(o, "consequents", "lse"));
    check_fails(sg_train(o, &all, NULL, NULL, NULL, &m), SG_EINVAL,
                "--consequents lse cannot be used with the preset auto");
    check(sg_options_set(o, "consequents", "gradient"));
    check(sg_options_set(o, "ignore", "a,b,c,w"));
    check(sg_train(o, &all, NULL, NULL, NULL, &m)); /* three distinct rows */
    assert_int_equal(sg_model_rules(m), 1);
    sg_model_free(m);
    f.row[7][Y] = INFINITY;
    check_fails(sg_train(o, &all, NULL, NULL, NULL, &m), SG_EDATA, "row 8");
    sg_options_free(o);
}

/* --- parts of a search --- */

static void designs_are_balanced(void **state)
{
    enum { COUNT = 24 };
    (void)state;
    sg_options *o = options_of("preset=auto noise=0.3"), *trial = NULL;
    sg_search_space c = sg_search_space_init(o, 1000, 3);
    sg_hyperparams s[COUNT];
    sg_hyperparams_design(&c, 3, COUNT, s);
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++) {
        size_t seen[SG_FACTOR_MAX_LEVELS] = {0};
        for (size_t i = 0; i < COUNT; i++) seen[s[i].level[f]]++;
        for (size_t l = 0; l < SG_FACTOR_MAX_LEVELS; l++) {
            size_t even = COUNT / c.level_count[f];
            assert_true(l < c.level_count[f] ? seen[l] == even || seen[l] == even + 1 : seen[l] == 0);
        }
    }
    check(sg_hyperparams_to_options(&c, &s[0], &trial));
    assert_string_equal(sg_options_get(trial, "noise"), "0.3");
    assert_int_equal(sg_search_space_init(o, 100, 3).level_count[0],
                     1); /* at most twelve rules: only one level of eight */
    sg_options_free(trial);
    sg_options_free(o);
}

static void synthetic_rows_are_plausible(void **state)
{
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto ignore=w");
    sg_search_data g;
    sg_memory_table d;
    size_t gaps = 0;
    check(sg_search_data_init(&g, o, &all));
    check(sg_synthetic_rows(&g, &g.table.rows, 500, 1, NULL, &d));
    assert_int_equal(d.rows.rows, ROWS + 500);
    assert_memory_equal(d.values, f.row, sizeof f.row);
    for (size_t i = ROWS; i < d.rows.rows; i++) {
        const double *row = d.values + i * COLUMNS;
        for (size_t k = A; k <= C; k++) {
            gaps += isnan(row[k]) != 0;
            assert_false(row[k] < -1.001 || row[k] > 1.021);
        }
        assert_true(row[KIND] == 0 || row[KIND] == 1 || row[KIND] == 2);
    }
    assert_true(gaps > 0 && gaps < 250);
    sg_memory_table_release(&d);
    sg_search_data_release(&g);
    sg_options_free(o);
}

static void trees_learn_and_are_shared(void **state)
{
    static const sg_tree_config plan = {
        .trees = 100, .max_leaves = 8, .min_leaf_rows = 8, .learning_rate = 0.1, .softness = 0.2, .l2 = 1};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto");
    sg_search_progress progress = {.planned = 1};
    sg_search_data g;
    sg_tree_ensemble *b, *again;
    check(sg_search_data_init(&g, o, &all));
    double *y = calloc(5 * ROWS, sizeof *y), error[5] = {0};
    check(sg_tree_ensemble_train(o, &plan, plan.trees, &g, &g.table.rows, 0, &progress, &b));
    check(sg_tree_ensemble_ref(b, &again));
    sg_tree_ensemble_free(b);
    check(sg_tree_ensemble_predict(again, &all, plan.trees, 4, y));
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < ROWS; i++) error[k] += sg_search_data_row_error(&g, i, y + k * ROWS + i);
    for (size_t k = 1; k < 5; k++) assert_true(error[k] < error[k - 1]);
    assert_true(error[4] < 0.1 * error[0]);
    sg_tree_ensemble_free(again);
    sg_search_data_release(&g);
    sg_options_free(o);
    free(y);
}

static sg_status subtract_predictions(void *arg, size_t first, size_t rows, const double *y)
{
    double *reported = arg;
    for (size_t i = 0; i < rows; i++) reported[first + i] -= y[i];
    return SG_OK;
}

/* Ensembles of rules on z-scores, quantiles and effects, and of trees, predict the same after conversion to one model
 * and a round trip through JSON; trees only approximately, because their kernel replaces exp by a power. */
static void ensemble_converts_to_model(void **state)
{
    static const char *const settings[] = {"preset=auto scale=zscore iters=100 clip=none",
                                           "preset=auto scale=quantile low-rank=1 iters=100 clip=none",
                                           "preset=auto scale=zscore effects=a iters=100 clip=none",
                                           "preset=auto scale=quantile effects=a iters=100 clip=none"};
    static const unsigned mixtures[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18, 19, 20, 27};
    static const sg_tree_config plan = {
        .trees = 60, .max_leaves = 8, .min_leaf_rows = 8, .learning_rate = 0.1, .softness = 0.2, .l2 = 1};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto clip=none");
    sg_search_progress progress = {.planned = 1};
    sg_search_data g;
    check(sg_search_data_init(&g, o, &all));
    for (size_t k = 0; k < sizeof mixtures / sizeof *mixtures; k++) {
        sg_ensemble c = {0};
        double reported[ROWS], worst = 0;
        bool trees = mixtures[k] & 16;
        for (size_t i = 0; i < 5; i++) {
            if (!(mixtures[k] >> i & 1)) continue;
            sg_ensemble_member member = {.weight = 1 / (double)__builtin_popcount(mixtures[k]), .trees = plan.trees};
            if (i < 4) {
                sg_options *member_options = options_of(settings[i]);
                sg_trainer *t;
                sg_progress p = {.more = 1};
                check(sg_trainer_new(member_options, &all, NULL, &t));
                while (p.more) check(sg_trainer_step(t, &p));
                check(sg_trainer_model(t, &member.model));
                sg_trainer_free(t);
                sg_options_free(member_options);
            } else check(sg_tree_ensemble_train(o, &plan, plan.trees, &g, &all, 0, &progress, &member.tree_ensemble));
            check(sg_ensemble_add(&c, &member));
        }
        sg_model *m, *read;
        char *text;
        check(sg_ensemble_predict(&c, &g, &all, reported));
        check(sg_ensemble_to_model(&c, &m));
        assert_int_equal(m->shared_pipeline, !(mixtures[k] & (2 | 8)));
        check(sg_model_to_json(m, &text));
        check(sg_model_from_json(text, strlen(text), "m", &read));
        check(sg_model_predict_source(read, &all, 1, subtract_predictions, reported));
        for (size_t i = 0; i < ROWS; i++) worst = fmax(worst, fabs(reported[i]));
        if (!(worst < (trees ? 0.02 : 1e-9))) fail_msg("mixture %u: off by %g", mixtures[k], worst);
        sg_string_free(text);
        sg_model_free(m);
        sg_model_free(read);
        sg_ensemble_release(&c);
    }
    sg_search_data_release(&g);
    sg_options_free(o);
}

/* Without one of the groups the only input is constant and training fails, so no candidate has out-of-fold predictions
 * for all rows. */
static void folds_may_fail(void **state)
{
    static const char *const columns[] = {"g", "x", "y"};
    double row[120][3];
    sg_table *t;
    (void)state;
    for (size_t i = 0; i < 120; i++) {
        double x = i < 60 ? (double)(i * 37 % 101) / 50 - 1 : 0;
        memcpy(row[i], ((double[]){i < 60, x, x * x + (double)(i * 29 % 97) / 500}), sizeof row[i]);
    }
    check(sg_table_new(columns, 3, row[0], 120, &t));
    sg_source rows = sg_table_source(t);
    for (int seed = 0; seed < 4; seed++) {
        char settings[96];
        sg_model *m = NULL;
        snprintf(settings, sizeof settings, "preset=auto-ensemble budget=0.3 group=g threads=1 seed=%d", seed);
        sg_options *o = options_of(settings);
        sg_status st = sg_train(o, &rows, NULL, NULL, NULL, &m);
        assert_true(st == SG_OK ? m != NULL : *sg_errmsg() != '\0');
        sg_model_free(m);
        sg_options_free(o);
    }
    sg_table_free(t);
}

/* Random soft leaves and rows inside, outside and far away: both kernels give the same bits, and firing levels add up
 * to 1. */
static void kernels_agree(void **state)
{
    enum { LEAVES = 7, WIDTH = 3, BOUNDS = 2 };
    (void)state;
#if defined(__x86_64__)
    double coef[LEAVES][BOUNDS + 1], x[SG_LEAF_CHUNK * WIDTH], imputed[WIDTH] = {0.1, -0.2, 0.3},
                                                               y[2][SG_LEAF_CHUNK] = {{0}};
    sg_random_stream s = sg_random_stream_at(1, SG_RANDOM_TREES, 0, 0);
    sg_leaf_bound bound[LEAVES][BOUNDS];
    sg_soft_leaf leaf[LEAVES] = {{0}};
    sg_tree tree = {LEAVES, leaf};
    sg_tree_ensemble b = {.width = WIDTH, .outputs = 1, .max_leaves = LEAVES, .learning_rate = 0.1, .imputed = imputed};
    const sg_soft_leaf_kernel *const kernels[] = {&sg_soft_leaf_portable, &sg_soft_leaf_avx2};
    sg_leaf_chunk c[2] = {{0}};
    if (!__builtin_cpu_supports("avx2")) skip();
    for (size_t k = 0; k < LEAVES; k++) {
        leaf[k].bounds = BOUNDS;
        leaf[k].slopes = k % 2 ? BOUNDS : 0;
        leaf[k].bound = bound[k];
        leaf[k].coef = coef[k];
        for (size_t j = 0; j <= BOUNDS; j++) coef[k][j] = sg_random_stream_uniform(&s) - 0.5;
        for (size_t j = 0; j < BOUNDS; j++) {
            double low = 4 * sg_random_stream_uniform(&s) - 2, flat = k % 2 ? 0 : 0.4,
                   per = 20 * sg_random_stream_uniform(&s);
            bound[k][j] = (sg_leaf_bound){(k + j) % WIDTH, low, low + flat, k % 3 == 0 ? 0 : per, k % 4 == 0 ? 0 : per};
        }
    }
    for (size_t i = 0; i < SG_LEAF_CHUNK * WIDTH; i++)
        x[i] = i % 7 == 0 ? (double)NAN : (i % 50 ? 6 : 1e300) * (sg_random_stream_uniform(&s) - 0.5);
    for (size_t i = 0; i < 2; i++) {
        check(sg_leaf_chunk_init(&b, &c[i]));
        sg_leaf_chunk_load(&b, x, SG_LEAF_CHUNK, &c[i]);
        kernels[i]->fire(&tree, &c[i]);
        kernels[i]->predict(&b, &tree, &c[i], y[i]);
    }
    assert_memory_equal(c[0].firing, c[1].firing, LEAVES * SG_LEAF_CHUNK * sizeof(float));
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) {
        double sum = 0;
        for (size_t k = 0; k < LEAVES; k++) sum += (double)c[0].firing[k * SG_LEAF_CHUNK + i];
        assert_true(fabs(sum - 1) < 1e-5);
    }
    sg_leaf_chunk_release(&c[0]);
    sg_leaf_chunk_release(&c[1]);
#else
    skip();
#endif
}

/* One candidate is too high, one too low by twice as much, one far off: the first gets twice the weight of the second.
 */
static void selection_weights(void **state)
{
    static const double off[] = {1, -2, 50};
    (void)state;
    dataset f;
    sg_source all = make_rows(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto");
    sg_search_data g;
    sg_candidate c[3] = {0};
    double weight[3], error;
    check(sg_search_data_init(&g, o, &all));
    for (size_t k = 0; k < 3; k++) {
        c[k].oof_predictions = calloc(ROWS, sizeof(double));
        for (size_t i = 0; i < ROWS; i++) c[k].oof_predictions[i] = g.targets[i] + off[k];
    }
    check(sg_ensemble_select(&g, c, 3, false, weight, &error));
    assert_close(weight[0], 2.0 / 3, 0.03);
    assert_close(weight[1], 1.0 / 3, 0.03);
    assert_true(weight[2] == 0 && error < 0.01);
    for (size_t k = 0; k < 3; k++) free(c[k].oof_predictions);
    sg_search_data_release(&g);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(search_beats_ridge),
    cmocka_unit_test(threads_do_not_change_results),
    cmocka_unit_test(student_is_optional),
    cmocka_unit_test(effects_without_rules),
    cmocka_unit_test(few_groups_reduce_folds),
    cmocka_unit_test(linear_data_gives_ridge),
    cmocka_unit_test(search_is_the_default),
    cmocka_unit_test(given_options_are_fixed),
    cmocka_unit_test(any_option_gives_a_model),
    cmocka_unit_test(clamps_inputs),
    cmocka_unit_test(several_targets),
    cmocka_unit_test(cancelled_search_returns_a_model),
    cmocka_unit_test(rejects_few_rows_and_bad_input),
    cmocka_unit_test(designs_are_balanced),
    cmocka_unit_test(synthetic_rows_are_plausible),
    cmocka_unit_test(trees_learn_and_are_shared),
    cmocka_unit_test(kernels_agree),
    cmocka_unit_test(selection_weights),
    cmocka_unit_test(ensemble_converts_to_model),
    cmocka_unit_test(folds_may_fail),
};
TEST_GROUP(tests, NULL, NULL)
