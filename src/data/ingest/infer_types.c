/* infer_types.c: infers whether a column is numeric, categorical, a date or an identifier. Text in a numeric column is
 * an error; which columns are numeric is known only after the last row. */
#include "data/ingest/table_builder.h"

#include "base/memory.h"
#include "data/column_names.h"
#include "data/distributed/shard_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *name_of(const sg_table_builder *s, size_t k, char *buf, size_t size)
{
    const char *name = s->selection.names[s->selection.read_index[k]];
    return sg_quote_excerpt(name, strlen(name), buf, size);
}

/* Returns the position of column k in the file, counted from 1. */
static size_t file_column(const sg_table_builder *s, size_t k)
{
    size_t column = s->selection.read_index[k];
    return 1 + (s->selection.file_position ? s->selection.file_position[column] : column);
}

/* Formats the position that follows the file name: `:17:3`, or `: row 17`. */
static const char *format_location(const sg_table_builder *s, const sg_cell_location *at, size_t k, char *buf,
                                   size_t size)
{
    if (s->selection.locate_by_row) snprintf(buf, size, ": row %zu", at->line);
    else snprintf(buf, size, ":%zu:%zu", at->line, file_column(s, k));
    return buf;
}

/* --- invalid cells --- */

sg_status sg_table_builder_fail_number(const sg_table_builder *s, size_t k)
{
    const sg_column_builder *t = &s->column[k];
    char name[64], at[64];
    return sg_fail(SG_EDATA, "%s%s: \"%s\" is %s (column \"%s\")%s", t->first_bad.file,
                   format_location(s, &t->first_bad, k, at, sizeof at), t->first_bad.excerpt,
                   t->first_bad_class == SG_CELL_OUT_OF_RANGE ? "out of range" : "not a number",
                   name_of(s, k, name, sizeof name),
                   t->first_bad_class == SG_CELL_COMMAS ? "; the decimal separator must be a point" : "");
}

/* Fails if a cell in a numeric column is not a number; the message names the first such cell of the file. */
static sg_status check_numbers(const sg_table_builder *s)
{
    size_t first = s->selection.read_count;
    for (size_t k = 0; k < s->selection.read_count; k++) {
        const sg_column_builder *t = &s->column[k];
        if (t->type != SG_COLUMN_NUMERIC || !t->first_bad.excerpt) continue;
        if (first == s->selection.read_count || t->first_bad.order < s->column[first].first_bad.order) first = k;
    }
    return first < s->selection.read_count ? sg_table_builder_fail_number(s, first) : SG_OK;
}

/* Fails if a column has too many levels, or levels that are not UTF-8: levels are printed and stored in models. */
static sg_status check_levels(const sg_table_builder *s)
{
    char name[64], at[64];
    for (size_t k = 0; k < s->selection.read_count; k++) {
        const sg_column_builder *t = &s->column[k];
        if (t->type != SG_COLUMN_CATEGORICAL) continue;
        name_of(s, k, name, sizeof name);
        if (t->overflowed)
            return sg_fail(SG_EDATA,
                           "%s: column \"%s\" can't be categorical: it has more than %d distinct values, or its values "
                           "are too long",
                           s->selection.file, name, SG_LEVELS_MAX);
        if (t->first_non_utf8.excerpt)
            return sg_fail(
                SG_EDATA, "%s%s: \"%s\" is not UTF-8 (column \"%s\")%s", t->first_non_utf8.file,
                format_location(s, &t->first_non_utf8, k, at, sizeof at), t->first_non_utf8.excerpt, name,
                s->selection.locate_by_row ? "" : "; convert the file, for example with: iconv -f latin1 -t utf-8");
    }
    return SG_OK;
}

/* --- types --- */

/* Returns whether a column has many texts, most of them unique, which identify a row rather than describe it. */
int sg_column_is_identifier(size_t words, size_t levels)
{
    enum { MIN_IDENTIFIER_LEVELS = 20 };
    return levels > MIN_IDENTIFIER_LEVELS && levels > words / 2;
}

static bool looks_like_identifier(const sg_type_evidence *f)
{
    return f->overflowed || sg_column_is_identifier(f->non_number_count, f->level_count);
}

/* Returns whether the first column numbers the rows, as some programs do. Without options all numeric columns are kept,
 * because the caller could not override the decision. */
static bool is_row_number(const sg_table_builder *s)
{
    enum { MIN_ROWS = 20 };
    const sg_read_options *options = s->selection.options;
    const sg_row_number_check *n = &s->row_number;
    return options->notify && !options->wanted && n->consecutive && (n->first == 0 || n->first == 1) &&
           s->evidence->rows > MIN_ROWS && sg_table_builder_spec(s, 0) == SG_SPEC_INFER;
}

sg_type_evidence sg_type_evidence_of(const sg_column_builder *t, size_t rows)
{
    return (sg_type_evidence){.rows = rows,
                              .missing_count = t->missing_count,
                              .text_count = t->text_count,
                              .non_number_count = t->non_number_count,
                              .date_count = t->date_count,
                              .level_count = t->levels.count,
                              .level_bytes = sg_string_table_bytes(&t->levels),
                              .overflowed = t->overflowed};
}

sg_column_type sg_infer_text_type(const sg_type_evidence *f, bool keep)
{
    if (keep) return SG_COLUMN_CATEGORICAL;
    if (f->date_count > f->non_number_count / 2) return SG_COLUMN_DATE;
    return looks_like_identifier(f) ? SG_COLUMN_IDENTIFIER : SG_COLUMN_CATEGORICAL;
}

