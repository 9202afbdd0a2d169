/* table_builder.c: appends rows and cells, spills rows to a temporary file, and makes the table. */
#include "data/ingest/table_builder.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>

static void release_location(sg_cell_location *p)
{
    free(p->excerpt);
    free(p->file);
}

void sg_table_builder_release(sg_table_builder *s)
{
    for (size_t k = 0; s->column && k < s->selection.read_count; k++) {
        sg_string_table_release(&s->column[k].levels);
        free(s->column[k].level_flags);
        release_location(&s->column[k].first_bad);
        release_location(&s->column[k].first_non_utf8);
    }
    sg_free_all(s->column, s->evidence, s->values);
    sg_spill_file_free(s->spill);
    free(s->missing_code);
    sg_column_selection_release(&s->selection);
    *s = (sg_table_builder){0};
}

static sg_status parse_missing_codes(sg_table_builder *s)
{
    double code;
    while (sg_missing_code_parse(s->selection.options->missing, s->missing_codes, &code)) {
        if (!sg_array_reserve(&s->missing_code, &s->missing_code_capacity, s->missing_codes + 1,
                              sizeof *s->missing_code))
            return sg_fail_read_memory(s->selection.file);
        s->missing_code[s->missing_codes++] = code;
    }
    return SG_OK;
}

sg_status sg_table_builder_init(sg_table_builder *s, const char *file, const sg_read_options *options,
                                const sg_field *header, size_t count)
{
    sg_status st = sg_column_selection_init(&s->selection, file, options, header, count);
    if (st != SG_OK) return st;
    s->row_number.consecutive = s->selection.read_count && s->selection.read_index[0] == 0;
    s->column = sg_calloc(s->selection.read_count, sizeof *s->column);
    s->level_bytes_limit = SG_LEVEL_BYTES_MAX;
    return s->column ? parse_missing_codes(s) : sg_fail_read_memory(s->selection.file);
}

void sg_table_builder_drop_column(sg_table_builder *s, size_t k)
{
    sg_column_selection *c = &s->selection;
    if (c->read_index[k] == 0) s->row_number.consecutive = false;
    c->used[c->read_index[k]] = false;
    memmove(&c->read_index[k], &c->read_index[k + 1], (--c->read_count - k) * sizeof *c->read_index);
}

/* --- rows --- */

/* Returns the estimated number of cells of the whole file, given the rows so far, or 0 if that is not possible. */
static size_t estimate_total(const sg_table_builder *s, double fraction_read)
{
    if (s->row_count < 1000 || !(fraction_read > 0)) return 0;
    double numbers = 1.05 * (double)s->row_count / fraction_read * (double)s->selection.read_count;
    return numbers < 1e15 ? (size_t)numbers : 0;
}

/* Reserves memory for the estimated size of the file at once: untouched pages cost nothing, but moving pages does. */
static bool grow_values(sg_table_builder *s, size_t need, double fraction_read)
{
    size_t all = estimate_total(s, fraction_read);
    if (all > need && sg_array_reserve(&s->values, &s->capacity, all, sizeof *s->values)) return true;
    return sg_array_reserve(&s->values, &s->capacity, need ? need : 1, sizeof *s->values);
}

/* Returns whether `need` cells, or the estimated total, exceed the memory limit. Growing may double the array. */
static bool exceeds_memory(const sg_table_builder *s, size_t need, double fraction_read)
{
    size_t max = s->selection.options->memory_limit / sizeof *s->values, all = estimate_total(s, fraction_read);
    return s->selection.options->memory_limit && (all > max || need > max / 2);
}

static sg_status open_spill(sg_table_builder *s)
{
    const sg_column_selection *c = &s->selection;
    const char **names = sg_calloc(c->read_count, sizeof *names);
    for (size_t k = 0; names && k < c->read_count; k++) names[k] = c->names[c->read_index[k]];
    sg_status st =
        names ? sg_spill_file_new(c->file, names, c->read_count, &s->spill) : sg_fail_read_memory(s->selection.file);
    free(names);
    return st;
}

