/* test_claims.c: the statistics behind the claims of paper/, and how claims are judged, on runs
 * that are made up. labels: memory */
#include "../paper/claim_kinds.h"
#include "../paper/summary.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { SETS = 3, BY = 4, RUNS = 4, POINTS = 4 };

/* --- three datasets, four algorithms, four runs each, scored four times --- */

typedef struct world {
    dataset dataset[SETS];
    algorithm algorithm[BY];
    experiment experiment;
    cell cell[SETS * BY];
    catalogue catalogue;
    plan plan;
    double numbers[SETS * BY][3 * POINTS * RUNS + 2 * RUNS];
} world;

static void set_up(world *w)
{
    static const char *const sets[SETS] = {"Aaa", "Bbb", "Ccc"};
    static const char *const names[BY] = {"p", "q", "r", "mbgd"};
    memset(w, 0, sizeof *w);
    w->experiment = (experiment){.name = "x", .repeats = RUNS, .iterations = 40, .every = 10};
    for (size_t i = 0; i < SETS; i++) w->dataset[i].name = w->dataset[i].label = sets[i];
    for (size_t i = 0; i < BY; i++) w->algorithm[i] = (algorithm){names[i], names[i], ""};
    for (size_t i = 0; i < SETS * BY; i++) {
        double *n = w->numbers[i];
        w->cell[i] = (cell){.data = &w->dataset[i / BY],
                            .algorithm = &w->algorithm[i % BY],
                            .experiment = &w->experiment,
                            .repeats = RUNS,
                            .iterations = 40,
                            .every = 10,
                            .points = POINTS,
                            .test = n,
                            .train = n + POINTS * RUNS,
                            .rate = n + 2 * POINTS * RUNS,
                            .seconds = n + 3 * POINTS * RUNS,
                            .score = n + 3 * POINTS * RUNS + RUNS,
                            .finished = 1};
    }
    w->catalogue = (catalogue){.datasets = SETS, .algorithms = BY, .dataset = w->dataset, .algorithm = w->algorithm};
    w->plan = (plan){.cells = SETS * BY, .cell = w->cell};
}

static cell *at(world *w, size_t set, const char *by)
{
    for (size_t i = 0; i < BY; i++)
        if (strcmp(w->algorithm[i].name, by) == 0) return &w->cell[set * BY + i];
    fail();
    return NULL;
}

/* All runs of a point get a base and a spread of their own. */
static void put(cell *c, size_t point, double base, const double spread[RUNS])
{
    for (size_t r = 0; r < RUNS; r++) c->test[point * RUNS + r] = base + spread[r];
}

static void put_all(cell *c, double base, const double spread[RUNS])
{
    for (size_t p = 0; p < POINTS; p++) put(c, p, base, spread);
}

static const double none[RUNS], wild[RUNS] = {1.3, -1.3, .7, -.7}, tame[RUNS] = {.01, -.01, .02, -.02};

static finding find(world *w, claim_ask *ask, claim_check *check, const char *a, const char *b, size_t number,
                    size_t of, int flags, when iteration)
{
    sight s = {&w->catalogue, &w->plan, OURS};
    claim c = {.name = "",
               .sentence = "",
               .ask = ask,
               .check = check,
               .a = a,
               .b = b,
               .number = number,
               .of = of,
               .flags = flags};
    finding f;
    claim_find(&s, &c, iteration, &f);
    return f;
}

/* --- statistics --- */

static void paired_differences(void **state)
{
    const double x[4] = {1, 2, 3, 4}, near[4] = {2, 4, 3, 7}, shifted[4] = {1.5, 2.5, 3.5, 4.5};
    (void)state;
    difference d = compare_runs(x, near, 4); /* -1, -2, 0, -3 */
    assert_true(fabs(d.mean + 1.5) < 1e-12);
    assert_true(fabs(d.half - 3.182 * 1.2909944487 / 2) < 1e-6);
    assert_int_equal(d.sign, -1);
    assert_false(d.clear);
    d = compare_runs(x, shifted, 4);
    assert_true(d.clear);
    assert_true(d.half < 1e-12);
    d = compare_runs(x, shifted, 1); /* one run says nothing about the spread */
    assert_false(d.clear);
}

static void best_and_final(void **state)
{
    world w;
    (void)state;
    set_up(&w);
    cell *c = at(&w, 0, "p");
    const double base[POINTS] = {3.7, 2.2, 1.9, 2.4};
    for (size_t p = 0; p < POINTS; p++) put(c, p, base[p], tame);
    assert_int_equal(cell_point_when(c, BEST), 2);
    assert_int_equal(cell_point_when(c, FINAL), 3);
    assert_true(fabs(cell_when(c, BEST).mean - 1.9) < 1e-12);
    assert_true(fabs(cell_when(c, FINAL).sd - sqrt((.0001 + .0001 + .0004 + .0004) / 3)) < 1e-12);
    assert_int_equal(cell_reaches(c, 2.3), 20);
    assert_int_equal(cell_reaches(c, 1.5), 0);
    assert_int_equal(cell_point_of(c, 30), 2);
    c->points = 1; /* a method of one step */
    assert_int_equal(cell_point_of(c, 500), 0);
}

/* --- verdicts --- */

/* p is clearly smaller on Aaa, smaller within the spread on Bbb, clearly larger on Ccc. */
static void three_ways(world *w)
{
    set_up(w);
    for (size_t i = 0; i < SETS; i++) {
        put_all(at(w, i, "p"), 5, i == 1 ? wild : tame);
        put_all(at(w, i, "q"), i == 0 ? 6.1 : i == 1 ? 5.1 : 4.2, none);
    }
}

