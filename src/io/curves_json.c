/* curves_json.c: reads and writes the curves and pairs of a model file.
 *
 * The parameters belong to theta, which can only be allocated when the sizes of all parts are known. A first pass
 * therefore reads the structure and checks the sizes of all arrays, and a second one reads the parameters. */
#include "base/json_append.h"
#include "base/memory.h"
#include "io/model_json_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 1000000, MAX_PAIRS = 1000000 };

bool sg_model_additive_exists(const sg_json_value *root) { return sg_json_has(root, "curves"); }

/* --- curves: structure --- */

/* Gets the number of cells: knots of a numeric input, or features of a category, which has no knots. */
static sg_status read_cell_count(const sg_json_value *item, const sg_model *m, size_t input, size_t *out)
{
    sg_json_value knots;
    if (sg_model_levels(m, input)) {
        *out = sg_encoded_input_features(&m->encoder->input[input]);
        if (!sg_json_has(item, "knots")) return SG_OK;
        return sg_fail(SG_EDATA, "%s.knots: the input is a category; expected no knots", item->path);
    }
    sg_status st = sg_json_array(item, "knots", 2, MAX_CELLS, "numbers", &knots);
    if (st == SG_OK) *out = sg_json_array_size(&knots);
    return st;
}

/* Reads `terms` ascending indices of cells. A category has all of them, because a level is its own term. */
static sg_status read_term_list(const sg_json_value *list, const sg_curve *c, uint32_t *term, size_t terms)
{
    long low = 0, cell;
    sg_status st = SG_OK;
    for (size_t k = 0; st == SG_OK && k < terms; k++, low = cell + 1) {
        long high = c->is_category ? (long)k : (long)(c->cells - terms + k);
        st = sg_json_item_integer(list, k, low, high, &cell);
        if (st != SG_OK) return st;
        term[k] = (uint32_t)cell;
    }
    return st;
}

/* The terms are optional: only curves that pairs refer to have them. */
static sg_status read_terms(const sg_json_value *item, sg_curve *c)
{
    sg_json_value list;
    if (!sg_json_has(item, "terms")) return SG_OK;
    sg_status st = sg_json_array(item, "terms", c->is_category ? c->cells : 2, c->cells, "indices", &list);
    if (st != SG_OK) return st;
    size_t terms = sg_json_array_size(&list);
    uint32_t *term = sg_calloc(terms, sizeof *term);
    st = term ? read_term_list(&list, c, term, terms) : sg_fail(SG_ENOMEM, "%s: out of memory", list.path);
    if (st == SG_OK && !sg_curve_set_terms(c, term, terms)) st = sg_fail(SG_ENOMEM, "%s: out of memory", list.path);
    free(term);
    return st;
}

static sg_status read_monotone(const sg_json_value *item, sg_curve *c)
{
    const char *sign;
    if (!sg_json_has(item, "monotone")) return SG_OK;
    sg_status st = sg_json_string(item, "monotone", &sign);
    if (st != SG_OK) return st;
    if (strcmp(sign, "+") != 0 && strcmp(sign, "-") != 0)
        return sg_fail(SG_EDATA, "%s.monotone: expected \"+\" or \"-\"", item->path);
    if (c->is_category) return sg_fail(SG_EDATA, "%s.monotone: the levels of a category have no order", item->path);
    c->monotone = *sign == '+' ? 1 : -1;
    return SG_OK;
}

/* Fails unless all n numbers are in [0, most]. */
static sg_status check_bounds(const sg_json_value *item, const char *key, const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] >= 0 && x[i] <= most))
            return sg_fail(SG_EDATA, "%s.%s: expected numbers from 0 to %g, got %g", item->path, key, most, x[i]);
    return SG_OK;
}

