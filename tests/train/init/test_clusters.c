/* test_clusters.c: k-means, fuzzy c-means and tree clusters on hand-made rows, and the rules built from them.
 * labels: memory */
#include "test.h"
#include "train/init/clusters.h"

#include "model/model.h"

enum { MOST = 8 };

/* Rows of two inputs and a target. */
typedef struct fixture {
    sg_clusters c;
    double centre[MOST * 2], spread[MOST * 2], level[MOST];
} fixture;

static double deviation(double (*x)[3], size_t rows, size_t input)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < rows; i++) sum += x[i][input];
    for (size_t i = 0; i < rows; i++) square += pow(x[i][input] - sum / (double)rows, 2);
    return sqrt(square / (double)(rows - 1));
}

static sg_clusters *clusters_of(fixture *f, double (*x)[3], size_t rows, size_t k)
{
    *f = (fixture){.c = {.rows = rows, .k = k, .inputs = 2, .width = 2, .targets = 1, .x = x[0]}};
    for (size_t i = 0; i < 2 * k; i++) f->spread[i] = deviation(x, rows, i % 2);
    f->c.centre = f->centre;
    f->c.sigma = f->spread;
    f->c.target_mean = f->level;
    return &f->c;
}

/* --- k-means --- */

static void means_of_groups(void **state)
{
    double x[][3] = {{0, 0, 0}, {5, 5, 0}, {0, 1, 0}, {5, 6, 0}, {1, 0, 0}, {6, 5, 0}, {5, 5, 0}};
    fixture f;
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        check(sg_clusters_kmeans(clusters_of(&f, x, 7, 2), seed));
        size_t low = f.centre[0] > 3; /* the order depends on the seed */
        assert_close(f.centre[2 * low], 1.0 / 3, 1e-15);
        assert_close(f.centre[2 * low + 1], 1.0 / 3, 1e-15);
        assert_close(f.centre[2 * !low], 5.25, 1e-15);
        assert_close(f.centre[2 * !low + 1], 5.25, 1e-15);
        assert_false(f.c.has_target_means);
    }
}

/* --- fuzzy c-means --- */

static double squared(const double *a, const double *b)
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/* u_k = 1 / sum over clusters of (d_k / d_j)^(2 / (m - 1)) with m = 2. */
static double membership(const fixture *f, const double *x, size_t k)
{
    double sum = 0;
    for (size_t j = 0; j < f->c.k; j++) sum += squared(x, f->centre + 2 * k) / squared(x, f->centre + 2 * j);
    return 1 / sum;
}

static void memberships_as_the_formula(void **state)
{
    enum { ROWS = 11 };
    double x[ROWS][3] = {{0.1, 0.3, 1},   {0.7, -0.2, 2},  {-0.4, 0.6, 1.5}, {0.2, 0.9, 0.5},
                         {4.1, 3.7, 8},   {5.2, 4.4, 9},   {4.6, 5.1, 7},    {-3.3, 4.2, -4},
                         {-2.9, 5.1, -5}, {-3.8, 4.8, -3}, {1.9, 2.2, 3}};
    fixture f;
    (void)state;
    check(sg_clusters_fcm(clusters_of(&f, x, ROWS, 3), 1));
    assert_true(f.c.has_target_means);
    for (size_t k = 0; k < 3; k++) {
        double u2[3] = {0}, u = 0, sum[3] = {0}, square[2] = {0};
        for (size_t r = 0; r < ROWS; r++) {
            double m = membership(&f, x[r], k);
            for (size_t i = 0; i < 2; i++) {
                u2[i] += m * m * x[r][i];
                square[i] += m * x[r][i] * x[r][i];
            }
            u2[2] += m * m;
            for (size_t i = 0; i < 3; i++) sum[i] += m * x[r][i];
            u += m;
        }
        for (size_t i = 0; i < 2; i++) {
            assert_close(f.centre[2 * k + i], u2[i] / u2[2], 1e-3); /* at convergence */
            assert_close(f.spread[2 * k + i], sqrt(square[i] / u - sum[i] * sum[i] / u / u), 1e-9);
        }
        assert_close(f.level[k], sum[2] / u, 1e-12);
    }
}