static void judged_by_counting(void **state)
{
    static const struct {
        size_t number, of;
        int flags;
        verdict verdict;
    } cases[] = {
        {2, 3, 0, HOLDS},       {1, 3, 0, HOLDS},           {3, 3, 0, FAILS},       {2, 4, 0, NOT_SEEN},
        {2, 3, EXACTLY, HOLDS}, {1, 3, EXACTLY, IN_SPREAD}, {3, 3, EXACTLY, FAILS},
    };
    world w;
    (void)state;
    three_ways(&w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        finding f = find(&w, ask_smaller, NULL, "p", "q", cases[i].number, cases[i].of, cases[i].flags, FINAL);
        assert_int_equal(f.verdict, cases[i].verdict);
        assert_string_equal(f.text, "2 of 3, clearly on 1; not on Ccc");
    }
    finding f = find(&w, ask_largest, NULL, "p", "q", 2, 3, 0, FINAL);
    assert_int_equal(f.verdict, IN_SPREAD); /* Bbb could fall its way */
    assert_string_equal(f.text, "1 of 3; on Ccc; clearly not on 1");
    f = find(&w, ask_smaller, NULL, "p", "nobody", 1, 3, 0, FINAL);
    assert_int_equal(f.verdict, NOT_SEEN);
}

/* It counts whether the first of the list is beaten, or all. */
static void smaller_than_each(void **state)
{
    world w;
    (void)state;
    three_ways(&w);
    for (size_t i = 0; i < SETS; i++) put_all(at(&w, i, "r"), 4.9, tame);
    finding f = find(&w, ask_smaller, NULL, "p", "q r", 3, 3, 0, BEST);
    assert_int_equal(f.verdict, FAILS);
    assert_string_equal(f.text, "0 of 3");
    f = find(&w, ask_one_is_best, NULL, "p r", "q", 3, 3, 0, BEST);
    assert_int_equal(f.verdict, FAILS); /* on Ccc neither */
    assert_string_equal(f.text, "2 of 3; not on Ccc");
}

static void comparable_means_less_than_the_spread(void **state)
{
    world w;
    (void)state;
    three_ways(&w);
    finding f = find(&w, ask_comparable, NULL, "p", "q", 1, 3, 0, FINAL);
    assert_int_equal(f.verdict, HOLDS);
    assert_string_equal(f.text, "1 of 3; on Bbb");
    f = find(&w, ask_not_larger, NULL, "p", "q", 2, 3, 0, FINAL);
    assert_string_equal(f.text, "2 of 3; not on Ccc");
}

static void faster(void **state)
{
    world w;
    (void)state;
    three_ways(&w);
    for (size_t i = 0; i < SETS; i++)
        for (size_t p = 0; p < POINTS; p++) put(at(&w, i, "r"), p, i == 2 ? 9 : p ? 1 : 8, none); /* Ccc: never */
    finding f = find(&w, ask_faster, NULL, "r", "p q", 3, 3, ONCE, BEST);
    assert_int_equal(f.verdict, FAILS); /* 20 of 40 iterations are not less than half */
    for (size_t i = 0; i < 2; i++) put(at(&w, i, "r"), 0, 1, none);
    f = find(&w, ask_faster, NULL, "r", "p q", 2, 3, ONCE, BEST);
    assert_int_equal(f.verdict, HOLDS);
    assert_string_equal(f.text, "2 of 3; not on Ccc; median 10 iterations");
}

static void only_one_of_them(void **state)
{
    world w;
    (void)state;
    set_up(&w);
    for (size_t i = 0; i < SETS; i++) {
        put_all(at(&w, i, "mbgd"), 5, none);
        put_all(at(&w, i, "p"), 4, tame);
        put_all(at(&w, i, "q"), i ? 4 : 6, tame);
    }
    finding f = find(&w, NULL, check_only_one, "p", "mbgd q", 3, 3, 0, FINAL);
    assert_int_equal(f.verdict, HOLDS);
    assert_string_equal(f.text, "3 of 3; the others: q 2");
    put_all(at(&w, 0, "q"), 4, tame);
    f = find(&w, NULL, check_only_one, "p", "mbgd q", 3, 3, 0, FINAL);
    assert_int_equal(f.verdict, FAILS);
    f = find(&w, NULL, check_worst_case, "p", "q", 1, 3, 0, FINAL);
    assert_int_equal(f.verdict, FAILS); /* equal is not better */
}

static void times(void **state)
{
    world w;
    (void)state;
    set_up(&w);
    for (size_t i = 0; i < SETS; i++)
        for (size_t r = 0; r < RUNS; r++) {
            at(&w, i, "p")->seconds[r] = 1.1 + .01 * (double)r;
            at(&w, i, "q")->seconds[r] = 1.2 + .013 * (double)r;
            at(&w, i, "p")->score[r] = 3;
            at(&w, i, "q")->score[r] = 2;
        }
    assert_int_equal(find(&w, ask_train_time, NULL, "p", "q", 3, 3, ONCE, BEST).verdict, HOLDS);
    assert_int_equal(find(&w, ask_time, NULL, "p", "q", 3, 3, ONCE, BEST).verdict, FAILS);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(paired_differences),
    cmocka_unit_test(best_and_final),
    cmocka_unit_test(judged_by_counting),
    cmocka_unit_test(smaller_than_each),
    cmocka_unit_test(comparable_means_less_than_the_spread),
    cmocka_unit_test(faster),
    cmocka_unit_test(only_one_of_them),
    cmocka_unit_test(times),
};
TEST_GROUP(tests, NULL, NULL)
