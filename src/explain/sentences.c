/* sentences.c: see sentences.h. */
#include "explain/sentences.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 16, MOST_DIRECTIONS = 2 };
static const double hardly = 0.05;      /* of what moves predictions most                     */
static const double least_share = 0.01; /* of rows, below which nobody can say where it goes    */

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
    static const char *const verb[] = {"hardly depends on", "rises with", "mostly rises with", "falls with", "mostly falls with",
                                       "goes up, then down with", "goes down, then up with", "goes up and down with"};
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

/* An input, how predictions move with it there, and how sure that is. */
typedef struct movement {
    size_t input;
    double net;
    sg_direction direction;
    bool unlike; /* over all rows it goes the other way */
} movement;

static bool has_sign(sg_direction d) { return d >= SG_RISES && d <= SG_MOSTLY_FALLS; }

/* All inputs of numbers: (outputs, inputs). Weights of f are the rule's. */
static void find_movements(sg_findings *f, const sg_governor *g, double *y, movement *out)
{
    const sg_model *m = f->model;
    size_t inputs = sg_model_inputs(m);
    double value[SG_COURSE];
    for (size_t i = 0; i < inputs; i++) {
        size_t n = sg_model_levels(m, i) ? 0 : sg_findings_near(m, g, i, value);
        if (n) sg_findings_course(f, i, value, n, y);
        for (size_t o = 0; o < m->outputs; o++) {
            movement *v = &out[o * inputs + i];
            *v = (movement){.input = i, .direction = SG_LEVEL};
            if (n) v->direction = sg_direction_of(y + o * n, n);
            if (n) v->net = sg_course_net(y + o * n, n);
            v->unlike = v->net * f->net[o * inputs + i] < 0;
        }
    }
}

/* The clear ones that move predictions most, these first: moved to the front. Returns how many. */
static size_t choose_movements(movement *v, size_t n)
{
    size_t chosen = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(v[i].net));
    while (chosen < MOST_DIRECTIONS) {
        size_t best = n;
        for (size_t i = chosen; i < n; i++)
            if (has_sign(v[i].direction) && fabs(v[i].net) >= 0.5 * most && (best == n || fabs(v[i].net) > fabs(v[best].net))) best = i;
        if (best == n || !(most > 0)) break;
        movement moved = v[best];
        memmove(v + chosen + 1, v + chosen, (best - chosen) * sizeof *v);
        v[chosen++] = moved;
    }
    return chosen;
}

/* Means (outputs) and movements (outputs, inputs) of a rule. */
typedef struct there {
    double *mean, *course;
    movement *movement;
} there;

static void release_there(there *t)
{
    free(t->mean);
    free(t->course);
    free(t->movement);
}

/* Whether there are rows enough to say where it goes, and time. */
static bool can_tell(const sg_findings *f, double share)
{
    enum { SHOWN = 64 }; /* rules, as a rule */
    return share >= least_share && sg_findings_cheap(f, f->rules < SHOWN ? f->rules : SHOWN);
}

/* Without `known` movements are all level. */
static sg_status find_there(sg_findings *f, const sg_governor *g, bool known, there *out)
{
    const sg_model *m = f->model;
    *out = (there){.mean = sg_alloc(m->outputs, sizeof *out->mean), .course = sg_alloc(m->outputs, SG_COURSE * sizeof *out->course),
                   .movement = sg_alloc(sg_model_inputs(m), m->outputs * sizeof *out->movement)};
    if (!out->mean || !out->course || !out->movement) {
        release_there(out);
        return no_memory();
    }
    sg_findings_of(f, g);
    sg_findings_about(f, g, out->mean);
    if (known) find_movements(f, g, out->course, out->movement);
    return SG_OK;
}

/* spread: of predictions. */
static void say_there(sg_pen *p, const sg_model *m, const there *t, size_t o, double spread)
{
    static const char *const verb[] = {"", "rises with ", "mostly rises with ", "falls with ", "mostly falls with "};
    char mean[SG_NUMBER_SIZE];
    movement *v = t->movement + o * sg_model_inputs(m);
    size_t n = choose_movements(v, sg_model_inputs(m));
    sg_pen_line(p, "       There ", "- There ", "      ");
    sg_pen_stay(p, "%s", sg_model_output_name(m, o));
    sg_pen_word(p, " is about %s", sg_pen_near(t->mean[o], spread, mean));
    for (size_t i = 0; i < n; i++) {
        const char *said = v[i].unlike ? "goes otherwise than overall with " : verb[v[i].direction];
        bool again = i && v[i].unlike == v[i - 1].unlike && (v[i].unlike || v[i].direction == v[i - 1].direction);
        sg_pen_word(p, " and %s%s", again ? "" : said, sg_model_input_name(m, v[i].input));
    }
    sg_pen_stay(p, ".");
    sg_pen_end(p);
}

sg_status sg_there_words(sg_pen *p, sg_findings *f, const sg_governor *g)
{
    there t;
    double share = f->known ? f->model->block[g->block].share[g->rule] : 0;
    if (!(share > 0)) return SG_OK;
    sg_status st = find_there(f, g, can_tell(f, share), &t);
    if (st != SG_OK) return st;
    for (size_t o = 0; o < f->model->outputs; o++) say_there(p, f->model, &t, o, f->span[o]);
    release_there(&t);
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

static const char *const direction_name[] = {"level",         "rises",         "mostly rises", "falls", "mostly falls",
                                             "up, then down", "down, then up", "up and down"};

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

static void there_json(sg_text *t, const sg_model *m, const there *h)
{
    size_t inputs = sg_model_inputs(m);
    sg_text_add(t, ", \"there\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        movement *v = h->movement + o * inputs;
        size_t n = choose_movements(v, inputs);
        sg_text_add(t, o ? ", {\"target\": " : "{\"target\": ");
        sg_text_json(t, sg_model_output_name(m, o));
        sg_text_add(t, ", \"about\": ");
        number(t, h->mean[o]);
        sg_text_add(t, ", \"directions\": {");
        for (size_t i = 0; i < n; i++) {
            if (i) sg_text_add(t, ", ");
            sg_text_json(t, sg_model_input_name(m, v[i].input));
            sg_text_format(t, ": \"%s\"", v[i].unlike ? "unlike overall" : direction_name[v[i].direction]);
        }
        sg_text_add(t, "}}");
    }
    sg_text_add(t, "]");
}

sg_status sg_there_json(sg_text *t, sg_findings *f, const sg_governor *g, bool details)
{
    const sg_model *m = f->model;
    const sg_block *b = &m->block[g->block];
    there h;
    if (!f->known) return SG_OK;
    sg_text_add(t, ", \"share\": ");
    number(t, b->share[g->rule]);
    sg_text_add(t, ", \"mean\": ");
    sg_numbers_json(t, b->place + g->rule * m->inputs, m->inputs);
    if (!details || !(b->share[g->rule] > 0)) return SG_OK;
    sg_status st = find_there(f, g, can_tell(f, b->share[g->rule]), &h);
    if (st != SG_OK) return st;
    there_json(t, m, &h);
    release_there(&h);
    return SG_OK;
}
