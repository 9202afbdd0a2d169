/* joint.c: see joint.h.
 *
 * What two inputs do together is what is left of a table of predictions over both once the mean of its row and of its
 * column is taken away. Where that is little, lines about single inputs say all there is to say. */
#include "explain/joint.h"

#include "base/memory.h"
#include "explain/sentences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDES = 6, MOST_TABLES = 2, CELLS = SG_QUANTILES * SG_QUANTILES };
static const double least =
    0.08; /* what is left (root mean square), of how far the input that matters most moves predictions */

/* An input of numbers, and where it is looked at. */
typedef struct side {
    size_t input, n;
    double value[SG_COURSE];
    double span; /* of predictions of the output at hand */
} side;

typedef struct table {
    side across, down;
    double y[CELLS]; /* (down.n, across.n) */
    double left;     /* what the two do together */
} table;

typedef struct joint {
    sg_findings *f;
    size_t output;
    side *side; /* (sides): those that move predictions most come first */
    size_t sides;
    double *y; /* room for a table, or a course, of all outputs */
    table best[MOST_TABLES];
    size_t tables;
} joint;

/* --- finding them --- */

static int by_span(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->span != y->span) return x->span < y->span ? 1 : -1;
    return x->input < y->input ? -1 : x->input > y->input;
}

/* All inputs of numbers that move the output. */
static void list_sides(joint *j)
{
    const sg_model *m = j->f->model;
    j->sides = 0;
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        side *s = &j->side[j->sides];
        if (sg_model_levels(m, i)) continue;
        s->input = i;
        s->n = sg_findings_values(m, i, s->value);
        sg_findings_course(j->f, i, s->value, s->n, j->y);
        s->span = sg_course_span(j->y + j->output * s->n, s->n);
        j->sides += s->span > 0;
    }
    if (j->sides) qsort(j->side, j->sides, sizeof *j->side, by_span);
}

/* Root mean square of what is left of a table without the means of rows and columns. */
static double left_of(const double *y, size_t rows, size_t columns)
{
    double row[SG_QUANTILES] = {0}, column[SG_QUANTILES] = {0}, mean = 0, sum = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            row[r] += y[r * columns + c] / (double)columns;
            column[c] += y[r * columns + c] / (double)rows;
            mean += y[r * columns + c] / (double)(rows * columns);
        }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            double left = y[r * columns + c] - row[r] - column[c] + mean;
            sum += left * left;
        }
    sum = sqrt(sum / (double)(rows * columns));
    return isfinite(sum) ? sum : 0;
}

/* The best stay, in order. */
static void keep(joint *j, const table *t)
{
    size_t at = j->tables;
    while (at > 0 && j->best[at - 1].left < t->left) at--;
    if (at == MOST_TABLES) return;
    if (j->tables < MOST_TABLES) j->tables++;
    memmove(&j->best[at + 1], &j->best[at], (j->tables - at - 1) * sizeof *j->best);
    j->best[at] = *t;
}

static void look_at(joint *j, const side *across, const side *down)
{
    table t = {.across = *across, .down = *down};
    size_t cells = across->n * down->n;
    sg_findings_table(j->f, down->input, down->value, down->n, across->input, across->value, across->n, j->y);
    memcpy(t.y, j->y + j->output * cells, cells * sizeof *t.y);
    t.left = left_of(t.y, down->n, across->n);
    if (t.left >= least * j->f->span[j->output]) keep(j, &t);
}

static void find(joint *j, size_t output)
{
    j->output = output;
    j->tables = 0;
    sg_findings_all(j->f);
    list_sides(j);
    size_t most = j->sides < MOST_SIDES ? j->sides : MOST_SIDES;
    while (most > 1 && !sg_findings_bearable(j->f, most * (most - 1) / 2 * CELLS * j->f->model->outputs)) most--;
    for (size_t a = 0; a < most; a++)
        for (size_t b = a + 1; b < most; b++) look_at(j, &j->side[a], &j->side[b]);
}

static sg_status start(joint *j, sg_findings *f)
{
    *j = (joint){.f = f, .side = sg_alloc(sg_model_inputs(f->model) + 1, sizeof *j->side)};
    j->y = sg_alloc(f->model->outputs, (CELLS + SG_COURSE) * sizeof *j->y);
    return j->side && j->y ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rules in words");
}

static void release(joint *j)
{
    free(j->side);
    free(j->y);
}

/* --- in words --- */

typedef char cell[SG_NUMBER_SIZE];

