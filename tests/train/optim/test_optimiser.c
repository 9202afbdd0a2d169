/* test_optimiser.c: one and two steps of every optimiser, computed by hand from its definition,
 * and Jang's rule on a script of losses. labels: arithmetic */
#include "test.h"

#include "train/optim/optimiser.h"

static sg_optimiser make(const char *name, size_t n)
{
    sg_optimiser s = {.kind = sg_optim_find(name),
                      .rate = 0.03,
                      .rate_factor = 1,
                      .power = 1,
                      .final_rate = 0.02,
                      .rate_up = 1.1,
                      .rate_down = 0.9,
                      .beta1 = 0.8,
                      .beta2 = 0.95,
                      .epsilon = 1e-4};
    assert_non_null(s.kind);
    check(sg_optimiser_init(&s, n));
    return s;
}

static double between(double low, double x, double high) { return x < low ? low : x > high ? high : x; }

/* Takes two steps from theta = 1, with the gradients g1 and g2. */
static double by_hand(const char *name, double g1, double g2)
{
    double m = 0, v = 0, theta = 1, g[] = {g1, g2};
    for (int k = 1; k <= 2; k++) {
        m = 0.8 * m + 0.2 * g[k - 1];
        double s = strcmp(name, "adabelief") == 0 ? g[k - 1] - m : g[k - 1];
        v = 0.95 * v + 0.05 * s * s;
        double mh = m / (1 - pow(0.8, k)), vh = v / (1 - pow(0.95, k));
        double rate = 0.03 / (sqrt(vh) + 1e-4);
        if (strcmp(name, "adabound") == 0) rate = between(0.02 - 0.02 / (0.05 * k + 1), rate, 0.02 + 0.02 / (0.05 * k));
        theta -= rate * mh;
    }
    return theta;
}

static void adam_and_kin(void **state)
{
    static const char *const names[] = {"adam", "adabound", "adabelief"};
    static const double g[][2] = {{2.385, -1.1}, {0.004, 0.003}, {-70, 30}, {0, 0}};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++) {
            sg_optimiser s = make(names[i], 1);
            double theta = 1, grad = g[j][0], between;
            sg_optimiser_step(&s, 0, &theta, &grad);
            assert_true(grad == 1); /* unchanged */
            between = theta;
            grad = g[j][1];
            sg_optimiser_step(&s, 0, &theta, &grad);
            assert_true(grad == between);
            assert_close(theta, by_hand(names[i], g[j][0], g[j][1]), 1e-12);
            sg_optimiser_release(&s);
        }
}

static void plain_and_normalised(void **state)
{
    double theta[2] = {1, 1}, g[2] = {3, -4};
    (void)state;
    sg_optimiser s = make("sgd", 2);
    assert_close(sg_optimiser_step(&s, 0, theta, g), 0.03, 0);
    assert_close(theta[0], 1 - 0.09, 1e-15);
    assert_true(g[0] == 1 && g[1] == 1); /* theta is unchanged */
    sg_optimiser_release(&s);
    s = make("jang", 2);
    theta[0] = theta[1] = 1;
    g[0] = 3;
    g[1] = -4;
    sg_optimiser_step(&s, 0, theta, g);
    assert_close(theta[0], 1 - 0.03 * 0.6, 1e-15);
    assert_close(theta[1], 1 + 0.03 * 0.8, 1e-15);
    assert_true(g[0] == 1 && g[1] == 1);
    g[0] = g[1] = 0;
    sg_optimiser_step(&s, 0, theta, g); /* no division by a norm of 0 */
    assert_close(theta[0], 1 - 0.03 * 0.6, 1e-15);
    sg_optimiser_release(&s);
}

/* Powerball replaces g by sign(g) |g|^P before the step. */
static void powerball(void **state)
{
    static const double g[] = {2.385, -1.1, 1e-300, -7e5, 0}, powers[] = {0.5, 0.73, 0.01};
    static const char *const names[] = {"sgd", "adabelief"};
    (void)state;
    for (size_t k = 0; k < 6; k++)
        for (size_t i = 0; i < 5; i++) {
            double power = powers[k % 3], theta = 1, plain = 1, grad = g[i],
                   raised = copysign(pow(fabs(g[i]), power), g[i]);
            sg_optimiser s = make(names[k / 3], 1), p = make(names[k / 3], 1);
            s.power = power;
            sg_optimiser_step(&s, 0, &theta, &grad);
            sg_optimiser_step(&p, 0, &plain, &raised);
            assert_close(theta, plain, 1e-12 * (1 + fabs(plain)));
            sg_optimiser_release(&s);
            sg_optimiser_release(&p);
        }
}

/* NaN stays NaN, so that the trainer detects it. */
static void powerball_of_nothing(void **state)
{
    static const double powers[] = {0.5, 0.73, 0.01};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        double theta[2] = {1, 1}, grad[2] = {NAN, 0};
        sg_optimiser s = make("sgd", 2);
        s.power = powers[k];
        sg_optimiser_step(&s, 0, theta, grad);
        assert_true(isnan(theta[0]) && theta[1] == 1);
        sg_optimiser_release(&s);
    }
}

