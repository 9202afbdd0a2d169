/* test_atomic_file.c: files that appear complete or not at all.
 * labels: memory */
#include "base/whole_file.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/sugeno-output-XXXXXX";
static char target[64], name[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(target, sizeof target, "%s/target", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Each test starts in an empty folder. */
static size_t entries(void)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d)) n++;
    closedir(d);
    return n - 2; /* . and .. */
}

static const char *in_folder(const char *file)
{
    snprintf(name, sizeof name, "%s/%s", folder, file);
    return name;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void expect(const char *path, const char *bytes, size_t n)
{
    sg_text t = {0};
    check(sg_file_read(path, &t));
    assert_int_equal(t.length, n);
    assert_memory_equal(t.bytes, bytes, n);
    sg_text_release(&t);
}

static unsigned mode_of(const char *path)
{
    struct stat is;
    assert_int_equal(stat(path, &is), 0);
    return is.st_mode & 07777;
}

static void makes_a_file(void **state)
{
    sg_atomic_file *o;
    mode_t mask = umask(027);
    (void)state;
    check(sg_atomic_file_open(target, &o));
    check(sg_atomic_file_write(o, "first,", 6));
    check(sg_atomic_file_write(o, "", 0));
    check(sg_atomic_file_write(o, "then\0 more", 10));
    assert_int_equal(access(target, F_OK), -1); /* not before commit */
    check(sg_atomic_file_commit(o));
    expect(target, "first,then\0 more", 16);
    assert_int_equal(mode_of(target), 0640);
    umask(mask);
    assert_int_equal(entries(), 1);
    unlink(target);
}

static void replaces_at_once(void **state)
{
    sg_atomic_file *o;
    (void)state;
    put(target, "old");
    int held = open(target, O_RDONLY);
    char seen[8] = "";
    check(sg_atomic_file_open(target, &o));
    check(sg_atomic_file_write(o, "new and longer", 14));
    expect(target, "old", 3);
    check(sg_atomic_file_commit(o));
    expect(target, "new and longer", 14);
    assert_int_equal(read(held, seen, sizeof seen), 3); /* readers of the old file are not disturbed */
    close(held);
    assert_int_equal(entries(), 1);
    check(sg_file_write(target, "", 0));
    expect(target, "", 0);
    unlink(target);
}

static void abandoned_leaves_all_as_it_was(void **state)
{
    sg_atomic_file *o;
    (void)state;
    put(target, "old");
    check(sg_atomic_file_open(target, &o));
    check(sg_atomic_file_write(o, "new", 3));
    sg_atomic_file_free(o);
    expect(target, "old", 3);
    assert_int_equal(entries(), 1);
    unlink(target);
    check(sg_atomic_file_open(target, &o));
    sg_atomic_file_free(o);
    sg_atomic_file_free(NULL);
    assert_int_equal(entries(), 0);
}

static void keeps_the_mode(void **state)
{
    static const unsigned modes[] = {0600, 0644, 0755, 0666};
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put(target, "old");
        assert_int_equal(chmod(target, modes[i]), 0);
        check(sg_file_write(target, "new", 3));
        expect(target, "new", 3);
        assert_int_equal(mode_of(target), modes[i]);
        unlink(target);
    }
}

static void keeps_a_symbolic_link(void **state)
{
    char real[64], inner[64];
    struct stat is;
    (void)state;
    snprintf(inner, sizeof inner, "%s", in_folder("inner"));
    snprintf(real, sizeof real, "%s", in_folder("inner/real"));
    assert_int_equal(mkdir(inner, 0700), 0);
    put(real, "old");
    assert_int_equal(symlink("inner/real", target), 0);
    check(sg_file_write(target, "new", 3));
    assert_int_equal(lstat(target, &is), 0);
    assert_true(S_ISLNK(is.st_mode));
    expect(real, "new", 3);
    assert_int_equal(entries(), 2);
    unlink(target);
    unlink(real);
    assert_int_equal(rmdir(inner), 0); /* there are no other files */
}

static void says_what_is_wrong(void **state)
{
    static char longest[5000];
    const struct {
        const char *path, *sentence;
    } cases[] = {
        {"/tmp/sugeno/is/not/there/m.json", "can't write /tmp/sugeno/is/not/there/m.json: No such file"},
        {folder, "Is a directory"},
        {"/dev/null/m.json", "Not a directory"},
        {"", "can't write "},
        {longest, "can't write nnnn"},
    };
    (void)state;
    memset(longest, 'n', sizeof longest - 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_atomic_file *o = NULL;
        check_fails(sg_atomic_file_open(cases[i].path, &o), SG_EIO, cases[i].sentence);
        assert_null(o);
    }
    assert_int_equal(entries(), 0);
}

static void says_that_the_device_is_full(void **state)
{
    static char large[200000];
    sg_atomic_file *o;
    (void)state;
    check(sg_atomic_file_open("/dev/full", &o));
    check(sg_atomic_file_write(o, "lines", 5));
    check_fails(sg_atomic_file_commit(o), SG_EIO, "can't write /dev/full: No space left");
    check(sg_atomic_file_open("/dev/full", &o));
    check_fails(sg_atomic_file_write(o, large, sizeof large), SG_EIO, "No space left");
    sg_atomic_file_free(o);
    check_fails(sg_file_write("/dev/full", large, sizeof large), SG_EIO, "No space left");
    check(sg_file_write("/dev/null", large, sizeof large));
    assert_int_equal(access("/dev/null", W_OK), 0);
}

