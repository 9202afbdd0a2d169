/* additive_text.c: describes the curves of a model as text or Markdown: how to read them, then a few lines for each. */
#include "explain/additive/additive_text.h"

#include "base/memory.h"
#include "explain/additive/curve_shape.h"
#include "explain/additive/curve_term_names.h"
#include "explain/additive/effect_number.h"
#include "explain/global/rule_centroid_pd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 24, MAX_LEVELS = 12 };
static const double rare_share = 0.01;

/* A curve, for one output. */
typedef struct curve_text {
    sg_text_writer *p;
    const sg_model *m;
    const sg_additive *s;
    const sg_curve *c;
    size_t o;
    int decimals;
    size_t name_width; /* of all inputs */
    size_t terms;      /* number of terms written so far */
} curve_text;

static double cell_value(const curve_text *d, size_t k) { return d->c->value[k * d->s->outputs + d->o]; }

/* --- bands --- */

/* Returns twice the standard error of a value if that is wide, and otherwise 0. */
static double wide_band(const curve_text *d, size_t k)
{
    if (!d->c->band) return 0;
    double band = 2 * d->c->band[k * d->s->outputs + d->o],
           size = fmax(fabs(cell_value(d, k)), sg_curve_importance(d->s, d->c, d->o));
    return band > size && !sg_effect_is_zero(band, d->decimals) ? band : 0;
}

/* Returns whether most of n cells have wide bands, which are then described once. */
static bool is_uncertain(const curve_text *d, const size_t *cell, size_t n)
{
    size_t wide = 0;
    for (size_t i = 0; i < n; i++) wide += wide_band(d, cell[i]) > 0;
    return 2 * wide > n;
}

/* Returns twice the mean standard error of n cells, weighted by their shares. */
static double mean_band(const curve_text *d, const size_t *cell, size_t n)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < n; i++) {
        double share = d->c->share[cell[i]] + 1e-9; /* all shares may be 0 */
        sum += share * 2 * d->c->band[cell[i] * d->s->outputs + d->o];
        weight += share;
    }
    return weight > 0 ? sum / weight : 0;
}

/* --- heading of a curve --- */

/* Writes " at 28", where the curve has its extremum. */
static void write_extremum(const curve_text *d, const double *y, bool highest)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    size_t n = d->c->cells, k = 0, *all = sg_calloc(n, sizeof *all);
    for (size_t i = 1; i < n; i++)
        if (highest ? y[i] > y[k] : y[i] < y[k]) k = i;
    for (size_t i = 0; all && i < n; i++) all[i] = i;
    if (all) sg_text_writer_word(d->p, " at %s", sg_curve_format_knot(d->c, all, n, k, x));
    else d->p->text->failed = true;
    free(all);
}

/* Writes " mostly rises", for example. */
static void write_direction(const curve_text *d)
{
    static const char *const words[] = {"level",        "rises", "mostly rises", "falls",
                                        "mostly falls", "peaks", "lowest",       "goes up and down"};
    size_t n = d->c->cells;
    double *y = sg_calloc(n, sizeof *y);
    if (!y) {
        d->p->text->failed = true;
        return;
    }
    for (size_t k = 0; k < n; k++) y[k] = cell_value(d, k);
    sg_trend trend = sg_trend_classify(y, n);
    if (d->c->monotone) sg_text_writer_word(d->p, d->c->monotone > 0 ? " never falls" : " never rises");
    else sg_text_writer_word(d->p, " %s", words[trend]);
    if (trend == SG_TREND_PEAKS || trend == SG_TREND_DIPS) write_extremum(d, y, trend == SG_TREND_PEAKS);
    free(y);
}

