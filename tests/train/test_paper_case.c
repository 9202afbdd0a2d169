/* labels: memory arithmetic */
/* test_paper_case.c: the deterministic case: results of the authors' program (run in Octave), and Jang's step
 * by our definition, iteration by iteration. */
#include "test.h"

#include <string.h>

enum { ROWS = 500, TRAIN = 350, INPUTS = 5 };

typedef struct point {
    size_t iteration;
    double train, test, rate_after;
} point;

/* Inputs z-scored and the target centred over all 500 rows, as the case requires. */
static sg_table *prepared_rows(void)
{
    sg_table *raw, *t;
    const char *names[] = {"x1", "x2", "x3", "x4", "x5", "y"};
    static double v[ROWS * (INPUTS + 1)];
    check(sg_table_generate("lcg", ROWS, 0, &raw));
    memcpy(v, sg_table_values(raw), sizeof v);
    for (size_t c = 0; c <= INPUTS; c++) {
        double mean = 0, sum = 0;
        for (size_t r = 0; r < ROWS; r++) mean += v[r * 6 + c] / ROWS;
        for (size_t r = 0; r < ROWS; r++) sum += (v[r * 6 + c] - mean) * (v[r * 6 + c] - mean);
        double scale = c < INPUTS ? sqrt(sum / (ROWS - 1)) : 1;
        for (size_t r = 0; r < ROWS; r++) v[r * 6 + c] = (v[r * 6 + c] - mean) / scale;
    }
    check(sg_table_new(names, INPUTS + 1, v, ROWS, &t));
    sg_table_free(raw);
    return t;
}

static sg_subset *part(const sg_source *all, size_t first, size_t last)
{
    size_t rows[ROWS];
    sg_subset *s;
    for (size_t i = first; i < last; i++) rows[i - first] = i;
    check(sg_subset_new(all, rows, last - first, &s));
    return s;
}

static void run(const char *settings, const point *expected, size_t count, sg_model **last, size_t stop)
{
    sg_table *t = prepared_rows();
    sg_source all = sg_table_source(t);
    sg_subset *first = part(&all, 0, TRAIN), *rest = part(&all, TRAIN, ROWS);
    sg_source train = sg_subset_source(first), test = sg_subset_source(rest);
    sg_options *o = options_of(settings);
    sg_trainer *tr;
    check(sg_trainer_new(o, &train, NULL, &tr));
    for (size_t k = 1, at = 0; k <= stop; k++) {
        sg_progress p;
        sg_metrics m;
        check(sg_trainer_step(tr, &p));
        if (at < count && expected[at].rate_after != 0 && k == expected[at].iteration + 1) {
            assert_close(p.rate, expected[at].rate_after, 1e-6 * expected[at].rate_after);
            at++;
        }
        if (at == count || k != expected[at].iteration) continue;
        check(sg_model_evaluate(sg_trainer_current(tr), &test, NULL, 1, &m));
        assert_close(p.batch_rmse, expected[at].train, 1e-9);
        assert_close(m.rmse, expected[at].test, 1e-9);
        if (expected[at].rate_after == 0) at++;
    }
    if (last) check(sg_trainer_model(tr, last));
    sg_trainer_free(tr);
    sg_options_free(o);
    sg_subset_free(first);
    sg_subset_free(rest);
    sg_table_free(t);
}

static void adabound_follows_the_authors(void **state)
{
    static const point expected[] = {
        {1, 1.303421496869, 1.275977427622, 0},  {2, 1.273551517089, 1.251627161907, 0},
        {3, 1.243801438399, 1.227686649825, 0},  {5, 1.185063965621, 1.181052922214, 0},
        {10, 1.046588855650, 1.074771338903, 0}, {100, 0.441828417678, 0.631252359830, 0},
    };
    (void)state;
    run("preset=mbgd-ra scale=none batch=350", expected, 6, NULL, 100);
}

static void jang_follows_its_definition(void **state)
{
    static const point expected[] = {
        {1, 1.303421496869, 1.298578509758, 0.01},        {5, 1.292646657240, 1.289709649917, 0.011},
        {10, 1.278155915468, 1.277344157466, 0.0121},     {50, 1.079461235426, 1.114223235267, 0.0313843},
        {100, 0.634182883142, 0.780127938542, 0.0984973},
    };
    (void)state;
    run("preset=mbgd scale=none batch=350", expected, 5, NULL, 101);
}

static void parameters_after_ten(void **state)
{
    static const double b[] = {0.094755322544,  -0.096340029962, -0.097618069166,
                               -0.097138880032, -0.098014992997, -0.095609010681};
    sg_model *m;
    (void)state;
    run("preset=mbgd-ra scale=none batch=350", NULL, 0, &m, 10);
    const double *theta = sg_model_theta(m);
    assert_int_equal(sg_model_parameters(m), 212);
    assert_close(theta[0], -1.890207119552, 1e-9);
    assert_close(theta[1], 1.659277647157, 1e-9);
    for (size_t i = 10; i < 20; i++) assert_close(theta[i], 0.981422864966, 1e-9);
    for (size_t i = 0; i < 6; i++) assert_close(theta[20 + i], b[i], 1e-9);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(adabound_follows_the_authors),
    cmocka_unit_test(jang_follows_its_definition),
    cmocka_unit_test(parameters_after_ten),
};
TEST_GROUP(tests, NULL, NULL)
