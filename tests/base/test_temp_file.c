/* test_temp_file.c: unnamed temporary files and how they are persisted. */
#include "base/temp_file.h"

#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/sugeno-scratch-XXXXXX";
static char file[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/kept", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

static size_t entries(void)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d)) n++;
    closedir(d);
    return n - 2;
}

static void leaves_nothing(void **state)
{
    (void)state;
    sg_temp_file s = sg_temp_file_open(folder);
    char byte = 'x';
    assert_true(s.fd >= 0);
    assert_int_equal(entries(), 0);
    assert_int_equal(pwrite(s.fd, "abc", 3, 0), 3);
    assert_int_equal(pread(s.fd, &byte, 1, 1), 1);
    assert_int_equal(byte, 'b');
    sg_temp_file_close(&s);
    assert_int_equal(s.fd, -1);
    sg_temp_file_close(&s);
    s = sg_temp_file_open_beside(file);
    assert_true(s.fd >= 0);
    sg_temp_file_close(&s);
    assert_int_equal(entries(), 0);
    s = sg_temp_file_open("/nowhere");
    assert_true(s.fd == -1 && errno == ENOENT);
    s = sg_temp_file_open_beside("/nowhere/x");
    assert_true(s.fd == -1 && errno == ENOENT);
}

static void is_kept(void **state)
{
    struct stat is;
    (void)state;
    for (int i = 1; i <= 2; i++) { /* as a new file, and over an existing one */
        sg_temp_file s = sg_temp_file_open_beside(file);
        assert_int_equal(write(s.fd, "abcdef", (size_t)i), i);
        assert_true(sg_temp_file_persist(&s, file));
        assert_int_equal(entries(), 1);
        sg_temp_file_close(&s);
        assert_int_equal(stat(file, &is), 0);
        assert_int_equal(is.st_size, i);
    }
    sg_temp_file s = sg_temp_file_open_beside(file);
    assert_false(sg_temp_file_persist(&s, folder)); /* a folder has that name */
    sg_temp_file_close(&s);
    assert_int_equal(entries(), 1);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_nothing), cmocka_unit_test(is_kept)};
TEST_GROUP(tests, make_folder, remove_folder)