/* Writes "age       ▁▂▅▆▆▇  ", without the drawing for a category. */
static void write_name_and_drawing(curve_text *d)
{
    const char *name = sg_model_input_name(d->m, d->c->input);
    sg_text *t = d->p->text;
    sg_text_writer_begin_line(d->p, "", "- **", "   ");
    sg_text_writer_nobreak(d->p, "%s", name);
    if (d->p->markdown) {
        sg_text_append(t, "** ");
        if (!d->c->is_category) sg_curve_draw(t, d->m, d->c, d->o);
        if (!d->c->is_category) sg_text_append(t, " ");
        return;
    }
    for (size_t n = sg_text_width(name); n < d->name_width; n++) sg_text_append(t, " ");
    sg_text_append(t, "  ");
    if (!d->c->is_category) sg_curve_draw(t, d->m, d->c, d->o);
    for (int i = 0; d->c->is_category && i < SG_DRAWING_WIDTH; i++) sg_text_append(t, " ");
    sg_text_append(t, "  ");
}

/* Writes "age       ▁▂▅▆▆▇  -18.3 to +12.1 (typically 8.9); rises". cell: the n cells that are shown. */
static void write_curve_heading(curve_text *d, const size_t *cell, size_t n)
{
    char low[SG_NUMBER_BUFFER_SIZE], high[SG_NUMBER_BUFFER_SIZE];
    sg_value_range r = sg_curve_range(d->s, d->c, d->o);
    write_name_and_drawing(d);
    sg_text_writer_nobreak(d->p, "%s to %s", sg_format_effect(r.low, d->decimals, true, low),
                           sg_format_effect(r.high, d->decimals, true, high));
    bool uncertain = is_uncertain(d, cell, n);
    sg_format_effect(sg_curve_importance(d->s, d->c, d->o), d->decimals, false, low);
    if (uncertain) sg_format_effect(mean_band(d, cell, n), d->decimals, false, high);
    sg_text_writer_word(d->p, " (typically %s%s%s)%s", low, uncertain ? " \u00b1 " : "", uncertain ? high : "",
                        d->c->is_category ? "" : ";");
    if (!d->c->is_category) write_direction(d);
}

/* --- terms --- */

/* Writes " · low 7: -5.0 ± 3.1" as one word. */
static void write_term(curve_text *d, const char *name, const char *position, double value, double band)
{
    char x[SG_NUMBER_BUFFER_SIZE], y[SG_NUMBER_BUFFER_SIZE];
    if (d->terms++) sg_text_writer_nobreak(d->p, " \u00b7");
    bool first = d->terms == 1;
    sg_format_effect(value, d->decimals, true, x);
    if (band > 0) sg_format_effect(band, d->decimals, false, y);
    sg_text_writer_word(d->p, "%s%s%s%s: %s%s%s", first ? "" : " ", name, *name && *position ? " " : "", position, x,
                        band > 0 ? " \u00b1 " : "", band > 0 ? y : "");
}

static void begin_terms(curve_text *d)
{
    sg_text_writer_end_line(d->p);
    sg_text_writer_begin_line(d->p, "  ", "  ", d->p->markdown ? "  " : " ");
    d->terms = 0;
}

static void write_missing(curve_text *d)
{
    size_t k = d->c->cells;
    if (!sg_effect_is_zero(cell_value(d, k), d->decimals))
        write_term(d, "missing", "", cell_value(d, k), wide_band(d, k));
    sg_text_writer_end_line(d->p);
}

static void write_numeric_terms(curve_text *d)
{
    size_t knot[SG_NAMED_TERMS], n = sg_curve_shown_knots(d->s, d->c, d->o, knot);
    char x[SG_NUMBER_BUFFER_SIZE];
    if (!n) d->p->text->failed = true;
    write_curve_heading(d, knot, n);
    begin_terms(d);
    bool uncertain = is_uncertain(d, knot, n);
    for (size_t i = 0; i < n; i++) {
        const char *name = sg_term_name(n, i);
        write_term(d, name ? name : "", sg_curve_format_knot(d->c, knot, n, i, x), cell_value(d, knot[i]),
                   uncertain ? 0 : wide_band(d, knot[i]));
    }
    write_missing(d);
}

/* --- levels --- */

static bool is_rare(const curve_text *d, size_t k) { return d->c->share && d->c->share[k] < rare_share; }

