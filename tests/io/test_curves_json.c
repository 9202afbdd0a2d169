/* test_curves_json.c: format 2: curves, pairs and the frontier round-trip bit for bit; invalid files are rejected.
 * labels: memory */
#include "additive_model.h"
#include "base/text.h"
#include "model/model.h"
#include "test.h"

#include <float.h>
#include <string.h>

static const char by_hand[] = ADDITIVE_MODEL(ADDITIVE_MODEL_POOLED, "");

static sg_model *read_model(const char *text)
{
    sg_model *m;
    check(sg_model_from_json(text, strlen(text), "m.json", &m));
    return m;
}

static void expect_text(const sg_model *m, const char *expected)
{
    char *text;
    check(sg_model_to_json(m, &text));
    assert_string_equal(text, expected);
    sg_string_free(text);
}

static void round_trips(void **state)
{
    sg_model *m = read_model(by_hand), *copy;
    (void)state;
    expect_text(m, by_hand);
    check(sg_model_copy(m, &copy));
    sg_model_free(m);
    expect_text(copy, by_hand);
    sg_model_free(copy);
}

static void reads_the_structure(void **state)
{
    sg_model *m = read_model(by_hand);
    const sg_curve *wood = &m->additive->curve[0], *age = &m->additive->curve[1];
    (void)state;
    assert_true(m->blocks == 0 && m->additive->curves == 2 && m->additive->pairs == 1);
    assert_true(wood->input == 1 && wood->feature == 1 && wood->cells == 3 && wood->is_category);
    assert_true(age->input == 0 && age->feature == 0 && age->cells == 4 && age->monotone == 1);
    assert_true(age->terms == 3 && age->term[1] == 2 && age->term[2] == 3);
    assert_true(age->knot[3] == 90.5 && age->value[2 * 2] == 2.4 && age->value[1] == -1);
    assert_true(age->value[4 * 2] == -2.1 && age->value[4 * 2 + 1] == 0.3);
    assert_true(age->band[3 * 2 + 1] == 0.4 && age->band[4 * 2 + 1] == 0.6);
    assert_true(age->share[4] == 0.05 && age->deviation[0] == 8.1);
    assert_null(wood->band);
    const sg_pair *p = m->additive->pair;
    assert_true(p->curve[0] == 1 && p->curve[1] == 0 && p->deviation[1] == 0.2);
    assert_true(p->value[2] == 0.2 && p->value[1] == -0.2 && p->value[(1 * 3 + 2) * 2 + 1] == 0.125);
    assert_int_equal(sg_model_rules(m), 3 + 4 + 9);
    assert_int_equal(sg_model_block_rules(m), 0);
    assert_int_equal(sg_model_blocks(m), 0);
    assert_int_equal(sg_model_parameters(m), 4 * 2 + 4 + 5 * 2 + 9 * 2);
    sg_model_free(m);
}

static void reads_the_frontier(void **state)
{
    sg_model *m = read_model(by_hand);
    sg_frontier_point p;
    (void)state;
    assert_true(sg_model_frontier(m, 0, &p));
    assert_string_equal(p.name, "ridge regression");
    assert_string_equal(p.options, "--preset ridge");
    assert_true(p.error == 10.4 && p.standard_error == 0.3 && p.cost == 9 && p.rules == 1 && !p.chosen);
    assert_true(sg_model_frontier(m, 1, &p));
    assert_true(isnan(p.standard_error) && p.chosen);
    assert_false(sg_model_frontier(m, 2, &p));
    sg_model_free(m);
}

/* --- edits of the file --- */

typedef struct edit {
    const char *from, *to, *sentence;
} edit;

/* The file with the first `from` replaced. */
static sg_text edited(const edit *e)
{
    const char *at = strstr(by_hand, e->from);
    sg_text t = {0};
    if (!at) fail_msg("no <%s>", e->from);
    sg_text_append_bytes(&t, by_hand, (size_t)(at - by_hand));
    sg_text_append(&t, e->to);
    sg_text_append(&t, at + strlen(e->from));
    return t;
}

