/* test_dropout.c: dropout masks have the given probability, independent bits, and are a function of
 * (seed, iteration, row, block). labels: arithmetic */
#include "test.h"

#include "base/random/random.h"
#include "train/batch/dropout.h"

enum { ROWS = 64, WORDS = 64 };

/* A model that has only sizes, because dropout needs nothing else. */
typedef struct sizes {
    sg_block block[2];
    sg_model model;
} sizes;

static sg_model *model_of(sizes *s, size_t rules, size_t mfs, size_t more_rules)
{
    *s = (sizes){.block = {{.rules = rules, .mfs = mfs, .inputs = 3}, {.rules = more_rules, .mfs = 60, .inputs = 3}}};
    s->model = (sg_model){.blocks = more_rules ? 2 : 1, .block = s->block};
    return &s->model;
}

static void count_up(size_t *rows, size_t n, size_t first)
{
    for (size_t i = 0; i < n; i++) rows[i] = first + i;
}

static bool bit(const uint32_t *bits, size_t i) { return bits[i / 32] >> i % 32 & 1; }

/* Each of 70 rules is kept as often as expected, within 5 standard deviations. Neighbouring rules are kept together as
 * often as independent ones would be. */
static void rates(void **state)
{
    static const double keep[] = {.5, .9, .001, .25, 1. / 3, 1 - 0x1p-32, 0x1p-33};
    enum { RULES = 70, CHUNKS = 2000, DRAWS = ROWS * CHUNKS };
    (void)state;
    for (size_t k = 0; k < sizeof keep / sizeof *keep; k++) {
        sizes s;
        sg_model *m = model_of(&s, RULES, 0, 0);
        sg_dropout d = {sg_dropout_find("rule"), keep[k], 2385};
        size_t rows[ROWS], hits[RULES] = {0}, pairs = 0, words = sg_dropout_words(&d, m);
        uint32_t bits[ROWS * WORDS];
        double p = floor(keep[k] * 0x1p32) * 0x1p-32;
        assert_int_equal(words, 3);
        for (size_t c = 0; c < CHUNKS; c++) {
            count_up(rows, ROWS, c * ROWS);
            assert_true(sg_dropout_draw(&d, m, 0, 7, rows, ROWS, bits));
            for (size_t i = 0; i < ROWS; i++) {
                for (size_t r = 0; r < RULES; r++) hits[r] += bit(bits + i * words, r);
                for (size_t r = 1; r < RULES; r++) pairs += bit(bits + i * words, r) && bit(bits + i * words, r - 1);
                for (size_t r = RULES; r < 32 * words; r++) assert_false(bit(bits + i * words, r));
            }
        }
        for (size_t r = 0; r < RULES; r++) assert_close((double)hits[r], DRAWS * p, 5 * sqrt(DRAWS * p * (1 - p)));
        assert_close((double)pairs, 69. * DRAWS * p * p, 9 * sqrt(69. * DRAWS * p * p));
    }
}

/* Computes masks for P = 0.101 (binary) by hand. The first random word belongs to the last digit. */
static void digits_in_order(void **state)
{
    sizes s;
    sg_model *m = model_of(&s, 40, 0, 0);
    sg_dropout d = {sg_dropout_find("rule"), .625, 99};
    size_t row = 12345678901;
    uint32_t bits[2], w[8];
    (void)state;
    for (uint32_t i = 0; i < 8; i++) w[i] = sg_random(99, SG_RANDOM_DROP, 3, row, i / 4).word[i % 4];
    assert_true(sg_dropout_draw(&d, m, 0, 3, &row, 1, bits));
    assert_int_equal(bits[0], (w[0] & w[1]) | w[2]);
    assert_int_equal(bits[1], ((w[3] & w[4]) | w[5]) & 0xff);
}

/* The mask of a row does not depend on the other rows of the call; it depends on seed, iteration and block. */
static void a_pure_function(void **state)
{
    static const char *const kinds[] = {"rule", "mf", "membership"};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        sizes s;
        sg_model *m = model_of(&s, 33, 70, 50);
        sg_dropout d = {sg_dropout_find(kinds[k]), .7, 11}, other = {d.kind, .7, 12};
        size_t rows[ROWS], words = sg_dropout_words(&d, m);
        uint32_t all[ROWS * WORDS], one[WORDS], next[WORDS];
        for (size_t n = 1; n <= ROWS; n += 21) {
            count_up(rows, n, (size_t)1 << 33);
            for (size_t b = 0; b < 2; b++) {
                sg_dropout_draw(&d, m, b, 5, rows, n, all);
                for (size_t i = n; i-- > 0;) {
                    sg_dropout_draw(&d, m, b, 5, &rows[i], 1, one);
                    assert_memory_equal(one, all + i * words, words * sizeof *one);
                }
                sg_dropout_draw(&d, m, b, 6, rows, 1, next);
                assert_memory_not_equal(one, next, words * sizeof *one);
                sg_dropout_draw(&other, m, b, 5, rows, 1, next);
                assert_memory_not_equal(one, next, words * sizeof *one);
            }
        }
        sg_dropout_draw(&d, m, 0, 5, rows, 1, one);
        sg_dropout_draw(&d, m, 1, 5, rows, 1, next);
        assert_int_not_equal(one[0], next[0]);
    }
}

static void nothing_to_drop(void **state)
{
    sizes s;
    sg_model *m = model_of(&s, 7, 0, 0);
    size_t row = 3;
    uint32_t bits[WORDS];
    const sg_dropout none = {sg_dropout_find("none"), .5, 1}, all = {sg_dropout_find("rule"), 1, 1},
                     no_mfs = {sg_dropout_find("mf"), .5, 1};
    (void)state;
    assert_false(sg_dropout_draw(&none, m, 0, 1, &row, 1, bits));
    assert_false(sg_dropout_draw(&all, m, 0, 1, &row, 1, bits));
    assert_false(sg_dropout_draw(&no_mfs, m, 0, 1, &row, 1, bits));
}

static void masks_are_the_bits(void **state)
{
    sizes s;
    sg_model *m = model_of(&s, 17, 0, 0);
    sg_dropout d = {sg_dropout_find("membership"), .5, 4};
    size_t row = 3;
    uint32_t bits[4];
    unsigned char bytes[32 * 4];
    (void)state;
    assert_int_equal(sg_dropout_words(&d, m), 2);
    assert_true(sg_dropout_draw(&d, m, 0, 1, &row, 1, bits));
    sg_dropout_mask mask = sg_keep_mask_unpack(d.kind->target, m->block, bits, bytes);
    assert_true(mask.membership == bytes && !mask.rule && !mask.mf);
    for (size_t i = 0; i < 17 * 3; i++) assert_int_equal(bytes[i], bit(bits, i));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rates),           cmocka_unit_test(digits_in_order),    cmocka_unit_test(a_pure_function),
    cmocka_unit_test(nothing_to_drop), cmocka_unit_test(masks_are_the_bits),
};
TEST_GROUP(tests, NULL, NULL)
