/* sentences.c: see sentences.h. */
#include "explain/sentences.h"

#include "base/memory.h"
#include "explain/there.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 16 };
static const double hardly = 0.05; /* of what moves predictions most */

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rules in words"); }

const char *sg_near_input(const sg_model *m, size_t feature, double value, char buf[SG_NUMBER_SIZE])
{
    double q[SG_QUANTILES];
    sg_quantiles_of(m, feature, q);
    return sg_pen_near(value, (q[SG_QUANTILES - 1] - q[0]) / 2, buf);
}

/* --- over all rows --- */

/* How predictions of one output go with one input. */
typedef struct course {
    size_t input, n;
    double value[SG_COURSE];
    double *y; /* (outputs, n) */
    double span;
} course;

static int by_span(const void *a, const void *b)
{
    const course *x = a, *y = b;
    if (x->span != y->span) return x->span < y->span ? 1 : -1;
    return x->input < y->input ? -1 : x->input > y->input;
}

static void free_courses(course *c, size_t n)
{
    for (size_t i = 0; c && i < n; i++) free(c[i].y);
    free(c);
}

static sg_status make_courses(sg_findings *f, course **out)
{
    const sg_model *m = f->model;
    size_t n = sg_model_inputs(m);
    course *c = sg_alloc(n, sizeof *c);
    bool ok = c != NULL;
    sg_findings_all(f);
    for (size_t i = 0; ok && i < n; i++) {
        c[i].input = i;
        c[i].n = sg_findings_values(m, i, c[i].value);
        c[i].y = sg_alloc(m->outputs, SG_COURSE * sizeof *c[i].y);
        ok = c[i].y != NULL;
        if (ok) sg_findings_course(f, i, c[i].value, c[i].n, c[i].y);
        for (size_t o = 0; ok && o < m->outputs; o++) f->net[o * n + i] = sg_course_net(c[i].y + o * c[i].n, c[i].n);
    }
    if (!ok) free_courses(c, n);
    else *out = c;
    return ok ? SG_OK : no_memory();
}

/* *span: the largest. */
static void sort_courses(course *c, size_t n, size_t output, double *span)
{
    *span = 0;
    for (size_t i = 0; i < n; i++) c[i].span = sg_course_span(c[i].y + output * c[i].n, c[i].n);
    if (n) qsort(c, n, sizeof *c, by_span);
    if (n) *span = c[0].span;
}

/* "y mostly rises with x:", "y goes up, then down with x:", "y differs by sex:" */
static void say_direction(sg_pen *p, const sg_model *m, const course *c, size_t output)
{
    static const char *const verb[] = {"hardly depends on",       "rises with",
                                       "mostly rises with",       "falls with",
                                       "mostly falls with",       "goes up, then down with",
                                       "goes down, then up with", "goes up and down with"};
    const char *name = sg_model_input_name(m, c->input), *y = sg_model_output_name(m, output);
    bool category = sg_model_levels(m, c->input) > 0;
    sg_pen_stay(p, "%s", y);
    sg_pen_word(p, " %s %s:", category ? "differs by" : verb[sg_direction_of(c->y + output * c->n, c->n)], name);
}

/* largest: span of all courses. */
static void say_course(sg_pen *p, const sg_model *m, const course *c, size_t output, double largest)
{
    char y[SG_NUMBER_SIZE], x[SG_NUMBER_SIZE];
    sg_pen_line(p, "  ", "- ", "     ");
    say_direction(p, m, c, output);
    for (size_t k = 0; k < c->n; k++) {
        const char *end = k + 1 < c->n ? "," : "";
        sg_pen_near(c->y[output * c->n + k], largest, y);
        if (!sg_model_levels(m, c->input)) {
            sg_pen_word(p, " %s at %s%s", y, sg_near_input(m, sg_feature_of(m, c->input), c->value[k], x), end);
            continue;
        }
        char *level = sg_coded_level(&m->coding->input[c->input], k);
        if (level) sg_pen_word(p, " %s for %s%s", y, level, end);
        else p->text->failed = true;
        free(level);
    }
    sg_pen_end(p);
}

