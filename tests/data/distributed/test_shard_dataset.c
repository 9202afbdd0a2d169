/* test_shard_dataset.c: datasets opened by several ranks: shared files, scattered rows, local files, and inconsistent
 * views (shard_open.c, rank_consistency.c, shard_scatter.c). labels: threads memory */
#include "base/status.h"
#include "comm/collectives.h"
#include "data/distributed/shard_source.h"
#include "data/source/source_util.h"
#include "thread_comm.h"

#include <unistd.h>

enum { ROWS = 3001, COLUMNS = 4 };

static char folder[] = "/tmp/sugeno-team-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[64][256]; /* the last few */
    static size_t next;
    char *p = path[next++ % 64];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static double value_at(size_t row, size_t column) { return (double)(row * 10 + column) / 8 + 0.385; }

/* Writes rows [first, last), with the given name of the second column; `add` is added to the very last value. */
static void write_file(const char *file, size_t first, size_t last, const char *second, double more)
{
    const char *names[COLUMNS] = {"a", second, "c", "y"};
    double *values = calloc((last - first) * COLUMNS + 1, sizeof *values);
    sg_table *t;
    for (size_t i = 0; i < (last - first) * COLUMNS; i++) values[i] = value_at(first + i / COLUMNS, i % COLUMNS);
    if (last > first) values[(last - first) * COLUMNS - 1] += more;
    check(sg_table_new(names, COLUMNS, values, last - first, &t));
    sg_source s = sg_table_source(t);
    check(sg_source_save(&s, path_of(file)));
    sg_table_free(t);
    free(values);
}

static void write_rows(const char *file, size_t first, size_t last, const char *second)
{
    write_file(file, first, last, second, 0);
}

/* --- opening files on several ranks and checking the rows of each --- */

typedef struct opening {
    const char *path[TEAM_MOST][3]; /* of each rank: up to two, NULL-terminated */
    bool local;
    size_t first[TEAM_MOST + 1]; /* the expected first row of each rank */
} opening;

static sg_status wrong(const sg_comm *t, const char *what)
{
    return sg_fail(SG_EDATA, "rank %zu: wrong %s", t->rank, what);
}

static sg_status check_rows(const sg_comm *t, const opening *o, const sg_source *s)
{
    double row[COLUMNS];
    sg_status st = SG_OK;
    if (s->rows != ROWS || s->columns != COLUMNS || s->comm != t) return wrong(t, "shape");
    if (s->local_first != o->first[t->rank] || s->local_rows != o->first[t->rank + 1] - s->local_first)
        return wrong(t, "share");
    for (size_t i = s->local_first; st == SG_OK && i < s->local_first + s->local_rows; i++) {
        st = i % 2 ? s->read(s->self, i, 1, row) : s->gather(s->self, &i, 1, row);
        for (size_t k = 0; st == SG_OK && k < COLUMNS; k++)
            if (row[k] != value_at(i, k)) return wrong(t, "value");
    }
    if (st == SG_OK && s->local_first && s->read(s->self, 0, 1, row) == SG_OK) return wrong(t, "border");
    return st;
}

static sg_status open_and_look(const sg_comm *t, void *arg)
{
    const opening *o = arg;
    const char *const *path = o->path[t->rank];
    sg_options *options;
    sg_dataset *d = NULL;
    sg_status st = sg_options_new(&options);
    if (st != SG_OK) return st;
    sg_options_set_comm(options, t, o->local);
    st = sg_dataset_open(path, path[1] ? 2 : 1, options, NULL, 0, &d);
    if (st == SG_OK) {
        sg_source s = sg_dataset_source(d);
        st = check_rows(t, o, &s);
    }
    sg_dataset_free(d);
    sg_options_free(options);
    return st;
}

static opening the_same(const char *a, const char *b, size_t ranks)
{
    opening o = {.local = false};
    for (size_t i = 0; i < ranks; i++) {
        o.path[i][0] = path_of(a);
        o.path[i][1] = b ? path_of(b) : NULL;
        o.first[i] = sg_comm_shard_begin(ROWS, i, ranks);
    }
    o.first[ranks] = ROWS;
    return o;
}