static sg_column_type infer_type(const sg_table_builder *s, size_t k)
{
    const sg_type_evidence *f = &s->evidence[k];
    sg_column_spec spec = sg_table_builder_spec(s, k);
    bool wanted = s->selection.options->wanted || spec == SG_SPEC_INFER_KEEP;
    if (spec == SG_SPEC_DATE && !wanted) return SG_COLUMN_DATE;
    if (spec == SG_SPEC_UNUSED && !wanted) return SG_COLUMN_UNUSED;
    if (f->missing_count == f->rows && !wanted) return SG_COLUMN_EMPTY;
    if (spec == SG_SPEC_CATEGORICAL || spec == SG_SPEC_FIXED_LEVELS || spec == SG_SPEC_DATE)
        return SG_COLUMN_CATEGORICAL;
    if (spec == SG_SPEC_NUMERIC || f->text_count <= (f->rows - f->missing_count) / 2) return SG_COLUMN_NUMERIC;
    return sg_infer_text_type(f, wanted);
}

/* --- numbers in categorical columns --- */

static bool has_numbers(const sg_table_builder *s, const sg_column_builder *t)
{
    return t->type == SG_COLUMN_CATEGORICAL && t->non_number_count + t->missing_count < s->row_count;
}

static sg_status add_number(sg_table_builder *s, size_t k, double cell)
{
    uint32_t code;
    char text[SG_NUMBER_BUFFER_SIZE];
    if (s->column[k].overflowed || isnan(cell)) return SG_OK;
    sg_level_format_number(cell, text);
    if (sg_table_builder_intern_level(s, k, text, strlen(text), &code) != SG_INTERN_NO_MEMORY) return SG_OK;
    return sg_fail_read_memory(s->selection.file);
}

static sg_status add_numbers(void *arg, double *values, size_t rows)
{
    sg_table_builder *s = arg;
    sg_status st = SG_OK;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; st == SG_OK && k < s->selection.read_count; k++, values++)
            if (has_numbers(s, &s->column[k])) st = add_number(s, k, *values);
    return st;
}

/* Registers the numbers in categorical columns as levels of these columns, once the column types are known. */
static sg_status add_all_numbers(sg_table_builder *s)
{
    bool any = false;
    for (size_t k = 0; k < s->selection.read_count; k++) any = any || has_numbers(s, &s->column[k]);
    if (!any) return SG_OK;
    sg_status st = s->spill ? sg_spill_file_for_each_block(s->spill, add_numbers, s) : SG_OK;
    return st == SG_OK ? add_numbers(s, s->values, s->row_count - s->spilled_rows) : st;
}

/* Turns categorical columns into identifiers if they have too many levels now that their numbers are levels too. */
static void reclassify_overflowed(sg_table_builder *s)
{
    for (size_t k = 0; k < s->selection.read_count; k++) {
        sg_column_builder *t = &s->column[k];
        bool inferred = sg_table_builder_spec(s, k) == SG_SPEC_INFER && !s->selection.options->wanted;
        if (t->type == SG_COLUMN_CATEGORICAL && t->overflowed && inferred) t->type = SG_COLUMN_IDENTIFIER;
    }
}

/* --- notices --- */

static sg_status notify_type(const sg_table_builder *s, const char *what, sg_column_type type)
{
    const sg_column_selection *c = &s->selection;
    bool *dropped = sg_calloc(c->count + 1, sizeof *dropped);
    if (!dropped) return sg_fail_read_memory(s->selection.file);
    for (size_t k = 0; k < c->read_count; k++) dropped[c->read_index[k]] = s->column[k].type == type;
    sg_notice_dropped_columns(c->options->notify, what, c->names, dropped, c->count);
    free(dropped);
    return SG_OK;
}

static const struct {
    sg_column_type type;
    const char *what;
} notices[] = {
    {SG_COLUMN_DATE, "dates"},
    {SG_COLUMN_IDENTIFIER, "identifiers"},
    {SG_COLUMN_EMPTY, "empty columns"},
};

static size_t count_kept(const sg_table_builder *s)
{
    size_t n = 0;
    for (size_t k = 0; k < s->selection.read_count; k++) n += sg_table_builder_keeps_column(s, k);
    return n;
}

static sg_status collect_evidence(sg_table_builder *s)
{
    size_t n = s->selection.read_count;
    s->evidence = sg_calloc(n, sizeof *s->evidence);
    for (size_t k = 0; s->evidence && k < n; k++) s->evidence[k] = sg_type_evidence_of(&s->column[k], s->row_count);
    return sg_shard_merge_evidence(s, s->evidence ? SG_OK : sg_fail_read_memory(s->selection.file));
}

/* An error on one rank is an error on all ranks. */
static sg_status check_cells(sg_table_builder *s)
{
    sg_status st = check_numbers(s);
    if (st == SG_OK) st = add_all_numbers(s);
    st = sg_shard_merge_level_budget(s, st);
    if (st != SG_OK) return st;
    reclassify_overflowed(s);
    return sg_shard_agree_status(s, check_levels(s));
}

sg_status sg_table_builder_infer_types(sg_table_builder *s)
{
    sg_status st = collect_evidence(s);
    for (size_t k = 0; st == SG_OK && k < s->selection.read_count; k++) s->column[k].type = infer_type(s, k);
    if (st == SG_OK) st = check_cells(s);
    if (st != SG_OK) return st;
    /* Row numbers are dropped only if at least two other columns remain. */
    if (count_kept(s) > 2 && is_row_number(s)) s->column[0].type = SG_COLUMN_IDENTIFIER;
    if (count_kept(s) == 0 && !s->selection.options->wanted)
        return sg_fail(SG_EDATA, "%s: no numeric or categorical column is left", s->selection.file);
    for (size_t i = 0; st == SG_OK && i < sizeof notices / sizeof *notices; i++)
        st = notify_type(s, notices[i].what, notices[i].type);
    return st;
}
