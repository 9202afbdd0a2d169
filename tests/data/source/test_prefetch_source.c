/* test_prefetch_source.c: prefetched rows are unchanged; failures, forks and skipped batches do not block. labels:
 * threads memory */
#include "data/source/prefetch_source.h"

#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 5000 };
static const char *const names[] = {"up", "down"};

static atomic_size_t gathered;
static atomic_int failing, pausing;

static sg_status one(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = (double)(first + i);
        out[2 * i + 1] = -(double)(first + i);
    }
    return SG_OK;
}

static sg_status some(void *self, const size_t *rows, size_t n, double *out)
{
    atomic_fetch_add(&gathered, n);
    if (atomic_load(&pausing)) usleep(2000);
    if (atomic_load(&failing)) {
        sg_set_errmsg("the disk is gone");
        return SG_EIO;
    }
    for (size_t i = 0; i < n; i++) one(self, rows[i], 1, out + 2 * i);
    return SG_OK;
}

static const sg_source slow = {
    .name = "counted", .rows = ROWS, .columns = 2, .names = names, .read = one, .gather = some, .slow_gather = 1};

/* Batch k: 64 rows in no particular order. */
static void list(void *arg, size_t k, size_t *rows)
{
    (void)arg;
    for (size_t i = 0; i < 64; i++) rows[i] = (k * 37 + i * 1237) % ROWS;
}

/* The same in ascending order. */
static void list_in_order(void *arg, size_t k, size_t *rows)
{
    (void)arg;
    for (size_t i = 0; i < 64; i++) rows[i] = k * 37 % 80 + i * 77;
}

/* Memory for that many batches of 64 rows of two columns per window. */
static size_t room_for(size_t lists) { return lists * 64 * 64; }

static sg_prefetch *made(const sg_source *s, sg_prefetch_fn *fn, size_t lists)
{
    sg_prefetch *a;
    check(sg_prefetch_new(s, 64, fn == list_in_order, fn, NULL, room_for(lists), &a));
    assert_non_null(a);
    return a;
}

static void expect(const sg_source *s, const size_t *rows, size_t n)
{
    double out[2 * 64];
    check(s->gather(s->self, rows, n, out));
    for (size_t i = 0; i < n; i++) assert_true(out[2 * i] == (double)rows[i] && out[2 * i + 1] == -(double)rows[i]);
}

static void expect_lists(sg_prefetch *a, sg_prefetch_fn *fn, size_t last)
{
    sg_source s = sg_prefetch_source(a);
    size_t rows[64], other[2] = {7, 4000};
    assert_true(s.rows == ROWS && s.columns == 2 && s.slow_gather);
    expect(&s, other, 2); /* before any batch was requested */
    for (size_t k = 1; k <= last; k++) {
        const size_t *known = sg_prefetch_advance(a, k, last);
        fn(NULL, k, rows);
        assert_non_null(known);
        assert_memory_equal(known, rows, sizeof rows);
        expect(&s, rows, 64);
        expect(&s, rows + 13, 20); /* parts of it, too */
        expect(&s, other, 2);      /* and other rows */
    }
}

static void same_rows(void **state)
{
    double out[4];
    (void)state;
    for (size_t lists = 1; lists <= 100; lists = 3 * lists - 1 + (lists == 1)) {
        sg_prefetch *a = made(&slow, list, lists), *b = made(&slow, list_in_order, lists);
        expect_lists(a, list, 200);
        expect_lists(b, list_in_order, 201);
        sg_source s = sg_prefetch_source(a);
        check(s.read(s.self, 3, 2, out));
        assert_true(out[2] == 4);
        sg_prefetch_free(a);
        sg_prefetch_free(b);
    }
}

/* Backwards, forwards, and past the last batch. */
static void anywhere(void **state)
{
    static const size_t numbers[] = {5, 500, 4, 3, 19, 20, 36, 1000, 1001, 1000, 1, 2};
    sg_prefetch *a = made(&slow, list, 20);
    sg_source s = sg_prefetch_source(a);
    size_t rows[64];
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_true(!sg_prefetch_advance(a, numbers[i], 1000) == (numbers[i] > 1000));
        list(NULL, numbers[i], rows);
        expect(&s, rows, 64);
    }
    sg_prefetch_free(a);
}

/* Every row of the batches is fetched once, by the thread, and none after the last batch. */
static void fetched_once(void **state)
{
    size_t rows[64];
    sg_prefetch *a = made(&slow, list, 50);
    sg_source s = sg_prefetch_source(a);
    (void)state;
    atomic_store(&gathered, 0);
    for (size_t k = 1; k <= 30; k++) {
        sg_prefetch_advance(a, k, 30);
        list(NULL, k, rows);
        expect(&s, rows, 64);
    }
    assert_int_equal(atomic_load(&gathered), 30 * 64);
    sg_prefetch_free(a);
}

