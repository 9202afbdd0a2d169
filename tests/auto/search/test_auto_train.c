/* test_auto_train.c: a search that chooses how to train: the same bytes whoever computes, better than ridge regression
 * where rules help, ridge regression where they do not, something to keep whenever it is stopped. labels: threads */
#include "auto/boost/soft_leaf.h"
#include "auto/ensemble/ensemble.h"
#include "auto/ensemble/synthetic_rows.h"
#include "auto/search/search_config.h"
#include "base/random/random.h"
#include "test.h"

/* Three numbers, one of them with gaps, and a category. */
enum { ROWS = 240, COLUMNS = 6 };
enum { A, B, C, KIND, WEIGHT, Y };
static const char *const names[] = {"a", "b", "c", "kind", "w", "y"};
static const char *const kinds[] = {"red", "green", "blue"};

typedef struct field {
    double row[ROWS][COLUMNS];
} field;

static sg_status read_field(void *self, size_t first, size_t n, double *out)
{
    memcpy(out, ((const field *)self)->row[first], n * sizeof(double[COLUMNS]));
    return SG_OK;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    (void)self;
    return column == KIND && i < 3 ? kinds[i] : NULL;
}

/* bend 0: a straight line, and noise. */
static sg_source rows_of(field *f, double bend, size_t rows)
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
                       .name = "field",
                       .rows = rows,
                       .columns = COLUMNS,
                       .names = names,
                       .read = read_field,
                       .level = level_of};
}

/* Where all is slow, the first search alone is a long one. */
static void cut(sg_options *o)
{
    static int before;
    if (is_quick() && before++) check(sg_options_set(o, "budget", "0.3"));
}

static sg_model *train(const char *settings, const sg_source *rows)
{
    sg_options *o = options_of(settings);
    if (sg_options_is_search(o)) cut(o);
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

static const char *fact(const sg_model *m, const char *name)
{
    const char *is, *value;
    for (size_t i = 0; sg_model_record(m, i, &is, &value); i++)
        if (strcmp(is, name) == 0) return value;
    return "";
}

/* What the table says of what was chosen is the validation RMSE, to the digits that it shows. */
static int tells_its_error(const sg_model *m)
{
    const char *chosen = fact(m, "chosen");
    const char *row = strstr(chosen, "ridge")      ? "tried_ridge"
                      : strstr(chosen, "student")  ? "tried_student"
                      : strstr(chosen, "ensemble") ? "tried_together"
                                                   : "tried_1";
    const char *shown = strstr(fact(m, row), "RMSE ");
    double valid = strtod(fact(m, "valid_rmse"), NULL);
    return shown && valid > 0 && fabs(strtod(shown + 5, NULL) / valid - 1) < 1e-4;
}

/* Every third row is kept for the end. */
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

static void it_beats_a_line(void **state)
{
    static const char *const presets[] = {"preset=auto budget=4 rules=16 iters=1000 weights=w",
                                          "preset=auto-ensemble budget=4 rules=16 iters=1000 weights=w"};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_subset *in, *out;
    split(&all, &in, &out);
    sg_source train_rows = sg_subset_source(in), test = sg_subset_source(out);
    sg_model *line = train("preset=rr pca=0 weights=w", &train_rows);
    for (size_t i = 0; i < 2; i++) {
        sg_model *m = train(presets[i], &train_rows);
        assert_true(rmse_of(m, &test) < 0.6 * rmse_of(line, &test));
        assert_true(sg_model_rules(m) <= (i ? 8 * 64 : 64));
        assert_int_equal(sg_model_blocks(m) > 1, i);
        assert_non_null(strstr(fact(m, "tried_1"), "RMSE"));
        assert_non_null(strstr(fact(m, "chosen"), "retrained on all rows"));
        assert_true(tells_its_error(m));
        assert_string_equal(fact(m, "rows"), "160");
        assert_string_equal(fact(m, "data"), fact(line, "data"));
        assert_string_equal(fact(m, "target_deviation"), fact(line, "target_deviation"));
        sg_model_free(m);
    }
    sg_model_free(line);
    sg_subset_free(in);
    sg_subset_free(out);
}

static void nobody_need_be_taught(void **state)
{
    static const char *const settings[] = {"preset=auto budget=4 rules=16 iters=300 student=yes",
                                           "preset=auto budget=4 rules=16 iters=300 student=no"};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    for (size_t i = is_quick() ? 1 : 0; i < 2; i++) { /* a quick search has no student */
        sg_model *m = train(settings[i], &all);
        assert_int_equal(*fact(m, "tried_student") == 0, i);
        if (i) assert_null(strstr(fact(m, "chosen"), "student"));
        sg_model_free(m);
    }
}

/* Groups add what nothing else tells, and there is nothing beside it: ridge regression on the effects. */
static void effects_alone_may_do(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 0, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        f.row[i][C] = (double)(i * 7 % 20);
        f.row[i][Y] = (double)(i * 7 % 20 * 13 % 20) + 0.1 * f.row[i][A];
    }
    sg_model *m = train("preset=auto iters=200 student=no ignore=w,kind", &all),
             *line = train("preset=rr pca=0 ignore=w,kind", &all);
    assert_non_null(strstr(fact(m, "tried_1"), "--effects"));
    assert_true(rmse_of(m, &all) < 0.2 * rmse_of(line, &all));
    sg_model_free(m);
    sg_model_free(line);
}

