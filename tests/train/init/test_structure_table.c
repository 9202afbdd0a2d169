/* test_structure_table.c: limits on the memory of a rule base.
 * labels: memory */
#include "test.h"
#include "train/init/structure_table.h"

/* Least squares of 5,000 consequents needs 200 MB per Gram matrix, and two of these besides the partial sums in the
 * tree. */
static void sums_are_counted(void **state)
{
    sg_model m = {.a.out = 9, .shared_pipeline = true, .outputs = 1};
    sg_source few = {.rows = 4000, .columns = 10}, many = {.rows = 1000000, .columns = 10};
    (void)state;
    check(sg_structure_check_size(true, &few, &m, "", 500));
    check(sg_structure_check_size(false, &many, &m, "", 500));
    check(sg_structure_check_size(true, &many, &m, "", 400));
    check_fails(sg_structure_check_size(true, &many, &m, "", 500), SG_EINVAL,
                "500 rules need 1.2 GB of memory for least squares; use --rules N or a smaller --mfs");
    check_fails(sg_structure_check_size(true, &few, &m, "", 600), SG_EINVAL,
                "600 rules need 288 MB of memory for least squares");
    check_fails(sg_structure_check_size(false, &few, &m, "2^22", 4194304), SG_EINVAL,
                "2^22 = 4,194,304 rules need 335.5 MB of memory; use");
}

/* If one rule has many inputs, the message is about inputs. */
static void inputs_are_counted(void **state)
{
    sg_model wide = {.a.out = 5700, .shared_pipeline = true, .outputs = 1},
             less = {.a.out = 5700, .z.out = 5000, .outputs = 1};
    sg_source few = {.rows = 4000, .columns = 5701}, many = {.rows = 10000000, .columns = 5701};
    (void)state;
    check(sg_structure_check_size(false, &few, &wide, "", 1));
    check(sg_structure_check_size(true, &few, &less, "", 1));
    check(sg_structure_check_lse(&few, &less, "that"));
    check_fails(sg_structure_check_size(true, &few, &wide, "", 1), SG_EINVAL,
                "least squares with 5,700 inputs needs 260.1 MB of memory; use fewer inputs (--ignore)");
    check_fails(sg_structure_check_lse(&few, &wide, "that"), SG_EINVAL,
                "that with 5,700 inputs needs 260.1 MB of memory; use fewer");
    check_fails(sg_structure_check_lse(&many, &less, "that"), SG_EINVAL, "that with 5,000 inputs needs 1.");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_counted), cmocka_unit_test(inputs_are_counted)};
TEST_GROUP(tests, NULL, NULL)