/* Orders the levels by decreasing effect times frequency, with the rare levels last. Returns NULL if memory is
 * exhausted. */
static size_t *order_levels(const curve_text *d)
{
    double *rank = sg_calloc(d->c->cells, sizeof *rank);
    for (size_t k = 0; rank && k < d->c->cells; k++)
        rank[k] = is_rare(d, k) ? -1 : fabs(cell_value(d, k)) * (d->c->share ? d->c->share[k] : 1);
    size_t *order = rank ? sg_importance_order(rank, d->c->cells) : NULL;
    free(rank);
    return order;
}

/* Writes "12 rare levels: -1.0 to +2.1". */
static void write_pooled_levels(curve_text *d, const char *kind, const size_t *level, size_t n)
{
    char low[SG_NUMBER_BUFFER_SIZE], high[SG_NUMBER_BUFFER_SIZE];
    sg_value_range r = {cell_value(d, level[0]), cell_value(d, level[0])};
    for (size_t i = 1; i < n; i++) {
        r.low = fmin(r.low, cell_value(d, level[i]));
        r.high = fmax(r.high, cell_value(d, level[i]));
    }
    if (d->terms++) sg_text_writer_nobreak(d->p, " \u00b7");
    sg_text_writer_word(d->p, "%s%zu %s levels: %s to %s", d->terms == 1 ? "" : " ", n, kind,
                        sg_format_effect(r.low, d->decimals, true, low),
                        sg_format_effect(r.high, d->decimals, true, high));
}

static void write_level(curve_text *d, size_t k, bool band)
{
    sg_text name = {0};
    sg_curve_level_text(&name, d->m, d->c, k);
    if (is_rare(d, k)) sg_text_append(&name, " (rare)");
    if (name.failed) d->p->text->failed = true;
    else write_term(d, name.bytes, "", cell_value(d, k), band ? wide_band(d, k) : 0);
    sg_text_release(&name);
}

static void write_levels(curve_text *d)
{
    size_t *order = order_levels(d), n = d->c->cells, rare = 0;
    if (!order) {
        d->p->text->failed = true;
        return;
    }
    while (rare < n && is_rare(d, order[n - 1 - rare])) rare++;
    size_t common = n - rare, shown = common <= MAX_LEVELS + 1 ? common : MAX_LEVELS;
    bool uncertain = is_uncertain(d, order, shown);
    write_curve_heading(d, order, shown);
    begin_terms(d);
    for (size_t i = 0; i < shown; i++) write_level(d, order[i], !uncertain);
    if (shown < common) write_pooled_levels(d, "other", order + shown, common - shown);
    if (rare == 1) write_level(d, order[common], true);
    else if (rare) write_pooled_levels(d, "rare", order + common, rare);
    write_missing(d);
    free(order);
}

/* --- all curves --- */

static size_t widest_name(const sg_model *m)
{
    size_t width = 0;
    for (size_t i = 0; i < m->additive->curves; i++) {
        size_t n = sg_text_width(sg_model_input_name(m, m->additive->curve[i].input));
        if (n <= NAME_WIDTH && n > width) width = n;
    }
    return width;
}

static bool has_effect(const curve_text *d, const sg_curve *c)
{
    for (size_t k = 0; k <= c->cells; k++)
        if (!sg_effect_is_zero(c->value[k * d->s->outputs + d->o], d->decimals)) return true;
    return false;
}

/* Writes a line with the inputs whose curve is shown as 0 everywhere, and one about the curves beyond `top`. */
static void write_other_inputs(curve_text *d, const size_t *order, size_t shown, size_t with_effect)
{
    const sg_additive *s = d->s;
    char x[SG_NUMBER_BUFFER_SIZE];
    size_t first = with_effect;
    if (shown < with_effect) {
        double typical = sg_curve_importance(s, &s->curve[order[shown]], d->o);
        sg_text_writer_begin_line(d->p, "", "- ", "  ");
        sg_text_writer_nobreak(d->p, "%zu more input%s, typically %s or less each: use --top 0 to list all.",
                               with_effect - shown, with_effect - shown == 1 ? "" : "s",
                               sg_format_effect(typical, d->decimals, false, x));
        sg_text_writer_end_line(d->p);
    }
    if (first == s->curves) return;
    sg_text_writer_begin_line(d->p, "", "- ", " ");
    sg_text_writer_nobreak(d->p, "No visible effect:");
    for (size_t i = first; i < s->curves; i++)
        sg_text_writer_word(d->p, " %s%s", sg_model_input_name(d->m, s->curve[order[i]].input),
                            i + 1 < s->curves ? "," : "");
    sg_text_writer_end_line(d->p);
}

