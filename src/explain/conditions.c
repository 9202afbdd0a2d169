/* conditions.c: see conditions.h. */
#include "explain/conditions.h"

#include "base/memory.h"
#include "explain/labels.h"

#include <math.h>
#include <stdlib.h>

static void number(sg_text *t, double value)
{
    char buf[SG_NUMBER_SIZE];
    sg_text_add(t, sg_pen_number(value, buf));
}

static void near(sg_text *t, double value, double spread)
{
    char buf[SG_NUMBER_SIZE];
    sg_text_add(t, sg_pen_near(value, spread, buf));
}

/* --- terms --- */

/* "about 1.31, sigma 0.23"; an inverse width is shown as the width. */
static void shape(sg_text *t, const sg_mf_kind *kind, const double *p)
{
    if (kind->centre >= 0) {
        sg_text_add(t, "about ");
        near(t, p[kind->centre], kind->width(p));
    }
    for (size_t k = 0; k < kind->arity; k++) {
        bool inverse = kind->role[k] == 'i';
        if ((int)k == kind->centre) continue;
        sg_text_format(t, "%s%s%s ", k || kind->centre >= 0 ? ", " : "", inverse ? "sigma" : kind->parameter[k],
                       inverse ? kind->parameter[k] + 1 : ""); /* of a2: sigma2 */
        if (inverse && p[k] == 0) sg_text_add(t, "without end");
        else number(t, inverse ? 1 / p[k] : p[k]);
    }
}

/* One line: "low        about 1.31, sigma 0.23"; a term without a label has its numbers alone. */
static void term(sg_pen *pen, const sg_units *u, const sg_block *b, size_t mf)
{
    static const char *const verdict[] = {"no", "rather not", "either", "rather", "yes"};
    double p[SG_MF_PARAMETERS];
    size_t level;
    const char *label =
        sg_units_level(u, b->input_of[mf], &level) ? verdict[sg_units_verdict(u, b, mf)] : sg_term_label(u, b, mf);
    sg_text one = {0};
    sg_units_mf(u, b, mf, p);
    sg_text_format(&one, "%-10s ", label ? label : "");
    shape(&one, b->kind, p);
    sg_pen_line(pen, "    ", "  - ", "    ");
    if (one.failed) pen->text->failed = true;
    else sg_pen_stay(pen, "%s", one.bytes);
    sg_text_release(&one);
    sg_pen_end(pen);
}

/* The next MF of an input by its centre, after that of number `last`, or b->mfs; the first where last is b->mfs. */
static size_t next_term(const sg_units *u, const sg_block *b, size_t i, size_t last)
{
    size_t next = b->mfs;
    double p[SG_MF_PARAMETERS], after = -INFINITY, nearest = INFINITY;
    if (last < b->mfs) sg_units_mf(u, b, last, p);
    if (last < b->mfs) after = sg_term_place(b->kind, p);
    for (size_t mf = 0; mf < b->mfs; mf++) {
        if (b->input_of[mf] != i || mf == last) continue;
        sg_units_mf(u, b, mf, p);
        double at = sg_term_place(b->kind, p);
        bool comes = last == b->mfs || at > after || (at == after && mf > last);
        if (!comes || !(next == b->mfs || at < nearest)) continue;
        next = mf;
        nearest = at;
    }
    return next;
}

/* Whether some MF of an input has a label, which has to be explained. */
static bool has_labels(const sg_units *u, const sg_block *b, size_t i)
{
    for (size_t mf = 0; mf < b->mfs; mf++)
        if (b->input_of[mf] == i && sg_term_label(u, b, mf)) return true;
    return false;
}

static void terms_of_input(sg_pen *pen, const sg_units *u, const sg_block *b, size_t i)
{
    char name[32];
    sg_pen_line(pen, "  ", "- ", "  ");
    sg_pen_stay(pen, "%s", sg_units_name(u, i, name, sizeof name));
    sg_pen_end(pen);
    for (size_t mf = next_term(u, b, i, b->mfs); mf < b->mfs; mf = next_term(u, b, i, mf)) term(pen, u, b, mf);
}

bool sg_terms_any(const sg_units *u, const sg_block *b)
{
    bool any = false;
    for (size_t i = 0; !any && i < b->inputs; i++) any = has_labels(u, b, i);
    return any && sg_terms_ordered(u, b);
}

void sg_terms_words(sg_pen *p, const sg_units *u, const sg_block *b)
{
    if (!sg_terms_any(u, b)) return;
    sg_pen_heading(p, 2, "Terms");
    sg_text_add(p->text, p->markdown ? "\n\n" : "\n");
    for (size_t i = 0; i < b->inputs; i++)
        if (has_labels(u, b, i)) terms_of_input(p, u, b, i);
}

