/* test_input_noise.c: noise on the inputs of training rows: mean, standard deviation and dependence.
 * labels: arithmetic memory */
#include "test.h"
#include "train/batch_gradient.h"

#include "model/model.h"

enum { INPUTS = 6, ROWS = 32 };

typedef struct fixture {
    sg_model *model;
    sg_chunk_loader feed;
    sg_moments seen; /* input k has the standard deviation k + 1 */
    sg_input_noise noise;
} fixture;

static void set_up(fixture *f, bool one_view)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "y"};
    double x[2 * INPUTS];
    check(sg_model_new(names, INPUTS, names + INPUTS, 1, &f->model));
    f->model->shared_pipeline = one_view;
    check(sg_chunk_loader_init(&f->feed, f->model, &sg_vector_ops_portable, 0));
    assert_true(sg_moments_init(&f->seen, INPUTS));
    for (size_t k = 0; k < INPUTS; k++) {
        x[k] = 0;
        x[INPUTS + k] = sqrt(2.0) * (double)(k + 1);
    }
    sg_moments_compute(&f->seen, x, NULL, 1, 2);
    f->noise = (sg_input_noise){.seed = 3, .sigma = 0.2, .moments = &f->seen};
}

static void tear_down(fixture *f)
{
    sg_chunk_loader_release(&f->feed);
    sg_moments_release(&f->seen);
    sg_model_free(f->model);
}

/* Adds noise to rows of zeros. */
static void add(fixture *f, uint32_t iteration, const size_t *row, size_t n)
{
    static const double zero[ROWS * INPUTS];
    sg_chunk_loader_load(&f->feed, zero, INPUTS, NULL, n);
    sg_input_noise_add(&f->noise, iteration, row, n, &f->feed);
}

static void mean_and_deviation(void **state)
{
    enum { ITERATIONS = 400 };
    double sum[INPUTS] = {0}, square[INPUTS] = {0}, cross[INPUTS] = {0}, n = ROWS * ITERATIONS;
    size_t row[ROWS];
    fixture f;
    (void)state;
    set_up(&f, true);
    for (size_t i = 0; i < ROWS; i++) row[i] = 11 * i;
    for (uint32_t k = 1; k <= ITERATIONS; k++) {
        add(&f, k, row, ROWS);
        for (size_t c = 0; c < INPUTS; c++)
            for (size_t i = 0; i < ROWS; i++) {
                double x = f.feed.a[c * SG_PITCH + i] / (double)(c + 1);
                assert_true(fabs(x) < 0.2 * 4);
                sum[c] += x;
                square[c] += x * x;
                cross[c] += x * f.feed.a[(c + 1) % INPUTS * SG_PITCH + i] / (double)((c + 1) % INPUTS + 1);
            }
    }
    for (size_t c = 0; c < INPUTS; c++) {
        assert_close(sum[c] / n, 0, 4 * 0.2 / sqrt(n));
        assert_close(sqrt(square[c] / n), 0.2, 0.2 * 4 / sqrt(2 * n));
        assert_close(cross[c] / n, 0, 4 * 0.04 / sqrt(n));
    }
    tear_down(&f);
}

/* The noise of a row depends on the iteration and the row number, not on other rows. */
static void is_the_rows_own(void **state)
{
    size_t row[ROWS];
    double all[INPUTS][ROWS];
    fixture f;
    (void)state;
    set_up(&f, true);
    for (size_t i = 0; i < ROWS; i++) row[i] = 7 * i * i;
    add(&f, 5, row, ROWS);
    for (size_t c = 0; c < INPUTS; c++) memcpy(all[c], f.feed.a + c * SG_PITCH, sizeof all[c]);
    for (size_t i = 0; i < ROWS; i += 5) {
        add(&f, 5, row + i, 1);
        for (size_t c = 0; c < INPUTS; c++)
            for (size_t pad = 0; pad < 8; pad++) assert_true(f.feed.a[c * SG_PITCH + pad] == all[c][i]);
    }
    add(&f, 6, row, ROWS);
    assert_true(f.feed.a[0] != all[0][0]);
    f.noise.sigma = 0;
    add(&f, 5, row, ROWS);
    for (size_t i = 0; i < ROWS; i++) assert_true(f.feed.a[i] == 0);
    tear_down(&f);
}

/* Both views of a row get the same noise, each in its own units. */
static void moves_both_views(void **state)
{
    size_t row[ROWS];
    fixture f;
    (void)state;
    set_up(&f, false);
    for (size_t i = 0; i < ROWS; i++) row[i] = i;
    add(&f, 5, row, ROWS);
    for (size_t c = 0; c < INPUTS; c++)
        for (size_t i = 0; i < ROWS; i++)
            assert_close(f.feed.a[c * SG_PITCH + i], (double)(c + 1) * f.feed.z[c * SG_PITCH + i], 1e-13);
    tear_down(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mean_and_deviation),
    cmocka_unit_test(is_the_rows_own),
    cmocka_unit_test(moves_both_views),
};
TEST_GROUP(tests, NULL, NULL)
