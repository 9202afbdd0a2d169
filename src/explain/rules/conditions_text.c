/* conditions_text.c: writes the conditions of a rule, and the table of labelled membership functions. */
#include "explain/rules/rules_text.h"

#include "base/memory.h"
#include "explain/rules/mf_labels.h"

#include <math.h>
#include <stdlib.h>

/* Appends a number with the resolution of `spread`, or with four digits if `spread` is 0. */
static void add_number(sg_text *t, double value, double spread)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    sg_text_append(t, sg_format_to_resolution(value, spread, buf));
}

/* --- table of MFs --- */

/* Appends "about 1.31, sigma 0.23". An inverse width is written as a width. */
static void add_mf_parameters(sg_text *t, const sg_mf_kind *kind, const double *p)
{
    if (kind->centre >= 0) {
        sg_text_append(t, "about ");
        add_number(t, p[kind->centre], kind->width(p));
    }
    for (size_t k = 0; k < kind->arity; k++) {
        bool inverse = kind->parameter_role[k] == 'i';
        if ((int)k == kind->centre) continue;
        sg_text_append_format(t, "%s%s%s ", k || kind->centre >= 0 ? ", " : "", inverse ? "sigma" : kind->parameter[k],
                              inverse ? kind->parameter[k] + 1 : ""); /* a2 becomes sigma2 */
        if (inverse && p[k] == 0) sg_text_append(t, "infinite");
        else add_number(t, inverse ? 1 / p[k] : p[k], 0);
    }
}

/* Writes the line "low        about 1.31, sigma 0.23". The label may be empty. */
static void write_mf(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t mf)
{
    static const char *const answer_text[] = {"no", "unlikely", "either", "likely", "yes"};
    double parameter[SG_MF_MAX_PARAMETERS];
    size_t level;
    const char *label = sg_original_units_category(u, b->input_of[mf], &level)
                            ? answer_text[sg_original_units_level_answer(u, b, mf)]
                            : sg_mf_label(u, b, mf);
    sg_text one = {0};
    sg_original_units_mf(u, b, mf, parameter);
    sg_text_append_format(&one, "%-10s ", label ? label : "");
    add_mf_parameters(&one, b->kind, parameter);
    sg_text_writer_begin_line(p, "    ", "  - ", "    ");
    sg_text_writer_take(p, &one);
    sg_text_writer_end_line(p);
}

/* Returns the MF of input i that follows `last` in order of location, or the first one if `last` is b->mfs. Returns
 * b->mfs if there is none. */
static size_t next_mf(const sg_original_units *u, const sg_block *b, size_t i, size_t last)
{
    size_t next = b->mfs;
    double p[SG_MF_MAX_PARAMETERS], after = -INFINITY, nearest = INFINITY;
    if (last < b->mfs) sg_original_units_mf(u, b, last, p);
    if (last < b->mfs) after = sg_mf_location(b->kind, p);
    for (size_t mf = 0; mf < b->mfs; mf++) {
        if (b->input_of[mf] != i || mf == last) continue;
        sg_original_units_mf(u, b, mf, p);
        double at = sg_mf_location(b->kind, p);
        bool follows = last == b->mfs || at > after || (at == after && mf > last);
        if (!follows || !(next == b->mfs || at < nearest)) continue;
        next = mf;
        nearest = at;
    }
    return next;
}

static bool has_labels(const sg_original_units *u, const sg_block *b, size_t i)
{
    for (size_t mf = 0; mf < b->mfs; mf++)
        if (b->input_of[mf] == i && sg_mf_label(u, b, mf)) return true;
    return false;
}

static void write_mfs_of_input(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t i)
{
    char name[32];
    sg_text_writer_begin_line(p, "  ", "- ", "  ");
    sg_text_writer_nobreak(p, "%s", sg_original_units_name(u, i, name, sizeof name));
    sg_text_writer_end_line(p);
    for (size_t mf = next_mf(u, b, i, b->mfs); mf < b->mfs; mf = next_mf(u, b, i, mf)) write_mf(p, u, b, mf);
}

