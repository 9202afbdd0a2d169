/* test_mf.c: every kind of membership function. labels: arithmetic */
#include "base/random/random.h"
#include "model/mf/mf.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

static const double centres[] = {0, -2.385, 0.731, 1e6, -1e-9};
static const double widths[] = {1, 0.137, 23.85, 1e-4};

#define COUNT(a)        (sizeof(a) / sizeof *(a))
#define FOR_KINDS(kind) for (const sg_mf_kind *kind = sg_mf_find("gauss"); kind; kind = next(kind))

static const sg_mf_kind *next(const sg_mf_kind *kind)
{
    size_t i = 0;
    while (strcmp(sg_mf_name(i), kind->name) != 0) i++;
    return sg_mf_name(i + 1) ? sg_mf_find(sg_mf_name(i + 1)) : NULL;
}

static double draw(sg_random_stream *s, double low, double high)
{
    return low + (high - low) * sg_random_stream_uniform(s);
}

/* A valid MF near 0, asymmetric if its kind allows. */
static void random_parameters(const sg_mf_kind *kind, sg_random_stream *s, double *p)
{
    kind->init(draw(s, -1.2, 1.3), draw(s, 0.5, 1.5), draw(s, 1.5, 2.5), p);
    for (size_t k = 0; k < kind->arity; k++) p[k] *= draw(s, 0.8, 1.2);
    kind->project(1, p, 0.1);
    assert_null(kind->validate(1, p));
}

static void the_table_is_whole(void **state)
{
    static const char *const names[] = {"gauss", "gauss-a", "gbell", "tri", "trap", "gauss2", NULL};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!names[i]) {
            assert_null(sg_mf_name(i));
            break;
        }
        const sg_mf_kind *kind = sg_mf_find(names[i]);
        assert_string_equal(sg_mf_name(i), names[i]);
        assert_string_equal(kind->name, names[i]);
        assert_true(kind->arity >= 1 && kind->arity <= SG_MF_MAX_PARAMETERS);
        assert_int_equal(strlen(kind->parameter_role), kind->arity);
        for (size_t k = 0; k < kind->arity; k++)
            assert_true(kind->parameter[k] && strchr("lwis", kind->parameter_role[k]));
        assert_true(kind->centre < (int)kind->arity && (kind->centre < 0 || kind->parameter_role[kind->centre] == 'l'));
    }
    assert_null(sg_mf_find("Gauss"));
    assert_null(sg_mf_find(""));
}

/* Memberships by the formulas in the file comments. */
static void values_by_formula(void **state)
{
    static const struct {
        const char *kind;
        double p[4], x, mu;
    } cases[] = {
        {"gauss", {1, 2}, 1, 1},
        {"gauss", {1, 2}, 4, 0.32465246735834974}, /* exp(-9/8)  */
        {"gauss-a", {1, 0.5}, 4, 0.32465246735834974},
        {"gauss-a", {1, 0}, 4, 1},
        {"gbell", {2, 3, 1}, 3, 0.5},
        {"gbell", {2, 3, 1}, 2, 64.0 / 65}, /* 1 / (1 + .5^6) */
        {"gbell", {2, 3, 1}, -3, 1.0 / 65},
        {"gbell", {2, 3, 1}, 1, 1},
        {"tri", {-1, 1, 5}, 0, 0.5},
        {"tri", {-1, 1, 5}, 1, 1},
        {"tri", {-1, 1, 5}, 4, 0.25},
        {"trap", {-1, 1, 2, 6}, -0.5, 0.25},
        {"trap", {-1, 1, 2, 6}, 1, 1},
        {"trap", {-1, 1, 2, 6}, 1.7, 1},
        {"trap", {-1, 1, 2, 6}, 2, 1},
        {"trap", {-1, 1, 2, 6}, 5, 0.25},
        {"gauss2", {1, 0.5, 3, 2}, -2, 0.32465246735834974},
        {"gauss2", {1, 0.5, 3, 2}, 2.3, 1},
        {"gauss2", {1, 0.5, 3, 2}, 3.75, 0.32465246735834974},
        {"gauss2", {1, 0, 3, 2}, -1e6, 1}, /* open below */
        {"gauss2", {1, 0.5, 3, 0}, 1e6, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sg_mf_kind *kind = sg_mf_find(cases[i].kind);
        double mu = exp(kind->log_value(cases[i].x, cases[i].p));
        if (!(fabs(mu - cases[i].mu) <= 1e-15)) fail_msg("case %zu: %.17g", i, mu);
    }
}

static void log_values_are_never_positive(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    for (uint64_t seed = 0; seed < 20; seed++) {
        sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_SYNTHETIC_DATA, 0, 1);
        double p[SG_MF_MAX_PARAMETERS];
        random_parameters(kind, &s, p);
        for (int i = 0; i < 500; i++) {
            double value = kind->log_value(draw(&s, -9, 9), p);
            assert_true(value <= 0 && isfinite(value));
        }
        for (size_t k = 0; k < kind->arity; k++) { /* also at the corners */
            if (kind->parameter_role[k] != 'l') continue;
            for (int side = -1; side <= 1; side++) {
                double x = side ? nextafter(p[k], side * INFINITY) : p[k], value = kind->log_value(x, p);
                assert_true(value <= 0 && value >= SG_LOG_MEMBERSHIP_FLOOR);
            }
        }
    }
}