/* Moves the curves without an effect to the end. Returns the number of curves with an effect. */
static size_t move_zeros_last(const curve_text *d, size_t *order)
{
    size_t n = 0;
    for (size_t i = 0; i < d->s->curves; i++) {
        size_t at = order[i];
        if (!has_effect(d, &d->s->curve[at])) continue;
        memmove(order + n + 1, order + n, (i - n) * sizeof *order);
        order[n++] = at;
    }
    return n;
}

static sg_status write_curves(sg_text_writer *p, const sg_model *m, size_t o, size_t top)
{
    const sg_additive *s = m->additive;
    curve_text d = {.p = p, .m = m, .s = s, .o = o, .decimals = sg_effect_decimals(m, o), .name_width = widest_name(m)};
    size_t *order = sg_curve_order(s, o);
    if (!order) return sg_fail_out_of_memory("the description of curves");
    size_t n = move_zeros_last(&d, order), shown = top && n > top ? top : n;
    if (m->outputs > 1)
        sg_text_writer_heading(p, 2, "Inputs: what they add to %s, by typical size (standard deviation)",
                               m->output_name[o]);
    else sg_text_writer_heading(p, 2, "Inputs: what they add, by typical size (standard deviation)");
    sg_text_append(p->text, p->markdown ? "\n\n" : "\n");
    for (size_t i = 0; i < shown; i++) {
        d.c = &s->curve[order[i]];
        if (d.c->is_category) write_levels(&d);
        else write_numeric_terms(&d);
    }
    write_other_inputs(&d, order, shown, n);
    free(order);
    return SG_OK;
}

/* --- introduction --- */

static void write_heading(sg_text_writer *p, const sg_model *m)
{
    size_t curves = m->additive->curves, pairs = m->additive->pairs, rules = sg_model_block_rules(m);
    sg_text_writer_heading(p, 1, "Additive model of");
    for (size_t o = 0; o < m->outputs; o++)
        sg_text_writer_word(p, " %s%s", m->output_name[o], o + 1 < m->outputs ? "," : "");
    sg_text_writer_word(p, ": %zu input%s", curves, curves == 1 ? "" : "s");
    if (pairs) sg_text_writer_word(p, ", %zu pair%s of inputs", pairs, pairs == 1 ? "" : "s");
    if (rules) sg_text_writer_word(p, ", %zu rule%s", rules, rules == 1 ? "" : "s");
    sg_text_writer_end_line(p);
    sg_text_writer_end_line(p);
}

/* Appends "35.8" or, with several targets, "35.8 for strength, 12 for slump". */
static void append_constants(sg_text *t, const sg_model *m)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    for (size_t o = 0; o < m->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        sg_text_append(t, sg_format_effect(sg_model_constant(m, o), sg_effect_decimals(m, o), false, x));
        if (m->outputs == 1) continue;
        sg_text_append(t, " for ");
        sg_text_append_escaped(t, m->output_name[o]);
    }
}

