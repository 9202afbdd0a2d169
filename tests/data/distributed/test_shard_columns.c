/* test_shard_columns.c: ranks that read files of their own infer the same column types as one process that reads all
 * files (rank_infer_types.c, level_budget.c). labels: threads */
#include "base/status.h"
#include "data/source/source_util.h"
#include "thread_comm.h"

#include <unistd.h>

static char folder[] = "/tmp/sugeno-columns-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[16][64]; /* the last few */
    static size_t next;
    char *p = path[next++ % 16];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static sg_status wrong(const sg_comm *t, const char *what)
{
    return sg_fail(SG_EDATA, "rank %zu: wrong %s", t->rank, what);
}

/* --- columns of split files --- */

enum { PARTS = 3, EACH = 30 };

/* Each part alone would be classified differently than all of them together. */
static void write_part(const char *path, size_t part)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("id,when,code,gap,few,more,mix,y\n", f);
    for (size_t i = 0; i < EACH; i++) {
        size_t row = part * EACH + i;
        fprintf(f, "%zu,%s,c%zu,", row + 1, part < 2 ? "2001-02-03" : i % 9 ? "" : "soon", part < 2 ? row : i % 8);
        if (part) fprintf(f, "%zu", i);
        fprintf(f, ",w%zu,v%zu,", i % 25, row % 40);
        fprintf(f, part == 1 && i % 3 ? "%zu" : "m%zu", i % 2);
        fprintf(f, ",%zu\n", row % 7);
    }
    assert_int_equal(fclose(f), 0);
}

static sg_status same_cell(const sg_comm *t, const sg_source *s, const sg_source *all, size_t k, double a, double b)
{
    const char *x = sg_source_cell_level(s, k, a), *y = sg_source_cell_level(all, k, b);
    bool same = sg_source_is_categorical(s, k) ? x && y && strcmp(x, y) == 0 : a == b || (isnan(a) && isnan(b));
    return same && sg_source_is_categorical(s, k) == sg_source_is_categorical(all, k) ? SG_OK : wrong(t, "cell");
}

typedef struct split {
    const char *paths[PARTS];
    size_t columns; /* that are kept */
    sg_source all;  /* as one process reads them */
} split;

/* A rank sees its part exactly as one process sees the whole. */
static sg_status judge_part(const sg_comm *t, void *arg)
{
    const split *p = arg;
    const sg_source all = p->all;
    sg_options *together;
    sg_dataset *mine = NULL;
    double a[16], b[16];
    sg_status st = sg_options_new(&together);
    if (st != SG_OK) return st;
    sg_options_set_comm(together, t, 1);
    st = sg_dataset_open(p->paths + t->rank, 1, together, NULL, 0, &mine);
    sg_source s = st == SG_OK ? sg_dataset_source(mine) : (sg_source){0};
    if (st == SG_OK && (s.columns != all.columns || s.columns != p->columns || s.rows != all.rows))
        st = wrong(t, "shape");
    for (size_t k = 0; st == SG_OK && k < s.columns; k++)
        if (strcmp(s.names[k], all.names[k]) != 0) st = wrong(t, "names");
    for (size_t i = s.local_first; st == SG_OK && i < s.local_first + s.local_rows; i++) {
        st = s.read(s.self, i, 1, a);
        if (st == SG_OK) st = all.read(all.self, i, 1, b);
        for (size_t k = 0; st == SG_OK && k < s.columns; k++) st = same_cell(t, &s, &all, k, a[k], b[k]);
    }
    sg_dataset_free(mine);
    sg_options_free(together);
    return st;
}

static void judge(size_t ranks, split *p, team_result *result)
{
    sg_options *o = options_of("");
    sg_dataset *whole;
    check(sg_dataset_open(p->paths, ranks, o, NULL, 0, &whole));
    p->all = sg_dataset_source(whole);
    if (result) team_run(ranks, judge_part, p, result);
    else team_check(ranks, judge_part, p);
    sg_dataset_free(whole);
    sg_options_free(o);
}

static split three_parts(void)
{
    split p = {{path_of("part-0.csv"), path_of("part-1.csv"), path_of("part-2.csv")}, 5, {0}};
    for (size_t i = 0; i < PARTS; i++) write_part(p.paths[i], i);
    return p;
}

static void split_files_are_one(void **state)
{
    split p = three_parts();
    (void)state;
    judge(PARTS, &p, NULL);
}

/* --- too many levels in total --- */

enum { WORDY = 60, LONG_WORD = 1 << 16, WORDS_EACH = 6 };

/* 24 MB of words in each part, 71 MB in total; k is a category. */
static void write_wordy(const char *path, size_t part)
{
    static char word[LONG_WORD];
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    memset(word, 'x', sizeof word - 1);
    for (size_t k = 0; k < WORDY; k++) fprintf(f, "w%zu,", k);
    fputs("k,x,y\n", f);
    for (size_t i = 0; i < WORDS_EACH; i++) {
        for (size_t k = 0; k < WORDY; k++) fprintf(f, "%c%zu%s,", (char)('a' + part), i, word);
        fprintf(f, "%s,%zu,%zu\n", i % 2 ? "red" : "blue", i, part);
    }
    assert_int_equal(fclose(f), 0);
}

static void too_many_words_in_all(void **state)
{
    split p = {{path_of("wordy-0.csv"), path_of("wordy-1.csv"), path_of("wordy-2.csv")}, 3, {0}};
    (void)state;
    for (size_t i = 0; i < PARTS; i++) write_wordy(p.paths[i], i);
    judge(PARTS, &p, NULL);
    for (size_t i = 0; i < PARTS; i++) unlink(p.paths[i]);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(split_files_are_one),
                                          cmocka_unit_test(too_many_words_in_all)};
TEST_GROUP(tests, make_folder, remove_folder)
