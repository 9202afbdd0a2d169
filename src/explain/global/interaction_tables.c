/* interaction_tables.c: finds pairs of inputs that interact.
 *
 * Mean predictions over two inputs form a table. The interaction is the part of the table that the means of its rows
 * and columns do not explain, as in a two-way analysis of variance. If the interaction is small, the trends of single
 * inputs suffice. */
#include "explain/global/interaction_tables.h"

#include "base/json_append.h"
#include "base/memory.h"
#include "explain/global/trends_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 6, MAX_TABLES = 2, CELLS = SG_QUANTILE_COUNT * SG_QUANTILE_COUNT };
static const double min_interaction = 0.08; /* root mean square, relative to the largest span of a single input */

/* A numeric input and its values. */
typedef struct axis {
    size_t input, n;
    double value[SG_PD_MAX_POINTS];
    double span; /* of the output's curve over this input */
} axis;

typedef struct interaction_table {
    axis across, down;
    double y[CELLS]; /* (down.n, across.n) */
    double strength; /* root mean square of the interaction */
} interaction_table;

typedef struct interaction_search {
    sg_centroid_pd *f;
    size_t output;
    axis *axis; /* in order of decreasing span */
    size_t axes;
    double *y; /* scratch for a table or a curve of all outputs */
    interaction_table best[MAX_TABLES];
    size_t tables;
} interaction_search;

/* --- search --- */

static int compare_span(const void *a, const void *b)
{
    const axis *x = a, *y = b;
    if (x->span != y->span) return x->span < y->span ? 1 : -1;
    return x->input < y->input ? -1 : x->input > y->input;
}

/* Lists the numeric inputs that the output depends on, in order of decreasing span. */
static void list_axes(interaction_search *j)
{
    const sg_model *m = j->f->model;
    j->axes = 0;
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        axis *s = &j->axis[j->axes];
        if (sg_model_levels(m, i)) continue;
        s->input = i;
        s->n = sg_centroid_pd_values(m, i, s->value);
        sg_centroid_pd_curve(j->f, i, s->value, s->n, j->y);
        s->span = sg_pd_span(j->y + j->output * s->n, s->n);
        j->axes += s->span > 0;
    }
    if (j->axes) qsort(j->axis, j->axes, sizeof *j->axis, compare_span);
}

/* Returns the root mean square of the table after subtraction of its row and column means; 0 if that overflows. */
static double interaction_strength(const double *y, size_t rows, size_t columns)
{
    double row[SG_QUANTILE_COUNT] = {0}, column[SG_QUANTILE_COUNT] = {0}, mean = 0, sum = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            row[r] += y[r * columns + c] / (double)columns;
            column[c] += y[r * columns + c] / (double)rows;
            mean += y[r * columns + c] / (double)(rows * columns);
        }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            double rest = y[r * columns + c] - row[r] - column[c] + mean;
            sum += rest * rest;
        }
    sum = sqrt(sum / (double)(rows * columns));
    return isfinite(sum) ? sum : 0;
}

/* Inserts a table into the list of the strongest tables, or drops it if the list is full of stronger tables. */
static void insert_best(interaction_search *j, const interaction_table *t)
{
    size_t at = j->tables;
    while (at > 0 && j->best[at - 1].strength < t->strength) at--;
    if (at == MAX_TABLES) return;
    if (j->tables < MAX_TABLES) j->tables++;
    memmove(&j->best[at + 1], &j->best[at], (j->tables - at - 1) * sizeof *j->best);
    j->best[at] = *t;
}

static void try_pair(interaction_search *j, const axis *across, const axis *down)
{
    interaction_table t = {.across = *across, .down = *down};
    size_t cells = across->n * down->n;
    sg_centroid_pd_grid(j->f, down->input, down->value, down->n, across->input, across->value, across->n, j->y);
    memcpy(t.y, j->y + j->output * cells, cells * sizeof *t.y);
    t.strength = interaction_strength(t.y, down->n, across->n);
    if (t.strength >= min_interaction * j->f->span[j->output]) insert_best(j, &t);
}

static void find_interactions(interaction_search *j, size_t output)
{
    j->output = output;
    j->tables = 0;
    sg_centroid_pd_weight_all(j->f);
    list_axes(j);
    size_t most = j->axes < MAX_AXES ? j->axes : MAX_AXES;
    while (most > 1 && !sg_centroid_pd_affords(j->f, most * (most - 1) / 2 * CELLS * j->f->model->outputs)) most--;
    for (size_t a = 0; a < most; a++)
        for (size_t b = a + 1; b < most; b++) try_pair(j, &j->axis[a], &j->axis[b]);
}

static sg_status init_search(interaction_search *j, sg_centroid_pd *f)
{
    *j = (interaction_search){.f = f, .axis = sg_calloc(sg_model_inputs(f->model) + 1, sizeof *j->axis)};
    j->y = sg_calloc(f->model->outputs, (CELLS + SG_PD_MAX_POINTS) * sizeof *j->y);
    return j->axis && j->y ? SG_OK : sg_fail_out_of_memory("interaction tables");
}

static void release_search(interaction_search *j)
{
    free(j->axis);
    free(j->y);
}

