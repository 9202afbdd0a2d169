/* test_column_sums.c: sums of columns are those of a plain loop, to the last bit, whatever the instruction set.
 * labels: arithmetic memory */
#include "base/random.h"
#include "prep/column_sums.h"
#include "test.h"

#include <stdbool.h>

enum { MOST_ROWS = 9, MOST_COLUMNS = 41 };

static const sg_column_sums *const kinds[] = {
    &sg_column_sums_portable,
#if defined(__x86_64__)
    &sg_column_sums_avx2,
#endif
};

static bool runs(const sg_column_sums *k, size_t columns)
{
    return columns >= k->least && (k == &sg_column_sums_portable || k == sg_column_sums_choose(MOST_COLUMNS));
}

/* Numbers of all sizes, which no other order adds up to the same bits. */
static void fill(double *x)
{
    sg_stream s = sg_stream_at(5, SG_RANDOM_GENERATE, 0, 0);
    for (size_t i = 0; i < MOST_ROWS * MOST_COLUMNS; i++)
        x[i] = sg_stream_normal(&s) * pow(10, 3 * sg_stream_normal(&s));
}

static void check_range(const sg_column_sums *k, const double *x, size_t rows, size_t columns)
{
    double sum[MOST_COLUMNS], low[MOST_COLUMNS], high[MOST_COLUMNS];
    k->range(x, rows, columns, sum, low, high);
    for (size_t c = 0; c < columns; c++) {
        double all = x[c], least = x[c], most = x[c];
        for (size_t r = 1; r < rows; r++) {
            double v = x[r * columns + c];
            all += v;
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        assert_true(sum[c] == all && low[c] == least && high[c] == most);
    }
}

static void check_spread(const sg_column_sums *k, const double *x, size_t rows, size_t columns)
{
    double mean[MOST_COLUMNS], squares[MOST_COLUMNS], beside[MOST_COLUMNS];
    for (size_t c = 0; c < columns; c++) mean[c] = 0.3 * (double)c - 2.385;
    k->spread(x, rows, columns, mean, squares, beside);
    for (size_t c = 0; c < columns; c++) {
        double square = 0, off = 0;
        for (size_t r = 0; r < rows; r++) {
            double v = x[r * columns + c] - mean[c];
            off += v;
            square += v * v;
        }
        assert_true(squares[c] == square && beside[c] == off);
    }
}

static void check_hash(const sg_column_sums *k, const double *x, size_t rows, size_t columns)
{
    const uint64_t first = UINT64_C(0x123456789);
    uint64_t key[MOST_COLUMNS], sum[MOST_COLUMNS];
    for (size_t c = 0; c < columns; c++) key[c] = (c + 3) * UINT64_C(0xBF58476D1CE4E5B9);
    k->hash(x, rows, columns, first, key, sum);
    for (size_t c = 0; c < columns; c++) {
        uint64_t all = 0, v;
        for (size_t r = 0; r < rows; r++) {
            memcpy(&v, &x[r * columns + c], sizeof v);
            v ^= key[c] ^ (first + r) * UINT64_C(0x9E3779B97F4A7C15);
            all += (v & UINT32_MAX) * (v >> 32);
        }
        assert_true(sum[c] == all);
    }
}

static void sums_are_those_of_a_plain_loop(void **state)
{
    double x[MOST_ROWS * MOST_COLUMNS];
    (void)state;
    fill(x);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t columns = 2; columns <= MOST_COLUMNS; columns++)
            for (size_t rows = 1; rows <= MOST_ROWS && runs(kinds[i], columns); rows++) {
                check_range(kinds[i], x, rows, columns);
                check_spread(kinds[i], x, rows, columns);
                check_hash(kinds[i], x, rows, columns);
            }
}

/* Vectors that overlap do not carry it over. */
static void a_nan_stays_in_its_column(void **state)
{
    double x[MOST_ROWS * MOST_COLUMNS], sum[MOST_COLUMNS], low[MOST_COLUMNS], high[MOST_COLUMNS];
    (void)state;
    fill(x);
    for (size_t columns = 2; columns <= MOST_COLUMNS; columns++) {
        size_t at = columns / 2;
        double was = x[columns + at];
        x[columns + at] = NAN;
        sg_column_sums_choose(columns)->range(x, 3, columns, sum, low, high);
        for (size_t c = 0; c < columns; c++) assert_true(isnan(sum[c]) == (c == at));
        x[columns + at] = was;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_a_plain_loop),
        cmocka_unit_test(a_nan_stays_in_its_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