/* Reads the statistics of the training rows, which are optional. */
static sg_status read_curve_stats(const sg_json_value *item, size_t outputs, sg_curve *c)
{
    size_t cells = c->cells + 1;
    if (!sg_json_has(item, "band") && !sg_json_has(item, "share") && !sg_json_has(item, "deviation")) return SG_OK;
    sg_status st = sg_json_check_matrix(item, "band", outputs, cells);
    if (st != SG_OK) return st;
    if (!sg_curve_alloc_stats(c, outputs)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
    st = sg_json_member_transposed(item, "band", outputs, cells, c->band);
    if (st == SG_OK) st = sg_json_member_numbers(item, "share", cells, c->share);
    if (st == SG_OK) st = sg_json_member_numbers(item, "deviation", outputs, c->deviation);
    if (st == SG_OK) st = check_bounds(item, "band", c->band, cells * outputs, SG_MODEL_MAX_ABS);
    if (st == SG_OK) st = check_bounds(item, "share", c->share, cells, 1);
    return st == SG_OK ? check_bounds(item, "deviation", c->deviation, outputs, SG_MODEL_MAX_ABS) : st;
}

/* Appends the curve of `input`. */
static sg_status read_curve(const sg_json_value *item, size_t input, sg_model *m)
{
    size_t cells;
    sg_status st = read_cell_count(item, m, input, &cells);
    if (st == SG_OK) st = sg_json_check_matrix(item, "then", m->outputs, cells);
    if (st != SG_OK) return st;
    sg_additive_add_curve(m->additive, input, sg_model_first_feature(m, input), cells, sg_model_levels(m, input) > 0);
    sg_curve *c = &m->additive->curve[m->additive->curves - 1];
    st = read_terms(item, c);
    if (st == SG_OK) st = read_monotone(item, c);
    return st == SG_OK ? read_curve_stats(item, m->outputs, c) : st;
}

/* has_curve: (inputs), zeroed. */
static sg_status read_curve_list(const sg_json_value *list, bool *has_curve, sg_model *m)
{
    sg_json_value item;
    long input;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(list); i++) {
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = sg_json_integer(&item, "input", 0, (long)sg_model_inputs(m) - 1, &input);
        if (st != SG_OK) break;
        if (has_curve[input]) return sg_fail(SG_EDATA, "%s.input: this input already has a curve", item.path);
        has_curve[input] = true;
        st = read_curve(&item, (size_t)input, m);
    }
    return st;
}

static sg_status read_curves(const sg_json_value *list, sg_model *m)
{
    bool *has_curve = sg_calloc(sg_model_inputs(m), sizeof *has_curve);
    if (!has_curve) return sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    sg_status st = read_curve_list(list, has_curve, m);
    free(has_curve);
    return st;
}

/* --- pairs: structure --- */

/* Visits the table of each output of a pair: checks its size, and reads it into `value` unless that is NULL. */
static sg_status read_tables(const sg_json_value *item, const sg_additive *s, const sg_pair *p, double *value)
{
    sg_json_value then, table, row;
    const size_t rows = s->curve[p->curve[0]].terms, columns = s->curve[p->curve[1]].terms;
    sg_status st = sg_json_member(item, "then", JSON_ARRAY, &then);
    if (st == SG_OK) st = sg_json_check_size(&then, s->outputs, "tables, one per target");
    for (size_t o = 0; st == SG_OK && o < s->outputs; o++) {
        st = sg_json_item(&then, o, JSON_ARRAY, &table);
        if (st == SG_OK) st = sg_json_check_size(&table, rows, "arrays");
        for (size_t i = 0; st == SG_OK && i < rows; i++) {
            st = sg_json_item(&table, i, JSON_ARRAY, &row);
            if (st == SG_OK) st = sg_json_check_size(&row, columns, "numbers");
            if (st == SG_OK && value)
                st = sg_json_numbers(&row, columns, value + i * columns * s->outputs + o, s->outputs);
        }
    }
    return st;
}

static sg_status read_pair_curves(const sg_json_value *item, const sg_additive *s, long curve[2])
{
    sg_json_value list;
    sg_status st = sg_json_array(item, "curves", 2, 2, "indices", &list);
    for (size_t k = 0; st == SG_OK && k < 2; k++) {
        st = sg_json_item_integer(&list, k, 0, (long)s->curves - 1, &curve[k]);
        if (st == SG_OK && s->curve[curve[k]].terms == 0)
            st = sg_fail(SG_EDATA, "%s[%zu]: curve %ld has no terms", list.path, k, curve[k]);
    }
    if (st == SG_OK && curve[0] == curve[1]) st = sg_fail(SG_EDATA, "%s: expected two different curves", list.path);
    return st;
}