/* --- conditions --- */

const char *sg_condition_label(const sg_units *u, const sg_block *b, size_t mf)
{
    double p[SG_MF_PARAMETERS];
    long input = sg_units_input(u, b->input_of[mf]);
    if (sg_terms_ordered(u, b)) return sg_term_label(u, b, mf);
    if (input < 0 || !(u->model->low[input] < u->model->high[input])) return NULL;
    sg_units_mf(u, b, mf, p);
    return sg_place_label(u->model, (size_t)input, sg_term_place(b->kind, p));
}

/* --- categories --- */

/* The log firing of a rule, as far as its conditions on the category's levels go, for a row that is level `is`. */
static double log_of_level(const sg_units *u, const sg_block *b, size_t r, const sg_coded *in, size_t is)
{
    const sg_ends *e = &u->ends[b->sees_z];
    double p[SG_MF_PARAMETERS], sum = 0;
    for (size_t k = 0; k < sg_coded_features(in); k++) {
        int32_t mf = b->mf_of[r * b->inputs + in->first + k];
        if (mf < 0 || sg_units_shared(b, (size_t)mf)) continue;
        sg_mf_get(b, (size_t)mf, p);
        sum += b->kind->log_value(k == is ? e->yes[in->first + k] : e->no[in->first + k], p);
    }
    return b->h * sum;
}

/* Firing levels are relative: levels for which a rule fires at least half as much as for the best of them are meant.
 * Returns how many; meant: (features of the category). */
static size_t find_meant(const sg_units *u, const sg_block *b, size_t r, const sg_coded *in, bool *meant)
{
    const double half = 0.6931471805599453;
    size_t n = sg_coded_features(in), count = 0;
    double most = -INFINITY;
    for (size_t k = 0; k < n; k++) most = fmax(most, log_of_level(u, b, r, in, k));
    for (size_t k = 0; k < n; k++) count += meant[k] = log_of_level(u, b, r, in, k) >= most - half;
    return count;
}

/* " and sex is F or M", or " and sex is not I", whichever is shorter; nothing where it may be any. Returns how many
 * conditions that is. */
static size_t category(sg_pen *p, const sg_units *u, const sg_block *b, size_t r, const sg_coded *in, const char *lead)
{
    size_t n = sg_coded_features(in), told = 0;
    bool *meant = sg_alloc(n, sizeof *meant);
    size_t count = meant ? find_meant(u, b, r, in, meant) : 0;
    bool shown = count <= n - count;
    sg_text t = {0};
    sg_text_format(&t, "%s%s is%s ", lead, in->name, shown ? "" : " not");
    for (size_t k = 0; meant && k < n; k++) {
        char *name = meant[k] == shown ? sg_coded_level(in, k) : NULL;
        if (meant[k] == shown && !name) t.failed = true;
        if (name) sg_text_format(&t, "%s%s", told++ ? (shown ? " or " : " nor ") : "", name);
        free(name);
    }
    p->text->failed = p->text->failed || t.failed || !meant;
    if (!t.failed && meant && count < n) *lead ? sg_pen_word(p, "%s", t.bytes) : sg_pen_stay(p, "%s", t.bytes);
    sg_text_release(&t);
    free(meant);
    return count < n;
}

/* --- numbers --- */

/* Two shoulders: "below 3 +- 1", "above 3 +- 1", "about 3 +- 1", "2 to 3 +- 1". */
static void between(sg_text *t, const double *p, double width)
{
    bool below = p[1] == 0, above = p[3] == 0, flat = !below && !above && p[0] < p[2];
    sg_text_add(t, below && above ? "any" : below ? "below " : above ? "above " : flat ? "" : "about ");
    if (below && above) return;
    if (!below) near(t, p[0], width);
    if (flat) sg_text_add(t, " to ");
    if (below || flat) near(t, p[2], width);
    sg_text_add(t, " +- ");
    number(t, width);
}

/* "about 3 +- 1"; where conditions see ranks, and a width is not the same to both sides, "about 3, 1.2 to 9". */
static void about(sg_text *t, const sg_units *u, const sg_block *b, size_t mf)
{
    double p[SG_MF_PARAMETERS], low, high;
    sg_units_mf(u, b, mf, p);
    bool two_sides = sg_units_sides(u, b, mf, &low, &high);
    double width = two_sides ? fabs(high - low) / 2 : b->kind->width(p);
    if (b->kind == &sg_mf_gauss2) {
        between(t, p, b->kind->width(p));
        return;
    }
    sg_text_add(t, "about ");
    near(t, sg_term_place(b->kind, p), width);
    sg_text_add(t, two_sides ? ", " : " +- ");
    if (two_sides) near(t, low, width);
    else number(t, width);
    if (two_sides) sg_text_add(t, " to ");
    if (two_sides) near(t, high, width);
}

