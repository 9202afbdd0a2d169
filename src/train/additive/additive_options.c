/* additive_options.c: finds the columns named by --monotone and --pairs. */
#include "train/additive/additive_options.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { ITEM_SIZE = 512, AUTO_PAIRS = 10, MAX_PAIRS = 36 };

static const char *input_name(const sg_model *m, size_t i) { return sg_model_input_name(m, i); }

/* Returns the curve of the input of this name, or `curves` if there is none. */
static size_t find_curve(const sg_model *m, const sg_additive *fine, const char *name, size_t length)
{
    for (size_t i = 0; i < fine->curves; i++) {
        const char *of = input_name(m, fine->curve[i].input);
        if (strlen(of) == length && memcmp(of, name, length) == 0) return i;
    }
    return fine->curves;
}

static bool has_column(const sg_source *rows, const char *name, size_t length)
{
    for (size_t i = 0; i < rows->columns; i++)
        if (strlen(rows->names[i]) == length && memcmp(rows->names[i], name, length) == 0) return true;
    return false;
}

static bool is_target(const sg_model *m, const char *name, size_t length)
{
    for (size_t i = 0; i < m->outputs; i++)
        if (strlen(m->output_name[i]) == length && memcmp(m->output_name[i], name, length) == 0) return true;
    return false;
}

/* Lists the inputs that have a curve, including categories if `categories` is set. If there are many, lists only the
 * first ones. */
static void list_inputs(const sg_model *m, const sg_additive *fine, bool categories, sg_text *to)
{
    enum { MOST = 12 };
    size_t n = 0;
    for (size_t i = 0; i < fine->curves; i++) {
        if (fine->curve[i].is_category && !categories) continue;
        if (n++ < MOST) sg_text_append_format(to, "%s%s", n > 1 ? ", " : "", input_name(m, fine->curve[i].input));
    }
    if (n > MOST) sg_text_append_format(to, ", ... (%zu in all)", n);
}

/* Fails because `name` is not an input of a curve. */
static sg_status fail_no_input(const char *option, const sg_source *rows, const sg_model *m, const sg_additive *fine,
                               const char *name, size_t length)
{
    sg_text inputs = {0};
    char shown[96];
    const char *why = has_column(rows, name, length) ? "is not an input that varies and differs from the others"
                                                     : "is not a column of the data";
    if (is_target(m, name, length)) why = "is the target, not an input";
    list_inputs(m, fine, strcmp(option, "--pairs") == 0, &inputs);
    sg_status st = sg_fail(SG_EINVAL, "%s: \"%s\" %s; expected one of %s", option,
                           sg_quote_excerpt(name, length, shown, sizeof shown), why, inputs.bytes ? inputs.bytes : "");
    sg_text_release(&inputs);
    return st;
}

/* --- monotone curves --- */

static sg_status parse_direction(const sg_source *rows, const sg_model *m, const sg_additive *fine, const char *item,
                                 int *monotone)
{
    char shown[96];
    size_t n = strlen(item);
    if (n < 3 || item[n - 2] != ':' || (item[n - 1] != '+' && item[n - 1] != '-'))
        return sg_fail(SG_EINVAL, "--monotone: expected COLUMN:+ or COLUMN:-, got \"%s\"",
                       sg_quote_excerpt(item, n, shown, sizeof shown));
    size_t curve = find_curve(m, fine, item, n - 2);
    if (curve == fine->curves) return fail_no_input("--monotone", rows, m, fine, item, n - 2);
    if (fine->curve[curve].is_category)
        return sg_fail(SG_EINVAL,
                       "--monotone: \"%s\" is a category, so it has no order; only numeric inputs can be monotone",
                       sg_quote_excerpt(item, n - 2, shown, sizeof shown));
    int direction = item[n - 1] == '+' ? 1 : -1;
    if (monotone[curve] == -direction)
        return sg_fail(SG_EINVAL, "--monotone: \"%s\" has both directions, + and -; expected only one",
                       sg_quote_excerpt(item, n - 2, shown, sizeof shown));
    monotone[curve] = direction;
    return SG_OK;
}

sg_status sg_additive_parse_monotone(const sg_additive_config *c, const sg_source *rows, const sg_model *m,
                                     const sg_additive *fine, int *monotone)
{
    char item[ITEM_SIZE];
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && sg_list_item(c->monotone, i, item, sizeof item); i++)
        if (*item) st = parse_direction(rows, m, fine, item, monotone);
    return st;
}