/* No more folds than groups. */
static void few_groups_will_do(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_model *m = train("preset=auto iters=200 rules=8 group=kind", &all);
    assert_true(sg_model_rules(m) > 1);
    sg_model_free(m);
}

static void threads_do_not_matter(void **state)
{
    static const char *const settings[] = {"preset=auto budget=4 rules=16 iters=600 threads=1",
                                           "preset=auto budget=4 rules=16 iters=600 threads=3"};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
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

static void a_line_stays_one(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 0, ROWS);
    sg_model *m = train("preset=auto budget=0.5", &all);
    assert_int_equal(sg_model_rules(m), 1);
    assert_non_null(strstr(fact(m, "chosen"), "ridge regression"));
    assert_true(tells_its_error(m));
    sg_model_free(m);
}

/* What nobody set anything for: a search by sg_train, one system by a trainer. */
static void it_is_the_default(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_options *o;
    sg_trainer *t;
    sg_model *m;
    check(sg_options_new(&o));
    assert_true(sg_options_is_search(o));
    check(sg_options_set(o, "budget", "0.3"));
    check(sg_train(o, &all, NULL, NULL, NULL, &m));
    assert_string_equal(fact(m, "preset"), "auto");
    assert_true(*fact(m, "chosen"));
    sg_model_free(m);
    check(sg_trainer_new(o, &all, NULL, &t));
    assert_int_equal(sg_model_rules(sg_trainer_current(t)), 16);
    assert_int_equal(sg_trainer_progress(t).iterations, 500);
    sg_trainer_free(t);
    sg_options_free(o);
}

static void what_is_given_stays(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_model *m = train("preset=auto budget=4 rules=6 iters=600 l2=0.02 scale=zscore", &all);
    assert_true(sg_model_rules(m) <= 6);
    assert_string_equal(fact(m, "l2"), "0.02");
    assert_string_equal(fact(m, "scale"), "zscore");
    sg_model_free(m);
}

/* Whatever is fixed, there is a model, of numbers. */
static void whatever_is_given(void **state)
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
    field f;
    sg_source all = rows_of(&f, 4, ROWS), few = all;
    few.rows = 41;
    for (size_t i = 0; i < sizeof given / sizeof *given; i += is_quick() ? 3 : 1) {
        char text[200];
        snprintf(text, sizeof text, "preset=auto budget=%s rules=8 iters=200 %s", i < 4 ? "3" : "0.3", given[i]);
        sg_model *m = train(text, i % 2 ? &few : &all);
        if (!(rmse_of(m, &all) < 20)) fail_msg("%s: %g", given[i], rmse_of(m, &all));
        sg_model_free(m);
    }
}