static void say_all(sg_pen *p, const sg_model *m, const course *c, size_t n, size_t output)
{
    size_t said = 0;
    for (; said < n && said < MOST_INPUTS && c[said].n > 1 && c[said].span > hardly * c[0].span; said++)
        say_course(p, m, &c[said], output, c[0].span);
    if (said == n) return;
    sg_pen_line(p, "  ", "- ", "     ");
    sg_pen_stay(p, "%s", sg_model_output_name(m, output));
    if (n - said > MOST_INPUTS) sg_pen_word(p, " depends less on %zu other inputs", n - said);
    else sg_pen_word(p, said ? " depends far less on" : " does not depend on");
    for (size_t i = said; n - said <= MOST_INPUTS && i < n; i++)
        sg_pen_word(p, " %s%s", sg_model_input_name(m, c[i].input), i + 1 < n ? "," : "");
    sg_pen_end(p);
}

sg_status sg_overall_words(sg_pen *p, sg_findings *f)
{
    course *c = NULL;
    size_t n = sg_model_inputs(f->model);
    if (!f->known) return SG_OK;
    sg_status st = make_courses(f, &c);
    if (st != SG_OK) return st;
    sg_pen_heading(p, 2, "Overall, as one input moves and the others stay as in the training rows");
    sg_text_add(p->text, p->markdown ? "\n\n" : "\n");
    for (size_t o = 0; o < f->model->outputs; o++) {
        sort_courses(c, n, o, &f->span[o]);
        say_all(p, f->model, c, n, o);
    }
    free_courses(c, n);
    return SG_OK;
}

/* --- where a rule governs --- */

/* " and rises with a and b", " and falls with c, unlike overall": in order, verbs that are the same once. */
static void say_movements(sg_pen *p, const sg_model *m, const sg_movement *v, size_t n)
{
    static const char *const verb[] = {"", "rises with ", "mostly rises with ", "falls with ", "mostly falls with "};
    for (size_t i = 0; i < n; i++) {
        bool again = i && v[i].direction == v[i - 1].direction && v[i].unlike == v[i - 1].unlike;
        bool last = i + 1 == n || v[i + 1].direction != v[i].direction || v[i + 1].unlike != v[i].unlike;
        sg_pen_word(p, " and %s%s%s", again ? "" : verb[v[i].direction], sg_model_input_name(m, v[i].input),
                    v[i].unlike && last ? "," : "");
        if (v[i].unlike && last) sg_pen_word(p, " unlike overall");
    }
}

/* spread: of predictions. */
static void say_there(sg_pen *p, const sg_model *m, const sg_there *t, size_t o, double spread)
{
    char mean[SG_NUMBER_SIZE];
    sg_pen_line(p, "       There", "- There", "      ");
    if (m->blocks > 1) sg_pen_stay(p, ", all blocks together,");
    sg_pen_stay(p, " %s", sg_model_output_name(m, o));
    sg_pen_word(p, " is about %s", sg_pen_near(t->mean[o], spread, mean));
    say_movements(p, m, t->movement + o * sg_model_inputs(m), t->told[o]);
    sg_pen_stay(p, ".");
    sg_pen_end(p);
}

sg_status sg_there_words(sg_pen *p, sg_findings *f, const sg_governor *g)
{
    sg_there t;
    double share = f->known ? f->model->block[g->block].share[g->rule] : 0;
    if (!(share > 0)) return SG_OK;
    sg_status st = sg_there_find(&t, f, g);
    if (st != SG_OK) return st;
    for (size_t o = 0; o < f->model->outputs; o++) say_there(p, f->model, &t, o, f->span[o]);
    sg_there_release(&t);
    return SG_OK;
}

/* --- places --- */

/* The most frequent level, and how often. */
static void say_level(sg_pen *p, const sg_coded *in, const double *share)
{
    size_t best = 0;
    for (size_t k = 1; k < sg_coded_features(in); k++)
        if (share[k] > share[best]) best = k;
    char *level = sg_coded_level(in, best);
    if (level) sg_pen_word(p, " %s %s (%.0f %%)", in->name, level, 100 * share[best]);
    else p->text->failed = true;
    free(level);
}

bool sg_place_words(sg_pen *p, const sg_model *m, const sg_governor *g)
{
    const double *place = m->block[g->block].place + g->rule * m->inputs;
    size_t n = sg_model_inputs(m);
    char x[SG_NUMBER_SIZE];
    if (n > MOST_INPUTS) return false;
    if (p->markdown) sg_pen_line(p, "", "\n\n- On average with", "");
    else sg_pen_word(p, ", on average with");
    for (size_t i = 0; i < n; i++) {
        size_t at = sg_feature_of(m, i);
        if (sg_model_levels(m, i)) say_level(p, &m->coding->input[i], place + at);
        else sg_pen_word(p, " %s %s", sg_model_input_name(m, i), sg_near_input(m, at, place[at], x));
        if (i + 1 < n) sg_pen_stay(p, ",");
    }
    return true;
}

