/* test_tree_reduce.c: sums in a fixed tree, from ranges of leaves of any length. */
#include "comm/tree_reduce.h"
#include "thread_comm.h"

/* A sum that records how it was computed. */
typedef struct shown {
    char text[256];
} shown;

static void put_together(const void *what, void *sum, const void *more)
{
    shown *a = sum, whole;
    const shown *b = more;
    (void)what;
    snprintf(whole.text, sizeof whole.text, "(%.120s%.120s)", a->text, b->text);
    *a = whole;
}

/* The definition: the largest power of two of leaves on the left, the rest on the right. */
static shown tree_of(size_t first, size_t n)
{
    shown s;
    size_t left = 1;
    snprintf(s.text, sizeof s.text, "%c", (int)('a' + first));
    if (n == 1) return s;
    while (2 * left < n) left *= 2;
    s = tree_of(first, left);
    shown right = tree_of(first + left, n - left);
    put_together(NULL, &s, &right);
    return s;
}

enum { LEAVES = 23 };

static void add_range(sg_tree_reduce *f, size_t first, size_t last, size_t at_once)
{
    sg_tree_reduce_reset(f, first);
    for (size_t leaf = first; leaf < last; leaf += at_once) {
        size_t base = f->count, n = last - leaf < at_once ? last - leaf : at_once;
        for (size_t i = 0; i < n; i++) *(shown *)sg_tree_reduce_slot(f, base + i) = tree_of(leaf + i, 1);
        for (size_t i = 0; i < n; i++) sg_tree_reduce_push(f, 0, base + i);
    }
}

static void the_tree_is_fixed(void **state)
{
    (void)state;
    for (size_t n = 1; n <= LEAVES; n++)
        for (size_t at_once = 1; at_once < 6; at_once++) {
            sg_tree_reduce f;
            check(sg_tree_reduce_init(&f, NULL, n, at_once, sizeof(shown), put_together, NULL));
            add_range(&f, 0, n, at_once);
            assert_string_equal(((shown *)sg_tree_reduce_finish(&f))->text, tree_of(0, n).text);
            sg_tree_reduce_release(&f);
        }
}

/* Nodes of any level at valid positions. */
static void nodes_of_any_level(void **state)
{
    sg_tree_reduce f;
    (void)state;
    for (unsigned most = 0; most < 6; most++) {
        size_t leaf = 0;
        check(sg_tree_reduce_init(&f, NULL, LEAVES, 1, sizeof(shown), put_together, NULL));
        sg_tree_reduce_reset(&f, 0);
        while (leaf < LEAVES) {
            unsigned level = sg_tree_reduce_level(leaf, LEAVES, most);
            assert_true(level <= most && leaf % ((size_t)1 << level) == 0 && leaf + ((size_t)1 << level) <= LEAVES);
            *(shown *)sg_tree_reduce_slot(&f, f.count) = tree_of(leaf, (size_t)1 << level);
            sg_tree_reduce_push(&f, level, f.count);
            leaf += (size_t)1 << level;
        }
        assert_string_equal(((shown *)sg_tree_reduce_finish(&f))->text, tree_of(0, LEAVES).text);
        sg_tree_reduce_release(&f);
    }
}

static sg_status reduce(const sg_comm *team, void *arg)
{
    const size_t *bound = arg;
    sg_tree_reduce f;
    sg_status st = sg_tree_reduce_init(&f, team, LEAVES, 3, sizeof(shown), put_together, NULL);
    if (st != SG_OK) return st;
    add_range(&f, bound[team->rank], bound[team->rank + 1], 3);
    st = sg_tree_reduce_allreduce(&f, team, bound);
    if (st == SG_OK && strcmp(((shown *)sg_tree_reduce_finish(&f))->text, tree_of(0, LEAVES).text) != 0) st = SG_EDATA;
    sg_tree_reduce_release(&f);
    return st;
}

static void a_team_makes_the_same_tree(void **state)
{
    size_t bounds[][9] = {
        {0, LEAVES}, {0, 11, LEAVES}, {0, 0, LEAVES}, {0, 5, 5, 6, LEAVES}, {0, 1, 3, 7, 8, 8, 19, 22, LEAVES}};
    size_t ranks[] = {1, 2, 2, 4, 8};
    (void)state;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) team_check(ranks[i], reduce, bounds[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_tree_is_fixed),
    cmocka_unit_test(nodes_of_any_level),
    cmocka_unit_test(a_team_makes_the_same_tree),
};
TEST_GROUP(tests, NULL, NULL)