/* A failure is reported only when the rows are needed. */
static void failures(void **state)
{
    size_t rows[64];
    double out[128];
    sg_prefetch *a = made(&slow, list, 3);
    sg_source s = sg_prefetch_source(a);
    (void)state;
    atomic_store(&failing, 1);
    list(NULL, 1, rows);
    assert_null(sg_prefetch_advance(a, 1, 99));
    sg_set_errmsg("");
    check_fails(s.gather(s.self, rows, 64, out), SG_EIO, "the disk is gone");
    atomic_store(&failing, 0);
    expect(&s, rows, 64);
    assert_non_null(sg_prefetch_advance(a, 1, 99));
    expect(&s, rows, 64);
    sg_prefetch_free(a);
}

/* Little memory, and the last batch inside a window. */
static void forgotten(void **state)
{
    sg_prefetch *a;
    (void)state;
    check(sg_prefetch_new(&slow, 64, false, list, NULL, room_for(1) - 1, &a));
    assert_null(a);
    sg_prefetch_free(a);
    atomic_store(&pausing, 1);
    for (size_t round = 0; round < 20; round++) {
        a = made(&slow, list, 100);
        for (size_t k = 1; k <= round; k++) sg_prefetch_advance(a, k, 1000);
        sg_prefetch_free(a);
    }
    atomic_store(&pausing, 0);
}

typedef struct piece {
    const sg_source *s;
    const size_t *rows;
} piece;

static void *take_piece(void *arg)
{
    const piece *p = arg;
    double out[32];
    for (size_t first = 0; first < 64; first += 16) {
        if (p->s->gather(p->s->self, p->rows + first, 16, out) != SG_OK) return arg;
        for (size_t i = 0; i < 16; i++)
            if (out[2 * i] != (double)p->rows[first + i]) return arg;
    }
    return NULL;
}

static void many_threads(void **state)
{
    size_t rows[64];
    sg_prefetch *a = made(&slow, list, 4);
    sg_source s = sg_prefetch_source(a);
    piece p = {&s, rows};
    (void)state;
    for (size_t k = 1; k <= 50; k++) {
        pthread_t thread[3];
        list(NULL, k, rows);
        assert_non_null(sg_prefetch_advance(a, k, 50));
        for (size_t i = 0; i < 3; i++) assert_int_equal(pthread_create(&thread[i], NULL, take_piece, &p), 0);
        for (size_t i = 0; i < 3; i++) {
            void *wrong;
            pthread_join(thread[i], &wrong);
            assert_null(wrong);
        }
    }
    sg_prefetch_free(a);
}

/* Only local rows are prefetched; rows of other ranks are listed but not provided. */
static void of_a_team(void **state)
{
    static const sg_comm team = {.rank = 1, .ranks = 2};
    sg_source part = slow;
    size_t rows[64], mine[64], n = 0, there;
    double out[128];
    (void)state;
    part.comm = &team;
    part.local_first = 2500;
    part.local_rows = 2500;
    sg_prefetch *a = made(&part, list, 10);
    sg_source s = sg_prefetch_source(a);
    list(NULL, 1, rows);
    for (size_t i = 0; i < 64; i++)
        if (rows[i] >= 2500) mine[n++] = rows[i];
    assert_true(n > 0 && n < 64);
    atomic_store(&gathered, 0);
    assert_non_null(sg_prefetch_advance(a, 1, 1));
    assert_int_equal(atomic_load(&gathered), n);
    expect(&s, mine, n);
    assert_int_equal(atomic_load(&gathered), n);
    check(s.gather(s.self, rows, 64, out)); /* from the base source */
    there = atomic_load(&gathered);
    assert_int_equal(there, n + 64);
    sg_prefetch_free(a);
}

/* A forked child has no thread and reads directly. */
static void in_a_child(void **state)
{
    size_t rows[64];
    int status = -1;
    sg_prefetch *a = made(&slow, list, 20);
    sg_source s = sg_prefetch_source(a);
    (void)state;
    list(NULL, 1, rows);
    sg_prefetch_advance(a, 1, 50);
    pid_t child = fork();
    if (child == 0) {
        double out[128];
        alarm(20);
        bool right = s.gather(s.self, rows, 64, out) == SG_OK && out[2] == (double)rows[1];
        right = right && !sg_prefetch_advance(a, 2, 50);
        right = right && s.gather(s.self, rows, 64, out) == SG_OK && out[2] == (double)rows[1];
        sg_prefetch_free(a);
        _exit(right ? 0 : 1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    expect(&s, rows, 64);
    sg_prefetch_free(a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(same_rows), cmocka_unit_test(anywhere),   cmocka_unit_test(fetched_once),
    cmocka_unit_test(failures),  cmocka_unit_test(forgotten),  cmocka_unit_test(many_threads),
    cmocka_unit_test(of_a_team), cmocka_unit_test(in_a_child),
};
TEST_GROUP(tests, NULL, NULL)
