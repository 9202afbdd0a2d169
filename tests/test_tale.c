/* test_tale.c: what a search ends with, what it says of itself, and how much memory it takes: by predictions made up
 * here. labels: memory */
#include "auto/tale.h"
#include "test.h"

enum { ROWS = 300, LOOKS = 1, PARTS = 5 };
static const char *const names[] = {"a", "y"};

/* a: 0, 1, ...; y: its sine, and where it is asked for twice as many rows, every second has none. */
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

static sg_source wave_of(wave *w, size_t step)
{
    *w = (wave){step};
    return (sg_source){.self = w, .name = "wave", .rows = step * ROWS, .columns = 2, .names = names, .read = read_wave};
}

/* A search that has some candidates, of which nothing is known. */
static void make_search(sg_search *s, sg_options *o, const sg_source *rows, size_t candidates)
{
    *s = (sg_search){.user = o, .finals = candidates, .together = INFINITY};
    check(sg_ground_init(&s->ground, o, rows));
    check(sg_ground_fold(&s->ground, o, PARTS, 1));
    s->plan.folds = PARTS;
    s->plan.screened = 2;
    s->plan.student = 1000;
    for (size_t i = 0; i < candidates; i++) {
        sg_candidate *c = &s->final[i];
        *c = (sg_candidate){.length = 10, .looks = LOOKS, .parts = PARTS, .best = LOOKS};
        c->y = calloc((LOOKS + 1) * ROWS, sizeof *c->y);
        c->curve = calloc(LOOKS + 1, sizeof *c->curve);
        check(sg_options_clone(o, &c->options));
    }
}

static void release(sg_search *s)
{
    for (size_t i = 0; i < s->finals; i++) sg_candidate_release(&s->final[i]);
    sg_ground_release(&s->ground);
}

static void judge(sg_search *s)
{
    s->best = 0;
    for (size_t i = 0; i < s->finals; i++) {
        sg_candidate *c = &s->final[i];
        for (size_t k = 0; k <= LOOKS; k++) c->curve[k] = sg_candidate_error_in(c, &s->ground, 0, PARTS, k);
        c->error = c->curve[LOOKS];
        if (c->error < s->final[s->best].error) s->best = i;
    }
}

/* Off by `part` times itself in part 0, else by noise that is even; at the first look by ten times as much. */
static void predict(sg_search *s, size_t i, size_t part, double there, double elsewhere)
{
    const sg_ground *g = &s->ground;
    for (size_t j = 0; j < PARTS; j++)
        for (size_t r = 0; r < g->part[j].valid.rows; r++) {
            size_t row = g->part[j].row[r];
            double off = (r % 2 ? 1.0625 : -0.9375) * (j == part ? there : elsewhere);
            s->final[i].y[row] = g->y[row] + 10 * off;
            s->final[i].y[ROWS + row] = g->y[row] + off;
        }
}

static const char *fact_in(const sg_record *r, const char *name)
{
    for (size_t i = 0; i < r->facts; i++)
        if (strcmp(r->fact[i].name, name) == 0) return r->fact[i].value;
    return "";
}

static void free_record(sg_record *r)
{
    for (size_t i = 0; i < r->facts; i++) {
        free(r->fact[i].name);
        free(r->fact[i].value);
    }
    free(r->fact);
}

/* --- notes --- */

/* The note that some candidates lead to: the i-th errs by there[i] in part i, else by elsewhere. */
static void unstable(const double *there, double elsewhere, size_t count, char *out, size_t size)
{
    wave w;
    sg_source rows = wave_of(&w, 1);
    sg_options *o = options_of("preset=auto");
    sg_search s;
    sg_record r = {0};
    make_search(&s, o, &rows, count);
    for (size_t i = 0; i < count; i++) predict(&s, i, i, there[i], elsewhere);
    judge(&s);
    sg_tale t = {.search = &s};
    check(sg_tale_unstable(&t, &r));
    snprintf(out, size, "%s", fact_in(&r, "note_unstable"));
    free_record(&r);
    release(&s);
    sg_options_free(o);
}

static void it_says_when_it_does_not_know(void **state)
{
    char note[400];
    (void)state;
    unstable((double[]){0.5}, 0.5, 1, note, sizeof note);
    assert_string_equal(note, "");
    unstable((double[]){0.55}, 0.5, 1, note, sizeof note);
    assert_string_equal(note, "");
    unstable((double[]){0.68}, 0.5, 1, note,
             sizeof note); /* 7 % of the mean, but a third more than elsewhere is nothing to fear */
    assert_string_equal(note, "");
    unstable((double[]){1.5}, 0.5, 1, note, sizeof note);
    assert_string_equal(
        note,
        "unstable: RMSE is 0.501 to 1.5 on the 5 parts that were left out, one after the other: on other rows it may "
        "differ as much");
    /* Each shines in a part of its own: who did so is the worse elsewhere. */
    unstable((double[]){0.3, 0.3, 0.3, 0.3, 0.3}, 0.5, 5, note, sizeof note);
    assert_non_null(strstr(note, "unstable: RMSE is 0.301 to 0.501 on the 5 parts"));
    assert_non_null(strstr(
        note,
        "; the choice of rules is luck in part: chosen without a look at the part that they are judged on, they have "
        "RMSE 0.501, not 0.468"));
}