/* --- text --- */

typedef char cell[SG_NUMBER_BUFFER_SIZE];

static void write_table_heading(const interaction_search *j, const interaction_table *t, sg_text_writer *p)
{
    const sg_model *m = j->f->model;
    sg_text_writer_begin_line(p, "  ", "", "     ");
    sg_text_writer_nobreak(p, "%s", sg_model_output_name(m, j->output));
    sg_text_writer_word(p, " by %s (columns)", sg_model_input_name(m, t->across.input));
    sg_text_writer_word(p, " and %s (rows)", sg_model_input_name(m, t->down.input));
    sg_text_writer_end_line(p);
}

/* Formats a line. Row 0 has the values of the input across; every other row has a value of the input down, and then
 * predictions. */
static void format_table_line(const interaction_search *j, const interaction_table *t, size_t row,
                              cell line[SG_QUANTILE_COUNT + 1])
{
    const sg_model *m = j->f->model;
    size_t n = t->across.n;
    line[0][0] = '\0';
    if (row) sg_format_input_value(m, sg_model_first_feature(m, t->down.input), t->down.value[row - 1], line[0]);
    for (size_t c = 0; c < n; c++) {
        if (row) sg_format_to_resolution(t->y[(row - 1) * n + c], j->f->span[j->output], line[c + 1]);
        else sg_format_input_value(m, sg_model_first_feature(m, t->across.input), t->across.value[c], line[c + 1]);
    }
}

static void markdown_rule(sg_text *t, size_t columns)
{
    for (size_t c = 0; c < columns; c++) sg_text_append(t, c ? " ---: |" : "| ---: |");
    sg_text_append(t, "\n");
}

static void write_table(const interaction_search *j, const interaction_table *t, sg_text_writer *p)
{
    cell line[SG_QUANTILE_COUNT + 1];
    size_t width[SG_QUANTILE_COUNT + 1] = {0}, columns = t->across.n + 1;
    write_table_heading(j, t, p);
    if (p->markdown) sg_text_append(p->text, "\n");
    for (size_t r = 0; r <= t->down.n; r++) {
        format_table_line(j, t, r, line);
        for (size_t c = 0; c < columns; c++) width[c] = strlen(line[c]) > width[c] ? strlen(line[c]) : width[c];
    }
    for (size_t r = 0; r <= t->down.n; r++) {
        format_table_line(j, t, r, line);
        for (size_t c = 0; c < columns; c++)
            sg_text_append_format(p->text,
                                  p->markdown ? c ? " %*s |" : "| %*s |"
                                  : c         ? "  %*s"
                                              : "      %*s",
                                  (int)width[c], line[c]);
        sg_text_append(p->text, "\n");
        if (p->markdown && r == 0) markdown_rule(p->text, columns);
    }
    if (p->markdown) sg_text_append(p->text, "\n");
}

sg_status sg_interactions_text(sg_text_writer *p, sg_centroid_pd *f)
{
    interaction_search j;
    bool any = false;
    if (!f->has_stats) return SG_OK;
    sg_status st = init_search(&j, f);
    for (size_t o = 0; st == SG_OK && o < f->model->outputs; o++) {
        find_interactions(&j, o);
        if (j.tables && !any) {
            sg_text_writer_heading(p, 2, "Interactions: mean prediction as two inputs vary");
            sg_text_append(p->text, p->markdown ? "\n\n" : "\n");
            any = true;
        }
        for (size_t i = 0; i < j.tables; i++) write_table(&j, &j.best[i], p);
    }
    release_search(&j);
    return st;
}

/* --- JSON --- */

static void table_json(const interaction_search *j, const interaction_table *t, sg_text *text)
{
    const sg_model *m = j->f->model;
    sg_json_append(text, "{\"target\": %s, \"across\": %s, \"down\": %s", sg_model_output_name(m, j->output),
                   sg_model_input_name(m, t->across.input), sg_model_input_name(m, t->down.input));
    sg_json_append_list(text, "across_at", t->across.value, t->across.n);
    sg_json_append_list(text, "down_at", t->down.value, t->down.n);
    sg_text_append(text, ", \"mean\": [");
    for (size_t r = 0; r < t->down.n; r++) {
        if (r) sg_text_append(text, ", ");
        sg_json_append_numbers(text, t->y + r * t->across.n, t->across.n, 1);
    }
    sg_text_append(text, "]}");
}

sg_status sg_interactions_json(sg_text *t, sg_centroid_pd *f)
{
    interaction_search j;
    size_t written = 0;
    if (!f->has_stats) return SG_OK;
    sg_status st = init_search(&j, f);
    if (st == SG_OK) sg_text_append(t, "  \"together\": [");
    for (size_t o = 0; st == SG_OK && o < f->model->outputs; o++) {
        find_interactions(&j, o);
        for (size_t i = 0; i < j.tables; i++) {
            sg_text_append(t, written++ ? ",\n    " : "\n    ");
            table_json(&j, &j.best[i], t);
        }
    }
    if (st == SG_OK) sg_text_append(t, written ? "\n  ],\n" : "],\n");
    release_search(&j);
    return st;
}
