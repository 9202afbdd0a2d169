/* test_byte_reader.c: the number of remaining bytes of memory, plain files and gzip files.
 * labels: memory */
#include "base/random/random.h"
#include "data/ingest/byte_reader.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BYTES = 1000000 };
static char bytes[BYTES];

/* Reads to the end in pieces; the remaining bytes are known at each point, within `error`. */
static void expect_left(sg_byte_reader *in, size_t piece, size_t error)
{
    const char *head;
    size_t n, got, total = 0;
    bool whole;
    char *to = malloc(piece);
    assert_non_null(to);
    check(sg_byte_reader_peek(in, &head, &n, &whole));
    sg_byte_reader_skip(in, 3);
    for (total = 3; total < BYTES; total += got) {
        size_t left = sg_byte_reader_remaining(in), is = BYTES - total;
        assert_int_equal(sg_byte_reader_consumed(in), total);
        if (left > is ? left - is > error : is - left > error)
            fail_msg("%zu bytes are left, not %zu (pieces of %zu)", is, left, piece);
        check(sg_byte_reader_read(in, to, piece, &got));
        assert_int_equal(got, piece < BYTES - total ? piece : BYTES - total);
        assert_memory_equal(to, bytes + total, got);
    }
    assert_int_equal(sg_byte_reader_remaining(in), 0);
    check(sg_byte_reader_read(in, to, piece, &got));
    assert_int_equal(got, 0);
    free(to);
    sg_byte_reader_close(in);
}

static void knows_what_is_left(void **state)
{
    (void)state;
    static const size_t pieces[] = {1000, 65536, 1 << 18, 1 << 20};
    static const char *const modes[] = {"wbT", "wb1"}; /* T: not compressed */
    char path[] = "/tmp/sugeno-input-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    sg_random_stream s = sg_random_stream_at(11, SG_RANDOM_SYNTHETIC_DATA, 0, 0);
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (char)('0' + sg_random_stream_below(&s, 10));
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        sg_byte_reader *in;
        check(sg_byte_reader_open_memory(bytes, BYTES, "memory", &in));
        expect_left(in, pieces[i], 0);
        for (int packed = 0; packed < 2; packed++) {
            gzFile f = gzopen(path, modes[packed]);
            assert_int_equal(gzwrite(f, bytes, BYTES), BYTES);
            assert_int_equal(gzclose(f), Z_OK);
            check(sg_byte_reader_open(path, &in));
            expect_left(in, pieces[i], packed ? 6 * (BYTES / 10) : 0);
        }
    }
    unlink(path);
}

static void append(const char *path)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs("1", f);
    assert_int_equal(fclose(f), 0);
}

static void cut(const char *path) { assert_int_equal(truncate(path, 70000), 0); }

static void touch(const char *path)
{
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void notices_a_change(void **state)
{
    (void)state;
    static const char *const modes[] = {"wbT", "wb1"};
    static void (*const change[])(const char *path) = {append, cut, touch};
    char path[] = "/tmp/sugeno-input-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < 6; i++) {
        sg_byte_reader *in;
        const char *head;
        size_t n, got;
        bool whole;
        gzFile f = gzopen(path, modes[i % 2]);
        assert_int_equal(gzwrite(f, bytes, BYTES), BYTES);
        assert_int_equal(gzclose(f), Z_OK);
        check(sg_byte_reader_open(path, &in));
        check(sg_byte_reader_peek(in, &head, &n, &whole));
        change[i / 2](path);
        check_fails(sg_byte_reader_read(in, bytes, BYTES, &got) == SG_OK ? sg_byte_reader_read(in, bytes, BYTES, &got)
                                                                         : SG_EIO,
                    SG_EIO, "the file was changed while it was read");
        sg_byte_reader_close(in);
    }
    unlink(path);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(knows_what_is_left), cmocka_unit_test(notices_a_change)};
TEST_GROUP(tests, NULL, NULL)