static void it_names_the_worst_rows(void **state)
{
    static const size_t bad[] = {17, 203, 4, 88, 299};
    (void)state;
    for (size_t step = 1; step <= 2; step++)
        for (int much = 0; much < 2; much++) {
            wave w;
            sg_source rows = wave_of(&w, step);
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
                s.final[0].y[ROWS + bad[i]] = s.ground.y[bad[i]] + (much ? 0.8 : 0.4) + 0.01 * (double)i;
            judge(&s);
            sg_tale t = {.search = &s, .usable = usable};
            check(sg_tale_worst_rows(&t, &r));
            const char *expected = step == 1 ? "5 of 300 rows make up 53 % of the squared error on rows left out: rows "
                                               "300, 89, 5, 204, 18; look "
                                               "whether they are right"
                                             : "5 of 300 rows make up 53 % of the squared error on rows left out: rows "
                                               "599, 177, 9, 407, 35; look "
                                               "whether they are right";
            assert_string_equal(fact_in(&r, "note_worst_rows"), much ? expected : "");
            free_record(&r);
            release(&s);
            sg_subset_free(usable);
            sg_options_free(o);
            free(kept);
        }
}

/* --- what it ends with --- */

static void a_student_has_to_earn_it(void **state)
{
    wave w;
    sg_source rows = wave_of(&w, 1);
    sg_options *o = options_of("preset=auto");
    sg_search s;
    (void)state;
    make_search(&s, o, &rows, 1);
    predict(&s, 0, 0, 0.5, 0.5);
    judge(&s);
    sg_candidate *best = &s.final[0], student = {.error = INFINITY};
    double same = sg_candidate_error(best, &s.ground, 2);
    assert_true(sg_worth_teaching(&s));
    assert_int_equal(sg_verdict_of(&s, &student), SG_BEST);
    student.error = 1.01 * same;
    assert_int_equal(sg_verdict_of(&s, &student), SG_TAUGHT);
    student.error = 1.03 * same;
    assert_int_equal(sg_verdict_of(&s, &student), SG_BEST);

    /* Ridge regression is the best of the rules. */
    best->best = 0;
    best->error = best->curve[0];
    same = sg_candidate_error(best, &s.ground, 2);
    s.together = 0.99 * best->error;
    assert_false(sg_worth_teaching(&s));
    s.together = 0.9 * best->error;
    assert_true(sg_worth_teaching(&s));
    student.error = 0.99 * same;
    assert_int_equal(sg_verdict_of(&s, &student), SG_LINE);
    student.error = 0.97 * same;
    assert_int_equal(sg_verdict_of(&s, &student), SG_TAUGHT);
    s.plan.student = 0;
    assert_false(sg_worth_teaching(&s));
    s.watch.stopped = 1;
    assert_int_equal(sg_verdict_of(&s, &student), SG_STOPPED);
    release(&s);
    sg_options_free(o);
}

/* --- how much it takes --- */

enum { WIDE = 40 };
static const char *wide_name[WIDE];

static sg_status read_wide(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n * WIDE; i++) out[i] = (double)((first * WIDE + i) * 7919 % 10007);
    return SG_OK;
}

/* Bytes that all predictions may take, by hand. */
static double taken(const sg_search *s)
{
    const sg_plan *p = &s->plan;
    double looks = (double)(p->settings * (p->looks / 2 + 1) + (p->finalists + p->forests + 4) * (p->looks + 1));
    return 8 * looks * (double)(s->ground.rows * s->ground.outputs);
}

static void targets_are_not_too_many(void **state)
{
    static const struct {
        size_t rows, targets, looks, left;
    } cases[] = {
        {70000, 1, 20, 65536}, {6000, 1, 20, 6000}, {6000, 30, 10, 6000}, {70000, 3, 10, 65536}, {70000, 39, 5, 6721},
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
        assert_int_equal(s.plan.looks, cases[k].looks);
        assert_int_equal(s.ground.rows, cases[k].left);
        assert_true(taken(&s) <= 256e6);
        sg_search_release(&s);
        sg_options_free(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_when_it_does_not_know),
        cmocka_unit_test(it_names_the_worst_rows),
        cmocka_unit_test(a_student_has_to_earn_it),
        cmocka_unit_test(targets_are_not_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
