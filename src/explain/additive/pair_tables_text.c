/* pair_tables_text.c: writes the tables of pairs of inputs, two side by side where they fit. */
#include "base/memory.h"
#include "explain/additive/additive_text.h"
#include "explain/additive/curve_shape.h"
#include "explain/additive/curve_term_names.h"
#include "explain/additive/effect_number.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_WIDTH = 100, HALF_WIDTH = (PAGE_WIDTH - 2) / 2, LABEL_WIDTH = 12, MAX_GAP = 2 };

/* A table: row 0 and column 0 are labels. */
typedef struct pair_table {
    const sg_model *m;
    const sg_pair *pair;
    const sg_curve *down, *across;
    size_t o;
    int decimals;
    size_t row_stride, column_stride; /* in pair->value */
    size_t rows, columns;             /* shown, without labels */
    size_t *width;                    /* (columns + 1) */
    size_t gap;                       /* spaces between columns */
    sg_text title;
} pair_table;

static void init_table(pair_table *t, const sg_model *m, const sg_pair *p, size_t o)
{
    const sg_curve *first = &m->additive->curve[p->curve[0]], *second = &m->additive->curve[p->curve[1]];
    bool swap = second->terms > first->terms;
    size_t outputs = m->outputs;
    *t = (pair_table){.m = m,
                      .pair = p,
                      .o = o,
                      .decimals = sg_effect_decimals(m, o),
                      .down = swap ? second : first,
                      .across = swap ? first : second,
                      .row_stride = swap ? outputs : second->terms * outputs,
                      .column_stride = swap ? second->terms * outputs : outputs};
    t->rows = t->down->terms;
    t->columns = t->across->terms;
    t->width = sg_calloc(t->columns + 1, sizeof *t->width);
}

static void release_table(pair_table *t)
{
    free(t->width);
    sg_text_release(&t->title);
}

/* Appends the text of a cell; row 0 and column 0 are labels. */
static void append_cell(sg_text *out, const pair_table *t, size_t row, size_t column)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    if (row && column) {
        double value = t->pair->value[(row - 1) * t->row_stride + (column - 1) * t->column_stride + t->o];
        sg_text_append(out, sg_format_effect(value, t->decimals, true, x));
    } else if (row) sg_curve_term_text(out, t->m, t->down, row - 1, LABEL_WIDTH);
    else if (column) sg_curve_term_text(out, t->m, t->across, column - 1, LABEL_WIDTH);
}

static size_t table_width(const pair_table *t)
{
    size_t n = t->width[0];
    for (size_t c = 1; c <= t->columns; c++) n += t->gap + t->width[c];
    return n;
}

/* Computes the widths of the columns. Tables that do not fit on the page lose columns. */
static bool measure_table(pair_table *t)
{
    bool ok = true;
    for (size_t c = 0; c <= t->columns; c++)
        for (size_t r = 0; r <= t->rows; r++) {
            sg_text cell = {0};
            append_cell(&cell, t, r, c);
            ok = ok && !cell.failed;
            size_t n = cell.length ? sg_text_width(cell.bytes) : 0;
            if (n > t->width[c]) t->width[c] = n;
            sg_text_release(&cell);
        }
    t->gap = MAX_GAP;
    if (table_width(t) > HALF_WIDTH) t->gap = 1;
    if (table_width(t) > HALF_WIDTH) t->gap = MAX_GAP;
    while (t->columns > 1 && table_width(t) > PAGE_WIDTH) t->columns--;
    return ok;
}

/* Composes "age ↓ water → (typically 1.2)". */
static bool compose_title(pair_table *t)
{
    char x[SG_NUMBER_BUFFER_SIZE];
    sg_text_append_escaped(&t->title, sg_model_input_name(t->m, t->down->input));
    sg_text_append(&t->title, " \u2193 ");
    sg_text_append_escaped(&t->title, sg_model_input_name(t->m, t->across->input));
    sg_text_append_format(&t->title, " \u2192 (typically %s)",
                          sg_format_effect(sg_pair_importance(t->m->additive, t->pair, t->o), t->decimals, false, x));
    if (t->columns < t->across->terms)
        sg_text_append_format(&t->title, ", %zu more columns", t->across->terms - t->columns);
    return !t->title.failed;
}

static bool prepare_table(pair_table *t, const sg_model *m, const sg_pair *p, size_t o)
{
    init_table(t, m, p, o);
    return t->width && measure_table(t) && compose_title(t);
}

/* --- text --- */

static void append_padded(sg_text *out, const char *text, size_t width, bool right)
{
    size_t n = sg_text_width(text);
    for (size_t i = n; right && i < width; i++) sg_text_append(out, " ");
    sg_text_append(out, text);
    for (size_t i = n; !right && i < width; i++) sg_text_append(out, " ");
}

static void append_row(sg_text *out, const pair_table *t, size_t row)
{
    for (size_t c = 0; c <= t->columns; c++) {
        sg_text cell = {0};
        append_cell(&cell, t, row, c);
        sg_text_append(&cell, "");
        for (size_t i = 0; c && i < t->gap; i++) sg_text_append(out, " ");
        if (cell.failed) out->failed = true;
        else append_padded(out, cell.bytes, t->width[c], c > 0 || !t->down->is_category);
        sg_text_release(&cell);
    }
}

/* Splits a title that is too long for half a page into two lines, before " (typically". Returns the length of the first
 * line. */
