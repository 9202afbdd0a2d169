/* npy_write.c: writes .npy files row by row.
 *
 * The number of rows is known only at the end: the header is first written with space for any number, and then again
 * with the same length. */
#include "data/format/npy/npy.h"

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/format/npy/npy_header.h"
#include "data/format/npy/python_literal.h"
#include "data/source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sg_npy_writer {
    sg_atomic_file *out;
    const sg_source *source; /* provides the levels; NULL: all columns are numeric */
    size_t rows, columns;
    size_t *max_chars; /* (columns) length of the longest level; 0: numeric */
    unsigned version;
    size_t header_bytes;    /* position of row 0 */
    sg_text header_prefix;  /* the dictionary up to the number of rows */
    char header_suffix[32]; /* the dictionary after it */
};

void sg_npy_writer_free(sg_npy_writer *w)
{
    if (!w) return;
    sg_atomic_file_free(w->out);
    sg_text_release(&w->header_prefix);
    free(w->max_chars);
    free(w);
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the header of a .npy file"); }

/* --- the header --- */

static void put_field(sg_text *t, const char *name, size_t letters, char order)
{
    sg_text_append(t, "('");
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '\'' || c == '\\') sg_text_append_format(t, "\\%c", c);
        else if (c < 0x20 || c == 0x7f) sg_text_append_format(t, "\\x%02x", c);
        else sg_text_append_bytes(t, name, 1);
    }
    if (letters) sg_text_append_format(t, "', '<U%zu'), ", letters);
    else sg_text_append_format(t, "', '%cf8'), ", order);
}

static void format_descr(sg_npy_writer *w, const char *const *names, char order)
{
    sg_text_append(&w->header_prefix, names ? "{'descr': [" : "{'descr': '<f8'");
    for (size_t i = 0; names && i < w->columns; i++)
        put_field(&w->header_prefix, names[i], w->max_chars ? w->max_chars[i] : 0, order);
    sg_text_append_format(&w->header_prefix, "%s, 'fortran_order': False, 'shape': (", names ? "]" : "");
    if (names) snprintf(w->header_suffix, sizeof w->header_suffix, ",), }");
    else snprintf(w->header_suffix, sizeof w->header_suffix, ", %zu), }", w->columns);
}

static size_t preamble_size(unsigned version) { return version == 1 ? 10 : SG_NPY_PREAMBLE_SIZE; }

/* Uses version 1.0 if possible, 2.0 for long headers, 3.0 for names that are not ASCII. Like NumPy, aligns the rows to
 * 64 bytes. */
