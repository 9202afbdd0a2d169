/* test_search_decision.c: the decision of a search, its warnings and its use of memory, on constructed predictions.
 * labels: memory */
#include "auto/search/search.h"
#include "test.h"

enum { ROWS = 300, EVALS = 1, FOLDS = 5 };
static const char *const names[] = {"a", "y"};

/* a: 0, 1, ...; y: its sine. With step 2, inside are twice as many rows, and every second target is missing. */
typedef struct wave {
    size_t step;
} wave;

static sg_status read_wave(void *self, size_t first, size_t n, double *out)
{
    size_t step = ((const wave *)self)->step;
    for (size_t i = first; i < first + n; i++, out += 2) {
        out[0] = (double)i;
        out[1] = i % step ? (double)NAN : 3 * sin((double)i / (double)step);
    }
    return SG_OK;
}

static sg_source make_wave(wave *w, size_t step)
{
    *w = (wave){step};
    return (sg_source){.self = w, .name = "wave", .rows = step * ROWS, .columns = 2, .names = names, .read = read_wave};
}

static void make_candidate(const sg_options *o, sg_candidate *c)
{
    *c = (sg_candidate){.max_steps = 10, .eval_points = EVALS, .folds = FOLDS, .best_eval = EVALS};
    c->oof_predictions = calloc((EVALS + 1) * ROWS, sizeof *c->oof_predictions);
    c->valid_curve = calloc(EVALS + 1, sizeof *c->valid_curve);
    check(sg_options_clone(o, &c->options));
}

/* A search with candidates that have no predictions yet. */
static void make_search(sg_search *s, sg_options *o, const sg_source *rows, size_t candidates)
{
    *s = (sg_search){.user = o, .finalists = candidates, .ensemble_error = INFINITY};
    check(sg_search_data_init(&s->data, o, rows));
    check(sg_search_data_split(&s->data, o, FOLDS, 1));
    s->plan.folds = FOLDS;
    s->plan.screen_folds = 2;
    s->plan.distill_steps = 1000;
    s->curves = s->pairs = SIZE_MAX;
    for (size_t i = 0; i < candidates; i++) make_candidate(o, &s->finalist[i]);
}

static void release(sg_search *s)
{
    for (size_t i = 0; i < s->finalists; i++) sg_candidate_release(&s->finalist[i]);
    for (size_t i = 0; i < s->students; i++) sg_candidate_release(&s->student[i]);
    sg_search_data_release(&s->data);
}

static void compute_errors(sg_search *s)
{
    s->best_rules = 0;
    for (size_t i = 0; i < s->finalists; i++) {
        sg_candidate *c = &s->finalist[i];
        for (size_t k = 0; k <= EVALS; k++) c->valid_curve[k] = sg_candidate_fold_error(c, &s->data, 0, FOLDS, k);
        c->error = c->valid_curve[EVALS];
        if (c->error < s->finalist[s->best_rules].error) s->best_rules = i;
    }
}

/* Predictions with the given errors inside and outside a fold; ten times as large at the first evaluation point. */
static void predict_with(const sg_search_data *data, const sg_candidate *c, size_t fold, double inside, double outside)
{
    for (size_t j = 0; j < FOLDS; j++)
        for (size_t r = 0; r < data->fold[j].valid.rows; r++) {
            size_t row = data->fold[j].valid_row[r];
            double off = (r % 2 ? 1.0625 : -0.9375) * (j == fold ? inside : outside);
            c->oof_predictions[row] = data->targets[row] + 10 * off;
            c->oof_predictions[ROWS + row] = data->targets[row] + off;
        }
}

static void predict(sg_search *s, size_t i, size_t fold, double inside, double outside)
{
    predict_with(&s->data, &s->finalist[i], fold, inside, outside);
}

static const char *record_value(const sg_record *r, const char *name)
{
    for (size_t i = 0; i < r->entries; i++)
        if (strcmp(r->entry[i].name, name) == 0) return r->entry[i].value;
    return "";
}

static void free_record(sg_record *r)
{
    for (size_t i = 0; i < r->entries; i++) {
        free(r->entry[i].name);
        free(r->entry[i].value);
    }
    free(r->entry);
}

/* --- notes --- */

/* Writes the note for candidates of which the i-th has the error inside[i] in fold i, and `outside` in the others. */
static void get_unstable_note(const double *inside, double outside, size_t count, char *out, size_t size)
{
    wave w;
    sg_source rows = make_wave(&w, 1);
    sg_options *o = options_of("preset=auto");
    sg_search s;
    sg_record r = {0};
    make_search(&s, o, &rows, count);
    for (size_t i = 0; i < count; i++) predict(&s, i, i, inside[i], outside);
    compute_errors(&s);
    sg_search_report t = {.search = &s};
    check(sg_search_report_warn_unstable(&t, &r));
    snprintf(out, size, "%s", record_value(&r, "note_unstable"));
    free_record(&r);
    release(&s);
    sg_options_free(o);
}

