/* test_encoded_source.c: a source that encodes categorical columns as features. labels: memory threads */
#include "test.h"

#include "data/source/encoded_source.h"

#include <pthread.h>

enum { ROWS = 5 };

/* Columns: colour (text), a, size (a numeric category), b. */
typedef struct shelf {
    const char *const *word;
    size_t columns;
    double row[ROWS][4];
} shelf;

static const char *const words[] = {"red", "green", "mauve", "7.0", NULL};
static const char *const names[] = {"colour", "a", "size", "b"};

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const shelf *s = self;
    if (first + n > ROWS) return SG_EIO;
    for (size_t i = 0; i < n; i++) memcpy(out + i * s->columns, s->row[first + i], sizeof s->row[0]);
    return SG_OK;
}

static const char *level(void *self, size_t column, size_t i)
{
    const shelf *s = self;
    return column == 0 ? s->word[i] : NULL;
}

static sg_source source_of(shelf *s)
{
    *s = (shelf){
        words, 4, {{1, 2.5, 38, -1}, {0, 3.5, 40, -2}, {NAN, NAN, NAN, -3}, {2, 5.5, 39, -4}, {3, 6.5, 40, -5}}};
    return (sg_source){
        .self = s, .name = "shelf", .rows = ROWS, .columns = 4, .names = names, .read = read_rows, .level = level};
}

static sg_encoder *coding(void)
{
    const char *const colour[] = {"7", "green", "red"}, *const size[] = {"38", "40"};
    sg_encoder *c = sg_encoder_new();
    check(sg_encoder_add_number(c, "a"));
    check(sg_encoder_add_category(c, "colour", colour, 3, false));
    check(sg_encoder_add_category(c, "size", size, 2, true));
    return c;
}

enum { WIDTH = 8 };
static const size_t columns[] = {1, 0, 2}, more[] = {3, 1};
/* a, colour is 7, green, red, size is 38, 40, other, then b and a */
static const double expected[ROWS][WIDTH + 1] = {{2.5, 0, 1, 0, 1, 0, 0, -1, 2.5},
                                                 {3.5, 0, 0, 1, 0, 1, 0, -2, 3.5},
                                                 {NAN, NAN, NAN, NAN, NAN, NAN, NAN, -3, NAN},
                                                 {5.5, 0, 0, 0, 0, 0, 1, -4, 5.5},
                                                 {6.5, 1, 0, 0, 0, 1, 0, -5, 6.5}};

static void assert_row(const double *is, size_t row)
{
    for (size_t i = 0; i < WIDTH + 1; i++)
        if (isnan(expected[row][i])) assert_true(isnan(is[i]));
        else assert_true(is[i] == expected[row][i]);
}

static void reads_and_gathers(void **state)
{
    shelf data;
    sg_source of = source_of(&data);
    sg_encoder *c = coding();
    sg_encoded_source *e;
    double out[ROWS * (WIDTH + 1)];
    (void)state;
    check(sg_encoded_source_new(&of, c, columns, more, 2, &e));
    sg_source s = sg_encoded_source_rows(e);
    assert_int_equal(s.columns, WIDTH + 1);
    assert_int_equal(s.rows, ROWS);
    assert_null(s.level);
    assert_string_equal(s.name, "shelf");
    assert_string_equal(s.names[2], "colour is green");
    assert_string_equal(s.names[6], "size is other");
    assert_string_equal(s.names[7], "b");
    check(s.read(s.self, 1, ROWS - 1, out));
    for (size_t i = 0; i < ROWS - 1; i++) assert_row(out + i * (WIDTH + 1), i + 1);
    check(s.gather(s.self, (size_t[]){4, 0, 3}, 3, out));
    assert_row(out, 4);
    assert_row(out + WIDTH + 1, 0);
    assert_row(out + 2 * (WIDTH + 1), 3);
    assert_int_equal(s.read(s.self, ROWS, 1, out), SG_EIO);
    sg_encoded_source_free(e);
    sg_encoder_free(c);
}