static size_t title_split(const pair_table *t)
{
    if (sg_text_width(t->title.bytes) <= HALF_WIDTH) return t->title.length;
    const char *size = strstr(t->title.bytes, " (typically");
    return size ? (size_t)(size - t->title.bytes) : t->title.length;
}

/* Appends line i of a table: its title in one or two lines, the labels of the columns, and the rows. */
static void append_line(sg_text *out, const pair_table *t, size_t title_lines, size_t i)
{
    if (i >= title_lines + 1 + t->rows) return;
    if (i >= title_lines) {
        append_row(out, t, i - title_lines);
        return;
    }
    size_t split = title_split(t);
    if (title_lines == 1) sg_text_append(out, t->title.bytes);
    else if (i == 0) sg_text_append_bytes(out, t->title.bytes, split);
    else if (split < t->title.length) sg_text_append(out, t->title.bytes + split + 1);
}

/* Writes one table, or two side by side. */
static void write_tables(sg_text *out, const pair_table *t, size_t n)
{
    size_t lines = 0, title_lines = 1;
    for (size_t i = 0; n > 1 && i < n; i++)
        if (title_split(&t[i]) < t[i].title.length) title_lines = 2;
    for (size_t i = 0; i < n; i++)
        if (title_lines + 1 + t[i].rows > lines) lines = title_lines + 1 + t[i].rows;
    for (size_t k = 0; k < lines; k++) {
        sg_text left = {0};
        append_line(&left, &t[0], title_lines, k);
        sg_text_append(&left, "");
        if (left.failed) out->failed = true;
        else append_padded(out, left.bytes, n > 1 && k < title_lines + 1 + t[1].rows ? HALF_WIDTH + 2 : 0, false);
        sg_text_release(&left);
        if (n > 1) append_line(out, &t[1], title_lines, k);
        while (out->length && out->bytes[out->length - 1] == ' ') out->bytes[--out->length] = '\0';
        sg_text_append(out, "\n");
    }
}

static bool fits_half(const pair_table *t)
{
    return table_width(t) <= HALF_WIDTH &&
           sg_text_width(t->title.bytes) - (t->title.length - title_split(t)) <= HALF_WIDTH;
}

/* --- Markdown --- */

static void append_markdown_name(sg_text_writer *p, const pair_table *t, size_t row, size_t column)
{
    sg_text cell = {0};
    append_cell(&cell, t, row, column);
    sg_text_writer_begin_line(p, "", "", "");
    if (cell.failed) p->text->failed = true;
    else if (cell.length) sg_text_writer_nobreak(p, "%s", cell.bytes);
    sg_text_release(&cell);
}

static void write_markdown_table(sg_text_writer *p, const pair_table *t)
{
    sg_text_append(p->text, "\n");
    sg_text_writer_begin_line(p, "", "", "");
    sg_text_writer_nobreak(p, "%s", t->title.bytes);
    sg_text_append(p->text, "\n\n");
    for (size_t r = 0; r <= t->rows; r++) {
        for (size_t c = 0; c <= t->columns; c++) {
            sg_text_append(p->text, c ? " " : "| ");
            append_markdown_name(p, t, r, c);
            sg_text_append(p->text, " |");
        }
        sg_text_append(p->text, "\n");
        for (size_t c = 0; r == 0 && c <= t->columns; c++) sg_text_append(p->text, c ? " ---: |" : "| ---: |");
        if (r == 0) sg_text_append(p->text, "\n");
    }
}

/* --- all tables --- */

static sg_status write_all(sg_text_writer *p, pair_table *t, size_t n)
{
    for (size_t i = 0, now; i < n; i += now) {
        now = i + 1 < n && fits_half(&t[i]) && fits_half(&t[i + 1]) ? 2 : 1;
        if (p->markdown) {
            now = 1;
            write_markdown_table(p, &t[i]);
            continue;
        }
        if (i) sg_text_append(p->text, "\n");
        write_tables(p->text, &t[i], now);
    }
    return SG_OK;
}

static void write_heading(sg_text_writer *p, const sg_model *m, size_t o)
{
    if (m->outputs > 1)
        sg_text_writer_heading(p, 2, "Pairs of inputs (\u2193 rows, \u2192 columns): what they add to %s",
                               m->output_name[o]);
    else sg_text_writer_heading(p, 2, "Pairs of inputs (\u2193 rows, \u2192 columns): what they add beyond the curves");
    sg_text_writer_end_line(p);
}

sg_status sg_pair_tables_text(sg_text_writer *p, const sg_model *m, size_t o, size_t top)
{
    const sg_additive *s = m->additive;
    if (!s->pairs) return SG_OK;
    size_t *order = sg_pair_order(s, o), shown = top && s->pairs > top ? top : s->pairs;
    pair_table *t = sg_calloc(shown, sizeof *t);
    bool ok = order && t;
    for (size_t i = 0; ok && i < shown; i++) ok = prepare_table(&t[i], m, &s->pair[order[i]], o);
    sg_status st = ok ? SG_OK : sg_fail_out_of_memory("the description of pairs");
    if (ok) write_heading(p, m, o);
    if (ok) st = write_all(p, t, shown);
    if (ok && shown < s->pairs)
        sg_text_append_format(p->text, "\n%zu more pair%s: use --top 0 to list all.\n", s->pairs - shown,
                              s->pairs - shown == 1 ? "" : "s");
    for (size_t i = 0; t && i < shown; i++) release_table(&t[i]);
    free(t);
    free(order);
    return st;
}