/* --- as JSON --- */

static const char *const direction_name[] = {"level",        "rises",         "mostly rises",  "falls",
                                             "mostly falls", "up, then down", "down, then up", "up and down"};

static void number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_number(t, value);
    else sg_text_add(t, "null");
}

void sg_numbers_json(sg_text *t, const double *x, size_t n)
{
    sg_text_add(t, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_add(t, ", ");
        number(t, x[i]);
    }
    sg_text_add(t, "]");
}

static void course_json(sg_text *t, const sg_model *m, const course *c, size_t o)
{
    const double *y = c->y + o * c->n;
    sg_text_add(t, "{\"target\": ");
    sg_text_json(t, sg_model_output_name(m, o));
    sg_text_add(t, ", \"input\": ");
    sg_text_json(t, sg_model_input_name(m, c->input));
    if (!sg_model_levels(m, c->input)) {
        sg_text_format(t, ", \"direction\": \"%s\", \"at\": ", direction_name[sg_direction_of(y, c->n)]);
        sg_numbers_json(t, c->value, c->n);
    }
    sg_text_add(t, ", \"mean\": ");
    sg_numbers_json(t, y, c->n);
    sg_text_add(t, "}");
}

sg_status sg_overall_json(sg_text *t, sg_findings *f)
{
    course *c = NULL;
    size_t n = sg_model_inputs(f->model), written = 0;
    if (!f->known) return SG_OK;
    sg_status st = make_courses(f, &c);
    if (st != SG_OK) return st;
    sg_text_add(t, "  \"overall\": [");
    for (size_t o = 0; o < f->model->outputs; o++) {
        sort_courses(c, n, o, &f->span[o]);
        for (size_t i = 0; i < n; i++) {
            sg_text_add(t, written++ ? ",\n    " : "\n    ");
            course_json(t, f->model, &c[i], o);
        }
    }
    sg_text_add(t, "\n  ],\n");
    free_courses(c, n);
    return SG_OK;
}

/* "directions", and which of them are the other way than over all rows. */
static void movements_json(sg_text *t, const sg_model *m, const sg_movement *v, size_t n)
{
    size_t unlike = 0;
    sg_text_add(t, ", \"directions\": {");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_add(t, ", ");
        sg_text_json(t, sg_model_input_name(m, v[i].input));
        sg_text_format(t, ": \"%s\"", direction_name[v[i].direction]);
    }
    sg_text_add(t, "}");
    for (size_t i = 0; i < n; i++) {
        if (!v[i].unlike) continue;
        sg_text_add(t, unlike++ ? ", " : ", \"unlike_overall\": [");
        sg_text_json(t, sg_model_input_name(m, v[i].input));
    }
    if (unlike) sg_text_add(t, "]");
}

static void there_json(sg_text *t, const sg_model *m, const sg_there *h)
{
    sg_text_add(t, ", \"there\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        sg_text_add(t, o ? ", {\"target\": " : "{\"target\": ");
        sg_text_json(t, sg_model_output_name(m, o));
        sg_text_add(t, ", \"about\": ");
        number(t, h->mean[o]);
        movements_json(t, m, h->movement + o * sg_model_inputs(m), h->told[o]);
        sg_text_add(t, "}");
    }
    sg_text_add(t, "]");
}

sg_status sg_there_json(sg_text *t, sg_findings *f, const sg_governor *g, bool details)
{
    const sg_model *m = f->model;
    const sg_block *b = &m->block[g->block];
    sg_there h;
    if (!f->known) return SG_OK;
    sg_text_add(t, ", \"share\": ");
    number(t, b->share[g->rule]);
    if (m->blocks > 1) sg_text_add(t, ", \"part\": "); /* of all blocks: what rules are sorted by */
    if (m->blocks > 1) number(t, g->share);
    sg_text_add(t, ", \"mean\": ");
    sg_numbers_json(t, b->place + g->rule * m->inputs, m->inputs);
    if (!details || !(b->share[g->rule] > 0)) return SG_OK;
    sg_status st = sg_there_find(&h, f, g);
    if (st != SG_OK) return st;
    there_json(t, m, &h);
    sg_there_release(&h);
    return SG_OK;
}
