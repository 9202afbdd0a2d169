/* npy_header.c: parses the header of .npy files. The file is not trusted: sizes are checked before multiplication. */
#include "data/format/npy/npy_header.h"

#include "base/memory.h"
#include "data/format/npy/python_literal.h"

#include <stdlib.h>
#include <string.h>

void sg_npy_header_release(sg_npy_header *h)
{
    free(h->fields);
    sg_text_release(&h->names);
    *h = (sg_npy_header){0};
}

/* --- preamble --- */

sg_status sg_npy_preamble_parse(const char *bytes, size_t n, const char *file, size_t *begin, size_t *length,
                                bool *utf8)
{
    const unsigned char *b = (const unsigned char *)bytes;
    if (n < SG_NPY_PREAMBLE_SIZE || memcmp(bytes, SG_NPY_MAGIC, SG_NPY_MAGIC_SIZE) != 0)
        return sg_fail(SG_EDATA, "%s: the file is truncated or is not a .npy file", file);
    unsigned major = b[6], minor = b[7];
    if (major < 1 || major > 3 || minor != 0)
        return sg_fail(SG_EDATA, "%s: unsupported .npy format version %u.%u; expected 1.0, 2.0 or 3.0", file, major,
                       minor);
    *begin = major == 1 ? 10 : 12;
    *length = b[8] | (size_t)b[9] << 8;
    if (major > 1) *length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    *utf8 = major == 3;
    return SG_OK;
}

/* --- types --- */

/* Returns the size of a type that is not numeric (strings, dates, padding), or 0 if the type is unknown. */
static size_t unsupported_size(const char *name)
{
    if (!*name || !strchr("SUVMmc", *name)) return 0;
    size_t n = strspn(name + 1, "0123456789");
    bool unit = (*name == 'M' || *name == 'm') && name[n + 1] == '[';
    if (n == 0 || n > 9 || (name[n + 1] && !unit)) return 0;
    size_t size = strtoul(name + 1, NULL, 10);
    return *name == 'U' ? 4 * size : size;
}

static sg_status set_type(const char *file, const char *name, sg_npy_field *f)
{
    char order = name[0], shown[48];
    const char *type = order ? name + 1 : name;
    f->type = sg_number_type_find(type, strlen(type));
    f->other_type = f->type ? '\0' : *type;
    f->big_endian = order == '>';
    f->size = f->type ? f->type->size : unsupported_size(type);
    if (order && strchr(f->size == 1 || !f->type ? "<>|" : "<>", order) && f->size) return SG_OK;
    sg_quote_excerpt(name, strlen(name), shown, sizeof shown);
    if (*type == 'O') return sg_fail(SG_EDATA, "%s: dtype '%s' holds Python objects; expected numbers", file, shown);
    return sg_fail(SG_EDATA, "%s: unknown type '%s'; expected < or > followed by one of %s", file, shown,
                   sg_number_type_names());
}

static sg_status read_type(sg_py_literal *l, sg_npy_field *f)
{
    sg_text name = {0};
    sg_status st = sg_py_literal_string(l, &name);
    if (st == SG_OK) st = set_type(l->file, name.bytes, f);
    sg_text_release(&name);
    return st;
}

/* --- fields --- */

static sg_status add_field(sg_py_literal *l, sg_npy_header *h, sg_npy_field **out)
{
    if (!sg_array_reserve(&h->fields, &h->field_capacity, h->field_count + 1, sizeof *h->fields))
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory while reading the column types", l->file);
    *out = &h->fields[h->field_count++];
    **out = (sg_npy_field){.offset = h->row_bytes, .name = h->names.length};
    return SG_OK;
}

/* Reads a field, such as ('name', '<f8'). A field that has no name and is not a number is padding. */
static sg_status read_field(sg_py_literal *l, sg_npy_header *h)
{
    sg_npy_field *f;
    sg_status st = add_field(l, h, &f);
    if (st == SG_OK) st = sg_py_literal_expect(l, '(');
    if (st == SG_OK) st = sg_py_literal_string(l, &h->names);
    if (st == SG_OK) st = sg_py_literal_expect(l, ',');
    if (st != SG_OK) return st;
    f->name_length = h->names.length - f->name;
    st = read_type(l, f);
    if (st == SG_OK) st = sg_py_literal_expect(l, ')'); /* fields with a shape are not supported */
    if (st != SG_OK) return st;
    if (__builtin_add_overflow(h->row_bytes, f->size, &h->row_bytes))
        return sg_fail(SG_EDATA, "%s: damaged header: the rows are too long", l->file);
    if (f->name_length == 0 && !f->type) h->field_count--;
    return SG_OK;
}

static sg_status read_descr(sg_py_literal *l, sg_npy_header *h)
{
    sg_npy_field *f;
    sg_status st = SG_OK;
    h->structured = sg_py_literal_accept(l, '[');
    if (!h->structured) {
        st = add_field(l, h, &f);
        return st == SG_OK ? read_type(l, f) : st;
    }
    while (st == SG_OK && !sg_py_literal_accept(l, ']')) {
        st = read_field(l, h);
        if (st == SG_OK && !sg_py_literal_accept(l, ',')) return sg_py_literal_expect(l, ']');
    }
    return st;
}

/* --- shape --- */

typedef struct shape {
    size_t dimensions, size[2];
} shape;