static sg_status read_pair(const sg_json_value *item, sg_additive *s)
{
    long curve[2];
    sg_status st = read_pair_curves(item, s, curve);
    if (st != SG_OK) return st;
    sg_additive_add_pair(s, (size_t)curve[0], (size_t)curve[1]);
    sg_pair *p = &s->pair[s->pairs - 1];
    st = read_tables(item, s, p, NULL);
    if (st != SG_OK || !sg_json_has(item, "deviation")) return st;
    if (!sg_pair_alloc_stats(p, s->outputs)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
    st = sg_json_member_numbers(item, "deviation", s->outputs, p->deviation);
    return st == SG_OK ? check_bounds(item, "deviation", p->deviation, s->outputs, SG_MODEL_MAX_ABS) : st;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Fails if two pairs have the same curves, in any order. */
static sg_status check_pairs_differ(const sg_json_value *list, const sg_additive *s)
{
    uint64_t *key = sg_calloc(s->pairs, sizeof *key);
    if (!key) return sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    for (size_t i = 0; i < s->pairs; i++) {
        size_t a = s->pair[i].curve[0], b = s->pair[i].curve[1];
        key[i] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
    }
    qsort(key, s->pairs, sizeof *key, compare_keys);
    size_t same = 1;
    while (same < s->pairs && key[same] != key[same - 1]) same++;
    sg_status st = SG_OK;
    if (same < s->pairs)
        st = sg_fail(SG_EDATA, "%s: curves %zu and %zu have two pairs; expected one", list->path,
                     (size_t)(key[same] >> 32), (size_t)(key[same] & UINT32_MAX));
    free(key);
    return st;
}

static sg_status read_pairs(const sg_json_value *list, sg_additive *s)
{
    sg_json_value item;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(list); i++) {
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_pair(&item, s);
    }
    return st == SG_OK ? check_pairs_differ(list, s) : st;
}

sg_status sg_model_additive_read(const sg_json_value *root, sg_model *m)
{
    sg_json_value curves, pairs;
    size_t count = 0;
    sg_status st = SG_OK;
    if (!sg_model_additive_exists(root)) {
        if (!sg_json_has(root, "pairs")) return SG_OK;
        return sg_fail(SG_EDATA, "%spairs: expected \"curves\" as well", root->path);
    }
    st = sg_json_array(root, "curves", 0, sg_model_inputs(m), "items", &curves);
    if (st == SG_OK && sg_json_has(root, "pairs")) {
        st = sg_json_array(root, "pairs", 0, MAX_PAIRS, "items", &pairs);
        if (st == SG_OK) count = sg_json_array_size(&pairs);
    }
    if (st != SG_OK) return st;
    m->additive = sg_additive_new(m->outputs, sg_json_array_size(&curves), count);
    if (!m->additive) return sg_fail(SG_ENOMEM, "%s: out of memory", curves.path);
    st = read_curves(&curves, m);
    return st == SG_OK && count ? read_pairs(&pairs, m->additive) : st;
}

/* --- parameters --- */

static const char *describe_order(const sg_curve *c)
{
    return c->monotone > 0 ? "expected non-decreasing numbers, because the curve is monotone"
                           : "expected non-increasing numbers, because the curve is monotone";
}

static sg_status read_curve_parameters(const sg_json_value *item, const sg_additive *s, sg_curve *c)
{
    sg_status st = c->is_category ? SG_OK : sg_json_member_numbers(item, "knots", c->cells, c->knot);
    const char *wrong = st == SG_OK ? sg_curve_validate(c) : NULL;
    if (wrong) return sg_fail(SG_EDATA, "%s.knots: %s", item->path, wrong);
    if (st == SG_OK) st = sg_json_member_transposed(item, "then", s->outputs, c->cells, c->value);
    if (st == SG_OK && sg_json_has(item, "missing"))
        st = sg_json_member_numbers(item, "missing", s->outputs, c->value + c->cells * s->outputs);
    if (st == SG_OK && !sg_curve_is_ordered(s, c)) st = sg_fail(SG_EDATA, "%s.then: %s", item->path, describe_order(c));
    return st;
}

static sg_status read_pair_parameters(const sg_json_value *item, const sg_additive *s, sg_pair *p)
{
    sg_status st = read_tables(item, s, p, p->value);
    if (st == SG_OK && !sg_pair_is_ordered(s, p))
        st = sg_fail(SG_EDATA, "%s.then: expected numbers ordered as the monotone curves require", item->path);
    return st;
}

sg_status sg_model_additive_read_parameters(const sg_json_value *root, sg_model *m)
{
    sg_additive *s = m->additive;
    sg_json_value list, item;
    if (!s) return SG_OK;
    sg_status st = sg_json_member(root, "curves", JSON_ARRAY, &list);
    for (size_t i = 0; st == SG_OK && i < s->curves; i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_curve_parameters(&item, s, &s->curve[i]);
    }
    if (st == SG_OK && s->pairs) st = sg_json_member(root, "pairs", JSON_ARRAY, &list);
    for (size_t i = 0; st == SG_OK && i < s->pairs; i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_pair_parameters(&item, s, &s->pair[i]);
    }
    return st;
}

/* --- writing --- */

/* Writes an (n, outputs) array as one array of n values per output. */
static void write_per_output(sg_text *t, const char *key, const double *x, size_t n, size_t outputs)
{
    sg_json_append(t, "%s: [", key);
    for (size_t o = 0; o < outputs; o++) {
        if (o) sg_text_append(t, ", ");
        sg_json_append_numbers(t, x + o, n, outputs);
    }
    sg_text_append(t, "]");
}

static void write_terms(sg_text *t, const sg_curve *c)
{
    sg_text_append(t, ",\n     \"terms\": [");
    for (size_t k = 0; k < c->terms; k++) sg_json_append(t, k ? ", %zu" : "%zu", (size_t)c->term[k]);
    sg_text_append(t, "]");
}

static void write_curve_stats(sg_text *t, const sg_curve *c, size_t outputs)
{
    sg_text_append(t, ",\n     ");
    write_per_output(t, "band", c->band, c->cells + 1, outputs);
    sg_text_append(t, ",\n     \"share\": ");
    sg_json_append_numbers(t, c->share, c->cells + 1, 1);
    sg_json_append_list(t, "deviation", c->deviation, outputs);
}

static void write_curve(sg_text *t, const sg_additive *s, const sg_curve *c)
{
    sg_json_append(t, "    {\"input\": %zu", c->input);
    if (c->monotone) sg_json_append(t, ", \"monotone\": %s", c->monotone > 0 ? "+" : "-");
    if (!c->is_category) sg_json_append_list(t, "knots", c->knot, c->cells);
    sg_text_append(t, ",\n     ");
    write_per_output(t, "then", c->value, c->cells, s->outputs);
    sg_json_append_list(t, "missing", c->value + c->cells * s->outputs, s->outputs);
    if (c->terms) write_terms(t, c);
    if (c->band) write_curve_stats(t, c, s->outputs);
    sg_text_append(t, "}");
}

/* Writes the table of output o, one row per line. */
static void write_table(sg_text *t, const sg_additive *s, const sg_pair *p, size_t o)
{
    const size_t rows = s->curve[p->curve[0]].terms, columns = s->curve[p->curve[1]].terms;
    sg_text_append(t, "[\n");
    for (size_t i = 0; i < rows; i++) {
        sg_text_append(t, "       ");
        sg_json_append_numbers(t, p->value + i * columns * s->outputs + o, columns, s->outputs);
        sg_json_end_line(t, i, rows);
    }
    sg_text_append(t, "     ]");
}

static void write_pair(sg_text *t, const sg_additive *s, const sg_pair *p)
{
    sg_json_append(t, "    {\"curves\": [%zu, %zu]", p->curve[0], p->curve[1]);
    if (p->deviation) sg_json_append_list(t, "deviation", p->deviation, s->outputs);
    sg_text_append(t, ", \"then\": [");
    for (size_t o = 0; o < s->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        write_table(t, s, p, o);
    }
    sg_text_append(t, "]}");
}

void sg_model_additive_write(sg_text *t, const sg_model *m)
{
    const sg_additive *s = m->additive;
    if (!s) return;
    sg_text_append(t, "  \"curves\": [\n");
    for (size_t i = 0; i < s->curves; i++) {
        write_curve(t, s, &s->curve[i]);
        sg_json_end_line(t, i, s->curves);
    }
    sg_text_append(t, s->pairs ? "  ],\n  \"pairs\": [\n" : "  ],\n");
    for (size_t i = 0; i < s->pairs; i++) {
        write_pair(t, s, &s->pair[i]);
        sg_json_end_line(t, i, s->pairs);
    }
    if (s->pairs) sg_text_append(t, "  ],\n");
}
