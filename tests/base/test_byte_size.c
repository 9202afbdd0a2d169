/* test_byte_size.c: parsing and formatting of memory sizes. */
#include "base/byte_size.h"

#include "test.h"

static void reads(void **state)
{
    static const struct {
        const char *text;
        double bytes; /* -1: refused */
        const char *usual;
    } cases[] = {
        {"0", 0, "0"},
        {"1000", 1000, "1000"},
        {"1024", 1024, "1kB"},
        {"300k", 307200, "300kB"},
        {"300K", 307200, "300kB"},
        {"2mb", 2097152, "2MB"},
        {"256MB", 268435456, "256MB"},
        {"1.5G", 1610612736, "1536MB"},
        {"0.3k", 307, "307"},
        {"1TB", 1099511627776, "1TB"},
        {"1024TB", 1125899906842624, "1024TB"},
        {"1e6", 1e6, "1000000"},
        {"", -1, NULL},
        {"k", -1, NULL},
        {"MB", -1, NULL},
        {"12B", -1, NULL},
        {"1.5", -1, NULL},
        {"-1M", -1, NULL},
        {"1 M", -1, NULL},
        {"1MM", -1, NULL},
        {"1MBB", -1, NULL},
        {"many", -1, NULL},
        {"infG", -1, NULL},
        {"1e308T", -1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double bytes = -1;
        sg_text t = {0};
        bool taken = sg_byte_size_parse(cases[i].text, strlen(cases[i].text), &bytes);
        if (taken != (cases[i].bytes >= 0) || (taken && bytes != cases[i].bytes))
            fail_msg("%s: %g", cases[i].text, bytes);
        if (!taken) continue;
        sg_text_append_byte_size(&t, bytes);
        assert_string_equal(t.bytes, cases[i].usual);
        sg_text_release(&t);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(reads)};
TEST_GROUP(tests, NULL, NULL)