/* --- pairs --- */

static sg_status add_forced(const sg_structure_search *s, size_t a, size_t b, const sg_model *m, size_t *count,
                            size_t (*pair)[2])
{
    size_t first = a < b ? a : b, second = a < b ? b : a;
    if (a == b)
        return sg_fail(SG_EINVAL, "--pairs: \"%s\" can't be paired with itself",
                       input_name(m, s->fine->curve[a].input));
    for (size_t i = 0; i < 2; i++) {
        const sg_curve *c = &s->fine->curve[i ? b : a];
        if (!sg_curve_can_be_paired(c))
            return sg_fail(SG_EINVAL,
                           "--pairs: \"%s\" has %zu levels; only categories with at most %d levels can be paired",
                           input_name(m, c->input), c->cells, SG_PAIR_MAX_LEVELS);
    }
    for (size_t i = 0; i < *count; i++)
        if (pair[i][0] == first && pair[i][1] == second) return SG_OK;
    if (*count == MAX_PAIRS) return sg_fail(SG_EINVAL, "--pairs: expected at most %d pairs", MAX_PAIRS);
    pair[*count][0] = first;
    pair[(*count)++][1] = second;
    return SG_OK;
}

/* Column names may contain colons, so every colon is tried as the separator. */
static sg_status parse_pair(const sg_structure_search *s, const sg_source *rows, const sg_model *m, const char *item,
                            size_t *count, size_t (*pair)[2])
{
    const sg_additive *fine = s->fine;
    char shown[96];
    const char *separator = strchr(item, ':');
    for (const char *at = separator; at; at = strchr(at + 1, ':')) {
        size_t a = find_curve(m, fine, item, (size_t)(at - item)), b = find_curve(m, fine, at + 1, strlen(at + 1));
        if (a < fine->curves && b < fine->curves) return add_forced(s, a, b, m, count, pair);
    }
    if (!separator)
        return sg_fail(SG_EINVAL, "--pairs: expected auto, a number, or pairs such as COLUMN:COLUMN, got \"%s\"",
                       sg_quote_excerpt(item, strlen(item), shown, sizeof shown));
    size_t length = (size_t)(separator - item);
    if (find_curve(m, fine, item, length) == fine->curves) return fail_no_input("--pairs", rows, m, fine, item, length);
    return fail_no_input("--pairs", rows, m, fine, separator + 1, strlen(separator + 1));
}

static sg_status parse_number(const sg_additive_config *c, sg_structure_search *s)
{
    char *end;
    unsigned long long n = strtoull(c->pairs, &end, 10);
    size_t inputs = 0;
    for (size_t i = 0; i < s->fine->curves; i++) inputs += sg_curve_can_be_paired(&s->fine->curve[i]);
    size_t exist = inputs * (inputs - (inputs > 0)) / 2;
    if (!*end && n > exist)
        return sg_fail(SG_EINVAL, "--pairs: %zu input%s that can be paired ha%s %zu pairs, so %llu are not possible",
                       inputs, inputs == 1 ? "" : "s", inputs == 1 ? "s" : "ve", exist, n);
    if (*end || n > MAX_PAIRS)
        return sg_fail(SG_EINVAL,
                       "--pairs: expected auto, pairs such as COLUMN:COLUMN, or a number from 0 to %d, got \"%s\"",
                       MAX_PAIRS, c->pairs);
    s->max_pairs = (size_t)n;
    return SG_OK;
}

sg_status sg_additive_parse_pairs(const sg_additive_config *c, const sg_source *rows, const sg_model *m,
                                  sg_structure_search *s)
{
    char item[ITEM_SIZE];
    sg_status st = SG_OK;
    s->max_pairs = AUTO_PAIRS;
    if (strcmp(c->pairs, "auto") == 0) return SG_OK;
    if (*c->pairs >= '0' && *c->pairs <= '9' && !strchr(c->pairs, ':')) return parse_number(c, s);
    s->forced = sg_calloc(MAX_PAIRS, sizeof *s->forced);
    if (!s->forced) return sg_fail_out_of_memory("pairs");
    for (size_t i = 0; st == SG_OK && sg_list_item(c->pairs, i, item, sizeof item); i++)
        if (*item) st = parse_pair(s, rows, m, item, &s->forced_pairs, s->forced);
    s->max_pairs = s->forced_pairs;
    return st;
}
