/* test_looks_like_date.c: texts that look like dates, and others. */
#include "data/ingest/cell_classify.h"

#include "test.h"

static void knows_dates(void **state)
{
    (void)state;
    static const char *const dates[] = {
        "2019-08-31",
        "2019/8/31",
        "31/8/2019",
        "8/31/19",
        "31.8.2019",
        "31-08-2019",
        "2019.08.31",
        "2019-08-31T17:05:33.25Z",
        "2019-08-31T17:05:33",
        "31.8.2019 17:05",
        "8/31/2019 5:05 PM",
        "8/31/2019 5:05am",
        "2019-08-31 17:05 +02:00",
        "2019-08-31T17:05:33-0530",
        "2019-08-31 17:05:33 UTC",
        "2019-08-31 17:05+02",
        "1/1/01",
        "2019-08-31  07:05,5",
    };
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        if (!sg_looks_like_date(dates[i], strlen(dates[i]))) fail_msg("%s", dates[i]);
}

static void knows_others(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",
        "M",
        "2019",
        "2019-08",
        "1.2.3",
        "1.2.3.4",
        "31/8/",
        "31/8/201",
        "31-8/2019",
        "13/13/2019",
        "0/1/2019",
        "32/1/2019",
        "2019-08-31x",
        "2019-08-31T",
        "2019-08-31 25:00",
        "2019-08-31 17",
        "2019-08-31 17:5",
        "2019-08-31 17:05 CEST later",
        "12345-01-01",
        "17:05",
        "2019-08-31 17:05 +2:00:",
        "-",
        "192.168.1.10",
        "2019.8.31",
        "3-4",
        "2019-08-31T17:05Z1",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sg_looks_like_date(others[i], strlen(others[i]))) fail_msg("%s", others[i]);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(knows_dates), cmocka_unit_test(knows_others)};
TEST_GROUP(tests, NULL, NULL)
