/* test_ahead.c: rows fetched ahead are the same rows; failures, forks and forgotten lists leave nobody waiting.
 * labels: threads memory */
#include "data/ahead.h"

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

static const sg_source slow = {.name = "counted", .rows = ROWS, .columns = 2, .names = names, .read = one, .gather = some, .slow = 1};

/* List k: n rows, in no order. */
static void list(size_t k, size_t n, size_t *rows)
{
    for (size_t i = 0; i < n; i++) rows[i] = (k * 37 + i * 1237) % ROWS;
}

static void expect(const sg_source *s, const size_t *rows, size_t n)
{
    double out[2 * 64];
    check(s->gather(s->self, rows, n, out));
    for (size_t i = 0; i < n; i++) assert_true(out[2 * i] == (double)rows[i] && out[2 * i + 1] == -(double)rows[i]);
}

static void same_rows(void **state)
{
    (void)state;
    for (size_t depth = 1; depth <= 4; depth++) {
        sg_ahead *a;
        size_t rows[64], other[2] = {7, 4000};
        double out[4];
        check(sg_ahead_new(&slow, 64, depth, &a));
        sg_source s = sg_ahead_source(a);
        assert_true(s.rows == ROWS && s.columns == 2 && s.slow);
        expect(&s, other, 2); /* before anything was asked for */
        for (size_t k = 1, asked = 0; k <= 200; k++) {
            for (; asked < k + depth; asked++) {
                list(asked + 1, 64, rows);
                sg_ahead_ask(a, asked + 1, rows, 64);
            }
            sg_ahead_turn(a, k);
            list(k, 64, rows);
            expect(&s, rows, 64);
            expect(&s, rows + 13, 20); /* pieces of it, too */
            expect(&s, other, 2);      /* and what is not in it */
        }
        check(s.read(s.self, 3, 2, out));
        assert_true(out[2] == 4);
        sg_ahead_free(a);
    }
}

/* What was asked for is fetched once, and not by whoever needs it, if there is time. */
static void fetched_once(void **state)
{
    sg_ahead *a;
    size_t rows[64];
    (void)state;
    check(sg_ahead_new(&slow, 64, 2, &a));
    sg_source s = sg_ahead_source(a);
    atomic_store(&gathered, 0);
    for (size_t k = 1; k <= 3; k++) {
        list(k, 64, rows);
        sg_ahead_ask(a, k, rows, 64);
    }
    for (int i = 0; i < 1000 && atomic_load(&gathered) < 3 * 64; i++) usleep(1000);
    assert_int_equal(atomic_load(&gathered), 3 * 64);
    for (size_t k = 1; k <= 3; k++) {
        sg_ahead_turn(a, k);
        list(k, 64, rows);
        expect(&s, rows, 64);
    }
    assert_int_equal(atomic_load(&gathered), 3 * 64);
    sg_ahead_free(a);
}

/* The sentence comes to whoever needs the rows, and only then. */
static void failures(void **state)
{
    sg_ahead *a;
    size_t rows[64];
    double out[128];
    (void)state;
    check(sg_ahead_new(&slow, 64, 2, &a));
    sg_source s = sg_ahead_source(a);
    atomic_store(&failing, 1);
    list(1, 64, rows);
    sg_ahead_ask(a, 1, rows, 64);
    sg_ahead_turn(a, 1);
    sg_set_errmsg("");
    check_fails(s.gather(s.self, rows, 64, out), SG_EIO, "the disk is gone");
    atomic_store(&failing, 0);
    expect(&s, rows, 64);
    sg_ahead_free(a);
}

/* Lists that nobody comes for, that are asked for again, that are too long; and an end in the middle of it. */
static void forgotten(void **state)
{
    static size_t many[100];
    size_t rows[64];
    (void)state;
    atomic_store(&pausing, 1);
    for (int round = 0; round < 20; round++) {
        sg_ahead *a;
        check(sg_ahead_new(&slow, 64, 3, &a));
        sg_source s = sg_ahead_source(a);
        for (size_t k = 1; k <= 8; k++) {
            list(k, 64, rows);
            sg_ahead_ask(a, k, rows, 64);
        }
        sg_ahead_ask(a, 8, rows, 64);
        sg_ahead_ask(a, 9, many, 100);
        if (round % 2) {
            sg_ahead_turn(a, 8);
            expect(&s, rows, 64);
        }
        sg_ahead_free(a);
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
    sg_ahead *a;
    size_t rows[64];
    (void)state;
    check(sg_ahead_new(&slow, 64, 1, &a));
    sg_source s = sg_ahead_source(a);
    piece p = {&s, rows};
    for (size_t k = 1; k <= 50; k++) {
        pthread_t thread[3];
        list(k + 1, 64, rows);
        sg_ahead_ask(a, k + 1, rows, 64);
        list(k, 64, rows);
        sg_ahead_turn(a, k);
        for (size_t i = 0; i < 3; i++) assert_int_equal(pthread_create(&thread[i], NULL, take_piece, &p), 0);
        for (size_t i = 0; i < 3; i++) {
            void *wrong;
            pthread_join(thread[i], &wrong);
            assert_null(wrong);
        }
    }
    sg_ahead_free(a);
}

/* Of a team only the rows that are here are asked for. */
static void of_a_team(void **state)
{
    static const sg_team team = {.rank = 1, .ranks = 2};
    sg_source part = slow;
    sg_ahead *a;
    size_t rows[4] = {4000, 10, 3000, 2499};
    (void)state;
    part.team = &team;
    part.first = 2500;
    part.here = 2500;
    check(sg_ahead_new(&part, 64, 1, &a));
    atomic_store(&gathered, 0);
    sg_ahead_ask(a, 0, rows, 4);
    for (int i = 0; i < 1000 && atomic_load(&gathered) < 2; i++) usleep(1000);
    usleep(1000);
    assert_int_equal(atomic_load(&gathered), 2);
    sg_ahead_free(a);
}

/* A child has no thread, and does without. */
static void in_a_child(void **state)
{
    sg_ahead *a;
    size_t rows[64];
    int status = -1;
    (void)state;
    check(sg_ahead_new(&slow, 64, 1, &a));
    sg_source s = sg_ahead_source(a);
    list(1, 64, rows);
    sg_ahead_ask(a, 1, rows, 64);
    sg_ahead_turn(a, 1);
    pid_t child = fork();
    if (child == 0) {
        double out[128];
        alarm(20);
        bool right = s.gather(s.self, rows, 64, out) == SG_OK && out[2] == (double)rows[1];
        sg_ahead_ask(a, 2, rows, 64);
        sg_ahead_free(a);
        _exit(right ? 0 : 1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    expect(&s, rows, 64);
    sg_ahead_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_rows),  cmocka_unit_test(fetched_once), cmocka_unit_test(failures),
        cmocka_unit_test(forgotten),  cmocka_unit_test(many_threads), cmocka_unit_test(of_a_team),
        cmocka_unit_test(in_a_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
