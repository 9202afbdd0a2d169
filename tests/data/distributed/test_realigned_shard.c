/* test_realigned_shard.c: after alignment, every block of rows is on one rank, with copies in memory or in a file; read
 * errors are reported.
 * labels: memory threads */
#include "base/status.h"
#include "data/distributed/realigned_shard.h"
#include "thread_comm.h"

enum { COLUMNS = 40 };

typedef struct held {
    size_t rows, block;
    size_t bound[TEAM_MOST + 1];
    size_t broken; /* a row that can't be read */
} held;

static double value_at(size_t row, size_t column) { return (double)(row * 64 + column); }

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const held *h = self;
    if (h->broken >= first && h->broken < first + n) return sg_fail(SG_EIO, "row %zu is broken", h->broken);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < COLUMNS; k++) *out++ = value_at(first + i, k);
    return SG_OK;
}

static sg_status look(const sg_aligned_shard *a, const held *h)
{
    sg_source s = sg_aligned_shard_source(a);
    double rows[7 * COLUMNS];
    if (s.local_rows == 0) return SG_OK;
    if (s.local_first % h->block || (s.local_first + s.local_rows != h->rows && s.local_rows % h->block))
        return sg_fail(SG_EDATA, "half a block");
    for (size_t i = s.local_first, n; i < s.local_first + s.local_rows; i += n) {
        n = s.local_first + s.local_rows - i < 7 ? s.local_first + s.local_rows - i : 7;
        sg_status st = s.read(s.self, i, n, rows);
        if (st != SG_OK) return st;
        for (size_t j = 0; j < n * COLUMNS; j++)
            if (rows[j] != value_at(i + j / COLUMNS, j % COLUMNS)) return sg_fail(SG_EDATA, "row %zu is wrong", i);
    }
    return s.read(s.self, s.local_first + s.local_rows, 1, rows) == SG_OK ? sg_fail(SG_EDATA, "a row too many") : SG_OK;
}

static sg_status align(const sg_comm *t, void *arg)
{
    held h = *(const held *)arg;
    char text[COLUMNS][8];
    const char *names[COLUMNS];
    sg_aligned_shard *a = NULL;
    for (size_t k = 0; k < COLUMNS; k++) {
        snprintf(text[k], sizeof text[k], "x%zu", k);
        names[k] = text[k];
    }
    sg_source s = {.self = &h,
                   .rows = h.rows,
                   .columns = COLUMNS,
                   .names = names,
                   .read = read_rows,
                   .comm = t,
                   .local_first = h.bound[t->rank],
                   .local_rows = h.bound[t->rank + 1] - h.bound[t->rank]};
    sg_status st = sg_aligned_shard_new(&s, h.block, &a);
    if (st == SG_OK) st = look(a, &h);
    sg_aligned_shard_free(a);
    return st;
}

static void blocks_are_whole(void **state)
{
    static const held cases[] = {
        {1000, 64, {0, 100, 101, 1000}, SIZE_MAX},
        {1000, 4096, {0, 100, 500, 1000}, SIZE_MAX},
        {60000, 131072, {0, 1000, 40000, 60000}, SIZE_MAX}, /* 19 MB of copies from two ranks go to a file */
        {120000, 57344, {0, 1, 60000, 120000}, SIZE_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        held h = cases[i];
        team_check(3, align, &h);
    }
}

static void who_cannot_read_says_why(void **state)
{
    team_result result[3];
    held h = {60000, 131072, {0, 1000, 40000, 60000}, 50000};
    (void)state;
    team_run(3, align, &h, result);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(result[i].status, SG_EIO);
        assert_string_equal(result[i].said, "rank 2: row 50000 is broken");
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_whole),
                                          cmocka_unit_test(who_cannot_read_says_why)};
TEST_GROUP(tests, NULL, NULL)