static void warns_if_errors_are_unstable(void **state)
{
    char note[400];
    (void)state;
    get_unstable_note((double[]){0.5}, 0.5, 1, note, sizeof note);
    assert_string_equal(note, "");
    get_unstable_note((double[]){0.55}, 0.5, 1, note, sizeof note);
    assert_string_equal(note, "");
    get_unstable_note((double[]){0.68}, 0.5, 1, note,
                      sizeof note); /* 7 % of the mean, but only a third more than in the other folds */
    assert_string_equal(note, "");
    get_unstable_note((double[]){1.5}, 0.5, 1, note, sizeof note);
    assert_string_equal(note,
                        "unstable: RMSE ranges from 0.501 to 1.5 over the 5 folds and may vary as much on new rows");
    /* Each candidate is best in one fold, and no better than the others outside. */
    get_unstable_note((double[]){0.3, 0.3, 0.3, 0.3, 0.3}, 0.5, 5, note, sizeof note);
    assert_non_null(strstr(note, "unstable: RMSE ranges from 0.301 to 0.501 over the 5 folds"));
    assert_non_null(strstr(
        note,
        "; the error of the selected rules is too optimistic; nested cross-validation gives RMSE 0.501, not 0.468"));
}

static void names_the_worst_rows(void **state)
{
    static const size_t bad[] = {17, 203, 4, 88, 299};
    (void)state;
    for (size_t step = 1; step <= 2; step++)
        for (int is_large = 0; is_large < 2; is_large++) {
            wave w;
            sg_source rows = make_wave(&w, step);
            sg_options *o = options_of("preset=auto");
            sg_subset *usable = NULL;
            sg_search s;
            sg_record r = {0};
            size_t *kept = calloc(ROWS, sizeof *kept);
            for (size_t i = 0; i < ROWS; i++) kept[i] = step * i;
            if (step > 1) {
                check(sg_subset_new(&rows, kept, ROWS, &usable));
                rows = sg_subset_source(usable);
            }
            make_search(&s, o, &rows, 1);
            predict(&s, 0, 0, 0.1, 0.1);
            for (size_t i = 0; i < 5; i++)
                s.finalist[0].oof_predictions[ROWS + bad[i]] =
                    s.data.targets[bad[i]] + (is_large ? 0.8 : 0.4) + 0.01 * (double)i;
            compute_errors(&s);
            sg_search_report t = {.search = &s, .usable = usable};
            check(sg_search_report_warn_worst_rows(&t, &r));
            const char *expected = step == 1
                                       ? "5 of 300 rows account for 53 % of the squared error on held-out rows: rows "
                                         "300, 89, 5, 204, 18; check whether they are correct"
                                       : "5 of 300 rows account for 53 % of the squared error on held-out rows: rows "
                                         "599, 177, 9, 407, 35; check whether they are correct";
            assert_string_equal(record_value(&r, "note_worst_rows"), is_large ? expected : "");
            free_record(&r);
            release(&s);
            sg_subset_free(usable);
            sg_options_free(o);
            free(kept);
        }
}

/* --- the decision --- */

/* Gives a candidate a model of this many rules, and predictions with this error. */
static void set_system(sg_search *s, sg_candidate *c, const char *rules, double error)
{
    check(sg_options_set(c->options, "rules", rules));
    if (!c->fold_model) {
        c->fold_model = calloc(FOLDS, sizeof *c->fold_model);
        check(sg_train_initial(c->options, &s->data.table.rows, &c->fold_model[0]));
    }
    predict_with(&s->data, c, 0, error, error);
    for (size_t k = 0; k <= EVALS; k++) c->valid_curve[k] = sg_candidate_fold_error(c, &s->data, 0, FOLDS, k);
    c->error = c->valid_curve[c->best_eval];
}

static const char *chosen_name(sg_search *s, sg_decision expected)
{
    static sg_system_list list;
    assert_int_equal(sg_search_decide(s, &list), expected);
    return list.systems ? list.system[list.chosen].name : "";
}

static void decides_by_error_and_reading_cost(void **state)
{
    wave w;
    sg_source rows = make_wave(&w, 1);
    sg_options *o = options_of("preset=auto");
    sg_search s;
    (void)state;
    make_search(&s, o, &rows, 1);
    sg_candidate *best = &s.finalist[0], *student = &s.student[0];
    make_candidate(o, student);
    s.students = 1;
    set_system(&s, best, "16", 0.5);
    set_system(&s, student, "4", 0.501); /* less than one standard error more */
    assert_string_equal(chosen_name(&s, SG_DECISION_DISTILLED), "4 rules");
    s.space.config.aim = SG_AIM_ACCURATE;
    assert_string_equal(chosen_name(&s, SG_DECISION_BEST_RULES), "16 rules");
    s.space.config.aim = SG_AIM_READABLE; /* there are no curves */
    assert_string_equal(chosen_name(&s, SG_DECISION_RIDGE), "ridge regression");
    s.space.config.aim = SG_AIM_BALANCED;
    set_system(&s, student, "4", 0.505); /* more than one standard error, though less than 2 % */
    assert_string_equal(chosen_name(&s, SG_DECISION_BEST_RULES), "16 rules");

    /* A student that no step improved is ridge regression in many rules. */
    student->best_eval = 0;
    set_system(&s, student, "4", 0.05);
    assert_string_equal(chosen_name(&s, SG_DECISION_BEST_RULES), "16 rules");
    best->best_eval = 0;
    set_system(&s, best, "16", 0.5);
    assert_string_equal(chosen_name(&s, SG_DECISION_RIDGE), "ridge regression");
    s.progress.stopped = 1;
    assert_string_equal(chosen_name(&s, SG_DECISION_STOPPED), "");
    release(&s);
    sg_options_free(o);
}