/* Moves all rows to the temporary file. The first call replaces the row buffer with a small one. */
static sg_status spill(sg_table_builder *s)
{
    enum { BUFFER_DOUBLES = 1 << 17 };
    size_t width = s->selection.read_count;
    bool first = !s->spill;
    sg_status st = first ? open_spill(s) : SG_OK;
    if (st == SG_OK) st = sg_spill_file_append(s->spill, s->values, s->row_count - s->spilled_rows);
    if (st != SG_OK) return st;
    s->spilled_rows = s->row_count;
    if (!first) return SG_OK;
    free(s->values);
    s->values = NULL;
    s->capacity = 0;
    return sg_array_reserve(&s->values, &s->capacity, width > BUFFER_DOUBLES ? width : BUFFER_DOUBLES,
                            sizeof *s->values)
               ? SG_OK
               : sg_fail_read_memory(s->selection.file);
}

static bool is_stopped(sg_table_builder *s)
{
    enum { STOP_CHECK_ROWS = 1024 };
    if (s->row_count < s->next_stop_check) return false;
    s->next_stop_check = s->row_count + STOP_CHECK_ROWS;
    return sg_options_is_cancelled(s->selection.options->notify, s->row_count);
}

sg_status sg_table_builder_next_row(sg_table_builder *s, double fraction_read, double **row)
{
    size_t width = s->selection.read_count,
           filled = (s->row_count - s->spilled_rows) * width; /* cannot overflow: the rows are allocated */
    if (is_stopped(s))
        return sg_fail(SG_EIO, "can't read %s: cancelled after %zu rows", s->selection.file, s->row_count);
    if (sg_table_builder_is_full(s)) {
        sg_status st = SG_OK;
        if (s->spill || (s->row_count && exceeds_memory(s, filled + width, fraction_read))) st = spill(s);
        else if (!grow_values(s, filled + width, fraction_read)) st = sg_fail_read_memory(s->selection.file);
        if (st != SG_OK) return st;
        filled = (s->row_count - s->spilled_rows) * width;
    }
    *row = s->values + filled;
    return SG_OK;
}

sg_status sg_table_builder_next_rows(sg_table_builder *s, size_t n, double fraction_read, double **rows, size_t *got)
{
    size_t width = s->selection.read_count;
    sg_status st = sg_table_builder_next_row(s, fraction_read, rows);
    if (st != SG_OK) return st;
    size_t fit = width ? s->capacity / width - (s->row_count - s->spilled_rows) : n;
    *got = fit < n ? fit : n;
    return SG_OK;
}

/* Updates the check for row numbers in the first column with a row. */
static void check_row_number(sg_table_builder *s, const double *row)
{
    sg_row_number_check *n = &s->row_number;
    if (s->row_count == 0) n->first = row[0];
    n->consecutive = s->row_count == 0 ? !isnan(row[0]) : row[0] == n->last + 1;
    n->last = row[0];
}

void sg_table_builder_commit_row(sg_table_builder *s, double *row)
{
    for (size_t i = 0; i < s->missing_codes; i++)
        for (size_t k = 0; k < s->selection.read_count; k++)
            if (row[k] == s->missing_code[i]) {
                row[k] = NAN;
                s->column[k].missing_count++;
            }
    if (s->row_number.consecutive) check_row_number(s, row);
    s->row_count++;
}

void sg_table_builder_commit_rows(sg_table_builder *s, double *rows, size_t n)
{
    size_t i = 0, width = s->selection.read_count;
    for (; i < n && (s->missing_codes || s->row_number.consecutive); i++)
        sg_table_builder_commit_row(s, rows + i * width);
    s->row_count += n - i;
}

/* --- cells that are not numbers --- */

static sg_status record_location(sg_table_builder *s, const sg_field *cell, sg_cell_location *p)
{
    char shown[48];
    p->excerpt = sg_strdup(sg_quote_excerpt(cell->text, cell->length, shown, sizeof shown));
    p->file = sg_strdup(s->selection.file);
    if (!p->excerpt || !p->file) return sg_fail_read_memory(s->selection.file);
    p->order = ++s->located_cells;
    p->line = cell->line;
    return SG_OK;
}

static bool has_no_control_chars(const sg_field *cell)
{
    for (size_t i = 0; i < cell->length; i++)
        if ((unsigned char)cell->text[i] < 0x20 || cell->text[i] == 0x7f) return false;
    return true;
}

static sg_intern_result intern_cell(sg_table_builder *s, size_t k, const sg_field *cell, uint32_t *code)
{
    if (has_no_control_chars(cell)) return sg_table_builder_intern_level(s, k, cell->text, cell->length, code);
    sg_text text = {0};
    sg_level_sanitize(&text, cell->text, cell->length);
    sg_intern_result got =
        text.failed ? SG_INTERN_NO_MEMORY : sg_table_builder_intern_level(s, k, text.bytes, text.length, code);
    sg_text_release(&text);
    return got;
}

