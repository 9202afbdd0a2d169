/* npy_write.c: .npy files, written row by row.
 *
 * How many rows there are is known at the end only: the header is written first with room for any number
 * of them, and once more, of the same length, at the end. */
#include "data/npy.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "data/npy_header.h"
#include "data/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sg_npy_writer {
    sg_output *out;
    size_t rows, columns;
    unsigned version;
    size_t header; /* its bytes: where the numbers begin     */
    sg_text before; /* the dictionary up to the number of rows */
    char after[32]; /* and behind it                           */
};

void sg_npy_writer_free(sg_npy_writer *w)
{
    if (!w) return;
    sg_output_free(w->out);
    sg_text_release(&w->before);
    free(w);
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the header of a .npy file"); }

/* --- the header --- */

static void put_field(sg_text *t, const char *name, char order)
{
    sg_text_add(t, "('");
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c == '\'' || c == '\\') sg_text_format(t, "\\%c", c);
        else if (c < 0x20 || c == 0x7f) sg_text_format(t, "\\x%02x", c);
        else sg_text_bytes(t, name, 1);
    }
    sg_text_format(t, "', '%cf8'), ", order);
}

static void describe(sg_npy_writer *w, const char *const *names, char order)
{
    sg_text_add(&w->before, names ? "{'descr': [" : "{'descr': '<f8'");
    for (size_t i = 0; names && i < w->columns; i++) put_field(&w->before, names[i], order);
    sg_text_format(&w->before, "%s, 'fortran_order': False, 'shape': (", names ? "]" : "");
    if (names) snprintf(w->after, sizeof w->after, ",), }");
    else snprintf(w->after, sizeof w->after, ", %zu), }", w->columns);
}

static size_t fixed_bytes(unsigned version) { return version == 1 ? 10 : SG_NPY_FIXED; }

/* Version 1.0 where it suffices, 2.0 for long headers, 3.0 for names that are not ASCII. The numbers
 * begin at a multiple of 64, as NumPy has it. */
static void measure(sg_npy_writer *w, size_t least)
{
    enum { DIGITS = 20, ALIGNED = 64 };
    size_t longest = w->before.length + DIGITS + strlen(w->after) + 1;
    if (longest + SG_NPY_FIXED < least) longest = least - SG_NPY_FIXED;
    w->version = longest + ALIGNED > UINT16_MAX ? 2 : 1;
    for (size_t i = 0; i < w->before.length; i++)
        if ((unsigned char)w->before.bytes[i] > 0x7f) w->version = 3;
    w->header = (fixed_bytes(w->version) + longest + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static sg_status make_header(const sg_npy_writer *w, sg_text *t)
{
    size_t fixed = fixed_bytes(w->version), length = w->header - fixed;
    sg_text_format(t, "%s%c", SG_NPY_MAGIC, (char)w->version);
    for (size_t i = SG_NPY_MAGIC_SIZE + 1; i < fixed; i++) {
        char byte = i < 8 ? 0 : (char)(length >> 8 * (i - 8));
        sg_text_bytes(t, &byte, 1);
    }
    sg_text_bytes(t, w->before.bytes, w->before.length);
    sg_text_format(t, "%zu%s", w->rows, w->after);
    sg_text_format(t, "%*s\n", (int)(w->header - 1 - t->length), "");
    return t->failed ? no_memory() : SG_OK;
}

/* The first time it goes over itself, too: where that can't be done, it is said before any work. */
static sg_status write_header(sg_npy_writer *w)
{
    sg_text header = {0};
    sg_status st = make_header(w, &header);
    if (st == SG_OK && w->rows == 0) st = sg_output_write(w->out, header.bytes, header.length);
    if (st == SG_OK) st = sg_output_rewrite(w->out, 0, header.bytes, header.length);
    sg_text_release(&header);
    return st;
}

sg_status sg_npy_header_make(const char *const *names, size_t columns, size_t rows, size_t least, sg_text *out)
{
    sg_npy_writer w = {.columns = columns, .rows = rows};
    describe(&w, names, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<');
    measure(&w, least);
    sg_status st = w.before.failed ? no_memory() : make_header(&w, out);
    sg_text_release(&w.before);
    return st;
}

/* --- rows --- */

sg_status sg_npy_writer_open(const char *path, const char *const *names, size_t columns,
                             sg_npy_writer **out)
{
    sg_npy_writer *w = sg_alloc(1, sizeof *w);
    if (!w) return no_memory();
    w->columns = columns;
    describe(w, names, '<');
    sg_status st = w->before.failed ? no_memory() : sg_output_open(path, &w->out);
    if (st == SG_OK) {
        measure(w, 0);
        st = write_header(w);
    }
    if (st != SG_OK) {
        sg_npy_writer_free(w);
        return st;
    }
    *out = w;
    return SG_OK;
}

/* The lowest byte first, on any machine. */
static void put_number(double value, char *to)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++) to[i] = (char)(bits >> 8 * i);
}

sg_status sg_npy_writer_add(sg_npy_writer *w, const double *values, size_t rows)
{
    enum { BLOCK = 512 };
    char bytes[BLOCK * sizeof *values];
    sg_status st = SG_OK;
    for (size_t left = rows * w->columns, n; st == SG_OK && left; left -= n) {
        n = left < BLOCK ? left : BLOCK;
        for (size_t i = 0; i < n; i++) put_number(*values++, bytes + i * sizeof *values);
        st = sg_output_write(w->out, bytes, n * sizeof *values);
    }
    w->rows += rows;
    return st;
}

sg_status sg_npy_writer_commit(sg_npy_writer *w)
{
    sg_status st = w->rows ? write_header(w) : SG_OK;
    if (st == SG_OK) {
        st = sg_output_commit(w->out);
        w->out = NULL;
    }
    sg_npy_writer_free(w);
    return st;
}

/* --- a source --- */

static sg_status add_rows(void *arg, const double *values, size_t rows)
{
    return sg_npy_writer_add(arg, values, rows);
}

/* Columns that are called as those without names would be need none. */
static bool by_position(const sg_source *s)
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
    sg_status st = sg_npy_writer_open(path, by_position(rows) ? NULL : rows->names, rows->columns, &w);
    if (st != SG_OK) return st;
    st = sg_source_walk(rows, add_rows, w);
    if (st == SG_OK) return sg_npy_writer_commit(w);
    sg_npy_writer_free(w);
    return st;
}
