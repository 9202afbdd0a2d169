/* arff_read.c: an ARFF or KEEL file to a table. Its header says what the columns are; rows go to the store like
 * those of a CSV file. See arff.h. */
#include "data/arff.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/arff_header.h"
#include "data/csv_records.h"
#include "data/store.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

typedef struct reader {
    const char *file;
    sg_csv_how how;
    sg_lines *lines;
    sg_arff_header header;
    bool weighted;  /* rows have weights: the first column of the store                  */
    size_t columns; /* of the store: the attributes, inputs first, behind the weight     */
    size_t *place;  /* (columns) where a column stands in a row of the file              */
    size_t *slot;   /* (attributes + 1) which of those that are read it is, or NONE; last the weight */
    size_t *set;    /* (attributes) the last sparse row that had it, from 1              */
    sg_store store;
    sg_line line;      /* a row ...                                                         */
    const char *start; /* ... and where it begins                                          */
    double *row;
    sg_text plain;
} reader;

static void release(reader *r)
{
    sg_lines_free(r->lines);
    sg_arff_header_release(&r->header);
    free(r->place);
    free(r->slot);
    free(r->set);
    sg_store_release(&r->store);
    sg_text_release(&r->plain);
}

static sg_status no_memory(const reader *r) { return sg_fail(SG_ENOMEM, "can't read %s: out of memory", r->file); }

/* --- columns --- */

/* Attributes in the order in which their columns stand: outputs last, so that the default target is one. */
static void order_columns(reader *r)
{
    const sg_arff_header *h = &r->header;
    size_t n = 0;
    if (r->weighted) r->place[n++] = h->count;
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < h->count; i++) {
            sg_role role = h->attribute[i].role;
            bool last = role == SG_ROLE_OUTPUT || (role == SG_ROLE_NONE && h->inputs && !h->outputs);
            if (last == (outputs == 1)) r->place[n++] = i;
        }
}

static sg_kind declared(const sg_arff_header *h, const sg_attribute *a, sg_kind asked)
{
    if (asked == SG_KIND_NUMBERS || (asked == SG_KIND_WORDS && a->kind != SG_KIND_DECLARED)) return asked;
    if (asked == SG_KIND_JUDGED && h->inputs && h->outputs && a->role == SG_ROLE_NONE) return SG_KIND_SPARE;
    bool judged = a->kind == SG_KIND_JUDGED || a->kind == SG_KIND_DATES;
    return asked == SG_KIND_KEPT && judged ? asked : a->kind;
}

/* What the header declares, unless who asks knows better; declared levels are there before the first row. */
static void set_kinds(reader *r)
{
    sg_columns *c = &r->store.columns;
    for (size_t i = 0; i < c->count; i++)
        if (r->place[i] == r->header.count) c->kind[i] = SG_KIND_NUMBERS;
        else c->kind[i] = declared(&r->header, &r->header.attribute[r->place[i]], c->kind[i]);
    for (size_t j = 0; j <= r->header.count; j++) r->slot[j] = NONE;
    for (size_t k = 0; k < c->read_count; k++) {
        size_t j = r->place[c->reads[k]];
        r->slot[j] = k;
        if (c->kind[c->reads[k]] != SG_KIND_DECLARED) continue;
        r->store.tally[k].levels = r->header.attribute[j].levels;
        r->store.tally[k].levels.all = NULL; /* the header has counted them, and goes */
        r->header.attribute[j].levels = (sg_levels){0};
    }
    c->place = r->place;
}

static sg_status start(reader *r)
{
    const sg_arff_header *h = &r->header;
    r->columns = h->count + r->weighted;
    r->how.first = r->how.weights && r->weighted;
    r->place = sg_alloc(r->columns, sizeof *r->place);
    r->slot = sg_alloc(h->count + 1, sizeof *r->slot);
    r->set = sg_alloc(h->count, sizeof *r->set);
    sg_field *names = sg_alloc(r->columns, sizeof *names);
    sg_status st = r->place && r->slot && r->set && names ? SG_OK : no_memory(r);
    if (st == SG_OK) order_columns(r);
    for (size_t i = 0; st == SG_OK && i < r->columns; i++) {
        size_t j = r->place[i];
        if (j == h->count) names[i] = (sg_field){.text = "weight", .length = 6, .line = r->line.number};
        else
            names[i] = (sg_field){.text = h->names.bytes + h->attribute[j].name,
                                  .length = h->attribute[j].name_length,
                                  .line = h->attribute[j].line};
    }
    if (st == SG_OK) st = sg_store_start(&r->store, r->file, &r->how, names, r->columns);
    free(names);
    if (st == SG_OK) set_kinds(r);
    return st;
}

/* --- cells --- */

