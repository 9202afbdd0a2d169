/* table_builder.c: rows are appended here, and become a table at the end. See table_builder.h. */
#include "data/ingest/table_builder.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/column_names.h"
#include "data/ingest/date_detect.h"
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
    free(s->column);
    free(s->evidence);
    free(s->values);
    sg_spill_file_free(s->spill);
    free(s->missing_code);
    sg_column_selection_release(&s->selection);
    *s = (sg_table_builder){0};
}

static sg_status no_memory(const sg_table_builder *s)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory after %zu rows", s->selection.file, s->row_count);
}

static sg_status parse_missing_codes(sg_table_builder *s)
{
    double code;
    while (sg_missing_code_parse(s->selection.options->missing, s->missing_codes, &code)) {
        if (!sg_array_reserve(&s->missing_code, &s->missing_code_capacity, s->missing_codes + 1,
                              sizeof *s->missing_code))
            return no_memory(s);
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
    return s->column ? parse_missing_codes(s) : no_memory(s);
}

void sg_table_builder_drop_column(sg_table_builder *s, size_t k)
{
    sg_column_selection *c = &s->selection;
    if (c->read_index[k] == 0) s->row_number.consecutive = false;
    c->used[c->read_index[k]] = false;
    memmove(&c->read_index[k], &c->read_index[k + 1], (--c->read_count - k) * sizeof *c->read_index);
}

/* --- rows --- */

/* The numbers of the whole file, if its rows are as long as those so far; 0: no idea. */
static size_t estimate_total(const sg_table_builder *s, double fraction_read)
{
    if (s->row_count < 1000 || !(fraction_read > 0)) return 0;
    double numbers = 1.05 * (double)s->row_count / fraction_read * (double)s->selection.read_count;
    return numbers < 1e15 ? (size_t)numbers : 0;
}

/* At once, where the file's size tells how much it will be: pages that are never touched cost
 * nothing, those that are moved do. */
static bool grow_values(sg_table_builder *s, size_t need, double fraction_read)
{
    size_t all = estimate_total(s, fraction_read);
    if (all > need && sg_array_reserve(&s->values, &s->capacity, all, sizeof *s->values)) return true;
    return sg_array_reserve(&s->values, &s->capacity, need ? need : 1, sizeof *s->values);
}

/* Whether rows, as many as there are or will be, take more memory than they may. Room doubles. */
static bool exceeds_memory(const sg_table_builder *s, size_t need, double fraction_read)
{
    size_t most = s->selection.options->memory_limit / sizeof *s->values, all = estimate_total(s, fraction_read);
    return s->selection.options->memory_limit && (all > most || need > most / 2);
}

/* The names of the columns that are read. */
static sg_status open_spill(sg_table_builder *s)
{
    const sg_column_selection *c = &s->selection;
    const char **names = sg_calloc(c->read_count, sizeof *names);
    for (size_t k = 0; names && k < c->read_count; k++) names[k] = c->names[c->read_index[k]];
    sg_status st = names ? sg_spill_file_new(c->file, names, c->read_count, &s->spill) : no_memory(s);
    free(names);
    return st;
}

/* All rows go to the file; from the first time on there is room for a few only. */
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
               : no_memory(s);
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
           filled = (s->row_count - s->spilled_rows) * width; /* fits: the room for it is there */
    if (is_stopped(s)) return sg_fail(SG_EIO, "can't read %s: stopped after %zu rows", s->selection.file, s->row_count);
    if (sg_table_builder_is_full(s)) {
        sg_status st = SG_OK;
        if (s->spill || (s->row_count && exceeds_memory(s, filled + width, fraction_read))) st = spill(s);
        else if (!grow_values(s, filled + width, fraction_read)) st = no_memory(s);
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

/* Whether the rows are numbered by their first column is seen while they pass. */
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

/* --- cells that are no numbers --- */

static sg_status record_location(sg_table_builder *s, const sg_field *cell, sg_cell_location *p)
{
    char shown[48];
    p->excerpt = sg_strdup(sg_quote_excerpt(cell->text, cell->length, shown, sizeof shown));
    p->file = sg_strdup(s->selection.file);
    if (!p->excerpt || !p->file) return no_memory(s);
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

/* What a word counts as: found out for the first of its kind, and remembered with its level. */
enum { LEVEL_CLASSIFIED = 1, LEVEL_TEXT = 2, LEVEL_DATE = 4 };

static void count_text(sg_column_builder *t, unsigned is)
{
    t->non_number_count++;
    t->text_count += (is & LEVEL_TEXT) != 0;
    t->date_count += (is & LEVEL_DATE) != 0;
}

/* A word that was there before: most are. */
static bool put_known_level(sg_column_builder *t, const sg_field *cell, double *to)
{
    double code = sg_string_table_find(&t->levels, cell->text, cell->length);
    if (isnan(code) || code >= (double)t->level_flags_capacity || !(t->level_flags[(size_t)code] & LEVEL_CLASSIFIED))
        return false;
    count_text(t, t->level_flags[(size_t)code]);
    *to = sg_nanbox_pack((uint32_t)code);
    return true;
}

static sg_status cache_level_flags(sg_table_builder *s, sg_column_builder *t, uint32_t code, unsigned is)
{
    size_t room = t->level_flags_capacity;
    if (!sg_array_reserve(&t->level_flags, &t->level_flags_capacity, code + 1, 1)) return no_memory(s);
    memset(t->level_flags + room, 0, t->level_flags_capacity - room);
    t->level_flags[code] = (unsigned char)(is | LEVEL_CLASSIFIED);
    return SG_OK;
}

/* A column of too many words holds no categories: its words need not be known any more. */
static sg_status put_level(sg_table_builder *s, size_t k, const sg_field *cell, unsigned is, double *to)
{
    sg_column_builder *t = &s->column[k];
    uint32_t code = 0;
    sg_status st = SG_OK;
    if (t->overflowed) return SG_OK;
    sg_intern_result got = intern_cell(s, k, cell, &code);
    if (got == SG_INTERN_NO_MEMORY) return no_memory(s);
    if (got == SG_INTERN_FULL) return SG_OK;
    if (got == SG_INTERN_ADDED && !t->first_non_utf8.excerpt && !sg_is_utf8(cell->text, cell->length))
        st = record_location(s, cell, &t->first_non_utf8);
    if (st == SG_OK && has_no_control_chars(cell)) st = cache_level_flags(s, t, code, is);
    *to = sg_nanbox_pack(code);
    return st;
}

sg_status sg_table_builder_put_text(sg_table_builder *s, size_t k, const sg_field *cell, double *row)
{
    sg_column_builder *t = &s->column[k];
    if (t->level_flags && put_known_level(t, cell, &row[k])) return SG_OK;
    sg_cell_class what = sg_cell_classify(cell, s->selection.options->missing);
    row[k] = NAN;
    t->missing_count += what == SG_CELL_MISSING;
    if (what == SG_CELL_MISSING) return SG_OK;
    unsigned is =
        (what == SG_CELL_TEXT ? LEVEL_TEXT : 0) | (sg_looks_like_date(cell->text, cell->length) ? LEVEL_DATE : 0);
    sg_status st = SG_OK;
    count_text(t, is);
    if (!t->first_bad.excerpt) {
        t->first_bad_class = what;
        st = record_location(s, cell, &t->first_bad);
    }
    if (st != SG_OK) return st;
    if (s->selection.spec[s->selection.read_index[k]] == SG_SPEC_NUMERIC) return sg_table_builder_fail_number(s, k);
    return put_level(s, k, cell, is, &row[k]);
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

/* The names of the columns that are kept, then of the others, in file order; how many are kept. */
static size_t list_names(const sg_table_builder *s, const char **names)
{
    const sg_column_selection *c = &s->selection;
    size_t kept = 0, others = 0;
    for (size_t k = 0; k < c->read_count; k++)
        if (sg_table_builder_keeps_column(s, k)) names[kept++] = c->names[c->read_index[k]];
    for (size_t i = 0, k = 0; i < c->count; i++) {
        bool kept_one = c->used[i] && sg_table_builder_keeps_column(s, k);
        k += c->used[i];
        if (!kept_one) names[kept + others++] = c->names[i];
    }
    return kept;
}

/* NULL without a failure: no column holds words. */
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

/* Where all are numbers and none is left out, the values are those of the table. */
static bool is_identity_map(const sg_table_builder *s, size_t kept)
{
    bool same = kept == s->selection.read_count;
    for (size_t k = 0; k < s->selection.read_count; k++) same &= s->column[k].type == SG_COLUMN_NUMERIC;
    return same;
}

static void map_row(const void *arg, const double *row, double *to) { sg_table_builder_map_row(arg, row, to); }

static sg_status finish_spill(sg_table_builder *s, const char **names, size_t kept, sg_npy **out)
{
    sg_spill_file *spool = s->spill;
    sg_status st = spill(s);
    free(s->values);
    s->values = NULL;
    if (st == SG_OK && !is_identity_map(s, kept)) st = sg_spill_file_rewrite(spool, map_row, s, kept);
    if (st != SG_OK) return st;
    s->spill = NULL;
    st = sg_spill_file_finish(spool, names, out);
    if (st == SG_OK)
        sg_npy_allow_load(*out,
                          s->selection.options->memory_limit); /* it may fit, without the columns that are left out */
    return st;
}

static void compact_values(sg_table_builder *s, size_t kept)
{
    size_t width = s->selection.read_count,
           bytes = s->row_count * kept * sizeof *s->values; /* at most what is allocated */
    for (size_t i = 0; !is_identity_map(s, kept) && i < s->row_count; i++)
        sg_table_builder_map_row(s, s->values + i * width, s->values + i * kept);
    double *fitted = realloc(s->values, bytes ? bytes : 1);
    if (fitted) s->values = fitted;
}

static sg_status make_table(sg_table_builder *s, const char *file, const char **names, sg_table **out)
{
    bool failed;
    sg_npy *spooled = NULL;
    size_t kept = list_names(s, names), others = s->selection.count - kept;
    if (s->spill) {
        sg_status st = finish_spill(s, names, kept, &spooled);
        if (st != SG_OK) return st;
    } else compact_values(s, kept);
    sg_string_table *levels = move_levels(s, kept, &failed);
    if (failed) {
        sg_npy_free(spooled);
        return no_memory(s);
    }
    if (spooled) return sg_table_adopt_file(file, names, kept, others, spooled, levels, out);
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
    st = names ? make_table(s, file, names, out) : no_memory(s);
    free(names);
    return st;
}