bool sg_mf_table_exists(const sg_original_units *u, const sg_block *b)
{
    bool any = false;
    for (size_t i = 0; !any && i < b->inputs; i++) any = has_labels(u, b, i);
    return any && sg_mf_labels_are_unique(u, b);
}

void sg_mf_table_text(sg_text_writer *p, const sg_original_units *u, const sg_block *b)
{
    if (!sg_mf_table_exists(u, b)) return;
    sg_text_writer_heading(p, 2, "Membership functions");
    sg_text_append(p->text, p->markdown ? "\n\n" : "\n");
    for (size_t i = 0; i < b->inputs; i++)
        if (has_labels(u, b, i)) write_mfs_of_input(p, u, b, i);
}

/* --- conditions --- */

const char *sg_condition_label(const sg_original_units *u, const sg_block *b, size_t mf)
{
    double p[SG_MF_MAX_PARAMETERS];
    long input = sg_original_units_input(u, b->input_of[mf]);
    if (sg_mf_labels_are_unique(u, b)) return sg_mf_label(u, b, mf);
    if (input < 0 || !(u->model->low[input] < u->model->high[input])) return NULL;
    sg_original_units_mf(u, b, mf, p);
    return sg_quantile_label(u->model, (size_t)input, sg_mf_location(b->kind, p));
}

/* --- categories --- */

/* Returns the part of the log firing level that comes from conditions on a category, for a row with level `is`. */
static double level_log_firing(const sg_original_units *u, const sg_block *b, size_t r, const sg_encoded_input *in,
                               size_t is)
{
    const sg_pipeline_extremes *e = &u->extremes[b->sees_z];
    double p[SG_MF_MAX_PARAMETERS], sum = 0;
    for (size_t k = 0; k < sg_encoded_input_features(in); k++) {
        int32_t mf = b->mf_of[r * b->inputs + in->first_feature + k];
        if (mf < 0 || sg_mf_is_in_all_rules(b, (size_t)mf)) continue;
        sg_mf_get(b, (size_t)mf, p);
        sum += b->kind->log_value(k == is ? e->at_one[in->first_feature + k] : e->at_zero[in->first_feature + k], p);
    }
    return b->firing_scale * sum;
}

/* Marks the levels for which the rule fires at least half as strongly as for the best level. Returns the number of
 * these levels. */
static size_t find_matching_levels(const sg_original_units *u, const sg_block *b, size_t r, const sg_encoded_input *in,
                                   bool *matches)
{
    const double half = 0.6931471805599453;
    size_t n = sg_encoded_input_features(in), count = 0;
    double most = -INFINITY;
    for (size_t k = 0; k < n; k++) most = fmax(most, level_log_firing(u, b, r, in, k));
    for (size_t k = 0; k < n; k++) count += matches[k] = level_log_firing(u, b, r, in, k) >= most - half;
    return count;
}

/* Writes " and sex is F or M" or " and sex is not I", whichever is shorter, or nothing if all levels match. Returns the
 * number of conditions written. */
static size_t write_category_condition(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t r,
                                       const sg_encoded_input *in, const char *lead)
{
    size_t n = sg_encoded_input_features(in), written = 0;
    bool *matches = sg_calloc(n, sizeof *matches);
    size_t count = matches ? find_matching_levels(u, b, r, in, matches) : 0;
    bool listed = count <= n - count; /* whether to list the matching levels or the others */
    sg_text t = {.failed = !matches};
    sg_text_append_format(&t, "%s%s is%s ", lead, in->name, listed ? "" : " not");
    for (size_t k = 0; matches && k < n; k++) {
        if (matches[k] != listed) continue;
        char *name = sg_encoded_input_level_name(in, k);
        if (name) sg_text_append_format(&t, "%s%s", written++ ? (listed ? " or " : " nor ") : "", name);
        else t.failed = true;
        free(name);
    }
    if (t.failed || count < n) sg_text_writer_take(p, &t);
    sg_text_release(&t);
    free(matches);
    return count < n;
}

/* --- numeric inputs --- */

/* The range of an input in the training rows. */
typedef struct data_range {
    double low, high;
} data_range;

