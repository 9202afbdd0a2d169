/* test_input.c: how many bytes an input says are left, of memory, of files as they are and packed.
 * labels: memory */
#include "base/random.h"
#include "data/input.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { BYTES = 1000000 };
static char bytes[BYTES];

/* Reads to the end by `piece`; how much is left is known all the way, give or take `error`. */
static void expect_left(sg_input *in, size_t piece, size_t error)
{
    const char *head;
    size_t n, got, total = 0;
    bool whole;
    char *to = malloc(piece);
    assert_non_null(to);
    check(sg_input_head(in, &head, &n, &whole));
    sg_input_skip(in, 3);
    for (total = 3; total < BYTES; total += got) {
        size_t left = sg_input_left(in), is = BYTES - total;
        assert_int_equal(sg_input_taken(in), total);
        if (left > is ? left - is > error : is - left > error)
            fail_msg("%zu bytes are left, not %zu (pieces of %zu)", is, left, piece);
        check(sg_input_read(in, to, piece, &got));
        assert_int_equal(got, piece < BYTES - total ? piece : BYTES - total);
        assert_memory_equal(to, bytes + total, got);
    }
    assert_int_equal(sg_input_left(in), 0);
    check(sg_input_read(in, to, piece, &got));
    assert_int_equal(got, 0);
    free(to);
    sg_input_close(in);
}

static void knows_what_is_left(void **state)
{
    (void)state;
    static const size_t pieces[] = {1000, 65536, 1 << 18, 1 << 20};
    static const char *const modes[] = {"wbT", "wb1"}; /* T: as it is, not packed */
    char path[] = "/tmp/sugeno-input-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    sg_stream s = sg_stream_at(11, SG_RANDOM_GENERATE, 0, 0);
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (char)('0' + sg_stream_below(&s, 10));
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        sg_input *in;
        check(sg_input_memory(bytes, BYTES, "memory", &in));
        expect_left(in, pieces[i], 0);
        for (int packed = 0; packed < 2; packed++) {
            gzFile f = gzopen(path, modes[packed]);
            assert_int_equal(gzwrite(f, bytes, BYTES), BYTES);
            assert_int_equal(gzclose(f), Z_OK);
            check(sg_input_open(path, &in));
            expect_left(in, pieces[i], packed ? 6 * (BYTES / 10) : 0);
        }
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knows_what_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