static void set_missing(reader *r, size_t k)
{
    r->row[k] = NAN;
    r->store.tally[k].missing++;
}

static void set_level(reader *r, size_t k, uint32_t code)
{
    r->row[k] = sg_word_box(code);
    r->store.tally[k].words++;
}

static bool is_mark(const sg_arff_word *w)
{
    if (w->quoted) return w->length == 0;
    return w->length == 0 || (w->length == 1 && *w->text == '?') || (w->length == 6 && !memcmp(w->text, "<null>", 6));
}

static sg_status undeclared(const reader *r, size_t j, size_t k, const sg_arff_word *w)
{
    char shown[48], name[64];
    sg_text known = {0};
    const sg_levels *l = &r->store.tally[k].levels;
    const sg_attribute *a = &r->header.attribute[j];
    for (size_t i = 0; i < l->count && i < 10; i++) sg_text_format(&known, "%s%s", i ? ", " : "", sg_levels_text(l, i));
    sg_status st =
        sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\" is not a value of attribute \"%s\"; expected %s%s", r->file,
                r->line.number, j + 1, sg_quotable(w->text, w->length, shown, sizeof shown),
                sg_quotable(r->header.names.bytes + a->name, a->name_length, name, sizeof name),
                known.bytes && !known.failed ? known.bytes : "one that is declared", l->count > 10 ? ", ..." : "");
    sg_text_release(&known);
    return st;
}

/* Of the j-th attribute. */
static sg_status take_cell(reader *r, size_t j, const sg_arff_word *w)
{
    size_t k = r->slot[j];
    sg_field cell = {.text = w->text, .length = w->length, .line = r->line.number, .quoted = w->quoted};
    uint32_t code;
    if (k == NONE) return SG_OK;
    if (is_mark(w)) {
        set_missing(r, k);
        return SG_OK;
    }
    if (r->store.columns.kind[r->store.columns.reads[k]] != SG_KIND_DECLARED)
        return sg_number_parse(w->text, w->length, &r->row[k]) == SG_NUMBER_OK
                   ? SG_OK
                   : sg_store_odd(&r->store, k, &cell, r->row);
    if (sg_arff_level(&r->store.tally[k].levels, w->text, w->length, &code)) set_level(r, k, code);
    else if (sg_cell_kind(&cell, r->how.missing) == SG_CELL_MISSING) set_missing(r, k);
    else return undeclared(r, j, k, w);
    return SG_OK;
}

/* What a sparse row does not name. */
static void take_absent(reader *r, size_t j)
{
    size_t k = r->slot[j];
    if (k == NONE) return;
    sg_kind kind = r->store.columns.kind[r->store.columns.reads[k]];
    sg_kind is = r->header.attribute[j].kind;
    if (kind == SG_KIND_DECLARED) set_level(r, k, 0);
    else if (is == SG_KIND_NUMBERS || kind == SG_KIND_NUMBERS) r->row[k] = 0;
    else set_missing(r, k);
}

/* --- rows --- */

static sg_status expected(const reader *r, const char *what) { return sg_arff_expected(&r->line, r->start, what); }

/* Between a row and the end of its line. */
static sg_status take_weight(reader *r)
{
    sg_arff_word w = {.text = "1", .length = 1};
    bool there = sg_arff_is(&r->line, ',');
    sg_status st = SG_OK;
    if (there && !sg_arff_is(&r->line, '{')) return expected(r, "the end of the row, or its weight in braces");
    if (there && !r->weighted) return expected(r, "no weight, as in the first row");
    if (there) st = sg_arff_take(&r->line, "}", &r->plain, &w);
    if (st == SG_OK && there && !sg_arff_is(&r->line, '}')) st = expected(r, "} after the weight");
    if (st == SG_OK && !sg_arff_ended(&r->line)) st = expected(r, "the end of the row");
    return st == SG_OK && r->weighted ? take_cell(r, r->header.count, &w) : st;
}

static sg_status wrong_width(const reader *r, size_t there)
{
    return sg_fail(SG_EDATA, "%s:%zu:%zu: %zu field%s, expected %zu, one for each attribute", r->file, r->line.number,
                   there + 1, there, there == 1 ? "" : "s", r->header.count);
}

/* Values by commas; where there is no comma, by blanks. */
static sg_status take_dense(reader *r)
{
    bool commas = r->header.count == 1 || memchr(r->line.at, ',', (size_t)(r->line.end - r->line.at));
    for (size_t j = 0; j < r->header.count; j++) {
        sg_arff_word w;
        if (j && commas ? !sg_arff_is(&r->line, ',') : !sg_line_skip(&r->line)) return wrong_width(r, j);
        sg_status st = sg_arff_take(&r->line, commas ? "," : " \t", &r->plain, &w);
        if (st == SG_OK) st = take_cell(r, j, &w);
        if (st != SG_OK) return st;
    }
    return take_weight(r);
}

