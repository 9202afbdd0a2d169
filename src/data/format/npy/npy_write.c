/* npy_write.c: writes the rows of a source as a .npy file. */
#include "data/format/npy/npy_source.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/format/npy/npy_header.h"
#include "data/format/npy/python_literal.h"
#include "data/source/source_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- header --- */

static void put_field(sg_text *t, const char *name, size_t max_chars, char byte_order)
{
    sg_text_append(t, "('");
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '\'' || c == '\\') sg_text_append_format(t, "\\%c", c);
        else if (c < 0x20 || c == 0x7f) sg_text_append_format(t, "\\x%02x", c);
        else sg_text_append_bytes(t, name, 1);
    }
    if (max_chars) sg_text_append_format(t, "', '<U%zu'), ", max_chars);
    else sg_text_append_format(t, "', '%cf8'), ", byte_order);
}

/* Appends the dictionary: that of a 2-D array if l->names is NULL, otherwise that of a structured array. */
static void put_dictionary(sg_text *t, const sg_npy_layout *l, size_t rows)
{
    sg_text_append(t, l->names ? "{'descr': [" : "{'descr': '<f8'");
    for (size_t i = 0; l->names && i < l->columns; i++)
        put_field(t, l->names[i], l->max_chars ? l->max_chars[i] : 0, l->big_endian ? '>' : '<');
    sg_text_append_format(t, "%s, 'fortran_order': False, 'shape': (%zu", l->names ? "]" : "", rows);
    if (l->names) sg_text_append(t, ",), }");
    else sg_text_append_format(t, ", %zu), }", l->columns);
}

/* Uses version 1.0 if possible, 2.0 for long headers, and 3.0 for names that are not ASCII. Aligns the rows to 64 bytes
 * like NumPy. The length does not depend on the number of rows. */
sg_status sg_npy_header_format(const sg_npy_layout *l, size_t rows, size_t least, sg_text *out)
{
    enum { MAX_DIGITS = 20, ALIGN = 64 };
    sg_text text = {0};
    char digits[MAX_DIGITS + 1];
    unsigned version = 1;
    put_dictionary(&text, l, rows);
    size_t longest = text.length - (size_t)snprintf(digits, sizeof digits, "%zu", rows) + MAX_DIGITS + 1;
    if (longest + SG_NPY_PREAMBLE_SIZE < least) longest = least - SG_NPY_PREAMBLE_SIZE;
    if (longest + ALIGN > UINT16_MAX) version = 2;
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] > 0x7f) version = 3;
    size_t preamble = version == 1 ? 10 : SG_NPY_PREAMBLE_SIZE,
           length = (preamble + longest + ALIGN - 1) / ALIGN * ALIGN - preamble;
    sg_text_append_format(out, "%s%c", SG_NPY_MAGIC, (char)version);
    for (size_t i = SG_NPY_MAGIC_SIZE + 1; i < preamble; i++) {
        char byte = i < 8 ? 0 : (char)(length >> 8 * (i - 8));
        sg_text_append_bytes(out, &byte, 1);
    }
    sg_text_append_bytes(out, text.bytes, text.length);
    sg_text_append_format(out, "%*s\n", (int)(length - 1 - text.length), "");
    sg_status st = text.failed || out->failed ? sg_fail_out_of_memory("the header of a .npy file") : SG_OK;
    sg_text_release(&text);
    return st;
}

/* --- rows --- */

typedef struct npy_writer {
    sg_atomic_file *out;
    const sg_source *rows;
    const size_t *max_chars; /* (columns) length of the longest level; 0: numeric */
    bool has_text;
} npy_writer;

/* Returns the number of characters of the longest level, at least 1, or 0 if the column has no levels. */
static size_t longest_level(const sg_source *s, size_t column)
{
    size_t longest = 0;
    const char *level;
    for (size_t i = 0; (level = sg_source_level(s, column, i)); i++) {
        size_t n = 0;
        for (; *level; level++) n += ((unsigned char)*level & 0xc0) != 0x80; /* not a continuation byte */
        if (n == 0) n = 1;
        if (n > longest) longest = n;
    }
    return longest;
}

/* Stores a double in little-endian order, whatever the byte order of the machine. */
static void put_number(double value, char *to)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++) to[i] = (char)(bits >> 8 * i);
}

static sg_status write_numbers(const npy_writer *w, const double *values, size_t n)
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

/* Writes a level as UTF-32, padded with NUL. level is NULL for a missing value. */
static sg_status write_text(const npy_writer *w, const char *level, size_t max_chars)
{
    sg_text text = {0};
    size_t left = level ? strlen(level) : 0;
    for (size_t n; left; level += n, left -= n) {
        char bytes[4];
        uint32_t code = sg_utf8_decode(level, left, &n);
        for (size_t i = 0; i < 4; i++) bytes[i] = (char)(code >> 8 * i);
        sg_text_append_bytes(&text, bytes, 4);
    }
    while (text.length < 4 * max_chars && !text.failed) sg_text_append_bytes(&text, "\0\0\0\0", 4);
    sg_status st = text.failed ? sg_fail_out_of_memory("a string of a .npy file")
                               : sg_atomic_file_write(w->out, text.bytes, 4 * max_chars);
    sg_text_release(&text);
    return st;
}

static sg_status write_rows(void *arg, const double *values, size_t rows)
{
    const npy_writer *w = arg;
    size_t columns = w->rows->columns;
    sg_status st = SG_OK;
    if (!w->has_text) return write_numbers(w, values, rows * columns);
    for (size_t i = 0; st == SG_OK && i < rows * columns; i++) {
        size_t k = i % columns;
        st = w->max_chars[k] ? write_text(w, sg_source_cell_level(w->rows, k, values[i]), w->max_chars[k])
                             : write_numbers(w, &values[i], 1);
    }
    return st;
}

/* Reports whether the columns are named c1, c2, ..., like those of a file without names. */
static bool has_default_names(const sg_source *s)
{
    char name[32];
    for (size_t i = 0; i < s->columns; i++) {
        snprintf(name, sizeof name, "c%zu", i + 1);
        if (strcmp(s->names[i], name) != 0) return false;
    }
    return true;
}

static sg_status write_file(npy_writer *w, const char *path)
{
    const sg_source *s = w->rows;
    bool plain = !w->has_text && has_default_names(s);
    sg_npy_layout layout = {.names = plain ? NULL : s->names, .columns = s->columns, .max_chars = w->max_chars};
    sg_text header = {0};
    size_t first, last;
    sg_source_local_range(s, &first, &last);
    sg_status st = sg_npy_header_format(&layout, last - first, 0, &header);
    if (st == SG_OK) st = sg_atomic_file_open(path, &w->out);
    if (st == SG_OK) st = sg_atomic_file_write(w->out, header.bytes, header.length);
    if (st == SG_OK) st = sg_source_for_each_block(s, write_rows, w);
    sg_text_release(&header);
    if (st == SG_OK) return sg_atomic_file_commit(w->out);
    sg_atomic_file_free(w->out);
    return st;
}

sg_status sg_npy_save(const sg_source *rows, const char *path)
{
    size_t *max_chars = sg_calloc(rows->columns, sizeof *max_chars);
    npy_writer w = {.rows = rows, .max_chars = max_chars};
    for (size_t k = 0; max_chars && k < rows->columns; k++) {
        max_chars[k] = longest_level(rows, k);
        w.has_text |= max_chars[k] > 0;
    }
    sg_status st = max_chars ? write_file(&w, path) : sg_fail_out_of_memory("the header of a .npy file");
    free(max_chars);
    return st;
}