/* What lies far outside counts as the end of the range, unless rows that were left out say that lines go on. */
static void it_limits_inputs(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    for (size_t r = 0; r < ROWS; r++) /* many rows at the ends: those left out lie inside */
        for (size_t k = A; k <= C; k++) f.row[r][k] = fmax(-0.75, fmin(0.75, f.row[r][k]));
    sg_model *m = train("preset=auto budget=0.5 ignore=w", &all);
    assert_string_equal(fact(m, "limit"), "range");
    assert_string_equal(fact(m, "tried_limit"), ""); /* it was no difference */
    double far[] = {50, 0.2, 0.1, 1}, end[] = {0.75, 0.2, 0.1, 1}, y[2];
    check(sg_model_predict(m, far, 1, &y[0]));
    check(sg_model_predict(m, end, 1, &y[1]));
    assert_true(y[0] == y[1]);
    sg_model_free(m);
    m = train("preset=auto budget=4 iters=300 rules=8 ignore=w", &all); /* enough for a student */
    assert_string_equal(fact(m, "limit"), "range");
    assert_string_equal(fact(m, "tried_limit"), "");
    sg_model_free(m);
    m = train("preset=auto budget=0.5 ignore=w limit=none", &all);
    assert_string_equal(fact(m, "limit"), "none");
    sg_model_free(m);

    /* Groups of rows, side by side along a line: each that is left out at an end lies outside. */
    for (size_t r = 0; r < ROWS; r++) {
        f.row[r][A] = (double)r;
        f.row[r][KIND] = (double)(r / 80);
        f.row[r][Y] = 3 * (double)r + f.row[r][B];
    }
    m = train("preset=auto budget=0.5 ignore=w group=kind", &all);
    assert_string_equal(fact(m, "limit"), "none");
    assert_non_null(strstr(fact(m, "tried_limit"), "not chosen"));
    sg_model_free(m);
}

static void several_targets(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_model *m = train("preset=auto budget=4 rules=8 iters=600 targets=y,a ignore=w", &all);
    assert_int_equal(sg_model_outputs(m), 2);
    assert_non_null(strstr(fact(m, "tried_1"), "relative error"));
    assert_string_equal(fact(m, "valid_rmse"), ""); /* that of two targets is none */
    sg_model_free(m);
}

static int stop_after(void *arg, size_t done, size_t planned)
{
    assert_true(done <= planned);
    return (double)done >= *(const double *)arg * (double)planned;
}

static void stopped_it_has_something(void **state)
{
    static const double when[] = {0, 0.3, 0.7, 0.95};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    for (size_t i = 0; i < sizeof when / sizeof *when; i += is_quick() ? 2 : 1) {
        sg_options *o = options_of("preset=auto budget=4 rules=8 iters=400 threads=1");
        double at = when[i];
        cut(o);
        sg_model *m;
        check(sg_train(o, &all, NULL, stop_after, &at, &m));
        assert_true(rmse_of(m, &all) < 2);
        sg_model_free(m);
        sg_options_free(o);
    }
}

static void hear(void *arg, const char *sentence) { snprintf(arg, 200, "%s", sentence); }

static void few_rows_and_wrong_ones(void **state)
{
    (void)state;
    char said[200] = "";
    field f;
    sg_source few = rows_of(&f, 4, 20), all;
    sg_options *o = options_of("preset=auto");
    sg_model *m;
    sg_options_on_notice(o, hear, said);
    check(sg_train(o, &few, NULL, NULL, NULL, &m));
    assert_int_equal(sg_model_rules(m), 1);
    assert_string_equal(said, "20 rows are too few, or have too few distinct inputs, for a search: training ridge "
                              "regression, one rule without conditions");
    sg_model_free(m);
    all = rows_of(&f, 4, ROWS);
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
    check(sg_train(o, &all, NULL, NULL, NULL, &m)); /* three kinds of rows */
    assert_int_equal(sg_model_rules(m), 1);
    sg_model_free(m);
    f.row[7][Y] = INFINITY;
    check_fails(sg_train(o, &all, NULL, NULL, NULL, &m), SG_EDATA, "row 8");
    sg_options_free(o);
}

/* --- its pieces --- */

static void designs_are_even(void **state)
{
    enum { COUNT = 24 };
    (void)state;
    sg_options *o = options_of("preset=auto noise=0.3"), *of;
    sg_search_space c = sg_search_space_init(o, 1000);
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
    check(sg_hyperparams_to_options(&c, &s[0], &of));
    assert_string_equal(sg_options_get(of, "noise"), "0.3");
    assert_int_equal(sg_search_space_init(o, 100).level_count[0], 1); /* eight rules */
    sg_options_free(of);
    sg_options_free(o);
}

