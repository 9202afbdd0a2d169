/* test_cache.c: what was read is found again; whatever is damaged is made anew, and never more than that.
 * labels: memory */
#include "data/cache.h"

#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/sugeno-cache-XXXXXX";
static char file[64], cache[64];
static char said[512];

static void hear(void *arg, const char *sentence)
{
    (void)arg;
    size_t n = strlen(said);
    snprintf(said + n, sizeof said - n, "%s\n", sentence);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/d.csv", folder);
    snprintf(cache, sizeof cache, "%s/c.npy", folder);
    FILE *f = fopen(file, "w");
    if (!f) return 1;
    fputs("day,x,colour,\"a \\ name\"\n", f);
    for (int i = 0; i < 40; i++)
        fprintf(f, "2024-01-0%d,%d,%s,%d.5\n", i % 9 + 1, i * 7 % 31,
                i % 4 == 0 ? ""
                : i % 3    ? "red"
                           : "dark blue",
                i * i);
    return fclose(f);
}

static int remove_files(void **state)
{
    (void)state;
    unlink(file);
    unlink(cache);
    return rmdir(folder);
}

/* Opens it with a cache; the rows must be those of the table. */
static sg_status try_it(const char *settings)
{
    double a[3 * 40], b[3 * 40];
    const char *path = file;
    sg_data *with = NULL, *without;
    sg_options *plain = options_of(settings), *o = options_of(settings);
    check(sg_options_set(o, "cache", cache));
    sg_options_on_notice(o, hear, NULL);
    said[0] = '\0';
    sg_status st = sg_data_open(&path, 1, o, NULL, 0, &with);
    if (st == SG_OK) {
        check(sg_data_open(&path, 1, plain, NULL, 0, &without));
        sg_source s = sg_data_source(with), t = sg_data_source(without);
        assert_true(s.rows == 40 && s.columns == 3 && t.columns == 3);
        check(s.read(s.self, 0, 40, a));
        check(t.read(t.self, 0, 40, b));
        assert_memory_equal(a, b, sizeof a);
        for (size_t k = 0; k < 3; k++) assert_string_equal(s.names[k], t.names[k]);
        assert_string_equal(s.level(s.self, 1, 0), t.level(t.self, 1, 0));
        assert_string_equal(s.level(s.self, 1, 1), t.level(t.self, 1, 1));
        assert_null(s.level(s.self, 1, 2));
        assert_null(s.level(s.self, 0, 0));
        assert_string_equal(sg_data_left_out(with, 0), "day");
        assert_null(sg_data_left_out(with, 1));
        assert_string_equal(s.name, file);
        sg_data_free(with);
        sg_data_free(without);
    }
    sg_options_free(o);
    sg_options_free(plain);
    return st;
}

static ino_t which(void)
{
    struct stat is;
    assert_int_equal(stat(cache, &is), 0);
    return is.st_ino;
}

static void found_again(void **state)
{
    (void)state;
    unlink(cache);
    check(try_it(""));
    assert_string_equal(said, "left out dates: day\n");
    ino_t first = which();
    check(try_it(""));
    assert_string_equal(said, "left out dates: day\n");
    check(try_it("memory=1MB threads=2")); /* what can't matter */
    assert_true(which() == first);
    check(try_it("missing=7"));
    assert_non_null(strstr(said, "is of other files, or of other options; it is made anew"));
    assert_true(which() != first);
}

static void flip(off_t at)
{
    unsigned char byte = 0;
    int fd = open(cache, O_RDWR);
    assert_true(fd >= 0 && pread(fd, &byte, 1, at) == 1);
    byte ^= 0x11;
    assert_true(pwrite(fd, &byte, 1, at) == 1);
    close(fd);
}