/* Appends " Predictions are kept within 2.3 to 82.6." */
static void append_limits(sg_text *t, const sg_model *m)
{
    char low[SG_NUMBER_BUFFER_SIZE], high[SG_NUMBER_BUFFER_SIZE];
    size_t n = 0;
    for (size_t o = 0; o < m->outputs; o++) {
        bool has_low = m->clip_low[o] > -SG_MODEL_MAX_ABS, has_high = m->clip_high[o] < SG_MODEL_MAX_ABS;
        if (!has_low && !has_high) continue;
        sg_text_append(t, n++ ? "," : " Predictions are kept");
        sg_text_append(t, !has_low ? " at or below " : has_high ? " within " : " at or above ");
        if (has_low) sg_text_append(t, sg_format_short(m->clip_low[o], low));
        if (has_low && has_high) sg_text_append(t, " to ");
        if (has_high) sg_text_append(t, sg_format_short(m->clip_high[o], high));
        if (m->outputs == 1) continue;
        sg_text_append(t, " for ");
        sg_text_append_escaped(t, m->output_name[o]);
    }
    if (n) sg_text_append(t, ".");
}

static bool has_bands(const sg_model *m)
{
    for (size_t i = 0; i < m->additive->curves; i++)
        if (m->additive->curve[i].band) return true;
    return false;
}

/* Appends an example: the change between the two middle terms of the most important numeric input. */
static void append_example(sg_text *t, const sg_model *m)
{
    const sg_additive *s = m->additive;
    size_t knot[SG_NAMED_TERMS], i = 0, *order = sg_curve_order(s, 0);
    char from[SG_NUMBER_BUFFER_SIZE], to[SG_NUMBER_BUFFER_SIZE], change[SG_NUMBER_BUFFER_SIZE];
    if (!order) t->failed = true;
    while (order && i < s->curves && s->curve[order[i]].is_category) i++;
    const sg_curve *c = order && i < s->curves ? &s->curve[order[i]] : NULL;
    size_t n = c ? sg_curve_shown_knots(s, c, 0, knot) : 0, k = n / 2;
    free(order);
    if (n < 2) return;
    sg_text_append(t, " For example, ");
    sg_text_append_escaped(t, sg_model_input_name(m, c->input));
    sg_text_append_format(t, " %s instead of %s changes ", sg_curve_format_knot(c, knot, n, k, to),
                          sg_curve_format_knot(c, knot, n, k - 1, from));
    sg_text_append_escaped(t, m->output_name[0]);
    sg_text_append_format(t, " by %s%s.",
                          sg_format_effect(c->value[knot[k] * s->outputs] - c->value[knot[k - 1] * s->outputs],
                                           sg_effect_decimals(m, 0), true, change),
                          s->pairs && m->blocks ? ", plus the changes in tables and rules"
                          : s->pairs            ? ", plus the changes in tables"
                          : m->blocks           ? ", plus the changes in rules"
                                                : "");
}

static void write_guide(sg_text_writer *p, const sg_model *m)
{
    sg_text t = {0};
    sg_text_append(&t, "To predict, start from the mean, ");
    append_constants(&t, m);
    sg_text_append(&t, ". For each input, add the number listed at its value");
    if (m->additive->pairs) sg_text_append(&t, "; for each pair of inputs, add the number in its table");
    if (m->blocks) sg_text_append(&t, "; then add what the rules add");
    sg_text_append(&t, ". Between two listed values, interpolate; beyond the first or last, the number stays the same. "
                       "Missing values and unknown levels add 0 unless listed.");
    append_example(&t, m);
    if (has_bands(m)) sg_text_append(&t, " \u00b1: two standard errors.");
    append_limits(&t, m);
    sg_text_writer_begin_line(p, "", "", "");
    if (t.failed) p->text->failed = true;
    else sg_text_writer_words(p, t.bytes);
    sg_text_release(&t);
    sg_text_writer_end_line(p);
}

sg_status sg_additive_text(sg_text_writer *p, const sg_model *m, size_t top)
{
    p->width = SG_WIDE_LINE_WIDTH; /* for the terms of a curve on one line, and for two tables side by side */
    write_heading(p, m);
    write_guide(p, m);
    sg_status st = SG_OK;
    for (size_t o = 0; st == SG_OK && o < m->outputs; o++) {
        st = write_curves(p, m, o, top);
        if (st == SG_OK) st = sg_pair_tables_text(p, m, o, top);
    }
    p->width = 0;
    return st;
}