static void lists_only_systems_that_no_other_beats(void **state)
{
    wave w;
    sg_source rows = make_wave(&w, 1);
    sg_options *o = options_of("preset=auto");
    sg_search s;
    sg_system_list list;
    (void)state;
    make_search(&s, o, &rows, 1);
    for (s.students = 0; s.students < 2; s.students++) make_candidate(o, &s.student[s.students]);
    set_system(&s, &s.finalist[0], "8", 0.5);
    set_system(&s, &s.student[0], "16", 0.6);
    set_system(&s, &s.student[1], "4", 0.7);
    sg_search_list_systems(&s, &list);
    assert_int_equal(list.systems, 3);
    assert_string_equal(list.system[0].name, "ridge regression");
    assert_string_equal(list.system[1].name, "4 rules");
    assert_string_equal(list.system[2].name, "8 rules");
    assert_int_equal(list.system[2].cost, sg_model_reading_cost(s.finalist[0].fold_model[0]));
    /* Half of the errors are 0.5 * 1.0625, the others 0.5 * 0.9375. */
    double mean = 0.5 * 0.5 * (1.0625 * 1.0625 + 0.9375 * 0.9375) / 2,
           deviation = 0.5 * 0.5 * (1.0625 * 1.0625 - 0.9375 * 0.9375) / 2;
    assert_close(list.system[2].error * s.data.variance[0], mean, 1e-9);
    assert_close(list.system[2].standard_error * s.data.variance[0], deviation / sqrt(ROWS), 1e-3 * mean);
    release(&s);
    sg_options_free(o);
}

/* --- memory --- */

enum { WIDE = 40 };
static const char *wide_name[WIDE];

static sg_status read_wide(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n * WIDE; i++) out[i] = (double)((first * WIDE + i) * 7919 % 10007);
    return SG_OK;
}

/* Bytes of all out-of-fold predictions. */
static double prediction_bytes(const sg_search *s)
{
    const sg_search_plan *p = &s->plan;
    double predictions = (double)(p->screen_candidates * (p->eval_points / 2 + 1) +
                                  (p->finalists + p->gbdt_configs + 6) * (p->eval_points + 1) +
                                  SG_MAX_STUDENTS * (SG_STUDENT_EVAL_POINTS + 1));
    return 8 * predictions * (double)(s->data.rows * s->data.outputs);
}

static void predictions_fit_in_memory(void **state)
{
    static const struct {
        size_t rows, targets, eval_points, sampled;
    } cases[] = {
        {70000, 1, 10, 65536}, {6000, 1, 10, 6000}, {6000, 30, 5, 6000}, {70000, 3, 10, 65536}, {70000, 39, 5, 6721},
    };
    char name[WIDE][8];
    (void)state;
    for (size_t i = 0; i < WIDE; i++) {
        snprintf(name[i], sizeof name[i], "x%zu", i);
        wide_name[i] = name[i];
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char targets[WIDE * sizeof name[0]] = "";
        for (size_t i = 0; i < cases[k].targets; i++) {
            if (i) strcat(targets, ",");
            strcat(targets, name[i]);
        }
        sg_source rows = {
            .name = "wide", .rows = cases[k].rows, .columns = WIDE, .names = wide_name, .read = read_wide};
        sg_options *o = options_of("preset=auto");
        sg_search s;
        check(sg_options_set(o, "targets", targets));
        check(sg_search_init(&s, o, &rows, NULL, NULL));
        assert_int_equal(s.plan.eval_points, cases[k].eval_points);
        assert_int_equal(s.data.rows, cases[k].sampled);
        assert_true(prediction_bytes(&s) <= 256e6);
        sg_search_release(&s);
        sg_options_free(o);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(warns_if_errors_are_unstable),      cmocka_unit_test(names_the_worst_rows),
    cmocka_unit_test(decides_by_error_and_reading_cost), cmocka_unit_test(lists_only_systems_that_no_other_beats),
    cmocka_unit_test(predictions_fit_in_memory),
};
TEST_GROUP(tests, NULL, NULL)