/* One byte anywhere: it is noticed. */
static void damaged(void **state)
{
    struct stat is;
    off_t step = getenv("TESTS_QUICK") ? 101 : 13; /* each costs a sync */
    (void)state;
    unlink(cache);
    check(try_it(""));
    assert_int_equal(stat(cache, &is), 0);
    for (off_t at = 0; at < is.st_size; at += at < is.st_size - 60 ? step : 1) {
        ino_t before = which();
        flip(at);
        sg_status st = try_it("");
        if (st == SG_OK) assert_true(which() != before && strstr(said, "made anew"));
        else {
            assert_non_null(strstr(sg_errmsg(), "no cache of sugeno"));
            assert_true(at > is.st_size - 40 && which() == before); /* the line that tells it is ours */
            unlink(cache);
            check(try_it(""));
        }
    }
}

static void cut_off(void **state)
{
    struct stat is;
    (void)state;
    unlink(cache);
    check(try_it(""));
    assert_int_equal(stat(cache, &is), 0);
    for (off_t size = 0; size < is.st_size; size += 397) {
        assert_int_equal(truncate(cache, size), 0);
        check_fails(try_it(""), SG_EDATA, "no cache of sugeno");
        unlink(cache);
        check(try_it(""));
    }
}

/* A byte behind the rows is another one, and the checksum is right all the same: it is no cache, or one of other words,
 * but nothing worse. */
static void written_by_others(void **state)
{
    static char bytes[8192];
    size_t step = getenv("TESTS_QUICK") ? 17 : 3, length = 0;
    const char *path = file;
    (void)state;
    unlink(cache);
    check(try_it(""));
    FILE *f = fopen(cache, "r");
    assert_non_null(f);
    size_t size = fread(bytes, 1, sizeof bytes, f), last = size - 39;
    fclose(f);
    assert_true(size < sizeof bytes && sscanf(bytes + last, "sugeno cache %zx", &length) == 1);
    for (size_t at = last - length; at < last; at += step)
        for (size_t with = 0; with < 4; with++) {
            char was = bytes[at];
            sg_data *d;
            sg_options *o = options_of("");
            check(sg_options_set(o, "cache", cache));
            bytes[at] = "\n\0 7"[with];
            sprintf(bytes + last + 30, "%08lx", crc32(0, (unsigned char *)bytes + last - length, (unsigned)length));
            bytes[last + 38] = '\n';
            f = fopen(cache, "w");
            assert_true(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
            bytes[at] = was;
            check(sg_data_open(&path, 1, o, NULL, 0, &d));
            assert_int_equal(sg_data_source(d).rows, 40);
            sg_data_free(d);
            sg_options_free(o);
        }
}

/* A notice may name a file that is called anything. */
static void any_notice(void **state)
{
    char name[80], before[512], expected[160];
    const char *path = name;
    (void)state;
    snprintf(name, sizeof name, "%s/a\nb\\n.arff", folder);
    snprintf(expected, sizeof expected, "%s/a\\nb\\n.arff: column \"weight\" holds the weights of its rows\n",
             folder); /* the first as sg_shown has it */
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs("@relation r\n@attribute x real\n@attribute 'y\\\\n' date\n@data\n1,2,{3}\n4,5,{6}\n", f);
    assert_int_equal(fclose(f), 0);
    unlink(cache);
    for (int i = 0; i < 2; i++) {
        sg_data *d;
        sg_options *o = options_of("");
        check(sg_options_set(o, "cache", cache));
        sg_options_on_notice(o, hear, NULL);
        said[0] = '\0';
        check(sg_data_open(&path, 1, o, NULL, 0, &d));
        assert_string_equal(sg_data_source(d).weights, "weight");
        assert_string_equal(sg_data_left_out(d, 0), "y\\n");
        if (i) assert_string_equal(said, before);
        assert_non_null(strstr(said, expected));
        memcpy(before, said, sizeof before);
        sg_data_free(d);
        sg_options_free(o);
    }
    unlink(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(found_again), cmocka_unit_test(damaged),
                                       cmocka_unit_test(cut_off), cmocka_unit_test(written_by_others),
                                       cmocka_unit_test(any_notice)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