static void head(const joint *j, const table *t, sg_pen *p)
{
    const sg_model *m = j->f->model;
    sg_pen_line(p, "  ", "", "     ");
    sg_pen_stay(p, "%s", sg_model_output_name(m, j->output));
    sg_pen_word(p, " with %s across", sg_model_input_name(m, t->across.input));
    sg_pen_word(p, " and %s down", sg_model_input_name(m, t->down.input));
    sg_pen_end(p);
}

/* Cells of the line: the value of the input down, then predictions; of the line above them, the values of the input
 * across. */
static void fill_line(const joint *j, const table *t, size_t row, cell line[SG_QUANTILES + 1])
{
    const sg_model *m = j->f->model;
    size_t n = t->across.n;
    line[0][0] = '\0';
    if (row) sg_near_input(m, sg_feature_of(m, t->down.input), t->down.value[row - 1], line[0]);
    for (size_t c = 0; c < n; c++) {
        if (row) sg_pen_near(t->y[(row - 1) * n + c], j->f->span[j->output], line[c + 1]);
        else sg_near_input(m, sg_feature_of(m, t->across.input), t->across.value[c], line[c + 1]);
    }
}

static void markdown_rule(sg_text *t, size_t columns)
{
    for (size_t c = 0; c < columns; c++) sg_text_add(t, c ? " ---: |" : "| ---: |");
    sg_text_add(t, "\n");
}

static void say(const joint *j, const table *t, sg_pen *p)
{
    cell line[SG_QUANTILES + 1];
    size_t width[SG_QUANTILES + 1] = {0}, columns = t->across.n + 1;
    head(j, t, p);
    if (p->markdown) sg_text_add(p->text, "\n");
    for (size_t r = 0; r <= t->down.n; r++) {
        fill_line(j, t, r, line);
        for (size_t c = 0; c < columns; c++) width[c] = strlen(line[c]) > width[c] ? strlen(line[c]) : width[c];
    }
    for (size_t r = 0; r <= t->down.n; r++) {
        fill_line(j, t, r, line);
        for (size_t c = 0; c < columns; c++)
            sg_text_format(p->text,
                           p->markdown ? c ? " %*s |" : "| %*s |"
                           : c         ? "  %*s"
                                       : "      %*s",
                           (int)width[c], line[c]);
        sg_text_add(p->text, "\n");
        if (p->markdown && r == 0) markdown_rule(p->text, columns);
    }
    if (p->markdown) sg_text_add(p->text, "\n");
}

sg_status sg_joint_words(sg_pen *p, sg_findings *f)
{
    joint j;
    bool any = false;
    if (!f->known) return SG_OK;
    sg_status st = start(&j, f);
    for (size_t o = 0; st == SG_OK && o < f->model->outputs; o++) {
        find(&j, o);
        if (j.tables && !any) {
            sg_pen_heading(p, 2, "Together, as two inputs move and the others stay as in the training rows");
            sg_text_add(p->text, p->markdown ? "\n\n" : "\n");
            any = true;
        }
        for (size_t i = 0; i < j.tables; i++) say(&j, &j.best[i], p);
    }
    release(&j);
    return st;
}

/* --- as JSON --- */

static void table_json(const joint *j, const table *t, sg_text *text)
{
    const sg_model *m = j->f->model;
    sg_text_add(text, "{\"target\": ");
    sg_text_json(text, sg_model_output_name(m, j->output));
    sg_text_add(text, ", \"across\": ");
    sg_text_json(text, sg_model_input_name(m, t->across.input));
    sg_text_add(text, ", \"down\": ");
    sg_text_json(text, sg_model_input_name(m, t->down.input));
    sg_text_add(text, ", \"across_at\": ");
    sg_numbers_json(text, t->across.value, t->across.n);
    sg_text_add(text, ", \"down_at\": ");
    sg_numbers_json(text, t->down.value, t->down.n);
    sg_text_add(text, ", \"mean\": [");
    for (size_t r = 0; r < t->down.n; r++) {
        if (r) sg_text_add(text, ", ");
        sg_numbers_json(text, t->y + r * t->across.n, t->across.n);
    }
    sg_text_add(text, "]}");
}

sg_status sg_joint_json(sg_text *t, sg_findings *f)
{
    joint j;
    size_t written = 0;
    if (!f->known) return SG_OK;
    sg_status st = start(&j, f);
    if (st == SG_OK) sg_text_add(t, "  \"together\": [");
    for (size_t o = 0; st == SG_OK && o < f->model->outputs; o++) {
        find(&j, o);
        for (size_t i = 0; i < j.tables; i++) {
            sg_text_add(t, written++ ? ",\n    " : "\n    ");
            table_json(&j, &j.best[i], t);
        }
    }
    if (st == SG_OK) sg_text_add(t, written ? "\n  ],\n" : "],\n");
    release(&j);
    return st;
}