/* Returns false at a kink, where two step sizes disagree. */
static bool difference(const sg_mf_kind *kind, double x, const double *p, size_t k, double *out)
{
    double d[2];
    for (int i = 0; i < 2; i++) {
        double h = i ? 5e-6 : 1e-5, up[SG_MF_MAX_PARAMETERS], down[SG_MF_MAX_PARAMETERS];
        memcpy(up, p, sizeof up);
        memcpy(down, p, sizeof down);
        up[k] += h;
        down[k] -= h;
        d[i] = (kind->log_value(x, up) - kind->log_value(x, down)) / (2 * h);
    }
    *out = (4 * d[1] - d[0]) / 3;
    return fabs(d[0] - d[1]) <= 1e-6 * fmax(fabs(d[0]), 1e-2);
}

static void partials_agree_with_differences(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    {
        size_t checked = 0, kinks = 0;
        sg_random_stream s = sg_random_stream_at(17, SG_RANDOM_SYNTHETIC_DATA, 0, 2);
        for (int i = 0; i < 2000; i++) {
            double p[SG_MF_MAX_PARAMETERS] = {0}, d[SG_MF_MAX_PARAMETERS], by_difference, x = draw(&s, -3, 3);
            random_parameters(kind, &s, p);
            kind->gradient(x, p, d);
            for (size_t k = 0; k < kind->arity; k++) {
                if (!difference(kind, x, p, k, &by_difference)) {
                    kinks++;
                    continue;
                }
                checked++;
                if (!(fabs(d[k] - by_difference) <= 1e-7 * fmax(fabs(d[k]), 1e-1)))
                    fail_msg("%s at %.17g, parameter %zu of (%g %g %g %g): %.12g, by differences %.12g", kind->name, x,
                             k, p[0], p[1], p[2], p[3], d[k], by_difference);
            }
        }
        if (kinks * 20 > checked) fail_msg("%s: %zu kinks, %zu points", kind->name, kinks, checked);
    }
}

static void start_is_valid_and_covers_its_centre(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    for (size_t c = 0; c < COUNT(centres); c++)
        for (size_t w = 0; w < COUNT(widths); w++) {
            double p[SG_MF_MAX_PARAMETERS], centre = centres[c], spacing = 1.7 * widths[w];
            kind->init(centre, widths[w], spacing, p);
            assert_null(kind->validate(1, p));
            assert_true(kind->log_value(centre, p) == 0);
            assert_true(kind->width(p) > 0 && isfinite(kind->width(p)));
            double left = kind->log_value(centre - spacing / 2, p);
            double right = kind->log_value(centre + spacing / 2, p);
            assert_close(left, right, 1e-4); /* symmetric, */
            assert_true(left < -1e-3 && left > -1);
            /* adjacent MFs are distinct */
            assert_true(kind->log_value(centre + spacing, p) < -1);
            if (kind->centre >= 0) assert_true(p[kind->centre] == centre);
        }
}

