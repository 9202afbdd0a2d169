/* fuzz_libsvm.c: reads any bytes as a LIBSVM file. The first byte selects the block size (low five bits) and the
 * options (high two). The result, a table or an error message, must not depend on the block size. */
#include "base/memory.h"
#include "data/format/csv/csv_record_reader.h"
#include "data/format/libsvm/libsvm_read.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const wanted[] = {"f2", "f7", "y"};

static const sg_read_options modes[4] = {
    {.header = SG_HEADER_AUTO},
    {.wanted = wanted, .wanted_count = 3},
    {.categorical = "f1"},
    {.missing = "-, 7,x", .ignore = "y"},
};

/* A short file can describe a very wide table. Reading all columns of such tables would take most of the time. */
static bool is_wide(const uint8_t *data, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == ':' && digits > 3) return true;
        digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
    }
    return false;
}

static void check_same(const sg_table *a, const sg_table *b)
{
    size_t columns = sg_table_columns(a), count = sg_table_rows(a) * columns;
    assert(sg_table_rows(a) == sg_table_rows(b) && columns == sg_table_columns(b));
    for (size_t i = 0; i < count; i++) {
        double x = sg_table_values(a)[i], y = sg_table_values(b)[i];
        assert(!isinf(x) && (x == y || (isnan(x) && isnan(y))));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char name[32];
    const char *path = name;
    sg_read_options how = modes[is_wide(data + 1, size - 1) ? 1 : data[0] >> 6];
    sg_table *whole = NULL, *pieces = NULL;
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    assert(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    sg_status st = sg_libsvm_read_files(&path, 1, &how, &whole);
    char *sentence = sg_strdup(sg_errmsg());
    how.block_bytes = (data[0] & 31) + 1u;
    sg_status again = sg_libsvm_read_files(&path, 1, &how, &pieces);
    assert(sentence && st == again);
    if (st == SG_OK) check_same(whole, pieces);
    else assert(!whole && !pieces && strcmp(sentence, sg_errmsg()) == 0);
    free(sentence);
    sg_table_free(whole);
    sg_table_free(pieces);
    close(fd);
    return 0;
}