/* All rows are equal to the centres. */
static void rows_on_centres(void **state)
{
    double x[][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    fixture f;
    (void)state;
    clusters_of(&f, x, 3, 2);
    for (size_t i = 0; i < 4; i++) f.spread[i] = 0.25;
    check(sg_clusters_fcm(&f.c, 1));
    for (size_t k = 0; k < 2; k++) {
        assert_close(f.centre[2 * k], 1, 1e-12);
        assert_close(f.level[k], 3, 1e-12);
        assert_true(f.spread[2 * k] == 0.25); /* unchanged */
    }
}

/* --- trees --- */

/* y = 10 for a > 0.5, else 3 for b > 0.3, else 0; a and b on a grid of 10 x 10 from 0 to 0.9. */
static void make_steps(double x[100][3])
{
    for (size_t i = 0; i < 100; i++) {
        double a = (double)(i / 10) / 10, b = (double)(i * 7 % 10) / 10;
        x[i][0] = a;
        x[i][1] = b;
        x[i][2] = a > 0.55 ? 10 : b > 0.35 ? 3 : 0;
    }
}

static void boxes_of_steps(void **state)
{
    static const struct {
        double level, centre[2], half[2];
    } due[] = {{10, {0.725, 0}, {0.175, 0}}, {3, {0.275, 0.625}, {0.275, 0.275}}, {0, {0.275, 0.175}, {0.275, 0.175}}};
    double x[100][3];
    fixture f;
    (void)state;
    make_steps(x);
    check(sg_clusters_tree(clusters_of(&f, x, 100, 8), 1));
    assert_int_equal(f.c.k, 3); /* no further gain */
    for (size_t i = 0; i < 3; i++) {
        size_t found = 0;
        for (size_t k = 0; k < 3; k++) {
            double off = 0;
            for (size_t m = 0; m < 2; m++) {
                off += fabs(f.spread[2 * k + m] - due[i].half[m]);
                if (due[i].half[m] > 0) off += fabs(f.centre[2 * k + m] - due[i].centre[m]);
            }
            found += off < 1e-12;
        }
        if (found != 1) fail_msg("the box of %g", due[i].level);
    }
}

/* The first split has the largest gain, a leaf has at least five rows, and equal values are not separated. */
static void fewer_leaves(void **state)
{
    double x[100][3];
    fixture f;
    (void)state;
    make_steps(x);
    check(sg_clusters_tree(clusters_of(&f, x, 100, 2), 1));
    assert_int_equal(f.c.k, 2);
    for (size_t k = 0; k < 2; k++) assert_true(f.spread[2 * k] > 0 && f.spread[2 * k + 1] == 0);
    check(sg_clusters_tree(clusters_of(&f, x, 9, 8), 1));
    assert_int_equal(f.c.k, 1);
    for (size_t i = 0; i < 100; i++) x[i][2] = 2.385;
    check(sg_clusters_tree(clusters_of(&f, x, 100, 8), 1));
    assert_int_equal(f.c.k, 1);
    assert_true(f.spread[0] == 0 && f.spread[1] == 0);
}

/* The width of a very narrow box is at least a thousandth of the standard deviation. */
static void narrow_boxes(void **state)
{
    double x[100][3];
    (void)state;
    for (int power = -12; power <= 12; power += 3) {
        double unit = pow(10, power);
        fixture f;
        for (size_t i = 0; i < 100; i++) {
            x[i][0] = i < 90 ? 0 : i < 95 ? 1e-9 * unit : (double)i * unit;
            x[i][1] = 0;
            x[i][2] = i >= 90 && i < 95 ? 1 : 0;
        }
        check(sg_clusters_tree(clusters_of(&f, x, 100, 8), 1));
        assert_int_equal(f.c.k, 3);
        size_t narrow = 0;
        for (size_t k = 0; k < 3; k++) narrow += fabs(f.spread[2 * k] / (1e-3 * deviation(x, 100, 0)) - 1) < 1e-12;
        assert_int_equal(narrow, 1);
    }
}

/* --- units --- */

/* Clusters do not depend on the unit, nor on an offset of the targets. */
static void compare_units(sg_status (*find)(sg_clusters *c, uint64_t seed), int power, double shift)
{
    double x[100][3], y[100][3], unit = ldexp(1, power);
    fixture f, g;
    for (size_t i = 0; i < 100; i++) {
        x[i][0] = sin(2.3 * (double)i) + (i % 3 == 0 ? 2.385 : 0);
        x[i][1] = cos(0.7 * (double)i) * 3 + (i % 3 == 1 ? 5 : 0);
        x[i][2] = x[i][0] > 1 ? 4 : x[i][1] > 2 ? 1.5 : 0;
        for (size_t k = 0; k < 3; k++) y[i][k] = k < 2 ? x[i][k] * unit : x[i][k] + shift;
    }
    check(find(clusters_of(&f, x, 100, 4), 1));
    check(find(clusters_of(&g, y, 100, 4), 1));
    assert_int_equal(f.c.k, g.c.k);
    assert_true(f.c.k > 2);
    for (size_t i = 0; i < 2 * f.c.k; i++) {
        assert_close(g.centre[i] / unit, f.centre[i], 1e-12);
        assert_close(g.spread[i] / unit, f.spread[i], 1e-12);
    }
    for (size_t i = 0; f.c.has_target_means && i < f.c.k; i++) assert_close(g.level[i] - shift, f.level[i], 1e-9);
}

static void any_units(void **state)
{
    (void)state;
    for (int power = -120; power <= 120; power += 20) {
        compare_units(sg_clusters_kmeans, power, 0);
        compare_units(sg_clusters_fcm, power, 1e4);
        compare_units(sg_clusters_tree, power, 1e5);
    }
}

/* --- rules --- */

static sg_trainer *trainer_of(const char *settings)
{
    static const char *const names[] = {"a", "b", "y"};
    double x[100][3];
    sg_table *table;
    sg_trainer *t;
    make_steps(x);
    check(sg_table_new(names, 3, x[0], 100, &table));
    sg_source rows = sg_table_source(table);
    sg_options *o = options_of(settings);
    check(sg_trainer_new(o, &rows, NULL, &t));
    sg_options_free(o);
    sg_table_free(table); /* only the model is used */
    return t;
}

static void rules_ask_for_what_was_cut(void **state)
{
    sg_trainer *t = trainer_of("structure=cluster rules=8 centres=tree");
    const sg_block *b = &sg_trainer_current(t)->block[0];
    size_t one = 0;
    (void)state;
    assert_int_equal(b->rules, 3);
    assert_int_equal(b->mfs, 5);
    for (size_t r = 0; r < 3; r++) {
        assert_true(b->mf_of[2 * r] >= 0); /* all rules have a condition on a */
        one += b->mf_of[2 * r + 1] < 0;
    }
    assert_int_equal(one, 1);
    sg_trainer_free(t);
}

/* Widths scale with --width; consequents of fuzzy clusters start at target means; firing levels may be means. */
static void options_of_rules(void **state)
{
    sg_trainer *t = trainer_of("rules=4 width=1"), *wide = trainer_of("rules=4 width=2.5 firing=mean"),
               *fuzzy = trainer_of("rules=4 centres=fcm"), *grid = trainer_of("width=2.5"), *usual = trainer_of("");
    const sg_block *b = &sg_trainer_current(t)->block[0], *w = &sg_trainer_current(wide)->block[0],
                   *u = &sg_trainer_current(fuzzy)->block[0], *g = &sg_trainer_current(grid)->block[0],
                   *plain = &sg_trainer_current(usual)->block[0];
    (void)state;
    assert_true(b->firing_scale == 1 && w->firing_scale == 0.5 && g->firing_scale == 1);
    for (size_t i = 0; i < 8; i++) {
        assert_true(w->mf[i] == b->mf[i]);
        assert_close(w->mf[8 + i], 2.5 * b->mf[8 + i], 1e-15);
    }
    for (size_t i = 0; i < 4; i++) assert_close(g->mf[4 + i], 2.5 * plain->mf[4 + i], 1e-15);
    double least = INFINITY, most = -INFINITY;
    for (size_t r = 0; r < 4; r++) {
        least = fmin(least, u->conseq[3 * r]);
        most = fmax(most, u->conseq[3 * r]);
        assert_true(b->conseq[3 * r] == 0 && u->conseq[3 * r + 1] == 0);
    }
    assert_true(least < -2 && most > 2);
    sg_trainer_free(t);
    sg_trainer_free(wide);
    sg_trainer_free(fuzzy);
    sg_trainer_free(grid);
    sg_trainer_free(usual);
}

/* The exponent of firing=mean is the reciprocal of the mean number of conditions per rule: here 5 conditions of 3
 * rules, or all inputs. */
static void means_of_few_conditions(void **state)
{
    static const struct {
        const char *settings;
        double h;
    } cases[] = {{"structure=cluster rules=8 centres=tree firing=mean", 3.0 / 5},
                 {"structure=cluster rules=1 centres=tree firing=mean", 1}, /* no conditions */
                 {"rules=5 firing=mean", 0.5},
                 {"mfs=3 firing=mean", 0.5},
                 {"structure=linear firing=mean", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_trainer *t = trainer_of(cases[i].settings);
        if (sg_trainer_current(t)->block[0].firing_scale != cases[i].h) fail_msg("%s", cases[i].settings);
        sg_trainer_free(t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(means_of_groups),  cmocka_unit_test(memberships_as_the_formula),
    cmocka_unit_test(rows_on_centres),  cmocka_unit_test(boxes_of_steps),
    cmocka_unit_test(fewer_leaves),     cmocka_unit_test(rules_ask_for_what_was_cut),
    cmocka_unit_test(options_of_rules), cmocka_unit_test(narrow_boxes),
    cmocka_unit_test(any_units),        cmocka_unit_test(means_of_few_conditions),
};
TEST_GROUP(tests, NULL, NULL)