/* Returns an infinite range if it is unknown, as for a principal component. */
static data_range find_data_range(const sg_original_units *u, const sg_block *b, size_t mf)
{
    long input = sg_original_units_input(u, b->input_of[mf]);
    if (input < 0 || !(u->model->low[input] < u->model->high[input])) return (data_range){-INFINITY, INFINITY};
    return (data_range){u->model->low[input], u->model->high[input]};
}

static double clamp_to_range(double x, const data_range *d) { return fmin(fmax(x, d->low), d->high); }

/* Appends a two-sided Gaussian as "below 3 +- 1", "above 3 +- 1", "about 3 +- 1" or "2 to 3 +- 1". A side without
 * data is left out. */
static void add_soft_interval(sg_text *t, const double *p, double width, const data_range *d)
{
    bool below = p[1] == 0 || p[0] <= d->low, above = p[3] == 0 || p[2] >= d->high,
         flat = !below && !above && p[0] < p[2];
    sg_text_append(t, below && above ? "any" : below ? "below " : above ? "above " : flat ? "" : "about ");
    if (below && above) return;
    if (!below) add_number(t, clamp_to_range(p[0], d), width);
    if (flat) sg_text_append(t, " to ");
    if (below || flat) add_number(t, clamp_to_range(p[2], d), width);
    sg_text_append(t, " +- ");
    add_number(t, width, 0);
}

/* Writes "about 3, 1.2 to 9", but only the part of the interval that is within the data: "about 3, from 1.2" if the
 * upper bound exceeds the maximum, "from 1.2" if the centre does, too. */
static void add_interval(sg_text *t, double centre, double low, double high, const data_range *d)
{
    double width = fabs(high - low) / 2;
    bool inside = centre >= d->low && centre <= d->high, from = low >= d->low && centre >= d->low,
         to = high <= d->high && centre <= d->high;
    if (inside) sg_text_append(t, "about ");
    if (inside) add_number(t, centre, width);
    if (inside && (from || to)) sg_text_append(t, ", ");
    if (from && to) add_number(t, low, width);
    if (to) sg_text_append(t, from ? " to " : "up to ");
    if (to) add_number(t, clamp_to_range(high, d), width);
    if (from && !to) sg_text_append(t, "from ");
    if (from && !to) add_number(t, clamp_to_range(low, d), width);
    if (!inside && !from && !to) sg_text_append(t, "any");
}

/* Writes "about 3 +- 1" or, if a quantile transform makes the two sides differ or the centre is outside the data, an
 * interval. */
static void add_location(sg_text *t, const sg_original_units *u, const sg_block *b, size_t mf)
{
    const data_range d = find_data_range(u, b, mf);
    double p[SG_MF_MAX_PARAMETERS], low, high;
    sg_original_units_mf(u, b, mf, p);
    double centre = sg_mf_location(b->kind, p), width = b->kind->width(p);
    if (b->kind == &sg_mf_gauss2) {
        add_soft_interval(t, p, width, &d);
        return;
    }
    if (sg_original_units_mf_range(u, b, mf, &low, &high)) {
        add_interval(t, centre, low, high, &d);
        return;
    }
    if (centre < d.low || centre > d.high) {
        add_interval(t, centre, centre - width, centre + width, &d);
        return;
    }
    sg_text_append(t, "about ");
    add_number(t, centre, width);
    sg_text_append(t, " +- ");
    add_number(t, width, 0);
}

bool sg_centres_outside_data(const sg_original_units *u, const sg_block *b)
{
    double p[SG_MF_MAX_PARAMETERS];
    for (size_t mf = 0; mf < b->mfs; mf++) {
        const data_range d = find_data_range(u, b, mf);
        sg_original_units_mf(u, b, mf, p);
        double centre = sg_mf_location(b->kind, p);
        if (centre < d.low || centre > d.high) return true;
    }
    return false;
}