/* The classification of a text, computed once and cached with its level. */
enum { LEVEL_CLASSIFIED = 1, LEVEL_TEXT = 2, LEVEL_DATE = 4 };

static void count_text(sg_column_builder *t, unsigned flags)
{
    t->non_number_count++;
    t->text_count += (flags & LEVEL_TEXT) != 0;
    t->date_count += (flags & LEVEL_DATE) != 0;
}

/* Handles the common case, a text that occurred before. Returns false if the text is new. */
static bool put_known_level(sg_column_builder *t, const sg_field *cell, double *to)
{
    double code = sg_string_table_find(&t->levels, cell->text, cell->length);
    if (isnan(code) || code >= (double)t->level_flags_capacity || !(t->level_flags[(size_t)code] & LEVEL_CLASSIFIED))
        return false;
    count_text(t, t->level_flags[(size_t)code]);
    *to = sg_nanbox_pack((uint32_t)code);
    return true;
}

static sg_status cache_level_flags(sg_table_builder *s, sg_column_builder *t, uint32_t code, unsigned flags)
{
    size_t before = t->level_flags_capacity;
    if (!sg_array_reserve(&t->level_flags, &t->level_flags_capacity, code + 1, 1))
        return sg_fail_read_memory(s->selection.file);
    memset(t->level_flags + before, 0, t->level_flags_capacity - before);
    t->level_flags[code] = (unsigned char)(flags | LEVEL_CLASSIFIED);
    return SG_OK;
}

/* Stores a text as a level. Columns with too many levels are not categorical, so their texts are not stored. */
static sg_status put_level(sg_table_builder *s, size_t k, const sg_field *cell, unsigned flags, double *to)
{
    sg_column_builder *t = &s->column[k];
    uint32_t code = 0;
    sg_status st = SG_OK;
    if (t->overflowed) return SG_OK;
    sg_intern_result got = intern_cell(s, k, cell, &code);
    if (got == SG_INTERN_NO_MEMORY) return sg_fail_read_memory(s->selection.file);
    if (got == SG_INTERN_FULL) return SG_OK;
    if (got == SG_INTERN_ADDED && !t->first_non_utf8.excerpt && !sg_is_utf8(cell->text, cell->length))
        st = record_location(s, cell, &t->first_non_utf8);
    if (st == SG_OK && has_no_control_chars(cell)) st = cache_level_flags(s, t, code, flags);
    *to = sg_nanbox_pack(code);
    return st;
}

sg_status sg_table_builder_put_text(sg_table_builder *s, size_t k, const sg_field *cell, double *row)
{
    sg_column_builder *t = &s->column[k];
    if (t->level_flags && put_known_level(t, cell, &row[k])) return SG_OK;
    sg_cell_class class = sg_cell_classify(cell, s->selection.options->missing);
    row[k] = NAN;
    t->missing_count += class == SG_CELL_MISSING;
    if (class == SG_CELL_MISSING) return SG_OK;
    unsigned flags =
        (class == SG_CELL_TEXT ? LEVEL_TEXT : 0) | (sg_looks_like_date(cell->text, cell->length) ? LEVEL_DATE : 0);
    sg_status st = SG_OK;
    count_text(t, flags);
    if (!t->first_bad.excerpt) {
        t->first_bad_class = class;
        st = record_location(s, cell, &t->first_bad);
    }
    if (st != SG_OK) return st;
    if (sg_table_builder_spec(s, k) == SG_SPEC_NUMERIC) return sg_table_builder_fail_number(s, k);
    return put_level(s, k, cell, flags, &row[k]);
}

/* --- the table --- */

static double level_code(const sg_string_table *levels, double cell)
{
    uint32_t code;
    if (sg_nanbox_unpack(cell, &code)) return (double)code;
    return isnan(cell) ? cell : sg_string_table_find_number(levels, cell);
}

void sg_table_builder_map_row(const sg_table_builder *s, const double *row, double *to)
{
    for (size_t k = 0; k < s->selection.read_count; k++) {
        const sg_column_builder *t = &s->column[k];
        if (!sg_table_builder_keeps_column(s, k)) continue;
        *to++ = t->type == SG_COLUMN_CATEGORICAL ? level_code(&t->levels, row[k]) : row[k];
    }
}