/* A step with a factor of 0, to which that of a schedule may round, changes nothing. */
static void factor_of_0(void **state)
{
    (void)state;
    for (size_t i = 0; sg_optim_name(i); i++) {
        sg_optimiser s = make(sg_optim_name(i), 2);
        double theta[2] = {1, -2.385}, grad[2] = {3, 0};
        s.rate_factor = 0;
        assert_true(sg_optimiser_step(&s, 0, theta, grad) == 0);
        assert_true(theta[0] == 1 && theta[1] == -2.385);
        sg_optimiser_release(&s);
    }
}

static sg_adam handed;

static double take(const sg_adam *step, size_t n, double *grad, double *theta, double *m, double *v)
{
    (void)n, (void)grad, (void)theta, (void)m, (void)v;
    handed = *step;
    return 0;
}

/* Optimisers without bounds get an infinite upper bound, not NaN, whatever the factor of the schedule. AdaBound's is
 * scaled by the factor. */
static void bounds_of_rates(void **state)
{
    static const double factors[] = {1, 0.25, 0};
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        sg_optimiser s = make(i % 2 ? "adam" : "adabelief", 1), bound = make("adabound", 1);
        sg_vector_ops tools = *s.ops;
        double theta = 1, grad = 1;
        tools.adam = take;
        s.ops = bound.ops = &tools;
        s.rate_factor = bound.rate_factor = factors[i / 2];
        sg_optimiser_step(&s, 0, &theta, &grad);
        assert_true(handed.low == 0 && isinf(handed.high));
        sg_optimiser_step(&bound, 0, &theta, &grad);
        assert_close(handed.high, factors[i / 2] * (0.02 + 0.02 / 0.05), 1e-15);
        sg_optimiser_release(&s);
        sg_optimiser_release(&bound);
    }
}

/* The schedule scales the steps of every optimiser; the rate of Jang's rule is not affected. */
static void factor_of_a_schedule(void **state)
{
    (void)state;
    for (size_t i = 0; sg_optim_name(i); i++) {
        sg_optimiser s = make(sg_optim_name(i), 2), p = make(sg_optim_name(i), 2);
        double theta[2] = {1, 1}, plain[2] = {1, 1}, g[2] = {3, -0.02}, same[2] = {3, -0.02};
        s.rate_factor = 0.25;
        double used = sg_optimiser_step(&s, 0, theta, g), full = sg_optimiser_step(&p, 0, plain, same);
        assert_close(used, full / 4, 1e-15);
        for (int k = 0; k < 2; k++) assert_close(theta[k] - 1, (plain[k] - 1) / 4, 1e-15);
        assert_true(s.rate == p.rate);
        sg_optimiser_release(&s);
        sg_optimiser_release(&p);
    }
}

static void rate_after(const double *loss, size_t n, double expected)
{
    sg_optimiser s = make("jang", 1);
    double theta = 0, g = 1;
    s.rate = 1;
    for (size_t i = 0; i < n; i++, g = 1) sg_optimiser_step(&s, loss[i], &theta, &g);
    assert_close(s.rate, expected, 1e-12);
    sg_optimiser_release(&s);
}

static void rule_of_jang(void **state)
{
    static const double falls[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5, 0.4};
    static const double waves[] = {5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5};
    (void)state;
    rate_after(falls, 4, 1);
    rate_after(falls, 5, 1.1); /* four decreases in a row        */
    rate_after(falls, 8, 1.1); /* not again within 4 iterations  */
    rate_after(falls, 9, 1.21);
    rate_after(waves, 4, 1);
    rate_after(waves, 5, 0.9); /* up, down, up, down             */
    rate_after(waves, 8, 0.9);
    rate_after(waves, 9, 0.81);
}

/* The losses both raise and lower the rate. In some cases one of the factors is 1. */
static void factors_of_the_rate(void **state)
{
    static const double loss[] = {9, 8, 7, 6, 5, 6, 5, 6, 5, 4, 3, 2, 1};
    static const struct {
        double up, down, after[3]; /* the rate after 5, 9 and 13 losses */
    } cases[] = {
        {1.1, 0.9, {1.1, 0.99, 1.089}},
        {1.1, 1, {1.1, 1.1, 1.21}},
        {1, 0.9, {1, 0.9, 0.9}},
        {1, 1, {1, 1, 1}},
        {2.385, 0.01, {2.385, 0.02385, 0.05688225}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_optimiser s = make("jang", 1);
        double theta = 0, g = 1, before = 1;
        s.rate = 1;
        s.rate_up = cases[i].up;
        s.rate_down = cases[i].down;
        for (size_t k = 0; k < 13; k++, before = s.rate) {
            g = 1;
            sg_optimiser_step(&s, loss[k], &theta, &g);
            if (k % 4 == 0 && k > 0) assert_close(s.rate, cases[i].after[k / 4 - 1], 1e-12);
            if (cases[i].up == 1) assert_true(s.rate <= before);
            if (cases[i].down == 1) assert_true(s.rate >= before);
        }
        sg_optimiser_release(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(adam_and_kin),
    cmocka_unit_test(plain_and_normalised),
    cmocka_unit_test(powerball),
    cmocka_unit_test(powerball_of_nothing),
    cmocka_unit_test(factor_of_0),
    cmocka_unit_test(bounds_of_rates),
    cmocka_unit_test(factor_of_a_schedule),
    cmocka_unit_test(rule_of_jang),
    cmocka_unit_test(factors_of_the_rate),
};
TEST_GROUP(tests, NULL, NULL)