static void files_that_all_see(void **state)
{
    static const char *const pairs[][2] = {
        {"all.npy", NULL}, {"one.npy", "two.npy"}, {"all.csv", NULL}, {"one.csv", "two.csv"}, {"one.npy", "two.csv"}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (size_t ranks = 1; ranks <= 8; ranks += 1 + (ranks == 3) * 4) {
            opening o = the_same(pairs[i][0], pairs[i][1], ranks);
            if (ranks > 1) team_check(ranks, open_and_look, &o);
        }
}

static void files_of_each(void **state)
{
    opening o = {.path = {{path_of("one.npy")}, {path_of("two.csv")}}, .local = true, .first = {0, 1000, ROWS}};
    (void)state;
    team_check(2, open_and_look, &o);
    o = (opening){.path = {{path_of("one.csv")}, {path_of("mid.npy")}, {path_of("end.npy"), path_of("last.csv")}},
                  .local = true,
                  .first = {0, 1000, 1001, ROWS}};
    team_check(3, open_and_look, &o);
}

static void all_fail(size_t ranks, opening *o, const char *sentence)
{
    team_result result[TEAM_MOST];
    team_run(ranks, open_and_look, o, result);
    for (size_t i = 0; i < ranks; i++) {
        if (result[i].status == SG_OK) fail_msg("rank %zu saw nothing of: %s", i, sentence);
        if (!strstr(result[i].said, sentence)) fail_msg("\"%s\" lacks \"%s\"", result[i].said, sentence);
        assert_string_equal(result[i].said, result[0].said);
    }
}

static void what_is_not_alike(void **state)
{
    opening o = the_same("all.npy", NULL, 4);
    (void)state;
    o.path[2][0] = path_of("one.npy");
    all_fail(4, &o, "rank 2 sees 1000 rows in ");
    o = the_same("all.npy", NULL, 4);
    o.path[3][0] = path_of("absent.npy");
    all_fail(4, &o, "rank 3: can't read ");
    o = the_same("all.npy", NULL, 3);
    o.path[1][0] = path_of("other.npy");
    all_fail(3, &o, "rank 1 and rank 0 see different values in row 1 of ");
    o = the_same("one.npy", "two.npy", 4);
    o.path[3][1] = path_of("changed.npy");
    all_fail(4, &o, "rank 3 and rank 0 see different values in row 2001 of ");
    o = the_same("one.npy", "two.npy", 3);
    o.path[1][1] = NULL;
    all_fail(3, &o, "rank 1 reads 1 files, but rank 0 reads 2");
    o = the_same("all.csv", NULL, 3);
    for (size_t i = 0; i < 3; i++) o.path[i][0] = path_of("absent.csv");
    all_fail(3, &o, "absent.csv: No such file");
    o = the_same("all.npy", NULL, 2);
    for (size_t i = 0; i < 2; i++) o.path[i][0] = path_of("absent.npy");
    all_fail(2, &o, "absent.npy");
    o = (opening){.path = {{path_of("one.csv")}, {path_of("renamed.csv")}}, .local = true};
    all_fail(2, &o, "\"b\\b\" on rank 1 but \"b\" on rank 0");
    o = (opening){.path = {{path_of("one.csv")}, {path_of("wide.csv")}}, .local = true};
    all_fail(2, &o, "rank 1 sees 2 columns in ");
    o = (opening){.path = {{path_of("one.csv")}, {path_of("absent.csv")}}, .local = true};
    all_fail(2, &o, "rank 1: can't read ");
    o = (opening){.path = {{path_of("one.csv")}, {path_of("none.npy")}}, .local = true};
    all_fail(2, &o, "none.npy: the array has no rows");
}

/* --- rank 0 fails while reading --- */

static sg_status read_some(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    if (first + n > 60000) return sg_fail(SG_EIO, "the disk is gone");
    memset(out, 0, n * 2 * sizeof *out);
    return SG_OK;
}

static sg_status deal_some(const sg_comm *t, void *arg)
{
    static const char *const names[] = {"a", "b"};
    sg_source all = {.rows = 200000, .columns = 2, .names = names, .read = read_some};
    sg_row_range share;
    sg_table *mine = NULL;
    (void)arg;
    sg_status st = sg_shard_scatter(t, t->rank == 0 ? &all : NULL, t->rank % 2 ? 1 << 20 : 1 << 30, &share, &mine);
    sg_table_free(mine);
    return st;
}

static void a_disk_that_fails(void **state)
{
    team_result result[TEAM_MOST];
    (void)state;
    for (size_t ranks = 2; ranks <= 5; ranks++) {
        team_run(ranks, deal_some, NULL, result);
        for (size_t i = 0; i < ranks; i++) {
            assert_int_equal(result[i].status, SG_EIO);
            assert_string_equal(result[i].said, "the disk is gone");
        }
    }
}

/* --- more rows than fit into memory --- */

static sg_status read_values(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    for (size_t i = 0; i < 2 * n; i++) out[i] = value_at(first + i / 2, i % 2);
    return SG_OK;
}

static sg_status deal_many(const sg_comm *t, void *arg)
{
    static const char *const names[] = {"a", "b"};
    sg_source all = {.name = "x.csv", .rows = 200000, .columns = 2, .names = names, .read = read_values};
    sg_row_range share;
    sg_table *mine = NULL;
    double row[2];
    (void)arg;
    sg_status st = sg_shard_scatter(t, t->rank == 0 ? &all : NULL, 1 << 20, &share, &mine);
    if (st != SG_OK || t->rank == 0) return st;
    sg_source s = sg_table_source(mine);
    if (!s.slow_gather || s.rows != share.count || strcmp(s.names[1], "b") != 0) st = wrong(t, "place");
    for (size_t i = 0; st == SG_OK && i < s.rows; i += 97) {
        st = s.read(s.self, i, 1, row);
        if (st == SG_OK && row[1] != value_at(share.first_row + i, 1)) st = wrong(t, "value");
    }
    sg_table_free(mine);
    return st;
}

static void more_rows_than_memory(void **state)
{
    (void)state;
    team_check(2, deal_many, NULL);
    team_check(3, deal_many, NULL);
}

static void fewer_rows_than_members(void **state)
{
    opening o = the_same("all.npy", NULL, 8);
    team_result result[TEAM_MOST];
    (void)state;
    for (size_t i = 0; i < 8; i++) o.path[i][0] = path_of("few.csv");
    team_run(8, open_and_look, &o, result);
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(result[i].said + strlen("rank 0: "), "wrong shape"); /* it was opened */
}

/* --- categories --- */

static sg_status read_words(const sg_comm *t, void *arg)
{
    const char *path = arg, *const *paths = &path;
    static const char *const expected[] = {"red", "green", "blue"};
    sg_options *options;
    sg_dataset *d = NULL;
    double row[2];
    sg_status st = sg_options_new(&options);
    if (st != SG_OK) return st;
    sg_options_set_comm(options, t, 0);
    st = sg_dataset_open(paths, 1, options, NULL, 0, &d);
    if (st == SG_OK) {
        sg_source s = sg_dataset_source(d);
        for (size_t i = 0; st == SG_OK && i < 3; i++) {
            const char *text = s.level ? s.level(s.self, 0, i) : NULL;
            if (!text || strcmp(text, expected[i]) != 0) st = wrong(t, "level");
        }
        if (st == SG_OK && (s.level(s.self, 0, 3) || s.level(s.self, 1, 0))) st = wrong(t, "levels");
        for (size_t i = s.local_first; st == SG_OK && i < s.local_first + s.local_rows; i++) {
            st = s.read(s.self, i, 1, row);
            if (st == SG_OK && (row[0] != (double)(i % 3) || row[1] != (double)i)) st = wrong(t, "code");
        }
    }
    sg_dataset_free(d);
    sg_options_free(options);
    return st;
}

/* The weight column that rank 0 finds applies to all ranks. */
static sg_status read_weighted(const sg_comm *t, void *arg)
{
    const char *const *paths = arg;
    sg_options *options;
    sg_dataset *d = NULL;
    sg_status st = sg_options_new(&options);
    if (st != SG_OK) return st;
    sg_options_set_comm(options, t, paths[1] != NULL);
    st = sg_dataset_open(paths + (paths[1] ? t->rank : 0), 1, options, NULL, 0, &d);
    sg_source s = st == SG_OK ? sg_dataset_source(d) : (sg_source){0};
    if (st == SG_OK && (!s.weight_column || strcmp(s.weight_column, "weight") != 0)) st = wrong(t, "weights");
    sg_dataset_free(d);
    sg_options_free(options);
    return st;
}

static void weights_are_known_to_all(void **state)
{
    const char *paths[] = {path_of("weights.arff"), NULL, path_of("weights.csv")};
    FILE *f = fopen(paths[0], "w"), *csv = fopen(paths[2], "w");
    (void)state;
    assert_true(f && csv);
    fputs("@relation r\n@attribute x real\n@attribute y real\n@data\n1,2,{3}\n4,5\n6,7,{8}\n", f);
    fputs("weight,x,y\n1,2,3\n1,4,5\n", csv);
    assert_true(fclose(f) == 0 && fclose(csv) == 0);
    team_check(2, read_weighted, paths);
    paths[1] = paths[2];
    team_check(2, read_weighted, paths);
}

static void words_are_dealt_out(void **state)
{
    static const char *const words[] = {"red", "green", "blue"};
    const char *path = path_of("words.csv");
    FILE *f = fopen(path, "w");
    (void)state;
    assert_non_null(f);
    fputs("colour,y\n", f);
    for (size_t i = 0; i < 900; i++) fprintf(f, "%s,%zu\n", words[i % 3], i);
    assert_int_equal(fclose(f), 0);
    for (size_t ranks = 2; ranks <= 5; ranks++) team_check(ranks, read_words, (void *)path);
}

/* Each rank has different words, in a different order; one has numbers there. */
static sg_status read_own_words(const sg_comm *t, void *arg)
{
    static const char *const cells[] = {"red", "green", "blue", "red", "blue", "7", "7", "0.5", "7"};
    const char *const *paths = (const char *const *)arg + t->rank;
    sg_options *options;
    sg_dataset *d = NULL;
    double row[2];
    sg_status st = sg_options_new(&options);
    if (st != SG_OK) return st;
    sg_options_set_comm(options, t, 1);
    st = sg_dataset_open(paths, 1, options, NULL, 0, &d);
    if (st == SG_OK) {
        sg_source s = sg_dataset_source(d);
        if (s.rows != 9 || s.local_first != 3 * t->rank || !s.level || s.level(s.self, 0, 5) || s.level(s.self, 1, 0))
            st = wrong(t, "shape");
        for (size_t i = s.local_first; st == SG_OK && i < s.local_first + s.local_rows; i++) {
            st = i % 2 ? s.read(s.self, i, 1, row) : s.gather(s.self, &i, 1, row);
            if (st == SG_OK && strcmp(s.level(s.self, 0, (size_t)row[0]), cells[i]) != 0) st = wrong(t, "word");
        }
        if (st == SG_OK && strcmp(s.level(s.self, 0, 3), "7") != 0) st = wrong(t, "order of levels");
    }
    sg_dataset_free(d);
    sg_options_free(options);
    return st;
}

static void words_of_each(void **state)
{
    static const char *const text[] = {"w,y\nred,1\ngreen,2\nblue,3\n", "w,y\nred,4\nblue,5\n7,6\n",
                                       "w,y\n7,7\n0.5,8\n7.0,9\n"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "own-%zu.csv", i);
        FILE *f = fopen(path_of(name), "w");
        assert_non_null(f);
        fputs(text[i], f);
        assert_int_equal(fclose(f), 0);
    }
    const char *paths[] = {path_of("own-0.csv"), path_of("own-1.csv"), path_of("own-2.csv")};
    team_check(3, read_own_words, paths);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    write_rows("all.npy", 0, ROWS, "b");
    write_rows("all.csv", 0, ROWS, "b");
    write_rows("one.npy", 0, 1000, "b");
    write_rows("one.csv", 0, 1000, "b");
    write_rows("two.npy", 1000, ROWS, "b");
    write_rows("two.csv", 1000, ROWS, "b");
    write_rows("other.npy", 1, ROWS + 1, "b");
    write_file("changed.npy", 1000, ROWS, "b", 0.5);
    write_rows("few.csv", 0, 3, "b");
    write_rows("none.npy", 0, 0, "b");
    write_rows("mid.npy", 1000, 1001, "b");
    write_rows("end.npy", 1001, 3000, "b");
    write_rows("last.csv", 3000, ROWS, "b");
    write_rows("renamed.csv", 1000, ROWS, "b\\b");
    FILE *f = fopen(path_of("wide.csv"), "w");
    if (!f || fputs("a,b\n1,2\n", f) < 0) return -1;
    return fclose(f);
}

static int remove_files(void **state)
{
    char command[300];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(files_that_all_see),
    cmocka_unit_test(files_of_each),
    cmocka_unit_test(what_is_not_alike),
    cmocka_unit_test(a_disk_that_fails),
    cmocka_unit_test(fewer_rows_than_members),
    cmocka_unit_test(words_are_dealt_out),
    cmocka_unit_test(words_of_each),
    cmocka_unit_test(more_rows_than_memory),
    cmocka_unit_test(weights_are_known_to_all),
};
TEST_GROUP(tests, make_files, remove_files)