/* Lists the names of kept columns, then those of all others, in file order. Returns the number of kept columns. */
static size_t list_names(const sg_table_builder *s, const char **names)
{
    const sg_column_selection *c = &s->selection;
    size_t kept = 0, others = 0;
    for (size_t k = 0; k < c->read_count; k++)
        if (sg_table_builder_keeps_column(s, k)) names[kept++] = c->names[c->read_index[k]];
    for (size_t i = 0, k = 0; i < c->count; i++) {
        bool is_kept = c->used[i] && sg_table_builder_keeps_column(s, k);
        k += c->used[i];
        if (!is_kept) names[kept + others++] = c->names[i];
    }
    return kept;
}

/* Moves the levels of kept columns into an array. Returns NULL if no column is categorical, or if *failed is set. */
static sg_string_table *move_levels(sg_table_builder *s, size_t kept, bool *failed)
{
    bool any = false;
    *failed = false;
    for (size_t k = 0; k < s->selection.read_count; k++) any |= s->column[k].type == SG_COLUMN_CATEGORICAL;
    if (!any) return NULL;
    sg_string_table *levels = sg_calloc(kept, sizeof *levels), *to = levels;
    *failed = !levels;
    for (size_t k = 0; levels && k < s->selection.read_count; k++) {
        if (!sg_table_builder_keeps_column(s, k)) continue;
        if (s->column[k].type == SG_COLUMN_CATEGORICAL) {
            *to = s->column[k].levels;
            s->column[k].levels = (sg_string_table){0};
        }
        to++;
    }
    return levels;
}

/* Returns whether stored rows are already the rows of the table. */
static bool is_identity_map(const sg_table_builder *s, size_t kept)
{
    bool same = kept == s->selection.read_count;
    for (size_t k = 0; k < s->selection.read_count; k++) same &= s->column[k].type == SG_COLUMN_NUMERIC;
    return same;
}

static void map_row(const void *arg, const double *row, double *to) { sg_table_builder_map_row(arg, row, to); }

static sg_status finish_spill(sg_table_builder *s, const char **names, size_t kept, sg_npy **out)
{
    sg_spill_file *file = s->spill;
    sg_status st = spill(s);
    free(s->values);
    s->values = NULL;
    if (st == SG_OK && !is_identity_map(s, kept)) st = sg_spill_file_rewrite(file, map_row, s, kept);
    if (st != SG_OK) return st;
    s->spill = NULL;
    st = sg_spill_file_finish(file, names, out);
    if (st == SG_OK)
        sg_npy_allow_load(*out, s->selection.options->memory_limit); /* the rows may fit without the dropped columns */
    return st;
}

static void compact_values(sg_table_builder *s, size_t kept)
{
    size_t width = s->selection.read_count,
           bytes = s->row_count * kept * sizeof *s->values; /* cannot overflow: not more than is allocated */
    for (size_t i = 0; !is_identity_map(s, kept) && i < s->row_count; i++)
        sg_table_builder_map_row(s, s->values + i * width, s->values + i * kept);
    double *fitted = realloc(s->values, bytes ? bytes : 1);
    if (fitted) s->values = fitted;
}

static sg_status make_table(sg_table_builder *s, const char *file, const char **names, sg_table **out)
{
    bool failed;
    sg_npy *file_rows = NULL;
    size_t kept = list_names(s, names), others = s->selection.count - kept;
    if (s->spill) {
        sg_status st = finish_spill(s, names, kept, &file_rows);
        if (st != SG_OK) return st;
    } else compact_values(s, kept);
    sg_string_table *levels = move_levels(s, kept, &failed);
    if (failed) {
        sg_npy_free(file_rows);
        return sg_fail_read_memory(s->selection.file);
    }
    if (file_rows) return sg_table_adopt_file(file, names, kept, others, file_rows, levels, out);
    double *values = s->values;
    s->values = NULL;
    return sg_table_adopt(file, names, kept, others, values, levels, s->row_count, out);
}

sg_status sg_table_builder_finish(sg_table_builder *s, const char *file, sg_table **out)
{
    s->selection.file = file;
    sg_status st = sg_table_builder_infer_types(s);
    if (st != SG_OK) return st;
    const char **names = sg_calloc(s->selection.count, sizeof *names);
    st = names ? make_table(s, file, names, out) : sg_fail_read_memory(s->selection.file);
    free(names);
    return st;
}