/* The projection of any parameters is valid, at least as wide as the floor, and idempotent. */
static void projection_makes_valid(void **state)
{
    static const double floors[] = {1e-6, 0.125, 1, 2.385};
    size_t were_wrong = 0;
    (void)state;
    FOR_KINDS(kind)
    for (size_t f = 0; f < COUNT(floors); f++)
        for (uint64_t i = 0; i < 3000; i++) {
            sg_random_stream s = sg_random_stream_at(i, SG_RANDOM_SYNTHETIC_DATA, 0, 3);
            double p[SG_MF_MAX_PARAMETERS], once[SG_MF_MAX_PARAMETERS];
            for (size_t k = 0; k < kind->arity; k++) p[k] = draw(&s, -4, 4) * (i % 3 ? 1 : 1000);
            if (i % 10 == 0) memset(p, 0, sizeof p);
            were_wrong += kind->validate(1, p) != NULL;
            kind->project(1, p, floors[f]);
            if (kind->validate(1, p)) fail_msg("%s: %s", kind->name, kind->validate(1, p));
            if (strchr(kind->parameter_role, 'i') == NULL) assert_true(kind->width(p) >= floors[f] - 1e-12);
            memcpy(once, p, sizeof p);
            kind->project(1, p, floors[f]);
            assert_memory_equal(once, p, kind->arity * sizeof *p);
            for (size_t k = 0; k < kind->arity; k++) assert_true(isfinite(p[k]));
        }
    assert_true(were_wrong > 10000);
}

/* Valid parameters are unchanged. */
static void projection_leaves_the_valid(void **state)
{
    (void)state;
    FOR_KINDS(kind)
    for (uint64_t i = 0; i < 500; i++) {
        sg_random_stream s = sg_random_stream_at(i, SG_RANDOM_SYNTHETIC_DATA, 0, 4);
        double p[SG_MF_MAX_PARAMETERS], before[SG_MF_MAX_PARAMETERS];
        random_parameters(kind, &s, p);
        memcpy(before, p, sizeof p);
        kind->project(1, p, 0.5 * kind->width(p));
        assert_memory_equal(before, p, kind->arity * sizeof *p);
    }
}