static void plan_header(sg_npy_writer *w, size_t least)
{
    enum { DIGITS = 20, ALIGNED = 64 };
    size_t longest = w->header_prefix.length + DIGITS + strlen(w->header_suffix) + 1;
    if (longest + SG_NPY_PREAMBLE_SIZE < least) longest = least - SG_NPY_PREAMBLE_SIZE;
    w->version = longest + ALIGNED > UINT16_MAX ? 2 : 1;
    for (size_t i = 0; i < w->header_prefix.length; i++)
        if ((unsigned char)w->header_prefix.bytes[i] > 0x7f) w->version = 3;
    w->header_bytes = (preamble_size(w->version) + longest + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static sg_status make_header(const sg_npy_writer *w, sg_text *t)
{
    size_t fixed = preamble_size(w->version), length = w->header_bytes - fixed;
    sg_text_append_format(t, "%s%c", SG_NPY_MAGIC, (char)w->version);
    for (size_t i = SG_NPY_MAGIC_SIZE + 1; i < fixed; i++) {
        char byte = i < 8 ? 0 : (char)(length >> 8 * (i - 8));
        sg_text_append_bytes(t, &byte, 1);
    }
    sg_text_append_bytes(t, w->header_prefix.bytes, w->header_prefix.length);
    sg_text_append_format(t, "%zu%s", w->rows, w->header_suffix);
    sg_text_append_format(t, "%*s\n", (int)(w->header_bytes - 1 - t->length), "");
    return t->failed ? no_memory() : SG_OK;
}

/* Rewriting the header at once detects files that cannot be rewritten before any work is done. */
static sg_status write_header(sg_npy_writer *w)
{
    sg_text header = {0};
    sg_status st = make_header(w, &header);
    if (st == SG_OK && w->rows == 0) st = sg_atomic_file_write(w->out, header.bytes, header.length);
    if (st == SG_OK) st = sg_atomic_file_rewrite(w->out, 0, header.bytes, header.length);
    sg_text_release(&header);
    return st;
}

sg_status sg_npy_header_format(const char *const *names, size_t columns, size_t rows, size_t least, sg_text *out)
{
    sg_npy_writer w = {.columns = columns, .rows = rows};
    format_descr(&w, names, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<');
    plan_header(&w, least);
    sg_status st = w.header_prefix.failed ? no_memory() : make_header(&w, out);
    sg_text_release(&w.header_prefix);
    return st;
}

/* --- rows --- */

static size_t count_characters(const char *word)
{
    size_t n = 0;
    for (; *word; word++) n += ((unsigned char)*word & 0xc0) != 0x80; /* not a continuation byte */
    return n;
}

/* A string type has at least one character, even if all cells are missing. */
static void measure_levels(sg_npy_writer *w)
{
    const sg_source *s = w->source;
    const char *word;
    for (size_t k = 0; s && s->level && k < w->columns; k++)
        for (size_t i = 0; (word = s->level(s->self, k, i)); i++) {
            size_t n = count_characters(word);
            if (n == 0) n = 1;
            if (n > w->max_chars[k]) w->max_chars[k] = n;
        }
}

static sg_status open_like(const char *path, const char *const *names, size_t columns, const sg_source *like,
                           sg_npy_writer **out)
{
    sg_npy_writer *w = sg_calloc(1, sizeof *w);
    if (!w) return no_memory();
    *w = (sg_npy_writer){.columns = columns, .source = like, .max_chars = sg_calloc(columns, sizeof *w->max_chars)};
    if (w->max_chars) {
        measure_levels(w);
        format_descr(w, names, '<');
    }
    sg_status st = !w->max_chars || w->header_prefix.failed ? no_memory() : sg_atomic_file_open(path, &w->out);
    if (st == SG_OK) {
        plan_header(w, 0);
        st = write_header(w);
    }
    if (st != SG_OK) {
        sg_npy_writer_free(w);
        return st;
    }
    *out = w;
    return SG_OK;
}

sg_status sg_npy_writer_open(const char *path, const char *const *names, size_t columns, sg_npy_writer **out)
{
    return open_like(path, names, columns, NULL, out);
}

/* Little-endian on any machine. */
static void put_number(double value, char *to)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++) to[i] = (char)(bits >> 8 * i);
}

static sg_status add_numbers(sg_npy_writer *w, const double *values, size_t n)
{
    enum { BLOCK = 512 };
    char bytes[BLOCK * sizeof *values];
    sg_status st = SG_OK;
    for (size_t some; st == SG_OK && n; n -= some) {
        some = n < BLOCK ? n : BLOCK;
        for (size_t i = 0; i < some; i++) put_number(*values++, bytes + i * sizeof *values);
        st = sg_atomic_file_write(w->out, bytes, some * sizeof *values);
    }
    return st;
}

/* Writes UTF-32, padded with NUL. */
static sg_status add_word(sg_npy_writer *w, const char *word, size_t letters)
{
    sg_text text = {0};
    size_t left = word ? strlen(word) : 0;
    for (size_t n; left; word += n, left -= n) {
        char bytes[4];
        uint32_t code = sg_utf8_decode(word, left, &n);
        for (size_t i = 0; i < 4; i++) bytes[i] = (char)(code >> 8 * i);
        sg_text_append_bytes(&text, bytes, 4);
    }
    while (text.length < 4 * letters && !text.failed) sg_text_append_bytes(&text, "\0\0\0\0", 4);
    sg_status st = text.failed ? no_memory() : sg_atomic_file_write(w->out, text.bytes, 4 * letters);
    sg_text_release(&text);
    return st;
}

static sg_status add_row(sg_npy_writer *w, const double *row)
{
    sg_status st = SG_OK;
    for (size_t k = 0, n; st == SG_OK && k < w->columns; k += n) {
        for (n = 0; k + n < w->columns && !w->max_chars[k + n];) n++;
        st = add_numbers(w, row + k, n);
        if (st != SG_OK || k + n == w->columns) return st;
        k += n;
        n = 1;
        st = add_word(w, sg_source_cell_level(w->source, k, row[k]), w->max_chars[k]);
    }
    return st;
}

static bool has_words(const sg_npy_writer *w)
{
    for (size_t k = 0; k < w->columns; k++)
        if (w->max_chars[k]) return true;
    return false;
}

sg_status sg_npy_writer_add(sg_npy_writer *w, const double *values, size_t rows)
{
    sg_status st = SG_OK;
    if (!has_words(w)) st = add_numbers(w, values, rows * w->columns);
    else
        for (size_t i = 0; st == SG_OK && i < rows; i++) st = add_row(w, values + i * w->columns);
    w->rows += rows;
    return st;
}

sg_status sg_npy_writer_commit(sg_npy_writer *w)
{
    sg_status st = w->rows ? write_header(w) : SG_OK;
    if (st == SG_OK) {
        st = sg_atomic_file_commit(w->out);
        w->out = NULL;
    }
    sg_npy_writer_free(w);
    return st;
}

/* --- a source --- */

static sg_status add_rows(void *arg, const double *values, size_t rows) { return sg_npy_writer_add(arg, values, rows); }

/* Reports whether the names are those that a file without names gets. */
static bool has_default_names(const sg_source *s)
{
    char name[32];
    for (size_t i = 0; i < s->columns; i++) {
        snprintf(name, sizeof name, "c%zu", i + 1);
        if (strcmp(s->names[i], name) != 0) return false;
    }
    return true;
}

sg_status sg_npy_save(const sg_source *rows, const char *path)
{
    sg_npy_writer *w;
    bool plain = has_default_names(rows);
    for (size_t k = 0; k < rows->columns; k++) plain &= !sg_source_is_categorical(rows, k);
    sg_status st = open_like(path, plain ? NULL : rows->names, rows->columns, rows, &w);
    if (st != SG_OK) return st;
    st = sg_source_for_each_block(rows, add_rows, w);
    if (st == SG_OK) return sg_npy_writer_commit(w);
    sg_npy_writer_free(w);
    return st;
}