/* Before it comes `lead`; a label and its numbers may be parted. */
static void condition(sg_pen *pen, const sg_units *u, const sg_block *b, size_t i, size_t mf, bool numbers,
                      const char *lead)
{
    char name[32];
    sg_text t = {0}, width = {0};
    const char *label = sg_condition_label(u, b, mf);
    sg_text_format(&t, "%s%s is ", lead, sg_units_name(u, i, name, sizeof name));
    if (label) sg_text_add(&t, label);
    else about(&t, u, b, mf);
    if (label && (numbers || !sg_terms_ordered(u, b))) about(&width, u, b, mf);
    pen->text->failed = pen->text->failed || t.failed || width.failed;
    if (!t.failed && *lead) sg_pen_word(pen, "%s", t.bytes);
    else if (!t.failed) sg_pen_stay(pen, "%s", t.bytes); /* a break would gain nothing */
    if (width.length) sg_pen_word(pen, " (%s)", width.bytes);
    sg_text_release(&t);
    sg_text_release(&width);
}

/* " - 0.4 b", and the first one " and b": of ranks "rank(b)", of a level "[sex=M]". */
static void summand(sg_text *t, const sg_units *u, const sg_block *b, size_t i, double weight, bool first)
{
    char name[32];
    size_t level;
    bool ranks = !sg_view_is_affine(sg_block_view(u->model, b)), is_one = sg_units_level(u, i, &level) != NULL;
    if (!first) sg_text_add(t, weight < 0 ? " - " : " + ");
    else if (weight < 0) sg_text_add(t, "-");
    if (fabs(weight) != 1) number(t, fabs(weight));
    if (fabs(weight) != 1) sg_text_add(t, " ");
    sg_text_format(t, ranks ? "rank(%s)" : is_one ? "[%s]" : "%s", sg_units_name(u, i, name, sizeof name));
}

/* " and a - 0.4 b + 2 c is about 3.1 +- 0.7", on as many lines as it takes. */
static void combination(sg_pen *p, const sg_units *u, const sg_block *b, const sg_combination *c, bool first_of_all)
{
    bool first = true;
    for (size_t i = 0; i < b->inputs; i++) {
        if (c->weight[i] == 0) continue;
        sg_text one = {0};
        if (first && !first_of_all) sg_text_add(&one, " and ");
        summand(&one, u, b, i, c->weight[i], first);
        p->indent = first ? "      " : "        ";
        if (one.failed) p->text->failed = true;
        else if (first && first_of_all) sg_pen_stay(p, "%s", one.bytes);
        else sg_pen_word(p, "%s", one.bytes);
        sg_text_release(&one);
        first = false;
    }
    sg_text end = {0};
    sg_text_add(&end, " is about ");
    near(&end, c->about, c->sigma);
    sg_text_add(&end, " +- ");
    number(&end, c->sigma);
    if (!end.failed) sg_pen_word(p, "%s", end.bytes);
    sg_text_release(&end);
}

/* Returns how many conditions there are then. */
static size_t combinations(sg_pen *p, const sg_units *u, const sg_block *b, size_t r, size_t n)
{
    sg_combination c = {.weight = sg_alloc(b->inputs, sizeof *c.weight)};
    if (!c.weight) p->text->failed = true;
    for (size_t k = 0; c.weight && k < b->rank; k++)
        if (sg_units_combination(u, b, r, k, &c)) combination(p, u, b, &c, n++ == 0);
    free(c.weight);
    return n;
}

size_t sg_conditions_count(const sg_units *u, const sg_block *b, size_t *left_out)
{
    size_t n = 0, level;
    *left_out = 0;
    for (size_t k = 0; k < b->rules * b->inputs; k++) {
        if (b->mf_of[k] < 0 || sg_units_level(u, k % b->inputs, &level)) continue;
        n++;
        *left_out += !sg_units_matters(u, b, (size_t)b->mf_of[k]);
    }
    return n;
}

void sg_conditions_words(sg_pen *p, const sg_units *u, const sg_block *b, size_t r, bool numbers)
{
    size_t n = 0;
    sg_pen_line(p, "  IF   ", "- **IF** ", "      ");
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        size_t level;
        const sg_coded *in = sg_units_level(u, i, &level);
        const char *lead = n ? " and " : "";
        if (in && level == 0) n += category(p, u, b, r, in, lead);
        if (in || mf < 0 || !sg_units_matters(u, b, (size_t)mf)) continue;
        condition(p, u, b, i, (size_t)mf, numbers, lead);
        n++;
    }
    if (b->rank) n = combinations(p, u, b, r, n);
    if (n == 0) sg_pen_stay(p, "anything");
    sg_pen_end(p);
}
