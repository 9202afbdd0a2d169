/* test_movemask.c: movemask, portable and with SSE2. labels: arithmetic */
#include "test.h"

#include "base/movemask.h"

static void bits_are_the_flags(void **state)
{
    static const uint64_t cases[] = {0,
                                     1,
                                     UINT64_MAX,
                                     UINT64_C(1) << 63,
                                     UINT64_C(0x0123456789abcdef),
                                     UINT64_C(0xfedcba9876543210),
                                     UINT64_C(0x8000800080008000)};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char flag[SG_MOVEMASK_BYTES];
        for (int i = 0; i < SG_MOVEMASK_BYTES; i++) flag[i] = cases[k] >> i & 1 ? SG_MOVEMASK_SET : 0;
        assert_true(sg_movemask_portable(flag) == cases[k]);
        assert_true(sg_movemask(flag) == cases[k]);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(bits_are_the_flags)};
TEST_GROUP(tests, NULL, NULL)