static void synthetic_rows_lie_between(void **state)
{
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
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

static void trees_learn_and_share(void **state)
{
    static const sg_tree_config plan = {
        .trees = 100, .max_leaves = 8, .min_leaf_rows = 8, .learning_rate = 0.1, .softness = 0.2, .l2 = 1};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto");
    sg_search_progress watch = {.planned = 1};
    sg_search_data g;
    sg_tree_ensemble *b, *again;
    check(sg_search_data_init(&g, o, &all));
    double *y = calloc(5 * ROWS, sizeof *y), error[5] = {0};
    check(sg_tree_ensemble_train(o, &plan, plan.trees, &g, &g.table.rows, 0, &watch, &b));
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

static sg_status compare(void *arg, size_t first, size_t rows, const double *y)
{
    double *said = arg;
    for (size_t i = 0; i < rows; i++) said[first + i] -= y[i];
    return SG_OK;
}

/* Rules that see numbers, ranks and effects, and trees: as one model, in memory and from its text, they say what they
 * said together; trees but for the bells, which were no exponentials there. */
static void a_committee_is_one_model(void **state)
{
    static const char *const settings[] = {"preset=auto scale=zscore iters=100 clip=none",
                                           "preset=auto scale=quantile low-rank=1 iters=100 clip=none",
                                           "preset=auto scale=zscore effects=a iters=100 clip=none",
                                           "preset=auto scale=quantile effects=a iters=100 clip=none"};
    static const unsigned mixtures[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18, 19, 20, 27};
    static const sg_tree_config plan = {
        .trees = 60, .max_leaves = 8, .min_leaf_rows = 8, .learning_rate = 0.1, .softness = 0.2, .l2 = 1};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto clip=none");
    sg_search_progress watch = {.planned = 1};
    sg_search_data g;
    check(sg_search_data_init(&g, o, &all));
    for (size_t k = 0; k < sizeof mixtures / sizeof *mixtures; k++) {
        sg_ensemble c = {0};
        double said[ROWS], worst = 0;
        bool trees = mixtures[k] & 16;
        for (size_t i = 0; i < 5; i++) {
            if (!(mixtures[k] >> i & 1)) continue;
            sg_ensemble_member member = {.weight = 1 / (double)__builtin_popcount(mixtures[k]), .trees = plan.trees};
            if (i < 4) {
                sg_options *own = options_of(settings[i]);
                sg_trainer *t;
                sg_progress p = {.more = 1};
                check(sg_trainer_new(own, &all, NULL, &t));
                while (p.more) check(sg_trainer_step(t, &p));
                check(sg_trainer_model(t, &member.model));
                sg_trainer_free(t);
                sg_options_free(own);
            } else check(sg_tree_ensemble_train(o, &plan, plan.trees, &g, &all, 0, &watch, &member.tree_ensemble));
            check(sg_ensemble_add(&c, &member));
        }
        sg_model *m, *read;
        char *text;
        check(sg_ensemble_predict(&c, &g, &all, said));
        check(sg_ensemble_to_model(&c, &m));
        assert_int_equal(m->shared_pipeline, !(mixtures[k] & (2 | 8)));
        check(sg_model_to_json(m, &text));
        check(sg_model_from_json(text, strlen(text), "m", &read));
        check(sg_model_predict_source(read, &all, 1, compare, said));
        for (size_t i = 0; i < ROWS; i++) worst = fmax(worst, fabs(said[i]));
        if (!(worst < (trees ? 0.02 : 1e-9))) fail_msg("mixture %u: off by %g", mixtures[k], worst);
        sg_string_free(text);
        sg_model_free(m);
        sg_model_free(read);
        sg_ensemble_release(&c);
    }
    sg_search_data_release(&g);
    sg_options_free(o);
}

/* Trainings without one of the groups can't be had, since their only input is constant: no member of a committee is
 * known on all rows. */
static void parts_may_fail(void **state)
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

/* Boxes of random sides, for rows inside, outside and far away: the same bits, and firing that adds up to 1. */
static void boxes_fire_alike(void **state)
{
    enum { BOXES = 7, WIDTH = 3, SIDES = 2 };
    (void)state;
#if defined(__x86_64__)
    double line[BOXES][SIDES + 1], x[SG_LEAF_CHUNK * WIDTH], usual[WIDTH] = {0.1, -0.2, 0.3},
                                                             y[2][SG_LEAF_CHUNK] = {{0}};
    sg_random_stream s = sg_random_stream_at(1, SG_RANDOM_TREES, 0, 0);
    sg_leaf_bound side[BOXES][SIDES];
    sg_soft_leaf box[BOXES] = {{0}};
    sg_tree stage = {BOXES, box};
    sg_tree_ensemble b = {.width = WIDTH, .outputs = 1, .max_leaves = BOXES, .learning_rate = 0.1, .imputed = usual};
    const sg_soft_leaf_kernel *const loops[] = {&sg_soft_leaf_portable, &sg_soft_leaf_avx2};
    sg_leaf_chunk c[2] = {{0}};
    if (!__builtin_cpu_supports("avx2")) skip();
    for (size_t k = 0; k < BOXES; k++) {
        box[k].bounds = SIDES;
        box[k].slopes = k % 2 ? SIDES : 0;
        box[k].bound = side[k];
        box[k].coef = line[k];
        for (size_t j = 0; j <= SIDES; j++) line[k][j] = sg_random_stream_uniform(&s) - 0.5;
        for (size_t j = 0; j < SIDES; j++) {
            double low = 4 * sg_random_stream_uniform(&s) - 2, flat = k % 2 ? 0 : 0.4,
                   per = 20 * sg_random_stream_uniform(&s);
            side[k][j] = (sg_leaf_bound){(k + j) % WIDTH, low, low + flat, k % 3 == 0 ? 0 : per, k % 4 == 0 ? 0 : per};
        }
    }
    for (size_t i = 0; i < SG_LEAF_CHUNK * WIDTH; i++)
        x[i] = i % 7 == 0 ? (double)NAN : (i % 50 ? 6 : 1e300) * (sg_random_stream_uniform(&s) - 0.5);
    for (size_t i = 0; i < 2; i++) {
        check(sg_leaf_chunk_init(&b, &c[i]));
        sg_leaf_chunk_load(&b, x, SG_LEAF_CHUNK, &c[i]);
        loops[i]->fire(&stage, &c[i]);
        loops[i]->predict(&b, &stage, &c[i], y[i]);
    }
    assert_memory_equal(c[0].firing, c[1].firing, BOXES * SG_LEAF_CHUNK * sizeof(float));
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    for (size_t i = 0; i < SG_LEAF_CHUNK; i++) {
        double sum = 0;
        for (size_t k = 0; k < BOXES; k++) sum += (double)c[0].firing[k * SG_LEAF_CHUNK + i];
        assert_true(fabs(sum - 1) < 1e-5);
    }
    sg_leaf_chunk_release(&c[0]);
    sg_leaf_chunk_release(&c[1]);
#else
    skip();
#endif
}

/* One errs up, one down by twice as much, one by far more: the first counts twice as much as the second. */
static void committees_are_weighed(void **state)
{
    static const double off[] = {1, -2, 50};
    (void)state;
    field f;
    sg_source all = rows_of(&f, 4, ROWS);
    sg_options *o = options_of("preset=auto");
    sg_search_data g;
    sg_candidate c[3] = {0};
    double weight[3], error;
    check(sg_search_data_init(&g, o, &all));
    for (size_t k = 0; k < 3; k++) {
        c[k].oof_predictions = calloc(ROWS, sizeof(double));
        for (size_t i = 0; i < ROWS; i++) c[k].oof_predictions[i] = g.targets[i] + off[k];
    }
    check(sg_ensemble_select(&g, c, 3, weight, &error));
    assert_close(weight[0], 2.0 / 3, 0.03);
    assert_close(weight[1], 1.0 / 3, 0.03);
    assert_true(weight[2] == 0 && error < 0.01);
    for (size_t k = 0; k < 3; k++) free(c[k].oof_predictions);
    sg_search_data_release(&g);
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(it_beats_a_line),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(nobody_need_be_taught),
    cmocka_unit_test(effects_alone_may_do),
    cmocka_unit_test(few_groups_will_do),
    cmocka_unit_test(a_line_stays_one),
    cmocka_unit_test(it_is_the_default),
    cmocka_unit_test(what_is_given_stays),
    cmocka_unit_test(whatever_is_given),
    cmocka_unit_test(it_limits_inputs),
    cmocka_unit_test(several_targets),
    cmocka_unit_test(stopped_it_has_something),
    cmocka_unit_test(few_rows_and_wrong_ones),
    cmocka_unit_test(designs_are_even),
    cmocka_unit_test(synthetic_rows_lie_between),
    cmocka_unit_test(trees_learn_and_share),
    cmocka_unit_test(boxes_fire_alike),
    cmocka_unit_test(committees_are_weighed),
    cmocka_unit_test(a_committee_is_one_model),
    cmocka_unit_test(parts_may_fail),
};
TEST_GROUP(tests, NULL, NULL)
