/* fuzz_csv.c: reads any bytes as a CSV file. The first byte selects the block size (low five bits: 1 to 32) and the
 * options (high three). The result, a table or an error message, must not depend on the block size. */
#include "base/memory.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_record_reader.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const wanted[] = {"a", "y"};

static const sg_read_options modes[8] = {
    {.header = SG_HEADER_AUTO},
    {.header = SG_HEADER_YES},
    {.header = SG_HEADER_NO},
    {.wanted = wanted, .wanted_count = 2},
    {.ignore = "a, b"},
    {.delimiter = ';', .missing = "-, 7,x"},
    {.delimiter = '\t', .header = SG_HEADER_YES, .categorical = "a", .numeric = "b"},
    {.delimiter = ',', .header = SG_HEADER_NO, .ignore = "c2"},
};

static sg_status read_table(const char *bytes, size_t n, sg_read_options how, size_t block, sg_table **t)
{
    sg_byte_reader *in;
    how.block_bytes = block;
    sg_status st = sg_byte_reader_open_memory(bytes, n, "fuzz", &in);
    assert(st == SG_OK);
    st = sg_csv_read(in, &how, t);
    sg_byte_reader_close(in);
    return st;
}

/* Checks what must hold for every table. */
static void check_table(const sg_table *t, const sg_read_options *how)
{
    size_t columns = sg_table_columns(t), count = sg_table_rows(t) * columns;
    assert(sg_table_rows(t) > 0 && columns > 0 && (!how->wanted || columns <= how->wanted_count));
    for (size_t j = 0; j < columns; j++) assert(sg_table_name(t, j)[0] != '\0');
    for (size_t i = 0; i < count; i++) assert(!isinf(sg_table_values(t)[i]));
    sg_source s = sg_table_source(t);
    for (size_t i = 0; s.level && i < count; i++) {
        double cell = sg_table_values(t)[i];
        bool word = s.level(s.self, i % columns, 0) && !isnan(cell);
        assert(!word || (cell >= 0 && s.level(s.self, i % columns, (size_t)cell)));
    }
}

static void check_same(const sg_table *a, const sg_table *b)
{
    size_t columns = sg_table_columns(a), count = sg_table_rows(a) * columns;
    assert(sg_table_rows(a) == sg_table_rows(b) && columns == sg_table_columns(b));
    for (size_t j = 0; j < columns; j++) assert(strcmp(sg_table_name(a, j), sg_table_name(b, j)) == 0);
    assert(memcmp(sg_table_values(a), sg_table_values(b), count * sizeof(double)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const char *bytes = (const char *)data + 1;
    const sg_read_options *how = &modes[data[0] >> 5];
    sg_table *whole = NULL, *pieces = NULL;
    sg_status st = read_table(bytes, size - 1, *how, SG_READ_BLOCK_BYTES, &whole);
    char *sentence = sg_strdup(sg_errmsg());
    sg_status again = read_table(bytes, size - 1, *how, (data[0] & 31) + 1u, &pieces);
    assert(sentence && st == again);
    if (st == SG_OK) {
        check_table(whole, how);
        check_same(whole, pieces);
    } else {
        assert(!whole && !pieces && strcmp(sentence, sg_errmsg()) == 0);
    }
    free(sentence);
    sg_table_free(whole);
    sg_table_free(pieces);
    return 0;
}
