/* test.h: included by every unit test: cmocka, assertions on the status of a call, options from a string. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sugeno.h"

/* Fails the test with the error message if the call fails. */
#define check(call)                                                                                                    \
    do {                                                                                                               \
        if ((call) != SG_OK) fail_msg("%s: %s", #call, sg_errmsg());                                                   \
    } while (0)

/* Checks that the call fails with this status and a message that contains this text. */
#define check_fails(call, status, text)                                                                                \
    do {                                                                                                               \
        assert_int_equal((call), (status));                                                                            \
        if (!strstr(sg_errmsg(), (text))) fail_msg("\"%s\" lacks \"%s\"", sg_errmsg(), (text));                        \
    } while (0)

#define assert_close(a, b, tolerance)                                                                                  \
    do {                                                                                                               \
        double a_ = (a), b_ = (b);                                                                                     \
        if (!(fabs(a_ - b_) <= (tolerance))) fail_msg("%s = %.17g, not %.17g", #a, a_, b_);                            \
    } while (0)

/* The tests of one file. */
typedef struct test_group {
    const char *file;
    int (*run)(void); /* returns the number of failed tests */
    struct test_group *next;
} test_group;

/* Adds a group to those that main() runs (main.c). */
void add_test_group(test_group *group);

/* Registers `tests`, an array of struct CMUnitTest, as the tests of this file. `setup` runs before them and `teardown`
 * after them. Both may be NULL. */
#define TEST_GROUP(tests, setup, teardown)                                                                             \
    static int run_group(void) { return cmocka_run_group_tests_name(__FILE__, tests, setup, teardown); }               \
    __attribute__((constructor)) static void register_group(void)                                                      \
    {                                                                                                                  \
        static test_group group = {__FILE__, run_group, NULL};                                                         \
        add_test_group(&group);                                                                                        \
    }

/* Whether this run is slow (sanitizers, valgrind, emulator), so that a test should try fewer cases. */
static inline int is_quick(void) { return getenv("TESTS_QUICK") != NULL; }

/* Parses "name=value name=value". The default preset is mbgd-rda, because auto would train many models. */
static inline sg_options *options_of(const char *settings)
{
    sg_options *o;
    char pair[256];
    check(sg_options_new(&o));
    check(sg_options_set(o, "preset", "mbgd-rda"));
    while (*settings) {
        size_t n = strcspn(settings, " ");
        snprintf(pair, sizeof pair, "%.*s", (int)n, settings);
        char *equals = strchr(pair, '=');
        *equals = '\0';
        check(sg_options_set(o, pair, equals + 1));
        settings += n + strspn(settings + n, " ");
    }
    return o;
}

/* Reads one of the paper's datasets, with the columns that the paper uses (without the sex in Abalone). Skips the test
 * if SUGENO_DATA is not set. */
static inline sg_table *dataset_of(const char *file)
{
    const char *folder = getenv("SUGENO_DATA");
    char path[4096];
    sg_table *t;
    if (!folder || !*folder) {
        print_message("skipped: SUGENO_DATA is not set\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/%s", folder, file);
    sg_options *o = options_of(strcmp(file, "abalone.csv") == 0 ? "ignore=sex" : "");
    check(sg_table_read(path, o, NULL, 0, &t));
    sg_options_free(o);
    return t;
}