static void reads_valid_edits(void **state)
{
    static const edit edits[] = {
        {", \"missing\": [0.7, 0.9]", "", NULL},
        {"\"deviation\": [1.5, 0.2], ", "", NULL},
        {"\"blocks\": [\n  ],", "\"blocks\": [],", NULL},
        {"\"monotone\": \"+\", ", "", NULL},
        {", \"chosen\": true", ", \"chosen\": false", NULL},
        {"\"pairs\": [", "\"pears\": [", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sg_text t = edited(&edits[i]);
        sg_model *m;
        char *text, *again;
        check(sg_model_from_json(t.bytes, t.length, "m.json", &m));
        check(sg_model_to_json(m, &text));
        sg_model_free(m);
        m = read_model(text);
        check(sg_model_to_json(m, &again));
        assert_string_equal(again, text);
        sg_string_free(text);
        sg_string_free(again);
        sg_model_free(m);
        sg_text_release(&t);
    }
}

static void rejects_invalid_files(void **state)
{
    static const edit edits[] = {
        {"\"format\": 2", "\"format\": 3", "format 3 is newer than this program, which reads formats 1 and 2"},
        {"\"format\": 2", "\"format\": 1", "curves: expected \"format\": 2"},
        {"\"curves\": [\n", "\"curvy\": [\n", "blocks: expected 1 to"},
        {"\"curves\": [\n", "\"curves\": {}, \"curvy\": [\n", "curves: expected an array"},
        {"\"curves\": [\n", "\"curves\": [1], \"curvy\": [\n", "curves[0]: expected an object"},
        {"\"curves\": [\n", "\"curves\": [{}, {}, {}, {}], \"curvy\": [\n", "curves: expected 0 to 3 items, got 4"},
        {"\"input\": 1", "\"input\": 0", "curves[0].knots is missing; expected an array"},
        {"\"input\": 1", "\"input\": 3", "curves[0].input: expected an integer from 0 to 2, got 3"},
        {"\"input\": 0", "\"input\": 1", "curves[1].input: this input already has a curve"},
        {"\"input\": 1", "\"input\": -1", "curves[0].input"},
        {"\"input\": 1", "\"input\": 1, \"knots\": [1, 2, 3]", "curves[0].knots: the input is a category"},
        {"\"input\": 1", "\"input\": 1, \"monotone\": \"-\"", "curves[0].monotone: the levels of a category"},
        {"\"input\": 0", "\"input\": 2.5", "curves[1].input"},
        {"\"+\"", "\"up\"", "curves[1].monotone: expected \"+\" or \"-\""},
        {"\"+\"", "1", "curves[1].monotone: expected a string"},
        {"\"+\"", "\"-\"", "curves[1].then: expected non-increasing numbers"},
        {"-7.1, 2.4", "2.5, 2.4", "curves[1].then: expected non-decreasing numbers"},
        {"[-1, -0.5,", "[-1, 0.5,", "curves[1].then: expected non-decreasing numbers"},
        {"[0.4, 0.3, 0]", "[0.05, 0.3, 0]", "pairs[0].then: expected numbers ordered as"},
        {"[1, 7, 28, 90.5]", "[1]", "curves[1].knots: expected 2 to"},
        {"[1, 7, 28, 90.5]", "[1, 7, 7, 90.5]", "curves[1].knots: expected numbers in ascending order"},
        {"[1, 7, 28, 90.5]", "[1, 7, 28, 1e101]", "curves[1].knots[3]: expected a magnitude of at most 1e100"},
        {"[1, 7, 28, 90.5]", "[1, 7, 28, null]", "curves[1].knots[3]: expected a number"},
        {"[1, 7, 28, 90.5]", "[1, 7, 28]", "curves[1].then[0]: expected 3 numbers, got 4"},
        {"[[-1.5, 0.5, 1.25], ", "[", "curves[0].then: expected 2 arrays, got 1"},
        {"[[-1.5, 0.5, 1.25], ", "[[-1.5, 0.5], ", "curves[0].then[0]: expected 3 numbers, got 2"},
        {"[[-1.5, 0.5, 1.25], ", "[[-1.5, 0.5, -1e200], ", "curves[0].then[0][2]: expected a magnitude"},
        {"[[-1.5, 0.5, 1.25], ", "[[-1.5, 0.5, \"\"], ", "curves[0].then[0][2]: expected a number"},
        {"\"missing\": [0.7, 0.9]", "\"missing\": [0.7]", "curves[0].missing: expected 2 numbers, got 1"},
        {"\"missing\": [0.7, 0.9]", "\"missing\": 0.7", "curves[0].missing: expected an array"},
        {"[0, 1, 2]", "[0, 1]", "curves[0].terms: expected 3 to 3 indices, got 2"},
        {"[0, 1, 2]", "[0, 2, 1]", "curves[0].terms[1]: expected an integer from 1 to 1, got 2"},
        {"[0, 2, 3]", "[2]", "curves[1].terms: expected 2 to 4 indices, got 1"},
        {"[0, 2, 3]", "[0, 1, 2, 3, 4]", "curves[1].terms: expected 2 to 4 indices, got 5"},
        {"[0, 2, 3]", "[0, 2, 4]", "curves[1].terms[2]: expected an integer from 3 to 3, got 4"},
        {"[0, 2, 3]", "[2, 2, 3]", "curves[1].terms[0]: expected an integer from 0 to 1, got 2"},
        {"[0, 2, 3]", "[0, 0, 3]", "curves[1].terms[1]: expected an integer from 1 to 2, got 0"},
        {"[0, 2, 3]", "[0, -2, 3]", "curves[1].terms[1]"},
        {"[0, 2, 3]", "[0, 2]", "pairs[0].then[0]: expected 2 arrays, got 3"},
        {"     \"terms\": [0, 2, 3],\n", "", "pairs[0].curves[0]: curve 1 has no terms"},
        {"0.8, 2], ", "0.8], ", "curves[1].band[0]: expected 5 numbers, got 4"},
        {"0.8, 2], ", "0.8, -2], ", "curves[1].band: expected numbers from 0 to 1e+100, got -2"},
        {"\"band\":", "\"bond\":", "curves[1].band is missing"},
        {"\"share\": [0.1", "\"shard\": [0.1", "curves[1].share is missing"},
        {"\"share\": [0.1", "\"share\": [1.1", "curves[1].share: expected numbers from 0 to 1, got 1.1"},
        {"\"share\": [0.1, ", "\"share\": [", "curves[1].share: expected 5 numbers, got 4"},
        {"[8.1, 0.4]", "[8.1]", "curves[1].deviation: expected 2 numbers, got 1"},
        {"[8.1, 0.4]", "[8.1, -0.4]", "curves[1].deviation: expected numbers from 0"},
        {"\"pairs\": [\n", "\"pairs\": 1, \"pears\": [\n", "pairs: expected an array"},
        {"\"pairs\": [\n", "\"pairs\": [[]], \"pears\": [\n", "pairs[0]: expected an object"},
        {"\"curves\": [1, 0]", "\"curves\": [1]", "pairs[0].curves: expected 2 to 2 indices, got 1"},
        {"\"curves\": [1, 0]", "\"curves\": [1, 2]", "pairs[0].curves[1]: expected an integer from 0 to 1, got 2"},
        {"\"curves\": [1, 0]", "\"curves\": [1, 1]", "pairs[0].curves: expected two different curves"},
        {"\"curves\": [1, 0]", "\"curves\": [-1, 1]", "pairs[0].curves[0]"},
        {"[1.5, 0.2]", "[1.5, 0.2, 1]", "pairs[0].deviation: expected 2 numbers, got 3"},
        {"[1.5, 0.2]", "[1.5, -0.2]", "pairs[0].deviation: expected numbers from 0"},
        {"[0.4, 0.3, 0]", "[0.4, 0.3]", "pairs[0].then[0][1]: expected 3 numbers, got 2"},
        {"[0.4, 0.3, 0]", "[0.4, 0.3, 1e300]", "pairs[0].then[0][1][2]: expected a magnitude"},
        {"[0.4, 0.3, 0]", "0.4", "pairs[0].then[0][1]: expected an array"},
        {"     ], [\n", "     ], 7, [\n", "pairs[0].then: expected 2 tables, one per target, got 3"},
        {"\"error\": 10.4", "\"error\": -1", "frontier[0].error: expected a non-negative number"},
        {"\"error\": 10.4", "\"error\": null", "frontier[0].error: expected a number"},
        {"\"standard_error\": 0.3", "\"standard_error\": -0.3", "frontier[0].standard_error"},
        {"\"cost\": 9", "\"cost\": 9.5", "frontier[0].cost: expected an integer"},
        {"\"cost\": 9", "\"cost\": -9", "frontier[0].cost: expected an integer"},
        {"\"rules\": 1}", "\"rule\": 1}", "frontier[0].rules is missing"},
        {"\"chosen\": true", "\"chosen\": 1", "frontier[1].chosen: expected true or false"},
        {"\"name\": \"curves\"", "\"name\": \"\"", "frontier[1].name: expected a non-empty string"},
        {"\"options\": \"\"", "\"options\": []", "frontier[1].options: expected a string"},
        {"\"frontier\": [\n", "\"frontier\": {}, \"f\": [\n", "frontier: expected an array"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sg_model *m = NULL;
        sg_text t = edited(&edits[i]);
        sg_status st = sg_model_from_json(t.bytes, t.length, "m.json", &m);
        if (st != SG_EDATA || m) fail_msg("%s -> %s: status %d", edits[i].from, edits[i].to, st);
        if (strstr(sg_errmsg(), "m.json") != sg_errmsg() || !strstr(sg_errmsg(), edits[i].sentence))
            fail_msg("%s -> %s: \"%s\" lacks \"%s\"", edits[i].from, edits[i].to, sg_errmsg(), edits[i].sentence);
        sg_text_release(&t);
    }
}

/* The same two curves in the other order are the same pair. */
static void rejects_a_repeated_pair(void **state)
{
    static const edit e = {"     ]]}\n",
                           "     ]]}, {\"curves\": [0, 1], \"then\": [[[0, 0, 0], [0, 0, 0], [0, 0, 0]], "
                           "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]]}\n",
                           NULL};
    sg_text t = edited(&e);
    sg_model *m = NULL;
    (void)state;
    check_fails(sg_model_from_json(t.bytes, t.length, "m.json", &m), SG_EDATA, "pairs: curves 0 and 1 have two pairs");
    assert_null(m);
    sg_text_release(&t);
}

/* --- which format --- */

static sg_model *new_model(void)
{
    static const char *const inputs[] = {"a"}, *const outputs[] = {"y"};
    sg_model *m;
    check(sg_model_new(inputs, 1, outputs, 1, &m));
    m->high[0] = 1;
    return m;
}

/* A model without additive part and frontier is written in format 1. */
static void writes_the_oldest_format_that_suffices(void **state)
{
    sg_model *m = new_model();
    char *text;
    (void)state;
    check(sg_model_add_block(m, sg_mf_find("gauss"), 0, 1, 0));
    check(sg_model_alloc_theta(m));
    check(sg_model_to_json(m, &text));
    assert_non_null(strstr(text, "\"format\": 1,"));
    sg_string_free(text);
    sg_frontier_point p = {.name = "rules", .options = "--rules 1", .error = 0.1, .standard_error = (double)NAN};
    assert_true(sg_frontier_add(&m->frontier, &p));
    check(sg_model_to_json(m, &text));
    assert_non_null(strstr(text, "\"format\": 2,"));
    sg_model_free(m);
    m = read_model(text);
    expect_text(m, text);
    assert_null(m->additive);
    sg_string_free(text);
    sg_model_free(m);
}

/* A model of a constant has an additive part without curves. */
static void a_constant_round_trips(void **state)
{
    sg_model *m = new_model();
    char *text;
    double x = 3.7, y;
    (void)state;
    m->mean[0] = 2.385;
    assert_non_null(m->additive = sg_additive_new(1, 0, 0));
    check(sg_model_alloc_theta(m));
    check(sg_model_to_json(m, &text));
    sg_model_free(m);
    m = read_model(text);
    assert_non_null(m->additive);
    check(sg_model_predict(m, &x, 1, &y));
    assert_true(y == 2.385);
    sg_string_free(text);
    sg_model_free(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(round_trips),
    cmocka_unit_test(reads_the_structure),
    cmocka_unit_test(reads_the_frontier),
    cmocka_unit_test(reads_valid_edits),
    cmocka_unit_test(rejects_invalid_files),
    cmocka_unit_test(rejects_a_repeated_pair),
    cmocka_unit_test(writes_the_oldest_format_that_suffices),
    cmocka_unit_test(a_constant_round_trips),
};
TEST_GROUP(tests, NULL, NULL)
