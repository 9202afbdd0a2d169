/* fuzz_arff.c: reads any bytes as an ARFF or KEEL file. The first byte selects the block size (low five bits) and the
 * options (high three). The result, a table or an error message, must not depend on the block size. Category codes
 * must have levels, and a table must survive writing and reading. */
#include "base/memory.h"
#include "data/format/arff/arff.h"
#include "data/format/csv/csv_record_reader.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const wanted[] = {"a", "y"};
static const bool words[] = {true, false};

static const sg_read_options modes[8] = {
    {.header = SG_HEADER_AUTO},
    {.ignore = "a"},
    {.categorical = "a", .numeric = "y"},
    {.wanted = wanted, .wanted_count = 2},
    {.wanted = wanted, .wanted_count = 2, .wanted_categorical = words},
    {.wanted = wanted, .wanted_count = 1},
    {.missing = "-, 7,x"},
    {.missing = ""},
};

static sg_status read_table(const char *bytes, size_t n, sg_read_options how, size_t block, sg_table **t)
{
    sg_byte_reader *in;
    how.block_bytes = block;
    sg_status st = sg_byte_reader_open_memory(bytes, n, "fuzz", &in);
    assert(st == SG_OK);
    st = sg_arff_read(in, &how, t);
    sg_byte_reader_close(in);
    return st;
}

static void check_table(const sg_table *t)
{
    size_t columns = sg_table_columns(t);
    sg_source s = sg_table_source(t);
    for (size_t i = 0; i < sg_table_rows(t) * columns; i++) {
        double cell = sg_table_values(t)[i];
        assert(!isinf(cell));
        if (s.level && s.level(s.self, i % columns, 0) && !isnan(cell))
            assert(cell >= 0 && s.level(s.self, i % columns, (size_t)cell));
    }
}

static void check_same(const sg_table *a, const sg_table *b)
{
    size_t columns = sg_table_columns(a), count = sg_table_rows(a) * columns;
    assert(sg_table_rows(a) == sg_table_rows(b) && columns == sg_table_columns(b));
    for (size_t i = 0; i < count; i++) {
        double x = sg_table_values(a)[i], y = sg_table_values(b)[i];
        assert(x == y || (isnan(x) && isnan(y)));
    }
}

/* Writes the table as ARFF and reads it back. If the file is accepted and has the same number of columns, all rows and
 * values must be the same. */
static void check_written(const sg_table *t)
{
    char path[64];
    sg_table *again = NULL;
    sg_source s = sg_table_source(t);
    snprintf(path, sizeof path, "/dev/shm/sugeno-fuzz-%ld.arff", (long)getpid());
    if (sg_table_columns(t) == 0 || sg_source_save(&s, path) != SG_OK) return;
    const char *paths = path;
    sg_status st = sg_arff_read_files(&paths, 1, &(sg_read_options){.missing = ""}, &again);
    unlink(path);
    if (st == SG_OK && sg_table_columns(again) == sg_table_columns(t)) check_same(t, again);
    sg_table_free(again);
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
        check_table(whole);
        check_same(whole, pieces);
        check_written(whole);
    } else {
        assert(!whole && !pieces && strcmp(sentence, sg_errmsg()) == 0);
    }
    free(sentence);
    sg_table_free(whole);
    sg_table_free(pieces);
    return 0;
}