static void says_what_is_not_listed(void **state)
{
    shelf data;
    sg_source of = source_of(&data);
    sg_encoder *c = coding();
    sg_encoded_source *e;
    char buf[32];
    (void)state;
    check(sg_encoded_source_new(&of, c, columns, NULL, 0, &e));
    const sg_level_map *colour = sg_encoded_source_level_map(e, 0), *size = sg_encoded_source_level_map(e, 1);
    assert_null(sg_encoded_source_level_map(e, 2));
    assert_true(sg_level_map_find(colour, 2) >= 3 && sg_level_map_find(colour, 1) == 1 &&
                isnan(sg_level_map_find(colour, NAN)));
    assert_true(sg_level_map_find(colour, 4) >= 3 && sg_level_map_find(colour, 0.5) >= 3 &&
                sg_level_map_find(colour, -1) >= 3);
    assert_true(sg_level_map_find(size, 39) >= 2 && sg_level_map_find(size, 40) == 1);
    assert_string_equal(sg_level_map_text(colour, &of, 2, buf), "mauve");
    assert_string_equal(sg_level_map_text(size, &of, 39, buf), "39");
    sg_encoded_source_free(e);
    sg_encoder_free(c);
}

static void refuses_words_for_numbers(void **state)
{
    shelf data;
    sg_source of = source_of(&data);
    sg_encoder *c = sg_encoder_new();
    sg_encoded_source *e;
    (void)state;
    check(sg_encoder_add_number(c, "colour"));
    check_fails(sg_encoded_source_new(&of, c, &(size_t){0}, NULL, 0, &e), SG_EDATA,
                "shelf: column \"colour\" holds text (\"red\"); expected numbers");
    sg_encoder_free(c);
}

/* --- more columns than fit on a stack, from several threads --- */

enum { WIDE = 5000, MANY = 64 };

static sg_status read_wide(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < WIDE; k++) out[i * WIDE + k] = (double)((first + i) % 3 + k);
    return SG_OK;
}

static void *read_all(void *arg)
{
    const sg_source *s = arg;
    double out[3];
    for (size_t i = 0; i < MANY; i++) {
        if (s->read(s->self, i, 1, out) != SG_OK) return arg;
        if (out[0] != (i % 3 == 0) || out[1] != (i % 3 == 2) || out[2] != (double)(i % 3 + 4321)) return arg;
    }
    return NULL;
}

static void reads_wide_rows(void **state)
{
    const char *const level_of[] = {"4999", "5001"}, **wide = calloc(WIDE, sizeof *wide);
    for (size_t i = 0; i < WIDE; i++) wide[i] = "x";
    sg_source of = {.name = "wide", .rows = MANY, .columns = WIDE, .names = wide, .read = read_wide};
    sg_encoder *c = sg_encoder_new();
    sg_encoded_source *e;
    pthread_t thread[3];
    void *failed;
    (void)state;
    check(sg_encoder_add_category(c, "x", level_of, 2, false));
    check(sg_encoded_source_new(&of, c, &(size_t){4999}, &(size_t){4321}, 1, &e));
    sg_source s = sg_encoded_source_rows(e);
    for (size_t i = 0; i < 3; i++) assert_int_equal(pthread_create(&thread[i], NULL, read_all, &s), 0);
    for (size_t i = 0; i < 3; i++) {
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    sg_encoded_source_free(e);
    sg_encoder_free(c);
    free(wide);
}

static void subsets_keep_levels(void **state)
{
    shelf data;
    sg_source of = source_of(&data);
    sg_subset *some;
    (void)state;
    check(sg_subset_new(&of, (size_t[]){3, 1}, 2, &some));
    sg_source s = sg_subset_source(some);
    assert_string_equal(sg_source_level(&s, 0, 1), "green");
    assert_null(sg_source_level(&s, 0, 4));
    assert_null(sg_source_level(&s, 1, 0));
    sg_subset_free(some);
    of.level = NULL;
    check(sg_subset_new(&of, (size_t[]){3, 1}, 2, &some));
    assert_null(sg_subset_source(some).level);
    sg_subset_free(some);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_and_gathers),         cmocka_unit_test(says_what_is_not_listed),
    cmocka_unit_test(refuses_words_for_numbers), cmocka_unit_test(reads_wide_rows),
    cmocka_unit_test(subsets_keep_levels),
};
TEST_GROUP(tests, NULL, NULL)