/* Label and numbers are separate words, so that a line may break between them. */
static void write_condition(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t i, size_t mf,
                            bool numbers, const char *lead)
{
    char name[32];
    sg_text t = {0}, location = {0};
    const char *label = sg_condition_label(u, b, mf);
    sg_text_append_format(&t, "%s%s is ", lead, sg_original_units_name(u, i, name, sizeof name));
    if (label) sg_text_append(&t, label);
    else add_location(&t, u, b, mf);
    sg_text_writer_take(p, &t);
    if (!label || (!numbers && sg_mf_labels_are_unique(u, b))) return;
    sg_text_append(&location, " (");
    add_location(&location, u, b, mf);
    sg_text_append(&location, ")");
    sg_text_writer_take(p, &location);
}

/* Appends, for example, " - 0.4 b". A rank is written as "rank(b)", the indicator of a level as "[sex is M]". */
static void add_summand(sg_text *t, const sg_original_units *u, const sg_block *b, size_t i, double weight, bool first)
{
    char name[32];
    size_t level;
    bool ranks = !sg_pipeline_is_affine(sg_block_pipeline(u->model, b)),
         is_one = sg_original_units_category(u, i, &level) != NULL;
    if (!first) sg_text_append(t, weight < 0 ? " - " : " + ");
    else if (weight < 0) sg_text_append(t, "-");
    if (fabs(weight) != 1) add_number(t, fabs(weight), 0);
    if (fabs(weight) != 1) sg_text_append(t, " ");
    sg_text_append_format(t,
                          ranks    ? "rank(%s)"
                          : is_one ? "[%s]"
                                   : "%s",
                          sg_original_units_name(u, i, name, sizeof name));
}

/* Writes, for example, " and a - 0.4 b + 2 c is about 3.1 +- 0.7". */
static void write_combination(sg_text_writer *p, const sg_original_units *u, const sg_block *b, const sg_combination *c,
                              const char *lead)
{
    bool first = true;
    for (size_t i = 0; i < b->inputs; i++) {
        if (c->weight[i] == 0) continue;
        sg_text one = {0};
        if (first) sg_text_append(&one, lead);
        add_summand(&one, u, b, i, c->weight[i], first);
        p->indent = first ? "      " : "        ";
        sg_text_writer_take(p, &one);
        first = false;
    }
    sg_text end = {0};
    sg_text_append(&end, " is about ");
    add_number(&end, c->centre, c->sigma);
    sg_text_append(&end, " +- ");
    add_number(&end, c->sigma, 0);
    sg_text_writer_take(p, &end);
}

/* Writes the combinations of a rule, after n conditions that are already written. Returns the number of conditions
 * including the combinations. */
static size_t write_combinations(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t r, size_t n)
{
    sg_combination c = {.weight = sg_calloc(b->inputs, sizeof *c.weight)};
    if (!c.weight) p->text->failed = true;
    for (size_t k = 0; c.weight && k < b->rank; k++)
        if (sg_original_units_combination(u, b, r, k, &c)) write_combination(p, u, b, &c, n++ ? " and " : "");
    free(c.weight);
    return n;
}

size_t sg_conditions_count(const sg_original_units *u, const sg_block *b, size_t *omitted)
{
    size_t n = 0, level;
    *omitted = 0;
    for (size_t k = 0; k < b->rules * b->inputs; k++) {
        if (b->mf_of[k] < 0 || sg_original_units_category(u, k % b->inputs, &level)) continue;
        n++;
        *omitted += !sg_original_units_condition_matters(u, b, (size_t)b->mf_of[k]);
    }
    return n;
}

void sg_conditions_text(sg_text_writer *p, const sg_original_units *u, const sg_block *b, size_t r, bool numbers)
{
    size_t n = 0;
    sg_text_writer_begin_line(p, "  IF   ", "- **IF** ", "      ");
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        size_t level;
        const sg_encoded_input *in = sg_original_units_category(u, i, &level);
        const char *lead = n ? " and " : "";
        if (in && level == 0) n += write_category_condition(p, u, b, r, in, lead);
        if (in || mf < 0 || !sg_original_units_condition_matters(u, b, (size_t)mf)) continue;
        write_condition(p, u, b, i, (size_t)mf, numbers, lead);
        n++;
    }
    if (b->rank) n = write_combinations(p, u, b, r, n);
    if (n == 0) sg_text_writer_nobreak(p, "anything");
    sg_text_writer_end_line(p);
}
