/* test_step_allocation.c: a training step allocates nothing. Counts allocations by interposing libc's
 * functions; sanitizers interpose them too, so with them this test only runs the steps. */
#include "test.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_size_t allocations;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { COUNTED = 1 };
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
void *malloc(size_t n)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(n);
}
void *calloc(size_t n, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(n, size);
}
void *realloc(void *p, size_t n)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(p, n);
}
#else
enum { COUNTED = 0 };
#endif

static void steps_allocate_nothing(void **state)
{
    static const char *const settings[] = {
        "preset=mbgd-rda valid-fraction=0.3",
        "preset=mbgd",
        "preset=mbgd-rda batch=1024 threads=2",
        "preset=mbgd-rda-dropmembership batch=1",
        "preset=fcm-rdpa balance=1 average=0.9 noise=0.1 huber=1 schedule=cosine start=ridge refit=0.1 iters=5 "
        "valid-fraction=0.2",
        "preset=anfis-gd-lse pca=2",
        "preset=mbgd-rda structure=cluster rules=9 mf=gbell",
    };
    sg_table *table;
    (void)state;
    check(sg_table_generate("friedman", 2000, 1, &table));
    sg_source s = sg_table_source(table);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        sg_options *o = options_of(settings[i]);
        sg_trainer *t;
        sg_progress p;
        check(sg_trainer_new(o, &s, NULL, &t));
        size_t before = atomic_load(&allocations);
        if (COUNTED) assert_true(before > 0);
        for (int k = 0; k < 5; k++) check(sg_trainer_step(t, &p));
        assert_int_equal(atomic_load(&allocations), before);
        sg_trainer_free(t);
        sg_options_free(o);
    }
    sg_table_free(table);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(steps_allocate_nothing)};
TEST_GROUP(tests, NULL, NULL)