static sg_status take_entry(reader *r)
{
    sg_arff_word index, value;
    double at;
    sg_status st = sg_arff_take(&r->line, " \t,}", &r->plain, &index);
    if (st != SG_OK) return st;
    if (sg_number_parse(index.text, index.length, &at) != SG_NUMBER_OK || !(at >= 0 && at < (double)r->header.count) ||
        floor(at) != at)
        return expected(r, "the number of an attribute, from 0, and its value");
    size_t j = (size_t)at;
    if (r->set[j] == r->store.count + 1) return expected(r, "each attribute once");
    r->set[j] = r->store.count + 1;
    st = sg_arff_take(&r->line, ",}", &r->plain, &value);
    return st == SG_OK ? take_cell(r, j, &value) : st;
}

static sg_status take_sparse(reader *r)
{
    while (!sg_arff_is(&r->line, '}')) {
        sg_status st = take_entry(r);
        if (st != SG_OK) return st;
        if (sg_arff_is(&r->line, ',')) continue;
        if (!sg_arff_is(&r->line, '}')) return expected(r, "a comma or } after a value");
        break;
    }
    for (size_t j = 0; j < r->header.count; j++)
        if (r->set[j] != r->store.count + 1) take_absent(r, j);
    return take_weight(r);
}

static sg_status take_row(reader *r)
{
    sg_status st = sg_store_row(&r->store, 0, &r->row);
    if (st == SG_OK) st = sg_arff_is(&r->line, '{') ? take_sparse(r) : take_dense(r);
    if (st == SG_OK) sg_store_take(&r->store, r->row);
    return st;
}

/* A row ends with its weight in braces: a number, so that no sparse row is meant. */
static bool has_weight(const sg_line *line)
{
    const char *end = line->end, *open;
    double weight;
    while (end > line->at && (end[-1] == ' ' || end[-1] == '\t')) end--;
    if (end == line->at || end[-1] != '}') return false;
    open = memrchr(line->at, '{', (size_t)(end - line->at));
    if (!open || open == line->at) return false;
    while (open + 1 < end && open[1] == ' ') open++;
    end--;
    while (end > open + 1 && end[-1] == ' ') end--;
    return end > open && sg_number_parse(open + 1, (size_t)(end - open - 1), &weight) == SG_NUMBER_OK;
}

/* The next row; *got is false after the last. */
static sg_status next_row(reader *r, bool *got)
{
    for (;;) {
        sg_status st = sg_lines_next(r->lines, &r->line, got);
        if (st != SG_OK || !*got) return st;
        r->start = r->line.at;
        if (!sg_arff_ended(&r->line)) return SG_OK;
    }
}

static sg_status read_all(reader *r, sg_input *in)
{
    bool got;
    sg_status st = sg_lines_new(in, r->how.block ? r->how.block : SG_CSV_BLOCK, &r->lines);
    if (st == SG_OK) st = sg_arff_header_read(r->lines, r->file, &r->header);
    if (st == SG_OK) st = next_row(r, &got);
    if (st != SG_OK) return st;
    if (!got) return sg_fail(SG_EDATA, "%s: no rows after @data", r->file);
    r->weighted = has_weight(&r->line);
    st = start(r);
    while (st == SG_OK && got) {
        st = take_row(r);
        if (st == SG_OK) st = next_row(r, &got);
    }
    return st;
}

/* Weights that are read are the first column; who names another one has no use for them. */
static void weigh(const reader *r, sg_table *t)
{
    const sg_options *o = r->how.notify;
    size_t k = r->slot[r->header.count];
    if (k == NONE || !sg_store_keeps(&r->store, k)) return;
    sg_table_weigh(t, 0);
    if (o && !*sg_options_text(o, "weights"))
        sg_notice(o, "%s: column \"weight\" holds the weights of its rows", r->file);
}

sg_status sg_arff_read(sg_input *in, const sg_csv_how *how, sg_table **out)
{
    reader r = {.file = sg_input_name(in), .how = *how};
    if (!how->missing) r.how.missing = SG_CSV_MISSING;
    sg_status st = read_all(&r, in);
    if (st == SG_OK) st = sg_store_finish(&r.store, r.file, out);
    if (st == SG_OK && r.weighted) weigh(&r, *out);
    release(&r);
    return st;
}

sg_status sg_arff_path(const char *path, const sg_csv_how *how, sg_table **out)
{
    sg_input *in;
    sg_status st = sg_input_open(path, &in);
    if (st != SG_OK) return st;
    st = sg_arff_read(in, how, out);
    sg_input_close(in);
    return st;
}