static sg_status read_shape(sg_py_literal *l, shape *s)
{
    sg_status st = sg_py_literal_expect(l, '(');
    while (st == SG_OK && !sg_py_literal_accept(l, ')')) {
        size_t size;
        st = sg_py_literal_integer(l, &size);
        if (st != SG_OK) return st;
        if (s->dimensions < 2) s->size[s->dimensions] = size;
        s->dimensions++;
        if (!sg_py_literal_accept(l, ',')) return sg_py_literal_expect(l, ')');
    }
    return st;
}

static sg_status check_shape(const char *file, const sg_npy_header *h, const shape *s)
{
    if (h->structured && s->dimensions != 1)
        return sg_fail(SG_EDATA, "%s: the structured array has %zu dimensions; expected one", file, s->dimensions);
    if (!h->structured && s->dimensions == 1)
        return sg_fail(SG_EDATA,
                       "%s: the array has one dimension; expected rows and columns (for one column, "
                       "save a.reshape(-1, 1))",
                       file);
    if (!h->structured && s->dimensions != 2)
        return sg_fail(SG_EDATA, "%s: the array has %zu dimensions; expected rows and columns", file, s->dimensions);
    if (!h->structured && !h->fields->type)
        return sg_fail(SG_EDATA, "%s: the array does not hold numbers; expected one of the types %s", file,
                       sg_number_type_names());
    return SG_OK;
}

static sg_status set_sizes(const char *file, const shape *s, sg_npy_header *h)
{
    size_t bytes;
    sg_status st = check_shape(file, h, s);
    if (st != SG_OK) return st;
    h->rows = s->size[0];
    h->columns = h->structured ? h->field_count : s->size[1];
    if (h->rows == 0) return sg_fail(SG_EDATA, "%s: the array has no rows; expected rows of numbers", file);
    if (h->columns == 0) return sg_fail(SG_EDATA, "%s: the array has no columns; expected columns of numbers", file);
    if ((!h->structured && !sg_checked_mul(h->columns, h->fields->size, &h->row_bytes)) ||
        !sg_checked_mul(h->rows, h->row_bytes, &bytes))
        return sg_fail(SG_EDATA, "%s: damaged header: %zu rows of %zu columns are too many", file, h->rows, h->columns);
    return SG_OK;
}

/* --- the dictionary --- */

enum { DESCR, ORDER, SHAPE, KEYS };
static const char *const keys[KEYS] = {"descr", "fortran_order", "shape"};

static sg_status read_key(sg_py_literal *l, bool *seen, int *key)
{
    char shown[32];
    sg_text name = {0};
    sg_status st = sg_py_literal_string(l, &name);
    for (*key = 0; st == SG_OK && *key < KEYS && strcmp(name.bytes, keys[*key]) != 0;) ++*key;
    if (st == SG_OK && (*key == KEYS || seen[*key]))
        st = sg_fail(SG_EDATA, "%s: damaged header: the key '%s' is unknown or repeated", l->file,
                     sg_quote_excerpt(name.bytes, name.length, shown, sizeof shown));
    sg_text_release(&name);
    if (st != SG_OK) return st;
    seen[*key] = true;
    return sg_py_literal_expect(l, ':');
}

static sg_status read_pair(sg_py_literal *l, bool *seen, sg_npy_header *h, shape *s)
{
    int key;
    sg_status st = read_key(l, seen, &key);
    if (st != SG_OK) return st;
    if (key == DESCR) return read_descr(l, h);
    return key == ORDER ? sg_py_literal_bool(l, &h->fortran_order) : read_shape(l, s);
}

static sg_status read_dictionary(sg_py_literal *l, sg_npy_header *h)
{
    bool seen[KEYS] = {false};
    shape s = {0};
    sg_status st = sg_py_literal_expect(l, '{');
    while (st == SG_OK && !sg_py_literal_accept(l, '}')) {
        st = read_pair(l, seen, h, &s);
        if (st != SG_OK || sg_py_literal_accept(l, ',')) continue;
        st = sg_py_literal_expect(l, '}');
        break;
    }
    if (st == SG_OK) st = sg_py_literal_expect_end(l);
    for (int i = 0; st == SG_OK && i < KEYS; i++)
        if (!seen[i]) st = sg_fail(SG_EDATA, "%s: damaged header: the key '%s' is missing", l->file, keys[i]);
    return st == SG_OK ? set_sizes(l->file, &s, h) : st;
}

/* Converts the header from Latin-1 to UTF-8, or checks that it is UTF-8. */
static sg_status decode(const char *text, size_t length, bool utf8, const char *file, sg_text *out)
{
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8 ? sg_utf8_char_length(text + i, length - i) : 1;
        if (n == 0) return sg_fail(SG_EDATA, "%s: damaged header: invalid UTF-8 at byte %zu", file, i + 1);
        if (utf8) sg_text_append_bytes(out, text + i, n);
        else sg_utf8_append(out, (unsigned char)text[i]);
    }
    return out->failed ? sg_fail(SG_ENOMEM, "can't read %s: out of memory while decoding the header", file) : SG_OK;
}

sg_status sg_npy_header_parse(const char *text, size_t length, bool utf8, const char *file, sg_npy_header *h)
{
    sg_text plain = {0};
    *h = (sg_npy_header){0};
    sg_status st = decode(text, length, utf8, file, &plain);
    const char *start = plain.bytes ? plain.bytes : "";
    sg_py_literal l = {.file = file, .start = start, .at = start, .end = start + plain.length};
    if (st == SG_OK) st = read_dictionary(&l, h);
    sg_text_release(&plain);
    return st;
}
