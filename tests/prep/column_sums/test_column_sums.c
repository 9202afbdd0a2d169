/* test_column_sums.c: column sums equal those of a plain loop, to the last bit, for every instruction set.
 * labels: arithmetic memory */
#include "base/random/random.h"
#include "prep/column_sums/column_sums.h"
#include "test.h"

#include <stdbool.h>

enum { MOST_ROWS = 9, MOST_COLUMNS = 41 };

static const double missing = NAN, far = INFINITY;

static const sg_column_sums *const kinds[] = {
    &sg_column_sums_scalar,
    &sg_column_sums_portable,
#if defined(__x86_64__)
    &sg_column_sums_avx2,
#endif
};

static bool runs(const sg_column_sums *k, size_t columns)
{
    bool here = k->min_columns <= sg_column_sums_portable.min_columns || k == sg_column_sums_select(MOST_COLUMNS);
    return here && columns >= k->min_columns;
}

/* Numbers of all magnitudes, whose sum depends on the order; some weights are not positive. */
static void fill(double *x, double *w)
{
    sg_random_stream s = sg_random_stream_at(5, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t i = 0; i < MOST_ROWS * MOST_COLUMNS; i++)
        x[i] = sg_random_stream_normal(&s) * pow(10, 3 * sg_random_stream_normal(&s));
    for (size_t r = 0; r < MOST_ROWS; r++)
        w[2 * r] = r == 3 ? 0 : r == 5 ? missing : 0.1 + sg_random_stream_uniform(&s);
}

static void check_range(const sg_column_block *b, const sg_moments *s, size_t c, bool gaps)
{
    double sum = gaps ? 0 : b->x[c], low = gaps ? far : b->x[c], high = gaps ? -far : b->x[c], cells = 0, weights = 0;
    for (size_t r = gaps ? 0 : 1; r < b->rows; r++) {
        double v = b->x[r * s->columns + c], w = b->w ? b->w[r * b->stride] : 1;
        if (!(w > 0) || isnan(v)) continue;
        sum += w * v;
        cells += 1;
        weights += w;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    assert_true(s->mean[c] == sum && s->low[c] == low && s->high[c] == high);
    assert_true(!gaps || (s->column_count[c] == cells && s->column_weight[c] == weights));
}

static void check_spread(const sg_column_block *b, const sg_moments *s, size_t c)
{
    double squares = 0, beside = 0;
    for (size_t r = 0; r < b->rows; r++) {
        double v = b->x[r * s->columns + c] - s->mean[c], w = b->w ? b->w[r * b->stride] : 1;
        if (!(w > 0) || isnan(v)) continue;
        beside += w * v;
        squares += w * v * v;
    }
    assert_true(s->m2[c] == squares && s->deviation_sum[c] == beside);
}

static void check_sums(const sg_column_sums *k, const sg_column_block *b, size_t columns, bool gaps)
{
    sg_moments s;
    assert_true(sg_moments_init(&s, columns));
    (gaps ? k->sum_min_max_missing : k->sum_min_max)(b, &s);
    for (size_t c = 0; c < columns; c++) check_range(b, &s, c, gaps);
    for (size_t c = 0; c < columns; c++) s.mean[c] = 0.3 * (double)c - 2.385;
    (gaps ? k->squared_deviations_missing : k->squared_deviations)(b, &s);
    for (size_t c = 0; c < columns; c++) check_spread(b, &s, c);
    sg_moments_release(&s);
}

static void check_hash(const sg_column_sums *k, const double *x, size_t rows, size_t columns)
{
    const uint64_t first = UINT64_C(0x123456789);
    uint64_t key[MOST_COLUMNS], sum[MOST_COLUMNS];
    for (size_t c = 0; c < columns; c++) key[c] = (c + 3) * UINT64_C(0xBF58476D1CE4E5B9);
    k->hash_columns(x, rows, columns, first, key, sum);
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

static void check_kind(const sg_column_sums *k, size_t columns)
{
    double x[MOST_ROWS * MOST_COLUMNS], w[2 * MOST_ROWS], gaps[MOST_ROWS * MOST_COLUMNS];
    fill(x, w);
    for (size_t i = 0; i < MOST_ROWS * MOST_COLUMNS; i++) gaps[i] = i % 7 == 3 ? missing : x[i];
    for (size_t rows = 1; rows <= MOST_ROWS; rows++) {
        check_sums(k, &(sg_column_block){x, NULL, 0, rows}, columns, false);
        check_sums(k, &(sg_column_block){gaps, NULL, 0, rows}, columns, true);
        check_sums(k, &(sg_column_block){x, w, 2, rows}, columns, true);
        check_sums(k, &(sg_column_block){gaps, w, 2, rows}, columns, true);
        check_hash(k, gaps, rows, columns);
    }
}

static void sums_are_those_of_a_plain_loop(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (size_t columns = 1; columns <= MOST_COLUMNS; columns++)
            if (runs(kinds[i], columns)) check_kind(kinds[i], columns);
}

/* Overlapping vectors do not add a column twice. */
static void a_nan_stays_in_its_column(void **state)
{
    double x[MOST_ROWS * MOST_COLUMNS], w[2 * MOST_ROWS];
    (void)state;
    for (size_t columns = 1; columns <= MOST_COLUMNS; columns++) {
        sg_moments s;
        size_t at = columns / 2;
        fill(x, w);
        x[columns + at] = NAN;
        assert_true(sg_moments_init(&s, columns));
        sg_column_sums_select(columns)->sum_min_max(&(sg_column_block){x, NULL, 0, 3}, &s);
        for (size_t c = 0; c < columns; c++) assert_true(isnan(s.mean[c]) == (c == at));
        sg_moments_release(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sums_are_those_of_a_plain_loop),
    cmocka_unit_test(a_nan_stays_in_its_column),
};
TEST_GROUP(tests, NULL, NULL)
