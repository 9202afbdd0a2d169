/* fuzz_npy.c: reads any bytes as a .npy file. The first byte selects the columns. If the file can be opened, reading in
 * blocks and row by row must succeed and give the same numbers. */
#include "data/format/npy/npy_source.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const wanted[] = {"c1", "a"};

static void check_rows(const sg_source *s)
{
    size_t rows = s->rows < 100 ? s->rows : 100, piece = 1 + rows / 3;
    double *read = sg_calloc(rows * s->columns, sizeof *read), *gathered = sg_calloc(rows * s->columns, sizeof *read);
    assert(read && gathered && s->columns > 0 && rows > 0);
    for (size_t i = 0, n; i < rows; i += n) {
        n = rows - i < piece ? rows - i : piece;
        assert(s->read(s->self, i, n, read + i * s->columns) == SG_OK);
    }
    for (size_t i = rows; i-- > 0;) {
        size_t row = s->rows - rows + i;
        assert(s->gather(s->self, &row, 1, gathered + i * s->columns) == SG_OK);
    }
    if (rows == s->rows) assert(memcmp(read, gathered, rows * s->columns * sizeof *read) == 0);
    for (size_t k = 0; k < s->columns; k++) assert(s->names[k][0] != '\0');
    for (size_t i = 0; s->level && i < rows * s->columns; i++)
        if (s->level(s->self, i % s->columns, 0) && read[i] >= 0)
            assert(s->level(s->self, i % s->columns, (size_t)read[i]));
    free(read);
    free(gathered);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char path[32];
    sg_npy *npy = NULL;
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    assert(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    sg_read_options how = {.wanted = data[0] & 1 ? wanted : NULL, .wanted_count = 1 + (data[0] >> 1 & 1)};
    sg_status st = sg_npy_open(path, &how, &npy);
    assert((st == SG_OK) == (npy != NULL));
    if (st == SG_OK) {
        sg_source s = sg_npy_source(npy);
        for (size_t i = 0; sg_npy_dropped_column(npy, i);) i++;
        check_rows(&s);
    }
    sg_npy_free(npy);
    close(fd);
    return 0;
}