static void knows_what_is_wrong(void **state)
{
    static const struct {
        const char *kind;
        double p[4];
    } cases[] = {
        {"gauss", {0, 0}},          {"gauss", {0, -1}},         {"gauss", {0, NAN}},        {"gauss", {0, 1e-101}},
        {"gauss-a", {0, -1e-9}},    {"gauss-a", {0, NAN}},      {"gbell", {0, 2, 0}},       {"gbell", {-1, 2, 0}},
        {"gbell", {1, 0, 0}},       {"gbell", {1, -2, 0}},      {"gbell", {1, 1001, 0}},    {"gbell", {1, NAN, 0}},
        {"tri", {0, 0, 1}},         {"tri", {0, 1, 1}},         {"tri", {2, 1, 3}},         {"tri", {0, NAN, 1}},
        {"trap", {0, 0, 1, 2}},     {"trap", {0, 2, 1, 3}},     {"trap", {0, 1, 2, 2}},     {"trap", {0, 1, 2, 1}},
        {"trap", {NAN, 1, 2, 3}},   {"gauss2", {1, 2, 0, 2}},   {"gauss2", {0, -1, 1, 2}},  {"gauss2", {0, 1, 1, -2}},
        {"gauss2", {NAN, 1, 1, 2}}, {"gauss2", {0, NAN, 1, 2}}, {"gauss2", {0, 1, 1, NAN}},
    };
    static const struct {
        const char *kind;
        double p[4];
    } fine[] = {
        {"gauss", {-1e100, 1e-100}},  {"gauss-a", {0, 0}},
        {"gauss-a", {0, 1e100}},      {"gbell", {1e-100, 1000, 0}},
        {"tri", {-1e100, 0, 1e100}},  {"trap", {0, 1, 1, 2}},
        {"gauss2", {1, 0, 1, 1e100}}, {"gauss2", {-1e100, 0, 1e100, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!sg_mf_find(cases[i].kind)->validate(1, cases[i].p)) fail_msg("case %zu is taken", i);
    for (size_t i = 0; i < COUNT(fine); i++)
        if (sg_mf_find(fine[i].kind)->validate(1, fine[i].p)) fail_msg("case %zu is refused", i);
}

/* Outside their support, triangles and trapezoids have the floor value and gradient 0. */
static void floors_have_no_slope(void **state)
{
    static const struct {
        const char *kind;
        double p[4], x;
    } cases[] = {
        {"tri", {-1, 1, 5}, -1},
        {"tri", {-1, 1, 5}, 5},
        {"tri", {-1, 1, 5}, -1.5},
        {"tri", {-1, 1, 5}, 1e6},
        {"tri", {-1, 1, 5}, -DBL_MAX},
        {"trap", {-1, 1, 2, 6}, -1},
        {"trap", {-1, 1, 2, 6}, 6},
        {"trap", {-1, 1, 2, 6}, -7},
        {"trap", {-1, 1, 2, 6}, DBL_MAX},
        {"tri", {-1e-310, 1, 5}, -1e-310 + 5e-324}, /* the log membership is below -700 */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sg_mf_kind *kind = sg_mf_find(cases[i].kind);
        double d[SG_MF_MAX_PARAMETERS] = {9, 9, 9, 9};
        if (kind->log_value(cases[i].x, cases[i].p) != -700) fail_msg("case %zu", i);
        kind->gradient(cases[i].x, cases[i].p, d);
        for (size_t k = 0; k < kind->arity; k++) assert_true(d[k] == 0);
    }
    double d[4] = {9, 9, 9, 9}, p[4] = {-1, 1, 2, 6}; /* nor on the top of a trapezoid */
    sg_mf_trap.gradient(1.5, p, d);
    for (size_t k = 0; k < 4; k++) assert_true(d[k] == 0);
}

/* Values and gradients are finite up to the clamp of 1e6 standard deviations. */
static void far_values_are_finite(void **state)
{
    static const double far[] = {1e3, 1e6, -1e6};
    (void)state;
    FOR_KINDS(kind)
    for (uint64_t i = 0; i < 50; i++)
        for (size_t k = 0; k < COUNT(far); k++) {
            sg_random_stream s = sg_random_stream_at(i, SG_RANDOM_SYNTHETIC_DATA, 0, 5);
            double p[SG_MF_MAX_PARAMETERS], d[SG_MF_MAX_PARAMETERS];
            random_parameters(kind, &s, p);
            double value = kind->log_value(far[k], p);
            assert_true(isfinite(value) && value < -10);
            kind->gradient(far[k], p, d);
            for (size_t m = 0; m < kind->arity; m++) assert_true(isfinite(d[m]));
        }
}

/* The formula of the bell divides by zero and takes log 0 at its centre, and overflows far away. */
static void the_bell_is_finite_everywhere(void **state)
{
    double p[] = {0.7, 50, 0.3}, d[3];
    (void)state;
    assert_true(sg_mf_gbell.log_value(0.3, p) == 0);
    sg_mf_gbell.gradient(0.3, p, d);
    assert_true(d[0] == 0 && d[1] == 0 && d[2] == 0);
    sg_mf_gbell.gradient(nextafter(0.3, 1), p, d);
    for (size_t k = 0; k < 3; k++) assert_true(isfinite(d[k]));
    assert_close(sg_mf_gbell.log_value(1e6, p), -100 * log((1e6 - 0.3) / 0.7), 1e-9);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table_is_whole),
    cmocka_unit_test(values_by_formula),
    cmocka_unit_test(log_values_are_never_positive),
    cmocka_unit_test(partials_agree_with_differences),
    cmocka_unit_test(start_is_valid_and_covers_its_centre),
    cmocka_unit_test(projection_makes_valid),
    cmocka_unit_test(projection_leaves_the_valid),
    cmocka_unit_test(knows_what_is_wrong),
    cmocka_unit_test(floors_have_no_slope),
    cmocka_unit_test(far_values_are_finite),
    cmocka_unit_test(the_bell_is_finite_everywhere),
};
TEST_GROUP(tests, NULL, NULL)