/* A regular file that cannot grow, as on a full disk. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    static char large[200000];
    struct rlimit old, limit;
    (void)state;
    put(target, "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 100000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    sg_status st = sg_file_write(target, large, sizeof large);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(st, SG_EIO);
    assert_non_null(strstr(sg_errmsg(), target));
    expect(target, "old", 3);
    assert_int_equal(entries(), 1);
    unlink(target);
}

/* The folder does not exist at commit. */
static void a_failed_commit_says_so(void **state)
{
    char inner[64], file[80];
    sg_atomic_file *o;
    (void)state;
    snprintf(inner, sizeof inner, "%s", in_folder("inner"));
    snprintf(file, sizeof file, "%s/file", inner);
    assert_int_equal(mkdir(inner, 0700), 0);
    check(sg_atomic_file_open(file, &o));
    check(sg_atomic_file_write(o, "new", 3));
    assert_int_equal(mkdir(file, 0700), 0); /* the rename can't replace a folder */
    check_fails(sg_atomic_file_commit(o), SG_EIO, file);
    assert_int_equal(rmdir(file), 0);
    assert_int_equal(rmdir(inner), 0); /* empty: no temporary file */
}

/* Temporary files of a killed process with the same process id, or of another thread, are neither used nor deleted. */
static void names_that_are_taken_do_not_matter(void **state)
{
    char taken[96];
    sg_atomic_file *a, *b;
    (void)state;
    snprintf(taken, sizeof taken, "%s/.sugeno-%ld-0.tmp", folder, (long)getpid());
    put(taken, "of somebody else");
    check(sg_atomic_file_open(target, &a));
    check(sg_atomic_file_open(target, &b));
    assert_true(entries() == 1 ||
                entries() == 3); /* files have a name if the file system does not support unnamed ones */
    check(sg_atomic_file_write(a, "a", 1));
    check(sg_atomic_file_write(b, "bb", 2));
    check(sg_atomic_file_commit(b));
    expect(target, "bb", 2);
    check(sg_atomic_file_commit(a));
    expect(target, "a", 1); /* the last one wins, whole */
    expect(taken, "of somebody else", 16);
    assert_int_equal(entries(), 2);
    unlink(taken);
    unlink(target);
}

static void large_and_small_writes_in_order(void **state)
{
    static const size_t sizes[] = {1, 65535, 1, 65536, 65537, 0, 200001, 3, 65533, 65536, 7};
    static char all[600000];
    size_t total = 0;
    sg_atomic_file *o;
    (void)state;
    for (size_t i = 0; i < sizeof all; i++) all[i] = (char)(i * 2385 >> 5);
    check(sg_atomic_file_open(target, &o));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check(sg_atomic_file_write(o, all + total, sizes[i]));
        total += sizes[i];
    }
    for (size_t i = 0; i < 30000; i++, total += 2) check(sg_atomic_file_write(o, all + total, 2));
    assert_true(total < sizeof all);
    check(sg_atomic_file_commit(o));
    expect(target, all, total);
    unlink(target);
}

/* A path without a folder is in the working folder. */
static void writes_into_the_working_folder(void **state)
{
    char before[4096];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    check(sg_file_write("target", "here", 4));
    assert_int_equal(chdir(before), 0);
    expect(target, "here", 4);
    assert_int_equal(entries(), 1);
    unlink(target);
}

static void a_dash_is_standard_output(void **state)
{
    (void)state;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), fd = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
    sg_status first = sg_file_write("-", "one,", 4), second = sg_file_write("-", "two", 3);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(fd);
    assert_true(first == SG_OK && second == SG_OK);
    expect(target, "one,two", 7); /* and it stayed open */
    unlink(target);
}

static void reads_whole_files(void **state)
{
    static char all[150001];
    sg_text t = {0};
    (void)state;
    for (size_t i = 0; i < sizeof all; i++) all[i] = (char)(i * 977 >> 4);
    check(sg_file_write(target, all, sizeof all));
    expect(target, all, sizeof all);
    int kept = dup(STDIN_FILENO), fd = open(target, O_RDONLY);
    assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) >= 0);
    expect("-", all, sizeof all);
    close(fd);
    unlink(target);
    fd = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) >= 0);
    check_fails(sg_file_read("-", &t), SG_EIO, "standard input: ");
    close(fd);
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    }
    check_fails(sg_file_read(folder, &t), SG_EIO, folder);
    check_fails(sg_file_read(target, &t), SG_EIO, target);
    assert_null(t.bytes);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(makes_a_file),
    cmocka_unit_test(replaces_at_once),
    cmocka_unit_test(abandoned_leaves_all_as_it_was),
    cmocka_unit_test(keeps_the_mode),
    cmocka_unit_test(keeps_a_symbolic_link),
    cmocka_unit_test(says_what_is_wrong),
    cmocka_unit_test(says_that_the_device_is_full),
    cmocka_unit_test(a_full_disk_leaves_the_old_file),
    cmocka_unit_test(a_failed_commit_says_so),
    cmocka_unit_test(names_that_are_taken_do_not_matter),
    cmocka_unit_test(large_and_small_writes_in_order),
    cmocka_unit_test(writes_into_the_working_folder),
    cmocka_unit_test(a_dash_is_standard_output),
    cmocka_unit_test(reads_whole_files),
};
TEST_GROUP(tests, make_folder, remove_folder)
