/* test_collectives.c: allgather, agreement on a status, partition of rows. labels: threads */
#include "comm/collectives.h"
#include "thread_comm.h"
#include "train/batch/batch_sampler.h"

enum { MOST = 11 };

typedef struct record {
    uint64_t rank;
    char more[23];
} record;

static sg_status exchange(const sg_comm *t, void *arg)
{
    record mine = {.rank = 1000 + t->rank}, all[MOST];
    (void)arg;
    snprintf(mine.more, sizeof mine.more, "m%zu", t->rank);
    for (int again = 0; again < 3; again++) {
        memset(all, 0, sizeof all);
        sg_status st = sg_comm_allgather(t, &mine, sizeof mine, all);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < t->ranks; i++) {
            char more[23];
            snprintf(more, sizeof more, "m%zu", i);
            if (all[i].rank != 1000 + i || strcmp(all[i].more, more) != 0)
                return sg_fail(SG_EDATA, "record %zu is wrong", i);
        }
    }
    return SG_OK;
}

static void records_reach_everyone(void **state)
{
    (void)state;
    for (size_t ranks = 1; ranks <= MOST; ranks++) team_check(ranks, exchange, NULL);
    record mine = {.rank = 7}, all;
    check(sg_comm_allgather(NULL, &mine, sizeof mine, &all));
    assert_int_equal(all.rank, 7);
}

/* Which ranks fail, as bits, and whether each has its own message. */
typedef struct plan {
    unsigned failing;
    bool own, named;
} plan;

static sg_status fail_by_plan(const sg_comm *t, void *arg)
{
    const plan *p = arg;
    sg_status mine = SG_OK;
    sg_set_errmsg("an older sentence");
    if (p->failing >> t->rank & 1)
        mine = p->own ? sg_fail(SG_EDATA, "file %zu is torn", t->rank) : sg_fail(SG_EDATA, "torn");
    return p->named ? sg_comm_agree_status_verbatim(t, mine) : sg_comm_agree_status(t, mine);
}

static void expect(size_t ranks, plan p, sg_status status, const char *said)
{
    team_result result[TEAM_MOST];
    team_run(ranks, fail_by_plan, &p, result);
    for (size_t i = 0; i < ranks; i++) {
        assert_int_equal(result[i].status, status);
        assert_string_equal(result[i].said, said);
    }
}

static void one_status_for_all(void **state)
{
    (void)state;
    for (size_t ranks = 2; ranks <= MOST; ranks++) {
        expect(ranks, (plan){0}, SG_OK, "");
        expect(ranks, (plan){.failing = 1, .own = true}, SG_EDATA, "rank 0: file 0 is torn");
        expect(ranks, (plan){.failing = 2, .own = true}, SG_EDATA, "rank 1: file 1 is torn");
        expect(ranks, (plan){.failing = 2, .own = true, .named = true}, SG_EDATA, "file 1 is torn");
        expect(ranks, (plan){.failing = 2}, SG_EDATA, "rank 1: torn");
        expect(ranks, (plan){.failing = ~0U}, SG_EDATA, "torn");
        expect(ranks, (plan){.failing = ~0U, .own = true}, SG_EDATA, "rank 0: file 0 is torn");
    }
    expect(6, (plan){.failing = 0x30, .own = true}, SG_EDATA, "rank 4: file 4 is torn");
    expect(6, (plan){.failing = 0x3e}, SG_EDATA, "rank 1: torn");
    assert_int_equal(sg_comm_agree_status(NULL, SG_EIO), SG_EIO);
    assert_int_equal(sg_comm_agree_status(NULL, SG_OK), SG_OK);
}

static sg_status leave_early(const sg_comm *t, void *arg)
{
    (void)arg;
    return t->rank == 2 ? SG_OK : sg_comm_agree_status(t, SG_OK);
}

static void nobody_waits_for_who_is_gone(void **state)
{
    team_result result[TEAM_MOST];
    (void)state;
    team_run(4, leave_early, NULL, result);
    assert_int_equal(result[0].status, SG_EIO);
    assert_non_null(strstr(result[0].said, "has ended"));
}

static void rows_are_shared_out(void **state)
{
    static const size_t rows[] = {0, 1, 5, 1023, 1024, 104729, SIZE_MAX / 2};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t ranks = 1; ranks <= 2000; ranks = ranks * 3 / 2 + 1) {
            assert_int_equal(sg_comm_shard_begin(rows[k], 0, ranks), 0);
            assert_int_equal(sg_comm_shard_begin(rows[k], ranks, ranks), rows[k]);
            for (size_t r = 0; r < ranks; r++)
                assert_true(sg_comm_shard_begin(rows[k], r, ranks) <= sg_comm_shard_begin(rows[k], r + 1, ranks));
        }
    assert_int_equal(sg_comm_shard_begin(1000, 1, 3), 1000 * 341 / 1024);
    assert_int_equal(sg_comm_shard_begin(1000, 2, 3), 1000 * 683 / 1024);
}

/* The rows of a rank end where a slice of a batch ends. */
static void slices_stay_whole(void **state)
{
    const size_t rows = 104729;
    sg_batch all;
    (void)state;
    check(sg_batch_init(&all, rows, 0));
    for (size_t ranks = 2; ranks <= 8; ranks++)
        for (size_t r = 0; r < ranks; r++) {
            size_t end = 0, first = 0, s = 0;
            while (end < sg_comm_shard_begin(rows, r, ranks)) sg_batch_slice(&all, s++, &first, &end);
            assert_int_equal(end, sg_comm_shard_begin(rows, r, ranks));
        }
    sg_batch_release(&all);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(records_reach_everyone),
    cmocka_unit_test(one_status_for_all),
    cmocka_unit_test(nobody_waits_for_who_is_gone),
    cmocka_unit_test(rows_are_shared_out),
    cmocka_unit_test(slices_stay_whole),
};
TEST_GROUP(tests, NULL, NULL)
